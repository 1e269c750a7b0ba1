//! Pulls terrain by its handles: grabbing, moving, reshaping, turning, and releasing as one edit. A piece moved or
//! turned while time runs moves kinematically and hits discs.

use bevy::prelude::*;
use tr::tr;

use super::{
    ChosenTerrain,
    hand::{KNOB, Pieces, REACH, ToolHand, modifiers},
    handle::Handle,
    lead,
    record::{self, what},
    reshape::Placed,
    sketch::degrees,
    tool::Tool,
};
use crate::{
    components::{Position, Rotation, Terrain},
    input::{
        Gesture, Selection,
        actions::Inputs,
        hand::{Cancelled, Drag, DragStep},
    },
    scene::SceneCommand,
    timeline::Playback,
    view::words::measures::metres_in_words,
};

/// The drag of a handle of terrain.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct TerrainPull(pub(super) Option<Drag<HeldPiece>>);

/// The piece of terrain with a held handle.
#[derive(Clone, Debug)]
pub(super) struct HeldPiece {
    entity: Entity,
    handle: Handle,
    /// The piece at the press.
    start: Placed,
    /// The piece now.
    now: Placed,
}

impl HeldPiece {
    /// The description of the pull.
    pub(super) fn in_words(&self) -> Option<String> {
        let Self { handle, start, now, .. } = self;
        Some(match (handle, &now.terrain) {
            (Handle::Turn, _) => degrees(now.rotation.0),
            (Handle::Body, _) => {
                let way = now.position - start.position;
                format!("Δx {}, Δy {}", metres_in_words(way.x), metres_in_words(way.y))
            }
            (_, Terrain::Circle { radius }) => format!("r {}", metres_in_words(*radius)),
            (_, Terrain::Arc { radius, extent, .. }) => format!("r {}, {}", metres_in_words(*radius), degrees(*extent)),
            (_, Terrain::Block { half_size } | Terrain::Arena { half_size }) => {
                format!("{} × {}", metres_in_words(2.0 * half_size.x), metres_in_words(2.0 * half_size.y))
            }
            (_, Terrain::Segment { .. }) => {
                let (ends, _) = now.outline();
                format!("{}, {}", metres_in_words(ends[0].distance(ends[1])), degrees((ends[1] - ends[0]).to_angle()))
            }
            (Handle::Point(k), _) => {
                let (points, _) = now.outline();
                let point = points.get(*k)?;
                format!("x {}, y {}", metres_in_words(point.x), metres_in_words(point.y))
            }
            _ => return None,
        })
    }
}

/// Grabs, pulls and releases the handles of the selected terrain.
pub(super) fn reshape(
    (mut pull, mut chosen, mut selection): (ResMut<TerrainPull>, ResMut<ChosenTerrain>, ResMut<Selection>),
    (mut tool, gesture, playback): (ResMut<Tool>, Res<Gesture>, Option<Res<Playback>>),
    mut inputs: Inputs,
    mut queries: ParamSet<((ToolHand, Pieces), Query<(&mut Terrain, &mut Position, &mut Rotation)>)>,
    mut commands: Commands,
) {
    let is_tool = matches!(*tool, Tool::Select | Tool::Terrain);
    // The view may move during a pull. A change of tool ends the pull and leaves the piece where it is.
    if !is_tool || pull.0.is_none() && *gesture != Gesture::Idle {
        end(&mut pull, &mut commands);
        return;
    }
    let (hand, pieces) = queries.p0();
    if pull.0.as_ref().is_some_and(|drag| !pieces.contains(drag.held.entity)) {
        pull.0 = None;
    }
    if pull.0.is_none() {
        if *tool == Tool::Terrain
            && let Some(by) = hand.cancelled(&mut inputs)
        {
            if by == Cancelled::ByKey {
                *tool = Tool::Select;
            }
            return;
        }
        pull.0 = grab(&hand, &pieces, *tool, &mut chosen, &mut selection);
    }
    let Some(drag) = &mut pull.0 else { return };
    match drag.step(&hand, &mut inputs) {
        DragStep::Cancelled => {
            if let Ok(parts) = queries.p1().get_mut(drag.held.entity) {
                put(&drag.held.start, parts);
            }
            pull.0 = None;
        }
        DragStep::Follows { to, released } => {
            if let Some(to) = to {
                follow(drag, to, &hand, &pieces);
            }
            let dragged = drag.is_dragged();
            let HeldPiece { entity, handle, now, .. } = drag.held.clone();
            let leads = dragged && matches!(handle, Handle::Body | Handle::Turn);
            let runs = playback.is_none_or(|playback| !playback.paused);
            if dragged
                && !(leads && runs)
                && let Ok(parts) = queries.p1().get_mut(entity)
            {
                put(&now, parts);
            }
            if leads {
                commands.queue(move |world: &mut World| lead::lead(world, entity, &now));
            }
            if released {
                end(&mut pull, &mut commands);
            }
        }
    }
}

