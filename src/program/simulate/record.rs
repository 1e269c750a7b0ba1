//! What is written down while a run goes on: which discs fell into which pockets, and, if it is asked for, every event on a table.

use bevy::prelude::*;
use serde::Serialize;

use crate::{
    billiards::tables::{self, Part, build},
    collision::{
        Collider, CollisionSettings, Discs, Mode, Potted, Space, Tick,
        spin::{
            Motion, TablePhysics,
            events::{TableEvent, TableEventKind},
        },
    },
    disc::{Position, StableId},
    program::{decimals, strike::name},
    scene::{CueBall, DiscLook},
    terrain::{Pocket, Terrain},
};

/// What happened in a run.
#[derive(Resource, Default)]
pub(super) struct Record {
    /// Each disc that fell, when (seconds since the start), and how.
    potted: Vec<(f64, Potted)>,
    events: Vec<Event>,
    /// The jaw faces of the shipped tables.
    faces: Vec<Terrain>,
}

/// Lets an app keep a [`Record`].
pub(super) fn keep(app: &mut App) {
    app.init_resource::<Record>().add_systems(FixedPostUpdate, (write_potted, write_events).after(Tick));
}

/// When the tick began, seconds since the start.
fn tick_began(space: &Space) -> f64 {
    space.tick.saturating_sub(1) as f64 * f64::from(space.time_step)
}

fn write_potted(space: Res<Space>, mut potted: MessageReader<Potted>, mut record: ResMut<Record>) {
    record.potted.extend(potted.read().map(|fall| (tick_began(&space) + f64::from(fall.time), *fall)));
}

/// An event as it is written.
#[derive(Clone, Copy, Debug, Serialize)]
struct Event {
    time: f64,
    tick: u64,
    kind: &'static str,
    id: u64,
    other: Option<u64>,
    position: [f64; 2],
    before: [f64; 5],
    after: [f64; 5],
}

const COLUMNS: [&str; 17] = [
    "time", "tick", "kind", "id", "other", "x", "y", "vx", "vy", "wx", "wy", "wz", "vx_after", "vy_after", "wx_after",
    "wy_after", "wz_after",
];

fn write_events(space: Res<Space>, ids: Query<&StableId>, terrain: Query<&Terrain>, mut record: ResMut<Record>) {
    if !space.record_events {
        return;
    }
    let began = tick_began(&space);
    let Record { events, faces, .. } = &mut *record;
    let id_of = |entity: Entity| ids.get(entity).ok().map(|id| id.0);
    let is_jaw = |entity: Entity| {
        terrain.get(entity).is_ok_and(|piece| match piece {
            Terrain::Circle { radius } => *radius > 0.0,
            piece => faces.contains(piece),
        })
    };
    events.extend(space.events.iter().map(|event| {
        let TableEvent { time, disc, kind, position, before, after } = *event;
        let id = |disc: u32| space.discs.id[disc as usize];
        let (kind, other) = match kind {
            TableEventKind::Hit(Collider::Disc(other)) => ("ball", Some(id(other))),
            TableEventKind::Hit(Collider::Wall(piece) | Collider::FixedCircle(piece)) => {
                (if is_jaw(piece) { "jaw" } else { "cushion" }, id_of(piece))
            }
            TableEventKind::Potted(pocket) => ("pocket", id_of(pocket)),
            TableEventKind::Rolls => ("rolls", None),
            TableEventKind::Rests => ("rests", None),
            TableEventKind::Stopped => ("stopped", None),
        };
        // A zero has no sign.
        let position = position.to_array().map(|x| x + 0.0);
        let [before, after] = [before, after].map(numbers);
        Event { time: began + time, tick: space.tick, kind, id: id(disc), other, position, before, after }
    }));
}

fn numbers(Motion { velocity: v, angular_velocity: w }: Motion) -> [f64; 5] {
    [v.x, v.y, w.x, w.y, w.z].map(|value| value + 0.0)
}

/// From here on every event is recorded.
///
/// # Errors
/// There would be none; and what is needed.
pub(super) fn begin_events(world: &mut World) -> Result<(), String> {
    if world.resource::<CollisionSettings>().mode != Mode::Continuous {
        return Err("events are recorded in the continuous mode alone; add --set mode=continuous".to_owned());
    }
    let discs = Discs::of(world);
    if !world.contains_resource::<TablePhysics>() || !(0..discs.len()).any(|i| discs.spin_of(i).is_some()) {
        return Err("there are events only where discs spin on a table; take a scene with one, such as nine-ball, or --from FILE.csv \
                    with --table NAME"
            .to_owned());
    }
    let tables = tables::shipped().iter().filter_map(|table| build(&table.spec().ok()?).ok());
    let pieces = tables.flat_map(|table| table.pieces);
    let faces = pieces.filter(|piece| piece.part == Part::Face).map(|piece| piece.terrain).collect();
    *world.resource_mut::<Record>() = Record { faces, ..Record::default() };
    world.resource_mut::<Space>().record_events = true;
    Ok(())
}

/// The events of a run as a table.
pub(super) fn events(world: &World) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("the table of events cannot be made: {error}");
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // The header stands there for no events as well.
    let mut written = writer.write_record(COLUMNS);
    for event in &world.resource::<Record>().events {
        written = written.and_then(|()| writer.serialize(event));
    }
    written.map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// A disc that fell into a pocket.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PottedDisc {
    disc: u64,
    cue_ball: bool,
    /// The number written on it.
    number: Option<u8>,
    /// The pocket, counted from 0 in the order of their ids, and where its centre is, metres.
    pocket: usize,
    place: [f32; 2],
    /// When it fell, seconds since the start.
    time: f64,
    /// How fast it was, m/s.
    speed: f32,
}

impl std::fmt::Display for PottedDisc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &Self { disc, cue_ball, number, pocket, place, time, speed } = self;
        let [x, y] = place.map(|coordinate| decimals(f64::from(coordinate), 3));
        f.write_str(&name(cue_ball, disc))?;
        if let Some(number) = number {
            write!(f, " (ball {number})")?;
        }
        write!(f, " in pocket {pocket} at ({x}, {y}) m after {time:.3} s, with {speed:.3} m/s")
    }
}

/// The discs that fell in a run, in order.
pub(super) fn potted(world: &mut World) -> Vec<PottedDisc> {
    let mut pockets: Vec<_> = world
        .query::<(&StableId, Entity, &Position, &Pocket)>()
        .iter(world)
        .map(|(id, entity, place, _)| (*id, entity, place.0))
        .collect();
    pockets.sort_unstable_by_key(|&(id, entity, _)| (id, entity));
    let describe = |&(time, fall): &(f64, Potted)| {
        let pocket = pockets.iter().position(|&(_, entity, _)| entity == fall.pocket)?;
        Some(PottedDisc {
            disc: world.get::<StableId>(fall.disc)?.0,
            cue_ball: world.get::<CueBall>(fall.disc).is_some(),
            number: world.get::<DiscLook>(fall.disc).and_then(|look| look.number),
            pocket,
            place: pockets[pocket].2.to_array(),
            time,
            speed: fall.velocity.length(),
        })
    };
    world.resource::<Record>().potted.iter().filter_map(describe).collect()
}
