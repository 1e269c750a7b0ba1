//! Dates of the calendar, in UTC.

/// The date and time of a number of seconds since 1970. The calendar is that of Hinnant's `civil_from_days` (2013).
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

/// The seconds since 1970 now.
#[must_use]
pub fn now() -> u64 {
    #[cfg(all(target_arch = "wasm32", feature = "view"))]
    return (crate::storage::now() / 1000.0) as u64;
    #[cfg(not(all(target_arch = "wasm32", feature = "view")))]
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
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
}
