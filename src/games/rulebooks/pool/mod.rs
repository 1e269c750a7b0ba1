//! The games of pool, by the World Pool-Billiard Association's (WPA) "The Rules of Play", effective 15 March 2016
//! (`wpapool.com/rules-of-play`). The numbers in comments are those of its sections. Where leagues play otherwise there
//! is an option, and its default is the WPA's.
//!
//! | module | what it holds |
//! |---|---|
//! | `wpa` | what they share: racks, fouls, balls driven to a rail, spotting |
//! | `options` | options that several games have |
//! | `rack` | fouls in a row |
//! | `rotation` | what 9-ball and 10-ball share |
//! | [`eight_ball`], [`nine_ball`], [`ten_ball`], [`straight_pool`] | a game each |
//!
//! What a table in a computer cannot have is left out: a foot that must stay on the floor, touched and moving balls,
//! double hits, unsporting conduct. A stalemate (1.12) is for players to see: they begin the rack anew.

mod options;
mod rack;
mod rotation;
mod wpa;

pub mod eight_ball;
pub mod nine_ball;
pub mod straight_pool;
pub mod ten_ball;

pub use rotation::OnBreak;

#[cfg(test)]
mod tests;
