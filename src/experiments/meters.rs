//! Parts that several meters share.

use super::{Meter, Outcome};
use crate::{
    collision::{Hit, HitTarget, PhysicsSpace},
    laboratory::{
        Estimate, Laboratory,
        blocks::{Blocks, jackknife_error},
        quantity,
    },
};

/// A ratio of two sums over a run, with the error from the scatter of its parts.
pub(super) struct Ratio {
    blocks: Blocks,
}

impl Default for Ratio {
    fn default() -> Self {
        Self { blocks: Blocks::new(2) }
    }
}

impl Ratio {
    /// Adds a tick to the sums.
    pub(super) fn add(&mut self, upper: f64, lower: f64) {
        let sums = self.blocks.current();
        sums[0] += upper;
        sums[1] += lower;
        self.blocks.end_tick();
    }

    /// The lower sum.
    pub(super) fn lower(&self) -> f64 {
        self.blocks.total()[1]
    }

    /// The ratio and its standard error.
    pub(super) fn value(&self) -> (f64, Option<f64>) {
        let ratio = |sums: &[f64]| sums[0] / sums[1];
        let parts: Vec<f64> = self.blocks.without_each().iter().map(|sums| ratio(sums)).collect();
        (ratio(&self.blocks.total()), jackknife_error(&parts))
    }
}

/// A quantity of the laboratory, measured for a fixed time. The meter needs one tick more, because the laboratory
/// prepares in the first one.
pub(super) struct Measured {
    laboratory: Laboratory,
    /// The time before the measurement, and its length, seconds.
    warm_up: f64,
    seconds: f64,
    /// Changes the measured value with its theory into those of the experiment.
    change: Box<dyn Fn(Estimate) -> Estimate + Send + Sync>,
    outcome: Outcome,
}

/// The share of the run after which the value is read again. Reading takes longer than a tick.
const READ_EACH: f64 = 0.02;

impl Measured {
    /// A meter for this quantity.
    pub(super) fn meter(
        name: &str,
        [warm_up, seconds]: [f64; 2],
        change: impl Fn(Estimate) -> Estimate + Send + Sync + 'static,
    ) -> Box<dyn Meter> {
        let mut laboratory = Laboratory::default();
        laboratory.start(quantity(name));
        Box::new(Self { laboratory, warm_up, seconds, change: Box::new(change), outcome: Outcome::waiting(0.0) })
    }

    /// The value as a share of its theory.
    pub(super) fn share(Estimate { value, error, theory }: Estimate) -> Estimate {
        let theory = theory.unwrap_or(1.0);
        Estimate { value: value / theory, error: error.map(|error| error / theory), theory: Some(1.0) }
    }
}

impl Meter for Measured {
    fn observe(&mut self, space: &PhysicsSpace) {
        if seconds(space) < self.warm_up {
            return;
        }
        self.laboratory.observe(space);
        let progress = (self.laboratory.seconds() / self.seconds + 1e-9).min(1.0);
        if progress < 1.0 && progress < self.outcome.progress + READ_EACH {
            return;
        }
        let reading = self.laboratory.results().into_iter().find_map(|measured| measured.outcome.ok());
        self.outcome = match reading {
            Some(reading) => Outcome { value: Some((self.change)(reading.value)), progress },
            None => Outcome::waiting(progress),
        };
    }

    fn outcome(&self) -> Outcome {
        self.outcome
    }
}

/// The hits between two discs in the last tick, by their numbers.
pub(super) fn disc_hits(space: &PhysicsSpace) -> impl Iterator<Item = [usize; 2]> + '_ {
    space.report.hits.iter().filter_map(|hit| match hit.target {
        HitTarget::Disc(other) => Some([hit.disc as usize, other as usize]),
        HitTarget::Wall(_) | HitTarget::FixedCircle(_) => None,
    })
}

/// The hits on terrain in the last tick.
pub(super) fn wall_hits(space: &PhysicsSpace) -> impl Iterator<Item = &Hit> {
    space.report.hits.iter().filter(|hit| !matches!(hit.target, HitTarget::Disc(_)))
}

/// The one wall of a scene that moves along x, its face being to the left of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingWall {
    /// The place of its face now, metres.
    pub(super) face: f64,
    /// Its velocity along x at the start, m/s, if it moves evenly.
    pub(super) velocity: f64,
    /// The place of its face in the middle of its swing, metres, its amplitude, metres, and its frequency, hertz, if it
    /// swings.
    pub(super) swing: Option<[f64; 3]>,
}

impl MovingWall {
    /// The only moving piece of terrain, seen from the left.
    pub(super) fn of(space: &PhysicsSpace) -> Option<Self> {
        let [piece] = &space.moving.pieces[..] else { return None };
        let face = Self::face_of(space, f64::min)?;
        let depth = f64::from(piece.pose.position.x) - face;
        let swing = piece.drive.periodic.map(|swing| {
            let [centre, amplitude, frequency] = [swing.centre.x, swing.cosine.x, swing.frequency].map(f64::from);
            [centre - depth, amplitude.abs(), frequency.abs()]
        });
        Some(Self { face, velocity: f64::from(piece.drive.velocity.x), swing })
    }

    /// The extreme place of the moving terrain along x, metres.
    pub(super) fn face_of(space: &PhysicsSpace, extreme: fn(f64, f64) -> f64) -> Option<f64> {
        let (walls, _) = space.moving.placed();
        walls.iter().flat_map(|wall| [wall.a.x, wall.b.x]).map(f64::from).reduce(extreme)
    }
}

/// The left and the right end of the static walls, metres.
pub(super) fn ends(space: &PhysicsSpace) -> Option<[f64; 2]> {
    let places = || space.walls().iter().flat_map(|wall| [wall.a.x, wall.b.x]).map(f64::from);
    Some([places().reduce(f64::min)?, places().reduce(f64::max)?])
}

/// The lower and the upper end of the static walls, metres.
pub(super) fn height(space: &PhysicsSpace) -> Option<f64> {
    let places = || space.walls().iter().flat_map(|wall| [wall.a.y, wall.b.y]).map(f64::from);
    Some(places().reduce(f64::max)? - places().reduce(f64::min)?)
}

/// The seconds up to the end of the last tick.
pub(super) fn seconds(space: &PhysicsSpace) -> f64 {
    space.clock.seconds
}
