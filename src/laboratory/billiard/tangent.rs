//! How fast neighbouring paths part: the tangent map of the billiard flow, in `f64`.
//!
//! A small difference of position and velocity, `q` and `w`, grows between hits by `q += w t`, with or without gravity.
//! At a hit with the velocities v before and v' after, on a boundary with the inward normal n, the neighbour hits later
//! by `d = -q·n / v·n`, at `c = q + v d`. There the normal differs by `k (c·t) t`, with the tangent t and the curvature
//! k of the boundary. Reflecting the neighbour there, and following both back to one time, gives the difference after
//! the hit. Benettin, Galgani and Strelcyn (1976) renormalise it and add up the logarithms.

use bevy::math::{DVec2, Vec2};

use crate::collision::{Hit, HitTarget, PhysicsSpace, Wall};

/// A small difference between the path of a disc and a neighbouring path of the same energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentMap {
    /// The difference of positions, in multiples of `length`.
    position: DVec2,
    /// The difference of velocities, in multiples of the speed at the start.
    velocity: DVec2,
    /// The unit of length, metres.
    length: f64,
    /// The unit of speed, m/s.
    speed: f64,
}

impl TangentMap {
    /// Starts with a difference across the path of a disc. `length` (metres) is the size of the table. `None` if the
    /// disc is at rest.
    #[must_use]
    pub fn start(velocity: DVec2, gravity: DVec2, length: f64) -> Option<Self> {
        let speed = velocity.length();
        let along = velocity.try_normalize()?;
        let across = along.perp();
        let position = 0.6 * across;
        // A neighbour of the same energy is faster where it is lower.
        let faster = gravity.dot(position) * length / (speed * speed);
        Some(Self { position, velocity: 0.8 * across + faster * along, length, speed })
    }

    /// Follows the paths between two hits for a time, seconds.
    pub fn fly(&mut self, seconds: f64) {
        self.position += self.velocity * (seconds * self.speed / self.length);
    }

    /// Follows the paths through a hit. `before` and `after` are the velocities (m/s), `inward` the unit normal into
    /// the table, `curvature` that of the boundary (1/m; positive where it is convex, as around a bumper), and
    /// `gravity` the acceleration (m/s²).
    pub fn reflect(&mut self, [before, after]: [DVec2; 2], inward: DVec2, curvature: f64, gravity: DVec2) {
        let (q, w) = (self.position * self.length, self.velocity * self.speed);
        let approach = before.dot(inward);
        if approach >= 0.0 {
            return;
        }
        let delay = -q.dot(inward) / approach;
        let tangent = inward.perp();
        let turned = tangent * (curvature * tangent.dot(q + before * delay));
        let at_hit = w + gravity * delay;
        let mirrored = at_hit - 2.0 * at_hit.dot(inward) * inward;
        let kicked = -2.0 * (before.dot(turned) * inward + approach * turned);
        self.position = (q + (before - after) * delay) / self.length;
        self.velocity = (mirrored + kicked - gravity * delay) / self.speed;
    }

    /// Follows the paths through a hit of a disc on terrain, as the tick reported it.
    pub fn follow(&mut self, space: &PhysicsSpace, hit: &Hit) {
        let inward = -hit.normal.as_dvec2().normalize_or_zero();
        let [before, after] = [hit.velocity.before, hit.velocity.after].map(Vec2::as_dvec2);
        self.reflect([before, after], inward, curvature(space, hit), space.laws.gravity.as_dvec2());
    }

    /// Makes the difference small again. Returns the logarithm of the factor by which it had grown since the last call.
    pub fn renormalise(&mut self) -> f64 {
        let size = (self.position.length_squared() + self.velocity.length_squared()).sqrt();
        self.position /= size;
        self.velocity /= size;
        libm::log(size)
    }
}

/// The curvature of the boundary of the centre where a disc hit terrain, 1/m: positive where it is convex. It follows
/// from the surface that is closest to the point of contact.
fn curvature(space: &PhysicsSpace, hit: &Hit) -> f64 {
    let (radius, point) = (f64::from(space.discs.radius[hit.disc as usize]), hit.point.as_dvec2());
    match hit.target {
        HitTarget::Disc(_) => 0.0,
        HitTarget::FixedCircle(_) => {
            let circles = space.fixed_circles().iter().map(|circle| (circle.centre, circle.radius));
            let from_rim = |&(centre, rim): &(Vec2, f32)| ((point - centre.as_dvec2()).length() - f64::from(rim)).abs();
            let closest = circles.min_by(|a, b| from_rim(a).total_cmp(&from_rim(b)));
            closest.map_or(0.0, |(_, rim)| 1.0 / (f64::from(rim) + radius))
        }
        HitTarget::Wall(entity) => {
            let walls = space.walls().iter().filter(|wall| wall.entity == entity);
            let distance = |wall: &Wall| wall.closest(point).distance;
            let closest = walls.min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let Some(curve) = closest.and_then(|wall| wall.curve) else { return 0.0 };
            let rim = f64::from(curve.radius);
            // Outside the circle, the normal points to its centre.
            let is_outside = hit.normal.dot(curve.centre - hit.point) > 0.0;
            if is_outside { 1.0 / (rim + radius) } else { -1.0 / (rim - radius) }
        }
    }
}
