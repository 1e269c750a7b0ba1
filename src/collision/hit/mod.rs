//! Hits: two sides, a normal, and what answers them. What discs, terrain, blocks and kinematic discs make of each other
//! where they touch and approach.
//!
//! | module | what it holds |
//! |---|---|
//! | `surface` | the place where a disc touches terrain: which way is away from it, how fast it moves, how one slides along the inside of an arc |
//! | `answers` | restitution, kick, friction and conveyor speed of a hit, after the hooks of a game |
//! | `response` | the impulses along the normal, and how far overlapping discs give way: numbers in, numbers out |
//! | `on_table` | the impulses of two that spin on a table, or of one and a cushion |
//! | `precise_check` | how two discs meet, classified by their times of impact; for showing |
//! | `bounce` | what a hit makes of a disc on a surface or at a cushion, and of two that rub |
//!
//! The models of balls and cushions are in [`spin`](super::spin).

use bevy::{math::DVec2, prelude::*};

pub mod answers;
mod bounce;
pub mod on_table;
mod precise_check;
pub mod response;
mod surface;

pub use bounce::{CushionBounce, bounce_in_place, bounce_off_cushion, rub_pair};
pub use precise_check::TimeOfImpact;
pub use surface::{Obstacle, Surface, hop};

/// An overlap of two discs, found by `PushApart` and consumed by `Impulse`; those at rest are left to `Settle`. `a < b`
/// are indices into [`Discs`](crate::collision::Discs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The first disc.
    pub a: u32,
    /// The second disc.
    pub b: u32,
    /// Unit vector from the centre of `a` to that of `b`, before they were pushed apart.
    pub normal: Vec2,
    /// The overlap in metres, before they were pushed apart.
    pub penetration: f32,
}

/// A collision that was resolved, as the steps record it: indices instead of entities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The first disc, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// What it hit.
    pub target: HitTarget<u32>,
    /// Where, metres.
    pub point: Vec2,
    /// Unit vector from the disc toward what it hit.
    pub normal: Vec2,
    /// How fast they approached along the normal, m/s.
    pub approach_speed: f32,
    /// The velocity of the disc's centre relative to what it hit, before, m/s.
    pub relative_velocity: Vec2,
    /// The impulse that each gave the other, N s.
    pub impulse: f32,
    /// When, seconds from the start of the tick; in the stepped mode the end of the substep that saw it.
    pub time: f32,
}

/// The velocity before a hit relative to what is hit: `straight`, that of the straight path, but along the normal (a
/// unit vector toward what is hit) the true speed of approach, m/s.
pub fn relative_velocity(straight: DVec2, normal: DVec2, approach: f64) -> Vec2 {
    (straight + normal * (approach - straight.dot(normal))).as_vec2()
}

impl Hit {
    /// The same hit told from the other side where that is the disc with the lower index, as of two discs the lower one
    /// comes first.
    pub(crate) fn lower_first(self) -> Self {
        match self.target {
            HitTarget::Disc(other) if other < self.disc => Self {
                disc: other,
                target: HitTarget::Disc(self.disc),
                normal: -self.normal,
                relative_velocity: -self.relative_velocity,
                ..self
            },
            _ => self,
        }
    }
}

/// What a disc collided with. A disc is named by its entity, or in a [`Hit`] by its index into
/// [`Discs`](crate::collision::Discs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget<D = Entity> {
    /// A disc.
    Disc(D),
    /// A wall of this piece of terrain.
    Wall(Entity),
    /// A corner of this piece of terrain, or a bumper.
    FixedCircle(Entity),
}

impl HitTarget {
    /// The entity, whatever it is.
    #[must_use]
    pub fn entity(self) -> Entity {
        match self {
            Self::Disc(entity) | Self::Wall(entity) | Self::FixedCircle(entity) => entity,
        }
    }
}

impl HitTarget<u32> {
    /// The entity of a piece of terrain; no entity for a disc.
    pub(crate) fn entity_of_terrain(self) -> Entity {
        match self {
            Self::Disc(_) => Entity::PLACEHOLDER,
            Self::Wall(entity) | Self::FixedCircle(entity) => entity,
        }
    }
}

/// A disc that fell into a pocket, as the steps record it: an index instead of its entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PottedDisc {
    /// The disc, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// The pocket.
    pub pocket: Entity,
    /// Where its centre entered the pocket, metres.
    pub position: Vec2,
    /// With which velocity, m/s.
    pub velocity: Vec2,
    /// When, seconds from the start of the tick.
    pub time: f32,
}
