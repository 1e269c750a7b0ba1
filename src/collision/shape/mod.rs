//! Shapes: the three kinds of terrain (segment, circle, arc), their bounding boxes, and a tree of boxes.
//!
//! | file | contents |
//! |---|---|
//! | `bounds` | the axis-aligned box, the circle |
//! | `rounding` | the error analysis of boxes and circles, and the margins that follow |
//! | `tree` | a tree of boxes with insertion and removal |
//! | `wall` | walls (segments, arcs) and fixed circles in world coordinates: contacts with discs, crossings of paths |
//! | `arc` | the arc: closest point, time of impact, sliding along its inside |
//! | `edge` | the edge of a nose above the cloth, and when a flying ball touches it |
//! | `time_of_impact` | when two circles touch, or a circle and a wall |

pub mod arc;
mod bounds;
pub mod edge;
pub mod rounding;
pub mod time_of_impact;
mod tree;
pub mod wall;

pub(crate) use bounds::Bounds;
pub use bounds::Circle;
pub(crate) use tree::Tree;
pub use wall::{FixedCircle, Wall};
