//! The stepped mode: the steps of a substep, one file each, in the order of the table in [`crate::collision`].

mod events;
pub mod fixed_circles;
pub mod impulse;
pub mod integrate;
mod journey;
mod on_table;
mod pockets;
pub mod walls;
mod with_blocks;
