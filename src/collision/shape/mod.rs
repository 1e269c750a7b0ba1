//! Shapes: the three that terrain is made of (segment, circle, arc), the boxes around them, and a tree that finds
//! boxes.
//!
//! | file | what it holds |
//! |---|---|
//! | `bounds` | the axis-aligned box, the circle |
//! | `rounding` | the error analysis of boxes and circles, and the margins that follow |
//! | `tree` | a tree of boxes that changes one by one |
//! | `wall` | walls (segments, arcs) and fixed circles in world coordinates: where discs touch them, which paths cross them |
//! | `arc` | the arc: closest point, time of impact, how a disc slides along its inside |
//! | `time_of_impact` | when two circles meet, or a circle and a wall |

pub mod arc;
mod bounds;
pub mod rounding;
pub mod time_of_impact;
mod tree;
pub mod wall;

pub(crate) use bounds::Bounds;
pub use bounds::Circle;
pub(crate) use tree::Tree;
pub use wall::{FixedCircle, Wall};
