//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::{engine::Name, plan::Case, scene::Scene};

/// Runs carom beside Box2D, Rapier and Avian from the same initial states, and writes a table and a plot.
#[derive(Parser, Debug)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// The hidden subcommand, if any.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The selected cases.
    #[command(flatten)]
    pub selection: Selection,
}

/// The subcommand that this program runs in a new process.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Measures one case in this process and prints its figures as a line of CSV
    #[command(hide = true)]
    One(Case),
}

/// The selection among the planned cases.
#[derive(Args, Debug)]
pub struct Selection {
    /// Scenes
    #[arg(long, value_enum, value_delimiter = ',', default_value = "gas,pile,radii")]
    pub scenes: Vec<Scene>,
    /// Engines
    #[arg(long, value_enum, value_delimiter = ',', default_value = "box2d,rapier,avian,carom")]
    pub engines: Vec<Name>,
    /// Numbers of discs, of those that are planned: 1000, 10000, 100000, 1000000
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
    pub sizes: Vec<usize>,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_parser = threads)]
    pub threads: Vec<usize>,
    /// A tenth of the steps: to see that everything works
    #[arg(long)]
    pub quick: bool,
    /// The folder for peers.csv, peers.md and peers.svg
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/results"))]
    pub out: PathBuf,
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=32) => Ok(threads),
        _ => Err("from 1 to 32".to_owned()),
    }
}
