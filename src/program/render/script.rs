//! A script for `carom render`, read from a RON file: mouse and key actions to perform while frames are drawn.

use std::iter::repeat_n;

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput, NativeKey},
        mouse::MouseButtonInput,
    },
    prelude::*,
    window::{CursorMoved, PrimaryWindow, WindowEvent, WindowResolution},
};
use bevy_egui::{EguiContext, EguiContexts, EguiPrimaryContextPass, egui, input::WindowToEguiContextMap};
use serde::Deserialize;
use tr::tr;

use super::{Resolution, Show, Staging};
use crate::{
    collision::LIMIT,
    program::{
        run::{Ready, Start, Unready},
        settings::Setting,
    },
    ron_text,
    ron_text::{SyntaxError, in_one_line},
    scene::{SceneError, SceneSource, is_scene_text},
    view::{Insets, Language, Theme, ThemeChoice, Views, main_view, words::labels::Pen},
};

/// The most frames of a take.
const MAX_FRAMES: f64 = 3000.0;

/// What is wrong with a take of more than [`MAX_FRAMES`].
const TOO_LONG: &str = "3000 frames are the most; make it shorter";

/// An animation: takes side by side, which are ready to begin.
pub(in crate::program) struct Script {
    /// The size and the frames of the animation.
    pub(in crate::program) format: Format,
    /// The takes, from left to right.
    pub(super) takes: Vec<Take>,
}

/// The size and the frames of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::program) struct Format {
    /// The size of a take, pixels.
    size: UVec2,
    /// Frames per second.
    frame_rate: f64,
    /// The number of takes.
    pub(in crate::program) takes: usize,
    /// The number of frames. All takes last as long as the longest one.
    pub(in crate::program) frames: usize,
}

/// A scene and the actions in it.
pub(super) struct Take {
    /// The scene at the start.
    pub(super) ready: Ready,
    /// The action in each frame.
    pub(super) steps: Steps,
    /// Whether to write the title of the scene above it.
    captioned: bool,
    /// Displays besides the discs.
    show: Vec<Show>,
    /// Whether to draw the whole window, with the panel.
    pub(super) window: bool,
    /// Whether predicted paths stay visible after the shot.
    pub(super) keep_paths: bool,
}

/// The file of a script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFile {
    /// Width and height of a take, pixels.
    size: (u32, u32),
    /// Frames per second, 1 to 60.
    frame_rate: f64,
    /// The takes, from left to right.
    takes: Vec<TakeFile>,
}

/// A take in the file of a script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TakeFile {
    /// The scene, as on the command line; or the contents of a scene file, in parentheses.
    scene: String,
    /// Whether to write the title of the scene above it. Default: no.
    #[serde(default)]
    captioned: bool,
    /// Changes to the scene, as for `--set`. Default: none.
    #[serde(default)]
    set: Vec<String>,
    /// Displays besides the discs, as for `--show`. Default: none.
    #[serde(default)]
    show: Vec<String>,
    /// Whether to draw the whole window, with the panel. Default: no.
    #[serde(default)]
    window: bool,
    /// Whether predicted paths stay visible after the shot. Default: no.
    #[serde(default)]
    keep_paths: bool,
    /// The actions, in order.
    actions: Vec<Action>,
}

/// An action with mouse or keys. The simulation continues meanwhile.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
enum Action {
    /// Does nothing for this many seconds.
    Wait(f64),
    /// Moves the pointer to this place in this many seconds.
    Move(Spot, f64),
    /// Presses the left button.
    Press,
    /// Releases the left button.
    Release,
    /// Presses a key and releases it.
    Tap(KeyCode),
}

/// A place for the pointer.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq)]
enum Spot {
    /// A point of the table, metres.
    Table(f32, f32),
    /// A point of the window, logical pixels from its upper left corner.
    Window(f32, f32),
}

/// The action in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Rest,
    /// Moves this fraction of the remaining way.
    Toward(Spot, f32),
    Button(ButtonState),
    Key(KeyCode, ButtonState),
}

