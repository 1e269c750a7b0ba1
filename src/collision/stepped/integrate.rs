//! Integrate: moves discs by their velocities for one substep; they bounce where their paths hit terrain.
//!
//! Forces have changed the velocities just before. A disc moves straight with the mean velocity of the substep, so that
//! gravity makes exact parabolas. In a pile that springs support, it moves with the velocity that they have set.
//! Terrain and kinematic discs are hit at their exact times on that path, as in the continuous mode. So nothing gets
//! through them at any speed. Hits of other discs are found at the end positions.

use bevy::prelude::*;
use core::ops::Range;

use super::{
    events::{self, Nearby},
    journey::Flown,
    pockets::fall_into_pockets,
    with_blocks,
};
use crate::collision::{
    account::{self, Entry},
    broad_phase::{BroadPhase, candidate_pairs::outside},
    path::{
        movers::Movers,
        trajectory::{begin_trajectories, finish_trajectories},
    },
    shape::Bounds,
    simd::{
        Kernel, SimdWidth,
        kernels::{WIDE, filled},
    },
    space::PhysicsSpace,
    terrain::neighbours::{CONTACT_MARGIN, TerrainNeighbours, touching},
    threads,
    tick::{Cause, Compute},
};

/// Moves every disc for one substep, and records its previous position.
pub fn integrate(space: &mut PhysicsSpace) {
    let substep = space.substep();
    if space.has_joints() {
        space.begin_joints();
        account::enter(space, Entry::Of(Cause::Joints));
    }
    space.clock.now += substep;
    begin_trajectories(&mut space.discs, &mut space.trajectories, space.laws.table.as_ref(), f64::from(substep), false);
    let acceleration = space.acceleration();
    let bent = space.bend_own_paths(acceleration);
    let PhysicsSpace {
        discs, terrain, terrain_neighbours, broad_phase, compute: Compute { simd, threads, .. }, ..
    } = space;
    let BroadPhase { candidates, grid, .. } = broad_phase;
    let count = discs.len();
    terrain_neighbours.prepare(count, &terrain.view());
    let (centre, reach) = grid.circles();
    // If this step runs alone, without a broad phase, all discs are searched.
    let has_circles = candidates.disc_count == count;
    let (centre, reach) = if has_circles { (centre, reach) } else { (&discs.position.clone()[..], &discs.radius[..]) };
    let ranges = threads.divide(count, 2);
    let moved = threads::cut(&mut discs.position, &ranges).into_iter().zip(threads::cut(&mut discs.previous, &ranges));
    let (velocity, radius, simd) = (&discs.velocity, &discs.radius, *simd);
    let fall = acceleration * (0.5 * substep * substep);
    let radius_scale = candidates.radius_scale();
    let (low, high) = terrain_neighbours.boxes();
    let clearance = &TerrainNeighbours::clear_box(&terrain.index);
    let task = |(range, (position, previous)): (Range<usize>, (_, _))| {
        let (velocity, radius) = (&velocity[range.clone()], &radius[range.clone()]);
        let (centre, reach) = (&centre[range.clone()], &reach[range.clone()]);
        let (low, high) = (&low[range.clone()], &high[range.clone()]);
        let first = range.start as u32;
        move || {
            simd.run(Move {
                first,
                position,
                previous,
                velocity,
                radius,
                substep,
                fall,
                centre,
                reach,
                radius_scale,
                low,
                high,
                clearance,
            })
        }
    };
    let found = threads::run(ranges.iter().cloned().zip(moved).map(task).collect());
    for (i, velocity) in bent {
        discs.velocity[i] = velocity;
    }
    candidates.outside.clear();
    let mut touching = std::mem::take(&mut terrain_neighbours.touching);
    touching.clear();
    for part in found {
        candidates.outside.extend_from_slice(&part.outside);
        touching.extend_from_slice(&part.touching);
    }
    space.stay_within_reach(acceleration);
    with_blocks::begin(space);
    add_near_moving_terrain(space, &mut touching);
    let movers = move_kinematic(space, &mut touching);
    let acceleration = acceleration.as_dvec2();
    if space.moving.has_blocks() {
        with_blocks::fly(space, acceleration, &movers, &mut touching);
    } else {
        let mut nearby = Nearby::default();
        touching.retain(|&disc| {
            let flown = events::fly(space, disc, acceleration, &movers, &mut nearby);
            keep_as_touching(space, disc, flown)
        });
    }
    space.terrain_neighbours.touching = touching;
    with_blocks::end(space);
    fall_into_pockets(space);
    finish_trajectories(&mut space.discs, &mut space.trajectories);
    space.wrap_discs(space.clock.now);
    space.witness_moving_terrain();
}

/// The straight part of a substep, and the discs that need a closer look.
struct Move<'a> {
    first: u32,
    position: &'a mut [Vec2],
    previous: &'a mut [Vec2],
    velocity: &'a [Vec2],
    radius: &'a [f32],
    substep: f32,
    /// The offset between the ends of the mean path and of the path at the last velocity, metres.
    fall: Vec2,
    /// The circles of the search for candidate pairs, and the share of their radii that belongs to them.
    centre: &'a [Vec2],
    reach: &'a [f32],
    radius_scale: f32,
    /// The corners of boxes without terrain.
    low: &'a [Vec2],
    high: &'a [Vec2],
    /// The common box without terrain.
    clearance: &'a [[f32; WIDE]; 2],
}

