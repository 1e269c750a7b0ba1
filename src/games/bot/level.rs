//! The strength of a bot, as data.

use serde::{Deserialize, Serialize};

/// How well a bot plays: how steady its hand is, and how many shots it considers. All budgets are counted in shots, so
/// that a bot plays the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The noise of its hand, as a multiple of the [Olympiad's](super::Noise::OLYMPIAD).
    pub noise: f64,
    /// The number of pots to consider.
    pub aims: usize,
    /// The number of speeds per pot.
    pub speeds: usize,
    /// The number of tip positions per pot.
    pub tips: usize,
    /// The number of trials with the noise of its hand. Promising strokes get more of them.
    pub samples: u32,
    /// The number of best strokes to follow one shot further.
    pub deep: usize,
    /// The number of safeties and kicks to consider if there is no good pot, and of jumps if no ball on is in sight.
    pub safeties: u32,
    /// The number of breaks to consider.
    pub breaks: u32,
    /// The number of strokes to consider in games without pockets or without a known objective.
    pub sweep: u32,
}

impl Level {
    /// All levels with their names, weakest first.
    pub const ALL: [(&'static str, Self); 5] = [
        ("beginner", Self::BEGINNER),
        ("easy", Self::EASY),
        ("medium", Self::MEDIUM),
        ("strong", Self::STRONG),
        ("perfect", Self::PERFECT),
    ];

    /// Sees the nearest pot, and misses it more often than not.
    pub const BEGINNER: Self =
        Self { noise: 4.0, aims: 2, speeds: 1, tips: 1, samples: 0, deep: 0, safeties: 4, breaks: 2, sweep: 40 };

    /// Chooses among a few pots, without side.
    pub const EASY: Self =
        Self { noise: 2.0, aims: 4, speeds: 2, tips: 1, samples: 0, deep: 0, safeties: 12, breaks: 4, sweep: 120 };

    /// Plays for position.
    pub const MEDIUM: Self =
        Self { noise: 1.0, aims: 5, speeds: 3, tips: 3, samples: 16, deep: 0, safeties: 48, breaks: 8, sweep: 400 };

    /// Plays for position with side, accounts for its own noise, and knows when a safety is better.
    pub const STRONG: Self =
        Self { noise: 0.5, aims: 8, speeds: 6, tips: 9, samples: 900, deep: 0, safeties: 160, breaks: 40, sweep: 1000 };

    /// Never errs, and looks one shot ahead.
    pub const PERFECT: Self =
        Self { noise: 0.0, aims: 6, speeds: 5, tips: 9, samples: 0, deep: 6, safeties: 240, breaks: 80, sweep: 2000 };

    /// The level with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, level)| level)
    }

    /// A smaller budget, for looking one shot ahead.
    pub(super) fn glance(self) -> Self {
        Self { aims: 3, speeds: 3, tips: 3, samples: 0, deep: 0, safeties: 0, breaks: 1, sweep: 100, ..self }
    }
}
