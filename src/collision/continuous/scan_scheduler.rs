//! The scheduler for few discs: every disc keeps its next impact, and the earliest is found by checking each. Discs too
//! far away to be hit within the tick are excluded sixteen at a time.

use bevy::math::DVec2;

use crate::collision::{
    broad_phase::circles::Circles,
    continuous::{
        Scheduler,
        particles::{Impact, Partner},
        tick_state::TickState,
    },
    shape::time_of_impact::NEVER,
    simd::SimdWidth,
    terrain::index::TerrainIndex,
};

/// Memory that is reused between ticks.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub(super) circles: Circles,
    next: Vec<Next>,
}

/// The next impact of a disc.
#[derive(Clone, Copy, Debug)]
struct Next {
    time: f64,
    partner: Partner,
}

impl Next {
    const NONE: Self = Self { time: NEVER, partner: Partner::NONE };

    /// Replaces it by an earlier impact.
    #[inline(always)]
    fn take(&mut self, time: f64, partner: Partner) {
        if time < self.time || (time == self.time && partner < self.partner) {
            *self = Self { time, partner };
        }
    }
}

/// The flat scan.
pub(super) struct ScanScheduler<'a, W> {
    simd: W,
    circles: &'a mut Circles,
    next: &'a mut [Next],
    terrain: &'a TerrainIndex,
}

impl<'a, W: SimdWidth> ScanScheduler<'a, W> {
    /// Starts a tick: `memory` holds the circles of all discs.
    #[inline(always)]
    pub(super) fn begin(simd: W, memory: &'a mut Memory, terrain: &'a TerrainIndex, state: &TickState) -> Self {
        let Memory { circles, next } = memory;
        next.clear();
        next.resize(state.particles.len(), Next::NONE);
        let mut scan_scheduler = Self { simd, circles, next, terrain };
        for i in 0..state.particles.len() {
            let moves = state.particles[i].velocity != DVec2::ZERO;
            if moves
                || state.is_above(i)
                || state.lies_in_pocket(i)
                || state.moving.is_near(scan_scheduler.circles.bounds(i))
            {
                scan_scheduler.predict(state, i);
            }
        }
        scan_scheduler
    }

    /// Predicts the impacts of a disc, for it and for the discs that it hits.
    #[inline(always)]
    fn predict(&mut self, state: &TickState, i: usize) {
        let Self { simd, circles, next, terrain } = self;
        circles.for_each_overlapping_circle(*simd, i, |j| {
            let time = state.pair_time_of_impact(i, j);
            if time <= state.end && state.meet(i, j) && !state.go_through(i, j) {
                next[i].take(time, Partner::of_disc(j as u32));
                next[j].take(time, Partner::of_disc(i as u32));
            }
        });
        if state.is_kinematic(i) {
            return;
        }
        terrain.for_each_overlapping(state.reach(i, circles.bounds(i)), |piece| {
            let piece = piece.into();
            let time = state.time_of_impact_with(i, piece);
            if time <= state.end {
                next[i].take(time, piece);
            }
        });
        state.for_each_pocket(circles.bounds(i), |pocket| {
            let time = state.time_of_impact_with(i, pocket);
            if time <= state.end {
                next[i].take(time, pocket);
            }
        });
        state.for_each_moving(i, circles.bounds(i), |part| {
            let time = state.time_of_impact_with(i, part);
            if time <= state.end {
                next[i].take(time, part);
            }
        });
        if state.is_above(i) {
            let time = state.support_time(i);
            if time <= state.end {
                next[i].take(time, Partner::SUPPORT);
            }
        }
    }
}

impl<W: SimdWidth> Scheduler for ScanScheduler<'_, W> {
    #[inline(always)]
    fn next(&mut self, state: &TickState, until: f64) -> Option<Impact> {
        let mut first = Impact { time: NEVER, disc: 0, partner: Partner::NONE };
        for (i, next) in self.next.iter().enumerate() {
            if next.time < first.time {
                first = Impact { time: next.time, disc: i as u32, partner: next.partner };
            }
        }
        (first.time <= state.end && first.time <= until).then_some(first)
    }

    #[inline(always)]
    fn reschedule(&mut self, state: &TickState, indices: &[u32]) {
        for &i in indices {
            let i = i as usize;
            let particle = &state.particles[i];
            let path = (particle.velocity.length_squared().sqrt() * (state.end - particle.time)) as f32;
            self.circles.set(i, particle.position.as_vec2().to_array(), particle.radius as f32, path);
            self.next[i] = Next::NONE;
        }
        // Discs whose next impact was with one of them need a new one.
        for i in 0..self.next.len() {
            if self.next[i].partner.disc().is_some_and(|other| indices.contains(&other)) {
                self.next[i] = Next::NONE;
                self.predict(state, i);
            }
        }
        for &i in indices {
            self.predict(state, i as usize);
        }
    }

    fn reschedule_block(&mut self, state: &TickState, block: u32) {
        for i in 0..self.next.len() {
            if state.is_kinematic(i) {
                continue;
            }
            if self.next[i].partner.moving().is_some_and(|part| state.moving.block_of(part) == Some(block)) {
                self.next[i] = Next::NONE;
                self.predict(state, i);
            } else {
                state.moving.for_each_part_of(block, i, self.circles.bounds(i), |part| {
                    let partner = Partner::of_moving(part);
                    let time = state.time_of_impact_with(i, partner);
                    if time <= state.end {
                        self.next[i].take(time, partner);
                    }
                });
            }
        }
    }

    #[inline(always)]
    fn near_pairs(&self, _: &TickState, mut visit: impl FnMut(usize, usize)) {
        for i in 0..self.next.len() {
            self.circles.for_each_overlapping_circle(self.simd, i, |j| {
                if i < j {
                    visit(i, j);
                }
            });
        }
    }

    fn neighbours(&self, _: &TickState, disc: usize, indices: &mut Vec<u32>) {
        self.circles.for_each_overlapping_circle(self.simd, disc, |j| indices.push(j as u32));
    }
}
