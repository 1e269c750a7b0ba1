//! The validation of scenes. A meaningless value is an error, which names its place in the file, the value and the
//! valid range. An odd but possible scene gives a warning. Everything about positions is only a warning, because a run
//! can cause it, and a saved state must always be readable. The window, the command line and games all load scenes
//! through this module.
//!
//! | file | subject |
//! |---|---|
//! | `settings` | the values of the scene itself |
//! | `values` | each disc and each piece of terrain by itself |
//! | `extent` | terrain without extent, and self-crossing outlines |
//! | `periodic` | objects that do not fit into the cell of periodic edges |
//! | `places` | discs inside terrain, or without room in it |
//! | `rejected` | entities that a saved state leaves out, as the solver does |
//!
//! The running time is at most `n log n` in the size of a scene.

use super::{joints, registry::SceneRegistry};
#[cfg(feature = "input")]
use crate::components::Terrain;
use crate::{
    collision::Periodic,
    components::InvalidValue,
    scene::contents::{Contents, Listed},
};

mod extent;
mod periodic;
mod places;
mod rejected;
pub(super) mod settings;
mod values;

pub(super) use periodic::check_images;

/// Why a piece of terrain has no extent, such as a wall with equal ends, or `None` if it has.
#[cfg(feature = "input")]
pub(crate) fn is_nowhere(shape: &Terrain) -> Option<&'static str> {
    extent::problem(shape)
}

/// Whether edges of a closed outline cross.
#[cfg(feature = "view")]
pub(crate) fn edges_cross(points: &[bevy::math::Vec2]) -> bool {
    extent::crossing(points).is_some()
}

/// Checks each disc and each piece of terrain by itself.
pub(super) fn values(contents: &Contents, listed: Listed, registry: &SceneRegistry) -> Result<(), InvalidValue> {
    values::check(contents, listed, registry)?;
    joints::check(contents, listed)?;
    extent::check(contents, listed)
}

/// Warnings about the scene as a whole, one line per kind.
///
/// Requires that all values have been checked.
pub(super) fn whole(periodic: &Periodic, contents: &Contents, listed: Listed) -> Vec<String> {
    let warnings = [
        periodic::check(periodic, contents, listed),
        values::second_cue(contents, listed),
        values::coincident(contents, listed),
        extent::warnings(contents, listed),
    ];
    warnings.into_iter().chain(places::check(contents, listed)).flatten().collect()
}
