//! Settle: piles come to rest. It acts only where the settings have a resting speed and a force has named the direction of
//! gravity ([`Space::gravity`]); without either it does nothing at all, so elastic scenes never notice it.
//!
//! Hits faster than the resting speed are for `PushApart` and `Impulse`. The rest is left to three means:
//! - A **spring** in every contact, as stiff as the substep allows, and a damper beside it. Its overlap is where the load of
//!   a contact is remembered, so a pile at rest needs no further state and no iterations, and its forces are those of
//!   frictionless discs: equal and opposite, also sideways.
//! - **Terrain** stops what rests on it.
//! - A **sweep** upward from the ground takes from each supported disc half of the speed with which it sinks into what
//!   supports it. Springs alone would let a tall pile swing like jelly; the sweep reaches its top in one go (shock
//!   propagation: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003). In a pile at rest it finds
//!   nothing to do.
//!
//! With a sleep speed, a disc that stands still where a tick begins, with nothing moving in its reach, is left as it is if the
//! first substep finds the forces on it in balance. That the velocity is zero is all that it needs to remember.

use bevy::prelude::*;

use super::{
    broad_phase::SUPPORTING,
    near_terrain::Fixed,
    pile::{ARCHING, Pile, Resting, STIFFNESS, Springs},
    space::{Bodies, Space},
    terrain_index::Piece,
    walls::{reach, stay_inside, touch},
};

/// The share of a supported disc's sinking speed that the sweep takes in a substep.
const SWEEP: f32 = 0.5;

/// A disc that is this close to terrain, as a share of its radius, touches it.
const NEAR: f32 = super::near_terrain::NEAR;

/// Nobody sleeps at speeds above this share of what gravity adds in a tick: with many ticks a second a disc that falls is slow at
/// first.
const FALLING: f32 = 0.05;

/// So many pairs that came up in the middle of a tick are put in their places one by one; more are sorted with the others.
pub(super) const FEW: usize = 64;

/// Holds what is at rest.
pub fn settle(space: &mut Space) {
    let (substep, tick) = (space.substep(), space.tick);
    space.pile.acts = space.settings.resting_speed > 0.0 && space.gravity != Vec2::ZERO;
    if !space.pile.acts {
        return;
    }
    space.update_pairs();
    let Space { bodies, pairs, settings, gravity, pile, candidates, lanes, time_step, .. } = space;
    pile.resting_squared = settings.resting_speed * settings.resting_speed;
    pile.up = -gravity.normalize();
    pile.per_layer = ARCHING * gravity.length() * substep * substep / STIFFNESS;
    pile.sleep_speed = settings.sleep_speed.min(FALLING * gravity.length() * *time_step);
    if pile.tick != tick || pile.height.len() != bodies.len() {
        pile.tick = tick;
        pile.substeps = 0;
        pile.begin_tick(bodies, pairs, *lanes);
        pile.find_undisturbed(bodies);
    } else if pile.taken.0 != candidates.lists || pile.woken || pairs.len() > pile.taken.1 + FEW {
        // Pairs of discs that slept count again, once one of them has been hit.
        pile.sort(pairs);
        pile.measure(bodies, *lanes);
        pile.forget_sleepers();
    } else {
        // Discs that have left the circles in which they were looked for have found others.
        pile.take_more(bodies, pairs.get(pile.taken.1..).unwrap_or(&[]));
    }
    pile.taken = (candidates.lists, pairs.len());
    pile.woken = false;
    pile.substeps += 1;
    pile.before.clear();
    let states = bodies.position.iter().zip(&bodies.velocity);
    pile.before.extend(states.map(|(position, velocity)| [position.x, position.y, velocity.x, velocity.y]));
    space.note_what_lies_on_terrain();
    let Space { bodies, pile, lanes, settings, .. } = space;
    lanes.run(Springs { pile, velocity: &mut bodies.velocity, stiffness: STIFFNESS / substep });
    for &(disc, away) in &pile.grounded {
        let inward = -bodies.velocity[disc as usize].dot(away);
        bodies.velocity[disc as usize] += away * inward.max(0.0);
    }
    if pile.substeps == 1 {
        pile.resting = pile.contacts.len();
        pile.keep_asleep(bodies, settings.substeps);
    }
    pile.sweep(bodies);
    space.keep_inside_what_was_swept();
    let Space { bodies, pile, settings, .. } = space;
    pile.stop(bodies, pile.substeps == settings.substeps);
}

