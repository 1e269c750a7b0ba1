//! Springs, rods and ropes: periods and energies by closed forms, exact momentum, ropes that become taut, hits and
//! towing, random crowds of joints, and invalid joints.

use bevy::{
    ecs::system::SystemState,
    math::{DVec2, ops},
    prelude::*,
};
use carom::{
    collision::{Discs, measure},
    prelude::*,
    timeline::Prediction,
};
use std::f64::consts::{PI, TAU};

use crate::support::{self, Dice, MODES};

/// The gravity of the scenes that have one, m/s².
const GRAVITY: f64 = 9.81;

/// An app in a mode, with discs of given mass, position and velocity that collide with nothing, so that only joints
/// act.
fn free(mode: (SolverMode, u32), discs: &[(f32, Vec2, Vec2)]) -> (App, Vec<Entity>) {
    let mut app = support::app_in(mode);
    let entities = discs.iter().map(|&(mass, position, velocity)| {
        let disc = support::disc(&mut app, position, velocity);
        app.world_mut().entity_mut(disc).insert((Mass(mass), CollisionLayers::NONE));
        disc
    });
    let entities = entities.collect();
    (app, entities)
}

fn with_gravity(app: &mut App) {
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -GRAVITY as f32);
}

/// The time of a step of this mode, seconds.
fn step((_, substeps): (SolverMode, u32)) -> f64 {
    1.0 / 60.0 / f64::from(substeps)
}

/// A prediction of unlimited length: the ticks without the ECS.
fn run(app: &mut App) -> Prediction {
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    let predictor = state.get(app.world()).expect("it can be predicted");
    predictor.predict(Horizon { seconds: 1e9, ..Horizon::default() })
}

fn kinetic(discs: &Discs) -> f64 {
    measure::kinetic_energy(discs)
}

/// Angular momentum about the origin, kg m²/s.
fn angular_momentum(discs: &Discs) -> f64 {
    let each = |i: usize| f64::from(discs.mass[i]) * at(discs, i).perp_dot(discs.velocity[i].as_dvec2());
    (0..discs.len()).map(each).sum()
}

fn at(discs: &Discs, i: usize) -> DVec2 {
    discs.position[i].as_dvec2()
}

/// The mean time between upward passages of `value` through zero, over this many, by linear interpolation, seconds.
fn period(prediction: &mut Prediction, passages: usize, value: impl Fn(&Discs) -> f64) -> f64 {
    let (mut times, mut before) = (Vec::new(), value(prediction.discs()));
    while times.len() <= passages {
        prediction.tick();
        let now = value(prediction.discs());
        if before < 0.0 && now >= 0.0 {
            times.push((prediction.ticks() as f64 - now / (now - before)) / 60.0);
        }
        before = now;
    }
    (times[passages] - times[0]) / passages as f64
}

#[test]
fn a_spring_between_two_has_the_period_of_the_reduced_mass() {
    for mode in MODES {
        for (masses, stiffness) in [([1.0, 1.0], 20.0), ([0.3, 5.0], 8.0), ([2.0, 7.0], 300.0)] {
            let (mut app, discs) = free(
                mode,
                &[(masses[0], Vec2::new(-1.2, 0.0), Vec2::ZERO), (masses[1], Vec2::new(1.2, 0.0), Vec2::ZERO)],
            );
            app.world_mut().spawn(Joint::spring(discs[0], discs[1], 2.0, stiffness));
            let reduced = f64::from(masses[0] * masses[1] / (masses[0] + masses[1]));
            let omega = (f64::from(stiffness) / reduced).sqrt();
            let found = period(&mut run(&mut app), 20, |discs| at(discs, 1).x - at(discs, 0).x - 2.0);
            // The error of Verlet, and the interpolation of the passages.
            let expected = TAU / omega * (1.0 - (omega * step(mode)).powi(2) / 24.0);
            assert!((found / expected - 1.0).abs() < 1e-3, "{mode:?}, {masses:?}: {found} s, not {expected}");
        }
    }
}

