//! The command line: what it may say, and who does it.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use bevy::math::{UVec2, Vec2};
use clap::{Args, Parser, Subcommand, error::ErrorKind};

use super::{
    Ending, gallery,
    output::Output,
    play::{PlayOptions, play},
    reject,
    render::{self, Resolution, Show, Staging},
    simulate::{self, Length, Place, Request, Start, Walls, settings::Setting, table_named},
    strike::Shot,
};
use crate::{
    scene::{SceneFile, SceneSource, read_text, shipped},
    view::{ThemeChoice, Themes},
};

/// Discs that collide: a table to play on, and a laboratory
///
/// Without a subcommand it opens a window and plays the scene.
#[derive(Parser, Debug)]
#[command(name = "carom", version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: PlayArguments,
}

#[derive(Args, Debug)]
struct PlayArguments {
    /// The scene: a name that `carom scenes` lists, or a file that ends in .ron [default: nine-ball]
    scene: Option<String>,
    /// Write a picture of the window (PNG) and end
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// Width and height of the window in logical pixels [default: as it was left, 1280x800 at first]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    size: Option<String>,
    #[command(flatten)]
    look: Look,
    /// End, or take the picture, so many seconds after the start
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = seconds)]
    after: Option<f64>,
}

#[derive(Args, Debug)]
struct Look {
    /// Which set of colours it has [default: the one chosen last, or as the desktop]
    #[arg(long, value_enum, value_name = "WHICH")]
    theme: Option<ThemeChoice>,
    /// Colours of your own: a copy of `assets/themes.ron`, changed
    #[arg(long, value_name = "FILE.ron")]
    colours: Option<PathBuf>,
}

impl Look {
    fn themes(&self) -> Result<Themes, String> {
        let Some(path) = &self.colours else { return Ok(Themes::default()) };
        let text = read_text(path)
            .map_err(|error| format!("--colours {error}, or leave it out: assets/themes.ron is built in"))?;
        let said = |error| format!("--colours {}: {error}; start from the file assets/themes.ron", path.display());
        Themes::parse(&text).map_err(said)
    }
}

/// What `simulate` and `render` let happen at the start.
#[derive(Args, Debug)]
struct Beginning {
    /// Shoot the cue ball, or else the first disc of a scene, at the start: the speed that it gets along the cue, m/s, and degrees
    /// against the clock from the right. A table of several discs (--from) has to say which is the cue ball. Of a ball that spins also where the tip hits it, in radii right of and above the middle (a miscue beyond
    /// 0.5 in all), and by how many degrees the cue is raised, 0 to 90
    #[arg(long, value_name = "SPEED,ANGLE[,SIDE,TOP[,ELEVATION]]", allow_hyphen_values = true)]
    strike: Option<String>,
    /// Let the generators of the scene throw other dice; the same as --set seed=N
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    seed: Option<u64>,
}

impl Beginning {
    fn strike(&self) -> Result<Option<Shot>, String> {
        self.strike.as_deref().map(|text| Shot::parse("--strike", text)).transpose()
    }

