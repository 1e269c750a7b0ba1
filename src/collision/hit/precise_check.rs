//! The precise check: when two discs start and stop touching, in frames, and which of five cases that is.
//!
//! The formulas are those of [`time_of_impact`](crate::collision::shape::time_of_impact), with both roots of the
//! quadratic.

use crate::collision::discs::DiscState;

/// The relation of two discs by the table of the precise check, if both keep their velocities. `f0` is the time at
/// which they start to touch, and `f1` the time at which they stop if they pass through each other. Both are counted in
/// frames from now; negative values are in the past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeOfImpact {
    /// They touch within this frame: `0 <= f0 <= 1`.
    WithinFrame {
        /// The start of contact, frames.
        f0: f64,
        /// The end of contact, frames.
        f1: f64,
    },
    /// They approach and start to touch later: `1 < f0 <= f1`.
    Approaching {
        /// The start of contact, frames.
        f0: f64,
        /// The end of contact, frames.
        f1: f64,
    },
    /// They overlap now: `f0 < 0 < f1`. Without relative motion both are infinite.
    Overlapping {
        /// The start of contact, frames; negative.
        f0: f64,
        /// The end of contact, frames.
        f1: f64,
    },
    /// They recede: `f0 <= f1 <= 0`.
    Receding {
        /// The start of contact, frames; negative.
        f0: f64,
        /// The end of contact, frames; negative, or zero for discs that have just separated.
        f1: f64,
    },
    /// Their paths never bring them into contact, or only graze: the discriminant is zero or less.
    Never,
}

impl TimeOfImpact {
    /// The relation of two discs; `frame` is the length of a frame in seconds.
    ///
    /// ```
    /// use bevy::math::vec2;
    /// use carom::collision::{DiscState, TimeOfImpact};
    /// let a = DiscState { velocity: vec2(2.0, 0.0), ..DiscState::default() }; // radius 0.5
    /// let b = DiscState { position: vec2(4.0, 0.0), ..DiscState::default() };
    /// assert_eq!(TimeOfImpact::of(&a, &b, 1.0), TimeOfImpact::Approaching { f0: 1.5, f1: 2.5 });
    /// assert_eq!(TimeOfImpact::of(&a, &b, 2.0), TimeOfImpact::WithinFrame { f0: 0.75, f1: 1.25 });
    /// ```
    #[must_use]
    pub fn of(a: &DiscState, b: &DiscState, frame: f32) -> Self {
        let p = b.position.as_dvec2() - a.position.as_dvec2();
        let d = (b.velocity.as_dvec2() - a.velocity.as_dvec2()) * f64::from(frame);
        let sum = f64::from(a.radius) + f64::from(b.radius);
        let (square, half, c) = (d.length_squared(), p.dot(d), p.length_squared() - sum * sum);
        if square == 0.0 {
            let always = Self::Overlapping { f0: f64::NEG_INFINITY, f1: f64::INFINITY };
            return if c < 0.0 { always } else { Self::Never };
        }
        let discriminant = square * sum * sum - p.perp_dot(d) * p.perp_dot(d);
        if discriminant <= 0.0 {
            return Self::Never;
        }
        // The root of larger magnitude is a sum; the other follows from their product, C / A.
        let larger = -half - discriminant.sqrt() * if half < 0.0 { -1.0 } else { 1.0 };
        let roots = [larger / square, c / larger];
        let (f0, f1) = (roots[0].min(roots[1]), roots[0].max(roots[1]));
        if f1 <= 0.0 {
            Self::Receding { f0, f1 }
        } else if f0 < 0.0 {
            Self::Overlapping { f0, f1 }
        } else if f0 <= 1.0 {
            Self::WithinFrame { f0, f1 }
        } else {
            Self::Approaching { f0, f1 }
        }
    }

    /// The start and the end of contact, in frames; `None` if they never touch.
    #[must_use]
    pub fn times(self) -> Option<[f64; 2]> {
        match self {
            Self::WithinFrame { f0, f1 }
            | Self::Approaching { f0, f1 }
            | Self::Overlapping { f0, f1 }
            | Self::Receding { f0, f1 } => Some([f0, f1]),
            Self::Never => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::{Vec2, vec2};

    fn pair(p: Vec2, d: Vec2) -> [DiscState; 2] {
        [DiscState::default(), DiscState { position: p, velocity: d, ..DiscState::default() }]
    }

    #[test]
    fn two_discs_are_classified_by_their_times_of_impact() {
        let of = |p, d| {
            let [a, b] = pair(p, d);
            TimeOfImpact::of(&a, &b, 1.0)
        };
        assert_eq!(of(vec2(3.0, 0.0), vec2(-4.0, 0.0)), TimeOfImpact::WithinFrame { f0: 0.5, f1: 1.0 });
        assert_eq!(of(vec2(3.0, 0.0), vec2(-1.0, 0.0)), TimeOfImpact::Approaching { f0: 2.0, f1: 4.0 });
        assert_eq!(of(vec2(3.0, 0.0), vec2(1.0, 0.0)), TimeOfImpact::Receding { f0: -4.0, f1: -2.0 });
        assert_eq!(of(vec2(0.5, 0.0), vec2(1.0, 0.0)), TimeOfImpact::Overlapping { f0: -1.5, f1: 0.5 });
        assert_eq!(of(vec2(3.0, 2.0), vec2(-1.0, 0.0)), TimeOfImpact::Never);
        assert_eq!(of(vec2(3.0, 1.0), vec2(-1.0, 0.0)), TimeOfImpact::Never, "a touch in passing");
        assert_eq!(of(vec2(3.0, 0.0), Vec2::ZERO), TimeOfImpact::Never);
        let always = TimeOfImpact::Overlapping { f0: f64::NEG_INFINITY, f1: f64::INFINITY };
        assert_eq!(of(vec2(0.5, 0.0), Vec2::ZERO), always);
        assert_eq!(of(vec2(1.0, 0.0), vec2(1.0, 0.0)), TimeOfImpact::Receding { f0: -2.0, f1: 0.0 }, "just parted");
        assert_eq!(
            of(vec2(1.0, 0.0), vec2(-1.0, 0.0)),
            TimeOfImpact::WithinFrame { f0: 0.0, f1: 2.0 },
            "just touching"
        );
    }
}
