//! The program `carom`, run as from a terminal.
#![cfg(feature = "cli")]

#[cfg(feature = "program")]
mod pictures;
mod simulate;