/// Two discs that were pushed apart by their overlap and pulled together by the rod would turn ever faster.
#[test]
fn discs_that_a_rod_or_a_rope_holds_closer_than_they_have_room_go_through_each_other() {
    for mode in MODES {
        for kind in [JointKind::Rod { length: 0.4 }, JointKind::Rope { length: 0.4, restitution: 1.0 }] {
            let mut app = support::app_in(mode);
            let discs =
                [(0.0, -1.0), (0.4, 1.0)].map(|(x, up)| support::disc(&mut app, Vec2::new(x, 0.0), Vec2::new(0.3, up)));
            app.world_mut().spawn(Joint { ends: discs.map(JointEnd::Disc), kind });
            let energy = |app: &App| -> f32 {
                discs.iter().map(|&disc| 0.5 * support::velocity(app, disc).length_squared()).sum()
            };
            let before = energy(&app);
            support::ticks(&mut app, 600);
            let what = format!("{mode:?}, {kind:?}: {before} J, {} J", energy(&app));
            assert!((energy(&app) / before - 1.0).abs() < 1e-3, "{what}");
            let apart = support::position(&app, discs[0]).distance(support::position(&app, discs[1]));
            assert!((apart - 0.4).abs() < 1e-3, "{what}, {apart} m");
            assert!(support::collisions(&mut app).is_empty(), "{what}");
            // Without the joint they collide again.
            let joint = app.world_mut().query_filtered::<Entity, With<Joint>>().single(app.world()).unwrap();
            app.world_mut().despawn(joint);
            support::ticks(&mut app, 30);
            let apart = support::position(&app, discs[0]).distance(support::position(&app, discs[1]));
            assert!(apart > 0.999, "{what}, {apart} m");
        }
    }
}

#[test]
fn a_spring_keeps_momentum_and_its_energy_does_not_drift() {
    for mode in MODES {
        let stiffness = 40.0;
        let (mut app, discs) = free(
            mode,
            &[(1.0, Vec2::new(-1.0, 0.0), Vec2::new(0.3, 0.75)), (3.0, Vec2::new(1.0, 0.0), Vec2::new(-0.1, -0.25))],
        );
        app.world_mut().spawn(Joint::spring(discs[0], discs[1], 1.5, stiffness));
        let mut prediction = run(&mut app);
        let energy = |discs: &Discs| {
            let stretch = at(discs, 0).distance(at(discs, 1)) - 1.5;
            kinetic(discs) + 0.5 * f64::from(stiffness) * stretch * stretch
        };
        let (start, momentum) = (energy(prediction.discs()), measure::momentum(prediction.discs()));
        let angular = angular_momentum(prediction.discs());
        let omega = (f64::from(stiffness) / 0.75).sqrt();
        let bound = (omega * step(mode)).powi(2) / 4.0 + 1e-4;
        for tick in 0..100_000 {
            prediction.tick();
            if tick % 97 == 0 {
                let error = (energy(prediction.discs()) / start - 1.0).abs();
                assert!(error < bound, "{mode:?}, tick {tick}: energy off by {error}, more than {bound}");
            }
        }
        let lost = measure::momentum(prediction.discs()) - momentum;
        assert!(lost.length() < 1e-3, "{mode:?}: {lost}");
        let turned = angular_momentum(prediction.discs()) - angular;
        assert!(turned.abs() < 0.02 * angular.abs().max(1.0), "{mode:?}: {turned} of {angular}");
    }
}

#[test]
fn a_damped_spring_dies_away_as_it_should() {
    for mode in MODES {
        let (mut app, discs) = free(mode, &[(2.0, Vec2::new(1.3, 0.0), Vec2::ZERO)]);
        app.world_mut().spawn(Joint::spring(discs[0], Vec2::ZERO, 1.0, 50.0).damped(1.0));
        let (decay, undamped) = (1.0 / 4.0, 25.0_f64);
        let omega = (undamped - decay * decay).sqrt();
        let mut prediction = run(&mut app);
        for tick in 1..=600 {
            prediction.tick();
            let t = f64::from(tick) / 60.0;
            let swing = (omega * t).cos() + decay / omega * (omega * t).sin();
            let expected = 1.0 + 0.3 * (-decay * t).exp() * swing;
            let found = at(prediction.discs(), 0).x;
            // The phase of Verlet leads by (ω h)² / 24 per radian.
            let allowed = 0.3 * omega * t * (5.0 * step(mode)).powi(2) / 12.0 + 1e-3;
            assert!((found - expected).abs() < allowed, "{mode:?}, {t} s: {found}, not {expected}");
        }
    }
}

