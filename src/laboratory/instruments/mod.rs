//! Instruments that a person places on the table: stopwatches, photogates, force gauges, tracers, counters, and centres
//! of mass. They watch the simulation and change nothing.
//!
//! [`Instruments`] is the list of those on the table, which scene files contain. [`InstrumentRecords`] is what they
//! have measured. Both belong to the [history](crate::timeline::history), so after a seek the instruments show what
//! they showed then.
//!
//! ```
//! # use bevy::prelude::*;
//! use carom::{laboratory::{LaboratoryPlugin, instruments::{Instrument, InstrumentRecords, Instruments, Photogate}}};
//! use carom::{prelude::*, timeline::advance};
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), LaboratoryPlugin));
//! app.world_mut().spawn((Disc, Position(vec2(-1.0, 0.0)), Velocity(vec2(2.0, 0.0))));
//! let gate = Instrument::new("gate", Vec2::ZERO, Photogate::default());
//! app.world_mut().insert_resource(Instruments(vec![gate]));
//! advance(app.world_mut(), 64);
//! let readings = app.world().resource::<InstrumentRecords>().readings(app.world().resource::<Instruments>(), 0);
//! assert_eq!(readings[0].value, Some(1.0), "a passage");
//! assert!((readings[1].value.unwrap() - 0.5).abs() < 1e-6, "after half a second");
//! assert!((readings[3].value.unwrap() - 2.0).abs() < 1e-5, "at 2 m/s");
//! ```
//!
//! # Time
//! Times are simulated seconds since the scene started. Within a tick they are interpolated along the straight path of
//! a disc.
//!
//! # Costs
//! Without instruments, one addition per tick. A photogate or a tracer copies the positions of all discs once per
//! substep, and a photogate compares each of them with its line. All others take time in proportion to the hits.

mod centre_of_mass;
mod counter;
mod event;
mod force_gauge;
mod log;
mod moment;
mod photogate;
mod stopwatch;
#[cfg(test)]
mod tests;
mod tracer;
mod trail;

use std::{collections::BTreeSet, sync::Arc};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

pub use centre_of_mass::{Centre, CentreMotion, CentreOfMass};
pub use counter::{Count, Counter};
pub use event::InstrumentEvent;
pub use force_gauge::{Force, ForceGauge, Impulses};
pub use log::Log;
pub use moment::Passage;
pub use moment::{InstrumentMoment, Leg};
pub use photogate::{Passages, Photogate};
pub use stopwatch::{Stopwatch, Times};
pub use tracer::{Traced, Tracer};
pub use trail::Trail;

use crate::{
    collision::{CollisionSettings, PhysicsSchedule, PhysicsSpace, Substep, SubstepSystems, TickSystems},
    components::{InvalidValue, StableId, Terrain, is_within_limit},
    timeline::{HistoryAppExt, Playback},
};
use moment::Samples;

/// The most instruments on a table.
pub const MOST_INSTRUMENTS: usize = 64;

/// Something that an instrument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference<'a> {
    /// The [`StableId`] of a disc or a piece of terrain.
    Body(u64),
    /// The name of a photogate.
    Photogate(&'a str),
}

/// A kind of instrument: what it is set to, what it keeps, and how it measures.
trait Measures {
    /// What it has measured.
    type Record: Clone + Default + PartialEq;

    /// Its displayed name.
    const NAME: &'static str;

    /// Checks its values.
    fn check(&self) -> Result<(), InvalidValue> {
        Ok(())
    }

    /// Takes in a tick. The instrument is at this place (metres) and has this name.
    fn observe(&self, at: Vec2, name: &str, record: &mut Self::Record, moment: &InstrumentMoment);

    /// What it shows at this time, seconds of the clock of the instruments.
    fn readings(&self, record: &Self::Record, now: f64) -> Vec<InstrumentReading>;

    /// Whether it needs every hit, however slow.
    fn needs_all_hits(&self) -> bool {
        false
    }

    /// What it names: discs, terrain, photogates.
    fn refers_to(&self) -> Vec<Reference<'_>> {
        Vec::new()
    }

    /// Another instrument got a new name.
    fn renamed(&mut self, old: &str, new: &str) {
        let _ = (old, new);
    }
}

