//! Impacts: the continuous mode. The earliest impact within the tick is resolved first. Nothing is missed, and nothing
//! tunnels.
//!
//! Half of the forces act before the tick and half after it. So the paths within the tick are straight, with the mean
//! velocity. For each disc the next impact is known. The earliest of all is resolved with the same impulses as in the
//! stepped mode, and only the discs that were touched are predicted again.
//!
//! | module | contents |
//! |---|---|
//! | `tick_state`, `particles` | the state of the tick: discs in f64, each with its straight path since its last impact |
//! | `predict` | when discs hit each other and terrain |
//! | `scan_scheduler`, `grid_scheduler` | the next impact: few discs are scanned, many use the grid and an `event_queue`, with the same bits |
//! | `cell_scheduler`, `crossing` | the same for periodic edges: cells, and discs that cross from one to the next |
//! | `impact_free` | ticks in which nothing touches |
//! | `resolve` | the change of velocities by an impact |
//! | `on_table` | the same for discs that spin |
//! | `pockets` | falls into pockets |
//! | `above`, `support`, `nose` | balls above the cloth: their hits, what they land on, and cushions that they climb |
//! | `resting_groups`, `contact_forces` | discs that rest on each other at the start of the tick are held, all together |
//! | `let_through` | contacts dropped by contact hooks |
//! | `budgets` | the number of impacts of a disc, and how it stops |
//! | `shared_budget` | the joint budgets of groups of discs |
//! | `collapse` | brings endless impacts to rest |
//! | `with_blocks` | hits of discs and blocks; impacts between blocks |
//! | `record` | hits and path vertices, for the report |
//!
//! Some impacts are simultaneous: in a rack without gaps, in a row of touching discs, or in the corner of two walls.
//! They are resolved one after the other, in the order of [`StableId`](crate::components::StableId), discs before walls
//! before corners. They are resolved again while two that touch approach. So a row of equal discs passes a hit on to
//! its last disc, as it should.
//!
//! # Resting groups
//!
//! Discs that rest on each other and on terrain under gravity are found at the start of a tick. The velocities and
//! accelerations of each such group are solved together, so that a row or a heap at rest stays bit-identical, with no
//! speed and no impact.
//!
//! A disc rests on what it touches under these conditions:
//!
//! - It approaches no faster than the speed that gravity adds in a tick (`g h`).
//! - It separates no faster than half of that.
//! - The restitution of the two is below 1. At restitution 1 the two must be at rest.
//!
//! Such slow hits remove the whole speed along the normal, whatever the restitution: shorter ticks show more of the
//! last bounces. If a disc of a group is hit within the tick, the hit uses its true velocity and the restitution of the
//! two, and the group is solved again. No such step adds energy to a group of up to 256 discs.
//!
//! The cost is bounded:
//!
//! - At the start of a tick, a group whose matrix would take more than eight million multiplications is left to its
//!   impacts.
//! - Within the tick, at most 256 discs around a hit are solved together.
//! - After about six million multiplications (ten milliseconds) within a tick, discs that have been solved together are
//!   no longer solved. Held discs among them freeze, and collide without restitution where the two lose energy at all.
//!
//! So a heap of a hundred discs that collapses is slow at worst, and does not affect another heap.

use bevy::math::Vec2;

use super::{
    account::{self, Entry},
    periodic::Cell,
    simd::{Kernel, SimdWidth},
    space::PhysicsSpace,
    spin::TablePhysics,
    tick::{Cause, Laws},
};
use crate::collision::{
    overlap::{
        kinematic,
        moving::{carry_stopped, push_out_of_moving, stop_pinned},
        push_apart,
        terrain::{Contacts, push_out_of_terrain},
    },
    path::{
        flight::energy_share,
        trajectory::{begin_trajectories, finish_heights, finish_trajectories},
    },
};

