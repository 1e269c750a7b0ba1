//! Discs as a table (CSV): `id,x,y,vx,vy,r,m` in metres, metres per second and kilograms; where discs spin
//! `wx,wy,wz,ball` in radians per second; and `cue,number`, where one is the cue ball or some have numbers. Every
//! number to the bit. And what they are put into: a box, or a billiard table.
//!
//! | file | what it holds |
//! |---|---|
//! | `write` | discs as a table |
//! | `place` | a table as a scene |
//! | `read` | a table as discs, and what is wrong with it |
//! | `walls`, `billiard_table` | what the discs are put into |

#[cfg(feature = "cli")]
mod billiard_table;
#[cfg(feature = "cli")]
mod place;
#[cfg(feature = "cli")]
mod read;
#[cfg(feature = "cli")]
mod walls;
mod write;

#[cfg(feature = "cli")]
pub(crate) use place::read_scene;
#[cfg(feature = "cli")]
pub use place::{Place, table_named};
#[cfg(feature = "cli")]
pub use walls::Walls;
pub(crate) use write::write;
