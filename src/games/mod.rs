//! Games: rules as plain functions, players, and the frame of a match.
//!
//! A game is a type with the functions of [`Rules`]: its state, what may be done in it, and what a [`Shot`] makes of
//! it. It knows neither the ECS nor the simulation: an event list goes in, a [`Verdict`] comes out. The list [`GAMES`]
//! has a line for each.
//!
//! Each module imports only those above it:
//!
//! | module | what it holds |
//! |---|---|
//! | `rules` | the contract: the trait [`Rules`], and what it speaks of: layouts, shots, turns, calls, fouls, verdicts |
//! | `simulator` | whole shots without an ECS |
//! | [`sight`] | which balls can be potted where from here, and with which chance, in closed form |
//! | [`rulebooks`] | the games: pool, snooker, carom, curling, practice |
//! | [`bot`] | players that think |
//! | [`coach`] | what a good player would play here, and by how much a shot has missed |
//! | `matches` | two players, racks one after the other; the log of it as a file, its statistics |
//! | [`plugin`] | a match in an app: its table as a scene, its shots rolled by the ticks, people and bots in turns |

mod matches;
mod rules;
mod simulator;
#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;

pub mod bot;
pub mod coach;
pub mod plugin;
pub mod rulebooks;
pub mod sight;

pub use matches::{
    Breaks, Departure, Entry, LinkedMatch, Match, MatchRecord, MatchSpec, PlayedShot, PlayerStatistics, Statistics,
};
pub use rulebooks::GAMES;
pub use rules::{
    Action, BallId, BallPlace, Call, CallNeeded, CallRefusal, Choice, CushionId, FASTEST_CUE, Filling, Foul, Game,
    GameTable, Layout, Measure, Note, OptionKind, OptionSpec, OptionValue, Options, Outcome, PlaceRefusal, Player,
    PlayerSpec, PocketId, Refusal, Region, Remark, Report, Rules, Sentence, Shot, ShotConstraints, ShotError,
    ShotEvent, Standing, Task, Turn, Verdict, may_place, place_refusal,
};
pub use simulator::{Film, Simulator, Trace, record_tick};
