use bevy::{
    math::{ops, vec2},
    prelude::*,
    time::TimeUpdateStrategy,
};

use super::*;
use crate::{
    PhysicsPlugins,
    collision::SolverMode,
    components::{Disc, Joint, Mass, Position, Radius, Restitution, Velocity},
    laboratory::LaboratoryPlugin,
    motion::MotionSettings,
    timeline::{HistoryPlugin, advance, seek},
};

const MODES: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

fn app(mode: SolverMode, instruments: Vec<Instrument>) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), LaboratoryPlugin, HistoryPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
    settings.mode = mode;
    settings.restitution = 1.0;
    settings.terrain_restitution = 1.0;
    app.insert_resource(Instruments(instruments));
    app
}

fn disc(app: &mut App, id: u64, position: Vec2, velocity: Vec2) -> Entity {
    let disc = (Disc, StableId(id), Position(position), Velocity(velocity), Radius(0.1), Mass(2.0));
    app.world_mut().spawn(disc).id()
}

fn wall(app: &mut App, id: u64, a: Vec2, b: Vec2) -> Entity {
    app.world_mut().spawn((StableId(id), Terrain::Segment { a, b })).id()
}

fn readings(app: &App, index: usize) -> Vec<InstrumentReading> {
    let world = app.world();
    world.resource::<InstrumentRecords>().readings(world.resource::<Instruments>(), index)
}

fn values(app: &App, index: usize) -> Vec<f64> {
    readings(app, index).into_iter().filter_map(|reading| reading.value).collect()
}

fn is_near(value: f64, wanted: f64, tolerance: f64) -> bool {
    (value - wanted).abs() <= tolerance
}

fn gate(name: &str, x: f32) -> Instrument {
    Instrument::new(name, vec2(x, 0.0), Photogate { half: vec2(0.0, 1.0) })
}

#[test]
fn a_photogate_is_exact_within_the_tick() {
    for mode in MODES {
        // The passages are within ticks of 1/64 s: at 0.3 / 1.7 s and 1 / 1.7 s.
        let mut app = app(mode, vec![gate("a", 0.3), gate("b", 1.0), gate("beside", 5.0)]);
        disc(&mut app, 0, Vec2::ZERO, vec2(1.7, 0.0));
        disc(&mut app, 1, vec2(0.0, 1.5), vec2(1.7, 0.0));
        advance(app.world_mut(), 64);
        for (index, x) in [(0, 0.3), (1, 1.0)] {
            let values = values(&app, index);
            assert_eq!(values[0], 1.0, "the other disc passes beyond the end");
            assert!(is_near(values[1], x / 1.7, 1e-6), "{mode:?} {values:?}");
            assert!(is_near(values[2], 1.7, 1e-4), "{mode:?} {values:?}");
        }
        assert_eq!(readings(&app, 2)[0].value, Some(0.0));
        let record = app.world().resource::<InstrumentRecords>().record(app.world().resource(), 0).cloned();
        let Some(InstrumentRecord::Photogate(passages)) = record else { panic!("{record:?}") };
        assert!(passages.log.newest_first().next().unwrap().to_the_right);
    }
}

#[test]
fn a_disc_that_goes_through_and_comes_back_within_a_tick_passes_twice() {
    let mut app = app(SolverMode::Continuous, vec![gate("a", 0.0)]);
    disc(&mut app, 0, vec2(-0.35, 0.0), vec2(100.0, 0.0));
    wall(&mut app, 1, vec2(0.3, -1.0), vec2(0.3, 1.0));
    advance(app.world_mut(), 1);
    // There at 0.0035 s, at the wall at 0.0055 s, back at 0.0075 s, and the tick lasts 0.0156 s.
    let values = values(&app, 0);
    assert_eq!(values[0], 2.0);
    assert!(is_near(values[1], 0.0075, 1e-6) && is_near(values[2], 0.004, 1e-6), "{values:?}");
}

