//! Balls in the air at the cushions of shipped tables: noses that they climb or clear, tops of rails, pockets flown
//! over, and balls that leave the table. The cases have the numbers of `docs/src/flight.md`.

use bevy::{
    math::{DVec2, DVec3},
    prelude::*,
};
use carom::{
    billiards::{
        cue::{Cue, CueStrike, strike_on},
        tables::{BuiltTable, Cushion, Jaw, Part, ShippedTable, TableSpec, build},
    },
    collision::{
        DiscHeight, DiscState, PhysicsSpace,
        path::table_events::{TableEvent, TableEventKind},
        spin::{
            Body, Motion, Spin, TablePhysics,
            cushion::{CushionModel, nose_distance},
        },
    },
    prelude::{Position, Rotation},
};

use crate::support::*;

/// Gravity of the cloth, m/s².
const G: f64 = 9.81;

/// A shipped table, as built and as a space without balls.
struct Table {
    spec: TableSpec,
    built: BuiltTable,
    physics: TablePhysics,
    space: PhysicsSpace,
}

impl Table {
    fn named(name: &str) -> Self {
        Self::with(name, |_| true)
    }

    /// A shipped table with some of its parts.
    fn with(name: &str, has: impl Fn(Part) -> bool) -> Self {
        let spec = ShippedTable::named(name).unwrap().spec().unwrap();
        let built = build(&spec).unwrap();
        let mut space = PhysicsSpace::default();
        for piece in built.pieces.iter().filter(|piece| has(piece.part)) {
            let place = Position(piece.position);
            space.add_terrain(Entity::PLACEHOLDER, &piece.terrain, place, Rotation(0.0), piece.restitution);
        }
        space.finish_terrain();
        for hole in &built.holes {
            space.add_pocket(Entity::PLACEHOLDER, hole.centre.as_vec2(), hole.radius as f32);
        }
        space.report.record_events = true;
        Self { physics: spec.flying_physics(), spec, built, space }
    }

    fn radius(&self) -> f64 {
        f64::from(self.spec.ball.radius as f32)
    }

    /// The motion of a ball after a stroke.
    fn struck(&self, stroke: &CueStrike) -> Motion {
        let ball = &self.spec.ball;
        let body = Body { mass: f64::from(ball.mass as f32), radius: self.radius(), shape: ball.shape };
        strike_on(&self.physics, &Cue::default(), &body, stroke).unwrap()
    }

    /// Adds a ball at a place and a height, metres.
    fn add(&mut self, place: DVec2, height: f64, motion: Motion) -> usize {
        let (i, ball) = (self.space.discs.len(), &self.spec.ball);
        let angular_velocity = motion.angular_velocity.as_vec3();
        self.space.discs.push(DiscState {
            id: i as u64,
            position: place.as_vec2(),
            velocity: motion.velocity.as_vec2(),
            radius: ball.radius as f32,
            mass: ball.mass as f32,
            spin: Some(Spin { angular_velocity, shape: ball.shape }),
            ..DiscState::default()
        });
        if height != 0.0 || motion.vertical != 0.0 {
            let (height, speed) = (height as f32, motion.vertical as f32);
            self.space.discs.heights.push(DiscHeight { disc: i as u32, height, speed });
        }
        i
    }

    fn height(&self, i: usize) -> f64 {
        self.space.discs.height_of(i).map_or(0.0, |above| f64::from(above.height))
    }

    /// Kinetic and potential energy of all balls in play, joules.
    fn energy(&self) -> f64 {
        let discs = &self.space.discs;
        let weight = |above: &DiscHeight| f64::from(discs.mass[above.disc as usize]) * G * f64::from(above.height);
        energy(&self.space) + discs.heights.iter().map(weight).sum::<f64>()
    }

    fn tick(&mut self, rate: f32) {
        tick(&mut self.space, &continuous(self.spec.ball.restitution as f32), &self.physics, rate);
    }

    /// Runs until nothing moves, and returns all events. Checks each tick on the way.
    fn play(&mut self, rate: f32, name: &str) -> Vec<TableEvent> {
        let mut events = Vec::new();
        let mut before = self.energy();
        for tick_number in 0..(120.0 * rate) as u32 {
            self.tick(rate);
            let after = self.energy();
            assert!(after <= before * (1.0 + 1e-6) + 1e-9, "{name}, tick {tick_number}: {before} J to {after} J");
            before = after;
            events.extend(self.space.report.events.iter().copied());
            self.check_places(rate, &format!("{name}, tick {tick_number}"));
            if !self.space.any_moves() {
                return events;
            }
        }
        panic!("{name} does not end: {before} J, {:?}, {:?}", self.space.discs.position, self.space.discs.heights);
    }

