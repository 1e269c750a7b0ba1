//! Scenes as files: the shipped ones are valid, errors name their place, and a saved scene continues as the world did.

use std::path::Path;

use bevy::{ecs::system::SystemState, prelude::*, time::TimeUpdateStrategy};
use carom::{
    collision::{Discs, measure},
    notice::Notices,
    prelude::*,
    scene::{
        CueBall, CurrentScene, DiscEntry, DiscLook, HotReload, Lesson, Motion, OptionalComponents, OwnLook,
        SceneAppExt, SceneCommand, SceneEnded, SceneEntity, SceneFile, SceneGenerator, ScenePlugin, SceneRegistry,
        SceneSaved, SceneSource, SceneStarted, SceneState, TerrainEntry, TerrainLook, end, generate::Contents,
        in_lesson, restart, shipped, spawn, unresolved,
    },
    timeline::advance,
};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    app
}

fn started(name: &'static str) -> App {
    let mut app = app();
    let source = SceneSource::Shipped(name);
    let file = source.load().unwrap();
    spawn(app.world_mut(), source, file).unwrap();
    app
}

#[test]
fn every_file_in_the_folder_is_shipped_and_described() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenes");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut names: Vec<&str> = shipped().iter().map(|scene| scene.name).collect();
    assert_eq!(names[0], "nine-ball");
    files.sort();
    names.sort_unstable();
    assert_eq!(files, names);
    for scene in shipped() {
        let file = SceneFile::parse(scene.text, scene.name).unwrap_or_else(|error| panic!("{error}"));
        assert!(!file.title.is_empty() && file.description.ends_with('.'), "{}", scene.name);
    }
}

/// Invalid scenes, and a part of the error message.
const BAD: [(&str, &str); 50] = [
    ("(\n  title: \"x\",\n  discs: [(radus: 1)],\n)", "bad.ron:3:"),
    ("(\n  title: \"x\",\n  discs: [(radus: 1)],\n)", "radus"),
    ("(discs: [(colour: \"#+12345\")])", "`#+12345` is not a colour"),
    ("(discs: [(), (ignores: [0, 7])])", "discs[1].ignores[1] is 7; no disc and no piece of terrain has this id"),
    ("(discs: [(layers: (memberships: -1))])", "bad.ron:1:"),
    ("(discs: [(radius: 1e400)])", "bad.ron:1:19: discs[0].radius is 1e400, which is too large for a number"),
    ("(terrain: [(shape: Circle(radius: 1), velocity: (0, inf))])", "terrain[0].velocity is (0, inf); set it to"),
    (
        "(terrain: [(shape: Circle(radius: 1), angular_velocity: NaN)])",
        "terrain[0].angular_velocity is NaN; set it from -1e12 to 1e12 rad/s",
    ),
    ("(terrain: [(shape: Circle(radius: 1), move_to: (1e13, 0))])", "terrain[0].move_to is (10000000000000, 0)"),
    ("(terrain: [(shape: Circle(radius: 1), turn_to: inf)])", "terrain[0].turn_to is inf; set it to"),
    (
        "(terrain: [(shape: Circle(radius: 1), oscillation: (frequency: NaN))])",
        "terrain[0].oscillation.frequency is NaN; set it from -1e12 to 1e12 Hz",
    ),
    (
        "(terrain: [(shape: Circle(radius: 1), orbit: (radius: -1))])",
        "terrain[0].orbit.radius is -1; set it from 0 to 1e12 m",
    ),
    ("(title: \"x\"", "bad.ron:1:"),
    ("(\n  collision: (restitution: \"high\"),\n)", "bad.ron:2:"),
    ("(discs: [(colour: \"red\")])", "#rrggbb"),
    ("(discs: [(), (), (), (radius: -1)])", "discs[3].radius is -1"),
    ("(discs: [(position: (NaN, 0))])", "discs[0].position"),
    ("(collision: (restitution: 1.5))", "collision.restitution is 1.5; set it from 0 to 1"),
    ("(tiles: [(min: (0, 0), max: (1, 1)), (min: (0, 0), max: (0, 1))])", "tiles[1] is from (0, 0) to (0, 1)"),
    ("(tiles: [(min: (0, NaN), max: (1, 1))])", "tiles[0] is from"),
    ("(pace: (tick_rate: 0))", "pace.tick_rate is 0"),
    ("(terrain: [(shape: Block(half_size: (0, 1)))])", "terrain[0].shape"),
    ("(generate: [RandomFill(count: 999, half_size: (1, 1))])", "generate[0].RandomFill.count: only"),
    ("(discs: [(id: 4), (id: 4)])", "discs[1].id is 4"),
    (
        "(discs: [(), (id: 18446744073709551614), ()], tiles: [(min: (0, 0), max: (1, 1))])",
        "discs[1].id is 18446744073709551614; entries without an id are numbered after it, 3 in all; set it to 18446744073709551611 at most",
    ),
    ("(discs: [(), (radius: 1e-12)])", "discs[1].radius is 1e-12; with a density of 1 kg/m² the mass would be 3.1415"),
    (
        "(generate: [Table(name: \"curling\", rack: \"nine-ball\")])",
        "rack is nine-ball; curling has no racks; leave it out",
    ),
    (
        "(panel: [\"physics\", \"phisics\"])",
        "panel[1] is `phisics`; there is no such section of the panel, did you mean `physics`",
    ),
    ("(panel: [\"hats\"])", "the sections are scenes, experiment, lesson, cue, practice, playback, physics"),
    ("(discs: [(), (radius: 2, mass: 3, density: 1)])", "discs[1].density is 1; mass is 3 kg, too; give one of them"),
    ("", "bad.ron:1:1: "),
    ("", "there is no scene in it: write `( )`"),
    ("# A page\n\nWith words.", "bad.ron:1:1: this is not a scene: it begins with `# A page`; a scene is `( )`"),
    ("// words\n  {\"discs\": []}", "bad.ron:2:3: this is not a scene: it begins with `{\"discs\": []}`"),
    ("[(position: (0, 0))]", "this is not a scene"),
    ("// later\n\n", "there is no scene in it: write `( )`"),
    ("(title: \"x\", discs: [", "the file ends before the scene does: close every open bracket"),
    // Terrain without extent.
    ("(terrain: [(shape: Segment(a: (1, 2), b: (1, 2)))])", "terrain[0].shape: a and b are the same point"),
    ("(terrain: [(shape: Polyline(points: [(1, 2), (1, 2)]))])", "terrain[0].shape: all of its points are the same"),
    ("(terrain: [(shape: Polyline(points: [(1, 2)]))])", "points: too few points (1); give a Polyline 2 or more"),
    ("(terrain: [(shape: Polygon(points: [(1, 2), (2, 3)]))])", "too few points (2); give a Polygon 3 or more"),
    ("(terrain: [(shape: Polygon(points: [(0, 0), (1, 1), (2, 2)]))])", "all of its points lie on one line"),
    ("(terrain: [(shape: Circle(radius: -1))])", "terrain[0].shape.radius is -1; set it from 0 to 1e12 m"),
    (
        "(terrain: [(shape: Circle(radius: 1)), (shape: Circle(radius: 1e13))])",
        "terrain[1].shape.radius is 10000000000000; set it from 0 to 1e12 m",
    ),
    ("(terrain: [(shape: Arena(half_size: (4, 2e12)))])", "terrain[0].shape.half_size is (4, 2000000000000); set both"),
    ("(terrain: [(shape: Polyline(points: [(0, 0), (inf, 1)]))])", "terrain[0].shape.points[1] is (inf, 1); set both"),
    ("(discs: [\n  (position: (2, three)),\n])", "bad.ron:2:18: discs[0].position.1 is three; write a number"),
    ("(discs: [(kick: -1)])", "discs[0].kick is -1; set it from 0 to 1e12 m/s"),
    ("(terrain: [(shape: Circle(radius: 1), one_way: Left)])", "terrain[0].one_way: a Circle has no walls"),
    ("(terrain: [(shape: Block(half_size: (1, 1)), one_way: Toward(0, 0))])", "terrain[0].one_way is Toward(0, 0)"),
];

