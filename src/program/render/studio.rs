//! The program without a window, which draws into an image.

use std::time::Duration;

use bevy::{
    app::PluginsState,
    asset::RenderAssetUsages,
    camera::{ImageRenderTarget, RenderTarget},
    image::Image,
    log::{Level, LogPlugin},
    prelude::*,
    render::{
        RenderPlugin,
        render_resource::TextureFormat,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    time::TimeUpdateStrategy,
    window::ExitCondition,
    winit::WinitPlugin,
};
use bevy_egui::EguiContext;

use super::{
    Resolution, Staging,
    script::{Format, Hand, Take},
};
use crate::{
    components::Position,
    games::{
        Match,
        plugin::{Beginning, CurrentMatch, MatchCommand, MatchPlugin, Seat},
    },
    hud::{HudPlugin, StartPage, StartPagePlugin},
    input::{Aim, CueSettings, Gesture, Preview, PreviewLength, PreviewSettings, Strength},
    interpolation::InterpolationSettings,
    number::decimals,
    panel::PanelPlugin,
    program::{
        image_files::Frame,
        no_window::build_quietly,
        play::{LOG_FILTER, add_table, looks, no_asset_folder},
        run::{Begun, Ready},
        strike::{Shot, Tip, disc_to_shoot},
    },
    scene::HotReload,
    timeline::advance,
    view::{ThemeChoice, Themes, ViewCamera, ViewSettings, words::overlay::Hint},
};

/// The most updates until an image arrives from the GPU.
const PATIENCE: usize = 600;

/// The number of updates before aiming, by which an aim has settled.
const SETTLED: usize = 10;

/// The program without a window, which draws into an image.
pub(in crate::program) struct Studio {
    app: App,
    target: RenderTarget,
}

/// The last image that arrived.
#[derive(Resource, Default)]
struct Taken(Option<Image>);

impl Studio {
    /// All drawing, with or without the panel.
    ///
    /// # Errors
    /// Nothing can be drawn here. The message is one line.
    pub(in crate::program) fn open(resolution: Resolution, panel: bool) -> Result<Self, String> {
        let mut app = build_quietly(false, |app| {
            // Warnings about a scene and about omissions are printed at the end, in words for people.
            let filter = format!("{LOG_FILTER},carom::scene=off,carom::notice=off,carom::collision=off");
            let log = LogPlugin { level: Level::WARN, filter, ..default() };
            let plugins = DefaultPlugins.build().set(log);
            // Only the first of several studios can set it.
            let has_subscriber = tracing::dispatcher::has_been_set();
            let plugins = if has_subscriber { plugins.disable::<LogPlugin>() } else { plugins };
            #[cfg(not(target_arch = "wasm32"))]
            let plugins = plugins.disable::<bevy::render::pipelined_rendering::PipelinedRenderingPlugin>();
            app.add_plugins(
                plugins
                    .disable::<WinitPlugin>()
                    .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
                    .set(no_asset_folder())
                    .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() }),
            );
            add_table(app);
            if panel {
                app.add_plugins((PanelPlugin, HudPlugin, StartPagePlugin));
            } else {
                app.add_plugins(MatchPlugin);
            }
            // Time advances only by ticks.
            app.init_resource::<Taken>().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
            // An image shows the file as it was read.
            app.insert_resource(HotReload(false));
            while app.plugins_state() == PluginsState::Adding {
                #[cfg(not(target_arch = "wasm32"))]
                bevy::tasks::tick_global_task_pools_on_main_thread();
            }
            app.finish();
            app.cleanup();
        })
        .map_err(|reason| format!("{reason}; carom simulate draws paths without one: --svg"))?;
        // The camera is spawned in the first update.
        app.update();
        let Resolution { pixels, scale } = resolution;
        let image = Image::new_target_texture(pixels.x, pixels.y, TextureFormat::Rgba8UnormSrgb, None);
        let image = Image { asset_usage: RenderAssetUsages::default(), ..image };
        let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let target = RenderTarget::Image(ImageRenderTarget { handle: image, scale_factor: scale });
        let world = app.world_mut();
        let cameras: Vec<Entity> = world.query_filtered::<Entity, With<ViewCamera>>().iter(world).collect();
        for camera in cameras {
            world.entity_mut(camera).insert(target.clone());
        }
        // egui gets the size of the image, then the panel takes its room, and then the view takes the rest.
        for _ in 0..4 {
            app.update();
        }
        Ok(Self { app, target })
    }

    /// Draws a take of a script and passes each frame to `add`.
    ///
    /// # Errors
    /// A frame cannot be drawn, or `add` fails. The message is one line.
    pub(super) fn perform(
        format: Format,
        take: Take,
        (theme, themes): (ThemeChoice, &Themes),
        mut add: impl FnMut(Frame) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut studio = Self::open(format.resolution(), take.window)?;
        studio.paint_with(themes.clone());
        Hand::attach(&mut studio.app, format.resolution());
        take.add_caption(&mut studio.app);
        let staging = take.staging(theme);
        studio.set_up(take.ready, &staging)?;
        let world = studio.world();
        world.resource_mut::<PreviewSettings>().keep = take.keep_paths;
        // It tells a person what to press, and covers the discs.
        world.insert_resource(Hint::default());
        // Frames do not coincide with ticks here.
        world.resource_mut::<InterpolationSettings>().enabled = true;
        let time = Duration::from_secs_f64(format.frame_time());
        // By default, time advances by a quarter of a second per frame at most.
        world.resource_mut::<Time<Virtual>>().set_max_delta(time);
        for frame in 0..format.frames {
            Hand::act(&mut studio.app, &take.steps, frame);
            studio.app.insert_resource(TimeUpdateStrategy::ManualDuration(time));
            studio.app.update();
            studio.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
            studio.wait_for_preview();
            add(studio.take()?)?;
        }
        Ok(())
    }

    /// If a shot is being aimed, waits until its preview is complete.
    fn wait_for_preview(&mut self) {
        for _ in 0..PATIENCE {
            let world = self.app.world();
            let is_aimed = world.resource::<Aim>().shot.is_some_and(|shot| shot.start().is_some());
            if !is_aimed || world.resource::<Preview>().seen().is_some_and(|seen| seen.done) {
                return;
            }
            self.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sets both sets of colours.
    pub(super) fn paint_with(&mut self, themes: Themes) {
        self.app.insert_resource(themes);
    }

    /// The world being drawn.
    pub(in crate::program) fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Starts a scene with this staging, and its shot if there is one.
    ///
    /// # Errors
    /// The shot is not possible. The message is one line.
    pub(in crate::program) fn set_up(&mut self, scene: Ready, staging: &Staging) -> Result<Begun, String> {
        let world = self.look_at(staging);
        let begun = scene.begin(world)?;
        if let Some(aim) = staging.aim.filter(|aim| aim.tip.is_some()) {
            aim.disc("--aim", world)?;
        }
        // The view processes the scene before time advances.
        self.app.update();
        self.show(staging);
        Ok(begun)
    }

    /// Starts a match in its current state, which does not continue.
    ///
    /// # Errors
    /// Its table cannot be laid out. The message is one line.
    pub(in crate::program) fn set_up_match(&mut self, game: Match, staging: &Staging) -> Result<(), String> {
        let seats = [Seat::Person, Seat::Person];
        let beginning = Beginning::with_seats(game, seats).unkept();
        self.look_at(staging).write_message(MatchCommand::Begin(Box::new(beginning)));
        // The match starts, the view processes its scene, and then the panel makes room for its text.
        for _ in 0..4 {
            self.app.update();
        }
        self.show(staging);
        let laid_out = self.app.world().contains_resource::<CurrentMatch>();
        laid_out.then_some(()).ok_or_else(|| "the table of this match cannot be laid out".to_owned())
    }

    /// Opens or closes the start page over the running match.
    pub(in crate::program) fn open_start_page(&mut self, open: bool) {
        let world = self.app.world_mut();
        *world.resource_mut::<Gesture>() = Gesture::Idle;
        world.insert_resource(if open { StartPage::opened() } else { StartPage::default() });
        for _ in 0..4 {
            self.app.update();
        }
    }

    /// Shows the requested displays.
    fn show(&mut self, staging: &Staging) {
        let mut settings = self.app.world_mut().resource_mut::<ViewSettings>();
        for show in &staging.show {
            show.apply(&mut settings);
        }
    }

    /// Applies a staging.
    fn look_at(&mut self, staging: &Staging) -> &mut World {
        let world = self.app.world_mut();
        // Without time, nothing would ever fade in.
        for mut context in world.query::<&mut EguiContext>().iter_mut(world) {
            context.get_mut().all_styles_mut(|style| style.animation_time = 0.0);
        }
        // An image shows the scene itself, without camera effects.
        let settings = ViewSettings {
            theme: staging.theme,
            language: staging.language,
            shake: false,
            overlay: staging.window,
            ..looks()
        };
        world.insert_resource(settings);
        world.insert_resource(InterpolationSettings { enabled: false });
        *world.resource_mut::<Gesture>() = Gesture::Idle;
        // It also shows the complete prediction.
        world.resource_mut::<PreviewSettings>().length = PreviewLength::All;
        world
    }

    /// Advances time.
    pub(in crate::program) fn advance(&mut self, ticks: u64) {
        advance(self.app.world_mut(), ticks);
    }

    /// Aims, and waits until the preview is complete.
    ///
    /// # Errors
    /// The shot is not possible. The message is one line.
    pub(in crate::program) fn aim(&mut self, shot: Option<Shot>) -> Result<(), String> {
        let (Some(Shot { velocity, tip }), Ok(disc)) = (shot, disc_to_shoot(self.app.world_mut())) else {
            return Ok(());
        };
        let world = self.app.world_mut();
        let Some(&Position(grab)) = world.get::<Position>(disc) else { return Ok(()) };
        let strength = Strength::now(world);
        let pointer = grab - velocity / strength.per_metre;
        let Tip { side, top, elevation } = tip.unwrap_or_default();
        let mut cue = world.resource_mut::<CueSettings>();
        (cue.side, cue.top, cue.elevation) = (side as f32, top as f32, elevation as f32);
        *world.resource_mut::<Gesture>() = Gesture::Aiming { disc, grab, pointer, may_shoot: true };
        for update in 0..PATIENCE {
            self.app.update();
            let world = self.app.world();
            if world.resource::<Preview>().seen().is_some_and(|seen| seen.done) {
                return Ok(());
            }
            match world.resource::<Aim>().shot.map(|shot| shot.stroke) {
                Some(Some(Err(miscue))) => return Err(format!("--aim: {miscue}")),
                None if update >= SETTLED => {
                    let speed = decimals(f64::from(velocity.length()), 6);
                    return Err(format!("--aim: {speed} m/s is a pull too short to be seen; give a higher speed"));
                }
                _ => {}
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// Takes an image of the current state.
    ///
    /// # Errors
    /// The GPU returns none.
    pub(in crate::program) fn take(&mut self) -> Result<Frame, String> {
        // The first update renders the current state, while the view follows the scene.
        self.app.update();
        self.app
            .world_mut()
            .spawn(Screenshot(self.target.clone()))
            .observe(|taken: On<ScreenshotCaptured>, mut into: ResMut<Taken>| into.0 = Some(taken.image.clone()));
        for _ in 0..PATIENCE {
            self.app.update();
            if let Some(image) = self.app.world_mut().resource_mut::<Taken>().0.take() {
                return Frame::of(image, None, false).map_err(|error| format!("the picture is unreadable: {error}"));
            }
        }
        Err("the graphics adapter gives no picture back; try another one (WGPU_ADAPTER_NAME)".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::{Viewport as Part, visibility::RenderLayers};

    use super::*;
    use crate::{
        components::{Disc, Radius},
        program::render::script::Script,
        scene::DiscLook,
        view::{Insets, View2d, main_view},
    };

    /// A studio with images of 400 by 200 pixels, or `None` without a graphics adapter.
    fn studio() -> Option<Studio> {
        match Studio::open(Resolution { pixels: uvec2(400, 200), scale: 1.0 }, false) {
            Ok(mut studio) => {
                studio.world().insert_resource(ViewSettings { overlay: false, ..looks() });
                Some(studio)
            }
            Err(reason) => {
                assert!(std::env::var_os("CAROM_MUST_DRAW").is_none(), "{reason}");
                println!("skipped: {reason}");
                None
            }
        }
    }

    /// A disc of a metre at the origin, in this colour.
    fn disc(studio: &mut Studio, [red, green, blue]: [u8; 3]) -> Entity {
        let look = DiscLook { colour: Some(Color::srgb_u8(red, green, blue)), ..default() };
        studio.world().spawn((Disc, Radius(1.0), look)).id()
    }

    /// Gives the main camera the left half of the image. Gives another camera with these layers the right half, showing
    /// this part of the world.
    fn split(studio: &mut Studio, layers: RenderLayers, bounds: Rect) -> [Entity; 2] {
        let half = |x| Some(Part { physical_position: uvec2(x, 0), physical_size: uvec2(200, 200), ..default() });
        let target = studio.target.clone();
        let world = studio.world();
        let left = world.query_filtered::<Entity, With<ViewCamera>>().single(world).unwrap();
        world.get_mut::<Camera>(left).unwrap().viewport = half(0);
        let camera = Camera { order: 1, viewport: half(200), clear_color: ClearColorConfig::None, ..default() };
        let right = world.spawn((ViewCamera, camera, target, layers, View2d::showing(bounds))).id();
        [left, right]
    }

    fn pixel(picture: &Frame, x: usize, y: usize) -> [u8; 3] {
        let at = 4 * (y * 400 + x);
        [0, 1, 2].map(|channel| picture.pixels[at + channel])
    }

    fn is_near(a: [u8; 3], b: [u8; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 3)
    }

    #[test]
    fn an_opaque_mesh_is_seen_over_what_lies_below_it_and_not_through_what_lies_above() {
        let Some(mut studio) = studio() else { return };
        disc(&mut studio, GREEN);
        let before = studio.take().unwrap();
        let world = studio.world();
        let mesh = world.resource_mut::<Assets<Mesh>>().add(Rectangle::new(1.0, 1.0));
        let [red, green, blue] = RED;
        let opaque = Color::srgb_u8(red, green, blue);
        let material = world.resource_mut::<Assets<ColorMaterial>>().add(opaque);
        let looks = (Mesh2d(mesh), MeshMaterial2d(material));
        // On the floor, beside the disc, and on the disc: below, at the same height, above.
        let beside = world.spawn((looks.clone(), Transform::from_xyz(2.0, 0.0, 0.0))).id();
        let upon = world.spawn((looks, Transform::from_xyz(0.0, 0.0, 4.0))).id();
        let scale = main_view(world).unwrap().pixels_per_metre;
        let at = |x: f32| (200.0 + x * scale) as usize;
        assert!(is_near(pixel(&before, at(0.0), 100), GREEN) && !is_near(pixel(&before, at(2.0), 100), RED));
        for (height, is_seen) in [(4.0, false), (4.9, false), (5.0, true), (5.5, true), (7.0, true)] {
            studio.world().get_mut::<Transform>(upon).unwrap().translation.z = height;
            studio.world().get_mut::<Transform>(beside).unwrap().translation.z = height - 4.0;
            let picture = studio.take().unwrap();
            let [in_the_middle, beside] = [0.0, 2.0].map(|x| pixel(&picture, at(x), 100));
            assert!(is_near(in_the_middle, if is_seen { RED } else { GREEN }), "{height}: {in_the_middle:?}");
            assert!(is_near(beside, RED), "{height}: {beside:?}");
        }
    }

    /// The frames of a script's only take.
    fn frames(text: &str) -> Vec<Frame> {
        let Script { format, mut takes } = Script::parse(text, "s.ron").unwrap();
        let mut frames = Vec::new();
        let themes = Themes::default();
        let perform = Studio::perform(format, takes.remove(0), (ThemeChoice::Dark, &themes), |frame| {
            frames.push(frame);
            Ok(())
        });
        perform.unwrap();
        frames
    }

    #[test]
    fn a_caption_is_written_above_the_scene() {
        if studio().is_none() {
            return;
        }
        // Letters are the only bright things in the upper fifth.
        let bright_pixels = |captioned: bool| {
            let scene = "(title: \"Stepped\", terrain: [(shape: Arena(half_size: (2, 1)))])";
            let take = format!("(captioned: {captioned}, scene: {scene:?}, actions: [Wait(1)])");
            let mut frames = frames(&format!("(size: (320, 200), frame_rate: 1, takes: [{take}])"));
            let pixels = frames.pop().unwrap().pixels;
            pixels[..4 * 320 * 40].chunks(4).filter(|pixel| pixel[..3].iter().all(|&channel| channel > 150)).count()
        };
        let [without, with] = [false, true].map(bright_pixels);
        assert!(without == 0 && with > 50, "{without} and {with}");
    }

    #[test]
    fn a_script_of_few_frames_per_second_takes_as_long_as_one_of_many() {
        if studio().is_none() {
            return;
        }
        let last_frame = |rate: u32| {
            let text = format!(
                "(size: (320, 200), frame_rate: {rate}, takes: [(scene: {:?}, actions: [Wait(2)])])",
                "(discs: [(velocity: (1, 0))], camera: At(centre: (0, 0), height: 9))"
            );
            let mut frames = frames(&text);
            assert_eq!(frames.len(), 2 * rate as usize);
            frames.pop().unwrap().pixels
        };
        assert!(last_frame(1) == last_frame(8), "the disc is elsewhere");
    }

    const RED: [u8; 3] = [200, 30, 40];
    const GREEN: [u8; 3] = [30, 180, 60];

    #[test]
    fn two_cameras_show_different_pictures_each_at_its_own_scale() {
        let Some(mut studio) = studio() else { return };
        disc(&mut studio, RED);
        let cameras = split(&mut studio, RenderLayers::default(), Rect::new(-50.0, -50.0, 50.0, 50.0));
        let picture = studio.take().unwrap();
        assert!(is_near(pixel(&picture, 100, 100), RED) && is_near(pixel(&picture, 300, 100), RED));
        // Close up it fills most of its half, from afar it is a dot.
        let width = |from: usize| (from..from + 200).filter(|&x| is_near(pixel(&picture, x, 100), RED)).count();
        let (left, right) = (width(0), width(200));
        assert!(left > 100 && (2..10).contains(&right), "{left} and {right} pixels");
        let scales = cameras.map(|camera| studio.world().get::<View2d>(camera).unwrap().pixels_per_metre);
        assert!(scales[0] > 10.0 * scales[1], "{scales:?}");
    }

    #[test]
    fn a_camera_shows_what_lies_on_its_layers_and_is_visible() {
        let Some(mut studio) = studio() else { return };
        let here = disc(&mut studio, RED);
        split(&mut studio, RenderLayers::layer(1), Rect::new(-3.0, -3.0, 3.0, 3.0));
        let middles = |studio: &mut Studio| {
            let picture = studio.take().unwrap();
            [pixel(&picture, 100, 100), pixel(&picture, 300, 100)]
        };
        let [left, right] = middles(&mut studio);
        assert!(
            is_near(left, RED) && !is_near(right, RED),
            "what names no layer lies on the first: {left:?} {right:?}"
        );
        let there = disc(&mut studio, GREEN);
        studio.world().entity_mut(there).insert(RenderLayers::layer(1));
        let [left, right] = middles(&mut studio);
        assert!(is_near(left, RED) && is_near(right, GREEN), "{left:?} {right:?}");
        // On both layers; the second disc lies on top.
        studio.world().entity_mut(here).insert(RenderLayers::from_layers(&[0, 1]));
        studio.world().entity_mut(there).insert(Visibility::Hidden);
        let [left, right] = middles(&mut studio);
        assert!(is_near(left, RED) && is_near(right, RED), "{left:?} {right:?}");
        // A hidden parent hides its child.
        let parent = studio.world().spawn((Transform::default(), Visibility::Hidden)).id();
        studio.world().entity_mut(here).insert((ChildOf(parent), Visibility::Inherited));
        let [left, right] = middles(&mut studio);
        assert!(!is_near(left, RED) && !is_near(right, RED), "{left:?} {right:?}");
        studio.world().entity_mut(there).insert(Visibility::Visible);
        let [left, right] = middles(&mut studio);
        assert!(!is_near(left, RED) && is_near(right, GREEN), "{left:?} {right:?}");
    }

    #[test]
    fn the_camera_of_the_engine_and_the_view_agree_in_every_frame() {
        let Some(mut studio) = studio() else { return };
        disc(&mut studio, RED);
        let cameras = split(&mut studio, RenderLayers::default(), Rect::new(-5.0, 2.0, 3.0, 4.0));
        for frame in 0..6 {
            let world = studio.world();
            let mut view = main_view(world).unwrap();
            match frame {
                1 => view.zoom_at(vec2(30.0, 70.0), 1.7),
                2 => view.pan(vec2(20.0, -9.0)),
                3 => {
                    let mut insets = world.resource_mut::<Insets>();
                    insets.leave_free(cameras[0], Rect::new(0.0, 0.0, 150.0, 180.0));
                }
                4 => world.get_mut::<Camera>(cameras[1]).unwrap().viewport.as_mut().unwrap().physical_size.x = 120,
                _ => {}
            }
            studio.app.update();
            for camera in cameras {
                let world = studio.world();
                let (view, lens) = (world.get::<View2d>(camera).unwrap(), world.get::<Camera>(camera).unwrap());
                let transform = world.get::<GlobalTransform>(camera).unwrap();
                for point in [Vec2::ZERO, vec2(1.5, -0.5)] {
                    let there = lens.world_to_viewport(transform, point.extend(0.0)).unwrap();
                    let here = view.to_screen(point) - view.frame().min;
                    // Bevy's coordinates are relative to the window even if the camera fills only part of it.
                    let there = there - lens.logical_viewport_rect().unwrap().min;
                    assert!(here.distance(there) < 0.1, "frame {frame}: {here} and {there}");
                }
            }
        }
    }
}
