//! Pieces that have a mass: what an impulse makes of their motion. Such a piece is a block; it goes straight on and
//! turns evenly until something hits it, and `since` is when that was.

use bevy::{math::DVec2, prelude::*};

use super::{MovingPiece, MovingTerrain, motion::Motion};
use crate::{
    collision::validation::{InvalidValue, ignored::Values, positive},
    mass_properties::{Bearings, BlockComponents, BlockMotionComponents},
    terrain::Terrain,
};

/// How heavy a block is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// 1/kg; zero for what is pinned.
    inverse_mass: f64,
    /// 1/(kg m²), about the point about which it turns; zero for what does not turn.
    inverse_inertia: f64,
    /// The square of its radius of gyration about that point, m².
    gyration: f64,
    /// That point, as seen from its position in its frame, metres: its centre of mass, or the pin.
    pub centre: Vec2,
    /// From there to its centre of mass, metres; zero unless it is pinned elsewhere.
    lever: DVec2,
    /// By how much more than others it feels gravity.
    gravity_scale: f64,
    /// Its own drag, 1/s, and its own friction of the cloth, m/s², if it has them.
    pub drag: Option<f32>,
    pub friction: Option<f32>,
    /// What acts on it all the time: newtons at its centre of mass, N m.
    force: DVec2,
    torque: f64,
}

impl Body {
    /// That of a piece with a mass; none of one without. A value of how it moves that is ignored is noted in `values`.
    pub fn of(
        terrain: &Terrain,
        ((mass, inertia, locked), motion): (BlockComponents, BlockMotionComponents),
        values: &mut Values,
    ) -> Result<Option<Self>, InvalidValue> {
        let Some(mass) = mass else { return Ok(None) };
        if matches!(terrain, Terrain::Arc { .. }) {
            return Err(InvalidValue::MassOfArc);
        }
        if !positive(mass.0) {
            return Err(InvalidValue::Mass(mass.0));
        }
        if let Some(inertia) = inertia.filter(|inertia| !positive(inertia.0)) {
            return Err(InvalidValue::MomentOfInertia(inertia.0));
        }
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

    /// One without a mass that is moved as these components say.
    fn moved_by((gravity, drag, friction, force, torque): BlockMotionComponents, values: &mut Values) -> Self {
        Self {
            inverse_mass: 0.0,
            inverse_inertia: 0.0,
            gyration: 0.0,
            centre: Vec2::ZERO,
            lever: DVec2::ZERO,
            gravity_scale: f64::from(values.gravity_scale(gravity)),
            drag: values.drag(drag),
            friction: values.friction(friction),
            force: values.force(force).as_dvec2(),
            torque: f64::from(values.torque(torque)),
        }
    }

    /// 1/kg; zero for what is pinned.
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass
    }

    /// By how much more than others it feels gravity; zero for what is pinned.
    pub fn falling(&self) -> f64 {
        if self.is_free() { self.gravity_scale } else { 0.0 }
    }

    /// How much of what gravity makes is slow for it.
    pub fn weight(&self) -> f64 {
        self.gravity_scale.abs()
    }

