//! Layers, and pairs that ignore each other.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, DiscState, PhysicsSpace, ScanLimit, measure},
    prelude::*,
};

use crate::support::{self, Dice, MODES, app_in, prediction};

const RED: CollisionLayers = CollisionLayers::new(1, 1);
const BLUE: CollisionLayers = CollisionLayers::new(2, 2);

/// A lattice of discs in a box with obstacles; `layers` returns the layers of each disc, or `None` to leave it out.
fn crowd(app: &mut App, layers: impl Fn(usize) -> Option<CollisionLayers>, obstacle: CollisionLayers) {
    app.world_mut().spawn((StableId(1000), Terrain::Arena { half_size: Vec2::splat(6.0) }));
    let star = (0..10_u8).map(|k| {
        let (sin, cos) = bevy::math::ops::sin_cos(f32::from(k) * 0.628);
        vec2(cos, sin) * if k % 2 == 0 { 2.0 } else { 0.8 }
    });
    app.world_mut().spawn((StableId(1001), Terrain::Polygon { points: star.collect() }, obstacle));
    let mut dice = Dice(3);
    for k in 0..80 {
        let place = vec2((k % 10) as f32, (k / 10) as f32 * 1.25) * 1.1 - 4.95;
        let (offset, velocity) = (dice.vec(0.1), dice.vec(12.0));
        let (radius, mass) = (dice.range(0.2, 0.45), dice.range(0.3, 3.0));
        let Some(layers) = layers(k).filter(|_| place.length() > 2.6) else { continue };
        let disc = (Disc, StableId(k as u64), Position(place + offset), Velocity(velocity), Radius(radius), Mass(mass));
        let mut disc = app.world_mut().spawn(disc);
        if layers != CollisionLayers::ALL {
            disc.insert(layers);
        }
    }
}

#[test]
fn two_crowds_that_do_not_meet_run_as_each_does_alone_in_the_same_box() {
    for mode in MODES {
        for scan_limit in [ScanLimit::default(), ScanLimit(0)] {
            let colour = |k: usize| if k.is_multiple_of(3) { RED } else { BLUE };
            let mut both = app_in(mode);
            both.world_mut().resource_mut::<PhysicsSpace>().compute.scan_limit = scan_limit;
            // Only the blue discs collide with the obstacle.
            crowd(&mut both, |k| Some(colour(k)), CollisionLayers::new(2, 2));
            let mut red = app_in(mode);
            crowd(&mut red, |k| (colour(k) == RED).then_some(CollisionLayers::ALL), CollisionLayers::NONE);
            let mut blue = app_in(mode);
            crowd(&mut blue, |k| (colour(k) == BLUE).then_some(CollisionLayers::ALL), CollisionLayers::ALL);
            for tick in 0..60 {
                for app in [&mut both, &mut red, &mut blue] {
                    support::ticks(app, 1);
                }
                let of = |app: &mut App, colour: fn(usize) -> bool| {
                    let mut discs = app.world_mut().query::<(&StableId, &Position, &Velocity)>();
                    let mut all: Vec<_> = discs
                        .iter(app.world())
                        .filter(|(id, ..)| id.0 < 1000 && colour(id.0 as usize))
                        .map(|(id, position, velocity)| {
                            (id.0, position.to_array().map(f32::to_bits), velocity.to_array().map(f32::to_bits))
                        })
                        .collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(
                    of(&mut both, |k| k.is_multiple_of(3)),
                    of(&mut red, |_| true),
                    "{mode:?} {scan_limit:?}, {tick}"
                );
                assert_eq!(of(&mut both, |k| k % 3 != 0), of(&mut blue, |_| true), "{mode:?} {scan_limit:?}, {tick}");
            }
            let ahead = prediction(&mut both, 0.5);
            support::ticks(&mut both, ahead.ticks() as usize);
            assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut both), "{mode:?}: as predicted");
        }
    }
}

#[test]
fn a_pile_lies_on_what_it_meets_and_falls_through_the_rest() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -10.0), ..default() });
        support::settings(&mut app, |settings| {
            (settings.restitution, settings.terrain_restitution, settings.resting_speed) = (0.2, 0.2, 1.0);
        });
        app.world_mut().spawn((Terrain::Segment { a: vec2(-9.0, 0.0), b: vec2(9.0, 0.0) }, RED));
        app.world_mut().spawn(Terrain::Segment { a: vec2(-9.0, -5.0), b: vec2(9.0, -5.0) });
        let stack = |app: &mut App, x: f32, layers| {
            let disc =
                |k: u8| (Disc, Position(vec2(x, 0.6 + 1.01 * f32::from(k))), Velocity::default(), Mass(1.0), layers);
            (0..3).map(|k| app.world_mut().spawn(disc(k)).id()).collect::<Vec<_>>()
        };
        // In the same place, but independent of each other.
        let (red, blue) = (stack(&mut app, 0.0, RED), stack(&mut app, 0.1, BLUE));
        support::ticks(&mut app, 240);
        for (k, (red, blue)) in (0_u8..).zip(red.iter().zip(&blue)) {
            let height = 0.5 + f32::from(k);
            assert!((support::position(&app, *red).y - height).abs() < 0.05, "{mode:?}, red {k}");
            assert!((support::position(&app, *blue).y - height + 5.0).abs() < 0.05, "{mode:?}, blue {k}");
        }
        // A supported disc is released when it changes sides.
        app.world_mut().entity_mut(red[0]).insert(BLUE);
        support::ticks(&mut app, 120);
        assert!(support::position(&app, red[0]).y < -4.0, "{mode:?}");
        assert!((support::position(&app, red[1]).y - 0.5).abs() < 0.05, "{mode:?}: it has sunk to the floor");
    }
}

