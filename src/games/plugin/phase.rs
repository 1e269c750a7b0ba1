//! What a match is waiting for.

use super::shot::Rolling;
use crate::{
    billiards::cue::CueStrike,
    games::rules::{Action, BallId},
};

/// What a match is waiting for.
#[derive(Debug)]
pub enum Phase {
    /// A person, who is to act.
    Person,
    /// A bot, which thinks.
    Thinking,
    /// A bot, which has decided and takes its time.
    Acting(Acting),
    /// The balls, which roll.
    Rolling(Box<Rolling>),
    /// The table is left to be looked at, for so many more seconds.
    Review(f32),
    /// Nobody: it is over.
    Over,
}

/// A bot that has decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acting {
    pub(super) action: Action,
    /// For how long it has been at it, seconds.
    pub(super) seconds: f32,
}

/// How long a bot walks around the table, turns the cue to the line, and draws it back and strokes, seconds.
const WALK: f32 = 0.5;

const TURN: f32 = 1.0;

const STROKE: f32 = 0.7;

/// How long a bot takes to place a ball or to choose, seconds.
const DECIDE: f32 = 0.9;

/// How a bot stands at the table: what is seen of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The ball that it plays.
    pub cue_ball: BallId,
    /// The stroke that it is going to play.
    pub strike: CueStrike,
    /// How far it has turned the cue to the line, from 0 to 1.
    pub turned: f32,
    /// How far it has drawn the cue back, from 0 to 1.
    pub drawn: f32,
}

impl Acting {
    /// How the bot stands at the table by now, if it is about to strike this ball.
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
