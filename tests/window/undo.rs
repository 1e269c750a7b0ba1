//! Undo and redo: an edit loses nothing of the previous state, and removed entities have no visible effect.

use crate::common::{frame, point};
use bevy::{prelude::*, time::TimeUpdateStrategy};
use carom::{
    editor::{self, EditHistory, EditorPlugins, PanelHold, UndoAppExt},
    input::{InputPlugins, Selection},
    motion::MotionSettings,
    notice::Notices,
    prelude::*,
    scene::{self, InstanceEntities, SceneEntity, SceneFile, SceneInstance, ScenePlugin, SceneSource},
    shell::OverlayKeysPlugin,
};

/// A world with one tick per frame, unless it is paused.
fn app() -> App {
    let mut app = crate::common::app_with((ScenePlugin, InputPlugins, EditorPlugins, OverlayKeysPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

fn frames(app: &mut App, count: usize) {
    for _ in 0..count {
        frame(app);
    }
}

fn press(app: &mut App, keys: &[KeyCode]) {
    for key in keys {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(*key);
    }
    frame(app);
    for key in keys {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(*key);
    }
    frame(app);
}

fn undo(app: &mut App) {
    press(app, &[KeyCode::ControlLeft, KeyCode::KeyZ]);
}

fn redo(app: &mut App) {
    press(app, &[KeyCode::ControlLeft, KeyCode::ShiftLeft, KeyCode::KeyZ]);
}

fn pause(app: &mut App, paused: bool) {
    app.world_mut().resource_mut::<Playback>().paused = paused;
}

fn delete(app: &mut App, discs: &[Entity]) {
    app.world_mut().resource_mut::<Selection>().0 = discs.to_vec();
    press(app, &[KeyCode::Delete]);
}

fn shift_drag(app: &mut App, from: Vec2, to: Vec2) {
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    point(app, from);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    frame(app);
    for step in 1..=4 {
        point(app, from.lerp(to, step as f32 / 4.0));
        frame(app);
    }
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
    frame(app);
    frame(app);
}

/// The bits of every disc, in order.
fn bits(app: &mut App) -> Vec<(u64, [u32; 4])> {
    let mut discs = app.world_mut().query_filtered::<(&StableId, &Position, &Velocity), With<Disc>>();
    let bits = |v: Vec2| [v.x.to_bits(), v.y.to_bits()];
    let mut all: Vec<_> = discs
        .iter(app.world())
        .map(|(id, position, velocity)| {
            let ([a, b], [c, d]) = (bits(position.0), bits(velocity.0));
            (id.0, [a, b, c, d])
        })
        .collect();
    all.sort_unstable();
    all
}

fn discs(app: &mut App) -> Vec<Entity> {
    let mut discs = app.world_mut().query_filtered::<(Entity, &StableId), With<Disc>>();
    let mut all: Vec<_> = discs.iter(app.world()).map(|(entity, id)| (*id, entity)).collect();
    all.sort_unstable();
    all.into_iter().map(|(_, entity)| entity).collect()
}

fn begin(app: &mut App, text: &str) {
    let file = SceneFile::parse(text, "test.ron").unwrap();
    scene::spawn(app.world_mut(), SceneSource::Shipped("gas"), file).unwrap();
    pause(app, true);
    frame(app);
}

const GAS: &str = "(motion: (gravity: (0, -2)), terrain: [(shape: Arena(half_size: (3, 3))), (shape: Circle(radius: 0.4)), \
                   (position: (1, 1.5), shape: Block(half_size: (0.4, 0.2)))], \
                   generate: [Lattice(count: 40, columns: 8, first: (-2, -2.5), spacing: (0.45, 0.45), radius: 0.1, speed_sigma: 1)])";

fn last_undo(app: &App) -> Option<String> {
    app.world().resource::<EditHistory>().next_undo()
}

#[test]
fn a_deletion_that_is_taken_back_leaves_every_bit_as_if_it_had_never_been() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let run = |with_edits: bool| {
            let mut app = app();
            begin(&mut app, GAS);
            app.world_mut().resource_mut::<CollisionSettings>().mode = mode;
            pause(&mut app, false);
            frames(&mut app, 20);
            pause(&mut app, true);
            frame(&mut app);
            if with_edits {
                let all = discs(&mut app);
                let mut terrain = app.world_mut().query_filtered::<Entity, With<Terrain>>();
                let pieces: Vec<Entity> = terrain.iter(app.world()).collect();
                delete(&mut app, &[all[3], all[17], all[39]]);
                assert_eq!(bits(&mut app).len(), 37);
                editor::delete(app.world_mut(), &pieces[1..]);
                assert_eq!(SceneFile::capture(app.world_mut()).terrain.len(), 1);
                undo(&mut app);
                undo(&mut app);
                redo(&mut app);
                undo(&mut app);
                assert_eq!(discs(&mut app), all);
            } else {
                frames(&mut app, 10);
            }
            pause(&mut app, false);
            frames(&mut app, 100);
            bits(&mut app)
        };
        let (plain, edited) = (run(false), run(true));
        assert_eq!(plain.len(), 40);
        assert_eq!(plain, edited, "{mode:?}");
    }
}

#[test]
fn what_is_deleted_is_not_there_for_anybody_in_either_mode() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let mut app = app();
        app.world_mut().resource_mut::<CollisionSettings>().mode = mode;
        let wall = app.world_mut().spawn(Terrain::Segment { a: vec2(1.0, -1.0), b: vec2(1.0, 1.0) }).id();
        let other = app.world_mut().spawn((Disc, Position(vec2(2.0, 0.0)), Radius(0.1))).id();
        let disc = app.world_mut().spawn((Disc, Radius(0.1), Velocity(vec2(2.0, 0.0)))).id();
        frame(&mut app);
        editor::delete(app.world_mut(), &[wall, other]);
        assert_eq!(last_undo(&app).as_deref(), Some("delete 2 pieces"));
        pause(&mut app, false);
        frames(&mut app, 128);
        let position = app.world().get::<Position>(disc).unwrap().0;
        assert!(position.x > 3.9, "{mode:?}: it has gone through where they were, {position}");
        pause(&mut app, true);
        frame(&mut app);
        undo(&mut app);
        for (entity, x) in [(disc, 0.0), (other, 0.5)] {
            app.world_mut().entity_mut(entity).insert((Position(vec2(x, 0.0)), Velocity(vec2(2.0 * (0.5 - x), 0.0))));
        }
        pause(&mut app, false);
        frames(&mut app, 128);
        let xs = [disc, other].map(|entity| app.world().get::<Position>(entity).unwrap().x);
        assert!(xs[0] < xs[1] && xs[1] < 0.95, "{mode:?}: both are there again, {xs:?}");
    }
}

