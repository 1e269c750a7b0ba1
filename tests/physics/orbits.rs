//! Orbits: terrain and kinematic discs are exactly on the circle at the end of every tick, in both modes, and
//! predictions include this. Kinematic discs oscillate as terrain does.

use bevy::{math::DVec2, prelude::*};
use carom::{collision::InvalidEntities, prelude::*};

use crate::support::{self, MODES, app_in, position, ticks, velocity};

const PEG: Terrain = Terrain::Circle { radius: 0.2 };

fn orbit() -> Orbit {
    Orbit { centre: vec2(1.0, -2.0), radius: 1.5, frequency: 0.7, phase: 0.3 }
}

/// The position on an orbit after this many seconds, by the formula alone.
fn place_at(orbit: Orbit, seconds: f64) -> DVec2 {
    let angle = std::f64::consts::TAU * (orbit.phase + f64::from(orbit.frequency) * seconds);
    orbit.centre.as_dvec2() + DVec2::from_angle(angle) * f64::from(orbit.radius)
}

fn spawn_led<M: Component + Copy>(app: &mut App, motion: M, at: Vec2) -> [Entity; 2] {
    let piece = app.world_mut().spawn((PEG, motion, Position(at), Velocity::default())).id();
    let disc = app.world_mut().spawn((Disc, Kinematic, Radius(0.2), motion, Position(at))).id();
    [piece, disc]
}

#[test]
fn each_tick_ends_on_the_circle_where_the_formula_says() {
    for mode in MODES {
        for frequency in [0.7, -0.7, 0.0, 45.0] {
            let mut app = app_in(mode);
            let orbit = Orbit { frequency, ..orbit() };
            let led = spawn_led(&mut app, orbit, orbit.place());
            for tick in 1..=200 {
                let before = led.map(|entity| position(&app, entity));
                ticks(&mut app, 1);
                let expected = place_at(orbit, f64::from(tick) / 60.0);
                for (entity, before) in led.into_iter().zip(before) {
                    let at = position(&app, entity);
                    // The length of a tick is an f32.
                    let off = at.as_dvec2().distance(expected);
                    let turned = std::f64::consts::TAU * f64::from(frequency.abs() * 6e-8) * f64::from(tick) / 60.0;
                    assert!(off < 1.5 * turned + 5e-7, "{mode:?} {frequency}, tick {tick}: {off}");
                    let from_centre = at.as_dvec2().distance(orbit.centre.as_dvec2());
                    assert!((from_centre - 1.5).abs() < 3e-7, "on the circle: {from_centre}");
                    let chord = (at - before) * 60.0;
                    assert!(velocity(&app, entity).distance(chord) < 1e-3 * (1.0 + chord.length()));
                }
                assert_eq!(position(&app, led[0]), position(&app, led[1]), "terrain and discs alike");
            }
        }
    }
}

#[test]
fn a_disc_in_its_way_is_hit_by_the_moving_surface_and_predictions_know() {
    for mode in MODES {
        for is_disc in [false, true] {
            let mut app = app_in(mode);
            let orbit = Orbit { centre: Vec2::ZERO, radius: 1.0, frequency: 0.5, phase: 0.0 };
            let both = spawn_led(&mut app, orbit, orbit.place());
            let (led, other) = if is_disc { (both[1], both[0]) } else { (both[0], both[1]) };
            app.world_mut().despawn(other);
            // A resting disc at the top of the circle.
            let disc = (Disc, Radius(0.2), Position(vec2(0.0, 1.0)), Mass(1.0), Restitution(1.0));
            let disc = app.world_mut().spawn(disc).id();
            let mut prediction = support::predict(&mut app, 1.0);
            let mut hit = None;
            for tick in 0..60 {
                ticks(&mut app, 1);
                prediction.tick();
                let id = *app.world().get::<StableId>(disc).unwrap();
                let i = prediction.discs().index_of(disc, id).unwrap();
                assert_eq!(prediction.discs().position[i], position(&app, disc), "{mode:?}, tick {tick}");
                hit = hit.or(support::collisions(&mut app).into_iter().find(|hit| hit.other(led).is_some()));
            }
            let hit = hit.unwrap_or_else(|| panic!("{mode:?}, {is_disc}: it was not hit"));
            // The peg comes at π m/s; the normal is the chord of 0.4 m, which it hits a little obliquely.
            let speed = std::f32::consts::PI * (1.0_f32 - 0.2 * 0.2).sqrt();
            assert!((hit.approach_speed - speed).abs() < 0.02 * speed, "{mode:?}: {}", hit.approach_speed);
        }
    }
}

#[test]
fn kinematic_discs_oscillate_as_terrain_does() {
    for mode in MODES {
        let mut app = app_in(mode);
        let swing = Oscillation { centre: vec2(0.5, 0.0), amplitude: vec2(0.3, 0.4), frequency: 1.1, phase: 0.2 };
        let led = spawn_led(&mut app, swing, swing.place());
        for _ in 0..100 {
            ticks(&mut app, 1);
            assert_eq!(position(&app, led[0]), position(&app, led[1]));
            let [piece, disc] = led.map(|entity| *app.world().get::<Oscillation>(entity).unwrap());
            assert_eq!(piece, disc, "a saved one continues from there");
        }
        assert!(position(&app, led[0]).distance(swing.place()) > 0.01);
    }
}

#[test]
fn a_target_goes_before_an_orbit_and_an_orbit_before_an_oscillation() {
    for mode in MODES {
        let mut app = app_in(mode);
        let led = spawn_led(&mut app, orbit(), orbit().place());
        for entity in led {
            app.world_mut().entity_mut(entity).insert(Oscillation { amplitude: Vec2::X, frequency: 1.0, ..default() });
        }
        ticks(&mut app, 1);
        let next = orbit().after(1.0 / 60.0).place();
        assert!(led.iter().all(|&entity| position(&app, entity).distance(next) < 1e-5));
        for entity in led {
            app.world_mut().entity_mut(entity).insert(MoveTo(vec2(5.0, 5.0)));
        }
        ticks(&mut app, 1);
        assert!(led.iter().all(|&entity| position(&app, entity) == vec2(5.0, 5.0)));
    }
}

#[test]
fn an_orbit_with_an_invalid_value_is_named() {
    let mut app = support::app();
    let bad = app.world_mut().spawn((PEG, Orbit { radius: f32::NAN, ..orbit() })).id();
    let disc = app.world_mut().spawn((Disc, Kinematic, Orbit { radius: f32::NAN, ..orbit() })).id();
    ticks(&mut app, 2);
    let invalid = app.world().resource::<InvalidEntities>().0.get(&bad).map(ToString::to_string);
    assert!(invalid.as_ref().is_some_and(|invalid| invalid.starts_with("Orbit.radius")), "{invalid:?}");
    assert_eq!(position(&app, disc), Vec2::ZERO, "a disc is as one without it");
}

#[test]
fn a_prediction_sees_a_very_slow_orbit_go_on() {
    // A kinematic disc whose position, as an f32, does not change for many ticks.
    let mut app = app_in((SolverMode::Continuous, 1));
    let orbit = Orbit { radius: 1.0, frequency: 1e-6, ..default() };
    app.world_mut().spawn((Disc, Kinematic, orbit, Position(orbit.place()), Radius(0.1)));
    assert!(support::prediction(&mut app, 2.0).seconds() >= 2.0, "it is not at rest forever");
}
