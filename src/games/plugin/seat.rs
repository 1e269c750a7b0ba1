//! Who plays: a person, or a bot.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use crate::games::{Action, Match, bot};

/// How many shots a bot thinks at a time.
const SLICE: u32 = 256;

/// What a bot does with a match whose turn it has: any function that looks at it and says what it plays. It is called on a task, one call at a time.
pub type Mind = Arc<Mutex<dyn FnMut(&Match) -> Action + Send>>;

/// Who plays.
#[derive(Clone)]
pub enum Seat {
    /// A person.
    Person,
    /// A bot.
    Bot(Mind),
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_person() { "Person" } else { "Bot" })
    }
}

impl Seat {
    /// A bot of one's own.
    #[must_use]
    pub fn bot(think: impl FnMut(&Match) -> Action + Send + 'static) -> Self {
        Self::Bot(Arc::new(Mutex::new(think)))
    }

    /// Who a name in [`MatchSpec::players`](crate::games::MatchSpec::players) stands for: a bot if it begins with `bot:` or `exec:`, and else a person.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn named(name: &str) -> Result<Self, String> {
        if !["bot:", "exec:"].iter().any(|prefix| name.starts_with(prefix)) {
            return Ok(Self::Person);
        }
        let mut bot = bot::player(name)?;
        Ok(Self::bot(move |game| {
            bot.consider(game.position());
            loop {
                if let Some(action) = bot.think(SLICE) {
                    return action;
                }
            }
        }))
    }

    /// Whether it is a person.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }
}

/// Asks a bot what it plays.
pub(super) fn ask(mind: &Mind, game: &Match) -> Action {
    mind.lock().unwrap_or_else(PoisonError::into_inner)(game)
}
