//! A tree of boxes with overlap queries, insertion and removal: an R-tree (Guttman, "R-trees: a dynamic index structure
//! for spatial searching", 1984) with sixteen boxes per node. These are tested at once. Up to sixteen boxes form one
//! node, so a few boxes cost no tree.

use bevy::math::{Vec2, vec2};

use super::Bounds;

/// The capacity of a node: two groups of eight boxes, each tested at once.
const MAX_ENTRIES: usize = 16;

/// The smallest number of boxes in a node. A node with fewer is dissolved, and its boxes are inserted again.
const MIN_ENTRIES: usize = 4;

/// The number of boxes in a leaf of a newly built tree. The rest is free for later insertions.
const BUILT_ENTRIES: usize = 12;

/// A box is large if its half perimeter is at least this share of the half perimeter of all boxes together. Large boxes
/// get separate nodes, as one long wall would enlarge a node of small blocks. Chosen by hand; no measurement was kept.
const LARGE_SHARE: f32 = 0.35;

/// Upper bound of the depth of a tree: with at least [`MIN_ENTRIES`] boxes to a node, 2³² boxes need 16 levels. A tree
/// built at once may have some smaller nodes.
const MAX_DEPTH: usize = 24;

/// Boxes with their contents: nodes, or in a leaf the numbers of the boxes.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Node {
    left: [f32; MAX_ENTRIES],
    bottom: [f32; MAX_ENTRIES],
    right: [f32; MAX_ENTRIES],
    top: [f32; MAX_ENTRIES],
    what: [u32; MAX_ENTRIES],
    count: usize,
    is_leaf: bool,
}

impl Node {
    fn new(is_leaf: bool) -> Self {
        // No box overlaps NaN.
        let nothing = [f32::NAN; MAX_ENTRIES];
        Self { left: nothing, bottom: nothing, right: nothing, top: nothing, what: [0; MAX_ENTRIES], count: 0, is_leaf }
    }

    fn bounds(&self, k: usize) -> Bounds {
        Bounds::new(vec2(self.left[k], self.bottom[k]), vec2(self.right[k], self.top[k]))
    }

    fn set_bounds(&mut self, k: usize, Bounds { low, high }: Bounds) {
        (self.left[k], self.bottom[k], self.right[k], self.top[k]) = (low.x, low.y, high.x, high.y);
    }

    /// The box around all of them.
    fn extent(&self) -> Bounds {
        (0..self.count).fold(Bounds::NOTHING, |all, k| all.union(self.bounds(k)))
    }

    fn push(&mut self, bounds: Bounds, what: u32) {
        self.set_bounds(self.count, bounds);
        self.what[self.count] = what;
        self.count += 1;
    }

    fn remove(&mut self, k: usize) {
        let last = self.count - 1;
        self.set_bounds(k, self.bounds(last));
        self.what[k] = self.what[last];
        self.set_bounds(last, Bounds::new(Vec2::NAN, Vec2::NAN));
        self.count = last;
    }

    fn entries(&self) -> impl Iterator<Item = (Bounds, u32)> {
        (0..self.count).map(|k| (self.bounds(k), self.what[k]))
    }

    /// The boxes that overlap this one, as bits.
    #[inline(always)]
    fn overlap_mask(&self, bounds: Bounds) -> u32 {
        let first = self.overlap_mask_of_eight(bounds, 0);
        if self.count > 8 { first | self.overlap_mask_of_eight(bounds, 8) << 8 } else { first }
    }

    #[inline(always)]
    fn overlap_mask_of_eight(&self, Bounds { low, high }: Bounds, start: usize) -> u32 {
        let mut overlapping = 0;
        for k in 0..8 {
            let i = start + k;
            // Branch-free, so that all are tested at once.
            let meets =
                [self.left[i] <= high.x, self.bottom[i] <= high.y, self.right[i] >= low.x, self.top[i] >= low.y];
            let meets = meets.map(u32::from);
            overlapping |= (meets[0] & meets[1] & meets[2] & meets[3]) << k;
        }
        overlapping
    }

    /// The child that grows least when a box is added to it; of equal ones the smallest.
    fn best_for(&self, bounds: Bounds) -> usize {
        let cost = |k: usize| {
            let own = self.bounds(k).half_perimeter();
            (self.bounds(k).union(bounds).half_perimeter() - own, own)
        };
        (1..self.count).fold((0, cost(0)), |best, k| if cost(k) < best.1 { (k, cost(k)) } else { best }).0
    }
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Unused nodes.
    free: Vec<u32>,
    root: u32,
    /// The number of levels above the leaves.
    height: usize,
}

