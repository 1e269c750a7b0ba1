//! The points at which the paths of a [`PhysicsSpace`] turned, for trails and pictures.

use bevy::prelude::*;

use super::PhysicsSpace;
use crate::collision::{
    hit::{Hit, HitTarget},
    path::PathVertex,
    settings::SolverMode,
};

impl PhysicsSpace {
    /// The points at which paths turned in the last tick, by time. The stepped mode reports none at hits, so there they
    /// follow from the points of contact.
    pub(crate) fn turns(&self) -> Vec<PathVertex> {
        let mut turns = self.report.path_vertices.clone();
        if self.laws.settings.mode == SolverMode::Stepped {
            let turn = |disc: u32, toward: Vec2, hit: &Hit| {
                let position = self.wrapped(hit.point - toward * self.discs.radius[disc as usize]);
                PathVertex { disc, time: hit.time, position, height: 0.0 }
            };
            for hit in &self.report.hits {
                turns.push(turn(hit.disc, hit.normal, hit));
                if let HitTarget::Disc(other) = hit.target {
                    turns.push(turn(other, -hit.normal, hit));
                }
            }
            // A stable sort: the hits of a substep stay in their order.
            turns.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        turns
    }
}
