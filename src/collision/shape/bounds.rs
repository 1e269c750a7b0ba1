//! The axis-aligned box, and the circle.

use bevy::math::{DVec2, Vec2};

use super::rounding::{CONTACT_MARGIN, PADDED, ROUNDING};

/// A circle, metres: a disc at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    pub centre: DVec2,
    pub radius: f64,
}

impl Circle {
    /// The circle from these values of an array of discs.
    #[inline(always)]
    pub fn of(centre: Vec2, radius: f32) -> Self {
        Self { centre: centre.as_dvec2(), radius: f64::from(radius) }
    }
}

/// An axis-aligned box, metres, including its boundary. An empty box has `low` above `high` and overlaps no finite box;
/// a box with a NaN overlaps none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Left and bottom.
    pub(crate) low: Vec2,
    /// Right and top.
    pub(crate) high: Vec2,
}

impl Bounds {
    /// The empty box.
    pub(crate) const NOTHING: Self = Self { low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };

    /// The box that contains everything.
    pub(crate) const EVERYTHING: Self = Self { low: Vec2::NEG_INFINITY, high: Vec2::INFINITY };

    /// The box between two corners.
    #[inline(always)]
    pub(crate) const fn new(low: Vec2, high: Vec2) -> Self {
        Self { low, high }
    }

    /// The smallest box around these points, ignoring NaN.
    #[inline(always)]
    pub(crate) fn of_points(points: impl IntoIterator<Item = Vec2>) -> Self {
        points.into_iter().fold(Self::NOTHING, |all, point| all.union(Self::new(point, point)))
    }

    /// The box around a circle.
    #[inline(always)]
    pub(crate) fn around(centre: Vec2, reach: f32) -> Self {
        Self { low: centre - reach, high: centre + reach }
    }

    /// The box around a disc on a straight path, with the contact margin.
    pub(crate) fn of_way([from, to]: [Vec2; 2], radius: f32) -> Self {
        let margin = Vec2::splat(radius * (1.0 + CONTACT_MARGIN)) + (from.abs() + to.abs()) * ROUNDING;
        Self { low: from.min(to) - margin, high: from.max(to) + margin }
    }

    /// The box expanded by this distance on each side.
    #[inline(always)]
    pub(crate) fn expanded(self, by: f32) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// A box that contains everything within `by` metres of this one, despite rounding.
    pub(crate) fn padded(self, by: f32) -> Self {
        self.expanded(by * PADDED + self.farthest() * ROUNDING)
    }

    /// The largest magnitude of a coordinate of its corners, metres.
    pub(crate) fn farthest(self) -> f32 {
        self.low.abs().max(self.high.abs()).max_element()
    }

    /// The shifted box.
    pub(crate) fn shifted(self, by: Vec2) -> Self {
        Self { low: self.low + by, high: self.high + by }
    }

    /// The smallest box around both.
    #[inline(always)]
    pub(crate) fn union(self, other: Self) -> Self {
        let low = Vec2::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y));
        let high = Vec2::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y));
        Self { low, high }
    }

    /// Whether the two have a point in common.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.low.x <= other.high.x
            && self.low.y <= other.high.y
            && self.high.x >= other.low.x
            && self.high.y >= other.low.y
    }

    /// Whether this box is inside another; the edges may touch.
    pub(crate) fn is_within(self, outer: Self) -> bool {
        outer.low.x <= self.low.x
            && outer.low.y <= self.low.y
            && outer.high.x >= self.high.x
            && outer.high.y >= self.high.y
    }

    /// Whether this box is inside another without touching its edges.
    #[inline(always)]
    pub(crate) fn is_strictly_within(self, outer: Self) -> bool {
        self.low.x > outer.low.x && self.low.y > outer.low.y && self.high.x < outer.high.x && self.high.y < outer.high.y
    }

    /// Width plus height. Unlike the area, it distinguishes boxes of zero width.
    pub(crate) fn half_perimeter(self) -> f32 {
        (self.high.x - self.low.x) + (self.high.y - self.low.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::vec2;

    #[test]
    fn boxes_overlap_at_their_edges_and_nothing_overlaps_nothing() {
        let one = Bounds::around(Vec2::ZERO, 1.0);
        for (at, meets) in [(vec2(2.0, 0.0), true), (vec2(-2.0, 2.0), true), (vec2(2.0, 2.1), false)] {
            let other = Bounds::around(at, 1.0);
            assert_eq!((one.overlaps(other), other.overlaps(one)), (meets, meets), "{at}");
        }
        let nan = Bounds::new(Vec2::NAN, Vec2::NAN);
        for other in [one, Bounds::EVERYTHING, Bounds::NOTHING, nan] {
            assert!(!nan.overlaps(other));
        }
        for other in [one, Bounds::NOTHING, nan] {
            assert!(!Bounds::NOTHING.overlaps(other));
        }
        assert!(one.overlaps(Bounds::EVERYTHING) && one.is_within(one) && !one.is_strictly_within(one));
        assert!(one.is_strictly_within(Bounds::EVERYTHING) && one.is_strictly_within(one.expanded(0.1)));
    }

    #[test]
    fn a_box_of_points_holds_them_all_and_no_more() {
        let points = [vec2(1.0, -2.0), vec2(f32::NAN, f32::NAN), vec2(-3.0, 4.0)];
        let all = Bounds::of_points(points);
        assert_eq!(all, Bounds::new(vec2(-3.0, -2.0), vec2(1.0, 4.0)));
        assert_eq!(Bounds::of_points([]), Bounds::NOTHING);
        assert_eq!(all.union(Bounds::NOTHING), all);
        assert_eq!(all.shifted(vec2(1.0, 1.0)).half_perimeter(), 10.0);
    }
}
