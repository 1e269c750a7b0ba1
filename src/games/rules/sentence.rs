//! What the rules tell people, as templates: each sentence stands once, in English, and is marked for translation.
//! Whoever shows it translates the template before it is filled in.

use std::fmt;

use crate::billiards::tables::BallName;

/// A sentence, or a part of one, for people. Its English is [`Display`](fmt::Display).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// English, with `{}` for every filling in their order.
    pub template: &'a str,
    /// What is filled in.
    pub fillings: Vec<Filling>,
}

/// What is filled in for a `{}` of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filling {
    /// The name of a ball, which each language has its own word for.
    Ball(BallName),
    /// A number or a text, which is the same in all languages.
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
    /// A template, [marked](crate::notice::mark) for translators, with what is filled in.
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
