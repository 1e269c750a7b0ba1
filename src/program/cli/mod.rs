//! The command line: the arguments of `carom` and its subcommands.

use std::{
    ffi::OsString,
    fmt,
    io::{self, Write},
    ops::RangeInclusive,
    process::ExitCode,
    str::FromStr,
};

use clap::{
    Args, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};

#[cfg(feature = "program")]
use self::window::{PlayArguments, RenderArguments};
use self::{
    drill::DrillArguments,
    experiment::ExperimentArguments,
    games::{PlayGameArguments, ReplayArguments},
    laboratory::{MeasureArguments, SweepArguments},
    link::LinkArguments,
    simulate::SimulateArguments,
};
use super::{DASHES, Ending, reject, run::MAX_SECONDS, settings::Setting, strike::Shot};
use crate::{
    ron_text::in_one_line,
    scene::{SceneFile, SceneSource, shipped},
};

mod drill;
mod experiment;
mod games;
mod laboratory;
mod link;
mod simulate;
#[cfg(feature = "program")]
mod window;

/// Discs that collide: a table to play on, and a laboratory
///
/// Without a subcommand it opens a window and plays the scene.
#[derive(Parser, Debug)]
#[command(name = "carom", version = env!("CAROM_VERSION"), args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[cfg(not(target_arch = "wasm32"))]
    #[command(subcommand)]
    command: Option<Command>,
    #[cfg(feature = "program")]
    #[command(flatten)]
    play: PlayArguments,
}

/// What `simulate` and `render` let happen at the start.
#[derive(Args, Debug)]
struct Beginning {
    /// Shoot the cue ball, or the first disc of a scene without one, at the start. Speed in m/s along the cue; angle in
    /// degrees counter-clockwise from the right. For a ball that spins, SIDE and TOP are where the tip hits, in radii
    /// to the right of and above the centre (beyond 0.5 in all it is a miscue), and ELEVATION is the angle of the cue,
    /// 0 to 90 degrees. A table of several discs (--from) must mark its cue ball
    #[arg(long, value_name = "SPEED,ANGLE[,SIDE,TOP[,ELEVATION]]", allow_hyphen_values = true)]
    strike: Option<String>,
    /// The seed of the scene's generators; the same as --set seed=N
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    seed: Option<u64>,
}

impl Beginning {
    fn strike(&self) -> Result<Option<Shot>, String> {
        self.strike.as_deref().map(|text| Shot::parse("--strike", text)).transpose()
    }

    /// The settings of `--set` and the seed, each at most once.
    fn settings(&self, set: &[String]) -> Result<Vec<Setting>, String> {
        let mut settings = Setting::parse_all(set)?;
        if let Some(number) = self.seed {
            Setting::seed(number).add_to(&mut settings, &format!("--seed {number}"))?;
        }
        Ok(settings)
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List the shipped scenes
    Scenes,
    /// Run a scene without a window, at full speed, and write the results
    Simulate(Box<SimulateArguments>),
    /// Measure quantities of a scene, with errors and the theory
    Measure(Box<MeasureArguments>),
    /// Measure over a range of settings: a table with one line per run
    Sweep(Box<SweepArguments>),
    /// Run an experiment, and compare its result with the exact one
    Experiment(Box<ExperimentArguments>),
    /// Play games between bots without a window, and write the results
    Play(Box<PlayGameArguments>),
    /// List drills, show one, play one with strokes or with a bot, or sum up the results of weeks
    Drill(Box<DrillArguments>),
    /// Replay a saved match, and check that it equals the recording
    Replay(ReplayArguments),
    /// Write a scene, a moment of a run, a shot or a match as a link, for `carom 'LINK'`
    Link(Box<LinkArguments>),
    /// Draw a scene without a window: a picture, a sequence or an animation
    #[cfg(feature = "program")]
    Render(Box<RenderArguments>),
}

/// The meaning of the exit status of the commands that run scenes.
const STATUS: &str = "Exit status: 0; 2 if it cannot be done, with a line that says why; 3 if it was done, but discs or terrain were \
                      left out because their values cannot be simulated (they are named).";

/// Reads a number. If the text is not a number in this range, the error says what it must be.
fn number<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>, must_be: fmt::Arguments) -> Result<T, String> {
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| must_be.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    let must_be = format_args!("the seconds must be zero or more, and at most {MAX_SECONDS:e}");
    number(text, 0.0..=MAX_SECONDS, must_be)
}

/// The largest accepted number of ticks: [`MAX_SECONDS`] at the highest rate.
const MAX_TICKS: u64 = 10_000_000_000_000;

fn ticks(text: &str) -> Result<u64, String> {
    number(text, 0..=MAX_TICKS, format_args!("it must be a whole number, zero or more, and at most {MAX_TICKS}"))
}

fn whole(text: &str) -> Result<u64, String> {
    number(text, 0..=u64::MAX, format_args!("it must be a whole number, zero or more, and at most {}", u64::MAX))
}

/// Runs these arguments, the first of which is the name of the program.
pub(super) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let line = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line,
        Err(error) => return explain(error),
    };
    // The address of a page cannot hold subcommands.
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(command) = line.command {
        return match command.run() {
            Ok(ending) => ending.into(),
            Err(reason) => reject(&reason),
        };
    }
    #[cfg(feature = "program")]
    return match line.play.options() {
        Ok((options, themes)) => super::play::play(options, themes),
        Err(reason) => reject(&reason),
    };
    #[cfg(not(feature = "program"))]
    reject(
        "it was built without its window (the feature `program`); `carom simulate` runs a scene, `carom scenes` lists them",
    )
}

