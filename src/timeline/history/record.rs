//! Records edits and keyframes while the simulation runs, and seeks.

use std::{any::TypeId, collections::HashSet, ops::Range, sync::Arc, time::Duration};

use bevy::{
    ecs::{change_detection::Tick, entity::EntityHashSet},
    platform::time::Instant,
    prelude::*,
};

use super::{
    History,
    presence::{PresenceChanged, Successors, bring, hide, present, put_presence},
    track::{Edits, Keyframe},
    tracked::{Column, Edit, Tracked},
};
use crate::collision::{Moment, PhysicsSpace, replay_physics, show_components};

/// The bytes of keyframes per tick, from which the number of ticks between two follows.
const BYTES_PER_TICK: usize = 8192;

/// The largest number of ticks between two keyframes.
const MAX_SPACING: u64 = 64;

/// What is tracked, and what of it was last seen.
#[derive(Resource, Default)]
pub struct Recorder {
    kinds: Vec<Box<dyn Tracked>>,
    /// Those of the physics among them.
    physics: Range<usize>,
    /// The components and resources among them.
    types: HashSet<TypeId>,
    successors: Successors,
    /// The entities that were present.
    present: Arc<EntityHashSet>,
    /// The change tick up to which all changes are known.
    seen: Option<Tick>,
    /// The state that was last seen, in the past, where it tells edits from repetitions.
    shadow: Option<Vec<Column>>,
    /// Whether the recorded edits before the next tick have already been applied.
    next_applied: bool,
    /// The bytes of the last keyframe.
    keyframe_bytes: usize,
}

impl Recorder {
    /// Whether a component or resource has not been tracked yet.
    pub(super) fn is_new(&mut self, kind: TypeId) -> bool {
        self.types.insert(kind)
    }

    pub(super) fn track(&mut self, kind: impl Tracked) {
        self.kinds.push(Box::new(kind));
    }

    /// The kinds that are tracked from here on until [`Recorder::end_physics`] are those of the physics.
    pub(super) fn begin_physics(&mut self) {
        self.physics = self.kinds.len()..self.kinds.len();
    }

    pub(super) fn end_physics(&mut self) {
        self.physics.end = self.kinds.len();
    }

    pub(super) fn physics(&self) -> Range<usize> {
        self.physics.clone()
    }

    pub(super) fn physics_kinds(&mut self) -> &mut [Box<dyn Tracked>] {
        &mut self.kinds[self.physics.clone()]
    }

    fn spacing(&self) -> u64 {
        ((self.keyframe_bytes / BYTES_PER_TICK) as u64).clamp(1, MAX_SPACING)
    }

    fn capture(&mut self, world: &mut World, last: Option<&[Column]>) -> Vec<Column> {
        let kinds = self.kinds.iter_mut().enumerate();
        kinds.map(|(i, kind)| kind.capture(world, last.and_then(|last| last.get(i)))).collect()
    }

    fn keyframe(&mut self, world: &mut World, moment: Moment, last: Option<&Keyframe>) -> Keyframe {
        self.look_around(world);
        let columns = self.capture(world, last.map(|last| last.columns.as_slice()));
        let present = match last {
            Some(last) if last.present == self.present => last.present.clone(),
            _ => self.present.clone(),
        };
        Keyframe { moment, present, columns }
    }

    /// Updates the list of present entities, and returns the earlier one if it may differ.
    fn look_around(&mut self, world: &mut World) -> Option<Arc<EntityHashSet>> {
        let changed = &mut world.resource_mut::<PresenceChanged>().0;
        (std::mem::take(changed)).then(|| std::mem::replace(&mut self.present, Arc::new(present(world))))
    }

    /// Takes the current state as known.
    fn settle(&mut self, world: &mut World, is_in_past: bool) {
        self.look_around(world);
        self.seen = Some(world.increment_change_tick());
        for kind in &mut self.kinds {
            kind.forget_removed(world);
        }
        let last = self.shadow.take();
        self.shadow = is_in_past.then(|| self.capture(world, last.as_deref()));
    }

    /// What others have edited since the last call of [`Recorder::settle`].
    fn edits(&mut self, world: &mut World) -> Edits {
        let Some(since) = self.seen else { return Edits::default() };
        let mut edits = Edits::default();
        if let Some(before) = self.look_around(world) {
            edits.appeared = self.present.difference(&before).copied().collect();
            edits.disappeared = before.difference(&self.present).copied().collect();
            edits.appeared.sort_unstable();
            edits.disappeared.sort_unstable();
        }
        for (i, kind) in self.kinds.iter_mut().enumerate() {
            let shadow = self.shadow.as_ref().map(|shadow| shadow.get(i));
            let shadow = match shadow {
                Some(None) => continue,
                Some(column) => column,
                None => None,
            };
            edits.values.extend(kind.edits(world, since, &edits.appeared, shadow).map(|edit| (i, edit)));
        }
        edits
    }

