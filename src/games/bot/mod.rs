//! Computer players. A [`Bot`] gets a [`GameState`] and answers with an [`Action`]. It works in slices, so that a
//! window never waits for it. It counts its work in shots, so that it plays the same on every machine.
//!
//! | module | contents |
//! |---|---|
//! | [`noise`] | the errors of a hand |
//! | [`level`] | the strength of a bot, as data |
//! | [`value`] | the value of a position |
//! | [`candidates`] | strokes worth trying |
//! | `trial` | a copy of a position to try strokes on |
//! | `mind` | the search |
//! | [`external`] | another program as a bot |
//! | `recipe` | a baseline without any search |
//!
//! ```
//! use carom::games::{Match, MatchSpec, bot::player};
//!
//! let spec = MatchSpec { game: "practice".to_owned(), seed: 1, ..MatchSpec::default() };
//! let mut playing = Match::new(spec)?;
//! let mut bot = player("bot:beginner")?;
//! bot.consider(playing.game_state());
//! // To spread the work over several calls, use `consider` and `think`.
//! let action = bot.decide(playing.game_state());
//! playing.apply(action).map_err(|refusal| refusal.to_string())?;
//! # Ok::<(), String>(())
//! ```

use std::{fmt, sync::Arc};

use bevy::math::Vec2;

use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        rules::{Action, BallPlace, Call, GameTable, Layout, PlayerSpec, Rules, Shot},
        simulator::{Simulator, Trace},
    },
    random::Random,
};

pub mod candidates;
pub mod external;
pub mod level;
pub mod noise;
mod recipe;
mod search;
mod thinker;
mod trial;
pub mod value;

pub use candidates::Kind;
pub use external::External;
pub use level::Level;
pub use noise::Noise;
pub use recipe::Recipe;
pub use thinker::Thinker;
pub(super) use trial::{After, Trial};

/// Everything that the player to act knows.
#[derive(Clone, Debug)]
pub struct GameState {
    /// The name of the game, such as `nine-ball`.
    pub game: &'static str,
    /// The current rules. [`Rules::standing`] holds the task. Clone the rules to judge a hypothetical shot.
    pub rules: Box<dyn Rules>,
    /// Positions of the balls.
    pub layout: Layout,
    /// The table.
    pub table: Arc<GameTable>,
    /// The cue.
    pub cue: Cue,
    /// The seed for the bot's random choices.
    pub seed: u64,
}

impl GameState {
    /// The layout with the cue ball at `from`, metres.
    #[must_use]
    pub fn played_from(&self, from: Vec2) -> Layout {
        let mut layout = self.layout.clone();
        if let Some(stroke) = self.rules.turn().stroke() {
            layout[stroke.cue_ball] = BallPlace::Table(from);
        }
        layout
    }

    /// A strike from `from` with the cue raised over obstacles behind the cue ball.
    #[must_use]
    pub fn raised(&self, from: Vec2, strike: CueStrike) -> CueStrike {
        self.table.raised(&self.played_from(from), from, strike)
    }

    /// Plays a strike from `from` and stores the paths of the balls, or returns `None` if it cannot be played.
    pub(super) fn trace(&self, simulator: &mut Simulator, from: Vec2, strike: &CueStrike) -> Option<(Shot, Trace)> {
        let cue_ball = self.rules.turn().stroke()?.cue_ball;
        simulator.trace(&self.played_from(from), cue_ball, strike, &self.cue).ok()
    }

    /// A strike from `from` as played by a hand with this multiple of the Olympiad's noise.
    #[must_use]
    pub fn disturbed(&self, from: Vec2, strike: &CueStrike, noise: f64, random: &mut Random) -> CueStrike {
        let ball = [f64::from(self.table.ball_radius()), self.cue.miscue_limit];
        self.raised(from, Noise::olympiad(noise).disturb(strike, ball, random))
    }
}

/// A computer player.
pub trait Bot: fmt::Debug + Send {
    /// The name of the bot.
    fn name(&self) -> &str;

    /// Starts to think about a position and forgets the previous one.
    fn consider(&mut self, state: GameState);

    /// Thinks for about this many simulated shots (a fraction of a millisecond each). Returns an action once it is
    /// decided. The stroke already includes the noise of the hand. Without a position it returns `None`.
    fn think(&mut self, shots: u32) -> Option<Action>;

    /// Thinks about a position until the action is decided. Pass the action of an untrusted bot, such as a program, to
    /// [`Match::apply_answer`](crate::games::Match::apply_answer). A bot without an answer after some billions of shots
    /// passes.
    fn decide(&mut self, state: GameState) -> Action {
        self.consider(state);
        (0..MOST_SLICES).find_map(|_| self.think(SLICE)).unwrap_or(Action::Pass)
    }

    /// The problem behind an unintended [`Pass`](Action::Pass), if the last answer was one. Default: none.
    fn complaint(&self) -> Option<&Complaint> {
        None
    }