/// Scenes that run despite likely mistakes, and a part of the warning.
const ODD: [(&str, &str); 29] = [
    (
        "(discs: [(position: (5, 0)), (cue: true), (position: (9, 0), cue: true)])",
        "discs[2].cue is true, as that of discs[1] is",
    ),
    (
        "(terrain: [(shape: Block(half_size: (4, 2)))], discs: [(position: (3, 0))])",
        "discs[0] at (3, 0) m is inside terrain[0], a Block, which it cannot leave; move it, or write an Arena",
    ),
    (
        "(terrain: [(shape: Segment(a: (0, 9), b: (9, 9))), (shape: Polygon(points: [(0, 0), (4, 0), (0, 4)]))], discs: [(position: (9, 0)), (position: (1, 1))])",
        "discs[1] at (1, 1) m is inside terrain[1], a Polygon, which it cannot leave",
    ),
    (
        "(terrain: [(shape: Polygon(points: [(0, 0), (4, 0), (0, 4)]), position: (10, 0), rotation: 3.1415927)], discs: [(position: (9, -1)), (position: (11, 1))])",
        "discs[0] at (9, -1) m is inside terrain[0], a Polygon",
    ),
    (
        "(terrain: [(shape: Circle(radius: 2))], discs: [(position: (3, 0)), (position: (1, 0))])",
        "discs[1] at (1, 0) m is inside terrain[0], a Circle, which pushes it out",
    ),
    (
        "(terrain: [(shape: Polygon(points: [(0, 0), (1, 1), (1, 0), (0, 1)]))])",
        "terrain[0].shape: the edge from points[0] to points[1] crosses that from points[2] to points[3]",
    ),
    (
        "(terrain: [(shape: Block(half_size: (9, 9)))], generate: [Lattice(count: 4, columns: 2)])",
        "what generate[0].Lattice makes: discs[0] at (0, 0) m is inside terrain[0], a Block, which it cannot leave; move it, or write an Arena for walls around discs (and 3 more)",
    ),
    (
        "(discs: [(), (position: (3, 0)), (position: (-0.0, 0))])",
        "discs[2].position is (-0, 0), as that of discs[0] is; give each disc its own place",
    ),
    (
        "(discs: [(), (), ()])",
        "discs[1].position is (0, 0), as that of discs[0] is; give each disc its own place (and 1 more)",
    ),
    // Discs without enough room.
    (
        "(terrain: [(shape: Arena(half_size: (4, 2)))], discs: [(), (position: (1, 0), radius: 2.1)])",
        "discs[1].radius is 2.1, too large for terrain[0], an Arena; make it at most 2 m",
    ),
    (
        "(terrain: [(shape: Arena(half_size: (4, 2)), rotation: 1.5707964)], discs: [(position: (0, 3), radius: 3)])",
        "too large for terrain[0]",
    ),
    (
        "(terrain: [(shape: Block(half_size: (4, 0.2)))], discs: [(position: (3, 0))])",
        "discs[0] at (3, 0) m is inside terrain[0], a Block, which it cannot leave; move it",
    ),
    (
        "(terrain: [(shape: Circle(radius: 2), position: (1, 2))], discs: [(position: (1, 2))])",
        "discs[0].position is (1, 2), the very centre of terrain[0]",
    ),
    ("(terrain: [(shape: Circle(radius: 0))], discs: [()])", "the very centre of terrain[0]"),
    (
        "(terrain: [(shape: Arena(half_size: (1, 1)))], generate: [Lattice(count: 1, radius: 3)])",
        "what generate[0].Lattice makes: discs[0].radius is 3",
    ),
    (
        "(terrain: [(shape: Block(half_size: (1, 1)))], discs: [(position: (5, 5))], generate: [Lattice(count: 1, radius: 3)])",
        "what generate[0].Lattice makes: discs[0] at (0, 0) m is inside",
    ),
    // Periodic edges that do not fit the contents.
    (
        "(collision: (periodic: (x: (0, 4))), discs: [(position: (1, 0)), (radius: 0.9)])",
        "discs[1].radius is 0.9, so that the edges of collision.periodic are open; with a collision.periodic.x of 4 m make it 0.8 m at most",
    ),
    (
        "(collision: (periodic: (y: (0, 4))), discs: [(ball: true)])",
        "discs[0] spins, so that the edges of collision.periodic are open",
    ),
    (
        "(collision: (periodic: (x: (-9, 9))), pockets: [(position: (0, 0), radius: 1), (position: (8.5, 0), radius: 1)])",
        "pockets[1] reaches beyond an edge of collision.periodic",
    ),
    (
        "(collision: (periodic: (x: (-9, 9))), pockets: [(position: (0, 0), radius: 1)], discs: [(position: (3, 0))])",
        "",
    ),
    ("(collision: (periodic: (x: (-5, 5))), generate: [Table()], discs: [(radius: 0.03)])", ""),
    // What starts on a path is not at its zero position.
    ("(terrain: [(shape: Block(half_size: (1, 1)), orbit: (centre: (10, 0), radius: 1))], discs: [()])", ""),
    (
        "(terrain: [(shape: Circle(radius: 1), orbit: (centre: (2, 0), radius: 2))], discs: [(position: (4.5, 0))])",
        "discs[0] at (4.5, 0) m is inside terrain[0], a Circle, which pushes it out",
    ),
    (
        "(terrain: [(shape: Circle(radius: 1), orbit: (radius: 2), move_to: (0, 0))], discs: [(position: (0.5, 0))])",
        "discs[0] at (0.5, 0) m is inside terrain[0]",
    ),
    (
        "(discs: [(kinematic: true, orbit: (radius: 3)), (kinematic: true, orbit: (radius: 3, phase: 0.5)), (kinematic: true)])",
        "",
    ),
    // Terrain that the file does not list.
    (
        "(discs: [(radius: 30)], generate: [Gas(count: 0), Gas(count: 4)])",
        "discs[0].radius is 30, too large for what generate[1].Gas makes: terrain[0], an Arena; make it at most",
    ),
    // Valid: only the rim is inside, or nothing is; an arena as wide as the disc; a chain of walls around discs; a
    // repeated point.
    (
        "(terrain: [(shape: Block(half_size: (1, 1))), (shape: Circle(radius: 1), position: (9, 0))], discs: [(position: (1.1, 0)), (position: (7.8, 0))])",
        "",
    ),
    ("(terrain: [(shape: Arena(half_size: (5, 0.5)))], discs: [()])", ""),
    (
        "(terrain: [(shape: Polyline(points: [(-2, -2), (-2, -2), (2, -2), (0, 4), (-2, -2)])), (shape: Circle(radius: 0), position: (3, 3))], discs: [()])",
        "",
    ),
];

#[test]
fn what_is_odd_is_run_with_a_notice() {
    for (text, expected) in ODD {
        let mut app = app();
        let source = SceneSource::Path("odd.ron".into());
        spawn(app.world_mut(), source, SceneFile::parse(text, "odd.ron").unwrap()).unwrap();
        let notices: Vec<&str> = app.world().resource::<Notices>().iter().map(|notice| notice.text.as_str()).collect();
        let warnings = &app.world().resource::<CurrentScene>().warnings;
        assert_eq!(notices.len(), usize::from(!expected.is_empty()), "{text}: {notices:?}");
        assert_eq!(notices, warnings.iter().map(|words| format!("odd.ron: {words}")).collect::<Vec<_>>());
        assert!(notices.iter().all(|notice| notice.contains(expected) && notice.lines().count() == 1), "{notices:?}");
        advance(app.world_mut(), 10);
        assert!(app.world().resource::<carom::collision::InvalidEntities>().0.is_empty());
    }
}

#[test]
fn a_polygon_of_many_edges_knows_what_is_inside() {
    let corner = |k: u16| {
        let (sin, cos) = bevy::math::ops::sin_cos(std::f32::consts::TAU * f32::from(k) / 1000.0);
        Vec2::new(cos, sin) * if k.is_multiple_of(2) { 10.0 } else { 8.0 }
    };
    let gear = Terrain::Polygon { points: (0..1000).map(corner).collect() };
    let mut file = SceneFile { terrain: vec![TerrainEntry::new(gear)], ..default() };
    for (x, is_inside) in [(0.0, true), (-7.9, true), (7.9, true), (-10.1, false), (10.1, false)] {
        file.discs = vec![DiscEntry { position: Vec2::new(x, 0.01), radius: 0.1, ..default() }];
        assert_eq!(!file.expand().unwrap().warnings.is_empty(), is_inside, "{x}");
    }
}

#[test]
fn a_scene_of_very_many_pieces_and_discs_is_checked_in_no_time() {
    let count = 200_u16;
    let places = || (0..count).flat_map(|row| (0..count).map(move |k| Vec2::new(f32::from(k), f32::from(row))));
    let block = |position: Vec2| TerrainEntry {
        position,
        rotation: 0.3,
        ..TerrainEntry::new(Terrain::Block { half_size: Vec2::splat(0.2) })
    };
    let disc = |position: Vec2| DiscEntry { position: position + 0.5, radius: 0.1, ..default() };
    let file = SceneFile { terrain: places().map(block).collect(), discs: places().map(disc).collect(), ..default() };
    let begin = std::time::Instant::now();
    assert_eq!(file.expand().unwrap().warnings, [""; 0]);
    // Comparing all with all would take 1.6 billion comparisons.
    assert!(begin.elapsed().as_secs_f32() < 5.0, "{:?}", begin.elapsed());
}

