//! Candidate pairs of the stepped mode, and when they have to be asked for anew.
//!
//! The broad phase gives every disc a circle: where it is looked for, and how far it may get from there. Two discs whose circles
//! meet are a candidate pair. As long as every disc stays within its circle, whatever moves it, the candidates hold all pairs that
//! overlap; a disc that has left it gets a new circle and is asked for again. So no way of getting anywhere is overlooked: a hit
//! that speeds a disc up within the tick, a push, another system.
//!
//! How large the circles are and who got a new one never shows in a result: it decides how many pairs are tested in vain, and only
//! those that overlap are ever acted upon, in an order of their own.

use bevy::prelude::*;

use super::{
    continuous::Circles,
    grid::{Ahead, Grid, MOST_PARTNERS},
    kernels::WIDE,
    lanes::{Job, Sixteen, less, not_within},
    settings::CollisionSettings,
    space::{Bodies, Space},
};

/// A circle is larger than what it must hold by this share, so that no rounding of a distance leaves out a pair.
const PADDED: f32 = 1.0 + 4e-6;

/// And a disc counts as within its circle up to this share of its reach.
const KEPT: f32 = 1.0 - 2e-6;

/// A disc reaches no farther on its way than its radius times this: what is faster is asked for again, and does not bring
/// everybody else into one cell.
const MOST: f32 = 1.0;

/// Every disc has room for this share of its radius, however still it is: forces move it a little.
const ROOM: f32 = 0.02;

/// A disc reaches as much farther as this share of the typical speed takes it.
const HIT: f32 = 0.7;

/// What the broad phase knows of the circles; nothing in it shows in a result.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// How much farther than by their speeds discs got in this tick, metres.
    slack: f32,
    /// The share of its radius that every disc reaches at least.
    near: f32,
    /// The discs that have a circle of their own by now.
    strays: Vec<Stray>,
    /// For each disc its place in `strays`, if it is there.
    stray_of: Vec<u32>,
    /// The discs that were found outside of the circles of the grid.
    pub(super) outside: Vec<u32>,
    /// The circles that the grid does not hold, and whose they are.
    circles: Circles,
    apart: Vec<u32>,
    /// The discs near the one that is looked at.
    found: Vec<u32>,
    /// Whether somebody asks for pairs before `Integrate` has looked at all discs again: `Settle`.
    settles: bool,
    /// How many discs have circles.
    pub(super) filed: usize,
    /// How often the list of pairs was made anew. In between it only grows.
    pub(super) lists: u64,
}

/// A disc that has left the circle with which the grid was filled, and its new one.
#[derive(Clone, Copy, Debug)]
struct Stray {
    disc: u32,
    centre: Vec2,
    /// How far its centre may get from there, metres.
    allowed: f32,
    /// Its place among the circles that the grid does not hold.
    apart: Option<u32>,
}

impl Space {
    /// Finds the candidate pairs for what is left of the tick, the discs being looked for where they are in `first` seconds.
    /// Pairs are candidates from `near` times the sum of their radii on.
    pub(super) fn find_pairs(&mut self, first: f32, near: f32) {
        let Self { bodies, grid, pairs, candidates, time_step, now, lanes, threads, .. } = self;
        let rest = (*time_step - *now - first).max(0.0);
        candidates.near = near * PADDED;
        candidates.strays.clear();
        candidates.apart.clear();
        candidates.circles.clear(0);
        candidates.outside.clear();
        candidates.lists += 1;
        candidates.filed = bodies.len();
        if bodies.is_empty() {
            pairs.clear();
            return;
        }
        // Discs that are hit in the meantime get about as fast as the others are.
        let exchanged = HIT * typical_speed(bodies) * rest;
        let (slack, near) = (candidates.slack + exchanged, candidates.near + ROOM);
        let ahead = Ahead { first, rest, slack, near, most: MOST };
        grid.fill(bodies, ahead, *lanes, *threads);
        grid.pairs(*lanes, *threads, pairs);
    }

    /// Brings the candidate pairs up to date with where the discs are now, `candidates.outside` being those that may have left their
    /// circles.
    pub(super) fn update_pairs(&mut self) {
        let count = self.bodies.len();
        let near = self.candidates.near();
        if self.candidates.filed != count {
            // A system between the steps has added discs or taken some out.
            return self.find_pairs(0.0, near);
        }
        self.candidates.leave_out_followed(&self.bodies);
        let many = self.candidates.outside.len();
        if many == 0 {
            return;
        }
        if many > 64 + count / 16 {
            self.candidates.learn(&self.bodies, &self.grid);
            self.find_pairs(0.0, near);
        } else {
            let rest = (self.time_step - self.now).max(0.0);
            let Self { bodies, grid, pairs, candidates, lanes, .. } = self;
            lanes.run(Follow { bodies, grid, pairs, candidates, rest });
            if candidates.apart.len() > 64 + count / 64 {
                self.find_pairs(0.0, near);
            }
        }
        self.candidates.outside.clear();
    }
}

impl Candidates {
    /// Forgets what it has learnt, where a tick begins: of a heap in one spot not all pairs are found, and which ones are must follow
    /// from the discs alone.
    pub(super) fn begin_tick(&mut self, settings: &CollisionSettings) {
        self.slack = 0.0;
        self.settles = settings.resting_speed > 0.0;
    }

