//! Resolution: what an impact makes of the velocities of those that meet, with the impulses of the stepped mode.

use bevy::math::DVec2;

use super::{
    particles::{Impact, Partner},
    tick_state::{GravityEffect, TickState},
};
use crate::collision::{
    bridge::report::Collider,
    flight::{Bounce, Flight},
    geometry::{TerrainView, away_from},
    response::{arbitrary_normal, restitution_of, speed_changes},
    settings::combine_restitution,
};

/// What lies on something is hit by nothing that is slower than this share of what gravity adds in a tick.
const SLOW_HIT: f64 = 1.0;

impl TickState<'_> {
    /// Takes a disc along its path.
    fn advance(&mut self, i: usize, time: f64) {
        let particle = &mut self.particles[i];
        particle.position = particle.position_at(time);
        particle.time = time;
    }

    /// Resolves an impact with the impulses of the stepped mode, and gives the speed along the normal at which they met.
    #[inline(always)]
    pub(super) fn resolve(&mut self, Impact { time, disc, partner }: Impact) -> f64 {
        let i = disc as usize;
        self.advance(i, time);
        let approach = if let Some(other) = partner.disc() {
            self.advance(other as usize, time);
            let approach = self.resolve_pair(i, other as usize, None);
            self.record_vertex(other, time);
            approach
        } else {
            self.resolve_terrain(i, partner, None)
        };
        self.record_vertex(disc, time);
        approach
    }

    /// Unit vector from the centre of a disc to that of another, both at the same time.
    #[inline(always)]
    fn normal(&self, i: usize, j: usize) -> DVec2 {
        let line = self.particles[j].position - self.particles[i].position;
        let distance = line.length_squared().sqrt();
        if distance > 0.0 { line / distance } else { arbitrary_normal(self.ids[i], self.ids[j]).as_dvec2() }
    }

    /// The impulse between two discs where they are, with this restitution or their own; nothing if they recede.
    #[inline(always)]
    pub(super) fn resolve_pair(&mut self, i: usize, j: usize, e: Option<f32>) -> f64 {
        let n = self.normal(i, j);
        let (a, b) = (self.particles[i], self.particles[j]);
        let approach = a.velocity.dot(n) - b.velocity.dot(n);
        if !(approach > 0.0) {
            return 0.0;
        }
        let budget_used = self.budget_is_used(i) || self.budget_is_used(j);
        let recorded = e.is_none();
        let damped = !recorded
            || budget_used
            || combine_restitution(self.restitution[i], self.restitution[j], self.settings.restitution) < 1.0;
        if !self.gravity_effects.is_empty() {
            self.met.push([i as u32, j as u32]);
            self.gravity_effects[i].damped |= damped;
            self.gravity_effects[j].damped |= damped;
        }
        if recorded && !self.gravity_effects.is_empty() && self.rests_or_recedes(i, j, n, approach) {
            self.was_elastic = false;
            let (change_a, change_b) = speed_changes(a.mass, b.mass, approach, 0.0);
            self.particles[i].velocity += n * change_a;
            self.particles[j].velocity += n * change_b;
            return approach;
        }
        let e = e.unwrap_or_else(|| {
            let carried = (self.restitution[i], self.restitution[j], self.settings.restitution);
            if budget_used { 0.0 } else { restitution_of(approach as f32, carried, self.settings.resting_speed) }
        });
        self.was_elastic = e >= 1.0;
        let (change_a, change_b) = match (self.is_frozen(i), self.is_frozen(j)) {
            (true, true) => (0.0, 0.0),
            (true, false) => (0.0, (1.0 + f64::from(e)) * approach),
            (false, true) => (-(1.0 + f64::from(e)) * approach, 0.0),
            (false, false) => speed_changes(a.mass, b.mass, approach, f64::from(e)),
        };
        self.particles[i].velocity += n * change_a;
        self.particles[j].velocity += n * change_b;
        if recorded && !self.gravity_effects.is_empty() {
            self.release(i);
            self.release(j);
        }
        if recorded {
            let impulse = if self.is_frozen(i) { b.mass * change_b } else { a.mass * -change_a };
            self.record(i, Collider::Disc(j as u32), a.position + n * a.radius, n, approach, impulse);
        }
        approach
    }

    /// The impulse between a disc and a piece of terrain where it is; nothing if it recedes.
    pub(super) fn resolve_terrain(&mut self, i: usize, partner: Partner, e: Option<f32>) -> f64 {
        let particle = self.particles[i];
        let piece = partner.piece();
        let terrain = TerrainView { walls: self.walls, fixed_circles: self.fixed_circles, index: self.terrain };
        let (away, point) = away_from(piece, &terrain, particle.position, particle.velocity);
        let (collider, carried) = terrain.collider(piece);
        let budget_used = self.budget_is_used(i);
        let recorded = e.is_none();
        let carried = (self.restitution[i], carried, self.settings.wall_restitution);
        let min_speed = self.min_hit_speed(i);
        let restitution = |approach: f64| match e {
            Some(e) => f64::from(e),
            None if budget_used => 0.0,
            None => match restitution_of(approach as f32, carried, self.settings.resting_speed) {
                e if e < 1.0 && approach < min_speed => 0.0,
                e => f64::from(e),
            },
        };
        let (gravity, acceleration, residual) = match self.gravity_effects.get(i) {
            Some(effect) if recorded => (self.gravity, effect.acceleration, effect.residual),
            _ => (DVec2::ZERO, DVec2::ZERO, DVec2::ZERO),
        };
        let approach = -particle.velocity.dot(away) / away.length_squared().sqrt();
        let mut flight = Flight { velocity: particle.velocity, gravity, acceleration, residual };
        let bounce = flight.bounce(away, [particle.time, self.end], restitution);
        self.particles[i].velocity = flight.velocity;
        if let Some(effect) = self.gravity_effects.get_mut(i) {
            effect.damped |= !recorded || budget_used || combine_restitution(carried.0, carried.1, carried.2) < 1.0;
        }
        if let (Some(effect), true) = (self.gravity_effects.get_mut(i), recorded) {
            effect.supported |= flight.acceleration != effect.acceleration;
            (effect.acceleration, effect.residual) = (flight.acceleration, flight.residual);
        }
        self.was_elastic = bounce.is_some_and(|bounce| bounce.e >= 1.0);
        if let Some(Bounce { approach, e }) = bounce.filter(|bounce| recorded && bounce.approach >= min_speed) {
            let normal = -away / away.length_squared().sqrt();
            self.record(i, collider, point, normal, approach, (1.0 + e) * approach * particle.mass);
        }
        approach.max(0.0)
    }

    /// Slower than this, m/s, nothing hits that lies on something: gravity has pressed it against what it lies on for half a tick.
    fn min_hit_speed(&self, i: usize) -> f64 {
        let supported = self.gravity_effects.get(i).is_some_and(|effect| effect.supported);
        if supported { SLOW_HIT * self.gravity.length() * self.end } else { 0.0 }
    }

    /// Two discs touch and their straight paths approach: whether that is because one of them falls and the other is held, while
    /// their true velocities do not, or hardly. Then the one that falls lies on the other.
    fn rests_or_recedes(&mut self, i: usize, j: usize, n: DVec2, approach: f64) -> bool {
        let (a, b) = (self.gravity_effects[i], self.gravity_effects[j]);
        if (a.acceleration == b.acceleration && !(a.supported || b.supported)) || self.is_frozen(i) || self.is_frozen(j)
        {
            return false;
        }
        let relative = (a.acceleration - b.acceleration).dot(n);
        let since_middle = self.particles[i].time - 0.5 * self.end;
        let true_approach = approach + relative * since_middle;
        let min_speed = self.min_hit_speed(i).max(self.min_hit_speed(j));
        if true_approach > min_speed {
            return false;
        }
        if relative > 0.0 {
            // Who is held goes on being held, and holds the other.
            let free = [a.acceleration == self.gravity, b.acceleration == self.gravity];
            let (mass_a, mass_b) = (self.particles[i].mass, self.particles[j].mass);
            let (share_a, share_b) = match free {
                [true, false] => (1.0, 0.0),
                [false, true] => (0.0, 1.0),
                _ => (mass_b / (mass_a + mass_b), mass_a / (mass_a + mass_b)),
            };
            self.gravity_effects[i].acceleration -= n * (relative * share_a);
            self.gravity_effects[j].acceleration += n * (relative * share_b);
        }
        self.gravity_effects[i].supported = true;
        self.gravity_effects[j].supported = true;
        true
    }

    /// A disc that was held and is hit away from what held it falls again.
    fn release(&mut self, i: usize) {
        let GravityEffect { acceleration, residual, .. } = self.gravity_effects[i];
        let held = acceleration - self.gravity;
        let particle = &mut self.particles[i];
        if held == DVec2::ZERO || !(particle.velocity.dot(held) > 0.0) {
            return;
        }
        particle.velocity += held * (particle.time - 0.5 * self.end) + residual;
        self.gravity_effects[i] = GravityEffect {
            acceleration: self.gravity,
            residual: DVec2::ZERO,
            supported: false,
            ..self.gravity_effects[i]
        };
    }
}
