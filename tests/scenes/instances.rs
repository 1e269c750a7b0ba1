//! Scenes as children of entities: several at once, each in its place, behave as if everything were in one file.

use std::path::Path;

use bevy::{ecs::system::SystemState, prelude::*, time::TimeUpdateStrategy};
use carom::{
    collision::{Discs, SolverMode, measure},
    notice::Notices,
    prelude::*,
    scene::{
        CurrentScene, HotReload, InstanceEntities, SceneAppExt, SceneCommand, SceneFile, SceneInstance,
        SceneInstanceFailed, SceneInstanceReady, ScenePlugin, SceneRegistry, SceneSource, SceneStarted, spawn,
    },
    timeline::advance,
};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    app
}

fn parsed(text: &str) -> SceneFile {
    SceneFile::parse(text, "part.ron").unwrap()
}

fn hash(app: &mut App) -> u64 {
    measure::state_hash(&Discs::of(app.world_mut()))
}

fn count<F: Component>(app: &mut App) -> usize {
    app.world_mut().query_filtered::<(), With<F>>().iter(app.world()).count()
}

fn notices(app: &App) -> Vec<String> {
    app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect()
}

/// A cage crowded enough for a thousand hits, with pockets in its corners, its own order of resolution and a ball in a
/// pocket.
const CAGE: &str = r##"(
    title: "Cage",
    collision: (restitution: 0.5),
    motion: (gravity: (0, -9.81)),
    pace: (tick_rate: 30, paused: true),
    terrain: [
        (shape: Arena(half_size: (3, 2))),
        (id: 70, shape: Block(half_size: (0.4, 0.3)), position: (1, -0.5), rotation: 0.4, restitution: 0.7, colour: "#112233"),
    ],
    pockets: [(id: 2, position: (-3, 2), radius: 0.8), (id: 3, position: (3, 2), radius: 0.8)],
    discs: [
        (id: 90, position: (-2, -1), velocity: (3, 2), radius: 0.3, colour: "#3366cc"),
        (id: 80, position: (-2, 0.3), velocity: (5, -1), radius: 0.2, mass: 3, ignores: [70, 90]),
        (position: (-3, 2), radius: 0.1, pocket: 0),
        (position: (0, 1), velocity: (-4, 3), radius: 0.25, inactive: true),
        (position: (2, 0.2), radius: 0.2, kinematic: true, move_to: (1.8, 0.3)),
    ],
    generate: [Lattice(count: 12, columns: 3, first: (-1, -1.7), spacing: (0.45, 0.45), radius: 0.2, speed_sigma: 4)],
)"##;

const WORLD: &str = "(title: \"World\", collision: (restitution: 0.9), terrain: [(shape: Arena(half_size: (40, 40)))], \
    discs: [(position: (-30, -30), velocity: (7, 9))])";

/// The world's scene with three cages in it.
fn three_cages(mode: SolverMode) -> (App, [Entity; 3]) {
    let mut app = app();
    let mut world = parsed(WORLD);
    world.collision.mode = mode;
    spawn(app.world_mut(), SceneSource::Path("world.ron".into()), world).unwrap();
    let cage = parsed(CAGE);
    let places = [(vec2(-12.0, 5.0), 0.0), (vec2(9.5, -7.25), 0.7), (vec2(3.0, 20.0), -2.5)];
    let cages = places.map(|(at, angle)| {
        let instance = SceneInstance::new(cage.clone()).at(at).turned(angle);
        app.world_mut().spawn(instance).id()
    });
    (app, cages)
}

