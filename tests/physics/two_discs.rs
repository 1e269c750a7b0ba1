//! Two discs: the worked example of one-dimensional restitution, its centre-of-mass form, and the textbook cases.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, response::ImpulseBreakdown, run_tick},
    prelude::*,
};

use crate::support::{self, Dice};

/// The worked example of one-dimensional restitution; its figures are f64, ours f32, so the tolerance is 3e-7 of the
/// largest coordinate.
const A: DiscState = DiscState {
    entity: Entity::PLACEHOLDER,
    id: 0,
    position: Vec2::new(260.0, 208.0),
    velocity: Vec2::new(76.0, -112.0),
    radius: 150.0,
    mass: 70_685.836,
    restitution: None,
    spin: None,
    kinematic: false,
    move_to: None,
};
const B: DiscState = DiscState { id: 1, position: Vec2::new(558.4, 192.0), velocity: Vec2::new(-94.4, -96.0), ..A };

fn close(actual: Vec2, expected: [f64; 2], tolerance: f64, what: &str) {
    let expected = DVec2::from_array(expected);
    let error = (actual.as_dvec2() - expected).length();
    assert!(error <= tolerance, "{what}: {actual} instead of {expected}, off by {error:e}");
}

#[test]
fn the_worked_example_of_restitution_value_by_value() {
    let x = ImpulseBreakdown::of(&A, &B, 0.8);
    close(x.n, [0.998_565_577_441_190_5, -0.053_542_390_211_323_89], 1e-7, "n");
    // The gap is a difference of two numbers near 300, whose rounding is 3e-5.
    assert!((f64::from(x.gap) + 1.171_353_448_167_565_1).abs() < 1e-4, "gap {}", x.gap);
    close(x.a_apart, [259.415_163_383_821_44, 208.031_358_531_698_57], 1e-4, "a pushed apart");
    close(x.b_apart, [558.984_836_616_178_5, 191.968_641_468_301_43], 1e-4, "b pushed apart");
    assert!((f64::from(x.a_s) - 81.887_731_589_198_75).abs() < 3e-5, "as {}", x.a_s);
    assert!((f64::from(x.b_s) + 89.124_521_050_161_26).abs() < 3e-5, "bs {}", x.b_s);
    close(x.avx, [81.770_269_979_717_47, -4.384_464_878_269_033], 3e-5, "avx");
    close(x.bvx, [-88.996_678_826_623_82, 4.771_939_883_465_085], 3e-5, "bvx");
    close(x.avy, [-5.770_269_979_717_469, -107.615_535_121_730_97], 3e-5, "avy");
    close(x.bvy, [-5.403_321_173_376_156, -100.771_939_883_465_08], 3e-5, "bvy");
    assert!((f64::from(x.as2) + 72.023_295_786_225_28).abs() < 3e-5, "as2 {}", x.as2);
    assert!((f64::from(x.bs2) - 64.786_506_325_262_76).abs() < 3e-5, "bs2 {}", x.bs2);
    close(x.av2, [-77.690_253_925_707_17, -103.759_235_714_439_3], 3e-5, "av2");
    close(x.bv2, [59.290_253_925_707_19, -104.240_764_285_560_7], 3e-5, "bv2");
    close(x.a_mirror, [-87.540_539_959_434_94, -103.231_070_246_341_93], 3e-5, "a mirrored");
    close(x.b_mirror, [83.593_357_653_247_66, -105.543_879_766_930_17], 3e-5, "b mirrored");
}

#[test]
fn the_pipeline_gives_what_the_worked_example_says() {
    let mut space = PhysicsSpace::default();
    space.discs.push(A);
    space.discs.push(B);
    let settings = CollisionSettings { restitution: 0.8, ..CollisionSettings::default() };
    // A time step of zero: the example starts at the moment of contact.
    run_tick(&mut space, &settings, 0.0, |_| {});
    close(space.discs.position[0], [259.415_163_383_821_44, 208.031_358_531_698_57], 1e-4, "a");
    close(space.discs.position[1], [558.984_836_616_178_5, 191.968_641_468_301_43], 1e-4, "b");
    close(space.discs.velocity[0], [-77.690_253_925_707_17, -103.759_235_714_439_3], 3e-5, "av2");
    close(space.discs.velocity[1], [59.290_253_925_707_19, -104.240_764_285_560_7], 3e-5, "bv2");
    assert_eq!(space.report.collisions, 1);
}

