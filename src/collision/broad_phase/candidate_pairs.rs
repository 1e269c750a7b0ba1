//! Candidate pairs of the stepped mode, and when to update them.
//!
//! The broad phase gives every disc a circle around the positions that it may reach. Two discs whose circles overlap
//! are a candidate pair. While every disc stays within its circle, the candidates include all pairs that overlap. A
//! disc that leaves its circle gets a new one. This covers every cause of motion: a hit that speeds a disc up within
//! the tick, a push, another system.
//!
//! In resting piles hardly anything moves, and the circles stay valid from tick to tick. The size of the circles never
//! affects a result, only the number of pairs that are tested without effect. Overlapping pairs are resolved in a
//! separate order.

use bevy::prelude::*;

use super::{
    SUPPORTING,
    grid::{Grid, Lookahead, NewCircle, PairsAcross, cut_short},
};
use crate::collision::{
    discs::Discs,
    periodic::Cell,
    settings::CollisionSettings,
    shape::rounding::ROUNDING,
    simd::{
        Kernel, SimdLevel, SimdWidth,
        kernels::{WIDE, each_bit, filled},
        min, not_within,
    },
    threads::Threads,
};

// The seven constants below change no result, only the time of the broad phase. The first two follow from the rounding
// of lengths. The other five were tuned by hand with `benches/tick.rs`; no table of the runs was kept.

/// The factor by which a circle exceeds what it must contain. It covers [`TOLERANCE`] and the rounding of the distance
/// between two centres.
const PADDING: f32 = 1.0 + 4.0 * ROUNDING;

/// A disc counts as within its circle up to this share of the circle's radius.
const TOLERANCE: f32 = 1.0 - 2.0 * ROUNDING;

/// Upper bound of the path that a circle allows for, in radii of its disc. It limits the size of a cell, which is that
/// of the largest circle. A faster disc leaves its circle and is inserted again.
const MAX_PATH: f32 = 0.7;

/// Lower bound of the path that a circle allows for, in radii of its disc. Forces move even a disc at rest, which would
/// otherwise be inserted again in every substep.
const MIN_PATH: f32 = 0.02;

/// The same for scenes where piles may rest. A pile creeps for seconds while it settles; as long as its discs stay
/// within their circles, its pairs do not change between ticks.
const MIN_PATH_IN_PILES: f32 = 0.08;

/// The allowance for a disc that speeds up by a hit: this share of the path at the typical speed in the rest of the
/// tick.
const HIT_PATH: f32 = 0.9;

/// Upper bound of the same, as a share of the path at the typical speed in a whole tick. With many substeps few discs
/// are hit early, and inserting those again costs less than larger circles for all.
const MAX_HIT_PATH: f32 = 0.45;

/// The state of the circles. It never affects a result.
#[derive(Clone, Debug, Default)]
pub struct CandidatePairs {
    /// How much farther than by their speeds discs moved in this tick, metres.
    slack: f32,
    /// The share of its radius that every disc reaches at least.
    radius_scale: f32,
    /// The discs found outside their circles.
    pub outside: Vec<u32>,
    /// Their new circles.
    new_circles: Vec<NewCircle>,
    /// Whether `Settle` asks for pairs before `Integrate` has checked all discs again.
    settles: bool,
    /// The number of discs with circles.
    pub disc_count: usize,
    /// The number of pairs when the list was last rebuilt.
    found: usize,
    /// Whether some pairs may be missing because too many discs are in one spot.
    heaped: bool,
    /// How often the list of pairs was rebuilt. Between rebuilds it only grows.
    pub generation: u64,
}

/// The candidate pairs of a tick, and the grid that finds them.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    pub grid: Grid,
    /// Pairs of discs, the lower index first. They include all pairs that overlap.
    pub pairs: Vec<[u32; 2]>,
    pub candidates: CandidatePairs,
}

/// The input of the search of the broad phase.
#[derive(Clone, Copy)]
pub struct Sought<'a> {
    pub discs: &'a Discs,
    /// The length of the tick, seconds.
    pub time_step: f32,
    /// The time that has passed in the tick, seconds.
    pub now: f32,
    pub simd: SimdLevel,
    pub threads: Threads,
    pub cell: Option<Cell>,
}

