//! Contacts dropped by a contact hook. The two entities pass through each other until the end of the substep, in the
//! continuous mode until the end of the tick. Dropped contacts are kept with the collision filters, so they act like
//! ignored pairs. This file asks the hooks for the stepped mode; `let_through` does for the continuous mode.

use bevy::prelude::*;

use super::Answers;
use crate::collision::{
    discs::Discs,
    hit::{HitTarget, response::arbitrary_normal},
    periodic::Cell,
};

impl Answers {
    /// Removes the pairs of discs that a hook drops from a list.
    pub fn drop_pairs(&self, discs: &mut Discs, cell: Option<Cell>, pairs: &mut Vec<(u32, u32)>) {
        if !self.hooks.is_empty() {
            pairs.retain(|&(a, b)| self.let_meet(discs, cell, [a as usize, b as usize]));
        }
    }

    /// Whether the hooks let two touching discs collide, the lower index first. If not, the pair is dropped.
    pub fn let_meet(&self, discs: &mut Discs, cell: Option<Cell>, [i, j]: [usize; 2]) -> bool {
        if !discs.filter.meet(i, j) {
            return false;
        }
        let line = discs.position[j] - discs.position[i];
        let line = cell.map_or(line, |cell| cell.nearest(line));
        let normal = line.try_normalize().unwrap_or_else(|| arbitrary_normal(discs.id[i], discs.id[j]));
        // The one that is not kinematic comes first.
        let (pair, normal) = if discs.is_kinematic(i) { ([j, i], -normal) } else { ([i, j], normal) };
        let target = HitTarget::Disc(discs.entity[pair[1]]);
        let meet = self.meet(discs.entity[pair[0]], target, || discs.encounter(pair, normal));
        if !meet {
            discs.filter.drop_pair(i, j);
        }
        meet
    }
}

impl HitTarget<u32> {
    /// The target with entities instead of indices.
    pub(crate) fn with_entity(self, entities: &[Entity]) -> HitTarget {
        match self {
            Self::Disc(disc) => HitTarget::Disc(entities[disc as usize]),
            Self::Wall(piece) => HitTarget::Wall(piece),
            Self::FixedCircle(piece) => HitTarget::FixedCircle(piece),
        }
    }
}
