//! A stopwatch that events start and stop.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{InstrumentEvent, InstrumentReading, Measures, Reference, moment::InstrumentMoment};
use crate::notice::mark;

/// A stopwatch. If the same event starts and stops it, every other one starts it.
#[derive(Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stopwatch {
    /// What starts it from zero while it stands. Default: any hit.
    pub start: InstrumentEvent,
    /// What stops it while it runs. Default: any hit.
    pub stop: InstrumentEvent,
}

/// The times that a stopwatch has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// When it was started, seconds of the clock of the instruments; `None` while it stands.
    pub started: Option<f64>,
    /// The last time that it has taken, seconds.
    pub last: Option<f64>,
    /// How many times it has taken.
    pub count: u64,
    /// The mean of these times, seconds.
    pub mean: f64,
    /// The sum of the squares of their distances from the mean, s².
    spread: f64,
}

impl Times {
    fn stop(&mut self, time: f64) {
        self.last = Some(time);
        self.count += 1;
        // Welford's method.
        let change = time - self.mean;
        self.mean += change / self.count as f64;
        self.spread += change * (time - self.mean);
    }

    /// The standard error of the mean, seconds; `None` for fewer than two times.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let count = self.count as f64;
        (self.count > 1).then(|| (self.spread / (count - 1.0) / count).sqrt())
    }
}

impl Measures for Stopwatch {
    type Record = Times;

    const NAME: &'static str = mark("Stopwatch");

    fn observe(&self, _: Vec2, _: &str, record: &mut Times, moment: &InstrumentMoment) {
        let mut events: Vec<(f64, bool, bool)> = if self.start == self.stop {
            self.start.times(moment).into_iter().map(|time| (time, true, true)).collect()
        } else {
            let starts = self.start.times(moment).into_iter().map(|time| (time, true, false));
            starts.chain(self.stop.times(moment).into_iter().map(|time| (time, false, true))).collect()
        };
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (time, starts, stops) in events {
            match record.started {
                Some(started) if stops => {
                    record.started = None;
                    record.stop(time - started);
                }
                None if starts => record.started = Some(time),
                _ => {}
            }
        }
    }

    fn readings(&self, record: &Times, now: f64) -> Vec<InstrumentReading> {
        let time = record.started.map(|started| now - started).or(record.last);
        let mut readings = vec![InstrumentReading::new(mark("time"), time.or(Some(0.0)), "s")];
        if record.count > 1 {
            readings.push(InstrumentReading::count(mark("times taken"), record.count));
            let mean = InstrumentReading::new(mark("mean time"), Some(record.mean), "s");
            readings.push(InstrumentReading { error: record.error(), ..mean });
        }
        readings
    }

    fn refers_to(&self) -> Vec<Reference<'_>> {
        [self.start.refers_to(), self.stop.refers_to()].into_iter().flatten().collect()
    }

    fn renamed(&mut self, old: &str, new: &str) {
        self.start.renamed(old, new);
        self.stop.renamed(old, new);
    }
}