impl BroadPhase {
    /// Finds the candidate pairs for the rest of the tick. The search is centred on the positions of the discs in
    /// `first` seconds. Pairs are candidates up to a distance of `radius_scale` times the sum of their radii.
    pub fn find_pairs(&mut self, sought: Sought, first: f32, radius_scale: f32) {
        let (Self { grid, pairs, candidates }, Sought { discs, time_step, now, simd, threads, cell }) = (self, sought);
        let rest = (time_step - now - first).max(0.0);
        candidates.radius_scale = radius_scale * PADDING;
        candidates.outside.clear();
        candidates.generation += 1;
        candidates.disc_count = discs.len();
        if discs.is_empty() {
            pairs.clear();
            return;
        }
        // Discs that are hit in the meantime reach about the speed of the others.
        let exchanged = typical_speed(discs) * min(HIT_PATH * rest, MAX_HIT_PATH * time_step);
        let (slack, radius_scale) = (candidates.slack + exchanged, candidates.radius_scale + candidates.min_path());
        // Half of the path is before its middle and half after.
        let half = 0.5 * rest;
        // If nothing moves before the pairs are used, they are those of the current positions.
        let holds_present = first == 0.0;
        let first = first + half;
        let lookahead = Lookahead { first, rest: half, slack, radius_scale, most: MAX_PATH, holds_present };
        grid.fill(discs, lookahead, simd, threads);
        let mut heaped = grid.pairs(simd, threads, pairs);
        if let Some(cell) = cell {
            heaped |= simd.run(PairsAcross { grid, cell, discs: None, pairs });
        }
        keep_those_that_meet(discs, pairs, 0);
        candidates.found = pairs.len();
        candidates.heaped = heaped;
    }

    /// Updates the candidate pairs for the current positions, given the discs that may have left their circles.
    pub fn update_pairs(&mut self, sought: Sought) {
        let discs = sought.discs;
        let radius_scale = self.candidates.radius_scale();
        if self.candidates.disc_count != discs.len() {
            // A system between the steps has added or removed discs.
            return self.find_pairs(sought, 0.0, radius_scale);
        }
        // A disc in a pocket has no position and collides with nothing.
        self.candidates.outside.retain(|&disc| !discs.position[disc as usize].is_nan());
        self.candidates.drop_those_inside(discs, &self.grid);
        self.reinsert(sought);
    }

    /// Gives a new circle to every disc that may have left its own.
    fn reinsert(&mut self, sought: Sought) {
        let Sought { discs, time_step, now, simd, cell, .. } = sought;
        let many = self.candidates.outside.len();
        if many == 0 {
            return;
        }
        let radius_scale = self.candidates.radius_scale();
        if is_many(many, discs.len()) {
            self.candidates.widen(discs, &self.grid, cell);
            self.find_pairs(sought, 0.0, radius_scale);
        } else {
            let rest = (time_step - now).max(0.0);
            let Self { grid, pairs, candidates } = self;
            let known = pairs.len();
            simd.run(Reinsert { discs, grid, pairs, candidates, rest });
            if let Some(cell) = cell {
                let discs = Some(&candidates.outside[..]);
                candidates.heaped |= simd.run(PairsAcross { grid, cell, discs, pairs });
            }
            keep_those_that_meet(discs, pairs, known);
            if grid.has_too_many_refiled() {
                self.find_pairs(sought, 0.0, radius_scale);
            }
        }
        self.candidates.outside.clear();
    }

    /// The candidate pairs at the start of a tick in which piles may rest: those of the last tick, if hardly anything
    /// has moved since.
    pub fn find_pairs_of_piles(&mut self, sought: Sought) {
        let Sought { discs, time_step, simd, .. } = sought;
        let (Self { grid, pairs, candidates }, count) = (&mut *self, discs.len());
        let kept = candidates.disc_count == count
            && candidates.radius_scale() == SUPPORTING
            && !candidates.heaped
            && pairs.len() <= candidates.found + candidates.found / 8;
        if !kept {
            return self.find_pairs(sought, 0.0, SUPPORTING);
        }
        candidates.find_leaving(discs, grid, simd, time_step);
        // For a pile, a single disc inserted in the middle of a tick costs as much as many at its start.
        if candidates.outside.len() > 8 + count / 128 {
            self.find_pairs(sought, 0.0, SUPPORTING);
        } else {
            self.reinsert(sought);
        }
    }

    /// Marks discs that were pushed after `Integrate`: they may have left their circles.
    pub fn pushed_later(&mut self, indices: impl IntoIterator<Item = u32>, discs: &Discs) {
        if self.candidates.settles {
            indices.into_iter().for_each(|disc| self.pushed(disc, discs));
        }
    }

    /// Marks a disc that was pushed: it may have left its circle.
    pub fn pushed(&mut self, disc: u32, discs: &Discs) {
        let Self { grid, candidates, .. } = self;
        if candidates.disc_count == discs.len() && candidates.is_outside(disc, discs, grid) {
            candidates.outside.push(disc);
        }
    }
}