/// The kinds of instruments, each with its record: one line for each.
macro_rules! instruments {
    ($($kind:ident, $record:ty, $about:literal;)*) => {
        /// The kind of an instrument, with its settings.
        #[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum InstrumentKind {
            $(#[doc = $about] $kind($kind),)*
        }

        /// What an instrument has measured.
        #[derive(Clone, Debug, PartialEq)]
        pub enum InstrumentRecord {
            $(#[doc = concat!("Of a `", stringify!($kind), "`.")] $kind($record),)*
        }

        $(impl From<$kind> for InstrumentKind {
            fn from(kind: $kind) -> Self {
                Self::$kind(kind)
            }
        })*

        impl InstrumentKind {
            /// Its displayed name, in English, marked for translation.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $kind::NAME,)*
                }
            }

            /// Checks its values.
            ///
            /// # Errors
            /// The first value out of range, with the range.
            pub fn check(&self) -> Result<(), InvalidValue> {
                match self {
                    $(Self::$kind(kind) => kind.check(),)*
                }
            }

            fn new_record(&self) -> InstrumentRecord {
                match self {
                    $(Self::$kind(_) => InstrumentRecord::$kind(<$record>::default()),)*
                }
            }

            fn observe(&self, at: Vec2, name: &str, record: &mut InstrumentRecord, moment: &InstrumentMoment) {
                match (self, record) {
                    $((Self::$kind(kind), InstrumentRecord::$kind(record)) => kind.observe(at, name, record, moment),)*
                    _ => {}
                }
            }

            fn readings(&self, record: &InstrumentRecord, now: f64) -> Vec<InstrumentReading> {
                match (self, record) {
                    $((Self::$kind(kind), InstrumentRecord::$kind(record)) => kind.readings(record, now),)*
                    _ => Vec::new(),
                }
            }

            fn needs_all_hits(&self) -> bool {
                match self {
                    $(Self::$kind(kind) => kind.needs_all_hits(),)*
                }
            }

            fn refers_to(&self) -> Vec<Reference<'_>> {
                match self {
                    $(Self::$kind(kind) => kind.refers_to(),)*
                }
            }

            fn renamed(&mut self, old: &str, new: &str) {
                match self {
                    $(Self::$kind(kind) => kind.renamed(old, new),)*
                }
            }
        }
    };
}

instruments! {
    Stopwatch, Times, "A stopwatch that events start and stop.";
    Photogate, Passages, "A line that counts the discs which cross it.";
    ForceGauge, Impulses, "The force of the hits on a piece of terrain.";
    Tracer, Traced, "The path of a disc.";
    Counter, Count, "A counter of events.";
    CentreOfMass, CentreMotion, "The centre of mass of some discs.";
}

impl InstrumentKind {
    /// Whether it follows the paths of discs within a tick.
    fn needs_paths(&self) -> bool {
        matches!(self, Self::Photogate(_) | Self::Tracer(_))
    }
}

/// An instrument on the table.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instrument {
    /// Its name, which no other instrument of the table has. Stopwatches and counters find a photogate by it.
    pub name: String,
    /// Where it is, metres. A photogate measures there; for others it is the place of their display. Default: zero.
    #[serde(default)]
    pub position: Vec2,
    /// What it is.
    pub kind: InstrumentKind,
}

impl Instrument {
    /// An instrument with this name at this place, metres.
    #[must_use]
    pub fn new(name: impl Into<String>, position: Vec2, kind: impl Into<InstrumentKind>) -> Self {
        Self { name: name.into(), position, kind: kind.into() }
    }
}

/// The instruments on the table. Scene files contain them. Their names differ.
#[derive(Resource, Reflect, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Resource, Default)]
pub struct Instruments(pub Vec<Instrument>);

impl Instruments {
    /// Checks all of them.
    ///
    /// # Errors
    /// The first invalid value, such as a name that is used twice.
    pub fn check(instruments: &[Instrument]) -> Result<(), InvalidValue> {
        if instruments.len() > MOST_INSTRUMENTS {
            let problem = format!("there are {}; a table can hold {MOST_INSTRUMENTS}", instruments.len());
            return Err(InvalidValue::without_value("instruments", problem));
        }
        let mut names = BTreeSet::new();
        for (i, Instrument { name, position, kind }) in instruments.iter().enumerate() {
            let at = |invalid: InvalidValue| invalid.of(&format!("instruments[{i}]"));
            if name.is_empty() || !names.insert(name) {
                let remedy = "give each instrument another name";
                return Err(at(InvalidValue::new("name", format!("`{name}`"), remedy)));
            }
            if !is_within_limit(*position) {
                return Err(at(InvalidValue::new("position", *position, "set it within 1e12 m")));
            }
            kind.check().map_err(|invalid| at(invalid.of("kind")))?;
        }
        Ok(())
    }

