//! The format of a scene file: plain data in RON. Every field has a default, and unknown fields are rejected.

use core::ops::RangeInclusive;
use std::sync::Arc;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    generate::Generator,
    lesson::Lesson,
    look::{Camera, Surroundings},
    recorded::RunFile,
    ron_value::RonValue,
};
use crate::{
    collision::{CollisionSettings, spin::TablePhysics},
    laboratory::instruments::Instrument,
    motion::MotionSettings,
    scene::entries::{DiscEntry, JointEntry, Pace, PocketEntry, TerrainEntry, TileEntry, is_default},
};

/// A scene file.
///
/// ```
/// # use carom::scene::SceneFile;
/// let text = r##"(title: "One disc", discs: [(position: (0, 1), velocity: (2, 0), radius: 0.25, colour:
/// "#3366cc")])"##; let scene = SceneFile::parse(text, "one.ron").unwrap(); assert_eq!(scene.discs[0].radius, 0.25);
/// ```
#[derive(Asset, TypePath, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneFile {
    /// The title.
    pub title: String,
    /// A sentence about what it shows and what to try.
    pub description: String,
    /// The surroundings in which it is drawn. Default: a laboratory, or a table for a scene with a billiard table.
    pub surroundings: Surroundings,
    /// The lesson that it teaches, shipped or registered by a game. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub lesson: Lesson,
    /// The name of the experiment that it is for, one of [`EXPERIMENTS`](crate::experiments::EXPERIMENTS). Default:
    /// none.
    #[serde(skip_serializing_if = "is_default")]
    pub experiment: String,
    /// Names of the panel's sections whose controls are locked, for lessons in a class. `all` locks every section that
    /// changes the scene. Default: none.
    #[serde(skip_serializing_if = "is_default")]
    pub locked: Vec<String>,
    /// The camera at the start. Default: everything in view.
    #[serde(skip_serializing_if = "is_default")]
    pub camera: Camera,
    /// The rate of simulated time.
    pub pace: Pace,
    /// How collisions are resolved.
    pub collision: CollisionSettings,
    /// Forces.
    pub motion: MotionSettings,
    /// Names of the panel's sections that are open at the start, from [`PANEL_SECTIONS`](super::PANEL_SECTIONS) or
    /// added by a game. Default: only those that are always open.
    #[serde(skip_serializing_if = "is_default")]
    pub panel: Vec<String>,
    /// Whether every disc shows its velocity arrow. Default: no.
    #[serde(skip_serializing_if = "is_default")]
    pub arrows: bool,
    /// The length of the trails behind discs at the start, seconds, in the range [`SceneFile::TRAILS`]. Default: 0, no
    /// trails.
    #[serde(skip_serializing_if = "is_default")]
    pub trails: f32,
    /// The motion of spinning discs on the cloth, their collisions and their rebounds from cushions. Default: none, and
    /// nothing spins.
    #[serde(skip_serializing_if = "is_default")]
    pub table: Option<TablePhysics>,
    /// The billiard table that terrain, pockets and discs are drawn as, one of `assets/tables`: rails, cushions, spots
    /// and sights. It adds no terrain. A saved scene lists the pieces of its table one by one, and names the table
    /// here. Default: the table of the first generator `Table`, if there is one.
    #[serde(skip_serializing_if = "is_default")]
    pub furniture: Option<String>,
    /// The terrain, in the order of resolution.
    pub terrain: Vec<TerrainEntry>,
    /// The tiles, which form one table: discs pass where tiles touch, and bounce off the outline elsewhere. Default:
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
    /// The instruments of the laboratory on the table. They change nothing in the simulation.
    #[serde(skip_serializing_if = "is_default")]
    pub instruments: Vec<Instrument>,
    /// Generators, which add terrain and discs after the listed ones.
    #[serde(skip_serializing_if = "is_default")]
    pub generate: Vec<Generator>,
    /// The run that starts from this scene, if it was read from a file or a link of a run. Scene files do not contain
    /// it.
    #[serde(skip)]
    pub run: Option<Arc<RunFile>>,
}

impl SceneFile {
    /// The name in [`Self::locked`] that stands for every section that changes the scene.
    pub const ALL_LOCKED: &'static str = "all";

    /// The range of [`Self::trails`], seconds. The remedy in `check` repeats it in words.
    pub const TRAILS: RangeInclusive<f32> = 0.0..=60.0;

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
}
