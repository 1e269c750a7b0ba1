//! Dynamical billiards: the boundary of the region of the centre, the way between hits, Lyapunov exponents and the
//! boundary map.
//!
//! Ways between hits are exact (Santaló, Kac). Exponents come from an independent event-driven program in f64.

use std::{
    f32::consts::{FRAC_PI_2, PI as HALF_TURN},
    f64::consts::PI,
};

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, Periodic, PhysicsSpace, SolverMode, run_tick},
    laboratory::{
        Estimate, Laboratory, Measured, Reading,
        billiard::{Boundary, BoundaryMap, Component, TangentMap},
        quantity,
    },
    motion::gravity,
    prelude::*,
};

use crate::support;

const RADIUS: f32 = 0.05;

/// A table and how its discs begin.
struct Table {
    terrain: Vec<(Terrain, Vec2, f32)>,
    settings: CollisionSettings,
    gravity: Vec2,
    time_step: f32,
}

impl Table {
    fn new(terrain: Vec<(Terrain, Vec2, f32)>) -> Self {
        let settings = CollisionSettings { mode: SolverMode::Continuous, ..CollisionSettings::default() };
        Self { terrain, settings, gravity: Vec2::ZERO, time_step: 0.05 }
    }

    /// The space after one tick, in which nothing has moved far.
    fn space(&self, position: Vec2, velocity: Vec2) -> PhysicsSpace {
        let disc = DiscState { position, velocity, radius: RADIUS, mass: 1.0, ..DiscState::default() };
        let mut space = support::space([disc], &self.terrain);
        self.tick(&mut space);
        space
    }

    fn tick(&self, space: &mut PhysicsSpace) {
        run_tick(space, &self.settings, self.time_step, |space| {
            if self.gravity != Vec2::ZERO {
                gravity(space, self.gravity);
            }
        });
    }

    fn measure(&self, names: &[&str], space: &mut PhysicsSpace, seconds: f32) -> Vec<Measured> {
        let mut laboratory = Laboratory::default();
        laboratory.start(names.iter().map(|name| quantity(name).expect(name)));
        laboratory.observe(space);
        for _ in 0..(seconds / self.time_step) as u32 {
            self.tick(space);
            laboratory.observe(space);
        }
        laboratory.results()
    }
}

fn segment(a: (f32, f32), b: (f32, f32)) -> (Terrain, Vec2, f32) {
    (Terrain::Segment { a: a.into(), b: b.into() }, Vec2::ZERO, 0.0)
}

fn arena(half: f32) -> (Terrain, Vec2, f32) {
    (Terrain::Arena { half_size: Vec2::splat(half) }, Vec2::ZERO, 0.0)
}

fn arc(radius: f32, start: f32, extent: f32, x: f32) -> (Terrain, Vec2, f32) {
    (Terrain::Arc { radius, start, extent }, vec2(x, 0.0), 0.0)
}

/// For the centre, a unit square around a circle of 0.25 m.
fn sinai() -> Table {
    Table::new(vec![arena(0.5 + RADIUS), (Terrain::Circle { radius: 0.25 - RADIUS }, Vec2::ZERO, 0.0)])
}

/// For the centre, caps of 1 m and straight walls of this length.
fn stadium(straight: f32) -> Table {
    let (x, y) = (0.5 * straight, 1.0 + RADIUS);
    Table::new(vec![
        segment((-x, -y), (x, -y)),
        arc(y, -FRAC_PI_2, HALF_TURN, x),
        segment((x, y), (-x, y)),
        arc(y, FRAC_PI_2, HALF_TURN, -x),
    ])
}

fn circle() -> Table {
    Table::new(vec![arc(1.0 + RADIUS, 0.0, 2.0 * HALF_TURN, 0.0)])
}

const START: Vec2 = Vec2::new(-0.41, -0.17);
const VELOCITY: Vec2 = Vec2::new(0.8, 0.6);

fn boundary(table: &Table, at: Vec2) -> Boundary {
    Boundary::of(&table.space(at, Vec2::ZERO), 0).unwrap()
}

fn reading(measured: &Measured) -> &Reading {
    measured.outcome.as_ref().unwrap_or_else(|reason| panic!("{}: {reason}", measured.quantity.name))
}

