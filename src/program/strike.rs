//! A shot on the command line: of the cue ball, or else of the first disc.

use std::fmt;

use bevy::{
    math::{Vec2, ops},
    prelude::*,
};
use serde::Serialize;

use crate::{
    billiards::cue::{self, Cue},
    collision::{
        CollisionSettings,
        spin::{Body, Motion, Shape, TablePhysics},
    },
    components::{AngularVelocity, Ball, Disc, Height, InPocket, Inactive, Mass, OffTable, Radius, StableId, Velocity},
    number::decimals,
    scene::CueBall,
};

/// A shot as written on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// The direction of the cue, and the speed of the ball along it, m/s.
    pub velocity: Vec2,
    /// The point that the tip hits on a spinning ball. None: the disc gets the velocity, and no spin.
    pub tip: Option<Tip>,
}

/// The point that the tip of the cue hits, and the elevation of the cue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tip {
    /// Distance right of the middle, in radii of the ball.
    pub side: f64,
    /// Distance above the middle, in radii of the ball.
    pub top: f64,
    /// Elevation of the butt of the cue, degrees.
    pub elevation: f64,
}

impl Shot {
    /// Reads `SPEED,ANGLE[,SIDE,TOP[,ELEVATION]]`. `option` is its name on the command line.
    ///
    /// # Errors
    /// If the text is not of this form or a value is out of range. The message describes the form.
    pub fn parse(option: &str, text: &str) -> Result<Self, String> {
        let mut fields = text.splitn(3, ',');
        let velocity = fields.next().zip(fields.next()).and_then(velocity).ok_or_else(|| {
            format!(
                "{option} {text}: give a speed from 0 to 1e6 m/s and an angle from -360 to 360 degrees, such as {option} 8,-2.5"
            )
        })?;
        let Some(tip) = fields.next() else { return Ok(Self { velocity, tip: None }) };
        let tip = Tip::parse(tip).ok_or_else(|| {
            format!(
                "{option} {text}: after speed and angle give side and top, each from -1 to 1 ball radii right of and above the middle, \
                 and if you like the elevation of the cue from 0 to 90 degrees, such as {option} 3,0,0.3,-0.2,5"
            )
        })?;
        Ok(Self { velocity, tip: Some(tip) })
    }

    /// Reads a shot that is only displayed, not played.
    ///
    /// # Errors
    /// As for [`Shot::parse`], and if there is nothing to display: the tip would slip off, or the speed is zero.
    pub fn parse_aim(option: &str, text: &str) -> Result<Self, String> {
        let shot = Self::parse(option, text)?;
        if shot.velocity == Vec2::ZERO {
            return Err(format!("{option} {text}: without speed there is no shot to show; give a speed above 0 m/s"));
        }
        if let Some(tip) = &shot.tip {
            // Whether the tip slips off depends on nothing else of the ball.
            let ball = Body { mass: 1.0, radius: 1.0, shape: Shape::Ball };
            struck(&TablePhysics::default(), &ball, shot.velocity, tip)
                .map_err(|miscue| format!("{option}: {miscue}"))?;
        }
        Ok(shot)
    }

    /// The stroke of a cue that makes this shot at a ball at rest. Without a tip, it hits the middle.
    pub(super) fn cue_strike(&self, cue: &Cue, ball: &Body) -> cue::CueStrike {
        let Tip { side, top, elevation } = self.tip.unwrap_or_default();
        let direction = self.velocity.as_dvec2();
        let strike = cue::CueStrike { speed: 0.0, direction, side, top, elevation: elevation.to_radians() };
        cue::CueStrike { speed: cue::cue_speed(cue, ball, &strike, direction.length()), ..strike }
    }

    /// The disc to shoot.
    ///
    /// # Errors
    /// If the cue cannot make this shot on it.
    pub(super) fn disc(&self, option: &str, world: &mut World) -> Result<Entity, String> {
        let disc = disc_to_shoot(world)?;
        let Some(tip) = self.tip else { return Ok(disc) };
        let found = world.entity(disc);
        let name = || name(found.contains::<CueBall>(), found.get::<StableId>().map_or(0, |id| id.0));
        if !found.contains::<AngularVelocity>() {
            return Err(format!(
                "{option}: {} does not spin, so the tip can only hit its middle; give speed and angle alone, or take a scene of \
                 billiard balls such as nine-ball",
                name()
            ));
        }
        if !found.contains::<Ball>() && tip.top != 0.0 {
            return Err(format!("{option}: {} is flat and knows only the side; give 0 as top", name()));
        }
        Ok(disc)
    }
}

