//! Kinematic discs: hits do not change their paths, and all others bounce off them as off a moving wall, in both modes
//! and at any speed.

use bevy::{math::DVec2, prelude::*};
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, ScanLimit, SolverMode, measure, run_tick},
    motion::{drag, friction, gravity},
    prelude::*,
};

use crate::support::{Dice, app, continuous, hash, position, run, space, ticks, velocity};

const TICK: f32 = 1.0 / 60.0;

/// The modes under test: the stepped mode with several numbers of substeps, and the continuous mode.
fn modes() -> [CollisionSettings; 4] {
    let stepped = |substeps| CollisionSettings { substeps, ..CollisionSettings::default() };
    [stepped(1), stepped(2), stepped(4), continuous()]
}

fn mallet(position: Vec2, velocity: Vec2, radius: f32) -> DiscState {
    DiscState { position, velocity, radius, kinematic: true, ..DiscState::default() }
}

fn led(position: Vec2, target: Vec2, radius: f32) -> DiscState {
    DiscState { move_to: Some(target), ..mallet(position, Vec2::ZERO, radius) }
}

fn puck(position: Vec2, velocity: Vec2, radius: f32) -> DiscState {
    DiscState { position, velocity, radius, ..DiscState::default() }
}

/// The largest depth of a disc in a kinematic one, as a share of its radius, beyond rounding.
fn deepest(space: &PhysicsSpace) -> f32 {
    let discs = &space.discs;
    let mut deepest = f32::NEG_INFINITY;
    for i in (0..discs.len()).filter(|&i| !discs.is_kinematic(i)) {
        for k in (0..discs.len()).filter(|&k| discs.is_kinematic(k)) {
            let (a, b) = (discs.position[i].as_dvec2(), discs.position[k].as_dvec2());
            let sum = f64::from(discs.radius[i]) + f64::from(discs.radius[k]);
            let rounding = 1e-6 * a.abs().max(b.abs()).max_element();
            deepest = deepest.max(((sum - a.distance(b) - rounding) / f64::from(discs.radius[i])) as f32);
        }
    }
    deepest
}

/// The motion of a disc among kinematic ones after a tick, from hit to hit; with the number of hits, and the smallest
/// sine of their angles.
fn oracle(disc: &DiscState, mallets: &[DiscState], e: f64) -> (DVec2, DVec2, usize, f64) {
    let h = f64::from(TICK);
    let (mut at, mut v, mut t, mut hits, mut squarest) =
        (disc.position.as_dvec2(), disc.velocity.as_dvec2(), 0.0, 0, 1.0_f64);
    let velocity = |mallet: &DiscState| match mallet.move_to {
        Some(target) => (target.as_dvec2() - mallet.position.as_dvec2()) / h,
        None => mallet.velocity.as_dvec2(),
    };
    loop {
        let mut first: Option<(f64, usize)> = None;
        for (k, mallet) in mallets.iter().enumerate() {
            let sum = f64::from(disc.radius) + f64::from(mallet.radius);
            let p = mallet.position.as_dvec2() + velocity(mallet) * t - at;
            let d = velocity(mallet) - v;
            let (a, b, c) = (d.length_squared(), p.dot(d), p.length_squared() - sum * sum);
            let root = b * b - a * c;
            if b >= 0.0 || root <= 0.0 {
                continue;
            }
            let time = (c / (-b + root.sqrt())).max(0.0);
            if t + time <= h && first.is_none_or(|(other, _)| time < other) {
                first = Some((time, k));
            }
        }
        let Some((time, k)) = first else { return (at + v * (h - t), v, hits, squarest) };
        (at, t, hits) = (at + v * time, t + time, hits + 1);
        let u = velocity(&mallets[k]);
        let n = (at - mallets[k].position.as_dvec2() - u * t).normalize();
        let approach = (u - v).dot(n);
        squarest = squarest.min(approach / (u - v).length());
        v += n * ((1.0 + e) * approach);
        if hits > 100 {
            return (at, v, hits, squarest);
        }
    }
}

