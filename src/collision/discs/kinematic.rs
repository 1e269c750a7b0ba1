//! Kinematic discs in the steps: their list, and the straight path of each through the tick. Nothing in the tick
//! changes them: before a velocity in the arrays is used, any change to it by forces and hits is reverted.

use bevy::{math::DVec2, prelude::*};

use super::{
    Discs,
    lists::{OfDisc, entry_of, place_of},
};
use crate::{
    collision::{periodic::Cell, spin::Spin},
    components::{LIMIT, PeriodicMotion},
};

/// A disc of the arrays that is [`Kinematic`](crate::components::Kinematic).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KinematicDisc {
    /// Its index.
    pub disc: u32,
    /// Its position at the end of the tick, metres; `None` to continue with its velocity.
    pub move_to: Option<Vec2>,
    /// Its path through the current tick; `None` between ticks.
    pub way: Option<Way>,
}

/// A kinematic disc that follows a periodic motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodicDisc {
    /// Its index.
    pub disc: u32,
    pub(crate) motion: PeriodicMotion,
}

impl OfDisc for PeriodicDisc {
    fn disc(&self) -> u32 {
        self.disc
    }
}

/// The straight path of a kinematic disc through a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Its start, metres.
    pub(super) from: DVec2,
    /// Its end, metres.
    pub(super) to: DVec2,
    /// Metres per second.
    pub velocity: DVec2,
    /// The velocity in the arrays, and the spin.
    pub(super) motion: (Vec2, Option<Spin>),
}

impl Way {
    /// The position after a share of the tick, metres.
    pub fn at(&self, share: f64) -> DVec2 {
        if share >= 1.0 { self.to } else { self.from + (self.to - self.from) * share }
    }
}

impl Way {
    /// Moves the path, metres.
    pub fn shift(&mut self, by: DVec2) {
        self.from += by;
        self.to += by;
    }
}

impl OfDisc for KinematicDisc {
    fn disc(&self) -> u32 {
        self.disc
    }
}

impl KinematicDisc {
    /// A disc between two ticks.
    pub fn new(disc: u32, move_to: Option<Vec2>) -> Self {
        Self { disc, move_to, way: None }
    }
}

impl Discs {
    /// Whether a disc is [`Kinematic`](crate::components::Kinematic).
    #[must_use]
    pub fn is_kinematic(&self, i: usize) -> bool {
        self.kinematic_disc(i).is_some()
    }

    /// Makes a disc kinematic, with a target for the end of the next tick (metres) or none, or makes it dynamic again.
    /// Use it for a [`Prediction`](crate::timeline::Prediction) of what a player might do.
    ///
    /// # Panics
    /// If no disc has this index.
    pub fn set_kinematic(&mut self, i: usize, kinematic: bool, move_to: Option<Vec2>) {
        assert!(i < self.len(), "there is no disc {i}");
        let disc = i as u32;
        match (place_of(&self.kinematic, i), kinematic) {
            (Ok(at), true) => self.kinematic[at] = KinematicDisc::new(disc, move_to),
            (Err(at), true) => self.kinematic.insert(at, KinematicDisc::new(disc, move_to)),
            (Ok(at), false) => {
                self.kinematic.remove(at);
            }
            (Err(_), false) => {}
        }
    }

    /// The data of a kinematic disc; `None` for any other disc.
    pub(crate) fn kinematic_disc(&self, i: usize) -> Option<&KinematicDisc> {
        entry_of(&self.kinematic, i)
    }

    /// The indices of kinematic discs, and their paths through the current tick.
    pub(crate) fn kinematic_ways(&self) -> impl Iterator<Item = (usize, Way)> + use<'_> {
        // A system between the steps may have removed discs.
        let there = self.kinematic.iter().filter(|kinematic| (kinematic.disc as usize) < self.len());
        there.filter_map(|kinematic| kinematic.way.map(|way| (kinematic.disc as usize, way)))
    }
}

impl Discs {
    /// Finds the paths of the kinematic discs through the next tick, which lasts `time_step` seconds.
    pub(crate) fn begin_kinematic(&mut self, time_step: f32, cell: Option<Cell>) {
        let mut kinematic = std::mem::take(&mut self.kinematic);
        for KinematicDisc { disc, move_to, way } in &mut kinematic {
            let i = *disc as usize;
            if i >= self.len() {
                continue;
            }
            let (from, seconds) = (self.position[i].as_dvec2(), f64::from(time_step));
            let own = self.velocity[i].as_dvec2();
            // The shorter way across periodic edges.
            let led_to =
                move_to.or_else(|| entry_of(&self.periodic, i).map(|periodic| periodic.motion.after(seconds).place()));
            let target = led_to.map(|target| {
                cell.map_or(target.as_dvec2(), |cell| from + cell.nearest_exactly(target.as_dvec2() - from))
            });
            let (to, velocity) = match target {
                Some(target) if seconds > 0.0 => (target, (target - from) / seconds),
                _ => (from + own * seconds, own),
            };
            if led_to.is_some() {
                let most = DVec2::splat(f64::from(LIMIT));
                self.velocity[i] = velocity.clamp(-most, most).as_vec2();
            }
            // A disc that a system has made invalid collides with nothing; the next tick rejects it with a warning.
            let valid = to.is_finite() && velocity.is_finite();
            *way = valid.then(|| Way { from, to, velocity, motion: (self.velocity[i], self.spin_of(i)) });
        }
        self.kinematic = kinematic;
    }

    /// Restores the velocities and spins that the kinematic discs have in this tick.
    pub(crate) fn keep_kinematic_velocities(&mut self) {
        let kinematic = std::mem::take(&mut self.kinematic);
        for KinematicDisc { disc, way, .. } in &kinematic {
            let (i, Some(Way { motion: (velocity, spin), .. })) = (*disc as usize, way) else { continue };
            if i < self.len() {
                self.velocity[i] = *velocity;
                self.set_spin(i, *spin);
            }
        }
        self.kinematic = kinematic;
    }

    /// Moves the kinematic discs to their positions after a share of the tick.
    pub(crate) fn place_kinematic(&mut self, share: f64) {
        for k in 0..self.kinematic.len() {
            let KinematicDisc { disc, way, .. } = self.kinematic[k];
            if let (Some(position), Some(way)) = (self.position.get_mut(disc as usize), way) {
                *position = way.at(share).as_vec2();
            }
        }
    }

    /// Ends a tick of this many seconds: kinematic discs get the velocity that they had in it.
    pub(crate) fn finish_kinematic(&mut self, time_step: f32) {
        if self.kinematic.is_empty() {
            return;
        }
        self.keep_kinematic_velocities();
        self.place_kinematic(1.0);
        self.kinematic.iter_mut().for_each(|kinematic| kinematic.way = None);
        for PeriodicDisc { motion, .. } in &mut self.periodic {
            *motion = motion.after(f64::from(time_step));
        }
    }
}
