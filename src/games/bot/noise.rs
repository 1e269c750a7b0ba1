//! The errors of a hand: normally distributed errors of tip position, elevation, direction and speed. They follow the
//! pool tournaments of the Computer Olympiads (C. Archibald, A. Altman, M. Greenspan and Y. Shoham, "Computational
//! Pool: a new challenge for game theory pragmatics", AI Magazine 31 (4), 2010). The numbers are those of their
//! simulator, `FastFiz`.

use bevy::math::DVec2;
use serde::{Deserialize, Serialize};

use crate::{billiards::cue::CueStrike, games::rules::FASTEST_CUE, random::Random};

/// The standard deviations of the five numbers of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Sideways tip position, metres.
    pub side: f64,
    /// Vertical tip position, metres.
    pub top: f64,
    /// Elevation of the cue, radians.
    pub elevation: f64,
    /// Direction of the cue, radians.
    pub direction: f64,
    /// Speed of the cue, m/s.
    pub speed: f64,
}

/// A factor on the error of the cue's direction for judging pots. Errors of the tip position add spin, and spin throws
/// the object ball. It was set by hand.
const TIP_ERROR: f32 = 1.15;

/// The smallest error of the cue for judging pots, as a share of the Olympiad's. It makes even a steady hand prefer an
/// easy pot to a hard one. It was set by hand.
const LEAST_ERROR: f32 = 0.35;

impl Noise {
    /// The noise of the Computer Olympiads: half a millimetre, a tenth and an eighth of a degree, and 0.075 m/s.
    pub const OLYMPIAD: Self = Self {
        side: 0.0005,
        top: 0.0005,
        elevation: 0.1 * core::f64::consts::PI / 180.0,
        direction: 0.125 * core::f64::consts::PI / 180.0,
        speed: 0.075,
    };

    /// A multiple of the Computer Olympiads' noise; 0 is none.
    #[must_use]
    pub fn olympiad(factor: f64) -> Self {
        let Self { side, top, elevation, direction, speed } = Self::OLYMPIAD;
        Self {
            side: side * factor,
            top: top * factor,
            elevation: elevation * factor,
            direction: direction * factor,
            speed: speed * factor,
        }
    }

    /// The standard deviation of the cue's direction for judging pots with [`Sight`](crate::games::sight::Sight),
    /// radians, for a hand with this multiple of the Computer Olympiads' noise. It includes the effect of the other
    /// errors, and it is never zero.
    #[must_use]
    pub fn sight_error(factor: f64) -> f32 {
        (TIP_ERROR * factor as f32).max(LEAST_ERROR) * Self::OLYMPIAD.direction as f32
    }

    /// A stroke as played by a hand. The noise never causes a miscue: the tip stays within `limit` radii of the centre.
    /// Nor does it make the stroke harder than the rules allow. `radius` is that of the ball, metres.
    #[must_use]
    pub fn disturb(&self, strike: &CueStrike, [radius, limit]: [f64; 2], random: &mut Random) -> CueStrike {
        let [tip, cue, speed] = [0; 3].map(|_| random.normal().as_dvec2());
        if *self == Self::olympiad(0.0) {
            return *strike;
        }
        let mut offset = DVec2::new(strike.side, strike.top) + tip * DVec2::new(self.side, self.top) / radius;
        if offset.length() > limit {
            offset *= limit / offset.length() * (1.0 - 1e-9);
        }
        let (sin, cos) = libm::sincos(cue.x * self.direction);
        CueStrike {
            speed: (strike.speed + speed.x * self.speed).clamp(0.0, FASTEST_CUE),
            direction: DVec2::new(cos, sin).rotate(strike.direction),
            side: offset.x,
            top: offset.y,
            elevation: (strike.elevation + cue.y * self.elevation).clamp(0.0, core::f64::consts::FRAC_PI_2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: [f64; 2] = [0.028575, 0.5];

    #[test]
    fn the_errors_have_the_deviations_of_the_olympiad() {
        let mut random = Random::new(1);
        let aimed = CueStrike { speed: 2.0, side: 0.1, top: -0.1, elevation: 0.2, ..CueStrike::default() };
        let count = 4000;
        let mut squares = [0.0; 5];
        for _ in 0..count {
            let played = Noise::OLYMPIAD.disturb(&aimed, BALL, &mut random);
            let errors = [
                (played.side - aimed.side) * BALL[0],
                (played.top - aimed.top) * BALL[0],
                played.elevation - aimed.elevation,
                played.direction.to_angle(),
                played.speed - aimed.speed,
            ];
            for (square, error) in squares.iter_mut().zip(errors) {
                *square += error * error / f64::from(count);
            }
        }
        let Noise { side, top, elevation, direction, speed } = Noise::OLYMPIAD;
        for (square, wanted) in squares.into_iter().zip([side, top, elevation, direction, speed]) {
            // With 4000 samples the deviation is known to about 1 %; the tolerance is five times that.
            assert!((square.sqrt() / wanted - 1.0).abs() < 0.06, "{} instead of {wanted}", square.sqrt());
        }
    }

    #[test]
    fn pots_are_judged_with_more_than_the_error_of_the_direction_and_never_as_certain() {
        for factor in [0.0, 0.1, 0.5, 1.0, 4.0] {
            let error = Noise::sight_error(factor);
            assert!(error > 0.0 && f64::from(error) > Noise::olympiad(factor).direction, "{factor}");
        }
        assert_eq!(Noise::sight_error(0.0), Noise::sight_error(0.1), "the least error");
    }

    #[test]
    fn a_disturbed_stroke_can_be_played_and_no_noise_is_none() {
        let mut random = Random::new(2);
        let edge = CueStrike { side: 0.3, top: 0.4, speed: 0.1, ..CueStrike::default() };
        for factor in (0..400).map(|k| if k % 2 == 0 { 10.0 } else { 1000.0 }) {
            let played = Noise::olympiad(factor).disturb(&edge, BALL, &mut random);
            assert!((0.0..=FASTEST_CUE).contains(&played.speed) && played.elevation >= 0.0);
            assert!(DVec2::new(played.side, played.top).length() <= BALL[1]);
        }
        assert_eq!(Noise::olympiad(0.0).disturb(&edge, BALL, &mut random), edge);
    }
}
