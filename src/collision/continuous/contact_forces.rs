//! The forces between discs that rest on each other and on terrain, solved together. The result is the set of
//! velocities that no contact forbids and that is closest to the velocities without contacts, weighted by mass. This is
//! Gauss's principle of least constraint (for velocities, Moreau 1988). The forces only push; where one does, the two
//! neither approach nor separate.
//!
//! This is a quadratic problem with one inequality per contact and a unique solution. It is solved by the method of
//! multipliers (Hestenes and Powell 1969). Every contact is a stiff spring, and Newton's method with an exact line
//! search finds the equilibrium of the springs. The multipliers then take over the forces of the springs until none are
//! left. The matrix has two rows per disc. It is stored in the envelope of the entries where contacts couple two discs,
//! and factored by Cholesky.

use bevy::math::DVec2;

/// A contact of a disc with another disc, or with something fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// The disc, by its place in the group.
    pub(super) disc: u32,
    /// The other disc, if it is one.
    pub(super) other: Option<u32>,
    /// Unit vector from the other to the disc.
    pub(super) normal: DVec2,
    /// The velocity of something fixed, m/s. The velocities of a group are relative to it.
    pub(super) surface: DVec2,
    /// The lowest speed at which the disc leaves, m/s: along the inside of an arc, where a straight path leads into the
    /// wall. Zero elsewhere.
    pub(super) leaves_at: f64,
}

impl Contact {
    /// A contact with a disc, or with something static.
    pub(super) fn still(disc: u32, other: Option<u32>, normal: DVec2) -> Self {
        Self { disc, other, normal, surface: DVec2::ZERO, leaves_at: 0.0 }
    }

    /// The speed of separation.
    pub(super) fn parting(&self, velocity: &[DVec2]) -> f64 {
        let other = self.other.map_or(DVec2::ZERO, |other| velocity[other as usize]);
        self.normal.dot(velocity[self.disc as usize] - other)
    }

    /// Applies an impulse to both.
    fn push(&self, impulse: f64, momentum: &mut [DVec2]) {
        momentum[self.disc as usize] += self.normal * impulse;
        if let Some(other) = self.other {
            momentum[other as usize] -= self.normal * impulse;
        }
    }
}

/// The stiffness of a contact relative to the mass of the heaviest disc in the group. Contacts of light discs are as
/// stiff, too: one between a heavy disc and a wall transmits the whole weight.
const STIFFNESS: f64 = 1e6;

/// The largest number of solutions of the matrix.
const ROUNDS: u32 = 60;

/// The other work of a round, for each disc and contact, as a number of multiplications.
const ROUND_WORK: usize = 32;

/// How often a step that is too long is halved.
const HALVINGS: u32 = 40;

/// The working data: a group of discs with their contacts, and memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactForces {
    pub(super) masses: Vec<f64>,
    pub(super) contacts: Vec<Contact>,
    /// Which contacts hold: found by [`ContactForces::hold`], and used unchanged by [`ContactForces::keep_held`].
    pub(super) holds: Vec<bool>,
    stiffness: Vec<f64>,
    /// The speed of separation of each contact if it holds, m/s.
    targets: Vec<f64>,
    multipliers: Vec<f64>,
    /// The force of each contact, including its spring.
    forces: Vec<f64>,
    factored: Vec<bool>,
    matrix: Envelope,
    step: Vec<DVec2>,
    /// The approximate number of multiplications since the start of the tick, for the discs of the group and those that
    /// they were solved with.
    pub(super) work_done: usize,
}

/// The largest number of multiplications in a tick for discs that are solved together. After that, the unsolved discs
/// freeze, or have ordinary impacts.
pub(super) const MAX_TICK_WORK: usize = 6_000_000;

