//! Overlaps, for both modes: discs come out of each other, of terrain, of moving terrain and of kinematic discs, and no centre gets
//! through a wall by it.
//!
//! | module | what it does |
//! |---|---|
//! | `terrain` | out of terrain that stands |
//! | `moving` | out of terrain that moves |
//! | `kinematic` | out of kinematic discs |
//! | `push_apart` | two discs, weighted by their masses: a step of the stepped mode |
//! | `containment` | no centre through a wall; a push that lifts is paid for with speed |

pub mod containment;
pub mod kinematic;
pub mod moving;
pub mod push_apart;
pub mod terrain;
