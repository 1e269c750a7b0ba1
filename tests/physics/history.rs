//! The history: any tick comes back with the same bits, whatever was edited; edits in the past branch.

use std::time::Duration;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use carom::{
    prelude::*,
    timeline::{
        History, HistoryAppExt, HistoryPlugin, SeekError, TrackId,
        history::{Divergence, EditKind, Replica, StoredDisc, StoredState, has_hit},
        seek,
    },
};

use crate::support::{self, Dice, MODES};

/// What decides the next tick, in a form that can be compared: values by the ids of their entities.
#[derive(Clone, Debug, PartialEq)]
struct State {
    bodies: Vec<(u64, String)>,
    settings: CollisionSettings,
    motion: MotionSettings,
    tick: u64,
}

type Body = (
    &'static StableId,
    Option<(&'static Position, Option<&'static Velocity>, Option<&'static AngularVelocity>)>,
    Option<&'static Radius>,
    Option<&'static Rotation>,
    Option<&'static Orbit>,
    Has<InPocket>,
    Has<Kinematic>,
    Has<Restitution>,
);

fn state(app: &mut App) -> State {
    let world = app.world_mut();
    let mut bodies: Vec<(u64, String)> =
        world.query::<Body>().iter(world).map(|body| (body.0.0, format!("{body:?}"))).collect();
    bodies.sort();
    State {
        bodies,
        settings: world.resource::<CollisionSettings>().clone(),
        motion: world.resource::<MotionSettings>().clone(),
        tick: world.resource::<PhysicsSpace>().clock.tick,
    }
}

fn history(app: &App) -> &History {
    app.world().resource()
}

fn go_to(app: &mut App, tick: u64) {
    seek(app.world_mut(), tick).unwrap();
    assert_eq!(history(app).tick(), tick);
}

/// An app with a crowd, a pocket, a block, terrain on an orbit, a joint and gravity.
fn scene(mode: (SolverMode, u32), plugin: HistoryPlugin) -> App {
    let mut app = support::app_in(mode);
    app.add_plugins(plugin);
    app.finish();
    let (discs, half_size) = support::random_discs(40, 5);
    support::fill(&mut app, &discs, half_size);
    let world = app.world_mut();
    world.resource_mut::<MotionSettings>().gravity = vec2(0.0, -3.0);
    world.spawn((Pocket { radius: 0.6 }, Position(vec2(-half_size.x, -half_size.y))));
    world.spawn((Terrain::Block { half_size: vec2(0.3, 0.2) }, Mass(2.0), Position(vec2(0.0, half_size.y - 0.4))));
    world.spawn((
        Terrain::Circle { radius: 0.3 },
        Position(vec2(0.5, 0.0)),
        Orbit { radius: 0.5, frequency: 0.7, ..default() },
    ));
    // So many pieces that a tick rebuilds only those that changed.
    for k in 0..12 {
        let place = half_size * vec2(-0.8 + 0.15 * k as f32, if k % 2 == 0 { 0.3 } else { -0.3 });
        world.spawn((Terrain::Circle { radius: 0.1 }, Position(place)));
    }
    let ends = [0, 1].map(|k| world.spawn((Disc, Position(vec2(k as f32, half_size.y - 1.5)), Radius(0.2))).id());
    world.spawn(Joint::rod(ends[0], ends[1], 1.0));
    app
}

fn discs(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut discs: Vec<(StableId, Entity)> =
        world.query_filtered::<(&StableId, Entity), With<Disc>>().iter(world).map(|(id, disc)| (*id, disc)).collect();
    discs.sort();
    discs.into_iter().map(|(_, disc)| disc).collect()
}

/// One of the edits that a game or a person could make.
fn edit(app: &mut App, dice: &mut Dice) {
    let all = discs(app);
    let disc = all[(dice.next() % all.len() as u64) as usize];
    let world = app.world_mut();
    let mut pegs = world.query_filtered::<(&StableId, Entity), (With<Terrain>, Without<Mass>, Without<Orbit>)>();
    let mut pegs: Vec<_> = pegs.iter(world).collect();
    pegs.sort();
    let peg = pegs[(dice.next() % pegs.len() as u64) as usize].1;
    match dice.next() % 14 {
        0 => world.get_mut::<Velocity>(disc).unwrap().0 = dice.vec(9.0),
        1 => world.despawn(disc).then_some(()).unwrap(),
        2 => _ = world.spawn((Disc, Position(dice.vec(2.0)), Velocity(dice.vec(5.0)), Radius(0.2))),
        3 => _ = world.entity_mut(disc).insert(Disabled),
        4 => world.resource_mut::<CollisionSettings>().restitution = dice.range(0.3, 1.0),
        5 => world.resource_mut::<MotionSettings>().gravity = dice.vec(4.0),
        6 => _ = world.entity_mut(disc).insert(Kinematic),
        7 => _ = world.entity_mut(disc).insert(Restitution(dice.range(0.0, 1.0))),
        8 => _ = world.entity_mut(disc).remove::<(Kinematic, Restitution)>(),
        9 => _ = world.spawn((Terrain::Circle { radius: 0.15 }, Position(dice.vec(2.0)))),
        10 if world.get::<Inactive>(peg).is_some() => _ = world.entity_mut(peg).remove::<Inactive>(),
        10 => _ = world.entity_mut(peg).insert(Inactive),
        11 => world.despawn(peg).then_some(()).unwrap(),
        12 => world.get_mut::<Position>(peg).unwrap().0 += dice.vec(0.3),
        _ => {
            let hidden = world.query_filtered::<Entity, (With<Disc>, With<Disabled>)>().iter(world).next();
            if let Some(hidden) = hidden {
                world.entity_mut(hidden).remove::<Disabled>();
            }
        }
    }
}

/// Runs ticks with edits before some of them, and returns the state before each next tick.
fn run(app: &mut App, ticks: u64, dice: &mut Dice) -> Vec<State> {
    let mut states = Vec::new();
    for _ in 0..ticks {
        if dice.next().is_multiple_of(7) {
            edit(app, dice);
        }
        states.push(state(app));
        app.update();
    }
    states.push(state(app));
    states
}

#[test]
fn every_tick_comes_back_with_the_same_bits_whatever_was_edited() {
    for (k, mode) in MODES.into_iter().enumerate() {
        // So little memory that keyframes are far apart.
        for memory in [usize::MAX, 150_000] {
            let mut app = scene(mode, HistoryPlugin { memory, ..default() });
            let mut dice = Dice(k as u64);
            let states = run(&mut app, 150, &mut dice);
            let start = history(&app).start();
            assert!(memory == usize::MAX && start == 0 || history(&app).memory() <= memory, "{start}");
            for _ in 0..60 {
                let tick = start + dice.next() % (150 - start + 1);
                go_to(&mut app, tick);
                let (now, before) = (state(&mut app), &states[tick as usize]);
                let differing = now.bodies.iter().zip(&before.bodies).find(|(now, before)| now != before);
                assert_eq!(differing, None, "mode {mode:?}, memory {memory}, tick {tick}");
                assert_eq!(&now, before, "mode {mode:?}, memory {memory}, tick {tick}");
            }
        }
    }
}

#[test]
fn a_run_that_goes_on_from_the_past_repeats_its_edits_and_does_not_branch() {
    for mode in MODES {
        let mut app = scene(mode, HistoryPlugin::default());
        let mut dice = Dice(3);
        let states = run(&mut app, 90, &mut dice);
        for from in [0, 17, 60] {
            go_to(&mut app, from);
            for tick in from + 1..=90 {
                app.update();
                // The edits before the next tick have not been made yet.
                go_to(&mut app, tick);
                assert_eq!(state(&mut app), states[tick as usize], "{mode:?}, from {from} to {tick}");
            }
            go_to(&mut app, from);
            support::ticks(&mut app, 90 - from as usize);
            assert_eq!(state(&mut app), states[90]);
        }
        assert_eq!(history(&app).tracks().count(), 1);
        assert!(!history(&app).is_in_past());
    }
}

#[test]
fn an_edit_in_the_past_branches_and_both_futures_stay() {
    for mode in MODES {
        let mut app = scene(mode, HistoryPlugin::default());
        let mut dice = Dice(9);
        let old = run(&mut app, 80, &mut dice);
        go_to(&mut app, 30);
        assert_eq!(state(&mut app), old[30]);
        let all = discs(&mut app);
        app.world_mut().get_mut::<Velocity>(all[0]).unwrap().0 += vec2(0.001, 0.0);
        app.world_mut().despawn(all[1]);
        let mut new = vec![state(&mut app)];
        new.extend(run(&mut app, 40, &mut dice).into_iter().skip(1));
        let tracks: Vec<_> = history(&app).tracks().collect();
        assert_eq!(tracks.len(), 2);
        assert_eq!((tracks[0].end, tracks[1].end, tracks[1].is_current), (80, 70, true));
        assert_eq!(tracks[1].parent, Some((tracks[0].id, 30)));
        let switch = |app: &mut App, track: TrackId| {
            app.world_mut().resource_mut::<History>().switch(track);
            app.world_mut().resource_mut::<Playback>().paused = true;
            app.update();
            app.world_mut().resource_mut::<Playback>().paused = false;
            assert_eq!(history(app).sought(), None);
        };
        for _ in 0..2 {
            switch(&mut app, tracks[0].id);
            for tick in [80, 31, 30, 70, 5] {
                go_to(&mut app, tick);
                assert_eq!(state(&mut app), old[tick as usize], "{mode:?}, tick {tick} of the old future");
            }
            go_to(&mut app, 50);
            switch(&mut app, tracks[1].id);
            assert_eq!(state(&mut app), new[20], "at the same tick");
            for tick in [70, 31, 55, 5] {
                go_to(&mut app, tick);
                let expected = if tick < 30 { &old[tick as usize] } else { &new[tick as usize - 30] };
                assert_eq!(&state(&mut app), expected, "{mode:?}, tick {tick} of the new future");
            }
        }
    }
}

#[test]
fn terrain_that_has_changed_since_is_hit_where_it_was() {
    let changes: [fn(&mut World, Entity); 4] = [
        |world, _| _ = world.spawn((Terrain::Circle { radius: 0.3 }, Position(vec2(6.5, 0.5)))),
        |world, peg| _ = world.entity_mut(peg).insert(Inactive),
        |world, peg| _ = world.despawn(peg),
        |world, peg| world.get_mut::<Position>(peg).unwrap().0.x += 0.1,
    ];
    for mode in MODES {
        for change in changes {
            let mut app = support::app_in(mode);
            app.add_plugins(HistoryPlugin::default());
            let pegs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|k| {
                let place = Position(vec2(k as f32, 0.0));
                app.world_mut().spawn((Disc, Position(place.0 + Vec2::Y), Radius(0.2), Velocity(vec2(0.0, -4.0))));
                app.world_mut().spawn((Terrain::Circle { radius: 0.3 }, place)).id()
            });
            support::ticks(&mut app, 3);
            change(app.world_mut(), pegs[4]);
            let mut expected = Vec::new();
            for _ in 0..40 {
                app.update();
                expected.push(state(&mut app));
            }
            go_to(&mut app, 2);
            app.update();
            for expected in expected {
                app.update();
                assert_eq!(state(&mut app), expected, "{mode:?}");
            }
        }
    }
}

