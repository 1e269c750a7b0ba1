//! The billiard table that a scene is drawn as.

use bevy::prelude::*;

use super::{
    format::SceneFile,
    generate::{Generator, Table},
};
use crate::{
    billiards::tables::{BuiltPiece, BuiltTable, ShippedTable, TableError, TableSpec, build},
    components::{Pocket, Rotation, Terrain},
};

/// The billiard table that the running scene is drawn as, if there is one: rails, cushions, pockets, spots and sights.
/// It adds no terrain and no pockets; those are part of the scene.
///
/// [`spawn`](super::spawn) inserts it for a scene with a [`Table`](super::generate::Table) or with
/// [`SceneFile::furniture`]. The next scene replaces or removes it. A game that spawns its own terrain may insert one
/// itself.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct DrawnTable {
    /// The name of the table, by which a saved scene refers to it.
    pub name: String,
    /// Its dimensions and physics.
    pub spec: TableSpec,
    /// The parts built from them.
    pub built: BuiltTable,
}

impl DrawnTable {
    /// The shipped table of this name.
    ///
    /// # Errors
    /// If there is no such table. The error lists all names.
    pub fn named(name: &str) -> Result<Self, TableError> {
        let spec = ShippedTable::named(name)?.spec()?;
        let built = build(&spec)?;
        Ok(Self { name: name.to_owned(), spec, built })
    }

    /// The part of the table that a piece of terrain is, and that is drawn with it. None if the terrain was moved or is
    /// no part of the table.
    #[must_use]
    pub fn piece_of(&self, terrain: &Terrain, position: Vec2, rotation: Rotation) -> Option<&BuiltPiece> {
        let is_same = |piece: &&BuiltPiece| piece.position == position && piece.terrain == *terrain;
        self.built.pieces.iter().find(is_same).filter(|_| rotation.0 == 0.0)
    }

    /// Whether a piece of terrain is a part of the table.
    #[must_use]
    pub fn has_piece(&self, terrain: &Terrain, position: Vec2, rotation: Rotation) -> bool {
        self.piece_of(terrain, position, rotation).is_some()
    }

    /// The hole of the table that a pocket is, as an index into [`BuiltTable::holes`]. None if it is not one of them.
    #[must_use]
    pub fn hole_of(&self, pocket: Pocket, position: Vec2) -> Option<usize> {
        let is_same = |hole: &crate::billiards::tables::Hole| {
            hole.centre.as_vec2() == position && hole.radius as f32 == pocket.radius
        };
        self.built.holes.iter().position(is_same)
    }
}

impl SceneFile {
    /// The name of the table that it is drawn as: as given, or the table of the first generator `Table`.
    pub(super) fn drawn_as(&self) -> Option<&str> {
        self.furniture.as_deref().or_else(|| self.generated_table().map(|table| table.name.as_str()))
    }

    /// The first generator `Table`.
    pub(super) fn generated_table(&self) -> Option<&Table> {
        self.generate.iter().find_map(|generator| match generator {
            Generator::Table(table) => Some(table),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{source::SceneSource, spawn};

    fn world() -> World {
        let mut world = World::new();
        world.init_resource::<Messages<crate::scene::running::SceneStarted>>();
        world.init_resource::<crate::timeline::Playback>();
        world.init_resource::<Time<Fixed>>();
        world
    }

    fn begin(world: &mut World, text: &str) -> Result<(), crate::scene::text::SceneError> {
        let file = SceneFile::parse(text, "test.ron").expect("it is a scene");
        spawn(world, SceneSource::Shipped("test"), file)
    }

    #[test]
    fn a_table_that_is_made_is_drawn_and_a_saved_scene_keeps_it() {
        let mut world = world();
        begin(&mut world, "(generate: [Table(name: \"snooker-12ft\")])").unwrap();
        let drawn = world.resource::<DrawnTable>().clone();
        assert_eq!(drawn.name, "snooker-12ft");
        let saved = SceneFile::capture(&mut world);
        assert_eq!((saved.furniture.as_deref(), saved.generate.len()), (Some("snooker-12ft"), 0));
        let text = saved.to_text().unwrap();
        begin(&mut world, "(discs: [()])").unwrap();
        assert!(!world.contains_resource::<DrawnTable>(), "it goes with its scene");
        begin(&mut world, &text).unwrap();
        assert_eq!(*world.resource::<DrawnTable>(), drawn);
        let mut pieces = world.query::<(&Terrain, &crate::components::Position, &Rotation)>();
        assert!(pieces.iter(&world).count() > 6);
        for (terrain, position, rotation) in pieces.iter(&world) {
            assert!(drawn.has_piece(terrain, position.0, *rotation), "{terrain:?}");
        }
        let mut pockets = world.query::<(&Pocket, &crate::components::Position)>();
        let mut holes: Vec<_> = pockets.iter(&world).map(|(pocket, place)| drawn.hole_of(*pocket, place.0)).collect();
        holes.sort_unstable();
        assert_eq!(holes, (0..6).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn furniture_makes_nothing_and_its_name_is_checked() {
        let mut world = world();
        begin(&mut world, "(furniture: \"carom-10ft\", discs: [(radius: 0.03)])").unwrap();
        assert_eq!(world.query::<&Terrain>().iter(&world).count(), 0);
        assert_eq!(world.resource::<DrawnTable>().name, "carom-10ft");
        let error = SceneFile::parse("(furniture: \"pool-3ft\")", "test.ron").unwrap_err().to_string();
        assert!(error.contains("furniture") && error.contains("pool-9ft"), "{error}");
        let moved = (Terrain::Circle { radius: 1.0 }, Vec2::ZERO, Rotation::default());
        assert!(!world.resource::<DrawnTable>().has_piece(&moved.0, moved.1, moved.2));
    }
}
