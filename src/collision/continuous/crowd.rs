//! Many discs: the tick in windows so short that a disc does not get far in one, and what is foreseen for a window in a queue.
//!
//! At the start of a window all discs are filed in the [`Grid`] of the stepped mode, each with a circle around its path; pairs
//! of circles that meet are looked at exactly. A disc that was touched looks at the circles near its new path, and gets a new
//! circle in its old cell. Where that cannot hold it, as it has become faster than all others were, it is listed apart.

use bevy::prelude::*;

use super::{
    super::{
        grid::Grid,
        lanes::{Lanes, Sixteen},
        space::Bodies,
        terrain_index::{TerrainIndex, around},
        threads::Threads,
    },
    Agenda,
    movers::{Course, Impact, Partner},
    queue::{Foreseen, Queue},
    scan::Circles,
};

/// How far the typical disc gets within a window, as a share of its radius; or of a quarter of the way to its neighbours, if
/// that is longer.
const WINDOW: f64 = 0.15;

/// A tick has at most so many windows, unless discs get listed apart.
const MOST_WINDOWS: f64 = 1e6;

/// Windows grow longer while nothing is met and there are no more pairs for each disc than this.
const MOST_PAIRS: usize = 8;

/// What is kept from tick to tick, for its memory.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Memory {
    /// Position, velocity and radius at the start of the window, for the grid.
    bodies: Bodies,
    pairs: Vec<[u32; 2]>,
    queue: Queue,
    /// The discs whose circles the grid does not hold, and their circles.
    apart: Vec<u32>,
    circles: Circles,
    /// The discs near the one that is looked at.
    near: Vec<u32>,
}

/// Windows, grid and queue.
pub(super) struct Crowd<'a, L> {
    lanes: L,
    kind: Lanes,
    threads: Threads,
    memory: &'a mut Memory,
    grid: &'a mut Grid,
    terrain: &'a TerrainIndex,
    /// The length of a window after one in which something was met, seconds.
    shortest: f64,
    /// The length of the present window, seconds: twice that of the last one if nothing was met there.
    length: f64,
    /// Whether something was met in the present window.
    eventful: bool,
    /// When the present window began and when it ends, seconds from the start of the tick.
    window: [f64; 2],
}

impl<'a, L: Sixteen> Crowd<'a, L> {
    /// Begins a tick.
    #[inline(always)]
    pub(super) fn begin(
        lanes: L,
        (kind, threads): (Lanes, Threads),
        (memory, grid, terrain): (&'a mut Memory, &'a mut Grid, &'a TerrainIndex),
        course: &Course,
    ) -> Self {
        let shortest = window(course);
        memory.bodies.radius.clear();
        memory.bodies.radius.resize(course.movers.len(), 0.0);
        memory.bodies.position.resize(course.movers.len(), Vec2::ZERO);
        memory.bodies.velocity.resize(course.movers.len(), Vec2::ZERO);
        let mut crowd = Self {
            lanes,
            kind,
            threads,
            memory,
            grid,
            terrain,
            shortest,
            length: shortest,
            eventful: true,
            window: [0.0; 2],
        };
        crowd.open_window(course, 0.0);
        crowd
    }

    /// Whether discs overlap each other or terrain at the start of the tick, by more than a rounding, and are to be parted.
    #[inline(always)]
    pub(super) fn overlap(&self, course: &Course) -> bool {
        let discs = self.memory.pairs.iter().any(|&[a, b]| course.overlap(a as usize, b as usize));
        let bodies = &self.memory.bodies;
        discs
            || (0..course.movers.len()).any(|i| {
                let mut sinks = false;
                let bounds = around(bodies.position[i].to_array(), bodies.radius[i]);
                self.terrain.for_each_near(bounds, |piece| sinks |= course.sinks(i, piece.into()));
                sinks
            })
    }

    /// Begins a window: files all discs and foresees what they meet in it.
    #[inline(always)]
    fn open_window(&mut self, course: &Course, start: f64) {
        // Long paths make many pairs.
        let crowded = self.memory.pairs.len() > MOST_PAIRS * course.movers.len();
        self.length = if self.eventful || crowded { self.shortest } else { 2.0 * self.length };
        self.eventful = false;
        let end = if start + 1.5 * self.length < course.end { start + self.length } else { course.end };
        self.window = [start, end];
        let Self { memory: Memory { bodies, pairs, queue, apart, circles, .. }, grid, .. } = self;
        for (i, mover) in course.movers.iter().enumerate() {
            bodies.position[i] = mover.at(start).as_vec2();
            bodies.velocity[i] = mover.velocity.as_vec2();
            bodies.radius[i] = padded(mover.radius as f32, bodies.position[i]);
        }
        grid.fill_thoroughly(bodies, (end - start) as f32, self.kind, self.threads);
        grid.pairs(self.kind, self.threads, pairs);
        apart.clear();
        circles.clear(0);
        queue.begin([start, end], course.movers.len());
        for &[a, b] in &*pairs {
            foresee(queue, course, end, a as usize, b as usize);
        }
        for (i, mover) in course.movers.iter().enumerate() {
            let (from, path) = (bodies.position[i], bodies.velocity[i] * (end - start) as f32);
            let around = path.abs() * 1.0001 + bodies.radius[i];
            let bounds = [from.x - around.x, from.y - around.y, from.x + around.x, from.y + around.y];
            self.terrain
                .for_each_near(bounds, |piece| foresee_terrain(queue, course, end, i, piece.into(), mover.stamp));
        }
    }

    /// A circle around the path of a disc in what is left of the window.
    #[inline(always)]
    fn circle(&self, course: &Course, i: usize) -> (Vec2, f32) {
        let mover = &course.movers[i];
        let half = 0.5 * (self.window[1] - mover.time).max(0.0);
        let centre = (mover.position + mover.velocity * half).as_vec2();
        let path = (mover.velocity.length_squared().sqrt() * half) as f32;
        (centre, padded(mover.radius as f32, centre) + path * 1.0001)
    }

    /// Foresees what a disc meets in what is left of the window.
    #[inline(always)]
    fn look(&mut self, course: &Course, i: usize) {
        let (centre, reach) = self.circle(course, i);
        let end = self.window[1];
        let Self { memory: Memory { queue, apart, circles, near, .. }, grid, terrain, lanes, .. } = self;
        near.clear();
        grid.list_near(*lanes, centre, reach, near);
        circles.for_each_near(*lanes, centre, reach, |at| near.push(apart[at]));
        for &j in &*near {
            if j as usize != i {
                foresee(queue, course, end, i, j as usize);
            }
        }
        let stamp = course.movers[i].stamp;
        terrain.for_each_near(around(centre.to_array(), reach), |piece| {
            foresee_terrain(queue, course, end, i, piece.into(), stamp);
        });
    }

    /// Files the new path of a disc.
    #[inline(always)]
    fn refile(&mut self, course: &Course, i: u32) {
        let (centre, reach) = self.circle(course, i as usize);
        let Memory { apart, circles, .. } = &mut *self.memory;
        let listed = apart.iter().position(|&other| other == i);
        if listed.is_none() && self.grid.refile(i, centre, reach) {
            return;
        }
        let at = listed.unwrap_or_else(|| {
            apart.push(i);
            apart.len() - 1
        });
        circles.put(at, centre, reach);
    }
}

impl<L: Sixteen> Agenda for Crowd<'_, L> {
    #[inline(always)]
    fn next(&mut self, course: &Course) -> Option<Impact> {
        loop {
            // Listing discs apart is for a few of them.
            let crowded = self.memory.apart.len() > 64 + course.movers.len() / 64;
            let Some(Foreseen { impact, stamps }) = self.memory.queue.pop().filter(|_| !crowded) else {
                let start = if crowded { self.memory.queue.now() } else { self.window[1] };
                if start >= course.end {
                    return None;
                }
                self.open_window(course, start);
                continue;
            };
            let alive = stamps[0] == course.movers[impact.disc as usize].stamp
                && impact.partner.disc().is_none_or(|j| stamps[1] == course.movers[j as usize].stamp);
            if alive {
                self.eventful = true;
                return Some(impact);
            }
        }
    }

