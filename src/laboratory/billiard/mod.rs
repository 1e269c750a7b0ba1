//! Dynamical billiards: single discs among fixed walls, each like a point in a smaller table.
//!
//! | module | contents |
//! |---|---|
//! | `curve` | lines and arcs |
//! | `boundary` | [`Boundary`]: the region that the centre of a disc can reach |
//! | `tangent` | [`TangentMap`]: how fast neighbouring paths part |
//! | `map` | [`BoundaryMap`]: all hits as points of place and direction |
//!
//! The quantities `chord` and `lyapunov` use them.

mod boundary;
mod curve;
mod map;
mod tangent;

pub use boundary::{Boundary, BoundaryPoint, Component};
pub use map::{BoundaryMap, BoundaryMapPlugin, MapPoint, Start};
pub use tangent::TangentMap;
