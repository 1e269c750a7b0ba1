//! The bridge between the components of the ECS and the arrays of a tick.
//!
//! | module | what it does |
//! |---|---|
//! | `gather` | **the list of what is gathered**, in its order; a new property of single discs needs a file of its own and a line here |
//! | `gather_terrain`, `gather_pockets`, `gather_discs`, `gather_moving`, `gather_filter`, `gather_materials`, `gather_constant_forces`, `gather_own_motion`, `gather_periodic`, `gather_joints` | components → arrays, with `columns` for whole tables at once |
//! | `rare` | whether there is any of what most scenes have nothing of |
//! | `sensors` | components → sensors; who enters and leaves them |
//! | `scatter` | arrays → components |
//! | `report` | collisions as messages and entity events |
//! | `contacts` | who touches whom, and when that begins and ends |
//! | `snapshot` | a copy of the components to run ahead with |

pub mod columns;
pub mod contacts;
pub mod gather;
mod gather_constant_forces;
mod gather_discs;
mod gather_filter;
pub mod gather_joints;
mod gather_materials;
pub mod gather_moving;
mod gather_own_motion;
mod gather_periodic;
mod gather_pockets;
mod gather_terrain;
pub mod rare;
pub mod report;
pub mod scatter;
pub mod sensors;
pub mod snapshot;
