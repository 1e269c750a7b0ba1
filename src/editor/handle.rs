//! The handles of terrain.

/// A handle of a piece of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// The piece as a whole.
    Body,
    /// An end of a wall or a corner of an outline, by its number.
    Point(usize),
    /// A corner of a rectangle, by its number in [`Terrain::outline`](crate::components::Terrain::outline). The
    /// opposite corner stays.
    Corner(usize),
    /// The rim of a bumper.
    Rim,
    /// The knob that turns it about its centre.
    Turn,
}