#[test]
fn what_slept_on_a_deleted_disc_falls_and_what_comes_back_is_carried_again() {
    let mut app = app();
    begin(
        &mut app,
        "(collision: (restitution: 0.3, terrain_restitution: 0.3, resting_speed: 0.3, sleep_speed: 0.02), motion: (gravity: (0, -9.81)), \
         terrain: [(shape: Arena(half_size: (0.5, 2)))], discs: [(position: (0, -1.5), radius: 0.5), (position: (0, -0.5), radius: 0.5), \
         (position: (0, 0.5), radius: 0.5)])",
    );
    pause(&mut app, false);
    frames(&mut app, 300);
    assert_eq!(app.world().resource::<PhysicsSpace>().sleeping(), 3);
    let all = discs(&mut app);
    let height = |app: &App, k: usize| app.world().get::<Position>(all[k]).unwrap().y;
    delete(&mut app, &[all[1]]);
    assert_eq!(last_undo(&app).as_deref(), Some("delete a disc"));
    frames(&mut app, 200);
    assert!((height(&app, 2) - -0.5).abs() < 0.05, "it has fallen: {}", height(&app, 2));
    undo(&mut app);
    frames(&mut app, 300);
    let heights = [0, 1, 2].map(|k| height(&app, k));
    assert!(heights.iter().all(|y| (-1.6..1.6).contains(y)), "{heights:?}");
    let mut sorted = heights;
    sorted.sort_by(f32::total_cmp);
    assert!(sorted[1] - sorted[0] > 0.9 && sorted[2] - sorted[1] > 0.9, "they lie on each other: {heights:?}");
    redo(&mut app);
    assert_eq!(discs(&mut app), [all[0], all[2]]);
}