/// The drag that a press on a handle or a piece starts in this frame. It also selects the piece.
fn grab(
    hand: &ToolHand,
    pieces: &Pieces,
    tool: Tool,
    chosen: &mut ResMut<ChosenTerrain>,
    selection: &mut ResMut<Selection>,
) -> Option<Drag<HeldPiece>> {
    let by = hand.presses().filter(|_| hand.controls.select)?;
    let at = hand.pressed_at()?;
    let with_tool = tool == Tool::Terrain;
    let (reach, knob) = (hand.reach(REACH), hand.view().px(KNOB));
    let now = chosen.0.and_then(|entity| Some((entity, hand.seen_piece(entity, pieces)?)));
    let handle = now.as_ref().and_then(|(entity, placed)| {
        let handle = placed.handle_at(at, reach, knob);
        let on_body = || placed.distance(at) <= reach && (with_tool || !hand.is_on_disc(at));
        Some((*entity, handle.or(on_body().then_some(Handle::Body))?))
    });
    let other = || hand.piece_at(at, pieces, true).map(|entity| (entity, Handle::Body));
    let taken = if with_tool { handle.or_else(other) } else { handle };
    if with_tool {
        chosen.set_if_neq(ChosenTerrain(taken.map(|(entity, _)| entity)));
    }
    let (entity, handle) = taken?;
    if !selection.0.is_empty() {
        selection.0.clear();
    }
    let start = hand.seen_piece(entity, pieces)?;
    Some(Drag::new(HeldPiece { entity, handle, now: start.clone(), start }, at, by))
}

/// Moves the held handle to a point, metres.
fn follow(drag: &mut Drag<HeldPiece>, to: Vec2, hand: &ToolHand, pieces: &Pieces) {
    let from = drag.from;
    let held = &mut drag.held;
    let (constrained, snap) = modifiers(hand);
    let snap = |point| hand.snapped(point, snap, pieces, Some(held.entity));
    held.now = pulled(held, from, to, constrained, snap);
}

/// Ends a drag, and records what it changed.
fn end(pull: &mut TerrainPull, commands: &mut Commands) {
    if let Some(Drag { held, .. }) = pull.0.take()
        && held.now != held.start
    {
        commands.queue(move |world: &mut World| record(world, &held));
    }
}

/// The held piece after moving the pointer from one point to another.
fn pulled(held: &HeldPiece, from: Vec2, to: Vec2, constrained: bool, snap: impl Fn(Vec2) -> Vec2) -> Placed {
    let HeldPiece { handle, start, .. } = held;
    match (handle, start.anchor(*handle)) {
        (Handle::Turn, _) => start.pulled(*handle, from, to, constrained),
        (Handle::Rim, _) => start.pulled(*handle, from, snap(to), constrained),
        (_, Some(anchor)) => start.pulled(*handle, anchor, snap(anchor + (to - from)), constrained),
        (_, None) => start.pulled(*handle, from, to, constrained),
    }
}

fn put(placed: &Placed, (mut terrain, mut position, mut rotation): (Mut<Terrain>, Mut<Position>, Mut<Rotation>)) {
    if *terrain != placed.terrain {
        *terrain = placed.terrain.clone();
    }
    position.set_if_neq(Position(placed.position));
    rotation.set_if_neq(placed.rotation);
}

/// Records a pull as one edit.
fn record(world: &mut World, held: &HeldPiece) {
    let what = what(world, &[held.entity]);
    let words = match held.handle {
        Handle::Body => tr!("move {}", what),
        Handle::Turn => tr!("turn {}", what),
        Handle::Point(_) | Handle::Corner(_) | Handle::Rim => tr!("reshape {}", what),
    };
    let insert = |world: &mut World, Placed { terrain, position, rotation }: &Placed| {
        if let Ok(mut entity) = world.get_entity_mut(held.entity) {
            entity.insert((terrain.clone(), Position(*position), *rotation));
        }
    };
    lead::let_go(world, held.entity);
    insert(world, &held.start);
    record::change(world, words, &[held.entity], |world| {
        insert(world, &held.now);
        lead::shift(world, held.entity, &held.start, &held.now);
    });
}

/// Releases all pieces that are not held any more.
pub(super) fn let_go_of_others(pull: Res<TerrainPull>, led: Query<Entity, With<lead::Led>>, mut commands: Commands) {
    let held = pull.0.as_ref().map(|drag| drag.held.entity);
    for piece in led.iter().filter(|&piece| Some(piece) != held) {
        commands.queue(move |world: &mut World| lead::let_go(world, piece));
    }
}

/// Releases the held piece before a save, so that its own motion is saved. The pull continues in the next frame.
pub(super) fn let_go_to_save(
    asked: Option<Res<Messages<SceneCommand>>>,
    led: Query<Entity, With<lead::Led>>,
    mut commands: Commands,
) {
    let saves = |command: &SceneCommand| matches!(command, SceneCommand::Save | SceneCommand::SaveAs(_));
    if asked.is_some_and(|asked| asked.get_cursor().read(&asked).any(saves)) {
        for piece in &led {
            commands.queue(move |world: &mut World| lead::let_go(world, piece));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Rotation;

    #[test]
    fn an_angle_that_rounds_to_zero_has_no_sign() {
        let words = |degrees: f32| {
            let start = Placed {
                terrain: Terrain::Block { half_size: Vec2::ONE },
                position: Vec2::ZERO,
                rotation: Rotation::default(),
            };
            let now = Placed { rotation: Rotation(degrees.to_radians()), ..start.clone() };
            let entity = Entity::PLACEHOLDER;
            HeldPiece { entity, handle: Handle::Turn, start, now }.in_words()
        };
        for (degrees, shown) in [(-0.04, "0°"), (-0.0, "0°"), (0.04, "0°"), (-0.06, "-0.1°"), (-15.0, "-15°")] {
            assert_eq!(words(degrees).as_deref(), Some(shown));
        }
    }
}
