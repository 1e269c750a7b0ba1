//! A substep with blocks: discs near terrain and blocks move through it together, the earliest hit first. A hit of a
//! disc and a block changes both paths, so their next contacts are searched again. A block may then reach discs that
//! nothing was near before.

use bevy::math::DVec2;

use super::{
    events::{Ahead, Nearby, Rider},
    integrate::keep_as_touching,
    journey::{Around, Journey, Touched},
};
use crate::collision::{
    hit::Hit,
    moving::{BlockImpact, HittingDisc, Surroundings},
    path::{movers::Movers, trajectory::Trajectory},
    shape::{Bounds, Circle, Tree},
    space::PhysicsSpace,
    spin::Motion,
    terrain::{
        held_by,
        index::Piece,
        local::{Filters, LocalTerrain},
        neighbours::CONTACT_MARGIN,
    },
    tick::Laws,
};

/// A hit that only presses the disc and a block together counts as `PRESS` bounces. It resolves everything that the
/// block touches, and a disc that loses its energy needs no more than a few hundred of these.
const PRESS: u32 = 16;

/// A hit of a block that changes nothing counts as `NOTHING` bounces: it repeats at once.
const NOTHING: u32 = 64;

/// The number of bounces within a substep after which a disc and a block that lose energy no longer bounce. Between a
/// disc and a wall the bounces would get ever faster.
const LIVELY_BOUNCES: u32 = 64;

/// The number of scans through all discs that are not on their paths. After that they get a tree, which pays if blocks
/// are hit many times in a substep.
const SCANS: u32 = 16;

/// The discs that nothing was near at the start of the substep, with the boxes around their paths, until a block
/// reaches them.
#[derive(Default)]
struct Bystanders {
    is_rider: Vec<bool>,
    boxes: Vec<(Bounds, u32)>,
    tree: Tree,
    scans: u32,
}

impl Bystanders {
    fn of(space: &PhysicsSpace, riders: &[Rider]) -> Self {
        let discs = &space.discs;
        let mut is_rider = vec![false; discs.len()];
        for rider in riders {
            is_rider[rider.journey.disc as usize] = true;
        }
        let stands_by = |&i: &usize| !is_rider[i] && !discs.is_kinematic(i);
        let boxes = (0..discs.len())
            .filter(stands_by)
            .map(|i| (Bounds::of_way([discs.previous[i], discs.position[i]], discs.radius[i]), i as u32));
        Self { boxes: boxes.collect(), is_rider, ..Self::default() }
    }

    /// Removes the entries that may be in a box, and returns them in order.
    fn take(&mut self, bounds: Bounds) -> Vec<u32> {
        let mut found = Vec::new();
        self.scans += 1;
        if self.scans == SCANS {
            self.tree = Tree::new(&mut self.boxes);
        }
        if self.scans < SCANS {
            found.extend(self.boxes.iter().filter(|(other, _)| other.overlaps(bounds)).map(|&(_, disc)| disc));
        } else {
            self.tree.for_each_overlapping(bounds, |disc| found.push(disc));
        }
        found.retain(|&disc| !std::mem::replace(&mut self.is_rider[disc as usize], true));
        found.sort_unstable();
        found
    }
}

/// Starts the paths of blocks through the substep.
pub(super) fn begin(space: &mut PhysicsSpace) {
    let (substep, acceleration) = (space.substep(), space.acceleration());
    let from = f64::from(space.clock.now - substep);
    space.begin_blocks([from, from + f64::from(substep)], acceleration, acceleration * (0.5 * substep));
}

/// Ends the paths of blocks.
pub(super) fn end(space: &mut PhysicsSpace) {
    let ahead = space.acceleration() * (0.5 * space.substep());
    space.with_velocities_at_end(|space| space.end_blocks(ahead, true));
}

/// Moves the blocks, and the discs that may touch terrain on their paths, through the substep. Lists the discs that may
/// touch terrain at their end positions.
pub(super) fn fly(space: &mut PhysicsSpace, acceleration: DVec2, movers: &Movers, touching: &mut Vec<u32>) {
    let start = f64::from(space.clock.now - space.substep());
    let mut riders: Vec<Rider> = touching.iter().map(|&disc| Rider::of(space, disc, acceleration)).collect();
    let (mut bystanders, mut nearby) = (None, Nearby::default());
    loop {
        for rider in &mut riders {
            if rider.flown.is_none() && rider.next.is_none() {
                rider.look_ahead(space, movers, &mut nearby);
            }
        }
        let first = first_rider(&riders);
        let block = next_block_impact(space);
        let time = first.map_or(f64::INFINITY, |(time, _)| start + time);
        match (first, block) {
            (_, Some(block)) if block.time < time => resolve_block_impact(space, block),
            (Some((_, at)), _) => riders[at].ride_on(space),
            (None, _) => break,
        }
        while let Some(block) = space.moving.take_changed() {
            let bystanders = bystanders.get_or_insert_with(|| Bystanders::of(space, &riders));
            look_again(space, block, &mut riders, bystanders, acceleration);
        }
    }
    touching.clear();
    for rider in riders {
        let disc = rider.journey.disc;
        let flown = rider.arrive(space);
        if keep_as_touching(space, disc, flown) {
            touching.push(disc);
        }
    }
    touching.sort_unstable();
}

