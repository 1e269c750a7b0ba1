//! Instruments in scene files: read, saved, linked, kept by a restart, and rejected if invalid.

use bevy::prelude::*;
use carom::{
    collision::{Discs, measure},
    laboratory::{
        LaboratoryPlugin,
        instruments::{InstrumentRecords, Instruments},
    },
    prelude::*,
    scene::{SceneFile, ScenePlugin, SceneSource, end, restart, spawn},
    timeline::{advance, run_in_order},
};

const TEXT: &str = "(
  terrain: [(shape: Arena(half_size: (3, 2)))],
  discs: [(position: (-2, 0), velocity: (1.5, 0.3)), (position: (1, 0.2), velocity: (-1, 0))],
  instruments: [
    (name: \"left\", position: (-1, 0), kind: Photogate(half: (0, 0.8))),
    (name: \"right\", position: (1, 0), kind: Photogate()),
    (name: \"time\", position: (0, 1.5), kind: Stopwatch(start: Passage(\"left\"), stop: Hit(2))),
    (name: \"walls\", kind: ForceGauge(terrain: 0)),
    (name: \"path\", kind: Tracer(disc: 1, every: 0.25)),
    (name: \"rests\", kind: Counter(of: AllAtRest)),
    (name: \"centre\", kind: CentreOfMass()),
  ],
)";

fn parse(text: &str) -> SceneFile {
    SceneFile::parse(text, "test.ron").unwrap()
}

fn app(file: SceneFile) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, LaboratoryPlugin));
    run_in_order(&mut app);
    spawn(app.world_mut(), SceneSource::Path("test.ron".into()), file).unwrap();
    app
}

#[test]
fn they_are_saved_and_read_again() {
    let file = parse(TEXT);
    assert_eq!(file.instruments.len(), 7);
    assert_eq!(file.expand().unwrap().warnings, Vec::<String>::new());
    let mut app = app(file.clone());
    advance(app.world_mut(), 10);
    app.world_mut().resource_mut::<Instruments>()[0].position.x = -0.5;
    let saved = SceneFile::capture(app.world_mut());
    let again = parse(&saved.to_text().unwrap());
    assert_eq!(again.instruments, saved.instruments);
    assert_eq!(again.instruments[0].position.x, -0.5);
    assert_eq!(again.instruments[1..], file.instruments[1..]);
}

#[test]
fn a_restart_keeps_them_and_forgets_what_they_measured() {
    let mut app = app(parse(TEXT));
    let passages = |app: &App| {
        let world = app.world();
        world.resource::<InstrumentRecords>().readings(world.resource::<Instruments>(), 0)[0].value
    };
    advance(app.world_mut(), 100);
    // The disc is thrown back through the photogate.
    assert_eq!(passages(&app), Some(2.0));
    app.world_mut().resource_mut::<Instruments>().pop();
    restart(app.world_mut()).unwrap();
    advance(app.world_mut(), 1);
    assert_eq!((passages(&app), app.world().resource::<Instruments>().len()), (Some(0.0), 6));
    end(app.world_mut());
    assert!(app.world().resource::<Instruments>().is_empty());
}

#[test]
fn they_change_neither_ids_nor_bits() {
    let file = parse(TEXT);
    let without = SceneFile { instruments: Vec::new(), ..file.clone() };
    let [with, without] = [file, without].map(|file| {
        let mut app = app(file);
        advance(app.world_mut(), 300);
        app.world_mut().spawn((Disc, Position(vec2(0.0, 1.0))));
        advance(app.world_mut(), 300);
        measure::state_hash(&Discs::of(app.world_mut()))
    });
    assert_eq!(with, without);
}

#[test]
fn mistakes_are_named() {
    let error = |instruments: &str| {
        SceneFile::parse(&format!("(instruments: [{instruments}])"), "test.ron").unwrap_err().to_string()
    };
    let twice = error("(name: \"a\", kind: Photogate()), (name: \"a\", kind: Photogate())");
    assert!(twice.contains("instruments[1].name is `a`"), "{twice}");
    let never = error("(name: \"a\", kind: Tracer(disc: 0, every: 0))");
    assert!(never.contains("instruments[0].kind.every is 0"), "{never}");
    let warnings = |instruments: &str| parse(&format!("(instruments: [{instruments}])")).expand().unwrap().warnings;
    let gate = warnings("(name: \"a\", kind: Counter(of: Passage(\"b\")))");
    assert!(gate.len() == 1 && gate[0].contains("no photogate has the name `b`"), "{gate:?}");
    let disc = warnings("(name: \"a\", kind: CentreOfMass(discs: [5]))");
    assert!(disc.len() == 1 && disc[0].contains("the id 5"), "{disc:?}");
}
