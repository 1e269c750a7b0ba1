//! The recorder: variables of discs, terrain and the whole table, against the time or against each other.
//!
//! Add the [`RecorderPlugin`], and tell the [`Recorder`] what to record:
//!
//! ```
//! # use bevy::prelude::*;
//! # use carom::{prelude::*, timeline::advance};
//! use carom::laboratory::{Channel, Graph, Memory, Recorder, RecorderPlugin, Subject, Variable};
//!
//! # let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), RecorderPlugin));
//! app.world_mut().spawn((Disc, StableId(1), Velocity(vec2(3.0, 4.0))));
//! let speed = Graph::over_time(Channel::new(Subject::Disc(1), Variable::Speed));
//! let id = app.world_mut().resource_mut::<Recorder>().record(speed, Memory::default());
//! advance(app.world_mut(), 10);
//! let recorder = app.world().resource::<Recorder>();
//! assert!(recorder.get(id).unwrap().samples().all(|sample| sample.y == 5.0));
//! ```
//!
//! # Time
//! A sample is taken after each tick. If the run goes back, by a seek of its [`History`](crate::timeline::History) or
//! because a scene restarts, later samples are dropped.
//!
//! # Memory
//! Each graph has a bounded [`Memory`]. By default it keeps the whole run: when it is full, neighbours are merged, and
//! the spacing of the samples doubles. A merged sample keeps the smallest and the largest value.
//!
//! # Cost
//! Nothing while nothing is recorded. A variable of a disc takes some nanoseconds per tick. A variable of hits takes a
//! pass over the hits of the tick. A variable of the table takes a pass over all discs: about 1 ns per disc, or 0.1 ms
//! for 100,000. [`Recorder::cost`] measures it.

mod series;
mod values;
mod variable;

use std::time::Duration;

use bevy::{
    platform::{collections::HashMap, time::Instant},
    prelude::*,
};

use series::Series;
pub use series::{Between, Memory, Sample};
use values::{Blocks, Found, Look};
pub use variable::{Channel, Graph, Subject, SubjectKind, VARIABLES, Variable, VariableInfo};

use super::report::report_all_hits_if;
use crate::{
    collision::{HitTarget, PhysicsSpace, SimulationSystems, require_physics, tick_schedule},
    components::StableId,
    timeline::ticked,
};

/// The weight of a new tick in the smoothed cost.
const SMOOTHING: f64 = 0.05;

/// A recorded graph. Numbers are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordingId(u32);

/// The samples of a graph.
#[derive(Clone, Debug)]
pub struct Recording {
    graph: Graph,
    series: Series,
}

impl Recording {
    fn new(graph: Graph, memory: Memory) -> Self {
        Self { graph, series: Series::new(memory, graph.y.variable.info().is_rate) }
    }

    /// What is recorded.
    #[must_use]
    pub fn graph(&self) -> Graph {
        self.graph
    }

    /// The samples, oldest first.
    #[must_use]
    pub fn samples(&self) -> impl ExactSizeIterator<Item = &Sample> {
        self.series.samples().iter()
    }

    /// The smallest time between two samples, seconds. It is zero until samples are merged, and then doubles.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.series.spacing()
    }

    /// The last sample at or before a time, seconds.
    #[must_use]
    pub fn at(&self, time: f64) -> Option<&Sample> {
        self.series.samples().get(self.series.index_at(time)?)
    }

    /// The figures of the vertical axis between two times, seconds, in either order; `None` without a sample there.
    #[must_use]
    pub fn between(&self, a: f64, b: f64) -> Option<Between> {
        self.series.between(a.min(b), a.max(b))
    }
}

/// Records graphs after each tick: see [the module](self). It needs the [`RecorderPlugin`].
#[derive(Resource, Default)]
pub struct Recorder {
    recordings: Vec<(RecordingId, Recording)>,
    next: u32,
    /// The last tick that was seen, and its time, seconds.
    tick: u64,
    time: f64,
    /// The followed disc and piece of terrain.
    followed: [Option<u64>; 2],
    /// Pieces of terrain that were found.
    terrain: HashMap<u64, Entity>,
    /// The hits between discs, while a graph needs them.
    disc_hits: Option<Series>,
    /// Smoothed, seconds.
    cost: f64,
}

