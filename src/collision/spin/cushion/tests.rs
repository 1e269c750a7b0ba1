//! Rebounds as published, and the invariants of every model for every ball: energy, mirror symmetry, rotation.

use proptest::prelude::*;

use super::*;
use crate::collision::spin::TablePhysics;

const RADIUS: f64 = 0.028575;
const POOL: Body = Body { mass: 0.170097, radius: RADIUS, shape: Shape::Ball };

/// The height at which the elevation of the nose has this sine.
fn at_height(model: CushionModel, sin: f64) -> Cushion {
    Cushion { model, nose_height: (0.5 + 0.5 * sin) as f32, ..default() }
}

/// Velocity and surface speed, m/s, after a hit on a cushion at the end of the x axis.
fn after(cushion: &Cushion, body: &Body, velocity: [f64; 2], spin: [f64; 3], e: f64) -> (DVec2, DVec3) {
    let motion = Motion { velocity: velocity.into(), angular_velocity: DVec3::from(spin) / body.radius, vertical: 0.0 };
    let hit = rebound(cushion, body, &motion, DVec2::NEG_X, e).expect("a hit");
    (hit.after.velocity, hit.after.angular_velocity * body.radius)
}

fn close<const N: usize>(values: [f64; N], expected: [f64; N], tolerance: f64) {
    let off = values.iter().zip(expected).any(|(value, expected)| !((value - expected).abs() <= tolerance));
    assert!(!off, "{values:?} instead of {expected:?}");
}

const DIAGONAL: f64 = core::f64::consts::FRAC_1_SQRT_2;

#[test]
fn a_half_space_throws_back_as_published() {
    let cushion = at_height(CushionModel::HalfSpace, 0.28);
    let roll = |v: [f64; 2], side: f64| [-v[1], v[0], side];
    let (normal, oblique) = ([1.0, 0.0], [DIAGONAL, DIAGONAL]);
    for (velocity, spin, expected, expected_spin, angle) in [
        (normal, [0.0; 3], [-0.7274, 0.0], [0.0, -0.2, 0.0], 0.0),
        (normal, roll(normal, 0.0), [-0.8044, 0.0], [0.0, 0.1120, 0.0], 0.0),
        (normal, [0.0, -1.0, 0.0], [-0.6474, 0.0], [0.0, -0.4857, 0.0], 0.0),
        (normal, [0.0, 0.0, 1.0], [-0.7274, -0.2743], [0.1920, -0.2, 0.3417], -20.66),
        (oblique, [0.0; 3], [-0.5143, 0.5051], [0.1414, -0.1414, -0.4849], 44.48),
        (oblique, roll(oblique, 0.0), [-0.5482, 0.5295], [-0.5828, 0.2631, -0.4262], 44.01),
        (oblique, roll(oblique, -1.0), [-0.5687, 0.7223], [-0.7178, 0.0803, -0.9635], 51.79),
        (oblique, roll(oblique, 1.0), [-0.5292, 0.4811], [-0.5489, 0.4330, 0.4577], 42.28),
    ] {
        let (v, w) = after(&cushion, &POOL, velocity, spin, 0.85);
        close(v.to_array(), expected, 1e-4);
        close(w.to_array(), expected_spin, 1e-4);
        close([v.y.atan2(-v.x).to_degrees()], [angle], 0.01);
    }
}

#[test]
fn a_vertical_wall_turns_a_ball_about_z_alone() {
    let wall = at_height(CushionModel::HalfSpace, 0.0);
    let (v, w) = after(&wall, &POOL, [1.0, 0.0], [0.0; 3], 0.85);
    close([v.x, v.y, w.z], [-0.85, 0.0, 0.0], 1e-12);
    let (v, w) = after(&wall, &POOL, [DIAGONAL, DIAGONAL], [0.0; 3], 0.85);
    close([v.x, v.y, w.z], [-0.6010, 0.5051, -0.5051], 1e-4);
    let (v, w) = after(&wall, &POOL, [1.0, 0.0], [0.0, 0.0, 1.0], 0.85);
    close([v.y, w.z], [-0.2857, 0.2857], 1e-4);
}

