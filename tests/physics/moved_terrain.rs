//! Terrain teleported by its `Position`: it has no motion, and is in its new place in the next tick. The effect on
//! discs is as documented for `Terrain`. For moving terrain, see `moving_terrain`.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support;

const G: f32 = 9.81;

/// A disc of radius 0.5 m at rest on a block whose top is at zero.
fn disc_on_a_block(mode: SolverMode, restitution: f32) -> (App, Entity, Entity) {
    let mut app = support::app();
    support::settings(&mut app, |s| (s.mode, s.terrain_restitution) = (mode, restitution));
    app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -G), ..default() });
    let shape = Terrain::Block { half_size: Vec2::new(5.0, 0.5) };
    let block = app.world_mut().spawn((shape, Position(Vec2::new(0.0, -0.5)))).id();
    let disc = support::disc(&mut app, Vec2::new(0.0, 0.5), Vec2::ZERO);
    support::ticks(&mut app, 60);
    assert_eq!(support::velocity(&app, disc), Vec2::ZERO);
    support::collisions(&mut app);
    (app, block, disc)
}

/// Teleports a piece of terrain and runs a tick.
fn shift(app: &mut App, piece: Entity, way: Vec2) {
    app.world_mut().get_mut::<Position>(piece).unwrap().0 += way;
    support::ticks(app, 1);
}

#[test]
fn what_lies_on_a_block_that_is_raised_stays_on_it() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        for restitution in [0.0, 0.5] {
            let (mut app, block, disc) = disc_on_a_block(mode, restitution);
            for tick in 1..=120 {
                shift(&mut app, block, Vec2::new(0.0, 0.05));
                let top = support::position(&app, block).y + 0.5;
                let gap = support::position(&app, disc).y - 0.5 - top;
                let velocity = support::velocity(&app, disc).y;
                let hits: Vec<f32> = support::collisions(&mut app).iter().map(|hit| hit.approach_speed).collect();
                let what =
                    format!("{mode:?}, e = {restitution}, tick {tick}: gap {gap}, velocity {velocity}, {hits:?}");
                assert!(gap.abs() < 1e-5, "{what}");
                // Rounding may leave a little of the way up.
                assert!(velocity == 0.0 && hits.iter().all(|speed| *speed < 1e-3), "{what}");
            }
            support::ticks(&mut app, 60);
            assert_eq!(support::velocity(&app, disc), Vec2::ZERO, "{mode:?}: at rest when the block is");
        }
    }
}

#[test]
fn terrain_that_is_moved_gives_no_velocity_and_carries_nothing_along() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let (mut app, block, disc) = disc_on_a_block(mode, 0.0);
        for _ in 0..20 {
            shift(&mut app, block, Vec2::new(0.1, 0.0));
        }
        assert_eq!((support::position(&app, disc).x, support::velocity(&app, disc)), (0.0, Vec2::ZERO), "{mode:?}");

        // A paddle from the side, by less than a radius per tick.
        let mut app = support::app();
        support::settings(&mut app, |s| s.mode = mode);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        let shape = Terrain::Block { half_size: Vec2::new(1.0, 2.0) };
        let paddle = app.world_mut().spawn((shape, Position(Vec2::new(-2.0, 0.0)))).id();
        for _ in 0..10 {
            shift(&mut app, paddle, Vec2::new(0.4, 0.0));
        }
        let gap = support::position(&app, disc).x - 0.5 - (support::position(&app, paddle).x + 1.0);
        assert!(gap.abs() < 1e-5, "{mode:?}: shoved along: {gap}");
        assert_eq!(support::velocity(&app, disc), Vec2::ZERO, "{mode:?}");
    }
}

#[test]
fn a_wall_that_jumps_across_a_centre_leaves_the_disc_behind_it() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let mut app = support::app();
        support::settings(&mut app, |s| s.mode = mode);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        let shape = Terrain::Segment { a: Vec2::new(0.0, -2.0), b: Vec2::new(0.0, 2.0) };
        let wall = app.world_mut().spawn((shape, Position(Vec2::new(-0.7, 0.0)))).id();
        shift(&mut app, wall, Vec2::new(0.9, 0.0));
        assert!((support::position(&app, disc).x + 0.3).abs() < 1e-5, "{mode:?}: {}", support::position(&app, disc));
    }
}
