//! Drawing terrain and discs with the mouse, without a window: drawn objects appear, can be reshaped by their handles,
//! and can be undone.

use crate::common::{frame, point, strike};
use bevy::{camera::visibility::RenderLayers, prelude::*};
use carom::{
    components::Restitution,
    editor::{
        ChosenTerrain, DrawPlugin, DrawSettings, EditHistory, EditorPlugins, JointForm, Sketch, Tool, redo, undo,
    },
    input::{Gesture, InputPlugins, Selection},
    notice::Notices,
    prelude::*,
    scene::{self, DrawnTable, SceneCommand, SceneEntity, SceneFile, ScenePlugin, SceneSource},
    shell::OverlayKeysPlugin,
    view::Captions,
};

/// After its first frame. The grid spacing is half a metre.
fn app() -> App {
    let mut app = crate::common::app();
    frame(&mut app);
    app
}

fn button(app: &mut App, button: MouseButton, down: bool) {
    let mut buttons = app.world_mut().resource_mut::<ButtonInput<MouseButton>>();
    if down {
        buttons.press(button);
    } else {
        buttons.release(button);
    }
    frame(app);
}

fn drag(app: &mut App, from: Vec2, to: Vec2) {
    point(app, from);
    button(app, MouseButton::Left, true);
    point(app, from.midpoint(to));
    frame(app);
    point(app, to);
    frame(app);
    button(app, MouseButton::Left, false);
}

fn click(app: &mut App, at: Vec2) {
    drag(app, at, at);
}

fn take(app: &mut App, tool: Tool) {
    *app.world_mut().resource_mut::<Tool>() = tool;
    frame(app);
}

fn terrain(app: &mut App) -> Vec<(Terrain, Vec2)> {
    let mut pieces = app.world_mut().query::<(&StableId, &Terrain, &Position)>();
    let mut all: Vec<_> = pieces.iter(app.world()).collect();
    all.sort_unstable_by_key(|(id, ..)| **id);
    all.into_iter().map(|(_, terrain, position)| (terrain.clone(), position.0)).collect()
}

fn chosen(app: &App) -> Option<Entity> {
    app.world().resource::<ChosenTerrain>().0
}

fn edits(app: &App) -> usize {
    app.world().resource::<EditHistory>().len()
}

#[test]
fn what_is_drawn_is_there_on_the_grid_and_a_part_of_the_scene() {
    let mut app = app();
    app.world_mut().resource_mut::<DrawSettings>().restitution = Some(0.25);
    take(&mut app, Tool::Wall);
    drag(&mut app, vec2(-1.02, 0.04), vec2(1.97, 0.03));
    take(&mut app, Tool::Block);
    drag(&mut app, vec2(1.0, 1.0), vec2(2.0, 3.0));
    take(&mut app, Tool::Bumper);
    drag(&mut app, vec2(-2.0, -2.0), vec2(-2.0, -1.0));
    click(&mut app, vec2(2.0, -2.0));
    assert_eq!(
        terrain(&mut app),
        [
            (Terrain::Segment { a: vec2(-1.0, 0.0), b: vec2(2.0, 0.0) }, Vec2::ZERO),
            (Terrain::Block { half_size: vec2(0.5, 1.0) }, vec2(1.5, 2.0)),
            (Terrain::Circle { radius: 1.0 }, vec2(-2.0, -2.0)),
            (Terrain::Circle { radius: 0.5 }, vec2(2.0, -2.0)),
        ]
    );
    let file = SceneFile::capture(app.world_mut());
    assert!(file.check().is_ok());
    assert!(file.terrain.iter().all(|piece| piece.get() == Some(&Restitution(0.25))));
    assert_eq!(app.world_mut().query::<(&Terrain, &SceneEntity)>().iter(app.world()).count(), 4);
    assert_eq!(edits(&app), 4);
    undo(app.world_mut());
    undo(app.world_mut());
    assert_eq!(terrain(&mut app).len(), 2);
    redo(app.world_mut());
    assert_eq!(terrain(&mut app).len(), 3);
}

