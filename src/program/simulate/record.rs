//! Records a run: which discs fell into which pockets and, on request, every event on a table.

use bevy::prelude::*;
use serde::Serialize;

use super::names::{Names, pockets};
use crate::{
    collision::{
        CollisionSettings, Discs, HitTarget, LeftTable, PhysicsSpace, Potted, SimulationSystems, SolverMode,
        path::table_events::{TableEvent, TableEventKind},
        spin::{Motion, TablePhysics},
    },
    components::{Position, StableId},
    number::decimals,
    program::strike::name,
    scene::{CueBall, DiscLook},
};

/// The events of a run.
#[derive(Resource, Default)]
pub(super) struct Record {
    /// Each disc that was potted, with the time in seconds since the start.
    potted: Vec<(f64, Potted)>,
    /// Each ball that left the table, in the same way.
    left: Vec<(f64, LeftTable)>,
    /// The first flight of the ball that was shot, while it lasts and afterwards.
    flight: Option<(Entity, Vec2, FirstFlight)>,
    events: Vec<Event>,
}

/// Makes an app keep a [`Record`].
pub(super) fn keep(app: &mut App) {
    app.init_resource::<Record>().init_resource::<Names>();
    app.add_systems(FixedPostUpdate, (write_fallen, write_flight, write_events).after(SimulationSystems));
}

/// The time at which the tick began, seconds since the start.
fn tick_began(space: &PhysicsSpace) -> f64 {
    space.clock.tick.saturating_sub(1) as f64 * f64::from(space.clock.time_step)
}

fn write_fallen(
    space: Res<PhysicsSpace>,
    (mut potted, mut left): (MessageReader<Potted>, MessageReader<LeftTable>),
    mut record: ResMut<Record>,
) {
    let began = tick_began(&space);
    record.potted.extend(potted.read().map(|fall| (began + f64::from(fall.time), *fall)));
    record.left.extend(left.read().map(|fall| (began + f64::from(fall.time), *fall)));
}

/// The flight of a ball from the stroke to its first landing, on the cloth or on a rail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct FirstFlight {
    /// The largest height of its lowest point above the cloth at the end of a tick, metres.
    height: f32,
    /// How far it flew, metres, and how long, seconds. None if it has not landed.
    length: Option<f32>,
    seconds: Option<f64>,
}

impl std::fmt::Display for FirstFlight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} m high", decimals(f64::from(self.height), 3))?;
        match (self.length, self.seconds) {
            (Some(length), Some(seconds)) => {
                write!(f, ", lands after {} m and {seconds:.3} s", decimals(f64::from(length), 3))
            }
            _ => f.write_str(", does not land"),
        }
    }
}

/// Records the first flight of the ball with this id, which has just been shot.
pub(super) fn begin_flight(world: &mut World, id: u64) {
    let mut discs = world.query::<(Entity, &StableId, &Position)>();
    let found = discs.iter(world).find(|(_, disc, _)| disc.0 == id);
    let flight = found.map(|(disc, _, position)| (disc, position.0, FirstFlight::default()));
    world.resource_mut::<Record>().flight = flight;
}

fn write_flight(space: Res<PhysicsSpace>, mut record: ResMut<Record>) {
    let Some((disc, from, flight)) = &mut record.bypass_change_detection().flight else { return };
    if flight.seconds.is_some() {
        return;
    }
    let is_it = |index: u32| space.discs.entity.get(index as usize) == Some(disc);
    if let Some(above) = space.discs.heights.iter().find(|above| is_it(above.disc)) {
        flight.height = flight.height.max(above.height);
    }
    if let Some(landed) = space.report.landed.iter().find(|landed| is_it(landed.disc)) {
        flight.length = Some(landed.position.distance(*from));
        flight.seconds = Some(tick_began(&space) + f64::from(landed.time));
    }
}

/// The first flight of the ball that was shot, if it left the cloth.
pub(super) fn flight(world: &World) -> Option<FirstFlight> {
    world.resource::<Record>().flight.map(|(.., flight)| flight)
}

