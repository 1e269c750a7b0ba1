//! Inactive discs and terrain: parked discs, doors.

use bevy::prelude::*;
use carom::{collision::measure, prelude::*};

use crate::support::{self, Dice, MODES, app_in as app, prediction};

/// A crowd in a box with blocks and a wall, some of them inactive; and the same without those.
fn crowd(app: &mut App, dice: &mut Dice, are_there: bool) -> Vec<Entity> {
    app.world_mut().spawn((StableId(1000), Terrain::Arena { half_size: Vec2::splat(6.0) }));
    app.world_mut().spawn((StableId(1001), Terrain::Circle { radius: 0.7 }, Position(vec2(3.0, 3.0))));
    let doors = [
        (StableId(1002), Terrain::Segment { a: vec2(0.0, -6.0), b: vec2(0.0, 6.0) }),
        (StableId(1003), Terrain::Block { half_size: vec2(3.0, 1.0) }),
        (StableId(1004), Terrain::Circle { radius: 2.0 }),
    ];
    let mut out = Vec::new();
    if are_there {
        out.extend(doors.map(|door| app.world_mut().spawn((door, Inactive)).id()));
    }
    for k in 0..64_u16 {
        let place = vec2(f32::from(k % 8), f32::from(k / 8)) * 1.4 - 4.9;
        let disc = (
            Disc,
            StableId(u64::from(k)),
            Position(place + dice.vec(0.2)),
            Velocity(dice.vec(20.0)),
            Radius(dice.range(0.2, 0.5)),
        );
        if k % 5 != 0 {
            app.world_mut().spawn(disc);
        } else if are_there {
            out.push(app.world_mut().spawn((disc, Inactive)).id());
        }
    }
    out
}

#[test]
fn what_is_inactive_changes_not_one_bit_and_stays_as_it_is() {
    for mode in MODES {
        let (mut with, mut without) = (app(mode), app(mode));
        let out = crowd(&mut with, &mut Dice(7), true);
        crowd(&mut without, &mut Dice(7), false);
        let was: Vec<_> = out.iter().map(|&entity| with.world().get::<Position>(entity).copied()).collect();
        for tick in 0..90 {
            support::ticks(&mut with, 1);
            support::ticks(&mut without, 1);
            assert_eq!(support::hash(&mut with), support::hash(&mut without), "{mode:?}, tick {tick}");
        }
        let is: Vec<_> = out.iter().map(|&entity| with.world().get::<Position>(entity).copied()).collect();
        assert_eq!(was, is);
        assert!(support::collisions(&mut with).len() > 50, "{mode:?}: a crowd collides");
        let ahead = prediction(&mut with, 0.5);
        assert_eq!(ahead.discs().len(), 64 - 13, "{mode:?}");
        support::ticks(&mut with, ahead.ticks() as usize);
        assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut with), "{mode:?}: as predicted");
    }
}

#[test]
fn a_door_lets_through_while_it_is_open_and_not_a_tick_longer() {
    for mode in MODES {
        let mut app = app(mode);
        let door = app.world_mut().spawn((Terrain::Segment { a: vec2(0.0, -2.0), b: vec2(0.0, 2.0) }, Inactive)).id();
        let disc = support::disc(&mut app, vec2(-2.0, 0.0), vec2(6.0, 0.0));
        support::ticks(&mut app, 60);
        assert!((support::position(&app, disc).x - 4.0).abs() < 1e-4, "{mode:?}: {}", support::position(&app, disc));
        app.world_mut().entity_mut(door).remove::<Inactive>();
        app.world_mut().entity_mut(disc).insert(Velocity(vec2(-6.0, 0.0)));
        support::ticks(&mut app, 60);
        assert_eq!(support::velocity(&app, disc), vec2(6.0, 0.0), "{mode:?}: it is shut");
        app.world_mut().entity_mut(disc).insert(Velocity(vec2(-6.0, 0.0)));
        app.world_mut().entity_mut(door).insert(Inactive);
        support::ticks(&mut app, 120);
        assert!(support::position(&app, disc).x < -3.0, "{mode:?}: it is open again");
    }
}

#[test]
fn a_wall_that_is_switched_on_over_a_disc_pushes_it_out_without_a_speed() {
    for mode in MODES {
        for side in [-1.0, 1.0] {
            let mut app = app(mode);
            let door =
                app.world_mut().spawn((Terrain::Segment { a: vec2(0.0, -2.0), b: vec2(0.0, 2.0) }, Inactive)).id();
            let disc = support::disc(&mut app, vec2(0.2 * side, 0.0), Vec2::ZERO);
            support::ticks(&mut app, 3);
            app.world_mut().entity_mut(door).remove::<Inactive>();
            support::ticks(&mut app, 1);
            let (position, velocity) = (support::position(&app, disc), support::velocity(&app, disc));
            assert!((position - vec2(0.5 * side, 0.0)).length() < 1e-5, "{mode:?}: {position}");
            assert_eq!(velocity, Vec2::ZERO, "{mode:?}");
        }
    }
}

#[test]
fn a_parked_disc_comes_back_where_it_is_with_the_velocity_that_it_has() {
    for mode in MODES {
        let mut app = app(mode);
        let parked = support::disc(&mut app, vec2(1.5, 0.0), vec2(0.0, 3.0));
        let disc = support::disc(&mut app, vec2(-1.5, 0.0), vec2(6.0, 0.0));
        app.world_mut().entity_mut(parked).insert(Inactive);
        support::ticks(&mut app, 60);
        assert!((support::position(&app, disc).x - 4.5).abs() < 1e-4, "{mode:?}: nothing was in its way");
        assert_eq!(support::position(&app, parked), vec2(1.5, 0.0));
        app.world_mut().entity_mut(parked).remove::<Inactive>();
        support::ticks(&mut app, 20);
        assert!((support::position(&app, parked) - vec2(1.5, 1.0)).length() < 1e-4, "{mode:?}");
    }
}

#[test]
fn what_lies_on_a_trapdoor_falls_when_it_opens_also_asleep() {
    for mode in MODES {
        let mut app = app(mode);
        app.insert_resource(MotionSettings { gravity: vec2(0.0, -10.0), ..default() });
        support::settings(&mut app, |settings| {
            (settings.restitution, settings.terrain_restitution) = (0.2, 0.2);
            (settings.resting_speed, settings.sleep_speed) = (1.0, 0.001);
        });
        let door = app.world_mut().spawn(Terrain::Segment { a: vec2(-3.0, 0.0), b: vec2(3.0, 0.0) }).id();
        let discs: Vec<Entity> =
            (0..4_u8).map(|k| support::disc(&mut app, vec2(0.0, 0.6 + 1.01 * f32::from(k)), Vec2::ZERO)).collect();
        support::ticks(&mut app, 300);
        let lowest = |app: &App| discs.iter().map(|&disc| support::position(app, disc).y).fold(f32::INFINITY, f32::min);
        assert!(lowest(&app) > 0.45, "{mode:?}: they lie on it, {}", lowest(&app));
        app.world_mut().entity_mut(door).insert(Inactive);
        support::ticks(&mut app, 60);
        assert!(discs.iter().all(|&disc| support::position(&app, disc).y < 0.0), "{mode:?}: {}", lowest(&app));
    }
}