    /// The index of the tracked kind of this name: a type, or the name of a value.
    pub(crate) fn kind(&self, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.name() == name)
    }

    /// Whether an edit of a kind changes anything besides components that these new entities have never had.
    pub(crate) fn changes(&self, kind: usize, edit: &Edit, new: &EntityHashSet) -> bool {
        self.kinds.get(kind).is_some_and(|kind| kind.changes(edit, new))
    }

    /// The entity that is now what this one was.
    pub(crate) fn now(&self, entity: Entity) -> Entity {
        self.successors.of(entity)
    }

    /// The name of a tracked kind.
    pub(crate) fn name(&self, kind: usize) -> &'static str {
        self.kinds.get(kind).map_or("", |kind| kind.name())
    }

    fn apply(&mut self, world: &mut World, edits: &Edits) {
        let Self { kinds, successors, .. } = self;
        if !edits.appeared.is_empty() {
            let now = present(world);
            for &entity in &edits.appeared {
                bring(world, entity, &now, successors);
            }
        }
        for (i, edit) in &edits.values {
            if let Some(kind) = kinds.get(*i) {
                kind.apply(world, edit, successors);
            }
        }
        for &entity in &edits.disappeared {
            hide(world, successors.of(entity));
        }
    }

    /// Puts the world at a keyframe of the current track.
    pub(super) fn restore(&mut self, world: &mut World, history: &mut History, keyframe: &Keyframe) {
        let Self { kinds, successors, .. } = self;
        put_presence(world, &keyframe.present, successors);
        for (kind, column) in kinds.iter_mut().zip(&keyframe.columns) {
            kind.restore(world, column, successors);
        }
        let PhysicsSpace { clock, report, .. } = &mut *world.resource_mut::<PhysicsSpace>();
        keyframe.moment.restore(clock, report);
        (history.cursor, self.next_applied) = (keyframe.moment.tick, false);
    }
}

fn moment(world: &World) -> Moment {
    let space = world.resource::<PhysicsSpace>();
    Moment::of(&space.clock, &space.report)
}

pub(super) fn with_recorder<T>(world: &mut World, act: impl FnOnce(&mut World, &mut History, &mut Recorder) -> T) -> T {
    world.resource_scope(|world, mut history: Mut<History>| {
        world.resource_scope(|world, mut recorder: Mut<Recorder>| act(world, &mut history, &mut recorder))
    })
}

/// Before a tick: stores what others have edited since the last one, or repeats what is stored.
pub(super) fn record_edits(world: &mut World) {
    with_recorder(world, |world, history, recorder| {
        let now = moment(world);
        if history.tracks.all.is_empty() || now.tick != history.cursor {
            begin(world, history, recorder, now);
        } else if !note_edits(world, history, recorder) && !recorder.next_applied {
            apply_next(world, history, recorder);
        }
        recorder.next_applied = false;
    });
}

/// Begins a new history at the current state.
fn begin(world: &mut World, history: &mut History, recorder: &mut Recorder, now: Moment) {
    history.clear();
    history.cursor = now.tick;
    history.tracks.begin(None, now.tick);
    recorder.successors = Successors::default();
    world.resource_mut::<PresenceChanged>().0 = true;
    add_keyframe(world, history, recorder, now);
    recorder.settle(world, false);
}

/// Stores what others have edited since the state was last known, if anything. In the past, the run branches then.
pub(super) fn note_edits(world: &mut World, history: &mut History, recorder: &mut Recorder) -> bool {
    let edits = recorder.edits(world);
    let must_branch = std::mem::take(&mut history.must_branch) && history.is_in_past();
    if edits.is_empty() && !must_branch {
        return false;
    }
    let next = history.cursor + 1;
    if history.is_in_past() {
        let repeated = recorder.next_applied.then(|| history.tracks.edits(next).cloned()).flatten();
        let parent = (history.tracks.current, history.cursor);
        history.tracks.begin(Some(parent), history.cursor);
        for edits in repeated.into_iter().flatten() {
            history.tracks.add_edits(next, edits);
        }
    }
    if !edits.is_empty() {
        history.tracks.add_edits(next, edits);
    }
    recorder.next_applied = true;
    recorder.settle(world, false);
    true
}

fn apply_next(world: &mut World, history: &History, recorder: &mut Recorder) {
    for edits in history.tracks.edits(history.cursor + 1).into_iter().flatten() {
        recorder.apply(world, edits);
    }
}

fn add_keyframe(world: &mut World, history: &mut History, recorder: &mut Recorder, moment: Moment) {
    let last = history.tracks.keyframe(moment.tick);
    let keyframe = recorder.keyframe(world, moment, last);
    recorder.keyframe_bytes = keyframe.bytes_beside(last);
    history.tracks.add_keyframe(keyframe);
    history.tracks.thin(history.settings.memory, moment.tick);
}

