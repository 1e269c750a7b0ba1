//! A value of any kind in a scene file, and the places of mistakes in it.

use core::marker::PhantomData;

use ron::{Options, value::RawValue};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, DeserializeSeed},
};

use crate::{
    ron_text::{self, Mistake},
    scene::text::{dialect, strict_dialect},
};

/// A value as written in a scene file: the text of any RON.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RonValue {
    text: Box<RawValue>,
    /// Where its text begins in the scene file.
    #[serde(skip)]
    begins: Begins,
}

/// Where a value begins in the text that it was read from.
#[derive(Clone, Copy, Debug)]
enum Begins {
    /// It was read from no scene file.
    Unknown,
    /// At this address in memory, as long as that text is read.
    Address(usize),
    /// In a scene file.
    At(Place),
}

/// A line and a column of a text, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    const START: Self = Self { line: 1, column: 1 };

    /// The place behind this letter, if the letter is here.
    fn after(self, letter: char) -> Self {
        match letter {
            '\n' => Self { line: self.line + 1, column: 1 },
            _ => Self { column: self.column + 1, ..self },
        }
    }

    /// This place of a text that begins at another place.
    fn within(self, begins: Self) -> Self {
        let column = if self.line == 1 { begins.column + self.column - 1 } else { self.column };
        Self { line: begins.line + self.line - 1, column }
    }
}

impl PartialEq for RonValue {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for RonValue {}

impl<'de> Deserialize<'de> for RonValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?;
        Ok(Self { begins: Begins::Address(text.get_ron().as_ptr().addr()), text: text.to_owned() })
    }
}

impl RonValue {
    /// The value of this text.
    ///
    /// # Errors
    /// If it is not RON. The message is in words.
    pub fn new(text: &str) -> Result<Self, String> {
        let value = RawValue::from_boxed_ron(text.into());
        value.map(|value| Self { text: value.trim_boxed(), begins: Begins::Unknown }).map_err(|error| error.to_string())
    }

    /// This value as RON.
    pub(crate) fn of(value: &impl Serialize) -> Result<Self, String> {
        Self::new(&dialect().to_string(value).map_err(|error| error.to_string())?)
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.get_ron()
    }

    /// Reads it as a value of this type.
    ///
    /// # Errors
    /// It is not one: in words, with the field, and with the line and the column in the scene file.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        self.read_seed(|| PhantomData::<T>)
    }

    /// [`RonValue::read`] with seeds, which are all alike.
    pub(super) fn read_seed<'de, S: DeserializeSeed<'de>>(&'de self, seed: impl Fn() -> S) -> Result<S::Value, String> {
        let read = |dialect: &Options| ron_text::read_seed(self.as_str(), dialect, "it", &seed);
        // The second parentheses of a variant, as in `Some((1, 2))`, may be there or left out.
        let either = read(&dialect()).or_else(|first| {
            let later = |second: Mistake| if place(&second) > place(&first) { second } else { first };
            read(&strict_dialect()).map_err(later)
        });
        either.map_err(|mistake| mistake.reason.clone() + &self.in_the_file(place(&mistake)))
    }

    /// What to add to a sentence about a place in the value: where that is in the scene file.
    fn in_the_file(&self, at: Place) -> String {
        let Place { line, column } = match self.begins {
            Begins::At(begins) => at.within(begins),
            // The only line of a value that somebody has at hand.
            _ if !self.as_str().contains('\n') => return String::new(),
            _ => at,
        };
        format!(", in line {line}, column {column}")
    }

    /// As many lines and spaces as are before it in the scene file.
    pub(super) fn blank_before(&self) -> String {
        match self.begins {
            Begins::At(Place { line, column }) => "\n".repeat(line - 1) + &" ".repeat(column - 1),
            _ => String::new(),
        }
    }

    /// The same for the value as a whole.
    pub(super) fn place_in_the_file(&self) -> String {
        self.in_the_file(Place::START)
    }
}

/// Finds where these values, which were read from a text, begin in it.
pub(super) fn find_places<'a>(text: &str, values: impl Iterator<Item = &'a mut RonValue>) {
    let offset = |value: &RonValue| match value.begins {
        Begins::Address(address) => address.checked_sub(text.as_ptr().addr()).filter(|offset| *offset <= text.len()),
        _ => None,
    };
    let mut values: Vec<_> = values.filter_map(|value| Some((offset(value)?, value))).collect();
    values.sort_by_key(|(offset, _)| *offset);
    let (mut passed, mut place) = (0, Place::START);
    for (offset, value) in values {
        place = text.get(passed..offset).unwrap_or_default().chars().fold(place, Place::after);
        (passed, value.begins) = (offset, Begins::At(place));
    }
}

/// The place of a mistake in the value.
fn place(mistake: &Mistake) -> Place {
    Place { line: mistake.at.line, column: mistake.at.col }
}

impl Default for RonValue {
    /// An empty struct, `()`.
    fn default() -> Self {
        let text = RawValue::from_ron("()").map_or_else(|_| unreachable!("it is RON"), ToOwned::to_owned);
        Self { text, begins: Begins::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Debug, PartialEq)]
    struct Arm {
        length: f32,
        at: Option<(f32, f32)>,
        #[serde(default)]
        of: Vec<u32>,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    struct Crane {
        arms: Vec<Arm>,
        #[serde(default)]
        load: Option<Box<Arm>>,
        #[serde(default)]
        speed: Option<f32>,
    }

    fn mistake(text: &str) -> String {
        RonValue::new(text).unwrap().read::<Crane>().unwrap_err()
    }

    #[test]
    fn a_mistake_is_named_with_its_field() {
        let cases = [
            (r#"(arms: [], speed: "fast")"#, "speed is \"fast\"; write a number"),
            (
                r#"(arms: [(length: 1, at: (1, 2)), (length: "x", at: None)])"#,
                "arms[1].length is \"x\"; write a number",
            ),
            (r#"(arms: [(length: 1, at: (1, "up"))])"#, "arms[0].at.1 is \"up\"; write a number"),
            (r"(arms: [(length: 1, at: None, of: [1, 2, -3])])", "arms[0].of[2] is -3; write a whole number"),
            ("(arms: [/* (length: ( */], // speed: (\n speed: (1))", "speed is (1); write a number"),
        ];
        for (text, expected) in cases {
            let said = mistake(text);
            assert!(said.starts_with(expected), "{text}: {said}");
        }
        assert_eq!(RonValue::new("(\"x\")").unwrap().read::<(f32,)>().unwrap_err(), "0 is \"x\"; write a number");
    }

    #[test]
    fn an_explicit_some_is_read() {
        let arm = |at| Arm { length: 1.0, at, of: vec![] };
        for text in [
            "(arms: [], load: Some((length: 1, at: Some((1, 2)))), speed: Some(3))",
            "(arms: [], load: (length: 1, at: (1, 2)), speed: 3)",
        ] {
            let read: Crane = RonValue::new(text).unwrap().read().unwrap_or_else(|error| panic!("{text}: {error}"));
            let load = Some(Box::new(arm(Some((1.0, 2.0)))));
            assert_eq!(read, Crane { arms: vec![], load, speed: Some(3.0) }, "{text}");
        }
    }

    #[test]
    fn a_mistake_in_a_value_of_several_lines_has_its_place() {
        let said = mistake("(\n  arms: [],\n  speed: \"fast\",\n)");
        assert!(said.ends_with(", in line 3, column 10"), "{said}");
    }
}
