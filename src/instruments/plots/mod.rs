//! Plots of anything: up to six curves of the [`Recorder`] in a window over the table, with cursors, as CSV and SVG.

use bevy::prelude::*;
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext, egui};

use crate::{
    components::StableId,
    editor::ChosenTerrain,
    games::plugin::CurrentMatch,
    input::Selection,
    laboratory::{Channel, Graph, Memory, Recorder, Recording, RecordingId, Subject, Variable},
    shell::{Overlays, ShellSystems},
    view::Covered,
};

mod cursors;
mod draw;
mod export;
mod names;
mod window;

pub(super) use window::show_button;

/// The most curves.
pub const MOST_CURVES: usize = 6;

/// In windows narrower than this, points, the plots are in the panel.
const NARROW: f32 = 520.0;

/// What the curves are drawn against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// The time.
    #[default]
    Time,
    /// A variable of the subject of each curve.
    Own(Variable),
    /// A variable of the whole table.
    Table(Variable),
}

/// A curve of the plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlottedCurve {
    /// What is drawn.
    pub channel: Channel,
    /// Its samples in the [`Recorder`].
    pub recording: RecordingId,
}

/// The plots: whether they are open, their curves, and their cursors.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Plots {
    /// Whether they are shown. Default: no. The curves are recorded in any case.
    pub open: bool,
    /// What all curves are drawn against. Default: the time.
    pub against: Against,
    /// The times of the two cursors, seconds; `None` while they are hidden, as by default.
    pub cursors: Option<[f64; 2]>,
    curves: Vec<PlottedCurve>,
    /// The cursor that is near the pointer, and the one that it drags.
    near: Option<usize>,
    dragged: Option<usize>,
}

impl Plots {
    /// The curves, in order.
    #[must_use]
    pub fn curves(&self) -> &[PlottedCurve] {
        &self.curves
    }

    /// Adds a curve, unless there are [`MOST_CURVES`], and begins to record it. Returns whether it was added.
    pub fn add(&mut self, recorder: &mut Recorder, channel: Channel) -> bool {
        if self.curves.len() >= MOST_CURVES {
            return false;
        }
        let recording = recorder.record(self.graph(channel), Memory::default());
        self.curves.push(PlottedCurve { channel, recording });
        true
    }

    /// Removes a curve.
    ///
    /// # Panics
    /// If no curve is at this place.
    pub fn remove(&mut self, recorder: &mut Recorder, place: usize) {
        recorder.remove(self.curves.remove(place).recording);
    }

    /// Draws another channel in place of a curve. It is recorded from then on.
    ///
    /// # Panics
    /// If no curve is at this place.
    pub fn change(&mut self, recorder: &mut Recorder, place: usize, channel: Channel) {
        self.curves[place].channel = channel;
        recorder.change(self.curves[place].recording, self.graph(channel));
    }

    /// Draws all curves against something else. They are recorded from then on.
    pub fn draw_against(&mut self, recorder: &mut Recorder, against: Against) {
        self.against = against;
        for curve in &self.curves {
            recorder.change(curve.recording, self.graph(curve.channel));
        }
    }

    fn graph(&self, y: Channel) -> Graph {
        let x = match self.against {
            Against::Time => None,
            // A curve of a subject without this variable is drawn against the time.
            Against::Own(variable) => {
                variable.is_of(y.subject.kind()).then_some(Channel { subject: y.subject, variable })
            }
            Against::Table(variable) => Some(Channel { subject: Subject::Table, variable }),
        };
        Graph { x, y }
    }

    /// The curves with their samples.
    fn recordings<'a>(&'a self, recorder: &'a Recorder) -> impl Iterator<Item = (Channel, &'a Recording)> {
        self.curves.iter().filter_map(|curve| Some((curve.channel, recorder.get(curve.recording)?)))
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Plots>()
        .add_systems(PostUpdate, follow_selection)
        .add_systems(EguiPrimaryContextPass, show.before(ShellSystems));
}

/// Follows the selected disc, the first of several, and the selected piece of terrain.
fn follow_selection(
    mut recorder: ResMut<Recorder>,
    (selection, terrain): (Option<Res<Selection>>, Option<Res<ChosenTerrain>>),
    ids: Query<&StableId>,
) {
    let id = |entity: Option<Entity>| entity.and_then(|entity| ids.get(entity).ok()).map(|id| id.0);
    let disc = id(selection.and_then(|selection| selection.0.first().copied()));
    let terrain = id(terrain.and_then(|terrain| terrain.0));
    recorder.follow(disc, terrain);
}

/// Whether the plots are in the panel, because the window is too narrow for a window over the table.
fn is_narrow(ctx: &egui::Context) -> bool {
    ctx.viewport_rect().width() < NARROW
}

/// Shows the window, if it is open. A match, the help and the start page hide it.
fn show(world: &mut World) -> Result {
    let is_hidden = world.contains_resource::<CurrentMatch>()
        || world.get_resource::<Covered>().is_some_and(|covered| covered.0)
        || world.get_resource::<Overlays>().is_some_and(|overlays| overlays.help);
    if !world.resource::<Plots>().open || is_hidden {
        return Ok(());
    }
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    if !is_narrow(&ctx) {
        window::show_window(&ctx, world);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