/// Centre-of-mass form: in the frame of the centre of mass, reverse the component along the line of centres.
fn centre_of_mass_form(a: &DiscState, b: &DiscState) -> (DVec2, DVec2) {
    let (am, bm) = (f64::from(a.mass), f64::from(b.mass));
    let (av, bv) = (a.velocity.as_dvec2(), b.velocity.as_dvec2());
    let n = (b.position.as_dvec2() - a.position.as_dvec2()).normalize();
    let gv = (av * am + bv * bm) / (am + bm);
    let flip = |v: DVec2| v - n * (2.0 * v.dot(n));
    (flip(av - gv) + gv, flip(bv - gv) + gv)
}

#[test]
fn the_two_derivations_of_the_impulse_agree_where_nothing_is_lost() {
    let mut dice = Dice(2);
    for _ in 0..1000 {
        let a = DiscState { position: dice.vec(5.0), velocity: dice.vec(9.0), mass: dice.range(0.1, 10.0), ..A };
        let b = DiscState { position: dice.vec(5.0), velocity: dice.vec(9.0), mass: dice.range(0.1, 10.0), ..A };
        let x = ImpulseBreakdown::of(&a, &b, 1.0);
        let (av, bv) = centre_of_mass_form(&a, &b);
        // Speeds up to about 40 m/s: a few rounding errors of that.
        close(x.av2, av.to_array(), 2e-5, "a");
        close(x.bv2, bv.to_array(), 2e-5, "b");
    }
}

fn head_on(e: f32, mass_b: f32, vb: f32) -> (f32, f32) {
    let mut app = support::app();
    support::settings(&mut app, |s| s.restitution = e);
    let a = support::disc(&mut app, Vec2::new(-0.55, 0.0), Vec2::new(6.0, 0.0));
    let b = support::disc(&mut app, Vec2::new(0.55, 0.0), Vec2::new(vb, 0.0));
    app.world_mut().entity_mut(b).insert(Mass(mass_b));
    support::ticks(&mut app, 10);
    (support::velocity(&app, a).x, support::velocity(&app, b).x)
}

#[test]
fn equal_masses_head_on_share_the_speed_by_the_restitution() {
    for e in [0.0, 0.1, 0.5, 0.8, 1.0] {
        let (a, b) = head_on(e, 1.0, 0.0);
        assert!((a - (1.0 - e) * 3.0).abs() < 1e-6, "e = {e}: {a}");
        assert!((b - (1.0 + e) * 3.0).abs() < 1e-6, "e = {e}: {b}");
    }
}

#[test]
fn restitution_one_is_no_mirror() {
    assert_eq!(head_on(1.0, 1.0, 0.0), (0.0, 6.0));
}

#[test]
fn a_very_heavy_disc_goes_straight_on() {
    let (a, b) = head_on(1.0, 1e10, -6.0);
    assert!((a + 18.0).abs() < 1e-5, "{a}");
    assert!((b + 6.0).abs() < 1e-6, "{b}");
}

#[test]
fn equal_elastic_discs_part_at_a_right_angle() {
    for aim in [0.1_f32, 0.3, 0.5, 0.7, 0.9] {
        let mut app = support::app();
        let a = support::disc(&mut app, Vec2::new(-3.0, aim), Vec2::new(6.0, 0.0));
        let b = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        support::ticks(&mut app, 60);
        let (va, vb) = (support::velocity(&app, a), support::velocity(&app, b));
        assert!(vb.length() > 1.0, "aim {aim}: they met");
        assert!(va.dot(vb).abs() < 1e-5 * 36.0, "aim {aim}: {va} and {vb}");
    }
}

