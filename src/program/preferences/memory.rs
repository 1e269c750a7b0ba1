//! The preferences of this run, and when they were written.

use std::{
    io,
    path::{Path, PathBuf},
};

use bevy::{platform::time::Instant, prelude::*};

use super::stored::{Preferences, WindowState};
use crate::{
    input::actions::KeyMap,
    notice::{NoticeText, mark},
    program::{
        folders,
        play_options::{Plane, PlayOptions},
        readable::Readable,
    },
    storage::{is_there, read, write_whole},
    view::{Language, ThemeChoice},
};

/// The preferences last read or written, their file, and pending changes.
#[derive(Resource, Clone, Debug)]
pub(in crate::program) struct Memory {
    pub(in crate::program) kept: Preferences,
    /// The file. None if the system has no place for it, or if a screenshot is taken, which must not change
    /// preferences.
    pub(super) path: Option<PathBuf>,
    pub(super) changed: Option<Instant>,
    pub(super) problems: Vec<NoticeText>,
    /// Values that hold for this run only.
    pub(super) given: Given,
    /// A name for a copy of the old file, if parts of it were not understood.
    beside: Option<PathBuf>,
}

impl Memory {
    /// Reads the preferences from the user's folder.
    pub(in crate::program) fn recall() -> Self {
        let memory = Self::at(folders::configuration().map(|folder| folder.join("preferences.ron")));
        #[cfg(target_arch = "wasm32")]
        if crate::program::page::is_figure() {
            return Self { path: None, ..memory };
        }
        memory
    }

    /// Defaults that are never saved.
    pub(in crate::program) fn unsaved() -> Self {
        Self::at(None)
    }

    pub(super) fn at(path: Option<PathBuf>) -> Self {
        let read = path.as_deref().map_or(Ok(None), Preferences::read);
        let beside = path.as_deref().map(free_name);
        let names =
            || [&path, &beside].map(|name| name.as_deref().map_or_else(String::new, |it| it.display().to_string()));
        let mut problems = Vec::new();
        let mut report = |text, middle: String| {
            let [file, beside] = names();
            problems.push(NoticeText::new(text, [file, middle, beside]));
        };
        let mut kept = Preferences::default();
        match read {
            Ok(None) => {
                #[cfg(target_arch = "wasm32")]
                crate::program::page::adapt(&mut kept.panel);
            }
            Ok(Some(Readable { value, wrong, unknown })) => {
                kept = value;
                if !wrong.is_empty() {
                    report(WRONG, wrong.join(", "));
                }
                if !unknown.is_empty() {
                    report(UNKNOWN, unknown.join(", "));
                }
                let (map, unknown) = KeyMap::with_changes(&kept.keys);
                kept.keys = map.changes();
                if !unknown.is_empty() {
                    report(UNKNOWN_KEYS, unknown.join(", "));
                }
            }
            Err(reason) => report(UNREADABLE, reason),
        }
        let beside = beside.filter(|_| !problems.is_empty());
        Self { kept, path, changed: None, problems, given: Given::default(), beside }
    }

    /// The same with the arguments of this run. They are not saved until the user chooses other values in the window.
    pub(in crate::program) fn with_arguments(self, options: &PlayOptions) -> Self {
        let &PlayOptions { size, theme, language, panel, plane, .. } = options;
        let several = matches!(plane, Some(Plane::Windows(_)));
        Self { given: Given { size, theme, language, panel, several }, ..self }
    }

    /// Records the current state. Returns whether a preference has changed.
    pub(super) fn note(&mut self, now: Preferences) -> bool {
        let now = self.given.leave_out(now, &self.kept);
        let is_new = now != self.kept;
        self.kept = now;
        is_new
    }

    /// Writes the file, and first a copy of the old file if parts of it were not understood.
    ///
    /// # Errors
    /// If either fails. The old file is then unchanged.
    pub(super) fn write(&mut self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        if let Some(beside) = &self.beside {
            match read(path) {
                Ok(old) => write_whole(beside, &old)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            self.beside = None;
        }
        self.kept.write(path)
    }
}

/// Arguments of the command line that the user has not changed in the window since.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Given {
    size: Option<Vec2>,
    theme: Option<ThemeChoice>,
    language: Option<Language>,
    panel: Option<bool>,
    /// Whether there are several windows. The program then places them and hides the panel.
    pub(super) several: bool,
}

impl Given {
    /// The preferences to save. A value still equal to its argument was not chosen by the user, so the previous
    /// preference is kept.
    fn leave_out(&mut self, mut now: Preferences, before: &Preferences) -> Preferences {
        self.size = self.size.filter(|given| {
            let WindowState { size, maximized, full_screen, .. } = now.window;
            size == *given && !maximized && !full_screen
        });
        self.theme = self.theme.filter(|given| *given == now.view.theme);
        self.language = self.language.filter(|given| *given == now.view.language);
        self.panel = self.panel.filter(|given| *given == now.panel.shown);
        if self.several || self.panel.is_some() {
            now.panel.shown = before.panel.shown;
        }
        if self.size.is_some() || self.several {
            now.window = before.window;
        }
        if self.theme.is_some() {
            now.view.theme = before.view.theme;
        }
        if self.language.is_some() {
            now.view.language = before.view.language;
        }
        now
    }
}

const WRONG: &str =
    mark("{}: these values cannot be read, and their defaults hold: {}. Before it is changed, the file is kept as {}");
const UNKNOWN: &str = mark("{}: this version does not know {}. Before it is changed, the file is kept as {}");
const UNKNOWN_KEYS: &str =
    mark("{}: these keys are unknown, and left out: {}. Before it is changed, the file is kept as {}");
const UNREADABLE: &str = mark("{}: {}; carom starts with its defaults. Before it is changed, the file is kept as {}");

/// A name for a copy of a file that was not understood. The name is unused, or belongs to a copy with the same content.
fn free_name(path: &Path) -> PathBuf {
    let old = read(path).ok();
    let named = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".unreadable".to_owned() } else { format!(".unreadable-{number}") });
        PathBuf::from(name)
    };
    let is_free = |name: &PathBuf| !is_there(name) || old.is_some() && read(name).ok() == old;
    (1..100).map(named).find(is_free).unwrap_or_else(|| named(100))
}
