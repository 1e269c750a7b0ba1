//! Walls that discs pass one way.

use bevy::prelude::*;
use carom::{
    collision::{Discs, measure},
    prelude::*,
};

use crate::support::{self, MODES, app_in, prediction};

fn gate(app: &mut App, one_way: OneWay) -> Entity {
    app.world_mut().spawn((Terrain::Segment { a: vec2(0.0, -20.0), b: vec2(0.0, 20.0) }, one_way)).id()
}

#[test]
fn discs_pass_one_way_untouched_and_bounce_the_other_way_at_any_speed() {
    for mode in MODES {
        // From the lower to the upper end, so its left is -x.
        for (one_way, passes) in [
            (OneWay::Left, -1.0),
            (OneWay::Right, 1.0),
            (OneWay::Toward(vec2(0.3, 5.0)), 1.0),
            (OneWay::Toward(Vec2::NEG_X), -1.0),
        ] {
            for speed in [0.4_f32, 6.0, 37.0, 900.0] {
                for sideways in [0.0, 0.6] {
                    let mut app = app_in(mode);
                    gate(&mut app, one_way);
                    let velocity = vec2(passes, sideways) * speed;
                    let start = vec2(-0.9 * passes, 0.0);
                    let through = support::disc(&mut app, start, velocity);
                    support::ticks(&mut app, (3.0 * 60.0 / speed) as usize + 1);
                    let name = format!("{mode:?}, {one_way:?}, {speed} m/s, {sideways}");
                    assert_eq!(support::velocity(&app, through), velocity, "{name}");
                    assert!(support::position(&app, through).x * passes > 0.9, "{name}");
                    app.world_mut()
                        .entity_mut(through)
                        .insert((Position(-start), Velocity(velocity * vec2(-1.0, 1.0))));
                    support::ticks(&mut app, (3.0 * 60.0 / speed) as usize + 1);
                    let after = support::velocity(&app, through);
                    assert!((after - velocity).length() < 1e-4 * speed, "{name}: {after}");
                    assert!(support::position(&app, through).x * passes > 0.499, "{name}");
                }
            }
        }
    }
}

#[test]
fn who_turns_around_while_passing_neither_jumps_nor_sinks_back() {
    for mode in MODES {
        let mut app = app_in(mode);
        gate(&mut app, OneWay::Right);
        for (x, back) in [(-0.3_f32, true), (-0.01, true), (0.01, false), (0.2, false), (0.4, false)] {
            let disc = support::disc(&mut app, vec2(x, 0.0), vec2(-3.0, 0.0));
            support::ticks(&mut app, 1);
            let at = support::position(&app, disc).x;
            if back {
                // Its centre is not out yet, so the wall does not act.
                assert!((at - x + 0.05).abs() < 1e-5, "{mode:?}, {x}: {at}");
            } else {
                assert!(at >= x - 1e-5 && at < x + 0.0501, "{mode:?}, {x}: {at}");
                assert_eq!(support::velocity(&app, disc), vec2(3.0, 0.0), "{mode:?}, {x}");
            }
            // A disc at rest inside it does not change.
            app.world_mut().entity_mut(disc).insert((Position(vec2(x, 0.0)), Velocity(Vec2::ZERO)));
            support::ticks(&mut app, 5);
            assert_eq!(support::position(&app, disc), vec2(x, 0.0), "{mode:?}");
            app.world_mut().despawn(disc);
        }
    }
}

