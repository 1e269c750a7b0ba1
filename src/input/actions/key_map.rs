//! The current bindings of all controls.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_enhanced_input::prelude::Binding;
use tr::tr;

use super::{
    control::{CONTROLS, Control, Group},
    words::{is_of_gamepad, read, spoken, with_key, written},
};
use crate::notice::mark;

/// The current bindings of all controls. A change takes effect in the next frame.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct KeyMap {
    bindings: [Vec<Binding>; CONTROLS.len()],
}

impl Default for KeyMap {
    fn default() -> Self {
        Self { bindings: CONTROLS.map(|info| info.defaults.to_vec()) }
    }
}

/// The bindings that differ from the defaults, as text for files: a control's name and its bindings.
pub type KeyChanges = BTreeMap<String, Vec<String>>;

/// The effects in a match of controls from other groups.
const IN_MATCH: [(&[Control], &str); 5] = [
    (&[Control::SelectNext, Control::SelectPrevious], mark("call the next or previous ball")),
    (&[Control::FinishShape], mark("place the ball in hand, or pick it up")),
    (
        &[Control::MoveLeft, Control::MoveRight, Control::MoveUp, Control::MoveDown],
        mark("move the ball in hand; hold to speed up"),
    ),
    (&[Control::Undo], mark("take the last shot back")),
    (&[Control::StartPage], mark("show the start page; the match waits")),
];

impl KeyMap {
    /// The bindings of a control.
    #[must_use]
    pub fn of(&self, control: Control) -> &[Binding] {
        &self.bindings[control as usize]
    }

    /// Replaces the bindings of a control.
    pub fn set(&mut self, control: Control, bindings: Vec<Binding>) {
        self.bindings[control as usize] = bindings;
    }

    /// Restores the default bindings of a control.
    pub fn reset(&mut self, control: Control) {
        self.set(control, control.info().defaults.to_vec());
    }

    /// Whether the bindings of a control differ from the defaults.
    #[must_use]
    pub fn is_changed(&self, control: Control) -> bool {
        self.of(control) != control.info().defaults
    }

    /// The keys and buttons of a control as text, without gamepads: `Enter or Numpad Enter`. Empty if there are none.
    #[must_use]
    pub fn words(&self, control: Control) -> String {
        self.spoken(&[control], &tr!(" or "))
    }

    /// The first key or button of a control as text, if there is one.
    #[must_use]
    pub fn short(&self, control: Control) -> Option<String> {
        self.of(control).iter().copied().find(|&binding| !is_of_gamepad(binding)).map(spoken)
    }

    /// The first key of a control as text, if there is one.
    #[must_use]
    pub fn key(&self, control: Control) -> Option<String> {
        let is_key = |binding: &Binding| matches!(binding, Binding::Keyboard { .. });
        self.of(control).iter().copied().find(is_key).map(spoken)
    }

    /// The first mouse button of a control as text, if there is one.
    #[must_use]
    pub fn mouse_button(&self, control: Control) -> Option<String> {
        let is_button = |binding: &Binding| matches!(binding, Binding::MouseButton { .. });
        self.of(control).iter().copied().find(is_button).map(spoken)
    }

    /// The tooltip of a button, with its key in brackets: `Show the panel (P)`.
    #[must_use]
    pub fn tip(&self, what: &str, control: Control) -> String {
        self.short(control).map_or_else(|| what.to_owned(), |key| with_key(what, &key))
    }

