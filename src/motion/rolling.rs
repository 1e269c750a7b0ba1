//! Rolling: a ball that moves over the cloth turns along its path.

use bevy::prelude::*;

use crate::{
    collision::LIMIT,
    components::{AngularVelocity, InPlay, Orientation, Position, Radius},
};

/// The orientation of a ball of this radius (metres), initially `turn`, after it has rolled by `path` (metres) without
/// sliding.
#[must_use]
pub fn rolled(turn: Quat, path: Vec2, radius: f32) -> Quat {
    let length = path.length();
    if !(length > 0.0 && length < LIMIT && radius > 0.0) {
        return turn;
    }
    // The axis is in the plane of the cloth, to the left of the path.
    let axis = Vec3::new(-path.y / length, path.x / length, 0.0);
    (Quat::from_axis_angle(axis, length / radius) * turn).normalize()
}

/// The orientation after turning from `turn` for `seconds` with this angular velocity, rad/s.
#[must_use]
pub fn turned(turn: Quat, angular_velocity: Vec3, seconds: f32) -> Quat {
    let angle = angular_velocity.length() * seconds;
    if !(angle > 0.0 && angle < LIMIT) {
        return turn;
    }
    (Quat::from_axis_angle(angular_velocity.normalize(), angle) * turn).normalize()
}

/// Turns every spinning disc with an [`Orientation`] by its angular velocity at the end of the tick.
pub(super) fn turn(time: Res<Time>, mut balls: Query<(&Position, &AngularVelocity, &mut Orientation), InPlay>) {
    for (position, angular_velocity, mut orientation) in &mut balls {
        if angular_velocity.0 != Vec3::ZERO {
            orientation.turn = turned(orientation.turn, angular_velocity.0, time.delta_secs());
            orientation.rolled_to = position.0;
        }
    }
}

/// Rolls every disc that has an [`Orientation`] and no spin to its current position.
pub(super) fn roll(
    mut balls: Query<(&Position, &Radius, &mut Orientation), (Changed<Position>, Without<AngularVelocity>)>,
) {
    for (position, radius, mut orientation) in &mut balls {
        let path = position.0 - orientation.rolled_to;
        if path != Vec2::ZERO {
            orientation.turn = rolled(orientation.turn, path, radius.0);
            orientation.rolled_to = position.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::TAU;

    #[test]
    fn a_whole_turn_for_every_circumference() {
        let there = rolled(Quat::IDENTITY, Vec2::new(0.25 * TAU, 0.0), 1.0);
        // The top has moved to the front, and the front under the ball.
        assert!((there * Vec3::Z - Vec3::X).length() < 1e-5);
        assert!((there * Vec3::X + Vec3::Z).length() < 1e-5);
        let whole = rolled(Quat::IDENTITY, Vec2::new(0.6, 0.8) * TAU, 1.0);
        assert!(whole.dot(Quat::IDENTITY).abs() > 1.0 - 1e-5);
    }

    #[test]
    fn without_a_way_or_with_nonsense_it_stays() {
        for path in [Vec2::ZERO, Vec2::NAN, Vec2::INFINITY] {
            assert_eq!(rolled(Quat::IDENTITY, path, 1.0), Quat::IDENTITY);
        }
    }
}
