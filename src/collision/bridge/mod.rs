//! The bridge between the components of the ECS and the arrays of a tick.
//!
//! | module | what it does |
//! |---|---|
//! | `gather` | **the ordered list of everything gathered**; a new property of single discs needs its own file and a line here |
//! | `gather_terrain`, `gather_pockets`, `gather_discs`, `gather_moving`, `gather_filter`, `gather_materials`, `gather_constant_forces`, `gather_own_motion`, `gather_height`, `gather_periodic`, `gather_joints` | components → arrays, with `columns` for whole tables at once |
//! | `rare` | whether a scene has any of the rare components |
//! | `sensors` | components → sensors; discs that enter and leave them |
//! | `scatter` | arrays → components |
//! | `report` | collisions as messages and entity events |
//! | `contacts` | which entities touch, and when contacts start and end |
//! | `snapshot` | a copy of the components for predictions |

pub mod columns;
pub mod contacts;
pub mod gather;
mod gather_constant_forces;
mod gather_discs;
mod gather_filter;
pub mod gather_height;
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
