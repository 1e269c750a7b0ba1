//! The shipped drills: one file and one line each.

use std::sync::LazyLock;

use super::file::{Drill, DrillError};
use crate::{games::rules::OptionValue, notice::mark};

macro_rules! drills {
    ($($name:literal: $title:literal,)*) => {
        /// The names and the texts of the files.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../assets/drills/", $name, ".ron")))),*];

        /// The drills as values of an option, each with its title.
        pub(in crate::games) const CHOICES: &[(OptionValue, &str)] = &[
            (OptionValue::Null, mark("the first of the table")),
            $((OptionValue::Word($name), mark($title))),*
        ];
    };
}

drills! {
    "stop-shot": "Stop shots",
    "follow-shot": "Follow shots",
    "draw-shot": "Draw shots",
    "ghost-ball": "Ghost ball",
    "rail-cuts": "Rail cut shots",
    "mighty-x": "Mighty X",
    "wagon-wheel": "Wagon wheel",
    "l-drill": "L drill",
    "three-balls": "Three balls",
    "lag": "Lag",
    "kick-shot": "Kick shots",
    "bank-shot": "Bank shots",
    "jump-shots": "Jump shots",
    "line-up": "Line-up",
    "straight-rail-run": "Straight-rail run",
    "three-cushions": "Three cushions",
}

/// The drills of a [`FILES`] list. All are valid; a test checks it.
static SHIPPED: LazyLock<Vec<(&'static str, Drill)>> =
    LazyLock::new(|| FILES.iter().filter_map(|&(name, text)| Some((name, Drill::parse(text, name).ok()?))).collect());

/// All shipped drills with their names.
#[must_use]
pub fn shipped() -> &'static [(&'static str, Drill)] {
    &SHIPPED
}

/// The shipped drill with this name.
///
/// # Errors
/// There is none; the error lists the existing names.
pub fn named(name: &str) -> Result<&'static Drill, DrillError> {
    shipped().iter().find(|(known, _)| *known == name).map(|(_, drill)| drill).ok_or_else(|| {
        let known: Vec<&str> = shipped().iter().map(|(name, _)| *name).collect();
        DrillError::Unknown { name: name.to_owned(), known: known.join(", ") }
    })
}

/// The name of a shipped drill, or the title of any other.
#[must_use]
pub fn name_of(drill: &Drill) -> String {
    let known = shipped().iter().find(|(_, known)| known == drill);
    known.map_or_else(|| drill.title.clone(), |(name, _)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::drills::LaidDrill;

    #[test]
    fn every_shipped_drill_is_valid_on_all_its_tables_and_has_a_source() {
        assert_eq!(shipped().len(), FILES.len());
        for (&(name, text), (choice, title)) in FILES.iter().zip(&CHOICES[1..]) {
            let drill = Drill::parse(text, name).unwrap();
            assert_eq!((*choice, *title), (OptionValue::Word(name), drill.title.as_str()));
            assert!(!drill.source.is_empty() && !drill.description.is_empty(), "{name}");
            for table in &drill.tables {
                let table = crate::games::test_support::table(table);
                let laid = LaidDrill::new(&drill, &table).unwrap_or_else(|error| panic!("{name}: {error}"));
                let most: i32 = (0..drill.attempts).map(|attempt| laid.best(laid.position_of(attempt))).sum();
                let is_run = drill.attempt == crate::games::drills::Attempt::Run;
                assert!(is_run || drill.pass <= most, "{name}: {} of {most} points pass", drill.pass);
            }
        }
    }
}