impl Tree {
    /// Builds a tree of these boxes, whose order it changes.
    pub(crate) fn new(boxes: &mut [(Bounds, u32)]) -> Self {
        let mut tree = Self::default();
        if boxes.is_empty() {
            return tree;
        }
        if boxes.len() > MAX_ENTRIES {
            tree.height = 1;
            while boxes.len() > BUILT_ENTRIES * MAX_ENTRIES.pow(tree.height as u32) {
                tree.height += 1;
            }
        }
        tree.root = tree.build(boxes, tree.height);
        tree
    }

    /// Builds a node `level` levels above the leaves.
    fn build(&mut self, boxes: &mut [(Bounds, u32)], level: usize) -> u32 {
        let node = self.take(level == 0);
        if level == 0 {
            for &mut (bounds, what) in boxes {
                self.nodes[node as usize].push(bounds, what);
            }
            return node;
        }
        let planned = BUILT_ENTRIES * MAX_ENTRIES.pow(level as u32 - 1);
        let extent = boxes.iter().fold(Bounds::NOTHING, |all, &(bounds, _)| all.union(bounds));
        let is_large = |bounds: Bounds| bounds.half_perimeter() > LARGE_SHARE * extent.half_perimeter();
        boxes.sort_unstable_by_key(|&(bounds, _)| !is_large(bounds));
        let large = boxes.partition_point(|&(bounds, _)| is_large(bounds));
        let (large, small) = boxes.split_at_mut(if large <= boxes.len() / 2 { large } else { 0 });
        let nodes_for_large = large.len().div_ceil(planned);
        let nodes_for_small = small.len().div_ceil(planned).min(MAX_ENTRIES - nodes_for_large);
        if small.len() <= nodes_for_small * MAX_ENTRIES.pow(level as u32) {
            self.divide(large, nodes_for_large, level, node);
            self.divide(small, nodes_for_small, level, node);
        } else {
            self.divide(boxes, boxes.len().div_ceil(planned).min(MAX_ENTRIES), level, node);
        }
        node
    }

    /// Divides neighbouring boxes into this many children, and adds them to a node.
    fn divide(&mut self, boxes: &mut [(Bounds, u32)], children: usize, level: usize, node: u32) {
        if children <= 1 {
            if !boxes.is_empty() {
                let child = self.build(boxes, level - 1);
                let bounds = self.nodes[child as usize].extent();
                self.nodes[node as usize].push(bounds, child);
            }
            return;
        }
        // Twice the centre of a box.
        let centre = |bounds: Bounds| bounds.low + bounds.high;
        let centres = Bounds::of_points(boxes.iter().map(|&(bounds, _)| centre(bounds)));
        let spread = centres.high - centres.low;
        let axis = usize::from(spread.y > spread.x);
        let first = boxes.len() * (children / 2) / children;
        boxes.select_nth_unstable_by(first, |a, b| centre(a.0)[axis].total_cmp(&centre(b.0)[axis]));
        let (low, high) = boxes.split_at_mut(first);
        self.divide(low, children / 2, level, node);
        self.divide(high, children - children / 2, level, node);
    }

    /// Allocates an empty node.
    fn take(&mut self, is_leaf: bool) -> u32 {
        if let Some(node) = self.free.pop() {
            self.nodes[node as usize] = Node::new(is_leaf);
            return node;
        }
        self.nodes.push(Node::new(is_leaf));
        self.nodes.len() as u32 - 1
    }

    /// Calls `visit` with the number of every box that overlaps this one.
    #[inline(always)]
    pub fn for_each_overlapping(&self, bounds: Bounds, mut visit: impl FnMut(u32)) {
        let Some(mut leaf) = self.nodes.get(self.root as usize) else { return };
        let mut overlapping = leaf.overlap_mask(bounds);
        let mut walk = None;
        if !leaf.is_leaf {
            walk = Some(Walk { tree: self, bounds, node: leaf, overlapping, path: [(leaf, 0); MAX_DEPTH], depth: 0 });
            overlapping = 0;
        }
        // A single call, so that it is inlined into its caller.
        loop {
            while overlapping != 0 {
                visit(leaf.what[overlapping.trailing_zeros() as usize % MAX_ENTRIES]);
                overlapping &= overlapping - 1;
            }
            let Some(next) = walk.as_mut().and_then(Walk::next_leaf) else { return };
            (leaf, overlapping) = next;
        }
    }

