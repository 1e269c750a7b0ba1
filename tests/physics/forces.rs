//! How a game acts on its discs: an impulse acts once, a force adds up to force times time, and gravities add up and
//! are known to piles. In both modes, and for any number of substeps.

use std::sync::{Arc, Mutex};

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    collision::{CollisionSettings, DiscState, Discs, run_tick},
    motion,
    prelude::*,
    timeline::advance,
};

use crate::support;

/// Both modes, with one and with several substeps.
const WAYS: [(SolverMode, u32); 4] =
    [(SolverMode::Stepped, 1), (SolverMode::Stepped, 4), (SolverMode::Stepped, 16), (SolverMode::Continuous, 1)];

fn app(mode: SolverMode, substeps: u32) -> App {
    let mut app = support::app();
    support::settings(&mut app, |s| (s.mode, s.substeps) = (mode, substeps));
    app
}

#[test]
fn a_kick_before_the_tick_acts_once() {
    #[derive(Resource)]
    struct Kicked(Entity);
    fn kick(mut commands: Commands, kicked: Option<Res<Kicked>>, mut discs: Query<&mut Velocity>) {
        let Some(mut velocity) = kicked.and_then(|kicked| discs.get_mut(kicked.0).ok()) else { return };
        velocity.x += 3.0;
        commands.remove_resource::<Kicked>();
    }
    for (mode, substeps) in WAYS {
        let mut app = app(mode, substeps);
        app.add_systems(FixedUpdate, kick);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::Y);
        app.insert_resource(Kicked(disc));
        support::ticks(&mut app, 10);
        assert_eq!(support::velocity(&app, disc), Vec2::new(3.0, 1.0), "{mode:?}, {substeps}");
        let way = 3.0 * 10.0 / 60.0;
        assert!((support::position(&app, disc).x - way).abs() < 1e-5, "{mode:?}, {substeps}: from this very tick on");
    }
}

#[derive(Component)]
struct Thrust(Vec2);

fn push(mut space: ResMut<PhysicsSpace>, motors: Query<(Entity, &StableId, &Thrust)>) {
    for (entity, id, thrust) in &motors {
        if let Some(disc) = space.discs.index_of(entity, *id) {
            motion::force(&mut space, disc, thrust.0);
        }
    }
}

#[test]
fn a_force_on_some_discs_adds_up_to_force_times_time() {
    for (mode, substeps) in WAYS {
        let mut app = app(mode, substeps);
        app.add_systems(Substep, push.in_set(SubstepSystems::Forces));
        let mut discs: Vec<(Entity, Vec2)> = Vec::new();
        for i in 0..40_u8 {
            let disc = support::disc(&mut app, Vec2::new(0.0, 4.0 * f32::from(i)), Vec2::X);
            let mass = 1.0 + f32::from(i);
            app.world_mut().entity_mut(disc).insert(Mass(mass));
            // Every third disc has a thrust, and one of those is rejected: no other disc gets its thrust.
            let thrust = if i % 3 == 1 { Vec2::new(-1.0, 2.0) * f32::from(i) } else { Vec2::ZERO };
            if thrust != Vec2::ZERO {
                app.world_mut().entity_mut(disc).insert(Thrust(thrust));
            }
            if i == 13 {
                app.world_mut().entity_mut(disc).insert(Radius(f32::NAN));
            }
            discs.push((disc, if i == 13 { Vec2::ZERO } else { thrust / mass }));
        }
        // Ids that differ from the order of spawning, and two equal ones.
        app.world_mut().entity_mut(discs[4].0).insert(StableId(1000));
        app.world_mut().entity_mut(discs[7].0).insert(StableId(1000));
        app.world_mut().entity_mut(discs[10].0).insert(StableId(22));
        support::ticks(&mut app, 60);
        for (i, (disc, acceleration)) in discs.into_iter().enumerate() {
            let error = support::velocity(&app, disc) - (Vec2::X + acceleration);
            // A thousand rounding errors of up to three metres per second.
            assert!(error.length() < 1e-4, "{mode:?}, {substeps}, disc {i}: {error}");
        }
    }
}