impl ContactForces {
    /// Whether nothing more is solved for these discs in this tick.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work_done > MAX_TICK_WORK
    }

    /// The number of multiplications of a factorization, unless it overflows.
    pub(super) fn work(&self) -> usize {
        let mut first: Vec<usize> = (0..self.masses.len()).collect();
        for contact in &self.contacts {
            if let Some(other) = contact.other {
                let (low, high) = (contact.disc.min(other) as usize, contact.disc.max(other) as usize);
                first[high] = first[high].min(low);
            }
        }
        first.iter().enumerate().map(|(i, &first)| 4 * (i - first + 1) * (i - first + 1)).sum()
    }

    /// Changes velocities that contacts forbid into those that they allow, within `tolerance` (m/s), and records which
    /// contacts hold.
    pub(super) fn hold(&mut self, velocity: &mut [DVec2], tolerance: f64) {
        self.begin();
        self.holds.clear();
        self.holds.resize(self.contacts.len(), true);
        self.leave();
        self.solve(velocity, tolerance, false);
    }

    /// Removes from velocities what the holding contacts forbid: approach and separation.
    pub(super) fn keep_held(&mut self, velocity: &mut [DVec2], tolerance: f64) {
        self.leave();
        self.solve(velocity, tolerance, true);
    }

    /// The same for accelerations, m/s².
    pub(super) fn keep_accelerations_held(&mut self, acceleration: &mut [DVec2], tolerance: f64) {
        self.targets.fill(0.0);
        self.solve(acceleration, tolerance, true);
    }

    /// Sets the contacts to separate at the lowest speed of their discs.
    fn leave(&mut self) {
        self.targets.clear();
        self.targets.extend(self.contacts.iter().map(|contact| contact.leaves_at));
    }

    fn begin(&mut self) {
        let Self { masses, contacts, stiffness, factored, matrix, .. } = self;
        let heaviest = masses.iter().copied().fold(0.0, f64::max);
        stiffness.clear();
        stiffness.resize(contacts.len(), STIFFNESS * heaviest);
        factored.clear();
        matrix.shape(masses.len(), contacts);
    }

    /// Solves either problem: with contacts that push and never pull, or with the given holding contacts. Ends early if
    /// the work of the group in a tick is used up.
    fn solve(&mut self, velocity: &mut [DVec2], tolerance: f64, both_ways: bool) {
        if self.contacts.is_empty() {
            return;
        }
        let free = velocity.to_vec();
        self.multipliers.clear();
        self.multipliers.resize(self.contacts.len(), 0.0);
        // At first every contact is assumed to hold, which is true of most.
        let mut first = true;
        for _ in 0..ROUNDS {
            self.forces.clear();
            for (c, contact) in self.contacts.iter().enumerate() {
                let force = self.multipliers[c] - self.stiffness[c] * (contact.parting(velocity) - self.targets[c]);
                let holds = if both_ways { self.holds[c] } else { first || force > 0.0 };
                self.forces.push(if holds { force } else { 0.0 });
                self.holds[c] = holds;
            }
            self.factor();
            self.work_done += 2 * self.matrix.entries.len() + ROUND_WORK * (free.len() + self.contacts.len());
            if self.is_exhausted() {
                return;
            }
            self.step.clear();
            self.step.extend((0..free.len()).map(|i| (free[i] - velocity[i]) * self.masses[i]));
            for (contact, &force) in self.contacts.iter().zip(&self.forces) {
                contact.push(force, &mut self.step);
            }
            self.matrix.solve(&mut self.step);
            let length = self.step.iter().fold(0.0_f64, |most, step| most.max(step.x.abs()).max(step.y.abs()));
            if length <= tolerance && !first {
                let mut wrong = 0.0_f64;
                for (c, contact) in self.contacts.iter().enumerate() {
                    self.multipliers[c] = self.forces[c];
                    let parting = contact.parting(velocity) - self.targets[c];
                    wrong = wrong.max(if self.holds[c] { parting.abs() } else { -parting });
                }
                if wrong <= tolerance {
                    return;
                }
                continue;
            }
            let share = if both_ways || first { 1.0 } else { self.share_of_step(velocity, &free) };
            first = false;
            for (velocity, step) in velocity.iter_mut().zip(&self.step) {
                *velocity += *step * share;
            }
        }
    }

    /// The share of a step that minimizes the energy of motion and springs along it.
    fn share_of_step(&self, velocity: &[DVec2], free: &[DVec2]) -> f64 {
        let Self { masses, contacts, stiffness, targets, multipliers, step, .. } = self;
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (i, step) in step.iter().enumerate() {
            slope += masses[i] * (velocity[i] - free[i]).dot(*step);
            curvature += masses[i] * step.length_squared();
        }
        let slope_at = |share: f64| {
            let mut sum = slope + curvature * share;
            for (c, contact) in contacts.iter().enumerate() {
                let change = contact.parting(step);
                let parting = contact.parting(velocity) - targets[c] + change * share;
                let force = multipliers[c] - stiffness[c] * parting;
                sum -= force.max(0.0) * change;
            }
            sum
        };
        if slope_at(1.0) <= -1e-9 * slope_at(0.0) {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if slope_at(middle) > 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// Factors the matrix of the masses and of the holding springs, unless it is factored.
    fn factor(&mut self) {
        let Self { masses, contacts, holds, stiffness, factored, matrix, .. } = self;
        if factored == holds {
            return;
        }
        factored.clone_from(holds);
        matrix.clear(masses);
        self.work_done += matrix.work();
        for (c, contact) in contacts.iter().enumerate().filter(|&(c, _)| holds[c]) {
            matrix.add_spring(contact, stiffness[c]);
        }
        matrix.factor();
    }
}

/// A symmetric matrix of two rows per disc: each row from its first nonzero entry to the diagonal.
#[derive(Clone, Debug, Default)]
struct Envelope {
    /// The first column of each row.
    first: Vec<usize>,
    /// The start of each row among the entries, and the end of the last one.
    start: Vec<usize>,
    entries: Vec<f64>,
}

impl Envelope {
    fn shape(&mut self, discs: usize, contacts: &[Contact]) {
        self.first.clear();
        self.first.extend((0..2 * discs).map(|row| row / 2 * 2));
        for contact in contacts {
            if let Some(other) = contact.other {
                let (low, high) = (contact.disc.min(other) as usize, contact.disc.max(other) as usize);
                for row in [2 * high, 2 * high + 1] {
                    self.first[row] = self.first[row].min(2 * low);
                }
            }
        }
        self.start.clear();
        let mut end = 0;
        for (row, first) in self.first.iter().enumerate() {
            self.start.push(end);
            end += row - first + 1;
        }
        self.start.push(end);
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[self.start[row] + column - self.first[row]]
    }

    /// The number of multiplications of a factorization.
    fn work(&self) -> usize {
        self.first.iter().enumerate().map(|(row, first)| (row - first + 1) * (row - first + 1) / 2).sum()
    }

    fn clear(&mut self, masses: &[f64]) {
        self.entries.clear();
        self.entries.resize(self.start[self.first.len()], 0.0);
        for (i, &mass) in masses.iter().enumerate() {
            *self.at(2 * i, 2 * i) = mass;
            *self.at(2 * i + 1, 2 * i + 1) = mass;
        }
    }

    fn add_spring(&mut self, contact: &Contact, stiffness: f64) {
        let n = contact.normal;
        let blocks = [Some(contact.disc), contact.other];
        for disc in blocks.into_iter().flatten() {
            let row = 2 * disc as usize;
            *self.at(row, row) += stiffness * n.x * n.x;
            *self.at(row + 1, row) += stiffness * n.x * n.y;
            *self.at(row + 1, row + 1) += stiffness * n.y * n.y;
        }
        if let Some(other) = contact.other {
            let (row, column) = (2 * contact.disc.max(other) as usize, 2 * contact.disc.min(other) as usize);
            *self.at(row, column) -= stiffness * n.x * n.x;
            *self.at(row, column + 1) -= stiffness * n.x * n.y;
            *self.at(row + 1, column) -= stiffness * n.x * n.y;
            *self.at(row + 1, column + 1) -= stiffness * n.y * n.y;
        }
    }

    /// Replaces it by its lower Cholesky factor, with the inverse of the diagonal.
    fn factor(&mut self) {
        let Self { first, start, entries } = self;
        for row in 0..first.len() {
            let (before, rest) = entries.split_at_mut(start[row]);
            let from = first[row];
            for column in from..row {
                let common = from.max(first[column]);
                let above = &before[start[column] + common - first[column]..start[column + 1]];
                let left = &rest[common - from..column - from];
                let sum = left.iter().zip(above).fold(0.0, |sum, (a, b)| sum + a * b);
                rest[column - from] = (rest[column - from] - sum) * before[start[column + 1] - 1];
            }
            let left = &rest[..row - from];
            let sum = left.iter().fold(0.0, |sum, a| sum + a * a);
            rest[row - from] = 1.0 / (rest[row - from] - sum).sqrt();
        }
    }

    /// Replaces the right-hand side by the solution.
    fn solve(&self, side: &mut [DVec2]) {
        let Self { first, start, entries } = self;
        let get = |side: &[DVec2], row: usize| if row.is_multiple_of(2) { side[row / 2].x } else { side[row / 2].y };
        let set = |side: &mut [DVec2], row: usize, value: f64| {
            if row.is_multiple_of(2) { side[row / 2].x = value } else { side[row / 2].y = value }
        };
        for row in 0..first.len() {
            let entries = &entries[start[row]..start[row + 1]];
            let (inverse, left) = (entries[entries.len() - 1], &entries[..entries.len() - 1]);
            let mut value = get(side, row);
            for (column, entry) in (first[row]..).zip(left) {
                value -= entry * get(side, column);
            }
            set(side, row, value * inverse);
        }
        for row in (0..first.len()).rev() {
            let entries = &entries[start[row]..start[row + 1]];
            let (inverse, left) = (entries[entries.len() - 1], &entries[..entries.len() - 1]);
            let value = get(side, row) * inverse;
            set(side, row, value);
            for (column, entry) in (first[row]..).zip(left) {
                let changed = get(side, column) - entry * value;
                set(side, column, changed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudorandom number between -1 and 1.
    fn chance(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }

    /// The velocities are those closest to the free ones. Contacts only push, no contact approaches, and a contact that
    /// pushes does not separate (the conditions of Karush, Kuhn and Tucker).
    #[test]
    fn contacts_push_and_nothing_approaches() {
        let mut seed = 7;
        for turn in 0..500 {
            let count = 1 + turn % 6;
            let mut forces = ContactForces::default();
            forces.masses.extend((0..count).map(|_| 10.0_f64.powf(2.0 * chance(&mut seed))));
            for disc in 0..count as u32 {
                for other in (0..disc).map(Some).chain([None]) {
                    if chance(&mut seed) > -0.4 {
                        let (x, y) = (chance(&mut seed), chance(&mut seed) + 1e-3);
                        forces.contacts.push(Contact::still(disc, other, DVec2::new(x, y).normalize()));
                    }
                }
            }
            let free: Vec<DVec2> = (0..count).map(|_| DVec2::new(chance(&mut seed), chance(&mut seed))).collect();
            let mut velocity = free.clone();
            forces.hold(&mut velocity, 1e-10);
            let mut momentum = vec![DVec2::ZERO; count];
            if forces.contacts.is_empty() {
                assert_eq!(velocity, free);
            }
            for (c, contact) in forces.contacts.iter().enumerate() {
                let (parting, force) = (contact.parting(&velocity), forces.forces[c]);
                assert!(parting > -1e-8 && force >= 0.0, "turn {turn}: {parting} m/s, {force} Ns");
                assert!(force == 0.0 || parting < 1e-8, "turn {turn}: {force} Ns where they part at {parting} m/s");
                contact.push(force, &mut momentum);
            }
            for i in 0..count {
                let change = (velocity[i] - free[i]) * forces.masses[i];
                assert!((change - momentum[i]).length() < 1e-6 * (1.0 + momentum[i].length()), "turn {turn}, disc {i}");
            }
        }
    }

    /// A disc in a corner, and a disc on it that is up to a thousand million times as heavy. It slides around the small
    /// one, however light that is.
    #[test]
    fn a_light_disc_in_a_corner_passes_on_the_weight_of_a_heavy_one() {
        let corner = |x: f64| Contact::still(0, None, DVec2::new(x, 0.3).normalize());
        let between = Contact::still(1, Some(0), DVec2::new(0.4, 1.0).normalize());
        for light in [1.0, 1e-3, 1e-6, 1e-9] {
            let mut forces = ContactForces { masses: vec![light, 1.0], ..ContactForces::default() };
            forces.contacts.extend([corner(1.0), corner(-1.0), between]);
            let mut velocity = vec![DVec2::new(0.0, -1.0); 2];
            forces.hold(&mut velocity, 1e-10);
            let along = DVec2::NEG_Y - between.normal * DVec2::NEG_Y.dot(between.normal);
            assert!(velocity[0].length() < 1e-9, "{light} kg: {}", velocity[0]);
            assert!((velocity[1] - along).length() < 1e-9, "{light} kg: {} instead of {along}", velocity[1]);
        }
    }

    #[test]
    fn a_stack_is_held_and_its_weight_adds_up() {
        let mut forces = ContactForces { masses: vec![1.0, 2.0, 3.0], ..ContactForces::default() };
        let up = |disc: u32| Contact::still(disc, disc.checked_sub(1), DVec2::Y);
        forces.contacts.extend([up(0), up(1), up(2)]);
        let mut velocity = vec![DVec2::new(0.5, -1.0); 3];
        forces.hold(&mut velocity, 1e-12);
        for (velocity, force, weight) in
            velocity.iter().zip(&forces.forces).zip([6.0, 5.0, 3.0]).map(|((v, f), w)| (v, f, w))
        {
            assert!((*velocity - DVec2::new(0.5, 0.0)).length() < 1e-9);
            assert!((force - weight).abs() < 1e-6, "{force} Ns");
        }
    }
}
