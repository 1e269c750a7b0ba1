//! Commands for single discs: a kick, another velocity, another place. They act where commands are applied, so before the next tick; a prediction that
//! begins afterwards knows them.

use bevy::prelude::*;

use crate::{
    collision::spin::Shape,
    disc::{AngularVelocity, Ball, Disc, Kinematic, Mass, Orientation, Position, Radius, Velocity},
    terrain::Terrain,
};

/// What a game does to a disc at once. Each acts where the commands of a system are applied: in the next tick the disc moves with it. An entity that is gone by
/// then is left alone; one that lacks what a command needs is told of in the log.
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
/// Whatever acts for longer is a [`ConstantForce`](crate::disc::ConstantForce), or a force in the list of [`Forces`](super::Forces). Systems between the steps of a tick do
/// not use these commands: there the truth is [`Space`](crate::collision::Space), and what is written to components is lost.
pub trait MotionCommands {
    /// Gives a disc an impulse through its centre (N s): its velocity changes by `impulse / mass`, that of a kinematic one not at all.
    fn apply_impulse(&mut self, impulse: Vec2) -> &mut Self;

    /// Gives a disc an impulse about its centre (N m s), counter-clockwise: its [`AngularVelocity`] about z changes by `impulse / moment of
    /// inertia`, which is `mass radius² / 2` for a flat disc and `2 / 5` of `mass radius²` for a [`Ball`]. A disc without an [`AngularVelocity`] gets one.
    fn apply_torque_impulse(&mut self, impulse: f32) -> &mut Self;

    /// Sets the velocity of a disc, or of terrain (m/s).
    fn set_velocity(&mut self, velocity: Vec2) -> &mut Self;

    /// Puts a disc or a piece of terrain elsewhere (metres), with the velocity that it has. It hits nothing on the way, is not drawn on the way, and a ball does not
    /// roll there.
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
        // What has no end of mass does not feel it.
        if self.contains::<Kinematic>() {
            return self;
        }
        let mass = self.get::<Mass>().map(|mass| mass.0);
        if let (Some(mass), Some(mut velocity)) = (mass, self.get_mut::<Velocity>()) {
            velocity.0 += impulse / mass;
        } else {
            tracing::warn!("{}: an impulse needs a disc, with Mass and Velocity", self.id());
        }
        self
    }

    fn apply_torque_impulse(&mut self, impulse: f32) -> &mut Self {
        let (Some(mass), Some(radius)) = (self.get::<Mass>().copied(), self.get::<Radius>().copied()) else {
            tracing::warn!("{}: a torque impulse needs a disc, with Mass and Radius", self.id());
            return self;
        };
        let shape = if self.contains::<Ball>() { Shape::Ball } else { Shape::Flat };
        let inertia = shape.inertia_factor() as f32 * mass.0 * radius.0 * radius.0;
        let change = impulse / inertia;
        let before = self.get::<AngularVelocity>().copied().unwrap_or_default();
        self.insert(AngularVelocity(before.0 + Vec3::Z * change))
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
