//! Push-apart: overlapping discs are moved apart along the line of centres, each by the other's share of the mass, and
//! the contact is recorded for `Impulse`. Velocities do not change, so no kinetic energy is created. The centre of mass
//! does not move, so no potential energy is created either.
//!
//! The overlaps at the start of the step are processed once, by the indices of the discs (in a pile from the lowest to
//! the highest). Overlaps that a push creates are found by the next substep.

use bevy::prelude::*;

use super::Crowd;
use crate::collision::{
    discs::Discs,
    hit::{
        Contact,
        response::{arbitrary_normal, separation},
    },
    periodic::Cell,
    simd::{Kernel, SimdWidth, kernels::radix_sort, min},
    terrain::neighbours::{clear_box, is_clear},
    tick::{Compute, Laws},
};

/// Scratch memory: the pairs that overlap at the start of the step, and room for sorting them.
#[derive(Default)]
pub struct Overlapping {
    pairs: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

/// Finds the overlaps among the candidate pairs, pushes the discs apart if the settings say so, and records the
/// contacts.
pub fn push_apart(crowd: &mut Crowd, contacts: &mut Vec<Contact>, memory: &mut Overlapping, compute: Compute) {
    let Crowd { discs, broad_phase, resting, terrain, terrain_neighbours, laws, clock, cell, .. } = crowd;
    let Laws { settings, answers, .. } = laws;
    broad_phase.update_pairs(compute.sought(discs, clock, *cell));
    let share = if settings.push_apart { settings.push_apart_share } else { 0.0 };
    let (overlap_slop, simd) = (laws.overlap_slop(), compute.simd);
    let Overlapping { pairs: overlapping, spare } = memory;
    contacts.clear();
    terrain_neighbours.pushed.clear();
    let clear_box = clear_box(&terrain.index);
    if resting.acts {
        resting.add_new_impacts(discs, &broad_phase.pairs, broad_phase.candidates.generation);
    }
    // Resting contacts are not pushed apart.
    let pairs = if resting.acts { &resting.substep.impacting } else { &broad_phase.pairs };
    match cell {
        None => simd.run(FindOverlaps { discs, pairs, overlap_slop, overlapping }),
        Some(cell) => find_overlaps_across(cell, discs, pairs, overlap_slop, overlapping),
    }
    if !discs.kinematic.is_empty() {
        // Hits with kinematic discs are found on the path, in `Integrate`.
        overlapping.retain(|&(a, b)| !discs.is_kinematic(a as usize) && !discs.is_kinematic(b as usize));
    }
    if laws.balls_fly() && !discs.heights.is_empty() {
        // A ball in the air is above another, or hits it on its path.
        overlapping.retain(|&(a, b)| [a, b].iter().all(|&disc| discs.height_of(disc as usize).is_none()));
    }
    answers.drop_pairs(discs, *cell, overlapping);
    if overlapping.is_empty() {
        return;
    }
    if !resting.acts {
        sort(overlapping, spare, discs.len());
    }
    let Discs { id, position, velocity, radius, mass, push_budget, .. } = discs;
    let count = position.len();
    let (position, radius, mass) = (&mut position[..], &radius[..count], &mass[..count]);
    // In a heap of discs in one spot, each disc is pushed many times. One radius per substep is enough, and keeps the
    // heap from bursting through the surrounding terrain.
    push_budget.clear();
    push_budget.extend_from_slice(radius);
    for &(a, b) in &*overlapping {
        let (i, j) = (a as usize, b as usize);
        let line = position[j] - position[i];
        let line = cell.map_or(line, |cell| cell.nearest(line));
        let sum = radius[i] + radius[j];
        let squared = line.length_squared();
        if squared >= sum * sum {
            continue;
        }
        let distance = squared.sqrt();
        let normal = if distance > 0.0 { line / distance } else { arbitrary_normal(id[i], id[j]) };
        let penetration = sum - distance;
        contacts.push(Contact { a, b, normal, penetration });
        // A hit in the air is not a load: the rest of its overlap would drive the discs apart again.
        let is_load = resting.acts && {
            let is_slow = (velocity[i] - velocity[j]).dot(normal) <= settings.resting_speed;
            is_slow || [i, j].map(|i| resting.substep.is_supported(i)) == [true; 2]
        };
        let excess = penetration - if is_load { resting.load_overlap(position, radius, [i, j]) } else { 0.0 };
        if share > 0.0 && excess > 0.0 {
            let (away_a, away_b) = separation(mass[i], mass[j], excess * share);
            // As much of it as both may still move, so that the centre of mass does not move.
            let part = if away_a <= push_budget[i] && away_b <= push_budget[j] {
                1.0
            } else {
                min(min(push_budget[i] / away_a, push_budget[j] / away_b), 1.0)
            };
            push_budget[i] -= away_a * part;
            push_budget[j] -= away_b * part;
            position[i] -= normal * (away_a * part);
            position[j] += normal * (away_b * part);
        }
        // Here, where the values are at hand: the discs that `Walls` must check. The last push of each disc counts.
        for (disc, at, radius) in [(a, position[i], radius[i]), (b, position[j], radius[j])] {
            if !is_clear(clear_box, at, 2.0 * radius) {
                terrain_neighbours.pushed.push(disc);
            }
        }
    }
    broad_phase.pushed_later(contacts.iter().flat_map(|contact| [contact.a, contact.b]), discs);
}

/// Finds the pairs that overlap by more than `overlap_slop` times the smaller radius.
struct FindOverlaps<'a> {
    discs: &'a Discs,
    pairs: &'a [[u32; 2]],
    overlap_slop: f32,
    overlapping: &'a mut Vec<(u32, u32)>,
}

