//! What blocks hit, and the impulses: discs, other blocks, pieces that others move, kinematic discs and terrain that
//! stands. All without friction.
//!
//! At a point where `n` is the normal, a push moves a block as if it had the mass `1 / (1/m + (r × n)²/I)`, `r` being
//! the way from the point about which it turns (D. Baraff, "Nonconvex rigid bodies with stacking" and many others). Two
//! that approach at `u` part at `e u`, so energy is kept at `e = 1`, and momentum always. Edges that lie flat on each
//! other touch at two points, which are resolved together: so what lands flat does not turn.

use bevy::{math::DVec2, prelude::*};
use std::sync::Arc;

use super::{
    MovingPiece, MovingTerrain,
    blocks::{Block, Work},
    islands::{Contact, part_faster},
    motion::{Drive, Pose},
    parts_contact::{Capsule, PartsContact, contacts_of},
    parts_impact::{Carried, DEEP, Slowest, size_of, time_of_impact, touch_of},
};
use crate::{
    collision::{
        discs::Discs,
        hit::{Surface, answers::Answer},
        settings::CollisionSettings,
        shape::{Bounds, time_of_impact::NEVER},
        terrain::{TerrainView, filter::TerrainFilter, index::Piece},
    },
    disc::StableId,
};
/// What blocks may meet besides each other and discs, and how.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub terrain: TerrainView<'a>,
    pub filter: &'a TerrainFilter,
    pub settings: &'a CollisionSettings,
    /// Slower than this, m/s, nothing bounces that loses energy: a little more than what gravity makes in the present
    /// way.
    pub slowest: f64,
}

/// As a share of what gravity makes in a way.
const SLOW: f64 = 1.01;

impl<'a> Surroundings<'a> {
    /// Those of a way in which gravity changes velocities by `fall`, m/s.
    pub fn new(
        terrain: TerrainView<'a>,
        filter: &'a TerrainFilter,
        settings: &'a CollisionSettings,
        fall: f64,
    ) -> Self {
        Self { terrain, filter, settings, slowest: fall * SLOW }
    }
}

/// A kinematic disc on its straight way through the tick.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// Its index among the discs.
    disc: u32,
    pub from: DVec2,
    pub velocity: DVec2,
    pub radius: f64,
    pub restitution: Option<f32>,
}

impl Hand {
    fn capsule(&self) -> Capsule {
        Capsule::circle(DVec2::ZERO, self.radius)
    }
}

/// What a block meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Met {
    /// A piece of terrain that stands.
    Standing(Piece),
    /// Another piece that moves.
    Moving(u32),
    /// A kinematic disc.
    Hand(u32),
}

/// An impact of a block that is not with a disc.
#[derive(Clone, Copy, Debug)]
pub struct BlockImpact {
    /// Seconds since the tick began.
    pub time: f64,
    pub piece: u32,
    pub met: Met,
}

impl BlockImpact {
    pub fn involves(&self, piece: u32) -> bool {
        self.piece == piece || self.other() == Some(piece)
    }

    /// The other piece, if that moves.
    pub fn other(&self) -> Option<u32> {
        if let Met::Moving(other) = self.met { Some(other) } else { None }
    }
}

/// A disc that hits a block.
#[derive(Clone, Copy, Debug)]
pub struct HittingDisc<'a> {
    /// kg.
    pub mass: f64,
    /// m/s.
    pub velocity: DVec2,
    /// By how much its true velocity is ahead of that, m/s.
    pub ahead: DVec2,
    /// The unit vectors away from the terrain that stands and that it touches: there it cannot be pushed on.
    pub held: &'a [DVec2],
}

/// What a hit of a disc and a block is.
#[derive(Clone, Copy, Debug)]
pub struct DiscOnBlock {
    /// The velocity of the disc afterwards, m/s.
    pub velocity: DVec2,
    /// How fast they approached, m/s.
    pub approach: f64,
    /// The coefficient of restitution of the hit.
    pub e: f64,
    /// N s.
    pub impulse: f64,
}

/// What is elastic hits at this share of the speed below which what loses energy does not: where it lies on something,
/// rounding makes it approach.
const NOISE: f64 = 1e-6;

/// After so many impacts within a way that take energy a block has no restitution any more; what loses half its speed
/// each time is at rest long before.
const LIVELY_IMPACTS: u32 = 64;

