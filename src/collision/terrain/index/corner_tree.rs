//! A tree of corners in which long walls find the corners that they run through.
//!
//! Corners are split along their principal axis (as in the `OBBTree` of Gottschalk, Lin and Manocha, 1996), and then
//! both halves are split across it. The four quarters have the same proportions as the whole. So a wall along a thin
//! slanting strip of corners crosses as few boxes as a wall across a square: about `√n` for `n` corners. The result
//! does not depend on how the tree is built.

use bevy::math::{DVec2, Vec2};
use std::ops::Range;

use crate::collision::shape::{
    Wall,
    rounding::{ROUNDING_F64, WELD_LEAST_F64},
};

/// The largest number of corners in a leaf. Chosen by hand; no measurement was kept.
const MAX_LEAF: usize = 8;

/// A box around corners.
#[derive(Clone, Copy, Debug)]
struct Node {
    centre: DVec2,
    /// A unit vector along the box.
    along: DVec2,
    /// Half of its length and width, metres.
    half: DVec2,
    /// The greatest distance of a wall that runs through a corner in the box, metres.
    margin: f64,
    /// The parent node; the root is its own parent.
    parent: u32,
    /// The second child; the first is the next node. `None` in a leaf.
    second: Option<u32>,
    /// The start of its corners in `order`, and the number of open ones. In a leaf the open ones come first.
    first: u32,
    open: u32,
}

/// Corners that can be open or closed; only open ones are found.
#[derive(Debug)]
pub(super) struct CornerTree {
    places: Vec<DVec2>,
    nodes: Vec<Node>,
    order: Vec<u32>,
    leaf_of: Vec<u32>,
}

impl CornerTree {
    /// A tree of corners at these positions.
    pub(super) fn new(places: Vec<DVec2>) -> Self {
        let order = (0..places.len() as u32).collect();
        let mut tree = Self { nodes: Vec::new(), order, leaf_of: vec![0; places.len()], places };
        if !tree.places.is_empty() {
            tree.build(0..tree.places.len(), 0, None);
        }
        tree
    }

    /// Builds a node. If given the axis of its parent, the node is one half and is split across that axis.
    fn build(&mut self, range: Range<usize>, parent: u32, axis: Option<DVec2>) -> u32 {
        let Self { places, nodes, order, leaf_of } = self;
        let (this, corners) = (nodes.len() as u32, &mut order[range.clone()]);
        let place = |&corner: &u32| places[corner as usize];
        let middle = corners.iter().map(place).sum::<DVec2>() / corners.len() as f64;
        let along = axis.unwrap_or_else(|| principal_axis(corners.iter().map(|corner| place(corner) - middle)));
        let seen = |corner: &u32| {
            let from = place(corner) - middle;
            DVec2::new(from.dot(along), from.dot(along.perp()))
        };
        let (mut low, mut high, mut farthest) = (DVec2::INFINITY, DVec2::NEG_INFINITY, 0.0_f64);
        for corner in &*corners {
            (low, high) = (low.min(seen(corner)), high.max(seen(corner)));
            farthest = farthest.max(place(corner).abs().max_element());
        }
        let centre = middle + along * (0.5 * (low.x + high.x)) + along.perp() * (0.5 * (low.y + high.y));
        nodes.push(Node {
            centre,
            along,
            half: 0.5 * (high - low),
            margin: margin(farthest),
            parent,
            second: None,
            first: range.start as u32,
            open: range.len() as u32,
        });
        if range.len() <= MAX_LEAF {
            for &corner in &*corners {
                leaf_of[corner as usize] = this;
            }
            return this;
        }
        let half = corners.len() / 2;
        let share = |corner: &u32| if axis.is_none() { seen(corner).x } else { seen(corner).y };
        corners.select_nth_unstable_by(half, |a, b| share(a).total_cmp(&share(b)));
        let middle = range.start + half;
        let next = if axis.is_none() { Some(along) } else { None };
        self.build(range.start..middle, this, next);
        self.nodes[this as usize].second = Some(self.build(middle..range.end, this, next));
        this
    }

    /// Closes a corner, so that it is no longer found.
    pub(super) fn close(&mut self, corner: u32) {
        let mut at = self.leaf_of[corner as usize];
        let Node { first, open, .. } = self.nodes[at as usize];
        let there = &mut self.order[first as usize..(first + open) as usize];
        let Some(k) = there.iter().position(|&other| other == corner) else { return };
        there.swap(k, open as usize - 1);
        loop {
            let node = &mut self.nodes[at as usize];
            node.open -= 1;
            if node.parent == at {
                return;
            }
            at = node.parent;
        }
    }