/// An event as a row of the table of `--events`.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// Seconds since the start.
    time: f64,
    tick: u64,
    /// `ball`, `cushion`, `jaw` (tips and faces of a pocket, and its liner), `pocket`, `rolls`, `rests`, `lands`, or
    /// `stopped` if the solver stopped the ball.
    kind: &'static str,
    disc: Entity,
    id: u64,
    /// The other party of the event: a disc, a piece of terrain or a pocket. [`Names`] has the names of both.
    other: Option<(u64, Entity)>,
    /// Metres.
    position: [f64; 2],
    /// `vx,vy,wx,wy,wz`, metres and radians per second.
    before: [f64; 5],
    after: [f64; 5],
    /// The height of its lowest point above the cloth, metres, and its vertical velocity before and after, m/s.
    vertical: [f64; 3],
}

const COLUMNS: [&str; 22] = [
    "time",
    "tick",
    "kind",
    "id",
    "name",
    "other",
    "other_name",
    "x",
    "y",
    "vx",
    "vy",
    "wx",
    "wy",
    "wz",
    "vx_after",
    "vy_after",
    "wx_after",
    "wy_after",
    "wz_after",
    "height",
    "vz",
    "vz_after",
];

fn write_events(space: Res<PhysicsSpace>, names: Res<Names>, ids: Query<&StableId>, mut record: ResMut<Record>) {
    if !space.report.record_events {
        return;
    }
    let began = tick_began(&space);
    let with_id = |entity: Entity| ids.get(entity).ok().map(|id| (id.0, entity));
    record.events.extend(space.report.events.iter().map(|event| {
        let TableEvent { time, kind, position, height, before, after, .. } = *event;
        let disc = |disc: u32| (space.discs.id[disc as usize], space.discs.entity[disc as usize]);
        let (kind, other) = match kind {
            TableEventKind::Hit(HitTarget::Disc(other)) => ("ball", Some(disc(other))),
            TableEventKind::Hit(HitTarget::Wall(piece) | HitTarget::FixedCircle(piece)) => {
                (if names.is_jaw(piece) { "jaw" } else { "cushion" }, with_id(piece))
            }
            TableEventKind::Potted(pocket) => ("pocket", with_id(pocket)),
            TableEventKind::Rolls => ("rolls", None),
            TableEventKind::Rests => ("rests", None),
            TableEventKind::Lands => ("lands", None),
            TableEventKind::LeavesTable => ("leaves the table", None),
            TableEventKind::Stopped => ("stopped", None),
        };
        // Adding zero removes the sign of a negative zero.
        let position = position.to_array().map(|x| x + 0.0);
        let vertical = [height, before.vertical, after.vertical].map(|value| value + 0.0);
        let [before, after] = [before, after].map(numbers);
        let (id, disc) = disc(event.disc);
        Event { time: began + time, tick: space.clock.tick, kind, disc, id, other, position, before, after, vertical }
    }));
}

fn numbers(Motion { velocity: v, angular_velocity: w, .. }: Motion) -> [f64; 5] {
    [v.x, v.y, w.x, w.y, w.z].map(|value| value + 0.0)
}

/// Starts recording every event.
///
/// # Errors
/// If the scene or the mode produces no events. The message names the requirement.
pub(super) fn begin_events(world: &mut World) -> Result<(), String> {
    let discs = Discs::of(world);
    if !world.contains_resource::<TablePhysics>() || !(0..discs.len()).any(|i| discs.spin_of(i).is_some()) {
        return Err("there are events only where discs spin on a table, and in this scene none do; take one with such a table, \
                    as nine-ball, snooker and carom are, or --from FILE.csv with --table NAME"
            .to_owned());
    }
    if world.resource::<CollisionSettings>().mode != SolverMode::Continuous {
        return Err("events are recorded in the continuous mode alone; add --set mode=continuous".to_owned());
    }
    let names = Names::of(world);
    world.insert_resource(names);
    world.insert_resource(Record::default());
    world.resource_mut::<PhysicsSpace>().report.record_events = true;
    Ok(())
}

