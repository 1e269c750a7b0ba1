//! Makes a scene of a table of discs and a place for them.

use std::path::Path;

use super::{Walls, billiard_table, read::read};
use crate::{
    billiards::tables::ShippedTable,
    scene::{self, SceneFile},
};

/// The place that contains the discs of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// The open plane, without terrain.
    Open,
    /// Four walls.
    Box(Walls),
    /// A billiard table.
    Table(&'static ShippedTable),
}

/// The shipped billiard table of this name.
///
/// # Errors
/// If there is no such table. The message lists all names.
pub fn table_named(name: &str) -> Result<&'static ShippedTable, String> {
    ShippedTable::named(name).map_err(|error| format!("--table {name}: {error}"))
}

/// Reads a table of discs as a scene, and returns it with warnings.
///
/// The scene is elastic and has no forces, or is a billiard table with its physics. It warns if the file may be cut
/// short or nothing acts on discs that spin.
///
/// With `shoots`, the table must make clear which disc will be shot.
pub(crate) fn read_scene(path: &Path, place: &Place, shoots: bool) -> Result<(SceneFile, Vec<String>), String> {
    let name = path.display();
    let text = scene::read_text(path).map_err(|error| error.to_string())?;
    let at = |problem: String| format!("{name}: {problem}");
    let mut scene = SceneFile { title: name.to_string(), ..SceneFile::default() };
    let rows = match place {
        Place::Open => read(&text, None).map_err(at)?,
        Place::Box(walls) => {
            let rows = read(&text, None).map_err(at)?;
            scene.terrain.extend(walls.around(&rows.lines).map_err(at)?);
            rows
        }
        Place::Table(table) => billiard_table::lay_out(&mut scene, table, &text).map_err(at)?,
    };
    if shoots && !rows.says_which_is_shot() {
        return Err(at(
            "no line says which disc --strike shoots; write 1 into its column `cue`, and 0 into that of the others"
                .into(),
        ));
    }
    let rows = rows.lines;
    let mut warnings = Vec::new();
    if may_be_cut(&text) {
        let line = text.lines().count();
        warnings.push(at(format!(
            "line {line}: the last line has no line end; the file may be cut short, so check its last number"
        )));
    }
    if !matches!(place, Place::Table(_))
        && let Some((line, _)) = rows.iter().find(|(_, disc)| disc.spin().is_some())
    {
        warnings.push(at(format!(
            "line {line}: the disc spins, and nothing acts on its spin; --table NAME puts it on cloth between cushions"
        )));
    }
    scene.discs = rows.into_iter().map(|(_, disc)| disc).collect();
    Ok((scene, warnings))
}

/// A complete table ends with a line end, as [`write`](super::write()) makes it.
fn may_be_cut(text: &str) -> bool {
    !text.ends_with(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_last_line_end_may_be_cut() {
        assert!(may_be_cut("x\n1"));
        assert!(!may_be_cut("x\n1\n") && !may_be_cut("x\r\n1\r\n"));
    }
}
