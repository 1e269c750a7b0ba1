//! SIMD on x86-64: AVX2, in two halves of eight, and AVX-512.

use bevy::math::Vec2;
use core::arch::x86_64::{__m256, __m512, _CMP_LE_OQ, _CMP_LT_OQ};
use pulp::x86::{V3, V4};

use super::{SimdWidth, TwoFours, kernels::WIDE};

impl SimdWidth for V3 {
    #[inline(always)]
    fn overlap_mask(self, centre: Vec2, reach: f32, centres: TwoFours<Vec2>, reaches: TwoFours<f32>) -> u32 {
        let avx = self.avx;
        let reaches: __m256 = pulp::cast([*reaches[0], *reaches[1]]);
        let sum = avx._mm256_add_ps(reaches, avx._mm256_set1_ps(reach));
        let squared = two_fours_distances(self, centre, centres);
        let mask = avx._mm256_cmp_ps::<_CMP_LE_OQ>(squared, avx._mm256_mul_ps(sum, sum));
        avx._mm256_movemask_ps(mask) as u32
    }

    #[inline(always)]
    fn overlap_mask_of_equals(self, centre: Vec2, limit: f32, centres: TwoFours<Vec2>) -> u32 {
        let (avx, squared) = (self.avx, two_fours_distances(self, centre, centres));
        avx._mm256_movemask_ps(avx._mm256_cmp_ps::<_CMP_LE_OQ>(squared, avx._mm256_set1_ps(limit))) as u32
    }