impl MovingTerrain {
    /// Resolves a hit of a disc and a block at a time of the tick; none if they do not approach.
    pub fn hit_block(
        &mut self,
        block: u32,
        time: f64,
        surface: &Surface,
        disc: HittingDisc,
        around: &Surroundings,
        restitution: impl FnOnce(f64) -> f64,
    ) -> Option<DiscOnBlock> {
        let HittingDisc { mass, velocity, ahead: disc_ahead, .. } = disc;
        let n = surface.away.normalize_or_zero();
        let approach = -(velocity - surface.velocity).dot(n);
        if !(approach > 0.0) {
            return None;
        }
        let ahead = self.ahead_at(time);
        let arm = surface.point - self.pieces.get(block as usize)?.origin;
        let still = self.still_speed(arm.length_squared().sqrt());
        let piece = self.pieces.get(block as usize)?;
        // They need not fall alike: what is pinned does not, and some feel more of gravity than others.
        let truly = approach - (disc_ahead - ahead * piece.falling()).dot(n);
        let e = restitution(truly.max(0.0));
        let change = ((1.0 + e) * truly).max(approach);
        // No more than an elastic hit does: so a surface that turns fast gives no energy.
        let hops = if e < 1.0 { (approach + surface.leaves_at).min(2.0 * approach) } else { 0.0 };
        // There the disc alone stops.
        let is_still = e < 1.0 && approach < still;
        let (velocity, impulse) = if is_still {
            let change = change.max(hops);
            (velocity + n * change, change * mass)
        } else if e > 0.0 || piece.is_stuck() {
            let impulse = change.max(hops) / (1.0 / mass + piece.inverse_mass_at(time, surface.point, n));
            self.push_block(block, time, surface.point, n * -impulse);
            (velocity + n * (impulse / mass), impulse)
        } else {
            self.press_on_block(disc, [change, hops], (block, time), surface, around)
        };
        let work = if e > 0.0 { Work::DiscBounces } else { Work::DiscPresses };
        self.charge_hit(block, (time, work), around.settings.impact_budget);
        Some(DiscOnBlock { velocity, approach, e, impulse })
    }

    /// Presses a disc on a block, and both on what they lie on, so that the two part by `change` (m/s) faster, or by
    /// `hops` where that gives no energy; the velocity of the disc then, and the impulse, N s.
    fn press_on_block(
        &mut self,
        disc: HittingDisc,
        [change, hops]: [f64; 2],
        (block, time): (u32, f64),
        surface: &Surface,
        around: &Surroundings,
    ) -> (DVec2, f64) {
        let HittingDisc { mass, mut velocity, held, .. } = disc;
        let mut contacts = self.island_of(block, time, around);
        contacts.extend(held.iter().map(|&away| Contact::of_held_disc((0, mass), away, velocity)));
        // What is held cannot part any faster.
        let (change, hops) = if held.is_empty() {
            (change, hops)
        } else {
            (-(velocity - surface.velocity).dot(surface.away.normalize_or_zero()), 0.0)
        };
        contacts.push(self.contact_of_disc((0, mass), (block, time), surface, change));
        part_faster(&mut contacts, hops - change);
        let mut impulse = 0.0;
        let n = surface.away.normalize_or_zero();
        let resolved = self.resolve_island(&contacts, time, |_, change, given| {
            velocity += change;
            if change.dot(n) > 0.0 && impulse == 0.0 {
                impulse = given;
            }
        });
        if resolved.is_none() {
            // The block stops, and is a wall for the disc.
            self.charge_hit(block, (time, Work::Jams), around.settings.impact_budget);
            return (velocity + n * change, change * mass);
        }
        (velocity, impulse)
    }

    /// Slower than this, m/s, two that lose energy and lie on each other do not hit: they would not get closer by a
    /// billionth of the size of the block (metres) within its way, or gravity makes a million times as much. Hits that
    /// hand on ever less of a speed from one contact to the next have no end.
    fn still_speed(&self, size: f64) -> f64 {
        let [from, until] = self.way;
        let seconds = (until - from).max(f64::MIN_POSITIVE);
        (1e-9 * size / seconds).max(1e-6 * self.acceleration.length_squared().sqrt() * seconds)
    }

    /// Pushes a block at a point by an impulse, N s.
    pub fn push_block(&mut self, block: u32, time: f64, point: DVec2, impulse: DVec2) {
        if let Some(piece) = self.pieces.get_mut(block as usize) {
            piece.push(time, point, impulse);
        }
    }

