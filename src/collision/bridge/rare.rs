//! What most scenes have nothing of: terrain that moves, sensors, joints, and all else that single discs and pieces of
//! terrain may carry. What takes it over, writes it back and reports it is passed over as one, where there is none and
//! the last tick had none.

use bevy::prelude::*;

use super::{
    contacts::CollidingEntities, gather_constant_forces::IsForced, gather_materials::HasMaterial, gather_moving::Moves,
    gather_own_motion::HasOwn,
};
use crate::{
    collision::space::Space,
    filter::{CollisionLayers, IgnoredPairs, Sensor},
    joint::Joint,
    terrain::{OneWay, Terrain},
};

/// What has some of it.
type IsRare = Or<(
    (With<Terrain>, Moves),
    Or<(With<CollisionLayers>, With<IgnoredPairs>, With<OneWay>, With<Sensor>)>,
    HasMaterial,
    IsForced,
    HasOwn,
    With<Joint>,
    With<CollidingEntities>,
)>;

/// A run condition, asked once a tick as that begins: whether there is any of it, or was where the last tick ended.
pub fn any_rare(rare: Query<(), IsRare>, space: Res<Space>) -> bool {
    !rare.is_empty() || holds_rare(&space)
}

/// Whether anything is left of what the last tick took over.
fn holds_rare(space: &Space) -> bool {
    let Space { discs, moving, terrain, answers, sensors, joints, .. } = space;
    !(moving.is_empty()
        && discs.filter.is_empty()
        && terrain.filter.is_empty()
        && answers.materials.is_empty()
        && sensors.is_empty()
        && joints.is_empty())
}
