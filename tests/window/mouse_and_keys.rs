//! Mouse and keyboard on the table, without a window: input becomes velocities, positions, selections and pauses.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::{app, app_with, frame, point, strike};
use bevy::{camera::visibility::RenderLayers, prelude::*};
use carom::{
    bevy_enhanced_input::prelude::{Binding, EnhancedInputSystems, ModKeys},
    debug::PhysicsDebug,
    editor::{ArrowTipPlugin, DeletePlugin, EditorPlugins},
    input::{
        Aim, AimSettings, Attention, ControlSystems, Controls, CueSettings, Gesture, InputPlugins, Preview,
        PreviewLength, PreviewSettings, SelectPlugin, Selection,
        actions::{Asked, Control, KeyMap, Rebinding, rebind::RebindTarget},
    },
    notice::Notices,
    prelude::*,
    scene::{
        self, CueBall, CurrentScene, DiscEntry, Lesson, PocketEntry, SceneAppExt, SceneCommand, SceneFile,
        SceneGenerator, ScenePlugin, SceneRegistry, SceneSource, Shootable, Surroundings, generate::Contents,
    },
    shell::{OverlayKeysPlugin, Overlays},
    view::main_view,
};

fn scene(app: &mut App, file: SceneFile) {
    app.insert_resource(file.surroundings);
    app.insert_resource(CurrentScene { source: SceneSource::default(), file, warnings: Vec::new() });
}

fn disc(app: &mut App, position: Vec2) -> Entity {
    app.world_mut().spawn((Disc, Position(position), Radius(0.5), Velocity(vec2(0.0, 0.25)))).id()
}

fn drag(app: &mut App, from: Vec2, to: Vec2) {
    aim(app, from, to);
    let_go(app);
}

/// Presses at one point and drags to another, without releasing.
fn aim(app: &mut App, from: Vec2, to: Vec2) {
    point(app, from);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    frame(app);
    point(app, to);
    frame(app);
}

fn let_go(app: &mut App) {
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
    frame(app);
}

fn velocity(app: &App, disc: Entity) -> Vec2 {
    app.world().get::<Velocity>(disc).unwrap().0
}

fn position(app: &App, disc: Entity) -> Vec2 {
    app.world().get::<Position>(disc).unwrap().0
}

#[test]
fn pulling_back_shoots_the_other_way() {
    let mut app = app();
    scene(&mut app, SceneFile { surroundings: Surroundings::Table, ..default() });
    let ball = disc(&mut app, Vec2::ZERO);
    drag(&mut app, vec2(0.1, 0.0), vec2(-0.2, 0.0));
    // 0.3 m is half of a break shot's pull.
    assert!((velocity(&app, ball) - vec2(5.0, 0.0)).length() < 1e-4, "{}", velocity(&app, ball));
    assert_eq!(*app.world().resource::<Gesture>(), Gesture::Idle);
}

#[test]
fn shots_wait_until_all_is_at_rest_where_a_game_wants_that() {
    for only_at_rest in [false, true] {
        let mut app = app();
        scene(&mut app, SceneFile { surroundings: Surroundings::Table, ..default() });
        app.insert_resource(AimSettings { only_at_rest });
        let [ball, other] = [Vec2::ZERO, vec2(0.0, 4.0)].map(|place| disc(&mut app, place));
        app.world_mut().entity_mut(ball).insert(Velocity::default());
        carom::timeline::advance(app.world_mut(), 1);
        drag(&mut app, vec2(0.1, 0.0), vec2(-0.2, 0.0));
        let said = app.world().resource::<Notices>().iter().any(|notice| notice.text.starts_with("Wait until"));
        assert_eq!((velocity(&app, ball) == Vec2::ZERO, said), (only_at_rest, only_at_rest));
        for disc in [ball, other] {
            app.world_mut().entity_mut(disc).insert(Velocity::default());
        }
        carom::timeline::advance(app.world_mut(), 1);
        drag(&mut app, vec2(0.1, 0.0), vec2(-0.2, 0.0));
        assert!((velocity(&app, ball) - vec2(5.0, 0.0)).length() < 1e-4, "{}", velocity(&app, ball));

        // The shot counts as a motion before the next tick.
        drag(&mut app, vec2(0.1, 0.0), vec2(0.4, 0.0));
        let speed = if only_at_rest { 5.0 } else { -5.0 };
        assert!((velocity(&app, ball) - vec2(speed, 0.0)).length() < 1e-4, "{}", velocity(&app, ball));
    }
}

#[test]
fn where_there_is_a_cue_ball_only_it_is_shot() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    let cue = disc(&mut app, vec2(2.0, 0.0));
    app.world_mut().entity_mut(cue).insert(CueBall);
    drag(&mut app, Vec2::ZERO, vec2(-0.3, 0.0));
    assert_eq!(velocity(&app, ball), vec2(0.0, 0.25));
    assert_eq!(app.world().resource::<Notices>().iter().count(), 1, "it says why");
    drag(&mut app, vec2(2.0, 0.0), vec2(2.0, -0.3));
    assert!(velocity(&app, cue).y > 0.25);
}

#[test]
fn what_is_said_of_a_disc_that_cannot_be_shot_is_true() {
    let said = |app: &App| -> Vec<String> {
        app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect()
    };
    // Shooting is disabled, so that the cue ball cannot be shot either.
    let mut app = app();
    let cue_ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().entity_mut(cue_ball).insert(CueBall);
    app.world_mut().resource_mut::<Controls>().shoot = false;
    drag(&mut app, Vec2::ZERO, vec2(-2.0, 0.0));
    assert!(said(&app).is_empty(), "{:?}", said(&app));
    // The only disc that can be shot is a curling stone.
    let mut app = crate::common::app();
    let waiting = disc(&mut app, vec2(2.0, 0.0));
    app.world_mut().entity_mut(waiting).insert(Shootable);
    disc(&mut app, Vec2::ZERO);
    drag(&mut app, Vec2::ZERO, vec2(-2.0, 0.0));
    let said = said(&app);
    assert!(said.len() == 1 && said[0].starts_with("You cannot shoot this disc now."), "{said:?}");
}

