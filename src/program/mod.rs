//! The program: its command line and its subcommands.

// In a browser there is only the window; the subcommands are unused.
#![cfg_attr(target_arch = "wasm32", allow(dead_code))]

use std::process::ExitCode;

use crate::ron_text::in_one_line;

mod account;
pub mod cli;
#[cfg(feature = "program")]
mod desktop;
pub mod drill;
pub mod experiment;
#[cfg(feature = "program")]
mod folders;
#[cfg(feature = "program")]
mod gallery;
#[cfg(all(feature = "program", not(target_arch = "wasm32")))]
mod icon;
#[cfg(feature = "program")]
mod image_files;
mod jobs;
pub mod link;
pub mod measure;
#[cfg(feature = "program")]
mod no_window;
mod output;
#[cfg(all(feature = "program", target_arch = "wasm32"))]
mod page;
#[cfg(feature = "program")]
pub mod play;
#[cfg(feature = "program")]
pub mod play_options;
#[cfg(feature = "program")]
mod preferences;
mod progress;
#[cfg(feature = "program")]
mod readable;
#[cfg(feature = "program")]
mod recorder;
#[cfg(feature = "program")]
pub mod render;
pub mod run;
#[cfg(feature = "program")]
mod screenshot;
pub mod settings;
mod shot_diagram;
pub mod simulate;
pub mod strike;
pub mod sweep;
pub mod tournament;
#[cfg(feature = "program")]
mod widgets;
#[cfg(feature = "program")]
mod windows;

/// The exit status for a request that cannot be carried out.
const REJECTED: u8 = 2;

/// The exit status of a finished run that left out entities with invalid values.
const LEFT_OUT: u8 = 3;

/// The exit status if a run differs from the recorded one.
const DIFFERS: u8 = 4;

/// The characters before the name of an option. On a web page options are parameters of its address.
const DASHES: &str = if cfg!(target_arch = "wasm32") { "" } else { "--" };

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Complete, with everything in the scene.
    Whole,
    /// Without some discs or terrain, because their values are invalid.
    LeftOut,
    /// Complete, but not bit-identical to the recorded run.
    Differs,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Whole => Self::SUCCESS,
            Ending::LeftOut => Self::from(LEFT_OUT),
            Ending::Differs => Self::from(DIFFERS),
        }
    }
}

/// Runs the command line and returns the exit status:
///
/// | status | meaning |
/// |---|---|
/// | 0 | success |
/// | 2 | the request cannot be carried out; one line on standard error says what to do |
/// | 3 | the run finished without some discs or terrain, because their values are invalid; they are listed |
///
/// In a browser, the address of the page is the command line, and the page shows the error.
#[must_use]
pub fn run() -> ExitCode {
    #[cfg(all(feature = "program", target_arch = "wasm32"))]
    return cli::run(page::arguments());
    #[cfg(not(all(feature = "program", target_arch = "wasm32")))]
    cli::run(std::env::args_os())
}

/// Reports in one line why a request cannot be carried out.
fn reject(reason: &str) -> ExitCode {
    #[cfg(all(feature = "program", target_arch = "wasm32"))]
    page::report(page::State::Failed, &in_one_line(reason));
    say(reason);
    ExitCode::from(REJECTED)
}

/// Prints a message to standard error in one line, even if it quotes several lines.
fn say(words: &str) {
    eprintln!("carom: {}", in_one_line(words));
}
