//! Numbers for people to read. A zero never has a sign, even after rounding.

#[cfg(feature = "cli")]
use std::fmt::Display;

/// Formats a number with this many decimals.
pub(crate) fn decimals(value: impl Into<f64>, places: usize) -> String {
    zero_without_sign(format!("{:.places$}", value.into()))
}

/// A number with the thing it counts, in singular or plural.
#[cfg(feature = "cli")]
pub(crate) fn count<N: Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    format!("{number} {}", if number == N::from(1) { one } else { many })
}

/// Removes the sign of a formatted number if it is zero.
pub(crate) fn zero_without_sign(text: String) -> String {
    match text.strip_prefix('-') {
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => size.to_owned(),
        _ => text,
    }
}

/// Formats a number with at most this many decimals, without trailing zeros.
#[cfg(any(test, feature = "view", feature = "cli"))]
pub(crate) fn trimmed(value: impl Into<f64>, digits: usize) -> String {
    let text = decimals(value, digits);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a measured value with its unit, to about four digits. Very large or small values have an exponent.
#[cfg(any(test, feature = "panel"))]
#[must_use]
pub fn measured(value: f64, unit: &str) -> String {
    let size = value.abs();
    let number = if value == 0.0 || !value.is_finite() {
        zero_without_sign(format!("{value}"))
    } else if (1e-3..1e5).contains(&size) {
        // In this range, counting the steps below the value replaces a logarithm.
        let digits = [1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0].iter().filter(|&&step| size < step).count();
        decimals(value, digits)
    } else {
        format!("{value:.3e}")
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// A value for people, with its error: both to two digits of the error. Without an error, five digits.
#[cfg(any(feature = "panel", feature = "cli"))]
pub(crate) fn with_error(value: f64, error: Option<f64>) -> [String; 2] {
    // A smaller error is one of rounding.
    let least = 1e-12 * value.abs();
    match error.filter(|error| *error > least && error.is_finite() && value.is_finite()) {
        Some(error) => {
            let places = (1 - libm::floor(libm::log10(error)) as i32).clamp(0, 12) as usize;
            [zero_without_sign(format!("{value:.places$}")), format!("± {error:.places$}")]
        }
        None => [digits(value), String::new()],
    }
}

/// A number with five digits.
#[cfg(any(feature = "panel", feature = "cli"))]
pub(crate) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return zero_without_sign(value.to_string());
    }
    let size = libm::floor(libm::log10(value.abs())) as i32;
    if (-4..9).contains(&size) { trimmed(value, (4 - size).clamp(0, 9) as usize) } else { format!("{value:.4e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_has_no_sign_however_it_came_about() {
        for zero in [0.0, -0.0, 4e-7, -4e-7] {
            assert_eq!(decimals(zero, 6), "0.000000");
        }
        assert_eq!(decimals(-6e-7, 6), "-0.000001");
        assert_eq!(decimals(-12.0, 0), "-12");
        assert_eq!(decimals(-0.4, 0), "0");
        assert_eq!(zero_without_sign("-".to_owned() + &f32::NAN.to_string()), "-NaN");
    }

    #[test]
    fn readings_keep_four_digits() {
        assert_eq!(measured(1234.5678, "J"), "1235 J");
        assert_eq!(measured(12.345_678, "J"), "12.35 J");
        assert_eq!(measured(0.012_345, ""), "0.01235");
        assert_eq!(measured(1e-9, "m"), "1.000e-9 m");
        assert_eq!([0.0, -0.0].map(|zero| measured(zero, "m")), ["0 m", "0 m"]);
        assert_eq!(measured(f64::NAN, "m"), "NaN m");
    }

    #[test]
    fn defaults_are_written_without_idle_zeros() {
        assert_eq!([(0.8, 3), (60.0, 0), (3.0, 0)].map(|(value, digits)| trimmed(value, digits)), ["0.8", "60", "3"]);
    }

    #[cfg(any(feature = "panel", feature = "cli"))]
    #[test]
    fn values_have_the_digits_of_their_errors() {
        assert_eq!(with_error(12.345_67, Some(0.0213)), ["12.346", "± 0.021"]);
        assert_eq!(with_error(1234.5, Some(56.0)), ["1234", "± 56"]);
        assert_eq!(with_error(-0.000_01, Some(0.02)), ["0.000", "± 0.020"]);
        assert_eq!(with_error(0.367_88, None), ["0.36788".to_owned(), String::new()]);
        assert_eq!([1.5, 123_456.7, 1e-9, 0.0].map(digits), ["1.5", "123457", "1.0000e-9", "0"]);
    }
}
