//! Overlaps, for both modes: discs come out of terrain, of moving terrain and of kinematic discs, and no centre gets
//! through a wall by it.
//!
//! | module | what it does |
//! |---|---|
//! | `terrain` | out of terrain that stands |
//! | `moving` | out of terrain that moves |
//! | `kinematic` | out of kinematic discs |
//! | `containment` | no centre through a wall; a push that lifts is paid for with speed |

pub(in crate::collision) mod containment;
pub(in crate::collision) mod kinematic;
pub(in crate::collision) mod moving;
pub(in crate::collision) mod terrain;
