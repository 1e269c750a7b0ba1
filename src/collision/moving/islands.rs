//! Islands: contacts of blocks that do not bounce, connected by the bodies that they push.
//!
//! Resolved one after the other, such contacts would pass on ever smaller speeds and never finish. So each island is
//! solved as a whole (`contact_solver`). Terrain, kinematic discs and driven pieces do not connect contacts.
//!
//! Limits: an impact on a path gathers at most [`MAX_ISLAND_BLOCKS`] blocks, and its contacts are cut there. At the end
//! of a path islands have any size, but large ones are only swept.

use bevy::math::DVec2;
use std::mem;

use super::{
    MovingTerrain,
    block_impacts::{BlockPair, BlockTouch, OtherBody, Surroundings, touches_of},
    blocks::Block,
    contact_solver::{BlockContact, BlockSide, Bodies, BodyId, Solution, solve},
    tolerances::SAME_NORMAL,
};
use crate::collision::hit::Surface;

/// The largest number of blocks that one impact can set in motion. It bounds the work of an impact.
const MAX_ISLAND_BLOCKS: usize = 64;

/// Two places closer than this share of the size of the parts, dimensionless, are one contact. Neighbouring walls both
/// report their common corner.
const SAME_PLACE: f64 = 1e-4;

/// The result of resolving an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IslandResolved {
    /// Blocks or discs were pushed.
    Pushed,
    /// No contact approached.
    Unchanged,
    /// Driven pieces or kinematic discs have jammed the contacts, which no impulse resolves. Nothing was pushed.
    Jammed,
}

impl MovingTerrain {
    /// The contact of a block with an obstacle at this touch.
    pub fn contact_of(&self, pair: BlockPair, time: f64, touch: &BlockTouch) -> BlockContact {
        let BlockTouch { contact, approach } = *touch;
        let side =
            |index: u32| BlockSide::of_piece(index, &self.pieces[index as usize], time, contact.point, contact.normal);
        let mut sides = [side(pair.block), pair.other_piece().map_or(BlockSide::FIXED, side)];
        if self.is_driving(pair.obstacle) {
            sides[1].body = BodyId::Driven;
        }
        BlockContact { sides, point: contact.point, normal: contact.normal, wanted: approach }
    }

    /// The contact of a disc with a block on which it rests.
    pub fn contact_of_disc(
        &self,
        disc: BlockSide,
        block: u32,
        time: f64,
        surface: &Surface,
        wanted: f64,
    ) -> BlockContact {
        let (point, normal) = (surface.point, surface.away.normalize_or_zero());
        let own = BlockSide::of_piece(block, &self.pieces[block as usize], time, point, normal);
        BlockContact { sides: [own, disc], point, normal, wanted }
    }

    /// The contacts of a block, and of all blocks connected to it by contacts that do not bounce at this time of the
    /// tick.
    pub fn island_of(&self, block: u32, time: f64, around: &Surroundings) -> Vec<BlockContact> {
        let (mut members, mut contacts) = (vec![block], Vec::new());
        let mut done = 0;
        while let Some(&piece) = members.get(done) {
            done += 1;
            let Some(own) = self.blocks.iter().find(|block| block.piece == piece) else { continue };
            for obstacle in self.all_near(own, around) {
                let pair = BlockPair { block: piece, obstacle };
                let other = pair.other_piece();
                if other.is_some_and(|other| members[..done].contains(&other)) {
                    continue;
                }
                let touches = self.touches(pair, time, around);
                let fastest = touches.iter().map(|touch| touch.approach).fold(0.0, f64::max);
                if touches.is_empty() || self.bounce(pair, around)(fastest) > 0.0 {
                    continue;
                }
                contacts.extend(touches.iter().map(|touch| self.contact_of(pair, time, touch)));
                if let Some(other) = other
                    && self.pieces[other as usize].is_block()
                    && !members.contains(&other)
                    && members.len() < MAX_ISLAND_BLOCKS
                {
                    members.push(other);
                }
            }
        }
        contacts
    }

    /// The obstacles that a block may touch, in order: static terrain, moving pieces, kinematic discs.
    fn all_near(&self, block: &Block, around: &Surroundings) -> Vec<OtherBody> {
        let mut near = self.static_near(block, around);
        near.extend(self.moving_near(block, &self.blocks, around));
        near.extend(self.kinematic_discs_for(block.piece).into_iter().map(OtherBody::Kinematic));
        near
    }

