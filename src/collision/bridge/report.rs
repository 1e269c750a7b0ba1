//! Report: what collided, as messages for everybody and as entity events for the discs that ask for them.

use bevy::prelude::*;

use crate::{
    collision::{
        discs::Discs,
        hit::{Hit, HitTarget, PottedDisc},
        settings::CollisionSettings,
        space::PhysicsSpace,
        tick::Stage,
    },
    components::InPocket,
};

/// Written once for every hit that was resolved.
///
/// Where something presses discs against each other or against terrain, every substep may resolve them anew; set
/// [`CollisionSettings::report_above`](crate::collision::CollisionSettings::report_above) to get only real hits.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The disc; of two, the one with the lower [`StableId`](crate::components::StableId).
    pub a: Entity,
    /// What it hit.
    pub b: HitTarget,
    /// Where, metres.
    pub point: Vec2,
    /// Unit vector from `a` toward `b`.
    pub normal: Vec2,
    /// How fast they approached along the normal, m/s.
    pub approach_speed: f32,
    /// The velocity of the centre of `a` relative to `b`, before, m/s.
    pub relative_velocity: Vec2,
    /// The impulse that each gave the other, N s.
    pub impulse: f32,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// When, seconds from the start of the tick; in the stepped mode the end of the substep that saw it.
    pub time: f32,
}

impl Collision {
    /// The message about a hit of one of these discs in a tick.
    pub(crate) fn of(hit: &Hit, discs: &Discs, tick: u64) -> Self {
        let Hit { disc, target, point, normal, approach_speed, relative_velocity, impulse, time } = *hit;
        let b = match target {
            HitTarget::Disc(other) => HitTarget::Disc(discs.entity[other as usize]),
            HitTarget::Wall(entity) => HitTarget::Wall(entity),
            HitTarget::FixedCircle(entity) => HitTarget::FixedCircle(entity),
        };
        let a = discs.entity[disc as usize];
        Self { a, b, point, normal, approach_speed, relative_velocity, impulse, tick, time }
    }

    /// The other side, for one of the two entities; `None` for any other entity.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        if entity == self.a { Some(self.b.entity()) } else { (entity == self.b.entity()).then_some(self.a) }
    }
}

/// Written when a disc has fallen into a pocket. It has an [`InPocket`] from then on, where it is keeps the place of
/// its fall, and it has no velocity any more.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Potted {
    /// The disc.
    pub disc: Entity,
    /// The pocket.
    pub pocket: Entity,
    /// Where its centre entered the pocket, metres.
    pub position: Vec2,
    /// With which velocity, m/s.
    pub velocity: Vec2,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// When, seconds from the start of the tick.
    pub time: f32,
}

impl Potted {
    /// The message about one of these discs that fell in a tick.
    pub(crate) fn of(fallen: &PottedDisc, discs: &Discs, tick: u64) -> Self {
        let PottedDisc { disc, pocket, position, velocity, time } = *fallen;
        Self { disc: discs.entity[disc as usize], pocket, position, velocity, tick, time }
    }
}

/// Written after the tick in which the last moving disc came to rest: no disc in play has a velocity or a spin, and
/// before the tick one had. A game that waits for the end of a shot reads this. Where nothing brakes, and in a gas, it
/// never comes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllAtRest {
    /// The tick after which all rest, counted from 1.
    pub tick: u64,
}

/// Put this on a disc or a piece of terrain to have [`CollisionEvent`] triggered on it, for every hit. Nothing is spent
/// on those without it. Whoever wants to know what it touches over several ticks puts
/// [`CollidingEntities`](super::contacts::CollidingEntities) on it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct ReportCollisions;

