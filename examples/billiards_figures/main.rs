//! The figures of `docs/physics.md`, computed by the physics itself: lines are closed forms or functions of a single
//! hit, dots are shots simulated by whole ticks.
//!
//! `cargo run --example billiards_figures -- docs/figures`

use std::{env, fs, io, path::PathBuf};

mod chart;
mod figures;
mod shots;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "docs/figures".into()));
    fs::create_dir_all(&folder)?;
    for (name, draw) in figures::ALL {
        let path = folder.join(name).with_extension("svg");
        fs::write(&path, draw())?;
        println!("{}", path.display());
    }
    Ok(())
}