#[test]
fn a_crowd_gathers_in_front_and_keeps_its_energy() {
    for mode in MODES {
        let mut app = app_in(mode);
        let (discs, half_size) = support::random_discs(100, 11);
        support::fill(&mut app, &discs, half_size);
        gate(&mut app, OneWay::Toward(Vec2::X));
        let energy = |app: &mut App| measure::kinetic_energy(&Discs::of(app.world_mut()));
        let before = energy(&mut app);
        let mut in_front: Vec<bool> = vec![false; discs.len()];
        let mut prepared = false;
        for tick in 0..600 {
            if tick == 200 {
                let ahead = prediction(&mut app, 0.5);
                support::ticks(&mut app, ahead.ticks() as usize);
                assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{mode:?}: as predicted");
            }
            support::ticks(&mut app, 1);
            let now = Discs::of(app.world_mut());
            for (i, at) in now.position.iter().enumerate() {
                // Clearly in front once, and never behind again.
                assert!(!prepared || !in_front[i] || at.x > 0.0, "{mode:?}, tick {tick}, disc {i}: {at}");
                in_front[i] |= at.x >= now.radius[i];
            }
            prepared = true;
        }
        let behind = Discs::of(app.world_mut()).position.iter().filter(|at| at.x < 0.0).count();
        assert!(behind < 25, "{mode:?}: {behind} are left behind");
        let after = energy(&mut app);
        assert!((after / before - 1.0).abs() < 1e-4, "{mode:?}: {before} J to {after} J");
    }
}

#[test]
fn a_pile_lies_on_a_platform_and_who_jumps_from_below_gets_onto_it() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -10.0), ..default() });
        support::settings(&mut app, |settings| {
            (settings.restitution, settings.terrain_restitution, settings.resting_speed) = (0.2, 0.2, 1.0);
        });
        app.world_mut().spawn((Terrain::Segment { a: vec2(-6.0, 0.0), b: vec2(6.0, 0.0) }, OneWay::Toward(Vec2::Y)));
        let pile: Vec<Entity> = (0..15_u8)
            .map(|k| {
                support::disc(&mut app, vec2(f32::from(k % 5) * 1.02 - 2.0, 0.7 + f32::from(k / 5) * 1.1), Vec2::ZERO)
            })
            .collect();
        let jumper = support::disc(&mut app, vec2(5.0, -2.0), vec2(0.0, 9.0));
        support::ticks(&mut app, 300);
        for &disc in pile.iter().chain([&jumper]) {
            let at = support::position(&app, disc);
            assert!(at.y > 0.44 || at.x.abs() > 5.9, "{mode:?}: {at}");
        }
        let at = support::position(&app, jumper);
        assert!((at.y - 0.5).abs() < 0.02, "{mode:?}: it stands on the platform, {at}");
    }
}

#[test]
fn the_posts_of_a_gate_are_solid_and_its_free_ends_hold_nobody_who_comes_from_behind() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.world_mut().spawn((Terrain::Segment { a: vec2(0.0, -1.0), b: vec2(0.0, 1.0) }, OneWay::Right));
        app.world_mut().spawn(Terrain::Segment { a: vec2(0.0, 1.0), b: vec2(0.0, 5.0) });
        // Past the free end, obliquely: its path is as without a gate.
        let by = support::disc(&mut app, vec2(-2.0, -1.6), vec2(6.0, 1.2));
        support::ticks(&mut app, 60);
        assert_eq!(support::velocity(&app, by), vec2(6.0, 1.2), "{mode:?}");
        // The post is at the end of the solid wall.
        let post = support::disc(&mut app, vec2(-2.0, 0.7), vec2(6.0, 0.0));
        support::ticks(&mut app, 60);
        assert!(support::velocity(&app, post).y < -1.0, "{mode:?}: {}", support::velocity(&app, post));
        let wall = support::disc(&mut app, vec2(-2.0, 3.0), vec2(6.0, 0.0));
        support::ticks(&mut app, 60);
        assert_eq!(support::velocity(&app, wall), vec2(-6.0, 0.0), "{mode:?}");
        let front = support::disc(&mut app, vec2(3.0, 0.95), vec2(-6.0, 0.0));
        support::ticks(&mut app, 60);
        assert_eq!(support::velocity(&app, front), vec2(6.0, 0.0), "{mode:?}: no seam");
    }
}
