//! Resting groups: discs that touch each other and terrain and are slow there. Their velocities and accelerations are
//! solved together, so that a row or a heap at rest does not move and has no impacts. This happens at the start of a
//! tick, and again whenever one of them hits something.
//!
//! Within a tick of `h` seconds a disc moves straight, with `w`. Its true velocity at a time `t` is
//! `u = w + (t - h/2) a`, where `a` is its acceleration. Which contacts hold a group is found from the mean velocity
//! that each disc would have in the rest of the tick without them ([`ContactForces`]). The components of `u` along the
//! holding contacts are removed, and so are those of gravity. That gives `a`, and `w` follows.
//!
//! No holding contact has a speed in `w`, so its force does no work. The energy at the end of the tick changes by two
//! terms: what was removed from `u`, and `½ m a² t (h - t)`, by which a straight path is above or below its parabola.
//! If the second term has increased the energy, the difference is taken from `u`. If `u` does not have enough, the
//! group freezes until the tick ends. So the energy does not increase.

mod contacts;
mod friction;

pub(super) use contacts::SLOW_HIT;

use bevy::math::DVec2;

use super::{
    contact_forces::{Contact, ContactForces, MAX_TICK_WORK},
    particles::{Impact, Particle, Partner},
    shared_budget::SharedBudget,
    tick_state::{GravityEffect, TickState},
};
use crate::collision::disjoint_sets::DisjointSets;

/// If no energy is lost, only a disc slower than this share of what gravity adds in a tick can rest.
const STILL: f64 = 1e-6;

/// The tolerance of the velocities of a group, as a share of what gravity adds in a tick.
const PRECISION: f64 = 1e-10;

/// The relative rounding error of a sum of energies.
const ROUNDING: f64 = 1e-9;

/// Groups whose matrix takes more multiplications than this are left to their impacts at the start of a tick.
const MAX_WORK: usize = 8_000_000;

/// The largest number of discs that are held together again within a tick: those closest to the two that collide.
const MAX_GROUP: usize = 256;

/// How often contacts are added that are found to approach; after that the group freezes.
const ADDITIONS: u32 = 16;

/// Memory that is reused between ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Pairs of slow touching discs, each in both orders.
    neighbours: Vec<[u32; 2]>,
    /// Discs that touch kinematic ones, and those.
    on_kinematic: Vec<[u32; 2]>,
    /// For each disc, the pass over its group in which it was listed.
    pass: Vec<u8>,
    /// The discs of a group; and for each disc its place there.
    group: Vec<u32>,
    place: Vec<u32>,
    forces: ContactForces,
    /// The approximate number of multiplications since the start of the tick, for discs that have been solved together.
    work_done: SharedBudget,
    /// The velocity of the terrain that the group rests on, m/s: its velocities are relative to it.
    carried_by: DVec2,
    /// The true velocities, m/s.
    velocity: Vec<DVec2>,
    /// The velocities at which contacts are tested, m/s, and those of the paths.
    path: Vec<DVec2>,
    /// The parts of the true velocities, m/s, and of gravity, m/s², that the contacts allow.
    held_velocity: Vec<DVec2>,
    acceleration: Vec<DVec2>,
    /// The sets of discs of a group that hold each other. `supported` says whether terrain holds a set, by its lowest
    /// disc.
    held_together: DisjointSets,
    supported: Vec<bool>,
    /// The discs that are held together, one list after the other, and the end of the list of each number.
    members: Vec<u32>,
    /// The number of the list of a disc of the group.
    number: Vec<u32>,
    ends: Vec<usize>,
}

impl Memory {
    /// Whether no group of the two is held any more in this tick.
    pub(super) fn is_exhausted(&self, impact: Impact) -> bool {
        let mut discs = [Some(impact.disc), impact.partner.disc()].into_iter().flatten();
        discs.any(|disc| self.work_done.used(disc) > MAX_TICK_WORK)
    }

    /// Starts the solution of the group, of `count` discs in all: its work is added to that of all its discs.
    fn begin_work(&mut self, count: usize) {
        self.work_done.join(&self.group, count);
        self.forces.work_done = self.work_done.used(self.group[0]);
    }

    fn end_work(&mut self) {
        self.work_done.set(self.group[0], self.forces.work_done);
    }

