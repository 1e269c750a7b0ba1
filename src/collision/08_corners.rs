//! Corners: discs that were pushed into fixed circles (seeds 003 and 004), or hit toward one that they touch. A corner is a fixed
//! circle of radius zero, a bumper one with a radius.
//!
//! A corner where walls start answers only a disc whose centre lies beyond the start of all of them: elsewhere the closest
//! point is on a wall, and `Walls` has answered already.

use bevy::prelude::*;

use super::{
    near_terrain::Fixed,
    report::{Hit, Struck},
    space::{Bodies, Corner, Space},
    terrain_index::Piece,
    walls::{answer_terrain, pay, reach, stay_inside},
};

/// Answers the discs that touch corners and bumpers, in their order, each piece by piece.
pub fn corners(space: &mut Space) {
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
        candidates,
        grid,
        ..
    } = space;
    let fixed = Fixed { walls, corners, index: terrain_index };
    let touching = std::mem::take(&mut near_terrain.touching);
    for &disc in &touching {
        let i = disc as usize;
        let (before, radius) = (bodies.position[i], bodies.radius[i]);
        let pieces = near_terrain.list(i, &fixed, before, radius, radius);
        // Corners come after walls.
        if !matches!(pieces.last(), Some(Piece::Corner(_))) {
            continue;
        }
        let mut next = Piece::Corner(0);
        while let Some(at) = near_terrain
            .list(i, &fixed, bodies.position[i], radius, radius)
            .iter()
            .skip_while(|&&piece| piece < next)
            .find_map(|&piece| touched(piece, corners, bodies, i, left_overlap))
        {
            next = Piece::Corner(at + 1);
            let corner = &corners[at as usize];
            let mut away = bodies.position[i] - corner.centre;
            let sum = bodies.radius[i] + corner.radius;
            let distance = away.length();
            if distance == 0.0 {
                // A centre on the very point goes back where it came from.
                away = (bodies.previous[i] - corner.centre).try_normalize().unwrap_or(Vec2::X);
            }
            let unit = if distance == 0.0 { away } else { away / distance };
            bodies.position[i] = corner.centre + unit * sum;
            if let Some((approach_speed, impulse)) = answer_terrain(bodies, i, away, corner.restitution, settings) {
                let struck = Struck::Corner(corner.entity);
                let point = corner.centre + unit * corner.radius;
                let hit = Hit { disc, struck, point, normal: -unit, approach_speed, impulse, time: *now };
                hit.note(settings, collisions, hits);
            }
        }
        if bodies.position[i] != before {
            // Being pushed off a bumper must not push through the wall behind.
            stay_inside(bodies, near_terrain.list(i, &fixed, bodies.position[i], reach(bodies, i), radius), &fixed, i);
            pay(bodies, i, before, pull);
            candidates.pushed_later([disc], bodies, grid);
        }
    }
    near_terrain.touching = touching;
}

/// The corner or bumper that a disc touches, if this is one.
fn touched(piece: Piece, corners: &[Corner], bodies: &Bodies, i: usize, left_overlap: f32) -> Option<u32> {
    let Piece::Corner(at) = piece else { return None };
    let corner = &corners[at as usize];
    let sum = bodies.radius[i] * (1.0 - left_overlap) + corner.radius;
    corner.is_touched(bodies.position[i] - corner.centre, sum).then_some(at)
}
