//! A table of discs in a CSV file, and the place that contains the discs: a box or a billiard table.
//!
//! Numbers are written so that they are bit-identical when read back.
//!
//! | columns | units | when |
//! |---|---|---|
//! | `id,x,y,vx,vy,r,m` | metres, metres per second, kilograms | always |
//! | `wx,wy,wz,ball` | radians per second | if discs spin |
//! | `cue` | | if there is a cue ball |
//! | `number` | | if some discs have numbers |
//! | `height,vz` | metres, metres per second | if balls are above the cloth |
//!
//! | file | contents |
//! |---|---|
//! | `write` | writes discs as a table |
//! | `place` | makes a scene of a table |
//! | `read` | reads the discs of a table and reports invalid lines |
//! | `walls`, `billiard_table` | the place for the discs |

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