/// Triggered on an entity with [`ReportCollisions`] that took part in a collision, after the tick, in the order of
/// [`Collision`] messages; where both sides ask, each gets its own, as the one that listens.
///
/// An observer may despawn either side: an entity that is gone gets no more events, and what it still hit in this tick
/// is told to the others. So take the other side by `get_entity`, which says whether it is still there.
///
/// ```
/// # use bevy::{math::DVec2, prelude::*};
/// # use carom::prelude::*;
/// # #[derive(Component)]
/// # struct Brick;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Brick, Terrain::Block { half_size: vec2(0.4, 0.1) }, ReportCollisions)).observe(
///         |hit: On<CollisionEvent>, mut commands: Commands| {
///             if hit.approach_speed() > 2.0 {
///                 commands.entity(hit.entity).despawn();
///             }
///         },
///     );
/// }
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct CollisionEvent {
    /// The entity that asked.
    pub entity: Entity,
    /// What happened. The entity may be either side of it.
    pub collision: Collision,
}

impl CollisionEvent {
    /// What the entity that asked collided with.
    #[must_use]
    pub fn other(&self) -> Entity {
        if self.is_first() { self.collision.b.entity() } else { self.collision.a }
    }

    /// Unit vector from the other to the entity that asked: the direction of the impulse that it got.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        if self.is_first() { -self.collision.normal } else { self.collision.normal }
    }

    /// The velocity of the entity that asked relative to the other, before, m/s; along the normal it is minus the speed
    /// of approach.
    #[must_use]
    pub fn relative_velocity(&self) -> Vec2 {
        if self.is_first() { self.collision.relative_velocity } else { -self.collision.relative_velocity }
    }

    /// Where, metres.
    #[must_use]
    pub fn point(&self) -> Vec2 {
        self.collision.point
    }

    /// How fast they approached along the normal, m/s.
    #[must_use]
    pub fn approach_speed(&self) -> f32 {
        self.collision.approach_speed
    }

    /// The impulse that it got, N s: along [`CollisionEvent::normal`], and where discs spin on a table without the part
    /// that rubs.
    #[must_use]
    pub fn impulse(&self) -> f32 {
        self.collision.impulse
    }

    fn is_first(&self) -> bool {
        self.entity == self.collision.a
    }
}

/// Triggers events one after the other, each if its entity is still there.
pub(super) fn trigger_all<E>(commands: &mut Commands, events: Vec<E>)
where
    E: EntityEvent + for<'a> Event<Trigger<'a>: Default>,
{
    if events.is_empty() {
        return;
    }
    commands.queue(move |world: &mut World| {
        for event in events {
            if world.get_entity(event.event_target()).is_ok() {
                world.trigger(event);
                // Whom an observer has despawned is gone for the next.
                world.flush();
            }
        }
    });
}

pub fn report(
    mut space: ResMut<PhysicsSpace>,
    mut messages: MessageWriter<Collision>,
    mut pottings: MessageWriter<Potted>,
    mut rests: MessageWriter<AllAtRest>,
    listeners: Query<(), With<ReportCollisions>>,
    settings: Res<CollisionSettings>,
    mut commands: Commands,
) {
    space.timed(Stage::Report, |space| {
        let are_moving = space.discs.any_moves();
        if std::mem::replace(&mut space.report.are_moving, are_moving) && !are_moving {
            rests.write(AllAtRest { tick: space.clock.tick });
        }
        let (discs, tick) = (&space.discs, space.clock.tick);
        // Where somebody keeps contacts, slower ones are there as well.
        let report_above = settings.in_range().report_above;
        let hits = space.report.hits.iter().filter(|hit| hit.approach_speed >= report_above);
        let collisions = hits.map(|hit| Collision::of(hit, discs, tick));
        if !listeners.is_empty() {
            let sides = collisions.clone().flat_map(|collision| {
                [collision.a, collision.b.entity()].map(|entity| CollisionEvent { entity, collision })
            });
            trigger_all(&mut commands, sides.filter(|event| listeners.contains(event.entity)).collect());
        }
        messages.write_batch(collisions);
        for fallen in &space.report.potted {
            let potted = Potted::of(fallen, discs, tick);
            commands.entity(potted.disc).try_insert(InPocket { pocket: potted.pocket });
            pottings.write(potted);
        }
    });
}