#[test]
fn a_shot_that_is_taken_back_does_not_repeat() {
    let mut app = scene(MODES[0], HistoryPlugin::default());
    support::ticks(&mut app, 20);
    let mut expected = vec![state(&mut app)];
    let disc = discs(&mut app)[3];
    let shot_at = history(&app).tick();
    app.world_mut().get_mut::<Velocity>(disc).unwrap().0 = vec2(9.0, 3.0);
    support::ticks(&mut app, 30);
    go_to(&mut app, shot_at - 1);
    app.world_mut().resource_mut::<History>().branch();
    app.update();
    for _ in 0..30 {
        assert_eq!(state(&mut app), *expected.last().unwrap());
        assert_eq!(history(&app).edited_ticks(0, 100), [0_u64; 0]);
        app.update();
        expected.push(state(&mut app));
    }
    assert_ne!(app.world().get::<Velocity>(disc), Some(&Velocity(vec2(9.0, 3.0))));
    let ends: Vec<(u64, bool)> = history(&app).tracks().map(|track| (track.end, track.is_current)).collect();
    assert_eq!(ends, [(50, false), (50, true)]);
}

#[test]
fn a_seek_leaves_unread_messages_alone_and_sends_none() {
    let mut app = support::app_in(MODES[0]);
    app.add_plugins(HistoryPlugin::default());
    app.world_mut().spawn((Disc, Position(vec2(-1.2, 0.0)), Velocity(Vec2::X * 64.0)));
    app.world_mut().spawn((Disc, Position(vec2(0.5, 0.0))));
    support::ticks(&mut app, 1);
    let unread = |app: &App| app.world().resource::<Messages<Collision>>().len();
    let before = unread(&app);
    assert_eq!(before, 1);
    go_to(&mut app, 0);
    go_to(&mut app, 1);
    assert_eq!(unread(&app), before);
}

