//! Without SIMD: one number after the other, or as the compiler vectorizes it.

use bevy::math::Vec2;

use super::{SimdWidth, TwoFours, kernels::WIDE, max, min};

impl SimdWidth for pulp::Scalar {
    #[inline(always)]
    fn overlap_mask(self, centre: Vec2, reach: f32, centres: TwoFours<Vec2>, reaches: TwoFours<f32>) -> u32 {
        let mut mask = 0;
        for four in 0..2 {
            for k in 0..4 {
                let sum = reaches[four][k] + reach;
                mask |= u32::from(centres[four][k].distance_squared(centre) <= sum * sum) << (4 * four + k);
            }
        }
        mask
    }

    #[inline(always)]
    fn overlap_mask_of_equals(self, centre: Vec2, limit: f32, centres: TwoFours<Vec2>) -> u32 {
        let mut mask = 0;
        for four in 0..2 {
            for k in 0..4 {
                mask |= u32::from(centres[four][k].distance_squared(centre) <= limit) << (4 * four + k);
            }
        }
        mask
    }

    type Floats = [f32; WIDE];

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Floats {
        [value; WIDE]
    }

    #[inline(always)]
    fn load(self, values: &[f32; WIDE]) -> Self::Floats {
        *values
    }

    #[inline(always)]
    fn store(self, values: Self::Floats) -> [f32; WIDE] {
        values
    }

    #[inline(always)]
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|k| a[k] + b[k])
    }

    #[inline(always)]
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|k| a[k] - b[k])
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|k| a[k] * b[k])
    }

    #[inline(always)]
    fn div(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|k| a[k] / b[k])
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Floats) -> Self::Floats {
        a.map(f32::sqrt)
    }

    #[inline(always)]
    fn min(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|k| min(a[k], b[k]))
    }

    #[inline(always)]
    fn max(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        std::array::from_fn(|k| max(a[k], b[k]))
    }

    #[inline(always)]
    fn is_less(self, a: Self::Floats, b: Self::Floats) -> u32 {
        (0..WIDE).fold(0, |bits, k| bits | u32::from(a[k] < b[k]) << k)
    }

    #[inline(always)]
    fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32 {
        (0..WIDE).fold(0, |bits, k| bits | u32::from(a[k] <= b[k]) << k)
    }

    #[inline(always)]
    fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats {
        std::array::from_fn(|k| from[k].distance_squared(to[k]))
    }

    #[inline(always)]
    fn interleaved(self, a: Self::Floats, b: Self::Floats) -> [Self::Floats; 2] {
        let all: [[f32; 2]; WIDE] = std::array::from_fn(|k| [a[k], b[k]]);
        pulp::cast(all)
    }

    #[inline(always)]
    fn rows<const SIDE: usize>(self, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE]) -> [Self::Floats; 4] {
        let mut all = [[[0.0; 4]; 4]; 4];
        for k in 0..WIDE {
            all[k % 4][k / 4] = rows[pairs[k][SIDE] as usize];
        }
        pulp::cast(all)
    }

    #[inline(always)]
    fn columns(self, rows: [Self::Floats; 4]) -> [Self::Floats; 4] {
        std::array::from_fn(|column| std::array::from_fn(|k| rows[k % 4][k / 4 * 4 + column]))
    }
}
