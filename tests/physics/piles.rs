//! Discs that rest on each other: frictionless, at rest, and with their full weight.

use bevy::prelude::*;
use carom::{
    collision::{Discs, PhysicsSpace, measure},
    prelude::*,
};
use proptest::prelude::*;

use crate::support::{self, Dice};

const GRAVITY: f32 = 10.0;

/// Gravity, a resting speed of 1 m/s, four substeps, and a floor of 40 m with walls.
fn box_with_gravity(half_size: Vec2) -> App {
    let mut app = support::app();
    app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, -GRAVITY), ..MotionSettings::default() });
    support::settings(&mut app, |s| {
        s.restitution = 0.3;
        s.terrain_restitution = 0.3;
        s.substeps = 4;
        s.resting_speed = 1.0;
    });
    app.world_mut().spawn((Terrain::Arena { half_size }, Position(Vec2::new(0.0, half_size.y))));
    app
}

fn rms_speed(app: &mut App) -> f64 {
    let discs = Discs::of(app.world_mut());
    let mass: f64 = discs.mass.iter().map(|&m| f64::from(m)).sum();
    (2.0 * measure::kinetic_energy(&discs) / mass).sqrt()
}

#[test]
fn three_smooth_discs_do_not_stand_as_a_pyramid() {
    let mut app = box_with_gravity(Vec2::new(20.0, 5.0));
    let left = support::disc(&mut app, Vec2::new(-0.5, 0.5), Vec2::ZERO);
    let right = support::disc(&mut app, Vec2::new(0.5, 0.5), Vec2::ZERO);
    let top = support::disc(&mut app, Vec2::new(0.0, 0.5 + 0.75_f32.sqrt()), Vec2::ZERO);
    support::ticks(&mut app, 90);
    let gap = support::position(&app, right).x - support::position(&app, left).x;
    assert!(gap > 2.0, "the lower two are {gap} m apart");
    assert!((support::position(&app, top).y - 0.5).abs() < 0.01, "the upper one lies on the floor");
    // The left and right sides are symmetric.
    assert!((support::position(&app, left).x + support::position(&app, right).x).abs() < 0.02);
}

#[test]
fn a_column_in_a_tube_stands_still_and_each_disc_carries_what_is_above() {
    let mut app = box_with_gravity(Vec2::new(0.5, 20.0));
    let column: Vec<Entity> =
        (0..12).map(|k| support::disc(&mut app, Vec2::new(0.0, 0.6 + 1.1 * k as f32), Vec2::ZERO)).collect();
    support::ticks(&mut app, 600);
    let height = |k: usize| support::position(&app, column[k]).y;
    let overlaps: Vec<f32> = (0..11).map(|k| 1.0 - (height(k + 1) - height(k))).collect();
    // The overlap of a contact grows with its load: one share per disc above it.
    let share = overlaps[10];
    for (k, overlap) in overlaps.iter().enumerate() {
        let expected = share * (11 - k) as f32;
        assert!((overlap / expected - 1.0).abs() < 0.02, "contact {k}: {overlap} m instead of {expected} m");
    }
    assert!(rms_speed(&mut app) < 1e-3);
}

#[test]
fn a_heavy_disc_lies_on_a_light_one_and_does_not_sink_in() {
    for ratio in [10.0, 1e3, 1e6] {
        let mut app = box_with_gravity(Vec2::new(0.5, 5.0));
        let light = support::disc(&mut app, Vec2::new(0.0, 0.5), Vec2::ZERO);
        let heavy = support::disc(&mut app, Vec2::new(0.0, 1.6), Vec2::ZERO);
        app.world_mut().entity_mut(heavy).insert(Mass(ratio));
        support::ticks(&mut app, 300);
        let gap = support::position(&app, heavy).y - support::position(&app, light).y;
        assert!((0.9..=1.0).contains(&gap), "{ratio} : 1 leaves {gap} m");
        assert!(rms_speed(&mut app) < 0.05, "{ratio} : 1");
    }
}

