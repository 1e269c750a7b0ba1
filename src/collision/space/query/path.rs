//! The path of a disc off terrain, bounce by bounce: straight segments, with the bounces of the tick.

use bevy::{math::DVec2, prelude::*};

use super::{
    CastHit, SpatialQueryFilter,
    across::MetAcross,
    cast::{Met, Way},
};
use crate::{
    collision::{
        hit::{
            Obstacle,
            answers::{Answer, Side},
        },
        path::flight::Flight,
        space::PhysicsSpace,
        terrain::away_from,
    },
    components::Rotation,
};

/// The start of a disc, and the limits of its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathCast {
    /// The position of its centre, metres.
    pub position: Vec2,
    /// Its velocity, m/s. The speed matters only for restitution below a resting speed.
    pub velocity: Vec2,
    /// Its radius, metres; zero for a ray of light. Default: 0.
    pub radius: f32,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
    /// The disc whose [`RestitutionRule`](crate::components::RestitutionRule),
    /// [`BumperKick`](crate::components::BumperKick) and [`Friction`](crate::components::Friction) it uses. Default:
    /// `None`, which uses none of them.
    pub disc: Option<Entity>,
    /// The largest number of bounces off terrain. The path ends where the disc touches the next piece. Default:
    /// unlimited.
    pub bounces: usize,
    /// The greatest length of the path, metres. Default: 100.
    pub length: f32,
}

impl Default for PathCast {
    fn default() -> Self {
        Self {
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            radius: 0.0,
            restitution: None,
            disc: None,
            bounces: usize::MAX,
            length: 100.0,
        }
    }
}

/// A point of a path: its start, a turn, or its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// The position of the centre of the disc, metres.
    pub position: Vec2,
    /// The distance along the path, metres.
    pub distance: f32,
    /// The velocity from here on, m/s; at the end, the velocity of arrival.
    pub velocity: Vec2,
    /// The hit at this point; `None` at the start, and at an end by length.
    pub hit: Option<CastHit>,
}

/// The path of a cast disc.
#[derive(Clone, Debug, PartialEq)]
pub struct CastPath {
    /// Its points from the start. There is at least one.
    pub points: Vec<PathPoint>,
}

impl CastPath {
    /// The disc that ends the path, if any.
    #[must_use]
    pub fn disc(&self) -> Option<CastHit> {
        let hit = self.points.last()?.hit?;
        matches!(hit.target, crate::collision::HitTarget::Disc(_)).then_some(hit)
    }
}

/// The largest number of points of a path: a ball between two walls that nearly touch bounces endlessly.
const MAX_POINTS: usize = 100_000;

impl PhysicsSpace {
    /// The path of a disc off terrain. Each bounce is as in the tick for a disc without spin, with the settings of
    /// the last tick. It uses the restitution, rules, kicks, friction and surface velocities of the pieces and the
    /// disc. The path ends where the disc first touches another disc, after the largest number of bounces, or at the
    /// greatest length.
    ///
    /// Everything else is treated as static, including blocks, no force acts between bounces, and [contact
    /// hooks](crate::collision::ContactHook) are not called. To include gravity, drag, spin, the cloth and the effect
    /// on other discs, use a [`Predictor`](crate::timeline::Predictor).
    #[must_use]
    pub fn cast_path(&self, cast: &PathCast, filter: &SpatialQueryFilter) -> CastPath {
        let mut velocity = cast.velocity.as_dvec2();
        let mut from = cast.position.as_dvec2();
        let (mut come, length) = (0.0, f64::from(cast.length));
        let mut bounces = 0;
        let point = |position: DVec2, come: f64, velocity: DVec2, hit| PathPoint {
            position: position.as_vec2(),
            distance: come as f32,
            velocity: velocity.as_vec2(),
            hit,
        };
        let mut points = vec![point(from, 0.0, velocity, None)];
        while let Some(direction) = velocity.try_normalize()
            && points.len() < MAX_POINTS
            && come < length
        {
            let way = Way { from, direction, radius: f64::from(cast.radius) };
            let Some(first) = self.first_met_across(&way, length - come, filter) else {
                if length.is_finite() {
                    points.push(point(self.wrapped_exactly(way.at(length - come)), length, velocity, None));
                }
                break;
            };
            let MetAcross { way, along, distance, met } = first;
            let hit = Some(CastHit { distance: distance as f32, ..self.cast_hit(&way, along, met) });
            (from, come) = (way.at(along), come + distance);
            let Met::Terrain(terrain, piece) = met else {
                points.push(point(from, come, velocity, hit));
                break;
            };
            if bounces == cast.bounces {
                points.push(point(from, come, velocity, hit));
                break;
            }
            bounces += 1;
            let (away, _) = away_from(piece, &terrain, from, velocity);
            let Obstacle { target, restitution } = terrain.obstacle(piece);
            let disc = (cast.disc.unwrap_or(Entity::PLACEHOLDER), cast.restitution);
            let answer = self.answer_to_cast(disc, (target.entity_of_terrain(), restitution));
            let e = |approach: f64| answer.restitution_at(approach, self.laws.settings.resting_speed);
            let before = Flight::ending_with(velocity, DVec2::ZERO, 0.0);
            let mut flight = before;
            if flight.bounce(away, [0.0; 2], e).is_none() {
                // By rounding, it does not approach what it touches.
                break;
            }
            let carries = answer.carries(away);
            flight.velocity -= carries;
            flight.rub(&before, away, [0.0; 2], f64::from(answer.friction));
            velocity = flight.velocity + carries;
            points.push(point(from, come, velocity, hit));
        }
        CastPath { points }
    }
}

impl PhysicsSpace {
    /// The answer to a hit of a cast disc on a piece of terrain, from the materials of the two. The piece is at its
    /// current place. Hooks are not called.
    pub(crate) fn answer_to_cast(&self, disc: Side, piece: Side) -> Answer {
        let mut answer =
            self.laws.answers.carried(&self.laws.settings, [disc, piece], self.laws.settings.terrain_restitution);
        if let Some(moving) = self.moving.pieces.iter().find(|moving| moving.key.1 == piece.0) {
            answer.surface_velocity = Rotation(moving.pose.rotation).turn(answer.surface_velocity);
            if moving.body.is_some() {
                // Blocks have no friction.
                answer.friction = 0.0;
            }
        }
        answer
    }
}
