//! Gather, for gravity, drag and friction of single discs: components → a list beside the arrays. Few discs have one.

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use crate::{
    collision::{
        settings::LIMIT,
        space::{Discs, OwnMotion, Space},
    },
    disc::{ClothFriction, Disc, GravityScale, InPlay, LinearDamping, StableId},
};

/// The discs that move in their own way.
pub(in crate::collision) type OwnItem = (
    Entity,
    &'static StableId,
    Option<&'static GravityScale>,
    Option<&'static LinearDamping>,
    Option<&'static ClothFriction>,
);

/// Those of them that are in play.
pub(in crate::collision) type HasOwn =
    (InPlay, With<Disc>, Or<(With<GravityScale>, With<LinearDamping>, With<ClothFriction>)>);

pub(in crate::collision) fn gather_own_motion(
    mut space: ResMut<Space>,
    own: Query<OwnItem, HasOwn>,
    mut warned: Local<EntityHashSet>,
) {
    if own.is_empty() && space.discs.own_motion.is_empty() {
        return;
    }
    let found = collect_own_motion(&own, &space.discs, |entity, problem| match problem {
        Some(problem) if warned.insert(entity) => {
            tracing::warn!("{entity}: {problem}; until then it is as if it had none");
        }
        Some(_) => {}
        None => _ = warned.remove(&entity),
    });
    space.discs.own_motion = found;
}

/// Lists what discs in the arrays have of their own, in their order; what is no number of its range counts as missing, and `judge` is told of all.
pub(in crate::collision) fn collect_own_motion(
    own: &Query<OwnItem, HasOwn>,
    discs: &Discs,
    mut judge: impl FnMut(Entity, Option<String>),
) -> Vec<OwnMotion> {
    let mut found = Vec::new();
    for (entity, id, gravity, drag, friction) in own {
        let Some(disc) = discs.index_of(entity, *id) else { continue };
        let mut problem = None;
        let mut within = |name: &str, value: f32, low: f32, range: &str| {
            let fits = (low..=LIMIT).contains(&value);
            if !fits {
                problem = Some(format!("{name} is {value}; set it {range}"));
            }
            fits.then_some(value)
        };
        let gravity_scale = gravity
            .and_then(|scale| within("GravityScale", scale.0, -LIMIT, "to a finite number within 1e12"))
            .unwrap_or(1.0);
        let drag = drag.and_then(|drag| within("LinearDamping", drag.0, 0.0, "from 0 to 1e12, in 1/s"));
        let friction = friction.and_then(|friction| within("ClothFriction", friction.0, 0.0, "from 0 to 1e12 m/s²"));
        judge(entity, problem);
        if gravity_scale != 1.0 || drag.is_some() || friction.is_some() {
            found.push(OwnMotion { disc: disc as u32, gravity_scale, drag, friction });
        }
    }
    found.sort_unstable_by_key(|own| own.disc);
    found
}
