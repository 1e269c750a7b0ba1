//! The response to a contact, for both modes. It gives the velocities after a hit of two discs, or of a disc and a
//! fixed object, and the push-apart of overlapping discs. Plain functions: values in, values out.

use bevy::prelude::*;
use core::ops::{Add, Div, Mul, Neg};

/// The changes of the speeds along the line of centres when two discs approach at `approach` (m/s) and separate with
/// restitution `e`. They are the differences between after and before of
/// `as2 = (am as + bm bs - e bm (as - bs)) / (am + bm)`, `bs2 = (am as + bm bs + e am (as - bs)) / (am + bm)`
/// (one-dimensional restitution). In this form, momentum is conserved even if the masses differ by ten orders of
/// magnitude.
#[must_use]
pub fn speed_changes<T: Real>(mass_a: T, mass_b: T, approach: T, e: T) -> (T, T) {
    let shared = (T::from(1.0) + e) * approach / (mass_a + mass_b);
    (-(mass_b * shared), mass_a * shared)
}

/// A number type of the solver: `f32`, in which discs are stored, or `f64`, in which the continuous mode moves them
/// through a tick.
pub trait Real:
    Copy + From<f32> + Neg<Output = Self> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl Real for f32 {}

impl Real for f64 {}

/// Every intermediate value of a collision of two discs, with the names of the article on the quick check. For display
/// and checks; the solver uses [`speed_changes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseBreakdown {
    /// From the centre of a to the centre of b, metres.
    pub ab: Vec2,
    /// `ab` with length 1.
    pub n: Vec2,
    /// Distance between the rims, metres; negative if the discs overlap.
    pub gap: f32,
    /// Position of a after push-apart, metres.
    pub a_apart: Vec2,
    /// Position of b after push-apart, metres.
    pub b_apart: Vec2,
    /// Speed of a along n before, m/s.
    pub a_s: f32,
    /// Speed of b along n before, m/s.
    pub b_s: f32,
    /// The component of a's velocity along n, before.
    pub avx: Vec2,
    /// The component of b's velocity along n, before.
    pub bvx: Vec2,
    /// The component of a's velocity across n, which does not change.
    pub avy: Vec2,
    /// The component of b's velocity across n, which does not change.
    pub bvy: Vec2,
    /// Speed of a along n after, m/s.
    pub as2: f32,
    /// Speed of b along n after, m/s.
    pub bs2: f32,
    /// The component of a's velocity along n, after.
    pub avx2: Vec2,
    /// The component of b's velocity along n, after.
    pub bvx2: Vec2,
    /// Velocity of a after.
    pub av2: Vec2,
    /// Velocity of b after.
    pub bv2: Vec2,
    /// The mirror reflection of a's velocity.
    pub a_mirror: Vec2,
    /// The mirror reflection of b's velocity.
    pub b_mirror: Vec2,
}

impl ImpulseBreakdown {
    /// Breaks down the collision of two discs as if they touched now, whether or not they approach. Concentric discs
    /// are treated as colliding along the x axis.
    #[must_use]
    pub fn of(a: &crate::collision::DiscState, b: &crate::collision::DiscState, e: f32) -> Self {
        let ab = b.position - a.position;
        let n = ab.try_normalize().unwrap_or(Vec2::X);
        let gap = ab.length() - a.radius - b.radius;
        let (away_a, away_b) = crate::collision::hit::response::separation(a.mass, b.mass, (-gap).max(0.0));
        let (a_s, b_s) = (a.velocity.dot(n), b.velocity.dot(n));
        let (change_a, change_b) = speed_changes(a.mass, b.mass, a_s - b_s, e);
        let (as2, bs2) = (a_s + change_a, b_s + change_b);
        let (avx, bvx) = (n * a_s, n * b_s);
        let (avy, bvy) = (a.velocity - avx, b.velocity - bvx);
        let (avx2, bvx2) = (n * as2, n * bs2);
        Self {
            ab,
            n,
            gap,
            a_apart: a.position - n * away_a,
            b_apart: b.position + n * away_b,
            a_s,
            b_s,
            avx,
            bvx,
            avy,
            bvy,
            as2,
            bs2,
            avx2,
            bvx2,
            av2: avy + avx2,
            bv2: bvy + bvx2,
            a_mirror: avy - avx,
            b_mirror: bvy - bvx,
        }
    }
}

/// The velocity after a bounce off a fixed object, with `away` along the normal (of any length) and restitution `e`
/// (corner reflection). At e = 1 and unit length it is the mirror reflection `v - 2 (v · l) l`.
#[must_use]
pub fn bounce(velocity: Vec2, away: Vec2, e: f32) -> Vec2 {
    velocity + away * bounce_share(-velocity.dot(away), away.length_squared(), e)
}

/// The multiple of `away` that a bounce adds to a velocity. `squared` is the squared length of `away`, and `inward` the
/// product of the velocity with `-away`.
pub(crate) fn bounce_share<T: Real>(inward: T, squared: T, e: T) -> T {
    (T::from(1.0) + e) * inward / squared
}

/// The distances by which two discs move (metres) to separate by `overlap` together. Each moves by the other's share of
/// the mass, so that the centre of mass does not move (push-apart by mass).
#[must_use]
pub fn separation(mass_a: f32, mass_b: f32, overlap: f32) -> (f32, f32) {
    let total = mass_a + mass_b;
    (overlap * (mass_b / total), overlap * (mass_a / total))
}

/// Concentric discs have no line of centres. They separate in one of sixteen directions, chosen by their ids, so that a
/// heap of them spreads to all sides and every run repeats it.
pub(crate) fn arbitrary_normal(a: u64, b: u64) -> Vec2 {
    const DIRECTIONS: [[f32; 2]; 4] =
        [[1.0, 0.0], [0.923_879_5, 0.382_683_43], [0.707_106_77, 0.707_106_77], [0.382_683_43, 0.923_879_5]];
    let pick = a.wrapping_mul(7).wrapping_add(b.wrapping_mul(3)) as usize;
    let [x, y] = DIRECTIONS[pick % 4];
    match pick / 4 % 4 {
        0 => Vec2::new(x, y),
        1 => Vec2::new(-y, x),
        2 => Vec2::new(-x, -y),
        _ => Vec2::new(y, -x),
    }
}
