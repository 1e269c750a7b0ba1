//! Predictions for games: which discs enter which sensors, what happens if hit entities vanish, and how a waiting ball
//! would move. All must match the real ticks exactly, in both modes.

use bevy::{ecs::system::SystemState, prelude::*};
use carom::{
    collision::{Periodic, Potted},
    prelude::*,
    timeline::Prediction,
};

use crate::support::{self, Dice, MODES, app_in, position, ticks, velocity};

#[derive(Resource, Default)]
struct Entered(Vec<SensorOverlapStarted>);

fn listen(mut messages: MessageReader<SensorOverlapStarted>, mut entered: ResMut<Entered>) {
    entered.0.extend(messages.read());
}

/// Despawned when a disc hits or enters it.
#[derive(Component)]
#[require(ReportCollisions)]
struct Fragile;

/// An app that despawns fragile entities and records the discs that enter sensors.
fn app(mode: (SolverMode, u32)) -> App {
    let mut app = app_in(mode);
    app.init_resource::<Entered>().add_systems(FixedPostUpdate, listen.after(SimulationSystems));
    app.add_observer(|hit: On<CollisionEvent>, fragile: Query<(), With<Fragile>>, mut commands: Commands| {
        if fragile.contains(hit.entity) {
            commands.entity(hit.entity).despawn();
        }
    });
    app.add_observer(|it: On<SensorOverlapStarted>, fragile: Query<(), With<Fragile>>, mut commands: Commands| {
        if fragile.contains(it.entity) {
            commands.entity(it.entity).despawn();
        }
    });
    app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.3, -2.0);
    app
}

fn predictor<T>(app: &mut App, ask: impl FnOnce(Predictor) -> T) -> T {
    let mut state = SystemState::<Predictor>::new(app.world_mut());
    ask(state.get(app.world()).expect("it can be predicted"))
}

/// Spawns a box with pegs of all kinds and discs among them. Returns the discs.
fn pegs(app: &mut App, fragile: bool) -> Vec<Entity> {
    let (mut dice, world) = (Dice(11), app.world_mut());
    world.spawn(Terrain::Arena { half_size: vec2(5.0, 5.0) });
    let shapes = [
        Terrain::Circle { radius: 0.3 },
        Terrain::Block { half_size: vec2(0.4, 0.2) },
        Terrain::Polygon { points: vec![vec2(-0.3, -0.2), vec2(0.3, -0.2), vec2(0.0, 0.4)] },
        Terrain::Segment { a: vec2(-0.5, 0.0), b: vec2(0.5, 0.1) },
        Terrain::Arc { radius: 0.4, start: 0.3, extent: 2.0 },
    ];
    for k in 0..40_usize {
        let at = vec2((k % 8) as f32 - 3.5, (k / 8) as f32 - 2.5) * 1.1;
        let (frequency, phase) = (dice.range(0.2, 2.0), f64::from(dice.range(0.0, 1.0)));
        let orbit = Orbit { centre: at, radius: 0.15, frequency, phase };
        let mut peg = world.spawn((shapes[k % shapes.len()].clone(), Position(at), Rotation(dice.range(-3.0, 3.0))));
        match k % 7 {
            1 => drop(peg.insert((orbit, Position(orbit.place())))),
            2 => drop(peg.insert(AngularVelocity(Vec3::Z * 3.0))),
            3 => drop(peg.insert(OneWay::Left)),
            4 => drop(peg.insert(Sensor)),
            5 => drop(peg.insert((Sensor, orbit, Position(orbit.place())))),
            _ => {}
        }
        if k % 9 == 0 {
            peg.insert(CollisionLayers { memberships: 2, filters: 3 });
        }
        if fragile && k % 4 != 3 {
            peg.insert(Fragile);
        }
    }
    let neighbours = [vec2(0.0, 3.9), vec2(0.9, 3.9)].map(|at| world.spawn((Disc, Radius(0.2), Position(at))).id());
    world.spawn(Joint::spring(neighbours[0], neighbours[1], 0.9, 30.0));
    for k in 0..14_u8 {
        let at = vec2(f32::from(k % 7) - 3.0, 4.4 - 9.0 * f32::from(k / 7));
        let mut disc = world.spawn((Disc, Radius(0.15), Position(at), Velocity(dice.vec(6.0))));
        match k {
            2 => drop(disc.insert((Kinematic, Velocity(vec2(0.7, -0.6))))),
            3 => drop(disc.insert(Sensor)),
            4 => drop(disc.insert((Sensor, Kinematic, Orbit { radius: 2.0, frequency: 0.3, ..default() }))),
            5 => drop(disc.insert((AngularVelocity(Vec3::Z * 9.0), Friction(0.3)))),
            6 => drop(disc.insert(CollisionLayers { memberships: 1, filters: 1 })),
            _ => {}
        }
        if fragile && k % 3 == 0 {
            disc.insert(Fragile);
        }
    }
    if fragile {
        world.entity_mut(neighbours[0]).insert(Fragile);
    }
    world.query_filtered::<Entity, With<Disc>>().iter(world).collect()
}

