//! A scene as a file.

mod look;

pub use look::{Camera, CueBall, DiscLook, Hex, Lesson, Surroundings};
