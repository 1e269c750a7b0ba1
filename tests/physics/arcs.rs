//! Arcs: round arenas and curved rails, compared with exact invariants, and with polylines of many edges.

use bevy::{
    math::{DVec2, ops},
    prelude::*,
};
use carom::{
    collision::{DiscState, SpatialQueryFilter, measure, run_tick},
    prelude::*,
};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

use crate::support::{self, Dice, MODES, app_in};

const WHOLE: f32 = TAU;

fn arc(radius: f32, start: f32, extent: f32) -> Terrain {
    Terrain::Arc { radius, start, extent }
}

fn settings((mode, substeps): (SolverMode, u32), e: f32) -> CollisionSettings {
    CollisionSettings { mode, substeps, restitution: e, terrain_restitution: e, ..CollisionSettings::default() }
}

fn ball(position: Vec2, velocity: Vec2, radius: f32) -> DiscState {
    DiscState { position, velocity, radius, ..DiscState::default() }
}

/// The angular momentum of a disc about the origin, per mass.
fn angular_momentum(space: &PhysicsSpace, i: usize) -> f64 {
    space.discs.position[i].as_dvec2().perp_dot(space.discs.velocity[i].as_dvec2())
}

/// In a circular billiard a ball always hits the wall at the same angle. Its speed and its angular momentum about the
/// centre are constant, and all of its chords touch one circle, the caustic.
#[test]
fn in_a_round_arena_a_ball_keeps_its_speed_and_its_angle_of_incidence() {
    let mut dice = Dice(1);
    for mode in MODES {
        for angle in [0.003_f32, 0.02, 0.3, 1.0, 1.5] {
            for travel in [0.01_f32, 0.2] {
                let (outer, radius) = (dice.range(0.5, 20.0), dice.range(0.01, 0.4));
                let (outer, radius) = (outer, outer * radius);
                let room = outer - radius;
                // The distance per tick, as a share of the circle; at a flat angle at most about thirty hits.
                let speed = (travel * room * 60.0).min(angle * room * 60.0 * 20.0);
                let turn = dice.range(0.0, TAU);
                let at = Vec2::from_angle(turn) * room;
                let velocity = Vec2::from_angle(turn + FRAC_PI_2 + angle) * speed;
                let mut space =
                    support::space([ball(at, velocity, radius)], &[(arc(outer, 0.3, WHOLE), Vec2::ZERO, 0.0)]);
                let before = angular_momentum(&space, 0);
                support::run(&mut space, &settings(mode, 1.0), 1.0 / 60.0, 3000);
                let what = format!("{mode:?}: {angle} rad, {speed} m/s in {outer} m, radius {radius}");
                let after = angular_momentum(&space, 0);
                let now = space.discs.velocity[0].length();
                assert!((now / speed - 1.0).abs() < 2e-5, "{what}: {now} m/s");
                assert!((after / before - 1.0).abs() < 1e-4, "{what}: {before} to {after}");
                let place = space.discs.position[0].length();
                assert!(place <= room * (1.0 + 2e-6), "{what}: {place}");
                assert_eq!(space.report.stopped, 0, "{what}");
                assert!(
                    space.report.collisions > 50 || speed * 50.0 < 200.0 * room * angle,
                    "{what}: {} hits",
                    space.report.collisions
                );
            }
        }
    }
}

#[test]
fn every_hit_in_a_round_arena_is_at_the_same_angle() {
    let mut space =
        support::space([ball(vec2(0.0, -3.5), vec2(7.0, 2.0), 0.5)], &[(arc(4.0, 0.0, WHOLE), Vec2::ZERO, 0.0)]);
    let settings = settings((SolverMode::Continuous, 1), 1.0);
    let approach = 2.0; // Along the normal, from the start.
    let mut hits = 0;
    for _ in 0..600 {
        run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
        for hit in &space.report.hits {
            assert!((hit.approach_speed - approach).abs() < 1e-4, "{hit:?}");
            assert!((hit.point.length() - 4.0).abs() < 1e-5 && hit.normal.dot(hit.point) > 3.999, "{hit:?}");
            hits += 1;
        }
    }
    assert_eq!(hits, 37, "one in 0.264 s");
}