    /// Whether a cushion or a rail is below a place, by the drawn outlines. The tips of jaws are whole circles.
    fn is_over_rail(&self, place: DVec2) -> bool {
        let in_tip = |jaw: &Jaw| place.distance(jaw.centre) < jaw.radius;
        let is_over =
            |cushion: &Cushion| is_inside(&cushion.outline, place) || cushion.jaws.iter().flatten().any(in_tip);
        !is_inside(&self.built.bed, place) || self.built.cushions.iter().any(is_over)
    }

    /// Whether neither is below a place or near it, up to the overhang of the noses and the tolerance of the outlines.
    fn is_over_bed(&self, place: DVec2) -> bool {
        let margin = self.physics.rails.unwrap().for_ball(self.radius()).overhang + 1e-3;
        (0..16).all(|k| {
            let at = place + DVec2::from_angle(f64::from(k) / 16.0 * core::f64::consts::TAU) * margin;
            !self.is_over_rail(at)
        })
    }

    /// No ball is inside another, on air, under a rail, or beyond the outer edge.
    fn check_places(&self, rate: f32, name: &str) {
        let (discs, radius) = (&self.space.discs, self.radius());
        // A ball that lies on another sinks in by what it falls in a tick. A graze that the chord misses is flatter.
        let graze = G / f64::from(rate * rate) + 2e-6;
        let rails = self.physics.rails.unwrap().for_ball(radius);
        for i in 0..discs.len() {
            let place = discs.position[i].as_dvec2();
            if place.is_nan() {
                continue;
            }
            let height = self.height(i);
            assert!(place.abs().cmple(rails.outer + 1e-5).all(), "{name}: ball {i} is at {place}");
            let half = DVec2::new(self.spec.length, self.spec.width) * 0.5;
            let outside = (place.abs() - half).max_element();
            let in_hole = |reach: f64| {
                self.built
                    .holes
                    .iter()
                    .any(|hole| place.distance(hole.centre) < hole.radius.max(hole.liner_radius) + reach)
            };
            // On the cloth it stays a radius from the noses, away from pockets; below their height it is not behind
            // them.
            if height < rails.height - 1e-5 && !in_hole(3.0 * radius) {
                assert!(outside < 0.0, "{name}: ball {i} is at {place}, {height} m high");
            }
            // On the top of a rail it is not over the bed or a pocket.
            if self
                .space
                .discs
                .height_of(i)
                .is_some_and(|above| above.height == rails.height as f32 && above.speed == 0.0)
            {
                assert!(!self.is_over_bed(place), "{name}: ball {i} lies on air at {place}");
            }
            for j in 0..i {
                let line = discs.position[j].as_dvec2() - place;
                let distance = (line.length_squared() + (self.height(j) - height).powi(2)).sqrt();
                assert!(!(distance < 2.0 * radius - graze), "{name}: balls {j} and {i} are {distance} m apart");
            }
        }
    }
}

/// A motion in the frame of the cases: x towards the right cushion.
fn towards(speed: f64, spin: f64, vertical: f64, radius: f64) -> Motion {
    Motion { velocity: DVec2::new(speed, 0.0), angular_velocity: DVec3::new(0.0, spin / radius, 0.0), vertical }
}

