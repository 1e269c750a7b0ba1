//! The recorder in an app, against closed forms.

use bevy::time::TimeUpdateStrategy;

use super::*;
use crate::{
    PhysicsPlugins,
    collision::{CollisionSettings, SolverMode},
    components::{AngularVelocity, Disc, Mass, Position, Radius, Rotation, Terrain, Velocity},
    motion::MotionSettings,
    timeline::{HistoryPlugin, Playback, advance, seek},
};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), RecorderPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

fn record(app: &mut App, subject: Subject, variable: Variable) -> RecordingId {
    let graph = Graph::over_time(Channel::new(subject, variable));
    app.world_mut().resource_mut::<Recorder>().record(graph, Memory::default())
}

fn recording(app: &App, id: RecordingId) -> &Recording {
    app.world().resource::<Recorder>().get(id).expect("it is recorded")
}

fn last(app: &App, id: RecordingId) -> f64 {
    recording(app, id).samples().last().expect("there are samples").y
}

#[test]
fn a_disc_in_flight_has_the_energies_of_a_throw() {
    let mut app = app();
    app.world_mut().resource_mut::<CollisionSettings>().mode = SolverMode::Continuous;
    app.world_mut().resource_mut::<MotionSettings>().gravity = vec2(0.0, -10.0);
    let thrown = (Disc, StableId(7), Mass(2.0), Position(vec2(1.0, 5.0)), Velocity(vec2(3.0, 4.0)));
    app.world_mut().spawn(thrown);
    let of_disc = |app: &mut App, variable| record(app, Subject::Disc(7), variable);
    let [height, speed] = [Variable::Y, Variable::VelocityY].map(|variable| of_disc(&mut app, variable));
    let [total, potential] =
        [Variable::TotalEnergy, Variable::PotentialEnergy].map(|variable| record(&mut app, Subject::Table, variable));
    let angular = record(&mut app, Subject::Table, Variable::AngularMomentum);
    advance(app.world_mut(), 64);
    // After a second at 64 Hz.
    assert!((app.world().resource::<Recorder>().time() - 1.0).abs() < 1e-6);
    assert!((last(&app, height) - 4.0).abs() < 1e-4 && (last(&app, speed) + 6.0).abs() < 1e-4);
    assert!((last(&app, potential) - 80.0).abs() < 2e-3);
    let Between { low, high, .. } = recording(&app, total).between(0.0, 2.0).unwrap();
    // 25 J of motion and 100 J of height, to the rounding of f32.
    assert!((low - 125.0).abs() < 5e-3 && (high - 125.0).abs() < 5e-3, "{low} to {high}");
    // Its weight has a clockwise torque of m g x about the origin.
    let slope = recording(&app, angular).between(0.9, 1.0).unwrap().slope.unwrap();
    let middle = 1.0 + 3.0 * 0.95;
    assert!((slope / (-20.0 * middle) - 1.0).abs() < 0.01, "{slope}");
    let flight = recording(&app, speed).between(0.0, 1.0).unwrap();
    assert!((flight.slope.unwrap() + 10.0).abs() < 1e-3, "{flight:?}");
}

#[test]
fn the_force_on_walls_is_that_of_their_impulses() {
    let mut app = app();
    app.world_mut().spawn((Terrain::Arena { half_size: vec2(2.0, 3.0) }, StableId(1)));
    app.world_mut().spawn((Disc, StableId(1), Radius(0.5), Mass(1.0), Velocity(vec2(3.0, 0.0))));
    // It would hide all hits from messages, but not from the recorder.
    app.world_mut().resource_mut::<CollisionSettings>().report_above = 100.0;
    let of_wall = [Variable::Force, Variable::Pressure, Variable::ImpulsePerHit];
    let [force, pressure, impulse] = of_wall.map(|variable| record(&mut app, Subject::Terrain(1), variable));
    let energy = record(&mut app, Subject::Table, Variable::KineticEnergy);
    // Each way of 3 m takes a second and ends with an impulse of 6 N s.
    advance(app.world_mut(), 64 * 40);
    let mean = |id| recording(&app, id).between(0.0, 100.0).unwrap().mean;
    assert!((mean(force) / 6.0 - 1.0).abs() < 0.02, "{} N", mean(force));
    assert!((mean(pressure) / (6.0 / 20.0) - 1.0).abs() < 0.02, "{} N/m", mean(pressure));
    let hits = recording(&app, impulse);
    assert!((39..=41).contains(&hits.samples().len()), "only ticks with hits: {}", hits.samples().len());
    assert!(hits.samples().all(|sample| (sample.y - 6.0).abs() < 1e-5));
    assert_eq!(mean(energy), 4.5);
}