/// A disc first hits an arc, or one of its ends, where it hits a polyline that is almost the arc.
#[test]
fn an_arc_is_met_where_a_polyline_of_many_edges_is() {
    let mut dice = Dice(2);
    let mut met = 0;
    for case in 0..800 {
        let (radius, start) = (dice.range(0.3, 3.0), dice.range(-7.0, 7.0));
        let extent = dice.range(0.2, 6.2);
        let edges = 800;
        let point = |k: u32| Vec2::from_angle(start + extent * k as f32 / edges as f32) * radius;
        let chain = Terrain::Polyline { points: (0..=edges).map(point).collect() };
        let at = dice.vec(3.0);
        let spaces = [arc(radius, start, extent), chain].map(|terrain| support::space([], &[(terrain, at, 0.0)]));
        for _ in 0..4 {
            let (from, size) = (dice.vec(8.0), radius * dice.range(0.02, 1.7));
            let direction = Dir2::new(dice.vec(1.0)).unwrap();
            let [hit, other] = spaces
                .each_ref()
                .map(|space| space.cast_disc(from, size, direction, 30.0, &SpatialQueryFilter::default()));
            let nearest = spaces[1].nearest_terrain(from, 30.0, &SpatialQueryFilter::default());
            // Initial overlaps are a separate case, and so is grazing.
            if nearest.is_some_and(|nearest| nearest.distance < size * 1.001) {
                continue;
            }
            let Some(other) = other else {
                let what = format!("case {case}: {radius} {start} {extent} at {at}, {size} from {from} {direction:?}");
                assert!(hit.is_none_or(|hit| hit.normal.dot(*direction).abs() < 0.1), "{what}: {hit:?}");
                continue;
            };
            if other.normal.dot(*direction).abs() < 0.1 {
                continue;
            }
            met += 1;
            let hit = hit.unwrap_or_else(|| panic!("case {case}: {from}, {size}, {direction:?}: {other:?}"));
            let what = format!(
                "case {case}: {radius} m {start} {extent} at {at}, {size} from {from} {direction:?}: {hit:?}, {other:?}"
            );
            assert!((hit.distance - other.distance).abs() < 2e-3 * radius, "{what}");
            assert!(hit.normal.dot(other.normal) > 0.999, "{what}");
        }
    }
    assert!(met > 300, "{met}");
}

#[test]
fn nothing_gets_through_an_arc_at_any_speed_or_in_any_crowd() {
    for mode in MODES {
        for seed in 0..3 {
            let mut dice = Dice(seed);
            let outer = 10.0;
            let rail = arc(3.0, dice.range(-3.0, 3.0), dice.range(0.5, 5.9));
            let mut discs = Vec::new();
            for k in 0..120 {
                let at = Vec2::from_angle(k as f32 * 2.4) * (0.4 + 9.0 * (k as f32 / 120.0).sqrt());
                let radius = dice.range(0.1, 0.35);
                // Not inside the rail itself.
                if (at.length() - 3.0).abs() > radius {
                    let fast = [3.0, 60.0, 3000.0][(seed % 3) as usize];
                    discs.push(DiscState { mass: dice.range(0.1, 10.0), ..ball(at, dice.vec(fast), radius) });
                }
            }
            let mut space =
                support::space(discs, &[(arc(outer, 1.0, WHOLE), Vec2::ZERO, 0.0), (rail, Vec2::ZERO, 0.0)]);
            let before = measure::kinetic_energy(&space.discs);
            for tick in 0..120 {
                run_tick(&mut space, &settings(mode, 1.0), 1.0 / 60.0, |_| {});
                for (at, radius) in space.discs.position.iter().zip(&space.discs.radius) {
                    let most = if mode.0 == SolverMode::Continuous { outer - radius * 0.999 } else { outer };
                    assert!(at.length() <= most + 1e-5, "{mode:?}, seed {seed}, tick {tick}: {at}, {radius}");
                }
            }
            let after = measure::kinetic_energy(&space.discs);
            assert!((after / before - 1.0).abs() < 1e-4, "{mode:?}, seed {seed}: {before} J to {after} J");
        }
    }
}

/// Two straight walls and two half circles: a stadium, its straight part 4 m long, its half circles of 2 m.
fn stadium() -> [(Terrain, Vec2, f32); 4] {
    let wall = |y: f32| (Terrain::Segment { a: vec2(-2.0, y), b: vec2(2.0, y) }, Vec2::ZERO, 0.0);
    [
        wall(-2.0),
        wall(2.0),
        (arc(2.0, -FRAC_PI_2, PI), vec2(2.0, 0.0), 0.0),
        (arc(2.0, FRAC_PI_2, PI), vec2(-2.0, 0.0), 0.0),
    ]
}

