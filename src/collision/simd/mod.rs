//! SIMD: how many candidates one instruction tests. The processor is asked once, at run time; every path does the same
//! additions and multiplications in the same order, so all of them give the same bits.

use bevy::math::Vec2;

use super::simd::kernels::WIDE;

pub(in crate::collision) mod kernels;

/// The widest instructions that the broad phase may use.
///
/// [`Space::default`](crate::collision::Space) takes the best that the processor has; the others are there for comparing.
#[derive(Clone, Copy, Debug)]
pub struct SimdLevel(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
}

impl Default for SimdLevel {
    fn default() -> Self {
        let mut all = Self::available();
        all.pop().unwrap_or(Self(Kind::Scalar))
    }
}

impl SimdLevel {
    /// What this processor has, from the narrowest to the widest. On 64-bit ARM and WebAssembly the compiler's own
    /// vectors, four values wide, stand in the scalar path.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = [pulp::x86::V3::try_new().map(Kind::Avx2), pulp::x86::V4::try_new().map(Kind::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let wide: [Option<Kind>; 0] = [];
        [Some(Kind::Scalar)].into_iter().chain(wide).flatten().map(Self).collect()
    }

    /// The name that people know it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "AVX-512",
        }
    }

    /// Runs a job that was compiled for each kind of processor.
    pub(in crate::collision) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Scalar => kernel.run(pulp::Scalar::new()),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(simd) => simd.vectorize(Compiled { kernel, simd }),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(simd) => simd.vectorize(Compiled { kernel, simd }),
        }
    }
}

/// Work whose inner loop tests sixteen candidates at once. Implementations are marked `inline(always)`, so that they are
/// compiled with the instructions of their SIMD level.
pub(in crate::collision) trait Kernel {
    type Output;
    fn run<W: SimdWidth>(self, simd: W) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
struct Compiled<K, W> {
    kernel: K,
    simd: W,
}

#[cfg(target_arch = "x86_64")]
impl<K: Kernel, W: SimdWidth> pulp::NullaryFnOnce for Compiled<K, W> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.kernel.run(self.simd)
    }
}

/// Two groups of eight values that need not lie together.
pub(in crate::collision) type TwoHalves<'a> = [&'a [f32; 8]; 2];

/// Tests sixteen candidates at once.
pub(in crate::collision) trait SimdWidth: Copy {
    /// Bit `k` of the answer is set where `(x_k - x)² + (y_k - y)² <= (reach_k + reach)²`; bits 0 to 7 are of the first
    /// eight candidates, 8 to 15 of the second.
    fn overlap_mask(self, centre: [f32; 2], reach: f32, x: TwoHalves, y: TwoHalves, reaches: TwoHalves) -> u32;

    /// The same where all reach equally far, `limit` being the square of the sum of two reaches.
    fn near_equals(self, centre: [f32; 2], limit: f32, x: TwoHalves, y: TwoHalves) -> u32;

    /// Sixteen numbers.
    type Floats: Copy;

