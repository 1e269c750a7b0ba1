//! Coulomb friction of discs that do not turn: in hits and in resting contacts. The change of the speed along the
//! surface is at most the coefficient times the change along the normal, and never reverses the speed.

use bevy::math::DVec2;

/// The combined coefficient of two sides: the square root of the product, or the only coefficient.
pub(super) fn combined(a: Option<f32>, b: Option<f32>) -> f32 {
    match (a, b) {
        (Some(a), Some(b)) => (a * b).sqrt(),
        (one, other) => one.or(other).unwrap_or(0.0),
    }
}

/// The change of a velocity by friction along a surface. `pressed` is the change along the normal in the unit of the
/// velocity, and `n` a unit normal.
pub fn rubbed(velocity: DVec2, n: DVec2, pressed: f64) -> DVec2 {
    let along = velocity - n * velocity.dot(n);
    let speed = along.length_squared().sqrt();
    if speed <= pressed { -along } else { along * (-pressed / speed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_takes_no_more_than_there_is() {
        let n = DVec2::Y;
        assert_eq!(rubbed(DVec2::new(3.0, -5.0), n, 1.0), DVec2::new(-1.0, 0.0));
        assert_eq!(rubbed(DVec2::new(3.0, -5.0), n, 4.0), DVec2::new(-3.0, 0.0));
        assert_eq!(rubbed(DVec2::new(0.0, -5.0), n, 0.0), DVec2::ZERO);
    }
}
