//! A photogate: counts discs whose centres cross a line, with times and speeds.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    InstrumentReading, Measures,
    log::Log,
    moment::{InstrumentMoment, Leg, Passage},
};
use crate::{
    components::{InvalidValue, is_within_limit},
    notice::mark,
};

/// The most passages that are kept, and that remain when the older ones are dropped.
const MOST: [usize; 2] = [100_000, 50_000];

/// A photogate: a line through the place of the instrument. It counts the discs whose centres cross the line.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Photogate {
    /// From the place of the instrument to one end of the line, metres; the other end is opposite. Default: `(0, 0.5)`.
    #[serde(default = "half")]
    pub half: Vec2,
}

fn half() -> Vec2 {
    Vec2::new(0.0, 0.5)
}

impl Default for Photogate {
    fn default() -> Self {
        Self { half: half() }
    }
}

/// The passages through a photogate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    /// How many there were.
    pub count: u64,
    /// The passages; of more than 100,000, the newest.
    pub log: Log<Passage>,
}

impl Photogate {
    /// The passages through it in a tick, by time.
    pub(super) fn passages(&self, at: Vec2, moment: &InstrumentMoment) -> Vec<Passage> {
        let mut passages = Vec::new();
        for (disc, &id) in moment.space.discs.id.iter().enumerate() {
            if moment.is_all_the_same(disc, |place| self.side(at, place) > 0.0) {
                continue;
            }
            for leg in moment.legs(disc) {
                if let Some(share) = self.crossing(at, &leg) {
                    let velocity = leg.velocity().as_dvec2();
                    passages.push(Passage {
                        time: moment.start + f64::from(leg.start) + share * f64::from(leg.end - leg.start),
                        speed: velocity.length(),
                        disc: id,
                        to_the_right: self.half.as_dvec2().perp_dot(velocity) < 0.0,
                    });
                }
            }
        }
        passages.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.disc.cmp(&b.disc)));
        passages
    }

    /// On which side of the line a place is: positive to the left of a person who looks along it.
    fn side(&self, at: Vec2, place: Vec2) -> f64 {
        self.half.as_dvec2().perp_dot(place.as_dvec2() - at.as_dvec2())
    }

    /// The share of a leg after which it crosses the line. A leg that ends on the line has not crossed it yet.
    fn crossing(&self, at: Vec2, leg: &Leg) -> Option<f64> {
        let [before, after] = [leg.from, leg.to].map(|place| self.side(at, place));
        if (before > 0.0) == (after > 0.0) {
            return None;
        }
        let share = before / (before - after);
        let half = self.half.as_dvec2();
        let along = half.dot(leg.from.as_dvec2().lerp(leg.to.as_dvec2(), share) - at.as_dvec2());
        (along.abs() <= half.length_squared()).then_some(share)
    }
}

impl Measures for Photogate {
    type Record = Passages;

    const NAME: &'static str = mark("Photogate");

    fn check(&self) -> Result<(), InvalidValue> {
        if is_within_limit(self.half) && self.half != Vec2::ZERO {
            return Ok(());
        }
        Err(InvalidValue::new("half", self.half, "set it to half of the line of the photogate, not zero"))
    }

    fn observe(&self, at: Vec2, name: &str, record: &mut Passages, moment: &InstrumentMoment) {
        let _ = at;
        for passage in moment.passages_of(name) {
            record.count += 1;
            record.log.push(*passage);
        }
        if record.log.len() > MOST[0] {
            record.log.keep_newest(MOST[1]);
        }
    }

    fn readings(&self, record: &Passages, _: f64) -> Vec<InstrumentReading> {
        let last = record.log.newest_first().next();
        let before = record.log.newest_first().nth(1);
        let between = last.zip(before).map(|(last, before)| last.time - before.time);
        vec![
            InstrumentReading::count(mark("passages"), record.count),
            InstrumentReading::new(mark("last passage at"), last.map(|last| last.time), "s"),
            InstrumentReading::new(mark("time between"), between, "s"),
            InstrumentReading::new(mark("speed"), last.map(|last| last.speed), "m/s"),
        ]
    }
}
