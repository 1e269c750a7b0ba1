//! A value of any kind in a scene file.

use crate::scene::text::dialect;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A value as written in a scene file: the text of any RON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RonValue(Box<ron::value::RawValue>);

impl RonValue {
    /// The value of this text.
    ///
    /// # Errors
    /// If it is not RON. The message is in words.
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
    /// If it is not of this type. The message is in words.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        dialect().from_str(self.as_str()).map_err(|error| self.mistake(error))
    }

    /// Describes an error in words, with its place if the value has several lines.
    pub(super) fn mistake(&self, error: ron::error::SpannedError) -> String {
        if self.as_str().contains('\n') { error.to_string() } else { error.code.to_string() }
    }
}

impl Default for RonValue {
    /// An empty struct, `()`.
    fn default() -> Self {
        Self(ron::value::RawValue::from_ron("()").map_or_else(|_| unreachable!("it is RON"), ToOwned::to_owned))
    }
}
