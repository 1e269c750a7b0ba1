//! The scheduler for periodic edges: cells at least as wide as the largest disc, a whole number of them per period,
//! with each disc in one of them.
//!
//! A disc is tested against those in its cell and in the eight around it, across an edge if necessary. When it crosses
//! into the next cell, it is tested against the discs that are new to it. So no path is too long. A disc that circles
//! the torus many times in a tick hits everything on its way. Where it crosses an edge, it is moved to the other side
//! and everything is predicted again.
//!
//! Sources: Alder and Wainwright 1959; Rapaport, "The event scheduling problem in molecular dynamic simulation", 1980.

use bevy::math::DVec2;

use super::{
    Scheduler,
    event_queue::{Event, EventQueue},
    grid_scheduler::padded,
    particles::{Crossing, Impact, Meets, Partner},
    tick_state::TickState,
};
use crate::{
    collision::{periodic::Cell, shape::Bounds, terrain::index::TerrainIndex},
    components::LIMIT,
};

/// The target number of cells per disc.
const CELLS_PER_DISC: f64 = 1.0;

/// The largest number of cells along an axis.
const MAX_CELLS: f64 = 4096.0;

const NOBODY: u32 = u32::MAX;

/// Memory that is reused between ticks.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    queue: EventQueue,
    /// The first disc of each cell, row by row.
    first: Vec<u32>,
    /// The next disc in its cell and the one before, for each disc.
    next: Vec<u32>,
    before: Vec<u32>,
    /// The column and the row of each disc.
    place: Vec<[u32; 2]>,
}

/// The cells along an axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: f64,
    side: f64,
    count: u32,
    /// The period, metres; `None` if the axis is not periodic: its outermost cells are unbounded.
    period: Option<f64>,
}

impl Axis {
    /// Cells of about this side along an axis on which the discs are between two coordinates.
    fn new(period: Option<[f64; 2]>, [low, high]: [f64; 2], side: f64) -> Self {
        let [low, size] = period.unwrap_or([low, high - low]);
        let count = (size / side).floor().clamp(1.0, MAX_CELLS);
        Self { low, side: size / count, count: count as u32, period: period.map(|[_, size]| size) }
    }

    fn cell_of(&self, at: f64) -> u32 {
        // A negative number becomes zero.
        (((at - self.low) / self.side) as u32).min(self.count - 1)
    }

    /// The neighbour of a cell on one side (1 or -1), or itself (0), and the shift at which its content is seen,
    /// metres; `None` if there is none.
    fn neighbour(&self, cell: u32, step: i32) -> Option<(u32, f64)> {
        let to = i64::from(cell) + i64::from(step);
        if (0..i64::from(self.count)).contains(&to) {
            return Some((to as u32, 0.0));
        }
        self.period.map(|period| (to.rem_euclid(i64::from(self.count)) as u32, period * f64::from(step)))
    }

    /// When a disc in a cell leaves it, in seconds from the start of its path.
    fn leaving(&self, cell: u32, at: f64, speed: f64) -> f64 {
        let forward = speed > 0.0;
        if speed == 0.0 || (self.period.is_none() && cell == if forward { self.count - 1 } else { 0 }) {
            return f64::INFINITY;
        }
        (self.low + f64::from(cell + u32::from(forward)) * self.side - at) / speed
    }
}

/// Cells and queue.
pub(super) struct CellScheduler<'a> {
    memory: &'a mut Memory,
    terrain: &'a TerrainIndex,
    axes: [Axis; 2],
}

impl<'a> CellScheduler<'a> {
    /// Starts a tick.
    pub(super) fn begin(memory: &'a mut Memory, terrain: &'a TerrainIndex, cell: &Cell, state: &TickState) -> Self {
        let axes = axes(cell, state);
        let count = state.particles.len();
        memory.queue.begin([0.0, state.end], count);
        memory.first.clear();
        memory.first.resize((axes[0].count * axes[1].count) as usize, NOBODY);
        memory.next.clear();
        memory.next.resize(count, NOBODY);
        memory.before.clear();
        memory.before.resize(count, NOBODY);
        memory.place.clear();
        let place = |at: DVec2| [axes[0].cell_of(at.x), axes[1].cell_of(at.y)];
        memory.place.extend(state.particles.iter().map(|particle| place(particle.position)));
        let mut scheduler = Self { memory, terrain, axes };
        // Each disc is tested against those before it.
        for i in 0..count {
            scheduler.predict_discs(state, i, None);
            scheduler.file(i as u32);
        }
        for i in 0..count {
            scheduler.predict_rest(state, i, 0.0);
        }
        scheduler
    }

