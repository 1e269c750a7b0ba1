//! Blocks that rest on each other, and discs on them, come to rest and stay at rest, with any masses and without
//! friction.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support::{self, MODES};

const HALF: Vec2 = Vec2::new(0.4, 0.2);

fn with_floor(mode: (SolverMode, u32), e: f32) -> App {
    let mut app = support::app_in(mode);
    support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (e, e));
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -9.81);
    app.world_mut().spawn(Terrain::Arena { half_size: Vec2::new(3.0, 20.0) });
    app
}

/// A block with its centre at this height above the floor.
fn block(app: &mut App, height: f32, mass: f32) -> Entity {
    let place = Position(Vec2::new(0.0, height - 20.0));
    app.world_mut().spawn((Terrain::Block { half_size: HALF }, Mass(mass), place)).id()
}

/// The first body that moves or turns faster than a millimetre per second at its rim, or has moved, as (its number,
/// speed, distance).
fn restless(app: &App, bodies: &[Entity], places: &[Vec2]) -> Option<(usize, f32, f32)> {
    bodies.iter().zip(places).enumerate().find_map(|(k, (&body, &place))| {
        let speed = support::velocity(app, body).length();
        let spin = app.world().get::<AngularVelocity>(body).map_or(0.0, |spin| spin.0.length());
        let (fastest, way) = (speed.max(spin * HALF.x), support::position(app, body).distance(place));
        (fastest > 1e-3 || way > 1e-3).then_some((k, fastest, way))
    })
}

#[test]
fn towers_stand_whatever_their_masses() {
    for mode in MODES {
        for e in [0.0, 0.5, 0.9] {
            for masses in
                [vec![1.0; 2], vec![1.0; 8], vec![1.0, 100.0], vec![1e-2, 1e2, 1e-2, 1e2], vec![1e4, 1.0, 1e-4]]
            {
                let mut app = with_floor(mode, e);
                let height = |k: usize| HALF.y * (2 * k + 1) as f32;
                let blocks: Vec<Entity> =
                    masses.iter().enumerate().map(|(k, &mass)| block(&mut app, height(k), mass)).collect();
                let places: Vec<Vec2> = blocks.iter().map(|&block| support::position(&app, block)).collect();
                for tick in 0..120 {
                    support::ticks(&mut app, 1);
                    let found = restless(&app, &blocks, &places);
                    assert!(found.is_none(), "{mode:?}, e {e}, {masses:?}, tick {tick}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn what_falls_on_each_other_comes_to_rest_as_a_tower() {
    for mode in MODES {
        for e in [0.0, 0.3] {
            for masses in [[1.0; 5], [1.0, 10.0, 1.0, 10.0, 1.0]] {
                let mut app = with_floor(mode, e);
                let blocks: Vec<Entity> = masses
                    .iter()
                    .zip(0_u16..)
                    .map(|(&mass, k)| block(&mut app, 0.3 + 0.5 * f32::from(k), mass))
                    .collect();
                support::ticks(&mut app, 240);
                let places: Vec<Vec2> =
                    (0..5_u16).map(|k| Vec2::new(0.0, f32::from(2 * k + 1) * HALF.y - 20.0)).collect();
                let found = restless(&app, &blocks, &places);
                assert!(found.is_none(), "{mode:?}, e {e}, {masses:?}: {found:?}");
            }
        }
    }
}

#[test]
fn a_disc_lies_still_on_a_block_that_is_far_lighter() {
    for mode in MODES {
        for e in [0.0, 0.5, 0.9] {
            for mass in [1.0, 100.0, 1e4] {
                let mut app = with_floor(mode, e);
                let block = block(&mut app, HALF.y, 1.0);
                let on_top = support::position(&app, block) + Vec2::Y * (HALF.y + 0.2);
                let disc = support::disc(&mut app, on_top, Vec2::ZERO);
                app.world_mut().entity_mut(disc).insert((Radius(0.2), Mass(mass)));
                let bodies = [block, disc];
                let places = bodies.map(|body| support::position(&app, body));
                for tick in 0..120 {
                    support::ticks(&mut app, 1);
                    let found = restless(&app, &bodies, &places);
                    assert!(found.is_none(), "{mode:?}, e {e}, {mass} kg, tick {tick}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn a_block_slides_over_the_seams_of_a_floor() {
    for mode in MODES {
        for e in [0.0, 0.5, 1.0] {
            for speed in [0.1, 3.0, 40.0] {
                for gravity in [0.0, -9.81] {
                    // An elastic disc is never at rest on the floor: it bounces off one piece and then the other.
                    if e == 1.0 && gravity != 0.0 {
                        continue;
                    }
                    let mut app = support::app_in(mode);
                    support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (e, e));
                    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, gravity);
                    // Walls end to end, a block between two of them, and a chain.
                    let ends = [-100.0, -0.3, 0.1, 1.0, 3.0, 100.0].map(|x| Vec2::new(x, 0.0));
                    for (a, b) in [(ends[0], ends[1]), (ends[1], ends[2]), (ends[4], ends[5])] {
                        app.world_mut().spawn(Terrain::Segment { a, b });
                    }
                    let half_size = Vec2::new(0.5 * (ends[3].x - ends[2].x), 0.25);
                    let middle = Vec2::new(0.5 * (ends[3].x + ends[2].x), -half_size.y);
                    app.world_mut().spawn((Terrain::Block { half_size }, Position(middle)));
                    let points = vec![ends[3], Vec2::new(2.0, 0.0), ends[4]];
                    app.world_mut().spawn(Terrain::Polyline { points });
                    let place = Vec2::new(-0.8, HALF.y);
                    let slides = (Position(place), Velocity(Vec2::new(speed, 0.0)));
                    let block = app.world_mut().spawn((Terrain::Block { half_size: HALF }, Mass(1.0), slides)).id();
                    let ticks = (5.0 / speed * 60.0) as usize + 1;
                    support::ticks(&mut app, ticks.min(600));
                    let (at, velocity) = (support::position(&app, block), support::velocity(&app, block));
                    let turned = app.world().get::<Rotation>(block).map_or(0.0, |angle| angle.0);
                    assert!(
                        (velocity.x - speed).abs() < 1e-4 * speed
                            && (at.y - HALF.y).abs() < 1e-3
                            && turned.abs() < 1e-4,
                        "{mode:?}, e {e}, {speed} m/s, g {gravity}: at {at} with {velocity}, turned by {turned}"
                    );
                }
            }
        }
    }
}
