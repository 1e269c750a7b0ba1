//! Takes over the pairs of the broad phase: all of them at the start of a tick, later those found in the meantime.

use bevy::prelude::*;

use crate::collision::{
    discs::Discs,
    resting::{
        pairs::Measure,
        state::{Resting, RestingTick},
        tops::FindTops,
    },
    simd::{SimdLevel, kernels::WIDE},
};

/// The largest number of pairs found in the middle of a tick that are inserted one by one. Beyond it, the whole list is
/// sorted again. Chosen by hand; no measurement was kept.
pub const MAX_INSERTED: usize = 64;

impl Resting {
    /// Takes over the pairs of a new tick.
    pub fn begin_tick(&mut self, number: u64, discs: &Discs, pairs: &[[u32; 2]], simd: SimdLevel) {
        let Self { tick, order, sleep, limits, .. } = self;
        (tick.number, tick.substeps) = (number, 0);
        tick.height.clear();
        tick.height.extend(discs.position.iter().map(|position| position.dot(limits.up)));
        if order.is_of(&tick.height, discs, pairs) {
            tick.pairs.take(&order.pairs);
        } else {
            order.sort(&tick.height, pairs);
            tick.pairs.take(&order.pairs);
            tick.tops.clone_from(&tick.height);
            simd.run(FindTops {
                pairs: &tick.pairs,
                discs,
                cell: limits.cell,
                rows: &mut tick.measures,
                tops: &mut tick.tops,
            });
            // Only a pile in which nothing moves can be unchanged in the next tick.
            if !sleep.still.is_empty() && !sleep.still.contains(&false) {
                order.record_source(&tick.height, discs, pairs);
            }
        }
        self.measure(discs, simd);
    }

    /// Takes over all pairs in order, in the middle of a tick.
    pub fn take_all(&mut self, pairs: &[[u32; 2]]) {
        self.order.sort(&self.tick.height, pairs);
        self.tick.pairs.take(&self.order.pairs);
    }

    /// Computes the values that are constant within the tick.
    pub fn measure(&mut self, discs: &Discs, simd: SimdLevel) {
        let RestingTick { height, tops, measures, pairs, .. } = &mut self.tick;
        measures.clear();
        let columns = height.iter().zip(tops).zip(discs.radius.iter().zip(&discs.mass));
        measures.extend(columns.map(|((height, top), (radius, mass))| [*height, *top, *radius, *mass]));
        let blocks = 0..pairs.block_count();
        simd.run(Measure { pairs, blocks, measures, limits: self.limits });
    }

    /// Inserts a few more pairs at their places.
    pub fn insert(&mut self, pairs: &[[u32; 2]], simd: SimdLevel) {
        let Self { tick: RestingTick { height, measures, pairs: known, .. }, sleep, order, limits, .. } = self;
        let mut new = Vec::new();
        for &[a, b] in pairs {
            let (i, j) = (a as usize, b as usize);
            if sleep.holds(i, j) {
                continue;
            }
            let pair = if height[j] < height[i] { [b, a] } else { [a, b] };
            let key = order.key(pair);
            if let Err(place) = known.lower_upper().binary_search_by_key(&key, |&pair| order.key(pair)) {
                new.push((place, pair));
            }
        }
        new.sort_unstable_by_key(|&(_, pair)| order.key(pair));
        new.dedup();
        known.insert(&new);
        for (before, &(place, _)) in new.iter().enumerate() {
            let at = (place + before) / WIDE;
            simd.run(Measure { pairs: known, blocks: at..at + 1, measures, limits: *limits });
        }
    }

    /// Adds to the pairs for `PushApart` those that were found only after all discs had moved, overlap by now, and
    /// approached too fast to be at rest. So the time at which a pair was found makes no difference.
    pub fn add_new_impacts(&mut self, discs: &Discs, pairs: &[[u32; 2]], generation: u64) {
        let Self { tick: RestingTick { taken, .. }, substep, sleep, order, limits, .. } = self;
        let (before, impacting) = (&substep.before, &mut substep.impacting);
        let new = if taken.generation == generation { pairs.get(taken.count..).unwrap_or(&[]) } else { pairs };
        if before.len() != discs.len() || new.is_empty() {
            return;
        }
        let known = impacting.len();
        impacting.extend(new.iter().filter(|&&[a, b]| {
            let (i, j) = (a as usize, b as usize);
            let sum = discs.radius[i] + discs.radius[j];
            let (vx, vy) = (before[j][2] - before[i][2], before[j][3] - before[i][3]);
            let slow = vx * vx + vy * vy < limits.resting_squared;
            let line = discs.position[i] - discs.position[j];
            let line = limits.cell.map_or(line, |cell| cell.nearest(line));
            line.length_squared() < sum * sum && !slow && !sleep.holds(i, j)
        }));
        if impacting.len() > known {
            impacting.sort_unstable_by_key(|&pair| order.key(pair));
            impacting.dedup();
        }
    }
}
