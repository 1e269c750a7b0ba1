//! The cue: the motion that a stroke gives a ball, as pure functions.
//!
//! The tip hits a point of the ball with an impulse along the cue. A hit off the centre gives less speed, and spin. A
//! raised cue makes the ball curve (swerve, massé). The ball pushes the end of the shaft aside, and its mass turns the
//! ball away from the side that was hit (squirt). If the tip is too far from the centre, it slips off: a miscue.
//!
//! A raised cue also drives the ball into the slate. Where balls fly, [`strike_on`] adds that impulse after the one of
//! the tip: two impulses, one after the other. Their limits are in section 2 of `docs/src/flight.md`.
//!
//! Sources: the impulse as in W. Leckie and M. Greenspan, "An event-based pool physics simulator", Advances in Computer
//! Games 11 (2005); squirt by D. Alciatore, "The Amazing World of Billiards Physics", technical proof A.31.

use core::f64::consts::FRAC_PI_2;

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::collision::spin::{Body, Motion, Shape, TablePhysics, slate};

/// The properties of a cue.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Cue {
    /// Mass, kg; above 0. Default: 0.567 (20 oz, pool). A snooker cue has 0.478.
    pub mass: f64,
    /// Restitution of the tip, 0 to 1. Default: 0.75, leather. Hard tips have 0.81 to 0.87.
    pub tip_restitution: f64,
    /// Mass of the end of the shaft that moves aside with the ball and so causes squirt, about the last 15 cm, kg.
    /// Default: 0.0057, a thirtieth of a pool ball. 0: no squirt.
    pub end_mass: f64,
    /// The greatest distance of the tip from the centre at which it does not slip off, in radii of the ball, 0 to 1.
    /// Default: 0.5.
    pub miscue_limit: f64,
}

impl Default for Cue {
    fn default() -> Self {
        Self { mass: 0.567, tip_restitution: 0.75, end_mass: 0.0057, miscue_limit: 0.5 }
    }
}

impl Cue {
    /// A jump cue: light, with a hard tip. It leaves a ball earlier, so that it can be raised farther without a second
    /// hit (F28 in `docs/src/flight.md`). Snooker forbids it.
    pub const JUMP: Self = Self { mass: 0.25, tip_restitution: 0.85, end_mass: 0.0057, miscue_limit: 0.5 };

    /// Whether its values are valid.
    ///
    /// # Errors
    /// The first invalid value, and its range.
    pub fn check(&self) -> Result<(), String> {
        let unit = 0.0..=1.0;
        let wrong = [
            ("mass", self.mass, 0.01..=100.0),
            ("tip_restitution", self.tip_restitution, unit.clone()),
            ("end_mass", self.end_mass, 0.0..=self.mass.clamp(0.0, 100.0)),
            ("miscue_limit", self.miscue_limit, unit),
        ];
        match wrong.into_iter().find(|(_, value, range)| !range.contains(value)) {
            None => Ok(()),
            Some((name, value, range)) => {
                Err(format!("the cue's {name} is {value}; it has to be from {} to {}", range.start(), range.end()))
            }
        }
    }
}

/// A stroke: its direction, its speed, and where the tip hits the ball.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields, rename = "Strike")]
pub struct CueStrike {
    /// Speed of the cue, m/s, at least 0. Default: 1.
    pub speed: f64,
    /// The direction of the cue seen from above, of any length. Default: along x.
    pub direction: DVec2,
    /// The distance of the tip to the right of the centre as the player sees it, in radii of the ball: positive is
    /// right english. Default: 0.
    pub side: f64,
    /// The distance of the tip above the centre, in radii: positive is follow, negative draw. Default: 0. At 0.4 a ball
    /// rolls at once. A flat disc only uses the side.
    pub top: f64,
    /// The elevation of the butt, radians: 0 is level, π/2 is straight down. Default: 0.
    pub elevation: f64,
}

