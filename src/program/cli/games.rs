//! The arguments of `carom play` and `carom replay`.

use std::path::PathBuf;

use clap::Args;

use super::{number, whole};
use crate::{
    billiards::tables::shipped,
    games::{
        Breaks, GAMES, Game, Match, MatchSpec, Options, PlayerSpec,
        bot::{self, Level},
    },
    program::{
        DASHES, Ending,
        tournament::{self, LONGEST_STANDSTILL, PlayRequest, ReplayRequest},
    },
};

/// How to name players, and how a run ends.
fn play_help() -> String {
    format!(
        "Players: {}. Programs are asked and answer in lines of JSON: see docs/src/bots.md. A COMMAND may contain commas \
         if no player follows them.\n\n\
         A rack ends without a winner if nothing was potted or scored in {LONGEST_STANDSTILL} actions. A rack \
         may also be drawn; in a match with --race-to it is then played again.\n\n\
         Exit status: 0; 2 if it cannot be done, with a line that says why, also if a program cannot be started. \
         Rejected answers of a program count as fouls. They are reported on standard error and counted in the result.",
        bot::known_players()
    )
}

/// The help of `--players`, with the list of bots.
pub(super) fn players_help(before: &str) -> String {
    let levels: Vec<&str> = Level::ALL.iter().map(|(name, _)| *name).collect();
    format!("{before}bot:LEVEL ({}), bot:recipe or exec:COMMAND", levels.join(", "))
}

/// The players and the rules of a new match, for `carom play` and the window. Each of them adds what differs: whether
/// there is a default, and which arguments go together.
#[derive(Args, Debug)]
#[group(id = "rules")]
pub(super) struct MatchArguments {
    #[arg(long, value_name = "ONE,TWO", required = false)]
    players: String,
    /// The number of racks (frames, games) that wins the match
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = racks)]
    race_to: Option<u32>,
    /// Who breaks after the first rack of a match: alternate, winner or loser
    #[arg(long, value_name = "WHO", default_value = "alternate", value_parser = breaks)]
    breaks: Breaks,
    #[arg(long, value_name = "NAME", help = tables_help("The table: "))]
    table: Option<String>,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The seed of everything random: racks, noise, the bots' trials
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    seed: Option<u64>,
}

impl MatchArguments {
    /// A match of this game, with `seed` if none is given.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn spec(self, game: &str, seed: impl FnOnce() -> u64) -> Result<MatchSpec, String> {
        let Self { players, race_to, breaks, table, options, seed: given } = self;
        let spec = match_spec(game, &options, table, &players)?;
        Ok(MatchSpec { race_to: race_to.unwrap_or(1), breaks, seed: given.unwrap_or_else(seed), ..spec })
    }
}

// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(
    after_help = play_help(),
    mut_arg("players", |arg| arg.default_value("bot:strong,bot:medium").help(players_help("Both players; see below: "))),
    mut_arg("race_to", |arg| arg.help("Play one match: the first player to win this many racks wins, instead of --racks")),
    mut_arg("breaks", |arg| arg.requires("race_to")),
    mut_arg("seed", |arg| arg.default_value("0")),
)]
pub(super) struct PlayGameArguments {
    #[arg(long, value_name = "NAME", default_value = "nine-ball", help = games_help("The game: "))]
    game: String,
    #[command(flatten)]
    rules: MatchArguments,
    /// The number of racks (frames, games); the players break in turn
    #[arg(long, value_name = "N", conflicts_with = "race_to", default_value = "1", allow_hyphen_values = true, value_parser = racks)]
    racks: u32,
    /// The number of racks played at once; it does not affect the result [default: the number of cores]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = threads)]
    threads: Option<usize>,
    /// Write the result as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the match, or the first rack, to a file for `carom replay`
    #[arg(long, value_name = "FILE.ron")]
    save: Option<PathBuf>,
    /// Play nothing: sum up the finished matches of the window against each bot
    #[arg(long, conflicts_with_all = ["save", "threads", "race_to", "quiet"])]
    statistics: bool,
    /// The file of finished matches [default: that of the window]
    #[arg(long, value_name = "FILE", requires = "statistics")]
    results: Option<PathBuf>,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

/// `carom replay`.
#[derive(Args, Debug)]
pub(super) struct ReplayArguments {
    /// A match written by `carom play --save`, or a link to one
    file: PathBuf,
    /// Write its statistics as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a diagram of a shot; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The number of the shot in the diagram, from 1 [default: the last one]
    #[arg(long, value_name = "N", requires = "svg", allow_hyphen_values = true, value_parser = shot_number)]
    shot: Option<usize>,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

/// The help of `--game` and `--match`, with the list of games.
pub(super) fn games_help(before: &str) -> String {
    let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
    before.to_owned() + &names.join(", ")
}

/// The help of `--table`, with the list of tables.
fn tables_help(before: &str) -> String {
    format!("{before}{} [default: the game's usual one]", table_names().join(", "))
}

/// The names of all tables.
pub(super) fn table_names() -> Vec<&'static str> {
    shipped().iter().map(|table| table.name).collect()
}

/// Splits the names of two players at the only comma that leaves a valid name on both sides. A command may contain
/// commas itself.
fn two_players(names: &str) -> Result<[PlayerSpec; 2], String> {
    let is_exec = |name: &str| matches!(name.into(), PlayerSpec::Program(_));
    let may_be_player = |name: &str| !name.is_empty() && (is_exec(name) || !name.contains(','));
    let commas = names.char_indices().filter(|(_, letter)| *letter == ',').map(|(at, _)| at);
    let mut splits: Vec<[&str; 2]> = commas
        .map(|at| [names[..at].trim(), names[at + 1..].trim()])
        .filter(|pair| pair.iter().all(|name| may_be_player(name)))
        .collect();
    if splits.len() > 1 {
        // A command may end in `,1`, which would read as a person. If several commas are possible, the second player
        // must be a bot.
        splits.retain(|[_, second]| !PlayerSpec::from(*second).is_person());
    }
    match splits[..] {
        [pair] => Ok(pair.map(PlayerSpec::from)),
        [] => Err(format!("{DASHES}players {names}: give two, such as bot:strong,bot:easy; {}", bot::known_players())),
        _ => Err(format!(
            "{DASHES}players {names}: it is not clear at which comma the second player begins; put a command that has commas into a script, and give that"
        )),
    }
}

fn racks(text: &str) -> Result<u32, String> {
    number(text, 1..=1_000_000, format_args!("it must be a whole number from 1 to 1000000"))
}

fn shot_number(text: &str) -> Result<usize, String> {
    number(text, 1..=usize::MAX, format_args!("it must be a whole number, 1 or more"))
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    number(text, 1..=usize::MAX, format_args!("it must be a whole number from 1 to {}", usize::MAX))
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
    /// Plays, or sums up what was played.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy, or if it cannot be done.
    pub(super) fn run(self) -> Result<Ending, String> {
        if self.statistics {
            return tournament::statistics(self.results.as_deref(), self.json.as_deref());
        }
        self.request().and_then(|request| tournament::play(&request))
    }

    /// Converts the arguments into a request.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    fn request(self) -> Result<PlayRequest, String> {
        let Self { game, rules, racks, threads, json, save, quiet, .. } = self;
        let racks = if rules.race_to.is_some() { None } else { Some(racks) };
        let spec = rules.spec(&game, || 0)?;
        for player in &spec.players {
            bot::player(player.clone()).map_err(|reason| format!("{DASHES}players: {reason}"))?;
        }
        Ok(PlayRequest { spec, racks, threads, json, save, quiet })
    }
}

impl ReplayArguments {
    pub(super) fn request(self) -> ReplayRequest {
        let Self { file, json, svg, shot, quiet } = self;
        ReplayRequest { file, json, svg, shot, quiet }
    }
}

/// A match with this game and these players, and defaults for the rest.
fn match_spec(game: &str, options: &[String], table: Option<String>, players: &str) -> Result<MatchSpec, String> {
    let game = Game::named(game)?;
    let spec = MatchSpec {
        game: game.name.to_owned(),
        options: read_options(game, options)?,
        table: table.unwrap_or_default(),
        players: two_players(players)?,
        ..MatchSpec::default()
    };
    // What only its rules know, such as whether the table has the spots of a rack.
    Match::new(spec.clone()).map_err(|why| if why.starts_with("option ") { format!("{DASHES}{why}") } else { why })?;
    Ok(spec)
}

