//! A force gauge on a piece of terrain: the impulses of the hits on it over a window of time.

use std::f64::consts::TAU;

use bevy::{math::DVec2, prelude::*};
use serde::{Deserialize, Serialize};

use super::{InstrumentReading, Measures, Reference, log::Log, moment::InstrumentMoment};
use crate::{
    collision::HitTarget,
    components::{InvalidValue, Terrain},
    notice::mark,
};

/// A force gauge on a piece of terrain. It adds up the impulses of hits along their normals.
///
/// What rests on terrain makes no hits in the continuous mode, and in a pile on springs: its weight is not measured.
#[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForceGauge {
    /// The [`StableId`](crate::components::StableId) of the terrain.
    pub terrain: u64,
    /// The window of time, seconds; 0.001 to 10,000. Default: 5.
    #[serde(default = "seconds")]
    pub seconds: f32,
}

fn seconds() -> f32 {
    5.0
}

/// The hits on a piece of terrain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impulses {
    /// The time of each hit in the window, seconds of the clock of the instruments, and its impulse on the terrain,
    /// N s.
    pub hits: Log<(f64, Vec2)>,
    /// When the gauge began, seconds of the clock of the instruments.
    pub began: Option<f64>,
    /// The length of the outline of the terrain, metres.
    pub length: Option<f64>,
}

/// What a force gauge has measured in its window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force {
    /// The number of hits.
    pub hits: usize,
    /// The length of the window, or the time since the gauge began if that is shorter, seconds.
    pub seconds: f64,
    /// The sum of the magnitudes of the impulses, N s.
    pub impulse: f64,
    /// The sum of the impulses on the terrain, N s.
    pub net_impulse: DVec2,
}

impl ForceGauge {
    /// The force in the window that ends at this time, seconds of the clock of the instruments.
    #[must_use]
    pub fn force(&self, record: &Impulses, now: f64) -> Force {
        let window = f64::from(self.seconds);
        let seconds = record.began.map_or(0.0, |began| (now - began).min(window));
        let recent = record.hits.newest_first().take_while(|(time, _)| *time > now - window);
        recent.fold(Force { seconds, ..Force::default() }, |force, (_, impulse)| {
            let impulse = impulse.as_dvec2();
            Force {
                hits: force.hits + 1,
                impulse: force.impulse + impulse.length(),
                net_impulse: force.net_impulse + impulse,
                ..force
            }
        })
    }
}

/// The length of the outline of a piece of terrain, metres.
pub(super) fn outline_length(terrain: &Terrain) -> f64 {
    let sum = |points: &[Vec2]| -> f64 {
        points.windows(2).map(|pair| pair[0].as_dvec2().distance(pair[1].as_dvec2())).sum()
    };
    match terrain {
        Terrain::Segment { a, b } => sum(&[*a, *b]),
        Terrain::Circle { radius } => TAU * f64::from(*radius),
        Terrain::Arc { radius, extent, .. } => f64::from(*radius) * f64::from(*extent),
        Terrain::Block { half_size } | Terrain::Arena { half_size } => {
            4.0 * (f64::from(half_size.x) + f64::from(half_size.y))
        }
        Terrain::Polyline { points } => sum(points),
        Terrain::Polygon { points } => {
            let last = points.last().zip(points.first()).map_or(0.0, |(&last, &first)| sum(&[last, first]));
            sum(points) + last
        }
    }
}

impl Measures for ForceGauge {
    type Record = Impulses;

    const NAME: &'static str = mark("Force gauge");

    fn check(&self) -> Result<(), InvalidValue> {
        InvalidValue::check_range("seconds", self.seconds, 0.001..=10_000.0, "s")
    }

    fn observe(&self, _: Vec2, _: &str, record: &mut Impulses, moment: &InstrumentMoment) {
        record.began.get_or_insert(moment.start);
        record.length = moment.length_of(self.terrain);
        // A force needs the slow hits, too.
        for hit in &moment.space.report.hits {
            let (HitTarget::Wall(entity) | HitTarget::FixedCircle(entity)) = hit.target else { continue };
            if moment.id_of(entity) == Some(self.terrain) {
                record.hits.push((moment.start + f64::from(hit.time), hit.normal * hit.impulse));
            }
        }
        let recent = self.force(record, moment.end()).hits;
        if record.hits.len() > 2 * recent + 64 {
            record.hits.keep_newest(recent);
        }
    }

    fn refers_to(&self) -> Vec<Reference<'_>> {
        vec![Reference::Body(self.terrain)]
    }

    fn readings(&self, record: &Impulses, now: f64) -> Vec<InstrumentReading> {
        let force = self.force(record, now);
        let mean = (force.seconds > 0.0).then(|| force.impulse / force.seconds);
        let per_hit = (force.hits > 0).then(|| force.impulse / force.hits as f64);
        let pressure = mean.zip(record.length).map(|(mean, length)| mean / length);
        vec![
            InstrumentReading::new(mark("mean force"), mean, "N"),
            InstrumentReading::count(mark("hits"), force.hits as u64),
            InstrumentReading::new(mark("impulse per hit"), per_hit, "N s"),
            InstrumentReading::new(mark("force per length"), pressure, "N/m"),
        ]
    }

    fn needs_all_hits(&self) -> bool {
        true
    }
}