impl Script {
    /// Reads a script, and the scenes of its takes. Messages call it `name`.
    ///
    /// # Errors
    /// The script or one of its scenes is invalid. The message says in one line what is wrong and where.
    pub(in crate::program) fn parse(text: &str, name: &str) -> Result<Self, String> {
        let read = ron_text::read(text, &ron::Options::default(), "the script");
        let file: ScriptFile = read.map_err(|ron_text::Mistake { at, reason, .. }| format!("{name}:{at}: {reason}"))?;
        let problem = |field: &str, remedy: &str| Err(format!("{name}: {field}: {remedy}"));
        if !(1.0..=60.0).contains(&file.frame_rate) {
            return problem("frame_rate", "set it from 1 to 60");
        }
        let (width, height) = file.size;
        if ![width, height].iter().all(|side| (16..=4096).contains(side)) {
            return problem("size", "set both sides from 16 to 4096 pixels");
        }
        if file.takes.is_empty() || file.takes.len() > 4 {
            return problem("takes", "give one to four");
        }
        let take = |(i, take): (usize, &TakeFile)| {
            let read = take.read(file.frame_rate, name);
            read.map_err(|(field, reason)| format!("{name}: takes[{i}].{field}: {reason}"))
        };
        let takes = file.takes.iter().enumerate().map(take).collect::<Result<Vec<_>, _>>()?;
        let frames = takes.iter().map(|take| take.steps.0.len()).max().unwrap_or_default();
        let format = Format { size: UVec2::from(file.size), frame_rate: file.frame_rate, takes: takes.len(), frames };
        Ok(Self { format, takes })
    }
}

impl Format {
    /// The size of a take.
    pub(super) fn resolution(self) -> Resolution {
        Resolution { pixels: self.size, scale: 1.0 }
    }

    /// The size of a frame of the animation, pixels.
    pub(in crate::program) fn size(self) -> UVec2 {
        UVec2::new(self.size.x * self.takes as u32, self.size.y)
    }

    /// The duration of a frame, seconds.
    pub(in crate::program) fn frame_time(self) -> f64 {
        1.0 / self.frame_rate
    }
}

impl TakeFile {
    /// Reads the scene of this take in the script of this name.
    ///
    /// # Errors
    /// A field and what is wrong with it.
    fn read(&self, frame_rate: f64, script: &str) -> Result<Take, (&'static str, String)> {
        let steps = self.steps(frame_rate).map_err(|reason| ("actions", reason.to_owned()))?;
        let start = self.start(script).map_err(|reason| ("scene", reason))?;
        let settings = Setting::parse_all(&self.set).map_err(|reason| ("set", reason))?;
        let ready = Ready::read(&start, &settings, None).map_err(|unready| match unready {
            Unready::Setting(reason) => ("set", reason),
            // The place in the script is its name.
            Unready::Scene(SceneError::Syntax(SyntaxError { line, column, reason, .. }))
                if is_scene_text(&self.scene) =>
            {
                ("scene", format!("line {line}, column {column}: {reason}"))
            }
            Unready::Scene(SceneError::Value { invalid, .. }) if is_scene_text(&self.scene) => {
                ("scene", in_one_line(&invalid.to_string()))
            }
            other => ("scene", other.to_string()),
        })?;
        let show = self.show.iter().map(|text| Show::parse(text)).collect::<Result<_, _>>();
        let show = show.map_err(|reason| ("show", reason))?;
        if steps.0.is_empty() {
            return Err(("actions", "give at least one action that takes a frame, such as `Wait(1)`".to_owned()));
        }
        let &Self { captioned, window, keep_paths, .. } = self;
        Ok(Take { ready, steps, captioned, show, window, keep_paths })
    }

    /// The scene at the start, which has not been read.
    fn start(&self, script: &str) -> Result<Start, String> {
        if is_scene_text(&self.scene) {
            return Ok(Start::Within(script.into(), self.scene.clone()));
        }
        SceneSource::from_argument(&self.scene).map(Start::Scene).map_err(|error| error.to_string())
    }