#[test]
fn no_spring_is_too_stiff_and_no_damper_too_strong() {
    for mode in MODES {
        for (stiffness, damping) in [(1e12, 0.0), (1e6, 1e12), (0.0, 1e12), (3e4, 10.0)] {
            let start: Vec<_> =
                (0..6).map(|i| (1.0, Vec2::new(1.1 * i as f32, 0.0), Vec2::new(0.0, 0.1 * i as f32))).collect();
            let (mut app, discs) = free(mode, &start);
            for pair in discs.windows(2) {
                app.world_mut().spawn(Joint::spring(pair[0], pair[1], 1.0, stiffness).damped(damping));
            }
            let mut prediction = run(&mut app);
            // As stiff as the step allows: ω h = 1 for the sum over a disc.
            let carried = f64::from(stiffness).min(0.25 / step(mode).powi(2));
            let most = 2.0 * (kinetic(prediction.discs()) + 5.0 * 0.5 * carried * 0.1_f64.powi(2));
            for tick in 0..2000 {
                prediction.tick();
                let energy = kinetic(prediction.discs());
                assert!(
                    energy <= most,
                    "{mode:?}, {stiffness} N/m, {damping} N s/m, tick {tick}: {energy} J, from at most {most}"
                );
            }
        }
    }
}

/// The arithmetic-geometric mean.
fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// A pendulum of 2 m that starts at rest at this angle from the lowest point.
fn pendulum(mode: (SolverMode, u32), angle: f64, joint: impl Fn(Entity) -> Joint) -> App {
    let place = DVec2::new(2.0 * angle.sin(), -2.0 * angle.cos()).as_vec2();
    let (mut app, discs) = free(mode, &[(3.0, place, Vec2::ZERO)]);
    with_gravity(&mut app);
    app.world_mut().spawn(joint(discs[0]));
    app
}

#[test]
fn a_pendulum_swings_with_its_elliptic_period() {
    for mode in MODES {
        for degrees in [5.0_f64, 40.0, 90.0, 150.0, 175.0] {
            let angle = degrees.to_radians();
            let expected = TAU * (2.0 / GRAVITY).sqrt() / agm(1.0, (0.5 * angle).cos());
            let mut app = pendulum(mode, angle, |bob| Joint::rod(bob, Vec2::ZERO, 2.0));
            let found = period(&mut run(&mut app), 6, |discs| at(discs, 0).x);
            // The fastest turn is 2 sqrt(g / L) sin(angle / 2); near the top small errors weigh more.
            let turn = 2.0 * (GRAVITY / 2.0).sqrt() * step(mode);
            let allowed = if degrees > 170.0 { 5.0 } else { 1.0 } * turn * turn / 4.0 + 3e-4;
            assert!((found / expected - 1.0).abs() < allowed, "{mode:?}, {degrees}°: {found} s, not {expected}");
            if degrees <= 90.0 {
                // A taut rope acts like a rod.
                let mut app = pendulum(mode, angle, |bob| Joint::rope(bob, Vec2::ZERO, 2.0));
                let found = period(&mut run(&mut app), 6, |discs| at(discs, 0).x);
                assert!((found / expected - 1.0).abs() < 3.0 * allowed, "{mode:?}, {degrees}°, rope: {found} s");
            }
        }
    }
}

#[test]
fn the_energy_of_a_pendulum_does_not_drift() {
    for mode in MODES {
        let mut app = pendulum(mode, 2.5, |bob| Joint::rod(Vec2::ZERO, bob, 2.0));
        let mut prediction = run(&mut app);
        let energy = |discs: &Discs| kinetic(discs) + 3.0 * GRAVITY * (at(discs, 0).y + 2.0);
        let start = energy(prediction.discs());
        let turn = 2.0 * (GRAVITY / 2.0).sqrt() * step(mode);
        for tick in 0..100_000 {
            prediction.tick();
            let error = (energy(prediction.discs()) / start - 1.0).abs();
            assert!(error < turn * turn / 4.0 + 2e-4, "{mode:?}, tick {tick}: {error}");
            let length = at(prediction.discs(), 0).length();
            assert!((length - 2.0).abs() < 2e-6, "{mode:?}, tick {tick}: {length} m");
        }
    }
}

