//! Searches backward for a tick in which something collided.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};

use super::{
    History,
    record::{Recorder, is_of_other_scene, note_edits, replay_tick, seek_for, show, with_recorder},
};
use crate::collision::{Collision, PhysicsSpace};

/// A search for the last tick before another one in which something collided.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitSearch {
    /// The disc whose hits count; `None` for all hits.
    of: Option<Entity>,
    /// The tick is before this one.
    before: u64,
    replay: Option<Replay>,
}

/// The part of the history that a search is replaying.
#[derive(Clone, Copy, Debug)]
struct Replay {
    /// The tick of the keyframe before the part.
    from: u64,
    /// Its last tick.
    last: u64,
    /// The last tick with a hit so far.
    found: Option<u64>,
}

impl HitSearch {
    pub fn new(of: Option<Entity>, before: u64) -> Self {
        Self { of, before, replay: None }
    }

    /// Continues until the time is used up, and runs at least one tick. Returns the tick when it is known: the start of
    /// the history if there is none.
    fn go_on(
        &mut self,
        world: &mut World,
        (history, recorder): (&mut History, &mut Recorder),
        has_time: impl Fn() -> bool,
    ) -> Option<u64> {
        let mut has_run = false;
        loop {
            let Some(replay) = &mut self.replay else {
                let start = history.start();
                if self.before <= start + 1 {
                    return Some(start);
                }
                let last = self.before - 1;
                let keyframe = history.tracks.keyframe(last - 1)?.clone();
                let from = keyframe.moment.tick;
                let end = history.tracks.keyframe(last).map(|keyframe| keyframe.moment);
                if end.is_some_and(|end| end.tick == last && end.collisions == keyframe.moment.collisions) {
                    self.before = from + 1;
                } else {
                    recorder.restore(world, history, &keyframe);
                    self.replay = Some(Replay { from, last, found: None });
                }
                continue;
            };
            if history.cursor == replay.last {
                if replay.found.is_some() {
                    return replay.found;
                }
                (self.before, self.replay) = (replay.from + 1, None);
            } else if has_run && !has_time() {
                return None;
            } else {
                replay_tick(world, history, recorder);
                has_run = true;
                if has_hit(world.resource(), self.of) {
                    replay.found = Some(history.cursor);
                }
            }
        }
    }
}

/// Whether something collided in the last tick, or a disc did. Only hits of at least
/// [`CollisionSettings::report_above`](crate::collision::CollisionSettings::report_above) count.
#[must_use]
pub fn has_hit(space: &PhysicsSpace, of: Option<Entity>) -> bool {
    let counts = |hit| of.is_none_or(|disc| Collision::of(hit, &space.discs, space.clock.tick).other(disc).is_some());
    space.report.hits.iter().any(counts)
}

/// Searches for at most about this time, and then goes to the tick.
pub(super) fn search_for(world: &mut World, budget: Duration) {
    let start = Instant::now();
    let found = with_recorder(world, |world, history, recorder| {
        let mut search = history.search.take()?;
        if is_of_other_scene(world, history) {
            return None;
        }
        note_edits(world, history, recorder);
        let found = search.go_on(world, (history, recorder), || start.elapsed() < budget);
        history.search = found.is_none().then_some(search);
        show(world, history, recorder);
        found
    });
    if let Some(tick) = found {
        world.resource_mut::<History>().seek(tick);
        seek_for(world, tick, Some(budget.saturating_sub(start.elapsed())));
    }
}
