//! The ways of discs within a step: straight or a parabola by its mean velocity (`flight`), and sliding or rolling on a
//! cloth ([`trajectory`]), with what happens on it ([`table_events`]).

pub(in crate::collision) mod flight;
pub mod table_events;
pub mod trajectory;