impl Kernel for FindOverlaps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, _: W) {
        self.overlapping.clear();
        match (self.overlap_slop == 0.0, self.same_radius()) {
            (true, false) => self.find::<false, false>(),
            (true, true) => self.find::<false, true>(),
            (false, false) => self.find::<true, false>(),
            (false, true) => self.find::<true, true>(),
        }
    }
}

/// The same across periodic edges.
fn find_overlaps_across(
    cell: &Cell,
    Discs { position, radius, .. }: &Discs,
    pairs: &[[u32; 2]],
    overlap_slop: f32,
    overlapping: &mut Vec<(u32, u32)>,
) {
    overlapping.clear();
    overlapping.extend(pairs.iter().map(|&[a, b]| (a, b)).filter(|&(a, b)| {
        let (i, j) = (a as usize, b as usize);
        let sum = radius[i] + radius[j] - overlap_slop * min(radius[i], radius[j]);
        cell.nearest(position[i] - position[j]).length_squared() < sum * sum
    }));
}

impl FindOverlaps<'_> {
    /// Whether all radii are equal, if there are enough pairs for that to matter.
    #[inline(always)]
    fn same_radius(&self) -> bool {
        let radius = &self.discs.radius;
        if self.pairs.len() < radius.len() / 4 || radius.is_empty() {
            return false;
        }
        // No early exit, so that many are compared at once.
        let mut differences = 0;
        for other in radius {
            differences |= other.to_bits() ^ radius[0].to_bits();
        }
        differences == 0
    }

    /// Few pairs overlap, and which ones is unpredictable. So every pair is written, and overwritten by the next if it
    /// does not overlap. If the radii are equal, they are not read.
    #[inline(always)]
    fn find<const SLOP: bool, const SAME_RADIUS: bool>(self) {
        /// The number of pairs tested at once: the buffer of 4 kB stays in the first-level cache.
        const BLOCK: usize = 512;
        let Discs { position, radius, .. } = self.discs;
        let (position, radius) = (&position[..], &radius[..position.len()]);
        let sum_of = |i: usize, j: usize| {
            let sum = radius[i] + radius[j];
            if SLOP { sum - self.overlap_slop * min(radius[i], radius[j]) } else { sum }
        };
        let same_sum = if SAME_RADIUS && !self.pairs.is_empty() { sum_of(0, 0) } else { 0.0 };
        let mut block = [[0; 2]; BLOCK];
        for pairs in self.pairs.chunks(BLOCK) {
            let mut found = 0;
            for &pair in pairs {
                let (i, j) = (pair[0] as usize, pair[1] as usize);
                let sum = if SAME_RADIUS { same_sum } else { sum_of(i, j) };
                block[found % BLOCK] = pair;
                found += usize::from(position[i].distance_squared(position[j]) < sum * sum);
            }
            self.overlapping.extend(block[..found].iter().map(|&[a, b]| (a, b)));
        }
    }
}

/// Sorts pairs by the indices of their discs, and removes duplicates.
fn sort(pairs: &mut Vec<(u32, u32)>, spare: &mut Vec<(u32, u32)>, discs: usize) {
    radix_sort(pairs, spare, usize::BITS - discs.leading_zeros());
    // The few pairs of one disc are adjacent now.
    for group in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        group.sort_unstable();
    }
    pairs.dedup();
}
