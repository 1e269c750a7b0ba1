//! Balls that leave the cloth: falls, landings and whole shots through ticks. The cases have the numbers of
//! `docs/src/flight.md`.

use bevy::{ecs::system::SystemState, prelude::*, time::TimeUpdateStrategy};
use carom::{
    billiards::cue::{Cue, CueStrike, strike_on},
    collision::{
        DiscHeight, DiscState, Discs, PhysicsSpace, ScanLimit, measure,
        path::table_events::TableEventKind,
        spin::{Body, FlightPhysics, Shape, TablePhysics},
    },
    prelude::*,
    timeline::{HistoryPlugin, seek},
};

use crate::support::*;

/// Gravity of the cloth, m/s².
const G: f64 = 9.81;

/// A cue of 20 oz with a leather tip and without squirt.
const STIFF: Cue = Cue { mass: 0.567, tip_restitution: 0.75, end_mass: 0.0, miscue_limit: 0.5 };

/// A table on which balls fly.
fn flying() -> TablePhysics {
    TablePhysics { flight: Some(FlightPhysics::default()), ..default() }
}

/// A ball above the cloth.
fn above(disc: u32, height: f32, speed: f32) -> DiscHeight {
    DiscHeight { disc, height, speed }
}

fn height(space: &PhysicsSpace, i: usize) -> f64 {
    space.discs.height_of(i).map_or(0.0, |above| f64::from(above.height))
}

/// Kinetic and potential energy of all balls, joules.
fn total_energy(space: &PhysicsSpace) -> f64 {
    let potential = |i: usize| f64::from(space.discs.mass[i]) * G * height(space, i);
    energy(space) + (0..space.discs.len()).map(potential).sum::<f64>()
}

/// A ball that a raised cue has struck along x, on an empty cloth.
fn struck(speed: f64, degrees: f64) -> PhysicsSpace {
    let body = Body { mass: f64::from(M), radius: f64::from(R), shape: Shape::Ball };
    let stroke = CueStrike { speed, elevation: degrees.to_radians(), ..default() };
    let motion = strike_on(&flying(), &STIFF, &body, &stroke).unwrap();
    let spin = (motion.angular_velocity * f64::from(R)).as_vec3();
    let mut space = space([ball(0, Vec2::ZERO, motion.velocity.as_vec2(), spin)]);
    space.discs.heights = vec![above(0, 0.0, motion.vertical as f32)];
    space
}

/// Runs ticks, and returns the events with their times in seconds since the start.
fn events(space: &mut PhysicsSpace, seconds: f64, rate: f32) -> Vec<(f64, TableEventKind, Vec2, f64)> {
    space.report.record_events = true;
    let mut events = Vec::new();
    for tick_number in 0..(seconds * f64::from(rate)) as u32 {
        tick(space, &continuous(0.95), &flying(), rate);
        let began = f64::from(tick_number) / f64::from(rate);
        events.extend(
            space
                .report
                .events
                .iter()
                .map(|event| (began + event.time, event.kind, event.position.as_vec2(), event.after.vertical)),
        );
    }
    events
}

#[test]
fn a_dropped_ball_follows_the_closed_form_at_every_rate() {
    for rate in [60.0, 120.0, 240.0, 7.0] {
        let mut space = space([ball(0, Vec2::ZERO, Vec2::ZERO, Vec3::ZERO)]);
        space.discs.heights = vec![above(0, 0.1, 0.0)];
        let falls = (0.2 / G).sqrt();
        // At the end of each tick of the first fall it is where the parabola is, to the rounding of f32.
        for tick_number in 1..=(falls * f64::from(rate)) as u32 {
            tick(&mut space, &continuous(1.0), &flying(), rate);
            let time = f64::from(tick_number) / f64::from(rate);
            near(height(&space, 0), 0.1 - 0.5 * G * time * time, 1e-6);
            assert!(space.any_moves());
        }
        // F14: three flights after the landing at 1.400714 m/s, 0.249873 s together, then it stays down.
        let mut again = crate::support::space([ball(0, Vec2::ZERO, Vec2::ZERO, Vec3::ZERO)]);
        again.discs.heights = vec![above(0, 0.1, 0.0)];
        let landings: Vec<_> = events(&mut again, 1.0, rate);
        assert!(landings.iter().all(|(_, kind, ..)| *kind == TableEventKind::Lands), "{landings:?}");
        let mut expected = (falls, 1.400_714_105_6);
        let times: Vec<f64> = landings.iter().map(|(time, ..)| *time).collect();
        assert_eq!(times.len(), 4, "{rate}: {times:?}");
        for time in times {
            // Speeds and heights are rounded to f32 at the end of each tick.
            near(time, expected.0, 2e-6);
            let takes_off = 0.5 * expected.1;
            expected = (expected.0 + 2.0 * takes_off / G, takes_off);
        }
        near(landings[3].0, falls + 0.249873, 3e-6);
        assert!(again.discs.heights.is_empty() && !again.any_moves());
    }
}

