//! Players that think. A [`Bot`] gets a [`Position`] and answers with an [`Action`]; it is asked for a slice of its
//! work at a time, so that a window never waits for it, and it counts its work in shots, so that it plays the same on
//! every machine.
//!
//! | module | what it holds |
//! |---|---|
//! | [`noise`] | what a hand adds to a stroke |
//! | [`level`] | how strong a bot is, as data |
//! | [`value`] | what a position is worth |
//! | [`candidates`] | which strokes come into question |
//! | `trial` | a copy of a position on which one is tried |
//! | `mind` | trying them |
//! | [`external`] | another program as a bot |
//! | `recipe` | a bot that does none of this, to be measured against |
//!
//! ```
//! use carom::games::{Match, MatchSpec, bot::player};
//!
//! let spec = MatchSpec { game: "practice".to_owned(), seed: 1, ..MatchSpec::default() };
//! let mut playing = Match::new(spec)?;
//! let mut bot = player("bot:beginner")?;
//! bot.consider(playing.position());
//! // Who cannot wait asks for a slice of its work at a time, by `consider` and `think`.
//! let action = bot.decide(playing.position());
//! playing.apply(action).map_err(|refusal| refusal.to_string())?;
//! # Ok::<(), String>(())
//! ```

use std::{fmt, sync::Arc};

use bevy::math::Vec2;

use crate::{
    billiards::cue::{Cue, CueStrike},
    games::rules::{Action, BallPlace, Call, GameTable, Layout, Rules},
    random::Random,
};

pub mod candidates;
pub mod external;
pub mod level;
mod mind;
pub mod noise;
mod recipe;
mod trial;
pub mod value;

pub use candidates::Kind;
pub use external::External;
pub use level::Level;
pub use mind::Thinker;
pub use noise::Noise;
pub use recipe::Recipe;
pub(super) use trial::{After, TIP_ERROR, Trial};

/// All that a player knows who is to act.
#[derive(Clone, Debug)]
pub struct Position {
    /// The name of the game, such as `nine-ball`.
    pub game: &'static str,
    /// The rules in their present state: what is to be done stands in [`Rules::standing`]. A clone may be asked what a
    /// shot would come to.
    pub rules: Box<dyn Rules>,
    /// Where the balls are.
    pub layout: Layout,
    /// The table.
    pub table: Arc<GameTable>,
    /// The cue.
    pub cue: Cue,
    /// What a bot leaves to chance follows from it.
    pub seed: u64,
}

impl Position {
    /// Where the balls are when the cue ball is played from here, metres.
    #[must_use]
    pub fn played_from(&self, from: Vec2) -> Layout {
        let mut layout = self.layout.clone();
        if let Some(stroke) = self.rules.turn().stroke() {
            layout[stroke.cue_ball] = BallPlace::Table(from);
        }
        layout
    }

    /// A strike from here with the cue over what is behind the cue ball.
    #[must_use]
    pub fn raised(&self, from: Vec2, strike: CueStrike) -> CueStrike {
        self.table.raised(&self.played_from(from), from, strike)
    }

    /// A strike from here as a hand with so many times the noise of the Olympiad plays it.
    #[must_use]
    pub fn disturbed(&self, from: Vec2, strike: &CueStrike, noise: f64, random: &mut Random) -> CueStrike {
        let ball = [f64::from(self.table.ball_radius()), self.cue.miscue_limit];
        self.raised(from, Noise::olympiad(noise).disturb(strike, ball, random))
    }
}

/// A player that thinks.
pub trait Bot: fmt::Debug + Send {
    /// Its name.
    fn name(&self) -> &str;

    /// Begins to think about a position; what it was thinking about before is forgotten.
    fn consider(&mut self, position: Position);

    /// Thinks on for about so many simulated shots (a fraction of a millisecond each), and says what to do once that is
    /// decided. The noise of its hand is in the stroke already. Without a position to think about it is silent.
    fn think(&mut self, shots: u32) -> Option<Action>;

    /// Thinks about a position until it is decided. A bot that has nothing to say even after some billions of shots
    /// passes.
    fn decide(&mut self, position: Position) -> Action {
        self.consider(position);
        (0..MOST_SLICES).find_map(|_| self.think(SLICE)).unwrap_or(Action::Pass)
    }

    /// What was wrong, where its last answer was a [`Pass`](Action::Pass) that it did not mean. Default: nothing ever
    /// is.
    fn complaint(&self) -> Option<&Complaint> {
        None
    }

    /// How many shots it has simulated since it was made. Default: none.
    fn shots(&self) -> u64 {
        0
    }

    /// What it is considering, or considered last, the best first. Default: nothing to show.
    fn ideas(&self) -> Vec<Idea> {
        Vec::new()
    }
}

/// How many shots [`Bot::decide`] has a bot think at a time, and how often.
const SLICE: u32 = 4096;
const MOST_SLICES: u32 = 1 << 20;

/// What was wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// In a sentence, whose subject is the bot.
    pub why: String,
    /// Whether it will never do better: a program that cannot be started, or that ends before it has answered for the
    /// first time.
    pub is_hopeless: bool,
}

