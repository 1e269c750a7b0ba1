//! Areas of the table in which a ball scores when it comes to rest.

use bevy::math::Vec2;

use super::BallId;

/// An area of the table, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// A circle.
    Circle {
        /// Its centre.
        centre: Vec2,
        /// Its radius.
        radius: f32,
    },
    /// A rectangle along the sides of the table.
    Rectangle {
        /// The corner with the smallest coordinates.
        min: Vec2,
        /// The corner with the largest coordinates.
        max: Vec2,
    },
}

impl Area {
    /// The distance from a place to the area, metres; 0 inside.
    #[must_use]
    pub fn distance(self, place: Vec2) -> f32 {
        match self {
            Self::Circle { centre, radius } => (place.distance(centre) - radius).max(0.0),
            Self::Rectangle { min, max } => place.distance(place.clamp(min, max)),
        }
    }
}

/// An area in which a ball scores when it comes to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The ball.
    pub ball: BallId,
    /// The area.
    pub area: Area,
    /// How far outside the area the centre of the ball may be, metres.
    pub tolerance: f32,
    /// The points for it.
    pub points: i32,
}

impl Target {
    /// The distance that a ball at rest with its centre here is outside the target, metres; 0 if it scores.
    #[must_use]
    pub fn miss(&self, place: Vec2) -> f32 {
        (self.area.distance(place) - self.tolerance).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::vec2;

    use super::*;

    #[test]
    fn a_distance_is_to_the_nearest_edge_and_zero_inside() {
        let circle = Area::Circle { centre: vec2(1.0, 1.0), radius: 0.5 };
        let rectangle = Area::Rectangle { min: vec2(0.0, 0.0), max: vec2(2.0, 1.0) };
        for (area, place, expected) in [
            (circle, vec2(1.3, 1.4), 0.0),
            (circle, vec2(4.0, 5.0), 4.5),
            (rectangle, vec2(2.0, 0.0), 0.0),
            (rectangle, vec2(5.0, 5.0), 5.0),
            (rectangle, vec2(1.0, -0.25), 0.25),
        ] {
            assert!((area.distance(place) - expected).abs() < 1e-6, "{area:?} {place}");
        }
        let target = Target { ball: BallId(0), area: circle, tolerance: 0.25, points: 1 };
        assert_eq!(target.miss(vec2(1.0, 1.7)), 0.0);
        assert!((target.miss(vec2(1.0, 2.0)) - 0.25).abs() < 1e-6);
    }
}