#[test]
fn a_click_selects_and_a_click_beside_clears() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    drag(&mut app, Vec2::ZERO, Vec2::ZERO);
    assert_eq!(app.world().resource::<Selection>().single(), Some(ball));
    assert_eq!(velocity(&app, ball), vec2(0.0, 0.25), "a click is not a shot");
    drag(&mut app, vec2(3.0, 3.0), vec2(3.0, 3.0));
    assert_eq!(app.world().resource::<Selection>().single(), None);
}

#[test]
fn shift_adds_and_takes_away_without_stopping_and_what_is_chosen_moves_together() {
    let mut app = app();
    let (a, b) = (disc(&mut app, Vec2::ZERO), disc(&mut app, vec2(2.0, 0.0)));
    drag(&mut app, Vec2::ZERO, Vec2::ZERO);
    let shift = |app: &mut App, down: bool| {
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        if down { keys.press(KeyCode::ShiftLeft) } else { keys.release(KeyCode::ShiftLeft) }
    };
    shift(&mut app, true);
    drag(&mut app, vec2(2.0, 0.0), vec2(2.0, 0.0));
    assert_eq!(app.world().resource::<Selection>().0, [a, b]);
    assert_eq!(velocity(&app, b), vec2(0.0, 0.25), "it goes on");
    drag(&mut app, vec2(2.0, 0.0), vec2(2.5, 1.0));
    for (disc, place) in [(a, vec2(0.5, 1.0)), (b, vec2(2.5, 1.0))] {
        assert!((position(&app, disc) - place).length() < 1e-5, "{}", position(&app, disc));
        assert_eq!(velocity(&app, disc), Vec2::ZERO);
    }
    drag(&mut app, vec2(2.5, 1.0), vec2(2.5, 1.0));
    assert_eq!(app.world().resource::<Selection>().0, [a], "taken away again");
    shift(&mut app, false);
}

#[test]
fn a_box_selects_and_delete_removes() {
    let mut app = app();
    let inside = [disc(&mut app, vec2(1.0, 1.0)), disc(&mut app, vec2(2.0, 2.0))];
    let outside = disc(&mut app, vec2(-2.0, 0.0));
    drag(&mut app, vec2(0.0, 0.0), vec2(3.0, 3.0));
    assert_eq!(app.world().resource::<Selection>().0, inside);
    strike(&mut app, KeyCode::Delete);
    let mut discs = app.world_mut().query_filtered::<Entity, With<Disc>>();
    assert_eq!(discs.iter(app.world()).collect::<Vec<_>>(), [outside]);
    assert!(app.world().resource::<Selection>().0.is_empty());
}

#[test]
fn where_nothing_is_taken_back_delete_despawns() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), SelectPlugin, DeletePlugin));
    app.finish();
    app.cleanup();
    let disc = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(disc);
    strike(&mut app, KeyCode::Delete);
    assert!(app.world().get_entity(disc).is_err());
}

#[test]
fn with_shift_a_disc_is_moved_and_rests_while_it_is_held() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    drag(&mut app, vec2(0.2, 0.0), vec2(1.2, 1.0));
    assert!((position(&app, ball) - vec2(1.0, 1.0)).length() < 1e-5);
    assert_eq!(velocity(&app, ball), Vec2::ZERO);
}

#[test]
fn a_disc_that_is_dropped_outside_of_the_walls_is_spoken_of() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(3.0, 2.0) });
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    let said =
        |app: &App| app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect::<Vec<_>>();
    drag(&mut app, Vec2::ZERO, vec2(2.0, 1.0));
    frame(&mut app);
    assert!(said(&app).is_empty(), "{:?}", said(&app));
    drag(&mut app, vec2(2.0, 1.0), vec2(2.0, 2.5));
    frame(&mut app);
    assert_eq!(position(&app, ball), vec2(2.0, 2.5));
    assert!(said(&app).len() == 1 && said(&app)[0].contains("outside the walls"), "{:?}", said(&app));
}

#[test]
fn discs_that_keys_move_out_of_the_walls_are_spoken_of_once() {
    let mut app = app();
    let chosen = [disc(&mut app, vec2(0.0, 1.95)), disc(&mut app, vec2(1.0, 0.0))];
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(3.0, 2.0) });
    app.world_mut().resource_mut::<Selection>().0 = chosen.to_vec();
    let said =
        |app: &App| app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect::<Vec<_>>();
    strike(&mut app, KeyCode::ArrowDown);
    frame(&mut app);
    assert!(said(&app).is_empty(), "{:?}", said(&app));
    for _ in 0..3 {
        strike(&mut app, KeyCode::ArrowUp);
        frame(&mut app);
    }
    assert!(position(&app, chosen[0]).y > 2.0);
    assert!(said(&app).len() == 1 && said(&app)[0].starts_with("The disc is outside"), "{:?}", said(&app));
}

#[test]
fn every_tap_is_a_step_however_close_they_are() {
    let mut app = app();
    let chosen = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0 = vec![chosen];
    frame(&mut app);
    let tap = |app: &mut App, keys: &[KeyCode]| {
        let mut input = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        for &key in keys {
            input.press(key);
            input.release(key);
        }
        frame(app);
    };
    // A step is ten pixels, a tenth of a metre. The keys are released before the frame ends.
    for _ in 0..40 {
        tap(&mut app, &[KeyCode::ArrowRight]);
    }
    assert!((position(&app, chosen) - vec2(4.0, 0.0)).length() < 1e-4, "{}", position(&app, chosen));
    for _ in 0..40 {
        tap(&mut app, &[KeyCode::ArrowRight, KeyCode::ArrowLeft]);
        tap(&mut app, &[KeyCode::ArrowUp]);
        tap(&mut app, &[KeyCode::ArrowDown]);
    }
    assert!((position(&app, chosen) - vec2(4.0, 0.0)).length() < 1e-4, "{}", position(&app, chosen));
}

#[test]
fn moving_a_selected_disc_keeps_it_selected() {
    let mut app = app();
    let a = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(a);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    drag(&mut app, Vec2::ZERO, vec2(1.0, 0.0));
    assert_eq!(app.world().resource::<Selection>().0, [a]);
    assert!((app.world().get::<Position>(a).unwrap().0 - vec2(1.0, 0.0)).length() < 1e-5);
}

