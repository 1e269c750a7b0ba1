//! The samples of a curve, in bounded memory.

use std::collections::VecDeque;

/// How much of a curve is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// The whole run. When there are this many samples, neighbours are merged, so that the spacing doubles. A merged
    /// sample keeps the smallest and the largest value, so no spike is lost.
    Whole {
        /// The most samples, at least 2.
        samples: usize,
    },
    /// The last part of the run. Ticks between two samples are skipped.
    Last {
        /// Its length, seconds.
        seconds: f64,
        /// The smallest time between two samples, seconds.
        step: f64,
    },
}

impl Default for Memory {
    /// The whole run in at most 4096 samples, which take 256 kB.
    fn default() -> Self {
        Self::Whole { samples: 4096 }
    }
}

/// A sample of a curve, taken after one or more ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The time after its first tick, seconds since the recorder began.
    pub time: f64,
    /// What the curve is drawn against: the time, or the other channel at that time.
    pub x: f64,
    /// The value at that time; of a rate such as a force, the mean over its ticks.
    pub y: f64,
    /// The smallest value in its ticks.
    pub low: f64,
    /// The largest value in its ticks.
    pub high: f64,
    /// The number of values in it.
    pub count: u32,
    /// Its first and last tick.
    pub(super) ticks: [u64; 2],
}

/// Figures of a curve between two times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// The mean over the ticks.
    pub mean: f64,
    /// The slope of the line of least squares, per second; `None` if there is a single sample.
    pub slope: Option<f64>,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
}

/// The share of the spacing by which the sum of many time steps may be off.
const ROUNDING: f64 = 1e-6;

/// The samples of a curve, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Series {
    memory: Memory,
    /// Whether merged samples have the mean of their values.
    averages: bool,
    samples: VecDeque<Sample>,
    /// The smallest time between two samples, seconds.
    spacing: f64,
}

impl Series {
    pub fn new(memory: Memory, averages: bool) -> Self {
        let mut series = Self { memory, averages, samples: VecDeque::new(), spacing: 0.0 };
        series.clear();
        series
    }

    pub fn clear(&mut self) {
        self.samples.clear();
        self.spacing = match self.memory {
            Memory::Whole { .. } => 0.0,
            Memory::Last { step, .. } => step,
        };
    }

    pub fn memory(&self) -> Memory {
        self.memory
    }

    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Whether the next value begins a sample. Slightly less than the spacing is enough, so that rounding does not skip
    /// every other tick.
    fn begins(&self, time: f64) -> bool {
        self.samples.back().is_none_or(|last| time - last.time >= self.spacing * (1.0 - ROUNDING))
    }

    /// Whether a value at this time is of use.
    pub fn wants(&self, time: f64) -> bool {
        matches!(self.memory, Memory::Whole { .. }) || self.begins(time)
    }

    /// Adds the values after a tick.
    pub fn add(&mut self, tick: u64, time: f64, [x, y]: [f64; 2]) {
        let sample = Sample { time, x, y, low: y, high: y, count: 1, ticks: [tick; 2] };
        match self.samples.back().copied() {
            Some(last) if !self.begins(time) => {
                let merged = self.merged(last, sample);
                self.samples.pop_back();
                self.samples.push_back(merged);
            }
            _ => self.samples.push_back(sample),
        }
        match self.memory {
            Memory::Whole { samples } if self.samples.len() >= samples.max(2) => self.thin_out(),
            Memory::Whole { .. } => {}
            Memory::Last { seconds, .. } => {
                while self.samples.front().is_some_and(|first| first.time < time - seconds) {
                    self.samples.pop_front();
                }
            }
        }
    }

    fn merged(&self, first: Sample, second: Sample) -> Sample {
        let [a, b] = [first.count, second.count].map(f64::from);
        Sample {
            y: if self.averages { (a * first.y + b * second.y) / (a + b) } else { first.y },
            low: first.low.min(second.low),
            high: first.high.max(second.high),
            count: first.count.saturating_add(second.count),
            ticks: [first.ticks[0], second.ticks[1]],
            ..first
        }
    }

    /// Merges neighbours.
    fn thin_out(&mut self) {
        let all: Vec<Sample> = self.samples.drain(..).collect();
        if let [first, .., last] = all[..] {
            self.spacing = 2.0 * (last.time - first.time) / (all.len() - 1) as f64;
        }
        let merge = |pair: &[Sample]| match *pair {
            [first, second] => self.merged(first, second),
            _ => pair[0],
        };
        self.samples = all.chunks(2).map(merge).collect();
    }

    /// Removes what is known only since this tick. A merged sample that began earlier goes, too.
    pub fn cut(&mut self, tick: u64) {
        while self.samples.back().is_some_and(|last| last.ticks[1] > tick) {
            self.samples.pop_back();
        }
    }

    /// The index of the last sample at or before a time.
    pub fn index_at(&self, time: f64) -> Option<usize> {
        self.samples.partition_point(|sample| sample.time <= time).checked_sub(1)
    }

