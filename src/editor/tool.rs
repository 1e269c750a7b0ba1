//! The tools: the action of the left mouse button on the table.

use bevy::prelude::*;
use tr::tr;

use crate::{
    input::actions::{Control, KeyMap},
    notice::mark,
};

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
    /// All tools, with their names and their instructions without keys: see [`Tool::help`].
    pub const ALL: [(Self, &str, &str); 11] = [
        (Self::Select, mark("Select"), mark("Shoots, selects and moves discs. Also selects terrain.")),
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
            mark("Click each corner. Click the first corner to close it. Shift: steps of 15°."),
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

    /// The instructions in the current language, with the current keys.
    #[must_use]
    pub fn help(self, map: &KeyMap) -> String {
        let help = Self::ALL.iter().find(|(each, ..)| *each == self).map_or("", |(.., help)| help);
        let by_keys = match self {
            Self::Select => vec![map.key(Control::Cancel).map(|key| tr!("{} returns to this tool.", key))],
            Self::Polygon => vec![
                map.key(Control::FinishShape).map(|key| tr!("{} also closes it.", key)),
                map.mouse_button(Control::Cancel).map(|button| tr!("The {} removes the last corner.", button)),
            ],
            _ => Vec::new(),
        };
        core::iter::once(tr!(help)).chain(by_keys.into_iter().flatten()).collect::<Vec<_>>().join(" ")
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instructions_name_the_keys_that_act_now() {
        let mut map = KeyMap::default();
        assert!(Tool::Select.help(&map).ends_with("Esc returns to this tool."), "{}", Tool::Select.help(&map));
        let polygon = Tool::Polygon.help(&map);
        assert!(polygon.ends_with("Enter also closes it. The right button removes the last corner."), "{polygon}");
        map.set(Control::Cancel, vec![KeyCode::KeyX.into()]);
        map.set(Control::FinishShape, Vec::new());
        assert!(Tool::Select.help(&map).ends_with("X returns to this tool."), "{}", Tool::Select.help(&map));
        let polygon = Tool::Polygon.help(&map);
        assert!(polygon.ends_with("15°."), "{polygon}");
    }
}
