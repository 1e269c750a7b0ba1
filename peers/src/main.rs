//! Runs carom beside Box2D, Rapier and Avian from the same initial states; see `README.md`.
//!
//! Every case runs in a separate process, which is this program again. Bevy's thread pool can be set only once in a
//! process, and an engine that fails or corrupts its memory harms no other.

use std::{
    error::Error,
    io,
    process::{Command, Stdio},
};

use clap::{CommandFactory, Parser, error::ErrorKind};

use crate::{cli::Cli, measure::Figures, plan::Case, report::Report};

mod cli;
mod engine;
mod measure;
mod plan;
mod plot;
mod report;
mod scene;

fn main() -> Result<(), Box<dyn Error>> {
    let Cli { command, selection } = Cli::parse();
    if let Some(cli::Command::One(case)) = command {
        let mut line = csv::WriterBuilder::new().has_headers(false).from_writer(io::stdout());
        line.serialize(measure::run(&case))?;
        return Ok(line.flush()?);
    }
    let cases = plan::cases(&selection);
    if cases.is_empty() {
        Cli::command().error(ErrorKind::ValueValidation, "nothing that was asked for is planned").exit();
    }
    let mut report = Report::new();
    for (done, case) in cases.iter().enumerate() {
        let Case { scene, discs, engine, threads, steps } = case;
        let (row, rows) = (done + 1, cases.len());
        eprint!("{row:3}/{rows}  {scene:5}  {discs:8}  {engine:6}  threads: {threads}  steps: {steps:3}");
        match measure_apart(case) {
            Ok(figures) => {
                eprintln!("  {:8.1} ns", figures.nanoseconds);
                report.add(case, &figures);
            }
            Err(error) => eprintln!("  failed: {error}"),
        }
    }
    println!("{report}");
    report.write(&selection.out)?;
    eprintln!("written: peers.csv, peers.md and peers.svg in {}", selection.out.display());
    Ok(())
}

/// Measures in a new process.
fn measure_apart(case: &Case) -> Result<Figures, Box<dyn Error>> {
    let (scene, engine) = (case.scene.to_string(), case.engine.to_string().to_lowercase());
    let [discs, threads, steps] = [case.discs.to_string(), case.threads.to_string(), case.steps.to_string()];
    let output = Command::new(std::env::current_exe()?)
        .args(["one", &scene, &discs, &engine, &threads, &steps])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(output.status.to_string().into());
    }
    let mut line = csv::ReaderBuilder::new().has_headers(false).from_reader(output.stdout.as_slice());
    Ok(line.deserialize().next().ok_or("it printed nothing")??)
}
