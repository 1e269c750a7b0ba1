//! Terrain that moves and turns: no disc ends inside of it or behind it, and impacts are relative to its surface, in both modes.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support::{self, Dice};

const MODES: [(Mode, u32); 4] = [(Mode::Continuous, 1), (Mode::Stepped, 1), (Mode::Stepped, 2), (Mode::Stepped, 4)];

fn app(mode: Mode, substeps: u32) -> App {
    let mut app = support::app();
    support::settings(&mut app, |s| (s.mode, s.substeps) = (mode, substeps));
    app
}

/// The corners of a piece where it stands, in order.
fn corners(terrain: &Terrain, position: Vec2, rotation: f32) -> Vec<Vec2> {
    let turn = Vec2::from_angle(rotation);
    terrain.outline().0.into_iter().map(|point| position + turn.rotate(point)).collect()
}

/// How far a point is from the outline of a piece, and whether it is inside; metres.
fn place_in(terrain: &Terrain, position: Vec2, rotation: f32, at: Vec2) -> (f32, bool) {
    if let Terrain::Circle { radius } = *terrain {
        let distance = at.distance(position) - radius;
        return (distance.abs(), distance < 0.0);
    }
    let corners = corners(terrain, position, rotation);
    let (mut nearest, mut inside) = (f32::INFINITY, false);
    for k in 0..corners.len() {
        let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
        let along = b - a;
        let share = ((at - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min(at.distance(a + along * share));
        if (a.y > at.y) != (b.y > at.y) {
            inside ^= (along.perp_dot(at - a) > 0.0) == (b.y > a.y);
        }
    }
    (nearest, inside)
}

/// A random piece around the origin: of what shape, and how far its farthest point is.
fn random_piece(dice: &mut Dice) -> (Terrain, f32) {
    match dice.next() % 4 {
        0 => {
            let half_size = Vec2::new(dice.range(0.1, 2.0), dice.range(0.1, 2.0));
            (Terrain::Block { half_size }, half_size.length())
        }
        1 => {
            let count = 3 + dice.next() % 5;
            let angle = |k: u64| (k as f32 + 0.5) / count as f32 * std::f32::consts::TAU;
            let point = |k: u64| Vec2::from_angle(angle(k)) * dice.range(0.6, 2.0);
            (Terrain::Polygon { points: (0..count).map(point).collect() }, 2.0)
        }
        2 => {
            let radius = dice.range(0.1, 2.0);
            (Terrain::Circle { radius }, radius)
        }
        _ => {
            let half_size = Vec2::new(dice.range(1.5, 3.0), dice.range(1.5, 3.0));
            (Terrain::Arena { half_size }, half_size.length())
        }
    }
}

/// One random case: some discs around a piece that moves, turns or both, a few ticks. What went wrong, if anything did.
fn random_case(app: &mut App, seed: u64) -> Result<(), String> {
    let mut dice = Dice(seed);
    let world = app.world_mut();
    let (terrain, reach) = random_piece(&mut dice);
    let is_arena = matches!(terrain, Terrain::Arena { .. });
    let radius = dice.range(0.05, 0.3);
    // Up to a hundred radii a tick.
    let fastest = radius * 60.0 * [1.0, 10.0, 100.0][(dice.next() % 3) as usize];
    let kind = dice.next() % 3;
    let velocity =
        if kind == 1 { Vec2::ZERO } else { Vec2::from_angle(dice.range(0.0, 6.3)) * dice.range(0.0, fastest) };
    let spin = if kind == 0 { 0.0 } else { dice.range(-fastest, fastest) / reach };
    let rotation = dice.range(-3.0, 3.0);
    let mut discs: Vec<(Entity, f32, Vec2)> = Vec::new();
    let count = 1 + dice.next() % 5;
    for _ in 0..count {
        let around = if is_arena { reach } else { reach + 3.0 * radius + velocity.length() / 60.0 };
        let at = dice.vec(around);
        let radius = radius * dice.range(0.5, 1.0);
        let (distance, inside) = place_in(&terrain, Vec2::ZERO, rotation, at);
        let taken = discs.iter().any(|&(_, other, place)| place.distance(at) < (radius + other) * 1.01);
        if inside != is_arena || distance < radius * 1.01 || taken {
            continue;
        }
        let speed = if dice.next() % 2 == 0 { 0.0 } else { fastest * dice.range(0.0, 1.0) };
        let own = Vec2::from_angle(dice.range(0.0, 6.3)) * speed;
        let disc = world.spawn((Disc, Position(at), Velocity(own), Radius(radius), Mass(dice.range(0.2, 5.0))));
        discs.push((disc.id(), radius, at));
    }
    let restitution = [0.0, 0.5, 1.0][(dice.next() % 3) as usize];
    let what = terrain.clone();
    let piece = world.spawn((terrain, Position(Vec2::ZERO), Rotation(rotation), Restitution(restitution)));
    let piece = piece.id();
    if kind != 1 {
        world.entity_mut(piece).insert(Velocity(velocity));
    }
    if kind != 0 {
        world.entity_mut(piece).insert(AngularVelocity(Vec3::Z * spin));
    }
    let mut result = Ok(());
    for tick in 1..=3 {
        support::ticks(app, 1);
        let place = support::position(app, piece);
        let rotation = app.world().get::<Rotation>(piece).unwrap().0;
        for &(disc, radius, from) in &discs {
            let at = support::position(app, disc);
            let (distance, inside) = place_in(&what, place, rotation, at);
            let rounding = 1e-3 * radius + 4e-6 * (at.length() + place.length() + reach);
            if inside != is_arena || distance < radius - rounding {
                let velocity = support::velocity(app, disc);
                result = Err(format!(
                    "seed {seed}, tick {tick}: a disc of radius {radius} from {from} is at {at} with {velocity}, {distance} from the \
                     outline, inside: {inside}; {what:?} at {place}, {rotation} rad, {velocity} m/s, {spin} rad/s, e {restitution}"
                ));
            }
        }
        if result.is_err() {
            break;
        }
    }
    for (disc, ..) in discs {
        app.world_mut().despawn(disc);
    }
    app.world_mut().despawn(piece);
    result
}

fn random_cases(count: u64) {
    for (mode, substeps) in MODES {
        let mut app = app(mode, substeps);
        let failures: Vec<String> = (0..count).filter_map(|seed| random_case(&mut app, seed).err()).collect();
        let shown = &failures[..failures.len().min(5)];
        assert!(failures.is_empty(), "{mode:?} {substeps}: {} of {count}: {shown:#?}", failures.len());
    }
}

#[test]
fn no_disc_ends_inside_of_terrain_that_moves_or_behind_it() {
    random_cases(if cfg!(debug_assertions) { 500 } else { 3000 });
}

/// `cargo test --release --test physics -- --ignored moving_terrain`
#[test]
#[ignore = "a hundred thousand cases a mode take minutes"]
fn no_disc_of_a_hundred_thousand_cases_ends_inside_of_terrain_that_moves() {
    random_cases(100_000);
}

#[test]
fn a_hit_is_relative_to_the_surface_where_it_is_touched() {
    for (mode, substeps) in MODES {
        for e in [0.0, 0.5, 1.0] {
            let mut app = app(mode, substeps);
            let block = Terrain::Block { half_size: Vec2::new(1.0, 3.0) };
            app.world_mut().spawn((
                block,
                Position(Vec2::new(-2.0, 0.0)),
                Velocity(Vec2::new(30.0, 0.0)),
                Restitution(e),
            ));
            let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(-3.0, 2.0));
            support::ticks(&mut app, 1);
            let expected = Vec2::new(30.0 + e * 33.0, 2.0);
            let velocity = support::velocity(&app, disc);
            assert!(velocity.distance(expected) < 1e-4, "{mode:?} {substeps}, e = {e}: {velocity}");
            let hits = support::collisions(&mut app);
            assert_eq!(hits.len(), 1, "{mode:?}: {hits:?}");
            assert!((hits[0].approach_speed - 33.0).abs() < 1e-4 && (hits[0].impulse - 33.0 * (1.0 + e)).abs() < 1e-3);

            // A beam that turns about its left end: its surface at 2 m is as fast as its spin says.
            let mut app = self::app(mode, substeps);
            let beam = Terrain::Polygon {
                points: vec![Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 0.2), Vec2::new(0.0, 0.2)],
            };
            app.world_mut().spawn((beam, Rotation(0.0), AngularVelocity(Vec3::Z * 2.0), Restitution(e)));
            let disc = support::disc(&mut app, Vec2::new(2.0, 0.2 + 0.5 + 1e-4), Vec2::ZERO);
            support::ticks(&mut app, 1);
            let velocity = support::velocity(&app, disc);
            let expected = Vec2::new(0.0, 4.0 * (1.0 + e));
            if e > 0.0 {
                assert!(velocity.distance(expected) < 0.01, "{mode:?} {substeps}, e = {e}: {velocity}");
            } else {
                assert!((4.0..4.1).contains(&velocity.y), "{mode:?} {substeps}: pushed along: {velocity}");
            }
        }
    }
}
