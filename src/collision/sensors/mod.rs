//! Sensors: which discs enter and leave an area, and when. It looks at the ways that the discs have gone, and changes
//! nothing; no prediction knows of it.
//!
//! After every substep the box around each disc's way is looked up in a tree of the sensors. Only the discs that come
//! near one, and those that were inside, are followed: their ways are put together from the places where they turned,
//! and cut with the areas in f64, so the times are exact however few substeps there are. Sensors may move, and are seen
//! across periodic edges. The tree is rebuilt each time, so the cost is that of all discs and all sensors, but not of
//! one times the other.
//!
//! In the continuous mode a disc goes straight from impact to impact, and the times are those of that path; in the
//! stepped mode those of the straight way from where a substep begins to where it ends. What is known from tick to
//! tick, the discs in a sensor, is in its component.

mod area;

pub use area::Area;
use area::{Interval, join};

use bevy::{math::DVec2, prelude::*};

use crate::{
    collision::{
        discs::Discs,
        hit::PottedDisc,
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
    /// The disc that it is, by its index, if it is one.
    pub disc: Option<u32>,
    /// The discs that are in it, by their indices, in order.
    pub inside: Vec<u32>,
}

/// A disc that has entered a sensor, or left it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The place of the sensor in the list.
    pub sensor: u32,
    pub disc: u32,
    /// Seconds since the tick began.
    pub time: f32,
    pub entered: bool,
}

/// All sensors, in the order of their [`StableId`](crate::components::StableId)s, and what has happened in the present
/// tick. Empty where there are none.
#[derive(Clone, Debug, Default)]
pub struct Sensors {
    pub areas: Vec<SensorArea>,
    pub crossings: Vec<Crossing>,
    /// The discs that were in a sensor and no longer take part in ticks.
    pub gone: Vec<(u32, Entity)>,
    /// Whether each disc is a sensor, and its layers: those that it has for responses are none then.
    pub is_sensor: Vec<bool>,
    pub layers: Vec<CollisionLayers>,
    /// Where the discs were when the substep began, and when that was, seconds since the tick began.
    from: Vec<Vec2>,
    pub began: f32,
    /// The boxes around the ways of their centres since then.
    boxes: Vec<Bounds>,
}

/// A place on a disc's way, metres, and when it was there, seconds since the tick began.
type Stop = (DVec2, f64);

/// The ways of some discs since the substep began.
struct Ways {
    /// Which, in order.
    discs: Vec<u32>,
    /// The way of each; empty for one that is not in play.
    ways: Vec<Vec<Stop>>,
}

impl Ways {
    /// The way of a disc, empty if it is not one of them.
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

/// What has moved since [`Sensors::begin`].
#[derive(Clone, Copy)]
pub struct Moved<'a> {
    pub discs: &'a Discs,
    pub path_vertices: &'a [PathVertex],
    pub potted: &'a [PottedDisc],
    pub cell: Option<Cell>,
    /// From when until when, seconds of the tick.
    pub between: [f32; 2],
}

impl Sensors {
    /// Records where the discs are before a substep moves them.
    pub fn begin(&mut self, discs: &Discs, now: f32) {
        if self.is_empty() {
            return;
        }
        self.from.clone_from(&discs.position);
        self.began = now;
    }

    /// Finds which discs have entered and left sensors since [`Sensors::begin`].
    pub fn sense(&mut self, moved: Moved) {
        let count = moved.discs.len();
        // A system between the steps may have added or removed discs: then the previous places are unknown.
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
    /// Finds the box around the way of every disc, without its radius; of one that is not in play it holds nothing.
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
        let falls = self.potted.iter().map(|fallen| (fallen.disc, fallen.position));
        for (disc, at) in turns.chain(falls) {
            let bounds = &mut boxes[disc as usize];
            if *bounds != Bounds::NOTHING && at.is_finite() {
                *bounds = bounds.union(Bounds::around(at, 0.0));
            }
        }
    }

    /// The sensors and the discs that may have to do with them, in order: those that come near, and those that were
    /// inside.
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
            // Across the edges its images are, too. A way across an edge is in parts; its box holds them all.
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

    /// The ways of these discs since the substep began; none for one that is not in play.
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
        for fallen in self.potted {
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

    /// The parts of a straight path in which a disc is in an area, across periodic edges in any of its images.
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
            && sensors.layers[i].meets(area.layers)
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

/// Makes one way of one that crosses periodic edges: where it goes out and where it comes in are the same, at the same
/// time.
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

/// Calls `visit` with each straight part of a way and when it begins and ends; seen from another that moves, if there
/// is one.
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
        // Each where it is on its own straight part between these times.
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
