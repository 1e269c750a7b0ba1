//! Sensors: which discs enter and leave an area, and when.

use bevy::prelude::*;
use carom::{collision::SolverMode, prelude::*};

use crate::support::{self, MODES, app_in, prediction};

/// The messages of sensors: sensor, disc, whether it entered, and the time in ticks and seconds.
#[derive(Resource, Default)]
struct Told(Vec<(Entity, Entity, bool, u64, f32)>);

/// The same from the entity events.
#[derive(Resource, Default)]
struct Observed(usize);

fn app(mode: (SolverMode, u32)) -> App {
    let mut app = app_in(mode);
    app.init_resource::<Told>().init_resource::<Observed>();
    app.add_systems(
        FixedPostUpdate,
        (|mut entered: MessageReader<SensorOverlapStarted>,
          mut left: MessageReader<SensorOverlapEnded>,
          mut told: ResMut<Told>| {
            let mut all: Vec<_> = entered.read().map(|e| (e.entity, e.other, true, e.tick, e.time)).collect();
            all.extend(left.read().map(|e| (e.entity, e.other, false, e.tick, e.time)));
            all.sort_by(|a, b| (a.3, a.4).partial_cmp(&(b.3, b.4)).unwrap());
            told.0.extend(all);
        })
        .after(SimulationSystems),
    );
    app.add_observer(|_: On<SensorOverlapStarted>, mut count: ResMut<Observed>| count.0 += 1);
    app.add_observer(|_: On<SensorOverlapEnded>, mut count: ResMut<Observed>| count.0 += 1);
    app
}

fn told(app: &mut App) -> Vec<(Entity, Entity, bool, u64, f32)> {
    let told = std::mem::take(&mut app.world_mut().resource_mut::<Told>().0);
    let observed = std::mem::take(&mut app.world_mut().resource_mut::<Observed>().0);
    assert_eq!(told.len(), observed, "each message is an event, too");
    told
}

/// Seconds since the first tick began.
fn at((_, _, _, tick, time): (Entity, Entity, bool, u64, f32), first: u64) -> f64 {
    (tick - first) as f64 / 60.0 + f64::from(time)
}

#[test]
fn areas_and_lines_tell_the_exact_times_and_change_nothing() {
    let shapes = [
        (Terrain::Circle { radius: 1.0 }, 1.0),
        (Terrain::Block { half_size: vec2(1.0, 3.0) }, 1.0),
        (Terrain::Arena { half_size: vec2(1.0, 3.0) }, 1.0),
        (Terrain::Polygon { points: vec![vec2(-1.0, -3.0), vec2(1.0, -3.0), vec2(1.0, 3.0), vec2(-1.0, 3.0)] }, 1.0),
        (Terrain::Segment { a: vec2(0.0, -3.0), b: vec2(0.0, 3.0) }, 0.0),
    ];
    for mode in MODES {
        // 600 m/s: ten metres a tick, in and out within one.
        for speed in [0.7_f32, 6.0, 600.0] {
            for (shape, half) in &shapes {
                let mut app = app(mode);
                let sensor = app.world_mut().spawn((shape.clone(), Position(vec2(10.0, 0.0)), Sensor)).id();
                let disc = support::disc(&mut app, Vec2::ZERO, vec2(speed, 0.0));
                let first = app.world().resource::<PhysicsSpace>().clock.tick + 1;
                support::ticks(&mut app, (14.0 * 60.0 / speed) as usize + 2);
                let told = told(&mut app);
                let name = format!("{mode:?}, {speed} m/s, {shape:?}: {told:?}");
                let whom: Vec<_> = told.iter().map(|t| (t.0, t.1, t.2)).collect();
                assert_eq!(whom, [(sensor, disc, true), (sensor, disc, false)], "{name}");
                for (told, way) in told.into_iter().zip([9.5 - half, 10.5 + half]) {
                    let expected = way / f64::from(speed);
                    assert!((at(told, first) - expected).abs() < 2e-4 * expected + 1e-6, "{name}, {expected}");
                }
                assert_eq!(support::velocity(&app, disc), vec2(speed, 0.0));
                assert!(support::collisions(&mut app).is_empty());
            }
        }
    }
}

#[test]
fn a_disc_that_bounces_within_the_tick_is_seen_where_it_went() {
    let mut app = app((SolverMode::Continuous, 1));
    // In, off the wall and out again within one tick of 5 m; the straight line from its start to its end is not near.
    app.world_mut().spawn(Terrain::Segment { a: vec2(2.5, -3.0), b: vec2(2.5, 3.0) });
    let sensor = app.world_mut().spawn((Terrain::Segment { a: vec2(2.0, -3.0), b: vec2(2.0, 3.0) }, Sensor)).id();
    let disc = support::disc(&mut app, vec2(0.0, 0.0), vec2(300.0, 0.0));
    let first = app.world().resource::<PhysicsSpace>().clock.tick + 1;
    support::ticks(&mut app, 1);
    let told = told(&mut app);
    assert_eq!(told.iter().map(|t| (t.0, t.1, t.2)).collect::<Vec<_>>(), [(sensor, disc, true), (sensor, disc, false)]);
    assert!((at(told[0], first) - 1.5 / 300.0).abs() < 1e-6 && (at(told[1], first) - 2.5 / 300.0).abs() < 1e-6);
}