#[test]
fn the_end_of_a_wall_is_one_for_those_that_go_through_the_next() {
    for mode in MODES {
        let mut app = app_in(mode);
        // One floor for both layers. For red, its right part does not exist.
        app.world_mut().spawn((Terrain::Segment { a: vec2(-5.0, 0.0), b: vec2(0.0, 0.0) }, CollisionLayers::new(3, 3)));
        app.world_mut().spawn((Terrain::Segment { a: vec2(0.0, 0.0), b: vec2(5.0, 0.0) }, BLUE));
        let mut fall = |x: f32, layers: CollisionLayers| {
            let disc = (Disc, Position(vec2(x, 2.0)), Velocity(vec2(0.0, -6.0)), Radius(0.5), Mass(1.0), layers);
            let disc = app.world_mut().spawn(disc).id();
            support::ticks(&mut app, 40);
            let velocity = support::velocity(&app, disc);
            app.world_mut().despawn(disc);
            velocity
        };
        // The corner acts: mirror reflection about the direction from the end to the centre.
        let (x, y) = (0.3_f32, 0.4_f32);
        let normal = vec2(x, y) / 0.5;
        let expected = vec2(0.0, -6.0) - 2.0 * vec2(0.0, -6.0).dot(normal) * normal;
        let red = fall(0.3, RED);
        assert!((red - expected).length() < 1e-3, "{mode:?}: {red}, not {expected}");
        assert_eq!(fall(0.3, BLUE), vec2(0.0, 6.0), "{mode:?}: a floor");
        assert_eq!(fall(0.6, RED), vec2(0.0, -6.0), "{mode:?}: past its end");
        assert_eq!(fall(0.6, BLUE), vec2(0.0, 6.0), "{mode:?}");
        assert_eq!(fall(-0.2, RED), vec2(0.0, 6.0), "{mode:?}");
        // Discs that collide with both parts do not notice the seam in the floor.
        let slide = (Disc, Position(vec2(-2.0, 0.5)), Velocity(vec2(3.0, 0.0)), Radius(0.5), Mass(1.0));
        let disc = app.world_mut().spawn((slide, CollisionLayers::new(3, 3))).id();
        support::ticks(&mut app, 80);
        assert_eq!(support::velocity(&app, disc), vec2(3.0, 0.0), "{mode:?}");
    }
}

#[test]
fn pairs_that_ignore_each_other_pass_and_meet_all_others() {
    for mode in MODES {
        let mut app = app_in(mode);
        let wall = app.world_mut().spawn(Terrain::Segment { a: vec2(4.0, -2.0), b: vec2(4.0, 2.0) }).id();
        let third = support::disc(&mut app, vec2(8.0, 0.0), Vec2::ZERO);
        let target = support::disc(&mut app, vec2(2.0, 0.0), Vec2::ZERO);
        let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
        app.world_mut().entity_mut(target).insert(IgnoredPairs(vec![disc, Entity::PLACEHOLDER]));
        app.world_mut().entity_mut(disc).insert(IgnoredPairs(vec![wall]));
        let ahead = prediction(&mut app, 0.5);
        assert_eq!(ahead.impacts().len(), 0, "{mode:?}");
        support::ticks(&mut app, 120);
        assert_eq!(support::velocity(&app, target), Vec2::ZERO, "{mode:?}");
        assert_eq!(support::velocity(&app, third), vec2(6.0, 0.0), "{mode:?}: the third is hit");
        assert_eq!(support::collisions(&mut app).len(), 1, "{mode:?}");
        // A removed list has no effect.
        app.world_mut().entity_mut(target).remove::<IgnoredPairs>();
        app.world_mut().entity_mut(disc).insert((Position(Vec2::ZERO), Velocity(vec2(6.0, 0.0))));
        support::ticks(&mut app, 20);
        assert_eq!(support::velocity(&app, target), vec2(6.0, 0.0), "{mode:?}");
    }
}