impl Command {
    fn run(self) -> Result<Ending, String> {
        match self {
            Self::Scenes => list_scenes().map(|()| Ending::Whole),
            Self::Simulate(arguments) => arguments.request().and_then(|request| super::simulate::run(&request)),
            Self::Measure(arguments) => arguments.request().and_then(|request| super::measure::run(&request)),
            Self::Sweep(arguments) => arguments.request().and_then(|request| super::sweep::run(&request)),
            Self::Experiment(arguments) => arguments.run(),
            Self::Play(arguments) => arguments.run(),
            Self::Drill(arguments) => arguments.request().and_then(|request| super::drill::run(&request)),
            Self::Replay(arguments) => super::tournament::replay(&arguments.request()),
            Self::Link(arguments) => arguments.request().and_then(|request| super::link::run(&request)),
            #[cfg(feature = "program")]
            Self::Render(arguments) => arguments.run(),
        }
    }
}

/// Prints help and version as they are, and an error with its tip in one line.
fn explain(error: clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // If the reader closed the pipe, there is nobody to report an error to.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let where_to_look =
        if cfg!(target_arch = "wasm32") { "it stands in the address of this page" } else { "see `carom --help`" };
    reject(&format!("{}; {where_to_look}", what_is_wrong(error, DASHES)))
}

/// Puts an error and its tip in one line. Options are written with these dashes.
fn what_is_wrong(mut error: clap::Error, dashes: &str) -> String {
    // The arguments that it quotes may have several lines.
    let quoted: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, ContextValue::String(in_one_line(text)))),
            ContextValue::Strings(texts) => {
                Some((kind, ContextValue::Strings(texts.iter().map(|text| in_one_line(text)).collect())))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        let written = |name: &String| name.replacen("--", dashes, 1);
        let names = match error.get(kind) {
            Some(ContextValue::String(name)) => ContextValue::String(written(name)),
            Some(ContextValue::Strings(names)) => ContextValue::Strings(names.iter().map(written).collect()),
            _ => continue,
        };
        error.insert(kind, names);
    }
    let text = error.to_string();
    let is_about_help = |line: &str| line.starts_with("Usage:") || line.starts_with("For more information");
    let lines = text.lines().take_while(|line| !is_about_help(line)).map(str::trim);
    let line = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ").replace(":; ", ": ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

fn scene_source(argument: Option<&str>) -> Result<SceneSource, String> {
    argument
        .map_or_else(|| Ok(SceneSource::default()), |name| SceneSource::from_argument(name).map_err(|e| e.to_string()))
}

fn list_scenes() -> Result<(), String> {
    let width = shipped().iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    let mut out = io::stdout().lock();
    for scene in shipped() {
        let file = SceneFile::parse(scene.text, scene.name).map_err(|error| error.to_string())?;
        if let Err(error) = writeln!(out, "{:width$}  {}", scene.name, file.description) {
            // In `carom scenes | head`, a closed pipe is not a failure.
            return if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error.to_string()) };
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn arguments_of_a_match_need_what_they_belong_to() {
        let parsed = |line: &str| CommandLine::try_parse_from(line.split(' '));
        let said = |line: &str| what_is_wrong(parsed(line).unwrap_err(), DASHES);
        assert!(said("carom play --breaks winner").contains("--race-to <N>"));
        assert!(said("carom play --race-to 2 --racks 3").contains("cannot be used with"));
        assert!(parsed("carom play --table pool-8ft --seed 3").is_ok());
        #[cfg(feature = "program")]
        {
            for option in
                ["--players a,b", "--race-to 2", "--breaks winner", "--table pool-8ft", "--option a=b", "--seed 1"]
            {
                assert!(said(&format!("carom {option}")).contains("not provided: --match <GAME>"), "{option}");
                assert!(parsed(&format!("carom --match nine-ball {option}")).is_ok(), "{option}");
            }
            assert!(parsed("carom").is_ok(), "defaults need no match");
        }
    }

    #[cfg(feature = "program")]
    #[test]
    fn where_options_have_no_dashes_messages_name_them_so() {
        let said = |arguments: &[&str], dashes| {
            let arguments = ["carom"].iter().chain(arguments);
            what_is_wrong(CommandLine::try_parse_from(arguments).unwrap_err(), dashes)
        };
        let wrong = said(&["--theme=--pink"], "");
        assert!(wrong.starts_with("invalid value '--pink' for 'theme <WHICH>'"), "{wrong}");
        let wrong = said(&["--theme=--pink"], "--");
        assert!(wrong.starts_with("invalid value '--pink' for '--theme <WHICH>'"), "{wrong}");
        let missing = said(&["--race-to=3"], "");
        assert!(missing.contains("not provided: match <GAME>"), "{missing}");
        let several = said(&["--match=snooker", "gas"], "");
        assert!(several.contains("'match <GAME>' cannot be used with"), "{several}");
        let both = said(&["--tiles=2", "--match=snooker"], "");
        assert!(!both.contains("--"), "{both}");
    }
}
