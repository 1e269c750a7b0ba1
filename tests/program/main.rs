//! The program `carom`, run as from a terminal.
#![cfg(feature = "cli")]

mod experiment;
mod measure;
#[cfg(feature = "program")]
mod pictures;
mod simulate;
mod support;