/// Checks a value against a figure, within four standard errors and a share of the figure.
#[track_caller]
fn check(what: &str, estimate: Estimate, expected: f64, share: f64) {
    let error = estimate.error.unwrap_or_else(|| panic!("{what} has no error"));
    println!("{what}: {:.5} +- {error:.5}, expected {expected:.5}", estimate.value);
    assert!((estimate.value - expected).abs() < 4.0 * error + share * expected, "{what}: {estimate:?} not {expected}");
    // A large error would pass anything.
    assert!(error < 0.025 * expected, "{what}: an error of {error} is too large for a test");
}

#[test]
fn the_boundary_of_the_centre_has_the_area_and_length_of_the_table_less_the_radius() {
    let r = f64::from(RADIUS);
    // A square room with a wall in it, a bumper that touches the right wall, and a box.
    let room = Table::new(vec![
        arena(2.0),
        segment((0.0, 0.5), (1.0, 0.5)),
        (Terrain::Circle { radius: 0.55 }, vec2(2.0, 0.0), 0.0),
        (Terrain::Block { half_size: vec2(0.25, 0.25) }, vec2(-0.75, 0.75), 0.0),
    ]);
    // A circle of 0.6 m around a place r beyond the wall of the centre.
    let angle = (r / 0.6_f64).acos();
    let cap = 0.36 * (angle - angle.sin() * angle.cos());
    let side = 4.0 - 2.0 * r;
    let islands = (2.0 * r + PI * r * r) + (0.25 + 2.0 * r + PI * r * r);
    let room_length = 4.0 * side - 1.2 * angle.sin() + 1.2 * angle + 4.0 + 4.0 * PI * r;
    for (name, table, at, area, length, components) in [
        ("sinai", sinai(), START, 1.0 - PI / 16.0, 4.0 + PI / 2.0, 2),
        ("stadium", stadium(2.0), START, 4.0 + PI, 4.0 + 2.0 * PI, 1),
        ("circle", circle(), START, PI, 2.0 * PI, 1),
        ("room", room, vec2(-1.5, -1.5), side * side - islands - cap, room_length, 3),
    ] {
        let found = boundary(&table, at);
        // Walls have f32 coordinates.
        assert!((found.area() - area).abs() < 2e-6 * area, "{name}: {} not {area}", found.area());
        assert!((found.length() - length).abs() < 2e-6 * length, "{name}: {} not {length}", found.length());
        assert!((found.mean_chord() - PI * area / length).abs() < 1e-5, "{name}");
        assert_eq!(found.components().len(), components, "{name}");
        assert!(found.components()[0].is_outer() && !found.components()[1..].iter().any(Component::is_outer), "{name}");
        for (index, component) in found.components().iter().enumerate() {
            for step in 0..100 {
                let along = component.length() * (f64::from(step) + 0.37) / 100.0;
                let point = found.at(index, along);
                // A place a little inside belongs to the same point.
                let (closest, distance) = found.closest(point.place + 1e-4 * point.inward());
                assert_eq!(closest.component, index, "{name}");
                assert!((closest.along - along).abs() < 1e-3 && (distance - 1e-4).abs() < 2e-5, "{name}: {closest:?}");
            }
        }
    }
}

#[test]
fn straight_and_round_tables_are_known_and_open_ones_have_no_boundary() {
    let polygon = boundary(&Table::new(vec![arena(1.0)]), START);
    assert!(polygon.is_polygon() && !polygon.is_round());
    assert!(boundary(&circle(), START).is_round() && !boundary(&circle(), START).is_polygon());
    assert!(!boundary(&sinai(), START).is_polygon() && !boundary(&stadium(2.0), START).is_round());
    // A wall with a free end is round there, for the centre.
    let with_wall = Table::new(vec![arena(1.0), segment((0.2, 0.2), (0.5, 0.2))]);
    assert!(!boundary(&with_wall, START).is_polygon());
    let space = Table::new(vec![segment((-1.0, 0.0), (1.0, 0.0))]).space(vec2(0.0, 1.0), Vec2::ZERO);
    assert!(Boundary::of(&space, 0).unwrap_err().contains("can leave"));
    let outside = sinai().space(vec2(3.0, 0.0), Vec2::ZERO);
    assert!(Boundary::of(&outside, 0).unwrap_err().contains("can leave"));
}

