//! What a player may be given to choose from.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Sentence;
use crate::notice::mark;

/// What a player may be given to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// Play from here, with the balls as they lie.
    PlayOn,
    /// Let the other player shoot with the balls as they lie.
    PassBack,
    /// Have the balls racked anew, and break.
    Break,
    /// Have the balls racked anew, and let the other player break.
    LetBreak,
    /// Have the winning ball spotted, and play on.
    SpotAndPlayOn,
    /// Take the cue ball in hand.
    BallInHand,
    /// Have the nearest of the balls that may be hit spotted, as all of them lie behind the head string, where the cue
    /// ball in hand is.
    SpotNearest,
    /// Have the balls put back to where they lay before the shot, and let the other player play it again.
    Replay,
    /// Take the first turn, of two who may.
    GoFirst,
    /// Leave the first turn to the other.
    LetGoFirst,
    /// Have the balls that touch the cue ball spotted, and the cue ball too, and play from there.
    SpotTouching,
}

impl Choice {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::PlayOn,
        Self::PassBack,
        Self::Break,
        Self::LetBreak,
        Self::SpotAndPlayOn,
        Self::BallInHand,
        Self::SpotNearest,
        Self::Replay,
        Self::GoFirst,
        Self::LetGoFirst,
        Self::SpotTouching,
    ];

    /// What stands on its button.
    #[must_use]
    pub fn sentence(self) -> Sentence<'static> {
        let text = match self {
            Self::PlayOn => mark("Play on from here"),
            Self::PassBack => mark("The other player shoots"),
            Self::Break => mark("Rack again and break"),
            Self::LetBreak => mark("Rack again, the other player breaks"),
            Self::SpotAndPlayOn => mark("Spot the ball and play on"),
            Self::BallInHand => mark("Take the ball in hand"),
            Self::SpotNearest => mark("Spot the nearest ball"),
            Self::Replay => mark("Put the balls back, the other player plays again"),
            Self::GoFirst => mark("Go first"),
            Self::LetGoFirst => mark("Let the other player go first"),
            Self::SpotTouching => mark("Spot the touching balls"),
        };
        text.into()
    }
}

impl fmt::Display for Choice {
    /// As a part of a sentence: its [sentence](Self::sentence) with a small first letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.sentence().template.split_at(1);
        write!(f, "{}{rest}", first.to_lowercase())
    }
}