    pub fn between(&self, from: f64, to: f64) -> Option<Between> {
        let first = self.samples.partition_point(|sample| sample.time < from);
        let last = self.samples.partition_point(|sample| sample.time <= to);
        let within = (first < last).then(|| self.samples.range(first..last))?;
        let (mut weight, mut mean, mut middle) = (0.0, 0.0, 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for sample in within.clone() {
            let count = f64::from(sample.count);
            weight += count;
            mean += count * (sample.y - mean) / weight;
            middle += count * (sample.time - middle) / weight;
            (low, high) = (low.min(sample.low), high.max(sample.high));
        }
        let (mut covariance, mut variance) = (0.0, 0.0);
        for sample in within {
            let (count, away) = (f64::from(sample.count), sample.time - middle);
            covariance += count * away * (sample.y - mean);
            variance += count * away * away;
        }
        let slope = (variance > 0.0).then(|| covariance / variance);
        Some(Between { mean, slope, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 240.0;

    fn filled(memory: Memory, averages: bool, ticks: u64, value: impl Fn(u64) -> f64) -> Series {
        let mut series = Series::new(memory, averages);
        for tick in 1..=ticks {
            let time = tick as f64 * STEP;
            if series.wants(time) {
                series.add(tick, time, [time, value(tick)]);
            }
        }
        series
    }

    #[test]
    fn the_memory_is_bounded_and_no_spike_is_lost() {
        let spike = |tick| if tick == 54_321 { 9.0 } else { 1.0 };
        let series = filled(Memory::Whole { samples: 64 }, false, 100_000, spike);
        assert!((32..64).contains(&series.samples.len()), "{}", series.samples.len());
        let highest = series.samples.iter().find(|sample| sample.high == 9.0).expect("the spike is kept");
        let there = 54_321.0 * STEP;
        assert!((0.0..1.01 * series.spacing).contains(&(there - highest.time)), "it is where it was");
        assert_eq!(series.samples.iter().map(|sample| u64::from(sample.count)).sum::<u64>(), 100_000);
        let times = series.samples.iter().map(|sample| sample.time).collect::<Vec<_>>();
        let evenly = times.windows(2).all(|pair| (pair[1] - pair[0] - series.spacing).abs() < 1.5 * STEP);
        assert!(evenly, "{times:?}");
    }

    #[test]
    fn a_rate_is_averaged_and_a_state_is_not() {
        let every_fourth = |tick| if tick % 4 == 0 { 4.0 } else { 0.0 };
        let force = filled(Memory::Whole { samples: 64 }, true, 1 << 14, every_fourth);
        let means: Vec<f64> = force.samples.iter().take(force.samples.len() - 1).map(|sample| sample.y).collect();
        assert!(means.iter().all(|&mean| (mean - 1.0).abs() < 1e-12), "{means:?}");
        let state = filled(Memory::Whole { samples: 64 }, false, 1 << 14, |tick| tick as f64);
        assert!(state.samples.iter().all(|sample| (sample.y * STEP - sample.time).abs() < 1e-9));
    }

    #[test]
    fn a_moving_window_forgets_and_skips() {
        let series = filled(Memory::Last { seconds: 10.0, step: 1.0 / 60.0 }, false, 240 * 30, |_| 1.0);
        let [first, last] = [series.samples[0], series.samples[series.samples.len() - 1]];
        assert!(last.time - first.time <= 10.0 && last.time - first.time > 9.9);
        assert!((590..=601).contains(&series.samples.len()), "{}", series.samples.len());
        // At exactly the rate of the samples, each tick is one.
        let mut series = Series::new(Memory::Last { seconds: 10.0, step: 1.0 / 60.0 }, false);
        let mut time = 0.0;
        for tick in 1..=60 {
            time += f64::from(1.0_f32 / 60.0);
            assert!(series.wants(time));
            series.add(tick, time, [time, 0.0]);
        }
        assert_eq!(series.samples.len(), 60);
    }

    #[test]
    fn a_cut_removes_what_is_later() {
        let mut series = filled(Memory::Whole { samples: 64 }, false, 1000, |tick| tick as f64);
        series.cut(500);
        let last = series.samples.back().unwrap();
        assert!(last.ticks[1] <= 500 && last.high <= 500.0);
        assert!(last.ticks[1] >= 500 - (series.spacing / STEP) as u64 - 1, "no more than a sample is lost");
        series.cut(0);
        assert!(series.samples.is_empty());
    }

    #[test]
    fn mean_and_slope_are_those_of_a_line_and_of_an_oscillation() {
        let line = filled(Memory::Whole { samples: 128 }, false, 2400, |tick| 3.0 - 0.5 * tick as f64 * STEP);
        let Between { mean, slope, low, high } = line.between(2.0, 8.0).unwrap();
        // The mean of a sample is that of its first tick, so it is up to a sample early.
        assert!((mean - 0.5).abs() < 0.5 * line.spacing, "{mean}");
        assert!((slope.unwrap() + 0.5).abs() < 1e-9, "{slope:?}");
        assert!(low < -0.9 && high > 1.9 && high <= 2.1, "{low} to {high}");
        // Over whole periods the mean is zero and the slope is -6/(pi periods) of the amplitude per span.
        let wave = |tick: u64| libm::sin(std::f64::consts::TAU * tick as f64 / 240.0);
        let wave = filled(Memory::Whole { samples: 4096 }, false, 2400, wave);
        let Between { mean, slope, .. } = wave.between(STEP - 1e-9, 10.0 + 1e-9).unwrap();
        assert!(mean.abs() < 1e-12, "{mean}");
        let expected = -6.0 / (std::f64::consts::PI * 10.0) / 10.0;
        assert!((slope.unwrap() / expected - 1.0).abs() < 1e-3, "{slope:?} instead of {expected}");
        assert_eq!(wave.between(11.0, 12.0), None);
        assert_eq!(wave.index_at(0.0), None);
        assert_eq!(wave.index_at(10.0 * STEP + 1e-9), Some(9));
    }
}
