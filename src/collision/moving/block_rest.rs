//! Blocks that lie on something. Where a way ends, what gravity has made since is taken from blocks, and from discs on
//! blocks, where they lie on something: slow contacts lose their speed, all at once (`islands`). And what has sunk in
//! by a rounding is put back.
//!
//! There is no friction between them: for walls of bricks that is what general engines are for.

use bevy::{math::DVec2, prelude::*};

use super::{
    MovingPiece, MovingTerrain,
    block_impacts::{Met, Surroundings},
    islands::{Contact, fastest_of, islands},
    parts_contact::{PartsContact, contacts_of},
    parts_impact::{DEEP, size_of, touch_of},
};
use crate::collision::{discs::Discs, hit::answers::Answer, shape::Bounds};

/// Slower than this share of what gravity makes in a way, what touches does not approach.
const STILL: f64 = 1e-9;

/// So often blocks that have sunk in are put back: out of all, and then out of terrain that stands.
const PUTS: u32 = 8;

/// Closer than this share of its radius a disc lies on a block.
const LIES: f64 = 1e-3;

/// Closer than this share of the size of their parts two blocks lie on each other.
const NEAR: f64 = 4e-5;

/// What has come closer than this share of the gap at which blocks touch is put back to half of it.
const SUNK: f64 = 0.25;

/// The place where two pieces are closest; how close a touch is there, what counts as lying on each other, and what as
/// being put into each other, metres.
struct Closest {
    contact: PartsContact,
    touch: f64,
    near: f64,
    deep: f64,
}

/// Two that touch where a way ends: a block, and what it touches.
type Touching = (u32, Met);