#[test]
fn a_pendulum_is_timed_by_a_gate_under_its_pin() {
    for mode in MODES {
        let passage = InstrumentEvent::Passage("gate".to_owned());
        let under = Instrument::new("gate", vec2(0.0, -1.0), Photogate { half: vec2(0.0, 0.3) });
        let watch = Stopwatch { start: passage.clone(), stop: passage };
        let mut app = app(mode, vec![under, Instrument::new("watch", Vec2::ZERO, watch)]);
        app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.0, -9.81);
        let bob = disc(&mut app, 0, vec2(ops::sin(0.05), -ops::cos(0.05)), Vec2::ZERO);
        app.world_mut().spawn(Joint::rod(bob, Vec2::ZERO, 1.0));
        advance(app.world_mut(), 640);
        let half_period = std::f64::consts::PI * (1.0_f64 / 9.81).sqrt();
        let values = values(&app, 1);
        // 0.05 rad lengthen the period by a share of 0.05²/16; the rest is the error of the steps.
        assert!(is_near(values[2], half_period, 0.003 * half_period), "{mode:?} {values:?} {half_period}");
        assert_eq!(readings(&app, 0)[0].value, Some((10.0 / half_period + 0.5).floor()));
    }
}

#[test]
fn a_stopwatch_times_a_flight_from_hit_to_hit() {
    for mode in MODES {
        let watch = Stopwatch { start: InstrumentEvent::Hit(1), stop: InstrumentEvent::Hit(2) };
        let mut app = app(mode, vec![Instrument::new("watch", Vec2::ZERO, watch)]);
        disc(&mut app, 0, Vec2::ZERO, vec2(-3.0, 0.0));
        wall(&mut app, 1, vec2(-1.0, -1.0), vec2(-1.0, 1.0));
        wall(&mut app, 2, vec2(1.0, -1.0), vec2(1.0, 1.0));
        advance(app.world_mut(), 80);
        let time = values(&app, 0)[0];
        let substep = 1.0 / 64.0 / f64::from(app.world().resource::<CollisionSettings>().substeps);
        let tolerance = if mode == SolverMode::Stepped { substep } else { 1e-6 };
        assert!(is_near(time, 1.8 / 3.0, tolerance), "{mode:?} {time}");
        // It continues: hits at 0.3, 0.9, 1.5 and 2.1 s.
        advance(app.world_mut(), 70);
        assert_eq!(values(&app, 0)[1], 2.0, "two times");
    }
}

#[test]
fn rest_and_pauses_are_events() {
    let watch = Stopwatch { start: InstrumentEvent::Pause, stop: InstrumentEvent::Rest(0) };
    let all = Stopwatch { start: InstrumentEvent::Pause, stop: InstrumentEvent::AllAtRest };
    let instruments = vec![Instrument::new("one", Vec2::ZERO, watch), Instrument::new("all", Vec2::ZERO, all)];
    let mut app = app(SolverMode::Stepped, instruments);
    app.world_mut().resource_mut::<MotionSettings>().friction = 2.0;
    app.world_mut().resource_mut::<Playback>().paused = true;
    disc(&mut app, 0, Vec2::ZERO, vec2(1.0, 0.0));
    disc(&mut app, 1, vec2(0.0, 1.0), vec2(2.0, 0.0));
    app.update();
    app.update();
    assert_eq!(app.world().resource::<PhysicsSpace>().clock.tick, 0);
    app.world_mut().resource_mut::<Playback>().paused = false;
    advance(app.world_mut(), 100);
    for (index, seconds) in [(0, 0.5), (1, 1.0)] {
        let time = values(&app, index)[0];
        assert!(is_near(time, seconds, 1.0 / 64.0), "to the tick: {time}");
    }
}

#[test]
fn a_force_gauge_weighs_a_bouncing_disc() {
    for mode in MODES {
        let gauge = ForceGauge { terrain: 1, seconds: 100.0 };
        let mut app = app(mode, vec![Instrument::new("floor", Vec2::ZERO, gauge)]);
        app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.0, -10.0);
        disc(&mut app, 0, vec2(0.0, 0.6), Vec2::ZERO);
        wall(&mut app, 1, vec2(-2.0, 0.0), vec2(2.0, 0.0));
        // It falls half a metre in 0.316 s, so it bounces every 0.632 s. From top to top the mean force is its weight.
        let ticks = (10.0 * 2.0 * 0.1_f64.sqrt() * 64.0).round() as u64;
        advance(app.world_mut(), ticks);
        let values = values(&app, 0);
        assert!(is_near(values[0], 20.0, 0.3), "{mode:?} {values:?}");
        assert_eq!(values[1], 10.0);
        assert!(is_near(values[2], 2.0 * 2.0 * 10.0_f64.sqrt(), 0.15), "2 m v: {values:?}");
        assert!(is_near(values[3], values[0] / 4.0, 1e-9), "per metre of the wall");
    }
}

