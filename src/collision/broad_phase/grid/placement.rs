//! Placement in a grid: the search position, the reach and the cell of each disc.

use bevy::prelude::*;
use core::ops::Range;

use super::{
    Grid,
    level::{Level, ROUND},
};
use crate::collision::{
    discs::Discs,
    simd::{Kernel, SimdLevel, SimdWidth, max, min},
    threads::{self, Threads},
};

/// Where discs are searched for, and how far around.
#[derive(Clone, Copy, Debug)]
pub struct Lookahead {
    /// The time after which their positions are taken, by their velocities, seconds.
    pub first: f32,
    /// The time for which they may move on from there, in any direction, seconds.
    pub rest: f32,
    /// How much farther than by their velocities they may move, metres.
    pub slack: f32,
    /// A disc reaches this share of its radius, plus its path.
    pub radius_scale: f32,
    /// The largest path, as a share of the radius.
    pub most: f32,
    /// Whether the current position must be within reach, too. The search position of a disc that is too fast is then
    /// less far ahead.
    pub holds_present: bool,
}

/// A path, shortened if a circle around its end that reaches `room` metres beyond the disc would not contain its start.
#[inline(always)]
pub fn cut_short(way: Vec2, room: f32) -> Vec2 {
    /// The rest of the room is for rounding.
    const USED: f32 = 0.99;
    let (squared, most) = (way.length_squared(), USED * room);
    if squared <= most * most {
        return way;
    }
    let cut = way * (most / squared.sqrt());
    if cut.is_finite() { cut } else { Vec2::ZERO }
}

/// Common bounds of the discs.
pub(super) struct Extent {
    pub(super) low: Vec2,
    pub(super) high: Vec2,
    pub(super) smallest: f32,
    pub(super) largest: f32,
}

impl Grid {
    /// Records the search position and the reach of each disc, and finds their common bounds.
    pub(super) fn place_discs(
        &mut self,
        discs: &Discs,
        lookahead: Lookahead,
        simd: SimdLevel,
        threads: Threads,
    ) -> Extent {
        self.centre.resize(discs.len(), Vec2::ZERO);
        self.reach.resize(discs.len(), 0.0);
        let ranges = threads.divide(discs.len(), 1);
        let pieces = threads::cut(&mut self.centre, &ranges).into_iter().zip(threads::cut(&mut self.reach, &ranges));
        let task = |(range, (centre, reach)): (Range<usize>, (_, _))| {
            let Discs { position, velocity, radius, .. } = discs;
            let (position, velocity) = (&position[range.clone()], &velocity[range.clone()]);
            let radius = &radius[range];
            move || simd.run(PlaceDiscs { position, velocity, radius, centre, reach, lookahead })
        };
        let mut bounds = ExtentLanes::NONE;
        for part in threads::run(ranges.iter().cloned().zip(pieces).map(task).collect()) {
            bounds.merge(&part);
        }
        let corner = |bounds: [f32; 16], pick: fn(f32, f32) -> f32| {
            let axis = |axis: usize| (0..8).map(|k| bounds[2 * k + axis]).fold(bounds[axis], pick);
            Vec2::new(axis(0), axis(1))
        };
        Extent {
            low: corner(bounds.low, min),
            high: corner(bounds.high, max),
            smallest: bounds.smallest,
            largest: bounds.largest,
        }
    }

    /// Records the cell of every disc if one level holds them all.
    pub(super) fn assign_all_cells(&mut self, level: &Level, simd: SimdLevel, threads: Threads) {
        let ranges = threads.divide(self.centre.len(), 1);
        let pieces = threads::cut(&mut self.cell, &ranges);
        let centre = &self.centre;
        let task = |(range, cell): (&Range<usize>, _)| {
            let centre = &centre[range.clone()];
            move || simd.run(AssignCells { centre, cell, level })
        };
        threads::run(ranges.iter().zip(pieces).map(task).collect());
    }
}

/// Records the search positions and reaches of some discs.
struct PlaceDiscs<'a> {
    position: &'a [Vec2],
    velocity: &'a [Vec2],
    radius: &'a [f32],
    centre: &'a mut [Vec2],
    reach: &'a mut [f32],
    lookahead: Lookahead,
}

