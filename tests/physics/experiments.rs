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
    assert!(world.resource::<Trial>().outcome().unwrap().is_err(), "hits lose energy");
    world.resource_mut::<CollisionSettings>().restitution = 1.0;
    restart(world).unwrap();
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

#[test]
fn a_disc_goes_the_mean_way_of_all_lines_through_its_table() {
    for mode in BOTH {
        for bumper in [0.1, 0.2, 0.3] {
            // Some 7,000 hits, whose ways scatter by about their mean.
            near("sinai", mode, &[("bumper", bumper), ("speed", 8.0)], 0.05);
        }
    }
}

#[test]
fn neighbouring_paths_part_in_a_stadium() {
    for mode in BOTH {
        // The figures of the independent program have three digits, and this run has an error of 2 %.
        near("stadium", mode, &[], 0.05);
        near("stadium", mode, &[("straight", 1.0)], 0.05);
    }
    // It is nearly a circle, in which they only part in proportion to the way.
    let [growth, _] = run("stadium", SolverMode::Continuous, &[("straight", 0.1)]).unwrap();
    let [stadium, _] = run("stadium", SolverMode::Continuous, &[]).unwrap();
    assert!(growth < stadium, "{growth} and {stadium}");
}

#[test]
fn balls_on_a_board_spread_a_little_more_than_by_chance_and_dull_ones_less() {
    for mode in BOTH {
        // An independent program measured 1.90 with 4,000 balls; 400 have an error of 0.07.
        let [spread, binomial] = run("galton", mode, &[]).unwrap();
        assert!((binomial - 1.732).abs() < 1e-3 && (spread - 1.90).abs() < 0.25, "{mode:?}: {spread}");
        // The same program measured 4.5.
        let lively = [("peg", 0.1), ("ball", 0.15), ("restitution", 0.7)];
        let [spread, _] = run("galton", mode, &lively).unwrap();
        assert!((3.0..6.0).contains(&spread), "{mode:?}: {spread}");
        let [spread, _] = run("galton", mode, &[("restitution", 0.2)]).unwrap();
        assert!(spread < 0.5 * binomial, "{mode:?}: {spread}");
    }
}

#[test]
fn a_chain_of_masses_passes_the_energy_on() {
    // (2 q / (q + 1)) to the power of k + 1 with q = 100 to the power of 1 / (k + 1).
    for (between, speed) in [(0.0, 1.9802), (1.0, 3.3058), (3.0, 5.3308), (9.0, 7.6891)] {
        for mode in BOTH {
            let [last, expected] = run("chain", mode, &[("between", between)]).unwrap();
            assert!((expected - speed).abs() < 1e-3, "{between}: {expected}");
            assert!((last / expected - 1.0).abs() < 1e-4, "{mode:?} {between}: {last}");
        }
    }
}

#[test]
fn a_small_disc_is_shot_up_by_a_big_one() {
    for mode in BOTH {
        for ratio in [0.001, 0.1, 1.0 / 3.0, 1.0] {
            // Gravity acts for a moment between the two hits.
            near("cannon", mode, &[("ratio", ratio)], 0.005);
        }
    }
}

#[test]
fn discs_in_a_corridor_push_as_if_it_were_shorter() {
    for length in [7.0, 10.0, 30.0] {
        near("corridor", SolverMode::Continuous, &[("length", length)], 0.03);
        // Overlaps of the stepped mode let the discs come a little closer to each other.
        near("corridor", SolverMode::Stepped, &[("length", length)], 0.06);
    }
}

#[test]
fn a_slow_piston_heats_a_gas_by_the_gas_law_and_a_fast_one_more() {
    for mode in BOTH {
        near("piston", mode, &[], 0.03);
        near("piston", mode, &[("frequency", 0.005)], 0.03);
        let [fast, slow] = run("piston", mode, &[("frequency", 0.2)]).unwrap();
        assert!(fast > 1.1 * slow, "{mode:?}: {fast} and {slow}");
    }
}

#[test]
fn gap_times_closing_speed_stays_the_same_at_every_hit() {
    for mode in BOTH {
        for wall in [0.02, 0.1, 0.5] {
            near("closing-wall", mode, &[("wall-speed", wall)], 1e-4);
        }
    }
}

