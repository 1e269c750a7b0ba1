//! A bound on energy: discs that rest on something, or on each other, and lose energy where they meet, have together at the end of a tick no
//! more of it than at its beginning. What a straight path over a whole tick does not know of those that are held within it comes out of their
//! speed.

use bevy::math::DVec2;

use super::Continuous;
use crate::collision::space::{Discs, Space};

/// What is known of every disc while the bound is looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// The disc that stands for the discs that it has met, and so on.
    group: Vec<u32>,
    /// The energy that each had at the beginning, joules.
    energy: Vec<f64>,
    /// What each group has gained, joules, and the kinetic energy of those of it that are held.
    gained: Vec<[f64; 2]>,
}

/// The disc that stands for a group.
fn representative(group: &mut [u32], mut disc: u32) -> u32 {
    while group[disc as usize] != disc {
        let next = group[disc as usize];
        group[disc as usize] = group[next as usize];
        disc = next;
    }
    disc
}

/// Kinetic energy and that of height, joules.
fn energy(discs: &Discs, i: usize, velocity: DVec2, gravity: DVec2) -> f64 {
    f64::from(discs.mass[i]) * (0.5 * velocity.length_squared() - gravity.dot(discs.position[i].as_dvec2()))
}

/// Notes the energies where a tick begins, if there is anything to hold to a bound; the arrays are those of its middle.
pub(super) fn before(space: &mut Space) -> bool {
    let (gravity, half) = (space.gravity.as_dvec2(), 0.5 * f64::from(space.time_step));
    let Space { discs, continuous: Continuous { gravity_effects, energy_bound, .. }, .. } = space;
    if !gravity_effects.iter().any(|effect| effect.supported && effect.damped) {
        return false;
    }
    energy_bound.energy.clear();
    let began = |i: usize| discs.velocity[i].as_dvec2() - gravity * half;
    energy_bound.energy.extend((0..discs.len()).map(|i| energy(discs, i, began(i), gravity)));
    true
}

/// Takes from those that are held what their groups have gained; the arrays are those of the end, but for the second half of gravity.
pub(super) fn after(space: &mut Space) {
    let (gravity, half) = (space.gravity.as_dvec2(), 0.5 * f64::from(space.time_step));
    let Space { discs, continuous: Continuous { gravity_effects, met, energy_bound, .. }, .. } = space;
    let Memory { group, energy: energies, gained } = energy_bound;
    group.clear();
    group.extend(0..discs.len() as u32);
    for &[a, b] in &*met {
        let [a, b] = [representative(group, a), representative(group, b)];
        group[a.max(b) as usize] = a.min(b);
    }
    gained.clear();
    gained.resize(discs.len(), [0.0; 2]);
    let ended = |discs: &Discs, i: usize| discs.velocity[i].as_dvec2() + gravity * half;
    for i in 0..discs.len() {
        let own = representative(group, i as u32) as usize;
        let velocity = ended(discs, i);
        gained[own][0] += energy(discs, i, velocity, gravity) - energies[i];
        if gravity_effects[i].supported && gravity_effects[i].damped {
            gained[own][1] += 0.5 * f64::from(discs.mass[i]) * velocity.length_squared();
        }
    }
    for i in 0..discs.len() {
        let [gain, kinetic] = gained[representative(group, i as u32) as usize];
        if gain > 0.0 && kinetic > 0.0 && gravity_effects[i].supported && gravity_effects[i].damped {
            let share = (1.0 - gain / kinetic).max(0.0).sqrt();
            discs.velocity[i] = (ended(discs, i) * share - gravity * half).as_vec2();
        }
    }
}