impl Default for CueStrike {
    fn default() -> Self {
        Self { speed: 1.0, direction: DVec2::X, side: 0.0, top: 0.0, elevation: 0.0 }
    }
}

/// The tip slipped off the ball.
#[derive(thiserror::Error, Clone, Copy, Debug, PartialEq)]
#[error(
    "miscue: the tip hits {} radii from the ball's middle and slips off; at most {} hold, so aim nearer to the middle",
    told_apart([*.offset, *.limit])[0],
    told_apart([*.offset, *.limit])[1]
)]
pub struct Miscue {
    /// The distance of the tip from the centre, in radii of the ball.
    pub offset: f64,
    /// The largest allowed distance.
    pub limit: f64,
}

/// Formats two numbers with enough decimals to distinguish them, and at least two.
fn told_apart(numbers: [f64; 2]) -> [String; 2] {
    let with = |places: usize| numbers.map(|number| format!("{number:.places$}"));
    (2..17).map(with).find(|[a, b]| a != b).unwrap_or_else(|| with(17))
}

impl CueStrike {
    /// The same stroke with the cue speed that gives the ball this speed (m/s) along the cue.
    #[must_use]
    pub fn with_ball_speed(self, cue: &Cue, ball: &Body, ball_speed: f64) -> Self {
        Self { speed: cue_speed(cue, ball, &self, ball_speed), ..self }
    }

    /// The direction at a length that can be squared in `f32`. Lengths from 1e-12 to 1e12 are kept.
    fn usual_direction(&self) -> DVec2 {
        let longest = self.direction.abs().max_element();
        if longest == 0.0 || (1e-12..=1e12).contains(&longest) { self.direction } else { self.direction / longest }
    }

    /// The direction as a unit vector, or zero if it is zero or not finite.
    #[must_use]
    pub fn aim(&self) -> DVec2 {
        self.usual_direction().normalize_or_zero()
    }
}

/// The motion of a resting ball after a strike. The slate absorbs the vertical velocity.
///
/// # Errors
/// The tip hits farther from the centre than the miscue limit of the cue.
pub fn strike(cue: &Cue, ball: &Body, strike: &CueStrike) -> Result<Motion, Miscue> {
    Ok(tip(cue, ball, strike)?.on_the_cloth())
}

/// The motion of a ball at rest on the cloth of a table after a strike. Where balls fly, the slate pushes a ball back
/// that a raised cue drives into it: the ball jumps, or is slowed down and turned by the friction. Where no ball flies,
/// and for a level cue, it is [`strike`].
///
/// # Errors
/// As [`strike`].
pub fn strike_on(table: &TablePhysics, cue: &Cue, ball: &Body, strike: &CueStrike) -> Result<Motion, Miscue> {
    let motion = tip(cue, ball, strike)?;
    let Some(flight) = table.flight.as_ref().filter(|_| ball.shape == Shape::Ball) else {
        return Ok(motion.on_the_cloth());
    };
    Ok(slate::land(flight, &table.cloth, ball, &motion).map_or_else(|| motion.on_the_cloth(), |landing| landing.after))
}

/// The motion of a ball after the impulse of the tip.
fn tip(cue: &Cue, ball: &Body, strike: &CueStrike) -> Result<Motion, Miscue> {
    let offset = offset(ball.shape, strike).sqrt();
    if !(offset <= cue.miscue_limit) {
        return Err(Miscue { offset, limit: cue.miscue_limit });
    }
    let speed = strike.speed.max(0.0) * speed_ratio(cue, ball, strike);
    let aim = strike.aim();
    let squirt = squirt(cue, ball.mass, strike.side);
    let forward = (aim + aim.perp() * squirt) / (1.0 + squirt * squirt).sqrt();
    let (sin, cos) = libm::sincos(strike.elevation.clamp(0.0, FRAC_PI_2));
    // The lever of the tip about the centre, R × (direction of the cue), in the directions left, forward and up as seen
    // from the ball.
    let lever = match ball.shape {
        Shape::Ball => (forward.perp() * strike.top + forward * (strike.side * sin)).extend(strike.side * cos),
        Shape::Flat => DVec3::Z * (strike.side * cos),
    };
    Ok(Motion {
        velocity: forward * (speed * cos),
        angular_velocity: lever * (speed / (ball.shape.inertia_factor() * ball.radius)),
        vertical: -speed * sin,
    })
}