#[test]
fn the_way_between_hits_is_pi_times_area_by_length_and_that_of_a_bumper_follows_from_its_length() {
    let table = sinai();
    let mut space = table.space(START, VELOCITY);
    let results = table.measure(&["chord", "lyapunov", "lyapunov-by-time", "lyapunov-by-hits"], &mut space, 30_000.0);
    let [chord, metre, second, hit] = [0, 1, 2, 3].map(|index| reading(&results[index]));
    check("chord", chord.value, 0.4532, 0.0);
    check("way between hits of the bumper", chord.curve[1].estimate, 1.6073, 0.0);
    assert!((chord.value.theory.unwrap() - 0.4532).abs() < 1e-4);
    assert!((chord.curve[1].estimate.theory.unwrap() - 1.6073).abs() < 1e-4);
    check("exponent per metre", metre.value, 1.718, 0.0);
    // The speed is 1 m/s.
    check("exponent per second", second.value, metre.value.value, 1e-4);
    check("exponent per hit", hit.value, metre.value.value * chord.value.value, 1e-4);
    assert_eq!(metre.value.theory, None);
}

#[test]
fn a_stadium_is_chaotic() {
    for (straight, exponent) in [(2.0, 0.430), (1.0, 0.461)] {
        let table = stadium(straight);
        let mut space = table.space(START, VELOCITY);
        let results = table.measure(&["lyapunov", "chord"], &mut space, 60_000.0);
        // The figures have three digits.
        check("exponent", reading(&results[0]).value, exponent, 2e-3);
        let length = 2.0 * f64::from(straight) + 2.0 * PI;
        let area = 2.0 * f64::from(straight) + PI;
        check("chord", reading(&results[1]).value, PI * area / length, 0.0);
    }
}

#[test]
fn round_and_straight_tables_have_no_exponent_and_the_round_one_keeps_the_angular_momentum() {
    for table in [circle(), Table::new(vec![arena(1.0)])] {
        let mut space = table.space(START, VELOCITY);
        let momentum = |space: &PhysicsSpace| space.discs.position[0].perp_dot(space.discs.velocity[0]);
        let before = momentum(&space);
        let results = table.measure(&["lyapunov"], &mut space, 2000.0);
        let Reading { value, notes, .. } = reading(&results[0]);
        assert_eq!(value.theory, Some(0.0));
        assert_eq!(notes.len(), 1, "{notes:?}");
        // Distances grow in proportion to the path, here up to thousands of times.
        assert!(value.value > 0.0 && value.value < 15_f64 / 2000.0, "{value:?}");
        if Boundary::of(&space, 0).unwrap().is_round() {
            assert!((momentum(&space) - before).abs() < 1e-4, "{before} became {}", momentum(&space));
        }
    }
}

#[test]
fn a_gravity_wedge_of_a_right_angle_has_no_chaos_and_a_wider_one_has() {
    for (degrees, exponent) in [(45.0_f32, 0.0), (60.0, 0.61)] {
        let (sin, cos) = bevy::math::ops::sin_cos(degrees.to_radians());
        let arm = |side: f32| segment((0.0, 0.0), (side * 40.0 * sin, 40.0 * cos));
        let table = Table { gravity: vec2(0.0, -1.0), time_step: 0.02, ..Table::new(vec![arm(-1.0), arm(1.0)]) };
        let mut space = table.space(vec2(0.13, 1.2), vec2(0.21, 0.1));
        let results = table.measure(&["lyapunov-by-hits"], &mut space, 4000.0);
        let value = reading(&results[0]).value;
        println!("{degrees}: {value:?}");
        // The figure is a mean over several starts.
        assert!((value.value - exponent).abs() < 0.06, "{degrees} degrees: {value:?}");
    }
}

