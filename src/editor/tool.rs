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
