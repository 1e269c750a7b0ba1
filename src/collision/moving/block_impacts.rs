//! The impacts of blocks with anything except discs: the obstacles of a block, and the next impact.
//!
//! An obstacle is another block, a driven piece, a kinematic disc or static terrain. Each part of a block is checked
//! with each part of the obstacle (`parts_impact`). Their impulses are in `block_response`.

use bevy::{math::DVec2, prelude::*};
use std::{borrow::Cow, sync::Arc};

use super::{
    MovingPiece, MovingTerrain,
    blocks::{Block, Work},
    motion::{Drive, Pose},
    parts_contact::{Capsule, PartsContact, contacts_of},
    parts_impact::{Carried, Slowest, lying_gap, size_of, time_of_impact},
    tolerances::MAX_DEPTH,
};
use crate::{
    collision::{
        discs::Discs,
        periodic::Cell,
        settings::CollisionSettings,
        shape::{Bounds, time_of_impact::NEVER},
        terrain::{TerrainView, filter::TerrainFilter, index::Piece},
    },
    components::StableId,
};

/// The largest speed, as a multiple of what gravity adds on a path, dimensionless, at which an inelastic contact does
/// not bounce. The hundredth above one covers rounding.
const SLOW: f64 = 1.01;

/// The lowest speed of impacts of elastic contacts, as a share (dimensionless) of the speed at which inelastic ones are
/// at rest. Below it, rounding makes a resting block approach its support.
const ELASTIC_STILL_SHARE: f64 = 1e-6;

/// Static terrain, and the rules for impacts of blocks.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub terrain: TerrainView<'a>,
    pub filter: &'a TerrainFilter,
    pub settings: &'a CollisionSettings,
    /// Below this speed, m/s, impacts that lose energy do not bounce.
    pub slowest: f64,
}

impl<'a> Surroundings<'a> {
    /// The surroundings for a path on which gravity changes velocities by `fall`, m/s.
    pub fn new(
        terrain: TerrainView<'a>,
        filter: &'a TerrainFilter,
        settings: &'a CollisionSettings,
        fall: f64,
    ) -> Self {
        Self { terrain, filter, settings, slowest: fall * SLOW }
    }
}

/// A kinematic disc on its straight path through the tick.
#[derive(Clone, Copy, Debug)]
pub struct KinematicObstacle {
    /// Its index among the discs.
    disc: u32,
    pub from: DVec2,
    pub velocity: DVec2,
    pub radius: f64,
    pub restitution: Option<f32>,
}

impl KinematicObstacle {
    fn capsule(&self) -> Capsule {
        Capsule::circle(DVec2::ZERO, self.radius)
    }
}

/// What a block may collide with, other than a disc that has mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OtherBody {
    /// A piece of static terrain.
    Static(Piece),
    /// Another moving piece, by its index.
    Moving(u32),
    /// A kinematic disc or an image of one, by its index among those of the tick.
    Kinematic(u32),
}

/// A block and an obstacle.
#[derive(Clone, Copy, Debug)]
pub struct BlockPair {
    /// The block, by its index among the pieces.
    pub block: u32,
    pub obstacle: OtherBody,
}

impl BlockPair {
    /// The obstacle, if it is a moving piece.
    pub fn other_piece(&self) -> Option<u32> {
        if let OtherBody::Moving(other) = self.obstacle { Some(other) } else { None }
    }

    pub fn involves(&self, piece: u32) -> bool {
        self.block == piece || self.other_piece() == Some(piece)
    }
}

/// An impact of a block with anything except a disc.
#[derive(Clone, Copy, Debug)]
pub struct BlockImpact {
    /// Seconds since the start of the tick.
    pub time: f64,
    pub pair: BlockPair,
}

/// A contact of two pieces.
#[derive(Clone, Copy, Debug)]
pub struct BlockTouch {
    pub contact: PartsContact,
    /// The speed of approach there, m/s.
    pub approach: f64,
}

impl MovingTerrain {
    /// The earliest impact of a block with anything except a disc; at equal times the first in the order of the pieces.
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

