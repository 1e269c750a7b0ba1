//! `carom render`: images of a scene without a window, on any graphics adapter, including software.
//!
//! | file | contents |
//! |---|---|
//! | [`staging`] | how a scene is displayed |
//! | `script` | mouse and key actions that a script performs while frames are drawn |
//! | `studio` | the program without a window, which draws into an image |

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use super::image_files::{Apng, Frame, Gif, pack, png, unpack};
use super::{
    Ending, account,
    output::{Output, Stream, keep_apart, write_summary},
    progress::progress_bar,
    run::{Begun, Ready, Start},
    settings::Setting,
    strike::Strike,
    tournament::{match_name, read_match},
};
use crate::{
    collision::{
        PhysicsSpace,
        measure::{self, LeftOut},
    },
    games::Match,
    number::count,
    scene::{SceneFile, SceneSource, read_text},
    timeline::Playback,
    view::{ThemeChoice, Themes},
};

mod script;
pub mod staging;
mod studio;

pub use self::staging::{Resolution, Show, Staging};
pub(super) use self::{script::Script, studio::Studio};

/// A request of `carom render`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub source: SceneSource,
    /// A match to draw instead: its file, or a link.
    pub game: Option<PathBuf>,
    /// Changes to the scene.
    pub settings: Vec<Setting>,
    /// How the scene is displayed.
    pub staging: Staging,
    /// The number of ticks before the (last) image.
    pub ticks: u64,
    /// The number of ticks between images, or `None` for one image.
    pub every: Option<u64>,
    /// The size of the images.
    pub resolution: Resolution,
    /// The sets of colours.
    pub themes: Themes,
    /// The destination of the image (PNG). In a sequence, the tick number is inserted before the extension. `-` is the
    /// standard output.
    pub out: Option<PathBuf>,
    /// The destination of a GIF animation.
    pub gif: Option<PathBuf>,
    /// The destination of an animated PNG.
    pub apng: Option<PathBuf>,
    /// Whether to hide the progress bar and the summary.
    pub quiet: bool,
}