#[derive(Component, Reflect, Clone, Debug, PartialEq)]
struct Own(Vec<u32>);

#[test]
fn a_deleted_disc_comes_back_with_all_that_it_had_and_goes_for_good_with_its_edit() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Own(vec![1, 2, 3]), children![Own(vec![4])])).id();
    let child = app.world().get::<Children>(disc).unwrap()[0];
    frame(&mut app);
    delete(&mut app, &[disc]);
    assert_eq!(app.world_mut().query::<&Own>().iter(app.world()).count(), 0);
    undo(&mut app);
    assert_eq!(app.world().get::<Own>(disc), Some(&Own(vec![1, 2, 3])));
    assert_eq!(app.world_mut().query::<&Own>().iter(app.world()).count(), 2);
    assert_eq!(app.world().resource::<Selection>().0, [disc], "and is selected");
    redo(&mut app);
    // Edits beyond the limit are dropped.
    app.world_mut().resource_mut::<EditHistory>().limit = 2;
    for _ in 0..2 {
        assert!(app.world().get_entity(disc).is_ok());
        let other = app.world_mut().spawn(Disc).id();
        editor::record_spawn(app.world_mut(), &[other]);
    }
    assert_eq!(app.world().resource::<EditHistory>().len(), 2);
    for gone in [disc, child] {
        assert!(app.world().get_entity(gone).is_err());
    }
    undo(&mut app);
    undo(&mut app);
    undo(&mut app);
    assert!(app.world().resource::<EditHistory>().is_empty());
    assert!(discs(&mut app).is_empty());
}

#[test]
fn a_new_edit_ends_what_could_be_made_again() {
    let mut app = app();
    let disc = app.world_mut().spawn(Disc).id();
    editor::record_spawn(app.world_mut(), &[disc]);
    undo(&mut app);
    assert!(discs(&mut app).is_empty());
    assert_eq!(app.world().resource::<EditHistory>().next_redo().as_deref(), Some("add a disc"));
    let other = app.world_mut().spawn(Disc).id();
    editor::record_spawn(app.world_mut(), &[other]);
    assert_eq!(app.world().resource::<EditHistory>().next_redo(), None);
    assert!(app.world().get_entity(disc).is_err(), "it cannot come back");
    assert!(app.world().get_entity(other).is_ok());
}

#[test]
fn a_drag_is_one_edit_with_the_velocities_of_before() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Velocity(vec2(0.0, 0.25)))).id();
    frame(&mut app);
    shift_drag(&mut app, Vec2::ZERO, vec2(2.0, 1.0));
    let state =
        |app: &App| (app.world().get::<Position>(disc).unwrap().0, app.world().get::<Velocity>(disc).unwrap().0);
    assert_eq!(state(&app), (vec2(2.0, 1.0), Vec2::ZERO));
    assert_eq!(app.world().resource::<EditHistory>().len(), 1);
    assert_eq!(last_undo(&app).as_deref(), Some("move a disc"));
    undo(&mut app);
    assert_eq!(state(&app), (Vec2::ZERO, vec2(0.0, 0.25)));
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyY]);
    assert_eq!(state(&app), (vec2(2.0, 1.0), Vec2::ZERO));
}

#[derive(Resource, Reflect, Clone, Debug, Default, PartialEq)]
struct Wind {
    speed: f32,
}