#[test]
fn no_seam_is_felt_where_an_arc_goes_on_from_a_straight_wall() {
    for mode in MODES {
        for e in [0.0, 0.7, 1.0] {
            for (speed, radius) in [(0.3_f32, 0.5_f32), (3.0, 0.5), (40.0, 0.1), (2.0, 1.99)] {
                let room = 2.0 - radius;
                let mut space = support::space([ball(vec2(0.0, -room), vec2(speed, 0.0), radius)], &stadium());
                // Along the wall, and around for two laps.
                let lap = 8.0 + TAU * room;
                let ticks = (2.0 * lap / speed * 60.0) as usize;
                let what = format!("{mode:?}, e {e}, {speed} m/s, radius {radius}");
                for tick in 0..ticks {
                    run_tick(&mut space, &settings(mode, e), 1.0 / 60.0, |_| {});
                    let at = space.discs.position[0];
                    let beside = vec2((at.x.abs() - 2.0).max(0.0), at.y).length();
                    assert!(beside <= room + 4e-6, "{what}, tick {tick}: {at}");
                    let flat = 1e-3 + 0.02 * speed / 60.0 / room;
                    // An elastic disc keeps the angle that a rounding error gave it, and eventually leaves the wall.
                    assert!(
                        e == 1.0 || radius > 1.9 || beside >= room * (1.0 - flat),
                        "{what}, tick {tick}: it left the wall, {at}"
                    );
                    let now = space.discs.velocity[0].length();
                    // Where there is hardly any room, a hop is not flat any more. On the way along a straight wall it
                    // leads so far from that wall that the next arc is hit as steeply as others are.
                    let hop = speed / 60.0 / 64.0 / room;
                    let is_hit = e == 0.7 && radius > 1.9;
                    assert!(
                        is_hit || (now / speed - 1.0).abs() < 1e-4 + 15.0 * hop * hop,
                        "{what}, tick {tick}: {now} m/s"
                    );
                }
                assert_eq!(space.report.stopped, 0, "{what}");
            }
        }
    }
}

#[test]
fn what_slides_along_an_arc_keeps_the_speed_that_its_first_hits_have_left() {
    for mode in MODES {
        for e in [0.0, 0.5] {
            for angle in [0.01_f32, 0.2, 0.8] {
                let (outer, radius, speed) = (3.0, 0.4, 5.0);
                let velocity = Vec2::from_angle(angle) * speed;
                let mut space = support::space(
                    [ball(vec2(0.0, outer - radius - 0.01), velocity, radius)],
                    &[(arc(outer, 0.0, WHOLE), Vec2::ZERO, 0.0)],
                );
                support::run(&mut space, &settings(mode, e), 1.0 / 60.0, 120);
                let along = angular_momentum(&space, 0) / f64::from(space.discs.position[0].length());
                let left = space.discs.velocity[0].length();
                // All of its speed along the wall, by its angular momentum, as it starts slightly away from the wall.
                let kept = speed * ops::cos(angle) * (outer - radius - 0.01) / (outer - radius);
                assert!((left / kept - 1.0).abs() < 1e-4, "{mode:?}, e {e}, {angle} rad: {left} m/s");
                assert!((along.abs() / f64::from(left) - 1.0).abs() < 1e-3, "{mode:?}, {angle} rad: along the wall");
                let hits = space.report.collisions;
                support::run(&mut space, &settings(mode, e), 1.0 / 60.0, 1200);
                let now = space.discs.velocity[0].length();
                assert!((now / left - 1.0).abs() < 1e-4, "{mode:?}, e {e}, {angle} rad: {left} to {now} m/s");
                // Except for rounding at the end of a substep.
                let most = if mode.0 == SolverMode::Continuous { hits } else { hits + 60 };
                assert!(space.report.collisions <= most, "{mode:?}: to slide is not to hit");
                assert_eq!(space.report.stopped, 0, "{mode:?}");
            }
        }
    }
}

