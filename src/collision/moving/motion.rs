//! Where a piece goes within a tick. What it is given follows from its components, and so does what a prediction sees.

use bevy::{math::DVec2, prelude::*};

use super::MovingPiece;
use crate::terrain::Oscillation;

/// Where a piece is: metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    pub position: Vec2,
    pub rotation: f32,
}

/// What moves a piece, as its components say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// Metres per second.
    pub velocity: Vec2,
    /// Radians per second.
    pub spin: f32,
    /// Where it is when the tick ends, metres.
    pub move_to: Option<Vec2>,
    /// How it is turned when the tick ends, radians.
    pub turn_to: Option<f32>,
    pub oscillation: Option<Oscillation>,
}

/// What a piece does in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Metres per second.
    pub velocity: DVec2,
    /// Radians per second.
    pub spin: f64,
    /// A bound of its speed that takes no root.
    pub speed: f64,
}

impl Drive {
    /// Where it is to be when a tick ends, if that is given.
    fn target(&self, time_step: f64) -> Option<Vec2> {
        self.move_to.or_else(|| self.oscillation.map(|oscillation| oscillation.after(time_step).place()))
    }

    /// Whether something other than its velocities says where it goes.
    pub fn has_target(&self) -> bool {
        self.move_to.is_some() || self.turn_to.is_some() || self.oscillation.is_some()
    }

    pub fn motion(&self, pose: Pose, time_step: f64) -> Motion {
        let velocity = match self.target(time_step) {
            Some(target) => (target.as_dvec2() - pose.position.as_dvec2()) / time_step,
            None => self.velocity.as_dvec2(),
        };
        let spin = match self.turn_to {
            Some(target) => (f64::from(target) - f64::from(pose.rotation)) / time_step,
            None => f64::from(self.spin),
        };
        Motion { velocity, spin, speed: velocity.x.abs() + velocity.y.abs() }
    }

    /// Whether it moves anything, now or later.
    pub fn moves(&self, pose: Pose) -> bool {
        let still = match (self.move_to, self.oscillation) {
            (Some(target), _) => target == pose.position,
            (None, Some(_)) => false,
            (None, None) => self.velocity == Vec2::ZERO,
        };
        !still || self.turn_to.map_or(self.spin != 0.0, |target| target != pose.rotation)
    }
}

impl MovingPiece {
    /// Takes it to where it is when the tick ends.
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
        if let Some(oscillation) = &mut self.drive.oscillation {
            *oscillation = oscillation.after(time_step);
        }
    }

    /// It is turned by this angle when the tick ends, radians, or as it is to be.
    fn end_turn(&mut self, angle: f64) {
        let Drive { turn_to, .. } = self.drive;
        // What goes on turning keeps an angle with all its digits.
        let whole = if angle.abs() > std::f64::consts::PI { (angle / std::f64::consts::TAU).round() } else { 0.0 };
        self.pose.rotation = turn_to.unwrap_or((angle - whole * std::f64::consts::TAU) as f32);
        if turn_to.is_none() {
            self.before.rotation -= (whole * std::f64::consts::TAU) as f32;
        }
    }

    /// How fast it moves (m/s) and turns (rad/s) in the present tick.
    pub fn velocities(&self) -> (Vec2, f32) {
        (self.motion.velocity.as_vec2(), self.motion.spin as f32)
    }
}
