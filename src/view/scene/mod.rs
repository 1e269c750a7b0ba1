//! Drawing of the scene.
//!
//! | file | contents |
//! |---|---|
//! | [`discs`], [`colours`] | discs; the properties that colour them, and flashes when they are hit |
//! | `above` | balls above the cloth: their size, and the order of drawing |
//! | `instance` | a disc in the layout of the shader |
//! | [`arrows`] | velocities |
//! | [`fallen`] | discs that have fallen into a pocket: their sinking, and the tray |
//! | `terrain`, `furniture` | terrain; a billiard table, and pockets without one |
//! | `plane`, `periodic` | a table of several rectangles; periodic edges |
//! | `joints` | springs, rods and ropes |
//! | `hits`, `trails` | places and strengths of hits; past paths of discs |
//! | `grid` | the grid of the broad phase |

pub(crate) mod above;
pub mod arrows;
pub mod colours;
pub mod discs;
pub mod fallen;
pub(super) mod furniture;
pub(super) mod grid;
pub(super) mod hits;
pub(crate) mod instance;
pub(super) mod joints;
pub(super) mod periodic;
pub(crate) mod plane;
pub(super) mod terrain;
pub(super) mod trails;
