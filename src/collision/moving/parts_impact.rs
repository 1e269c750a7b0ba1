//! The time of impact of parts of two pieces that move and turn: conservative advancement (B. Mirtich, "Timewarp rigid
//! body simulation", 2000), with a bound of the second order.
//!
//! Along a fixed normal the gap between two capsules is that of the closest of their ends. Each end moves along a curve
//! whose acceleration is at most `ω² r`. So a gap `g` with the rate `g'` is at least `g + g' t - B t²/2` after `t`
//! seconds, where `B` is the sum of both bounds. A step to the first zero of that for any pair of ends misses nothing.
//!
//! The same is true along a normal that turns with one of the two. Relative to that one, only the ends of the other
//! move, and `B = ω'² r' + 2 |v| ω + ω² d`. Here `d` is the distance of those ends from the pivot of the first, `v`
//! their velocity relative to it, and `ω` the spin of the first. `ω'` and `r'` are the spin and reach of the other. The
//! longest of these steps is taken.

use bevy::math::DVec2;

use super::{
    MovingPiece,
    parts_contact::{Capsule, PartsContact, PlacedPart, contacts_of},
    tolerances::{LYING_GAP, MAX_DEPTH, POSITION_ROUNDING, SLIDING_DEPTH},
};
use crate::collision::shape::time_of_impact::{NEVER, SPEED_ROUNDING};

/// The largest number of steps of a search. After them, the time reached counts as that of an impact, from which the
/// search starts again. Parts that turn fast within a touch take shorter and shorter steps.
const MAX_STEPS: u32 = 1024;

/// A part and the piece that carries it; `None` for static terrain.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    pub capsule: Capsule,
    pub piece: Option<&'a MovingPiece>,
}

impl Carried<'_> {
    pub fn placed(&self, time: f64) -> PlacedPart {
        match self.piece {
            Some(piece) => self.capsule.placed(&piece.frame_at(time)),
            None => PlacedPart::of_static(&self.capsule),
        }
    }

    /// The velocity of a place of it, m/s.
    pub fn velocity_at(&self, time: f64, place: DVec2) -> DVec2 {
        self.piece.map_or(DVec2::ZERO, |piece| {
            piece.motion.velocity + (place - piece.origin_at(time)).perp() * piece.motion.spin
        })
    }

    /// An upper bound of the acceleration of its ends, m/s².
    fn bend(&self) -> f64 {
        self.piece.map_or(0.0, |piece| piece.motion.spin * piece.motion.spin * self.capsule.arm())
    }

    /// An upper bound of the speed of its ends, without a square root, m/s.
    fn speed(&self) -> f64 {
        self.piece.map_or(0.0, |piece| piece.motion.speed + piece.motion.spin.abs() * self.capsule.arm())
    }
}

/// The smaller of two sizes, metres.
pub fn size_of(a: &Carried, b: &Carried) -> f64 {
    let [one, other] = [a, b].map(|part| part.capsule.size());
    let larger = one.max(other);
    // A point has no size.
    if one.min(other) > 0.0 { one.min(other) } else { larger }
}

/// The gap below which a placed part of a block touches another, metres; `size` is the smaller of the two.
pub fn touch_of(own: &PlacedPart, size: f64) -> f64 {
    POSITION_ROUNDING * (size + own.ends[0].abs().max_element())
}

/// The gap below which a placed part of a block rests on another, metres; `size` is the smaller of the two.
pub fn lying_gap(own: &PlacedPart, size: f64) -> f64 {
    (LYING_GAP * size).max(2.0 * touch_of(own, size))
}

/// The lowest speed of approach at which two parts hit each other, m/s.
#[derive(Clone, Copy, Debug)]
pub enum Slowest {
    /// Exactly this.
    Elastic(f64),
    /// At least this. Parts that turn must also be faster than the speed that takes them into each other by half the
    /// sliding depth. Otherwise, a turning piece that rests on another approaches it again at once.
    Lossy(f64),
}

