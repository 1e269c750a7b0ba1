//! A cushion that is also elastic along its nose: W. J. Stronge, "Impact Mechanics", Cambridge University Press (2000),
//! section 5.1 (bilinear tangential compliance), as used in billiards simulations.
//!
//! A spring across the normal, softer than the one along it, holds the contact while it sticks. Sticking ends, and
//! slipping starts, when the spring would pull more than friction allows. So a slip can stop and reverse: a ball with a
//! little side leaves with less slip than a ball without any.
//!
//! The unit of time is such that the compression takes π/2: force, limit of friction and spring are then sines. The
//! restitution takes `e` times as long; its time `τ`, from 0 to π/2, is scaled so that the force is `cos τ` for any
//! `e`.

use core::f64::consts::FRAC_PI_2;

use super::Impact;

/// Ratio of the stiffness along the normal to the stiffness across it, such that a ball oscillates 1.8 times as fast
/// across as along.
const STIFFNESS_RATIO: f64 = 3.5 / (1.8 * 1.8);

pub(super) fn rebound(impact: Impact, e: f64, friction: f64) -> Impact {
    let approach = impact.approach();
    let slip = impact.slip();
    let speed = slip.length();
    let response = impact.slip_response();
    let contact = Contact { friction, e, response, stiffness_ratio: STIFFNESS_RATIO };
    let size =
        if speed > 0.0 { (1.0 - contact.slip_after(speed / approach) * (approach / speed)) / response } else { 0.0 };
    impact.pushed((1.0 + e) * approach, slip * size)
}

/// The parameters that decide how a slip ends.
struct Contact {
    /// Coefficient of friction.
    friction: f64,
    /// Restitution.
    e: f64,
    /// The change of the slip by an impulse: 7/2 for a ball.
    response: f64,
    /// The ratio of the stiffnesses of the springs along the normal and across it.
    stiffness_ratio: f64,
}

/// A sticking contact with its spring.
struct Sticking {
    /// When it started to stick, from the start of the impact.
    since: f64,
    /// The time of the restitution then, 0 if it started before.
    tau: f64,
    /// The extension of the spring then.
    stretch: f64,
    /// The speed of the surface of the ball then.
    speed: f64,
}

impl Contact {
    /// The slip at the end, along its original direction, in units of the speed of approach, as `slip`, at least 0, was
    /// at the start.
    fn slip_after(&self, slip: f64) -> f64 {
        let Self { friction, e, response, .. } = *self;
        // Not enough friction to hold a spring.
        if !(friction * response > slip * f64::EPSILON) {
            return slip;
        }
        let Some(sticking) = self.sticking(slip) else {
            return slip - response * friction * (1.0 + e);
        };
        let tau = self.end_of_sticking(&sticking);
        let (stretch, speed) = self.spring(&sticking, tau);
        // From here on friction replaces the force of the spring.
        speed - response * friction * e * (1.0 - libm::sin(tau)) * stretch.signum()
    }

    /// When the contact first sticks: its surface is as slow as the end of the spring, which friction keeps extended.
    fn sticking(&self, slip: f64) -> Option<Sticking> {
        let Self { friction, e, response, stiffness_ratio } = *self;
        let ratio = slip / friction;
        let reach = friction * stiffness_ratio;
        if ratio <= stiffness_ratio {
            return Some(Sticking { since: 0.0, tau: 0.0, stretch: 0.0, speed: slip });
        }
        if ratio < response {
            let cos = (response - ratio) / (response - stiffness_ratio);
            let sin = (1.0 - cos * cos).sqrt();
            return Some(Sticking { since: libm::acos(cos), tau: 0.0, stretch: reach * sin, speed: reach * cos });
        }
        // In the restitution, friction releases the spring faster than the slip decreases, unless the restitution is
        // slow.
        let sin_per_e = (ratio - response) / (response * e * e - stiffness_ratio);
        let sin = e * sin_per_e;
        if !(sin_per_e >= 0.0 && sin < 1.0) {
            return None;
        }
        let (tau, cos) = (libm::asin(sin), (1.0 - sin * sin).sqrt());
        Some(Sticking { since: FRAC_PI_2 + e * tau, tau, stretch: reach * cos, speed: -reach * sin_per_e })
    }

    /// Extension and speed of a spring at a time of the restitution.
    fn spring(&self, from: &Sticking, tau: f64) -> (f64, f64) {
        let frequency = (self.response / self.stiffness_ratio).sqrt();
        let (sin, cos) = libm::sincos(frequency * (FRAC_PI_2 + self.e * tau - from.since));
        (from.stretch * cos + from.speed / frequency * sin, from.speed * cos - from.stretch * frequency * sin)
    }

