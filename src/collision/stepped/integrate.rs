//! Integrate: positions move by their velocities for one substep, and bounce where their paths meet terrain.
//!
//! Forces have acted on the velocities just before. A disc goes straight with the mean velocity of the substep, so that gravity makes
//! exact parabolas (in a pile, where springs hold what lies, with the velocity that they have left it). Terrain is met at its exact
//! time on that path, as in the continuous mode, so nothing gets through it at any speed; discs are met where they are afterwards.

use bevy::{math::DVec2, prelude::*};
use core::ops::Range;

use crate::collision::{
    bridge::report::Hit,
    broad_phase::{
        candidate_pairs::outside,
        terrain_index::Piece,
        terrain_neighbours::{CONTACT_MARGIN, TerrainNeighbours, touching},
    },
    flight::{Flight, first_touch},
    geometry::{TerrainView, away_from, crosses},
    response::restitution_of,
    settings::combine_restitution,
    simd::{
        Kernel, SimdWidth,
        kernels::{WIDE, each_bit, filled},
    },
    space::Space,
    threads,
};

/// A disc may bounce off terrain so often within a substep; then it waits for the next, and keeps its velocity.
const MAX_BOUNCES: u32 = 64;

/// Moves every disc for one substep, and records where it was.
pub fn integrate(space: &mut Space) {
    let substep = space.substep();
    space.now += substep;
    let acceleration = space.acceleration();
    let Space {
        discs, walls, fixed_circles, terrain_neighbours, terrain_index, candidates, grid, simd, threads, ..
    } = space;
    let count = discs.len();
    terrain_neighbours.prepare(count, &TerrainView { walls, fixed_circles, index: terrain_index });
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
    let clearance = &TerrainNeighbours::clear_box(terrain_index);
    let job = |(range, (position, previous)): (Range<usize>, (_, _))| {
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
    let found = threads::run(ranges.iter().cloned().zip(moved).map(job).collect());
    candidates.outside.clear();
    let mut touching = std::mem::take(&mut terrain_neighbours.touching);
    touching.clear();
    for part in found {
        candidates.outside.extend_from_slice(&part.outside);
        touching.extend_from_slice(&part.touching);
    }
    let acceleration = acceleration.as_dvec2();
    // What gravity may add to a speed, m/s.
    let steepest = 2.0 * acceleration.length() * f64::from(substep);
    touching.retain(|&disc| {
        let flown = space.fly(disc, acceleration, steepest);
        if flown == Flown::Turned {
            let Space { discs, candidates, grid, .. } = &mut *space;
            candidates.pushed(disc, discs, grid);
        }
        flown != Flown::Free
    });
    space.terrain_neighbours.touching = touching;
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

/// What terrain has made of a disc's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flown {
    /// None was near.
    Free,
    /// It may touch some where it is, or nearly.
    Near,
    /// It is not where it would be without.
    Turned,
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
        for ((position, previous), velocity) in position.iter_mut().zip(previous.iter_mut()).zip(velocity) {
            *previous = *position;
            *position += *velocity * substep - fall;
        }
        let count = position.len();
        let (previous, position) = (&previous[..count], &position[..count]);
        let (radius, centre, reach) = (&radius[..count], &centre[..count], &reach[..count]);
        let (low, high) = (&low[..count], &high[..count]);
        let mut found = Moved::default();
        let ways = previous.as_chunks().0.iter().zip(position.as_chunks().0);
        let circles = centre.as_chunks().0.iter().zip(reach.as_chunks().0);
        let boxes = low.as_chunks().0.iter().zip(high.as_chunks().0);
        let all = ways.zip(radius.as_chunks().0).zip(circles.zip(boxes)).enumerate();
        for (at, (((from, to), radius), ((centre, reach), (low, high)))) in all {
            let outside = outside(simd, to, centre, [radius, reach], radius_scale);
            let touching = touching(simd, [from, to], radius, [low, high], clearance);
            if outside | touching != 0 {
                found.add(first + (at * WIDE) as u32, outside, touching);
            }
        }
        let rest = count - count % WIDE;
        if rest < count {
            let there = (1_u32 << (count - rest)) - 1;
            let (from, to, radius) = (&filled(&previous[rest..]), &filled(&position[rest..]), &filled(&radius[rest..]));
            let outside = outside(simd, to, &filled(&centre[rest..]), [radius, &filled(&reach[rest..])], radius_scale);
            let touching =
                touching(simd, [from, to], radius, [&filled(&low[rest..]), &filled(&high[rest..])], clearance);
            found.add(first + rest as u32, outside & there, touching & there);
        }
        found
    }
}

impl Moved {
    fn add(&mut self, first: u32, outside: u32, touching: u32) {
        each_bit(outside, |k| self.outside.push(first + k));
        each_bit(touching, |k| self.touching.push(first + k));
    }
}

impl Space {
    /// The acceleration by which paths are bent within a substep, m/s²; zero where `Settle` holds a pile, whose springs act by the
    /// velocities that they leave.
    pub(in crate::collision) fn acceleration(&self) -> Vec2 {
        if self.resting.acts { Vec2::ZERO } else { self.gravity }
    }