#[test]
fn f36_to_f41_a_nose_lifts_a_ball_by_its_height() {
    // Height of the lowest point in radii; v_x', v_z' without spin; v_x', v_z', R w_y' rolling.
    type After = (f64, [f64; 2], [f64; 3]);
    let cases: [After; 5] = [
        (0.27, [-1.7, 0.0], [-1.7, 0.571429, 0.571429]),
        (0.5, [-1.534499, 0.700280], [-1.403070, 1.256389, 0.9]),
        (0.75, [-0.979177, 1.317407], [-0.704891, 1.818703, 1.257143]),
        (1.0, [-0.032784, 1.560896], [0.384359, 1.951437, 1.614286]),
        (1.1, [0.506352, 1.482677], [0.929559, 1.767074, 1.757143]),
    ];
    for (height, no_spin, rolling) in cases {
        for (spin, expected) in [(0.0, &no_spin[..]), (2.0, &rolling[..])] {
            let mut table = Table::named("pool-9ft");
            let radius = table.radius();
            let nose = 1.27 * radius;
            let distance = nose_distance(nose, radius, height * radius).unwrap() + 1e-5;
            let place = DVec2::new(0.5 * table.spec.length - distance, 0.3);
            table.add(place, height * radius, towards(2.0, spin, 0.0, radius));
            table.tick(240.0);
            let hit = table.space.report.events[0];
            assert!(matches!(hit.kind, TableEventKind::Hit(_)), "{height}: {hit:?}");
            near(hit.after.velocity.x, expected[0], 3e-4);
            near(hit.after.vertical, expected[1], 3e-4);
            if let Some(spin) = expected.get(2) {
                near(hit.after.angular_velocity.y * radius, *spin, 3e-4);
            }
        }
    }
}

#[test]
fn a_ball_that_clears_a_nose_rolls_on_the_rail_and_leaves_the_table() {
    for rate in [60.0, 240.0, 7.0] {
        // Fast: over the rail. Slow: it lands on the rail, and rests there or rolls over its outer edge.
        for (speed, height) in [(3.0, 0.06), (0.6, 0.05), (1.5, 0.038)] {
            let mut table = Table::named("pool-9ft");
            let radius = table.radius();
            table.add(DVec2::new(0.5 * table.spec.length - 0.03, 0.3), height, towards(speed, 0.0, 0.3, radius));
            let events = table.play(rate, &format!("{speed} m/s at {rate} Hz"));
            let last = events.last().unwrap();
            assert_eq!(last.kind, TableEventKind::LeavesTable, "{events:?}");
            assert!(!table.space.any_moves() && table.space.discs.position[0].is_nan());
            let rail = f64::from(table.spec.nose_height as f32);
            assert!(last.height >= rail - 1e-7, "{}", last.height);
        }
    }
}

#[test]
fn a_ball_that_rises_over_a_nose_and_sinks_within_a_tick_lands_on_the_rail() {
    for name in ["pool-9ft", "snooker-12ft", "carom-10ft"] {
        for rate in [60.0, 120.0, 240.0] {
            let mut table = Table::named(name);
            let rails = table.physics.rails.unwrap().for_ball(table.radius());
            // It clears the nose by 10 µm at its highest point, at a third of the tick.
            let (speed, vertical) = (3.0, G / (3.0 * rate));
            let height = rails.height + 1e-5 - 0.5 * vertical * vertical / G;
            let motion = towards(speed, 0.0, vertical, table.radius());
            table.add(DVec2::new(rails.inner.x - speed * vertical / G, 0.3), height, motion);
            table.tick(rate as f32);
            let events = &table.space.report.events;
            let [landing] = &events[..] else { panic!("{name} at {rate} Hz: {events:?}") };
            assert!(landing.kind == TableEventKind::Lands && (landing.height - rails.height).abs() < 1e-12);
            table.play(rate as f32, &format!("{name} at {rate} Hz"));
        }
    }
}

#[test]
fn with_every_model_of_the_cushion_a_ball_that_falls_on_a_nose_comes_down() {
    for (model, word) in CushionModel::ALL {
        for (across, elevation) in [(0.606_425, 45.0_f64), (0.62, 60.0), (0.5, 30.0)] {
            let mut table = Table::named("pool-9ft");
            table.physics.cushion.model = model;
            let elevation = elevation.to_radians();
            let stroke = CueStrike { speed: 4.0, direction: DVec2::X, elevation, ..CueStrike::default() };
            let struck = table.struck(&stroke);
            table.add(DVec2::new(0.0, across), 0.0, struck);
            table.play(120.0, &format!("{word}, {across} m, {elevation} rad"));
            assert_eq!(table.space.report.stopped, 0, "{word}, {across} m");
        }
    }
}

