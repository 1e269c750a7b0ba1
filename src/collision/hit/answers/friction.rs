//! Friction (Coulomb's) of discs that do not turn: of hits, and of what something holds. The change of a speed along the surface is at most the coefficient times the
//! change along the normal, and does not turn the speed around.

use bevy::math::DVec2;

use crate::collision::flight::Flight;

/// The coefficient of two sides that may have one each: that of one, or the square root of the product.
pub(super) fn combined(a: Option<f32>, b: Option<f32>) -> f32 {
    match (a, b) {
        (Some(a), Some(b)) => (a * b).sqrt(),
        (one, other) => one.or(other).unwrap_or(0.0),
    }
}

/// By how much friction changes a velocity along a surface that is pressed with so much, in the unit of the velocity; `n` is a unit vector along the normal.
pub(in crate::collision) fn rubbed(velocity: DVec2, n: DVec2, pressed: f64) -> DVec2 {
    let along = velocity - n * velocity.dot(n);
    let speed = along.length_squared().sqrt();
    if speed <= pressed { -along } else { along * (-pressed / speed) }
}

/// How something that slides gets on in `time` seconds, from a speed, under an acceleration along its way, and with the deceleration of friction: how far, and how fast it is
/// then. It stops where friction holds it.
fn slide(speed: f64, acceleration: f64, friction: f64, time: f64) -> [f64; 2] {
    let moved = |from: f64, rate: f64, time: f64| [from * time + 0.5 * rate * time * time, from + rate * time];
    let rate = acceleration - friction.copysign(speed);
    let stops = if speed == 0.0 { 0.0 } else { -speed / rate };
    if !(0.0..time).contains(&stops) {
        return moved(speed, rate, time);
    }
    let way = 0.5 * speed * stops;
    if acceleration.abs() <= friction {
        return [way, 0.0];
    }
    let [farther, then] = moved(0.0, acceleration - friction.copysign(acceleration), time - stops);
    [way + farther, then]
}

impl Flight {
    /// Lets the surface rub with a coefficient on what has just bounced off it at time `t` of a step of `h` seconds, or is held by it until the step ends. `before` is the
    /// flight before the bounce; both are seen from the surface.
    pub(in crate::collision) fn rub(&mut self, before: &Self, away: DVec2, [t, h]: [f64; 2], friction: f64) {
        if !(friction > 0.0) {
            return;
        }
        let n = away / away.length_squared().sqrt();
        let then = |flight: &Self| flight.velocity + flight.acceleration * (t - 0.5 * h);
        let blow = (then(self) - then(before)).dot(n).max(0.0);
        let change = rubbed(then(self), n, friction * blow);
        self.velocity += change;
        let left = h - t;
        let press = (self.gravity - self.acceleration).dot(-n);
        if !(press > 0.0 && left > 0.0) {
            return;
        }
        // What holds it presses on it until the step ends.
        let tangent = n.perp();
        let (speed, acceleration) = (then(self).dot(tangent), self.acceleration.dot(tangent));
        let [way, ends] = slide(speed, acceleration, friction * press, left);
        let path = self.velocity.dot(tangent);
        let end = path + acceleration * 0.5 * h;
        let mean = way / left;
        self.velocity += tangent * (mean - path);
        self.residual += tangent * (ends - end - (mean - path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_slides_stops_where_friction_holds_it_and_else_goes_on() {
        assert_eq!(slide(2.0, 0.0, 1.0, 1.0), [1.5, 1.0]);
        assert_eq!(slide(2.0, 0.0, 1.0, 4.0), [2.0, 0.0], "v² / 2a, and there it stays");
        assert_eq!(slide(-2.0, 0.0, 1.0, 4.0), [-2.0, 0.0]);
        assert_eq!(slide(0.0, 0.5, 1.0, 3.0), [0.0, 0.0], "friction holds it");
        assert_eq!(slide(0.0, 3.0, 1.0, 1.0), [1.0, 2.0], "it does not");
        assert_eq!(slide(-1.0, 3.0, 1.0, 1.25), [0.875, 2.0], "up a slope, and down again");
    }

    #[test]
    fn friction_takes_no_more_than_there_is() {
        let n = DVec2::Y;
        assert_eq!(rubbed(DVec2::new(3.0, -5.0), n, 1.0), DVec2::new(-1.0, 0.0));
        assert_eq!(rubbed(DVec2::new(3.0, -5.0), n, 4.0), DVec2::new(-3.0, 0.0));
        assert_eq!(rubbed(DVec2::new(0.0, -5.0), n, 0.0), DVec2::ZERO);
    }
}
