//! Invariants of random crowds: momentum always, kinetic energy at e = 1; below that, energy must only decrease.

use bevy::{math::DVec2, prelude::*};
use carom::collision::{CollisionSettings, DiscState, PhysicsSpace, measure, run_tick};
use carom::prelude::*;
use proptest::prelude::*;

use crate::support::{self, Dice};

fn discs_without_walls(discs: usize, seed: u64) -> PhysicsSpace {
    let mut dice = Dice(seed);
    let mut space = PhysicsSpace::default();
    for id in 0..discs as u64 {
        let position = dice.vec(0.35 * (discs as f32).sqrt() + 0.5);
        space.discs.push(DiscState {
            id,
            position,
            // They fly toward each other.
            velocity: dice.vec(3.0) - position,
            radius: dice.range(0.1, 0.5),
            mass: dice.range(0.1, 10.0),
            ..DiscState::default()
        });
    }
    space
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn discs_alone_keep_their_momentum_at_any_restitution(
        seed: u64, discs in 2usize..80, e in 0.0f32..=1.0, substeps in 1u32..5,
    ) {
        let mut space = discs_without_walls(discs, seed);
        let settings = CollisionSettings { restitution: e, substeps, ..CollisionSettings::default() };
        let before = measure::momentum(&space.discs);
        let scale: f64 = space.discs.mass.iter().zip(&space.discs.velocity)
            .map(|(&m, v)| f64::from(m * v.length())).sum();
        let mut energy = measure::kinetic_energy(&space.discs);
        for _ in 0..120 {
            run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
            let now = measure::kinetic_energy(&space.discs);
            prop_assert!(now <= energy * (1.0 + 1e-6), "energy rose from {energy} to {now}");
            energy = now;
        }
        let drift = (measure::momentum(&space.discs) - before).length();
        // A few thousand rounding errors of f32, each relative to a part of the total.
        prop_assert!(drift <= 2e-6 * scale, "drift {drift:e} of {scale}");
    }

    #[test]
    fn elastic_discs_in_walls_keep_their_energy(seed: u64, discs in 1usize..80, substeps in 1u32..5) {
        let (discs, half_size) = support::random_discs(discs, seed);
        let mut space = PhysicsSpace::default();
        for disc in discs {
            space.discs.push(disc);
        }
        space.add_terrain(
            Entity::PLACEHOLDER, &Terrain::Arena { half_size }, Position::default(), Rotation::default(), None,
        );
        space.add_terrain(
            Entity::PLACEHOLDER, &Terrain::Block { half_size: Vec2::splat(0.2) }, Position::default(), Rotation(0.3), None,
        );
        space.finish_terrain();
        let settings = CollisionSettings { substeps, ..CollisionSettings::default() };
        let before = measure::kinetic_energy(&space.discs);
        for _ in 0..300 {
            run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
        }
        let ratio = measure::kinetic_energy(&space.discs) / before;
        // Discs that start inside the block bounce there thousands of times, with a rounding error each.
        prop_assert!((ratio - 1.0).abs() < 3e-5, "ratio {ratio}");
        prop_assert!(space.report.collisions > 0);
        for i in 0..space.discs.len() {
            let outside = space.discs.position[i].abs() - half_size;
            prop_assert!(outside.max_element() <= 0.0, "a centre is outside by {outside}");
        }
    }

    #[test]
    fn pushing_apart_keeps_the_centre_of_mass(seed: u64, discs in 2usize..40) {
        let mut space = discs_without_walls(discs, seed);
        space.discs.velocity.fill(Vec2::ZERO);
        let centre = |space: &PhysicsSpace| -> DVec2 {
            let total: f64 = space.discs.mass.iter().map(|&m| f64::from(m)).sum();
            space.discs.mass.iter().zip(&space.discs.position)
                .map(|(&m, p)| p.as_dvec2() * f64::from(m)).sum::<DVec2>() / total
        };
        let before = centre(&space);
        run_tick(&mut space, &CollisionSettings::default(), 1.0 / 60.0, |_| {});
        prop_assert!((centre(&space) - before).length() < 1e-5);
        prop_assert!(measure::kinetic_energy(&space.discs) == 0.0, "being pushed gives no speed");
    }
}

#[test]
fn overlapping_discs_part_completely_by_the_shares_of_their_masses() {
    let mut space = PhysicsSpace::default();
    space.discs.push(DiscState { mass: 1.0, ..DiscState::default() });
    space.discs.push(DiscState { id: 1, mass: 3.0, position: Vec2::new(0.6, 0.0), ..DiscState::default() });
    run_tick(&mut space, &CollisionSettings::default(), 1.0 / 60.0, |_| {});
    assert!((space.discs.position[0].x + 0.3).abs() < 1e-6, "three quarters of 0.4");
    assert!((space.discs.position[1].x - 0.7).abs() < 1e-6, "one quarter of 0.4");

    let half = CollisionSettings { push_apart_share: 0.5, ..CollisionSettings::default() };
    let off = CollisionSettings { push_apart: false, ..CollisionSettings::default() };
    for (settings, expected) in [(half, 0.8), (off, 0.6)] {
        let mut space = PhysicsSpace::default();
        space.discs.push(DiscState::default());
        space.discs.push(DiscState { id: 1, position: Vec2::new(0.6, 0.0), ..DiscState::default() });
        run_tick(&mut space, &settings, 1.0 / 60.0, |_| {});
        let distance = space.discs.position[1].x - space.discs.position[0].x;
        assert!((distance - expected).abs() < 1e-6, "{distance} instead of {expected}");
    }
}