#[test]
fn a_disc_is_found_by_its_entity_and_number() {
    let mut world = World::new();
    let entities: Vec<Entity> = (0..50).map(|_| world.spawn_empty().id()).collect();
    // Ids in groups of five, in another order than the entities.
    let ids = |i: usize| (i as u64 * 7 + 3) % 10;
    let disc = |i: usize| DiscState { entity: entities[i], id: ids(i), mass: 1.0 + i as f32, ..DiscState::default() };
    let discs: Discs = (0..50).map(disc).collect();
    for (i, &entity) in entities.iter().enumerate() {
        let found = discs.index_of(entity, StableId(ids(i))).expect("it is there");
        assert_eq!(discs.get(found), disc(i));
        assert_eq!(discs.index_of(entity, StableId(ids(i) + 1)), None);
    }
    assert_eq!(discs.index_of(Entity::PLACEHOLDER, StableId(3)), None);
    assert_eq!(discs.index_of(entities[0], StableId(u64::MAX)), None);
    assert_eq!(Discs::default().index_of(entities[0], StableId(0)), None);
}

#[test]
fn gravities_add_up_in_every_substep_alike() {
    #[derive(Resource, Default)]
    struct Recorded(Vec<Vec2>);
    const OWN: Vec2 = Vec2::new(1.5, 0.0);
    fn pull(mut space: ResMut<PhysicsSpace>) {
        motion::gravity(&mut space, OWN);
    }
    fn listen(space: Res<PhysicsSpace>, mut recorded: ResMut<Recorded>) {
        recorded.0.push(space.laws.gravity);
    }
    let theirs = Vec2::new(0.0, -2.0);
    for (mode, substeps) in WAYS {
        let mut app = app(mode, substeps);
        app.init_resource::<Recorded>();
        app.world_mut().resource_mut::<MotionSettings>().gravity = theirs;
        app.add_systems(
            Substep,
            (
                (pull, pull).chain().in_set(SubstepSystems::Forces),
                listen.after(SubstepSystems::Motion).before(SubstepSystems::Settle),
            ),
        );
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        support::ticks(&mut app, 60);
        let recorded = &app.world().resource::<Recorded>().0;
        let parts = if mode == SolverMode::Continuous { 2 } else { substeps };
        assert_eq!(recorded.len(), 60 * parts as usize, "{mode:?}");
        assert!(recorded.iter().all(|&gravity| gravity == 2.0 * OWN + theirs), "{mode:?}, {substeps}: {recorded:?}");
        let velocity = support::velocity(&app, disc);
        assert!(velocity.distance(2.0 * OWN + theirs) < 1e-4, "{mode:?}, {substeps}: {velocity}");

        // The same without an ECS.
        let mut space = support::space([DiscState::default()], &[]);
        let settings = CollisionSettings { mode, substeps, ..CollisionSettings::default() };
        for _ in 0..60 {
            run_tick(&mut space, &settings, 1.0 / 60.0, |space| {
                for acceleration in [OWN, OWN, theirs] {
                    motion::gravity(space, acceleration);
                }
                assert_eq!(space.laws.gravity, 2.0 * OWN + theirs, "{mode:?}, {substeps}");
            });
        }
        assert!(space.discs.velocity[0].distance(velocity) < 1e-4);
    }
}

#[test]
fn a_pile_rests_under_a_gravity_of_ones_own_if_it_is_reported() {
    const DOWN: Vec2 = Vec2::new(0.0, -10.0);
    fn recorded(mut space: ResMut<PhysicsSpace>) {
        motion::gravity(&mut space, DOWN);
    }
    fn untold(mut space: ResMut<PhysicsSpace>) {
        let change = DOWN * space.substep();
        space.discs.velocity.iter_mut().for_each(|velocity| *velocity += change);
    }
    let asleep = |add: fn(&mut App)| {
        let mut app = support::app();
        support::settings(&mut app, |s| {
            (s.substeps, s.restitution, s.terrain_restitution) = (4, 0.3, 0.3);
            (s.resting_speed, s.sleep_speed) = (1.0, 0.001);
        });
        add(&mut app);
        app.world_mut().spawn(Terrain::Segment { a: Vec2::new(-5.0, 0.0), b: Vec2::new(5.0, 0.0) });
        for i in 0..3_u8 {
            support::disc(&mut app, Vec2::new(0.0, 0.5 + f32::from(i)), Vec2::ZERO);
        }
        support::ticks(&mut app, 300);
        app.world().resource::<PhysicsSpace>().sleeping()
    };
    assert_eq!(asleep(|app| _ = app.add_systems(Substep, recorded.in_set(SubstepSystems::Forces))), 3);
    // As documented for `Laws::gravity`: a force that does not call `motion::gravity`.
    assert_eq!(asleep(|app| _ = app.add_systems(Substep, untold.in_set(SubstepSystems::Forces))), 0);
}

