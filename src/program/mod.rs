//! The program: what its subcommands do.

pub mod play;
