//! Drawing, input, sound, panel and scenes in every combination, without a window and a graphics adapter. No part needs
//! another.

use bevy::{
    app::PluginGroupBuilder,
    log::LogPlugin,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    winit::WinitPlugin,
};
use carom::{
    debug::{PhysicsDebug, PhysicsDebugPlugin},
    editor::{ArrowTipPlugin, DeletePlugin, DrawPlugin, EditorPlugins, MoveDiscPlugin, TilePlugin, UndoPlugin},
    games::plugin::MatchPlugin,
    hud::{HudPlugin, MatchInputPlugin, StartPagePlugin},
    input::{
        Aim, AimPlugin, CameraKeysPlugin, InputPlugins, PlaybackKeysPlugin, PointerPlugin, RespotPlugin,
        SceneKeysPlugin, SelectPlugin, TouchPlugin,
    },
    lessons::LessonsPlugin,
    panel::PanelPlugin,
    prelude::*,
    scene::{self, DiscLook, SceneAppExt, SceneFile, ScenePlugin, SceneRegistry, SceneSource},
    shell::{OverlayKeysPlugin, ShellPlugin},
    sound::{SoundPlugin, SoundSettings},
    view::{
        Canvas, DrawView, OwnLook, ViewPlugin,
        scene::discs::{DiscInstances, list_discs},
    },
};

/// Bevy's plugins without a window and without a graphics adapter.
fn windowless() -> PluginGroupBuilder {
    let nothing_to_draw_with = WgpuSettings { backends: None, ..default() };
    DefaultPlugins
        .set(WindowPlugin { primary_window: None, ..default() })
        .set(RenderPlugin { render_creation: nothing_to_draw_with.into(), ..default() })
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>()
}

/// A game without a window.
fn game() -> App {
    let mut app = App::new();
    app.add_plugins(windowless())
        .add_plugins(PhysicsPlugins::default())
        .insert_resource(SoundSettings { on: false, ..default() })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Runs two discs that collide, an arena and a pocket for some frames.
fn run(mut app: App, name: &str) -> App {
    app.finish();
    app.cleanup();
    app.world_mut().spawn((Disc, Velocity(vec2(3.0, 0.0)), DiscLook::default(), Transform::default()));
    app.world_mut().spawn((Disc, Position(vec2(1.1, 0.0)), OwnLook));
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(4.0, 3.0) });
    app.world_mut().spawn((Pocket { radius: 0.2 }, Position(vec2(3.0, 2.0))));
    for _ in 0..20 {
        app.update();
    }
    let mut discs = app.world_mut().query_filtered::<&Velocity, With<Disc>>();
    assert!(discs.iter(app.world()).filter(|velocity| velocity.x > 1.0).count() == 1, "{name}: they have met");
    app
}

