//! The report of an invalid value. Components, settings, scene files and arguments all use it, so that errors read the
//! same everywhere.

use core::{fmt, ops::RangeInclusive};
use std::borrow::Cow;

use bevy::prelude::*;

/// The largest magnitude of a coordinate (m), speed (m/s), radius (m) or mass (kg) that the solver accepts; the
/// smallest radius and mass are its reciprocal. Within these bounds no product that the solver forms can overflow an
/// `f32`.
pub const LIMIT: f32 = 1e12;

/// The values that a radius (m) or a mass (kg) may have.
pub(crate) const POSITIVE: RangeInclusive<f32> = 1.0 / LIMIT..=LIMIT;

/// Whether both components are within [`LIMIT`].
#[inline]
pub(crate) fn is_within_limit(vector: Vec2) -> bool {
    // A comparison with NaN is false, so this rejects NaN, infinity and values beyond the limit at once.
    vector.abs().cmple(Vec2::splat(LIMIT)).all()
}

/// Whether all components are within [`LIMIT`].
#[inline]
pub(crate) fn is_within_limit_3d(vector: Vec3) -> bool {
    vector.abs().cmple(Vec3::splat(LIMIT)).all()
}

/// An invalid value: its field, the value itself, and the remedy, as in `Radius is -1; set it above zero`.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidValue {
    /// The component or the field, such as `Radius`, `cushion.friction` or `discs[3].kick`.
    pub field: Cow<'static, str>,
    /// The value; `None` if the error is not in the value of one field.
    pub value: Option<RejectedValue>,
    /// The remedy, such as `set it from 0 to 1`. Without a value, the whole sentence.
    pub remedy: Cow<'static, str>,
}

/// A rejected value, formatted for people.
#[derive(Clone, Debug, PartialEq)]
pub enum RejectedValue {
    /// A number.
    Number(f64),
    /// A vector, with any number of components.
    Vector(Vec<f32>),
    /// Anything else.
    Text(String),
}

impl From<f32> for RejectedValue {
    fn from(value: f32) -> Self {
        Self::Number(f64::from(value))
    }
}

impl From<f64> for RejectedValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Vec2> for RejectedValue {
    fn from(value: Vec2) -> Self {
        Self::Vector(value.to_array().to_vec())
    }
}

impl From<Vec3> for RejectedValue {
    fn from(value: Vec3) -> Self {
        Self::Vector(value.to_array().to_vec())
    }
}

impl From<String> for RejectedValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl fmt::Display for RejectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => f.write_str(&shortest(*value)),
            Self::Vector(values) => {
                let values: Vec<String> = values.iter().map(|&value| shortest(f64::from(value))).collect();
                write!(f, "({})", values.join(", "))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, value, remedy } = self;
        match value {
            Some(value) => write!(f, "{field} is {value}; {remedy}"),
            None => write!(f, "{field}: {remedy}"),
        }
    }
}

impl core::error::Error for InvalidValue {}

impl From<InvalidValue> for String {
    fn from(invalid: InvalidValue) -> Self {
        invalid.to_string()
    }
}

impl InvalidValue {
    /// An invalid value of a field, with its remedy.
    pub fn new(
        field: impl Into<Cow<'static, str>>,
        value: impl Into<RejectedValue>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { field: field.into(), value: Some(value.into()), remedy: remedy.into() }
    }

    /// An error of a field that is not in its value alone.
    pub fn without_value(field: impl Into<Cow<'static, str>>, sentence: impl Into<Cow<'static, str>>) -> Self {
        Self { field: field.into(), value: None, remedy: sentence.into() }
    }

    /// `Ok` if both coordinates (metres) are finite and within [`LIMIT`].
    pub(crate) fn check_coordinates(field: &'static str, value: Vec2) -> Result<(), Self> {
        Self::check_vector(field, value, "set it to finite coordinates within 1e12 m")
    }

