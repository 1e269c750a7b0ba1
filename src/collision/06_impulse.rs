//! Impulse: two discs in contact that approach each other get new speeds along the line of centres (seed 000, steps 3
//! to 5). What is across that line stays as it is: discs are smooth.

use bevy::prelude::*;
use core::ops::{Add, Div, Mul, Neg};

use super::{
    report::{Hit, Struck},
    settings::combine_restitution,
    space::Space,
};

/// Answers every contact whose discs approach, in the order in which `PushApart` noted them.
pub fn impulse(space: &mut Space) {
    let Space { bodies, contacts, hits, settings, collisions, pile, now, .. } = space;
    // Slower than this is at rest, and `Settle`'s to answer.
    let slowest = if pile.acts { settings.resting_speed } else { 0.0 };
    for contact in contacts.iter() {
        let (i, j) = (contact.a as usize, contact.b as usize);
        let n = contact.normal;
        let (speed_a, speed_b) = (bodies.velocity[i].dot(n), bodies.velocity[j].dot(n));
        let approach = speed_a - speed_b;
        if approach <= slowest {
            continue;
        }
        let carried = (bodies.restitution[i], bodies.restitution[j], settings.restitution);
        let e = restitution_of(approach, carried, settings.resting_speed);
        let (mass_a, mass_b) = (bodies.mass[i], bodies.mass[j]);
        let (change_a, change_b) = speed_changes(mass_a, mass_b, approach, e);
        bodies.velocity[i] += n * change_a;
        bodies.velocity[j] += n * change_b;
        if pile.acts {
            pile.wake(i);
            pile.wake(j);
        }
        let hit = Hit {
            disc: contact.a,
            struck: Struck::Disc(contact.b),
            point: bodies.position[i] + n * bodies.radius[i],
            normal: n,
            approach_speed: approach,
            impulse: mass_b * change_b,
            time: *now,
        };
        hit.note(settings, collisions, hits);
    }
}

/// How the speeds along the line of centres change when two discs approach at `approach` (m/s) and part with restitution
/// `e`: the difference between after and before of
/// `as2 = (am as + bm bs - e bm (as - bs)) / (am + bm)`, `bs2 = (am as + bm bs + e am (as - bs)) / (am + bm)` (seed 000).
/// Written as a difference, momentum is kept even where the masses differ by ten orders of magnitude.
#[must_use]
pub fn speed_changes<T: Real>(mass_a: T, mass_b: T, approach: T, e: T) -> (T, T) {
    let shared = (T::from(1.0) + e) * approach / (mass_a + mass_b);
    (-(mass_b * shared), mass_a * shared)
}

/// A number of the solver: `f32`, in which discs are kept, or `f64`, in which the continuous mode takes them through a tick.
pub trait Real:
    Copy + From<f32> + Neg<Output = Self> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}

/// The restitution of a hit at this approach speed (m/s) between two sides of which each may carry a value: `carried` holds
/// both and the setting for hits between sides that carry none. 0 below the resting speed.
pub(super) fn restitution_of(approach: f32, carried: (Option<f32>, Option<f32>, f32), resting_speed: f32) -> f32 {
    if approach < resting_speed { 0.0 } else { combine_restitution(carried.0, carried.1, carried.2) }
}

/// Every intermediate value of one collision of two discs, by the names of seed 000. For showing and for checking; the
/// solver uses [`speed_changes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anatomy {
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

impl Anatomy {
    /// Takes apart the collision of two discs as if they touched now, whether or not they approach. Discs with the same
    /// centre are taken to meet along the x axis.
    #[must_use]
    pub fn of(a: &super::Disc, b: &super::Disc, e: f32) -> Self {
        let ab = b.position - a.position;
        let n = ab.try_normalize().unwrap_or(Vec2::X);
        let gap = ab.length() - a.radius - b.radius;
        let (away_a, away_b) = super::push_apart::separation(a.mass, b.mass, (-gap).max(0.0));
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