#[test]
fn joints_are_drawn_between_discs_and_to_points_and_arcs_around_their_centres() {
    let mut app = app();
    let discs =
        [vec2(-1.3, 0.2), vec2(1.3, 0.2)].map(|at| app.world_mut().spawn((Disc, Position(at), Radius(0.3))).id());
    frame(&mut app);
    let joints = |app: &mut App| {
        let mut joints: Vec<_> =
            app.world_mut().query::<(&StableId, &Joint)>().iter(app.world()).map(|(id, joint)| (*id, *joint)).collect();
        joints.sort_unstable_by_key(|(id, _)| *id);
        joints.into_iter().map(|(_, joint)| joint).collect::<Vec<_>>()
    };
    take(&mut app, Tool::Joint);
    // Anywhere on the discs. The joint connects their centres.
    drag(&mut app, vec2(-1.2, 0.3), vec2(1.4, 0.1));
    let drawn = joints(&mut app);
    assert_eq!(drawn, [Joint::rod(discs[0], discs[1], 2.6)]);
    assert_eq!(app.world().resource::<Selection>().0, discs);
    app.world_mut().resource_mut::<DrawSettings>().joint = JointForm::Spring;
    drag(&mut app, vec2(1.3, 2.2), vec2(1.3, 0.3));
    let spring = joints(&mut app)[1];
    assert_eq!(spring.ends[1], JointEnd::Disc(discs[1]));
    assert!(matches!(spring.ends[0], JointEnd::Point(_)) && matches!(spring.kind, JointKind::Spring { .. }));
    // Neither between two empty places, nor from a disc to itself.
    drag(&mut app, vec2(-2.0, 2.5), vec2(-1.0, 2.5));
    drag(&mut app, vec2(-1.4, 0.2), vec2(-1.1, 0.2));
    assert_eq!((joints(&mut app).len(), edits(&app)), (2, 2));
    undo(app.world_mut());
    assert_eq!(joints(&mut app).len(), 1);
    redo(app.world_mut());
    assert_eq!(SceneFile::capture(app.world_mut()).joints.len(), 2);
    take(&mut app, Tool::Arc);
    drag(&mut app, vec2(0.0, -2.0), vec2(0.0, -1.0));
    let Some((Terrain::Arc { radius, start, extent }, at)) = terrain(&mut app).pop() else { panic!("an arc") };
    assert_eq!((radius, at), (1.0, vec2(0.0, -2.0)));
    assert!(start.abs() < 1e-6 && (extent - std::f32::consts::PI).abs() < 1e-6, "{start}, {extent}");
}

#[test]
fn the_plugin_alone_selects_moves_and_deletes_terrain() {
    let mut app = crate::common::app_with(DrawPlugin);
    let block = Terrain::Block { half_size: vec2(1.0, 1.0) };
    let piece = app.world_mut().spawn((block.clone(), Position(Vec2::ZERO))).id();
    frame(&mut app);
    click(&mut app, vec2(0.3, 0.4));
    assert_eq!(chosen(&app), Some(piece));
    drag(&mut app, vec2(0.3, 0.4), vec2(1.3, 0.9));
    assert_eq!(terrain(&mut app), [(block, vec2(1.0, 0.5))]);
    strike(&mut app, KeyCode::Delete);
    assert!(app.world().get_entity(piece).is_err(), "without a history it is despawned");
}

#[test]
fn a_wall_begins_where_another_ends() {
    let mut app = app();
    app.world_mut().spawn(Terrain::Segment { a: vec2(0.37, 0.11), b: vec2(3.0, 1.0) });
    take(&mut app, Tool::Wall);
    drag(&mut app, vec2(0.40, 0.15), vec2(0.5, 3.0));
    assert_eq!(terrain(&mut app)[1].0, Terrain::Segment { a: vec2(0.37, 0.11), b: vec2(0.5, 3.0) });
    app.world_mut().resource_mut::<DrawSettings>().snap = false;
    drag(&mut app, vec2(-0.125, 0.25), vec2(-0.125, 3.0625));
    let Terrain::Segment { a, b } = terrain(&mut app)[2].0 else { panic!("a wall") };
    assert!(a.distance(vec2(-0.125, 0.25)) < 1e-5 && b.distance(vec2(-0.125, 3.0625)) < 1e-5, "{a} {b}");
}

