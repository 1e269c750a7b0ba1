//! A copy of the physics that replays tracks on its own, without touching the world.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};

use super::{
    History, HistoryPlugin, TrackId,
    presence::Successors,
    record::Recorder,
    stored::StoredState,
    track::{Edits, Keyframe},
};
use crate::{
    collision::{PhysicsSpace, replay_physics},
    motion::Forces,
};

/// A copy of the physics that shows any tick of any track while the world stays as it is. [`History::stored`] is
/// cheaper, but not every tick is stored.
///
/// It takes the tracked components and settings of the physics and the [`Forces`] from the world. It does not know what
/// a game tracks besides, nor systems that a game has added to the
/// [`PhysicsSchedule`](crate::collision::PhysicsSchedule), unless they are in the app that it is made of.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy};
/// # use std::time::Duration;
/// # use carom::{prelude::*, timeline::{History, HistoryPlugin, history::Replica}};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), HistoryPlugin::default()));
/// # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.world_mut().spawn((Disc, Velocity(vec2(64.0, 0.0))));
/// # for _ in 0..=20 {
/// #     app.update();
/// # }
/// let mut copied = App::new();
/// copied.add_plugins((MinimalPlugins, PhysicsPlugins::default()));
/// let mut replica = Replica::new(copied);
/// let track = app.world().resource::<History>().current_track().unwrap();
/// assert_eq!(replica.go_to(app.world(), track, 7, Duration::from_secs(1)), Some(7));
/// assert_eq!(replica.state().discs[0].position, vec2(7.0, 0.0));
/// ```
#[derive(Resource)]
pub struct Replica {
    world: World,
    entities: Successors,
    /// The track and the tick that it shows.
    at: Option<(TrackId, u64)>,
}

impl Replica {
    /// Makes a copy of an app that has Bevy's time and the [`PhysicsPlugins`](crate::PhysicsPlugins).
    #[must_use]
    pub fn new(mut app: App) -> Self {
        if !app.is_plugin_added::<HistoryPlugin>() {
            app.add_plugins(HistoryPlugin::default());
        }
        app.finish();
        app.cleanup();
        Self { world: std::mem::take(app.world_mut()), entities: Successors::of_copy(), at: None }
    }

    /// Goes to a tick of a track of this world, for at most about this time. Returns the tick that it has reached, or
    /// `None` if the world has no such track or no state of it before the tick. Call it again to continue.
    ///
    /// Restoring the stored state before the tick takes no account of the time. It costs about as much as spawning all
    /// discs. The next tick of the same track needs no restoring.
    pub fn go_to(&mut self, world: &World, track: TrackId, tick: u64, time: Duration) -> Option<u64> {
        let start = Instant::now();
        let (history, recorder) = (world.get_resource::<History>()?, world.get_resource::<Recorder>()?);
        let tick = tick.min(history.tracks.all.get(&track.0)?.end);
        let keyframe = history.tracks.keyframe_on(track.0, tick)?;
        let here = self.at.filter(|&(on, at)| on == track && (keyframe.moment.tick..=tick).contains(&at));
        let mut at = here.map_or(keyframe.moment.tick, |(_, at)| at);
        let offset = recorder.physics().start;
        self.world.resource_scope(|copy, mut own: Mut<Recorder>| {
            let own = &mut *own;
            if here.is_none() {
                copy.insert_resource(world.get_resource::<Forces>().cloned().unwrap_or_default());
                restore(copy, (own, &mut self.entities), (keyframe, offset));
            }
            while at < tick && start.elapsed() < time {
                for edits in history.tracks.edits_on(track.0, at + 1).into_iter().flatten() {
                    apply(copy, (own, &mut self.entities), (edits, offset));
                }
                replay_physics(copy);
                at += 1;
            }
        });
        self.at = Some((track, at));
        Some(at)
    }

    /// The discs that it shows.
    #[must_use]
    pub fn state(&mut self) -> StoredState {
        StoredState::of_world(&mut self.world)
    }
}

/// Fills the copy with a keyframe. The columns of the physics begin at `offset`.
fn restore(
    copy: &mut World,
    (own, entities): (&mut Recorder, &mut Successors),
    (keyframe, offset): (&Keyframe, usize),
) {
    for entity in entities.drain() {
        copy.despawn(entity);
    }
    for &entity in keyframe.present.iter() {
        entities.put(entity, copy.spawn_empty().id());
    }
    for (kind, column) in own.physics_kinds().iter_mut().zip(&keyframe.columns[offset..]) {
        kind.restore(copy, column, entities);
    }
    let PhysicsSpace { clock, report, .. } = &mut *copy.resource_mut::<PhysicsSpace>();
    keyframe.moment.restore(clock, report);
}

fn apply(copy: &mut World, (own, entities): (&mut Recorder, &mut Successors), (edits, offset): (&Edits, usize)) {
    for &entity in &edits.appeared {
        entities.put(entity, copy.spawn_empty().id());
    }
    for (i, edit) in &edits.values {
        if let Some(kind) = i.checked_sub(offset).and_then(|i| own.physics_kinds().get_mut(i)) {
            kind.apply(copy, edit, entities);
        }
    }
    for &entity in &edits.disappeared {
        copy.despawn(entities.of(entity));
        entities.take(entity);
    }
}
