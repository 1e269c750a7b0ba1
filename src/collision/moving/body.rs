//! Blocks, which are pieces with a mass: their inertia, and how impulses and forces change their motion. A block moves
//! straight and turns at a constant rate from one change to the next; `since` is the time of the last one.

use bevy::{math::DVec2, prelude::*};

use super::{
    MovingPiece, MovingTerrain,
    motion::{PieceMotion, Twist},
};
use crate::{
    collision::validation::ignored::Values,
    components::{Bearings, BlockComponents, BlockMotionComponents, InvalidValue, Terrain, check_component},
};

/// The inertia of a block, and the forces on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockBody {
    /// 1/kg; zero if it is pinned.
    inverse_mass: f64,
    /// 1/(kg m²), about its pivot; zero if it does not turn.
    inverse_inertia: f64,
    /// The square of its radius of gyration about the pivot, m².
    gyration: f64,
    /// The pivot, relative to its position in its frame, metres: its centre of mass, or the pin.
    pub centre: Vec2,
    /// The vector from the pivot to its centre of mass, metres; zero unless it is pinned elsewhere.
    lever: DVec2,
    gravity_scale: f64,
    /// Its own drag, 1/s; `None` for the drag of the scene.
    pub drag: Option<f32>,
    /// Its own cloth friction, m/s²; `None` for the friction of the scene.
    pub friction: Option<f32>,
    /// The constant force at its centre of mass, newtons.
    force: DVec2,
    /// The constant torque, N m.
    torque: f64,
}

impl BlockBody {
    /// The body of a piece with a mass; `None` for other pieces. Ignored values of `motion` are recorded in `values`.
    pub fn of(
        terrain: &Terrain,
        inertia: BlockComponents,
        motion: BlockMotionComponents,
        values: &mut Values,
    ) -> Result<Option<Self>, InvalidValue> {
        let (Some(mass), inertia, locked) = inertia else { return Ok(None) };
        if matches!(terrain, Terrain::Arc { .. }) {
            return Err(InvalidValue::without_value("Mass", "an Arc cannot have one; remove it, or use a Polyline"));
        }
        check_component(mass)?;
        inertia.map_or(Ok(()), check_component)?;
        let mass = f64::from(mass.0);
        let own = inertia.map(|inertia| f64::from(inertia.0) / mass);
        let Bearings { centre, lever, gyration, is_pinned } = Bearings::of(terrain, own, locked);
        Ok(Some(Self {
            inverse_mass: if is_pinned { 0.0 } else { 1.0 / mass },
            inverse_inertia: if gyration > 0.0 { 1.0 / (mass * gyration) } else { 0.0 },
            gyration,
            centre: centre.as_vec2(),
            lever,
            ..Self::moved_by(motion, values)
        }))
    }

    /// A body without a mass, on which these forces act.
    fn moved_by(components: BlockMotionComponents, values: &mut Values) -> Self {
        let (gravity, drag, friction, force, torque) = components;
        Self {
            inverse_mass: 0.0,
            inverse_inertia: 0.0,
            gyration: 0.0,
            centre: Vec2::ZERO,
            lever: DVec2::ZERO,
            gravity_scale: values.usable(gravity).map_or(1.0, |scale| f64::from(scale.0)),
            drag: values.usable(drag).map(|drag| drag.0),
            friction: values.usable(friction).map(|friction| friction.0),
            force: values.usable(force).map_or(DVec2::ZERO, |force| force.as_dvec2()),
            torque: values.usable(torque).map_or(0.0, |torque| f64::from(torque.0)),
        }
    }

    /// 1/kg; zero if it is pinned.
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass
    }

    /// Its gravity scale; zero if it is pinned.
    pub fn falling(&self) -> f64 {
        if self.is_free() { self.gravity_scale } else { 0.0 }
    }

    /// The magnitude of its gravity scale: it scales the speeds that count as slow.
    pub fn weight(&self) -> f64 {
        self.gravity_scale.abs()
    }

    /// Whether it is free to move.
    pub fn is_free(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// The part of a motion that its locked axes allow.
    pub fn held(&self, velocity: Vec2, spin: f32) -> (Vec2, f32) {
        let velocity = if self.is_free() { velocity } else { Vec2::ZERO };
        (velocity, if self.inverse_inertia > 0.0 { spin } else { 0.0 })
    }

    /// The shape relative to the pivot.
    pub fn centred(&self, terrain: &Terrain) -> Terrain {
        let mut terrain = terrain.clone();
        match &mut terrain {
            Terrain::Segment { a, b } => {
                *a -= self.centre;
                *b -= self.centre;
            }
            Terrain::Polygon { points } | Terrain::Polyline { points } => {
                for point in points {
                    *point -= self.centre;
                }
            }
            Terrain::Circle { .. } | Terrain::Block { .. } | Terrain::Arena { .. } | Terrain::Arc { .. } => {}
        }
        terrain
    }
}

impl MovingPiece {
    /// Whether it has a mass.
    pub fn is_block(&self) -> bool {
        self.body.is_some()
    }

    /// The inverse of the effective mass of a point along the unit vector `n`, 1/kg: `1/m + (r × n)²/I`; zero if the
    /// piece is immovable.
    pub fn inverse_mass_at(&self, time: f64, point: DVec2, n: DVec2) -> f64 {
        self.coupling(time, [point, point], n)
    }