#[test]
fn f8_and_f9_a_landing_in_a_tick_gives_the_motion_of_the_closed_form() {
    // pooltool's demos: a ball dropped with a velocity, and one driven into the cloth.
    for (at, velocity, after, spin, time) in [
        (above(0, 0.271_425, 0.0), Vec2::X * 0.5, Vec3::new(0.357143, 0.0, 1.153837), Vec3::Y * 0.357143, 0.235237),
        (above(0, 0.0, -5.0), Vec2::Y * 0.5, Vec3::new(0.0, 0.357143, 2.5), Vec3::NEG_X * 0.357143, 0.0),
    ] {
        let mut space = space([ball(0, Vec2::ZERO, velocity, Vec3::ZERO)]);
        space.discs.heights = vec![at];
        space.report.record_events = true;
        let mut ticks = 0;
        while space.report.events.is_empty() {
            tick(&mut space, &continuous(1.0), &flying(), 60.0);
            ticks += 1;
        }
        let event = space.report.events[0];
        near(f64::from(ticks - 1) / 60.0 + event.time, time, 1e-6);
        let landed = event.after;
        let off = (landed.velocity.extend(landed.vertical).as_vec3() - after).abs();
        assert!(off.max((spin_speed(&landed).as_vec3() - spin).abs()).max_element() < 2e-6, "{landed:?}");
        assert!(event.height.abs() < 1e-12);
    }
}

#[test]
fn f73_to_f76_whole_shots_end_as_the_closed_form_says() {
    struct Shot {
        stroke: (f64, f64),
        landings: usize,
        /// Way and time of the last landing, after which it stays down.
        down: (f64, f64),
        rolls: Option<(f64, f64)>,
        rests: (f64, f64),
    }
    for shot in [
        Shot {
            stroke: (3.0, 5.0),
            landings: 1,
            down: (0.140558, 0.035879),
            rolls: Some((1.877189, 0.549982)),
            rests: (43.966209, 29.843053),
        },
        Shot {
            stroke: (4.0, 15.0),
            landings: 3,
            down: (1.163141, 0.248612),
            rolls: Some((2.657556, 0.615350)),
            rests: (73.004526, 38.486037),
        },
        Shot {
            stroke: (3.0, 30.0),
            landings: 4,
            down: (1.054460, 0.385940),
            rolls: None,
            rests: (32.862845, 25.851387),
        },
        Shot {
            stroke: (4.0, 45.0),
            landings: 5,
            down: (2.045161, 0.751994),
            rolls: None,
            rests: (39.743989, 28.475261),
        },
    ] {
        let mut space = struck(shot.stroke.0, shot.stroke.1);
        let events = events(&mut space, 40.0, 120.0);
        let of = |wanted: TableEventKind| events.iter().filter(move |(_, kind, ..)| *kind == wanted);
        assert_eq!(of(TableEventKind::Lands).count(), shot.landings, "{:?}", shot.stroke);
        let (time, _, place, vertical) = *of(TableEventKind::Lands).next_back().unwrap();
        // Positions and speeds are rounded to f32 after each tick.
        near(f64::from(place.x), shot.down.0, 1e-5);
        near(time, shot.down.1, 5e-6);
        assert_eq!(vertical, 0.0);
        if let Some((way, began)) = shot.rolls {
            let (time, _, place, _) = *of(TableEventKind::Rolls).next_back().unwrap();
            near(f64::from(place.x), way, 1e-4);
            near(time, began, 1e-4);
        }
        let (time, _, place, _) = *of(TableEventKind::Rests).next_back().unwrap();
        // Four thousand ticks, with positions of up to 73 m in f32.
        near(f64::from(place.x), shot.rests.0, 5e-3);
        near(time, shot.rests.1, 5e-3);
        assert!(!space.any_moves());
    }
}

