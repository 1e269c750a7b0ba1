//! Messages of the rules as templates: each sentence is written once, in English, and marked for translation. The
//! display translates the template before filling it in.

use std::fmt;

use crate::billiards::tables::BallName;

/// A sentence, or part of one, for the display. [`Display`](fmt::Display) gives its English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// The English text, with `{}` for each filling, in order.
    pub template: &'a str,
    /// The fillings.
    pub fillings: Vec<Filling>,
}

/// A filling for a `{}` of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filling {
    /// The name of a ball, which each language translates.
    Ball(BallName),
    /// A number or a text that is the same in all languages.
    Text(String),
}

impl Filling {
    /// A number or a text.
    pub(super) fn text(value: impl fmt::Display) -> Self {
        Self::Text(value.to_string())
    }
}

impl From<BallName> for Filling {
    fn from(name: BallName) -> Self {
        Self::Ball(name)
    }
}

impl<'a> Sentence<'a> {
    /// A template, [marked](crate::notice::mark) for translators, with its fillings.
    #[must_use]
    pub fn new(template: &'a str, fillings: impl Into<Vec<Filling>>) -> Self {
        Self { template, fillings: fillings.into() }
    }
}

impl<'a> From<&'a str> for Sentence<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text, [])
    }
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fillings.is_empty() {
            return f.write_str(self.template);
        }
        let mut parts = self.template.split("{}");
        f.write_str(parts.next().unwrap_or_default())?;
        for (filling, part) in self.fillings.iter().zip(parts) {
            match filling {
                Filling::Ball(name) => write!(f, "{name}{part}")?,
                Filling::Text(text) => write!(f, "{text}{part}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillings_come_in_their_order_and_a_text_without_them_stays_as_it_is() {
        let sentence = Sentence::new("{} {} stones count.", [Filling::text(2), BallName::Red.into()]);
        assert_eq!(sentence.to_string(), "2 red stones count.");
        assert_eq!(Sentence::from("what {} is").to_string(), "what {} is");
    }
}