#[test]
fn a_constant_force_is_force_over_mass_times_time_and_predictions_know_it() {
    for (mode, substeps) in WAYS {
        let mut app = app(mode, substeps);
        let pushed = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
        app.world_mut().entity_mut(pushed).insert((Mass(4.0), ConstantForce(Vec2::new(6.0, -2.0))));
        let other = support::disc(&mut app, Vec2::new(40.0, 0.0), Vec2::Y);
        let turned = support::disc(&mut app, Vec2::new(-40.0, 0.0), Vec2::ZERO);
        app.world_mut().entity_mut(turned).insert((Mass(2.0), ConstantTorque(0.5)));
        // An obstacle, so that there is something to predict.
        app.world_mut().spawn((Terrain::Circle { radius: 1.0 }, Position(Vec2::new(6.0, -2.3))));
        let mut predictor = bevy::ecs::system::SystemState::<Predictor>::new(app.world_mut());
        let horizon = Horizon { seconds: 4.0, ..default() };
        let mut prediction = predictor.get(app.world()).unwrap().predict(horizon);
        while !prediction.is_done() {
            prediction.tick();
        }
        support::ticks(&mut app, 60);
        let velocity = support::velocity(&app, pushed);
        assert!(velocity.distance(Vec2::new(1.5, -0.5)) < 1e-4, "{mode:?} {substeps}: {velocity}");
        assert_eq!(support::velocity(&app, other), Vec2::Y);
        // 0.5 N m on half of 2 kg times 0.25 m² is 2 rad/s².
        let spin = app.world().get::<AngularVelocity>(turned).unwrap().0;
        assert!(spin.distance(Vec3::Z * 2.0) < 1e-4, "{mode:?} {substeps}: {spin}");
        support::ticks(&mut app, prediction.ticks() as usize - 60);
        assert!(!prediction.impacts().is_empty());
        assert_eq!(support::position(&app, pushed), prediction.discs().position[0], "{mode:?} {substeps}");
        app.world_mut().entity_mut(pushed).remove::<ConstantForce>();
        let before = support::velocity(&app, pushed);
        support::ticks(&mut app, 5);
        assert_eq!(support::velocity(&app, pushed), before, "it acts no more");
    }
}

#[test]
fn a_prediction_does_not_end_where_a_constant_force_is_about_to_move_a_disc() {
    let mut app = app(SolverMode::Continuous, 1);
    app.insert_resource(MotionSettings { friction: 1.0, ..default() });
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
    app.world_mut().entity_mut(disc).insert(ConstantForce(Vec2::X * 3.0));
    let mut predictor = bevy::ecs::system::SystemState::<Predictor>::new(app.world_mut());
    let mut prediction = predictor.get(app.world()).unwrap().predict(Horizon { seconds: 1.0, ..default() });
    while !prediction.is_done() {
        prediction.tick();
    }
    assert!((prediction.seconds() - 1.0).abs() < 0.02 && prediction.discs().position[0].x > 0.9);
}

#[test]
fn a_constant_force_wakes_what_sleeps() {
    let mut app = app(SolverMode::Stepped, 4);
    support::settings(&mut app, |s| {
        (s.restitution, s.terrain_restitution, s.resting_speed, s.sleep_speed) = (0.0, 0.0, 1.0, 0.001);
    });
    app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -10.0), ..default() });
    app.world_mut().spawn(Terrain::Arena { half_size: Vec2::splat(5.0) });
    let disc = support::disc(&mut app, Vec2::new(0.0, -4.5), Vec2::ZERO);
    support::ticks(&mut app, 120);
    assert_eq!(app.world().resource::<PhysicsSpace>().sleeping(), 1);
    app.world_mut().entity_mut(disc).insert(ConstantForce(Vec2::X));
    support::ticks(&mut app, 60);
    assert!((support::velocity(&app, disc).x - 1.0).abs() < 1e-3, "{}", support::velocity(&app, disc));
}

