//! New joints: between two discs, or between a disc and a point, at their current distance.

use bevy::{ecs::system::SystemState, prelude::*};
use tr::tr;

use super::record::record_spawn;
use crate::{
    components::{Joint, JointEnd},
    editor::settings::{ChosenTerrain, DrawSettings, JointForm},
    input::{Selection, hand::Hand},
    notice::Notices,
    scene::SceneEntity,
};

/// Joins the discs at two places (metres), or a disc and the other place. The length is their distance. It is one edit,
/// and selects the discs.
pub(super) fn join(world: &mut World, places: [Vec2; 2]) {
    let ends = places.map(|place| {
        disc_at(world, place).map_or((JointEnd::Point(place), place), |(disc, centre)| (disc.into(), centre))
    });
    let [(a, from), (b, to)] = ends;
    let form = world.get_resource::<DrawSettings>().map_or_else(JointForm::default, |settings| settings.joint);
    let joint = Joint::new(a, b, form.with_length(from.distance(to)));
    let is_joint = a != b && joint.discs().next().is_some() && joint.kind.check().is_ok();
    if !is_joint {
        if let Some(mut notices) = world.get_resource_mut::<Notices>() {
            notices.error(tr!("Nothing was joined. Drag from a disc to another disc or to a point beside it."));
        }
        return;
    }
    let entity = world.spawn((joint, SceneEntity)).id();
    record_spawn(world, &[entity]);
    if let Some(mut selection) = world.get_resource_mut::<Selection>() {
        selection.0 = joint.discs().collect();
    }
    if let Some(mut chosen) = world.get_resource_mut::<ChosenTerrain>() {
        chosen.0 = None;
    }
}

/// The visible disc at a place, with its centre. Among several, the one with the nearest centre.
fn disc_at(world: &mut World, place: Vec2) -> Option<(Entity, Vec2)> {
    let mut hand = SystemState::<Hand>::new(world);
    hand.get(world).ok()?.lying_at(place).map(|seen| (seen.disc, seen.centre))
}