    /// Learns from the discs outside of their circles how much larger those should have been.
    fn learn(&mut self, bodies: &Bodies, grid: &Grid) {
        let (centres, _) = grid.circles();
        let way = |&i: &u32| f64::from(bodies.position[i as usize].distance(centres[i as usize]));
        let mean = self.outside.iter().map(way).sum::<f64>() / self.outside.len() as f64;
        self.slack = (self.slack + 2.0 * mean as f32).min(super::LIMIT);
    }

    /// The share of its radius that every disc reaches at least.
    pub(super) fn near(&self) -> f32 {
        self.near / PADDED
    }

    /// Of the discs outside of the grid's circles, leaves out those that are within a newer one of their own.
    fn leave_out_followed(&mut self, bodies: &Bodies) {
        let Self { outside, strays, stray_of, .. } = self;
        stray_of.resize(bodies.len(), 0);
        outside.retain(|&i| {
            let own = strays.get(stray_of[i as usize] as usize).filter(|stray| stray.disc == i);
            !own.is_some_and(|own| {
                let way = bodies.position[i as usize].distance_squared(own.centre);
                own.allowed >= 0.0 && way <= own.allowed * own.allowed
            })
        });
    }

    /// Discs were pushed after `Integrate`: they may have left their circles.
    pub(super) fn pushed_later(&mut self, discs: impl IntoIterator<Item = u32>, bodies: &Bodies, grid: &Grid) {
        if self.settles {
            discs.into_iter().for_each(|disc| self.pushed(disc, bodies, grid));
        }
    }

    /// A disc was pushed: it may have left its circle.
    pub(super) fn pushed(&mut self, disc: u32, bodies: &Bodies, grid: &Grid) {
        if self.filed != bodies.len() {
            return;
        }
        let (i, (centre, reach)) = (disc as usize, grid.circles());
        let allowed = reach[i] * KEPT - bodies.radius[i] * self.near();
        if !(allowed >= 0.0 && bodies.position[i].distance_squared(centre[i]) <= allowed * allowed) {
            self.outside.push(disc);
        }
    }
}

/// The root mean square speed of some of the discs, m/s.
fn typical_speed(bodies: &Bodies) -> f32 {
    const LOOKS: usize = 64;
    let some = bodies.velocity.iter().step_by(bodies.len().div_ceil(LOOKS));
    let (sum, count) = some.fold((0.0_f64, 0.0), |(sum, count), v| (sum + v.as_dvec2().length_squared(), count + 1.0));
    (sum / count).sqrt() as f32
}

/// Which of some discs are not within their circles, as bits; `circles` are their radii and their reaches.
#[inline(always)]
pub(super) fn outside<L: Sixteen>(
    lanes: L,
    position: &[Vec2; WIDE],
    centre: &[Vec2; WIDE],
    circles: [&[f32; WIDE]; 2],
    near: f32,
) -> u32 {
    let squared = lanes.distances_squared(position, centre);
    let (kept, near) = (lanes.splat(KEPT), lanes.splat(near));
    let (radius, reach) = (lanes.load(circles[0]), lanes.load(circles[1]));
    not_within(lanes, [squared; 2], lanes.sub(lanes.mul(reach, kept), lanes.mul(radius, near)))
}

/// Gives every disc that has left its circle a new one, and finds its pairs.
struct Follow<'a> {
    bodies: &'a Bodies,
    grid: &'a mut Grid,
    pairs: &'a mut Vec<[u32; 2]>,
    candidates: &'a mut Candidates,
    /// How much of the tick is left, seconds.
    rest: f32,
}

impl Job for Follow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sixteen>(self, lanes: L) {
        let Self { bodies, grid, pairs, candidates, rest } = self;
        let Candidates { slack, near, strays, stray_of, outside, circles, apart, found, .. } = candidates;
        for &i in &*outside {
            let disc = i as usize;
            let (centre, radius) = (bodies.position[disc], bodies.radius[disc]);
            let path = bodies.velocity[disc].length_squared().sqrt() * rest + *slack;
            let reach = (radius * *near + less(path, radius * MOST)) * PADDED;
            found.clear();
            grid.list_near(lanes, centre, reach, found);
            circles.for_each_near(lanes, centre, reach, |at| found.push(apart[at]));
            found.truncate(2 * MOST_PARTNERS);
            pairs.extend(found.iter().filter(|&&j| j != i).map(|&j| [i.min(j), i.max(j)]));
            let own = strays.get(stray_of[disc] as usize).filter(|stray| stray.disc == i).copied();
            let mut listed = own.and_then(|own| own.apart);
            let refiled = listed.is_none() && grid.refile(i, centre, reach);
            if refiled {
                // Where it was filed before, nobody looks for it any more.
                grid.forget_circle(i);
            } else {
                let at = listed.unwrap_or(apart.len() as u32);
                if listed.is_none() {
                    apart.push(i);
                }
                circles.put(at as usize, centre, reach);
                listed = Some(at);
            }
            let stray = Stray { disc: i, centre, allowed: reach * KEPT - radius * *near / PADDED, apart: listed };
            if own.is_some() {
                strays[stray_of[disc] as usize] = stray;
            } else {
                stray_of[disc] = strays.len() as u32;
                strays.push(stray);
            }
        }
    }
}
