//! The table: for people (Markdown, which is also aligned text) and for programs (CSV).

use std::{
    fmt::{self, Display},
    fs, io,
    path::Path,
};

use serde::Serialize;
use tabled::{
    builder::Builder,
    settings::{Alignment, Style, object::Columns},
};

use crate::{engine::Name, measure::Figures, plan::Case, plot, scene::Scene};

/// A line of the CSV file.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The scene.
    pub scene: Scene,
    /// Number of discs.
    pub discs: usize,
    /// The engine.
    pub engine: Name,
    /// Number of threads.
    pub threads: usize,
    /// Number of steps.
    pub steps: u32,
    /// Simulated seconds.
    pub seconds: f64,
    /// Median of the second half of the steps, nanoseconds.
    pub ns_per_disc_step: f64,
    /// Box2D's nanoseconds divided by these, for as many threads; empty where Box2D was not run.
    pub speed_vs_box2d: Option<f64>,
    /// See [`Figures`].
    pub energy_ratio: f64,
    /// See [`Figures`].
    pub overlap_max: f64,
    /// See [`Figures`].
    pub overlap_mean: f64,
    /// See [`Figures`], m/s.
    pub rms_speed: f64,
    /// See [`Figures`].
    pub outside: usize,
    /// The engine's version.
    pub version: String,
    /// The day, UTC.
    pub date: String,
    /// The processor's name.
    pub cpu: String,
}

/// All rows, and the time and place of their measurement.
pub struct Report {
    rows: Vec<Row>,
    date: String,
    cpu: String,
}

impl Report {
    /// An empty table of today and of this machine.
    pub fn new() -> Self {
        Self { rows: Vec::new(), date: time::OffsetDateTime::now_utc().date().to_string(), cpu: cpu() }
    }

    /// Adds a row; Box2D's goes before those that are compared with it.
    pub fn add(&mut self, case: &Case, figures: &Figures) {
        let same = |row: &&Row| (row.scene, row.discs, row.threads) == (case.scene, case.discs, case.threads);
        let nanoseconds = figures.nanoseconds;
        let box2d = match case.engine {
            Name::Box2d => Some(nanoseconds),
            _ => self.rows.iter().filter(same).find(|row| row.engine == Name::Box2d).map(|row| row.ns_per_disc_step),
        };
        self.rows.push(Row {
            scene: case.scene,
            discs: case.discs,
            engine: case.engine,
            threads: case.threads,
            steps: case.steps,
            seconds: case.seconds(),
            ns_per_disc_step: nanoseconds,
            speed_vs_box2d: box2d.map(|box2d| box2d / nanoseconds),
            energy_ratio: figures.energy_ratio,
            overlap_max: figures.overlap_max,
            overlap_mean: figures.overlap_mean,
            rms_speed: figures.rms_speed,
            outside: figures.outside,
            version: case.engine.version(),
            date: self.date.clone(),
            cpu: self.cpu.clone(),
        });
    }

    /// Writes `peers.csv`, `peers.md` and `peers.svg` into this folder.
    ///
    /// # Errors
    /// The folder or a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut table = csv::Writer::from_path(folder.join("peers.csv"))?;
        for row in &self.rows {
            table.serialize(row)?;
        }
        table.flush()?;
        fs::write(folder.join("peers.md"), self.to_string())?;
        svg::save(folder.join("peers.svg"), &plot::draw(&self.rows, &self.origin()))
    }

    /// The date, machine and subject of the measurement, in one line.
    fn origin(&self) -> String {
        let mut versions: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !versions.contains(&row.version.as_str()) {
                versions.push(&row.version);
            }
        }
        format!("{}, {}: {}", self.date, self.cpu, versions.join(", "))
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut table = Builder::default();
        table.push_record([
            "scene",
            "engine",
            "discs",
            "threads",
            "seconds",
            "ns",
            "speed",
            "energy",
            "overlap max",
            "mean",
            "rms m/s",
            "outside",
        ]);
        for row in &self.rows {
            // The speed of a gas and the energy of a pile say nothing.
            let (energy, speed) = match row.scene {
                Scene::Pile => (String::new(), format!("{:.4}", row.rms_speed)),
                Scene::Gas | Scene::Radii => (format!("{:.6}", row.energy_ratio), String::new()),
            };
            table.push_record([
                row.scene.to_string(),
                row.engine.to_string(),
                row.discs.to_string(),
                row.threads.to_string(),
                format!("{:.1}", row.seconds),
                format!("{:.1}", row.ns_per_disc_step),
                row.speed_vs_box2d.map(|ratio| format!("{ratio:.2}")).unwrap_or_default(),
                energy,
                format!("{:.4}", row.overlap_max),
                format!("{:.4}", row.overlap_mean),
                speed,
                row.outside.to_string(),
            ]);
        }
        let mut table = table.build();
        table.with(Style::markdown()).modify(Columns::new(2..), Alignment::right());
        writeln!(formatter, "{}.\n\n{table}\n\n{COLUMNS}", self.origin())
    }
}

/// The explanation of the columns.
const COLUMNS: &str = "\
seconds: simulated time at 60 steps a second. ns: nanoseconds per disc and step, median of the second half of the steps.
speed: Box2D's ns divided by these, for as many threads. energy: kinetic energy after / before; 1 is right.
overlap: of two discs at the end, as a share of the smaller radius; the mean is over the pairs that overlap.
rms: root mean square of the speeds at the end. outside: discs whose centre has left the box.";

/// The processor's name, if the system reports it, and its number of threads.
fn cpu() -> String {
    let name = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| Some(text.lines().find(|line| line.starts_with("model name"))?.split_once(": ")?.1.to_owned()))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name} ({cores} hardware threads)")
}
