//! The hand with a tool: presses of the mouse or a finger, the objects there, and snapping.

use core::ops::Deref;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_enhanced_input::prelude::ModKeys;

use super::{
    reshape::Placed,
    settings::DrawSettings,
    snap::{places, snapped},
};
use crate::{
    components::{Position, Rotation, Terrain},
    input::{
        actions::{Control, Held},
        hand::{Hand, SLACK},
    },
    plane::TableEdge,
    scene::DrawnTable,
    view::{Measures, ShownTo, camera::current_view::ShownToItem},
};

/// The terrain that can be edited, including hidden terrain. It excludes the outline of a table of several rectangles,
/// which follows from these.
pub(super) type Pieces<'w, 's> =
    Query<'w, 's, (Entity, &'static Terrain, &'static Position, &'static Rotation, ShownTo), Without<TableEdge>>;

/// The hand with a tool, and its snapping targets.
#[derive(SystemParam)]
pub(super) struct ToolHand<'w, 's> {
    hand: Hand<'w, 's>,
    pub(super) settings: Res<'w, DrawSettings>,
    measures: Res<'w, Measures>,
    table: Option<Res<'w, DrawnTable>>,
}

impl<'w, 's> Deref for ToolHand<'w, 's> {
    type Target = Hand<'w, 's>;

    fn deref(&self) -> &Hand<'w, 's> {
        &self.hand
    }
}

/// The controls that draw while a tool has the mouse, with Shift and Ctrl as well as without.
pub(super) const DRAWS: [Control; 2] = [Control::Pull, Control::Hold];

/// The reach of a press around a handle or an edge, logical pixels.
pub(super) const REACH: f32 = 9.0;

/// The distance of the turning knob from a piece's outline, logical pixels.
pub(super) const KNOB: f32 = 30.0;

impl ToolHand<'_, '_> {
    /// The drawing button or the finger, if it went down on the table in this frame.
    pub(super) fn presses(&self) -> Option<Held> {
        self.begun(&DRAWS).map(|(_, by)| by)
    }

    /// Where a point snaps to, unless snapping is off. The piece `without` is not a target.
    pub(super) fn snapped(&self, point: Vec2, snap: bool, pieces: &Pieces, without: Option<Entity>) -> Vec2 {
        if !snap {
            return point;
        }
        let others = pieces.iter().filter(|(entity, .., shown)| Some(*entity) != without && self.shows(shown));
        let ends = others.flat_map(|(_, terrain, position, rotation, _)| places(terrain, position.0, *rotation));
        let centres = self.seen_discs().map(|seen| seen.centre);
        let grid = self.measures.width(self.view());
        snapped(point, self.view().px(REACH), grid, ends.chain(centres))
    }

    pub(super) fn is_on_disc(&self, point: Vec2) -> bool {
        self.disc_at(point, self.view().px(SLACK)).is_some()
    }

    /// Whether a plain click ignores this piece: an arena, or a part of a table.
    pub(super) fn is_fixture(&self, placed: &Placed) -> bool {
        let is_furniture = |table: &DrawnTable| table.has_piece(&placed.terrain, placed.position, placed.rotation);
        placed.terrain.is_arena() || self.table.as_deref().is_some_and(is_furniture)
    }

    /// A piece with its place, or `None` if it is hidden and so cannot be grabbed.
    pub(super) fn seen_piece(&self, piece: Entity, pieces: &Pieces) -> Option<Placed> {
        pieces.get(piece).ok().filter(|(.., shown)| self.shows(shown)).map(placed)
    }

    /// The visible piece at a point: the nearest edge within reach. Among pieces that contain the point, the smallest.
    pub(super) fn piece_at(&self, point: Vec2, pieces: &Pieces, fixtures: bool) -> Option<Entity> {
        let reach = self.reach(REACH);
        let seen = pieces.iter().filter(|(.., shown)| self.shows(shown));
        let near = seen.filter_map(|piece| {
            let (entity, placed) = (piece.0, placed(piece));
            let distance = placed.distance(point);
            let fits = distance <= reach && (fixtures || !self.is_fixture(&placed));
            fits.then(|| (entity, distance, placed.middle().distance(point)))
        });
        near.min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2))).map(|(entity, ..)| entity)
    }
}

type PieceItem<'w, 's> = (Entity, &'w Terrain, &'w Position, &'w Rotation, ShownToItem<'w, 's>);

pub(super) fn placed((_, terrain, position, rotation, _): PieceItem) -> Placed {
    Placed { terrain: terrain.clone(), position: position.0, rotation: *rotation }
}

/// Whether Shift is held, and whether points snap.
pub(super) fn modifiers(hand: &ToolHand) -> (bool, bool) {
    let held = hand.buttons.modifiers();
    (held.contains(ModKeys::SHIFT), hand.settings.snap != held.contains(ModKeys::CONTROL))
}
