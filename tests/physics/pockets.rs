//! What falls into pockets, what does not, and that other discs are not affected.

use bevy::prelude::*;
use carom::{
    collision::{DiscState, SolverMode, measure, run_tick},
    prelude::*,
};

use crate::support::{self, Dice, MODES, app_in, prediction};

/// A disc at rest on a floor, with its events.
fn at_rest(mode: (SolverMode, u32), sleep_speed: f32) -> (App, Entity) {
    let mut app = app_in(mode);
    app.insert_resource(MotionSettings { gravity: vec2(0.0, -10.0), ..default() });
    support::settings(&mut app, |settings| {
        (settings.restitution, settings.terrain_restitution) = (0.5, 0.5);
        (settings.resting_speed, settings.sleep_speed) = (1.0, sleep_speed);
    });
    app.world_mut().spawn(Terrain::Segment { a: vec2(-3.0, 0.0), b: vec2(3.0, 0.0) });
    let disc = support::disc(&mut app, vec2(0.0, 0.5), Vec2::ZERO);
    support::ticks(&mut app, 60);
    assert!((support::position(&app, disc).y - 0.5).abs() < 1e-2, "{mode:?}: it lies there");
    (app, disc)
}

#[test]
fn a_disc_at_rest_on_a_floor_falls_into_a_pocket_that_opens_under_it() {
    for mode in MODES {
        for sleep_speed in [0.0, 0.001] {
            let (mut app, disc) = at_rest(mode, sleep_speed);
            let pocket = app.world_mut().spawn((Pocket { radius: 0.2 }, Position(vec2(0.0, 0.5)), Inactive)).id();
            support::ticks(&mut app, 60);
            assert!(app.world().get::<InPocket>(disc).is_none(), "{mode:?}, {sleep_speed}: it is shut");
            app.world_mut().entity_mut(pocket).remove::<Inactive>();
            support::ticks(&mut app, 2);
            assert_eq!(app.world().get::<InPocket>(disc), Some(&InPocket { pocket }), "{mode:?}, {sleep_speed}");
        }
    }
}

#[test]
fn a_pocket_that_is_inactive_swallows_nothing_and_no_prediction_knows_it() {
    for mode in MODES {
        let mut app = app_in(mode);
        let pocket = app.world_mut().spawn((Pocket { radius: 1.0 }, Position(vec2(3.0, 0.0)), Inactive)).id();
        let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
        let ahead = prediction(&mut app, 1.0);
        support::ticks(&mut app, 60);
        assert!((support::position(&app, disc).x - 6.0).abs() < 1e-4, "{mode:?}");
        assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
        app.world_mut().entity_mut(pocket).remove::<Inactive>();
        app.world_mut().entity_mut(disc).insert(Velocity(vec2(-6.0, 0.0)));
        support::ticks(&mut app, 30);
        assert!(app.world().get::<InPocket>(disc).is_some(), "{mode:?}: it is open");
    }
}

/// Fast discs of all sizes in a box, many of which leave their search circles within a tick.
fn crowd(seed: u64) -> (PhysicsSpace, f32) {
    let mut dice = Dice(seed);
    let half = vec2(4.0, 3.0);
    let mut discs: Vec<DiscState> = Vec::new();
    while discs.len() < 31 {
        let radius = 0.005 * bevy::math::ops::exp(dice.range(0.0, 3.5));
        let position = vec2(dice.range(-3.8, 3.8), dice.range(-2.8, 2.8));
        if discs.iter().all(|disc| disc.position.distance(position) > disc.radius + radius) {
            discs.push(DiscState { position, velocity: dice.vec(30.0), radius, ..DiscState::default() });
        }
    }
    (support::space(discs, &[(Terrain::Arena { half_size: half }, Vec2::ZERO, 0.0)]), half.length())
}

#[test]
fn discs_that_fall_within_a_tick_leave_the_pairs_of_the_others_alone() {
    for seed in 0..40 {
        let (mut space, size) = crowd(seed);
        for (x, y) in [(-2.3, 2.0), (-0.8, 0.1), (1.5, -1.0)] {
            space.add_pocket(Entity::PLACEHOLDER, vec2(x, y), 0.3);
        }
        let settings = CollisionSettings { substeps: 6, ..default() };
        let before = measure::kinetic_energy(&space.discs);
        for tick in 0..20 {
            run_tick(&mut space, &settings, 0.1, |_| {});
            let energy = measure::kinetic_energy(&space.discs);
            assert!(energy < before * (1.0 + 1e-5), "seed {seed}, tick {tick}: {energy} of {before} J");
            let lost = space.discs.position.iter().filter(|at| !at.is_nan() && at.length() > size).count();
            assert_eq!(lost, 0, "seed {seed}, tick {tick}");
            let fallen: Vec<u32> = space.report.fallen.iter().map(|fallen| fallen.disc).collect();
            let left = (0..space.discs.len()).filter(|&i| !fallen.contains(&(i as u32)));
            let left: Vec<DiscState> = left.map(|i| space.discs.get(i)).collect();
            space.discs = left.into_iter().collect();
        }
    }
}