impl Tip {
    fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        let tip = match *numbers? {
            [side, top] => Self { side, top, elevation: 0.0 },
            [side, top, elevation] => Self { side, top, elevation },
            _ => return None,
        };
        let within = |offset: f64| (-1.0..=1.0).contains(&offset);
        Some(tip).filter(|tip| within(tip.side) && within(tip.top) && (0.0..=90.0).contains(&tip.elevation))
    }
}

fn velocity((speed, angle): (&str, &str)) -> Option<Vec2> {
    let (speed, angle): (f32, f32) = (speed.trim().parse().ok()?, angle.trim().parse().ok()?);
    let makes_sense = (0.0..=1e6).contains(&speed) && (-360.0..=360.0).contains(&angle);
    makes_sense.then(|| direction(angle) * speed)
}

/// The unit vector at an angle in degrees. Multiples of 90 degrees are exact.
fn direction(angle: f32) -> Vec2 {
    let quarters = (angle / 90.0).round();
    let (sin, cos) = ops::sin_cos((angle - 90.0 * quarters).to_radians());
    let direction = match quarters as i32 & 3 {
        0 => Vec2::new(cos, sin),
        1 => Vec2::new(-sin, cos),
        2 => Vec2::new(-cos, -sin),
        _ => Vec2::new(sin, -cos),
    };
    // Adding zero removes the sign of a negative zero.
    direction + Vec2::ZERO
}

/// The effect of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Strike {
    /// The id of the disc.
    disc: u64,
    cue_ball: bool,
    /// The requested speed along the cue, metres per second.
    speed: f32,
    /// Degrees counter-clockwise from the right.
    angle: f32,
    /// Where the tip hit, in radii right of and above the middle.
    side: f64,
    top: f64,
    /// Elevation of the cue, degrees.
    elevation: f64,
    /// The resulting velocity of the disc, metres per second.
    velocity: [f32; 2],
    /// The resulting angular velocity, radians per second, z up. None if the disc does not spin.
    angular_velocity: Option<[f32; 3]>,
    /// The vertical velocity with which a ball leaves the cloth, metres per second. Left out if it stays there.
    #[serde(skip_serializing_if = "Option::is_none")]
    take_off: Option<f32>,
}

impl Strike {
    /// Plays the shot: sets the velocities of the disc.
    pub(super) fn play(world: &mut World, shot: &Shot) -> Result<Self, String> {
        let disc = shot.disc("--strike", world)?;
        let table = world.get_resource::<TablePhysics>().cloned().unwrap_or_default();
        let table = table.in_mode(world.resource::<CollisionSettings>().mode);
        let mut disc = world.entity_mut(disc);
        let spins = disc.contains::<AngularVelocity>();
        let size = (disc.get::<Radius>().copied(), disc.get::<Mass>().copied());
        let above = disc.get::<Height>().map_or(0.0, |above| above.height);
        let (velocity, angular_velocity, height) = match (shot.tip, size) {
            (Some(tip), (Some(Radius(radius)), Some(Mass(mass)))) => {
                let shape = if disc.contains::<Ball>() { Shape::Ball } else { Shape::Flat };
                let body = Body { mass: f64::from(mass), radius: f64::from(radius), shape };
                let motion = struck(&table, &body, shot.velocity, &tip);
                let motion = motion.map_err(|miscue| format!("--strike: {miscue}"))?;
                (motion.velocity.as_vec2(), motion.angular_velocity.as_vec3(), motion.height_at(above))
            }
            _ => (shot.velocity, Vec3::ZERO, Motion::default().height_at(above)),
        };
        disc.insert(Velocity(velocity));
        if spins {
            disc.insert(AngularVelocity(angular_velocity));
        }
        if table.flight.is_some() {
            match height {
                Some(height) => disc.insert(height),
                None => disc.remove::<Height>(),
            };
        }
        let Tip { side, top, elevation } = shot.tip.unwrap_or_default();
        Ok(Self {
            disc: disc.get::<StableId>().map_or(0, |id| id.0),
            cue_ball: disc.contains::<CueBall>(),
            speed: shot.velocity.length(),
            angle: ops::atan2(shot.velocity.y, shot.velocity.x).to_degrees(),
            side,
            top,
            elevation,
            velocity: velocity.to_array(),
            angular_velocity: spins.then_some(angular_velocity.to_array()),
            take_off: height.filter(|_| table.flight.is_some()).map(|height| height.speed),
        })
    }
}

