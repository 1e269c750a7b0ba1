//! The scheduler for many discs. The tick is divided into windows in which a disc moves only a short distance, and the
//! predictions for a window are kept in a queue.
//!
//! At the start of a window all discs are put into the [`Grid`] of the stepped mode, each with a circle around its
//! path. Pairs of overlapping circles are tested exactly. A touched disc tests the circles near its new path, and gets
//! a new circle in its old cell. If that cell cannot hold it, because it is now faster than all others were, it is
//! listed separately.
//!
//! Thousands of discs in one spot form a number of pairs that grows with its square. Beyond a limit at most 128 are
//! listed with one disc. The discs of the heap pass through each other until pushes have separated them, some in each
//! tick: `Heap`.

use bevy::prelude::*;

use super::{
    Scheduler,
    event_queue::{Event, EventQueue},
    particles::{Impact, Partner},
    tick_state::TickState,
};
use crate::collision::{
    broad_phase::{circles::Circles, grid::Grid},
    discs::Discs,
    shape::Bounds,
    simd::{SimdLevel, SimdWidth},
    terrain::index::TerrainIndex,
    threads::Threads,
    tick::Compute,
};

pub(super) use crate::collision::shape::rounding::padded;

/// The distance of the typical disc within a window, as a share of its radius, or of a quarter of the gap to its
/// neighbours if that is longer.
const WINDOW: f64 = 0.15;

/// The largest number of windows in a tick, unless discs are listed separately.
const MAX_WINDOWS: f64 = 1e6;

/// Windows grow while there are no impacts and no more pairs per disc than this.
const MAX_PAIRS: usize = 8;

/// Memory that is reused between ticks.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Position, velocity and radius at the start of the window, for the grid.
    discs: Discs,
    pairs: Vec<[u32; 2]>,
    queue: EventQueue,
    /// The discs outside the grid, with their circles.
    overflow: Vec<u32>,
    overflow_circles: Circles,
    /// The neighbours of the current disc.
    neighbours: Vec<u32>,
    heap: Heap,
}

/// The number of pairs of each disc, if this window has more pairs than are tested; otherwise empty.
#[derive(Clone, Debug, Default)]
struct Heap(Vec<u32>);

/// The smallest number of partners of a disc in a heap.
const HEAP_PARTNERS: u32 = 64;

impl Heap {
    fn count(&mut self, pairs: &[[u32; 2]], discs: usize) {
        self.0.resize(discs, 0);
        for &disc in pairs.as_flattened() {
            self.0[disc as usize] += 1;
        }
    }

    /// Whether two discs pass through each other, because both are in a heap.
    #[inline(always)]
    fn go_through(&self, i: usize, j: usize) -> bool {
        !self.0.is_empty() && self.0[i] >= HEAP_PARTNERS && self.0[j] >= HEAP_PARTNERS
    }
}

/// Windows, grid and queue.
pub(super) struct GridScheduler<'a, W> {
    simd: W,
    simd_level: SimdLevel,
    threads: Threads,
    memory: &'a mut Memory,
    grid: &'a mut Grid,
    terrain: &'a TerrainIndex,
    /// The length of a window after one with impacts, seconds.
    shortest: f64,
    /// The length of the current window, seconds. It is twice as long as the last one if there were no impacts in that.
    length: f64,
    /// Whether the current window has had impacts.
    eventful: bool,
    /// The start and end of the current window, seconds from the start of the tick.
    window: [f64; 2],
}

impl<'a, W: SimdWidth> GridScheduler<'a, W> {
    /// Starts a tick.
    #[inline(always)]
    pub(super) fn begin(
        simd: W,
        Compute { simd: simd_level, threads, .. }: Compute,
        memory: &'a mut Memory,
        grid: &'a mut Grid,
        terrain: &'a TerrainIndex,
        state: &TickState,
    ) -> Self {
        let shortest = window(state);
        memory.discs.radius.clear();
        memory.discs.radius.resize(state.particles.len(), 0.0);
        memory.discs.position.resize(state.particles.len(), Vec2::ZERO);
        memory.discs.velocity.resize(state.particles.len(), Vec2::ZERO);
        let mut grid_scheduler = Self {
            simd,
            simd_level,
            threads,
            memory,
            grid,
            terrain,
            shortest,
            length: shortest,
            eventful: true,
            window: [0.0; 2],
        };
        grid_scheduler.open_window(state, 0.0);
        grid_scheduler
    }

