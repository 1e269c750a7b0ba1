//! The terrain and the discs of a scene one by one, including those made by generators.

use serde::{Deserialize, Serialize};

use super::{
    entries::{DiscEntry, JointEntry, PocketEntry, TerrainEntry, TileEntry},
    ron_value::RonValue,
};
use crate::collision::spin::TablePhysics;

/// A generator that a game has registered with
/// [`SceneAppExt::add_scene_generator`](super::SceneAppExt::add_scene_generator).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Custom {
    /// Its registered name.
    pub name: String,
    /// Its parameters. Default: `()`.
    #[serde(default)]
    pub settings: RonValue,
}

/// The largest number of discs in one scene.
pub const MAX_DISCS: usize = 1_000_000;

/// The terrain and discs of a scene, one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The listed pieces, then those that generators made.
    pub terrain: Vec<TerrainEntry>,
    /// The listed pockets, then those that generators made.
    pub pockets: Vec<PocketEntry>,
    /// The listed discs, then those that generators made.
    pub discs: Vec<DiscEntry>,
    /// The tiles.
    pub tiles: Vec<TileEntry>,
    /// The joints.
    pub joints: Vec<JointEntry>,
    /// The physics of the table that a generator made, if one did.
    pub table: Option<TablePhysics>,
    /// Warnings about likely mistakes. Empty until the contents are complete.
    pub warnings: Vec<String>,
}

/// The [`StableId`](crate::components::StableId)s of everything in a scene.
pub(super) struct Numbers {
    pub(super) terrain: Vec<u64>,
    pub(super) discs: Vec<u64>,
    pub(super) pockets: Vec<u64>,
    pub(super) tiles: Vec<u64>,
    pub(super) joints: Vec<u64>,
}

impl Contents {
    /// The id of each piece of terrain, disc, pocket, tile and joint: its explicit id, or the next free one. Generated
    /// ids come after all explicit ones.
    pub(super) fn numbers(&self) -> Numbers {
        let [terrain, discs, pockets]: [Vec<Option<u64>>; 3] = [
            self.terrain.iter().map(|piece| piece.id).collect(),
            self.discs.iter().map(|disc| disc.id).collect(),
            self.pockets.iter().map(|pocket| pocket.id).collect(),
        ];
        let explicit = [&terrain, &discs, &pockets].into_iter().flatten().flatten().max();
        let mut next = explicit.map_or(0, |id| id.saturating_add(1));
        let mut number = |ids: Vec<Option<u64>>| {
            let mut own = || {
                let own = next;
                next = next.saturating_add(1);
                own
            };
            ids.into_iter().map(|id| id.unwrap_or_else(&mut own)).collect()
        };
        let unnumbered = |count: usize| vec![None; count];
        Numbers {
            terrain: number(terrain),
            discs: number(discs),
            pockets: number(pockets),
            tiles: number(unnumbered(self.tiles.len())),
            joints: number(unnumbered(self.joints.len())),
        }
    }
}

/// How many of the discs, pieces of terrain and so on are listed in the file. The others come from generators.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listed {
    pub(super) terrain: usize,
    pub(super) pockets: usize,
    pub(super) discs: usize,
    pub(super) joints: usize,
}

impl Listed {
    /// The place of a disc in the file, as the start of a message.
    pub(super) fn disc(self, i: usize) -> String {
        let made = if i < self.discs { "" } else { MADE };
        format!("{made}discs[{i}]")
    }

    /// The place of a pocket in the file, as the start of a message.
    pub(super) fn pocket(self, i: usize) -> String {
        let made = if i < self.pockets { "" } else { MADE };
        format!("{made}pockets[{i}]")
    }

    /// The place of a piece of terrain in the file, as the start of a message.
    pub(super) fn terrain(self, i: usize) -> String {
        let made = if i < self.terrain { "" } else { MADE };
        format!("{made}terrain[{i}]")
    }

    /// The place of a joint in the file, as the start of a message.
    pub(super) fn joint(self, i: usize) -> String {
        let made = if i < self.joints { "" } else { MADE };
        format!("{made}joints[{i}]")
    }
}

const MADE: &str = "what generate makes: ";