#[test]
fn a_ball_rests_on_a_rail_only_if_it_lies_still_and_then_it_is_off_the_table() {
    let mut table = Table::named("snooker-12ft");
    let rail = f64::from(table.spec.nose_height as f32);
    let place = DVec2::new(0.5 * table.spec.length + 0.07, 0.4);
    table.add(place, rail + 0.004, Motion::default());
    let events = table.play(120.0, "dropped on a rail");
    let [landing, .., last] = &events[..] else { panic!("{events:?}") };
    assert!(landing.kind == TableEventKind::Lands && (landing.height - rail).abs() < 1e-12);
    near(landing.before.vertical, -(2.0 * G * 0.004_f64).sqrt(), 1e-5);
    assert_eq!(last.kind, TableEventKind::LeavesTable);
    assert!(last.position.distance(place) < 1e-6, "{}", last.position);
}

#[test]
fn a_ball_that_comes_back_from_a_rail_is_on_the_table() {
    for rate in [60.0, 120.0, 240.0] {
        for speed in [0.02, 0.1, 0.4, 0.6, 2.0] {
            let mut table = Table::named("pool-9ft");
            let radius = table.radius();
            let rail = f64::from(table.spec.nose_height as f32);
            table.add(DVec2::new(0.5 * table.spec.length - 0.0009, 0.3), rail, towards(-speed, -speed, 0.0, radius));
            let events = table.play(rate, &format!("back at {speed} m/s, {rate} Hz"));
            let landing = events.iter().find(|event| event.kind == TableEventKind::Lands).unwrap();
            // It lands clear of the nose.
            let inside = 0.5 * table.spec.length - landing.position.x;
            assert!(landing.height == 0.0 && inside > radius, "{speed}: lands {inside} m inside");
            assert!(events.iter().all(|event| event.kind != TableEventKind::LeavesTable));
            assert!(table.height(0) == 0.0 && table.space.discs.position[0].is_finite());
        }
    }
}

#[test]
fn a_ball_over_a_pocket_drops_below_the_rails_and_is_potted() {
    for name in ["pool-9ft", "snooker-12ft"] {
        for hole in 0..6 {
            let mut table = Table::named(name);
            let at = table.built.holes[hole].centre;
            table.add(at, 0.1, Motion::default());
            let events = table.play(120.0, name);
            assert!(matches!(events.last().unwrap().kind, TableEventKind::Potted(_)), "{name} {hole}: {events:?}");
        }
    }
}

#[test]
fn a_ball_above_a_pocket_lands_on_a_rail_only_where_there_is_one() {
    for (name, hole, has_overhang) in [
        ("pool-9ft", 1, true),
        ("pool-9ft", 2, true),
        ("pool-8ft", 2, false),
        ("snooker-12ft", 1, true),
        ("snooker-12ft", 2, true),
    ] {
        let laid_out = || {
            let mut table = Table::named(name);
            if !has_overhang {
                table.physics.rails.as_mut().unwrap().nose_height = table.radius() as f32;
            }
            table
        };
        let table = laid_out();
        let (mouth, rail) =
            (table.built.holes[hole].mouth, table.physics.rails.unwrap().for_ball(table.radius()).height);
        let mut found = [0; 2];
        for k in 0..400 {
            let mut table = laid_out();
            let at = mouth + 0.01 * DVec2::new(f64::from(k % 20) - 9.7, f64::from(k / 20) - 9.6);
            let (open, solid) = (table.is_over_bed(at), table.is_over_rail(at));
            let outside = at.abs() - 0.5 * DVec2::new(table.spec.length, table.spec.width);
            if outside.max_element() > f64::from(table.spec.rail_width as f32) || open == solid {
                continue;
            }
            table.add(at, 0.1, Motion::default());
            let events = table.play(120.0, &format!("{name}, dropped at {at}"));
            let first = events.first().unwrap();
            let on_rail = first.kind == TableEventKind::Lands && (first.height - rail).abs() < 1e-9;
            assert_eq!(on_rail, solid, "{name}, {at}: {first:?}");
            found[usize::from(solid)] += 1;
        }
        assert!(found.into_iter().all(|count| count > 60), "{name} {hole}: {found:?}");
    }
}

#[test]
fn a_pocket_without_jaws_and_liner_opens_the_rail_at_its_hole_and_in_front_of_it() {
    for (place, is_rail) in [
        (DVec2::new(0.0, 0.69), false),
        (DVec2::new(0.03, 0.639), false),
        (DVec2::new(0.1, 0.66), true),
        (DVec2::new(0.15, 0.70), true),
        (DVec2::new(0.0, 0.79), true),
    ] {
        let mut table = Table::with("pool-9ft", |part| part == Part::Nose);
        table.add(place, 0.1, Motion::default());
        let events = table.play(120.0, &format!("dropped at {place}"));
        let first = events.first().unwrap();
        let rail = f64::from(table.spec.nose_height as f32);
        let on_rail = first.kind == TableEventKind::Lands && (first.height - rail).abs() < 1e-9;
        assert_eq!(on_rail, is_rail, "{place}: {first:?}");
    }
}

