//! Contacts that contact hooks drop: those at the start of the tick, and those within it. The two continue along their
//! paths as if they did not touch, until the tick ends. If they still touch then, the next tick asks again.

use bevy::math::DVec2;

use super::{
    particles::{Impact, Meets, Partner},
    tick_state::TickState,
};
use crate::collision::hit::{HitTarget, answers::Encounter};

impl TickState<'_> {
    /// Asks the hooks for all contacts at the start of the tick, and returns the discs that need new predictions.
    /// `pairs` visits discs, including all that touch.
    pub(super) fn drop_touching(&mut self, pairs: impl Fn(&Self, &mut dyn FnMut(usize, usize))) -> Vec<u32> {
        let mut touching: Vec<(usize, Partner)> = Vec::new();
        pairs(self, &mut |i, j| {
            let (i, j) = (i.min(j), i.max(j));
            if !(self.is_kinematic(i) && self.is_kinematic(j)) && self.touch(i, j) {
                touching.push((i, Partner::of_disc(j as u32)));
            }
        });
        for i in (0..self.particles.len()).filter(|&i| !self.is_kinematic(i)) {
            let mut pieces = self.nearby_terrain(i);
            self.for_each_moving_nearby(i, |part| pieces.push(part));
            touching.extend(pieces.into_iter().filter(|&piece| self.touches(i, piece)).map(|piece| (i, piece)));
        }
        let mut dropped = Vec::new();
        for (disc, partner) in touching {
            dropped.extend(self.let_through(Impact { time: 0.0, disc: disc as u32, partner }).into_iter().flatten());
        }
        dropped.sort_unstable();
        dropped.dedup();
        dropped
    }

    /// Whether two discs overlap at the start of the tick, or may rest on each other.
    fn touch(&self, i: usize, j: usize) -> bool {
        self.overlaps(i, j) || !self.gravity_effects.is_empty() && self.contact_of_discs(i, j, 0.0).is_some()
    }

    /// Whether a disc overlaps a piece of terrain at the start of the tick, or may rest on it.
    fn touches(&self, i: usize, piece: Partner) -> bool {
        let lies = || {
            let most = self.touching_gap(i, self.particles[i].radius);
            self.gap(i, piece).is_some_and(|gap| gap <= most)
        };
        self.overlaps_terrain(i, piece) || !self.gravity_effects.is_empty() && !self.spins(i) && lies()
    }

    /// Drops the contact of an impact if contact hooks say so; returns the discs that then need new predictions.
    pub(super) fn let_through(&mut self, Impact { time, disc, partner }: Impact) -> Option<Vec<u32>> {
        let i = disc as usize;
        match partner.meets() {
            Meets::Disc(j) => self.let_discs_through([i, j as usize], time),
            Meets::Piece(_) => {
                let target = self.dropped_terrain(i, partner, time)?;
                self.disc_filter.drop_terrain(i, target.entity());
                self.has_filters = true;
                Some(self.predict_anew([disc]))
            }
            Meets::Moving(part) => {
                self.dropped_terrain(i, partner, time)?;
                self.moving.drop_part(disc, part);
                Some(self.predict_anew([disc]))
            }
            Meets::Pocket(_) | Meets::Edge(_) | Meets::Support | Meets::Nothing => None,
        }
    }

    fn let_discs_through(&mut self, [i, j]: [usize; 2], time: f64) -> Option<Vec<u32>> {
        let [i, j] = self.with_kinematic(i, j).unwrap_or([i, j]);
        let normal = self.normal_at(i, j, time);
        let encounter = || Encounter {
            point: self.particles[i].position_at(time) + normal * self.particles[i].radius,
            normal,
            relative: self.velocity_at(i, time) - self.velocity_at(j, time),
        };
        if self.laws.answers.meet(self.entities[i], HitTarget::Disc(self.entities[j]), encounter) {
            return None;
        }
        self.disc_filter.drop_pair(i, j);
        self.has_filters = true;
        Some(self.predict_anew([i as u32, j as u32]))
    }

    /// What a disc hits at a time of the tick, if contact hooks drop that contact.
    fn dropped_terrain(&mut self, i: usize, partner: Partner, time: f64) -> Option<HitTarget> {
        let surface = self.surface_ahead(i, partner, time)?;
        let target = surface.target.with_entity(self.entities);
        let meet = self.laws.answers.meet(self.entities[i], target, || surface.encounter(self.velocity_at(i, time)));
        (!meet).then_some(target)
    }

    /// The true velocity of a disc at a time of the tick, m/s.
    pub(super) fn velocity_at(&self, i: usize, time: f64) -> DVec2 {
        self.motion_on_table(i, time).map_or_else(|| self.true_velocity(i, time), |motion| motion.velocity)
    }

    /// Makes the predictions for discs stale, although their paths have not changed.
    fn predict_anew<const N: usize>(&mut self, discs: [u32; N]) -> Vec<u32> {
        let mut stale = Vec::from(discs);
        stale.retain(|&i| !self.is_kinematic(i as usize));
        for &i in &stale {
            let particle = &mut self.particles[i as usize];
            particle.stamp = particle.stamp.wrapping_add(1);
        }
        stale
    }
}
