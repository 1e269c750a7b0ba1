//! Static terrain, as the steps see it: walls and fixed circles in world coordinates, collision filtering, and what is
//! near a place or a disc.
//!
//! | module | what it holds |
//! |---|---|
//! | `view` | a read-only view of all of it |
//! | `touch` | where a disc touches it |
//! | `index` | the tree of its boxes, made from the pieces and changed piece by piece |
//! | `neighbours` | for every disc a box without terrain, and what is around it |
//! | `filter` | which pieces do not collide with every disc: layers, one-way walls |
//! | `local` | the few pieces near one disc, filtered for it |

use std::sync::Arc;

use crate::collision::{
    periodic::Cell,
    shape::{FixedCircle, Wall},
    terrain::{
        filter::TerrainFilter,
        index::{Pieces, TerrainIndex},
    },
};

pub mod filter;
pub mod index;
pub mod local;
pub mod neighbours;
mod touch;
mod view;

pub use touch::held_by;
pub use view::{TerrainView, away_from, crosses_any};

/// All static terrain.
#[derive(Clone, Debug, Default)]
pub struct StandingTerrain {
    pub walls: Vec<Wall>,
    pub fixed_circles: Vec<FixedCircle>,
    /// Where they are, as of the last [`PhysicsSpace::finish_terrain`](super::PhysicsSpace::finish_terrain).
    pub index: TerrainIndex,
    /// Which of them do not collide with every disc.
    pub filter: TerrainFilter,
    /// What they were made of, so that only pieces that were added, removed or changed are rebuilt.
    pub pieces: Arc<Pieces>,
    /// The cell across whose edges they are seen.
    pub cell: Option<Cell>,
}

impl StandingTerrain {
    /// A read-only view of all of it.
    #[inline(always)]
    pub fn view(&self) -> TerrainView<'_> {
        TerrainView { walls: &self.walls, fixed_circles: &self.fixed_circles, index: &self.index }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.walls.is_empty() && self.fixed_circles.is_empty()
    }
}