#[test]
fn restitution_is_obeyed_at_every_speed() {
    // No hidden threshold: a slow disc bounces like a fast one.
    for speed in [1e-4_f32, 1e-2, 1.0, 25.0] {
        let mut space = PhysicsSpace::default();
        space.discs.push(DiscState {
            position: Vec2::new(-0.49, 0.0),
            velocity: Vec2::new(speed, 0.0),
            ..DiscState::default()
        });
        space.discs.push(DiscState { id: 1, position: Vec2::new(0.49, 0.0), ..DiscState::default() });
        let settings = CollisionSettings { restitution: 0.6, ..CollisionSettings::default() };
        run_tick(&mut space, &settings, 0.0, |_| {});
        let after = space.discs.velocity[1].x - space.discs.velocity[0].x;
        assert!((after / speed - 0.6).abs() < 1e-6, "{speed} m/s: parts at {after}");
    }
}

#[test]
fn a_value_on_a_disc_overrules_the_setting_and_the_smaller_of_two_wins() {
    for (own_a, own_b, expected) in
        [(None, None, 0.9), (Some(0.4), None, 0.4), (None, Some(1.0), 1.0), (Some(0.7), Some(0.2), 0.2)]
    {
        let mut app = support::app();
        support::settings(&mut app, |s| s.restitution = 0.9);
        let a = support::disc(&mut app, Vec2::new(-0.55, 0.0), Vec2::new(6.0, 0.0));
        let b = support::disc(&mut app, Vec2::new(0.55, 0.0), Vec2::ZERO);
        for (entity, own) in [(a, own_a), (b, own_b)] {
            if let Some(own) = own {
                app.world_mut().entity_mut(entity).insert(Restitution(own));
            }
        }
        support::ticks(&mut app, 10);
        let parting = support::velocity(&app, b).x - support::velocity(&app, a).x;
        assert!((parting / 6.0 - expected).abs() < 1e-6, "{own_a:?} and {own_b:?}: {parting}");
    }
}

#[test]
fn one_disc_leaves_a_cradle_for_one_that_came() {
    for count in 2..=10 {
        let mut app = support::app();
        let discs: Vec<Entity> = (0..count)
            // Gaps wide enough that within a tick only one pair at a time overlaps.
            .map(|i| support::disc(&mut app, Vec2::new(i as f32 * 1.05, 0.0), Vec2::ZERO))
            .collect();
        app.world_mut().entity_mut(discs[0]).insert(Velocity(Vec2::new(2.0, 0.0)));
        support::ticks(&mut app, 120);
        for (i, &disc) in discs.iter().enumerate() {
            let expected = if i + 1 == count { 2.0 } else { 0.0 };
            assert!((support::velocity(&app, disc).x - expected).abs() < 1e-6, "{count} discs, number {i}");
        }
    }
}

/// The documentation of the collision module on fast discs: the share of missed hits if discs approach by `s` times the
/// sum of their radii in a substep. At impact parameter b they overlap and approach for `sqrt(1 - b^2)`, and the hit is
/// detected if a substep ends in that span. So the missed share is `1 - c - (acos c - c s) / 2 s` with
/// `c = sqrt(1 - s^2)`, and `1 - pi / 4 s` from s = 1 on.
#[test]
fn as_many_hits_are_missed_as_geometry_says() {
    let settings = CollisionSettings::default();
    let time_step = 0.01;
    let mut dice = Dice(8);
    for (share, expected) in [(0.25_f32, 0.0105), (0.5, 0.0434), (1.0, 0.2146), (2.0, 0.6073)] {
        let trials = 4000;
        let mut missed = 0;
        for _ in 0..trials {
            let mut space = PhysicsSpace::default();
            let from = Vec2::new(-1.0 - share * dice.range(0.0, 1.0), dice.range(-1.0, 1.0));
            let velocity = Vec2::new(share / time_step, 0.0);
            space.discs.push(DiscState { position: from, velocity, ..DiscState::default() });
            space.discs.push(DiscState { id: 1, ..DiscState::default() });
            while space.discs.position[0].x < 1.0 && space.discs.velocity[0] == velocity {
                run_tick(&mut space, &settings, time_step, |_| {});
            }
            missed += u32::from(space.discs.velocity[0] == velocity);
        }
        let missed = f64::from(missed) / f64::from(trials);
        // Three standard deviations of the sample.
        let noise = 3.0 * (expected * (1.0 - expected) / f64::from(trials)).sqrt();
        assert!((missed - expected).abs() < noise, "{share}: {missed} are missed instead of {expected}");
    }
}
