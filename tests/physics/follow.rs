//! A `Transform` follows its disc or its piece of terrain between two ticks. A teleported entity appears at its new
//! place at once.

use bevy::{
    ecs::schedule::{InternedScheduleLabel, ScheduleLabel},
    prelude::*,
    time::TimeUpdateStrategy,
    transform::TransformPlugin,
};
use carom::{
    collision::Periodic,
    interpolation::{Drawn, InterpolationSettings},
    prelude::*,
};
use std::f32::consts::{FRAC_PI_2, PI};

/// The length of a tick, seconds: a power of two, so that all sums of them are exact.
const TICK: f32 = 1.0 / 64.0;

fn app_with(schedule: impl ScheduleLabel) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::new(schedule)));
    // The first update only starts the clocks.
    app.update();
    app
}

fn app() -> App {
    app_with(FixedPostUpdate)
}

/// Runs a frame this many ticks after the last one.
fn frame(app: &mut App, ticks: f32) {
    let time = core::time::Duration::from_secs_f32(ticks * TICK);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(time));
    app.update();
}

/// The global position of an entity in the frame.
fn place(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<GlobalTransform>(entity).expect("it has a transform").translation().truncate()
}

/// Its global rotation about the z axis, radians.
fn angle(app: &App, entity: Entity) -> f32 {
    app.world().get::<GlobalTransform>(entity).expect("it has a transform").rotation().to_euler(EulerRot::ZYX).0
}

#[track_caller]
fn assert_near(place: Vec2, expected: Vec2) {
    // Some roundings of f32 at a few metres.
    assert!(place.distance(expected) < 1e-5 * (1.0 + expected.length()), "{place} instead of {expected}");
}

#[test]
fn a_transform_follows_between_ticks_wherever_the_tick_runs() {
    let schedules: [InternedScheduleLabel; 3] =
        [FixedPostUpdate.intern(), FixedUpdate.intern(), FixedPreUpdate.intern()];
    for schedule in schedules {
        let mut app = app_with(schedule);
        let looks = Transform::from_xyz(9.0, 9.0, 5.5)
            .with_scale(vec3(2.0, 3.0, 1.0))
            .with_rotation(Quat::from_rotation_z(0.4));
        let moving = (Disc, Velocity(vec2(6.4, -3.2)));
        let disc = app.world_mut().spawn((moving, Position(vec2(1.0, 2.0)), looks)).id();
        let own = app.world_mut().spawn((moving, Position(vec2(-9.0, 2.0)), looks, NoTransformSync)).id();
        let bare = app.world_mut().spawn((moving, Position(vec2(20.0, 2.0)))).id();
        frame(&mut app, 0.0);
        assert_eq!(place(&app, disc), vec2(1.0, 2.0), "before the first tick");
        frame(&mut app, 1.25);
        assert_near(place(&app, disc), vec2(1.0, 2.0) + 0.25 * TICK * vec2(6.4, -3.2));
        frame(&mut app, 0.5);
        assert_near(place(&app, disc), vec2(1.0, 2.0) + 0.75 * TICK * vec2(6.4, -3.2));
        frame(&mut app, 2.75);
        assert_near(place(&app, disc), vec2(1.0, 2.0) + 3.5 * TICK * vec2(6.4, -3.2));
        let transform = app.world().get::<Transform>(disc).unwrap();
        assert_eq!((transform.translation.z, transform.scale, transform.rotation), (5.5, looks.scale, looks.rotation));
        assert_eq!(app.world().get::<Transform>(own), Some(&looks), "it is left alone");
        let bare = app.world().entity(bare);
        assert!(!bare.contains::<Drawn>() && !bare.contains::<Transform>(), "nobody looks at it");
        app.insert_resource(InterpolationSettings { enabled: false });
        frame(&mut app, 0.25);
        assert_eq!(place(&app, disc), app.world().get::<Position>(disc).unwrap().0);
    }
}

