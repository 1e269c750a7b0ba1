//! What a match is waiting for.

use super::shot::Rolling;
use crate::{
    billiards::cue::CueStrike,
    games::rules::{Action, BallId},
};

/// What a match is waiting for.
#[derive(Debug)]
pub enum Phase {
    /// A person who has to act.
    Person,
    /// A bot that is thinking.
    Thinking,
    /// A bot that has decided and is acting.
    Acting(Acting),
    /// The rolling balls.
    Rolling(Box<Rolling>),
    /// A pause after a shot, with the remaining seconds.
    Review(f32),
    /// Nothing: the match is over.
    Over,
}

/// A bot that has decided on an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acting {
    pub(super) action: Action,
    /// The time since the decision, seconds.
    pub(super) seconds: f32,
}

/// How long a bot walks around the table, turns the cue to the line, and draws it back and strokes, seconds each.
const WALK: f32 = 0.5;

const TURN: f32 = 1.0;

const STROKE: f32 = 0.7;

/// How long a bot takes to place a ball or to choose, seconds.
const DECIDE: f32 = 0.9;

/// The visible stance of a bot at the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The ball to strike.
    pub cue_ball: BallId,
    /// The planned stroke.
    pub strike: CueStrike,
    /// How far the cue has turned to the line, from 0 to 1.
    pub turned: f32,
    /// How far the cue has been drawn back, from 0 to 1.
    pub drawn: f32,
}

impl Acting {
    /// The current stance of the bot, if it is about to strike this ball.
    pub(super) fn stance(self, cue_ball: BallId) -> Option<Stance> {
        let Action::Shoot { strike, .. } = self.action else { return None };
        let since_walk = self.seconds - WALK;
        let smooth = |share: f32| share * share * (3.0 - 2.0 * share);
        let turned = smooth((since_walk / TURN).clamp(0.0, 1.0));
        let drawn = smooth(((since_walk - TURN) / STROKE).clamp(0.0, 1.0));
        (since_walk > 0.0).then_some(Stance { cue_ball, strike, turned, drawn })
    }

    pub(super) fn lasts(self) -> f32 {
        if matches!(self.action, Action::Shoot { .. }) { WALK + TURN + STROKE } else { DECIDE }
    }
}