mod above;
mod budgets;
mod cell_scheduler;
mod collapse;
mod contact_forces;
mod crossing;
mod event_queue;
mod grid_scheduler;
mod impact_free;
mod let_through;
mod nose;
mod on_table;
mod particles;
mod pockets;
mod predict;
mod record;
mod resolve;
mod resting_groups;
mod scan_scheduler;
mod shared_budget;
mod support;
mod tick_state;
mod with_blocks;

use cell_scheduler::CellScheduler;
use grid_scheduler::GridScheduler;
use impact_free::{ImpactFreeTicks, advance_straight, enclose_paths, is_impact_free};
use particles::{Impact, Meets, Particle, Partner};
use resolve::Resolved;
use scan_scheduler::ScanScheduler;
use tick_state::{GravityEffect, SchedulerInputs, TickState};

/// Memory of the continuous mode that is reused between ticks; no result depends on it.
#[derive(Clone, Debug, Default)]
struct Continuous {
    particles: Vec<Particle>,
    gravity_effects: Vec<GravityEffect>,
    resting_groups: resting_groups::Memory,
    budgets: budgets::Budgets,
    frozen: Vec<(u32, bevy::math::DVec2)>,
    /// The discs that kinematic ones press without a way out: they wait in place.
    pinned: Vec<u32>,
    scan_scheduler: scan_scheduler::Memory,
    grid_scheduler: grid_scheduler::Memory,
    cell_scheduler: cell_scheduler::Memory,
    last_tick: LastTick,
    impact_free: ImpactFreeTicks,
}

/// The data about the discs at the start of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastTick {
    /// They may have been changed since, or were pushed apart in the last tick.
    #[default]
    Unknown,
    /// The last tick was resolved impact by impact, started without overlaps, and nothing has changed the discs since.
    /// So resting discs that did not move in that tick do not overlap.
    WithImpacts,
    /// The last tick had no impacts, and nothing has changed the discs since: none overlap.
    ImpactFree,
}

/// Finds the next impact.
trait Scheduler {
    /// The earliest impact of the rest of the tick, if it is not later than `until`.
    fn next(&mut self, state: &TickState, until: f64) -> Option<Impact>;

    /// Called when the paths of these discs have changed: predictions for them are stale.
    fn reschedule(&mut self, state: &TickState, indices: &[u32]);

    /// Called when the path of a block has changed: impacts of discs with it are stale, and there may be new ones.
    fn reschedule_block(&mut self, state: &TickState, block: u32);

    /// Visits pairs of discs in any order, including all that touch at the start of the tick.
    fn near_pairs(&self, state: &TickState, visit: impl FnMut(usize, usize));

    /// Adds all discs that may touch this one now to a list, in any order.
    fn neighbours(&self, state: &TickState, disc: usize, indices: &mut Vec<u32>);
}

/// Moves every disc through the tick, impact by impact. Discs that overlap by more than rounding are first pushed out
/// of terrain, and apart if the settings say so.
pub fn impacts(space: &mut PhysicsSpace) {
    space.report.path_vertices.clear();
    space.contacts.clear();
    space.broad_phase.pairs.clear();
    space.broad_phase.candidates.forget();
    space.resting.acts = false;
    space.wrap_discs(0.0);
    let may_be_impact_free = may_be_impact_free(space);
    space.discs.previous.clone_from(&space.discs.position);
    let time = f64::from(space.clock.time_step);
    // Forces may have changed it.
    space.discs.keep_kinematic_velocities();
    memory(space).pinned.clear();
    if space.has_joints() {
        space.begin_joints();
        account::enter(space, Entry::Of(Cause::Joints));
    }
    let flies = space.laws.balls_fly();
    begin_trajectories(&mut space.discs, &mut space.trajectories, space.laws.table.as_ref(), time, flies);
    space.begin_blocks([0.0, time], space.laws.gravity, Vec2::ZERO);
    space.compute.simd.run(ContinuousTick { space, may_be_impact_free });
    space.report.sort_events();
    space.discs.place_kinematic(1.0);
    space.discs.keep_kinematic_velocities();
    space.wrap_discs(space.clock.time_step);
}