    /// The next impact of a block with static terrain, kinematic discs, driven pieces, and later blocks; and the number
    /// of steps of the search. Two immovable pieces pass through each other, so driven pieces pass over a waiting
    /// block.
    fn find_next(&self, blocks: &[Block], at: usize, around: &Surroundings) -> (Option<BlockImpact>, u32) {
        let block = &blocks[at];
        let piece = &self.pieces[block.piece as usize];
        let from = piece.since;
        let still = self.still_speed(block.reach);
        let is_stuck = piece.is_stuck();
        let (mut first, mut steps) = (None::<BlockImpact>, 0);
        let mut look = |own: Capsule, obstacle: OtherBody, other: Carried, from: f64| {
            let pair = BlockPair { block: block.piece, obstacle };
            let until = first.map_or(self.way[1], |first| first.time);
            let own = Carried { capsule: own, piece: Some(piece) };
            let is_elastic = self.restitution_of(pair, around) >= 1.0;
            let slowest =
                if is_elastic { Slowest::Elastic(ELASTIC_STILL_SHARE * still) } else { Slowest::Lossy(still) };
            let time = time_of_impact(&own, &other, [from, until], slowest, &mut steps);
            if time < NEVER && first.is_none_or(|first| time < first.time) {
                first = Some(BlockImpact { time, pair });
            }
        };
        let fixed = if is_stuck { Vec::new() } else { self.static_near(block, around) };
        for obstacle in fixed {
            let OtherBody::Static(there) = obstacle else { continue };
            for capsule in static_capsules(&around.terrain, there) {
                piece.capsules().for_each(|own| look(own, obstacle, Carried { capsule, piece: None }, from));
            }
        }
        for obstacle in self.moving_near(block, &blocks[at + 1..], around) {
            let OtherBody::Moving(index) = obstacle else { continue };
            let other = &self.pieces[index as usize];
            if is_stuck && (other.is_stuck() || !other.is_block()) {
                continue;
            }
            // A piece that has passed over the outline of a solid one continues to where it comes out.
            let is_covered = || {
                let capsules = [piece, other].map(|piece| &piece.shape.capsules[..]);
                other.covers(piece, capsules[0], from) || piece.covers(other, capsules[1], from)
            };
            if !other.is_block() && is_covered() {
                continue;
            }
            for own in piece.capsules() {
                for capsule in other.capsules() {
                    look(own, obstacle, Carried { capsule, piece: Some(other) }, from.max(other.since));
                }
            }
        }
        let kinematic = if is_stuck { Vec::new() } else { self.kinematic_discs_for(block.piece) };
        for disc in kinematic {
            let moving = self.kinematic_disc_as_piece(disc);
            let capsule = self.kinematic_discs[disc as usize].capsule();
            if piece.covers(&moving, &[capsule], from) {
                continue;
            }
            for own in piece.capsules() {
                look(own, OtherBody::Kinematic(disc), Carried { capsule, piece: Some(&moving) }, from);
            }
        }
        (first, steps)
    }

    /// The static terrain that a block can collide with and may touch on its path, in order.
    pub fn static_near(&self, block: &Block, around: &Surroundings) -> Vec<OtherBody> {
        let layers = around.filter.layers_of(self.pieces[block.piece as usize].key.1);
        let mut near = Vec::new();
        around.terrain.index.for_each_overlapping(block.bounds, |there| {
            if layers.can_collide(around.filter.layers_of(around.terrain.obstacle(there).target.entity_of_terrain())) {
                near.push(there);
            }
        });
        near.sort_unstable();
        near.into_iter().map(OtherBody::Static).collect()
    }

    /// The pieces that a block can collide with and may touch on its path, in order: driven ones, and those of
    /// `blocks`.
    pub fn moving_near(&self, block: &Block, blocks: &[Block], around: &Surroundings) -> Vec<OtherBody> {
        let layers = around.filter.layers_of(self.pieces[block.piece as usize].key.1);
        let meets = |other: u32| layers.can_collide(around.filter.layers_of(self.pieces[other as usize].key.1));
        let mut near = Vec::new();
        self.piece_tree.for_each_overlapping(block.bounds, |other| near.push(other));
        near.sort_unstable();
        let others = blocks.iter().filter(|that| that.piece != block.piece && that.may_be_in(block.bounds));
        near.extend(others.map(|that| that.piece));
        near.into_iter().filter(|&other| meets(other)).map(OtherBody::Moving).collect()
    }

    /// Finds the paths of the kinematic discs, with their images across periodic edges.
    pub fn find_kinematic_discs(&mut self, discs: &Discs, cell: Option<Cell>) {
        self.kinematic_discs.clear();
        for (i, way) in discs.kinematic_ways() {
            let (ends, radius) = ([way.at(0.0), way.at(1.0)], discs.radius[i]);
            let mut add = |shift: Vec2| {
                self.kinematic_discs.push(KinematicObstacle {
                    disc: i as u32,
                    from: ends[0] + shift.as_dvec2(),
                    velocity: way.velocity,
                    radius: f64::from(radius),
                    restitution: discs.restitution[i],
                });
            };
            match cell {
                None => add(Vec2::ZERO),
                Some(cell) => cell.images(Bounds::of_way(ends.map(DVec2::as_vec2), radius)).for_each(add),
            }
        }
    }