#[test]
fn a_free_dumbbell_turns_for_ever() {
    for mode in MODES {
        let (mut app, discs) = free(
            mode,
            &[(1.0, Vec2::new(-0.75, 0.0), Vec2::new(0.0, -3.0)), (3.0, Vec2::new(0.25, 0.0), Vec2::new(0.0, 1.0))],
        );
        app.world_mut().spawn(Joint::rod(discs[0], discs[1], 1.0));
        let mut prediction = run(&mut app);
        let (energy, momentum) = (kinetic(prediction.discs()), measure::momentum(prediction.discs()));
        for _ in 0..30_000 {
            prediction.tick();
        }
        let discs = prediction.discs();
        assert!((kinetic(discs) / energy - 1.0).abs() < 3e-5, "{mode:?}: {} of {energy} J", kinetic(discs));
        assert!((measure::momentum(discs) - momentum).length() < 1e-4, "{mode:?}");
        assert!((at(discs, 0).distance(at(discs, 1)) - 1.0).abs() < 1e-6, "{mode:?}");
    }
}

#[test]
fn the_angular_velocity_of_a_dumbbell_is_right() {
    for mode in MODES {
        let omega = 4.0_f32;
        let (mut app, discs) = free(
            mode,
            &[
                (1.0, Vec2::new(-0.75, 0.0), Vec2::new(0.0, -0.75 * omega)),
                (3.0, Vec2::new(0.25, 0.0), Vec2::new(0.0, 0.25 * omega)),
            ],
        );
        app.world_mut().spawn(Joint::rod(discs[0], discs[1], 1.0));
        let found = period(&mut run(&mut app), 30, |discs| (at(discs, 1) - at(discs, 0)).y);
        // A step turns it by the angle whose sine is ω h.
        let turn = f64::from(omega) * step(mode);
        let expected = TAU / f64::from(omega) * turn / turn.asin();
        assert!((found / expected - 1.0).abs() < 2e-5, "{mode:?}: {found} s, not {expected}");
    }
}

/// Two discs on a slack rope that separate, and the result after the tick in which it becomes taut.
#[test]
fn a_rope_that_gets_taut_takes_just_the_speed_along_it() {
    let mut dice = Dice(5);
    for case in 0..300 {
        let mode = MODES[case % 3];
        let masses = [dice.range(0.1, 5.0), dice.range(0.1, 5.0)];
        let velocities = [dice.vec(3.0), dice.vec(3.0)];
        let restitution = if case % 2 == 0 { 0.0 } else { dice.range(0.1, 1.0) };
        let places = [dice.vec(0.5), dice.vec(0.5)];
        let length = dice.range(2.0, 4.0);
        if velocities[0].distance(velocities[1]) < 1.0 {
            continue;
        }
        let start = [0, 1].map(|i| (masses[i], places[i], velocities[i]));
        let (mut app, discs) = free(mode, &start);
        let kind = JointKind::Rope { length, restitution };
        app.world_mut().spawn(Joint::new(discs[0], discs[1], kind));
        let mut prediction = run(&mut app);
        let relative = (velocities[1] - velocities[0]).as_dvec2();
        let across = (places[1] - places[0]).as_dvec2().perp_dot(relative) / f64::from(length);
        let along_squared = relative.length_squared() - across * across;
        let [m, n] = masses.map(f64::from);
        let centre = (velocities[0].as_dvec2() * m + velocities[1].as_dvec2() * n) / (m + n);
        // It is taut when the distance stops growing.
        let mut distance = 0.0;
        loop {
            prediction.tick();
            let discs = prediction.discs();
            let now = at(discs, 0).distance(at(discs, 1));
            if discs.velocity[0] != velocities[0] {
                break;
            }
            assert!(now >= distance - 1.0, "it parts at last");
            distance = now;
        }
        let discs = prediction.discs();
        let found = kinetic(discs);
        let e = f64::from(restitution);
        let expected =
            0.5 * (m + n) * centre.length_squared() + 0.5 * m * n / (m + n) * (across * across + e * e * along_squared);
        assert!((found / expected - 1.0).abs() < 1e-5, "case {case}, {mode:?}, e {e}: {found} J, not {expected}");
        assert!((measure::momentum(discs) - centre * (m + n)).length() < 1e-5 * (m + n), "case {case}");
        let now = at(discs, 0).distance(at(discs, 1));
        assert!(now < f64::from(length) * (1.0 + 1e-6), "case {case}: {now} of {length} m");
    }
}