/// A stroke that a bot considers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Idea {
    /// What it is meant to do.
    pub kind: Kind,
    /// Where the cue ball is played from, metres.
    pub from: Vec2,
    /// What is called.
    pub call: Call,
    /// The stroke, without noise.
    pub strike: CueStrike,
    /// The chance that it works, by the look of it.
    pub chance: f32,
    /// What it is worth, from 0 (lost) to 1 (won).
    pub value: f32,
}

/// How players are named where they are chosen, for help and errors.
pub const PLAYERS: &str = "bot:beginner, bot:easy, bot:medium, bot:strong, bot:perfect and bot:recipe, each \
    optionally with a noise level after an @, such as bot:strong@1 (1 is that of the Computer Olympiad, 0 none), and \
    exec:COMMAND for your own program";

/// The bot of this name: `bot:LEVEL`, or `bot:LEVEL@NOISE` with another noise of its hand than that of the level; or
/// `exec:COMMAND`, a program.
///
/// # Errors
/// There is none; it says which there are.
pub fn player(name: &str) -> Result<Box<dyn Bot>, String> {
    if let Some(command) = name.strip_prefix("exec:").filter(|command| !command.trim().is_empty()) {
        if cfg!(target_arch = "wasm32") {
            return Err(format!("`{name}`: a browser cannot start programs; use one of bot:beginner to bot:perfect"));
        }
        return Ok(Box::new(External::new(name, command)));
    }
    let unknown = || format!("there is no player `{name}`; the players are {PLAYERS}");
    let (level, noise) = match name.strip_prefix("bot:").ok_or_else(unknown)?.split_once('@') {
        Some((level, noise)) => {
            let number: Option<f64> = noise.parse().ok().filter(|noise| (0.0..=100.0).contains(noise));
            let wrong = || format!("`{name}`: the noise is a number from 0 to 100, such as 1");
            (level, Some(number.ok_or_else(wrong)?))
        }
        None => (name.strip_prefix("bot:").ok_or_else(unknown)?, None),
    };
    if level == "recipe" {
        return Ok(Box::new(Recipe::new(name, noise.unwrap_or(Level::STRONG.noise))));
    }
    let level = Level::named(level).ok_or_else(unknown)?;
    let noise = noise.unwrap_or(level.noise);
    Ok(Box::new(Thinker::new(name, Level { noise, ..level })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{
        matches::{Match, MatchSpec},
        rulebooks::GAMES,
    };

    fn begun(game: &str, seed: u64) -> Match {
        Match::new(MatchSpec { game: game.to_owned(), seed, ..MatchSpec::default() }).unwrap()
    }

    fn decide(bot: &mut dyn Bot, position: Position, slice: u32) -> Action {
        bot.consider(position);
        for _ in 0..100_000 {
            if let Some(action) = bot.think(slice) {
                return action;
            }
        }
        panic!("{} never decides", bot.name());
    }

    #[test]
    fn bots_play_every_game_by_its_rules() {
        let weak = Level { sweep: 6, safeties: 4, ..Level::BEGINNER };
        let actions = if cfg!(debug_assertions) { 5 } else { 60 };
        for game in GAMES {
            let mut playing = begun(game.name, 2);
            let mut bots: [Box<dyn Bot>; 2] = [Box::new(Thinker::new("one", weak)), Box::new(Recipe::new("two", 1.0))];
            for _ in 0..actions {
                let Some((player, _)) = playing.turn() else { break };
                let action = decide(&mut *bots[player.index()], playing.position(), 16);
                assert_ne!(action, Action::Pass, "{}", game.name);
                playing.apply(action).unwrap_or_else(|refusal| panic!("{}: {action:?}: {refusal}", game.name));
            }
        }
    }

    #[test]
    fn a_decision_does_not_depend_on_the_slices_it_is_thought_in() {
        let mut playing = begun("nine-ball", 3);
        let level = Level { breaks: 3, samples: 4, aims: 2, speeds: 2, tips: 2, safeties: 4, ..Level::MEDIUM };
        let (mut patient, mut hurried) = (Thinker::new("a", level), Thinker::new("a", level));
        for _ in 0..3 {
            let action = decide(&mut patient, playing.position(), 1);
            assert_eq!(decide(&mut hurried, playing.position(), 1000), action);
            playing.apply(action).unwrap();
        }
        assert!(patient.shots() > 10 && patient.shots() == hurried.shots());
        assert!(patient.think(10).is_none(), "it has nothing to think about");
        assert!(!patient.ideas().is_empty());
    }

    #[test]
    fn players_have_names_and_an_unknown_one_is_told_which_there_are() {
        assert_eq!(player("bot:strong").unwrap().name(), "bot:strong");
        assert!(player("bot:strong@0.3").is_ok() && player("bot:recipe@2").is_ok() && player("exec:true").is_ok());
        for (name, said) in [
            ("bot:god", "bot:perfect"),
            ("me", "exec:COMMAND"),
            ("bot:easy@x", "from 0 to 100"),
            ("exec: ", "exec:COMMAND"),
        ] {
            assert!(player(name).unwrap_err().contains(said), "{name}");
        }
    }
}
