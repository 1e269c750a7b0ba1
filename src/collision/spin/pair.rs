//! Hits of two spinning discs: restitution along the normal, Coulomb friction across it (throw, transfer of spin).
//!
//! Friction is a single impulse at the end of the hit: the smaller of what the coefficient of friction allows and what
//! stops the slip at the contact. So it never increases the kinetic energy. The coefficient may decrease with the slip
//! speed: D. Alciatore, "The Amazing World of Billiards Physics", technical proof A.14, a fit to data of W. C. Marlow,
//! "The Physics of Pocket Billiards" (1995).
//!
//! Between two balls friction also acts vertically: topspin of one becomes backspin of the other, and one ball is
//! lifted while the other is pressed on the slate. For a flat disc friction acts in the plane only.
//!
//! On the cloth the normal is horizontal, also between balls of different sizes. Balls at different heights collide
//! along the line of their centres ([`collide_in_space`]). It is the same hit, with the same bits where the normal is
//! horizontal. Check values (F29 to F35) are in section 3 of `docs/src/flight.md`.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{Body, Motion, Shape};
use crate::components::ValueRange;

/// The coefficient of friction between two spinning discs.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
pub enum PairFriction {
    /// Smooth: a hit does not change spin.
    #[default]
    None,
    /// Constant, 0 to 10. Billiard balls: 0.03 to 0.08.
    Constant(#[reflect(@ValueRange::new(0.0, 10.0, ""))] f32),
    /// Billiard balls, decreasing with the slip: `0.009951 + 0.108 exp(-1.088 s)`, where `s` is the slip at the contact
    /// in m/s.
    Alciatore,
}

impl PairFriction {
    /// The limit of [`PairFriction::Alciatore`] at high slip.
    pub const ALCIATORE_FAST: f64 = 9.951e-3;
    /// The addition of [`PairFriction::Alciatore`] at zero slip.
    pub const ALCIATORE_SLOW: f64 = 0.108;
    /// The decay of that addition with the slip, s/m.
    pub const ALCIATORE_FALL: f64 = 1.088;

    /// The coefficient of friction at a slip (m/s).
    #[must_use]
    pub fn coefficient(&self, slip: f64) -> f64 {
        match *self {
            Self::None => 0.0,
            Self::Constant(coefficient) => f64::from(coefficient).max(0.0),
            Self::Alciatore => Self::ALCIATORE_FAST + Self::ALCIATORE_SLOW * libm::exp(-Self::ALCIATORE_FALL * slip),
        }
    }
}

/// The result of a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairHit {
    /// The speed of approach along the normal, m/s.
    pub approach: f64,
    /// The impulse along the normal, N s.
    pub impulse: f64,
    /// The impulse of friction across it, N s.
    pub friction: f64,
    /// Motion of a afterwards.
    pub a: Motion,
    /// Motion of b afterwards.
    pub b: Motion,
}

/// The directions at the contact of two discs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Contact {
    /// Unit vector from the first centre to the second.
    normal: DVec3,
    /// The horizontal unit vector across it, to the left.
    tangent: DVec2,
    /// `normal × tangent`: up along the rim of the first disc.
    up: DVec3,
}

impl Contact {
    /// On the cloth.
    fn level(normal: DVec2) -> Self {
        Self { normal: normal.extend(0.0), tangent: normal.perp(), up: DVec3::Z }
    }

    /// In space. A vertical normal has the tangent of one along x.
    fn in_space(normal: DVec3) -> Self {
        let across = normal.truncate().length();
        let ahead = if across > 0.0 { normal.truncate() / across } else { DVec2::X };
        Self { normal, tangent: ahead.perp(), up: (ahead * -normal.z).extend(across) }
    }

    /// The speed of approach, m/s; negative if they separate.
    fn approach(&self, a: &Motion, b: &Motion) -> f64 {
        (a.velocity - b.velocity).dot(self.normal.truncate()) + (a.vertical - b.vertical) * self.normal.z
    }