#[test]
fn hits_per_disc_count_each_disc_of_a_pair() {
    let mut app = app();
    for (x, speed) in [(-2.0, 1.0), (2.0, -1.0)] {
        app.world_mut().spawn((Disc, Radius(0.5), Position(vec2(x, 0.0)), Velocity(vec2(speed, 0.0))));
    }
    let hits = record(&mut app, Subject::Table, Variable::HitsPerDisc);
    advance(app.world_mut(), 64);
    assert_eq!(last(&app, hits), 0.0);
    advance(app.world_mut(), 64);
    assert_eq!(last(&app, hits), 1.0);
}

#[test]
fn a_block_has_the_energy_of_its_motion_and_its_rotation() {
    let mut app = app();
    let block = (Terrain::Block { half_size: vec2(1.0, 0.5) }, Mass(3.0), StableId(4));
    let motion = (Velocity(vec2(2.0, 0.0)), AngularVelocity(Vec3::Z * 0.5), Position::default(), Rotation::default());
    app.world_mut().spawn((block, motion));
    // A scene without discs: the block alone.
    let of_block = [Variable::KineticEnergy, Variable::Angle, Variable::Spin, Variable::MomentumX];
    let [energy, angle, spin, momentum] = of_block.map(|variable| record(&mut app, Subject::Terrain(4), variable));
    let [all, blocks] =
        [Variable::TotalEnergy, Variable::BlockEnergy].map(|variable| record(&mut app, Subject::Table, variable));
    advance(app.world_mut(), 64);
    // m v²/2 + m (w² + h²)/12 ω²/2.
    let expected = 6.0 + 0.5 * 3.0 * (4.0 + 1.0) / 12.0 * 0.25;
    for id in [energy, all, blocks] {
        assert!((last(&app, id) - expected).abs() < 1e-5, "{} J", last(&app, id));
    }
    assert!((last(&app, angle) - 0.5_f64.to_degrees()).abs() < 1e-3, "{}", last(&app, angle));
    assert_eq!((last(&app, spin), last(&app, momentum)), (0.5, 6.0));
}

#[test]
fn one_channel_against_another_is_an_orbit() {
    let mut app = app();
    app.world_mut().spawn((Disc, StableId(1), Velocity(vec2(3.0, 0.0)), Position(vec2(1.0, 0.0))));
    let channel = |variable| Channel::new(Subject::Disc(1), variable);
    let graph = Graph { x: Some(channel(Variable::X)), y: channel(Variable::VelocityX) };
    let id = app.world_mut().resource_mut::<Recorder>().record(graph, Memory::default());
    advance(app.world_mut(), 10);
    let along = recording(&app, id).samples().all(|sample| (sample.x - 1.0 - 3.0 * sample.time).abs() < 1e-5);
    assert!(along && recording(&app, id).samples().len() == 10);
}

#[test]
fn a_seek_back_and_a_restart_drop_what_is_later() {
    let mut app = app();
    app.add_plugins(HistoryPlugin::default());
    app.world_mut().spawn((Disc, StableId(1), Velocity(vec2(64.0, 0.0))));
    let id = record(&mut app, Subject::Disc(1), Variable::X);
    for _ in 0..=100 {
        app.update();
    }
    assert_eq!(last(&app, id), 100.0);
    app.world_mut().resource_mut::<Playback>().paused = true;
    seek(app.world_mut(), 40).unwrap();
    app.update();
    assert_eq!((last(&app, id), recording(&app, id).samples().len()), (40.0, 40));
    app.world_mut().resource_mut::<Playback>().paused = false;
    app.update();
    let sample = *recording(&app, id).samples().last().unwrap();
    assert!((sample.y, (sample.time - 41.0 / 64.0).abs() < 1e-6) == (41.0, true), "{sample:?}");
    // A scene that restarts has a new space.
    app.insert_resource(PhysicsSpace::default());
    app.update();
    assert_eq!(recording(&app, id).samples().len(), 1);
    assert!((app.world().resource::<Recorder>().time() - 1.0 / 64.0).abs() < 1e-6);
}

#[test]
fn what_is_followed_may_change_and_begins_anew() {
    let mut app = app();
    for id in [1, 2] {
        app.world_mut().spawn((Disc, StableId(id), Position(vec2(10.0 * id as f32, 0.0))));
    }
    let id = record(&mut app, Subject::FollowedDisc, Variable::X);
    let follow = |app: &mut App, disc| app.world_mut().resource_mut::<Recorder>().follow(disc, None);
    advance(app.world_mut(), 5);
    assert_eq!(recording(&app, id).samples().len(), 0, "nothing is selected");
    follow(&mut app, Some(1));
    advance(app.world_mut(), 5);
    assert_eq!((last(&app, id), recording(&app, id).samples().len()), (10.0, 5));
    follow(&mut app, None);
    advance(app.world_mut(), 5);
    assert_eq!(recording(&app, id).samples().len(), 10, "the last one is followed on");
    follow(&mut app, Some(2));
    advance(app.world_mut(), 3);
    assert_eq!((last(&app, id), recording(&app, id).samples().len()), (20.0, 3));
    app.world_mut().resource_mut::<Recorder>().remove(id);
    assert!(app.world().resource::<Recorder>().get(id).is_none());
}
