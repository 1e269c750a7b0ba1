//! The results of drills over weeks, as a small file: one line of RON for each time a drill was played to its end.
//! Lines are only added. A damaged line is left out, and the others are read.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    date::date,
    storage::{add_line, read_lines},
};

/// The result of a drill that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrillResult {
    /// When it ended, seconds since 1970.
    pub at: u64,
    /// The drill: the name of a shipped one, or the title of the file.
    pub drill: String,
    /// The table.
    pub table: String,
    /// The number of attempts.
    pub attempts: u32,
    /// The points of all attempts.
    pub score: i32,
    /// The points that pass.
    pub pass: i32,
}

impl DrillResult {
    /// Whether the drill is passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.score >= self.pass
    }

    /// The day, as in `2026-11-29`, in UTC.
    #[must_use]
    pub fn day(&self) -> String {
        date(self.at)[..10].to_owned()
    }
}

/// All results of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The results, in the order of the file.
    pub results: Vec<DrillResult>,
    /// The number of lines that could not be read.
    pub damaged: usize,
}

/// The statistics of a drill.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrillSummary {
    /// The drill.
    pub drill: String,
    /// How often it was played to its end.
    pub times: usize,
    /// How often it was passed.
    pub passed: usize,
    /// The best score.
    pub best: i32,
    /// The mean score.
    pub mean: f64,
    /// The score of the last time.
    pub last: i32,
}

/// The results of a drill on one day.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Day {
    /// The day, as in `2026-11-29`, in UTC.
    pub day: String,
    /// How often the drill was played to its end.
    pub times: usize,
    /// The best score.
    pub best: i32,
    /// The mean score.
    pub mean: f64,
}

impl Progress {
    /// The file in a folder for the program's data, beside the folder of matches.
    #[must_use]
    pub fn file_beside(matches: &Path) -> PathBuf {
        matches.with_file_name("drills.ron")
    }

    /// Reads a file. Without the file, there are no results.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        read_lines(path).map(|(results, damaged)| Self { results, damaged })
    }

    /// Adds a result to a file. All other lines stay as they are, damaged ones too.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn add(path: &Path, result: &DrillResult) -> io::Result<()> {
        add_line(path, result)
    }

    /// The statistics of each drill, in the order in which they were first played.
    #[must_use]
    pub fn by_drill(&self) -> Vec<DrillSummary> {
        grouped(&self.results, |result| result.drill.clone())
            .into_iter()
            .map(|(drill, results)| DrillSummary {
                drill,
                times: results.len(),
                passed: results.iter().filter(|result| result.passed()).count(),
                best: best(&results),
                mean: mean(&results),
                last: results.last().map_or(0, |result| result.score),
            })
            .collect()
    }

    /// The results of a drill by day, in order.
    #[must_use]
    pub fn by_day(&self, drill: &str) -> Vec<Day> {
        let mut of_drill: Vec<DrillResult> =
            self.results.iter().filter(|result| result.drill == drill).cloned().collect();
        of_drill.sort_by_key(|result| result.at);
        grouped(&of_drill, DrillResult::day)
            .into_iter()
            .map(|(day, results)| Day { day, times: results.len(), best: best(&results), mean: mean(&results) })
            .collect()
    }
}

/// Groups results by a key, in the order of the first of each group.
fn grouped(results: &[DrillResult], key: impl Fn(&DrillResult) -> String) -> Vec<(String, Vec<&DrillResult>)> {
    let mut groups: Vec<(String, Vec<&DrillResult>)> = Vec::new();
    for result in results {
        let key = key(result);
        match groups.iter_mut().find(|(of, _)| *of == key) {
            Some((_, group)) => group.push(result),
            None => groups.push((key, vec![result])),
        }
    }
    groups
}

fn best(results: &[&DrillResult]) -> i32 {
    results.iter().map(|result| result.score).max().unwrap_or(0)
}

fn mean(results: &[&DrillResult]) -> f64 {
    let sum: i64 = results.iter().map(|result| i64::from(result.score)).sum();
    sum as f64 / results.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(at: u64, drill: &str, score: i32) -> DrillResult {
        DrillResult { at, drill: drill.to_owned(), table: "pool-9ft".to_owned(), attempts: 10, score, pass: 7 }
    }

    #[test]
    fn damaged_lines_are_left_out_and_stay_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = Progress::file_beside(&folder.path().join("data").join("matches"));
        assert_eq!(Progress::read(&path).unwrap(), Progress::default());
        Progress::add(&path, &result(0, "lag", 3)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.clone() + "(at:1,drill:\"la\n\u{0}\n(at: 5)").unwrap();
        Progress::add(&path, &result(9, "lag", 8)).unwrap();
        let progress = Progress::read(&path).unwrap();
        assert_eq!(progress, Progress { results: vec![result(0, "lag", 3), result(9, "lag", 8)], damaged: 3 });
        let after = std::fs::read_to_string(&path).unwrap();
        assert!(after.starts_with(&text) && after.contains("(at: 5)\n"), "{after}");
    }

    #[test]
    fn statistics_are_those_of_the_results() {
        // Two days: 29 February 2000, and the day after.
        let day = 951_782_400;
        let results = vec![
            result(day, "lag", 4),
            result(day + 60, "kick", 7),
            result(day + 86_399, "lag", 7),
            result(day + 86_400, "lag", 10),
        ];
        let progress = Progress { results, damaged: 0 };
        let summaries = progress.by_drill();
        let lag = DrillSummary { drill: "lag".to_owned(), times: 3, passed: 2, best: 10, mean: 7.0, last: 10 };
        assert_eq!((summaries.len(), &summaries[0]), (2, &lag));
        let days = progress.by_day("lag");
        let known: Vec<_> = days.iter().map(|day| (day.day.as_str(), day.times, day.best, day.mean)).collect();
        assert_eq!(known, [("2000-02-29", 2, 7, 5.5), ("2000-03-01", 1, 10, 10.0)]);
    }
}
