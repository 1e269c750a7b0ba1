//! Numbers as people read them: a zero has no sign, however it came about.

/// With so many decimals.
pub(crate) fn decimals(value: impl Into<f64>, places: usize) -> String {
    zero_without_sign(format!("{:.places$}", value.into()))
}

/// A number that is written already.
pub(crate) fn zero_without_sign(text: String) -> String {
    match text.strip_prefix('-') {
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => size.to_owned(),
        _ => text,
    }
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
}
