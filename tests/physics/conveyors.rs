//! Friction of terrain and discs in hits and at rest, surfaces that move along themselves, and restitution rules of
//! single discs and pieces.

use bevy::prelude::*;
use carom::{collision::measure, prelude::*};

use crate::support::{self, MODES, app_in, prediction};

const G: f32 = 10.0;

fn floor(app: &mut App) -> Entity {
    app.insert_resource(MotionSettings { gravity: vec2(0.0, -G), ..default() });
    support::settings(app, |settings| (settings.terrain_restitution, settings.restitution) = (0.0, 0.0));
    app.world_mut().spawn(Terrain::Segment { a: vec2(-50.0, 0.0), b: vec2(50.0, 0.0) }).id()
}

#[test]
fn a_belt_brings_a_disc_to_its_speed_in_the_time_of_the_formula() {
    for mode in MODES {
        for resting_speed in [0.0, 1.0] {
            for (speed, friction) in [(2.0_f32, 0.3_f32), (-3.0, 0.8)] {
                let mut app = app_in(mode);
                let belt = floor(&mut app);
                support::settings(&mut app, |settings| settings.resting_speed = resting_speed);
                app.world_mut().entity_mut(belt).insert((SurfaceVelocity(vec2(speed, 4.0)), Friction(friction)));
                let disc = support::disc(&mut app, vec2(0.0, 0.5), Vec2::ZERO);
                let ahead = prediction(&mut app, 1.5);
                let time = speed.abs() / (friction * G);
                let half = (time * 30.0) as usize;
                support::ticks(&mut app, half);
                let expected = friction * G * half as f32 / 60.0;
                let is = support::velocity(&app, disc);
                let what = format!("{mode:?}, resting speed {resting_speed}, {speed} m/s");
                assert!(
                    (is.x.abs() - expected).abs() < 0.02 * expected && is.x * speed > 0.0,
                    "{what}: {is}, {expected}"
                );
                support::ticks(&mut app, ahead.ticks() as usize - half);
                assert!(
                    (support::velocity(&app, disc).x - speed).abs() < 1e-4,
                    "{what}: {}",
                    support::velocity(&app, disc)
                );
                let way = speed * (1.5 - 0.5 * time);
                let is = support::position(&app, disc);
                assert!((is.x - way).abs() < 0.05 && (is.y - 0.5).abs() < 0.02, "{what}: {is}, {way}");
                assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{what}: as predicted");
            }
        }
    }
}

#[test]
fn friction_stops_what_slides_after_the_way_of_the_formula_and_holds_it_on_a_slope() {
    for mode in MODES {
        let mut app = app_in(mode);
        let floor = floor(&mut app);
        app.world_mut().entity_mut(floor).insert(Friction(0.4));
        let disc = support::disc(&mut app, vec2(-5.0, 0.5), vec2(4.0, 0.0));
        support::ticks(&mut app, 90);
        let way = support::position(&app, disc).x + 5.0;
        assert!((way - 16.0 / (2.0 * 0.4 * G)).abs() < 1e-3, "{mode:?}: {way}");
        assert!(support::velocity(&app, disc).x.abs() < 1e-9, "{mode:?}");

        for (friction, slides) in [(0.5, false), (0.3, true)] {
            let mut app = app_in(mode);
            floor_at_angle(&mut app, friction);
            let disc = support::disc(&mut app, vec2(0.0, 0.5).rotate(Vec2::from_angle(SLOPE)), Vec2::ZERO);
            let start = support::position(&app, disc);
            support::ticks(&mut app, 60);
            let way = support::position(&app, disc).distance(start);
            let (sin, cos) = bevy::math::ops::sin_cos(SLOPE);
            let expected = if slides { 0.5 * G * (sin - friction * cos) } else { 0.0 };
            assert!((way - expected).abs() < 0.01, "{mode:?}, {friction}: {way}, {expected}");
        }
    }
}

const SLOPE: f32 = 0.4;

fn floor_at_angle(app: &mut App, friction: f32) {
    let floor = floor(app);
    app.world_mut().entity_mut(floor).insert((Friction(friction), Rotation(SLOPE)));
}