impl Space {
    /// How many contacts of discs the last substep left to `Settle`, because they were at rest or nearly so.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.pile.acts { self.pile.resting } else { 0 }
    }

    /// How many discs slept in the last tick.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        if self.pile.acts { self.pile.asleep.iter().filter(|&&asleep| asleep).count() } else { 0 }
    }

    /// Notes which discs stand still where the tick begins, before any force has acted.
    pub(super) fn note_stillness(&mut self) {
        let Self { bodies, settings, pile, .. } = self;
        pile.still.clear();
        if settings.sleep_speed > 0.0 && settings.resting_speed > 0.0 {
            pile.still.extend(bodies.velocity.iter().map(|velocity| *velocity == Vec2::ZERO));
        }
    }

    /// Being lifted off a small disc must not lift a centre through a wall.
    fn keep_inside_what_was_swept(&mut self) {
        let Self { bodies, walls, corners, terrain_index, near_terrain, pile, .. } = self;
        if walls.is_empty() {
            return;
        }
        let fixed = Fixed { walls, corners, index: terrain_index };
        for &disc in &pile.swept {
            let i = disc as usize;
            let [x, y, ..] = pile.before[i];
            bodies.previous[i] = Vec2::new(x, y);
            let (centre, reach) = (bodies.position[i], reach(bodies, i));
            stay_inside(bodies, near_terrain.list(i, &fixed, centre, reach, bodies.radius[i]), &fixed, i);
        }
    }

    fn note_what_lies_on_terrain(&mut self) {
        let Self { bodies, walls, corners, terrain_index, near_terrain, pile, .. } = self;
        bodies.supported.fill(false);
        if pile.substeps > 1 {
            // What sleeps was held in the first substep.
            for (supported, &asleep) in bodies.supported.iter_mut().zip(&pile.asleep) {
                *supported = asleep;
            }
        }
        pile.grounded.clear();
        if walls.is_empty() && corners.is_empty() {
            return;
        }
        let fixed = Fixed { walls, corners, index: terrain_index };
        near_terrain.prepare(bodies.len(), &fixed);
        if pile.substeps == 1 {
            let mut near = std::mem::take(&mut near_terrain.touching);
            near.clear();
            let all = bodies.position.iter().zip(&bodies.radius).enumerate();
            let touching = all.filter(|&(i, (at, radius))| near_terrain.is_near(i, *at, *radius));
            near.extend(touching.map(|(i, _)| i as u32));
            near_terrain.touching = near;
        }
        // Later on those that were near terrain in the last substep.
        let touching = std::mem::take(&mut near_terrain.touching);
        for &disc in &touching {
            let i = disc as usize;
            let (centre, radius) = (bodies.position[i], bodies.radius[i] * (1.0 + NEAR));
            for &piece in near_terrain.near(i, &fixed, centre, radius, 0.0).unwrap_or_default() {
                let away = match piece {
                    Piece::Wall(wall) => touch(&walls[wall as usize], centre, centre, radius).map(|touch| touch.away),
                    Piece::Corner(corner) => {
                        let corner = &corners[corner as usize];
                        let away = centre - corner.centre;
                        corner.is_touched(away, radius + corner.radius).then_some(away)
                    }
                };
                let Some(away) = away else { continue };
                // By division, so that what an upright wall or a level floor stops has no speed left at all.
                let distance = away.length();
                let away = if distance > 0.0 { away / distance } else { pile.up };
                bodies.supported[i] |= away.dot(pile.up) > 0.0;
                let inward = -bodies.velocity[i].dot(away);
                if inward * inward < pile.resting_squared || inward < 0.0 {
                    pile.grounded.push((disc, away));
                }
            }
        }
        near_terrain.touching = touching;
    }
}

