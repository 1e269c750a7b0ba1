//! Contact hooks: each hit is seen once, a changed answer equals that of a component, and dropped contacts pass through
//! bit-identically.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bevy::prelude::*;
use carom::{
    collision::{ContactHook, DiscState, measure},
    prelude::*,
};

use crate::support::{self, Dice, MODES, app_in, prediction, random_discs};

/// Lets the discs of one team pass through each other and through the named pieces.
struct Teams {
    members: Vec<Entity>,
    pieces: Vec<Entity>,
}

impl ContactHook for Teams {
    fn filter_contact(&self, contact: &ContactView) -> bool {
        let is_member = |entity: Entity| self.members.contains(&entity);
        let other = contact.target.entity();
        !(is_member(contact.disc) && (is_member(other) || self.pieces.contains(&other)))
    }
}

/// A crowd in an arena, with a bumper, a wall and a rotating block.
fn crowd(app: &mut App, discs: &[DiscState], half: Vec2, kinematic: bool) -> (Vec<Entity>, Vec<Entity>) {
    let mut members = Vec::new();
    for (i, disc) in discs.iter().enumerate() {
        let bundle = (Disc, StableId(disc.id), Position(disc.position), Velocity(disc.velocity), Radius(disc.radius));
        let entity = app.world_mut().spawn((bundle, Mass(disc.mass))).id();
        if kinematic && i % 17 == 3 {
            app.world_mut().entity_mut(entity).insert(Kinematic);
        }
        members.push(entity);
    }
    let circle = app.world_mut().spawn((Terrain::Circle { radius: 0.6 }, Position(vec2(0.3, 0.2)))).id();
    let wall = Terrain::Segment { a: vec2(-1.0, -0.5), b: vec2(1.5, 0.7) };
    let wall = app.world_mut().spawn((wall, Position(vec2(-half.x * 0.5, 0.0)))).id();
    let block = Terrain::Block { half_size: vec2(0.7, 0.3) };
    let turns = (AngularVelocity(Vec3::Z * 1.5), Velocity(vec2(0.2, 0.0)));
    let block = app.world_mut().spawn((block, Position(vec2(half.x * 0.5, 0.0)), turns)).id();
    app.world_mut().spawn(Terrain::Arena { half_size: half });
    (members, vec![circle, wall, block])
}

#[test]
fn whom_a_hook_lets_through_goes_through_as_if_they_ignored_each_other() {
    for mode in MODES {
        for (n, gravity, kinematic) in [(30, 0.0, false), (30, -9.0, false), (90, 0.0, false), (30, 0.0, true)] {
            let (discs, half) = random_discs(n, 7 + n as u64);
            let apps = [false, true].map(|hooked| {
                let mut app = app_in(mode);
                app.insert_resource(MotionSettings { gravity: vec2(0.0, gravity), ..default() });
                support::settings(&mut app, |settings| {
                    settings.terrain_restitution = if gravity == 0.0 { 1.0 } else { 0.6 }
                });
                let (members, pieces) = crowd(&mut app, &discs, half, kinematic);
                let team: Vec<Entity> = members.iter().copied().step_by(2).collect();
                if hooked {
                    app.add_contact_hook(Teams { members: team, pieces });
                } else {
                    for &member in &team {
                        let others =
                            team.iter().copied().filter(|&other| other != member).chain(pieces.iter().copied());
                        app.world_mut().entity_mut(member).insert(IgnoredPairs(others.collect()));
                    }
                }
                let ahead = prediction(&mut app, 1.0);
                support::ticks(&mut app, ahead.ticks() as usize);
                assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?} {n}: as predicted");
                (support::hash(&mut app), support::collisions(&mut app).len())
            });
            assert_eq!(apps[0], apps[1], "{mode:?}, {n} discs, gravity {gravity}, kinematic {kinematic}");
            assert!(apps[0].1 > 20, "{mode:?}: something happened");
        }
    }
}

#[test]
fn a_hook_sees_each_hit_once_and_as_it_is_told() {
    for mode in MODES {
        for n in [20, 90] {
            let mut app = app_in(mode);
            let (discs, half) = random_discs(n, 3);
            support::fill(&mut app, &discs, half);
            let (calls, momentum) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
            let (called, approached) = (calls.clone(), momentum.clone());
            app.add_contact_hook(move |contact: &ContactView, _: &mut ContactResponse| {
                assert!((contact.normal.length() - 1.0).abs() < 1e-5 && contact.approach_speed() > 0.0);
                called.fetch_add(1, Ordering::Relaxed);
                approached.fetch_add((contact.approach_speed() * 1e3) as u64, Ordering::Relaxed);
            });
            support::ticks(&mut app, 40);
            let told = support::collisions(&mut app);
            assert_eq!(calls.load(Ordering::Relaxed), told.len() as u64, "{mode:?}, {n}");
            let speeds: f64 = told.iter().map(|hit| f64::from(hit.approach_speed)).sum();
            let seen = momentum.load(Ordering::Relaxed) as f64 * 1e-3;
            assert!(told.len() > 10 && (speeds - seen).abs() < 2e-3 * told.len() as f64, "{mode:?}: {speeds} {seen}");
        }
    }
}

