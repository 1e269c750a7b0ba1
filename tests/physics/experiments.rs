//! Every experiment, from its shipped scene, against its expected value: in both modes, or in the continuous mode with
//! the failure that its text describes in the stepped one.

use bevy::prelude::*;
use carom::{
    collision::SolverMode,
    experiments::{EXPERIMENTS, Exact, ExperimentPlugin, Modes, Prediction, experiment, run_to_end},
    prelude::*,
    scene::{SceneFile, ScenePlugin, SceneSource, ShippedScene, spawn},
};

const BOTH: [SolverMode; 2] = [SolverMode::Stepped, SolverMode::Continuous];

/// The measured value and the expected one, after these changes of what the experiment varies.
fn run(name: &str, mode: SolverMode, changes: &[(&str, f64)]) -> Result<[f64; 2], String> {
    run_file(name, mode, changes, |_| ())
}

fn run_with_seed(name: &str, mode: SolverMode, changes: &[(&str, f64)], seed: u64) -> Result<[f64; 2], String> {
    run_file(name, mode, changes, |file| {
        for (generator, number) in file.generate.iter_mut().zip(0..) {
            *generator.seed_mut().unwrap() = 100 * seed + number;
        }
    })
}

fn run_file(
    name: &str,
    mode: SolverMode,
    changes: &[(&str, f64)],
    edit: impl Fn(&mut SceneFile),
) -> Result<[f64; 2], String> {
    let mut file = SceneSource::Shipped(ShippedScene::named(name).unwrap().name).load().unwrap();
    let experiment = experiment(name).unwrap();
    for (name, value) in changes {
        experiment.vary.iter().find(|vary| vary.name == *name).unwrap().apply(&mut file, *value).unwrap();
    }
    file.collision.mode = mode;
    edit(&mut file);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, ExperimentPlugin));
    app.finish();
    spawn(app.world_mut(), SceneSource::default(), file).unwrap();
    let outcome = run_to_end(app.world_mut())?;
    assert!(outcome.is_final(), "{name}: {outcome:?}");
    let value = outcome.value.unwrap();
    Ok([value.value, value.theory.unwrap_or(f64::NAN)])
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

/// The mean of the measured values and their standard error from the spread, over this many seeds.
fn mean(name: &str, mode: SolverMode, changes: &[(&str, f64)], seeds: u64) -> [f64; 3] {
    let runs: Vec<[f64; 2]> = (0..seeds).map(|seed| run_with_seed(name, mode, changes, seed).unwrap()).collect();
    let count = seeds as f64;
    let mean = runs.iter().map(|run| run[0]).sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (run[0] - mean) * (run[0] - mean)).sum();
    [mean, (squares / (count - 1.0) / count).sqrt(), runs[0][1]]
}

/// Checks the mean over seeds against the expected value: within three standard errors, which are at most `error` of it,
/// and another share of it for what the theory leaves out.
fn near_on_average(name: &str, mode: SolverMode, changes: &[(&str, f64)], seeds: u64, [error, share]: [f64; 2]) {
    let [value, spread, expected] = mean(name, mode, changes, seeds);
    println!("{name} {mode:?} {changes:?}: {value} +- {spread} instead of {expected}");
    assert!(spread <= error * expected, "{name} {mode:?}: an error of {spread} is too large for a test");
    let most = 3.0 * spread + share * expected;
    assert!((value - expected).abs() <= most, "{name} {mode:?}: {value} +- {spread} instead of {expected}");
}

#[test]
fn trying() {
    let names = std::env::var("TRY").unwrap();
    for name in names.split(',') {
        for mode in BOTH {
            for seed in 0..std::env::var("SEEDS").map_or(4, |n| n.parse().unwrap()) {
                let start = std::time::Instant::now();
                let mut changes = vec![];
                let set = std::env::var("SET").unwrap_or_default();
                if let Some((key, value)) = set.split_once('=') {
                    changes.push((key, value.parse().unwrap()));
                }
                let result = std::panic::catch_unwind(|| run_with_seed_or_not(name, mode, &changes, seed));
                println!("{name} {mode:?} {seed}: {result:?} {:?}", start.elapsed());
            }
        }
    }
}

fn run_with_seed_or_not(name: &str, mode: SolverMode, changes: &[(&str, f64)], seed: u64) -> Result<[f64; 2], String> {
    run_file(name, mode, changes, |file| {
        for (generator, number) in file.generate.iter_mut().zip(0..) {
            if let Some(own) = generator.seed_mut() {
                *own = 100 * seed + number;
            }
        }
    })
}