    /// The kinematic discs that a block can collide with.
    pub fn kinematic_discs_for(&self, piece: u32) -> Vec<u32> {
        let kinematic = self.kinematic_discs.iter().zip(0..);
        kinematic.filter(|(disc, _)| !self.goes_through(disc.disc as usize, piece)).map(|(_, disc)| disc).collect()
    }

    /// A kinematic disc as a driven piece.
    fn kinematic_disc_as_piece(&self, disc: u32) -> MovingPiece {
        let KinematicObstacle { from, velocity, restitution, .. } = self.kinematic_discs[disc as usize];
        MovingPiece::straight(from, velocity, restitution)
    }

    /// The piece of an obstacle; `None` for static terrain.
    pub fn piece_of(&self, obstacle: OtherBody) -> Option<Cow<'_, MovingPiece>> {
        match obstacle {
            OtherBody::Static(_) => None,
            OtherBody::Moving(other) => self.pieces.get(other as usize).map(Cow::Borrowed),
            OtherBody::Kinematic(disc) => Some(Cow::Owned(self.kinematic_disc_as_piece(disc))),
        }
    }

    /// Pairs each part of a block with each part of an obstacle.
    pub fn part_pairs<'a>(
        &self,
        own: &'a MovingPiece,
        obstacle: OtherBody,
        other: Option<&'a MovingPiece>,
        around: &Surroundings,
    ) -> Vec<[Carried<'a>; 2]> {
        let others: Vec<Capsule> = match obstacle {
            OtherBody::Static(there) => static_capsules(&around.terrain, there),
            OtherBody::Moving(_) => other.into_iter().flat_map(MovingPiece::capsules).collect(),
            OtherBody::Kinematic(disc) => vec![self.kinematic_discs[disc as usize].capsule()],
        };
        let pair = |own_capsule, capsule| {
            [Carried { capsule: own_capsule, piece: Some(own) }, Carried { capsule, piece: other }]
        };
        own.capsules().flat_map(|one| others.iter().map(move |&capsule| pair(one, capsule))).collect()
    }
}

/// A piece of static terrain as capsules; an arc as the short straight walls of its drawing.
fn static_capsules(terrain: &TerrainView, piece: Piece) -> Vec<Capsule> {
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

/// The contacts of pairs of parts, and the size of the smallest part, metres.
pub fn touches_of(pairs: &[[Carried; 2]], time: f64) -> (Vec<BlockTouch>, f64) {
    let (mut touches, mut size) = (Vec::new(), f64::INFINITY);
    for [own, other] in pairs {
        let least = size_of(own, other);
        size = size.min(least);
        let placed = own.placed(time);
        let near = lying_gap(&placed, least);
        let other_placed = other.placed(time);
        if placed.is_farther_than(&other_placed, near) {
            continue;
        }
        for contact in contacts_of(&placed, &other_placed) {
            let [a, b] = [own, other].map(|part| part.velocity_at(time, contact.point));
            if contact.can_touch && contact.gap < near && contact.gap > -MAX_DEPTH * least {
                touches.push(BlockTouch { contact, approach: (a - b).dot(contact.normal) });
            }
        }
    }
    (touches, size)
}

impl MovingPiece {
    /// Whether the middles of all parts of another piece are inside a solid one at a time of the tick.
    fn covers(&self, other: &Self, capsules: &[Capsule], time: f64) -> bool {
        let [own, frame] = [self, other].map(|piece| piece.frame_at(time));
        let is_inside = |part: &Capsule| self.shape.is_inside(own.to_local(part.placed(&frame).centre()));
        self.shape.solid && capsules.iter().all(is_inside)
    }

    /// A piece without a shape on a straight path.
    fn straight(origin: DVec2, velocity: DVec2, restitution: Option<f32>) -> Self {
        let key = (StableId(0), Entity::PLACEHOLDER);
        let (shape, pose, drive) = (Arc::default(), Pose::default(), Drive::default());
        let mut piece = Self::new(key, shape, restitution, pose, drive, None);
        piece.origin = origin;
        piece.set_motion(velocity, 0.0);
        piece
    }
}
