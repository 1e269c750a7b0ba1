//! The trajectory of a disc on the cloth since its last impact, or of a ball above it. It gives the motion at any time,
//! and the straight path on which the solver moves the disc until the end of the step.
//!
//! A flying ball feels gravity alone, so it moves uniformly over the table and keeps its spin. Its height is a
//! parabola.

use bevy::math::{DVec2, Vec2, Vec3};

use crate::collision::{
    discs::{DiscHeight, Discs},
    shape::time_of_impact::{Rise, fall_time},
    spin::{Body, Cloth, Motion, Rails, Shape, TablePhysics, cloth, flat},
};

/// The trajectory of a disc since its last impact, or since the start of the step.
#[derive(Clone, Copy, Debug)]
pub struct Trajectory {
    /// The time of that, seconds since the start of the step.
    pub began: f64,
    /// The position of its centre then, metres.
    pub place: DVec2,
    /// Its motion then.
    pub motion: Motion,
    /// The height of its lowest point above the cloth then, metres. Zero unless it is a ball that flies, or lies on the
    /// top of a rail.
    pub height: f64,
    /// The height of the top of the rail on which it lies, metres; zero on the cloth and in the air.
    pub level: f64,
    /// The energy that its hits with balls below it have lost in this step and that has not lifted it yet, joules.
    pub credit: f64,
    /// Its radius, metres.
    pub radius: f64,
    /// Its shape, if it spins; a smooth disc moves straight.
    pub shape: Option<Shape>,
    /// Its velocity and angular velocity at the start of the step.
    pub start: (Vec2, Vec3),
    /// Its motion at the end of the step, if it hits nothing until then.
    pub end: Motion,
    /// Whether neither cloth nor hits change its motion: it is kinematic, or stays in place until the end of the step.
    pub is_kept: bool,
}

impl Trajectory {
    /// Its motion at a time (seconds since the start of the step), and its displacement since its impact, metres.
    #[must_use]
    pub fn at(&self, cloth: &Cloth, time: f64) -> (Motion, DVec2) {
        let passed = time - self.began;
        match self.shape.filter(|_| !self.is_kept) {
            Some(Shape::Ball) if self.flies() => {
                let vertical = self.motion.vertical - f64::from(cloth.gravity) * passed;
                (Motion { vertical, ..self.motion }, self.motion.velocity * passed)
            }
            Some(Shape::Ball) => cloth::after(&self.motion, self.radius, cloth, passed),
            Some(Shape::Flat) => flat::after(&self.motion, self.radius, cloth, passed),
            None => (self.motion, self.motion.velocity * passed),
        }
    }

    /// Whether it is in the air, or about to leave the cloth or the rail.
    #[inline(always)]
    #[must_use]
    pub fn flies(&self) -> bool {
        self.height > self.level || self.motion.vertical != 0.0
    }

    /// Whether it is above the cloth, in the air or on a rail, or about to leave it.
    #[inline(always)]
    #[must_use]
    pub fn is_above(&self) -> bool {
        self.height > 0.0 || self.motion.vertical != 0.0
    }

    /// The height of its lowest point above the cloth at a time (seconds since the start of the step), metres.
    #[must_use]
    pub fn height_at(&self, cloth: &Cloth, time: f64) -> f64 {
        if self.is_kept || !self.flies() {
            return self.height;
        }
        let passed = time - self.began;
        (self.height + (self.motion.vertical - 0.5 * f64::from(cloth.gravity) * passed) * passed).max(0.0)
    }

    /// The height of its lowest point at a time (seconds since the start of the step), and how it changes.
    #[must_use]
    pub(crate) fn rise_at(&self, cloth: &Cloth, time: f64) -> Rise {
        if self.is_kept || !self.flies() {
            return Rise { height: self.height, speed: 0.0, acceleration: 0.0 };
        }
        let gravity = f64::from(cloth.gravity);
        let speed = self.motion.vertical - gravity * (time - self.began);
        Rise { height: self.height_at(cloth, time), speed, acceleration: -gravity }
    }

