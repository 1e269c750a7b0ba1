//! The bridge between the components of the ECS and the arrays of a tick.
//!
//! | module | what it does |
//! |---|---|
//! | `gather`, `gather_terrain`, `gather_moving`, `gather_pockets`, `gather_filter`, `gather_materials`, `gather_own_motion`, `gather_constant_forces`, `gather_joints` | components → arrays, with `columns` for whole tables at once |
//! | `rare` | whether there is any of what most scenes have nothing of |
//! | `sensors` | who enters and leaves sensors |
//! | `scatter` | arrays → components |
//! | `report` | collisions as messages and entity events |
//! | `contacts` | who touches whom, and when that begins and ends |
//! | `snapshot` | a copy of the components to run ahead with |

pub(in crate::collision) mod columns;
pub mod contacts;
pub(in crate::collision) mod gather;
pub(in crate::collision) mod gather_constant_forces;
pub(in crate::collision) mod gather_filter;
pub(in crate::collision) mod gather_joints;
pub(in crate::collision) mod gather_materials;
pub(in crate::collision) mod gather_moving;
pub(in crate::collision) mod gather_own_motion;
pub(in crate::collision) mod gather_pockets;
pub(in crate::collision) mod gather_terrain;
pub(in crate::collision) mod rare;
pub mod report;
pub(in crate::collision) mod scatter;
pub(in crate::collision) mod sensors;
pub mod snapshot;
