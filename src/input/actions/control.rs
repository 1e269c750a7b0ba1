//! The table of controls: what a person can request, in which context, with its help text and its default bindings.

use bevy::prelude::*;
use bevy_enhanced_input::prelude::{Binding, InputAction, ModKeys};

use crate::notice::mark;

/// When a control is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// Always, even while a text field of the panel has the focus.
    Always,
    /// While the table has the keyboard: [`Attention`](crate::input::Attention).
    Table,
    /// The same, while a shot is set up with keys or pulled with the mouse.
    Aiming,
    /// The same, while no shot is aimed.
    NotAiming,
    /// The same, while a game asks the player to choose: [`Asked`](super::Asked). Input for a choice has no other
    /// effect.
    Choosing,
}

impl Context {
    /// Whether two contexts can be active at once, so that a key cannot serve a control in each.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        let is_choosing = |context| context == Self::Choosing;
        let aims = |context| matches!(context, Self::Aiming | Self::NotAiming);
        // Input for a choice has no other effect.
        self == other || !(is_choosing(self) || is_choosing(other) || (aims(self) && aims(other)))
    }
}

/// A group of controls in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Shots.
    Shots,
    /// Calls and choices in a match.
    Match,
    /// Discs: selecting, moving, removing.
    Discs,
    /// Time.
    Time,
    /// The camera.
    View,
    /// Scenes, the panel, the window.
    Program,
}

impl Group {
    /// All groups, in display order.
    pub const ALL: [Self; 6] = [Self::Shots, Self::Match, Self::Discs, Self::Time, Self::View, Self::Program];

    /// The heading above its controls.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Shots => mark("Shots"),
            Self::Match => mark("Match"),
            Self::Discs => mark("Discs"),
            Self::Time => mark("Time"),
            Self::View => mark("View"),
            Self::Program => mark("Program"),
        }
    }
}

/// A control and its data.
#[derive(Clone, Copy, Debug)]
pub struct ControlInfo {
    /// The control.
    pub control: Control,
    /// Its name in files.
    pub name: &'static str,
    /// Its group in lists.
    pub group: Group,
    /// When it is active.
    pub context: Context,
    /// Its name in a list of all controls.
    pub label: &'static str,
    /// Its effect, for the help. Neighbours in the table with the same text share a line.
    pub help: &'static str,
    /// Its default bindings.
    pub defaults: &'static [Binding],
}

macro_rules! controls {
    ($($control:ident $group:ident $context:ident $label:literal, $help:literal, [$($binding:expr),*];)*) => {
        /// Everything that a person can request with keys, mouse and gamepad. It is also a component on the entity of
        /// its [`Action`](bevy_enhanced_input::prelude::Action), so that an observer can distinguish controls.
        #[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[component(immutable)]
        #[reflect(Component, Clone, Debug, PartialEq, Hash)]
        pub enum Control {
            $(
                #[doc = concat!($label, ": ", $help, ".")]
                $control,
            )*
        }

        /// All controls, in the order of [`Control`], which is the display order.
        pub const CONTROLS: [ControlInfo; [$(Control::$control),*].len()] = [$(ControlInfo {
            control: Control::$control,
            name: stringify!($control),
            group: Group::$group,
            context: Context::$context,
            label: $label,
            help: $help,
            defaults: &[$($binding),*],
        }),*];
    };
}

const fn key(key: KeyCode) -> Binding {
    Binding::Keyboard { key, mod_keys: ModKeys::empty() }
}

const fn with(mod_keys: ModKeys, key: KeyCode) -> Binding {
    Binding::Keyboard { key, mod_keys }
}

const fn mouse(mod_keys: ModKeys, button: MouseButton) -> Binding {
    Binding::MouseButton { button, mod_keys }
}

const fn wheel(mod_keys: ModKeys) -> Binding {
    Binding::MouseWheel { mod_keys }
}

const fn pad(button: GamepadButton) -> Binding {
    Binding::GamepadButton(button)
}

const fn stick(axis: GamepadAxis) -> Binding {
    Binding::GamepadAxis(axis)
}

const NONE: ModKeys = ModKeys::empty();
const SHIFT: ModKeys = ModKeys::SHIFT;
const CTRL: ModKeys = ModKeys::CONTROL;
/// The usual modifier for commands on this system.
const COMMAND: ModKeys = if cfg!(target_os = "macos") { ModKeys::SUPER } else { ModKeys::CONTROL };

