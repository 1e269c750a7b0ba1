//! SIMD: how many numbers one instruction processes. The level is detected once, at run time. Every level does the same
//! additions and multiplications in the same order, so all give the same bits.

use bevy::math::Vec2;
use kernels::WIDE;

pub mod kernels;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

/// The widest instructions that kernels may use: in the broad phase, in `Integrate`, in piles and in the continuous
/// mode.
///
/// [`PhysicsSpace::default`](crate::collision::PhysicsSpace) uses the best level of the processor; the others exist for
/// comparison.
#[derive(Clone, Copy, Debug)]
pub struct SimdLevel(Level);

#[derive(Clone, Copy, Debug)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(wasm::Simd128),
}

impl Default for SimdLevel {
    fn default() -> Self {
        let mut all = Self::available();
        all.pop().unwrap_or(Self(Level::Scalar))
    }
}

impl SimdLevel {
    /// The levels of this processor, from the narrowest to the widest. On 64-bit ARM the scalar level uses the
    /// compiler's own vectors, four values wide. A WebAssembly module has `simd128` if it is built with
    /// `-C target-feature=+simd128`.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = [pulp::x86::V3::try_new().map(Level::Avx2), pulp::x86::V4::try_new().map(Level::Avx512)];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let wide = [Some(Level::Simd128(wasm::Simd128))];
        #[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
        let wide: [Option<Level>; 0] = [];
        [Some(Level::Scalar)].into_iter().chain(wide).flatten().map(Self).collect()
    }

    /// The displayed name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "AVX-512",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(_) => "simd128",
        }
    }

    /// Runs a kernel compiled for this level.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Scalar => kernel.run(pulp::Scalar::new()),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(simd) => simd.vectorize(Compiled { kernel, simd }),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(simd) => simd.vectorize(Compiled { kernel, simd }),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(simd) => kernel.run(simd),
        }
    }
}

/// Work whose inner loop processes sixteen numbers at once, or tests eight circles. Implementations are marked
/// `inline(always)`, so that they are compiled with the instructions of their SIMD level.
pub trait Kernel {
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

/// Two groups of four values that need not be adjacent.
pub type TwoFours<'a, T> = [&'a [T; 4]; 2];

/// Computes with sixteen numbers at once, or tests eight circles.
pub trait SimdWidth: Copy {
    /// The circles of eight that overlap the one with radius `reach` around `centre`. Bit `k` of the mask is set if
    /// `|centres_k - centre|² <= (reaches_k + reach)²`. Bits 0 to 3 are the first four circles, 4 to 7 the others.
    fn overlap_mask(self, centre: Vec2, reach: f32, centres: TwoFours<Vec2>, reaches: TwoFours<f32>) -> u32;

    /// The same for equal reaches; `limit` is the square of twice the reach.
    fn overlap_mask_of_equals(self, centre: Vec2, limit: f32, centres: TwoFours<Vec2>) -> u32;

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
    /// The bits where `a < b`.
    fn is_less(self, a: Self::Floats, b: Self::Floats) -> u32;
    /// The bits where `a <= b`.
    fn is_at_most(self, a: Self::Floats, b: Self::Floats) -> u32;
    /// The squared distances between sixteen points and sixteen others.
    fn distances_squared(self, from: &[Vec2; WIDE], to: &[Vec2; WIDE]) -> Self::Floats;
    /// Interleaves sixteen numbers with sixteen others: the first of each, then the second of each, and so on.
    fn interleaved(self, a: Self::Floats, b: Self::Floats) -> [Self::Floats; 2];
    /// The rows of one disc of each of sixteen pairs, in the order that [`SimdWidth::columns`] needs: each of the four
    /// has every fourth row. `SIDE` is 0 or 1.
    fn rows<const SIDE: usize>(self, rows: &[[f32; 4]], pairs: &[[u32; 2]; WIDE]) -> [Self::Floats; 4];
    /// The columns of sixteen such rows.
    fn columns(self, rows: [Self::Floats; 4]) -> [Self::Floats; 4];