/// The memory of this mode.
fn memory(space: &mut PhysicsSpace) -> &mut Continuous {
    space.scratch.get()
}

/// Finds the circles around the paths of all discs.
#[inline(always)]
fn enclose_all_paths(space: &mut PhysicsSpace) {
    let PhysicsSpace { scratch, discs, clock, .. } = space;
    enclose_paths(&mut scratch.get::<Continuous>().scan_scheduler.circles, discs, clock.time_step);
}

/// Whether it pays to check if nothing touches in this tick: nothing else has moved the discs since the last one. A
/// disc that came to rest in the last tick may overlap what it rests on by rounding. Whether that is more than a tick
/// ignores is decided by a tick with impacts.
fn may_be_impact_free(space: &mut PhysicsSpace) -> bool {
    let PhysicsSpace { discs, scratch, follows_last_tick, moving, laws: Laws { answers, .. }, .. } = space;
    let continuous = scratch.get::<Continuous>();
    if !*follows_last_tick {
        continuous.last_tick = LastTick::Unknown;
    }
    let stays = |i: usize| {
        let (position, fallen) = (discs.position[i], discs.position[i].is_nan());
        discs.velocity[i] != Vec2::ZERO || position == discs.previous[i] || fallen
    };
    let rests = match continuous.last_tick {
        LastTick::Unknown => false,
        LastTick::WithImpacts => discs.previous.len() == discs.len() && (0..discs.len()).all(stays),
        LastTick::ImpactFree => true,
    };
    // A kinematic disc passes over the discs that it presses, and discs dropped by hooks may overlap.
    let pressed = || continuous.particles.iter().any(|particle| particle.impacts_used.is_frozen());
    // A ball above the cloth moves, and may land.
    let stays_down = discs.heights.is_empty();
    rests && stays_down && moving.is_empty() && answers.hooks.is_empty() && (discs.kinematic.is_empty() || !pressed())
}

/// A whole tick, compiled for each SIMD level.
struct ContinuousTick<'a> {
    space: &'a mut PhysicsSpace,
    may_be_impact_free: bool,
}

impl Kernel for ContinuousTick<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { space, may_be_impact_free } = self;
        let few = space.compute.scans(space.discs.len());
        // Every tick with impacts checks, whether it follows another one or a change from outside. So a predicted tick
        // does the same as the real one, even if `f32` has too few digits for the positions of touching discs.
        let mut may_overlap = true;
        memory(space).last_tick = LastTick::WithImpacts;
        if let Some(cell) = space.cell {
            memory(space).impact_free.forget();
            while !cell_tick(space, cell, may_overlap) {
                push_apart_overlapping(space);
                (may_overlap, memory(space).last_tick) = (false, LastTick::Unknown);
            }
            return leave(space);
        }
        if few && may_be_impact_free && is_impact_free(space, simd) {
            memory(space).last_tick = LastTick::ImpactFree;
            space.record_straight_ways(f64::from(space.clock.time_step));
            advance_straight(&mut space.discs, f64::from(space.clock.time_step));
            return finish_trajectories(&mut space.discs, &mut space.trajectories);
        }
        if few && !may_be_impact_free {
            memory(space).impact_free.forget();
            enclose_all_paths(space);
        }
        while !if few { scan_tick(space, simd, may_overlap) } else { grid_tick(space, simd, may_overlap) } {
            push_apart_overlapping(space);
            enclose_all_paths(space);
            (may_overlap, memory(space).last_tick) = (false, LastTick::Unknown);
        }
        leave(space);
    }
}

