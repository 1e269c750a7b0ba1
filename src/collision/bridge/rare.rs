//! Components that most scenes lack: moving terrain, sensors, joints, and optional properties of single discs and
//! pieces of terrain. If there are none, and the last tick had none, gathering, scattering and reporting them is
//! skipped as a whole.

use bevy::prelude::*;

use super::gather::{IsRare, holds_rare};
use crate::collision::space::PhysicsSpace;

/// The systems that gather, simulate and report rare components.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForRare;

/// Their run condition, evaluated once at the start of a tick: whether there are rare components, or were at the end of
/// the last tick.
pub fn any_rare(rare: Query<(), IsRare>, space: Res<PhysicsSpace>) -> bool {
    !rare.is_empty() || holds_rare(&space)
}
