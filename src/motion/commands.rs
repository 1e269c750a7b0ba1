//! Commands for single discs: apply an impulse, set the velocity, teleport. They act when commands are applied, before
//! the next tick. A prediction that starts afterwards includes them.

use bevy::prelude::*;

use crate::{
    collision::spin::Shape,
    components::{
        AngularVelocity, Ball, Bearings, Disc, Kinematic, LockedAxes, Mass, MomentOfInertia, Orientation, Position,
        Radius, Terrain, Velocity, is_driven,
    },
};

/// Immediate changes to a disc or a block. Each acts when the commands of a system are applied, so the disc moves
/// accordingly in the next tick. A despawned entity is ignored; an entity that lacks a required component is logged.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::{motion::MotionCommands, prelude::*};
/// # #[derive(Component)]
/// # struct Ship;
/// fn fire(ship: Single<Entity, With<Ship>>, mut commands: Commands) {
///     // A recoil of 0.3 N s.
///     commands.entity(*ship).apply_impulse(vec2(-0.3, 0.0));
/// }
/// ```
///
/// For anything that acts longer, use a [`ConstantForce`](crate::components::ConstantForce) or a force in the list of
/// [`Forces`](super::Forces). Do not use these commands in systems between the steps of a tick: there,
/// [`PhysicsSpace`](crate::collision::PhysicsSpace) is the source of truth, and writes to components are lost.
pub trait MotionCommands {
    /// Applies an impulse (N s) through the centre of mass of a disc or of terrain with a [`Mass`]. Its velocity
    /// changes by `impulse / mass`. It has no effect on [`Kinematic`] discs, on terrain with a
    /// [`MoveTo`](crate::components::MoveTo), a [`TurnTo`](crate::components::TurnTo), an
    /// [`Oscillation`](crate::components::Oscillation) or an [`Orbit`](crate::components::Orbit), and on terrain that
    /// [`LockedAxes`] pin.
    fn apply_impulse(&mut self, impulse: Vec2) -> &mut Self;

    /// Applies an angular impulse about the centre (N m s), counter-clockwise, to a disc or to terrain with a [`Mass`]:
    /// its [`AngularVelocity`] about z changes by `impulse / moment of inertia`.
    ///
    /// | entity | moment of inertia |
    /// |---|---|
    /// | flat disc | `mass radius² / 2` |
    /// | [`Ball`] | `2 / 5 mass radius²` |
    /// | terrain | its [`MomentOfInertia`], or the one that follows from its shape; about its pin if it has one |
    ///
    /// An entity without [`AngularVelocity`] gets one. Entities that the game moves, as above, and terrain whose
    /// rotation is locked do not change.
    fn apply_torque_impulse(&mut self, impulse: f32) -> &mut Self;

    /// Sets the velocity of a disc or of terrain (m/s).
    fn set_velocity(&mut self, velocity: Vec2) -> &mut Self;

    /// Teleports a disc or a piece of terrain (metres) and keeps its velocity. It hits nothing on the way, is not drawn
    /// on the way, and a ball does not roll.
    fn teleport(&mut self, position: Vec2) -> &mut Self;
}

impl MotionCommands for EntityCommands<'_> {
    fn apply_impulse(&mut self, impulse: Vec2) -> &mut Self {
        self.queue_silenced(move |mut entity: EntityWorldMut| {
            entity.apply_impulse(impulse);
        })
    }

    fn apply_torque_impulse(&mut self, impulse: f32) -> &mut Self {
        self.queue_silenced(move |mut entity: EntityWorldMut| {
            entity.apply_torque_impulse(impulse);
        })
    }

    fn set_velocity(&mut self, velocity: Vec2) -> &mut Self {
        self.queue_silenced(move |mut entity: EntityWorldMut| {
            entity.set_velocity(velocity);
        })
    }

    fn teleport(&mut self, position: Vec2) -> &mut Self {
        self.queue_silenced(move |mut entity: EntityWorldMut| {
            entity.teleport(position);
        })
    }
}

impl MotionCommands for EntityWorldMut<'_> {
    fn apply_impulse(&mut self, impulse: Vec2) -> &mut Self {
        if is_led(self) {
            return self;
        }
        let Some(mass) = self.get::<Mass>().copied().filter(|_| is_disc_or_terrain(self)) else {
            tracing::warn!("{}: an impulse needs a disc, or terrain with a Mass", self.id());
            return self;
        };
        if is_disc(self) || self.get::<LockedAxes>().is_none_or(|locked| !locked.translation) {
            let before = self.get::<Velocity>().copied().unwrap_or_default();
            self.insert(Velocity(before.0 + impulse / mass.0));
        }
        self
    }

    fn apply_torque_impulse(&mut self, impulse: f32) -> &mut Self {
        if is_led(self) {
            return self;
        }
        let Some(inertia) = moment_of_inertia(self) else {
            tracing::warn!("{}: a torque impulse needs a disc, or terrain with a Mass", self.id());
            return self;
        };
        if inertia > 0.0 {
            let before = self.get::<AngularVelocity>().copied().unwrap_or_default();
            self.insert(AngularVelocity(before.0 + Vec3::Z * (impulse / inertia)));
        }
        self
    }

    fn set_velocity(&mut self, velocity: Vec2) -> &mut Self {
        if self.contains::<Disc>() || self.contains::<Terrain>() {
            self.insert(Velocity(velocity));
        } else {
            tracing::warn!("{}: only a disc or a piece of terrain has a velocity", self.id());
        }
        self
    }

    fn teleport(&mut self, position: Vec2) -> &mut Self {
        let Some(mut place) = self.get_mut::<Position>() else {
            tracing::warn!("{}: only what has a Position can be put elsewhere", self.id());
            return self;
        };
        let way = position - place.0;
        place.0 = position;
        if let Some(mut orientation) = self.get_mut::<Orientation>() {
            orientation.rolled_to += way;
        }
        self
    }
}

fn is_disc(entity: &EntityWorldMut) -> bool {
    entity.contains::<Disc>()
}

fn is_disc_or_terrain(entity: &EntityWorldMut) -> bool {
    is_disc(entity) || entity.contains::<Terrain>()
}

/// Whether the game moves the entity, so that impulses do not.
fn is_led(entity: &EntityWorldMut) -> bool {
    if is_disc(entity) { entity.contains::<Kinematic>() } else { is_driven(|id| entity.contains_type_id(id)) }
}

/// The moment of inertia of a disc or of terrain with a mass, kg m²: zero if it cannot turn, `None` for any other
/// entity.
fn moment_of_inertia(entity: &EntityWorldMut) -> Option<f32> {
    let mass = entity.get::<Mass>()?.0;
    if is_disc(entity) {
        let radius = entity.get::<Radius>()?.0;
        let shape = if entity.contains::<Ball>() { Shape::Ball } else { Shape::Flat };
        return Some(shape.inertia_factor() as f32 * mass * radius * radius);
    }
    let mass = f64::from(mass);
    let own = entity.get::<MomentOfInertia>().map(|inertia| f64::from(inertia.0) / mass);
    let bearings = Bearings::of(entity.get::<Terrain>()?, own, entity.get::<LockedAxes>());
    Some((mass * bearings.gyration) as f32)
}
