//! When parts of two pieces meet that move and turn: conservative advancement (B. Mirtich, "Timewarp rigid body simulation", 2000), with a bound of the second order.
//!
//! Along a fixed normal the gap between two capsules is that of the closest of their ends, and each end goes along a curve whose acceleration is at most
//! `ω² r`. So a gap `g` that closes at a rate `g'` is at least `g + g' t - B t²/2` in `t` seconds, `B` being the sum of both bounds, and a step to where that is
//! zero for one of the pairs of ends misses nothing.
//!
//! The same holds along a normal that turns with one of the two. Seen from that one, only the ends of the other move, and
//! `B = ω'² r' + 2 |v| ω + ω² d`. Here `d` is the distance of those ends from the point about which the first turns, `v`
//! their velocity relative to that point, `ω` the spin of the first, and `ω'` and `r'` are the spin and reach of the other.
//! The longest of these steps is taken.

use bevy::math::DVec2;

use super::{
    MovingPiece,
    parts_contact::{Capsule, PartsContact, Placed, contacts_of},
};
use crate::collision::time_of_impact::{NEVER, SPEED_ROUNDING};

/// What slides along another gets into it by no more than this share of its size.
const SLACK: f64 = 2e-5;

/// Closer than this share of the size and the coordinates is a touch: more than what the rounding of places makes between ticks, so that a thin rod which lies flat
/// on a wall stays on its side.
const TOUCH: f64 = 5e-7;

/// Two that overlap by more than this share of the size have been put there: they go through each other until they are apart.
pub(super) const DEEP: f64 = 1e-2;

/// After so many steps the time that was reached counts as that of an impact, from which one looks again: what turns fast within a touch takes ever shorter ones.
const MAX_STEPS: u32 = 1024;

/// A part and the piece that carries it along; none of terrain that stands.
#[derive(Clone, Copy)]
pub(super) struct Carried<'a> {
    pub(super) capsule: Capsule,
    pub(super) piece: Option<&'a MovingPiece>,
}

impl Carried<'_> {
    pub(super) fn placed(&self, time: f64) -> Placed {
        match self.piece {
            Some(piece) => self.capsule.placed(&piece.frame_at(time)),
            None => Placed::standing(&self.capsule),
        }
    }

    /// How fast a place of it moves, m/s.
    pub(super) fn velocity_at(&self, time: f64, place: DVec2) -> DVec2 {
        self.piece.map_or(DVec2::ZERO, |piece| {
            piece.motion.velocity + (place - piece.origin_at(time)).perp() * piece.motion.spin
        })
    }

    /// A bound of the acceleration of its ends, m/s².
    fn bend(&self) -> f64 {
        self.piece.map_or(0.0, |piece| piece.motion.spin * piece.motion.spin * self.capsule.arm())
    }

    /// A bound of the speed of its ends that takes no root, m/s.
    fn speed(&self) -> f64 {
        self.piece.map_or(0.0, |piece| piece.motion.speed + piece.motion.spin.abs() * self.capsule.arm())
    }
}

/// The smaller of two sizes, metres.
pub(super) fn size_of(a: &Carried, b: &Carried) -> f64 {
    let [one, other] = [a, b].map(|part| part.capsule.size());
    let larger = one.max(other);
    // A point has none.
    if one.min(other) > 0.0 { one.min(other) } else { larger }
}

/// Closer than this, metres, a part of a block in its place touches another; `size` is the smaller of the two.
pub(super) fn touch_of(own: &Placed, size: f64) -> f64 {
    TOUCH * (size + own.ends[0].abs().max_element())
}

/// Two parts hit each other where they approach faster than this, m/s.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slowest {
    /// As it is.
    Elastic(f64),
    /// At least; and where they turn, faster than takes them into each other by half the slack: what lies on something and turns approaches it again at once.
    Lossy(f64),
}