    #[inline(always)]
    fn touched(&mut self, course: &Course, discs: &[u32]) {
        for &i in discs {
            self.refile(course, i);
        }
        for &i in discs {
            self.look(course, i as usize);
        }
    }

    fn near(&self, course: &Course, disc: usize, discs: &mut Vec<u32>) {
        let (centre, reach) = self.circle(course, disc);
        self.grid.list_near(self.lanes, centre, reach, discs);
        self.memory.circles.for_each_near(self.lanes, centre, reach, |at| discs.push(self.memory.apart[at]));
    }
}

/// Foresees when two discs meet.
#[inline(always)]
fn foresee(queue: &mut Queue, course: &Course, end: f64, i: usize, j: usize) {
    let (a, b) = if j < i { (j, i) } else { (i, j) };
    let time = course.pair(a, b);
    if time <= end {
        let impact = Impact { time, disc: a as u32, partner: Partner(b as u32) };
        queue.push(Foreseen { impact, stamps: [course.movers[a].stamp, course.movers[b].stamp] });
    }
}

/// Foresees when a disc meets a piece of terrain.
fn foresee_terrain(queue: &mut Queue, course: &Course, end: f64, i: usize, partner: Partner, stamp: u32) {
    let time = course.meeting(i, partner);
    if time <= end {
        let impact = Impact { time, disc: i as u32, partner };
        queue.push(Foreseen { impact, stamps: [stamp, 0] });
    }
}

/// A radius and a little more, so that no rounding of a circle to f32 leaves out a pair that meets.
#[inline(always)]
pub(super) fn padded(radius: f32, at: Vec2) -> f32 {
    radius * 1.0005 + (at.x.abs() + at.y.abs()) * 2e-6
}

/// How long a window is, seconds: at most the tick.
fn window(course: &Course) -> f64 {
    let count = course.movers.len() as f64;
    let (mut square, mut radius) = (0.0, 0.0);
    let (mut low, mut high) = (bevy::math::DVec2::INFINITY, bevy::math::DVec2::NEG_INFINITY);
    for mover in &*course.movers {
        square += mover.velocity.length_squared();
        radius += mover.radius;
        (low, high) = (low.min(mover.position), high.max(mover.position));
    }
    let speed = (square / count).sqrt();
    let spacing = ((high - low).element_product() / count).sqrt();
    let path = WINDOW * (radius / count).max(0.25 * spacing);
    if speed * course.end <= path { course.end } else { (path / speed).max(course.end / MOST_WINDOWS) }
}
