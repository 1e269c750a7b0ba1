//! Small steps for a group that turns far within a step. The group alone moves through the step ahead of time, by as
//! many RATTLE steps as it needs. Its discs then move straight with their mean velocities, as all discs do. At the end
//! of the step they get their velocities at that time, plus all changes on the way. ("Multiple time stepping":
//! Tuckerman, Berne and Martyna 1992.)
//!
//! A small step is undone and halved in three cases. It turns a joint too far, a light disc oscillates too fast for it
//! between taut joints, or it changes the energy. Where the motion is smooth again, steps get longer. The small
//! remaining change of the energy is corrected.
//!
//! Limits: a step is halved at most [`MAX_HALVINGS`] times, in large groups less often. Groups that are swept take no
//! small steps. A group whose lengths contradict each other takes long ones as soon as that is found.

use bevy::math::DVec2;

use super::{
    Fall, Group, JointBody, Link, POSITION_ROUNDING,
    direct::Pull,
    lengths::{KEPT_ERROR, MAX_FAILED_SWEEPS},
};

/// The largest sine squared of the turn of a single joint in a whole step, dimensionless: a quarter of a radian, up to
/// which one RATTLE step is accurate.
const MAX_TURN_ALONE: f64 = 0.0625;

/// The largest sine squared of the turn of a connected joint in a small step, dimensionless: 0.15 rad, because errors
/// add up along a chain.
const MAX_TURN: f64 = 0.0225;

/// The largest square of the phase, rad², by which a light disc oscillates between taut joints in a small step: half a
/// radian. Verlet is stable up to 2 rad.
const MAX_SWING: f64 = 0.25;

/// The largest change of the energy of a group in a small step as a share of it, dimensionless. The change is
/// corrected, so this only bounds how much the correction disturbs the motion.
const MAX_ENERGY_ERROR: f64 = 1e-3;

/// Steps get longer if the strain is below this, as a share of the limit, dimensionless. Twice the step turns joints
/// four times as far, in squares, so the longer step is expected to pass.
const SMOOTH: f64 = 0.1;

/// The largest number of times that a step is halved.
const MAX_HALVINGS: u32 = 8;

/// The largest number of joints visited in the small steps of one step. It bounds the cost of large groups.
const MAX_VISITS: usize = 32_768;

/// The strain of a small step, each part as a share of its limit.
#[derive(Clone, Copy)]
struct Strain {
    turn: f64,
    swing: f64,
    energy: f64,
}

impl Strain {
    fn most(self) -> f64 {
        most(most(self.turn, self.swing), self.energy)
    }
}

impl Group {
    /// Whether this step is divided into small ones. Connected rods and ropes always use small steps. A single one does
    /// if its energy lets it turn far at any time, so the method does not change during a swing. Springs do if one of
    /// them turns far in this step, for example where its ends pass close by each other.
    pub(super) fn turns_far(&self, h: f64, fall: Fall) -> bool {
        let hang_together = self.links.len() > 1 && self.links.iter().any(Link::has_length);
        if !(h > 0.0) || hang_together {
            return hang_together && h > 0.0;
        }
        self.links.iter().any(|link| {
            let Some([a, b]) = link.ends(&self.bodies) else { return false };
            let gravity = b.gravity - a.gravity;
            let (way, velocity) = (b.at - a.at, b.velocity - a.velocity - gravity * fall.before);
            if !link.has_length() {
                return link.kind.length() > 0.0 && may_turn_far(way, velocity * h);
            }
            let length = f64::from(link.kind.length());
            let height = (gravity.length_squared().sqrt() * length - gravity.dot(way)).max(0.0);
            let fastest = velocity.length_squared() + 2.0 * height;
            fastest * h * h > MAX_TURN_ALONE * length * length
        })
    }

