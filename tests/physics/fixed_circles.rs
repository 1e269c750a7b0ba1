//! A disc against a fixed disc (corner reflection), and against a corner as a circle of radius zero.

use bevy::prelude::*;
use carom::{collision::response::bounce, prelude::*};

use crate::support::{self, Dice};

#[test]
fn the_form_without_roots_equals_the_form_with_unit_vectors() {
    let mut dice = Dice(4);
    for _ in 0..1000 {
        let (v, u) = (dice.vec(10.0), dice.vec(3.0));
        let unit = u.normalize();
        let with_roots = v - 2.0 * unit * v.dot(unit);
        let without = bounce(v, u, 1.0);
        assert!((with_roots - without).length() <= 1e-5, "{v} off {u}: {with_roots} and {without}");
    }
}

#[test]
fn a_bumper_reflects_along_the_line_of_centres() {
    let mut app = support::app();
    let bumper = app.world_mut().spawn((Terrain::Circle { radius: 1.0 }, Position(Vec2::new(3.0, 0.0)))).id();
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(4.0, 0.0));
    support::ticks(&mut app, 60);
    assert!((support::velocity(&app, disc) - Vec2::new(-4.0, 0.0)).length() < 1e-6);
    let hits = support::collisions(&mut app);
    assert_eq!(hits.len(), 1, "{hits:?}");
    assert_eq!(hits[0].b, HitTarget::FixedCircle(bumper));
    assert_eq!(hits[0].normal, Vec2::X);
    assert!((hits[0].point - Vec2::new(2.0, 0.0)).length() < 1e-6);
    assert!((hits[0].approach_speed - 4.0).abs() < 1e-6);
    assert!((hits[0].impulse - 8.0).abs() < 1e-5, "mass 1, from 4 to -4 m/s");
}

#[test]
fn a_bumper_keeps_the_part_across() {
    let mut app = support::app();
    app.world_mut().spawn((Terrain::Circle { radius: 1.0 }, Restitution(0.5)));
    let disc = support::disc(&mut app, Vec2::new(-3.0, 0.9), Vec2::new(4.0, 0.0));
    let before = support::velocity(&app, disc);
    support::ticks(&mut app, 60);
    let hit = support::collisions(&mut app)[0];
    let after = support::velocity(&app, disc);
    let tangent = hit.normal.perp();
    assert!((after.dot(tangent) - before.dot(tangent)).abs() < 1e-5);
    assert!((after.dot(hit.normal) + 0.5 * before.dot(hit.normal)).abs() < 1e-5);
}