    fn cell_at(&self, [column, row]: [u32; 2]) -> usize {
        (row * self.axes[0].count + column) as usize
    }

    /// Puts a disc into its cell.
    fn file(&mut self, i: u32) {
        let cell = self.cell_at(self.memory.place[i as usize]);
        let Memory { first, next, before, .. } = &mut *self.memory;
        let other = std::mem::replace(&mut first[cell], i);
        (next[i as usize], before[i as usize]) = (other, NOBODY);
        if other != NOBODY {
            before[other as usize] = i;
        }
    }

    /// Takes a disc out of its cell.
    fn take_out(&mut self, i: u32) {
        let cell = self.cell_at(self.memory.place[i as usize]);
        let Memory { first, next, before, .. } = &mut *self.memory;
        let (after, ahead) = (next[i as usize], before[i as usize]);
        if ahead == NOBODY {
            first[cell] = after;
        } else {
            next[ahead as usize] = after;
        }
        if after != NOBODY {
            before[after as usize] = ahead;
        }
    }

    /// Calls `visit` with every other disc in the nine cells around a disc, and the shift at which it is seen, metres.
    /// For a disc that has come in a direction (an axis, and 1 or -1), only with those in the three cells that are new
    /// to it. If a period has one or two cells, some discs are visited twice, with two shifts.
    fn for_each_near(&self, i: usize, came: Option<Crossing>, mut visit: impl FnMut(u32, DVec2)) {
        let [column, row] = self.memory.place[i];
        let steps = |axis: usize| match came {
            Some(Crossing { axis: along, step }) if along == axis => step..=step,
            _ => -1..=1,
        };
        for up in steps(1) {
            let Some((row, y)) = self.axes[1].neighbour(row, up) else { continue };
            for aside in steps(0) {
                let Some((column, x)) = self.axes[0].neighbour(column, aside) else { continue };
                let mut other = self.memory.first[self.cell_at([column, row])];
                while other != NOBODY {
                    if other as usize != i {
                        visit(other, DVec2::new(x, y));
                    }
                    other = self.memory.next[other as usize];
                }
            }
        }
    }

    /// Predicts which nearby discs a disc hits.
    fn predict_discs(&mut self, state: &TickState, i: usize, came: Option<Crossing>) {
        let mut queue = std::mem::take(&mut self.memory.queue);
        self.for_each_near(i, came, |j, shift| {
            let (a, b, shift) = if (j as usize) < i { (j as usize, i, -shift) } else { (i, j as usize, shift) };
            let time = state.pair_time_of_impact_across(a, b, shift);
            if time <= state.end && state.meet(a, b) && !state.go_through(a, b) {
                let impact = Impact { time, disc: a as u32, partner: Partner::of_disc(b as u32) };
                queue.push(Event { impact, stamps: [state.particles[a].stamp, state.particles[b].stamp] });
            }
        });
        self.memory.queue = queue;
    }

    /// Predicts when a disc leaves its cell, and what it hits there besides discs.
    fn predict_rest(&mut self, state: &TickState, i: usize, now: f64) {
        let particle = &state.particles[i];
        let stamps = [particle.stamp, 0];
        let place = self.memory.place[i];
        let (at, velocity) = (particle.position, particle.velocity);
        let [x, y] = [0, 1].map(|axis| self.axes[axis].leaving(place[axis], at[axis], velocity[axis]));
        let (axis, after) = if x <= y { (0, x) } else { (1, y) };
        let leaves = (particle.time + after).max(now);
        let queue = &mut self.memory.queue;
        if leaves <= state.end && state.may_cross(i) {
            let partner = Partner::of_edge(axis, velocity[axis] > 0.0);
            queue.push(Event { impact: Impact { time: leaves, disc: i as u32, partner }, stamps });
        }
        if particle.is_kinematic() {
            return;
        }
        let way = [now.max(particle.time), leaves.min(state.end)].map(|time| particle.position_at(time));
        let bounds = bounds(way, particle.radius);
        let mut predict = |partner: Partner| {
            let time = state.time_of_impact_with(i, partner);
            if time <= state.end {
                let of_block = partner.moving().map_or(0, |part| state.moving.stamp(part));
                queue.push(Event { impact: Impact { time, disc: i as u32, partner }, stamps: [stamps[0], of_block] });
            }
        };
        self.terrain.for_each_overlapping(state.reach(i, bounds), |piece| predict(piece.into()));
        state.for_each_pocket(bounds, &mut predict);
        state.for_each_moving(i, bounds, &mut predict);
        if state.is_above(i) {
            predict(Partner::SUPPORT);
        }
    }