#[test]
fn what_is_spawned_in_the_game_loop_moves_smoothly_from_its_first_frame() {
    let mut app = app();
    let spawn = |mut commands: Commands, discs: Query<(), With<Disc>>| {
        if discs.is_empty() {
            commands.spawn((Disc, Velocity(vec2(6.4, 0.0)), Transform::default()));
        }
    };
    app.add_systems(FixedUpdate, spawn);
    frame(&mut app, 1.5);
    let disc = app.world_mut().query_filtered::<Entity, With<Disc>>().single(app.world()).unwrap();
    assert_near(place(&app, disc), vec2(0.5 * TICK * 6.4, 0.0));
}

#[test]
fn a_child_is_in_the_world_where_the_physics_has_it() {
    let frames = [
        Transform::IDENTITY,
        Transform::from_xyz(10.0, -3.0, 1.0).with_rotation(Quat::from_rotation_z(0.7)).with_scale(Vec3::splat(2.0)),
        Transform::from_xyz(-4.0, 5.0, 0.0).with_rotation(Quat::from_rotation_z(-2.0)).with_scale(vec3(-1.5, 1.5, 1.0)),
        // Tilted out of the plane, as in a game with a side view.
        Transform::from_xyz(1.0, 2.0, 3.0).with_rotation(Quat::from_euler(EulerRot::XYZ, 0.5, 0.3, 0.2)),
    ];
    for parent in frames {
        let mut app = app();
        let parent = app.world_mut().spawn(parent).id();
        let middle = app.world_mut().spawn((Transform::from_xyz(1.0, 1.0, 0.5), ChildOf(parent))).id();
        let looks = Transform::from_xyz(0.0, 0.0, 0.25).with_scale(Vec3::splat(0.5));
        let moving = (Disc, Position(vec2(3.0, 4.0)), Velocity(vec2(6.4, 0.0)));
        let disc = app.world_mut().spawn((moving, looks, ChildOf(middle))).id();
        let block = Terrain::Block { half_size: Vec2::ONE };
        let turning = (Position(vec2(-30.0, 0.0)), Rotation(0.2), AngularVelocity(Vec3::Z * 3.2));
        let block = app.world_mut().spawn((block, turning, Transform::default(), ChildOf(middle))).id();
        // A following entity as a child of another one.
        let rider = (Disc, Position(vec2(-30.0, 5.0)), Velocity(vec2(0.0, 3.2)));
        let rider = app.world_mut().spawn((rider, Transform::default(), ChildOf(block))).id();
        for k in 1..20 {
            let way = 0.75 * k as f32 * TICK;
            // The parent moves in the same frame.
            app.world_mut().get_mut::<Transform>(parent).unwrap().translation += vec3(0.3, -0.2, 0.1);
            frame(&mut app, 0.75);
            let way = (way - TICK).max(0.0);
            assert_near(place(&app, disc), vec2(3.0 + 6.4 * way, 4.0));
            assert_near(place(&app, block), vec2(-30.0, 0.0));
            assert_near(place(&app, rider), vec2(-30.0, 5.0 + 3.2 * way));
            let points_along = app.world().get::<GlobalTransform>(block).unwrap().affine().matrix3.x_axis.truncate();
            let turn = points_along.to_angle() - (0.2 + 3.2 * way);
            assert!(turn.abs() < 1e-5, "turned by {turn} too much");
            let transform = app.world().get::<Transform>(disc).unwrap();
            assert_eq!((transform.translation.z, transform.scale), (0.25, looks.scale));
        }
    }
}

#[test]
fn children_go_with_their_disc() {
    let mut app = app();
    let disc = (Disc, Position(vec2(3.0, 4.0)), Velocity(vec2(6.4, 0.0)), Transform::from_xyz(0.0, 0.0, 2.0));
    let disc = app.world_mut().spawn(disc).id();
    let flag = app.world_mut().spawn((Transform::from_xyz(0.5, 0.25, 1.0), ChildOf(disc))).id();
    frame(&mut app, 1.5);
    let flag = app.world().get::<GlobalTransform>(flag).unwrap().translation();
    assert_near(flag.truncate(), vec2(3.5 + 0.5 * TICK * 6.4, 4.25));
    assert_eq!(flag.z, 3.0);
}