#[test]
fn a_force_that_is_no_number_is_none() {
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        let mut app = app(SolverMode::Stepped, 1);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::X);
        app.world_mut().entity_mut(disc).insert((ConstantForce(Vec2::new(0.0, bad)), ConstantTorque(bad)));
        support::ticks(&mut app, 5);
        assert_eq!(support::velocity(&app, disc), Vec2::X);
        assert_eq!(app.world().get::<AngularVelocity>(disc), Some(&AngularVelocity::default()));
        app.world_mut().entity_mut(disc).insert(ConstantForce(Vec2::Y * 60.0));
        support::ticks(&mut app, 1);
        assert!((support::velocity(&app, disc).y - 1.0).abs() < 1e-6, "as soon as it is corrected");
    }
}

#[test]
fn commands_act_before_the_next_tick() {
    #[derive(Resource)]
    struct Told(Entity, Entity, Entity);
    fn send_commands(told: Option<Res<Told>>, mut commands: Commands) {
        let Some(&Told(disc, ball, wall)) = told.as_deref() else { return };
        commands
            .entity(disc)
            .apply_impulse(Vec2::new(6.0, 0.0))
            .teleport(Vec2::new(0.0, 7.0))
            .apply_torque_impulse(0.5);
        commands.entity(ball).set_velocity(Vec2::NEG_X).apply_torque_impulse(0.2);
        // Neither of these may panic.
        commands.entity(wall).apply_impulse(Vec2::X).apply_torque_impulse(1.0);
        commands.entity(wall).despawn();
        commands.entity(wall).teleport(Vec2::ZERO).set_velocity(Vec2::X);
        commands.remove_resource::<Told>();
    }
    for (mode, substeps) in WAYS {
        let mut app = app(mode, substeps);
        app.add_systems(FixedUpdate, send_commands);
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::Y);
        app.world_mut().entity_mut(disc).insert(Mass(2.0));
        let ball = app.world_mut().spawn((Ball, Mass(1.0), Radius(1.0), Position(Vec2::new(30.0, 0.0)))).id();
        let rolling = carom::components::Orientation { rolled_to: Vec2::ZERO, ..default() };
        app.world_mut().entity_mut(disc).insert(rolling);
        let wall = app.world_mut().spawn(Terrain::Circle { radius: 1.0 }).id();
        app.insert_resource(Told(disc, ball, wall));
        support::ticks(&mut app, 1);
        assert_eq!(support::velocity(&app, disc), Vec2::new(3.0, 1.0));
        assert!(support::position(&app, disc).distance(Vec2::new(0.05, 7.0 + 1.0 / 60.0)) < 1e-5);
        assert_eq!(app.world().get::<AngularVelocity>(disc), Some(&AngularVelocity(Vec3::Z * 2.0)));
        assert_eq!(support::velocity(&app, ball), Vec2::NEG_X);
        assert!((app.world().get::<AngularVelocity>(ball).unwrap().z - 0.5).abs() < 1e-6);
        let rolled = app.world().get::<carom::components::Orientation>(disc).unwrap().rolled_to;
        assert!((rolled.y - 7.0).abs() < 0.1, "it has not rolled there: {rolled}");
    }
}

#[test]
fn a_torque_impulse_turns_a_block_by_its_moment_of_inertia() {
    let block = Terrain::Block { half_size: Vec2::new(2.0, 1.0) };
    // Half a metre away from its pin.
    let arm = Terrain::Segment { a: Vec2::ZERO, b: Vec2::X };
    for mode in support::MODES {
        let mut app = support::app_in(mode);
        let world = app.world_mut();
        let blocks = [
            // 3 kg (2² + 1²) / 3
            (world.spawn((block.clone(), Mass(3.0), Position(Vec2::X * 10.0))).id(), 5.0),
            (world.spawn((block.clone(), Mass(3.0), MomentOfInertia(8.0), Position(Vec2::X * 20.0))).id(), 8.0),
            // 3 kg (1 m)² / 3 about an end
            (world.spawn((arm.clone(), Mass(3.0), LockedAxes::TRANSLATION, Position(Vec2::X * 30.0))).id(), 1.0),
            (
                world.spawn((block.clone(), Mass(3.0), LockedAxes::ROTATION, Position(Vec2::X * 40.0))).id(),
                f32::INFINITY,
            ),
        ];
        for (block, inertia) in blocks {
            // Before the first tick.
            world.commands().entity(block).apply_torque_impulse(2.0).apply_impulse(Vec2::new(0.0, 6.0));
            world.flush();
            let spin = world.get::<AngularVelocity>(block).map_or(0.0, |spin| spin.z);
            assert!((spin - 2.0 / inertia).abs() < 1e-6, "{spin} with {inertia} kg m²");
        }
        support::ticks(&mut app, 60);
        for (k, (block, inertia)) in blocks.into_iter().enumerate() {
            let turned = app.world().get::<Rotation>(block).unwrap().0;
            assert!((turned - 2.0 / inertia).abs() < 1e-4, "{mode:?}, {k}: {turned} rad");
            let way = if k == 2 { 0.0 } else { 2.0 };
            assert!((support::position(&app, block).y - way).abs() < 1e-4, "{mode:?}, {k}");
        }
    }
}