/// The cue speed that gives a ball a speed (m/s) along the cue; for a level cue that is its whole speed. The speed of
/// the strike itself is ignored.
#[must_use]
pub fn cue_speed(cue: &Cue, ball: &Body, strike: &CueStrike, ball_speed: f64) -> f64 {
    ball_speed / speed_ratio(cue, ball, strike)
}

/// The tangent of the angle by which squirt turns a ball to its left, for a tip that hits `side` radii to the right of
/// the centre.
#[must_use]
pub fn squirt(cue: &Cue, ball_mass: f64, side: f64) -> f64 {
    let depth = (1.0 - side * side).max(0.0);
    2.5 * side * depth.sqrt() * cue.end_mass / (cue.end_mass * (1.0 + 2.5 * depth) + ball_mass)
}

/// The radius of a cue near its tip, metres.
pub const CUE_RADIUS: f32 = 0.0065;

/// The length of a cue, metres.
pub const CUE_LENGTH: f32 = 1.47;

/// The smallest elevation of the butt at which the cue touches no ball and no rail, radians. Seen from the side, the
/// cue runs backward from its tip at the ball (centre and radius, metres) over everything in its way. Other balls are
/// given by centre and radius, rails by the two ends of their noses. Of the strike, only the direction and the place of
/// the tip are used.
#[must_use]
pub fn least_elevation(
    (centre, radius): (Vec2, f32),
    strike: &CueStrike,
    others: impl IntoIterator<Item = (Vec2, f32)>,
    rails: impl IntoIterator<Item = [Vec2; 2]>,
) -> f64 {
    let back = -strike.usual_direction().as_vec2().normalize_or_zero();
    let tip_height = radius * (1.0 + strike.top as f32);
    let from = centre + back.perp() * (radius * strike.side as f32);
    let mut slope = 0.0_f32;
    for (place, radius) in others {
        let away = place - from;
        let (along, across) = (away.dot(back), away.perp_dot(back).abs());
        let reach = radius + CUE_RADIUS;
        if along > 0.0 && along < CUE_LENGTH && across < reach {
            let height = radius + (reach * reach - across * across).sqrt() - tip_height;
            slope = slope.max(height / along);
        }
    }
    // A rail is slightly higher than the noses, which are about two thirds of a ball above the cloth.
    let height = 1.4 * radius + CUE_RADIUS - tip_height;
    for [a, b] in rails {
        let (along, to) = (b - a, a - from);
        let crossing = back.perp_dot(along);
        let (distance, share) = (to.perp_dot(along) / crossing, to.perp_dot(back) / crossing);
        if distance > 0.0 && distance < CUE_LENGTH && (0.0..=1.0).contains(&share) {
            slope = slope.max(height / distance);
        }
    }
    libm::atan(f64::from(slope))
}

/// Speed of the ball along the cue over the speed of the cue.
fn speed_ratio(cue: &Cue, ball: &Body, strike: &CueStrike) -> f64 {
    let spun = offset(ball.shape, strike) / ball.shape.inertia_factor();
    (1.0 + cue.tip_restitution) / (1.0 + ball.mass / cue.mass + spun)
}

