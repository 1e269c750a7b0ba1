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
    Pull Shots Table "Pull and shoot", "press a disc, pull back and release to shoot; a longer pull is faster", [mouse(NONE, MouseButton::Left)];
    SetUpShot Shots Table "Set up a shot", "set up a shot without the mouse, or cancel it", [key(KeyCode::KeyA), pad(GamepadButton::West)];
    TurnLeft Shots Aiming "Turn the shot left", "turn the shot by 0.1°; hold to speed up", [key(KeyCode::ArrowLeft), pad(GamepadButton::DPadLeft)];
    TurnRight Shots Aiming "Turn the shot right", "turn the shot by 0.1°; hold to speed up", [key(KeyCode::ArrowRight), pad(GamepadButton::DPadRight)];
    ShotFaster Shots Aiming "Faster shot", "set the speed of the shot; hold to speed up", [key(KeyCode::ArrowUp), pad(GamepadButton::DPadUp), pad(GamepadButton::RightTrigger2)];
    ShotSlower Shots Aiming "Slower shot", "set the speed of the shot; hold to speed up", [key(KeyCode::ArrowDown), pad(GamepadButton::DPadDown), pad(GamepadButton::LeftTrigger2)];
    ShotSpeed Shots Aiming "Speed (wheel)", "set the speed of the shot you have set up", [wheel(CTRL)];
    RaiseCue Shots Aiming "Raise the cue", "raise or lower the butt of the cue by 1°; hold to repeat", [key(KeyCode::KeyE)];
    LowerCue Shots Aiming "Lower the cue", "raise or lower the butt of the cue by 1°; hold to repeat", [key(KeyCode::KeyQ)];
    Shoot Shots Aiming "Shoot", "play the shot you have set up", [key(KeyCode::Enter), key(KeyCode::NumpadEnter), pad(GamepadButton::South)];
    FineSteps Shots Table "Fine steps", "hold for steps a tenth as large", [key(KeyCode::ShiftLeft), key(KeyCode::ShiftRight)];
    TurnStick Shots Table "Turn (stick)", "turn the shot; sets one up if there is none", [stick(GamepadAxis::LeftStickX)];
    SpeedStick Shots Table "Speed (stick)", "set the speed of the shot", [stick(GamepadAxis::RightStickY)];
    ElevationStick Shots Aiming "Raise the cue (stick)", "raise or lower the butt of the cue", [stick(GamepadAxis::LeftStickY)];
    PreviewLength Shots Table "Preview length", "cycle the preview: off, first contact, impacts, all", [key(KeyCode::KeyL), pad(GamepadButton::North)];
    CallPocket Match NotAiming "Next pocket", "call the next or previous pocket; or click a ball and a pocket", [key(KeyCode::KeyK), pad(GamepadButton::RightTrigger2)];
    CallPocketBefore Match NotAiming "Previous pocket", "call the next or previous pocket; or click a ball and a pocket", [with(SHIFT, KeyCode::KeyK)];
    Declare Match NotAiming "Safety or push-out", "call a safety or a push-out, if the rules allow it", [key(KeyCode::KeyY), pad(GamepadButton::LeftTrigger2)];
    Coach Match Table "Coach", "toggle the best shots and the analysis of misses", [key(KeyCode::KeyG)];
    BotIdeas Match Table "Bots' ideas", "toggle the drawing of shots that a bot considers", [with(SHIFT, KeyCode::KeyG)];
    ToButtons Match Table "Go to the buttons", "use the buttons of the match or panel by keyboard or gamepad; Esc: back to the table", [key(KeyCode::KeyJ), pad(GamepadButton::Select)];
    Choose1 Match Choosing "First choice", "choose an offered option", [key(KeyCode::Digit1), key(KeyCode::Numpad1)];
    Choose2 Match Choosing "Second choice", "choose an offered option", [key(KeyCode::Digit2), key(KeyCode::Numpad2)];
    Choose3 Match Choosing "Third choice", "choose an offered option", [key(KeyCode::Digit3), key(KeyCode::Numpad3)];
    Choose4 Match Choosing "Fourth choice", "choose an offered option", [key(KeyCode::Digit4), key(KeyCode::Numpad4)];
    ChooseNext Match Choosing "Next choice", "go through the offered options", [key(KeyCode::ArrowRight), key(KeyCode::ArrowDown), pad(GamepadButton::DPadRight), pad(GamepadButton::DPadDown)];
    ChoosePrevious Match Choosing "Previous choice", "go through the offered options", [key(KeyCode::ArrowLeft), key(KeyCode::ArrowUp), pad(GamepadButton::DPadLeft), pad(GamepadButton::DPadUp)];
    Confirm Match Choosing "Confirm the choice", "confirm the highlighted option", [key(KeyCode::Enter), key(KeyCode::NumpadEnter), pad(GamepadButton::South)];
    Shots Match Table "Shots of the match", "list the shots of the match for replay in slow motion", [key(KeyCode::KeyB)];
    Statistics Match Table "Statistics", "show the statistics of the match", [key(KeyCode::KeyT)];
    Cancel Discs Table "Cancel", "cancel the shot, close the help, clear the selection", [key(KeyCode::Escape), mouse(NONE, MouseButton::Right), pad(GamepadButton::East)];
    Hold Discs Table "Move, add to the selection", "drag a disc to move it; click to add or remove it from the selection; drag a box to add several", [mouse(SHIFT, MouseButton::Left), mouse(CTRL, MouseButton::Left)];
    SelectNext Discs Table "Next disc", "select the next or previous disc", [key(KeyCode::KeyN), pad(GamepadButton::RightThumb)];
    SelectPrevious Discs Table "Previous disc", "select the next or previous disc", [with(SHIFT, KeyCode::KeyN), pad(GamepadButton::LeftThumb)];
    SelectAll Discs Table "Select all", "select all discs", [with(CTRL, KeyCode::KeyA)];
    MoveStick Discs NotAiming "Move (stick)", "move the ball in hand; sideways with the stick that turns a shot", [stick(GamepadAxis::LeftStickY)];
    MoveLeft Discs NotAiming "Move left", "move the selected discs by ten pixels; hold to speed up", [key(KeyCode::ArrowLeft), pad(GamepadButton::DPadLeft)];
    MoveRight Discs NotAiming "Move right", "move the selected discs by ten pixels; hold to speed up", [key(KeyCode::ArrowRight), pad(GamepadButton::DPadRight)];
    MoveUp Discs NotAiming "Move up", "move the selected discs by ten pixels; hold to speed up", [key(KeyCode::ArrowUp), pad(GamepadButton::DPadUp)];
    MoveDown Discs NotAiming "Move down", "move the selected discs by ten pixels; hold to speed up", [key(KeyCode::ArrowDown), pad(GamepadButton::DPadDown)];
    Delete Discs Table "Delete", "delete the selected discs or terrain", [key(KeyCode::Delete), key(KeyCode::Backspace)];
    FinishShape Discs NotAiming "Finish the polygon", "finish the polygon; place the ball in hand or pick it up", [key(KeyCode::Enter), key(KeyCode::NumpadEnter), pad(GamepadButton::South)];
    Undo Discs Table "Undo", "undo or redo the last edit; in a match, take back the last shot", [with(COMMAND, KeyCode::KeyZ)];
    Redo Discs Table "Redo", "undo or redo the last edit; in a match, take back the last shot", [with(COMMAND, KeyCode::KeyY), with(COMMAND.union(SHIFT), KeyCode::KeyZ)];
    Pause Time Table "Pause", "pause or resume", [key(KeyCode::Space), pad(GamepadButton::Start)];
    Step Time Table "Single tick", "run a single tick", [key(KeyCode::Period)];
    StepBack Time Table "Single tick back", "go back a single tick", [key(KeyCode::Comma)];
    NextHit Time Table "Next collision", "go to the next or previous collision", [with(SHIFT, KeyCode::Period)];
    PreviousHit Time Table "Previous collision", "go to the next or previous collision", [with(SHIFT, KeyCode::Comma)];
    NextDiscHit Time Table "Next collision of the disc", "go to the next or previous collision of the selected disc", [with(CTRL, KeyCode::Period)];
    PreviousDiscHit Time Table "Previous collision of the disc", "go to the next or previous collision of the selected disc", [with(CTRL, KeyCode::Comma)];
    Rewind Time Table "Rewind", "hold to go back in time", [key(KeyCode::KeyW)];
    BookmarkMoment Time Table "Bookmark this moment", "set a bookmark in time", [with(SHIFT, KeyCode::KeyB)];
    TimeBar Time Table "Time bar", "show or hide the time bar", [key(KeyCode::KeyI)];
    HalfSpeed Time Table "Half speed", "halve or double the speed", [key(KeyCode::BracketLeft)];
    DoubleSpeed Time Table "Double speed", "halve or double the speed", [key(KeyCode::BracketRight)];
    SlowMotion Time Table "Slow motion", "hold for slow motion, a tenth of the speed", [key(KeyCode::KeyS)];
    Restart Time Table "Restart", "restart the scene", [key(KeyCode::KeyR)];
    Zoom View Table "Zoom at the pointer", "zoom at the pointer", [wheel(NONE)];
    Pan View Table "Pan", "drag to move the view", [mouse(NONE, MouseButton::Middle)];
    ZoomIn View Table "Zoom in", "zoom in or out", [key(KeyCode::Equal), key(KeyCode::NumpadAdd)];
    ZoomOut View Table "Zoom out", "zoom in or out", [key(KeyCode::Minus), key(KeyCode::NumpadSubtract)];
    PanLeft View Table "Pan left", "move the view", [with(CTRL, KeyCode::ArrowLeft)];
    PanRight View Table "Pan right", "move the view", [with(CTRL, KeyCode::ArrowRight)];
    PanUp View Table "Pan up", "move the view", [with(CTRL, KeyCode::ArrowUp)];
    PanDown View Table "Pan down", "move the view", [with(CTRL, KeyCode::ArrowDown)];
    Fit View Table "Fit", "fit", [key(KeyCode::KeyF)];
    Follow View Table "Follow", "follow the selected disc, or stop following", [key(KeyCode::KeyC)];
    Bookmark1 View Table "Bookmark 1", "show a saved view", [key(KeyCode::Digit1)];
    Bookmark2 View Table "Bookmark 2", "show a saved view", [key(KeyCode::Digit2)];
    Bookmark3 View Table "Bookmark 3", "show a saved view", [key(KeyCode::Digit3)];
    Bookmark4 View Table "Bookmark 4", "show a saved view", [key(KeyCode::Digit4)];
    KeepBookmark1 View Table "Save bookmark 1", "save the view as a bookmark", [with(COMMAND, KeyCode::Digit1)];
    KeepBookmark2 View Table "Save bookmark 2", "save the view as a bookmark", [with(COMMAND, KeyCode::Digit2)];
    KeepBookmark3 View Table "Save bookmark 3", "save the view as a bookmark", [with(COMMAND, KeyCode::Digit3)];
    KeepBookmark4 View Table "Save bookmark 4", "save the view as a bookmark", [with(COMMAND, KeyCode::Digit4)];
    ShowPhysics View Always "Physics overlay", "show or hide the physics overlay", [key(KeyCode::F9)];
    NextScene Program Table "Next scene", "open the next or previous scene", [key(KeyCode::PageDown), pad(GamepadButton::RightTrigger)];
    PreviousScene Program Table "Previous scene", "open the next or previous scene", [key(KeyCode::PageUp), pad(GamepadButton::LeftTrigger)];
    Open Program Always "Open", "open a scene file, save, save as a new file", [with(COMMAND, KeyCode::KeyO)];
    Save Program Always "Save", "open a scene file, save, save as a new file", [with(COMMAND, KeyCode::KeyS)];
    SaveAs Program Always "Save as", "open a scene file, save, save as a new file", [with(COMMAND.union(SHIFT), KeyCode::KeyS)];
    StartPage Program Table "Start page", "show the start page to choose a game and players", [key(KeyCode::Home)];
    Panel Program Table "Panel", "show or hide the panel", [key(KeyCode::KeyP)];
    Sound Program Table "Sound", "turn sound on or off", [key(KeyCode::KeyM)];
    FullScreen Program Always "Full screen", "turn full screen on or off", [key(KeyCode::F11)];
    Screenshot Program Always "Screenshot", "save a screenshot of the window", [key(KeyCode::F12)];
    Diagram Program Always "Diagram", "save a diagram of the shot that you aim or replay", [with(SHIFT, KeyCode::F12)];
    Help Program Table "Help", "show or hide this help", [key(KeyCode::KeyH), key(KeyCode::F1)];
}