#[test]
fn blocks_of_a_scene_have_their_mass_and_are_saved_with_it() {
    let text = "(terrain: [(shape: Circle(radius: 1), position: (0, 3), mass: 2, moment_of_inertia: 5, \
                locked_axes: (rotation: true), angular_velocity: 0), (shape: Circle(radius: 1), mass: 4)])";
    let file = SceneFile::parse(text, "blocks.ron").unwrap();
    let mut app = app();
    spawn(app.world_mut(), SceneSource::Path("blocks.ron".into()), file.clone()).unwrap();
    advance(app.world_mut(), 2);
    let saved = SceneFile::capture(app.world_mut());
    for (now, before) in saved.terrain.iter().zip(&file.terrain) {
        assert_eq!((now.mass, &now.optional), (before.mass, &before.optional));
    }
    for (bad, expected) in [
        ("mass: 0", "mass is 0; set it above zero, from 1e-12 to 1e12 kg"),
        ("mass: NaN", "mass is NaN; set it above zero"),
        ("moment_of_inertia: 3", "moment_of_inertia is 3; only a block has one; give it a mass, too"),
        ("mass: 1, moment_of_inertia: -2", "moment_of_inertia is -2; set it above zero"),
        ("locked_axes: (rotation: true)", "give it a mass, too"),
    ] {
        let text = format!("(terrain: [(shape: Circle(radius: 1), {bad})])");
        let problem = SceneFile::parse(&text, "bad.ron").unwrap_err().to_string();
        assert!(problem.contains("terrain[0]") && problem.contains(expected), "{bad}: {problem}");
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_named_with_the_place_and_a_mark_before_the_text_is_no_part_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let load = |bytes: &[u8]| {
        let path = folder.path().join("bytes.ron");
        std::fs::write(&path, bytes).unwrap();
        SceneSource::Path(path).load()
    };
    let error = load(b"(\n  title: \"caf\xe9\",\n)").unwrap_err().to_string();
    assert!(
        error.ends_with("bytes.ron: the byte at offset 15, in line 2, is not UTF-8; save the file as UTF-8"),
        "{error}"
    );
    assert_eq!(load("\u{feff}(title: \"x\")".as_bytes()).unwrap().title, "x");
    let error = load("\u{feff}(title: 1)".as_bytes()).unwrap_err().to_string();
    assert!(error.contains("bytes.ron:1:"), "{error}");
}

#[test]
fn a_bad_file_is_reported_where_and_why_in_one_line() {
    for (text, expected) in BAD {
        let error = SceneFile::parse(text, "bad.ron").unwrap_err().to_string();
        assert!(error.starts_with("bad.ron:") && error.contains(expected), "{text}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_bad_file_leaves_the_running_scene_alone() {
    let mut app = started("two-discs");
    let folder = std::env::temp_dir().join(format!("carom-bad-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("bad.ron");
    std::fs::write(&path, BAD[0].0).unwrap();
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Path(path)));
    app.update();
    let notices = app.world().resource::<Notices>();
    assert!(notices.iter().any(|notice| notice.is_error && notice.text.contains("bad.ron:3:")));
    assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Shipped("two-discs"));
    assert_eq!(Discs::of(app.world_mut()).len(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// All paths of a ball in a round room touch the same caustic, whose distance from the centre is
/// `|position × velocity| / speed`.
#[test]
fn in_the_whispering_gallery_every_way_touches_its_caustic() {
    let mut app = started("whispering");
    let world = app.world_mut();
    let first = Discs::of(world);
    let caustic = |discs: &Discs, i: usize| {
        let (at, velocity) = (discs.position[i].as_dvec2(), discs.velocity[i].as_dvec2());
        (at.perp_dot(velocity) / velocity.length(), velocity.length())
    };
    for _ in 0..20 {
        advance(world, 60);
        let now = Discs::of(world);
        for i in 0..now.len() {
            let ((radius, speed), (was, fast)) = (caustic(&now, i), caustic(&first, i));
            assert!((radius - was).abs() < 3e-5 && (speed - fast).abs() < 3e-5, "disc {i}: {was} m to {radius} m");
            assert!(now.position[i].length() <= 0.95 + 2e-6, "disc {i}: {}", now.position[i]);
        }
    }
}

#[test]
fn in_the_stadium_two_balls_that_begin_together_part_and_keep_their_energy() {
    let mut app = started("stadium");
    let world = app.world_mut();
    let speed = |discs: &Discs, i: usize| discs.velocity[i].as_dvec2().length();
    let first = Discs::of(world);
    let mut farthest = 0.0_f32;
    for _ in 0..120 {
        advance(world, 15);
        let now = Discs::of(world);
        farthest = farthest.max(now.position[0].distance(now.position[1]));
        for i in 0..2 {
            assert!((speed(&now, i) / speed(&first, i) - 1.0).abs() < 2e-5, "disc {i}: {} m/s", speed(&now, i));
            let at = now.position[i];
            let beyond = Vec2::new((at.x.abs() - 1.0).max(0.0), at.y).length() - 0.95;
            assert!(beyond <= 2e-6, "disc {i}: {at}");
        }
    }
    assert!(first.position[0].distance(first.position[1]) < 2e-5 && farthest > 1.0, "{farthest} m apart");
}

#[test]
fn what_the_numbers_cannot_carry_is_a_notice_and_no_shipped_scene_has_any() {
    let far = "(pace: (tick_rate: 240), discs: [(), (id: 6, position: (1e6, 0), velocity: (1, 0))])";
    let mut app = app();
    spawn(app.world_mut(), SceneSource::default(), SceneFile::parse(far, "far").unwrap()).unwrap();
    let notices: Vec<&str> = app.world().resource::<Notices>().iter().map(|notice| notice.text.as_str()).collect();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].starts_with("disc 6 at (1000000, 0) m does not move"), "{notices:?}");
    for scene in shipped() {
        assert_eq!(started(scene.name).world().resource::<Notices>().iter().count(), 0, "{}", scene.name);
    }
}

#[test]
fn a_saved_scene_goes_on_as_the_world_does() {
    for name in ["break", "many", "corners", "bumpers", "tiles"] {
        let mut app = started(name);
        // A rack at rest would prove little, so the cue ball moves.
        for mut velocity in app.world_mut().query_filtered::<&mut Velocity, With<CueBall>>().iter_mut(app.world_mut()) {
            velocity.0 = Vec2::new(9.0, 0.03);
        }
        advance(app.world_mut(), 100);
        // A gap in the ids must be kept too.
        let discs = Discs::of(app.world_mut());
        app.world_mut().despawn(discs.entity[discs.len() / 2]);
        let saved = SceneFile::capture(app.world_mut());
        let text = saved.to_text().unwrap();
        let read = SceneFile::parse(&text, "saved").unwrap();
        assert_eq!(read, saved, "{name}");
        let before = measure::state_hash(&Discs::of(app.world_mut()));
        let mut again = self::app();
        spawn(again.world_mut(), SceneSource::default(), read).unwrap();
        for world in [app.world_mut(), again.world_mut()] {
            advance(world, 200);
        }
        let [here, there] = [&mut app, &mut again].map(|app| measure::state_hash(&Discs::of(app.world_mut())));
        assert_eq!(here, there, "{name}");
        assert_ne!(here, before, "{name} goes on");
    }
}

#[test]
fn save_as_writes_a_scene_that_loads() {
    let mut app = started("cradle");
    let path = std::env::temp_dir().join(format!("carom-saved-{}", std::process::id()));
    app.world_mut().write_message(SceneCommand::SaveAs(path.clone()));
    app.update();
    let written = path.with_extension("ron");
    let file = SceneSource::Path(written.clone()).load().unwrap();
    assert_eq!(file.discs.len(), 7);
    std::fs::remove_file(written).unwrap();
    app.world_mut().write_message(SceneCommand::SaveAs("/no/such/folder/x.ron".into()));
    app.update();
    assert!(app.world().resource::<Notices>().iter().any(|notice| notice.is_error));
}

#[test]
fn restart_repeats_the_run_and_keeps_the_settings() {
    let mut app = started("many");
    let start = measure::state_hash(&Discs::of(app.world_mut()));
    advance(app.world_mut(), 50);
    let first = measure::state_hash(&Discs::of(app.world_mut()));
    assert_ne!(first, start);
    assert!(app.world().resource::<PhysicsSpace>().clock.seconds > 0.0);
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    assert_eq!(app.world().resource::<PhysicsSpace>().clock.seconds, 0.0, "the clock starts with the scene");
    advance(app.world_mut(), 50);
    assert_eq!(measure::state_hash(&Discs::of(app.world_mut())), first);
    app.world_mut().resource_mut::<CollisionSettings>().restitution = 0.5;
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    assert_eq!(app.world().resource::<CollisionSettings>().restitution, 0.5);
    app.world_mut().write_message(SceneCommand::Reload);
    app.update();
    assert_eq!(app.world().resource::<CollisionSettings>().restitution, 1.0);
}

#[test]
fn next_and_previous_go_round_and_leave_nothing_behind() {
    let mut app = started(shipped()[0].name);
    let count = |app: &mut App| app.world_mut().query::<&SceneEntity>().iter(app.world()).count();
    let at_first = count(&mut app);
    app.world_mut().spawn(SceneEntity);
    for scene in shipped().iter().skip(1).chain(shipped().first()) {
        app.world_mut().write_message(SceneCommand::Next);
        app.update();
        assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Shipped(scene.name));
    }
    assert!(!app.world().resource::<Messages<SceneStarted>>().is_empty());
    assert_eq!(count(&mut app), at_first, "ten balls, the cushions and the pockets");
    app.world_mut().write_message(SceneCommand::Previous);
    app.update();
    let last = shipped().last().unwrap().name;
    assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Shipped(last));
}

/// All messages about scenes, in order.
#[derive(Resource, Default, Debug, PartialEq, Eq)]
struct Told(Vec<String>);

/// Records the messages about scenes.
fn told(app: &mut App) {
    app.init_resource::<Told>()
        .add_observer(|started: On<SceneStarted>, discs: Query<&Disc>, mut told: ResMut<Told>| {
            told.0.push(format!("{} {} with {}", started.source, started.restart, discs.iter().count()));
        })
        .add_observer(|ended: On<SceneEnded>, discs: Query<&Disc>, mut told: ResMut<Told>| {
            told.0.push(format!("no {} {} with {}", ended.source, ended.restart, discs.iter().count()));
        })
        .add_systems(OnEnter(SceneState::Running), |mut told: ResMut<Told>| told.0.push("enter".to_owned()))
        .add_systems(OnExit(SceneState::Running), |mut told: ResMut<Told>| told.0.push("exit".to_owned()));
}

fn take_told(app: &mut App) -> Vec<String> {
    std::mem::take(&mut app.world_mut().resource_mut::<Told>().0)
}

#[test]
fn a_scene_says_when_it_starts_and_when_it_ends() {
    let mut app = app();
    told(&mut app);
    let ask = |app: &mut App, command| {
        app.world_mut().write_message(command);
        app.update();
        take_told(app)
    };
    assert_eq!(
        ask(&mut app, SceneCommand::Load(SceneSource::Shipped("two-discs"))),
        ["two-discs false with 2", "enter"]
    );
    let kept = app.world_mut().spawn(DespawnOnExit(SceneState::Running)).id();
    app.update();
    assert!(take_told(&mut app).is_empty() && app.world().get_entity(kept).is_ok());
    let restarted = ask(&mut app, SceneCommand::Restart);
    assert_eq!(restarted, ["no two-discs true with 2", "two-discs true with 2", "exit", "enter"]);
    assert!(app.world().get_entity(kept).is_err(), "it goes with the scene");
    let next = ask(&mut app, SceneCommand::Load(SceneSource::Shipped("many")));
    assert_eq!(next, ["no two-discs false with 2", "many false with 150", "exit", "enter"]);
    let failed = ask(&mut app, SceneCommand::Load(SceneSource::Path("no/such/scene.ron".into())));
    assert!(failed.is_empty(), "the running scene stays: {failed:?}");
    assert_eq!(ask(&mut app, SceneCommand::End), ["no many false with 150", "exit"]);
    assert!(!app.world().contains_resource::<CurrentScene>());
    assert_eq!(app.world_mut().query::<&Disc>().iter(app.world()).count(), 0);
    assert!(ask(&mut app, SceneCommand::End).is_empty(), "there is none to end");
    let messages = app.world().resource::<Messages<SceneEnded>>();
    assert!(messages.get_cursor().read(messages).any(|ended| !ended.restart));
}

#[test]
fn a_state_says_whether_anything_moves_also_while_paused() {
    let mut app = app();
    let motion = |app: &App| *app.world().resource::<State<Motion>>().get();
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    assert_eq!(motion(&app), Motion::AtRest);
    let begin = |app: &mut App, text: &str| {
        let file = SceneFile::parse(text, "test.ron").unwrap();
        spawn(app.world_mut(), SceneSource::Shipped("test"), file).unwrap();
    };
    // The kinematic disc never stops, and does not count.
    let discs = "(velocity: (1, 0)), (kinematic: true, position: (0, 9), velocity: (1, 0))";
    begin(&mut app, &format!("(discs: [{discs}], motion: (friction: 10), pace: (paused: true))"));
    app.update();
    assert_eq!(motion(&app), Motion::Moving, "it will when time continues");
    app.world_mut().resource_mut::<Playback>().paused = false;
    for _ in 0..20 {
        app.update();
    }
    assert_eq!(motion(&app), Motion::AtRest);
}

#[test]
fn a_scene_at_rest_after_one_that_moves_has_not_come_to_rest() {
    let mut app = app();
    let begin = |app: &mut App, text: &str| {
        let file = SceneFile::parse(text, "test.ron").unwrap();
        spawn(app.world_mut(), SceneSource::Shipped("test"), file).unwrap();
        advance(app.world_mut(), 1);
    };
    begin(&mut app, "(discs: [(velocity: (1, 0))])");
    begin(&mut app, "(discs: [()])");
    assert!(app.world().resource::<Messages<AllAtRest>>().is_empty(), "nothing has ended but the scene");
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
fn wait(app: &mut App, mut is_done: impl FnMut(&App) -> bool) {
    let begin = std::time::Instant::now();
    while !is_done(app) {
        let told = app.world().resource::<Notices>().iter().map(|notice| notice.text.clone()).collect::<Vec<_>>();
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "it takes too long; {told:?}");
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn title(app: &App) -> &str {
    app.world().get_resource::<CurrentScene>().map_or("", |scene| &scene.file.title)
}

fn last_notice(app: &App) -> String {
    app.world().resource::<Notices>().iter().last().map(|notice| notice.text.clone()).unwrap_or_default()
}

#[test]
fn a_scene_is_an_asset_and_begins_when_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.ron"), "(title: \"One\", discs: [()])").unwrap();
    std::fs::write(folder.path().join("bad.scene.ron"), "(title: \"Bad\", discs: [(radius: -1)])").unwrap();
    let mut app = with_assets(folder.path());
    let load = |app: &mut App, path: &'static str| {
        let handle: Handle<SceneFile> = app.world().resource::<AssetServer>().load(path);
        app.world_mut().write_message(SceneCommand::Load(handle.clone().into()));
        handle
    };
    let handle = load(&mut app, "one.ron");
    wait(&mut app, |app| title(app) == "One");
    assert_eq!(app.world().resource::<CurrentScene>().source.to_string(), "one.ron");
    load(&mut app, "bad.scene.ron");
    wait(&mut app, |app| !last_notice(app).is_empty());
    assert!(last_notice(&app).starts_with("bad.scene.ron: discs[0].radius is -1"), "{}", last_notice(&app));
    assert_eq!(title(&app), "One", "the running scene stays");
    load(&mut app, "bad.scene.ron");
    let count = app.world().resource::<Notices>().iter().count();
    wait(&mut app, |app| app.world().resource::<Notices>().iter().count() > count);

    // A game may change an asset too. Reading it again restarts the scene.
    app.world_mut().resource_mut::<Assets<SceneFile>>().get_mut(&handle).unwrap().title = "Two".to_owned();
    wait(&mut app, |app| title(app) == "Two");
    app.world_mut().resource_mut::<HotReload>().0 = false;
    app.world_mut().resource_mut::<Assets<SceneFile>>().get_mut(&handle).unwrap().title = "Three".to_owned();
    (0..5).for_each(|_| app.update());
    assert_eq!(title(&app), "Two", "it is switched off");
    app.world_mut().write_message(SceneCommand::Reload);
    wait(&mut app, |app| title(app) == "One");

    load(&mut app, "embedded://carom/scenes/two-discs.scene.ron");
    wait(&mut app, |app| title(app) != "One");
    assert_eq!(app.world_mut().query::<&Disc>().iter(app.world()).count(), 2);
}

#[test]
fn of_two_scenes_that_were_asked_for_the_last_runs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.ron"), "(title: \"One\")").unwrap();
    let mut app = with_assets(folder.path());
    let handle: Handle<SceneFile> = app.world().resource::<AssetServer>().load("one.ron");
    app.world_mut().write_message(SceneCommand::Load(handle.clone().into()));
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Shipped("two-discs")));
    wait(&mut app, |app| app.world().resource::<Assets<SceneFile>>().contains(&handle));
    (0..5).for_each(|_| app.update());
    assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Shipped("two-discs"));
}

