//! Billiard tables. A [`TableSpec`] is plain data from a file, and [`build`] turns it into cushions, jaws, pockets,
//! spots and outlines. A [`Rack`] defines the initial positions of the balls.
//!
//! The frame of a table has its origin in the centre of the playing field. The x axis is along its length, with the
//! foot end (where balls are racked) at `+x`; the y axis points up. Top, bottom, left and right refer to this frame
//! seen from above: the head end is on the left.
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
//! # The parts of a pocket
//! The lines of the noses, extended, form a corner. On them are the two *tips* of a pocket, at a distance of `mouth`.
//! From each tip a *jaw face* runs back to the back line of the cushion, at the cut angle to the nose. A fixed circle
//! tangent to the nose and the face rounds the tip. If the circle is so large that it reaches the back line first, the
//! jaw is round up to its end. Behind the jaws a *liner* closes the pocket, so that no ball leaves the table there. The
//! *hole* is a circle: a ball drops once its centre is inside. The *shelf* is between the mouth and the hole.
//!
//! The description of a pocket by a few numbers follows pooltool (Apache-2.0, <https://github.com/ekiefl/pooltool>).
//! Its `corner_pocket_width`, `depth`, `radius` and `jaw_radius` are `mouth`, `depth`, `radius` and `jaw_radius` here;
//! its angles are the cut angle minus 135° (corner) or 90° (side).
//!
//! | file | contents |
//! |---|---|
//! | `spec` | the numbers of a table |
//! | `check` | the validation of them |
//! | `shipped` | the tables included in the program, `assets/tables` |
//! | `pocket` | one pocket in its own frame: tips, faces, tangents, liner |
//! | `built` | the whole table |
//! | `racks` | the initial positions of the balls |
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