/// Runs a prediction beside the ticks, and compares all discs bit by bit, the sensors and the impacts.
fn compare(app: &mut App, mut prediction: Prediction, count: usize, what: &str) {
    for tick in 0..count {
        prediction.tick();
        ticks(app, 1);
        for i in 0..prediction.discs().len() {
            let (entity, at) = (prediction.start().entity[i], prediction.discs().position[i]);
            let Ok(disc) = app.world().get_entity(entity) else {
                assert!(!at.is_finite(), "{what}, tick {tick}: {entity} has gone");
                continue;
            };
            if disc.contains::<InPocket>() {
                continue;
            }
            let now = (disc.get::<Position>().unwrap().0, disc.get::<Velocity>().unwrap().0);
            assert_eq!((at, prediction.discs().velocity[i]), now, "{what}, tick {tick}: {entity}");
        }
    }
    let seen: Vec<_> = prediction.entered().iter().map(|(_, it)| *it).collect();
    assert_eq!(seen, app.world().resource::<Entered>().0, "{what}");
    let seen: Vec<_> = prediction.impacts().iter().map(|(_, it)| *it).collect();
    assert_eq!(seen, support::collisions(app), "{what}");
}

#[test]
fn sensors_are_entered_as_foreseen() {
    for mode in MODES {
        let mut app = app(mode);
        pegs(&mut app, false);
        let prediction = support::predict(&mut app, 9.0);
        compare(&mut app, prediction, 240, &format!("{mode:?}"));
        let entered = app.world().resource::<Entered>().0.len();
        assert!(entered > 8, "{mode:?}: {entered} times something was entered");
    }
}

#[test]
fn what_vanishes_when_hit_is_gone_in_the_prediction_as_in_the_game() {
    for mode in MODES {
        let mut app = app(mode);
        let discs = pegs(&mut app, true);
        let world = app.world_mut();
        let fragile: Vec<Entity> = world.query_filtered::<Entity, With<Fragile>>().iter(world).collect();
        let prediction = support::predict(&mut app, 9.0).vanishing(fragile.iter().copied());
        compare(&mut app, prediction, 120, &format!("{mode:?}"));
        let left = fragile.iter().filter(|&&it| app.world().get_entity(it).is_ok()).count();
        let discs_left = discs.iter().filter(|&&it| app.world().get_entity(it).is_ok()).count();
        assert!(left + 8 < fragile.len(), "{mode:?}: {left} of {} are left", fragile.len());
        assert!(discs_left < discs.len(), "{mode:?}: discs vanish, too");
    }
}

#[test]
fn a_path_ends_where_its_disc_vanishes_also_in_a_wind_that_blows_on_all() {
    fn wind(space: &mut PhysicsSpace) {
        let change = vec2(0.3, -0.5) * space.substep();
        space.discs.velocity.iter_mut().for_each(|velocity| *velocity += change);
    }
    for mode in MODES {
        let mut app = app(mode);
        app.add_force(wind);
        pegs(&mut app, true);
        let world = app.world_mut();
        let fragile: Vec<Entity> = world.query_filtered::<Entity, With<Fragile>>().iter(world).collect();
        let prediction = support::predict(&mut app, 2.0).vanishing(fragile.iter().copied()).finished();
        assert!(!prediction.impacts().is_empty());
        for path in prediction.paths() {
            assert!(path.points.iter().all(|(place, _)| place.is_finite()), "{mode:?}: {path:?}");
        }
    }
}

