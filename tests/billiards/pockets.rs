//! Pockets: which balls fall, where and when. No ball crosses a pocket.

use bevy::prelude::*;
use carom::collision::{CollisionSettings, DiscState, PhysicsSpace, measure};
use proptest::prelude::*;

use crate::support::*;

fn with_pocket(discs: impl IntoIterator<Item = DiscState>, at: Vec2, radius: f32) -> PhysicsSpace {
    let mut space = space(discs);
    space.add_pocket(Entity::PLACEHOLDER, at, radius);
    space
}

fn smooth(position: Vec2, velocity: Vec2) -> DiscState {
    DiscState { position, velocity, radius: R, mass: M, ..DiscState::default() }
}

#[test]
fn a_disc_falls_where_its_centre_enters_at_the_exact_time_in_both_modes() {
    for settings in [continuous(1.0), CollisionSettings::default()] {
        let mut space = with_pocket([smooth(Vec2::ZERO, Vec2::X * 2.0)], Vec2::new(1.0, 0.03), 0.05);
        let mut ticks = 0;
        while space.report.fallen.is_empty() {
            tick(&mut space, &settings, &frictionless(), 60.0);
            ticks += 1;
        }
        let fallen = space.report.fallen[0];
        near(f64::from(fallen.position.x), 0.96, 1e-6);
        near(f64::from(ticks - 1) / 60.0 + f64::from(fallen.time), 0.48, 1e-6);
        assert_eq!(fallen.velocity, Vec2::X * 2.0);
        let before = measure::state_hash(&space.discs);
        tick(&mut space, &settings, &frictionless(), 60.0);
        assert!(space.report.fallen.is_empty(), "once");
        assert_eq!(measure::state_hash(&space.discs), before);
    }
}

#[test]
fn one_that_fell_is_met_by_nobody() {
    for settings in [continuous(1.0), CollisionSettings::default()] {
        for count in [2, 100] {
            let coming =
                (0..count).map(|i| DiscState { id: i, ..smooth(Vec2::new(-0.1 * i as f32, 0.0), Vec2::X * 3.0) });
            let mut space = with_pocket(coming, Vec2::X, 0.05);
            let (mut fallen, mut hits) = (0, 0);
            for _ in 0..300 {
                tick(&mut space, &settings, &frictionless(), 60.0);
                fallen += space.report.fallen.len();
                hits += space.report.hits.len();
            }
            assert_eq!((fallen, hits), (count as usize, 0), "{:?}", settings.mode);
        }
    }
}

proptest! {
    #[test]
    fn no_speed_carries_a_centre_across_a_pocket(
        log_speed in -1.0f32..4.0, angle in 0.0f32..std::f32::consts::TAU, offset in -0.99f32..0.99, substeps in 1u32..5, stepped: bool, spins: bool,
    ) {
        let direction = Vec2::from_angle(angle);
        let speed = bevy::math::ops::powf(10.0, log_speed);
        let start = direction * -0.5 + direction.perp() * offset * 0.05;
        let disc = if spins {
            rolling(0, start, direction * speed.max(2.0))
        } else {
            smooth(start, direction * speed)
        };
        let settings = if stepped { CollisionSettings { substeps, ..Default::default() } } else { continuous(1.0) };
        let mut space = with_pocket([disc], Vec2::ZERO, 0.05);
        for _ in 0..400 {
            tick(&mut space, &settings, &frictionless(), 60.0);
            if let Some(fallen) = space.report.fallen.first() {
                prop_assert!((fallen.position.length() - 0.05).abs() < 1e-4);
                return Ok(());
            }
            prop_assert!(space.discs.position[0].is_finite());
        }
        prop_assert!(false, "it is at {}", space.discs.position[0]);
    }
}

#[test]
fn what_rests_over_a_hole_falls_and_all_may_fall_at_once() {
    for settings in [continuous(1.0), CollisionSettings::default(), CollisionSettings { substeps: 64, ..default() }] {
        for (count, speed) in [(2, 0.0), (2, 1.0), (100, 0.0)] {
            let discs = (0..count).map(|i| {
                let place = Vec2::new(0.07 * (i % 10) as f32 - 0.3, 0.07 * (i / 10) as f32);
                DiscState { id: i, ..rolling(i, place, Vec2::X * speed) }
            });
            let mut space = with_pocket(discs, Vec2::ZERO, 1.0);
            let mut fallen = 0;
            for _ in 0..3 {
                tick(&mut space, &settings, &frictionless(), 60.0);
                fallen += space.report.fallen.len();
            }
            assert_eq!(fallen, count as usize, "{:?}, {} substeps", settings.mode, settings.substeps);
        }
    }
}