#[test]
fn instances_are_children_with_numbers_of_their_own_and_leave_the_world_as_it_is() {
    let (mut app, cages) = three_cages(SolverMode::Stepped);
    assert_eq!((count::<Disc>(&mut app), count::<Terrain>(&mut app), count::<Pocket>(&mut app)), (52, 7, 6));
    let mut ids: Vec<u64> = app.world_mut().query::<&StableId>().iter(app.world()).map(|id| id.0).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..65).collect::<Vec<_>>(), "the world's, then those of each instance");
    for cage in cages {
        let [brought, children] = [app.world().get::<InstanceEntities>(cage).unwrap().iter().collect::<Vec<_>>(), {
            app.world().get::<Children>(cage).unwrap().iter().collect()
        }];
        assert_eq!(brought, children);
        // They are in the order of the file: those with ids by their ids, then those without.
        let there = app.world().get::<InstanceEntities>(cage).unwrap();
        let id = |entity: Entity| app.world().get::<StableId>(entity).unwrap().0;
        let listed = [there.pockets[1], there.terrain[1], there.discs[1], there.discs[0], there.terrain[0]];
        assert!(listed.map(id).is_sorted() && id(there.discs[2]) > id(listed[4]), "{:?}", listed.map(id));
        let ignored = app.world().get::<IgnoredPairs>(there.discs[1]).unwrap();
        assert!(ignored.0.iter().copied().eq([there.terrain[1], there.discs[0]]), "each ignores its own: {ignored:?}");
        let fallen = app.world().get::<InPocket>(there.discs[2]).unwrap();
        assert_eq!(fallen.pocket, there.pockets[0], "each lies in its own pocket");
    }
    let world = app.world();
    assert_eq!(world.resource::<CurrentScene>().file.title, "World");
    assert_eq!(world.resource::<CollisionSettings>().restitution, 0.9);
    assert_eq!(world.resource::<MotionSettings>().gravity, Vec2::ZERO);
    assert!(!world.resource::<Playback>().paused);
    assert!(!world.contains_resource::<TablePhysics>());

    app.world_mut().despawn(cages[1]);
    assert_eq!((count::<Disc>(&mut app), count::<Terrain>(&mut app), count::<Pocket>(&mut app)), (35, 5, 4));
    app.world_mut().entity_mut(cages[0]).remove::<SceneInstance>();
    assert_eq!((count::<Disc>(&mut app), count::<Terrain>(&mut app), count::<Pocket>(&mut app)), (18, 3, 2));
    assert!(!app.world().entity(cages[0]).contains::<InstanceEntities>());
}

#[test]
fn a_run_with_instances_is_that_of_the_flat_scene_to_the_bit_and_repeats() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let (mut app, _) = three_cages(mode);
        let flat = SceneFile::capture(app.world_mut());
        assert_eq!((flat.discs.len(), flat.title.as_str()), (52, "World"));
        assert_eq!(SceneFile::parse(&flat.to_text().unwrap(), "flat.ron").unwrap(), flat);
        let mut of_flat = self::app();
        spawn(of_flat.world_mut(), SceneSource::Path("flat.ron".into()), flat).unwrap();
        let (mut again, _) = three_cages(mode);
        for round in 0..10 {
            let hashes = [&mut app, &mut of_flat, &mut again].map(hash);
            assert_eq!(hashes, [hashes[0]; 3], "{mode:?} {round}");
            for app in [&mut app, &mut of_flat, &mut again] {
                advance(app.world_mut(), 20);
            }
        }
        assert!(count::<InPocket>(&mut app) > 3, "and some fall");
    }
}

#[test]
fn what_lies_ahead_of_an_instance_is_foreseen() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let (mut app, _) = three_cages(mode);
        advance(app.world_mut(), 7);
        let horizon = Horizon { seconds: 0.5, ..default() };
        let mut state = SystemState::<Predictor>::new(app.world_mut());
        let mut prediction = state.get(app.world()).unwrap().predict(horizon);
        assert_eq!(prediction.start().len(), 46);
        assert!(prediction.run_for(std::time::Duration::from_mins(1)));
        let ticks = prediction.ticks();
        assert!(ticks > 10, "{ticks}");
        advance(app.world_mut(), ticks);
        assert_eq!(measure::state_hash(prediction.discs()), hash(&mut app), "{mode:?}");
    }
}

