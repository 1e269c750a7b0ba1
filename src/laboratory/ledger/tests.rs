use bevy::{
    math::{ops, vec2},
    prelude::*,
};

use super::EnergyLedger;
use crate::{
    PhysicsPlugins,
    collision::{Cause, CollisionSettings, PhysicsSpace, SolverMode, spin::TablePhysics},
    components::{
        Ball, Disc, Friction, Joint, Kinematic, Mass, Oscillation, Pocket, Position, Radius, Terrain, Velocity,
    },
    laboratory::LaboratoryPlugin,
    motion::MotionSettings,
    timeline::{HistoryPlugin, advance, seek},
};

const MODES: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

/// Discs of different masses and sizes in a box.
fn app(mode: SolverMode, restitution: f32) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), LaboratoryPlugin, HistoryPlugin::default()));
    app.finish();
    let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
    settings.mode = mode;
    settings.resting_speed = 0.0;
    settings.restitution = restitution;
    settings.terrain_restitution = restitution;
    for k in 0..16_u8 {
        let at = vec2(f32::from(k % 4), f32::from(k / 4)) - Vec2::splat(1.5);
        let velocity = vec2(ops::sin(f32::from(k) * 1.7), ops::cos(f32::from(k) * 2.9)) * 3.0;
        let mass = [0.1, 1.0, 10.0, 3.0][usize::from(k % 4)];
        let radius = 0.2 + 0.02 * f32::from(k % 5);
        app.world_mut().spawn((Disc, Position(at), Velocity(velocity), Mass(mass), Radius(radius)));
    }
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(2.5, 2.5) });
    app.world_mut().resource_mut::<EnergyLedger>().start();
    app
}

fn ledger(app: &App) -> &EnergyLedger {
    app.world().resource()
}

/// The largest energy in the ledger, joules: its rounding is a share of it.
fn turnover(ledger: &EnergyLedger) -> f64 {
    Cause::ALL.iter().map(|(cause, _)| ledger.of(*cause).abs()).sum::<f64>() + ledger.energy()
}

/// Runs, and checks that the sum is the measured change. These causes have lost or gained energy, and no other has.
fn check(app: &mut App, seconds: u64, causes: &[Cause], what: &str) {
    advance(app.world_mut(), 64 * seconds);
    let ledger = ledger(app);
    let all = turnover(ledger);
    let rows: Vec<_> = Cause::ALL.iter().map(|(cause, _)| (*cause, ledger.of(*cause))).collect();
    let difference = ledger.sum() - ledger.change();
    assert!(difference.abs() <= 1e-9 * all, "{what}: the sum differs by {difference}: {rows:?}");
    for (cause, energy) in &rows {
        // Velocities and positions are f32.
        let is_none = energy.abs() <= 2e-5 * all;
        assert_eq!(causes.contains(cause), !is_none, "{what}: {cause:?} {energy} J of {rows:?}");
    }
}

#[test]
fn without_losses_nothing_is_lost() {
    for mode in MODES {
        for substeps in [1, 4] {
            let mut app = app(mode, 1.0);
            app.world_mut().resource_mut::<CollisionSettings>().substeps = substeps;
            check(&mut app, 4, &[], &format!("{mode:?} {substeps}"));
        }
    }
}

#[test]
fn hits_are_split_by_partner() {
    for mode in MODES {
        let mut app = app(mode, 0.8);
        app.world_mut().resource_mut::<CollisionSettings>().restitution = 1.0;
        check(&mut app, 4, &[Cause::TerrainHits], &format!("{mode:?} terrain"));
        let mut app = self::app(mode, 0.8);
        app.world_mut().resource_mut::<CollisionSettings>().terrain_restitution = 1.0;
        check(&mut app, 4, &[Cause::DiscHits], &format!("{mode:?} discs"));
    }
}

#[test]
fn forces_are_split_by_kind() {
    for mode in MODES {
        for (settings, cause) in [
            (MotionSettings { drag: 0.3, ..default() }, Cause::Drag),
            (MotionSettings { friction: 0.2, ..default() }, Cause::Friction),
        ] {
            let mut app = app(mode, 1.0);
            app.insert_resource(settings);
            check(&mut app, 2, &[cause], &format!("{mode:?}"));
            assert!(ledger(&app).of(cause) < 0.0);
        }
    }
}

#[test]
fn what_falls_gains_its_potential_energy() {
    for mode in MODES {
        let mut app = app(mode, 1.0);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -2.0), ..default() });
        // The work of gravity is the change of the potential energy, whatever is hit meanwhile.
        let potential = |app: &mut App| -> f64 {
            let mut discs = app.world_mut().query_filtered::<(&Mass, &Position), With<Disc>>();
            discs.iter(app.world()).map(|(mass, at)| 2.0 * f64::from(mass.0) * f64::from(at.y)).sum()
        };
        let before = potential(&mut app);
        advance(app.world_mut(), 100);
        let after = potential(&mut app);
        let ledger = ledger(&app);
        let all = turnover(ledger);
        assert!((ledger.of(Cause::Gravity) - (before - after)).abs() < 1e-5 * all, "{mode:?}");
        assert!((ledger.sum() - ledger.change()).abs() <= 1e-9 * all);
        let elsewhere = [Cause::DiscHits, Cause::TerrainHits].map(|cause| ledger.of(cause).abs());
        assert!(
            elsewhere.iter().all(|energy| *energy < 1e-5 * all),
            "{mode:?}: elastic hits lose nothing: {elsewhere:?}"
        );
        let not_split = ledger.of(Cause::NotSplit).abs();
        // Paths are parabolas in the stepped mode.
        let bound = if mode == SolverMode::Stepped { 1e-4 } else { 0.02 };
        assert!(not_split < bound * all, "{mode:?}: {not_split} of {all}");
    }
}