    /// The change of speed along `n` at one point by a unit impulse along `n` at another, 1/kg.
    pub fn coupling(&self, time: f64, [one, other]: [DVec2; 2], n: DVec2) -> f64 {
        let [inverse_mass, inverse_inertia] = self.inverse_masses();
        let origin = self.origin_at(time);
        let [one, other] = [one, other].map(|point| (point - origin).perp_dot(n));
        inverse_mass + one * other * inverse_inertia
    }

    /// The inverse mass, 1/kg, and the inverse inertia about the pivot, 1/(kg m²); zero if it is immovable.
    pub fn inverse_masses(&self) -> [f64; 2] {
        let body = self.body.filter(|_| self.waits.is_none());
        body.map_or([0.0; 2], |body| [body.inverse_mass, body.inverse_inertia])
    }

    /// Changes its motion by an impulse (N s) at a point (metres), from this time of the tick on.
    pub fn push(&mut self, time: f64, point: DVec2, impulse: DVec2) {
        let Some(body) = self.body.filter(|_| self.waits.is_none()) else { return };
        self.rebase(time);
        let PieceMotion { velocity, spin, .. } = self.motion;
        let spin = spin + (point - self.origin).perp_dot(impulse) * body.inverse_inertia;
        self.set_motion(velocity + impulse * body.inverse_mass, spin);
    }

    /// Moves the start of its current path to this time.
    pub fn rebase(&mut self, time: f64) {
        let frame = self.frame_at(time);
        self.angle += self.motion.spin * (time - self.since);
        (self.origin, self.frame, self.since) = (frame.origin, frame, time);
    }

    pub fn set_motion(&mut self, velocity: DVec2, spin: f64) {
        self.motion = PieceMotion { velocity, spin, speed: velocity.x.abs() + velocity.y.abs() };
        self.stamp = self.stamp.wrapping_add(1);
    }

    /// Stops it in place until the current path ends; `then` is its motion after that. Meanwhile it acts as a wall for
    /// discs and other blocks, and driven pieces pass over it.
    pub fn wait(&mut self, time: f64, then: Twist) {
        if self.waits.is_some() {
            return;
        }
        self.rebase(time);
        self.waits = Some(then);
        self.set_motion(DVec2::ZERO, 0.0);
    }

    /// The change of its motion by gravity, which changes the velocity of a free body of gravity scale 1 by `change`,
    /// m/s.
    pub fn change_by_gravity(&self, change: DVec2) -> Twist {
        let Some(body) = self.body else { return Twist::ZERO };
        let change = change * body.gravity_scale;
        if body.is_free() {
            Twist { velocity: change, spin: 0.0 }
        } else if body.lever != DVec2::ZERO && body.inverse_inertia > 0.0 {
            Twist { velocity: DVec2::ZERO, spin: self.frame.turn(body.lever).perp_dot(change) / body.gyration }
        } else {
            Twist::ZERO
        }
    }

    /// Whether it has a mass but is immovable now, because it waits or all of its axes are locked.
    pub fn is_stuck(&self) -> bool {
        self.is_block() && self.inverse_masses() == [0.0; 2]
    }
}

impl MovingTerrain {
    /// The blocks.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut MovingPiece> {
        self.pieces.iter_mut().filter(|piece| piece.is_block())
    }

    /// The kinetic energy of all blocks, of motion and rotation, joules.
    pub fn kinetic_energy(&self) -> f64 {
        let blocks = self.pieces.iter().filter(|piece| !piece.is_image);
        let each = blocks.filter_map(|piece| {
            let body = piece.body?;
            let Twist { velocity, spin } = piece.waits.unwrap_or(piece.motion.twist());
            let inertial = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
            let (mass, inertia) = (inertial(body.inverse_mass), inertial(body.inverse_inertia));
            Some(0.5 * (mass * velocity.length_squared() + inertia * spin * spin))
        });
        // The sum of an empty list is -0.0.
        each.sum::<f64>() + 0.0
    }

    /// Changes the motion of all blocks by gravity: see [`MovingPiece::change_by_gravity`]. Pinned blocks swing.
    pub fn accelerate_blocks(&mut self, change: Vec2) {
        for piece in self.blocks_mut() {
            let by = piece.change_by_gravity(change.as_dvec2());
            if by != Twist::ZERO {
                piece.set_motion(piece.motion.velocity + by.velocity, piece.motion.spin + by.spin);
            }
        }
    }

    /// Applies constant forces and torques for some seconds.
    pub fn force_blocks(&mut self, seconds: f64) {
        for piece in self.blocks_mut() {
            let Some(body) = piece.body.filter(|body| body.force != DVec2::ZERO || body.torque != 0.0) else {
                continue;
            };
            let PieceMotion { velocity, spin, .. } = piece.motion;
            let torque = body.torque + piece.frame.turn(body.lever).perp_dot(body.force);
            piece.set_motion(
                velocity + body.force * (body.inverse_mass * seconds),
                spin + torque * body.inverse_inertia * seconds,
            );
        }
    }

    /// Multiplies the velocities and spins of all blocks by the result of `keep` for their speed (m/s). That is the
    /// root of `v² + k² ω²` with the radius of gyration `k`: half its square is the kinetic energy per kilogram.
    pub fn brake_blocks(&mut self, keep: impl Fn(&BlockBody, f64) -> f64) {
        for piece in self.blocks_mut() {
            let Some(body) = piece.body else { continue };
            let PieceMotion { velocity, spin, .. } = piece.motion;
            let speed = (velocity.length_squared() + body.gyration * spin * spin).sqrt();
            if speed > 0.0
                && let keep = keep(&body, speed)
                && keep != 1.0
            {
                piece.set_motion(velocity * keep, spin * keep);
            }
        }
    }
}
