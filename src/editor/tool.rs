//! The tools: what the left button of the mouse does on the table.

use bevy::prelude::*;

use crate::notice::mark;

/// What the left button of the mouse does on the table.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub enum Tool {
    /// Shoots, selects and moves what is there.
    #[default]
    Select,
    /// Selects, moves, reshapes and turns terrain, also arenas and the cushions of a table, and leaves discs alone.
    Terrain,
    /// Draws a disc: from its centre outward; a click puts one of the usual size.
    Disc,
    /// Draws a wall, from end to end.
    Wall,
    /// Draws a block, from corner to corner; a click puts one of the usual size.
    Block,
    /// Draws a polygon, a click for each corner.
    Polygon,
    /// Draws a bumper: from its centre outward; a click puts one of the usual size.
    Bumper,
    /// Draws half of a circle, from its centre to the middle of it.
    Arc,
    /// Draws a joint, from a disc to another or to a point.
    Joint,
    /// Measures a length.
    Ruler,
    /// Measures an angle.
    Protractor,
}

impl Tool {
    /// All of them, each with its name and what to do with it.
    pub const ALL: [(Self, &str, &str); 11] = [
        (
            Self::Select,
            mark("Select"),
            mark("Shoots, selects and moves discs. Also selects terrain. Escape returns to this tool."),
        ),
        (
            Self::Terrain,
            mark("Terrain"),
            mark(
                "Edits terrain only, including arenas and cushions. Click to select. Drag it, its handles or the knob \
                that turns it. Shift: steps of 15°",
            ),
        ),
        (Self::Disc, mark("Disc"), mark("Drag outward from the centre, or click for a disc like the others")),
        (Self::Wall, mark("Wall"), mark("Drag from end to end. Shift: steps of 15°")),
        (Self::Block, mark("Block"), mark("Drag from corner to corner, or click for the size below. Shift: a square")),
        (
            Self::Polygon,
            mark("Polygon"),
            mark(
                "Click each corner. Click the first corner or press Enter to close it. Right-click removes the last \
                corner. Shift: steps of 15°",
            ),
        ),
        (Self::Bumper, mark("Bumper"), mark("Drag outward from the centre, or click for the size below")),
        (
            Self::Arc,
            mark("Arc"),
            mark(
                "Drag from the centre to the middle of the arc. It starts as a half circle; drag its ends to change \
                it.",
            ),
        ),
        (
            Self::Joint,
            mark("Joint"),
            mark(
                "Drag from a disc to another, or between a disc and a point, to add a rod, rope or spring of that \
                length",
            ),
        ),
        (
            Self::Ruler,
            mark("Ruler"),
            mark("Drag to measure length, horizontal and vertical distance, and angle. Shift: steps of 15°"),
        ),
        (Self::Protractor, mark("Protractor"), mark("Click the vertex of the angle, then a point on each leg")),
    ];

    /// Whether it draws or measures, so that the table and its discs do not see the mouse.
    #[must_use]
    pub fn takes_the_mouse(self) -> bool {
        self != Self::Select
    }

    /// Whether it is used by clicks, one for each point.
    pub(super) fn clicks(self) -> bool {
        matches!(self, Self::Polygon | Self::Protractor)
    }
}
