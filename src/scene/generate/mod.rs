//! Generators make terrain and discs from a few numbers.
//!
//! The same scene gives bit-identical discs on every platform: random numbers come from PCG-32 with a seed in the file,
//! and all arithmetic is platform-independent.

use serde::{Deserialize, Serialize};

use super::registry::SceneRegistry;
use crate::components::{InvalidValue, LIMIT, Mass, check_field};

mod gas;
mod lattice;
mod pegs;
mod pile;
mod rack;
mod random_fill;
mod table;

pub use super::{
    contents::{Contents, Custom},
    whole::MAX_DISCS,
};
pub use gas::Gas;
pub use lattice::Lattice;
pub use pegs::Pegs;
pub use pile::Pile;
pub use rack::Rack;
pub use random_fill::RandomFill;
pub use table::Table;

/// Defines the enum of generators from their types, and how to get at them.
macro_rules! generators {
    ($(#[doc = $doc:literal] $name:ident,)*) => {
        /// Makes discs and, depending on the generator, walls around them.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum Generator {
            $(#[doc = $doc] $name($name),)*
        }

        impl Generator {
            fn generate(&self) -> &dyn Generate {
                match self {
                    $(Self::$name(generator) => generator,)*
                }
            }

            fn generate_mut(&mut self) -> &mut dyn Generate {
                match self {
                    $(Self::$name(generator) => generator,)*
                }
            }

            /// Its name in a scene file: that of the variant, or the registered name of a generator of a game.
            pub(super) fn name(&self) -> &str {
                let variant = match self {
                    $(Self::$name(_) => stringify!($name),)*
                };
                self.generate().registered_name().unwrap_or(variant)
            }
        }
    };
}

generators! {
    /// Fifteen billiard balls in a triangle.
    Rack,
    /// Equal discs in rows and columns.
    Lattice,
    /// Round pegs in rows, as on a Galton board.
    Pegs,
    /// Discs of random sizes at random places that do not overlap.
    RandomFill,
    /// A gas in a square box, as in benchmarks of collision engines.
    Gas,
    /// A pile of discs dropped into a box, as in benchmarks of collision engines.
    Pile,
    /// A billiard table by its name, and the balls of a game on it.
    Table,
    /// A generator that a game has registered.
    Custom,
}

/// The largest number of generators in one scene. A few letters of each can make up to a hundred pieces of terrain.
pub const MAX_GENERATORS: usize = 256;

impl Generator {
    /// Adds its terrain and discs to `contents`. The registry contains the generators of a game.
    ///
    /// # Errors
    /// If a value is invalid, there is not enough room, or the generator is not registered.
    pub fn run(&self, contents: &mut Contents, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        self.generate().run(contents, registry)
    }

    /// The number of discs to make, if it can be chosen.
    pub fn count_mut(&mut self) -> Option<&mut usize> {
        self.generate_mut().count_mut()
    }

    /// The seed of its random numbers, if it has one.
    pub fn seed_mut(&mut self) -> Option<&mut u64> {
        self.generate_mut().seed_mut()
    }
}

/// What a generator does. Each implements it in its own file.
trait Generate {
    /// Adds its terrain and discs to `contents`.
    fn run(&self, contents: &mut Contents, registry: &SceneRegistry) -> Result<(), InvalidValue>;

    /// The number of discs to make, if it can be chosen.
    fn count_mut(&mut self) -> Option<&mut usize> {
        None
    }

    /// The seed of its random numbers, if it has one.
    fn seed_mut(&mut self) -> Option<&mut u64> {
        None
    }

    /// The name under which a game has registered it.
    fn registered_name(&self) -> Option<&str> {
        None
    }
}

impl Generate for Custom {
    fn run(&self, contents: &mut Contents, registry: &SceneRegistry) -> Result<(), InvalidValue> {
        registry.generate(self, contents)
    }

    fn registered_name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

/// `Ok` if the mass is valid for a disc, or left out.
fn check_mass(mass: Option<f32>) -> Result<(), InvalidValue> {
    mass.map_or(Ok(()), |mass| check_field("mass", &Mass(mass)))
}

/// `Ok` if `value` is valid as the speed, m/s, of a motion in a random direction.
fn check_speed(field: &'static str, value: f32) -> Result<(), InvalidValue> {
    InvalidValue::check_range(field, value, 0.0..=LIMIT, "m/s")
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