#[test]
fn a_tracer_measures_the_way_and_marks_equal_times() {
    for mode in MODES {
        let mut app = app(mode, vec![Instrument::new("path", Vec2::ZERO, Tracer { disc: 0, every: 0.25 })]);
        disc(&mut app, 0, Vec2::ZERO, vec2(2.0, 0.0));
        wall(&mut app, 1, vec2(1.1, -1.0), vec2(1.1, 1.0));
        advance(app.world_mut(), 64);
        let values = values(&app, 0);
        // In the stepped mode, the chord of the substep cuts the bounce short.
        let cut = if mode == SolverMode::Stepped { 2.0 * 2.0 / 64.0 } else { 1e-5 };
        assert!(is_near(values[0], 2.0, cut), "{mode:?} {values:?}");
        let record = app.world().resource::<InstrumentRecords>().record(app.world().resource(), 0).cloned();
        let Some(InstrumentRecord::Tracer(traced)) = record else { panic!("{record:?}") };
        let marks: Vec<f32> = traced.marks.newest_first().map(|mark| mark.x).collect();
        let wanted = [0.0, 0.5, 1.0, 0.5];
        assert!(marks.len() == 4 && marks.iter().zip(wanted).all(|(x, wanted)| (x - wanted).abs() < 1e-4), "{marks:?}");
    }
}

#[test]
fn counters_count_hits_and_passages() {
    for mode in MODES {
        let count = |of| Instrument::new(format!("{of:?}"), Vec2::ZERO, Counter { of });
        let instruments = vec![
            gate("gate", 0.0),
            count(InstrumentEvent::Hit(1)),
            count(InstrumentEvent::AnyHit),
            count(InstrumentEvent::Passage("gate".to_owned())),
        ];
        let mut app = app(mode, instruments);
        disc(&mut app, 0, vec2(-0.3, 0.0), vec2(-2.0, 0.0));
        wall(&mut app, 1, vec2(-1.0, -1.0), vec2(-1.0, 1.0));
        wall(&mut app, 2, vec2(1.0, -1.0), vec2(1.0, 1.0));
        // Hits at 0.3, 1.2, 2.1 s; passages at 0.75 and 1.65 s.
        advance(app.world_mut(), 160);
        assert_eq!([1, 2, 3].map(|index| values(&app, index)[0]), [2.0, 3.0, 2.0], "{mode:?}");
    }
}

#[test]
fn the_centre_of_mass_goes_straight_on_through_hits() {
    for mode in MODES {
        let instruments = vec![Instrument::new("centre", Vec2::ZERO, CentreOfMass::default())];
        let mut app = app(mode, instruments);
        let first = disc(&mut app, 0, vec2(-1.0, 0.05), vec2(3.0, 0.0));
        app.world_mut().entity_mut(first).insert(Mass(4.0));
        disc(&mut app, 1, Vec2::ZERO, Vec2::ZERO);
        advance(app.world_mut(), 64);
        let values = values(&app, 0);
        // 6 kg, 2 m/s, 12 kg m/s.
        assert!(is_near(values[0], 6.0, 1e-6) && is_near(values[1], 2.0, 1e-5), "{values:?}");
        let record = app.world().resource::<InstrumentRecords>().record(app.world().resource(), 0).cloned();
        let Some(InstrumentRecord::CentreOfMass(motion)) = record else { panic!("{record:?}") };
        assert!((motion.trail.length - 2.0 * 63.0 / 64.0).abs() < 1e-3, "{}", motion.trail.length);
    }
}

fn state(app: &mut App) -> Vec<[u32; 4]> {
    let mut discs = app.world_mut().query::<(&StableId, &Position, &Velocity)>();
    let mut all: Vec<_> = discs.iter(app.world()).collect();
    all.sort_by_key(|(id, ..)| **id);
    all.iter().map(|(_, x, v)| [x.x, x.y, v.x, v.y].map(f32::to_bits)).collect()
}

