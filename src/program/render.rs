//! `carom render`: pictures of a scene without a window, on any graphics adapter, software too.

use std::{
    fs::File,
    io::{BufWriter, IsTerminal},
    path::{Path, PathBuf},
};

use bevy::{
    app::PluginsState,
    asset::RenderAssetUsages,
    camera::RenderTarget,
    image::Image,
    log::LogPlugin,
    prelude::*,
    render::{
        RenderPlugin,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::TextureFormat,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    window::ExitCondition,
    winit::WinitPlugin,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    play::{build_quietly, why_no_window},
    simulate::settings::Setting,
};
use crate::{
    PhysicsPlugins,
    scene::{self, ScenePlugin, SceneSource},
    timeline::{Playback, advance},
    view::{Eye, ThemeChoice, Themes, ViewCamera, ViewPlugin, ViewSettings},
};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub source: SceneSource,
    /// What to change in it.
    pub settings: Vec<Setting>,
    /// After how many ticks the (last) picture is taken.
    pub ticks: u64,
    /// A picture after every so many ticks; none: one picture.
    pub every: Option<u64>,
    /// Width and height, pixels.
    pub size: UVec2,
    /// Which set of colours it has.
    pub theme: ThemeChoice,
    /// The sets.
    pub themes: Themes,
    /// Where the picture goes (PNG); of a sequence, with the number of the tick before the ending.
    pub out: Option<PathBuf>,
    /// Where an animation goes, as GIF.
    pub gif: Option<PathBuf>,
    /// Where an animation goes, as animated PNG.
    pub apng: Option<PathBuf>,
}

/// How many updates a picture may take until it has come back from the graphics adapter.
const PATIENCE: usize = 600;

/// One picture: red, green, blue and opacity, a byte each, row by row.
struct Frame {
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
    let mut studio = Studio::open(request.size)?;
    studio.app.insert_resource(request.themes.clone());
    // A picture is of the scene as it is, not of a moment of the camera.
    let settings = ViewSettings { theme: request.theme, kick: false, ..ViewSettings::default() };
    studio.app.insert_resource(settings);
    scene::spawn(studio.app.world_mut(), request.source.clone(), file).map_err(|error| error.to_string())?;
    studio.app.world_mut().resource_mut::<Playback>().paused = true;
    // The view hears of the scene before time runs.
    studio.app.update();

    let every = request.every.unwrap_or(request.ticks.max(1)).max(1);
    let first = if request.every.is_some() { 0 } else { request.ticks };
    let moments: Vec<u64> = (first..=request.ticks).step_by(every as usize).collect();
    let seconds = every as f64 / rate;
    let mut gif = request.gif.as_deref().map(|path| Gif::create(path, request.size, seconds)).transpose()?;
    let mut apng =
        request.apng.as_deref().map(|path| Apng::create(path, request.size, moments.len(), seconds)).transpose()?;
    let bar = progress_bar(moments.len() as u64);
    let mut now = 0;
    for &moment in &moments {
        advance(studio.app.world_mut(), moment - now);
        now = moment;
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

fn progress_bar(frames: u64) -> ProgressBar {
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
struct Studio {
    app: App,
    image: Handle<Image>,
    size: UVec2,
}

/// The last picture that came back.
#[derive(Resource, Default)]
struct Taken(Option<Image>);

impl Studio {
    fn open(size: UVec2) -> Result<Self, String> {
        let mut app = build_quietly(|| {
            let mut app = App::new();
            app.add_plugins(
                DefaultPlugins
                    .build()
                    .disable::<WinitPlugin>()
                    .disable::<PipelinedRenderingPlugin>()
                    .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
                    .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() })
                    .set(LogPlugin { filter: super::play::LOG_FILTER.to_owned(), ..default() }),
            );
            app.add_plugins((PhysicsPlugins, ScenePlugin, ViewPlugin)).init_resource::<Taken>();
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
        let image = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
        let image = Image { asset_usage: RenderAssetUsages::default(), ..image };
        let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let world = app.world_mut();
        let cameras: Vec<Entity> = world.query_filtered::<Entity, With<ViewCamera>>().iter(world).collect();
        for camera in cameras {
            world.entity_mut(camera).insert(RenderTarget::from(image.clone()));
        }
        world.resource_mut::<Eye>().set_window(size.as_vec2());
        Ok(Self { app, image, size })
    }

    /// Takes a picture of the present state.
    fn take(&mut self) -> Result<Frame, String> {
        // The first shows what is there now; meanwhile the view follows the scene.
        self.app.update();
        self.app
            .world_mut()
            .spawn(Screenshot::image(self.image.clone()))
            .observe(|taken: On<ScreenshotCaptured>, mut into: ResMut<Taken>| into.0 = Some(taken.image.clone()));
        for _ in 0..PATIENCE {
            self.app.update();
            if let Some(image) = self.app.world_mut().resource_mut::<Taken>().0.take() {
                let picture =
                    image.try_into_dynamic().map_err(|error| format!("the picture is unreadable: {error}"))?;
                return Ok(Frame { pixels: picture.to_rgba8().into_raw(), size: self.size });
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

fn write_png(path: &Path, frame: &Frame) -> Result<(), String> {
    let mut encoder = png::Encoder::new(create(path)?, frame.size.x, frame.size.y);
    encoder.set_color(png::ColorType::Rgba);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&frame.pixels));
    written.map_err(|error| failed(path, &error))
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
        let mut pixels = frame.pixels.clone();
        let (width, height) = (gif_side(frame.size.x)?, gif_side(frame.size.y)?);
        // 1 is the most careful choice of colours, 30 the quickest.
        let mut picture = gif::Frame::from_rgba_speed(width, height, &mut pixels, 10);
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
