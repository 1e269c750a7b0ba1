//! Generates candidate strokes: direct pots, combinations, banks, kicks, jumps, safeties and breaks. In a game that it
//! knows nothing about it picks random strokes that hit something.
//!
//! This module only proposes strokes; the solver and the rules decide their value. The constants bound that search. A
//! constant without a source or a derivation was set by hand. The ladder of levels (`docs/src/bots.md`) guards
//! them all.

mod aims;
mod break_shot;
mod contact;
mod delivery;

use bevy::math::Vec2;

use crate::{
    billiards::cue::CueStrike,
    games::{
        rules::{BallId, Call, CallNeeded, PocketId, may_place},
        sight::Situation,
    },
    random::Random,
};

pub use aims::{Aim, Variant, aimed};
pub use contact::StrokeRange;

/// The purpose of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pot the first ball hit.
    Pot,
    /// Pot the ball off a cushion.
    Bank,
    /// Hit one ball into another that is potted.
    Combination,
    /// Hit a ball after a cushion.
    Kick,
    /// Hit a ball after a jump over another one.
    Jump,
    /// Hit a ball and leave the opponent nothing.
    Safety,
    /// Break.
    Break,
    /// Score in any way.
    Sweep,
    /// Slide a disc to a place of rest, such as a draw to the button or a guard.
    Delivery,
    /// Drive a disc away.
    TakeOut,
}

/// A complete stroke that can be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The purpose of the stroke.
    pub kind: Kind,
    /// The place from which the cue ball is played, metres.
    pub from: Vec2,
    /// The call.
    pub call: Call,
    /// The stroke itself.
    pub strike: CueStrike,
}

/// The fastest shot other than a break, m/s. D. Alciatore's list of typical speeds (<https://billiards.colostate.edu>)
/// has 5.4 for a fast shot, and 6.7 to 8.9 for a power shot.
const FASTEST: f32 = 6.5;

impl Situation<'_> {
    /// The place of the cue ball, or a random place where it may be put.
    fn random_place(&self, random: &mut Random) -> Option<Vec2> {
        let Self { stroke, layout, table, .. } = *self;
        let lies = self.any_place();
        let Some(region) = stroke.in_hand else { return lies };
        let half = table.half();
        let places = (0..64).map(|_| random.within(-half, half));
        let free: Option<Vec2> =
            places.into_iter().find(|&place| may_place(region, layout, stroke.cue_ball, place, table));
        free.or(lies)
    }

    /// The call for a stroke.
    #[must_use]
    pub fn call(&self, ball: Option<BallId>, pot: Option<(BallId, PocketId)>) -> Call {
        let stroke = self.stroke;
        let may_be_called = |ball: &BallId| stroke.allows_call_of(*ball);
        let any = || {
            let on = self.balls_on();
            ball.filter(may_be_called).or_else(|| on.iter().copied().find(may_be_called)).or(on.first().copied())
        };
        match (stroke.call, pot) {
            (CallNeeded::Nothing, _) => Call::default(),
            (CallNeeded::Ball, _) => {
                let ball = ball.or_else(|| self.balls_on().first().copied());
                Call { ball, ..Call::default() }
            }
            (CallNeeded::BallAndPocket, Some((ball, pocket))) => Call::pot(ball, pocket),
            (CallNeeded::BallAndPocket, None) if stroke.may_play_safe => Call { safety: true, ..Call::default() },
            (CallNeeded::BallAndPocket, None) => Call { ball: any(), pocket: Some(PocketId(0)), ..Call::default() },
        }
    }
}

/// A random number in a range.
fn between([low, high]: [f32; 2], random: &mut Random) -> f32 {
    random.between(low, high)
}

/// A place mirrored in each of the four lines on which centres rebound, `half` from the centre of the table, metres.
fn mirrors(place: Vec2, half: Vec2) -> [Vec2; 4] {
    [
        Vec2::new(2.0 * half.x - place.x, place.y),
        Vec2::new(-2.0 * half.x - place.x, place.y),
        Vec2::new(place.x, 2.0 * half.y - place.y),
        Vec2::new(place.x, -2.0 * half.y - place.y),
    ]
}
