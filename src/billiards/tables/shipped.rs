//! The tables that are part of the program, and how a table is read.

use ron::extensions::Extensions;

use super::{check::TableError, spec::TableSpec};
use crate::ron_text;

/// A table that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippedTable {
    /// Its name: that of its file without the ending.
    pub name: &'static str,
    /// Its text, which tells where every number comes from.
    pub text: &'static str,
}

macro_rules! tables {
    ($($name:literal),* $(,)?) => {
        &[$(ShippedTable { name: $name, text: include_str!(concat!("../../../assets/tables/", $name, ".ron")) }),*]
    };
}

/// All shipped tables.
#[must_use]
pub fn shipped() -> &'static [ShippedTable] {
    tables!["pool-9ft", "pool-8ft", "pool-7ft", "snooker-12ft", "carom-10ft", "curling"]
}

impl ShippedTable {
    /// The shipped table of this name.
    ///
    /// # Errors
    /// There is none; it lists those that there are.
    pub fn named(name: &str) -> Result<&'static Self, TableError> {
        shipped().iter().find(|table| table.name == name).ok_or_else(|| {
            let known: Vec<_> = shipped().iter().map(|table| table.name).collect();
            TableError::Unknown { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Its numbers.
    ///
    /// # Errors
    /// None for those that are shipped, as the tests see to.
    pub fn spec(&self) -> Result<TableSpec, TableError> {
        TableSpec::parse(self.text, self.name)
    }
}

impl TableSpec {
    /// Reads a table from its text, in the dialect of scene files, and checks it. `name` is what errors call it: a
    /// path, or a shipped name.
    ///
    /// ```
    /// # use carom::billiards::tables::{ShippedTable, build};
    /// let table = build(&ShippedTable::named("pool-9ft")?.spec()?)?;
    /// assert_eq!(table.holes[2].name, "top right corner");
    /// # Ok::<(), carom::billiards::tables::TableError>(())
    /// ```
    ///
    /// # Errors
    /// The text is not a table (with line, column and reason), or holds a number that makes no sense.
    pub fn parse(text: &str, name: &str) -> Result<Self, TableError> {
        let dialect = ron::Options::default()
            .with_default_extension(Extensions::IMPLICIT_SOME)
            .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES);
        let spec: Self = ron_text::read(text, &dialect, "the table").map_err(|mistake| TableError::Syntax {
            name: name.to_owned(),
            line: mistake.at.line,
            column: mistake.at.col,
            reason: mistake.reason.replace('\n', " "),
        })?;
        spec.check()?;
        Ok(spec)
    }
}
