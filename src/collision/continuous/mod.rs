//! Impacts: the continuous mode. Within the tick the earliest impact comes first; nothing is missed, nothing tunnels.
//!
//! Forces act between ticks: half of them before, half after, so that the paths within the tick are straight and their
//! velocity is the mean one. For each disc it is known when it meets the next thing (`time_of_impact`); the earliest of all
//! impacts is resolved with the same impulses as in the stepped mode, and only the discs that were touched look again. Few
//! discs are scanned (`scan_scheduler`), many have the grid and a queue (`grid_scheduler`, `event_queue`); both give the same bits.
//!
//! What happens at the same time (a rack without gaps, a row of touching discs, a disc in the corner of two walls) is
//! resolved one after the other, in the order of [`StableId`](crate::disc::StableId), discs before walls before corners, and
//! again for as long as two that touch approach: so a row of equal discs passes a blow on to its last, as it should.
//! Impacts that never end are brought to rest (`collapse`).

use bevy::prelude::*;

use super::{
    broad_phase::terrain_index::{TerrainIndex, lies_in},
    simd::{Kernel, SimdWidth},
    space::{Discs, Space},
    stepped::{fixed_circles, push_apart, walls},
};

mod collapse;
mod event_queue;
mod grid_scheduler;
mod particles;
mod predict;
mod record;
mod resolve;
mod scan_scheduler;
mod tick_state;
mod time_of_impact;

pub use time_of_impact::TimeOfImpact;
pub(super) use time_of_impact::{circle_time_of_impact, wall_time_of_impact};

use crate::collision::broad_phase::circles::Circles;
use grid_scheduler::GridScheduler;
use particles::{Impact, Particle};
use scan_scheduler::ScanScheduler;
use tick_state::{GravityEffect, SchedulerInputs, TickState};

/// What the continuous mode keeps from tick to tick: memory, and nothing that a result depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Continuous {
    particles: Vec<Particle>,
    gravity_effects: Vec<GravityEffect>,
    elastic_impacts: Vec<u32>,
    frozen: Vec<(u32, bevy::math::DVec2)>,
    scan_scheduler: scan_scheduler::Memory,
    grid_scheduler: grid_scheduler::Memory,
    /// Whether the last tick was continuous and nobody has touched the discs since, so that none overlap.
    pub(super) follows_last_tick: bool,
    impact_free: ImpactFreeTicks,
}

/// For how many ticks nothing can meet anything, if no disc gets faster. Only where nobody touches the discs between ticks.
#[derive(Clone, Debug, Default)]
struct ImpactFreeTicks {
    /// How many more such ticks there are.
    left: u32,
    /// How many of them to look for next.
    ahead: u32,
    /// The squared speed that each disc had when that was found.
    speeds: Vec<f32>,
}

/// One looks at most so many ticks ahead.
const MAX_LOOKAHEAD_TICKS: u32 = 32;

impl ImpactFreeTicks {
    /// Nothing is known any more.
    fn forget(&mut self) {
        self.left = 0;
    }

    /// Whether this tick is one of those that were found.
    #[inline(always)]
    fn lasts(&mut self, discs: &Discs) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut faster = false;
        for (velocity, speed) in discs.velocity.iter().zip(&self.speeds) {
            faster |= velocity.length_squared() > *speed;
        }
        if faster {
            self.left = 0;
        }
        !faster
    }

    /// Looks whether nothing meets anything in this tick, and in the ticks to come.
    #[inline(always)]
    fn predict<W: SimdWidth>(&mut self, circles: &mut Circles, space: &Space, simd: W) -> bool {
        let Space { discs, terrain_index, time_step, .. } = space;
        let empty_box = terrain_index.empty_box();
        self.ahead = self.ahead.clamp(1, MAX_LOOKAHEAD_TICKS);
        enclose_paths(circles, discs, time_step * self.ahead as f32);
        if is_free_of_impacts(circles, discs, empty_box, simd) {
            self.left = self.ahead - 1;
            self.ahead *= 2;
            self.speeds.clear();
            self.speeds.extend(discs.velocity.iter().map(|velocity| velocity.length_squared()));
            return true;
        }
        let looked_ahead = self.ahead > 1;
        self.ahead /= 2;
        if looked_ahead {
            enclose_paths(circles, discs, *time_step);
        }
        looked_ahead && is_free_of_impacts(circles, discs, empty_box, simd)
    }
}