/// When two parts touch and approach, in seconds of the tick; [`NEVER`] if that is later than `until`, or if they
/// overlap by more than [`MAX_DEPTH`]. No earlier touch is missed. After [`MAX_STEPS`] it is a time at which they may
/// only be close. The steps are added to `steps`.
pub fn time_of_impact(a: &Carried, b: &Carried, [from, until]: [f64; 2], slowest: Slowest, steps: &mut u32) -> f64 {
    let (size, bend, speed) = (size_of(a, b), a.bend() + b.bend(), a.speed() + b.speed());
    let [one, other] = [a, b].map(|part| part.placed(from));
    if one.is_farther_than(&other, touch_of(&one, size) + speed * (until - from)) {
        return NEVER;
    }
    let slowest = match slowest {
        Slowest::Elastic(slowest) => slowest,
        Slowest::Lossy(slowest) => slowest.max((bend * SLIDING_DEPTH * size).sqrt()),
    };
    let noise = slowest.max(SPEED_ROUNDING * speed);
    let mut time = from;
    for _ in 0..MAX_STEPS {
        *steps += 1;
        let (one, other) = (a.placed(time), b.placed(time));
        let (touch, slack) = (touch_of(&one, size), SLIDING_DEPTH * size);
        let mut nearest = None::<PartsContact>;
        for contact in contacts_of(&one, &other) {
            let rate = (b.velocity_at(time, contact.point) - a.velocity_at(time, contact.point)).dot(contact.normal);
            if contact.can_touch && contact.gap <= touch && contact.gap >= -MAX_DEPTH * size && rate < -noise {
                return time;
            }
            if nearest.is_none_or(|nearest| contact.gap < nearest.gap) {
                nearest = Some(contact);
            }
        }
        let Some(nearest) = nearest else { return NEVER };
        if nearest.gap < -MAX_DEPTH * size {
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

/// The duration for which the two parts cannot touch along a normal that turns with the first, seconds. `safe` computes
/// that from a gap, its rate of growth, and a bound of its acceleration. Seen this way, a block that tips over a corner
/// does not approach it, so the steps are long.
fn step_beside(
    [own, other]: [&Carried; 2],
    [placed, other_placed]: [&PlacedPart; 2],
    n: DVec2,
    [time, left]: [f64; 2],
    safe: impl Fn(f64, f64, f64) -> f64,
) -> f64 {
    let Some(piece) = own.piece.filter(|piece| piece.motion.spin != 0.0) else { return 0.0 };
    let spin = piece.motion.spin.abs();
    // A bound for the ends of the other, relative to the pivot of this one.
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

/// The time `t` at which `gap + rate t - bend t²/2` is zero, seconds.
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

#[cfg(test)]
mod tests {
    use bevy::prelude::*;
    use std::sync::Arc;

    use super::*;
    use crate::{
        collision::moving::{Drive, PieceShape, Pose},
        components::{StableId, Terrain},
    };

    /// Evenly distributed numbers, by a linear congruential generator.
    struct Dice(u64);

    impl Dice {
        fn range(&mut self, from: f32, to: f32) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from + (to - from) * (self.0 >> 40) as f32 / (1_u64 << 24) as f32
        }

        /// A wall or a circle of about 0.1 to 4 m that moves and turns.
        fn piece(&mut self, place: Vec2) -> MovingPiece {
            let mut point = || Vec2::new(self.range(-2.0, 2.0), self.range(-2.0, 2.0));
            let (a, b, velocity) = (point(), point(), point() * 4.0);
            let is_circle = self.range(0.0, 4.0) < 1.0;
            let circle = Terrain::Circle { radius: self.range(0.05, 1.0) };
            let terrain = if is_circle { circle } else { Terrain::Segment { a, b } };
            let spin = if self.range(0.0, 4.0) < 1.0 { 0.0 } else { self.range(-40.0, 40.0) };
            let entity = Entity::PLACEHOLDER;
            let shape = Arc::new(PieceShape::of(&terrain, entity));
            let pose = Pose { position: place, rotation: self.range(0.0, 6.0) };
            let mut piece =
                MovingPiece::new((StableId(0), entity), shape, None, pose, Drive { velocity, spin, ..default() }, None);
            piece.begin_tick(1.0);
            piece
        }
    }

    /// The distance between two parts, metres; negative if they overlap. Lines that cross overlap by both radii.
    fn gap(one: &PlacedPart, other: &PlacedPart) -> f64 {
        let radii = one.radius + other.radius;
        if cross(one, other) {
            return -radii;
        }
        let to = |[a, b]: [DVec2; 2], place: DVec2| {
            let along = (b - a).dot(place - a) / (b - a).length_squared().max(1e-300);
            place.distance(a + (b - a) * along.clamp(0.0, 1.0))
        };
        let nearest = [(one, other), (other, one)].map(|(line, ends)| {
            let [first, second] = ends.ends.map(|end| to(line.ends, end));
            first.min(second)
        });
        nearest[0].min(nearest[1]) - radii
    }

    /// Whether the lines of two parts cross.
    fn cross(one: &PlacedPart, other: &PlacedPart) -> bool {
        let side = |[a, b]: [DVec2; 2], place: DVec2| (b - a).perp_dot(place - a);
        let splits = |line: [DVec2; 2], ends: [DVec2; 2]| side(line, ends[0]) * side(line, ends[1]) < 0.0;
        splits(one.ends, other.ends) && splits(other.ends, one.ends)
    }

    /// Checked ten thousand times per second, two parts overlap neither before the time that is found nor without one,
    /// and at that time they touch.
    #[test]
    fn the_time_of_impact_is_that_of_looking_again_and_again() {
        const LOOKS: u32 = 5_000;
        const UNTIL: f64 = 0.5;
        let mut dice = Dice(3);
        let (mut impacts, mut passes) = (0, 0);
        for case in 0..600 {
            let far = dice.range(1.0, 6.0);
            let pieces = [dice.piece(Vec2::ZERO), dice.piece(Vec2::new(far, 0.0))];
            let [a, b] = pieces.each_ref().map(|piece| {
                let capsule = piece.capsules().next().expect("each has a part");
                Carried { capsule, piece: Some(piece) }
            });
            let size = size_of(&a, &b);
            let at = |time: f64| [a.placed(time), b.placed(time)];
            let [one, other] = at(0.0);
            if gap(&one, &other) < 0.01 * size || cross(&one, &other) {
                continue;
            }
            let mut steps = 0;
            let met = time_of_impact(&a, &b, [0.0, UNTIL], Slowest::Elastic(1e-9), &mut steps);
            assert!(steps < MAX_STEPS, "{case}: {steps} steps");
            let looks = (0..=LOOKS).map(|look| UNTIL * f64::from(look) / f64::from(LOOKS));
            for time in looks.take_while(|&time| time < met) {
                let [one, other] = at(time);
                let gap = gap(&one, &other);
                let is_outside = gap > -2.0 * SLIDING_DEPTH * size && !cross(&one, &other);
                assert!(is_outside, "{case}: {gap} m at {time} s, and the impact is at {met} s");
            }
            if met <= UNTIL {
                let [one, other] = at(met);
                let gap = gap(&one, &other);
                assert!(gap.abs() <= SLIDING_DEPTH * size, "{case}: {gap} m at {met} s, the time of the impact");
                impacts += 1;
            } else {
                passes += 1;
            }
        }
        assert!(impacts > 100 && passes > 100, "{impacts} hit, {passes} pass");
    }
}
