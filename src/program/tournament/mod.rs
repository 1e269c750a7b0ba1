//! Matches without a window: `carom play` and `carom replay`.

mod play;
mod replay;
mod run;
mod standstill;
mod statistics;
mod summary;

pub use play::{PlayRequest, play};
pub use replay::{ReplayRequest, replay};
pub(super) use replay::{match_name, read_match};
pub use standstill::LONGEST_STANDSTILL;
pub use statistics::statistics;