    /// What `--set` says, and the seed; each of them once.
    fn settings(&self, set: &[String]) -> Result<Vec<Setting>, String> {
        let mut settings: Vec<Setting> = Vec::new();
        for text in set {
            let setting = Setting::parse(text)?;
            if let Some(other) = settings.iter().find(|other| other.key() == setting.key()) {
                return Err(format!("--set {setting} and --set {other}: give one of them"));
            }
            settings.push(setting);
        }
        if let Some(seed) = self.seed {
            if let Some(other) = settings.iter().find(|setting| setting.key() == "seed") {
                return Err(format!("--seed {seed} and --set {other}: give one of them"));
            }
            settings.push(Setting::parse(&format!("seed={seed}"))?);
        }
        Ok(settings)
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List the scenes that come with the program
    Scenes,
    /// Run a scene without a window as fast as it goes, and write what came of it
    Simulate(Box<SimulateArguments>),
    /// Draw a scene without a window: a picture, a sequence or an animation
    Render(Box<RenderArguments>),
}

/// In which coordinates everything stands.
const FRAME: &str = "Frame: x points right, y up in the picture, z from the table to whoever looks at it, right-handed; a ball that rolls along +x has a \
                     positive wy, and a positive wz turns against the clock. Of a billiard table the origin is the middle, x runs along it, \
                     and the foot end, where balls are racked, is at +x. Metres, seconds, kilograms, rad/s.";

/// What the exit status of `simulate` and `render` means.
const STATUS: &str = "Exit status: 0; 2 if it cannot be done, with a line that says why; 3 if it was done, but discs or terrain were \
                      left out because their values cannot be simulated (they are named).";

// The comments are the help that a terminal shows, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = format!("{FRAME}\n\n{STATUS}"))]
struct SimulateArguments {
    /// The scene: a name that `carom scenes` lists, or a file that ends in .ron [default: nine-ball]
    scene: Option<String>,
    /// How many ticks to run
    #[arg(long, value_name = "N", conflicts_with = "seconds", allow_hyphen_values = true, value_parser = ticks)]
    ticks: Option<u64>,
    /// How many simulated seconds to run [default: 10]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seconds)]
    seconds: Option<f64>,
    /// Change a setting of the scene; may be given several times. Keys: mode (stepped or continuous), restitution, wall_restitution, substeps, push_apart,
    /// push_apart_share, resting_speed, sleep_speed, report_above, impact_budget, gravity (x,y), drag, friction, tick_rate, time_scale; where
    /// there is a billiard table sliding, rolling, spinning (of the cloth), ball_friction (none, Alciatore or a number), cushion (Mirror,
    /// HalfSpace, Stronge, Mathavan or Han), cushion_restitution (Han or a number), cushion_friction, nose_height (ball diameters); for
    /// scenes with generators count and seed
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1..)]
    settings: Vec<String>,
    /// Start from a table of discs instead of a scene: columns id,x,y,vx,vy,r,m, of which x,y,r must be there; for discs that spin wx,wy,wz
    /// (rad/s) and ball: 1 for a ball, 0 for a flat disc, which turns about z alone; empty for a ball if one of wx,wy,wz is there, else for
    /// a disc without spin; cue: 1 for the cue ball, which --strike shoots; number: the one written on it
    #[arg(long, value_name = "FILE.csv", conflicts_with = "scene")]
    from: Option<PathBuf>,
    /// Put the discs of --from on a billiard table, with its cushions, pockets and cloth, in the continuous mode at 120 ticks a second: NAME is
    /// pool-9ft, pool-8ft, pool-7ft, snooker-12ft or carom-10ft. There a disc is a ball unless its column ball is 0, and has the radius and
    /// the mass of the table's balls where r and m are empty or left out
    #[arg(long, value_name = "NAME", conflicts_with = "walls")]
    table: Option<String>,
    /// Put four walls around the discs of --from, W metres wide and H metres high: centred on X,Y; without that on the origin,
    /// or, if discs lie outside of that, with the lower left corner at the origin. A scene has its own terrain
    #[arg(long = "box", value_name = "W,H[,X,Y]", allow_hyphen_values = true)]
    walls: Option<String>,
    #[command(flatten)]
    beginning: Beginning,
    /// Write the summary as JSON; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the final state as a table that --from reads (m, m/s, kg, rad/s), to the bit, without the discs in pockets; `-` is the
    /// standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write every event of the run as a table: time (s since the start), tick, kind (ball, cushion, jaw, pocket, rolls, rests, stopped),
    /// id and name (cue ball, ball 3, disc 17), other and other_name (what was hit: such a ball, right cushion, top left corner), x, y, and
    /// vx, vy, wx, wy, wz before and after; only where discs spin, in the continuous mode; `-` is the standard output
    #[arg(long, value_name = "FILE.csv")]
    events: Option<PathBuf>,
    /// Write a picture of the start, the paths and the end; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the final state as a scene, with terrain and settings: a run of it goes on to the bit
    #[arg(long, value_name = "FILE.ron")]
    save: Option<PathBuf>,
    /// Show no progress bar and no summary, which else is there unless the standard output has one of the files
    #[arg(long)]
    quiet: bool,
}

