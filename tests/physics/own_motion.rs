//! Gravity, drag and friction of single discs.

use bevy::prelude::*;
use carom::{collision::measure, prelude::*};

use crate::support::{self, MODES, app_in, prediction};

#[test]
fn each_disc_falls_by_its_own_gravity() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.0), ..default() });
        let discs = [1.0, 0.0, -0.5, 2.5].map(|scale| {
            let disc = support::disc(&mut app, vec2(scale * 10.0, 0.0), vec2(1.0, 3.0));
            app.world_mut().entity_mut(disc).insert(GravityScale(scale));
            (disc, scale)
        });
        let ahead = prediction(&mut app, 1.0);
        support::ticks(&mut app, 60);
        for (disc, scale) in discs {
            let (at, velocity) = (support::position(&app, disc), support::velocity(&app, disc));
            assert!((velocity - vec2(1.0, 3.0 - 9.0 * scale)).length() < 1e-4, "{mode:?}, {scale}: {velocity}");
            assert!((at.y - (3.0 - 4.5 * scale)).abs() < 1e-4, "{mode:?}, {scale}: {at}");
        }
        assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
    }
}

#[test]
fn a_bounce_keeps_the_energy_of_its_own_gravity() {
    for mode in MODES {
        for scale in [0.3, 3.0, -1.0] {
            let mut app = app_in(mode);
            app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.0), ..default() });
            app.world_mut().spawn(Terrain::Arena { half_size: vec2(5.0, 3.0) });
            let disc = support::disc(&mut app, vec2(0.0, 0.5), vec2(0.5, 0.0));
            app.world_mut().entity_mut(disc).insert(GravityScale(scale));
            let energy = |app: &App| {
                0.5 * support::velocity(app, disc).length_squared() + 9.0 * scale * support::position(app, disc).y
            };
            let before = energy(&app);
            for _ in 0..300 {
                support::ticks(&mut app, 1);
                assert!((energy(&app) - before).abs() < 2e-3, "{mode:?}, {scale}: {before} to {}", energy(&app));
            }
        }
    }
}

#[test]
fn what_has_come_to_rest_lies_by_its_own_weight() {
    for mode in MODES {
        for resting_speed in [0.0, 1.0] {
            let mut app = app_in(mode);
            app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.0), ..default() });
            support::settings(&mut app, |s| {
                (s.resting_speed, s.restitution, s.terrain_restitution) = (resting_speed, 0.2, 0.2);
            });
            app.world_mut().spawn(Terrain::Arena { half_size: vec2(6.0, 3.0) });
            let scales = [1.0, 2.0, 0.5, -1.0];
            let discs = scales.map(|scale| {
                let disc = support::disc(&mut app, vec2(scale * 2.5, 1.0), Vec2::ZERO);
                app.world_mut().entity_mut(disc).insert(GravityScale(scale));
                disc
            });
            // A light one on a heavy one.
            let on_top = support::disc(&mut app, vec2(5.0, 2.2), Vec2::ZERO);
            app.world_mut().entity_mut(on_top).insert(GravityScale(0.5));
            support::ticks(&mut app, 400);
            for (disc, scale) in discs.into_iter().zip(scales) {
                let (at, velocity) = (support::position(&app, disc), support::velocity(&app, disc));
                let floor = if scale < 0.0 { 2.5 } else { -2.5 };
                assert!(
                    (at.y - floor).abs() < 0.02 && velocity.length() < 0.4,
                    "{mode:?}, {resting_speed}, {scale}: {at} {velocity}"
                );
            }
            let at = support::position(&app, on_top);
            assert!((at.y + 1.5).abs() < 0.05, "{mode:?}, {resting_speed}: on top, {at}");
        }
    }
}

