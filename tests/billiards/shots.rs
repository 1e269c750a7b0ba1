//! Whole shots on a table with pockets: case 39. Energy never rises, balls at rest do not overlap, no ball escapes,
//! runs are bit-identical when repeated, and mirrored shots give mirrored results.

use crate::support::*;
use bevy::prelude::*;
use carom::{
    collision::{
        HitTarget, PhysicsSpace, ScanLimit, SolverMode, measure,
        path::table_events::TableEventKind,
        spin::{
            Motion, TablePhysics,
            cushion::{Cushion, CushionModel, CushionRestitution},
        },
    },
    prelude::*,
};

/// Half the playing field of a nine-foot table, metres.
const HALF: Vec2 = Vec2::new(1.27, 0.635);

/// A simple table: four cushions, with pockets at the corners and at the middles of the long sides.
fn table(discs: impl IntoIterator<Item = carom::collision::DiscState>) -> PhysicsSpace {
    let mut space = space(discs);
    let arena = Terrain::Arena { half_size: HALF };
    space.add_terrain(Entity::PLACEHOLDER, &arena, Position::default(), Rotation::default(), None);
    space.finish_terrain();
    for x in [-HALF.x, 0.0, HALF.x] {
        for y in [-HALF.y, HALF.y] {
            space.add_pocket(Entity::PLACEHOLDER, Vec2::new(x, y), 0.06);
        }
    }
    space
}

/// Platform-independent random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }
}

/// Racked and scattered balls, a cue ball that is shot, and the physics of the table, by a seed.
fn shot(seed: u64) -> (PhysicsSpace, TablePhysics, carom::collision::CollisionSettings, f32) {
    let mut random = Random(seed);
    let (angle, speed) = (random.between(0.0, std::f32::consts::TAU), random.between(0.3, 12.0));
    let velocity = Vec2::from_angle(angle) * speed;
    let mut spin = || random.between(-1.25, 1.25) * speed;
    let mut discs = vec![ball(0, Vec2::new(-0.6, 0.0), velocity, Vec3::new(spin(), spin(), spin()))];
    let racked = seed.is_multiple_of(2);
    let mut k = 1;
    for row in 0..5 {
        for at in 0..=row {
            let gap = 2.0 * R + [0.0, 2e-5, 1e-4][(seed / 2 % 3) as usize];
            let place = if racked {
                Vec2::new(0.635 + 0.866_025_4 * gap * row as f32, gap * (at as f32 - 0.5 * row as f32))
            } else {
                Vec2::new(-0.3 + 0.35 * row as f32, 0.2 * (at as f32 - 0.5 * row as f32) + 0.01)
            };
            discs.push(ball(k, place, Vec2::ZERO, Vec3::ZERO));
            k += 1;
        }
    }
    let model = CushionModel::ALL[(seed / 6 % 5) as usize].0;
    let physics = TablePhysics { cushion: Cushion { model, ..Cushion::default() }, ..TablePhysics::default() };
    let rate = [60.0, 120.0, 240.0][(seed % 3) as usize];
    (table(discs), physics, continuous([0.95, 1.0, 0.9][(seed / 3 % 3) as usize]), rate)
}