#[test]
fn a_ball_and_a_racket() {
    for settings in modes() {
        for e in [0.0, 0.5, 1.0] {
            let settings = CollisionSettings { restitution: e, ..settings.clone() };
            for (u, v) in [(3.0, 0.0), (3.0, -5.0), (0.0, -5.0), (-2.0, -5.0), (250.0, -30.0)] {
                let racket = mallet(vec2(0.0, 0.0), vec2(0.0, u), 0.5);
                // A light ball, and one as heavy as possible.
                for mass in [1e-6, 1e9] {
                    let ball = DiscState { mass, ..puck(vec2(0.0, 1.5), vec2(1.0, v), 0.5) };
                    // Straight below the ball at the time of impact.
                    let meets = 0.5 / (u - v);
                    let racket = DiscState { position: vec2(meets, 0.0), ..racket };
                    let mut space = space([racket, ball], &[]);
                    let mut hits = Vec::new();
                    for _ in 0..2 + (meets / TICK) as usize {
                        run(&mut space, &settings, TICK, 1);
                        hits.extend_from_slice(&space.report.hits);
                    }
                    let expected = v + (1.0 + e) * (u - v);
                    let found = space.discs.velocity[1];
                    let off = (found - vec2(1.0, expected)).length() / (1.0 + u.abs() + v.abs());
                    assert!(off < 2e-5, "{u}, {v}, {e}: {found} and not {expected} in {settings:?}");
                    assert_eq!(space.discs.velocity[0], vec2(0.0, u));
                    assert_eq!(space.report.collisions, 1);
                    let hit = hits[0];
                    assert!(hit.disc == 0 && (hit.normal - Vec2::Y).length() < 1e-3, "{hit:?}");
                    assert!((hit.approach_speed - (u - v)).abs() < 1e-4 * (1.0 + u.abs()), "{hit:?}");
                    let impulse = (1.0 + e) * (u - v) * mass;
                    assert!((hit.impulse - impulse).abs() < 1e-4 * impulse, "{hit:?}");
                    assert!((hit.relative_velocity - vec2(-1.0, u - v)).length() < 1e-4 * (1.0 + u.abs()), "{hit:?}");
                }
            }
        }
    }
}

#[test]
fn its_way_is_straight_and_its_velocity_is_its_own_whatever_it_meets() {
    let mut dice = Dice(5);
    for settings in modes() {
        let mut discs = vec![mallet(vec2(-3.0, 0.1), vec2(7.3, -0.4), 0.4), led(vec2(2.0, 3.0), vec2(1.7, -2.3), 0.3)];
        for k in 0..60 {
            let at = vec2((k % 10) as f32 * 0.6 - 2.7, (k / 10) as f32 * 0.6 - 1.5);
            discs.push(DiscState { mass: 50.0, ..puck(at, dice.vec(3.0), 0.28) });
        }
        let arena = [(Terrain::Arena { half_size: vec2(4.0, 4.0) }, Vec2::ZERO, 0.0)];
        let mut space = space(discs, &arena);
        let mut forces = |space: &mut PhysicsSpace| {
            gravity(space, vec2(0.3, -9.81));
            drag(space, 0.7);
            friction(space, 2.0);
        };
        for tick in 1..=120_u32 {
            // A new target in every tick.
            let target = vec2(1.7 - 0.01 * tick as f32, -2.3 + 0.02 * tick as f32);
            space.discs.set_kinematic(1, true, Some(target));
            let (from, before) = (space.discs.position[0], space.discs.position[1]);
            run_tick(&mut space, &settings, TICK, &mut forces);
            assert_eq!(space.discs.velocity[0], vec2(7.3, -0.4));
            let expected = (from.as_dvec2() + vec2(7.3, -0.4).as_dvec2() * f64::from(TICK)).as_vec2();
            assert_eq!(space.discs.position[0], expected, "through the walls, too");
            assert_eq!(space.discs.position[1], target);
            let led = ((target.as_dvec2() - before.as_dvec2()) / f64::from(TICK)).as_vec2();
            assert_eq!(space.discs.velocity[1], led);
        }
        assert!(space.report.collisions > 20, "{} collisions", space.report.collisions);
        run_tick(&mut space, &settings, TICK, &mut forces);
        assert_eq!(space.discs.velocity[1], Vec2::ZERO, "it is there");
    }
}

