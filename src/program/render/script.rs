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

use super::{Resolution, Show, Staging};
use crate::{
    collision::LIMIT,
    program::{run::Start, settings::Setting},
    ron_text,
    scene::{SceneFile, SceneSource},
    view::{Language, ThemeChoice, main_view},
};

/// The most frames of a take.
const MAX_FRAMES: f64 = 3000.0;

/// An animation: takes side by side. Each shows a scene and the actions in it.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The name of the script in messages.
    #[serde(skip)]
    name: String,
    /// Width and height of a take, pixels.
    size: (u32, u32),
    /// Frames per second, 1 to 60.
    frame_rate: f64,
    /// The takes, from left to right. All last as long as the longest one.
    takes: Vec<Take>,
}

/// A scene and the actions in it.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The scene, as on the command line; or the contents of a scene file, in parentheses.
    scene: String,
    /// Changes to the scene, as for `--set`. Default: none.
    #[serde(default)]
    set: Vec<String>,
    /// Displays besides the discs, as for `--show`. Default: none.
    #[serde(default)]
    show: Vec<String>,
    /// Whether to draw the whole window, with the panel. Default: no.
    #[serde(default)]
    pub window: bool,
    /// Whether predicted paths stay visible after the shot. Default: no.
    #[serde(default)]
    pub keep_paths: bool,
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
    /// Reads a script. Messages call it `name`.
    ///
    /// # Errors
    /// The script is invalid. The message says in one line what is wrong and where.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let read = ron_text::read(text, &ron::Options::default(), "the script");
        let script: Self = read.map_err(|ron_text::Mistake { at, reason, .. }| format!("{name}:{at}: {reason}"))?;
        let script = Self { name: name.to_owned(), ..script };
        let problem = |field: &str, remedy: &str| Err(format!("{name}: {field}: {remedy}"));
        if !(1.0..=60.0).contains(&script.frame_rate) {
            return problem("frame_rate", "set it from 1 to 60");
        }
        let (width, height) = script.size;
        if ![width, height].iter().all(|side| (16..=4096).contains(side)) {
            return problem("size", "set both sides from 16 to 4096 pixels");
        }
        if script.takes.is_empty() || script.takes.len() > 4 {
            return problem("takes", "give one to four");
        }
        for (i, take) in script.takes.iter().enumerate() {
            let place = |field: &str| format!("takes[{i}].{field}");
            let times = take.actions.iter().filter_map(|action| match action {
                Action::Wait(seconds) | Action::Move(_, seconds) => Some(*seconds),
                _ => None,
            });
            if !times.clone().all(|seconds| (0.0..=600.0).contains(&seconds)) {
                return problem(&place("actions"), "set every time from 0 to 600 seconds");
            }
            // Before the list of steps is built, which would be as long.
            if times.sum::<f64>() * script.frame_rate > MAX_FRAMES {
                return problem(&place("actions"), "3000 frames are the most; make it shorter");
            }
            // Presses and taps take frames as well.
            let frames = script.steps(take).0.len();
            if frames as f64 > MAX_FRAMES {
                return problem(&place("actions"), "3000 frames are the most; make it shorter");
            }
            let is_near = |action: &Action| match action {
                Action::Move(Spot::Table(x, y) | Spot::Window(x, y), _) => x.abs() <= LIMIT && y.abs() <= LIMIT,
                _ => true,
            };
            if !take.actions.iter().all(is_near) {
                return problem(&place("actions"), "set every place to finite coordinates within 1e12");
            }
            take.start(name).map_err(|error| format!("{name}: {}: {error}", place("scene")))?;
            take.settings().map_err(|error| format!("{name}: {}: {error}", place("set")))?;
            take.staging(ThemeChoice::Dark).map_err(|error| format!("{name}: {}: {error}", place("show")))?;
            if frames == 0 {
                return problem(&place("actions"), "give at least one action that takes a frame, such as `Wait(1)`");
            }
        }
        Ok(script)
    }

    /// The name of the script in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The size of a take.
    pub(super) fn resolution(&self) -> Resolution {
        Resolution { pixels: UVec2::from(self.size), scale: 1.0 }
    }

    /// The size of a frame of the animation, pixels.
    pub(in crate::program) fn size(&self) -> UVec2 {
        UVec2::new(self.size.0 * self.takes.len() as u32, self.size.1)
    }

    /// The duration of a frame, seconds.
    pub(in crate::program) fn frame_time(&self) -> f64 {
        1.0 / self.frame_rate
    }

    /// The takes, from left to right.
    pub(in crate::program) fn takes(&self) -> &[Take] {
        &self.takes
    }

    /// The actions in each frame of a take.
    pub(super) fn steps(&self, take: &Take) -> Steps {
        let mut steps = Vec::new();
        let frames = |seconds: f64| (seconds * self.frame_rate).round() as usize;
        for action in &take.actions {
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
        Steps(steps)
    }

    /// The number of frames of the animation.
    pub(in crate::program) fn frames(&self) -> usize {
        self.takes.iter().map(|take| self.steps(take).0.len()).max().unwrap_or_default()
    }
}

impl Take {
    /// The initial scene. Messages call the script `name`.
    pub(super) fn start(&self, name: &str) -> Result<Start, String> {
        if self.scene.trim_start().starts_with('(') {
            let file = SceneFile::parse(&self.scene, name).map_err(|error| error.to_string())?;
            return Ok(Start::Within(name.into(), Box::new(file)));
        }
        SceneSource::from_argument(&self.scene).map(Start::Scene).map_err(|error| error.to_string())
    }

    pub(super) fn settings(&self) -> Result<Vec<Setting>, String> {
        self.set.iter().map(|text| Setting::parse(text)).collect()
    }

    pub(super) fn staging(&self, theme: ThemeChoice) -> Result<Staging, String> {
        let show = self.show.iter().map(|text| Show::parse(text)).collect::<Result<_, _>>()?;
        Ok(Staging { theme, language: Language::English, show, window: self.window, ..Staging::default() })
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
        let [take] = script.takes() else { panic!("one take") };
        let Steps(steps) = script.steps(take);
        assert_eq!(steps.len(), 5 + 1 + 3 + 1 + 2);
        assert_eq!(script.frames(), steps.len());
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
            (take("scene: \"(discs: 1)\", actions: []"), "s.ron: takes[0].scene: "),
            (take("scene: \"gas\", set: [\"x\"], actions: []"), "s.ron: takes[0].set: --set x"),
            (take("scene: \"gas\", show: [\"x\"], actions: []"), "s.ron: takes[0].show: --show x"),
            (take("scene: \"gas\", actions: [Hop]"), "s.ron:1:"),
        ] {
            let problem = Script::parse(&text, "s.ron").unwrap_err();
            assert!(problem.starts_with(expected), "{text}: {problem}");
        }
    }
}
