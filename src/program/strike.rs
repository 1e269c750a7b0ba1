//! A shot that the command line asks for: the cue ball, or else the first disc, gets a velocity.

use bevy::{
    math::{Vec2, ops},
    prelude::*,
};
use serde::Serialize;

use super::decimals;
use crate::{
    disc::{Disc, StableId, Velocity},
    scene::CueBall,
};

/// Reads `SPEED,ANGLE`, metres per second and degrees against the clock from the right, as a velocity. `option` is what
/// it is called on the command line.
pub(super) fn parse(option: &str, text: &str) -> Result<Vec2, String> {
    let numbers = text.split_once(',').and_then(|(v, a)| Some((v.trim().parse().ok()?, a.trim().parse().ok()?)));
    numbers
        .filter(|(speed, angle): &(f32, f32)| (0.0..=1e6).contains(speed) && (-360.0..=360.0).contains(angle))
        .map(|(speed, angle)| {
            let (sin, cos) = ops::sin_cos(angle.to_radians());
            Vec2::new(cos, sin) * speed
        })
        .ok_or_else(|| {
            format!(
                "{option} {text}: give a speed from 0 to 1e6 m/s and an angle from -360 to 360 degrees, such as {option} 8,-2.5"
            )
        })
}

/// What a shot did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Strike {
    /// The number of the disc.
    disc: u64,
    cue_ball: bool,
    /// Metres per second.
    velocity: [f32; 2],
    speed: f32,
    /// Degrees against the clock from the right.
    angle: f32,
}

impl Strike {
    /// Shoots: the disc has this velocity (m/s) from now on.
    pub(super) fn play(world: &mut World, velocity: Vec2) -> Result<Self, String> {
        let disc = disc_to_shoot(world).ok_or("there is no disc to shoot")?;
        let mut disc = world.entity_mut(disc);
        disc.insert(Velocity(velocity));
        Ok(Self {
            disc: disc.get::<StableId>().map_or(0, |id| id.0),
            cue_ball: disc.contains::<CueBall>(),
            velocity: velocity.to_array(),
            speed: velocity.length(),
            angle: ops::atan2(velocity.y, velocity.x).to_degrees(),
        })
    }
}

impl std::fmt::Display for Strike {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { disc, speed, angle, .. } = self;
        let name = if self.cue_ball { format!("the cue ball (disc {disc})") } else { format!("disc {disc}") };
        let (speed, angle) = (decimals(f64::from(*speed), 3), decimals(f64::from(*angle), 2));
        write!(f, "{name} with {speed} m/s at {angle} degrees")
    }
}

/// The disc that is shot: the cue ball, or else the first by its number.
pub(super) fn disc_to_shoot(world: &mut World) -> Option<Entity> {
    let mut discs = world.query_filtered::<(Entity, &StableId, Has<CueBall>), With<Disc>>();
    discs.iter(world).min_by_key(|&(_, id, is_cue)| (!is_cue, *id)).map(|(entity, ..)| entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shot_is_a_speed_and_an_angle() {
        assert_eq!(parse("--strike", "9, 0"), Ok(Vec2::new(9.0, 0.0)));
        assert!((parse("--strike", "2,-90").unwrap() - Vec2::new(0.0, -2.0)).length() < 1e-6);
        for wrong in ["9", "9,", "-1,0", "1e9,0", "1,inf", "nan,0", "9,1e30", "9,-361"] {
            let error = parse("--strike", wrong).unwrap_err();
            assert!(error.contains("from -360 to 360 degrees, such as --strike 8,-2.5"), "{error}");
        }
    }
}