#[test]
fn edits_while_paused_are_kept_when_the_run_goes_elsewhere() {
    let mut app = scene(MODES[0], HistoryPlugin::default());
    support::ticks(&mut app, 20);
    let disc = discs(&mut app)[3];
    *app.world_mut().get_mut::<Radius>(disc).unwrap() = Radius(0.123);
    let edited = state(&mut app);
    go_to(&mut app, 5);
    assert_ne!(app.world().get::<Radius>(disc), Some(&Radius(0.123)));
    go_to(&mut app, 20);
    assert_eq!(state(&mut app), edited);
    assert_eq!(history(&app).edited_ticks(0, 100), [21]);
    assert_eq!(history(&app).tracks().count(), 1);
}

#[test]
fn the_state_of_a_game_and_references_to_despawned_entities_come_back() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Armour(u32);
    #[derive(Resource, Clone, PartialEq, Debug)]
    struct Score(u32);
    fn hit(mut armours: Query<&mut Armour>, mut hits: MessageReader<Collision>, mut score: ResMut<Score>) {
        for hit in hits.read() {
            for side in [hit.a, hit.b.entity()] {
                if let Ok(mut armour) = armours.get_mut(side) {
                    armour.0 -= 1;
                    score.0 += 1;
                }
            }
        }
    }
    let mut app = scene(MODES[2], HistoryPlugin::default());
    app.track_component::<Armour>().track_resource::<Score>().insert_resource(Score(0));
    app.add_systems(FixedPostUpdate, hit.after(SimulationSystems));
    let armoured = discs(&mut app)[20];
    app.world_mut().entity_mut(armoured).insert(Armour(1000));
    support::ticks(&mut app, 59);
    let before = state(&mut app);
    let (armour, score) = (app.world().get::<Armour>(armoured).cloned(), app.world().resource::<Score>().clone());
    assert!(score.0 > 3, "{score:?}");
    let world = app.world_mut();
    let (joint, ends) = world.query::<(Entity, &Joint)>().iter(world).map(|(e, joint)| (e, joint.ends)).next().unwrap();
    let ends = ends.map(|end| if let JointEnd::Disc(disc) = end { disc } else { panic!("{end:?}") });
    app.update();
    app.world_mut().despawn(joint);
    app.world_mut().despawn(ends[0]);
    support::ticks(&mut app, 10);
    go_to(&mut app, 0);
    assert_eq!(app.world().resource::<Score>().0, 0);
    assert_eq!(app.world().get::<Armour>(armoured), Some(&Armour(1000)));
    go_to(&mut app, 59);
    let world = app.world_mut();
    let joint = *world.query::<&Joint>().single(world).unwrap();
    assert!(joint.ends.iter().all(|end| matches!(end, JointEnd::Disc(disc) if world.get::<Disc>(*disc).is_some())));
    assert_eq!((state(&mut app), history(&app).tick()), (before, 59));
    assert_eq!(
        (app.world().get::<Armour>(armoured).cloned(), app.world().resource::<Score>().clone()),
        (armour, score)
    );
}

