//! A run that is saved replays bit-identically, whatever was changed while it ran; one that differs says where.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use carom::{
    link::{Link, LinkKind},
    prelude::*,
    run_file::{Divergence, RunError, RunFile, RunFilePlugin, link, read, record, replay},
    scene::{
        CurrentScene, DiscLook, SceneAppExt, SceneCommand, SceneFile, ScenePlugin, SceneRegistry, SceneSource, spawn,
        world_hash,
    },
    timeline::{History, HistoryAppExt, HistoryPlugin, advance, run_in_order, seek},
};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin))
        .add_plugins((HistoryPlugin::default(), RunFilePlugin));
    run_in_order(&mut app);
    app.finish();
    app
}

fn begin(app: &mut App, source: SceneSource) {
    let file = source.load_with(&SceneRegistry::of(app.world())).unwrap_or_else(|error| panic!("{error}"));
    spawn(app.world_mut(), source, file).unwrap();
}

fn disc(world: &mut World, id: u64) -> Entity {
    let mut discs = world.query_filtered::<(Entity, &StableId), With<Disc>>();
    discs.iter(world).find(|(_, other)| other.0 == id).unwrap().0
}

fn ids(world: &mut World) -> Vec<u64> {
    let mut ids: Vec<u64> = world.query_filtered::<&StableId, With<Disc>>().iter(world).map(|id| id.0).collect();
    ids.sort_unstable();
    ids
}

/// A run with every kind of change, and its hash after each tick.
fn eventful(name: &'static str) -> (App, Vec<u64>) {
    let mut app = app();
    begin(&mut app, SceneSource::Shipped(name));
    let mut hashes = Vec::new();
    for tick in 0..120 {
        let world = app.world_mut();
        let all = ids(world);
        let (first, last) = (all[0], *all.last().unwrap());
        match tick {
            5 => {
                let shot = disc(world, first);
                world.get_mut::<Velocity>(shot).unwrap().0 = vec2(0.1, 3.3);
            }
            12 => {
                let look = DiscLook { number: Some(7), ..default() };
                world.spawn((Disc, Position(vec2(0.3, 1.1)), Velocity(vec2(1.0 / 3.0, -0.0)), Radius(0.031), look));
            }
            20 => world.resource_mut::<MotionSettings>().gravity = vec2(0.1, -1.7),
            31 => {
                let changed = disc(world, last);
                world.entity_mut(changed).insert((Restitution(0.7), Kinematic));
            }
            40 => world.resource_mut::<CollisionSettings>().restitution = 0.77,
            47 => {
                let changed = disc(world, last);
                world.entity_mut(changed).remove::<Kinematic>();
            }
            52 => {
                let hidden = disc(world, first);
                world.entity_mut(hidden).insert(Disabled);
            }
            60 => {
                let mut hidden = world.query_filtered::<Entity, (With<Disc>, With<Disabled>)>();
                let hidden = hidden.single(world).unwrap();
                world.entity_mut(hidden).remove::<Disabled>();
            }
            71 => {
                let gone = disc(world, first);
                world.despawn(gone);
            }
            80 => world.resource_mut::<Playback>().tick_rate = Some(50.0),
            90 => {
                let ends = [all[1], all[2]].map(|id| disc(world, id));
                world.spawn(Joint::spring(ends[0], ends[1], 0.4, 3.0));
            }
            95 => _ = world.spawn((Terrain::Circle { radius: 0.11 }, Position(vec2(0.2, 0.1)))),
            _ => {}
        }
        advance(world, 1);
        hashes.push(world_hash(world));
    }
    (app, hashes)
}

/// The text of a run without the lines of its hashes.
fn without_hashes(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.ends_with("\",")).collect()
}

const SCENES: [&str; 3] = ["many", "two-discs", "nine-ball"];