/// Random cases of one disc and several kinematic ones that do not touch: it ends where hit after hit takes it.
fn among_mallets(cases: u64, modes: &[CollisionSettings]) {
    let (mut met, mut judged) = (0, 0);
    for seed in 0..cases {
        let mut dice = Dice(seed);
        let settings = &modes[seed as usize % modes.len()];
        let e = [0.0, 0.6, 1.0][dice.next() as usize % 3];
        let settings = CollisionSettings { restitution: e, ..settings.clone() };
        let speed = [1.0, 10.0, 100.0, 1000.0][dice.next() as usize % 4];
        let size = [0.07, 0.02, 1.0][dice.next() as usize % 3];
        let puck = puck(dice.vec(0.3), dice.vec(speed), 0.05);
        let mut mallets = Vec::new();
        for _ in 0..=dice.next() % 3 {
            let at = dice.vec(1.5);
            if at.distance(puck.position) < size + 0.051 {
                continue;
            }
            // Most of them toward the disc.
            let toward = (puck.position - at) / TICK * dice.range(0.2, 3.0) + dice.vec(0.3 * speed);
            let way = if dice.next().is_multiple_of(4) { dice.vec(speed) } else { toward };
            mallets.push(if dice.next().is_multiple_of(2) {
                mallet(at, way, size)
            } else {
                led(at, at + way * TICK, size)
            });
        }
        let (place, velocity, hits, squarest) = oracle(&puck, &mallets, f64::from(e));
        met += usize::from(hits > 0);
        let mut space = space([puck].into_iter().chain(mallets.iter().copied()), &[]);
        if seed % 2 == 0 {
            space.compute.scan_limit = ScanLimit(0);
        }
        run(&mut space, &settings, TICK, 1);
        let found = (space.discs.position[0].as_dvec2(), space.discs.velocity[0].as_dvec2());
        assert!(found.0.is_finite() && found.1.is_finite());
        if hits <= 20 {
            assert!(deepest(&space) < 2e-3, "{seed}: {} deep after {hits} hits, {settings:?}", deepest(&space));
        }
        // Each hit amplifies rounding errors, and grazing hits the most.
        if hits <= 2 && squarest > 0.2 {
            judged += 1;
            let scale = found.1.length()
                + velocity.length()
                + mallets.iter().map(|m| f64::from(m.velocity.length())).sum::<f64>()
                + 1.0;
            let tolerance = 2e-3 * scale;
            assert!(
                found.1.distance(velocity) < tolerance,
                "{seed}: {} and not {velocity} after {hits} hits, {settings:?}",
                found.1
            );
            assert!(
                found.0.distance(place) < tolerance * f64::from(TICK) + 1e-5,
                "{seed}: at {} and not {place}",
                found.0
            );
        }
    }
    assert!(met > cases as usize / 3 && judged > cases as usize / 3, "{met} met, {judged} judged");
}

#[test]
fn no_speed_lets_it_pass_over_a_disc() {
    among_mallets(4_000, &modes());
}

#[test]
#[ignore = "takes a minute: cargo test --release --test physics -- --ignored"]
fn no_speed_lets_it_pass_over_a_disc_in_a_hundred_thousand_cases_per_mode() {
    for settings in modes() {
        among_mallets(100_000, &[settings]);
    }
}

