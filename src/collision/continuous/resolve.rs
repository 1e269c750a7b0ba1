//! Resolution: the change of velocities by an impact, with the impulses of the stepped mode.

use bevy::math::DVec2;

use super::{
    particles::{Impact, Meets, Particle, Partner},
    resting_groups::SLOW_HIT,
    tick_state::{GravityEffect, TickState},
};
use crate::collision::{
    hit::{
        HitTarget, Surface,
        answers::{Answer, Encounter, rubbed},
        response::{arbitrary_normal, speed_changes},
        rub_pair,
    },
    path::flight::{Bounce, Flight, rounding_speed},
    spin::TablePhysics,
    terrain::index::Piece,
};

/// The result of an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// The speed of approach along the normal, m/s; zero if they did not approach.
    pub(super) approach: f64,
    /// Whether it lost no energy, by their restitution: see [`count_impact`](TickState::count_impact).
    pub(super) is_elastic: bool,
}

impl Met {
    /// They did not approach, so nothing happened. It counts as an impact that loses energy: only a few of these follow
    /// each other.
    pub(super) const NOTHING: Self = Self { approach: 0.0, is_elastic: false };

    /// A fall or a landing: nothing rests on it, so it counts as an impact of which many may follow each other.
    pub(super) const ELASTIC: Self = Self { approach: 0.0, is_elastic: true };
}

/// How an impact was resolved.
pub(super) struct Resolved {
    pub(super) met: Met,
    /// Whether a disc of it is held by others, so that the group must be held again.
    pub(super) in_group: bool,
    /// Whether it was too slow for a hit, so that holding the group again was its only effect.
    pub(super) too_slow: bool,
}

/// A contact in which one of the two is held by others.
struct HeldContact {
    surface: Surface,
    /// The unit vector from the disc to what it hits.
    normal: DVec2,
    /// The velocity of the disc relative to what it hits, m/s.
    relative: DVec2,
    answer: Answer,
}

