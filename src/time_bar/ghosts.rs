//! Ghosts: the discs of the other track at the same tick, with a line to each from where the disc is.

use std::time::Duration;

use bevy::prelude::*;

use super::state::{TimeBar, is_allowed};
use crate::{
    PhysicsPlugins,
    timeline::{
        History, TrackId,
        history::{DiscDifference, Replica, StoredDisc, StoredState, differences},
    },
    view::{Canvas, CurrentView, Layer, Theme},
};

/// A replica runs in scenes of at most this many discs. Copying more would take longer than a frame.
const MAX_COPIED: usize = 4096;

/// The time for the replica in a frame.
const REPLICA_TIME: Duration = Duration::from_millis(4);

/// The most ghosts that are drawn: those furthest from their discs.
const MAX_DRAWN: usize = 2000;

/// The discs of the other track.
#[derive(Resource, Default)]
pub struct Ghosts {
    /// The two tracks and the tick of the run.
    of: Option<(TrackId, TrackId, u64)>,
    /// The tick that the ghosts are at. It differs from the run's if that track ends before, or in large scenes, where
    /// not every tick is stored.
    pub tick: Option<u64>,
    /// The differences of the discs from their ghosts.
    pub differences: Vec<DiscDifference>,
    /// The discs that are only on the other track.
    pub alone: Vec<StoredDisc>,
}

/// Finds the ghosts of this frame.
pub(super) fn follow(world: &mut World) {
    let (bar, history) = (world.resource::<TimeBar>(), world.resource::<History>());
    let tick = history.tick();
    let other = bar.compared(history).filter(|_| bar.ghosts && is_allowed(world));
    let of = other.and_then(|other| Some((history.current_track()?, other, tick)));
    let ghosts = world.resource::<Ghosts>();
    let is_due = of != ghosts.of || of.is_some_and(|(_, other, _)| ghosts.tick != Some(wanted(history, other, tick)));
    let Some((_, other, _)) = of.filter(|_| is_due) else {
        if of.is_none() && ghosts.of.is_some() {
            *world.resource_mut::<Ghosts>() = Ghosts::default();
        }
        return;
    };
    let wanted = wanted(history, other, tick);
    let now = StoredState::of_world(world);
    let Some(state) = state(world, (other, wanted), now.discs.len()) else { return };
    let mut differences = differences(&now, &state);
    let alone = { state.discs.iter() }
        .filter(|disc| now.discs.binary_search_by_key(&disc.id, |disc| disc.id).is_err())
        .take(MAX_DRAWN)
        .copied()
        .collect();
    differences.sort_by(|a, b| b.apart.length_squared().total_cmp(&a.apart.length_squared()));
    *world.resource_mut::<Ghosts>() = Ghosts { of, tick: Some(state.tick), differences, alone };
}

/// The tick of the other track to show.
fn wanted(history: &History, other: TrackId, tick: u64) -> u64 {
    history.tracks().find(|track| track.id == other).map_or(tick, |track| tick.min(track.end))
}

/// The state of a track at a tick, as stored or replayed. In large scenes, the nearest stored one before it.
fn state(world: &mut World, (track, tick): (TrackId, u64), discs: usize) -> Option<StoredState> {
    let history = world.resource::<History>();
    if history.stored_tick(track, tick) == Some(tick) || discs > MAX_COPIED {
        return history.stored(track, tick);
    }
    if !world.contains_resource::<Replica>() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
        world.insert_resource(Replica::new(app));
    }
    world.resource_scope(|world, mut replica: Mut<Replica>| {
        replica.go_to(world, track, tick, REPLICA_TIME)?;
        Some(replica.state())
    })
}

/// Draws the ghosts that can be told from their discs.
pub(super) fn draw(mut canvas: ResMut<Canvas>, (view, theme): (Res<CurrentView>, Res<Theme>), ghosts: Res<Ghosts>) {
    let colour = theme.lesson.ghost;
    let width = view.px(1.5);
    let is_seen = |ghost: &&DiscDifference| ghost.apart.length() > view.px(1.0);
    for ghost in ghosts.differences.iter().take(MAX_DRAWN).take_while(is_seen) {
        let at = ghost.from + ghost.apart;
        canvas.line(Layer::Trail, ghost.from, at, width, colour.with_alpha(0.6 * colour.alpha));
        canvas.ring(Layer::Highlight, at, ghost.radius, width, colour);
    }
    for ghost in &ghosts.alone {
        canvas.ring(Layer::Highlight, ghost.position, ghost.radius, width, colour);
    }
}
