//! The figures of `docs/src/physics-validation.md`, drawn by the physics itself. Lines are closed forms or the
//! functions of one hit; dots are shots that were played through whole ticks.
//!
//! `cargo run --example billiards_figures -- docs/src/figures`

use std::{env, fs, io, path::PathBuf};

mod chart;
mod figures;
mod shots;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "docs/src/figures".into()));
    fs::create_dir_all(&folder)?;
    for (name, draw) in figures::ALL {
        let path = folder.join(name).with_extension("svg");
        fs::write(&path, draw())?;
        println!("{}", path.display());
    }
    Ok(())
}
