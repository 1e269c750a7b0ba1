//! `carom simulate` and `carom scenes`, run as from a terminal.

use std::path::PathBuf;

use carom::scene::SceneSource;
use serde_json::Value;

use crate::support::{Folder, carom, rejected, said};

fn summary(arguments: &[&str]) -> Value {
    let output = carom(&[&["simulate"], arguments, &["--json", "-"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("carom-simulate-{}-{name}", std::process::id()))
}

#[test]
fn scenes_lists_every_scene_on_a_line() {
    let output = carom(&["scenes"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), carom::scene::shipped().len());
    assert!(text.starts_with("nine-ball "), "{text}");
}

#[test]
fn the_summary_holds_what_was_measured() {
    let run = summary(&["gas", "--ticks", "300", "--set", "tick_rate=60", "substeps=1"]);
    assert_eq!(run["scene"], "gas");
    assert_eq!(run["ticks"], 300);
    assert_eq!(run["seconds"], 5.0);
    assert_eq!(run["discs"], 1000);
    assert_eq!(run["invalid"], Value::Array(Vec::new()));
    assert_eq!(run["unresolved"], Value::Array(Vec::new()));
    assert_eq!(run["too_small"], Value::Array(Vec::new()));
    assert_eq!(run["warnings"], Value::Array(Vec::new()));
    assert_eq!(run["stopped_by_solver"], 0);
    assert_eq!(run["strike"], Value::Null);
    let (before, after) = (&run["kinetic_energy_before"], &run["kinetic_energy_after"]);
    let ratio = after.as_f64().unwrap() / before.as_f64().unwrap();
    // An elastic gas conserves energy, apart from rounding.
    assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
    assert!(run["collisions"].as_u64().unwrap() > 1000);
    for number in ["worst_overlap", "mean_overlap", "worst_overlap_in_run", "wall_time_s", "ns_per_disc_per_tick"] {
        assert!(run[number].is_f64(), "{number}");
    }
    for vector in ["momentum_before", "momentum_after"] {
        assert_eq!(run[vector].as_array().unwrap().len(), 2);
    }
    assert_eq!(run["hash"].as_str().unwrap().len(), 16);
}

#[test]
fn two_runs_have_the_same_hash_and_another_setting_another() {
    let run = |setting| summary(&["many", "--seconds", "2", "--set", setting])["hash"].clone();
    assert_eq!(run("restitution=0.9"), run("restitution=0.9"));
    assert_ne!(run("restitution=0.9"), run("restitution=0.8"));
}

#[test]
fn the_hash_covers_terrain_that_moves() {
    let folder = Folder::new();
    let hash = |terrain: &str| {
        folder.write("t.ron", &format!("(terrain: [(shape: Circle(radius: 1), {terrain})])"));
        folder.summary("t.ron --ticks 10")["hash"].clone()
    };
    let moving =
        ["mass: 1", "mass: 1, velocity: (1, 0)", "velocity: (1, 0)", "velocity: (2, 0)", "angular_velocity: 1"];
    let hashes = moving.map(hash);
    assert!((1..hashes.len()).all(|i| i == 2 || !hashes[..i].contains(&hashes[i])), "{hashes:?}");
    assert_eq!(hash("position: (1, 0)"), hash("position: (2, 0)"), "static terrain does not count");
}

#[test]
fn a_run_goes_on_from_its_table() {
    let table = file("table.csv");
    let path = table.to_str().unwrap();
    let output = carom(&["simulate", "many", "--ticks", "100", "--csv", path]);
    assert!(output.status.success(), "{output:?}");
    let settings = ["--set", "tick_rate=120", "--set", "substeps=2"];
    let rest = summary(&[&["--from", path, "--box", "16,10", "--ticks", "100"][..], &settings].concat());
    assert_eq!(rest["hash"], summary(&["many", "--ticks", "200"])["hash"]);
    std::fs::remove_file(table).unwrap();
}

#[test]
fn a_table_of_no_ticks_is_the_table_that_came_in() {
    let table = file("in.csv");
    let text = "id,x,y,vx,vy,r,m\n3,0.1,-0.2,1.5,0.0,0.25,2.0\n5,1.1,0.7,-1e-7,0.0,0.33333334,1.0\n";
    std::fs::write(&table, text).unwrap();
    let output = carom(&["simulate", "--from", table.to_str().unwrap(), "--ticks", "0", "--csv", "-"]);
    let numbers = |text: &str| -> Vec<f64> {
        text.lines().skip(1).flat_map(|line| line.split(',').map(|n| n.parse().unwrap()).collect::<Vec<_>>()).collect()
    };
    assert_eq!(numbers(&String::from_utf8(output.stdout).unwrap()), numbers(text));
    std::fs::remove_file(table).unwrap();
}

#[test]
fn the_picture_is_svg() {
    let picture = file("paths.svg");
    let output = carom(&["simulate", "bumpers", "--seconds", "2", "--svg", picture.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(&picture).unwrap();
    assert!(text.starts_with("<svg") && text.contains("<polyline") && text.contains("<circle"));
    std::fs::remove_file(picture).unwrap();
}

#[test]
fn the_picture_dashes_the_paths_of_balls_in_the_air() {
    let flights = |elevation: &str| {
        let strike = format!("3,0,0,0,{elevation}");
        let output = carom(&["simulate", "carom", "--strike", &strike, "--seconds", "1", "--svg", "-"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("<svg"), "{text}");
        text.matches("stroke-dasharray").count()
    };
    assert_eq!(flights("0"), 0);
    // Each hop rises to a quarter of the height of the one before. Those of 2 mm and more are drawn.
    assert_eq!(flights("45"), 3);
}

#[test]
fn paths_end_at_periodic_edges_and_pale_ones_are_edged() {
    let picture = |command: &str| {
        let output = carom(&command.split(' ').collect::<Vec<_>>());
        String::from_utf8(output.stdout).unwrap()
    };
    let torus = picture("simulate torus --seconds 1 --svg -");
    let paths: Vec<Vec<[f32; 2]>> = torus
        .split("<polyline")
        .skip(1)
        .map(|line| {
            let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            points.split(' ').map(|point| [0, 1].map(|k| point.split(',').nth(k).unwrap().parse().unwrap())).collect()
        })
        .collect();
    assert!(paths.len() > 100, "{}", paths.len());
    for step in paths.iter().flat_map(|path| path.windows(2)) {
        assert!((0..2).all(|k| (step[1][k] - step[0][k]).abs() < 0.5), "{step:?}");
    }
    // The path of a white ball, and its dark edge.
    let white = picture("simulate carom --strike 2,180 --seconds 1 --svg -");
    assert_eq!(white.matches("<polyline").count(), 2, "{white}");
}

#[test]
fn the_picture_has_the_colours_of_the_window() {
    let folder = Folder::new();
    let picture = |scene: &str| {
        folder.write("colours.ron", scene);
        let output = folder.run("simulate colours.ron --ticks 0 --svg -");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // The light colours of assets/themes.ron: the white of balls, the yellow, and the first colour of discs.
    let [white, yellow, first] = ["#fbf7ec", "#f2b705", "#2f85c2"];
    for (scene, colour, others) in [
        ("(discs: [(cue: true)])", first, [white, yellow]),
        ("(surroundings: Table, discs: [(cue: true)])", white, [first, yellow]),
        ("(surroundings: Table, discs: [(cue: true, ball_colour: Yellow)])", yellow, [first, white]),
        ("(surroundings: Table, discs: [()])", first, [white, yellow]),
    ] {
        let picture = picture(scene);
        assert!(picture.contains(colour), "{scene}: {picture}");
        assert!(others.iter().all(|other| !picture.contains(other)), "{scene}: {picture}");
    }
}

#[test]
fn the_sums_of_blocks_stand_beside_those_of_discs() {
    // Elastic and without gravity: the blocks gain the energy that the discs lose.
    let run = summary(&["blocks", "--ticks", "200"]);
    let sum = |when: &str| {
        let name = format!("kinetic_energy_{when}");
        let [of_discs, of_blocks] = [&run[&name], &run["blocks"][&name]].map(|value| value.as_f64().unwrap());
        assert!(when == "before" || of_blocks > 1.0, "{of_blocks}");
        of_discs + of_blocks
    };
    assert!((sum("after") / sum("before") - 1.0).abs() < 1e-4, "{run:#}");
    assert!(summary(&["gas", "--ticks", "1"])["blocks"].is_null());
}

#[test]
fn without_an_output_a_person_gets_a_summary_and_with_quiet_nothing() {
    let text = String::from_utf8(carom(&["simulate", "cradle", "--ticks", "10"]).stdout).unwrap();
    assert!(text.contains("7 discs") && text.contains("hash"), "{text}");
    let output = carom(&["simulate", "cradle", "--ticks", "10", "--quiet"]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn the_summary_is_there_beside_files_and_makes_way_for_data() {
    let folder = Folder::new();
    let text = |arguments: &str| {
        String::from_utf8(folder.run(&format!("simulate cradle --ticks 10 {arguments}")).stdout).unwrap()
    };
    for files in ["--csv end.csv", "--json end.json --svg paths.svg", "--save end.ron"] {
        assert!(text(files).contains("7 discs"), "{files}");
        assert_eq!(text(&format!("{files} --quiet")), "");
    }
    assert!(text("--csv -").starts_with("id,x,y") && !text("--csv - --json end.json").contains("hash"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of commands and what they are answered")]
fn what_cannot_be_done_is_said_in_one_line() {
    let broken = file("broken.ron");
    std::fs::write(&broken, "(\n  title: 5,\n)").unwrap();
    let broken_path = broken.to_str().unwrap();
    for (arguments, expected) in [
        (vec!["simulate", "brake"], "did you mean `break`"),
        (vec!["brake"], "did you mean `break`"),
        (vec!["simulate", "missing.ron"], "missing.ron: cannot be read"),
        (vec!["simulate", broken_path], "broken.ron:2:"),
        (vec!["simulate", "gas", "--set", "bounce=1"], "push_apart_share"),
        (vec!["simulate", "gas", "--set", "restitution=2"], "from 0 to 1"),
        (vec!["simulate", "gas", "--set", "restitution=high"], "from 0 to 1"),
        (vec!["simulate", "break", "--set", "count=5"], "no generator"),
        (vec!["simulate", "gas", "--seconds", "-1"], "'-1' for '--seconds <S>': the seconds must be zero or more"),
        (vec!["simulate", "gas", "--seconds", "-inf"], "the seconds must be zero or more"),
        (vec!["simulate", "gas", "--seconds", "2e9"], "at most 1e9; see `carom --help`"),
        (vec!["simulate", "gas", "--ticks", "-1"], "'-1' for '--ticks <N>': it must be a whole number, zero or more"),
        (vec!["simulate", "many", "--seed", "-1"], "'-1' for '--seed <N>': it must be a whole number, zero or more"),
        (vec!["simulate", "gas", "--strike", "-1,0"], "a speed from 0 to 1e6 m/s"),
        (vec!["render", "gas", "--ticks", "-1"], "'-1' for '--ticks <N>': it must be a whole number, zero or more"),
        (vec!["render", "gas", "--every", "-1"], "'-1' for '--every <K>': it must be a whole number, one or more"),
        (vec!["render", "gas", "--every", "0"], "one or more"),
        (vec!["render", "gas", "--scale", "-1"], "'-1' for '--scale <S>': it must be a number from 0.5 to 4"),
        (vec!["render", "gas", "--size", "-1x480"], "--size -1x480: give width and height"),
        (vec!["gas", "--after", "-1"], "'-1' for '--after <SECONDS>': the seconds must be zero or more"),
        (vec!["simulate", "many", "--set", "gravity=1e30,0"], "gravity.x is 1e30; set it from -1e12 to 1e12 m/s²"),
        (vec!["simulate", "many", "--set", "drag=1e30"], "--set drag=1e30: motion.drag is 1e30; set it from 0 to 1e12"),
        (vec!["simulate", "many", "--seed", "7", "--set", "seed=8"], "--seed 7 and --set seed=8: give one of them"),
        (
            vec!["simulate", "many", "--set", "drag=1", "count=3", "--set", "drag=2"],
            "--set drag=2 and --set drag=1: give one of them",
        ),
        (vec!["simulate", "break", "--strike", "9,1e30"], "an angle from -360 to 360 degrees"),
        (vec!["simulate", "nine-ball", "--strike", "9,0,0.1"], "after speed and angle give side and top"),
        (vec!["simulate", "nine-ball", "--strike", "9,0,,0.1"], "each from -1 to 1 ball radii right of and above"),
        (vec!["simulate", "nine-ball", "--strike", "9,0,nan,0"], "after speed and angle give side and top"),
        (vec!["simulate", "nine-ball", "--strike", "9,0,0,0,91"], "the elevation of the cue from 0 to 90 degrees"),
        (vec!["simulate", "nine-ball", "--strike", "9,0,0,0,1,2"], "--strike 9,0,0,0,1,2: after speed and angle"),
        (vec!["simulate", "nine-ball", "--strike", "nan,0,0,0"], "a speed from 0 to 1e6 m/s"),
        (
            vec!["simulate", "nine-ball", "--strike", "9,0,0.3,-0.5"],
            "--strike: miscue: the tip hits 0.58 radii from the ball's middle and slips off; at most 0.50 hold",
        ),
        (
            vec!["simulate", "break", "--strike", "9,0,0,0"],
            "the cue ball (disc 1) does not spin, so the tip can only hit",
        ),
        (vec!["render", "break", "--strike", "9,0,2,0", "--out", "x.png"], "after speed and angle give side and top"),
        (
            vec!["render", "nine-ball", "--aim", "9,0,0", "--out", "x.png"],
            "--aim 9,0,0: after speed and angle give side and",
        ),
        (
            vec!["simulate", "nine-ball", "--table", "pool-9ft"],
            "--table pool-9ft: it puts the discs of --from FILE.csv",
        ),
        (vec!["simulate", "--from", "x.csv", "--table", "pool"], "--table pool: "),
        (vec!["simulate", "--from", "x.csv", "--table", "pool-9ft", "--box", "1,1"], "cannot be used with"),
        (vec!["render", "break", "--aim", "9,1e30", "--out", "x.png"], "--aim 9,1e30: give a speed from 0 to 1e6 m/s"),
        (
            vec!["render", "nine-ball", "--aim", "5,10,0.6,0", "--out", "x.png"],
            "--aim: miscue: the tip hits 0.60 radii from the ball's middle and slips off; at most 0.50 hold",
        ),
        (
            vec!["render", "nine-ball", "--aim", "0,10", "--out", "x.png"],
            "--aim 0,10: without speed there is no shot to show; give a speed above 0 m/s",
        ),
        (vec!["simulate", "gas", "--ticks", "18446744073709551615"], "zero or more, and at most 10000000000000"),
        (vec!["simulate", "gas", "--ticks", "99999999999999999999"], "zero or more, and at most 10000000000000"),
        (vec!["render", "gas", "--every", "99999999999999999999"], "one or more, and at most 10000000000000"),
        (
            vec!["render", "gas", "--ticks", "1000000", "--every", "1", "--gif", "x.gif"],
            "that would be 1000001 pictures, and 100000 is the most; give a larger --every",
        ),
        (vec!["simulate", "gas", "--seed", "99999999999999999999"], "at most 18446744073709551615"),
        (vec!["simulate", "gas", "--box", "1,1"], "--box 1,1: it puts walls around the discs of --from"),
        (vec!["simulate", "--box", "1,1"], "--box 1,1: it puts walls around the discs of --from"),
        (vec!["simulate", "gas", "--bogus"], "--bogus"),
        (
            vec!["simulate", "break", "--table", "pool-9ft"],
            "so leave --table out, and for billiard balls take nine-ball",
        ),
        (
            vec!["simulate", "gas", "--seconds", "0.001"],
            "--seconds 0.001: less than half of a tick, of which a second has 120",
        ),
        (vec!["simulate", "gas", "--set", "cushion=Han"], "--set cushion=Han: this scene has no billiard table"),
        (vec!["simulate", "nine-ball", "--set", "cushion=soft"], "Mirror, HalfSpace, Stronge, Mathavan or Han"),
        (vec!["simulate", "nine-ball", "--set", "rolling=11"], "table.cloth.rolling is 11; set it from 0 to 10"),
        (vec!["simulate", "nine-ball", "--set", "friction=1"], "set sliding, rolling or spinning instead"),
        (vec!["simulate", "carom", "--set", "terrain_restitution=1"], "set cushion_restitution instead"),
        (
            vec!["simulate", "nine-ball", "--strike", "9,0,0,0.50001"],
            "hits 0.50001 radii from the ball's middle and slips off; at most 0.50000 hold",
        ),
        (vec!["simulate", "gas", "--json", "/no/such/folder/x"], "cannot be written"),
        (vec!["simulate", "gas", "--json", "-", "--csv", "-"], "standard output"),
        (vec!["simulate", "--from", "missing.csv"], "missing.csv: cannot be read"),
        (vec!["simulate", "--from", "missing.csv", "--box", "1"], "--box 1"),
    ] {
        let line = rejected(&arguments);
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
    std::fs::remove_file(broken).unwrap();
}

#[test]
fn what_is_odd_about_a_scene_is_said_and_stands_in_the_summary() {
    let folder = Folder::new();
    folder.write("odd.ron", "(terrain: [(shape: Block(half_size: (4, 2)))], discs: [()])");
    let output = folder.run("simulate odd.ron --ticks 10 --json -");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let line = said(&output);
    assert!(line.starts_with("carom: odd.ron: discs[0] at (0, 0) m is inside terrain[0], a Block"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(run["warnings"].as_array().unwrap().len(), 1);
    assert!(line.contains(run["warnings"][0].as_str().unwrap()), "{run}");
}

#[test]
fn a_component_without_effect_is_named_with_its_remedy() {
    let folder = Folder::new();
    folder.write("idle.ron", "(discs: [(kinematic: true, gravity_scale: 2), (position: (3, 0))])");
    let output = folder.run("simulate idle.ron --ticks 1 --json -");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let line = said(&output);
    assert!(line.starts_with("carom: idle.ron: disc with id 0: GravityScale has no effect: "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(line.contains(run["warnings"][0].as_str().unwrap()), "{run}");
}

#[test]
fn a_zero_has_no_sign_in_the_summary() {
    let folder = Folder::new();
    folder.write("empty.ron", "()");
    folder.write("slow.ron", "(discs: [(velocity: (-1e-9, -0.0))])");
    for scene in ["empty.ron", "slow.ron"] {
        let text = String::from_utf8(folder.run(&format!("simulate {scene} --ticks 1")).stdout).unwrap();
        assert!(text.contains("0.000000 J -> 0.000000 J") && !text.contains("-0.0"), "{text}");
    }
    assert_eq!(folder.summary("empty.ron --ticks 1")["kinetic_energy_before"].to_string(), "0.0");
}

const HEADER: &str = "id,x,y,vx,vy,r,m\n";

#[test]
fn a_value_that_becomes_invalid_in_the_run_is_named_and_shows_in_the_status() {
    let folder = Folder::new();
    folder.write("t.csv", &format!("{HEADER}4,0,0,1,0,0.5,1\n9,9e11,0,1e12,0,0.5,1\n"));
    // After seven ticks it is past the limit. No later tick has gathered it yet.
    for ticks in [7, 8, 300] {
        let output = folder.run(&format!("simulate --from t.csv --ticks {ticks} --json -"));
        assert_eq!(output.status.code(), Some(3), "{ticks} ticks: {output:?}");
        let run: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rejected = run["invalid"].as_array().unwrap();
        assert_eq!(rejected.len(), 1, "{ticks} ticks: {rejected:?}");
        assert_eq!((&rejected[0]["kind"], &rejected[0]["id"]), (&"disc".into(), &9.into()));
        assert_eq!(rejected[0]["field"], "Position");
        assert!(rejected[0]["reason"].as_str().unwrap().contains("within 1e12 m"), "{rejected:?}");
        assert!(said(&output).contains("disc 9: Position is"), "{output:?}");
    }
    let output = folder.run("simulate --from t.csv --ticks 10 --quiet");
    assert!(output.status.code() == Some(3) && said(&output).contains("disc 9"), "{output:?}");
    let output = folder.run("simulate --from t.csv --ticks 10");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("left out        disc 9: Position is"), "{text}");
    assert_eq!(folder.run("simulate --from t.csv --ticks 5").status.code(), Some(0), "not yet");
    // The saved scene contains only what a further run would simulate, so it is valid.
    let output = folder.run("simulate --from t.csv --ticks 10 --csv end.csv --save end.ron --quiet");
    assert!(output.status.code() == Some(3) && said(&output).contains("disc 9"), "{output:?}");
    assert_eq!(folder.names(), ["end.csv", "end.ron", "t.csv"]);
    let run = folder.summary("end.ron --ticks 10");
    assert_eq!(run["invalid"].as_array().unwrap().len(), 0, "{run}");
    assert_eq!(run["discs"], 1, "{run}");
}

#[test]
fn impacts_that_would_not_end_stand_in_the_summary() {
    let folder = Folder::new();
    // Three discs that collapse: they lose most of their speed at every hit, and the budget of impacts is tiny.
    let discs = "discs: [(position: (-1, 0), velocity: (50, 0)), (), (position: (1, 0), velocity: (-50, 0))]";
    let settings = "collision: (mode: Continuous, restitution: 0.05, impact_budget: 1)";
    folder.write("collapse.ron", &format!("({settings}, {discs})"));
    let stopped = folder.summary("collapse.ron --ticks 60")["stopped_by_solver"].as_u64().unwrap();
    assert!(stopped > 0);
    let text = String::from_utf8(folder.run("simulate collapse.ron --ticks 60").stdout).unwrap();
    assert!(text.contains(&format!("stopped         {stopped} times by the solver")), "{text}");
}

#[test]
fn what_the_numbers_cannot_carry_is_said_at_the_start() {
    let folder = Folder::new();
    folder.write("far.csv", &format!("{HEADER}0,0,0,1,0,0.5,1\n7,1e6,0,1,0,0.5,1\n8,1e6,5,0,0,0.5,1\n"));
    let output = folder.run("simulate --from far.csv --ticks 10 --set tick_rate=240 --json -");
    assert_eq!(output.status.code(), Some(0), "it can be run: {output:?}");
    let line = said(&output);
    assert!(line.contains("disc 7 at (1000000, 0) m does not move") && line.contains("within 1024 m"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(run["unresolved"].as_array().unwrap().len(), 1);
    assert_eq!((&run["unresolved"][0]["disc"], &run["unresolved"][0]["lost_speed"]), (&7.into(), &1.0.into()));

    folder.write("slow.csv", &format!("{HEADER}3,1000,0,0.2,0,0.5,1\n"));
    let at = |rate: u32| said(&folder.run(&format!("simulate --from slow.csv --ticks 1 --set tick_rate={rate}")));
    assert!(at(10_000).contains("disc 3 at (1000, 0) m does not move"));
    assert_eq!(at(60), "");
}

#[test]
fn no_file_is_touched_before_there_is_something_to_put_into_it() {
    let folder = Folder::new();
    for name in ["kept.csv", "kept.json", "kept.svg", "kept.ron"] {
        folder.write(name, "kept");
    }
    let outputs = "--csv kept.csv --json kept.json --svg kept.svg --save kept.ron";
    // An invalid option after valid ones, and a folder that does not exist.
    folder.rejected(&format!("simulate gas {outputs} --set restitution=2"));
    folder.rejected("simulate gas --csv kept.csv --json missing/x.json");
    folder.rejected("simulate gas --csv kept.csv --save missing/x");
    // A run that is killed half-way.
    let mut child = folder.command(&format!("simulate gas --seconds 1e6 {outputs}")).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "it is still running");
    child.kill().unwrap();
    child.wait().unwrap();
    for name in ["kept.csv", "kept.json", "kept.svg", "kept.ron"] {
        assert_eq!(folder.read(name), "kept", "{name}");
    }
    assert_eq!(folder.names(), ["kept.csv", "kept.json", "kept.ron", "kept.svg"], "and nothing is left beside them");
    assert!(folder.run(&format!("simulate gas --ticks 3 {outputs}")).status.success());
    assert!(folder.read("kept.csv").starts_with("id,") && folder.read("kept.json").starts_with('{'));
    assert!(folder.read("kept.svg").starts_with("<svg") && folder.read("kept.ron").starts_with('('));
    assert_eq!(folder.names().len(), 4);
}

#[test]
fn a_scene_is_saved_where_the_other_outputs_would_go() {
    let folder = Folder::new();
    folder.write("q.ron", "kept");
    std::fs::create_dir(folder.0.path().join("dd")).unwrap();
    assert!(folder.run("simulate two-discs --ticks 1 --save q").status.success());
    assert!(folder.read("q").starts_with('(') && folder.read("q.ron") == "kept");
    let line = folder.rejected("simulate two-discs --ticks 1 --save dd");
    assert!(line.contains("dd cannot be written (it is a folder)"), "{line}");
    if cfg!(target_os = "linux") {
        let line = folder.rejected("simulate two-discs --ticks 1 --save /dev/full --quiet");
        assert!(line.contains("/dev/full cannot be written"), "{line}");
    }
    let output = folder.run("simulate two-discs --ticks 1 --save -");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(carom::scene::SceneFile::parse(&text, "-").is_ok(), "the scene and nothing else: {text}");
    assert!(folder.rejected("simulate two-discs --ticks 1 --save - --json -").contains("standard output"));
    assert_eq!(folder.names(), ["dd", "q", "q.ron"]);
}

#[test]
fn an_error_is_one_line_whatever_it_quotes() {
    let folder = Folder::new();
    folder.write("panel.ron", r#"(panel: ["a\nb"])"#);
    folder.write("a\nb.ron", "(discs: [(radius: -1)])");
    let at = |name: &str| folder.0.path().join(name).display().to_string();
    let (panel, named) = (at("panel.ron"), at("a\nb.ron"));
    let commands: [&[&str]; 9] = [
        &["simulate", "gas", "--set", "restitution=1\n2"],
        &["simulate", "gas", "--set", "a\nb=1"],
        &["simulate", "gas", "--set", "a\nb"],
        &["simulate", "a\nb"],
        &["simulate", "gas", "--ticks", "1\n2"],
        &["play", "--option", "a\nb=1"],
        &["play", "--option", "push_out=1\n2"],
        &["simulate", &panel],
        &["simulate", &named],
    ];
    for arguments in commands {
        let line = rejected(arguments);
        assert!(line.contains("a\\nb") || line.contains("1\\n2"), "{line}");
    }
    // Control characters in an error are escaped, so they do not reach the terminal.
    let line = rejected(&["simulate", "gas", "--set", "\u{1b}[2J\r\u{2028}=1"]);
    assert!(line.contains("\\u{1b}[2J\\r\\u{2028}"), "{line}");
    // Also in a line that rejects nothing.
    folder.write("odd\nname.ron", "(discs: [(), ()])");
    let warnings = carom(&["simulate", &at("odd\nname.ron"), "--ticks", "0", "--quiet"]).stderr;
    let warnings = String::from_utf8(warnings).unwrap();
    assert!(warnings.lines().all(|line| line.starts_with("carom: ")) && warnings.contains("odd\\nname"), "{warnings}");
}

#[test]
fn a_number_below_its_range_is_told_with_its_option_and_range() {
    for (arguments, range) in [
        ("simulate --seed -1", "at most 18446744073709551615"),
        ("play --seed -1", "at most 18446744073709551615"),
        ("play --racks -1", "from 1 to 1000000"),
        ("play --race-to -2", "from 1 to 1000000"),
        ("play --threads -3", "from 1 to "),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let line = rejected(&arguments);
        let [_, option, value] = arguments[..] else { unreachable!() };
        assert!(line.contains(&format!("invalid value '{value}' for '{option} ")) && line.contains(range), "{line}");
    }
}

#[test]
fn a_wrong_option_of_a_game_is_told_as_it_was_typed() {
    for (arguments, expected) in [
        ("play --game practice --option rack=snooker", "carom: --option rack=snooker: "),
        ("play --game straight-pool --option points=1e1", "carom: --option points=1e1: give a whole number from 1 to "),
        ("play --game straight-rail --option innings=4294967296", "from 1 to 4294967295, or null"),
        ("play --game straight-rail --option innnings=3", "carom: --option innnings=3: straight-rail has no option"),
    ] {
        let line = rejected(&arguments.split(' ').collect::<Vec<_>>());
        assert!(line.contains(expected), "{line}");
    }
}

#[test]
fn a_scene_after_set_is_told_to_stand_before_it() {
    let line = rejected(&["simulate", "--set", "restitution=1", "gas"]);
    assert!(line.starts_with("carom: --set gas: put the scene before --set"), "{line}");
}

#[test]
fn two_outputs_to_one_file_are_rejected_however_it_is_spelt() {
    let folder = Folder::new();
    let absolute = folder.0.path().join("x").display().to_string();
    for other in ["x", "./x", &format!("../{}/x", folder.0.path().file_name().unwrap().display()), &absolute] {
        let line = folder.rejected(&format!("simulate gas --ticks 1 --csv x --svg {other}"));
        assert!(line.contains("--csv x") && line.contains("--svg") && line.contains("same file"), "{line}");
    }
    let line = folder.rejected("simulate gas --ticks 1 --json end --save end.ron --csv end.ron");
    assert!(line.contains("--csv end.ron and --save end.ron"), "{line}");
    assert!(folder.rejected("simulate gas --ticks 1 --json - --svg -").contains("standard output"));
    assert!(folder.names().is_empty());
}

#[test]
fn a_saved_run_goes_on_to_the_bit() {
    let folder = Folder::new();
    for scene in ["bumpers", "pile", "gas", "cradle", "corners --set tick_rate=90 gravity=0,-3"] {
        let whole = folder.summary(&format!("{scene} --ticks 300"))["hash"].clone();
        let first = folder.summary(&format!("{scene} --ticks 150 --save half"));
        assert_ne!(first["hash"], whole, "{scene}");
        assert_eq!(folder.summary("half --ticks 150")["hash"], whole, "{scene}");
    }
    let whole = folder.summary("break --strike 9,0.2 --ticks 300")["hash"].clone();
    folder.summary("break --strike 9,0.2 --ticks 150 --save half.ron");
    assert_eq!(folder.summary("half.ron --ticks 150")["hash"], whole);
}

#[test]
fn a_table_goes_on_in_the_box_that_it_had() {
    let folder = Folder::new();
    // At the start a disc is outside a box around the origin, so the corner of the box is at the origin. After the
    // first half all discs are inside both.
    folder.write("t.csv", &format!("{HEADER}0,15,4,-4,-1,0.5,1\n1,8,1,0.5,-1,0.25,1\n"));
    let whole = folder.summary("--from t.csv --box 20,10 --ticks 300")["hash"].clone();
    folder.summary("--from t.csv --box 20,10 --ticks 150 --csv half.csv --save half.ron");
    assert_ne!(folder.summary("--from half.csv --box 20,10 --ticks 150")["hash"], whole, "the box is elsewhere");
    assert_eq!(folder.summary("--from half.csv --box 20,10,10,5 --ticks 150")["hash"], whole);
    assert_eq!(folder.summary("half.ron --ticks 150")["hash"], whole);
    assert_eq!(folder.summary("--from t.csv --box 20,10,10,5 --ticks 300")["hash"], whole);
    let line = folder.rejected("simulate --from t.csv --box 20,10,0,0 --ticks 1");
    assert!(line.contains("outside the --box"), "{line}");
}

#[test]
fn a_value_in_a_table_that_cannot_be_simulated_is_reported_with_its_line_and_column_also_in_a_box() {
    let folder = Folder::new();
    let rows = [
        ("nan,0,0,0,1,1", "line 3: x is `nan`"),
        ("0,1e30,0,0,1,1", "line 3: y is `1e30`"),
        ("0,0,-1e30,0,1,1", "line 3: vx is `-1e30`"),
        ("0,0,0,0,0,1", "line 3: r is `0`"),
        ("0,0,0,0,1,inf", "line 3: m is `inf`"),
    ];
    for (row, expected) in rows {
        folder.write("bad.csv", &format!("{HEADER}0,3,3,0,0,0.5,1\n1,{row}\n"));
        for walls in ["", "--box 20,10", "--box 20,10,1,1"] {
            let line = folder.rejected(&format!("simulate --from bad.csv {walls} --ticks 1"));
            assert!(line.contains(&format!("bad.csv: {expected}; set it to a number from")), "{walls}: {line}");
        }
    }
    folder.write("out.csv", &format!("{HEADER}0,3,3,0,0,0.5,1\n1,-11,0,0,0,0.5,1\n"));
    folder.write("large.csv", &format!("{HEADER}0,3,3,0,0,0.5,1\n1,0,0,0,0,6,1\n"));
    for walls in ["20,10", "10,20,1,1"] {
        let line = folder.rejected(&format!("simulate --from large.csv --box {walls} --ticks 1"));
        assert!(line.contains("large.csv: line 3: r is 6, too large for the --box; make it at most 5 m"), "{line}");
    }
    std::fs::write(folder.0.path().join("latin.csv"), b"id,x,y\n\xe9,0,0\n").unwrap();
    let line = folder.rejected("simulate --from latin.csv --ticks 1");
    assert!(line.contains("latin.csv: the byte at offset 7, in line 2, is not UTF-8"), "{line}");
    let line = folder.rejected("simulate --from out.csv --box 20,10 --ticks 1");
    assert!(line.contains("out.csv: line 3: the disc at (-11, 0) m is outside the --box"), "{line}");
}

#[test]
fn a_table_that_may_be_cut_short_is_run_with_a_warning() {
    let folder = Folder::new();
    let whole = format!("{HEADER}0,3,3,0,0,0.5,1\n1,-11,0,0,0,0.5,1.25\n");
    folder.write("whole.csv", &whole);
    assert_eq!(said(&folder.run("simulate --from whole.csv --ticks 1")), "");
    folder.write("cut.csv", whole.strip_suffix("5\n").unwrap());
    let output = folder.run("simulate --from cut.csv --ticks 1");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let line = said(&output);
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.contains("cut.csv: line 3: the last line has no line end; the file may be cut short"), "{line}");
    // Tables written by carom are complete.
    folder.run("simulate many --ticks 1 --csv own.csv");
    assert!(folder.read("own.csv").ends_with('\n'));
    assert_eq!(said(&folder.run("simulate --from own.csv --ticks 1")), "");
}

#[test]
fn a_radius_that_the_numbers_do_not_carry_is_said_at_the_start() {
    let folder = Folder::new();
    folder.write("small.csv", &format!("{HEADER}0,0,0,1,0,0.5,1\n7,1,0,1e6,2e5,1e-12,1\n"));
    let output = folder.run("simulate --from small.csv --box 10,10 --ticks 5 --set mode=continuous --json -");
    assert_eq!(output.status.code(), Some(0), "it can be run: {output:?}");
    let line = said(&output);
    assert!(line.contains("disc 7 has a radius of 1e-12 m, too small for a coordinate of 5 m"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(run["too_small"].as_array().unwrap().len(), 1);
    assert_eq!((&run["too_small"][0]["disc"], &run["too_small"][0]["coordinate"]), (&7.into(), &5.0.into()));
}

#[test]
fn a_shot_is_played_and_reported() {
    let folder = Folder::new();
    let still = folder.summary("break --ticks 240");
    assert_eq!((&still["collisions"], &still["kinetic_energy_after"]), (&0.into(), &0.0.into()));
    let run = folder.summary("break --ticks 240 --strike 9,0.2");
    let strike = &run["strike"];
    assert_eq!((&strike["cue_ball"], &strike["disc"]), (&true.into(), &1.into()));
    assert!((strike["speed"].as_f64().unwrap() - 9.0).abs() < 1e-5, "{strike}");
    assert!((strike["angle"].as_f64().unwrap() - 0.2).abs() < 1e-4, "{strike}");
    let (mass, energy) = (0.170_097, run["kinetic_energy_before"].as_f64().unwrap());
    assert!((energy / (0.5 * mass * 81.0) - 1.0).abs() < 1e-5, "{energy}");
    assert!(run["collisions"].as_u64().unwrap() > 15, "the rack is broken: {}", run["collisions"]);
    let text = String::from_utf8(folder.run("simulate break --ticks 240 --strike 9,0.2").stdout).unwrap();
    assert!(text.contains("the cue ball (disc 1) with 9.000 m/s at 0.20 degrees"), "{text}");
    // Without a cue ball the first disc is shot.
    assert_eq!(folder.summary("many --ticks 1 --strike 3,-90")["strike"]["cue_ball"], false);
    assert!(folder.rejected("simulate break --strike fast").contains("--strike fast"));
}

#[test]
fn right_angles_are_exact() {
    let folder = Folder::new();
    for (angle, velocity) in [(90, [0.0, 2.0]), (180, [-2.0, 0.0]), (-90, [0.0, -2.0]), (360, [2.0, 0.0])] {
        let strike = folder.summary(&format!("nine-ball --ticks 0 --strike 2,{angle}"))["strike"].clone();
        assert_eq!(strike["velocity"], serde_json::json!(velocity), "{angle}");
    }
    let end = folder.run("simulate nine-ball --strike 2,180 --seconds 30 --csv -").stdout;
    assert!(!String::from_utf8(end).unwrap().contains("-0.0,"), "a zero has no sign");
}

#[test]
fn what_cloth_cushions_and_balls_are_like_can_be_set() {
    let folder = Folder::new();
    let shot = |settings: &str| folder.summary(&format!("nine-ball --strike 6,1,0.3,0 --seconds 6 {settings}"));
    let plain = shot("")["hash"].clone();
    // The values of the table's own file.
    let same = "sliding=0.2 rolling=0.01 spinning=10.9 cushion=HalfSpace cushion_restitution=0.85 cushion_friction=0.2";
    assert_eq!(shot(&format!("--set {same} ball_friction=alciatore"))["hash"], plain);
    for setting in [
        "sliding=0.3",
        "rolling=0.02",
        "spinning=5",
        "cushion=Stronge",
        "cushion_restitution=Han",
        "cushion_friction=0.1",
        "nose_height=0.6",
        "ball_friction=none",
    ] {
        assert_ne!(shot(&format!("--set {setting}"))["hash"], plain, "{setting}");
    }
    // A ball that slides on ice keeps its speed.
    folder.write("t.csv", "x,y,vx\n0,0,1\n");
    let ice = "--set sliding=0 rolling=0";
    let run = folder.summary(&format!("--from t.csv --table pool-9ft --seconds 0.5 {ice}"));
    assert_eq!(run["kinetic_energy_before"], run["kinetic_energy_after"]);
}

#[test]
fn a_table_of_discs_says_which_is_the_cue_ball() {
    let folder = Folder::new();
    folder.run("simulate nine-ball --strike 9,3 --seconds 20 --csv end.csv --quiet");
    assert!(folder.read("end.csv").starts_with("id,x,y,vx,vy,r,m,wx,wy,wz,ball,cue,number\n"));
    let cue = folder.summary("nine-ball --ticks 0 --strike 1,0")["strike"].clone();
    let again =
        folder.summary("--from end.csv --table pool-9ft --strike 2,90 --ticks 1 --csv again.csv")["strike"].clone();
    assert_eq!((&again["disc"], &again["cue_ball"]), (&cue["disc"], &true.into()));
    let marks = |name: &str| -> Vec<String> {
        folder.read(name).lines().map(|line| line.rsplitn(3, ',').take(2).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(marks("again.csv"), marks("end.csv"), "cue ball and numbers");
    // After the cue ball was potted, no other disc takes its place. Without a mark, only a single disc is clear.
    folder.write("scratch.ron", SCRATCH);
    folder.run("simulate scratch.ron --seconds 2 --csv fallen.csv --quiet");
    folder.write("two.csv", "x,y\n0,0\n0.5,0\n");
    for name in ["fallen.csv", "two.csv"] {
        let line = folder.rejected(&format!("simulate --from {name} --table pool-9ft --strike 1,0"));
        assert!(
            line.contains(&format!("{name}: no line says which disc --strike shoots; write 1 into its column `cue`"))
        );
        assert!(folder.run(&format!("simulate --from {name} --table pool-9ft --ticks 1")).status.success());
    }
    folder.write("one.csv", "x,y\n0,0\n");
    assert_eq!(folder.summary("--from one.csv --table pool-9ft --strike 1,0 --ticks 1")["strike"]["disc"], 36);
}

#[test]
fn a_seed_is_that_of_the_generators() {
    let folder = Folder::new();
    let hash = |arguments: &str| folder.summary(arguments)["hash"].clone();
    assert_eq!(hash("many --ticks 5 --seed 8"), hash("many --ticks 5 --set seed=8"));
    assert_ne!(hash("many --ticks 5 --seed 8"), hash("many --ticks 5 --seed 9"));
    assert!(folder.rejected("simulate cradle --seed 8").contains("no generator"));
}

/// The rows of a table of events, by column.
fn events(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    assert_eq!(
        header,
        "time,tick,kind,id,name,other,other_name,x,y,vx,vy,wx,wy,wz,vx_after,vy_after,wx_after,wy_after,wz_after,height,vz,vz_after"
    );
    let row = |line: &str| header.split(',').map(String::from).zip(line.split(',').map(String::from)).collect();
    lines.map(row).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

const POOL_BALL: (f64, f64) = (0.028575, 0.170097);

#[test]
fn a_strike_off_the_middle_spins_the_ball_and_says_so() {
    let folder = Folder::new();
    let strike = folder.summary("nine-ball --ticks 1 --strike 5,90,0.3,-0.2")["strike"].clone();
    for (field, expected) in [("speed", 5.0), ("angle", 90.0), ("side", 0.3), ("top", -0.2), ("elevation", 0.0)] {
        near(number(&strike[field]), expected, 1e-5);
    }
    assert_eq!(strike["cue_ball"], true);
    let [vx, vy] = [0, 1].map(|axis| number(&strike["velocity"][axis]));
    let [wx, wy, wz] = [0, 1, 2].map(|axis| number(&strike["angular_velocity"][axis]));
    // The full speed along the cue, turned to the left by squirt, by about a degree.
    near(vx.hypot(vy), 5.0, 1e-5);
    assert!((0.5..2.0).contains(&(-vx).atan2(vy).to_degrees()), "{strike}");
    // Right english spins the ball counter-clockwise, draw backwards: 5 v / 2 R times the offset.
    let spin = 2.5 * 5.0 / POOL_BALL.0;
    near(wz, 0.3 * spin, 1e-3);
    near(wx.hypot(wy), 0.2 * spin, 1e-3);
    assert!(wx > 0.0, "{strike}");
    let text = String::from_utf8(folder.run("simulate nine-ball --ticks 1 --strike 5,90,0.3,-0.2,10").stdout).unwrap();
    assert!(text.contains("with 5.000 m/s at 90.00 degrees, 0.30 radii right of and -0.20 above the middle"), "{text}");
    assert!(text.contains(", the cue raised by 10.0 degrees: (") && text.contains(") rad/s"), "{text}");
    // Hit in the middle, as without a tip.
    let plain = folder.summary("nine-ball --ticks 1 --strike 5,0");
    assert_eq!(plain["strike"]["velocity"], serde_json::json!([5.0, 0.0]));
    assert_eq!(plain["strike"]["angular_velocity"], serde_json::json!([0.0, 0.0, 0.0]));
    assert_eq!(folder.summary("nine-ball --ticks 1 --strike 5,0,0,0")["hash"], plain["hash"]);
    assert_eq!(folder.summary("break --ticks 1 --strike 5,0")["strike"]["angular_velocity"], Value::Null);
}

#[test]
fn every_event_of_a_shot_is_written() {
    let folder = Folder::new();
    folder.write("scratch.ron", SCRATCH);
    for (arguments, discs, fall) in [("nine-ball --strike 9,3,0,0.1", 10, 0), ("scratch.ron --strike 1.5,45", 3, 2)] {
        let arguments = format!("{arguments} --seconds 20");
        let run = folder.summary(&format!("{arguments} --events events.csv"));
        let events = events(&folder.read("events.csv"));
        let count = |kind: &str| events.iter().filter(|event| event["kind"] == kind).count() as u64;
        // A hit between two balls is two events.
        assert_eq!(count("ball") / 2 + count("cushion") + count("jaw"), run["collisions"].as_u64().unwrap());
        let times: Vec<f64> = events.iter().map(|event| event["time"].parse().unwrap()).collect();
        assert!(times.is_sorted() && times[0] > 0.0);
        let fallen: Vec<_> = events.iter().filter(|event| event["kind"] == "pocket").collect();
        let potted = run["potted"].as_array().unwrap();
        assert!(potted.len() == fallen.len() && potted.len() >= fall, "{arguments}: {potted:?}");
        for (fall, event) in potted.iter().zip(&fallen) {
            assert_eq!(fall["disc"].to_string(), event["id"]);
            assert_eq!(
                (&fall["name"], &fall["pocket_name"]),
                (&event["name"][..].into(), &event["other_name"][..].into())
            );
            near(number(&fall["time"]), event["time"].parse().unwrap(), 1e-6);
            let [vx, vy] = ["vx", "vy"].map(|column| event[column].parse::<f64>().unwrap());
            near(number(&fall["speed"]), vx.hypot(vy), 1e-5);
            assert_eq!([&event["vx_after"], &event["wz_after"]], ["0.0", "0.0"]);
        }
        assert_eq!(run["discs"].as_u64().unwrap() + potted.len() as u64, discs);
        assert_eq!(run["spin_energy_after"], 0.0);
        // Recording events does not change the run.
        assert_eq!(folder.summary(&arguments)["hash"], run["hash"]);
        if fall == 0 {
            assert!(count("rolls") > 0 && count("rests") > 0 && count("ball") > 10);
        }
    }
    let text = folder.run("simulate nine-ball --ticks 10 --strike 9,1 --events - --quiet").stdout;
    assert!(String::from_utf8(text).unwrap().starts_with("time,tick,kind,"));
}

#[test]
fn events_are_where_theory_has_them() {
    let folder = Folder::new();
    // A ball that slides along the table, and one that is shot at the rounded tip of a side pocket.
    folder.write("t.csv", "id,x,y,vx,vy\n0,-1,0,2,0\n1,0.066,0.5,0,1\n");
    let run = folder.summary("--from t.csv --table pool-9ft --seconds 0.5 --events events.csv");
    let events = events(&folder.read("events.csv"));
    let of = |id: &str| events.iter().filter(|event| event["id"] == id).collect::<Vec<_>>();
    let value = |column: &str| of("0")[0][column].parse::<f64>().unwrap();
    assert_eq!(of("0")[0]["kind"], "rolls");
    // It slides until it has lost 2/7 of its speed: t = 2 v / (7 mu g). Then it rolls: w = v / R.
    let (gravity, sliding) = (9.81, 0.2);
    near(value("time"), 2.0 * 2.0 / (7.0 * sliding * gravity), 1e-5);
    near(value("x"), -1.0 + 12.0 * 2.0 * 2.0 / (49.0 * sliding * gravity), 1e-5);
    near(value("vx"), 10.0 / 7.0, 1e-5);
    near(value("wy"), 10.0 / 7.0 / POOL_BALL.0, 1e-3);
    assert_eq!((value("vx"), value("tick")), (value("vx_after"), (value("time") * 120.0).ceil()));
    let jaw = of("1").into_iter().find(|event| event["kind"] != "rolls").unwrap();
    assert_eq!(jaw["kind"], "jaw", "{jaw:?}");
    assert!(jaw["other"].parse::<u64>().is_ok() && jaw["vy"] != jaw["vy_after"], "{jaw:?}");
    near(number(&run["spin_energy_before"]), 0.0, 0.0);
    let (radius, mass) = POOL_BALL;
    folder.write("spun.csv", "x,y,vx,vy,wz\n0,0,0,0,50\n");
    let run = folder.summary("--from spun.csv --table pool-9ft --ticks 0");
    near(number(&run["spin_energy_before"]), 0.2 * mass * radius * radius * 2500.0, 1e-7);
    let text = String::from_utf8(folder.run("simulate --from spun.csv --table pool-9ft --ticks 0").stdout).unwrap();
    assert!(text.contains("energy of spin"), "{text}");
    assert_eq!(folder.summary("break --ticks 1")["spin_energy_after"], Value::Null);
}

#[test]
fn all_that_happens_has_the_same_names_everywhere() {
    let folder = Folder::new();
    folder.write("scratch.ron", SCRATCH);
    let run = folder.summary("scratch.ron --seconds 2 --events events.csv");
    let named = |i: usize| (run["potted"][i]["name"].clone(), run["potted"][i]["pocket_name"].clone());
    assert_eq!(named(0), ("ball 3".into(), "top left corner".into()));
    assert_eq!(named(1), ("cue ball".into(), "top right corner".into()));
    let text = String::from_utf8(folder.run("simulate scratch.ron --seconds 2").stdout).unwrap();
    assert!(text.contains(" m, top right corner, after "), "{text}");
    // Along the table and back: a cushion, and balls without numbers.
    folder.write("t.csv", "id,x,y,vx,vy,number\n7,0,0.2,3,0,5\n8,-0.9,0.2,0,0,\n9,0.066,-0.5,0,-1,\n");
    folder.run("simulate --from t.csv --table pool-9ft --seconds 3 --events events.csv --quiet");
    let events = events(&folder.read("events.csv"));
    let first = |kind: &str| events.iter().find(|event| event["kind"] == kind).unwrap();
    let names =
        |event: &std::collections::HashMap<String, String>| (event["name"].clone(), event["other_name"].clone());
    let expected = |name: &str, other: &str| (name.to_owned(), other.to_owned());
    assert_eq!(names(first("cushion")), expected("ball 5", "right cushion"));
    assert_eq!(names(first("jaw")), expected("disc 9", "bottom right cushion"));
    assert_eq!(names(first("ball")), expected("ball 5", "disc 8"));
    assert_eq!(names(first("rolls")).1, "");
    // Without a shipped table, pockets have numbers.
    let plain = "(table: (), collision: (mode: Continuous), pockets: [(position: (1, 0), radius: 0.1)], \
                 discs: [(ball: true, velocity: (2, 0), radius: 0.03)])";
    folder.write("plain.ron", plain);
    let run = folder.summary("plain.ron --seconds 3");
    assert_eq!((&run["potted"][0]["name"], &run["potted"][0]["pocket_name"]), (&"disc 0".into(), &"pocket 0".into()));
}

#[test]
fn events_of_long_ticks_are_where_the_balls_were() {
    let folder = Folder::new();
    // It starts to roll shortly before it hits the cushion. The straight path of the tick lags behind the curve, on
    // which the ball would already overlap the cushion.
    folder.write("t.csv", "x,y,vy\n-0.6,0.5,1\n");
    folder.run("simulate --from t.csv --table pool-9ft --set tick_rate=1 --seconds 3 --events events.csv --quiet");
    let of_one = events(&folder.read("events.csv"));
    let kinds: Vec<_> = of_one.iter().map(|event| &event["kind"][..]).collect();
    assert_eq!(kinds[..2], ["rolls", "cushion"]);
    let furthest = 0.635 - POOL_BALL.0;
    assert!(of_one.iter().all(|event| event["y"].parse::<f64>().unwrap() < furthest + 1e-6), "{of_one:?}");
    folder.run("simulate nine-ball --strike 9,1 --set tick_rate=1 --seconds 20 --events events.csv --quiet");
    let events = events(&folder.read("events.csv"));
    assert!(events.iter().filter(|event| event["kind"] == "rolls").count() > 10);
    // Between two hits the path is straight, and events in between are on it.
    let cue: Vec<_> = events.iter().filter(|event| event["name"] == "cue ball").collect();
    for way in cue.windows(3).filter(|way| way[1]["kind"] == "rolls" && way[0]["tick"] == way[2]["tick"]) {
        let [a, b, c] = [0, 1, 2].map(|i| ["x", "y"].map(|column| way[i][column].parse::<f64>().unwrap()));
        let cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert!(cross.abs() < 1e-6, "{way:?}");
    }
}

#[test]
fn a_ball_that_the_solver_stops_has_an_event() {
    let folder = Folder::new();
    // Two balls hit a third repeatedly, with a tiny budget of impacts.
    let ball =
        |x: f32, v: f32| format!("(ball: true, position: ({x}, 0), velocity: ({v}, 0), radius: 0.03, mass: 0.17)");
    let discs = [ball(-0.1, 5.0), ball(0.0, 0.0), ball(0.1, -5.0)].join(", ");
    let settings = "collision: (mode: Continuous, restitution: 0.05, impact_budget: 1)";
    folder.write("collapse.ron", &format!("(table: (), {settings}, discs: [{discs}])"));
    let run = folder.summary("collapse.ron --seconds 2 --events events.csv");
    let events = events(&folder.read("events.csv"));
    let stopped: Vec<_> = events.iter().filter(|event| event["kind"] == "stopped").collect();
    assert!(!stopped.is_empty());
    assert_eq!(run["stopped_by_solver"], stopped.len());
    assert!(stopped.iter().all(|event| event["other"].is_empty() && event["tick"] != "0"));
}

#[test]
fn events_that_cannot_be_recorded_are_rejected_with_what_is_needed() {
    let folder = Folder::new();
    for (arguments, expected) in [
        (
            "nine-ball --set mode=stepped --events e.csv",
            "--events e.csv: events are recorded in the continuous mode alone",
        ),
        (
            "gas --set mode=continuous --events e.csv",
            "--events e.csv: there are events only where discs spin on a table",
        ),
        ("break --events e.csv", "--events e.csv: "),
        ("gas --events e.csv", "and in this scene none do; take one with such a table"),
        ("nine-ball --events x --csv x", "--csv x and --events x are the same file"),
        ("nine-ball --events - --json -", "standard output"),
        ("nine-ball --events missing/e.csv", "cannot be written"),
    ] {
        let line = folder.rejected(&format!("simulate {arguments} --ticks 1"));
        assert!(line.contains(expected), "{arguments}: {line}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn what_falls_is_reported_and_the_picture_shows_its_path() {
    let folder = Folder::new();
    // One ball into the top right corner, the other at rest.
    folder.write("t.csv", "id,x,y,vx,vy\n7,1.1,0.47,1.5,1.5\n8,0,0,0,0\n");
    for mode in ["continuous", "stepped"] {
        let arguments = format!("--from t.csv --table pool-9ft --seconds 2 --set mode={mode}");
        let run = folder.summary(&format!("{arguments} --svg paths.svg"));
        let potted = run["potted"].as_array().unwrap();
        assert_eq!((potted.len(), &run["discs"]), (1, &1.into()), "{mode}: {run}");
        let fall = &potted[0];
        assert_eq!((&fall["disc"], &fall["number"], &fall["pocket"]), (&7.into(), &Value::Null, &2.into()));
        let [x, y] = [0, 1].map(|axis| number(&fall["place"][axis]));
        assert!((x - 1.27).abs() < 0.1 && (y - 0.635).abs() < 0.1, "{fall}");
        assert!((0.05..0.2).contains(&number(&fall["time"])) && number(&fall["speed"]) > 1.5, "{fall}");
        let text = String::from_utf8(folder.run(&format!("simulate {arguments}")).stdout).unwrap();
        assert!(text.contains("potted          disc 7 in pocket 2 at (1."), "{text}");
        // Two start positions, six pockets, one end position; and one path, which leads to the corner.
        let picture = folder.read("paths.svg");
        assert_eq!(picture.matches("<polyline").count(), 1, "{mode}");
        assert!(picture.contains("points=\"1.1,-0.47 "), "{picture}");
    }
    // A numbered ball is potted, then the cue ball, which cannot be shot from a pocket.
    folder.write("scratch.ron", SCRATCH);
    let run = folder.summary("scratch.ron --seconds 2 --save scratched");
    let [ball, cue] = [0, 1].map(|i| run["potted"][i].clone());
    assert_eq!((&ball["disc"], &ball["number"], &ball["cue_ball"]), (&9.into(), &3.into(), &false.into()), "{ball}");
    assert_eq!((&cue["disc"], &cue["number"], &cue["cue_ball"]), (&8.into(), &Value::Null, &true.into()), "{cue}");
    let text = String::from_utf8(folder.run("simulate scratch.ron --seconds 2").stdout).unwrap();
    assert!(
        text.contains("disc 9 (ball 3) in pocket 0") && text.contains("the cue ball (disc 8) in pocket 2"),
        "{text}"
    );
    let line = folder.rejected("simulate scratched --strike 1,0");
    assert!(line.contains("the cue ball (disc 8) lies in a pocket and cannot be shot"), "{line}");
}

#[test]
fn a_shot_that_flies_is_summed_up_with_height_and_length_and_with_a_ball_that_leaves_the_table() {
    let folder = Folder::new();
    folder.write("b.csv", "id,x,y,cue\n0,-0.6,0,1\n");
    let shot = |strike: &str| {
        let arguments = format!("--from b.csv --table pool-9ft --strike {strike} --seconds 20");
        let text = String::from_utf8(folder.run(&format!("simulate {arguments}")).stdout).unwrap();
        (folder.summary(&arguments), text)
    };
    // F22 of `docs/src/flight.md` has another cue; from the take-off speed follow height, length and time.
    let (run, text) = shot("5,0,0,0,45");
    let (strike, flight) = (&run["strike"], &run["flight"]);
    let [up, along] = [number(&strike["take_off"]), number(&strike["velocity"][0])];
    let seconds = 2.0 * up / 9.81;
    assert!((number(&flight["seconds"]) - seconds).abs() < 1e-5, "{flight}");
    assert!((number(&flight["length"]) - along * seconds).abs() < 1e-4, "{flight}");
    // Between two ticks it may be higher by g h²/8.
    assert!((number(&flight["height"]) - up * up / 19.62).abs() < 1e-4, "{flight}");
    assert!(text.contains("flight          0.159 m high, lands after 0.910 m and 0.360 s"), "{text}");
    assert_eq!(run["left_table"], Value::Array(Vec::new()));
    let (run, text) = shot("9,0,0,0,30");
    let left = &run["left_table"][0];
    assert_eq!((&left["disc"], &left["cue_ball"], &run["discs"]), (&0.into(), &true.into(), &0.into()), "{run}");
    assert!((number(&left["place"][0]) - 1.435).abs() < 1e-3, "{left}");
    assert!(text.contains("left the table  the cue ball (disc 0) at (1.435, 0.000)"), "{text}");
    let (run, text) = shot("5,0");
    assert!(run["flight"].is_null() && !text.contains("flight"), "{text}");
}

#[test]
fn a_shot_that_flies_continues_from_a_table_of_discs() {
    let folder = Folder::new();
    let whole = folder.summary("nine-ball --strike 4,0,0,0,45 --ticks 60")["hash"].clone();
    folder.run("simulate nine-ball --strike 4,0,0,0,45 --ticks 20 --csv air.csv --quiet");
    let table = folder.read("air.csv");
    assert!(table.starts_with("id,x,y,vx,vy,r,m,wx,wy,wz,ball,cue,number,height,vz\n"), "{table}");
    assert_eq!(folder.summary("--from air.csv --table pool-9ft --ticks 40")["hash"], whole);
}

/// The cue ball goes into the top right corner, and a faster numbered ball into the top left one.
const SCRATCH: &str = r#"(
  pace: (tick_rate: 120),
  collision: (mode: Continuous, restitution: 0.95),
  generate: [Table(name: "pool-9ft")],
  discs: [
    (id: 7, ball: true, position: (0, 0), radius: 0.028575, mass: 0.170097),
    (id: 8, ball: true, cue: true, position: (1.1, 0.47), velocity: (1.5, 1.5), radius: 0.028575, mass: 0.170097),
    (id: 9, ball: true, number: 3, position: (-1.1, 0.47), velocity: (-2, 2), radius: 0.028575, mass: 0.170097),
  ],
)"#;

#[test]
fn a_run_with_spin_goes_on_to_the_bit_from_its_save_and_from_its_table() {
    let folder = Folder::new();
    let shot = "nine-ball --strike 9,3,0.2,0.1";
    for ticks in [40, 150, 600] {
        let whole = folder.summary(&format!("{shot} --ticks {}", 2 * ticks))["hash"].clone();
        let half = folder.summary(&format!("{shot} --ticks {ticks} --save half.ron --csv half.csv"));
        assert_ne!(half["hash"], whole);
        assert_eq!(folder.summary("half.ron --ticks 0")["hash"], half["hash"], "{ticks}");
        assert_eq!(folder.summary("--from half.csv --table pool-9ft --ticks 0")["hash"], half["hash"], "{ticks}");
        assert_eq!(folder.summary(&format!("half.ron --ticks {ticks}"))["hash"], whole, "{ticks}");
        let from_table = folder.summary(&format!("--from half.csv --table pool-9ft --ticks {ticks}"));
        assert_eq!(from_table["hash"], whole, "{ticks}");
    }
}

#[test]
fn a_table_with_spin_is_read_with_care() {
    let folder = Folder::new();
    for (text, expected) in [
        (
            "x,y,vx,vy,r,wx\n0,0,0,0,1,nan\n",
            "bad.csv: line 2: wx is `nan`; set it to a number from -1e12 to 1e12 rad/s",
        ),
        ("x,y,vx,vy,r,ball\n0,0,0,0,1,yes\n", "bad.csv: line 2: ball is `yes`; set it to 0 or 1, or leave it empty"),
        ("x,y,vx,vy,r,wx\n0,0,0,0,1,0,0\n", "bad.csv: line 2: it has 7 fields instead of 6"),
        ("x,y,vx,vy,r,ww\n0,0,0,0,1,0\n", "wx,wy,wz,ball for discs that spin"),
        ("x,y,r,cue\n0,0,1,1\n9,9,1,1\n", "bad.csv: line 3: cue is 1, as in line 2"),
        ("x,y,vx,vy,wx\n,0,0,0,0\n", "bad.csv: line 1: there is no column `r`"),
    ] {
        folder.write("bad.csv", text);
        let line = folder.rejected("simulate --from bad.csv --ticks 1");
        assert!(line.contains(expected), "{line}");
    }
    for (row, expected) in [
        (",0,0,0,", "bad.csv: line 2: x is empty; set it to a number"),
        (
            "1.3,0,0,0,",
            "bad.csv: line 2: the disc at (1.3, 0) m is outside the --table pool-9ft, whose origin is its middle",
        ),
        ("0,0,0,0,0.7", "bad.csv: line 2: r is 0.7, too large for the --table; make it at most 0.635 m"),
    ] {
        folder.write("bad.csv", &format!("x,y,vx,vy,r\n{row}\n"));
        let line = folder.rejected("simulate --from bad.csv --table pool-9ft --ticks 1");
        assert!(line.contains(expected), "{line}");
    }
    folder.write("spins.csv", "x,y,vx,vy,r,wz\n0,0,0,0,1,3\n");
    let output = folder.run("simulate --from spins.csv --ticks 1");
    assert!(output.status.success() && said(&output).contains("nothing acts on its spin; --table NAME"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_scene_may_come_through_a_pipe_and_from_no_device() {
    use std::{io::Write, process::Stdio};
    let folder = Folder::new();
    let mut command = folder.command("simulate /dev/stdin --ticks 1 --json -");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"(discs: [(position: (0, 0), radius: 1)])").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["discs"], 1);
    for arguments in ["simulate /dev/zero", "render /dev/zero --out x.png", "/dev/zero"] {
        let line = folder.rejected(arguments);
        assert!(line.contains("/dev/zero: cannot be read (it is a device, and not a file)"), "{line}");
    }
}

#[test]
fn a_link_has_words_of_its_own_and_waits() {
    for more in [&[][..], &["--ticks", "3"], &["--set", "restitution=0.9"]] {
        let words = ["link", "gas", "--title", "What stays?", "--description", "Not the speeds.", "--paused"];
        let output = carom(&[&words[..], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let link = String::from_utf8(output.stdout).unwrap();
        let link = link.trim();
        let source = SceneSource::from_argument(link).unwrap();
        let scene = source.load().unwrap();
        assert_eq!((scene.title.as_str(), scene.description.as_str()), ("What stays?", "Not the speeds."));
        assert!(scene.pace.paused);
        // Title, description and pause do not change the run.
        let plain = carom(&[&["link", "gas"], more].concat());
        let plain = String::from_utf8(plain.stdout).unwrap();
        let [named, plain] = [link, plain.trim()].map(|link| summary(&[link, "--ticks", "20"])["hash"].clone());
        assert!(named.is_string() && named == plain, "{named} {plain}");
    }
    for words in ["--title", "--description"] {
        assert!(rejected(&["link", "--match", "match.ron", words, "Mine"]).contains(words));
    }
    assert!(rejected(&["link", "--match", "match.ron", "--paused"]).contains("--paused"));
}

#[test]
fn a_recorded_run_is_repeated_and_compared() {
    let folder = Folder::new();
    let hash = folder.summary("two-discs --ticks 60")["hash"].as_str().unwrap().to_owned();
    let start = folder.summary("two-discs --ticks 0")["hash"].as_str().unwrap().to_owned();
    let text = |end: &str| {
        format!(
            "(run: 1, version: \"0.1.0\", scene: \"two-discs\", ticks: 60, hashes: {{0: \"{start}\", 60: \"{end}\"}})"
        )
    };
    // It is recognized by its content.
    folder.write("run.ron", &text(&hash));
    let run = folder.summary("run.ron");
    assert_eq!((&run["ticks"], &run["hash"]), (&Value::from(60), &Value::from(&*hash)));
    assert_eq!((&run["run"]["identical"], &run["run"]["compared"]), (&Value::from(true), &Value::from(2)));
    let said = String::from_utf8(folder.run("simulate run.ron").stdout).unwrap();
    assert!(said.contains("identical to the recorded one of 60 ticks, in 2 states compared"), "{said}");
    folder.write("wrong.ron", &text("0000000000000000"));
    let output = folder.run("simulate wrong.ron --json -");
    assert_eq!(output.status.code(), Some(4));
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(run["run"]["first_difference"], 60);
    assert_eq!(run["run"]["last_equal"], 0);
    let said = String::from_utf8(folder.run("simulate wrong.ron").stdout).unwrap();
    assert!(said.contains("differs from the recorded one after tick 60, equal after tick 0"), "{said}");
    assert_eq!(folder.summary("wrong.ron --ticks 59")["run"]["compared"], 1);
    let line = folder.rejected("simulate run.ron --set restitution=0.5");
    assert!(line.contains("leave out --set"), "{line}");
    let changes = text(&hash).replace("})", "}, changes: [(tick: 1, set: {\"velocity\": {99: (0, 0)}})])");
    folder.write("bad.ron", &changes);
    let line = folder.rejected("simulate bad.ron");
    assert!(line.contains("changes[0].set.velocity: no entity has the id 99"), "{line}");
}
