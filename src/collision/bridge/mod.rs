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

pub mod columns;
pub mod contacts;
pub mod gather;
pub mod gather_constant_forces;
pub mod gather_filter;
pub mod gather_joints;
pub mod gather_materials;
pub mod gather_moving;
pub mod gather_own_motion;
pub mod gather_pockets;
pub mod gather_terrain;
pub mod rare;
pub mod report;
pub mod scatter;
pub mod sensors;
pub mod snapshot;
