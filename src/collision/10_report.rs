//! Report: what collided, as messages for everybody and as entity events for the discs that ask for them.

use bevy::prelude::*;

use super::{
    settings::CollisionSettings,
    space::{Space, Stage},
};

/// A collision that was answered, as the steps note it: indices instead of entities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The first disc, as an index into [`Bodies`](super::Bodies).
    pub disc: u32,
    /// What it struck.
    pub struck: Struck,
    /// Where, metres.
    pub point: Vec2,
    /// Unit vector from the disc toward what it struck.
    pub normal: Vec2,
    /// How fast they approached along the normal, m/s.
    pub approach_speed: f32,
    /// The impulse that each gave the other, N s.
    pub impulse: f32,
    /// When, seconds from the start of the tick; in the stepped mode the end of the substep that saw it.
    pub time: f32,
}

impl Hit {
    /// Counts the hit, and keeps it for the messages if it is fast enough for them. A resting contact is no hit.
    pub(super) fn note(self, settings: &CollisionSettings, collisions: &mut u64, hits: &mut Vec<Self>) {
        if self.approach_speed < settings.resting_speed {
            return;
        }
        *collisions += 1;
        if self.approach_speed >= settings.report_above {
            hits.push(self);
        }
    }
}

/// What a disc struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Struck {
    /// Another disc, as an index into [`Bodies`](super::Bodies).
    Disc(u32),
    /// A wall of this piece of terrain.
    Wall(Entity),
    /// A corner of this piece of terrain, or a bumper.
    Corner(Entity),
}

/// Written once for every collision that was answered.
///
/// Where discs only rest on each other under gravity, every tick answers them anew; set
/// [`CollisionSettings::report_above`](super::CollisionSettings::report_above) to hear only of real hits.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The disc; of two, the one with the lower [`StableId`](crate::body::StableId).
    pub a: Entity,
    /// What it struck.
    pub b: Other,
    /// Where, metres.
    pub point: Vec2,
    /// Unit vector from `a` toward `b`.
    pub normal: Vec2,
    /// How fast they approached along the normal, m/s.
    pub approach_speed: f32,
    /// The impulse that each gave the other, N s.
    pub impulse: f32,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// When, seconds from the start of the tick; in the stepped mode the end of the substep that saw it.
    pub time: f32,
}

/// The second side of a [`Collision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// A disc.
    Disc(Entity),
    /// A wall of this piece of terrain.
    Wall(Entity),
    /// A corner of this piece of terrain, or a bumper.
    Corner(Entity),
}

impl Other {
    /// The entity, whatever it is.
    #[must_use]
    pub fn entity(self) -> Entity {
        match self {
            Self::Disc(entity) | Self::Wall(entity) | Self::Corner(entity) => entity,
        }
    }
}

/// Put this on a disc or a piece of terrain to have [`Collided`] triggered on it. Nothing is spent on those without it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct ReportCollisions;

/// Triggered on an entity with [`ReportCollisions`] that took part in a collision.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct Collided {
    /// The entity that asked.
    pub entity: Entity,
    /// What happened. The entity may be either side of it.
    pub collision: Collision,
}

pub(super) fn report(
    mut space: ResMut<Space>,
    mut messages: MessageWriter<Collision>,
    listeners: Query<(), With<ReportCollisions>>,
    mut commands: Commands,
) {
    space.timed(Stage::Report, |space| {
        let (bodies, tick) = (&space.bodies, space.tick);
        let collisions = space.hits.iter().map(|hit| Collision {
            a: bodies.entity[hit.disc as usize],
            b: match hit.struck {
                Struck::Disc(other) => Other::Disc(bodies.entity[other as usize]),
                Struck::Wall(entity) => Other::Wall(entity),
                Struck::Corner(entity) => Other::Corner(entity),
            },
            point: hit.point,
            normal: hit.normal,
            approach_speed: hit.approach_speed,
            impulse: hit.impulse,
            tick,
            time: hit.time,
        });
        if !listeners.is_empty() {
            for collision in collisions.clone() {
                for entity in [collision.a, collision.b.entity()] {
                    if listeners.contains(entity) {
                        commands.trigger(Collided { entity, collision });
                    }
                }
            }
        }
        messages.write_batch(collisions);
    });
}
