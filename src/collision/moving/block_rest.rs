//! Blocks at rest. At the end of a path, slow contacts of blocks, and of discs on blocks, lose the speed that gravity
//! has added, all together (`islands`). Blocks that have sunk in by rounding are moved back.
//!
//! Contacts have no friction: use a general physics engine for walls of bricks.

use bevy::{math::DVec2, prelude::*};

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{BlockPair, OtherBody, Surroundings},
    contact_solver::{BlockContact, BlockSide, fastest_of},
    islands::islands,
    parts_contact::{PartsContact, contacts_of},
    parts_impact::{lying_gap, size_of, touch_of},
    tolerances::MAX_DEPTH,
};
use crate::collision::{discs::Discs, hit::answers::Answer, shape::Bounds};

/// Islands whose fastest approach is below this share of what gravity adds on a path, dimensionless, are at rest. It is
/// far above the rounding of an `f64`.
const STILL_SHARE: f64 = 1e-9;

/// The number of rounds in which blocks are moved out of all obstacles, and then out of static terrain. One correction
/// may cause another; the rest is corrected on the next path.
const MAX_CORRECTION_ROUNDS: u32 = 8;

/// Below this share of its radius, dimensionless, a disc rests on a block. Positions are rounded to 6e-8 of the
/// coordinates, so this is valid up to thousands of radii from the origin.
const DISC_LYING_GAP: f64 = 1e-3;

/// Blocks closer than this share of the contact gap, dimensionless, are moved back to [`RESTORED_GAP`].
const MIN_GAP: f64 = 0.25;

/// The gap after a correction, as a share of the contact gap, dimensionless. From halfway, rounding leads neither out
/// of the contact nor to another correction.
const RESTORED_GAP: f64 = 0.5;

/// The closest point of a block and an obstacle, with the tolerances there.
struct Closest {
    contact: PartsContact,
    /// Below this gap they touch, metres.
    touch: f64,
    /// Below this gap they rest on each other, metres.
    near: f64,
    /// With an overlap above this the game has placed them so, metres.
    deep: f64,
}

/// The discs at the end of a path. Their true velocities are those in the arrays plus `ahead`, m/s.
pub struct DiscsAtEnd<'a> {
    pub discs: &'a mut Discs,
    pub ahead: Vec2,
}

impl DiscsAtEnd<'_> {
    /// The true velocity of a disc, m/s.
    fn velocity(&self, disc: usize) -> DVec2 {
        (self.discs.velocity[disc] + self.ahead).as_dvec2()
    }

    fn change(&mut self, disc: usize, change: DVec2) {
        self.discs.velocity[disc] += change.as_vec2();
    }
}

impl MovingTerrain {
    /// Moves blocks back that have sunk into an obstacle. With gravity, it also brings slow contacts of blocks, and of
    /// discs on them, to rest.
    pub fn rest_blocks(&mut self, around: &Surroundings, mut at_end: DiscsAtEnd) {
        let touching = self.touching(around);
        // Resolving one overlap may create another. If not all can be resolved, static terrain wins.
        if !self.put_all_back(&touching, around) {
            let at_static = |pair: &&BlockPair| matches!(pair.obstacle, OtherBody::Static(_));
            self.put_all_back(&touching.iter().filter(at_static).copied().collect::<Vec<_>>(), around);
        }
        if !(around.slowest > 0.0) {
            return;
        }
        let time = self.way[1];
        let mut contacts = Vec::new();
        for pair in touching {
            contacts.extend(self.slow_contacts(pair, around));
        }
        for (disc, part) in self.discs_on_blocks(at_end.discs) {
            contacts.extend(self.slow_contact_of_disc(disc, part, &at_end, around));
        }
        for island in islands(&contacts) {
            if fastest_of(&island) > STILL_SHARE * around.slowest {
                self.resolve_island(&island, time, |disc, change, _| at_end.change(disc as usize, change));
            }
        }
    }

    /// Moves blocks back until none has sunk in; returns whether [`MAX_CORRECTION_ROUNDS`] were enough.
    fn put_all_back(&mut self, touching: &[BlockPair], around: &Surroundings) -> bool {
        (0..MAX_CORRECTION_ROUNDS).any(|_| {
            let mut all_stay = true;
            for &pair in touching {
                all_stay &= !self.put_back(pair, around);
            }
            all_stay
        })
    }

