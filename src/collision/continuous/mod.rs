//! Impacts: the continuous mode. Within the tick the earliest impact comes first; nothing is missed, nothing tunnels.
//!
//! Forces act between ticks: half of them before, half after, so that the paths within the tick are straight and their
//! velocity is the mean one. For each disc it is known when it meets the next thing (`meeting`); the earliest of all
//! meetings is answered with the same impulses as in the stepped mode, and only the discs that were touched look again. Few
//! discs are scanned (`scan`), many have the grid and a queue (`crowd`, `queue`); both give the same bits.
//!
//! What happens at the same time (a rack without gaps, a row of touching discs, a disc in the corner of two walls) is
//! answered one after the other, in the order of [`StableId`](crate::body::StableId), discs before walls before corners, and
//! again for as long as two that touch approach: so a row of equal discs passes a blow on to its last, as it should.
//! Impacts that never end are brought to rest (`rest`).

use bevy::prelude::*;

use super::{
    corners,
    lanes::{Job, Sixteen},
    push_apart,
    space::{Bodies, Space},
    terrain_index::{TerrainIndex, lies_in},
    walls,
};

mod crowd;
mod meeting;
mod movers;
mod queue;
mod rest;
mod scan;

pub use meeting::Meeting;
pub(super) use meeting::{corner_entry, wall_entry};
pub(super) use scan::Circles;

use crowd::Crowd;
use movers::{Course, Fall, Impact, Mover, Tools};
use scan::Scan;

/// What the continuous mode keeps from tick to tick: memory, and nothing that a result depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Continuous {
    movers: Vec<Mover>,
    falls: Vec<Fall>,
    elastic: Vec<u32>,
    standing: Vec<(u32, bevy::math::DVec2)>,
    scan: scan::Memory,
    crowd: crowd::Memory,
    /// Whether the last tick was continuous and nobody has touched the discs since, so that none overlap.
    pub(super) goes_on: bool,
    calm: Calm,
}

/// For how many ticks nothing can meet anything, if no disc gets faster. Only where the ticks follow each other.
#[derive(Clone, Debug, Default)]
struct Calm {
    /// How many more such ticks there are.
    left: u32,
    /// How many of them to look for next.
    ahead: u32,
    /// The squared speed that each disc had when somebody looked.
    speeds: Vec<f32>,
}

/// One looks for a calm of at most so many ticks.
const LONGEST_CALM: u32 = 32;

impl Calm {
    /// Whether the calm still lasts.
    #[inline(always)]
    fn lasts(&mut self, bodies: &Bodies) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut faster = false;
        for (velocity, speed) in bodies.velocity.iter().zip(&self.speeds) {
            faster |= velocity.length_squared() > *speed;
        }
        if faster {
            self.left = 0;
        }
        !faster
    }

    /// Looks whether this tick is calm, and the ticks to come.
    #[inline(always)]
    fn look<L: Sixteen>(&mut self, circles: &mut Circles, space: &Space, lanes: L) -> bool {
        let Space { bodies, terrain_index, time_step, .. } = space;
        let clearing = terrain_index.clearing();
        self.ahead = self.ahead.clamp(1, LONGEST_CALM);
        enclose(circles, bodies, time_step * self.ahead as f32);
        if quiet(circles, bodies, clearing, lanes) {
            self.left = self.ahead - 1;
            self.ahead *= 2;
            self.speeds.clear();
            self.speeds.extend(bodies.velocity.iter().map(|velocity| velocity.length_squared()));
            return true;
        }
        let looked_ahead = self.ahead > 1;
        self.ahead /= 2;
        if looked_ahead {
            enclose(circles, bodies, *time_step);
        }
        looked_ahead && quiet(circles, bodies, clearing, lanes)
    }
}

/// Who knows what comes next.
trait Agenda {
    /// The earliest meeting of the rest of the tick.
    fn next(&mut self, course: &Course) -> Option<Impact>;

    /// These discs were touched: what was foreseen for them does not come true.
    fn touched(&mut self, course: &Course, discs: &[u32]);

    /// Adds all discs that may touch this one now to a list, in any order.
    fn near(&self, course: &Course, disc: usize, discs: &mut Vec<u32>);
}

/// Takes every disc through the tick, impact by impact. Discs that overlap by more than a rounding are first pushed apart, if
/// the settings say so, and out of terrain.
pub fn impacts(space: &mut Space) {
    space.turns.clear();
    space.contacts.clear();
    space.pairs.clear();
    space.pile.acts = false;
    space.bodies.previous.clone_from(&space.bodies.position);
    space.lanes.run(Tick { space });
}

/// A whole tick, compiled for each kind of lanes.
struct Tick<'a> {
    space: &'a mut Space,
}

