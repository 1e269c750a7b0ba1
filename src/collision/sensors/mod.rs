//! Sensors: which discs enter and leave an area, and when. It reads the paths of the discs and changes nothing;
//! predictions do not include it.
//!
//! After every substep, the box around the path of each disc is looked up in a tree of the sensors. Only discs that
//! come near a sensor, and those that were inside, are followed. Their paths are composed from their turning points,
//! and intersected with the areas in f64, so the times are exact however few substeps there are. Sensors may move, and
//! have images across periodic edges. The tree is rebuilt each time, so the cost grows with the number of discs plus
//! the number of sensors, and not with their product.
//!
//! In the continuous mode a disc moves straight from impact to impact, and the times are those of that path. In the
//! stepped mode they are those of the straight path from the start of a substep to its end. The discs in a sensor, the
//! only state kept between ticks, are in its component.

mod area;

pub use area::Area;
use area::{Interval, join};

use bevy::{math::DVec2, prelude::*};

use crate::{
    collision::{
        discs::Discs,
        hit::FallenDisc,
        path::PathVertex,
        periodic::Cell,
        shape::{Bounds, Tree},
    },
    components::{CollisionLayers, Terrain},
};

/// A sensor.
#[derive(Clone, Debug)]
pub struct SensorArea {
    pub entity: Entity,
    pub layers: CollisionLayers,
    pub area: Area,
    /// The terrain that it is, if that moves.
    pub moves: Option<Terrain>,
    /// The index of the disc that is the sensor, if it is one.
    pub disc: Option<u32>,
    /// The indices of the discs inside, sorted.
    pub inside: Vec<u32>,
}

/// A disc that has entered or left a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The index of the sensor in the list.
    pub sensor: u32,
    pub disc: u32,
    /// Seconds since the start of the tick.
    pub time: f32,
    pub entered: bool,
}

/// All sensors, in the order of their [`StableId`](crate::components::StableId)s, and the events of the current tick.
/// Empty if there are none.
#[derive(Clone, Debug, Default)]
pub struct Sensors {
    pub areas: Vec<SensorArea>,
    pub crossings: Vec<Crossing>,
    /// The discs that were in a sensor and are no longer simulated.
    pub gone: Vec<(u32, Entity)>,
    /// Whether each disc is a sensor, and its layers, because its layers for responses are none.
    pub is_sensor: Vec<bool>,
    pub layers: Vec<CollisionLayers>,
    /// The positions of the discs at the start of the substep, and its time, seconds since the start of the tick.
    from: Vec<Vec2>,
    pub began: f32,
    /// The boxes around the paths of their centres since then.
    boxes: Vec<Bounds>,
}

/// A point on the path of a disc, metres, and its time, seconds since the start of the tick.
type Stop = (DVec2, f64);

/// The paths of some discs since the start of the substep.
struct Ways {
    /// The discs, sorted.
    discs: Vec<u32>,
    /// The path of each; empty for one that is not in play.
    ways: Vec<Vec<Stop>>,
}

impl Ways {
    /// The path of a disc; empty if it is not one of them.
    fn of(&self, disc: u32) -> &[Stop] {
        self.discs.binary_search(&disc).map_or(&[], |at| &self.ways[at])
    }

    fn of_mut(&mut self, disc: u32) -> Option<&mut Vec<Stop>> {
        self.discs.binary_search(&disc).ok().map(|at| &mut self.ways[at])
    }
}

impl Sensors {
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }
}

/// The motion since [`Sensors::begin`].
#[derive(Clone, Copy)]
pub struct Moved<'a> {
    pub discs: &'a Discs,
    pub path_vertices: &'a [PathVertex],
    pub fallen: &'a [FallenDisc],
    pub cell: Option<Cell>,
    /// The start and end, seconds of the tick.
    pub between: [f32; 2],
}

impl Sensors {
    /// Records the positions of the discs before a substep moves them.
    pub fn begin(&mut self, discs: &Discs, now: f32) {
        if self.is_empty() {
            return;
        }
        self.from.clone_from(&discs.position);
        self.began = now;
    }

