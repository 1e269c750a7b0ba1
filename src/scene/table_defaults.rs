//! Defaults of a scene file with a billiard table, which follow from that table.

use serde::{Deserialize, de::IgnoredAny};

use super::{Surroundings, format::SceneFile, generate::Table};
use crate::{collision::SolverMode, scene::text::dialect};

/// The restitution between pool balls, for a scene with `table` that does not name a shipped table.
const POOL_RESTITUTION: f32 = 0.95;

/// The fields that a file contains.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    surroundings: Option<IgnoredAny>,
    pace: GivenPace,
    collision: GivenCollision,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GivenPace {
    tick_rate: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GivenCollision {
    mode: Option<IgnoredAny>,
    restitution: Option<IgnoredAny>,
}

impl SceneFile {
    /// Default tick rate of a scene with a billiard table, hertz.
    pub const TABLE_TICK_RATE: f64 = 120.0;

    /// Fills in surroundings, tick rate, mode and restitution of a scene with a [`Table`](super::generate::Table) or
    /// with its own `table`, unless its text contains them.
    pub(super) fn fill_from_table(&mut self, text: &str) {
        // The check of the scene reports errors in the table.
        let restitution = match self.generated_table().map(Table::spec) {
            Some(Ok(spec)) => spec.ball.restitution as f32,
            None if self.table.is_some() => POOL_RESTITUTION,
            _ => return,
        };
        let Ok(given) = dialect().from_str::<Given>(text) else { return };
        if given.surroundings.is_none() {
            self.surroundings = Surroundings::Table;
        }
        if given.pace.tick_rate.is_none() {
            self.pace.tick_rate = Self::TABLE_TICK_RATE;
        }
        if given.collision.mode.is_none() {
            self.collision.mode = SolverMode::Continuous;
        }
        if given.collision.restitution.is_none() {
            self.collision.restitution = restitution;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> SceneFile {
        SceneFile::parse(text, "a.ron").unwrap()
    }

    #[test]
    fn what_a_table_scene_leaves_out_is_the_tables() {
        let file = parse(
            r#"(generate: [Table(name: "carom-10ft", rack: "three-cushion")], terrain: [(shape: Circle(radius: 0.1))])"#,
        );
        assert_eq!((file.surroundings, file.collision.mode), (Surroundings::Table, SolverMode::Continuous));
        assert_eq!((file.pace.tick_rate, file.collision.restitution), (120.0, 0.95));
    }

    #[test]
    fn what_it_says_holds() {
        let file = parse(
            "(surroundings: Laboratory, pace: (tick_rate: 60), collision: (mode: Stepped, restitution: 1), generate: [Table()])",
        );
        assert_eq!((file.surroundings, file.collision.mode), (Surroundings::Laboratory, SolverMode::Stepped));
        assert_eq!((file.pace.tick_rate, file.collision.restitution), (60.0, 1.0));
        assert_eq!(parse(&file.to_text().unwrap()), file, "and in what is written of it");
        let file = parse("(collision: (restitution: 0.5), generate: [Table()])");
        assert_eq!((file.collision.mode, file.collision.restitution), (SolverMode::Continuous, 0.5), "field by field");
    }

    #[test]
    fn a_table_of_its_own_is_one_too() {
        let file = parse("(table: (), collision: (terrain_restitution: 0.5))");
        assert_eq!((file.surroundings, file.collision.mode), (Surroundings::Table, SolverMode::Continuous));
        assert_eq!((file.pace.tick_rate, file.collision.restitution), (120.0, 0.95));
        assert_eq!(parse(&file.to_text().unwrap()), file);
    }

    #[test]
    fn every_scene_without_a_table_is_as_before() {
        let file = parse("(title: \"Nothing\", terrain: [(shape: Arena(half_size: (4, 3)))], discs: [(radius: 0.3)])");
        assert_eq!((file.surroundings, file.collision.mode), (Surroundings::Laboratory, SolverMode::Stepped));
        assert_eq!(file.pace.tick_rate, 60.0);
    }
}