    /// Moves the group through the step, and sets the mean velocities of its discs.
    pub(super) fn go_ahead(&mut self, h: f64, fall: Fall) {
        let starts: Vec<_> = self.bodies.iter().map(|body| (body.at, body.velocity)).collect();
        for body in &mut self.bodies {
            body.velocity -= body.gravity * fall.before;
        }
        self.links.iter_mut().for_each(|link| link.rebound = 0.0);
        self.keep_lengths();
        self.take_small_steps(h, fall);
        for (body, (start, velocity)) in self.bodies.iter_mut().zip(starts) {
            let mean = ((body.at - start + body.gravity * fall.lag) / h).as_vec2().as_dvec2();
            let kick = body.velocity - body.gravity * fall.after - mean;
            body.end = body.at;
            (body.at, body.velocity, body.given) = (start, velocity, velocity + body.gravity * fall.after);
            if body.pushed && body.per_mass > 0.0 && mean.is_finite() && kick.is_finite() {
                (body.velocity, body.given, body.kick) = (mean, mean + body.gravity * fall.after, kick);
            }
        }
    }

    /// Sets the velocities of the discs at the end of the step. A hit has used mean velocities, and has moved its disc:
    /// the energy of motion and of springs that this adds is removed.
    pub(super) fn catch_up(&mut self, forces_have_acted: bool) {
        let anchor = self.anchor();
        let kinetic =
            |velocity: DVec2, body: &JointBody| 0.5 * (velocity - anchor.velocity).length_squared() / body.per_mass;
        let (mut is_hit, mut expected) = (false, 0.0);
        for body in self.bodies.iter_mut().filter(|body| body.per_mass > 0.0 && body.is_there()) {
            is_hit |= body.pushed
                && (body.at - body.end).abs().max_element() > POSITION_ROUNDING * body.at.abs().max_element();
            is_hit |= !forces_have_acted && body.velocity != body.given;
            let by_hits = kinetic(body.velocity, body) - kinetic(body.given, body);
            expected += kinetic(body.given + body.kick, body) + by_hits;
            body.velocity += body.kick;
        }
        self.links.iter_mut().for_each(|link| link.rebound = 0.0);
        self.keep_lengths();
        if is_hit {
            let moved = self.bodies.iter().filter(|body| body.per_mass > 0.0 && body.is_there());
            let gained = moved.map(|body| kinetic(body.velocity, body)).sum::<f64>() - expected;
            let gained = gained + self.stretched_by_hits();
            if gained > 0.0 {
                self.take_after_hit(gained, anchor);
            }
        }
    }

    fn take_small_steps(&mut self, h: f64, fall: Fall) {
        // Small steps do not improve sweeps over a net without a matrix.
        let is_swept = self.matrix.is_none() && self.links.len() > 1 && self.links.iter().any(Link::has_length);
        let most = if is_swept { 0 } else { (MAX_VISITS / self.links.len()).max(4).ilog2().min(MAX_HALVINGS) };
        let (mut left, mut halvings, mut pull) = (1_u32 << most, 0, Pull::AtBegin);
        // Whether even the smallest step does not reach the lengths. Long ones are no worse then.
        let mut is_hopeless = false;
        // Errors are measured against at least the energy that gravity adds within the step.
        let least = self.bodies.iter().filter(|body| body.per_mass > 0.0);
        let least: f64 = least.map(|body| (fall.gravity * h).length_squared() / body.per_mass).sum();
        while left > 0 {
            self.saved.clone_from(&self.bodies);
            let is_last_resort = halvings == most && (self.matrix.is_none() || pull == Pull::AtEnd);
            let must_pass = is_last_resort || is_hopeless;
            let share = 1.0 / f64::from(1_u32 << halvings);
            let strain = self.small_step(h, share, pull, least);
            if !(strain <= 1.0) && !must_pass {
                self.bodies.clone_from(&self.saved);
                if halvings < most {
                    halvings += 1;
                } else {
                    pull = Pull::AtEnd;
                }
                continue;
            }
            is_hopeless |= is_last_resort && self.failed_sweeps >= MAX_FAILED_SWEEPS;
            left -= 1 << (most - halvings);
            if (strain < SMOOTH || is_hopeless) && halvings > 0 && left.trailing_zeros() > most - halvings {
                halvings -= 1;
            }
        }
    }

