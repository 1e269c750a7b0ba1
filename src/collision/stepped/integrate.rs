//! Integrate: positions move by their velocities for one substep, and bounce where their paths meet terrain.
//!
//! Forces have acted on the velocities just before. A disc goes straight with the mean velocity of the substep, so that
//! gravity makes exact parabolas (in a pile, where springs hold what lies, with the velocity that they have left it).
//! Terrain and kinematic discs are met at their exact times on that path, as in the continuous mode, so nothing gets
//! through them at any speed; other discs are met where they are afterwards.

use bevy::{math::DVec2, prelude::*};
use core::ops::{ControlFlow, Range};

use super::{
    journey::{Around, Flown, Journey, Touched},
    pockets::{Fallen, fall, fall_into_pockets, first_pocket},
    with_blocks,
};
use crate::collision::{
    broad_phase::{BroadPhase, candidate_pairs::outside},
    discs::Discs,
    moving::MovingTerrain,
    path::{
        movers::{Mover, Movers},
        trajectory::{Trajectory, begin_trajectories, finish_trajectories},
    },
    shape::{Bounds, Circle},
    simd::{
        Kernel, SimdWidth,
        kernels::{WIDE, filled},
    },
    space::Space,
    terrain::{
        TerrainView,
        local::{Filters, LocalTerrain, Met},
        neighbours::{CONTACT_MARGIN, TerrainNeighbours, touching},
    },
    threads,
};

/// A disc may bounce off terrain so often within a substep; then it waits for the next, and keeps its velocity.
pub(super) const MAX_BOUNCES: u32 = 64;

/// Moves every disc for one substep, and records where it was.
pub fn integrate(space: &mut Space) {
    let substep = space.substep();
    space.begin_joints();
    space.now += substep;
    begin_trajectories(&mut space.discs, &mut space.trajectories, space.table.as_ref(), f64::from(substep));
    let acceleration = space.acceleration();
    let bent = space.bend_own_paths(acceleration);
    let Space { discs, terrain, terrain_neighbours, broad_phase, simd, threads, .. } = space;
    let BroadPhase { candidates, grid, .. } = broad_phase;
    let count = discs.len();
    terrain_neighbours.prepare(count, &terrain.view());
    let (centre, reach) = grid.circles();
    // Without a broad phase, whoever runs this step alone, everybody is asked for.
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
        touching.retain(|&disc| {
            let flown = fly(space, disc, space.own_acceleration(disc as usize, acceleration), &movers);
            keep_as_touching(space, disc, flown)
        });
    }
    space.terrain_neighbours.touching = touching;
    with_blocks::end(space);
    fall_into_pockets(space);
    finish_trajectories(&mut space.discs, &mut space.trajectories);
    space.wrap_discs(space.now);
    space.witness_moving_terrain();
}

/// The straight part of a substep, and who has to be looked at more closely.
struct Move<'a> {
    first: u32,
    position: &'a mut [Vec2],
    previous: &'a mut [Vec2],
    velocity: &'a [Vec2],
    radius: &'a [f32],
    substep: f32,
    /// How far the end of the mean path lies from that of the last velocity, metres, and in which direction.
    fall: Vec2,
    /// The circles in which candidate pairs were looked for, and the share of their radii that is part of them.
    centre: &'a [Vec2],
    reach: &'a [f32],
    radius_scale: f32,
    /// The corners of boxes without terrain.
    low: &'a [Vec2],
    high: &'a [Vec2],
    /// The one that is the same for all.
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
        // In blocks that stay in the fastest cache from the one loop to the other.
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
            // Who leaves is random; so all are written down, and looked through in words as long as there are.
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

/// So many discs are moved before those among them that are to be looked at are listed.
const BLOCK: usize = 32 * WIDE;

/// Lists the discs whose bits are set, sixteen a flag, from disc `first` on.
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

/// Whether a disc that has flown may touch terrain where it is.
pub(super) fn keep_as_touching(space: &mut Space, disc: u32, flown: Flown) -> bool {
    if flown == Flown::Fallen {
        return false;
    }
    if flown == Flown::Turned {
        space.broad_phase.pushed(disc, &space.discs);
    }
    flown != Flown::Free
}