/// Further gestures with mouse-button controls, as lines of the help: the control, the gesture, and its effect.
pub const GESTURES: [(Control, &str, &str); 5] = [
    (Control::Pull, mark("click a disc"), mark("select it and show its values in the panel")),
    (Control::Pull, mark("drag on empty table"), mark("select with a box")),
    (Control::Pull, mark("drag an arrow's tip (in lessons)"), mark("change the velocity")),
    (Control::Pull, mark("click or drag terrain"), mark("select it; move it or its handles; Shift: steps of 15°")),
    (
        Control::Pull,
        mark("with a tool of the Draw section"),
        mark("draw discs and terrain, or measure; Shift: fixed angles and squares; Ctrl: toggle snapping"),
    ),
];

/// Touch gestures, as lines of the help: the group, the number of fingers, and the effect.
pub const TOUCHES: [(Group, &str, &str); 5] = [
    (Group::Shots, mark("one finger"), mark("pull a disc back and release to shoot; a second finger cancels")),
    (Group::Discs, mark("tap"), mark("tap a disc to select it; tap the empty table to clear the selection")),
    (Group::Discs, mark("hold, then drag"), mark("hold a disc for half a second, then drag to move it")),
    (Group::View, mark("one finger"), mark("drag on the empty table to move the view")),
    (Group::View, mark("two fingers"), mark("pinch to zoom; drag to move the view")),
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
