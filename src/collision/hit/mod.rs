//! Hits: what discs, terrain, blocks and kinematic discs do to each other where they touch and approach. A hit has two
//! sides, a normal and an answer.
//!
//! | module | contents |
//! |---|---|
//! | `surface` | the contact of a disc with terrain: direction, velocity there, sliding along the inside of an arc |
//! | `answers` | restitution, kick, friction and conveyor speed of a hit, after the hooks of a game |
//! | `response` | impulses along the normal, and push-apart of overlapping discs: values in, values out |
//! | `on_table` | impulses of two discs that spin on a table, or of one disc and a cushion |
//! | `precise_check` | the relation of two discs by their times of impact, for display |
//! | `bounce` | bounces off a surface or a cushion, and friction between two discs |
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

/// An overlap of two discs, found by `PushApart` and consumed by `Impulse`; resting contacts are left to `Settle`.
/// `a < b` are indices into [`Discs`](crate::collision::Discs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The first disc.
    pub a: u32,
    /// The second disc.
    pub b: u32,
    /// Unit vector from the centre of `a` to the centre of `b`, before they were pushed apart.
    pub normal: Vec2,
    /// The overlap in metres, before they were pushed apart.
    pub penetration: f32,
}

/// A resolved collision, as the steps record it: with indices instead of entities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The first disc, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// What it hit.
    pub target: HitTarget<u32>,
    /// The point of contact, metres.
    pub point: Vec2,
    /// Unit vector from the disc toward what it hit.
    pub normal: Vec2,
    /// The speed of approach along the normal, m/s.
    pub approach_speed: f32,
    /// The velocity of the centre of the disc relative to what it hit before the hit, m/s.
    pub relative_velocity: Vec2,
    /// The impulse on each side, N s.
    pub impulse: f32,
    /// The time, seconds from the start of the tick. In the stepped mode, the end of the substep that detected the hit.
    pub time: f32,
    /// The velocity of the disc at the hit.
    pub velocity: VelocityChange,
    /// The velocity of the other disc at the hit; `None` if it hit terrain.
    pub other_velocity: Option<VelocityChange>,
}

/// The velocity of the centre of a disc just before and just after a hit, m/s.
///
/// If a disc hits several things at the same moment, each hit starts with the velocity that the one before it left.
///
/// Without forces, and for balls on a billiard table, the velocities are exact to rounding. Gravity acts up to the hit.
/// Other forces act once per tick in the continuous mode, and once per substep in the stepped mode, so the velocities
/// may be off by what these change in that time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VelocityChange {
    /// Just before the hit.
    pub before: Vec2,
    /// Just after it, with friction, kick and conveyor speed.
    pub after: Vec2,
}

impl VelocityChange {
    /// From the velocities before and after, m/s.
    pub(crate) fn new([before, after]: [DVec2; 2]) -> Self {
        Self { before: before.as_vec2(), after: after.as_vec2() }
    }
}

/// The velocity relative to the target before a hit, m/s. It is `straight`, the velocity along the straight path, with
/// the true speed of approach along `normal`, a unit vector toward the target.
pub fn relative_velocity(straight: DVec2, normal: DVec2, approach: f64) -> Vec2 {
    (straight + normal * (approach - straight.dot(normal))).as_vec2()
}

impl Hit {
    /// The same hit from the other side if that is the disc with the lower index: of two discs, the lower comes first.
    pub(crate) fn lower_first(self) -> Self {
        match self.target {
            HitTarget::Disc(other) if other < self.disc => Self {
                disc: other,
                target: HitTarget::Disc(self.disc),
                normal: -self.normal,
                relative_velocity: -self.relative_velocity,
                velocity: self.other_velocity.unwrap_or_default(),
                other_velocity: Some(self.velocity),
                ..self
            },
            _ => self,
        }
    }

    /// The same hit with the velocities of one of its discs just before and just after it, m/s.
    pub(crate) fn with_velocity(mut self, disc: u32, before_and_after: [DVec2; 2]) -> Self {
        let change = VelocityChange::new(before_and_after);
        if disc == self.disc {
            self.velocity = change;
        } else {
            self.other_velocity = Some(change);
        }
        self
    }
}

/// What a disc collided with. A disc is identified by its entity, or in a [`Hit`] by its index into
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
    /// The entity of the target.
    #[must_use]
    pub fn entity(self) -> Entity {
        match self {
            Self::Disc(entity) | Self::Wall(entity) | Self::FixedCircle(entity) => entity,
        }
    }
}

impl HitTarget<u32> {
    /// The entity of a piece of terrain; the placeholder for a disc.
    pub(crate) fn entity_of_terrain(self) -> Entity {
        match self {
            Self::Disc(_) => Entity::PLACEHOLDER,
            Self::Wall(entity) | Self::FixedCircle(entity) => entity,
        }
    }
}

/// A ball that landed on the cloth, as the steps record it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandedBall {
    /// The ball, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// The position of its centre, metres.
    pub position: Vec2,
    /// The impulse of the slate along its normal, N s.
    pub impulse: f32,
    /// The time, seconds from the start of the tick.
    pub time: f32,
}

/// A disc that fell into a pocket or off the table, as the steps record it: with an index instead of its entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FallenDisc {
    /// The disc, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// The pocket; `None` for a ball that left the table over a rail.
    pub pocket: Option<Entity>,
    /// The position of its centre then, metres.
    pub position: Vec2,
    /// Its velocity then, m/s.
    pub velocity: Vec2,
    /// The time, seconds from the start of the tick.
    pub time: f32,
}