impl Kernel for PlaceDiscs<'_> {
    type Output = ExtentLanes;

    #[inline(always)]
    fn run<W: SimdWidth>(self, _: W) -> ExtentLanes {
        let Self {
            position,
            velocity,
            radius,
            centre,
            reach,
            lookahead: Lookahead { first, rest, slack, radius_scale, most, holds_present },
        } = self;
        if rest > 0.0 || slack > 0.0 {
            for ((reach, radius), velocity) in reach.iter_mut().zip(radius).zip(velocity) {
                let path = (velocity.x * velocity.x + velocity.y * velocity.y).sqrt() * rest + slack;
                *reach = *radius * radius_scale + min(path, *radius * most);
            }
        } else {
            for (reach, radius) in reach.iter_mut().zip(radius) {
                *reach = *radius * radius_scale;
            }
        }
        let mut bounds = ExtentLanes::NONE;
        bounds.smallest = -max_of_mapped(reach, |r| -r);
        bounds.largest = max_of(reach);
        if holds_present {
            let discs = position.iter().zip(velocity).zip(radius.iter().zip(&*reach));
            for (centre, ((position, velocity), (radius, reach))) in centre.iter_mut().zip(discs) {
                let way = cut_short(*velocity * first, reach - radius * radius_scale);
                *centre = bounds.take(&[*position; 8], &[way; 8], 1.0)[0];
            }
            return bounds;
        }
        let (centres, last_centres) = centre.as_chunks_mut::<8>();
        let (positions, last_positions) = position.as_chunks::<8>();
        let (velocities, last_velocities) = velocity.as_chunks::<8>();
        for ((centre, position), velocity) in centres.iter_mut().zip(positions).zip(velocities) {
            *centre = bounds.take(position, velocity, first);
        }
        for ((centre, position), velocity) in last_centres.iter_mut().zip(last_positions).zip(last_velocities) {
            *centre = bounds.take(&[*position; 8], &[*velocity; 8], first)[0];
        }
        bounds
    }
}

/// Common bounds of some discs, eight at once.
struct ExtentLanes {
    /// The reaches, metres.
    smallest: f32,
    largest: f32,
    /// x and y in turn.
    low: [f32; 16],
    high: [f32; 16],
}

impl ExtentLanes {
    const NONE: Self =
        Self { smallest: f32::INFINITY, largest: 0.0, low: [f32::INFINITY; 16], high: [f32::NEG_INFINITY; 16] };

    fn merge(&mut self, other: &Self) {
        self.smallest = min(self.smallest, other.smallest);
        self.largest = max(self.largest, other.largest);
        for k in 0..16 {
            self.low[k] = min(self.low[k], other.low[k]);
            self.high[k] = max(self.high[k], other.high[k]);
        }
    }

    /// Eight discs after the first substep.
    #[inline(always)]
    fn take(&mut self, position: &[Vec2; 8], velocity: &[Vec2; 8], first: f32) -> [Vec2; 8] {
        let mut moved = [0.0; 16];
        for k in 0..8 {
            moved[2 * k] = position[k].x + velocity[k].x * first;
            moved[2 * k + 1] = position[k].y + velocity[k].y * first;
        }
        for k in 0..16 {
            self.low[k] = min(self.low[k], moved[k]);
            self.high[k] = max(self.high[k], moved[k]);
        }
        std::array::from_fn(|k| Vec2::new(moved[2 * k], moved[2 * k + 1]))
    }
}

#[inline(always)]
fn max_of(values: &[f32]) -> f32 {
    max_of_mapped(values, |value| value)
}

#[inline(always)]
fn max_of_mapped(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut best = [f32::NEG_INFINITY; 16];
    let (chunks, rest) = values.as_chunks::<16>();
    for chunk in chunks {
        for k in 0..16 {
            best[k] = max(best[k], of(chunk[k]));
        }
    }
    rest.iter().map(|&value| of(value)).chain(best).fold(f32::NEG_INFINITY, max)
}

/// Records the cells of some discs in a level with a table.
struct AssignCells<'a> {
    centre: &'a [Vec2],
    cell: &'a mut [u32],
    level: &'a Level,
}

impl Kernel for AssignCells<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, _: W) {
        let Self { centre, cell, level } = self;
        let [low_x, low_y] = level.low;
        let (per_metre, width) = (level.per_metre, level.width() as u32);
        let first = level.table.unwrap_or(0) as u32 + width + 1;
        for (cell, centre) in cell.iter_mut().zip(centre) {
            // As `nearest` does; no position is below the low corner of the level.
            let column = ((f64::from(centre.x) - low_x) * per_metre + ROUND).to_bits() as u32;
            let row = ((f64::from(centre.y) - low_y) * per_metre + ROUND).to_bits() as u32;
            *cell = first + row * width + column;
        }
    }
}
