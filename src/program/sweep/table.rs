//! The table of a sweep: its columns, its rows, and what an earlier run has left in the file.
//!
//! Every row carries a fingerprint of the sweep: the scene, all settings and their values, the quantities, the length
//! of a run, the seeds and the version of carom. The part and the number of jobs are not in it, as no row depends on
//! them. So the tables of all parts can be concatenated.

use std::{collections::BTreeMap, ops::Range};

use xxhash_rust::xxh3::xxh3_64;

use super::Sweep;
use crate::{laboratory::Reading, program::measure::Run};

/// The columns before the varied settings.
const FIRST_COLUMNS: [&str; 2] = ["sweep", "run"];

pub(super) struct Table<'a> {
    sweep: &'a Sweep<'a>,
    fingerprint: String,
    header: String,
}

/// The rows of a file.
pub(super) struct Found {
    /// The rows by the numbers of their runs, with their ends.
    pub(super) rows: BTreeMap<usize, String>,
    /// The length of the complete lines, bytes.
    pub(super) whole: usize,
}

impl<'a> Table<'a> {
    pub(super) fn new(sweep: &'a Sweep, version: &str) -> Self {
        let request = sweep.request;
        let varied = request.vary.iter().map(|vary| vary.key.clone());
        let values: Vec<_> =
            request.vary.iter().map(|vary| vary.values.iter().map(|(_, value)| value).collect::<Vec<_>>()).collect();
        let quantities = sweep.experiment.quantities;
        let measured =
            quantities.iter().flat_map(|quantity| ["", "_error", "_theory"].map(|end| quantity.name.to_owned() + end));
        let first = FIRST_COLUMNS.map(str::to_owned).into_iter();
        let columns: Vec<String> = first.chain(varied).chain(["seed".to_owned()]).chain(measured).collect();
        let header = line(&columns);
        let settings: Vec<String> = request.settings.iter().map(ToString::to_string).collect();
        let all = format!(
            "{version}\n{:?}\n{header}{values:?}\n{settings:?}\n{:?}\n{:?}",
            sweep.experiment.scene.file, sweep.experiment.span, sweep.seeds
        );
        Self { sweep, fingerprint: format!("{:016x}", xxh3_64(all.as_bytes())), header }
    }

    /// The first line.
    pub(super) fn header(&self) -> String {
        self.header.clone()
    }

    /// The cells of a row before the measured values.
    fn begin(&self, run: usize) -> Vec<String> {
        let (values, seed) = self.sweep.values(run);
        let mut cells = vec![self.fingerprint.clone(), run.to_string()];
        cells.extend(values.into_iter().map(str::to_owned));
        cells.push(seed.map(|seed| seed.to_string()).unwrap_or_default());
        cells
    }

    /// The row of a run. Where a quantity does not apply, its cells are empty.
    pub(super) fn row(&self, number: usize, run: &Run) -> String {
        let mut cells = self.begin(number);
        for measured in &run.results {
            let value = measured.outcome.as_ref().ok().map(|Reading { value, .. }| value);
            let numbers = [value.map(|it| it.value), value.and_then(|it| it.error), value.and_then(|it| it.theory)];
            cells.extend(numbers.map(|number| number.map(|number| number.to_string()).unwrap_or_default()));
        }
        line(&cells)
    }

    /// Reads the rows of a file, which may be empty, end in an incomplete line, or hold the tables of several parts.
    ///
    /// # Errors
    /// If it is not a table of this sweep. Messages call the file `place`.
    pub(super) fn read(&self, text: &str, place: &str) -> Result<Found, String> {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let other = |number: usize, what: &str| {
            format!(
                "{place}: line {number} is {what}; name another file, or repeat the command that began this one without changes"
            )
        };
        // A first line that was cut off is part of the header of this sweep, or the file is not ours to overwrite.
        if whole == 0 && !self.header.starts_with(text) {
            return Err(other(1, "not the header of this sweep"));
        }
        let mut rows = BTreeMap::new();
        for (number, row) in text[..whole].split_inclusive('\n').enumerate() {
            if row == self.header {
                continue;
            }
            if number == 0 {
                return Err(other(1, "not the header of this sweep"));
            }
            let run = self.run_of(row).ok_or_else(|| other(number + 1, "no row of this sweep"))?;
            rows.entry(run).or_insert_with(|| row.to_owned());
        }
        Ok(Found { rows, whole })
    }

    /// The run of a row of this sweep.
    fn run_of(&self, row: &str) -> Option<usize> {
        let cells = cells(row)?;
        let run: usize = cells.get(1)?.parse().ok()?;
        let numbers: Range<usize> = 0..self.sweep.runs;
        let begin = numbers.contains(&run).then(|| self.begin(run))?;
        let columns = begin.len() + 3 * self.sweep.experiment.quantities.len();
        let is_number = |cell: &String| cell.is_empty() || cell.parse::<f64>().is_ok();
        let is_ours = cells.len() == columns && cells.starts_with(&begin) && cells[begin.len()..].iter().all(is_number);
        is_ours.then_some(run)
    }
}

/// A line of a table.
fn line(cells: &[String]) -> String {
    let quoted = |cell: &String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
    };
    cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// The cells of a line.
fn cells(row: &str) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(str::to_owned).collect())
}
