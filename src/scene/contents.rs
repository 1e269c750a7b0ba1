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
        let mut next = self.largest_id().map_or(0, |id| id.saturating_add(1));
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
pub(super) struct Listed<'a> {
    pub(super) count: Counts,
    /// The generators that have run, in their order.
    pub(super) makers: &'a [Maker],
}

/// How many things of each kind there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    terrain: usize,
    pockets: usize,
    discs: usize,
    joints: usize,
}

/// A generator that has run.
#[derive(Clone, Debug)]
pub(super) struct Maker {
    /// Its place, such as `generate[1].Lattice`.
    pub(super) place: String,
    /// How many things there are with those that it made.
    pub(super) until: Counts,
}

impl Contents {
    /// The ids that pieces of terrain, discs and pockets have in the file.
    fn ids(&self) -> impl Iterator<Item = Option<u64>> {
        let terrain = self.terrain.iter().map(|piece| piece.id);
        terrain.chain(self.discs.iter().map(|disc| disc.id)).chain(self.pockets.iter().map(|pocket| pocket.id))
    }

    /// The largest explicit id.
    pub(super) fn largest_id(&self) -> Option<u64> {
        self.ids().flatten().max()
    }

    /// How many things have no explicit id.
    pub(super) fn count_without_id(&self) -> u64 {
        (self.ids().filter(Option::is_none).count() + self.tiles.len() + self.joints.len()) as u64
    }

    /// How much there is of each kind.
    pub(super) fn counts(&self) -> Counts {
        let Self { terrain, pockets, discs, joints, .. } = self;
        Counts { terrain: terrain.len(), pockets: pockets.len(), discs: discs.len(), joints: joints.len() }
    }
}

impl Listed<'_> {
    /// The place of a disc in the file, as the start of a message.
    pub(super) fn disc(self, i: usize) -> String {
        self.place("discs", i, |counts| counts.discs)
    }

    /// The place of a pocket in the file, as the start of a message.
    pub(super) fn pocket(self, i: usize) -> String {
        self.place("pockets", i, |counts| counts.pockets)
    }

    /// The place of a piece of terrain in the file, as the start of a message.
    pub(super) fn terrain(self, i: usize) -> String {
        self.place("terrain", i, |counts| counts.terrain)
    }

    /// The place of a joint in the file, as the start of a message.
    pub(super) fn joint(self, i: usize) -> String {
        self.place("joints", i, |counts| counts.joints)
    }

    /// The place of a thing in the file, or else its number among those that its generator makes.
    fn place(self, kind: &str, i: usize, count: fn(&Counts) -> usize) -> String {
        let mut before = count(&self.count);
        if i < before {
            return format!("{kind}[{i}]");
        }
        for Maker { place, until } in self.makers {
            let end = count(until);
            if i < end {
                return format!("what {place} makes: {kind}[{}]", i - before);
            }
            before = end;
        }
        format!("{kind}[{i}]")
    }
}