#[test]
fn a_seek_takes_no_longer_in_a_frame_than_allowed_and_the_run_waits_for_it() {
    let mut app = scene(MODES[1], HistoryPlugin { time_per_frame: Duration::ZERO, memory: 60_000 });
    let mut states = vec![state(&mut app)];
    for _ in 0..200 {
        app.update();
        states.push(state(&mut app));
    }
    support::collisions(&mut app);
    let start = history(&app).start();
    app.world_mut().resource_mut::<History>().seek(start + 1);
    app.update();
    // No time at all: it comes to the keyframe, and no further.
    assert_eq!((history(&app).sought(), history(&app).tick()), (Some(start + 1), start));
    assert_eq!(state(&mut app), states[start as usize]);
    support::ticks(&mut app, 3);
    assert_eq!(history(&app).tick(), start, "the run waits");
    assert_eq!(support::collisions(&mut app), [], "replayed ticks tell nothing");
    go_to(&mut app, start + 1);
    assert_eq!(history(&app).sought(), None);
    assert_eq!(state(&mut app), states[start as usize + 1]);
    assert_eq!(seek(app.world_mut(), 201), Err(SeekError::OutOfRange(start, 200)));
}

#[test]
fn another_scene_begins_another_history() {
    let mut app = scene(MODES[0], HistoryPlugin::default());
    support::ticks(&mut app, 30);
    app.world_mut().insert_resource(PhysicsSpace::default());
    support::ticks(&mut app, 3);
    assert_eq!((history(&app).start(), history(&app).end(), history(&app).tracks().count()), (0, 3, 1));
    assert_eq!(seek(&mut World::new(), 3), Err(SeekError::NoHistory));
}

