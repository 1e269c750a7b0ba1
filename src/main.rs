//! The program `carom`; see [`carom::program`].

use std::process::ExitCode;

fn main() -> ExitCode {
    carom::program::run()
}
