//! Individual motion of blocks: gravity scale, drag, friction of the cloth, constant forces and torques.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support::{self, MODES};

/// A block of 2 kg and a disc of the same mass with the same motion, far from each other.
fn pair(mode: (SolverMode, u32), gravity: f32, own: impl Bundle + Clone) -> (App, [Entity; 2]) {
    let mut app = support::app_in(mode);
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -gravity);
    let shape = Terrain::Block { half_size: Vec2::new(0.5, 0.3) };
    let velocity = Velocity(Vec2::new(3.0, 4.0));
    let block = app.world_mut().spawn((shape, Mass(2.0), velocity, own.clone())).id();
    let disc = support::disc(&mut app, Vec2::new(50.0, 0.0), velocity.0);
    app.world_mut().entity_mut(disc).insert((Mass(2.0), own));
    (app, [block, disc])
}

#[test]
fn a_block_is_moved_as_a_disc_is() {
    for mode in MODES {
        let check = |name: &str, (mut app, [block, disc]): (App, [Entity; 2])| {
            support::ticks(&mut app, 60);
            let way = support::position(&app, block) - (support::position(&app, disc) - Vec2::X * 50.0);
            let speed = support::velocity(&app, block) - support::velocity(&app, disc);
            assert!(way.length() < 1e-3 && speed.length() < 3e-4, "{mode:?}, {name}: {way} m, {speed} m/s");
            support::velocity(&app, block)
        };
        for scale in [-1.0, 0.0, 0.5, 3.0] {
            let velocity = check("gravity scale", pair(mode, 9.81, GravityScale(scale)));
            assert!((velocity.y - (4.0 - 9.81 * scale)).abs() < 1e-3, "{mode:?}, {scale}: {velocity}");
        }
        let velocity = check("drag", pair(mode, 0.0, LinearDamping(0.5)));
        assert!(velocity.length() < 3.2, "{mode:?}: {velocity}");
        let velocity = check("cloth", pair(mode, 0.0, ClothFriction(2.0)));
        assert!((velocity.length() - 3.0).abs() < 1e-3, "{mode:?}: {velocity}");
        let velocity = check("force", pair(mode, 0.0, ConstantForce(Vec2::new(-4.0, 1.0))));
        assert!(velocity.distance(Vec2::new(1.0, 4.5)) < 1e-3, "{mode:?}: {velocity}");
    }
}

#[test]
fn a_torque_turns_a_block_by_its_moment_of_inertia() {
    for mode in MODES {
        for pinned in [false, true] {
            let mut app = support::app_in(mode);
            let shape = Terrain::Block { half_size: Vec2::new(0.6, 0.3) };
            let block = app.world_mut().spawn((shape, Mass(2.0), ConstantTorque(0.6))).id();
            if pinned {
                app.world_mut().entity_mut(block).insert(LockedAxes::TRANSLATION);
            }
            support::ticks(&mut app, 60);
            // I = m (a² + b²) / 3 = 0.3 kg m².
            let spin = app.world().get::<AngularVelocity>(block).map(|spin| spin.0.z);
            assert!(spin.is_some_and(|spin| (spin - 2.0).abs() < 1e-4), "{mode:?}, {pinned}: {spin:?}");
        }
    }
}

#[test]
fn the_gravity_scale_of_a_disc_elsewhere_changes_no_bounce_of_a_block() {
    for mode in MODES {
        let states = [1.0, 100.0].map(|scale| {
            let mut app = support::app_in(mode);
            support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (0.8, 0.8));
            app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -9.81);
            app.world_mut().spawn((StableId(100), Terrain::Arena { half_size: Vec2::splat(3.0) }));
            let shape = Terrain::Block { half_size: Vec2::new(0.5, 0.3) };
            let block = app.world_mut().spawn((StableId(101), shape, Mass(2.0), Position(Vec2::new(0.0, 1.0)))).id();
            let disc = support::disc(&mut app, Vec2::new(100.0, 0.0), Vec2::ZERO);
            app.world_mut().entity_mut(disc).insert((GravityScale(scale), Velocity(Vec2::ZERO)));
            let mut heights = Vec::new();
            for _ in 0..120 {
                support::ticks(&mut app, 1);
                heights.push(support::position(&app, block).y.to_bits());
            }
            heights
        });
        assert_eq!(states[0], states[1], "{mode:?}");
    }
}

#[test]
fn a_block_that_feels_no_gravity_bounces_and_one_that_rises_lies_at_the_ceiling() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        support::settings(&mut app, |s| (s.restitution, s.terrain_restitution) = (0.5, 0.5));
        app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -9.81);
        app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(3.0) });
        let shape = Terrain::Block { half_size: Vec2::new(0.5, 0.3) };
        let mut spawn = |x: f32, scale: f32, velocity: f32| {
            let motion = (Velocity(Vec2::new(0.0, velocity)), GravityScale(scale));
            app.world_mut().spawn((shape.clone(), Mass(1.0), Position(Vec2::new(x, 0.0)), motion)).id()
        };
        // One sinks at 0.1 m/s, slower than what gravity adds to others in a tick, and has come half of the way back.
        let [floats, rises] = [spawn(-1.5, 0.0, -0.1), spawn(1.5, -1.0, 0.0)];
        support::ticks(&mut app, 60 * 54);
        let (velocity, top) = (support::velocity(&app, floats), support::position(&app, rises).y);
        assert!((velocity.y - 0.05).abs() < 1e-4, "{mode:?}: {velocity}");
        assert!((top - 2.7).abs() < 1e-3, "{mode:?}: {top}");
    }
}

#[test]
fn bad_values_count_as_missing_as_on_discs() {
    for mode in MODES {
        let mut app = support::app_in(mode);
        app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -9.0), friction: 0.1, drag: 0.1 });
        let block = || (Terrain::Block { half_size: Vec2::splat(0.5) }, Mass(1.0), Velocity(Vec2::X));
        let bad = [f32::NAN, f32::INFINITY, -1e30].map(|bad| {
            let values = (
                GravityScale(bad),
                LinearDamping(bad),
                ClothFriction(bad),
                ConstantForce(Vec2::splat(bad)),
                ConstantTorque(bad),
            );
            app.world_mut().spawn((block(), values, CollisionLayers::NONE)).id()
        });
        let plain = app.world_mut().spawn((block(), Position(Vec2::new(9.0, 0.0)))).id();
        support::ticks(&mut app, 10);
        assert!(app.world().resource::<InvalidEntities>().is_empty(), "{mode:?}");
        for bad in bad {
            assert_eq!(support::velocity(&app, bad), support::velocity(&app, plain), "{mode:?}");
        }
    }
}
