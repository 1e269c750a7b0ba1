//! Runs the program as from a terminal.

use std::process::{Command, Output};

use serde_json::Value;

pub fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap()
}

/// Runs a command that must fail, and returns its error, one line.
pub fn rejected(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.starts_with("carom: "), "{line}");
    line
}

/// A folder for one test, in which the program runs.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command
    }

    pub fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub fn summary(&self, arguments: &str) -> Value {
        let output = self.run(&format!("simulate {arguments} --json -"));
        assert!(output.status.success(), "{arguments}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub fn rejected(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        let line = said(&output);
        assert_eq!(line.lines().count(), 1, "{line}");
        line
    }
}

pub fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