/// A pendulum without a string: `period = 2π √(room / g) (1 + θ²/16)`.
#[test]
fn in_a_bowl_a_disc_swings_like_a_pendulum_and_lies_still_at_the_bottom() {
    for mode in [(SolverMode::Stepped, 4), (SolverMode::Continuous, 1)] {
        for e in [0.0, 0.5] {
            let (outer, radius, angle, g) = (2.0, 0.2, 0.4_f32, 9.81);
            let room = outer - radius;
            let mut app = app_in(mode);
            app.insert_resource(MotionSettings { gravity: vec2(0.0, -g), ..default() });
            support::settings(&mut app, |s| (s.restitution, s.terrain_restitution, s.resting_speed) = (e, e, 0.1));
            app.world_mut().spawn(arc(outer, PI, PI));
            let start = Vec2::from_angle(angle - FRAC_PI_2) * room;
            let disc = app.world_mut().spawn((Disc, Position(start), Radius(radius), Mass(1.0))).id();
            let still = (Disc, Position(vec2(20.0, -room)), Radius(radius), Mass(1.0));
            app.world_mut().spawn((arc(outer, PI, PI), Position(vec2(20.0, 0.0))));
            let still = app.world_mut().spawn(still).id();
            let (mut crossings, mut last, mut most) = (Vec::new(), start.x, 0.0_f32);
            for tick in 0..900 {
                support::ticks(&mut app, 1);
                let at = support::position(&app, disc);
                assert!(at.length() <= room + 1.5e-4 * radius, "{mode:?}: {at}");
                if last > 0.0 && at.x <= 0.0 {
                    crossings.push(f64::from(tick) + f64::from(last / (last - at.x)));
                }
                if tick > 700 {
                    most = most.max(at.x);
                }
                last = at.x;
            }
            let period = (crossings[crossings.len() - 1] - crossings[0]) / 60.0 / (crossings.len() - 1) as f64;
            let theory = f64::from(TAU * (room / g).sqrt() * (1.0 + angle * angle / 16.0));
            assert!((period / theory - 1.0).abs() < 0.01, "{mode:?}, e {e}: {period} s instead of {theory}");
            assert!((most / start.x - 1.0).abs() < 0.05, "{mode:?}, e {e}: from {} to {most}", start.x);
            let rest = (support::position(&app, still), support::velocity(&app, still));
            assert!(rest.0.distance(vec2(20.0, -room)) < 1e-5 && rest.1.length() < 1e-6, "{mode:?}: {rest:?}");
        }
    }
}

#[test]
fn a_heap_in_a_bowl_comes_to_rest() {
    for mode in [(SolverMode::Stepped, 4), (SolverMode::Continuous, 1)] {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.81), drag: 1.0, ..default() });
        support::settings(&mut app, |s| (s.restitution, s.terrain_restitution, s.resting_speed) = (0.3, 0.3, 0.5));
        app.world_mut().spawn(arc(3.0, PI, PI));
        for k in 0..12_u8 {
            let at = vec2(f32::from(k % 4) * 0.9 - 1.35, f32::from(k / 4) * 0.9 - 1.0);
            app.world_mut().spawn((Disc, Position(at), Radius(0.4), Mass(1.0)));
        }
        support::ticks(&mut app, 900);
        let discs = carom::collision::Discs::of(app.world_mut());
        for (at, velocity) in discs.position.iter().zip(&discs.velocity) {
            assert!(at.length() < 2.6 + 1e-3 && velocity.length() < 0.1, "{mode:?}: {at}, {velocity}");
        }
    }
}

#[test]
fn a_disc_larger_than_the_circle_lies_on_the_ends_and_one_inside_keeps_its_centre_there() {
    // A bow of 1 m that is open to the right by 120 degrees, and a disc 2 m away.
    let bow = arc(1.0, PI / 3.0, 4.0 * PI / 3.0);
    let space = support::space([], &[(bow, Vec2::ZERO, 0.0)]);
    let hit = space.cast_disc(vec2(9.0, 0.0), 2.0, Dir2::NEG_X, 99.0, &SpatialQueryFilter::default()).unwrap();
    let half = PI / 3.0;
    let expected = ops::cos(half) + (4.0 - ops::sin(half) * ops::sin(half)).sqrt();
    assert!((hit.centre.x - expected).abs() < 1e-5, "{hit:?}, {expected}");
    for mode in MODES {
        for (r, at) in [(1.0, Vec2::ZERO), (1.5, vec2(0.3, 0.1)), (40.0, vec2(-0.2, 0.0)), (0.999, vec2(0.3, 0.0))] {
            let mut space = support::space([ball(at, vec2(3.0, 1.0), r)], &[(arc(1.0, 0.0, WHOLE), Vec2::ZERO, 0.0)]);
            for _ in 0..200 {
                run_tick(&mut space, &settings(mode, 1.0), 1.0 / 60.0, |_| {});
                assert!(space.discs.position[0].length() < 1.0, "{mode:?}, {r}: {}", space.discs.position[0]);
                let speed = space.discs.velocity[0].length();
                assert!(speed <= 10.0_f32.sqrt() * 1.0001, "{mode:?}, {r}: {speed}");
            }
        }
    }
}

