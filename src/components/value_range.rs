//! The ranges of settings, as data beside their fields. The checks of settings, `--set` and the panel all read them.

use core::{fmt, ops::RangeInclusive};
use std::borrow::Cow;

use bevy::{
    prelude::*,
    reflect::{NamedField, ReflectRef, enums::VariantInfo},
};

use super::{
    InvalidValue, RejectedValue,
    invalid::{bound, of_unit},
};

impl InvalidValue {
    /// `Ok` if `value` is in a range, which NaN is not. The remedy names the range with its unit, such as `m/s`; empty
    /// for a number without a unit.
    ///
    /// ```
    /// # use carom::components::{InvalidValue, LIMIT};
    /// let error = |value: f32, range, unit| InvalidValue::check_range("drag", value, range, unit).unwrap_err();
    /// assert_eq!(error(-1.0, 0.0..=LIMIT, "m/s").to_string(), "drag is -1; set it from 0 to 1e12 m/s");
    /// assert_eq!(error(-1.0, 0.0..=LIMIT, "1/s").to_string(), "drag is -1; set it from 0 to 1e12, in 1/s");
    /// assert_eq!(error(f32::NAN, -LIMIT..=LIMIT, "").to_string(), "drag is NaN; set it from -1e12 to 1e12");
    /// ```
    ///
    /// # Errors
    /// The value is out of range.
    pub fn check_range<T: Into<f64>>(
        field: impl Into<Cow<'static, str>>,
        value: T,
        range: RangeInclusive<T>,
        unit: &'static str,
    ) -> Result<(), Self> {
        let (low, high) = range.into_inner();
        ValueRange::new(low.into(), high.into(), unit).check(field, value)
    }
}

/// The range of a number, with its unit. It is an attribute of the field, which [`ValueRange::of`] reads and
/// [`check_ranges`] enforces. The range of a vector is that of each component.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::components::{ValueRange, check_ranges};
/// #[derive(Reflect)]
/// struct Wind {
///     #[reflect(@ValueRange::new(0.0, 100.0, "m/s"))]
///     speed: f32,
/// }
///
/// let error = check_ranges(&Wind { speed: -1.0 }).unwrap_err();
/// assert_eq!(error.to_string(), "speed is -1; set it from 0 to 100 m/s");
/// assert_eq!(ValueRange::of::<Wind>("speed"), Some(ValueRange::new(0.0, 100.0, "m/s")));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The unit, such as `m/s`; empty for a number without a unit.
    pub unit: &'static str,
}

impl ValueRange {
    /// The numbers from `low` to `high`, including both.
    #[must_use]
    pub const fn new(low: f64, high: f64, unit: &'static str) -> Self {
        Self { low, high, unit }
    }

    /// The range of a field of a struct, if it has one. The path has dots between names, as in `cloth.sliding`.
    #[must_use]
    pub fn of<S: bevy::reflect::Typed>(path: &str) -> Option<Self> {
        let mut info = S::type_info();
        let mut range = None;
        for name in path.split('.') {
            let field = info.as_struct().ok()?.field(name)?;
            info = field.type_info()?;
            range = Self::of_field(field);
        }
        range
    }

    /// The range of a field, or of the number in a variant of its enum.
    pub(crate) fn of_field(field: &'static NamedField) -> Option<Self> {
        let in_variant = |variant: &'static VariantInfo| match variant {
            VariantInfo::Tuple(variant) => variant.field_at(0)?.get_attribute(),
            _ => None,
        };
        let in_enum = || field.type_info()?.as_enum().ok()?.iter().find_map(in_variant);
        field.get_attribute().or_else(in_enum).copied()
    }

    /// What to do about a number out of range: `set it from 0 to 1`.
    pub(crate) fn remedy(self) -> String {
        format!("set it {self}")
    }

    /// Whether a number is in the range, which NaN is not.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The nearest number in the range; `default` instead of a NaN.
    #[must_use]
    pub fn clamp(&self, value: f32, default: f32) -> f32 {
        if value.is_nan() { default } else { value.clamp(self.low as f32, self.high as f32) }
    }

    /// `Ok` if a value is in the range.
    ///
    /// # Errors
    /// The value is out of range. The remedy names the range with its unit.
    pub fn check(&self, field: impl Into<Cow<'static, str>>, value: impl Into<f64>) -> Result<(), InvalidValue> {
        let value = value.into();
        if self.contains(value) {
            return Ok(());
        }
        Err(InvalidValue::new(field, RejectedValue::Number(value), self.remedy()))
    }
}

