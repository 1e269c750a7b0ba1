//! Reads RON texts that people write, and explains their mistakes.
//!
//! An error of the RON parser names what was expected and the place. A person also needs to know which field it is,
//! which value is written there, and which values are allowed. So a text with a mistake is read again by a deserializer
//! that keeps the path of the fields (`trace`). Then the type of the invalid value is asked which values it accepts
//! (`forms`).

use std::marker::PhantomData;

use ron::{
    Error, Options,
    error::{Position, SpannedError},
};
use serde::de::{DeserializeOwned, DeserializeSeed};

use self::{
    forms::Form,
    names::SHOWN,
    trace::{Failure, Goal, Trace},
};

mod forms;
mod names;
#[cfg(test)]
mod tests;
mod trace;

pub(crate) use names::{any_of, did_you_mean, first_line, nearest_name};

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mistake {
    /// The place, with lines and columns from 1: the start of the invalid value or name, or the point where the parser
    /// stopped.
    pub(crate) at: Position,
    /// The message: the path of the field, the value, and what may be written. It has several lines if the text has.
    pub(crate) reason: String,
    /// The error of the parser.
    pub(crate) error: Box<SpannedError>,
}

/// A text that cannot be read: the place, and what is wrong there.
#[derive(thiserror::Error, Clone, Debug, PartialEq, Eq)]
#[error("{name}:{line}:{column}: {reason}")]
pub struct SyntaxError {
    /// The file, or what the text was called.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, in one line.
    pub reason: String,
}

impl SyntaxError {
    pub(crate) fn new(name: &str, at: Position, reason: &str) -> Self {
        Self { name: name.to_owned(), line: at.line, column: at.col, reason: in_one_line(reason) }
    }
}

impl Mistake {
    /// The mistake in a text of this name.
    pub(crate) fn in_text(&self, name: &str) -> SyntaxError {
        SyntaxError::new(name, self.at, &self.reason)
    }
}

/// The largest number of characters shown of an error.
const MOST_SAID: usize = 2000;

