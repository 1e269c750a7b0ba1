//! Shock propagation: a sweep from the ground up takes from each supported disc half of the speed with which it sinks into what supports
//! it, so that a tall pile does not swing like jelly (Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003).

use bevy::prelude::*;

use crate::collision::{
    geometry::TerrainView,
    resting::pile::{Pile, RestingContact},
    space::{Discs, Space},
    stepped::containment::{reach, stay_inside},
};

/// The share of a supported disc's sinking speed that the sweep takes in a substep.
pub(in crate::collision) const SHOCK_SHARE: f32 = 0.5;

impl Space {
    /// Being lifted off a small disc must not lift a centre through a wall.
    pub(in crate::collision) fn contain_lifted(&mut self) {
        let Self { discs, walls, fixed_circles, terrain_index, terrain_neighbours, pile, .. } = self;
        if walls.is_empty() {
            return;
        }
        let fixed = TerrainView { walls, fixed_circles, index: terrain_index };
        for &disc in &pile.lifted {
            let i = disc as usize;
            let [x, y, ..] = pile.before[i];
            discs.previous[i] = Vec2::new(x, y);
            let (centre, reach) = (discs.position[i], reach(discs, i));
            stay_inside(discs, terrain_neighbours.list(i, &fixed, centre, reach, discs.radius[i]), &fixed, i);
        }
    }
}

impl Pile {
    /// Goes upward from the ground, and holds what is supported.
    pub(in crate::collision) fn propagate_shock(&mut self, discs: &mut Discs) {
        self.lifted.clear();
        for at in 0..self.contacts.len() {
            let RestingContact { lower, upper, away, excess } = self.contacts[at];
            let (lower, upper) = (lower as usize, upper as usize);
            if !discs.supported[lower] {
                continue;
            }
            discs.supported[upper] = true;
            // A disc that rises does not carry up what lies on it without feeling it. So the sweep only ever takes energy away.
            let floor = discs.velocity[lower].dot(away).min(0.0);
            let sinking = (floor - discs.velocity[upper].dot(away)).max(0.0);
            if excess > 0.0 {
                // Too heavy for the spring: a large disc on a small one.
                discs.velocity[upper] += away * sinking;
                // Another contact may have lifted it in the meantime.
                let distance = discs.position[lower].distance(discs.position[upper]);
                let overlap = discs.radius[lower] + discs.radius[upper] - distance;
                let deep = overlap - self.load_overlap(&discs.position, &discs.radius, [lower, upper]);
                if deep > 0.0 {
                    discs.position[upper] += away * deep;
                    self.lifted.push(upper as u32);
                }
            } else if sinking * sinking < self.resting_squared {
                discs.velocity[upper] += away * (sinking * SHOCK_SHARE);
            }
        }
    }
}
