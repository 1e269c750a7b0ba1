//! Generators: terrain and discs from a few numbers. The same scene gives the same discs to the bit on every platform:
//! PCG-32 with a seed that stands in the file, and only arithmetic that is the same everywhere.

use serde::{Deserialize, Serialize};

use super::{
    check::{self, Listed},
    format::{DiscEntry, PocketEntry, SceneFile, TerrainEntry, TileEntry},
    joints::JointEntry,
    registry::{RonValue, SceneRegistry},
};
use crate::collision::{LIMIT, settings::shortest, spin::TablePhysics};

mod gas;
mod lattice;
mod pile;
mod rack;
mod random_fill;
mod table;

pub use gas::Gas;
pub use lattice::Lattice;
pub use pile::Pile;
pub use rack::Rack;
pub use random_fill::RandomFill;
pub use table::Table;

/// Makes discs, and some of them the walls around them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Generator {
    /// Fifteen billiard balls in a triangle.
    Rack(Rack),
    /// Equal discs in rows and columns.
    Lattice(Lattice),
    /// Discs of random sizes at random places that do not overlap.
    RandomFill(RandomFill),
    /// A gas in a square box, as the measurements of collision engines use it.
    Gas(Gas),
    /// A pile of discs dropped into a box, as the measurements of collision engines use it.
    Pile(Pile),
    /// A billiard table by its name, and the balls of a game on it.
    Table(Table),
    /// What a game has registered.
    Custom(Custom),
}

/// A generator that a game has registered with [`SceneApp::add_scene_generator`](super::SceneApp::add_scene_generator).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Custom {
    /// The name by which it is registered.
    pub name: String,
    /// What it is made from. Default: `()`.
    #[serde(default)]
    pub settings: RonValue,
}

/// The most discs that one scene may hold.
pub const MAX_DISCS: usize = 1_000_000;

/// The most generators of one scene: a few letters each make up to a hundred pieces of terrain.
pub const MAX_GENERATORS: usize = 256;

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
    /// What is odd about them although it can be run, in words for people; empty until all are there.
    pub warnings: Vec<String>,
}

/// The [`StableId`](crate::components::StableId)s of all that is in a scene.
pub(super) struct Numbers {
    pub(super) terrain: Vec<u64>,
    pub(super) discs: Vec<u64>,
    pub(super) pockets: Vec<u64>,
    pub(super) tiles: Vec<u64>,
    pub(super) joints: Vec<u64>,
}

impl Contents {
    /// The number of each piece, disc and pocket: its own, or the next free one. Those without one of their own come
    /// after those with one.
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

impl Generator {
    fn name(&self) -> &str {
        match self {
            Self::Rack(_) => "Rack",
            Self::Lattice(_) => "Lattice",
            Self::RandomFill(_) => "RandomFill",
            Self::Gas(_) => "Gas",
            Self::Pile(_) => "Pile",
            Self::Table(_) => "Table",
            Self::Custom(custom) => &custom.name,
        }
    }

    /// Adds what it makes to `contents`. The registry knows those of a game.
    ///
    /// # Errors
    /// One of its values makes no sense, there is not enough room, or it is not registered; in words.
    pub fn run(&self, contents: &mut Contents, registry: &SceneRegistry) -> Result<(), String> {
        match self {
            Self::Rack(rack) => rack.run(contents),
            Self::Lattice(lattice) => lattice.run(contents),
            Self::RandomFill(fill) => fill.run(contents),
            Self::Gas(gas) => gas.run(contents),
            Self::Pile(pile) => pile.run(contents),
            Self::Table(table) => table.run(contents),
            Self::Custom(custom) => registry.generate(custom, contents),
        }
    }

    /// How many discs it is asked for, if that can be chosen.
    pub fn count_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Rack(_) | Self::Table(_) | Self::Custom(_) => None,
            Self::Lattice(lattice) => Some(&mut lattice.count),
            Self::RandomFill(fill) => Some(&mut fill.count),
            Self::Gas(gas) => Some(&mut gas.count),
            Self::Pile(pile) => Some(&mut pile.count),
        }
    }
}

impl Generator {
    /// What fixes its random numbers, if it has any.
    pub fn seed_mut(&mut self) -> Option<&mut u64> {
        match self {
            Self::Rack(_) | Self::Table(_) | Self::Custom(_) => None,
            Self::Lattice(lattice) => Some(&mut lattice.seed),
            Self::RandomFill(fill) => Some(&mut fill.seed),
            Self::Gas(gas) => Some(&mut gas.seed),
            Self::Pile(pile) => Some(&mut pile.seed),
        }
    }
}

impl SceneFile {
    /// All terrain and discs of the scene: those that are listed, then those that its generators make; and what is odd
    /// about them. It knows what is shipped.
    ///
    /// # Errors
    /// The first value that makes no sense: its place in the file, the value, and what is allowed.
    pub fn expand(&self) -> Result<Contents, String> {
        self.expand_with(&SceneRegistry::default())
    }

    /// [`SceneFile::expand`] of a scene that may name what is registered.
    ///
    /// # Errors
    /// Those of [`SceneFile::expand`].
    pub fn expand_with(&self, registry: &SceneRegistry) -> Result<Contents, String> {
        let mut contents = Contents {
            terrain: self.terrain.clone(),
            pockets: self.pockets.clone(),
            discs: self.discs.clone(),
            tiles: self.tiles.clone(),
            joints: self.joints.clone(),
            table: None,
            warnings: Vec::new(),
        };
        let listed = Listed::of(self);
        check::values(&contents, listed, registry)?;
        if self.generate.len() > MAX_GENERATORS {
            return Err(format!("generate has {} generators; give {MAX_GENERATORS} at most", self.generate.len()));
        }
        for (i, generator) in self.generate.iter().enumerate() {
            let name = generator.name();
            let at = |problem: String| format!("generate[{i}] ({name}): {problem}");
            generator.run(&mut contents, registry).map_err(at)?;
            // What a game has registered is not known before.
            if contents.discs.len() > MAX_DISCS {
                return Err(at(too_many_discs()));
            }
        }
        if !self.generate.is_empty() {
            check::values(&contents, listed, registry)?;
        }
        check::check_images(&self.collision.periodic, &contents)?;
        contents.warnings = check::whole(&self.collision.periodic, &contents, listed);
        Ok(contents)
    }
}

/// `Ok` if `value` is above zero and within [`LIMIT`], else a line that says so.
fn above_zero(field: &str, value: f32) -> Result<(), String> {
    if value > 0.0 && value <= LIMIT {
        Ok(())
    } else {
        Err(format!("{field} is {}; it must be a finite number above zero, up to 1e12", shortest(f64::from(value))))
    }
}

/// `Ok` if `value` lies in `low..=high`, else a line that says so.
fn within(field: &str, value: f32, low: f32, high: f32) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!("{field} is {}; it must be from {low} to {high}", shortest(f64::from(value))))
    }
}

/// Whether so many more discs may be made, before any is.
fn check_count(count: usize, contents: &Contents) -> Result<(), String> {
    if count > MAX_DISCS {
        return Err(format!("count is {count}; it must be from 0 to {MAX_DISCS}"));
    }
    if contents.discs.len() + count > MAX_DISCS { Err(too_many_discs()) } else { Ok(()) }
}

fn too_many_discs() -> String {
    format!("makes more than {MAX_DISCS} discs; ask for fewer")
}