    /// Starts a window: inserts all discs and predicts their impacts in it.
    #[inline(always)]
    fn open_window(&mut self, state: &TickState, start: f64) {
        // Long paths form many pairs.
        let crowded = self.memory.pairs.len() > MAX_PAIRS * state.particles.len();
        self.length = if self.eventful || crowded { self.shortest } else { 2.0 * self.length };
        self.eventful = false;
        let end = if start + 1.5 * self.length < state.end { start + self.length } else { state.end };
        self.window = [start, end];
        let Self { memory: Memory { discs, pairs, queue, overflow, overflow_circles, heap, .. }, grid, .. } = self;
        for (i, particle) in state.particles.iter().enumerate() {
            discs.position[i] = particle.position_at(start).as_vec2();
            discs.velocity[i] = particle.velocity.as_vec2();
            discs.radius[i] = padded(particle.radius as f32, discs.position[i]);
        }
        grid.fill_exhaustive(discs, (end - start) as f32, self.simd_level, self.threads);
        grid.pairs(self.simd_level, self.threads, pairs);
        heap.0.clear();
        if grid.may_miss(pairs) {
            bevy::utils::once!(tracing::warn!(
                "thousands of discs lie in one spot; they pass through each other until pushes have separated them"
            ));
            grid.bound_partners();
            grid.pairs(self.simd_level, self.threads, pairs);
            heap.count(pairs, state.particles.len());
        }
        overflow.clear();
        overflow_circles.clear(0);
        queue.begin([start, end], state.particles.len());
        for &[a, b] in &*pairs {
            predict_pair(queue, heap, state, end, [a as usize, b as usize]);
        }
        for (i, particle) in state.particles.iter().enumerate() {
            let (from, path) = (discs.position[i], discs.velocity[i] * (end - start) as f32);
            let around = path.abs() * 1.0001 + discs.radius[i];
            let bounds = Bounds::new(from - around, from + around);
            self.terrain.for_each_overlapping(state.reach(i, bounds), |piece| {
                predict_terrain(queue, state, end, i, piece.into(), particle.stamp);
            });
            state.for_each_pocket(bounds, |pocket| {
                predict_terrain(queue, state, end, i, pocket, particle.stamp);
            });
            state.for_each_moving(i, bounds, |part| {
                predict_terrain(queue, state, end, i, part, particle.stamp);
            });
            if state.is_above(i) {
                predict_terrain(queue, state, end, i, Partner::SUPPORT, particle.stamp);
            }
        }
    }

    /// A circle around the path of a disc in the rest of the window.
    #[inline(always)]
    fn circle(&self, state: &TickState, i: usize) -> (Vec2, f32) {
        let particle = &state.particles[i];
        let half = 0.5 * (self.window[1] - particle.time).max(0.0);
        let centre = (particle.position + particle.velocity * half).as_vec2();
        let path = (particle.velocity.length_squared().sqrt() * half) as f32;
        (centre, padded(particle.radius as f32, centre) + path * 1.0001)
    }

    /// Predicts the impacts of a disc in the rest of the window.
    #[inline(always)]
    fn predict(&mut self, state: &TickState, i: usize) {
        let (centre, reach) = self.circle(state, i);
        let end = self.window[1];
        let Self {
            memory: Memory { queue, overflow, overflow_circles, neighbours, heap, .. },
            grid,
            terrain,
            simd,
            ..
        } = self;
        neighbours.clear();
        grid.list_overlapping(*simd, centre, reach, neighbours);
        overflow_circles.for_each_overlapping(*simd, centre, reach, |at| neighbours.push(overflow[at]));
        for &j in &*neighbours {
            if j as usize != i {
                predict_pair(queue, heap, state, end, [i, j as usize]);
            }
        }
        let stamp = state.particles[i].stamp;
        terrain.for_each_overlapping(state.reach(i, Bounds::around(centre, reach)), |piece| {
            predict_terrain(queue, state, end, i, piece.into(), stamp);
        });
        state.for_each_pocket(Bounds::around(centre, reach), |pocket| {
            predict_terrain(queue, state, end, i, pocket, stamp);
        });
        state.for_each_moving(i, Bounds::around(centre, reach), |part| {
            predict_terrain(queue, state, end, i, part, stamp);
        });
        if state.is_above(i) {
            predict_terrain(queue, state, end, i, Partner::SUPPORT, stamp);
        }
    }

    /// Inserts the new path of a disc.
    #[inline(always)]
    fn update_circle(&mut self, state: &TickState, i: u32) {
        let (centre, reach) = self.circle(state, i as usize);
        let Memory { overflow, overflow_circles, .. } = &mut *self.memory;
        let listed = overflow.iter().position(|&other| other == i);
        if listed.is_none() && self.grid.update_circle(i, centre, reach) {
            return;
        }
        let at = listed.unwrap_or_else(|| {
            overflow.push(i);
            overflow.len() - 1
        });
        overflow_circles.put(at, centre, reach);
    }
}

