//! The continuous mode: exact results at exact times, and the same bits from both schedulers.

use bevy::{
    math::{DVec2, ops::powf},
    prelude::*,
};
use carom::{
    collision::{CollisionSettings, DiscState, Discs, PhysicsSpace, ScanLimit, measure, run_tick},
    motion,
    prelude::*,
};
use proptest::prelude::*;

use crate::support::{self, Dice, continuous, random_discs, run, space};

const TICK: f32 = 1.0 / 60.0;

/// Discs of mixed sizes in a room with blocks, bumpers and a slanted wall.
fn room(count: usize, seed: u64, speed: f32) -> PhysicsSpace {
    let (discs, half) = random_discs(count, seed);
    let discs = discs.into_iter().map(|disc| DiscState { velocity: disc.velocity * speed, ..disc });
    let slanted = Terrain::Segment { a: Vec2::new(-half.x, 0.3 - half.y), b: Vec2::new(0.3 - half.x, -half.y) };
    let terrain = [
        (Terrain::Arena { half_size: half }, Vec2::ZERO, 0.0),
        (Terrain::Block { half_size: Vec2::new(0.11, 0.07) }, Vec2::new(0.0, 0.05), 0.0),
        (Terrain::Circle { radius: 0.1 }, Vec2::new(-0.6, 0.6), 0.0),
        (slanted, Vec2::ZERO, 0.0),
    ];
    space(discs, &terrain)
}

