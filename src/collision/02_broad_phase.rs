//! Broad phase: which discs may touch which discs, walls and corners within the tick.
//!
//! A [`Grid`], made once a tick from where the discs will be after the first substep. Each disc reaches as far as its radius
//! and, with several substeps, as far as its present speed takes it in the rest of the tick. A disc that is hit within the
//! tick may get farther than that; what it meets there is found on the next tick.

use bevy::prelude::*;

pub use super::grid::Grid;
use super::space::{Bodies, Reach, Space};

impl Space {
    /// The grid of the last broad phase, for looking at.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// Finds the candidates of this tick.
pub fn broad_phase(space: &mut Space) {
    space.note_stillness();
    let substep = space.substep();
    let Space { bodies, grid, pairs, walls, corners, wall_reach, corner_reach, time_step, lanes, threads, .. } = space;
    wall_reach.clear();
    corner_reach.clear();
    pairs.clear();
    if bodies.is_empty() {
        return;
    }
    grid.fill(bodies, [*time_step, substep], *lanes, *threads);
    grid.pairs(*lanes, *threads, pairs);

    let paths = Paths { bodies, grid, substep, turns: *time_step - substep };
    let overhang = paths.overhang();
    for (piece, wall) in walls.iter().enumerate() {
        let (low, high) = wall.bounds();
        grid.discs_near(wall.a, wall.b, overhang, |disc| {
            if paths.meets(disc, low, high) {
                wall_reach.push(Reach { disc, piece: piece as u32 });
            }
        });
    }
    for (piece, corner) in corners.iter().enumerate() {
        let (low, high) = corner.bounds();
        grid.discs_near(corner.centre, corner.centre, overhang + corner.radius, |disc| {
            if paths.meets(disc, low, high) {
                corner_reach.push(Reach { disc, piece: piece as u32 });
            }
        });
    }
    wall_reach.sort_unstable_by_key(|reach| reach.order());
    corner_reach.sort_unstable_by_key(|reach| reach.order());
}

/// Where discs may come within the tick, as terrain sees it: along the whole path, in any direction if there is time to be
/// turned around, and one radius more, which `PushApart` may shove it.
struct Paths<'a> {
    bodies: &'a Bodies,
    grid: &'a Grid,
    /// The first substep, seconds.
    substep: f32,
    /// How much of the tick is left after the first substep, seconds.
    turns: f32,
}

impl Paths<'_> {
    /// The box around the path of a disc.
    fn swept(&self, i: usize) -> (Vec2, Vec2) {
        let (from, to) = (self.bodies.position[i], self.grid.centre(i));
        let turned = if self.turns > 0.0 { self.bodies.velocity[i].length() * self.turns } else { 0.0 };
        let margin = Vec2::splat(2.0 * self.bodies.radius[i] + turned);
        (from.min(to) - margin, from.max(to) + margin)
    }

    /// How far a box may stick out from the place where its disc is filed, at most.
    fn overhang(&self) -> Vec2 {
        let (largest, fastest) = (self.grid.largest_radius, self.grid.fastest);
        Vec2::splat(2.0 * largest + fastest * (self.substep + self.turns)) * 1.0001
    }

    fn meets(&self, disc: u32, low: Vec2, high: Vec2) -> bool {
        let (disc_low, disc_high) = self.swept(disc as usize);
        low.cmple(disc_high).all() && disc_low.cmple(high).all()
    }
}
