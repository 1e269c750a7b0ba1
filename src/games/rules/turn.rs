//! Where a rack stands: whose turn it is, what is to be done, and what both players have made.

use serde::{Deserialize, Serialize};

use super::{BallId, Call, CallRefusal, Choice, Player, Refusal, Region};

/// Where a rack, frame or game stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Whose turn it is, and what is to be done.
    pub turn: Turn,
    /// Points of both players.
    pub score: [i32; 2],
    /// The points, or balls, that the player at the table has made since coming to it.
    pub current_break: i32,
}

impl Standing {
    /// At the start, before the first shot.
    #[must_use]
    pub fn new(turn: Turn) -> Self {
        Self { turn, score: [0; 2], current_break: 0 }
    }
}

/// Whose turn it is, and what is to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Who is to do it.
    pub player: Player,
    /// What.
    pub task: Task,
}

impl Turn {
    /// A player is to play this shot.
    #[must_use]
    pub fn shoot(player: Player, stroke: ShotConstraints) -> Self {
        Self { player, task: Task::Shoot(stroke) }
    }

    /// A player is to choose one of these.
    #[must_use]
    pub fn choose(player: Player, choices: impl Into<Vec<Choice>>) -> Self {
        Self { player, task: Task::Choose(choices.into()) }
    }

    /// It is over, and this player has won.
    #[must_use]
    pub fn won_by(player: Player) -> Self {
        Self { player, task: Task::Over(Outcome { winner: Some(player) }) }
    }

    /// The shot that is to be played, if it is one.
    #[must_use]
    pub fn stroke(&self) -> Option<&ShotConstraints> {
        match &self.task {
            Task::Shoot(stroke) => Some(stroke),
            _ => None,
        }
    }

    /// Whether this may be chosen now.
    ///
    /// # Errors
    /// It is not among what is to be chosen, or nothing is.
    pub fn offers(&self, choice: Choice) -> Result<(), Refusal> {
        match &self.task {
            Task::Choose(choices) if choices.contains(&choice) => Ok(()),
            Task::Choose(_) => Err(Refusal::NotOffered(choice)),
            Task::Shoot(_) | Task::Over(_) => Err(Refusal::NothingToChoose),
        }
    }
}

/// What a player is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Play a shot.
    Shoot(ShotConstraints),
    /// Choose one of these.
    Choose(Vec<Choice>),
    /// Nothing: it is over.
    Over(Outcome),
}

/// A shot that is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct ShotConstraints {
    /// The ball that is struck.
    pub cue_ball: BallId,
    /// The balls on: those that may be hit first. Empty: any.
    pub on: Vec<BallId>,
    /// Where the cue ball may be placed before; none: it is played from where it lies.
    pub in_hand: Option<Region>,
    /// What has to be called before.
    pub call: CallNeeded,
    /// The balls that may be called with a pocket. Empty: any.
    pub may_call: Vec<BallId>,
    /// Whether a safety may be called.
    pub may_play_safe: bool,
    /// Whether it may be called a push-out.
    pub may_push_out: bool,
    /// Whether it is the break.
    pub is_break: bool,
    /// Whether it is a free ball.
    pub is_free_ball: bool,
}

impl ShotConstraints {
    /// Any ball may be hit first by this one, which lies on the table; nothing is called.
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

    /// Whether the rules let this ball be called, with a pocket or without one: never the one that is struck. Where
    /// nothing has to be called, any other may be.
    #[must_use]
    pub fn allows_call_of(&self, ball: BallId) -> bool {
        let allowed: &[BallId] = match self.call {
            CallNeeded::Nothing => &[],
            CallNeeded::Ball => &self.on,
            CallNeeded::BallAndPocket => &self.may_call,
        };
        ball != self.cue_ball && (allowed.is_empty() || allowed.contains(&ball))
    }

    /// Why a shot may not be played with this call; none if it may.
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

/// What has to be called before a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallNeeded {
    /// Nothing.
    Nothing,
    /// A ball: snooker's nomination.
    Ball,
    /// A ball and a pocket, unless it is a safety.
    BallAndPocket,
}

/// How a rack, frame or game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who has won; none: a draw, or practice.
    pub winner: Option<Player>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::PocketId;

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