#[test]
fn a_slack_rope_changes_not_one_bit() {
    for mode in MODES {
        let run = |joined: bool| {
            let (mut app, discs) = free(mode, &[(1.0, Vec2::ZERO, Vec2::new(1.0, 0.3)), (2.0, Vec2::ONE, Vec2::X)]);
            with_gravity(&mut app);
            if joined {
                app.world_mut().spawn(Joint::rope(discs[0], discs[1], 3.0));
                app.world_mut().spawn(Joint::rope(discs[0], Vec2::ZERO, 1000.0));
            }
            support::ticks(&mut app, 100);
            support::hash(&mut app)
        };
        assert_eq!(run(false), run(true), "{mode:?}");
    }
}

#[test]
fn a_wrecking_ball_passes_its_speed_through_a_row() {
    for mode in MODES {
        for joint in [|bob| Joint::rod(bob, Vec2::new(0.0, 4.0), 4.0), |bob| Joint::rope(bob, Vec2::new(0.0, 4.0), 4.0)]
        {
            let mut app = support::app_in(mode);
            // It reaches the lowest point from the left, without gravity, and the comparison starts there.
            let angle = 1.0_f32;
            let start = Vec2::new(-4.0 * ops::sin(angle), 4.0 - 4.0 * ops::cos(angle));
            let bob = support::disc(&mut app, start, Vec2::new(ops::cos(angle), -ops::sin(angle)) * 2.0);
            app.world_mut().spawn(joint(bob));
            let row: Vec<_> =
                (0..4).map(|i| support::disc(&mut app, Vec2::new(1.0 + 1.01 * i as f32, 0.0), Vec2::ZERO)).collect();
            support::ticks(&mut app, 200);
            let last = support::velocity(&app, row[3]);
            assert!((last - Vec2::X * 2.0).length() < 0.05, "{mode:?}: {last}");
            assert!(support::velocity(&app, bob).length() < 0.05, "{mode:?}: {}", support::velocity(&app, bob));
            assert!((support::position(&app, bob).distance(Vec2::new(0.0, 4.0)) - 4.0).abs() < 1e-3, "{mode:?}");
        }
    }
}

#[test]
fn a_kinematic_disc_tows_a_train() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        let engine = support::disc(&mut app, Vec2::ZERO, Vec2::new(2.0, 0.0));
        app.world_mut().entity_mut(engine).insert(Kinematic);
        let mut before = engine;
        let wagons: Vec<_> = (1..8)
            .map(|i| {
                let wagon = support::disc(&mut app, Vec2::new(-1.2 * i as f32, 0.0), Vec2::ZERO);
                app.world_mut().spawn(Joint::rope(before, wagon, 1.5));
                before = wagon;
                wagon
            })
            .collect();
        support::settings(&mut app, |settings| settings.restitution = 0.0);
        support::ticks(&mut app, 600);
        assert_eq!(support::velocity(&app, engine), Vec2::new(2.0, 0.0));
        let mut at = support::position(&app, engine);
        for wagon in wagons {
            let speed = support::velocity(&app, wagon);
            assert!((speed - Vec2::new(2.0, 0.0)).length() < 1e-3, "{mode:?}: {speed}");
            let next = support::position(&app, wagon);
            assert!(at.distance(next) < 1.5 + 1e-4, "{mode:?}: {}", at.distance(next));
            at = next;
        }
    }
}

#[test]
fn a_chain_of_rods_keeps_its_energy_and_its_lengths() {
    for mode in MODES {
        let start: Vec<_> = (1..=8).map(|i| (1.0, Vec2::new(0.5 * i as f32, 0.0), Vec2::ZERO)).collect();
        let (mut app, discs) = free(mode, &start);
        with_gravity(&mut app);
        app.insert_resource(Time::<Fixed>::from_hz(240.0));
        app.world_mut().spawn(Joint::rod(discs[0], Vec2::ZERO, 0.5));
        for pair in discs.windows(2) {
            app.world_mut().spawn(Joint::rod(pair[1], pair[0], 0.5));
        }
        let mut prediction = run(&mut app);
        let energy = |discs: &Discs| kinetic(discs) + (0..8).map(|i| GRAVITY * (at(discs, i).y + 4.0)).sum::<f64>();
        let start = energy(prediction.discs());
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for _ in 0..2000 {
            prediction.tick();
            let discs = prediction.discs();
            let share = energy(discs) / start;
            (least, most) = (least.min(share), most.max(share));
            for i in 0..8 {
                let from = if i == 0 { DVec2::ZERO } else { at(discs, i - 1) };
                let length = at(discs, i).distance(from);
                assert!((length - 0.5).abs() < 2e-3, "{mode:?}: rod {i} is {length} m");
            }
        }
        // The end of such a chain cracks like a whip, and then turns far within a step.
        assert!(least > 0.99 && most < 1.01, "{mode:?}: {least} to {most}");
    }
}