#[test]
fn a_new_wall_holds_discs_and_a_deleted_one_does_not() {
    let mut app = app();
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    let disc = app.world_mut().spawn((Disc, Radius(0.1), Velocity(vec2(2.0, 0.0)))).id();
    take(&mut app, Tool::Wall);
    drag(&mut app, vec2(1.0, -1.0), vec2(1.0, 1.0));
    app.world_mut().resource_mut::<Playback>().paused = false;
    for _ in 0..64 {
        frame(&mut app);
    }
    assert!(app.world().get::<Velocity>(disc).unwrap().x < 0.0);
    // The drawn object is selected.
    assert!(chosen(&app).is_some());
    strike(&mut app, KeyCode::Delete);
    assert!(terrain(&mut app).is_empty() && chosen(&app).is_none());
    undo(app.world_mut());
    assert!(chosen(&app).is_some(), "what comes back is chosen");
    redo(app.world_mut());
    assert!(terrain(&mut app).is_empty() && chosen(&app).is_none());
    app.world_mut().get_mut::<Velocity>(disc).unwrap().0 = vec2(2.0, 0.0);
    for _ in 0..64 {
        frame(&mut app);
    }
    assert!(app.world().get::<Position>(disc).unwrap().x > 1.2);
}

#[test]
fn a_drawn_disc_is_as_dense_as_the_others() {
    let mut app = app();
    app.world_mut().spawn((Disc, Position(vec2(9.0, 9.0)), Radius(0.5), Mass(2.0)));
    take(&mut app, Tool::Disc);
    drag(&mut app, Vec2::ZERO, vec2(1.0, 0.0));
    let drawn = app.world().resource::<Selection>().single().expect("it is selected");
    assert_eq!(app.world().get::<Radius>(drawn), Some(&Radius(1.0)));
    assert_eq!(app.world().get::<Mass>(drawn), Some(&Mass(8.0)));
    click(&mut app, vec2(3.0, 0.0));
    let like = app.world().resource::<Selection>().single().unwrap();
    assert_eq!(app.world().get::<Position>(like).unwrap().0, vec2(3.0, 0.0));
    assert_eq!(edits(&app), 2);
}

#[test]
fn a_polygon_is_drawn_by_clicks_and_one_that_crosses_itself_is_told() {
    let mut app = app();
    take(&mut app, Tool::Polygon);
    for corner in [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(3.0, 3.0), vec2(2.0, 2.0)] {
        click(&mut app, corner);
    }
    assert!(app.world().resource::<Captions>().0.is_empty(), "nothing is measured yet");
    point(&mut app, vec2(2.0, 1.0));
    frame(&mut app);
    assert_eq!(app.world().resource::<Captions>().0[0].text, "1 m, -90°", "its length and angle are shown");
    button(&mut app, MouseButton::Right, true);
    button(&mut app, MouseButton::Right, false);
    click(&mut app, vec2(0.04, -0.03));
    let points = vec![vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(3.0, 3.0)];
    assert_eq!(terrain(&mut app), [(Terrain::Polygon { points }, Vec2::ZERO)]);
    assert_eq!(app.world().resource::<Notices>().iter().count(), 0);
    for corner in [vec2(-1.0, -1.0), vec2(-2.0, -2.0), vec2(-2.0, -1.0), vec2(-1.0, -2.0)] {
        click(&mut app, corner);
    }
    strike(&mut app, KeyCode::Enter);
    assert_eq!(terrain(&mut app).len(), 2);
    let said: Vec<String> = app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect();
    assert!(said.iter().any(|text| text.contains("crosses itself")), "{said:?}");
    for corner in [vec2(4.0, 0.0), vec2(5.0, 0.0), vec2(6.0, 0.0)] {
        click(&mut app, corner);
    }
    strike(&mut app, KeyCode::Enter);
    assert_eq!(terrain(&mut app).len(), 2, "three corners on a line are nothing");
    click(&mut app, vec2(4.0, 0.0));
    strike(&mut app, KeyCode::Escape);
    assert_eq!(*app.world().resource::<Sketch>(), Sketch::Idle);
    strike(&mut app, KeyCode::Escape);
    assert_eq!(*app.world().resource::<Tool>(), Tool::Select);
}

