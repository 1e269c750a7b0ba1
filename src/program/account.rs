//! Warnings on standard error: oddities of a scene, discs that `f32` cannot resolve, and entities that a run left out.
//! They appear there even when the results go to a program.

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

/// Oddities of the running scene that do not prevent running it, each with the name of the scene.
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
        eprintln!("carom: {words}");
    }
}

/// The discs of a world that `f32` cannot resolve.
pub(super) struct Imprecise {
    pub(super) unresolved: Vec<Unresolved>,
    pub(super) too_small: Vec<TooSmall>,
}

/// Finds the discs whose movement or radius `f32` cannot resolve, and prints warnings.
pub(super) fn warn_of_precision(world: &mut World) -> Imprecise {
    let found = Imprecise { unresolved: scene::unresolved(world), too_small: scene::too_small(world) };
    let words = [precision::in_words(&found.unresolved), precision::in_words(&found.too_small)];
    for words in words.into_iter().flatten() {
        eprintln!("carom: {words}");
    }
    found
}

/// The most omissions to list individually.
const NAMED: usize = 8;

/// One line per omission: the first few, then the number of others.
pub(super) fn lines(left_out: &[LeftOut]) -> impl Iterator<Item = String> {
    let more = left_out.len().saturating_sub(NAMED);
    left_out.iter().take(NAMED).map(ToString::to_string).chain((more > 0).then(|| format!("and {more} more")))
}

/// Prints the omissions on standard error.
pub(super) fn say(left_out: &[LeftOut]) {
    for line in lines(left_out) {
        eprintln!("carom: left out: {line}");
    }
}

/// The ending of a run with these omissions.
pub(super) fn ending(left_out: &[LeftOut]) -> Ending {
    if left_out.is_empty() { Ending::Whole } else { Ending::LeftOut }
}

/// An omission, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct InvalidEntry {
    /// `disc` or `terrain`.
    kind: &'static str,
    id: u64,
    /// The component or field with the invalid value.
    field: String,
    /// Its value, and the valid range.
    reason: String,
}

impl From<&LeftOut> for InvalidEntry {
    fn from(&LeftOut { is_disc, id, ref invalid }: &LeftOut) -> Self {
        let kind = if is_disc { "disc" } else { "terrain" };
        Self { kind, id, field: invalid.field.to_string(), reason: invalid.to_string() }
    }
}

/// A disc whose movement `f32` cannot resolve, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct UnresolvedEntry {
    disc: u64,
    /// Metres.
    position: [f32; 2],
    /// Metres per second.
    velocity: [f32; 2],
    lost_speed: f32,
    /// The spacing of `f32` there, metres.
    spacing: f32,
}

/// A disc whose radius `f32` cannot resolve at its position, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TooSmallEntry {
    disc: u64,
    /// Metres.
    radius: f32,
    /// The coordinate at which it vanishes, metres.
    coordinate: f32,
    /// The spacing of `f32` there, metres.
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
