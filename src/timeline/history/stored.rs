//! Reading the history without changing the world: what was edited, and the stored states of any track.

use std::time::Duration;

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use super::{
    History, TrackId,
    track::{Edits, Keyframe},
    tracked::{Column, ComponentEdits, Components},
};
use crate::{
    collision::{CollisionSettings, Periodic, PhysicsSpace, spin::TablePhysics},
    components::{Disc, InPocket, OffTable, Position, Radius, StableId, Velocity},
    motion::MotionSettings,
};

/// What an edit changed, as [`History::edits`] lists it. If it changed several things, the first of these counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditKind {
    /// Entities appeared or disappeared.
    Presence,
    /// Settings of the physics, or the tick rate.
    Setting,
    /// Velocities, such as those of a shot.
    Velocity,
    /// Anything else.
    Other,
}

impl EditKind {
    fn of(edits: &Edits) -> Self {
        let any = |is_it: fn(&Column) -> bool| edits.values.iter().any(|(_, edit)| is_it(edit));
        if !edits.appeared.is_empty() || !edits.disappeared.is_empty() {
            Self::Presence
        } else if any(is_setting) {
            Self::Setting
        } else if any(|edit| edit.get::<ComponentEdits<Velocity>>().is_some()) {
            Self::Velocity
        } else {
            Self::Other
        }
    }
}

fn is_setting(edit: &Column) -> bool {
    edit.get::<Option<CollisionSettings>>().is_some()
        || edit.get::<Option<MotionSettings>>().is_some()
        || edit.get::<Option<TablePhysics>>().is_some()
        || edit.get::<Option<Duration>>().is_some()
}

/// A disc in a [`StoredState`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredDisc {
    /// Its number. Entities can differ from track to track.
    pub id: StableId,
    /// The position of its centre, metres.
    pub position: Vec2,
    /// Its velocity, m/s.
    pub velocity: Vec2,
    /// Its radius, metres.
    pub radius: f32,
}

/// The discs of a [`StoredState`].
type InHistory = (With<Disc>, Without<InPocket>, Without<OffTable>);

/// The discs after a tick, as [`History::stored`] returns them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredState {
    /// The tick, before the edits that follow it.
    pub tick: u64,
    /// The number of hits since the scene started.
    pub collisions: u64,
    /// All discs that are not in pockets, by their numbers.
    pub discs: Vec<StoredDisc>,
    /// Which axes are periodic.
    pub periodic: Periodic,
}

/// Finds the values of a column. Columns mostly list the same entities in the same order.
struct Values<'a, C> {
    column: Option<&'a Components<C>>,
    next: usize,
    places: Option<EntityHashMap<usize>>,
}

impl<'a, C: 'static> Values<'a, C> {
    fn of(keyframe: &'a Keyframe) -> Self {
        Self { column: keyframe.columns.iter().find_map(Column::get), next: 0, places: None }
    }

    fn get(&mut self, entity: Entity) -> Option<&'a C> {
        let column = self.column?;
        if column.entities.get(self.next) != Some(&entity) {
            let places = self.places.get_or_insert_with(|| column.entities.iter().copied().zip(0..).collect());
            self.next = *places.get(&entity)?;
        }
        self.next += 1;
        column.values.get(self.next - 1)
    }
}

impl StoredState {
    /// The current discs of a world with the physics.
    #[must_use]
    pub fn of_world(world: &mut World) -> Self {
        let mut query = world.query_filtered::<(&StableId, &Position, &Velocity, &Radius), InHistory>();
        let disc = |(id, position, velocity, radius): (&StableId, &Position, &Velocity, &Radius)| StoredDisc {
            id: *id,
            position: position.0,
            velocity: velocity.0,
            radius: radius.0,
        };
        let mut discs: Vec<StoredDisc> = query.iter(world).map(disc).collect();
        discs.sort_unstable_by_key(|disc| disc.id);
        let PhysicsSpace { clock, report, .. } = world.resource::<PhysicsSpace>();
        let (tick, collisions) = (clock.tick, report.collisions);
        Self { tick, collisions, discs, periodic: world.resource::<CollisionSettings>().periodic }
    }