    /// The earliest impact of a block that is not with a disc; of several at once the first in the order of the pieces.
    pub fn next_block_impact(&mut self, around: &Surroundings) -> Option<BlockImpact> {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut first: Option<BlockImpact> = None;
        for at in 0..blocks.len() {
            let next = if let Some(next) = blocks[at].next {
                next
            } else {
                let (next, steps) = self.find_next(&blocks, at, around);
                blocks[at].charge(Work::Looks(steps));
                next
            };
            blocks[at].next = Some(next);
            if let Some(next) = next.filter(|next| first.is_none_or(|first| next.time < first.time)) {
                first = Some(next);
            }
        }
        self.blocks = blocks;
        first
    }

    /// What a block meets next of terrain that stands, kinematic discs, pieces that others move, and blocks that come
    /// after it; and how many steps it took to find that. Two of which no push moves either meet nothing of each other:
    /// so what the game moves passes over a block that waits.
    fn find_next(&self, blocks: &[Block], at: usize, around: &Surroundings) -> (Option<BlockImpact>, u32) {
        let block = &blocks[at];
        let piece = &self.pieces[block.piece as usize];
        let from = piece.since;
        let still = self.still_speed(block.reach);
        let is_stuck = piece.is_stuck();
        let (mut first, mut steps) = (None::<BlockImpact>, 0);
        let mut look = |own: Capsule, met: Met, other: Carried, from: f64| {
            let until = first.map_or(self.way[1], |first| first.time);
            let own = Carried { capsule: own, piece: Some(piece) };
            let is_elastic = self.restitution_of(block.piece, met, around, other.piece) >= 1.0;
            let slowest = if is_elastic { Slowest::Elastic(NOISE * still) } else { Slowest::Lossy(still) };
            let time = time_of_impact(&own, &other, [from, until], slowest, &mut steps);
            if time < NEVER && first.is_none_or(|first| time < first.time) {
                first = Some(BlockImpact { time, piece: block.piece, met });
            }
        };
        let standing = if is_stuck { Vec::new() } else { self.standing_near(block, around) };
        for met in standing {
            let Met::Standing(there) = met else { continue };
            for capsule in standing_capsules(&around.terrain, there) {
                piece.capsules().for_each(|own| look(own, met, Carried { capsule, piece: None }, from));
            }
        }
        for met in self.moving_near(block, &blocks[at + 1..], around) {
            let Met::Moving(index) = met else { continue };
            let other = &self.pieces[index as usize];
            if is_stuck && (other.is_stuck() || !other.is_block()) {
                continue;
            }
            // What has passed over the outline of a solid piece goes on to where it comes out.
            let is_covered = || {
                let capsules = [piece, other].map(|piece| &piece.shape.capsules[..]);
                other.covers((piece, capsules[0]), from) || piece.covers((other, capsules[1]), from)
            };
            if !other.is_block() && is_covered() {
                continue;
            }
            for own in piece.capsules() {
                for capsule in other.capsules() {
                    look(own, met, Carried { capsule, piece: Some(other) }, from.max(other.since));
                }
            }
        }
        let hands = if is_stuck { Vec::new() } else { self.hands_met_by(block.piece) };
        for hand in hands {
            let moving = self.hand_as_piece(hand);
            let capsule = self.hands[hand as usize].capsule();
            if piece.covers((&moving, &[capsule]), from) {
                continue;
            }
            for own in piece.capsules() {
                look(own, Met::Hand(hand), Carried { capsule, piece: Some(&moving) }, from);
            }
        }
        (first, steps)
    }

    /// The terrain that stands which a block meets and may touch on its way, in order.
    pub fn standing_near(&self, block: &Block, around: &Surroundings) -> Vec<Met> {
        let layers = around.filter.layers_of(self.pieces[block.piece as usize].key.1);
        let mut near = Vec::new();
        around.terrain.index.for_each_overlapping(block.bounds, |there| {
            if layers.meets(around.filter.layers_of(around.terrain.obstacle(there).collider.entity_of_terrain())) {
                near.push(there);
            }
        });
        near.sort_unstable();
        near.into_iter().map(Met::Standing).collect()
    }

