//! Joints in scene files: read, spawned, saved, part of instances, and rejected if invalid.

use bevy::prelude::*;
use carom::{
    collision::{Discs, measure},
    prelude::*,
    scene::{SceneFile, SceneInstance, ScenePlugin, SceneSource, restart, spawn},
    timeline::{advance, run_in_order},
};

const TEXT: &str = "(
  motion: (gravity: (0, -9.81)),
  collision: (mode: Continuous),
  terrain: [(shape: Segment(a: (-9, -9), b: (9, -9)))],
  discs: [(id: 7, position: (2, 0)), (id: 4, position: (4, 0)), (position: (6, 0)), (id: 1, position: (9, 9))],
  joints: [
    (ends: (Disc(7), Point(0, 0)), kind: Rod(length: 2)),
    (ends: (Disc(4), Disc(7)), kind: Rope(length: 2.5, restitution: 0.5)),
    (ends: (Disc(4), Disc(9)), kind: Spring(length: 1.5, stiffness: 40), inactive: true),
    (ends: (Disc(4), Disc(9)), kind: Spring(length: 1.5, stiffness: 40, damping: 2)),
  ],
)";

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    run_in_order(&mut app);
    app
}

fn started(file: SceneFile) -> App {
    let mut app = app();
    spawn(app.world_mut(), SceneSource::Path("joints.ron".into()), file).unwrap();
    app
}

fn hash(app: &mut App, ticks: u64) -> u64 {
    advance(app.world_mut(), ticks);
    measure::state_hash(&Discs::of(app.world_mut()))
}

fn joints(app: &mut App) -> usize {
    app.world_mut().query::<&Joint>().iter(app.world()).count()
}

#[test]
fn a_saved_scene_goes_on_as_the_one_that_was_saved() {
    let file = SceneFile::parse(TEXT, "joints.ron").unwrap();
    let mut app = started(file);
    assert_eq!(joints(&mut app), 4);
    advance(app.world_mut(), 50);
    let saved = SceneFile::capture(app.world_mut());
    let text = saved.to_text().unwrap();
    let again = SceneFile::parse(&text, "again.ron").unwrap();
    assert_eq!(again.joints, saved.joints);
    assert_eq!(again.joints.len(), 4);
    assert!(again.joints[2].inactive && !again.joints[3].inactive);
    assert_eq!(hash(&mut started(again), 200), hash(&mut app, 200));
}

#[test]
fn a_restart_begins_with_the_same_joints() {
    let mut app = started(SceneFile::parse(TEXT, "joints.ron").unwrap());
    let first = hash(&mut app, 100);
    app.world_mut().spawn(Joint::rod(Vec2::X, Vec2::Y, 1.0));
    restart(app.world_mut()).unwrap();
    assert_eq!(joints(&mut app), 4);
    assert_eq!(hash(&mut app, 100), first);
}

#[test]
fn an_instance_has_its_joints_where_it_stands() {
    let file = SceneFile::parse(TEXT, "joints.ron").unwrap();
    let mut app = app();
    let world = app.world_mut();
    world.resource_mut::<MotionSettings>().gravity = Vec2::new(0.0, -9.81);
    let instances = [0.0, 1.2]
        .map(|angle| world.spawn(SceneInstance::new(file.clone()).at(Vec2::new(50.0 * angle, 3.0)).turned(angle)).id());
    advance(world, 200);
    let lengths: Vec<f32> = world
        .query::<&Joint>()
        .iter(world)
        .filter(|joint| matches!(joint.kind, JointKind::Rod { .. }))
        .map(|joint| match joint.ends {
            [JointEnd::Disc(disc), JointEnd::Point(point)] => world.get::<Position>(disc).unwrap().distance(point),
            _ => panic!("{joint:?}"),
        })
        .collect();
    assert!(lengths.len() == 2 && lengths.iter().all(|length| (length - 2.0).abs() < 1e-4), "{lengths:?}");
    world.despawn(instances[0]);
    assert_eq!(joints(&mut app), 4);
}

#[test]
fn what_makes_no_sense_is_named_with_its_place() {
    for (good, bad, words) in [
        ("Disc(7), Point", "Disc(8), Point", "joints[0].ends.0 is Disc(8); no disc has this id"),
        ("Disc(4), Disc(7)", "Disc(4), Disc(4)", "joints[1].ends: both are the same"),
        ("Point(0, 0)", "Point(0, inf)", "joints[0].ends.1 is Point(0, inf); set it to finite"),
        ("Rod(length: 2)", "Rod(length: 0)", "joints[0].kind.length is 0; set it above zero"),
        ("restitution: 0.5", "restitution: 1.5", "joints[1].kind.restitution is 1.5; set it from 0 to 1"),
        ("stiffness: 40,", "stiffness: -1,", "joints[3].kind.stiffness is -1; set it from 0"),
        ("damping: 2", "dampng: 2", "dampng"),
    ] {
        assert!(TEXT.contains(good), "{good}");
        let text = TEXT.replace(good, bad);
        let error = match SceneFile::parse(&text, "bad.ron") {
            Ok(file) => file.check().expect_err(bad).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(words), "{bad}: {error}");
    }
}
