//! Tests of the bar as a person uses it.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_egui::egui::{self, Ui};
use egui_kittest::{Harness, kittest::Queryable};

use super::{
    ghosts::Ghosts,
    show::{Shown, handle, lay_out},
    state::{Request, TimeBar, apply, follow_tracks},
    to_hit,
};
use crate::{
    PhysicsPlugins,
    collision::PhysicsSpace,
    components::{Disc, Position, Radius, Terrain, Velocity},
    input::{Selection, actions::KeyMap},
    shell::Overlays,
    timeline::{History, HistoryPlugin, HistorySystems, Playback, history::has_hit, ticked},
    view::Theme,
};

/// Two discs in a box, without a window. Each update runs a tick.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), HistoryPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<TimeBar>()
        .init_resource::<Ghosts>()
        .init_resource::<to_hit::FrameStart>()
        .init_resource::<Selection>()
        .init_resource::<Overlays>()
        .init_resource::<KeyMap>()
        .init_resource::<Theme>()
        .add_systems(
            RunFixedMainLoop,
            (
                to_hit::request_ticks.after(HistorySystems::Seek).in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                to_hit::give_back_time.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            ),
        )
        .add_systems(FixedLast, to_hit::look_for_hit.run_if(ticked))
        .add_systems(Update, (follow_tracks, super::ghosts::follow).chain());
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(2.0, 1.0) });
    for (x, speed) in [(-1.0, 1.3), (1.0, 0.0)] {
        app.world_mut().spawn((Disc, Position(vec2(x, 0.1 * x)), Velocity(vec2(speed, 0.2)), Radius(0.2)));
    }
    app.finish();
    app
}

fn updates(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

fn history(app: &App) -> &History {
    app.world().resource()
}

/// Updates until nothing is sought.
fn settle(app: &mut App) {
    for _ in 0..200 {
        app.update();
        if !history(app).is_seeking() && app.world().resource::<TimeBar>().to_hit.is_none() {
            return;
        }
    }
    panic!("it never comes to an end");
}

fn show(ui: &mut Ui, app: &mut App) {
    let world = app.world_mut();
    let asked = lay_out(
        ui,
        &Shown {
            bar: world.resource(),
            history: world.resource(),
            theme: world.resource(),
            keys: world.resource(),
            is_paused: world.resource::<Playback>().paused,
            now: world.resource::<PhysicsSpace>().clock.seconds,
            step: world.resource::<Time<Fixed>>().timestep().as_secs_f64(),
            differs: None,
            disc: None,
        },
    );
    handle(world, asked);
}

#[test]
fn a_drag_holds_time_and_a_release_lets_it_run_from_there() {
    let mut app = app();
    updates(&mut app, 101);
    let mut harness = Harness::builder().with_size([1000.0, 80.0]).build_ui_state(show, app);
    harness.run_steps(2);
    let strip = harness.get_by_label("Time of the run").rect();
    let at = |share: f32| strip.left_center() + egui::vec2(share * strip.width(), 0.0);
    harness.hover_at(at(0.9));
    harness.drag_at(at(0.9));
    harness.run_steps(2);
    for share in [0.7, 0.4, 0.25] {
        harness.hover_at(at(share));
        harness.run_steps(1);
        updates(harness.state_mut(), 2);
    }
    assert!(harness.state().world().resource::<Playback>().paused);
    let tick = history(harness.state()).tick();
    assert!((23..=27).contains(&tick), "{tick}");
    harness.drop_at(at(0.25));
    harness.run_steps(3);
    assert!(!harness.state().world().resource::<Playback>().paused);
    updates(harness.state_mut(), 4);
    assert_eq!(history(harness.state()).tick(), tick + 4);
    assert_eq!(history(harness.state()).tracks().count(), 1);
}

#[test]
fn buttons_step_by_tick_and_by_collision_in_both_directions() {
    let mut app = app();
    let mut hits = Vec::new();
    for _ in 0..400 {
        app.update();
        let space = app.world().resource::<PhysicsSpace>();
        if has_hit(space, None) {
            hits.push(space.clock.tick);
        }
    }
    assert!(hits.len() > 4, "{hits:?}");
    app.world_mut().resource_mut::<Playback>().paused = true;
    let mut harness = Harness::builder().with_size([1000.0, 80.0]).build_ui_state(show, app);
    let press = |harness: &mut Harness<App>, name: &str| {
        harness.run_steps(2);
        harness.get_by_label(name).click();
        harness.run_steps(2);
        settle(harness.state_mut());
        history(harness.state()).tick()
    };
    assert_eq!(press(&mut harness, "To the start"), 0);
    for hit in &hits[..3] {
        assert_eq!(press(&mut harness, "Next collision"), *hit);
        assert!(harness.state().world().resource::<Playback>().paused);
    }
    assert_eq!(press(&mut harness, "Previous collision"), hits[1]);
    assert_eq!(press(&mut harness, "One tick back"), hits[1] - 1);
    assert_eq!(press(&mut harness, "One tick forward"), hits[1]);
    assert_eq!(history(harness.state()).tracks().count(), 1, "looking around does not branch");
}

#[test]
fn an_edit_in_the_past_leaves_a_track_with_ghosts_and_bookmarks_lead_back() {
    let mut app = app();
    updates(&mut app, 61);
    apply(app.world_mut(), Request::Bookmark);
    apply(app.world_mut(), Request::Seek(20));
    settle(&mut app);
    let disc = app.world_mut().query_filtered::<Entity, With<Disc>>().iter(app.world()).next().unwrap();
    app.world_mut().get_mut::<Velocity>(disc).unwrap().0 = vec2(0.0, 0.9);
    updates(&mut app, 10);
    let ghosts = app.world().resource::<Ghosts>();
    assert_eq!(ghosts.tick, Some(history(&app).tick()));
    assert_eq!(ghosts.differences.len(), 2);
    assert!(ghosts.differences[0].apart.length() > 0.1 && ghosts.differences[1].apart == Vec2::ZERO);
    let bookmark = app.world().resource::<TimeBar>().bookmarks[0].clone();
    apply(app.world_mut(), Request::Jump(bookmark.track, bookmark.tick));
    settle(&mut app);
    let now = history(&app);
    assert!(now.current_track() == Some(bookmark.track) && now.tick() >= bookmark.tick);
    apply(app.world_mut(), Request::Rename(0, "the hit".to_owned()));
    assert_eq!(app.world().resource::<TimeBar>().bookmarks[0].name, "the hit");
    apply(app.world_mut(), Request::Delete(0));
    assert!(app.world().resource::<TimeBar>().bookmarks.is_empty());
}

#[test]
fn it_follows_the_panel_until_its_key_says_otherwise() {
    let mut app = app();
    let is_shown = |app: &App, panel| app.world().resource::<TimeBar>().is_shown(&Overlays { panel, ..default() });
    assert!(is_shown(&app, true) && !is_shown(&app, false));
    apply(app.world_mut(), Request::Show(true));
    assert!(is_shown(&app, false));
    apply(app.world_mut(), Request::Show(false));
    assert!(!is_shown(&app, true));
}
