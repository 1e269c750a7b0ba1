//! Results: values with errors and theory, and the mean of several runs.

use serde::Serialize;

use super::{blocks::mean_and_error, measurement::Quantity};

/// A measured value with its error and the theory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// The standard error of the mean; `None` if the run is too short for one. Two thirds of all measurements are
    /// within one standard error, 95 % within two.
    pub error: Option<f64>,
    /// The theory at the measured temperature, if there is one for the scene.
    pub theory: Option<f64>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Where, in the unit of the curve.
    pub x: f64,
    /// The value there.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// The result for a quantity that applies to the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The single value that stands for the quantity.
    pub value: Estimate,
    /// The curve; empty if the quantity has none.
    pub curve: Vec<Point>,
    /// What a reader should know: why there is no theory, what it leaves out, or that the run is short.
    pub notes: Vec<String>,
}

/// The result for one quantity.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The quantity, with its name and unit.
    pub quantity: &'static Quantity,
    /// The values, or why there are none, as a sentence without a full stop.
    pub outcome: Result<Reading, String>,
}

/// The mean over several runs of the same length, each of which measured the same quantities in the same order. Errors
/// come from the spread of the runs. A single run is returned as it is, and no run gives no results.
///
/// A curve ends where the shortest of the runs ends. A quantity without values in one of the runs has none.
#[must_use]
pub fn mean_of_runs(runs: &[Vec<Measured>]) -> Vec<Measured> {
    let [first, rest @ ..] = runs else { return Vec::new() };
    if rest.is_empty() {
        return first.clone();
    }
    let quantities = first.iter().enumerate().map(|(index, Measured { quantity, .. })| {
        let readings: Result<Vec<&Reading>, String> =
            runs.iter().map(|run| run[index].outcome.as_ref().map_err(Clone::clone)).collect();
        Measured { quantity, outcome: readings.map(|readings| mean(&readings)) }
    });
    quantities.collect()
}

fn mean(readings: &[&Reading]) -> Reading {
    let points = readings.iter().map(|reading| reading.curve.len()).min().unwrap_or(0);
    let curve = (0..points).map(|point| {
        let x = readings.iter().map(|reading| reading.curve[point].x).sum::<f64>() / readings.len() as f64;
        Point { x, estimate: mean_estimate(readings.iter().map(|reading| reading.curve[point].estimate)) }
    });
    // A remark about the length of one run does not hold for all of them.
    let notes = readings[0].notes.iter().filter(|note| readings.iter().all(|reading| reading.notes.contains(note)));
    Reading {
        value: mean_estimate(readings.iter().map(|reading| reading.value)),
        curve: curve.collect(),
        notes: notes.cloned().collect(),
    }
}

fn mean_estimate(estimates: impl Iterator<Item = Estimate>) -> Estimate {
    let (values, theories): (Vec<f64>, Vec<Option<f64>>) =
        estimates.map(|Estimate { value, theory, .. }| (value, theory)).unzip();
    let (value, error) = mean_and_error(&values);
    let theories: Option<Vec<f64>> = theories.into_iter().collect();
    Estimate { value, error, theory: theories.map(|theories| mean_and_error(&theories).0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::QUANTITIES;

    fn run(value: f64, points: &[f64]) -> Vec<Measured> {
        let estimate = |value| Estimate { value, error: Some(9.0), theory: Some(2.0 * value) };
        let curve = points.iter().zip([0.0, 1.0, 2.0]).map(|(&value, x)| Point { x, estimate: estimate(value) });
        let reading = Reading { value: estimate(value), curve: curve.collect(), notes: vec!["same".into()] };
        vec![Measured { quantity: QUANTITIES[0], outcome: Ok(reading) }]
    }

    #[test]
    fn several_runs_have_a_mean_with_the_error_of_their_spread() {
        let mut runs = vec![run(1.0, &[5.0, 6.0]), run(2.0, &[7.0]), run(3.0, &[9.0, 1.0, 1.0])];
        runs[1][0].outcome.as_mut().unwrap().notes.push("short".into());
        let Reading { value, curve, notes } = mean_of_runs(&runs)[0].outcome.clone().unwrap();
        assert_eq!(value, Estimate { value: 2.0, error: Some((1.0_f64 / 3.0).sqrt()), theory: Some(4.0) });
        assert_eq!(curve.len(), 1, "as far as all runs reach");
        assert_eq!((curve[0].x, curve[0].estimate.value), (0.0, 7.0));
        assert_eq!(notes, ["same"]);
        let alone = mean_of_runs(&runs[..1])[0].outcome.clone().unwrap();
        assert_eq!(alone.value.error, Some(9.0), "one run keeps its own error");
        runs[2][0].outcome = Err("it does not apply".into());
        assert_eq!(mean_of_runs(&runs)[0].outcome, Err("it does not apply".into()));
        assert!(mean_of_runs(&[]).is_empty());
    }
}
