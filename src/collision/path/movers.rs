//! Kinematic discs on their paths through a substep. They move straight and hit what is on their way; other discs
//! search for them here.

use bevy::{math::DVec2, prelude::*};

use crate::collision::{
    discs::Discs,
    periodic::Cell,
    shape::{
        Bounds, Tree,
        time_of_impact::{NEVER, time_of_impact},
    },
};

/// A kinematic disc on its path through a substep.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    pub disc: u32,
    /// Its position at the start of the substep, metres.
    pub from: DVec2,
    /// Metres per second.
    pub velocity: DVec2,
    pub radius: f64,
}

impl Mover {
    /// Its position at a time of the substep, metres.
    pub fn at(&self, t: f64) -> DVec2 {
        self.from + self.velocity * t
    }

    /// The time until it hits a disc with this position, velocity and radius, in seconds from the time `t` of the
    /// substep.
    pub fn time_of_impact(&self, t: f64, [at, velocity]: [DVec2; 2], radius: f64) -> f64 {
        let speed = || (velocity.abs() + self.velocity.abs()).element_sum();
        time_of_impact(self.at(t) - at, self.velocity - velocity, radius + self.radius, speed)
    }
}

/// All kinematic discs of a substep, with their paths.
#[derive(Clone, Debug, Default)]
pub struct Movers {
    list: Vec<Mover>,
    tree: Tree,
    /// A box around all paths.
    bounds: Option<Bounds>,
}

impl Movers {
    /// The kinematic discs between two shares of the tick, or at their current positions without shares; including
    /// their images across periodic edges.
    pub fn between(discs: &Discs, cell: Option<Cell>, shares: Option<[f64; 2]>) -> Self {
        let (mut list, mut boxes) = (Vec::new(), Vec::new());
        for (i, way) in discs.kinematic_ways() {
            let now = discs.position[i].as_dvec2();
            let [from, to] = shares.map_or([now; 2], |shares| shares.map(|share| way.at(share)));
            let radius = discs.radius[i];
            if !(radius > 0.0) {
                continue;
            }
            let mut add = |shift: Vec2| {
                let [from, to] = [from, to].map(|at| at + shift.as_dvec2());
                boxes.push((Bounds::of_way([from.as_vec2(), to.as_vec2()], radius), list.len() as u32));
                list.push(Mover { disc: i as u32, from, velocity: way.velocity, radius: f64::from(radius) });
            };
            match cell {
                None => add(Vec2::ZERO),
                Some(cell) => {
                    let (low, high) = (from.min(to).as_vec2(), from.max(to).as_vec2());
                    cell.images(Bounds::new(low, high).expanded(radius)).for_each(add);
                }
            }
        }
        let bounds = boxes.iter().map(|&(bounds, _)| bounds).reduce(Bounds::union);
        Self { list, tree: Tree::new(&mut boxes), bounds }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds to a list the kinematic discs that disc `i` collides with and that may be in a box.
    pub fn list(&self, discs: &Discs, i: usize, bounds: Bounds, found: &mut Vec<Mover>) {
        self.tree.for_each_overlapping(bounds, |at| {
            let mover = self.list[at as usize];
            if discs.filter.is_empty() || discs.filter.meet(i, mover.disc as usize) {
                found.push(mover);
            }
        });
    }

    /// Whether any kinematic disc may be in a box.
    pub fn meet(&self, bounds: Bounds) -> bool {
        let near = |all: Bounds| all.overlaps(bounds);
        let mut found = false;
        if self.bounds.is_some_and(near) {
            self.tree.for_each_overlapping(bounds, |_| found = true);
        }
        found
    }

    /// Adds the discs that may hit one on their straight paths to those that may touch terrain, in order, and removes
    /// the kinematic ones.
    pub fn add_met(&self, discs: &Discs, touching: &mut Vec<u32>) {
        let known = touching.len();
        for i in 0..discs.len() {
            if self.meet(Bounds::of_way([discs.previous[i], discs.position[i]], discs.radius[i])) {
                touching.push(i as u32);
            }
        }
        if touching.len() > known {
            touching.sort_unstable();
            touching.dedup();
        }
        touching.retain(|&disc| !discs.is_kinematic(disc as usize));
    }

    /// The first one that a disc on a straight path hits, and the time in seconds. At equal times the first in the
    /// order of discs counts. `None` if that is later than `rest`.
    pub fn first_met(near: &[Mover], t: f64, way: [DVec2; 2], radius: f64, rest: f64) -> Option<(f64, Mover)> {
        let mut first: Option<(f64, Mover)> = None;
        for &mover in near {
            let time = mover.time_of_impact(t, way, radius);
            let earlier = |&(other, met): &(f64, Mover)| (time, mover.disc) < (other, met.disc);
            if time <= rest && time < NEVER && first.as_ref().is_none_or(earlier) {
                first = Some((time, mover));
            }
        }
        first
    }
}
