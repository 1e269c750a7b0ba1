//! The centre of mass of some discs, with its path and its velocity.

use bevy::{math::DVec2, prelude::*};
use serde::{Deserialize, Serialize};

use super::{InstrumentReading, Measures, Reference, moment::InstrumentMoment, trail::Trail};
use crate::{
    collision::{Discs, measure},
    notice::mark,
};

/// Points of the path are this share of the mean radius apart.
const FINE: f64 = 0.1;

/// The centre of mass of some discs, drawn with its path and its velocity.
#[derive(Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CentreOfMass {
    /// The [`StableId`](crate::components::StableId)s of the discs. Default: all discs that impulses move.
    pub discs: Vec<u64>,
}

/// The mass of some discs and the motion of its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Centre {
    /// Kilograms.
    pub mass: f64,
    /// Metres.
    pub position: DVec2,
    /// Metres per second.
    pub velocity: DVec2,
}

impl Centre {
    /// The centre of mass of the discs with these ids, or of all if there are no ids. Kinematic discs and discs in
    /// pockets do not count. `None` without any disc.
    #[must_use]
    pub fn of(discs: &Discs, ids: &[u64]) -> Option<Self> {
        let (mut mass, mut moment, mut momentum) = (0.0, DVec2::ZERO, DVec2::ZERO);
        for (i, own) in measure::masses(discs).enumerate() {
            let is_meant = ids.is_empty() || ids.contains(&discs.id[i]);
            if is_meant && !discs.position[i].is_nan() {
                let own = f64::from(own);
                mass += own;
                moment += own * discs.position[i].as_dvec2();
                momentum += own * discs.velocity[i].as_dvec2();
            }
        }
        (mass > 0.0).then(|| Self { mass, position: moment / mass, velocity: momentum / mass })
    }
}

/// The motion of a centre of mass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CentreMotion {
    /// Its path.
    pub trail: Trail,
    /// Where it is now, with the mass.
    pub now: Option<Centre>,
}

impl Measures for CentreOfMass {
    type Record = CentreMotion;

    const NAME: &'static str = mark("Centre of mass");

    fn observe(&self, _: Vec2, _: &str, record: &mut CentreMotion, moment: &InstrumentMoment) {
        let discs = &moment.space.discs;
        let now = Centre::of(discs, &self.discs);
        if let Some(now) = now {
            let to = now.position.as_vec2();
            let radii: f64 = discs.radius.iter().copied().map(f64::from).sum();
            let fine = FINE * radii / discs.len() as f64;
            record.trail.go(record.trail.end.unwrap_or(to), to, fine as f32);
        }
        record.now = now;
    }

    fn refers_to(&self) -> Vec<Reference<'_>> {
        self.discs.iter().copied().map(Reference::Body).collect()
    }

    fn readings(&self, record: &CentreMotion, _: f64) -> Vec<InstrumentReading> {
        let of = |value: fn(&Centre) -> f64| record.now.as_ref().map(value);
        vec![
            InstrumentReading::new(mark("mass"), of(|centre| centre.mass), "kg"),
            InstrumentReading::new(mark("speed"), of(|centre| centre.velocity.length()), "m/s"),
            InstrumentReading::new(mark("momentum"), of(|centre| centre.mass * centre.velocity.length()), "kg m/s"),
        ]
    }
}
