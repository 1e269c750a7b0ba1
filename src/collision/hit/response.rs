//! Response, shared by both modes: what two discs in contact, or a disc and something fixed, make of their velocities,
//! and how far overlapping discs give way. Plain functions, values in and values out.

use bevy::prelude::*;
use core::ops::{Add, Div, Mul, Neg};

/// How the speeds along the line of centres change when two discs approach at `approach` (m/s) and part with
/// restitution `e`: the difference between after and before of `as2 = (am as + bm bs - e bm (as - bs)) / (am + bm)`,
/// `bs2 = (am as + bm bs + e am (as - bs)) / (am + bm)` (one-dimensional restitution). Written as a difference,
/// momentum is kept even where the masses differ by ten orders of magnitude.
#[must_use]
pub fn speed_changes<T: Real>(mass_a: T, mass_b: T, approach: T, e: T) -> (T, T) {
    let shared = (T::from(1.0) + e) * approach / (mass_a + mass_b);
    (-(mass_b * shared), mass_a * shared)
}

/// A number of the solver: `f32`, in which discs are kept, or `f64`, in which the continuous mode takes them through a
/// tick.
pub trait Real:
    Copy + From<f32> + Neg<Output = Self> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl Real for f32 {}

impl Real for f64 {}

/// Every intermediate value of one collision of two discs, by the names of the article on the quick check. For showing
/// and for checking; the solver uses [`speed_changes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseBreakdown {
    /// From the centre of a to that of b, metres.
    pub ab: Vec2,
    /// `ab` with length 1.
    pub n: Vec2,
    /// Distance between the rims, metres; negative where the discs overlap.
    pub gap: f32,
    /// Where a is after being pushed out of an overlap, metres.
    pub a_apart: Vec2,
    /// Where b is after being pushed out of an overlap, metres.
    pub b_apart: Vec2,
    /// Speed of a along n before, m/s.
    pub a_s: f32,
    /// Speed of b along n before, m/s.
    pub b_s: f32,
    /// The part of a's velocity along n, before.
    pub avx: Vec2,
    /// The part of b's velocity along n, before.
    pub bvx: Vec2,
    /// The part of a's velocity across n, which stays.
    pub avy: Vec2,
    /// The part of b's velocity across n, which stays.
    pub bvy: Vec2,
    /// Speed of a along n after, m/s.
    pub as2: f32,
    /// Speed of b along n after, m/s.
    pub bs2: f32,
    /// The part of a's velocity along n, after.
    pub avx2: Vec2,
    /// The part of b's velocity along n, after.
    pub bvx2: Vec2,
    /// Velocity of a after.
    pub av2: Vec2,
    /// Velocity of b after.
    pub bv2: Vec2,
    /// What a plain mirror reflection would make of a's velocity.
    pub a_mirror: Vec2,
    /// What a plain mirror reflection would make of b's velocity.
    pub b_mirror: Vec2,
}

impl ImpulseBreakdown {
    /// Takes apart the collision of two discs as if they touched now, whether or not they approach. Discs with the same
    /// centre are taken to meet along the x axis.
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

/// The velocity after a bounce off something fixed, with `away` along the normal (of any length) and restitution `e`
/// (corner reflection; at e = 1 and unit length it is the mirror reflection `v - 2 (v · l) l`).
#[must_use]
pub fn bounce(velocity: Vec2, away: Vec2, e: f32) -> Vec2 {
    velocity + away * bounce_share(-velocity.dot(away), away.length_squared(), e)
}

/// How much of `away`, whose squared length is `squared`, a bounce adds to a velocity whose product with `-away` is
/// `inward`.
pub(crate) fn bounce_share<T: Real>(inward: T, squared: T, e: T) -> T {
    (T::from(1.0) + e) * inward / squared
}

/// How far each of two discs moves (metres) so that together they give way by `overlap`: each by the other's share of
/// the mass, so that the centre of mass stays where it is (push-apart by mass).
#[must_use]
pub fn separation(mass_a: f32, mass_b: f32, overlap: f32) -> (f32, f32) {
    let total = mass_a + mass_b;
    (overlap * (mass_b / total), overlap * (mass_a / total))
}

/// Discs with the same centre have no line of centres. They part in one of sixteen directions, chosen by their
/// identities, so that a heap of them spreads to all sides and every run repeats it.
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