    /// The action in each frame.
    ///
    /// # Errors
    /// An action has an invalid value, or there are too many frames.
    fn steps(&self, frame_rate: f64) -> Result<Steps, &'static str> {
        let times = self.actions.iter().filter_map(|action| match action {
            Action::Wait(seconds) | Action::Move(_, seconds) => Some(*seconds),
            _ => None,
        });
        if !times.clone().all(|seconds| (0.0..=600.0).contains(&seconds)) {
            return Err("set every time from 0 to 600 seconds");
        }
        // Before the list of steps is built, which would be as long.
        if times.sum::<f64>() * frame_rate > MAX_FRAMES {
            return Err(TOO_LONG);
        }
        let is_near = |action: &Action| match action {
            Action::Move(Spot::Table(x, y) | Spot::Window(x, y), _) => x.abs() <= LIMIT && y.abs() <= LIMIT,
            _ => true,
        };
        if !self.actions.iter().all(is_near) {
            return Err("set every place to finite coordinates within 1e12");
        }
        let mut steps = Vec::new();
        let frames = |seconds: f64| (seconds * frame_rate).round() as usize;
        for action in &self.actions {
            match *action {
                Action::Wait(seconds) => steps.extend(repeat_n(Step::Rest, frames(seconds))),
                Action::Move(spot, seconds) => {
                    let frames = frames(seconds).max(1);
                    let eased = |frame: usize| {
                        let share = frame as f32 / frames as f32;
                        share * share * (3.0 - 2.0 * share)
                    };
                    // Each step moves a fraction of the remaining way.
                    let share = |frame| (eased(frame + 1) - eased(frame)) / (1.0 - eased(frame));
                    steps.extend((0..frames).map(|frame| Step::Toward(spot, share(frame))));
                }
                Action::Press => steps.push(Step::Button(ButtonState::Pressed)),
                Action::Release => steps.push(Step::Button(ButtonState::Released)),
                Action::Tap(key) => {
                    steps.extend([ButtonState::Pressed, ButtonState::Released].map(|state| Step::Key(key, state)));
                }
            }
        }
        // Presses and taps take frames as well.
        if steps.len() as f64 > MAX_FRAMES { Err(TOO_LONG) } else { Ok(Steps(steps)) }
    }
}

impl Take {
    /// Writes the title of the scene above it, if this take has one.
    pub(super) fn add_caption(&self, app: &mut App) {
        if self.captioned {
            app.insert_resource(Caption(self.ready.scene.file.title.clone()));
            app.add_systems(EguiPrimaryContextPass, write_caption);
        }
    }

    /// How it is displayed.
    pub(super) fn staging(&self, theme: ThemeChoice) -> Staging {
        Staging {
            theme,
            language: Language::English,
            show: self.show.clone(),
            window: self.window,
            ..Staging::default()
        }
    }
}

/// The action in each frame.
pub(super) struct Steps(Vec<Step>);

/// A simulated hand: it writes the messages that a window writes for mouse and keys.
#[derive(Resource, Clone, Copy, Debug)]
pub(super) struct Hand {
    window: Entity,
    /// Logical pixels.
    pointer: Vec2,
    /// Whether it has moved: before, it is not drawn.
    is_seen: bool,
    is_down: bool,
}

impl Hand {
    /// Adds a window of this size for mouse and keys to an app that draws into an image.
    pub(super) fn attach(app: &mut App, Resolution { pixels, scale }: Resolution) {
        let mut resolution = WindowResolution::new(pixels.x, pixels.y);
        resolution.set_scale_factor(scale);
        let world = app.world_mut();
        let window = world.spawn((Window { resolution, ..Window::default() }, PrimaryWindow)).id();
        let contexts: Vec<Entity> = world.query_filtered::<Entity, With<EguiContext>>().iter(world).collect();
        let mut map = world.resource_mut::<WindowToEguiContextMap>();
        for context in contexts {
            map.window_to_contexts.entry(window).or_default().insert(context);
            map.context_to_window.insert(context, window);
        }
        let pointer = pixels.as_vec2() / scale * Vec2::new(0.5, 0.9);
        world.insert_resource(Self { window, pointer, is_seen: false, is_down: false });
        app.add_systems(EguiPrimaryContextPass, draw_pointer);
    }

