//! Tests of the panel as a whole.

use std::collections::BTreeMap;

use bevy_egui::egui::{Ui, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::{
    PhysicsPlugins,
    collision::CollisionSettings,
    components::{Disc, Radius},
    editor::Tool,
    games::{
        MatchSpec,
        plugin::{Beginning, MatchCommand, MatchPlugin, MatchSettings},
    },
    input::{
        PreviewSettings, Selection,
        actions::{KeyMap, Rebinding},
    },
    motion::MotionSettings,
    scene::{self, ScenePlugin, SceneSource, shipped},
    shell::{Overlays, files::Files},
    timeline::Playback,
    view::{Covered, View2d, ViewSettings, framing::frame_views, words::language::rest_of_literal},
};

mod controls;
mod experiment;

/// A world with everything that the sections read, without a window.
pub(super) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin))
        .add_plugins((crate::lessons::LessonsPlugin, crate::instruments::InstrumentsPlugin))
        .init_resource::<ViewSettings>()
        .init_resource::<Theme>()
        .init_resource::<Selection>()
        .init_resource::<PreviewSettings>()
        .init_resource::<crate::input::Aim>()
        .init_resource::<crate::input::CueSettings>()
        .init_resource::<crate::view::Bookmarks>()
        .init_resource::<crate::debug::PhysicsDebug>()
        .add_message::<crate::shell::CaptureRequest>()
        .init_resource::<crate::shell::CaptureSettings>()
        .init_resource::<crate::shell::CaptureProgress>()
        .init_resource::<crate::sound::Sound>()
        .init_resource::<crate::sound::SoundSettings>()
        .init_resource::<Overlays>()
        .init_resource::<KeyMap>()
        .init_resource::<Rebinding>()
        .init_resource::<PanelState>()
        .init_resource::<Sections>()
        .init_resource::<OpenInMatch>()
        .init_resource::<layout::Fold>()
        .init_resource::<energy::EnergyGraph>()
        .init_resource::<readouts::Readouts>()
        .init_resource::<solvers::Comparison>()
        .init_resource::<presets::Presets>()
        .init_resource::<scenes::Catalogue>()
        .init_resource::<Files>()
        .init_resource::<crate::shell::RecentFiles>()
        .init_resource::<Covered>()
        .init_resource::<Tool>()
        .init_resource::<crate::editor::ChosenTerrain>()
        .init_resource::<crate::editor::DrawSettings>()
        .init_resource::<crate::editor::EditHistory>()
        // As the program has them.
        .insert_resource(crate::view::Measures { scale_bar: None, ..default() });
    app
}

/// The sections of the panel, including those of the lessons.
pub(super) fn all_sections() -> Vec<Section> {
    app().world().resource::<Sections>().0.clone()
}

fn show_all(world: &mut World) {
    let sections = world.resource::<Sections>().0.clone();
    let ctx = egui::Context::default();
    for _ in 0..2 {
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for section in &sections {
                if (section.applies)(world) {
                    (section.show)(ui, world);
                }
            }
        });
        output.textures_delta.clear();
    }
}

#[test]
fn looking_at_any_scene_changes_nothing() {
    for scene in shipped() {
        let mut app = app();
        let source = SceneSource::Shipped(scene.name);
        let file = source.load().unwrap();
        scene::spawn(app.world_mut(), source, file).unwrap();
        let first = app.world_mut().query_filtered::<Entity, With<Disc>>().iter(app.world()).next();
        app.world_mut().resource_mut::<Selection>().0.extend(first);
        app.update();
        let world = app.world_mut();
        world.clear_trackers();
        show_all(world);
        assert!(!world.is_resource_changed::<CollisionSettings>(), "{}", scene.name);
        assert!(!world.is_resource_changed::<MotionSettings>(), "{}", scene.name);
        assert!(!world.is_resource_changed::<Playback>(), "{}", scene.name);
        assert!(!world.is_resource_changed::<ViewSettings>(), "{}", scene.name);
    }
}

#[test]
fn a_disc_that_cannot_be_simulated_is_shown_all_the_same() {
    let mut app = app();
    let bad = app.world_mut().spawn((Disc, Radius(f32::NAN))).id();
    app.world_mut().resource_mut::<Selection>().0.push(bad);
    app.update();
    show_all(app.world_mut());
    assert!(app.world().get_entity(bad).is_ok());
}