    /// Each of sixteen numbers twice, one after the other.
    #[inline(always)]
    fn twice(self, a: Self::Floats) -> [Self::Floats; 2] {
        self.interleaved(a, a)
    }

    /// Sixteen points.
    #[inline(always)]
    fn points(self, x: Self::Floats, y: Self::Floats) -> [Vec2; WIDE] {
        let [low, high] = self.interleaved(x, y);
        pulp::cast([self.store(low), self.store(high)])
    }
}

/// The pairs of squared distances that are not both within a distance, which may be negative, as bits.
#[inline(always)]
pub fn not_within<W: SimdWidth>(simd: W, squared: [W::Floats; 2], distance: W::Floats) -> u32 {
    let limit = simd.mul(distance, simd.max(distance, simd.sub(simd.splat(0.0), distance)));
    !(simd.is_at_most(squared[0], limit) & simd.is_at_most(squared[1], limit)) & 0xffff
}

/// The smaller of two numbers that are not NaN, in one instruction.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers that are not NaN, in one instruction.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of a level for some numbers.
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
            let rows: [[f32; 4]; WIDE] = std::array::from_fn(|k| [k as f32, a[k], b[k], -1.0]);
            let pairs = std::array::from_fn(|k| [k as u32, (7 * k as u32 + 3) % WIDE as u32]);
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
            results.extend(simd.columns(simd.rows::<0>(&rows, &pairs)));
            results.extend(simd.columns(simd.rows::<1>(&rows, &pairs)));
            results.extend(simd.interleaved(x, y));
            let mut bits = vec![simd.is_less(x, y), simd.is_at_most(x, x), simd.is_at_most(y, y)];
            for at in 0..5 {
                let centres: TwoFours<Vec2> = [from[at..].first_chunk().unwrap(), to[at + 7..].first_chunk().unwrap()];
                let reaches: TwoFours<f32> = [a[at..].first_chunk().unwrap(), b[at + 7..].first_chunk().unwrap()];
                bits.push(simd.overlap_mask(from[at + 3], 9.0, centres, reaches));
                bits.push(simd.overlap_mask_of_equals(from[at + 3], 200.0, centres));
            }
            let numbers = results.into_iter().flat_map(|values| simd.store(values));
            // All NaNs count as equal.
            numbers.map(|value| if value.is_nan() { 0 } else { value.to_bits() }).chain(bits).collect()
        }
    }

    #[test]
    fn rows_and_columns_are_those_of_the_pairs() {
        struct Columns;
        impl Kernel for Columns {
            type Output = [[f32; WIDE]; 5];

            #[inline(always)]
            fn run<W: SimdWidth>(self, simd: W) -> Self::Output {
                let rows: [[f32; 4]; 20] = std::array::from_fn(|k| std::array::from_fn(|c| (10 * k + c) as f32));
                let pairs = std::array::from_fn(|k| [0, 19 - k as u32]);
                let columns = simd.columns(simd.rows::<1>(&rows, &pairs));
                let [first, _] = simd.twice(columns[0]);
                [columns[0], columns[1], columns[2], columns[3], first].map(|values| simd.store(values))
            }
        }
        for simd in SimdLevel::available() {
            let all = simd.run(Columns);
            for k in 0..WIDE {
                for (c, column) in all[..4].iter().enumerate() {
                    assert_eq!(column[k], (10 * (19 - k) + c) as f32, "{}", simd.name());
                }
                assert_eq!(all[4][k], (10 * (19 - k / 2)) as f32, "{}", simd.name());
            }
        }
    }

    #[test]
    fn every_level_computes_the_same() {
        let expected = SimdLevel(Level::Scalar).run(All);
        for simd in SimdLevel::available() {
            assert_eq!(simd.run(All), expected, "{}", simd.name());
        }
    }
}
