//! Rack: fifteen billiard balls in a triangle, as for a game of 8-ball.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::Generate;
use crate::{
    billiards::tables::EIGHT_BALL,
    components::{InvalidValue, Mass, Radius, check_field},
    scene::{contents::Contents, entries::DiscEntry, registry::SceneRegistry},
};

/// Fifteen balls in a triangle, with the 8 in the middle, and a solid and a striped ball in the two rear corners. The
/// rules of the World Pool-Billiard Association leave the rest of the order free.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rack {
    /// The centre of the ball at the apex, metres. Default: zero.
    pub apex: Vec2,
    /// The direction from the apex into the rack; any length above zero. Default: along x.
    pub direction: Vec2,
    /// The radius of a ball, metres. Default: 0.028575, which is a diameter of 2 1/4 inches.
    pub radius: f32,
    /// The mass of a ball, kilograms. Default: 0.170097, which is 6 ounces.
    pub mass: f32,
    /// The gap between neighbouring balls, metres; zero or more. Default: 0.
    pub gap: f32,
}

impl Default for Rack {
    fn default() -> Self {
        Self { apex: Vec2::ZERO, direction: Vec2::X, radius: 0.028_575, mass: 0.170_097, gap: 0.0 }
    }
}

impl Generate for Rack {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        InvalidValue::check_coordinates("apex", self.apex)?;
        check_field("radius", &Radius(self.radius))?;
        check_field("mass", &Mass(self.mass))?;
        if !(self.gap >= 0.0 && self.gap.is_finite()) {
            return Err(InvalidValue::new("gap", self.gap, "set it to a finite number, zero or more"));
        }
        let Some(along) = self.direction.try_normalize() else {
            return Err(InvalidValue::new("direction", self.direction, "set it to one that has a length"));
        };
        let across = along.perp();
        let pitch = 2.0 * self.radius + self.gap;
        let row_pitch = pitch * (0.75_f32).sqrt();
        let places = (0..5_u8).flat_map(|row| (0..=row).map(move |place| (f32::from(row), f32::from(place))));
        for ((row, place), number) in places.zip(EIGHT_BALL) {
            let side = (place - 0.5 * row) * pitch;
            contents.discs.push(DiscEntry {
                position: self.apex + along * (row * row_pitch) + across * side,
                radius: self.radius,
                mass: Some(self.mass),
                number: Some(number),
                striped: number > 8,
                ..DiscEntry::default()
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rack_holds_every_ball_once_and_none_overlap() {
        let mut contents = Contents::default();
        let rack = Rack { gap: 1e-5, direction: Vec2::new(3.0, 4.0), ..Rack::default() };
        rack.run(&mut contents, &SceneRegistry::default()).unwrap();
        let mut numbers: Vec<u8> = contents.discs.iter().filter_map(|disc| disc.number).collect();
        assert_eq!(contents.discs[4].number, Some(8));
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=15).collect::<Vec<_>>());
        for (i, a) in contents.discs.iter().enumerate() {
            for b in &contents.discs[i + 1..] {
                assert!(a.position.distance(b.position) > a.radius + b.radius, "{a:?} {b:?}");
            }
        }
    }
}
