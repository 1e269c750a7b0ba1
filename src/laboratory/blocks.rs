//! Sums over a run, divided into blocks of equal length, and the errors that follow from the scatter of the blocks.
//!
//! Ticks are correlated, so their scatter says nothing about the error of a mean. Blocks that are longer than the
//! memory of the gas are nearly independent. The length of a run is not known in advance: when 32 blocks are full,
//! neighbours are merged, so there are always 16 to 32 blocks once a run has 16 ticks. The error of any function of
//! the sums, such as a ratio, is that of the jackknife (Quenouille 1956, Tukey 1958): the function is evaluated without
//! each block in turn.

/// The number of full blocks at which neighbours are merged.
const MOST: usize = 32;

/// The smallest number of blocks from which an error is estimated.
const FEWEST: usize = 8;

/// Sums of a fixed number of terms, in blocks of equal numbers of ticks.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// The full blocks, in order.
    full: Vec<Vec<f64>>,
    current: Vec<f64>,
    /// The length of a block, ticks.
    length: u64,
    ticks_in_current: u64,
}

impl Blocks {
    /// No ticks yet; each sum has this many terms.
    pub(crate) fn new(terms: usize) -> Self {
        Self { full: Vec::new(), current: vec![0.0; terms], length: 1, ticks_in_current: 0 }
    }

    /// The sums to which the current tick is added.
    pub(crate) fn current(&mut self) -> &mut [f64] {
        &mut self.current
    }

    /// Ends the current tick.
    pub(crate) fn end_tick(&mut self) {
        self.ticks_in_current += 1;
        if self.ticks_in_current < self.length {
            return;
        }
        self.ticks_in_current = 0;
        let empty = vec![0.0; self.current.len()];
        self.full.push(std::mem::replace(&mut self.current, empty));
        if self.full.len() == MOST {
            self.full = self.full.chunks_exact(2).map(|pair| added(&pair[0], &pair[1])).collect();
            self.length *= 2;
        }
    }

    /// The sums of the whole run.
    pub(crate) fn total(&self) -> Vec<f64> {
        self.full.iter().fold(self.current.clone(), |sum, block| added(&sum, block))
    }

    /// The sums of the full blocks without each of them in turn; empty if there are too few blocks.
    pub(crate) fn without_each(&self) -> Vec<Vec<f64>> {
        if self.full.len() < FEWEST {
            return Vec::new();
        }
        let mut left_out = Vec::with_capacity(self.full.len());
        for skipped in 0..self.full.len() {
            let mut sum = vec![0.0; self.current.len()];
            for (_, block) in self.full.iter().enumerate().filter(|(index, _)| *index != skipped) {
                sum.iter_mut().zip(block).for_each(|(sum, term)| *sum += term);
            }
            left_out.push(sum);
        }
        left_out
    }

    /// The mean of one term over the full blocks; `None` if there are too few for an error.
    pub(crate) fn mean_of_block(&self, term: usize) -> Option<f64> {
        let blocks = self.full.len();
        (blocks >= FEWEST).then(|| self.full.iter().map(|block| block[term]).sum::<f64>() / blocks as f64)
    }
}

fn added(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The standard error by the jackknife, from the values without each block in turn. `None` if there are too few, or if
/// one is not finite.
pub(crate) fn jackknife_error(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    if values.len() < FEWEST || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some((squares * (count - 1.0) / count).sqrt())
}

/// The mean of several runs, and its standard error from their spread; `None` for fewer than two.
pub(crate) fn mean_and_error(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of uniform numbers in 0..1 (SplitMix64).
    fn uniform(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The mean of `ticks` numbers whose neighbours share the share `memory` of their values, and its estimated error.
    fn mean_with_memory(seed: u64, ticks: u32, memory: f64) -> (f64, f64) {
        let mut blocks = Blocks::new(2);
        let (mut state, mut value) = (seed, 0.0);
        for _ in 0..ticks {
            value = memory * value + (uniform(&mut state) - 0.5);
            let sums = blocks.current();
            sums[0] += 1.0;
            sums[1] += value;
            blocks.end_tick();
        }
        let ratio = |sums: &[f64]| sums[1] / sums[0];
        let without: Vec<f64> = blocks.without_each().iter().map(|sums| ratio(sums)).collect();
        (ratio(&blocks.total()), jackknife_error(&without).unwrap())
    }

    #[test]
    fn the_error_covers_correlated_ticks() {
        // The mean of n correlated numbers has the variance 1/12 / (1 - memory)^2 / n.
        for memory in [0.0, 0.9] {
            let runs: Vec<(f64, f64)> = (0..200).map(|seed| mean_with_memory(seed, 5000, memory)).collect();
            let true_error = (1.0 / 12.0 / 5000.0_f64).sqrt() / (1.0 - memory);
            let spread = (runs.iter().map(|(mean, _)| mean * mean).sum::<f64>() / 200.0).sqrt();
            let estimated = (runs.iter().map(|(_, error)| error * error).sum::<f64>() / 200.0).sqrt();
            // The spread of 200 runs is known to 5 %; blocks of 200 ticks lose some of the memory.
            assert!((spread / true_error - 1.0).abs() < 0.15, "{spread} instead of {true_error}");
            assert!((estimated / true_error - 1.0).abs() < 0.15, "{estimated} instead of {true_error}");
        }
    }

    #[test]
    fn blocks_lose_no_tick_and_stay_few() {
        for ticks in [1, 7, 31, 32, 33, 1000, 12_345] {
            let mut blocks = Blocks::new(1);
            for tick in 0..ticks {
                blocks.current()[0] += f64::from(tick);
                blocks.end_tick();
            }
            assert_eq!(blocks.total(), [f64::from(ticks) * f64::from(ticks - 1) / 2.0]);
            assert!(blocks.full.len() < MOST, "{}", blocks.full.len());
            assert_eq!(blocks.without_each().is_empty(), ticks < FEWEST as i32);
        }
    }

    #[test]
    fn the_spread_of_runs_gives_the_error_of_their_mean() {
        assert_eq!(mean_and_error(&[3.0]), (3.0, None));
        // The standard deviation of 1, 2, 3 is 1.
        let (mean, error) = mean_and_error(&[1.0, 2.0, 3.0]);
        assert_eq!((mean, error), (2.0, Some((1.0_f64 / 3.0).sqrt())));
    }
}