/// Draws and writes the request.
///
/// # Errors
/// It cannot be done. The message says in one line how to fix it.
pub fn run(request: &Request) -> Result<Ending, String> {
    let subject = Subject::read(request)?;
    let outputs = Outputs::of(request)?;
    let rate = match &subject {
        Subject::Scene(ready) => ready.scene.file.pace.tick_rate,
        Subject::Match(_) => SceneFile::TABLE_TICK_RATE,
    };
    let size = request.resolution.pixels;
    let mut studio = Studio::open(request.resolution, request.staging.window)?;
    studio.paint_with(request.themes.clone());
    let Begun { strike, warnings } = match subject {
        Subject::Scene(ready) => studio.set_up(*ready, &request.staging)?,
        Subject::Match(game) => {
            studio.set_up_match(*game, &request.staging)?;
            Begun { strike: None, warnings: account::oddities(studio.world()).collect() }
        }
    };
    account::warn(&warnings);
    account::warn_of_precision(studio.world());

    let moments = moments(request);
    let seconds = request.every.unwrap_or(1) as f64 / rate;
    let mut streams = Streams::open(&outputs)?;
    let mut animations = Animations::begin(&outputs, &mut streams, size, moments.len())?;
    let bar = progress_bar(moments.len() as u64, "pictures", request.quiet);
    let mut now = 0;
    for (i, &moment) in moments.iter().enumerate() {
        studio.advance(moment - now);
        now = moment;
        studio.aim(request.staging.aim)?;
        let frame = studio.take()?;
        if let Some(out) = outputs.pictures.get(i) {
            out.write(png(&frame).map_err(|error| out.failed(&error))?)?;
        }
        animations.add(&frame, seconds)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    animations.finish()?;
    streams.finish()?;
    let left_out = measure::about_to_be_left_out(studio.world());
    if request.quiet {
        account::say_left_out(&left_out);
    } else {
        show_summary(&summary(request, studio.world(), strike, &left_out), &outputs)?;
    }
    Ok(account::ending(&left_out))
}

/// An animation by a script.
#[derive(Clone, Debug)]
pub struct ScriptRequest {
    /// The script.
    pub script: PathBuf,
    /// The colours.
    pub theme: ThemeChoice,
    /// The sets of colours.
    pub themes: Themes,
    /// The destination of a GIF animation.
    pub gif: Option<PathBuf>,
    /// The destination of an animated PNG.
    pub apng: Option<PathBuf>,
    /// Whether to hide the progress bar and the summary.
    pub quiet: bool,
}

/// Draws an animation by a script and writes it.
///
/// # Errors
/// It cannot be done. The message says in one line how to fix it.
pub fn run_script(request: &ScriptRequest) -> Result<Ending, String> {
    let ScriptRequest { script: path, theme, themes, gif, apng, quiet } = request;
    let name = path.display().to_string();
    let text = read_text(path).map_err(|error| format!("--script {error}"))?;
    let script = Script::parse(&text, &format!("--script {name}"))?;
    let outputs =
        Outputs { pictures: Vec::new(), gif: gif_output(gif.as_deref())?, apng: apng_output(apng.as_deref())? };
    keep_apart(outputs.all())?;
    let format = script.format;
    let mut streams = Streams::open(&outputs)?;
    let mut animations = Animations::begin(&outputs, &mut streams, format.size(), format.frames)?;
    let bar = progress_bar((format.frames * format.takes) as u64, "frames", *quiet);
    draw_script(script, *theme, themes, || bar.inc(1), |frame| animations.add(frame, format.frame_time()))?;
    bar.finish_and_clear();
    animations.finish()?;
    streams.finish()?;
    if !quiet {
        let seconds = format.frames as f64 * format.frame_time();
        let summary = format!("{name}: {}, {seconds:.3} s\n", count(format.frames, "frame", "frames"));
        show_summary(&summary, &outputs)?;
    }
    Ok(Ending::Whole)
}

/// Writes a summary to the standard output, or to standard error if an image goes there.
fn show_summary(summary: &str, outputs: &Outputs) -> Result<(), String> {
    if !write_summary(summary, false, outputs.all())? {
        eprint!("{summary}");
    }
    Ok(())
}

/// Draws the frames of a script in order and passes them to `add`. Calls `drawn` after each frame of each take.
///
/// # Errors
/// A frame cannot be drawn. The message is one line.
pub(super) fn draw_script(
    script: Script,
    theme: ThemeChoice,
    themes: &Themes,
    mut drawn: impl FnMut(),
    mut add: impl FnMut(&Frame) -> Result<(), String>,
) -> Result<(), String> {
    let Script { format, mut takes } = script;
    let last = takes.pop().ok_or("a script without takes")?;
    let unreadable = |error| format!("a frame cannot be kept: {error}");
    // Takes are drawn one after the other. Their compressed frames are kept until the last take is drawn.
    let mut waiting = Vec::new();
    for take in takes {
        let mut frames = Vec::new();
        Studio::perform(format, take, (theme, themes), |frame| {
            drawn();
            frames.push(pack(&frame).map_err(unreadable)?);
            Ok(())
        })?;
        waiting.push(frames.into_iter());
    }
    Studio::perform(format, last, (theme, themes), |frame| {
        drawn();
        let left = waiting.iter_mut().filter_map(Iterator::next).map(|bytes| unpack(&bytes));
        let all: Vec<Frame> = left.chain([Ok(frame)]).collect::<Result<_, _>>().map_err(unreadable)?;
        add(&Frame::beside_each_other(&all))
    })
}

/// The files that animations are written to.
struct Streams<'a> {
    gif: Option<Stream<'a>>,
    apng: Option<Stream<'a>>,
}

impl<'a> Streams<'a> {
    fn open(outputs: &'a Outputs) -> Result<Self, String> {
        let open = |output: &'a Option<Output>| output.as_ref().map(Output::begin).transpose();
        Ok(Self { gif: open(&outputs.gif)?, apng: open(&outputs.apng)? })
    }

    fn finish(self) -> Result<(), String> {
        [self.gif, self.apng].into_iter().flatten().try_for_each(Stream::finish)
    }
}