/// Which impact comes next.
trait Scheduler {
    /// The earliest impact of the rest of the tick.
    fn next(&mut self, state: &TickState) -> Option<Impact>;

    /// The paths of these discs have changed: what was predicted for them does not come true.
    fn reschedule(&mut self, state: &TickState, indices: &[u32]);

    /// Adds all discs that may touch this one now to a list, in any order.
    fn neighbours(&self, state: &TickState, disc: usize, indices: &mut Vec<u32>);
}

/// Takes every disc through the tick, impact by impact. Discs that overlap by more than a rounding are first pushed apart, if
/// the settings say so, and out of terrain.
pub fn impacts(space: &mut Space) {
    space.path_vertices.clear();
    space.contacts.clear();
    space.pairs.clear();
    space.pile.acts = false;
    space.discs.previous.clone_from(&space.discs.position);
    space.simd.run(ContinuousTick { space });
}

/// A whole tick, compiled for each SIMD level.
struct ContinuousTick<'a> {
    space: &'a mut Space,
}

impl Kernel for ContinuousTick<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { space } = self;
        let few = space.discs.len() <= space.scan_limit.0;
        // Where nobody has touched the discs since the last tick, none overlap.
        let mut may_overlap = !std::mem::replace(&mut space.continuous.follows_last_tick, true);
        if few && !may_overlap && is_impact_free(space, simd) {
            advance_straight(&mut space.discs, f64::from(space.time_step));
            return;
        }
        if few && may_overlap {
            space.continuous.impact_free.forget();
            enclose_paths(&mut space.continuous.scan_scheduler.circles, &space.discs, space.time_step);
        }
        while !if few { scan_tick(space, simd, may_overlap) } else { grid_tick(space, simd, may_overlap) } {
            push_apart_overlapping(space);
            enclose_paths(&mut space.continuous.scan_scheduler.circles, &space.discs, space.time_step);
            may_overlap = false;
        }
        write_back(space);
    }
}

/// Runs the tick of a few discs, whose circles are known; or does nothing and says so, where discs that may overlap do.
#[inline(always)]
fn scan_tick<W: SimdWidth>(space: &mut Space, simd: W, may_overlap: bool) -> bool {
    let (mut state, SchedulerInputs { scan_scheduler, terrain, .. }) = TickState::begin(space);
    if may_overlap && overlaps(&scan_scheduler.circles, &state, terrain, simd) {
        return false;
    }
    let scheduler = ScanScheduler::begin(simd, scan_scheduler, terrain, &state);
    run(&mut state, scheduler);
    true
}

/// Runs the tick of many discs; or does nothing and says so, where discs that may overlap do.
#[inline(always)]
fn grid_tick<W: SimdWidth>(space: &mut Space, simd: W, may_overlap: bool) -> bool {
    let how = (space.simd, space.threads);
    let (mut state, SchedulerInputs { grid_scheduler, grid, terrain, .. }) = TickState::begin(space);
    let scheduler = GridScheduler::begin(simd, how, (grid_scheduler, grid, terrain), &state);
    if may_overlap && scheduler.overlaps(&state) {
        return false;
    }
    run(&mut state, scheduler);
    true
}

/// Takes the particles where the tick ends back into the arrays.
#[inline(always)]
fn write_back(space: &mut Space) {
    let end = f64::from(space.time_step);
    let gravity = space.gravity.as_dvec2();
    let Space { discs, continuous: Continuous { particles, gravity_effects, frozen, .. }, .. } = space;
    for &(i, velocity) in &*frozen {
        particles[i as usize].velocity += velocity;
    }
    for (i, particle) in particles.iter().enumerate() {
        if !particles::is_valid(discs, i) {
            continue;
        }
        let stays = particle.impacts_used.is_frozen();
        discs.position[i] = if stays { particle.position } else { particle.position_at(end) }.as_vec2();
        // With the second half of the forces that makes the true velocity.
        let held = gravity_effects.get(i).map(|effect| (effect.acceleration - gravity) * (0.5 * end) + effect.residual);
        discs.velocity[i] = held.map_or(particle.velocity, |held| particle.velocity + held).as_vec2();
    }
}

