//! Tracks: one course of events each, as keyframes and the edits between them.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use super::tracked::{Column, Edit};
use crate::collision::Moment;

/// The state after a tick, before the edits that follow it.
#[derive(Clone)]
pub(super) struct Keyframe {
    pub moment: Moment,
    pub present: Arc<EntityHashSet>,
    /// A column for each tracked kind.
    pub columns: Vec<Column>,
}

impl Keyframe {
    /// The memory that it takes beyond that of an earlier one, bytes.
    pub fn bytes_beside(&self, other: Option<&Self>) -> usize {
        let is_shared = |i: usize, column: &Column| {
            other.and_then(|other| other.columns.get(i)).is_some_and(|other| other.is_same(column))
        };
        let own = self.columns.iter().enumerate().filter(|&(i, column)| !is_shared(i, column));
        let presence = match other {
            Some(other) if Arc::ptr_eq(&other.present, &self.present) => 0,
            _ => 2 * size_of::<Entity>() * self.present.len(),
        };
        size_of::<Self>()
            + self.columns.len() * size_of::<Column>()
            + presence
            + own.map(|it| it.1.bytes).sum::<usize>()
    }

    /// The memory that dropping it frees, bytes.
    fn bytes_freed(&self) -> usize {
        let presence =
            if Arc::strong_count(&self.present) == 1 { 2 * size_of::<Entity>() * self.present.len() } else { 0 };
        let own = self.columns.iter().filter(|column| column.is_last()).map(|column| column.bytes).sum::<usize>();
        size_of::<Self>() + self.columns.len() * size_of::<Column>() + presence + own
    }
}

/// What was changed by others than the tick, between two ticks.
#[derive(Clone, Default)]
pub(crate) struct Edits {
    /// The entities that appeared.
    pub appeared: Vec<Entity>,
    /// The entities that disappeared.
    pub disappeared: Vec<Entity>,
    /// The edits of each kind, by its index.
    pub values: Vec<(usize, Edit)>,
}

impl Edits {
    pub fn is_empty(&self) -> bool {
        self.appeared.is_empty() && self.disappeared.is_empty() && self.values.is_empty()
    }

    pub fn bytes(&self) -> usize {
        let values: usize = self.values.iter().map(|(_, edit)| edit.bytes + size_of::<(usize, Edit)>()).sum();
        size_of::<Self>() + values + (self.appeared.len() + self.disappeared.len()) * size_of::<Entity>()
    }
}

/// A course of events.
#[derive(Default)]
pub(super) struct Track {
    /// The track that it has branched off, and the last tick that the two share.
    pub parent: Option<(u32, u64)>,
    /// The states after some ticks.
    pub keyframes: BTreeMap<u64, Keyframe>,
    /// The edits before some ticks, by the tick that follows them.
    pub edits: BTreeMap<u64, Vec<Edits>>,
    /// The last recorded tick.
    pub end: u64,
}

/// All tracks.
#[derive(Default)]
pub(super) struct Tracks {
    pub all: BTreeMap<u32, Track>,
    pub current: u32,
    next: u32,
    /// The memory of all keyframes and edits, bytes.
    pub bytes: usize,
}

/// The largest number of tracks. Beyond it, the oldest track goes that nothing branches off.
pub(super) const MAX_TRACKS: usize = 16;

impl Tracks {
    /// Drops all tracks. The numbers of later ones differ from theirs.
    pub fn clear(&mut self) {
        *self = Self { next: self.next, ..Self::default() };
    }

    /// Starts a track. It becomes the current one.
    pub fn begin(&mut self, parent: Option<(u32, u64)>, end: u64) {
        self.current = self.next;
        self.next += 1;
        self.all.insert(self.current, Track { parent, end, ..Track::default() });
        while self.all.len() > MAX_TRACKS {
            let is_parent = |track: u32| self.all.values().any(|it| it.parent.is_some_and(|parent| parent.0 == track));
            let Some(oldest) = self.all.keys().copied().find(|&it| it != self.current && !is_parent(it)) else { break };
            self.remove(oldest);
        }
    }

    fn remove(&mut self, id: u32) {
        let Some(track) = self.all.remove(&id) else { return };
        for (_, keyframe) in track.keyframes {
            self.bytes -= keyframe.bytes_freed().min(self.bytes);
        }
        let edits: usize = track.edits.values().flatten().map(Edits::bytes).sum();
        self.bytes -= edits.min(self.bytes);
    }

