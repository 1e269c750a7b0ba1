//! The discs as a structure of arrays, the values of one disc, and the components of a disc in a query.

use bevy::{ecs::query::QueryData, prelude::*};

mod filter;
mod height;
mod kinematic;
pub mod lists;
mod own_motion;

pub use filter::DiscFilter;
pub use height::DiscHeight;
pub use kinematic::{KinematicDisc, PeriodicDisc};
pub use own_motion::OwnMotion;

use lists::OfDisc;

use crate::{
    collision::spin::{Shape, Spin},
    components::{
        AngularVelocity, Ball, CollisionLayers, Height, InPlay, Kinematic, Mass, MoveTo, Position, Radius, Restitution,
        StableId, Velocity,
    },
};

/// The discs as a structure of arrays. Index `i` of every array is the same disc; discs are ordered by [`StableId`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discs {
    /// The entity that each disc was read from.
    pub entity: Vec<Entity>,
    /// Its [`StableId`].
    pub id: Vec<u64>,
    /// Centre, metres.
    pub position: Vec<Vec2>,
    /// Velocity, metres per second.
    pub velocity: Vec<Vec2>,
    /// Radius, metres.
    pub radius: Vec<f32>,
    /// Mass, kilograms.
    pub mass: Vec<f32>,
    /// The restitution of the disc itself, if it has one.
    pub restitution: Vec<Option<f32>>,
    /// The spin of each disc, if any. Empty if no disc spins; otherwise as long as the other arrays.
    pub spin: Vec<Option<Spin>>,
    /// The filter of discs that do not collide with all others; empty if all collide.
    pub(crate) filter: DiscFilter,
    /// The constant forces on single discs, sorted by disc index; usually few or none.
    pub constant_forces: Vec<DiscForce>,
    /// The individual gravity, drag and friction of discs, sorted by disc index; usually few or none.
    pub own_motion: Vec<OwnMotion>,
    /// The heights of balls above the cloth, sorted by disc index; usually few or none.
    pub heights: Vec<DiscHeight>,
    /// The [`Kinematic`] discs, in order; usually few or none.
    pub(crate) kinematic: Vec<KinematicDisc>,
    /// The kinematic discs that follow a periodic motion, in the same order.
    pub(crate) periodic: Vec<PeriodicDisc>,
    /// The start of the path in the current substep, metres: the centre before the substep moved it, or after a bounce
    /// off terrain the position of the bounce.
    pub(crate) previous: Vec<Vec2>,
    /// The distance by which `PushApart` may still move it within the current substep, metres.
    pub(crate) push_budget: Vec<f32>,
}

impl Discs {
    /// The number of discs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are no discs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Removes all discs and keeps the memory.
    pub fn clear(&mut self) {
        self.entity.clear();
        self.id.clear();
        self.position.clear();
        self.velocity.clear();
        self.radius.clear();
        self.mass.clear();
        self.restitution.clear();
        self.spin.clear();
        self.filter = DiscFilter::default();
        self.constant_forces.clear();
        self.own_motion.clear();
        self.heights.clear();
        self.kinematic.clear();
        self.periodic.clear();
        self.previous.clear();
        self.push_budget.clear();
    }

    /// Resizes the arrays to `count` discs with unspecified values.
    pub(crate) fn resize(&mut self, count: usize) {
        self.entity.resize(count, Entity::PLACEHOLDER);
        self.id.resize(count, 0);
        self.position.resize(count, Vec2::ZERO);
        self.velocity.resize(count, Vec2::ZERO);
        self.radius.resize(count, 0.0);
        self.mass.resize(count, 0.0);
        self.restitution.resize(count, None);
        if !self.spin.is_empty() {
            self.spin.resize(count, None);
        }
        self.previous.resize(count, Vec2::ZERO);
        self.push_budget.resize(count, 0.0);
    }

