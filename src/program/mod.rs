//! The program: what its command line says, and what its subcommands do.

// A page is the window alone: the subcommands are left out of it.
#![cfg_attr(target_arch = "wasm32", allow(dead_code))]

use std::process::ExitCode;

mod account;
pub mod cli;
#[cfg(feature = "program")]
mod desktop;
#[cfg(feature = "program")]
mod folders;
#[cfg(feature = "program")]
mod gallery;
#[cfg(all(feature = "program", not(target_arch = "wasm32")))]
mod icon;
#[cfg(feature = "program")]
mod image_files;
pub mod link;
#[cfg(feature = "program")]
mod no_window;
mod output;
#[cfg(all(feature = "program", target_arch = "wasm32"))]
mod page;
#[cfg(feature = "program")]
mod picture;
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
pub mod settings;
pub mod simulate;
pub mod strike;
pub mod tournament;
#[cfg(feature = "program")]
mod widgets;
#[cfg(feature = "program")]
mod windows;

/// The exit status of a request that cannot be met as it was made.
const REJECTED: u8 = 2;

/// The exit status of a run that ended, but without something whose values cannot be simulated.
const LEFT_OUT: u8 = 3;

/// What stands before the name of an option: on a page of the web options are parameters of its address.
const DASHES: &str = if cfg!(target_arch = "wasm32") { "" } else { "--" };

/// How a run ended that could be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With all that the scene holds.
    Whole,
    /// Discs or terrain were left out because of values that cannot be simulated.
    LeftOut,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Whole => Self::SUCCESS,
            Ending::LeftOut => Self::from(LEFT_OUT),
        }
    }
}

/// Does what the command line asks for. The status is 0; 2 where it cannot be done, and one line on standard error then
/// says what to do; or 3 where a run ended but left out discs or terrain with values that cannot be simulated, which
/// are named.
///
/// In a browser the address of the page is the command line, and the page shows that line.
#[must_use]
pub fn run() -> ExitCode {
    #[cfg(all(feature = "program", target_arch = "wasm32"))]
    return cli::run(page::arguments());
    #[cfg(not(all(feature = "program", target_arch = "wasm32")))]
    cli::run(std::env::args_os())
}

/// Says in one line why a request cannot be met.
fn reject(reason: &str) -> ExitCode {
    #[cfg(all(feature = "program", target_arch = "wasm32"))]
    page::tell(page::State::Failed, reason);
    eprintln!("carom: {reason}");
    ExitCode::from(REJECTED)
}