    pub fn end(&self) -> u64 {
        self.all.get(&self.current).map_or(0, |track| track.end)
    }

    /// The current track and those that it comes from, latest first, each with the last tick that belongs to it.
    pub fn lineage(&self) -> impl Iterator<Item = (&Track, u64)> {
        self.lineage_of(self.current).map(|(_, track, until)| (track, until))
    }

    /// A track and those that it comes from, latest first, each with its number and the last tick that belongs to it.
    pub fn lineage_of(&self, track: u32) -> impl Iterator<Item = (u32, &Track, u64)> {
        let mut next = Some((track, u64::MAX));
        std::iter::from_fn(move || {
            let (id, until) = next?;
            let track = self.all.get(&id)?;
            next = track.parent.map(|(parent, tick)| (parent, tick.min(until)));
            Some((id, track, until))
        })
    }

    /// The first tick that can be reached on the current track.
    pub fn start(&self) -> u64 {
        self.lineage().filter_map(|(track, _)| track.keyframes.keys().next().copied()).min().unwrap_or(0)
    }

    /// The last keyframe at or before a tick, on the current track.
    pub fn keyframe(&self, tick: u64) -> Option<&Keyframe> {
        self.keyframe_on(self.current, tick)
    }

    /// The last keyframe at or before a tick, on a track.
    pub fn keyframe_on(&self, track: u32, tick: u64) -> Option<&Keyframe> {
        self.lineage_of(track)
            .filter_map(|(_, track, until)| track.keyframes.range(..=tick.min(until)).next_back())
            .max_by_key(|(tick, _)| **tick)
            .map(|(_, keyframe)| keyframe)
    }

    /// The first keyframe after a tick, on a track.
    fn keyframe_after(&self, track: u32, tick: u64) -> Option<&Keyframe> {
        self.lineage_of(track)
            .filter(|(_, _, until)| *until > tick)
            .filter_map(|(_, track, until)| track.keyframes.range(tick + 1..=until).next())
            .min_by_key(|(tick, _)| **tick)
            .map(|(_, keyframe)| keyframe)
    }

    /// The simulated time after a tick of a track, seconds: between keyframes in proportion, and after the last one
    /// with ticks of this length.
    pub fn seconds(&self, track: u32, tick: u64, time_step: f64) -> f64 {
        let Some(before) = self.keyframe_on(track, tick).map(|keyframe| keyframe.moment) else { return 0.0 };
        let step = match self.keyframe_after(track, tick).map(|keyframe| keyframe.moment) {
            Some(after) => (after.seconds - before.seconds) / (after.tick - before.tick) as f64,
            None => time_step,
        };
        before.seconds + (tick - before.tick) as f64 * step
    }

    /// Whether the current track has a keyframe at a tick.
    pub fn has_keyframe(&self, tick: u64) -> bool {
        self.keyframe(tick).is_some_and(|keyframe| keyframe.moment.tick == tick)
    }

    /// The edits before a tick, on the current track.
    pub fn edits(&self, tick: u64) -> Option<&Vec<Edits>> {
        self.edits_on(self.current, tick)
    }

    /// The edits before a tick, on a track.
    pub fn edits_on(&self, track: u32, tick: u64) -> Option<&Vec<Edits>> {
        // The edits before the tick after a branch belong to the branch.
        let mut lineage = self.lineage_of(track);
        lineage.find(|&(_, track, _)| track.parent.is_none_or(|(_, from)| tick > from))?.1.edits.get(&tick)
    }

    /// The ticks between `from` and `to` before which something was edited, with the edits, on the current track.
    pub fn edited(&self, from: u64, to: u64) -> Vec<(u64, &Vec<Edits>)> {
        let mut found = Vec::new();
        let mut until = u64::MAX;
        for (track, _) in self.lineage() {
            let low = track.parent.map_or(Bound::Unbounded, |(_, tick)| Bound::Excluded(tick));
            if from <= to.min(until) {
                let own = track.edits.range((low, Bound::Included(to.min(until))));
                found.extend(own.map(|(tick, edits)| (*tick, edits)).filter(|(tick, _)| *tick >= from));
            }
            until = track.parent.map_or(0, |(_, tick)| tick.min(until));
        }
        found.sort_unstable_by_key(|(tick, _)| *tick);
        found
    }

