//! Transfer of motion between two balls in a hit, through whole ticks: throw, side and follow. Cases 13, 15, 16, 17 and
//! 33, and balls of different mass and size.

use crate::support::*;
use bevy::{math::DVec2, prelude::*};
use carom::collision::{
    DiscState, HitTarget, PhysicsSpace,
    path::table_events::{TableEvent, TableEventKind},
    spin::{BallState, Body, Cloth, Motion, Shape, Spin, TablePhysics, pair},
};

const RATES: [f32; 3] = [60.0, 120.0, 240.0];

/// Runs until the two balls collide, and returns the event of each.
fn hit(space: &mut PhysicsSpace, e: f32, physics: &TablePhysics, rate: f32) -> [TableEvent; 2] {
    space.report.record_events = true;
    for _ in 0..(10.0 * rate) as u32 {
        tick(space, &continuous(e), physics, rate);
        let hits =
            space.report.events.iter().filter(|event| matches!(event.kind, TableEventKind::Hit(HitTarget::Disc(_))));
        if let [a, b] = hits.copied().collect::<Vec<_>>()[..] {
            assert_eq!((a.disc, b.disc), (0, 1));
            return [a, b];
        }
    }
    panic!("they do not meet");
}

/// A ball that moves along +x and almost touches another. The centre of the other lies to the right by the cut angle,
/// degrees.
fn at_cut(velocity: f32, spin: Vec3, cut: f64) -> PhysicsSpace {
    let line = DVec2::from_angle(-cut.to_radians()) * f64::from(2.0 * R) * (1.0 + 1e-6);
    space([ball(0, Vec2::ZERO, Vec2::X * velocity, spin), ball(1, line.as_vec2(), Vec2::ZERO, Vec3::ZERO)])
}

const POOL: Body = Body { mass: M as f64, radius: R as f64, shape: Shape::Ball };

#[test]
fn case_13_a_stun_shot_is_thrown_by_four_degrees() {
    for rate in RATES {
        let [cue, object] = hit(&mut at_cut(1.0, Vec3::ZERO, 30.0), 1.0, &TablePhysics::default(), rate);
        near(degrees(object.after.velocity) + 30.0, 4.1545, 1e-3);
        near(object.after.velocity.length(), DVec2::new(0.781453, 0.378535).length(), 1e-5);
        near(cue.after.angular_velocity.z, -5.503509, 1e-3);
        near(object.after.angular_velocity.z, -5.503509, 1e-3);
    }
}

#[test]
fn case_15_side_that_grips_hands_over_five_fourteenths_reversed() {
    for rate in RATES {
        let [cue, object] = hit(&mut at_cut(1.0, Vec3::Z * 10.0 * R, 0.0), 0.95, &TablePhysics::default(), rate);
        near(degrees(object.after.velocity), 2.3975, 1e-3);
        near(object.after.angular_velocity.z, -10.0 * 5.0 / 14.0, 1e-4);
        near(cue.after.angular_velocity.z, 10.0 * 9.0 / 14.0, 1e-4);
    }
}

#[test]
fn case_16_outside_side_that_gears_throws_nothing() {
    for rate in RATES {
        for cut in [5.0_f64, 15.0, 30.0, 45.0, 60.0, 75.0] {
            for speed in [0.5, 2.0] {
                let gearing = Vec3::NEG_Z * speed * cut.to_radians().sin() as f32;
                let [_, object] = hit(&mut at_cut(speed, gearing, cut), 0.95, &TablePhysics::default(), rate);
                near(degrees(object.after.velocity) + cut, 0.0, 1e-3);
                near(object.after.angular_velocity.z, 0.0, 1e-3);
            }
        }
    }
}

#[test]
fn case_17_a_small_slip_is_stopped() {
    for rate in RATES {
        for (slip, speed) in [(0.05, 1.0), (0.05, 3.0), (0.01, 1.0), (-0.05, 2.0)] {
            let [cue, object] = hit(&mut at_cut(speed, Vec3::Z * slip, 0.0), 0.95, &TablePhysics::default(), rate);
            let left = pair::slip([&POOL, &POOL], [&cue.after, &object.after], DVec2::X);
            near(left.length(), 0.0, 1e-6);
        }
    }
}

/// A rolling ball at `v` passes on `2.5 μ(v) v` of its follow, with Alciatore's `μ`, and loses as much.
#[test]
fn a_rolling_ball_gives_the_other_backspin() {
    for rate in RATES {
        let [cue, object] = hit(&mut at_cut(1.0, Vec3::Y, 0.0), 1.0, &TablePhysics::default(), rate);
        near(spin_speed(&object.after).y, -2.5 * 0.04634, 2e-5);
        near(spin_speed(&cue.after).y, 1.0 - 2.5 * 0.04634, 2e-5);
    }
}

/// `tan θ = sin φ cos φ / (sin² φ + 2/5)`, degrees.
fn thirty_degree_rule(cut: f64) -> f64 {
    let (sin, cos) = cut.to_radians().sin_cos();
    (sin * cos).atan2(sin * sin + 0.4).to_degrees()
}

