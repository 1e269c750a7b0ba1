//! The outline of a union of axis-aligned rectangles.
//!
//! Every coordinate of it is bit-identical to one of a rectangle. The plane is cut along all sides. A piece of a side
//! belongs to the outline if it has the union on one side and nothing on the other. So rectangles that touch are
//! joined, and nothing is rounded.

use bevy::prelude::*;

use crate::components::is_within_limit;

/// A side of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
pub enum Side {
    /// At the smallest x.
    Left,
    /// At the largest x.
    Right,
    /// At the smallest y.
    Bottom,
    /// At the largest y.
    Top,
}

impl Side {
    /// All sides, in order.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Bottom, Self::Top];

    /// Its coordinate: x for [`Self::Left`] and [`Self::Right`], y for the others.
    #[must_use]
    pub fn of(self, rect: Rect) -> f32 {
        match self {
            Self::Left => rect.min.x,
            Self::Right => rect.max.x,
            Self::Bottom => rect.min.y,
            Self::Top => rect.max.y,
        }
    }

    /// The direction into the rectangle, length 1.
    #[must_use]
    pub fn inward(self) -> Vec2 {
        match self {
            Self::Left => Vec2::X,
            Self::Right => Vec2::NEG_X,
            Self::Bottom => Vec2::Y,
            Self::Top => Vec2::NEG_Y,
        }
    }

    /// The next side counter-clockwise.
    fn next(self) -> Self {
        match self {
            Self::Left => Self::Bottom,
            Self::Bottom => Self::Right,
            Self::Right => Self::Top,
            Self::Top => Self::Left,
        }
    }
}

/// A straight part of the outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its start, metres. The union is on its left.
    pub from: Vec2,
    /// Its end, metres.
    pub to: Vec2,
    /// The index of the rectangle to whose side it belongs; of several, the first whose side covers all of it.
    pub rect: usize,
    /// The side of that rectangle.
    pub side: Side,
}

impl Edge {
    /// The point on it nearest to another point, metres.
    #[must_use]
    pub fn nearest(&self, point: Vec2) -> Vec2 {
        point.clamp(self.from.min(self.to), self.from.max(self.to))
    }
}

/// The outline of a union of axis-aligned rectangles: outer boundaries and boundaries of holes. Rectangles that touch
/// along a side are joined; rectangles that touch only at a corner are not.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::plane::Outline;
/// let two = [Rect::new(0.0, 0.0, 2.0, 1.0), Rect::new(2.0, 0.0, 4.0, 3.0)];
/// let outline = Outline::of(&two);
/// assert_eq!(outline.loops().len(), 1);
/// assert!(outline.contains(vec2(2.0, 0.5)) && !outline.contains(vec2(1.0, 2.0)));
/// // A disc to the left of the higher rectangle moves to the nearest place inside.
/// assert_eq!(outline.nearest_fit(vec2(1.5, 2.0), 0.25), Some(vec2(2.25, 2.0)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    rects: Vec<Rect>,
    edges: Vec<Edge>,
}

/// Whether a rectangle has an area and valid coordinates.
pub(super) fn is_sound(rect: Rect) -> bool {
    is_within_limit(rect.min) && is_within_limit(rect.max) && rect.min.cmplt(rect.max).all()
}

impl Outline {
    /// The outline of these rectangles, metres. A rectangle without an area, or with a coordinate that is not finite or
    /// beyond [`LIMIT`](crate::collision::LIMIT), is left out.
    #[must_use]
    pub fn of(rects: &[Rect]) -> Self {
        // Zeros get the same sign, so that equal coordinates have equal bits.
        let rects: Vec<Rect> =
            rects.iter().map(|rect| Rect { min: rect.min + Vec2::ZERO, max: rect.max + Vec2::ZERO }).collect();
        let grid = Grid::of(&rects);
        let mut edges = Vec::new();
        grid.trace(&rects, [Side::Left, Side::Right], &mut edges);
        grid.trace(&rects, [Side::Bottom, Side::Top], &mut edges);
        Self { rects: rects.into_iter().filter(|rect| is_sound(*rect)).collect(), edges }
    }

