//! The velocity arrows of lessons: their tips can be dragged.
//!
//! An arrow ends where the disc would be after one second, so metres on the table are metres per second.

use bevy::prelude::*;

use super::move_disc::held_at;
use crate::{
    components::{InPlay, Position, StableId, Velocity},
    input::{
        ControlSystems, allow,
        gesture::{Gesture, Handles},
        hand::SLACK,
        pointer::{Attention, Pointer},
    },
    scene::{CurrentScene, first_two},
    view::{Canvas, CurrentView, DrawView, Layer, Theme, sees_layer_0},
};

/// In lessons that request it, the tips of the first two velocity arrows are handles. Dragging one sets the velocity.
pub struct ArrowTipPlugin;

impl Plugin for ArrowTipPlugin {
    fn build(&self, app: &mut App) {
        allow(app, |controls| controls.move_discs = true);
        app.add_systems(PreUpdate, list.in_set(ControlSystems::Keys))
            .add_systems(PreUpdate, turn.in_set(ControlSystems::Move))
            .add_systems(DrawView, draw.run_if(sees_layer_0));
    }
}

/// Lists the tips of the first two discs as handles.
fn list(
    mut handles: ResMut<Handles>,
    scene: Option<Res<CurrentScene>>,
    discs: Query<(Entity, &StableId, &Position, &Velocity), InPlay>,
) {
    if scene.is_some_and(|scene| scene.file.lesson.has_tips) {
        handles.0.extend(first_two_tips(&discs));
    }
}

/// The first two discs, with the tips of their arrows, metres.
fn first_two_tips(
    discs: &Query<(Entity, &StableId, &Position, &Velocity), InPlay>,
) -> impl Iterator<Item = (Entity, Vec2)> {
    let first = first_two(discs, |(entity, id, ..)| (**id, *entity));
    first.into_iter().flatten().map(|(entity, _, position, velocity)| (entity, position.0 + velocity.0))
}

/// Sets the disc's velocity from its held arrow.
fn turn(gesture: Res<Gesture>, mut discs: Query<(&Position, &mut Velocity), InPlay>) {
    let Gesture::HoldingHandle { disc, offset, pointer } = *gesture else { return };
    let (Ok((position, mut velocity)), Some(tip)) = (discs.get_mut(disc), held_at(pointer, offset)) else { return };
    let wanted = tip - position.0;
    if velocity.0 != wanted {
        velocity.0 = wanted;
    }
}

/// Draws handles on the tips to show that they can be dragged.
fn draw(
    mut canvas: ResMut<Canvas>,
    scene: Option<Res<CurrentScene>>,
    (gesture, pointer, attention, view, theme): (
        Res<Gesture>,
        Res<Pointer>,
        Res<Attention>,
        Res<CurrentView>,
        Res<Theme>,
    ),
    discs: Query<(Entity, &StableId, &Position, &Velocity), InPlay>,
) {
    if scene.is_none_or(|scene| !scene.file.lesson.has_tips) {
        return;
    }
    for (entity, tip) in first_two_tips(&discs) {
        let near = attention.mouse && pointer.world.is_some_and(|at| at.distance(tip) <= view.px(2.0 * SLACK));
        let held = matches!(*gesture, Gesture::HoldingHandle { disc, .. } if disc == entity);
        let colour = if held || near { theme.marks.selected } else { theme.marks.hover };
        canvas.ring(Layer::Gesture, tip, view.px(if held || near { 10.0 } else { 8.0 }), view.px(1.8), colour);
    }
}
