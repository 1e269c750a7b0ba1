//! The definition of a section of the panel.

use bevy::prelude::*;
use bevy_egui::egui::Ui;

/// A section of the panel, made with [`Section::new`].
#[derive(Clone, Copy)]
pub struct Section {
    /// Its name in scene files ([`PANEL_SECTIONS`](crate::scene::PANEL_SECTIONS)) and in saved preferences.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Whether it is open unless the person or the scene says otherwise. Default: no.
    pub open: bool,
    /// Whether the current scene has a use for it. Default: yes.
    pub applies: fn(&World) -> bool,
    /// Whether a closed section opens itself now. Default: never.
    pub comes_up: fn(&World) -> bool,
    /// Whether it edits discs, terrain or physics. It is then disabled during an [`EditLock`](crate::input::EditLock).
    /// Default: no.
    pub edits: bool,
    /// Whether a lock by the scene ([`SceneFile::locked`](crate::scene::SceneFile::locked)) disables it as a whole.
    /// Default: yes. Otherwise it asks [`is_locked`](super::is_locked) for parts.
    pub locks_as_a_whole: bool,
    /// Its state during a match. Default: folded.
    pub in_match: InMatch,
    /// Its place if an app adds it. Default: below the others.
    pub place: Place,
    /// Shows it.
    pub show: fn(&mut Ui, &mut World),
}

/// The state of a section during a match. Sections that a person folds and unfolds then stay so for that match.
/// Afterwards the panel is as before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InMatch {
    /// Initially folded.
    #[default]
    Folded,
    /// Unchanged.
    Same,
    /// Left out, as it has no use in a match.
    LeftOut,
}

/// The place of a section that an app adds to the panel. If the named section does not exist, it is below the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Below the others.
    #[default]
    Last,
    /// Above the section of this name.
    Before(&'static str),
    /// Below the section of this name.
    After(&'static str),
}

impl Section {
    /// A section with its name, its title and its function. The other fields have their defaults.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, show: fn(&mut Ui, &mut World)) -> Self {
        Self {
            name,
            title,
            open: false,
            applies: |_| true,
            comes_up: |_| false,
            edits: false,
            locks_as_a_whole: true,
            in_match: InMatch::Folded,
            place: Place::Last,
            show,
        }
    }

    /// The same, initially open.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// The same, left out if the current scene has no use for it.
    #[must_use]
    pub const fn applies(self, applies: fn(&World) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// The same, open while this condition holds.
    #[must_use]
    pub const fn comes_up(self, comes_up: fn(&World) -> bool) -> Self {
        Self { comes_up, ..self }
    }

    /// The same, as a section that disables parts of itself where the scene locks it.
    #[must_use]
    pub const fn locks_its_parts(self) -> Self {
        Self { locks_as_a_whole: false, ..self }
    }

    /// The same, as a section that edits discs, terrain or physics and is left out of matches.
    #[must_use]
    pub const fn edits(self) -> Self {
        Self { edits: true, in_match: InMatch::LeftOut, ..self }
    }

    /// The same, with this state during a match.
    #[must_use]
    pub const fn in_match(self, in_match: InMatch) -> Self {
        Self { in_match, ..self }
    }

    /// The same, above the section of this name.
    #[must_use]
    pub const fn before(self, name: &'static str) -> Self {
        Self { place: Place::Before(name), ..self }
    }

    /// The same, below the section of this name.
    #[must_use]
    pub const fn after(self, name: &'static str) -> Self {
        Self { place: Place::After(name), ..self }
    }
}
