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

/// The date and time of a number of seconds since 1970, in UTC. The calendar is that of Hinnant's `civil_from_days`
/// (2013).
#[must_use]
pub fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let era = days / 146_097;
    let day = days % 146_097;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", rest / 3600, rest % 3600 / 60)
}

/// The date and time now.
#[must_use]
pub fn today() -> String {
    #[cfg(target_arch = "wasm32")]
    return date((crate::storage::now() / 1000.0) as u64);
    #[cfg(not(target_arch = "wasm32"))]
    date(std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let known = [(0, "1970-01-01 00:00"), (951_782_400, "2000-02-29 00:00"), (1_795_939_199, "2026-11-29 07:59")];
        for (seconds, expected) in known {
            assert_eq!(date(seconds), expected);
        }
    }

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