controls! {
    Pull Shots Table "Pull and shoot", "press a disc, pull back, release: shoot it, the longer the pull, the faster", [mouse(NONE, MouseButton::Left)];
    SetUpShot Shots Table "Set up a shot", "set up a shot without the mouse, or give it up", [key(KeyCode::KeyA), pad(GamepadButton::West)];
    TurnLeft Shots Aiming "Turn the shot left", "turn the shot by 0.1°; held: faster and faster", [key(KeyCode::ArrowLeft), pad(GamepadButton::DPadLeft)];
    TurnRight Shots Aiming "Turn the shot right", "turn the shot by 0.1°; held: faster and faster", [key(KeyCode::ArrowRight), pad(GamepadButton::DPadRight)];
    ShotFaster Shots Aiming "Faster shot", "set the speed of the shot; held: faster and faster", [key(KeyCode::ArrowUp), pad(GamepadButton::DPadUp), pad(GamepadButton::RightTrigger2)];
    ShotSlower Shots Aiming "Slower shot", "set the speed of the shot; held: faster and faster", [key(KeyCode::ArrowDown), pad(GamepadButton::DPadDown), pad(GamepadButton::LeftTrigger2)];
    ShotSpeed Shots Aiming "Speed by wheel", "set the speed of a shot that is set up", [wheel(CTRL)];
    Shoot Shots Aiming "Shoot", "play the shot that is set up", [key(KeyCode::Enter), key(KeyCode::NumpadEnter), pad(GamepadButton::South)];
    FineSteps Shots Table "Fine steps", "held: turn, speed and moves in steps of a tenth", [key(KeyCode::ShiftLeft), key(KeyCode::ShiftRight)];
    TurnStick Shots Table "Turn by stick", "aim: the stick turns the shot, and sets one up", [stick(GamepadAxis::LeftStickX)];
    SpeedStick Shots Table "Speed by stick", "set the speed of the shot", [stick(GamepadAxis::RightStickY)];
    PreviewLength Shots Table "Length of the preview", "how much of the shot is shown before: off, first contact, impacts, all", [key(KeyCode::KeyL), pad(GamepadButton::North)];
    CallPocket Match NotAiming "Next pocket to call", "call the next pocket, the one before; a click on a ball and on a pocket calls them", [key(KeyCode::KeyK), pad(GamepadButton::RightTrigger2)];
    CallPocketBefore Match NotAiming "Pocket before", "call the next pocket, the one before; a click on a ball and on a pocket calls them", [with(SHIFT, KeyCode::KeyK)];
    Declare Match NotAiming "Safety or push-out", "call a safety or a push-out, where the rules have it", [key(KeyCode::KeyY), pad(GamepadButton::LeftTrigger2)];
    Coach Match Table "Coach", "show the best shots and what was wrong with a miss, or do not", [key(KeyCode::KeyG)];
    BotIdeas Match Table "What bots consider", "draw what a bot considers, or do not", [with(SHIFT, KeyCode::KeyG)];
    ToButtons Match Table "To the buttons", "to the buttons by keys or gamepad, of a match or of the panel; Esc: back to the table", [key(KeyCode::KeyJ), pad(GamepadButton::Select)];
    Choose1 Match Choosing "First choice", "choose what is offered", [key(KeyCode::Digit1), key(KeyCode::Numpad1)];
    Choose2 Match Choosing "Second choice", "choose what is offered", [key(KeyCode::Digit2), key(KeyCode::Numpad2)];
    Choose3 Match Choosing "Third choice", "choose what is offered", [key(KeyCode::Digit3), key(KeyCode::Numpad3)];
    Choose4 Match Choosing "Fourth choice", "choose what is offered", [key(KeyCode::Digit4), key(KeyCode::Numpad4)];
    ChooseNext Match Choosing "Next choice", "go through what is offered", [key(KeyCode::ArrowRight), key(KeyCode::ArrowDown), pad(GamepadButton::DPadRight), pad(GamepadButton::DPadDown)];
    ChoosePrevious Match Choosing "Choice before", "go through what is offered", [key(KeyCode::ArrowLeft), key(KeyCode::ArrowUp), pad(GamepadButton::DPadLeft), pad(GamepadButton::DPadUp)];
    Confirm Match Choosing "Take the choice", "take the choice that is marked", [key(KeyCode::Enter), key(KeyCode::NumpadEnter), pad(GamepadButton::South)];
    Shots Match Table "Shots of the match", "list the shots of the match, each to be looked at again in slow motion", [key(KeyCode::KeyB)];
    Statistics Match Table "Statistics", "show the match in numbers", [key(KeyCode::KeyT)];
    Cancel Discs Table "Cancel", "give up the shot, close the help, clear the selection", [key(KeyCode::Escape), mouse(NONE, MouseButton::Right), pad(GamepadButton::East)];
    Hold Discs Table "Move, add to the selection", "drag a disc: move it; click it: add it to the selection, or take it away; draw a box: add", [mouse(SHIFT, MouseButton::Left), mouse(CTRL, MouseButton::Left)];
    SelectNext Discs Table "Next disc", "select the next disc, the one before", [key(KeyCode::KeyN), pad(GamepadButton::RightThumb)];
    SelectPrevious Discs Table "Disc before", "select the next disc, the one before", [with(SHIFT, KeyCode::KeyN), pad(GamepadButton::LeftThumb)];
    SelectAll Discs Table "Select all", "select all discs", [with(CTRL, KeyCode::KeyA)];
    MoveStick Discs NotAiming "Move by stick", "move the ball in hand; to the sides by the stick that turns a shot", [stick(GamepadAxis::LeftStickY)];
    MoveLeft Discs NotAiming "Move left", "move the selected discs by ten pixels; held: faster and faster", [key(KeyCode::ArrowLeft), pad(GamepadButton::DPadLeft)];
    MoveRight Discs NotAiming "Move right", "move the selected discs by ten pixels; held: faster and faster", [key(KeyCode::ArrowRight), pad(GamepadButton::DPadRight)];
    MoveUp Discs NotAiming "Move up", "move the selected discs by ten pixels; held: faster and faster", [key(KeyCode::ArrowUp), pad(GamepadButton::DPadUp)];
    MoveDown Discs NotAiming "Move down", "move the selected discs by ten pixels; held: faster and faster", [key(KeyCode::ArrowDown), pad(GamepadButton::DPadDown)];
    Delete Discs Table "Delete", "remove the selected discs or terrain", [key(KeyCode::Delete), key(KeyCode::Backspace)];
    FinishShape Discs NotAiming "Finish the polygon", "finish the polygon that is drawn with a tool; put the ball in hand down, take it up again", [key(KeyCode::Enter), key(KeyCode::NumpadEnter), pad(GamepadButton::South)];
    Undo Discs Table "Undo", "take the last edit back, or in a match the last shot; make it again", [with(COMMAND, KeyCode::KeyZ)];
    Redo Discs Table "Redo", "take the last edit back, or in a match the last shot; make it again", [with(COMMAND, KeyCode::KeyY), with(COMMAND.union(SHIFT), KeyCode::KeyZ)];
    Pause Time Table "Pause", "pause and go on", [key(KeyCode::Space), pad(GamepadButton::Start)];
    Step Time Table "Single tick", "one single tick", [key(KeyCode::Period)];
    HalfSpeed Time Table "Half speed", "half and double speed", [key(KeyCode::BracketLeft)];
    DoubleSpeed Time Table "Double speed", "half and double speed", [key(KeyCode::BracketRight)];
    SlowMotion Time Table "Slow motion", "held: slow motion, a tenth of the speed", [key(KeyCode::KeyS)];
    Restart Time Table "Restart", "restart the scene", [key(KeyCode::KeyR)];
    Zoom View Table "Zoom at the pointer", "zoom at the pointer", [wheel(NONE)];
    Pan View Table "Drag the view", "drag: move the view", [mouse(NONE, MouseButton::Middle)];
    ZoomIn View Table "Closer", "come closer, go back", [key(KeyCode::Equal), key(KeyCode::NumpadAdd)];
    ZoomOut View Table "Farther", "come closer, go back", [key(KeyCode::Minus), key(KeyCode::NumpadSubtract)];
    PanLeft View Table "View to the left", "move the view", [with(CTRL, KeyCode::ArrowLeft)];
    PanRight View Table "View to the right", "move the view", [with(CTRL, KeyCode::ArrowRight)];
    PanUp View Table "View up", "move the view", [with(CTRL, KeyCode::ArrowUp)];
    PanDown View Table "View down", "move the view", [with(CTRL, KeyCode::ArrowDown)];
    Fit View Table "Fit", "fit", [key(KeyCode::KeyF)];
    Follow View Table "Follow", "follow the selected disc, and stop following", [key(KeyCode::KeyC)];
    Bookmark1 View Table "Bookmark 1", "show a bookmark of the view", [key(KeyCode::Digit1)];
    Bookmark2 View Table "Bookmark 2", "show a bookmark of the view", [key(KeyCode::Digit2)];
    Bookmark3 View Table "Bookmark 3", "show a bookmark of the view", [key(KeyCode::Digit3)];
    Bookmark4 View Table "Bookmark 4", "show a bookmark of the view", [key(KeyCode::Digit4)];
    KeepBookmark1 View Table "Keep bookmark 1", "keep the view as a bookmark", [with(COMMAND, KeyCode::Digit1)];
    KeepBookmark2 View Table "Keep bookmark 2", "keep the view as a bookmark", [with(COMMAND, KeyCode::Digit2)];
    KeepBookmark3 View Table "Keep bookmark 3", "keep the view as a bookmark", [with(COMMAND, KeyCode::Digit3)];
    KeepBookmark4 View Table "Keep bookmark 4", "keep the view as a bookmark", [with(COMMAND, KeyCode::Digit4)];
    ShowPhysics View Always "What the physics sees", "show or hide what the physics sees", [key(KeyCode::F9)];
    NextScene Program Table "Next scene", "next and previous scene", [key(KeyCode::PageDown), pad(GamepadButton::RightTrigger)];
    PreviousScene Program Table "Scene before", "next and previous scene", [key(KeyCode::PageUp), pad(GamepadButton::LeftTrigger)];
    Open Program Always "Open", "open a scene file, save, save as another", [with(COMMAND, KeyCode::KeyO)];
    Save Program Always "Save", "open a scene file, save, save as another", [with(COMMAND, KeyCode::KeyS)];
    SaveAs Program Always "Save as", "open a scene file, save, save as another", [with(COMMAND.union(SHIFT), KeyCode::KeyS)];
    StartPage Program Table "Start page", "show the start page: which game is played, and by whom", [key(KeyCode::Home)];
    Panel Program Table "Panel", "show or hide the panel", [key(KeyCode::KeyP)];
    Sound Program Table "Sound", "sound on and off", [key(KeyCode::KeyM)];
    FullScreen Program Always "Full screen", "full screen", [key(KeyCode::F11)];
    Picture Program Always "Picture", "save a picture of the window", [key(KeyCode::F12)];
    Help Program Table "Help", "show or hide this help", [key(KeyCode::KeyH), key(KeyCode::F1)];
}