    /// The pieces that a block meets and may touch on its way, in order: all that others move, and of these blocks.
    pub fn moving_near(&self, block: &Block, blocks: &[Block], around: &Surroundings) -> Vec<Met> {
        let layers = around.filter.layers_of(self.pieces[block.piece as usize].key.1);
        let meets = |other: u32| layers.meets(around.filter.layers_of(self.pieces[other as usize].key.1));
        let mut near = Vec::new();
        self.piece_tree.for_each_overlapping(block.bounds, |other| near.push(other));
        near.sort_unstable();
        let others = blocks.iter().filter(|that| that.piece != block.piece && that.may_be_in(block.bounds));
        near.extend(others.map(|that| that.piece));
        near.into_iter().filter(|&other| meets(other)).map(Met::Moving).collect()
    }

    /// Finds the ways of the kinematic discs.
    pub fn find_hands(&mut self, discs: &Discs) {
        self.hands.clear();
        self.hands.extend(discs.kinematic_ways().map(|(i, way)| Hand {
            disc: i as u32,
            from: way.at(0.0),
            velocity: way.velocity,
            radius: f64::from(discs.radius[i]),
            restitution: discs.restitution[i],
        }));
    }

    /// The kinematic discs that a block meets.
    pub fn hands_met_by(&self, piece: u32) -> Vec<u32> {
        let hands = self.hands.iter().zip(0..);
        hands.filter(|(hand, _)| !self.goes_through(hand.disc as usize, piece)).map(|(_, hand)| hand).collect()
    }

    /// A kinematic disc as a piece that others move.
    pub fn hand_as_piece(&self, hand: u32) -> MovingPiece {
        let Hand { from, velocity, restitution, .. } = self.hands[hand as usize];
        MovingPiece::straight(from, velocity, restitution)
    }

    /// Resolves an impact of a block; what changes the way of discs is told by [`MovingTerrain::take_changed`].
    pub fn resolve_block_impact(&mut self, impact: BlockImpact, around: &Surroundings) {
        let BlockImpact { time, piece, met } = impact;
        self.block_impacts += 1;
        for block in self.blocks.iter_mut().filter(|block| impact.involves(block.piece)) {
            block.impacts += 1;
            block.next = None;
        }
        let touch = (piece, met);
        let hand = if let Met::Hand(hand) = met { Some(self.hand_as_piece(hand)) } else { None };
        let own = &self.pieces[piece as usize];
        let pairs = self.pairs_of(own, met, self.other_of(met, hand.as_ref()), around);
        let (bounce, mut bounces) = (self.bounce(touch, around), true);
        let pushes = impulses(&pairs, (time, self.ahead_of(touch, time)), |approach| {
            let e = bounce(approach);
            bounces &= e > 0.0;
            e
        });
        let moved = if bounces {
            self.push_apart_blocks(touch, time, pushes);
            pushes[0].is_some()
        } else {
            let island = self.island_of(piece, time, around);
            match self.resolve_island(&island, time, |_, _, _| ()) {
                Some(moved) => moved,
                None => return self.charge_impact(impact, Work::Jams, around.settings.impact_budget),
            }
        };
        if !moved {
            // They were only close: from here one looks again.
            self.pieces[piece as usize].rebase(time);
        }
        let work = if bounces && moved { Work::Bounces } else { Work::Rests };
        self.charge_impact(impact, work, around.settings.impact_budget);
    }

    /// After how many impacts within a way the two do not bounce any more.
    fn lively_impacts(&self, (piece, met): (u32, Met), around: &Surroundings) -> u32 {
        let budget = around.settings.impact_budget;
        if self.carried_restitution((piece, met), around) < 1.0 { budget.min(LIVELY_IMPACTS) } else { budget }
    }

    /// The restitution of a block and what it meets, fast or slow.
    pub fn carried_restitution(&self, (piece, met): (u32, Met), around: &Surroundings) -> f32 {
        let hand = if let Met::Hand(hand) = met { Some(self.hand_as_piece(hand)) } else { None };
        self.restitution_of(piece, met, around, self.other_of(met, hand.as_ref()))
    }

    /// With which restitution a block and what it meets part that approach at a speed, m/s.
    pub fn bounce(&self, (piece, met): (u32, Met), around: &Surroundings) -> impl Fn(f64) -> f64 + use<> {
        let involved = |block: &&Block| block.piece == piece || met == Met::Moving(block.piece);
        let impacts = self.blocks.iter().filter(involved).map(|block| block.impacts).max().unwrap_or(0);
        let is_lively = impacts <= self.lively_impacts((piece, met), around);
        let answer = Answer::plain(None, self.carried_restitution((piece, met), around));
        let slowest = self.slow_speed((piece, met), around);
        let resting_speed = around.settings.resting_speed;
        move |approach| if is_lively { answer.restitution_above(slowest, approach, resting_speed) } else { 0.0 }
    }