#[test]
fn a_drag_of_a_slider_is_one_edit_and_a_click_another() {
    let mut app = app();
    app.init_resource::<Wind>().undo_resource::<Wind>("wind");
    let set = |app: &mut App, hold: Option<PanelHold>, to: f32| {
        editor::watch(app.world_mut(), hold, |world| world.resource_mut::<CollisionSettings>().restitution = to);
    };
    let restitution = |app: &App| app.world().resource::<CollisionSettings>().restitution;
    let before = restitution(&app);
    set(&mut app, Some(PanelHold::Pointer { pressed: true }), 0.3);
    set(&mut app, Some(PanelHold::Pointer { pressed: false }), 0.4);
    set(&mut app, Some(PanelHold::Pointer { pressed: false }), 0.5);
    editor::watch(app.world_mut(), None, |_| ());
    editor::watch(app.world_mut(), Some(PanelHold::Pointer { pressed: true }), |_| ());
    set(&mut app, Some(PanelHold::Pointer { pressed: false }), 0.6);
    editor::watch(app.world_mut(), Some(PanelHold::Widget(1)), |world| world.resource_mut::<Wind>().speed = 1.0);
    editor::watch(app.world_mut(), Some(PanelHold::Widget(1)), |world| world.resource_mut::<Wind>().speed = 12.0);
    assert_eq!(app.world().resource::<EditHistory>().len(), 3);
    assert_eq!(last_undo(&app).as_deref(), Some("speed, 0 → 12"));
    undo(&mut app);
    assert_eq!(app.world().resource::<Wind>().speed, 0.0);
    undo(&mut app);
    assert_eq!(restitution(&app), 0.5);
    // The undo button is in the panel too, and its effect is not an edit.
    editor::watch(app.world_mut(), Some(PanelHold::Pointer { pressed: true }), editor::undo);
    assert_eq!(restitution(&app), before);
    assert_eq!(app.world().resource::<EditHistory>().next_redo(), Some(format!("restitution, {before} → 0.5")));
    for _ in 0..3 {
        redo(&mut app);
    }
    assert_eq!((restitution(&app), app.world().resource::<Wind>().speed), (0.6, 12.0));
}

#[test]
fn a_slider_that_comes_back_to_where_it_was_has_changed_nothing() {
    let mut app = app();
    for (pressed, x) in [(true, 3.0), (false, 1.0), (false, 0.0)] {
        editor::watch(app.world_mut(), Some(PanelHold::Pointer { pressed }), |world| {
            world.resource_mut::<MotionSettings>().gravity.x = x;
        });
    }
    assert!(app.world().resource::<EditHistory>().is_empty());
}

#[test]
fn values_of_a_selected_disc_are_edits_too() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Radius(0.5))).id();
    app.world_mut().resource_mut::<Selection>().0 = vec![disc];
    editor::watch(app.world_mut(), Some(PanelHold::Widget(7)), |world| {
        world.entity_mut(disc).insert((Radius(0.25), Restitution(0.5)));
    });
    let other = app.world_mut().spawn(Disc).id();
    editor::watch(app.world_mut(), Some(PanelHold::Widget(8)), |world| {
        editor::watch_also(world, &[other]);
        world.entity_mut(other).insert(Mass(3.0));
    });
    assert!(last_undo(&app).is_some_and(|words| words.starts_with("mass, ")));
    undo(&mut app);
    assert_ne!(app.world().get::<Mass>(other), Some(&Mass(3.0)));
    assert_eq!(last_undo(&app).as_deref(), Some("radius, 0.5 → 0.25"));
    undo(&mut app);
    assert_eq!(app.world().get::<Radius>(disc), Some(&Radius(0.5)));
    assert_eq!(app.world().get::<Restitution>(disc), None);
}

fn restart(app: &mut App) {
    scene::restart(app.world_mut()).unwrap();
    pause(app, true);
    frame(app);
}

fn parked(app: &mut App) -> usize {
    let mut parked =
        app.world_mut().query_filtered::<Entity, (With<SceneEntity>, With<bevy::ecs::entity_disabling::Disabled>)>();
    parked.iter(app.world()).count()
}

#[test]
fn a_restart_keeps_edits_of_settings_and_another_scene_none() {
    let mut app = app();
    begin(&mut app, GAS);
    let all = discs(&mut app);
    editor::watch(app.world_mut(), Some(PanelHold::Widget(7)), |world| {
        world.resource_mut::<CollisionSettings>().restitution = 0.125;
    });
    restart(&mut app);
    assert_eq!(app.world().resource::<EditHistory>().len(), 1, "there is nothing to bring back");
    assert!(app.world().get_entity(all[0]).is_err() && parked(&mut app) == 0, "what only ran is lost");
    undo(&mut app);
    assert_ne!(app.world().resource::<CollisionSettings>().restitution, 0.125);
    redo(&mut app);
    let all = discs(&mut app);
    delete(&mut app, &all[..1]);
    begin(&mut app, GAS);
    assert!(app.world().resource::<EditHistory>().is_empty());
    assert_eq!(parked(&mut app), 0);
    assert_eq!(discs(&mut app).len(), 40);
}

