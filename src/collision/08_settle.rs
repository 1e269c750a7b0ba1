//! Settle: piles come to rest. It acts only where the settings have a resting speed and a force has named the direction of
//! gravity ([`Space::gravity`]); without either it does nothing at all, so elastic scenes never notice it.
//!
//! `Impulse` passes a blow on from disc to disc, one contact at a time. The weight of a pile, though, has to get all the way
//! to the ground in every substep, which would take as many passes as the pile has layers, squared. Going upward from the
//! ground instead, and holding each supported disc fixed while the one above it is answered, does it in one sweep (shock
//! propagation: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003).

use bevy::prelude::*;

use super::space::{Bodies, Contact, Space};

/// The order of the sweep, kept between substeps for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// Disc indices from the lowest to the highest.
    upward: Vec<u32>,
    /// The place of each disc in `upward`.
    rank: Vec<u32>,
    /// Where the contacts of each rank begin.
    first: Vec<u32>,
    /// The contacts of this substep by the rank of their lower disc.
    contacts: Vec<Contact>,
    /// The tick for which the discs were sorted.
    tick: u64,
}

/// A disc that rests on two others needs its two contacts answered in turn; each pass leaves a quarter of what was left.
const PASSES: usize = 3;

/// Takes from every supported disc the speed with which it sinks into what supports it, as long as that is slower than the
/// resting speed.
pub fn settle(space: &mut Space) {
    let Space { bodies, contacts, settings, gravity, sweep, tick, .. } = space;
    if settings.resting_speed <= 0.0 || *gravity == Vec2::ZERO || contacts.is_empty() {
        return;
    }
    if sweep.tick != *tick {
        sweep.tick = *tick;
        sweep.sort_discs(bodies, *gravity);
    }
    sweep.file_contacts(contacts);
    for _ in 0..PASSES {
        for contact in &sweep.contacts {
            let (a, b) = (contact.a as usize, contact.b as usize);
            let a_is_lower = sweep.rank[a] < sweep.rank[b];
            let (lower, upper, away) = if a_is_lower { (a, b, contact.normal) } else { (b, a, -contact.normal) };
            if !bodies.supported[lower] || away.dot(*gravity) >= 0.0 {
                continue;
            }
            // A disc that rises does not carry up what lies on it without feeling it: that is for `Impulse`. So the sweep only
            // ever takes energy away.
            let floor = bodies.velocity[lower].dot(away).min(0.0);
            let sinking = floor - bodies.velocity[upper].dot(away);
            if sinking < settings.resting_speed {
                bodies.supported[upper] = true;
                bodies.velocity[upper] += away * sinking.max(0.0);
            }
        }
    }
}

impl Sweep {
    /// Orders discs by height, ties by index.
    fn sort_discs(&mut self, bodies: &Bodies, gravity: Vec2) {
        let depth = |i: u32| bodies.position[i as usize].dot(gravity);
        self.upward.clear();
        self.upward.extend(0..bodies.len() as u32);
        self.upward.sort_unstable_by(|&a, &b| depth(b).total_cmp(&depth(a)).then(a.cmp(&b)));
        self.rank.resize(bodies.len(), 0);
        for (rank, &disc) in self.upward.iter().enumerate() {
            self.rank[disc as usize] = rank as u32;
        }
    }

    /// Orders contacts by the rank of their lower disc (a counting sort, so that equals keep their order).
    fn file_contacts(&mut self, contacts: &[Contact]) {
        let rank = &self.rank;
        let lower_rank = |contact: &Contact| rank[contact.a as usize].min(rank[contact.b as usize]) as usize;
        self.first.clear();
        self.first.resize(rank.len() + 1, 0);
        for contact in contacts {
            self.first[lower_rank(contact) + 1] += 1;
        }
        for i in 1..self.first.len() {
            self.first[i] += self.first[i - 1];
        }
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        for contact in contacts {
            let slot = &mut self.first[lower_rank(contact)];
            self.contacts[*slot as usize] = *contact;
            *slot += 1;
        }
    }
}