/// When two parts touch and approach, by the clock of the tick, seconds; [`NEVER`] if that is later than `until`, or if they are in each other. Up to then nothing is
/// missed; of what takes too many steps it is a time at which they may only be close. The steps are added to `steps`.
pub(super) fn time_of_impact(
    a: &Carried,
    b: &Carried,
    [from, until]: [f64; 2],
    slowest: Slowest,
    steps: &mut u32,
) -> f64 {
    let (size, bend, speed) = (size_of(a, b), a.bend() + b.bend(), a.speed() + b.speed());
    let [one, other] = [a, b].map(|part| part.placed(from));
    if one.is_farther_than(&other, touch_of(&one, size) + speed * (until - from)) {
        return NEVER;
    }
    let slowest = match slowest {
        Slowest::Elastic(slowest) => slowest,
        Slowest::Lossy(slowest) => slowest.max((bend * SLACK * size).sqrt()),
    };
    let noise = slowest.max(SPEED_ROUNDING * speed);
    let mut time = from;
    for _ in 0..MAX_STEPS {
        *steps += 1;
        let (one, other) = (a.placed(time), b.placed(time));
        let (touch, slack) = (touch_of(&one, size), SLACK * size);
        let mut nearest = None::<PartsContact>;
        for contact in contacts_of(&one, &other) {
            let rate = (b.velocity_at(time, contact.point) - a.velocity_at(time, contact.point)).dot(contact.normal);
            if contact.can_touch && contact.gap <= touch && contact.gap >= -DEEP * size && rate < -noise {
                return time;
            }
            if nearest.is_none_or(|nearest| contact.gap < nearest.gap) {
                nearest = Some(contact);
            }
        }
        let Some(nearest) = nearest else { return NEVER };
        if nearest.gap < -DEEP * size {
            return NEVER;
        }
        let n = nearest.normal;
        let mut step = f64::INFINITY;
        for &end in one.corners() {
            for &other_end in other.corners() {
                let gap = (other_end - end).dot(n) - one.radius - other.radius;
                let rate = (b.velocity_at(time, other_end) - a.velocity_at(time, end)).dot(n);
                let is_slow = rate * rate <= 2.0 * bend * slack || rate.abs() <= noise;
                let allowed = if is_slow || gap <= touch { gap.max(slack) } else { gap - 0.5 * touch };
                step = step.min(time_until_closed(allowed, rate, bend));
            }
        }
        let left = until - time;
        if step < left {
            let safe = |gap: f64, rate: f64, bend: f64| {
                let allowed = if rate.abs() <= noise { gap.max(slack) } else { gap - 0.5 * touch };
                if allowed > 0.0 { time_until_closed(allowed, rate, bend) } else { 0.0 }
            };
            step = step.max(step_beside([a, b], [&one, &other], n, [time, left], safe));
            step = step.max(step_beside([b, a], [&other, &one], -n, [time, left], safe));
        }
        time += step;
        if !(time <= until) {
            return NEVER;
        }
    }
    time
}

/// For how long the two parts cannot meet along a normal that turns with the first, seconds. `safe` computes that from a
/// gap, the rate at which it grows, and a bound of its acceleration. A block that tips over a corner does not approach the
/// corner as seen this way, and so takes long steps.
fn step_beside(
    [own, other]: [&Carried; 2],
    [placed, other_placed]: [&Placed; 2],
    n: DVec2,
    [time, left]: [f64; 2],
    safe: impl Fn(f64, f64, f64) -> f64,
) -> f64 {
    let Some(piece) = own.piece.filter(|piece| piece.motion.spin != 0.0) else { return 0.0 };
    let spin = piece.motion.spin.abs();
    // Of the ends of the other, seen from the point about which this one turns.
    let speed = other.speed() + piece.motion.speed;
    let origin = piece.origin_at(time);
    let steps = other_placed.corners().iter().map(|&end| {
        let gaps = placed.corners().iter().map(|own| (end - own).dot(n));
        let gap = gaps.fold(f64::INFINITY, f64::min) - placed.radius - other_placed.radius;
        let rate = (other.velocity_at(time, end) - own.velocity_at(time, end)).dot(n);
        let far = end.distance(origin) + speed * left;
        safe(gap, rate, other.bend() + spin * (2.0 * speed + spin * far))
    });
    steps.fold(f64::INFINITY, f64::min)
}

/// In how many seconds `gap + rate t - bend t²/2` is zero.
fn time_until_closed(gap: f64, rate: f64, bend: f64) -> f64 {
    let root = (rate * rate + 2.0 * bend * gap).sqrt();
    if rate < 0.0 {
        2.0 * gap / (root - rate)
    } else if bend > 0.0 {
        (root + rate) / bend
    } else {
        f64::INFINITY
    }
}
