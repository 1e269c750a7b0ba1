//! Balls that leave the cloth: falls, landings and whole shots through ticks. The cases have the numbers of
//! `docs/src/flight.md`.

use std::sync::Arc;

use bevy::{ecs::system::SystemState, math::DVec2, prelude::*, time::TimeUpdateStrategy};
use carom::{
    billiards::{
        cue::{Cue, CueStrike, strike_on},
        tables::ShippedTable,
    },
    collision::{
        DiscHeight, DiscState, Discs, PhysicsSpace, ScanLimit, measure,
        path::table_events::TableEventKind,
        spin::{Body, FlightPhysics, Shape, TablePhysics},
    },
    games::{
        Action, BallId, BallPlace, Call, CueKind, Foul, GameTable, Layout, Match, MatchRecord, MatchSpec, Refusal,
        Shot, ShotEvent, Simulator,
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

const BODY: Body = Body { mass: M as f64, radius: R as f64, shape: Shape::Ball };

/// A stroke along x.
fn raised(speed: f64, degrees: f64) -> CueStrike {
    CueStrike { speed, elevation: degrees.to_radians(), ..default() }
}

/// A ball that a raised cue has struck along x, on an empty cloth.
fn struck(speed: f64, degrees: f64) -> PhysicsSpace {
    struck_on(&flying(), &raised(speed, degrees))
}

fn struck_on(table: &TablePhysics, stroke: &CueStrike) -> PhysicsSpace {
    let motion = strike_on(table, &STIFF, &BODY, stroke).unwrap();
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
        // A disc that is not a ball does not fly.
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

/// Jump shots at 4 m/s: the elevation, apex (m), time (s) and length (m) of the first flight, and the velocity (m/s)
/// and spin after it lands (F56 to F59).
const JUMPS: [(f64, [f64; 3], [f64; 3]); 4] = [
    (15.0, [0.024748357, 0.142064, 0.679501], [4.574019, 0.348412, 1.567853]),
    (30.0, [0.092362127, 0.274446, 1.058138], [3.451689, 0.673080, 3.028858]),
    (45.0, [0.184724254, 0.388126, 1.055567], [2.719653, 0.951878, 2.719653]),
    (60.0, [0.277086380, 0.475355, 0.914148], [1.923085, 1.165808, 1.923085]),
];

#[test]
fn f56_to_f59_height_length_and_spin_of_a_jump_in_ticks() {
    for (degrees, [apex, seconds, length], [along, up, roll]) in JUMPS {
        for rate in [60.0, 120.0, 240.0] {
            let mut space = struck(4.0, degrees);
            space.report.record_events = true;
            let (mut highest, mut ticks) = (0.0_f64, 0_u32);
            let landing = loop {
                tick(&mut space, &continuous(0.95), &flying(), rate);
                let lands = space.report.events.iter().find(|event| event.kind == TableEventKind::Lands);
                if let Some(event) = lands {
                    break *event;
                }
                ticks += 1;
                highest = highest.max(height(&space, 0));
                // At the end of every tick it is on the parabola.
                let time = f64::from(ticks) / f64::from(rate);
                let rises = 4.0 * apex / seconds;
                near(height(&space, 0), rises * time - 0.5 * G * time * time, 2e-6);
            };
            // The end of a tick is at most half a tick from the apex.
            let missed = 0.5 * G * (0.5 / f64::from(rate)).powi(2);
            assert!(highest <= apex + 1e-6 && highest >= apex - missed - 1e-6, "{highest} of {apex}");
            near(f64::from(ticks) / f64::from(rate) + landing.time, seconds, 2e-6);
            near(landing.position.x, length, 1e-5);
            near(landing.after.velocity.x, along, 2e-6);
            near(landing.after.vertical, up, 2e-6);
            near(spin_speed(&landing.after).y, roll, 2e-6);
        }
    }
}

/// A pool table on which balls fly, or stay down.
fn pool(flight: bool) -> Arc<GameTable> {
    let spec = ShippedTable::named("pool-9ft").and_then(ShippedTable::spec).unwrap();
    Arc::new(GameTable::new(spec).unwrap().with_flight(flight))
}

fn lying(places: &[Vec2]) -> Layout {
    Layout(places.iter().map(|&place| BallPlace::Table(place)).collect())
}

#[test]
fn f56_to_f59_the_simulator_drives_the_ball_into_the_slate() {
    let from = Vec2::new(-1.1, 0.2);
    let mut simulator = Simulator::new(pool(true));
    for (degrees, [apex, seconds, length], _) in JUMPS {
        let film = simulator.film(&lying(&[from]), BallId(0), &raised(4.0, degrees), &STIFF).unwrap();
        let heights = (0..=1000_u16).map(|k| f64::from(k) / 1000.0 * seconds);
        let highest = heights.map(|time| film.height(BallId(0), time as f32)).fold(0.0, f32::max);
        near(f64::from(highest), apex, 1e-4);
        let at = |time: f64| film.layout(time as f32)[BallId(0)].on_table().unwrap();
        near(f64::from(at(0.5 * seconds).x - from.x), 0.5 * length, 1e-4);
        // Low as it lands, and higher before and after.
        assert!(film.height(BallId(0), seconds as f32) < 0.01, "{degrees}");
    }
    // Where no ball flies, the same stroke keeps the ball down.
    let mut flat = Simulator::new(pool(false));
    let film = flat.film(&lying(&[from]), BallId(0), &raised(4.0, 45.0), &STIFF).unwrap();
    assert!((0..100_u8).all(|k| film.height(BallId(0), f32::from(k) * 0.01) == 0.0));
}

#[test]
fn a_shot_of_the_simulator_is_that_of_the_ticks() {
    let (table, from) = (pool(true), Vec2::new(-1.0, 0.1));
    let stroke = CueStrike { direction: DVec2::new(1.0, 0.1), ..raised(0.6, 45.0) };
    let shot = Simulator::new(table.clone()).play(&lying(&[from]), BallId(0), &stroke, &STIFF).unwrap();
    assert_eq!(shot.events, []);
    let mut space = struck_on(&table.physics(), &stroke);
    space.discs.position[0] = from;
    assert!(!space.discs.heights.is_empty(), "it jumps");
    while space.any_moves() {
        tick(&mut space, &Simulator::settings(&table), &table.physics(), 120.0);
    }
    // `ball` takes a spin as a speed, which rounds it. The bits are compared with the window, in `simulator`.
    let rests = shot.after[BallId(0)].on_table().unwrap();
    assert!(rests.distance(space.discs.position[0]) < 1e-6, "{rests} and {}", space.discs.position[0]);
}

/// The events up to the first cushion.
fn first_events(shot: &Shot) -> &[ShotEvent] {
    let cushion = shot.events.iter().position(|event| matches!(event, ShotEvent::Cushion(..) | ShotEvent::Potted(..)));
    &shot.events[..cushion.unwrap_or(shot.events.len())]
}

#[test]
fn f60_to_f70_a_jump_in_a_match_passes_over_a_ball_from_the_closed_form_speed_on() {
    let mut simulator = Simulator::new(pool(true));
    let over = ShotEvent::Over(BallId(0), BallId(1));
    for (distance, degrees, speed) in [
        // With the apex above the ball.
        (0.08, 63.902809, 1.752013),
        (0.1, 58.515720, 1.844813),
        (0.15, 47.428325, 2.136283),
        (0.2, 40.402537, 2.427243),
        (0.3048, 31.476839, 3.012955),
        (0.5, 21.902802, 4.217389),
        // With the smallest speed at an elevation.
        (0.1, 60.0, 1.825072),
        (0.15, 45.0, 2.237269),
        (0.2, 30.0, 4.377353),
        (0.2, 60.0, 2.211163),
        (0.3048, 45.0, 2.537627),
        (0.5, 60.0, 3.175063),
    ] {
        let from = Vec2::new(-1.0, 0.1);
        let layout = lying(&[from, from + Vec2::X * distance]);
        let mut events = |share: f64| {
            let shot = simulator.play(&layout, BallId(0), &raised(speed * share, degrees), &STIFF).unwrap();
            first_events(&shot).to_vec()
        };
        // A fiftieth is 1 mm at the apex.
        assert_eq!(events(1.002), [over], "{distance} m at {degrees} degrees");
        assert_eq!(events(0.9)[0], ShotEvent::Balls(BallId(0), BallId(1)), "{distance} m at {degrees} degrees");
    }
}

#[test]
fn a_ball_beside_the_way_or_hit_from_above_is_not_passed_over() {
    let mut simulator = Simulator::new(pool(true));
    let from = Vec2::new(-1.0, 0.1);
    let mut events = |aside: f32, stroke: CueStrike| {
        let layout = lying(&[from, from + Vec2::new(0.3, aside)]);
        first_events(&simulator.play(&layout, BallId(0), &stroke, &STIFF).unwrap()).to_vec()
    };
    let over = [ShotEvent::Over(BallId(0), BallId(1))];
    for (aside, passes) in [(0.0, true), (0.05, true), (-0.0571, true), (0.0573, false), (-0.2, false)] {
        assert_eq!(events(aside, raised(3.0, 45.0)), if passes { &over[..] } else { &[] }, "{aside}");
    }
    // Half the way up: it hits the ball on its near side, and comes back.
    let onto = events(0.0, raised(2.3, 45.0));
    assert!(onto.contains(&ShotEvent::Balls(BallId(0), BallId(1))) && !onto.contains(&over[0]), "{onto:?}");
    // It does not fly.
    assert_eq!(events(0.06, raised(3.0, 0.0)), []);
}

#[test]
fn f71_and_f72_the_cue_ball_hops_on_the_break() {
    for (degrees, landings, along, above, after, rises) in [
        (3.0, 3, 10.831674, 0.000028315, [0.270841, 0.098018], 0.000518),
        (5.0, 1, 10.695148, 0.002307855, [0.292189, 0.616847], 0.021701),
    ] {
        // The page has no threshold here.
        let flight = Some(FlightPhysics { least_take_off: 1e-3, ..default() });
        let table = TablePhysics { flight, ..default() };
        let mut space = struck_on(&table, &raised(1.0, degrees).with_ball_speed(&STIFF, &BODY, 11.176));
        space.discs.push(ball(1, Vec2::X * 1.27, Vec2::ZERO, Vec3::ZERO));
        space.report.record_events = true;
        let mut landed = 0;
        let hit = 'ticks: loop {
            tick(&mut space, &continuous(0.95), &table, 240.0);
            for event in space.report.events.iter().filter(|event| event.disc == 0) {
                match event.kind {
                    TableEventKind::Lands => landed += 1,
                    TableEventKind::Hit(_) => break 'ticks *event,
                    _ => {}
                }
            }
        };
        assert_eq!(landed, landings, "{degrees}");
        near(hit.before.velocity.x, along, 1e-5);
        // At 11 m/s a rounding of a position moves the contact by some micrometres in height.
        near(hit.height, above, 2e-6);
        near(hit.after.velocity.x, after[0], 2e-4);
        near(hit.after.vertical, after[1], 2e-3);
        near(hit.height + hit.after.vertical.powi(2) / (2.0 * G), rises, 1e-4);
    }
}

#[test]
fn a_mirrored_jump_mirrors() {
    let mut simulator = Simulator::new(pool(true));
    for (k, degrees) in (0_u8..).zip([5.0, 20.0, 35.0, 50.0, 65.0]) {
        let side = 0.1 * f64::from(k) - 0.2;
        let stroke = CueStrike { side, top: 0.1, direction: DVec2::new(1.0, 0.11), ..raised(2.5, degrees) };
        let mirrored = CueStrike { side: -side, direction: stroke.direction * DVec2::new(1.0, -1.0), ..stroke };
        let places = [Vec2::new(-0.9, 0.1), Vec2::new(-0.5, 0.15), Vec2::new(0.6, 0.3)];
        let films = [(1.0, stroke), (-1.0, mirrored)].map(|(sign, stroke)| {
            let layout = lying(&places.map(|place| place * Vec2::new(1.0, sign)));
            simulator.film(&layout, BallId(0), &stroke, &STIFF).unwrap()
        });
        // Later hits magnify rounding.
        for k in 0..60_u8 {
            let time = f32::from(k) * 0.01;
            let [a, b] = films.each_ref().map(|film| film.layout(time)[BallId(0)].on_table().unwrap());
            assert!(a.distance(b * Vec2::new(1.0, -1.0)) < 1e-5, "{degrees} degrees after {time} s: {a} and {b}");
            let [a, b] = films.each_ref().map(|film| film.height(BallId(0), time));
            assert!((a - b).abs() < 1e-5, "{degrees} degrees after {time} s: {a} and {b}");
        }
    }
}

#[test]
fn a_match_file_without_the_field_replays_without_flight() {
    let text = include_str!("../../assets/matches/nine-ball.ron");
    assert!(!text.contains("flight"));
    let record = MatchRecord::parse(text, "nine-ball.ron").unwrap();
    assert!(!record.spec.flight && MatchSpec::default().flight);
    assert!(!record.to_text().unwrap().contains("flight"), "it is written as it was");
    let is_raised = |action: &Action| matches!(action, Action::Shoot { strike, .. } if strike.elevation > 0.0);
    assert!(record.log.iter().any(|entry| is_raised(&entry.action)), "a raised cue would show a difference");
    let replayed = Match::replay(&record).unwrap_or_else(|departure| panic!("{departure}"));
    assert!(!replayed.table().flight && replayed.table().physics().flight.is_none());
    // The same strokes on a table with flight end differently.
    let flies = MatchRecord { spec: MatchSpec { flight: true, ..record.spec.clone() }, ..record };
    assert!(Match::replay(&flies).is_err());
}

#[test]
fn a_new_match_flies_and_its_file_says_so() {
    let mut playing = Match::new(MatchSpec { game: "practice".to_owned(), ..default() }).unwrap();
    assert!(playing.table().physics().flight.is_some());
    playing.apply(Action::Place(Vec2::new(-0.8, 0.1))).unwrap();
    let strike = CueStrike { direction: DVec2::new(1.0, 0.3), ..raised(3.0, 45.0) };
    playing.apply(Action::Shoot { call: Call::default(), strike }).unwrap();
    let text = playing.record().to_text().unwrap();
    assert!(text.contains("flight:true"), "{text}");
    let replayed = Match::replay(&MatchRecord::parse(&text, "new.ron").unwrap()).unwrap();
    assert_eq!(replayed.hash(), playing.hash());
}

#[test]
fn a_jump_over_the_brown_is_a_foul_in_snooker() {
    let play = |flight: bool| {
        let mut playing = Match::new(MatchSpec { game: "snooker".to_owned(), flight, ..default() }).unwrap();
        let spec = &playing.table().spec;
        let line = spec.baulk.unwrap().line as f32;
        let from = Vec2::new(line - 0.15, 0.0);
        playing.apply(Action::Place(from)).unwrap();
        // Past the blue.
        let direction = DVec2::new(1.0, 0.2);
        let strike = CueStrike { direction, ..raised(2.8, 45.0) };
        let report = playing.apply(Action::Shoot { call: Call::default(), strike }).unwrap();
        (report.verdict, report.shot.unwrap().events[0])
    };
    let brown = carom::billiards::tables::BallName::Brown;
    let (verdict, event) = play(true);
    assert!(matches!(event, ShotEvent::Over(BallId(0), _)), "{event:?}");
    assert!(verdict.fouls.contains(&Foul::Jump(brown)), "{:?}", verdict.fouls);
    assert!(verdict.points[1] >= 4);
    // On a table without flight the cue ball hits the brown.
    let (verdict, event) = play(false);
    assert!(matches!(event, ShotEvent::Balls(..)), "{event:?}");
    assert_eq!(verdict.fouls, [Foul::WrongBallFirst(brown)]);
}

#[test]
fn a_jump_cue_is_taken_for_one_shot_where_game_and_flight_allow_it() {
    let begun = |game: &str, flight: bool| {
        Match::new(MatchSpec { game: game.to_owned(), flight, take_back: true, ..default() }).unwrap()
    };
    for (game, flight) in [("snooker", true), ("three-cushion", true), ("eight-ball", false)] {
        assert_eq!(begun(game, flight).apply(Action::TakeCue(CueKind::Jump)), Err(Refusal::NoJumpCue), "{game}");
    }
    let mut playing = begun("eight-ball", true);
    playing.apply(Action::Place(Vec2::new(-0.9, 0.3))).unwrap();
    let shoot = |playing: &mut Match| {
        let strike = CueStrike { direction: DVec2::new(1.0, -0.1), ..raised(2.0, 45.0) };
        playing.apply(Action::Shoot { call: Call::default(), strike }).unwrap().shot.unwrap()
    };
    let usual = shoot(&mut playing.clone());
    playing.apply(Action::TakeCue(CueKind::Jump)).unwrap();
    assert_eq!((playing.cue(), playing.game_state().cue), (Cue::JUMP, Cue::JUMP));
    let jumped = shoot(&mut playing);
    assert_ne!(usual.after, jumped.after);
    // The replay has the same cue, and the next shot does not.
    let shot = playing.shots()[0].clone();
    assert_eq!(shot.cue, Cue::JUMP);
    assert_eq!(shot.film(&playing).layout(1e3), jumped.after);
    assert_eq!((playing.cue_kind(), playing.cue()), (CueKind::Playing, playing.spec().cue));
    let replayed = Match::replay(&MatchRecord::parse(&playing.record().to_text().unwrap(), "it").unwrap()).unwrap();
    assert_eq!(replayed.hash(), playing.hash());
    playing.apply(Action::TakeBack).unwrap();
    assert_eq!(playing.cue_kind(), CueKind::Jump);
    playing.apply(Action::TakeCue(CueKind::Playing)).unwrap();
    assert_eq!(shoot(&mut playing).after, usual.after);
}