#[test]
fn a_flat_disc_meets_a_vertical_wall_with_a_third_of_its_mass() {
    let disc = Body { mass: 0.02, radius: 0.03, shape: Shape::Flat };
    for (model, word) in CushionModel::ALL {
        let (v, w) = after(&at_height(model, 0.4), &disc, [1.0, 0.06], [3.0, 4.0, 0.0], 0.5);
        let gripped = match model {
            CushionModel::Mirror => [-0.5, 0.06, 0.0],
            // The spring reverses the slip.
            CushionModel::Stronge => {
                assert!(v.y + w.z < 0.0 && (v.y - 0.06 - 0.5 * w.z).abs() < 1e-15, "{word}: {v} {w}");
                continue;
            }
            _ => [-0.5, 0.04, -0.04],
        };
        close([v.x, v.y, w.z], gripped, 1e-15);
        assert_eq!(w.truncate(), DVec2::new(3.0, 4.0), "{word}");
    }
}

#[test]
fn a_smooth_wall_leaves_spin_as_it_was() {
    let (v, w) = after(&at_height(CushionModel::Mirror, 0.4), &POOL, [1.0, 0.5], [0.1, 0.2, 0.3], 0.75);
    assert_eq!(v, DVec2::new(-0.75, 0.5));
    assert_eq!(w, DVec3::new(0.1, 0.2, 0.3) / RADIUS * RADIUS);
}

#[test]
fn a_nose_beyond_reason_acts_as_one_within() {
    let noses = [(-1.0, 0.5), (0.0, 0.5), (0.49, 0.5), (0.95, 0.9), (1.0, 0.9), (f32::INFINITY, 0.9), (f32::NAN, 0.5)];
    for (model, _) in CushionModel::ALL {
        for (nose_height, like) in noses {
            let thrown = |nose_height| {
                after(&Cushion { model, nose_height, ..default() }, &POOL, [1.0, 0.5], [0.4, -0.3, 0.2], 0.8)
            };
            assert_eq!(thrown(nose_height), thrown(like), "{model:?} {nose_height}");
            assert!(thrown(nose_height).0.is_finite() && thrown(nose_height).1.is_finite());
        }
    }
}

#[test]
fn what_does_not_come_towards_it_does_not_hit() {
    for velocity in [DVec2::ZERO, DVec2::NEG_X, DVec2::Y, DVec2::NAN] {
        let motion = Motion { velocity, ..default() };
        assert_eq!(rebound(&Cushion::default(), &POOL, &motion, DVec2::NEG_X, 0.8), None);
    }
}

#[test]
fn values_out_of_range_are_named() {
    let check = |cushion| TablePhysics { cushion, ..default() }.check();
    let with = |cushion| check(cushion).unwrap_err().to_string();
    assert_eq!(check(Cushion::default()), Ok(()));
    let high = Cushion { nose_height: 1.5, ..default() };
    assert_eq!(with(high), "cushion.nose_height is 1.5; set it from 0 to 1 of the ball's diameter");
    let lively = Cushion { restitution: CushionRestitution::Constant(1.5), ..default() };
    assert_eq!(with(lively), "cushion.restitution is 1.5; set it from 0 to 1");
}

#[cfg(feature = "scene")]
#[test]
fn a_cushion_can_be_read_from_a_file() {
    let text = "(model: Stronge, nose_height: 0.6, restitution: Han)";
    let cushion =
        Cushion { model: CushionModel::Stronge, nose_height: 0.6, restitution: CushionRestitution::Han, ..default() };
    assert_eq!(ron::from_str::<Cushion>(text).unwrap(), cushion);
}

