//! The motion of a piece within a tick. Only its components decide it, so a prediction uses the same motion.

use bevy::{math::DVec2, prelude::*};
use std::ops::Sub;

use super::MovingPiece;
use crate::components::PeriodicMotion;

/// The position (metres) and rotation (radians) of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    pub position: Vec2,
    pub rotation: f32,
}

/// How the components of a piece move it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// Metres per second.
    pub velocity: Vec2,
    /// Radians per second.
    pub spin: f32,
    /// Its position at the end of the tick, metres.
    pub move_to: Option<Vec2>,
    /// Its rotation at the end of the tick, radians.
    pub turn_to: Option<f32>,
    /// Its [`Orbit`](crate::components::Orbit) or [`Oscillation`](crate::components::Oscillation).
    pub(crate) periodic: Option<PeriodicMotion>,
}

/// A velocity and a spin, or changes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Metres per second.
    pub velocity: DVec2,
    /// Radians per second.
    pub spin: f64,
}

impl Twist {
    pub const ZERO: Self = Self { velocity: DVec2::ZERO, spin: 0.0 };
}

impl Sub for Twist {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { velocity: self.velocity - other.velocity, spin: self.spin - other.spin }
    }
}

/// The motion of a piece in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceMotion {
    /// Metres per second.
    pub velocity: DVec2,
    /// Radians per second.
    pub spin: f64,
    /// An upper bound of its speed, without a square root, m/s.
    pub speed: f64,
}

impl PieceMotion {
    pub fn twist(&self) -> Twist {
        Twist { velocity: self.velocity, spin: self.spin }
    }
}

impl Drive {
    /// Its target at the end of a tick, if it has one.
    fn target(&self, time_step: f64) -> Option<Vec2> {
        self.move_to.or_else(|| self.periodic.map(|periodic| periodic.after(time_step).place()))
    }

    /// Whether a target or a periodic motion overrides its velocities.
    pub fn has_target(&self) -> bool {
        self.move_to.is_some() || self.turn_to.is_some() || self.periodic.is_some()
    }

    pub fn motion(&self, pose: Pose, time_step: f64) -> PieceMotion {
        let velocity = match self.target(time_step) {
            Some(target) => (target.as_dvec2() - pose.position.as_dvec2()) / time_step,
            None => self.velocity.as_dvec2(),
        };
        let spin = match self.turn_to {
            Some(target) => (f64::from(target) - f64::from(pose.rotation)) / time_step,
            None => f64::from(self.spin),
        };
        PieceMotion { velocity, spin, speed: velocity.x.abs() + velocity.y.abs() }
    }

    /// Whether it moves, now or later.
    pub fn moves(&self, pose: Pose) -> bool {
        let still = match (self.move_to, self.periodic) {
            (Some(target), _) => target == pose.position,
            (None, Some(_)) => false,
            (None, None) => self.velocity == Vec2::ZERO,
        };
        !still || self.turn_to.map_or(self.spin != 0.0, |target| target != pose.rotation)
    }
}

impl MovingPiece {
    /// Moves it to its pose at the end of the tick.
    pub fn end_tick(&mut self, time_step: f32) {
        let time_step = f64::from(time_step);
        if let Some(body) = self.body {
            let shift = self.frame.turn(body.centre.as_dvec2());
            self.pose.position = (self.origin - shift).as_vec2();
            (self.drive.velocity, self.drive.spin) = (self.motion.velocity.as_vec2(), self.motion.spin as f32);
            self.end_turn(self.angle);
            return;
        }
        let target = self.drive.target(time_step);
        self.pose.position = target.unwrap_or((self.origin + self.motion.velocity * time_step).as_vec2());
        self.end_turn(self.angle + self.motion.spin * time_step);
        if let Some(periodic) = &mut self.drive.periodic {
            *periodic = periodic.after(time_step);
        }
    }

    /// Sets its rotation at the end of the tick: this angle (radians), or its target.
    fn end_turn(&mut self, angle: f64) {
        let Drive { turn_to, .. } = self.drive;
        // The angle of a piece that keeps turning stays small, so that it keeps all its digits.
        let whole = if angle.abs() > std::f64::consts::PI { (angle / std::f64::consts::TAU).round() } else { 0.0 };
        self.pose.rotation = turn_to.unwrap_or((angle - whole * std::f64::consts::TAU) as f32);
        if turn_to.is_none() {
            self.before.rotation -= (whole * std::f64::consts::TAU) as f32;
        }
    }

    /// Its velocity (m/s) and spin (rad/s) in the current tick.
    pub fn velocities(&self) -> (Vec2, f32) {
        (self.motion.velocity.as_vec2(), self.motion.spin as f32)
    }
}
