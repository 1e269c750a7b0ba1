//! How far two tracks are apart: the difference of each disc, and its growth with the hits.

use bevy::{
    math::{DVec2, ops},
    prelude::*,
};

use super::stored::{StoredDisc, StoredState};
use crate::{collision::Cell, components::StableId};

/// The difference of a disc between two states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscDifference {
    /// Its number.
    pub id: StableId,
    /// Its position in the first state, metres.
    pub from: Vec2,
    /// From its position in the first state to that in the second, metres. Across periodic edges, the shorter way.
    pub apart: Vec2,
    /// From its velocity in the first state to that in the second, m/s.
    pub velocity: Vec2,
    /// Its radius, metres.
    pub radius: f32,
}

/// The differences of all discs that are in both states, by their numbers. The first state says which edges are
/// periodic.
#[must_use]
pub fn differences(a: &StoredState, b: &StoredState) -> Vec<DiscDifference> {
    let cell = Cell::of(&a.periodic);
    let mut others = b.discs.iter().peekable();
    let mut other_of = |disc: &StoredDisc| {
        while others.next_if(|other| other.id < disc.id).is_some() {}
        others.peek().filter(|other| other.id == disc.id).copied()
    };
    let difference = |disc: &StoredDisc| {
        let other = other_of(disc)?;
        let apart = other.position - disc.position;
        Some(DiscDifference {
            id: disc.id,
            from: disc.position,
            apart: cell.map_or(apart, |cell| cell.nearest(apart)),
            velocity: other.velocity - disc.velocity,
            radius: disc.radius,
        })
    };
    a.discs.iter().filter_map(difference).collect()
}

/// How far two tracks are apart after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// The tick.
    pub tick: u64,
    /// The hits per disc since the tracks parted, the mean of both tracks. A hit counts for two discs, also one with a
    /// wall.
    pub hits_per_disc: f64,
    /// The root of the mean square of the distances of all discs, metres.
    pub rms: f64,
    /// The largest distance of a disc, metres.
    pub largest: f64,
}

impl Divergence {
    /// Compares two states of the same tick. `collisions` is the number of hits when the tracks parted. Returns `None`
    /// if they have no disc in common.
    #[must_use]
    pub fn of(a: &StoredState, b: &StoredState, collisions: u64) -> Option<Self> {
        let all = differences(a, b);
        let count = all.len() as f64;
        let squares = || all.iter().map(|disc| disc.apart.as_dvec2()).map(DVec2::length_squared);
        let hits = (a.collisions.saturating_sub(collisions) + b.collisions.saturating_sub(collisions)) as f64 / 2.0;
        (!all.is_empty()).then(|| Self {
            tick: a.tick,
            hits_per_disc: 2.0 * hits / count,
            rms: (squares().sum::<f64>() / count).sqrt(),
            largest: squares().fold(0.0, f64::max).sqrt(),
        })
    }
}

/// How the distance of two tracks grows: a straight line through the logarithm of [`Divergence::rms`] against
/// [`Divergence::hits_per_disc`], by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The slope: the distance grows by a factor of e in 1/slope hits per disc. In a dilute gas it is the largest
    /// Lyapunov exponent over the collision rate of a disc (van Zon, van Beijeren and Dellago 1998).
    pub slope: f64,
    /// The standard error of the slope from the scatter of the points.
    pub error: f64,
    /// The value of the line at zero hits, as a distance in metres.
    pub start: f64,
    /// The number of points.
    pub points: usize,
}

impl Growth {
    /// The line through all points whose rms distance is above zero and below `most` metres. A tenth of a radius is a
    /// good limit: further apart, the discs no longer hit alike, and the distance cannot exceed the table. Returns
    /// `None` with fewer than three points, or if all have the same number of hits.
    #[must_use]
    pub fn of(points: &[Divergence], most: f64) -> Option<Self> {
        let points: Vec<DVec2> = { points.iter() }
            .filter(|point| point.rms > 0.0 && point.rms < most)
            .map(|point| DVec2::new(point.hits_per_disc, ln(point.rms)))
            .collect();
        let count = points.len() as f64;
        let mean = points.iter().sum::<DVec2>() / count;
        let [spread, product] = points.iter().fold([0.0; 2], |[spread, product], point| {
            let off = *point - mean;
            [spread + off.x * off.x, product + off.x * off.y]
        });
        if points.len() < 3 || !(spread > 0.0) {
            return None;
        }
        let slope = product / spread;
        let residual = |point: &DVec2| point.y - mean.y - slope * (point.x - mean.x);
        let scatter: f64 = points.iter().map(|point| residual(point) * residual(point)).sum();
        Some(Self {
            slope,
            error: (scatter / (count - 2.0) / spread).sqrt(),
            start: f64::from(ops::exp((mean.y - slope * mean.x) as f32)),
            points: points.len(),
        })
    }
}

/// The natural logarithm, with the accuracy of an f32, the same on every platform.
fn ln(value: f64) -> f64 {
    f64::from(ops::ln(value as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(collisions: u64, discs: &[(u64, Vec2)]) -> StoredState {
        let disc = |&(id, position)| StoredDisc { id: StableId(id), position, velocity: Vec2::ZERO, radius: 0.5 };
        StoredState { tick: 7, collisions, discs: discs.iter().map(disc).collect(), ..default() }
    }

    #[test]
    fn discs_are_compared_by_their_numbers_and_across_periodic_edges() {
        let mut a = state(10, &[(1, Vec2::ZERO), (2, vec2(4.9, 0.0)), (5, Vec2::ONE)]);
        let b = state(14, &[(0, Vec2::ONE), (2, vec2(-4.9, 0.0)), (3, Vec2::ONE), (5, vec2(1.0, 1.1))]);
        let apart: Vec<_> = differences(&a, &b).iter().map(|disc| (disc.id.0, disc.apart.x)).collect();
        assert_eq!(apart, [(2, -9.8), (5, 0.0)]);
        a.periodic.x = Some((-5.0, 5.0));
        let now = differences(&a, &b);
        assert!((now[0].apart.x - 0.2).abs() < 1e-5, "{now:?}");
        let whole = Divergence::of(&a, &b, 8).unwrap();
        // (2 + 6) / 2 hits, each of two discs, for two discs.
        assert_eq!((whole.tick, whole.hits_per_disc), (7, 4.0));
        assert!((whole.rms - (0.025_f64).sqrt()).abs() < 1e-5 && (whole.largest - 0.2).abs() < 1e-5, "{whole:?}");
        assert_eq!(Divergence::of(&a, &state(0, &[]), 0), None);
    }

    #[test]
    fn an_exponential_has_its_slope_and_what_is_saturated_does_not_count() {
        let point = |k: u32, rms: f64| Divergence { tick: 0, hits_per_disc: f64::from(k), rms, largest: rms };
        let grows = |k: u32| point(k, 1e-7 * (1.5 * f64::from(k)).exp());
        let mut points: Vec<_> = (0..8).map(grows).collect();
        points.extend((8..30).map(|k| point(k, 0.5)));
        let growth = Growth::of(&points, 0.05).unwrap();
        assert_eq!(growth.points, 8);
        // The logarithm of an f32 near -16 is exact to about a millionth.
        assert!((growth.slope - 1.5).abs() < 1e-5 && growth.error < 1e-5, "{growth:?}");
        assert!((growth.start / 1e-7 - 1.0).abs() < 1e-4, "{growth:?}");
        assert_eq!(Growth::of(&points[..2], 1.0), None);
        assert_eq!(Growth::of(&vec![point(3, 1e-3); 9], 1.0), None);
    }
}