/// At the end of the tick: copies everything back into the arrays.
#[inline(always)]
fn leave(space: &mut PhysicsSpace) {
    write_back(space);
    if space.laws.balls_fly() {
        let PhysicsSpace { discs, trajectories, laws, clock, .. } = &mut *space;
        if let Some(TablePhysics { cloth, .. }) = &laws.table {
            finish_heights(discs, trajectories, cloth, f64::from(clock.time_step));
        }
    }
    // From here on the arrays hold the motions, and later steps may change them.
    finish_trajectories(&mut space.discs, &mut space.trajectories);
    space.end_blocks(space.laws.gravity * (0.5 * space.clock.time_step), false);
    leave_kinematic(space);
    leave_moving_terrain(space);
}

/// At the end of the tick: kinematic discs move along stopped discs, as far as terrain allows.
fn leave_kinematic(space: &mut PhysicsSpace) {
    if space.discs.kinematic.is_empty() {
        return;
    }
    space.discs.place_kinematic(1.0);
    let Continuous { particles, .. } = memory(space);
    let stopped = particles.iter().zip(0..).filter(|(particle, _)| particle.impacts_used.is_frozen());
    let stopped: Vec<(u32, f64)> = stopped.map(|(particle, disc)| (disc, particle.time)).collect();
    if !stopped.is_empty() {
        kinematic::take_along(&mut space.crowd().0, &stopped);
    }
}

/// At the end of the tick: moving terrain moves along stopped discs, and pushes out those that are still in it.
fn leave_moving_terrain(space: &mut PhysicsSpace) {
    if space.moving.is_empty() {
        return;
    }
    let time_step = space.moving.time_step;
    space.discs.previous.clone_from(&space.discs.position);
    carry_stopped(&mut space.discs, &mut space.moving);
    space.moving.witness.clear();
    space.terrain_neighbours.pushed.clear();
    let crowd = &mut space.crowd().0;
    if push_out_of_moving(crowd, time_step, Contacts::Keep) {
        push_out_of_terrain(crowd);
        stop_pinned(crowd, time_step, Contacts::Keep);
    }
}

/// Runs the tick of a few discs, whose circles are up to date. If discs that may overlap do, it does nothing and
/// returns false.
#[inline(always)]
fn scan_tick<W: SimdWidth>(space: &mut PhysicsSpace, simd: W, may_overlap: bool) -> bool {
    let (state, SchedulerInputs { scan_scheduler, terrain, resting_groups, .. }) = TickState::begin(space);
    let scheduler = ScanScheduler::begin(simd, scan_scheduler, terrain, &state);
    run_if_apart(state, scheduler, resting_groups, may_overlap)
}

/// The same for many discs.
#[inline(always)]
fn grid_tick<W: SimdWidth>(space: &mut PhysicsSpace, simd: W, may_overlap: bool) -> bool {
    let compute = space.compute;
    let (state, SchedulerInputs { grid_scheduler, grid, terrain, resting_groups, .. }) = TickState::begin(space);
    let scheduler = GridScheduler::begin(simd, compute, grid_scheduler, grid, terrain, &state);
    run_if_apart(state, scheduler, resting_groups, may_overlap)
}

/// The same for a periodic space.
fn cell_tick(space: &mut PhysicsSpace, cell: Cell, may_overlap: bool) -> bool {
    let (state, SchedulerInputs { cell_scheduler, terrain, resting_groups, .. }) = TickState::begin(space);
    let scheduler = CellScheduler::begin(cell_scheduler, terrain, &cell, &state);
    run_if_apart(state, scheduler, resting_groups, may_overlap)
}

/// Runs a tick that has started. If discs that may overlap do, it does nothing and returns false.
#[inline(always)]
fn run_if_apart(
    mut state: TickState,
    mut scheduler: impl Scheduler,
    resting_groups: &mut resting_groups::Memory,
    may_overlap: bool,
) -> bool {
    if !state.laws.answers.hooks.is_empty() {
        let dropped = state.drop_touching(|state, visit| scheduler.near_pairs(state, visit));
        scheduler.reschedule(&state, &dropped);
    }
    if may_overlap && overlaps(&state, &scheduler) {
        return false;
    }
    run(&mut state, scheduler, resting_groups);
    true
}