/// A message in one line. It may quote any text: line breaks and other control characters are escaped, so that no
/// terminal obeys them, and a long one is cut.
pub(crate) fn in_one_line(problem: &str) -> String {
    let (said, rest) = problem.split_at(problem.char_indices().nth(MOST_SAID).map_or(problem.len(), |(at, _)| at));
    let mut line = String::with_capacity(said.len());
    for letter in said.chars() {
        if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line + if rest.is_empty() { "" } else { "…" }
}

/// Reads a value. Messages call the text `whole`, such as `the scene`.
///
/// # Errors
/// The text is not such a value.
pub(crate) fn read<T: DeserializeOwned>(text: &str, dialect: &Options, whole: &str) -> Result<T, Mistake> {
    read_seed(text, dialect, whole, || PhantomData::<T>)
}

/// [`read`] with seeds, which must be equal.
pub(crate) fn read_seed<'de, S: DeserializeSeed<'de>>(
    text: &'de str,
    dialect: &Options,
    whole: &str,
    seed: impl Fn() -> S,
) -> Result<S::Value, Mistake> {
    let read = dialect.from_str_seed(text, seed());
    let reader = Reader { text, dialect, whole, seed };
    let value = read.map_err(|error| reader.explain(error))?;
    match reader.overflow() {
        None => Ok(value),
        Some(mistake) => Err(mistake),
    }
}

/// A text that cannot be read.
struct Reader<'a, 'de, F> {
    text: &'de str,
    dialect: &'a Options,
    whole: &'a str,
    seed: F,
}

impl<'de, S: DeserializeSeed<'de>, F: Fn() -> S> Reader<'_, 'de, F> {
    /// Describes the mistake.
    fn explain(&self, error: SpannedError) -> Mistake {
        let failure = self.again(Goal::Find).0.failure();
        let Some(failure) = failure else {
            // The mistake is before or after the value.
            return Mistake { at: error.span.end, reason: self.unexpected(&error, ""), error: Box::new(error) };
        };
        let path = failure.path.as_str();
        let subject = subject(path, self.whole);
        let (at, reason) = match &error.code {
            Error::NoSuchStructField { expected, found, .. } => {
                let (hint, fields) = (did_you_mean(nearest_name(found, expected)), expected.join(", "));
                (error.span.start, format!("{subject}: there is no field `{found}`{hint}; the fields are {fields}"))
            }
            Error::DuplicateStructField { field, .. } => {
                (error.span.start, format!("{subject} has the field `{field}` twice; keep one of them"))
            }
            Error::MissingStructField { field, .. } => {
                (error.span.end, format!("{subject} lacks the field `{field}`; add it"))
            }
            code if is_wrong_value(code) && failure.names.is_empty() => self.wrong_value(&failure, subject),
            code if is_wrong_value(code) => {
                let (found, fields) = (first_value(self.rest(error.span.end)), failure.names.join(", "));
                let reason = format!("{subject}: expected the name of a field, not {found}; the fields are {fields}");
                (error.span.end, reason)
            }
            Error::Message(said) if failure.names.is_empty() => {
                (self.begin_of(&failure), if path.is_empty() { said.clone() } else { format!("{path}: {said}") })
            }
            _ => match self.fraction(error.span.end) {
                Some((at, number)) => {
                    (at, format!("{subject} has {number} where a whole number is expected; write a whole number"))
                }
                None => (error.span.end, self.unexpected(&error, path)),
            },
        };
        Mistake { at, reason, error: Box::new(error) }
    }

    /// The first number that was read as infinity because it is too large. Infinity that is written as such is left to
    /// the checks of values.
    fn overflow(&self) -> Option<Mistake> {
        if !self.text.split(ends_number).any(overflows) {
            return None;
        }
        let (trace, error) = self.again(Goal::FindInfinite);
        let (failure, error) = (trace.failure()?, error?);
        let at = self.begin_of(&failure);
        let rest = self.rest(at);
        let subject = subject(&failure.path, self.whole);
        overflows(rest.split(ends_number).next()?).then(|| Mistake {
            at,
            reason: format!("{subject} is {}, which is too large for a number; write a smaller one", first_value(rest)),
            error: Box::new(error),
        })
    }

    /// Reads the text again. Returns the trace, and the error.
    fn again(&self, goal: Goal) -> (Trace, Option<SpannedError>) {
        let trace = Trace::new(goal);
        let read = self.dialect.from_str_seed(self.text, trace.watch((self.seed)()));
        (trace, read.err())
    }

    /// Where the invalid value begins.
    fn begin_of(&self, failure: &Failure) -> Position {
        let error = self.again(Goal::StopBefore(failure.value)).1;
        error.map_or(Position { line: 1, col: 1 }, |error| error.span.end)
    }

    /// Where the invalid value begins, the value, and which values are allowed.
    fn wrong_value(&self, failure: &Failure, subject: &str) -> (Position, String) {
        let at = self.begin_of(failure);
        let found = first_value(self.rest(at));
        let ask = |variant| self.again(Goal::Ask(failure.value, variant)).0.form();
        let forms: Vec<Form> = match failure.variants {
            [] => ask(None).into_iter().collect(),
            variants => variants.iter().filter_map(|&variant| ask(Some(variant))).collect(),
        };
        let forms: Vec<String> = forms.iter().map(Form::in_words).collect();
        (at, format!("{subject} is {found}; write {}", any_of(&forms)))
    }

    /// The parser's message, the text at that place, and the field that contains it.
    fn unexpected(&self, error: &SpannedError, path: &str) -> String {
        let rest = self.rest(error.span.end);
        if error.code == Error::ExpectedStringEnd {
            let subject = subject(path, self.whole);
            return format!("{subject}: the string that begins here has no end; add a quotation mark");
        }
        if rest.trim().is_empty() {
            return format!("the text ends before {} does; it was cut off, so copy all of it again", self.whole);
        }
        let there = first_line(rest);
        let stands = if there.is_empty() { String::new() } else { format!(" where `{there}` stands") };
        let within = if path.is_empty() { String::new() } else { format!(", in {path}") };
        format!("{}{stands}{within}", error.code)
    }

    /// The number with a fraction or an exponent around this place, and where it starts. The parser reads a whole
    /// number up to the point, and then expects a comma.
    fn fraction(&self, at: Position) -> Option<(Position, &'de str)> {
        let rest = self.rest(at);
        if !rest.starts_with(['.', 'e', 'E']) {
            return None;
        }
        let middle = self.text.len() - rest.len();
        let start = middle - self.text[..middle].rsplit(ends_number).next().map_or(0, str::len);
        let end = middle + rest.find(ends_number).unwrap_or(rest.len());
        let number = &self.text[start..end];
        let at = Position { col: at.col.checked_sub(middle - start)?, ..at };
        number.parse::<f64>().is_ok().then_some((at, number))
    }

    /// The text from this place on.
    fn rest(&self, at: Position) -> &'de str {
        let lines = self.text.split_inclusive('\n');
        let before: usize = lines.take(at.line.saturating_sub(1)).map(str::len).sum();
        let line = &self.text[before..];
        let letters = line.char_indices().nth(at.col.saturating_sub(1));
        &line[letters.map_or(line.len(), |(bytes, _)| bytes)..]
    }
}

