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

use super::{format::SceneFile, generate::Contents, joints, registry::SceneRegistry};
use crate::collision::Periodic;
#[cfg(feature = "input")]
use crate::components::Terrain;

mod extent;
mod periodic;
mod places;
mod rejected;
mod settings;
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

/// How many of the discs and the pieces of terrain stand in the file; those after them come from generators.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listed {
    terrain: usize,
    pockets: usize,
    discs: usize,
    joints: usize,
}

impl Listed {
    pub(super) fn of(file: &SceneFile) -> Self {
        Self {
            terrain: file.terrain.len(),
            pockets: file.pockets.len(),
            discs: file.discs.len(),
            joints: file.joints.len(),
        }
    }

    /// The place of a disc, to begin a line with.
    fn disc(self, i: usize) -> String {
        let made = if i < self.discs { "" } else { MADE };
        format!("{made}discs[{i}]")
    }

    /// The place of a pocket, to begin a line with.
    fn pocket(self, i: usize) -> String {
        let made = if i < self.pockets { "" } else { MADE };
        format!("{made}pockets[{i}]")
    }

    /// The place of a piece of terrain, to begin a line with.
    fn terrain(self, i: usize) -> String {
        let made = if i < self.terrain { "" } else { MADE };
        format!("{made}terrain[{i}]")
    }

    /// The place of a joint, to begin a line with.
    pub(super) fn joint(self, i: usize) -> String {
        let made = if i < self.joints { "" } else { MADE };
        format!("{made}joints[{i}]")
    }
}

const MADE: &str = "what generate makes: ";

impl SceneFile {
    /// Whether every value makes sense, and the generators can do what they are asked for. It knows what is shipped.
    ///
    /// # Errors
    /// The first that does not: its place in the file, its value, and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        self.check_with(&SceneRegistry::default())
    }

    /// [`SceneFile::check`] of a scene that may name what is registered.
    ///
    /// # Errors
    /// Those of [`SceneFile::check`].
    pub fn check_with(&self, registry: &SceneRegistry) -> Result<(), String> {
        self.check_settings(registry)?;
        self.expand_with(registry).map(|_| ())
    }

    /// Whether the settings make sense; the discs and the terrain are another matter.
    pub(crate) fn check_settings(&self, registry: &SceneRegistry) -> Result<(), String> {
        settings::check(self, registry)
    }
}

/// Whether each disc and each piece of terrain makes sense by itself.
pub(super) fn values(contents: &Contents, listed: Listed, registry: &SceneRegistry) -> Result<(), String> {
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

/// The first of many of a kind in words, and how many more there are.
pub(super) fn first_of_many<T>(
    mut found: impl Iterator<Item = T>,
    describe: impl FnOnce(T) -> String,
) -> Option<String> {
    let first = describe(found.next()?);
    let more = found.count();
    Some(if more > 0 { format!("{first} (and {more} more)") } else { first })
}