/// Terrain that moves, and is hit: with a velocity, by a target, to and fro, around a circle.
const MOVING: &str = "terrain: [
    (shape: Block(half_size: (0.2, 0.1)), position: (2, 1), velocity: (-1, 0.5), angular_velocity: 3),
    (shape: Block(half_size: (0.3, 0.1)), position: (-0.5, 0.5), move_to: (-0.4, 0.45), turn_to: 0.2),
    (shape: Circle(radius: 0.2), oscillation: (centre: (-1.5, -0.4), amplitude: (0.3, 0.1), frequency: 2)),
    (shape: Circle(radius: 0.2), orbit: (centre: (1.2, -0.6), radius: 0.2, frequency: 1.5, phase: 0.1)),";

#[test]
fn a_turned_instance_runs_as_the_one_that_is_not_turned() {
    // Slow enough that rounding errors do not grow in some ten hits of each disc.
    let text = CAGE.replace("speed_sigma: 4", "speed_sigma: 1").replacen("terrain: [", MOVING, 1);
    let cage = parsed(&text);
    let (angle, at) = (2.0, vec2(4.0, -3.0));
    let turn = Rotation(angle);
    let [mut plain, mut turned] = [SceneInstance::new(cage.clone()), SceneInstance::new(cage).at(at).turned(angle)]
        .map(|instance| {
            let mut app = app();
            app.world_mut().insert_resource(CollisionSettings { mode: SolverMode::Continuous, ..default() });
            app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
            app.world_mut().spawn(instance);
            app
        });
    let states = |app: &mut App| {
        let mut query = app.world_mut().query::<(&StableId, &Position, Option<&Velocity>)>();
        let mut found: Vec<_> =
            query.iter(app.world()).map(|(id, p, v)| (id.0, p.0, v.map_or(Vec2::ZERO, |v| v.0))).collect();
        found.sort_by_key(|(id, ..)| *id);
        found
    };
    let start = states(&mut plain);
    for _ in 0..20 {
        plain.update();
        turned.update();
        for ((id, p, v), (other, q, w)) in states(&mut plain).into_iter().zip(states(&mut turned)) {
            assert_eq!(id, other);
            let off = (turn.turn(p) + at).distance(q).max(turn.turn(v).distance(w));
            assert!(off < 1e-3, "{id}: {p} {v} became {q} {w}");
        }
    }
    let far = start.iter().zip(states(&mut plain)).map(|(a, b)| a.1.distance(b.1)).fold(0.0, f32::max);
    assert!(far > 0.5, "they do move: {far}");
}

#[test]
fn spins_and_terrain_turn_with_the_scene() {
    let text = "(terrain: [(shape: Segment(a: (0, 0), b: (1, 0)), position: (2, 0), rotation: 0.25)],
        discs: [(ball: true, position: (1, 0), velocity: (2, 0), angular_velocity: (0, 4, 5))])";
    let mut app = app();
    let quarter = std::f32::consts::FRAC_PI_2;
    let parent = app.world_mut().spawn(SceneInstance::new(parsed(text)).at(vec2(10.0, 0.0)).turned(quarter)).id();
    let there = app.world().get::<InstanceEntities>(parent).unwrap().clone();
    let [wall, ball] = [there.terrain[0], there.discs[0]].map(|entity| app.world().entity(entity));
    assert!(wall.get::<Position>().unwrap().0.distance(vec2(10.0, 2.0)) < 1e-6);
    assert_eq!(wall.get::<Rotation>(), Some(&Rotation(0.25 + quarter)));
    assert!(ball.get::<Position>().unwrap().0.distance(vec2(10.0, 1.0)) < 1e-6);
    assert!(ball.get::<Velocity>().unwrap().0.distance(vec2(0.0, 2.0)) < 1e-6);
    let spin = ball.get::<AngularVelocity>().unwrap().0;
    assert!(spin.distance(vec3(-4.0, 0.0, 5.0)) < 1e-6, "what rolled along x rolls along y: {spin}");
}

