//! The definition of a game: its state, its possible actions, and its verdict on a shot. Nothing here knows the
//! simulation or the ECS.
//!
//! | file | contents |
//! |---|---|
//! | this one | [`Rules`], the trait that a rule book implements, and [`Player`] |
//! | `game`, `options` | [`Game`]: name, tables and the first rack of a rule book; [`OptionSpec`]: an option of it |
//! | `player` | [`PlayerSpec`]: a person, a bot or a program |
//! | `layout`, `shot`, `action` | positions of balls; the events of a shot; a player's action |
//! | `cannon` | cushions and hits of a shot, as carom counts them |
//! | `turn` | [`Standing`], with [`Turn`]: the player to act and the task |
//! | `choice` | [`Choice`]: an option offered to a player |
//! | `verdict` | [`Verdict`]: fouls, points, new places of balls |
//! | `remark`, `refusal` | messages of the rules, and reasons why an action is refused, as values |
//! | `sentence` | [`Sentence`]: the text of all of these, as a template that can be translated |
//! | `table` | the table as rules see it: spots, allowed places of a ball in hand |
//! | `target` | [`Target`]: an area in which a ball scores when it comes to rest |

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::billiards::tables::BallName;

mod action;
mod cannon;
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
mod target;
mod turn;
mod verdict;

pub use action::{Action, CueKind, Report};
pub use choice::Choice;
pub use game::{Game, Measure};
pub use layout::{BallId, BallPlace, CushionId, Layout, PocketId, TOUCHING_GAP};
pub use options::{OptionKind, OptionSpec, OptionValue, Options};
pub use player::PlayerSpec;
pub use refusal::{CallRefusal, PlaceRefusal, Refusal};
pub use remark::{Note, Remark};
pub use sentence::{Filling, Sentence};
pub use shot::{Call, FASTEST_CUE, Shot, ShotError, ShotEvent};
pub use table::{GameTable, Region, may_place, place_refusal};
pub use target::{Area, Target};
pub use turn::{CallNeeded, Outcome, ShotConstraints, Standing, Task, Turn};
pub use verdict::{Foul, Verdict};

/// One of the two players: 0 or 1. Practice has only player 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Player(pub u8);

impl Player {
    /// The player as an index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        Self(1 - self.0.min(1))
    }
}

/// The current state of a rack, frame or game, with its rules.
///
/// A match asks [`standing`](Rules::standing) for the task, has it carried out, and passes the result to
/// [`judge`](Rules::judge) or [`choose`](Rules::choose). So one type with these functions is a complete game. A clone
/// of it is a position from which a bot may plan ahead.
///
/// The methods with defaults are optional. A type that wraps other rules forwards all of them; under
/// `#[deny(clippy::missing_trait_methods)]` Clippy names the missing ones.
pub trait Rules: fmt::Debug + Send + Sync {
    /// The balls, indexed by [`BallId`].
    fn balls(&self) -> &[BallName];

    /// The initial layout. It is requested once, before the first shot. The seed determines everything that the rules
    /// leave to chance, now and later.
    fn layout(&mut self, seed: u64) -> Layout;

    /// The current turn and the score.
    fn standing(&self) -> &Standing;

    /// The value of potting a ball, for bots and programs that compare pots. Default: 1. Snooker returns the points of
    /// its balls.
    fn value(&self, ball: BallId) -> i32 {
        let _ = ball;
        1
    }

    /// Judges a shot. Called only while [`Turn::task`] is [`Task::Shoot`].
    fn judge(&mut self, shot: &Shot) -> Verdict;

    /// Applies the choice that the player to act made from [`Task::Choose`], with this layout. Games without choices
    /// keep the default.
    ///
    /// # Errors
    /// The choice is not available now; the error says why.
    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        let _ = (choice, layout);
        Err(Refusal::NothingToChoose)
    }

    /// Notes on a player's state for the display besides points, such as the player's group or the colour on.
    fn notes(&self, player: Player) -> Vec<Note> {
        let _ = player;
        Vec::new()
    }

    /// The player's cue ball, or the colour of the player's stones, if each player has a different one. Default: none.
    fn own_ball(&self, player: Player) -> Option<BallName> {
        let _ = player;
        None
    }

    /// The target score of a player, if points win. Default: none.
    fn points_to_win(&self, player: Player) -> Option<u32> {
        let _ = player;
        None
    }

    /// The estimated chance that player 0 wins with this layout, from 0 to 1. It is a guess for bots, in games in which
    /// the positions say more than the turn and the available pots. Default: none.
    fn outlook(&self, layout: &Layout) -> Option<f32> {
        let _ = layout;
        None
    }

    /// What is played, if a game offers several things, such as the title of a drill. Default: none, so the display
    /// says [`Game::title`].
    fn title(&self) -> Option<&str> {
        None
    }

    /// The areas in which balls score when they come to rest after the next shot, for the display. Default: none.
    fn targets(&self) -> &[Target] {
        &[]
    }

    /// Clones the rules into a box.
    fn boxed(&self) -> Box<dyn Rules>;
}

impl dyn Rules + '_ {
    /// The player to act and the task.
    #[must_use]
    pub fn turn(&self) -> &Turn {
        &self.standing().turn
    }

    /// The points of both players.
    #[must_use]
    pub fn score(&self) -> [i32; 2] {
        self.standing().score
    }

    /// Why a shot with this call is not allowed now, or `None` if it is. Every call is checked with it before the shot
    /// is played. So [`judge`](Rules::judge) never sees a called ball that the game does not have.
    #[must_use]
    pub fn call_refusal(&self, call: &Call) -> Option<CallRefusal> {
        let refusal = self.turn().stroke().and_then(|stroke| stroke.refusal(call));
        let is_unknown = call.ball.is_some_and(|ball| ball.index() >= self.balls().len());
        refusal.or_else(|| is_unknown.then_some(CallRefusal::NotThatBall))
    }

    /// The points or balls that the player has made in this turn at the table.
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