    /// When it comes down, seconds since the start of the step, and to which height, metres: that of the rails if it is
    /// or rises above them, otherwise zero, the cloth. `None` if it does not fly.
    #[must_use]
    pub fn lands_at(&self, cloth: &Cloth, rails: Option<f64>) -> Option<(f64, f64)> {
        if self.is_kept || !self.flies() {
            return None;
        }
        let (vertical, gravity) = (self.motion.vertical, f64::from(cloth.gravity));
        let rises_over = |by: f64| vertical > 0.0 && vertical * vertical + 2.0 * gravity * by > 0.0;
        let is_over = |rails: &f64| self.height > *rails || rises_over(self.height - rails);
        let level = rails.filter(is_over).unwrap_or(0.0);
        let passed = fall_time(self.height - level, vertical, gravity);
        Some((self.began + passed, level))
    }

    /// Restarts from a position with a motion at a time of a step that ends at `end`. Returns the velocity of the
    /// straight path to the same end, m/s.
    pub fn set_out(&mut self, cloth: &Cloth, place: DVec2, motion: Motion, [time, end]: [f64; 2]) -> DVec2 {
        if self.is_kept {
            return self.motion.velocity;
        }
        self.height = self.height_at(cloth, time);
        if motion.vertical != 0.0 {
            self.level = 0.0;
        }
        (self.began, self.place, self.motion, self.end) = (time, place, motion, motion);
        self.lead_to(cloth, end)
    }

    /// Sets its motion at the end of the step, seconds since the start of the step. Returns the velocity of the
    /// straight path there, m/s.
    #[inline(always)]
    fn lead_to(&mut self, cloth: &Cloth, end: f64) -> DVec2 {
        let rests = self.motion.is_rest() && !self.flies();
        if rests || self.is_kept || self.shape.is_none() || !(end > self.began) {
            return self.motion.velocity;
        }
        let way;
        (self.end, way) = self.at(cloth, end);
        // A ball in the air moves uniformly.
        if self.flies() { self.motion.velocity } else { way / (end - self.began) }
    }

    /// Puts it on the cloth or on a rail of this height (metres) at a time of the step, with this motion.
    pub fn touch_down(&mut self, motion: Motion, time: f64, level: f64) {
        (self.began, self.motion, self.height, self.level) = (time, motion.on_the_cloth(), level, level);
    }

    /// Puts it in the air at a height (metres) at a time of the step, with this motion.
    pub fn lift(&mut self, motion: Motion, time: f64, height: f64) {
        (self.began, self.motion, self.height, self.level) = (time, motion, height, 0.0);
    }

    /// Keeps it in place from a time of the step until its end, after which it continues with a motion.
    pub fn keep(&mut self, cloth: &Cloth, place: DVec2, motion: Motion, time: f64) {
        self.height = self.height_at(cloth, time);
        (self.began, self.place, self.motion, self.end, self.is_kept) = (time, place, motion, motion, true);
    }

    /// The trajectory of a spinning disc. A smooth disc moves as it does without a table.
    pub(crate) fn of_spinning(trajectories: &[Self], disc: usize) -> Option<&Self> {
        trajectories.get(disc).filter(|trajectory| trajectory.shape.is_some())
    }

    /// The mutable trajectory of a spinning disc.
    pub(crate) fn of_spinning_mut(trajectories: &mut [Self], disc: usize) -> Option<&mut Self> {
        trajectories.get_mut(disc).filter(|trajectory| trajectory.shape.is_some())
    }

    /// The speed of its rim about its centre, m/s.
    #[must_use]
    pub fn rim_speed(&self) -> f64 {
        self.motion.angular_velocity.length() * self.radius
    }

    /// The properties that a hit needs; a smooth disc has no friction.
    #[must_use]
    pub fn body(&self, mass: f64) -> Option<Body> {
        self.shape.map(|shape| Body { mass, radius: self.radius, shape })
    }
}

