//! The arguments of `carom` (the window) and of `carom render`.

use std::path::PathBuf;

use bevy::math::{UVec2, Vec2};
use clap::{Args, builder::BoolishValueParser};

use super::{
    Beginning, MAX_TICKS, STATUS,
    games::{MatchArguments, games_help, players_help},
    number, scene_source, seconds, ticks,
};
#[cfg(feature = "remote")]
use crate::remote::RemoteControlPlugin;
use crate::{
    games::MatchSpec,
    link::{Link, LinkKind},
    program::{
        Ending, gallery,
        output::Output,
        play_options::{Game, Plane, PlayOptions},
        render::{self, Resolution, Show, Staging},
        strike::Shot,
        windows::MOST,
    },
    scene::read_text,
    view::{Language, ThemeChoice, Themes},
};

#[derive(Args, Debug)]
pub(super) struct PlayArguments {
    /// The scene: a name that `carom scenes` lists, a file that ends in .ron, or a link [default: the start page]
    scene: Option<String>,
    /// Write a screenshot of the window (PNG) and quit
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// Width and height of the window in logical pixels [default: the last size, or 1280x800]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    size: Option<String>,
    /// Open this many windows, 1 to 16, that form one table; drag and resize them
    #[arg(long, value_name = "N", conflicts_with_all = ["scene", "game", "saved", "screenshot"], allow_hyphen_values = true, value_parser = several)]
    windows: Option<u32>,
    /// The same with tiles in one window
    #[arg(long, value_name = "N", conflicts_with_all = ["scene", "game", "saved", "windows"], allow_hyphen_values = true, value_parser = several)]
    tiles: Option<u32>,
    #[command(flatten)]
    game: WindowMatch,
    #[command(flatten)]
    look: Look,
    /// Start with the panel (1) or without it (0) [default: as last time]
    #[arg(long, value_name = "0 or 1", value_parser = BoolishValueParser::new())]
    panel: Option<bool>,
    /// Quit, or take the screenshot, this many seconds after the start
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = seconds)]
    after: Option<f64>,
    /// Let programs on this machine read and change all settings, by JSON-RPC on this loopback port
    #[cfg(feature = "remote")]
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "15702", value_parser = RemoteControlPlugin::read_port)]
    remote: Option<u16>,
}

/// The start of the help of `--players`.
const PLAYERS: &str = "Both players of the match: a name for a person, or for a bot ";

/// The value of `--continue` that means the last match.
const LAST: &str = "last";

/// A match in the window.
#[derive(Args, Debug)]
#[command(
    mut_group("rules", |rules| rules.requires("game")),
    mut_arg("players", |arg| arg.default_value("You,bot:medium").help(players_help(PLAYERS))),
    mut_arg("race_to", |arg| arg.default_value("1")),
    mut_arg("seed", |arg| arg.help("The seed of everything random in the match [default: a new one every time]")),
)]
struct WindowMatch {
    #[arg(long = "match", value_name = "GAME", conflicts_with = "scene", help = games_help("Start a match of this game: "))]
    game: Option<String>,
    #[command(flatten)]
    rules: MatchArguments,
    /// The time limit for a shot; exceeding it is a foul [default: no limit]
    #[arg(long, value_name = "SECONDS", requires = "game", allow_hyphen_values = true, value_parser = seconds)]
    shot_clock: Option<f64>,
    /// Resume a match: the last unfinished one, or the one in this file or link
    #[arg(long = "continue", value_name = "FILE.ron", num_args = 0..=1, default_missing_value = LAST, conflicts_with_all = ["game", "scene"])]
    saved: Option<PathBuf>,
}

/// A number that differs at every start.
#[cfg(not(target_arch = "wasm32"))]
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| u64::from(since.subsec_nanos()) ^ since.as_secs())
}

/// A number that differs at every start, in a browser.
#[cfg(target_arch = "wasm32")]
fn now() -> u64 {
    crate::storage::now().to_bits()
}