#[test]
fn few_and_many_give_the_same_bits() {
    for (count, speed, seed) in [(7, 1.0, 1), (40, 1.0, 2), (40, 30.0, 3), (300, 1.0, 4), (300, 20.0, 5)] {
        let hashes = [0, 10_000].map(|scan_limit| {
            let mut space = room(count, seed, speed);
            space.compute.scan_limit = ScanLimit(scan_limit);
            let settings = CollisionSettings { restitution: 0.97, ..continuous() };
            run(&mut space, &settings, TICK, 60);
            assert!(space.report.collisions > count as u64, "{}", space.report.collisions);
            (space.report.collisions, measure::state_hash(&space.discs))
        });
        assert_eq!(hashes[0], hashes[1], "{count} discs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn scan_and_grid_give_the_same_bits_also_where_impacts_never_end(
        seed: u64, count in 1usize..120, log_speed in -2.0f32..4.0, e in 0usize..3, wall_e in 0usize..3,
        impact_budget in 1u32..20, resting_speed in 0.0f32..2.0,
    ) {
        let settings = CollisionSettings {
            restitution: [1.0, 0.4, 0.0][e],
            terrain_restitution: [1.0, 0.4, 0.0][wall_e],
            impact_budget,
            resting_speed,
            ..continuous()
        };
        let ends = [0, 10_000].map(|scan_limit| {
            let mut space = room(count, seed, powf(10.0, log_speed));
            space.compute.scan_limit = ScanLimit(scan_limit);
            let gravity = |space: &mut PhysicsSpace| motion::gravity(space, Vec2::new(0.0, -10.0));
            (0..30).for_each(|_| run_tick(&mut space, &settings, TICK, gravity));
            (space.report.collisions, space.report.stopped, measure::state_hash(&space.discs))
        });
        prop_assert_eq!(ends[0], ends[1]);
    }
}

fn disc(x: f32, y: f32, velocity: [f32; 2]) -> DiscState {
    DiscState { position: Vec2::new(x, y), velocity: velocity.into(), ..DiscState::default() }
}

#[test]
fn two_that_roll_along_a_line_touch_when_they_meet_and_not_before() {
    for friction in [0.0, 0.2] {
        let mut space = space([disc(0.0, 0.0, [2.0, 0.0]), disc(1.37, 0.0, [0.5, 0.0])], &[]);
        let forces = MotionSettings { friction, ..MotionSettings::default() };
        let mut now = 0.0;
        while space.report.collisions == 0 && now < 2.0 {
            let apart = space.discs.position[1].x - space.discs.position[0].x;
            assert!(apart > 1.0 && space.discs.velocity[0].x > 1.0, "nothing has happened yet");
            run_tick(&mut space, &continuous(), TICK, |space| Forces::from(&forces).act(space));
            now += f64::from(TICK);
        }
        let met = now - f64::from(TICK) + f64::from(space.report.hits[0].time);
        // Friction slows both equally, so the gap of 0.37 closes at 1.5 m/s. f32 leaves an error of 1e-7 m at the end
        // of each tick.
        assert!((met - 0.37 / 1.5).abs() < 2e-6, "friction {friction}: they meet at {met}");
        assert_eq!(space.report.collisions, 1);
    }
}

#[test]
fn a_rolling_disc_stops_where_friction_says_at_any_tick_rate() {
    for rate in [30.0, 60.0, 240.0, 1000.0] {
        for speed in [0.03_f32, 0.5, 1.0, 2.7] {
            let friction = 0.0981;
            let mut space = space([disc(0.0, 0.0, [0.6 * speed, 0.8 * speed])], &[]);
            let forces = MotionSettings { friction, ..MotionSettings::default() };
            for _ in 0..(30.0 * rate) as usize {
                run_tick(&mut space, &continuous(), 1.0 / rate, |space| Forces::from(&forces).act(space));
            }
            assert_eq!(space.discs.velocity[0], Vec2::ZERO);
            let rolled = f64::from(space.discs.position[0].length());
            let expected = f64::from(speed).powi(2) / (2.0 * f64::from(friction));
            // The change of speed in half a tick is rounded to the digits of the speed, repeatedly in the same
            // direction.
            let tolerance = 1e-5 + f64::from(f32::EPSILON * speed * rate / friction);
            assert!(
                (rolled / expected - 1.0).abs() < tolerance,
                "{speed} m/s at {rate} Hz: {rolled} instead of {expected}"
            );
        }
    }
}

#[test]
fn a_disc_under_gravity_is_on_its_parabola_after_every_tick() {
    let (start, velocity, gravity) = (Vec2::new(1.0, 2.0), Vec2::new(1.5, 3.0), Vec2::new(0.5, -9.81));
    let mut space = space([disc(start.x, start.y, velocity.to_array())], &[]);
    let forces = MotionSettings { gravity, ..MotionSettings::default() };
    for tick in 1..=120 {
        run_tick(&mut space, &continuous(), TICK, |space| Forces::from(&forces).act(space));
        let t = tick as f32 * TICK;
        let expected = start + velocity * t + gravity * (t * t / 2.0);
        // Up to 12 m and 17 m/s, rounded in every tick.
        assert!(space.discs.position[0].distance(expected) < 5e-5, "{t} s: {}", space.discs.position[0]);
    }
}

#[test]
fn equal_elastic_discs_part_at_a_right_angle_at_any_impact_parameter() {
    let mut dice = Dice(3);
    for trial in 0..2000 {
        let aim = dice.range(-1.0, 1.0);
        let turn = Rotation(dice.range(0.0, 6.3));
        let speed = dice.range(0.1, 20.0);
        let coming = DiscState {
            position: turn.turn(Vec2::new(-2.0, aim)),
            velocity: turn.turn(Vec2::X * speed),
            ..DiscState::default()
        };
        let mut space = space([coming, DiscState::default()], &[]);
        run(&mut space, &continuous(), 3.0 / speed, 1);
        let [a, b] = [0, 1].map(|i| space.discs.velocity[i].as_dvec2());
        // If one of them is almost at rest, there is no meaningful angle.
        if aim.abs() > 1e-3 && aim.abs() < 1.0 - 1e-6 {
            let cos = a.dot(b) / (a.length() * b.length());
            assert!(cos.abs() < 1e-5, "trial {trial}, aim {aim}: {a} and {b}");
        }
    }
}

#[test]
fn equal_masses_head_on_share_the_speed_by_the_restitution() {
    for e in [0.0, 0.1, 0.5, 0.8, 1.0] {
        let mut space = space([disc(-0.7, 0.0, [6.0, 0.0]), disc(0.7, 0.0, [0.0, 0.0])], &[]);
        run(&mut space, &CollisionSettings { restitution: e, ..continuous() }, TICK, 10);
        let [a, b] = [0, 1].map(|i| space.discs.velocity[i].x);
        assert!((a - (1.0 - e) * 3.0).abs() < 1e-6 && (b - (1.0 + e) * 3.0).abs() < 1e-6, "e = {e}: {a} and {b}");
    }
}

#[test]
fn as_many_leave_a_cradle_as_came_with_and_without_gaps() {
    for gap in [0.0, 1e-6, 0.05] {
        for count in 2..=10 {
            for came in [1, 2].into_iter().filter(|came| 2 * came <= count) {
                let speed = |i| if i < came { 2.0 } else { 0.0 };
                let row = |i| i as f32 * (1.0 + gap) - if i < came { 0.25 } else { 0.0 };
                let mut space = space((0..count).map(|i| disc(row(i), 0.0, [speed(i), 0.0])), &[]);
                run(&mut space, &continuous(), TICK, 60);
                for i in 0..count {
                    let expected = speed(count - 1 - i);
                    let got = space.discs.velocity[i];
                    assert!((got - Vec2::X * expected).length() < 1e-6, "{count} discs, gap {gap}, number {i}: {got}");
                }
            }
        }
    }
}

#[test]
fn the_corner_of_two_walls_turns_a_disc_straight_back() {
    let arena = [(Terrain::Arena { half_size: Vec2::splat(3.0) }, Vec2::ZERO, 0.0)];
    // Both walls at once, and one after the other; then a disc in the corner that another one hits.
    for (x, y) in [(1.0, 1.0), (1.0, 0.9), (0.3, 1.0)] {
        let mut space = space([disc(x, y, [4.0, 4.0])], &arena);
        run(&mut space, &continuous(), TICK, 60);
        assert_eq!(space.discs.velocity[0], Vec2::splat(-4.0));
        assert_eq!(space.report.collisions, 2, "one hit with each wall");
    }
    let mut space = space([disc(2.5, 2.5, [0.0, 0.0]), disc(0.5, 0.5, [4.0, 4.0])], &arena);
    run(&mut space, &continuous(), TICK, 30);
    let (at, velocity) = (&space.discs.position, &space.discs.velocity);
    assert!((velocity[1] - Vec2::splat(-4.0)).length() < 1e-5 && at[1].x < 1.8, "the blow comes back: {velocity:?}");
    assert!(velocity[0].length() < 1e-5 && at[0].distance(Vec2::splat(2.5)) < 1e-5);
}

#[test]
fn a_tight_rack_is_broken_the_same_way_in_whatever_order_it_was_set_up() {
    let broken = |order: fn(&mut Vec<DiscState>)| {
        let mut app = support::app();
        support::settings(&mut app, |settings| *settings = continuous());
        let mut discs = vec![DiscState {
            id: 0,
            position: Vec2::new(-4.0, 0.01),
            velocity: Vec2::new(9.0, 0.0),
            ..DiscState::default()
        }];
        for row in 0..5 {
            for place in 0..=row {
                let position = Vec2::new(row as f32 * 0.75_f32.sqrt(), place as f32 - 0.5 * row as f32);
                discs.push(DiscState { id: discs.len() as u64, position, ..DiscState::default() });
            }
        }
        order(&mut discs);
        support::fill(&mut app, &discs, Vec2::splat(50.0));
        support::ticks(&mut app, 60);
        Discs::of(app.world_mut())
    };
    let plain = broken(|_| {});
    let momentum = measure::momentum(&plain);
    assert!((momentum - DVec2::new(9.0, 0.0)).length() < 1e-5, "{momentum}");
    let energy = measure::kinetic_energy(&plain);
    assert!((energy / 40.5 - 1.0).abs() < 1e-6, "{energy}");
    assert!(plain.velocity.iter().filter(|v| v.length() > 0.1).count() >= 8, "it breaks: {:?}", plain.velocity);
    for order in [|discs: &mut Vec<DiscState>| discs.reverse(), |discs: &mut Vec<DiscState>| discs.rotate_left(7)] {
        assert_eq!(measure::state_hash(&plain), measure::state_hash(&broken(order)));
    }
}
