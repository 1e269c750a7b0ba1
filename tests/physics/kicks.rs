//! Bumpers that kick, and combinations of restitutions.

use bevy::prelude::*;
use carom::{
    collision::{Discs, measure},
    prelude::*,
};

use crate::support::{self, MODES, app_in, prediction};

#[test]
fn what_hits_a_kicking_piece_leaves_by_so_much_faster() {
    for mode in MODES {
        for (e, kick) in [(1.0, 5.0), (0.5, 2.0), (0.0, 3.0), (0.7, 0.0), (0.7, f32::NAN), (0.7, -1.0)] {
            let mut app = app_in(mode);
            let wall = (Terrain::Segment { a: vec2(3.0, -4.0), b: vec2(3.0, 4.0) }, Restitution(e), BumperKick(kick));
            app.world_mut().spawn(wall);
            let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 1.0));
            let ahead = prediction(&mut app, 0.75);
            support::ticks(&mut app, ahead.ticks() as usize);
            let expected = vec2(-(6.0 * e + kick.max(0.0)), 1.0);
            let is = support::velocity(&app, disc);
            assert!((is - expected).length() < 1e-5, "{mode:?}, {e}, {kick}: {is}");
            assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
        }
    }
}

#[test]
fn a_piece_that_moves_kicks_as_seen_from_it() {
    for mode in MODES {
        for (e, kick, u) in [(1.0, 5.0, 3.0), (0.5, 2.0, 20.0), (0.0, 3.0, 300.0)] {
            let mut app = app_in(mode);
            let block = Terrain::Block { half_size: vec2(1.0, 4.0) };
            let place = Position(vec2(-2.0, 0.0));
            app.world_mut().spawn((block, place, Velocity(vec2(u, 0.0)), Restitution(e), BumperKick(kick)));
            let disc = support::disc(&mut app, Vec2::ZERO, vec2(-1.0, 2.0));
            let ahead = prediction(&mut app, 0.5);
            support::ticks(&mut app, ahead.ticks() as usize);
            let expected = vec2(u + e * (u + 1.0) + kick, 2.0);
            let is = support::velocity(&app, disc);
            assert!((is - expected).length() < 1e-5 * (1.0 + u), "{mode:?}, {e}, {kick}, {u}: {is}");
            assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
        }
    }
}

#[test]
fn a_disc_that_kicks_shares_the_impulse() {
    for mode in MODES {
        let mut app = app_in(mode);
        let bumper = support::disc(&mut app, vec2(3.0, 0.0), Vec2::ZERO);
        app.world_mut().entity_mut(bumper).insert((BumperKick(4.0), Mass(3.0)));
        let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
        support::ticks(&mut app, 40);
        let (a, b) = (support::velocity(&app, disc), support::velocity(&app, bumper));
        assert!((a.x + 3.0 * b.x - 6.0).abs() < 1e-5, "{mode:?}: momentum, {a} {b}");
        assert!((b.x - a.x - 10.0).abs() < 1e-5, "{mode:?}: 6 m/s and 4 more, {a} {b}");
    }
}

#[test]
fn what_lies_on_a_bumper_is_not_kicked_and_a_crowd_between_bumpers_stays_within_bounds() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -10.0), ..default() });
        support::settings(&mut app, |settings| {
            (settings.terrain_restitution, settings.resting_speed) = (0.2, 1.0);
        });
        app.world_mut().spawn((Terrain::Segment { a: vec2(-9.0, 0.0), b: vec2(9.0, 0.0) }, BumperKick(5.0)));
        let disc = support::disc(&mut app, vec2(0.0, 0.5), Vec2::ZERO);
        support::ticks(&mut app, 120);
        assert!((support::position(&app, disc).y - 0.5).abs() < 0.01, "{mode:?}: it lies there");
        app.world_mut().entity_mut(disc).insert(Position(vec2(0.0, 2.0)));
        support::ticks(&mut app, 60);
        assert!(support::position(&app, disc).y > 1.5, "{mode:?}: it is thrown up");

        let mut app = app_in(mode);
        app.world_mut().spawn((Terrain::Arena { half_size: vec2(1.5, 1.5) }, BumperKick(2.0)));
        for k in 0..4_u8 {
            let place = vec2(f32::from(k % 2), f32::from(k / 2)) * 1.2 - 0.6;
            support::disc(&mut app, place, place * 3.0);
        }
        support::ticks(&mut app, 120);
        let discs = Discs::of(app.world_mut());
        assert!(measure::kinetic_energy(&discs) > 100.0, "{mode:?}: they get faster and faster");
        assert!(discs.position.iter().all(|at| at.abs().max_element() < 1.5), "{mode:?}: {:?}", discs.position);
    }
}

#[test]
fn restitutions_become_one_by_the_rule() {
    let rules = [
        (CombineRule::Smallest, 0.4),
        (CombineRule::Largest, 0.8),
        (CombineRule::Product, 0.32),
        (CombineRule::Mean, 0.6),
    ];
    for mode in MODES {
        for (rule, e) in rules {
            let mut app = app_in(mode);
            support::settings(&mut app, |settings| settings.restitution_rule = rule);
            let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
            let other = support::disc(&mut app, vec2(0.0, 5.0), vec2(6.0, 0.0));
            let target = support::disc(&mut app, vec2(3.0, 5.0), Vec2::ZERO);
            app.world_mut().spawn((Terrain::Segment { a: vec2(3.0, -2.0), b: vec2(3.0, 2.0) }, Restitution(0.8)));
            app.world_mut().entity_mut(disc).insert(Restitution(0.4));
            app.world_mut().entity_mut(other).insert(Restitution(0.8));
            app.world_mut().entity_mut(target).insert(Restitution(0.4));
            support::ticks(&mut app, 40);
            assert!((support::velocity(&app, disc).x + 6.0 * e).abs() < 1e-5, "{mode:?}, {rule:?}");
            let parting = support::velocity(&app, target).x - support::velocity(&app, other).x;
            assert!((parting - 6.0 * e).abs() < 1e-5, "{mode:?}, {rule:?}: {parting}");
        }
    }
}