#[test]
fn a_ball_that_rolls_from_a_rail_onto_the_bed_or_into_a_mouth_does_not_stick_at_the_edge() {
    let tables = ["pool-9ft", "pool-8ft", "pool-7ft", "snooker-12ft"];
    let holes = tables.into_iter().flat_map(|name| [(name, 1), (name, 2)]);
    // Straight over the tip of a jaw, where rounding puts it in front of the nose.
    for (name, hole) in holes.clone() {
        let table = Table::named(name);
        let jaws: Vec<Jaw> = table.built.cushions.iter().filter_map(|cushion| cushion.jaws).flatten().collect();
        for jaw in jaws.iter().filter(|jaw| jaw.pocket == hole) {
            let inward = jaw.nose_tangent - jaw.centre;
            let is_end = inward.x.abs() > inward.y.abs();
            let axis = if is_end { DVec2::X } else { DVec2::Y };
            let inward = axis * inward.dot(axis).signum();
            for sideways in [-4e-5, -1e-5, 0.0, 1e-5, 4e-5] {
                for speed in [0.2, 0.7, 2.0] {
                    let mut table = Table::named(name);
                    let at = jaw.nose_tangent - inward * 0.05 + inward.perp() * sideways;
                    let (velocity, rail) = (inward * speed, f64::from(table.spec.nose_height as f32));
                    let angular_velocity = DVec3::new(-velocity.y, velocity.x, 0.0) / table.radius();
                    table.add(at, rail, Motion { velocity, angular_velocity, ..Motion::default() });
                    let events = table.play(240.0, &format!("{name}, from {at} at {speed} m/s"));
                    assert!(
                        events.iter().all(|event| event.kind != TableEventKind::LeavesTable),
                        "{name}, {at}: {events:?}"
                    );
                    assert_eq!(table.space.report.stopped, 0, "{name}, from {at} at {speed} m/s");
                }
            }
        }
    }
    for (name, hole) in holes {
        for k in 0..32 {
            for (speed, rate) in [(0.05, 60.0), (0.3, 240.0), (1.0, 120.0), (1.5, 60.0)] {
                let mut table = Table::named(name);
                let (middle, room) = (table.built.holes[hole].middle, table.built.holes[hole].liner_radius);
                let (rail, radius) = (f64::from(table.spec.nose_height as f32), table.radius());
                let inward = -DVec2::from_angle(f64::from(k) / 32.0 * core::f64::consts::TAU);
                let at = middle - inward * (room + 0.012);
                if !table.is_over_rail(at) {
                    continue;
                }
                let velocity = inward * speed;
                let angular_velocity = DVec3::new(-velocity.y, velocity.x, 0.0) / radius;
                table.add(at, rail, Motion { velocity, angular_velocity, ..Motion::default() });
                let events = table.play(rate, &format!("{name}, from {at} at {speed} m/s, {rate} Hz"));
                let end = events.iter().find(|event| event.kind == TableEventKind::LeavesTable);
                // A slow one may stop before the edge, and a fast one fly over the mouth.
                assert!(end.is_none() || !(0.1..1.2).contains(&speed), "{name}, from {at} at {speed} m/s: {events:?}");
                assert_eq!(table.space.report.stopped, 0, "{name}, from {at} at {speed} m/s");
            }
        }
    }
}

#[test]
fn f46_and_f47_a_low_ball_flies_into_a_pocket_and_a_fast_one_meets_the_liner() {
    // Over the middle of the corner, towards its pocket: both drop, the fast one by its liner.
    for speed in [1.0, 3.0, 6.0] {
        let mut table = Table::named("pool-9ft");
        let mouth = table.built.holes[2].mouth;
        let to_hole = (table.built.holes[2].centre - mouth).normalize();
        let motion = Motion { velocity: to_hole * speed, ..Motion::default() };
        table.add(mouth - to_hole * 0.05, 0.012, motion);
        let events = table.play(240.0, "into the corner");
        assert!(matches!(events.last().unwrap().kind, TableEventKind::Potted(_)), "{speed}: {events:?}");
    }
}