    /// The velocity of the first rim relative to the second, m/s: x along the tangent, y up (only between balls).
    fn slip(&self, bodies: [&Body; 2], motions: [&Motion; 2]) -> DVec2 {
        let ([body_a, body_b], [a, b]) = (bodies, motions);
        let turning: DVec3 = a.angular_velocity * body_a.radius + b.angular_velocity * body_b.radius;
        let moving = a.velocity - b.velocity;
        let across = moving.dot(self.tangent) + turning.dot(self.up);
        let up = if is_ball(bodies) {
            let rising = moving.dot(self.up.truncate()) + (a.vertical - b.vertical) * self.up.z;
            rising - turning.truncate().dot(self.tangent)
        } else {
            0.0
        };
        DVec2::new(across, up)
    }
}

/// Whether both are balls, which touch each other at any height.
fn is_ball([a, b]: [&Body; 2]) -> bool {
    (a.shape, b.shape) == (Shape::Ball, Shape::Ball)
}

/// The speed of approach along a normal from a to b, m/s; negative if they separate.
#[must_use]
pub fn approach(a: &Motion, b: &Motion, normal: DVec2) -> f64 {
    (a.velocity - b.velocity).dot(normal)
}

/// The speed of approach of two balls along a normal in space, m/s; negative if they separate.
#[must_use]
pub fn approach_in_space([a, b]: [&Motion; 2], normal: DVec3) -> f64 {
    Contact::in_space(normal).approach(a, b)
}

/// The hit of two touching discs at the same height; `normal` is the unit vector from the first to the second. `None`
/// if they do not approach (see [`approach`]).
#[must_use]
pub fn collide(
    bodies: [&Body; 2],
    motions: [&Motion; 2],
    normal: DVec2,
    restitution: f64,
    friction: &PairFriction,
) -> Option<PairHit> {
    resolve(bodies, motions, Contact::level(normal), restitution, *friction)
}

/// The hit of two touching balls at any heights; `normal` is the unit vector from the centre of the first to that of
/// the second, z up. `None` if they do not approach.
///
/// The rim of a flat disc is a vertical wall, so a hit of one takes the horizontal direction of the normal.
#[must_use]
pub fn collide_in_space(
    bodies: [&Body; 2],
    motions: [&Motion; 2],
    normal: DVec3,
    restitution: f64,
    friction: &PairFriction,
) -> Option<PairHit> {
    let contact = Contact::in_space(normal);
    let contact = if is_ball(bodies) { contact } else { Contact::level(-contact.tangent.perp()) };
    resolve(bodies, motions, contact, restitution, *friction)
}

fn resolve(
    bodies: [&Body; 2],
    motions: [&Motion; 2],
    contact: Contact,
    restitution: f64,
    friction: PairFriction,
) -> Option<PairHit> {
    let ([body_a, body_b], [motion_a, motion_b]) = (bodies, motions);
    let approach = contact.approach(motion_a, motion_b);
    if !(approach > 0.0) {
        return None;
    }
    let Contact { normal, tangent, up } = contact;
    let impulse = (1.0 + restitution) * approach / (body_a.mass.recip() + body_b.mass.recip());
    let slip = contact.slip(bodies, motions);
    let speed = slip.length();
    // An impulse of 1 N s across the normal changes the slip by this much, in whatever direction.
    let response = rim_response(body_a) + rim_response(body_b);
    let size = (friction.coefficient(speed) * impulse).min(speed / response);
    let rubbing = if speed > 0.0 { slip * (size / speed) } else { DVec2::ZERO };
    let push = normal * impulse + tangent.extend(0.0) * rubbing.x + up * rubbing.y;
    // Both get the same angular impulse per metre of radius: n × (-friction), with n × t = up and n × up = -t.
    let turn = (tangent * rubbing.y).extend(0.0) - up * rubbing.x;
    let after = |body: &Body, motion: &Motion, push: DVec3| Motion {
        velocity: motion.velocity + push.truncate() / body.mass,
        angular_velocity: motion.angular_velocity + turn / (body.shape.inertia_factor() * body.mass * body.radius),
        vertical: motion.vertical + push.z / body.mass,
    };
    Some(PairHit {
        approach,
        impulse,
        friction: size,
        a: after(body_a, motion_a, -push),
        b: after(body_b, motion_b, push),
    })
}

