//! `carom render`: pictures of a scene without a window, on any graphics adapter, software too.

use std::{
    fs::File,
    io::{BufWriter, IsTerminal},
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{
    app::PluginsState,
    asset::RenderAssetUsages,
    camera::{ImageRenderTarget, RenderTarget},
    image::Image,
    log::{Level, LogPlugin},
    prelude::*,
    render::{
        RenderPlugin,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::TextureFormat,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    time::TimeUpdateStrategy,
    window::ExitCondition,
    winit::WinitPlugin,
};
use bevy_egui::EguiPlugin;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    play::{build_quietly, why_no_window},
    simulate::settings::Setting,
};
use crate::{
    PhysicsPlugins,
    body::{Ball, Position, StableId, Velocity},
    panel::PanelPlugin,
    scene::{self, CueBall, SceneFile, ScenePlugin, SceneSource},
    table::{Gesture, Preview, Strength, TablePlugin},
    timeline::advance,
    view::{ColourBy, Eye, ThemeChoice, Themes, ViewCamera, ViewPlugin, ViewSettings},
};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub source: SceneSource,
    /// What to change in it.
    pub settings: Vec<Setting>,
    /// What is drawn of it, and how.
    pub shot: Shot,
    /// After how many ticks the (last) picture is taken.
    pub ticks: u64,
    /// A picture after every so many ticks; none: one picture.
    pub every: Option<u64>,
    /// The canvas.
    pub canvas: CanvasSize,
    /// The sets of colours.
    pub themes: Themes,
    /// Where the picture goes (PNG); of a sequence, with the number of the tick before the ending.
    pub out: Option<PathBuf>,
    /// Where an animation goes, as GIF.
    pub gif: Option<PathBuf>,
    /// Where an animation goes, as animated PNG.
    pub apng: Option<PathBuf>,
}

/// How large a picture is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CanvasSize {
    /// Width and height, pixels.
    pub pixels: UVec2,
    /// Pixels of the picture to a pixel of the window's layout: 2 for a screen with twice as many.
    pub scale: f32,
}

/// How a scene is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shot {
    /// Which set of colours it has.
    pub theme: ThemeChoice,
    /// What is shown beside the discs.
    pub show: Vec<Show>,
    /// The whole window: title, panel and all.
    pub window: bool,
    /// With this velocity (m/s) the cue ball, or else the first disc, is shot at the start.
    pub strike: Option<Vec2>,
    /// With this velocity (m/s) the cue ball, or else the first disc, is aimed in the picture.
    pub aim: Option<Vec2>,
}

/// Something that a picture shows beside the discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Show {
    /// Velocity arrows on all discs.
    Arrows,
    /// Momentum arrows.
    Momenta,
    /// Hits along their normals.
    Hits,
    /// The cells and candidate pairs of the broad phase.
    Grid,
    /// Trails of so many seconds.
    Trails(f32),
    /// Discs coloured by something that is measured.
    Colour(ColourBy),
}

impl Show {
    /// Reads what `--show` takes.
    ///
    /// # Errors
    /// What is wrong, and what it takes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        match (name, value) {
            ("arrows", None) => Ok(Self::Arrows),
            ("momenta", None) => Ok(Self::Momenta),
            ("hits", None) => Ok(Self::Hits),
            ("grid", None) => Ok(Self::Grid),
            ("trails", Some(seconds)) => seconds
                .parse()
                .ok()
                .filter(|seconds| (0.0..=60.0).contains(seconds))
                .map(Self::Trails)
                .ok_or_else(|| format!("--show {text}: give a length in seconds, 0 to 60, such as trails=2")),
            ("colour", Some(by)) => {
                let found = ColourBy::ALL.into_iter().find(|(_, name)| name.ends_with(by) && !by.is_empty());
                let names = ColourBy::ALL.map(|(_, name)| name.rsplit(' ').next().unwrap_or(name)).join(", ");
                found.map(|(by, _)| Self::Colour(by)).ok_or_else(|| format!("--show {text}: give one of {names}"))
            }
            _ => Err(format!("--show {text}: give arrows, momenta, hits, grid, trails=SECONDS or colour=WHAT")),
        }
    }

    fn apply(self, settings: &mut ViewSettings) {
        match self {
            Self::Arrows => settings.arrows = true,
            Self::Momenta => settings.momentum = true,
            Self::Hits => settings.hits = true,
            Self::Grid => settings.grid = true,
            Self::Trails(seconds) => settings.trails = seconds,
            Self::Colour(by) => settings.colour_by = by,
        }
    }
}

/// How many updates a picture may take until it has come back from the graphics adapter.
const PATIENCE: usize = 600;