    /// Its straight parts: the vertical ones from left to right, then the horizontal ones from bottom to top. Two
    /// consecutive parts may be on one line, on the sides of two rectangles.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The rectangles that have an area, in the order given, metres.
    #[must_use]
    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// Whether a point (metres) is inside the union or on its outline.
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        self.rects.iter().any(|rect| rect.contains(point))
    }

    /// Its closed loops as corners (metres), without points in the middle of a straight line: outer boundaries
    /// counter-clockwise, holes clockwise. Two loops that touch only at a point stay separate.
    #[must_use]
    pub fn loops(&self) -> Vec<Vec<Vec2>> {
        let corners = |chain: Vec<usize>| {
            let edges = chain.iter().map(|&edge| &self.edges[edge]);
            let pairs = edges.clone().zip(edges.cycle().skip(1));
            pairs.filter(|(one, next)| one.side != next.side).map(|(one, _)| one.to).collect()
        };
        self.chains().into_iter().map(corners).collect()
    }

    /// Its closed loops as indices of edges, each of which starts at the end of the one before it.
    pub(super) fn chains(&self) -> Vec<Vec<usize>> {
        let key = |point: Vec2| (point.x, point.y);
        let before = |a: Vec2, b: Vec2| key(a).partial_cmp(&key(b)).unwrap_or(core::cmp::Ordering::Equal);
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by(|&a, &b| before(self.edges[a].from, self.edges[b].from).then(a.cmp(&b)));
        // If two start here, the one that turns left belongs to the same part of the union.
        let following = |edge: &Edge| {
            let first = order.partition_point(|&other| before(self.edges[other].from, edge.to).is_lt());
            let those = order[first..].iter().copied().take_while(|&other| self.edges[other].from == edge.to);
            those.min_by_key(|&other| (self.edges[other].side != edge.side.next(), other))
        };
        let mut done = vec![false; self.edges.len()];
        let mut chains = Vec::new();
        for first in 0..self.edges.len() {
            let mut chain = Vec::new();
            let mut at = first;
            while !done[at] {
                done[at] = true;
                chain.push(at);
                let Some(next) = following(&self.edges[at]) else { break };
                at = next;
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        chains
    }

    /// The reflex corners, which reach into the union: a disc can roll around them.
    pub(super) fn reflex_corners(&self) -> Vec<Vec2> {
        let turns = |corners: Vec<Vec2>| {
            let count = corners.len();
            (0..count)
                .filter(|&k| {
                    let [before, at, after] = [corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]];
                    (at - before).perp_dot(after - at) < 0.0
                })
                .map(|k| corners[k])
                .collect::<Vec<_>>()
        };
        self.loops().into_iter().flat_map(turns).collect()
    }
}

/// The plane cut along all sides.
struct Grid {
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// The covered cells, row by row, with a frame of uncovered cells around them.
    covered: Vec<bool>,
    width: usize,
}

impl Grid {
    fn of(rects: &[Rect]) -> Self {
        let sound = || rects.iter().filter(|rect| is_sound(**rect));
        let cuts = |sides: [Side; 2]| {
            let mut cuts: Vec<f32> = sound().flat_map(|rect| sides.map(|side| side.of(*rect))).collect();
            cuts.sort_by(f32::total_cmp);
            cuts.dedup();
            cuts
        };
        let (xs, ys) = (cuts([Side::Left, Side::Right]), cuts([Side::Bottom, Side::Top]));
        // Cell 0 is before the first cut, and the last one after the last.
        let width = xs.len() + 1;
        let mut depth = vec![0_i32; width * (ys.len() + 1)];
        for rect in sound() {
            let [left, right] = [rect.min.x, rect.max.x].map(|x| cell_after(&xs, x));
            let [bottom, top] = [rect.min.y, rect.max.y].map(|y| cell_after(&ys, y));
            for (row, column, step) in [(bottom, left, 1), (bottom, right, -1), (top, left, -1), (top, right, 1)] {
                depth[row * width + column] += step;
            }
        }
        for at in 0..depth.len() {
            let left = if at % width > 0 { depth[at - 1] } else { 0 };
            let below = if at >= width { depth[at - width] } else { 0 };
            let both = if at % width > 0 && at >= width { depth[at - width - 1] } else { 0 };
            depth[at] += left + below - both;
        }
        Self { xs, ys, covered: depth.into_iter().map(|depth| depth > 0).collect(), width }
    }

    fn is_covered(&self, column: usize, row: usize) -> bool {
        self.covered[row * self.width + column]
    }