#[test]
fn one_instance_changes_nothing_of_another() {
    for mode in [SolverMode::Stepped, SolverMode::Continuous] {
        let run = |cages: usize| {
            let mut app = app();
            app.world_mut().insert_resource(CollisionSettings { mode, ..default() });
            let parents: Vec<Entity> = (0..cages)
                .map(|k| {
                    let at = vec2(100.0 * k as f32, 0.0);
                    app.world_mut().spawn(SceneInstance::new(parsed(CAGE)).at(at)).id()
                })
                .collect();
            advance(app.world_mut(), 120);
            let there = app.world().get::<InstanceEntities>(parents[0]).unwrap();
            let bits = |entity: &Entity| {
                let (p, v) = (app.world().get::<Position>(*entity)?.0, app.world().get::<Velocity>(*entity)?.0);
                Some([p.x, p.y, v.x, v.y].map(f32::to_bits))
            };
            there.discs.iter().map(bits).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(3), "{mode:?}");
    }
}

#[test]
fn an_instance_that_is_inserted_again_takes_the_place_of_what_it_brought() {
    let (mut app, [cage, ..]) = three_cages(SolverMode::Stepped);
    let world = app.world_mut();
    let own = world.spawn((Disc, ChildOf(cage))).id();
    let old = world.get::<InstanceEntities>(cage).unwrap().clone();
    // A child that now has another parent is kept.
    let other = world.spawn_empty().id();
    world.entity_mut(old.discs[0]).insert(ChildOf(other));
    world.entity_mut(cage).insert(SceneInstance::new(SceneSource::Shipped("two-discs")).at(vec2(0.0, -30.0)));
    let new = world.get::<InstanceEntities>(cage).unwrap().clone();
    assert_eq!(new.discs.len(), 2);
    assert!(new.discs.iter().all(|disc| world.get::<Position>(*disc).unwrap().y < -20.0));
    assert!(old.iter().filter(|entity| *entity != old.discs[0]).all(|entity| world.get_entity(entity).is_err()));
    assert!(world.get_entity(own).is_ok() && world.get_entity(old.discs[0]).is_ok());
    // A scene that cannot be read changes nothing.
    world.entity_mut(cage).insert(SceneInstance::new(SceneSource::Path("not/there.ron".into())));
    assert_eq!(world.get::<InstanceEntities>(cage), Some(&new));
    assert!(notices(&app).last().unwrap().starts_with("not/there.ron: cannot be read"), "{:?}", notices(&app));
}

#[test]
fn instances_go_with_the_scene_and_come_again_with_who_spawns_them_at_its_start() {
    let mut app = app();
    app.add_observer(|_: On<SceneStarted>, mut commands: Commands| {
        for x in [-10.0, 10.0] {
            commands.spawn(SceneInstance::new(SceneSource::Shipped("two-discs")).at(vec2(x, 0.0)));
        }
    });
    spawn(app.world_mut(), SceneSource::Path("world.ron".into()), parsed(WORLD)).unwrap();
    let start = hash(&mut app);
    assert_eq!((count::<Disc>(&mut app), count::<SceneInstance>(&mut app)), (5, 2));
    advance(app.world_mut(), 50);
    assert_ne!(hash(&mut app), start);
    carom::scene::restart(app.world_mut()).unwrap();
    assert_eq!((count::<Disc>(&mut app), count::<SceneInstance>(&mut app)), (5, 2));
    assert_eq!(hash(&mut app), start, "with the same numbers");
    carom::scene::end(app.world_mut());
    assert_eq!((count::<Disc>(&mut app), count::<SceneInstance>(&mut app), count::<Terrain>(&mut app)), (0, 0, 0));
}