    /// A line for each instrument that names a body or a photogate which is not there. `is_there` knows the bodies by
    /// their [`StableId`]s.
    #[must_use]
    pub fn warnings(instruments: &[Instrument], is_there: impl Fn(u64) -> bool) -> Vec<String> {
        let is_gate = |gate: &str| {
            instruments.iter().any(|it| it.name == gate && matches!(it.kind, InstrumentKind::Photogate(_)))
        };
        let warning = |instrument: &Instrument| {
            let missing = instrument.kind.refers_to().into_iter().find_map(|reference| match reference {
                Reference::Body(id) => (!is_there(id)).then(|| format!("no disc or terrain has the id {id}")),
                Reference::Photogate(gate) => (!is_gate(gate)).then(|| format!("no photogate has the name `{gate}`")),
            })?;
            Some(format!("the instrument `{}` measures nothing: {missing}", instrument.name))
        };
        instruments.iter().filter_map(warning).collect()
    }

    /// The name, or if another instrument has it, the name with a number.
    #[must_use]
    pub fn free_name(&self, name: &str) -> String {
        let is_free = |name: &str| self.iter().all(|other| other.name != name);
        let numbered = (2..).map(|number: u32| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !name.is_empty() && is_free(name)).unwrap_or_default()
    }

    /// Gives an instrument another name, here and in what refers to it. Returns whether the name is free.
    pub fn rename(&mut self, index: usize, name: &str) -> bool {
        if name.is_empty() || self.iter().any(|other| other.name == name) {
            return false;
        }
        let Some(instrument) = self.get_mut(index) else { return false };
        let old = std::mem::replace(&mut instrument.name, name.to_owned());
        self.iter_mut().for_each(|other| other.kind.renamed(&old, name));
        true
    }

    fn need_paths(&self) -> bool {
        self.iter().any(|instrument| instrument.kind.needs_paths())
    }
}

/// A value that an instrument shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstrumentReading {
    /// What it is, in English, marked for translation.
    pub name: &'static str,
    /// The value; `None` if nothing has been measured yet.
    pub value: Option<f64>,
    /// Its standard error, if it has one.
    pub error: Option<f64>,
    /// Its unit; empty for a whole number.
    pub unit: &'static str,
}

impl InstrumentReading {
    fn new(name: &'static str, value: Option<f64>, unit: &'static str) -> Self {
        Self { name, value, error: None, unit }
    }

    fn count(name: &'static str, count: u64) -> Self {
        Self::new(name, Some(count as f64), "")
    }
}

/// What the instruments have measured.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct InstrumentRecords {
    /// The simulated time since the scene started, seconds.
    seconds: f64,
    /// In the order of the instruments.
    entries: Vec<Arc<Entry>>,
}

/// What one instrument has measured with these settings.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    kind: InstrumentKind,
    record: InstrumentRecord,
}

impl InstrumentRecords {
    /// The clock of the instruments: simulated seconds since the scene started.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// What an instrument has measured. `None` if it was placed, or its settings changed, after the last tick.
    #[must_use]
    pub fn record(&self, instruments: &Instruments, index: usize) -> Option<&InstrumentRecord> {
        let entry = self.entries.get(index)?;
        (entry.kind == instruments.get(index)?.kind).then_some(&entry.record)
    }

    /// What an instrument shows.
    #[must_use]
    pub fn readings(&self, instruments: &Instruments, index: usize) -> Vec<InstrumentReading> {
        let Some(Instrument { kind, .. }) = instruments.get(index) else { return Vec::new() };
        match self.record(instruments, index) {
            Some(record) => kind.readings(record, self.seconds),
            None => kind.readings(&kind.new_record(), self.seconds),
        }
    }

    /// Forgets what an instrument has measured. It restarts with the next tick.
    pub fn reset(&mut self, index: usize) {
        if let Some(entry) = self.entries.get_mut(index) {
            let kind = entry.kind.clone();
            *entry = Arc::new(Entry { record: kind.new_record(), kind });
        }
    }

