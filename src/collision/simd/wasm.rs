//! SIMD on WebAssembly: `simd128`, in four quarters of four. A module has these instructions as a whole or not at all,
//! so the level exists where the target feature is enabled.

use bevy::math::Vec2;
use core::arch::wasm32::{
    f32x4_add, f32x4_div, f32x4_le, f32x4_lt, f32x4_mul, f32x4_pmax, f32x4_pmin, f32x4_splat, f32x4_sqrt, f32x4_sub,
    i32x4_bitmask, i32x4_shuffle, v128,
};

use super::{SimdWidth, TwoFours, kernels::WIDE};

/// Proof that the instructions exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd128;

impl SimdWidth for Simd128 {
    #[inline(always)]
    fn overlap_mask(self, centre: Vec2, reach: f32, centres: TwoFours<Vec2>, reaches: TwoFours<f32>) -> u32 {
        bits([0, 1].map(|four| {
            let sum = f32x4_add(pulp::cast(*reaches[four]), f32x4_splat(reach));
            f32x4_le(four_distances(pulp::cast(*centres[four]), pulp::cast([centre; 4])), f32x4_mul(sum, sum))
        }))
    }

    #[inline(always)]
    fn overlap_mask_of_equals(self, centre: Vec2, limit: f32, centres: TwoFours<Vec2>) -> u32 {
        bits(
            centres
                .map(|four| f32x4_le(four_distances(pulp::cast(*four), pulp::cast([centre; 4])), f32x4_splat(limit))),
        )
    }

    type Floats = [v128; 4];

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Floats {
        [f32x4_splat(value); 4]
    }

    #[inline(always)]
    fn load(self, values: &[f32; WIDE]) -> Self::Floats {
        pulp::cast(*values)
    }

    #[inline(always)]
    fn store(self, values: Self::Floats) -> [f32; WIDE] {
        pulp::cast(values)
    }

    #[inline(always)]
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| f32x4_add(a, b))
    }

    #[inline(always)]
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| f32x4_sub(a, b))
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| f32x4_mul(a, b))
    }

    #[inline(always)]
    fn div(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| f32x4_div(a, b))
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Floats) -> Self::Floats {
        a.map(|a| f32x4_sqrt(a))
    }

    #[inline(always)]
    fn min(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| f32x4_pmin(a, b))
    }

    #[inline(always)]
    fn max(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| f32x4_pmax(a, b))
    }

    #[inline(always)]
    fn is_less(self, a: Self::Floats, b: Self::Floats) -> u32 {
        bits(each(a, b, |a, b| f32x4_lt(a, b)))
    }

    #[inline(always)]
    fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32 {
        bits(each(a, b, |a, b| f32x4_le(a, b)))
    }

    #[inline(always)]
    fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats {
        let (from, to): ([[v128; 2]; 4], [[v128; 2]; 4]) = (pulp::cast(*from), pulp::cast(*to));
        std::array::from_fn(|four| four_distances(from[four], to[four]))
    }

    #[inline(always)]
    fn interleaved(self, a: Self::Floats, b: Self::Floats) -> [Self::Floats; 2] {
        [0, 2].map(|four| {
            let [first, second] = four_interleaved(a[four], b[four]);
            let [third, last] = four_interleaved(a[four + 1], b[four + 1]);
            [first, second, third, last]
        })
    }

    #[inline(always)]
    fn rows<const SIDE: usize>(self, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE]) -> [Self::Floats; 4] {
        std::array::from_fn(|first| {
            std::array::from_fn(|four| pulp::cast(rows[pairs[4 * four + first][SIDE] as usize]))
        })
    }

    #[inline(always)]
    fn columns(self, [a, b, c, d]: [Self::Floats; 4]) -> [Self::Floats; 4] {
        let fours: [[v128; 4]; 4] = std::array::from_fn(|four| four_columns([a[four], b[four], c[four], d[four]]));
        std::array::from_fn(|column| std::array::from_fn(|four| fours[four][column]))
    }
}

/// The same for each quarter.
#[inline(always)]
fn each(a: [v128; 4], b: [v128; 4], of: impl Fn(v128, v128) -> v128) -> [v128; 4] {
    std::array::from_fn(|four| of(a[four], b[four]))
}

/// The sign bits of groups of four numbers, the first in the lowest bit.
#[inline(always)]
fn bits<const FOURS: usize>(values: [v128; FOURS]) -> u32 {
    let mut bits = 0;
    for (four, value) in values.into_iter().enumerate() {
        bits |= u32::from(i32x4_bitmask(value)) << (4 * four);
    }
    bits
}

/// The squared distances between four points and four others.
#[inline(always)]
fn four_distances(from: [v128; 2], to: [v128; 2]) -> v128 {
    let [low, high] = [0, 1].map(|two| {
        let apart = f32x4_sub(to[two], from[two]);
        f32x4_mul(apart, apart)
    });
    f32x4_add(i32x4_shuffle::<0, 2, 4, 6>(low, high), i32x4_shuffle::<1, 3, 5, 7>(low, high))
}

/// Interleaves four numbers with four others.
#[inline(always)]
fn four_interleaved(a: v128, b: v128) -> [v128; 2] {
    [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)]
}

/// The columns of four rows.
#[inline(always)]
fn four_columns([a, b, c, d]: [v128; 4]) -> [v128; 4] {
    let ([ab, ab_high], [cd, cd_high]) = (four_interleaved(a, b), four_interleaved(c, d));
    [
        i32x4_shuffle::<0, 1, 4, 5>(ab, cd),
        i32x4_shuffle::<2, 3, 6, 7>(ab, cd),
        i32x4_shuffle::<0, 1, 4, 5>(ab_high, cd_high),
        i32x4_shuffle::<2, 3, 6, 7>(ab_high, cd_high),
    ]
}
