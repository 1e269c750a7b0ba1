//! Gather, for gravity, drag and friction of single discs: components → a list beside the arrays. Few discs have one.

use bevy::prelude::*;

use crate::{
    collision::{
        discs::{Discs, OwnMotion},
        space::Space,
        validation::ignored::{Ignored, Values, Warned},
    },
    disc::{ClothFriction, Disc, GravityScale, InPlay, LinearDamping, StableId},
};

/// The discs that move in their own way.
pub type OwnItem = (
    Entity,
    &'static StableId,
    Option<&'static GravityScale>,
    Option<&'static LinearDamping>,
    Option<&'static ClothFriction>,
);

/// Those of them that are in play.
pub type HasOwn = (InPlay, With<Disc>, Or<(With<GravityScale>, With<LinearDamping>, With<ClothFriction>)>);

pub fn gather_own_motion(mut space: ResMut<Space>, own: Query<OwnItem, HasOwn>, mut warned: Local<Warned>) {
    if !own.is_empty() || !space.discs.own_motion.is_empty() {
        space.discs.own_motion = collect_own_motion(&own, &space.discs, |entity, ignored| warned.note(entity, ignored));
    }
    warned.finish();
}

/// Lists what discs in the arrays have of their own, in their order. Of each disc `note` gets the value that is
/// ignored, if there is one.
pub fn collect_own_motion(
    own: &Query<OwnItem, HasOwn>,
    discs: &Discs,
    mut note: impl FnMut(Entity, Option<Ignored>),
) -> Vec<OwnMotion> {
    let mut found = Vec::new();
    for (entity, id, gravity, drag, friction) in own {
        let Some(disc) = discs.index_of(entity, *id) else { continue };
        let mut values = Values::default();
        let gravity_scale = values.gravity_scale(gravity);
        let (drag, friction) = (values.drag(drag), values.friction(friction));
        note(entity, values.ignored);
        if gravity_scale != 1.0 || drag.is_some() || friction.is_some() {
            found.push(OwnMotion { disc: disc as u32, gravity_scale, drag, friction });
        }
    }
    found.sort_unstable_by_key(|own| own.disc);
    found
}