#[test]
fn without_an_asset_server_an_asset_is_a_notice() {
    let mut app = app();
    app.finish();
    app.world_mut().write_message(SceneCommand::Load(Handle::<SceneFile>::default().into()));
    app.update();
    assert!(last_notice(&app).contains("AssetPlugin"), "{}", last_notice(&app));
}

#[test]
fn a_file_that_changes_beside_the_window_begins_anew_and_a_bad_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.ron");
    let write = |text: &str| std::fs::write(&path, text).unwrap();
    write("(title: \"One\")");
    let mut app = app();
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Path(path.clone())));
    wait(&mut app, |app| title(app) == "One");
    write("(title: \"Two!\")");
    wait(&mut app, |app| title(app) == "Two!");
    write("(title: \"Three\", discs: [(mass: 0)])");
    wait(&mut app, |app| last_notice(app).contains("the running scene stays"));
    assert!(last_notice(&app).contains("discs[0].mass is 0"), "{}", last_notice(&app));
    assert_eq!(title(&app), "Two!");
    write("(title: \"Three\", discs: [(mass: 0.5)])");
    wait(&mut app, |app| title(app) == "Three");
    let wrong = app.world().resource::<Notices>().iter().filter(|notice| notice.is_error).count();
    assert_eq!(wrong, 0, "what was wrong is corrected");

    // Files written by the program itself are not changes.
    app.world_mut().spawn(Disc);
    app.world_mut().write_message(SceneCommand::Save);
    app.update();
    assert!(std::fs::read_to_string(&path).unwrap().contains("discs"));
    let begin = std::time::Instant::now();
    while begin.elapsed() < std::time::Duration::from_millis(800) {
        app.update();
    }
    assert!(last_notice(&app).starts_with("saved"), "{}", last_notice(&app));
}

#[test]
fn a_scene_is_saved_to_the_file_that_it_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = started("two-discs");
    app.world_mut().write_message(SceneCommand::Save);
    app.update();
    assert!(last_notice(&app).contains("two-discs is part of the program"), "{}", last_notice(&app));
    let path = folder.path().join("mine.ron");
    app.world_mut().write_message(SceneCommand::SaveAs(folder.path().join("mine")));
    app.update();
    assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Path(path.clone()));
    assert!(!app.world().resource::<Messages<SceneSaved>>().is_empty());
    app.world_mut().spawn((Disc, Position(vec2(20.0, 0.0))));
    app.world_mut().write_message(SceneCommand::Save);
    app.update();
    assert_eq!(SceneSource::Path(path).load().unwrap().discs.len(), 3);
}

#[test]
fn a_scene_from_a_file_without_an_ending_is_saved_to_that_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("mine"), folder.path().join("mine.ron"));
    std::fs::write(&path, "(discs: [()])").unwrap();
    std::fs::write(&other, "somebody else's").unwrap();
    let mut app = started("two-discs");
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Path(path.clone())));
    app.update();
    app.world_mut().spawn((Disc, Position(vec2(20.0, 0.0))));
    app.world_mut().write_message(SceneCommand::Save);
    app.update();
    assert_eq!(SceneSource::Path(path).load().unwrap().discs.len(), 2);
    assert_eq!(std::fs::read_to_string(other).unwrap(), "somebody else's");
}

#[test]
fn a_state_is_saved_without_the_components_and_joints_that_the_solver_ignores() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.ron");
    let mut app = started("two-discs");
    let world = app.world_mut();
    let [a, b] = [0, 1].map(|i| Discs::of(world).entity[i]);
    world.entity_mut(a).insert((BumperKick(-1.0), GravityScale(0.5)));
    world.spawn(Joint::rod(a, b, f32::NAN));
    world.write_message(SceneCommand::SaveAs(path.clone()));
    app.update();
    let told = last_notice(&app);
    assert!(told.contains("joint 0 is left out") && told.contains("and 1 more"), "{told}");
    let saved = SceneSource::Path(path).load().unwrap();
    assert!(!saved.discs[0].has::<BumperKick>() && saved.discs[0].get() == Some(&GravityScale(0.5)));
    assert!(saved.joints.is_empty());
}

#[test]
fn a_restart_goes_back_to_what_was_saved_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = started("many");
    app.insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::ZERO));
    let ask = |app: &mut App, command: SceneCommand| {
        app.world_mut().write_message(command);
        app.update();
    };
    let path = folder.path().join("mine.ron");
    ask(&mut app, SceneCommand::SaveAs(path.clone()));
    app.world_mut().spawn((Terrain::Block { half_size: vec2(0.5, 0.5) }, Position(vec2(3.0, 0.0))));
    advance(app.world_mut(), 20);
    ask(&mut app, SceneCommand::Save);
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("Block"));
    let state = measure::state_hash(&Discs::of(app.world_mut()));
    advance(app.world_mut(), 20);
    let later = measure::state_hash(&Discs::of(app.world_mut()));
    ask(&mut app, SceneCommand::Restart);
    assert_eq!(measure::state_hash(&Discs::of(app.world_mut())), state);
    ask(&mut app, SceneCommand::Save);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved, "and nothing of it is lost");
    advance(app.world_mut(), 20);
    assert_eq!(measure::state_hash(&Discs::of(app.world_mut())), later, "it runs on from there as it did");
}

/// A component of a game.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[type_path = "my_game"]
#[reflect(Default)]
struct Prize {
    points: u32,
    at: Option<Vec2>,
    kind: Kind,
}

impl Default for Prize {
    fn default() -> Self {
        Self { points: 1, at: None, kind: Kind::Plain }
    }
}

#[derive(Reflect, Clone, Debug, PartialEq)]
enum Kind {
    Plain,
    Golden { carat: f32 },
    Named(String),
}

#[derive(Component, Reflect)]
#[type_path = "my_game"]
struct Lucky;

#[derive(serde::Deserialize)]
struct Row {
    count: u32,
}

impl SceneGenerator for Row {
    fn run(&self, contents: &mut Contents) -> Result<(), carom::components::InvalidValue> {
        carom::components::InvalidValue::check_range("count", self.count as f32, 0.0..=9.0, "")?;
        let place = |k: u32| DiscEntry { position: vec2(2.0 * k as f32, 9.0), ..default() };
        contents.discs.extend((0..self.count).map(place));
        Ok(())
    }
}

/// An app in which a game has registered its additions.
fn game() -> App {
    let mut app = app();
    app.add_scene_component::<Prize>().add_scene_component::<Lucky>().add_scene_generator::<Row>("row");
    SceneRegistry::of(app.world()).add_panel_section("wind");
    app
}

