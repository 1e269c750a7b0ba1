//! Overlaps, for both modes: discs are pushed out of each other, of static and moving terrain and of kinematic discs,
//! and no centre through a wall.
//!
//! | module | what it does |
//! |---|---|
//! | `terrain` | out of static terrain |
//! | `moving` | out of moving terrain |
//! | `kinematic` | out of kinematic discs |
//! | `push_apart` | two discs, weighted by their masses: a step of the stepped mode |
//! | `containment` | no centre through a wall; a push that lifts is paid for with speed |

pub mod containment;
pub mod kinematic;
pub mod moving;
pub mod push_apart;
pub mod terrain;
