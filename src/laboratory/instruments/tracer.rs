//! A tracer: the path of a disc, with a mark every so many seconds.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{InstrumentReading, Measures, Reference, log::Log, moment::InstrumentMoment, trail::Trail};
use crate::{components::InvalidValue, notice::mark};

/// Points of the path are this share of the radius apart.
const FINE: f32 = 0.1;

/// The most marks that are kept, and that remain when the older ones are dropped.
const MOST: [usize; 2] = [20_000, 10_000];

/// A tracer of a disc.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tracer {
    /// The [`StableId`](crate::components::StableId) of the disc.
    pub disc: u64,
    /// The time between two marks, seconds; 0.001 to 10,000. Default: 0.5.
    #[serde(default = "every")]
    pub every: f32,
}

fn every() -> f32 {
    0.5
}

/// The path of a disc, and its marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traced {
    /// The path.
    pub trail: Trail,
    /// Where the disc was at whole multiples of [`Tracer::every`], metres. Of more than 20,000, the newest.
    pub marks: Log<Vec2>,
    /// The seconds for which it was traced.
    pub seconds: f64,
}

impl Measures for Tracer {
    type Record = Traced;

    const NAME: &'static str = mark("Tracer");

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("every", self.every, 0.001..=10_000.0, "s")
    }

    fn observe(&self, _: Vec2, _: &str, record: &mut Traced, moment: &InstrumentMoment) {
        let Some(disc) = moment.disc(self.disc) else { return };
        let every = f64::from(self.every);
        for leg in moment.legs(disc) {
            record.trail.go(leg.from, leg.to, FINE * moment.space.discs.radius[disc]);
            let [start, end] = [leg.start, leg.end].map(|time| moment.start + f64::from(time));
            record.seconds += end - start;
            // The marks are at multiples of the interval after the start of the leg, up to its end.
            let mut nth = (start / every).floor() + 1.0;
            while nth * every <= end {
                let share = (nth * every - start) / (end - start);
                record.marks.push(leg.from.lerp(leg.to, share as f32));
                nth += 1.0;
            }
        }
        if record.marks.len() > MOST[0] {
            record.marks.keep_newest(MOST[1]);
        }
    }

    fn refers_to(&self) -> Vec<Reference<'_>> {
        vec![Reference::Body(self.disc)]
    }

    fn readings(&self, record: &Traced, _: f64) -> Vec<InstrumentReading> {
        let mean = (record.seconds > 0.0).then(|| record.trail.length / record.seconds);
        vec![
            InstrumentReading::new(mark("length of the path"), Some(record.trail.length), "m"),
            InstrumentReading::new(mark("mean speed"), mean, "m/s"),
        ]
    }
}