#[test]
fn in_the_vector_lab_arrows_turn_and_discs_move() {
    let mut app = app();
    scene(&mut app, SceneFile { lesson: Lesson::VECTOR_LAB, ..default() });
    let a = disc(&mut app, Vec2::ZERO);
    app.world_mut().get_mut::<Velocity>(a).unwrap().0 = vec2(2.0, 0.0);
    drag(&mut app, vec2(2.0, 0.0), vec2(1.0, 3.0));
    assert!((velocity(&app, a) - vec2(1.0, 3.0)).length() < 1e-5);
    drag(&mut app, Vec2::ZERO, vec2(-1.0, 0.0));
    assert!((position(&app, a) - vec2(-1.0, 0.0)).length() < 1e-5);
    assert!((velocity(&app, a) - vec2(1.0, 3.0)).length() < 1e-5, "moving it keeps its arrow");
}

#[test]
fn the_plugin_of_the_arrow_tips_alone_turns_them() {
    let mut app = app_with(ArrowTipPlugin);
    scene(&mut app, SceneFile { lesson: Lesson::VECTOR_LAB, ..default() });
    let a = disc(&mut app, Vec2::ZERO);
    app.world_mut().get_mut::<Velocity>(a).unwrap().0 = vec2(2.0, 0.0);
    drag(&mut app, vec2(2.0, 0.0), vec2(1.0, 3.0));
    assert!((velocity(&app, a) - vec2(1.0, 3.0)).length() < 1e-5);
}

#[test]
fn escape_and_the_right_button_cancel_a_shot() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    for cancel in [true, false] {
        point(&mut app, Vec2::ZERO);
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        frame(&mut app);
        point(&mut app, vec2(-1.0, 0.0));
        if cancel {
            strike(&mut app, KeyCode::Escape);
        } else {
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Right);
            frame(&mut app);
        }
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release_all();
        frame(&mut app);
        assert_eq!(velocity(&app, ball), vec2(0.0, 0.25));
    }
}

#[test]
fn what_the_panel_wants_does_not_reach_the_table() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.insert_resource(Attention { mouse: false, keys: false });
    drag(&mut app, Vec2::ZERO, vec2(-1.0, 0.0));
    assert_eq!(velocity(&app, ball), vec2(0.0, 0.25));
    strike(&mut app, KeyCode::Space);
    assert!(app.world().resource::<Playback>().paused);
}

#[test]
fn a_gesture_that_began_on_the_table_goes_on_over_the_panel() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    point(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    frame(&mut app);
    app.insert_resource(Attention { mouse: false, keys: true });
    point(&mut app, vec2(-0.25, 0.0));
    frame(&mut app);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
    frame(&mut app);
    assert!((velocity(&app, ball) - vec2(0.5, 0.0)).length() < 1e-5);
}

#[test]
fn a_disc_that_is_gone_ends_its_gesture() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    point(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    frame(&mut app);
    app.world_mut().despawn(ball);
    frame(&mut app);
    assert_eq!(*app.world().resource::<Gesture>(), Gesture::Idle);
}

#[test]
fn keys_pause_step_and_change_the_pace() {
    let mut app = app();
    strike(&mut app, KeyCode::Space);
    assert!(!app.world().resource::<Playback>().paused);
    strike(&mut app, KeyCode::Period);
    assert!(app.world().resource::<Playback>().paused, "a step pauses");
    strike(&mut app, KeyCode::BracketRight);
    assert_eq!(app.world().resource::<Playback>().time_scale, Some(2.0));
    strike(&mut app, KeyCode::BracketLeft);
    strike(&mut app, KeyCode::BracketLeft);
    assert_eq!(app.world().resource::<Playback>().time_scale, Some(0.5));
    strike(&mut app, KeyCode::KeyH);
    assert!(app.world().resource::<Overlays>().help);
    strike(&mut app, KeyCode::Escape);
    assert!(!app.world().resource::<Overlays>().help);
    strike(&mut app, KeyCode::KeyP);
    assert!(!app.world().resource::<Overlays>().panel);
}

#[test]
fn keys_ask_for_scenes() {
    let mut app = app();
    let mut asked = Vec::new();
    for key in [KeyCode::KeyR, KeyCode::PageDown, KeyCode::PageUp] {
        strike(&mut app, key);
        asked.extend(app.world_mut().resource_mut::<Messages<SceneCommand>>().drain());
    }
    assert_eq!(asked, [SceneCommand::Restart, SceneCommand::Next, SceneCommand::Previous]);
}

#[test]
fn what_the_physics_sees_is_shown_by_a_key_that_can_be_changed() {
    let mut app = app();
    app.insert_resource(PhysicsDebug { key: None, ..default() });
    let shown = |app: &App| app.world().resource::<PhysicsDebug>().shown;
    strike(&mut app, KeyCode::F9);
    assert!(shown(&app));
    let other = Binding::Keyboard { key: KeyCode::F8, mod_keys: ModKeys::empty() };
    app.world_mut().resource_mut::<KeyMap>().set(Control::ShowPhysics, vec![other]);
    frame(&mut app);
    strike(&mut app, KeyCode::F9);
    assert!(shown(&app), "it is another key now");
    strike(&mut app, KeyCode::F8);
    assert!(!shown(&app));
    // If a game's debug drawing has a key, only that key counts.
    app.insert_resource(PhysicsDebug::default());
    strike(&mut app, KeyCode::F8);
    assert!(!shown(&app));
}

