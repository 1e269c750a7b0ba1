//! Walls: discs that were pushed into straight walls, or hit toward one that they touch. (What a disc meets on its own path it bounces off
//! in `integrate`, by the way of `flight`.) A wall has infinite mass: it pushes the whole overlap out and turns the normal part of the velocity around, times the restitution.
//!
//! A wall acts only where the closest point lies between its ends; the ends belong to `FixedCircles`. A centre never gets
//! through, whoever pushes: a way that crosses a wall is first taken back to where the disc touched it. A push that lifts is paid
//! for with speed, and one that lowers gives some.

use crate::collision::{
    bridge::report::{Collider, Hit},
    broad_phase::{terrain_index::Piece, terrain_neighbours::clear_box},
    geometry::{TerrainView, Touch, touch},
    response::resolve_terrain,
    space::{Discs, Space, Wall},
    stepped::containment::{pay, reach, stay_inside},
};

/// Resolves the discs that touch walls, in their order, each piece by piece.
pub fn walls(space: &mut Space) {
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
        contacts,
        candidates,
        grid,
        ..
    } = space;
    if walls.is_empty() && fixed_circles.is_empty() {
        terrain_neighbours.touching.clear();
        return;
    }
    let fixed = TerrainView { walls, fixed_circles, index: terrain_index };
    terrain_neighbours.prepare(discs.len(), &fixed);
    // Besides those that were near terrain on their way: who was pushed there.
    let (clear_low, clear_high) = clear_box(terrain_index);
    let known = terrain_neighbours.touching.len();
    for contact in contacts.iter() {
        for disc in [contact.a, contact.b] {
            let i = disc as usize;
            let (at, radius) = (discs.position[i], discs.radius[i]);
            let clear = (at - 2.0 * radius).cmpgt(clear_low) & (at + 2.0 * radius).cmplt(clear_high);
            if !clear.all() && terrain_neighbours.is_near(i, at, radius) {
                terrain_neighbours.touching.push(disc);
            }
        }
    }
    if terrain_neighbours.touching.len() > known {
        terrain_neighbours.touching.sort_unstable();
        terrain_neighbours.touching.dedup();
    }
    terrain_neighbours.touching.retain(|&disc| (disc as usize) < discs.len());
    let touching = std::mem::take(&mut terrain_neighbours.touching);
    for &disc in &touching {
        let i = disc as usize;
        let radius = discs.radius[i];
        let before = discs.position[i];
        let pieces = terrain_neighbours.list(i, &fixed, before, reach(discs, i), radius);
        stay_inside(discs, pieces, &fixed, i);
        if discs.position[i] == before
            && !pieces.iter().any(|&piece| touched(piece, walls, discs, i, overlap_slop).is_some())
        {
            continue;
        }
        let mut next = Piece::Wall(0);
        // A push out of one wall may lead into another.
        while let Some((wall, touch)) = terrain_neighbours
            .list(i, &fixed, discs.position[i], radius, radius)
            .iter()
            .skip_while(|&&piece| piece < next)
            .find_map(|&piece| touched(piece, walls, discs, i, overlap_slop))
        {
            next = Piece::Wall(wall + 1);
            let wall = &walls[wall as usize];
            discs.position[i] += touch.away * (touch.penetration / touch.away.length());
            if let Some((approach_speed, impulse)) = resolve_terrain(discs, i, touch.away, wall.restitution, settings) {
                let collider = Collider::Wall(wall.entity);
                let normal = -touch.away.normalize();
                let hit = Hit { disc, collider, point: touch.point, normal, approach_speed, impulse, time: *now };
                hit.record(settings, collisions, hits);
            }
        }
        stay_inside(discs, terrain_neighbours.list(i, &fixed, discs.position[i], reach(discs, i), radius), &fixed, i);
        pay(discs, i, before, acceleration);
        candidates.pushed_later([disc], discs, grid);
    }
    terrain_neighbours.touching = touching;
}

/// How a disc overlaps a piece of terrain, if that is a wall and it does.
fn touched(piece: Piece, walls: &[Wall], discs: &Discs, i: usize, overlap_slop: f32) -> Option<(u32, Touch)> {
    let Piece::Wall(wall) = piece else { return None };
    let touch = touch(&walls[wall as usize], discs.previous[i], discs.position[i], discs.radius[i])?;
    (touch.penetration > overlap_slop * discs.radius[i]).then_some((wall, touch))
}