/// The discs where a way ends. Their velocities are `ahead` less than the true ones, m/s.
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
    /// Puts blocks back that have sunk into something, and brings slow contacts to rest, if there is gravity: those of
    /// blocks, and of discs on them.
    pub fn rest_blocks(&mut self, around: &Surroundings, mut at_end: DiscsAtEnd) {
        let touching = self.touching(around);
        // Resolving one overlap may create another. If not all can be resolved, fixed terrain wins.
        if !self.put_all_back(&touching, around) {
            let standing = |touch: &&Touching| matches!(touch.1, Met::Standing(_));
            self.put_all_back(&touching.iter().filter(standing).copied().collect::<Vec<_>>(), around);
        }
        if !(around.slowest > 0.0) {
            return;
        }
        let time = self.way[1];
        let mut contacts = Vec::new();
        for touch in touching {
            contacts.extend(self.slow_contacts(touch, around));
        }
        for (disc, part) in self.discs_on_blocks(at_end.discs) {
            contacts.extend(self.slow_contact_of_disc(disc, part, &at_end, around));
        }
        for island in islands(&contacts) {
            if fastest_of(&island) > STILL * around.slowest {
                self.resolve_island(&island, time, |disc, change, _| at_end.change(disc as usize, change));
            }
        }
    }

    /// Puts blocks back until none has sunk in, and says whether that was so before long.
    fn put_all_back(&mut self, touching: &[Touching], around: &Surroundings) -> bool {
        (0..PUTS).any(|_| {
            let mut all_stay = true;
            for &touch in touching {
                all_stay &= !self.put_back(touch, around);
            }
            all_stay
        })
    }

    /// The blocks that touch something, in their order, and what.
    fn touching(&self, around: &Surroundings) -> Vec<Touching> {
        let mut touching = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let mut near = self.standing_near(block, around);
            near.extend(self.moving_near(block, &self.blocks[at + 1..], around));
            near.retain(|&met| {
                self.closest((block.piece, met), around)
                    .is_some_and(|Closest { contact, near, deep, .. }| contact.gap < near && contact.gap > -deep)
            });
            touching.extend(near.into_iter().map(|met| (block.piece, met)));
        }
        touching
    }

    /// A block and another that it may touch.
    fn pair(&self, (piece, met): Touching) -> Option<(&MovingPiece, Option<&MovingPiece>)> {
        let other = if let Met::Moving(other) = met { Some(self.pieces.get(other as usize)?) } else { None };
        Some((self.pieces.get(piece as usize)?, other))
    }

    /// Where a block and what it may touch are closest.
    fn closest(&self, touch: Touching, around: &Surroundings) -> Option<Closest> {
        let (own, other) = self.pair(touch)?;
        let time = self.way[1];
        let pairs = self.pairs_of(own, touch.1, other, around);
        let all = pairs.iter().flat_map(|[own, other]| {
            let (size, placed) = (size_of(own, other), own.placed(time));
            let touch = touch_of(&placed, size);
            let near = (NEAR * size).max(2.0 * touch);
            let contacts = contacts_of(&placed, &other.placed(time));
            let contacts = contacts.filter(|contact| contact.can_touch);
            contacts.map(move |contact| Closest { contact, touch, near, deep: DEEP * size })
        });
        all.min_by(|a, b| a.contact.gap.total_cmp(&b.contact.gap))
    }

    /// Moves blocks out of what they have sunk into, each by the other's share of the mass; says whether they had. The
    /// depth has no limit here, as another correction may have caused it.
    fn put_back(&mut self, touch: Touching, around: &Surroundings) -> bool {
        let Some(Closest { contact, touch: least, .. }) = self.closest(touch, around) else { return false };
        let Some((own, other)) = self.pair(touch) else { return false };
        let [a, b] = [Some(own), other].map(|piece| piece.map_or(0.0, MovingPiece::inverse_mass));
        if contact.gap > SUNK * least || !(a + b > 0.0) {
            return false;
        }
        let way = contact.normal * ((contact.gap - 0.5 * least) / (a + b));
        self.pieces[touch.0 as usize].shift(way * a);
        if let Met::Moving(other) = touch.1 {
            self.pieces[other as usize].shift(way * -b);
        }
        true
    }

    /// The contacts of a block with something, if they take energy and none is fast.
    fn slow_contacts(&self, touch: Touching, around: &Surroundings) -> Vec<Contact> {
        let time = self.way[1];
        if self.carried_restitution(touch, around) >= 1.0 {
            return Vec::new();
        }
        let touches = self.touches(touch, time, around);
        let slowest = self.slow_speed(touch, around);
        if touches.iter().any(|&(_, approach)| approach > slowest) {
            return Vec::new();
        }
        touches.iter().map(|(at, approach)| self.contact_of(touch, time, at, *approach)).collect()
    }

    /// The discs that lie on blocks, and on which of their parts.
    fn discs_on_blocks(&self, discs: &Discs) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for i in 0..discs.len() {
            let (at, radius) = (discs.position[i].as_dvec2(), f64::from(discs.radius[i]));
            if discs.is_kinematic(i) || !at.is_finite() {
                continue;
            }
            let reach = (radius * (1.0 + LIES)) as f32;
            let bounds = Bounds::around(discs.position[i], reach);
            self.for_each_block_part_near(i, bounds, |part| {
                let gap = self.gap(part, at, radius, self.way[1]);
                if gap.is_some_and(|gap| gap.abs() < LIES * radius) {
                    found.push((i as u32, part));
                }
            });
        }
        found
    }

    /// The contact of a disc with a part of a block on which it lies, if it takes energy and is not fast.
    fn slow_contact_of_disc(
        &self,
        disc: u32,
        part: u32,
        at_end: &DiscsAtEnd,
        around: &Surroundings,
    ) -> Option<Contact> {
        let (i, time, discs) = (disc as usize, self.way[1], &*at_end.discs);
        let velocity = at_end.velocity(i);
        let block = self.block_of(part)?;
        let surface = self.surface(part, [discs.position[i].as_dvec2(), velocity], time)?;
        let approach = (surface.velocity - velocity).dot(surface.away.normalize_or_zero());
        let carried = around.settings.restitution_at_terrain(discs.restitution[i], surface.restitution);
        let slowest = around.slowest * self.weight_of(block).max(f64::from(discs.gravity_scale(i).abs()));
        let answer = Answer::plain(None, carried);
        let is_lively = approach > slowest || answer.restitution_at(approach, around.settings.resting_speed) >= 1.0;
        let mass = f64::from(discs.mass[i]);
        (!is_lively).then(|| self.contact_of_disc((disc, mass), (block, time), &surface, approach))
    }
}

impl MovingPiece {
    /// 1/kg; zero for what is not free to move.
    fn inverse_mass(&self) -> f64 {
        self.body.map_or(0.0, |body| body.inverse_mass())
    }
}