#[test]
fn looking_at_what_is_not_a_number_changes_nothing() {
    use crate::{
        components::{Friction, GravityScale, Mass, MoveTo, Position, Restitution, Rotation, Terrain, Velocity},
        editor::ChosenTerrain,
    };

    fn changed<C: Component>(world: &World, entity: Entity) -> u32 {
        world.entity(entity).get_change_ticks::<C>().unwrap().changed.get()
    }

    let mut app = app();
    app.init_resource::<discs::DiscTable>();
    let world = app.world_mut();
    let (values, point) = (f32::NAN, Vec2::NAN);
    let own = (Restitution(values), Friction(values), GravityScale(values));
    let disc = world.spawn((Disc, Position(point), Velocity(point), Radius(values), Mass(values), own)).id();
    let block = Terrain::Block { half_size: Vec2::ONE };
    let piece = world.spawn((block, Position(point), Rotation(values), Restitution(values), MoveTo(point))).id();
    world.resource_mut::<Selection>().0.push(disc);
    world.resource_mut::<ChosenTerrain>().0 = Some(piece);
    world.resource_mut::<CollisionSettings>().restitution = values;
    world.resource_mut::<MotionSettings>().gravity = point;
    world.resource_mut::<discs::DiscTable>().open = true;
    app.update();
    let world = app.world_mut();
    let of_disc: [fn(&World, Entity) -> u32; 7] = [
        changed::<Position>,
        changed::<Velocity>,
        changed::<Radius>,
        changed::<Mass>,
        changed::<Restitution>,
        changed::<Friction>,
        changed::<GravityScale>,
    ];
    let of_piece: [fn(&World, Entity) -> u32; 5] =
        [changed::<Terrain>, changed::<Position>, changed::<Rotation>, changed::<Restitution>, changed::<MoveTo>];
    let ticks = |world: &World| {
        let settings = [
            world.get_resource_change_ticks::<CollisionSettings>().unwrap().changed.get(),
            world.get_resource_change_ticks::<MotionSettings>().unwrap().changed.get(),
        ];
        (of_disc.map(|changed| changed(world, disc)), of_piece.map(|changed| changed(world, piece)), settings)
    };
    let before = ticks(world);
    // Writes from now on have another tick.
    world.increment_change_tick();
    show_all(world);
    let ctx = egui::Context::default();
    for _ in 0..3 {
        ctx.run_ui(egui::RawInput::default(), |ui| discs::show(ui.ctx(), world)).textures_delta.clear();
    }
    assert_eq!(ticks(world), before);
}

#[test]
fn scene_files_know_the_sections_by_their_names() {
    let names: Vec<_> = all_sections().iter().map(|section| section.name).collect();
    assert_eq!(names, scene::PANEL_SECTIONS);
}

#[test]
fn the_inspector_is_open_while_something_is_selected() {
    let mut app = app();
    let inspector = SECTIONS.into_iter().find(|section| section.name == "inspector").unwrap();
    assert!(!inspector.open && !(inspector.comes_up)(app.world()));
    let disc = app.world_mut().spawn(Disc).id();
    app.world_mut().resource_mut::<Selection>().0.push(disc);
    assert!((inspector.comes_up)(app.world()));
}

#[test]
fn a_section_whose_plugin_is_absent_is_left_out() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default()))
        .init_resource::<Theme>()
        .init_resource::<PanelState>()
        .init_resource::<energy::EnergyGraph>()
        .init_resource::<readouts::Readouts>()
        .init_resource::<solvers::Comparison>()
        .init_resource::<Sections>();
    app.world_mut().spawn(Disc);
    app.update();
    let left: Vec<_> = SECTIONS.iter().filter(|section| (section.applies)(app.world())).map(|it| it.name).collect();
    assert_eq!(left, ["playback", "physics", "forces", "readouts", "solvers", "energy"]);
    show_all(app.world_mut());
}

#[test]
fn a_section_of_a_game_is_shown_and_one_of_the_same_name_replaced() {
    fn show(_: &mut Ui, world: &mut World) {
        world.resource_mut::<Shown>().0 += 1;
    }
    #[derive(Resource, Default)]
    struct Shown(u32);
    let mut app = app();
    let section = Section::new("wind", "Wind", show).open().after("forces");
    app.init_resource::<Shown>().add_panel_section(section).add_panel_section(section);
    app.add_panel_section(Section::new("rain", "Rain", show).before("wind"));
    app.add_panel_section(Section::new("snow", "Snow", show).after("hail"));
    let names: Vec<_> = app.world().resource::<Sections>().0.iter().map(|section| section.name).collect();
    assert_eq!(names.len(), all_sections().len() + 3);
    let forces = names.iter().position(|name| *name == "forces").unwrap();
    assert_eq!(names[forces..forces + 4], ["forces", "rain", "wind", "inspector"]);
    assert_eq!(names.last(), Some(&"snow"), "what it wants to stand below is not there");
    let ctx = egui::Context::default();
    ctx.run_ui(egui::RawInput::default(), |ui| sections::show(ui, app.world_mut())).textures_delta.clear();
    assert!(app.world().resource::<Shown>().0 > 0);
}

