//! Moving terrain: pieces that the game drives, and blocks, which are pieces with a mass.
//!
//! Each piece has its own frame, separate from the arrays and the index of static terrain. A scene without pieces pays
//! one test per step. During a tick a driven piece moves and turns at a constant rate. A disc bounces off it as off
//! static terrain, relative to the velocity of the surface at the contact, which is that of the piece plus `ω × r`.
//! Both modes find such impacts at their exact times on the straight path of the disc.
//!
//! | module | contents |
//! |---|---|
//! | `shape` | a piece in its own frame: its parts, the closest one, and the points inside |
//! | `motion` | how a piece moves within a tick: by its velocities, to a target, periodically |
//! | `tolerances` | the tolerances that several of these share |
//! | `time_of_impact` | when a disc touches a part of a piece that moves and turns |
//! | `contact` | the surface where a disc touches a piece |
//! | `images` | images of pieces across periodic edges |
//! | `place` | how a disc that overlaps a piece is moved out |
//! | `body` | the inertia of blocks, and how impulses and forces change their motion |
//! | `blocks` | the state of blocks in a tick: their bounds, their next impacts, their budgets of work |
//! | `parts_contact`, `parts_impact` | contacts of parts of two pieces, and their times of impact |
//! | `block_impacts`, `block_response` | the next impact of blocks; its impulses |
//! | `islands`, `contact_solver` | connected contacts that do not bounce; their impulses |
//! | `block_rest` | brings blocks to rest |
//!
//! Not supported: friction between blocks, sleeping, joints on blocks, images of blocks, and blocks that are arcs.
//!
//! Limits: a disc between a moving piece and static terrain, or between two moving pieces, may have no room. Static
//! terrain wins: no centre passes through it. The disc loses its velocity, and the piece may cover it or pass over it.
//! A disc inside a solid piece does not collide with it, and leaves by the shortest way as soon as there is room. A
//! block whose budget of work is spent stops until its path ends. An impact gathers an island of at most 64 blocks, and
//! islands of more than 160 contacts are solved by sweeps.

use bevy::{math::DVec2, prelude::*};
use std::sync::{Arc, OnceLock};

mod block_impacts;
mod block_response;
mod block_rest;
mod blocks;
mod body;
mod contact;
mod contact_solver;
mod images;
mod islands;
mod motion;
mod parts_contact;
mod parts_impact;
mod place;
mod shape;
mod time_of_impact;
mod tolerances;

pub use block_impacts::{BlockImpact, Surroundings};
pub use block_response::{DiscOnBlock, HittingDisc};
pub use block_rest::DiscsAtEnd;
pub use body::BlockBody;
pub use motion::{Drive, Pose};
pub use place::Placed;
pub use shape::PieceShape;

use crate::{
    collision::{
        periodic::Cell,
        shape::{Bounds, FixedCircle, Tree, Wall, arc::Curve},
        terrain::index::Piece,
    },
    components::StableId,
};
use block_impacts::KinematicObstacle;
use blocks::Block;
use motion::{PieceMotion, Twist};
use shape::Frame;

/// A piece of moving terrain.
#[derive(Clone, Debug)]
pub struct MovingPiece {
    /// The sort key of pieces.
    pub key: (StableId, Entity),
    /// Whether it is an image of another piece, across periodic edges.
    pub is_image: bool,
    pub shape: Arc<PieceShape>,
    pub restitution: Option<f32>,
    /// Its pose between ticks.
    pub pose: Pose,
    /// Its pose at the start of the last tick.
    pub before: Pose,
    pub drive: Drive,
    /// Its mass, if it is a block.
    pub body: Option<BlockBody>,
    /// Its motion in the current tick.
    pub motion: PieceMotion,
    /// Its pivot at the start of its current path, metres.
    pub origin: DVec2,
    /// Its rotation at that time, radians.
    angle: f64,
    pub frame: Frame,
    /// The start of its current path, seconds since the start of the tick; zero for driven pieces.
    since: f64,
    /// The number of times that its motion has changed.
    stamp: u32,
    /// Its motion at the end of the current path, if it waits until then because its budget is spent.
    waits: Option<Twist>,
}

