//! Where discs are drawn: between the last two ticks, so that motion is smooth at any frame rate.

use bevy::prelude::*;

use super::ViewSettings;
use crate::{
    body::{Ball, Position},
    collision::Tick,
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
}