#[test]
fn what_is_aimed_at_is_seen_before_and_then_happens() {
    let mut app = app();
    app.world_mut().resource_mut::<CollisionSettings>().mode = SolverMode::Continuous;
    app.world_mut().resource_mut::<PreviewSettings>().length = PreviewLength::All;
    app.insert_resource(MotionSettings { friction: 0.2, ..default() });
    let shot = disc(&mut app, Vec2::ZERO);
    app.world_mut().get_mut::<Velocity>(shot).unwrap().0 = Vec2::ZERO;
    let other = app.world_mut().spawn((Disc, Position(vec2(2.0, 0.1)), Radius(0.5))).id();
    aim(&mut app, Vec2::ZERO, vec2(-2.0, 0.0));
    let seen = app.world().resource::<Preview>().seen().expect("something is aimed at").clone();
    assert!(seen.done);
    let ends: Vec<(Entity, Vec2)> = seen.discs.iter().map(|disc| (disc.entity, disc.path.last().unwrap().0)).collect();
    assert_eq!(ends.iter().map(|end| end.0).collect::<Vec<_>>(), [shot, other]);
    let_go(&mut app);
    assert!(app.world().resource::<Preview>().seen().is_none(), "nothing is aimed at any more");
    carom::timeline::advance(app.world_mut(), 60 * 10);
    for (disc, end) in ends {
        assert_eq!(app.world().get::<Position>(disc).unwrap().0, end);
    }
}

#[test]
fn the_paths_of_a_shot_stay_until_the_next_one_is_aimed_if_they_are_kept() {
    let mut app = app();
    app.insert_resource(MotionSettings { friction: 0.2, ..default() });
    *app.world_mut().resource_mut::<PreviewSettings>() =
        PreviewSettings { length: PreviewLength::All, keep: true, ..default() };
    let shot = disc(&mut app, Vec2::ZERO);
    app.world_mut().get_mut::<Velocity>(shot).unwrap().0 = Vec2::ZERO;
    let kept = |app: &App| app.world().resource::<Preview>().kept().cloned();
    // A shot that is given up leaves nothing.
    aim(&mut app, Vec2::ZERO, vec2(-2.0, 0.0));
    strike(&mut app, KeyCode::Escape);
    let_go(&mut app);
    assert_eq!((kept(&app), velocity(&app, shot)), (None, Vec2::ZERO));
    aim(&mut app, Vec2::ZERO, vec2(-2.0, 0.0));
    // On a busy machine the whole preview takes several frames.
    let is_done = |app: &App| app.world().resource::<Preview>().seen().is_some_and(|seen| seen.done);
    for _ in 0..1000 {
        if !is_done(&app) {
            frame(&mut app);
        }
    }
    let seen = app.world().resource::<Preview>().seen().cloned();
    assert_eq!(kept(&app), None, "it is still aimed");
    let_go(&mut app);
    assert!(seen.is_some() && kept(&app) == seen);
    carom::timeline::advance(app.world_mut(), 60 * 10);
    frame(&mut app);
    assert_eq!(Some(position(&app, shot)), kept(&app).map(|seen| seen.discs[0].path.last().unwrap().0));
    let from = position(&app, shot);
    aim(&mut app, from, from - vec2(1.0, 0.0));
    assert_eq!(kept(&app), None, "another shot is aimed");
    // Without its disc a path has no meaning.
    let_go(&mut app);
    assert!(kept(&app).is_some());
    app.world_mut().despawn(shot);
    frame(&mut app);
    assert_eq!(kept(&app), None);
}

#[test]
fn the_preview_is_as_long_as_one_likes() {
    let mut app = app();
    let settings = |app: &App| app.world().resource::<PreviewSettings>().length;
    assert_eq!(settings(&app), PreviewLength::Impacts, "at first it leaves a question");
    disc(&mut app, Vec2::ZERO);
    strike(&mut app, KeyCode::KeyL);
    assert_eq!(settings(&app), PreviewLength::All, "and all is one key away");
    strike(&mut app, KeyCode::KeyL);
    assert_eq!(settings(&app), PreviewLength::Off);
    aim(&mut app, Vec2::ZERO, vec2(-2.0, 0.0));
    assert!(app.world().resource::<Preview>().seen().is_none());
    strike(&mut app, KeyCode::KeyL);
    assert_eq!(settings(&app), PreviewLength::FirstContact);
    assert!(app.world().resource::<Preview>().seen().is_some());
}

#[test]
fn a_long_preview_goes_on_in_the_background_and_so_does_the_doubt() {
    let mut app = app();
    app.world_mut().resource_mut::<CollisionSettings>().mode = SolverMode::Continuous;
    {
        let mut settings = app.world_mut().resource_mut::<PreviewSettings>();
        settings.length = PreviewLength::All;
        (settings.doubt, settings.shots) = (true, 20);
        settings.seconds = 100.0;
    }
    // So little friction that a frame is far too short for the whole prediction.
    app.insert_resource(MotionSettings { friction: 1e-3, ..default() });
    for i in 0..40_u8 {
        let at = vec2(f32::from(i % 8), f32::from(i / 8)) * 1.1;
        app.world_mut().spawn((Disc, Position(at), Radius(0.5)));
    }
    app.world_mut().spawn((Terrain::Arena { half_size: vec2(6.0, 4.0) }, Position(vec2(3.8, 2.2))));
    aim(&mut app, Vec2::ZERO, vec2(-2.0, -1.0));
    assert!(!app.world().resource::<Preview>().seen().unwrap().done, "the rest is left to a task");
    let patience = std::time::Instant::now();
    loop {
        frame(&mut app);
        let preview = app.world().resource::<Preview>();
        if preview.seen().is_some_and(|seen| seen.done) && !preview.doubts().is_empty() {
            break;
        }
        assert!(patience.elapsed().as_secs() < 60, "the tasks never end");
    }
    // No more follows, however long the aim lasts.
    let seen = app.world().resource::<Preview>().seen().cloned();
    for _ in 0..10 {
        frame(&mut app);
    }
    assert_eq!(app.world().resource::<Preview>().seen().cloned(), seen);
}

