//! A match ends with its scene, and its balls are put back with it.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::{CurrentMatch, MatchEvent, advance, look_back, table::collect};
use crate::scene::{SceneEnded, SceneStarted};

/// Another scene ends the match; it can be gone on with by its file. The same scene again does not.
pub(super) fn follow_end(ended: On<SceneEnded>, mut commands: Commands, live: Option<Res<CurrentMatch>>) {
    let Some(live) = live else { return };
    // A scene despawns what it finds, and what was put aside it does not find.
    for &ball in &live.things.balls {
        if let Ok(mut ball) = commands.get_entity(ball) {
            ball.remove::<Disabled>();
        }
    }
    if !ended.restart {
        commands.queue(|world: &mut World| {
            if let Some(mut live) = world.remove_resource::<CurrentMatch>() {
                look_back::forget(world, &mut live);
            }
        });
        commands.write_message(MatchEvent::Left);
    }
}

/// The scene of a match has been put back to its start: the balls go where the match has them.
pub(super) fn follow_restart(started: On<SceneStarted>, mut commands: Commands) {
    if !started.restart {
        return;
    }
    commands.queue(|world: &mut World| {
        let Some(mut live) = world.remove_resource::<CurrentMatch>() else { return };
        look_back::forget(world, &mut live);
        live.things = collect(world, &live.game);
        advance::hurry(world, &mut live);
        let layout = live.game.layout().clone();
        super::lie(world, &live, &layout);
        world.insert_resource(live);
    });
}