impl WindowMatch {
    fn game(self) -> Result<Option<Game>, String> {
        if let Some(link) = self.saved.as_ref().map(|path| match_link(&path.to_string_lossy())).transpose()?.flatten() {
            return Ok(Some(Game::Linked(link)));
        }
        if let Some(path) = self.saved {
            return Ok(Some(Game::Saved(Some(path).filter(|path| path.as_os_str() != LAST))));
        }
        let Some(name) = self.game else { return Ok(None) };
        let shot_clock = self.shot_clock.map(|seconds| seconds as f32);
        Ok(Some(Game::New(MatchSpec { shot_clock, ..self.rules.spec(&name, now)? })))
    }
}

#[derive(Args, Debug)]
struct Look {
    /// The set of colours [default: of a picture: dark; of the window: the last choice, or that of the desktop]
    #[arg(long, value_enum, value_name = "WHICH")]
    theme: Option<ThemeChoice>,
    /// The language [default: of a picture: english; of the window: the last choice, or that of the desktop]
    #[arg(long, value_enum, value_name = "WHICH")]
    language: Option<Language>,
    /// Custom colours: a changed copy of `assets/themes.ron`
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

// The comments are the help text in the terminal, where backticks would be noise.
#[allow(clippy::doc_markdown)]
#[derive(Args, Debug)]
#[command(after_help = STATUS)]
pub(super) struct RenderArguments {
    /// The scene: a name that `carom scenes` lists, a file that ends in .ron, or a link [default: nine-ball]
    scene: Option<String>,
    /// Draw the state of a match instead of a scene: a file written by `carom play --save` or the window, or a link
    #[arg(long = "match", value_name = "FILE.ron", conflicts_with_all = ["scene", "ticks", "every", "settings", "strike", "seed", "gallery"])]
    game: Option<PathBuf>,
    /// The tick at which the picture is drawn, or the last of several
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = ticks)]
    ticks: u64,
    /// Draw a picture at the start and every K ticks
    #[arg(long, value_name = "K", group = "moving", allow_hyphen_values = true, value_parser = one_or_more)]
    every: Option<u64>,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", allow_hyphen_values = true)]
    size: String,
    #[command(flatten)]
    look: Look,
    /// Change a setting of the scene, as in `carom simulate`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", num_args = 1..)]
    settings: Vec<String>,
    /// Show more: arrows, momenta, hits, grid, trails=SECONDS, colour=WHAT (look, speed, energy, contacts, mass, age,
    /// number, state: sliding, rolling, spinning, resting); may be given several times
    #[arg(long, value_name = "WHAT", num_args = 1..)]
    show: Vec<String>,
    /// Draw the whole window: the title, the panel and all
    #[arg(long)]
    window: bool,
    /// Pixels of the picture per logical pixel, as on high-density screens [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = scale)]
    scale: Option<f32>,
    #[command(flatten)]
    beginning: Beginning,
    /// Show this shot being aimed; a ball or a rail in the way of the cue raises it
    #[arg(long, value_name = "SPEED,ANGLE[,SIDE,TOP[,ELEVATION]]", allow_hyphen_values = true)]
    aim: Option<String>,
    /// Draw an animation from a script of scenes, pointer movements and keys, like those in assets/animations
    #[arg(long, value_name = "FILE.ron", group = "moving", conflicts_with_all = ["scene", "game", "ticks", "every", "size", "settings", "show", "window", "scale", "strike", "seed", "aim", "out", "language"])]
    script: Option<PathBuf>,
    /// Draw every shipped scene, in dark and light colours, the animations, and a page that shows them, into this
    /// folder
    #[arg(long, value_name = "FOLDER", exclusive = true)]
    gallery: Option<PathBuf>,
    /// Write the picture (PNG); `-` is the standard output. With --every, each file name has the tick before its ending
    #[arg(long, value_name = "FILE.png")]
    out: Option<PathBuf>,
    /// Write an animation as GIF; needs --every or --script
    #[arg(long, value_name = "FILE.gif", requires = "moving")]
    gif: Option<PathBuf>,
    /// Write an animation as animated PNG; needs --every or --script
    #[arg(long, value_name = "FILE.png", requires = "moving")]
    apng: Option<PathBuf>,
    /// Show no progress bar and no summary
    #[arg(long)]
    quiet: bool,
}