#[test]
fn while_a_tool_is_in_the_hand_discs_are_left_alone() {
    let mut app = app();
    let disc = app.world_mut().spawn((Disc, Velocity(vec2(0.0, 0.25)))).id();
    take(&mut app, Tool::Ruler);
    drag(&mut app, Vec2::ZERO, vec2(3.0, 4.0));
    assert_eq!(app.world().get::<Velocity>(disc).unwrap().0, vec2(0.0, 0.25));
    assert!(app.world().resource::<Selection>().0.is_empty());
    assert_eq!(*app.world().resource::<Gesture>(), Gesture::Idle);
    let captions = app.world().resource::<Captions>().0.clone();
    assert_eq!((captions.len(), captions[0].text.as_str()), (1, "5 m\nΔx 3 m, Δy 4 m\n53.1°"));
    assert_eq!(edits(&app), 0);
    take(&mut app, Tool::Select);
    frame(&mut app);
    assert!(app.world().resource::<Captions>().0.is_empty());
}

#[test]
fn a_click_chooses_terrain_and_its_handles_reshape_and_turn_it() {
    let mut app = app();
    let block = app.world_mut().spawn((Terrain::Block { half_size: vec2(1.0, 0.5) }, Position(vec2(2.0, 1.0)))).id();
    drag(&mut app, vec2(2.0, 1.0), vec2(4.0, 3.0));
    assert_eq!(terrain(&mut app)[0].1, vec2(2.0, 1.0), "what is not chosen is not dragged");
    click(&mut app, vec2(2.5, 1.0));
    assert_eq!(chosen(&app), Some(block));
    drag(&mut app, vec2(2.5, 1.0), vec2(3.52, 2.03));
    assert_eq!(terrain(&mut app)[0].1, vec2(3.0, 2.0));
    drag(&mut app, vec2(4.0, 2.5), vec2(5.0, 3.5));
    assert_eq!(terrain(&mut app)[0], (Terrain::Block { half_size: vec2(1.5, 1.0) }, vec2(3.5, 2.5)));
    // The knob is 30 pixels above it.
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    drag(&mut app, vec2(3.5, 3.8), vec2(2.0, 2.55));
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
    let turned = app.world().get::<Rotation>(block).unwrap().0.to_degrees();
    assert!((turned - 90.0).abs() < 1e-3, "{turned}");
    assert_eq!(edits(&app), 3);
    let words = |app: &App| app.world().resource::<EditHistory>().next_undo().unwrap();
    for wanted in ["turn a block", "reshape a block", "move a block"] {
        assert_eq!(words(&app), wanted);
        undo(app.world_mut());
    }
    let piece = (Terrain::Block { half_size: vec2(1.0, 0.5) }, vec2(2.0, 1.0));
    assert_eq!((terrain(&mut app), app.world().get::<Rotation>(block)), (vec![piece], Some(&Rotation(0.0))));
    frame(&mut app);
    click(&mut app, vec2(-3.0, -3.0));
    assert_eq!(chosen(&app), None);
}

