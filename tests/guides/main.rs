//! Checks the pages in `docs` against the sources. The guide for users of other engines must name existing items. The
//! chapter on a first game must end with the example.
//!
//! Also checks that no modules import each other in a cycle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

mod features;
mod scene_fields;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All public names that the sources declare: types, functions, modules, fields and the variants of enums.
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
            // Items of a trait and variants of an enum have no `pub`.
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

/// The parts of a text in backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn our_words_in_the_guide_from_other_engines_exist() {
    let mut names = BTreeSet::new();
    declared(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
    // Names of Bevy.
    names.extend(["FixedPostUpdate", "Time<Fixed>", "Transform"].map(str::to_owned));
    let page = read("docs/src/from-avian-and-rapier.md");
    // The tables of names have four columns, of which the last is ours. Other tables have two.
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
    let page = read("docs/src/first-game.md");
    let last = page.split("```rust,no_run\n").last().and_then(|after| after.split("```").next()).unwrap_or_default();
    let example = read("examples/first_game.rs");
    // The example starts with its own introduction.
    let program = example.split_once("\nuse ").map(|(_, program)| format!("use {program}"));
    assert_eq!(
        Some(last),
        program.as_deref(),
        "the last program of the chapter is examples/first_game.rs without its first lines"
    );
}

/// The anchors of a page: its headings, in lower case, with dashes for blanks and without punctuation.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let headings = page.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code && line.starts_with('#')
    });
    let slug = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    headings.map(slug).collect()
}

#[test]
fn what_pages_link_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ROADMAP.md", "web/README.md", "peers/README.md"];
    let mut pages: Vec<_> = pages.iter().map(|page| root.join(page)).collect();
    let files = fs::read_dir(root.join("docs/src")).expect("there is a folder of pages");
    let files = files.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    pages.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    assert!(pages.len() > 40, "{} pages", pages.len());
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page can be read");
        let text: String = text.split("```").step_by(2).collect();
        for link in text.split("](").skip(1).filter_map(|after| after.split(')').next()) {
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let place = if file.is_empty() { page.clone() } else { page.parent().unwrap_or(root).join(file) };
            let problem = format!("{}: a link to {link}, which is not there", page.display());
            assert!(place.exists(), "{problem}");
            if !anchor.is_empty() && place.extension().is_some_and(|extension| extension == "md") {
                let target = fs::read_to_string(&place).expect("a page can be read");
                assert!(anchors(&target).contains(anchor), "{problem}");
            }
        }
    }
    let (book, summary) = (read("docs/book.toml"), read("docs/src/SUMMARY.md"));
    assert!(book.contains("src = \"src\""), "the book is made of the pages in docs/src");
    for page in fs::read_dir(root.join("docs/src")).expect("there is a folder of pages").flatten() {
        let name = page.file_name().into_string().expect("names are ASCII");
        let is_page = page.path().extension().is_some_and(|extension| extension == "md") && name != "SUMMARY.md";
        let is_listed = !is_page || summary.contains(&format!("({name})"));
        assert!(is_listed, "docs/src/SUMMARY.md does not list {name}");
    }
}

/// The paths of a tree of imports such as `crate::{a::B, c::{D, E as F}}`.
fn paths(before: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        found.push(format!("{before}{path}"));
        return;
    };
    // A string literal may contain the word and only a part of the braces.
    let Some(close) = tree.rfind('}').filter(|close| *close > open) else { return };
    let inner = &tree[open + 1..close];
    let before = format!("{before}{}", &tree[..open]);
    let (mut depth, mut start) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[start..at].trim().is_empty() {
                    paths(&before, &inner[start..at], found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths that a source names, without its tests: those of its `use` lines, and those in its code that start with
/// `crate`.
fn named(source: &str, module: &[String]) -> Vec<Vec<String>> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let (mut found, mut rest) = (Vec::new(), String::new());
    for statement in code.join("\n").split(';') {
        match statement.rsplit_once("use ").filter(|(_, tree)| tree.starts_with(['c', 's'])) {
            Some((before, tree)) if !before.ends_with(char::is_alphanumeric) => paths("", tree, &mut found),
            _ => rest += statement,
        }
    }
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let in_code = rest.match_indices("crate::").map(|(at, _)| rest[at..].split(|c| !is_of_path(c)).next());
    found.extend(in_code.flatten().map(str::to_owned));
    let absolute = |path: String| {
        let mut segments: Vec<String> = path.split("::").map(|segment| segment.trim().to_owned()).collect();
        let mut base = module.to_vec();
        match segments[0].as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                let up = segments.iter().take_while(|segment| *segment == "super").count();
                base.truncate(base.len().saturating_sub(up));
                segments.drain(..up - 1);
            }
            _ => return None,
        }
        base.extend(segments.drain(1..));
        Some(base)
    };
    found.into_iter().filter_map(absolute).collect()
}