/// Copies the particles back into the arrays at the end of the tick.
#[inline(always)]
fn write_back(space: &mut PhysicsSpace) {
    let end = f64::from(space.clock.time_step);
    let gravity = space.laws.gravity.as_dvec2();
    for fallen in &space.report.fallen {
        space.discs.take_out_of_play(fallen.disc as usize);
    }
    let PhysicsSpace { discs, cell, scratch, .. } = space;
    let Continuous { particles, gravity_effects, frozen, .. } = scratch.get();
    for &(i, velocity) in &*frozen {
        particles[i as usize].velocity += velocity;
    }
    for (i, particle) in particles.iter().enumerate() {
        if !particles::is_valid(discs, i) || particle.is_kinematic() {
            continue;
        }
        let stays = particle.impacts_used.is_frozen();
        let began = discs.position[i];
        discs.position[i] = if stays { particle.position } else { particle.position_at(end) }.as_vec2();
        let Some(effect) = gravity_effects.get(i) else {
            discs.velocity[i] = particle.velocity.as_vec2();
            continue;
        };
        let gravity = gravity * f64::from(discs.gravity_scale(i));
        let mut held = (effect.acceleration - gravity) * (0.5 * end) + effect.residual;
        if effect.supported && !effect.grouped && !effect.has_hit_disc {
            let before = discs.velocity[i].as_dvec2() - gravity * (0.5 * end);
            let ends = particle.velocity + held + gravity * (0.5 * end);
            let way = discs.position[i] - began;
            let way = cell.map_or(way, |cell| cell.nearest(way)).as_dvec2();
            if let Some(share) = energy_share([before, ends], gravity.dot(way), effect.damped) {
                held += ends * (share - 1.0);
            } else {
                discs.position[i] = began;
                held = -(before + particle.velocity + gravity * (0.5 * end));
            }
        }
        // The second half of the forces turns this into the true velocity.
        discs.velocity[i] = (particle.velocity + held).as_vec2();
    }
}

/// Resolves impact after impact until the tick ends.
#[inline(always)]
fn run(state: &mut TickState, mut scheduler: impl Scheduler, resting_groups: &mut resting_groups::Memory) {
    if !state.gravity_effects.is_empty() {
        let held = state.hold_resting_groups(resting_groups, |state, visit| scheduler.near_pairs(state, visit));
        scheduler.reschedule(state, &held);
    }
    while let Some(impact) = next_impact(state, &mut scheduler) {
        if let Meets::Edge(crossing) = impact.partner.meets() {
            state.cross_edge(impact.disc as usize, crossing, impact.time);
            scheduler.reschedule(state, &[impact.disc]);
            continue;
        }
        if !state.laws.answers.hooks.is_empty()
            && let Some(let_through) = state.let_through(impact)
        {
            scheduler.reschedule(state, &let_through);
            continue;
        }
        let Resolved { met, in_group, too_slow } = state.resolve(impact, !resting_groups.is_exhausted(impact));
        if in_group {
            let held = match (partner_of_kinematic(state, impact), partner_of_spinning(state, impact)) {
                (Some([disc, kinematic]), _) => Impact { disc, partner: Partner::of_disc(kinematic), ..impact },
                (None, Some([disc, _])) => Impact { disc, partner: Partner::NONE, ..impact },
                (None, None) => impact,
            };
            let group = state.hold_group(resting_groups, held, |state, disc, neighbours| {
                scheduler.neighbours(state, disc, neighbours);
            });
            scheduler.reschedule(state, &group);
        }
        let partner = impact.partner.disc();
        if impact.partner.moving().is_some_and(|part| state.moving.block_of(part).is_none()) {
            state.count_moving_impact(impact.disc as usize, met.is_elastic);
        }
        let mut budget_used = state.count_impact(impact.disc, partner, met, too_slow);
        if let Some(other) = partner {
            budget_used |= state.count_impact(other, Some(impact.disc), met, too_slow);
        }
        if budget_used {
            let disc = partner_of_kinematic(state, impact).map_or(impact.disc, |[disc, _]| disc);
            let group = state.rest(disc, impact.time, |state, disc, neighbours| {
                scheduler.neighbours(state, disc, neighbours);
            });
            scheduler.reschedule(state, &group);
        }
        match (partner, partner_of_kinematic(state, impact)) {
            // The path of the other disc has not changed, and neither has its next impact.
            (_, Some([disc, _])) => scheduler.reschedule(state, &[disc]),
            (Some(other), None) => scheduler.reschedule(state, &[impact.disc, other]),
            (None, None) => scheduler.reschedule(state, &[impact.disc]),
        }
        reschedule_blocks(state, &mut scheduler);
    }
    state.clear_rails();
    state.record_last_ways();
}

