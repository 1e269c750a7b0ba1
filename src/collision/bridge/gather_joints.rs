//! Gathers joints: components → the groups of [`PhysicsSpace`].

use bevy::{
    ecs::{
        entity::Entities,
        system::{SystemParam, SystemParamItem},
    },
    prelude::*,
};

use super::gather::{Gather, GatherRare, ValueLog};
use crate::{
    collision::{
        discs::Discs,
        joints::{Joints, Place, PlacedJoint},
        space::PhysicsSpace,
    },
    components::{Described, Inactive, InvalidValue, Joint, JointEnd, Position, StableId, Terrain},
};

/// The components that joints depend on.
#[derive(SystemParam)]
pub struct JointComponents<'w, 's> {
    joints: Query<'w, 's, (Entity, &'static StableId, &'static Joint), Without<Inactive>>,
    ids: Query<'w, 's, &'static StableId>,
    terrain: Query<'w, 's, (), With<Terrain>>,
}

impl JointComponents<'_, '_> {
    /// The joints whose ends are in the arrays, ordered by id.
    fn joints(&self, discs: &Discs, log: &mut ValueLog) -> Joints {
        if self.joints.is_empty() {
            return Joints::default();
        }
        let place = |end: JointEnd| match end {
            JointEnd::Point(point) => Some(Place::Point(point)),
            JointEnd::Disc(disc) => {
                let id = *self.ids.get(disc).ok()?;
                discs.index_of(disc, id).map(|i| Place::Disc(i as u32))
            }
        };
        let mut found = Vec::new();
        for (entity, id, joint) in &self.joints {
            let mut checked = check(joint);
            match joint.ends.map(place) {
                [Some(a), Some(b)] if checked.is_ok() => {
                    found.push(((*id, entity), PlacedJoint { ends: [a, b], kind: joint.kind }));
                }
                [Some(_), Some(_)] => {}
                _ => checked = checked.and_then(|()| self.check_ends(joint)),
            }
            log.note(entity, checked.err());
        }
        found.sort_unstable_by_key(|(key, _)| *key);
        let found: Vec<_> = found.into_iter().map(|(_, joint)| joint).collect();
        Joints::of(&found, discs)
    }

    /// Rejects joints with ends that can never be connected.
    fn check_ends(&self, joint: &Joint) -> Result<(), InvalidValue> {
        match joint.discs().find(|&end| self.terrain.contains(end)) {
            Some(end) => Err(InvalidValue::without_value(
                "Joint",
                format!("its end {end} is terrain; join two discs, or a disc and a point"),
            )),
            None => Ok(()),
        }
    }
}

/// Checks whether a joint can be simulated.
fn check(joint: &Joint) -> Result<(), InvalidValue> {
    for end in joint.ends {
        if let JointEnd::Point(point) = end {
            Position(point).check().map_err(|invalid| invalid.of("Point").of("Joint"))?;
        }
    }
    if joint.ends[0] == joint.ends[1] {
        return Err(InvalidValue::without_value("Joint", "both ends are the same; join two different ones"));
    }
    if joint.discs().next().is_none() {
        let sentence = "both ends are fixed points; join a disc";
        return Err(InvalidValue::without_value("Joint", sentence));
    }
    joint.kind.check().map_err(|invalid| invalid.of("Joint"))
}

impl Gather for Joints {
    type Components = JointComponents<'static, 'static>;

    fn gather(components: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let joints = components.joints(&space.discs, log);
        space.set_joints(joints);
    }
}

impl GatherRare for Joints {
    type Has = With<Joint>;

    fn is_in(space: &PhysicsSpace) -> bool {
        !space.joints.is_empty()
    }
}

/// Removes joints with a despawned end.
pub fn drop_loose_joints(joints: Query<(Entity, &Joint)>, entities: &Entities, mut commands: Commands) {
    for (entity, joint) in &joints {
        if joint.discs().any(|disc| !entities.contains(disc)) {
            commands.entity(entity).try_remove::<Joint>();
        }
    }
}