    /// The numbers of up to `most` boxes that overlap this one, in no order.
    #[cfg(feature = "scene")]
    pub(crate) fn first_overlapping(&self, bounds: Bounds, most: usize, found: &mut Vec<u32>) {
        found.clear();
        let Some(mut node) = self.nodes.get(self.root as usize) else { return };
        let mut overlapping = node.overlap_mask(bounds);
        let mut walk = None;
        if !node.is_leaf {
            walk = Some(Walk { tree: self, bounds, node, overlapping, path: [(node, 0); MAX_DEPTH], depth: 0 });
            overlapping = 0;
        }
        loop {
            while overlapping != 0 {
                found.push(node.what[overlapping.trailing_zeros() as usize]);
                overlapping &= overlapping - 1;
            }
            if found.len() >= most {
                return found.truncate(most);
            }
            let Some(next) = walk.as_mut().and_then(Walk::next_leaf) else { return };
            (node, overlapping) = next;
        }
    }

    /// Calls `visit` with the number of every box whose `key` is at most `limit`, the nodes with the smallest keys
    /// first; `visit` may lower the limit. The key of a box must not exceed the key of any box within it.
    pub fn for_each_by_key(
        &self,
        limit: &mut f64,
        key: &impl Fn(Bounds) -> f64,
        visit: &mut impl FnMut(u32, &mut f64),
    ) {
        if let Some(root) = self.nodes.get(self.root as usize) {
            self.visit_by_key(root, limit, key, visit);
        }
    }

    fn visit_by_key(
        &self,
        node: &Node,
        limit: &mut f64,
        key: &impl Fn(Bounds) -> f64,
        visit: &mut impl FnMut(u32, &mut f64),
    ) {
        let mut found = [(0.0, 0); MAX_ENTRIES];
        let mut count = 0;
        for (bounds, what) in node.entries() {
            let least = key(bounds);
            if least <= *limit {
                found[count] = (least, what);
                count += 1;
            }
        }
        let found = &mut found[..count];
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(least, what) in &*found {
            if least > *limit {
                return;
            }
            if node.is_leaf {
                visit(what, limit);
            } else {
                self.visit_by_key(&self.nodes[what as usize], limit, key, visit);
            }
        }
    }

    /// Adds a box.
    pub fn insert(&mut self, bounds: Bounds, what: u32) {
        self.insert_at(0, bounds, what);
    }

    /// Adds a box to a node `level` levels above the leaves.
    fn insert_at(&mut self, level: usize, bounds: Bounds, what: u32) {
        if self.nodes.is_empty() {
            self.root = self.take(true);
        }
        if let Some(other) = self.insert_below(self.root, self.height, level, bounds, what) {
            let root = self.take(false);
            let old = std::mem::replace(&mut self.root, root);
            self.height += 1;
            for child in [old, other] {
                let bounds = self.nodes[child as usize].extent();
                self.nodes[self.root as usize].push(bounds, child);
            }
        }
    }

    /// Adds a box to a node or below it; returns the node that was split off, if any.
    fn insert_below(&mut self, node: u32, at: usize, level: usize, bounds: Bounds, what: u32) -> Option<u32> {
        if at == level {
            return self.add(node, bounds, what);
        }
        let k = self.nodes[node as usize].best_for(bounds);
        let child = self.nodes[node as usize].what[k];
        let other = self.insert_below(child, at - 1, level, bounds, what);
        let this = &self.nodes[node as usize];
        let grown = if other.is_some() { self.nodes[child as usize].extent() } else { this.bounds(k).union(bounds) };
        self.nodes[node as usize].set_bounds(k, grown);
        let other = other?;
        self.add(node, self.nodes[other as usize].extent(), other)
    }