#[test]
fn doubts_are_about_the_discs_that_move_whatever_else_is_rejected() {
    let mut app = app();
    app.world_mut().resource_mut::<CollisionSettings>().mode = SolverMode::Continuous;
    {
        let mut settings = app.world_mut().resource_mut::<PreviewSettings>();
        (settings.length, settings.doubt, settings.shots) = (PreviewLength::All, true, 10);
    }
    app.insert_resource(MotionSettings { friction: 5.0, ..default() });
    // An invalid disc, left out of the simulation, with the lowest number.
    app.world_mut().spawn((Disc, StableId(0), Radius(-1.0), Position(vec2(0.0, 5.0))));
    let shot = app.world_mut().spawn((Disc, StableId(1), Radius(0.5))).id();
    app.world_mut().spawn((Disc, StableId(2), Radius(0.5), Position(vec2(0.0, -5.0))));
    aim(&mut app, Vec2::ZERO, vec2(-0.3, 0.0));
    let patience = std::time::Instant::now();
    let doubts = loop {
        frame(&mut app);
        let doubts = app.world().resource::<Preview>().doubts();
        if !doubts.is_empty() {
            break doubts.to_vec();
        }
        assert!(patience.elapsed().as_secs() < 60, "the tasks never end");
    };
    assert!(doubts.iter().all(|(disc, _)| *disc == shot), "{doubts:?}");
}

#[test]
fn s_held_is_slow_motion() {
    let mut app = app();
    let scale = |app: &App| app.world().resource::<Playback>().time_scale.expect("the key asks for one");
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyS);
    frame(&mut app);
    frame(&mut app);
    assert!((scale(&app) - 0.1).abs() < 1e-6, "{}", scale(&app));
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::KeyS);
    frame(&mut app);
    assert_eq!(scale(&app), 1.0);
}

#[test]
fn c_follows_the_selected_disc_until_the_view_is_moved() {
    let mut app = app();
    let followed = |app: &mut App| main_view(app.world_mut()).unwrap().followed;
    strike(&mut app, KeyCode::KeyC);
    assert_eq!(followed(&mut app), None, "nothing is selected");
    let disc = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(disc);
    strike(&mut app, KeyCode::KeyC);
    assert_eq!(followed(&mut app), Some(disc));
    strike(&mut app, KeyCode::KeyC);
    assert_eq!(followed(&mut app), None);
}

fn hold(app: &mut App, key: KeyCode, down: bool) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    if down { keys.press(key) } else { keys.release(key) }
}

#[test]
fn a_key_that_goes_down_and_up_in_one_slow_frame_counts_once() {
    let mut app = app();
    for pauses in [true, false] {
        hold(&mut app, KeyCode::Space, true);
        hold(&mut app, KeyCode::Space, false);
        frame(&mut app);
        frame(&mut app);
        assert_eq!(app.world().resource::<Playback>().paused, !pauses);
        assert!(!app.world().resource::<ButtonInput<KeyCode>>().pressed(KeyCode::Space));
    }
}

#[test]
fn a_shortcut_that_is_let_go_of_within_one_slow_frame_is_still_one() {
    let mut app = app();
    let discs = [0.0, 2.0].map(|x| disc(&mut app, vec2(x, 0.0)));
    hold(&mut app, KeyCode::ControlLeft, true);
    frame(&mut app);
    for (key, down) in [(KeyCode::KeyA, true), (KeyCode::KeyA, false), (KeyCode::ControlLeft, false)] {
        hold(&mut app, key, down);
    }
    frame(&mut app);
    assert_eq!(app.world().resource::<Selection>().0, discs);
    assert!(app.world().resource::<Aim>().by_numbers.is_none(), "Ctrl + A is not A");
    assert!(!app.world().resource::<ButtonInput<KeyCode>>().pressed(KeyCode::ControlLeft));
}

#[test]
fn a_key_that_was_meant_for_a_field_does_nothing_when_the_keyboard_comes_back() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(ball);
    app.insert_resource(Attention { mouse: true, keys: false });
    hold(&mut app, KeyCode::Escape, true);
    frame(&mut app);
    app.insert_resource(Attention::default());
    frame(&mut app);
    frame(&mut app);
    assert_eq!(app.world().resource::<Selection>().0, [ball]);
    assert!(app.world().resource::<ButtonInput<KeyCode>>().pressed(KeyCode::Escape), "for others it is held");
    hold(&mut app, KeyCode::Escape, false);
    frame(&mut app);
    strike(&mut app, KeyCode::Escape);
    assert_eq!(app.world().resource::<Selection>().0, []);
}

/// What the game read of Escape while the actions were evaluated.
#[derive(Resource, Default)]
struct EscapeWas(Option<bool>);

#[test]
fn a_game_reads_the_real_keys_while_the_actions_are_evaluated() {
    let read = |keys: Res<ButtonInput<KeyCode>>, mut was: ResMut<EscapeWas>| {
        was.0 = Some(keys.pressed(KeyCode::Escape));
    };
    let mut app = app();
    app.init_resource::<EscapeWas>().add_systems(
        PreUpdate,
        read.after(EnhancedInputSystems::Prepare).before(EnhancedInputSystems::Apply).in_set(ControlSystems::Read),
    );
    hold(&mut app, KeyCode::Escape, true);
    hold(&mut app, KeyCode::Escape, false);
    frame(&mut app);
    assert_eq!(app.world().resource::<EscapeWas>().0, Some(false), "it is up at the end of a slow frame");
    app.insert_resource(Attention { mouse: true, keys: false });
    hold(&mut app, KeyCode::Escape, true);
    frame(&mut app);
    app.insert_resource(Attention::default());
    frame(&mut app);
    assert_eq!(app.world().resource::<EscapeWas>().0, Some(true), "it was pressed in a text field, and is held");
}

#[test]
fn a_key_of_a_choice_tapped_in_one_slow_frame_does_nothing_else() {
    let mut app = app();
    let (choice, other) = (Control::Choose1, Control::Pause);
    let key = Binding::Keyboard { key: KeyCode::KeyK, mod_keys: ModKeys::empty() };
    let mut map = app.world_mut().resource_mut::<KeyMap>();
    map.set(choice, vec![key]);
    map.set(other, vec![key]);
    for asked in [true, false] {
        app.insert_resource(Asked(asked));
        hold(&mut app, KeyCode::KeyK, true);
        hold(&mut app, KeyCode::KeyK, false);
        frame(&mut app);
        frame(&mut app);
        assert_eq!(app.world().resource::<Playback>().paused, asked);
    }
}

