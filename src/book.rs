//! The programs in the README and on the pages of the book are tested with those of the documentation.

/// Tests the programs on a page, where these features are on.
macro_rules! page {
    ($name:ident, $page:literal $(, $feature:literal)*) => {
        #[cfg(all($(feature = $feature),*))]
        #[doc = include_str!($page)]
        struct $name;
    };
}

page!(ReadMe, "../README.md", "view");
page!(BuildAGame, "../docs/src/build-a-game.md", "view");
page!(FirstGame, "../docs/src/first-game.md", "input", "sound");
page!(Bodies, "../docs/src/bodies.md");
page!(MovingTerrain, "../docs/src/moving-terrain.md");
page!(Joints, "../docs/src/joints.md");
page!(CollisionFiltering, "../docs/src/collision-filtering.md");
page!(MaterialsAndConveyors, "../docs/src/materials-and-conveyors.md");
page!(EventsAndQueries, "../docs/src/events-and-queries.md");
page!(Predictions, "../docs/src/predictions.md");
page!(Extending, "../docs/src/extending.md", "panel");
page!(Troubleshooting, "../docs/src/troubleshooting.md");
page!(Rollback, "../docs/src/rollback.md");
page!(FromAvianAndRapier, "../docs/src/from-avian-and-rapier.md");
page!(MeasureAndSweep, "../docs/src/measure-and-sweep.md");
page!(Periodic, "../docs/src/periodic.md");
page!(Internals, "../docs/src/internals.md");