/// Random crowds, some between walls: no disc is inside a kinematic disc where there is room, and none is outside the
/// walls.
fn crowds(cases: u64) {
    for seed in 0..cases {
        let mut dice = Dice(seed ^ 0x5eed);
        let settings = modes()[seed as usize % 4].clone();
        let settings = CollisionSettings { restitution: dice.range(0.0, 1.0), ..settings };
        let speed = [1.0, 10.0, 100.0, 300.0][dice.next() as usize % 4];
        let mut discs =
            vec![mallet(vec2(-1.4, 0.0) + dice.vec(0.3), vec2(1.0, 0.0) * speed + dice.vec(0.3 * speed), 0.2)];
        for k in 0..12 {
            let at = vec2((k % 4) as f32 * 0.25 - 0.3, (k / 4) as f32 * 0.25 - 0.3);
            discs.push(puck(at + dice.vec(0.02), dice.vec(4.0), dice.range(0.03, 0.1)));
        }
        let walled = seed / 4 % 2 == 0;
        let arena = [(Terrain::Arena { half_size: vec2(8.0, 8.0) }, Vec2::ZERO, 0.0)];
        let mut space = space(discs, if walled { &arena } else { &[] });
        let force =
            |space: &mut PhysicsSpace| gravity(space, if seed % 3 == 0 { vec2(0.0, -10.0) } else { Vec2::ZERO });
        for _ in 0..8 {
            run_tick(&mut space, &settings, TICK, force);
            assert!(space.discs.velocity.iter().all(|velocity| velocity.is_finite()));
            if walled {
                let inside = (1..space.discs.len()).all(|i| space.discs.position[i].abs().cmple(vec2(8.0, 8.0)).all());
                assert!(inside, "{seed}: somebody is outside");
            }
            // Near a wall it may press a disc.
            if !walled || space.discs.position[0].abs().max_element() < 7.5 {
                assert!(deepest(&space) < 2e-3, "{seed}: {} deep, {settings:?}", deepest(&space));
            }
        }
    }
}

