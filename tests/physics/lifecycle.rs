//! Spawning, changing, disabling and despawning discs and terrain while the simulation runs.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use carom::prelude::*;

use crate::support;

#[test]
fn a_ball_brings_what_it_needs() {
    let mut app = support::app();
    let plain = app.world_mut().spawn(Disc).id();
    let dense = app.world_mut().spawn((Disc, Radius(2.0), Density(3.0))).id();
    let heavy = app.world_mut().spawn((Disc, Radius(2.0), Mass(7.0))).id();
    let mass = |entity| app.world().get::<Mass>(entity).expect("a ball has a mass").0;
    assert!((mass(plain) - std::f32::consts::PI * 0.25).abs() < 1e-6);
    assert!((mass(dense) - 3.0 * std::f32::consts::PI * 4.0).abs() < 1e-4);
    assert_eq!(mass(heavy), 7.0);
    assert_eq!(support::velocity(&app, plain), Vec2::ZERO);
}

#[test]
fn what_is_spawned_moves_on_the_next_tick_and_what_is_despawned_is_hit_no_more() {
    let mut app = support::app();
    let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    support::ticks(&mut app, 1);
    assert!((support::position(&app, a).x - 0.1).abs() < 1e-6);
    let b = support::disc(&mut app, Vec2::new(3.0, 0.0), Vec2::ZERO);
    support::ticks(&mut app, 5);
    app.world_mut().despawn(b);
    support::ticks(&mut app, 60);
    assert_eq!(support::velocity(&app, a), Vec2::new(6.0, 0.0));
    assert!(support::collisions(&mut app).is_empty());
}

#[test]
fn a_change_of_any_component_is_read_by_the_next_tick() {
    let mut app = support::app();
    let a = support::disc(&mut app, Vec2::ZERO, Vec2::ZERO);
    support::ticks(&mut app, 3);
    app.world_mut().entity_mut(a).insert(Velocity(Vec2::new(0.0, 6.0)));
    support::ticks(&mut app, 1);
    assert!((support::position(&app, a).y - 0.1).abs() < 1e-6);
    app.world_mut().entity_mut(a).insert((Position(Vec2::new(5.0, 0.0)), Velocity::default()));
    let b = support::disc(&mut app, Vec2::new(7.0, 0.0), Vec2::ZERO);
    support::ticks(&mut app, 1);
    assert_eq!(support::position(&app, b), Vec2::new(7.0, 0.0));
    app.world_mut().entity_mut(a).insert(Radius(2.0));
    support::ticks(&mut app, 1);
    let distance = support::position(&app, a).distance(support::position(&app, b));
    assert!((distance - 2.5).abs() < 1e-5, "the larger disc pushed: {distance}");
}

#[test]
fn a_disabled_disc_is_not_there() {
    let mut app = support::app();
    let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    let b = support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::ZERO);
    app.world_mut().entity_mut(b).insert(Disabled);
    support::ticks(&mut app, 30);
    assert_eq!(support::velocity(&app, a), Vec2::new(6.0, 0.0));
    app.world_mut().entity_mut(b).remove::<Disabled>().insert(Position(Vec2::new(6.0, 0.0)));
    support::ticks(&mut app, 60);
    assert!(support::velocity(&app, b).x > 5.9);
}

#[test]
fn terrain_comes_moves_changes_and_goes() {
    let mut app = support::app();
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    let wall = app.world_mut().spawn(Terrain::Segment { a: Vec2::new(2.0, -3.0), b: Vec2::new(2.0, 3.0) }).id();
    support::ticks(&mut app, 30);
    assert_eq!(support::velocity(&app, disc).x, -6.0);

    // Moved: now it is in the way on the other side.
    app.world_mut().entity_mut(wall).insert(Position(Vec2::new(-6.0, 0.0)));
    support::ticks(&mut app, 60);
    assert_eq!(support::velocity(&app, disc).x, 6.0);

    // Its own restitution, added and removed.
    app.world_mut().entity_mut(wall).insert((Position(Vec2::new(1.0, 0.0)), Restitution(0.5)));
    support::ticks(&mut app, 70);
    assert!((support::velocity(&app, disc).x + 3.0).abs() < 1e-5, "{}", support::velocity(&app, disc));
    app.world_mut().entity_mut(wall).remove::<Restitution>().insert(Position(Vec2::new(-6.0, 0.0)));
    support::ticks(&mut app, 100);
    assert!((support::velocity(&app, disc).x - 3.0).abs() < 1e-5);

    // Disabled and despawned: nothing is in the way.
    app.world_mut().entity_mut(wall).insert((Disabled, Position(Vec2::new(2.0, 0.0))));
    let before = support::position(&app, disc).x;
    support::ticks(&mut app, 300);
    assert!((support::position(&app, disc).x - before - 15.0).abs() < 1e-3);
    app.world_mut().despawn(wall);
    support::ticks(&mut app, 10);
    assert!((support::velocity(&app, disc).x - 3.0).abs() < 1e-5);
}

#[test]
fn only_what_changed_is_marked_as_changed() {
    #[derive(Resource, Default)]
    struct Seen(Vec<Entity>);
    fn watch(moved: Query<Entity, Changed<Position>>, mut seen: ResMut<Seen>) {
        seen.0 = moved.iter().collect();
    }
    let mut app = support::app();
    app.init_resource::<Seen>().add_systems(Last, watch);
    let moving = support::disc(&mut app, Vec2::ZERO, Vec2::X);
    support::disc(&mut app, Vec2::new(0.0, 5.0), Vec2::ZERO);
    support::ticks(&mut app, 2);
    support::ticks(&mut app, 1);
    assert_eq!(app.world().resource::<Seen>().0, [moving]);
}

#[test]
fn entity_events_reach_only_those_who_asked() {
    #[derive(Resource, Default)]
    struct Received(Vec<(Entity, Collision)>);
    let mut app = support::app();
    app.init_resource::<Received>().add_observer(|event: On<CollisionEvent>, mut received: ResMut<Received>| {
        received.0.push((event.entity, event.collision));
    });
    let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    let b = support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::ZERO);
    app.world_mut().entity_mut(b).insert(ReportCollisions);
    support::ticks(&mut app, 30);
    let messages = support::collisions(&mut app);
    assert_eq!(messages.len(), 1);
    assert_eq!(app.world().resource::<Received>().0, [(b, messages[0])]);
    assert_eq!(messages[0].a, a);
    assert_eq!(messages[0].b, HitTarget::Disc(b));
    assert_eq!(messages[0].normal, Vec2::X);
    assert!((messages[0].approach_speed - 6.0).abs() < 1e-6);
    assert!((messages[0].impulse - 6.0).abs() < 1e-6);
    // A gap of 1 m at 0.1 m per tick: the rims touch after ten ticks, up to rounding.
    assert!((10..=11).contains(&messages[0].tick), "{}", messages[0].tick);
}

#[test]
fn an_observed_entity_needs_no_marker() {
    #[derive(Resource, Default)]
    struct Received(Vec<Entity>);
    let mut app = support::app();
    app.init_resource::<Received>();
    let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::ZERO);
    app.world_mut().entity_mut(a).observe(|hit: On<CollisionEvent>, mut received: ResMut<Received>| {
        received.0.push(hit.entity);
    });
    support::ticks(&mut app, 30);
    assert_eq!(app.world().resource::<Received>().0, [a], "the other disc has not asked");
}