    /// Takes a disc along its path once more, from piece of terrain to piece of terrain.
    fn fly(&mut self, disc: u32, acceleration: DVec2, steepest: f64) -> Flown {
        let substep = self.substep();
        let Self {
            discs,
            walls,
            fixed_circles,
            terrain_index,
            terrain_neighbours,
            hits,
            settings,
            collisions,
            rested,
            now,
            resting,
            ..
        } = self;
        let fixed = TerrainView { walls, fixed_circles, index: terrain_index };
        let i = disc as usize;
        let (from, to, radius) = (discs.previous[i], discs.position[i], discs.radius[i]);
        let (h, start) = (f64::from(substep), *now - substep);
        let mut flight = Flight::ending_with(discs.velocity[i].as_dvec2(), acceleration, h);
        // Bounces keep the speed, but for what gravity adds within the substep.
        let way = (flight.velocity.length() + steepest) * h;
        // What is at rest in a pile, or nearly, is held by `Settle` and `Walls`.
        let at_rest = resting.acts && discs.velocity[i].length_squared() < resting.limits.resting_squared;
        if at_rest && way <= f64::from(CONTACT_MARGIN * radius) {
            return Flown::Near;
        }
        let slow = way <= 4.0 * f64::from(radius);
        let nearby = if slow {
            terrain_neighbours.near(i, &fixed, from, radius * (1.0 + CONTACT_MARGIN), way as f32)
        } else {
            Some(&[][..])
        };
        let Some(pieces) = nearby else { return Flown::Free };
        let mut ways = Vec::new();
        let (mut at, mut t, mut bounces, mut last) = (from.as_dvec2(), 0.0, 0, from);
        let (mut through, mut damped) = (false, false);
        loop {
            let rest = h - t;
            if !slow {
                let end = (at + flight.velocity * rest).as_vec2();
                let margin =
                    Vec2::splat(radius * (1.0 + 2.0 * CONTACT_MARGIN)) + 1e-6 * (at.as_vec2().abs() + end.abs());
                let (low, high) = (last.min(end) - margin, last.max(end) + margin);
                ways.clear();
                fixed.index.for_each_overlapping([low.x, low.y, high.x, high.y], |piece| ways.push(piece));
            }
            let nearby = if slow { pieces } else { &ways[..] };
            if nearby.is_empty() && bounces == 0 {
                return Flown::Free;
            }
            let touch = first_touch(nearby.iter(), &fixed, [at, flight.velocity], f64::from(radius), rest);
            let goal = touch.map_or(rest, |(time, _)| time);
            let end = if bounces == 0 && touch.is_none() { to } else { (at + flight.velocity * goal).as_vec2() };
            // Rounding carries no centre to the other side.
            through |= nearby
                .iter()
                .any(|piece| matches!(piece, Piece::Wall(wall) if crosses(&fixed.walls[*wall as usize], last, end)));
            at += flight.velocity * goal;
            (t, last) = (t + goal, end);
            let Some((_, piece)) = touch else { break };
            bounces += 1;
            if bounces > MAX_BOUNCES {
                *rested += 1;
                break;
            }
            let (away, point) = away_from(piece, &fixed, at, flight.velocity);
            let (collider, carried) = fixed.collider(piece);
            let carried = (discs.restitution[i], carried, settings.wall_restitution);
            let e = |approach: f64| f64::from(restitution_of(approach as f32, carried, settings.resting_speed));
            damped |= combine_restitution(carried.0, carried.1, carried.2) < 1.0 && flight.gravity != DVec2::ZERO;
            if let Some(bounce) = flight.bounce(away, [t, h], e)
                && bounce.approach as f32 >= settings.resting_speed
            {
                let hit = Hit {
                    disc,
                    collider,
                    point: point.as_vec2(),
                    normal: -away.normalize_or_zero().as_vec2(),
                    approach_speed: bounce.approach as f32,
                    impulse: ((1.0 + bounce.e) * bounce.approach * f64::from(discs.mass[i])) as f32,
                    time: start + t as f32,
                };
                hit.record(settings, collisions, hits);
            }
        }
        if through {
            discs.position[i] = from;
        } else if bounces > 0 {
            // The way around an end or a corner was no straight one; what follows is seen from where the disc is now.
            (discs.position[i], discs.previous[i]) = (last, last);
        }
        if bounces > 0 {
            let mut end = flight.end(h);
            if damped && flight.acceleration != flight.gravity {
                // What is held and loses energy gains none by the way.
                let began = discs.velocity[i].as_dvec2() - flight.gravity * h;
                let height = flight.gravity.dot((last - from).as_dvec2());
                let most = began.length_squared() + 2.0 * height;
                end = end.clamp_length_max(most.max(0.0).sqrt());
            }
            discs.velocity[i] = end.as_vec2();
        }
        if through || bounces > 0 { Flown::Turned } else { Flown::Near }
    }
}