#[test]
fn own_drag_and_own_friction_stand_in_for_those_of_all() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { friction: 0.5, ..default() });
        let plain = support::disc(&mut app, vec2(0.0, 0.0), vec2(2.0, 0.0));
        let rough = support::disc(&mut app, vec2(0.0, 4.0), vec2(2.0, 0.0));
        let smooth = support::disc(&mut app, vec2(0.0, 8.0), vec2(2.0, 0.0));
        let dragged = support::disc(&mut app, vec2(0.0, 12.0), vec2(2.0, 0.0));
        app.world_mut().entity_mut(rough).insert(ClothFriction(2.0));
        app.world_mut().entity_mut(smooth).insert(ClothFriction(0.0));
        app.world_mut().entity_mut(dragged).insert((ClothFriction(0.0), LinearDamping(0.8)));
        let ahead = prediction(&mut app, 5.0);
        support::ticks(&mut app, 300);
        // v² / 2a; the stepped mode moves by the velocity at the end of the substep.
        let way = |disc| support::position(&app, disc).x;
        assert!((way(plain) - 4.0).abs() < 0.02, "{mode:?}: {}", way(plain));
        assert!((way(rough) - 1.0).abs() < 0.02, "{mode:?}: {}", way(rough));
        assert!((way(smooth) - 10.0).abs() < 1e-3, "{mode:?}: {}", way(smooth));
        let left = support::velocity(&app, dragged).x;
        assert!((left - 2.0 * bevy::math::ops::exp(-4.0)).abs() < 0.01, "{mode:?}: {left}");
        assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
    }
}

#[test]
fn nothing_gets_faster_than_its_limit_and_a_prediction_knows() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.0), ..default() });
        let limits = [Some(2.0), Some(0.0), None];
        let discs = limits.map(|limit| {
            let disc = support::disc(&mut app, Vec2::ZERO, vec2(3.0, 4.0));
            app.world_mut().entity_mut(disc).insert(CollisionLayers::NONE);
            if let Some(limit) = limit {
                app.world_mut().entity_mut(disc).insert(SpeedLimit(limit));
            }
            disc
        });
        let ahead = prediction(&mut app, 1.0);
        let mut before = [Vec2::ZERO; 3];
        for tick in 1..=60 {
            support::ticks(&mut app, 1);
            for ((disc, limit), before) in discs.into_iter().zip(limits).zip(&mut before) {
                let (velocity, at) = (support::velocity(&app, disc), support::position(&app, disc));
                let most = limit.unwrap_or(f32::INFINITY) * (1.0 + 1e-6);
                assert!(velocity.length() <= most, "{mode:?}, tick {tick}: {velocity}");
                // Gravity bends a path by half of what it adds within a tick.
                let way = (at - *before).length();
                assert!(way <= (most + 0.5 * 9.0 / 60.0) / 60.0 * (1.0 + 1e-5), "{mode:?}, tick {tick}: {way} m");
                *before = at;
            }
        }
        let free = support::velocity(&app, discs[2]);
        assert!((free - vec2(3.0, 4.0 - 9.0)).length() < 1e-3, "{mode:?}: others are as fast as they were: {free}");
        assert!(support::velocity(&app, discs[0]).y < -1.9, "{mode:?}: it falls as fast as it may");
        assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
    }
}

#[test]
fn bad_values_count_as_missing() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -9.0), friction: 0.1, drag: 0.1 });
        let discs = [f32::NAN, f32::INFINITY, -1e30].map(|bad| {
            let disc = support::disc(&mut app, vec2(0.0, 0.0), Vec2::X);
            let values = (
                GravityScale(bad),
                LinearDamping(bad),
                ClothFriction(bad),
                SpeedLimit(bad),
                Friction(bad),
                SurfaceVelocity(Vec2::splat(bad)),
            );
            app.world_mut().entity_mut(disc).insert((values, IgnoredPairs::default()));
            disc
        });
        let plain = support::disc(&mut app, vec2(9.0, 0.0), Vec2::X);
        for &disc in &discs {
            app.world_mut().entity_mut(disc).insert(CollisionLayers::NONE);
        }
        support::ticks(&mut app, 10);
        for disc in discs {
            assert_eq!(support::velocity(&app, disc), support::velocity(&app, plain), "{mode:?}");
        }
    }
}