    /// Finds the discs that have entered and left sensors since [`Sensors::begin`].
    pub fn sense(&mut self, moved: Moved) {
        let count = moved.discs.len();
        // A system between the steps may have added or removed discs: then the previous positions are unknown.
        if self.is_empty() || [self.from.len(), self.is_sensor.len()] != [count; 2] {
            return;
        }
        moved.find_boxes(self);
        let near = moved.near(self);
        let own = self.areas.iter().filter_map(|area| area.disc);
        let mut followed: Vec<u32> = near.iter().map(|&[_, disc]| disc).chain(own).collect();
        followed.sort_unstable();
        followed.dedup();
        let ways = moved.ways(self, followed);
        let known = self.crossings.len();
        for [sensor, disc] in near {
            moved.follow(self, [sensor, disc], &ways);
        }
        self.crossings[known..].sort_by(|a, b| a.time.total_cmp(&b.time));
    }
}

impl Moved<'_> {
    /// Finds the box around the path of every disc, without its radius; it is empty for a disc that is not in play.
    fn find_boxes(&self, sensors: &mut Sensors) {
        let Sensors { from, boxes, .. } = sensors;
        boxes.clear();
        boxes.extend(from.iter().zip(&self.discs.position).map(|(&from, &to)| {
            if from.is_finite() {
                Bounds::of_points([from, to].into_iter().filter(|at| at.is_finite()))
            } else {
                Bounds::NOTHING
            }
        }));
        let turns = self.path_vertices.iter().map(|vertex| (vertex.disc, vertex.position));
        let falls = self.fallen.iter().map(|fallen| (fallen.disc, fallen.position));
        for (disc, at) in turns.chain(falls) {
            let bounds = &mut boxes[disc as usize];
            if *bounds != Bounds::NOTHING && at.is_finite() {
                *bounds = bounds.union(Bounds::around(at, 0.0));
            }
        }
    }

    /// The pairs of sensors and discs to follow, in order: discs that come near, and those that were inside.
    fn near(&self, sensors: &Sensors) -> Vec<[u32; 2]> {
        let Sensors { areas, boxes, is_sensor, .. } = sensors;
        let radius = &self.discs.radius;
        let mut of_areas: Vec<(Bounds, u32)> = areas
            .iter()
            .zip(0..)
            .map(|(area, sensor)| match area.disc.map(|disc| disc as usize) {
                Some(disc) if boxes[disc] != Bounds::NOTHING => (boxes[disc].padded(radius[disc]), sensor),
                _ => (area.area.bounds(), sensor),
            })
            .collect();
        let all = of_areas.iter().fold(Bounds::NOTHING, |all, &(bounds, _)| all.union(bounds));
        let tree = Tree::new(&mut of_areas);
        let mut near: Vec<[u32; 2]> = Vec::new();
        for ((bounds, &radius), disc) in boxes.iter().zip(radius).zip(0..) {
            if *bounds == Bounds::NOTHING || is_sensor[disc as usize] {
                continue;
            }
            let Some(cell) = self.cell else {
                tree.for_each_overlapping(bounds.padded(radius), |sensor| near.push([sensor, disc]));
                continue;
            };
            // Its images across the edges, too. A path across an edge is in parts; its box contains them all.
            let bounds = bounds.padded(radius);
            for by in cell.shifts_onto(bounds, all.padded(0.0)) {
                tree.for_each_overlapping(bounds.shifted(by).padded(0.0), |sensor| near.push([sensor, disc]));
            }
        }
        let were_inside = areas.iter().zip(0..);
        near.extend(were_inside.flat_map(|(area, sensor)| area.inside.iter().map(move |&disc| [sensor, disc])));
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The paths of these discs since the start of the substep; empty for one that is not in play.
    fn ways(&self, sensors: &Sensors, discs: Vec<u32>) -> Ways {
        let [began, ends] = self.between;
        let start = |&disc: &u32| {
            let from = sensors.from[disc as usize];
            if from.is_finite() { vec![(from.as_dvec2(), f64::from(began))] } else { Vec::new() }
        };
        let mut ways = Ways { ways: discs.iter().map(start).collect(), discs };
        for vertex in self.path_vertices {
            let Some(way) = ways.of_mut(vertex.disc) else { continue };
            if way.last().is_some_and(|&(_, time)| time <= f64::from(vertex.time)) {
                way.push((vertex.position.as_dvec2(), f64::from(vertex.time)));
            }
        }
        for (way, &disc) in ways.ways.iter_mut().zip(&ways.discs) {
            let position = self.discs.position[disc as usize];
            if !way.is_empty() && position.is_finite() {
                way.push((position.as_dvec2(), f64::from(ends)));
            }
        }
        for fallen in self.fallen {
            let Some(way) = ways.of_mut(fallen.disc) else { continue };
            if way.last().is_some_and(|&(_, time)| time < f64::from(fallen.time)) {
                way.push((fallen.position.as_dvec2(), f64::from(fallen.time)));
            }
        }
        if self.cell.is_some() {
            ways.ways.iter_mut().for_each(|way| unwrap(way));
        }
        ways
    }

    /// The parts of a straight path in which a disc is in an area, or across periodic edges in any image of it.
    fn parts_inside(&self, area: &Area, path: [DVec2; 2], radius: f64, parts: &mut Vec<Interval>) {
        let Some(cell) = self.cell else { return area.parts_inside(path, radius, parts) };
        let mut all = Vec::new();
        for shift in cell.shifts_onto(Bounds::of_way(path.map(DVec2::as_vec2), radius as f32), area.bounds()) {
            area.parts_inside(path.map(|at| at + shift.as_dvec2()), radius, parts);
            all.append(parts);
        }
        join(&mut all);
        *parts = all;
    }

    /// Finds when a disc enters and leaves a sensor.
    fn follow(&self, sensors: &mut Sensors, [sensor, disc]: [u32; 2], ways: &Ways) {
        let i = disc as usize;
        let area = &sensors.areas[sensor as usize];
        let place = area.inside.binary_search(&disc);
        let mut inside = place.is_ok();
        let (way, radius) = (ways.of(disc), f64::from(self.discs.radius[i]));
        let meets = !sensors.is_sensor[i]
            && sensors.layers[i].can_collide(area.layers)
            && !self.discs.filter.ignores(i, area.entity, area.disc);
        let mut times: Vec<(f64, bool)> = Vec::new();
        let mut cross = |time: f64, is: bool| {
            if inside != is {
                inside = is;
                times.push((time, is));
            }
        };
        let mut parts = Vec::new();
        if meets && way.len() > 1 {
            let own = area.disc.map(|disc| ways.of(disc));
            for_each_leg(way, own, |path, [start, end]| {
                self.parts_inside(&area.area, path, radius, &mut parts);
                let time = |share: f64| start + share * (end - start);
                if parts.first().is_none_or(|part| part[0] > 0.0) {
                    cross(start, false);
                }
                for part in &parts {
                    cross(time(part[0]), true);
                    if part[1] < 1.0 {
                        cross(time(part[1]), false);
                    }
                }
            });
        } else {
            cross(way.first().map_or(0.0, |&(_, time)| time), false);
        }
        if !self.discs.position[i].is_finite() {
            // It has fallen into a pocket.
            cross(way.last().map_or(0.0, |&(_, time)| time), false);
        }
        let crossings = times.into_iter().map(|(time, entered)| Crossing { sensor, disc, time: time as f32, entered });
        sensors.crossings.extend(crossings);
        let list = &mut sensors.areas[sensor as usize].inside;
        match (place, inside) {
            (Err(place), true) => list.insert(place, disc),
            (Ok(place), false) => _ = list.remove(place),
            _ => {}
        }
    }
}