#[test]
fn a_shock_compresses_a_gas_as_mass_momentum_and_energy_demand() {
    for mode in BOTH {
        for speed in [0.7, 1.0, 3.0] {
            // Some 300 discs are counted.
            near("shock", mode, &[("speed", speed)], 0.12);
        }
    }
}

#[test]
fn a_swinging_wall_accelerates_a_disc_up_to_a_barrier() {
    for mode in BOTH {
        for amplitude in [0.03, 0.05] {
            let [highest, barrier] = run("fermi", mode, &[("amplitude", amplitude)]).unwrap();
            // A kick changes the speed by twice that of the wall, here by a tenth of the barrier.
            assert!((0.6..1.3).contains(&(highest / barrier)), "{mode:?} {amplitude}: {highest} and {barrier}");
        }
    }
}

#[test]
fn a_one_way_wall_lets_all_discs_gather_on_one_side() {
    for mode in BOTH {
        near("demon", mode, &[], 0.03);
        near("demon", mode, &[("hole", 3.0)], 0.03);
    }
}

/// The mean of the measured values and their standard error from the spread, over this many seeds.
fn mean(name: &str, mode: SolverMode, changes: &[(&str, f64)], seeds: u64) -> [f64; 3] {
    let runs: Vec<[f64; 2]> = (0..seeds).map(|seed| run_with_seed(name, mode, changes, seed).unwrap()).collect();
    let count = seeds as f64;
    let mean = runs.iter().map(|run| run[0]).sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (run[0] - mean) * (run[0] - mean)).sum();
    [mean, (squares / (count - 1.0) / count).sqrt(), runs[0][1]]
}

/// Checks the mean over seeds against the expected value: within three standard errors, which are at most `error` of
/// it, and another share of it for what the theory leaves out.
fn near_on_average(name: &str, mode: SolverMode, changes: &[(&str, f64)], seeds: u64, [error, share]: [f64; 2]) {
    let [value, spread, expected] = mean(name, mode, changes, seeds);
    println!("{name} {mode:?} {changes:?}: {value} +- {spread} instead of {expected}");
    assert!(spread <= error * expected, "{name} {mode:?}: an error of {spread} is too large for a test");
    let most = 3.0 * spread + share * expected;
    assert!((value - expected).abs() <= most, "{name} {mode:?}: {value} +- {spread} instead of {expected}");
}

#[test]
fn discs_that_leak_out_carry_half_as_much_again_as_those_inside() {
    for mode in BOTH {
        near_on_average("leak", mode, &[], 8, [0.05, 0.0]);
    }
}

#[test]
fn two_gases_unmix_when_all_velocities_are_reversed_unless_they_had_too_many_hits() {
    near("mix", SolverMode::Continuous, &[], 0.0);
    fails_stepped("mix", 0.05);
    let [share, _] = run("mix", SolverMode::Continuous, &[("speed", 3.0)]).unwrap();
    // Of 76 discs that are mixed at random, a half and a little are in their own half.
    assert!((0.4..0.75).contains(&share), "{share}");
}

#[test]
fn a_reversal_is_an_edit_that_the_history_repeats() {
    use carom::timeline::{History, HistoryPlugin, advance, seek};

    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        PhysicsPlugins::default(),
        ScenePlugin,
        ExperimentPlugin,
        HistoryPlugin::default(),
    ));
    app.finish();
    let world = app.world_mut();
    let file = SceneSource::Shipped("mix").load().unwrap();
    spawn(world, SceneSource::Shipped("mix"), file).unwrap();
    let places = |world: &mut World| -> Vec<Vec2> {
        world.query_filtered::<&Position, With<Disc>>().iter(world).map(|place| place.0).collect()
    };
    // The velocities are reversed after 240 ticks.
    advance(world, 180);
    let before = places(world);
    advance(world, 120);
    let after = places(world);
    let moved = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved < 1e-2, "the discs are back, except for {moved} m");
    seek(world, 200).unwrap();
    advance(world, 100);
    assert_eq!(places(world), after);
    assert_eq!(world.resource::<History>().tracks().count(), 1);
}