#[test]
fn it_goes_through_a_crowd_and_nobody_ends_in_it() {
    crowds(600);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test physics -- --ignored"]
fn it_goes_through_a_hundred_thousand_crowds_and_nobody_ends_in_it() {
    crowds(400_000);
}

#[test]
fn what_it_presses_against_a_wall_stays_on_its_side_and_comes_out_when_there_is_room() {
    for settings in modes() {
        for e in [0.0, 0.5, 1.0] {
            for speed in [0.5, 6.0, 100.0] {
                for pull in [0.0, 10.0] {
                    let settings = CollisionSettings { restitution: e, terrain_restitution: e, ..settings.clone() };
                    let wall = Terrain::Segment { a: vec2(1.0, -5.0), b: vec2(1.0, 5.0) };
                    let discs =
                        [mallet(vec2(0.0, 0.0), vec2(speed, 0.0), 0.07), puck(vec2(0.9, 0.001), Vec2::ZERO, 0.05)];
                    let mut space = space(discs, &[(wall, Vec2::ZERO, 0.0)]);
                    let force = |space: &mut PhysicsSpace| gravity(space, vec2(0.0, -pull));
                    let case = format!("e {e}, {speed} m/s, g {pull}, {settings:?}");
                    // On to the wall, and over the discs that it presses.
                    for _ in 0..(0.95 / speed / TICK) as usize + 2 {
                        run_tick(&mut space, &settings, TICK, force);
                        let at = space.discs.position[1];
                        assert!(at.x < 1.0 && at.is_finite(), "{at}: {case}");
                    }
                    // Back: there is room again.
                    space.discs.velocity[0] = vec2(-speed.max(20.0), 0.0);
                    run_tick(&mut space, &settings, TICK, force);
                    run_tick(&mut space, &settings, TICK, force);
                    assert!(deepest(&space) < 2e-3, "{} deep: {case}", deepest(&space));
                    let (at, velocity) = (space.discs.position[1], space.discs.velocity[1]);
                    assert!(at.x < 0.951, "{at}: {case}");
                    // As fast as the earlier hits made it, and no faster.
                    assert!(velocity.length() <= 200.0 * speed + 2.0, "{velocity}: {case}");
                }
            }
        }
    }
}

#[test]
fn kinematic_discs_go_through_each_other_walls_and_pockets() {
    for settings in modes() {
        let wall = Terrain::Segment { a: vec2(0.0, -5.0), b: vec2(0.0, 5.0) };
        let discs = [mallet(vec2(-1.0, 0.0), vec2(9.0, 0.0), 0.3), mallet(vec2(1.0, 0.0), vec2(-9.0, 0.0), 0.3)];
        let mut space =
            space(discs, &[(wall, Vec2::ZERO, 0.0), (Terrain::Circle { radius: 0.2 }, vec2(0.3, 0.1), 0.0)]);
        space.add_pocket(Entity::PLACEHOLDER, vec2(-0.5, 0.0), 0.2);
        run(&mut space, &settings, TICK, 20);
        assert!((space.discs.position[0] - vec2(2.0, 0.0)).length() < 1e-5, "{}", space.discs.position[0]);
        assert_eq!(space.discs.velocity, [vec2(9.0, 0.0), vec2(-9.0, 0.0)]);
        assert_eq!((space.report.collisions, space.report.stopped), (0, 0));
        assert_eq!(measure::kinetic_energy(&space.discs), 0.0, "its energy is nobody's");
        assert_eq!(measure::momentum(&space.discs), DVec2::ZERO);
    }
}

#[test]
fn a_gap_that_a_mallet_closes() {
    // At each hit the product of the gap, the speed of the disc and the speed of the mallet is the same: the exact
    // adiabatic invariant.
    for substeps in [0, 1, 4] {
        let mode = if substeps == 0 { SolverMode::Continuous } else { SolverMode::Stepped };
        let settings = CollisionSettings { mode, substeps: substeps.max(1), ..CollisionSettings::default() };
        let wall = Terrain::Segment { a: vec2(0.0, -1.0), b: vec2(0.0, 1.0) };
        let (u, radius) = (0.05_f32, 0.01_f32);
        let discs = [mallet(vec2(-1.02, 0.0), vec2(u, 0.0), 0.01), puck(vec2(-1.0, 0.0), vec2(1.0, 0.0), radius)];
        let mut space = space(discs, &[(wall, Vec2::ZERO, 0.0)]);
        let (mut invariants, mut speed) = (Vec::new(), 1.0);
        for _ in 0..(18.0 / TICK) as usize {
            let begins = space.discs.position[0].x;
            run_tick(&mut space, &settings, TICK, |_| {});
            for hit in space.report.hits.iter().filter(|hit| hit.disc == 0) {
                // The remaining room for the centre of the disc between the mallet and the wall.
                let gap = -(begins + u * hit.time) - 0.01 - 2.0 * radius;
                let incoming = hit.approach_speed - u;
                invariants.push(f64::from(gap) * f64::from(incoming + u));
                speed = incoming;
            }
        }
        let (first, count) = (invariants[0], invariants.len());
        let worst = invariants.iter().map(|invariant| (invariant / first - 1.0).abs()).fold(0.0, f64::max);
        assert!(count > 20 && speed > 4.0, "{count} hits, {speed} m/s");
        // Positions, times and speeds are rounded to f32 in every tick.
        assert!(worst < 2e-4, "off by {worst} in {count} hits, {settings:?}");
    }
}

#[test]
fn what_lies_on_a_lift_goes_up_and_down_with_it() {
    for settings in modes() {
        for (resting_speed, e) in [(0.0, 0.5), (0.5, 0.5), (0.0, 0.0)] {
            if settings.mode == SolverMode::Stepped && resting_speed == 0.0 {
                // Such discs never come to rest on each other, neither on a floor nor on a lift.
                continue;
            }
            let settings =
                CollisionSettings { restitution: e, terrain_restitution: e, resting_speed, ..settings.clone() };
            // Two walls hold a column of two discs on a large kinematic one. It rises, stops, and sinks slower than
            // they fall.
            let wall = |x| (Terrain::Segment { a: vec2(x, -20.0), b: vec2(x, 20.0) }, Vec2::ZERO, 0.0);
            let lift = mallet(vec2(0.0, -5.0), Vec2::ZERO, 5.0);
            let column = (0..2).map(|k| puck(vec2(0.0, 0.25 + 0.5 * k as f32), Vec2::ZERO, 0.25));
            let mut space = space([lift].into_iter().chain(column), &[wall(-0.26), wall(0.26)]);
            for (speed, ticks) in [(0.0, 20), (0.5, 40), (0.0, 40), (-0.5, 40), (0.0, 40)] {
                space.discs.velocity[0] = vec2(0.0, speed);
                for _ in 0..ticks {
                    run_tick(&mut space, &settings, TICK, |space| gravity(space, vec2(0.0, -9.81)));
                    assert!(deepest(&space) < 0.05, "{} deep at {speed} m/s, {settings:?}", deepest(&space));
                }
                let top = space.discs.position[0].y + 5.0;
                for k in 1..3 {
                    let (at, velocity) = (space.discs.position[k], space.discs.velocity[k]);
                    let height = at.y - top - (k as f32 - 0.5) * 0.5;
                    assert!(height.abs() < 0.03, "disc {k} is {height} m off at {speed} m/s: {settings:?}");
                    assert!(
                        (velocity.y - speed).abs() < 0.35,
                        "disc {k} at {velocity}, the lift at {speed}: {settings:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn components_prediction_and_order_of_spawning() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let run = |reverse: bool| {
            let mut app = app();
            app.insert_resource(CollisionSettings { mode, restitution: 0.9, ..default() });
            app.world_mut().spawn(Terrain::Arena { half_size: vec2(3.0, 2.0) });
            app.insert_resource(MotionSettings { gravity: vec2(0.0, -2.0), drag: 0.1, ..default() });
            let mut order: Vec<u64> = (0..40).collect();
            if reverse {
                order.reverse();
            }
            for id in order {
                let at = vec2((id % 8) as f32 * 0.5 - 1.8, (id / 8) as f32 * 0.5 - 1.0);
                let common = (Disc, StableId(id), Position(at), Radius(0.15), Mass(1.0 + id as f32));
                let mut entity = app.world_mut().spawn((common, Velocity(vec2(0.1 * id as f32, 1.0))));
                match id {
                    3 => drop(entity.insert(Kinematic)),
                    17 => drop(entity.insert((Kinematic, MoveTo(vec2(0.3, 0.4))))),
                    // It is not kinematic.
                    20 => drop(entity.insert(MoveTo(vec2(0.0, 0.0)))),
                    _ => {}
                }
            }
            let mut foreseen = app
                .world_mut()
                .run_system_cached(|predictor: Predictor| predictor.predict(Horizon { seconds: 1.0, ..default() }))
                .unwrap();
            let mut hashes = Vec::new();
            for _ in 0..60 {
                ticks(&mut app, 1);
                foreseen.tick();
                hashes.push(hash(&mut app));
                assert_eq!(hashes.last(), Some(&measure::state_hash(foreseen.discs())), "the prediction is what comes");
            }
            let led = app.world_mut().query_filtered::<Entity, With<MoveTo>>().iter(app.world()).collect::<Vec<_>>();
            let at_target = led.iter().filter(|&&led| position(&app, led) == vec2(0.3, 0.4));
            assert_eq!(at_target.map(|&led| velocity(&app, led)).collect::<Vec<_>>(), [Vec2::ZERO]);
            hashes
        };
        assert_eq!(run(false), run(true), "{mode:?}");
    }
}

#[test]
fn a_bad_target_leaves_the_disc_out() {
    for (bad, word) in [(Vec2::NAN, "MoveTo"), (vec2(1e13, 0.0), "MoveTo"), (vec2(0.0, f32::INFINITY), "MoveTo")] {
        let mut app = app();
        let led = app.world_mut().spawn((Disc, Kinematic, MoveTo(bad))).id();
        ticks(&mut app, 2);
        let invalid = app.world().resource::<InvalidEntities>().0.get(&led).cloned();
        assert!(invalid.as_ref().is_some_and(|invalid| invalid.to_string().starts_with(word)), "{bad}: {invalid:?}");
        app.world_mut().entity_mut(led).insert(MoveTo(vec2(2.0, 0.0)));
        ticks(&mut app, 1);
        assert_eq!(position(&app, led), vec2(2.0, 0.0));
    }
}

/// Counts the message `AllAtRest` in as many ticks, and calls `then` when it arrives.
fn rests_in(app: &mut App, count: usize, mut then: impl FnMut(&App)) -> usize {
    let mut cursor = app.world().resource::<Messages<AllAtRest>>().get_cursor_current();
    let mut rests = 0;
    for _ in 0..count {
        ticks(app, 1);
        let new = cursor.read(app.world().resource::<Messages<AllAtRest>>()).count();
        if new > 0 {
            then(app);
        }
        rests += new;
    }
    rests
}

#[test]
fn all_is_at_rest_while_what_the_game_drives_goes_on() {
    for settings in modes() {
        let mut app = app();
        app.insert_resource(settings.clone());
        app.insert_resource(MotionSettings { friction: 2.0, ..default() });
        let driven = (Disc, Kinematic, Position(vec2(0.0, 50.0)), Velocity(vec2(3.0, 0.0)));
        let driven = app.world_mut().spawn(driven).id();
        let orbit = Orbit { centre: vec2(0.0, -50.0), radius: 2.0, frequency: 0.5, ..default() };
        app.world_mut().spawn((Disc, Kinematic, orbit));
        let mill = (Terrain::Block { half_size: vec2(2.0, 0.1) }, Position(vec2(50.0, 0.0)));
        app.world_mut().spawn((mill, AngularVelocity(Vec3::Z)));
        let disc = app.world_mut().spawn((Disc, Velocity(vec2(1.0, 0.0)))).id();
        // It stops after half a second.
        let rests = rests_in(&mut app, 60, |app| assert_eq!(velocity(app, disc), Vec2::ZERO));
        assert_eq!(rests, 1, "{settings:?}");
        assert_eq!(velocity(&app, driven), vec2(3.0, 0.0));
        app.world_mut().entity_mut(disc).insert(Velocity(vec2(1.0, 0.0)));
        assert_eq!(rests_in(&mut app, 60, |_| ()), 1, "{settings:?}: the next shot ends too");
    }
}

#[test]
fn all_is_at_rest_only_when_dynamic_terrain_is() {
    for settings in modes() {
        let mut app = app();
        app.insert_resource(settings.clone());
        app.insert_resource(MotionSettings { friction: 2.0, ..default() });
        let disc = app.world_mut().spawn((Disc, Velocity(vec2(0.5, 0.0)))).id();
        let block = (Terrain::Block { half_size: vec2(0.5, 0.2) }, Mass(3.0), Position(vec2(0.0, 9.0)));
        let block = app.world_mut().spawn((block, Velocity(vec2(2.0, 0.0)))).id();
        assert_eq!(rests_in(&mut app, 50, |_| ()), 0, "{settings:?}: the block slides for a second");
        assert_eq!(velocity(&app, disc), Vec2::ZERO, "{settings:?}");
        let rests = rests_in(&mut app, 30, |app| assert_eq!(velocity(app, block), Vec2::ZERO));
        assert_eq!(rests, 1, "{settings:?}");
    }
}