#[test]
fn a_game_has_components_generators_and_sections_of_its_own_in_scene_files() {
    let text = r#"(
      panel: ["energy", "wind"],
      terrain: [(shape: Circle(radius: 1), components: {"my_game::Lucky": ()})],
      discs: [
        (position: (4, 0), components: {
          "my_game::Prize": (points: 7, at: (1, 2), kind: Golden(carat: 18)), // worth a lot
          "my_game::Lucky": (),
        }),
        (position: (8, 0), components: {"my_game::Prize": (kind: Named("b"))}),
      ],
      generate: [Custom(name: "row", settings: (count: 3))],
    )"#;
    let mut app = game();
    let registry = SceneRegistry::of(app.world());
    let file = SceneFile::parse_with(text, "level.ron", &registry).unwrap();
    assert_eq!(SceneFile::parse_with(&file.to_text().unwrap(), "again.ron", &registry).unwrap(), file);
    spawn(app.world_mut(), SceneSource::Path("level.ron".into()), file).unwrap();
    let prizes = |app: &mut App| {
        let mut found: Vec<_> = app.world_mut().query::<(&StableId, &Prize)>().iter(app.world()).collect();
        found.sort_by_key(|(id, _)| **id);
        found.into_iter().map(|(_, prize)| prize.clone()).collect::<Vec<_>>()
    };
    let golden = Prize { points: 7, at: Some(vec2(1.0, 2.0)), kind: Kind::Golden { carat: 18.0 } };
    assert_eq!(prizes(&mut app), [golden.clone(), Prize { kind: Kind::Named("b".to_owned()), ..default() }]);
    assert_eq!(app.world_mut().query::<&Disc>().iter(app.world()).count(), 5);
    assert_eq!(app.world_mut().query_filtered::<&Terrain, With<Lucky>>().iter(app.world()).count(), 1);

    // A changed component is saved and read again.
    for mut prize in app.world_mut().query::<&mut Prize>().iter_mut(app.world_mut()) {
        prize.points += 1;
    }
    let saved = SceneFile::capture(app.world_mut());
    assert!(saved.discs[2].components.is_empty() && saved.generate.is_empty());
    let again = SceneFile::parse_with(&saved.to_text().unwrap(), "saved.ron", &registry).unwrap();
    assert_eq!(again, saved);
    spawn(app.world_mut(), SceneSource::Path("saved.ron".into()), again).unwrap();
    let later = prizes(&mut app);
    assert_eq!((&later[0], later[1].points), (&Prize { points: 8, ..golden }, 2));
    assert_eq!(app.world_mut().query_filtered::<&Terrain, With<Lucky>>().iter(app.world()).count(), 1);
}

#[test]
fn a_mistake_in_a_value_of_a_game_is_named_with_its_field_line_and_column() {
    let registry = SceneRegistry::of(game().world());
    let parse = |text: &str| SceneFile::parse_with(text, "level.ron", &registry);
    // The same text stands in several places, and the file lists what is read first last.
    let text = r#"(
  generate: [
    Custom(name: "row", settings: (count: 2)),
    // An ä before it: columns are letters.
    /* ä */ Custom(name: "row", settings: (count: COUNT)),
  ],
  discs: [(position: (4, 0), components: {"my_game::Prize": (points: 2)}), (position: (8, 0), components: {
    "my_game::Prize": (
      points: 2, at: (1, PLACE)),
  })],
)"#;
    let with = |count: &str, place: &str| parse(&text.replace("COUNT", count).replace("PLACE", place));
    let error = |count: &str, place: &str| with(count, place).unwrap_err().to_string();
    assert_eq!(
        error("\"2\"", "1"),
        "level.ron: generate[1].row.settings: count is \"2\"; write a whole number from 0 to 4294967295, in line 5, column 51"
    );
    let said = error("2", "\"2\"");
    let begin = "level.ron: discs[1].components `my_game::Prize`: at.1: Expected float";
    assert!(said.starts_with(begin) && said.ends_with(", in line 9, column 26"), "{said}");
    // A value may be written with an explicit `Some`.
    let explicit = text.replace("at: (1, PLACE)", "at: Some((1, 3))").replace("COUNT", "2");
    assert_eq!(parse(&explicit).unwrap().expand_with(&registry).unwrap().discs.len(), 6);
    let mut app = game();
    spawn(app.world_mut(), SceneSource::Path("level.ron".into()), parse(&explicit).unwrap()).unwrap();
    let places = app.world_mut().query::<&Prize>().iter(app.world()).filter_map(|prize| prize.at).collect::<Vec<_>>();
    assert_eq!(places, [vec2(1.0, 3.0)]);
}

