//! Push apart: discs that overlap are moved back along the line of centres, each by the other's share of the mass, and the
//! contact is noted for `Impulse` (seed 000, steps 1 and 2). Velocities are not touched, so no energy is made; and as the centre of
//! mass stays, none is made of height either.
//!
//! What overlaps where the step begins is gone through once, by the numbers of the discs (a pile: from the lowest to the highest).
//! What a push brings about is found by the next substep.

use bevy::prelude::*;

use super::{
    kernels::{WIDE, each_bit, filled, radix_sort},
    lanes::{Job, Sixteen, less},
    space::{Bodies, Contact, Space},
};

/// Finds the overlaps among the candidate pairs, pushes the discs apart if the settings say so, and notes the contacts.
pub fn push_apart(space: &mut Space) {
    space.update_pairs();
    let share = if space.settings.push_apart { space.settings.push_apart_share } else { 0.0 };
    let left_overlap = space.left_overlap;
    let Space { bodies, pairs, contacts, overlapping: [overlapping, spare], pile, grid, candidates, lanes, .. } = space;
    contacts.clear();
    if pile.acts {
        pile.take_restless(bodies, pairs, candidates.lists);
    }
    // What is at rest on each other stays so.
    let pairs = if pile.acts { &pile.restless } else { &*pairs };
    lanes.run(FindOverlaps { bodies, pairs, left_overlap, overlapping });
    if overlapping.is_empty() {
        return;
    }
    if !pile.acts {
        sort(overlapping, spare, bodies.len());
    }
    let Bodies { id, position, radius, mass, push_budget, .. } = bodies;
    let count = position.len();
    let (position, radius, mass) = (&mut position[..], &radius[..count], &mass[..count]);
    // A heap of discs in one spot pushes each of them many times. One radius a substep is enough, and keeps the heap from
    // bursting through what stands around it.
    push_budget.clear();
    push_budget.extend_from_slice(radius);
    for &(a, b) in &*overlapping {
        let (i, j) = (a as usize, b as usize);
        let line = position[j] - position[i];
        let sum = radius[i] + radius[j];
        let squared = line.length_squared();
        if squared >= sum * sum {
            continue;
        }
        let distance = squared.sqrt();
        let normal = if distance > 0.0 { line / distance } else { arbitrary_normal(id[i], id[j]) };
        let penetration = sum - distance;
        contacts.push(Contact { a, b, normal, penetration });
        let excess = penetration - if pile.acts { pile.load_overlap(position, radius, [i, j]) } else { 0.0 };
        if share > 0.0 && excess > 0.0 {
            let (away_a, away_b) = separation(mass[i], mass[j], excess * share);
            // As much of it as both may still move, so that the centre of mass stays.
            let part = less(less(push_budget[i] / away_a, push_budget[j] / away_b), 1.0);
            push_budget[i] -= away_a * part;
            push_budget[j] -= away_b * part;
            position[i] -= normal * (away_a * part);
            position[j] += normal * (away_b * part);
        }
    }
    candidates.pushed_later(contacts.iter().flat_map(|contact| [contact.a, contact.b]), bodies, grid);
}

/// Finds the pairs that overlap by more than `left_overlap` times the smaller radius.
struct FindOverlaps<'a> {
    bodies: &'a Bodies,
    pairs: &'a [[u32; 2]],
    left_overlap: f32,
    overlapping: &'a mut Vec<(u32, u32)>,
}

impl Job for FindOverlaps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, lanes: L) {
        self.overlapping.clear();
        if self.left_overlap == 0.0 {
            self.find::<L, false>(lanes);
        } else {
            self.find::<L, true>(lanes);
        }
    }
}

impl FindOverlaps<'_> {
    #[inline(always)]
    fn find<L: Sixteen, const LEFT: bool>(self, lanes: L) {
        let (whole, rest) = self.pairs.as_chunks();
        for pairs in whole {
            let overlap = self.test::<L, LEFT>(lanes, pairs);
            each_bit(overlap, |k| self.overlapping.push(pairs[k as usize].into()));
        }
        if !rest.is_empty() {
            let overlap = self.test::<L, LEFT>(lanes, &filled(rest)) & ((1 << rest.len()) - 1);
            each_bit(overlap, |k| self.overlapping.push(rest[k as usize].into()));
        }
    }

    /// Which pairs overlap, as bits; by more than is left to them, if some is.
    #[inline(always)]
    fn test<L: Sixteen, const LEFT: bool>(&self, lanes: L, pairs: &[[u32; 2]; WIDE]) -> u32 {
        let Bodies { position, radius, .. } = self.bodies;
        let (position, radius) = (&position[..], &radius[..position.len()]);
        let (mut from, mut to) = ([Vec2::ZERO; WIDE], [Vec2::ZERO; WIDE]);
        let (mut sum, mut smaller) = ([0.0; WIDE], [0.0; WIDE]);
        for k in 0..WIDE {
            let (a, b) = (pairs[k][0] as usize, pairs[k][1] as usize);
            (from[k], to[k]) = (position[a], position[b]);
            sum[k] = radius[a] + radius[b];
            if LEFT {
                smaller[k] = less(radius[a], radius[b]);
            }
        }
        let mut sum = lanes.load(&sum);
        if LEFT {
            sum = lanes.sub(sum, lanes.mul(lanes.splat(self.left_overlap), lanes.load(&smaller)));
        }
        lanes.is_less(lanes.distances_squared(&from, &to), lanes.mul(sum, sum))
    }
}

/// Sorts pairs by the numbers of their discs, and leaves each there once.
fn sort(pairs: &mut Vec<(u32, u32)>, spare: &mut Vec<(u32, u32)>, discs: usize) {
    radix_sort(pairs, spare, usize::BITS - discs.leading_zeros());
    // The few pairs of one disc lie together now.
    for group in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        group.sort_unstable();
    }
    pairs.dedup();
}

/// How far each of two discs moves (metres) so that together they give way by `overlap`: each by the other's share of the
/// mass, so that the centre of mass stays where it is (seed 000, step 2).
#[must_use]
pub fn separation(mass_a: f32, mass_b: f32, overlap: f32) -> (f32, f32) {
    let total = mass_a + mass_b;
    (overlap * (mass_b / total), overlap * (mass_a / total))
}

/// Discs with the same centre have no line of centres. They part in one of sixteen directions, chosen by their identities,
/// so that a heap of them spreads to all sides and every run repeats it.
pub(super) fn arbitrary_normal(a: u64, b: u64) -> Vec2 {
    const DIRECTIONS: [[f32; 2]; 4] =
        [[1.0, 0.0], [0.923_879_5, 0.382_683_43], [0.707_106_77, 0.707_106_77], [0.382_683_43, 0.923_879_5]];
    let pick = a.wrapping_mul(7).wrapping_add(b.wrapping_mul(3)) as usize;
    let [x, y] = DIRECTIONS[pick % 4];
    match pick / 4 % 4 {
        0 => Vec2::new(x, y),
        1 => Vec2::new(-y, x),
        2 => Vec2::new(-x, -y),
        _ => Vec2::new(y, -x),
    }
}
