//! Parts that several meters share.

use crate::{
    collision::{Hit, HitTarget, PhysicsSpace},
    laboratory::blocks::{Blocks, jackknife_error},
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