    /// Lists the group of a disc, from neighbour to neighbour, layer by layer.
    fn list_group(&mut self, disc: u32) {
        let Self { neighbours, pass, group, .. } = self;
        let mut start = disc;
        // Started at an end of it, such as the end of the first pass, the layers are thin.
        for number in [1, 2] {
            group.clear();
            group.push(start);
            pass[start as usize] = number;
            let mut next = 0;
            while next < group.len() {
                let own = group[next];
                let from = neighbours.partition_point(|pair| pair[0] < own);
                for &[_, other] in neighbours[from..].iter().take_while(|pair| pair[0] == own) {
                    if pass[other as usize] != number {
                        pass[other as usize] = number;
                        group.push(other);
                    }
                }
                next += 1;
            }
            start = group[group.len() - 1];
        }
    }

    /// Orders the discs of the group next to those that they touch, so that the matrix is narrow.
    fn order_group(&mut self) {
        let mut discs = std::mem::take(&mut self.group);
        discs.sort_unstable();
        for pair in &self.neighbours {
            self.pass[pair[1] as usize] = 0;
        }
        for &disc in &discs {
            self.pass[disc as usize] = 0;
        }
        let mut ordered = Vec::with_capacity(discs.len());
        for &disc in &discs {
            if self.pass[disc as usize] == 0 {
                self.list_group(disc);
                // Frozen discs are between them.
                ordered.extend(self.group.iter().filter(|disc| discs.binary_search(disc).is_ok()));
            }
        }
        self.group = ordered;
    }

    /// Finds which discs of the group are held together, and whether by terrain.
    fn find_supported(&mut self) {
        let count = self.group.len();
        self.held_together.reset(count);
        self.supported.clear();
        self.supported.resize(count, false);
        let holds = |memory: &Self, c: usize| memory.forces.holds[c].then_some(memory.forces.contacts[c]);
        for c in 0..self.forces.contacts.len() {
            if let Some(Contact { disc, other: Some(other), .. }) = holds(self, c) {
                self.held_together.join(disc, other);
            }
        }
        for c in 0..self.forces.contacts.len() {
            if let Some(Contact { disc, other: None, .. }) = holds(self, c) {
                let lowest = self.held_together.lowest(disc);
                self.supported[lowest as usize] = true;
            }
        }
    }

    /// Takes the speed at which discs leave the inside of an arc, in hops along it, from the speed of all.
    fn leave_without_gain(&mut self) {
        if self.forces.contacts.iter().all(|contact| contact.leaves_at == 0.0) {
            return;
        }
        let [before, after] = [&self.velocity, &self.held_velocity].map(|velocity| self.twice_kinetic_energy(velocity));
        if after > before {
            let share = (before / after).sqrt();
            self.held_velocity.iter_mut().for_each(|velocity| *velocity *= share);
        }
    }

    /// The sum of `m v²`.
    fn twice_kinetic_energy(&self, velocity: &[DVec2]) -> f64 {
        velocity.iter().zip(&self.forces.masses).map(|(velocity, mass)| mass * velocity.length_squared()).sum()
    }

    /// Whether the solution has no more kinetic energy than the group had, and no more of gravity than there is. Every
    /// true solution satisfies this; NaN fails it.
    fn gains_nothing(&self, gravity: impl Fn(u32) -> DVec2) -> bool {
        let size = |values: &[DVec2]| self.twice_kinetic_energy(values);
        let masses = self.group.iter().zip(&self.forces.masses);
        let weight: f64 = masses.map(|(&i, mass)| mass * gravity(i).length_squared()).sum();
        size(&self.held_velocity) <= size(&self.velocity) * (1.0 + ROUNDING)
            && size(&self.acceleration) <= weight * (1.0 + ROUNDING)
    }

    /// Whether all terrain that the group touches moves as one, as far as it matters: along the normals.
    fn is_carried_as_one(&self) -> bool {
        let from = self.carried_by;
        let least = 1e-9 * (from.x.abs() + from.y.abs());
        let fixed = self.forces.contacts.iter().filter(|contact| contact.other.is_none());
        from == DVec2::ZERO
            || fixed.into_iter().all(|contact| (contact.surface - from).dot(contact.normal).abs() <= least)
    }

