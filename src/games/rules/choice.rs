//! What a player may be given to choose from.

use std::fmt;

use serde::{Deserialize, Serialize};

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
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PlayOn => "play on from here",
            Self::PassBack => "the other player shoots",
            Self::Break => "rack again and break",
            Self::LetBreak => "rack again, the other breaks",
            Self::SpotAndPlayOn => "spot the ball and play on",
            Self::BallInHand => "take the ball in hand",
            Self::SpotNearest => "spot the nearest ball",
            Self::Replay => "put the balls back, the other plays again",
            Self::GoFirst => "go first",
            Self::LetGoFirst => "let the other go first",
            Self::SpotTouching => "spot the balls that touch",
        })
    }
}
