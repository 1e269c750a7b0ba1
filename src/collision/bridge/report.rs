//! Report: collisions, as messages and as entity events for the entities that ask for them.

use bevy::{ecs::observer::ObservedBy, prelude::*};

use crate::{
    collision::{
        discs::Discs,
        hit::{FallenDisc, Hit, HitTarget, VelocityChange},
        settings::CollisionSettings,
        space::PhysicsSpace,
        tick::{Replaying, Stage},
    },
    components::{Disc, InPocket, OffTable, Terrain},
};

/// A message for every resolved hit.
///
/// Where something presses discs against each other or against terrain, every substep may resolve them again. Set
/// [`CollisionSettings::report_above`](crate::collision::CollisionSettings::report_above) to receive only real hits.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The disc. Of two discs, the one with the lower [`StableId`](crate::components::StableId).
    pub a: Entity,
    /// The other disc, or the piece of terrain.
    pub b: HitTarget,
    /// The point of contact, metres.
    pub point: Vec2,
    /// Unit vector from `a` toward `b`.
    pub normal: Vec2,
    /// The speed of approach along the normal, m/s.
    pub approach_speed: f32,
    /// The velocity of the centre of `a` relative to `b` before the hit, m/s.
    pub relative_velocity: Vec2,
    /// The impulse on each side, N s.
    pub impulse: f32,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time, seconds from the start of the tick. In the stepped mode, the end of the substep that detected the hit.
    pub time: f32,
    /// The velocity of `a` just before and just after the hit.
    pub a_velocity: VelocityChange,
    /// The velocity of `b` just before and just after the hit; `None` for terrain.
    pub b_velocity: Option<VelocityChange>,
}

impl Collision {
    /// The message about a hit of one of these discs in a tick.
    pub(crate) fn of(hit: &Hit, discs: &Discs, tick: u64) -> Self {
        let &Hit { disc, target, point, normal, approach_speed, relative_velocity, impulse, time, .. } = hit;
        let b = match target {
            HitTarget::Disc(other) => HitTarget::Disc(discs.entity[other as usize]),
            HitTarget::Wall(entity) => HitTarget::Wall(entity),
            HitTarget::FixedCircle(entity) => HitTarget::FixedCircle(entity),
        };
        let a = discs.entity[disc as usize];
        let (a_velocity, b_velocity) = (hit.velocity, hit.other_velocity);
        Self { a, b, point, normal, approach_speed, relative_velocity, impulse, tick, time, a_velocity, b_velocity }
    }

    /// The other side as seen from one of the two; `None` if the entity took no part.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        if entity == self.a { Some(self.b.entity()) } else { (entity == self.b.entity()).then_some(self.a) }
    }

    /// The velocity of one of the two just before and just after the hit; `None` for terrain, and for an entity that
    /// took no part.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    /// # app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    /// let at = |x: f32, speed: f32| (Disc, Radius(0.5), Position(vec2(x, 0.0)), Velocity(vec2(speed, 0.0)));
    /// let cue = app.world_mut().spawn(at(0.0, 3.0)).id();
    /// let target = app.world_mut().spawn(at(1.01, 0.0)).id();
    /// app.update();
    /// app.update();
    /// let hits = app.world().resource::<Messages<Collision>>();
    /// let hit = hits.iter_current_update_messages().next().expect("they have collided");
    /// // Of two equal discs, the first stops and the second leaves with its velocity.
    /// assert_eq!(hit.velocity_of(cue).map(|it| it.after), Some(Vec2::ZERO));
    /// assert_eq!(hit.velocity_of(target).map(|it| it.after), Some(vec2(3.0, 0.0)));
    /// ```
    #[must_use]
    pub fn velocity_of(&self, entity: Entity) -> Option<VelocityChange> {
        if entity == self.a { Some(self.a_velocity) } else { self.b_velocity.filter(|_| entity == self.b.entity()) }
    }
}

/// A message for a disc that has fallen into a pocket. The disc now has an [`InPocket`], keeps the position of its
/// fall, and has no velocity.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Potted {
    /// The disc.
    pub disc: Entity,
    /// The pocket.
    pub pocket: Entity,
    /// The position of its centre as it entered the pocket, metres.
    pub position: Vec2,
    /// Its velocity then, m/s.
    pub velocity: Vec2,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time, seconds from the start of the tick.
    pub time: f32,
}

impl Potted {
    /// The message about one of these discs that fell in a tick, if it fell into a pocket.
    pub(crate) fn of(fallen: &FallenDisc, discs: &Discs, tick: u64) -> Option<Self> {
        let FallenDisc { disc, pocket, position, velocity, time } = *fallen;
        Some(Self { disc: discs.entity[disc as usize], pocket: pocket?, position, velocity, tick, time })
    }
}

/// A message for a ball that has left the table over a rail, or has come to rest on one. The ball is now
/// [`OffTable`], keeps the position at which it left, and has no velocity.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct LeftTable {
    /// The ball.
    pub disc: Entity,
    /// The position of its centre then, metres.
    pub position: Vec2,
    /// Its velocity then, m/s.
    pub velocity: Vec2,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time, seconds from the start of the tick.
    pub time: f32,
}