#[test]
fn what_cannot_be_an_instance_says_why() {
    let mut app = app();
    let world = app.world_mut();
    let nowhere = world.spawn(SceneInstance::new(parsed(CAGE)).at(vec2(f32::NAN, 0.0))).id();
    let spinning = world.spawn(SceneInstance::new(parsed(CAGE)).turned(f32::INFINITY)).id();
    let mut bad = parsed(CAGE);
    bad.title.clear();
    bad.discs[1].radius = -1.0;
    let invalid = world.spawn(SceneInstance::new(bad)).id();
    let asset = world.spawn(SceneInstance::new(Handle::<SceneFile>::default())).id();
    let unknown = world.spawn(SceneInstance::new(SceneSource::Shipped("two-dics"))).id();
    for entity in [nowhere, spinning, invalid, asset, unknown] {
        assert!(world.get::<InstanceEntities>(entity).is_none());
    }
    let told = notices(&app);
    let expected = [
        "Cage: SceneInstance.offset is (NaN, 0); set it to finite coordinates within 1e12 m",
        "Cage: SceneInstance.rotation is inf; set it to a finite angle in radians",
        "a scene without a file: discs[1].radius is -1",
        "AssetPlugin is missing",
        "there is no scene `two-dics`, did you mean `two-discs`",
    ];
    assert_eq!(told.len(), expected.len());
    assert!(told.iter().zip(expected).all(|(told, expected)| told.contains(expected)), "{told:#?}");
    assert_eq!(count::<Disc>(&mut app), 0);

    // A warning appears once, however many instances there are. Without the plugin nothing panics.
    let odd = parsed("(title: \"Odd\", discs: [(), ()])");
    for x in [0.0, 5.0] {
        app.world_mut().spawn(SceneInstance::new(odd.clone()).at(vec2(x, 0.0)));
    }
    let told = notices(&app);
    assert_eq!(told.iter().filter(|words| words.starts_with("Odd: discs[1].position")).count(), 1, "{told:#?}");
    let mut bare = App::new();
    bare.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
    bare.world_mut().spawn(SceneInstance::new(odd));
    bare.world_mut().spawn(SceneInstance::new(Handle::<SceneFile>::default()));
    assert_eq!(count::<Disc>(&mut bare), 2);
}

/// An app that reads assets from this folder.
fn with_assets(folder: &Path) -> App {
    let mut app = App::new();
    let file_path = folder.display().to_string();
    app.add_plugins((MinimalPlugins, AssetPlugin { file_path, ..default() }, PhysicsPlugins::default(), ScenePlugin));
    app.finish();
    app.cleanup();
    app
}

