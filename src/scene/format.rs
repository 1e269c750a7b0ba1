//! The form of a scene file: plain data in RON, every field with a default, unknown fields rejected.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    contents::Listed,
    generate::Generator,
    lesson::Lesson,
    look::{Camera, Surroundings},
    ron_value::RonValue,
};
use crate::{
    collision::{CollisionSettings, spin::TablePhysics},
    motion::MotionSettings,
    scene::entries::{DiscEntry, JointEntry, Pace, PocketEntry, TerrainEntry, TileEntry, is_default},
};

/// A scene, as it stands in a file.
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
    /// A name for people.
    pub title: String,
    /// A sentence: what it shows and what to try.
    pub description: String,
    /// The surroundings in which it is drawn. Default: a laboratory, or a table for a scene with a billiard table.
    pub surroundings: Surroundings,
    /// What it teaches beyond the common things: a shipped lesson, or one that a game has registered. Default: nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub lesson: Lesson,
    /// Where the camera looks at the start. Default: everything in view.
    #[serde(skip_serializing_if = "is_default")]
    pub camera: Camera,
    /// How time runs.
    pub pace: Pace,
    /// How collisions are resolved.
    pub collision: CollisionSettings,
    /// What forces act.
    pub motion: MotionSettings,
    /// The names of the panel's sections that are open at the start, out of [`PANEL_SECTIONS`](super::PANEL_SECTIONS)
    /// and those that a game has added. Default: none beyond those that always are.
    #[serde(skip_serializing_if = "is_default")]
    pub panel: Vec<String>,
    /// Whether every disc shows its velocity arrow. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub arrows: bool,
    /// How long the trails behind discs are at first, seconds, 0 to 60. Default: 0, none.
    #[serde(skip_serializing_if = "is_default")]
    pub trails: f32,
    /// How discs that spin move on the cloth, meet each other and rebound from cushions. Default: none, and nothing
    /// spins.
    #[serde(skip_serializing_if = "is_default")]
    pub table: Option<TablePhysics>,
    /// The table as which terrain, pockets and discs are drawn, one of `assets/tables`: rails, cushions, spots and
    /// sights. It makes nothing. A saved scene lists the pieces of its table one by one, and names the table here.
    /// Default: that of the first generator `Table`, if there is one.
    #[serde(skip_serializing_if = "is_default")]
    pub furniture: Option<String>,
    /// What discs bounce off, in the order of resolution.
    pub terrain: Vec<TerrainEntry>,
    /// The tiles that are the table together: discs pass where they touch, and bounce off the outline elsewhere.
    /// Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub tiles: Vec<TileEntry>,
    /// What discs fall into.
    #[serde(skip_serializing_if = "is_default")]
    pub pockets: Vec<PocketEntry>,
    /// The discs, in the order of resolution.
    pub discs: Vec<DiscEntry>,
    /// What holds discs together: springs, rods and ropes.
    #[serde(skip_serializing_if = "is_default")]
    pub joints: Vec<JointEntry>,
    /// What makes further terrain and discs, after those that are listed.
    #[serde(skip_serializing_if = "is_default")]
    pub generate: Vec<Generator>,
}

impl SceneFile {
    /// The values that a game reads: those of its components and generators.
    pub(super) fn values_of_games(&mut self) -> impl Iterator<Item = &mut RonValue> {
        let terrain = self.terrain.iter_mut().flat_map(|piece| piece.components.values_mut());
        let pockets = self.pockets.iter_mut().flat_map(|pocket| pocket.components.values_mut());
        let discs = self.discs.iter_mut().flat_map(|disc| disc.components.values_mut());
        let generators = self.generate.iter_mut().filter_map(|generator| match generator {
            Generator::Custom(custom) => Some(&mut custom.settings),
            _ => None,
        });
        terrain.chain(pockets).chain(discs).chain(generators)
    }

    /// How much of what it holds is listed.
    pub(super) fn listed(&self) -> Listed {
        Listed {
            terrain: self.terrain.len(),
            pockets: self.pockets.len(),
            discs: self.discs.len(),
            joints: self.joints.len(),
        }
    }
}
