//! Sensors: gathers them and the discs inside before a tick, and reports the discs that entered and left after it.

use bevy::{
    ecs::system::{SystemParam, SystemParamItem},
    prelude::*,
};

use super::{
    gather::{Gather, GatherRare, ValueLog},
    gather_moving::Moves,
    report::trigger_all,
};
use crate::{
    collision::{
        sensors::{Area, Crossing, SensorArea, Sensors},
        space::PhysicsSpace,
        tick::Stage,
        validation::check_terrain,
    },
    components::{CollisionLayers, Disc, Inactive, Position, Radius, Rotation, Sensed, Sensor, StableId, Terrain},
};

/// A disc has entered a sensor: a message, and an event on the sensor. They are ordered by time, at equal times by the
/// [`StableId`] of the sensor and then of the disc.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct SensorOverlapStarted {
    /// The sensor.
    pub entity: Entity,
    /// The disc that entered. An earlier observer may have despawned it.
    pub other: Entity,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time at which the rims first touch on the straight path of the disc, seconds from the start of the tick. 0
    /// for a disc that was inside at the start of the tick.
    pub time: f32,
}

/// A disc has left a sensor: a message, and an event on the sensor, in one order with [`SensorOverlapStarted`].
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct SensorOverlapEnded {
    /// The sensor.
    pub entity: Entity,
    /// The disc that left. It may have been despawned.
    pub other: Entity,
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time, seconds from the start of the tick. 0 for a disc that was no longer there at the start of the tick:
    /// despawned, made inactive, or teleported.
    pub time: f32,
}

impl SensorOverlapStarted {
    /// The events of the current tick, in order.
    pub(crate) fn all(space: &PhysicsSpace) -> impl Iterator<Item = Self> {
        let PhysicsSpace { sensors: Sensors { areas, crossings, .. }, discs, clock, .. } = space;
        crossings.iter().filter(|crossing| crossing.entered).filter_map(|&Crossing { sensor, disc, time, .. }| {
            let other = *discs.entity.get(disc as usize)?;
            Some(Self { entity: areas[sensor as usize].entity, other, tick: clock.tick, time })
        })
    }
}

type SensorItem<'a> = (
    (Entity, &'a StableId, &'a Sensed, Option<&'a CollisionLayers>),
    (Option<&'a Terrain>, &'a Position, Option<&'a Rotation>, Option<&'a Radius>),
);

/// The components that define sensors, and the discs in them.
#[derive(SystemParam)]
pub struct SensorComponents<'w, 's> {
    sensors: Query<'w, 's, SensorItem<'static>, (With<Sensor>, Without<Inactive>)>,
    layers: Query<'w, 's, (Entity, &'static StableId, &'static CollisionLayers), With<Disc>>,
    moving: Query<'w, 's, (), (With<Terrain>, Moves)>,
    ids: Query<'w, 's, &'static StableId>,
}

impl Gather for Sensors {
    type Components = SensorComponents<'static, 'static>;

    fn gather(components: &SystemParamItem<Self::Components>, space: &mut PhysicsSpace, log: &mut ValueLog) {
        let PhysicsSpace { sensors: known, discs, .. } = space;
        known.areas.clear();
        known.crossings.clear();
        if components.sensors.is_empty() {
            return;
        }
        known.is_sensor.clear();
        known.is_sensor.resize(discs.len(), false);
        known.layers.clear();
        known.layers.resize(discs.len(), CollisionLayers::ALL);
        for (entity, id, layers) in &components.layers {
            if let Some(i) = discs.index_of(entity, *id) {
                known.layers[i] = *layers;
            }
        }
        let mut items: Vec<_> = components.sensors.iter().collect();
        items.sort_unstable_by_key(|((entity, id, ..), _)| (**id, *entity));
        for ((entity, id, sensed, layers), (terrain, position, rotation, radius)) in items {
            let disc = discs.index_of(entity, *id).map(|i| i as u32);
            let moves = terrain.filter(|_| components.moving.contains(entity));
            let area = match (terrain, disc, radius) {
                (Some(terrain), ..) => {
                    let rotation = rotation.copied().unwrap_or_default();
                    let checked = check_terrain(terrain, *position, rotation);
                    // Moving sensors were checked together with their motion.
                    if moves.is_none() {
                        log.judge(entity, &checked);
                    }
                    if checked.is_err() {
                        continue;
                    }
                    Area::of(terrain, position.0, rotation)
                }
                // Paths of discs are taken relative to it.
                (None, Some(_), Some(radius)) => Area::Circle { centre: default(), radius: f64::from(radius.0) },
                _ => continue,
            };
            if let Some(disc) = disc {
                known.is_sensor[disc as usize] = true;
            }
            let layers = layers.copied().unwrap_or_default();
            let sensor = known.areas.len() as u32;
            let mut inside = Vec::new();
            let mut gone = Vec::new();
            for &other in &sensed.0 {
                let index = components.ids.get(other).ok().and_then(|id| discs.index_of(other, *id));
                match index {
                    Some(i) => inside.push(i as u32),
                    None => gone.push(other),
                }
            }
            inside.sort_unstable();
            known.gone.extend(gone.into_iter().map(|other| (sensor, other)));
            known.areas.push(SensorArea { entity, layers, area, moves: moves.cloned(), disc, inside });
        }
    }
}

impl GatherRare for Sensors {
    type Has = With<Sensor>;

    fn is_in(space: &PhysicsSpace) -> bool {
        !space.sensors.is_empty()
    }
}

pub fn report_sensors(
    mut space: ResMut<PhysicsSpace>,
    mut sensors: Query<&mut Sensed>,
    mut entered: MessageWriter<SensorOverlapStarted>,
    mut left: MessageWriter<SensorOverlapEnded>,
    mut commands: Commands,
) {
    if space.sensors.is_empty() {
        return;
    }
    space.timed(Stage::Report, |space| {
        let (tick, PhysicsSpace { sensors: known, discs, .. }) = (space.clock.tick, space);
        for area in &known.areas {
            let inside = area.inside.iter().filter_map(|&disc| discs.entity.get(disc as usize).copied());
            if let Ok(mut sensed) = sensors.get_mut(area.entity)
                && !sensed.iter().copied().eq(inside.clone())
            {
                sensed.0 = inside.collect();
            }
        }
        for (sensor, other) in known.gone.drain(..) {
            let entity = known.areas[sensor as usize].entity;
            let event = SensorOverlapEnded { entity, other, tick, time: 0.0 };
            left.write(event);
            trigger_all(&mut commands, vec![event]);
        }
        for &Crossing { sensor, disc, time, entered: has_entered } in &known.crossings {
            let entity = known.areas[sensor as usize].entity;
            let Some(&other) = discs.entity.get(disc as usize) else { continue };
            if has_entered {
                let event = SensorOverlapStarted { entity, other, tick, time };
                entered.write(event);
                trigger_all(&mut commands, vec![event]);
            } else {
                let event = SensorOverlapEnded { entity, other, tick, time };
                left.write(event);
                trigger_all(&mut commands, vec![event]);
            }
        }
    });
}
