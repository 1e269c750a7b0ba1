//! `carom measure` and `carom sweep`, run as from a terminal.

use serde_json::Value;

use crate::support::{Folder, carom, rejected, said};

/// A small gas with four walls, quick to run.
const GAS: &str = "(collision: (mode: Continuous), pace: (tick_rate: 20), generate: [Gas(count: 64, mass: Some(1), \
                   area_fraction: 0.3, speed_sigma: 1)])";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("gas.ron", GAS);
    folder
}

fn measured(folder: &Folder, arguments: &str) -> Value {
    let output = folder.run(&format!("measure {arguments} --json -"));
    assert!(output.status.success(), "{arguments}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The value, error and theory of a quantity.
fn numbers(results: &Value, name: &str) -> [f64; 3] {
    let quantities = results["quantities"].as_array().unwrap();
    let found = quantities.iter().find(|quantity| quantity["name"] == name).unwrap();
    ["value", "error", "theory"].map(|key| found[key].as_f64().unwrap_or_else(|| panic!("{name}: no {key} in {found}")))
}

#[test]
fn several_seeds_agree_with_the_theory_within_their_spread() {
    let folder = folder();
    let what = "pressure,speeds,collision-rate";
    let results = measured(&folder, &format!("gas.ron --what {what} --seconds 30 --seeds 6"));
    assert_eq!(results["seeds"].as_array().unwrap().len(), 6);
    assert_eq!((&results["discs"], &results["warm_up"]), (&64.into(), &6.0.into()));
    for name in what.split(',') {
        let [value, error, theory] = numbers(&results, name);
        // Walls order the discs of a small box, which changes pressure and hits by some percent.
        assert!((value / theory - 1.0).abs() < 0.15, "{name}: {value} instead of {theory}");
        assert!(error > 0.0 && error < 0.1 * value, "{name}: {value} +- {error}");
    }
    let speeds = &results["quantities"][1]["curve"];
    assert!(speeds["points"].as_array().unwrap().len() > 30, "{speeds}");
    assert_eq!(speeds["x"], "speed / √(kT/m)");
}

#[test]
fn a_run_does_not_depend_on_jobs_and_one_run_has_errors_too() {
    let folder = folder();
    let one = measured(&folder, "gas.ron --what pressure --seconds 10 --seeds 3 --jobs 1");
    assert_eq!(one, measured(&folder, "gas.ron --what pressure --seconds 10 --seeds 3 --jobs 3"));
    let alone = measured(&folder, "gas.ron --what pressure --seconds 20");
    let [value, error, _] = numbers(&alone, "pressure");
    assert!(error > 0.0 && error < value, "{value} +- {error}");
    assert_eq!(alone["seeds"], serde_json::json!([null]));
    // The scene's own seed is 0.
    let seed = measured(&folder, "gas.ron --what pressure --seconds 20 --seed 0");
    assert_eq!(numbers(&seed, "pressure"), numbers(&alone, "pressure"));
}

#[test]
fn the_summary_and_the_table_have_the_same_values() {
    let folder = folder();
    let output = folder.run("measure gas.ron --what collision-rate --seconds 10 --csv table.csv");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("gas.ron: 64 discs, 10 s after 2 s\n"), "{text}");
    assert!(text.contains("collision-rate") && text.contains("±") && text.contains("1/s"), "{text}");
    let table = folder.read("table.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["quantity", "x", "value", "error", "theory"]);
    assert_eq!(rows[1][..2], ["collision-rate", ""]);
    let first_digits = &rows[1][2][..3];
    assert!(text.contains(first_digits), "{first_digits} in {text}");
}

#[test]
fn quantities_that_do_not_apply_say_why() {
    let folder = folder();
    let results = measured(&folder, "gas.ron --seconds 2");
    let reason = |name: &str| {
        let quantities = results["quantities"].as_array().unwrap();
        let found = quantities.iter().find(|quantity| quantity["name"] == name).unwrap();
        assert_eq!(found["value"], Value::Null);
        found["not_measured"].as_str().unwrap().to_owned()
    };
    assert!(reason("diffusion").contains("periodic edges"));
    assert!(reason("cooling").contains("restitution below 1"));
    assert!(reason("weight").contains("gravity"));
    assert!(reason("equipartition").contains("same mass"));
}

#[test]
fn a_bad_request_is_explained_in_a_line() {
    let folder = folder();
    for (arguments, expected) in [
        ("measure gas --what pressur", "did you mean `pressure`"),
        ("measure gas --seconds 0", "nothing to measure"),
        ("measure gas --seconds -1", "zero or more"),
        ("measure two-discs --seeds 5", "no generator with a seed"),
        ("measure gas --seeds 0", "from 1 to 1000000"),
        ("measure gas --seeds 2 --set seed=3", "--set seed=3: give one of them"),
        ("measure gas --seeds 2 --seed 18446744073709551615", "smaller first seed"),
        ("measure gas --json x.json --csv x.json", "the same file"),
        ("measure gas --csv missing/x.csv", "cannot be written"),
        ("sweep gas --vary restitution=0.5..2:0.5 --what pressure", "--vary restitution=1.5"),
        ("sweep gas --vary restitution=0.5..1 --what pressure", "needs a step"),
        ("sweep gas --vary restitution=1 --set restitution=0.9 --what pressure", "give one of them"),
        ("sweep gas --vary restitution=1 --what pressure --part 4/3", "K from 1 to N"),
        ("sweep gas --vary count=1..1000:1 drag=0..1:0.0001 --what pressure", "more than 1000000 runs"),
        ("sweep gas --what pressure", "--vary"),
        ("sweep gas --vary restitution=1", "--what"),
    ] {
        let error = folder.rejected(arguments);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    assert!(rejected(&["measure"]).contains("SCENE"));
}

#[test]
fn the_help_lists_every_quantity() {
    for command in ["measure", "sweep"] {
        let help = String::from_utf8(carom(&[command, "--help"]).stdout).unwrap();
        for quantity in carom::laboratory::QUANTITIES {
            assert!(help.contains(quantity.name) && help.contains(quantity.about), "{}", quantity.name);
        }
    }
}

const SWEEP: &str =
    "sweep gas.ron --vary restitution=0.8..1:0.1 count=16,25 --what pressure,collision-rate --seconds 2 --seeds 2";

#[test]
fn a_sweep_has_a_row_for_every_combination_and_seed() {
    let folder = folder();
    let output = folder.run(&format!("{SWEEP} --jobs 1"));
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let header = "sweep,run,restitution,count,seed,pressure,pressure_error,pressure_theory,collision-rate,collision-rate_error,collision-rate_theory";
    assert_eq!(rows[0].join(","), header);
    assert_eq!(rows.len(), 1 + 3 * 2 * 2);
    assert_eq!(rows[1][1..5], ["0", "0.8", "16", "0"]);
    assert_eq!(rows[4][1..5], ["3", "0.8", "25", "1"]);
    assert_eq!(rows[12][1..5], ["11", "1", "25", "1"]);
    assert!(rows[1..].iter().all(|row| row[0] == rows[1][0] && row[5].parse::<f64>().unwrap() > 0.0));
    // A run is that of `measure`.
    let run = measured(&folder, "gas.ron --set restitution=0.8 count=25 --seed 1 --what pressure --seconds 2");
    // The reader of JSON may round the last bit.
    let (of_run, of_row) = (numbers(&run, "pressure")[0], rows[4][5].parse::<f64>().unwrap());
    assert!((of_run / of_row - 1.0).abs() < 1e-12, "{of_run} and {of_row}");
    // Neither jobs nor a file instead of the standard output change it.
    assert!(folder.run(&format!("{SWEEP} --jobs 4 --csv file.csv")).status.success());
    assert_eq!(folder.read("file.csv"), table);
    // Nor do parts, in any order.
    for part in [3, 1, 2] {
        assert!(folder.run(&format!("{SWEEP} --part {part}/3 --csv part-{part}.csv")).status.success());
        assert_eq!(folder.read(&format!("part-{part}.csv")).lines().count(), 5);
    }
    folder.write("all.csv", &[2, 3, 1].map(|part| folder.read(&format!("part-{part}.csv"))).concat());
    let output = folder.run(&format!("{SWEEP} --csv all.csv"));
    assert!(String::from_utf8(output.stdout).unwrap().contains("0 runs made, 12 were there before"));
    assert_eq!(folder.read("all.csv"), table);
}

#[test]
fn a_sweep_that_was_cut_off_continues() {
    let folder = folder();
    assert!(folder.run(&format!("{SWEEP} --csv whole.csv")).status.success());
    let whole = folder.read("whole.csv");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // A row with a mark, to see that it is kept instead of being made again.
    let marked = {
        let mut cells: Vec<&str> = lines[3].split(',').collect();
        cells[5] = "123456";
        cells.join(",")
    };
    let begun = [lines[0], lines[5], &marked, &lines[2][..lines[2].len() - 9]].concat();
    folder.write("cut.csv", &begun);
    let output = folder.run(&format!("{SWEEP} --csv cut.csv"));
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("10 runs made, 2 were there before"));
    assert_eq!(folder.read("cut.csv"), whole.replace(lines[3], &marked));
    // Cut off within the header, or empty.
    for begun in ["", "sweep,ru"] {
        folder.write("cut.csv", begun);
        assert!(folder.run(&format!("{SWEEP} --csv cut.csv")).status.success());
        assert_eq!(folder.read("cut.csv"), whole);
    }
}

#[test]
fn the_file_of_another_sweep_is_left_alone() {
    let folder = folder();
    assert!(folder.run(&format!("{SWEEP} --csv table.csv")).status.success());
    let table = folder.read("table.csv");
    let other_seconds = SWEEP.replace("--seconds 2", "--seconds 3");
    let other_columns = SWEEP.replace("pressure,", "");
    for command in [&other_seconds, &other_columns] {
        let error = folder.rejected(&format!("{command} --csv table.csv"));
        assert!(error.contains("table.csv: line") && error.contains("name another file"), "{error}");
    }
    folder.write("gas.ron", &GAS.replace("0.3", "0.2"));
    assert!(folder.rejected(&format!("{SWEEP} --csv table.csv")).contains("line 2"));
    assert_eq!(folder.read("table.csv"), table);
    for text in ["my notes", "my notes\nand more\n"] {
        folder.write("notes.txt", text);
        assert!(folder.rejected(&format!("{SWEEP} --csv notes.txt")).contains("line 1"));
        assert_eq!(folder.read("notes.txt"), text);
    }
}

#[test]
fn a_quantity_that_does_not_apply_to_a_run_is_empty_there() {
    let folder = folder();
    let output = folder.run("sweep gas.ron --vary restitution=0.5,1 --what cooling-by-hits --seconds 20 --warm-up 0");
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout.clone()).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert!(rows[0][4].parse::<f64>().unwrap() < 1.0, "{table}");
    assert_eq!(rows[1][4..], ["", "", ""]);
    let words = said(&output);
    assert!(words.contains("cooling-by-hits is empty where it does not apply"), "{words}");
    assert_eq!(words.lines().count(), 1, "{words}");
}

#[test]
fn a_billiard_has_the_chord_of_its_area_and_length() {
    let folder = Folder::new();
    let results = measured(&folder, "sinai --what chord,lyapunov --seconds 300");
    let [value, error, theory] = numbers(&results, "chord");
    // pi (1 - pi R²) / (4 + 2 pi R) for R = 0.25 m.
    assert!((theory - 0.4532).abs() < 1e-4, "{theory}");
    assert!((value - theory).abs() < 4.0 * error && error < 0.05, "{value} +- {error}");
    let exponent = results["quantities"][1]["value"].as_f64().unwrap();
    // 1.718 per metre in long runs.
    assert!((exponent - 1.718).abs() < 0.4, "{exponent}");
}
