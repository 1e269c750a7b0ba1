//! What a game is: a state, what may be done in it, and what a shot makes of it. Nothing here knows the simulation or
//! the ECS.
//!
//! | file | what it holds |
//! |---|---|
//! | this one | [`Rules`], the trait that a rule book implements, and [`Player`] |
//! | `game`, `options` | [`Game`]: name, tables and the first rack of a rule book; [`OptionSpec`]: an option of it |
//! | `player` | [`PlayerSpec`]: a person, a bot or a program |
//! | `layout`, `shot`, `action` | where balls are; what happened in a shot; what a player does |
//! | `turn` | [`Standing`], with [`Turn`]: whose turn it is, and what is to be done |
//! | `choice` | [`Choice`]: what a player may be given to choose from |
//! | `verdict` | [`Verdict`]: fouls, points, where balls go |
//! | `remark`, `refusal` | what the rules tell people, and why something cannot be done, as values |
//! | `sentence` | [`Sentence`]: what all of these say, as a template that can be translated |
//! | `table` | the table as rules see it: spots, where a ball in hand may lie |

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::billiards::tables::BallName;

mod action;
mod choice;
mod game;
mod layout;
pub(in crate::games) mod options;
mod player;
mod refusal;
mod remark;
mod sentence;
mod shot;
mod table;
mod turn;
mod verdict;

pub use action::{Action, Report};
pub use choice::Choice;
pub use game::{Game, Measure};
pub use layout::{BallId, BallPlace, CushionId, Layout, PocketId};
pub use options::{OptionKind, OptionSpec, OptionValue, Options};
pub use player::PlayerSpec;
pub use refusal::{CallRefusal, PlaceRefusal, Refusal};
pub use remark::{Note, Remark};
pub use sentence::{Filling, Sentence};
pub use shot::{Call, FASTEST_CUE, Shot, ShotError, ShotEvent};
pub use table::{GameTable, Region, may_place, place_refusal};
pub use turn::{CallNeeded, Outcome, ShotConstraints, Standing, Task, Turn};
pub use verdict::{Foul, Verdict};

/// One of the two players: 0 or 1. In practice there is only the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Player(pub u8);

impl Player {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        Self(1 - self.0.min(1))
    }
}

/// A rack, frame or game in its present state, with its rules.
///
/// The frame of a match asks [`standing`](Rules::standing) what is to be done, has it done, and tells the rules by
/// [`judge`](Rules::judge) or [`choose`](Rules::choose). So all of a game is one type with these functions; a clone of
/// it is a position that a bot may think ahead from.
///
/// The methods with defaults are for games that have no use for them. A type that wraps other rules forwards all of
/// them; under `#[deny(clippy::missing_trait_methods)]` Clippy names those left out.
pub trait Rules: fmt::Debug + Send + Sync {
    /// The balls, by their [`BallId`]s.
    fn balls(&self) -> &[BallName];

    /// Where they lie at the start, asked for once, before the first shot. What the rules leave to chance, here and
    /// later on, follows from the seed.
    fn layout(&mut self, seed: u64) -> Layout;

    /// Whose turn it is, and what both players have made.
    fn standing(&self) -> &Standing;

    /// What it counts to pot a ball, for bots and programs that weigh one pot against another. Default: 1; snooker has
    /// the points of its balls.
    fn value(&self, ball: BallId) -> i32 {
        let _ = ball;
        1
    }

    /// A shot has been played: what follows from it. Only while [`Turn::task`] is [`Task::Shoot`].
    fn judge(&mut self, shot: &Shot) -> Verdict;

    /// The player whose turn it is has chosen one of [`Task::Choose`], with the balls where they are. Games that never
    /// ask leave it as it is.
    ///
    /// # Errors
    /// Why that cannot be chosen now.
    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        let _ = (choice, layout);
        Err(Refusal::NothingToChoose)
    }

    /// What people should see of a player's state beside points, such as that the stripes are his or which colour is
    /// on.
    fn notes(&self, player: Player) -> Vec<Note> {
        let _ = player;
        Vec::new()
    }

    /// The ball that a player plays with, or the colour of the own stones, where each has another. Default: none.
    fn own_ball(&self, player: Player) -> Option<BallName> {
        let _ = player;
        None
    }

    /// How many points a player needs, where points win. Default: none.
    fn points_to_win(&self, player: Player) -> Option<u32> {
        let _ = player;
        None
    }

    /// How likely player 0 is to win with the balls where they lie, from 0 to 1: a guess for bots, in games in which
    /// the places of balls by themselves say more than whose turn it is and what can be potted from there. Default:
    /// none.
    fn outlook(&self, layout: &Layout) -> Option<f32> {
        let _ = layout;
        None
    }

    /// The same state once more.
    fn boxed(&self) -> Box<dyn Rules>;
}

impl dyn Rules + '_ {
    /// Whose turn it is, and what is to be done.
    #[must_use]
    pub fn turn(&self) -> &Turn {
        &self.standing().turn
    }

    /// Points of both players.
    #[must_use]
    pub fn score(&self) -> [i32; 2] {
        self.standing().score
    }

    /// The points, or balls, that the player at the table has made since coming to it.
    #[must_use]
    pub fn current_break(&self) -> i32 {
        self.standing().current_break
    }
}

impl Clone for Box<dyn Rules> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
