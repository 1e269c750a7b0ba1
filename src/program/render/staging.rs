//! The display options of `carom render`.

use bevy::math::UVec2;

use crate::{
    program::strike::Shot,
    scene::SceneFile,
    view::{ColourBy, Language, ThemeChoice, ViewSettings},
};

/// The size of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Width and height, pixels.
    pub pixels: UVec2,
    /// Pixels of the image per pixel of the window's layout, such as 2 for a high-resolution screen.
    pub scale: f32,
}

/// How a scene is displayed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Staging {
    /// The colours.
    pub theme: ThemeChoice,
    /// The language.
    pub language: Language,
    /// Displays besides the discs.
    pub show: Vec<Show>,
    /// Whether to draw the whole window, with title and panel.
    pub window: bool,
    /// The shot of the cue ball, or else of the first disc, at the start.
    pub strike: Option<Shot>,
    /// The aim shown for the cue ball, or else for the first disc.
    pub aim: Option<Shot>,
}

/// A display besides the discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Show {
    /// Velocity arrows on all discs.
    Arrows,
    /// Momentum arrows.
    Momenta,
    /// Hits along their normals.
    Hits,
    /// The cells and candidate pairs of the broad phase.
    Grid,
    /// Trails of this many seconds.
    Trails(f32),
    /// Discs coloured by a measured property.
    Colour(ColourBy),
}

impl Show {
    /// Parses an argument of `--show`.
    ///
    /// # Errors
    /// It is invalid. The message lists the valid ones.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        match (name, value) {
            ("arrows", None) => Ok(Self::Arrows),
            ("momenta", None) => Ok(Self::Momenta),
            ("hits", None) => Ok(Self::Hits),
            ("grid", None) => Ok(Self::Grid),
            ("trails", Some(seconds)) => {
                seconds.parse().ok().filter(|seconds| SceneFile::TRAILS.contains(seconds)).map(Self::Trails).ok_or_else(
                    || {
                        let [least, most] = [SceneFile::TRAILS.start(), SceneFile::TRAILS.end()];
                        format!("--show {text}: give a length in seconds, {least} to {most}, such as trails=2")
                    },
                )
            }
            ("colour", Some(by)) => {
                let found = ColourBy::ALL.into_iter().find(|(_, name)| name.ends_with(by) && !by.is_empty());
                let names = ColourBy::ALL.map(|(_, name)| name.rsplit(' ').next().unwrap_or(name)).join(", ");
                found.map(|(by, _)| Self::Colour(by)).ok_or_else(|| format!("--show {text}: give one of {names}"))
            }
            _ => Err(format!("--show {text}: give arrows, momenta, hits, grid, trails=SECONDS or colour=WHAT")),
        }
    }

    pub(super) fn apply(self, settings: &mut ViewSettings) {
        match self {
            Self::Arrows => settings.arrows = true,
            Self::Momenta => settings.momentum = true,
            Self::Hits => settings.hits = true,
            Self::Grid => settings.grid = true,
            Self::Trails(seconds) => settings.trails = seconds,
            Self::Colour(by) => settings.colour_by = by,
        }
    }
}