/// Whether a place is inside a polygon.
fn is_inside(outline: &[Vec2], place: DVec2) -> bool {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = sides.filter(|(a, b)| {
        let (a, b) = (a.as_dvec2() - place, b.as_dvec2() - place);
        (a.y > 0.0) != (b.y > 0.0) && (a.perp_dot(b) > 0.0) == (b.y > a.y)
    });
    crossed.count() % 2 == 1
}

/// A random number from 0 to 1.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// The kinds of events of a random elevated stroke into a crowd.
fn judge(seed: u64) -> Vec<TableEventKind> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let name = ["pool-9ft", "snooker-12ft", "carom-10ft"][(seed % 3) as usize];
    let mut table = Table::named(name);
    let (model, word) = CushionModel::ALL[(seed / 9 % 5) as usize];
    table.physics.cushion.model = model;
    let half = DVec2::new(table.spec.length, table.spec.width) * 0.5 - table.radius();
    let mut places: Vec<DVec2> = Vec::new();
    let in_hole =
        |built: &BuiltTable, at: DVec2| built.holes.iter().any(|hole| at.distance(hole.centre) < hole.radius + 0.05);
    for _ in 0..=(seed % 9) {
        let at = DVec2::new(2.0 * random(&mut state) - 1.0, 2.0 * random(&mut state) - 1.0) * half;
        let is_free = places.iter().all(|other| other.distance(at) > 2.001 * table.radius());
        if is_free && !in_hole(&table.built, at) {
            places.push(at);
        }
    }
    let stroke = CueStrike {
        speed: 0.2 + 9.0 * random(&mut state),
        direction: DVec2::from_angle(random(&mut state) * core::f64::consts::TAU),
        side: 0.6 * random(&mut state) - 0.3,
        top: 0.6 * random(&mut state) - 0.3,
        elevation: random(&mut state) * 1.4,
    };
    let struck = table.struck(&stroke);
    for (i, &place) in places.iter().enumerate() {
        table.add(place, 0.0, if i == 0 { struck } else { Motion::default() });
    }
    let rate = [60.0, 120.0, 240.0][(seed / 3 % 3) as usize];
    let events = table.play(rate, &format!("stroke {seed} on {name} with {word} at {rate} Hz: {stroke:?}"));
    events.iter().map(|event| event.kind).collect()
}

/// Strokes among millions that found an error. In order: energy gained by rounding; a ball that rolled over an edge and
/// sank into the rail; a missed landing within a tick; a ball that left a rail, came back over a liner and sank.
const HARD: [u64; 4] = [219_054, 331_509, 421_984, 943_107];

/// The seeds of the random strokes: some thousand and the hard ones, or those of the variable `STROKES`, such as
/// `5000..1000000`.
fn seeds() -> Vec<u64> {
    let Ok(wanted) = std::env::var("STROKES") else { return (0..3000).chain(HARD).collect() };
    let seeds = wanted.split_once("..").map(|ends| [ends.0, ends.1].map(str::parse::<u64>));
    let Some([Ok(first), Ok(end)]) = seeds else { panic!("STROKES={wanted}: give a range, such as 0..100000") };
    (first..end).collect()
}

#[test]
fn random_raised_strokes_end_lose_energy_and_leave_no_ball_inside_anything() {
    let kinds: Vec<TableEventKind> = seeds().into_iter().flat_map(judge).collect();
    let count = |is: fn(&TableEventKind) -> bool| kinds.iter().filter(|kind| is(kind)).count();
    let landings = count(|kind| *kind == TableEventKind::Lands);
    let left = count(|kind| *kind == TableEventKind::LeavesTable);
    let potted = count(|kind| matches!(kind, TableEventKind::Potted(_)));
    let shots = seeds().len();
    println!("{shots} strokes: {landings} landings, {left} balls left the table, {potted} potted");
    assert!(landings > shots && left > shots / 10 && potted > shots / 100, "{landings} {left} {potted}");
}

