//! The tables included in the program, and the parser for tables.

use ron::extensions::Extensions;

use super::{check::TableError, spec::TableSpec};
use crate::ron_text;

/// A table included in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippedTable {
    /// Its name: the file name without the extension.
    pub name: &'static str,
    /// Its text, with the source of every number.
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
    /// The shipped table with this name.
    ///
    /// # Errors
    /// There is none; the error lists the existing names.
    pub fn named(name: &str) -> Result<&'static Self, TableError> {
        shipped().iter().find(|table| table.name == name).ok_or_else(|| {
            let known: Vec<_> = shipped().iter().map(|table| table.name).collect();
            TableError::Unknown { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Its numbers.
    ///
    /// # Errors
    /// None for the shipped tables; the tests check that.
    pub fn spec(&self) -> Result<TableSpec, TableError> {
        TableSpec::parse(self.text, self.name)
    }
}

impl TableSpec {
    /// Parses a table in the dialect of scene files, and checks it. `name` identifies it in errors: a path, or a
    /// shipped name.
    ///
    /// ```
    /// # use carom::billiards::tables::{ShippedTable, build};
    /// let table = build(&ShippedTable::named("pool-9ft")?.spec()?)?;
    /// assert_eq!(table.holes[2].name, "top right corner");
    /// # Ok::<(), carom::billiards::tables::TableError>(())
    /// ```
    ///
    /// # Errors
    /// The text is not a table (with line, column and reason), or has an invalid number.
    pub fn parse(text: &str, name: &str) -> Result<Self, TableError> {
        let dialect = ron::Options::default()
            .with_default_extension(Extensions::IMPLICIT_SOME)
            .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES);
        let spec: Self = ron_text::read(text, &dialect, "the table").map_err(|mistake| mistake.in_text(name))?;
        spec.check()?;
        Ok(spec)
    }
}