    /// By how much the true velocity of a block, as what it meets sees it, is ahead of what their ways say at a time of
    /// the tick, m/s.
    pub fn ahead_of(&self, (piece, met): (u32, Met), time: f64) -> DVec2 {
        let other = if let Met::Moving(other) = met { self.pieces[other as usize].falling() } else { 0.0 };
        self.ahead_at(time) * (self.pieces[piece as usize].falling() - other)
    }

    /// Slower than this, m/s, a block and what it meets do not bounce if they lose energy.
    pub fn slow_speed(&self, (piece, met): (u32, Met), around: &Surroundings) -> f64 {
        let other = if let Met::Moving(other) = met { self.weight_of(other) } else { 0.0 };
        around.slowest * self.weight_of(piece).max(other)
    }

    /// By how much more than others a block feels gravity, up or down; zero for what is none.
    pub fn weight_of(&self, piece: u32) -> f64 {
        self.pieces[piece as usize].body.map_or(0.0, |body| body.weight())
    }

    /// Pushes a block and what it touches from each other.
    pub fn push_apart_blocks(&mut self, (piece, met): (u32, Met), time: f64, pushes: Pushes) {
        for (point, impulse) in pushes.into_iter().flatten() {
            self.pieces[piece as usize].push(time, point, -impulse);
            if let Met::Moving(other) = met {
                self.pieces[other as usize].push(time, point, impulse);
            }
        }
    }

    pub fn other_of<'a>(&'a self, met: Met, hand: Option<&'a MovingPiece>) -> Option<&'a MovingPiece> {
        match met {
            Met::Standing(_) => None,
            Met::Moving(other) => self.pieces.get(other as usize),
            Met::Hand(_) => hand,
        }
    }

    /// The parts of a block, each with each of what it meets.
    pub fn pairs_of<'a>(
        &self,
        own: &'a MovingPiece,
        met: Met,
        other: Option<&'a MovingPiece>,
        around: &Surroundings,
    ) -> Vec<[Carried<'a>; 2]> {
        let others: Vec<Capsule> = match met {
            Met::Standing(there) => standing_capsules(&around.terrain, there),
            Met::Moving(_) => other.into_iter().flat_map(MovingPiece::capsules).collect(),
            Met::Hand(hand) => vec![self.hands[hand as usize].capsule()],
        };
        let pair = |own_capsule, capsule| {
            [Carried { capsule: own_capsule, piece: Some(own) }, Carried { capsule, piece: other }]
        };
        own.capsules().flat_map(|one| others.iter().map(move |&capsule| pair(one, capsule))).collect()
    }

    /// The restitution of a block and what it meets: as that of two discs where both are moved, else as that of a disc
    /// at terrain.
    pub fn restitution_of(&self, piece: u32, met: Met, around: &Surroundings, other: Option<&MovingPiece>) -> f32 {
        let own = self.pieces[piece as usize].restitution;
        match met {
            Met::Standing(there) => {
                around.settings.restitution_at_terrain(own, around.terrain.obstacle(there).restitution)
            }
            Met::Moving(_) if other.is_some_and(MovingPiece::is_block) => {
                around.settings.restitution_between(own, other.and_then(|other| other.restitution))
            }
            Met::Moving(_) | Met::Hand(_) => {
                around.settings.restitution_at_terrain(own, other.and_then(|other| other.restitution))
            }
        }
    }
}

/// A part of terrain that stands; an arc as the short straight walls that it is drawn with.
pub fn standing_capsules(terrain: &TerrainView, piece: Piece) -> Vec<Capsule> {
    match piece {
        Piece::Wall(wall) => {
            let wall = &terrain.walls[wall as usize];
            let mut corners = Vec::new();
            for end in [wall.a, wall.b] {
                terrain.index.for_each_overlapping(Bounds::around(end, 0.0), |there| {
                    if let Piece::FixedCircle(circle) = there {
                        corners.push(&terrain.fixed_circles[circle as usize]);
                    }
                });
            }
            Capsule::of_wall_with_corners(wall, corners.into_iter())
        }
        Piece::FixedCircle(circle) => Capsule::of_circle(&terrain.fixed_circles[circle as usize]).into_iter().collect(),
    }
}

/// Two places of a flat contact are this share of the size apart at least.
const APART: f64 = 1e-6;

