//! A value of any kind in a scene file.

use std::marker::PhantomData;

use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, DeserializeSeed},
};

use crate::{
    ron_text::{self, Mistake},
    scene::text::dialect,
};

/// A value as it is written in a scene file: the text of any RON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RonValue(Box<ron::value::RawValue>);

impl RonValue {
    /// The value of this text.
    ///
    /// # Errors
    /// It is not RON; in words.
    pub fn new(text: &str) -> Result<Self, String> {
        let value = ron::value::RawValue::from_boxed_ron(text.into());
        value.map(|value| Self(value.trim_boxed())).map_err(|error| error.to_string())
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get_ron()
    }

    /// Reads it as a value of this type.
    ///
    /// # Errors
    /// It is not one; in words.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        self.read_seed(|| PhantomData::<T>)
    }

    /// Reads it by means of seeds, which are all the same. A mistake has its place where the value has several lines.
    pub(super) fn read_seed<'de, S: DeserializeSeed<'de>>(&'de self, seed: impl Fn() -> S) -> Result<S::Value, String> {
        ron_text::read_seed(self.as_str(), &dialect(), "it", seed).map_err(|Mistake { at, reason, .. }| {
            if self.as_str().contains('\n') { format!("{at}: {reason}") } else { reason }
        })
    }
}

impl Default for RonValue {
    /// An empty structure, `()`.
    fn default() -> Self {
        Self(ron::value::RawValue::from_ron("()").map_or_else(|_| unreachable!("it is RON"), ToOwned::to_owned))
    }
}