/// A crowd of balls, some of them in the air.
fn crowd(count: u64) -> PhysicsSpace {
    let unit = |k: u64, salt: u64| {
        let bits = (k * 2_654_435_761 + salt * 40_503).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        bits as f32 / (1_u64 << 24) as f32
    };
    let balls = (0..count).map(|k| {
        let place = Vec2::new((k % 6) as f32, (k / 6) as f32) * 0.09;
        let velocity = Vec2::new(unit(k, 1) - 0.5, unit(k, 2) - 0.5) * 6.0;
        let spin = Vec3::new(unit(k, 3) - 0.5, unit(k, 4) - 0.5, unit(k, 5) - 0.5) * 8.0;
        ball(k, place, velocity, spin)
    });
    let mut space = space(balls);
    space.discs.heights = (0..count as u32)
        .step_by(2)
        .map(|k| above(k, unit(k.into(), 6) * 0.05, unit(k.into(), 7) * 3.0 - 1.5))
        .collect();
    space
}

#[test]
fn no_tick_adds_energy_and_every_shot_ends() {
    let mut space = crowd(36);
    let mut before = total_energy(&space);
    for _ in 0..6000 {
        tick(&mut space, &continuous(0.95), &flying(), 120.0);
        let now = total_energy(&space);
        // Each tick rounds every ball to f32.
        assert!(now <= before * (1.0 + 1e-6), "{before} J became {now} J");
        assert!((0..space.discs.len()).all(|i| height(&space, i) >= 0.0));
        before = now;
    }
    assert!(space.discs.heights.is_empty() && !space.any_moves());
}

#[test]
fn both_schedulers_give_the_same_bits() {
    let mut spaces = [usize::MAX, 0].map(|limit| {
        let mut space = crowd(36);
        space.compute.scan_limit = ScanLimit(limit);
        space
    });
    for _ in 0..240 {
        let hashes = spaces.each_mut().map(|space| {
            tick(space, &continuous(0.95), &flying(), 60.0);
            measure::state_hash(&space.discs)
        });
        assert_eq!(hashes[0], hashes[1]);
    }
}

#[test]
fn a_level_shot_is_the_same_to_the_bit_whether_balls_fly_or_not() {
    let table = flying();
    let mut spaces = [(); 2].map(|()| {
        let rack = (0..6).map(|k| {
            ball(k + 1, Vec2::new(0.5 + 0.058 * (k % 3) as f32, 0.058 * (k / 3) as f32), Vec2::ZERO, Vec3::ZERO)
        });
        space([rolling(0, Vec2::ZERO, Vec2::new(4.0, 0.02))].into_iter().chain(rack))
    });
    for _ in 0..600 {
        tick(&mut spaces[0], &continuous(0.95), &table, 120.0);
        tick(&mut spaces[1], &continuous(0.95), &TablePhysics::default(), 120.0);
        assert_eq!(measure::state_hash(&spaces[0].discs), measure::state_hash(&spaces[1].discs));
    }
    assert!(spaces[0].report.collisions > 5);
}

#[test]
fn a_ball_in_the_air_passes_over_a_pocket_unless_it_lands_in_it() {
    // It lands at 0.2, 0.4, 0.5 and 0.55 m and then rolls. The pocket has a radius of 62 mm.
    let lands_after = 0.1;
    let start = above(0, (0.5 * G * lands_after * lands_after) as f32, 0.0);
    for (pocket, falls) in [(0.1, None), (0.18, Some(0.2)), (0.3, None), (0.8, Some(0.8 - 0.062))] {
        let mut space = space([ball(0, Vec2::ZERO, Vec2::X * 2.0, Vec3::Y * 2.0)]);
        space.discs.heights = vec![start];
        space.add_pocket(Entity::PLACEHOLDER, Vec2::X * pocket, 0.062);
        let mut potted = Vec::new();
        for _ in 0..60 {
            tick(&mut space, &continuous(1.0), &flying(), 120.0);
            potted.extend(space.report.fallen.iter().copied());
        }
        match (falls, &potted[..]) {
            (None, []) => {}
            (Some(at), [fallen]) => near(f64::from(fallen.position.x), at, 2e-6),
            _ => panic!("pocket at {pocket}: {potted:?}"),
        }
    }
}

