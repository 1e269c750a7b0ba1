//! Generators make terrain and discs from a few numbers.
//!
//! The same scene gives bit-identical discs on every platform: random numbers come from PCG-32 with a seed in the file,
//! and all arithmetic is platform-independent.

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use super::registry::SceneRegistry;
use crate::components::{Described, InvalidValue, LIMIT, Mass};

mod gas;
mod lattice;
mod pile;
mod rack;
mod random_fill;
mod table;

pub use super::contents::{Contents, Custom, MAX_DISCS};
pub use gas::Gas;
pub use lattice::Lattice;
pub use pile::Pile;
pub use rack::Rack;
pub use random_fill::RandomFill;
pub use table::Table;

/// Makes discs and, depending on the generator, walls around them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Generator {
    /// Fifteen billiard balls in a triangle.
    Rack(Rack),
    /// Equal discs in rows and columns.
    Lattice(Lattice),
    /// Discs of random sizes at random places that do not overlap.
    RandomFill(RandomFill),
    /// A gas in a square box, as in benchmarks of collision engines.
    Gas(Gas),
    /// A pile of discs dropped into a box, as in benchmarks of collision engines.
    Pile(Pile),
    /// A billiard table by its name, and the balls of a game on it.
    Table(Table),
    /// A generator that a game has registered.
    Custom(Custom),
}

/// The largest number of generators in one scene. A few letters of each can make up to a hundred pieces of terrain.
pub const MAX_GENERATORS: usize = 256;

impl Generator {
    pub(super) fn name(&self) -> &str {
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

    /// Adds its terrain and discs to `contents`. The registry contains the generators of a game.
    ///
    /// # Errors
    /// If a value is invalid, there is not enough room, or the generator is not registered.
    pub fn run(&self, contents: &mut Contents, registry: &SceneRegistry) -> Result<(), InvalidValue> {
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

    /// The number of discs to make, if it can be chosen.
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
    /// The seed of its random numbers, if it has one.
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

/// `Ok` if `value` lies in `low..=high`.
fn within(field: &'static str, value: f32, low: f32, high: f32) -> Result<(), InvalidValue> {
    let invalid = || InvalidValue::new(field, value, format!("set it from {low} to {high}"));
    if (low..=high).contains(&value) { Ok(()) } else { Err(invalid()) }
}

/// `Ok` if the value of a field is valid for this component of a disc.
fn check_as<C: Described>(field: &'static str, component: &C) -> Result<(), InvalidValue> {
    component.check().map_err(|invalid| invalid.of(field))
}

/// The same for an optional mass.
fn check_mass(mass: Option<f32>) -> Result<(), InvalidValue> {
    mass.map_or(Ok(()), |mass| check_as("mass", &Mass(mass)))
}

/// `Ok` if `value` is above zero by at least the reciprocal of [`LIMIT`], and at most [`LIMIT`].
fn check_positive(field: &'static str, value: f32, range: &'static str) -> Result<(), InvalidValue> {
    InvalidValue::check(field, value, [1.0 / LIMIT, LIMIT], range)
}

/// `Ok` if `value` is valid as the speed, m/s, of a motion in a random direction.
fn check_speed(field: &'static str, value: f32) -> Result<(), InvalidValue> {
    InvalidValue::check(field, value, [0.0, LIMIT], "set it from 0 to 1e12 m/s")
}

/// `Ok` if both components are finite and within [`LIMIT`].
fn check_place(field: &'static str, value: Vec2) -> Result<(), InvalidValue> {
    InvalidValue::check_vector(field, value, "set it to finite coordinates within 1e12 m")
}

/// Checks that this many more discs are allowed, before any is made.
fn check_count(count: usize, contents: &Contents) -> Result<(), InvalidValue> {
    if count > MAX_DISCS {
        return Err(InvalidValue::new("count", count.to_string(), format!("set it from 0 to {MAX_DISCS}")));
    }
    if contents.discs.len() + count > MAX_DISCS { Err(too_many_discs()) } else { Ok(()) }
}

pub(super) fn too_many_discs() -> InvalidValue {
    InvalidValue::without_value("", format!("it makes more than {MAX_DISCS} discs; ask for fewer"))
}
