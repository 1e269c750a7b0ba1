//! The panel: everything that can be tuned and read, at the right side of the window.
//!
//! [`SECTIONS`] is its table of contents; each section is a file with one function that shows it. A section reads and
//! writes the settings and components of the running world: what it changes acts on the next tick and restarts nothing. A section whose
//! settings are not there, since a plugin is not, is left out. A game adds its own:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::{bevy_egui::egui::Ui, panel::{PanelApp, PanelPlugin, Section}};
//! #[derive(Resource, Default)]
//! struct Wind(f32);
//!
//! fn show_wind(ui: &mut Ui, world: &mut World) {
//!     ui.label(format!("{} m/s", world.resource::<Wind>().0));
//! }
//!
//! # let mut app = App::new();
//! # app.init_resource::<Wind>();
//! app.add_panel_section(Section::new("wind", "Wind", show_wind).open().after("forces"));
//! ```

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_egui::{
    EguiContext, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext,
    egui::{self, Ui},
};
use tr::tr;

use crate::view::language::mark;
use crate::{
    collision::{Tick, tick_schedule},
    games::plugin::CurrentMatch,
    input::{
        EditLock, Overlays, PreviewSettings, Selection, Tool,
        actions::{Control, KeyMap, Rebinding},
        edit::{self, Grip},
    },
    scene::{CurrentScene, Notices, SceneCommand, SceneRegistry},
    view::{Theme, View2d, ViewSettings, keep_focus_in_sight},
};

pub mod aim;
pub mod capture;
pub mod cue;
pub mod discs;
pub mod draw;
pub mod energy;
mod files;
pub mod forces;
pub mod help;
pub mod inspector;
pub mod joints;
pub mod keys;
mod layers;
mod layout;
pub mod lesson;
mod links;
mod notices;
mod optional;
mod periodic;
pub mod physics;
pub mod playback;
pub mod presets;
pub mod readouts;
pub mod scenes;
pub mod solvers;
pub mod sound;
mod state;
pub mod table;
mod text_size;
pub mod theme;
pub mod view;
mod way_back;
pub mod widgets;

pub use files::RecentFiles;
pub use links::LinkAddress;
pub use state::PanelState;

/// One section of the panel, made by [`Section::new`].
#[derive(Clone, Copy)]
pub struct Section {
    /// Its name in scene files ([`PANEL_SECTIONS`](crate::scene::PANEL_SECTIONS)) and in what is remembered.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Whether it is open where neither the person nor the scene says. Default: no.
    pub open: bool,
    /// Whether the present scene has a use for it. Default: yes.
    pub applies: fn(&World) -> bool,
    /// Whether it opens of itself now, where it is closed else. Default: never.
    pub comes_up: fn(&World) -> bool,
    /// Whether it edits discs, terrain or physics: while there is an [`EditLock`] it cannot be used. Default: no.
    pub edits: bool,
    /// What becomes of it while a match runs. Default: it is folded.
    pub in_match: InMatch,
    /// Where it stands if an app adds it. Default: below the others.
    pub place: Place,
    /// Shows it.
    pub show: fn(&mut Ui, &mut World),
}

/// What becomes of a section while a match runs. What a person folds and unfolds then holds for that match: afterwards the panel is as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InMatch {
    /// It is folded at first.
    #[default]
    Folded,
    /// It is as open as it was.
    Same,
    /// It is left out, since a match has no use for it.
    LeftOut,
}

