//! The results of `carom measure`, as JSON, as a table and as text.

use std::fmt;

use serde::Serialize;

use super::experiment::{Experiment, Run};
use crate::{
    laboratory::{Estimate, Measured, Point, Reading},
    number::{count, digits, trimmed, with_error},
    program::account::InvalidEntry,
};

/// The results of all runs.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    /// The scene, or the file.
    scene: String,
    /// The simulated seconds of a run that the values are about, and those before.
    seconds: f64,
    warm_up: f64,
    /// The number of discs of the first run.
    discs: usize,
    /// The seeds; null is the scene's own.
    seeds: Vec<Option<u64>>,
    quantities: Vec<Entry>,
    /// Likely mistakes in the scene, in words.
    warnings: Vec<String>,
    /// Discs and terrain that were left out of the first run because of an invalid value.
    invalid: Vec<InvalidEntry>,
}

/// The result for a quantity.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    name: &'static str,
    about: &'static str,
    /// Empty for a number without one.
    unit: &'static str,
    /// Why there is no value, if there is none.
    not_measured: Option<String>,
    value: Option<f64>,
    error: Option<f64>,
    theory: Option<f64>,
    notes: Vec<String>,
    curve: Option<CurveEntry>,
}

#[derive(Clone, Debug, Serialize)]
struct CurveEntry {
    x: &'static str,
    y: &'static str,
    points: Vec<Point>,
}

impl Entry {
    fn of(Measured { quantity, outcome }: Measured) -> Self {
        let (reading, not_measured) = match outcome {
            Ok(reading) => (Some(reading), None),
            Err(reason) => (None, Some(reason)),
        };
        let estimate = reading.as_ref().map(|reading| reading.value);
        let (curve, notes) = reading.map_or_else(Default::default, |Reading { curve, notes, .. }| (curve, notes));
        let axes = quantity.curve.filter(|_| !curve.is_empty());
        Self {
            name: quantity.name,
            about: quantity.about,
            unit: quantity.unit,
            not_measured,
            value: estimate.map(|estimate| estimate.value),
            error: estimate.and_then(|estimate| estimate.error),
            theory: estimate.and_then(|estimate| estimate.theory),
            notes,
            curve: axes.map(|axes| CurveEntry { x: axes.x, y: axes.y, points: curve }),
        }
    }

    fn points(&self) -> &[Point] {
        self.curve.as_ref().map_or(&[], |curve| &curve.points)
    }
}

/// How far the value is from the theory, in standard errors.
pub(in crate::program) fn deviation(value: f64, error: Option<f64>, theory: f64) -> String {
    // A smaller error is one of rounding.
    let Some(error) = error.filter(|error| *error > 1e-12 * value.abs()) else { return String::new() };
    format!("{:+.1} errors", (value - theory) / error)
}

/// Puts rows in columns, the first to the left and the others to the right.
fn write_columns(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>]) -> fmt::Result {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let letters = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(letters).max().unwrap_or(0))
        .collect();
    for row in rows {
        let mut line = String::new();
        for (column, (text, &width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - letters(text));
            line += "  ";
            line += &if column == 0 { text.clone() + &padding } else { padding + text };
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

impl Summary {
    pub(super) fn new(experiment: &Experiment, first: &Run, seeds: &[Option<u64>], results: Vec<Measured>) -> Self {
        Self {
            scene: experiment.scene.source.to_string(),
            seconds: first.measured,
            warm_up: experiment.span.warm_up,
            discs: first.discs,
            seeds: seeds.to_vec(),
            quantities: results.into_iter().map(Entry::of).collect(),
            warnings: first.warnings.clone(),
            invalid: first.left_out.iter().map(InvalidEntry::from).collect(),
        }
    }

    /// The results as a table with the columns quantity, x, value, error, theory. The row without x is the single value
    /// of a quantity.
    pub(super) fn table(&self) -> Result<String, String> {
        let failed = |error: &dyn fmt::Display| format!("the table cannot be made: {error}");
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["quantity", "x", "value", "error", "theory"]).map_err(|error| failed(&error))?;
        for entry in self.quantities.iter().filter(|entry| entry.value.is_some()) {
            let single = (entry.name, None, entry.value, entry.error, entry.theory);
            let points = entry.points().iter().map(|Point { x, estimate: Estimate { value, error, theory } }| {
                (entry.name, Some(*x), Some(*value), *error, *theory)
            });
            for row in std::iter::once(single).chain(points) {
                writer.serialize(row).map_err(|error| failed(&error))?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| failed(&error))?;
        String::from_utf8(bytes).map_err(|error| failed(&error))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scene, seconds, warm_up, discs, seeds, quantities, .. } = self;
        let runs = match seeds[..] {
            [None] => String::new(),
            [Some(seed)] => format!(", seed {seed}"),
            _ => format!(
                ", {} runs with seeds {} to {}",
                seeds.len(),
                seeds[0].unwrap_or(0),
                seeds[seeds.len() - 1].unwrap_or(0)
            ),
        };
        let [seconds, warm_up] = [seconds, warm_up].map(|seconds| trimmed(*seconds, 3));
        writeln!(f, "{scene}: {}, {seconds} s after {warm_up} s{runs}", count(*discs, "disc", "discs"))?;
        let mut rows = vec![["quantity", "value", "", "theory", "", "unit"].map(str::to_owned).to_vec()];
        for entry in quantities {
            let Some(value) = entry.value else { continue };
            let [text, error] = with_error(value, entry.error);
            let theory = entry.theory.map(digits).unwrap_or_default();
            let off = entry.theory.map(|theory| deviation(value, entry.error, theory)).unwrap_or_default();
            rows.push(vec![entry.name.to_owned(), text, error, theory, off, entry.unit.to_owned()]);
        }
        if rows.len() > 1 {
            write_columns(f, &rows)?;
        }
        for entry in quantities {
            for note in entry.notes.iter().chain(&entry.not_measured) {
                let is_missing = entry.value.is_none();
                writeln!(f, "  {}: {}{note}", entry.name, if is_missing { "not measured: " } else { "" })?;
            }
        }
        // The curve of a single quantity is what was asked for. The curves of all quantities would hide the values.
        if let [Entry { curve: Some(CurveEntry { x, y, points }), .. }] = &quantities[..] {
            let mut rows = vec![vec![(*x).to_owned(), (*y).to_owned(), String::new(), "theory".to_owned()]];
            rows.extend(points.iter().map(|Point { x, estimate: Estimate { value, error, theory } }| {
                let [value, error] = with_error(*value, *error);
                vec![trimmed(*x, 4), value, error, theory.map(digits).unwrap_or_default()]
            }));
            writeln!(f)?;
            write_columns(f, &rows)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_to_the_theory_is_in_errors() {
        assert_eq!(deviation(1.0, Some(0.5), 2.0), "-2.0 errors");
    }
}
