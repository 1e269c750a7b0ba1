//! Answers of learners, as a table (CSV) for their teacher.

/// A committed prediction with its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The day and the time in UTC, such as `2026-11-29 08:15`.
    pub date: String,
    /// The name of the experiment.
    pub experiment: &'static str,
    /// The mode of the solver.
    pub mode: String,
    /// The prediction: a number, or the words of an answer in English.
    pub prediction: String,
    /// The measured value, its standard error, and the expected value.
    pub measured: f64,
    /// The standard error of the measured value; none for a count.
    pub error: Option<f64>,
    /// The expected value, if there is one.
    pub expected: Option<f64>,
    /// The unit of the values.
    pub unit: &'static str,
    /// Whether the chosen answer is the one of the measured value; none for a number.
    pub right: Option<bool>,
    /// What was varied, as `name=value`.
    pub varied: String,
    /// The hash of the state at the start. It is the same for all who run the same scene with the same changes.
    pub hash: u64,
}

/// The columns of the table.
const COLUMNS: [&str; 13] = [
    "name",
    "date",
    "experiment",
    "mode",
    "prediction",
    "measured",
    "error",
    "expected",
    "unit",
    "right",
    "varied",
    "start",
    "version",
];

/// The table of answers of a learner, with one row per prediction.
///
/// # Errors
/// If the table cannot be written. The message is one line.
pub fn table(learner: &str, answers: &[Answer]) -> Result<String, String> {
    let write = || -> Result<String, csv::Error> {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(COLUMNS)?;
        for it in answers {
            // More digits than any measurement has.
            let number = |value: Option<f64>| value.map(|value| format!("{}", value as f32)).unwrap_or_default();
            table.write_record([
                learner,
                &it.date,
                it.experiment,
                &it.mode,
                &it.prediction,
                &number(Some(it.measured)),
                &number(it.error),
                &number(it.expected),
                it.unit,
                it.right.map_or("", |right| if right { "yes" } else { "no" }),
                &it.varied,
                &format!("{:016x}", it.hash),
                env!("CARGO_PKG_VERSION"),
            ])?;
        }
        let bytes = table.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    write().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_with_commas_stay_in_their_columns() {
        let answer = Answer {
            experiment: "demon",
            prediction: "all, of \"them\"".to_owned(),
            measured: 1.0,
            right: Some(true),
            hash: 10,
            ..Answer::default()
        };
        let text = table("Ada, 7b", &[answer]).unwrap();
        let mut lines = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(lines.headers().unwrap().len(), COLUMNS.len());
        let row = lines.records().next().unwrap().unwrap();
        assert_eq!((&row[0], &row[4], &row[9], &row[11]), ("Ada, 7b", "all, of \"them\"", "yes", "000000000000000a"));
    }
}
