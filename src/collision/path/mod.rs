//! The ways of discs within a step: straight or a parabola by its mean velocity (`flight`), and sliding or rolling on a
//! cloth ([`trajectory`]), with what happens on it ([`table_events`]); those of
//! kinematic discs (`movers`).

use bevy::math::Vec2;

pub(crate) mod flight;
pub(crate) mod movers;
pub mod table_events;
pub mod trajectory;

/// A disc's path turned here: an impact of the continuous mode. Where a disc crosses a periodic edge there are two at
/// the same time: where it goes out, and where it comes in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathVertex {
    /// The disc, as an index into [`Discs`](crate::collision::Discs).
    pub disc: u32,
    /// When, seconds from the start of the tick.
    pub time: f32,
    /// Where its centre was, metres.
    pub position: Vec2,
}