/// All discs, as the world has them.
fn stored_discs(app: &mut App) -> Vec<StoredDisc> {
    StoredState::of_world(app.world_mut()).discs
}

fn replica() -> Replica {
    let mut copied = App::new();
    copied.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    Replica::new(copied)
}

#[test]
fn a_replica_shows_every_tick_of_every_track_and_the_world_stays_as_it_is() {
    for (k, mode) in MODES.into_iter().enumerate() {
        // So little memory that keyframes are far apart.
        for memory in [usize::MAX, 150_000] {
            let mut app = scene(mode, HistoryPlugin { memory, ..default() });
            let mut dice = Dice(20 + k as u64);
            let mut old = Vec::new();
            let record = |app: &mut App, ticks: u64, dice: &mut Dice| {
                let mut states = Vec::new();
                for _ in 0..ticks {
                    // After the tick, before the edits that follow it.
                    states.push(stored_discs(app));
                    if dice.next().is_multiple_of(7) {
                        edit(app, dice);
                    }
                    app.update();
                }
                states.push(stored_discs(app));
                states
            };
            old.extend(record(&mut app, 80, &mut dice));
            go_to(&mut app, 40);
            let all = discs(&mut app);
            app.world_mut().get_mut::<Velocity>(all[0]).unwrap().0 += vec2(0.001, 0.0);
            app.update();
            let new = record(&mut app, 20, &mut dice);
            let tracks: Vec<TrackId> = history(&app).tracks().map(|track| track.id).collect();
            let (before, start) = (state(&mut app), history(&app).start());
            let mut replica = replica();
            for _ in 0..30 {
                let tick = start + dice.next() % (60 - start + 1);
                for (track, of_new) in [(tracks[0], false), (tracks[1], tick > 40)] {
                    let reached = replica.go_to(app.world(), track, tick, Duration::from_mins(1));
                    assert_eq!(reached, Some(tick));
                    let expected = if of_new { &new[tick as usize - 41] } else { &old[tick as usize] };
                    assert_eq!(&replica.state().discs, expected, "{mode:?}, memory {memory}, tick {tick}, {of_new}");
                }
            }
            assert_eq!(state(&mut app), before);
            assert_eq!(replica.go_to(app.world(), tracks[0], 999, Duration::from_mins(1)), Some(80), "its end");
            assert_eq!(replica.go_to(&World::new(), tracks[0], 1, Duration::ZERO), None);
        }
    }
}

#[test]
fn stored_states_are_those_that_were_and_say_how_far_two_tracks_are_apart() {
    for mode in MODES {
        let mut app = scene(mode, HistoryPlugin::default());
        support::ticks(&mut app, 30);
        let at_30 = stored_discs(&mut app);
        support::ticks(&mut app, 30);
        let old = stored_discs(&mut app);
        go_to(&mut app, 30);
        let disc = discs(&mut app)[7];
        app.world_mut().get_mut::<Velocity>(disc).unwrap().0.x += 1e-4;
        support::ticks(&mut app, 30);
        let new = stored_discs(&mut app);
        let history = history(&app);
        let tracks: Vec<TrackId> = history.tracks().map(|track| track.id).collect();
        assert_eq!(history.current_track(), Some(tracks[1]));
        assert_eq!(history.last_shared(tracks[0], tracks[1]), Some(30));
        assert!(history.has_passed(tracks[0], 30) && !history.has_passed(tracks[0], 31), "it left the track there");
        assert!(history.has_passed(tracks[1], 60) && !history.has_passed(tracks[1], 61));
        // A scene of this size has a keyframe after every tick.
        assert_eq!(history.stored_on_both(tracks[0], tracks[1]), (31..=60).collect::<Vec<_>>());
        let [a, b] = [0, 1].map(|k| history.stored(tracks[k], 60).unwrap());
        assert_eq!([(a.tick, &a.discs), (b.tick, &b.discs)], [(60, &old), (60, &new)], "{mode:?}");
        assert_eq!(history.stored(tracks[1], 30).map(|state| state.discs), Some(at_30));
        let shared = history.stored(tracks[0], 30).unwrap();
        let first = Divergence::of(
            &history.stored(tracks[0], 31).unwrap(),
            &history.stored(tracks[1], 31).unwrap(),
            shared.collisions,
        )
        .unwrap();
        // 1e-4 m/s for a tick. Positions of a few metres are exact to a quarter of a micrometre.
        assert!((0.5e-6..4e-6).contains(&first.largest), "{mode:?}: {first:?}");
        let last = Divergence::of(&a, &b, shared.collisions).unwrap();
        assert!(last.largest > first.largest && last.rms <= last.largest && last.hits_per_disc > 0.0, "{last:?}");
        assert_eq!(history.stored_on_both(tracks[0], tracks[0]), [0_u64; 0], "a track never leaves itself");
    }
}