#[test]
fn han_measured_a_restitution_that_rises_with_speed() {
    let e = CushionRestitution::Han;
    close([0.0, 1.0, 2.0].map(|v| e.at(v)), [0.39, 0.603, 0.728], 1e-12);
    close([3.0, 10.0, 1e9].map(|v| e.at(v)), [0.765_278; 3], 1e-6);
}

#[test]
fn han_is_half_space_with_the_friction_of_its_angle() {
    for degrees in [0.0, 20.0, 45.0, 70.0, 89.0] {
        let angle = f64::to_radians(degrees);
        let hit = |cushion: &Cushion| after(cushion, &POOL, [angle.cos(), angle.sin()], [0.3, -2.0, 1.5], 0.8);
        let friction = (0.471 - 0.241 * angle) as f32;
        let (v, w) = hit(&at_height(CushionModel::Han, 0.28));
        let (same_v, same_w) = hit(&Cushion { friction, ..at_height(CushionModel::HalfSpace, 0.28) });
        close(v.to_array(), same_v.to_array(), 1e-7);
        close(w.to_array(), same_w.to_array(), 1e-7);
    }
}

fn unit() -> impl Strategy<Value = f64> {
    -1.0..1.0
}

fn any_model() -> impl Strategy<Value = CushionModel> {
    (0..CushionModel::ALL.len()).prop_map(|i| CushionModel::ALL[i].0)
}

fn any_cushion() -> impl Strategy<Value = Cushion> {
    (any_model(), 0.4f32..1.0, prop_oneof![0.0f32..0.5, 0.0f32..10.0], 0.0f32..1.0).prop_map(
        |(model, nose_height, friction, cloth_friction)| Cushion {
            model,
            nose_height,
            friction,
            cloth_friction,
            ..default()
        },
    )
}

/// Bodies of all sizes at all speeds, with spins to 10 v/R.
fn any_body() -> impl Strategy<Value = (Body, Motion)> {
    let shape = prop_oneof![3 => Just(Shape::Ball), 1 => Just(Shape::Flat)];
    let size = (-3.0..3.0, -1.0..1.0, shape).prop_map(|(mass, radius, shape)| Body {
        mass: 10.0_f64.powf(mass),
        radius: 10.0_f64.powf(radius),
        shape,
    });
    let spin = prop_oneof![Just(0.0), Just(1.0), Just(10.0)];
    (size, [unit(), unit()], [unit(), unit(), unit()], spin, -6.0..3.0).prop_map(|(body, v, w, spin, speed)| {
        let speed = 10.0_f64.powf(speed);
        let velocity = DVec2::from(v) * speed;
        let angular_velocity = DVec3::from(w) * (spin * speed / body.radius);
        (body, Motion { velocity, angular_velocity, vertical: 0.0 })
    })
}

fn any_normal() -> impl Strategy<Value = DVec2> {
    (0.0..core::f64::consts::TAU).prop_map(DVec2::from_angle)
}

/// A ball that meets a nose at 1.27 radii with `v_x = 2`, at this height in radii.
fn at_a_nose(share: f64, motion: &Motion) -> Option<CushionHit> {
    let cushion = Cushion::default();
    let sin = nose_elevation(1.27 * RADIUS, RADIUS, share * RADIUS);
    rebound_in_flight(&cushion, &POOL, motion, DVec2::NEG_X, f64::from(0.85_f32), sin)
}

/// A ball at 2 m/s along x, and one that also rolls.
fn into_the_cushion() -> [Motion; 2] {
    let slides = Motion { velocity: DVec2::X * 2.0, ..default() };
    [slides, Motion { angular_velocity: DVec3::Y * (2.0 / RADIUS), ..slides }]
}

