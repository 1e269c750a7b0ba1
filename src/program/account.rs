//! What must not pass in silence: what is odd about a scene, discs whose movement or radius the numbers cannot carry,
//! and what a run left out. All on standard error, so that it is read also where the results go to a program.

use bevy::prelude::*;
use serde::Serialize;

use super::Ending;
use crate::{
    collision::{
        measure::LeftOut,
        precision::{self, TooSmall, Unresolved},
    },
    components::idle_components,
    scene::{self, CurrentScene},
};

/// What is odd about the running scene although it can be run, each with the name of the scene.
pub(super) fn oddities(world: &World) -> impl Iterator<Item = String> {
    let scene = world.get_resource::<CurrentScene>().into_iter();
    let idle = idle_components(world);
    scene.flat_map(move |CurrentScene { source, warnings, .. }| {
        let words = warnings.iter().cloned().chain(idle.clone());
        words.map(move |words| format!("{source}: {words}"))
    })
}

/// Says what is odd on standard error.
pub(super) fn warn(warnings: &[String]) {
    for words in warnings {
        eprintln!("carom: {words}");
    }
}

/// What the numbers cannot carry of a world.
pub(super) struct Imprecise {
    pub(super) unresolved: Vec<Unresolved>,
    pub(super) too_small: Vec<TooSmall>,
}

/// Finds the discs whose movement or radius the numbers cannot carry, and says so.
pub(super) fn warn_of_precision(world: &mut World) -> Imprecise {
    let found = Imprecise { unresolved: scene::unresolved(world), too_small: scene::too_small(world) };
    let words = [precision::in_words(&found.unresolved), precision::in_words(&found.too_small)];
    for words in words.into_iter().flatten() {
        eprintln!("carom: {words}");
    }
    found
}

/// How many of the things left out are named one by one for people.
const NAMED: usize = 8;

/// What was left out, a line each: the first few, and how many more there are.
pub(super) fn lines(left_out: &[LeftOut]) -> impl Iterator<Item = String> {
    let more = left_out.len().saturating_sub(NAMED);
    left_out.iter().take(NAMED).map(ToString::to_string).chain((more > 0).then(|| format!("and {more} more")))
}

/// Says what was left out on standard error.
pub(super) fn say(left_out: &[LeftOut]) {
    for line in lines(left_out) {
        eprintln!("carom: left out: {line}");
    }
}

/// How a run ended that left this out.
pub(super) fn ending(left_out: &[LeftOut]) -> Ending {
    if left_out.is_empty() { Ending::Whole } else { Ending::LeftOut }
}

/// Something left out, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct InvalidEntry {
    /// `disc` or `terrain`.
    kind: &'static str,
    id: u64,
    /// The component, or the field of one, whose value cannot be simulated.
    field: String,
    /// Its value, and what it may be.
    reason: String,
}

impl From<&LeftOut> for InvalidEntry {
    fn from(&LeftOut { is_disc, id, ref invalid }: &LeftOut) -> Self {
        let kind = if is_disc { "disc" } else { "terrain" };
        Self { kind, id, field: invalid.field.to_string(), reason: invalid.to_string() }
    }
}

/// A disc whose movement the numbers cannot carry, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct UnresolvedEntry {
    disc: u64,
    /// Metres.
    position: [f32; 2],
    /// Metres per second.
    velocity: [f32; 2],
    lost_speed: f32,
    /// How far apart the numbers lie there, metres.
    spacing: f32,
}

/// A disc whose radius the numbers do not tell from nothing, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TooSmallEntry {
    disc: u64,
    /// Metres.
    radius: f32,
    /// The coordinate beside which it is nothing, metres.
    coordinate: f32,
    /// How far apart the numbers lie there, metres.
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
