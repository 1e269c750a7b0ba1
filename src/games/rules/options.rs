//! The options of a game as data: name, allowed values and default. Parsing, error messages and the rows of the start
//! page all follow from it.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// The options of a game by name, as in files: numbers, words, true and false.
pub type Options = Map<String, Value>;

/// An option of a game.
#[derive(Clone, Debug)]
pub struct OptionSpec {
    /// Its name in files and on the command line, such as `push_out`.
    pub name: &'static str,
    /// Its display name, such as `Push-out`; [marked](crate::notice::mark) if it can be translated.
    pub title: &'static str,
    /// A short description for the display, marked likewise. May be empty.
    pub help: &'static str,
    /// The allowed values.
    pub kind: OptionKind,
    /// The default value.
    pub default: OptionValue,
}

/// The allowed values of an option.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// True or false.
    Switch,
    /// A whole number.
    Number {
        /// The range that the rules allow.
        allowed: RangeInclusive<u32>,
        /// The range that the start page offers.
        suggested: RangeInclusive<u32>,
    },
    /// A whole number, or null for none.
    Limit {
        /// The range that the rules allow.
        allowed: RangeInclusive<u32>,
        /// The range that the start page offers.
        suggested: RangeInclusive<u32>,
        /// The number that the start page offers first.
        first: u32,
    },
    /// One of these values, each with display words, [marked](crate::notice::mark) if they can be translated. A value
    /// without words is allowed, but the start page does not offer it.
    Choice(&'static [(OptionValue, &'static str)]),
    /// A text, or null for none. The word says what it is, for an error message after *give*. The start page does not
    /// offer it.
    Text(&'static str),
}

/// A value of an option, as a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// No value: null in files.
    Null,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(u32),
    /// A word.
    Word(&'static str),
}

impl From<OptionValue> for Value {
    fn from(value: OptionValue) -> Self {
        match value {
            OptionValue::Null => Self::Null,
            OptionValue::Flag(flag) => flag.into(),
            OptionValue::Number(number) => number.into(),
            OptionValue::Word(word) => word.into(),
        }
    }
}

impl OptionSpec {
    /// An option that is true or false.
    #[must_use]
    pub const fn switch(name: &'static str, title: &'static str, help: &'static str, default: bool) -> Self {
        Self { name, title, help, kind: OptionKind::Switch, default: OptionValue::Flag(default) }
    }

    /// The same option with another default.
    #[must_use]
    pub const fn with_default(self, default: OptionValue) -> Self {
        Self { default, ..self }
    }

    /// Whether a value is allowed.
    #[must_use]
    pub fn allows(&self, value: &Value) -> bool {
        let is_within = |allowed: &RangeInclusive<u32>| {
            value.as_u64().and_then(|number| u32::try_from(number).ok()).is_some_and(|number| allowed.contains(&number))
        };
        match &self.kind {
            OptionKind::Switch => value.is_boolean(),
            OptionKind::Number { allowed, .. } => is_within(allowed),
            OptionKind::Limit { allowed, .. } => value.is_null() || is_within(allowed),
            OptionKind::Choice(choices) => choices.iter().any(|&(choice, _)| Value::from(choice) == *value),
            OptionKind::Text(_) => value.is_null() || value.is_string(),
        }
    }

    /// Whether the option may have this value.
    ///
    /// # Errors
    /// It may not; the values that it may have: `give true or false`.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        if self.allows(value) { Ok(()) } else { Err(format!("give {}", self.allowed())) }
    }

    /// The allowed values, for an error message after *give*.
    fn allowed(&self) -> String {
        let number =
            |allowed: &RangeInclusive<u32>| format!("a whole number from {} to {}", allowed.start(), allowed.end());
        match &self.kind {
            OptionKind::Switch => "true or false".to_owned(),
            OptionKind::Number { allowed, .. } => number(allowed),
            OptionKind::Limit { allowed, .. } => number(allowed) + ", or null",
            OptionKind::Text(what) => (*what).to_owned(),
            OptionKind::Choice(choices) => {
                let values: Vec<String> = choices
                    .iter()
                    .filter(|(choice, _)| *choice != OptionValue::Null)
                    .map(|&(choice, _)| plain(&choice.into()))
                    .collect();
                let null = if values.len() < choices.len() { ", or null" } else { "" };
                match values.split_last() {
                    Some((last, [first, others @ ..])) if others.is_empty() || first.parse::<u32>().is_ok() => {
                        format!("{} or {last}{null}", values[..values.len() - 1].join(", "))
                    }
                    _ => format!("one of {}{null}", values.join(", ")),
                }
            }
        }
    }
}

/// A value as written on a command line: words without quotes.
pub(in crate::games) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