#[test]
fn what_vanishes_on_a_periodic_table_is_gone_across_the_edges() {
    for mode in MODES {
        let mut app = app(mode);
        pegs(&mut app, true);
        let world = app.world_mut();
        let arena: Vec<Entity> = world
            .query::<(Entity, &Terrain)>()
            .iter(world)
            .filter(|(_, terrain)| terrain.is_arena())
            .map(|(entity, _)| entity)
            .collect();
        for arena in arena {
            assert!(world.despawn(arena));
        }
        world.resource_mut::<MotionSettings>().gravity = Vec2::ZERO;
        let ends = Some((-5.0, 5.0));
        support::settings(&mut app, |settings| settings.periodic = Periodic { x: ends, y: ends });
        let world = app.world_mut();
        let fragile: Vec<Entity> = world.query_filtered::<Entity, With<Fragile>>().iter(world).collect();
        let prediction = support::predict(&mut app, 9.0).vanishing(fragile.iter().copied());
        compare(&mut app, prediction, 90, &format!("{mode:?}"));
        let left = fragile.iter().filter(|&&it| app.world().get_entity(it).is_ok()).count();
        assert!(left < fragile.len(), "{mode:?}: {left} of {} are left", fragile.len());
    }
}

#[test]
fn an_impact_that_is_too_slow_for_a_message_makes_nothing_vanish() {
    let mut app = app((SolverMode::Continuous, 1));
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::ZERO;
    support::settings(&mut app, |settings| settings.report_above = 2.0);
    let wall = (Terrain::Segment { a: vec2(1.0, -1.0), b: vec2(1.0, 1.0) }, Fragile);
    let wall = app.world_mut().spawn(wall).id();
    let slow = (Disc, Radius(0.1), Position(vec2(0.0, 0.5)), Velocity(vec2(1.5, 0.0)));
    app.world_mut().spawn(slow);
    let fast = (Disc, Radius(0.1), Position(vec2(-5.0, -0.5)), Velocity(vec2(2.5, 0.0)));
    app.world_mut().spawn(fast);
    let late = (Disc, Radius(0.1), Position(vec2(-9.0, 0.0)), Velocity(vec2(2.5, 0.0)));
    let late = app.world_mut().spawn(late).id();
    let prediction = support::predict(&mut app, 6.0).vanishing([wall]).finished();
    assert_eq!(prediction.impacts().len(), 2, "the slow one and the fast one; the wall has gone for the late one");
    ticks(&mut app, prediction.ticks() as usize);
    assert!(app.world().get_entity(wall).is_err());
    let path = prediction.path_of(late).unwrap();
    assert_eq!(path.points.last().unwrap().0, position(&app, late));
    assert!(prediction.path_of(wall).is_none(), "it is not a disc");
}

