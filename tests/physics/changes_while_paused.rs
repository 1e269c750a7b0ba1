//! The next tick detects all changes since the last one, however much later it runs.

use bevy::prelude::*;
use carom::{
    collision::{InvalidEntities, measure},
    prelude::*,
};

use crate::support::{self, MODES, app_in, prediction};

/// Changes a world while the game is paused for several frames.
fn change_while_paused(app: &mut App, change: impl FnOnce(&mut World)) {
    app.world_mut().resource_mut::<Playback>().toggle();
    support::ticks(app, 2);
    change(app.world_mut());
    support::ticks(app, 5);
    app.world_mut().resource_mut::<Playback>().toggle();
}

/// Some walls had restitutions, all of which are removed when a disc hits the last of them.
#[test]
fn a_wall_whose_restitution_was_removed_bounces_by_the_setting() {
    for mode in MODES {
        for others in [0_u8, 1, 8] {
            for restitution in [0.2, f32::NAN] {
                let mut app = app_in(mode);
                let wall = |x: f32| Terrain::Segment { a: vec2(x, -3.0), b: vec2(x, 3.0) };
                for k in 0..others {
                    app.world_mut().spawn(wall(20.0 + f32::from(k)));
                    app.world_mut().spawn((wall(-20.0 - f32::from(k)), Restitution(0.5)));
                }
                let wall = app.world_mut().spawn((wall(2.0), Restitution(restitution))).id();
                let disc = support::disc(&mut app, Vec2::ZERO, vec2(6.0, 0.0));
                support::ticks(&mut app, 2);
                change_while_paused(&mut app, |world| _ = world.entity_mut(wall).remove::<Restitution>());
                let ahead = prediction(&mut app, 0.5);
                support::ticks(&mut app, ahead.ticks() as usize);
                let name = format!("{mode:?}, {others} others, {restitution}");
                assert!(app.world().resource::<InvalidEntities>().is_empty(), "{name}");
                assert_eq!(support::velocity(&app, disc), vec2(-6.0, 0.0), "{name}");
                assert_eq!(measure::state_hash(ahead.discs()), support::hash(&mut app), "{name}: as predicted");
            }
        }
    }
}

#[test]
fn what_was_added_moved_and_taken_away_counts() {
    for mode in MODES {
        let mut app = app_in(mode);
        let wall = Terrain::Segment { a: vec2(0.0, -3.0), b: vec2(0.0, 3.0) };
        let [near, far, gone] =
            [2.0, 9.0, 1.0].map(|x| app.world_mut().spawn((wall.clone(), Position(vec2(x, 0.0)))).id());
        let disc = support::disc(&mut app, vec2(-3.0, 0.0), vec2(6.0, 0.0));
        support::ticks(&mut app, 2);
        change_while_paused(&mut app, |world| {
            world.despawn(gone);
            world.entity_mut(near).insert(Restitution(0.5));
            world.entity_mut(far).insert(Position(vec2(-4.0, 0.0)));
        });
        support::ticks(&mut app, 150);
        // Once off the wall at 2 with half of the speed, once off the wall at -4 with all of it.
        assert_eq!(support::velocity(&app, disc), vec2(3.0, 0.0), "{mode:?}");
    }
}
