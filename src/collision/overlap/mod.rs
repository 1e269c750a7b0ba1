//! Overlaps, for both modes: discs are pushed out of each other, of static and moving terrain and of kinematic discs.
//! No centre gets through a wall.
//!
//! | module | what it does |
//! |---|---|
//! | `terrain` | out of static terrain |
//! | `moving` | out of moving terrain |
//! | `kinematic` | out of kinematic discs |
//! | `push_apart` | two discs, weighted by mass: a step of the stepped mode, and at the start of a tick of the continuous mode |
//! | `containment` | no centre through a wall; a push that lifts is paid for with speed |

pub mod containment;
pub mod kinematic;
pub mod moving;
pub mod push_apart;
pub mod terrain;

use crate::collision::{
    broad_phase::BroadPhase,
    discs::Discs,
    moving::MovingTerrain,
    periodic::Cell,
    resting::state::Resting,
    terrain::{StandingTerrain, neighbours::TerrainNeighbours},
    tick::{Clock, Laws, Report},
};

/// Discs and everything that they may be pushed out of: the data of this module.
pub struct Crowd<'a> {
    pub discs: &'a mut Discs,
    pub terrain: &'a StandingTerrain,
    pub terrain_neighbours: &'a mut TerrainNeighbours,
    pub moving: &'a mut MovingTerrain,
    pub broad_phase: &'a mut BroadPhase,
    pub resting: &'a mut Resting,
    pub cell: Option<Cell>,
    pub laws: &'a Laws,
    pub clock: &'a Clock,
    pub report: &'a mut Report,
}
