//! The continuous mode: the same bits from both of its searches, nothing tunnels, and every train of impacts ends.

use bevy::prelude::*;
use carom::{
    collision::{CollisionSettings, Disc, Few, Space, measure},
    prelude::*,
};

use crate::support::{continuous, crowd, run, space};

/// Discs of mixed sizes in a room with blocks, bumpers and a slanted wall.
fn room(count: usize, seed: u64, speed: f32) -> Space {
    let (discs, half) = crowd(count, seed);
    let discs = discs.into_iter().map(|disc| Disc { velocity: disc.velocity * speed, ..disc });
    let slanted = Terrain::Segment { a: Vec2::new(-half.x, 0.3 - half.y), b: Vec2::new(0.3 - half.x, -half.y) };
    let terrain = [
        (Terrain::Arena { half_size: half }, Vec2::ZERO, 0.0),
        (Terrain::Block { half_size: Vec2::new(0.11, 0.07) }, Vec2::new(0.0, 0.05), 0.0),
        (Terrain::Circle { radius: 0.1 }, Vec2::new(-0.6, 0.6), 0.0),
        (slanted, Vec2::ZERO, 0.0),
    ];
    space(discs, &terrain)
}

#[test]
fn few_and_many_give_the_same_bits() {
    for (count, speed, seed) in [(7, 1.0, 1), (40, 1.0, 2), (40, 30.0, 3), (300, 1.0, 4), (300, 20.0, 5)] {
        let hashes = [0, 10_000].map(|few| {
            let mut space = room(count, seed, speed);
            space.few = Few(few);
            let settings = CollisionSettings { restitution: 0.97, ..continuous() };
            run(&mut space, &settings, 1.0 / 60.0, 60);
            assert!(space.collisions > count as u64, "{}", space.collisions);
            (space.collisions, measure::state_hash(&space.bodies))
        });
        assert_eq!(hashes[0], hashes[1], "{count} discs");
    }
}

#[test]
fn galperins_collisions_spell_pi() {
    for (digits, expected) in [(0, 3), (1, 31), (2, 314), (3, 3141), (4, 31_415)] {
        let near = Disc { position: Vec2::new(1.0, 0.0), radius: 0.1, ..Disc::default() };
        let coming = Disc {
            position: Vec2::new(3.0, 0.0),
            velocity: Vec2::new(-1.0, 0.0),
            mass: [1.0, 1e2, 1e4, 1e6, 1e8][digits],
            ..near
        };
        let wall = Terrain::Segment { a: Vec2::new(0.0, -1.0), b: Vec2::new(0.0, 1.0) };
        let mut space = space([near, coming], &[(wall, Vec2::ZERO, 0.0)]);
        let settings = CollisionSettings { impact_budget: 100_000, ..continuous() };
        run(&mut space, &settings, 1.0 / 60.0, 600);
        assert_eq!(space.collisions, expected, "mass 100^{digits}");
        assert_eq!(space.rested, 0);
    }
}