#[test]
fn shortcuts_of_the_system_are_not_ours_and_shift_is_where_it_means_something() {
    let mut app = app();
    let discs = [0.0, 2.0, 4.0].map(|x| disc(&mut app, vec2(x, 0.0)));
    for modifier in [KeyCode::ControlLeft, KeyCode::AltLeft, KeyCode::SuperRight] {
        hold(&mut app, modifier, true);
        strike(&mut app, KeyCode::Space);
        hold(&mut app, modifier, false);
        assert!(app.world().resource::<Playback>().paused, "{modifier:?}");
    }
    let chosen = |app: &App| app.world().resource::<Selection>().0.clone();
    strike(&mut app, KeyCode::KeyN);
    assert_eq!(chosen(&app), [discs[0]]);
    strike(&mut app, KeyCode::KeyN);
    assert_eq!(chosen(&app), [discs[1]]);
    hold(&mut app, KeyCode::ShiftLeft, true);
    strike(&mut app, KeyCode::KeyN);
    strike(&mut app, KeyCode::KeyN);
    hold(&mut app, KeyCode::ShiftLeft, false);
    assert_eq!(chosen(&app), [discs[2]], "round and round");
    hold(&mut app, KeyCode::ControlLeft, true);
    strike(&mut app, KeyCode::KeyA);
    hold(&mut app, KeyCode::ControlLeft, false);
    assert_eq!(chosen(&app), discs);
    assert!(app.world().resource::<Aim>().by_numbers.is_none(), "Ctrl + A is not A");
}

#[test]
fn a_control_answers_the_key_that_it_is_bound_to_now() {
    let mut app = app();
    let key = Binding::Keyboard { key: KeyCode::KeyK, mod_keys: ModKeys::empty() };
    app.world_mut().resource_mut::<KeyMap>().set(Control::Pause, vec![key]);
    strike(&mut app, KeyCode::Space);
    assert!(app.world().resource::<Playback>().paused);
    strike(&mut app, KeyCode::KeyK);
    assert!(!app.world().resource::<Playback>().paused);
    app.world_mut().resource_mut::<KeyMap>().reset(Control::Pause);
    strike(&mut app, KeyCode::KeyK);
    assert!(!app.world().resource::<Playback>().paused);
    strike(&mut app, KeyCode::Space);
    assert!(app.world().resource::<Playback>().paused);
}

#[test]
fn the_next_key_that_is_pressed_is_bound_and_does_nothing_else() {
    let mut app = app();
    let wait = |app: &mut App, control, place| {
        app.insert_resource(Rebinding(Some(RebindTarget { control, place })));
    };
    wait(&mut app, Control::Pause, 0);
    hold(&mut app, KeyCode::ControlLeft, true);
    strike(&mut app, KeyCode::KeyN);
    hold(&mut app, KeyCode::ControlLeft, false);
    frame(&mut app);
    let bound = |app: &App, control| app.world().resource::<KeyMap>().words(control);
    assert_eq!(bound(&app, Control::Pause), "Ctrl + N");
    assert!(app.world().resource::<Playback>().paused && app.world().resource::<Rebinding>().0.is_none());
    wait(&mut app, Control::Pause, 0);
    strike(&mut app, KeyCode::Escape);
    assert_eq!(bound(&app, Control::Pause), "Ctrl + N", "Escape leaves it");
    wait(&mut app, Control::Pause, 2);
    strike(&mut app, KeyCode::KeyK);
    assert_eq!(bound(&app, Control::Pause), "Ctrl + N or K");
    wait(&mut app, Control::Pull, 0);
    strike(&mut app, KeyCode::KeyK);
    assert_eq!(bound(&app, Control::Pull), "left button", "a pull needs a button");
    strike(&mut app, KeyCode::Escape);
    strike(&mut app, KeyCode::KeyK);
    assert!(!app.world().resource::<Playback>().paused, "then the keys are the table's again");
}

#[test]
fn a_gamepad_aims_sets_the_speed_shoots_and_pauses() {
    let mut app = app();
    let ball = ball(&mut app);
    let gamepad = app.world_mut().spawn(Gamepad::default()).id();
    let press = |app: &mut App, button: GamepadButton| {
        for value in [1.0, 0.0] {
            app.world_mut().get_mut::<Gamepad>(gamepad).unwrap().analog_mut().set(button, value);
            frame(app);
        }
    };
    let push = |app: &mut App, axis: GamepadAxis, value: f32| {
        app.world_mut().get_mut::<Gamepad>(gamepad).unwrap().analog_mut().set(axis, value);
    };
    let aimed = |app: &App| app.world().resource::<Aim>().by_numbers;
    push(&mut app, GamepadAxis::LeftStickX, 0.1);
    frame(&mut app);
    assert_eq!(aimed(&app), None, "a stick never rests quite in the middle");
    push(&mut app, GamepadAxis::LeftStickX, 1.0);
    for _ in 0..5 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        frame(&mut app);
    }
    push(&mut app, GamepadAxis::LeftStickX, 0.0);
    frame(&mut app);
    let turned = aimed(&app).expect("the stick sets a shot up");
    assert!(turned.angle < 0.0, "{turned:?}");
    press(&mut app, GamepadButton::RightTrigger2);
    assert!(aimed(&app).unwrap().speed > turned.speed);
    press(&mut app, GamepadButton::South);
    assert!(velocity(&app, ball).length() > 1.0);
    press(&mut app, GamepadButton::West);
    assert!(aimed(&app).is_some());
    press(&mut app, GamepadButton::East);
    assert_eq!(aimed(&app), None);
    press(&mut app, GamepadButton::Start);
    assert!(!app.world().resource::<Playback>().paused);
}

#[test]
fn a_shot_may_be_pulled_with_another_button() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    let button = Binding::MouseButton { button: MouseButton::Back, mod_keys: ModKeys::empty() };
    app.world_mut().resource_mut::<KeyMap>().set(Control::Pull, vec![button]);
    drag(&mut app, Vec2::ZERO, vec2(-0.25, 0.0));
    assert_eq!(velocity(&app, ball), vec2(0.0, 0.25), "the left button is nothing now");
    point(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Back);
    frame(&mut app);
    point(&mut app, vec2(-0.25, 0.0));
    frame(&mut app);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Back);
    frame(&mut app);
    assert!((velocity(&app, ball) - vec2(0.5, 0.0)).length() < 1e-5);
}