impl MovingPiece {
    pub fn new(
        key: (StableId, Entity),
        shape: Arc<PieceShape>,
        restitution: Option<f32>,
        pose: Pose,
        drive: Drive,
        body: Option<BlockBody>,
    ) -> Self {
        let frame = frame_of(pose, body);
        let (origin, angle) = (frame.origin, f64::from(pose.rotation));
        let motion = PieceMotion::default();
        let before = pose;
        Self {
            key,
            is_image: false,
            shape,
            restitution,
            pose,
            before,
            drive,
            body,
            motion,
            origin,
            angle,
            frame,
            since: 0.0,
            stamp: 0,
            waits: None,
        }
    }

    /// Its pivot at a time of the tick (seconds), metres.
    fn origin_at(&self, time: f64) -> DVec2 {
        self.origin + self.motion.velocity * (time - self.since)
    }

    /// Its frame at a time of the tick, seconds.
    pub fn frame_at(&self, time: f64) -> Frame {
        let origin = self.origin_at(time);
        if self.motion.spin == 0.0 {
            Frame { origin, ..self.frame }
        } else {
            Frame::new(origin, self.angle + self.motion.spin * (time - self.since))
        }
    }

    /// Places it for the start of a tick, and finds its motion.
    pub fn begin_tick(&mut self, time_step: f32) {
        self.before = self.pose;
        self.frame = frame_of(self.pose, self.body);
        (self.origin, self.angle) = (self.frame.origin, f64::from(self.pose.rotation));
        (self.since, self.waits) = (0.0, None);
        self.motion = self.drive.motion(self.pose, f64::from(time_step));
    }

    /// Its motion during a tick, for the boxes around what it sweeps.
    fn sweep(&self, time_step: f64) -> Sweep {
        let angle = self.motion.spin * time_step;
        Sweep { frames: [self.frame, self.frame_at(time_step)], bulge: (angle * angle / 8.0).min(2.0) }
    }

    /// The box around all of it during a tick.
    fn swept_box(&self, sweep: &Sweep) -> Bounds {
        sweep.bounds(&self.shape.corners(), 0.0)
    }

    /// Calls `visit` with each of its parts and the box that it sweeps in a tick.
    fn for_each_swept_part(&self, sweep: &Sweep, mut visit: impl FnMut(Piece, Bounds)) {
        let mut visit = |part: Piece, points: &[DVec2], radius: f32| {
            visit(part, sweep.bounds(points, f64::from(radius)));
        };
        for (wall, number) in self.shape.walls.iter().zip(0..) {
            match wall.curve {
                Some(curve) => visit(Piece::Wall(number), &[curve.centre.as_dvec2()], curve.radius),
                None => visit(Piece::Wall(number), &[wall.a.as_dvec2(), wall.b.as_dvec2()], 0.0),
            }
        }
        for (circle, number) in self.shape.circles.iter().zip(0..) {
            visit(Piece::FixedCircle(number), &[circle.centre.as_dvec2()], circle.radius);
        }
    }
}

/// The motion of a piece during a tick.
struct Sweep {
    /// Its frames where the tick begins and ends.
    frames: [Frame; 2],
    /// The largest distance of a point on its arc from the chord, as a share of its distance from the pivot,
    /// dimensionless.
    bulge: f64,
}

impl Sweep {
    /// The box around some points of the piece, with this radius (metres) around each.
    fn bounds(&self, points: &[DVec2], radius: f64) -> Bounds {
        let [first, last] = self.frames;
        let (mut low, mut high, mut far) = (DVec2::INFINITY, DVec2::NEG_INFINITY, 0.0_f64);
        for &point in points {
            for place in [first.to_world(point), last.to_world(point)] {
                (low, high) = (low.min(place), high.max(place));
            }
            far = far.max(point.length_squared());
        }
        let bulge = far.sqrt() * self.bulge;
        let margin = radius + bulge + 1e-6 * (low.abs().max(high.abs()).max_element() + radius);
        Bounds::new((low - margin).as_vec2(), (high + margin).as_vec2())
    }
}

