//! How hits are answered and how single discs move, from a scene to components and back.

use bevy::prelude::*;

use crate::{
    collision::LIMIT,
    components::{
        ClothFriction, ConstantForce, ConstantTorque, Friction, GravityScale, LinearDamping, RestitutionRule, StableId,
        SurfaceVelocity,
    },
    scene::entries::{DiscEntry, TerrainEntry},
};

/// Gives a piece of terrain what its entry says.
pub(super) fn insert_terrain(entity: &mut EntityWorldMut, piece: &TerrainEntry) {
    if let Some(rule) = piece.restitution_rule {
        entity.insert(RestitutionRule(rule));
    }
    if piece.surface_velocity != Vec2::ZERO {
        entity.insert(SurfaceVelocity(piece.surface_velocity));
    }
    if let Some(friction) = piece.friction {
        entity.insert(Friction(friction));
    }
    let &TerrainEntry { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque, .. } = piece;
    Own { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque }.insert(entity);
}

/// Gives a disc what its entry says.
pub(super) fn insert_disc(entity: &mut EntityWorldMut, disc: &DiscEntry) {
    if let Some(rule) = disc.restitution_rule {
        entity.insert(RestitutionRule(rule));
    }
    if let Some(friction) = disc.friction {
        entity.insert(Friction(friction));
    }
    let &DiscEntry { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque, .. } = disc;
    Own { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque }.insert(entity);
}

/// How a disc or a block moves, where that differs from all others.
struct Own {
    gravity_scale: f32,
    linear_damping: Option<f32>,
    cloth_friction: Option<f32>,
    constant_force: Vec2,
    constant_torque: f32,
}

impl Own {
    fn insert(&self, entity: &mut EntityWorldMut) {
        if self.gravity_scale != 1.0 {
            entity.insert(GravityScale(self.gravity_scale));
        }
        if let Some(damping) = self.linear_damping {
            entity.insert(LinearDamping(damping));
        }
        if let Some(friction) = self.cloth_friction {
            entity.insert(ClothFriction(friction));
        }
        if self.constant_force != Vec2::ZERO {
            entity.insert(ConstantForce(self.constant_force));
        }
        if self.constant_torque != 0.0 {
            entity.insert(ConstantTorque(self.constant_torque));
        }
    }

    fn of(entity: &EntityRef) -> Self {
        Self {
            gravity_scale: entity.get().map_or(1.0, |scale: &GravityScale| scale.0),
            linear_damping: entity.get().map(|damping: &LinearDamping| damping.0),
            cloth_friction: entity.get().map(|friction: &ClothFriction| friction.0),
            constant_force: entity.get().map_or(Vec2::ZERO, |force: &ConstantForce| force.0),
            constant_torque: entity.get().map_or(0.0, |torque: &ConstantTorque| torque.0),
        }
    }

    /// Which value is out of range.
    fn problem(&self) -> Option<String> {
        let number = |name: &str, value: f32, unit: &str| {
            (!(value.abs() <= LIMIT)).then(|| format!("{name} is {value}; set it to a finite number within 1e12{unit}"))
        };
        number("gravity_scale", self.gravity_scale, "")
            .or_else(|| positive("linear_damping", self.linear_damping, ", in 1/s"))
            .or_else(|| positive("cloth_friction", self.cloth_friction, " m/s²"))
            .or_else(|| within("constant_force", self.constant_force, "N"))
            .or_else(|| number("constant_torque", self.constant_torque, " N m"))
    }
}

/// An entry with the number and the entity that it stands for.
type Keyed<T> = ((StableId, Entity), T);

/// Writes down what the entities of entries say.
pub(super) fn capture(world: &World, terrain: &mut [Keyed<TerrainEntry>], discs: &mut [Keyed<DiscEntry>]) {
    for ((_, entity), piece) in terrain {
        let entity = world.entity(*entity);
        piece.restitution_rule = entity.get().map(|rule: &RestitutionRule| rule.0);
        piece.friction = entity.get().map(|friction: &Friction| friction.0);
        piece.surface_velocity = entity.get().map_or(Vec2::ZERO, |velocity: &SurfaceVelocity| velocity.0);
        let own = Own::of(&entity);
        (piece.gravity_scale, piece.linear_damping) = (own.gravity_scale, own.linear_damping);
        (piece.cloth_friction, piece.constant_force) = (own.cloth_friction, own.constant_force);
        piece.constant_torque = own.constant_torque;
    }
    for ((_, entity), disc) in discs {
        let entity = world.entity(*entity);
        disc.restitution_rule = entity.get().map(|rule: &RestitutionRule| rule.0);
        disc.friction = entity.get().map(|friction: &Friction| friction.0);
        let own = Own::of(&entity);
        (disc.gravity_scale, disc.linear_damping) = (own.gravity_scale, own.linear_damping);
        (disc.cloth_friction, disc.constant_force) = (own.cloth_friction, own.constant_force);
        disc.constant_torque = own.constant_torque;
    }
}

/// Which value of a piece of terrain is out of range, as `friction is …; set …`.
pub(super) fn terrain_problem(piece: &TerrainEntry) -> Option<String> {
    let &TerrainEntry { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque, .. } = piece;
    let own = Own { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque };
    positive("friction", piece.friction, "")
        .or_else(|| within("surface_velocity", piece.surface_velocity, "m/s"))
        .or_else(|| own.problem())
}

/// Which value of a disc is out of range.
pub(super) fn disc_problem(disc: &DiscEntry) -> Option<String> {
    let &DiscEntry { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque, .. } = disc;
    let own = Own { gravity_scale, linear_damping, cloth_friction, constant_force, constant_torque };
    positive("friction", disc.friction, "").or_else(|| own.problem())
}

fn positive(name: &str, value: Option<f32>, unit: &str) -> Option<String> {
    let value = value.filter(|value| !(0.0..=LIMIT).contains(value))?;
    Some(format!("{name} is {value}; set it from 0 to 1e12{unit}"))
}

fn within(name: &str, vector: Vec2, unit: &str) -> Option<String> {
    let fits = vector.abs().cmple(Vec2::splat(LIMIT)).all();
    let Vec2 { x, y } = vector;
    (!fits).then(|| format!("{name} is ({x}, {y}); set it to finite components within 1e12 {unit}"))
}