#[test]
fn a_pull_that_is_given_up_changes_nothing() {
    let mut app = app();
    let wall = app.world_mut().spawn(Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) }).id();
    click(&mut app, vec2(1.3, 0.02));
    assert_eq!(chosen(&app), Some(wall));
    point(&mut app, vec2(2.0, 0.0));
    button(&mut app, MouseButton::Left, true);
    point(&mut app, vec2(3.0, 2.0));
    frame(&mut app);
    assert_eq!(terrain(&mut app)[0].0, Terrain::Segment { a: Vec2::ZERO, b: vec2(3.0, 2.0) });
    assert_eq!(app.world().resource::<Captions>().0.len(), 1);
    strike(&mut app, KeyCode::Escape);
    assert_eq!(terrain(&mut app)[0].0, Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) });
    button(&mut app, MouseButton::Left, false);
    assert_eq!((edits(&app), chosen(&app)), (0, Some(wall)));
}

#[test]
fn the_view_is_moved_during_a_pull_without_letting_go() {
    let mut app = app();
    let start = Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) };
    app.world_mut().spawn(start.clone());
    click(&mut app, vec2(1.3, 0.02));
    point(&mut app, vec2(2.0, 0.0));
    button(&mut app, MouseButton::Left, true);
    point(&mut app, vec2(3.0, 2.0));
    frame(&mut app);
    button(&mut app, MouseButton::Middle, true);
    button(&mut app, MouseButton::Middle, false);
    assert_ne!(terrain(&mut app)[0].0, start);
    button(&mut app, MouseButton::Left, false);
    frame(&mut app);
    let pulled = terrain(&mut app)[0].0.clone();
    assert_eq!((edits(&app), pulled != start), (1, true));
    undo(app.world_mut());
    assert_eq!(terrain(&mut app)[0].0, start);
}

#[test]
fn a_pull_ends_as_it_is_when_another_tool_is_taken() {
    let mut app = app();
    let start = Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) };
    app.world_mut().spawn(start.clone());
    click(&mut app, vec2(1.3, 0.02));
    point(&mut app, vec2(2.0, 0.0));
    button(&mut app, MouseButton::Left, true);
    point(&mut app, vec2(3.0, 2.0));
    frame(&mut app);
    take(&mut app, Tool::Disc);
    assert_eq!((edits(&app), terrain(&mut app)[0].0 != start), (1, true));
    undo(app.world_mut());
    assert_eq!(terrain(&mut app)[0].0, start);
}

#[test]
fn arenas_and_cushions_are_chosen_with_the_tool_only() {
    let mut app = app();
    let table = DrawnTable::named("pool-9ft").unwrap();
    let piece = table.built.pieces[0].clone();
    let cushion = app.world_mut().spawn((piece.terrain.clone(), Position(piece.position))).id();
    let arena = app.world_mut().spawn(Terrain::Arena { half_size: vec2(4.0, 3.0) }).id();
    app.insert_resource(table);
    let (points, _) = piece.terrain.outline();
    let on_cushion = piece.position + points[0].midpoint(points[1]);
    for at in [on_cushion, vec2(4.0, 1.0)] {
        click(&mut app, at);
        assert_eq!(chosen(&app), None);
    }
    take(&mut app, Tool::Terrain);
    for (at, wanted) in [(on_cushion, cushion), (vec2(4.0, 1.0), arena)] {
        click(&mut app, at);
        assert_eq!(chosen(&app), Some(wanted));
    }
    take(&mut app, Tool::Select);
    frame(&mut app);
    assert_eq!(chosen(&app), None);
}

#[test]
fn a_disc_goes_before_the_terrain_under_it() {
    let mut app = app();
    let block = app.world_mut().spawn(Terrain::Block { half_size: Vec2::splat(2.0) }).id();
    let disc = app.world_mut().spawn((Disc, Radius(0.5))).id();
    click(&mut app, vec2(1.0, 1.0));
    assert_eq!(chosen(&app), Some(block));
    click(&mut app, Vec2::ZERO);
    assert_eq!((chosen(&app), app.world().resource::<Selection>().single()), (None, Some(disc)));
    click(&mut app, vec2(1.0, 1.0));
    assert_eq!((chosen(&app), app.world().resource::<Selection>().single()), (Some(block), None));
}

