//! The path of a disc through a substep, event by event. It goes to its first contact, off it, and on to the next,
//! until the substep ends or it falls into a pocket. Without blocks, discs are processed one after the other ([`fly`]);
//! with blocks together, the earliest event first (`with_blocks`).

use bevy::{math::DVec2, prelude::*};
use core::ops::ControlFlow;

use super::{
    journey::{Around, Flown, Journey, OnTheWay, Touched},
    pockets::{Fallen, fall, first_pocket},
    with_blocks::bounce_off_block,
};
use crate::collision::{
    discs::Discs,
    hit::Hit,
    moving::MovingTerrain,
    path::{
        movers::{Mover, Movers},
        trajectory::Trajectory,
    },
    shape::{Bounds, Circle},
    space::PhysicsSpace,
    terrain::{
        index::Piece,
        local::{Filters, LocalTerrain, Met},
        neighbours::CONTACT_MARGIN,
    },
    tick::Laws,
};

/// The largest number of bounces of a disc within a substep. After that it waits for the next one, and keeps its
/// velocity.
const MAX_BOUNCES: u32 = 64;

/// The same for a disc that hits blocks. A light disc between a block that is `r` times as heavy and a wall has up to
/// `π √r` bounces.
const MAX_BOUNCES_WITH_BLOCKS: u32 = 4096;

/// The longest path, in radii, of a slow disc: everything that it can hit is listed once, around its start.
const SLOW_WAY: f64 = 4.0;

/// A disc on its path.
pub(super) struct Rider {
    pub(super) journey: Journey,
    /// Its next event; `None` if it must look again.
    pub(super) next: Option<Ahead>,
    /// The result for a disc that has finished.
    pub(super) flown: Option<Flown>,
    /// The number of bounces used.
    used: u32,
    has_hit_block: bool,
}

/// The way of a disc to its next contact, or to the end of the substep.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    pub(super) there: Journey,
    pub(super) touched: Option<Touched>,
}

/// Memory for the surroundings of a disc.
#[derive(Default)]
pub(super) struct Nearby {
    /// Pieces of static terrain; all that the disc can hit in the substep, if `is_listed`.
    pieces: Vec<Piece>,
    is_listed: bool,
    /// Parts of moving terrain.
    parts: Vec<u32>,
    movers: Vec<Mover>,
    /// Whether the two lists above contain everything on the straight path ahead.
    moving_is_listed: bool,
    local: LocalTerrain,
}

/// Moves a disc through the substep, without regard to blocks.
pub(super) fn fly(
    space: &mut PhysicsSpace,
    disc: u32,
    acceleration: DVec2,
    movers: &Movers,
    nearby: &mut Nearby,
) -> Flown {
    let mut rider = Rider::of(space, disc, acceleration);
    if let Some(flown) = rider.list_nearby(space, movers, nearby) {
        return flown;
    }
    loop {
        let is_alone = !rider.look_ahead(space, movers, nearby);
        if is_alone && rider.journey.bounces == 0 {
            return Flown::Free;
        }
        match rider.next {
            Some(Ahead { touched: Some(touched), .. }) => {
                rider.ride_on(space);
                // It may be faster now, and get beyond the listed terrain.
                nearby.is_listed &= matches!(touched, Touched::Standing(_));
            }
            _ => return rider.arrive(space),
        }
        if let Some(flown) = rider.flown {
            return flown;
        }
    }
}

impl Nearby {
    /// Lists the moving terrain and the kinematic discs that a disc may hit in a box.
    fn list_moving(&mut self, discs: &Discs, moving: &MovingTerrain, movers: &Movers, i: usize, bounds: Bounds) {
        self.parts.clear();
        self.movers.clear();
        moving.list_near(i, bounds, &mut self.parts);
        movers.list(discs, i, bounds, &mut self.movers);
    }
}

impl Rider {
    /// A disc at the start of the substep, under the acceleration of all.
    pub(super) fn of(space: &PhysicsSpace, disc: u32, acceleration: DVec2) -> Self {
        let times = [space.clock.now - space.substep(), space.own_substep(disc as usize)];
        let acceleration = space.own_acceleration(disc as usize, acceleration);
        let journey = Journey::begin(&space.discs, disc, acceleration, times);
        Self { journey, next: None, flown: None, used: 0, has_hit_block: false }
    }