#[test]
fn what_nobody_has_registered_is_named_with_its_place_and_what_there_is() {
    let app = game();
    let registry = SceneRegistry::of(app.world());
    let error = |text: &str| SceneFile::parse_with(text, "bad.ron", &registry).unwrap_err().to_string();
    let has = |text: &str, words: &[&str]| {
        let error = error(text);
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    has(
        r#"(discs: [(), (position: (5, 5), components: {"my_game::Prise": ()})])"#,
        &["discs[1].components `my_game::Prise`", "did you mean `my_game::Prize`", "my_game::Lucky, my_game::Prize"],
    );
    has(r#"(discs: [(components: {"my_game::Prize": (points: -1)})])"#, &["discs[0].components `my_game::Prize`: "]);
    has(
        r#"(discs: [(components: {"my_game::Prize": (point: 1)})])"#,
        &["discs[0].components `my_game::Prize`", "`point`"],
    );
    has(r#"(terrain: [(shape: Circle(radius: 1), components: {"Luck": ()})])"#, &["terrain[0].components `Luck`"]);
    has(
        r#"(generate: [Custom(name: "rows")])"#,
        &["generate[0].rows.name is `rows`; there is no such generator", "did you mean `row`"],
    );
    has(r#"(generate: [Custom(name: "row")])"#, &["generate[0].row.settings: ", "`count`"]);
    has(r#"(generate: [Custom(name: "row", settings: (count: 10))])"#, &["count is 10; set it from 0 to 9"]);
    has(r#"(panel: ["wimd"])"#, &["panel[0] is `wimd`", "did you mean `wind`", "energy"]);
    // Without the game these names are unknown.
    let error =
        SceneFile::parse(r#"(discs: [(components: {"my_game::Prize": ()})])"#, "bad.ron").unwrap_err().to_string();
    assert!(error.contains("no component is registered"), "{error}");
    assert!(SceneFile::parse(r#"(panel: ["wind"])"#, "bad.ron").is_err());
}

/// How often the lesson of a game was drawn.
#[derive(Resource, Default)]
struct Drawn(u32);

#[test]
fn a_game_has_lessons_of_its_own() {
    let mut app = app();
    app.add_lesson(Lesson { name: "Windmill", is_about_two: true, dims_discs: true, ..Lesson::NONE })
        .init_resource::<Drawn>()
        .add_systems(Update, (|mut drawn: ResMut<Drawn>| drawn.0 += 1).run_if(in_lesson("Windmill")));
    let registry = SceneRegistry::of(app.world());
    let file = SceneFile::parse_with("(lesson: Windmill, discs: [()])", "level.ron", &registry).unwrap();
    assert!(file.lesson.is_about_two && !file.lesson.has_tips && file.lesson.dims_discs);
    assert_eq!(SceneFile::parse_with(&file.to_text().unwrap(), "again.ron", &registry).unwrap(), file);
    app.update();
    assert_eq!(app.world().resource::<Drawn>().0, 0);
    spawn(app.world_mut(), SceneSource::Shipped("test"), file).unwrap();
    app.update();
    assert_eq!(app.world().resource::<Drawn>().0, 1);

    let shipped = SceneFile::parse("(lesson: PreciseCheck)", "level.ron").unwrap();
    assert_eq!(shipped.lesson, Lesson::PRECISE_CHECK);
    assert!(shipped.to_text().unwrap().contains("lesson: PreciseCheck"));
    assert!(!SceneFile::default().to_text().unwrap().contains("lesson"));
    let error = SceneFile::parse_with("(lesson: Windmil)", "level.ron", &registry).unwrap_err().to_string();
    assert!(error.contains("lesson is `Windmil`; there is no such lesson, did you mean `Windmill`"), "{error}");
    assert!(error.contains("VectorLab"), "{error}");
}

/// Bounds for ten seconds of each scene. The first is the worst overlap of two discs, as a fraction of the smaller
/// radius. The second is the relative change of kinetic energy, or none if energy is lost.
///
/// In the stepped mode a hit is detected at the end of a substep, so small fast discs overlap more.
const BOUNDS: [(&str, f32, Option<f64>); 49] = [
    ("nine-ball", 1e-5, None),
    ("snooker", 1e-5, None),
    ("carom", 1e-5, None),
    ("break", 1e-5, None),
    ("two-discs", 1e-6, None),
    ("vector-lab", 0.05, None),
    ("quick-check", 1e-3, None),
    ("precise-check", 1e-6, None),
    ("many", 0.5, Some(1e-5)),
    ("corners", 1e-6, Some(1e-5)),
    ("corner-right-angle", 0.0, Some(1e-6)),
    ("corner-straight-back", 0.0, Some(1e-6)),
    ("bumpers", 0.2, None),
    ("tiles", 1e-5, None),
    ("cradle", 1e-6, Some(1e-6)),
    ("galperin", 1e-6, Some(1e-6)),
    ("chain", 1e-5, Some(1e-5)),
    ("cannon", 1e-3, None),
    ("galton", 3.0, None),
    ("corridor", 1e-5, Some(1e-5)),
    ("closing-wall", 0.0, None),
    ("fermi", 0.0, None),
    // Its balls do not collide with each other.
    ("stadium", 3.0, Some(1e-5)),
    ("whispering", 3.0, Some(1e-5)),
    ("circle", 3.0, Some(1e-5)),
    ("ellipse", 3.0, Some(1e-5)),
    ("sinai", 0.0, Some(1e-5)),
    ("mushroom", 3.0, Some(1e-5)),
    ("gas", 0.3, Some(1e-5)),
    ("torus", 1e-3, Some(1e-5)),
    ("piston", 1e-5, None),
    ("shock", 1e-5, None),
    ("demon", 1e-3, Some(1e-5)),
    ("leak", 1e-3, Some(1e-5)),
    ("mix", 1e-3, Some(1e-5)),
    ("brownian", 1e-3, Some(1e-5)),
    // Its small discs do not collide with each other.
    ("depletion", 3.0, Some(1e-5)),
    ("atmosphere", 1e-3, None),
    ("freezing", 1e-3, Some(1e-5)),
    ("cooling", 1e-3, None),
    ("lorentz", 3.0, Some(1e-5)),
    ("bounce", 0.0, None),
    ("futures", 1e-3, Some(1e-5)),
    ("wedge", 0.0, None),
    ("pile", 0.1, None),
    // Its discs do not collide.
    ("pendulum", 2.0, None),
    ("wrecking-ball", 0.3, None),
    ("blocks", 1e-3, None),
    ("see-saw", 1e-3, None),
];

#[test]
fn ten_seconds_of_every_scene_stay_in_bounds() {
    for (scene, (name, most, energy_change)) in shipped().iter().zip(BOUNDS) {
        assert_eq!(scene.name, name);
        let mut app = started(scene.name);
        let world = app.world_mut();
        let energy = measure::kinetic_energy(&Discs::of(world));
        let ticks = (10.0 * world.resource::<Playback>().tick_rate.expect("a scene asks for one")) as u64;
        let arenas: Vec<(Vec2, Vec2)> = world
            .query::<(&Terrain, &Position)>()
            .iter(world)
            .filter_map(|(terrain, position)| match terrain {
                Terrain::Arena { half_size } => Some((position.0, *half_size)),
                _ => None,
            })
            .collect();
        // Galperin's lanes are open, and billiard tables have cushions.
        let is_open = matches!(
            name,
            "galperin"
                | "tiles"
                | "torus"
                | "closing-wall"
                | "fermi"
                | "stadium"
                | "whispering"
                | "circle"
                | "ellipse"
                | "mushroom"
                | "chain"
                | "cannon"
                | "galton"
                | "depletion"
                | "freezing"
                | "cooling"
                | "lorentz"
                | "bounce"
                | "futures"
                | "wedge"
                | "pendulum"
                | "wrecking-ball"
        );
        let has_arena = !is_open && !matches!(name, "nine-ball" | "snooker" | "carom");
        assert_eq!(arenas.len(), usize::from(has_arena), "{name}");
        for look in 0..20 {
            advance(world, ticks / 20);
            let now = Discs::of(world);
            for (position, radius) in now.position.iter().zip(&now.radius) {
                let Some(&(centre, half_size)) = arenas.first() else { continue };
                let beyond = ((*position - centre).abs() - half_size).max_element() + radius;
                assert!(beyond <= *radius, "{name}: a disc at {position} after {look} looks");
            }
            let overlap = measure::overlap(&now);
            assert!(overlap.worst <= most, "{name}: {overlap:?} after {look} looks");
            if let Some(change) = energy_change {
                let ratio = measure::kinetic_energy(&now) / energy;
                assert!((ratio - 1.0).abs() <= change, "{name}: kinetic energy changed by a factor of {ratio}");
            }
        }
        assert!(world.resource::<carom::collision::InvalidEntities>().0.is_empty());
    }
}

#[test]
fn what_the_numbers_cannot_carry_is_noticed_when_a_scene_begins_and_the_shipped_ones_have_nothing_of_it() {
    for scene in shipped() {
        let mut app = started(scene.name);
        assert_eq!(carom::scene::unresolved(app.world_mut()), [], "{}", scene.name);
        assert_eq!(carom::scene::too_small(app.world_mut()), [], "{}", scene.name);
        assert_eq!(app.world().resource::<Notices>().iter().count(), 0, "{}", scene.name);
    }
    let text = "(terrain: [(shape: Arena(half_size: (5, 5)))], discs: [(velocity: (1e6, 0), radius: 1e-12, mass: 1)])";
    let file = SceneFile::parse(text, "small.ron").unwrap();
    let mut app = app();
    spawn(app.world_mut(), SceneSource::Path("small.ron".into()), file).unwrap();
    let notices: Vec<&str> = app.world().resource::<Notices>().iter().map(|notice| notice.text.as_str()).collect();
    assert!(notices.len() == 1 && notices[0].contains("has a radius of 1e-12 m"), "{notices:?}");
}

/// Corner reflection: x stays constant after the hit, and y changes at full speed.
#[test]
fn at_the_corner_a_disc_leaves_at_a_right_angle() {
    let mut app = started("corner-right-angle");
    advance(app.world_mut(), 65);
    let after = Discs::of(app.world_mut());
    // The corner is hit at the exact time. The error is due to √½, which `f32` cannot represent.
    assert!((after.velocity[0] - Vec2::new(0.0, 2.0)).length() < 1e-6, "{}", after.velocity[0]);
    advance(app.world_mut(), 10);
    assert!((Discs::of(app.world_mut()).position[0].x - after.position[0].x).abs() < 1e-6);
}

#[derive(Resource, Default)]
struct Hits(bevy::ecs::entity::EntityHashMap<u64>);

fn count_hits(mut hits: ResMut<Hits>, mut collisions: MessageReader<Collision>) {
    for collision in collisions.read() {
        *hits.0.entry(collision.a).or_insert(0) += 1;
    }
}

/// The digits of pi, as the lesson counts them.
#[test]
fn galperins_lanes_count_pi() {
    let mut app = started("galperin");
    app.init_resource::<Hits>().add_systems(FixedPostUpdate, count_hits.after(SimulationSystems));
    advance(app.world_mut(), 20 * 60);
    let lights: Vec<Entity> = Discs::of(app.world_mut()).entity.into_iter().step_by(2).collect();
    let hits = &app.world().resource::<Hits>().0;
    assert_eq!(lights.iter().map(|light| hits[light]).collect::<Vec<_>>(), [3, 31, 314, 3141, 31_415]);
    assert_eq!(app.world().resource::<PhysicsSpace>().report.stopped, 0);
}

/// Corner reflection: the disc returns where it came from.
#[test]
fn at_the_corner_a_disc_goes_straight_back() {
    let mut app = started("corner-straight-back");
    advance(app.world_mut(), 96);
    let after = Discs::of(app.world_mut());
    assert_eq!(after.velocity[0], Vec2::new(-1.5, 1.5));
    assert_eq!(after.position[0].x, -after.position[0].y);
}

#[test]
fn the_pile_comes_to_rest_and_hardly_overlaps() {
    let mut app = started("pile");
    advance(app.world_mut(), 600);
    let pile = Discs::of(app.world_mut());
    let mass: f64 = pile.mass.iter().map(|&m| f64::from(m)).sum();
    let rms = (2.0 * measure::kinetic_energy(&pile) / mass).sqrt();
    assert!(rms < 1e-3, "rms speed {rms} m/s");
    let overlap = measure::overlap(&pile);
    assert!(overlap.mean < 0.007 && overlap.worst < 0.05, "{overlap:?}");
    // Resting contacts do not count as collisions, so a second of rest has almost none.
    let before = app.world().resource::<PhysicsSpace>().report.collisions;
    advance(app.world_mut(), 60);
    let more = app.world().resource::<PhysicsSpace>().report.collisions - before;
    assert!(more < 100, "{more} collisions in a second of rest");
}

#[test]
fn generators_make_what_the_measurements_need() {
    for (name, count) in [("gas", 1000), ("pile", 1000), ("many", 150), ("break", 16)] {
        let first = Discs::of(started(name).world_mut());
        assert_eq!(first.len(), count, "{name}");
        assert_eq!(measure::overlap(&first).pairs, 0, "{name}");
        assert_eq!(measure::state_hash(&first), measure::state_hash(&Discs::of(started(name).world_mut())), "{name}");
    }
}

#[test]
fn a_file_is_opened_by_the_name_under_which_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("mine");
    std::fs::write(named.with_extension("ron"), "(title: \"Mine\")").unwrap();
    let source = SceneSource::from_argument(named.to_str().unwrap()).unwrap();
    assert_eq!(source.load().unwrap().title, "Mine");
    // An exact name takes precedence.
    std::fs::write(&named, "(title: \"Other\")").unwrap();
    assert_eq!(SceneSource::from_argument(named.to_str().unwrap()).unwrap().load().unwrap().title, "Other");
}

#[test]
fn who_meets_whom_is_in_the_file_and_comes_back_from_it() {
    let text = "(terrain: [(shape: Circle(radius: 1), inactive: true, layers: (memberships: 2), sensor: true), \
        (shape: Block(half_size: (1, 1)), position: (5, 0), one_way: Toward(0, 2))], \
        discs: [(inactive: true, ignores: [0, 3]), (position: (0.2, 0), layers: (memberships: 1, filters: 6), kick: 2)])";
    let file = SceneFile::parse(text, "who.ron").unwrap();
    let mut app = app();
    spawn(app.world_mut(), SceneSource::default(), file).unwrap();
    let mut inactive = app.world_mut().query_filtered::<(Has<Disc>, Has<Terrain>), With<Inactive>>();
    let mut found: Vec<_> = inactive.iter(app.world()).collect();
    found.sort_unstable();
    assert_eq!(found, [(false, true), (true, false)]);
    assert_eq!(app.world().resource::<CurrentScene>().warnings, [""; 0], "what takes no part lies in nobody's way");
    let saved = SceneFile::capture(app.world_mut());
    let (terrain, discs) = (&saved.terrain, &saved.discs);
    assert_eq!(
        [terrain[0].has::<Inactive>(), discs[0].has::<Inactive>(), discs[1].has::<Inactive>()],
        [true, true, false]
    );
    assert_eq!(terrain[0].get(), Some(&CollisionLayers::new(2, u32::MAX)));
    assert_eq!([terrain[0].has::<Sensor>(), discs[0].has::<Sensor>()], [true, false]);
    assert_eq!(discs[1].get(), Some(&CollisionLayers::new(1, 6)));
    assert_eq!((discs[0].get::<BumperKick>(), discs[1].get()), (None, Some(&BumperKick(2.0))));
    assert_eq!(terrain[1].get(), Some(&OneWay::Toward(vec2(0.0, 2.0))));
    assert_eq!(saved.discs[0].ignores, [0, 3], "the circle, and the other disc");
    assert_eq!(SceneFile::parse(&saved.to_text().unwrap(), "saved.ron").unwrap(), saved);
}

#[test]
fn tiles_have_their_walls_before_the_first_tick() {
    let mut app = started("tiles");
    let walls = |space: &PhysicsSpace| space.walls().iter().map(|wall| [wall.a, wall.b]).collect::<Vec<_>>();
    let predicted = SystemState::<Predictor>::new(app.world_mut()).get(app.world()).unwrap().space();
    let shown = walls(app.world().resource());
    advance(app.world_mut(), 1);
    let of_tick = walls(app.world().resource());
    assert!(of_tick.len() > 8, "{of_tick:?}");
    assert_eq!((walls(&predicted), shown), (of_tick.clone(), of_tick));
}

/// A scene with settings of hits and of the motion of single discs.
const SAID: &str = "(
    motion: (gravity: (0, -9), friction: 0.2),
    collision: (mode: Continuous, terrain_restitution: 0.5),
    terrain: [
        (shape: Segment(a: (-9, 0), b: (9, 0)), restitution_rule: Largest, friction: 0.4, surface_velocity: (1.5, 0)),
        (shape: Block(half_size: (1, 0.5)), position: (4, 3), velocity: (0, 0), angular_velocity: 0),
        (shape: Circle(radius: 1), position: (-4, 3)),
    ],
    discs: [
        (position: (0, 3), gravity_scale: 0.5, linear_damping: 0.25, cloth_friction: 0, constant_force: (1, 0.5)),
        (position: (2, 6), restitution_rule: Mean, restitution: 0.3, friction: 0.1, constant_torque: -0.25),
        (position: (-2, 4), gravity_scale: -1),
    ],
)";

#[test]
fn what_is_said_of_hits_and_of_single_discs_is_spawned_and_saved() {
    let file = SceneFile::parse(SAID, "said.ron").unwrap();
    let mut app = app();
    spawn(app.world_mut(), SceneSource::default(), file.clone()).unwrap();
    let mut conveyors = app.world_mut().query::<(&SurfaceVelocity, &Friction, &RestitutionRule)>();
    let found: Vec<_> = conveyors.iter(app.world()).collect();
    assert_eq!(found, [(&SurfaceVelocity(vec2(1.5, 0.0)), &Friction(0.4), &RestitutionRule(CombineRule::Largest))]);
    let mut own = app.world_mut().query::<(&GravityScale, &LinearDamping, &ClothFriction, &ConstantForce)>();
    let found: Vec<_> = own.iter(app.world()).collect();
    let expected = (&GravityScale(0.5), &LinearDamping(0.25), &ClothFriction(0.0), &ConstantForce(vec2(1.0, 0.5)));
    assert_eq!(found, [expected]);
    let saved = SceneFile::capture(app.world_mut());
    let read = SceneFile::parse(&saved.to_text().unwrap(), "saved.ron").unwrap();
    assert_eq!(read, saved);
    for (written, piece) in file.terrain.iter().zip(&read.terrain) {
        assert_eq!((written.velocity, written.angular_velocity), (piece.velocity, piece.angular_velocity), "zero too");
        assert_eq!(written.optional, piece.optional);
    }
    let mut again = self::app();
    spawn(again.world_mut(), SceneSource::default(), read).unwrap();
    let [here, there] = [&mut app, &mut again].map(|app| {
        advance(app.world_mut(), 200);
        measure::state_hash(&Discs::of(app.world_mut()))
    });
    assert_eq!(here, there);
}

#[test]
fn what_is_wrong_with_hits_and_single_discs_is_named_with_its_place() {
    let bad = [
        ("discs: [(friction: -1)]", "discs[0].friction is -1; set it from 0 to 1e12"),
        ("discs: [(), (gravity_scale: inf)]", "discs[1].gravity_scale is inf; set it from -1e12 to 1e12"),
        ("discs: [(linear_damping: -0.5)]", "discs[0].linear_damping is -0.5; set it from 0 to 1e12, in 1/s"),
        ("discs: [(cloth_friction: NaN)]", "discs[0].cloth_friction is NaN; set it from 0 to 1e12 m/s²"),
        ("discs: [(constant_force: (0, inf))]", "discs[0].constant_force is (0, inf); set it to finite components"),
        ("discs: [(constant_torque: NaN)]", "discs[0].constant_torque is NaN; set it from -1e12 to 1e12 N m"),
        ("discs: [(restitution_rule: Biggest)]", "bad.ron:1:"),
        ("terrain: [(shape: Circle(radius: 1), friction: inf)]", "terrain[0].friction is inf; set it from 0 to 1e12"),
        (
            "terrain: [(shape: Circle(radius: 1), surface_velocity: (NaN, 0))]",
            "terrain[0].surface_velocity is (NaN, 0)",
        ),
    ];
    for (text, says) in bad {
        let problem = match SceneFile::parse(&format!("({text})"), "bad.ron") {
            Ok(file) => file.check().unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(problem.contains(says), "{text}: {problem}");
    }
}

#[test]
fn disabled_discs_and_terrain_go_with_their_scene() {
    use bevy::ecs::entity_disabling::Disabled;
    let mut app = started("two-discs");
    let everything = |app: &mut App| {
        type Parts = (Or<(With<Disc>, With<Terrain>)>, Allow<Disabled>);
        app.world_mut().query_filtered::<Entity, Parts>().iter(app.world()).collect::<Vec<_>>()
    };
    let all = everything(&mut app);
    let hide = |app: &mut App| {
        for entity in everything(app) {
            app.world_mut().entity_mut(entity).insert(Disabled);
        }
    };
    hide(&mut app);
    restart(app.world_mut()).unwrap();
    let again = everything(&mut app);
    assert_eq!(again.len(), all.len());
    assert!(again.iter().all(|entity| !all.contains(entity) && !app.world().entity(*entity).contains::<Disabled>()));
    hide(&mut app);
    spawn(app.world_mut(), SceneSource::default(), SceneFile::parse("(discs: [()])", "one.ron").unwrap()).unwrap();
    assert_eq!(everything(&mut app).len(), 1);
    hide(&mut app);
    end(app.world_mut());
    assert_eq!(everything(&mut app), []);
}

#[test]
fn a_scene_begins_in_a_world_without_clocks() {
    let mut world = World::new();
    let fast = "(pace: (tick_rate: 240), discs: [(position: (1e6, 0), velocity: (1, 0))])";
    let file = SceneFile::parse(fast, "far.ron").unwrap();
    spawn(&mut world, SceneSource::Path("far.ron".into()), file).unwrap();
    assert_eq!(unresolved(&mut world).len(), 1, "by the tick rate of the scene");
    restart(&mut world).unwrap();
    assert_eq!(world.query::<&Disc>().iter(&world).count(), 1);
}

#[test]
fn what_is_written_to_a_file_while_its_scene_begins_is_not_missed() {
    #[derive(Resource)]
    struct Meanwhile(Option<(std::path::PathBuf, &'static str)>);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.ron");
    std::fs::write(&path, "(title: \"One\")").unwrap();
    let mut app = started("two-discs");
    // The file has been read by then.
    app.insert_resource(Meanwhile(Some((path.clone(), "(title: \"Two!\")"))));
    app.add_observer(|_: On<SceneEnded>, mut meanwhile: ResMut<Meanwhile>| {
        if let Some((path, text)) = meanwhile.0.take() {
            std::fs::write(path, text).unwrap();
        }
    });
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Path(path.clone())));
    app.update();
    assert_eq!(title(&app), "One");
    wait(&mut app, |app| title(app) == "Two!");
    // The same applies when it is read again.
    app.insert_resource(Meanwhile(Some((path.clone(), "(title: \"Four\")"))));
    std::fs::write(&path, "(title: \"Three\")").unwrap();
    wait(&mut app, |app| title(app) == "Four");
}

/// Meaningless values of generators, and their errors. Each names the place and a remedy that works.
const GENERATED: [(&str, &str); 17] = [
    ("Gas(count: 10, area_fraction: 0)", "Gas.area_fraction is 0; set it above 0, up to 0.75"),
    ("Gas(count: 10, area_fraction: 1)", "Gas.area_fraction is 1; set it above 0, up to 0.75"),
    ("Gas(count: 10, area_fraction: NaN)", "Gas.area_fraction is NaN; set it above 0, up to 0.75"),
    ("Gas(count: 10, area_fraction: 1e-30)", "what generate[0].Gas makes: terrain[0].shape.half_size is ("),
    ("Gas(count: 10, speed_sigma: -1)", "Gas.speed_sigma is -1; set it from 0 to 1e12 m/s"),
    ("Gas(count: 10, mass: 0)", "Gas.mass is 0; set it above zero, from 1e-12 to 1e12 kg"),
    ("Lattice(mass: -1)", "Lattice.mass is -1; set it above zero, from 1e-12 to 1e12 kg"),
    ("Lattice(spacing: (1e30, 1))", "Lattice.spacing is (1e30, 1); set it to finite coordinates within 1e12 m"),
    ("Lattice(spacing: (3e11, 1))", "what generate[0].Lattice makes: discs[4].position is (1200000000000, 0)"),
    ("Lattice(first: (NaN, 0))", "Lattice.first is (NaN, 0); set it to finite"),
    ("Lattice(odd_row_shift: inf)", "Lattice.odd_row_shift is inf; set it from -1e12 to 1e12 m"),
    ("Lattice(speed_sigma: NaN)", "Lattice.speed_sigma is NaN; set it from 0 to 1e12 m/s"),
    (
        "Lattice(speed_range: (-3, -5))",
        "Lattice.speed_range is (-3, -5); set both from 0 to 1e12 m/s; they are the largest",
    ),
    ("Pile(count: 3, mass: -1)", "Pile.mass is -1; set it above zero"),
    ("Pile(count: 3, speed: -0.1)", "Pile.speed is -0.1; set it from 0 to 1e12 m/s"),
    ("RandomFill(speed: -1)", "RandomFill.speed is -1; set it from 0 to 1e12 m/s"),
    ("Rack(apex: (inf, 0))", "Rack.apex is (inf, 0); set it to finite"),
];

#[test]
fn a_value_of_a_generator_is_told_at_its_own_place_with_a_remedy_that_holds() {
    let parse = |generators: &str| SceneFile::parse(&format!("(generate: [{generators}])"), "a.ron");
    for (text, expected) in GENERATED {
        let error = parse(text).unwrap_err().to_string();
        let place = if expected.starts_with("what") { "a.ron: " } else { "a.ron: generate[0]." };
        assert!(error.starts_with(&format!("{place}{expected}")), "{error}");
    }
    let second = parse("Gas(count: 10), Lattice(count: 4, columns: 2, mass: -1)").unwrap_err().to_string();
    assert!(second.starts_with("a.ron: generate[1].Lattice.mass is -1; "), "{second}");
    // The ends of the ranges.
    for text in [
        "Gas(count: 10, area_fraction: 1e-6)",
        "Gas(count: 10, area_fraction: 0.75, speed_sigma: 0)",
        "Lattice(mass: 1e-12, speed_range: (5, 1))",
        "Pile(count: 3, mass: 1e12, speed: 0)",
    ] {
        assert!(parse(text).is_ok(), "{text}");
    }
}

#[test]
fn what_a_field_cannot_hold_is_told_with_its_place_and_what_it_may_hold() {
    for (text, expected) in [
        (
            "(table: (cushion: (restitution: 0.5)))",
            "1:33: table.cushion.restitution is 0.5; write Constant(number) or Han",
        ),
        ("(table: (balls: 0.1))", "1:17: table.balls is 0.1; write None, Constant(number) or Alciatore"),
        (
            "(generate: [Custom(1)])",
            "1:20: generate[0].Custom: expected the name of a field, not 1; the fields are name, settings",
        ),
        ("(discs: [(ball_colour: -1)])", "1:24: discs[0].ball_colour is -1; write Red, Yellow, "),
        ("(discs: [(restitution_rule: Biggest)])", "1:29: discs[0].restitution_rule is Biggest; write Smallest, "),
        ("(discs: [(radius: 0.1, number: 256)])", "1:32: discs[0].number is 256; write a whole number from 0 to 255"),
        ("(discs: [(id: -1)])", "1:15: discs[0].id is -1; write a whole number from 0 to 18446744073709551614"),
        ("(discs: [(pocket: -1)])", "1:19: discs[0].pocket is -1; write a whole number from 0"),
        ("(generate: [Gas(count: -1)])", "1:24: generate[0].Gas.count is -1; write a whole number from 0 to 1000000"),
        ("(generate: [Lattice(columns: -1)])", "1:30: generate[0].Lattice.columns is -1; write a whole number from 1"),
        ("(generate: [Gas(seed: -1)])", "1:23: generate[0].Gas.seed is -1; write a whole number from 0"),
        ("(terrain: [(position: (0, 0))])", "terrain[0] lacks the field `shape`; add it"),
        ("(discs: [(radius: nan)])", "1:19: discs[0].radius is nan; write a number"),
        ("(discs: [(), (velocity: nan)])", "1:25: discs[1].velocity is nan; write two numbers in parentheses"),
        ("(discs: [(velocity: (nan, 0))])", "1:22: discs[0].velocity.0 is nan; write a number"),
        ("(discs: [(radius: true, kick: 1)])", "1:19: discs[0].radius is true; write a number"),
        ("(joints: [(ends: (Disc(x), Point(0, 0)), kind: Rod(length: 1))])", "joints[0].ends.0.Disc is x; write"),
        ("(terrain: [(shape: Square(1))])", "1:20: terrain[0].shape is Square(1); write "),
        ("(discs: [(colour: \"red\")])", "1:19: discs[0].colour: `red` is not a colour"),
        ("(camera: At(centre: 1))", "camera.centre is 1; write two numbers"),
    ] {
        let error = SceneFile::parse(text, "a.ron").unwrap_err().to_string();
        assert!(error.starts_with("a.ron:1:") && error.contains(expected), "{text}: {error}");
        assert!(!["raw identifier", "DiscEntry", "Vec2", "u8"].iter().any(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn ends_of_periodic_edges_are_told_as_they_are_given() {
    for (ends, told) in [("(2, 1)", "(2, 1)"), ("(1, 1)", "(1, 1)"), ("(-2e12, 0)", "(-2000000000000, 0)")] {
        let error = SceneFile::parse(&format!("(collision: (periodic: (x: {ends})))"), "a.ron").unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("a.ron: collision.periodic.x is {told}; set it to two ends")),
            "{error}"
        );
    }
}

/// Small texts that ask for too much, and a part of the error message. Nothing of them is generated.
const HOSTILE: [(&str, &str); 8] = [
    ("(generate: [Lattice(count: 1000001)])", "count is 1000001; set it from 0 to 1000000"),
    ("(generate: [Lattice(count: 7), Gas(count: 999994)])", "generate[1].Gas: it makes more than 1000000 discs"),
    (
        "(discs: [()], generate: [RandomFill(count: 1000000)])",
        "generate[0].RandomFill: it makes more than 1000000 discs",
    ),
    (
        "(generate: [Pile(count: 10, radius: 3e38)])",
        "generate[0].Pile.radius is 3e38; set it above zero, from 1e-12 to 1e12 m",
    ),
    ("(generate: [Gas(count: 10, radius: 1e30)])", "radius is 1e30; set it"),
    ("(generate: [RandomFill(half_size: (1e20, 1e20))])", "half_size is 1e20; set it"),
    ("(generate: [RandomFill(count: 9, half_size: (inf, 1))])", "half_size is inf; set it"),
    ("(generate: [RandomFill(radius: (NaN, 0.5))])", "radius is NaN; set it"),
];

#[test]
fn a_small_text_that_asks_for_much_is_rejected_before_anything_is_made() {
    let rejected = |text: &str| SceneFile::parse(text, "hostile.ron").unwrap_err().to_string();
    for (text, expected) in HOSTILE {
        let error = rejected(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    let many = |one: &str, count: usize| [one].repeat(count).join(", ");
    let error = rejected(&format!("(generate: [{}])", many("Table()", 257)));
    assert!(error.contains("generate: it has 257 generators; give 256 at most"), "{error}");
    // No two sides are aligned, and each strip crosses half of the others.
    let strips = |count: usize| {
        let strip = |k: usize| match k {
            k if k.is_multiple_of(2) => format!("(min: ({}, 0), max: ({}, 9999))", 2 * k, 2 * k + 1),
            k => format!("(min: (-1, {}), max: (9998, {}))", 2 * k, 2 * k + 1),
        };
        format!("(tiles: [{}])", (0..count).map(strip).collect::<Vec<_>>().join(", "))
    };
    let error = rejected(&strips(2000));
    assert!(error.contains("tiles: the sides of all 2000 cut the plane into"), "{error}");
    assert!(SceneFile::parse(&strips(255), "strips.ron").is_ok());
    // As many cells, but each is a tile.
    let tile = |k: usize| {
        let (x, y) = (k % 150, k / 150);
        format!("(min: ({x}, {y}), max: ({}, {}))", x + 1, y + 1)
    };
    let map = format!("(tiles: [{}])", (0..150 * 150).map(tile).collect::<Vec<_>>().join(", "));
    assert!(SceneFile::parse(&map, "map.ron").is_ok());
    // Each of the walls is longer than a thousand periods.
    let torus = |count: usize, period: f32| {
        let walls = many("(shape: Segment(a: (0, 0), b: (9, 9)))", count);
        format!("(collision: (periodic: (x: (0, {period}), y: (0, {period}))), terrain: [{walls}])")
    };
    let error = rejected(&torus(5000, 0.001));
    assert!(
        error.contains("collision.periodic: the terrain reaches across its edges so often that it would be 2560000"),
        "{error}"
    );
    assert!(SceneFile::parse(&torus(5000, 20.0), "torus.ron").is_ok());
    // It is compared with every known name.
    let name = "x".repeat(1 << 20);
    let begin = std::time::Instant::now();
    let error = rejected(&format!("(panel: [\"{name}\"])"));
    assert!(error.len() < 3000, "{}", error.len());
    assert!(begin.elapsed().as_secs_f32() < 2.0, "{:?}", begin.elapsed());
}

#[test]
fn fields_of_components_are_those_of_their_kind_once_and_with_a_value_of_theirs() {
    for (text, expected) in [
        (
            "(discs: [(frictoin: 0.3)])",
            "discs[0]: there is no field `frictoin`, did you mean `friction`; the fields are id,",
        ),
        // `restitution` differs by fewer letters, but they are a larger share of it.
        (
            "(collision: (wall_restitution: 0.5))",
            "collision: there is no field `wall_restitution`, did you mean `terrain_restitution`; the fields are mode,",
        ),
        ("(camera: At(centre: (0, 0), height: 1, zzz: 2))", "there is no field `zzz`"),
        ("(discs: [(one_way: Left)])", "discs[0]: there is no field `one_way`; the fields are id,"),
        (
            "(terrain: [(shape: Circle(radius: 1), kinematic: true)])",
            "terrain[0]: there is no field `kinematic`; the fields are id,",
        ),
        ("(discs: [(kick: 1, kick: 2)])", "discs[0] has the field `kick` twice; keep one of them"),
        ("(discs: [(kick: \"hard\")])", "a.ron:1:17: discs[0].kick is \"hard\"; write a number"),
        ("(discs: [(sensor: 1)])", "a.ron:1:19: discs[0].sensor is 1; write true or false"),
        ("(discs: [(kick: -1)])", "discs[0].kick is -1; set it from 0 to 1e12 m/s"),
    ] {
        let error = SceneFile::parse(text, "a.ron").unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let file =
        SceneFile::parse("(discs: [(sensor: false, kick: None), (sensor: true, kick: Some(2))])", "a.ron").unwrap();
    assert_eq!(file.discs[0].optional, OptionalComponents::default());
    assert!(file.discs[1].has::<Sensor>() && file.discs[1].get() == Some(&BumperKick(2.0)));
    assert_eq!(file.discs[1], DiscEntry::default().with(BumperKick(2.0)).with(Sensor), "in any order");
}

#[test]
fn colours_and_looks_of_the_game_come_back_from_a_capture() {
    let text = r##"(
        discs: [(colour: "#3366cc", own_look: true), (position: (5, 0), colour: "#010203")],
        terrain: [(shape: Circle(radius: 1), position: (0, 9), colour: "#fe00ff", own_look: true)],
    )"##;
    let file = SceneFile::parse(text, "looks").unwrap();
    let mut app = app();
    spawn(app.world_mut(), SceneSource::Path("looks".into()), file.clone()).unwrap();
    let world = app.world_mut();
    let mut looks: Vec<_> = world.query::<(&StableId, &DiscLook, Has<OwnLook>)>().iter(world).collect();
    looks.sort_by_key(|(id, ..)| **id);
    let looks: Vec<_> = looks.into_iter().map(|(_, look, own)| (look.colour, own)).collect();
    assert_eq!(looks, [(Some(Color::srgb_u8(0x33, 0x66, 0xcc)), true), (Some(Color::srgb_u8(1, 2, 3)), false)]);
    assert_eq!(world.query::<(&TerrainLook, &OwnLook)>().iter(world).count(), 1);
    let captured = SceneFile::capture(world);
    let discs = |file: &SceneFile| file.discs.iter().map(|disc| (disc.colour, disc.own_look)).collect::<Vec<_>>();
    let terrain = |file: &SceneFile| file.terrain.iter().map(|it| (it.colour, it.own_look)).collect::<Vec<_>>();
    assert_eq!((discs(&captured), terrain(&captured)), (discs(&file), terrain(&file)));
}