/// The animations that frames are added to.
struct Animations<'s, 'a> {
    gif: Option<(Gif<&'s mut Stream<'a>>, &'a Output)>,
    apng: Option<(Apng<&'s mut Stream<'a>>, &'a Output)>,
}

impl<'s, 'a> Animations<'s, 'a> {
    fn begin(outputs: &'a Outputs, streams: &'s mut Streams<'a>, size: UVec2, frames: usize) -> Result<Self, String> {
        let gif = match (&mut streams.gif, &outputs.gif) {
            (Some(stream), Some(output)) => {
                Some((Gif::begin(stream, size).map_err(|error| output.failed(&error))?, output))
            }
            _ => None,
        };
        let apng = match (&mut streams.apng, &outputs.apng) {
            (Some(stream), Some(output)) => {
                Some((Apng::begin(stream, size, frames).map_err(|error| output.failed(&error))?, output))
            }
            _ => None,
        };
        Ok(Self { gif, apng })
    }

    /// Adds a frame with this duration, seconds.
    fn add(&mut self, frame: &Frame, seconds: f64) -> Result<(), String> {
        if let Some((gif, output)) = &mut self.gif {
            gif.add(frame, seconds).map_err(|error| output.failed(&error))?;
        }
        if let Some((apng, output)) = &mut self.apng {
            apng.add(frame, seconds).map_err(|error| output.failed(&error))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        if let Some((gif, output)) = self.gif {
            gif.finish().map_err(|error| output.failed(&error))?;
        }
        if let Some((apng, output)) = self.apng {
            apng.finish().map_err(|error| output.failed(&error))?;
        }
        Ok(())
    }
}

/// The subject of the images.
enum Subject {
    Scene(Box<Ready>),
    Match(Box<Match>),
}

impl Subject {
    fn read(request: &Request) -> Result<Self, String> {
        if let Some(path) = &request.game {
            let replayed = Match::replay(&read_match(path)?);
            let game = replayed.map_err(|departure| format!("{}: {departure}", match_name(path)))?;
            return Ok(Self::Match(Box::new(game)));
        }
        let Request { source, settings, staging, .. } = request;
        let ready = Ready::read(&Start::Scene(source.clone()), settings, staging.strike)?;
        Ok(Self::Scene(Box::new(ready)))
    }
}

/// The most images of a sequence or animation.
const MAX_PICTURES: u64 = 100_000;

/// The ticks at which images are taken.
fn moments(request: &Request) -> Vec<u64> {
    match request.every {
        Some(every) => (0..=request.ticks).step_by(every.max(1) as usize).collect(),
        None => vec![request.ticks],
    }
}

/// The destinations, checked before drawing.
struct Outputs {
    /// One per image, or none.
    pictures: Vec<Output>,
    gif: Option<Output>,
    apng: Option<Output>,
}

impl Outputs {
    fn of(request: &Request) -> Result<Self, String> {
        let Request { out, gif, apng, every, ticks, .. } = request;
        let pictures = every.map_or(1, |every| ticks / every.max(1) + 1);
        if pictures > MAX_PICTURES {
            return Err(format!(
                "--ticks {ticks} --every {}: that would be {pictures} pictures, and {MAX_PICTURES} is the most; give a larger --every",
                every.unwrap_or(1)
            ));
        }
        if out.is_none() && gif.is_none() && apng.is_none() {
            return Err("name a file for the picture: --out FILE.png, --gif FILE.gif or --apng FILE.png".to_owned());
        }
        let mut pictures = Vec::new();
        if let Some(out) = out {
            let first = Output::with_ending("--out", out, "png", "PNG")?;
            if every.is_none() {
                pictures.push(first);
            } else if first.is_standard() {
                return Err("--out -: only one picture can go to the standard output; leave out --every".to_owned());
            } else {
                let one = |moment| Output::unprobed("--out", &numbered(out, moment, *ticks));
                pictures = moments(request).into_iter().map(one).collect::<Result<_, _>>()?;
            }
        }
        let outputs = Self { pictures, gif: gif_output(gif.as_deref())?, apng: apng_output(apng.as_deref())? };
        keep_apart(outputs.all())?;
        Ok(outputs)
    }

    fn all(&self) -> impl Iterator<Item = &Output> {
        self.pictures.iter().chain(&self.gif).chain(&self.apng)
    }
}

fn gif_output(path: Option<&Path>) -> Result<Option<Output>, String> {
    path.map(|path| Output::with_ending("--gif", path, "gif", "GIF")).transpose()
}

fn apng_output(path: Option<&Path>) -> Result<Option<Output>, String> {
    path.map(|path| Output::with_ending("--apng", path, "png", "animated PNG")).transpose()
}

/// The summary for people.
fn summary(request: &Request, world: &World, strike: Option<Strike>, left_out: &[LeftOut]) -> String {
    let space = world.resource::<PhysicsSpace>();
    let (discs, ticks, pictures) = (space.discs.len(), request.ticks, moments(request).len());
    let seconds = ticks as f64 / world.resource::<Playback>().rate(world.resource());
    let pictures = count(pictures, "picture", "pictures");
    let name = request.game.as_ref().map_or_else(|| request.source.to_string(), |path| match_name(path));
    let mut text = format!("{name}: {discs} discs, {ticks} ticks, {seconds:.3} s, {pictures}\n");
    // Writing to a string cannot fail.
    if let Some(strike) = strike {
        let _ = writeln!(text, "  strike          {strike}");
    }
    let _ = writeln!(text, "  collisions      {}", space.report.collisions);
    if space.report.stopped > 0 {
        let _ = writeln!(text, "{}", account::stopped_line(space.report.stopped));
    }
    for line in account::lines(left_out) {
        let _ = writeln!(text, "  left out        {line}");
    }
    text
}

/// `name-0042.png` for tick 42 of a thousand.
fn numbered(path: &Path, tick: u64, last: u64) -> PathBuf {
    let digits = last.to_string().len();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{tick:0digits$}.png"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_numbered_by_its_ticks() {
        assert_eq!(numbered(Path::new("a/b.png"), 42, 1000), PathBuf::from("a/b-0042.png"));
    }
}