/// An app with a table on which balls fly.
fn app(ticks_per_frame: u32) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), HistoryPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks_per_frame));
    app.insert_resource(Time::<Fixed>::from_hz(120.0));
    app.insert_resource(flying()).insert_resource(continuous(0.95));
    app.update();
    app
}

#[test]
fn a_ball_gets_a_height_as_it_takes_off_and_loses_it_as_it_stays_down() {
    for ticks_per_frame in [1, 2, 5] {
        let mut app = app(ticks_per_frame);
        let dropped =
            app.world_mut().spawn((Ball, Radius(R), Mass(M), Height { height: 0.05, speed: 0.0 }, StableId(1))).id();
        let flat = (
            Disc,
            Radius(R),
            Mass(M),
            Position(Vec2::X),
            AngularVelocity::default(),
            Height { height: 1.0, speed: 2.0 },
        );
        let flat = app.world_mut().spawn(flat).id();
        let mut state = SystemState::<Predictor>::new(app.world_mut());
        let mut ahead = state.get(app.world()).unwrap().predict(Horizon { seconds: 1.0, ..default() });
        let mut heights = Vec::new();
        for _ in 0..120 / ticks_per_frame {
            app.update();
            (0..ticks_per_frame).for_each(|_| ahead.tick());
            assert_eq!(measure::state_hash(ahead.discs()), measure::state_hash(&Discs::of(app.world_mut())));
            heights.push(app.world().get::<Height>(dropped).copied());
        }
        assert!(heights[0].is_some() && heights[heights.len() - 1].is_none(), "{heights:?}");
        // A disc that is no ball does not fly.
        assert_eq!(app.world().get::<Height>(flat), Some(&Height { height: 1.0, speed: 2.0 }));
        // History finds every height again.
        let ticks = u64::from(120 / ticks_per_frame * ticks_per_frame);
        let now = app.world().resource::<PhysicsSpace>().clock.tick;
        for (k, height) in heights.iter().enumerate().step_by(7) {
            seek(app.world_mut(), now - ticks + (k as u64 + 1) * u64::from(ticks_per_frame)).unwrap();
            assert_eq!(app.world().get::<Height>(dropped).copied(), *height, "{ticks_per_frame}, {k}");
        }
    }
}

#[test]
fn where_no_ball_flies_a_height_has_no_effect_and_stays() {
    let heights = vec![above(0, 0.1, -1.0)];
    let moving: [DiscState; 1] = [rolling(0, Vec2::ZERO, Vec2::X)];
    for (settings, table) in [(continuous(1.0), TablePhysics::default()), (CollisionSettings::default(), flying())] {
        let (mut high, mut low) = (space(moving), space(moving));
        high.discs.heights.clone_from(&heights);
        for _ in 0..60 {
            tick(&mut high, &settings, &table, 60.0);
            tick(&mut low, &settings, &table, 60.0);
            assert_eq!((&high.discs.position, &high.discs.velocity), (&low.discs.position, &low.discs.velocity));
            assert_eq!(high.discs.heights, heights);
        }
    }
}

/// Whether a ball struck at this elevation touches a ball at rest at this distance.
fn touches(speed: f64, degrees: f64, distance: f32, rate: f32) -> bool {
    let mut space = struck(speed, degrees);
    space.discs.push(ball(1, Vec2::X * distance, Vec2::ZERO, Vec3::ZERO));
    // Until it is beyond the ball.
    while space.discs.position[0].x < distance + 2.0 * R {
        tick(&mut space, &continuous(0.95), &flying(), rate);
        if !space.report.hits.is_empty() {
            return true;
        }
    }
    false
}