    fn of(keyframe: &Keyframe) -> Self {
        let discs = Values::<Disc>::of(keyframe).column.map(|discs| discs.entities.clone()).unwrap_or_default();
        let (mut ids, mut positions) = (Values::<StableId>::of(keyframe), Values::<Position>::of(keyframe));
        let (mut velocities, mut radii) = (Values::<Velocity>::of(keyframe), Values::<Radius>::of(keyframe));
        let (mut fallen, mut left) = (Values::<InPocket>::of(keyframe), Values::<OffTable>::of(keyframe));
        let mut found: Vec<StoredDisc> = { discs.iter() }
            .filter(|&&disc| fallen.get(disc).is_none() && left.get(disc).is_none())
            .filter_map(|&disc| {
                Some(StoredDisc {
                    id: *ids.get(disc)?,
                    position: positions.get(disc)?.0,
                    velocity: velocities.get(disc).map_or(Vec2::ZERO, |velocity| velocity.0),
                    radius: radii.get(disc)?.0,
                })
            })
            .collect();
        found.sort_unstable_by_key(|disc| disc.id);
        let settings = keyframe.columns.iter().find_map(Column::get::<Option<CollisionSettings>>);
        let periodic = settings.and_then(|settings| Some(settings.as_ref()?.periodic)).unwrap_or_default();
        Self { tick: keyframe.moment.tick, collisions: keyframe.moment.collisions, discs: found, periodic }
    }
}

impl History {
    /// The edits on the current track in a range of ticks, in order: the tick that follows each, and what it changed.
    #[must_use]
    pub fn edits(&self, from: u64, to: u64) -> Vec<(u64, EditKind)> {
        let edits = self.tracks.edited(from, to).into_iter();
        edits.flat_map(|(tick, edits)| edits.iter().map(move |edits| (tick, EditKind::of(edits)))).collect()
    }

    /// The last stored state of a track at or before a tick, or `None` if there is none or the track is unknown. It
    /// copies what was stored, and neither replays nor changes anything. States are stored after every tick in small
    /// scenes, and after up to 64 ticks in large ones; old ones are thinned out. The cost is that of a sort of all
    /// discs.
    #[must_use]
    pub fn stored(&self, track: TrackId, tick: u64) -> Option<StoredState> {
        self.tracks.keyframe_on(track.0, tick).map(StoredState::of)
    }

    /// The tick of the state that [`History::stored`] would return.
    #[must_use]
    pub fn stored_tick(&self, track: TrackId, tick: u64) -> Option<u64> {
        self.tracks.keyframe_on(track.0, tick).map(|keyframe| keyframe.moment.tick)
    }

    /// The ticks for which states of both tracks are stored, after the last one that the tracks share.
    #[must_use]
    pub fn stored_on_both(&self, a: TrackId, b: TrackId) -> Vec<u64> {
        let Some(fork) = self.last_shared(a, b) else { return Vec::new() };
        let ticks = |track: TrackId| {
            let lineage = self.tracks.lineage_of(track.0);
            let ticks = lineage.flat_map(|(_, track, until)| track.keyframes.range(..=until).map(|(tick, _)| *tick));
            let mut ticks: Vec<u64> = ticks.filter(|tick| *tick > fork).collect();
            ticks.sort_unstable();
            ticks
        };
        let of_b = ticks(b);
        ticks(a).into_iter().filter(|tick| of_b.binary_search(tick).is_ok()).collect()
    }

    /// The last tick that two tracks share, or `None` if one is unknown or they share none.
    #[must_use]
    pub fn last_shared(&self, a: TrackId, b: TrackId) -> Option<u64> {
        let of_b: Vec<(u32, u64)> = self.tracks.lineage_of(b.0).map(|(id, _, until)| (id, until)).collect();
        self.tracks.lineage_of(a.0).find_map(|(id, track, until)| {
            let &(_, other) = of_b.iter().find(|(other, _)| *other == id)?;
            Some(until.min(other).min(track.end))
        })
    }

    /// The track of the run, or `None` before the first tick.
    #[must_use]
    pub fn current_track(&self) -> Option<TrackId> {
        self.tracks.all.contains_key(&self.tracks.current).then_some(TrackId(self.tracks.current))
    }

    /// Whether a tick of a track is one of the current track.
    #[must_use]
    pub fn leads_through(&self, track: TrackId, tick: u64) -> bool {
        let mut lineage = self.tracks.lineage_of(self.tracks.current);
        tick <= self.end() && lineage.any(|(id, _, until)| id == track.0 && tick <= until)
    }

    /// Whether a tick of a track is in the past of the run, or is where it is.
    #[must_use]
    pub fn has_passed(&self, track: TrackId, tick: u64) -> bool {
        tick <= self.cursor && self.leads_through(track, tick)
    }

    /// Asks for a tick of a track, as [`History::switch`] and [`History::seek`] do. The track changes only if the tick
    /// is not one of the current track.
    pub fn go_to(&mut self, track: TrackId, tick: u64) {
        if !self.leads_through(track, tick) {
            self.switch(track);
        }
        self.seek(tick);
    }
}