#[test]
fn f36_to_f41_a_nose_below_the_centre_lifts_a_flying_ball() {
    let nose = 1.27 * RADIUS;
    // The height in radii, the distance of the contact in mm, and `v_x`, `v_z` and `R w_y` without spin and rolling.
    for (share, distance, slides, rolls) in [
        (0.27, 29.636266, [-1.7, 0.0, 0.0], [-1.7, 0.571429, 0.571429]),
        (0.5, 28.870189, [-1.534499, 0.700280, 0.328571], [-1.403070, 1.256389, 0.9]),
        (0.75, 26.129213, [-0.979177, 1.317407, 0.685714], [-0.704891, 1.818703, 1.257143]),
        (1.0, 20.590768, [-0.032784, 1.560896, 1.042857], [0.384359, 1.951437, 1.614286]),
        (1.1, 16.999355, [0.506352, 1.482677, 1.031862], [0.929559, 1.767074, 1.757143]),
    ] {
        let contact = nose_distance(nose, RADIUS, share * RADIUS).unwrap();
        close([contact * 1e3], [distance], 1e-6);
        for (motion, expected) in into_the_cushion().iter().zip([slides, rolls]) {
            let after = at_a_nose(share, motion).unwrap().after;
            close([after.velocity.x, after.vertical, after.angular_velocity.y * RADIUS], expected, 1e-6);
        }
    }
    // A ball on the cloth touches at its radius and is pressed down: today's hit.
    close([nose_distance(nose, RADIUS, 0.0).unwrap()], [RADIUS], 1e-15);
    assert_eq!(nose_distance(nose, RADIUS, 2.3 * RADIUS), None);
    for (motion, expected) in into_the_cushion().iter().zip([[-1.471927, -0.385714], [-1.622649, 0.218708]]) {
        let after = rebound(&Cushion::default(), &POOL, motion, DVec2::NEG_X, f64::from(0.85_f32)).unwrap().after;
        close([after.velocity.x, after.angular_velocity.y * RADIUS], expected, 1e-6);
        assert_eq!(after.vertical, 0.0);
    }
}

#[test]
fn f43_and_f44_a_high_ball_crosses_the_cushion() {
    for (motion, from) in into_the_cushion().iter().zip([1.007142, 0.921454]) {
        let crosses = |share: f64| at_a_nose(share, motion).unwrap().after.velocity.x > 0.0;
        assert!(!crosses(from - 2e-6) && crosses(from + 2e-6), "{from}");
    }
}

fn mirrored(motion: &Motion) -> Motion {
    let (v, w) = (motion.velocity, motion.angular_velocity);
    Motion { velocity: DVec2::new(v.x, -v.y), angular_velocity: DVec3::new(-w.x, w.y, -w.z), vertical: motion.vertical }
}

fn size(body: &Body, motion: &Motion) -> f64 {
    motion.velocity.length() + body.radius * motion.angular_velocity.length()
}

/// The models in which the whole impact is at the nose, with their results.
fn at_the_nose(impact: Impact, e: f64, friction: f64) -> [Impact; 2] {
    [half_space::rebound(impact, e, friction), stronge::rebound(impact, e, friction)]
}

fn every(impact: Impact, e: f64, friction: f64) -> [Impact; 4] {
    let [half_space, stronge] = at_the_nose(impact, e, friction);
    [mirror::rebound(impact, e), half_space, stronge, mathavan::rebound(impact, e, friction, 0.2, 50)]
}

