//! What most scenes have nothing of: terrain that moves, sensors, joints, and all else that single discs and pieces of
//! terrain may carry. What gathers it, writes it back and reports it is passed over as one, where there is none and the
//! last tick had none.

use bevy::prelude::*;

use super::gather::{IsRare, holds_rare};
use crate::collision::space::PhysicsSpace;

/// What gathers, does and reports what most scenes have nothing of.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForRare;

/// Its run condition, asked once a tick as that begins: whether there is any of it, or was where the last tick ended.
pub fn any_rare(rare: Query<(), IsRare>, space: Res<PhysicsSpace>) -> bool {
    !rare.is_empty() || holds_rare(&space)
}