/// The target of the teleport in [`teleports`].
const THERE: Vec2 = vec2(100.0, 50.0);

#[derive(Resource, Default)]
struct Gone(bool);

/// Runs a disc at several frame rates. `add` must teleport it and then set [`Gone`].
#[track_caller]
fn teleports(how: &str, add: impl Fn(&mut App, Entity)) {
    for ticks in [0.3, 0.75, 1.0, 1.4, 2.3] {
        let mut app = app();
        app.init_resource::<Gone>();
        let disc = app.world_mut().spawn((Disc, Radius(0.1), Velocity(vec2(6.4, 0.0)), Transform::default())).id();
        add(&mut app, disc);
        for k in 0..40 {
            frame(&mut app, ticks);
            let (place, is_gone) = (place(&app, disc), app.world().resource::<Gone>().0);
            let near = if is_gone { THERE } else { Vec2::ZERO };
            assert!(place.distance(near) < 20.0, "{how}, frame {k} of {ticks} ticks: {place}, {is_gone}");
        }
        assert!(app.world().resource::<Gone>().0, "{how}: it has been put elsewhere");
    }
}

#[test]
fn what_is_put_elsewhere_is_there_at_once() {
    fn write(mut gone: ResMut<Gone>, mut position: Single<&mut Position, With<Disc>>) {
        if position.x > 1.0 && !gone.0 {
            (position.0, gone.0) = (THERE, true);
        }
    }
    fn command(mut commands: Commands, mut gone: ResMut<Gone>, disc: Single<(Entity, &Position), With<Disc>>) {
        let (disc, position) = *disc;
        if position.x > 1.0 && !gone.0 {
            commands.entity(disc).teleport(THERE);
            gone.0 = true;
        }
    }
    teleports("in Update", |app, _| _ = app.add_systems(Update, write));
    teleports("by a command in Update", |app, _| _ = app.add_systems(Update, command));
    teleports("in FixedUpdate", |app, _| _ = app.add_systems(FixedUpdate, write));
    teleports("by a command in FixedUpdate", |app, _| _ = app.add_systems(FixedUpdate, command));
    teleports("in FixedPreUpdate", |app, _| _ = app.add_systems(FixedPreUpdate, write));
    teleports("just before the tick", |app, _| _ = app.add_systems(FixedPostUpdate, write.before(SimulationSystems)));
    teleports("just after the tick", |app, _| _ = app.add_systems(FixedPostUpdate, write.after(SimulationSystems)));
    teleports("in FixedLast", |app, _| _ = app.add_systems(FixedLast, command));
    let goal = || (Sensor, Terrain::Segment { a: vec2(1.0, -5.0), b: vec2(1.0, 5.0) });
    teleports("by an observer", |app, disc| {
        let write = move |_: On<SensorOverlapStarted>, mut positions: Query<&mut Position>, mut gone: ResMut<Gone>| {
            (positions.get_mut(disc).unwrap().0, gone.0) = (THERE, true);
        };
        app.world_mut().spawn(goal()).observe(write);
    });
    teleports("by commands of an observer", |app, _| {
        let command = |entered: On<SensorOverlapStarted>, mut commands: Commands, mut gone: ResMut<Gone>| {
            commands.entity(entered.other).teleport(THERE);
            gone.0 = true;
        };
        app.world_mut().spawn(goal()).observe(command);
    });
    teleports("by an observer of a collision", |app, _| {
        let wall = Terrain::Segment { a: vec2(1.0, -5.0), b: vec2(1.0, 5.0) };
        app.world_mut().spawn((wall, ReportCollisions)).observe(
            |hit: On<CollisionEvent>, mut positions: Query<&mut Position, With<Disc>>, mut gone: ResMut<Gone>| {
                let _ = hit;
                positions.single_mut().unwrap().0 = THERE;
                gone.0 = true;
            },
        );
    });
}

