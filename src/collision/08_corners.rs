//! Corners: discs and fixed circles (seeds 003 and 004). A corner is a fixed circle of radius zero, a bumper one with a
//! radius.
//!
//! A corner where walls start answers only a disc whose centre lies beyond the start of all of them: elsewhere the closest
//! point is on a wall, and `Walls` has answered already.

use bevy::prelude::*;

use super::{
    report::{Hit, Struck},
    space::{Reach, Space},
    walls::{answer_terrain, stop_at_walls},
};

/// Answers the discs that touch corners and bumpers, disc by disc in the order of the candidates.
pub fn corners(space: &mut Space) {
    let Space { bodies, walls, corners, wall_reach, corner_reach, hits, settings, collisions, now, .. } = space;
    for reach in corner_reach.chunk_by(|a, b| a.disc == b.disc) {
        let disc = reach[0].disc;
        let i = disc as usize;
        let mut moved = false;
        for &Reach { piece, .. } in reach {
            let corner = &corners[piece as usize];
            let mut away = bodies.position[i] - corner.centre;
            let sum = bodies.radius[i] + corner.radius;
            if !corner.is_touched(away, sum) {
                continue;
            }
            let distance = away.length();
            if distance == 0.0 {
                // A centre on the very point goes back where it came from.
                away = (bodies.previous[i] - corner.centre).try_normalize().unwrap_or(Vec2::X);
            }
            let unit = if distance == 0.0 { away } else { away / distance };
            bodies.position[i] = corner.centre + unit * sum;
            moved = true;
            if let Some((approach_speed, impulse)) = answer_terrain(bodies, i, away, corner.restitution, settings) {
                let struck = Struck::Corner(corner.entity);
                let point = corner.centre + unit * corner.radius;
                let hit = Hit { disc, struck, point, normal: -unit, approach_speed, impulse, time: *now };
                hit.note(settings, collisions, hits);
            }
        }
        if moved {
            // Being pushed off a bumper must not push through the wall behind.
            let first = wall_reach.partition_point(|reach| reach.disc < disc);
            let count = wall_reach[first..].partition_point(|reach| reach.disc == disc);
            stop_at_walls(bodies, walls, &wall_reach[first..first + count], i);
        }
    }
}