impl Strike {
    /// The id of the ball, if the stroke makes it leave the cloth.
    pub(super) fn flies(&self) -> Option<u64> {
        self.take_off.filter(|speed| *speed > 0.0).map(|_| self.disc)
    }
}

/// The motion that the default cue gives to a ball at rest.
fn struck(table: &TablePhysics, ball: &Body, velocity: Vec2, tip: &Tip) -> Result<Motion, cue::Miscue> {
    let cue = Cue::default();
    cue::strike_on(table, &cue, ball, &Shot { velocity, tip: Some(*tip) }.cue_strike(&cue, ball))
}

/// The name of a disc in messages.
pub(super) fn name(cue_ball: bool, disc: u64) -> String {
    if cue_ball { format!("the cue ball (disc {disc})") } else { format!("disc {disc}") }
}

impl fmt::Display for Strike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { disc, cue_ball, speed, angle, side, top, elevation, velocity, angular_velocity, take_off } = *self;
        let (speed, angle) = (decimals(f64::from(speed), 3), decimals(f64::from(angle), 2));
        write!(f, "{} with {speed} m/s at {angle} degrees", name(cue_ball, disc))?;
        let Some(angular_velocity) = angular_velocity else { return Ok(()) };
        if (side, top) != (0.0, 0.0) {
            let (side, top) = (decimals(side, 2), decimals(top, 2));
            write!(f, ", {side} radii right of and {top} above the middle")?;
        }
        if elevation > 0.0 {
            write!(f, ", the cue raised by {} degrees", decimals(elevation, 1))?;
        }
        let milli = |number: f32| decimals(f64::from(number), 3);
        let ([x, y], [wx, wy, wz]) = (velocity.map(milli), angular_velocity.map(milli));
        write!(f, ": ({x}, {y}) m/s, ({wx}, {wy}, {wz}) rad/s")?;
        take_off.map_or(Ok(()), |speed| write!(f, ", {} m/s up from the cloth", milli(speed)))
    }
}

const NO_DISC: &str = "there is no disc to shoot";

type DiscToShoot<'a> = (Entity, &'a StableId, Has<CueBall>, Has<InPocket>, Has<OffTable>);

