//! Interpolates disc positions between the last two ticks, so that motion is smooth at any frame rate.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use core::ops::Range;

use super::overstep::Overstep;
use crate::{
    collision::{PhysicsSpace, Threads, threads},
    components::Position,
};

/// The visible position of a disc. Every [`Disc`](crate::components::Disc) with a [`Transform`] has this component, and
/// with `ViewPlugin` every disc does.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component)]
pub struct Drawn {
    /// Its centre before the last tick, metres.
    pub previous: Vec2,
    /// Its centre in the current frame, metres.
    pub shown: Vec2,
    /// Its centre at the end of the last tick, metres. If [`Position`] differs from it, something other than the tick
    /// has moved the disc. The disc then appears exactly at its `Position`.
    after: Vec2,
}

impl Default for Drawn {
    fn default() -> Self {
        Self { previous: Vec2::NAN, shown: Vec2::ZERO, after: Vec2::NAN }
    }
}

impl Drawn {
    /// The visible position of a disc, metres: as drawn, or its actual position if nothing draws it.
    #[must_use]
    pub fn or(drawn: Option<&Self>, position: &Position) -> Vec2 {
        drawn.map_or(position.0, |drawn| drawn.shown)
    }

    /// Whether something other than the last tick has placed the disc.
    #[must_use]
    pub fn is_teleported(&self, position: &Position) -> bool {
        position.0 != self.after
    }
}

type Places<'w, 's> = Query<'w, 's, (&'static Position, &'static mut Drawn)>;

/// Visits all discs, table by table, in parallel if there are many. Bypasses change detection of [`Drawn`].
fn for_each(discs: &mut Places, change: impl Fn(Vec2, &mut Drawn) + Sync) -> Result {
    for (positions, mut drawn) in discs.contiguous_iter_mut()? {
        let drawn = drawn.bypass_change_detection();
        let ranges = Threads::Auto.divide(drawn.len(), 1);
        let parts = ranges.iter().zip(threads::cut(drawn, &ranges));
        let task = |(range, drawn): (&Range<usize>, &mut [Drawn])| {
            for (position, drawn) in positions[range.clone()].iter().zip(drawn) {
                change(position.0, drawn);
            }
        };
        threads::run(parts.map(|part| || task(part)).collect());
    }
    Ok(())
}

/// Records the positions of discs at the start of a tick.
pub fn remember_before(mut discs: Places) -> Result {
    for_each(&mut discs, |position, drawn| drawn.previous = position)
}

/// Records the positions of discs at the end of a tick, before observers react to it.
pub fn remember_after(mut discs: Places) -> Result {
    for_each(&mut discs, |position, drawn| {
        // A disc spawned within the tick has no earlier position.
        drawn.previous = if drawn.previous.is_nan() { position } else { drawn.previous };
        drawn.after = position;
    })
}

/// Computes the position of each disc in the current frame.
///
/// # Errors
/// None: all of these components use table storage.
pub fn interpolate(overstep: Overstep, space: Res<PhysicsSpace>, mut discs: Places) -> Result {
    let share = overstep.share();
    for_each(&mut discs, |position, drawn| {
        // A disc moved by something other than the tick appears exactly at its position. While paused, a disc stays
        // where the pause began, also in the first frames after the pause.
        let is_between = position == drawn.after && share < 1.0;
        let previous = if is_between { drawn.previous } else { position };
        *drawn = Drawn { previous, after: position, shown: between(&space, previous, position, share) };
    })?;
    if share < 1.0 && !space.report.path_vertices.is_empty() && !discs.is_empty() {
        follow_path_vertices(&space, share * space.clock.time_step, &mut discs);
    }
    Ok(())
}

/// Interpolates between two points. Across periodic edges it takes the shorter way.
fn between(space: &PhysicsSpace, from: Vec2, to: Vec2, share: f32) -> Vec2 {
    match space.periodic_cell() {
        None => from.lerp(to, share),
        Some(_) => space.wrapped(from + space.difference(from, to) * share),
    }
}

/// Corrects discs whose paths turned within the last tick: they appear at their exact position at this time of the tick
/// (seconds). So colliding discs visibly touch.
fn follow_path_vertices(space: &PhysicsSpace, now: f32, discs: &mut Places) {
    // For each such disc, the path vertices before and after `now`, with their times.
    let mut legs: EntityHashMap<[Option<(Vec2, f32)>; 2]> = EntityHashMap::default();
    for vertex in &space.report.path_vertices {
        let Some(&entity) = space.discs.entity.get(vertex.disc as usize) else { continue };
        let leg = legs.entry(entity).or_default();
        let place = Some((vertex.position, vertex.time));
        if vertex.time <= now {
            leg[0] = place;
        } else if leg[1].is_none() {
            leg[1] = place;
        }
    }
    for (entity, leg) in legs {
        let Ok((_, mut drawn)) = discs.get_mut(entity) else { continue };
        // Something other than the tick has moved it.
        if drawn.previous == drawn.after {
            continue;
        }
        let (from, start) = leg[0].unwrap_or((drawn.previous, 0.0));
        let (to, end) = leg[1].unwrap_or((drawn.after, space.clock.time_step));
        drawn.shown = if end > start { between(space, from, to, (now - start) / (end - start)) } else { to };
    }
}