/// Updates until a condition holds.
fn wait(app: &mut App, mut is_done: impl FnMut(&mut App) -> bool) {
    let begin = std::time::Instant::now();
    while !is_done(app) {
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "it takes too long; {:?}", notices(app));
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[derive(Resource, Default)]
struct Ready(Vec<Entity>);

#[test]
fn an_asset_is_waited_for_and_comes_anew_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("part.ron"), "(discs: [(velocity: (1, 0))])").unwrap();
    std::fs::write(folder.path().join("bad.ron"), "(discs: [(radius: -1)])").unwrap();
    let mut app = with_assets(folder.path());
    app.init_resource::<Ready>()
        .add_observer(|ready: On<SceneInstanceReady>, mut all: ResMut<Ready>| all.0.push(ready.entity));
    let load = |app: &App, path: &'static str| app.world().resource::<AssetServer>().load::<SceneFile>(path);
    let handle = load(&app, "part.ron");
    let spawn_at = |app: &mut App, handle: &Handle<SceneFile>, x: f32| {
        app.world_mut().spawn(SceneInstance::new(handle.clone()).at(vec2(x, 0.0))).id()
    };
    let instances = [3.0, 1.0, 2.0].map(|x| spawn_at(&mut app, &handle, x));
    let gone = spawn_at(&mut app, &handle, 4.0);
    assert_eq!(count::<Disc>(&mut app), 0);
    app.world_mut().despawn(gone);
    wait(&mut app, |app| count::<Disc>(app) == 3);
    assert_eq!(app.world().resource::<Ready>().0, instances, "in the order in which they were spawned");
    let later = spawn_at(&mut app, &handle, 5.0);
    assert_eq!(count::<Disc>(&mut app), 4, "what is loaded is there at once");

    let change = |app: &mut App| {
        let mut assets = app.world_mut().resource_mut::<Assets<SceneFile>>();
        assets.get_mut(&handle).unwrap().discs.push(carom::scene::DiscEntry { position: vec2(0.0, 3.0), ..default() });
    };
    change(&mut app);
    wait(&mut app, |app| count::<Disc>(app) == 8);
    assert_eq!(app.world().get::<InstanceEntities>(later).unwrap().discs.len(), 2);
    app.world_mut().resource_mut::<HotReload>().0 = false;
    change(&mut app);
    (0..5).for_each(|_| app.update());
    assert_eq!(count::<Disc>(&mut app), 8, "it is switched off");

    let bad = load(&app, "bad.ron");
    let mended = spawn_at(&mut app, &bad, 9.0);
    wait(&mut app, |app| !notices(app).is_empty());
    assert_eq!(notices(&app).len(), 1);
    assert!(notices(&app)[0].starts_with("bad.ron: discs[0].radius is -1"), "{:?}", notices(&app));
    std::fs::write(folder.path().join("bad.ron"), "(discs: [(radius: 1)])").unwrap();
    app.world().resource::<AssetServer>().reload("bad.ron");
    wait(&mut app, |app| app.world().get::<InstanceEntities>(mended).is_some());
    assert!(notices(&app).is_empty(), "it is corrected: {:?}", notices(&app));
}

/// A component of a game.
#[derive(Component, Reflect, Debug, PartialEq)]
#[type_path = "my_game"]
struct Bumper {
    points: u32,
}

mod other {
    use super::{Component, Reflect};

    #[derive(Component, Reflect)]
    #[type_path = "other_game"]
    pub struct Bumper;

    #[derive(Component, Reflect)]
    #[type_path = "other_game"]
    pub struct Gate(pub f32);
}

