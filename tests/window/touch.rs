//! Touch input without a touch screen: finger events become velocities, selections and changes of the view.

use crate::common::frame;
use bevy::{
    input::touch::{TouchInput, TouchPhase},
    prelude::*,
    time::TimeUpdateStrategy,
    window::{CursorMoved, WindowEvent},
};
use carom::{
    editor::Tool,
    input::{
        Attention, CameraKeysPlugin, Controls, Gesture, InputPlugins, LongPress, Pointer, PointingDevice, Selection,
        TouchPlugin, actions::Control,
    },
    prelude::*,
    view::{KeyHint, View2d, main_view},
};

/// After its first frame.
fn app() -> App {
    let mut app = crate::common::app();
    frame(&mut app);
    app
}

fn disc(app: &mut App, position: Vec2) -> Entity {
    app.world_mut().spawn((Disc, Position(position), Radius(0.5))).id()
}

/// Finger `id` at a point of the world, metres, in the current view.
fn finger(app: &mut App, id: u64, phase: TouchPhase, world: Vec2) {
    let position = main_view(app.world_mut()).unwrap().to_screen(world);
    finger_at(app, id, phase, position);
}

/// The same at a point of the window, logical pixels.
fn finger_at(app: &mut App, id: u64, phase: TouchPhase, position: Vec2) {
    let mut windows = app.world_mut().query_filtered::<Entity, With<Window>>();
    let window = windows.iter(app.world()).next().unwrap_or(Entity::PLACEHOLDER);
    app.world_mut().write_message(TouchInput { phase, position, window, force: None, id });
}

/// A finger down, to another point and up again, in one frame each. The points are in metres in the initial view.
fn drag(app: &mut App, from: Vec2, to: Vec2) {
    let [from, to] = [from, to].map(|world| main_view(app.world_mut()).unwrap().to_screen(world));
    for (phase, at) in [(TouchPhase::Started, from), (TouchPhase::Moved, to), (TouchPhase::Ended, to)] {
        finger_at(app, 7, phase, at);
        frame(app);
    }
}

fn velocity(app: &App, disc: Entity) -> Vec2 {
    app.world().get::<Velocity>(disc).unwrap().0
}

fn gesture(app: &App) -> Gesture {
    *app.world().resource::<Gesture>()
}

fn selected(app: &App) -> Option<Entity> {
    app.world().resource::<Selection>().single()
}

/// The centre, metres, and the scale, logical pixels per metre.
fn shown(app: &mut App) -> (Vec2, f32) {
    let view = main_view(app.world_mut()).unwrap();
    (view.centre, view.pixels_per_metre)
}

#[test]
fn a_finger_pulls_and_shoots_and_leaves_no_pointer_behind() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    drag(&mut app, Vec2::ZERO, vec2(-1.0, 0.0));
    assert!(velocity(&app, ball).x > 0.1 && velocity(&app, ball).y == 0.0, "{}", velocity(&app, ball));
    assert_eq!(gesture(&app), Gesture::Idle);
    frame(&mut app);
    assert_eq!(*app.world().resource::<Pointer>(), Pointer::default());
}

#[test]
fn what_was_used_last_is_told_and_the_hint_speaks_of_it() {
    let mut app = app();
    let now = |app: &App| (*app.world().resource::<PointingDevice>(), app.world().resource::<KeyHint>().0.len());
    assert_eq!(now(&app), (PointingDevice::Mouse, 4));
    drag(&mut app, Vec2::ZERO, Vec2::X);
    assert_eq!(now(&app), (PointingDevice::Finger, 1));
    let window = Entity::PLACEHOLDER;
    let moved = CursorMoved { window, position: vec2(10.0, 10.0), delta: None };
    app.world_mut().write_message(WindowEvent::CursorMoved(moved));
    frame(&mut app);
    assert_eq!(now(&app), (PointingDevice::Mouse, 4));
}

#[test]
fn all_in_one_slow_frame_is_a_shot_and_two_taps_are_two() {
    let mut app = app();
    let (ball, other) = (disc(&mut app, Vec2::ZERO), disc(&mut app, vec2(3.0, 0.0)));
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    finger(&mut app, 1, TouchPhase::Moved, vec2(-1.0, 0.0));
    finger(&mut app, 1, TouchPhase::Ended, vec2(-2.0, 0.0));
    finger(&mut app, 2, TouchPhase::Started, vec2(3.0, 0.0));
    finger(&mut app, 2, TouchPhase::Ended, vec2(3.0, 0.0));
    frame(&mut app);
    assert!(velocity(&app, ball).x > 0.1);
    assert_eq!(selected(&app), None);
    frame(&mut app);
    assert_eq!(selected(&app), Some(other), "the next press is that of the next frame");
}