#[test]
fn a_match_shows_what_it_has_a_use_for_and_afterwards_the_panel_is_as_it_was() {
    let mut app = app();
    app.add_plugins(MatchPlugin).insert_resource(MatchSettings::AT_ONCE);
    let open = [("view", true), ("readouts", true), ("energy", true)];
    let open: BTreeMap<String, bool> = open.map(|(name, open)| (name.to_owned(), open)).into();
    app.world_mut().resource_mut::<PanelState>().open.clone_from(&open);
    app.world_mut().write_message(MatchCommand::Begin(Box::new(Beginning::of(MatchSpec::default()).unwrap())));
    app.update();
    let show = |ui: &mut Ui, app: &mut App| sections::show(ui, app.world_mut());
    let mut harness = Harness::builder().with_size([360.0, 3000.0]).build_ui_state(show, app);
    harness.run_steps(3);
    let is_open = |harness: &Harness<App>, name: &str| {
        let sections = &harness.state().world().resource::<Sections>().0;
        sections::is_open(harness.state().world(), sections.iter().find(|section| section.name == name).unwrap())
    };
    assert!(["cue", "view"].iter().all(|name| is_open(&harness, name)));
    assert!(!["scenes", "aim", "readouts", "energy", "sound"].iter().any(|name| is_open(&harness, name)));
    for name in ["Time", "Collisions", "Table", "Forces", "Draw", "Restart", "Reload", "Open…", "Pause"] {
        assert_eq!(harness.query_all_by_label(name).count(), 0, "{name} is offered");
    }
    harness.get_by_role_and_label(Role::Button, "Readouts").click();
    harness.run_steps(2);
    assert!(is_open(&harness, "readouts"));
    harness.get_by_role_and_label(Role::Button, "Cue").click();
    harness.run_steps(2);
    assert!(!is_open(&harness, "cue"));
    harness.state_mut().world_mut().write_message(MatchCommand::Leave);
    harness.state_mut().update();
    harness.run_steps(2);
    assert!(is_open(&harness, "cue") && is_open(&harness, "playback"));
    assert_eq!(harness.state().world().resource::<PanelState>().open, open);
    assert_eq!(*harness.state().world().resource::<OpenInMatch>(), OpenInMatch::default());
    assert!(harness.query_by_label("Restart").is_some());
}

#[test]
fn the_panel_takes_room_only_from_the_views_in_its_window() {
    use bevy::{
        camera::{ImageRenderTarget, RenderTarget},
        window::{PrimaryWindow, WindowRef},
    };

    let mut app = app();
    app.init_resource::<discs::DiscTable>().init_resource::<scene::Surroundings>();
    let world = app.world_mut();
    let primary = world.spawn((Window::default(), PrimaryWindow)).id();
    let other = world.spawn(Window::default()).id();
    let window = |it| RenderTarget::Window(it);
    let targets = [
        window(WindowRef::Primary),
        window(WindowRef::Entity(primary)),
        window(WindowRef::Entity(other)),
        RenderTarget::Image(ImageRenderTarget::from(Handle::<Image>::default())),
    ];
    let views = targets.map(|target| world.spawn((View2d::default(), target)).id());
    let untold = world.spawn(View2d::default()).id();
    world.entity_mut(views[0]).insert(PrimaryEguiContext);
    let ctx = world.get_mut::<EguiContext>(views[0]).unwrap().get_mut().clone();
    let window = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    for frame in 0..20 {
        let time = Some(f64::from(frame));
        ctx.begin_pass(egui::RawInput { screen_rect: Some(window), time, ..default() });
        show_panel(world).unwrap();
        ctx.end_pass().textures_delta.clear();
    }
    world.run_system_cached(frame_views).unwrap();
    let widths =
        [views[0], views[1], untold, views[2], views[3]].map(|view| world.get::<View2d>(view).unwrap().area.width());
    assert!(widths[..3].iter().all(|width| (width - 920.0).abs() < 2.0), "beside the panel: {widths:?}");
    assert_eq!(widths[3..], [1280.0; 2], "in another window and in an image nothing is covered");
}

#[test]
fn without_a_scene_there_is_still_a_panel() {
    show_all(app().world_mut());
}

/// The strings in a Rust source file, as compiled. The tests at its end are left out.
fn strings(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut letters = source.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '/' if letters.peek() == Some(&'/') => while letters.next().is_some_and(|letter| letter != '\n') {},
            '\'' if letters.peek() == Some(&'"') => _ = letters.next(),
            '"' => found.push(rest_of_literal(&mut letters)),
            _ => {}
        }
    }
    found
}

#[test]
fn no_words_of_the_panel_have_runs_of_spaces_or_line_breaks() {
    assert_eq!(strings("a(\"x  y\", 'c', \"1 \\\n   2\\n\") // \"no\""), ["x  y", "1 2\n"]);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files_of = |name| std::fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
    let panel = files_of("panel").chain(files_of("shell")).chain(files_of("shell/files")).filter(|path| path.is_file());
    let mut count = 0;
    for path in panel.chain([folder.join("input/actions/control.rs")]) {
        for text in strings(&std::fs::read_to_string(&path).unwrap()) {
            // On buttons a symbol is set apart from the word, and the values at a point of a plot are below each other.
            let (is_short, is_value) = (text.chars().count() < 12, text.contains("{:"));
            assert!(is_short || !text.contains("  "), "{path:?}: {text:?}");
            assert!(is_value || !text.contains('\n'), "{path:?}: {text:?}");
            count += 1;
        }
    }
    assert!(count > 300, "{count} strings");
}