#[test]
fn a_prediction_ends_where_it_was_to_look_for() {
    for mode in MODES {
        let mut app = app(mode);
        app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::ZERO;
        let peg = app.world_mut().spawn((Terrain::Circle { radius: 0.2 }, Position(vec2(2.0, 0.0)))).id();
        let gate = app.world_mut().spawn((Terrain::Circle { radius: 0.2 }, Position(vec2(1.0, 0.0)), Sensor)).id();
        let pocket = app.world_mut().spawn((Pocket { radius: 0.3 }, Position(vec2(-2.0, 0.0)))).id();
        let spawn = |app: &mut App, at: Vec2, velocity: Vec2| {
            let disc = (Disc, Radius(0.1), Position(at), Velocity(velocity), Restitution(1.0));
            app.world_mut().spawn(disc).id()
        };
        // The first comes into the gate and to the peg, the second only through the gate, the third falls.
        let first = spawn(&mut app, vec2(0.0, 0.0), vec2(2.0, 0.0));
        let second = spawn(&mut app, vec2(0.0, 3.0), vec2(0.5, -1.5));
        let third = spawn(&mut app, vec2(-0.5, 0.0), vec2(-1.0, 0.0));
        let mut look = |until: Entity, of: Option<Entity>| {
            let horizon = Horizon { seconds: 9.0, of, ..default() };
            predictor(&mut app, |predictor| predictor.predict(horizon)).until([until]).finished()
        };
        let near = |seconds: f32, expected: f32| (seconds - expected).abs() < 0.04;
        assert!(near(look(gate, None).seconds(), 0.35), "{mode:?}: {}", look(gate, None).seconds());
        assert!(near(look(peg, None).seconds(), 0.85), "{mode:?}: {}", look(peg, None).seconds());
        assert!(near(look(pocket, None).seconds(), 1.2), "{mode:?}: {}", look(pocket, None).seconds());
        assert!(near(look(peg, Some(first)).seconds(), 0.85));
        assert!(look(peg, Some(third)).seconds() > 8.9, "{mode:?}: the third never comes there");
        let falls = look(pocket, None);
        assert_eq!(falls.potted().iter().map(|&(_, Potted { disc, .. })| disc).collect::<Vec<_>>(), [third]);
        let entered = look(gate, None);
        let entered: Vec<_> = entered.entered().iter().map(|(_, it)| (it.entity, it.other)).collect();
        assert_eq!(entered, [(gate, first)]);
        assert!(look(gate, Some(second)).seconds() > look(gate, None).seconds());
        // Of several entities, the one that is reached first ends it.
        let at_the_peg = look(peg, None).seconds();
        let either = predictor(&mut app, |predictor| predictor.predict(Horizon { seconds: 9.0, ..default() }));
        assert_eq!(either.until([pocket, peg]).finished().seconds(), at_the_peg);
        // Only impacts of one disc count.
        let horizon = Horizon { seconds: 9.0, impacts: 1, of: Some(first) };
        let hit = predictor(&mut app, |predictor| predictor.predict(horizon)).finished();
        assert_eq!(hit.impacts().last().and_then(|(_, hit)| hit.other(first)), Some(peg));
    }
}