    /// Lists all terrain that a slow disc can hit; a fast one searches along each straight part of its path. Returns
    /// the result for a disc that need not be processed event by event.
    fn list_nearby(&self, space: &mut PhysicsSpace, movers: &Movers, nearby: &mut Nearby) -> Option<Flown> {
        let Self { journey, .. } = self;
        let (disc, substep) = (journey.disc, space.substep());
        let PhysicsSpace { discs, terrain, terrain_neighbours, resting, pockets, laws, trajectories, moving, .. } =
            &mut *space;
        let table = laws.table.as_ref();
        let i = disc as usize;
        let (from, radius) = (discs.previous[i], discs.radius[i]);
        // Bounces keep the speed, except for the change by gravity within the substep and the effect of friction at a
        // cushion on spin.
        let spinning = Trajectory::of_spinning(trajectories, i).filter(|_| table.is_some());
        let spin = spinning.map_or(0.0, Trajectory::rim_speed);
        let cloth = table.map_or(0.0, |table| table.cloth.sliding_deceleration());
        let faster = (2.0 * journey.flight.gravity.length() + cloth) * f64::from(substep);
        let way = (journey.flight.velocity.length() + spin + faster) * journey.h;
        let bounds = journey.bounds_ahead();
        nearby.list_moving(discs, moving, movers, i, bounds);
        nearby.moving_is_listed = true;
        let (near_moving, near_kinematic) = (!nearby.parts.is_empty(), !nearby.movers.is_empty());
        // Discs of a pile that are nearly at rest are held by `Settle` and `Walls`.
        let at_rest = resting.acts && discs.velocity[i].length_squared() < resting.limits.resting_squared;
        if !near_moving && !near_kinematic && at_rest && way <= f64::from(CONTACT_MARGIN * radius) {
            let end = discs.position[i].as_dvec2();
            let Some((share, pocket)) = first_pocket(pockets, [journey.at, end]) else { return Some(Flown::Near) };
            let (at, time) = (journey.at.lerp(end, share), share * journey.h);
            fall(space, Fallen { disc, pocket, at, time });
            return Some(Flown::Fallen);
        }
        nearby.is_listed = way <= SLOW_WAY * f64::from(radius) && !near_kinematic;
        nearby.pieces.clear();
        if nearby.is_listed {
            let fixed = terrain.view();
            let reach = radius * (1.0 + CONTACT_MARGIN);
            match terrain_neighbours.near(i, &fixed, from, reach, way as f32) {
                Some(pieces) => nearby.pieces.extend_from_slice(pieces),
                None if near_moving => {}
                None => return Some(Flown::Free),
            }
        }
        None
    }

    /// Finds the next contact on the straight path, or the end of the substep, and records it without changing anything
    /// else. Returns whether anything is near.
    pub(super) fn look_ahead(&mut self, space: &PhysicsSpace, movers: &Movers, nearby: &mut Nearby) -> bool {
        let PhysicsSpace { discs, terrain, moving, .. } = space;
        let mut there = self.journey;
        let (all, i, bounds) = (terrain.view(), there.disc as usize, there.bounds_ahead());
        if !std::mem::take(&mut nearby.moving_is_listed) {
            nearby.list_moving(discs, moving, movers, i, bounds);
        }
        let Nearby { pieces, is_listed, parts, movers: met, local, .. } = nearby;
        if !*is_listed {
            pieces.clear();
            all.index.for_each_overlapping(bounds, |piece| pieces.push(piece));
        }
        let filters = Filters::of(&discs.filter, &terrain.filter);
        let from = Circle::of(there.last, discs.radius[i]);
        let Met { pieces, fixed, .. } = local.met(pieces, &all, filters, i, from);
        let on_the_way = OnTheWay { pieces, fixed: &fixed, parts, moving, movers: met };
        let touched = there.advance(on_the_way, discs.position[i]);
        self.next = Some(Ahead { there, touched });
        !(pieces.is_empty() && parts.is_empty() && met.is_empty())
    }