impl fmt::Display for ValueRange {
    /// As in `from 0 to 1e12 m/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}{}", bound(self.low), bound(self.high), of_unit(self.unit))
    }
}

/// Checks every number of a value that has a [`ValueRange`], also inside fields that are structs or enums.
///
/// # Errors
/// The first number out of range, with the path of its field.
pub fn check_ranges(value: &dyn PartialReflect) -> Result<(), InvalidValue> {
    match value.reflect_ref() {
        ReflectRef::Struct(fields) => {
            let info = fields.get_represented_struct_info();
            for (i, (name, field)) in fields.iter_fields().enumerate() {
                let range = info.and_then(|info| info.field_at(i)?.get_attribute::<ValueRange>());
                range
                    .map_or_else(|| check_ranges(field), |range| check(range, field))
                    .map_err(|invalid| invalid.of(name))?;
            }
            Ok(())
        }
        ReflectRef::Enum(variant) => {
            let info = variant.get_represented_enum_info().and_then(|info| info.variant(variant.variant_name()));
            let Some(VariantInfo::Tuple(info)) = info else { return Ok(()) };
            variant.iter_fields().zip(info.iter()).try_for_each(|(field, info)| {
                info.get_attribute().map_or_else(|| check_ranges(field.value()), |range| check(range, field.value()))
            })
        }
        _ => Ok(()),
    }
}

/// Checks a number, or both components of a vector.
fn check(range: &ValueRange, value: &dyn PartialReflect) -> Result<(), InvalidValue> {
    if let Some(vector) = value.try_downcast_ref::<Vec2>() {
        return range.check("x", vector.x).and_then(|()| range.check("y", vector.y));
    }
    number(value).map_or(Ok(()), |number| range.check("", number))
}

fn number(value: &dyn PartialReflect) -> Option<f64> {
    let single = || value.try_downcast_ref::<f32>().map(|&number| number.into());
    let whole = || value.try_downcast_ref::<u32>().map(|&number| number.into());
    value.try_downcast_ref::<f64>().copied().or_else(single).or_else(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Reflect, Clone, Copy)]
    enum Law {
        None,
        Constant(#[reflect(@ValueRange::new(0.0, 10.0, ""))] f32),
    }

    #[derive(Reflect, Clone, Copy)]
    struct Inner {
        #[reflect(@ValueRange::new(1.0, 64.0, ""))]
        count: u32,
        law: Law,
    }

    #[derive(Reflect, Clone, Copy)]
    struct Outer {
        #[reflect(@ValueRange::new(-1.0, 1.0, "m"))]
        place: Vec2,
        inner: Inner,
        free: f32,
    }

    #[test]
    fn numbers_are_checked_in_structs_enums_and_vectors() {
        let valid = Outer { place: Vec2::ONE, inner: Inner { count: 64, law: Law::Constant(10.0) }, free: f32::NAN };
        let error = |change: fn(&mut Outer)| {
            let mut outer = valid;
            change(&mut outer);
            check_ranges(&outer).map_err(|invalid| invalid.to_string())
        };
        assert_eq!(error(|_| {}), Ok(()));
        assert_eq!(error(|outer| outer.inner.law = Law::None), Ok(()));
        assert_eq!(error(|outer| outer.place.y = f32::NAN).unwrap_err(), "place.y is NaN; set it from -1 to 1 m");
        assert_eq!(error(|outer| outer.inner.count = 65).unwrap_err(), "inner.count is 65; set it from 1 to 64");
        assert_eq!(
            error(|outer| outer.inner.law = Law::Constant(-0.1)).unwrap_err(),
            "inner.law is -0.1; set it from 0 to 10"
        );
    }

    #[test]
    fn the_range_of_a_field_is_found_by_its_path() {
        let range = |path| ValueRange::of::<Outer>(path).map(|range| range.to_string());
        assert_eq!(range("place").unwrap(), "from -1 to 1 m");
        assert_eq!(range("inner.count").unwrap(), "from 1 to 64");
        assert_eq!(range("inner.law").unwrap(), "from 0 to 10");
        for path in ["free", "inner", "inner.none", ""] {
            assert_eq!(range(path), None, "{path}");
        }
    }
}