    /// Lists the parts of the outline along the cuts of one direction: `sides` are those whose inside is after the cut
    /// and before it.
    fn trace(&self, rects: &[Rect], sides: [Side; 2], edges: &mut Vec<Edge>) {
        let upright = sides[0] == Side::Left;
        let (cuts, across) = if upright { (&self.xs, &self.ys) } else { (&self.ys, &self.xs) };
        let owners = sides.map(|side| Owners::of(rects, side, cuts));
        let point = |cut: usize, along: usize| {
            if upright { Vec2::new(cuts[cut], across[along]) } else { Vec2::new(across[along], cuts[cut]) }
        };
        for cut in 0..cuts.len() {
            let mut open: Option<Edge> = None;
            for along in 0..across.len().saturating_sub(1) {
                // The cells on both sides of this piece of the cut.
                let [before, behind] = [cut, cut + 1].map(|cell| {
                    if upright { self.is_covered(cell, along + 1) } else { self.is_covered(along + 1, cell) }
                });
                if before == behind {
                    edges.extend(open.take());
                    continue;
                }
                let which = usize::from(before);
                let side = sides[which];
                let span = (across[along], across[along + 1]);
                if let Some(edge) = &mut open
                    && edge.side == side
                    && spans(rects[edge.rect], side, span)
                {
                    edge.stretch(point(cut, along + 1));
                    continue;
                }
                edges.extend(open.take());
                let owner = owners[which].at(cut).find(|&rect| spans(rects[rect], side, span));
                open = owner.map(|rect| Edge::new([point(cut, along), point(cut, along + 1)], rect, side));
            }
            edges.extend(open.take());
        }
    }
}

impl Edge {
    /// An edge between two points, of which the first has the smaller coordinate.
    fn new([low, high]: [Vec2; 2], rect: usize, side: Side) -> Self {
        let [from, to] = if matches!(side, Side::Right | Side::Bottom) { [low, high] } else { [high, low] };
        Self { from, to, rect, side }
    }

    /// Moves the end with the larger coordinate.
    fn stretch(&mut self, high: Vec2) {
        if matches!(self.side, Side::Right | Side::Bottom) {
            self.to = high;
        } else {
            self.from = high;
        }
    }
}

/// Whether the side of a rectangle covers this whole span.
fn spans(rect: Rect, side: Side, (low, high): (f32, f32)) -> bool {
    let (from, to) = match side {
        Side::Left | Side::Right => (rect.min.y, rect.max.y),
        Side::Bottom | Side::Top => (rect.min.x, rect.max.x),
    };
    from <= low && high <= to
}

/// The index of the cell that starts at a cut.
fn cell_after(cuts: &[f32], at: f32) -> usize {
    cuts.partition_point(|&cut| cut < at) + 1
}

/// The rectangles with a side at each cut.
struct Owners {
    /// Cut and rectangle, sorted.
    of: Vec<(usize, usize)>,
}

impl Owners {
    fn of(rects: &[Rect], side: Side, cuts: &[f32]) -> Self {
        let sound = rects.iter().enumerate().filter(|(_, rect)| is_sound(**rect));
        let mut of: Vec<_> = sound.map(|(k, rect)| (cell_after(cuts, side.of(*rect)) - 1, k)).collect();
        of.sort_unstable();
        Self { of }
    }

    fn at(&self, cut: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.of.partition_point(|&(other, _)| other < cut);
        self.of[first..].iter().take_while(move |&&(other, _)| other == cut).map(|&(_, rect)| rect)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect { min: vec2(x, y), max: vec2(x + width, y + height) }
    }