#[test]
fn every_combination_of_parts_runs() {
    type Part = (&'static str, fn(&mut App));
    let parts: [Part; 7] = [
        ("scene", |app| _ = app.add_plugins(ScenePlugin)),
        ("view", |app| _ = app.add_plugins(ViewPlugin)),
        ("input", |app| _ = app.add_plugins(InputPlugins)),
        ("editor", |app| _ = app.add_plugins(EditorPlugins)),
        ("sound", |app| _ = app.add_plugins(SoundPlugin)),
        ("panel", |app| _ = app.add_plugins((PanelPlugin, LessonsPlugin))),
        ("hud", |app| _ = app.add_plugins(HudPlugin)),
    ];
    for combination in 0..1_u32 << parts.len() {
        let chosen = parts.iter().enumerate().filter(|(k, _)| combination >> k & 1 == 1).map(|(_, part)| part);
        let mut app = game();
        let mut names = Vec::new();
        for (name, add) in chosen {
            names.push(*name);
            add(&mut app);
        }
        let _ = run(app, &names.join(", "));
    }
}

#[test]
fn every_plugin_of_the_hands_runs_alone_and_twice_is_no_mistake() {
    let plugins: [fn(&mut App); 17] = [
        |app| _ = app.add_plugins(AimPlugin),
        |app| _ = app.add_plugins(SelectPlugin),
        |app| _ = app.add_plugins(MoveDiscPlugin),
        |app| _ = app.add_plugins(DeletePlugin),
        |app| _ = app.add_plugins(ArrowTipPlugin),
        |app| _ = app.add_plugins(TilePlugin),
        |app| _ = app.add_plugins(CameraKeysPlugin),
        |app| _ = app.add_plugins(PlaybackKeysPlugin),
        |app| _ = app.add_plugins(SceneKeysPlugin),
        |app| _ = app.add_plugins(OverlayKeysPlugin),
        |app| _ = app.add_plugins(ShellPlugin),
        |app| _ = app.add_plugins(RespotPlugin),
        |app| _ = app.add_plugins(UndoPlugin),
        |app| _ = app.add_plugins(DrawPlugin),
        |app| _ = app.add_plugins((TouchPlugin, TouchPlugin)),
        |app| _ = app.add_plugins((MatchInputPlugin, MatchInputPlugin)),
        |app| {
            app.add_plugins(PhysicsDebugPlugin).insert_resource(PhysicsDebug { shown: true, ..default() });
        },
    ];
    for (k, add) in plugins.into_iter().enumerate() {
        for with_view in [false, true] {
            let mut app = game();
            add(&mut app);
            app.add_plugins((PointerPlugin, PointerPlugin));
            if with_view {
                app.add_plugins(ViewPlugin);
            }
            let _ = run(app, &format!("plugin {k}"));
        }
    }
}

#[test]
fn a_sprite_follows_its_disc() {
    let mut app = game();
    app.add_plugins(ViewPlugin);
    let app = &mut run(app, "view");
    let mut discs = app.world_mut().query::<(&Transform, &Position)>();
    let (transform, position) = discs.single(app.world()).expect("one asked for it");
    assert!(transform.translation.truncate().distance(position.0) < 3.0 / 60.0, "{transform:?} {position:?}");
    assert!(transform.translation.x > 0.0);
}

/// What an app says that starts with these plugins; nothing if it starts.
fn complaint(mut app: App, add: fn(&mut App)) -> Option<String> {
    let start = std::panic::AssertUnwindSafe(|| {
        add(&mut app);
        app.finish();
    });
    let said = std::panic::catch_unwind(start).err()?;
    Some(said.downcast_ref::<String>().cloned().unwrap_or_default())
}

#[test]
fn a_plugin_says_at_once_what_it_lacks() {
    type Part = (&'static str, fn(&mut App));
    let bare = || {
        let mut app = App::new();
        app.add_plugins(windowless()).insert_resource(SoundSettings { on: false, ..default() });
        app
    };
    let parts: [Part; 12] = [
        ("carom::scene::commands::ScenePlugin", |app| _ = app.add_plugins(ScenePlugin)),
        ("carom::games::plugin::MatchPlugin", |app| _ = app.add_plugins(MatchPlugin)),
        ("carom::view::ViewPlugin", |app| _ = app.add_plugins(ViewPlugin)),
        ("carom::input::PointerPlugin", |app| _ = app.add_plugins(PointerPlugin)),
        ("carom::input::shot::AimPlugin", |app| _ = app.add_plugins(AimPlugin)),
        ("carom::input::PointerPlugin", |app| _ = app.add_plugins(SelectPlugin)),
        ("carom::input::PointerPlugin", |app| _ = app.add_plugins(DrawPlugin)),
        ("carom::sound::SoundPlugin", |app| _ = app.add_plugins(SoundPlugin)),
        ("carom::hud::MatchInputPlugin", |app| _ = app.add_plugins(MatchInputPlugin)),
        ("carom::hud::HudPlugin", |app| _ = app.add_plugins(HudPlugin)),
        ("carom::shell::plugin::ShellPlugin", |app| _ = app.add_plugins(ShellPlugin)),
        ("carom::panel::PanelPlugin", |app| _ = app.add_plugins(PanelPlugin)),
    ];
    for (name, add) in parts {
        let said = complaint(bare(), add).unwrap_or_default();
        assert!(said.starts_with(name) && said.contains("needs carom::PhysicsPlugins"), "{name}: {said:?}");
        // They may come in any order.
        let mut app = bare();
        add(&mut app);
        assert_eq!(complaint(app, |app| _ = app.add_plugins(PhysicsPlugins::default())), None, "{name}");
    }
    let said = complaint(game(), |app| _ = app.add_plugins(StartPagePlugin)).unwrap_or_default();
    assert_eq!(said, "carom::hud::start_page::StartPagePlugin needs carom::hud::HudPlugin: add it to the app");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    let said = complaint(app, |app| _ = app.add_plugins(ViewPlugin)).unwrap_or_default();
    assert!(said.starts_with("carom::view::ViewPlugin needs bevy::DefaultPlugins"), "{said}");
}

#[test]
fn a_hud_brings_the_hands_that_aim() {
    for add in [
        (|app| _ = app.add_plugins(HudPlugin)) as fn(&mut App),
        |app| _ = app.add_plugins((InputPlugins, HudPlugin)),
        |app| _ = app.add_plugins((HudPlugin, InputPlugins)),
    ] {
        let mut app = game();
        add(&mut app);
        assert!(app.world().contains_resource::<Aim>());
    }
}

/// How many discs and shapes the picture has.
#[derive(Resource, Default)]
struct Shown(Vec<[usize; 2]>);

#[test]
fn what_the_game_draws_itself_is_not_drawn_in_the_first_frame_either() {
    #[derive(Component, Reflect, Default)]
    #[reflect(Component)]
    struct Peg;

    const LEVEL: &str = r#"(
        discs: [(position: (1, 0), components: {"Peg": ()}), (position: (4, 0), own_look: true), (position: (7, 0))],
        terrain: [(shape: Circle(radius: 1), own_look: true), (shape: Circle(radius: 1), components: {"Peg": ()})],
    )"#;
    let shown = |level: Option<&str>| {
        let mut app = game();
        app.add_plugins((ScenePlugin, ViewPlugin)).init_resource::<Shown>().add_scene_component::<Peg>();
        app.add_systems(Update, |pegs: Query<Entity, Added<Peg>>, mut commands: Commands| {
            for peg in &pegs {
                commands.entity(peg).insert(OwnLook);
            }
        });
        let count = |mut shown: ResMut<Shown>, discs: Res<DiscInstances>, canvas: Res<Canvas>| {
            shown.0.push([discs.len(), canvas.len()]);
        };
        app.add_systems(DrawView, count.after(list_discs));
        app.finish();
        app.cleanup();
        if let Some(level) = level {
            let file = SceneFile::parse_with(level, "level", &SceneRegistry::of(app.world())).unwrap();
            scene::spawn(app.world_mut(), SceneSource::Path("level".into()), file).unwrap();
        }
        app.update();
        app.update();
        std::mem::take(&mut app.world_mut().resource_mut::<Shown>().0)
    };
    let (empty, level) = (shown(None), shown(Some(LEVEL)));
    assert!(!level.is_empty());
    for (empty, level) in empty.into_iter().zip(level) {
        assert_eq!((level[0], level[1] - empty[1]), (1, 0), "one disc, and no terrain");
    }
}