#[test]
fn escape_gives_up_one_thing_at_a_time() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(ball);
    strike(&mut app, KeyCode::KeyH);
    strike(&mut app, KeyCode::KeyA);
    let left = |app: &App| {
        let (aim, help) = (app.world().resource::<Aim>().by_numbers.is_some(), app.world().resource::<Overlays>().help);
        (aim, help, app.world().resource::<Selection>().0.len())
    };
    assert_eq!(left(&app), (true, true, 1));
    for expected in [(false, true, 1), (false, false, 1), (false, false, 0)] {
        strike(&mut app, KeyCode::Escape);
        assert_eq!(left(&app), expected);
    }
}

#[test]
fn arrows_move_what_is_chosen_while_nothing_is_aimed() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(ball);
    strike(&mut app, KeyCode::ArrowRight);
    strike(&mut app, KeyCode::ArrowUp);
    // Ten pixels at a hundred per metre.
    assert!((position(&app, ball) - vec2(0.1, 0.1)).length() < 1e-5, "{}", position(&app, ball));
    assert_eq!(velocity(&app, ball), Vec2::ZERO);
    hold(&mut app, KeyCode::ShiftLeft, true);
    strike(&mut app, KeyCode::ArrowDown);
    hold(&mut app, KeyCode::ShiftLeft, false);
    assert!((position(&app, ball) - vec2(0.1, 0.09)).length() < 1e-5, "{}", position(&app, ball));
    strike(&mut app, KeyCode::KeyA);
    strike(&mut app, KeyCode::ArrowRight);
    assert!((position(&app, ball) - vec2(0.1, 0.09)).length() < 1e-5, "the arrow has turned the shot");
    assert!(app.world().resource::<Aim>().by_numbers.is_some_and(|shot| shot.angle < 0.0));
}

#[test]
fn a_shot_by_keys_is_of_the_disc_that_is_chosen_next() {
    let mut app = app();
    let discs = [0.0, 2.0].map(|x| disc(&mut app, vec2(x, 0.0)));
    let aimed = |app: &App| app.world().resource::<Aim>().by_numbers.map(|shot| shot.disc);
    strike(&mut app, KeyCode::KeyA);
    assert_eq!(aimed(&app), Some(discs[0]));
    strike(&mut app, KeyCode::KeyN);
    strike(&mut app, KeyCode::KeyN);
    assert_eq!(aimed(&app), Some(discs[1]));
    strike(&mut app, KeyCode::Enter);
    assert!(velocity(&app, discs[1]).x > 0.2 && velocity(&app, discs[0]).x == 0.0);
}

#[test]
fn keys_zoom_about_the_middle_and_push_the_view() {
    let mut app = app();
    let view = |app: &mut App| {
        let view = main_view(app.world_mut()).unwrap();
        (view.pixels_per_metre, view.to_screen(Vec2::ZERO))
    };
    let (scale, place) = view(&mut app);
    strike(&mut app, KeyCode::Equal);
    assert!(view(&mut app).0 > scale);
    strike(&mut app, KeyCode::NumpadSubtract);
    assert!((view(&mut app).0 - scale).abs() < 1e-3 && view(&mut app).1.distance(place) < 0.1, "back again");
    hold(&mut app, KeyCode::ControlLeft, true);
    strike(&mut app, KeyCode::ArrowLeft);
    assert!(view(&mut app).1.x > place.x, "what lay to the left comes into sight");
    strike(&mut app, KeyCode::Equal);
    hold(&mut app, KeyCode::ControlLeft, false);
    assert!((view(&mut app).0 - scale).abs() < 1e-3, "with Ctrl it is the panel that grows");
}

#[test]
fn digits_show_bookmarks_and_with_ctrl_they_keep_the_view() {
    let mut app = app();
    let notices = |app: &App| app.world().resource::<Notices>().iter().count();
    strike(&mut app, KeyCode::Digit2);
    assert_eq!(notices(&app), 1, "there is none yet, and it says with which key there will be");
    main_view(app.world_mut()).unwrap().centre = vec2(3.0, -1.0);
    hold(&mut app, KeyCode::ControlLeft, true);
    strike(&mut app, KeyCode::Digit2);
    hold(&mut app, KeyCode::ControlLeft, false);
    assert_eq!(notices(&app), 2);
    let centre = |app: &mut App| main_view(app.world_mut()).unwrap().centre;
    main_view(app.world_mut()).unwrap().pan(vec2(250.0, 90.0));
    strike(&mut app, KeyCode::Digit1);
    assert!(centre(&mut app).distance(vec2(3.0, -1.0)) > 1.0);
    strike(&mut app, KeyCode::Digit2);
    assert!(centre(&mut app).distance(vec2(3.0, -1.0)) < 1e-3, "{}", centre(&mut app));
    assert_eq!(notices(&app), 3);
}

#[test]
fn a_disc_that_the_camera_does_not_show_is_not_taken_hold_of() {
    let mut app = app();
    let (seen, hidden, elsewhere) =
        (disc(&mut app, vec2(2.0, 0.0)), disc(&mut app, Vec2::ZERO), disc(&mut app, vec2(0.0, 2.0)));
    app.world_mut().entity_mut(hidden).insert(InheritedVisibility::HIDDEN);
    app.world_mut().entity_mut(elsewhere).insert(RenderLayers::layer(3));
    for at in [Vec2::ZERO, vec2(0.0, 2.0)] {
        drag(&mut app, at, at);
        assert!(app.world().resource::<Selection>().0.is_empty());
        drag(&mut app, at, at - vec2(0.3, 0.0));
    }
    assert_eq!([hidden, elsewhere].map(|disc| velocity(&app, disc)), [vec2(0.0, 0.25); 2]);
    drag(&mut app, vec2(-3.0, -3.0), vec2(3.0, 3.0));
    assert_eq!(app.world().resource::<Selection>().single(), Some(seen), "a box takes what is seen");
}

/// A cue ball at the origin, on a table.
fn ball(app: &mut App) -> Entity {
    app.insert_resource(TablePhysics::default());
    scene(app, SceneFile { surroundings: Surroundings::Table, ..default() });
    app.world_mut().spawn((Ball, CueBall, Radius(0.05), Mass(0.17))).id()
}