    /// Performs the action of this frame. Does nothing after the last one.
    pub(super) fn act(app: &mut App, steps: &Steps, frame: usize) {
        let world = app.world_mut();
        let Some(&Self { window, pointer, .. }) = world.get_resource::<Self>() else { return };
        match steps.0.get(frame).copied().unwrap_or(Step::Rest) {
            Step::Rest => {}
            Step::Toward(spot, share) => {
                let there = match spot {
                    Spot::Window(x, y) => Vec2::new(x, y),
                    Spot::Table(x, y) => {
                        let place = Vec2::new(x, y);
                        main_view(world).map_or(pointer, |view| view.to_screen(place))
                    }
                };
                let position = pointer.lerp(there, share);
                let mut hand = world.resource_mut::<Self>();
                (hand.pointer, hand.is_seen) = (position, true);
                if let Some(mut window) = world.get_mut::<Window>(window) {
                    window.set_cursor_position(Some(position));
                }
                let moved = CursorMoved { window, position, delta: Some(position - pointer) };
                world.write_message(moved.clone());
                world.write_message(WindowEvent::CursorMoved(moved));
            }
            Step::Button(state) => {
                world.resource_mut::<Self>().is_down = state.is_pressed();
                let input = MouseButtonInput { button: MouseButton::Left, state, window };
                world.write_message(input);
                world.write_message(WindowEvent::MouseButtonInput(input));
            }
            Step::Key(key_code, state) => {
                let logical_key = Key::Unidentified(NativeKey::Unidentified);
                let input = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
                world.write_message(input.clone());
                world.write_message(WindowEvent::KeyboardInput(input));
            }
        }
    }
}

/// The text above a take.
#[derive(Resource)]
struct Caption(String);

/// The height reserved for a caption, and below the scene for the scale bar, logical pixels.
const CAPTION_ROOM: f32 = 42.0;

fn write_caption(
    mut contexts: EguiContexts,
    (views, theme, caption): (Views, Res<Theme>, Res<Caption>),
    mut insets: ResMut<Insets>,
) {
    let view = views.main();
    insets.set_words("caption", [CAPTION_ROOM; 2]);
    if let Some(pen) = Pen::new(&mut contexts, view, &theme) {
        let title = &caption.0[..];
        let middle = Vec2::new(view.area.center().x, view.area.min.y + CAPTION_ROOM / 2.0);
        pen.line(middle, 20.0, &tr!(title), theme.text.first);
    }
}

/// The outline of the pointer, logical pixels from its tip. It is star-shaped around the tip, so a triangle fan fills
/// it.
const POINTER: [[f32; 2]; 7] =
    [[0.0, 0.0], [0.0, 17.0], [4.0, 13.4], [6.6, 19.4], [9.4, 18.2], [6.8, 12.4], [12.2, 12.0]];

/// The ring around a pointer whose button is down, logical pixels.
const PRESSED_RING: f32 = 11.0;