/// The square of the distance of the tip from the centre, in radii.
fn offset(shape: Shape, strike: &CueStrike) -> f64 {
    let height = match shape {
        Shape::Ball => strike.top * strike.top,
        Shape::Flat => 0.0,
    };
    strike.side * strike.side + height
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::collision::spin::FlightPhysics;

    const RADIUS: f64 = 0.028575;
    const POOL: Body = Body { mass: 0.170097, radius: RADIUS, shape: Shape::Ball };

    /// Elastic and without squirt, like the published figures.
    const ELASTIC: Cue = Cue { mass: 0.567, tip_restitution: 1.0, end_mass: 0.0, miscue_limit: 0.5 };

    fn level(speed: f64, side: f64, top: f64) -> CueStrike {
        CueStrike { speed, side, top, ..default() }
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    /// Velocity once the ball rolls, `(5 v + 2 R w × k) / 7`.
    fn rolled(motion: &Motion) -> DVec2 {
        let spin = RADIUS * DVec2::new(motion.angular_velocity.y, -motion.angular_velocity.x);
        (5.0 * motion.velocity + 2.0 * spin) / 7.0
    }

    #[test]
    fn a_hit_in_the_middle_gives_speed_alone() {
        let motion = strike(&ELASTIC, &POOL, &level(1.0, 0.0, 0.0)).unwrap();
        near(motion.velocity.x, 1.538470, 1e-5);
        assert_eq!((motion.velocity.y, motion.angular_velocity), (0.0, DVec3::ZERO));
        let leather = strike(&Cue::default(), &POOL, &level(1.0, 0.0, 0.0)).unwrap();
        near(leather.velocity.x, 1.346, 5e-4);
    }

    #[test]
    fn a_hit_two_fifths_above_the_middle_rolls_at_once() {
        let motion = strike(&ELASTIC, &POOL, &level(3.0, 0.0, 0.4)).unwrap();
        near(motion.velocity.x, 3.529423, 1e-5);
        near(motion.angular_velocity.y * RADIUS, 3.529423, 1e-5);
        near(motion.angular_velocity.x, 0.0, 1e-12);
        assert!((rolled(&motion) - motion.velocity).length() < 1e-12);
    }

    #[test]
    fn right_english_turns_the_ball_counter_clockwise() {
        for (side, spin) in [(0.5, 1.298702), (-0.5, -1.298702)] {
            let motion = strike(&ELASTIC, &POOL, &level(1.0, side, 0.0)).unwrap();
            near(motion.velocity.x, 1.038962, 1e-5);
            near(motion.angular_velocity.z * RADIUS, spin, 1e-5);
        }
    }

    #[test]
    fn squirt_turns_the_ball_away_from_the_side_that_was_hit() {
        let angle = |ratio: f64, side: f64| {
            let cue = Cue { end_mass: POOL.mass / ratio, ..ELASTIC };
            let velocity = strike(&cue, &POOL, &level(1.0, side, 0.0)).unwrap().velocity;
            near(velocity.length(), strike(&ELASTIC, &POOL, &level(1.0, side, 0.0)).unwrap().velocity.length(), 1e-15);
            velocity.to_angle().to_degrees()
        };
        near(angle(20.0, -0.2), -1.1993583313, 1e-8);
        near(angle(20.0, 0.2), 1.1993583313, 1e-8);
        near(angle(20.0, 0.5), 2.709, 5e-4);
        near(angle(30.0, 0.5), 1.886, 5e-4);
        near(angle(30.0, 0.25), 1.040, 5e-4);
        near(angle(f64::INFINITY, 0.5), 0.0, 0.0);
    }

    #[test]
    fn a_raised_cue_makes_the_ball_curve_to_the_side_that_was_hit() {
        for (side, top, degrees, angle, speed) in [
            (-0.3, 0.0, 30.0, 9.8264, Some(1.646694)),
            (-0.4, -0.2, 75.0, 81.344, None),
            (-0.2, -0.3, 80.0, 122.680, None),
        ] {
            let elevation = f64::to_radians(degrees);
            let motion = strike(&ELASTIC, &POOL, &CueStrike { elevation, ..level(2.0, side, top) }).unwrap();
            // It starts along the aim, whatever follows.
            near(motion.velocity.y, 0.0, 1e-12);
            assert!(motion.velocity.x > 0.0);
            let rolled = rolled(&motion);
            near(rolled.to_angle().to_degrees(), angle, 1e-3);
            if let Some(speed) = speed {
                near(rolled.length(), speed, 1e-5);
            }
        }
    }

    #[test]
    fn a_miscue_says_how_far_off_and_how_far_is_allowed() {
        let off = strike(&Cue::default(), &POOL, &level(1.0, 0.5, 0.3)).unwrap_err();
        assert_eq!(
            off.to_string(),
            "miscue: the tip hits 0.58 radii from the ball's middle and slips off; at most 0.50 hold, so aim nearer to the middle"
        );
        let by_a_hair = strike(&Cue::default(), &POOL, &level(1.0, 0.0, 0.500_02)).unwrap_err();
        let words = by_a_hair.to_string();
        assert!(words.contains("hits 0.50002 radii") && words.contains("at most 0.50000 hold"), "{words}");
        assert!(strike(&Cue::default(), &POOL, &level(1.0, 0.3, -0.4)).is_ok());
        assert!(strike(&Cue::default(), &POOL, &level(1.0, f64::NAN, 0.0)).is_err());
    }

    #[test]
    fn a_flat_disc_turns_about_z_alone() {
        let disc = Body { shape: Shape::Flat, ..POOL };
        let raised = CueStrike { elevation: 0.5, ..level(1.0, 0.3, 0.9) };
        let motion = strike(&ELASTIC, &disc, &raised).unwrap();
        assert_eq!(motion.angular_velocity.truncate(), DVec2::ZERO);
        near(motion.angular_velocity.z * RADIUS, 2.0 * 0.3 * motion.velocity.x, 1e-12);
    }

    /// A pool table on which balls fly.
    fn flying() -> TablePhysics {
        TablePhysics { flight: Some(FlightPhysics::default()), ..default() }
    }

    /// A cue of 20 oz with a leather tip and without squirt.
    const STIFF: Cue = Cue { mass: 0.567, tip_restitution: 0.75, end_mass: 0.0, miscue_limit: 0.5 };

    fn raised(speed: f64, degrees: f64, side: f64, top: f64) -> CueStrike {
        CueStrike { elevation: degrees.to_radians(), ..level(speed, side, top) }
    }

    #[test]
    fn f17_a_ball_leaves_flatter_than_the_cue_is_raised() {
        for (elevation, leaves) in [
            (5.0, 2.572193),
            (10.0, 5.318203),
            (15.0, 8.288850),
            (20.0, 11.546190),
            (30.0, 19.246629),
            (45.0, 34.992020),
            (60.0, 50.484662),
        ] {
            // Fast enough to take off at the lowest angle.
            let motion = strike_on(&flying(), &STIFF, &POOL, &raised(6.0, elevation, 0.0, 0.0)).unwrap();
            near(motion.vertical.atan2(motion.velocity.x).to_degrees(), leaves, 2e-6);
        }
    }

    #[test]
    fn f18_to_f26_a_raised_cue_makes_a_ball_jump() {
        for ((speed, elevation, side, top), velocity, surface) in [
            ((3.0, 0.0, 0.0, 0.0), [4.038478, 0.0, 0.0], [0.0; 3]),
            ((3.0, 5.0, 0.0, 0.0), [3.917517, 0.0, 0.175988], [0.0, 0.263982, 0.0]),
            ((3.0, 30.0, 0.0, 0.0), [2.891653, 0.0, 1.009619], [0.0, 1.514429, 0.0]),
            ((3.0, 45.0, 0.0, 0.0), [2.039739, 0.0, 1.427818], [0.0, 2.039739, 0.0]),
            ((4.0, 45.0, 0.0, -0.2), [2.474883, 0.0, 1.767774], [0.0, 0.151651, 0.0]),
            ((4.0, 45.0, 0.0, 0.2), [3.239679, 0.0, 1.767774], [0.0, 3.239679, 0.0]),
            ((4.0, 45.0, 0.2, 0.0), [2.586860, -0.474343, 1.767774], [0.581915, 2.371717, 1.767774]),
            ((2.0, 30.0, -0.3, 0.0), [1.671688, 0.136796, 0.573772], [-0.518668, 0.789795, -1.490705]),
            ((2.0, 75.0, -0.4, -0.2), [0.155179, 0.443085, 0.939097], [-0.770482, -0.102020, -0.503261]),
        ] {
            let motion = strike_on(&flying(), &STIFF, &POOL, &raised(speed, elevation, side, top)).unwrap();
            let (v, w) = (motion.velocity.extend(motion.vertical), motion.angular_velocity * RADIUS);
            // The coefficients are f32, the values have six decimals.
            let off = (v - DVec3::from(velocity)).abs().max((w - DVec3::from(surface)).abs()).max_element();
            assert!(off < 1e-6, "{v} and {w} instead of {velocity:?} and {surface:?}");
        }
        // Below the threshold a ball stays down, and differs from a level stroke by the friction of the slate only.
        let low = strike_on(&flying(), &STIFF, &POOL, &raised(3.0, 1.0, 0.0, 0.0)).unwrap();
        near(low.velocity.x, 4.038478 * (f64::to_radians(1.0).cos() - 0.2 * f64::to_radians(1.0).sin()), 1e-6);
        assert_eq!(low.vertical, 0.0);
    }

    #[test]
    fn f27_and_f28_a_jump_cue_can_be_raised_farther_before_it_hits_twice() {
        for (cue, without, with) in
            [(STIFF, 37.549612, 32.042579), (Cue { end_mass: 0.0, ..Cue::JUMP }, 45.843140, 40.171796)]
        {
            for (sliding, limit) in [(0.0, without), (0.2, with)] {
                let mut table = flying();
                table.cloth.sliding = sliding;
                // The speed of the ball along the cue after both impulses, less that of the cue.
                let gains = |degrees: f64| {
                    let stroke = raised(1.0, degrees, 0.0, 0.0);
                    let motion = strike_on(&table, &cue, &POOL, &stroke).unwrap();
                    let (sin, cos) = stroke.elevation.sin_cos();
                    let given = tip(&cue, &POOL, &raised(1.0, 0.0, 0.0, 0.0)).unwrap().velocity.x;
                    motion.velocity.x * cos - motion.vertical * sin - (1.0 - POOL.mass / cue.mass * given)
                };
                assert!(gains(limit - 1e-4) > 0.0 && gains(limit + 1e-4) < 0.0, "{limit}");
            }
        }
        Cue::JUMP.check().unwrap();
    }

    #[cfg(feature = "scene")]
    #[test]
    fn a_cue_can_be_read_from_a_file() {
        assert_eq!(ron::from_str::<Cue>("(mass: 0.478)").unwrap(), Cue { mass: 0.478, ..default() });
        let raised = CueStrike { elevation: 0.1, ..level(2.0, 0.3, 0.0) };
        assert_eq!(ron::from_str::<CueStrike>("(speed: 2.0, side: 0.3, elevation: 0.1)").unwrap(), raised);
    }

    #[test]
    fn a_direction_may_have_any_length() {
        let aimed = |direction: DVec2| CueStrike { direction, ..level(2.0, 0.3, 0.1) };
        let usual = aimed(DVec2::Y);
        let raised =
            |aimed: &CueStrike| least_elevation((Vec2::ZERO, 0.03), aimed, [(Vec2::new(0.0, -0.08), 0.03)], []);
        assert!(raised(&usual) > 0.1);
        for length in [1.0e308, 1e200, 1e30, 1e-30, 1e-200, 1e-320] {
            let extreme = aimed(DVec2::Y * length);
            assert_eq!(extreme.aim(), DVec2::Y, "{length}");
            let strike = |aimed: &CueStrike| strike(&Cue::default(), &POOL, aimed).unwrap();
            assert_eq!(strike(&extreme), strike(&usual), "{length}");
            assert_eq!(raised(&extreme), raised(&usual), "{length}");
        }
        assert_eq!(aimed(DVec2::ZERO).aim(), DVec2::ZERO);
        assert_eq!(aimed(DVec2::X * f64::INFINITY).aim(), DVec2::ZERO);
    }

    fn any_strike() -> impl Strategy<Value = CueStrike> {
        let tip = (0.0..0.5_f64, -core::f64::consts::PI..core::f64::consts::PI);
        let aim = (-core::f64::consts::PI..core::f64::consts::PI).prop_map(DVec2::from_angle);
        (tip, aim, 0.0..FRAC_PI_2, -6.0..3.0).prop_map(|((offset, angle), direction, elevation, speed)| {
            let tip: DVec2 = DVec2::from_angle(angle) * offset;
            CueStrike { speed: 10.0_f64.powf(speed), direction, side: tip.x, top: tip.y, elevation }
        })
    }

    proptest! {
        #[test]
        fn a_cue_as_fast_as_asked_for_gives_the_speed(aimed in any_strike(), wanted in 1e-6..1e3) {
            let speed = cue_speed(&Cue::default(), &POOL, &aimed, wanted);
            let motion = strike(&Cue::default(), &POOL, &CueStrike { speed, elevation: 0.0, ..aimed }).unwrap();
            prop_assert!((motion.velocity.length() - wanted).abs() <= 1e-12 * wanted);
        }

        #[test]
        fn a_ball_gets_no_more_energy_than_the_cue_had(aimed in any_strike(), e in 0.0..=1.0, mass in -3.0..3.0) {
            let cue = Cue { mass: 10.0_f64.powf(mass), tip_restitution: e, ..default() };
            let energy = strike(&cue, &POOL, &aimed).unwrap().kinetic_energy(&POOL);
            prop_assert!(energy <= 0.5 * cue.mass * aimed.speed * aimed.speed * (1.0 + 1e-12));
        }

        #[test]
        fn a_mirror_shows_the_mirrored_ball(aimed in any_strike()) {
            let motion = strike(&Cue::default(), &POOL, &aimed).unwrap();
            let direction = DVec2::new(aimed.direction.x, -aimed.direction.y);
            let seen = strike(&Cue::default(), &POOL, &CueStrike { direction, side: -aimed.side, ..aimed }).unwrap();
            let (v, w) = (motion.velocity, motion.angular_velocity);
            let mirrored = Motion {
                velocity: DVec2::new(v.x, -v.y),
                angular_velocity: DVec3::new(-w.x, w.y, -w.z),
                vertical: motion.vertical,
            };
            prop_assert_eq!(seen, mirrored);
        }

        #[test]
        fn a_jump_has_no_more_energy_than_the_cue_had_and_rolls_in_the_end_as_a_ball_that_stays_down(
            aimed in any_strike(),
            slate_restitution in 0.0..=1.0_f32,
        ) {
            let table = TablePhysics { flight: Some(FlightPhysics { slate_restitution, ..default() }), ..default() };
            let motion = strike_on(&table, &Cue::default(), &POOL, &aimed).unwrap();
            let energy = motion.kinetic_energy(&POOL);
            prop_assert!(energy <= 0.5 * Cue::default().mass * aimed.speed * aimed.speed * (1.0 + 1e-12));
            let held = strike(&Cue::default(), &POOL, &aimed).unwrap();
            prop_assert!((rolled(&motion) - rolled(&held)).length() <= 1e-12 * aimed.speed);
            let level = CueStrike { elevation: 0.0, ..aimed };
            let strikes = [strike_on(&table, &Cue::default(), &POOL, &level), strike(&Cue::default(), &POOL, &level)];
            prop_assert_eq!(strikes[0], strikes[1]);
        }
    }
}