/// Discs in a box without losses, joined at random.
fn mess(mode: (SolverMode, u32), seed: u64, kinds: [bool; 3]) -> (App, Vec<Entity>) {
    let mut dice = Dice(seed);
    let mut app = support::app_in(mode);
    let (discs, half) = support::random_discs(40, seed);
    support::fill(&mut app, &discs, half);
    let mut entities: Vec<_> = app
        .world_mut()
        .query_filtered::<(&StableId, Entity), With<Disc>>()
        .iter(app.world())
        .map(|(id, entity)| (*id, entity))
        .collect();
    entities.sort_unstable();
    let entities: Vec<_> = entities.into_iter().map(|(_, entity)| entity).collect();
    for _ in 0..25 {
        let [a, b] = [(); 2].map(|()| (dice.next() % 40) as usize);
        if a == b {
            continue;
        }
        let distance = discs[a].position.distance(discs[b].position);
        let kind = loop {
            let kind = (dice.next() % 3) as usize;
            if kinds[kind] {
                break kind;
            }
        };
        app.world_mut().spawn(match kind {
            0 => Joint::spring(entities[a], entities[b], distance, dice.range(1.0, 500.0)).damped(dice.range(0.0, 1.0)),
            1 => Joint::rope(entities[a], entities[b], distance * dice.range(1.0, 1.5)),
            _ => Joint::rod(entities[a], entities[b], distance),
        });
    }
    (app, entities)
}

#[test]
fn a_mess_of_joints_and_hits_gains_no_energy() {
    for mode in MODES {
        for seed in 0..6 {
            let (mut app, _) = mess(mode, seed, [seed % 3 != 2, seed % 3 != 1, seed % 3 != 0]);
            let mut prediction = run(&mut app);
            let start = kinetic(prediction.discs());
            for tick in 0..1500 {
                prediction.tick();
                let energy = kinetic(prediction.discs());
                assert!(
                    energy.is_finite() && energy < 1.1 * start,
                    "{mode:?}, seed {seed}, tick {tick}: {energy} of {start} J"
                );
            }
            let inside = prediction.discs().position.iter().all(|place| place.abs().max_element() < 6.0);
            assert!(inside, "{mode:?}, seed {seed}");
        }
    }
}

#[test]
fn the_order_of_spawning_changes_not_one_bit() {
    for mode in MODES {
        let run = |order: fn(&mut Vec<usize>)| {
            let mut app = support::app_in(mode);
            let (discs, half) = support::random_discs(12, 3);
            support::fill(&mut app, &discs, half);
            let mut all: Vec<_> =
                app.world_mut().query::<(&StableId, Entity)>().iter(app.world()).map(|(id, e)| (*id, e)).collect();
            all.sort_unstable();
            let mut joints: Vec<usize> = (0..11).collect();
            order(&mut joints);
            for i in joints {
                let [a, b] = [all[i].1, all[i + 1].1];
                let length = discs[i].position.distance(discs[i + 1].position);
                let joint = match i % 3 {
                    0 => Joint::spring(a, b, length, 100.0),
                    1 => Joint::rod(a, b, length),
                    _ => Joint::rope(a, b, length),
                };
                app.world_mut().spawn((joint, StableId(100 + i as u64)));
            }
            support::ticks(&mut app, 200);
            support::hash(&mut app)
        };
        assert_eq!(run(|_| {}), run(|joints| joints.reverse()), "{mode:?}");
        assert_eq!(run(|_| {}), run(|joints| joints.rotate_left(5)), "{mode:?}");
    }
}

#[test]
fn joints_elsewhere_change_not_one_bit() {
    for mode in MODES {
        let run = |also: bool| {
            let (mut app, discs) = free(mode, &[(1.0, Vec2::X, Vec2::Y), (1.0, -Vec2::X, Vec2::ZERO)]);
            app.world_mut().spawn(Joint::rod(discs[0], discs[1], 2.0));
            if also {
                let far: Vec<_> =
                    (0..5).map(|i| support::disc(&mut app, Vec2::new(50.0, 1.5 * i as f32), Vec2::X)).collect();
                for pair in far.windows(2) {
                    app.world_mut().spawn(Joint::rod(pair[0], pair[1], 1.5));
                }
            }
            support::ticks(&mut app, 200);
            [support::position(&app, discs[0]), support::position(&app, discs[1])]
                .map(|at| at.to_array().map(f32::to_bits))
        };
        assert_eq!(run(false), run(true), "{mode:?}");
    }
}

