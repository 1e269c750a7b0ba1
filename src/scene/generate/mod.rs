//! Generators: terrain and discs from a few numbers. The same scene gives the same discs to the bit on every platform:
//! PCG-32 with a seed that stands in the file, and only arithmetic that is the same everywhere.

use serde::{Deserialize, Serialize};

use super::format::{DiscEntry, SceneFile, TerrainEntry};
use crate::collision::{DiscState, check_disc, settings::shortest};

mod chance;
mod gas;
mod lattice;
mod pile;
mod rack;
mod random_fill;

pub use chance::Chance;
pub use gas::Gas;
pub use lattice::Lattice;
pub use pile::Pile;
pub use rack::Rack;
pub use random_fill::RandomFill;

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
}

/// The most discs that one scene may hold.
pub const MAX_DISCS: usize = 1_000_000;

/// The terrain and discs of a scene, one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The listed pieces, then those that generators made.
    pub terrain: Vec<TerrainEntry>,
    /// The listed discs, then those that generators made.
    pub discs: Vec<DiscEntry>,
}

impl Generator {
    fn name(&self) -> &'static str {
        match self {
            Self::Rack(_) => "Rack",
            Self::Lattice(_) => "Lattice",
            Self::RandomFill(_) => "RandomFill",
            Self::Gas(_) => "Gas",
            Self::Pile(_) => "Pile",
        }
    }

    /// Adds what it makes to `contents`.
    ///
    /// # Errors
    /// One of its values makes no sense, or there is not enough room; in words.
    pub fn run(&self, contents: &mut Contents) -> Result<(), String> {
        match self {
            Self::Rack(rack) => rack.run(contents),
            Self::Lattice(lattice) => lattice.run(contents),
            Self::RandomFill(fill) => fill.run(contents),
            Self::Gas(gas) => gas.run(contents),
            Self::Pile(pile) => pile.run(contents),
        }
    }

    /// How many discs it is asked for, if that can be chosen.
    pub fn count_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Rack(_) => None,
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
            Self::Rack(_) => None,
            Self::Lattice(lattice) => Some(&mut lattice.seed),
            Self::RandomFill(fill) => Some(&mut fill.seed),
            Self::Gas(gas) => Some(&mut gas.seed),
            Self::Pile(pile) => Some(&mut pile.seed),
        }
    }
}

impl SceneFile {
    /// All terrain and discs of the scene: those that are listed, then those that its generators make.
    ///
    /// # Errors
    /// The first value that makes no sense: its place in the file, the value, and what is allowed.
    pub fn expand(&self) -> Result<Contents, String> {
        let mut contents = Contents { terrain: self.terrain.clone(), discs: self.discs.clone() };
        check_contents(&contents)?;
        for (i, generator) in self.generate.iter().enumerate() {
            let name = generator.name();
            let at = |problem: String| format!("generate[{i}] ({name}): {problem}");
            generator.run(&mut contents).map_err(at)?;
            if contents.discs.len() > MAX_DISCS {
                return Err(at(format!("makes more than {MAX_DISCS} discs; ask for fewer")));
            }
        }
        if self.generate.is_empty() {
            return Ok(contents);
        }
        check_contents(&contents).map_err(|problem| format!("what generate makes: {problem}"))?;
        Ok(contents)
    }
}

fn check_contents(contents: &Contents) -> Result<(), String> {
    let mut ids = std::collections::BTreeSet::new();
    let mut check_id = |id: Option<u64>| match id {
        Some(u64::MAX) => Err("id is the greatest number there is; choose a smaller one".to_owned()),
        Some(id) if !ids.insert(id) => Err(format!("id is {id}, which another one has; give each its own, or none")),
        _ => Ok(()),
    };
    for (i, piece) in contents.terrain.iter().enumerate() {
        let at = |problem: String| format!("terrain[{i}].{problem}");
        check_id(piece.id).map_err(at)?;
        piece.shape.check().map_err(|error| format!("terrain[{i}].shape: {error}"))?;
        // A disc's rules for a place and a restitution are terrain's as well.
        check_disc(&DiscState { position: piece.position, restitution: piece.restitution, ..DiscState::default() })
            .map_err(|invalid| at(field_first(&invalid.to_string())))?;
        if !piece.rotation.is_finite() {
            return Err(at(format!("rotation is {}; set it to a finite angle in radians", piece.rotation)));
        }
    }
    for (i, disc) in contents.discs.iter().enumerate() {
        let at = |problem: String| format!("discs[{i}].{problem}");
        check_id(disc.id).map_err(at)?;
        if let Some(density) = disc.density
            && !(density > 0.0 && density.is_finite())
        {
            return Err(at(format!("density is {density}; set it above zero, in kg/m²")));
        }
        check_disc(&DiscState {
            position: disc.position,
            velocity: disc.velocity,
            radius: disc.radius,
            mass: disc.mass().0,
            restitution: disc.restitution,
            ..DiscState::default()
        })
        .map_err(|invalid| at(field_first(&invalid.to_string())))?;
    }
    Ok(())
}

/// The solver names components (`Radius is -1; …`), a file fields (`radius is -1; …`).
fn field_first(invalid: &str) -> String {
    let mut letters = invalid.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// `Ok` if `value` is above zero and finite, else a line that says so.
fn above_zero(field: &str, value: f32) -> Result<(), String> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(format!("{field} is {}; it must be a finite number above zero", shortest(f64::from(value))))
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

fn check_count(count: usize) -> Result<(), String> {
    if count <= MAX_DISCS { Ok(()) } else { Err(format!("count is {count}; it must be from 0 to {MAX_DISCS}")) }
}
