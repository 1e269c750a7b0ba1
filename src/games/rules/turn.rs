//! The standing of a rack: the player to act, the task, and the score.

use serde::{Deserialize, Serialize};

use super::{BallId, Call, CallRefusal, Choice, Player, Refusal, Region};

/// The standing of a rack, frame or game.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The player to act and the task.
    pub turn: Turn,
    /// Points of both players.
    pub score: [i32; 2],
    /// The points or balls that the player has made in this turn at the table.
    pub current_break: i32,
}

impl Standing {
    /// The standing before the first shot.
    #[must_use]
    pub fn new(turn: Turn) -> Self {
        Self { turn, score: [0; 2], current_break: 0 }
    }
}

/// The player to act and the task.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The player to act.
    pub player: Player,
    /// The task.
    pub task: Task,
}

impl Turn {
    /// The turn of a player who has to play this shot.
    #[must_use]
    pub fn shoot(player: Player, stroke: ShotConstraints) -> Self {
        Self { player, task: Task::Shoot(stroke) }
    }

    /// The turn of a player who has to choose.
    #[must_use]
    pub fn choose(player: Player, choices: impl Into<Vec<Choice>>) -> Self {
        Self { player, task: Task::Choose(choices.into()) }
    }

    /// The end of the game, won by this player.
    #[must_use]
    pub fn won_by(player: Player) -> Self {
        Self { player, task: Task::Over(Outcome { winner: Some(player) }) }
    }

    /// The shot to play, if the task is one.
    #[must_use]
    pub fn stroke(&self) -> Option<&ShotConstraints> {
        match &self.task {
            Task::Shoot(stroke) => Some(stroke),
            _ => None,
        }
    }

    /// Whether this choice is available now.
    ///
    /// # Errors
    /// It is not one of the offered choices, or no choice is offered.
    pub fn offers(&self, choice: Choice) -> Result<(), Refusal> {
        match &self.task {
            Task::Choose(choices) if choices.contains(&choice) => Ok(()),
            Task::Choose(_) => Err(Refusal::NotOffered(choice)),
            Task::Shoot(_) | Task::Over(_) => Err(Refusal::NothingToChoose),
        }
    }
}

/// The task of a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Play a shot.
    Shoot(ShotConstraints),
    /// Make one of these choices.
    Choose(Vec<Choice>),
    /// Nothing: the game is over.
    Over(Outcome),
}

/// The constraints on a shot.
#[derive(Clone, Debug, PartialEq)]
pub struct ShotConstraints {
    /// The ball to strike.
    pub cue_ball: BallId,
    /// The balls on, which may be hit first. If empty, any.
    pub on: Vec<BallId>,
    /// Where the cue ball may be placed first, or `None` if it is played from where it lies.
    pub in_hand: Option<Region>,
    /// The required call.
    pub call: CallNeeded,
    /// The balls that may be called with a pocket. If empty, any.
    pub may_call: Vec<BallId>,
    /// Whether a safety may be called.
    pub may_play_safe: bool,
    /// Whether a push-out may be called.
    pub may_push_out: bool,
    /// Whether it is the break.
    pub is_break: bool,
    /// Whether it is a free ball.
    pub is_free_ball: bool,
}

impl ShotConstraints {
    /// A shot with this cue ball, which lies on the table, at any ball and without a call.
    #[must_use]
    pub fn of(cue_ball: BallId) -> Self {
        Self {
            cue_ball,
            on: Vec::new(),
            in_hand: None,
            call: CallNeeded::Nothing,
            may_call: Vec::new(),
            may_play_safe: false,
            may_push_out: false,
            is_break: false,
            is_free_ball: false,
        }
    }

    /// Whether a ball is on: whether it may be hit first. The cue ball never is.
    #[must_use]
    pub fn is_on(&self, ball: BallId) -> bool {
        ball != self.cue_ball && (self.on.is_empty() || self.on.contains(&ball))
    }

    /// Whether the constraints allow a call of this ball, with a pocket or without. The cue ball is never allowed. If
    /// no call is required, any other ball is. They do not know how many balls the game has.
    #[must_use]
    pub fn allows_call_of(&self, ball: BallId) -> bool {
        match self.call {
            CallNeeded::Nothing => ball != self.cue_ball,
            CallNeeded::Ball => self.is_on(ball),
            CallNeeded::BallAndPocket => {
                ball != self.cue_ball && (self.may_call.is_empty() || self.may_call.contains(&ball))
            }
        }
    }

    /// Why the constraints do not allow a shot with this call, or `None` if they do. A match also rejects a ball that
    /// the game does not have.
    #[must_use]
    pub fn refusal(&self, call: &Call) -> Option<CallRefusal> {
        if call.push_out {
            return (!self.may_push_out).then_some(CallRefusal::NoPushOut);
        }
        if call.safety {
            return (!self.may_play_safe).then_some(CallRefusal::NoSafety);
        }
        match self.call {
            CallNeeded::Nothing => None,
            CallNeeded::Ball => match call.ball {
                None => Some(CallRefusal::BallFirst),
                Some(ball) if !self.allows_call_of(ball) => Some(CallRefusal::NotOn),
                Some(_) => None,
            },
            CallNeeded::BallAndPocket => match (call.ball, call.pocket) {
                (Some(ball), _) if !self.allows_call_of(ball) => Some(CallRefusal::NotThatBall),
                (Some(_), Some(_)) => None,
                (None, _) => Some(CallRefusal::BallAndPocketFirst),
                (_, None) => Some(CallRefusal::PocketFirst),
            },
        }
    }
}

/// The call required before a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallNeeded {
    /// Nothing.
    Nothing,
    /// A ball, as in snooker's nomination.
    Ball,
    /// A ball and a pocket, unless a safety is called.
    BallAndPocket,
}

/// The outcome of a rack, frame or game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner, or `None` for a draw or practice.
    pub winner: Option<Player>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::PocketId;

    #[test]
    fn any_ball_but_the_cue_ball_is_on_where_none_is_listed() {
        let any = ShotConstraints::of(BallId(1));
        assert_eq!([0, 1, 2].map(|ball| any.is_on(BallId(ball))), [true, false, true]);
        let one = ShotConstraints { on: vec![BallId(2)], ..any };
        assert_eq!([0, 1, 2].map(|ball| one.is_on(BallId(ball))), [false, false, true]);
    }

    #[test]
    fn the_ball_that_is_struck_cannot_be_called() {
        let cue_ball = BallId(0);
        for call in [CallNeeded::Nothing, CallNeeded::Ball, CallNeeded::BallAndPocket] {
            let stroke = ShotConstraints { call, ..ShotConstraints::of(cue_ball) };
            assert!(!stroke.allows_call_of(cue_ball) && stroke.allows_call_of(BallId(1)), "{call:?}");
            let refusal = stroke.refusal(&Call::pot(cue_ball, PocketId(0)));
            assert_eq!(refusal.is_some(), call != CallNeeded::Nothing, "{call:?}");
        }
    }
}
