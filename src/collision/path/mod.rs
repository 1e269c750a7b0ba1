//! The paths of discs within a step. A path is straight, as the mean of a parabola (`flight`), or it slides or rolls on
//! a cloth ([`trajectory`]), with events ([`table_events`]). Kinematic discs have their own (`movers`).

use bevy::math::Vec2;

pub(crate) mod flight;
pub(crate) mod movers;
pub mod table_events;
pub mod trajectory;

/// A turn in the path of a disc: an impact of the continuous mode. Where a disc crosses a periodic edge there are two
/// at the same time, one where it leaves and one where it enters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathVertex {
    /// The disc, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// The time, seconds from the start of the tick.
    pub time: f32,
    /// The position of its centre, metres.
    pub position: Vec2,
    /// The height of its lowest point above the cloth, metres. Zero except for a ball in the air.
    pub height: f32,
}