#[test]
fn nothing_sweeps_across_a_periodic_table() {
    for velocity in [vec2(6.4, 1.6), vec2(-12.8, 0.0)] {
        let mut app = app();
        app.insert_resource(CollisionSettings {
            periodic: Periodic { x: Some((-2.0, 2.0)), y: Some((-1.0, 1.0)) },
            ..default()
        });
        let disc = (Disc, Radius(0.1), Velocity(velocity), Transform::default());
        let disc = app.world_mut().spawn(disc).id();
        let piece = (Terrain::Block { half_size: vec2(0.1, 0.1) }, IgnoredPairs(vec![disc]));
        let piece = app.world_mut().spawn((piece, Velocity(-velocity), Transform::default())).id();
        frame(&mut app, 1.0);
        for k in 1..200 {
            frame(&mut app, 0.375);
            let way = velocity * TICK * 0.375 * k as f32;
            let period = vec2(4.0, 2.0);
            for (entity, expected) in [(disc, way), (piece, -way)] {
                let off = place(&app, entity) - expected;
                let off = off - period * (off / period).round();
                assert!(off.length() < 1e-4, "frame {k}: {off} beside the way");
                // A disc that leaves the cell is outside by at most one step.
                assert!(place(&app, entity).abs().cmple(period / 2.0 + velocity.abs() * TICK).all());
            }
        }
    }
}

#[test]
fn moving_terrain_follows_between_ticks() {
    let mut app = app();
    let block = Terrain::Block { half_size: Vec2::ONE };
    let driven =
        (block.clone(), Velocity(vec2(6.4, 0.0)), AngularVelocity(Vec3::Z * 3.2), Transform::from_xyz(0.0, 0.0, 4.5));
    let driven = app.world_mut().spawn(driven).id();
    let bucket = Terrain::Segment { a: vec2(-1.0, 0.0), b: vec2(1.0, 0.0) };
    let bucket = app
        .world_mut()
        .spawn((bucket, Position(vec2(0.0, -20.0)), MoveTo(vec2(0.0, -20.0)), Transform::default()))
        .id();
    app.add_systems(FixedUpdate, |mut targets: Query<&mut MoveTo>| {
        for mut target in &mut targets {
            target.x += 0.1;
        }
    });
    let peg = (Terrain::Circle { radius: 0.5 }, Position(vec2(7.0, 30.0)), Rotation(0.5), Transform::default());
    let peg = app.world_mut().spawn(peg).id();
    for k in 1..200 {
        frame(&mut app, 0.375);
        let ticks = (0.375 * k as f32 - 1.0).max(0.0);
        assert_near(place(&app, driven), vec2(6.4 * TICK * ticks, 0.0));
        // It turns by more than a full turn.
        let off = angle(&app, driven) - 3.2 * TICK * ticks;
        assert!((off / (2.0 * PI)).fract().abs().min(1.0 - (off / (2.0 * PI)).fract().abs()) < 1e-4, "{off}");
        assert_near(place(&app, bucket), vec2(0.1 * ticks, -20.0));
        assert_eq!(place(&app, peg), vec2(7.0, 30.0));
        assert!((angle(&app, peg) - 0.5).abs() < 1e-6);
    }
    // A teleport takes effect at once.
    app.world_mut().get_mut::<Position>(driven).unwrap().0 = vec2(50.0, 50.0);
    app.world_mut().get_mut::<Position>(peg).unwrap().0 = vec2(9.0, 9.0);
    frame(&mut app, 0.125);
    assert_eq!((place(&app, driven), place(&app, peg)), (vec2(50.0, 50.0), vec2(9.0, 9.0)));
}