// The comments are the help that a terminal shows, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = STATUS)]
struct RenderArguments {
    /// The scene: a name that `carom scenes` lists, or a file that ends in .ron [default: nine-ball]
    scene: Option<String>,
    /// After how many ticks the picture is taken, or the last one of several
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = ticks)]
    ticks: u64,
    /// A picture at the start and after every so many ticks
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = one_or_more)]
    every: Option<u64>,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", allow_hyphen_values = true)]
    size: String,
    #[command(flatten)]
    look: Look,
    /// Change a setting of the scene, as in `carom simulate`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1..)]
    settings: Vec<String>,
    /// Show more: arrows, momenta, hits, grid, trails=SECONDS, colour=WHAT (speed, energy, contacts, mass, age, number); may be given
    /// several times
    #[arg(long, value_name = "WHAT", num_args = 1..)]
    show: Vec<String>,
    /// Draw the whole window: the title, the panel and all
    #[arg(long)]
    window: bool,
    /// Pixels of the picture to a pixel of the window's layout, as on screens with twice as many [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = scale)]
    scale: Option<f32>,
    #[command(flatten)]
    beginning: Beginning,
    /// Aim such a shot in the picture; a ball or a rail that is in the cue's way raises it more
    #[arg(long, value_name = "SPEED,ANGLE[,SIDE,TOP[,ELEVATION]]", allow_hyphen_values = true)]
    aim: Option<String>,
    /// Draw every scene that comes with the program, in dark and in light colours, into this folder, and a page that shows them
    #[arg(long, value_name = "FOLDER", exclusive = true)]
    gallery: Option<PathBuf>,
    /// Write the picture (PNG), `-` to the standard output; with --every one for each moment, with the number of its tick before the
    /// ending
    #[arg(long, value_name = "FILE.png")]
    out: Option<PathBuf>,
    /// Write an animation as GIF; needs --every
    #[arg(long, value_name = "FILE.gif", requires = "every")]
    gif: Option<PathBuf>,
    /// Write an animation as animated PNG; needs --every
    #[arg(long, value_name = "FILE.png", requires = "every")]
    apng: Option<PathBuf>,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

impl PlayArguments {
    fn options(self) -> Result<(PlayOptions, Themes), String> {
        let source = scene_source(self.scene.as_deref())?;
        let themes = self.look.themes()?;
        let size = self.size.as_deref().map(pixels).transpose()?.map(|UVec2 { x, y }| Vec2::new(x as f32, y as f32));
        let (screenshot, after) = (self.screenshot, self.after.map(|after| after as f32));
        if let Some(path) = &screenshot
            && Output::with_ending("--screenshot", path, "png", "PNG")?.is_standard()
        {
            return Err(
                "--screenshot -: name a file; carom render --window --out - writes to the standard output".into()
            );
        }
        Ok((PlayOptions { source, size, theme: self.look.theme, screenshot, after }, themes))
    }
}

impl RenderArguments {
    fn request(self) -> Result<render::Request, String> {
        let source = scene_source(self.scene.as_deref())?;
        let settings = self.beginning.settings(&self.settings)?;
        let resolution = Resolution { pixels: pixels(&self.size)?, scale: self.scale.unwrap_or(1.0) };
        let themes = self.look.themes()?;
        let staging = Staging {
            theme: self.look.theme.unwrap_or(ThemeChoice::Dark),
            show: self.show.iter().map(|text| Show::parse(text)).collect::<Result<_, _>>()?,
            window: self.window,
            strike: self.beginning.strike()?,
            aim: self.aim.as_deref().map(|text| Shot::parse("--aim", text)).transpose()?,
        };
        let Self { ticks, every, out, gif, apng, quiet, .. } = self;
        Ok(render::Request { source, settings, staging, ticks, every, resolution, themes, out, gif, apng, quiet })
    }
}

/// The most seconds that a person may ask for.
const MAX_SECONDS: f64 = 1e9;

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
    seconds.ok_or_else(|| format!("the seconds must be zero or more, and at most {MAX_SECONDS:e}"))
}

/// The most ticks that a person may ask for: [`MAX_SECONDS`] at the highest rate.
const MAX_TICKS: u64 = 10_000_000_000_000;