impl Pile {
    /// Finds the discs that stand still and touch nothing that moves. What hits them within the tick wakes them.
    fn find_undisturbed(&mut self, bodies: &Bodies) {
        let Self { still, asleep, candidates, .. } = self;
        if still.len() != bodies.len() {
            // A system between the steps has added discs or taken some out.
            still.clear();
        }
        asleep.clone_from(still);
        if still.is_empty() {
            return;
        }
        for &[lower, upper] in &candidates.discs {
            let (lower, upper) = (lower as usize, upper as usize);
            if still[lower] == still[upper] || !supporting(bodies, lower, upper) {
                continue;
            }
            asleep[lower] &= still[upper];
            asleep[upper] &= still[lower];
        }
    }

    /// Of the undisturbed discs, those sleep on that something holds and whose forces are in balance; pairs of them need no more
    /// looking at in this tick.
    fn keep_asleep(&mut self, bodies: &mut Bodies, substeps: u32) {
        let Self { asleep, contacts, sleep_speed, .. } = self;
        if asleep.is_empty() {
            return;
        }
        for &Resting { lower, upper, .. } in &*contacts {
            bodies.supported[upper as usize] |= bodies.supported[lower as usize];
        }
        let most = *sleep_speed / substeps as f32;
        for ((asleep, velocity), supported) in asleep.iter_mut().zip(&bodies.velocity).zip(&bodies.supported) {
            *asleep &= *supported && velocity.length_squared() < most * most;
        }
        self.forget_sleepers();
        let asleep = &self.asleep;
        self.contacts.retain(|contact| !(asleep[contact.lower as usize] && asleep[contact.upper as usize]));
    }

    /// Leaves out the pairs of which both discs sleep.
    fn forget_sleepers(&mut self) {
        let Self { asleep, candidates, .. } = self;
        if asleep.contains(&true) {
            candidates.retain(|lower, upper| !(asleep[lower as usize] && asleep[upper as usize]));
        }
    }

    /// A disc was hit: it sleeps no more.
    pub(super) fn wake(&mut self, disc: usize) {
        if let Some(asleep) = self.asleep.get_mut(disc) {
            self.woken |= std::mem::take(asleep);
        }
    }

    /// Stops what sleeps and, where a tick ends, what is supported and slow enough to fall asleep.
    fn stop(&self, bodies: &mut Bodies, tick_ends: bool) {
        let Bodies { velocity, supported, .. } = bodies;
        for ((velocity, &supported), &asleep) in velocity.iter_mut().zip(&*supported).zip(&self.asleep) {
            let slow = velocity.length_squared() < self.sleep_speed * self.sleep_speed;
            if asleep || (tick_ends && supported && slow) {
                *velocity = Vec2::ZERO;
            }
        }
    }

    /// Goes upward from the ground, and holds what is supported.
    fn sweep(&mut self, bodies: &mut Bodies) {
        self.swept.clear();
        for at in 0..self.contacts.len() {
            let Resting { lower, upper, away, excess } = self.contacts[at];
            let (lower, upper) = (lower as usize, upper as usize);
            if !bodies.supported[lower] {
                continue;
            }
            bodies.supported[upper] = true;
            // A disc that rises does not carry up what lies on it without feeling it. So the sweep only ever takes energy away.
            let floor = bodies.velocity[lower].dot(away).min(0.0);
            let sinking = (floor - bodies.velocity[upper].dot(away)).max(0.0);
            if excess > 0.0 {
                // Too heavy for the spring: a large disc on a small one.
                bodies.velocity[upper] += away * sinking;
                // Another contact may have lifted it in the meantime.
                let distance = bodies.position[lower].distance(bodies.position[upper]);
                let overlap = bodies.radius[lower] + bodies.radius[upper] - distance;
                let deep = overlap - self.load_overlap(&bodies.position, &bodies.radius, [lower, upper]);
                if deep > 0.0 {
                    bodies.position[upper] += away * deep;
                    self.swept.push(upper as u32);
                }
            } else if sinking * sinking < self.resting_squared {
                bodies.velocity[upper] += away * (sinking * SWEEP);
            }
        }
    }
}

/// Whether two discs are so close that one may hold up the other.
pub(super) fn supporting(bodies: &Bodies, i: usize, j: usize) -> bool {
    let sum = (bodies.radius[i] + bodies.radius[j]) * SUPPORTING;
    bodies.position[i].distance_squared(bodies.position[j]) < sum * sum
}