/// Where a section stands that an app adds to the panel. Where there is none of the name that is given, it stands below the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Below the others.
    #[default]
    Last,
    /// Above the section of this name.
    Before(&'static str),
    /// Below the section of this name.
    After(&'static str),
}

impl Section {
    /// A section with its name, its title and what shows it; the rest is as the fields say by default.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, show: fn(&mut Ui, &mut World)) -> Self {
        Self {
            name,
            title,
            open: false,
            applies: |_| true,
            comes_up: |_| false,
            edits: false,
            in_match: InMatch::Folded,
            place: Place::Last,
            show,
        }
    }

    /// The same, open at first.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// The same, left out where the present scene has no use for it.
    #[must_use]
    pub const fn applies(self, applies: fn(&World) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// The same, open while this is so.
    #[must_use]
    pub const fn comes_up(self, comes_up: fn(&World) -> bool) -> Self {
        Self { comes_up, ..self }
    }

    /// The same, which edits discs, terrain or physics, so that a match has no use for it.
    #[must_use]
    pub const fn edits(self) -> Self {
        Self { edits: true, in_match: InMatch::LeftOut, ..self }
    }

    /// The same, with what becomes of it while a match runs.
    #[must_use]
    pub const fn in_match(self, in_match: InMatch) -> Self {
        Self { in_match, ..self }
    }

    /// The same, above the section of this name.
    #[must_use]
    pub const fn before(self, name: &'static str) -> Self {
        Self { place: Place::Before(name), ..self }
    }

    /// The same, below the section of this name.
    #[must_use]
    pub const fn after(self, name: &'static str) -> Self {
        Self { place: Place::After(name), ..self }
    }
}

/// All sections from the top to the bottom.
pub const SECTIONS: [Section; 18] = [
    Section::new("scenes", mark("Scene"), scenes::show).open().applies(has::<Messages<SceneCommand>>),
    Section::new("lesson", mark("Lesson"), lesson::show).open().applies(lesson::applies).edits(),
    Section::new("cue", mark("Cue"), cue::show).open().applies(cue::applies).in_match(InMatch::Same),
    Section::new("playback", mark("Time"), playback::show).open().in_match(InMatch::LeftOut),
    Section::new("physics", mark("Collisions"), physics::show).open().edits(),
    Section::new("table", mark("Table"), table::show).applies(table::applies).edits(),
    Section::new("aim", mark("Aiming"), aim::show).applies(has::<PreviewSettings>),
    Section::new("forces", mark("Forces"), forces::show).edits(),
    Section::new("inspector", mark("Selected disc"), inspector::show)
        .applies(has::<Selection>)
        .comes_up(inspector::has_selection)
        .edits(),
    Section::new("joints", mark("Joints"), joints::show)
        .applies(joints::applies)
        .comes_up(joints::of_selection)
        .edits(),
    Section::new("draw", mark("Draw"), draw::show).applies(has::<Tool>).comes_up(draw::is_in_use).edits(),
    Section::new("readouts", mark("Readouts"), readouts::show),
    Section::new("solvers", mark("Stepped and continuous"), solvers::show).edits(),
    Section::new("energy", mark("Kinetic energy"), energy::show),
    Section::new("view", mark("View"), view::show).applies(has::<ViewSettings>).in_match(InMatch::Same),
    Section::new("capture", mark("Picture and recording"), capture::show).applies(capture::applies),
    Section::new("sound", mark("Sound"), sound::show).applies(sound::applies).in_match(InMatch::Same),
    Section::new("keys", mark("Keys"), keys::show).applies(has::<Rebinding>),
];

fn has<R: Resource>(world: &World) -> bool {
    world.contains_resource::<R>()
}

/// Whether a match runs.
fn in_match(world: &World) -> bool {
    has::<CurrentMatch>(world)
}

/// What was folded and unfolded in the match that runs, by the names of the sections.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
struct OpenInMatch(BTreeMap<&'static str, bool>);

/// The sections of the panel from the top to the bottom: [`SECTIONS`], and those that were added.
#[derive(Resource)]
struct Sections(Vec<Section>);

impl Sections {
    /// Adds a section where it wants to stand; one of the same name takes the other's place.
    fn add(&mut self, section: Section) {
        let of = |name| self.0.iter().position(|other| other.name == name);
        if let Some(same) = of(section.name) {
            self.0[same] = section;
            return;
        }
        let place = match section.place {
            Place::Last => None,
            Place::Before(name) => of(name),
            Place::After(name) => of(name).map(|above| above + 1),
        };
        self.0.insert(place.unwrap_or(self.0.len()), section);
    }
}

impl Default for Sections {
    fn default() -> Self {
        Self(SECTIONS.to_vec())
    }
}

/// Adds sections to the panel, before or after [`PanelPlugin`] is there.
pub trait PanelApp {
    /// Adds a section, where its [`Place`] says. One of the same name takes the other's place. Scene files can open it.
    fn add_panel_section(&mut self, section: Section) -> &mut Self;
}

impl PanelApp for App {
    fn add_panel_section(&mut self, section: Section) -> &mut Self {
        self.world_mut().get_resource_or_init::<SceneRegistry>().add_panel_section(section.name);
        self.world_mut().get_resource_or_init::<Sections>().add(section);
        self
    }
}

/// The panel and the help overlay. It needs the physics; of scenes, view, input and sound it shows what is there.
pub struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.init_resource::<PanelState>()
            .init_resource::<Sections>()
            .init_resource::<OpenInMatch>()
            .init_resource::<layout::Fold>()
            .init_resource::<Overlays>()
            .init_resource::<KeyMap>()
            .init_resource::<Theme>()
            .init_resource::<Notices>()
            .init_resource::<energy::EnergyHistory>()
            .init_resource::<readouts::Readouts>()
            .init_resource::<solvers::Comparison>()
            .init_resource::<presets::Presets>()
            .init_resource::<discs::DiscTable>()
            .init_resource::<scenes::Catalogue>()
            .add_plugins(files::plugin)
            .add_observer(energy::forget)
            .add_observer(readouts::forget)
            .add_observer(solvers::forget)
            .add_systems(schedule, energy::sample.after(Tick))
            .add_systems(
                EguiPrimaryContextPass,
                (theme::dress, show_panel, way_back::show, help::show, files::show).chain(),
            );
    }
}