fn everything() -> Vec<Instrument> {
    let gate = InstrumentEvent::Passage("gate".to_owned());
    vec![
        self::gate("gate", 0.1),
        Instrument::new("watch", Vec2::ZERO, Stopwatch { start: InstrumentEvent::AnyHit, stop: gate.clone() }),
        Instrument::new("force", Vec2::ZERO, ForceGauge { terrain: 10, seconds: 0.5 }),
        Instrument::new("path", Vec2::ZERO, Tracer { disc: 2, every: 0.1 }),
        Instrument::new("count", Vec2::ZERO, Counter { of: gate }),
        Instrument::new("centre", Vec2::ZERO, CentreOfMass { discs: vec![1, 2] }),
    ]
}

fn crowd(mode: SolverMode, instruments: Vec<Instrument>) -> App {
    let mut app = app(mode, instruments);
    app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.0, -3.0);
    for id in 0..9_u8 {
        let at = vec2(f32::from(id % 3), f32::from(id / 3)) * 0.4 - Vec2::splat(0.4);
        let disc = disc(&mut app, u64::from(id), at, vec2(1.0 + f32::from(id), 2.0 - f32::from(id)));
        app.world_mut().entity_mut(disc).insert(Restitution(0.9));
    }
    app.world_mut().spawn((StableId(10), Terrain::Arena { half_size: vec2(1.0, 1.0) }));
    app
}

#[test]
fn instruments_change_not_one_bit() {
    for mode in MODES {
        let [mut with, mut without] = [everything(), Vec::new()].map(|instruments| crowd(mode, instruments));
        for _ in 0..5 {
            advance(with.world_mut(), 40);
            advance(without.world_mut(), 40);
            assert_eq!(state(&mut with), state(&mut without), "{mode:?}");
        }
    }
}

#[test]
fn a_seek_shows_what_the_instruments_showed_then() {
    for mode in MODES {
        let mut app = crowd(mode, everything());
        let all = |app: &App| (0..6).map(|index| readings(app, index)).collect::<Vec<_>>();
        let mut shown = Vec::new();
        for _ in 0..200 {
            app.update();
            shown.push((app.world().resource::<PhysicsSpace>().clock.tick, all(&app)));
        }
        shown.retain(|(tick, _)| *tick > 0);
        for index in [150, 20, 90, 180, 3] {
            let (tick, then) = &shown[index];
            seek(app.world_mut(), *tick).unwrap();
            assert_eq!(all(&app), *then, "{mode:?} at {tick}");
        }
        let (tick, then) = &shown[40];
        for _ in shown[3].0..*tick {
            app.update();
        }
        assert_eq!(all(&app), *then, "the run continues as it did");
        assert_eq!(app.world().resource::<crate::timeline::History>().tracks().count(), 1, "without a branch");
    }
}

#[test]
fn settings_begin_anew_and_moves_and_names_do_not() {
    let mut app = crowd(SolverMode::Stepped, everything());
    advance(app.world_mut(), 100);
    let before = values(&app, 2);
    let count = values(&app, 4)[0];
    assert!(count > 0.0);
    let mut instruments = app.world_mut().resource_mut::<Instruments>();
    instruments[2].position = vec2(3.0, 3.0);
    instruments.remove(1);
    assert!(instruments.rename(0, "door") && !instruments.rename(0, "path"));
    assert_eq!(instruments[3].kind, Counter { of: InstrumentEvent::Passage("door".to_owned()) }.into());
    advance(app.world_mut(), 1);
    let after = values(&app, 1);
    assert!(!before.is_empty() && is_near(after[0], before[0], 0.2 * before[0]), "the force gauge continues");
    assert!(values(&app, 3)[0] <= 1.0, "what the counter counts has another name, so it restarts");
}

#[test]
fn names_and_values_are_checked() {
    let check = |instruments: &[Instrument]| Instruments::check(instruments).map_err(|error| error.to_string());
    assert_eq!(check(&everything()), Ok(()));
    let twice = check(&[gate("a", 0.0), gate("a", 1.0)]).unwrap_err();
    assert!(twice.contains("instruments[1].name"), "{twice}");
    let tracer = Tracer { disc: 0, every: 0.0 };
    let never = check(&[Instrument::new("path", Vec2::ZERO, tracer)]).unwrap_err();
    assert!(never.contains("instruments[0].kind.every is 0"), "{never}");
    let point = check(&[Instrument::new("gate", Vec2::ZERO, Photogate { half: Vec2::ZERO })]).unwrap_err();
    assert!(point.contains("instruments[0].kind.half"), "{point}");
}
