//! The options of a game as data: what each is called, what it may be, and what it is by default. Reading options,
//! the sentences about wrong ones and the rows of the start page all follow from it.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// The options of a game by name, as they stand in files: numbers, words, true and false.
pub type Options = Map<String, Value>;

/// An option of a game.
#[derive(Clone, Debug)]
pub struct OptionSpec {
    /// Its name in files and on the command line, such as `push_out`.
    pub name: &'static str,
    /// Its name for people, such as `Push-out`; [marked](crate::notice::mark) if it can be translated.
    pub title: &'static str,
    /// What it does, in half a sentence for people, marked likewise; may be empty.
    pub help: &'static str,
    /// What it may be.
    pub kind: OptionKind,
    /// What it is where nobody sets it.
    pub default: OptionValue,
}

/// What an option may be.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// True or false.
    Switch,
    /// A whole number.
    Number {
        /// The numbers that the rules allow.
        allowed: RangeInclusive<u32>,
        /// The numbers that the start page suggests.
        suggested: RangeInclusive<u32>,
    },
    /// A whole number, or null for none.
    Limit {
        /// The numbers that the rules allow.
        allowed: RangeInclusive<u32>,
        /// The numbers that the start page suggests.
        suggested: RangeInclusive<u32>,
        /// The number that the start page suggests first.
        first: u32,
    },
    /// One of these values, each with its words for people, [marked](crate::notice::mark) if they can be translated. A
    /// value without words is allowed, but the start page does not offer it.
    Choice(&'static [(OptionValue, &'static str)]),
}

/// A value of an option, as a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// None: null in files.
    Null,
    /// Yes or no.
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

    /// The same option, with another default.
    #[must_use]
    pub const fn with_default(self, default: OptionValue) -> Self {
        Self { default, ..self }
    }

    /// Whether the option may have this value.
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
        }
    }

    /// Whether the option may have this value.
    ///
    /// # Errors
    /// It may not; the values that it may have: `give true or false`.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        if self.allows(value) { Ok(()) } else { Err(format!("give {}", self.allowed())) }
    }

    /// The values that the option may have, as the object of *give*.
    fn allowed(&self) -> String {
        let number =
            |allowed: &RangeInclusive<u32>| format!("a whole number from {} to {}", allowed.start(), allowed.end());
        match &self.kind {
            OptionKind::Switch => "true or false".to_owned(),
            OptionKind::Number { allowed, .. } => number(allowed),
            OptionKind::Limit { allowed, .. } => number(allowed) + ", or null",
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

/// A value as it stands on a command line: words without quotes.
pub(in crate::games) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
