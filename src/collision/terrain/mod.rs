//! Static terrain in the steps: walls and fixed circles in world coordinates, collision filtering, and searches near a
//! place or a disc.
//!
//! | module | contents |
//! |---|---|
//! | `view` | a read-only view of all of it |
//! | `touch` | contacts of a disc with it |
//! | `index` | the tree of its boxes, built from the pieces and updated piece by piece |
//! | `neighbours` | for every disc a box without terrain, and the terrain around it |
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
    /// The index, as of the last [`PhysicsSpace::finish_terrain`](super::PhysicsSpace::finish_terrain).
    pub index: TerrainIndex,
    /// The pieces that do not collide with every disc.
    pub filter: TerrainFilter,
    /// The pieces that they were made of, so that only added, removed and changed ones are rebuilt.
    pub pieces: Arc<Pieces>,
    /// The cell across whose edges terrain has images.
    pub cell: Option<Cell>,
}

impl StandingTerrain {
    /// A read-only view of all of it.
    #[inline(always)]
    pub fn view(&self) -> TerrainView<'_> {
        TerrainView { walls: &self.walls, fixed_circles: &self.fixed_circles, index: &self.index }
    }

    /// Whether there is no terrain.
    pub fn is_empty(&self) -> bool {
        self.walls.is_empty() && self.fixed_circles.is_empty()
    }
}