#[test]
fn a_games_own_components_come_with_each_instance_by_their_short_names_and_stay() {
    let mut app = app();
    app.add_scene_component::<Bumper>();
    let registry = SceneRegistry::of(app.world());
    let text = r#"(
        terrain: [(shape: Circle(radius: 1), components: {"Bumper": (points: 10)})],
        discs: [(position: (3, 0), components: {"my_game::Bumper": (points: 5)})],
        pockets: [(position: (9, 0), radius: 1, components: {"Bumper": (points: 100)})],
    )"#;
    let read = |text: &str| SceneFile::parse_with(text, "level.ron", &registry);
    let level = read(text).unwrap();
    spawn(app.world_mut(), SceneSource::Path("level.ron".into()), level.clone()).unwrap();
    let part = app.world_mut().spawn(SceneInstance::new(level).at(vec2(20.0, 0.0))).id();
    let points = |app: &mut App| {
        let mut found: Vec<_> = app.world_mut().query::<(&StableId, &Bumper)>().iter(app.world()).collect();
        found.sort_by_key(|(id, _)| **id);
        found.into_iter().map(|(_, bumper)| bumper.points).collect::<Vec<_>>()
    };
    assert_eq!(points(&mut app), [10, 5, 100, 10, 5, 100]);
    let disc = app.world().get::<InstanceEntities>(part).unwrap().discs[0];
    app.world_mut().get_mut::<Bumper>(disc).unwrap().points = 6;
    advance(app.world_mut(), 3);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.ron");
    app.world_mut().write_message(SceneCommand::SaveAs(path.clone()));
    app.update();
    let saved = read(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(saved.discs[1].components["my_game::Bumper"].as_str(), "(points:6)");
    // A restart returns to the saved state, which lists everything without instances.
    app.world_mut().get_mut::<Bumper>(disc).unwrap().points = 7;
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    assert_eq!(points(&mut app), [10, 5, 100, 10, 6, 100]);
    assert_eq!(count::<SceneInstance>(&mut app), 0);

    // Two components with the same name.
    app.add_scene_component::<other::Bumper>().add_scene_component::<other::Gate>();
    let error = |components: &str| {
        read(&format!("(discs: [(), (position: (2, 0), components: {{{components}}})])")).unwrap_err().to_string()
    };
    assert_eq!(
        error("\"Bumper\": ()"),
        "level.ron: discs[1].components `Bumper`: it is short for my_game::Bumper and for other_game::Bumper; write all of it"
    );
    assert!(
        error("\"Gat\": (1)").contains("discs[1].components `Gat`: there is no such component, did you mean `Gate`")
    );
    assert!(error("\"other_game::Gat\": (1)").contains("did you mean `other_game::Gate`"));
    assert!(
        error("\"Gate\": (1), \"other_game::Gate\": (2)")
            .contains("components `other_game::Gate`: `Gate` is the same; keep one of them")
    );
    let pocket = read(r#"(pockets: [(position: (0, 0), radius: 1, components: {"Gate": "wide"})])"#).unwrap_err();
    assert!(pocket.to_string().starts_with("level.ron: pockets[0].components `Gate`: "), "{pocket}");
    assert!(error("\"Gate\": (\"wide\")").starts_with("level.ron: discs[1].components `Gate`: "));
    assert!(read(r#"(discs: [(components: {"Gate": (1), "my_game::Bumper": (points: 1)})])"#).is_ok());
}

#[test]
fn an_instance_that_cannot_be_spawned_says_why() {
    #[derive(Resource, Default)]
    struct Said(Vec<SceneInstanceFailed>, Vec<Entity>);
    let mut app = app();
    app.init_resource::<Said>();
    app.add_observer(|failed: On<SceneInstanceFailed>, mut said: ResMut<Said>| said.0.push(failed.event().clone()));
    app.add_observer(|ready: On<SceneInstanceReady>, mut said: ResMut<Said>| said.1.push(ready.entity));
    let missing = SceneSource::Path("no_such_level.ron".into());
    let missing = app.world_mut().spawn(SceneInstance::new(missing)).id();
    let away = app.world_mut().spawn(SceneInstance::new(parsed("(discs: [()])")).at(vec2(f32::NAN, 0.0))).id();
    let bad = SceneFile { discs: vec![carom::scene::DiscEntry { radius: -1.0, ..default() }], ..default() };
    let bad = app.world_mut().spawn(SceneInstance::new(bad)).id();
    let good = app.world_mut().spawn(SceneInstance::new(parsed("(discs: [()])"))).id();
    app.update();
    let Said(failed, ready) = app.world_mut().remove_resource().unwrap();
    assert_eq!(failed.iter().map(|it| it.entity).collect::<Vec<_>>(), [missing, away, bad]);
    assert!(failed[0].reason.starts_with("no_such_level.ron: cannot be read"), "{failed:?}");
    assert!(failed[1].reason.contains("SceneInstance.offset is (NaN, 0)"), "{failed:?}");
    assert!(failed[2].reason.contains("discs[0].radius is -1"), "{failed:?}");
    assert_eq!(ready, [good]);
}

#[test]
fn an_instance_that_was_disabled_comes_when_it_is_enabled() {
    use bevy::ecs::entity_disabling::Disabled;
    let folder = tempfile::tempdir().unwrap();
    for mut app in [app(), with_assets(folder.path())] {
        let parent =
            app.world_mut().spawn((Disabled, SceneInstance::new(parsed("(discs: [(), (position: (3, 0))])")))).id();
        (0..3).for_each(|_| app.update());
        assert_eq!(count::<Disc>(&mut app), 0);
        app.world_mut().entity_mut(parent).remove::<Disabled>();
        app.update();
        assert_eq!(count::<Disc>(&mut app), 2);
        assert_eq!(app.world().get::<InstanceEntities>(parent).unwrap().discs.len(), 2);
        app.update();
        assert_eq!(count::<Disc>(&mut app), 2, "once");
    }
}

#[test]
fn an_instance_whose_asset_changes_while_it_is_disabled_is_replaced_when_it_is_enabled() {
    use bevy::ecs::entity_disabling::Disabled;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("part.ron"), "(discs: [()])").unwrap();
    let mut app = with_assets(folder.path());
    let handle = app.world().resource::<AssetServer>().load::<SceneFile>("part.ron");
    let parent = app.world_mut().spawn(SceneInstance::new(handle.clone())).id();
    wait(&mut app, |app| count::<Disc>(app) == 1);
    app.world_mut().entity_mut(parent).insert(Disabled);
    let mut assets = app.world_mut().resource_mut::<Assets<SceneFile>>();
    assets.get_mut(&handle).unwrap().discs.push(carom::scene::DiscEntry { position: vec2(0.0, 3.0), ..default() });
    (0..5).for_each(|_| app.update());
    assert_eq!(count::<Disc>(&mut app), 1, "not before it is enabled");
    app.world_mut().entity_mut(parent).remove::<Disabled>();
    (0..2).for_each(|_| app.update());
    assert_eq!(count::<Disc>(&mut app), 2);
    assert_eq!(app.world().get::<InstanceEntities>(parent).unwrap().discs.len(), 2);
}

#[test]
fn what_starts_on_a_path_starts_on_the_path_of_its_instance() {
    let text = "(terrain: [(shape: Circle(radius: 0.2), orbit: (radius: 2, phase: 0.25)), \
        (shape: Circle(radius: 0.2), position: (7, 0), orbit: (radius: 2))], \
        discs: [(kinematic: true, oscillation: (centre: (1, 0), amplitude: (1, 0)))])";
    let mut app = app();
    let half = std::f32::consts::PI;
    let parent = app.world_mut().spawn(SceneInstance::new(parsed(text)).at(vec2(10.0, 0.0)).turned(half)).id();
    let there = app.world().get::<InstanceEntities>(parent).unwrap();
    let place = |entity: Entity| app.world().get::<Position>(entity).unwrap().0;
    let expected = [(there.terrain[0], [10.0, -2.0]), (there.terrain[1], [3.0, 0.0]), (there.discs[0], [8.0, 0.0])];
    for (entity, expected) in expected {
        // Rounding of a turn, at 10 m.
        assert!(place(entity).distance(Vec2::from(expected)) < 1e-5, "{} instead of {expected:?}", place(entity));
    }
    let [orbit, swing] = [there.terrain[0], there.discs[0]].map(|entity| app.world().entity(entity));
    assert_eq!(place(orbit.id()), orbit.get::<Orbit>().unwrap().place());
    assert_eq!(place(swing.id()), swing.get::<Oscillation>().unwrap().place());
}

#[cfg(feature = "view")]
#[test]
fn what_an_instance_brings_is_hidden_with_its_entity() {
    let mut app = app();
    let seen = |app: &mut App, parent: Entity| {
        let there = app.world().get::<InstanceEntities>(parent).unwrap();
        there.iter().map(|entity| app.world().get::<Visibility>(entity).copied()).collect::<Vec<_>>()
    };
    let hidden = app.world_mut().spawn((Visibility::Hidden, SceneInstance::new(parsed(CAGE)))).id();
    assert!(seen(&mut app, hidden).iter().all(|visibility| *visibility == Some(Visibility::Inherited)));
    let plain = app.world_mut().spawn(SceneInstance::new(parsed(CAGE))).id();
    assert!(seen(&mut app, plain).iter().all(Option::is_none));
}