fn spin(app: &App, disc: Entity) -> Vec3 {
    app.world().get::<AngularVelocity>(disc).unwrap().0
}

#[test]
fn the_tip_below_and_right_of_the_middle_gives_draw_and_right_english() {
    let mut app = app();
    let ball = ball(&mut app);
    app.insert_resource(CueSettings { side: 0.3, top: -0.3, ..default() });
    drag(&mut app, Vec2::ZERO, vec2(-0.3, 0.0));
    let (velocity, spin) = (velocity(&app, ball), spin(&app, ball));
    assert!(
        (velocity.length() - 5.0).abs() < 1e-3,
        "{velocity}: the pull says how fast the ball is, wherever it is hit"
    );
    assert!(velocity.y > 0.0, "it squirts to the left");
    // 2.5 b v / R.
    assert!((spin.y + 2.5 * 0.3 * 5.0 / 0.05).abs() < 0.1 && (spin.z - 75.0).abs() < 0.1, "{spin}");
    let aimed = app.world().resource::<Aim>().shot;
    assert_eq!(aimed, None, "it is played");
}

#[test]
fn a_miscue_is_no_shot_and_says_why() {
    let mut app = app();
    let ball = ball(&mut app);
    app.insert_resource(CueSettings { side: 0.5, top: 0.4, ..default() });
    drag(&mut app, Vec2::ZERO, vec2(-0.3, 0.0));
    assert_eq!(velocity(&app, ball), Vec2::ZERO);
    let words: Vec<String> = app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect();
    assert!(words.len() == 1 && words[0].contains("miscue") && words[0].contains("0.50"), "{words:?}");
}

#[test]
fn keys_alone_set_up_a_shot_and_play_it() {
    let mut app = app();
    let ball = ball(&mut app);
    strike(&mut app, KeyCode::KeyA);
    for _ in 0..3 {
        strike(&mut app, KeyCode::ArrowLeft);
    }
    strike(&mut app, KeyCode::ArrowUp);
    let shot = app.world().resource::<Aim>().shot.unwrap();
    let angle = shot.velocity.to_angle().to_degrees();
    assert!((angle - 0.3).abs() < 1e-3 && (shot.velocity.length() - 3.1).abs() < 1e-4, "{shot:?}");
    assert!(app.world().resource::<Preview>().seen().is_some(), "it is seen before");
    strike(&mut app, KeyCode::Enter);
    assert!((velocity(&app, ball) - shot.velocity).length() < 1e-4);
    assert_eq!(app.world().resource::<Aim>().shot, None);
}

#[test]
fn arrows_turn_a_shot_that_is_being_pulled() {
    let mut app = app();
    let ball = ball(&mut app);
    aim(&mut app, Vec2::ZERO, vec2(-0.3, 0.0));
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    strike(&mut app, KeyCode::ArrowRight);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
    let_go(&mut app);
    let velocity = velocity(&app, ball);
    assert!((velocity.to_angle().to_degrees() + 0.01).abs() < 1e-3, "{velocity}");
}

/// The number of runs of the generator below.
static RUNS: AtomicU32 = AtomicU32::new(0);

/// A cue ball and a pocket, as a game may generate them.
#[derive(serde::Deserialize)]
struct LoneCueBall {
    x: f32,
}

impl SceneGenerator for LoneCueBall {
    fn run(&self, contents: &mut Contents) -> Result<(), carom::components::InvalidValue> {
        RUNS.fetch_add(1, Ordering::Relaxed);
        contents.pockets.push(PocketEntry::new(vec2(0.5, 0.0), 0.1));
        let ball = DiscEntry { ball: true, cue: true, radius: 0.05, position: vec2(self.x, 0.0), ..default() };
        contents.discs.push(ball);
        Ok(())
    }
}

#[test]
fn a_cue_ball_that_a_generator_made_comes_back_to_its_place_without_the_generator() {
    let mut app = crate::common::app_with((ScenePlugin, InputPlugins, EditorPlugins, OverlayKeysPlugin));
    app.add_scene_generator::<LoneCueBall>("lone cue ball");
    let text = r#"(surroundings: Table, generate: [Custom(name: "lone cue ball", settings: (x: -0.25))])"#;
    let file = SceneFile::parse_with(text, "test.ron", &SceneRegistry::of(app.world())).unwrap();
    scene::spawn(app.world_mut(), SceneSource::Path("test.ron".into()), file).unwrap();
    let runs = RUNS.load(Ordering::Relaxed);
    let world = app.world_mut();
    let ball = world.query_filtered::<Entity, With<CueBall>>().single(world).unwrap();
    let pocket = world.query_filtered::<Entity, With<Pocket>>().single(world).unwrap();
    world.entity_mut(ball).insert((InPocket { pocket }, Position(vec2(0.45, 0.0))));
    frame(&mut app);
    assert!(app.world().get::<InPocket>(ball).is_none());
    assert_eq!(position(&app, ball), vec2(-0.25, 0.0));
    assert_eq!(RUNS.load(Ordering::Relaxed), runs);
}

#[test]
fn a_cue_ball_that_falls_comes_back_when_all_rest() {
    let mut app = app();
    let ball = ball(&mut app);
    let pocket = app.world_mut().spawn((Pocket { radius: 0.1 }, Position(vec2(0.5, 0.0)))).id();
    let other = app.world_mut().spawn((Ball, Radius(0.05), Position(vec2(0.02, 0.0)), Velocity(vec2(0.0, 0.1)))).id();
    app.world_mut().entity_mut(ball).insert((InPocket { pocket }, Position(vec2(0.45, 0.0))));
    frame(&mut app);
    assert!(app.world().get::<InPocket>(ball).is_some(), "another ball still moves");
    app.world_mut().get_mut::<Velocity>(other).unwrap().0 = Vec2::ZERO;
    frame(&mut app);
    assert!(app.world().get::<InPocket>(ball).is_none());
    let apart = position(&app, ball).distance(position(&app, other));
    assert!((0.1..0.13).contains(&apart), "beside the ball that lies where it was: {apart}");
}
