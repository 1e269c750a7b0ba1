//! Warnings on standard error, so that they are read even if the results go to another program.
//!
//! They report likely mistakes in a scene, discs whose movement or radius `f32` cannot resolve, and entities that a run
//! left out.

use bevy::prelude::*;
use serde::Serialize;

use super::{Ending, say};
use crate::{
    collision::{
        measure::LeftOut,
        precision::{self, TooSmall, Unresolved},
    },
    components::idle_components,
    scene::{self, CurrentScene},
};

/// Likely mistakes in the running scene, which runs nonetheless. Each starts with the name of the scene.
pub(super) fn oddities(world: &World) -> impl Iterator<Item = String> {
    let scene = world.get_resource::<CurrentScene>().into_iter();
    let idle = idle_components(world);
    scene.flat_map(move |CurrentScene { source, warnings, .. }| {
        let words = warnings.iter().cloned().chain(idle.clone());
        words.map(move |words| format!("{source}: {words}"))
    })
}

/// Prints warnings on standard error.
pub(super) fn warn(warnings: &[String]) {
    for words in warnings {
        say(words);
    }
}

/// Discs whose movement or radius `f32` cannot resolve.
pub(super) struct Imprecise {
    pub(super) unresolved: Vec<Unresolved>,
    pub(super) too_small: Vec<TooSmall>,
}

/// Finds the discs whose movement or radius `f32` cannot resolve, and warns of them.
pub(super) fn warn_of_precision(world: &mut World) -> Imprecise {
    let found = Imprecise { unresolved: scene::unresolved(world), too_small: scene::too_small(world) };
    let words = [precision::in_words(&found.unresolved), precision::in_words(&found.too_small)];
    for words in words.into_iter().flatten() {
        say(&words);
    }
    found
}

/// The line of a summary that says how often the solver stopped discs.
pub(super) fn stopped_line(times: u64) -> String {
    format!("  stopped         {times} times by the solver (impacts within a tick that would not end)")
}

/// The number of omitted entities that are listed one by one.
const NAMED: usize = 8;

/// Describes omitted entities, one per line: the first few, and how many more there are.
pub(super) fn lines(left_out: &[LeftOut]) -> impl Iterator<Item = String> {
    let more = left_out.len().saturating_sub(NAMED);
    left_out.iter().take(NAMED).map(ToString::to_string).chain((more > 0).then(|| format!("and {more} more")))
}

/// Prints the omitted entities on standard error.
pub(super) fn say_left_out(left_out: &[LeftOut]) {
    for line in lines(left_out) {
        say(&format!("left out: {line}"));
    }
}

/// The ending of a run that omitted these entities.
pub(super) fn ending(left_out: &[LeftOut]) -> Ending {
    if left_out.is_empty() { Ending::Whole } else { Ending::LeftOut }
}

/// An omitted entity, in the JSON output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct InvalidEntry {
    /// `disc` or `terrain`.
    kind: &'static str,
    id: u64,
    /// The component or field whose value is invalid.
    field: String,
    /// Its value, and the values that are allowed.
    reason: String,
}

impl From<&LeftOut> for InvalidEntry {
    fn from(&LeftOut { is_disc, id, ref invalid }: &LeftOut) -> Self {
        let kind = if is_disc { "disc" } else { "terrain" };
        Self { kind, id, field: invalid.field.to_string(), reason: invalid.to_string() }
    }
}

/// A disc whose movement `f32` cannot resolve, in the JSON output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct UnresolvedEntry {
    disc: u64,
    /// Metres.
    position: [f32; 2],
    /// Metres per second.
    velocity: [f32; 2],
    lost_speed: f32,
    /// Distance between adjacent `f32` values at this position, metres.
    spacing: f32,
}

/// A disc whose radius `f32` cannot resolve at its coordinates, in the JSON output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TooSmallEntry {
    disc: u64,
    /// Metres.
    radius: f32,
    /// The coordinate at which the radius is lost, metres.
    coordinate: f32,
    /// Distance between adjacent `f32` values at this coordinate, metres.
    spacing: f32,
}

impl From<&TooSmall> for TooSmallEntry {
    fn from(&TooSmall { disc, radius, coordinate, spacing }: &TooSmall) -> Self {
        Self { disc, radius, coordinate, spacing }
    }
}

impl From<&Unresolved> for UnresolvedEntry {
    fn from(unresolved: &Unresolved) -> Self {
        let &Unresolved { disc, position, velocity, loss } = unresolved;
        let (position, velocity) = (position.to_array(), velocity.to_array());
        Self { disc, position, velocity, lost_speed: loss.speed, spacing: loss.spacing }
    }
}