/// As close as this share of the size, a second place takes part in an impact.
const TOGETHER: f64 = 4e-5;

/// The impulses of a hit of two pieces, up to two, that the second gets: the points and N s. The first gets the
/// opposite.
pub type Pushes = [Option<(DVec2, DVec2)>; 2];

/// Where pairs of parts touch, and how fast they approach there, m/s; and the size of the smallest, metres.
pub fn touches_of(pairs: &[[Carried; 2]], time: f64) -> (Vec<(PartsContact, f64)>, f64) {
    let (mut touching, mut size) = (Vec::new(), f64::INFINITY);
    for [own, other] in pairs {
        let least = size_of(own, other);
        size = size.min(least);
        let placed = own.placed(time);
        let near = (TOGETHER * least).max(2.0 * touch_of(&placed, least));
        let other_placed = other.placed(time);
        if placed.is_farther_than(&other_placed, near) {
            continue;
        }
        for contact in contacts_of(&placed, &other_placed) {
            let [a, b] = [own, other].map(|part| part.velocity_at(time, contact.point));
            if contact.can_touch && contact.gap < near && contact.gap > -DEEP * least {
                touching.push((contact, (a - b).dot(contact.normal)));
            }
        }
    }
    (touching, size)
}

/// The impulses where two pieces touch and approach. The true velocity of the first as the second sees it is `ahead` of
/// what their ways say, m/s.
pub fn impulses(
    pairs: &[[Carried; 2]],
    (time, ahead): (f64, DVec2),
    mut restitution: impl FnMut(f64) -> f64,
) -> Pushes {
    let Some([own, other]) = pairs.first() else { return [None; 2] };
    let (mut touching, size) = touches_of(pairs, time);
    touching.retain(|&(_, approach)| approach > 0.0);
    let fastest = touching.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some(&(first, approach)) = fastest else { return [None; 2] };
    let n = first.normal;
    let coupling = |part: &Carried, points| part.piece.map_or(0.0, |piece| piece.coupling(time, points, n));
    let couple = |points: [DVec2; 2]| coupling(own, points) + coupling(other, points);
    let own_stiffness = couple([first.point; 2]);
    if !(own_stiffness > 0.0) {
        return [None; 2];
    }
    let mut wanted_at = |approach: f64| {
        let truly = (approach + ahead.dot(n)).max(0.0);
        ((1.0 + restitution(truly)) * truly).max(approach)
    };
    let wanted = wanted_at(approach);
    let apart = |contact: &PartsContact| contact.point.distance(first.point);
    let second =
        touching.iter().filter(|(contact, _)| contact.normal.dot(n) > 1.0 - 1e-9 && apart(contact) > APART * size);
    if let Some(&(second, other_approach)) = second.max_by(|a, b| apart(&a.0).total_cmp(&apart(&b.0))) {
        let between = couple([first.point, second.point]);
        let other_stiffness = couple([second.point; 2]);
        let determinant = own_stiffness * other_stiffness - between * between;
        let other_wanted = wanted_at(other_approach);
        if determinant > 1e-9 * own_stiffness * other_stiffness {
            let one = (wanted * other_stiffness - other_wanted * between) / determinant;
            let two = (other_wanted * own_stiffness - wanted * between) / determinant;
            if one >= 0.0 && two >= 0.0 {
                return [Some((first.point, n * one)), Some((second.point, n * two))];
            }
        }
    }
    [Some((first.point, n * (wanted / own_stiffness))), None]
}

impl MovingPiece {
    /// Whether the middles of all parts of another piece lie inside of a solid one at a time of the tick.
    fn covers(&self, (other, capsules): (&Self, &[Capsule]), time: f64) -> bool {
        let [own, frame] = [self, other].map(|piece| piece.frame_at(time));
        let is_inside = |part: &Capsule| self.shape.is_inside(own.to_local(part.placed(&frame).centre()));
        self.shape.solid && capsules.iter().all(is_inside)
    }

    /// A piece that goes straight on, for its way alone.
    fn straight(origin: DVec2, velocity: DVec2, restitution: Option<f32>) -> Self {
        let key = (StableId(0), Entity::PLACEHOLDER);
        let (shape, pose, drive) = (Arc::default(), Pose::default(), Drive::default());
        let mut piece = Self::new(key, shape, restitution, pose, drive, None);
        piece.origin = origin;
        piece.set_motion(velocity, 0.0);
        piece
    }
}
