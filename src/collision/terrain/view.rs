//! A read-only view of all static terrain.

use bevy::{math::DVec2, prelude::*};

use super::index::{Piece, TerrainIndex};
use crate::collision::{
    hit::{HitTarget, Obstacle},
    shape::{
        Bounds, FixedCircle, Wall,
        time_of_impact::{circle_time_of_impact, wall_time_of_impact},
        wall::{Closest, crosses},
    },
};

/// A read-only view of all terrain.
#[derive(Clone, Copy)]
pub struct TerrainView<'a> {
    pub walls: &'a [Wall],
    pub fixed_circles: &'a [FixedCircle],
    pub index: &'a TerrainIndex,
}

impl TerrainView<'_> {
    /// The obstacle that a piece is for a disc.
    pub fn obstacle(&self, piece: Piece) -> Obstacle {
        match piece {
            Piece::Wall(wall) => {
                let wall = &self.walls[wall as usize];
                Obstacle { target: HitTarget::Wall(wall.entity), restitution: wall.restitution }
            }
            Piece::FixedCircle(circle) => {
                let circle = &self.fixed_circles[circle as usize];
                Obstacle { target: HitTarget::FixedCircle(circle.entity), restitution: circle.restitution }
            }
        }
    }

    /// The time until a disc with this centre, velocity and radius touches a piece, in seconds: now if they overlap and
    /// approach.
    #[inline(always)]
    pub fn time_of_impact(&self, piece: Piece, [centre, velocity]: [DVec2; 2], radius: f64) -> f64 {
        let speed = velocity.x.abs() + velocity.y.abs();
        match piece {
            Piece::Wall(wall) => wall_time_of_impact(centre, velocity, radius, speed, &self.walls[wall as usize]),
            Piece::FixedCircle(circle) => {
                circle_time_of_impact(centre, velocity, radius, speed, &self.fixed_circles[circle as usize])
            }
        }
    }

    /// The closest point of a piece to a place.
    #[inline]
    pub fn closest(&self, piece: Piece, place: DVec2) -> Closest {
        match piece {
            Piece::Wall(wall) => self.walls[wall as usize].closest(place),
            Piece::FixedCircle(circle) => self.fixed_circles[circle as usize].closest(place),
        }
    }

    /// Whether a point is farther than `least` metres from a piece, without computing roots and quotients.
    #[inline]
    pub fn is_beyond(&self, piece: Piece, from: DVec2, least: f64) -> bool {
        match piece {
            Piece::Wall(wall) => {
                let wall = &self.walls[wall as usize];
                if let Some(curved) = wall.curved() {
                    return curved.distance(from) > least;
                }
                let Wall { a, b, .. } = *wall;
                let (from, along) = (from - a.as_dvec2(), b.as_dvec2() - a.as_dvec2());
                let (part, squared) = (from.dot(along), along.length_squared());
                if part > 0.0 && part < squared {
                    let beside = along.perp_dot(from);
                    beside * beside > least * least * squared
                } else {
                    let end = if part > 0.0 { from - along } else { from };
                    end.length_squared() > least * least
                }
            }
            Piece::FixedCircle(circle) => {
                let FixedCircle { centre, radius, .. } = &self.fixed_circles[circle as usize];
                let least = least + f64::from(*radius);
                (from - centre.as_dvec2()).length_squared() > least * least
            }
        }
    }

    /// The bounding box of a piece.
    pub fn bounds(&self, piece: Piece) -> Bounds {
        match piece {
            Piece::Wall(wall) => self.walls[wall as usize].bounds(),
            Piece::FixedCircle(circle) => self.fixed_circles[circle as usize].bounds(),
        }
    }
}

/// The direction away from a piece of terrain at a point, of any length, and the closest point of the piece.
pub fn away_from(piece: Piece, fixed: &TerrainView, centre: DVec2, velocity: DVec2) -> (DVec2, DVec2) {
    match piece {
        Piece::Wall(wall) => {
            let wall = &fixed.walls[wall as usize];
            if let Some(curved) = wall.curved() {
                return curved.away_from(centre, velocity);
            }
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let (along, from) = (b - a, centre - a);
            let side = if along.perp_dot(from) >= 0.0 { 1.0 } else { -1.0 };
            let share = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (along.perp() * side, a + along * share)
        }
        Piece::FixedCircle(circle) => {
            let circle = &fixed.fixed_circles[circle as usize];
            let at = circle.centre.as_dvec2();
            let away = if centre == at { -velocity } else { centre - at };
            (away, at + away.normalize_or_zero() * f64::from(circle.radius))
        }
    }
}

/// Whether a path crosses any static wall.
pub fn crosses_any(fixed: &TerrainView, from: Vec2, to: Vec2) -> bool {
    let mut found = false;
    fixed.index.for_each_overlapping(Bounds::of_points([from, to]), |piece| {
        if let Piece::Wall(wall) = piece {
            found |= crosses(&fixed.walls[wall as usize], from, to);
        }
    });
    found
}
