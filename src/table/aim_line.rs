//! What a shot would hit first, on a straight path, and how aiming is drawn.

use bevy::prelude::*;

use super::{
    aim::{aimed, strength},
    gesture::Gesture,
};
use crate::{
    body::{Ball, Position, Radius},
    collision::Space,
    scene::CurrentScene,
    view::{Canvas, Drawn, Eye, Layer, theme},
};

/// The first thing on a disc's straight path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstHit {
    /// How far the disc goes until then, metres.
    pub distance: f32,
    /// Unit vector from the disc's centre, then, toward what it hits.
    pub normal: Vec2,
    /// Whether it is a disc.
    pub disc: bool,
}

/// How far a point goes from `from` along the unit vector `direction` until it enters the circle around `centre`, metres.
/// None if it misses, recedes, or is within it already. This is the smaller root of seed 001's quadratic.
#[must_use]
pub fn to_circle(from: Vec2, direction: Vec2, centre: Vec2, radius: f32) -> Option<f32> {
    let offset = from - centre;
    let half_b = offset.dot(direction);
    let c = offset.length_squared() - radius * radius;
    let discriminant = half_b * half_b - c;
    (half_b < 0.0 && c >= 0.0 && discriminant >= 0.0).then(|| -half_b - discriminant.sqrt())
}

/// How far a disc of this radius goes from `from` along the unit vector `direction` until it touches the inner part of
/// the wall from `a` to `b`, metres, and the unit vector toward the wall. Its ends are corners: see [`to_circle`].
#[must_use]
pub fn to_wall(from: Vec2, direction: Vec2, radius: f32, a: Vec2, b: Vec2) -> Option<(f32, Vec2)> {
    let along = (b - a).try_normalize()?;
    let mut toward = along.perp();
    let mut away = (a - from).dot(toward);
    if away < 0.0 {
        (toward, away) = (-toward, -away);
    }
    let closing = direction.dot(toward);
    if closing <= 0.0 || away < radius {
        return None;
    }
    let distance = (away - radius) / closing;
    let touched = (from + direction * distance - a).dot(along);
    (0.0..=a.distance(b)).contains(&touched).then_some((distance, toward))
}

/// The first thing that a disc of this radius meets from `from` along the unit vector `direction`: one of `discs` (centre,
/// radius) or the terrain of `space`.
#[must_use]
pub fn first_hit(
    from: Vec2,
    direction: Vec2,
    radius: f32,
    discs: impl IntoIterator<Item = (Vec2, f32)>,
    space: &Space,
) -> Option<FirstHit> {
    let circle = |centre: Vec2, sum_of_radii: f32, disc: bool| {
        let distance = to_circle(from, direction, centre, sum_of_radii)?;
        Some(FirstHit { distance, normal: (centre - from - direction * distance) / sum_of_radii, disc })
    };
    let discs = discs.into_iter().filter_map(|(centre, other)| circle(centre, radius + other, true));
    let corners = space.corners.iter().filter_map(|corner| circle(corner.centre, radius + corner.radius, false));
    let walls = space.walls.iter().filter_map(|wall| {
        let (distance, normal) = to_wall(from, direction, radius, wall.a, wall.b)?;
        Some(FirstHit { distance, normal, disc: false })
    });
    discs.chain(corners).chain(walls).min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// How long the line is where nothing is in the way, and how long the stubs after a hit are, logical pixels.
const FREE_LINE: f32 = 4000.0;
const STUB: f32 = 46.0;

pub(super) fn draw(
    mut canvas: ResMut<Canvas>,
    gesture: Res<Gesture>,
    scene: Option<Res<CurrentScene>>,
    space: Res<Space>,
    eye: Res<Eye>,
    discs: Query<(&Position, &Radius, Option<&Drawn>), With<Ball>>,
    others: Query<(Entity, &Position, &Radius), With<Ball>>,
) {
    let strength = strength(scene.as_deref(), &space);
    let Some((centre, radius, velocity)) = aimed(*gesture, &discs, strength, &eye) else { return };
    let Some(direction) = velocity.try_normalize() else { return };
    let share = (velocity.length() / strength.most).clamp(0.0, 1.0);
    let colour = theme::AIM.mix(&theme::AIM_STRONG, share);

    // The cue: behind the ball, as far back as the hand has pulled it, and never further than the fastest shot needs.
    let pull = velocity.length() / strength.per_metre;
    let tip = centre - direction * (radius + eye.px(4.0) + pull * 0.35);
    let butt = tip - direction * (pull * 0.65 + eye.px(60.0));
    canvas.line(Layer::Gesture, tip, butt, eye.px(5.0), theme::SHADOW);
    canvas.line(Layer::Gesture, tip, butt, eye.px(3.5), colour);

    let around = others.iter().filter(|(entity, ..)| !gesture.holds(*entity)).map(|(_, p, r)| (p.0, r.0));
    let hit = first_hit(centre, direction, radius, around, &space);
    let reach = hit.map_or(eye.px(FREE_LINE), |hit| hit.distance);
    let ghost = centre + direction * reach;
    let start = centre + direction * radius.min(reach);
    canvas.dashed(Layer::Gesture, start, ghost, eye.px(1.6), eye.px(5.0), theme::AIM);
    let Some(hit) = hit else { return };
    canvas.ring(Layer::Gesture, ghost, radius, eye.px(1.4), theme::AIM);
    let touch = ghost + hit.normal * radius;
    if hit.disc {
        // The struck disc leaves along the line of centres: discs are smooth.
        canvas.arrow(Layer::Gesture, touch, touch + hit.normal * eye.px(STUB), eye.px(1.8), theme::AIM);
    } else {
        let back = direction - 2.0 * direction.dot(hit.normal) * hit.normal;
        canvas.dashed(Layer::Gesture, ghost, ghost + back * eye.px(2.0 * STUB), eye.px(1.4), eye.px(5.0), theme::AIM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Wall;

    #[test]
    fn the_nearer_of_two_discs_is_hit_where_the_rims_meet() {
        let discs = [(vec2(5.0, 0.0), 1.0), (vec2(9.0, 0.0), 1.0)];
        let hit = first_hit(Vec2::ZERO, Vec2::X, 1.0, discs, &Space::default());
        assert_eq!(hit, Some(FirstHit { distance: 3.0, normal: Vec2::X, disc: true }));
    }

    #[test]
    fn what_lies_behind_or_beside_is_not_hit() {
        let discs = [(vec2(-5.0, 0.0), 1.0), (vec2(5.0, 2.1), 1.0)];
        assert_eq!(first_hit(Vec2::ZERO, Vec2::X, 1.0, discs, &Space::default()), None);
    }

    #[test]
    fn a_wall_stops_the_rim_and_not_the_centre() {
        let wall = Wall { entity: Entity::PLACEHOLDER, a: vec2(4.0, -1.0), b: vec2(4.0, 1.0), restitution: None };
        let mut space = Space::default();
        space.walls.push(wall);
        let hit = first_hit(Vec2::ZERO, Vec2::X, 0.5, [], &space);
        assert_eq!(hit, Some(FirstHit { distance: 3.5, normal: Vec2::X, disc: false }));
        assert_eq!(first_hit(vec2(0.0, 1.2), Vec2::X, 0.5, [], &space), None, "beside the wall is only its corner");
    }
}
