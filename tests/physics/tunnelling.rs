//! Nothing gets through anything in the continuous mode, however fast, thin or small it is.

use bevy::{
    math::{DVec2, ops::powf},
    prelude::*,
};
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, ScanLimit, run_tick},
    prelude::*,
};
use proptest::prelude::*;

use crate::support::{Dice, continuous, excess_overlap, space};

const TICK: f32 = 1.0 / 60.0;

/// Both schedulers: the grid with its queue, and the flat scan.
const SEARCHES: [usize; 2] = [0, 10_000];

/// The distance between two segments.
fn distance(p: [DVec2; 2], q: [DVec2; 2]) -> f64 {
    let to = |point: DVec2, [a, b]: [DVec2; 2]| {
        let (along, from) = (b - a, point - a);
        let squared = along.length_squared();
        let share = if squared > 0.0 { (from.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
        point.distance(a + along * share)
    };
    let side = |point: DVec2, [a, b]: [DVec2; 2]| (b - a).perp_dot(point - a);
    let cross = side(p[0], q) * side(p[1], q) < 0.0 && side(q[0], p) * side(q[1], p) < 0.0;
    if cross { 0.0 } else { to(p[0], q).min(to(p[1], q)).min(to(q[0], p)).min(to(q[1], p)) }
}

/// Runs a tick and counts how often the path of a disc, from turn to turn, comes closer to terrain than its radius.
fn intrusions(space: &mut PhysicsSpace, settings: &CollisionSettings) -> usize {
    let before = space.discs.position.clone();
    run_tick(space, settings, TICK, |_| {});
    let mut paths: Vec<Vec<DVec2>> = before.iter().map(|p| vec![p.as_dvec2()]).collect();
    let mut since = vec![0.0; before.len()];
    for vertex in &space.report.path_vertices {
        paths[vertex.disc as usize].push(vertex.position.as_dvec2());
        since[vertex.disc as usize] = vertex.time;
    }
    let mut count = 0;
    for (i, mut path) in paths.into_iter().enumerate() {
        let (end, velocity) = (space.discs.position[i].as_dvec2(), space.discs.velocity[i].as_dvec2());
        let straight = path[path.len() - 1] + velocity * f64::from(TICK - since[i]);
        // The time of a turn is rounded to f32, too.
        let rounding = 1e-6 * (end.abs().max_element() + velocity.length() * f64::from(TICK));
        // A disc that has used up its impacts of the tick waits in place.
        let waits = path[path.len() - 1].distance(end) <= rounding && space.report.stopped > 0;
        assert!(waits || straight.distance(end) <= rounding, "disc {i} turned at a time that was not noted");
        path.push(end);
        let radius = f64::from(space.discs.radius[i]);
        for line in path.windows(2) {
            let line = [line[0], line[1]];
            // Every point of the path is rounded to f32.
            let least = 0.9998 * radius - 1e-6 * line[0].abs().max(line[1].abs()).max_element();
            let walls = space.walls().iter().map(|wall| distance(line, [wall.a.as_dvec2(), wall.b.as_dvec2()]));
            let corners = space.fixed_circles().iter().map(|corner| {
                let centre = corner.centre.as_dvec2();
                distance(line, [centre, centre]) - f64::from(corner.radius)
            });
            count += walls.chain(corners).filter(|&distance| distance < least).count();
        }
    }
    count
}

/// An arena divided into rooms by thin walls, with a loose segment, a wedge, a bumper, a point and a shallow notch.
fn arenas(angle: f32) -> Vec<(Terrain, Vec2, f32)> {
    let points = |points: &[[f32; 2]]| points.iter().copied().map(Vec2::from_array).collect();
    let segment = |a: [f32; 2], b: [f32; 2]| Terrain::Segment { a: a.into(), b: b.into() };
    let pieces = vec![
        Terrain::Arena { half_size: Vec2::new(6.0, 4.0) },
        segment([-2.0, -4.0], [-2.0, 4.0]),
        segment([2.0, -4.0], [2.0, 4.0]),
        segment([-6.0, 0.3], [-2.0, -0.3]),
        segment([-0.7, -1.0], [0.6, 1.3]),
        Terrain::Polygon { points: points(&[[4.0, -2.0], [4.4, 1.0], [3.6, 1.0]]) },
        Terrain::Polyline { points: points(&[[-5.5, 2.0], [-4.5, 2.1], [-3.5, 2.1003], [-2.5, 2.0]]) },
    ];
    let mut all: Vec<_> = pieces.into_iter().map(|piece| (piece, Vec2::ZERO, angle)).collect();
    for (radius, at) in [(0.5, Vec2::new(-4.0, -2.0)), (0.0, Vec2::new(4.0, 2.5))] {
        all.push((Terrain::Circle { radius }, Rotation(angle).turn(at), 0.0));
    }
    all
}

/// Discs of radii from a thousandth of the largest upward, where there is room for them.
fn scatter(terrain: &[(Terrain, Vec2, f32)], count: usize, dice: &mut Dice) -> PhysicsSpace {
    let mut discs: Vec<DiscState> = Vec::new();
    while discs.len() < count {
        let radius = 0.6 * powf(10.0, -dice.range(0.0, 3.0));
        let disc = DiscState { position: dice.vec(6.0), radius, mass: radius * radius, ..DiscState::default() };
        let with = space(discs.iter().copied().chain([disc]), terrain);
        let inside = |p: Vec2| p.abs().cmplt(Vec2::new(6.0, 4.0)).all();
        let in_wedge = disc.position.distance(Vec2::new(4.0, 0.0)) < 1.0;
        if excess_overlap(&with) < -1e-3 * f64::from(radius) && inside(disc.position) && !in_wedge {
            discs.push(disc);
        }
    }
    space(discs, terrain)
}

/// New velocities, of this many radii per tick for a disc of a tenth of a metre.
fn kick(space: &mut PhysicsSpace, speed: f32, dice: &mut Dice) {
    for velocity in &mut space.discs.velocity {
        *velocity = dice.vec(1.0).normalize_or(Vec2::X) * speed * 0.1 / TICK;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn no_disc_leaves_its_arena(
        seed: u64, count in 1usize..24, log_speed in -2.0f32..5.0, turned: bool, scan_limit in 0usize..2,
        e in 0usize..3, wall_e in 0usize..3,
    ) {
        let mut dice = Dice(seed);
        let upright = scatter(&arenas(0.0), count, &mut dice);
        let angle = if turned { dice.range(0.0, 6.0) } else { 0.0 };
        let discs = (0..count).map(|i| {
            let disc = upright.discs.get(i);
            DiscState { position: Rotation(angle).turn(disc.position), ..disc }
        });
        let mut space = space(discs, &arenas(angle));
        space.compute.scan_limit = ScanLimit(SEARCHES[scan_limit]);
        let settings = CollisionSettings {
            restitution: [1.0, 0.7, 0.0][e],
            terrain_restitution: [1.0, 0.6, 0.0][wall_e],
            impact_budget: 10,
            ..continuous()
        };
        for tick in 0..4 {
            kick(&mut space, powf(10.0, log_speed), &mut dice);
            prop_assert_eq!(intrusions(&mut space, &settings), 0, "tick {}", tick);
            let excess = excess_overlap(&space);
            prop_assert!(excess <= 0.0, "tick {}: overlaps by {:e}", tick, excess);
        }
    }

    #[test]
    fn a_row_in_a_narrow_channel_keeps_its_order(
        seed: u64, count in 2usize..24, log_speed in -2.0f32..5.0, scan_limit in 0usize..2, e in 0.0f32..=1.0, elastic: bool,
    ) {
        let mut dice = Dice(seed);
        let mut x = 0.0;
        let discs: Vec<DiscState> = (0..count)
            .map(|_| {
                x += 0.2 + powf(10.0, dice.range(-4.0, -0.5));
                DiscState { position: Vec2::new(x, 0.0), radius: 0.1, mass: powf(10.0, dice.range(-2.0, 2.0)), ..DiscState::default() }
            })
            .collect();
        let half_size = Vec2::new(0.5 * x + 0.2, 0.1001);
        let mut space = space(discs, &[(Terrain::Arena { half_size }, Vec2::new(0.5 * x, 0.0), 0.0)]);
        space.compute.scan_limit = ScanLimit(SEARCHES[scan_limit]);
        let settings = CollisionSettings { restitution: if elastic { 1.0 } else { e }, impact_budget: 10, ..continuous() };
        for tick in 0..4 {
            kick(&mut space, powf(10.0, log_speed), &mut dice);
            prop_assert_eq!(intrusions(&mut space, &settings), 0, "tick {}", tick);
            let passed = space.discs.position.windows(2).filter(|two| two[1].x <= two[0].x).count();
            prop_assert_eq!(passed, 0, "tick {}", tick);
            prop_assert!(excess_overlap(&space) <= 0.0, "tick {}", tick);
        }
    }
}

/// How many of these discs, each alone, are behind the terrain after a tick.
fn gone_through(
    discs: Vec<DiscState>,
    terrain: &[(Terrain, Vec2, f32)],
    time_step: f32,
    through: impl Fn(Vec2) -> bool,
) -> usize {
    let count = discs.len();
    (0..count)
        .filter(|&i| {
            let mut space = space([discs[i]], terrain);
            space.compute.scan_limit = ScanLimit(SEARCHES[i % 2]);
            run_tick(&mut space, &continuous(), time_step, |_| {});
            through(space.discs.position[0])
        })
        .count()
}

#[test]
fn a_seam_of_two_walls_lets_nothing_through() {
    // The ends of two collinear walls need not agree to the last digit.
    for (left, right) in [(1.0_f32, 1.0_f32), (1.0, 1.0 + 2e-7), (0.1, 0.1 + 6e-8), (1.0 + 3e-7, 1.0)] {
        let (a, b) = (Vec2::new(-3.0, 0.0), Vec2::new(4.0, 0.0));
        let walls = [
            (Terrain::Segment { a, b: Vec2::new(left, 0.0) }, Vec2::ZERO, 0.0),
            (Terrain::Segment { a: Vec2::new(right, 0.0), b }, Vec2::ZERO, 0.0),
        ];
        let mut discs = Vec::new();
        for step in -40..=40 {
            for speed in [3.0, 3e5] {
                let x = left + step as f32 * f32::EPSILON * 0.5;
                let position = Vec2::new(x, 2.0);
                discs.push(DiscState { position, velocity: Vec2::new(0.0, -speed), ..DiscState::default() });
            }
        }
        assert_eq!(gone_through(discs, &walls, 1.0, |p| p.y < 0.0), 0, "ends at {left} and {right}");
    }
}

#[test]
fn the_end_of_a_wall_and_its_corner_leave_no_sliver_between_them() {
    let mut dice = Dice(5);
    let mut missed = 0;
    for _ in 0..4000 {
        // The far end has other digits than the near one, so that the direction between them is rounded.
        let end = dice.vec(0.01);
        let far = dice.vec(1.5);
        let normal = (end - far).perp().normalize();
        let terrain = [(Terrain::Segment { a: far, b: end }, Vec2::ZERO, 0.0)];
        let position = end + normal * 1.5 + dice.vec(2e-7);
        let disc = DiscState { position, velocity: -normal * 3.0, radius: 1.0, ..DiscState::default() };
        missed += gone_through(vec![disc], &terrain, 1.0, |p| (p - end).dot(normal) < 0.0);
    }
    assert_eq!(missed, 0);
}

#[test]
fn two_discs_meet_just_where_geometry_says_at_any_speed_and_size() {
    let mut dice = Dice(9);
    let mut hits = 0;
    for trial in 0..6000 {
        let radius = powf(10.0, -dice.range(0.0, 3.0));
        let sum = 1.0 + radius;
        let (aim, speed) = (dice.range(-1.3, 1.3), powf(10.0, dice.range(0.5, 5.0)));
        // Too close to grazing for the rounding.
        if (aim.abs() - 1.0).abs() < 1e-5 {
            continue;
        }
        let large = DiscState { radius: 1.0, mass: 1e3, ..DiscState::default() };
        let from = Vec2::new(-2.5, aim * sum);
        let small =
            DiscState { position: from, velocity: Vec2::new(speed / TICK, 0.0), radius, ..DiscState::default() };
        let mut space = space([large, small], &[]);
        space.compute.scan_limit = ScanLimit(SEARCHES[trial % 2]);
        let ticks = (5.0 / speed).ceil() as usize;
        for _ in 0..ticks {
            run_tick(&mut space, &continuous(), TICK, |_| {});
        }
        assert_eq!(space.report.collisions, u64::from(aim.abs() < 1.0), "radius {radius}, aim {aim}, {speed} a tick");
        hits += space.report.collisions;
    }
    assert!(hits > 4000);
}

#[test]
fn a_disc_that_grazes_a_wall_at_any_angle_stays_on_its_side() {
    let mut dice = Dice(10);
    let mut hits = 0;
    for trial in 0..2000 {
        let normal = dice.vec(1.0).normalize_or(Vec2::Y);
        let along = normal.perp();
        let wall = Terrain::Segment { a: along * -40.0, b: along * 40.0 };
        let radius = powf(10.0, -dice.range(0.0, 3.0));
        let position = normal * radius * 1.01 + along * dice.range(-30.0, 30.0);
        let steepness = powf(10.0, -dice.range(0.0, 6.0));
        let speed = radius * powf(10.0, dice.range(0.0, 5.0)) / TICK;
        let velocity = (along * if trial % 3 == 0 { -1.0 } else { 1.0 } - normal * steepness) * speed;
        let terrain_restitution = [1.0, 0.5, 0.0][trial % 3];
        let mut space =
            space([DiscState { position, velocity, radius, ..DiscState::default() }], &[(wall, Vec2::ZERO, 0.0)]);
        let settings = CollisionSettings { terrain_restitution, ..continuous() };
        for _ in 0..30 {
            run_tick(&mut space, &settings, TICK, |_| {});
            let at = space.discs.position[0];
            if at.dot(along).abs() > 39.0 {
                break;
            }
            assert!(at.dot(normal) > 0.0 && excess_overlap(&space) <= 0.0, "trial {trial}: {at}");
        }
        hits += space.report.collisions;
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn a_disc_aimed_at_a_point_turns_straight_back() {
    let segment = |a: [f32; 2], b: [f32; 2]| Terrain::Segment { a: a.into(), b: b.into() };
    let spike = Terrain::Polygon { points: [[0.0, 0.0], [4.0, 1.0], [4.0, -1.0]].map(Vec2::from_array).to_vec() };
    let block = Terrain::Block { half_size: Vec2::splat(1.0) };
    let pieces = [
        ("the end of a segment", segment([0.0, 0.0], [4.0, 0.0]), Vec2::ZERO, 0.0),
        ("a spike", spike, Vec2::ZERO, 0.0),
        ("a point", Terrain::Circle { radius: 0.0 }, Vec2::ZERO, 0.0),
        ("a bumper", Terrain::Circle { radius: 1.0 }, Vec2::new(1.0, 0.0), 0.0),
        ("the corner of a block", block, Vec2::new(2.0_f32.sqrt(), 0.0), std::f32::consts::FRAC_PI_4),
    ];
    for (what, piece, at, angle) in pieces {
        for speed in [0.1, 10.0, 1e3, 1e5] {
            for radius in [1e-2, 0.5, 10.0] {
                let disc = DiscState {
                    position: Vec2::new(-2.0 * radius, 0.0),
                    velocity: Vec2::X * speed,
                    radius,
                    ..DiscState::default()
                };
                let mut space = space([disc], &[(piece.clone(), at, angle)]);
                run_tick(&mut space, &continuous(), 3.0 * radius / speed, |_| {});
                let (end, velocity) = (space.discs.position[0], space.discs.velocity[0]);
                assert!((velocity / speed + Vec2::X).length() < 1e-4, "{what}, radius {radius}: {velocity}");
                assert!((end.x / radius + 3.0).abs() < 1e-4, "{what}, radius {radius}: {end}");
                assert_eq!(space.report.collisions, 1, "{what}, radius {radius}");
            }
        }
    }
}

#[test]
fn the_corners_of_a_turned_polygon_are_closed() {
    let mut dice = Dice(11);
    for trial in 0..200 {
        let count = 3 + trial % 40;
        let corner = |i: usize| Vec2::from_angle(i as f32 * std::f32::consts::TAU / count as f32) * 2.0;
        let piece = Terrain::Polygon { points: (0..count).map(corner).collect() };
        let (middle, angle) = (dice.vec(5.0), dice.range(0.0, 6.0));
        let terrain = [(piece, middle, angle)];
        let inner = 2.0 * bevy::math::ops::cos(std::f32::consts::PI / count as f32);
        for i in 0..count {
            let away = Rotation(angle).turn(corner(i)) / 2.0;
            let speed = powf(10.0, dice.range(0.0, 4.0));
            let radius = powf(10.0, dice.range(-2.0, -0.5));
            for (from, direction) in [(3.0, -1.0), (0.0, 1.0)] {
                let position = middle + away * from + dice.vec(3e-7);
                let disc = DiscState { position, velocity: away * direction * speed, radius, ..DiscState::default() };
                let mut space = space([disc], &terrain);
                run_tick(&mut space, &continuous(), 2.9 / speed, |_| {});
                let distance = space.discs.position[0].distance(middle);
                let kept = if direction > 0.0 { distance < 2.0 } else { distance > inner };
                assert!(
                    kept && excess_overlap(&space) <= 0.0,
                    "{count} corners, number {i}: {distance} from the middle"
                );
            }
        }
    }
}