    type Floats = [__m256; 2];

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Floats {
        [self.avx._mm256_set1_ps(value); 2]
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
        [self.avx._mm256_add_ps(a[0], b[0]), self.avx._mm256_add_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        [self.avx._mm256_sub_ps(a[0], b[0]), self.avx._mm256_sub_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        [self.avx._mm256_mul_ps(a[0], b[0]), self.avx._mm256_mul_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn div(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        [self.avx._mm256_div_ps(a[0], b[0]), self.avx._mm256_div_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Floats) -> Self::Floats {
        [self.avx._mm256_sqrt_ps(a[0]), self.avx._mm256_sqrt_ps(a[1])]
    }

    #[inline(always)]
    fn min(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        [self.avx._mm256_min_ps(b[0], a[0]), self.avx._mm256_min_ps(b[1], a[1])]
    }

    #[inline(always)]
    fn max(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        [self.avx._mm256_max_ps(b[0], a[0]), self.avx._mm256_max_ps(b[1], a[1])]
    }

    #[inline(always)]
    fn is_less(self, a: Self::Floats, b: Self::Floats) -> u32 {
        bits(self, [self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a[0], b[0]), self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a[1], b[1])])
    }

    #[inline(always)]
    fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32 {
        bits(self, [self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(a[0], b[0]), self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(a[1], b[1])])
    }

    #[inline(always)]
    fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats {
        let (from, to): ([[f32; 16]; 2], [[f32; 16]; 2]) = (pulp::cast(*from), pulp::cast(*to));
        [eight_distances(self, &from[0], &to[0]), eight_distances(self, &from[1], &to[1])]
    }

    #[inline(always)]
    fn interleaved(self, a: Self::Floats, b: Self::Floats) -> [Self::Floats; 2] {
        [eight_interleaved(self, a[0], b[0]), eight_interleaved(self, a[1], b[1])]
    }

    #[inline(always)]
    fn rows<const SIDE: usize>(self, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE]) -> [Self::Floats; 4] {
        [
            [two_rows::<SIDE>(self, rows, pairs, 0), two_rows::<SIDE>(self, rows, pairs, 8)],
            [two_rows::<SIDE>(self, rows, pairs, 1), two_rows::<SIDE>(self, rows, pairs, 9)],
            [two_rows::<SIDE>(self, rows, pairs, 2), two_rows::<SIDE>(self, rows, pairs, 10)],
            [two_rows::<SIDE>(self, rows, pairs, 3), two_rows::<SIDE>(self, rows, pairs, 11)],
        ]
    }

    #[inline(always)]
    fn columns(self, [a, b, c, d]: [Self::Floats; 4]) -> [Self::Floats; 4] {
        let low = eight_columns(self, [a[0], b[0], c[0], d[0]]);
        let high = eight_columns(self, [a[1], b[1], c[1], d[1]]);
        [[low[0], high[0]], [low[1], high[1]], [low[2], high[2]], [low[3], high[3]]]
    }
}

/// The squared distances of a point from two groups of four.
#[inline(always)]
fn two_fours_distances(simd: V3, centre: Vec2, [first, second]: TwoFours<Vec2>) -> __m256 {
    let avx = simd.avx;
    let centre: __m256 = pulp::cast([centre; 4]);
    // The first two of each, then the other two of each, so that the sums are in order.
    let low: __m256 = pulp::cast([first[0], first[1], second[0], second[1]]);
    let high: __m256 = pulp::cast([first[2], first[3], second[2], second[3]]);
    let (low, high) = (avx._mm256_sub_ps(low, centre), avx._mm256_sub_ps(high, centre));
    let (low, high) = (avx._mm256_mul_ps(low, low), avx._mm256_mul_ps(high, high));
    let x = avx._mm256_shuffle_ps::<0b10_00_10_00>(low, high);
    let y = avx._mm256_shuffle_ps::<0b11_01_11_01>(low, high);
    avx._mm256_add_ps(x, y)
}

/// The signs of sixteen numbers.
#[inline(always)]
fn bits(simd: V3, [low, high]: [__m256; 2]) -> u32 {
    (simd.avx._mm256_movemask_ps(low) | simd.avx._mm256_movemask_ps(high) << 8) as u32
}

/// The squared distances between eight points and eight others.
#[inline(always)]
fn eight_distances(simd: V3, from: &[f32; 16], to: &[f32; 16]) -> __m256 {
    let avx = simd.avx;
    let (from, to): ([__m256; 2], [__m256; 2]) = (pulp::cast(*from), pulp::cast(*to));
    let (low, high) = (avx._mm256_sub_ps(to[0], from[0]), avx._mm256_sub_ps(to[1], from[1]));
    let (low, high) = (avx._mm256_mul_ps(low, low), avx._mm256_mul_ps(high, high));
    // The sums of neighbours, in the order 0 1 4 5 2 3 6 7.
    let x = avx._mm256_shuffle_ps::<0b10_00_10_00>(low, high);
    let y = avx._mm256_shuffle_ps::<0b11_01_11_01>(low, high);
    let sums = pulp::cast(avx._mm256_add_ps(x, y));
    pulp::cast(simd.avx2._mm256_permute4x64_pd::<0b11_01_10_00>(sums))
}

/// Interleaves eight numbers with eight others.
#[inline(always)]
fn eight_interleaved(simd: V3, a: __m256, b: __m256) -> [__m256; 2] {
    let avx = simd.avx;
    let (low, high) = (avx._mm256_unpacklo_ps(a, b), avx._mm256_unpackhi_ps(a, b));
    [avx._mm256_permute2f128_ps::<0x20>(low, high), avx._mm256_permute2f128_ps::<0x31>(low, high)]
}

/// The rows of the pair `first` and of the fourth one after it.
#[inline(always)]
fn two_rows<const SIDE: usize>(simd: V3, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE], first: usize) -> __m256 {
    let (low, high) = (rows[pairs[first][SIDE] as usize], rows[pairs[first + 4][SIDE] as usize]);
    simd.avx._mm256_insertf128_ps::<1>(simd.avx._mm256_castps128_ps256(pulp::cast(low)), pulp::cast(high))
}

/// The columns of eight rows: 0 and 4, 1 and 5, 2 and 6, 3 and 7.
#[inline(always)]
fn eight_columns(simd: V3, [a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    let avx = simd.avx;
    let [ab, ab_high] = [avx._mm256_unpacklo_ps(a, b), avx._mm256_unpackhi_ps(a, b)];
    let [cd, cd_high] = [avx._mm256_unpacklo_ps(c, d), avx._mm256_unpackhi_ps(c, d)];
    [
        avx._mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
        avx._mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
        avx._mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        avx._mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}

impl SimdWidth for V4 {
    #[inline(always)]
    fn overlap_mask(self, centre: Vec2, reach: f32, centres: TwoFours<Vec2>, reaches: TwoFours<f32>) -> u32 {
        (*self).overlap_mask(centre, reach, centres, reaches)
    }

    #[inline(always)]
    fn overlap_mask_of_equals(self, centre: Vec2, limit: f32, centres: TwoFours<Vec2>) -> u32 {
        (*self).overlap_mask_of_equals(centre, limit, centres)
    }

    type Floats = __m512;

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Floats {
        self.avx512f._mm512_set1_ps(value)
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
        self.avx512f._mm512_add_ps(a, b)
    }

    #[inline(always)]
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_sub_ps(a, b)
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_mul_ps(a, b)
    }

    #[inline(always)]
    fn div(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_div_ps(a, b)
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_sqrt_ps(a)
    }

    #[inline(always)]
    fn min(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_min_ps(b, a)
    }

    #[inline(always)]
    fn max(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_max_ps(b, a)
    }

    #[inline(always)]
    fn is_less(self, a: Self::Floats, b: Self::Floats) -> u32 {
        self.avx512f._mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b).into()
    }

    #[inline(always)]
    fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32 {
        self.avx512f._mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b).into()
    }