/// The events of a run as a table.
pub(super) fn events(world: &World) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("the table of events cannot be made: {error}");
    let names = world.resource::<Names>();
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // The header is written even if there are no events.
    let mut written = writer.write_record(COLUMNS);
    for &Event { time, tick, kind, disc, id, other, position, before, after, vertical } in
        &world.resource::<Record>().events
    {
        let other = other.map(|(id, entity)| (id, names.get(entity)));
        let (other, other_name) = other.unzip();
        let what = (time, tick, kind, id, names.get(disc), other, other_name);
        written = written.and_then(|()| writer.serialize((what, position, before, after, vertical)));
    }
    written.map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// A disc that was potted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PottedDisc {
    disc: u64,
    /// Its name, as in [`Names`].
    name: String,
    cue_ball: bool,
    /// The number written on it.
    number: Option<u8>,
    /// The pocket, counted from 0 in the order of their ids. `place` is its centre, metres.
    pocket: usize,
    pocket_name: String,
    /// Whether that name is not the number.
    #[serde(skip)]
    is_pocket_named: bool,
    place: [f32; 2],
    /// When it fell, seconds since the start.
    time: f64,
    /// Its speed, m/s.
    speed: f32,
}

impl std::fmt::Display for PottedDisc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &Self { disc, cue_ball, number, pocket, ref pocket_name, is_pocket_named, place, time, speed, .. } = self;
        let [x, y] = place.map(|coordinate| decimals(f64::from(coordinate), 3));
        f.write_str(&name(cue_ball, disc))?;
        if let Some(number) = number {
            write!(f, " (ball {number})")?;
        }
        write!(f, " in pocket {pocket} at ({x}, {y}) m")?;
        if is_pocket_named {
            write!(f, ", {pocket_name},")?;
        }
        write!(f, " after {time:.3} s, with {speed:.3} m/s")
    }
}

/// A ball that left the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct LeftBall {
    disc: u64,
    /// Its name, as in [`Names`].
    name: String,
    cue_ball: bool,
    /// The number written on it.
    number: Option<u8>,
    /// Where its centre was then, metres.
    place: [f32; 2],
    /// Seconds since the start.
    time: f64,
    /// Its speed, m/s.
    speed: f32,
}

impl std::fmt::Display for LeftBall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &Self { disc, cue_ball, number, place, time, speed, .. } = self;
        let [x, y] = place.map(|coordinate| decimals(f64::from(coordinate), 3));
        f.write_str(&name(cue_ball, disc))?;
        if let Some(number) = number {
            write!(f, " (ball {number})")?;
        }
        write!(f, " at ({x}, {y}) m after {time:.3} s, with {speed:.3} m/s")
    }
}

/// The balls that left the table in a run, in order.
pub(super) fn left_table(world: &mut World) -> Vec<LeftBall> {
    let names = Names::of(world);
    let describe = |&(time, fall): &(f64, LeftTable)| {
        Some(LeftBall {
            disc: world.get::<StableId>(fall.disc)?.0,
            name: names.get(fall.disc).to_owned(),
            cue_ball: world.get::<CueBall>(fall.disc).is_some(),
            number: world.get::<DiscLook>(fall.disc).and_then(|look| look.number),
            place: fall.position.to_array(),
            time,
            speed: fall.velocity.length(),
        })
    };
    world.resource::<Record>().left.iter().filter_map(describe).collect()
}

/// The discs that were potted in a run, in order.
pub(super) fn potted(world: &mut World) -> Vec<PottedDisc> {
    if world.resource::<Record>().potted.is_empty() {
        return Vec::new();
    }
    let (names, pockets) = (Names::of(world), pockets(world));
    let describe = |&(time, fall): &(f64, Potted)| {
        let pocket = pockets.iter().position(|&(entity, ..)| entity == fall.pocket)?;
        Some(PottedDisc {
            disc: world.get::<StableId>(fall.disc)?.0,
            name: names.get(fall.disc).to_owned(),
            cue_ball: world.get::<CueBall>(fall.disc).is_some(),
            number: world.get::<DiscLook>(fall.disc).and_then(|look| look.number),
            pocket,
            pocket_name: names.get(fall.pocket).to_owned(),
            is_pocket_named: names.is_hole(fall.pocket),
            place: pockets[pocket].1.to_array(),
            time,
            speed: fall.velocity.length(),
        })
    };
    world.resource::<Record>().potted.iter().filter_map(describe).collect()
}