    /// Adds a box to this node; returns the node that was split off if there was no room.
    fn add(&mut self, node: u32, bounds: Bounds, what: u32) -> Option<u32> {
        let full = &mut self.nodes[node as usize];
        if full.count < MAX_ENTRIES {
            full.push(bounds, what);
            return None;
        }
        let mut entries: Vec<(Bounds, u32)> = full.entries().chain([(bounds, what)]).collect();
        let is_leaf = full.is_leaf;
        *full = Node::new(is_leaf);
        let first = split(&mut entries);
        let other = self.take(is_leaf);
        for (i, &(bounds, what)) in entries.iter().enumerate() {
            self.nodes[if i < first { node } else { other } as usize].push(bounds, what);
        }
        Some(other)
    }

    /// Removes the box with this number, and returns whether it was there. `bounds` is the box that it was added with.
    pub fn remove(&mut self, bounds: Bounds, what: u32) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let mut orphans = Vec::new();
        let found = self.remove_below(self.root, self.height, bounds, what, &mut orphans);
        for (level, bounds, what) in orphans {
            self.insert_at(level, bounds, what);
        }
        while self.height > 0 && self.nodes[self.root as usize].count == 1 {
            self.free.push(self.root);
            self.root = self.nodes[self.root as usize].what[0];
            self.height -= 1;
        }
        found
    }

    fn remove_below(
        &mut self,
        node: u32,
        at: usize,
        bounds: Bounds,
        what: u32,
        orphans: &mut Vec<(usize, Bounds, u32)>,
    ) -> bool {
        let this = node as usize;
        for k in 0..self.nodes[this].count {
            let child = self.nodes[this].what[k];
            if at == 0 {
                if child == what {
                    self.nodes[this].remove(k);
                    return true;
                }
            } else if bounds.is_within(self.nodes[this].bounds(k))
                && self.remove_below(child, at - 1, bounds, what, orphans)
            {
                if self.nodes[child as usize].count < MIN_ENTRIES {
                    orphans.extend(self.nodes[child as usize].entries().map(|(bounds, what)| (at - 1, bounds, what)));
                    self.nodes[child as usize] = Node::new(false);
                    self.free.push(child);
                    self.nodes[this].remove(k);
                } else {
                    let shrunk = self.nodes[child as usize].extent();
                    self.nodes[this].set_bounds(k, shrunk);
                }
                return true;
            }
        }
        false
    }

    /// Gives every box another number.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for node in self.nodes.iter_mut().filter(|node| node.is_leaf) {
            for what in &mut node.what[..node.count] {
                *what = number(*what);
            }
        }
    }
}

