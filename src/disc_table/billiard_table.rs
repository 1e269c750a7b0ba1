//! `--table`: the discs of a table file on a shipped billiard table.

use bevy::math::Vec2;

use super::{
    read::{Rows, read},
    walls::room_for,
};
use crate::{
    billiards::tables::{Hole, ShippedTable, TableError, build},
    collision::SolverMode,
    scene::{
        DiscEntry, Pace, SceneFile, Surroundings,
        generate::{Generator, Table},
    },
};

/// Turns a scene into a billiard table, and reads the discs on it.
pub(super) fn lay_out(scene: &mut SceneFile, table: &ShippedTable, text: &str) -> Result<Rows, String> {
    let words = |error: TableError| error.to_string();
    let spec = table.spec().map_err(words)?;
    let holes = build(&spec).map_err(words)?.holes;
    let rows = read(text, Some(&spec.ball))?;
    let half = spec.half();
    room_for(&rows.lines, half.as_vec2(), "table")?;
    // A ball in the jaws of a pocket may lie behind the line of the cushion noses.
    let in_jaws = |place: Vec2, hole: &Hole| {
        let reach = hole.centre.distance(hole.mouth) + spec.ball.radius;
        place.as_dvec2().distance(hole.centre) <= reach
    };
    let inside =
        |place: Vec2| place.as_dvec2().abs().cmple(half).all() || holes.iter().any(|hole| in_jaws(place, hole));
    if let Some((line, DiscEntry { position: Vec2 { x, y }, .. })) =
        rows.lines.iter().find(|(_, disc)| !inside(disc.position))
    {
        return Err(format!(
            "line {line}: the disc at ({x}, {y}) m is outside the --table {name}, whose origin is its middle; x goes from -{0} to {0} m and \
             y from -{1} to {1} m",
            half.x,
            half.y,
            name = table.name
        ));
    }
    scene.surroundings = Surroundings::Table;
    scene.pace = Pace { tick_rate: SceneFile::TABLE_TICK_RATE, ..Pace::default() };
    scene.collision.mode = SolverMode::Continuous;
    scene.collision.restitution = spec.ball.restitution as f32;
    let table = Table { name: table.name.to_owned(), flight: true, ..Table::default() };
    scene.generate = vec![Generator::Table(table)];
    Ok(rows)
}
