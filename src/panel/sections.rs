//! The sections of the panel from top to bottom: which of them are shown, and which are unfolded.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use tr::tr;

use super::{
    InMatch, PanelState, Place, Section, aim, by_fingers, capture, cue, draw, energy, forces, in_match, inspector,
    joints, keys, lock, notices, physics, playback, readouts, scenes, solvers, sound, state, table, theme, view,
    widgets,
};
use crate::{
    editor::Tool,
    input::{
        PreviewSettings, Selection,
        actions::{Control, KeyMap, Rebinding},
    },
    notice::mark,
    scene::{CurrentScene, SceneCommand, SceneFile, SceneRegistry},
    view::{ViewSettings, keep_focus_in_sight},
};

/// All sections from top to bottom.
pub const SECTIONS: [Section; 17] = [
    Section::new("scenes", mark("Scene"), scenes::show).open().applies(has::<Messages<SceneCommand>>),
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
    Section::new("capture", mark("Screenshots and recordings"), capture::show).applies(capture::applies),
    Section::new("sound", mark("Sound"), sound::show).applies(sound::applies).in_match(InMatch::Same),
    Section::new("keys", mark("Keys"), keys::show).applies(has::<Rebinding>),
];

fn has<R: Resource>(world: &World) -> bool {
    world.contains_resource::<R>()
}

/// The sections that were folded or unfolded in the running match, by name.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenInMatch(BTreeMap<&'static str, bool>);

/// The sections of the panel from top to bottom: [`SECTIONS`] and those that were added.
#[derive(Resource)]
pub(super) struct Sections(pub(super) Vec<Section>);

impl Sections {
    /// Adds a section at its place. It replaces one with the same name.
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

/// Adds sections to the panel, before or after adding [`PanelPlugin`](super::PanelPlugin).
pub trait PanelAppExt {
    /// Adds a section at its [`Place`]. It replaces one with the same name. Scene files can open it.
    fn add_panel_section(&mut self, section: Section) -> &mut Self;
}

impl PanelAppExt for App {
    fn add_panel_section(&mut self, section: Section) -> &mut Self {
        self.world_mut().get_resource_or_init::<SceneRegistry>().add_panel_section(section.name);
        self.world_mut().get_resource_or_init::<Sections>().add(section);
        self
    }
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // Keeps the rows clear of the scroll bar, which floats over their right end.
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
        let keys = (!by_fingers(world)).then(|| world.resource::<KeyMap>());
        let short = |control| keys.and_then(|keys| keys.short(control));
        if let (Some(help), Some(panel)) = (short(Control::Help), short(Control::Panel)) {
            ui.vertical_centered(|ui| ui.weak(tr!("{} lists all controls · {} hides this panel", help, panel)));
        }
        ui.add_space(8.0);
        keep_focus_in_sight(ui);
    });
}

/// Whether a section is unfolded.
pub(super) fn is_open(world: &World, section: &Section) -> bool {
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

/// The words on a section that the scene locks.
const LOCKED: &str = mark("Locked for this lesson");

/// Whether the scene locks this section of the panel, alone or together with all that change the scene.
#[must_use]
pub fn is_locked(world: &World, section: &str) -> bool {
    let scene = world.get_resource::<CurrentScene>();
    scene.is_some_and(|scene| scene.file.locked.iter().any(|name| name == section))
}

/// Whether the scene locks all that changes it.
pub(super) fn all_locked(world: &World) -> bool {
    is_locked(world, SceneFile::ALL_LOCKED)
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
            let by_scene =
                section.locks_as_a_whole && (is_locked(world, section.name) || section.edits && all_locked(world));
            let locked = lock(world).filter(|_| section.edits).or(by_scene.then_some(LOCKED));
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