/// The seeds of the random shots: hundreds, or as many as requested.
fn seeds() -> std::ops::Range<u64> {
    0..std::env::var("SHOTS").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

/// Runs a shot to its end, and returns the number of potted balls.
fn judge(seed: u64) -> usize {
    let (mut space, physics, settings, rate) = shot(seed);
    let (mut energy_before, mut fallen) = (energy(&space), 0);
    for tick_number in 0..(120.0 * rate) as u32 {
        tick(&mut space, &settings, &physics, rate);
        let after = energy(&space);
        assert!(
            after <= energy_before * (1.0 + 1e-6) + 1e-12,
            "shot {seed}, tick {tick_number}: {energy_before} J to {after} J"
        );
        energy_before = after;
        fallen += space.report.fallen.len();
        for (i, place) in space.discs.position.iter().enumerate() {
            let inside = place.abs().cmple(HALF - R + 2e-6).all();
            assert!(place.is_nan() || inside, "shot {seed}, tick {tick_number}: ball {i} is at {place}");
        }
        assert_eq!(space.report.stopped, 0, "shot {seed}, tick {tick_number}: impacts that do not end");
        if after == 0.0 {
            let overlap = measure::overlap(&space.discs);
            assert!(overlap.worst * R < 1e-6, "shot {seed}: {} m", overlap.worst * R);
            return fallen;
        }
    }
    panic!("shot {seed} does not end: {energy_before} J");
}

#[test]
fn case_39_random_shots_end_lose_energy_and_stay_on_the_table() {
    let fallen: usize = seeds().map(judge).sum();
    assert!(fallen > seeds().count() / 5, "{fallen} balls fell");
}

#[test]
fn shots_repeat_to_the_bit_whoever_looks_for_the_impacts() {
    for seed in seeds().take(60) {
        let hashes = [0, 1000].map(|limit| {
            let (mut space, physics, settings, rate) = shot(seed);
            space.compute.scan_limit = ScanLimit(limit);
            (0..(3.0 * rate) as u32).for_each(|_| tick(&mut space, &settings, &physics, rate));
            (space.report.collisions, measure::state_hash(&space.discs))
        });
        assert_eq!(hashes[0], hashes[1], "shot {seed}");
    }
}

#[test]
fn a_mirrored_shot_mirrors() {
    for seed in seeds().take(60) {
        let (mut space, physics, settings, rate) = shot(seed);
        let mut mirrored = space.clone();
        for i in 0..mirrored.discs.len() {
            mirrored.discs.position[i].y *= -1.0;
            mirrored.discs.velocity[i].y *= -1.0;
            let mut spin = mirrored.discs.spin_of(i).unwrap();
            spin.angular_velocity *= Vec3::new(-1.0, 1.0, -1.0);
            mirrored.discs.set_spin(i, Some(spin));
        }
        // Until about the second hit. Later hits magnify rounding errors.
        while space.report.collisions < 3 && energy(&space) > 0.0 {
            tick(&mut space, &settings, &physics, rate);
            tick(&mut mirrored, &settings, &physics, rate);
            let mirror = |place: Vec2| Vec2::new(place.x, -place.y);
            for (a, b) in space.discs.position.iter().zip(&mirrored.discs.position) {
                assert!(a.is_nan() && b.is_nan() || a.distance(mirror(*b)) < 1e-4, "shot {seed}: {a} and {b}");
            }
        }
    }
}

#[test]
fn a_thousand_balls_in_the_stepped_mode_stay_and_lose_energy() {
    let balls = (0..1000).map(|i| {
        let mut random = Random(i);
        let place = Vec2::new((i % 40) as f32 - 19.5, (i / 40) as f32 - 12.0) * 0.0625;
        let velocity = Vec2::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0));
        let mut spin = || random.between(-2.0, 2.0);
        ball(i, place * 0.98, velocity, Vec3::new(spin(), spin(), spin()))
    });
    let mut space = space(balls);
    let arena = Terrain::Arena { half_size: Vec2::new(1.3, 0.85) };
    space.add_terrain(Entity::PLACEHOLDER, &arena, Position::default(), Rotation::default(), None);
    space.finish_terrain();
    let settings =
        carom::collision::CollisionSettings { mode: SolverMode::Stepped, substeps: 4, restitution: 0.95, ..default() };
    let mut before = energy(&space);
    for _ in 0..600 {
        tick(&mut space, &settings, &TablePhysics::default(), 60.0);
        let after = energy(&space);
        assert!(after <= before * (1.0 + 1e-6));
        before = after;
    }
    assert!(space.discs.position.iter().all(|place| place.abs().cmple(Vec2::new(1.3, 0.85)).all()));
    assert!(before < 0.01, "{before} J");
}

#[test]
fn the_events_of_a_shot_follow_each_other() {
    let (mut space, physics, settings, rate) = shot(4);
    space.report.record_events = true;
    let mut last: Vec<Motion> = (0..space.discs.len()).map(|i| motion(&space, i)).collect();
    let (mut counts, mut hits, mut potted) = ([0; 4], 0, 0);
    while energy(&space) > 0.0 {
        tick(&mut space, &settings, &physics, rate);
        hits += space.report.hits.len();
        potted += space.report.fallen.len();
        for event in &space.report.events {
            let kind = match event.kind {
                TableEventKind::Hit(HitTarget::Disc(_)) => 0,
                TableEventKind::Hit(_) => 1,
                TableEventKind::Rolls => 2,
                TableEventKind::Rests => 3,
                TableEventKind::Potted(_)
                | TableEventKind::Lands
                | TableEventKind::LeavesTable
                | TableEventKind::Stopped => continue,
            };
            counts[kind] += 1;
            let i = event.disc as usize;
            // Between two events a ball gets no faster than its spin can make it.
            let most = last[i].velocity.length() + f64::from(R) * last[i].angular_velocity.length();
            assert!(event.before.velocity.length() <= most * (1.0 + 1e-6) + 1e-6, "{event:?}");
            last[i] = event.after;
        }
        assert!(space.report.events.is_sorted_by_key(|event| event.time));
    }
    assert_eq!(counts[0] / 2 + counts[1], hits);
    // Each ball that moved and stayed on the table comes to rest after it last rolled.
    assert!(counts[3] + potted >= 10 && counts[2] >= counts[3] - 2, "{counts:?}, {potted}");
}

#[test]
fn a_dead_hit_is_a_number_in_every_model_and_no_spin_carries_a_ball_through_a_wall() {
    for (model, _) in CushionModel::ALL {
        for (restitution, friction, spin, mode) in [
            (0.0, 0.2, 3.0, SolverMode::Continuous),
            (0.0, 0.2, 3.0, SolverMode::Stepped),
            (0.85, 10.0, 900.0, SolverMode::Stepped),
        ] {
            let start = ball(0, Vec2::new(-0.2, -0.4), Vec2::new(-0.7, 0.7), Vec3::splat(spin));
            let mut space = table([start]);
            let restitution = CushionRestitution::Constant(restitution);
            let cushion = Cushion { model, friction, restitution, ..Cushion::default() };
            let physics = TablePhysics { cushion, ..TablePhysics::default() };
            let settings = carom::collision::CollisionSettings { mode, ..default() };
            for _ in 0..600 {
                tick(&mut space, &settings, &physics, 60.0);
                let place = space.discs.position[0];
                let fell = !space.report.fallen.is_empty() || place.is_nan();
                assert!(fell || place.abs().cmple(HALF).all(), "{model:?}, {mode:?}: {place}");
                if fell {
                    break;
                }
                assert!(motion(&space, 0).velocity.is_finite());
            }
        }
    }
}
