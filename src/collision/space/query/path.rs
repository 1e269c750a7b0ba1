//! Where a disc gets to off terrain, bounce by bounce: straight ways, and the bounce of the tick.

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

/// A disc that sets out, and how far it is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathCast {
    /// Where its centre is, metres.
    pub position: Vec2,
    /// Its velocity, m/s. How fast it is matters only for restitution below a resting speed.
    pub velocity: Vec2,
    /// Its radius, metres; zero for a ray of light. Default: 0.
    pub radius: f32,
    /// Its own coefficient of restitution, if it has one.
    pub restitution: Option<f32>,
    /// The disc whose [`RestitutionRule`](crate::components::RestitutionRule), [`BumperKick`](crate::components::BumperKick) and
    /// [`Friction`](crate::components::Friction) it has. Default: none, and it has none of them.
    pub disc: Option<Entity>,
    /// It bounces at most so often off terrain, and ends where it touches the next. Default: any number.
    pub bounces: usize,
    /// Its path is at most so long, metres. Default: 100.
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

/// A point of a path: where it begins, where it turns, where it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Where the centre of the disc is, metres.
    pub position: Vec2,
    /// How far it has come, metres.
    pub distance: f32,
    /// Its velocity from here on, m/s; at the end that with which it came.
    pub velocity: Vec2,
    /// What it touches here; nothing at the start, and where the length ends.
    pub hit: Option<CastHit>,
}

/// The path of a disc that is cast.
#[derive(Clone, Debug, PartialEq)]
pub struct CastPath {
    /// Its points, from the start on. There is always one.
    pub points: Vec<PathPoint>,
}

impl CastPath {
    /// The disc that ends the path, if one does.
    #[must_use]
    pub fn disc(&self) -> Option<CastHit> {
        let hit = self.points.last()?.hit?;
        matches!(hit.target, crate::collision::HitTarget::Disc(_)).then_some(hit)
    }
}

/// A path has no more points: a ball between two walls that nearly touch bounces without end.
const MAX_POINTS: usize = 100_000;

impl PhysicsSpace {
    /// The path of a disc off terrain. Each bounce is that of the tick for a disc that does not spin, with the last
    /// tick's settings and what the pieces and the disc carry: restitution and its rules, kicks, friction and the
    /// velocities of surfaces. It ends where the disc first touches another, where it has bounced often enough, or
    /// where its length ends.
    ///
    /// All else stands still, blocks too, nothing acts on the disc between bounces, and [contact
    /// hooks](crate::collision::ContactHook) are not asked: what gravity, drag, spin and the cloth do to it, and what
    /// it does to others, tells a [`Predictor`](crate::timeline::Predictor).
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
                // A rounding: it does not approach what it touches.
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
    /// How a hit of a disc that is cast at a piece of terrain is answered by what the two carry, where the piece is
    /// now. Hooks are not asked.
    pub(crate) fn answer_to_cast(&self, disc: Side, piece: Side) -> Answer {
        let mut answer =
            self.laws.answers.carried(&self.laws.settings, [disc, piece], self.laws.settings.wall_restitution);
        if let Some(moving) = self.moving.pieces.iter().find(|moving| moving.key.1 == piece.0) {
            answer.surface_velocity = Rotation(moving.pose.rotation).turn(answer.surface_velocity);
            if moving.body.is_some() {
                // Nothing rubs on a block.
                answer.friction = 0.0;
            }
        }
        answer
    }
}