    /// The keys and buttons of several controls, each once, joined by `between`.
    fn spoken(&self, controls: &[Control], between: &str) -> String {
        let mut words = Vec::new();
        for &binding in controls.iter().flat_map(|&control| self.of(control)) {
            let word = spoken(binding);
            if !is_of_gamepad(binding) && !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(between)
    }

    /// The lines of the help for a group of controls: the keys, and their effect. Controls without a key or button are
    /// left out.
    #[must_use]
    pub fn help(&self, group: Group) -> Vec<(String, String)> {
        let infos: Vec<_> = CONTROLS.iter().filter(|info| info.group == group).collect();
        let mut lines = Vec::new();
        for same in infos.chunk_by(|a, b| a.help == b.help) {
            let controls: Vec<Control> = same.iter().map(|info| info.control).collect();
            let also = super::control::GESTURES.iter().filter(|(control, ..)| controls.contains(control));
            let press = capitalised(&self.spoken(&controls, ", "));
            if !press.is_empty() {
                let help = same[0].help;
                lines.push((press.clone(), tr!(help)));
                lines.extend(also.map(|&(_, how, does)| (tr!("{}: {}", press, tr!(how)), tr!(does))));
            }
        }
        let touches = super::control::TOUCHES.iter().filter(|(of, ..)| *of == group);
        lines.extend(touches.map(|&(_, touch, does)| (capitalised(&tr!(touch)), tr!(does))));
        lines
    }

    /// The lines of the help for a match: those of [`Group::Match`], and the effects of other groups there.
    #[must_use]
    pub fn help_in_match(&self) -> Vec<(String, String)> {
        let mut lines = self.help(Group::Match);
        for (controls, does) in IN_MATCH {
            let press = capitalised(&self.spoken(controls, ", "));
            if !press.is_empty() {
                lines.push((press, tr!(does)));
            }
        }
        lines
    }

    /// The controls that would also respond to this input, since they are active at the same time.
    #[must_use]
    pub fn conflicts(&self, control: Control, binding: Binding) -> Vec<Control> {
        let context = control.info().context;
        let others = CONTROLS.iter().filter(|info| info.control != control && info.context.overlaps(context));
        others.map(|info| info.control).filter(|&other| self.of(other).contains(&binding)).collect()
    }

    /// The differences from the defaults.
    #[must_use]
    pub fn changes(&self) -> KeyChanges {
        let changed = CONTROLS.iter().filter(|info| self.is_changed(info.control));
        changed
            .map(|info| (info.name.to_owned(), self.of(info.control).iter().copied().filter_map(written).collect()))
            .collect()
    }

    /// The defaults with these changes, and the entries that are not understood. Such controls and bindings are left
    /// out.
    #[must_use]
    pub fn with_changes(changes: &KeyChanges) -> (Self, Vec<String>) {
        let (mut map, mut unknown) = (Self::default(), Vec::new());
        for (name, bindings) in changes {
            let Some(control) = Control::named(name) else {
                unknown.push(name.clone());
                continue;
            };
            let (readable, bad): (Vec<_>, Vec<_>) = bindings.iter().partition(|text| read(text).is_some());
            // If all keys of a control are unknown, the defaults stay. Otherwise it would be inaccessible.
            if bad.is_empty() || !readable.is_empty() {
                map.set(control, readable.into_iter().filter_map(|text| read(text)).collect());
            }
            unknown.extend(bad.into_iter().map(|text| format!("{name}: {text}")));
        }
        (map, unknown)
    }
}

/// Capitalises the first letter, unless the text starts with a modifier, which is already capitalised.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::words::language::in_japanese;
    use bevy_enhanced_input::prelude::ModKeys;

    fn key(key: KeyCode) -> Binding {
        Binding::Keyboard { key, mod_keys: ModKeys::empty() }
    }

    #[test]
    fn the_defaults_have_no_conflicts() {
        let map = KeyMap::default();
        for info in &CONTROLS {
            for &binding in info.defaults {
                assert!(map.conflicts(info.control, binding).is_empty(), "{}: {}", info.name, spoken(binding));
            }
        }
    }

    #[test]
    fn the_book_names_the_default_keys() {
        let page = include_str!("../../../docs/src/play.md");
        let table = page.split("## Controls").nth(1).and_then(|rest| rest.split("## ").next()).unwrap();
        let named: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
        let map = KeyMap::default();
        let spoken_of = |info: &super::super::ControlInfo| {
            info.defaults.iter().copied().filter(|&it| !is_of_gamepad(it)).map(spoken).collect::<Vec<_>>()
        };
        let all: Vec<String> = CONTROLS.iter().flat_map(spoken_of).collect();
        for key in &named {
            assert!(all.iter().any(|word| word == key) || ["Tab", "Shift + Tab"].contains(key), "play.md: {key}");
        }
        let in_words = [Control::Pull, Control::Zoom, Control::Pan];
        let the_other_ways = [
            [Control::PanRight, Control::PanUp, Control::PanDown],
            [Control::Bookmark2, Control::Bookmark3, Control::Bookmark4],
            [Control::KeepBookmark2, Control::KeepBookmark3, Control::KeepBookmark4],
        ]
        .concat();
        for info in &CONTROLS {
            let keys = spoken_of(info);
            let left_out =
                keys.is_empty() || in_words.contains(&info.control) || the_other_ways.contains(&info.control);
            assert!(
                left_out || named.contains(&map.short(info.control).unwrap().as_str()),
                "{} is not in play.md",
                info.name
            );
        }
    }

