//! Where discs are drawn: between the last two ticks, so that motion is smooth at any frame rate.

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use super::ViewSettings;
use crate::{
    body::{Ball, Position},
    collision::{Space, Tick},
    timeline::Playback,
};

/// Where a disc is drawn. Every [`Ball`] has one.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component)]
pub struct Drawn {
    /// Its centre before the last tick, metres.
    pub previous: Vec2,
    /// Its centre in the present picture, metres.
    pub shown: Vec2,
    /// Its centre after the last tick, metres. Where [`Position`] differs from it, something else than the tick has moved
    /// the disc, and it is shown exactly where it was put.
    after: Vec2,
}

impl Default for Drawn {
    fn default() -> Self {
        Self { previous: Vec2::NAN, shown: Vec2::ZERO, after: Vec2::NAN }
    }
}

/// Gives every disc its [`Drawn`] and keeps it up to date.
pub(super) fn plugin(app: &mut App) {
    app.register_type::<Drawn>()
        .register_required_components::<Ball, Drawn>()
        .add_systems(FixedUpdate, (remember_before.before(Tick), remember_after.after(Tick)));
}

fn remember_before(mut discs: Query<(&Position, &mut Drawn)>) {
    for (position, mut drawn) in &mut discs {
        drawn.previous = position.0;
    }
}

fn remember_after(mut discs: Query<(&Position, &mut Drawn)>) {
    for (position, mut drawn) in &mut discs {
        drawn.after = position.0;
    }
}

/// Finds where each disc is in the present picture.
pub(super) fn interpolate(
    playback: Res<Playback>,
    fixed: Res<Time<Fixed>>,
    settings: Res<ViewSettings>,
    space: Res<Space>,
    mut discs: Query<(&Position, &mut Drawn)>,
) {
    let share = if settings.interpolate { playback.interpolation(&fixed) } else { 1.0 };
    for (position, mut drawn) in &mut discs {
        if position.0 != drawn.after {
            drawn.previous = position.0;
            drawn.after = position.0;
        }
        drawn.shown = drawn.previous.lerp(drawn.after, share);
    }
    if share < 1.0 && !space.turns.is_empty() {
        follow_turns(&space, share * space.time_step, &mut discs);
    }
}

/// Draws the discs whose paths turned within the last tick where they were at this time of it (seconds), so that what
/// collides is seen to touch.
fn follow_turns(space: &Space, now: f32, discs: &mut Query<(&Position, &mut Drawn)>) {
    // For each such disc where it was before and where it comes to, with the times.
    let mut legs: EntityHashMap<[Option<(Vec2, f32)>; 2]> = EntityHashMap::default();
    for turn in &space.turns {
        let Some(&entity) = space.bodies.entity.get(turn.disc as usize) else { continue };
        let leg = legs.entry(entity).or_default();
        let place = Some((turn.position, turn.time));
        if turn.time <= now {
            leg[0] = place;
        } else if leg[1].is_none() {
            leg[1] = place;
        }
    }
    for (entity, leg) in legs {
        let Ok((_, mut drawn)) = discs.get_mut(entity) else { continue };
        // Something else has moved it.
        if drawn.previous == drawn.after {
            continue;
        }
        let (from, start) = leg[0].unwrap_or((drawn.previous, 0.0));
        let (to, end) = leg[1].unwrap_or((drawn.after, space.time_step));
        drawn.shown = if end > start { from.lerp(to, (now - start) / (end - start)) } else { to };
    }
}