fn draw_pointer(mut contexts: EguiContexts, hand: Res<Hand>) -> Result {
    if !hand.is_seen {
        return Ok(());
    }
    let layer = egui::LayerId::new(egui::Order::Debug, egui::Id::new("scripted pointer"));
    let painter = contexts.ctx_mut()?.layer_painter(layer);
    let at = |[x, y]: [f32; 2]| egui::pos2(hand.pointer.x + x, hand.pointer.y + y);
    if hand.is_down {
        let ring = egui::Stroke::new(2.5, egui::Color32::from_rgb(255, 196, 64));
        painter.circle_stroke(at([0.0, 0.0]), PRESSED_RING, ring);
    }
    let outline = egui::Stroke::new(1.2, egui::Color32::BLACK);
    painter.add(egui::Shape::convex_polygon(POINTER.map(at).to_vec(), egui::Color32::WHITE, outline));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(actions: &str) -> Script {
        let text = format!("(size: (320, 200), frame_rate: 10, takes: [(scene: \"gas\", actions: [{actions}])])");
        Script::parse(&text, "s.ron").unwrap()
    }

    #[test]
    fn actions_take_as_many_frames_as_they_last() {
        let script = script("Wait(0.5), Press, Move(Table(1, 2), 0.3), Release, Tap(KeyL)");
        let [take] = &script.takes[..] else { panic!("one take") };
        let Steps(steps) = &take.steps;
        assert_eq!(steps.len(), 5 + 1 + 3 + 1 + 2);
        assert_eq!(script.format.frames, steps.len());
        assert!(!take.captioned);
        assert_eq!(steps[4..6], [Step::Rest, Step::Button(ButtonState::Pressed)]);
        assert_eq!(steps[8], Step::Toward(Spot::Table(1.0, 2.0), 1.0), "the last step arrives");
    }

    #[test]
    fn what_is_wrong_with_a_script_is_named_with_its_place() {
        let take = |inner: &str| format!("(size: (320, 200), frame_rate: 10, takes: [({inner})])");
        for (text, expected) in [
            ("(size: (320, 200), frame_rate: 10, takes: [])".to_owned(), "s.ron: takes: give one to four"),
            (take("scene: \"gas\", actions: []").replace("10", "0"), "s.ron: frame_rate: set it from 1 to 60"),
            (take("scene: \"gas\", actions: []").replace("320", "3"), "s.ron: size: set both sides"),
            (take("scene: \"gas\", actions: [Wait(-1)]"), "s.ron: takes[0].actions: set every time"),
            (take("scene: \"gas\", actions: [Wait(600)]"), "s.ron: takes[0].actions: 3000 frames"),
            (
                take(&format!("scene: \"gas\", actions: [{}]", "Press, ".repeat(3001))),
                "s.ron: takes[0].actions: 3000 frames",
            ),
            (take("scene: \"gas\", actions: [Move(Table(NaN, 0), 1)]"), "s.ron: takes[0].actions: set every place"),
            (take("scene: \"gas\", actions: [Move(Window(0, -inf), 1)]"), "s.ron: takes[0].actions: set every place"),
            (take("scene: \"gas\", actions: [Wait(0)]"), "s.ron: takes[0].actions: give at least one"),
            (take("scene: \"gaz\", actions: []"), "s.ron: takes[0].scene: "),
            (take("scene: \"(discs: 1)\", actions: []"), "s.ron: takes[0].scene: line 1, column 9: discs is 1; write"),
            (take("scene: \"(discs: [(radius: -1)])\", actions: []"), "s.ron: takes[0].scene: discs[0].radius is -1; "),
            (take("scene: \"missing.ron\", actions: []"), "s.ron: takes[0].scene: missing.ron: cannot be read"),
            (take("scene: \"gas\", set: [\"x\"], actions: []"), "s.ron: takes[0].set: --set x"),
            (
                take("scene: \"gas\", set: [\"restitution=2\"], actions: []"),
                "s.ron: takes[0].set: --set restitution=2: collision.restitution is 2; set it from 0 to 1",
            ),
            (
                take("scene: \"gas\", set: [\"restitution=0\", \"restitution=1\"], actions: []"),
                "s.ron: takes[0].set: --set restitution=1 and --set restitution=0: give one of them",
            ),
            (take("scene: \"gas\", show: [\"x\"], actions: []"), "s.ron: takes[0].show: --show x"),
            (take("scene: \"gas\", actions: [Hop]"), "s.ron:1:"),
        ] {
            let problem = Script::parse(&text, "s.ron").err().expect("it is wrong");
            assert!(problem.starts_with(expected), "{text}: {problem}");
        }
    }

    #[test]
    fn a_comment_may_precede_the_scene_of_a_take() {
        for before in ["", " ", "// a disc\n", "/* a /* single */ disc */ // (\n", "#![enable(implicit_some)]\n"] {
            let text = format!(
                "(size: (320, 200), frame_rate: 10, takes: [(scene: {:?}, actions: [Wait(1)])])",
                format!("{before}(title: \"one\", discs: [()])")
            );
            let script = Script::parse(&text, "s.ron").unwrap();
            assert_eq!(script.takes[0].ready.scene.file.title, "one");
        }
    }
}