/// One picture: red, green, blue and opacity, a byte each, row by row.
pub(super) struct Frame {
    pixels: Vec<u8>,
    size: UVec2,
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
    let size = request.canvas.pixels;
    let mut studio = Studio::open(request.canvas, request.shot.window)?;
    studio.app.insert_resource(request.themes.clone());
    studio.set_up(request.source.clone(), file, &request.shot)?;

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
        studio.aim(request.shot.aim);
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

/// The program without a window: it draws into an image.
pub(super) struct Studio {
    app: App,
    target: RenderTarget,
    canvas: CanvasSize,
}

/// The last picture that came back.
#[derive(Resource, Default)]
struct Taken(Option<Image>);

impl Studio {
    /// Everything that draws, with the panel or without.
    ///
    /// # Errors
    /// In one line why nothing can be drawn here.
    pub(super) fn open(canvas: CanvasSize, panel: bool) -> Result<Self, String> {
        let mut app = build_quietly(|| {
            let mut app = App::new();
            let log = LogPlugin { level: Level::WARN, filter: super::play::LOG_FILTER.to_owned(), ..default() };
            let plugins = DefaultPlugins.build().set(log);
            // Of several studios only the first can have it.
            let heard = tracing::dispatcher::has_been_set();
            let plugins = if heard { plugins.disable::<LogPlugin>() } else { plugins };
            app.add_plugins(
                plugins
                    .disable::<WinitPlugin>()
                    .disable::<PipelinedRenderingPlugin>()
                    .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
                    .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() }),
            );
            app.add_plugins((EguiPlugin::default(), PhysicsPlugins, ScenePlugin, ViewPlugin, TablePlugin::default()));
            if panel {
                app.add_plugins(PanelPlugin);
            }
            // Time runs by ticks alone.
            app.init_resource::<Taken>().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
            while app.plugins_state() == PluginsState::Adding {
                bevy::tasks::tick_global_task_pools_on_main_thread();
            }
            app.finish();
            app.cleanup();
            app
        })
        .map_err(|reason| format!("{}; carom simulate draws paths without one: --svg", why_no_window(&reason)))?;
        // The camera comes with the first update.
        app.update();
        let CanvasSize { pixels, scale } = canvas;
        let image = Image::new_target_texture(pixels.x, pixels.y, TextureFormat::Rgba8UnormSrgb, None);
        let image = Image { asset_usage: RenderAssetUsages::default(), ..image };
        let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let target = RenderTarget::Image(ImageRenderTarget { handle: image, scale_factor: scale });
        let world = app.world_mut();
        let cameras: Vec<Entity> = world.query_filtered::<Entity, With<ViewCamera>>().iter(world).collect();
        for camera in cameras {
            world.entity_mut(camera).insert(target.clone());
        }
        world.resource_mut::<Eye>().set_window(pixels.as_vec2() / scale);
        // The panel's library learns of the size of the image, the panel takes its place, and the eye what is left.
        for _ in 0..3 {
            app.update();
        }
        Ok(Self { app, target, canvas })
    }

    /// Begins a scene that is looked at in this way.
    ///
    /// # Errors
    /// In one line what is wrong with the scene.
    pub(super) fn set_up(&mut self, source: SceneSource, file: SceneFile, shot: &Shot) -> Result<(), String> {
        let world = self.app.world_mut();
        // A picture is of the scene as it is, not of a moment of the camera.
        let settings = ViewSettings {
            theme: shot.theme,
            kick: false,
            interpolate: false,
            overlay: shot.window,
            ..ViewSettings::default()
        };
        world.insert_resource(settings);
        *world.resource_mut::<Gesture>() = Gesture::Idle;
        scene::spawn(world, source, file).map_err(|error| error.to_string())?;
        if let Some(velocity) = shot.strike {
            let struck = self.struck();
            self.app.world_mut().entity_mut(struck.ok_or("there is no disc to shoot")?).insert(Velocity(velocity));
        }
        // The view hears of the scene before time runs.
        self.app.update();
        let mut settings = self.app.world_mut().resource_mut::<ViewSettings>();
        for show in &shot.show {
            show.apply(&mut settings);
        }
        Ok(())
    }

    /// The disc that is shot: the cue ball, or else the first by its number.
    fn struck(&mut self) -> Option<Entity> {
        let world = self.app.world_mut();
        let mut discs = world.query_filtered::<(Entity, &StableId, Has<CueBall>), With<Ball>>();
        discs.iter(world).min_by_key(|&(_, id, is_cue)| (!is_cue, *id)).map(|(entity, ..)| entity)
    }

    /// Lets time run.
    pub(super) fn advance(&mut self, ticks: u64) {
        advance(self.app.world_mut(), ticks);
    }

    /// Aims, and waits until the preview is whole.
    pub(super) fn aim(&mut self, velocity: Option<Vec2>) {
        let (Some(velocity), Some(disc)) = (velocity, self.struck()) else { return };
        let world = self.app.world_mut();
        let Some(&Position(grab)) = world.get::<Position>(disc) else { return };
        let strength = Strength::now(world);
        let pointer = grab - velocity / strength.per_metre;
        *world.resource_mut::<Gesture>() = Gesture::Aiming { disc, grab, pointer, may_shoot: true };
        for _ in 0..PATIENCE {
            self.app.update();
            if self.app.world().resource::<Preview>().seen().is_some_and(|seen| seen.done) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Takes a picture of the present state.
    ///
    /// # Errors
    /// The graphics adapter gives none back.
    pub(super) fn take(&mut self) -> Result<Frame, String> {
        // The first shows what is there now; meanwhile the view follows the scene.
        self.app.update();
        self.app
            .world_mut()
            .spawn(Screenshot(self.target.clone()))
            .observe(|taken: On<ScreenshotCaptured>, mut into: ResMut<Taken>| into.0 = Some(taken.image.clone()));
        for _ in 0..PATIENCE {
            self.app.update();
            if let Some(image) = self.app.world_mut().resource_mut::<Taken>().0.take() {
                let picture =
                    image.try_into_dynamic().map_err(|error| format!("the picture is unreadable: {error}"))?;
                return Ok(Frame { pixels: picture.to_rgba8().into_raw(), size: self.canvas.pixels });
            }
        }
        Err("the graphics adapter gives no picture back; try another one (WGPU_ADAPTER_NAME)".to_owned())
    }
}

fn create(path: &Path) -> Result<BufWriter<File>, String> {
    let file = File::create(path);
    file.map(BufWriter::new).map_err(|error| format!("{}: cannot be written ({error})", path.display()))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: cannot be written ({error})", path.display())
}

/// Writes a picture as small as PNG can, without opacity, since everything is opaque.
///
/// # Errors
/// Which file cannot be written, and why.
pub(super) fn write_png(path: &Path, frame: &Frame) -> Result<(), String> {
    let mut encoder = png::Encoder::new(create(path)?, frame.size.x, frame.size.y);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let opaque: Vec<u8> = frame.pixels.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&opaque));
    written.map_err(|error| failed(path, &error))
}