/// While discs fall, a resting speed must not slow them down.
#[test]
fn a_pile_falls_as_it_falls_without_a_resting_speed() {
    let speed_after = |resting_speed: f32, substeps: u32| {
        let mut app = box_with_gravity(Vec2::new(8.0, 20.0));
        support::settings(&mut app, |s| {
            // A hit at rest has no restitution, so the others must have none either.
            s.restitution = 0.0;
            s.terrain_restitution = 0.0;
            (s.resting_speed, s.substeps) = (resting_speed, substeps);
        });
        for k in 0..225 {
            let at = Vec2::new((k % 15) as f32 * 1.05 - 7.4 + 0.02 * (k / 15 % 2) as f32, 0.6 + 1.05 * (k / 15) as f32);
            support::disc(&mut app, at, Vec2::ZERO);
        }
        support::ticks(&mut app, 18);
        rms_speed(&mut app)
    };
    let (with, without) = (speed_after(1.0, 4), speed_after(0.0, 64));
    assert!((with / without - 1.0).abs() < 0.02, "rms speed {with} m/s instead of {without} m/s");
}

/// Nothing rests here, so a resting speed must not change the restitution of hits.
#[test]
fn discs_that_hit_each_other_in_the_air_keep_what_restitution_says() {
    let mut dice = Dice(5);
    for case in 0..300 {
        let mut app = support::app();
        let gravity = Vec2::from_angle(dice.range(0.0, 6.3)) * GRAVITY;
        app.insert_resource(MotionSettings { gravity, ..MotionSettings::default() });
        let (e, approach) = (dice.range(0.0, 1.0), dice.range(0.2, 4.0));
        support::settings(&mut app, |s| {
            (s.restitution, s.resting_speed) = (e, 0.1);
            s.substeps = 1 + case % 12;
        });
        let radii = [dice.range(0.01, 0.5), dice.range(0.01, 0.5)];
        let along = Vec2::from_angle(dice.range(0.0, 6.3));
        let gap = radii[0] + radii[1] + approach * dice.range(0.001, 0.03);
        let discs = [(Vec2::ZERO, along * approach), (along * gap, Vec2::ZERO)];
        let [a, b] = discs.map(|(at, velocity)| support::disc(&mut app, at, velocity));
        for (disc, radius) in [a, b].into_iter().zip(radii) {
            app.world_mut().entity_mut(disc).insert((Radius(radius), Mass(dice.range(0.1, 10.0))));
        }
        support::ticks(&mut app, 8);
        let parting = (support::velocity(&app, b) - support::velocity(&app, a)).dot(along);
        let off = (parting - e * approach).abs();
        assert!(off < 1e-3 * approach, "{case}: {approach} m/s, restitution {e}, yet they part at {parting} m/s");
    }
}

#[test]
fn discs_put_into_each_other_part_without_an_explosion() {
    let mut app = box_with_gravity(Vec2::new(10.0, 10.0));
    let a = support::disc(&mut app, Vec2::new(0.0, 0.5), Vec2::ZERO);
    let b = support::disc(&mut app, Vec2::new(0.3, 0.6), Vec2::ZERO);
    let mut fastest = 0.0_f32;
    for _ in 0..60 {
        support::ticks(&mut app, 1);
        fastest = fastest.max(support::velocity(&app, a).length()).max(support::velocity(&app, b).length());
    }
    assert!(fastest < 3.0, "{fastest} m/s");
    assert!(support::position(&app, a).distance(support::position(&app, b)) > 0.98);
}

/// A small heap that has fallen asleep, and its discs.
fn sleeping_heap() -> (App, Vec<Entity>) {
    let mut app = box_with_gravity(Vec2::new(3.0, 10.0));
    support::settings(&mut app, |s| s.sleep_speed = 0.001);
    let heap: Vec<Entity> = (0..25)
        .map(|k| {
            support::disc(&mut app, Vec2::new((k % 5) as f32 * 1.1 - 2.2, 0.6 + 1.05 * (k / 5) as f32), Vec2::ZERO)
        })
        .collect();
    support::ticks(&mut app, 1200);
    (app, heap)
}

fn asleep(app: &App) -> usize {
    app.world().resource::<PhysicsSpace>().sleeping()
}

#[test]
fn a_heap_falls_asleep_and_then_nothing_moves() {
    let (mut app, heap) = sleeping_heap();
    assert_eq!(asleep(&app), heap.len());
    let hash = support::hash(&mut app);
    support::ticks(&mut app, 60);
    assert_eq!(support::hash(&mut app), hash);
    assert!(heap.iter().all(|&disc| support::velocity(&app, disc) == Vec2::ZERO));
}