impl<W: SimdWidth> Scheduler for GridScheduler<'_, W> {
    #[inline(always)]
    fn next(&mut self, state: &TickState, until: f64) -> Option<Impact> {
        loop {
            // Listing discs separately pays only for a few of them.
            let crowded = self.memory.overflow.len() > 64 + state.particles.len() / 64;
            let Some(event) = self.memory.queue.pop().filter(|_| !crowded) else {
                let start = if crowded { self.memory.queue.now() } else { self.window[1] };
                if start >= state.end || start > until {
                    return None;
                }
                self.open_window(state, start);
                continue;
            };
            if event.impact.time > until {
                self.memory.queue.push(event);
                return None;
            }
            if event.comes_true(state) {
                self.eventful = true;
                return Some(event.impact);
            }
        }
    }

    #[inline(always)]
    fn reschedule(&mut self, state: &TickState, indices: &[u32]) {
        for &i in indices {
            self.update_circle(state, i);
        }
        for &i in indices {
            self.predict(state, i as usize);
        }
    }

    fn reschedule_block(&mut self, state: &TickState, block: u32) {
        let Some(Bounds { low, high }) = state.moving.bounds_of_block(block) else { return };
        let (centre, reach) = ((low + high) * 0.5, 0.5 * (high - low).length());
        let mut near = Vec::new();
        self.grid.list_overlapping(self.simd, centre, reach, &mut near);
        let Memory { overflow, overflow_circles, .. } = &*self.memory;
        overflow_circles.for_each_overlapping(self.simd, centre, reach, |at| near.push(overflow[at]));
        near.sort_unstable();
        near.dedup();
        for i in near {
            let (centre, reach) = self.circle(state, i as usize);
            let bounds = Bounds::around(centre, reach);
            let (queue, stamp) = (&mut self.memory.queue, state.particles[i as usize].stamp);
            state.moving.for_each_part_of(block, i as usize, bounds, |part| {
                predict_terrain(queue, state, self.window[1], i as usize, Partner::of_moving(part), stamp);
            });
        }
    }

    fn near_pairs(&self, _: &TickState, mut visit: impl FnMut(usize, usize)) {
        for &[a, b] in &self.memory.pairs {
            visit(a as usize, b as usize);
        }
    }

    fn neighbours(&self, state: &TickState, disc: usize, indices: &mut Vec<u32>) {
        let (centre, reach) = self.circle(state, disc);
        self.grid.list_overlapping(self.simd, centre, reach, indices);
        self.memory
            .overflow_circles
            .for_each_overlapping(self.simd, centre, reach, |at| indices.push(self.memory.overflow[at]));
        indices.retain(|&other| !self.memory.heap.go_through(disc, other as usize));
    }
}

/// Predicts when two discs collide.
#[inline(always)]
fn predict_pair(queue: &mut EventQueue, heap: &Heap, state: &TickState, end: f64, [i, j]: [usize; 2]) {
    let (a, b) = if j < i { (j, i) } else { (i, j) };
    let time = state.pair_time_of_impact(a, b);
    if time <= end && !heap.go_through(a, b) && state.meet(a, b) && !state.go_through(a, b) {
        let impact = Impact { time, disc: a as u32, partner: Partner::of_disc(b as u32) };
        queue.push(Event { impact, stamps: [state.particles[a].stamp, state.particles[b].stamp] });
    }
}

/// Predicts when a disc hits a piece of terrain, enters a pocket or lands.
fn predict_terrain(queue: &mut EventQueue, state: &TickState, end: f64, i: usize, partner: Partner, stamp: u32) {
    let time = state.time_of_impact_with(i, partner);
    if time <= end && !state.is_kinematic(i) {
        let impact = Impact { time, disc: i as u32, partner };
        let of_block = partner.moving().map_or(0, |part| state.moving.stamp(part));
        queue.push(Event { impact, stamps: [stamp, of_block] });
    }
}

/// The length of a window, seconds: at most the tick.
fn window(state: &TickState) -> f64 {
    let count = state.particles.len() as f64;
    let (mut square, mut radius) = (0.0, 0.0);
    let (mut low, mut high) = (bevy::math::DVec2::INFINITY, bevy::math::DVec2::NEG_INFINITY);
    for particle in &*state.particles {
        square += particle.velocity.length_squared();
        radius += particle.radius;
        (low, high) = (low.min(particle.position), high.max(particle.position));
    }
    let speed = (square / count).sqrt();
    let spacing = ((high - low).element_product() / count).sqrt();
    let path = WINDOW * (radius / count).max(0.25 * spacing);
    if speed * state.end <= path { state.end } else { (path / speed).max(state.end / MAX_WINDOWS) }
}
