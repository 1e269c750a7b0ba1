//! Tells the program of which commit it is built, for `carom --version`.

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Where one works on it every commit would otherwise compile the library anew.
    let commit = if env::var("PROFILE").is_ok_and(|profile| profile == "release") { commit() } else { None };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = commit.map_or(version.clone(), |commit| format!("{version} ({commit})"));
    println!("cargo:rustc-env=CAROM_VERSION={version}");
}

/// The commit of the checkout, or that of which the package was made; none where there is neither.
fn commit() -> Option<String> {
    // What `cargo package` puts beside the sources.
    const PACKED: &str = ".cargo_vcs_info.json";
    if Path::new(PACKED).is_file() {
        println!("cargo:rerun-if-changed={PACKED}");
        let text = fs::read_to_string(PACKED).ok()?;
        let (_, rest) = text.split_once("\"sha1\": \"")?;
        return Some(rest.get(..SHOWN)?.to_owned());
    }
    // A folder within somebody else's repository has another commit.
    if !Path::new(".git").exists() {
        return None;
    }
    println!("cargo:rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["rev-parse", "HEAD"])?.get(..SHOWN).map(str::to_owned)
}

/// So many letters of a commit are shown.
const SHOWN: usize = 9;

/// What git says; nothing where it is not installed or knows nothing of this.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