impl Recorder {
    /// Starts to record a graph.
    pub fn record(&mut self, graph: Graph, memory: Memory) -> RecordingId {
        let id = RecordingId(self.next);
        self.next += 1;
        self.recordings.push((id, Recording::new(graph, memory)));
        id
    }

    /// Stops a recording and forgets its samples.
    pub fn remove(&mut self, id: RecordingId) {
        self.recordings.retain(|(other, _)| *other != id);
    }

    /// A recording; `None` if it was removed.
    #[must_use]
    pub fn get(&self, id: RecordingId) -> Option<&Recording> {
        self.recordings.iter().find(|(other, _)| *other == id).map(|(_, recording)| recording)
    }

    /// Records another graph in place of an earlier one, from now on, with the same memory. The same graph changes
    /// nothing.
    pub fn change(&mut self, id: RecordingId, graph: Graph) {
        if let Some((_, recording)) = self.recordings.iter_mut().find(|(other, _)| *other == id)
            && recording.graph != graph
        {
            *recording = Recording::new(graph, recording.series.memory());
        }
    }

    /// Forgets the samples of a recording and continues to record.
    pub fn clear(&mut self, id: RecordingId) {
        if let Some((_, recording)) = self.recordings.iter_mut().find(|(other, _)| *other == id) {
            recording.series.clear();
        }
    }

    /// Sets the disc and the piece of terrain that [`Subject::FollowedDisc`] and [`Subject::FollowedTerrain`] mean, by
    /// their [`StableId`]. Their graphs restart when they change.
    pub fn follow(&mut self, disc: Option<u64>, terrain: Option<u64>) {
        let now = [disc, terrain];
        for (place, subject) in [Subject::FollowedDisc, Subject::FollowedTerrain].into_iter().enumerate() {
            // While nothing is selected, the last samples stay.
            if now[place].is_some() && now[place] != self.followed[place] {
                self.followed[place] = now[place];
                let is_of =
                    |recording: &Recording| recording.graph.channels().any(|channel| channel.subject == subject);
                for (_, recording) in self.recordings.iter_mut().filter(|(_, recording)| is_of(recording)) {
                    recording.series.clear();
                }
            }
        }
    }

    /// The disc and the piece of terrain that are followed.
    #[must_use]
    pub fn followed(&self) -> [Option<u64>; 2] {
        self.followed
    }

    /// The time after the last tick, seconds since the scene started.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The time that recording takes per tick, smoothed over about 20 ticks.
    #[must_use]
    pub fn cost(&self) -> Duration {
        Duration::from_secs_f64(self.cost)
    }

    fn is_recording(&self) -> bool {
        !self.recordings.is_empty()
    }

    fn any(&self, is_it: fn(Variable) -> bool) -> bool {
        let mut channels = self.recordings.iter().flat_map(|(_, recording)| recording.graph.channels());
        channels.any(|channel| is_it(channel.variable))
    }

    /// Goes to a tick. If it is not later than the last one, later samples are dropped.
    fn go_to(&mut self, tick: u64, seconds: f64) {
        self.time = seconds;
        if tick <= self.tick {
            let last = tick.saturating_sub(1);
            self.cut(last);
        }
        self.tick = tick;
    }

    /// Drops what was recorded after a tick.
    fn cut(&mut self, tick: u64) {
        let series = self.recordings.iter_mut().map(|(_, recording)| &mut recording.series);
        for series in series.chain(&mut self.disc_hits) {
            series.cut(tick);
            if series.samples().is_empty() {
                series.clear();
            }
        }
    }