/// The direction of a rolling cue ball when it rolls again after its hit, degrees.
fn turns(speed: f32, cut: f64, e: f32, physics: &TablePhysics, rate: f32) -> f64 {
    let mut space = at_cut(speed, Vec3::Y * speed, cut);
    hit(&mut space, e, physics, rate);
    while BallState::of(&motion(&space, 0), f64::from(R)) == BallState::Sliding {
        tick(&mut space, &continuous(e), physics, rate);
    }
    degrees(motion(&space, 0).velocity)
}

#[test]
fn the_thirty_degree_rule_holds_at_any_speed_on_any_cloth() {
    for rate in RATES {
        for speed in [0.5, 2.0, 6.0] {
            for sliding in [0.1, 0.2, 0.4] {
                for cut in [5.0, 15.0, 30.0, 45.0, 60.0, 75.0] {
                    let cloth = Cloth { sliding, ..Cloth::default() };
                    let angle = turns(speed, cut, 1.0, &TablePhysics { cloth, ..frictionless() }, rate);
                    near(angle, thirty_degree_rule(cut), 0.01);
                }
            }
        }
    }
    let most = (0..900).map(|k| thirty_degree_rule(0.1 * f64::from(k))).fold(0.0, f64::max);
    near(most, 33.749, 1e-3);
}

#[test]
fn friction_and_restitution_bend_it_by_less_than_a_degree() {
    for cut in (1..=16).map(|k| 5.0 * f64::from(k)) {
        let less = thirty_degree_rule(cut) - turns(2.0, cut, 0.95, &TablePhysics::default(), 120.0);
        assert!(less > 0.0 && less < 1.0, "{cut}: {less}");
    }
}

#[test]
fn case_33_an_aim_that_is_off_by_an_eighth_of_a_degree() {
    for rate in RATES {
        for (distance, error) in [(0.5, 0.969), (1.0, 2.063), (1.5, 3.158), (2.0, 4.254)] {
            let aim = DVec2::from_angle(0.125_f64.to_radians());
            let mut space = space([
                rolling(0, Vec2::ZERO, (aim * 3.0).as_vec2()),
                ball(1, Vec2::X * distance, Vec2::ZERO, Vec3::ZERO),
            ]);
            let [_, object] = hit(&mut space, 1.0, &frictionless(), rate);
            near(-degrees(object.after.velocity), error, 0.005);
        }
    }
}

/// A disc of any kind, given as (mass, radius, shape).
fn disc(id: u64, position: Vec2, velocity: Vec2, spin: Vec3, (mass, radius, shape): (f32, f32, Shape)) -> DiscState {
    let spin = Some(Spin { angular_velocity: spin / radius, shape });
    DiscState { id, position, velocity, radius, mass, spin, ..DiscState::default() }
}

#[test]
fn whatever_their_mass_and_size_a_hit_keeps_momentum_and_gives_no_energy() {
    let kinds = [
        (M, R, Shape::Ball),
        (0.1406, 0.02625, Shape::Ball),
        (0.21, 0.03075, Shape::Ball),
        (5.0, 0.01, Shape::Ball),
        (0.01, 0.1, Shape::Flat),
    ];
    for rate in RATES {
        for first in kinds {
            for second in kinds {
                for cut in [-60.0_f64, 0.0, 25.0] {
                    let reach = f64::from(first.1 + second.1) * (1.0 + 1e-6);
                    let line = (DVec2::from_angle(cut.to_radians()) * reach).as_vec2();
                    let spin = |kind: (f32, f32, Shape), w: Vec3| if kind.2 == Shape::Flat { Vec3::Z * w.z } else { w };
                    let [v, w] = [Vec2::X * 1.7, Vec2::new(-0.2, 0.1)];
                    let mut space = space([
                        disc(0, Vec2::ZERO, v, spin(first, Vec3::new(0.3, 1.1, -0.8)), first),
                        disc(1, line, w, spin(second, Vec3::new(-0.5, 0.2, 0.6)), second),
                    ]);
                    let events = hit(&mut space, 0.95, &TablePhysics::default(), rate);
                    let body = |(mass, radius, shape): (f32, f32, Shape)| Body {
                        mass: mass.into(),
                        radius: radius.into(),
                        shape,
                    };
                    let bodies = [body(first), body(second)];
                    let momentum = |motions: [Motion; 2]| {
                        motions[0].velocity * bodies[0].mass + motions[1].velocity * bodies[1].mass
                    };
                    let energy = |motions: [Motion; 2]| {
                        motions[0].kinetic_energy(&bodies[0]) + motions[1].kinetic_energy(&bodies[1])
                    };
                    let [before, after] = [events.map(|event| event.before), events.map(|event| event.after)];
                    let change = (momentum(after) - momentum(before)).length();
                    assert!(change <= 1e-12 * momentum(before).length(), "{first:?} {second:?}: {change} N s");
                    assert!(energy(after) <= energy(before) * (1.0 + 1e-12));
                    let normal = DVec2::from_angle(cut.to_radians());
                    let [came, left] = [before, after].map(|[a, b]| pair::approach(&a, &b, normal));
                    near(left, -0.95 * came, 1e-5);
                }
            }
        }
    }
}
