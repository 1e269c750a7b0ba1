//! Drawing with the mouse: feeds the pointer to the [`Sketch`], and selects and deletes terrain.

use bevy::prelude::*;

use super::{
    hand::{DRAWS, Pieces, REACH, ToolHand, modifiers, placed},
    pull::{self, TerrainPull},
    record,
    settings::{ChosenTerrain, DrawSettings},
    show,
    sketch::{Piece, Sizes, Sketch},
    spawn,
    tool::Tool,
};
use crate::{
    components::Terrain,
    input::{
        ControlSystems, Controls, Gestured,
        actions::{Control, Inputs},
        allow,
        gesture::{self, Gesture},
        hand::Cancelled,
        pointer::PointerCapture,
        select,
    },
    scene::{ObeysCommands, SceneEnded},
    view::{Captions, DrawView, Measures, sees_layer_0},
};

/// Draws discs and terrain with the mouse. It also selects, moves, reshapes, turns and deletes terrain, and measures
/// lengths and angles, according to the [`Tool`].
pub struct DrawPlugin;

impl Plugin for DrawPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| (controls.select, controls.delete) = (true, true));
        app.init_resource::<Tool>()
            .init_resource::<Sketch>()
            .init_resource::<DrawSettings>()
            .init_resource::<ChosenTerrain>()
            .init_resource::<TerrainPull>()
            .init_resource::<Measures>()
            .init_resource::<Captions>()
            .register_type::<Tool>()
            .register_type::<DrawSettings>()
            .add_observer(end_sketch)
            .add_systems(PreUpdate, forget_the_gone.in_set(ControlSystems::Keys))
            .add_systems(
                PreUpdate,
                (follow_tool, sketch, pull::reshape, pull::let_go_of_others, hold)
                    .chain()
                    .in_set(ControlSystems::Gesture)
                    .before(gesture::drive),
            )
            .add_systems(
                PreUpdate,
                (choose.after(select::choose), delete.before(select::give_up), show::caption)
                    .chain()
                    .in_set(ControlSystems::Select),
            )
            .add_systems(PreUpdate, pull::let_go_to_save.after(ControlSystems::Select).before(ObeysCommands))
            .add_systems(DrawView, show::draw.run_if(sees_layer_0));
    }
}

fn forget_the_gone(mut chosen: ResMut<ChosenTerrain>, pieces: Query<(), With<Terrain>>) {
    if chosen.0.is_some_and(|piece| !pieces.contains(piece)) {
        chosen.0 = None;
    }
}

/// Discards an unfinished drawing when its scene ends, but keeps it at a restart.
fn end_sketch(ended: On<SceneEnded>, mut sketch: ResMut<Sketch>) {
    if !ended.restart {
        sketch.give_up();
    }
}

/// Discards an unfinished drawing when the tool changes. It also deselects terrain that only the terrain tool can
/// select.
fn follow_tool(
    tool: Res<Tool>,
    (mut sketch, mut chosen): (ResMut<Sketch>, ResMut<ChosenTerrain>),
    (hand, pieces): (ToolHand, Pieces),
) {
    if !tool.is_changed() || tool.is_added() {
        return;
    }
    sketch.give_up();
    let is_fixture = |piece| pieces.get(piece).is_ok_and(|piece| hand.is_fixture(&placed(piece)));
    if *tool == Tool::Select && chosen.0.is_some_and(is_fixture) {
        chosen.0 = None;
    }
}

/// Feeds mouse and keys to the sketch.
fn sketch(
    (mut sketch, mut tool): (ResMut<Sketch>, ResMut<Tool>),
    mut inputs: Inputs,
    (hand, pieces): (ToolHand, Pieces),
    gesture: Res<Gesture>,
    mut commands: Commands,
) {
    let tool_now = *tool;
    if matches!(tool_now, Tool::Select | Tool::Terrain) || *gesture != Gesture::Idle {
        return;
    }
    match hand.cancelled(&mut inputs) {
        Some(Cancelled::ByPointer) => _ = sketch.back(),
        Some(Cancelled::ByKey) if !sketch.give_up() => {
            *tool = Tool::Select;
            return;
        }
        _ => {}
    }
    let (constrained, snap) = modifiers(&hand);
    let slack = hand.slack();
    let place = |at: Vec2| {
        let disc = hand.lying_at(at).filter(|_| tool_now == Tool::Joint);
        disc.map_or_else(|| hand.snapped(at, snap, &pieces, None), |disc| disc.centre)
    };
    let mut piece: Option<Piece> = None;
    if hand.presses().is_some()
        && let Some(at) = hand.pressed_at().map(place)
    {
        sketch.follow(tool_now, at, constrained);
        let at = sketch.end().filter(|_| constrained).unwrap_or(at);
        piece = sketch.press(tool_now, at, hand.reach(REACH));
    }
    if sketch.end().is_some()
        && let Some(at) = hand.released_at().map(place)
    {
        sketch.follow(tool_now, at, constrained);
    }
    // This tests "not pressed", so that a release outside the window does not leave the sketch stuck.
    if matches!(*sketch, Sketch::Drag { .. }) && !hand.buttons.any_pressed(&DRAWS) {
        let sizes = Sizes { block: hand.settings.block / 2.0, bumper: hand.settings.bumper };
        piece = piece.or(sketch.release(tool_now, slack, sizes));
    }
    if matches!(*sketch, Sketch::Points { .. }) && inputs.started(Control::FinishShape) {
        piece = piece.or(sketch.enter(tool_now));
    }
    if let Some(piece) = piece {
        commands.queue(move |world: &mut World| spawn::place(world, piece));
    }
}

/// The name under which the tools capture the pointer.
const OWNER: &str = "tool";

/// While a tool or a handle has the mouse, discs do not respond to it.
fn hold(tool: Res<Tool>, pull: Res<TerrainPull>, mut capture: ResMut<PointerCapture>) {
    capture.set(OWNER, tool.takes_the_mouse() || pull.0.is_some());
}

/// Selects terrain that is clicked where there is no disc, and deselects it when something else is selected.
fn choose(
    mut gestured: MessageReader<Gestured>,
    (mut chosen, tool): (ResMut<ChosenTerrain>, Res<Tool>),
    (hand, pieces): (ToolHand, Pieces),
) {
    for outcome in gestured.read() {
        let now = match outcome {
            Gestured::Click { on: None, add: false } if *tool == Tool::Select && hand.controls.select => {
                hand.released_at().and_then(|at| hand.piece_at(at, &pieces, false))
            }
            Gestured::Click { on: None, add: true } | Gestured::MayNotShoot | Gestured::Shot { .. } => chosen.0,
            _ => None,
        };
        chosen.set_if_neq(ChosenTerrain(now));
    }
}

/// Deletes the selected terrain, or deselects it.
fn delete(mut commands: Commands, mut chosen: ResMut<ChosenTerrain>, (mut inputs, controls): (Inputs, Res<Controls>)) {
    let Some(piece) = chosen.0 else { return };
    if controls.delete && inputs.started(Control::Delete) {
        chosen.0 = None;
        commands.queue(move |world: &mut World| record::delete(world, &[piece]));
    } else if inputs.take(Control::Cancel) {
        chosen.0 = None;
    }
}