/// Before discs move for `time` seconds: sets the velocity of each to that of the straight path to its end, if it hits
/// nothing. Used only if some discs spin on a table. Balls above the cloth fly only if `flies`.
pub(crate) fn begin_trajectories(
    discs: &mut Discs,
    trajectories: &mut Vec<Trajectory>,
    table: Option<&TablePhysics>,
    time: f64,
    flies: bool,
) {
    trajectories.clear();
    let Some(table) = table else { return };
    if discs.spin.is_empty() {
        return;
    }
    let each = discs.position.iter().zip(&discs.velocity).zip(&discs.radius).zip(&discs.spin);
    trajectories.extend(each.map(|(((place, &velocity), &radius), spin)| {
        let angular_velocity = spin.map_or(Vec3::ZERO, |spin| spin.angular_velocity);
        let motion =
            Motion { velocity: velocity.as_dvec2(), angular_velocity: angular_velocity.as_dvec3(), vertical: 0.0 };
        Trajectory {
            began: 0.0,
            place: place.as_dvec2(),
            motion,
            height: 0.0,
            level: 0.0,
            credit: 0.0,
            radius: radius.into(),
            shape: spin.map(|spin| spin.shape),
            start: (velocity, angular_velocity),
            end: motion,
            is_kept: false,
        }
    }));
    for kinematic in &discs.kinematic {
        trajectories[kinematic.disc as usize].is_kept = true;
    }
    if flies {
        lift(discs, trajectories, table.rails);
    }
    for (trajectory, velocity) in trajectories.iter_mut().zip(&mut discs.velocity) {
        *velocity = trajectory.lead_to(&table.cloth, time).as_vec2();
    }
}

/// Starts the balls above the cloth at their heights.
fn lift(discs: &Discs, trajectories: &mut [Trajectory], rails: Option<Rails>) {
    for above in discs.heights.iter().filter(|above| discs.can_fly(above.disc as usize)) {
        let trajectory = &mut trajectories[above.disc as usize];
        trajectory.height = f64::from(above.height);
        trajectory.motion.vertical = f64::from(above.speed);
        if let Some(rails) = rails.map(|rails| rails.for_ball(trajectory.radius))
            && trajectory.height == rails.height
            && trajectory.motion.vertical == 0.0
            && rails.is_over(trajectory.place)
        {
            trajectory.level = rails.height;
        }
        trajectory.end = trajectory.motion;
    }
}

/// After the discs have moved for `time` seconds: lists the balls that are above the cloth.
pub(crate) fn finish_heights(discs: &mut Discs, trajectories: &[Trajectory], cloth: &Cloth, time: f64) {
    let mut heights = std::mem::take(&mut discs.heights);
    // A disc that cannot fly keeps its height.
    heights.retain(|above| !discs.can_fly(above.disc as usize));
    for (disc, trajectory) in trajectories.iter().enumerate().filter(|(_, trajectory)| trajectory.is_above()) {
        let height = trajectory.height_at(cloth, time) as f32;
        let speed = rounded_vertical(&trajectory.end);
        if height != 0.0 || speed != 0.0 {
            heights.push(DiscHeight { disc: disc as u32, height, speed });
        }
    }
    heights.sort_unstable_by_key(|above| above.disc);
    discs.heights = heights;
}

/// After the discs have moved: sets the motion of spinning discs to that at the end of their paths. Smooth discs keep
/// their velocities.
pub(crate) fn finish_trajectories(discs: &mut Discs, trajectories: &mut Vec<Trajectory>) {
    for (i, trajectory) in trajectories.iter().enumerate().filter(|(_, trajectory)| trajectory.shape.is_some()) {
        // At rest or in a pocket: zeros without a sign.
        let is_rest = trajectory.end.is_rest();
        let (velocity, angular_velocity) = if is_rest { Default::default() } else { rounded(&trajectory.end) };
        discs.velocity[i] = velocity;
        if let Some(spin) = &mut discs.spin[i] {
            spin.angular_velocity = angular_velocity;
        }
    }
    trajectories.clear();
}

