//! Several worlds in one process: each gives the bits that it would give alone.

use std::thread;

use bevy::prelude::*;
use carom::prelude::*;

use crate::support;

const TICKS: usize = 120;

/// Two worlds that have little in common.
fn world(which: usize) -> App {
    let mut app = support::app();
    let (discs, half_size) = support::random_discs([150, 90][which], 3 + which as u64);
    support::settings(&mut app, |s| {
        s.mode = [SolverMode::Stepped, SolverMode::Continuous][which];
        (s.substeps, s.restitution) = (2, 0.95);
    });
    app.world_mut().resource_mut::<MotionSettings>().gravity = [Vec2::ZERO, Vec2::new(1.0, -3.0)][which];
    support::fill(&mut app, &discs, half_size);
    app
}

fn tick(app: &mut App) -> u64 {
    app.update();
    support::hash(app)
}

fn alone(which: usize) -> Vec<u64> {
    let mut app = world(which);
    (0..TICKS).map(|_| tick(&mut app)).collect()
}

#[test]
fn two_worlds_that_take_turns_do_not_disturb_each_other() {
    let mut worlds = [world(0), world(1)];
    let mut hashes = [const { Vec::new() }; 2];
    for _ in 0..TICKS {
        for (app, hashes) in worlds.iter_mut().zip(&mut hashes) {
            hashes.push(tick(app));
        }
    }
    assert_eq!(hashes, [alone(0), alone(1)]);
}

#[test]
fn nor_do_worlds_on_threads_of_their_own() {
    let expected = [alone(0), alone(1)];
    let threads: Vec<_> = [0, 1, 0, 1].into_iter().map(|which| (which, thread::spawn(move || alone(which)))).collect();
    for (which, thread) in threads {
        assert_eq!(thread.join().expect("a world does not panic"), expected[which]);
    }
}