    /// Bounces the disc off its next contact.
    pub(super) fn ride_on(&mut self, space: &mut PhysicsSpace) {
        let Some(Ahead { there: mut journey, touched: Some(touched) }) = self.next.take() else { return };
        let disc = journey.disc;
        if self.falls_on_the_way(space, [self.journey.at, journey.at], journey.t) {
            return;
        }
        if !space.laws.answers.hooks.is_empty() && goes_through(space, &journey, touched) {
            return;
        }
        journey.bounces += 1;
        let block = if let Touched::Moving(part) = touched { space.moving.block_of(part) } else { None };
        self.has_hit_block |= block.is_some();
        // A block out of reach changes nothing.
        if self.used >= if self.has_hit_block { MAX_BOUNCES_WITH_BLOCKS } else { MAX_BOUNCES } {
            space.report.stopped += 1;
            let PhysicsSpace { terrain, moving, .. } = &*space;
            if journey.be_carried(&terrain.view(), moving) {
                space.moving.carried.push(disc);
            }
            journey.give_up();
            self.flown = Some(journey.arrive(&mut space.discs));
            return;
        }
        self.used += 1;
        let bounced = match block {
            Some(block) => {
                let (hit, price) = bounce_off_block(space, &mut journey, touched, block);
                self.used += price - 1;
                ControlFlow::Continue(hit)
            }
            None => bounce_off(space, &mut journey, touched),
        };
        let ControlFlow::Continue(hit) = bounced else {
            self.flown = Some(journey.arrive(&mut space.discs));
            return;
        };
        if let Some(cell) = space.cell {
            journey.stay_within(cell.most_way());
        }
        if let Some(hit) = hit {
            if matches!(touched, Touched::Disc(_)) && space.resting.acts {
                space.resting.wake(disc as usize);
            }
            space.report.record(hit, &space.laws.settings);
        }
        self.journey = journey;
    }

    /// Moves the disc to the end of the substep, or into a pocket on the way there, if it has looked ahead that far.
    pub(super) fn arrive(mut self, space: &mut PhysicsSpace) -> Flown {
        if let Some(Ahead { there, .. }) = self.next.filter(|_| self.flown.is_none()) {
            let way = there.way_from(self.journey.at, false, space.discs.position[there.disc as usize]);
            if !self.falls_on_the_way(space, way, there.t) {
                self.flown = Some(there.arrive(&mut space.discs));
            }
        }
        self.flown.unwrap_or(Flown::Near)
    }

    /// Whether the disc falls into a pocket on a straight path that ends at this time of the substep.
    fn falls_on_the_way(&mut self, space: &mut PhysicsSpace, way: [DVec2; 2], ends: f64) -> bool {
        let Some((share, pocket)) = first_pocket(&space.pockets, way) else { return false };
        let (disc, began) = (self.journey.disc, self.journey.t);
        let (at, time) = (way[0].lerp(way[1], share), began + share * (ends - began));
        fall(space, Fallen { disc, pocket, at, time });
        self.flown = Some(Flown::Fallen);
        true
    }
}

/// Bounces a disc off anything that is not a block; returns the hit, if it was one. Breaks if there is nothing to
/// bounce off.
fn bounce_off(space: &mut PhysicsSpace, journey: &mut Journey, touched: Touched) -> ControlFlow<(), Option<Hit>> {
    let PhysicsSpace { discs, moving, trajectories, laws: Laws { settings, answers, table, .. }, .. } = space;
    let spinning = Trajectory::of_spinning_mut(trajectories, journey.disc as usize);
    journey.bounce_off(touched, &Around { discs, moving, settings, answers }, table.as_ref(), spinning)
}

/// Whether contact hooks drop the contact of a disc. The contact then stays dropped until the substep ends.
fn goes_through(space: &mut PhysicsSpace, journey: &Journey, touched: Touched) -> bool {
    let PhysicsSpace { discs, moving, laws: Laws { settings, answers, .. }, .. } = space;
    let Some(dropped) = journey.dropped(touched, &Around { discs, moving, settings, answers }) else { return false };
    match touched {
        // A corner of several pieces acts for one of them, and next time for another.
        Touched::Standing(_) => discs.filter.drop_terrain(journey.disc as usize, dropped.entity()),
        Touched::Moving(part) => moving.drop_part(journey.disc, part),
        Touched::Disc(mover) => discs.filter.drop_pair(journey.disc as usize, mover.disc as usize),
    }
    true
}