/// The number of digits by which `f64` exceeds `f32`.
const BELOW: u32 = 29;

/// Rounds a motion to `f32`: each number up or down, with a probability in proportion to its distances, by a
/// pseudorandom choice that follows from the motion itself.
///
/// A rolling ball loses the same amount in every tick. Rounding to nearest would repeat the same error each time; this
/// way, errors average out.
#[must_use]
pub fn rounded(&Motion { velocity: v, angular_velocity: w, .. }: &Motion) -> (Vec2, Vec3) {
    let mut chance = Chance::of([v.x, v.y, w.x, w.y, w.z]);
    // A zero has no sign.
    let mut round = |value: f64| chance.round(value) + 0.0;
    (Vec2::new(round(v.x), round(v.y)), Vec3::new(round(w.x), round(w.y), round(w.z)))
}

/// The vertical velocity of a motion, rounded in the same way.
fn rounded_vertical(&Motion { velocity, vertical, .. }: &Motion) -> f32 {
    Chance::of([velocity.x, velocity.y, vertical, 0.0, 0.0]).round(vertical) + 0.0
}

/// A pseudorandom generator.
struct Chance(u64);

impl Chance {
    fn of(values: [f64; 5]) -> Self {
        let mut bits = 0_u64;
        for value in values {
            bits = bits.rotate_left(13) ^ value.to_bits();
        }
        // The finalizer of MurmurHash3 makes unrelated numbers from numbers that differ slightly.
        for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
            bits = (bits ^ (bits >> 33)).wrapping_mul(factor);
        }
        Self(bits ^ (bits >> 33))
    }

    fn round(&mut self, value: f64) -> f32 {
        if !(value.abs() > f64::from(f32::MIN_POSITIVE) && value.abs() < 1e30) {
            return value as f32;
        }
        // The generator of Knuth's MMIX; its upper digits are good.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (bits, chance) = (value.to_bits(), self.0 >> (64 - BELOW));
        // A carry into the exponent gives the next power of two, as it should.
        let up = (bits & ((1 << BELOW) - 1)) + chance >= 1 << BELOW;
        f64::from_bits(((bits >> BELOW) + u64::from(up)) << BELOW) as f32
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;

    fn of(x: f64) -> Motion {
        Motion { velocity: DVec2::new(x, -x), angular_velocity: DVec3::new(x, 2.0 * x, -x), vertical: 0.0 }
    }

    #[test]
    fn what_an_f32_holds_stays_and_the_rest_evens_out() {
        for value in [0.0_f32, 1.0, -0.3, 1e-20, 1e20, f32::MIN_POSITIVE, 1e-42] {
            let (velocity, spin) = rounded(&of(f64::from(value)));
            assert_eq!((velocity, spin), (Vec2::new(value, -value), Vec3::new(value, 2.0 * value, -value)));
        }
        assert!(rounded(&of(f64::NAN)).0.is_nan() && rounded(&of(f64::INFINITY)).0.x == f32::INFINITY);
        // Losses that f32 cannot represent, ten thousand times.
        for loss in [0.001_635_1, 0.001_635_12, 0.0981 / 60.0, 0.0981 / 240.0] {
            let (mut nearest, mut even) = (30.0_f32, Vec2::new(30.0, -30.0));
            for _ in 0..10_000 {
                nearest = (f64::from(nearest) - loss) as f32;
                let motion = Motion { velocity: even.as_dvec2() - DVec2::new(loss, -loss), ..Motion::default() };
                even = rounded(&motion).0;
            }
            let wanted = 30.0 - 10_000.0 * loss;
            let off = |value: f32| (f64::from(value.abs()) - wanted).abs();
            assert!(off(even.x) < 3e-4 && off(even.y) < 3e-4 && off(nearest) > 3e-3, "{loss}: {even}, {nearest}");
        }
    }
}
