//! Drawing of the scene.
//!
//! | file | contents |
//! |---|---|
//! | [`drawn_position`] | positions of discs between two ticks |
//! | [`discs`], [`colours`] | discs; their colours and their flashes |
//! | `instance` | a disc in the layout of the shader |
//! | [`arrows`] | velocities |
//! | [`fallen`] | discs that have fallen into a pocket: sinking, and the tray |
//! | `follow` | transforms that follow discs, and discs that the game draws |
//! | `terrain`, `furniture` | terrain; a billiard table, and pockets without one |
//! | `plane`, `periodic` | a table of several rectangles; periodic edges |
//! | `joints` | springs, rods and ropes |
//! | `hits`, `trails` | places and strengths of hits; past paths of discs |
//! | `grid` | the grid of the broad phase |

pub mod arrows;
pub mod colours;
pub mod discs;
pub mod drawn_position;
pub mod fallen;
pub(super) mod follow;
pub(super) mod furniture;
pub(super) mod grid;
pub(super) mod hits;
pub(crate) mod instance;
pub(super) mod joints;
pub(super) mod periodic;
pub(crate) mod plane;
pub(super) mod terrain;
pub(super) mod trails;
