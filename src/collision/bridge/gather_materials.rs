//! Gather, for how hits are answered: the components of the few discs and pieces of terrain that say something → a list in [`Space`].

use bevy::{
    ecs::{entity::EntityHashSet, query::QueryData},
    prelude::*,
};

use crate::{
    collision::{
        answers::{Material, Materials},
        settings::LIMIT,
        space::{Space, Stage},
    },
    contact::{Friction, RestitutionRule, SurfaceVelocity},
    disc::{AngularVelocity, Inactive, MoveTo, TurnTo, Velocity},
    filter::Kick,
    terrain::{Oscillation, Rotation},
};

/// What an entity says about its hits.
#[derive(QueryData)]
pub(in crate::collision) struct MaterialItem {
    entity: Entity,
    rule: Option<&'static RestitutionRule>,
    kick: Option<&'static Kick>,
    friction: Option<&'static Friction>,
    surface_velocity: Option<&'static SurfaceVelocity>,
    rotation: Option<&'static Rotation>,
    moves: (Has<Velocity>, Has<AngularVelocity>, Has<MoveTo>, Has<TurnTo>, Has<Oscillation>),
}

/// Those that say something, and are active.
pub(in crate::collision) type HasMaterial =
    (Or<(With<RestitutionRule>, With<Kick>, With<Friction>, With<SurfaceVelocity>)>, Without<Inactive>);

pub(in crate::collision) fn gather_materials(
    mut space: ResMut<Space>,
    items: Query<MaterialItem, HasMaterial>,
    mut warned: Local<EntityHashSet>,
) {
    if items.is_empty() && space.answers.materials.is_empty() {
        return;
    }
    space.timed(Stage::Gather, |space| {
        space.answers.materials = collect_materials(&items, |entity, problem| match problem {
            Some(problem) if warned.insert(entity) => tracing::warn!("{entity}: {problem}; it is taken as zero"),
            Some(_) => {}
            None => _ = warned.remove(&entity),
        });
    });
}

/// Lists what entities say; what is no number of its range counts as zero, and `judge` is told of all.
pub(in crate::collision) fn collect_materials(
    items: &Query<MaterialItem, HasMaterial>,
    mut judge: impl FnMut(Entity, Option<String>),
) -> Materials {
    Materials::of(items.iter().map(|item| {
        let mut problem = None;
        let mut positive = |name: &str, value: f32, unit: &str| {
            if (0.0..=LIMIT).contains(&value) {
                return value;
            }
            problem = Some(format!("{name} is {value}; set it from 0 to 1e12{unit}"));
            0.0
        };
        let kick = item.kick.map_or(0.0, |kick| positive("Kick", kick.0, " m/s"));
        let friction = item.friction.map(|friction| positive("Friction", friction.0, ""));
        let mut surface_velocity = item.surface_velocity.map_or(Vec2::ZERO, |velocity| velocity.0);
        if !surface_velocity.abs().cmple(Vec2::splat(LIMIT)).all() {
            problem =
                Some(format!("SurfaceVelocity is {surface_velocity}; set it to finite components within 1e12 m/s"));
            surface_velocity = Vec2::ZERO;
        }
        // What stands has one frame for good; what moves is seen from its own.
        let stands = item.moves == (false, false, false, false, false);
        if let Some(rotation) = item.rotation.filter(|_| stands) {
            surface_velocity = rotation.turn(surface_velocity);
        }
        judge(item.entity, problem);
        (item.entity, Material { rule: item.rule.map(|rule| rule.0), kick, friction, surface_velocity })
    }))
}