/// The next impact of a disc. Earlier impacts of blocks with each other and with terrain are resolved first.
#[inline(always)]
fn next_impact(state: &mut TickState, scheduler: &mut impl Scheduler) -> Option<Impact> {
    if !state.moving.has_blocks() {
        return scheduler.next(state, f64::INFINITY);
    }
    loop {
        let block = state.next_block_impact();
        let first = scheduler.next(state, block.map_or(f64::INFINITY, |block| block.time));
        let Some(block) = block.filter(|_| first.is_none()) else { return first };
        state.resolve_block_impact(block);
        reschedule_blocks(state, scheduler);
    }
}

/// Reschedules the impacts of discs with blocks whose paths have changed.
#[inline(always)]
fn reschedule_blocks(state: &mut TickState, scheduler: &mut impl Scheduler) {
    if state.moving.has_blocks() {
        while let Some(block) = state.moving.take_changed() {
            scheduler.reschedule_block(state, block);
        }
    }
}

/// The disc that a kinematic one hits, and the kinematic one; `None` for any other impact.
#[inline(always)]
fn partner_of_kinematic(state: &TickState, impact: Impact) -> Option<[u32; 2]> {
    let other = impact.partner.disc()?;
    let [disc, kinematic] = state.with_kinematic(impact.disc as usize, other as usize)?;
    Some([disc as u32, kinematic as u32])
}

/// Sorts the two discs of an impact of which at least one spins: first the other, then a spinning one.
fn partner_of_spinning(state: &TickState, impact: Impact) -> Option<[u32; 2]> {
    let other = impact.partner.disc()?;
    state.with_spinning(impact.disc as usize, other as usize).map(|pair| pair.map(|i| i as u32))
}

/// Whether discs overlap each other or terrain by more than rounding at the start of the tick, and must be separated.
#[inline(always)]
fn overlaps(state: &TickState, scheduler: &impl Scheduler) -> bool {
    let mut found = false;
    scheduler.near_pairs(state, |i, j| found |= state.overlaps(i, j));
    found || (0..state.particles.len()).any(|i| state.overlaps_any_terrain(i))
}

/// Pushes overlapping discs apart and out of terrain as the stepped mode does, but without bounces, which are impacts
/// of the tick.
fn push_apart_overlapping(space: &mut PhysicsSpace) {
    space.find_pairs(0.0, 1.0);
    // No disc is pushed through a moving wall.
    space.witness_moving_terrain();
    let compute = space.compute;
    let (mut crowd, contacts, scratch) = space.crowd();
    push_apart::push_apart(&mut crowd, contacts, scratch.get(), compute);
    kinematic::push_out(&mut crowd);
    push_out_of_moving(&mut crowd, 0.0, Contacts::Keep);
    push_out_of_terrain(&mut crowd);
    stop_pinned(&mut crowd, 0.0, Contacts::Keep);
    scratch.get::<Continuous>().pinned = kinematic::push_out_wedged(&mut crowd);
    contacts.clear();
}
