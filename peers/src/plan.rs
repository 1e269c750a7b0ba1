//! The planned cases: scenes, numbers of discs, engines, and numbers of steps.

use clap::Args;

use crate::{cli::Selection, engine::Name, scene::Scene};

/// Scene, number of discs, and number of steps for Box2D, Rapier, Avian and carom; 0 means not run. 60 steps are a
/// second.
///
/// A pile is worth measuring only after it has fallen. With 100,000 discs, that takes Avian too long.
const RUNS: [(Scene, usize, [u32; 4]); 8] = [
    (Scene::Gas, 1_000, [300, 300, 300, 300]),
    (Scene::Gas, 10_000, [300, 300, 300, 300]),
    (Scene::Gas, 100_000, [60, 60, 12, 60]),
    (Scene::Gas, 1_000_000, [0, 0, 0, 30]),
    (Scene::Pile, 1_000, [300, 300, 300, 300]),
    (Scene::Pile, 10_000, [300, 300, 300, 300]),
    (Scene::Pile, 100_000, [300, 300, 0, 300]),
    (Scene::Radii, 10_000, [300, 300, 300, 300]),
];
const ENGINES: [Name; 4] = [Name::Box2d, Name::Rapier, Name::Avian, Name::Carom];

/// One row of the table: an engine in a scene.
#[derive(Args, Clone, Copy, Debug)]
pub struct Case {
    /// Which scene
    pub scene: Scene,
    /// How many discs
    pub discs: usize,
    /// Which engine
    pub engine: Name,
    /// How many threads
    pub threads: usize,
    /// How many steps of a sixtieth of a second
    pub steps: u32,
}

impl Case {
    /// Simulated time, seconds.
    pub fn seconds(&self) -> f64 {
        f64::from(self.steps) / 60.0
    }
}

/// The selected cases, in the order of the table.
pub fn cases(selection: &Selection) -> Vec<Case> {
    let mut cases = Vec::new();
    for (scene, discs, steps) in RUNS {
        if !selection.scenes.contains(&scene) || !selection.sizes.contains(&discs) {
            continue;
        }
        for &threads in &selection.threads {
            for (engine, steps) in ENGINES.into_iter().zip(steps) {
                let can = steps > 0 && (threads == 1 || engine.is_threaded());
                if can && selection.engines.contains(&engine) {
                    let steps = if selection.quick { steps.div_ceil(10).max(6) } else { steps };
                    cases.push(Case { scene, discs, engine, threads, steps });
                }
            }
        }
    }
    cases
}
