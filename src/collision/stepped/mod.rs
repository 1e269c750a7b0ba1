//! The stepped mode: the steps of a substep, one file each, in the order of the table in [`crate::collision`].

pub(in crate::collision) mod containment;
pub mod fixed_circles;
pub mod impulse;
pub mod integrate;
mod journey;
pub(in crate::collision) mod kinematic;
mod on_table;
mod pockets;
pub mod push_apart;
pub(in crate::collision) mod terrain_contacts;
pub mod walls;
mod with_blocks;