/// Reads the options of a game from `KEY=VALUE`. Values that look like numbers, true or false are read as such, all
/// others as text.
fn read_options(game: &Game, texts: &[String]) -> Result<Options, String> {
    let mut options = Options::new();
    for text in texts {
        let Some((key, value)) = text.split_once('=') else {
            return Err(format!("{DASHES}option {text}: give KEY=VALUE; {}", game.known_options()));
        };
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        // Here its value is told as it was typed.
        let checked = game.option(key).and_then(|option| option.check(&value));
        checked.map_err(|why| format!("{DASHES}option {text}: {why}"))?;
        if options.insert(key.to_owned(), value).is_some() {
            return Err(format!("{DASHES}option {key} is there twice; give one of them"));
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_split_at_the_comma_between_them() {
        for (names, expected) in [
            ("bot:strong, bot:easy", ["bot:strong", "bot:easy"]),
            ("exec:python3 -c 'print(1,2)',bot:easy", ["exec:python3 -c 'print(1,2)'", "bot:easy"]),
            ("bot:easy,exec:awk -F, 1", ["bot:easy", "exec:awk -F, 1"]),
            ("exec:one 1,2,exec:two 3,4", ["exec:one 1,2", "exec:two 3,4"]),
            ("You,exec:one 1,2", ["You", "exec:one 1,2"]),
            ("exec:one 1,2,You", ["exec:one 1,2", "You"]),
            ("Ada,Grace", ["Ada", "Grace"]),
        ] {
            assert_eq!(two_players(names).unwrap(), expected.map(PlayerSpec::from), "{names}");
        }
        for (names, said) in [
            ("bot:easy", "give two"),
            ("a,b,c", "give two"),
            (",bot:easy", "give two"),
            ("exec:a,exec:b,exec:c", "not clear at which comma"),
        ] {
            assert!(two_players(names).unwrap_err().contains(said), "{names}");
        }
    }

    #[test]
    fn a_wrong_option_is_named_as_it_was_typed_with_what_it_may_be() {
        let said = |game: &str, option: &str, table: Option<&str>| {
            let players = "bot:easy,bot:easy";
            match_spec(game, &[option.to_owned()], table.map(str::to_owned), players).map(|_| ()).unwrap_err()
        };
        for (game, option, expected) in [
            ("straight-rail", "innings=4294967296", "give a whole number from 1 to 4294967295, or null"),
            ("straight-pool", "points=1e1", "give a whole number from "),
            ("straight-pool", "points=99999999999999999999999", "give a whole number from "),
            ("eight-ball", "calls=\"all", "give one of "),
            ("eight-ball", "colour=red", "eight-ball has no option `colour`; "),
            ("eight-ball", "calls", "give KEY=VALUE; "),
        ] {
            let said = said(game, option, None);
            assert!(said.starts_with(&format!("{DASHES}option {option}: {expected}")), "{said}");
        }
        // The rack needs spots, of which the usual table has others.
        for (rack, table, spot, remedy) in [
            ("snooker", None, "yellow", "set table to snooker-12ft, or choose another rack"),
            ("straight-rail", None, "right", "set table to carom-10ft, or choose another rack"),
            ("nine-ball", Some("snooker-12ft"), "foot", "set table to pool-9ft or "),
        ] {
            let said = said("practice", &format!("rack={rack}"), table);
            assert!(said.starts_with(&format!("{DASHES}option rack={rack}: ")), "{said}");
            assert!(said.contains(&format!("has no spot `{spot}`")) && said.contains(remedy), "{said}");
        }
        for (rack, table) in [("snooker", "snooker-12ft"), ("straight-rail", "carom-10ft")] {
            let spec = match_spec("practice", &[format!("rack={rack}")], Some(table.to_owned()), "bot:easy,bot:easy");
            assert!(spec.is_ok(), "{spec:?}");
        }
    }

    #[test]
    fn help_lists_what_there_is_and_no_threads_are_none() {
        assert!(tables_help("").contains("curling") && games_help("").contains("four-ball"));
        assert!(players_help("").contains("(beginner, easy, medium, strong, perfect)"));
        assert!(threads("0").is_err() && threads("x").is_err());
        assert_eq!(threads("2"), Ok(2));
    }
}