#[test]
fn a_round_gate_lets_discs_in_and_not_out_and_a_bridge_lets_them_up() {
    for mode in MODES {
        for speed in [1.0_f32, 20.0, 700.0] {
            let mut app = app_in(mode);
            app.world_mut().spawn((arc(3.0, 0.0, WHOLE), OneWay::Left));
            let disc = support::disc(&mut app, vec2(-5.0, 0.3), vec2(speed, 0.0));
            support::ticks(&mut app, (4.0 * 60.0 / speed) as usize + 1);
            for _ in 0..100 {
                support::ticks(&mut app, 1);
                let at = support::position(&app, disc);
                assert!(at.length() < 2.5 + 1e-4, "{mode:?}, {speed} m/s: {at}");
            }
            let now = support::velocity(&app, disc).length();
            assert!((now / speed - 1.0).abs() < 1e-4, "{mode:?}: {now}");
            // An arched bridge that can only be passed upward.
            let bridge = (arc(4.0, PI / 4.0, FRAC_PI_2), Position(vec2(50.0, 0.0)), OneWay::Toward(Vec2::Y));
            app.world_mut().spawn(bridge);
            let up = support::disc(&mut app, vec2(50.0, 2.0), vec2(0.0, speed));
            let other = (arc(4.0, PI / 4.0, FRAC_PI_2), Position(vec2(80.0, 0.0)), OneWay::Toward(Vec2::Y));
            app.world_mut().spawn(other);
            let down = support::disc(&mut app, vec2(80.5, 9.0), vec2(0.0, -speed));
            support::ticks(&mut app, (6.0 * 60.0 / speed) as usize + 1);
            assert!(support::position(&app, up).y > 4.5, "{mode:?}: {}", support::position(&app, up));
            assert!(support::position(&app, down).y > 3.5, "{mode:?}: {}", support::position(&app, down));
        }
    }
}

#[test]
fn an_arc_that_moves_hits_like_one_that_stands_seen_from_it() {
    let mut dice = Dice(5);
    for case in 0..150 {
        let mode = MODES[case % 3];
        let (shape, drift) = (arc(dice.range(0.5, 3.0), dice.range(-3.0, 3.0), dice.range(0.3, TAU)), dice.vec(20.0));
        let (at, own, radius) = (dice.vec(5.0), dice.vec(60.0), dice.range(0.05, 0.6));
        let after = [Vec2::ZERO, drift].map(|drift| {
            let mut app = app_in(mode);
            let mut piece = app.world_mut().spawn((shape.clone(), Restitution(1.0)));
            if drift != Vec2::ZERO {
                piece.insert(Velocity(drift));
            }
            let nearest = app.world_mut().spawn((Disc, Position(at), Velocity(own + drift), Radius(radius))).id();
            support::ticks(&mut app, 3);
            (support::position(&app, nearest) - drift * 0.05, support::velocity(&app, nearest) - drift)
        });
        // An initial overlap is pushed out in one way or another, and a disc that barely touches an end is deflected by
        // rounding.
        let (points, _) = shape.outline();
        let overlaps = points.iter().any(|point| point.distance(at) < radius * 1.05);
        let [standing, moving] = after;
        let off = (standing.1 - moving.1).length() / own.length();
        assert!(
            overlaps || off < 0.02,
            "case {case}, {mode:?}: {shape:?}, {at} {own} {radius}: {standing:?}, {moving:?}"
        );
    }
}

