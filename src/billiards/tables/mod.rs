//! Billiard tables: a [`TableSpec`] is plain data, out of a file; [`build`] makes cushions, jaws, pockets, spots and
//! outlines out of it; a [`Rack`] says where the balls lie at the start.
//!
//! The frame of a table has its origin in the middle of the playing field, x along its length with the foot end (where
//! balls are racked) at `+x`, and y up. Top, bottom, left and right are those of this frame, as one looks at it from
//! above: the head end is on the left.
//!
//! ```text
//!            top left        top side        top right
//!              O ─────────────── O ─────────────── O
//!              │    head             foot          │
//!        left  │     ·      centre    ·  rack      │  right
//!              │   string     ·                    │
//!              O ─────────────── O ─────────────── O
//!          bottom left      bottom side       bottom right
//! ```
//!
//! # What a pocket is made of
//! The line of the noses, if it went on, would end in a corner. On it, `mouth` apart, lie the two *tips* of a pocket.
//! From each a *jaw face* runs back to the back line of the cushion, at the cut angle to the nose; a fixed circle that
//! is tangent to the nose and to the face rounds the tip. Where the circle is so large that it reaches the back line
//! first, the jaw is round all the way. Behind the jaws a *liner* closes the pocket, so that no ball leaves the table
//! there. The *hole* is a circle: a ball drops once its centre is inside. Between the mouth and the hole lies the
//! *shelf*.
//!
//! The idea of few numbers for a pocket is pooltool's (Apache-2.0, <https://github.com/ekiefl/pooltool>); its
//! `corner_pocket_width`, `depth`, `radius` and `jaw_radius` are `mouth`, `depth`, `radius` and `jaw_radius` here, its
//! angles are the cut angle less 135° (corner) or 90° (side).
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | the numbers of a table |
//! | `check` | which of them make sense |
//! | `shipped` | the tables that are part of the program, `assets/tables` |
//! | `pocket` | one pocket in its own frame: tips, faces, tangents, liner |
//! | `built` | the whole table |
//! | `racks` | where the balls lie at the start |
//! | `spawn` | a table and its balls as entities |

mod built;
mod check;
mod pocket;
mod racks;
#[cfg(feature = "scene")]
mod shipped;
mod spawn;
mod spec;

pub use built::{BuiltPiece, BuiltTable, Cushion, Hole, Jaw, Part, Sight, build};
pub use check::TableError;
pub use pocket::PocketKind;
#[cfg(feature = "scene")]
pub(crate) use racks::EIGHT_BALL;
pub use racks::{BallName, Rack, RackedBall};
#[cfg(feature = "scene")]
pub use shipped::{ShippedTable, shipped};
pub use spawn::{spawn_ball, spawn_table};
pub use spec::{
    BallSpec, BaulkSpec, CircleSpec, ClothSpec, CushionSpec, LineSpec, PocketSpec, PocketsSpec, SightShape, SightsSpec,
    Spot, TableSpec,
};