impl PlayArguments {
    /// Converts the arguments into options.
    ///
    /// # Errors
    /// For an invalid argument, with the remedy.
    pub(super) fn options(self) -> Result<(PlayOptions, Themes), String> {
        let link = self.scene.as_deref().map(match_link).transpose()?.flatten();
        let source = scene_source(self.scene.as_deref().filter(|_| link.is_none()))?;
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
        let language = self.look.language.or(screenshot.is_some().then_some(Language::English));
        let (theme, game) = (self.look.theme, self.game.game()?.or(link.map(Game::Linked)));
        let plane = self.windows.map(Plane::Windows).or(self.tiles.map(Plane::Tiles));
        let start_page = self.scene.is_none() && game.is_none() && screenshot.is_none() && plane.is_none();
        let options = PlayOptions {
            source,
            size,
            theme,
            language,
            panel: self.panel,
            screenshot,
            game,
            start_page,
            plane,
            after,
            #[cfg(feature = "remote")]
            remote: self.remote,
        };
        Ok((options, themes))
    }
}

impl RenderArguments {
    /// Draws the scene or the gallery.
    ///
    /// # Errors
    /// If the request fails, with the remedy.
    pub(super) fn run(self) -> Result<Ending, String> {
        if let Some(folder) = &self.gallery {
            return gallery::draw(folder).map(|()| Ending::Whole);
        }
        let Some(script) = self.script else { return render::run(&self.request()?) };
        let (theme, themes) = (self.look.theme.unwrap_or(ThemeChoice::Dark), self.look.themes()?);
        let Self { gif, apng, quiet, .. } = self;
        if gif.is_none() && apng.is_none() {
            return Err(format!("--script {}: name a file: --gif FILE.gif or --apng FILE.png", script.display()));
        }
        render::run_script(&render::ScriptRequest { script, theme, themes, gif, apng, quiet })
    }

    fn request(self) -> Result<render::Request, String> {
        let source = scene_source(self.scene.as_deref())?;
        let settings = self.beginning.settings(&self.settings)?;
        let resolution = Resolution { pixels: pixels(&self.size)?, scale: self.scale.unwrap_or(1.0) };
        let themes = self.look.themes()?;
        let staging = Staging {
            theme: self.look.theme.unwrap_or(ThemeChoice::Dark),
            language: self.look.language.unwrap_or(Language::English),
            show: self.show.iter().map(|text| Show::parse(text)).collect::<Result<_, _>>()?,
            window: self.window,
            strike: self.beginning.strike()?,
            aim: self.aim.as_deref().map(|text| Shot::parse_aim("--aim", text)).transpose()?,
        };
        let Self { game, ticks, every, out, gif, apng, quiet, .. } = self;
        Ok(render::Request { source, game, settings, staging, ticks, every, resolution, themes, out, gif, apng, quiet })
    }
}

/// The link in this argument, if it is one to a match.
fn match_link(argument: &str) -> Result<Option<Link>, String> {
    if !Link::is_meant(argument) {
        return Ok(None);
    }
    let link = Link::read(argument).map_err(|error| error.to_string())?;
    Ok(Some(link).filter(|link| link.kind == LinkKind::Match))
}

fn one_or_more(text: &str) -> Result<u64, String> {
    number(text, 1..=MAX_TICKS, format_args!("it must be a whole number, one or more, and at most {MAX_TICKS}"))
}

fn several(text: &str) -> Result<u32, String> {
    number(text, 1..=MOST, format_args!("it must be a whole number from 1 to {MOST}"))
}

fn scale(text: &str) -> Result<f32, String> {
    number(text, 0.5..=4.0, format_args!("it must be a number from 0.5 to 4"))
}

fn pixels(text: &str) -> Result<UVec2, String> {
    let numbers = text.split_once('x').and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    numbers
        .filter(|(w, h)| (16..=8192).contains(w) && (16..=8192).contains(h))
        .map(|(w, h)| UVec2::new(w, h))
        .ok_or_else(|| format!("--size {text}: give width and height in pixels, 16 to 8192, such as --size 1280x800"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_numbers_of_pixels() {
        assert_eq!(pixels("640x480"), Ok(UVec2::new(640, 480)));
        for wrong in ["640", "x", "0x480", "640x99999", "-1x20"] {
            assert!(pixels(wrong).is_err(), "{wrong}");
        }
    }
}