#[test]
fn a_disc_that_is_a_sensor_goes_through_everything_and_notices_discs() {
    for mode in MODES {
        let mut app = app(mode);
        app.world_mut().spawn(Terrain::Segment { a: vec2(4.0, -3.0), b: vec2(4.0, 3.0) });
        let sensor = support::disc(&mut app, vec2(10.0, 0.2), vec2(-6.0, 0.0));
        app.world_mut().entity_mut(sensor).insert((Sensor, Radius(1.0)));
        let other = support::disc(&mut app, vec2(6.0, 4.0), Vec2::ZERO);
        app.world_mut().entity_mut(other).insert(Sensor);
        let disc = support::disc(&mut app, vec2(0.0, 0.2), vec2(3.0, 0.0));
        let ghost = support::disc(&mut app, vec2(1.0, 0.2), vec2(3.0, 0.0));
        app.world_mut().entity_mut(ghost).insert(CollisionLayers::NONE);
        let first = app.world().resource::<PhysicsSpace>().clock.tick + 1;
        assert_eq!(prediction(&mut app, 0.5).impacts().len(), 0, "{mode:?}");
        support::ticks(&mut app, 60);
        // 10 - 6 t - 3 t = 1.5, and the disc has not reached the wall by then.
        let told = told(&mut app);
        assert_eq!(told.iter().map(|t| (t.0, t.1, t.2)).collect::<Vec<_>>(), [(sensor, disc, true)], "{mode:?}");
        assert!((at(told[0], first) - 8.5 / 9.0).abs() < 1e-4, "{mode:?}: {told:?}");
        assert_eq!(app.world().get::<Sensed>(sensor).unwrap()[..], [disc]);
        assert!((support::position(&app, sensor).x - 4.0).abs() < 1e-3, "{mode:?}: through the wall");
    }
}

#[test]
fn who_begins_inside_enters_and_who_is_taken_away_has_left() {
    for mode in MODES {
        let mut app = app(mode);
        let sensor = app.world_mut().spawn((Terrain::Circle { radius: 5.0 }, Sensor)).id();
        app.world_mut().spawn((Pocket { radius: 0.3 }, Position(vec2(0.0, 3.0))));
        let discs: Vec<Entity> =
            (0..4_u8).map(|k| support::disc(&mut app, vec2(f32::from(k) * 1.2 - 3.6, 0.0), Vec2::ZERO)).collect();
        let potted = support::disc(&mut app, vec2(0.0, 2.0), vec2(0.0, 7.0));
        support::ticks(&mut app, 1);
        let all: Vec<Entity> = discs.iter().copied().chain([potted]).collect();
        assert_eq!(app.world().get::<Sensed>(sensor).unwrap()[..], all, "{mode:?}");
        assert!(told(&mut app).iter().all(|told| told.2 && told.4 == 0.0));
        app.world_mut().despawn(discs[0]);
        app.world_mut().entity_mut(discs[1]).insert(Inactive);
        app.world_mut().entity_mut(discs[2]).insert(Position(vec2(50.0, 0.0)));
        app.world_mut().entity_mut(discs[3]).insert(Sensor);
        support::ticks(&mut app, 1);
        let left = told(&mut app);
        assert_eq!(left.iter().filter(|told| !told.2 && told.4 == 0.0).count(), 4, "{mode:?}: {left:?}");
        support::ticks(&mut app, 20);
        let fell = told(&mut app);
        assert_eq!(fell.iter().map(|t| (t.1, t.2)).collect::<Vec<_>>(), [(potted, false)], "{mode:?}");
        assert!(app.world().get::<Sensed>(sensor).unwrap().is_empty());
    }
}

#[test]
fn in_a_crowd_lists_and_messages_agree_with_the_places_and_nothing_is_felt() {
    for mode in MODES {
        let (mut app, mut without) = (app(mode), app(mode));
        let mut sensors = Vec::new();
        for (app, are_there) in [(&mut app, true), (&mut without, false)] {
            let (discs, half_size) = support::random_discs(90, 5);
            support::fill(app, &discs, half_size);
            if are_there {
                let block = (Terrain::Block { half_size: vec2(1.5, 0.7) }, Position(vec2(1.0, 1.0)), Rotation(0.4));
                sensors.push(app.world_mut().spawn((block, Sensor)).id());
                sensors.push(
                    app.world_mut().spawn((Terrain::Circle { radius: 1.2 }, Position(vec2(-2.0, 0.0)), Sensor)).id(),
                );
            }
        }
        let mut inside: Vec<(Entity, Entity)> = Vec::new();
        for tick in 0..120 {
            support::ticks(&mut app, 1);
            support::ticks(&mut without, 1);
            assert_eq!(support::hash(&mut app), support::hash(&mut without), "{mode:?}, tick {tick}");
            for (sensor, disc, entered, ..) in told(&mut app) {
                let known = inside.iter().position(|pair| *pair == (sensor, disc));
                assert_eq!(known.is_none(), entered, "{mode:?}, tick {tick}: by turns");
                match known {
                    Some(at) => _ = inside.swap_remove(at),
                    None => inside.push((sensor, disc)),
                }
            }
            let mut listed: Vec<(Entity, Entity)> = Vec::new();
            for &sensor in &sensors {
                listed.extend(app.world().get::<Sensed>(sensor).unwrap().iter().map(|&disc| (sensor, disc)));
            }
            inside.sort_unstable();
            listed.sort_unstable();
            assert_eq!(inside, listed, "{mode:?}, tick {tick}");
            let circle = (sensors[1], vec2(-2.0, 0.0));
            let mut discs = app.world_mut().query::<(Entity, &Position, &Radius)>();
            for (disc, position, radius) in discs.iter(app.world()) {
                let gap = position.distance(circle.1) - radius.0 - 1.2;
                let is = listed.binary_search(&(circle.0, disc)).is_ok();
                assert!(gap.abs() < 1e-4 || (gap < 0.0) == is, "{mode:?}, tick {tick}: {gap}");
            }
        }
        assert!(inside.len() > 3, "{mode:?}");
    }
}