    /// Whether it is free to move.
    pub fn is_free(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// What of a motion its bearings let it have.
    pub fn held(&self, velocity: Vec2, spin: f32) -> (Vec2, f32) {
        let velocity = if self.is_free() { velocity } else { Vec2::ZERO };
        (velocity, if self.inverse_inertia > 0.0 { spin } else { 0.0 })
    }

    /// The shape as seen from the point about which it turns.
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
    /// Whether an impulse can change how it moves.
    pub fn is_block(&self) -> bool {
        self.body.is_some()
    }

    /// How readily a push at a point along the unit vector `n` moves that point, 1/kg: the inverse of the effective
    /// mass there, `1/m + (r × n)²/I`; zero for what nothing moves.
    pub fn inverse_mass_at(&self, time: f64, point: DVec2, n: DVec2) -> f64 {
        self.coupling(time, [point, point], n)
    }

    /// How much a unit impulse at one point along `n` changes the speed of another along `n`, 1/kg.
    pub fn coupling(&self, time: f64, [one, other]: [DVec2; 2], n: DVec2) -> f64 {
        let [inverse_mass, inverse_inertia] = self.inverse_masses();
        let origin = self.origin_at(time);
        let [one, other] = [one, other].map(|point| (point - origin).perp_dot(n));
        inverse_mass + one * other * inverse_inertia
    }

    /// 1/kg, and 1/(kg m²) about the point about which it turns; zero for what no push moves.
    pub fn inverse_masses(&self) -> [f64; 2] {
        let body = self.body.filter(|_| self.waits.is_none());
        body.map_or([0.0; 2], |body| [body.inverse_mass, body.inverse_inertia])
    }

    /// Changes its motion by an impulse at a point (N s, metres), from a time of the tick on.
    pub fn push(&mut self, time: f64, point: DVec2, impulse: DVec2) {
        let Some(body) = self.body.filter(|_| self.waits.is_none()) else { return };
        self.rebase(time);
        let Motion { velocity, spin, .. } = self.motion;
        let spin = spin + (point - self.origin).perp_dot(impulse) * body.inverse_inertia;
        self.set_motion(velocity + impulse * body.inverse_mass, spin);
    }

    /// Lets its present way begin at this time.
    pub fn rebase(&mut self, time: f64) {
        let frame = self.frame_at(time);
        self.angle += self.motion.spin * (time - self.since);
        (self.origin, self.frame, self.since) = (frame.origin, frame, time);
    }

    pub fn set_motion(&mut self, velocity: DVec2, spin: f64) {
        self.motion = Motion { velocity, spin, speed: velocity.x.abs() + velocity.y.abs() };
        self.stamp = self.stamp.wrapping_add(1);
    }

    /// Stops it where it is until the present way ends; then it has this velocity (m/s) and spin (rad/s). Meanwhile it
    /// is a wall for discs and other blocks, and what the game moves passes over it.
    pub fn wait(&mut self, time: f64, then: (DVec2, f64)) {
        if self.waits.is_some() {
            return;
        }
        self.rebase(time);
        self.waits = Some(then);
        self.set_motion(DVec2::ZERO, 0.0);
    }

    /// What gravity adds to its velocity (m/s) and spin (rad/s) where it adds `change` to the velocity of what is free
    /// and falls as others do.
    pub fn given_by(&self, change: DVec2) -> (DVec2, f64) {
        let Some(body) = self.body else { return (DVec2::ZERO, 0.0) };
        let change = change * body.gravity_scale;
        if body.is_free() {
            (change, 0.0)
        } else if body.lever != DVec2::ZERO && body.inverse_inertia > 0.0 {
            (DVec2::ZERO, self.frame.turn(body.lever).perp_dot(change) / body.gyration)
        } else {
            (DVec2::ZERO, 0.0)
        }
    }

    /// Whether it has a mass and yet no push moves it now: it waits, or all of its axes are locked.
    pub fn is_stuck(&self) -> bool {
        self.is_block() && self.inverse_masses() == [0.0; 2]
    }
}

impl MovingTerrain {
    /// The blocks.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut MovingPiece> {
        self.pieces.iter_mut().filter(|piece| piece.is_block())
    }

    /// Adds to the velocities of all blocks that are free to move what an acceleration makes in some seconds; those
    /// that are pinned swing.
    pub fn accelerate_blocks(&mut self, change: Vec2) {
        for piece in self.blocks_mut() {
            let (velocity, spin) = piece.given_by(change.as_dvec2());
            if (velocity, spin) != (DVec2::ZERO, 0.0) {
                piece.set_motion(piece.motion.velocity + velocity, piece.motion.spin + spin);
            }
        }
    }

    /// Lets constant forces and torques act for so many seconds.
    pub fn force_blocks(&mut self, seconds: f64) {
        for piece in self.blocks_mut() {
            let Some(body) = piece.body.filter(|body| body.force != DVec2::ZERO || body.torque != 0.0) else {
                continue;
            };
            let Motion { velocity, spin, .. } = piece.motion;
            let torque = body.torque + piece.frame.turn(body.lever).perp_dot(body.force);
            piece.set_motion(
                velocity + body.force * (body.inverse_mass * seconds),
                spin + torque * body.inverse_inertia * seconds,
            );
        }
    }

    /// Multiplies the velocities of all blocks, sliding and turning, by what `keep` says of their speed (m/s): the root
    /// of `v² + k² ω²` with the radius of gyration `k`, so that half its square is the kinetic energy for each
    /// kilogram.
    pub fn brake_blocks(&mut self, keep: impl Fn(&Body, f64) -> f64) {
        for piece in self.blocks_mut() {
            let Some(body) = piece.body else { continue };
            let Motion { velocity, spin, .. } = piece.motion;
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
