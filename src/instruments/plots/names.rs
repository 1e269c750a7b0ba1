//! The names of curves, their subjects and their variables, in the language of the person.

use tr::tr;

use crate::{
    laboratory::{Channel, Subject, Variable},
    notice::mark,
};

/// The kinds of subjects, with their displayed words.
pub(super) const SUBJECTS: [(Subject, &str); 5] = [
    (Subject::Table, mark("Whole table")),
    (Subject::FollowedDisc, mark("Selected disc")),
    (Subject::Disc(1), mark("Disc")),
    (Subject::FollowedTerrain, mark("Selected terrain")),
    (Subject::Terrain(1), mark("Terrain")),
];

/// The name of a subject.
pub(super) fn name_of(subject: Subject) -> String {
    match subject {
        Subject::Disc(id) => tr!("Disc {}", id),
        Subject::Terrain(id) => tr!("Terrain {}", id),
        _ => {
            let word = SUBJECTS.iter().find(|(other, _)| *other == subject).map_or("", |(_, word)| word);
            tr!(word)
        }
    }
}

/// The name of a variable.
pub(super) fn word(variable: Variable) -> String {
    let title = variable.info().title;
    tr!(title)
}

/// A name with the unit of a variable.
pub(super) fn with_unit(variable: Variable, name: String) -> String {
    let unit = variable.info().unit;
    if unit.is_empty() { name } else { format!("{name} ({unit})") }
}

/// The name of a curve, with its unit.
pub(super) fn title_of(channel: Channel) -> String {
    with_unit(channel.variable, format!("{}: {}", name_of(channel.subject), word(channel.variable)))
}
