//! The choices that rules may offer a player.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Sentence;
use crate::notice::mark;

/// A choice that rules may offer a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// Play with the balls as they lie.
    PlayOn,
    /// Let the opponent shoot with the balls as they lie.
    PassBack,
    /// Have the balls racked again, and break.
    Break,
    /// Have the balls racked again, and let the opponent break.
    LetBreak,
    /// Have the winning ball spotted, and continue.
    SpotAndPlayOn,
    /// Take the cue ball in hand.
    BallInHand,
    /// Have the nearest ball on spotted, as all of them lie behind the head string, where the cue ball is in hand.
    SpotNearest,
    /// Have the balls put back to their places before the shot, and let the opponent play it again.
    Replay,
    /// Take the first turn.
    GoFirst,
    /// Leave the first turn to the opponent.
    LetGoFirst,
    /// Have the cue ball and the balls that touch it spotted, and play from there.
    SpotTouching,
}

impl Choice {
    /// The text of its button.
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
    /// The [sentence](Self::sentence) in lower case, for use within a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.sentence().template.split_at(1);
        write!(f, "{}{rest}", first.to_lowercase())
    }
}
