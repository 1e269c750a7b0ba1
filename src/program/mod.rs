//! The program: what its command line says, and what its subcommands do.

use std::process::ExitCode;

mod account;
pub mod cli;
mod gallery;
mod output;
mod picture;
pub mod play;
mod preferences;
pub mod render;
pub mod simulate;
mod strike;

/// The exit status of a request that cannot be met as it was made.
const REJECTED: u8 = 2;

/// The exit status of a run that ended, but without something whose values cannot be simulated.
const LEFT_OUT: u8 = 3;

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

/// Does what the command line asks for. The status is 0; 2 where it cannot be done, and one line on standard error then says
/// what to do; or 3 where a run ended but left out discs or terrain with values that cannot be simulated, which are named.
#[must_use]
pub fn run() -> ExitCode {
    cli::run(std::env::args_os())
}

/// Says in one line why a request cannot be met.
fn reject(reason: &str) -> ExitCode {
    eprintln!("carom: {reason}");
    ExitCode::from(REJECTED)
}