fn show_panel(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    let area = edit::watch(world, grip(&ctx), |world| {
        text_size::follow(&ctx, world);
        let area = layout::lay_out(&ctx, world);
        if lock(world).is_none() {
            discs::show(&ctx, world);
        }
        theme::show_focus(&ctx, world.resource::<Theme>());
        area
    });
    for mut view in world.query::<&mut View2d>().iter_mut(world) {
        view.leave_free(area);
    }
    Ok(())
}

/// By what the person holds the panel in this frame, if at all.
fn grip(ctx: &egui::Context) -> Option<Grip> {
    let focused = ctx.memory(egui::Memory::focused).map(|id| Grip::Widget(id.value()));
    ctx.input(|input| {
        let pointer = &input.pointer;
        if pointer.any_down() || pointer.any_released() {
            return Some(Grip::Pointer { pressed: pointer.any_pressed() });
        }
        let is_move = |event: &egui::Event| matches!(event, egui::Event::PointerMoved(_) | egui::Event::MouseMoved(_));
        focused.or((!input.events.iter().all(is_move)).then_some(Grip::Widget(0)))
    })
}

fn show_sections(ui: &mut Ui, world: &mut World) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // The scroll bar floats over the right end of the rows; keep them clear of it.
        ui.set_max_width(ui.available_width() - 6.0);
        let in_match = in_match(world);
        if !in_match && !world.resource::<OpenInMatch>().0.is_empty() {
            world.resource_mut::<OpenInMatch>().0.clear();
        }
        for section in world.resource::<Sections>().0.clone() {
            if (section.applies)(world) && !(in_match && section.in_match == InMatch::LeftOut) {
                show_section(ui, world, &section);
            }
        }
        notices::show(ui, world);
        ui.add_space(12.0);
        let keys = world.resource::<KeyMap>();
        if let (Some(help), Some(panel)) = (keys.short(Control::Help), keys.short(Control::Panel)) {
            ui.vertical_centered(|ui| ui.weak(tr!("{} lists all controls · {} hides this panel", help, panel)));
        }
        ui.add_space(8.0);
        keep_focus_in_sight(ui);
    });
}

/// Why nothing can be edited now, if so.
fn lock(world: &World) -> Option<&'static str> {
    world.get_resource::<EditLock>().and_then(|lock| lock.0)
}

/// Whether a section is unfolded.
fn is_open(world: &World, section: &Section) -> bool {
    if in_match(world) {
        if let Some(&open) = world.resource::<OpenInMatch>().0.get(section.name) {
            return open;
        }
        if section.in_match != InMatch::Same {
            return false;
        }
    }
    let asked = || {
        let scene = world.get_resource::<CurrentScene>();
        scene.is_some_and(|scene| scene.file.panel.iter().any(|name| name == section.name))
    };
    let by_person = world.resource::<PanelState>().open.get(section.name).copied();
    by_person.unwrap_or_else(|| section.open || asked() || (section.comes_up)(world))
}

fn show_section(ui: &mut Ui, world: &mut World, section: &Section) {
    let in_match = in_match(world);
    let open = is_open(world, section);
    let title = section.title;
    let header = egui::CollapsingHeader::new(egui::RichText::new(tr!(title)).strong().size(14.5))
        .id_salt(section.name)
        .open(Some(open))
        .show_unindented(ui, |ui| {
            ui.add_space(2.0);
            let locked = lock(world).filter(|_| section.edits);
            if let Some(why) = locked {
                ui.weak(tr!(why));
            }
            widgets::usable(ui, locked.is_none(), |ui| (section.show)(ui, world));
            ui.add_space(8.0);
        })
        .header_response;
    if header.clicked() && in_match {
        world.resource_mut::<OpenInMatch>().0.insert(section.name, !open);
    } else if header.clicked() {
        state::change(world, |state| {
            state.open.insert(section.name.to_owned(), !open);
        });
    }
    theme::rule(ui);
}

