//! What instruments see of a tick: its hits, and the path of each disc as straight legs.

use bevy::prelude::*;

use crate::collision::{ForceStep, Hit, PathVertex, PhysicsSpace, SolverMode};

/// Discs that jump by at most this share of their radius have gone there, as joints correct places at the end of a
/// substep.
const CORRECTION: f32 = 0.01;

/// A disc whose centre has crossed the line of a photogate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// When, seconds of the clock of the instruments.
    pub time: f64,
    /// The speed of the disc, m/s.
    pub speed: f64,
    /// The [`StableId`](crate::components::StableId) of the disc.
    pub disc: u64,
    /// Whether it went to the right of a person who looks along [`Photogate::half`](super::Photogate::half).
    pub to_the_right: bool,
}

/// A straight part of the path of a disc within a tick. A jump, such as a portal, is not part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where it begins, metres.
    pub from: Vec2,
    /// Where it ends, metres.
    pub to: Vec2,
    /// When it begins, seconds from the start of the tick.
    pub start: f32,
    /// When it ends.
    pub end: f32,
}

impl Leg {
    /// The velocity on it, m/s.
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        (self.to - self.from) / (self.end - self.start)
    }
}

/// The positions of all discs at some times of a tick.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Samples {
    /// The times with the positions, in order.
    at: Vec<(f32, Vec<Vec2>)>,
    /// The number of samples of this tick; the others keep their memory.
    used: usize,
    /// Velocities at the start of the tick, m/s.
    velocities: Vec<Vec2>,
    /// Whether anything moved at the start of the tick.
    any_moved: bool,
}

impl Samples {
    /// Begins a tick.
    pub fn begin(&mut self, space: &PhysicsSpace) {
        self.used = 0;
        self.velocities.clone_from(&space.discs.velocity);
        self.any_moved = space.any_moves();
        self.take(space);
    }

    /// Adds the current positions, unless they are those of the last sample.
    pub fn take(&mut self, space: &PhysicsSpace) {
        let time = match space.laws.settings.mode {
            SolverMode::Stepped => space.clock.now,
            SolverMode::Continuous if space.clock.force_step == ForceStep::SecondHalf => space.clock.time_step,
            SolverMode::Continuous => 0.0,
        };
        let positions = &space.discs.position;
        if self.used > 0 && self.at[self.used - 1].1 == *positions {
            return;
        }
        if self.used == self.at.len() {
            self.at.push((time, positions.clone()));
        } else {
            self.at[self.used].0 = time;
            self.at[self.used].1.clone_from(positions);
        }
        self.used += 1;
    }
}

/// What instruments see of a tick.
pub struct InstrumentMoment<'a> {
    /// The space after the tick.
    pub space: &'a PhysicsSpace,
    /// The time at which the tick begins, seconds of the clock of the instruments.
    pub start: f64,
    /// Whether the run was paused before the tick.
    pub follows_a_pause: bool,
    /// The lowest speed of approach of hits that count, m/s: `report_above` of the settings.
    pub(super) report_above: f32,
    pub(super) samples: &'a Samples,
    /// The path vertices of the tick, by disc and time.
    pub(super) vertices: Vec<PathVertex>,
    /// The id of a piece of terrain.
    pub(super) id_of: &'a dyn Fn(Entity) -> Option<u64>,
    /// The length of the outline of the piece of terrain with an id, metres.
    pub(super) length_of: &'a dyn Fn(u64) -> Option<f64>,
    /// The passages through all photogates, with the names of these.
    pub(super) passages: Vec<(String, Passage)>,
}

impl InstrumentMoment<'_> {
    /// The time at which the tick ends, seconds of the clock of the instruments.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.start + f64::from(self.space.clock.time_step)
    }

    /// The hits of the tick that count.
    pub fn hits(&self) -> impl Iterator<Item = &Hit> {
        self.space.report.hits.iter().filter(|hit| hit.approach_speed >= self.report_above)
    }

    /// The id of a piece of terrain.
    #[must_use]
    pub fn id_of(&self, terrain: Entity) -> Option<u64> {
        (self.id_of)(terrain)
    }

    /// The length of the outline of a piece of terrain, metres.
    #[must_use]
    pub fn length_of(&self, terrain: u64) -> Option<f64> {
        (self.length_of)(terrain)
    }

    /// The index of the disc with this id.
    #[must_use]
    pub fn disc(&self, id: u64) -> Option<usize> {
        self.space.discs.id.binary_search(&id).ok()
    }

    pub(super) fn passages_of(&self, name: &str) -> impl Iterator<Item = &Passage> {
        self.passages.iter().filter(move |(gate, _)| gate == name).map(|(_, passage)| passage)
    }

    /// Whether this disc moved before the tick and rests after it.
    #[must_use]
    pub fn came_to_rest(&self, id: u64) -> bool {
        let Some(i) = self.disc(id) else { return false };
        self.samples.velocities.get(i).is_some_and(|&before| before != Vec2::ZERO)
            && self.space.discs.velocity[i] == Vec2::ZERO
    }

    /// Whether anything moved before the tick and nothing does after it.
    #[must_use]
    pub fn all_came_to_rest(&self) -> bool {
        self.samples.any_moved && !self.space.any_moves()
    }

    /// The positions of a disc at known times of the tick with these times, in no order.
    fn points(&self, disc: usize) -> impl Iterator<Item = (f32, Vec2)> {
        let Samples { at, used, .. } = self.samples;
        let samples = at[..*used].iter().filter_map(move |(time, positions)| Some((*time, *positions.get(disc)?)));
        let first = self.vertices.partition_point(|vertex| (vertex.disc as usize) < disc);
        let vertices = self.vertices[first..].iter().take_while(move |vertex| vertex.disc as usize == disc);
        samples.chain(vertices.map(|vertex| (vertex.time, vertex.position)))
    }

    fn end_of(&self, disc: usize) -> Option<(f32, Vec2)> {
        Some((self.space.clock.time_step, *self.space.discs.position.get(disc)?))
    }

    /// Whether all known positions of a disc in the tick give the same answer. Then none of its legs needs a look.
    pub(super) fn is_all_the_same(&self, disc: usize, answer: impl Fn(Vec2) -> bool) -> bool {
        let mut answers = self.points(disc).chain(self.end_of(disc)).map(|(_, place)| answer(place));
        let first = answers.next();
        answers.all(|answer| Some(answer) == first)
    }

    /// The path of a disc in the tick. In the continuous mode the legs end at its impacts. In the stepped mode they are
    /// the chords of the substeps, so a bounce off terrain within a substep is cut short.
    #[must_use]
    pub fn legs(&self, disc: usize) -> Vec<Leg> {
        let mut points: Vec<(f32, Vec2)> = self.points(disc).collect();
        // The sort is stable: where a disc crosses a periodic edge it leaves before it enters.
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.extend(self.end_of(disc));
        let near = CORRECTION * self.space.discs.radius.get(disc).copied().unwrap_or_default();
        let mut legs: Vec<Leg> = Vec::with_capacity(points.len());
        for pair in points.windows(2) {
            let [(start, from), (end, to)] = *pair else { continue };
            // A disc in a pocket has no position.
            if from.is_nan() || to.is_nan() {
                continue;
            }
            if end > start {
                legs.push(Leg { from, to, start, end });
            } else if let Some(leg) = legs.last_mut()
                && leg.to == from
                && from.distance(to) <= near
            {
                leg.to = to;
            }
        }
        legs
    }
}