    #[test]
    fn the_book_lists_the_touch_gestures() {
        let page = include_str!("../../../docs/src/play.md");
        let table = page.split("## Controls").nth(1).and_then(|rest| rest.split("## ").next()).unwrap();
        for (_, touch, _) in super::super::control::TOUCHES {
            assert!(table.contains(touch), "play.md: {touch}");
        }
    }

    #[test]
    fn no_default_is_a_key_of_egui_or_of_the_system() {
        let taken = [KeyCode::Tab, KeyCode::PrintScreen];
        let zoom = [KeyCode::Equal, KeyCode::Minus, KeyCode::Digit0, KeyCode::NumpadAdd, KeyCode::NumpadSubtract];
        let clipboard = [KeyCode::KeyC, KeyCode::KeyX, KeyCode::KeyV];
        for &binding in CONTROLS.iter().flat_map(|info| info.defaults) {
            let Binding::Keyboard { key, mod_keys } = binding else { continue };
            let is_taken = taken.contains(&key)
                || mod_keys.contains(ModKeys::CONTROL) && (zoom.contains(&key) || clipboard.contains(&key))
                || mod_keys.intersects(ModKeys::ALT | ModKeys::SUPER);
            assert!(!is_taken, "{}", spoken(binding));
        }
    }

    #[test]
    fn only_changes_are_written_and_they_come_back() {
        let mut map = KeyMap::default();
        assert!(map.changes().is_empty());
        map.set(Control::Pause, vec![key(KeyCode::KeyK)]);
        map.set(Control::Sound, Vec::new());
        let changes = map.changes();
        assert_eq!(changes.len(), 2);
        assert_eq!(KeyMap::with_changes(&changes), (map.clone(), Vec::new()));
        map.reset(Control::Pause);
        map.reset(Control::Sound);
        assert_eq!(map, KeyMap::default());
    }

    #[test]
    fn what_is_unknown_is_told_and_kept_out() {
        let text = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let changes = KeyChanges::from([
            ("Pause".to_owned(), text(&["KeyK", "KeyÖ"])),
            ("Step".to_owned(), text(&["nothing"])),
            ("Fly".to_owned(), text(&["KeyK"])),
        ]);
        let (map, unknown) = KeyMap::with_changes(&changes);
        assert_eq!(unknown, ["Fly", "Pause: KeyÖ", "Step: nothing"]);
        assert_eq!(map.of(Control::Pause), [key(KeyCode::KeyK)]);
        assert!(!map.is_changed(Control::Step));
    }

    #[test]
    fn conflicts_are_between_controls_that_listen_at_the_same_time() {
        let map = KeyMap::default();
        assert_eq!(map.conflicts(Control::Sound, key(KeyCode::Space)), [Control::Pause]);
        assert!(map.conflicts(Control::MoveLeft, key(KeyCode::ArrowLeft)).is_empty());
        assert_eq!(map.conflicts(Control::Sound, key(KeyCode::ArrowLeft)), [Control::TurnLeft, Control::MoveLeft]);
    }

    #[test]
    fn several_keys_are_joined_in_the_language_of_the_window() {
        let words = || KeyMap::default().words(Control::Shoot);
        assert_eq!(words(), "Enter or Numpad Enter");
        in_japanese(|| assert!(!words().contains("or") && words().ends_with("Numpad Enter"), "{}", words()));
    }

    #[test]
    fn help_and_tips_say_what_is_bound_now() {
        let mut map = KeyMap::default();
        let line =
            |map: &KeyMap, does: &str| map.help(Group::Time).into_iter().find(|line| line.1 == does).map(|line| line.0);
        assert_eq!(line(&map, "halve or double the speed").as_deref(), Some("[, ]"));
        assert_eq!(map.tip("Holds", Control::Pause), "Holds (Space)");
        map.set(Control::Pause, vec![key(KeyCode::KeyK)]);
        assert_eq!(line(&map, "pause or resume").as_deref(), Some("K"));
        assert_eq!(map.tip("Holds", Control::Pause), "Holds (K)");
        map.set(Control::Pause, Vec::new());
        assert_eq!(line(&map, "pause or resume"), None);
        let shots: Vec<String> = map.help(Group::Shots).into_iter().map(|line| line.0).collect();
        assert!(shots.contains(&"Left button: click a disc".to_owned()), "{shots:?}");
        let mut each = shots.clone();
        each.sort_unstable();
        each.dedup();
        assert_eq!(each.len(), shots.len(), "no two lines begin alike: {shots:?}");
        assert_eq!(map.tip("Holds", Control::Pause), "Holds");
    }
}