#[test]
fn terrain_and_discs_that_the_camera_does_not_show_are_not_taken_hold_of() {
    let mut app = app();
    let block = |x: f32| (Terrain::Block { half_size: Vec2::splat(0.5) }, Position(vec2(x, 0.0)));
    let hidden = app.world_mut().spawn((block(-2.0), InheritedVisibility::HIDDEN)).id();
    let elsewhere = app.world_mut().spawn((block(0.0), RenderLayers::layer(3))).id();
    let seen = app.world_mut().spawn(block(2.0)).id();
    app.world_mut().spawn((Disc, Radius(0.2), Position(vec2(2.0, 0.0)), InheritedVisibility::HIDDEN));
    for tool in [Tool::Select, Tool::Terrain] {
        take(&mut app, tool);
        for at in [vec2(-2.0, 0.1), vec2(0.0, 0.1)] {
            click(&mut app, at);
            assert_eq!(chosen(&app), None, "{tool:?}");
            drag(&mut app, at, at + Vec2::Y);
        }
        click(&mut app, vec2(2.0, 0.1));
        assert_eq!(chosen(&app), Some(seen), "{tool:?}: a hidden disc is in nobody's way");
        click(&mut app, vec2(-4.0, -2.0));
    }
    // A piece that was selected before it was hidden has no handles either.
    take(&mut app, Tool::Select);
    for piece in [hidden, elsewhere] {
        let at = app.world().get::<Position>(piece).unwrap().0;
        for from in [at, at + Vec2::splat(0.5)] {
            app.world_mut().resource_mut::<ChosenTerrain>().0 = Some(piece);
            drag(&mut app, from, from + Vec2::Y);
        }
    }
    assert_eq!(terrain(&mut app), [-2.0, 0.0, 2.0].map(block).map(|(shape, place)| (shape, place.0)));
    assert_eq!(edits(&app), 0);
}

#[test]
fn what_is_hidden_is_not_joined_and_draws_no_point_to_itself() {
    let mut app = app();
    let hidden = (Disc, Radius(0.3), InheritedVisibility::HIDDEN);
    app.world_mut().spawn((hidden, Position(vec2(0.13, 0.13))));
    let seen = app.world_mut().spawn((Disc, Radius(0.3), Position(vec2(2.0, 1.0)))).id();
    take(&mut app, Tool::Joint);
    drag(&mut app, vec2(2.0, 1.0), vec2(0.1, 0.1));
    let joint = *app.world_mut().query::<&Joint>().single(app.world()).unwrap();
    assert_eq!(joint.discs().collect::<Vec<_>>(), [seen]);
    take(&mut app, Tool::Wall);
    drag(&mut app, vec2(-2.0, 1.0), vec2(0.11, 0.11));
    let (wall, place) = terrain(&mut app)[0].clone();
    let (ends, _) = wall.outline();
    assert!(ends.iter().any(|end| (*end + place).length() < 1e-5), "it goes to the grid: {ends:?} at {place}");
}

#[test]
fn a_sketch_ends_with_its_scene_and_not_with_a_restart() {
    let mut app = crate::common::app_with((ScenePlugin, InputPlugins, EditorPlugins, OverlayKeysPlugin));
    scene::spawn(app.world_mut(), SceneSource::default(), SceneFile::default()).unwrap();
    frame(&mut app);
    take(&mut app, Tool::Polygon);
    click(&mut app, vec2(0.0, 0.0));
    click(&mut app, vec2(1.0, 0.0));
    let is_drawn = |app: &App| matches!(app.world().resource::<Sketch>(), Sketch::Points { .. });
    app.world_mut().write_message(SceneCommand::Restart);
    frame(&mut app);
    assert!(is_drawn(&app));
    app.world_mut().write_message(SceneCommand::Next);
    frame(&mut app);
    assert!(!is_drawn(&app), "{:?}", app.world().resource::<Sketch>());
    assert_eq!(*app.world().resource::<Tool>(), Tool::Polygon);
}