    /// The touches of a block and an obstacle, each place once.
    pub fn touches(&self, pair: BlockPair, time: f64, around: &Surroundings) -> Vec<BlockTouch> {
        let own = &self.pieces[pair.block as usize];
        let other = self.piece_of(pair.obstacle);
        let (touches, size) = touches_of(&self.part_pairs(own, pair.obstacle, other.as_deref(), around), time);
        let mut unique: Vec<BlockTouch> = Vec::with_capacity(touches.len());
        for touch in touches {
            let is_same = |other: &BlockTouch| {
                other.contact.point.distance(touch.contact.point) < SAME_PLACE * size
                    && other.contact.normal.dot(touch.contact.normal) > SAME_NORMAL
            };
            if !unique.iter().any(is_same) {
                unique.push(touch);
            }
        }
        unique
    }

    /// Resolves the contacts of an island at a time of the tick: pushes its blocks, and calls `change_disc` for its
    /// discs. The arguments are the disc, the change of its velocity (m/s) and the impulse (N s).
    pub fn resolve_island(
        &mut self,
        contacts: &[BlockContact],
        time: f64,
        change_disc: impl FnMut(u32, DVec2, f64),
    ) -> IslandResolved {
        let blocks = || {
            contacts.iter().flat_map(|contact| contact.sides).filter_map(|side| match side.body {
                BodyId::Block(block) => Some(block),
                _ => None,
            })
        };
        let is_driven =
            contacts.iter().any(|contact| contact.sides[1].body == BodyId::Driven) || self.is_driven(blocks());
        if is_driven {
            self.mark_driven(blocks());
        }
        let Solution { impulses, is_jammed } = solve(contacts);
        if is_driven && is_jammed {
            IslandResolved::Jammed
        } else if self.push_island(contacts, impulses, time, change_disc) {
            IslandResolved::Pushed
        } else {
            IslandResolved::Unchanged
        }
    }

    /// Applies the impulses of an island; returns whether there were any.
    fn push_island(
        &mut self,
        contacts: &[BlockContact],
        impulses: Vec<f64>,
        time: f64,
        mut change_disc: impl FnMut(u32, DVec2, f64),
    ) -> bool {
        let mut pushed = false;
        for (contact, impulse) in contacts.iter().zip(impulses) {
            if !(impulse > 0.0 && impulse.is_finite()) {
                continue;
            }
            pushed = true;
            for (side, sign) in contact.sides.iter().zip([-1.0, 1.0]) {
                let push = contact.normal * (sign * impulse);
                match side.body {
                    BodyId::Fixed | BodyId::Driven => {}
                    BodyId::Block(block) => self.pieces[block as usize].push(time, contact.point, push),
                    BodyId::Disc(disc) => change_disc(disc, push * side.inverse_mass, impulse),
                }
            }
        }
        pushed
    }
}

/// Groups contacts into islands, in order.
pub fn islands(contacts: &[BlockContact]) -> Vec<Vec<BlockContact>> {
    let bodies = Bodies::of(contacts);
    let mut of_body = bodies.contacts();
    let mut is_taken = vec![false; contacts.len()];
    let mut islands = Vec::new();
    for first in 0..contacts.len() {
        if is_taken[first] {
            continue;
        }
        let mut island = vec![first];
        is_taken[first] = true;
        let mut at = 0;
        while let Some(&contact) = island.get(at) {
            // Each body is visited once: after that all of its contacts are in the island.
            let all = bodies.sides[contact].iter().flatten().flat_map(|&body| mem::take(&mut of_body[body]));
            let mut near: Vec<usize> = all.filter(|&other| !is_taken[other]).collect();
            near.sort_unstable();
            near.dedup();
            for &other in &near {
                is_taken[other] = true;
            }
            island.extend(near);
            at += 1;
        }
        islands.push(island.into_iter().map(|contact| contacts[contact]).collect());
    }
    islands
}

#[cfg(test)]
mod tests {
    use super::{super::contact_solver::tests::tower, *};

    #[test]
    fn connected_contacts_are_one_island_each_in_one_order() {
        // Three towers, level by level.
        let towers = [tower(&[1.0; 4]), tower(&[1.0; 3]), tower(&[1.0; 2])];
        let renumbered = |contact: &BlockContact, by: u32| {
            let mut contact = *contact;
            for side in &mut contact.sides {
                if let BodyId::Block(block) = &mut side.body {
                    *block = *block * 3 + by;
                }
            }
            contact
        };
        let mut contacts = Vec::new();
        for level in 0..4 {
            for (by, tower) in (0..).zip(&towers) {
                contacts.extend(tower.get(level).map(|contact| renumbered(contact, by)));
            }
        }
        let islands = islands(&contacts);
        assert_eq!(islands.iter().map(Vec::len).collect::<Vec<_>>(), [4, 3, 2]);
        for (by, island) in (0..).zip(&islands) {
            for (level, contact) in (0..).zip(island) {
                assert_eq!(contact.sides[1].body, BodyId::Block(level * 3 + by));
            }
        }
    }
}
