//! Games: rules as plain functions, players, and matches.
//!
//! A game is a type that implements [`Rules`]: its state, its allowed actions, and its verdict on a [`Shot`]. It knows
//! neither the ECS nor the simulation: events go in, a [`Verdict`] comes out. The list [`GAMES`] has one line per game.
//!
//! Each module imports only those above it:
//!
//! | module | contents |
//! |---|---|
//! | `rules` | the trait [`Rules`] and its data types: layouts, shots, turns, calls, fouls, verdicts |
//! | `simulator` | complete shots without an ECS |
//! | [`sight`] | which balls can be potted where, and the chance of each, in closed form |
//! | [`drills`] | drills as data, the score of a shot, progress |
//! | [`rulebooks`] | the games: pool, snooker, carom, curling, practice, drills |
//! | [`bot`] | computer players |
//! | [`coach`] | advice before a shot, and the measure of a miss |
//! | `matches` | two players and a sequence of racks, with a log file and statistics |
//! | [`plugin`] | a match in an app: its table is a scene, its shots run in the ticks, and people and bots take turns |

mod matches;
mod rules;
mod simulator;
#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;

pub mod bot;
pub mod coach;
pub mod drills;
pub mod plugin;
pub mod rulebooks;
pub mod sight;

pub use matches::{
    AgainstBot, Answered, Breaks, Departure, Entry, LinkedMatch, Match, MatchRecord, MatchResult, MatchResults,
    MatchSpec, PlayedShot, PlayerStatistics, Statistics,
};
pub use rulebooks::GAMES;
pub use rules::{
    Action, Area, BallId, BallPlace, Call, CallNeeded, CallRefusal, Choice, CueKind, CushionId, FASTEST_CUE, Filling,
    Foul, Game, GameTable, Layout, Measure, Note, OptionKind, OptionSpec, OptionValue, Options, Outcome, PlaceRefusal,
    Player, PlayerSpec, PocketId, Refusal, Region, Remark, Report, Rules, Sentence, Shot, ShotConstraints, ShotError,
    ShotEvent, Standing, TOUCHING_GAP, Target, Task, Turn, Verdict, may_place, place_refusal,
};
pub use simulator::{Film, Simulator, Trace, Tracked, record_tick, simplified};