    /// Moves the group through this share of a step of `h` seconds, and returns the strain.
    fn small_step(&mut self, h: f64, share: f64, pull: Pull, least: f64) -> f64 {
        let (time, anchor) = (h * share, self.anchor());
        let frame = anchor.velocity;
        self.bodies.iter_mut().for_each(|body| body.held = DVec2::ZERO);
        let before = self.energy(frame);
        self.accelerate(0.5 * time);
        self.pull(0.5 * time);
        let mut taken = self.damp_and_count(0.5 * time);
        self.reach_lengths(time, 1.0 - (1.0 - KEPT_ERROR) * share, pull);
        let mut strain = self.strain(time);
        let mut may_lose = self.gets_taut();
        let mut work = 0.0;
        for body in &mut self.bodies {
            body.at += body.velocity * time;
            if body.per_mass > 0.0 && body.is_there() {
                work += body.gravity.dot(body.velocity - frame) * time / body.per_mass;
            }
        }
        taken += self.damp_and_count(0.5 * time);
        self.pull(0.5 * time);
        self.accelerate(0.5 * time);
        self.keep_lengths();
        may_lose |= self.gets_taut();
        let after = self.energy(frame);
        let gained = after - before - work - self.work_of_ends(frame) + taken;
        let off = if may_lose { gained.max(0.0) } else { gained };
        if off != 0.0 {
            strain.energy = off.abs() / (MAX_ENERGY_ERROR * (before.max(after) + least));
            self.take(off, anchor);
        }
        strain.most()
    }

    fn accelerate(&mut self, time: f64) {
        self.bodies.iter_mut().for_each(|body| body.velocity += body.gravity * time);
    }

    /// Applies dampers. Returns the energy that they remove, joules.
    fn damp_and_count(&mut self, time: f64) -> f64 {
        if !self.has_dampers {
            return 0.0;
        }
        let before = self.energy(DVec2::ZERO);
        self.damp(time);
        before - self.energy(DVec2::ZERO)
    }

    /// Whether a rope pulls that was slack at the start of the step. That removes energy.
    fn gets_taut(&self) -> bool {
        self.links.iter().any(|link| link.slack && link.given != 0.0)
    }

    /// The turns of the joints and the oscillations between them in the current small step, of `time` seconds.
    fn strain(&self, time: f64) -> Strain {
        let mut strain = Strain { turn: 0.0, swing: 0.0, energy: 0.0 };
        for link in self.links.iter().filter(|link| link.has_length() && (link.given != 0.0 || !link.is_rope())) {
            let Some([a, b]) = link.ends(&self.bodies) else { continue };
            let way = link.from + (b.velocity - a.velocity) * time;
            let (along, across) = (link.from.dot(way), link.from.perp_dot(way));
            let squares = link.from.length_squared() * way.length_squared();
            let turn = if along < 0.0 { 1.0 } else { across * across / squares };
            let swing = 2.0 * link.given.abs() * (a.per_mass + b.per_mass) * time;
            if squares > 0.0 {
                strain.turn = most(strain.turn, turn / MAX_TURN);
                strain.swing = most(strain.swing, swing / MAX_SWING);
            }
        }
        strain
    }
}

/// Whether a body at the distance `from` that moves by `way` (metres) may turn far on its path, even if a force bends
/// the path by as much.
fn may_turn_far(from: DVec2, way: DVec2) -> bool {
    let squared = way.length_squared();
    let share = if squared > 0.0 { (-from.dot(way) / squared).clamp(0.0, 1.0) } else { 0.0 };
    squared > MAX_TURN_ALONE * (from + way * share).length_squared()
}

/// The larger of the two; NaN if one is NaN.
fn most(a: f64, b: f64) -> f64 {
    if b <= a { a } else { b }
}