/// A driven piece of more parts than this stands in the tree of parts as a whole. The boxes of its parts are made when
/// something first comes near it in a tick, since in most ticks nothing does. The number changes no result. Up to
/// sixteen boxes are one node of a tree.
const MAX_SINGLE_PARTS: usize = 8;

/// Marks a number in the tree of parts that is the place of a piece among those of many parts.
const MANY: u32 = 1 << 31;

/// A driven piece of many parts.
#[derive(Clone, Debug)]
struct ManyParts {
    /// The index of the piece.
    piece: u32,
    /// The number of its first part.
    first: u32,
    /// The boxes that its parts sweep in the tick, once something has come near.
    tree: OnceLock<Tree>,
}

/// The frame of a piece, whose origin is the pivot.
fn frame_of(pose: Pose, body: Option<BlockBody>) -> Frame {
    let frame = Frame::new(pose.position.as_dvec2(), f64::from(pose.rotation));
    match body {
        Some(BlockBody { centre, .. }) if centre != Vec2::ZERO => {
            Frame { origin: frame.to_world(centre.as_dvec2()), ..frame }
        }
        _ => frame,
    }
}

/// All moving terrain, and its state in a tick.
#[derive(Clone, Debug, Default)]
pub struct MovingTerrain {
    /// Sorted by their keys; images follow.
    pub pieces: Vec<MovingPiece>,
    /// The parts that discs can touch: the index of the piece, and the part of its shape.
    pub parts: Vec<(u32, Piece)>,
    /// The boxes that the parts of driven pieces sweep in the tick; of those of many parts, their whole boxes.
    tree: Tree,
    /// The driven pieces of many parts.
    many_parts: Vec<ManyParts>,
    /// The same for whole driven pieces.
    pub piece_tree: Tree,
    /// The length of the tick, seconds.
    pub time_step: f64,
    /// Discs inside solid pieces, with those pieces: they do not collide in this tick. Sorted.
    pub covered: Vec<(u32, u32)>,
    /// Discs and pieces that do not collide because of their layers. Sorted.
    pub unmet: Vec<(u32, u32)>,
    /// Discs and pieces that pass through each other until the end of the substep or tick, because a contact hook
    /// dropped them. Sorted.
    pub dropped: Vec<(u32, u32)>,
    /// The position of each disc before discs were pushed apart.
    pub witness: Vec<Vec2>,
    /// The discs that were pushed out of pieces in this substep, in order.
    pub pushed: Vec<u32>,
    /// The discs that pieces carry along because their bounces would not end.
    pub carried: Vec<u32>,
    /// The discs that the continuous mode has stopped in this tick, with the times (seconds). Pieces may hit them
    /// later.
    pub stopped: Vec<(u32, f64)>,
    /// The blocks, in the order of the pieces.
    pub blocks: Vec<Block>,
    /// The start and end of the current paths of blocks, seconds since the start of the tick.
    pub way: [f64; 2],
    /// Whether blocks are on their paths.
    pub are_under_way: bool,
    /// The acceleration on paths, of which the velocities of blocks are the means, m/s².
    pub acceleration: DVec2,
    /// The gravity that has changed the velocities of blocks, whether or not it bends their paths, m/s².
    pub gravity: DVec2,
    /// The kinematic discs, which push blocks.
    pub kinematic_discs: Vec<KinematicObstacle>,
    /// The number of impacts of blocks with anything except discs.
    pub block_impacts: u64,
}

impl MovingTerrain {
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether no state of the last tick with pieces is left.
    pub fn is_forgotten(&self) -> bool {
        self.parts.is_empty() && self.covered.is_empty() && self.pushed.is_empty() && self.carried.is_empty()
    }

