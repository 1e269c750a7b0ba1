//! The periodic cell of a [`PhysicsSpace`]: whether the discs of the tick fit into it, positions wrapped into it, and
//! differences across its edges.

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::collision::{
    broad_phase::BroadPhase,
    discs::{Discs, lists::place_of},
    path::PathVertex,
    periodic::{Cell, MIN_PERIOD},
    shape::Bounds,
};

/// The reason why a space is not periodic although its settings ask for it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Refusal {
    /// The entity of a disc, its radius and the shortest period, metres.
    TooLarge(Entity, f32, f32),
    /// A spinning disc.
    Spins(Entity),
}

impl Refusal {
    fn of(cell: &Cell, discs: &Discs) -> Option<Self> {
        let most = cell.shortest() / (2.0 * MIN_PERIOD);
        if let Some(i) = discs.radius.iter().position(|&radius| radius > most) {
            return Some(Self::TooLarge(discs.entity[i], discs.radius[i], cell.shortest()));
        }
        discs.spin.iter().position(Option::is_some).map(|i| Self::Spins(discs.entity[i]))
    }

    fn warn(self) {
        match self {
            Self::TooLarge(entity, radius, period) => tracing::warn!(
                "periodic edges: {entity} has a radius of {radius} m, and the period is {period} m; it must be at \
                least {MIN_PERIOD} times the diameter of the largest disc. The edges stay open until the cell is \
                larger or the disc smaller"
            ),
            Self::Spins(entity) => tracing::warn!(
                "periodic edges: {entity} has an AngularVelocity, and tables cannot have periodic edges. They stay \
                open until no disc has one"
            ),
        }
    }
}

impl PhysicsSpace {
    /// The vector from one position to another, metres: to the nearest image across periodic edges, otherwise `b - a`.
    /// Forces that use it attract across the edges.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use carom::prelude::*;
    /// fn attract(space: &mut PhysicsSpace) {
    ///     let (sun, strength) = (Vec2::ZERO, 3.0 * space.substep());
    ///     for i in 0..space.discs.len() {
    ///         let way = space.difference(space.discs.position[i], sun);
    ///         space.discs.velocity[i] += way * strength;
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn difference(&self, a: Vec2, b: Vec2) -> Vec2 {
        self.cell.map_or(b - a, |cell| cell.nearest(b - a))
    }

    /// Whether the shortest way between two positions crosses a periodic edge.
    #[must_use]
    pub fn is_across_an_edge(&self, a: Vec2, b: Vec2) -> bool {
        self.cell.is_some_and(|cell| cell.nearest(b - a) != b - a)
    }

    /// The equivalent position within the periodic cell; without periodic edges, the position itself.
    #[must_use]
    pub fn wrapped(&self, place: Vec2) -> Vec2 {
        self.cell.map_or(place, |cell| cell.wrapped(place))
    }

    /// The cell of periodic edges, metres; infinite along an axis that is not periodic. `None` if no axis is periodic.
    #[must_use]
    pub fn periodic_cell(&self) -> Option<Rect> {
        let cell = self.cell?;
        let ends =
            |axis: usize| cell.axis(axis).map_or([f64::NEG_INFINITY, f64::INFINITY], |[low, size]| [low, low + size]);
        let ([left, right], [bottom, top]) = (ends(0).map(|at| at as f32), ends(1).map(|at| at as f32));
        Some(Rect { min: Vec2::new(left, bottom), max: Vec2::new(right, top) })
    }

    /// The shifts that map a box (metres) to its images within the periodic cell, metres; empty if there are none.
    pub fn images_of(&self, bounds: Rect) -> impl Iterator<Item = Vec2> + use<> {
        let shifts = self.cell.map(|cell| cell.shifts(Bounds::new(bounds.min, bounds.max), 0.0));
        let still = shifts.is_none().then_some(Vec2::ZERO);
        shifts.into_iter().flatten().chain(still)
    }

    /// At the start of a tick: finds the cell of the settings, if the discs fit, and wraps them into it.
    pub(crate) fn begin_cell(&mut self) {
        let asked = Cell::of(&self.laws.settings.periodic);
        if asked.is_none() && self.cell.is_none() {
            return;
        }
        let refusal = asked.as_ref().and_then(|cell| Refusal::of(cell, &self.discs));
        let cell = asked.filter(|_| refusal.is_none());
        if let Some(refusal) = refusal
            && (self.cell.is_some() || !self.cell_refused)
        {
            refusal.warn();
        }
        self.cell_refused = refusal.is_some();
        if cell != self.cell {
            // The earlier candidate pairs belong to another space.
            self.broad_phase.candidates.forget();
        }
        self.cell = cell;
        self.wrap_discs(0.0);
    }

    /// Wraps every disc into the cell at a time of the tick, in seconds, together with the start of its path.
    pub(crate) fn wrap_discs(&mut self, time: f32) {
        let Some(cell) = self.cell else { return };
        let Self { discs, broad_phase: BroadPhase { candidates, .. }, report, .. } = self;
        let Discs { position, previous, kinematic, .. } = discs;
        for (i, (position, previous)) in position.iter_mut().zip(previous).enumerate() {
            let back = cell.wrapped(*position);
            if back != *position && !position.is_nan() {
                let disc = i as u32;
                // No spinning disc is here, and only balls fly.
                let vertex = |position| PathVertex { disc, time, position, height: 0.0 };
                report.path_vertices.extend([*position, back].map(vertex));
                let shift = back - *position;
                *previous += shift;
                *position = back;
                // It leaves the circle in which others searched for it.
                candidates.outside.push(disc);
                if let Ok(at) = place_of(kinematic, i)
                    && let Some(way) = &mut kinematic[at].way
                {
                    way.shift(shift.as_dvec2());
                }
            }
        }
    }

    /// Shortens the straight paths of discs that are too fast for the cell in a substep.
    pub(crate) fn stay_within_reach(&mut self, acceleration: Vec2) {
        let Some(cell) = self.cell else { return };
        let substep = self.substep();
        for i in 0..self.discs.len() {
            let velocity = self.discs.velocity[i];
            let own = cell.time_within_reach(velocity, substep);
            if own < substep {
                let fall = self.own_acceleration(i, acceleration.as_dvec2()).as_vec2() * (0.5 * own * own);
                self.discs.position[i] = self.discs.previous[i] + velocity * own - fall;
            }
        }
    }

    /// The part of a substep for which a disc moves, seconds: all of it, unless the disc is too fast for the cell.
    pub(crate) fn own_substep(&self, disc: usize) -> f32 {
        let substep = self.substep();
        self.cell.map_or(substep, |cell| cell.time_within_reach(self.discs.velocity[disc], substep))
    }
}