#[test]
fn a_restitution_that_a_hook_sets_is_one_that_a_component_carries() {
    for mode in MODES {
        for (gravity, resting_speed) in [(0.0, 0.0), (-9.0, 0.0), (-9.0, 0.5)] {
            let (discs, half) = random_discs(25, 11);
            let hashes = [false, true].map(|hooked| {
                let mut app = app_in(mode);
                app.insert_resource(MotionSettings { gravity: vec2(0.0, gravity), ..default() });
                support::settings(&mut app, |settings| settings.resting_speed = resting_speed);
                support::fill(&mut app, &discs, half);
                if hooked {
                    app.add_contact_hook(|_: &ContactView, response: &mut ContactResponse| response.restitution = 0.5);
                } else {
                    let all: Vec<Entity> = app
                        .world_mut()
                        .query_filtered::<Entity, Or<(With<Disc>, With<Terrain>)>>()
                        .iter(app.world())
                        .collect();
                    for entity in all {
                        app.world_mut().entity_mut(entity).insert(Restitution(0.5));
                    }
                }
                support::ticks(&mut app, 90);
                support::hash(&mut app)
            });
            assert_eq!(hashes[0], hashes[1], "{mode:?}, gravity {gravity}, resting speed {resting_speed}");
        }
    }
}

#[test]
fn a_hook_may_throw_back_faster_than_it_came() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.world_mut().spawn(Terrain::Segment { a: vec2(3.0, -4.0), b: vec2(3.0, 4.0) });
        let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 1.0));
        app.add_contact_hook(|contact: &ContactView, response: &mut ContactResponse| {
            if contact.approach_speed() > 5.0 {
                (response.restitution, response.kick) = (1.5, 2.0);
            }
        });
        let ahead = prediction(&mut app, 0.75);
        support::ticks(&mut app, ahead.ticks() as usize);
        assert!((support::velocity(&app, disc) - vec2(-11.0, 1.0)).length() < 1e-5, "{mode:?}");
        assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
    }
}

#[test]
fn a_dropped_contact_neither_pushes_nor_rests() {
    struct Nobody;
    impl ContactHook for Nobody {
        fn filter_contact(&self, _: &ContactView) -> bool {
            false
        }
    }
    for mode in MODES {
        for resting_speed in [0.0, 1.0] {
            let mut app = app_in(mode);
            app.insert_resource(MotionSettings { gravity: vec2(0.0, -10.0), ..default() });
            support::settings(&mut app, |s| {
                (s.resting_speed, s.restitution, s.terrain_restitution) = (resting_speed, 0.3, 0.3);
            });
            app.world_mut().spawn(Terrain::Segment { a: vec2(-9.0, 0.0), b: vec2(9.0, 0.0) });
            let discs = [0.5, 1.5, 2.4].map(|y| support::disc(&mut app, vec2(0.0, y), Vec2::ZERO));
            support::ticks(&mut app, 30);
            app.add_contact_hook(Nobody);
            let before = discs.map(|disc| (support::position(&app, disc), support::velocity(&app, disc)));
            support::ticks(&mut app, 60);
            for (disc, (at, velocity)) in discs.into_iter().zip(before) {
                let fallen = at + velocity + vec2(0.0, -5.0);
                let (is, speed) = (support::position(&app, disc), support::velocity(&app, disc).y);
                // The stepped mode with springs moves by the velocity at the end of the substep.
                assert!((is - fallen).length() < 0.1, "{mode:?}, {resting_speed}: {is} for {fallen}");
                assert!((speed - velocity.y + 10.0).abs() < 1e-3, "{mode:?}, {resting_speed}: {speed}");
            }
        }
    }
}

/// Drops some contacts, and answers others with invalid values, depending on their entities.
struct Odd(u64);
impl ContactHook for Odd {
    fn filter_contact(&self, contact: &ContactView) -> bool {
        !(contact.disc.to_bits().wrapping_mul(self.0) ^ contact.target.entity().to_bits()).is_multiple_of(3)
    }
    fn modify_contact(&self, contact: &ContactView, response: &mut ContactResponse) {
        let bits = contact.disc.to_bits().wrapping_mul(self.0) >> 3;
        match bits % 7 {
            0 => response.restitution = f32::NAN,
            1 => response.kick = -3.0,
            2 => response.surface_velocity = Vec2::INFINITY,
            3 => response.friction = 0.7,
            4 => response.surface_velocity = vec2(3.0, -1.0),
            5 => response.restitution = 1.05,
            _ => response.friction = f32::NEG_INFINITY,
        }
    }
}