#[test]
fn a_round_arena_that_flies_and_turns_takes_along_what_is_inside() {
    for mode in MODES {
        for (speed, spin) in [(0.5_f32, 0.0_f32), (30.0, 0.0), (300.0, 7.0), (0.0, 30.0)] {
            for e in [0.0, 1.0] {
                let mut app = app_in(mode);
                let room =
                    (arc(2.0, 0.0, WHOLE), Velocity(vec2(speed, 0.0)), AngularVelocity(Vec3::Z * spin), Restitution(e));
                let room = app.world_mut().spawn(room).id();
                let disc = app
                    .world_mut()
                    .spawn((Disc, Position(vec2(0.3, 0.4)), Velocity(vec2(0.0, 1.0)), Radius(0.25)))
                    .id();
                for tick in 0..60 {
                    support::ticks(&mut app, 1);
                    let (at, centre) = (support::position(&app, disc), support::position(&app, room));
                    assert!(
                        at.distance(centre) <= 1.75 * 1.001 + 2e-6 * centre.length(),
                        "{mode:?}, {speed} m/s, {spin} rad/s, e {e}, tick {tick}: {at} around {centre}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_end_of_an_arc_that_turns_sweeps_discs_away() {
    for mode in MODES {
        for spin in [1.0_f32, 9.0, -40.0] {
            let mut app = app_in(mode);
            let hook = (arc(2.0, 0.0, 4.0), AngularVelocity(Vec3::Z * spin), Restitution(1.0));
            let hook = app.world_mut().spawn(hook).id();
            // In the gap, exactly on the circle.
            let disc = app.world_mut().spawn((Disc, Position(Vec2::from_angle(5.1) * 2.0), Radius(0.3))).id();
            for tick in 0..240 {
                support::ticks(&mut app, 1);
                let (at, angle) = (support::position(&app, disc), app.world().get::<Rotation>(hook).unwrap().0);
                let (points, _) = arc(2.0, angle, 4.0).outline();
                let nearest = points.iter().map(|point| point.distance(at)).fold(f32::INFINITY, f32::min);
                assert!(nearest > 0.3 - 0.003, "{mode:?}, {spin} rad/s, tick {tick}: {nearest}");
            }
            assert!(support::velocity(&app, disc).length() > 0.5 * 2.0 * spin.abs(), "{mode:?}: it was hit");
        }
    }
}

#[test]
fn a_sensor_arc_tells_when_a_disc_reaches_it() {
    #[derive(Resource, Default)]
    struct Times(Vec<(bool, f64)>);
    let mut app = app_in((SolverMode::Continuous, 1));
    app.init_resource::<Times>();
    let time = |tick: u64, time: f32, first: u64| (tick - first) as f64 / 60.0 + f64::from(time);
    let first = app.world().resource::<PhysicsSpace>().clock.tick + 1;
    app.add_observer(move |on: On<SensorOverlapStarted>, mut times: ResMut<Times>| {
        times.0.push((true, time(on.tick, on.time, first)));
    });
    app.add_observer(move |on: On<SensorOverlapEnded>, mut times: ResMut<Times>| {
        times.0.push((false, time(on.tick, on.time, first)));
    });
    app.world_mut().spawn((arc(2.0, FRAC_PI_2, PI), Position(vec2(10.0, 0.0)), Sensor));
    let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
    support::ticks(&mut app, 180);
    // The left half of a circle: within half a metre of 8 m, and of nothing on the right.
    let times = &app.world().resource::<Times>().0;
    assert_eq!(times.iter().map(|time| time.0).collect::<Vec<_>>(), [true, false], "{times:?}");
    assert!((times[0].1 - 7.5 / 6.0).abs() < 1e-5 && (times[1].1 - 8.5 / 6.0).abs() < 1e-5, "{times:?}");
    assert_eq!(support::velocity(&app, disc), vec2(6.0, 0.0));
}

#[test]
fn what_arcs_do_is_foreseen_to_the_bit_and_does_not_depend_on_the_order_of_spawning() {
    for mode in MODES {
        let hashes = [false, true].map(|reversed| {
            let mut app = app_in(mode);
            let mut pieces: Vec<_> = stadium().into_iter().zip(100..).collect();
            let mut dice = Dice(9);
            let mut discs: Vec<(u64, Vec2, Vec2)> =
                (0..8).map(|k| (k, vec2(-1.75 + 0.5 * k as f32, dice.range(-1.0, 1.0)), dice.vec(9.0))).collect();
            if reversed {
                pieces.reverse();
                discs.reverse();
            }
            for ((piece, at, _), id) in pieces {
                app.world_mut().spawn((piece, Position(at), StableId(id)));
            }
            app.world_mut().spawn((
                arc(0.5, 0.0, 4.0),
                StableId(200),
                AngularVelocity(Vec3::Z * 2.0),
                Position(vec2(3.2, 0.0)),
            ));
            for (id, at, velocity) in discs {
                app.world_mut().spawn((Disc, StableId(id), Position(at), Velocity(velocity), Radius(0.2), Mass(1.0)));
            }
            support::ticks(&mut app, 5);
            let ahead = support::prediction(&mut app, 1.0);
            support::ticks(&mut app, ahead.ticks() as usize);
            assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
            support::hash(&mut app)
        });
        assert_eq!(hashes[0], hashes[1], "{mode:?}");
    }
}

#[test]
fn an_arc_that_makes_no_sense_is_rejected_and_the_rest_goes_on() {
    for (radius, start, extent) in [
        (f32::NAN, 0.0, 1.0),
        (0.0, 0.0, 1.0),
        (-1.0, 0.0, 1.0),
        (f32::INFINITY, 0.0, 1.0),
        (1.0, f32::NAN, 1.0),
        (1.0, 0.0, 0.0),
        (1.0, 0.0, -2.0),
        (1.0, 0.0, f32::NAN),
    ] {
        assert!(arc(radius, start, extent).check().is_err(), "{radius} {start} {extent}");
        for mode in MODES {
            let mut app = app_in(mode);
            app.world_mut().spawn(arc(radius, start, extent));
            app.world_mut().spawn((arc(radius, start, extent), Velocity(Vec2::X)));
            let disc = support::disc(&mut app, vec2(-2.0, 0.0), vec2(6.0, 0.0));
            support::ticks(&mut app, 60);
            assert!((support::position(&app, disc).x - 4.0).abs() < 1e-4, "as if it were not there");
        }
    }
    assert!(arc(1.0, 0.0, 99.0).check().is_ok(), "more than all around is all around");
}

#[test]
fn a_block_or_a_polygon_that_stands_is_an_outline_with_an_inside() {
    let square = vec![vec2(-2.0, -2.0), vec2(2.0, -2.0), vec2(2.0, 2.0), vec2(-2.0, 2.0)];
    for shape in [Terrain::Block { half_size: Vec2::splat(2.0) }, Terrain::Polygon { points: square }] {
        for mode in MODES {
            for speed in [0.0_f32, 3.0, 5000.0] {
                let inside = ball(vec2(0.3, -0.4), vec2(1.0, 0.3) * speed, 0.5);
                let outside = ball(vec2(-4.0, 0.1), vec2(speed, 0.0), 0.5);
                let mut space = support::space([inside, outside], &[(shape.clone(), Vec2::ZERO, 0.0)]);
                for tick in 0..240 {
                    run_tick(&mut space, &settings(mode, 1.0), 1.0 / 60.0, |_| {});
                    let [inside, outside] = [0, 1].map(|i| space.discs.position[i]);
                    assert!(inside.abs().max_element() <= 1.5 + 1e-5, "{mode:?}, {speed} m/s, tick {tick}: {inside}");
                    assert!(outside.abs().max_element() >= 2.5 - 1e-5, "{mode:?}, {speed} m/s, tick {tick}: {outside}");
                }
                let after = space.discs.velocity[0].length();
                assert!((after - inside.velocity.length()).abs() <= 1e-5 * after, "{mode:?}: {after}");
            }
        }
    }
}

/// A ray of light in a circular mirror: all its chords touch the caustic.
#[test]
fn a_path_of_light_in_a_round_mirror_touches_its_caustic() {
    let space = support::space([], &[(arc(5.0, 0.0, WHOLE), vec2(1.0, 2.0), 0.0)]);
    for radius in [0.0, 0.5] {
        let cast = carom::collision::PathCast {
            position: vec2(1.0, -1.0),
            velocity: vec2(3.0, 0.5),
            radius,
            length: 500.0,
            ..default()
        };
        let path = space.cast_path(&cast, &SpatialQueryFilter::default());
        assert!(path.points.len() > 40, "{}", path.points.len());
        let centre = DVec2::new(1.0, 2.0);
        let nearest = |from: Vec2, to: Vec2| {
            let along = (to - from).as_dvec2().normalize();
            (from.as_dvec2() - centre).perp_dot(along).abs()
        };
        let caustic = (cast.position.as_dvec2() - centre).perp_dot(cast.velocity.as_dvec2().normalize()).abs();
        for way in path.points.windows(2) {
            let off = nearest(way[0].position, way[1].position) - caustic;
            assert!(off.abs() < 1e-4, "radius {radius}: {way:?}, {off}");
        }
        assert!((path.points.last().unwrap().distance - 500.0).abs() < 1e-3);
    }
}
