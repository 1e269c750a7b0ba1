//! The hand with a tool in it: where the mouse or the finger presses, what lies there, and to where points snap.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_enhanced_input::prelude::ModKeys;

use super::{
    draw::DrawSettings,
    reshape::Placed,
    snap::{places, snapped},
};
use crate::{
    components::{InPlay, Position, Radius, Rotation, Terrain},
    input::{
        Controls, Pointer,
        actions::{Control, Inputs, PointerButtons},
        gesture::SLACK,
        pick::disc_at,
        pointer::{Attention, PointedView},
        touch::{FINGER_REACH, FINGER_SLACK},
    },
    plane::TableEdge,
    scene::DrawnTable,
    view::{Drawn, Measures, ShownTo, camera::picture::ShownToItem},
};

/// The terrain that can be edited: not the outline of a table of several rectangles, which follows from these. What is
/// hidden is among it.
pub(super) type Pieces<'w, 's> =
    Query<'w, 's, (Entity, &'static Terrain, &'static Position, &'static Rotation, ShownTo), Without<TableEdge>>;

/// The mouse, and what it can snap to.
#[derive(SystemParam)]
pub(super) struct Hand<'w, 's> {
    pointer: Res<'w, Pointer>,
    attention: Res<'w, Attention>,
    pub(super) controls: Res<'w, Controls>,
    pub(super) view: PointedView<'w, 's>,
    pub(super) buttons: PointerButtons<'w>,
    pub(super) settings: Res<'w, DrawSettings>,
    measures: Res<'w, Measures>,
    discs: Query<'w, 's, (Entity, &'static Position, &'static Radius, Option<&'static Drawn>, ShownTo), InPlay>,
    table: Option<Res<'w, DrawnTable>>,
}

/// By what something is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cancelled {
    /// A button of the mouse, or a second finger: the last step is taken back.
    ByPointer,
    /// A key: it is given up.
    ByKey,
}

/// The controls whose buttons draw while a tool has the mouse: with Shift and Ctrl as well as without.
pub(super) const DRAWS: [Control; 2] = [Control::Pull, Control::Hold];

/// A press within this many logical pixels of a handle takes it, and of an edge its piece.
pub(super) const REACH: f32 = 9.0;

/// The knob that turns a piece is so far beyond its outline, logical pixels.
pub(super) const KNOB: f32 = 30.0;

impl Hand<'_, '_> {
    /// Whether the button that draws went down on the table in this frame.
    pub(super) fn presses(&self) -> bool {
        self.attention.mouse && self.buttons.begun(&DRAWS).is_some()
    }

    /// Whether something is cancelled in this frame, and by what. Nobody after this one hears of it.
    pub(super) fn cancelled(&self, inputs: &mut Inputs) -> Option<Cancelled> {
        let by_pointer = self.buttons.finger_gives_up() || self.buttons.begun(&[Control::Cancel]).is_some();
        let is_cancelled = inputs.take(Control::Cancel) || self.buttons.finger_gives_up();
        is_cancelled.then_some(if by_pointer { Cancelled::ByPointer } else { Cancelled::ByKey })
    }

    /// How near a press must be to what it takes, metres.
    pub(super) fn reach(&self) -> f32 {
        self.view.px(if self.buttons.is_finger() { FINGER_REACH } else { REACH })
    }

    /// How far a press must be dragged to be more than a click, metres.
    pub(super) fn slack(&self) -> f32 {
        self.view.px(if self.buttons.is_finger() { FINGER_SLACK } else { SLACK })
    }

    /// Where the button went down, or is; metres.
    pub(super) fn pressed_at(&self) -> Option<Vec2> {
        self.pointer.pressed.or(self.pointer.screen).map(|at| self.view.to_world(at))
    }

    /// Where it went up, or is; metres.
    pub(super) fn released_at(&self) -> Option<Vec2> {
        self.pointer.released.or(self.pointer.screen).map(|at| self.view.to_world(at))
    }

    /// The discs that are seen: each with its place, radius and where it is drawn, metres.
    fn seen_discs(&self) -> impl Iterator<Item = (Entity, Vec2, f32, Option<&Drawn>)> {
        let seen = self.discs.iter().filter(move |(.., shown)| self.view.shows(shown));
        seen.map(|(disc, position, radius, drawn, _)| (disc, position.0, radius.0, drawn))
    }

    /// Where a point goes, unless snapping is off; to no place of the piece `without`.
    pub(super) fn snapped(&self, point: Vec2, snap: bool, pieces: &Pieces, without: Option<Entity>) -> Vec2 {
        if !snap {
            return point;
        }
        let others = pieces.iter().filter(|(entity, .., shown)| Some(*entity) != without && self.view.shows(shown));
        let ends = others.flat_map(|(_, terrain, position, rotation, _)| places(terrain, position.0, *rotation));
        let centres = self.seen_discs().map(|(_, centre, ..)| centre);
        let grid = self.measures.width(&self.view);
        snapped(point, self.view.px(REACH), grid, ends.chain(centres))
    }

    /// The centre of the disc at a point, metres.
    pub(super) fn centre_at(&self, point: Vec2) -> Option<Vec2> {
        let there = self.seen_discs().filter(|(_, centre, radius, _)| centre.distance(point) <= *radius);
        let nearest = there.min_by(|a, b| a.1.distance(point).total_cmp(&b.1.distance(point)));
        nearest.map(|(_, centre, ..)| centre)
    }

    pub(super) fn is_on_disc(&self, point: Vec2) -> bool {
        let places = self
            .seen_discs()
            .map(|(disc, centre, radius, drawn)| (disc, drawn.map_or(centre, |drawn| drawn.shown), radius));
        disc_at(point, self.view.px(SLACK), places).is_some()
    }

    /// Whether a piece is one that a plain click leaves alone: an arena, or a part of a table.
    pub(super) fn is_fixture(&self, placed: &Placed) -> bool {
        let is_furniture = |table: &DrawnTable| table.has_piece(&placed.terrain, placed.position, placed.rotation);
        placed.terrain.is_arena() || self.table.as_deref().is_some_and(is_furniture)
    }

    /// A piece as it lies, unless it is hidden: then nothing of it is taken hold of.
    pub(super) fn seen_piece(&self, piece: Entity, pieces: &Pieces) -> Option<Placed> {
        pieces.get(piece).ok().filter(|(.., shown)| self.view.shows(shown)).map(placed)
    }

    /// The piece at a point that is seen: the nearest edge within reach, of several the smallest that holds the point.
    pub(super) fn piece_at(&self, point: Vec2, pieces: &Pieces, fixtures: bool) -> Option<Entity> {
        let reach = self.reach();
        let seen = pieces.iter().filter(|(.., shown)| self.view.shows(shown));
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

/// Whether Shift is held, and whether points are snapped.
pub(super) fn modifiers(hand: &Hand) -> (bool, bool) {
    let held = hand.buttons.modifiers();
    (held.contains(ModKeys::SHIFT), hand.settings.snap != held.contains(ModKeys::CONTROL))
}