#[test]
fn answers_that_are_no_numbers_count_as_not_given_and_random_crowds_survive_any_hook() {
    let mut dice = Dice(5);
    for mode in MODES {
        for case in 0..6 {
            let mut app = app_in(mode);
            let (discs, half) = random_discs(40, case);
            let gravity = vec2(0.0, if case % 2 == 0 { 0.0 } else { -8.0 });
            app.insert_resource(MotionSettings { gravity, ..default() });
            support::settings(&mut app, |settings| settings.resting_speed = if case > 3 { 0.5 } else { 0.0 });
            crowd(&mut app, &discs, half, case == 2);
            app.add_contact_hook(Odd(dice.next() | 1));
            support::ticks(&mut app, 60);
            let discs = carom::collision::Discs::of(app.world_mut());
            let fine = discs.position.iter().zip(&discs.velocity).all(|(at, v)| at.is_finite() && v.is_finite());
            assert!(fine && discs.len() == 40, "{mode:?}, {case}");
        }
    }
}

/// Where two pieces meet, their corner is one piece of terrain, and which of the two it acts for differs between discs.
/// Here all of it is dropped: the disc moves straight on, and the tick ends.
#[test]
fn a_hook_lets_discs_through_corners_of_pieces_that_they_do_not_all_meet() {
    struct Ghosts;
    impl ContactHook for Ghosts {
        fn filter_contact(&self, _: &ContactView) -> bool {
            false
        }
    }
    let others = CollisionLayers::new(1 << 7, 1 << 7);
    for mode in MODES {
        for (first, second) in [(Some(others), None), (None, Some(others)), (None, None)] {
            for (one_way, with_block, way) in [
                (false, false, vec2(1.0, 0.0)),
                (false, true, vec2(1.0, 0.0)),
                (true, false, vec2(0.3, -1.0)),
                (true, true, vec2(0.3, -1.0)),
                (true, false, vec2(-0.2, 1.0)),
            ] {
                let mut app = app_in(mode);
                app.add_contact_hook(Ghosts);
                let ends = [vec2(-1.0, 0.0), Vec2::ZERO, vec2(1.0, 0.0)];
                for (k, layers) in [first, second].into_iter().enumerate() {
                    let piece = Terrain::Segment { a: ends[k], b: ends[k + 1] };
                    let mut piece = app.world_mut().spawn((piece, StableId(10 + k as u64)));
                    if let Some(layers) = layers {
                        piece.insert(layers);
                    }
                    if one_way && k == 0 {
                        piece.insert(OneWay::Left);
                    }
                }
                if with_block {
                    let block = Terrain::Block { half_size: Vec2::splat(0.1) };
                    app.world_mut().spawn((block, Mass(1.0), Position(vec2(5.0, 0.1)), Velocity(vec2(-9.0, 0.0))));
                }
                let start = -0.5 * way;
                let disc = support::disc(&mut app, start, way * 2.0);
                app.world_mut().entity_mut(disc).insert((Radius(0.1), CollisionLayers::new(1, 1)));
                support::ticks(&mut app, 60);
                let (at, velocity) = (support::position(&app, disc), support::velocity(&app, disc));
                let expected = start + way * 2.0;
                let what = format!("{mode:?}, {first:?}, {second:?}, {one_way}, {with_block}, {way}");
                assert!(at.distance(expected) < 1e-4, "{what}: {at} for {expected}");
                assert_eq!(velocity, way * 2.0, "{what}");
            }
        }
    }
}

/// At a corner of two pieces, the hit names the piece that the disc collides with, and uses its restitution.
#[test]
fn a_hit_at_a_corner_names_the_piece_that_the_disc_meets() {
    for mode in MODES {
        let mut app = app_in(mode);
        support::settings(&mut app, |settings| settings.resting_speed = 0.0);
        let others = CollisionLayers::new(1 << 7, 1 << 7);
        let met = Terrain::Segment { a: Vec2::ZERO, b: vec2(1.0, 0.0) };
        let other = Terrain::Segment { a: vec2(-1.0, 0.0), b: Vec2::ZERO };
        app.world_mut().spawn((other, StableId(10), others, Restitution(0.25)));
        let met = app.world_mut().spawn((met, StableId(11), Restitution(0.5))).id();
        let disc = support::disc(&mut app, vec2(-1.0, 0.0), vec2(4.0, 0.0));
        app.world_mut().entity_mut(disc).insert((Radius(0.1), Restitution(1.0), CollisionLayers::new(1, 1)));
        let mut hits = Vec::new();
        for _ in 0..32 {
            support::ticks(&mut app, 1);
            hits.extend(support::collisions(&mut app));
        }
        assert_eq!(hits.len(), 1, "{mode:?}: {hits:?}");
        assert_eq!(hits[0].b, HitTarget::FixedCircle(met), "{mode:?}: {hits:?}");
        let velocity = support::velocity(&app, disc);
        assert!(velocity.distance(vec2(-2.0, 0.0)) < 1e-4, "{mode:?}: {velocity}");
    }
}