    /// Adds a disc at the end. Its entity is [`Entity::PLACEHOLDER`] unless `Gather` sets one.
    pub fn push(&mut self, disc: DiscState) {
        self.entity.push(disc.entity);
        self.id.push(disc.id);
        self.position.push(disc.position);
        self.velocity.push(disc.velocity);
        self.radius.push(disc.radius);
        self.mass.push(disc.mass);
        self.restitution.push(disc.restitution);
        if disc.spin.is_some() {
            // The first disc that spins; the ones before it do not.
            self.spin.resize(self.position.len() - 1, None);
        }
        if disc.spin.is_some() || !self.spin.is_empty() {
            self.spin.push(disc.spin);
        }
        if disc.kinematic {
            self.kinematic.push(KinematicDisc::new(self.position.len() as u32 - 1, disc.move_to));
        }
        self.previous.push(disc.position);
        self.push_budget.push(disc.radius);
    }

    /// The index of a disc by its entity and number, by binary search. Use it for a force on a few of many discs.
    /// `None` if the disc is not in the arrays: rejected, disabled, or spawned since the tick started.
    ///
    /// The discs must be in their order of resolution, as `Gather` and collecting leave them.
    #[must_use]
    pub fn index_of(&self, entity: Entity, id: StableId) -> Option<usize> {
        let first = self.id.partition_point(|&other| other < id.0);
        let same = self.id[first..].partition_point(|&other| other == id.0);
        self.entity[first..first + same].binary_search(&entity).ok().map(|found| first + found)
    }

    /// The values of one disc.
    ///
    /// # Panics
    /// If no disc has this index.
    #[must_use]
    pub fn get(&self, i: usize) -> DiscState {
        DiscState {
            entity: self.entity[i],
            id: self.id[i],
            position: self.position[i],
            velocity: self.velocity[i],
            radius: self.radius[i],
            mass: self.mass[i],
            restitution: self.restitution[i],
            spin: self.spin_of(i),
            kinematic: self.is_kinematic(i),
            move_to: self.kinematic_disc(i).and_then(|kinematic| kinematic.move_to),
        }
    }

    /// The spin of a disc, if any.
    #[must_use]
    pub fn spin_of(&self, i: usize) -> Option<Spin> {
        self.spin.get(i).copied().flatten()
    }

    /// Whether any dynamic disc has a velocity or a spin. [`Kinematic`] discs do not count.
    pub(crate) fn any_moves(&self) -> bool {
        let moves = |(i, &velocity): (usize, &Vec2)| velocity != Vec2::ZERO && !self.is_kinematic(i);
        let spins = |(i, spin): (usize, &Option<Spin>)| {
            spin.is_some_and(|spin| spin.angular_velocity != Vec3::ZERO) && !self.is_kinematic(i)
        };
        self.velocity.iter().enumerate().any(moves) || self.spin.iter().enumerate().any(spins)
    }

    /// Sets the spin of a disc.
    ///
    /// # Panics
    /// If no disc has this index.
    pub fn set_spin(&mut self, i: usize, spin: Option<Spin>) {
        if self.spin.is_empty() {
            if spin.is_none() {
                return;
            }
            self.spin.resize(self.len(), None);
        }
        self.spin[i] = spin;
    }

    /// The layers of a disc, from its component, in a tick and in predictions.
    #[must_use]
    pub fn layers_of(&self, i: usize) -> CollisionLayers {
        self.filter.layers_of(i)
    }

    /// Sets the layers of a disc in a space without components.
    ///
    /// # Panics
    /// If no disc has this index.
    pub fn set_layers(&mut self, i: usize, layers: CollisionLayers) {
        self.filter.set_layers(i, layers, self.len());
    }

    /// Makes two discs ignore each other in a space without components.
    pub fn ignore_pair(&mut self, i: usize, j: usize) {
        self.filter.ignore(i, j);
    }

    /// Whether two discs can collide: their layers allow it, and neither ignores the other.
    #[must_use]
    pub fn meet(&self, i: usize, j: usize) -> bool {
        self.filter.meet(i, j)
    }

    /// Takes a disc out of play for the rest of the tick: a disc at NaN collides with nothing.
    pub(crate) fn take_out_of_play(&mut self, i: usize) {
        self.position[i] = Vec2::NAN;
        self.velocity[i] = Vec2::ZERO;
        if let Some(Some(spin)) = self.spin.get_mut(i) {
            spin.angular_velocity = Vec3::ZERO;
        }
    }
}

/// A constant force on a disc: its [`ConstantForce`](crate::components::ConstantForce) and
/// [`ConstantTorque`](crate::components::ConstantTorque).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscForce {
    /// The disc, as an index into [`Discs`].
    pub disc: u32,
    /// Through its centre, newtons.
    pub force: Vec2,
    /// About its centre, N m, counter-clockwise.
    pub torque: f32,
}

