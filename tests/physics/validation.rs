//! Invalid values are rejected with the entity and the field. Everything else continues, and a corrected entity returns
//! in the next tick.

use bevy::prelude::*;
use carom::{collision::InvalidEntities, prelude::*};

use crate::support;

/// Makes one disc invalid, and the expected message.
type Spoil = (fn(&mut EntityWorldMut), &'static str);

#[test]
fn every_kind_of_bad_value_is_rejected_and_only_that_disc() {
    let spoils: [Spoil; 12] = [
        (|e| _ = e.insert(Position(Vec2::new(f32::NAN, 0.0))), "Position is"),
        (|e| _ = e.insert(Position(Vec2::new(0.0, f32::INFINITY))), "Position is"),
        (|e| _ = e.insert(Position(Vec2::new(1e13, 0.0))), "Position is"),
        (|e| _ = e.insert(Velocity(Vec2::splat(f32::NAN))), "Velocity is"),
        (|e| _ = e.insert(Velocity(Vec2::new(f32::NEG_INFINITY, 0.0))), "Velocity is"),
        (|e| _ = e.insert(Radius(0.0)), "Radius is"),
        (|e| _ = e.insert(Radius(-1.0)), "Radius is"),
        (|e| _ = e.insert(Radius(f32::NAN)), "Radius is"),
        (|e| _ = e.insert(Mass(0.0)), "Mass is"),
        (|e| _ = e.insert(Mass(f32::INFINITY)), "Mass is"),
        (|e| _ = e.insert(Restitution(1.5)), "Restitution is"),
        (|e| _ = e.insert(Restitution(f32::NAN)), "Restitution is"),
    ];
    for (spoil, said) in spoils {
        let mut app = support::app();
        let bad = support::disc(&mut app, Vec2::new(0.2, 0.0), Vec2::ZERO);
        let good = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
        spoil(&mut app.world_mut().entity_mut(bad));
        support::ticks(&mut app, 6);
        let invalid = app.world().resource::<InvalidEntities>();
        assert_eq!(invalid.0.len(), 1);
        let reasons: Vec<_> = invalid.iter().map(|(entity, invalid)| (entity, invalid.to_string())).collect();
        let [(entity, reason)] = &reasons[..] else { panic!("{reasons:?}") };
        assert!(*entity == bad && reason.starts_with(said) && reason.contains("set it"), "{reason}");
        assert!((support::position(&app, good).x - 0.6).abs() < 1e-6, "the neighbour continues");

        // Corrected, it returns.
        let mut disc = app.world_mut().entity_mut(bad);
        disc.insert((Position(Vec2::new(0.0, 5.0)), Velocity(Vec2::X), Radius(0.5), Mass(1.0))).remove::<Restitution>();
        support::ticks(&mut app, 1);
        assert!(app.world().resource::<InvalidEntities>().0.is_empty());
        assert!(support::position(&app, bad).x > 0.0);
    }
}

#[test]
fn a_nan_that_somebody_computed_is_no_request_for_the_default_mass() {
    let mut app = support::app();
    let bad = app.world_mut().spawn((Disc, Mass(f32::NAN))).id();
    support::ticks(&mut app, 1);
    assert_eq!(app.world().resource::<InvalidEntities>().0[&bad].field, "Mass");
}

#[test]
fn bad_terrain_is_rejected_and_the_rest_of_it_stands() {
    let bad = [
        Terrain::Circle { radius: -1.0 },
        Terrain::Circle { radius: f32::NAN },
        Terrain::Block { half_size: Vec2::new(1.0, 0.0) },
        Terrain::Polygon { points: vec![Vec2::ZERO, Vec2::X] },
        Terrain::Polyline { points: vec![] },
        Terrain::Segment { a: Vec2::new(f32::NAN, 0.0), b: Vec2::ZERO },
    ];
    let mut app = support::app();
    let entities: Vec<Entity> = bad.into_iter().map(|terrain| app.world_mut().spawn(terrain).id()).collect();
    app.world_mut().spawn(Terrain::Segment { a: Vec2::new(2.0, -3.0), b: Vec2::new(2.0, 3.0) });
    let disc = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    support::ticks(&mut app, 30);
    assert_eq!(support::velocity(&app, disc).x, -6.0);
    let invalid = app.world().resource::<InvalidEntities>();
    for entity in &entities {
        assert!(invalid.0.contains_key(entity), "{entity}");
    }
    for entity in entities {
        app.world_mut().despawn(entity);
    }
    support::ticks(&mut app, 1);
    assert!(app.world().resource::<InvalidEntities>().0.is_empty());
}

#[test]
fn settings_out_of_range_are_used_as_the_nearest_allowed_value() {
    let mut app = support::app();
    support::settings(&mut app, |s| {
        s.restitution = 7.0;
        s.terrain_restitution = f32::NAN;
        s.substeps = 0;
        s.push_apart_share = -3.0;
    });
    *app.world_mut().resource_mut::<MotionSettings>() =
        MotionSettings { gravity: Vec2::splat(f32::NAN), drag: -1.0, friction: f32::INFINITY };
    let a = support::disc(&mut app, Vec2::ZERO, Vec2::new(6.0, 0.0));
    let b = support::disc(&mut app, Vec2::new(2.0, 0.0), Vec2::ZERO);
    app.world_mut().spawn(Terrain::Segment { a: Vec2::new(4.0, -3.0), b: Vec2::new(4.0, 3.0) });
    support::ticks(&mut app, 20);
    assert!((support::velocity(&app, b).x - 6.0).abs() < 1e-6, "as with restitution 1");
    assert!(support::velocity(&app, a).length() < 1e-6);
    support::ticks(&mut app, 10);
    assert!((support::velocity(&app, b).x + 6.0).abs() < 1e-6, "a NaN is the default, 1");
}