impl Job for Tick<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, lanes: L) {
        let Self { space } = self;
        let end = f64::from(space.time_step);
        let few = space.bodies.len() <= space.few.0;
        let goes_on = std::mem::replace(&mut space.continuous.goes_on, true);
        let mut parted = goes_on;
        if few && goes_on {
            let mut calm = std::mem::take(&mut space.continuous.calm);
            let mut circles = std::mem::take(&mut space.continuous.scan.circles);
            let is_calm = calm.lasts(&space.bodies) || calm.look(&mut circles, space, lanes);
            (space.continuous.calm, space.continuous.scan.circles) = (calm, circles);
            if is_calm {
                go_straight(&mut space.bodies, end);
                return;
            }
        } else if few {
            space.continuous.calm.left = 0;
            enclose(&mut space.continuous.scan.circles, &space.bodies, space.time_step);
        }
        let how = (space.lanes, space.threads);
        loop {
            let (mut course, Tools { scan, crowd, grid, terrain }) = Course::begin(space);
            if few {
                if parted || !overlap(&scan.circles, &course, terrain, lanes) {
                    let agenda = Scan::begin(lanes, scan, terrain, &course);
                    run(&mut course, agenda);
                    break;
                }
            } else {
                let agenda = Crowd::begin(lanes, how, (crowd, grid, terrain), &course);
                if parted || !agenda.overlap(&course) {
                    run(&mut course, agenda);
                    break;
                }
            }
            part(space);
            parted = true;
            enclose(&mut space.continuous.scan.circles, &space.bodies, space.time_step);
        }
        let gravity = space.gravity.as_dvec2();
        let Space { bodies, continuous: Continuous { movers, falls, standing, .. }, .. } = space;
        for &(i, velocity) in &*standing {
            movers[i as usize].velocity += velocity;
        }
        for (i, mover) in movers.iter().enumerate() {
            if !movers::is_sound(bodies, i) {
                continue;
            }
            bodies.position[i] = if mover.spent >= rest::WAITS { mover.position } else { mover.at(end) }.as_vec2();
            // With the second half of the forces that makes the true velocity.
            let held = falls.get(i).map(|fall| (fall.pull - gravity) * (0.5 * end) + fall.kept);
            bodies.velocity[i] = held.map_or(mover.velocity, |held| mover.velocity + held).as_vec2();
        }
    }
}

/// Answers meeting after meeting until the tick ends.
#[inline(always)]
fn run(course: &mut Course, mut agenda: impl Agenda) {
    while let Some(impact) = agenda.next(course) {
        let approach = course.answer(impact);
        let partner = impact.partner.disc();
        let mut worn = course.spend(impact.disc as usize, approach);
        if let Some(other) = partner {
            worn |= course.spend(other as usize, approach);
        }
        if worn {
            let group = course.rest(impact.disc, impact.time, |course, disc, near| agenda.near(course, disc, near));
            agenda.touched(course, &group);
        }
        match partner {
            Some(other) => agenda.touched(course, &[impact.disc, other]),
            None => agenda.touched(course, &[impact.disc]),
        }
    }
}

/// The circles around the paths of a tick.
#[inline(always)]
fn enclose(circles: &mut Circles, bodies: &Bodies, time_step: f32) {
    circles.clear(bodies.len());
    for i in 0..bodies.len() {
        if !movers::is_sound(bodies, i) {
            continue;
        }
        let velocity = bodies.velocity[i];
        let path = if velocity == Vec2::ZERO { 0.0 } else { velocity.length_squared().sqrt() * time_step };
        circles.set(i, bodies.position[i].to_array(), bodies.radius[i], path);
    }
}

/// Whether no disc can meet anything within the tick, by the circles around their paths.
#[inline(always)]
fn quiet<L: Sixteen>(circles: &Circles, bodies: &Bodies, clearing: [f32; 4], lanes: L) -> bool {
    for i in 0..bodies.len() {
        if bodies.velocity[i] == Vec2::ZERO {
            continue;
        }
        if !lies_in(circles.bounds(i), clearing) || circles.is_met(lanes, i) {
            return false;
        }
    }
    true
}

/// A tick without impacts.
#[inline(always)]
fn go_straight(bodies: &mut Bodies, end: f64) {
    for (position, velocity) in bodies.position.iter_mut().zip(&bodies.velocity) {
        if *velocity != Vec2::ZERO {
            *position = (position.as_dvec2() + velocity.as_dvec2() * end).as_vec2();
        }
    }
}

/// Whether any of a few discs overlap each other or terrain by more than a rounding, and are to be parted.
#[inline(always)]
fn overlap<L: Sixteen>(circles: &Circles, course: &Course, terrain: &TerrainIndex, lanes: L) -> bool {
    let mut found = false;
    for i in 0..course.movers.len() {
        circles.for_each_near_to(lanes, i, |j| found |= j > i && course.overlap(i, j));
        terrain.for_each_near(circles.bounds(i), |piece| found |= course.sinks(i, piece.into()));
    }
    found
}

/// Pushes overlapping discs apart and out of terrain, as the stepped mode does.
fn part(space: &mut Space) {
    space.find_pairs(0.0, 1.0);
    // So that an overlap elsewhere changes nothing here.
    space.left_overlap = movers::ROUNDING as f32;
    push_apart::push_apart(space);
    // Nobody has moved them, so each is asked for.
    let count = space.bodies.len() as u32;
    space.near_terrain.touching.clear();
    space.near_terrain.touching.extend(0..count);
    walls::walls(space);
    corners::corners(space);
    space.left_overlap = 0.0;
    space.contacts.clear();
}