impl LeftTable {
    /// The message about one of these discs that fell in a tick, if it fell off the table.
    pub(crate) fn of(fallen: &FallenDisc, discs: &Discs, tick: u64) -> Option<Self> {
        let FallenDisc { disc, pocket, position, velocity, time } = *fallen;
        pocket.is_none().then_some(Self { disc: discs.entity[disc as usize], position, velocity, tick, time })
    }
}

/// A message after the tick in which the last moving disc or piece of dynamic terrain stopped: see
/// [`PhysicsSpace::any_moves`]. Kinematic discs and kinematic terrain do not count. Use it to wait for the end of a
/// shot. If nothing slows the discs down, it never arrives.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllAtRest {
    /// The tick after which everything dynamic is at rest, counted from 1.
    pub tick: u64,
}

/// Add this to a disc or a piece of terrain so that observers of the whole app receive a [`CollisionEvent`] for every
/// hit of it. An observed entity does not need it. Entities that are not observed cost nothing without it. To know what
/// an entity touches over several ticks, use [`CollidingEntities`](super::contacts::CollidingEntities).
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct ReportCollisions;

/// An event on a disc or a piece of terrain that took part in a collision. It is triggered if the entity is observed or
/// has [`ReportCollisions`]. Events are triggered after the tick, in the order of the [`Collision`] messages. If this
/// holds for both sides, each gets its own event, from its own perspective.
///
/// An observer may despawn either side. A despawned entity gets no more events, but the other side still gets those of
/// this tick. So access the other side with `get_entity`, which returns an error if it is gone.
///
/// ```
/// # use bevy::{math::DVec2, prelude::*};
/// # use carom::prelude::*;
/// # #[derive(Component)]
/// # struct Brick;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Brick, Terrain::Block { half_size: vec2(0.4, 0.1) })).observe(
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
    /// The observed entity.
    pub entity: Entity,
    /// The collision. The entity may be either side of it.
    pub collision: Collision,
}

impl CollisionEvent {
    /// The entity that it collided with.
    #[must_use]
    pub fn other(&self) -> Entity {
        if self.is_first() { self.collision.b.entity() } else { self.collision.a }
    }

    /// Unit vector from the other entity to the observed one: the direction of the impulse on it.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        if self.is_first() { -self.collision.normal } else { self.collision.normal }
    }

    /// The velocity of the observed entity relative to the other before the hit, m/s. Along the normal it is minus the
    /// speed of approach.
    #[must_use]
    pub fn relative_velocity(&self) -> Vec2 {
        if self.is_first() { self.collision.relative_velocity } else { -self.collision.relative_velocity }
    }

    /// The point of contact, metres.
    #[must_use]
    pub fn point(&self) -> Vec2 {
        self.collision.point
    }

    /// The speed of approach along the normal, m/s.
    #[must_use]
    pub fn approach_speed(&self) -> f32 {
        self.collision.approach_speed
    }

    /// The impulse on the observed entity along [`CollisionEvent::normal`], N s. Where discs spin on a table, it
    /// excludes friction.
    #[must_use]
    pub fn impulse(&self) -> f32 {
        self.collision.impulse
    }

    fn is_first(&self) -> bool {
        self.entity == self.collision.a
    }
}

/// Triggers events in order, each only if its entity still exists.
pub(super) fn trigger_all<E>(commands: &mut Commands, events: Vec<E>)
where
    E: EntityEvent + for<'a> Event<Trigger<'a>: Default>,
{
    if events.is_empty() {
        return;
    }
    commands.queue(move |world: &mut World| {
        if world.contains_resource::<Replaying>() {
            return;
        }
        for event in events {
            if world.get_entity(event.event_target()).is_ok() {
                world.trigger(event);
                // Applies despawns by an observer before the next event.
                world.flush();
            }
        }
    });
}

/// The bodies on which a hit triggers an event.
type Listeners = (Or<(With<Disc>, With<Terrain>)>, Or<(With<ReportCollisions>, With<ObservedBy>)>);

pub fn report(
    mut space: ResMut<PhysicsSpace>,
    mut messages: MessageWriter<Collision>,
    (mut pottings, mut leavings): (MessageWriter<Potted>, MessageWriter<LeftTable>),
    mut rests: MessageWriter<AllAtRest>,
    listeners: Query<(), Listeners>,
    settings: Res<CollisionSettings>,
    mut commands: Commands,
) {
    space.timed(Stage::Report, |space| {
        let are_moving = space.any_moves();
        if std::mem::replace(&mut space.report.are_moving, are_moving) && !are_moving {
            rests.write(AllAtRest { tick: space.clock.tick });
        }
        let (discs, tick) = (&space.discs, space.clock.tick);
        // Contacts also include slower hits.
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
        for fallen in &space.report.fallen {
            if let Some(potted) = Potted::of(fallen, discs, tick) {
                commands.entity(potted.disc).try_insert(InPocket { pocket: potted.pocket });
                pottings.write(potted);
            } else if let Some(left) = LeftTable::of(fallen, discs, tick) {
                commands.entity(left.disc).try_insert(OffTable);
                leavings.write(left);
            }
        }
    });
}