#[test]
fn a_tap_selects_and_a_tap_beside_clears_though_no_finger_is_still() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    let before = shown(&mut app);
    // Beside its rim, within a finger's width but beyond the reach of a mouse.
    drag(&mut app, vec2(0.65, 0.0), vec2(0.6, 0.06));
    assert_eq!(selected(&app), Some(ball));
    assert_eq!(velocity(&app, ball), Vec2::ZERO);
    drag(&mut app, vec2(2.0, 1.0), vec2(2.05, 1.05));
    assert_eq!(selected(&app), None);
    assert_eq!(shown(&mut app), before);
}

#[test]
fn a_finger_on_the_empty_table_moves_the_view() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(ball);
    drag(&mut app, vec2(2.0, 1.0), vec2(1.0, 1.5));
    let (centre, scale) = shown(&mut app);
    assert!((centre - vec2(1.0, -0.5)).length() < 1e-4, "{centre}");
    assert_eq!(scale, View2d::default().pixels_per_metre);
    assert_eq!(selected(&app), Some(ball), "that is not a tap");
}

#[test]
fn two_fingers_keep_what_is_under_them() {
    let mut app = app();
    disc(&mut app, Vec2::ZERO);
    let places = [vec2(2.0, 1.0), vec2(3.0, 1.0)];
    let [a, b] = places.map(|world| main_view(app.world_mut()).unwrap().to_screen(world));
    finger_at(&mut app, 1, TouchPhase::Started, a);
    frame(&mut app);
    finger_at(&mut app, 2, TouchPhase::Started, b);
    frame(&mut app);
    // Both move up, and twice as far apart.
    let up = vec2(0.0, -40.0);
    let (to_a, to_b) = (a + up - (b - a) / 2.0, b + up + (b - a) / 2.0);
    finger_at(&mut app, 1, TouchPhase::Moved, to_a);
    finger_at(&mut app, 2, TouchPhase::Moved, to_b);
    frame(&mut app);
    let view = main_view(app.world_mut()).unwrap().clone();
    assert!((view.pixels_per_metre / 100.0 - 2.0).abs() < 1e-4, "{}", view.pixels_per_metre);
    for (world, screen) in places.into_iter().zip([to_a, to_b]) {
        assert!(view.to_screen(world).distance(screen) < 0.01, "{} {screen}", view.to_screen(world));
    }
    assert_eq!(app.world().resource::<Pointer>().screen, None, "neither of them points");
    // The remaining finger continues to pan, and shoots nothing.
    finger_at(&mut app, 2, TouchPhase::Ended, to_b);
    finger_at(&mut app, 1, TouchPhase::Moved, to_a + vec2(0.0, 30.0));
    frame(&mut app);
    let view = main_view(app.world_mut()).unwrap().clone();
    assert!(view.to_screen(places[0]).distance(to_a + vec2(0.0, 30.0)) < 0.01);
    assert_eq!(gesture(&app), Gesture::Idle);
}

#[test]
fn a_second_finger_gives_up_the_shot() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Selection>().0.push(ball);
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Moved, vec2(-1.0, 0.0));
    frame(&mut app);
    assert!(matches!(gesture(&app), Gesture::Aiming { .. }));
    finger(&mut app, 2, TouchPhase::Started, vec2(1.0, 1.0));
    frame(&mut app);
    assert_eq!(gesture(&app), Gesture::Idle);
    for id in [1, 2] {
        finger(&mut app, id, TouchPhase::Ended, vec2(-1.0, 1.0));
        frame(&mut app);
    }
    assert_eq!(velocity(&app, ball), Vec2::ZERO);
    assert_eq!(selected(&app), Some(ball), "the shot is given up, and nothing else");
    // Once all fingers are up, a finger shoots again.
    drag(&mut app, Vec2::ZERO, vec2(-1.0, 0.0));
    assert!(velocity(&app, ball).x > 0.1);
}

#[test]
fn what_the_system_takes_away_is_no_shot() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Moved, vec2(-1.0, 0.0));
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Canceled, vec2(-1.0, 0.0));
    frame(&mut app);
    assert_eq!((gesture(&app), velocity(&app, ball)), (Gesture::Idle, Vec2::ZERO));
}