/// Removes the pairs from `first` on whose discs do not collide.
fn keep_those_that_meet(discs: &Discs, pairs: &mut Vec<[u32; 2]>, first: usize) {
    if discs.filter.is_empty() {
        return;
    }
    let mut kept = first;
    for at in first..pairs.len() {
        let [a, b] = pairs[at];
        if discs.filter.meet(a as usize, b as usize) {
            pairs[kept] = pairs[at];
            kept += 1;
        }
    }
    pairs.truncate(kept);
}

/// Finds the discs that may leave the circles of the grid by their speed within `time` seconds.
struct FindLeaving<'a> {
    discs: &'a Discs,
    centre: &'a [Vec2],
    reach: &'a [f32],
    radius_scale: f32,
    time: f32,
    leaving: &'a mut Vec<u32>,
}

impl Kernel for FindLeaving<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { discs: Discs { position, velocity, radius, .. }, centre, reach, radius_scale, time, leaving } = self;
        leaving.clear();
        let moving = position.chunks(WIDE).zip(velocity.chunks(WIDE));
        let circles = centre.chunks(WIDE).zip(reach.chunks(WIDE).zip(radius.chunks(WIDE)));
        for (first, ((position, velocity), (centre, (reach, radius)))) in (0..).step_by(WIDE).zip(moving.zip(circles)) {
            let there = u32::MAX >> (32 - position.len());
            let squared = simd.distances_squared(&filled(position), &filled(centre));
            let speed = simd.sqrt(simd.distances_squared(&[Vec2::ZERO; WIDE], &filled(velocity)));
            let allowed = allowed(simd, [&filled(radius), &filled(reach)], radius_scale);
            let allowed = simd.sub(allowed, simd.mul(speed, simd.splat(time)));
            each_bit(not_within(simd, [squared; 2], allowed) & there, |k| leaving.push(first + k));
        }
    }
}

impl CandidatePairs {
    /// Discards everything known about the discs.
    pub fn forget(&mut self) {
        self.disc_count = usize::MAX;
    }

    /// Discards what it has learned, at the start of a tick. For a heap in one spot not all pairs are found, and the
    /// choice must depend on the discs alone.
    pub fn begin_tick(&mut self, settings: &CollisionSettings) {
        self.slack = 0.0;
        self.settles = settings.resting_speed > 0.0;
    }

    /// The smallest distance that a circle allows a disc to move from its centre, in radii.
    fn min_path(&self) -> f32 {
        if self.settles { MIN_PATH_IN_PILES } else { MIN_PATH }
    }

    /// Learns from the discs outside their circles how much larger those should have been.
    fn widen(&mut self, discs: &Discs, grid: &Grid, cell: Option<Cell>) {
        let (centres, _) = grid.circles();
        let way = |&i: &u32| {
            let way = discs.position[i as usize] - centres[i as usize];
            f64::from(cell.map_or(way, |cell| cell.nearest(way)).length())
        };
        let mean = self.outside.iter().map(way).sum::<f64>() / self.outside.len() as f64;
        if mean.is_finite() {
            self.slack = (self.slack + 2.0 * mean as f32).min(crate::collision::LIMIT);
        }
    }

    /// The share of its radius that every disc reaches at least.
    pub fn radius_scale(&self) -> f32 {
        self.radius_scale / PADDING
    }

    /// Lists the discs that may leave their circles within `time` seconds at their current speeds.
    fn find_leaving(&mut self, discs: &Discs, grid: &Grid, simd: SimdLevel, time: f32) {
        let (centre, reach) = grid.circles();
        let radius_scale = self.radius_scale();
        simd.run(FindLeaving { discs, centre, reach, radius_scale, time, leaving: &mut self.outside });
    }

    /// Removes from `outside` duplicates, and discs that are within their circles by now. Needed only if steps other
    /// than `Integrate` add discs to it.
    fn drop_those_inside(&mut self, discs: &Discs, grid: &Grid) {
        if self.settles {
            let mut outside = std::mem::take(&mut self.outside);
            outside.sort_unstable();
            outside.dedup();
            outside.retain(|&disc| self.is_outside(disc, discs, grid));
            self.outside = outside;
        }
    }

    /// Whether a disc is outside its circle.
    fn is_outside(&self, disc: u32, discs: &Discs, grid: &Grid) -> bool {
        let (i, (centre, reach)) = (disc as usize, grid.circles());
        let allowed = reach[i] * TOLERANCE - discs.radius[i] * self.radius_scale();
        !(allowed >= 0.0 && discs.position[i].distance_squared(centre[i]) <= allowed * allowed)
    }
}

/// Whether so many discs are outside their circles that all get new ones: inserting one disc takes several times as
/// long as filling the grid takes per disc.
fn is_many(outside: usize, count: usize) -> bool {
    outside > 64 + count / 8
}

