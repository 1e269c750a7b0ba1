//! Push apart: discs that overlap are moved back along the line of centres, each by the other's share of the mass, and the
//! contact is noted for `Impulse` (seed 000, steps 1 and 2). Velocities are not touched, so no energy is made; and as the centre of
//! mass stays, none is made of height either.
//!
//! What overlaps where the step begins is gone through once, by the numbers of the discs (a pile: from the lowest to the highest).
//! What a push brings about is found by the next substep.

use bevy::prelude::*;

use super::{
    kernels::radix_sort,
    space::{Contact, Space},
};

/// Finds the overlaps among the candidate pairs, pushes the discs apart if the settings say so, and notes the contacts.
pub fn push_apart(space: &mut Space) {
    space.update_pairs();
    let share = if space.settings.push_apart { space.settings.push_apart_share } else { 0.0 };
    let left_overlap = space.left_overlap;
    let Space { bodies, pairs, contacts, overlapping: [overlapping, spare], pile, grid, candidates, .. } = space;
    contacts.clear();
    overlapping.clear();
    if pile.acts {
        pile.take_restless(bodies, pairs, candidates.lists);
    }
    // What is at rest on each other stays so.
    let candidate_pairs = if pile.acts { &pile.restless } else { &*pairs };
    for &[a, b] in candidate_pairs {
        let (i, j) = (a as usize, b as usize);
        let sum = bodies.radius[i] + bodies.radius[j] - left_overlap * bodies.radius[i].min(bodies.radius[j]);
        if bodies.position[i].distance_squared(bodies.position[j]) < sum * sum {
            overlapping.push((a, b));
        }
    }
    if !pile.acts {
        sort(overlapping, spare, bodies.len());
    }
    if overlapping.is_empty() {
        return;
    }
    // A heap of discs in one spot pushes each of them many times. One radius a substep is enough, and keeps the heap from
    // bursting through what stands around it.
    bodies.push_budget.clone_from(&bodies.radius);
    for &(a, b) in &*overlapping {
        let (i, j) = (a as usize, b as usize);
        let line = bodies.position[j] - bodies.position[i];
        let sum = bodies.radius[i] + bodies.radius[j];
        let squared = line.length_squared();
        if squared >= sum * sum {
            continue;
        }
        let distance = squared.sqrt();
        let normal = if distance > 0.0 { line / distance } else { arbitrary_normal(bodies.id[i], bodies.id[j]) };
        let penetration = sum - distance;
        contacts.push(Contact { a, b, normal, penetration });
        let excess = penetration - if pile.acts { pile.load_overlap(bodies, [i, j]) } else { 0.0 };
        if share > 0.0 && excess > 0.0 {
            let (away_a, away_b) = separation(bodies.mass[i], bodies.mass[j], excess * share);
            // As much of it as both may still move, so that the centre of mass stays.
            let part = (bodies.push_budget[i] / away_a).min(bodies.push_budget[j] / away_b).min(1.0);
            bodies.push_budget[i] -= away_a * part;
            bodies.push_budget[j] -= away_b * part;
            bodies.position[i] -= normal * (away_a * part);
            bodies.position[j] += normal * (away_b * part);
        }
    }
    for contact in contacts.iter() {
        candidates.pushed(contact.a, bodies, grid);
        candidates.pushed(contact.b, bodies, grid);
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
