//! The players: people and bots.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    games::{
        bot::{self, Bot, Idea},
        matches::Match,
        rules::{Action, PlayerSpec},
    },
    timeline::slices::{SHOTS, next_slice},
};

/// The function of a bot. Called with a match it starts to think; called without one it continues. Each call may return
/// an action. It runs on a task, one call at a time, until it returns one.
pub type Mind = Arc<Mutex<dyn FnMut(Option<&Match>) -> Option<Action> + Send>>;

/// The strokes that a bot considers: see [`Bot::ideas`].
pub type Ideas = Arc<Mutex<Vec<Idea>>>;

/// A player.
#[derive(Clone)]
pub enum Seat {
    /// A person.
    Person,
    /// A bot, with the strokes that it considers.
    Bot(Mind, Ideas),
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_person() { "Person" } else { "Bot" })
    }
}

impl Seat {
    /// A custom bot that answers at once and shows no considered strokes.
    #[must_use]
    pub fn bot(mut think: impl FnMut(&Match) -> Action + Send + 'static) -> Self {
        let mind = move |game: Option<&Match>| game.map(&mut think);
        Self::Bot(Arc::new(Mutex::new(mind)), Ideas::default())
    }

    /// A bot that thinks.
    #[must_use]
    pub fn thinking(mut bot: Box<dyn Bot>) -> Self {
        let ideas = Ideas::default();
        let told = ideas.clone();
        let think = move |game: Option<&Match>| {
            let publish = |ideas: Vec<Idea>| *told.lock().unwrap_or_else(PoisonError::into_inner) = ideas;
            if let Some(game) = game {
                // After a preparation, the bot plays the shot that it already planned.
                if !game.log().last().is_some_and(|entry| entry.action.is_preparation()) {
                    publish(Vec::new());
                }
                bot.consider(game.game_state());
            }
            let action = bot.think(SHOTS);
            let ideas = bot.ideas();
            if !ideas.is_empty() {
                publish(ideas);
            }
            action
        };
        Self::Bot(Arc::new(Mutex::new(think)), ideas)
    }

    /// The strokes that a bot considers, or considered last. Once it has decided, the best come first. A person has
    /// none.
    #[must_use]
    pub fn ideas(&self) -> Vec<Idea> {
        match self {
            Self::Person => Vec::new(),
            Self::Bot(_, ideas) => ideas.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// The player for one of [`MatchSpec::players`](crate::games::MatchSpec::players).
    ///
    /// # Errors
    /// There is no such bot.
    pub fn of(player: &PlayerSpec) -> Result<Self, String> {
        if player.is_person() { Ok(Self::Person) } else { Ok(Self::thinking(bot::player(player.clone())?)) }
    }

    /// Whether it is a person.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }
}

/// Asks a bot for its action, in slices.
pub(super) async fn ask(mind: Mind, game: Arc<Match>) -> Action {
    let think = |game| mind.lock().unwrap_or_else(PoisonError::into_inner)(game);
    let mut action = think(Some(&game));
    loop {
        if let Some(action) = action {
            return action;
        }
        next_slice().await;
        action = think(None);
    }
}
