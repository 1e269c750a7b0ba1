//! `carom simulate` and `carom scenes`, run as a person runs them.
#![cfg(feature = "program")]

use std::{
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::Value;

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap()
}

fn summary(arguments: &[&str]) -> Value {
    let output = carom(&[&["simulate"], arguments, &["--json", "-"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs what cannot be done; gives the one line that says why.
fn refused(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.starts_with("carom: "), "{line}");
    line
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("carom-simulate-{}-{name}", std::process::id()))
}

#[test]
fn scenes_lists_every_scene_on_a_line() {
    let output = carom(&["scenes"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), carom::scene::shipped().len());
    assert!(text.starts_with("break "), "{text}");
}

#[test]
fn the_summary_holds_what_was_measured() {
    let run = summary(&["gas", "--ticks", "300", "--set", "tick_rate=60", "substeps=1"]);
    assert_eq!(run["scene"], "gas");
    assert_eq!(run["ticks"], 300);
    assert_eq!(run["seconds"], 5.0);
    assert_eq!(run["discs"], 1000);
    assert_eq!(run["refused"], 0);
    let (before, after) = (&run["kinetic_energy_before"], &run["kinetic_energy_after"]);
    let ratio = after.as_f64().unwrap() / before.as_f64().unwrap();
    // An elastic gas keeps its energy; f32 rounds.
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
fn without_an_output_a_person_gets_a_summary_and_with_quiet_nothing() {
    let text = String::from_utf8(carom(&["simulate", "cradle", "--ticks", "10"]).stdout).unwrap();
    assert!(text.contains("7 discs") && text.contains("hash"), "{text}");
    let output = carom(&["simulate", "cradle", "--ticks", "10", "--quiet"]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
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
        (vec!["simulate", "gas", "--seconds", "-1"], "carom --help"),
        (vec!["simulate", "gas", "--bogus"], "--bogus"),
        (vec!["simulate", "gas", "--json", "/no/such/folder/x"], "cannot be written"),
        (vec!["simulate", "gas", "--json", "-", "--csv", "-"], "standard output"),
        (vec!["simulate", "--from", "missing.csv"], "missing.csv: cannot be read"),
        (vec!["simulate", "--from", "missing.csv", "--box", "1"], "--box 1"),
    ] {
        let line = refused(&arguments);
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
    std::fs::remove_file(broken).unwrap();
}