    /// The time of the restitution at which the spring first pulls as much as friction allows: the force of the impact
    /// vanishes at the end.
    fn end_of_sticking(&self, sticking: &Sticking) -> f64 {
        // The spring oscillates less than once and the limit decreases: no two crossings are closer than this.
        const PIECES: i32 = 16;
        let reach = self.friction * self.stiffness_ratio;
        let holds = |tau: f64| self.spring(sticking, tau).0.abs() <= reach * libm::cos(tau);
        let width = (FRAC_PI_2 - sticking.tau) / f64::from(PIECES);
        let at = |piece: i32| sticking.tau + width * f64::from(piece);
        let last = (1..PIECES).take_while(|&piece| holds(at(piece))).last().unwrap_or(0);
        let (mut low, mut high) = (at(last), at(last + 1));
        for _ in 0..48 {
            let middle = 0.5 * (low + high);
            if holds(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ball(friction: f64, e: f64, frequency: f64) -> Contact {
        Contact { friction, e, response: 3.5, stiffness_ratio: 3.5 / (frequency * frequency) }
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    #[test]
    fn slips_end_as_published() {
        let contact = ball(0.2, 0.7, 1.7);
        for (slip, expected, tolerance) in [
            (0.0, 0.0, 0.0),
            (0.1, -0.030294, 1e-6),
            (0.5, -0.329114283276, 1e-9),
            (1.0, -0.19, 1e-12),
            (3.0, 1.81, 1e-12),
        ] {
            near(contact.slip_after(slip), expected, tolerance);
        }
        let contact = ball(0.2, 0.85, 1.8);
        for (slip, expected, tolerance) in [(0.1, 0.032024, 1e-6), (0.5, -0.231395, 1e-6), (2.0, 0.705, 1e-12)] {
            near(contact.slip_after(slip), expected, tolerance);
        }
    }

    /// If the contact sticks during the restitution, spring and limit are equal at once, and differ until they cross
    /// again. A search for equality that mistakes the first for the second gives -0.152461 for this impact.
    #[test]
    fn sticking_does_not_end_where_it_begins() {
        let contact = ball(0.2, 0.85, 1.8);
        near(contact.slip_after(1.0), integrated(&contact, 1.0), 1e-4);
        near(contact.slip_after(1.0), -0.289724, 1e-6);
    }

    /// Three hits on a vertical wall, as changes of velocity and angular velocity.
    #[test]
    fn balls_turn_as_published() {
        use bevy::math::DVec3;
        let radius = 0.03275;
        for (velocity, spin, change, turn) in [
            ([1.0, 0.5], [0.0, 0.0, -10.0], [-1.7, -0.068191], [0.0, 0.0, -5.205422]),
            ([1.0, 0.2], [0.0, 0.0, -2.0], [-1.7, -0.051607], [0.0, 0.0, -3.939458]),
            ([1.0, 0.0], [0.0, 5.0, 0.0], [-1.7, 0.0], [0.0, -4.909064, 0.0]),
        ] {
            let velocity = DVec3::new(velocity[0], velocity[1], 0.0);
            let impact = Impact { velocity, spin: DVec3::from(spin) * radius, sin: 0.0, cos: 1.0, inertia: 0.4 };
            let slip = impact.slip();
            let size = (slip.length() - ball(0.2, 0.7, 1.7).slip_after(slip.length())) / 3.5;
            let after = impact.pushed(1.7, slip * (size / slip.length()));
            near(after.velocity.x - velocity.x, change[0], 1e-12);
            near(after.velocity.y - velocity.y, change[1], 1e-6);
            assert!(
                ((after.spin - impact.spin) / radius - DVec3::from(turn)).length() < 2e-6,
                "{:?}",
                (after.spin - impact.spin) / radius
            );
        }
    }

    /// The same contact, step by step: a spring that never pulls more than friction allows.
    fn integrated(contact: &Contact, slip: f64) -> f64 {
        const STEPS: i32 = 20_000;
        let reach = contact.friction * contact.stiffness_ratio;
        let (mut stretch, mut speed) = (0.0_f64, slip);
        for phase in 0..2 {
            let length = FRAC_PI_2 * if phase == 0 { 1.0 } else { contact.e };
            let h = length / f64::from(STEPS);
            for i in 0..STEPS {
                let angle = FRAC_PI_2 * (f64::from(i) + 0.5) / f64::from(STEPS);
                let limit = reach * if phase == 0 { angle.sin() } else { angle.cos() };
                stretch = (stretch + speed * h).clamp(-limit, limit);
                speed -= contact.response / contact.stiffness_ratio * stretch * h;
            }
        }
        speed
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn the_closed_form_is_what_integration_gives(
            slip in 0.0..2.0, friction in 0.0..1.0, e in 0.0..=1.0, frequency in 1.05..1.95, response in prop_oneof![Just(3.5), Just(3.0)],
        ) {
            let contact = Contact { friction, e, response, stiffness_ratio: response / (frequency * frequency) };
            let (closed, stepped) = (contact.slip_after(slip), integrated(&contact, slip));
            prop_assert!((closed - stepped).abs() < 1e-3, "{closed} {stepped}");
        }
    }
}
