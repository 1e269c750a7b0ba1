//! Resting contacts of piles, the step `Settle`: what lies on what is held, and comes to rest. It acts only where the settings have a resting speed and a force has named the direction of
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

mod pairs;
pub(in crate::collision) mod pile;
mod shock_propagation;
mod sleep;
mod springs;

use bevy::prelude::*;

use crate::collision::{
    broad_phase::{SUPPORTING, terrain_index::Piece},
    geometry::{TerrainView, touch},
    resting::{
        pile::ARCHING,
        springs::{STIFFNESS, Springs},
    },
    space::{Discs, Space},
};

/// A disc that is this close to terrain, as a share of its radius, touches it.
const CONTACT_MARGIN: f32 = crate::collision::broad_phase::terrain_neighbours::CONTACT_MARGIN;

/// Nobody sleeps at speeds above this share of what gravity adds in a tick: with many ticks a second a disc that falls is slow at
/// first.
const FALLING: f32 = 0.05;

/// So many pairs that came up in the middle of a tick are put in their places one by one; more are sorted with the others.
pub(in crate::collision) const FEW: usize = 64;

/// Holds what is at rest.
pub fn settle(space: &mut Space) {
    let (substep, tick) = (space.substep(), space.tick);
    space.pile.acts = space.settings.resting_speed > 0.0 && space.gravity != Vec2::ZERO;
    if !space.pile.acts {
        return;
    }
    space.update_pairs();
    let Space { discs, pairs, settings, gravity, pile, candidates, simd, time_step, .. } = space;
    pile.resting_squared = settings.resting_speed * settings.resting_speed;
    pile.up = -gravity.normalize();
    pile.per_layer = ARCHING * gravity.length() * substep * substep / STIFFNESS;
    pile.sleep_speed = settings.sleep_speed.min(FALLING * gravity.length() * *time_step);
    if pile.tick != tick || pile.height.len() != discs.len() {
        pile.tick = tick;
        pile.substeps = 0;
        pile.begin_tick(discs, pairs, *simd);
        pile.find_undisturbed(discs);
    } else if pile.taken.0 != candidates.generation || pile.woken || pairs.len() > pile.taken.1 + FEW {
        // Pairs of discs that slept count again, once one of them has been hit.
        pile.sort(pairs);
        pile.measure(discs, *simd);
        pile.forget_sleepers();
    } else {
        // Discs that have left the circles in which they were looked for have found others.
        pile.take_more(discs, pairs.get(pile.taken.1..).unwrap_or(&[]));
    }
    pile.taken = (candidates.generation, pairs.len());
    pile.woken = false;
    pile.substeps += 1;
    pile.before.clear();
    let states = discs.position.iter().zip(&discs.velocity);
    pile.before.extend(states.map(|(position, velocity)| [position.x, position.y, velocity.x, velocity.y]));
    space.find_terrain_contacts();
    let Space { discs, pile, simd, settings, .. } = space;
    simd.run(Springs { pile, velocity: &mut discs.velocity, stiffness: STIFFNESS / substep });
    for &(disc, away) in &pile.grounded {
        let inward = -discs.velocity[disc as usize].dot(away);
        discs.velocity[disc as usize] += away * inward.max(0.0);
    }
    if pile.substeps == 1 {
        pile.resting = pile.contacts.len();
        pile.keep_asleep(discs, settings.substeps);
    }
    pile.propagate_shock(discs);
    space.contain_lifted();
    let Space { discs, pile, settings, .. } = space;
    pile.stop(discs, pile.substeps == settings.substeps);
}

impl Space {
    /// How many contacts of discs the last substep left to `Settle`, because they were at rest or nearly so.
    #[must_use]
    pub fn contacts_at_rest(&self) -> usize {
        if self.pile.acts { self.pile.resting } else { 0 }
    }

    fn find_terrain_contacts(&mut self) {
        let Self { discs, walls, fixed_circles, terrain_index, terrain_neighbours, pile, .. } = self;
        discs.supported.fill(false);
        if pile.substeps > 1 {
            // What sleeps was held in the first substep.
            for (supported, &asleep) in discs.supported.iter_mut().zip(&pile.asleep) {
                *supported = asleep;
            }
        }
        pile.grounded.clear();
        if walls.is_empty() && fixed_circles.is_empty() {
            return;
        }
        let fixed = TerrainView { walls, fixed_circles, index: terrain_index };
        terrain_neighbours.prepare(discs.len(), &fixed);
        if pile.substeps == 1 {
            let mut near = std::mem::take(&mut terrain_neighbours.touching);
            near.clear();
            let all = discs.position.iter().zip(&discs.radius).enumerate();
            let touching = all.filter(|&(i, (at, radius))| terrain_neighbours.is_near(i, *at, *radius));
            near.extend(touching.map(|(i, _)| i as u32));
            terrain_neighbours.touching = near;
        }
        // Later on those that were near terrain in the last substep.
        let touching = std::mem::take(&mut terrain_neighbours.touching);
        for &disc in &touching {
            let i = disc as usize;
            let (centre, radius) = (discs.position[i], discs.radius[i] * (1.0 + CONTACT_MARGIN));
            for &piece in terrain_neighbours.near(i, &fixed, centre, radius, 0.0).unwrap_or_default() {
                let away = match piece {
                    Piece::Wall(wall) => touch(&walls[wall as usize], centre, centre, radius).map(|touch| touch.away),
                    Piece::FixedCircle(circle) => {
                        let circle = &fixed_circles[circle as usize];
                        let away = centre - circle.centre;
                        circle.is_touched(away, radius + circle.radius).then_some(away)
                    }
                };
                let Some(away) = away else { continue };
                // By division, so that what an upright wall or a level floor stops has no speed left at all.
                let distance = away.length();
                let away = if distance > 0.0 { away / distance } else { pile.up };
                discs.supported[i] |= away.dot(pile.up) > 0.0;
                let inward = -discs.velocity[i].dot(away);
                if inward * inward < pile.resting_squared || inward < 0.0 {
                    pile.grounded.push((disc, away));
                }
            }
        }
        terrain_neighbours.touching = touching;
    }
}

/// Whether two discs are so close that one may hold up the other.
pub(in crate::collision) fn supporting(discs: &Discs, i: usize, j: usize) -> bool {
    let sum = (discs.radius[i] + discs.radius[j]) * SUPPORTING;
    discs.position[i].distance_squared(discs.position[j]) < sum * sum
}