#[test]
fn f66_to_f70_a_jump_clears_a_ball_from_the_speed_of_the_closed_form_on() {
    for (distance, degrees, speed) in [
        (0.1, 60.0, 1.825072),
        (0.15, 45.0, 2.237269),
        (0.2, 30.0, 4.377353),
        (0.2, 60.0, 2.211163),
        (0.3048, 30.0, 3.155769),
        (0.3048, 45.0, 2.537627),
        (0.5, 45.0, 3.041673),
        (0.5, 60.0, 3.175063),
    ] {
        for rate in [60.0, 120.0, 240.0] {
            let touches = |share: f64| touches(speed * share, degrees, distance, rate);
            // A thousandth is a graze of 0.02 to 0.8 mm.
            assert!(touches(0.999), "{distance} m at {degrees} degrees and {rate} Hz: it clears too early");
            assert!(!touches(1.001), "{distance} m at {degrees} degrees and {rate} Hz: it touches");
        }
    }
}

#[test]
fn f30_a_hit_in_the_air_and_the_landing_of_the_lower_ball_happen_in_a_tick() {
    // At the height of one radius over the cloth, with the contact at the start of the tick.
    let apart = (0.75_f32).sqrt() * 2.0 * R;
    let balls = [ball(0, Vec2::ZERO, Vec2::X * 2.0, Vec3::ZERO), ball(1, Vec2::X * apart, Vec2::ZERO, Vec3::ZERO)];
    let mut space = space(balls);
    space.discs.heights = vec![above(0, R, 0.0)];
    space.report.record_events = true;
    tick(&mut space, &continuous(0.95), &flying(), 240.0);
    let after = |disc: u32, wanted: fn(TableEventKind) -> bool| {
        let event = space.report.events.iter().find(|event| event.disc == disc && wanted(event.kind)).unwrap();
        event.after.velocity.extend(event.after.vertical)
    };
    let hit = |kind: TableEventKind| matches!(kind, TableEventKind::Hit(_));
    for (found, expected) in [
        (after(0, hit), [0.498376, 0.0, 0.776610]),
        (after(1, hit), [1.501624, 0.0, -0.776610]),
        (after(1, |kind| kind == TableEventKind::Lands), [1.268641, 0.0, 0.388305]),
    ] {
        // The contact is a rounding of f32 off, and the ball falls until then.
        assert!((found - bevy::math::DVec3::from(expected)).abs().max_element() < 1e-4, "{found} not {expected:?}");
    }
    assert_eq!(space.discs.heights.len(), 2);
}

#[test]
fn no_two_balls_are_inside_each_other_in_space() {
    for seed in 0..4 {
        let mut space = crowd(36 + seed);
        for _ in 0..1200 {
            tick(&mut space, &continuous(0.95), &flying(), 120.0);
            for i in 0..space.discs.len() {
                for j in 0..i {
                    let across = space.discs.position[i].distance(space.discs.position[j]);
                    let centres = f64::from(across).hypot(height(&space, i) - height(&space, j));
                    // A graze of up to 0.0852 mm may be missed in a tick.
                    assert!(centres > 2.0 * f64::from(R) - 2e-4, "{i} and {j} are {centres} m apart");
                }
            }
        }
    }
}

#[test]
fn a_ball_dropped_on_another_falls_off_it() {
    for aside in [1e-4_f32, 1e-3, 0.01] {
        let balls = [ball(0, Vec2::ZERO, Vec2::ZERO, Vec3::ZERO), ball(1, Vec2::X * aside, Vec2::ZERO, Vec3::ZERO)];
        let mut space = space(balls);
        space.discs.heights = vec![above(1, 0.1, 0.0)];
        let mut ticks = 0;
        while !space.discs.heights.is_empty() {
            tick(&mut space, &continuous(0.95), &flying(), 120.0);
            ticks += 1;
            assert!(ticks < 1200, "{aside}: it lies on the other after ten seconds");
        }
        let across = space.discs.position[0].distance(space.discs.position[1]);
        // A graze of a tick may be missed, and is pushed apart in the plane.
        assert!(across > 2.0 * R - 1e-4, "{across}");
    }
}