    #[inline(always)]
    fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats {
        let avx = self.avx512f;
        let (from, to): ([__m512; 2], [__m512; 2]) = (pulp::cast(*from), pulp::cast(*to));
        let (low, high) = (avx._mm512_sub_ps(to[0], from[0]), avx._mm512_sub_ps(to[1], from[1]));
        let (low, high) = (avx._mm512_mul_ps(low, low), avx._mm512_mul_ps(high, high));
        let x = avx._mm512_permutex2var_ps(low, pulp::cast(EVEN), high);
        let y = avx._mm512_permutex2var_ps(low, pulp::cast(ODD), high);
        avx._mm512_add_ps(x, y)
    }

    #[inline(always)]
    fn interleaved(self, a: Self::Floats, b: Self::Floats) -> [Self::Floats; 2] {
        let avx = self.avx512f;
        [
            avx._mm512_permutex2var_ps(a, pulp::cast(FIRST_IN_TURN), b),
            avx._mm512_permutex2var_ps(a, pulp::cast(SECOND_IN_TURN), b),
        ]
    }

    #[inline(always)]
    fn rows<const SIDE: usize>(self, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE]) -> [Self::Floats; 4] {
        [
            four_rows::<SIDE>(self, rows, pairs, 0),
            four_rows::<SIDE>(self, rows, pairs, 1),
            four_rows::<SIDE>(self, rows, pairs, 2),
            four_rows::<SIDE>(self, rows, pairs, 3),
        ]
    }

    #[inline(always)]
    fn columns(self, [a, b, c, d]: [Self::Floats; 4]) -> [Self::Floats; 4] {
        let avx = self.avx512f;
        let [ab, ab_high] = [avx._mm512_unpacklo_ps(a, b), avx._mm512_unpackhi_ps(a, b)];
        let [cd, cd_high] = [avx._mm512_unpacklo_ps(c, d), avx._mm512_unpackhi_ps(c, d)];
        [
            avx._mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
            avx._mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
            avx._mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            avx._mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

const FIRST_IN_TURN: [i32; 16] = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
const SECOND_IN_TURN: [i32; 16] = [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31];
const EVEN: [i32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
const ODD: [i32; 16] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31];

/// The rows of the pair `first` and of every fourth one after it.
#[inline(always)]
fn four_rows<const SIDE: usize>(simd: V4, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE], first: usize) -> __m512 {
    let avx = simd.avx512f;
    let all = avx._mm512_castps128_ps512(pulp::cast(rows[pairs[first][SIDE] as usize]));
    let all = avx._mm512_insertf32x4::<1>(all, pulp::cast(rows[pairs[first + 4][SIDE] as usize]));
    let all = avx._mm512_insertf32x4::<2>(all, pulp::cast(rows[pairs[first + 8][SIDE] as usize]));
    avx._mm512_insertf32x4::<3>(all, pulp::cast(rows[pairs[first + 12][SIDE] as usize]))
}