    /// The blocks, in order, with each obstacle that they rest on.
    fn touching(&self, around: &Surroundings) -> Vec<BlockPair> {
        let mut touching = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let mut near = self.static_near(block, around);
            near.extend(self.moving_near(block, &self.blocks[at + 1..], around));
            let pairs = near.into_iter().map(|obstacle| BlockPair { block: block.piece, obstacle });
            touching.extend(pairs.filter(|&pair| {
                self.closest(pair, around)
                    .is_some_and(|Closest { contact, near, deep, .. }| contact.gap < near && contact.gap > -deep)
            }));
        }
        touching
    }

    /// The closest point of a block and an obstacle.
    fn closest(&self, pair: BlockPair, around: &Surroundings) -> Option<Closest> {
        let own = self.pieces.get(pair.block as usize)?;
        let other = self.piece_of(pair.obstacle);
        let time = self.way[1];
        let parts = self.part_pairs(own, pair.obstacle, other.as_deref(), around);
        let all = parts.iter().flat_map(|[own, other]| {
            let (size, placed) = (size_of(own, other), own.placed(time));
            let (touch, near) = (touch_of(&placed, size), lying_gap(&placed, size));
            let contacts = contacts_of(&placed, &other.placed(time));
            let contacts = contacts.filter(|contact| contact.can_touch);
            contacts.map(move |contact| Closest { contact, touch, near, deep: MAX_DEPTH * size })
        });
        all.min_by(|a, b| a.contact.gap.total_cmp(&b.contact.gap))
    }

    /// Separates a block and an obstacle if they have sunk into each other, each by the other's share of the mass;
    /// returns whether they had. The depth has no limit here, as another correction may have caused it.
    fn put_back(&mut self, pair: BlockPair, around: &Surroundings) -> bool {
        let Some(Closest { contact, touch, .. }) = self.closest(pair, around) else { return false };
        let [a, b] = [Some(pair.block), pair.other_piece()]
            .map(|piece| piece.map_or(0.0, |piece| self.pieces[piece as usize].inverse_mass()));
        if contact.gap > MIN_GAP * touch || !(a + b > 0.0) {
            return false;
        }
        let way = contact.normal * ((contact.gap - RESTORED_GAP * touch) / (a + b));
        self.pieces[pair.block as usize].shift(way * a);
        if let Some(other) = pair.other_piece() {
            self.pieces[other as usize].shift(way * -b);
        }
        true
    }

    /// The contacts of a block with an obstacle, if they lose energy and none is fast.
    fn slow_contacts(&self, pair: BlockPair, around: &Surroundings) -> Vec<BlockContact> {
        let time = self.way[1];
        if self.restitution_of(pair, around) >= 1.0 {
            return Vec::new();
        }
        let touches = self.touches(pair, time, around);
        let slowest = self.slow_speed(pair, around);
        if touches.iter().any(|touch| touch.approach > slowest) {
            return Vec::new();
        }
        touches.iter().map(|touch| self.contact_of(pair, time, touch)).collect()
    }

    /// The discs that rest on blocks, with the part of each block.
    fn discs_on_blocks(&self, discs: &Discs) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for i in 0..discs.len() {
            let (at, radius) = (discs.position[i].as_dvec2(), f64::from(discs.radius[i]));
            if discs.is_kinematic(i) || !at.is_finite() {
                continue;
            }
            let reach = (radius * (1.0 + DISC_LYING_GAP)) as f32;
            let bounds = Bounds::around(discs.position[i], reach);
            self.for_each_block_part_near(i, bounds, |part| {
                let gap = self.gap(part, at, radius, self.way[1]);
                if gap.is_some_and(|gap| gap.abs() < DISC_LYING_GAP * radius) {
                    found.push((i as u32, part));
                }
            });
        }
        found
    }

    /// The contact of a disc with a part of a block on which it rests, if it loses energy and is not fast.
    fn slow_contact_of_disc(
        &self,
        disc: u32,
        part: u32,
        at_end: &DiscsAtEnd,
        around: &Surroundings,
    ) -> Option<BlockContact> {
        let (i, time, discs) = (disc as usize, self.way[1], &*at_end.discs);
        let velocity = at_end.velocity(i);
        let block = self.block_of(part)?;
        let surface = self.surface(part, [discs.position[i].as_dvec2(), velocity], time)?;
        let approach = (surface.velocity - velocity).dot(surface.away.normalize_or_zero());
        let carried = around.settings.restitution_at_terrain(discs.restitution[i], surface.restitution);
        let slowest = around.slowest * self.weight_of(block).max(f64::from(discs.gravity_scale(i).abs()));
        let answer = Answer::plain(None, carried);
        let bounces = approach > slowest || answer.restitution_at(approach, around.settings.resting_speed) >= 1.0;
        let side = BlockSide::of_disc(disc, f64::from(discs.mass[i]));
        (!bounces).then(|| self.contact_of_disc(side, block, time, &surface, approach))
    }
}

impl MovingPiece {
    /// The inverse mass, 1/kg; zero for pieces that are not free to move.
    fn inverse_mass(&self) -> f64 {
        self.body.map_or(0.0, |body| body.inverse_mass())
    }
}
