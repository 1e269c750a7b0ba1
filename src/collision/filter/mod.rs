//! Who meets whom: pairs of discs, and discs and terrain. Lists beside the arrays, empty where all meet all; then nobody looks at them but once a tick.
//!
//! | module | what it holds |
//! |---|---|
//! | `discs` | layers of discs, pairs that ignore each other |
//! | `terrain` | which pieces do not meet every disc, and what a disc meets of walls and corners |
//! | `local` | the few pieces near a disc, as it meets them |

mod discs;
mod local;
mod terrain;

pub(in crate::collision) use discs::DiscFilter;
pub(in crate::collision) use local::{Filters, LocalTerrain, Met};
pub(in crate::collision) use terrain::{PieceFilter, Seen, TerrainFilter};
