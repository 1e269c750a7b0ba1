//! Whole numbers of fields that allow fewer values than their type. If a text is not such a number, the error names the
//! range of the field.

use core::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

/// The largest number of discs in one scene.
pub const MAX_DISCS: usize = 1_000_000;

/// A whole number of a field that allows `MIN` to `MAX`. It may be out of that range: the check of the scene rejects it
/// then, with its value.
struct Whole<const MIN: u64, const MAX: u64>(u64);

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WholeVisitor<const MIN: u64, const MAX: u64>;
        impl<const MIN: u64, const MAX: u64> Visitor<'_> for WholeVisitor<MIN, MAX> {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {MIN} to {MAX}")
            }

            fn visit_u64<E>(self, number: u64) -> Result<u64, E> {
                Ok(number)
            }
        }
        deserializer.deserialize_u64(WholeVisitor::<MIN, MAX>).map(Self)
    }
}

/// Reads the [`StableId`](crate::components::StableId) of an entry.
pub(super) fn read_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let id = Option::<Whole<0, { u64::MAX - 1 }>>::deserialize(deserializer)?;
    Ok(id.map(|Whole(id)| id))
}

/// Reads a number of discs.
pub(super) fn read_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Whole::<0, { MAX_DISCS as u64 }>::deserialize(deserializer)?.size()
}

/// Reads a number of columns.
pub(super) fn read_columns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Whole::<1, { u64::MAX }>::deserialize(deserializer)?.size()
}

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    fn size<E: Error>(self) -> Result<usize, E> {
        usize::try_from(self.0).map_err(|_| E::custom(format!("{} is too large; set it to {MAX} at most", self.0)))
    }
}
