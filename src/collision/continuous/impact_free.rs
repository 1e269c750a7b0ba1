//! Ticks without impacts. If nothing changes a few discs between ticks, the circles around their paths show for some
//! ticks ahead that nothing touches. Such a tick moves the discs straight on.

use bevy::prelude::*;

use super::{Continuous, particles::is_valid, scan_scheduler::Memory};
use crate::collision::{
    broad_phase::circles::Circles, discs::Discs, pockets::Pockets, shape::Bounds, simd::SimdWidth, space::PhysicsSpace,
};

/// The number of ticks in which nothing can touch, if no disc gets faster. Valid only if nothing changes the discs
/// between ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpactFreeTicks {
    /// The number of such ticks that remain.
    left: u32,
    /// The number of ticks to check next.
    ahead: u32,
    /// The squared speed of each disc at that time.
    speeds: Vec<f32>,
}

/// The largest number of ticks to look ahead.
const MAX_LOOKAHEAD_TICKS: u32 = 32;

impl ImpactFreeTicks {
    /// Discards the result.
    pub(super) fn forget(&mut self) {
        self.left = 0;
    }

    /// Whether this tick is one of those found.
    #[inline(always)]
    fn lasts(&mut self, discs: &Discs) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut faster = false;
        for (velocity, speed) in discs.velocity.iter().zip(&self.speeds) {
            faster |= velocity.length_squared() > *speed;
        }
        if faster {
            self.left = 0;
        }
        !faster
    }

    /// Checks whether nothing touches in this tick and the following ones.
    #[inline(always)]
    fn predict<W: SimdWidth>(
        &mut self,
        circles: &mut Circles,
        discs: &Discs,
        around: Around,
        time_step: f32,
        simd: W,
    ) -> bool {
        self.ahead = self.ahead.clamp(1, MAX_LOOKAHEAD_TICKS);
        enclose_ways(circles, discs, time_step, self.ahead);
        if is_free_of_impacts(circles, discs, around, simd) {
            self.left = self.ahead - 1;
            self.ahead *= 2;
            self.speeds.clear();
            self.speeds.extend(discs.velocity.iter().map(|velocity| velocity.length_squared()));
            return true;
        }
        let looked_ahead = self.ahead > 1;
        self.ahead /= 2;
        if looked_ahead {
            enclose_paths(circles, discs, time_step);
        }
        looked_ahead && is_free_of_impacts(circles, discs, around, simd)
    }
}

/// The surroundings of the discs, besides each other.
#[derive(Clone, Copy)]
struct Around<'a> {
    /// A box without terrain.
    empty_box: Bounds,
    pockets: &'a Pockets,
}

/// Whether nothing can touch in this tick, by the circles around the paths. If not, the circles are up to date.
#[inline(always)]
pub(super) fn is_impact_free<W: SimdWidth>(space: &mut PhysicsSpace, simd: W) -> bool {
    let PhysicsSpace { scratch, discs, terrain, pockets, clock, .. } = space;
    let Continuous { impact_free, scan_scheduler: Memory { circles, .. }, .. } = scratch.get();
    let around = Around { empty_box: terrain.index.empty_box(), pockets };
    impact_free.lasts(discs) || impact_free.predict(circles, discs, around, clock.time_step, simd)
}

/// Whether no disc can touch anything within the tick, by the circles around their paths.
#[inline(always)]
fn is_free_of_impacts<W: SimdWidth>(
    circles: &Circles,
    discs: &Discs,
    Around { empty_box, pockets }: Around,
    simd: W,
) -> bool {
    for i in 0..discs.len() {
        if discs.velocity[i] == Vec2::ZERO {
            if pockets.hold(discs.position[i]) {
                return false;
            }
            continue;
        }
        let bounds = circles.bounds(i);
        if !bounds.is_strictly_within(empty_box) || circles.is_met(simd, i) || pockets.meet(bounds) {
            return false;
        }
    }
    true
}

/// Runs a tick without impacts.
#[inline(always)]
pub(super) fn advance_straight(discs: &mut Discs, end: f64) {
    for (position, velocity) in discs.position.iter_mut().zip(&discs.velocity) {
        if *velocity != Vec2::ZERO {
            *position = (position.as_dvec2() + velocity.as_dvec2() * end).as_vec2();
        }
    }
}

/// The rounding error of a coordinate in a tick, as a share of it; for both coordinates of a position, as a share of
/// their sum.
const ROUNDING: f32 = 0.5 * f32::EPSILON;

/// The circles around the paths of a tick.
#[inline(always)]
pub(super) fn enclose_paths(circles: &mut Circles, discs: &Discs, time_step: f32) {
    enclose_ways(circles, discs, time_step, 1);
}

/// The circles around the paths of `ticks` ticks. After each tick the position of a disc is rounded, which can move it
/// off the straight path.
#[inline(always)]
fn enclose_ways(circles: &mut Circles, discs: &Discs, time_step: f32, ticks: u32) {
    let time = time_step * ticks as f32;
    let rounding = ROUNDING * (ticks - 1) as f32;
    circles.clear(discs.len());
    for i in 0..discs.len() {
        if !is_valid(discs, i) {
            continue;
        }
        let (at, velocity) = (discs.position[i], discs.velocity[i]);
        let path = if velocity == Vec2::ZERO {
            0.0
        } else {
            velocity.length_squared().sqrt() * time + (at.x.abs() + at.y.abs()) * rounding
        };
        circles.set(i, at.to_array(), discs.radius[i], path);
    }
}