#[test]
fn a_shot_of_a_ball_that_waits_is_the_shot_that_is_played() {
    type Wait = (&'static str, fn(&mut EntityWorldMut), fn(&mut EntityWorldMut));
    let waits: [Wait; 5] = [
        ("free", |_| (), |_| ()),
        ("inactive", |it| _ = it.insert(Inactive), |it| _ = it.remove::<Inactive>()),
        ("kinematic", |it| _ = it.insert(Kinematic), |it| _ = it.remove::<Kinematic>()),
        (
            "led around",
            |it| _ = it.insert((Kinematic, Orbit { radius: 0.2, frequency: 1.0, ..default() })),
            |it| _ = it.remove::<(Kinematic, Orbit)>(),
        ),
        (
            "held, and inactive",
            |it| _ = it.insert((Kinematic, Inactive, MoveTo(vec2(1.0, 1.0)))),
            |it| _ = it.remove::<(Kinematic, Inactive, MoveTo)>(),
        ),
    ];
    for mode in MODES {
        for (name, wait, release) in waits {
            let mut app = app(mode);
            let others = pegs(&mut app, false);
            let ball = (Disc, Radius(0.2), Position(vec2(0.3, 0.2)), Restitution(0.7), AngularVelocity(Vec3::Z));
            let special = (Friction(0.4), GravityScale(0.5), LinearDamping(0.1), ConstantForce(vec2(0.1, 0.0)));
            let filter = (CollisionLayers { memberships: 5, filters: 7 }, IgnoredPairs(vec![others[1], others[7]]));
            let ball = app.world_mut().spawn((ball, special, filter)).id();
            app.world_mut().spawn(Joint::spring(ball, others[6], 2.0, 3.0));
            wait(&mut app.world_mut().entity_mut(ball));
            ticks(&mut app, 3);
            app.world_mut().resource_mut::<Entered>().0.clear();
            support::collisions(&mut app);
            let shot = vec2(5.0, 2.5);
            let horizon = Horizon { seconds: 9.0, ..default() };
            let prediction =
                predictor(&mut app, |predictor| predictor.shot(ball, shot, horizon)).expect("it is a disc");
            let mut ball_now = app.world_mut().entity_mut(ball);
            release(&mut ball_now);
            ball_now.insert(Velocity(shot));
            let start = ball_now.get::<Position>().unwrap().0;
            assert_eq!(prediction.path_of(ball).unwrap().points[0], (start, 0.0), "{mode:?}, {name}");
            compare(&mut app, prediction, 60, &format!("{mode:?}, {name}"));
            assert!(velocity(&app, ball) != shot && position(&app, ball) != start);
        }
    }
}

#[test]
fn only_a_valid_disc_can_be_shot() {
    let mut app = support::app();
    let wall = app.world_mut().spawn(Terrain::Circle { radius: 1.0 }).id();
    let bad = app.world_mut().spawn((Disc, Inactive, Radius(-1.0), Position(vec2(5.0, 0.0)))).id();
    let worse = app.world_mut().spawn((Disc, Radius(f32::NAN), Position(vec2(9.0, 0.0)))).id();
    for entity in [wall, bad, worse, Entity::PLACEHOLDER] {
        assert!(predictor(&mut app, |predictor| predictor.shot(entity, Vec2::X, Horizon::default())).is_none());
    }
}

#[test]
fn a_system_decides_about_slow_motion_by_a_prediction() {
    let mut app = support::app();
    app.world_mut().spawn((Disc, Velocity(vec2(1.0, 0.0))));
    app.world_mut().spawn((Terrain::Segment { a: vec2(2.0, -1.0), b: vec2(2.0, 1.0) }, Position::default()));
    app.add_systems(Update, |predictor: Predictor, mut playback: ResMut<Playback>| {
        let soon = predictor.predict(Horizon { seconds: 3.0, impacts: 1, ..default() }).finished();
        playback.time_scale = Some(if soon.impacts().is_empty() { 1.0 } else { 0.25 });
    });
    app.update();
    assert_eq!(app.world().resource::<Playback>().time_scale, Some(0.25));
}

/// The time of 182 ticks of one ball among static pegs and a ring of this many turning polygons with 24 corners, ms.
fn time_among_polygons(mode: (SolverMode, u32), polygons: usize) -> f64 {
    let mut app = app(mode);
    let world = app.world_mut();
    world.spawn(Terrain::Arena { half_size: vec2(5.0, 5.0) });
    for k in 0..40_u8 {
        let at = vec2(f32::from(k % 8) - 3.5, f32::from(k / 8) - 2.0);
        world.spawn((Terrain::Circle { radius: 0.1 }, Position(at)));
    }
    let corner = |k: u8| Vec2::from_angle(std::f32::consts::TAU / 24.0 * f32::from(k));
    for k in 0..polygons {
        let at = 4.0 * Vec2::from_angle(std::f32::consts::TAU * k as f32 / polygons as f32);
        let points = (0..24).map(|k| corner(k) * 0.3).collect();
        world.spawn((Terrain::Polygon { points }, Position(at), AngularVelocity(Vec3::Z * 2.0)));
    }
    world.spawn((Disc, Radius(0.1), Position(vec2(0.2, 4.8)), Velocity(vec2(2.0, -3.0)), Restitution(0.8)));
    let mut time = || {
        let mut prediction = support::predict(&mut app, 182.5 / 60.0);
        let begin = std::time::Instant::now();
        while !prediction.is_done() {
            prediction.tick();
        }
        begin.elapsed().as_secs_f64() * 1e3
    };
    std::iter::repeat_with(&mut time).take(15).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "it measures: cargo test --release --test physics -- --ignored --nocapture turning_polygons"]
fn how_long_a_prediction_among_turning_polygons_takes() {
    for mode in MODES {
        let times = [0, 6, 16].map(|polygons| time_among_polygons(mode, polygons));
        println!("{mode:?}: {:.2} ms without, {:.2} ms with 6, {:.2} ms with 16", times[0], times[1], times[2]);
    }
}