#[test]
fn impulses_have_no_effect_on_what_the_game_moves() {
    for mode in support::MODES {
        let mut app = support::app_in(mode);
        let wall = || (Terrain::Circle { radius: 1.0 }, Mass(1.0), Velocity::default(), AngularVelocity::default());
        let world = app.world_mut();
        let driven = [
            world.spawn((Disc, Kinematic, AngularVelocity::default())).id(),
            world.spawn((Ball, Kinematic, Position(Vec2::X * 5.0))).id(),
            world.spawn((wall(), MoveTo(Vec2::X * 10.0), Position(Vec2::X * 10.0))).id(),
            world.spawn((wall(), TurnTo(0.0), Position(Vec2::X * 20.0))).id(),
        ];
        for entity in driven {
            world.commands().entity(entity).apply_impulse(Vec2::ONE).apply_torque_impulse(1.0);
        }
        support::ticks(&mut app, 3);
        for (k, entity) in driven.into_iter().enumerate() {
            assert_eq!(support::velocity(&app, entity), Vec2::ZERO, "{mode:?}, {k}");
            assert_eq!(app.world().get::<AngularVelocity>(entity).unwrap().0, Vec3::ZERO, "{mode:?}, {k}");
        }
    }
}

/// Forces that depend on time see one clock, which neither jumps nor stops when the length of a tick changes.
#[test]
fn the_time_of_forces_continues_when_the_tick_rate_changes_and_is_that_of_the_prediction() {
    for (mode, substeps) in WAYS {
        let mut app = app(mode, substeps);
        let times = Arc::new(Mutex::new(Vec::new()));
        let seen = times.clone();
        app.add_force(move |space: &mut PhysicsSpace| {
            let now = space.elapsed();
            let pull = space.substep() * bevy::math::ops::sin(20.0 * now as f32);
            space.discs.velocity.iter_mut().for_each(|velocity| velocity.x += pull);
            seen.lock().unwrap().push(now);
        });
        let disc = support::disc(&mut app, Vec2::ZERO, Vec2::Y);
        let steps = match mode {
            SolverMode::Stepped => substeps as usize,
            SolverMode::Continuous => 2,
        };
        let mut expected = 0.0;
        for hertz in [60.0, 200.0, 7.0, 60.0] {
            app.insert_resource(Time::<Fixed>::from_hz(hertz));
            times.lock().unwrap().clear();
            advance(app.world_mut(), 5);
            let seen = times.lock().unwrap().clone();
            assert_eq!(seen.len(), 5 * steps, "{mode:?}");
            for (k, time) in seen.into_iter().enumerate() {
                let (tick, step) = ((k / steps) as f64, (k % steps) as f64 / steps as f64);
                let meant = expected + (tick + step) / hertz;
                assert!((time - meant).abs() < 1e-6, "{mode:?}, {substeps}, {hertz} Hz: {time} instead of {meant}");
            }
            expected += 5.0 / hertz;
        }
        let mut predictor = SystemState::<Predictor>::new(app.world_mut());
        let predictor = predictor.get(app.world()).expect("it can be predicted");
        let mut prediction = predictor.predict(Horizon { seconds: 1.0, ..default() });
        for _ in 0..5 {
            prediction.tick();
            advance(app.world_mut(), 1);
        }
        assert_eq!(prediction.discs().velocity[0], support::velocity(&app, disc), "{mode:?}, {substeps}");
    }
}
