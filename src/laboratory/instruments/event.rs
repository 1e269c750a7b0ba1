//! Events in a tick that start and stop stopwatches, and that counters count.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Reference, moment::InstrumentMoment};
use crate::collision::HitTarget;

/// Something that happens at a time. Discs and terrain are named by their [`StableId`](crate::components::StableId)s.
#[derive(Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum InstrumentEvent {
    /// A hit of anything.
    #[default]
    AnyHit,
    /// A hit of this disc or this piece of terrain.
    Hit(u64),
    /// A passage of a disc through the photogate of this name.
    Passage(String),
    /// This disc comes to rest.
    Rest(u64),
    /// The last moving disc or block comes to rest.
    AllAtRest,
    /// The end of a pause: the first tick after it starts.
    Pause,
}

impl InstrumentEvent {
    /// The times at which it happens in a tick, in order, seconds of the clock of the instruments.
    ///
    /// A hit has the time of its report: exact in the continuous mode, the end of a substep in the stepped mode. Rest
    /// has the time at which the tick ends.
    pub(super) fn times(&self, moment: &InstrumentMoment) -> Vec<f64> {
        let at = |time: f32| moment.start + f64::from(time);
        match self {
            Self::AnyHit => moment.hits().map(|hit| at(hit.time)).collect(),
            Self::Hit(id) => {
                let discs = &moment.space.discs;
                let is_part = |hit: &&crate::collision::Hit| {
                    let other = match hit.target {
                        HitTarget::Disc(other) => discs.id.get(other as usize).copied(),
                        HitTarget::Wall(entity) | HitTarget::FixedCircle(entity) => moment.id_of(entity),
                    };
                    discs.id.get(hit.disc as usize) == Some(id) || other == Some(*id)
                };
                moment.hits().filter(is_part).map(|hit| at(hit.time)).collect()
            }
            Self::Passage(name) => moment.passages_of(name).map(|passage| passage.time).collect(),
            Self::Rest(id) => moment.came_to_rest(*id).then(|| moment.end()).into_iter().collect(),
            Self::AllAtRest => moment.all_came_to_rest().then(|| moment.end()).into_iter().collect(),
            Self::Pause => moment.follows_a_pause.then_some(moment.start).into_iter().collect(),
        }
    }

    /// What it names.
    pub(super) fn refers_to(&self) -> Option<Reference<'_>> {
        match self {
            Self::Hit(id) | Self::Rest(id) => Some(Reference::Body(*id)),
            Self::Passage(name) => Some(Reference::Photogate(name)),
            Self::AnyHit | Self::AllAtRest | Self::Pause => None,
        }
    }

    /// Follows a photogate that has got a new name.
    pub(super) fn renamed(&mut self, old: &str, new: &str) {
        if let Self::Passage(name) = self
            && name == old
        {
            new.clone_into(name);
        }
    }
}
