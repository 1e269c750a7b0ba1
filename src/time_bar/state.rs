//! The state of the bar, and what a person can ask of it with a key or a button.

use bevy::prelude::*;
use tr::tr;

use crate::{
    games::plugin::CurrentMatch,
    input::EditLock,
    notice::Notices,
    shell::Overlays,
    timeline::{History, Playback, TrackId},
    view::Covered,
};

/// A moment with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeBookmark {
    /// Its track.
    pub track: TrackId,
    /// Its tick.
    pub tick: u64,
    /// Its name.
    pub name: String,
}

/// The time bar, and what is compared. A new scene clears all except what is shown.
#[derive(Resource, Clone, Debug)]
pub struct TimeBar {
    /// Whether the bar is shown. Default: `None`, as long as the panel is wanted.
    pub shown: Option<bool>,
    /// Whether the discs of the other track are drawn. Default: yes.
    pub ghosts: bool,
    /// The track that the current one is compared with. Default: `None`, the one that was left last.
    pub other: Option<TrackId>,
    /// The bookmarks, in the order in which they were set.
    pub bookmarks: Vec<TimeBookmark>,
    /// The number of bookmarks that were ever set, for their names.
    pub(super) named: usize,
    /// The run up to the next hit, if one is under way.
    pub(super) to_hit: Option<ToHit>,
    /// While time is held by a drag or a rewind: whether it ran before.
    pub(super) held: Option<bool>,
    /// The ticks that a rewind goes back, while its key or button is held.
    pub(super) rewind: Option<Rewind>,
    /// Whether the rewind button was held in the last frame.
    pub(super) rewind_button: bool,
    /// The track of the last frame, and the one before it.
    pub(super) track: Option<TrackId>,
    pub(super) left: Option<TrackId>,
}

impl Default for TimeBar {
    fn default() -> Self {
        Self {
            shown: None,
            ghosts: true,
            other: None,
            bookmarks: Vec::new(),
            named: 0,
            to_hit: None,
            held: None,
            rewind: None,
            rewind_button: false,
            track: None,
            left: None,
        }
    }
}

/// A run that ends with the next hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ToHit {
    /// The disc whose hits count; `None` for all hits.
    pub of: Option<Entity>,
    /// The tick in which it began.
    pub from: u64,
}

/// A rewind under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rewind {
    /// The tick where it began.
    pub from: u64,
    /// How long it has lasted, real seconds.
    pub lasted: f32,
    /// The simulated seconds that it has gone back.
    pub seconds: f64,
}

/// What a person asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request {
    /// Pauses or resumes; ends a run to the next hit.
    Toggle,
    /// Goes to a tick. Time runs on from there if it runs.
    Seek(u64),
    /// The same while the bar is dragged: time waits until [`Request::Release`].
    Drag(u64),
    /// Ends a drag.
    Release,
    /// Pauses, and goes a tick back or forward.
    Tick { forward: bool },
    /// Pauses, and goes to the hit before or after, of a disc or of any.
    Hit { forward: bool, of: Option<Entity> },
    /// Changes to another track.
    Switch(TrackId),
    /// Sets a bookmark here.
    Bookmark,
    /// Goes to a tick of a track.
    Jump(TrackId, u64),
    /// Renames a bookmark.
    Rename(usize, String),
    /// Deletes a bookmark.
    Delete(usize),
    /// Shows or hides the bar.
    Show(bool),
}

/// Whether a person can go back in time: not in matches, on a page over the table, or while editing is locked.
pub(super) fn is_allowed(world: &World) -> bool {
    let covered = world.get_resource::<Covered>().is_some_and(|covered| covered.0);
    let locked = world.get_resource::<EditLock>().is_some_and(|lock| lock.0.is_some());
    !world.contains_resource::<CurrentMatch>() && !covered && !locked
}

impl TimeBar {
    /// Whether the bar is shown where it is allowed.
    #[must_use]
    pub fn is_shown(&self, overlays: &Overlays) -> bool {
        self.shown.unwrap_or(overlays.panel)
    }

    /// Whether the run goes back because a key or button is held, and the simulated seconds so far.
    #[must_use]
    pub fn rewound(&self) -> Option<f64> {
        self.rewind.map(|rewind| rewind.seconds)
    }