#[test]
fn a_disc_that_is_drawn_outside_of_the_walls_is_spoken_of() {
    let mut app = app();
    app.world_mut().spawn(Terrain::Arena { half_size: vec2(3.0, 2.0) });
    take(&mut app, Tool::Disc);
    let said = |app: &App| app.world().resource::<Notices>().iter().last().map(|notice| notice.text.clone());
    click(&mut app, vec2(2.0, 1.0));
    frame(&mut app);
    assert_eq!(said(&app), None);
    let round = Terrain::Arc { radius: 2.0, start: 0.0, extent: std::f32::consts::TAU };
    app.world_mut().spawn((round, Position(vec2(0.0, 5.0))));
    click(&mut app, vec2(0.5, 4.0));
    frame(&mut app);
    assert_eq!(said(&app), None, "a round arena has an inside too");
    click(&mut app, vec2(3.5, 1.0));
    frame(&mut app);
    let said = said(&app).unwrap();
    assert!(said.contains("outside the walls") && said.ends_with("or press Ctrl + Z."), "{said}");
}

/// The motion of a piece of terrain.
fn motion(app: &App, piece: Entity) -> (Option<MoveTo>, Option<TurnTo>, Option<AngularVelocity>, Option<Oscillation>) {
    let piece = app.world().entity(piece);
    (
        piece.get::<MoveTo>().copied(),
        piece.get::<TurnTo>().copied(),
        piece.get::<AngularVelocity>().copied(),
        piece.get::<Oscillation>().copied(),
    )
}

#[test]
fn terrain_that_is_dragged_while_time_runs_hits_what_is_on_its_way() {
    let swing = Oscillation { centre: vec2(0.0, -2.0), amplitude: vec2(0.25, 0.0), frequency: 0.5, phase: 0.75 };
    let spin = AngularVelocity(Vec3::Z);
    for (paused, mode) in
        [(false, SolverMode::Stepped), (false, SolverMode::Continuous), (true, SolverMode::Continuous)]
    {
        let mut app = app();
        app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
        app.world_mut().resource_mut::<CollisionSettings>().mode = mode;
        let half_size = Vec2::splat(0.25);
        let block = app.world_mut().spawn(Terrain::Block { half_size }).id();
        let swinging =
            app.world_mut().spawn((Terrain::Block { half_size }, swing, Position(vec2(0.0, -2.0)), spin)).id();
        let disc = app.world_mut().spawn((Disc, Radius(0.2), Position(vec2(1.2, 0.0)))).id();
        for (piece, at) in [(block, Vec2::ZERO), (swinging, vec2(0.0, -2.0))] {
            click(&mut app, at);
            assert_eq!(chosen(&app), Some(piece));
            app.world_mut().resource_mut::<Playback>().paused = paused;
            drag(&mut app, at, at + Vec2::X);
            frame(&mut app);
            app.world_mut().resource_mut::<Playback>().paused = true;
            frame(&mut app);
        }
        let place = |app: &App, entity: Entity| app.world().get::<Position>(entity).unwrap().0;
        assert_eq!(place(&app, block), Vec2::X);
        assert_eq!(motion(&app, block), (None, None, None, None), "the hand has let go");
        let speed = app.world().get::<Velocity>(disc).unwrap().x;
        assert_eq!(speed > 1.0, !paused, "{speed}");
        let (move_to, turn_to, spins, swings) = motion(&app, swinging);
        assert_eq!((move_to, turn_to, spins), (None, None, Some(spin)));
        // It was oscillating when it was grabbed, so its centre has moved as far as it was dragged.
        let centre = swings.map(|swing| swing.centre).unwrap();
        assert!(centre.distance(vec2(1.0, -2.0)) <= 0.25, "it swings about where it was put: {centre}");
        undo(app.world_mut());
        undo(app.world_mut());
        assert_eq!(place(&app, block), Vec2::ZERO);
        assert_eq!(motion(&app, swinging).3.map(|swing| swing.centre), Some(swing.centre));
        assert_eq!(motion(&app, block), (None, None, None, None));
    }
}

