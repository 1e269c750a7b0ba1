//! The engines behind one interface: built from a [`State`], stepped, read.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::scene::State;

mod avian;
mod box2d;
mod carom;
mod headless;
mod rapier;

/// The engines.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Name {
    /// Box2D 3, in C
    Box2d,
    /// Rapier2D, in Rust
    Rapier,
    /// Avian2D, in Bevy
    Avian,
    /// carom, in Bevy
    Carom,
}

impl Name {
    /// Builds the engine with these discs in it. `threads` is how many threads it may use.
    pub fn build(self, state: &State, threads: usize) -> Box<dyn Engine> {
        match self {
            Self::Box2d => Box::new(box2d::Box2d::new(state, threads)),
            Self::Rapier => Box::new(rapier::Rapier::new(state)),
            Self::Avian => Box::new(avian::Avian::new(state, threads)),
            Self::Carom => Box::new(carom::Carom::new(state, threads)),
        }
    }

    /// Whether it can use more than one thread as it is set up here.
    pub fn is_threaded(self) -> bool {
        self != Self::Rapier
    }

    /// Name and version.
    pub fn version(self) -> String {
        match self {
            Self::Box2d => box2d::version(),
            Self::Rapier => format!("Rapier2D {}", locked("rapier2d")),
            Self::Avian => format!("Avian2D {}", locked("avian2d")),
            Self::Carom => format!("carom {}", locked("carom")),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(match self {
            Self::Box2d => "Box2D",
            Self::Rapier => "Rapier",
            Self::Avian => "Avian",
            Self::Carom => "carom",
        })
    }
}

/// The state of a disc in an engine.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Centre, metres.
    pub position: [f32; 2],
    /// Velocity, m/s.
    pub velocity: [f32; 2],
}

/// A running simulation.
pub trait Engine {
    /// Runs one step of [`TIME_STEP`](crate::scene::TIME_STEP).
    fn step(&mut self);

    /// Every disc, in the order of [`State::discs`].
    fn bodies(&self) -> Vec<Body>;
}

/// The four walls around the discs as boxes: centre and half size, metres.
fn walls(state: &State) -> [([f32; 2], [f32; 2]); 4] {
    const HALF_THICKNESS: f32 = 5.0;
    let [x, y] = state.half_size;
    let [middle_x, middle_y] = [x + HALF_THICKNESS, y + HALF_THICKNESS];
    let (upright, level) = ([HALF_THICKNESS, y + 2.0 * HALF_THICKNESS], [x + 2.0 * HALF_THICKNESS, HALF_THICKNESS]);
    [([-middle_x, 0.0], upright), ([middle_x, 0.0], upright), ([0.0, -middle_y], level), ([0.0, middle_y], level)]
}

/// The version of a package in the lock file that this program was built with.
fn locked(package: &str) -> &'static str {
    let (_, rest) = include_str!("../../Cargo.lock")
        .split_once(&format!("name = \"{package}\"\nversion = \""))
        .expect("every engine is a dependency");
    rest.split('"').next().unwrap_or_default()
}