#[test]
fn a_finger_draws_with_a_tool_and_a_second_one_gives_that_up() {
    let mut app = app();
    let pieces = |app: &mut App| app.world_mut().query::<&Terrain>().iter(app.world()).count();
    app.insert_resource(Tool::Wall);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Moved, vec2(2.0, 0.0));
    frame(&mut app);
    finger(&mut app, 2, TouchPhase::Started, vec2(1.0, 1.0));
    frame(&mut app);
    for id in [1, 2] {
        finger(&mut app, id, TouchPhase::Ended, vec2(2.0, 0.0));
        frame(&mut app);
    }
    assert_eq!((pieces(&mut app), *app.world().resource::<Tool>()), (0, Tool::Wall));
    drag(&mut app, Vec2::ZERO, vec2(2.0, 0.0));
    frame(&mut app);
    assert_eq!(pieces(&mut app), 1);
}

#[test]
fn what_began_on_the_panel_is_the_panels() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    let before = shown(&mut app);
    app.insert_resource(Attention { mouse: false, keys: true });
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    app.insert_resource(Attention::default());
    finger(&mut app, 1, TouchPhase::Moved, vec2(-1.0, 0.0));
    frame(&mut app);
    assert_eq!(gesture(&app), Gesture::Idle);
    // With a finger on the panel, another one is not the second.
    finger(&mut app, 2, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Moved, vec2(-2.0, 0.0));
    finger(&mut app, 2, TouchPhase::Moved, vec2(0.0, -1.0));
    frame(&mut app);
    assert!(matches!(gesture(&app), Gesture::Aiming { .. }), "{:?}", gesture(&app));
    assert_eq!(shown(&mut app), before);
    finger(&mut app, 2, TouchPhase::Ended, vec2(0.0, -1.0));
    frame(&mut app);
    assert!(velocity(&app, ball).y > 0.1);
}

#[test]
fn fingers_do_only_what_is_allowed() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), TouchPlugin, CameraKeysPlugin));
    app.world_mut().spawn(View2d::default());
    app.finish();
    app.cleanup();
    app.update();
    let ball = disc(&mut app, Vec2::ZERO);
    drag(&mut app, Vec2::ZERO, vec2(-1.0, 0.0));
    assert_eq!(velocity(&app, ball), Vec2::ZERO, "there is nothing that shoots");
    app.world_mut().resource_mut::<Controls>().camera = false;
    let before = shown(&mut app);
    finger(&mut app, 1, TouchPhase::Started, vec2(1.0, 1.0));
    finger(&mut app, 2, TouchPhase::Started, vec2(2.0, 1.0));
    frame(&mut app);
    finger(&mut app, 2, TouchPhase::Moved, vec2(3.0, 1.0));
    frame(&mut app);
    assert_eq!(shown(&mut app), before);
}

#[test]
fn a_finger_pulls_whatever_button_that_is_bound_to() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<carom::input::actions::KeyMap>().set(Control::Pull, Vec::new());
    drag(&mut app, Vec2::ZERO, vec2(-1.0, 0.0));
    assert!(velocity(&app, ball).x > 0.1);
}

/// Lets this much real time pass, frame by frame, with unchanged fingers.
fn wait(app: &mut App, seconds: f32) {
    let step = std::time::Duration::from_millis(50);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    for _ in 0..(seconds / step.as_secs_f32()).round() as u32 {
        frame(app);
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::ZERO));
}

#[test]
fn after_a_long_press_a_finger_moves_a_disc_and_shoots_none() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    let share = |app: &App| app.world().resource::<LongPress>().share();
    finger(&mut app, 1, TouchPhase::Started, vec2(0.2, 0.0));
    frame(&mut app);
    wait(&mut app, 0.3);
    // A real finger never stays completely still.
    finger(&mut app, 1, TouchPhase::Moved, vec2(0.25, 0.0));
    frame(&mut app);
    assert!(share(&app).is_some_and(|(disc, share)| disc == ball && share > 0.3 && share < 0.9), "{:?}", share(&app));
    wait(&mut app, 0.4);
    assert!(matches!(gesture(&app), Gesture::Moving { disc, .. } if disc == ball), "{:?}", gesture(&app));
    assert_eq!(share(&app), Some((ball, 1.0)));
    finger(&mut app, 1, TouchPhase::Moved, vec2(2.25, 1.0));
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Ended, vec2(2.25, 1.0));
    frame(&mut app);
    let place = app.world().get::<Position>(ball).unwrap().0;
    assert!(place.distance(vec2(2.0, 1.0)) < 1e-4, "{place}");
    assert_eq!((velocity(&app, ball), gesture(&app), selected(&app)), (Vec2::ZERO, Gesture::Idle, Some(ball)));
    frame(&mut app);
    assert_eq!(share(&app), None);
}