fn energy(ball: &Impact) -> f64 {
    ball.velocity.length_squared() + ball.inertia * ball.spin.length_squared()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn energy_does_not_rise_and_the_ball_leaves(cushion in any_cushion(), (body, motion) in any_body(), normal in any_normal(), e in 0.0..=1.0) {
        let Some(hit) = rebound(&cushion, &body, &motion, normal, e) else { return Ok(()) };
        let (before, after) = (motion.kinetic_energy(&body), hit.after.kinetic_energy(&body));
        prop_assert!(after <= before * (1.0 + 1e-12), "energy {before} -> {after}");
        prop_assert!(approach(&hit.after, normal) <= 1e-13 * size(&body, &hit.after));
        prop_assert!(hit.impulse >= body.mass * hit.approach * (1.0 - 1e-12));
    }

    #[test]
    fn a_mirror_shows_the_mirrored_hit(cushion in any_cushion(), (body, motion) in any_body(), normal in any_normal(), e in 0.0..=1.0) {
        let hit = rebound(&cushion, &body, &motion, normal, e);
        let seen = rebound(&cushion, &body, &mirrored(&motion), DVec2::new(normal.x, -normal.y), e);
        prop_assert_eq!(seen, hit.map(|hit| CushionHit { after: mirrored(&hit.after), ..hit }));
    }

    #[test]
    fn a_turned_table_throws_back_the_same(cushion in any_cushion(), (body, motion) in any_body(), e in 0.0..=1.0) {
        let turn = |motion: &Motion| Motion {
            velocity: motion.velocity.perp(),
            angular_velocity: motion.angular_velocity.truncate().perp().extend(motion.angular_velocity.z),
            vertical: motion.vertical,
        };
        let hit = rebound(&cushion, &body, &motion, DVec2::X, e);
        let turned = rebound(&cushion, &body, &turn(&motion), DVec2::Y, e);
        prop_assert_eq!(turned, hit.map(|hit| CushionHit { after: turn(&hit.after), ..hit }));
    }

    #[test]
    fn noses_of_all_angles_obey_restitution_and_turn_nothing_about_the_contact(
        degrees in -89.0_f64..89.0, v in (0.0..1.0, unit()), w in [unit(), unit(), unit()], spin in 0.0..10.0, e in 0.0..=1.0, friction in 0.0..1.0,
    ) {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let impact = Impact { velocity: DVec3::new(v.0, v.1, 0.0), spin: DVec3::from(w) * spin, sin, cos, inertia: 0.4 };
        prop_assume!(v.0 > 1e-9);
        for ball in at_the_nose(impact, e, friction) {
            prop_assert!((ball.approach() + e * impact.approach()).abs() <= 1e-12);
            // The centre relative to the nose.
            let arm = DVec3::new(-cos, 0.0, -sin);
            let turning = |ball: &Impact| ball.spin * ball.inertia + arm.cross(ball.velocity);
            prop_assert!((turning(&ball) - turning(&impact)).length() <= 1e-12);
            let (slip, friction_taken) = (ball.slip(), (impact.slip() - ball.slip()).length() / 3.5);
            prop_assert!(friction_taken <= friction * (1.0 + e) * impact.approach() + 1e-12);
            prop_assert!(slip.perp_dot(impact.slip()).abs() <= 1e-12 * (1.0 + impact.slip().length_squared()));
        }
        for ball in every(impact, e, friction) {
            let held = ball.held_by_the_slate();
            prop_assert!(energy(&held) <= energy(&impact) * (1.0 + 1e-12));
            prop_assert!(held.velocity.x <= 0.0);
        }
    }

    #[test]
    fn a_nose_at_any_height_adds_no_energy(
        cushion in any_cushion(), (body, motion) in any_body(), vertical in unit(), sin in unit(), normal in any_normal(), e in 0.0..=1.0,
    ) {
        let body = Body { shape: Shape::Ball, ..body };
        let motion = Motion { vertical: vertical * motion.velocity.length(), ..motion };
        let Some(hit) = rebound_in_flight(&cushion, &body, &motion, normal, e, sin) else { return Ok(()) };
        prop_assert!(hit.after.kinetic_energy(&body) <= motion.kinetic_energy(&body) * (1.0 + 1e-12));
        let seen = rebound_in_flight(&cushion, &body, &mirrored(&motion), DVec2::new(normal.x, -normal.y), e, sin);
        prop_assert_eq!(seen, Some(CushionHit { after: mirrored(&hit.after), ..hit }));
    }
}
