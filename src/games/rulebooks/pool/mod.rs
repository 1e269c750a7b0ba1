//! Pool games, by the World Pool-Billiard Association's (WPA) "The Rules of Play", effective 15 March 2016
//! (`wpapool.com/rules-of-play`). Numbers in comments refer to its sections. Where leagues play differently there is an
//! option, with the WPA's rule as its default.
//!
//! | module | contents |
//! |---|---|
//! | `wpa` | shared rules: racks, fouls, balls driven to a rail, spotting |
//! | `options` | shared options |
//! | `rack` | fouls in a row |
//! | `rotation` | the rules shared by 9-ball and 10-ball |
//! | [`eight_ball`], [`nine_ball`], [`ten_ball`], [`straight_pool`] | one game each |
//!
//! Rules that have no meaning on a simulated table are left out: a foot on the floor, touched and moving balls, double
//! hits, unsporting conduct. A stalemate (1.12) is not detected; the players start the rack again.

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