/// Further gestures with mouse-button controls, as lines of the help: the control, the gesture, and its effect.
pub const GESTURES: [(Control, &str, &str); 5] = [
    (Control::Pull, mark("click a disc"), mark("select it and see its values in the panel")),
    (Control::Pull, mark("drag on the empty table"), mark("select with a box")),
    (Control::Pull, mark("drag an arrow's tip (in lessons)"), mark("change the velocity")),
    (
        Control::Pull,
        mark("click or drag terrain"),
        mark("select it; move it, or its handles, with Shift in steps of 15°"),
    ),
    (
        Control::Pull,
        mark("with a tool of the section Draw"),
        mark("draw discs and terrain, measure; Shift: angles and squares, Ctrl: snapping off or on"),
    ),
];

/// Touch gestures, as lines of the help: the group, the number of fingers, and the effect.
pub const TOUCHES: [(Group, &str, &str); 5] = [
    (Group::Shots, mark("one finger"), mark("pull a disc back, release: shoot it; a second finger gives it up")),
    (Group::Discs, mark("tap"), mark("tap a disc: select it; tap the empty table: clear the selection")),
    (Group::Discs, mark("hold, then drag"), mark("hold a disc for half a second, then drag: move it")),
    (Group::View, mark("one finger"), mark("drag on the empty table: move the view")),
    (Group::View, mark("two fingers"), mark("pinch: zoom; drag: move the view")),
];

impl InputAction for Control {
    /// The deflection of a stick, -1 to 1, or of a trigger, 0 to 1. A pressed key or button gives 1.
    type Output = f32;
}

impl Control {
    /// Its entry in [`CONTROLS`].
    #[must_use]
    pub fn info(self) -> &'static ControlInfo {
        &CONTROLS[self as usize]
    }

    /// The control with this name in files, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        CONTROLS.iter().find(|info| info.name == name).map(|info| info.control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_is_found_by_its_place_and_by_its_name() {
        for (k, info) in CONTROLS.iter().enumerate() {
            assert_eq!(info.control as usize, k);
            assert_eq!(Control::named(info.name), Some(info.control));
            assert!(!info.defaults.is_empty(), "{}", info.name);
        }
    }

    #[test]
    fn no_words_have_runs_of_spaces_or_ends_of_sentences() {
        for info in &CONTROLS {
            for words in [info.label, info.help] {
                assert!(!words.contains("  ") && !words.ends_with('.') && !words.is_empty(), "{words:?}");
            }
        }
    }
}