#[test]
fn a_run_replays_to_the_same_bits_and_its_text_comes_back() {
    for name in ["many", "gas", "nine-ball"] {
        let (mut app, hashes) = eventful(name);
        let before = world_hash(app.world_mut());
        let run = record(app.world_mut()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(world_hash(app.world_mut()), before, "recording leaves the world as it is");
        assert_eq!((run.ticks(), run.scene_name()), (120, Some(name)));
        assert!(run.hashes().count() > 8 && run.hashes().skip(1).all(|(tick, hash)| hashes[tick as usize - 1] == hash));
        assert_eq!(run.changed_ticks()[..3], [6, 13, 21], "{name}");
        let text = run.to_text().unwrap();
        let again = read(&text, "run.ron").unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(again.to_text().unwrap(), text);
        let mut other = self::app();
        let replayed = replay(other.world_mut(), &again).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((replayed.hash, replayed.divergence), (before, None), "{name}");
        // The replay has recorded the same run. Its keyframes, whose hashes are stored, may be at other ticks.
        let recorded = record(other.world_mut()).unwrap().to_text().unwrap();
        assert_eq!(without_hashes(&recorded), without_hashes(&text));
        let mut looks = other.world_mut().query_filtered::<&DiscLook, With<Disc>>();
        assert!(looks.iter(other.world()).any(|look| look.number == Some(7)));
        // Any tick of it can be sought.
        for tick in [100, 3, 72, 119] {
            seek(other.world_mut(), tick).unwrap();
            if !run.changed_ticks().contains(&(tick + 1)) {
                assert_eq!(world_hash(other.world_mut()), hashes[tick as usize - 1], "{name}, tick {tick}");
            }
        }
    }
}

#[test]
fn a_link_carries_a_run_and_opens_it_as_a_future() {
    let (mut app, hashes) = eventful("many");
    let text = link(app.world_mut()).unwrap();
    assert!(text.starts_with("#1r") && text.len() < 3000, "{} letters", text.len());
    assert_eq!(Link::read(&text).unwrap().kind, LinkKind::Run);
    let mut other = self::app();
    let source = SceneSource::from_argument(&text).unwrap();
    other.world_mut().write_message(SceneCommand::Load(source));
    other.update();
    assert_eq!(other.world().resource::<CurrentScene>().warnings, Vec::<String>::new());
    let history = other.world().resource::<History>();
    assert_eq!((history.tick(), history.end()), (0, 120));
    // Before tick 61 a disc comes back, which is shown after tick 60.
    advance(other.world_mut(), 59);
    assert_eq!(world_hash(other.world_mut()), hashes[58]);
    // An edit branches off, and a restart repeats the run.
    let shot = disc(other.world_mut(), ids(app.world_mut())[3]);
    other.world_mut().get_mut::<Velocity>(shot).unwrap().0 = vec2(2.0, 0.0);
    advance(other.world_mut(), 61);
    assert_ne!(world_hash(other.world_mut()), hashes[119]);
    assert!(!other.world().contains_resource::<Divergence>(), "a branch is not the run");
    assert_eq!(other.world().resource::<History>().tracks().count(), 2);
    other.world_mut().write_message(SceneCommand::Restart);
    other.update();
    // A frame may run ticks, too.
    let tick = other.world().resource::<History>().tick();
    advance(other.world_mut(), 120 - tick);
    assert_eq!(world_hash(other.world_mut()), hashes[119]);
    assert_eq!(link(other.world_mut()).unwrap(), text, "of a run the same link is made");
}

#[test]
fn a_run_that_differs_names_the_first_tick() {
    let (mut app, _) = eventful("many");
    let run = record(app.world_mut()).unwrap();
    let wrong: Vec<(u64, u64)> = run.hashes().filter(|(tick, _)| *tick > 50).collect();
    let mut text = run.to_text().unwrap();
    for (_, hash) in &wrong {
        text = text.replace(&format!("{hash:016x}"), &format!("{:016x}", hash ^ 1));
    }
    let divergence = replay(self::app().world_mut(), &read(&text, "run.ron").unwrap()).unwrap().divergence;
    let last_equal = run.hashes().map(|(tick, _)| tick).filter(|tick| *tick <= 50).last();
    assert_eq!(divergence, Some(Divergence { tick: wrong[0].0, last_equal }));
}

#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[type_path = "my_game"]
struct Armour(f32);

#[derive(Resource, Clone, PartialEq)]
struct Score(u32);

#[test]
fn what_a_game_tracks_is_saved_if_scene_files_know_it_and_else_named() {
    let game = || {
        let mut app = app();
        app.track_component::<Armour>().add_scene_component::<Armour>().track_resource::<Score>();
        begin(&mut app, SceneSource::Shipped("two-discs"));
        app
    };
    let mut app = game();
    advance(app.world_mut(), 10);
    let id = ids(app.world_mut())[0];
    let armoured = disc(app.world_mut(), id);
    app.world_mut().entity_mut(armoured).insert(Armour(0.1));
    advance(app.world_mut(), 10);
    let run = record(app.world_mut()).unwrap();
    let mut other = game();
    replay(other.world_mut(), &run).unwrap();
    let armoured = disc(other.world_mut(), id);
    assert_eq!(other.world().get::<Armour>(armoured), Some(&Armour(0.1)));
    app.insert_resource(Score(1));
    advance(app.world_mut(), 1);
    let error = record(app.world_mut()).unwrap_err();
    assert!(matches!(&error, RunError::NoForm { tick: 21, what, .. } if what.ends_with("Score")), "{error}");
    // Without the game, its component is unknown.
    let error = replay(self::app().world_mut(), &run).unwrap_err().to_string();
    assert!(error.starts_with("changes[0].set.my_game::Armour: there is no such field"), "{error}");
}

#[test]
fn a_run_that_cannot_be_read_says_where_and_its_scene_runs() {
    let (mut app, _) = eventful("many");
    let text = record(app.world_mut()).unwrap().to_text().unwrap();
    let said = |text: &str| match read(text, "run.ron") {
        Err(error) => error.to_string(),
        Ok(run) => {
            replay(self::app().world_mut(), &run).map_or_else(|error| error.to_string(), |_| "it is sound".to_owned())
        }
    };
    assert_eq!(said(&text), "it is sound");
    for (from, to, expected) in [
        ("run: 1", "run: 2", "run.ron: run is 2; it is of a form"),
        ("ticks: 120", "ticks: 9999999999", "run.ron: ticks is 9999999999"),
        ("\"many\"", "\"manny\"", "did you mean `many`"),
        ("\"many\"", "(discs: [(radius: \"x\")])", "radius is \"x\"; write a number"),
        ("\"many\"", "(run: 1)", "a run within a run"),
        ("tick: 6", "tick: 60", "changes[1].tick"),
        ("\"velocity\"", "\"velocitty\"", "there is no such field, did you mean `velocity`"),
        ("\"tick_rate\": 50.0", "\"tick_rate\": -5.0", "settings.tick_rate: it is -5; it must be from 1 to 10000"),
        ("nanos:20000000", "nanos:0", "settings.time_step: it is zero"),
        ("restitution:0.77", "restitution:7.0", "settings.collision: restitution is 7"),
        ("ticks: 120", "tricks: 120", "there is no field `tricks`"),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        let error = said(&text.replacen(from, to, 1));
        assert!(error.contains(expected) && error.lines().count() == 1, "{from} -> {to}: {error}");
    }
    let error = said("(discs: [])");
    assert!(error.contains("a scene and not a run"), "{error}");
    let mut app = self::app();
    assert_eq!(record(app.world_mut()), Err(RunError::NoTick));
    let file = SceneFile::parse(&text.replacen("\"velocity\"", "\"velocitty\"", 1), "run.ron").unwrap();
    spawn(app.world_mut(), SceneSource::Path("run.ron".into()), file).unwrap();
    let notices = app.world().resource::<carom::notice::Notices>();
    assert!(notices.iter().any(|notice| notice.text.contains("the run cannot be repeated")));
    advance(app.world_mut(), 5);
}

#[test]
fn a_run_starts_where_the_history_starts_and_from_an_edited_scene() {
    for name in SCENES {
        let mut app = app();
        begin(&mut app, SceneSource::Shipped(name));
        let first = ids(app.world_mut())[0];
        let moved = disc(app.world_mut(), first);
        app.world_mut().get_mut::<Velocity>(moved).unwrap().0 = vec2(0.3, 0.1);
        app.world_mut().resource_mut::<Playback>().paused = true;
        advance(app.world_mut(), 40);
        let run = record(app.world_mut()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(run.scene_name(), None);
        let run: RunFile = read(&run.to_text().unwrap(), "run.ron").unwrap();
        let replayed = replay(self::app().world_mut(), &run).unwrap();
        assert_eq!((replayed.hash, replayed.divergence), (world_hash(app.world_mut()), None), "{name}");
    }
}
