//! The way of a disc on the cloth since its last impact: from it follow its motion at any time, and the straight path that the solver takes it
//! along until the step ends.

use bevy::math::{DVec2, DVec3, Vec2, Vec3};

use super::{Body, Cloth, Motion, Shape, TablePhysics, cloth, flat};
use crate::collision::space::Space;

/// A disc since its last impact, or since the step began.
#[derive(Clone, Copy, Debug)]
pub struct Trajectory {
    /// When that was, seconds since the step began.
    pub began: f64,
    /// Where its centre was then, metres.
    pub place: DVec2,
    /// How it moved then.
    pub motion: Motion,
    /// Its radius, metres.
    pub radius: f64,
    /// What it is made like, if it spins; a smooth disc goes straight on.
    pub shape: Option<Shape>,
}

impl Trajectory {
    /// How it moves at a time (seconds since the step began), and how far it has got since its impact, metres.
    #[must_use]
    pub fn at(&self, cloth: &Cloth, time: f64) -> (Motion, DVec2) {
        let passed = time - self.began;
        match self.shape {
            Some(Shape::Ball) => cloth::after(&self.motion, self.radius, cloth, passed),
            Some(Shape::Flat) => flat::after(&self.motion, self.radius, cloth, passed),
            None => (self.motion, self.motion.velocity * passed),
        }
    }

    /// The velocity of the straight path that ends where it does at `end`, m/s.
    #[must_use]
    pub fn mean_velocity(&self, cloth: &Cloth, end: f64) -> DVec2 {
        let passed = end - self.began;
        if self.shape.is_none() || !(passed > 0.0) {
            return self.motion.velocity;
        }
        self.at(cloth, end).1 / passed
    }

    /// What a hit needs to know of it; a smooth disc has no friction with anything.
    #[must_use]
    pub fn body(&self, mass: f64) -> Option<Body> {
        self.shape.map(|shape| Body { mass, radius: self.radius, shape })
    }
}

impl Space {
    /// Before discs move for `time` seconds: each gets the velocity of the straight path that ends where it will, if it meets nothing. Only
    /// where some spin on a table.
    pub(in crate::collision) fn begin_trajectories(&mut self, time: f64) {
        let Self { discs, trajectories, table, .. } = self;
        trajectories.clear();
        let Some(TablePhysics { cloth, .. }) = table else { return };
        if discs.spin.is_empty() {
            return;
        }
        for i in 0..discs.len() {
            let spin = discs.spin_of(i);
            let angular_velocity = spin.map_or(DVec3::ZERO, |spin| spin.angular_velocity.as_dvec3());
            let motion = Motion { velocity: discs.velocity[i].as_dvec2(), angular_velocity };
            let shape = spin.map(|spin| spin.shape);
            let (place, radius) = (discs.position[i].as_dvec2(), f64::from(discs.radius[i]));
            let trajectory = Trajectory { began: 0.0, place, motion, radius, shape };
            if shape.is_some() && motion != Motion::default() {
                discs.velocity[i] = trajectory.mean_velocity(cloth, time).as_vec2();
            }
            trajectories.push(trajectory);
        }
    }

    /// After they have moved for `time` seconds: each gets the motion that it has then.
    pub(in crate::collision) fn finish_trajectories(&mut self, time: f64) {
        let Self { discs, trajectories, table: Some(TablePhysics { cloth, .. }), .. } = self else { return };
        for (i, trajectory) in trajectories.iter().enumerate() {
            if !discs.position[i].is_finite() {
                continue;
            }
            let (motion, _) = trajectory.at(cloth, time);
            discs.velocity[i] = rounded2(motion.velocity);
            if let Some(Some(spin)) = discs.spin.get_mut(i) {
                spin.angular_velocity = rounded3(motion.angular_velocity);
            }
        }
        trajectories.clear();
    }
}

/// So many digits of an `f64` an `f32` has no room for.
const BELOW: u32 = 29;

/// Rounds to `f32`, up or down in proportion to how near either is, by what looks like chance and follows from the number itself.
///
/// A ball that rolls loses as much with every tick. Rounded to the nearest, it would lose the same rounding error each time, too; so, errors
/// even out.
#[must_use]
pub fn rounded(value: f64) -> f32 {
    if !(value.abs() > f64::from(f32::MIN_POSITIVE) && value.abs() < 1e30) {
        return value as f32;
    }
    let bits = value.to_bits();
    // The finalizer of MurmurHash3: of numbers that differ by little, it makes ones that have nothing to do with each other.
    let mut scrambled = bits ^ (bits >> 33);
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        scrambled = u64::wrapping_mul(scrambled, factor);
        scrambled ^= scrambled >> 33;
    }
    let chance = scrambled >> (64 - BELOW);
    // A carry into the exponent is the next power of two, as it should be.
    let up = (bits & ((1 << BELOW) - 1)) + chance >= 1 << BELOW;
    let kept = (bits >> BELOW) + u64::from(up);
    f64::from_bits(kept << BELOW) as f32
}

/// [`rounded`] for each component.
#[must_use]
pub fn rounded2(value: DVec2) -> Vec2 {
    Vec2::new(rounded(value.x), rounded(value.y))
}

/// [`rounded`] for each component.
#[must_use]
pub fn rounded3(value: DVec3) -> Vec3 {
    Vec3::new(rounded(value.x), rounded(value.y), rounded(value.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_f32_holds_stays_and_the_rest_evens_out() {
        for value in [0.0_f32, 1.0, -0.3, 1e-20, 1e20, f32::MAX, f32::MIN_POSITIVE, 1e-42] {
            assert_eq!(rounded(f64::from(value)), value);
            assert_eq!(rounded(-f64::from(value)), -value);
        }
        assert!(rounded(f64::NAN).is_nan() && rounded(f64::INFINITY) == f32::INFINITY);
        // A loss that f32 cannot hold, ten thousand times over.
        let loss = 0.0016351;
        let (mut nearest, mut even) = (30.0_f32, 30.0_f32);
        for _ in 0..10_000 {
            nearest = (f64::from(nearest) - loss) as f32;
            even = rounded(f64::from(even) - loss);
        }
        let wanted = 30.0 - 10_000.0 * loss;
        let [nearest, even] = [nearest, even].map(|value| (f64::from(value) - wanted).abs());
        assert!(even < 3e-4 && even < 0.1 * nearest, "{even} and {nearest}");
    }
}