#[test]
fn a_disc_with_an_orientation_turns_between_ticks() {
    let mut app = app();
    let stone = (Disc, Velocity(vec2(6.4, 0.0)), AngularVelocity(Vec3::Z * 3.2), Orientation::default());
    let stone = app.world_mut().spawn((stone, Transform::default())).id();
    let ball = (Disc, Position(vec2(0.0, 20.0)), Velocity(vec2(6.4, 0.0)));
    let ball = (ball, Orientation { rolled_to: vec2(0.0, 20.0), ..default() }, Transform::default());
    let ball = app.world_mut().spawn(ball).id();
    for k in 1..100 {
        frame(&mut app, 0.375);
        let ticks = (0.375 * k as f32 - 1.0).max(0.0);
        let turn = |entity| app.world().get::<GlobalTransform>(entity).unwrap().rotation();
        let expected = Quat::from_rotation_z(3.2 * TICK * ticks);
        assert!(turn(stone).angle_between(expected) < 2e-3, "a stone lies flat: {} {expected}", turn(stone));
        let rolled = Quat::from_rotation_y(6.4 * TICK * ticks / 0.5);
        assert!(turn(ball).angle_between(rolled) < 2e-3, "{} {rolled}", turn(ball));
    }
}

#[test]
fn a_pause_shows_the_last_tick_and_nothing_jumps_back_after_it() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Velocity(vec2(6.4, 0.0)), Transform::default())).id();
    frame(&mut app, 3.25);
    app.world_mut().resource_mut::<Playback>().paused = true;
    frame(&mut app, 0.125);
    let paused = place(&app, disc);
    assert_eq!(paused, app.world().get::<Position>(disc).unwrap().0);
    frame(&mut app, 5.125);
    assert_eq!(place(&app, disc), paused);
    app.world_mut().resource_mut::<Playback>().paused = false;
    frame(&mut app, 0.25);
    assert_eq!(place(&app, disc), paused);
    frame(&mut app, 0.5);
    assert!(place(&app, disc).x > paused.x);
}

#[test]
fn a_place_that_is_none_leaves_the_transform_as_it_is() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Position(vec2(1.0, 2.0)), Transform::default())).id();
    frame(&mut app, 1.5);
    app.world_mut().get_mut::<Position>(disc).unwrap().0 = vec2(f32::NAN, 0.0);
    frame(&mut app, 1.0);
    assert_eq!(place(&app, disc), vec2(1.0, 2.0));
    // A child of a parent with zero scale has no defined place. Other entities are not affected.
    let flat = app.world_mut().spawn(Transform::from_scale(Vec3::ZERO)).id();
    app.world_mut().entity_mut(disc).insert((Position(vec2(3.0, 4.0)), ChildOf(flat)));
    frame(&mut app, 1.0);
    assert!(app.world().get::<Transform>(disc).unwrap().is_finite());
    app.world_mut().get_mut::<Transform>(flat).unwrap().scale = Vec3::ONE;
    frame(&mut app, 1.0);
    assert_eq!(place(&app, disc), vec2(3.0, 4.0));
}

#[test]
fn a_transform_that_comes_later_follows_too_and_resting_discs_change_nothing() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Position(vec2(1.0, 2.0)))).id();
    frame(&mut app, 1.5);
    app.world_mut().entity_mut(disc).insert(Transform::from_rotation(Quat::from_rotation_z(FRAC_PI_2)));
    frame(&mut app, 1.0);
    assert_eq!(place(&app, disc), vec2(1.0, 2.0));
    app.init_resource::<Gone>();
    app.add_systems(Last, |changed: Query<(), Changed<Transform>>, mut gone: ResMut<Gone>| {
        gone.0 = !changed.is_empty();
    });
    // To the first run of a system everything is new.
    frame(&mut app, 0.5);
    for ticks in [0.5, 2.75, 0.125] {
        frame(&mut app, ticks);
        assert!(!app.world().resource::<Gone>().0, "it has not moved");
    }
}
