//! Random scenes with unusual combinations of features, and the promises that hold in all of them.
//!
//! Each scene follows from its number. A plain run takes a few hundred of them. To run more, or to repeat one:
//!
//! ```sh
//! CAROM_FUZZ=100000 cargo test --release --no-default-features --features scene --test fuzz random -- --nocapture
//! CAROM_FUZZ=1 CAROM_FUZZ_FROM=4711 cargo test --no-default-features --features scene --test fuzz random -- --nocapture
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `features` | the features of a scene, one function each |
//! | `random_scene` | a scene from its number |
//! | `promises` | the checks while a scene runs |
//! | `energy` | the energy of everything in a world, and by how much it may rise |
//! | `shrink` | a smaller scene that breaks the same promise |
//! | `found` | scenes that once broke a promise, one test each |
#![cfg(feature = "scene")]

mod energy;
mod features;
mod found;
mod promises;
mod random_scene;
mod shrink;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use promises::{Bench, Broken};

/// The number of scenes in a plain run.
const SCENES: u64 = 300;

/// A scene that has run for this long is named while it runs, so that one that never ends can be found.
const SLOW: Duration = Duration::from_secs(20);

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{variable}={value}")))
}

#[test]
fn random_scenes_keep_every_promise() {
    let (first, count) = (number("CAROM_FUZZ_FROM", 0), number("CAROM_FUZZ", SCENES));
    if count == 1 {
        println!("{}", random_scene::scene(first).to_text().unwrap());
    }
    let workers = thread::available_parallelism().map_or(1, usize::from).min(count as usize);
    let next = AtomicU64::new(first);
    let broken = Mutex::new(Vec::<(u64, Broken)>::new());
    let running: Vec<Mutex<Option<(u64, Instant)>>> = (0..workers).map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        let workers: Vec<_> = running
            .iter()
            .map(|running| {
                scope.spawn(|| {
                    let mut bench = Bench::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= first + count {
                            break;
                        }
                        *running.lock().unwrap() = Some((number, Instant::now()));
                        if let Err(problem) = bench.try_scene(&random_scene::scene(number)) {
                            eprintln!("scene {number}: {problem}");
                            broken.lock().unwrap().push((number, problem));
                        }
                        *running.lock().unwrap() = None;
                    }
                })
            })
            .collect();
        let mut named = Vec::new();
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(100));
            for (number, since) in running.iter().filter_map(|running| *running.lock().unwrap()) {
                if since.elapsed() > SLOW && !named.contains(&number) {
                    eprintln!("scene {number} has run for {} s so far", since.elapsed().as_secs());
                    named.push(number);
                }
            }
        }
    });
    let mut broken = broken.into_inner().unwrap();
    broken.sort_unstable_by_key(|&(number, _)| number);
    if let Some((number, problem)) = broken.first() {
        let scene = random_scene::scene(*number);
        let shrinks = std::env::var_os("CAROM_FUZZ_SHRINK").is_none_or(|value| value != "0");
        let text = if shrinks { shrink::smaller(&scene, problem) } else { scene }.to_text().unwrap();
        let numbers: Vec<u64> = broken.iter().map(|&(number, _)| number).collect();
        panic!("{} of {count} scenes break a promise: {numbers:?}\nscene {number}: {problem}\n{text}", broken.len());
    }
}

#[test]
fn the_same_number_gives_the_same_scene_and_most_scenes_are_valid() {
    let scenes = || (0..200).map(random_scene::scene);
    assert!(scenes().eq(scenes()));
    let valid = scenes().filter(|scene| scene.check().is_ok()).count();
    assert!(valid >= 190, "{valid} of 200");
}
