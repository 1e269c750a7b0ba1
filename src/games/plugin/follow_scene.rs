//! Ends a match with its scene, and puts its balls back when the scene restarts.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::{CurrentMatch, MatchEvent, drive};
use crate::scene::{SceneEnded, SceneStarted};

/// Ends the match when another scene starts. It can be resumed from its file. A restart of the same scene does not end
/// it.
pub(super) fn follow_end(ended: On<SceneEnded>, mut commands: Commands, live: Option<Res<CurrentMatch>>) {
    let Some(live) = live else { return };
    // A scene despawns only the entities that its queries find, so balls that were put aside are despawned here.
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

/// Puts the balls back to the match's layout after its scene restarted.
pub(super) fn follow_restart(started: On<SceneStarted>, mut commands: Commands) {
    if started.restart {
        commands.queue(drive::lay_again);
    }
}