/// The disc to shoot: the cue ball, or else the disc with the lowest id. Discs in pockets and off the table cannot be
/// shot.
pub(super) fn disc_to_shoot(world: &mut World) -> Result<Entity, String> {
    let mut discs = world.query_filtered::<DiscToShoot, (With<Disc>, Without<Inactive>)>();
    let first = discs
        .iter(world)
        .map(|(entity, id, is_cue, in_pocket, is_off)| (entity, id, is_cue, in_pocket || is_off, is_off))
        .min_by_key(|&(_, id, is_cue, is_out, _)| (!is_cue, is_out, *id));
    match first {
        Some((entity, .., false, _)) => Ok(entity),
        Some((_, id, is_cue, _, false)) => Err(format!("{} lies in a pocket and cannot be shot", name(is_cue, id.0))),
        Some((_, id, is_cue, ..)) => Err(format!("{} has left the table and cannot be shot", name(is_cue, id.0))),
        None => Err(NO_DISC.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec2;

    use super::*;
    use crate::collision::{SolverMode, spin::FlightPhysics};

    #[test]
    fn a_shot_is_a_speed_and_an_angle() {
        let velocity = |text| Shot::parse("--aim", text).map(|shot| shot.velocity);
        assert_eq!(velocity("9, 0"), Ok(Vec2::new(9.0, 0.0)));
        assert!((velocity("2,-90").unwrap() - Vec2::new(0.0, -2.0)).length() < 1e-6);
        for angle in -360..=360_i16 {
            let Vec2 { x, y } = direction(f32::from(angle));
            let (sin, cos) = f64::from(angle).to_radians().sin_cos();
            assert!((f64::from(x) - cos).abs() < 1e-7 && (f64::from(y) - sin).abs() < 1e-7, "{angle}: {x}, {y}");
            let is_exact = |number: f32| [0.0_f32, 1.0, -1.0].iter().any(|one| one.to_bits() == number.to_bits());
            assert!(angle % 90 != 0 || is_exact(x) && is_exact(y), "{angle}: {x}, {y}");
        }
        for wrong in ["9", "9,", "-1,0", "1e9,0", "1,inf", "nan,0", "9,1e30", "9,-361", ""] {
            let error = Shot::parse("--strike", wrong).unwrap_err();
            assert!(error.contains("from -360 to 360 degrees, such as --strike 8,-2.5"), "{error}");
        }
    }

    #[test]
    fn and_where_the_tip_hits() {
        let tip = |text| Shot::parse("--strike", text).map(|shot| shot.tip);
        assert_eq!(tip("9, -2.5"), Ok(None));
        assert_eq!(tip("9,0,0.3,-0.2"), Ok(Some(Tip { side: 0.3, top: -0.2, elevation: 0.0 })));
        assert_eq!(tip("9,0, 0,0 ,90"), Ok(Some(Tip { elevation: 90.0, ..Tip::default() })));
        for wrong in [
            "9,0,",
            "9,0,0.1",
            "9,0,0.1,",
            "9,0,,0.1",
            "9,0,nan,0",
            "9,0,0,1.1",
            "9,0,0,0,-1",
            "9,0,0,0,91",
            "9,0,0,0,5,6",
        ] {
            let error = tip(wrong).unwrap_err();
            assert!(
                error.starts_with(&format!("--strike {wrong}: after speed and angle give side and top")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_ball_gets_the_speed_along_the_cue() {
        let ball = Body { mass: 0.170097, radius: 0.028575, shape: Shape::Ball };
        let velocity = Vec2::Y * 4.0;
        let table = TablePhysics::default();
        let motion = struck(&table, &ball, velocity, &Tip { top: 0.4, ..Tip::default() }).unwrap();
        assert!((motion.velocity - DVec2::Y * 4.0).length() < 1e-12, "{motion:?}");
        // It rolls at once.
        assert!((motion.angular_velocity.x + 4.0 / ball.radius).abs() < 1e-9, "{motion:?}");
        let raised = Tip { elevation: 60.0, ..Tip::default() };
        assert!((struck(&table, &ball, velocity, &raised).unwrap().velocity.length() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_raised_cue_makes_a_ball_jump_where_balls_fly() {
        let play = |mode: SolverMode, flight: Option<FlightPhysics>, shot: &str| {
            let mut world = World::new();
            world.insert_resource(CollisionSettings { mode, ..CollisionSettings::default() });
            world.insert_resource(TablePhysics { flight, ..TablePhysics::default() });
            let disc =
                world.spawn((Disc, Ball, StableId(1), Radius(0.028575), Mass(0.170097), AngularVelocity::default()));
            let disc = disc.id();
            let strike = Strike::play(&mut world, &Shot::parse("--strike", shot).unwrap()).unwrap();
            (strike, world.get::<Height>(disc).copied())
        };
        let flight = Some(FlightPhysics::default());
        let (strike, height) = play(SolverMode::Continuous, flight, "4,0,0,0,45");
        let speed = 0.5 * 4.0 * core::f32::consts::FRAC_1_SQRT_2;
        assert!(height.is_some_and(|above| above.height == 0.0 && (above.speed - speed).abs() < 1e-6), "{height:?}");
        assert_eq!(strike.take_off, height.map(|above| above.speed));
        assert!(strike.to_string().ends_with(", 1.414 m/s up from the cloth"), "{strike}");
        // The slate slows the ball to the speed of rolling.
        assert!((strike.velocity[0] - 4.0 * 5.0 / 7.0 * core::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6, "{strike:?}");
        let held = play(SolverMode::Continuous, None, "4,0,0,0,45");
        assert_eq!((held.0.take_off, held.1), (None, None));
        assert_eq!(play(SolverMode::Stepped, flight, "4,0,0,0,45"), held);
        assert_eq!(
            play(SolverMode::Continuous, flight, "4,0,0.2,0.1"),
            play(SolverMode::Continuous, None, "4,0,0.2,0.1"),
            "a level cue"
        );
    }
}