/// Unwraps a path that crosses periodic edges: the points where it leaves and enters become one point at one time.
fn unwrap(way: &mut [Stop]) {
    let (mut offset, mut last) = (DVec2::ZERO, None::<Stop>);
    for stop in way {
        let here = *stop;
        if let Some((at, _)) = last.filter(|&(_, time)| time == here.1) {
            offset += at - here.0;
        }
        stop.0 += offset;
        last = Some(here);
    }
}

/// Calls `visit` with each straight part of a path, with its start and end times; relative to another path, if given.
fn for_each_leg(way: &[Stop], from: Option<&[Stop]>, mut visit: impl FnMut([DVec2; 2], [f64; 2])) {
    let Some(from) = from else {
        for leg in way.windows(2) {
            visit([leg[0].0, leg[1].0], [leg[0].1, leg[1].1]);
        }
        return;
    };
    let mut times: Vec<f64> = way.iter().chain(from).map(|&(_, time)| time).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    for leg in times.windows(2) {
        // The position of each on its own straight part between these times.
        let at = |way: &[Stop], time: f64| {
            let next = way.partition_point(|&(_, end)| end <= leg[0]).clamp(1, way.len() - 1);
            let [(a, start), (b, end)] = [way[next - 1], way[next]];
            if end > start { a.lerp(b, (time - start) / (end - start)) } else { b }
        };
        if way.len() > 1 && from.len() > 1 {
            visit([at(way, leg[0]) - at(from, leg[0]), at(way, leg[1]) - at(from, leg[1])], [leg[0], leg[1]]);
        }
    }
}