    pub fn add_edits(&mut self, tick: u64, edits: Edits) {
        self.bytes += edits.bytes();
        if let Some(track) = self.all.get_mut(&self.current) {
            track.edits.entry(tick).or_default().push(edits);
        }
    }

    /// Makes the current track last until a tick.
    pub fn extend_to(&mut self, end: u64) {
        if let Some(track) = self.all.get_mut(&self.current) {
            track.end = track.end.max(end);
        }
    }

    /// The ticks of the keyframes of the current track, in order.
    pub fn keyframe_ticks(&self) -> Vec<u64> {
        let mut ticks = Vec::new();
        for (track, until) in self.lineage() {
            ticks.extend(track.keyframes.range(..=until).map(|(tick, _)| *tick));
        }
        ticks.sort_unstable();
        ticks.dedup();
        ticks
    }

    pub fn add_keyframe(&mut self, keyframe: Keyframe) {
        let tick = keyframe.moment.tick;
        self.bytes += keyframe.bytes_beside(self.keyframe(tick));
        // A tick up to the branch belongs to the parent.
        let mut id = self.current;
        while let Some((parent, from)) = self.all.get(&id).and_then(|track| track.parent)
            && tick <= from
        {
            id = parent;
        }
        if let Some(track) = self.all.get_mut(&id) {
            track.keyframes.insert(tick, keyframe);
        }
    }

    /// Drops keyframes until all fit into `memory` bytes: the farther from `cursor`, the wider the gaps. If that is not
    /// enough, the oldest part of the history goes.
    pub fn thin(&mut self, memory: usize, cursor: u64) {
        if self.bytes <= memory {
            return;
        }
        let target = memory - memory / 8;
        // The gap as a share of the distance, doubled until enough is free.
        let mut share = 1.0 / 256.0;
        while self.bytes > target && share <= 4.0 {
            for id in self.all.keys().copied().collect::<Vec<_>>() {
                self.thin_track(id, share, cursor);
            }
            share *= 2.0;
        }
        while self.bytes > memory && self.drop_oldest(cursor) {}
    }

    fn thin_track(&mut self, id: u32, share: f64, cursor: u64) {
        let Some(track) = self.all.get_mut(&id) else { return };
        let ticks: Vec<u64> = track.keyframes.keys().copied().collect();
        let Some(mut kept) = ticks.first().copied() else { return };
        for pair in ticks[1..].windows(2) {
            let gap = (pair[1] - kept) as f64;
            if gap > share * pair[0].abs_diff(cursor) as f64 {
                kept = pair[0];
            } else if let Some(keyframe) = track.keyframes.remove(&pair[0]) {
                self.bytes -= keyframe.bytes_freed().min(self.bytes);
            }
        }
    }

    /// Drops everything before the second keyframe of the root track, if the world is not there. Tracks that branch
    /// off earlier go with it.
    fn drop_oldest(&mut self, cursor: u64) -> bool {
        let Some((&root, track)) = self.all.iter().find(|(_, track)| track.parent.is_none()) else { return false };
        let Some(&second) = track.keyframes.keys().nth(1).filter(|&&second| second <= cursor) else { return false };
        let branches_at = |track: &Track| track.parent.filter(|parent| parent.0 == root).map(|parent| parent.1);
        let lineage: Vec<u64> = self.lineage().filter_map(|(track, _)| branches_at(track)).collect();
        if lineage.iter().any(|&from| from < second) {
            return false;
        }
        while let Some(id) =
            self.all.iter().find(|(_, it)| branches_at(it).is_some_and(|from| from < second)).map(|it| *it.0)
        {
            self.remove_with_branches(id);
        }
        let Some(track) = self.all.get_mut(&root) else { return false };
        let later = track.edits.split_off(&(second + 1));
        let edits = std::mem::replace(&mut track.edits, later);
        let first = track.keyframes.pop_first();
        self.bytes -= first.map_or(0, |(_, keyframe)| keyframe.bytes_freed()).min(self.bytes);
        self.bytes -= edits.values().flatten().map(Edits::bytes).sum::<usize>().min(self.bytes);
        true
    }

    fn remove_with_branches(&mut self, id: u32) {
        while let Some(branch) =
            self.all.iter().find(|(_, it)| it.parent.is_some_and(|parent| parent.0 == id)).map(|it| *it.0)
        {
            self.remove_with_branches(branch);
        }
        self.remove(id);
    }
}
