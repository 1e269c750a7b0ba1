//! The boundary map of a billiard: each hit as a point of arc length and tangential direction (Birkhoff coordinates).
//!
//! The map from hit to hit keeps areas in these coordinates. Regular motion gives curves. Chaotic motion fills areas.

use std::collections::VecDeque;

use bevy::{math::DVec2, prelude::*};

use super::boundary::{Boundary, BoundaryPoint};
use crate::{
    collision::{FixedCircle, HitTarget, PhysicsSpace, SimulationSystems, Wall, require_physics, tick_schedule},
    laboratory::report::report_all_hits_if,
    timeline::ticked,
};

/// The largest distance from the boundary at which a hit belongs to it, as a share of the radius.
const NEAR: f64 = 0.05;

/// A hit on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// The arc length along the whole boundary, metres: components follow one another.
    pub along: f32,
    /// The cosine of the angle between the boundary and the velocity after the hit, from -1 to 1. It is the signed sine
    /// of the angle to the normal.
    pub cosine: f32,
    /// The component of the boundary, by its index.
    pub component: u16,
    /// The [`Start`] of the path, by its index.
    pub start: u16,
    /// The tick of the hit.
    pub tick: u64,
}

/// A disc that has been followed from some tick on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The disc, by its [`StableId`](crate::components::StableId).
    pub disc: u64,
    /// The first tick of the path.
    pub tick: u64,
}

/// A table without a boundary is examined again after this many ticks: the disc may have been moved.
const RETRY: u64 = 60;

/// The table, and the boundary that was found for it.
#[derive(Clone, Debug)]
struct Table {
    boundary: Result<Boundary, String>,
    /// The arc length along the whole boundary at which each component starts, metres.
    starts: Vec<f64>,
    walls: Vec<Wall>,
    circles: Vec<FixedCircle>,
    radius: f32,
    /// The tick in which it was examined.
    tick: u64,
}

impl Table {
    fn of(space: &PhysicsSpace, disc: usize) -> Self {
        let boundary = Boundary::of(space, disc);
        let mut sum = 0.0;
        let components = boundary.as_ref().map_or(&[][..], Boundary::components).iter();
        let starts = components.map(|component| {
            sum += component.length();
            sum - component.length()
        });
        Self {
            starts: starts.collect(),
            boundary,
            walls: space.walls().to_vec(),
            circles: space.fixed_circles().to_vec(),
            radius: space.discs.radius[disc],
            tick: space.clock.tick,
        }
    }

    /// Whether it is that of a disc, by its index.
    fn is_of(&self, space: &PhysicsSpace, disc: usize) -> bool {
        self.radius == space.discs.radius[disc] && self.walls == space.walls() && self.circles == space.fixed_circles()
    }

    /// Whether it is to be examined again although it has not changed.
    fn is_outdated(&self, space: &PhysicsSpace) -> bool {
        match self.boundary {
            Ok(_) => !space.moving.is_empty(),
            Err(_) => space.clock.tick.abs_diff(self.tick) >= RETRY,
        }
    }
}

/// The hits of discs as a map. Switch it on, and read [`BoundaryMap::points`] at any time.
///
/// It shows the boundary for one disc, by default the first, and the hits of all discs of the same radius on that
/// boundary. It keeps the latest [`BoundaryMap::MOST_POINTS`] hits. If terrain changes, it restarts. If the run goes
/// back, later hits are dropped.
///
/// In an app, [`BoundaryMapPlugin`] feeds it. Without an app, call [`BoundaryMap::observe`] after every tick.
#[derive(Resource, Clone, Debug, Default)]
pub struct BoundaryMap {
    is_on: bool,
    disc: Option<u64>,
    table: Option<Table>,
    points: VecDeque<MapPoint>,
    starts: Vec<Start>,
    /// The tick that was seen last.
    tick: u64,
    /// Changes whenever points other than new ones at the end change.
    version: u64,
}

impl BoundaryMap {
    /// The number of points that it keeps.
    pub const MOST_POINTS: usize = 100_000;

    /// Whether it records hits. Off by default; then it costs nothing.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Switches it on or off. It keeps its points.
    pub fn switch(&mut self, on: bool) {
        self.is_on = on;
    }

    /// Shows the boundary for this disc, by its [`StableId`](crate::components::StableId); `None` for the first one.
    pub fn show_disc(&mut self, disc: Option<u64>) {
        if self.disc != disc {
            *self = Self { is_on: self.is_on, disc, version: self.version + 1, ..Self::default() };
        }
    }

    /// Removes all points and starts.
    pub fn clear(&mut self) {
        self.points.clear();
        self.starts.clear();
        self.version += 1;
    }

    /// Later hits of this disc belong to a new start: it was moved.
    pub fn begin_start(&mut self, disc: u64) {
        if self.starts.len() < usize::from(u16::MAX) {
            self.starts.push(Start { disc, tick: self.tick });
        }
    }

    /// The boundary; `None` before the first tick.
    ///
    /// # Errors
    /// Why there is none, as a sentence without a full stop.
    #[must_use]
    pub fn boundary(&self) -> Option<Result<&Boundary, &str>> {
        let table = self.table.as_ref()?;
        Some(table.boundary.as_ref().map_err(String::as_str))
    }

    /// The hits, oldest first.
    #[must_use]
    pub fn points(&self) -> impl ExactSizeIterator<Item = &MapPoint> + DoubleEndedIterator {
        self.points.iter()
    }