    /// Whether any piece moves or turns, or is about to.
    pub fn moves(&self) -> bool {
        self.pieces.iter().any(|piece| !piece.is_image && piece.drive.moves(piece.pose))
    }

    /// Whether any block moves or turns, between ticks.
    pub fn any_block_moves(&self) -> bool {
        self.pieces.iter().any(|piece| piece.body.is_some() && piece.drive.moves(piece.pose))
    }

    fn part(&self, part: u32) -> Option<(&MovingPiece, Piece)> {
        let &(piece, part) = self.parts.get(part as usize)?;
        Some((&self.pieces[piece as usize], part))
    }

    /// Calls `visit` with the parts that may be in a box during the tick and with which the disc can collide. Not
    /// inlined, to keep it out of the loops of scenes without pieces.
    #[inline(never)]
    pub fn for_each_near(&self, disc: usize, bounds: Bounds, visit: &mut dyn FnMut(u32)) {
        let all_are_met = self.covered.is_empty() && self.unmet.is_empty() && self.dropped.is_empty();
        self.tree.for_each_overlapping(bounds, |part| {
            if part & MANY != 0 {
                let many = &self.many_parts[(part & !MANY) as usize];
                if all_are_met || !self.passes(many.piece, disc) {
                    self.tree_of(many).for_each_overlapping(bounds, &mut *visit);
                }
            } else if all_are_met || !self.passes(self.parts[part as usize].0, disc) {
                visit(part);
            }
        });
        if !self.blocks.is_empty() {
            self.for_each_block_part_near(disc, bounds, visit);
        }
    }