/// Stores a keyframe after a tick, if the last one is far enough back.
fn add_due_keyframe(world: &mut World, history: &mut History, recorder: &mut Recorder) {
    let moment = moment(world);
    if moment.tick.is_multiple_of(recorder.spacing()) && !history.tracks.has_keyframe(moment.tick) {
        add_keyframe(world, history, recorder, moment);
    }
}

/// After a tick.
pub(super) fn record_keyframes(world: &mut World) {
    with_recorder(world, |world, history, recorder| {
        history.cursor = moment(world).tick;
        history.tracks.extend_to(history.cursor);
        add_due_keyframe(world, history, recorder);
        if history.is_in_past() {
            // Now, because the next tick may have another length.
            apply_next(world, history, recorder);
            recorder.next_applied = true;
        }
        recorder.settle(world, history.is_in_past());
    });
}

/// Begins a new history at the current state, with this future: the number of ticks, and the edits before some of them,
/// in order, by the number of the tick from here.
pub(crate) fn begin_with(world: &mut World, ticks: u64, edits: Vec<(u64, Edits)>) {
    with_recorder(world, |world, history, recorder| {
        let now = moment(world);
        begin(world, history, recorder, now);
        let first = history.cursor;
        for (tick, edits) in edits {
            history.tracks.add_edits(first + tick, edits);
        }
        history.tracks.extend_to(first + ticks);
        apply_next(world, history, recorder);
        recorder.next_applied = true;
        recorder.settle(world, history.is_in_past());
    });
}

/// Visits the states after these ticks of the current track, in ascending order, and returns. Each is the state before
/// the edits that follow the tick. Ticks outside the history are left out.
pub(crate) fn visit_ticks(world: &mut World, ticks: &[u64], mut visit: impl FnMut(&mut World, u64)) {
    let back = with_recorder(world, |world, history, recorder| {
        note_edits(world, history, recorder);
        history.cursor
    });
    for &tick in ticks {
        let is_there = with_recorder(world, |world, history, recorder| {
            // The edits that follow the present tick have been applied already.
            (history.start()..=history.end()).contains(&tick) && go_to(world, history, recorder, tick, true, || true)
        });
        if is_there {
            visit(world, tick);
        }
    }
    with_recorder(world, |world, history, recorder| {
        go_to(world, history, recorder, back, true, || true);
        show(world, history, recorder);
    });
}

/// Whether another scene has started, and no tick has run since.
pub(super) fn is_of_other_scene(world: &World, history: &History) -> bool {
    history.tracks.all.is_empty() || moment(world).tick != history.cursor
}

/// Runs the next tick again.
pub(super) fn replay_tick(world: &mut World, history: &mut History, recorder: &mut Recorder) {
    if !std::mem::take(&mut recorder.next_applied) {
        apply_next(world, history, recorder);
    }
    replay_physics(world);
    history.cursor += 1;
    add_due_keyframe(world, history, recorder);
}

/// Shows the tick that was reached, with the edits that follow it.
pub(super) fn show(world: &mut World, history: &History, recorder: &mut Recorder) {
    if !std::mem::replace(&mut recorder.next_applied, true) {
        apply_next(world, history, recorder);
    }
    show_components(world);
    recorder.settle(world, history.is_in_past());
}

/// Seeks a tick, for at most about this time.
pub(super) fn seek_for(world: &mut World, tick: u64, budget: Option<Duration>) {
    let start = Instant::now();
    with_recorder(world, |world, history, recorder| {
        let track = history.wished_track.take();
        if is_of_other_scene(world, history) {
            history.wish = None;
            return;
        }
        note_edits(world, history, recorder);
        let track = track.filter(|track| history.tracks.all.contains_key(track));
        history.tracks.current = track.unwrap_or(history.tracks.current);
        let tick = tick.clamp(history.tracks.start(), history.tracks.end());
        let has_time = || budget.is_none_or(|budget| start.elapsed() < budget);
        if !go_to(world, history, recorder, tick, track.is_some(), has_time) {
            history.wish = None;
            return;
        }
        history.wish = (history.cursor < tick).then_some(tick);
        show(world, history, recorder);
    });
}

/// Goes to a tick, or towards it until there is no time left. Returns false if no keyframe leads there. The edits that
/// follow the tick may be applied or not; see [`Recorder::next_applied`].
fn go_to(
    world: &mut World,
    history: &mut History,
    recorder: &mut Recorder,
    tick: u64,
    must_restore: bool,
    has_time: impl Fn() -> bool,
) -> bool {
    let Some(keyframe) = history.tracks.keyframe(tick).cloned() else { return false };
    if must_restore || !(keyframe.moment.tick..=tick).contains(&history.cursor) {
        recorder.restore(world, history, &keyframe);
    }
    while history.cursor < tick && has_time() {
        replay_tick(world, history, recorder);
    }
    true
}
