//! Discs as a table (CSV): `id,x,y,vx,vy,r,m` in metres, metres per second and kilograms. If discs spin, it also has
//! `wx,wy,wz,ball` in radians per second, and `cue,number` if one is the cue ball or some have numbers. All numbers are
//! exact. The module also has the surroundings of the discs: a box, or a billiard table.
//!
//! | file | contents |
//! |---|---|
//! | `write` | discs as a table |
//! | `place` | a table as a scene |
//! | `read` | parsing a table, with its errors |
//! | `walls`, `billiard_table` | the surroundings of the discs |

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
