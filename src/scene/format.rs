//! The format of scene files: plain data in RON. Every field has a default, and unknown fields are rejected.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    contents::Listed,
    generate::Generator,
    lesson::Lesson,
    look::{Camera, Surroundings},
};
use crate::{
    collision::{CollisionSettings, spin::TablePhysics},
    motion::MotionSettings,
    scene::entries::{DiscEntry, JointEntry, Pace, PocketEntry, TerrainEntry, TileEntry, is_default},
};

/// A scene file.
///
/// ```
/// # use carom::scene::SceneFile;
/// let text = r##"(title: "One disc", discs: [(position: (0, 1), velocity: (2, 0), radius: 0.25, colour: "#3366cc")])"##;
/// let scene = SceneFile::parse(text, "one.ron").unwrap();
/// assert_eq!(scene.discs[0].radius, 0.25);
/// ```
#[derive(Asset, TypePath, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneFile {
    /// The displayed name.
    pub title: String,
    /// A sentence: what the scene shows and what to try.
    pub description: String,
    /// The surroundings for drawing. Default: a laboratory, or a table for a scene with a billiard table.
    pub surroundings: Surroundings,
    /// Its lesson: a shipped one, or one that a game has registered. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub lesson: Lesson,
    /// The initial view of the camera. Default: everything in view.
    #[serde(skip_serializing_if = "is_default")]
    pub camera: Camera,
    /// How time runs.
    pub pace: Pace,
    /// How collisions are resolved.
    pub collision: CollisionSettings,
    /// The forces.
    pub motion: MotionSettings,
    /// The sections of the panel to open at the start, from [`PANEL_SECTIONS`](super::PANEL_SECTIONS) and those that a
    /// game has added. Default: none except those that are always open.
    #[serde(skip_serializing_if = "is_default")]
    pub panel: Vec<String>,
    /// Whether every disc shows its velocity arrow. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub arrows: bool,
    /// The initial length of the trails behind discs, seconds, 0 to 60. Default: 0, none.
    #[serde(skip_serializing_if = "is_default")]
    pub trails: f32,
    /// The physics of discs that spin: on the cloth, with each other and at cushions. Default: `None`, without spin.
    #[serde(skip_serializing_if = "is_default")]
    pub table: Option<TablePhysics>,
    /// The table to draw for the terrain, pockets and discs, from `assets/tables`: rails, cushions, spots and sights.
    /// It creates nothing. A saved scene lists the pieces of its table one by one, and names the table here. Default:
    /// that of the first generator `Table`, if there is one.
    #[serde(skip_serializing_if = "is_default")]
    pub furniture: Option<String>,
    /// The terrain, in the order of resolution.
    pub terrain: Vec<TerrainEntry>,
    /// The tiles that form the table: discs pass between touching tiles, and bounce off the outline elsewhere. Default:
    /// none.
    #[serde(skip_serializing_if = "is_default")]
    pub tiles: Vec<TileEntry>,
    /// The pockets.
    #[serde(skip_serializing_if = "is_default")]
    pub pockets: Vec<PocketEntry>,
    /// The discs, in the order of resolution.
    pub discs: Vec<DiscEntry>,
    /// The joints between discs: springs, rods and ropes.
    #[serde(skip_serializing_if = "is_default")]
    pub joints: Vec<JointEntry>,
    /// The generators of further terrain and discs, after the listed ones.
    #[serde(skip_serializing_if = "is_default")]
    pub generate: Vec<Generator>,
}

impl SceneFile {
    /// The numbers of listed entries.
    pub(super) fn listed(&self) -> Listed {
        Listed {
            terrain: self.terrain.len(),
            pockets: self.pockets.len(),
            discs: self.discs.len(),
            joints: self.joints.len(),
        }
    }
}