    /// Whether a disc of the group is held by terrain, or by discs that are.
    fn is_supported(&self, disc: u32) -> bool {
        self.supported[self.held_together.lowest(disc) as usize]
    }
}

impl TickState<'_> {
    /// Holds the groups that rest on terrain at the start of the tick, and returns the discs whose paths have changed.
    /// `pairs` visits discs, including all that touch.
    pub(super) fn hold_resting_groups(
        &mut self,
        memory: &mut Memory,
        pairs: impl Fn(&Self, &mut dyn FnMut(usize, usize)),
    ) -> Vec<u32> {
        let mut changed = Vec::new();
        memory.work_done.clear();
        memory.neighbours.clear();
        memory.on_kinematic.clear();
        memory.members.clear();
        memory.ends.clear();
        memory.ends.push(0);
        pairs(self, &mut |i, j| {
            if self.contact_of_discs(i.min(j), i.max(j), 0.0).is_none() {
                return;
            }
            if let Some([disc, kinematic]) = self.with_kinematic(i, j) {
                if !self.is_kinematic(disc) {
                    memory.on_kinematic.push([disc as u32, kinematic as u32]);
                }
            } else {
                memory.neighbours.extend([[i as u32, j as u32], [j as u32, i as u32]]);
            }
        });
        if memory.neighbours.is_empty() {
            return changed;
        }
        memory.neighbours.sort_unstable();
        memory.neighbours.dedup();
        memory.on_kinematic.sort_unstable();
        memory.on_kinematic.dedup();
        self.rub_groups(&memory.neighbours);
        memory.pass.clear();
        memory.pass.resize(self.particles.len(), 0);
        memory.place.resize(self.particles.len(), 0);
        for at in 0..memory.neighbours.len() {
            let disc = memory.neighbours[at][0];
            if memory.pass[disc as usize] == 0 {
                memory.list_group(disc);
                self.list_contacts(memory, 0.0, None);
                let on_terrain = memory.forces.contacts.iter().any(|contact| contact.other.is_none());
                let is_one = memory.is_carried_as_one();
                if on_terrain && is_one && memory.forces.work() <= MAX_WORK {
                    memory.begin_work(self.particles.len());
                    self.hold(memory, 0.0, &mut changed);
                    memory.end_work();
                }
            }
        }
        changed.sort_unstable();
        for &i in &changed {
            self.particles[i as usize].stamp += 1;
        }
        changed
    }

    /// Holds the group of a disc that has hit something, if it is or was held; returns the discs whose paths have
    /// changed. `neighbours` lists the discs that may touch a disc.
    pub(super) fn hold_group(
        &mut self,
        memory: &mut Memory,
        met: Impact,
        neighbours: impl Fn(&Self, usize, &mut Vec<u32>),
    ) -> Vec<u32> {
        let time = met.time;
        self.find_group(memory, met, neighbours);
        memory.pass.resize(self.particles.len(), 0);
        memory.begin_work(self.particles.len());
        // Finding and listing the group is work, too.
        memory.forces.work_done += 8 * memory.group.len() * memory.group.len();
        if memory.forces.is_exhausted() {
            // Groups that come together here may have used too much as one.
            memory.end_work();
            return Vec::new();
        }
        memory.order_group();
        let before: Vec<Particle> = memory.group.iter().map(|&i| self.particles[i as usize]).collect();
        for &i in &memory.group {
            let particle = &mut self.particles[i as usize];
            particle.position = particle.position_at(time);
            particle.time = time;
        }
        self.list_contacts(memory, time, Some((met.disc, met.partner)));
        let mut changed = Vec::new();
        self.hold(memory, time, &mut changed);
        memory.end_work();
        // The time of impact must follow from the start of a path, and may be computed again.
        for (&i, before) in memory.group.iter().zip(before) {
            if !changed.contains(&i) {
                self.particles[i as usize] = before;
            }
        }
        for &i in &changed {
            self.record_vertex(i, time);
        }
        changed
    }

    /// Finds the group of a disc that has hit something: the two, the discs that touch them or are held together with
    /// them, and so on, with their contacts.
    fn find_group(
        &self,
        memory: &mut Memory,
        Impact { disc, partner, time }: Impact,
        neighbours: impl Fn(&Self, usize, &mut Vec<u32>),
    ) {
        let mut found = Vec::new();
        memory.group.clear();
        memory.group.push(disc);
        memory.group.extend(partner.disc().filter(|&other| !self.is_kinematic(other as usize)));
        memory.neighbours.clear();
        memory.on_kinematic.clear();
        memory.place.resize(self.particles.len(), 0);
        let mut next = 0;
        while next < memory.group.len() {
            let i = memory.group[next];
            next += 1;
            found.clear();
            neighbours(self, i as usize, &mut found);
            found.extend((i == disc).then_some(partner).and_then(Partner::disc));
            let number = self.gravity_effects[i as usize].group as usize;
            if number != 0 {
                found.extend_from_slice(&memory.members[memory.ends[number - 1]..memory.ends[number]]);
            }
            found.sort_unstable();
            found.dedup();
            for &j in found.iter().filter(|&&j| j != i) {
                let [low, high] = [i.min(j), i.max(j)].map(|i| i as usize);
                let have_met = [(i, Partner::of_disc(j)), (j, Partner::of_disc(i))].contains(&(disc, partner));
                let touch = have_met || self.contact_of_discs(low, high, time).is_some();
                // Even if they have separated slightly: the force between them acts until the tick ends.
                let [group, other] = [low, high].map(|i| self.gravity_effects[i].group);
                if !touch && (group == 0 || group != other) {
                    continue;
                }
                if self.is_kinematic(j as usize) {
                    memory.on_kinematic.push([i, j]);
                    continue;
                }
                let (is_new, has_room) = (!memory.group.contains(&j), memory.group.len() < MAX_GROUP);
                if is_new && has_room && !self.is_frozen(j as usize) {
                    memory.group.push(j);
                }
                if touch && (!is_new || memory.group.len() < MAX_GROUP) {
                    memory.neighbours.extend([[i, j], [j, i]]);
                }
            }
        }
        memory.neighbours.sort_unstable();
        memory.neighbours.dedup();
        memory.on_kinematic.sort_unstable();
        memory.on_kinematic.dedup();
    }

    /// Finds which contacts of a group hold, and sets the velocities and accelerations of its discs; lists the discs
    /// that have changed.
    fn hold(&mut self, memory: &mut Memory, time: f64, changed: &mut Vec<u32>) {
        let left = self.end - time;
        memory.velocity.clear();
        memory.velocity.extend(memory.group.iter().map(|&i| self.true_velocity(i as usize, time)));
        let carried_by = memory.carried_by;
        if carried_by != DVec2::ZERO {
            memory.velocity.iter_mut().for_each(|velocity| *velocity -= carried_by);
        }
        memory.path.clear();
        let free = memory.group.iter().zip(&memory.velocity);
        memory.path.extend(free.map(|(&i, velocity)| *velocity + self.gravity_of(i as usize) * (0.5 * left)));
        let fall = self.fall_speed(memory.group.iter().map(|&i| i as usize));
        let tolerance = PRECISION * fall;
        memory.forces.hold(&mut memory.path, tolerance);
        let mut found = false;
        for _ in 0..ADDITIONS {
            if memory.forces.is_exhausted() {
                break;
            }
            memory.find_supported();
            for c in 0..memory.forces.contacts.len() {
                let contact = memory.forces.contacts[c];
                if !memory.is_supported(contact.disc) {
                    memory.forces.holds[c] = false;
                }
            }
            if self.try_to_hold(memory, time, tolerance) {
                found = !memory.forces.is_exhausted();
                break;
            }
        }
        if !found || !memory.gains_nothing(|i| self.gravity_of(i as usize)) {
            self.report.stopped += memory.group.len() as u64;
            for values in [&mut memory.path, &mut memory.held_velocity, &mut memory.acceleration] {
                values.clear();
                values.resize(memory.group.len(), DVec2::ZERO);
            }
            memory.forces.holds.fill(true);
            memory.find_supported();
        }
        memory.number.clear();
        memory.number.resize(memory.group.len(), 0);
        self.take_over(memory, STILL * fall, changed);
    }

    /// Computes what the holding contacts allow. If others would be hit at once, it makes them hold, too, and fails.
    fn try_to_hold(&self, memory: &mut Memory, time: f64, tolerance: f64) -> bool {
        let left = self.end - time;
        memory.held_velocity.clone_from(&memory.velocity);
        memory.acceleration.clear();
        memory.acceleration.extend(memory.group.iter().map(|&i| self.gravity_of(i as usize)));
        memory.forces.keep_held(&mut memory.held_velocity, tolerance);
        memory.leave_without_gain();
        memory.forces.keep_accelerations_held(&mut memory.acceleration, tolerance / self.end);
        let (mut price, mut kinetic) = (0.0, 0.0);
        for (at, &i) in memory.group.iter().enumerate() {
            let (before, after) = (self.gravity_effects[i as usize].acceleration, memory.acceleration[at]);
            let gravity = self.gravity_of(i as usize);
            if before != gravity || after != gravity {
                let mass = memory.forces.masses[at];
                price += mass * (after.length_squared() - before.length_squared()) * time * left;
                kinetic += mass * memory.held_velocity[at].length_squared();
            }
        }
        if price > kinetic {
            memory.forces.holds.fill(true);
            memory.acceleration.fill(DVec2::ZERO);
            memory.held_velocity.fill(DVec2::ZERO);
        } else if price > 0.0 {
            let share = (1.0 - price / kinetic).sqrt();
            for (at, &i) in memory.group.iter().enumerate() {
                let before = self.gravity_effects[i as usize].acceleration;
                let gravity = self.gravity_of(i as usize);
                if before != gravity || memory.acceleration[at] != gravity {
                    memory.held_velocity[at] *= share;
                }
            }
        }
        memory.path.clear();
        let rest = 0.5 * self.end - time;
        let velocities = memory.held_velocity.iter().zip(&memory.acceleration);
        memory.path.extend(velocities.map(|(velocity, acceleration)| *velocity + *acceleration * rest));
        let mut all_hold = true;
        for c in 0..memory.forces.contacts.len() {
            let contact = memory.forces.contacts[c];
            if memory.forces.holds[c] || contact.parting(&memory.path) >= -tolerance {
                continue;
            }
            let supported =
                memory.is_supported(contact.disc) || contact.other.is_none_or(|other| memory.is_supported(other));
            if supported {
                memory.forces.holds[c] = true;
                all_hold = false;
            }
        }
        all_hold
    }

    /// Applies the solution to the discs of a group; a disc no faster than `still` (m/s) is at rest.
    fn take_over(&mut self, memory: &mut Memory, still: f64, changed: &mut Vec<u32>) {
        for (contact, _) in memory.forces.contacts.iter().zip(&memory.forces.holds).filter(|(_, holds)| **holds) {
            // Exactly, or terrain would be hit at once.
            if contact.other.is_none() {
                let path = &mut memory.path[contact.disc as usize];
                *path += contact.normal * (-path.dot(contact.normal)).max(0.0);
            }
        }
        for at in 0..memory.group.len() {
            let i = memory.group[at] as usize;
            let supported = memory.is_supported(at as u32);
            let lowest = memory.held_together.lowest(at as u32) as usize;
            if supported && lowest == at {
                let together =
                    (0..memory.group.len()).filter(|&at| memory.held_together.lowest(at as u32) as usize == lowest);
                let together: Vec<u32> = together.map(|at| memory.group[at]).collect();
                memory.members.extend(together);
                memory.ends.push(memory.members.len());
                memory.number[at] = memory.ends.len() as u32 - 1;
            }
            let group = if supported { memory.number[lowest] } else { 0 };
            let effect = self.gravity_effects[i];
            if !supported && effect.acceleration == self.gravity_of(i) {
                // It flies: its next contacts are hits, however slow.
                self.gravity_effects[i] = GravityEffect { supported: false, grouped: false, group: 0, ..effect };
                continue;
            }
            let (mut path, mut acceleration) = (memory.path[at], memory.acceleration[at]);
            if supported && path.abs().max_element() <= still && memory.held_velocity[at].abs().max_element() <= still {
                (path, acceleration) = (DVec2::ZERO, DVec2::ZERO);
            }
            if memory.carried_by != DVec2::ZERO {
                path += memory.carried_by;
            }
            self.gravity_effects[i] =
                GravityEffect { acceleration, residual: DVec2::ZERO, supported, grouped: supported, group, ..effect };
            if self.particles[i].velocity != path {
                self.particles[i].velocity = path;
                changed.push(i as u32);
            }
        }
    }
}
