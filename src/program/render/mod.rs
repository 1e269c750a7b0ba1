//! `carom render`: images of a scene without a window, on any graphics adapter, including software.
//!
//! | file | contents |
//! |---|---|
//! | [`staging`] | how a scene is displayed |
//! | `studio` | the program without a window, which draws into an image |

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use super::image_files::{Apng, Gif, png};
use super::{
    Ending, account,
    output::{Output, keep_apart},
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
    scene::{SceneFile, SceneSource},
    timeline::Playback,
    view::Themes,
};

pub mod staging;
mod studio;

pub use self::staging::{Resolution, Show, Staging};
pub(super) use self::studio::Studio;

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
    let mut gif_stream = outputs.gif.as_ref().map(Output::begin).transpose()?;
    let mut apng_stream = outputs.apng.as_ref().map(Output::begin).transpose()?;
    let gif_failed = |error| outputs.gif.as_ref().map_or_else(String::new, |output| output.failed(&error));
    let apng_failed = |error| outputs.apng.as_ref().map_or_else(String::new, |output| output.failed(&error));
    let gif = gif_stream.as_mut().map(|stream| Gif::begin(stream, size));
    let mut gif = gif.transpose().map_err(gif_failed)?;
    let apng = apng_stream.as_mut().map(|stream| Apng::begin(stream, size, moments.len()));
    let mut apng = apng.transpose().map_err(apng_failed)?;
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
        if let Some(gif) = &mut gif {
            gif.add(&frame, seconds).map_err(gif_failed)?;
        }
        if let Some(apng) = &mut apng {
            apng.add(&frame, seconds).map_err(apng_failed)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    gif.map_or(Ok(()), Gif::finish).map_err(gif_failed)?;
    apng.map_or(Ok(()), Apng::finish).map_err(apng_failed)?;
    for stream in [gif_stream, apng_stream].into_iter().flatten() {
        stream.finish()?;
    }
    let left_out = measure::about_to_be_left_out(studio.world());
    if request.quiet {
        account::say(&left_out);
    } else {
        let summary = summary(request, studio.world(), strike, &left_out);
        if outputs.all().any(Output::is_standard) {
            eprint!("{summary}");
        } else {
            Output::standard().write(summary)?;
        }
    }
    Ok(account::ending(&left_out))
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
        let animation = |option, path: &Option<PathBuf>, ending, format| {
            path.as_deref().map(|path| Output::with_ending(option, path, ending, format)).transpose()
        };
        let gif = animation("--gif", gif, "gif", "GIF")?;
        let apng = animation("--apng", apng, "png", "animated PNG")?;
        let outputs = Self { pictures, gif, apng };
        keep_apart(outputs.all())?;
        Ok(outputs)
    }

    fn all(&self) -> impl Iterator<Item = &Output> {
        self.pictures.iter().chain(&self.gif).chain(&self.apng)
    }
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
        let _ = writeln!(
            text,
            "  stopped         {} times by the solver (impacts within a tick that would not end)",
            space.report.stopped
        );
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