/// Adds the discs that may meet moving terrain on their ways, or that it may meet.
fn add_near_moving_terrain(space: &Space, touching: &mut Vec<u32>) {
    let Space { discs, moving, .. } = space;
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

/// Takes the kinematic discs to where the substep ends. Of all discs those that may meet one are put among those that
/// may meet terrain.
fn move_kinematic(space: &mut Space, touching: &mut Vec<u32>) -> Movers {
    if space.discs.kinematic.is_empty() {
        return Movers::default();
    }
    let shares = space.shares_of_tick();
    space.discs.place_kinematic(shares[1]);
    let movers = Movers::between(&space.discs, space.cell, Some(shares));
    movers.add_met(&space.discs, touching);
    movers
}

/// Takes a disc along its path once more, from one piece of terrain or kinematic disc to the next.
#[expect(clippy::too_many_lines, reason = "one way, from piece to piece")]
fn fly(space: &mut Space, disc: u32, acceleration: DVec2, movers: &Movers) -> Flown {
    let [substep, own_substep] = [space.substep(), space.own_substep(disc as usize)];
    let cell = space.cell;
    let Space {
        discs,
        terrain,
        terrain_neighbours,
        hits,
        settings,
        collisions,
        stopped,
        now,
        resting,
        pockets,
        table,
        trajectories,
        moving,
        answers,
        ..
    } = space;
    let mut trajectory = Trajectory::of_spinning_mut(trajectories, disc as usize).zip(table.as_ref());
    let fixed = terrain.view();
    let i = disc as usize;
    let (from, radius) = (discs.previous[i], discs.radius[i]);
    let mut journey = Journey::begin(discs, disc, acceleration, [*now - substep, own_substep]);
    // Bounces keep the speed, but for what gravity adds within the substep, and what friction at a cushion makes of a
    // spin.
    let spin = trajectory.as_ref().map_or(0.0, |(trajectory, _)| trajectory.rim_speed());
    let cloth = table.as_ref().map_or(0.0, |table| table.cloth.sliding_deceleration());
    let faster = (2.0 * acceleration.length() + cloth) * f64::from(substep);
    let way = (journey.flight.velocity.length() + spin + faster) * journey.h;
    // What is at rest in a pile, or nearly, is held by `Settle` and `Walls`.
    let at_rest = resting.acts && discs.velocity[i].length_squared() < resting.limits.resting_squared;
    let mut parts = Vec::new();
    if !moving.is_empty() {
        moving.list_near(i, journey.bounds_ahead(), &mut parts);
    }
    let mut met = Vec::new();
    if !movers.is_empty() {
        movers.list((discs, i), journey.bounds_ahead(), &mut met);
    }
    if parts.is_empty() && met.is_empty() && at_rest && way <= f64::from(CONTACT_MARGIN * radius) {
        let end = discs.position[i].as_dvec2();
        return match first_pocket(pockets, [journey.at, end]) {
            Some((share, pocket)) => {
                let (at, time) = (journey.at.lerp(end, share), share * journey.h);
                fall(space, Fallen { disc, pocket, at, time });
                Flown::Fallen
            }
            None => Flown::Near,
        };
    }
    // All that a slow disc can meet is listed around it; a fast one asks along each of its straight ways.
    let mut slow = way <= 4.0 * f64::from(radius) && met.is_empty();
    let nearby = if slow {
        terrain_neighbours.near(i, &fixed, from, radius * (1.0 + CONTACT_MARGIN), way as f32)
    } else {
        Some(&[][..])
    };
    if nearby.is_none() && parts.is_empty() && met.is_empty() {
        return Flown::Free;
    }
    let nearby = nearby.unwrap_or_default();
    let (mut on_the_way, mut local) = (Vec::new(), LocalTerrain::default());
    let all = fixed;
    loop {
        if !slow {
            on_the_way.clear();
            all.index.for_each_overlapping(journey.bounds_ahead(), |piece| on_the_way.push(piece));
        }
        let pieces = if slow { nearby } else { &on_the_way[..] };
        let filters = Filters::of(&discs.filter, &terrain.filter);
        let Met { pieces, fixed, .. } = local.met(pieces, &all, filters, i, Circle::of(journey.last, radius));
        if !moving.is_empty() && journey.bounces > 0 {
            parts.clear();
            moving.list_near(i, journey.bounds_ahead(), &mut parts);
        }
        if !movers.is_empty() && journey.bounces > 0 {
            met.clear();
            movers.list((discs, i), journey.bounds_ahead(), &mut met);
        }
        if pieces.is_empty() && parts.is_empty() && met.is_empty() && journey.bounces == 0 {
            return Flown::Free;
        }
        let (began, since) = (journey.at, journey.t);
        let before = if answers.hooks.is_empty() { None } else { Some(journey) };
        let touched = journey.advance((pieces, &fixed), (&parts, moving), &met, discs.position[i]);
        let way = journey.way_from(began, touched.is_some(), discs.position[i]);
        if let Some((share, pocket)) = first_pocket(pockets, way) {
            let at = way[0].lerp(way[1], share);
            let time = since + share * (journey.t - since);
            fall(space, Fallen { disc, pocket, at, time });
            return Flown::Fallen;
        }
        let Some(touched) = touched else { break };
        let around = Around { discs, fixed: &fixed, moving, settings, answers };
        if let Some(before) = before.filter(|_| !journey.is_met(touched, &around)) {
            go_through((touched, &fixed), disc, (discs, moving), (&mut parts, &mut met));
            journey = before;
            continue;
        }
        journey.bounces += 1;
        if journey.bounces > MAX_BOUNCES {
            *stopped += 1;
            if journey.be_carried(&all, moving) {
                moving.carried.push(disc);
            }
            journey.give_up();
            break;
        }
        // It may be faster now, and get farther than what is listed.
        slow &= matches!(touched, Touched::Standing(_));
        let on_table = trajectory.as_mut().map(|(trajectory, table)| (*table, &mut **trajectory));
        let bounced = journey.bounce_off(touched, &around, on_table);
        let ControlFlow::Continue(hit) = bounced else { break };
        if let Some(cell) = cell {
            journey.stay_within(cell.most_way());
        }
        if let Some(hit) = hit {
            if matches!(touched, Touched::Disc(_)) && resting.acts {
                resting.wake(i);
            }
            hit.record(settings, collisions, hits);
        }
    }
    journey.arrive(discs)
}

/// Lets a disc go through what it touches until the substep ends, and takes that out of what is near.
pub(super) fn go_through(
    (touched, fixed): (Touched, &TerrainView),
    disc: u32,
    (discs, moving): (&mut Discs, &mut MovingTerrain),
    (parts, movers): (&mut Vec<u32>, &mut Vec<Mover>),
) {
    match touched {
        Touched::Standing(piece) => {
            discs.filter.drop_terrain(disc as usize, fixed.obstacle(piece).collider.entity_of_terrain());
        }
        Touched::Moving(part) => {
            moving.drop_part(disc, part);
            parts.retain(|&part| !moving.is_dropped(disc, part));
        }
        Touched::Disc(mover) => {
            discs.filter.drop_pair(disc as usize, mover.disc as usize);
            movers.retain(|other| other.disc != mover.disc);
        }
    }
}