    /// All starts, oldest first.
    #[must_use]
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// A number that changes whenever points other than new ones at the end change.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The place at an arc length along the whole boundary, metres; `None` without a boundary.
    #[must_use]
    pub fn at(&self, along: f64) -> Option<BoundaryPoint> {
        let table = self.table.as_ref()?;
        let component = table.starts.partition_point(|&start| start <= along).max(1) - 1;
        Some(table.boundary.as_ref().ok()?.at(component, along - table.starts[component]))
    }

    /// The position and velocity of a disc of this speed (m/s) that has just hit the boundary at a point of the map.
    /// `along` is the arc length along the whole boundary, metres, and `cosine` the tangential cosine, from -1 to 1.
    /// `None` without a boundary.
    #[must_use]
    pub fn start_at(&self, along: f64, cosine: f64, speed: f64) -> Option<[Vec2; 2]> {
        let point = self.at(along)?;
        let cosine = cosine.clamp(-1.0, 1.0);
        let direction = point.tangent * cosine + point.inward() * (1.0 - cosine * cosine).sqrt();
        Some([point.place.as_vec2(), (direction * speed).as_vec2()])
    }

    /// The share of cells that hold a point, of a grid of `cells` times `cells` over the map.
    #[must_use]
    pub fn coverage(&self, cells: usize) -> f64 {
        let Some(Ok(boundary)) = self.boundary() else { return 0.0 };
        let (length, count) = (boundary.length(), cells as f64);
        let mut is_visited = vec![false; cells * cells];
        for point in &self.points {
            let column = (f64::from(point.along) / length * count) as usize;
            let row = (0.5 * (1.0 + f64::from(point.cosine)) * count) as usize;
            is_visited[row.min(cells - 1) * cells + column.min(cells - 1)] = true;
        }
        is_visited.iter().filter(|visited| **visited).count() as f64 / (cells * cells).max(1) as f64
    }

    /// Drops the points of later ticks: the run went back to this tick.
    fn go_back(&mut self, tick: u64) {
        let before = self.points.len();
        while self.points.back().is_some_and(|point| point.tick > tick) {
            self.points.pop_back();
        }
        self.version += u64::from(self.points.len() != before);
        self.tick = tick;
    }

    /// Finds the boundary, unless it is known for this terrain.
    fn find_boundary(&mut self, space: &PhysicsSpace) {
        let discs = &space.discs;
        let disc = self.disc.and_then(|id| discs.id.iter().position(|&other| other == id)).unwrap_or(0);
        if disc >= discs.len() {
            return;
        }
        let is_same = self.table.as_ref().is_some_and(|table| table.is_of(space, disc));
        if is_same && !self.table.as_ref().is_some_and(|table| table.is_outdated(space)) {
            return;
        }
        if !is_same {
            self.clear();
        }
        self.table = Some(Table::of(space, disc));
    }

    /// Takes in a tick that has just run.
    pub fn observe(&mut self, space: &PhysicsSpace) {
        if !self.is_on {
            return;
        }
        let tick = space.clock.tick;
        if tick <= self.tick {
            self.go_back(tick.saturating_sub(1));
        }
        self.tick = tick;
        self.find_boundary(space);
        let Some(table) = &self.table else { return };
        let Ok(boundary) = &table.boundary else { return };
        for hit in &space.report.hits {
            let disc = hit.disc as usize;
            if matches!(hit.target, HitTarget::Disc(_)) || space.discs.radius[disc] != table.radius {
                continue;
            }
            let radius = f64::from(table.radius);
            let centre = hit.point.as_dvec2() - hit.normal.as_dvec2() * radius;
            let (at, distance) = boundary.closest(centre);
            let Some(direction) = hit.velocity.after.as_dvec2().try_normalize() else { continue };
            if distance > NEAR * radius {
                continue;
            }
            let id = space.discs.id[disc];
            let start = self.starts.iter().rposition(|start| start.disc == id).unwrap_or_else(|| {
                self.starts.push(Start { disc: id, tick });
                self.starts.len() - 1
            });
            if self.points.len() == Self::MOST_POINTS {
                self.points.pop_front();
            }
            self.points.push_back(MapPoint {
                along: (table.starts[at.component] + at.along) as f32,
                cosine: tangential(direction, at),
                component: at.component as u16,
                start: start as u16,
                tick,
            });
        }
    }
}

fn tangential(direction: DVec2, at: BoundaryPoint) -> f32 {
    direction.dot(at.tangent).clamp(-1.0, 1.0) as f32
}

/// Adds the resource [`BoundaryMap`] and feeds it after every tick. While it is on, the space reports every hit,
/// however slow; messages still follow [`report_above`](crate::collision::CollisionSettings::report_above).
///
/// It needs [`PhysicsPlugins`](crate::PhysicsPlugins).
pub struct BoundaryMapPlugin;

impl Plugin for BoundaryMapPlugin {
    fn build(&self, app: &mut App) {
        let schedule = tick_schedule(app);
        report_all_hits_if(app, is_on);
        app.init_resource::<BoundaryMap>()
            .add_systems(schedule, observe.after(SimulationSystems).run_if(is_on.and_then(ticked)))
            .add_systems(PostUpdate, follow_back.run_if(went_back));
    }

    fn finish(&self, app: &mut App) {
        require_physics(self, app);
    }
}

fn is_on(map: Res<BoundaryMap>) -> bool {
    map.is_on
}

fn observe(mut map: ResMut<BoundaryMap>, space: Res<PhysicsSpace>) {
    map.observe(&space);
}

fn went_back(map: Res<BoundaryMap>, space: Res<PhysicsSpace>) -> bool {
    space.clock.tick < map.tick
}

/// Drops later hits at once when the run went back, even if it is paused.
fn follow_back(mut map: ResMut<BoundaryMap>, space: Res<PhysicsSpace>) {
    map.go_back(space.clock.tick);
}
