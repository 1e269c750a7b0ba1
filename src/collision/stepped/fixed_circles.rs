//! Fixed circles: discs that were pushed into corners and bumpers (corner reflection), or hit toward one that they touch. A corner is a
//! fixed circle of radius zero, a bumper one with a radius. What a disc meets on its own path it bounces off in `integrate`.
//!
//! A corner where walls start acts only on a disc whose centre lies beyond the start of all of them: elsewhere the closest
//! point is on a wall, and `Walls` has resolved already.

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    moving::stop_pinned,
    space::Space,
    stepped::{
        kinematic::push_out_wedged,
        terrain_contacts::{Contacts, TerrainContact, resolve_terrain_contacts},
    },
    terrain::{TerrainView, index::Piece},
};

/// Resolves the discs that touch corners and bumpers. Then whom terrain has pushed back into kinematic discs finds a way out, if there is one.
pub fn fixed_circles(space: &mut Space) {
    resolve_terrain_contacts(space, find, Contacts::Bounce);
    stop_pinned(space, f64::from(space.now), Contacts::Bounce);
    push_out_wedged(space);
}

/// How a disc overlaps a piece of terrain, if that is a corner or a bumper and it does.
pub(super) fn find(
    piece: Piece,
    fixed: &TerrainView,
    discs: &Discs,
    i: usize,
    overlap_slop: f32,
) -> Option<TerrainContact> {
    let Piece::FixedCircle(circle) = piece else { return None };
    let circle = &fixed.fixed_circles[circle as usize];
    let (away, radius) = (discs.position[i] - circle.centre, discs.radius[i]);
    if !circle.is_touched(away, radius * (1.0 - overlap_slop) + circle.radius) {
        return None;
    }
    let distance = away.length();
    let (away, normal) = if distance == 0.0 {
        // A centre on the very point goes back where it came from.
        let back = (discs.previous[i] - circle.centre).try_normalize().unwrap_or(Vec2::X);
        (back, back)
    } else {
        (away, away / distance)
    };
    let centre = circle.centre + normal * (radius + circle.radius);
    Some(TerrainContact { piece, away, normal, centre, point: circle.centre + normal * circle.radius })
}