    /// Moves a disc from its cell into the next; returns whether that is across an edge.
    fn cross(&mut self, i: u32, Crossing { axis, step }: Crossing) -> bool {
        let Some((to, shift)) = self.axes[axis].neighbour(self.memory.place[i as usize][axis], step) else {
            return false;
        };
        self.take_out(i);
        self.memory.place[i as usize][axis] = to;
        self.file(i);
        shift != 0.0
    }
}

impl Scheduler for CellScheduler<'_> {
    fn next(&mut self, state: &TickState, until: f64) -> Option<Impact> {
        loop {
            let event = self.memory.queue.pop()?;
            let Impact { time, disc, partner } = event.impact;
            if time > until {
                self.memory.queue.push(event);
                return None;
            }
            if !event.comes_true(state) {
                continue;
            }
            let Meets::Edge(crossing) = partner.meets() else { return Some(event.impact) };
            if self.cross(disc, crossing) {
                return Some(event.impact);
            }
            self.predict_discs(state, disc as usize, Some(crossing));
            self.predict_rest(state, disc as usize, time);
        }
    }

    fn reschedule(&mut self, state: &TickState, indices: &[u32]) {
        for &i in indices {
            let now = state.particles[i as usize].time;
            self.predict_discs(state, i as usize, None);
            self.predict_rest(state, i as usize, now);
        }
    }

    fn reschedule_block(&mut self, state: &TickState, block: u32) {
        for i in 0..state.particles.len() {
            let particle = &state.particles[i];
            if particle.is_kinematic() {
                continue;
            }
            let way = [particle.position, particle.position_at(state.end)];
            let queue = &mut self.memory.queue;
            state.moving.for_each_part_of(block, i, bounds(way, particle.radius), |part| {
                let partner = Partner::of_moving(part);
                let time = state.time_of_impact_with(i, partner);
                if time <= state.end {
                    let stamps = [particle.stamp, state.moving.stamp(part)];
                    queue.push(Event { impact: Impact { time, disc: i as u32, partner }, stamps });
                }
            });
        }
    }

    fn near_pairs(&self, state: &TickState, mut visit: impl FnMut(usize, usize)) {
        for i in 0..state.particles.len() {
            self.for_each_near(i, None, |j, _| {
                if i < j as usize {
                    visit(i, j as usize);
                }
            });
        }
    }

    fn neighbours(&self, _: &TickState, disc: usize, indices: &mut Vec<u32>) {
        let known = indices.len();
        self.for_each_near(disc, None, |j, _| indices.push(j));
        // If a period has one or two cells, each disc is listed more than once.
        indices[known..].sort_unstable();
        indices.dedup();
    }
}

/// The cells of a tick: none is smaller than the largest disc, and there are about as many as discs.
fn axes(cell: &Cell, state: &TickState) -> [Axis; 2] {
    let (mut low, mut high, mut largest) = (DVec2::INFINITY, DVec2::NEG_INFINITY, 0.0_f64);
    // A disc that a force has made invalid has no place.
    for particle in state.particles.iter().filter(|particle| particle.position.abs().max_element() < f64::from(LIMIT)) {
        (low, high) = (low.min(particle.position), high.max(particle.position));
        largest = largest.max(particle.radius);
    }
    // Without a valid disc any cell will do.
    if low.x > high.x {
        (low, high) = (DVec2::ZERO, DVec2::ONE);
    }
    // A cell leaves room for all rounding errors.
    let least = 2.001 * largest + 1e-6 * low.abs().max(high.abs()).max_element();
    let ends = |axis: usize| cell.axis(axis).map_or([low[axis], high[axis]], |[low, size]| [low, low + size]);
    let length = |axis: usize| (ends(axis)[1] - ends(axis)[0]).max(least);
    let wanted = CELLS_PER_DISC * state.particles.len() as f64;
    let side = (length(0) * length(1) / wanted).sqrt().max(least);
    [0, 1].map(|axis| {
        let [low, high] = ends(axis);
        Axis::new(cell.axis(axis), [low, high.max(low + least)], side)
    })
}

/// The box around a disc on a straight path.
fn bounds([from, to]: [DVec2; 2], radius: f64) -> Bounds {
    let (low, high) = (from.min(to).as_vec2(), from.max(to).as_vec2());
    let margin = padded(radius as f32, low.abs().max(high.abs()));
    Bounds::new(low, high).expanded(margin)
}