/// The root mean square speed of some of the discs, m/s.
fn typical_speed(discs: &Discs) -> f32 {
    /// The number of sampled discs: enough for a mean within about 10 %.
    const SAMPLES: usize = 64;
    let some = discs.velocity.iter().step_by(discs.len().div_ceil(SAMPLES));
    let (sum, count) = some.fold((0.0_f64, 0.0), |(sum, count), v| (sum + v.as_dvec2().length_squared(), count + 1.0));
    (sum / count).sqrt() as f32
}

/// The discs outside their circles, as bits; `circles` are the radii and the reaches.
#[inline(always)]
pub fn outside<W: SimdWidth>(
    simd: W,
    position: &[Vec2; WIDE],
    centre: &[Vec2; WIDE],
    circles: [&[f32; WIDE]; 2],
    radius_scale: f32,
) -> u32 {
    let squared = simd.distances_squared(position, centre);
    not_within(simd, [squared; 2], allowed(simd, circles, radius_scale))
}

/// How far discs may move from the centres of their circles, metres; `circles` are the radii and the reaches.
#[inline(always)]
fn allowed<W: SimdWidth>(simd: W, circles: [&[f32; WIDE]; 2], radius_scale: f32) -> W::Floats {
    let (kept, radius_scale) = (simd.splat(TOLERANCE), simd.splat(radius_scale));
    let (radius, reach) = (simd.load(circles[0]), simd.load(circles[1]));
    simd.sub(simd.mul(reach, kept), simd.mul(radius, radius_scale))
}

/// Gives every disc that has left its circle a new one, and finds its pairs.
struct Reinsert<'a> {
    discs: &'a Discs,
    grid: &'a mut Grid,
    pairs: &'a mut Vec<[u32; 2]>,
    candidates: &'a mut CandidatePairs,
    /// The rest of the tick, seconds.
    rest: f32,
}

impl Kernel for Reinsert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { discs, grid, pairs, candidates, rest } = self;
        let min_path = candidates.min_path();
        let CandidatePairs { slack, radius_scale, outside, new_circles, heaped, .. } = candidates;
        new_circles.clear();
        let half = 0.5 * rest;
        for &disc in &*outside {
            let i = disc as usize;
            let (velocity, radius) = (discs.velocity[i], discs.radius[i]);
            let path = velocity.length_squared().sqrt() * half + *slack;
            let reach = (radius * (*radius_scale + min_path) + min(path, radius * MAX_PATH)) * PADDING;
            let way = cut_short(velocity * half, reach - radius * *radius_scale);
            let centre = discs.position[i] + way;
            new_circles.push(NewCircle { disc, centre, reach });
        }
        *heaped |= grid.refile(simd, new_circles, pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::discs::DiscState;

    /// Discs of several sizes, with speeds from zero to absurd, in all directions.
    fn discs() -> Discs {
        let mut discs = Discs::default();
        for k in 0..600_u16 {
            let (speed, turn) = (if k % 7 == 0 { 0.0 } else { 1e-4 * ops::powf(1.04, f32::from(k)) }, f32::from(k));
            discs.push(DiscState {
                position: Vec2::new(f32::from(k % 25), f32::from(k / 25)),
                velocity: Vec2::from_angle(turn) * speed,
                radius: 0.01 * f32::from(1 + k % 50),
                ..DiscState::default()
            });
        }
        discs
    }

    #[test]
    fn circles_hold_their_discs_as_soon_as_they_are_found_however_fast_those_are() {
        let discs = discs();
        for (now, settles) in [(0.0, false), (0.0, true), (0.01, true)] {
            for simd in SimdLevel::available() {
                let (time_step, threads) = (1.0 / 60.0, Threads::Tasks(2));
                let sought = Sought { discs: &discs, time_step, now, simd, threads, cell: None };
                let mut broad_phase = BroadPhase::default();
                broad_phase.candidates.settles = settles;
                broad_phase.find_pairs(sought, 0.0, SUPPORTING);
                let is_outside = |broad_phase: &BroadPhase| {
                    let BroadPhase { grid, candidates, .. } = broad_phase;
                    (0..discs.len() as u32).filter(|&disc| candidates.is_outside(disc, &discs, grid)).count()
                };
                assert_eq!(is_outside(&broad_phase), 0);
                // The same with a new circle for each.
                broad_phase.candidates.outside = (0..60).map(|k| 10 * k).collect();
                simd.run(Reinsert {
                    discs: &discs,
                    grid: &mut broad_phase.grid,
                    pairs: &mut broad_phase.pairs,
                    candidates: &mut broad_phase.candidates,
                    rest: time_step - now,
                });
                assert_eq!(is_outside(&broad_phase), 0);
            }
        }
    }
}