#[test]
fn a_pull_is_no_long_press_however_long_it_takes() {
    let mut app = app();
    let ball = disc(&mut app, Vec2::ZERO);
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Moved, vec2(-1.0, 0.0));
    frame(&mut app);
    wait(&mut app, 1.0);
    // Back over the disc, where the press started.
    finger(&mut app, 1, TouchPhase::Moved, vec2(-0.05, 0.0));
    frame(&mut app);
    wait(&mut app, 1.0);
    assert!(matches!(gesture(&app), Gesture::Aiming { .. }), "{:?}", gesture(&app));
    // If discs may not be moved, nothing is held.
    app.world_mut().resource_mut::<Controls>().move_discs = false;
    finger(&mut app, 1, TouchPhase::Ended, Vec2::ZERO);
    frame(&mut app);
    finger(&mut app, 1, TouchPhase::Started, Vec2::ZERO);
    frame(&mut app);
    wait(&mut app, 1.0);
    assert!(matches!(gesture(&app), Gesture::Aiming { .. }), "{:?}", gesture(&app));
    assert_eq!(app.world().get::<Position>(ball).unwrap().0, Vec2::ZERO);
}

/// The complete program except for the system's window. egui sees the same fingers.
#[cfg(feature = "program")]
#[test]
fn the_panel_has_its_fingers_and_the_table_has_the_others() {
    use bevy::{
        log::LogPlugin,
        render::{RenderPlugin, settings::WgpuSettings},
        winit::WinitPlugin,
    };
    let nothing_to_draw_with = WgpuSettings { backends: None, ..default() };
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(RenderPlugin { render_creation: nothing_to_draw_with.into(), ..default() })
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>(),
    )
    .add_plugins((
        PhysicsPlugins::default(),
        carom::view::ViewPlugin,
        InputPlugins,
        carom::editor::EditorPlugins,
        carom::shell::OverlayKeysPlugin,
        carom::panel::PanelPlugin,
    ));
    app.world_mut().resource_mut::<Playback>().paused = true;
    app.finish();
    app.cleanup();
    let mut windows = app.world_mut().query_filtered::<Entity, With<Window>>();
    let window = windows.single(app.world()).unwrap();
    let ball = disc(&mut app, Vec2::ZERO);
    for _ in 0..10 {
        app.update();
    }
    // A panned view is not refitted.
    main_view(app.world_mut()).unwrap().pan(Vec2::X);
    let area = main_view(app.world_mut()).unwrap().area;
    assert!(area.width() > 100.0 && area.width() < 1200.0, "the panel is there: {area:?}");
    let beside = if area.min.x > 50.0 { area.min.x / 2.0 } else { area.max.x.midpoint(1280.0) };
    for (x, is_tables) in [(beside, false), (area.center().x, true)] {
        let at = vec2(x, area.center().y);
        let world = main_view(app.world_mut()).unwrap().to_world(at);
        app.world_mut().entity_mut(ball).insert((Position(world), Velocity::default()));
        // It is grabbed where it is visible.
        app.update();
        for (phase, by) in [(TouchPhase::Started, 0.0), (TouchPhase::Moved, 60.0), (TouchPhase::Ended, 60.0)] {
            finger_at(&mut app, 3, phase, at + vec2(0.0, by));
            app.update();
        }
        assert_eq!(velocity(&app, ball) != Vec2::ZERO, is_tables, "at {at}");
    }
    app.update();
    assert_eq!(app.world().resource::<Pointer>().screen, None);
    assert!(!app.world().resource::<Attention>().mouse);
    // The mouse is active again as soon as it moves.
    let at = area.center();
    let mut windows = app.world_mut().query::<&mut Window>();
    windows.single_mut(app.world_mut()).unwrap().set_cursor_position(Some(at));
    app.update();
    assert_eq!(app.world().resource::<Pointer>().screen, None, "where a finger has left it, it is not");
    app.world_mut().write_message(WindowEvent::CursorMoved(CursorMoved { window, position: at, delta: None }));
    app.update();
    assert_eq!(app.world().resource::<Pointer>().screen, Some(at));
}
