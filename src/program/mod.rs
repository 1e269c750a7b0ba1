//! The program: what its command line says, and what its subcommands do.

use std::process::ExitCode;

pub mod cli;
mod gallery;
mod picture;
pub mod play;
mod preferences;
pub mod render;
pub mod simulate;

/// The exit status of a request that cannot be met as it was made.
const REFUSED: u8 = 2;

/// Does what the command line asks for. The status is 0, or 2 where it cannot be done; one line on standard error then says
/// what to do.
#[must_use]
pub fn run() -> ExitCode {
    cli::run(std::env::args_os())
}

/// Says in one line why a request cannot be met.
fn refuse(reason: &str) -> ExitCode {
    eprintln!("carom: {reason}");
    ExitCode::from(REFUSED)
}
