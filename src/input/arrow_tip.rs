//! The velocity arrows of lessons: their tips can be taken and pulled.
//!
//! An arrow ends where the disc would be after one second, so metres on the table are metres per second.

use bevy::prelude::*;

use super::{
    gesture::{Gesture, SLACK},
    move_disc::held_at,
    pointer::{Attention, Pointer},
};
use crate::{
    components::{InPlay, Position, StableId, Velocity},
    scene::CurrentScene,
    view::{Canvas, Layer, Picture, Theme},
};

/// The arrow whose tip lies nearest to `point`, within `slack` (all in metres), and where that tip is. Arrows are given
/// as entity, position (m) and velocity (m/s).
#[must_use]
pub fn tip_at(
    point: Vec2,
    slack: f32,
    arrows: impl IntoIterator<Item = (Entity, Vec2, Vec2)>,
) -> Option<(Entity, Vec2)> {
    arrows
        .into_iter()
        .map(|(entity, position, velocity)| (entity, position + velocity))
        .filter(|(_, tip)| tip.distance(point) <= slack)
        .min_by(|a, b| a.1.distance(point).total_cmp(&b.1.distance(point)))
}

/// Gives the disc the velocity that its held arrow shows.
pub(super) fn turn(gesture: Res<Gesture>, mut discs: Query<(&Position, &mut Velocity), InPlay>) {
    let Gesture::TurningArrow { disc, offset, pointer } = *gesture else { return };
    let (Ok((position, mut velocity)), Some(tip)) = (discs.get_mut(disc), held_at(pointer, offset)) else { return };
    let wanted = tip - position.0;
    if velocity.0 != wanted {
        velocity.0 = wanted;
    }
}

/// Handles on the tips, so that one sees that they can be taken.
pub(super) fn draw(
    mut canvas: ResMut<Canvas>,
    scene: Option<Res<CurrentScene>>,
    (gesture, pointer, attention, view, theme): (Res<Gesture>, Res<Pointer>, Res<Attention>, Res<Picture>, Res<Theme>),
    discs: Query<(Entity, &StableId, &Position, &Velocity), InPlay>,
) {
    if scene.is_none_or(|scene| !scene.file.lesson.has_tips) {
        return;
    }
    let mut first: Vec<_> = discs.iter().map(|(entity, id, p, v)| (*id, entity, p.0, v.0)).collect();
    first.sort_unstable_by_key(|&(id, entity, ..)| (id, entity));
    for &(_, entity, position, velocity) in first.iter().take(2) {
        let tip = position + velocity;
        let near = attention.mouse && pointer.world.is_some_and(|at| at.distance(tip) <= view.px(2.0 * SLACK));
        let held = matches!(*gesture, Gesture::TurningArrow { disc, .. } if disc == entity);
        let colour = if held || near { theme.marks.selected } else { theme.marks.hover };
        canvas.ring(Layer::Gesture, tip, view.px(if held || near { 10.0 } else { 8.0 }), view.px(1.8), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_tip_is_taken_and_only_a_near_one() {
        let (a, b) = (Entity::from_bits(1), Entity::from_bits(2));
        let arrows = [(a, Vec2::ZERO, vec2(1.0, 0.0)), (b, vec2(2.0, 0.0), vec2(-0.9, 0.0))];
        assert_eq!(tip_at(vec2(1.02, 0.0), 0.2, arrows), Some((a, vec2(1.0, 0.0))));
        assert_eq!(tip_at(vec2(0.5, 0.0), 0.2, arrows), None);
    }
}
