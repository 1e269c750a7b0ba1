//! What the pages in `docs` name is there: the words of the guide for those who come from other engines, and the last program of the chapter on a first game.

use std::{collections::BTreeSet, fs, path::Path};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All names that the sources declare public: types, functions, modules, fields and the variants of enums.
fn declared(folder: &Path, names: &mut BTreeSet<String>) {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    for entry in fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("the sources can be read").path();
        if path.is_dir() {
            declared(&path, names);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        for line in fs::read_to_string(&path).expect("the sources can be read").lines() {
            let line = line.trim_start();
            // In a trait, and for the variant of an enum, nothing stands before the name.
            let said = line.strip_prefix("pub ").unwrap_or(line);
            let kinds = ["struct ", "enum ", "trait ", "const fn ", "fn ", "mod ", "type "];
            let after = kinds.iter().find_map(|kind| said.strip_prefix(kind));
            let field = said != line && name(said).len() < said.len() && said[name(said).len()..].starts_with(':');
            let is_variant = line.starts_with(char::is_uppercase);
            if let Some(said) = after.or((field || is_variant).then_some(said)) {
                names.insert(name(said));
            }
        }
    }
}

/// What stands in backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn our_words_in_the_guide_from_other_engines_exist() {
    let mut names = BTreeSet::new();
    declared(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
    // Bevy's own.
    names.extend(["FixedPostUpdate", "Time<Fixed>", "Transform"].map(str::to_owned));
    let page = read("docs/from-avian-and-rapier.md");
    // The tables of words have four columns, the last one ours; other tables have two.
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 3);
    let mut checked = 0;
    for row in rows {
        let ours = row.rsplit(" | ").next().unwrap_or_default();
        for word in in_backticks(ours) {
            for part in word.split("::") {
                assert!(names.contains(part), "`{word}` in the row {row:?}: there is no {part}");
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked} words: the tables were not found");
}

#[test]
fn the_first_game_ends_with_the_example() {
    let page = read("docs/your-first-game.md");
    let last = page.split("```rust,no_run\n").last().and_then(|after| after.split("```").next()).unwrap_or_default();
    let example = read("examples/first_game.rs");
    // The example has an introduction of its own.
    let program = example.split_once("\nuse ").map(|(_, program)| format!("use {program}"));
    assert_eq!(
        Some(last),
        program.as_deref(),
        "the last program of the chapter is examples/first_game.rs, but for its first lines"
    );
}

#[test]
fn what_pages_link_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    let docs = fs::read_dir(root.join("docs")).expect("there is a folder of pages");
    pages.extend(docs.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(|path| path.is_file()));
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page can be read");
        for link in text.split("](").skip(1).filter_map(|after| after.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            let is_file = !file.is_empty() && !file.contains("://") && !file.contains(' ');
            let place = page.parent().unwrap_or(root).join(file);
            assert!(!is_file || place.exists(), "{}: a link to {link}, which is not there", page.display());
        }
    }
}