    /// The track to compare with: [`TimeBar::other`], or the one that was left last, if it exists and is not the
    /// current one. Otherwise the latest other track.
    #[must_use]
    pub fn compared(&self, history: &History) -> Option<TrackId> {
        let others: Vec<TrackId> = history.tracks().filter(|track| !track.is_current).map(|track| track.id).collect();
        let is_there = |track: &TrackId| others.contains(track);
        self.other.filter(is_there).or(self.left.filter(is_there)).or(others.last().copied())
    }

    /// Stops time until [`TimeBar::release`].
    pub(super) fn hold(&mut self, playback: &mut Playback) {
        if self.held.is_none() {
            self.held = Some(!playback.paused);
            (playback.paused, playback.pending_steps) = (true, 0);
        }
    }

    /// Lets time run again if it ran before.
    pub(super) fn release(&mut self, playback: &mut Playback) {
        if self.held.take() == Some(true) {
            playback.paused = false;
        }
    }

    /// Forgets what belongs to a scene.
    pub(super) fn forget(&mut self) {
        *self = Self { shown: self.shown, ghosts: self.ghosts, ..Self::default() };
    }
}

/// Does what was asked for.
pub(super) fn apply(world: &mut World, request: Request) {
    if !is_allowed(world) {
        return;
    }
    world.resource_scope(|world, mut bar: Mut<TimeBar>| {
        world.resource_scope(|world, mut history: Mut<History>| {
            let bar = &mut *bar;
            let mut playback = world.resource_mut::<Playback>();
            let mut pause = || (playback.paused, playback.pending_steps) = (true, 0);
            let tick = history.tick();
            let goes = |request: &Request| matches!(request, Request::Seek(_) | Request::Switch(_) | Request::Jump(..));
            if goes(&request) || matches!(request, Request::Tick { .. }) {
                bar.to_hit = None;
            }
            match request {
                Request::Toggle if bar.to_hit.is_some() => bar.to_hit = None,
                Request::Toggle => playback.toggle(),
                Request::Seek(tick) => history.seek(tick),
                Request::Drag(tick) => {
                    bar.to_hit = None;
                    bar.hold(&mut playback);
                    history.seek(tick);
                }
                Request::Release => bar.release(&mut playback),
                Request::Tick { forward: false } => {
                    pause();
                    let start = history.start();
                    history.seek(tick.saturating_sub(1).max(start));
                }
                Request::Tick { forward: true } => {
                    pause();
                    playback.step();
                }
                Request::Hit { forward: false, of } => {
                    pause();
                    bar.to_hit = None;
                    history.seek_previous_hit(of);
                }
                Request::Hit { forward: true, of } => {
                    pause();
                    bar.to_hit = Some(ToHit { of, from: tick });
                }
                Request::Switch(track) => history.switch(track),
                Request::Jump(track, tick) => history.go_to(track, tick),
                Request::Bookmark => {
                    if let Some(track) = history.current_track() {
                        bar.named += 1;
                        let name = tr!("Bookmark {}", bar.named);
                        bar.bookmarks.push(TimeBookmark { track, tick, name: name.clone() });
                        if let Some(mut notices) = world.get_resource_mut::<Notices>() {
                            notices.info(tr!("Set: {}", name));
                        }
                    }
                }
                Request::Rename(place, name) => {
                    if let Some(bookmark) = bar.bookmarks.get_mut(place) {
                        bookmark.name = name;
                    }
                }
                Request::Delete(place) => {
                    if place < bar.bookmarks.len() {
                        bar.bookmarks.remove(place);
                    }
                }
                Request::Show(shown) => bar.shown = Some(shown),
            }
        });
    });
}

/// Keeps the track that was left last.
pub(super) fn follow_tracks(history: Res<History>, mut bar: ResMut<TimeBar>) {
    let now = history.current_track();
    if now != bar.track {
        bar.left = bar.track;
        bar.track = now;
    }
    let is_there = |track: TrackId| history.tracks().any(|other| other.id == track);
    if !bar.bookmarks.iter().all(|bookmark| is_there(bookmark.track)) {
        bar.bookmarks.retain(|bookmark| is_there(bookmark.track));
    }
}