/// The discs that have left the circle of their candidate pairs, and those that may have touched terrain.
#[derive(Default)]
struct Moved {
    outside: Vec<u32>,
    touching: Vec<u32>,
}

impl Kernel for Move<'_> {
    type Output = Moved;

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) -> Moved {
        let Self {
            first,
            position,
            previous,
            velocity,
            radius,
            substep,
            fall,
            centre,
            reach,
            radius_scale,
            low,
            high,
            clearance,
        } = self;
        let count = position.len();
        let mut found = Moved { outside: Vec::with_capacity(count / 16), touching: Vec::new() };
        // In blocks that stay in the first-level cache from one loop to the next.
        for start in (0..count).step_by(BLOCK) {
            let block = start..count.min(start + BLOCK);
            let (position, previous) = (&mut position[block.clone()], &mut previous[block.clone()]);
            for ((position, previous), velocity) in
                position.iter_mut().zip(&mut *previous).zip(&velocity[block.clone()])
            {
                *previous = *position;
                *position += *velocity * substep - fall;
            }
            let (radius, centre, reach) = (&radius[block.clone()], &centre[block.clone()], &reach[block.clone()]);
            let (low, high) = (&low[block.clone()], &high[block.clone()]);
            // Which discs leave is random, so all flags are written and then searched by words, while there are any.
            let (mut are_outside, mut are_touching) = ([0; BLOCK / WIDE], [0; BLOCK / WIDE]);
            let ways = previous.as_chunks().0.iter().zip(position.as_chunks().0);
            let circles = centre.as_chunks().0.iter().zip(reach.as_chunks().0);
            let boxes = low.as_chunks().0.iter().zip(high.as_chunks().0);
            let flags = are_outside.iter_mut().zip(&mut are_touching);
            let all = flags.zip(ways.zip(radius.as_chunks().0).zip(circles.zip(boxes)));
            for ((is_outside, is_touching), (((from, to), radius), ((centre, reach), (low, high)))) in all {
                *is_outside = outside(simd, to, centre, [radius, reach], radius_scale) as u16;
                *is_touching = touching(simd, [from, to], radius, [low, high], clearance) as u16;
            }
            let rest = block.len() - block.len() % WIDE;
            if rest < block.len() {
                let there = (1_u32 << (block.len() - rest)) - 1;
                let (from, to) = (&filled(&previous[rest..]), &filled(&position[rest..]));
                let (radius, reach) = (&filled(&radius[rest..]), &filled(&reach[rest..]));
                let outside = outside(simd, to, &filled(&centre[rest..]), [radius, reach], radius_scale);
                let (low, high) = (&filled(&low[rest..]), &filled(&high[rest..]));
                let touching = touching(simd, [from, to], radius, [low, high], clearance);
                are_outside[rest / WIDE] = (outside & there) as u16;
                are_touching[rest / WIDE] = (touching & there) as u16;
            }
            let first = first + start as u32;
            list_flagged(&are_outside, first, &mut found.outside);
            list_flagged(&are_touching, first, &mut found.touching);
        }
        found
    }
}

/// The number of discs that are moved before the flagged ones among them are listed.
const BLOCK: usize = 32 * WIDE;

/// Lists the discs whose bits are set, sixteen per flag, from disc `first` on.
fn list_flagged(flags: &[u16; BLOCK / WIDE], first: u32, list: &mut Vec<u32>) {
    for (first, four) in (first..).step_by(64).zip(flags.as_chunks::<4>().0) {
        let mut word = 0;
        for (k, &flag) in four.iter().enumerate() {
            word |= u64::from(flag) << (16 * k);
        }
        while word != 0 {
            list.push(first + word.trailing_zeros());
            word &= word - 1;
        }
    }
}

/// Whether a disc that has flown may touch terrain at its position.
pub(super) fn keep_as_touching(space: &mut PhysicsSpace, disc: u32, flown: Flown) -> bool {
    if flown == Flown::Fallen {
        return false;
    }
    if flown == Flown::Turned {
        space.broad_phase.pushed(disc, &space.discs);
    }
    flown != Flown::Free
}

/// Adds the discs that may hit moving terrain on their paths, or be hit by it.
fn add_near_moving_terrain(space: &PhysicsSpace, touching: &mut Vec<u32>) {
    let PhysicsSpace { discs, moving, .. } = space;
    if moving.is_empty() {
        return;
    }
    for i in 0..discs.len() {
        let (from, to, margin) = (discs.previous[i], discs.position[i], discs.radius[i] * (1.0 + CONTACT_MARGIN));
        if moving.is_near(Bounds::new(from.min(to) - margin, from.max(to) + margin)) {
            touching.push(i as u32);
        }
    }
    touching.sort_unstable();
    touching.dedup();
}

/// Moves the kinematic discs to the end of the substep. Discs that may hit one are added to those that may hit terrain.
fn move_kinematic(space: &mut PhysicsSpace, touching: &mut Vec<u32>) -> Movers {
    if space.discs.kinematic.is_empty() {
        return Movers::default();
    }
    let shares = space.clock.shares_of_tick(&space.laws.settings);
    space.discs.place_kinematic(shares[1]);
    let movers = Movers::between(&space.discs, space.cell, Some(shares));
    movers.add_met(&space.discs, touching);
    movers
}
