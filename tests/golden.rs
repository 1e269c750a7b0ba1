//! Golden hashes: every shipped scene gives the same bits everywhere. Each platform, each SIMD level and each number of
//! tasks is compared with one file, `tests/golden.txt`, instead of with each other.
//!
//! After an intended change of the physics or of a scene, write the file again, check which scenes changed, and state
//! the reason in the commit:
//!
//! ```sh
//! CAROM_UPDATE_GOLDEN=1 cargo test --no-default-features --features scene --test golden
//! ```
//!
//! `web/check-bits` runs it as wasm, in Node.
#![cfg(feature = "scene")]

use std::{collections::BTreeMap, fmt::Write, path::PathBuf};

use bevy::prelude::*;
use carom::{
    collision::{Discs, SimdLevel, Threads, measure},
    prelude::*,
    scene::{CueBall, ScenePlugin, SceneSource, ShippedScene, shipped, spawn},
    timeline::{advance, run_in_order},
};

/// The number of ticks of each run.
const TICKS: u64 = 300;

/// In a scene with a cue ball it breaks with this velocity (m/s); otherwise nothing would move.
const BREAK: Vec2 = Vec2::new(9.0, 0.03);

/// The hashes of a scene: at its start, which tests the generators, and after [`TICKS`], which tests the solver.
type Hashes = [String; 2];

fn run(scene: &ShippedScene, simd: SimdLevel, threads: Threads) -> Hashes {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin));
    run_in_order(&mut app);
    let source = SceneSource::Shipped(scene.name);
    let file = source.load().unwrap();
    spawn(app.world_mut(), source, file).unwrap();
    let world = app.world_mut();
    let mut space = world.resource_mut::<PhysicsSpace>();
    (space.compute.simd, space.compute.threads) = (simd, threads);
    for mut velocity in world.query_filtered::<&mut Velocity, With<CueBall>>().iter_mut(world) {
        velocity.0 = BREAK;
    }
    let hash = |world: &mut World| format!("{:016x}", measure::state_hash(&Discs::of(world)));
    let start = hash(world);
    advance(world, TICKS);
    [start, hash(world)]
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt")
}

/// The current file, or on a platform without files the one at build time.
fn written() -> String {
    if cfg!(target_arch = "wasm32") {
        return include_str!("golden.txt").to_owned();
    }
    std::fs::read_to_string(path()).unwrap_or_default()
}

/// Parses the file: one line per scene, with its hash at the start and at the end.
fn read(text: &str) -> BTreeMap<String, Hashes> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            let mut next = || words.next().unwrap_or_else(|| panic!("tests/golden.txt: `{line}`"));
            (next(), [next(), next()])
        })
        .collect()
}

fn write(hashes: &BTreeMap<String, Hashes>) -> String {
    let mut text =
        format!("# scene, hash at the start, hash after {TICKS} ticks; tests/golden.rs writes and reads this\n");
    for (scene, [start, end]) in hashes {
        writeln!(text, "{scene:20} {start} {end}").unwrap();
    }
    text
}

/// Everything that must not affect the result.
fn ways() -> Vec<(String, SimdLevel, Threads)> {
    let simd = SimdLevel::available();
    let ways = simd.into_iter().flat_map(|simd| [1, 3].map(|tasks| (simd, tasks)));
    ways.map(|(simd, tasks)| (format!("{}, tasks: {tasks}", simd.name()), simd, Threads::Tasks(tasks))).collect()
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn every_scene_has_the_bits_that_are_written_down() {
    if std::env::var_os("CAROM_UPDATE_GOLDEN").is_some() {
        let (_, simd, threads) = ways().swap_remove(0);
        let hashes = shipped().iter().map(|scene| (scene.name.to_owned(), run(scene, simd, threads))).collect();
        std::fs::write(path(), write(&hashes)).unwrap();
    }
    let golden = read(&written());
    let mut wrong = Vec::new();
    // A constant hash means something only if the scene moves.
    let still = golden.iter().filter(|(_, [start, end])| start == end);
    wrong.extend(still.map(|(name, _)| format!("{name}: nothing moves in {TICKS} ticks")));
    for scene in shipped() {
        for (way, simd, threads) in ways() {
            let found = run(scene, simd, threads);
            let Some(expected) = golden.get(scene.name) else {
                wrong.push(format!("{}: not in the file", scene.name));
                break;
            };
            for (moment, (found, expected)) in ["start", "end"].iter().zip(found.iter().zip(expected)) {
                if found != expected {
                    wrong.push(format!("{}, {way}, {moment}: {found} instead of {expected}", scene.name));
                }
            }
        }
    }
    let gone = golden.keys().filter(|name| ShippedScene::named(name).is_none());
    wrong.extend(gone.map(|name| format!("{name}: there is no such scene any more")));
    assert!(
        wrong.is_empty(),
        "on {} these differ from tests/golden.txt:\n{}\nIf that is intended, write the file again:\n  CAROM_UPDATE_GOLDEN=1 cargo test --no-default-features --features scene --test golden",
        std::env::consts::ARCH,
        wrong.join("\n"),
    );
}
