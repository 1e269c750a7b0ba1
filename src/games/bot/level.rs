//! How strong a bot is, as data.

use serde::{Deserialize, Serialize};

/// How well a bot plays: how steady its hand is, and how much it looks at. All budgets are counted in shots, so that it
/// plays the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The noise of its hand, as a multiple of the [Olympiad's](super::Noise::OLYMPIAD).
    pub noise: f64,
    /// How many pots it looks at.
    pub aims: usize,
    /// With how many speeds each.
    pub speeds: usize,
    /// With how many places of the tip each.
    pub tips: usize,
    /// How often it plays what looks best in its head with the noise of its hand: the most promising more often than
    /// others.
    pub samples: u32,
    /// For how many of the best it looks one shot further.
    pub deep: usize,
    /// How many safeties, kicks and banks it looks at, where no pot is good.
    pub safeties: u32,
    /// How many breaks it looks at.
    pub breaks: u32,
    /// How many strokes it looks at in games without pockets, or that it does not understand.
    pub sweep: u32,
}

impl Level {
    /// All levels with their names, the weakest first.
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

    /// Chooses among a few, without side.
    pub const EASY: Self =
        Self { noise: 2.0, aims: 4, speeds: 2, tips: 1, samples: 0, deep: 0, safeties: 12, breaks: 4, sweep: 120 };

    /// Plays for position.
    pub const MEDIUM: Self =
        Self { noise: 1.0, aims: 5, speeds: 3, tips: 3, samples: 16, deep: 0, safeties: 48, breaks: 8, sweep: 400 };

    /// Plays for position with side, minds its own noise, and knows when a safety is better.
    pub const STRONG: Self =
        Self { noise: 0.5, aims: 8, speeds: 6, tips: 9, samples: 900, deep: 0, safeties: 160, breaks: 40, sweep: 1000 };

    /// Errs never, and looks one shot further.
    pub const PERFECT: Self =
        Self { noise: 0.0, aims: 6, speeds: 5, tips: 9, samples: 0, deep: 6, safeties: 240, breaks: 80, sweep: 2000 };

    /// The level of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, level)| level)
    }

    /// The same for looking one shot further: less of everything.
    pub(super) fn glance(self) -> Self {
        Self { aims: 3, speeds: 3, tips: 3, samples: 0, deep: 0, safeties: 0, breaks: 1, sweep: 100, ..self }
    }
}
