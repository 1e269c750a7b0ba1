//! A counter of events.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{InstrumentEvent, InstrumentReading, Measures, Reference, moment::InstrumentMoment};
use crate::notice::mark;

/// A counter of events: hits of a disc or a wall, passages through a photogate, and so on.
#[derive(Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Counter {
    /// What it counts. Default: any hit.
    pub of: InstrumentEvent,
}

/// The number of events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// How many there were.
    pub count: u64,
    /// The time of the last one, seconds of the clock of the instruments.
    pub last: Option<f64>,
    /// When the counter began, seconds of the clock of the instruments.
    pub began: Option<f64>,
}

impl Measures for Counter {
    type Record = Count;

    const NAME: &'static str = mark("Counter");

    fn observe(&self, _: Vec2, _: &str, record: &mut Count, moment: &InstrumentMoment) {
        record.began.get_or_insert(moment.start);
        let times = self.of.times(moment);
        record.count += times.len() as u64;
        record.last = times.last().copied().or(record.last);
    }

    fn readings(&self, record: &Count, now: f64) -> Vec<InstrumentReading> {
        let seconds = record.began.map(|began| now - began).filter(|&seconds| seconds > 0.0);
        vec![
            InstrumentReading::count(mark("count"), record.count),
            InstrumentReading::new(mark("per second"), seconds.map(|seconds| record.count as f64 / seconds), "1/s"),
            InstrumentReading::new(mark("last one at"), record.last, "s"),
        ]
    }

    fn refers_to(&self) -> Vec<Reference<'_>> {
        self.of.refers_to().into_iter().collect()
    }

    fn renamed(&mut self, old: &str, new: &str) {
        self.of.renamed(old, new);
    }
}