/// Whether nothing meets anything in this tick, as far as the circles around the paths tell. They are known where it is not.
#[inline(always)]
fn is_impact_free<W: SimdWidth>(space: &mut Space, simd: W) -> bool {
    let mut impact_free = std::mem::take(&mut space.continuous.impact_free);
    let mut circles = std::mem::take(&mut space.continuous.scan_scheduler.circles);
    let is_free = impact_free.lasts(&space.discs) || impact_free.predict(&mut circles, space, simd);
    (space.continuous.impact_free, space.continuous.scan_scheduler.circles) = (impact_free, circles);
    is_free
}

/// Resolves impact after impact until the tick ends.
#[inline(always)]
fn run(state: &mut TickState, mut scheduler: impl Scheduler) {
    while let Some(impact) = scheduler.next(state) {
        let approach = state.resolve(impact);
        let partner = impact.partner.disc();
        let mut budget_used = state.count_impact(impact.disc as usize, approach);
        if let Some(other) = partner {
            budget_used |= state.count_impact(other as usize, approach);
        }
        if budget_used {
            let group = state.rest(impact.disc, impact.time, |state, disc, neighbours| {
                scheduler.neighbours(state, disc, neighbours)
            });
            scheduler.reschedule(state, &group);
        }
        match partner {
            Some(other) => scheduler.reschedule(state, &[impact.disc, other]),
            None => scheduler.reschedule(state, &[impact.disc]),
        }
    }
}

/// The circles around the paths of a tick.
#[inline(always)]
fn enclose_paths(circles: &mut Circles, discs: &Discs, time_step: f32) {
    circles.clear(discs.len());
    for i in 0..discs.len() {
        if !particles::is_valid(discs, i) {
            continue;
        }
        let velocity = discs.velocity[i];
        let path = if velocity == Vec2::ZERO { 0.0 } else { velocity.length_squared().sqrt() * time_step };
        circles.set(i, discs.position[i].to_array(), discs.radius[i], path);
    }
}

/// Whether no disc can meet anything within the tick, by the circles around their paths.
#[inline(always)]
fn is_free_of_impacts<W: SimdWidth>(circles: &Circles, discs: &Discs, empty_box: [f32; 4], simd: W) -> bool {
    for i in 0..discs.len() {
        if discs.velocity[i] == Vec2::ZERO {
            continue;
        }
        if !lies_in(circles.bounds(i), empty_box) || circles.is_met(simd, i) {
            return false;
        }
    }
    true
}

/// A tick without impacts.
#[inline(always)]
fn advance_straight(discs: &mut Discs, end: f64) {
    for (position, velocity) in discs.position.iter_mut().zip(&discs.velocity) {
        if *velocity != Vec2::ZERO {
            *position = (position.as_dvec2() + velocity.as_dvec2() * end).as_vec2();
        }
    }
}

/// Whether any of a few discs overlap each other or terrain by more than a rounding, and are to be parted.
#[inline(always)]
fn overlaps<W: SimdWidth>(circles: &Circles, state: &TickState, terrain: &TerrainIndex, simd: W) -> bool {
    let mut found = false;
    for i in 0..state.particles.len() {
        circles.for_each_overlapping_circle(simd, i, |j| found |= j > i && state.overlaps(i, j));
        terrain.for_each_overlapping(circles.bounds(i), |piece| found |= state.overlaps_terrain(i, piece.into()));
    }
    found
}

/// Pushes overlapping discs apart and out of terrain, as the stepped mode does.
fn push_apart_overlapping(space: &mut Space) {
    space.find_pairs(0.0, 1.0);
    // So that an overlap elsewhere changes nothing here.
    space.overlap_slop = tick_state::ROUNDING as f32;
    push_apart::push_apart(space);
    // Nobody has moved them, so each is asked for.
    let count = space.discs.len() as u32;
    space.terrain_neighbours.touching.clear();
    space.terrain_neighbours.touching.extend(0..count);
    walls::walls(space);
    fixed_circles::fixed_circles(space);
    space.overlap_slop = 0.0;
    space.contacts.clear();
}