#[test]
fn the_tangent_map_agrees_with_a_shadow_disc() {
    const GAP: f64 = 1e-4;
    let table = sinai();
    let disc = |position| DiscState { position, velocity: VELOCITY, radius: RADIUS, mass: 1.0, ..DiscState::default() };
    let mut spaces =
        [START, START + vec2(-6e-5, 8e-5)].map(|position| support::space([disc(position)], &table.terrain));
    let state = |space: &PhysicsSpace| [space.discs.position[0], space.discs.velocity[0]].map(Vec2::as_dvec2);
    let mut tangent = TangentMap::start(VELOCITY.as_dvec2(), bevy::math::DVec2::ZERO, 1.0).unwrap();
    let (mut by_shadow, mut by_tangent) = (0.0, 0.0);
    for _ in 0..40_000 {
        for space in &mut spaces {
            table.tick(space);
        }
        let mut now = 0.0;
        for hit in &spaces[0].report.hits {
            tangent.fly(f64::from(hit.time) - now);
            tangent.follow(&spaces[0], hit);
            now = f64::from(hit.time);
        }
        tangent.fly(f64::from(table.time_step) - now);
        by_tangent += tangent.renormalise();
        let [[at, velocity], [shadow, shadow_velocity]] = [state(&spaces[0]), state(&spaces[1])];
        let (gap, turn) = (shadow - at, shadow_velocity - velocity);
        let size = (gap.length_squared() + turn.length_squared()).sqrt();
        // Between the hits of the two on one bumper, their velocities differ for a moment.
        if (5.0 * GAP..0.05).contains(&size) {
            by_shadow += (size / GAP).ln();
            spaces[1].discs.position[0] = (at + gap * (GAP / size)).as_vec2();
            let direction = velocity + turn * (GAP / size);
            spaces[1].discs.velocity[0] = (direction / direction.length() * velocity.length()).as_vec2();
        }
    }
    println!("{by_shadow} and {by_tangent}");
    // The shadow is not infinitely near, and passes the bumper on the other side now and then.
    assert!((by_shadow / by_tangent - 1.0).abs() < 0.05, "{by_shadow} by the shadow, {by_tangent} by the tangent map");
}

#[test]
fn discs_that_collide_and_hits_that_lose_energy_are_no_billiards() {
    let outcome =
        |table: &Table, space: &mut PhysicsSpace| table.measure(&["lyapunov"], space, 20.0)[0].outcome.clone();
    let table = Table::new(vec![arena(0.3)]);
    let disc = |x, vx| DiscState {
        position: vec2(x, 0.0),
        velocity: vec2(vx, 0.1),
        radius: RADIUS,
        mass: 1.0,
        ..DiscState::default()
    };
    let mut two = support::space([disc(-0.1, 0.5), disc(0.1, -0.7)], &table.terrain);
    table.tick(&mut two);
    assert!(outcome(&table, &mut two).unwrap_err().contains("hit each other"));
    let mut lossy = Table::new(vec![arena(0.3)]);
    lossy.settings.terrain_restitution = 0.9;
    let mut space = lossy.space(Vec2::ZERO, VELOCITY);
    assert!(outcome(&lossy, &mut space).unwrap_err().contains("terrain_restitution"));
    let mut resting = table.space(Vec2::ZERO, Vec2::ZERO);
    assert!(outcome(&table, &mut resting).unwrap_err().contains("at rest"));
}

/// Runs a table with a boundary map.
fn mapped(table: &Table, space: &mut PhysicsSpace, ticks: usize) -> BoundaryMap {
    let mut map = BoundaryMap::default();
    map.switch(true);
    for _ in 0..ticks {
        table.tick(space);
        map.observe(space);
    }
    map
}

#[test]
fn the_map_of_a_circle_is_a_line_and_that_of_sinai_fills_the_square() {
    let table = circle();
    let map = mapped(&table, &mut table.space(START, VELOCITY), 4000);
    let cosines: Vec<f32> = map.points().map(|point| point.cosine).collect();
    assert!(cosines.len() > 50, "{}", cosines.len());
    // The angular momentum of a path at a distance of 1 m: the same at each hit.
    let momentum = START.perp_dot(VELOCITY);
    for cosine in &cosines {
        assert!((cosine - momentum).abs() < 1e-4, "{cosine} instead of {momentum}");
    }
    assert!(map.coverage(20) <= 0.05, "one row of 20: {}", map.coverage(20));
    let table = sinai();
    let map = mapped(&table, &mut table.space(START, VELOCITY), 100_000);
    assert!(map.points().len() > 10_000);
    assert!(map.points().any(|point| point.component == 1) && map.points().all(|point| point.component < 2));
    // Some corners are rarely visited: nearly grazing hits.
    assert!(map.coverage(20) > 0.95, "{}", map.coverage(20));
    assert_eq!(map.starts().len(), 1);
}