#[test]
fn a_restart_that_is_taken_back_brings_back_instances_of_scenes_whole() {
    let mut app = app();
    begin(&mut app, GAS);
    let part = SceneFile::parse(GAS, "part.ron").unwrap();
    let parent = app.world_mut().spawn(SceneInstance::new(part).at(vec2(50.0, 0.0))).id();
    frame(&mut app);
    let of_instance = app.world().get::<InstanceEntities>(parent).unwrap().discs.clone();
    delete(&mut app, &of_instance[..1]);
    let edited = bits(&mut app);
    restart(&mut app);
    assert_eq!(discs(&mut app).len(), 40, "it was no part of the scene's file");
    assert!(app.world_mut().query::<&SceneInstance>().iter(app.world()).next().is_none());
    undo(&mut app);
    assert_eq!(bits(&mut app), edited);
    assert_eq!(app.world_mut().query::<&SceneInstance>().iter(app.world()).count(), 1);
    undo(&mut app);
    assert_eq!(bits(&mut app).len(), 80);
    assert_eq!(app.world().get::<ChildOf>(of_instance[0]).map(ChildOf::parent), Some(parent));
    app.world_mut().despawn(parent);
    assert_eq!(discs(&mut app).len(), 40);
    redo(&mut app);
    assert_eq!(discs(&mut app).len(), 40, "what is gone is gone, and nothing panics");
}

#[test]
fn a_restart_that_is_taken_back_brings_back_joints_with_their_discs() {
    let mut app = app();
    begin(
        &mut app,
        "(discs: [(), (position: (3, 0)), (position: (9, 0))], pace: (paused: true), \
         joints: [(ends: (Disc(0), Disc(1)), kind: Rod(length: 3))])",
    );
    let joints = |app: &mut App| {
        let mut all = app.world_mut().query::<(Entity, &Joint)>();
        all.iter(app.world()).map(|(entity, joint)| (entity, joint.ends)).collect::<Vec<_>>()
    };
    let before = joints(&mut app);
    let all = discs(&mut app);
    delete(&mut app, &all[2..]);
    restart(&mut app);
    assert_eq!((discs(&mut app).len(), joints(&mut app).len()), (3, 1));
    assert_ne!(joints(&mut app), before, "that of the new start");
    undo(&mut app);
    assert_eq!((discs(&mut app), joints(&mut app)), (all[..2].to_vec(), before.clone()));
    redo(&mut app);
    undo(&mut app);
    assert_eq!(joints(&mut app), before);
    frames(&mut app, 3);
    assert_eq!(joints(&mut app), before);
}

#[test]
fn a_state_is_saved_without_what_was_deleted_also_where_others_ignore_it() {
    let mut app = app();
    begin(&mut app, "(discs: [(ignores: [1, 2]), (position: (3, 0)), (position: (9, 0))], pace: (paused: true))");
    let all = discs(&mut app);
    delete(&mut app, &all[1..2]);
    let saved = SceneFile::capture(app.world_mut());
    assert_eq!(saved.check(), Ok(()));
    assert_eq!(saved.discs[0].ignores, [2]);
    undo(&mut app);
    assert_eq!(SceneFile::capture(app.world_mut()).discs[0].ignores, [1, 2]);
}