    /// Makes one entry for each instrument. An instrument whose settings have changed restarts. Others keep their
    /// records.
    fn follow(&mut self, instruments: &Instruments) {
        let is_same = self.entries.len() == instruments.len()
            && self.entries.iter().zip(instruments.iter()).all(|(entry, instrument)| entry.kind == instrument.kind);
        if is_same {
            return;
        }
        let mut old = std::mem::take(&mut self.entries);
        for Instrument { kind, .. } in instruments.iter() {
            self.entries.push(match old.iter().position(|entry| entry.kind == *kind) {
                Some(same) => old.remove(same),
                None => Arc::new(Entry { kind: kind.clone(), record: kind.new_record() }),
            });
        }
    }
}

/// The ticks after which the run was paused.
#[derive(Resource, Debug, Default)]
struct Pauses(BTreeSet<u64>);

/// The most pauses that are remembered.
const MOST_PAUSES: usize = 10_000;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<Instruments>()
        .init_resource::<Instruments>()
        .init_resource::<InstrumentRecords>()
        .init_resource::<Samples>()
        .init_resource::<Pauses>()
        .track_resource::<Instruments>()
        .track_resource::<InstrumentRecords>()
        .add_systems(
            PhysicsSchedule,
            (
                begin.after(TickSystems::BroadPhase).before(TickSystems::Substeps).run_if(are_there),
                observe.after(TickSystems::Report),
            ),
        )
        .add_systems(
            Substep,
            (
                sample.before(SubstepSystems::Forces),
                sample.after(SubstepSystems::Motion).before(SubstepSystems::Settle),
            )
                .run_if(need_paths),
        )
        .add_systems(PostUpdate, note_pause.run_if(resource_exists::<Playback>));
}

/// Whether any instrument needs the slow hits, too.
pub(super) fn need_all_hits(instruments: Res<Instruments>) -> bool {
    instruments.iter().any(|instrument| instrument.kind.needs_all_hits())
}

fn are_there(instruments: Res<Instruments>) -> bool {
    !instruments.is_empty()
}

fn need_paths(instruments: Res<Instruments>) -> bool {
    instruments.need_paths()
}

fn begin(mut samples: ResMut<Samples>, space: Res<PhysicsSpace>) {
    samples.begin(&space);
}

fn sample(mut samples: ResMut<Samples>, space: Res<PhysicsSpace>) {
    samples.take(&space);
}

fn note_pause(mut pauses: ResMut<Pauses>, mut was: Local<bool>, playback: Res<Playback>, space: Res<PhysicsSpace>) {
    if playback.paused && !std::mem::replace(&mut *was, playback.paused) {
        pauses.0.insert(space.clock.tick);
        if pauses.0.len() > MOST_PAUSES {
            pauses.0.pop_first();
        }
    } else {
        *was = playback.paused;
    }
}

fn observe(
    (mut records, mut pauses): (ResMut<InstrumentRecords>, ResMut<Pauses>),
    (instruments, samples, space): (Res<Instruments>, Res<Samples>, Res<PhysicsSpace>),
    settings: Res<CollisionSettings>,
    terrain: Query<(&StableId, &Terrain)>,
) {
    if space.clock.tick == 1 {
        // A scene has started.
        *records = InstrumentRecords::default();
        pauses.0.retain(|&tick| tick == 0);
    }
    let start = records.seconds;
    records.seconds += f64::from(space.clock.time_step);
    records.follow(&instruments);
    if instruments.is_empty() {
        return;
    }
    let id_of = |entity| terrain.get(entity).ok().map(|(id, _)| id.0);
    let length_of = |wanted| {
        let found = terrain.iter().find(|(id, _)| id.0 == wanted);
        found.map(|(_, terrain)| force_gauge::outline_length(terrain))
    };
    let mut vertices = if instruments.need_paths() { space.report.path_vertices.clone() } else { Vec::new() };
    // The sort is stable: they are in the order of time.
    vertices.sort_by_key(|vertex| vertex.disc);
    let mut moment = InstrumentMoment {
        space: &space,
        start,
        follows_a_pause: pauses.0.contains(&(space.clock.tick - 1)),
        report_above: settings.in_range().report_above,
        samples: &samples,
        vertices,
        id_of: &id_of,
        length_of: &length_of,
        passages: Vec::new(),
    };
    for Instrument { name, position, kind } in instruments.iter() {
        if let InstrumentKind::Photogate(gate) = kind {
            let passages = gate.passages(*position, &moment);
            moment.passages.extend(passages.into_iter().map(|passage| (name.clone(), passage)));
        }
    }
    for (Instrument { name, position, kind }, entry) in instruments.iter().zip(&mut records.entries) {
        kind.observe(*position, name, &mut Arc::make_mut(entry).record, &moment);
    }
}
