//! Walls: discs and straight walls (seed 003's edges). A wall has infinite mass: it pushes the whole overlap out and turns
//! the normal part of the velocity around, times the restitution.
//!
//! A wall answers only where the closest point lies between its ends; the ends belong to `Corners`. A centre never gets
//! through: a path that crossed a wall within the substep is first taken back to where the disc touched it.

use bevy::prelude::*;

use super::{
    impulse::{Real, restitution_of},
    report::{Hit, Struck},
    settings::CollisionSettings,
    space::{Bodies, Reach, Space, Wall},
};

/// Answers the discs that touch walls, disc by disc in the order of the candidates.
pub fn walls(space: &mut Space) {
    let Space { bodies, walls, wall_reach, hits, settings, collisions, now, .. } = space;
    for reach in wall_reach.chunk_by(|a, b| a.disc == b.disc) {
        let i = reach[0].disc as usize;
        stop_at_walls(bodies, walls, reach, i);
        for &Reach { piece, disc } in reach {
            let wall = &walls[piece as usize];
            let Some(touch) = touch(wall, bodies.previous[i], bodies.position[i], bodies.radius[i]) else { continue };
            bodies.position[i] += touch.away * (touch.penetration / touch.away.length());
            if let Some((approach_speed, impulse)) = answer_terrain(bodies, i, touch.away, wall.restitution, settings) {
                let struck = Struck::Wall(wall.entity);
                let normal = -touch.away.normalize();
                let hit = Hit { disc, struck, point: touch.point, normal, approach_speed, impulse, time: *now };
                hit.note(settings, collisions, hits);
            }
        }
    }
}

/// Takes disc `i` back to where it first touched a wall that its centre crossed within this substep, if it crossed one.
pub(super) fn stop_at_walls(bodies: &mut Bodies, walls: &[Wall], reach: &[Reach], i: usize) {
    let (from, to) = (bodies.previous[i], bodies.position[i]);
    let mut earliest = f32::INFINITY;
    for &Reach { piece, .. } in reach {
        if let Some(time) = crossing(&walls[piece as usize], from, to, bodies.radius[i]) {
            earliest = earliest.min(time);
        }
    }
    if earliest <= 1.0 {
        bodies.position[i] = from + (to - from) * earliest;
    }
}

/// The z component of the cross product: twice the area of the triangle that two vectors span, positive if `b` lies
/// counter-clockwise of `a`.
fn cross(a: Vec2, b: Vec2) -> f32 {
    a.perp_dot(b)
}

/// Whether a path crosses the wall between its ends.
///
/// Signs, not distances: two walls that share an end agree about it, so that nothing slips through between them.
fn crosses(wall: &Wall, from: Vec2, to: Vec2) -> bool {
    let (along, path) = (wall.b - wall.a, to - from);
    (cross(along, from - wall.a) > 0.0) != (cross(along, to - wall.a) > 0.0)
        && (cross(path, wall.a - from) > 0.0) != (cross(path, wall.b - from) > 0.0)
}

/// When (as a share of the path `from`..`to`) a disc touches a wall that its centre crosses on that path.
fn crossing(wall: &Wall, from: Vec2, to: Vec2, radius: f32) -> Option<f32> {
    if !crosses(wall, from, to) {
        return None;
    }
    let along = wall.b - wall.a;
    let length = along.length();
    let (before, after) = (cross(along, from - wall.a), cross(along, to - wall.a));
    let distance = before.abs() / length;
    let total = (before - after).abs() / length;
    Some(((distance - radius) / total).max(0.0))
}

/// How a disc overlaps a wall.
pub(super) struct Touch {
    /// Perpendicular to the wall, toward the side of the disc; as long as the wall.
    pub(super) away: Vec2,
    /// How deep the disc is in the wall, metres.
    penetration: f32,
    /// The closest point of the wall.
    point: Vec2,
}

pub(super) fn touch(wall: &Wall, previous: Vec2, centre: Vec2, radius: f32) -> Option<Touch> {
    let along = wall.b - wall.a;
    let squared = along.length_squared();
    let share = (centre - wall.a).dot(along) / squared;
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    // The side from which the disc came, if something has pushed its centre through; a disc that came around an end is on
    // the side where it is.
    let witness = if crosses(wall, previous, centre) { previous } else { centre };
    let side = if cross(along, witness - wall.a) >= 0.0 { 1.0 } else { -1.0 };
    let distance = side * cross(along, centre - wall.a) / squared.sqrt();
    let penetration = radius - distance;
    if penetration <= 0.0 {
        return None;
    }
    Some(Touch { away: along.perp() * side, penetration, point: wall.a + along * share })
}

/// Turns around the part of a disc's velocity that points against `away`, times the restitution, and gives the approach
/// speed (m/s) and the impulse (N s); nothing if it does not approach.
///
/// `away` need not have length 1: `v - (1 + e) away (v · away) / (away · away)` (seed 004) saves a root, and its rounding
/// errors differ from bounce to bounce instead of adding up.
pub(super) fn answer_terrain(
    bodies: &mut Bodies,
    i: usize,
    away: Vec2,
    piece_restitution: Option<f32>,
    settings: &CollisionSettings,
) -> Option<(f32, f32)> {
    let inward = -bodies.velocity[i].dot(away);
    if inward <= 0.0 {
        return None;
    }
    let squared = away.length_squared();
    let approach = inward / squared.sqrt();
    let carried = (bodies.restitution[i], piece_restitution, settings.wall_restitution);
    let e = restitution_of(approach, carried, settings.resting_speed);
    bodies.velocity[i] = bounce(bodies.velocity[i], away, e);
    Some((approach, (1.0 + e) * approach * bodies.mass[i]))
}

/// The velocity after a bounce off something fixed, with `away` along the normal (of any length) and restitution `e`
/// (seed 004; at e = 1 and unit length it is seed 003's `v - 2 (v · l) l`).
#[must_use]
pub fn bounce(velocity: Vec2, away: Vec2, e: f32) -> Vec2 {
    velocity + away * bounce_share(-velocity.dot(away), away.length_squared(), e)
}

/// How much of `away`, whose squared length is `squared`, a bounce adds to a velocity whose product with `-away` is `inward`.
pub(super) fn bounce_share<T: Real>(inward: T, squared: T, e: T) -> T {
    (T::from(1.0) + e) * inward / squared
}