#[test]
fn driven_terrain_and_kinematic_discs_do_work() {
    for mode in MODES {
        let mut app = app(mode, 1.0);
        let moves = Oscillation { centre: vec2(0.0, -2.4), amplitude: vec2(0.0, 0.1), frequency: 3.0, phase: 0.0 };
        app.world_mut().spawn((Terrain::Segment { a: vec2(-2.4, 0.0), b: vec2(2.4, 0.0) }, moves));
        check(&mut app, 2, &[Cause::DrivenHits], &format!("{mode:?} terrain"));
        let mut app = self::app(mode, 1.0);
        app.world_mut().spawn((Disc, Kinematic, Radius(0.2), Position(vec2(0.0, -9.0)), Velocity(vec2(0.0, 4.0))));
        check(&mut app, 3, &[Cause::DrivenHits], &format!("{mode:?} disc"));
    }
}

#[test]
fn joints_cloth_pockets_blocks_and_edits() {
    for mode in MODES {
        let balls = |app: &mut App| {
            let world = app.world_mut();
            let discs: Vec<Entity> = world.query_filtered::<Entity, With<Disc>>().iter(world).collect();
            for &disc in &discs {
                world.entity_mut(disc).insert(Ball);
            }
            discs
        };
        let mut app = app(mode, 1.0);
        let discs = balls(&mut app);
        for pair in discs.chunks(4) {
            app.world_mut().spawn(Joint::spring(pair[0], pair[1], 0.6, 50.0).damped(0.5));
        }
        advance(app.world_mut(), 128);
        let joints = ledger(&app).of(Cause::Joints);
        assert!(joints.abs() > 1e-3 * turnover(ledger(&app)), "{mode:?}: {joints}");
        let mut app = self::app(mode, 0.9);
        balls(&mut app);
        app.insert_resource(TablePhysics::default());
        app.world_mut().spawn((Pocket { radius: 0.6 }, Position(vec2(2.0, 2.0))));
        app.world_mut().spawn((Terrain::Block { half_size: vec2(0.2, 0.1) }, Mass(1.0), Position(vec2(0.0, 2.2))));
        advance(app.world_mut(), 64);
        let disc = app.world_mut().query_filtered::<Entity, With<Disc>>().iter(app.world()).next().unwrap();
        let before = ledger(&app).of(Cause::Edits);
        let mass = app.world().get::<Mass>(disc).unwrap().0;
        let slow = app.world().get::<Velocity>(disc).unwrap().length_squared();
        app.world_mut().entity_mut(disc).insert(Velocity(vec2(5.0, 0.0)));
        advance(app.world_mut(), 64);
        let ledger = ledger(&app);
        let all = turnover(ledger);
        assert!((ledger.sum() - ledger.change()).abs() <= 1e-9 * all, "{mode:?}");
        let given = f64::from(0.5 * mass * (25.0 - slow));
        assert!((ledger.of(Cause::Edits) - before - given).abs() < 1e-5 * all, "{mode:?}");
        assert!(ledger.of(Cause::Cloth) < 0.0 && ledger.of(Cause::TerrainHits) < 0.0, "{mode:?}");
        assert!(ledger.of(Cause::Pockets) < 0.0, "{mode:?}: a ball falls");
    }
}

#[test]
fn piles_and_friction_add_up_too() {
    for mode in MODES {
        let mut app = app(mode, 0.3);
        let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
        settings.resting_speed = 0.1;
        app.insert_resource(MotionSettings { gravity: vec2(1.0, -9.81), drag: 0.1, ..default() });
        let world = app.world_mut();
        let discs: Vec<Entity> = world.query_filtered::<Entity, With<Disc>>().iter(world).collect();
        for disc in discs {
            world.entity_mut(disc).insert(Friction(0.2));
        }
        advance(app.world_mut(), 640);
        let ledger = ledger(&app);
        let difference = ledger.sum() - ledger.change();
        assert!(difference.abs() <= 1e-9 * turnover(ledger), "{mode:?}: {difference}");
    }
}

#[test]
fn the_ledger_changes_not_one_bit_and_follows_a_seek() {
    for mode in MODES {
        let [mut on, mut off] = [0.9, 0.9].map(|restitution| app(mode, restitution));
        off.world_mut().resource_mut::<EnergyLedger>().stop();
        let state =
            |app: &mut App| crate::collision::measure::state_hash(&app.world().resource::<PhysicsSpace>().discs);
        advance(on.world_mut(), 50);
        let then: Vec<f64> = Cause::ALL.iter().map(|(cause, _)| ledger(&on).of(*cause)).collect();
        advance(on.world_mut(), 150);
        advance(off.world_mut(), 200);
        assert_eq!(state(&mut on), state(&mut off), "{mode:?}");
        seek(on.world_mut(), 50).unwrap();
        let now: Vec<f64> = Cause::ALL.iter().map(|(cause, _)| ledger(&on).of(*cause)).collect();
        assert_eq!(now, then, "{mode:?}");
        assert_eq!(ledger(&off).sum(), 0.0);
    }
}
