//! Walls: discs that were pushed into straight walls (seed 003's edges), or hit toward one that they touch. A wall has infinite
//! mass: it pushes the whole overlap out and turns the normal part of the velocity around, times the restitution.
//!
//! A wall answers only where the closest point lies between its ends; the ends belong to `Corners`. A centre never gets
//! through, whoever pushes: a way that crosses a wall is first taken back to where the disc touched it. A push that lifts is paid
//! for with speed, and one that lowers gives some.

use bevy::prelude::*;

use super::{
    impulse::{Real, restitution_of},
    near_terrain::{Fixed, clear_box},
    report::{Hit, Struck},
    settings::CollisionSettings,
    space::{Bodies, Space, Wall},
    terrain_index::Piece,
};

/// Answers the discs that touch walls, in their order, each piece by piece.
pub fn walls(space: &mut Space) {
    let (pull, left_overlap) = (space.pull(), space.left_overlap);
    let Space {
        bodies,
        walls,
        corners,
        terrain_index,
        near_terrain,
        hits,
        settings,
        collisions,
        now,
        contacts,
        candidates,
        grid,
        ..
    } = space;
    if walls.is_empty() && corners.is_empty() {
        near_terrain.touching.clear();
        return;
    }
    let fixed = Fixed { walls, corners, index: terrain_index };
    near_terrain.prepare(bodies.len(), &fixed);
    // Besides those that were near terrain on their way: who was pushed there.
    let (clear_low, clear_high) = clear_box(terrain_index);
    let known = near_terrain.touching.len();
    for contact in contacts.iter() {
        for disc in [contact.a, contact.b] {
            let i = disc as usize;
            let (at, radius) = (bodies.position[i], bodies.radius[i]);
            let clear = (at - 2.0 * radius).cmpgt(clear_low) & (at + 2.0 * radius).cmplt(clear_high);
            if !clear.all() && near_terrain.is_near(i, at, radius) {
                near_terrain.touching.push(disc);
            }
        }
    }
    if near_terrain.touching.len() > known {
        near_terrain.touching.sort_unstable();
        near_terrain.touching.dedup();
    }
    near_terrain.touching.retain(|&disc| (disc as usize) < bodies.len());
    let touching = std::mem::take(&mut near_terrain.touching);
    for &disc in &touching {
        let i = disc as usize;
        let radius = bodies.radius[i];
        let before = bodies.position[i];
        let pieces = near_terrain.list(i, &fixed, before, reach(bodies, i), radius);
        stay_inside(bodies, pieces, &fixed, i);
        if bodies.position[i] == before
            && !pieces.iter().any(|&piece| touched(piece, walls, bodies, i, left_overlap).is_some())
        {
            continue;
        }
        let mut next = Piece::Wall(0);
        // A push out of one wall may lead into another.
        while let Some((wall, touch)) = near_terrain
            .list(i, &fixed, bodies.position[i], radius, radius)
            .iter()
            .skip_while(|&&piece| piece < next)
            .find_map(|&piece| touched(piece, walls, bodies, i, left_overlap))
        {
            next = Piece::Wall(wall + 1);
            let wall = &walls[wall as usize];
            bodies.position[i] += touch.away * (touch.penetration / touch.away.length());
            if let Some((approach_speed, impulse)) = answer_terrain(bodies, i, touch.away, wall.restitution, settings) {
                let struck = Struck::Wall(wall.entity);
                let normal = -touch.away.normalize();
                let hit = Hit { disc, struck, point: touch.point, normal, approach_speed, impulse, time: *now };
                hit.note(settings, collisions, hits);
            }
        }
        stay_inside(bodies, near_terrain.list(i, &fixed, bodies.position[i], reach(bodies, i), radius), &fixed, i);
        pay(bodies, i, before, pull);
        candidates.pushed_later([disc], bodies, grid);
    }
    near_terrain.touching = touching;
}

/// How a disc overlaps a piece of terrain, if that is a wall and it does.
fn touched(piece: Piece, walls: &[Wall], bodies: &Bodies, i: usize, left_overlap: f32) -> Option<(u32, Touch)> {
    let Piece::Wall(wall) = piece else { return None };
    let touch = touch(&walls[wall as usize], bodies.previous[i], bodies.position[i], bodies.radius[i])?;
    (touch.penetration > left_overlap * bodies.radius[i]).then_some((wall, touch))
}

/// The circle around a disc in which all is that it can have met since it was moved, metres.
pub(super) fn reach(bodies: &Bodies, i: usize) -> f32 {
    (bodies.radius[i] + bodies.position[i].distance(bodies.previous[i])) * 1.0001
}

/// Pays for a push that has lifted a disc with its speed: `v² = v² + 2 pull · way`; as much of it as it has.
pub(super) fn pay(bodies: &mut Bodies, i: usize, before: Vec2, pull: Vec2) {
    if pull == Vec2::ZERO || bodies.position[i] == before {
        return;
    }
    let velocity = bodies.velocity[i].as_dvec2();
    let squared = velocity.length_squared();
    let left = squared + 2.0 * pull.as_dvec2().dot((bodies.position[i] - before).as_dvec2());
    if squared > 0.0 {
        bodies.velocity[i] = (velocity * (left.max(0.0) / squared).sqrt()).as_vec2();
    }
}

/// Takes disc `i` back to where it first touched a wall that its centre has crossed since it was moved, if it has crossed one; if
/// that is across another, to where it was.
pub(super) fn stay_inside(bodies: &mut Bodies, pieces: &[Piece], fixed: &Fixed, i: usize) {
    let (from, to) = (bodies.previous[i], bodies.position[i]);
    let walls = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Wall(wall) => Some(&fixed.walls[*wall as usize]),
            Piece::Corner(_) => None,
        })
    };
    let mut earliest = f32::INFINITY;
    for wall in walls() {
        if let Some(time) = crossing(wall, from, to, bodies.radius[i]) {
            earliest = earliest.min(time);
        }
    }
    if earliest <= 1.0 {
        let back = from + (to - from) * earliest;
        let still = walls().any(|wall| crosses(wall, from, back));
        bodies.position[i] = if still { from } else { back };
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
pub(super) fn crosses(wall: &Wall, from: Vec2, to: Vec2) -> bool {
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