#[test]
fn a_sleeping_heap_wakes_where_something_comes_near() {
    let (mut app, heap) = sleeping_heap();
    let top = heap.iter().map(|&disc| support::position(&app, disc).y).fold(0.0, f32::max);
    let falling = support::disc(&mut app, Vec2::new(0.3, top + 6.0), Vec2::new(0.0, -5.0));
    support::ticks(&mut app, 10);
    assert_eq!(asleep(&app), heap.len(), "it is still far away");
    support::ticks(&mut app, 50);
    assert!(asleep(&app) < heap.len());
    let moved = |app: &App| heap.iter().any(|&disc| support::velocity(app, disc) != Vec2::ZERO);
    assert!(moved(&app) && support::position(&app, falling).y < top + 1.0);
    support::ticks(&mut app, 1500);
    assert_eq!(asleep(&app), heap.len() + 1, "they all fall asleep again");
}

#[test]
fn a_sleeping_heap_wakes_when_its_support_or_its_gravity_goes() {
    let (mut app, heap) = sleeping_heap();
    // The disc with the largest load: one at the bottom.
    let height = |app: &App| heap.iter().skip(5).map(|&disc| support::position(app, disc).y).sum::<f32>();
    let before = height(&app);
    for &bottom in &heap[..5] {
        app.world_mut().despawn(bottom);
    }
    support::ticks(&mut app, 120);
    assert!(height(&app) < before - 10.0, "twenty discs fall half a metre and more");

    let (mut app, heap) = sleeping_heap();
    app.insert_resource(MotionSettings { gravity: Vec2::new(0.0, GRAVITY), ..MotionSettings::default() });
    support::ticks(&mut app, 300);
    assert!(heap.iter().all(|&disc| support::position(&app, disc).y > 10.0), "they lie under the ceiling");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 50, ..ProptestConfig::default() })]

    /// Discs of any size fall on each other. No disc gains energy, and in the end all are at rest.
    #[test]
    fn a_heap_of_any_discs_gains_no_energy_and_comes_to_rest(
        seed: u64, smallest in 0.05f32..0.5, substeps in 4u32..9, lean in -3.0f32..3.0, density in 0.0f32..1.0,
    ) {
        let mut app = box_with_gravity(Vec2::new(4.0, 10.0));
        let gravity = Vec2::new(lean, -GRAVITY);
        app.insert_resource(MotionSettings { gravity, ..MotionSettings::default() });
        support::settings(&mut app, |s| s.substeps = substeps);
        app.world_mut().spawn((Terrain::Circle { radius: 0.6 }, Position(Vec2::new(0.5, 1.0))));
        let mut dice = Dice(seed);
        for k in 0..70 {
            let radius = dice.range(smallest, 0.5);
            let at = Vec2::new((k % 7) as f32 * 1.1 - 3.3, 2.5 + 1.1 * (k / 7) as f32);
            let disc = support::disc(&mut app, at + dice.vec(0.04), dice.vec(1.0));
            // Masses roughly proportional to area.
            let mass = radius * radius * (1.0 + density * (dice.range(0.5, 2.0) - 1.0));
            app.world_mut().entity_mut(disc).insert((Radius(radius), Mass(mass)));
        }
        let energy = |app: &mut App| {
            let discs = Discs::of(app.world_mut());
            // Above the lowest corner of the box.
            let corner = Vec2::new(if lean > 0.0 { 4.0 } else { -4.0 }, 0.0);
            let height: f64 = discs.position.iter().zip(&discs.mass)
                .map(|(&p, &m)| f64::from(m) * f64::from(-gravity.dot(p - corner))).sum();
            height + measure::kinetic_energy(&discs)
        };
        let mut least = energy(&mut app);
        for _ in 0..60 {
            support::ticks(&mut app, 10);
            let now = energy(&mut app);
            prop_assert!(now < least * 1.05, "energy rose from {least} J to {now} J");
            least = least.min(now);
        }
        support::ticks(&mut app, 600);
        let discs = Discs::of(app.world_mut());
        // A light disc wedged between heavy ones may continue to rattle.
        let left = measure::kinetic_energy(&discs) / least;
        prop_assert!(left < 1e-2, "{left} of the energy is still moving after twenty seconds");
        let overlap = measure::overlap(&discs);
        prop_assert!(overlap.mean < 0.1, "{overlap:?}");
    }
}
