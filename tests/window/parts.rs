//! Drawing, input, sound, panel and scenes in every combination, without a window and a graphics adapter. No part needs
//! another.

use bevy::{
    log::LogPlugin,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    winit::WinitPlugin,
};
use carom::{
    debug::{PhysicsDebug, PhysicsDebugPlugin},
    editor::{ArrowTipPlugin, DeletePlugin, DrawPlugin, EditorPlugins, MoveDiscPlugin, TilePlugin, UndoPlugin},
    hud::{HudPlugin, MatchInputPlugin},
    input::{
        AimPlugin, CameraKeysPlugin, InputPlugins, PlaybackKeysPlugin, PointerPlugin, RespotPlugin, SceneKeysPlugin,
        SelectPlugin, TouchPlugin,
    },
    lessons::LessonsPlugin,
    panel::PanelPlugin,
    prelude::*,
    scene::{DiscLook, ScenePlugin},
    shell::OverlayKeysPlugin,
    sound::{SoundPlugin, SoundSettings},
    view::{OwnLook, ViewPlugin},
};

/// A game without a window.
fn game() -> App {
    let mut app = App::new();
    let nothing_to_draw_with = WgpuSettings { backends: None, ..default() };
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, ..default() })
            .set(RenderPlugin { render_creation: nothing_to_draw_with.into(), ..default() })
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>(),
    )
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
    let plugins: [fn(&mut App); 16] = [
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
