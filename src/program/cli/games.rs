//! `carom play` and `carom replay`: their arguments.

use std::path::PathBuf;

use clap::Args;

use super::whole;
use crate::{
    games::{Breaks, Game, MatchSpec, Options, Player, bot},
    program::games::{PlayRequest, ReplayRequest},
};

/// How players are named.
const NAMES: &str = "Players: bot:beginner, bot:easy, bot:medium, bot:strong, bot:perfect, bot:recipe (pots the straightest ball and knows no position), each with the \
                     noise of its hand after an @ if you like, such as bot:strong@1: 1 is that of the Computer Olympiad, 0 none. And exec:COMMAND, a program \
                     that is asked and answers in lines of JSON: see docs/games.md.";

// The comments are the help that a terminal shows, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = NAMES)]
pub(super) struct PlayGameArguments {
    /// The game: eight-ball, nine-ball, ten-ball, straight-pool and so on; a wrong name lists them all
    #[arg(long, value_name = "NAME", default_value = "nine-ball")]
    game: String,
    /// The table: pool-9ft, pool-8ft, pool-7ft, snooker-12ft or carom-10ft [default: the game's usual one]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Both players
    #[arg(long, value_name = "ONE,TWO", default_value = "bot:strong,bot:medium")]
    players: String,
    /// How many racks (frames, games) they play; who breaks changes from one to the next
    #[arg(long, value_name = "N", default_value = "1", value_parser = racks)]
    racks: u32,
    /// Play the racks as one match that is won by whoever has so many first, instead of --racks
    #[arg(long, value_name = "N", conflicts_with = "racks", value_parser = racks)]
    race_to: Option<u32>,
    /// Who breaks after the first rack of a match: alternate, winner or loser
    #[arg(long, value_name = "WHO", requires = "race_to", default_value = "alternate", value_parser = breaks)]
    breaks: Breaks,
    /// What is left to chance follows from it: racks, noise, what bots try
    #[arg(long, value_name = "N", default_value = "0", value_parser = whole)]
    seed: u64,
    /// How many racks are played at once; the result does not depend on it [default: as many as the machine has cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write the result as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the match, or the first rack, to a file that `carom replay` plays again
    #[arg(long, value_name = "FILE.ron")]
    save: Option<PathBuf>,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

/// `carom replay`.
#[derive(Args, Debug)]
pub(super) struct ReplayArguments {
    /// A match that `carom play --save` has written
    file: PathBuf,
    /// Write its numbers as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

/// The names of two players.
pub(super) fn two_players(names: &str) -> Result<[String; 2], String> {
    let Some((first, second)) = names.split_once(',').filter(|(_, second)| !second.contains(',')) else {
        return Err(format!("--players {names}: give two, such as bot:strong,bot:easy; {}", bot::PLAYERS));
    };
    Ok([first, second].map(|name| name.trim().to_owned()))
}

pub(super) fn racks(text: &str) -> Result<u32, String> {
    let racks = text.parse().ok().filter(|racks| (1..=1_000_000).contains(racks));
    racks.ok_or_else(|| "it must be a whole number from 1 to 1000000".to_owned())
}

fn breaks(text: &str) -> Result<Breaks, String> {
    match text {
        "alternate" => Ok(Breaks::Alternate),
        "winner" => Ok(Breaks::Winner),
        "loser" => Ok(Breaks::Loser),
        _ => Err("it must be alternate, winner or loser".to_owned()),
    }
}

impl PlayGameArguments {
    /// What they ask for.
    ///
    /// # Errors
    /// What of it makes no sense, and the remedy.
    pub(super) fn request(self) -> Result<PlayRequest, String> {
        let game = Game::named(&self.game)?;
        let options = read_options(game, &self.options)?;
        let players = two_players(&self.players)?;
        for name in &players {
            bot::player(name).map_err(|reason| format!("--players: {reason}"))?;
        }
        let Self { table, racks, race_to, breaks, seed, threads, json, save, quiet, .. } = self;
        let spec = MatchSpec {
            game: game.name.to_owned(),
            options,
            table: table.unwrap_or_default(),
            players,
            race_to: race_to.unwrap_or(1),
            breaks,
            first: Player(0),
            seed,
            ..MatchSpec::default()
        };
        let racks = if race_to.is_some() { None } else { Some(racks) };
        Ok(PlayRequest { spec, racks, threads, json, save, quiet })
    }
}

impl ReplayArguments {
    pub(super) fn request(self) -> ReplayRequest {
        let Self { file, json, quiet } = self;
        ReplayRequest { file, json, quiet }
    }
}

/// The options of a game out of `KEY=VALUE`: numbers, true and false are what they look like, and the rest are words.
pub(super) fn read_options(game: &Game, texts: &[String]) -> Result<Options, String> {
    let known = (game.options)();
    let mut options = Options::new();
    for text in texts {
        let Some((key, value)) = text.split_once('=') else {
            return Err(format!("--option {text}: give KEY=VALUE; {}", known_options(game, &known)));
        };
        if !known.contains_key(key) {
            return Err(format!(
                "--option {text}: {} has no option `{key}`; {}",
                game.name,
                known_options(game, &known)
            ));
        }
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        if options.insert(key.to_owned(), value).is_some() {
            return Err(format!("--option {key} is there twice; give one of them"));
        }
    }
    Ok(options)
}

fn known_options(game: &Game, known: &Options) -> String {
    if known.is_empty() {
        return format!("{} has no options", game.name);
    }
    let options: Vec<String> = known.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("the options and their defaults are {}", options.join(", "))
}