impl TickState<'_> {
    /// Moves a disc along its path.
    pub(super) fn advance(&mut self, i: usize, time: f64) {
        self.record_way(i, time);
        let particle = &mut self.particles[i];
        particle.position = particle.position_at(time);
        particle.time = time;
    }

    /// Resolves an impact with the impulses of the stepped mode; impacts of groups only if `holds_groups`.
    #[inline(always)]
    pub(super) fn resolve(&mut self, Impact { time, disc, partner }: Impact, holds_groups: bool) -> Resolved {
        let i = disc as usize;
        let surface = self.surface_ahead(i, partner, time);
        let support = if partner == Partner::SUPPORT { self.next_support(i) } else { None };
        self.advance(i, time);
        let alone = match partner.meets() {
            Meets::Pocket(pocket) => {
                self.fall(i, pocket, time);
                Some(Met::ELASTIC)
            }
            Meets::Support => {
                if let Some((_, support)) = support {
                    self.change_support(i, support, time);
                }
                Some(Met::ELASTIC)
            }
            _ => None,
        };
        if let Some(met) = alone {
            return Resolved { met, in_group: false, too_slow: false };
        }
        let other = partner.disc().map(|other| other as usize);
        let on_table = self.meets_on_table(i, partner);
        let is_held = self.is_in_group(i, partner);
        if is_held && !holds_groups {
            self.exhaust_budget(i, other, surface);
        }
        let in_group = is_held && holds_groups;
        if let Some(other) = other {
            self.advance(other, time);
        }
        let (discs, recorded) = ([Some(i), other], self.report.hits.len());
        let before = self.velocities_at(discs, time);
        let (met, hits) = match (other, surface) {
            _ if on_table => (self.resolve_on_table(Impact { time, disc, partner }, surface), true),
            _ if in_group => self.hit_held(i, partner, surface),
            // A frozen disc does not fall along, so the true velocity counts, as at terrain.
            (Some(other), _) => match self.with_kinematic(i, other).or_else(|| self.with_frozen(i, other)) {
                Some([disc, other]) => (self.resolve_surface(disc, &self.surface_of_disc(disc, other)), true),
                None => (self.resolve_pair(i, other), true),
            },
            (None, Some(surface)) => match self.block_of(partner) {
                Some(block) => (self.resolve_block(i, block, &surface), true),
                None => (self.resolve_surface(i, &surface), true),
            },
            (None, None) => (Met::NOTHING, true),
        };
        self.complete_hit(recorded, discs, before, time);
        if let Some(other) = other {
            self.record_vertex(other as u32, time);
        }
        self.record_vertex(disc, time);
        Resolved { met, in_group, too_slow: !hits }
    }

    /// Sorts two discs that collide under gravity into the moving one and the frozen one. `None` unless there is one of
    /// each.
    fn with_frozen(&self, i: usize, j: usize) -> Option<[usize; 2]> {
        match [self.is_frozen(i), self.is_frozen(j)] {
            _ if self.gravity_effects.is_empty() => None,
            [true, false] => Some([j, i]),
            [false, true] => Some([i, j]),
            _ => None,
        }
    }

    /// Sorts two colliding discs of which at least one spins: first the other, then a spinning one, which is in no
    /// group.
    pub(super) fn with_spinning(&self, i: usize, j: usize) -> Option<[usize; 2]> {
        match [self.spins(i), self.spins(j)] {
            [false, false] => None,
            [true, _] => Some([j, i]),
            _ => Some([i, j]),
        }
    }

    /// Whether a disc, or the other disc of an impact, is held by others or has a different acceleration.
    fn is_in_group(&self, i: usize, partner: Partner) -> bool {
        if self.gravity_effects.is_empty() || self.is_frozen(i) {
            return false;
        }
        let Some(other) = partner.disc() else {
            let is_block = partner.moving().is_some_and(|part| self.moving.block_of(part).is_some());
            return self.gravity_effects[i].grouped && !is_block;
        };
        let driven = self.with_kinematic(i, other as usize).or_else(|| self.with_spinning(i, other as usize));
        if let Some([disc, _]) = driven {
            return self.gravity_effects[disc].grouped && !self.is_frozen(disc);
        }
        let [a, b] = [i, other as usize].map(|i| self.gravity_effects[i]);
        (a.supported || b.supported || a.acceleration != b.acceleration) && !self.is_frozen(other as usize)
    }

    /// The contact of a disc with another disc or a surface, if one of the two is held by others: with their true
    /// velocities.
    fn held_contact(&self, i: usize, other: Option<usize>, surface: Option<Surface>) -> Option<HeldContact> {
        let Particle { position, radius, time, .. } = self.particles[i];
        let velocity = self.true_velocity(i, time);
        let (surface, normal) = match other {
            Some(j) => {
                let (normal, velocity) = (self.normal(i, j), self.true_velocity(j, time));
                (Surface::of_disc(j as u32, position, radius, normal, velocity, self.restitution[j]), normal)
            }
            None => (surface?, -surface?.away / surface?.away.length_squared().sqrt()),
        };
        let answer = self.answer_at(i, &surface, velocity, None);
        Some(HeldContact { surface, normal, relative: velocity - surface.velocity, answer })
    }

    /// Resolves a hit in which one of the two is held by others. If it is too slow for a hit, it changes nothing; the
    /// group is held again in any case. Returns whether it was a hit.
    fn hit_held(&mut self, i: usize, partner: Partner, surface: Option<Surface>) -> (Met, bool) {
        let other = partner.disc().map(|j| j as usize);
        let Some(contact) = self.held_contact(i, other, surface) else { return (Met::NOTHING, false) };
        let HeldContact { surface, normal, relative, answer } = contact;
        let both = || [Some(i), other].into_iter().flatten();
        let approach = relative.dot(normal);
        let hits = !Self::is_too_slow_for_a_hit(self.fall_speed(both()), approach, answer.restitution);
        both().for_each(|i| self.gravity_effects[i].has_hit_disc = true);
        if !hits {
            return (Met { approach: approach.max(0.0), is_elastic: false }, false);
        }
        let budget_used = both().any(|i| self.budget_is_used(i));
        let e = if budget_used { 0.0 } else { answer.restitution_at(approach, self.laws.settings.resting_speed) };
        let impulse = if let Some(j) = other {
            let impulse = self.push_pair([i, j], normal, approach, e);
            self.rub_pair([i, j], normal, answer.friction, impulse);
            impulse
        } else {
            let change = (1.0 + e) * approach;
            let particle = &mut self.particles[i];
            particle.velocity -= normal * change;
            if answer.friction > 0.0 {
                particle.velocity +=
                    rubbed(relative - answer.carries(surface.away), normal, f64::from(answer.friction) * change);
            }
            particle.mass * change
        };
        self.record(i, &surface, relative, [approach, impulse]);
        (Met { approach, is_elastic: e >= 1.0 }, true)
    }

    /// Unit vector from the centre of a disc to another, both at the same time.
    #[inline(always)]
    pub(super) fn normal(&self, i: usize, j: usize) -> DVec2 {
        let line = self.nearest(self.particles[j].position - self.particles[i].position);
        let distance = line.length_squared().sqrt();
        if distance > 0.0 { line / distance } else { arbitrary_normal(self.ids[i], self.ids[j]).as_dvec2() }
    }

    /// The same at a time of the tick.
    pub(super) fn normal_at(&self, i: usize, j: usize, time: f64) -> DVec2 {
        let line = self.nearest(self.particles[j].position_at(time) - self.particles[i].position_at(time));
        let distance = line.length_squared().sqrt();
        if distance > 0.0 { line / distance } else { arbitrary_normal(self.ids[i], self.ids[j]).as_dvec2() }
    }

    /// Resolves the impulse between two discs at their current positions; nothing if they separate.
    #[inline(always)]
    fn resolve_pair(&mut self, i: usize, j: usize) -> Met {
        let n = self.normal(i, j);
        let (a, b) = (self.particles[i], self.particles[j]);
        let approach = a.velocity.dot(n) - b.velocity.dot(n);
        if !(approach > 0.0) {
            return Met::NOTHING;
        }
        let budget_used = self.budget_is_used(i) || self.budget_is_used(j);
        self.mark_disc_hit([i, j]);
        let (point, relative) = (a.position + n * a.radius, a.velocity - b.velocity);
        let answer = self.answer_of_discs([i, j], || Encounter { point, normal: n, relative });
        let e = if budget_used { 0.0 } else { answer.restitution_at(approach, self.laws.settings.resting_speed) };
        let impulse = self.push_pair([i, j], n, approach, e);
        self.rub_pair([i, j], n, answer.friction, impulse);
        let surface = Surface::of_disc(j as u32, a.position, a.radius, n, b.velocity, self.restitution[j]);
        self.record(i, &surface, relative, [approach, impulse]);
        Met { approach, is_elastic: e >= 1.0 }
    }

    /// Records that two discs have hit each other.
    #[inline(always)]
    pub(super) fn mark_disc_hit(&mut self, discs: [usize; 2]) {
        for i in discs {
            if let Some(effect) = self.gravity_effects.get_mut(i) {
                effect.has_hit_disc = true;
            }
        }
    }

    /// Separates two discs that approach at `approach` m/s along the unit vector from the first to the second. Returns
    /// the impulse, N s.
    #[inline(always)]
    pub(super) fn push_pair(&mut self, [i, j]: [usize; 2], normal: DVec2, approach: f64, e: f64) -> f64 {
        let (a, b) = (&self.particles[i], &self.particles[j]);
        let (change_a, change_b) = match (self.is_immovable(i), self.is_immovable(j)) {
            (true, true) => (0.0, 0.0),
            (true, false) => (0.0, (1.0 + e) * approach),
            (false, true) => (-(1.0 + e) * approach, 0.0),
            (false, false) => speed_changes(a.mass, b.mass, approach, e),
        };
        let impulse = if self.is_immovable(i) { b.mass * change_b } else { a.mass * -change_a };
        self.particles[i].velocity += normal * change_a;
        self.particles[j].velocity += normal * change_b;
        impulse
    }

    /// The surface that a disc touches: of static terrain, of a part of moving terrain, or of an immovable disc.
    pub(super) fn surface(&self, i: usize, partner: Partner) -> Option<Surface> {
        let Particle { position, velocity, radius, time, .. } = self.particles[i];
        match partner.meets() {
            Meets::Disc(other) => Some(self.surface_of_disc(i, other as usize)),
            _ => self.surface_of_terrain(partner, [position, velocity], radius, time),
        }
    }

    /// An immovable disc as a surface.
    fn surface_of_disc(&self, i: usize, other: usize) -> Surface {
        let Particle { position, radius, .. } = self.particles[i];
        let (normal, velocity) = (self.normal(i, other), self.particles[other].velocity);
        Surface::of_disc(other as u32, position, radius, normal, velocity, self.restitution[other])
    }

    /// The surface of the terrain that a disc on its path touches at a time of the tick; `None` for anything else.
    pub(super) fn surface_ahead(&self, i: usize, partner: Partner, time: f64) -> Option<Surface> {
        let Particle { velocity, radius, .. } = self.particles[i];
        let way = [self.particles[i].position_at(time), velocity];
        let mut surface = self.surface_of_terrain(partner, way, radius, time)?;
        // A corner of several pieces acts for the pieces that the disc collides with, as seen from the start of its
        // path.
        if let Meets::Piece(Piece::FixedCircle(circle)) = partner.meets()
            && let Some(circle) = self.circle_met(i, circle)
        {
            (surface.target, surface.restitution) = (HitTarget::FixedCircle(circle.entity), circle.restitution);
        }
        Some(surface)
    }

    fn surface_of_terrain(&self, partner: Partner, way: [DVec2; 2], radius: f64, time: f64) -> Option<Surface> {
        match partner.meets() {
            Meets::Piece(piece) => Some(Surface::of_standing(piece, &self.terrain_view(), way, radius, self.end)),
            Meets::Moving(part) => self.moving.surface(part, way, time),
            Meets::Disc(_) | Meets::Pocket(_) | Meets::Edge(_) | Meets::Support | Meets::Nothing => None,
        }
    }

    /// The block that a part of moving terrain belongs to, if any.
    pub(super) fn block_of(&self, partner: Partner) -> Option<u32> {
        partner.moving().and_then(|part| self.moving.block_of(part))
    }

    /// Resolves the impulse on a disc at its current position from terrain or an immovable disc; they approach at the
    /// speed of its straight path.
    fn resolve_surface(&mut self, i: usize, surface: &Surface) -> Met {
        let particle = self.particles[i];
        let answer = self.answer_at(i, surface, self.true_velocity(i, particle.time), None);
        let budget_used = self.budget_is_used(i);
        let (min_speed, resting_speed) = (self.min_hit_speed(i), self.laws.settings.resting_speed);
        let restitution = |approach: f64| {
            if budget_used { 0.0 } else { answer.restitution_above(min_speed, approach, resting_speed) }
        };
        let times = [particle.time, self.end];
        let mut flight = Flight::ending_with(particle.velocity, DVec2::ZERO, self.end);
        if let Some(&GravityEffect { acceleration, residual, .. }) = self.gravity_effects.get(i) {
            flight = Flight { gravity: self.gravity_of(i), acceleration, residual, ..flight };
        }
        let bounce = flight.bounce_off(surface, &answer, times, restitution);
        self.particles[i].velocity = flight.velocity;
        let mut slowest = min_speed.max(surface.slowest_hit());
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            effect.damped |= budget_used || bounce.is_damped;
            effect.has_hit_disc |= bounce.is_driven;
            effect.supported |= flight.acceleration != effect.acceleration;
            (effect.acceleration, effect.residual) = (flight.acceleration, flight.residual);
            slowest = slowest.max(rounding_speed(particle.position, particle.radius, self.end));
        }
        if let Some(Bounce { approach, e }) = bounce.hit.filter(|hit| hit.approach >= slowest) {
            let impulse = (1.0 + e) * approach * particle.mass;
            self.record(i, surface, bounce.before, [approach, impulse]);
        }
        let approach = (-bounce.before.dot(surface.away) / surface.away.length_squared().sqrt()).max(0.0);
        Met { approach, is_elastic: bounce.hit.is_some_and(|hit| hit.e >= 1.0) }
    }

    /// The answer to a hit of two discs.
    #[inline(always)]
    pub(super) fn answer_of_discs(&self, pair: [usize; 2], encounter: impl FnOnce() -> Encounter) -> Answer {
        self.laws.answers.of_discs(&self.laws.settings, pair.map(|i| self.side_of(i)), encounter)
    }

    /// The answer to a hit of a disc with this velocity (m/s) at a surface. `table` is set for a disc that spins on a
    /// table.
    #[inline(always)]
    pub(super) fn answer_at(
        &self,
        i: usize,
        surface: &Surface,
        velocity: DVec2,
        table: Option<&TablePhysics>,
    ) -> Answer {
        self.laws.answers.at_surface(&self.laws.settings, table, self.side_of(i), surface, self.entities, velocity)
    }

    /// The restitution of a hit of two discs at a time of the tick.
    pub(super) fn restitution_of_discs(&self, [i, j]: [usize; 2], time: f64) -> f32 {
        let encounter = || {
            let normal = self.normal_at(i, j, time);
            let point = self.particles[i].position_at(time) + normal * self.particles[i].radius;
            Encounter { point, normal, relative: self.true_velocity(i, time) - self.true_velocity(j, time) }
        };
        self.answer_of_discs([i, j], encounter).restitution
    }

    /// The restitution of a hit of a disc and a surface at a time of the tick.
    pub(super) fn restitution_on(&self, i: usize, surface: &Surface, time: f64) -> f32 {
        self.answer_at(i, surface, self.true_velocity(i, time), None).restitution
    }

    /// Applies friction between two discs that have hit each other with an impulse (N s) along the unit vector from the
    /// first to the second.
    fn rub_pair(&mut self, [i, j]: [usize; 2], normal: DVec2, friction: f32, impulse: f64) {
        if !(friction > 0.0) {
            return;
        }
        let share = |i: usize| if self.is_immovable(i) { 0.0 } else { 1.0 / self.particles[i].mass };
        let lightness = [share(i), share(j)];
        let relative = self.particles[i].velocity - self.particles[j].velocity;
        let rubs = rub_pair(relative, normal, f64::from(friction) * impulse, lightness);
        self.particles[i].velocity += rubs * lightness[0];
        self.particles[j].velocity -= rubs * lightness[1];
    }

    /// The lowest speed of a hit on a resting disc, m/s: gravity has pressed it against its support for half a tick.
    fn min_hit_speed(&self, i: usize) -> f64 {
        let supported = self.gravity_effects.get(i).is_some_and(|effect| effect.supported);
        if supported { SLOW_HIT * self.fall_speed([i]) } else { 0.0 }
    }
}