#[test]
fn the_mirror_image_of_a_shot_over_a_cushion_is_its_mirror_image() {
    let play = |sign: f64| {
        let mut table = Table::named("pool-9ft");
        let stroke = CueStrike {
            speed: 5.0,
            direction: DVec2::new(0.8, 0.6 * sign),
            side: 0.2 * sign,
            top: 0.1,
            elevation: 0.6,
        };
        let motion = table.struck(&stroke);
        table.add(DVec2::new(0.2, 0.1 * sign), 0.0, motion);
        table.play(120.0, "mirror").iter().map(|event| (event.time, event.position, event.height)).collect::<Vec<_>>()
    };
    let (plus, minus) = (play(1.0), play(-1.0));
    assert_eq!(plus.len(), minus.len());
    for (a, b) in plus.iter().zip(&minus) {
        near(a.1.x, b.1.x, 1e-5);
        near(a.1.y, -b.1.y, 1e-5);
        near(a.2, b.2, 1e-6);
    }
}

/// Ticks for some seconds with balls of 3 cm in an arena of this half size, given their heights. Checks after each tick
/// that they gain no energy, and stay within the walls and out of each other.
fn check_crowd(half: Vec2, balls: &[(Vec2, f32)], rate: f32, seconds: f32) {
    const RADIUS: f32 = 0.03;
    let mut space = PhysicsSpace::default();
    let arena = carom::prelude::Terrain::Arena { half_size: half };
    space.add_terrain(Entity::PLACEHOLDER, &arena, Position(Vec2::ZERO), Rotation(0.0), None);
    space.finish_terrain();
    for (id, &(position, height)) in (0..).zip(balls) {
        let spin = Some(Spin { angular_velocity: Vec3::ZERO, shape: carom::collision::spin::Shape::Ball });
        space.discs.push(DiscState { id, position, radius: RADIUS, mass: 0.2, spin, ..DiscState::default() });
        if height > 0.0 {
            space.discs.heights.push(DiscHeight { disc: id as u32, height, speed: 0.0 });
        }
    }
    let physics = TablePhysics { flight: Some(default()), ..default() };
    let height = |space: &PhysicsSpace, i: usize| space.discs.height_of(i).map_or(0.0, |above| above.height);
    // Twice what a ball falls in a tick before others hold it.
    let sinks = 2.0 * 9.81 / (rate * rate) + 1e-5;
    let whole = |space: &PhysicsSpace| {
        let weights = (0..balls.len()).map(|i| 0.2 * G * f64::from(height(space, i)));
        energy(space) + weights.sum::<f64>()
    };
    let mut before = whole(&space);
    for number in 0..(seconds * rate) as u32 {
        tick(&mut space, &continuous(0.95), &physics, rate);
        let name = format!("{balls:?} at {rate} Hz, tick {number}");
        let after = whole(&space);
        assert!(after <= before * (1.0 + 1e-6) + 1e-9, "{name}: {before} J to {after} J");
        before = after;
        for i in 0..balls.len() {
            let place = space.discs.position[i];
            let room = (half - RADIUS).max(Vec2::ZERO) + 1e-5;
            assert!(place.abs().cmple(room).all(), "{name}: ball {i} is at {place}");
            for j in 0..i {
                let line = (space.discs.position[j] - place).extend(height(&space, j) - height(&space, i));
                let distance = line.length();
                assert!(distance > 2.0 * RADIUS - sinks, "{name}: balls {j} and {i} are {distance} m apart");
            }
        }
    }
}

#[test]
fn balls_that_lie_on_others_stay_out_of_them_and_within_the_walls() {
    let at = |x: f32, y: f32, height: f32| (vec2(x, y), height);
    let between = [at(-0.04, 0.0, 0.0), at(0.04, 0.0, 0.0), at(0.0, 0.0, 0.06)];
    let stacked = [at(-0.003, 0.002, 0.0), at(0.003, -0.001, 0.07)];
    let pyramid = [
        at(-0.03, -0.03, 0.0),
        at(0.0302, -0.03, 0.0),
        at(-0.03, 0.0302, 0.0),
        at(0.0302, 0.0302, 0.0),
        at(0.001, 0.0005, 0.1),
    ];
    let exact = [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.1)];
    for rate in [60.0, 120.0, 1000.0] {
        let seconds = if rate > 500.0 { 2.0 } else { 10.0 };
        check_crowd(vec2(0.07, 0.031), &between, rate, seconds);
        check_crowd(vec2(0.035, 0.035), &stacked, rate, seconds);
        check_crowd(vec2(0.0605, 0.0605), &pyramid, rate, seconds);
        check_crowd(vec2(0.5, 0.5), &exact, rate, seconds);
    }
}