/// The rider with the first contact, and its time, seconds since the start of the substep. At equal times the first in
/// the order of discs counts.
fn first_rider(riders: &[Rider]) -> Option<(f64, usize)> {
    let mut first: Option<(f64, usize)> = None;
    for (at, rider) in riders.iter().enumerate() {
        let Some(Ahead { there, touched: Some(_) }) = rider.next.filter(|_| rider.flown.is_none()) else { continue };
        let earlier =
            |&(time, other): &(f64, usize)| (there.t, rider.journey.disc) < (time, riders[other].journey.disc);
        if first.as_ref().is_none_or(earlier) {
            first = Some((there.t, at));
        }
    }
    first
}

/// The static terrain that a disc collides with near its current position.
fn terrain_at(space: &PhysicsSpace, journey: &Journey) -> Vec<Piece> {
    let PhysicsSpace { discs, terrain, .. } = space;
    let fixed = terrain.view();
    let (i, at) = (journey.disc as usize, journey.at.as_vec2());
    let reach = discs.radius[i] * (1.0 + CONTACT_MARGIN);
    let mut near = Vec::new();
    fixed.index.for_each_overlapping(Bounds::around(at, reach), |piece| near.push(piece));
    near.sort_unstable();
    let mut local = LocalTerrain::default();
    let filters = Filters::of(&discs.filter, &terrain.filter);
    let met = local.met(&near, &fixed, filters, i, Circle::of(journey.last, discs.radius[i]));
    met.sources.to_vec()
}

/// Bounces a disc and a block off each other; returns the hit, if it was one, and the number of bounces of the disc
/// that it counts as.
pub(super) fn bounce_off_block(
    space: &mut PhysicsSpace,
    journey: &mut Journey,
    touched: Touched,
    block: u32,
) -> (Option<Hit>, u32) {
    let i = journey.disc as usize;
    let fall = space.laws.fall_speed(&space.clock);
    let held = terrain_at(space, journey);
    let PhysicsSpace { discs, terrain, laws, trajectories, moving, resting, .. } = space;
    let Laws { settings, table, answers, .. } = laws;
    let fixed = terrain.view();
    let around = Around { discs, moving, settings, answers };
    let Some(surface) = journey.surface(touched, &around) else { return (None, NOTHING) };
    let time = f64::from(journey.start) + journey.t;
    journey.driven = true;
    if resting.acts {
        resting.wake(i);
    }
    let spinning = Trajectory::of_spinning_mut(trajectories, i).zip(table.as_ref());
    let motion = spinning.as_ref().map(|(trajectory, table)| trajectory.at(&table.cloth, journey.t).0);
    let before = motion.map_or(journey.flight.velocity, |motion| motion.velocity);
    let around = Surroundings::new(fixed, &terrain.filter, settings, fall);
    let cushion = spinning.as_ref().map(|(_, table)| *table);
    let answer = answers.at_surface(settings, cushion, discs.side(i), &surface, &discs.entity, before);
    let is_lively = journey.bounces <= LIVELY_BOUNCES || answer.restitution >= 1.0;
    let held = held_by(&held, &fixed, Circle { centre: journey.at, radius: f64::from(discs.radius[i]) }, before);
    let ahead = if motion.is_some() { DVec2::ZERO } else { journey.flight.ahead([journey.t, journey.h]) };
    let disc = HittingDisc { velocity: before, ahead, held: &held, ..HittingDisc::of(discs, i) };
    let hit = moving.hit_block(block, time, &surface, disc, &around, Some(&answer).filter(|_| is_lively));
    if let (Some((trajectory, table)), Some(motion)) = (spinning, motion) {
        let after = Motion { velocity: hit.as_ref().map_or(motion.velocity, |hit| hit.velocity), ..motion };
        let path = trajectory.set_out(&table.cloth, journey.at, after, [journey.t, journey.h]);
        // Its straight path may lead into the block although its motion does not.
        let around = Around { discs, moving, settings, answers };
        let surface = journey.surface(touched, &around).unwrap_or(surface);
        let away = surface.away.normalize_or_zero();
        journey.flight.velocity = path + away * (surface.velocity - path).dot(away).max(0.0);
    }
    let Some(hit) = hit else { return (None, NOTHING) };
    if motion.is_none() {
        journey.flight.velocity = hit.velocity;
    }
    let recorded = hit.at(&surface, journey.disc, [before, ahead], time as f32);
    (recorded, if hit.e > 0.0 { 1 } else { PRESS })
}

/// Called when the path of a block has changed: discs that were to hit it, or may hit it now, look again, including
/// bystanders.
fn look_again(
    space: &PhysicsSpace,
    block: u32,
    riders: &mut Vec<Rider>,
    bystanders: &mut Bystanders,
    acceleration: DVec2,
) {
    let Some(bounds) = space.moving.bounds_of_block(block) else { return };
    for rider in riders.iter_mut().filter(|rider| rider.flown.is_none()) {
        let meets_it =
            |touched: &Touched| matches!(touched, Touched::Moving(part) if space.moving.block_of(*part) == Some(block));
        let met = rider.next.and_then(|next| next.touched).as_ref().is_some_and(meets_it);
        if met || rider.journey.bounds_ahead().overlaps(bounds) {
            rider.next = None;
        }
    }
    riders.extend(bystanders.take(bounds).into_iter().map(|disc| Rider::of(space, disc, acceleration)));
}

fn next_block_impact(space: &mut PhysicsSpace) -> Option<BlockImpact> {
    let mut moving = std::mem::take(&mut space.moving);
    let next = moving.next_block_impact(&space.surroundings());
    space.moving = moving;
    next
}

fn resolve_block_impact(space: &mut PhysicsSpace, impact: BlockImpact) {
    let mut moving = std::mem::take(&mut space.moving);
    moving.resolve_block_impact(impact, &space.surroundings());
    space.moving = moving;
}
