//! A match ends with its scene, and its balls are put back with it.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::{CurrentMatch, MatchEvent, drive};
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
        commands.queue(drive::forget_look_back);
        commands.remove_resource::<CurrentMatch>();
        commands.write_message(MatchEvent::Left);
    }
}

/// The scene of a match has been put back to its start: the balls go where the match has them.
pub(super) fn follow_restart(started: On<SceneStarted>, mut commands: Commands) {
    if started.restart {
        commands.queue(drive::lay_again);
    }
}
