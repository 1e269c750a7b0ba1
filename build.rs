//! Passes the commit that the program is built from to `carom --version`.

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Other profiles would recompile the library at every commit.
    let commit = if env::var("PROFILE").is_ok_and(|profile| profile == "release") { commit() } else { None };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = commit.map_or(version.clone(), |commit| format!("{version} ({commit})"));
    println!("cargo:rustc-env=CAROM_VERSION={version}");
}

/// The commit of the checkout or of the package, or none if neither is known.
fn commit() -> Option<String> {
    // `cargo package` puts this file beside the sources.
    const PACKED: &str = ".cargo_vcs_info.json";
    if Path::new(PACKED).is_file() {
        println!("cargo:rerun-if-changed={PACKED}");
        let text = fs::read_to_string(PACKED).ok()?;
        let (_, rest) = text.split_once("\"sha1\": \"")?;
        return Some(rest.get(..SHOWN)?.to_owned());
    }
    // In a folder inside another repository, git would report that repository's commit.
    if !Path::new(".git").exists() {
        return None;
    }
    println!("cargo:rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["rev-parse", "HEAD"])?.get(..SHOWN).map(str::to_owned)
}

/// The number of digits shown of a commit.
const SHOWN: usize = 9;

/// The output of git, or none if git is not installed or fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