#[test]
fn the_prediction_is_what_happens() {
    for mode in MODES {
        let (mut app, _) = mess(mode, 9, [true; 3]);
        with_gravity(&mut app);
        let predicted = support::prediction(&mut app, 2.0);
        support::ticks(&mut app, predicted.ticks() as usize);
        assert_eq!(measure::state_hash(predicted.discs()), support::hash(&mut app), "{mode:?}");
    }
}

#[test]
fn ends_that_are_gone_take_the_joint_along_and_others_unhitch_it() {
    for mode in MODES {
        let (mut app, discs) =
            free(mode, &[(1.0, Vec2::X, Vec2::Y), (1.0, -Vec2::X, -Vec2::Y), (1.0, Vec2::Y * 9.0, Vec2::X)]);
        let [rod, rope] = [Joint::rod(discs[0], discs[1], 2.0), Joint::rope(discs[1], discs[2], 20.0)]
            .map(|joint| app.world_mut().spawn(joint).id());
        support::ticks(&mut app, 5);
        assert_ne!(support::velocity(&app, discs[0]), Vec2::Y);
        app.world_mut().entity_mut(discs[1]).insert(Inactive);
        let unhitched = support::velocity(&app, discs[0]);
        support::ticks(&mut app, 5);
        assert_eq!(support::velocity(&app, discs[0]), unhitched);
        assert!(app.world().get::<Joint>(rod).is_some());
        app.world_mut().entity_mut(discs[1]).remove::<Inactive>();
        support::ticks(&mut app, 5);
        assert_ne!(support::velocity(&app, discs[0]), unhitched);
        app.world_mut().despawn(discs[1]);
        let free = support::velocity(&app, discs[0]);
        support::ticks(&mut app, 5);
        assert_eq!(support::velocity(&app, discs[0]), free);
        assert!([rod, rope].iter().all(|&joint| app.world().get::<Joint>(joint).is_none()), "{mode:?}");
    }
}

#[test]
fn what_makes_no_sense_has_no_effect_and_harms_nobody() {
    let mut app = support::app();
    let discs: Vec<_> = (0..3).map(|i| support::disc(&mut app, Vec2::new(3.0 * i as f32, 0.0), Vec2::Y)).collect();
    let [a, b, c] = [discs[0], discs[1], discs[2]];
    let rope = |length, restitution| JointKind::Rope { length, restitution };
    for bad in [
        Joint::rod(a, b, f32::NAN),
        Joint::rod(a, b, 0.0),
        Joint::rod(a, b, -1.0),
        Joint::rod(a, a, 1.0),
        Joint::rod(Vec2::X, Vec2::Y, 1.0),
        Joint::rod(a, Vec2::NAN, 1.0),
        Joint::spring(a, b, f32::INFINITY, 1.0),
        Joint::spring(a, b, 1.0, f32::NAN),
        Joint::spring(a, b, 1.0, -5.0),
        Joint::spring(a, b, 1.0, 1.0).damped(f32::NAN),
        Joint::new(a, b, rope(1.0, 1.5)),
        Joint::new(a, b, rope(f32::NAN, 0.0)),
    ] {
        app.world_mut().spawn(bad);
    }
    app.world_mut().spawn(Joint::rope(b, c, 1e-12));
    let whirl = support::disc(&mut app, Vec2::new(0.0, 50.0), Vec2::new(1e9, 1e9));
    app.world_mut().spawn(Joint::rod(whirl, Vec2::new(0.0, 49.0), 1.0));
    support::ticks(&mut app, 3);
    assert_eq!(support::velocity(&app, a), Vec2::Y);
    for disc in [b, c, whirl] {
        assert!(support::position(&app, disc).is_finite() && support::velocity(&app, disc).is_finite());
    }
}