/// What a message is about: a field by its path, or the whole text.
fn subject<'a>(path: &'a str, whole: &'a str) -> &'a str {
    if path.is_empty() { whole } else { path }
}

/// Whether a character cannot be part of a finite number.
fn ends_number(letter: char) -> bool {
    !(letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-' | '_'))
}

/// Whether a text without spaces is a number too large for an `f32`.
fn overflows(token: &str) -> bool {
    // Shorter numbers without an exponent are within range.
    let may_be = token.len() > 38 || token.contains(['e', 'E']);
    may_be && token.replace('_', "").parse().is_ok_and(f32::is_infinite)
}

/// Whether an error is about a single value of the wrong kind.
fn is_wrong_value(error: &Error) -> bool {
    matches!(
        error,
        Error::ExpectedArray
            | Error::ExpectedBoolean
            | Error::ExpectedByteLiteral
            | Error::ExpectedChar
            | Error::ExpectedDifferentLength { .. }
            | Error::ExpectedDifferentStructName { .. }
            | Error::ExpectedFloat
            | Error::ExpectedIdentifier
            | Error::ExpectedInteger
            | Error::ExpectedMap
            | Error::ExpectedNamedStructLike(_)
            | Error::ExpectedOption
            | Error::ExpectedString
            | Error::ExpectedStructLike
            | Error::ExpectedStructLikeEnd
            | Error::ExpectedUnit
            | Error::FloatUnderscore
            | Error::IntegerOutOfBounds
            | Error::InvalidIdentifier(_)
            | Error::InvalidIntegerDigit { .. }
            | Error::InvalidValueForType { .. }
            | Error::NoSuchEnumVariant { .. }
            | Error::SuggestRawIdentifier(_)
            | Error::UnderscoreAtBeginning
    )
}

/// The value at the beginning of a text, as written, as far as it is quoted.
fn first_value(text: &str) -> String {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_u32, false, false);
    let ends = |letter: char| {
        if is_quoted {
            is_quoted = is_escaped || letter != '"';
            is_escaped = letter == '\\' && !is_escaped;
            return false;
        }
        match letter {
            '"' => is_quoted = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' | ']' | '}' => return true,
            _ => return depth == 0 && (letter == ',' || letter.is_whitespace()),
        }
        false
    };
    let end = text.find(ends).unwrap_or(text.len());
    match text[..end].char_indices().nth(SHOWN) {
        _ if end == 0 => "missing".to_owned(),
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text[..end].to_owned(),
    }
}
