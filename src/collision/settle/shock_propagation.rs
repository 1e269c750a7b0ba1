//! Shock propagation: a sweep from the ground up removes from each supported disc half of the speed at which it sinks
//! into its support. So a tall pile does not oscillate like jelly (Guendelman, Bridson and Fedkiw, "Nonconvex rigid
//! bodies with stacking", 2003).

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    overlap::containment::{reach, stay_inside},
    resting::state::{Resting, RestingContact, RestingLimits, RestingSubstep},
    simd::{Kernel, SimdLevel, SimdWidth, max, min},
    terrain::{StandingTerrain, local::LocalTerrain, neighbours::TerrainNeighbours},
};

/// The share of the sinking speed of a supported disc that the sweep removes in a substep. Chosen by hand; no
/// measurement was kept.
const SHOCK_SHARE: f32 = 0.5;

/// Sweeps upward from the ground and holds the supported discs.
pub fn propagate_shock(discs: &mut Discs, resting: &mut Resting, simd: SimdLevel) {
    let (limits, tops, substep) = (resting.limits, &resting.tick.tops[..], &mut resting.substep);
    simd.run(ShockPropagation { discs, limits, tops, substep });
}

/// A disc that is lifted off a small one must not be lifted through a wall.
pub fn contain_lifted(
    discs: &mut Discs,
    resting: &Resting,
    terrain: &StandingTerrain,
    terrain_neighbours: &mut TerrainNeighbours,
) {
    if terrain.walls.is_empty() {
        return;
    }
    let RestingSubstep { lifted, before, .. } = &resting.substep;
    let fixed = terrain.view();
    let mut local = LocalTerrain::default();
    for &disc in lifted {
        let i = disc as usize;
        let [x, y, ..] = before[i];
        discs.previous[i] = Vec2::new(x, y);
        let (centre, reach) = (discs.position[i], reach(discs, i));
        let pieces = terrain_neighbours.list(i, &fixed, centre, reach, discs.radius[i]);
        let met = local.met_by(i, discs, pieces, &fixed, &terrain.filter);
        stay_inside(discs, met.pieces, &met.fixed, i);
    }
}

/// The sweep, contact by contact.
struct ShockPropagation<'a> {
    discs: &'a mut Discs,
    limits: RestingLimits,
    tops: &'a [f32],
    substep: &'a mut RestingSubstep,
}

impl Kernel for ShockPropagation<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, _: W) {
        let Self { discs, limits, tops, substep } = self;
        let RestingSubstep { contacts, supported, lifted, .. } = substep;
        let count = discs.len();
        let (position, velocity) = (&mut discs.position[..], &mut discs.velocity[..count]);
        let (radius, supported) = (&discs.radius[..], &mut supported[..count]);
        lifted.clear();
        for &RestingContact { lower, upper, away, excess } in &*contacts {
            let (lower, upper) = (lower as usize, upper as usize);
            if !supported[lower] {
                continue;
            }
            supported[upper] = true;
            // A rising disc must not lift the one on it without feeling the load. So the sweep only removes energy.
            let floor = min(0.0, velocity[lower].dot(away));
            let sinking = max(0.0, floor - velocity[upper].dot(away));
            if excess > 0.0 {
                // Too heavy for the spring: a large disc on a small one.
                velocity[upper] += away * sinking;
                // Another contact may have lifted it in the meantime.
                let line = position[upper] - position[lower];
                let distance = limits.cell.map_or(line, |cell| cell.nearest(line)).length();
                let overlap = radius[lower] + radius[upper] - distance;
                let deep = overlap - limits.load_overlap_of(tops, position, radius, [lower, upper]);
                if deep > 0.0 {
                    position[upper] += away * deep;
                    lifted.push(upper as u32);
                }
            } else if sinking * sinking < limits.resting_squared {
                velocity[upper] += away * (sinking * SHOCK_SHARE);
            }
        }
    }
}