#[test]
fn a_state_that_is_saved_during_a_drag_has_what_moves_the_piece_without_the_hand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.ron");
    let mut app = crate::common::app_with((ScenePlugin, InputPlugins, EditorPlugins));
    scene::spawn(app.world_mut(), SceneSource::default(), SceneFile::default()).unwrap();
    frame(&mut app);
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    let swing = Oscillation { centre: Vec2::ZERO, amplitude: vec2(0.25, 0.0), frequency: 0.5, phase: 0.75 };
    let block = app.world_mut().spawn((Terrain::Block { half_size: Vec2::splat(0.25) }, swing)).id();
    click(&mut app, Vec2::ZERO);
    app.world_mut().resource_mut::<Playback>().paused = false;
    button(&mut app, MouseButton::Left, true);
    point(&mut app, vec2(1.0, 0.0));
    frame(&mut app);
    assert!(matches!(motion(&app, block), (Some(_), Some(_), None, None)), "the hand leads it");
    app.world_mut().write_message(SceneCommand::SaveAs(path.clone()));
    frame(&mut app);
    let saved = SceneSource::Path(path).load().unwrap();
    let piece = saved.terrain.iter().find(|piece| piece.has::<Oscillation>()).expect("it swings");
    assert!(!piece.has::<MoveTo>() && !piece.has::<TurnTo>());
    point(&mut app, vec2(1.5, 0.0));
    frame(&mut app);
    assert!(matches!(motion(&app, block), (Some(_), Some(_), None, None)), "it is led on");
    button(&mut app, MouseButton::Left, false);
    frame(&mut app);
    assert_eq!(motion(&app, block).3.map(|swing| swing.frequency), Some(0.5));
}

#[test]
fn a_kinematic_disc_that_was_led_stands_where_it_was_put_also_after_redo() {
    let mut app = app();
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().resource_mut::<Playback>().paused = false;
    let disc = app.world_mut().spawn((Disc, Kinematic, Radius(0.3))).id();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    drag(&mut app, Vec2::ZERO, vec2(1.0, 0.5));
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
    for _ in 0..3 {
        frame(&mut app);
    }
    assert_eq!((edits(&app), app.world().get::<MoveTo>(disc)), (1, None));
    undo(app.world_mut());
    assert_eq!(app.world().get::<Position>(disc), Some(&Position(Vec2::ZERO)));
    redo(app.world_mut());
    assert_eq!(app.world().get::<MoveTo>(disc), None, "nothing leads it any more");
    assert!(app.world().get::<Position>(disc).unwrap().0.distance(vec2(1.0, 0.5)) < 0.01);
}

#[test]
fn a_swing_and_an_orbit_of_a_disc_continue_where_it_was_put() {
    let orbit = Orbit { centre: vec2(-1.0, 0.0), radius: 1.0, frequency: 0.1, phase: 0.0 };
    let swing = Oscillation { centre: vec2(-1.0, 0.0), amplitude: Vec2::X, frequency: 0.1, phase: 0.0 };
    for is_orbit in [true, false] {
        let mut app = app();
        app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
        app.world_mut().resource_mut::<Playback>().paused = false;
        let mut disc = app.world_mut().spawn((Disc, Kinematic, Radius(0.3)));
        if is_orbit {
            disc.insert(orbit)
        } else {
            disc.insert(swing)
        };
        let disc = disc.id();
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
        drag(&mut app, Vec2::ZERO, vec2(1.0, 0.5));
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
        let place = |app: &App| app.world().get::<Position>(disc).unwrap().0;
        let put = place(&app);
        assert!(put.distance(vec2(1.0, 0.5)) < 0.1, "{put}");
        for _ in 0..5 {
            frame(&mut app);
        }
        // At a tenth of a turn per second it goes at most 0.63 m/s, and five ticks are less than a tenth of a second.
        assert!(place(&app).distance(put) < 0.1, "it stays near: {} after {put}", place(&app));
        assert_ne!(place(&app), put, "and moves on");
    }
}