impl OfDisc for DiscForce {
    fn disc(&self) -> u32 {
        self.disc
    }
}

/// The values of one disc, for filling [`Discs`] yourself and for reading a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscState {
    /// The entity it was read from, or [`Entity::PLACEHOLDER`].
    pub entity: Entity,
    /// Its [`StableId`].
    pub id: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Velocity, metres per second.
    pub velocity: Vec2,
    /// Radius, metres.
    pub radius: f32,
    /// Mass, kilograms.
    pub mass: f32,
    /// The restitution of the disc itself, if it has one.
    pub restitution: Option<f32>,
    /// Its spin, if any.
    pub spin: Option<Spin>,
    /// Whether it is [`Kinematic`].
    pub kinematic: bool,
    /// The position of a kinematic disc at the end of the next tick, metres. Without a [`MoveTo`], it continues with
    /// its velocity.
    pub move_to: Option<Vec2>,
}

impl Default for DiscState {
    fn default() -> Self {
        Self {
            entity: Entity::PLACEHOLDER,
            id: 0,
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            radius: 0.5,
            mass: 1.0,
            restitution: None,
            spin: None,
            kinematic: false,
            move_to: None,
        }
    }
}

/// The components of a disc in a query, for reading single discs or whole columns of a table.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub struct DiscComponents {
    pub(crate) entity: Entity,
    pub(crate) id: &'static StableId,
    pub(crate) position: &'static Position,
    pub(crate) velocity: &'static Velocity,
    pub(crate) radius: &'static Radius,
    pub(crate) mass: &'static Mass,
    pub(crate) restitution: Option<&'static Restitution>,
    pub(crate) angular_velocity: Option<&'static AngularVelocity>,
    pub(crate) ball: Option<&'static Ball>,
    pub(crate) kinematic: Option<&'static Kinematic>,
    pub(crate) move_to: Option<&'static MoveTo>,
}

impl DiscComponentsItem<'_, '_> {
    /// The values of the disc.
    #[must_use]
    pub fn disc(&self) -> DiscState {
        DiscState {
            entity: self.entity,
            id: self.id.0,
            position: self.position.0,
            velocity: self.velocity.0,
            radius: self.radius.0,
            mass: self.mass.0,
            restitution: self.restitution.map(|e| e.0),
            spin: self.angular_velocity.map(|angular_velocity| spin(*angular_velocity, self.ball.is_some())),
            kinematic: self.kinematic.is_some(),
            move_to: self.move_to.filter(|_| self.kinematic.is_some()).map(|target| target.0),
        }
    }
}

/// The spin of a disc from its components.
pub fn spin(angular_velocity: AngularVelocity, is_ball: bool) -> Spin {
    let shape = if is_ball { Shape::Ball } else { Shape::Flat };
    Spin { angular_velocity: angular_velocity.0, shape }
}

impl Discs {
    /// Every [`Disc`](crate::components::Disc) of a world with its current components and height, in the order of
    /// resolution. It includes discs that a tick would reject, but only discs that are [`InPlay`].
    #[must_use]
    pub fn of(world: &mut World) -> Self {
        let mut discs: Self =
            world.query_filtered::<DiscComponents, InPlay>().iter(world).map(|components| components.disc()).collect();
        for (entity, id, height) in world.query_filtered::<(Entity, &StableId, &Height), InPlay>().iter(world) {
            if let Some(disc) = discs.index_of(entity, *id) {
                discs.heights.push(DiscHeight { disc: disc as u32, height: height.height, speed: height.speed });
            }
        }
        discs.heights.sort_unstable_by_key(DiscHeight::disc);
        discs
    }
}

/// Collects discs in the order of resolution: by id, and at equal ids by entity.
impl FromIterator<DiscState> for Discs {
    fn from_iter<T: IntoIterator<Item = DiscState>>(discs: T) -> Self {
        let mut states: Vec<DiscState> = discs.into_iter().collect();
        states.sort_unstable_by_key(|disc| (disc.id, disc.entity));
        let mut discs = Self::default();
        for disc in states {
            discs.push(disc);
        }
        discs
    }
}