/// The imports between the children of a module, by name.
fn arrows(parent: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = vec![src.join(parent.join("/"))];
    let mut files = Vec::new();
    while let Some(folder) = sources.pop() {
        for entry in fs::read_dir(folder).expect("the sources can be read") {
            let path = entry.expect("the sources can be read").path();
            if path.is_dir() {
                sources.extend((!path.ends_with("tests")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
                files.push(path);
            }
        }
    }
    let module_of = |path: &Path| {
        let path = path.strip_prefix(&src).expect("it lies there").with_extension("");
        let mut module: Vec<String> =
            path.iter().map(|segment| segment.to_str().expect("names are ASCII").to_owned()).collect();
        module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        module
    };
    let children: BTreeSet<String> =
        files.iter().filter_map(|path| module_of(path).get(parent.len()).cloned()).collect();
    // An import of an item that the parent re-exports is an import from the child that defines it.
    let own = ["mod.rs", "lib.rs"].map(|name| src.join(parent.join("/")).join(name));
    let own = own.iter().find(|path| path.exists()).map(|path| fs::read_to_string(path).expect("it can be read"));
    let mut handed_on = BTreeMap::new();
    for statement in own.unwrap_or_default().split(';') {
        let Some((_, tree)) = statement.rsplit_once("use ") else { continue };
        let mut found = Vec::new();
        paths("", tree, &mut found);
        for path in found {
            if let Some((child, name)) = path.split("::").next().zip(path.rsplit("::").next()) {
                handed_on.insert(name.trim().to_owned(), child.trim().to_owned());
            }
        }
    }
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in &files {
        let module = module_of(path);
        let Some(child) = module.get(parent.len()) else { continue };
        for to in named(&fs::read_to_string(path).expect("it can be read"), &module) {
            let is_here = to.len() > parent.len() && to.iter().zip(parent).all(|(one, other)| one == other);
            let Some(name) = to.get(parent.len()).filter(|_| is_here) else { continue };
            let target = if children.contains(name) { Some(name) } else { handed_on.get(name) };
            if let Some(target) = target.filter(|target| *target != child && children.contains(*target)) {
                arrows.entry(child.clone()).or_default().insert(target.clone());
            }
        }
    }
    arrows
}

/// The rows of the table of modules in the documentation of `collision`: the modules of each, from the top.
fn rows_of_modules() -> Vec<Vec<String>> {
    let page = read("src/collision/mod.rs");
    let table = page.split("//! # Where things are").nth(1).expect("it has a table of modules");
    let rows = table.lines().skip_while(|line| !line.starts_with("//! |---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with("//! |"));
    let modules = |row: &str| in_backticks(row.split('|').nth(1).unwrap_or_default()).map(str::to_owned).collect();
    rows.map(modules).collect()
}

#[test]
fn modules_of_the_core_import_only_what_stands_above_them_in_its_table() {
    let rows = rows_of_modules();
    let row_of = |module: &String| {
        let row = rows.iter().position(|row| row.contains(module));
        row.unwrap_or_else(|| panic!("{module} is missing in the table of src/collision/mod.rs"))
    };
    let arrows = arrows(&["collision"]);
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 50, "the imports are found: {arrows:?}");
    for (module, targets) in &arrows {
        for target in targets {
            assert!(row_of(target) < row_of(module), "{module} imports {target}, which does not stand above it");
        }
    }
}

/// The modules that import each other in a cycle, or lead into one.
fn in_circles(mut arrows: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let left: BTreeSet<String> = arrows.keys().cloned().collect();
        let before = left.len();
        arrows.retain(|_, targets| {
            targets.retain(|target| left.contains(target));
            !targets.is_empty()
        });
        if arrows.len() == before {
            return arrows.into_keys().collect();
        }
    }
}

#[test]
fn modules_import_each_other_in_no_circle() {
    let circle = [("a", vec!["b"]), ("b", vec!["c", "d"]), ("c", vec!["a"]), ("d", vec![])];
    let circle = circle.map(|(from, to)| (from.to_owned(), to.into_iter().map(str::to_owned).collect()));
    assert_eq!(in_circles(circle.into_iter().collect()), ["a", "b", "c"]);
    // The documentation of `collision` has its own table of modules. The modules inside its folders are not checked.
    let is_left_out = |parent: &[String]| match parent {
        [first, ..] if first == "collision" => true,
        [first, second] => first == "billiards" && second == "tables",
        _ => false,
    };
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut looked_at) = (vec![Vec::new()], 0);
    while let Some(parent) = folders.pop() {
        let folder = parent.iter().fold(src.clone(), |path, name: &String| path.join(name));
        for entry in fs::read_dir(folder).expect("the sources can be read") {
            let entry = entry.expect("the sources can be read");
            if entry.path().is_dir() && !entry.path().ends_with("tests") {
                let name = entry.file_name().into_string().expect("names are ASCII");
                folders.push([&parent[..], &[name]].concat());
            }
        }
        if !is_left_out(&parent) {
            let names: Vec<&str> = parent.iter().map(String::as_str).collect();
            assert_eq!(in_circles(arrows(&names)), [""; 0], "in src/{}", names.join("/"));
            looked_at += 1;
        }
    }
    assert!(looked_at > 25, "{looked_at} folders");
}