    /// The boxes that the parts of a piece sweep in the tick.
    fn tree_of<'a>(&self, many: &'a ManyParts) -> &'a Tree {
        many.tree.get_or_init(|| {
            let (piece, mut boxes) = (&self.pieces[many.piece as usize], Vec::new());
            let mut numbers = many.first..;
            piece.for_each_swept_part(&piece.sweep(self.time_step), |_, bounds| {
                boxes.extend(numbers.next().map(|number| (bounds, number)));
            });
            Tree::new(&mut boxes)
        })
    }

    /// Lists those parts.
    pub fn list_near(&self, disc: usize, bounds: Bounds, parts: &mut Vec<u32>) {
        self.for_each_near(disc, bounds, &mut |part| parts.push(part));
    }

    /// Whether a disc passes through a piece, because it is inside or the two cannot collide.
    fn passes(&self, piece: u32, disc: usize) -> bool {
        self.covered.binary_search(&(disc as u32, piece)).is_ok() || self.goes_through(disc, piece)
    }

    /// Whether a disc and a piece cannot collide, because of their layers or a contact hook.
    fn goes_through(&self, disc: usize, piece: u32) -> bool {
        let has = |list: &[(u32, u32)]| !list.is_empty() && list.binary_search(&(disc as u32, piece)).is_ok();
        has(&self.unmet) || has(&self.dropped)
    }

    /// Lets a disc pass through the piece of a part until the end of the substep or tick.
    pub fn drop_part(&mut self, disc: u32, part: u32) {
        if let Some(&(piece, _)) = self.parts.get(part as usize) {
            self.drop_piece(disc, piece);
        }
    }

    /// Lets a disc pass through a piece until the end of the substep or tick.
    pub fn drop_piece(&mut self, disc: u32, piece: u32) {
        if let Err(place) = self.dropped.binary_search(&(disc, piece)) {
            self.dropped.insert(place, (disc, piece));
        }
    }

    /// Whether any piece may be in a box during the tick.
    #[inline(always)]
    pub fn is_near(&self, bounds: Bounds) -> bool {
        let mut found = false;
        if !self.pieces.is_empty() {
            self.piece_tree.for_each_overlapping(bounds, |_| found = true);
            found |= self.blocks.iter().any(|block| block.may_be_in(bounds));
        }
        found
    }

    /// The pieces that a disc can collide with and that may be in a box during the tick, in their order.
    pub fn pieces_near(&self, disc: usize, bounds: Bounds) -> Vec<u32> {
        let mut near = Vec::new();
        self.piece_tree.for_each_overlapping(bounds, |piece| near.push(piece));
        near.extend(self.blocks.iter().filter(|block| block.may_be_in(bounds)).map(|block| block.piece));
        near.retain(|&piece| !self.goes_through(disc, piece));
        near.sort_unstable();
        near
    }

    /// The first part that a disc on a straight path touches, and the time in the tick, seconds. At equal times the
    /// first in order counts.
    pub fn first_touch(&self, parts: &[u32], way: [DVec2; 2], radius: f64, times: [f64; 2]) -> Option<(f64, u32)> {
        let touches = parts.iter().map(|&part| (self.time_of_impact(part, way, radius, times), part));
        touches.filter(|&(time, _)| time <= times[1]).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
    }

    pub fn begin_tick(&mut self, time_step: f32, cell: Option<Cell>) {
        self.time_step = f64::from(time_step);
        self.parts.clear();
        self.many_parts.clear();
        self.covered.clear();
        self.pushed.clear();
        self.carried.clear();
        self.stopped.clear();
        self.blocks.clear();
        let (mut boxes, mut piece_boxes) = (Vec::new(), Vec::new());
        self.pieces.retain(|piece| !piece.is_image);
        self.pieces.iter_mut().for_each(|piece| piece.begin_tick(time_step));
        if let Some(cell) = cell {
            self.add_images(&cell);
        }
        for (at, piece) in (0..).zip(&self.pieces) {
            if piece.is_block() {
                self.blocks.push(Block::new(piece, at, &mut self.parts, self.time_step));
                continue;
            }
            let (sweep, first) = (piece.sweep(self.time_step), self.parts.len() as u32);
            let whole = piece.swept_box(&sweep);
            piece_boxes.push((whole, at));
            let PieceShape { walls, circles, .. } = &*piece.shape;
            if walls.len() + circles.len() > MAX_SINGLE_PARTS {
                boxes.push((whole, self.many_parts.len() as u32 | MANY));
                self.many_parts.push(ManyParts { piece: at, first, tree: OnceLock::new() });
                self.parts.extend((0..walls.len() as u32).map(|number| (at, Piece::Wall(number))));
                self.parts.extend((0..circles.len() as u32).map(|number| (at, Piece::FixedCircle(number))));
            } else {
                piece.for_each_swept_part(&sweep, |part, bounds| {
                    boxes.push((bounds, self.parts.len() as u32));
                    self.parts.push((at, part));
                });
            }
        }
        self.tree = Tree::new(&mut boxes);
        self.piece_tree = Tree::new(&mut piece_boxes);
    }
}

impl MovingTerrain {
    /// The walls and circles of all pieces in the world, between ticks. Corners that coincide are not merged.
    pub fn placed(&self) -> (Vec<Wall>, Vec<FixedCircle>) {
        let (mut walls, mut circles) = (Vec::new(), Vec::new());
        for MovingPiece { shape, pose, restitution, body, .. } in &self.pieces {
            let frame = frame_of(*pose, *body);
            let place = |point: Vec2| frame.to_world(point.as_dvec2()).as_vec2();
            let restitution = *restitution;
            let curve = |curve: Curve| Curve { centre: place(curve.centre), ..curve };
            let wall = |wall: &Wall| Wall {
                a: place(wall.a),
                b: place(wall.b),
                curve: wall.curve.map(curve),
                restitution,
                ..*wall
            };
            walls.extend(shape.walls.iter().map(wall));
            let circle = |&FixedCircle { entity, centre, radius, .. }: &FixedCircle| FixedCircle {
                entity,
                centre: place(centre),
                radius,
                restitution,
                walls: Vec::new(),
            };
            circles.extend(shape.circles.iter().map(circle));
        }
        (walls, circles)
    }
}
