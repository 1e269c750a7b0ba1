//! `carom experiment`, and locks in `carom link`, run as from a terminal.

use serde_json::Value;

use crate::support::Folder;

fn result(folder: &Folder, arguments: &str) -> Value {
    let output = folder.run(&format!("experiment {arguments} --json -"));
    assert!(output.status.success(), "{arguments}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_experiment_compares_the_measured_value_with_the_expected_one() {
    let folder = Folder::new();
    let chain = result(&folder, "chain --set between=9 --mode stepped");
    assert!((chain["expected"].as_f64().unwrap() - 7.6891).abs() < 1e-3, "{chain}");
    assert!((chain["measured"].as_f64().unwrap() - 7.6891).abs() < 1e-3, "{chain}");
    assert_eq!((&chain["unit"], &chain["kind"], &chain["mode"]), (&"m/s".into(), &"exact".into(), &"stepped".into()));
    let wall = result(&folder, "closing-wall");
    assert_eq!(wall["answer"], "it stays the same");
    let shocks = result(&folder, "shock --seeds 3");
    assert_eq!(shocks["runs"], 3);
    let [measured, error, expected] = ["measured", "error", "expected"].map(|key| shocks[key].as_f64().unwrap());
    assert!(error > 0.0 && (measured / expected - 1.0).abs() < 0.12, "{shocks}");
}

#[test]
fn without_a_name_all_are_listed_and_the_summary_has_both_values() {
    let folder = Folder::new();
    let list = String::from_utf8(folder.run("experiment").stdout).unwrap();
    assert_eq!(list.lines().count(), carom::experiments::EXPERIMENTS.len(), "{list}");
    let said = String::from_utf8(folder.run("experiment galperin --set ratio=100").stdout).unwrap();
    assert!(said.contains("measured    31\n") && said.contains("expected    31 (exact;"), "{said}");
}

#[test]
fn what_cannot_be_done_is_explained_in_a_line() {
    let folder = Folder::new();
    for (arguments, expected) in [
        ("experiment gas", "it has no experiment"),
        ("experiment chain --set between=99", "between must be a whole number from 0 to 20"),
        ("experiment chain --set hats=3", "there is no setting `hats`"),
        ("experiment galperin --mode stepped", "there is no result after 20 s"),
        ("experiment chain --seeds 2", "no generator with a seed"),
        ("link chain --lock physic", "did you mean `physics`"),
    ] {
        let said = folder.rejected(arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[test]
fn a_link_for_a_class_keeps_its_locks_and_its_experiment() {
    let folder = Folder::new();
    let output = folder.run("link chain --lock experiment,physics");
    let link = String::from_utf8(output.stdout).unwrap();
    let file = carom::scene::SceneSource::from_argument(link.trim()).unwrap().load().unwrap();
    assert_eq!(file.locked, ["experiment", "physics"]);
    assert_eq!(file.experiment, "chain");
}
