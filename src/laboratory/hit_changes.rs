//! The changes of momentum in the last hits.

use std::collections::VecDeque;

use bevy::{math::DVec2, prelude::*};

use crate::collision::{CollisionSettings, Hit, HitTarget, PhysicsSchedule, PhysicsSpace, TickSystems};

/// The most hits that are kept.
const MOST: usize = 64;

/// The change of momentum of the discs in a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitChange {
    /// The tick in which it happened, counted from 1.
    pub tick: u64,
    /// The time, seconds from the start of the tick.
    pub time: f32,
    /// The point of contact, metres.
    pub point: Vec2,
    /// The [`StableId`](crate::components::StableId) of each disc, and the change of its momentum, kg m/s. The second
    /// is `None` for a hit on terrain.
    pub discs: [Option<(u64, DVec2)>; 2],
}

impl HitChange {
    fn of(hit: &Hit, space: &PhysicsSpace) -> Self {
        let discs = &space.discs;
        let change = |disc: usize, before: Vec2, after: Vec2| {
            let change = f64::from(discs.mass[disc]) * (after.as_dvec2() - before.as_dvec2());
            (!discs.is_kinematic(disc)).then_some((discs.id[disc], change))
        };
        let first = change(hit.disc as usize, hit.velocity.before, hit.velocity.after);
        let second = match (hit.target, hit.other_velocity) {
            (HitTarget::Disc(other), Some(velocity)) => change(other as usize, velocity.before, velocity.after),
            _ => None,
        };
        Self { tick: space.clock.tick, time: hit.time, point: hit.point, discs: [first, second] }
    }
}

/// The last hits with the changes of momentum of their discs, while [`HitChanges::keeps`]. They are the hits at or
/// above [`report_above`](CollisionSettings::report_above).
#[derive(Resource, Clone, Debug, Default)]
pub struct HitChanges {
    /// Whether hits are kept. Default: no.
    pub keeps: bool,
    hits: VecDeque<HitChange>,
}

impl HitChanges {
    /// The last hits, newest first, at most 64.
    pub fn newest_first(&self) -> impl Iterator<Item = &HitChange> {
        self.hits.iter().rev()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<HitChanges>().add_systems(PhysicsSchedule, keep.after(TickSystems::Report));
}

fn keep(mut changes: ResMut<HitChanges>, space: Res<PhysicsSpace>, settings: Res<CollisionSettings>) {
    if !changes.keeps {
        if !changes.hits.is_empty() {
            changes.hits.clear();
        }
        return;
    }
    // After a seek into the past, later hits have not happened yet.
    while changes.hits.back().is_some_and(|hit| hit.tick >= space.clock.tick) {
        changes.hits.pop_back();
    }
    let report_above = settings.in_range().report_above;
    let hits = space.report.hits.iter().filter(|hit| hit.approach_speed >= report_above);
    changes.hits.extend(hits.map(|hit| HitChange::of(hit, &space)));
    while changes.hits.len() > MOST {
        changes.hits.pop_front();
    }
}