    /// Calls `visit` with every open corner that a wall may run through, and possibly with some more. Adds the number
    /// of boxes and corners examined to `looked_at`.
    pub(super) fn for_each_near(&self, wall: &Wall, looked_at: &mut usize, visit: &mut impl FnMut(u32)) {
        let probe = Probe::new(wall);
        if let Some(root) = self.nodes.first() {
            self.visit_near(root, 0, &probe, looked_at, visit);
        }
    }

    fn visit_near(&self, node: &Node, at: u32, probe: &Probe, looked_at: &mut usize, visit: &mut impl FnMut(u32)) {
        *looked_at += 1;
        if node.open == 0 || !probe.may_reach(node.centre, node.along, node.half, node.margin) {
            return;
        }
        if let Some(second) = node.second {
            for child in [at + 1, second] {
                self.visit_near(&self.nodes[child as usize], child, probe, looked_at, visit);
            }
            return;
        }
        *looked_at += node.open as usize;
        for &corner in &self.order[node.first as usize..(node.first + node.open) as usize] {
            if probe.may_reach(self.places[corner as usize], DVec2::X, DVec2::ZERO, node.margin) {
                visit(corner);
            }
        }
    }
}

/// The principal axis of points around the origin, as a unit vector.
fn principal_axis(points: impl Iterator<Item = DVec2>) -> DVec2 {
    let [xx, xy, yy] = points.fold([0.0; 3], |[xx, xy, yy], at| [xx + at.x * at.x, xy + at.x * at.y, yy + at.y * at.y]);
    let difference = 0.5 * (xx - yy);
    let length = (difference * difference + xy * xy).sqrt();
    let axis = if difference > 0.0 { DVec2::new(difference + length, xy) } else { DVec2::new(xy, length - difference) };
    axis.try_normalize().unwrap_or(DVec2::X)
}

/// The greatest distance of a wall that runs through a corner, metres: twice the welding distance. `far` is the larger
/// magnitude of the coordinates of the corner.
fn margin(far: f64) -> f64 {
    2.0 * ROUNDING_F64 * far + 2.0 * WELD_LEAST_F64
}

/// The wall that searches for corners.
enum Probe {
    /// The middle, a unit vector along the wall, half its length, and the rounding error of points on it, metres.
    Straight { middle: DVec2, along: DVec2, half: f64, rounding: f64 },
    /// The circle that the wall follows.
    Curved { centre: DVec2, radius: f64, rounding: f64 },
}

impl Probe {
    fn new(wall: &Wall) -> Self {
        let rounding = |far: f64| 32.0 * f64::EPSILON * far;
        let [a, b] = [wall.a, wall.b].map(Vec2::as_dvec2);
        if let Some(curve) = wall.curve {
            let (centre, radius) = (curve.centre.as_dvec2(), f64::from(curve.radius));
            return Self::Curved { centre, radius, rounding: rounding(centre.abs().max_element() + radius) };
        }
        let length = a.distance(b);
        Self::Straight {
            middle: 0.5 * (a + b),
            along: (b - a) / length,
            half: 0.5 * length,
            rounding: rounding(a.abs().max(b.abs()).max_element()),
        }
    }

    /// Whether the wall may come within `margin` of a box. NaN gives `true`.
    #[inline(always)]
    fn may_reach(&self, box_centre: DVec2, box_along: DVec2, box_half: DVec2, margin: f64) -> bool {
        match *self {
            Self::Straight { middle, along, half, rounding } => {
                let (from, margin) = (box_centre - middle, margin + rounding);
                let (cos, sin) = (along.dot(box_along).abs(), along.perp_dot(box_along).abs());
                let beside = along.perp_dot(from).abs() > box_half.x * sin + box_half.y * cos + margin;
                let beyond = along.dot(from).abs() > half + box_half.x * cos + box_half.y * sin + margin;
                !(beside || beyond)
            }
            Self::Curved { centre, radius, rounding } => {
                let (from, margin) = (box_centre - centre, margin + rounding);
                let from = DVec2::new(from.dot(box_along).abs(), from.perp_dot(box_along).abs());
                let (least, most) = ((from - box_half).max(DVec2::ZERO).length(), (from + box_half).length());
                !(least > radius + margin || most < radius - margin)
            }
        }
    }
}
