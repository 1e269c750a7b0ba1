//! Containment: no centre gets through a wall, whatever pushes it, and a push that lifts a disc is paid for with its
//! speed. For `Walls`, `FixedCircles` and `Settle`.

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    shape::{
        rounding::PADDED,
        wall::{crosses, crossing},
    },
    terrain::{TerrainView, index::Piece},
};

/// The circle around a disc that contains everything it can have hit since it was moved, metres.
pub fn reach(discs: &Discs, i: usize) -> f32 {
    (discs.radius[i] + discs.position[i].distance(discs.previous[i])) * PADDED
}

/// Moves disc `i` back to its first contact with a wall that its centre has crossed since it was moved, if any. If that
/// place is across another wall, the disc returns to its previous position.
pub fn stay_inside(discs: &mut Discs, pieces: &[Piece], fixed: &TerrainView, i: usize) {
    let (from, to) = (discs.previous[i], discs.position[i]);
    let walls = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Wall(wall) => Some(&fixed.walls[*wall as usize]),
            Piece::FixedCircle(_) => None,
        })
    };
    let mut earliest = f32::INFINITY;
    for wall in walls() {
        if let Some(time) = crossing(wall, from, to, discs.radius[i]) {
            earliest = earliest.min(time);
        }
    }
    if earliest <= 1.0 {
        let back = from + (to - from) * earliest;
        let still = walls().any(|wall| crosses(wall, from, back));
        discs.position[i] = if still { from } else { back };
    }
}

/// Pays for a push that has lifted a disc with its speed: `v² = v² + 2 acceleration · way`, as far as the speed allows.
/// Its velocity at the time of the push is its current one minus `ahead`.
pub fn pay(discs: &mut Discs, i: usize, before: Vec2, [acceleration, ahead]: [Vec2; 2]) {
    if acceleration == Vec2::ZERO || discs.position[i] == before {
        return;
    }
    let ahead = ahead.as_dvec2();
    let velocity = discs.velocity[i].as_dvec2() - ahead;
    let squared = velocity.length_squared();
    let left = squared + 2.0 * acceleration.as_dvec2().dot((discs.position[i] - before).as_dvec2());
    if squared > 0.0 {
        discs.velocity[i] = (velocity * (left.max(0.0) / squared).sqrt() + ahead).as_vec2();
    }
}