/// A walk through the leaves with boxes that overlap this one.
struct Walk<'a> {
    tree: &'a Tree,
    bounds: Bounds,
    /// A node above the leaves, and its children that are still to visit.
    node: &'a Node,
    overlapping: u32,
    /// The same for the nodes above it.
    path: [(&'a Node, u32); MAX_DEPTH],
    depth: usize,
}

impl<'a> Walk<'a> {
    #[inline(never)]
    fn next_leaf(&mut self) -> Option<(&'a Node, u32)> {
        loop {
            if self.overlapping == 0 {
                self.depth = self.depth.checked_sub(1)?;
                (self.node, self.overlapping) = self.path[self.depth];
                continue;
            }
            let child =
                &self.tree.nodes[self.node.what[self.overlapping.trailing_zeros() as usize % MAX_ENTRIES] as usize];
            self.overlapping &= self.overlapping - 1;
            let overlapping = child.overlap_mask(self.bounds);
            if child.is_leaf {
                return Some((child, overlapping));
            }
            self.path[self.depth] = (self.node, self.overlapping);
            self.depth += 1;
            (self.node, self.overlapping) = (child, overlapping);
        }
    }
}

/// Sorts one box more than a node holds, and returns how many of the first form one small node. The others form
/// another.
fn split(entries: &mut [(Bounds, u32)]) -> usize {
    let sort = |entries: &mut [(Bounds, u32)], axis: usize| {
        entries.sort_unstable_by(|a, b| (a.0.low + a.0.high)[axis].total_cmp(&(b.0.low + b.0.high)[axis]));
    };
    let count = entries.len();
    let mut best = (f32::INFINITY, 0, count / 2);
    for axis in [0, 1] {
        sort(entries, axis);
        let mut after = vec![Bounds::NOTHING; count + 1];
        for i in (0..count).rev() {
            after[i] = after[i + 1].union(entries[i].0);
        }
        let mut before = Bounds::NOTHING;
        for first in 1..=count - MIN_ENTRIES {
            before = before.union(entries[first - 1].0);
            let cost = before.half_perimeter() + after[first].half_perimeter();
            let in_the_middle = |first: usize| std::cmp::Reverse(first.abs_diff(count / 2));
            let better = cost < best.0 || (cost == best.0 && in_the_middle(first) > in_the_middle(best.2));
            if first >= MIN_ENTRIES && better {
                best = (cost, axis, first);
            }
        }
    }
    if best.1 == 0 {
        sort(entries, 0);
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bounds() -> impl Strategy<Value = Bounds> {
        // Points, blocks and long walls, near each other and far apart, and many in one spot.
        let place = prop_oneof![Just(0.0_f32), -10.0_f32..10.0, -1000.0_f32..1000.0, -1e12_f32..1e12];
        let width = prop_oneof![Just(0.0_f32), 0.0_f32..1.0, 0.0_f32..1000.0, 0.0_f32..1e12];
        [place.clone(), place, width.clone(), width]
            .prop_map(|[x, y, w, h]| Bounds::new(vec2(x, y), vec2(x + w, y + h)))
    }

    fn overlapping(tree: &Tree, bounds: Bounds) -> Vec<u32> {
        let mut found = Vec::new();
        tree.for_each_overlapping(bounds, |what| found.push(what));
        #[cfg(feature = "scene")]
        for most in [usize::MAX, 7] {
            let mut first = Vec::new();
            tree.first_overlapping(bounds, most, &mut first);
            assert_eq!(first, found[..most.min(found.len())]);
        }
        found.sort_unstable();
        found
    }

    /// Every node holds the box that its parent records, and none except the root has become too small.
    fn check(tree: &Tree, node: u32, level: usize, least: usize) {
        let this = &tree.nodes[node as usize];
        assert_eq!(this.is_leaf, level == 0);
        assert!(node == tree.root || this.count >= least);
        for (bounds, what) in this.entries().filter(|_| level > 0) {
            assert_eq!(bounds, tree.nodes[what as usize].extent());
            check(tree, what, level - 1, least);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 64 } else { 512 }))]

        #[test]
        fn what_is_found_is_what_overlaps(
            boxes in prop::collection::vec(bounds(), 0..600),
            built in 0_usize..600,
            gone in prop::collection::vec(any::<prop::sample::Index>(), 0..600),
            questions in prop::collection::vec(bounds(), 20),
        ) {
            let mut live: Vec<(Bounds, u32)> = boxes.iter().copied().zip(0..).collect();
            let built = built.min(live.len());
            let mut tree = Tree::new(&mut live[..built].to_vec());
            for &(bounds, what) in &live[built..] {
                tree.insert(bounds, what);
            }
            if !tree.nodes.is_empty() {
                check(&tree, tree.root, tree.height, 1);
            }
            for index in gone {
                if !live.is_empty() {
                    let (bounds, what) = live.swap_remove(index.index(live.len()));
                    prop_assert!(tree.remove(bounds, what));
                    prop_assert!(!tree.remove(bounds, what));
                }
            }
            if !tree.nodes.is_empty() {
                check(&tree, tree.root, tree.height, if built == 0 { MIN_ENTRIES } else { 1 });
            }
            for question in questions.into_iter().chain([Bounds::EVERYTHING]) {
                let mut expected: Vec<u32> =
                    live.iter().filter(|&&(bounds, _)| bounds.overlaps(question)).map(|&(_, what)| what).collect();
                expected.sort_unstable();
                prop_assert_eq!(overlapping(&tree, question), expected);
            }
        }
    }

    #[test]
    fn a_tree_stays_shallow_and_small_whatever_comes_and_goes() {
        let mut tree = Tree::default();
        for round in 0..20_u32 {
            for i in 0..2_000 {
                let x = (i * 7919 % 2_003 * (round % 3)) as f32;
                tree.insert(Bounds::new(vec2(x, 0.0), vec2(x + 1.0, 1.0)), i);
            }
            assert!(tree.height <= 5 && tree.nodes.len() <= 700, "{} levels, {} nodes", tree.height, tree.nodes.len());
            for i in 0..2_000 {
                let x = (i * 7919 % 2_003 * (round % 3)) as f32;
                assert!(tree.remove(Bounds::new(vec2(x, 0.0), vec2(x + 1.0, 1.0)), i));
            }
            assert_eq!((tree.height, tree.nodes[tree.root as usize].count), (0, 0));
        }
    }
}