#[test]
fn a_restart_after_edits_is_an_edit_that_can_be_taken_back() {
    let mut app = app();
    begin(&mut app, GAS);
    let start = bits(&mut app);
    let all = discs(&mut app);
    delete(&mut app, &all[..2]);
    let block = app.world_mut().spawn((Terrain::Block { half_size: vec2(0.2, 0.2) }, Position(vec2(-2.0, 2.0)))).id();
    editor::record_spawn(app.world_mut(), &[block]);
    pause(&mut app, false);
    frames(&mut app, 20);
    pause(&mut app, true);
    frame(&mut app);
    let edited = bits(&mut app);
    let pieces = |app: &mut App| SceneFile::capture(app.world_mut()).terrain.len();
    app.world_mut().resource_mut::<Notices>().info("before");
    restart(&mut app);
    assert_eq!((bits(&mut app), pieces(&mut app)), (start.clone(), 3), "R is one key");
    let said = app.world().resource::<Notices>().iter().last().map(|notice| notice.text.clone());
    assert!(said.is_some_and(|text| text.contains("Ctrl + Z")), "and what was there is not lost without a word");
    assert_eq!(last_undo(&app).as_deref(), Some("restart"));
    undo(&mut app);
    assert_eq!((bits(&mut app), pieces(&mut app)), (edited.clone(), 4));
    assert!(app.world().resource::<Selection>().0.is_empty());
    redo(&mut app);
    assert_eq!((bits(&mut app), pieces(&mut app)), (start.clone(), 3));
    // A shot and another restart do not affect them, however often.
    let before = parked(&mut app);
    for _ in 0..3 {
        pause(&mut app, false);
        frames(&mut app, 20);
        restart(&mut app);
        assert_eq!(bits(&mut app), start);
    }
    assert_eq!((app.world().resource::<EditHistory>().len(), parked(&mut app)), (3, before));
    undo(&mut app);
    assert_eq!((bits(&mut app), pieces(&mut app)), (edited, 4));
    undo(&mut app);
    undo(&mut app);
    assert_eq!((discs(&mut app), pieces(&mut app)), (all, 3), "and the edits before it, too");
    for _ in 0..3 {
        redo(&mut app);
    }
    assert_eq!(bits(&mut app), start);
    begin(&mut app, GAS);
    assert_eq!(parked(&mut app), 0);
}

#[test]
fn a_move_by_keys_is_one_edit_however_long_they_are_held() {
    let mut app = app();
    begin(&mut app, GAS);
    let all = discs(&mut app);
    app.world_mut().resource_mut::<Selection>().0 = all[..2].to_vec();
    let before = bits(&mut app);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ArrowRight);
    frames(&mut app, 60);
    press(&mut app, &[KeyCode::ArrowUp]);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ArrowRight);
    frames(&mut app, 2);
    assert_ne!(bits(&mut app), before);
    assert!(last_undo(&app).is_some_and(|words| words.contains("move 2 discs")), "{:?}", last_undo(&app));
    undo(&mut app);
    assert_eq!(bits(&mut app), before);
}

#[test]
fn a_disc_that_a_new_piece_has_pushed_aside_goes_back_with_it_unless_it_has_gone_on() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        for goes_on in [false, true] {
            let mut app = app();
            app.world_mut().resource_mut::<CollisionSettings>().mode = mode;
            let at = vec2(0.37, 0.11);
            let ball = app.world_mut().spawn((Disc, Position(at), Radius(0.5))).id();
            let far = app.world_mut().spawn((Disc, Position(vec2(9.0, 0.0)), Radius(0.5))).id();
            let block =
                app.world_mut().spawn((Terrain::Block { half_size: vec2(0.5, 2.0) }, Position(vec2(-0.5, 0.0)))).id();
            editor::record_spawn(app.world_mut(), &[block]);
            pause(&mut app, false);
            frames(&mut app, 30);
            let place = |app: &App, disc| app.world().get::<Position>(disc).unwrap().0;
            assert!(place(&app, ball).x > 0.45, "{mode:?}: it is pushed out of the block: {}", place(&app, ball));
            if goes_on {
                app.world_mut().get_mut::<Velocity>(ball).unwrap().x = 1.0;
                frames(&mut app, 60);
            }
            app.world_mut().get_mut::<Position>(far).unwrap().0.y = 1.0;
            pause(&mut app, true);
            frame(&mut app);
            let before = place(&app, ball);
            undo(&mut app);
            assert_eq!(place(&app, ball), if goes_on { before } else { at }, "{mode:?}, {goes_on}");
            assert_eq!(place(&app, far), vec2(9.0, 1.0), "no concern of it");
        }
    }
}
