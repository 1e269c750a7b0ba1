//! Checks the contents of a scene.
//!
//! A meaningless value is an error, which names its place in the file, the value and what is allowed. A likely mistake
//! in a scene that can run is a warning. Problems with positions are always warnings: a run can cause them, and a saved
//! state must be readable.
//!
//! Every way to load a scene uses this module: the window, the command line, a game.
//!
//! | file | checks |
//! |---|---|
//! | `settings` | the values of the scene itself |
//! | `values` | each disc and each piece of terrain by itself |
//! | `extent` | terrain without extent, or crossing itself |
//! | `periodic` | contents that do not fit into the cell of periodic edges |
//! | `places` | discs inside terrain, or without room in it |
//! | `rejected` | what a saved state leaves out because the solver rejects it |
//!
//! For a scene of size n, no check takes longer than O(n log n).

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

/// Why a piece of terrain has no extent, such as a wall with equal ends. `None` if it has one.
#[cfg(feature = "input")]
pub(crate) fn extent_problem(shape: &Terrain) -> Option<&'static str> {
    extent::problem(shape)
}

/// Whether an edge of a closed outline crosses another.
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

/// Warnings about the scene as a whole, one line for each kind.
///
/// All values must have been checked before.
pub(super) fn whole(periodic: &Periodic, contents: &Contents, listed: Listed) -> Vec<String> {
    let warnings = [
        periodic::check(periodic, contents, listed),
        values::second_cue(contents, listed),
        values::coincident(contents, listed),
        extent::warnings(contents, listed),
    ];
    warnings.into_iter().chain(places::check(contents, listed)).flatten().collect()
}
