//! What a scene may say. A value that cannot mean anything is an error, which names its place in the file, the value
//! and what is allowed. What is odd but can be run is a warning, and so is everything about where things lie: a run can
//! bring that about, and a saved state can always be read again. Every way to load a scene uses this module: the
//! window, the command line, a game.
//!
//! | file | what it looks at |
//! |---|---|
//! | `settings` | the values of the scene itself |
//! | `values` | each disc and each piece of terrain by itself |
//! | `extent` | terrain that is nowhere, or crosses itself |
//! | `periodic` | what does not fit into the cell of periodic edges |
//! | `places` | discs that lie in terrain, or find no room in it |
//! | `rejected` | what a saved state leaves out, as the solver does |
//!
//! Nothing here takes longer than in proportion to the size of a scene and its logarithm.

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

/// Why a piece of terrain is nowhere, such as a wall whose ends are one point; none if it is somewhere.
#[cfg(feature = "input")]
pub(crate) fn is_nowhere(shape: &Terrain) -> Option<&'static str> {
    extent::problem(shape)
}

/// Whether an edge of a closed outline crosses another.
#[cfg(feature = "view")]
pub(crate) fn edges_cross(points: &[bevy::math::Vec2]) -> bool {
    extent::crossing(points).is_some()
}

/// Whether each disc and each piece of terrain makes sense by itself.
pub(super) fn values(contents: &Contents, listed: Listed, registry: &SceneRegistry) -> Result<(), InvalidValue> {
    values::check(contents, listed, registry)?;
    joints::check(contents, listed)?;
    extent::check(contents, listed)
}

/// What is odd about the whole: a line for each kind of oddity.
///
/// All values have been checked before.
pub(super) fn whole(periodic: &Periodic, contents: &Contents, listed: Listed) -> Vec<String> {
    let warnings = [
        periodic::check(periodic, contents, listed),
        values::second_cue(contents, listed),
        values::coincident(contents, listed),
        extent::warnings(contents, listed),
    ];
    warnings.into_iter().chain(places::check(contents, listed)).flatten().collect()
}
