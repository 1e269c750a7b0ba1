//! The tables of features in README and in the documentation of the library agree with `Cargo.toml`, and the tables of
//! plugins with each other.

use crate::read;

/// The features of `Cargo.toml` with the features that each enables, in the order of the file.
fn declared() -> Vec<(String, Vec<String>)> {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("Cargo.toml is valid");
    let features = manifest["features"].as_table().expect("a table of features");
    let is_feature = |name: &str| features.contains_key(name);
    let enabled = |value: &toml::Value| {
        let names = value.as_array().expect("a list").iter().filter_map(toml::Value::as_str);
        names.filter(|name| is_feature(name)).map(str::to_owned).collect()
    };
    let features = features.iter().filter(|(name, _)| *name != "default");
    features.map(|(name, value)| (name.clone(), enabled(value))).collect()
}

/// The rows of a table: the feature in the first column, and the features in the last.
fn rows<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(String, Vec<String>)> {
    let in_backticks = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        Some((in_backticks(cells.first()?).first()?.clone(), in_backticks(cells.last()?)))
    };
    lines.filter(|line| line.starts_with("| `")).filter_map(row).collect()
}

fn sorted(mut features: Vec<(String, Vec<String>)>) -> Vec<(String, Vec<String>)> {
    for (_, enables) in &mut features {
        enables.sort();
    }
    features.sort();
    features
}

#[test]
fn the_tables_of_features_agree() {
    let declared = sorted(declared());
    assert!(declared.len() > 8, "{declared:?}");
    let readme = read("README.md");
    let (_, after) = readme.split_once("<!-- features -->").expect("README has a table of features");
    let (table, _) = after.split_once("<!-- /features -->").expect("the table ends");
    assert_eq!(sorted(rows(table.lines())), declared, "README.md");
    let library = read("src/lib.rs");
    let (_, after) = library.split_once("//! # Features").expect("the library has a table of features");
    let (section, _) = after.split_once("//! # ").expect("a section follows");
    let lines = section.lines().map(|line| line.trim_start_matches("//! "));
    assert_eq!(sorted(rows(lines)), declared, "src/lib.rs");
}

/// The rows of the table of plugins in a text, without links and comment marks.
fn plugins(text: &str) -> Vec<String> {
    let (_, after) = text.split_once("| plugin | feature | brings |").expect("there is a table of plugins");
    let lines = after.lines().skip(2).map(|line| line.trim_start_matches("//! "));
    lines.take_while(|line| line.starts_with('|')).map(|line| line.replace("[`", "`").replace("`]", "`")).collect()
}

#[test]
fn the_tables_of_plugins_agree() {
    let of_library = plugins(&read("src/lib.rs"));
    assert!(of_library.len() > 8, "{of_library:?}");
    assert_eq!(plugins(&read("docs/src/build-a-game.md")), of_library);
}
