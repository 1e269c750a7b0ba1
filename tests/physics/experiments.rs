//! Every experiment, from its shipped scene, against its expected value: in both modes, or in the continuous mode with
//! the failure that its text describes in the stepped one.

use bevy::prelude::*;
use carom::{
    collision::SolverMode,
    experiments::{EXPERIMENTS, Exact, ExperimentPlugin, Modes, Prediction, experiment, run_to_end},
    prelude::*,
    scene::{ScenePlugin, SceneSource, ShippedScene, spawn},
};

const BOTH: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

/// The measured value and the expected one, after these changes of what the experiment varies.
fn run(name: &str, mode: SolverMode, changes: &[(&str, f64)]) -> Result<[f64; 2], String> {
    let mut file = SceneSource::Shipped(ShippedScene::named(name).unwrap().name).load().unwrap();
    let experiment = experiment(name).unwrap();
    for (name, value) in changes {
        experiment.vary.iter().find(|vary| vary.name == *name).unwrap().apply(&mut file, *value).unwrap();
    }
    file.collision.mode = mode;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, ExperimentPlugin));
    app.finish();
    spawn(app.world_mut(), SceneSource::default(), file).unwrap();
    let outcome = run_to_end(app.world_mut())?;
    assert!(outcome.is_final(), "{name}: {outcome:?}");
    let value = outcome.value.unwrap();
    Ok([value.value, value.theory.unwrap()])
}

/// Checks the measured value against the expected one, within this share of it.
fn near(name: &str, mode: SolverMode, changes: &[(&str, f64)], share: f64) {
    let [value, expected] = run(name, mode, changes).unwrap();
    println!("{name} {mode:?} {changes:?}: {value} instead of {expected}");
    assert!((value - expected).abs() <= share * expected.abs(), "{name} {mode:?}: {value} instead of {expected}");
}

/// Checks that the stepped mode has no result, or one that is off by more than this share, and that the text says so.
fn fails_stepped(name: &str, share: f64) {
    assert!(matches!(experiment(name).unwrap().modes, Modes::Continuous(_)), "{name}");
    if let Ok([value, expected]) = run(name, SolverMode::Stepped, &[]) {
        assert!((value - expected).abs() > share * expected.abs(), "{name}: {value} is near {expected}");
    }
}

#[test]
fn experiments_have_scenes_questions_and_predictions_that_can_be_right() {
    for experiment in EXPERIMENTS {
        let name = experiment.name;
        let scene = ShippedScene::named(name).unwrap_or_else(|| panic!("{name} has no scene"));
        let file = SceneSource::Shipped(scene.name).load().unwrap();
        assert_eq!(file.experiment, name, "the scene {name}");
        let texts = [experiment.question, experiment.quantity, experiment.source, experiment.why];
        assert!(texts.iter().all(|text| !text.is_empty()), "{name}");
        assert!(!experiment.exact.words().is_empty() && experiment.seconds > 0.0, "{name}");
        assert!(!experiment.vary.is_empty(), "{name} has nothing to vary");
        for vary in experiment.vary {
            let value = (vary.get)(&file).unwrap_or_else(|| panic!("{name}: the scene has no {}", vary.name));
            assert!(vary.range().contains(&value), "{name}: {} is {value}", vary.name);
            for end in vary.range {
                let mut changed = file.clone();
                vary.apply(&mut changed, end).unwrap();
                let set = (vary.get)(&changed).unwrap();
                assert!((set - end).abs() <= 1e-5 * end.abs(), "{name}: {} is {set} instead of {end}", vary.name);
                changed.check().unwrap_or_else(|error| panic!("{name}: {} at {end}: {error}", vary.name));
            }
            assert!(vary.apply(&mut file.clone(), vary.range[1] + 1.0).is_err(), "{name}");
        }
        match experiment.prediction {
            Prediction::Number { low, high, .. } => assert!(low < high, "{name}"),
            Prediction::Choice(choices) => assert!(choices.is_sorted_by(|a, b| a.up_to < b.up_to), "{name}"),
        }
        let shipped = EXPERIMENTS.iter().filter(|other| other.name == name);
        assert_eq!(shipped.count(), 1, "{name} is listed once");
    }
    assert_eq!(Exact::ALL.len(), 3);
}

#[test]
fn a_run_that_was_changed_has_no_result_until_it_restarts() {
    use carom::{collision::CollisionSettings, experiments::Trial, scene::restart, timeline::advance};

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, ExperimentPlugin));
    app.finish();
    let world = app.world_mut();
    let file = SceneSource::Shipped("galperin").load().unwrap();
    spawn(world, SceneSource::Shipped("galperin"), file).unwrap();
    advance(world, 10);
    assert!(world.resource::<Trial>().outcome().unwrap().is_ok());
    world.resource_mut::<CollisionSettings>().restitution = 0.9;
    advance(world, 10);
    assert!(world.resource::<Trial>().outcome().unwrap().is_err());
    restart(world).unwrap();
    assert!(world.resource::<Trial>().outcome().is_none());
    advance(world, 10);
    assert!(world.resource::<Trial>().outcome().unwrap().is_ok());
}

#[test]
fn galperins_collisions_are_the_digits_of_pi_in_the_continuous_mode_only() {
    for ratio in [1.0, 2.0, 16.0, 1e4, 1e6] {
        near("galperin", SolverMode::Continuous, &[("ratio", ratio)], 0.0);
    }
    fails_stepped("galperin", 0.5);
}
