//! `carom render`: pictures of a scene without a window, on any graphics adapter, software too.
//!
//! | file | what |
//! |---|---|
//! | [`staging`] | how a scene is looked at |
//! | `studio` | the program without a window, which draws into an image |
//! | `files` | pictures and animations as files |

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::simulate::settings::Setting;
use crate::{scene::SceneSource, view::Themes};

mod files;
pub mod staging;
mod studio;

use self::files::{Apng, Gif, write_png};
pub use self::staging::{Resolution, Show, Staging};
pub(super) use self::{files::write_small_png, studio::Studio};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub source: SceneSource,
    /// What to change in it.
    pub settings: Vec<Setting>,
    /// What is drawn of it, and how.
    pub staging: Staging,
    /// After how many ticks the (last) picture is taken.
    pub ticks: u64,
    /// A picture after every so many ticks; none: one picture.
    pub every: Option<u64>,
    /// How large the pictures are.
    pub resolution: Resolution,
    /// The sets of colours.
    pub themes: Themes,
    /// Where the picture goes (PNG); of a sequence, with the number of the tick before the ending.
    pub out: Option<PathBuf>,
    /// Where an animation goes, as GIF.
    pub gif: Option<PathBuf>,
    /// Where an animation goes, as animated PNG.
    pub apng: Option<PathBuf>,
}

/// Draws what is asked for and writes it.
///
/// # Errors
/// In one line what cannot be done, and what to do about it.
pub fn run(request: &Request) -> Result<(), String> {
    let mut file = request.source.load().map_err(|error| error.to_string())?;
    for setting in &request.settings {
        setting.apply(&mut file)?;
    }
    file.check().map_err(|problem| format!("{}: {problem}", request.source))?;
    if request.out.is_none() && request.gif.is_none() && request.apng.is_none() {
        return Err("name a file for the picture: --out FILE.png, --gif FILE.gif or --apng FILE.png".to_owned());
    }
    let rate = file.pace.tick_rate;
    let size = request.resolution.pixels;
    let mut studio = Studio::open(request.resolution, request.staging.window)?;
    studio.paint_with(request.themes.clone());
    studio.set_up(request.source.clone(), file, &request.staging)?;

    let every = request.every.unwrap_or(request.ticks.max(1)).max(1);
    let first = if request.every.is_some() { 0 } else { request.ticks };
    let moments: Vec<u64> = (first..=request.ticks).step_by(every as usize).collect();
    let seconds = every as f64 / rate;
    let mut gif = request.gif.as_deref().map(|path| Gif::create(path, size, seconds)).transpose()?;
    let mut apng = request.apng.as_deref().map(|path| Apng::create(path, size, moments.len(), seconds)).transpose()?;
    let bar = progress_bar(moments.len() as u64);
    let mut now = 0;
    for &moment in &moments {
        studio.advance(moment - now);
        now = moment;
        studio.aim(request.staging.aim);
        let frame = studio.take()?;
        if let Some(out) = &request.out {
            let path = if request.every.is_some() { numbered(out, moment, request.ticks) } else { out.clone() };
            write_png(&path, &frame)?;
        }
        if let Some(gif) = &mut gif {
            gif.add(&frame)?;
        }
        if let Some(apng) = &mut apng {
            apng.add(&frame)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    apng.map_or(Ok(()), Apng::finish)
}

pub(super) fn progress_bar(frames: u64) -> ProgressBar {
    if frames < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40.cyan/blue} {pos}/{len} pictures, {eta} left");
    ProgressBar::new(frames).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
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
