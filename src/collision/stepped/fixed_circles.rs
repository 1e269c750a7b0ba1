//! Fixed circles: discs that were pushed into corners and bumpers (corner reflection), or hit toward one that they touch. A corner is a
//! fixed circle of radius zero, a bumper one with a radius. What a disc meets on its own path it bounces off in `integrate`.
//!
//! A corner where walls start acts only on a disc whose centre lies beyond the start of all of them: elsewhere the closest
//! point is on a wall, and `Walls` has resolved already.

use bevy::prelude::*;

use crate::collision::{
    bridge::report::{Collider, Hit},
    broad_phase::terrain_index::Piece,
    geometry::TerrainView,
    response::resolve_terrain,
    space::{Discs, FixedCircle, Space},
    stepped::containment::{pay, reach, stay_inside},
};

/// Resolves the discs that touch corners and bumpers, in their order, each piece by piece.
pub fn fixed_circles(space: &mut Space) {
    let (acceleration, overlap_slop) = (space.acceleration(), space.overlap_slop);
    let Space {
        discs,
        walls,
        fixed_circles,
        terrain_index,
        terrain_neighbours,
        hits,
        settings,
        collisions,
        now,
        candidates,
        grid,
        ..
    } = space;
    let fixed = TerrainView { walls, fixed_circles, index: terrain_index };
    let touching = std::mem::take(&mut terrain_neighbours.touching);
    for &disc in &touching {
        let i = disc as usize;
        let (before, radius) = (discs.position[i], discs.radius[i]);
        let pieces = terrain_neighbours.list(i, &fixed, before, radius, radius);
        // Corners come after walls.
        if !matches!(pieces.last(), Some(Piece::FixedCircle(_))) {
            continue;
        }
        let mut next = Piece::FixedCircle(0);
        while let Some(at) = terrain_neighbours
            .list(i, &fixed, discs.position[i], radius, radius)
            .iter()
            .skip_while(|&&piece| piece < next)
            .find_map(|&piece| touched(piece, fixed_circles, discs, i, overlap_slop))
        {
            next = Piece::FixedCircle(at + 1);
            let circle = &fixed_circles[at as usize];
            let mut away = discs.position[i] - circle.centre;
            let sum = discs.radius[i] + circle.radius;
            let distance = away.length();
            if distance == 0.0 {
                // A centre on the very point goes back where it came from.
                away = (discs.previous[i] - circle.centre).try_normalize().unwrap_or(Vec2::X);
            }
            let unit = if distance == 0.0 { away } else { away / distance };
            discs.position[i] = circle.centre + unit * sum;
            if let Some((approach_speed, impulse)) = resolve_terrain(discs, i, away, circle.restitution, settings) {
                let collider = Collider::FixedCircle(circle.entity);
                let point = circle.centre + unit * circle.radius;
                let hit = Hit { disc, collider, point, normal: -unit, approach_speed, impulse, time: *now };
                hit.record(settings, collisions, hits);
            }
        }
        if discs.position[i] != before {
            // Being pushed off a bumper must not push through the wall behind.
            stay_inside(
                discs,
                terrain_neighbours.list(i, &fixed, discs.position[i], reach(discs, i), radius),
                &fixed,
                i,
            );
            pay(discs, i, before, acceleration);
            candidates.pushed_later([disc], discs, grid);
        }
    }
    terrain_neighbours.touching = touching;
}

/// The corner or bumper that a disc touches, if this is one.
fn touched(piece: Piece, fixed_circles: &[FixedCircle], discs: &Discs, i: usize, overlap_slop: f32) -> Option<u32> {
    let Piece::FixedCircle(at) = piece else { return None };
    let circle = &fixed_circles[at as usize];
    let sum = discs.radius[i] * (1.0 - overlap_slop) + circle.radius;
    circle.is_touched(discs.position[i] - circle.centre, sum).then_some(at)
}
