//! Table: a billiard table by its name, and the balls of a game on it.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::Generate;
use crate::{
    billiards::tables::{self, BallName, BuiltPiece, BuiltTable, Hole, ShippedTable, TableError, TableSpec, build},
    components::{InvalidValue, Restitution},
    scene::{
        DiscLook,
        contents::Contents,
        entries::{DiscEntry, PocketEntry, TerrainEntry},
        registry::SceneRegistry,
    },
};

/// One of the shipped billiard tables: its cushions, jaws and liners as terrain, its pockets, and the balls of a rack.
///
/// The physics of its cloth and cushions apply unless the scene defines its own `table`. The restitution between balls
/// is the scene's `collision.restitution`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Table {
    /// The table, one of `assets/tables`. Default: `pool-9ft`.
    pub name: String,
    /// The game whose balls lie on it, such as `nine-ball`. Default: none, and no balls.
    pub rack: Option<tables::Rack>,
    /// The gap between neighbouring balls in the rack, metres; 0 to 0.01. Default: 0.00002, as in a rack set by hand.
    pub gap: f32,
    /// Whether balls leave the cloth, in the continuous mode. Default: no.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub flight: bool,
}

impl Default for Table {
    fn default() -> Self {
        Self { name: "pool-9ft".to_owned(), rack: None, gap: 2e-5, flight: false }
    }
}

impl Table {
    /// The table itself, including spots, lines and outlines, which are neither terrain nor discs.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn build(&self) -> Result<BuiltTable, TableError> {
        build(&self.spec()?)
    }

    /// The holes of its pockets, which are not terrain.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn holes(&self) -> Result<Vec<Hole>, TableError> {
        self.build().map(|table| table.holes)
    }

    /// Its dimensions and physics.
    ///
    /// # Errors
    /// If there is no such table.
    pub(in crate::scene) fn spec(&self) -> Result<TableSpec, TableError> {
        ShippedTable::named(&self.name).and_then(ShippedTable::spec)
    }
}

impl Generate for Table {
    fn run(&self, contents: &mut Contents, _: &SceneRegistry) -> Result<(), InvalidValue> {
        InvalidValue::check_range("gap", self.gap, 0.0..=0.01, "m")?;
        let no_table = |error: TableError| InvalidValue::without_value("name", error.to_string());
        let spec = self.spec().map_err(no_table)?;
        let table = build(&spec).map_err(no_table)?;
        contents.terrain.extend(table.pieces.iter().map(TerrainEntry::of_piece));
        let pocket = |hole: &Hole| PocketEntry::new(hole.centre.as_vec2(), hole.radius as f32);
        contents.pockets.extend(table.holes.iter().map(pocket));
        contents.table = Some(if self.flight { spec.flying_physics() } else { spec.physics() });
        let Some(rack) = self.rack else { return Ok(()) };
        let balls = rack.balls(&spec, f64::from(self.gap)).filter(|_| spec.racks.contains(&rack)).ok_or_else(|| {
            let racks: Vec<_> = spec.racks.iter().map(|rack| rack.name()).collect();
            let remedy = if racks.is_empty() {
                format!("{} has no racks; leave it out", self.name)
            } else {
                format!("choose one of those of {}: {}", self.name, racks.join(", "))
            };
            InvalidValue::new("rack", rack.name().to_owned(), remedy)
        })?;
        contents.discs.extend(balls.iter().map(|ball| DiscEntry::of_ball(ball.name, ball.place.as_vec2(), &spec)));
        Ok(())
    }
}

impl TerrainEntry {
    /// A piece of a billiard table.
    #[must_use]
    pub fn of_piece(piece: &BuiltPiece) -> Self {
        let entry = Self { position: piece.position, ..Self::new(piece.terrain.clone()) };
        match piece.restitution {
            Some(e) => entry.with(Restitution(e)),
            None => entry,
        }
    }
}

impl DiscEntry {
    /// A ball of a table with its look, and its centre at this position, metres.
    #[must_use]
    pub fn of_ball(name: BallName, place: Vec2, spec: &TableSpec) -> Self {
        let DiscLook { ball_colour, number, striped, .. } = DiscLook::of_ball(name);
        Self {
            position: place,
            radius: spec.ball.radius as f32,
            mass: Some(spec.ball.mass as f32),
            ball_colour,
            number,
            striped,
            cue: name == BallName::Cue,
            ball: true,
            ..Self::default()
        }
    }
}
