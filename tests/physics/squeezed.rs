//! Balls on a table that are squeezed between a wall and kinematic terrain: what stops them applies to their spinning
//! motion, too.

use bevy::prelude::*;
use carom::prelude::*;

use crate::support;

const R: f32 = 0.028_575;

/// A spinning ball at a wall, on a table in the continuous mode.
fn ball_at_a_wall(velocity: Vec2, spin: Vec3) -> (App, Entity) {
    let mut app = support::app_in((SolverMode::Continuous, 1));
    app.insert_resource(TablePhysics::default());
    app.world_mut().spawn(Terrain::Segment { a: vec2(0.0, -1.0), b: vec2(0.0, 1.0) });
    let ball = (Ball, Position(vec2(1.5 * R, 0.0)), Velocity(velocity), AngularVelocity(spin), Radius(R), Mass(0.17));
    let ball = app.world_mut().spawn(ball).id();
    (app, ball)
}

/// The energy of translation and spin, per mass.
fn energy(app: &App, ball: Entity) -> f32 {
    let spin = app.world().get::<AngularVelocity>(ball).unwrap().0;
    0.5 * support::velocity(app, ball).length_squared() + 0.2 * R * R * spin.length_squared()
}

#[test]
fn a_ball_that_a_piston_squeezes_at_a_wall_has_no_speed_there() {
    for spin in [Vec3::ZERO, vec3(0.0, 150.0, 0.0), vec3(100.0, -50.0, 80.0)] {
        for speed in [0.05, 0.5] {
            let (mut app, ball) = ball_at_a_wall(vec2(-1.0, 0.2), spin);
            // Once it covers the ball, there is no way out.
            app.world_mut().spawn((Terrain::Arena { half_size: vec2(0.5, 0.4) }, Position(vec2(0.5, 0.0))));
            let piston = Terrain::Block { half_size: vec2(1.0, 1.0) };
            let at = Position(vec2(2.7 * R + 1.0, 0.0));
            let piston = app.world_mut().spawn((piston, at, Velocity(vec2(-speed, 0.0)))).id();
            let mut covered = 0;
            for tick in 0..90 {
                support::ticks(&mut app, 1);
                let room = support::position(&app, piston).x - 1.0 - 2.0 * R;
                let (at, velocity) = (support::position(&app, ball), support::velocity(&app, ball));
                let what = format!("{spin}, piston at {speed} m/s, tick {tick}: at {at} with {velocity}, room {room}");
                assert!(at.is_finite() && at.x > 0.9 * R, "{what}");
                if room < -0.01 * R {
                    covered += 1;
                    assert_eq!(velocity, Vec2::ZERO, "{what}");
                }
            }
            assert!(covered > 20, "{covered} ticks");
        }
    }
}

#[test]
fn a_ball_that_a_kinematic_disc_presses_to_a_wall_does_not_get_faster() {
    for spin in [vec3(0.0, 150.0, 0.0), vec3(100.0, -50.0, 80.0)] {
        for restitution in [0.5, 1.0] {
            let (mut app, ball) = ball_at_a_wall(vec2(-1.0, 0.0), spin);
            support::settings(&mut app, |s| s.restitution = restitution);
            let mallet = (Disc, Kinematic, Position(vec2(2.5 * R + 0.1, 0.0)), Velocity(vec2(-0.3, 0.0)), Radius(0.1));
            let mallet = app.world_mut().spawn(mallet).id();
            let mut pressed = None;
            for tick in 0..60 {
                support::ticks(&mut app, 1);
                // The wall, the ball and half of the mallet.
                if support::position(&app, mallet).x > 0.1 + 1.9 * R {
                    continue;
                }
                let now = energy(&app, ball);
                let before = pressed.replace(now).unwrap_or(now);
                let what = format!("{spin}, e {restitution}, tick {tick}: {}", support::velocity(&app, ball));
                assert!(now <= before * 1.000_01, "{what}: {before} to {now} J/kg");
                assert!(support::position(&app, ball).x > 0.9 * R, "{what}");
            }
            assert!(pressed.is_some());
        }
    }
}