    /// Twice the area enclosed by a counter-clockwise loop.
    fn doubled_area(corners: &[Vec2]) -> f32 {
        corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| a.perp_dot(*b)).sum()
    }

    #[test]
    fn what_touches_is_one_and_corners_that_touch_in_a_point_are_not() {
        let outline = |rects: &[Rect]| {
            let mut loops: Vec<usize> = Outline::of(rects).loops().iter().map(Vec::len).collect();
            loops.sort_unstable();
            loops
        };
        let square = rect(0.0, 0.0, 1.0, 1.0);
        assert_eq!(outline(&[]), [0; 0]);
        assert_eq!(outline(&[square]), [4]);
        assert_eq!(outline(&[square, square]), [4], "equal ones");
        assert_eq!(outline(&[square, rect(1.0, 0.0, 3.0, 1.0)]), [4], "in a row");
        assert_eq!(outline(&[square, rect(1.0, 0.5, 1.0, 1.0)]), [8], "along a part of a side");
        assert_eq!(outline(&[square, rect(1.0, 1.0, 1.0, 1.0)]), [4, 4], "in a point");
        assert_eq!(outline(&[rect(0.0, 1.0, 1.0, 1.0), rect(1.0, 0.0, 1.0, 1.0)]), [4, 4], "in the other point");
        assert_eq!(outline(&[rect(-1.0, 0.0, 3.0, 1.0), rect(0.0, -1.0, 1.0, 3.0)]), [12], "a cross");
        let ring =
            [rect(0.0, 0.0, 3.0, 1.0), rect(0.0, 2.0, 3.0, 1.0), rect(0.0, 0.0, 1.0, 3.0), rect(2.0, 0.0, 1.0, 3.0)];
        assert_eq!(outline(&ring), [4, 4], "a hole");
        let areas: Vec<f32> = Outline::of(&ring).loops().iter().map(|corners| doubled_area(corners)).collect();
        assert!(areas.contains(&18.0) && areas.contains(&-2.0), "{areas:?}");
    }

    #[test]
    fn what_has_no_area_or_is_nowhere_changes_nothing() {
        let square = rect(0.0, 0.0, 1.0, 1.0);
        let strange = [
            rect(0.5, 0.5, 0.0, 3.0),
            Rect { min: vec2(2.0, 2.0), max: vec2(-2.0, 3.0) },
            rect(f32::NAN, 0.0, 1.0, 1.0),
            rect(0.0, 0.0, f32::INFINITY, 1.0),
            rect(1e13, 0.0, 1e13, 1.0),
        ];
        for odd in strange {
            let [alone, with] = [Outline::of(&[square]), Outline::of(&[odd, square])];
            let pieces = |outline: &Outline| outline.edges.iter().map(|it| (it.from, it.to)).collect::<Vec<_>>();
            assert_eq!(pieces(&alone), pieces(&with), "{odd:?}");
            assert_eq!(alone.loops(), with.loops());
            assert!(with.edges.iter().all(|edge| edge.rect == 1), "{odd:?}: the indices stay");
        }
        assert_eq!(Outline::of(&[rect(-1.0, 0.0, 1.0, 1.0), Rect::new(-0.0, 0.0, 1.0, 1.0)]).loops().len(), 1);
    }

    #[test]
    fn hundreds_of_rectangles_are_one() {
        let steps: Vec<Rect> = (0..400).map(|k| rect(k as f32, k as f32, 2.0, 2.0)).collect();
        let outline = Outline::of(&steps);
        assert_eq!(outline.loops().iter().map(Vec::len).collect::<Vec<_>>(), [4 * 400]);
        assert_eq!(outline.reflex_corners().len(), 2 * 399);
    }

    fn on_a_raster() -> impl Strategy<Value = Vec<Rect>> {
        let one = (0..11_i32, 0..11_i32, 0..5_i32, 0..5_i32);
        let place = |(x, y, w, h): (i32, i32, i32, i32)| rect(x as f32, y as f32, w as f32, h as f32);
        proptest::collection::vec(one.prop_map(place), 0..12)
    }

    proptest! {
        #[test]
        fn the_outline_is_where_a_raster_has_its_border(rects in on_a_raster()) {
            const SIZE: i32 = 17;
            let covered = |x: i32, y: i32| {
                let middle = vec2(x as f32 + 0.5, y as f32 + 0.5);
                rects.iter().any(|rect| rect.contains(middle))
            };
            let outline = Outline::of(&rects);
            // The pieces of the border, each one metre long, with the direction into the union.
            let mut border: Vec<(i32, i32, i32, i32)> = Vec::new();
            let mut area = 0;
            for x in 0..SIZE {
                for y in 0..SIZE {
                    if !covered(x, y) {
                        continue;
                    }
                    area += 1;
                    prop_assert!(outline.contains(vec2(x as f32 + 0.5, y as f32 + 0.5)));
                    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                        if !covered(x + dx, y + dy) {
                            border.push((2 * x + 1 + dx, 2 * y + 1 + dy, -dx, -dy));
                        }
                    }
                }
            }
            let mut found = Vec::new();
            for edge in outline.edges() {
                let (way, inward) = (edge.to - edge.from, edge.side.inward());
                prop_assert_eq!(way.normalize().perp(), inward, "the union is on the left");
                prop_assert_eq!(edge.side.of(rects[edge.rect]), edge.from.dot(inward.abs()));
                for step in 0..way.length() as i32 {
                    let middle = edge.from + way.normalize() * (step as f32 + 0.5);
                    found.push(((2.0 * middle.x) as i32, (2.0 * middle.y) as i32, inward.x as i32, inward.y as i32));
                }
            }
            border.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, border);
            let loops = outline.loops();
            prop_assert_eq!(loops.iter().map(|corners| doubled_area(corners)).sum::<f32>(), 2.0 * area as f32);
            for corners in loops {
                prop_assert!(corners.len() >= 4 && corners.len() % 2 == 0);
                for (k, corner) in corners.iter().enumerate() {
                    let way = corners[(k + 1) % corners.len()] - corner;
                    prop_assert!((way.x == 0.0) != (way.y == 0.0), "straight, and turning at each corner");
                }
            }
        }

        #[test]
        fn the_order_of_the_rectangles_does_not_show(rects in on_a_raster()) {
            let backward: Vec<Rect> = rects.iter().rev().copied().collect();
            let corners = |rects: &[Rect]| {
                let mut all: Vec<_> = Outline::of(rects).loops().concat().into_iter().map(|at| (at.x as i32, at.y as i32)).collect();
                all.sort_unstable();
                all
            };
            prop_assert_eq!(corners(&rects), corners(&backward));
        }
    }
}
