//! Walls: discs that were pushed into kinematic discs come out; then discs that were pushed into straight walls, or hit toward one that they touch. (What a disc meets on its own path it bounces off
//! in `integrate`, by the way of `flight`.) A wall has infinite mass: it pushes the whole overlap out and turns the normal part of the
//! velocity around, times the restitution.
//!
//! A wall acts only where the closest point lies between its ends; the ends belong to `FixedCircles`.

use crate::collision::{
    discs::Discs,
    moving::push_out_of_moving,
    shape::wall::touch,
    space::Space,
    stepped::{
        kinematic::push_out,
        terrain_contacts::{Contacts, TerrainContact, resolve_terrain_contacts},
    },
    terrain::{TerrainView, index::Piece},
};

/// Pushes discs out of kinematic ones, and resolves those that touch walls.
pub fn walls(space: &mut Space) {
    push_out(space);
    // Terrain that stands has the last word.
    push_out_of_moving(space, f64::from(space.now), Contacts::Bounce);
    if space.terrain.is_empty() {
        space.terrain_neighbours.touching.clear();
        return;
    }
    add_pushed(space);
    resolve_terrain_contacts(space, find, Contacts::Bounce);
}

/// Adds those that were pushed near terrain to the discs that came near it on their way.
pub(super) fn add_pushed(space: &mut Space) {
    let Space { discs, terrain, terrain_neighbours, .. } = space;
    terrain_neighbours.prepare(discs.len(), &terrain.view());
    let pushed = std::mem::take(&mut terrain_neighbours.pushed);
    let known = terrain_neighbours.touching.len();
    for &disc in &pushed {
        let i = disc as usize;
        if i < discs.len() && terrain_neighbours.is_near(i, discs.position[i], discs.radius[i]) {
            terrain_neighbours.touching.push(disc);
        }
    }
    terrain_neighbours.pushed = pushed;
    if terrain_neighbours.touching.len() > known {
        terrain_neighbours.touching.sort_unstable();
        terrain_neighbours.touching.dedup();
    }
    terrain_neighbours.touching.retain(|&disc| (disc as usize) < discs.len());
}

/// How a disc overlaps a piece of terrain, if that is a wall and it does.
pub(super) fn find(
    piece: Piece,
    fixed: &TerrainView,
    discs: &Discs,
    i: usize,
    overlap_slop: f32,
) -> Option<TerrainContact> {
    let Piece::Wall(wall) = piece else { return None };
    let (centre, radius) = (discs.position[i], discs.radius[i]);
    let touch = touch(&fixed.walls[wall as usize], discs.previous[i], centre, radius)?;
    (touch.penetration > overlap_slop * radius).then(|| TerrainContact {
        piece,
        away: touch.away,
        normal: touch.away.normalize(),
        centre: centre + touch.away * (touch.penetration / touch.away.length()),
        point: touch.point,
    })
}
