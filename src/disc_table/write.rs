//! Writes discs as a table (CSV). The [module](super) describes the columns.

use bevy::prelude::*;
use serde::Serialize;

use crate::{
    collision::{DiscHeight, DiscState, Discs, spin::Shape},
    components::Disc,
    scene::{CueBall, DiscLook},
};

/// Columns that appear in a table together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Always.
    Motion,
    /// If discs spin.
    Spin,
    /// If there is a cue ball, even in a pocket.
    Cue,
    /// If discs have numbers.
    Number,
    /// If balls are above the cloth.
    Height,
}

/// The columns, in the order in which they are written.
pub(crate) const COLUMNS: [(&str, Group); 15] = [
    ("id", Group::Motion),
    ("x", Group::Motion),
    ("y", Group::Motion),
    ("vx", Group::Motion),
    ("vy", Group::Motion),
    ("r", Group::Motion),
    ("m", Group::Motion),
    ("wx", Group::Spin),
    ("wy", Group::Spin),
    ("wz", Group::Spin),
    ("ball", Group::Spin),
    ("cue", Group::Cue),
    ("number", Group::Number),
    ("height", Group::Height),
    ("vz", Group::Height),
];

/// The properties of a disc besides its motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mark {
    cue: bool,
    number: Option<u8>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Field {
    Id(u64),
    Number(f32),
    Mark(u8),
    Empty(()),
}

/// Writes a table of these discs, which are or were in this world.
///
/// # Errors
/// If the table cannot be written. The message is one line.
pub(crate) fn write(world: &mut World, discs: &Discs) -> Result<String, String> {
    // A cue ball in a pocket counts too, so that no other disc is mistaken for it.
    let has_cue = world.query_filtered::<(), (With<CueBall>, With<Disc>)>().iter(world).next().is_some();
    let marks = discs.entity.iter().map(|&disc| Mark {
        cue: world.get::<CueBall>(disc).is_some(),
        number: world.get::<DiscLook>(disc).and_then(|look| look.number),
    });
    rows(discs, &marks.collect::<Vec<_>>(), has_cue)
}

fn rows(discs: &Discs, marks: &[Mark], has_cue: bool) -> Result<String, String> {
    let some_above = !discs.heights.is_empty();
    let discs = (0..discs.len()).map(|i| (discs.get(i), discs.height_of(i)));
    let some_spin = discs.clone().any(|(disc, _)| disc.spin.is_some());
    let some_number = marks.iter().any(|mark| mark.number.is_some());
    let stands_there = |group: Group| match group {
        Group::Motion => true,
        Group::Spin => some_spin,
        Group::Cue => has_cue,
        Group::Number => some_number,
        Group::Height => some_above,
    };
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // The header is written even if there are no discs.
    let header = COLUMNS.iter().filter(|(_, group)| stands_there(*group)).map(|(name, _)| name);
    let mut written = writer.write_record(header);
    for ((disc, above), mark) in discs.zip(marks) {
        let row = fields(&disc, *mark, above).into_iter().zip(COLUMNS);
        let row: Vec<Field> = row.filter(|(_, (_, group))| stands_there(*group)).map(|(field, _)| field).collect();
        written = written.and_then(|()| writer.serialize(row));
    }
    let failed = |error: &dyn std::fmt::Display| format!("the table cannot be made: {error}");
    written.map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// The values of a disc for all [`COLUMNS`].
fn fields(disc: &DiscState, mark: Mark, above: Option<&DiscHeight>) -> [Field; COLUMNS.len()] {
    let turns = |axis: usize| disc.spin.map_or(Field::Empty(()), |spin| Field::Number(spin.angular_velocity[axis]));
    let is_ball = disc.spin.is_some_and(|spin| spin.shape == Shape::Ball);
    [
        Field::Id(disc.id),
        Field::Number(disc.position.x),
        Field::Number(disc.position.y),
        Field::Number(disc.velocity.x),
        Field::Number(disc.velocity.y),
        Field::Number(disc.radius),
        Field::Number(disc.mass),
        turns(0),
        turns(1),
        turns(2),
        Field::Mark(is_ball.into()),
        Field::Mark(mark.cue.into()),
        mark.number.map_or(Field::Empty(()), Field::Mark),
        above.map_or(Field::Empty(()), |above| Field::Number(above.height)),
        above.map_or(Field::Empty(()), |above| Field::Number(above.speed)),
    ]
}

/// Writes a table of discs none of which is marked.
#[cfg(all(test, feature = "cli"))]
pub(crate) fn unmarked(discs: &Discs) -> Result<String, String> {
    rows(discs, &vec![Mark::default(); discs.len()], false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_has_no_column() {
        let discs: Discs = (0..2).map(|id| DiscState { id, ..DiscState::default() }).collect();
        let table = |number, has_cue| rows(&discs, &[Mark { cue: has_cue, number }, Mark::default()], has_cue).unwrap();
        assert!(table(None, false).starts_with("id,x,y,vx,vy,r,m\n0,0.0,"));
        assert!(table(None, true).starts_with("id,x,y,vx,vy,r,m,cue\n"));
        let text = table(Some(9), true);
        assert!(text.starts_with("id,x,y,vx,vy,r,m,cue,number\n"), "{text}");
        assert!(text.ends_with(",1.0,1,9\n1,0.0,0.0,0.0,0.0,0.5,1.0,0,\n"), "{text}");
    }
}
