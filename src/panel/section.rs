//! What a section of the panel is.

use bevy::prelude::*;
use bevy_egui::egui::Ui;

/// One section of the panel, made by [`Section::new`].
#[derive(Clone, Copy)]
pub struct Section {
    /// Its name in scene files ([`PANEL_SECTIONS`](crate::scene::PANEL_SECTIONS)) and in what is remembered.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Whether it is open where neither the person nor the scene says. Default: no.
    pub open: bool,
    /// Whether the present scene has a use for it. Default: yes.
    pub applies: fn(&World) -> bool,
    /// Whether it opens of itself now, where it is closed else. Default: never.
    pub comes_up: fn(&World) -> bool,
    /// Whether it edits discs, terrain or physics: while there is an [`EditLock`](crate::input::EditLock) it cannot be
    /// used. Default: no.
    pub edits: bool,
    /// What becomes of it while a match runs. Default: it is folded.
    pub in_match: InMatch,
    /// Where it stands if an app adds it. Default: below the others.
    pub place: Place,
    /// Shows it.
    pub show: fn(&mut Ui, &mut World),
}

/// What becomes of a section while a match runs. What a person folds and unfolds then holds for that match: afterwards
/// the panel is as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InMatch {
    /// It is folded at first.
    #[default]
    Folded,
    /// It is as open as it was.
    Same,
    /// It is left out, since a match has no use for it.
    LeftOut,
}

/// Where a section stands that an app adds to the panel. Where there is none of the name that is given, it stands below
/// the others.
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
    /// A section with its name, its title and what shows it; the rest is as the fields say by default.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, show: fn(&mut Ui, &mut World)) -> Self {
        Self {
            name,
            title,
            open: false,
            applies: |_| true,
            comes_up: |_| false,
            edits: false,
            in_match: InMatch::Folded,
            place: Place::Last,
            show,
        }
    }

    /// The same, open at first.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// The same, left out where the present scene has no use for it.
    #[must_use]
    pub const fn applies(self, applies: fn(&World) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// The same, open while this is so.
    #[must_use]
    pub const fn comes_up(self, comes_up: fn(&World) -> bool) -> Self {
        Self { comes_up, ..self }
    }

    /// The same, which edits discs, terrain or physics, so that a match has no use for it.
    #[must_use]
    pub const fn edits(self) -> Self {
        Self { edits: true, in_match: InMatch::LeftOut, ..self }
    }

    /// The same, with what becomes of it while a match runs.
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