#[test]
fn hits_are_found_backward_by_disc_and_in_thinned_histories() {
    for mode in MODES {
        for memory in [usize::MAX, 100_000] {
            let mut app = scene(mode, HistoryPlugin { memory, ..default() });
            let disc = discs(&mut app)[20];
            let (mut any, mut own) = (Vec::new(), Vec::new());
            for tick in 1..=200_u64 {
                app.update();
                let space = app.world().resource::<PhysicsSpace>();
                any.extend(has_hit(space, None).then_some(tick));
                own.extend(has_hit(space, Some(disc)).then_some(tick));
            }
            assert!(own.len() > 2 && own.len() < any.len(), "{mode:?}: {} of {}", own.len(), any.len());
            app.world_mut().resource_mut::<Playback>().paused = true;
            for (of, ticks) in [(None, any), (Some(disc), own)] {
                go_to(&mut app, 200);
                let start = history(&app).start();
                let mut found = Vec::new();
                while history(&app).tick() > start {
                    app.world_mut().resource_mut::<History>().seek_previous_hit(of);
                    while history(&app).is_seeking() {
                        app.update();
                    }
                    found.push(history(&app).tick());
                }
                let mut expected: Vec<u64> =
                    ticks.into_iter().filter(|tick| (start + 1..200).contains(tick)).rev().collect();
                expected.push(start);
                assert_eq!(found, expected, "{mode:?}, memory {memory}");
            }
        }
    }
}

#[test]
fn what_was_edited_is_told_by_kind() {
    let mut app = scene(MODES[0], HistoryPlugin::default());
    let all = discs(&mut app);
    support::ticks(&mut app, 3);
    app.world_mut().get_mut::<Velocity>(all[3]).unwrap().0 = vec2(1.0, 2.0);
    support::ticks(&mut app, 2);
    app.world_mut().resource_mut::<CollisionSettings>().restitution = 0.5;
    app.update();
    app.world_mut().resource_mut::<MotionSettings>().gravity = Vec2::ZERO;
    app.update();
    app.world_mut().despawn(all[4]);
    app.update();
    *app.world_mut().get_mut::<Radius>(all[3]).unwrap() = Radius(0.1);
    app.update();
    let kinds = [
        (4, EditKind::Velocity),
        (6, EditKind::Setting),
        (7, EditKind::Setting),
        (8, EditKind::Presence),
        (9, EditKind::Other),
    ];
    assert_eq!(history(&app).edits(0, 100), kinds);
    assert_eq!(history(&app).edits(5, 7), kinds[1..3]);
}

#[test]
fn edits_while_paused_are_kept_when_the_track_changes() {
    let mut app = scene(MODES[0], HistoryPlugin::default());
    support::ticks(&mut app, 20);
    go_to(&mut app, 10);
    let disc = discs(&mut app)[3];
    app.world_mut().get_mut::<Velocity>(disc).unwrap().0 = Vec2::ONE;
    support::ticks(&mut app, 5);
    app.world_mut().resource_mut::<Playback>().paused = true;
    *app.world_mut().get_mut::<Radius>(disc).unwrap() = Radius(0.123);
    let tracks: Vec<TrackId> = history(&app).tracks().map(|track| track.id).collect();
    for (track, edited) in [(tracks[0], false), (tracks[1], true)] {
        app.world_mut().resource_mut::<History>().switch(track);
        app.update();
        assert_eq!((history(&app).tick(), history(&app).current_track()), (15, Some(track)));
        assert_eq!(app.world().get::<Radius>(disc) == Some(&Radius(0.123)), edited);
    }
}