    /// The number of shots simulated since the bot was made. Default: 0.
    fn shots(&self) -> u64 {
        0
    }

    /// The strokes under consideration, or the last ones considered, best first. Default: none.
    fn ideas(&self) -> Vec<Idea> {
        Vec::new()
    }
}

/// The number of shots per slice of [`Bot::decide`], and the largest number of slices.
const SLICE: u32 = 4096;
const MOST_SLICES: u32 = 1 << 20;

/// A problem with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The reason, as a clause about the bot.
    pub why: String,
    /// Whether the bot can never answer: a program that cannot be started, or that ends before its first answer.
    pub is_hopeless: bool,
}

/// A stroke under consideration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Idea {
    /// The purpose of the stroke.
    pub kind: Kind,
    /// The place from which the cue ball is played, metres.
    pub from: Vec2,
    /// The call.
    pub call: Call,
    /// The stroke, without noise.
    pub strike: CueStrike,
    /// The estimated chance that it succeeds.
    pub chance: f32,
    /// Its value, from 0 (lost) to 1 (won).
    pub value: f32,
}

/// The names of players, for help texts and errors.
#[must_use]
pub fn known_players() -> String {
    let levels: Vec<String> = Level::ALL.iter().map(|(level, _)| format!("bot:{level}")).collect();
    format!(
        "{} and bot:recipe, each optionally with a noise level after an @, such as bot:strong@1 (1 is that of the \
        Computer Olympiad, 0 none), and exec:COMMAND for your own program",
        levels.join(", ")
    )
}

/// The bot for a player. `bot:LEVEL` is a built-in bot, `bot:LEVEL@NOISE` overrides the noise of its hand, and
/// `exec:COMMAND` runs a program.
///
/// # Errors
/// The player is a person, or there is no such bot. The message lists the valid names.
pub fn player(player: impl Into<PlayerSpec>) -> Result<Box<dyn Bot>, String> {
    let player = player.into();
    let name = player.to_string();
    match player {
        PlayerSpec::Bot(level) => built_in(name, &level),
        PlayerSpec::Program(command) if !command.trim().is_empty() => {
            if cfg!(target_arch = "wasm32") {
                return Err(format!(
                    "`{name}`: a browser cannot start programs; use one of bot:beginner to bot:perfect"
                ));
            }
            Ok(Box::new(External::new(name, command)))
        }
        PlayerSpec::Person(_) | PlayerSpec::Program(_) => Err(unknown(&name)),
    }
}

/// The built-in bot of this level, such as `strong` or `strong@0.3`.
fn built_in(name: String, level: &str) -> Result<Box<dyn Bot>, String> {
    let (level, noise) = match level.split_once('@') {
        Some((level, noise)) => {
            let number: Option<f64> = noise.parse().ok().filter(|noise| (0.0..=100.0).contains(noise));
            let wrong = || format!("`{name}`: the noise is a number from 0 to 100, such as 1");
            (level, Some(number.ok_or_else(wrong)?))
        }
        None => (level, None),
    };
    if level == "recipe" {
        return Ok(Box::new(Recipe::new(name, noise.unwrap_or(Level::STRONG.noise))));
    }
    let level = Level::named(level).ok_or_else(|| unknown(&name))?;
    let noise = noise.unwrap_or(level.noise);
    Ok(Box::new(Thinker::new(name, Level { noise, ..level })))
}

fn unknown(name: &str) -> String {
    format!("there is no player `{name}`; the players are {}", known_players())
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

    fn decide(bot: &mut dyn Bot, state: GameState, slice: u32) -> Action {
        bot.consider(state);
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
                let action = decide(&mut *bots[player.index()], playing.game_state(), 16);
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
            let action = decide(&mut patient, playing.game_state(), 1);
            assert_eq!(decide(&mut hurried, playing.game_state(), 1000), action);
            playing.apply(action).unwrap();
        }
        assert!(patient.shots() > 10 && patient.shots() == hurried.shots());
        assert!(patient.think(10).is_none(), "it has nothing to think about");
        assert!(!patient.ideas().is_empty());
    }

    #[test]
    fn the_count_of_shots_goes_on_at_another_table() {
        let mut bot = Thinker::new("a", Level { breaks: 3, ..Level::BEGINNER });
        decide(&mut bot, begun("nine-ball", 3).game_state(), 1);
        let shots = bot.shots();
        assert!(shots > 0);
        bot.consider(begun("snooker", 3).game_state());
        assert_eq!(bot.shots(), shots);
        decide(&mut bot, begun("snooker", 3).game_state(), 1);
        assert!(bot.shots() > shots);
    }

    #[test]
    fn players_have_names_and_an_unknown_one_is_told_which_there_are() {
        assert_eq!(player("bot:strong").unwrap().name(), "bot:strong");
        assert_eq!(player(PlayerSpec::Bot("easy".to_owned())).unwrap().name(), "bot:easy");
        assert!(Level::ALL.iter().all(|(level, _)| player(format!("bot:{level}")).is_ok()));
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
