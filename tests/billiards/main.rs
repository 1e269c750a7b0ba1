//! Compares billiards with closed forms and published figures, through whole ticks. One subject per file.
//!
//! Cases have the numbers of a list of reference cases.

mod cloth;
#[cfg(feature = "games")]
mod drills;
#[cfg(feature = "games")]
mod flight;
mod hits;
mod jaws;
mod mathavan_2014;
mod page_figures;
mod path_error;
mod pockets;
#[cfg(feature = "games")]
mod rails;
mod shots;
mod side;
#[cfg(feature = "games")]
mod simulator;
mod strokes;
mod support;
mod transfer;