/// Nothing pushes a disc that passes through it, and neither does a kinematic object.
#[test]
fn a_kinematic_disc_goes_through_blocks_that_it_does_not_meet() {
    let reasons: [fn(&mut EntityWorldMut, Entity); 4] = [
        |_, _| (),
        |disc, _| {
            disc.insert(RED);
        },
        |disc, block| {
            disc.insert(IgnoredPairs(vec![block]));
        },
        |disc, _| {
            disc.insert(Sensor);
        },
    ];
    for mode in MODES {
        for (k, reason) in reasons.into_iter().enumerate() {
            let mut app = app_in(mode);
            let shape = Terrain::Block { half_size: Vec2::splat(0.5) };
            let block = app.world_mut().spawn((shape, Position(Vec2::ZERO), Mass(1.0), BLUE)).id();
            let layers = CollisionLayers::new(2, 2);
            let at = Position(vec2(-3.0, 0.1));
            let mut disc = app.world_mut().spawn((Disc, Kinematic, at, Velocity(vec2(4.0, 0.0)), Radius(0.3), layers));
            reason(&mut disc, block);
            support::ticks(&mut app, 60);
            let moved = support::position(&app, block) != Vec2::ZERO;
            assert_eq!(moved, k == 0, "{mode:?}, reason {k}: it is at {}", support::position(&app, block));
        }
    }
}

#[test]
fn what_meets_nobody_lies_in_all_and_disturbs_nobody() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(3.0) });
        let ghosts = [CollisionLayers::NONE, CollisionLayers::new(1, 0), CollisionLayers::new(0, 1)];
        let ghosts = ghosts
            .map(|layers| app.world_mut().spawn((Disc, Velocity(vec2(9.0, 0.0)), Radius(0.5), Mass(1.0), layers)).id());
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        support::ticks(&mut app, 60);
        assert_eq!(support::position(&app, disc), Vec2::ZERO, "{mode:?}");
        for ghost in ghosts {
            assert!((support::position(&app, ghost).x - 9.0).abs() < 1e-3, "{mode:?}: through the wall");
        }
        assert!(support::collisions(&mut app).is_empty());
    }
}

#[test]
fn overlaps_of_those_that_do_not_meet_are_none() {
    let mut app = support::app();
    for layers in [RED, BLUE, RED] {
        app.world_mut().spawn((Disc, Radius(0.5), layers));
    }
    support::settings(&mut app, |settings| settings.push_apart = false);
    support::ticks(&mut app, 2);
    assert_eq!(measure::overlap(&app.world().resource::<PhysicsSpace>().discs).pairs, 1);
}

/// A space filled without components has the same filters: layers of discs and of terrain, a one-way wall, and two
/// discs that ignore each other.
#[test]
fn a_space_without_components_filters_as_well() {
    for mode in MODES {
        let mut space = PhysicsSpace::default();
        let disc = |id: u64, x: f32, velocity: f32| DiscState {
            id,
            position: vec2(x, id as f32 * 4.0),
            velocity: vec2(velocity, 0.0),
            ..DiscState::default()
        };
        // Rows: a wall in other layers, one in its own, one that lets it pass, one that does not, and two discs that
        // ignore each other.
        for id in 0..4 {
            space.discs.push(disc(id, -2.0, 4.0));
            space.discs.set_layers(id as usize, RED);
        }
        space.discs.push(disc(4, -2.0, 4.0));
        space.discs.push(DiscState { id: 5, ..disc(4, 2.0, -4.0) });
        space.discs.ignore_pair(4, 5);
        let pieces: Vec<Entity> = (1..5).filter_map(Entity::from_raw_u32).collect();
        for (row, &entity) in pieces.iter().enumerate() {
            let wall = Terrain::Segment { a: vec2(0.0, -1.0), b: vec2(0.0, 1.0) };
            space.add_terrain(entity, &wall, Position(vec2(0.0, row as f32 * 4.0)), Rotation::default(), None);
        }
        space.set_terrain_layers(pieces[0], BLUE);
        space.set_terrain_layers(pieces[1], RED);
        space.set_one_way(pieces[2], OneWay::Toward(Vec2::X));
        space.set_one_way(pieces[3], OneWay::Toward(Vec2::NEG_X));
        space.finish_terrain();
        let settings = CollisionSettings { mode: mode.0, substeps: mode.1, ..CollisionSettings::default() };
        support::run(&mut space, &settings, 1.0 / 64.0, 64);
        let passes: Vec<bool> = space.discs.position.iter().map(|at| at.x > 0.0).collect();
        assert_eq!(passes, [true, false, true, false, true, false], "{mode:?}: {:?}", space.discs.position);
        assert_eq!(space.discs.velocity[4..], [vec2(4.0, 0.0), vec2(-4.0, 0.0)], "{mode:?}");
        assert_eq!(space.report.collisions, 2, "{mode:?}");
    }
}