fn ticks(text: &str) -> Result<u64, String> {
    let ticks = text.parse().ok().filter(|&ticks| ticks <= MAX_TICKS);
    ticks.ok_or_else(|| format!("it must be a whole number, zero or more, and at most {MAX_TICKS}"))
}

fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it must be a whole number, zero or more, and at most {}", u64::MAX))
}

fn one_or_more(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_TICKS).contains(number));
    number.ok_or_else(|| format!("it must be a whole number, one or more, and at most {MAX_TICKS}"))
}

fn scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale| (0.5..=4.0).contains(scale));
    scale.ok_or_else(|| "it must be a number from 0.5 to 4".to_owned())
}

fn pixels(text: &str) -> Result<UVec2, String> {
    let numbers = text.split_once('x').and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    numbers
        .filter(|(w, h)| (16..=8192).contains(w) && (16..=8192).contains(h))
        .map(|(w, h)| UVec2::new(w, h))
        .ok_or_else(|| format!("--size {text}: give width and height in pixels, 16 to 8192, such as --size 1280x800"))
}

/// Does what these arguments (the program's name first) ask for.
pub(super) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let line = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line,
        Err(error) => return explain(&error),
    };
    let done = match line.command {
        None => match line.play.options() {
            Ok((options, themes)) => return play(options, themes),
            Err(reason) => Err(reason),
        },
        Some(Command::Scenes) => list_scenes().map(|()| Ending::Whole),
        Some(Command::Simulate(arguments)) => arguments.request().and_then(|request| simulate::run(&request)),
        Some(Command::Render(arguments)) => match &arguments.gallery {
            Some(folder) => gallery::draw(folder).map(|()| Ending::Whole),
            None => arguments.request().and_then(|request| render::run(&request)),
        },
    };
    match done {
        Ok(ending) => ending.into(),
        Err(reason) => reject(&reason),
    }
}

/// Help and version go out as they are; of an error, what is wrong and the tip, in one line.
fn explain(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Whoever closed the pipe does not want to know.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let is_about_help = |line: &str| line.starts_with("Usage:") || line.starts_with("For more information");
    let lines = text.lines().take_while(|line| !is_about_help(line)).map(str::trim);
    let line = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    reject(&format!("{}; see `carom --help`", line.strip_prefix("error: ").unwrap_or(&line)))
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
            // `carom scenes | head` is no failure.
            return if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error.to_string()) };
        }
    }
    Ok(())
}

impl SimulateArguments {
    fn request(self) -> Result<Request, String> {
        let start = match (&self.from, &self.walls, &self.table) {
            (None, Some(walls), _) => {
                return Err(format!(
                    "--box {walls}: it puts walls around the discs of --from FILE.csv; a scene has its own terrain"
                ));
            }
            (None, _, Some(name)) => {
                return Err(format!(
                    "--table {name}: it puts the discs of --from FILE.csv on a billiard table, and no --from is there; a scene has a table of \
                     its own or none, so leave --table out, and for billiard balls take nine-ball, snooker or carom"
                ));
            }
            (None, None, None) => Start::Scene(scene_source(self.scene.as_deref())?),
            (Some(table), walls, name) => {
                let place = match (walls, name) {
                    (Some(walls), _) => Place::Box(Walls::parse(walls)?),
                    (None, Some(name)) => Place::Table(table_named(name)?),
                    (None, None) => Place::Open,
                };
                Start::Table { table: table.clone(), place }
            }
        };
        let length = match (self.ticks, self.seconds) {
            (Some(ticks), _) => Length::Ticks(ticks),
            (None, seconds) => Length::Seconds(seconds.unwrap_or(10.0)),
        };
        let (settings, strike) = (self.beginning.settings(&self.settings)?, self.beginning.strike()?);
        let Self { json, csv, events, svg, save, quiet, .. } = self;
        Ok(Request { start, length, settings, strike, json, csv, events, svg, save, quiet })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_size_is_two_numbers_of_pixels() {
        assert_eq!(pixels("640x480"), Ok(UVec2::new(640, 480)));
        for wrong in ["640", "x", "0x480", "640x99999", "-1x20"] {
            assert!(pixels(wrong).is_err(), "{wrong}");
        }
    }
}
