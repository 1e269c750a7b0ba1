//! Gathers materials: the components of the few discs and pieces of terrain that change how hits are resolved → a list
//! in [`PhysicsSpace`].

use bevy::{
    ecs::{query::QueryData, system::SystemParamItem},
    prelude::*,
};

use super::gather::{Gather, GatherRare, ValueLog};
use crate::{
    collision::{
        hit::answers::{Material, Materials},
        space::PhysicsSpace,
        validation::ignored::Values,
    },
    components::{
        AngularVelocity, BumperKick, Friction, HasDrivers, Inactive, RestitutionRule, Rotation, StableId,
        SurfaceVelocity, Velocity,
    },
};

/// The material components of an entity.
#[derive(QueryData)]
pub struct MaterialItem {
    entity: Entity,
    id: Option<&'static StableId>,
    is_inactive: Has<Inactive>,
    rule: Option<&'static RestitutionRule>,
    kick: Option<&'static BumperKick>,
    friction: Option<&'static Friction>,
    surface_velocity: Option<&'static SurfaceVelocity>,
    rotation: Option<&'static Rotation>,
    moves: (Has<Velocity>, Has<AngularVelocity>, HasDrivers),
}

/// The entities with any of these components.
type HasMaterial = Or<(With<RestitutionRule>, With<BumperKick>, With<Friction>, With<SurfaceVelocity>)>;

impl Gather for Materials {
    type Components = Query<'static, 'static, MaterialItem, HasMaterial>;

    fn gather(items: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let PhysicsSpace { discs, laws, .. } = space;
        let is_there = |item: &MaterialItemItem| {
            !item.is_inactive || item.id.is_some_and(|id| discs.index_of(item.entity, *id).is_some())
        };
        laws.answers.materials = Self::of(items.iter().filter(is_there).map(|item| {
            let mut values = Values::default();
            let kick = values.usable(item.kick).map_or(0.0, |kick| kick.0);
            let friction = values.usable(item.friction).map(|friction| friction.0);
            let mut surface_velocity = values.usable(item.surface_velocity).map_or(Vec2::ZERO, |velocity| velocity.0);
            // A static piece has a permanent frame; a moving piece uses its own.
            let stands = item.moves == Default::default();
            if let Some(rotation) = item.rotation.filter(|_| stands) {
                surface_velocity = rotation.turn(surface_velocity);
            }
            log.note(item.entity, values.ignored);
            (item.entity, Material { rule: item.rule.map(|rule| rule.0), kick, friction, surface_velocity })
        }));
    }
}

impl GatherRare for Materials {
    type Has = (HasMaterial, Without<Inactive>);

    fn is_in(space: &PhysicsSpace) -> bool {
        !space.laws.answers.materials.is_empty()
    }
}
