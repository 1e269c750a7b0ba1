//! The paths of discs within a step: straight, as the mean of a parabola (`flight`); sliding or rolling on a cloth
//! ([`trajectory`]), with its events ([`table_events`]); and those of kinematic discs (`movers`).

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
}
