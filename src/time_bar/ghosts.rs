//! Ghosts: the discs of the other track at the same tick, with a line to each from where the disc is.

use std::time::Duration;

use bevy::prelude::*;

use super::state::{TimeBar, is_allowed};
use crate::{
    PhysicsPlugins,
    collision::PhysicsSpace,
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
    /// The two tracks, and the tick at which they are compared.
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
    let other = bar.compared(history).filter(|_| bar.ghosts && is_allowed(world));
    let Some((current, other)) = history.current_track().zip(other) else {
        if world.resource::<Ghosts>().of.is_some() {
            *world.resource_mut::<Ghosts>() = Ghosts::default();
        }
        return;
    };
    let tick = history.tick();
    let wanted = wanted(history, other, tick);
    let stored = history.stored_tick(other, wanted);
    let is_copied = world.resource::<PhysicsSpace>().discs.len() <= MAX_COPIED;
    let Some(at) = (if is_copied { Some(wanted) } else { stored }) else { return };
    // What is not copied is compared as it was stored.
    let of = (current, other, if is_copied { tick } else { at });
    let ghosts = world.resource::<Ghosts>();
    if ghosts.of == Some(of) && ghosts.tick == Some(at) {
        return;
    }
    let then = history.stored(current, at).filter(|state| !is_copied && state.tick == at);
    let now = then.unwrap_or_else(|| StoredState::of_world(world));
    let Some(state) = state(world, (other, at)) else { return };
    let mut differences = differences(&now, &state);
    let alone = { state.discs.iter() }
        .filter(|disc| now.discs.binary_search_by_key(&disc.id, |disc| disc.id).is_err())
        .take(MAX_DRAWN)
        .copied()
        .collect();
    differences.sort_by(|a, b| b.apart.length_squared().total_cmp(&a.apart.length_squared()));
    *world.resource_mut::<Ghosts>() = Ghosts { of: Some(of), tick: Some(state.tick), differences, alone };
}

/// The tick of the other track to show.
fn wanted(history: &History, other: TrackId, tick: u64) -> u64 {
    history.tracks().find(|track| track.id == other).map_or(tick, |track| tick.min(track.end))
}

/// The state of a track at a tick, as stored or replayed.
fn state(world: &mut World, (track, tick): (TrackId, u64)) -> Option<StoredState> {
    let history = world.resource::<History>();
    if history.stored_tick(track, tick) == Some(tick) {
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
