//! Games: rules as plain functions, players, and the frame of a match.
//!
//! A game is a type with the functions of [`Rules`]: its state, what may be done in it, and what a [`Shot`] makes of
//! it. It knows neither the ECS nor the simulation: an event list goes in, a [`Verdict`] comes out. The list [`GAMES`]
//! has a line for each.
//!
//! | module | what it holds |
//! |---|---|
//! | `layout`, `shot` | where balls are; what happened in a shot |
//! | `rules` | the trait, and what it speaks of: turns, calls, choices, fouls, verdicts |
//! | `remark`, `refusal` | what the rules tell people, and why something cannot be done, as values |
//! | `pool` | 8-ball, 9-ball, 10-ball and straight pool |
//! | `snooker` | snooker |
//! | `carom` | straight rail, one-cushion, three-cushion; Korean four-ball |
//! | `curling` | table curling, with flat discs |
//! | `practice` | any rack without rules |
//! | `table` | the table as rules see it: spots, where a ball in hand may lie |
//! | `simulator` | whole shots without an ECS |
//! | [`bot`] | players that think |
//! | [`coach`] | what a good player would play here, and by how much a shot has missed |
//! | [`plugin`] | a match in an app: its table as a scene, its shots rolled by the ticks, people and bots in turns |
//! | `played` | the shots of a match, each to be looked at again |
//! | `matches`, `statistics` | two players, racks one after the other, the log of it as a file; what it was in numbers |

mod layout;
mod matches;
mod played;
mod refusal;
mod remark;
mod rules;
mod shot;
mod simulator;
mod statistics;
mod table;

pub mod bot;
pub mod carom;
pub mod coach;
pub mod curling;
pub mod plugin;
pub mod pool;
pub mod practice;
pub mod snooker;

mod list;
#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod random_play;
#[cfg(test)]
mod testing;

pub use layout::{BallId, BallPlace, CushionId, Layout, PocketId};
pub use list::{GAMES, Game, Options, default_options, known_options, read_options, wrong_option};
pub use matches::{Action, Breaks, Departure, Entry, LinkedMatch, Match, MatchRecord, MatchSpec, Report};
pub use played::PlayedShot;
pub use refusal::{CallRefusal, PlaceRefusal, Refusal};
pub use remark::{Note, Remark};
pub use rules::{
    CallNeeded, Choice, Foul, Outcome, Player, Rules, Stroke, Task, Turn, Verdict, may_place, place_refusal,
};
pub use shot::{Call, Shot, ShotEvent};
pub use simulator::{FASTEST_CUE, Film, ShotError, Simulator, Trace, record_tick};
pub use statistics::{Measure, PlayerStatistics, Statistics};
pub use table::{GameTable, Region};
