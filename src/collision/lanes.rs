//! Lanes: how many candidates one instruction tests. The processor is asked once, at run time; every path does the same
//! additions and multiplications in the same order, so all of them give the same bits.

/// The widest instructions that the broad phase may use.
///
/// [`Space::default`](super::Space) takes the best that the processor has; the others are there for comparing.
#[derive(Clone, Copy, Debug)]
pub struct Lanes(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
}

impl Default for Lanes {
    fn default() -> Self {
        let mut all = Self::available();
        all.pop().unwrap_or(Self(Kind::Scalar))
    }
}

impl Lanes {
    /// What this processor has, from the narrowest to the widest. On 64-bit ARM and WebAssembly the compiler's own
    /// vectors, 4 lanes wide, stand in the scalar path.
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
    pub(super) fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            Kind::Scalar => job.run(pulp::Scalar::new()),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(simd) => simd.vectorize(Compiled { job, lanes: simd }),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(simd) => simd.vectorize(Compiled { job, lanes: simd }),
        }
    }
}

/// Work whose inner loop tests sixteen candidates at once. Implementations are marked `inline(always)`, so that they are
/// compiled with the instructions of their lanes.
pub(super) trait Job {
    type Output;
    fn run<L: Sixteen>(self, lanes: L) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
struct Compiled<J, L> {
    job: J,
    lanes: L,
}

#[cfg(target_arch = "x86_64")]
impl<J: Job, L: Sixteen> pulp::NullaryFnOnce for Compiled<J, L> {
    type Output = J::Output;

    #[inline(always)]
    fn call(self) -> J::Output {
        self.job.run(self.lanes)
    }
}

/// Two groups of eight values that need not lie together.
pub(super) type TwoEights<'a> = [&'a [f32; 8]; 2];

/// Tests sixteen candidates at once.
pub(super) trait Sixteen: Copy {
    /// Bit `k` of the answer is set where `(x_k - x)² + (y_k - y)² <= (reach_k + reach)²`; bits 0 to 7 are of the first
    /// eight candidates, 8 to 15 of the second.
    fn near(self, centre: [f32; 2], reach: f32, x: TwoEights, y: TwoEights, reaches: TwoEights) -> u32;
}

impl Sixteen for pulp::Scalar {
    #[inline(always)]
    fn near(self, [x, y]: [f32; 2], reach: f32, xs: TwoEights, ys: TwoEights, reaches: TwoEights) -> u32 {
        let mut near = 0;
        for eight in 0..2 {
            for k in 0..8 {
                let (dx, dy) = (xs[eight][k] - x, ys[eight][k] - y);
                let sum = reaches[eight][k] + reach;
                near |= u32::from(dx * dx + dy * dy <= sum * sum) << (8 * eight + k);
            }
        }
        near
    }
}

/// The smaller of two numbers that are not NaN, in one instruction.
#[inline(always)]
pub(super) fn less(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers that are not NaN, in one instruction.
#[inline(always)]
pub(super) fn more(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Sixteen, TwoEights};
    use core::arch::x86_64::{__m256, __m512, _CMP_LE_OQ};
    use pulp::x86::{V3, V4};

    impl Sixteen for V3 {
        #[inline(always)]
        fn near(self, [x, y]: [f32; 2], reach: f32, xs: TwoEights, ys: TwoEights, reaches: TwoEights) -> u32 {
            let [x, y, reach] = [x, y, reach].map(|value| self.avx._mm256_set1_ps(value));
            let first = eight(self, [x, y, reach], xs[0], ys[0], reaches[0]);
            first | eight(self, [x, y, reach], xs[1], ys[1], reaches[1]) << 8
        }
    }

    #[inline(always)]
    fn eight(lanes: V3, [x, y, reach]: [__m256; 3], xs: &[f32; 8], ys: &[f32; 8], reaches: &[f32; 8]) -> u32 {
        let avx = lanes.avx;
        let dx = avx._mm256_sub_ps(pulp::cast::<_, __m256>(*xs), x);
        let dy = avx._mm256_sub_ps(pulp::cast::<_, __m256>(*ys), y);
        let sum = avx._mm256_add_ps(pulp::cast::<_, __m256>(*reaches), reach);
        let squared = avx._mm256_add_ps(avx._mm256_mul_ps(dx, dx), avx._mm256_mul_ps(dy, dy));
        let near = avx._mm256_cmp_ps::<_CMP_LE_OQ>(squared, avx._mm256_mul_ps(sum, sum));
        avx._mm256_movemask_ps(near) as u32
    }

    impl Sixteen for V4 {
        #[inline(always)]
        fn near(self, [x, y]: [f32; 2], reach: f32, xs: TwoEights, ys: TwoEights, reaches: TwoEights) -> u32 {
            let avx = self.avx512f;
            let dx = avx._mm512_sub_ps(both(xs), avx._mm512_set1_ps(x));
            let dy = avx._mm512_sub_ps(both(ys), avx._mm512_set1_ps(y));
            let sum = avx._mm512_add_ps(both(reaches), avx._mm512_set1_ps(reach));
            let squared = avx._mm512_add_ps(avx._mm512_mul_ps(dx, dx), avx._mm512_mul_ps(dy, dy));
            avx._mm512_cmp_ps_mask::<_CMP_LE_OQ>(squared, avx._mm512_mul_ps(sum, sum)).into()
        }
    }

    #[inline(always)]
    fn both(two: TwoEights) -> __m512 {
        pulp::cast([*two[0], *two[1]])
    }
}