#[test]
fn a_heavy_disc_has_the_energy_of_a_light_one() {
    for mode in BOTH {
        near_on_average("brownian", mode, &[], 4, [0.04, 0.01]);
    }
    near_on_average("brownian", SolverMode::Continuous, &[("mass", 0.1)], 3, [0.04, 0.01]);
}

#[test]
fn small_discs_push_two_big_ones_together() {
    near_on_average("depletion", SolverMode::Continuous, &[], 3, [0.04, 0.02]);
    // A single one hardly matters: 0.31 is the share of the area.
    near_on_average("depletion", SolverMode::Continuous, &[("count", 1.0)], 2, [0.1, 0.1]);
    // A single run scatters by 6 %.
    let stepped = |seed| run_with_seed("depletion", SolverMode::Stepped, &[], seed).unwrap();
    let [value, expected] =
        (1..=4).map(stepped).fold([0.0; 2], |[value, expected], run| [value + run[0], expected + run[1]]);
    assert!(value < 0.92 * expected, "{value} is near {expected}");
}

#[test]
fn a_floor_bears_the_weight_of_a_gas() {
    for mode in BOTH {
        for gravity in [9.81, 25.0] {
            near("atmosphere", mode, &[("gravity", gravity)], 0.01);
        }
    }
}

#[test]
fn crowded_discs_freeze_and_thin_ones_melt() {
    for mode in BOTH {
        // Steps make the pressure about 1 % too low.
        for solid in [0.75, 0.8] {
            near("freezing", mode, &[("area-fraction", solid)], 0.02);
        }
        for liquid in [0.4, 0.6] {
            near("freezing", mode, &[("area-fraction", liquid)], 0.025);
        }
    }
}

#[test]
fn a_gas_that_loses_energy_cools_by_haffs_law() {
    for mode in BOTH {
        // Four cooling times of a gas of 1,024 discs ended 6 % above the law, because hits become correlated.
        near_on_average("cooling", mode, &[], 4, [0.03, 0.04]);
    }
    near_on_average("cooling", SolverMode::Continuous, &[("restitution", 0.95)], 3, [0.03, 0.04]);
}

#[test]
fn the_way_in_a_cell_of_bumpers_follows_from_its_area_and_gaps() {
    for mode in BOTH {
        for gap in [0.1, 0.3] {
            near_on_average("lorentz", mode, &[("gap", gap)], 4, [0.02, 0.01]);
        }
    }
}

#[test]
fn infinitely_many_bounces_take_a_finite_time_and_a_resting_speed_ends_them_early() {
    for mode in BOTH {
        for restitution in [0.3, 0.8, 0.95] {
            near("bounce", mode, &[("restitution", restitution)], 0.005);
        }
        near("bounce", mode, &[("height", 5.0)], 0.005);
        let rests = |file: &mut SceneFile| file.collision.resting_speed = 1.0;
        let [time, formula] = run_file("bounce", mode, &[], rests).unwrap();
        assert!(time < 0.95 * formula, "{mode:?}: {time} instead of {formula}");
    }
}

#[test]
fn two_futures_part_threefold_at_each_hit() {
    for mode in BOTH {
        // The figure has a standard error of 3 %.
        near_on_average("futures", mode, &[], 4, [0.04, 0.06]);
    }
    // By hits, the speed does not matter.
    near_on_average("futures", SolverMode::Continuous, &[("speed", 0.5)], 3, [0.06, 0.06]);
}

#[test]
fn a_gravity_wedge_is_regular_at_a_right_angle_and_chaotic_beyond() {
    for mode in BOTH {
        let [growth, expected] = run("wedge", mode, &[]).unwrap();
        // It falls in proportion to ln(t) / t.
        assert!(expected == 0.0 && growth.abs() < 0.02, "{mode:?}: {growth}");
        for angle in [50.0, 60.0, 70.0] {
            // The figures are means over 40 starts, and this is one.
            near("wedge", mode, &[("angle", angle)], 0.08);
        }
    }
}
