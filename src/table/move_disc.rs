//! A held disc follows the mouse and rests there, also while the simulation is paused. Where a lesson shows velocities as
//! arrows, the disc keeps its velocity.

use bevy::prelude::*;

use super::gesture::Gesture;
use crate::{
    collision::LIMIT,
    disc::{InPlay, Position, Velocity},
    scene::CurrentScene,
};

/// Where a held disc goes (metres): what is not a finite place within [`LIMIT`] is none.
#[must_use]
pub fn held_at(pointer: Vec2, offset: Vec2) -> Option<Vec2> {
    let place = pointer + offset;
    // A comparison with NaN is false.
    (place.x.abs() <= LIMIT && place.y.abs() <= LIMIT).then_some(place)
}

/// Puts the held disc under the mouse, at rest.
pub(super) fn carry(
    gesture: Res<Gesture>,
    scene: Option<Res<CurrentScene>>,
    mut discs: Query<(&mut Position, &mut Velocity), InPlay>,
) {
    let Gesture::Moving { disc, offset, pointer } = *gesture else { return };
    let Ok((mut position, mut velocity)) = discs.get_mut(disc) else { return };
    let Some(place) = held_at(pointer, offset) else { return };
    if position.0 != place {
        position.0 = place;
    }
    let shows_velocity = scene.is_some_and(|scene| scene.file.lesson.is_about_two());
    if !shows_velocity && velocity.0 != Vec2::ZERO {
        velocity.0 = Vec2::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_is_never_put_out_of_the_finite_range() {
        assert_eq!(held_at(vec2(1.0, 2.0), vec2(0.5, 0.0)), Some(vec2(1.5, 2.0)));
        assert_eq!(held_at(Vec2::NAN, Vec2::ZERO), None);
        assert_eq!(held_at(Vec2::splat(1e13), Vec2::ZERO), None);
    }
}
