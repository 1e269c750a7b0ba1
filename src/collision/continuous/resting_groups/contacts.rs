//! The contacts of a group: touching pairs that approach and separate so slowly that they may rest.

use bevy::math::DVec2;

use super::{Memory, STILL};
use crate::collision::{
    continuous::{contact_forces::Contact, particles::Partner, tick_state::TickState},
    hit::Surface,
    tick::OVERLAP_ROUNDING,
};

/// The largest gap that counts as contact, as a share of the smaller radius and of the coordinates.
const CONTACT_GAP: [f64; 2] = [1e-5, 4e-7];

/// The lowest speed of a hit on a resting disc, as a share of what gravity adds in a tick.
pub const SLOW_HIT: f64 = 1.0;

impl TickState<'_> {
    /// The speed that gravity adds in a tick, m/s: for the most affected of these discs, and at least for a disc
    /// without [`GravityScale`](crate::components::GravityScale).
    pub fn fall_speed(&self, discs: impl IntoIterator<Item = usize>) -> f64 {
        let largest = if self.own_motion.is_empty() {
            1.0
        } else {
            let falling = discs.into_iter().filter(|&i| !self.is_kinematic(i));
            falling.map(|i| self.gravity_scale_of(i).abs()).fold(1.0, f64::max)
        };
        self.gravity.length_squared().sqrt() * largest * self.end
    }

    /// The true velocity of a disc at a time of the tick, m/s.
    pub fn true_velocity(&self, i: usize, time: f64) -> DVec2 {
        let velocity = self.particles[i].velocity;
        match self.gravity_effects.get(i) {
            // As the forces have added it, so zero stays exactly zero.
            Some(effect) if time == 0.0 && effect.acceleration == self.gravity_of(i) => {
                velocity - (self.gravity_of(i) * (0.5 * self.end)).as_vec2().as_dvec2()
            }
            Some(effect) => velocity + effect.acceleration * (time - 0.5 * self.end),
            None => velocity,
        }
    }

    /// Whether this speed of approach, m/s, is too slow for a hit on a resting disc. `fall` is the
    /// [`TickState::fall_speed`] of the two.
    pub fn is_too_slow_for_a_hit(fall: f64, approach: f64, e: f32) -> bool {
        approach <= fall * if e < 1.0 { SLOW_HIT } else { STILL }
    }

    /// Whether two that touch at this speed of approach, m/s, may rest on each other.
    fn may_lie(fall: f64, approach: f64, e: f32) -> bool {
        let parting = fall * if e < 1.0 { 0.5 } else { STILL };
        Self::is_too_slow_for_a_hit(fall, approach, e) && approach >= -parting
    }

    /// The largest gap that counts as contact, metres.
    pub fn touching_gap(&self, i: usize, radius: f64) -> f64 {
        let at = self.particles[i].position;
        CONTACT_GAP[0] * radius + CONTACT_GAP[1] * (at.x.abs() + at.y.abs())
    }

    /// The unit vector from one disc to another (`i < j`), if they touch at this time.
    fn touching_normal(&self, i: usize, j: usize, time: f64) -> Option<DVec2> {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let line = self.nearest(b.position_at(time) - a.position_at(time));
        let (sum, smaller) = (a.radius + b.radius, a.radius.min(b.radius));
        let most = sum + self.touching_gap(i, smaller);
        let least = sum - 2.0 * OVERLAP_ROUNDING * smaller;
        let squared = line.length_squared();
        (squared <= most * most && squared >= least * least).then(|| line / squared.sqrt())
    }

    /// The same, if they may rest on each other.
    pub fn contact_of_discs(&self, i: usize, j: usize, time: f64) -> Option<DVec2> {
        let normal =
            self.touching_normal(i, j, time).filter(|_| self.meet(i, j) && self.with_spinning(i, j).is_none())?;
        let approach = (self.true_velocity(i, time) - self.true_velocity(j, time)).dot(normal);
        let e = self.restitution_of_discs([i, j], time);
        Self::may_lie(self.fall_speed([i, j]), approach, e).then_some(normal)
    }

    /// Lists the contacts of a group.
    pub(super) fn list_contacts(&self, memory: &mut Memory, time: f64, forced: Option<(u32, Partner)>) {
        let Memory { neighbours, on_kinematic, group, place, forces, .. } = memory;
        forces.contacts.clear();
        forces.masses.clear();
        for (at, &i) in (0..).zip(&*group) {
            place[i as usize] = at;
            forces.masses.push(self.particles[i as usize].mass);
        }
        for (disc, &i) in (0..).zip(&*group) {
            let from = neighbours.partition_point(|pair| pair[0] < i);
            for &[_, j] in neighbours[from..].iter().take_while(|pair| pair[0] == i) {
                let is_forced = forced == Some((i, Partner::of_disc(j))) || forced == Some((j, Partner::of_disc(i)));
                let (low, high) = (i.min(j) as usize, i.max(j) as usize);
                let contact = self.contact_of_discs(low, high, time);
                let Some(normal) = contact.or_else(|| is_forced.then(|| self.normal(low, high))) else { continue };
                let normal = if i < j { -normal } else { normal };
                let other = Some(place[j as usize]);
                if group.get(place[j as usize] as usize) != Some(&j) {
                    // It is frozen until the tick ends.
                    if self.is_frozen(j as usize) {
                        forces.contacts.push(Contact::still(disc, None, normal));
                    }
                } else if i < j {
                    forces.contacts.push(Contact::still(disc, other, normal));
                }
            }
        }
        for (disc, &i) in (0..).zip(&*group) {
            let from = on_kinematic.partition_point(|pair| pair[0] < i);
            for &[_, j] in on_kinematic[from..].iter().take_while(|pair| pair[0] == i) {
                forces.contacts.push(Contact {
                    disc,
                    other: None,
                    normal: self.normal_at(j as usize, i as usize, time),
                    surface: self.particles[j as usize].velocity,
                    leaves_at: 0.0,
                });
            }
            let forced = forced.filter(|forced| forced.0 == i).map(|forced| forced.1);
            self.list_terrain_contacts(&mut forces.contacts, disc, i as usize, time, forced);
        }
        let moves = |contact: &&Contact| contact.surface != DVec2::ZERO;
        memory.carried_by = memory.forces.contacts.iter().find(moves).map_or(DVec2::ZERO, |contact| contact.surface);
    }

    /// Lists the places where a disc touches terrain and may rest.
    fn list_terrain_contacts(
        &self,
        contacts: &mut Vec<Contact>,
        disc: u32,
        i: usize,
        time: f64,
        forced: Option<Partner>,
    ) {
        let particle = &self.particles[i];
        let most = self.touching_gap(i, particle.radius);
        let mut pieces = self.nearby_firm_terrain(i);
        let forced = forced.filter(|forced| forced.disc().is_none() && *forced != Partner::NONE);
        pieces.extend(forced);
        pieces.sort_unstable();
        pieces.dedup();
        for piece in pieces {
            if Some(piece) != forced && self.gap(i, piece).is_none_or(|gap| gap > most) {
                continue;
            }
            let Some(touched) = self.surface(i, piece) else { continue };
            let Surface { away, velocity: surface, leaves_at, slides_below, .. } = touched;
            let leaves_at = if slides_below > 0.0 { leaves_at } else { 0.0 };
            let normal = away / away.length_squared().sqrt();
            let e = self.answer_at(i, &touched, self.true_velocity(i, time), None).restitution;
            let mut approach = -self.true_velocity(i, time).dot(normal);
            if surface != DVec2::ZERO {
                approach += surface.dot(normal);
            }
            if Some(piece) == forced || Self::may_lie(self.fall_speed([i]), approach, e) {
                contacts.push(Contact { disc, other: None, normal, surface, leaves_at });
            }
        }
    }
}
