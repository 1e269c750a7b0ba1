//! Converts joints between scene files and components. In a file, a joint names the discs at its ends by their ids.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;

use crate::{
    components::{Described, Disc, Inactive, InvalidValue, Joint, JointEnd, Position, StableId},
    scene::{
        contents::{Contents, Listed},
        entries::{JointEndEntry, JointEntry},
        running::SceneEntity,
    },
};

/// Checks that the ends of all joints exist, and that their values are valid.
pub(super) fn check(contents: &Contents, listed: Listed) -> Result<(), InvalidValue> {
    if contents.joints.is_empty() {
        return Ok(());
    }
    let ids: BTreeSet<u64> = contents.numbers().discs.into_iter().collect();
    for (i, joint) in contents.joints.iter().enumerate() {
        let at = |invalid: InvalidValue| invalid.of(&listed.joint(i));
        for (k, end) in joint.ends.iter().enumerate() {
            match *end {
                JointEndEntry::Disc(id) if !ids.contains(&id) => {
                    let end = format!("Disc({id})");
                    let remedy = "no disc has this id; name one that is there";
                    return Err(at(InvalidValue::new(format!("ends.{k}"), end, remedy)));
                }
                JointEndEntry::Point(point) => {
                    if let Err(InvalidValue { remedy, .. }) = Position(point).check() {
                        let end = format!("Point({}, {})", point.x, point.y);
                        return Err(at(InvalidValue::new(format!("ends.{k}"), end, remedy)));
                    }
                }
                JointEndEntry::Disc(_) => {}
            }
        }
        if joint.ends[0] == joint.ends[1] {
            return Err(at(InvalidValue::without_value("ends", "both are the same; join two")));
        }
        if joint.ends.iter().all(|end| matches!(end, JointEndEntry::Point(_))) {
            return Err(at(InvalidValue::without_value("ends", "both are points, which nothing moves; join a disc")));
        }
        joint.kind.check().map_err(|invalid| at(invalid.of("kind")))?;
    }
    Ok(())
}

/// Spawns joints between discs whose entities are known by their ids.
pub(super) fn spawn(
    world: &mut World,
    joints: &[JointEntry],
    ids: &[u64],
    entities: &BTreeMap<u64, Entity>,
) -> Vec<Entity> {
    let end = |end: JointEndEntry| match end {
        JointEndEntry::Disc(id) => entities.get(&id).copied().map(JointEnd::Disc),
        JointEndEntry::Point(point) => Some(JointEnd::Point(point)),
    };
    let mut spawned = Vec::new();
    for (joint, &id) in joints.iter().zip(ids) {
        // The check has found all ends.
        let [Some(a), Some(b)] = joint.ends.map(end) else { continue };
        let mut entity = world.spawn((SceneEntity, StableId(id), Joint { ends: [a, b], kind: joint.kind }));
        if joint.inactive {
            entity.insert(Inactive);
        }
        spawned.push(entity.id());
    }
    spawned
}

/// The joints of a world whose ends exist, in their order.
pub(super) fn capture(world: &mut World) -> Vec<JointEntry> {
    let mut joints: Vec<_> = world
        .query::<(&StableId, Entity, &Joint, Has<Inactive>)>()
        .iter(world)
        .map(|(id, entity, joint, inactive)| ((*id, entity), *joint, inactive))
        .collect();
    joints.sort_by_key(|(key, ..)| *key);
    let mut discs = world.query_filtered::<&StableId, With<Disc>>();
    let mut end = |end: JointEnd| match end {
        JointEnd::Disc(disc) => discs.get(world, disc).ok().map(|id| JointEndEntry::Disc(id.0)),
        JointEnd::Point(point) => Some(JointEndEntry::Point(point)),
    };
    let entry = |(_, joint, inactive): ((StableId, Entity), Joint, bool)| {
        let [Some(a), Some(b)] = joint.ends.map(&mut end) else { return None };
        Some(JointEntry { ends: [a, b], kind: joint.kind, inactive })
    };
    joints.into_iter().filter_map(entry).collect()
}