/// Writes a picture in 256 colours of its own: a third of the size, for pages.
///
/// # Errors
/// Which file cannot be written, and why.
pub(super) fn write_small_png(path: &Path, frame: &Frame) -> Result<(), String> {
    let UVec2 { x, y } = frame.size;
    let indexed = indexed(frame, 3)?;
    let mut encoder = png::Encoder::new(create(path)?, x, y);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(indexed.palette.unwrap_or_default());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&indexed.buffer));
    written.map_err(|error| failed(path, &error))
}

/// A picture in the 256 colours that suit it best. From 1, the most careful choice, to 30, the quickest.
fn indexed(frame: &Frame, speed: i32) -> Result<gif::Frame<'static>, String> {
    let (width, height) = (gif_side(frame.size.x)?, gif_side(frame.size.y)?);
    Ok(gif::Frame::from_rgba_speed(width, height, &mut frame.pixels.clone(), speed))
}

/// An animation as GIF: 256 colours a picture, a hundredth of a second at least.
struct Gif {
    path: PathBuf,
    encoder: gif::Encoder<BufWriter<File>>,
    delay: u16,
}

/// GIF knows no larger sides.
fn gif_side(side: u32) -> Result<u16, String> {
    u16::try_from(side).map_err(|_| "--gif: a side may have at most 65535 pixels".to_owned())
}

impl Gif {
    fn create(path: &Path, size: UVec2, seconds: f64) -> Result<Self, String> {
        let (width, height) = (gif_side(size.x)?, gif_side(size.y)?);
        let encoder = gif::Encoder::new(create(path)?, width, height, &[]);
        let mut encoder = encoder.map_err(|error| failed(path, &error))?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| failed(path, &error))?;
        let delay = (seconds * 100.0).round().clamp(2.0, 65535.0) as u16;
        Ok(Self { path: path.to_owned(), encoder, delay })
    }

    fn add(&mut self, frame: &Frame) -> Result<(), String> {
        let mut picture = indexed(frame, 10)?;
        picture.delay = self.delay;
        self.encoder.write_frame(&picture).map_err(|error| failed(&self.path, &error))
    }
}

/// An animation as PNG: all colours.
struct Apng {
    path: PathBuf,
    writer: png::Writer<BufWriter<File>>,
}

impl Apng {
    fn create(path: &Path, size: UVec2, frames: usize, seconds: f64) -> Result<Self, String> {
        let mut encoder = png::Encoder::new(create(path)?, size.x, size.y);
        encoder.set_color(png::ColorType::Rgba);
        let milliseconds = (seconds * 1000.0).round().clamp(1.0, 65535.0) as u16;
        let writer = encoder
            .set_animated(frames as u32, 0)
            .and_then(|()| encoder.set_frame_delay(milliseconds, 1000))
            .and_then(|()| encoder.write_header())
            .map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.to_owned(), writer })
    }

    fn add(&mut self, frame: &Frame) -> Result<(), String> {
        self.writer.write_image_data(&frame.pixels).map_err(|error| failed(&self.path, &error))
    }

    fn finish(self) -> Result<(), String> {
        self.writer.finish().map_err(|error| failed(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_numbered_by_its_ticks() {
        assert_eq!(numbered(Path::new("a/b.png"), 42, 1000), PathBuf::from("a/b-0042.png"));
    }
}
