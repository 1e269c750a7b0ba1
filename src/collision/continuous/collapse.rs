//! Inelastic collapse: impacts that never end, and series of bounces whose intervals shrink to nothing.
//!
//! After the last impact of its budget (`budgets`), a disc comes to rest against everything that it touches, including
//! moving terrain. All discs connected by contacts form a group. The group gets the velocities of inelastic contact,
//! pair by pair in the order of [`StableId`](crate::components::StableId), sweep after sweep, until no two of them
//! approach. If some still do after 64 sweeps, the group continues as one body, with the velocity of its centre of
//! mass, along the terrain in its way. Between two pieces of terrain that block it, it freezes until the tick ends.
//! From then on the impacts of its discs are inelastic.

use bevy::math::DVec2;

use super::{
    particles::{Particle, Partner},
    tick_state::TickState,
};
use crate::collision::{
    hit::{Surface, answers::Answer},
    path::{flight::Flight, table_events::TableEventKind},
};

/// The largest gap, as a share of the radii, that counts as contact in a group that comes to rest.
pub(super) const GROUP_GAP: f64 = 1e-6;

/// The number of sweeps through the contacts of a group.
const SWEEPS: u32 = 64;

/// Two that touch. The first is a disc.
type TouchingPair = (u32, Partner);

impl TickState<'_> {
    /// Brings a disc and all discs connected to it by contacts to rest against one another at this time, and returns
    /// them. `neighbours` lists the discs that may touch a disc.
    pub(super) fn rest(&mut self, disc: u32, time: f64, neighbours: impl Fn(&Self, usize, &mut Vec<u32>)) -> Vec<u32> {
        if self.is_above(disc as usize) {
            // It lies on no terrain, and slides off the balls below it.
            self.particles[disc as usize].impacts_used.exhaust(self.laws.settings.impact_budget);
            self.report.stopped += 1;
            let motion = self.motion_on_table(disc as usize, time).unwrap_or_default();
            self.record_event(disc as usize, TableEventKind::Stopped, [motion; 2], time);
            return vec![disc];
        }
        let (group, touches) = self.touching_group(disc, time, neighbours);
        self.resolve_group(&group, &touches);
        let driven = touches.iter().any(|&touch| self.driver(touch).is_some_and(|velocity| velocity != DVec2::ZERO));
        for &i in &group {
            self.record_vertex(i, time);
            self.adopt_path(i as usize, time);
            self.particles[i as usize].impacts_used.exhaust(self.laws.settings.impact_budget);
            if !driven {
                self.lay_down(i as usize);
            }
        }
        self.report.stopped += group.len() as u64;
        group
    }

    /// The discs connected to a disc by contacts, and those contacts in order. All discs are moved to this time.
    fn touching_group(
        &mut self,
        disc: u32,
        time: f64,
        neighbours: impl Fn(&Self, usize, &mut Vec<u32>),
    ) -> (Vec<u32>, Vec<TouchingPair>) {
        let mut group = vec![disc];
        let mut belongs = vec![false; self.particles.len()];
        belongs[disc as usize] = true;
        let mut touches: Vec<TouchingPair> = Vec::new();
        let mut neighbour_list = Vec::new();
        let mut next = 0;
        while next < group.len() {
            let i = group[next] as usize;
            next += 1;
            neighbour_list.clear();
            neighbours(self, i, &mut neighbour_list);
            for &j in &neighbour_list {
                let (a, b) = (&self.particles[i], &self.particles[j as usize]);
                let sum = a.radius + b.radius;
                if j as usize == i
                    || self.is_above(j as usize)
                    || !self.meet(i, j as usize)
                    || self.nearest(b.position_at(time) - a.position_at(time)).length() > sum * (1.0 + GROUP_GAP)
                {
                    continue;
                }
                touches.push((j.min(i as u32), Partner::of_disc(j.max(i as u32))));
                if self.is_kinematic(j as usize) {
                    // It acts like fixed terrain at its current place.
                    self.advance(j as usize, time);
                    continue;
                }
                if !std::mem::replace(&mut belongs[j as usize], true) {
                    group.push(j);
                }
            }
        }
        group.sort_unstable();
        for &i in &group {
            self.advance(i as usize, time);
            let neighbours = self.nearby_firm_terrain(i as usize).into_iter();
            touches.extend(neighbours.filter(|&piece| self.lies_on(i as usize, piece)).map(|piece| (i, piece)));
        }
        touches.sort_unstable();
        touches.dedup();
        (group, touches)
    }

    /// Stops a disc that has come to rest under gravity if it is slower than a quarter of what gravity adds in a tick.
    /// Gravity does not set it in motion later either.
    fn lay_down(&mut self, i: usize) {
        let (gravity, spins) = (self.gravity_of(i).length(), self.spins(i));
        let Some(effect) = self.gravity_effects.get_mut(i).filter(|_| !spins) else { return };
        let velocity = &mut self.particles[i].velocity;
        if velocity.length() < 0.5 * gravity * (0.5 * self.end) {
            *velocity = DVec2::ZERO;
            (effect.acceleration, effect.residual) = (DVec2::ZERO, DVec2::ZERO);
            (effect.supported, effect.grouped) = (true, true);
        }
    }

    fn lies_on(&self, i: usize, piece: Partner) -> bool {
        let particle = &self.particles[i];
        // Anything closer would be hit at once.
        let gap = self.gap(i, piece);
        gap.is_some_and(|gap| gap <= GROUP_GAP * particle.radius)
    }

    /// Sweeps through the contacts until none approaches, and makes one body of a group in which some still do.
    fn resolve_group(&mut self, group: &[u32], touches: &[TouchingPair]) {
        for _ in 0..SWEEPS {
            let mut resolved = false;
            for &(i, partner) in touches {
                resolved |= self.resolve_inelastic(i as usize, partner);
            }
            if !resolved {
                return;
            }
        }
        let particles = group.iter().map(|&i| &self.particles[i as usize]);
        let (momentum, mass) = particles
            .fold((DVec2::ZERO, 0.0), |(p, m), particle| (p + particle.velocity * particle.mass, m + particle.mass));
        self.move_together(group, momentum / mass);
        let blocked = |state: &Self, &(i, partner): &TouchingPair| {
            let others = [Some(i), partner.disc()].map(|disc| disc.filter(|&i| !state.is_kinematic(i as usize)));
            others.iter().flatten().count() == 1 && state.approaches(i as usize, partner)
        };
        for touch in touches {
            if blocked(self, touch) {
                self.resolve_inelastic(touch.0 as usize, touch.1);
                let disc = touch.1.disc().filter(|_| self.is_kinematic(touch.0 as usize)).unwrap_or(touch.0);
                self.move_together(group, self.particles[disc as usize].velocity);
            }
        }
        // It moves along with a kinematic disc or moving terrain that pushes it, if nothing else stops it.
        let pushed = touches.iter().filter(|touch| blocked(self, touch)).find_map(|&touch| self.driver(touch));
        if let Some(velocity) = pushed {
            self.move_together(group, velocity);
        }
        if group.iter().any(|&i| self.is_frozen(i as usize)) || touches.iter().any(|touch| blocked(self, touch)) {
            for &i in group {
                self.stop(i as usize);
            }
        }
    }

    /// The velocity of the driven side of a contact, m/s: a kinematic disc, or moving terrain; `None` if neither side
    /// is driven.
    fn driver(&self, (i, partner): TouchingPair) -> Option<DVec2> {
        if partner.moving().is_some() {
            return self.surface(i as usize, partner).map(|surface| surface.velocity);
        }
        let kinematic = [Some(i), partner.disc()].into_iter().flatten().find(|&i| self.is_kinematic(i as usize));
        kinematic.map(|i| self.particles[i as usize].velocity)
    }

    fn move_together(&mut self, group: &[u32], velocity: DVec2) {
        for &i in group {
            self.particles[i as usize].velocity = velocity;
        }
    }

    /// Whether two that touch would hit each other again at once.
    fn approaches(&self, i: usize, partner: Partner) -> bool {
        self.time_of_impact_with(i, partner) <= self.particles[i].time
    }

    /// Resolves two that touch and approach, without restitution.
    fn resolve_inelastic(&mut self, i: usize, partner: Partner) -> bool {
        if !self.approaches(i, partner) {
            return false;
        }
        let approach = match partner.disc() {
            Some(j) => match self.with_kinematic(i, j as usize) {
                Some([disc, kinematic]) => self.stop_at_surface(disc, Partner::of_disc(kinematic as u32)),
                None => self.stop_pair(i, j as usize),
            },
            None => self.stop_at_surface(i, partner),
        };
        approach > 0.0
    }

    /// Removes the speed of approach from two discs, and returns it, m/s.
    fn stop_pair(&mut self, i: usize, j: usize) -> f64 {
        let n = self.normal(i, j);
        let approach = self.particles[i].velocity.dot(n) - self.particles[j].velocity.dot(n);
        if !(approach > 0.0) {
            return 0.0;
        }
        self.mark_disc_hit([i, j]);
        self.push_pair([i, j], n, approach, 0.0);
        approach
    }

    /// Removes the speed of approach of a disc to terrain or a kinematic disc at its current position, and returns it,
    /// m/s.
    fn stop_at_surface(&mut self, i: usize, partner: Partner) -> f64 {
        let Some(surface) = self.surface(i, partner) else { return 0.0 };
        if let Some(block) = self.block_of(partner) {
            return self.stop_at_block(i, block, &surface);
        }
        // For a disc coming to rest, the inside of an arc counts as flat.
        let leaves_at = if surface.slides_below > 0.0 { 0.0 } else { surface.leaves_at };
        let surface = Surface { leaves_at, slides_below: 0.0, ..surface };
        let Particle { velocity, time, .. } = self.particles[i];
        let mut flight = Flight::ending_with(velocity, DVec2::ZERO, self.end);
        let inelastic = Answer::plain(Some(0.0), 0.0);
        let bounce = flight.bounce_off(&surface, &inelastic, [time, self.end], |_| 0.0);
        self.particles[i].velocity = flight.velocity;
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            effect.damped = true;
            effect.has_hit_disc |= bounce.is_driven;
        }
        -bounce.before.dot(surface.away)
    }
}