/// The velocity of the first rim relative to the second at the contact of two discs at the same height, m/s: x along
/// `normal.perp()`, y up (only between balls).
#[must_use]
pub fn slip(bodies: [&Body; 2], motions: [&Motion; 2], normal: DVec2) -> DVec2 {
    Contact::level(normal).slip(bodies, motions)
}

/// The change of the velocity of the rim by an impulse of 1 N s along it, 1/kg: `1/m + R²/I`.
fn rim_response(body: &Body) -> f64 {
    (1.0 + body.shape.inertia_factor().recip()) / body.mass
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::collision::spin::{
        Cloth,
        slate::{FlightPhysics, land},
    };

    const RADIUS: f64 = 0.028575;
    const POOL: Body = Body { mass: 0.170097, radius: RADIUS, shape: Shape::Ball };

    fn moving(x: f64, y: f64) -> Motion {
        Motion { velocity: DVec2::new(x, y), ..default() }
    }

    fn spinning(velocity: DVec2, angular_velocity: DVec3) -> Motion {
        Motion { velocity, angular_velocity, vertical: 0.0 }
    }

    /// Two pool balls, the second at rest, with the line of centres at this angle.
    fn shot(cue: Motion, degrees: f64, e: f64, friction: PairFriction) -> PairHit {
        let normal = DVec2::from_angle(degrees.to_radians());
        collide([&POOL, &POOL], [&cue, &Motion::default()], normal, e, &friction).expect("a hit")
    }

    fn rolling(velocity: DVec2) -> Motion {
        spinning(velocity, DVec3::new(-velocity.y, velocity.x, 0.0) / RADIUS)
    }

    /// Velocity once a ball rolls, `(5 v + 2 R w × k) / 7`.
    fn rolled(motion: &Motion, radius: f64) -> DVec2 {
        let spin = radius * DVec2::new(motion.angular_velocity.y, -motion.angular_velocity.x);
        (5.0 * motion.velocity + 2.0 * spin) / 7.0
    }

    /// The angle of the object ball from the line of centres, towards the slip of the cue ball.
    fn throw(hit: &PairHit, degrees: f64) -> f64 {
        DVec2::from_angle(degrees.to_radians()).angle_to(hit.b.velocity).to_degrees()
    }

    fn close(value: DVec2, x: f64, y: f64, tolerance: f64) {
        assert!((value - DVec2::new(x, y)).abs().max_element() <= tolerance, "{value} instead of ({x}, {y})");
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    #[test]
    fn a_stun_shot_throws_the_object_ball_as_published() {
        for (e, object, cue, spin) in [
            (1.0, (0.781453, -0.378535), (0.218547, 0.378535), -5.503509),
            (0.95, (0.761916, -0.369072), (0.238084, 0.369072), -5.365922),
        ] {
            let hit = shot(moving(1.0, 0.0), -30.0, e, PairFriction::Alciatore);
            close(hit.b.velocity, object.0, object.1, 1e-6);
            close(hit.a.velocity, cue.0, cue.1, 1e-6);
            near(hit.a.angular_velocity.z, spin, 1e-5);
            near(hit.b.angular_velocity.z, spin, 1e-5);
            near(throw(&hit, -30.0), 4.1545, 1e-4);
        }
    }

    #[test]
    fn side_spin_that_grips_is_shared_and_throws() {
        let cue = spinning(DVec2::X, DVec3::Z * 10.0);
        let hit = shot(cue, 0.0, 0.95, PairFriction::Alciatore);
        close(hit.b.velocity, 0.975, 0.040821, 1e-6);
        close(hit.a.velocity, 0.025, -0.040821, 1e-6);
        near(hit.b.angular_velocity.z, -3.571429, 1e-6);
        near(hit.a.angular_velocity.z, 6.428571, 1e-6);
        near(throw(&hit, 0.0), 2.3975, 1e-4);
    }

    #[test]
    fn outside_side_that_gears_throws_nothing() {
        for degrees in [1.0, 5.0, 15.0, 30.0, 45.0, 60.0, 75.0, 85.0] {
            let cut = f64::to_radians(degrees);
            // Cut to the right: the line of centres is at -cut, and the spin that follows the slip is clockwise.
            let gearing = spinning(DVec2::X, DVec3::NEG_Z * (cut.sin() / RADIUS));
            let hit = shot(gearing, -degrees, 0.95, PairFriction::Alciatore);
            near(throw(&hit, -degrees), 0.0, 1e-9);
            near(hit.b.angular_velocity.z, 0.0, 1e-9);
        }
    }

    #[test]
    fn a_small_slip_is_stopped() {
        for (slip, speed) in [(0.05, 1.0), (0.05, 3.0), (0.01, 1.0), (-0.05, 2.0)] {
            let cue = spinning(DVec2::X * speed, DVec3::Z * (slip / RADIUS));
            let hit = shot(cue, 0.0, 0.95, PairFriction::Alciatore);
            near(super::slip([&POOL, &POOL], [&hit.a, &hit.b], DVec2::X).x, 0.0, 1e-12);
        }
    }

    /// The largest throw over all cuts, and the cut of that throw.
    fn most_throw(cue: impl Fn(f64) -> Motion) -> (f64, f64) {
        let throws = (1..8900).map(|hundredths| {
            let degrees = f64::from(hundredths) / 100.0;
            (throw(&shot(cue(degrees), -degrees, 1.0, PairFriction::Alciatore), -degrees), degrees)
        });
        throws.fold((0.0, 0.0), |most, next| if next.0 > most.0 { next } else { most })
    }

    #[test]
    fn throw_by_speed_and_cut_follows_the_published_table() {
        let cuts = [5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0];
        let table = [
            (
                0.447,
                [0.72, 1.44, 2.19, 2.98, 4.72, 4.95, 4.62],
                [0.38, 0.76, 1.13, 1.50, 2.19, 3.09, 3.78],
                (5.30, 33.1),
            ),
            (
                1.341,
                [0.72, 1.44, 2.19, 2.98, 3.55, 2.77, 2.32],
                [0.18, 0.35, 0.52, 0.69, 1.00, 1.42, 1.74],
                (3.87, 25.4),
            ),
            (
                3.129,
                [0.72, 1.44, 2.19, 2.50, 1.70, 1.13, 0.89],
                [0.07, 0.13, 0.20, 0.27, 0.39, 0.55, 0.67],
                (2.69, 18.3),
            ),
        ];
        for (speed, stun, roll, most) in table {
            for ((cut, stun), roll) in cuts.into_iter().zip(stun).zip(roll) {
                let thrown = |cue| throw(&shot(cue, -cut, 1.0, PairFriction::Alciatore), -cut);
                near(thrown(moving(speed, 0.0)), stun, 0.006);
                near(thrown(rolling(DVec2::X * speed)), roll, 0.006);
            }
            let (angle, cut) = most_throw(|_| moving(speed, 0.0));
            // The table scanned the cuts more coarsely, and the maximum is a kink.
            near(angle, most.0, 0.02);
            near(cut, most.1, 0.1);
        }
    }

    #[test]
    fn a_full_hit_without_spin_obeys_the_restitution() {
        for e in [0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let hit = shot(moving(1.7, 0.0), 0.0, e, PairFriction::Alciatore);
            near(hit.b.velocity.x - hit.a.velocity.x, e * 1.7, 1e-12);
            assert_eq!(hit.approach, 1.7);
            near(hit.impulse, (1.0 + e) * 0.5 * POOL.mass * 1.7, 1e-12);
        }
        close(shot(moving(1.7, 0.0), 0.0, 1.0, PairFriction::None).a.velocity, 0.0, 0.0, 1e-15);
    }

    /// Mathavan, Jackson and Parkin, "Numerical simulations of the frictional collisions of solid balls on a rough
    /// surface", Sports Engineering 17 (2014). Their model includes friction on the cloth during the hit. It turns the
    /// cue ball by up to 0.4 degrees more than ours; all other values agree within a hundredth.
    #[test]
    fn rolling_balls_part_as_published() {
        let radius = 0.02625;
        let ball = Body { mass: 0.1406, radius, shape: Shape::Ball };
        for (speed, spin, cut, cue, object, cue_angle, object_angle) in [
            (1.539, 58.63, 33.83, 0.914, 0.831, 31.93, 32.20),
            (1.032, 39.31, 26.36, 0.520, 0.599, 32.45, 25.07),
            (1.364, 51.96, 40.52, 0.917, 0.676, 29.91, 38.62),
            (1.731, 65.94, 46.50, 1.280, 0.780, 27.32, 44.38),
            (0.942, 35.89, 18.05, 0.383, 0.579, 29.47, 17.15),
        ] {
            let motion = spinning(DVec2::X * speed, DVec3::Y * spin);
            let normal = DVec2::from_angle(-f64::to_radians(cut));
            let hit =
                collide([&ball, &ball], [&motion, &Motion::default()], normal, 0.89, &PairFriction::Constant(0.05))
                    .unwrap();
            let [a, b] = [hit.a, hit.b].map(|motion| rolled(&motion, radius));
            near(a.length(), cue, 0.01 * cue);
            near(b.length(), object, 0.01 * object);
            near(a.to_angle().to_degrees(), cue_angle, 0.014 * cue_angle);
            near(-b.to_angle().to_degrees(), object_angle, 0.01 * object_angle);
        }
    }

    #[test]
    fn flat_discs_that_grip_stop_their_slip_with_a_sixth_of_their_mass() {
        let disc = Body { mass: 0.5, radius: 0.1, shape: Shape::Flat };
        let cue = spinning(DVec2::X, DVec3::new(7.0, 5.0, 0.3));
        let hit =
            collide([&disc, &disc], [&cue, &Motion::default()], DVec2::X, 1.0, &PairFriction::Constant(0.5)).unwrap();
        near(hit.friction, 0.03 * 0.5 / 6.0, 1e-15);
        near(super::slip([&disc, &disc], [&hit.a, &hit.b], DVec2::X).length(), 0.0, 1e-15);
        assert_eq!(hit.a.angular_velocity.truncate(), cue.angular_velocity.truncate());
        assert_eq!(hit.b.angular_velocity.truncate(), DVec2::ZERO);
    }

    #[test]
    fn what_does_not_approach_does_not_hit() {
        let still = Motion::default();
        for cue in [still, moving(-1.0, 0.0), moving(0.0, 3.0), moving(f64::NAN, 0.0)] {
            assert_eq!(collide([&POOL, &POOL], [&cue, &still], DVec2::X, 1.0, &PairFriction::Alciatore), None);
        }
    }

    #[cfg(feature = "scene")]
    #[test]
    fn friction_has_a_name_in_a_file() {
        for (text, friction) in [
            ("None", PairFriction::None),
            ("Constant(0.05)", PairFriction::Constant(0.05)),
            ("Alciatore", PairFriction::Alciatore),
        ] {
            assert_eq!(ron::from_str::<PairFriction>(text).unwrap(), friction);
        }
    }

    /// A ball that moves in space, and the speeds of its surface, `R w`.
    fn flying(velocity: [f64; 3], surface: [f64; 3]) -> Motion {
        let [x, y, vertical] = velocity;
        Motion { vertical, ..spinning(DVec2::new(x, y), DVec3::from(surface) / RADIUS) }
    }

    /// The normal from a ball that is higher by this share of the radius.
    fn below(rise: f64) -> DVec3 {
        let z = -0.5 * rise;
        DVec3::new((1.0 - z * z).sqrt(), 0.0, z)
    }

    fn moves_as(motion: &Motion, radius: f64, velocity: [f64; 3], spin: f64) {
        let v = motion.velocity.extend(motion.vertical);
        let w = motion.angular_velocity * radius;
        let off = (v - DVec3::from(velocity)).abs().max((w - DVec3::Y * spin).abs()).max_element();
        assert!(off <= 1e-6, "{v} and {w} instead of {velocity:?} and {spin}");
    }

    #[test]
    fn f29_to_f35_balls_at_different_heights_collide_along_their_centres() {
        let (smooth, real) = (PairFriction::None, PairFriction::Alciatore);
        let small = Body { mass: 0.1406, radius: 0.02625, shape: Shape::Ball };
        let unequal = (small.radius - RADIUS) / (small.radius + RADIUS);
        let level = DVec3::new((1.0 - unequal * unequal).sqrt(), 0.0, unequal);
        let (still, top) = ([0.0; 3], [0.0, 2.0, 0.0]);
        // The second ball, the motion of the first, friction, restitution, and both motions after the hit and after the
        // slate has pushed the second one back.
        for (other, cue, normal, friction, e, after_a, after_b, landed) in [
            (
                POOL,
                flying([2.0, 0.0, 0.0], still),
                below(1.0),
                smooth,
                1.0,
                ([0.5, 0.0, 0.866025], 0.0),
                ([1.5, 0.0, -0.866025], 0.0),
                ([1.240192, 0.0, 0.433013], 0.649519),
            ),
            (
                POOL,
                flying([2.0, 0.0, 0.0], still),
                below(1.0),
                real,
                0.95,
                ([0.498376, 0.0, 0.776610], 0.195621),
                ([1.501624, 0.0, -0.776610], 0.195621),
                ([1.268641, 0.0, 0.388305], 0.778078),
            ),
            (
                POOL,
                flying([2.0, 0.0, 0.0], top),
                below(1.0),
                real,
                0.95,
                ([0.576624, 0.0, 0.912140], 1.804379),
                ([1.423376, 0.0, -0.912140], -0.195621),
                ([1.149734, 0.0, 0.456070], 0.488484),
            ),
            (
                POOL,
                flying([3.0, 0.0, -1.0], still),
                below(0.5),
                real,
                0.95,
                ([0.029597, 0.0, -0.200845], -0.077945),
                ([2.970403, 0.0, -0.799155], -0.077945),
                ([2.730656, 0.0, 0.399578], 0.521421),
            ),
            (
                POOL,
                flying([3.0, 0.0, 0.0], [0.0, 3.0, 0.0]),
                below(0.0),
                real,
                0.95,
                ([0.075, 0.0, 0.041185], 2.897037),
                ([2.925, 0.0, -0.041185], -0.102963),
                ([2.925 - 0.012_355_5, 0.0, 0.020593], -0.102963 + 2.5 * 0.012_355_5),
            ),
            (
                small,
                flying([2.0, 0.0, 0.0], still),
                level,
                smooth,
                0.95,
                ([0.238303, 0.0, 0.074777], 0.0),
                ([2.131290, 0.0, -0.090464], 0.0),
                ([2.104150, 0.0, 0.045232], 0.067848),
            ),
            (
                POOL,
                flying([0.0, 0.0, -1.0], still),
                DVec3::NEG_Z,
                real,
                0.95,
                ([0.0, 0.0, -0.025], 0.0),
                ([0.0, 0.0, -0.975], 0.0),
                ([0.0, 0.0, 0.4875], 0.0),
            ),
        ] {
            let hit = collide_in_space([&POOL, &other], [&cue, &Motion::default()], normal, e, &friction).unwrap();
            moves_as(&hit.a, RADIUS, after_a.0, after_a.1);
            moves_as(&hit.b, other.radius, after_b.0, after_b.1);
            let slate = FlightPhysics { least_take_off: 1e-3, ..default() };
            let then = land(&slate, &Cloth::default(), &other, &hit.b).unwrap().after;
            moves_as(&then, other.radius, landed.0, landed.1);
        }
    }

    fn any_friction() -> impl Strategy<Value = PairFriction> {
        prop_oneof![
            Just(PairFriction::None),
            Just(PairFriction::Alciatore),
            (0.0f32..2.0).prop_map(PairFriction::Constant)
        ]
    }

    fn any_shape() -> impl Strategy<Value = Shape> {
        prop_oneof![Just(Shape::Ball), Just(Shape::Flat)]
    }

    fn unit() -> impl Strategy<Value = f64> {
        -1.0..1.0
    }

    /// Two bodies, their motions, a normal and a restitution: masses to 1e6 : 1, radii to 100 : 1, spins to 10 v/R.
    fn any_pair() -> impl Strategy<Value = ([Body; 2], [Motion; 2], DVec2, f64)> {
        let body = || {
            (-3.0..3.0, -1.0..1.0, any_shape()).prop_map(|(mass, radius, shape)| Body {
                mass: 10.0_f64.powf(mass),
                radius: 10.0_f64.powf(radius),
                shape,
            })
        };
        let motion = || {
            ([unit(), unit()], [unit(), unit(), unit()], -6.0..3.0).prop_map(|(v, w, speed)| {
                let speed = 10.0_f64.powf(speed);
                spinning(DVec2::from(v) * speed, DVec3::from(w) * (10.0 * speed))
            })
        };
        let angle = (0.0..core::f64::consts::TAU).prop_map(DVec2::from_angle);
        ([body(), body()], [motion(), motion()], angle, 0.0..=1.0).prop_map(|(bodies, mut motions, normal, e)| {
            for (motion, body) in motions.iter_mut().zip(&bodies) {
                motion.angular_velocity /= body.radius;
                if body.shape == Shape::Flat {
                    motion.angular_velocity *= DVec3::Z;
                }
            }
            (bodies, motions, normal, e)
        })
    }

    fn mirrored(motion: &Motion) -> Motion {
        let (v, w) = (motion.velocity, motion.angular_velocity);
        Motion { vertical: motion.vertical, ..spinning(DVec2::new(v.x, -v.y), DVec3::new(-w.x, w.y, -w.z)) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn what_physics_keeps_is_kept((bodies, motions, normal, e) in any_pair(), friction in any_friction()) {
            let Some(hit) = collide(bodies.each_ref(), motions.each_ref(), normal, e, &friction) else { return Ok(()) };
            let after = [hit.a, hit.b];
            // Rounding errors are relative to the largest term, not to the sums.
            let energies = [0, 1].map(|i| [motions[i].kinetic_energy(&bodies[i]), after[i].kinetic_energy(&bodies[i])]);
            let [before, then] = [0, 1].map(|time| energies[0][time] + energies[1][time]);
            prop_assert!(then <= before * (1.0 + 1e-12), "energy {before} -> {then}");

            let momentum = |motions: [Motion; 2]| motions[0].velocity * bodies[0].mass + motions[1].velocity * bodies[1].mass;
            let largest = (0..2).map(|i| bodies[i].mass * (motions[i].velocity.length() + after[i].velocity.length())).fold(0.0, f64::max);
            prop_assert!((momentum(motions) - momentum(after)).length() <= 1e-13 * largest);

            // A force at the contact has no torque about it.
            let turn = |i: usize, motion: &Motion| {
                let (body, arm) = (&bodies[i], if i == 0 { -normal } else { normal } * bodies[i].radius);
                let inertia = body.shape.inertia_factor() * body.mass * body.radius * body.radius;
                (inertia * motion.angular_velocity.z + body.mass * arm.perp_dot(motion.velocity), inertia * motion.angular_velocity.truncate().dot(normal))
            };
            for i in 0..2 {
                let ((z, n), (z_then, n_then)) = (turn(i, &motions[i]), turn(i, &after[i]));
                let size = bodies[i].mass * bodies[i].radius * [motions[i], after[i]].iter()
                    .map(|motion| motion.velocity.length() + bodies[i].radius * motion.angular_velocity.length()).sum::<f64>();
                prop_assert!((z - z_then).abs() <= 1e-13 * size);
                prop_assert!((n - n_then).abs() <= 1e-13 * size);
            }

            let fastest = motions.iter().chain(&after).map(|motion| motion.velocity.length()).fold(0.0, f64::max);
            let leaving = -approach(&hit.a, &hit.b, normal);
            prop_assert!((leaving - e * hit.approach).abs() <= 1e-13 * fastest);
            prop_assert!(hit.friction <= friction.coefficient(0.0) * hit.impulse);
        }

        #[test]
        fn hits_at_any_height_keep_energy_and_momentum_and_level_ones_are_the_same(
            (bodies, mut motions, normal, e) in any_pair(),
            friction in any_friction(),
            vertical in [unit(), unit()],
            steep in unit(),
        ) {
            let (pair, moving) = (bodies.each_ref(), motions.each_ref());
            let flat = collide(pair, moving, normal, e, &friction);
            let level = collide_in_space(pair, moving, normal.extend(0.0), e, &friction);
            prop_assert_eq!(flat.is_some(), level.is_some());
            if let (Some(flat), Some(level)) = (flat, level) {
                // The direction in space is rounded once more, which turns the speeds of centres and rims.
                let size = |i: usize, motion: &Motion| motion.velocity.length() + bodies[i].radius * motion.angular_velocity.length();
                let largest = [(0, motions[0]), (0, flat.a), (1, motions[1]), (1, flat.b)].iter().map(|(i, motion)| size(*i, motion)).sum::<f64>();
                for (flat, level) in [(flat.a, level.a), (flat.b, level.b)] {
                    prop_assert!((flat.velocity - level.velocity).length() <= 1e-14 * largest);
                    prop_assert!((flat.vertical - level.vertical).abs() <= 1e-14 * largest);
                }
            }
            let speed = motions.iter().map(|motion| motion.velocity.length()).fold(0.0, f64::max);
            for (motion, vertical) in motions.iter_mut().zip(vertical) {
                motion.vertical = vertical * speed;
            }
            let normal = (normal * (1.0 - steep * steep).sqrt()).extend(steep);
            let hit = collide_in_space(bodies.each_ref(), motions.each_ref(), normal, e, &friction);
            let Some(hit) = hit else { return Ok(()) };
            let after = [hit.a, hit.b];
            let energy = |motions: [Motion; 2]| motions[0].kinetic_energy(&bodies[0]) + motions[1].kinetic_energy(&bodies[1]);
            // Rounding errors are relative to the largest term.
            prop_assert!(energy(after) <= energy(motions) * (1.0 + 1e-12));
            let in_space = |motion: &Motion| motion.velocity.extend(motion.vertical);
            let momentum = |motions: [Motion; 2]| in_space(&motions[0]) * bodies[0].mass + in_space(&motions[1]) * bodies[1].mass;
            let largest = (0..2).map(|i| bodies[i].mass * (in_space(&motions[i]).length() + in_space(&after[i]).length())).fold(0.0, f64::max);
            prop_assert!((momentum(motions) - momentum(after)).length() <= 1e-13 * largest);
        }

        #[test]
        fn a_mirror_shows_the_mirrored_hit((bodies, motions, normal, e) in any_pair(), friction in any_friction()) {
            let hit = collide([&bodies[0], &bodies[1]], [&motions[0], &motions[1]], normal, e, &friction);
            let [a, b] = motions.map(|motion| mirrored(&motion));
            let seen = collide([&bodies[0], &bodies[1]], [&a, &b], DVec2::new(normal.x, -normal.y), e, &friction);
            let mirrored = hit.map(|hit| PairHit { a: mirrored(&hit.a), b: mirrored(&hit.b), ..hit });
            prop_assert_eq!(seen, mirrored);
        }

        #[test]
        fn who_of_two_is_named_first_does_not_matter((bodies, motions, normal, e) in any_pair(), friction in any_friction()) {
            let hit = collide(bodies.each_ref(), motions.each_ref(), normal, e, &friction);
            let [(body_a, a), (body_b, b)] = [0, 1].map(|i| (&bodies[i], &motions[i]));
            let swapped = collide([body_b, body_a], [b, a], -normal, e, &friction);
            prop_assert_eq!(hit, swapped.map(|hit| PairHit { a: hit.b, b: hit.a, ..hit }));
        }
    }
}