#[cfg(test)]
mod controls;

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::{
        PhysicsPlugins,
        collision::CollisionSettings,
        disc::{Disc, Radius},
        games::{
            MatchSpec,
            plugin::{Beginning, MatchCommand, MatchPlugin, MatchSettings},
        },
        motion::MotionSettings,
        scene::{self, ScenePlugin, SceneSource, shipped},
        timeline::Playback,
    };

    /// A world with everything that the sections read, and no window.
    pub(super) fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin))
            .init_resource::<ViewSettings>()
            .init_resource::<Theme>()
            .init_resource::<Selection>()
            .init_resource::<PreviewSettings>()
            .init_resource::<crate::input::Aim>()
            .init_resource::<crate::input::CueSettings>()
            .init_resource::<crate::view::Bookmarks>()
            .init_resource::<crate::debug::PhysicsDebug>()
            .add_message::<crate::view::CaptureRequest>()
            .init_resource::<crate::view::CaptureSettings>()
            .init_resource::<crate::view::CaptureProgress>()
            .init_resource::<crate::sound::Sound>()
            .init_resource::<crate::sound::SoundSettings>()
            .init_resource::<crate::view::lessons::galperin::Tally>()
            .init_resource::<crate::view::lessons::precise_check::Moment>()
            .init_resource::<Overlays>()
            .init_resource::<KeyMap>()
            .init_resource::<Rebinding>()
            .init_resource::<PanelState>()
            .init_resource::<Sections>()
            .init_resource::<OpenInMatch>()
            .init_resource::<layout::Fold>()
            .init_resource::<energy::EnergyHistory>()
            .init_resource::<readouts::Readouts>()
            .init_resource::<solvers::Comparison>()
            .init_resource::<presets::Presets>()
            .init_resource::<scenes::Catalogue>()
            .init_resource::<files::Files>()
            .init_resource::<RecentFiles>()
            .init_resource::<Tool>()
            .init_resource::<crate::input::ChosenTerrain>()
            .init_resource::<crate::input::DrawSettings>()
            .init_resource::<crate::input::EditHistory>()
            .init_resource::<crate::view::Measures>();
        app
    }

    fn show_all(world: &mut World) {
        let ctx = egui::Context::default();
        for _ in 0..2 {
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                for section in SECTIONS {
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
    fn scene_files_know_the_sections_by_their_names() {
        assert_eq!(SECTIONS.map(|section| section.name), scene::PANEL_SECTIONS);
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
            .init_resource::<energy::EnergyHistory>()
            .init_resource::<readouts::Readouts>()
            .init_resource::<solvers::Comparison>();
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
        assert_eq!(names.len(), SECTIONS.len() + 3);
        let forces = names.iter().position(|name| *name == "forces").unwrap();
        assert_eq!(names[forces..forces + 4], ["forces", "rain", "wind", "inspector"]);
        assert_eq!(names.last(), Some(&"snow"), "what it wants to stand below is not there");
        let ctx = egui::Context::default();
        ctx.run_ui(egui::RawInput::default(), |ui| show_sections(ui, app.world_mut())).textures_delta.clear();
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
        let show = |ui: &mut Ui, app: &mut App| show_sections(ui, app.world_mut());
        let mut harness = Harness::builder().with_size([360.0, 3000.0]).build_ui_state(show, app);
        harness.run_steps(3);
        let is_open = |harness: &Harness<App>, name: &str| {
            let sections = &harness.state().world().resource::<Sections>().0;
            super::is_open(harness.state().world(), sections.iter().find(|section| section.name == name).unwrap())
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
    fn without_a_scene_there_is_still_a_panel() {
        show_all(app().world_mut());
    }

    /// The strings in a source file of Rust, as they are when it is compiled. The tests at its foot are left out.
    fn strings(source: &str) -> Vec<String> {
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        let mut found = Vec::new();
        let mut letters = source.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '/' if letters.peek() == Some(&'/') => while letters.next().is_some_and(|letter| letter != '\n') {},
                '\'' if letters.peek() == Some(&'"') => _ = letters.next(),
                '"' => {
                    let mut text = String::new();
                    while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                        match letter {
                            '\\' if letters.peek() == Some(&'\n') => {
                                while letters.next_if(|c| c.is_whitespace()).is_some() {}
                            }
                            '\\' => text.extend(letters.next().map(|letter| if letter == 'n' { '\n' } else { letter })),
                            letter => text.push(letter),
                        }
                    }
                    found.push(text);
                }
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
        let panel = files_of("panel").chain(files_of("panel/files")).filter(|path| path.is_file());
        let mut count = 0;
        for path in panel.chain([folder.join("input/actions/control.rs")]) {
            for text in strings(&std::fs::read_to_string(&path).unwrap()) {
                // On buttons a symbol stands apart from the word; the values at a point of a plot stand below each other.
                let (is_short, is_value) = (text.chars().count() < 12, text.contains("{:"));
                assert!(is_short || !text.contains("  "), "{path:?}: {text:?}");
                assert!(is_value || !text.contains('\n'), "{path:?}: {text:?}");
                count += 1;
            }
        }
        assert!(count > 300, "{count} strings");
    }
}