    fn splat(self, value: f32) -> Self::Floats;
    fn load(self, values: &[f32; WIDE]) -> Self::Floats;
    fn store(self, values: Self::Floats) -> [f32; WIDE];
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn div(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn sqrt(self, a: Self::Floats) -> Self::Floats;
    /// As [`min`].
    fn min(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// As [`max`].
    fn max(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Where `a < b`, as bits.
    fn is_less(self, a: Self::Floats, b: Self::Floats) -> u32;
    /// Where `a <= b`, as bits.
    fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32;
    /// The squared distances between sixteen points and sixteen others.
    fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats;
    /// Each of sixteen numbers twice, one after the other.
    fn twice(self, a: Self::Floats) -> [Self::Floats; 2];
    /// The columns of sixteen rows.
    fn columns(self, rows: &[[f32; 4]; WIDE]) -> [Self::Floats; 4];
}

impl SimdWidth for pulp::Scalar {
    #[inline(always)]
    fn near_equals(self, [x, y]: [f32; 2], limit: f32, xs: TwoHalves, ys: TwoHalves) -> u32 {
        let mut mask = 0;
        for eight in 0..2 {
            for k in 0..8 {
                let (dx, dy) = (xs[eight][k] - x, ys[eight][k] - y);
                mask |= u32::from(dx * dx + dy * dy <= limit) << (8 * eight + k);
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
    fn twice(self, a: Self::Floats) -> [Self::Floats; 2] {
        [0, WIDE / 2].map(|first| std::array::from_fn(|k| a[first + k / 2]))
    }

    #[inline(always)]
    fn columns(self, rows: &[[f32; 4]; WIDE]) -> [Self::Floats; 4] {
        std::array::from_fn(|column| rows.map(|row| row[column]))
    }

    #[inline(always)]
    fn overlap_mask(self, [x, y]: [f32; 2], reach: f32, xs: TwoHalves, ys: TwoHalves, reaches: TwoHalves) -> u32 {
        let mut mask = 0;
        for eight in 0..2 {
            for k in 0..8 {
                let (dx, dy) = (xs[eight][k] - x, ys[eight][k] - y);
                let sum = reaches[eight][k] + reach;
                mask |= u32::from(dx * dx + dy * dy <= sum * sum) << (8 * eight + k);
            }
        }
        mask
    }
}

/// Which of two squared distances each are not both within a distance that may be negative, as bits.
#[inline(always)]
pub(in crate::collision) fn not_within<W: SimdWidth>(simd: W, squared: [W::Floats; 2], distance: W::Floats) -> u32 {
    let limit = simd.mul(distance, simd.max(distance, simd.sub(simd.splat(0.0), distance)));
    !(simd.is_at_most(squared[0], limit) & simd.is_at_most(squared[1], limit)) & 0xffff
}

/// The smaller of two numbers that are not NaN, in one instruction.
#[inline(always)]
pub(in crate::collision) fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers that are not NaN, in one instruction.
#[inline(always)]
pub(in crate::collision) fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{SimdWidth, TwoHalves};
    use crate::collision::simd::kernels::WIDE;
    use bevy::math::Vec2;
    use core::arch::x86_64::{__m256, __m512, _CMP_LE_OQ, _CMP_LT_OQ};
    use pulp::x86::{V3, V4};

    impl SimdWidth for V3 {
        #[inline(always)]
        fn near_equals(self, [x, y]: [f32; 2], limit: f32, xs: TwoHalves, ys: TwoHalves) -> u32 {
            let (x, y) = (self.splat(x), self.splat(y));
            let (dx, dy) = (self.sub(both_eights(xs), x), self.sub(both_eights(ys), y));
            let squared = self.add(self.mul(dx, dx), self.mul(dy, dy));
            self.is_at_most(squared, self.splat(limit))
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
            bits(
                self,
                [self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a[0], b[0]), self.avx._mm256_cmp_ps::<_CMP_LT_OQ>(a[1], b[1])],
            )
        }

        #[inline(always)]
        fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32 {
            bits(
                self,
                [self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(a[0], b[0]), self.avx._mm256_cmp_ps::<_CMP_LE_OQ>(a[1], b[1])],
            )
        }

        #[inline(always)]
        fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats {
            let (from, to): ([[f32; 16]; 2], [[f32; 16]; 2]) = (pulp::cast(*from), pulp::cast(*to));
            [eight_distances(self, &from[0], &to[0]), eight_distances(self, &from[1], &to[1])]
        }

        #[inline(always)]
        fn twice(self, a: Self::Floats) -> [Self::Floats; 2] {
            [eight_twice(self, a[0]), eight_twice(self, a[1])]
        }

        #[inline(always)]
        fn columns(self, rows: &[[f32; 4]; WIDE]) -> [Self::Floats; 4] {
            let [low, high]: [[__m256; 4]; 2] = pulp::cast(*rows);
            let (low, high) = (eight_columns(self, low), eight_columns(self, high));
            [[low[0], high[0]], [low[1], high[1]], [low[2], high[2]], [low[3], high[3]]]
        }

        #[inline(always)]
        fn overlap_mask(self, [x, y]: [f32; 2], reach: f32, xs: TwoHalves, ys: TwoHalves, reaches: TwoHalves) -> u32 {
            let [x, y, reach] = [x, y, reach].map(|value| self.avx._mm256_set1_ps(value));
            let first = half(self, [x, y, reach], xs[0], ys[0], reaches[0]);
            first | half(self, [x, y, reach], xs[1], ys[1], reaches[1]) << 8
        }
    }

    #[inline(always)]
    fn both_eights(two: TwoHalves) -> [__m256; 2] {
        [pulp::cast(*two[0]), pulp::cast(*two[1])]
    }

    /// The signs of sixteen numbers.
    #[inline(always)]
    fn bits(simd: V3, [low, high]: [__m256; 2]) -> u32 {
        (simd.avx._mm256_movemask_ps(low) | simd.avx._mm256_movemask_ps(high) << 8) as u32
    }

    #[inline(always)]
    fn half(simd: V3, [x, y, reach]: [__m256; 3], xs: &[f32; 8], ys: &[f32; 8], reaches: &[f32; 8]) -> u32 {
        let avx = simd.avx;
        let dx = avx._mm256_sub_ps(pulp::cast::<_, __m256>(*xs), x);
        let dy = avx._mm256_sub_ps(pulp::cast::<_, __m256>(*ys), y);
        let sum = avx._mm256_add_ps(pulp::cast::<_, __m256>(*reaches), reach);
        let squared = avx._mm256_add_ps(avx._mm256_mul_ps(dx, dx), avx._mm256_mul_ps(dy, dy));
        let mask = avx._mm256_cmp_ps::<_CMP_LE_OQ>(squared, avx._mm256_mul_ps(sum, sum));
        avx._mm256_movemask_ps(mask) as u32
    }

    /// The squared distances between eight points and eight others.
    #[inline(always)]
    fn eight_distances(simd: V3, from: &[f32; 16], to: &[f32; 16]) -> __m256 {
        let avx = simd.avx;
        let (from, to): ([__m256; 2], [__m256; 2]) = (pulp::cast(*from), pulp::cast(*to));
        let (low, high) = (avx._mm256_sub_ps(to[0], from[0]), avx._mm256_sub_ps(to[1], from[1]));
        let (low, high) = (avx._mm256_mul_ps(low, low), avx._mm256_mul_ps(high, high));
        // The sums of two neighbours, in the order 0 1 4 5 2 3 6 7.
        let x = avx._mm256_shuffle_ps::<0b10_00_10_00>(low, high);
        let y = avx._mm256_shuffle_ps::<0b11_01_11_01>(low, high);
        let sums = pulp::cast(avx._mm256_add_ps(x, y));
        pulp::cast(simd.avx2._mm256_permute4x64_pd::<0b11_01_10_00>(sums))
    }

    /// Each of eight numbers twice, one after the other.
    #[inline(always)]
    fn eight_twice(simd: V3, a: __m256) -> [__m256; 2] {
        let avx = simd.avx;
        let (low, high) = (avx._mm256_unpacklo_ps(a, a), avx._mm256_unpackhi_ps(a, a));
        [avx._mm256_permute2f128_ps::<0x20>(low, high), avx._mm256_permute2f128_ps::<0x31>(low, high)]
    }

    /// The columns of eight rows.
    #[inline(always)]
    fn eight_columns(simd: V3, rows: [__m256; 4]) -> [__m256; 4] {
        let avx = simd.avx;
        // Rows 0 and 4, 1 and 5, 2 and 6, 3 and 7.
        let [a, c] = [
            avx._mm256_permute2f128_ps::<0x20>(rows[0], rows[2]),
            avx._mm256_permute2f128_ps::<0x20>(rows[1], rows[3]),
        ];
        let [b, d] = [
            avx._mm256_permute2f128_ps::<0x31>(rows[0], rows[2]),
            avx._mm256_permute2f128_ps::<0x31>(rows[1], rows[3]),
        ];
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
        fn near_equals(self, [x, y]: [f32; 2], limit: f32, xs: TwoHalves, ys: TwoHalves) -> u32 {
            let (dx, dy) = (self.sub(concatenated(xs), self.splat(x)), self.sub(concatenated(ys), self.splat(y)));
            let squared = self.add(self.mul(dx, dx), self.mul(dy, dy));
            self.is_at_most(squared, self.splat(limit))
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
        fn twice(self, a: Self::Floats) -> [Self::Floats; 2] {
            let avx = self.avx512f;
            [
                avx._mm512_permutexvar_ps(pulp::cast(FIRST_TWICE), a),
                avx._mm512_permutexvar_ps(pulp::cast(SECOND_TWICE), a),
            ]
        }

        #[inline(always)]
        fn columns(self, rows: &[[f32; 4]; WIDE]) -> [Self::Floats; 4] {
            let avx = self.avx512f;
            let rows: [__m512; 4] = pulp::cast(*rows);
            // First the even and the odd columns of eight rows each, then one of them of sixteen.
            let even = [
                avx._mm512_permutex2var_ps(rows[0], pulp::cast(EVEN), rows[1]),
                avx._mm512_permutex2var_ps(rows[2], pulp::cast(EVEN), rows[3]),
            ];
            let odd = [
                avx._mm512_permutex2var_ps(rows[0], pulp::cast(ODD), rows[1]),
                avx._mm512_permutex2var_ps(rows[2], pulp::cast(ODD), rows[3]),
            ];
            [
                avx._mm512_permutex2var_ps(even[0], pulp::cast(EVEN), even[1]),
                avx._mm512_permutex2var_ps(odd[0], pulp::cast(EVEN), odd[1]),
                avx._mm512_permutex2var_ps(even[0], pulp::cast(ODD), even[1]),
                avx._mm512_permutex2var_ps(odd[0], pulp::cast(ODD), odd[1]),
            ]
        }

        #[inline(always)]
        fn overlap_mask(self, [x, y]: [f32; 2], reach: f32, xs: TwoHalves, ys: TwoHalves, reaches: TwoHalves) -> u32 {
            let avx = self.avx512f;
            let dx = avx._mm512_sub_ps(concatenated(xs), avx._mm512_set1_ps(x));
            let dy = avx._mm512_sub_ps(concatenated(ys), avx._mm512_set1_ps(y));
            let sum = avx._mm512_add_ps(concatenated(reaches), avx._mm512_set1_ps(reach));
            let squared = avx._mm512_add_ps(avx._mm512_mul_ps(dx, dx), avx._mm512_mul_ps(dy, dy));
            avx._mm512_cmp_ps_mask::<_CMP_LE_OQ>(squared, avx._mm512_mul_ps(sum, sum)).into()
        }
    }

    const FIRST_TWICE: [i32; 16] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
    const SECOND_TWICE: [i32; 16] = [8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15];
    const EVEN: [i32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
    const ODD: [i32; 16] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31];

    #[inline(always)]
    fn concatenated(two: TwoHalves) -> __m512 {
        pulp::cast([*two[0], *two[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a level makes of some numbers.
    struct All;

    impl Kernel for All {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<W: SimdWidth>(self, simd: W) -> Vec<u32> {
            let a: [f32; WIDE] = std::array::from_fn(|k| 0.37 * (k * k) as f32 - 7.0);
            let b: [f32; WIDE] = std::array::from_fn(|k| if k == 3 { f32::NAN } else { 9.0 - 1.3 * k as f32 });
            let (x, y) = (simd.load(&a), simd.load(&b));
            let from = std::array::from_fn(|k| Vec2::new(a[k], b[(k + 4) % WIDE]));
            let to = std::array::from_fn(|k| Vec2::new(b[k], a[k]) * 0.1);
            let rows = std::array::from_fn(|k| [k as f32, a[k], b[k], -1.0]);
            let mut results = vec![
                simd.add(x, y),
                simd.sub(x, y),
                simd.mul(x, y),
                simd.div(x, y),
                simd.sqrt(simd.mul(x, x)),
                simd.min(x, y),
                simd.max(x, y),
                simd.splat(0.1),
                simd.distances_squared(&from, &to),
            ];
            results.extend(simd.columns(&rows));
            results.extend(simd.twice(x));
            let bits = [simd.is_less(x, y), simd.is_at_most(x, x), simd.is_at_most(y, y)];
            let numbers = results.into_iter().flat_map(|values| simd.store(values));
            // One NaN is as good as another.
            numbers.map(|value| if value.is_nan() { 0 } else { value.to_bits() }).chain(bits).collect()
        }
    }

    #[test]
    fn every_level_computes_the_same() {
        let expected = SimdLevel(Kind::Scalar).run(All);
        for simd in SimdLevel::available() {
            assert_eq!(simd.run(All), expected, "{}", simd.name());
        }
    }
}