#[test]
fn a_grazing_hit_loses_along_the_wall_what_friction_takes() {
    for mode in MODES {
        let mut app = app_in(mode);
        app.world_mut().spawn((Terrain::Segment { a: vec2(3.0, -9.0), b: vec2(3.0, 9.0) }, Friction(0.1)));
        let disc = support::disc(&mut app, vec2(0.0, -2.0), vec2(6.0, 5.0));
        support::ticks(&mut app, 40);
        let is = support::velocity(&app, disc);
        assert!((is - vec2(-6.0, 5.0 - 0.1 * 12.0)).length() < 1e-4, "{mode:?}: {is}");

        let mut app = app_in(mode);
        let discs = [(-2.0, 1.0, 3.0), (2.0, -1.0, 1.0)].map(|(x, v, mass)| {
            let disc = support::disc(&mut app, vec2(x, 0.0), vec2(v, v));
            app.world_mut().entity_mut(disc).insert((Friction(0.05), Mass(mass)));
            disc
        });
        // An off-centre hit, so friction acts.
        app.world_mut().entity_mut(discs[1]).insert((Position(vec2(2.0, 2.9)), Velocity(vec2(-1.0, -0.9))));
        let momentum = |app: &App| support::velocity(app, discs[0]) * 3.0 + support::velocity(app, discs[1]);
        let energy = |app: &App| {
            1.5 * support::velocity(app, discs[0]).length_squared()
                + 0.5 * support::velocity(app, discs[1]).length_squared()
        };
        let before = (momentum(&app), energy(&app));
        support::ticks(&mut app, 180);
        assert!((momentum(&app) - before.0).length() < 1e-5, "{mode:?}: momentum");
        assert!(energy(&app) < before.1 - 1e-3, "{mode:?}: friction takes energy, {} {}", energy(&app), before.1);
    }
}

#[test]
fn a_row_on_a_belt_goes_along_and_a_belt_that_turns_carries_along_itself() {
    for mode in MODES {
        let mut app = app_in(mode);
        let belt = floor(&mut app);
        app.world_mut().entity_mut(belt).insert(SurfaceVelocity(vec2(1.0, 0.0)));
        let row: Vec<Entity> =
            (0..4_u8).map(|k| support::disc(&mut app, vec2(f32::from(k), 0.5), Vec2::ZERO)).collect();
        support::ticks(&mut app, 120);
        for disc in row {
            assert!(
                (support::velocity(&app, disc) - vec2(1.0, 0.0)).length() < 1e-3,
                "{mode:?}: {}",
                support::velocity(&app, disc)
            );
        }
    }
}

#[test]
fn the_stronger_rule_of_the_two_sides_counts() {
    use CombineRule::{Largest, Mean, Product, Smallest};
    let cases = [
        (None, None, 0.4),
        (Some(Largest), None, 0.8),
        (None, Some(Mean), 0.6),
        (Some(Mean), Some(Smallest), 0.4),
        (Some(Product), Some(Smallest), 0.32),
        (Some(Product), Some(Largest), 0.8),
    ];
    for mode in MODES {
        for (of_disc, of_other, e) in cases {
            let mut app = app_in(mode);
            let wall = Terrain::Segment { a: vec2(3.0, -2.0), b: vec2(3.0, 2.0) };
            let wall = app.world_mut().spawn((wall, Restitution(0.8))).id();
            let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
            let target = support::disc(&mut app, vec2(3.0, 5.0), Vec2::ZERO);
            let other = support::disc(&mut app, vec2(0.0, 5.0), vec2(6.0, 0.0));
            for (entity, restitution, rule) in
                [(disc, 0.4, of_disc), (wall, 0.8, of_other), (other, 0.4, of_disc), (target, 0.8, of_other)]
            {
                app.world_mut().entity_mut(entity).insert(Restitution(restitution));
                if let Some(rule) = rule {
                    app.world_mut().entity_mut(entity).insert(RestitutionRule(rule));
                }
            }
            support::ticks(&mut app, 40);
            assert!((support::velocity(&app, disc).x + 6.0 * e).abs() < 1e-5, "{mode:?}, {of_disc:?}, {of_other:?}");
            let parting = support::velocity(&app, target).x - support::velocity(&app, other).x;
            assert!((parting - 6.0 * e).abs() < 1e-5, "{mode:?}, {of_disc:?}, {of_other:?}: {parting}");
        }
    }
}