#[test]
fn a_disc_started_from_a_point_of_the_map_has_its_next_hit_where_the_path_had_it() {
    let table = stadium(2.0);
    let mut space = table.space(START, VELOCITY);
    let map = mapped(&table, &mut space, 400);
    let points: Vec<_> = map.points().copied().collect();
    for pair in points.windows(2).step_by(5) {
        let [from, to] = [pair[0], pair[1]];
        let [position, velocity] = map.start_at(from.along.into(), from.cosine.into(), 1.0).unwrap();
        assert!((velocity.length() - 1.0).abs() < 1e-6);
        let again = mapped(&table, &mut table.space(position, velocity), 100);
        let length = boundary(&table, START).length() as f32;
        // Rounding may report a hit at the start itself.
        let near = |point: &&carom::laboratory::billiard::MapPoint| {
            let apart = (point.along - to.along).abs();
            apart.min(length - apart) < 1e-3 && (point.cosine - to.cosine).abs() < 1e-3
        };
        assert!(again.points().take(2).any(|point| near(&point)), "{from:?} to {to:?}: {:?}", again.points().next());
    }
}

#[test]
fn the_map_keeps_the_latest_points_and_follows_a_run_that_goes_back() {
    let table = Table { time_step: 1.0, ..circle() };
    let mut space = table.space(START, 30.0 * VELOCITY);
    let mut map = mapped(&table, &mut space, 10);
    let (count, earlier) = (map.points().len(), space.clone());
    for _ in 0..10 {
        table.tick(&mut space);
        map.observe(&space);
    }
    assert!(map.points().len() > count + 50);
    // Back to the tick after the first ten, and on from there.
    let mut space = earlier;
    table.tick(&mut space);
    map.observe(&space);
    let now: Vec<u64> = map.points().map(|point| point.tick).collect();
    assert!(now.is_sorted() && now.len() < count + 40, "{} points", now.len());
    map.begin_start(0);
    table.tick(&mut space);
    map.observe(&space);
    assert_eq!(map.points().last().map(|point| point.start), Some(1));
    map.clear();
    assert_eq!((map.points().len(), map.starts().len()), (0, 0));
}

#[test]
fn on_a_torus_the_boundary_is_that_of_the_bumpers() {
    // A lattice of bumpers of 1 m for the centre, gap 0.3 m, in a cell of two.
    let (gap, root) = (0.3_f32, 3_f32.sqrt());
    let (width, height) = (2.0 + gap, root * (2.0 + gap));
    let bumper = |x: f32, y: f32| (Terrain::Circle { radius: 1.0 - RADIUS }, vec2(x, y), 0.0);
    let mut table = Table::new(vec![]);
    table.settings.periodic = Periodic { x: Some((-0.5 * width, 0.5 * width)), y: Some((-0.5 * height, 0.5 * height)) };
    let (at, velocity) = (vec2(0.5 * width - 0.01, 0.01), vec2(0.0, 1.0));
    let disc = DiscState { position: at, velocity, radius: RADIUS, mass: 1.0, ..DiscState::default() };
    let mut space = PhysicsSpace::default();
    space.laws.settings = table.settings.clone();
    space.discs.push(disc);
    for (piece, position, _) in [bumper(0.0, 0.0), bumper(0.5 * width, 0.5 * height)] {
        space.add_terrain(Entity::PLACEHOLDER, &piece, Position(position), Rotation(0.0), None);
    }
    space.finish_terrain();
    table.tick(&mut space);
    let found = Boundary::of(&space, 0).unwrap();
    let area = f64::from(width) * f64::from(height) - 2.0 * PI;
    assert_eq!(found.components().len(), 2, "images count once");
    assert!((found.area() - area).abs() < 1e-5 && (found.length() - 4.0 * PI).abs() < 1e-5, "{}", found.area());
    let results = table.measure(&["chord"], &mut space, 3000.0);
    check("chord", reading(&results[0]).value, PI * area / (4.0 * PI), 0.0);
}
