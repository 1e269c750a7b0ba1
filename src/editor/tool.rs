//! The tools: the action of the left mouse button on the table.

use bevy::prelude::*;

use crate::notice::mark;

/// The action of the left mouse button on the table.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub enum Tool {
    /// Shoots, selects and moves discs.
    #[default]
    Select,
    /// Selects, moves, reshapes and turns terrain, including arenas and the cushions of a table. Ignores discs.
    Terrain,
    /// Draws a disc from its centre outward. A click adds one of the usual size.
    Disc,
    /// Draws a wall, from end to end.
    Wall,
    /// Draws a block from corner to corner. A click adds one of the usual size.
    Block,
    /// Draws a polygon with a click per corner.
    Polygon,
    /// Draws a bumper from its centre outward. A click adds one of the usual size.
    Bumper,
    /// Draws half of a circle, from its centre to its middle.
    Arc,
    /// Draws a joint from a disc to another disc or a point.
    Joint,
    /// Measures a length.
    Ruler,
    /// Measures an angle.
    Protractor,
}

impl Tool {
    /// All tools, with their names and instructions.
    pub const ALL: [(Self, &str, &str); 11] = [
        (
            Self::Select,
            mark("Select"),
            mark("Shoots, selects and moves discs, and selects terrain. Escape comes back to it."),
        ),
        (
            Self::Terrain,
            mark("Terrain"),
            mark(
                "Terrain alone, also arenas and cushions, which Select leaves alone: click to select it; drag it, its handles or the knob that turns it. Shift: steps of 15°",
            ),
        ),
        (Self::Disc, mark("Disc"), mark("Drag from the centre outward, or click for a disc like the others")),
        (Self::Wall, mark("Wall"), mark("Drag from end to end. Shift: steps of 15°")),
        (
            Self::Block,
            mark("Block"),
            mark("Drag from corner to corner, or click for one of the size below. Shift: a square"),
        ),
        (
            Self::Polygon,
            mark("Polygon"),
            mark(
                "Click each corner; a click on the first, or Enter, closes it. Right click takes the last back. Shift: steps of 15°",
            ),
        ),
        (Self::Bumper, mark("Bumper"), mark("Drag from the centre outward, or click for one of the size below")),
        (
            Self::Arc,
            mark("Arc"),
            mark("Drag from the centre to the middle of the arc: half of a circle, whose ends are handles to pull"),
        ),
        (
            Self::Joint,
            mark("Joint"),
            mark(
                "Drag from a disc to another, or between a disc and a point: a rod, a rope or a spring, as long as that",
            ),
        ),
        (
            Self::Ruler,
            mark("Ruler"),
            mark("Drag: the length, how far across and up, and the angle. Shift: steps of 15°"),
        ),
        (Self::Protractor, mark("Protractor"), mark("Click the corner of the angle, then a point on each of its legs")),
    ];

    /// Whether it draws or measures, so that the table and its discs do not get the mouse.
    #[must_use]
    pub fn takes_the_mouse(self) -> bool {
        self != Self::Select
    }

    /// Whether it takes a click per point.
    pub(super) fn clicks(self) -> bool {
        matches!(self, Self::Polygon | Self::Protractor)
    }
}