    fn observe(&mut self, world: &mut World) {
        let start = Instant::now();
        let space = world.resource::<PhysicsSpace>();
        let (tick, gravity) = (space.clock.tick, space.laws.gravity);
        self.go_to(tick, space.clock.seconds);
        self.count_hits(space);
        let blocks = if self.any(Variable::needs_blocks) { Blocks::of(world, gravity) } else { Blocks::default() };
        self.find_terrain(world);
        let space = world.resource::<PhysicsSpace>();
        let disc_hits = self.disc_hits.as_ref().and_then(|hits| hits.samples().back()).map_or(0.0, |last| last.high);
        let look = Look { world, space, blocks, disc_hits };
        let (time, followed, terrain) = (self.time, self.followed, &self.terrain);
        // Channels are often shared.
        let mut known: Vec<(Channel, Option<f64>)> = Vec::new();
        let mut value = |channel: Channel| {
            if let Some((_, value)) = known.iter().find(|(other, _)| *other == channel) {
                return *value;
            }
            let found = match values::meant(channel, followed)? {
                Subject::Disc(id) => Found::Disc(values::disc_of(space, id)?),
                Subject::Terrain(id) => Found::Terrain(*terrain.get(&id)?),
                _ => Found::Table,
            };
            let value = look.value(found, channel.variable);
            known.push((channel, value));
            value
        };
        for (_, recording) in self.recordings.iter_mut().filter(|(_, recording)| recording.series.wants(time)) {
            let Graph { x, y } = recording.graph;
            if let (Some(x), Some(y)) = (x.map_or(Some(time), &mut value), value(y)) {
                recording.series.add(tick, time, [x, y]);
            }
        }
        let cost = start.elapsed().as_secs_f64();
        self.cost = if self.cost == 0.0 { cost } else { self.cost + SMOOTHING * (cost - self.cost) };
    }

    /// Counts the hits between discs.
    fn count_hits(&mut self, space: &PhysicsSpace) {
        if !self.any(|variable| variable == Variable::HitsPerDisc) {
            self.disc_hits = None;
            return;
        }
        let series = self.disc_hits.get_or_insert_with(|| Series::new(Memory::default(), false));
        let before = series.samples().back().map_or(0.0, |last| last.high);
        let hits = space.report.hits.iter().filter(|hit| matches!(hit.target, HitTarget::Disc(_))).count();
        let now = before + hits as f64;
        series.add(self.tick, self.time, [self.time, now]);
    }

    /// Finds the pieces of terrain that graphs are about.
    fn find_terrain(&mut self, world: &mut World) {
        let followed = self.followed;
        let channels = self.recordings.iter().flat_map(|(_, recording)| recording.graph.channels());
        let wanted = channels.filter_map(|channel| match values::meant(channel, followed)? {
            Subject::Terrain(id) => Some(id),
            _ => None,
        });
        for id in wanted {
            let is_there = |piece: &Entity| world.get::<StableId>(*piece).is_some_and(|stable| stable.0 == id);
            if !self.terrain.get(&id).is_some_and(is_there) {
                match values::terrain_of(world, id) {
                    Some(piece) => _ = self.terrain.insert(id, piece),
                    None => _ = self.terrain.remove(&id),
                }
            }
        }
    }
}

/// Adds the resource [`Recorder`]. While a graph needs hits, the space reports every hit, however slow; messages still
/// follow [`report_above`](crate::collision::CollisionSettings::report_above).
///
/// It needs [`PhysicsPlugins`](crate::PhysicsPlugins).
pub struct RecorderPlugin;

impl Plugin for RecorderPlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        app.init_resource::<Recorder>()
            // It changes nothing, so its order among the readers of a tick does not matter.
            .add_systems(
                schedule,
                observe.after(SimulationSystems).ambiguous_with_all().run_if(is_recording.and_then(ticked)),
            )
            .add_systems(PostUpdate, follow_back.run_if(went_back));
        report_all_hits_if(app, needs_hits);
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

fn needs_hits(recorder: Res<Recorder>) -> bool {
    recorder.any(Variable::needs_hits)
}

fn is_recording(recorder: Res<Recorder>) -> bool {
    recorder.is_recording()
}

fn went_back(recorder: Res<Recorder>, space: Res<PhysicsSpace>) -> bool {
    space.clock.tick < recorder.tick
}

/// Drops later samples at once when the run went back, even if it is paused.
fn follow_back(mut recorder: ResMut<Recorder>, space: Res<PhysicsSpace>) {
    let tick = space.clock.tick;
    recorder.go_to(tick + 1, space.clock.seconds);
    recorder.tick = tick;
}

fn observe(world: &mut World) {
    world.resource_scope(|world, mut recorder: Mut<Recorder>| recorder.observe(world));
}

#[cfg(test)]
mod tests;