#[test]
fn two_in_one_spot_and_a_rod_that_is_far_too_long_come_right() {
    for mode in MODES {
        let (mut app, discs) = free(mode, &[(1.0, Vec2::ZERO, Vec2::ZERO), (1.0, Vec2::ZERO, Vec2::ZERO)]);
        app.world_mut().spawn(Joint::spring(discs[0], discs[1], 1.0, 10.0));
        app.world_mut().spawn(Joint::rod(discs[1], Vec2::new(5.0, 0.0), 1.0));
        support::ticks(&mut app, 120);
        let length = support::position(&app, discs[1]).distance(Vec2::new(5.0, 0.0));
        assert!((length - 1.0).abs() < 1e-3, "{mode:?}: {length} m");
        assert!(support::position(&app, discs[0]).is_finite());
    }
}

#[test]
fn rods_that_contradict_each_other_cost_little_and_come_right_again() {
    // A kinematic disc moves away from a point until two rods cannot span the distance, and returns. Sixty-four
    // substeps a tick, each of which may be halved many times without success.
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let mut app = support::app_in((mode, 64));
        with_gravity(&mut app);
        let led = app.world_mut().spawn((Disc, Kinematic, Radius(0.1), Velocity(Vec2::NEG_X))).id();
        let disc = app.world_mut().spawn((Disc, Position(Vec2::X), Radius(0.1))).id();
        app.world_mut().spawn(Joint::rod(disc, vec2(2.0, 0.0), 1.0));
        app.world_mut().spawn(Joint::rod(led, disc, 1.0));
        support::ticks(&mut app, 60);
        // No motion suits both rods, so nothing is promised but that the disc stays near.
        let at = support::position(&app, disc);
        assert!(at.distance(vec2(0.5, 0.0)) < 3.0, "{mode:?}: {at}");
        app.world_mut().entity_mut(led).insert(Velocity(Vec2::X));
        support::ticks(&mut app, 130);
        let ends = [vec2(2.0, 0.0), support::position(&app, led)];
        for length in ends.map(|end| end.distance(support::position(&app, disc))) {
            assert!((length - 1.0).abs() < 1e-3, "{mode:?}: {length} m");
        }
    }
}

#[test]
fn a_full_circle_of_a_fast_pendulum_takes_its_time() {
    // Above the top it revolves: a turn takes 4 K(k) / (fastest turn), with k = 2 sqrt(g / L) / (fastest turn).
    for mode in MODES {
        let fastest = 12.0_f64;
        let (mut app, discs) = free(mode, &[(1.0, Vec2::new(0.0, -1.0), Vec2::new(fastest as f32, 0.0))]);
        with_gravity(&mut app);
        app.world_mut().spawn(Joint::rod(discs[0], Vec2::ZERO, 1.0));
        let k = 2.0 * GRAVITY.sqrt() / fastest;
        let expected = 2.0 * PI / agm(1.0, (1.0 - k * k).sqrt()) / fastest;
        let found = period(&mut run(&mut app), 10, |discs| at(discs, 0).x);
        let turn = fastest * step(mode);
        assert!((found / expected - 1.0).abs() < turn * turn / 4.0, "{mode:?}: {found} s, not {expected}");
    }
}

#[test]
fn a_joint_goes_the_shorter_way_across_a_periodic_edge() {
    for mode in MODES {
        let run = |centre: f32| {
            let place = |x: f32| Vec2::new(if x < 10.0 { x } else { x - 20.0 }, 0.0);
            let (mut app, discs) = free(
                mode,
                &[
                    (1.0, place(centre - 1.0), Vec2::new(1.0, -2.0)),
                    (1.0, place(centre + 1.0), Vec2::new(1.0, 2.0)),
                    (2.0, place(centre + 3.0), Vec2::new(0.0, 1.0)),
                ],
            );
            support::settings(&mut app, |settings| settings.periodic.x = Some((-10.0, 10.0)));
            app.world_mut().spawn(Joint::rod(discs[0], discs[1], 2.0));
            app.world_mut().spawn(Joint::spring(discs[2], discs[1], 1.5, 30.0).damped(0.5));
            support::ticks(&mut app, 300);
            discs.into_iter().map(|disc| support::velocity(&app, disc)).collect::<Vec<_>>()
        };
        // None reaches the edge from the centre, and from near the edge all cross it.
        let (inside, across) = (run(-5.0), run(8.9));
        for (inside, across) in inside.iter().zip(&across) {
            assert!(inside.distance(*across) < 2e-3, "{mode:?}: {inside} and {across}");
        }
    }
}