    /// `Ok` if both components are finite and within [`LIMIT`].
    pub(crate) fn check_components(field: &'static str, value: Vec2, unit: &str) -> Result<(), Self> {
        if is_within_limit(value) { Ok(()) } else { Err(Self::new(field, value, finite_components(unit))) }
    }

    /// The same for three components.
    pub(crate) fn check_components_3d(field: &'static str, value: Vec3, unit: &str) -> Result<(), Self> {
        if is_within_limit_3d(value) { Ok(()) } else { Err(Self::new(field, value, finite_components(unit))) }
    }

    /// `Ok` if both components are finite and within [`LIMIT`].
    pub(crate) fn check_vector(field: &'static str, value: Vec2, remedy: &'static str) -> Result<(), Self> {
        if is_within_limit(value) { Ok(()) } else { Err(Self::new(field, value, remedy)) }
    }

    /// `Ok` if the value is in [`POSITIVE`].
    pub(crate) fn check_positive(field: &'static str, value: f32, unit: &str) -> Result<(), Self> {
        let remedy = || format!("set it above zero, from 1e-12 to 1e12{}", of_unit(unit));
        if POSITIVE.contains(&value) { Ok(()) } else { Err(Self::new(field, value, remedy())) }
    }

    /// `Ok` if the angle is finite.
    pub(crate) fn check_angle(value: f32) -> Result<(), Self> {
        if value.is_finite() { Ok(()) } else { Err(Self::new("", value, "set it to a finite angle in radians")) }
    }

    /// The same error as the value of `owner`, or of a field of it.
    #[must_use]
    pub fn of(mut self, owner: &str) -> Self {
        self.field = match &*self.field {
            "" => owner.to_owned(),
            field => format!("{owner}.{field}"),
        }
        .into();
        self
    }
}

fn finite_components(unit: &str) -> String {
    format!("set it to finite components within 1e12{}", of_unit(unit))
}

/// A unit, as it follows a number.
pub(super) fn of_unit(unit: &str) -> String {
    match unit.chars().next() {
        None => String::new(),
        Some(first) if first.is_ascii_digit() => format!(", in {unit}"),
        Some(_) => format!(" {unit}"),
    }
}

/// Formats the end of a range: `1e12` without all its zeros.
pub(super) fn bound(value: f64) -> String {
    let single = value as f32;
    if value.abs() < 1e9 {
        shortest(value)
    } else if f64::from(single) == value {
        format!("{single:e}")
    } else {
        format!("{value:e}")
    }
}

/// Formats a number as a person would write it: `1.1` without the digits that `f64` adds to an `f32`, and `1e30`
/// without all its zeros.
pub(crate) fn shortest(value: f64) -> String {
    let single = value as f32;
    let is_single = f64::from(single) == value;
    match value.abs() {
        size if size != 0.0 && size.is_finite() && !(1e-3..1e16).contains(&size) => {
            if is_single {
                format!("{single:e}")
            } else {
                format!("{value:e}")
            }
        }
        _ if is_single => single.to_string(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_the_field_the_value_as_it_was_written_and_what_is_allowed() {
        let check = |value| InvalidValue::check_range("", value, 0.0..=1.0, "");
        assert_eq!(check(1.0), Ok(()));
        let text = |value| check(value).unwrap_err().of("kick").of("discs[3]").to_string();
        assert_eq!(text(1.1), "discs[3].kick is 1.1; set it from 0 to 1");
        assert_eq!(text(1e30), "discs[3].kick is 1e30; set it from 0 to 1");
        assert_eq!(text(f32::NAN), "discs[3].kick is NaN; set it from 0 to 1");
        let vector = InvalidValue::new("Position", vec2(f32::INFINITY, 0.5), "set it to finite coordinates");
        assert_eq!(vector.to_string(), "Position is (inf, 0.5); set it to finite coordinates");
        let sentence = InvalidValue::without_value("Mass", "an Arc cannot have one; remove it");
        assert_eq!(sentence.to_string(), "Mass: an Arc cannot have one; remove it");
    }
}
