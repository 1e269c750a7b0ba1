//! The boundary of the region that the centre of a disc can reach.
//!
//! Every wall is moved away by the radius of the disc on both sides, every corner and bumper grows by it. These curves
//! are cut where they cross. The parts that no other terrain covers are joined to closed chains. Lines and arcs stay
//! exact; coordinates are those of the walls, in `f64`.

use bevy::math::DVec2;

use super::curve::Piece;
use crate::{collision::PhysicsSpace, notice::mark};

/// The largest number of curves. Finding the chains takes time in proportion to its square, up to about 0.3 s.
const MOST_CURVES: usize = 4000;

/// Gaps up to this share of the size of the terrain are rounding errors of `f32` coordinates.
const SLOP: f64 = 1e-6;

/// The largest gap between two parts of a chain, as a share of the size. Two curves that nearly touch, by [`SLOP`], may
/// do so that far from their ends.
const JOIN: f64 = 3e-3;

/// A direction in which rays are cast. Nothing on a table has it.
const RAY: DVec2 = DVec2::new(0.813_733_471_206_735_5, 0.581_238_193_719_096_5);

/// The boundary of the region that the centre of a disc can reach: one outer component, then those around bumpers and
/// other islands. On a table with periodic edges on both axes and without walls around the disc, there is no outer one.
///
/// Positions on a component are arc lengths, metres. The region is on the left of its direction: the outer component
/// runs counter-clockwise, and the others clockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    components: Vec<Component>,
    area: f64,
    /// The periods of both axes, if there is no outer component, metres.
    periods: Option<DVec2>,
}

/// A closed component of a [`Boundary`].
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    pieces: Vec<Piece>,
    /// The arc length at the end of each piece, metres.
    ends: Vec<f64>,
    is_outer: bool,
}

/// A place on a [`Boundary`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryPoint {
    /// The component, by its index.
    pub component: usize,
    /// The arc length from the start of the component, metres.
    pub along: f64,
    /// The place, metres.
    pub place: DVec2,
    /// The unit tangent. The region is on its left.
    pub tangent: DVec2,
}

impl BoundaryPoint {
    /// The unit normal that points into the region.
    #[must_use]
    pub fn inward(&self) -> DVec2 {
        self.tangent.perp()
    }
}

/// What keeps the centre of a disc away.
struct Obstacle {
    /// A wall, or the centre of a corner or bumper.
    shape: Shape,
    /// The smallest distance of the centre, metres.
    reach: f64,
}

enum Shape {
    Wall(DVec2, DVec2),
    /// The wall along an arc: centre, radius, start, extent.
    Arc(DVec2, f64, f64, f64),
    Point(DVec2),
}

impl Obstacle {
    /// How far a place is from where the centre touches it, metres; negative if it is too near.
    fn gap(&self, place: DVec2) -> f64 {
        let distance = match self.shape {
            Shape::Point(centre) => (place - centre).length(),
            Shape::Wall(start, end) => {
                let line = Piece::Line { start, end };
                (place - line.place(line.closest(place))).length()
            }
            Shape::Arc(centre, radius, start, sweep) => {
                let arc = Piece::Arc { centre, radius, start, sweep };
                (place - arc.place(arc.closest(place))).length()
            }
        };
        distance - self.reach
    }

    /// The curves on which the centre touches it. The free side is on their left.
    fn curves(&self) -> Vec<Piece> {
        let reach = self.reach;
        match self.shape {
            Shape::Point(centre) => {
                vec![Piece::Arc { centre, radius: reach, start: 0.0, sweep: -std::f64::consts::TAU }]
            }
            Shape::Wall(start, end) => {
                let away = (end - start).normalize().perp() * reach;
                vec![
                    Piece::Line { start: start + away, end: end + away },
                    Piece::Line { start: end - away, end: start - away },
                ]
            }
            Shape::Arc(centre, radius, start, sweep) => {
                let outside = Piece::Arc { centre, radius: radius + reach, start: start + sweep, sweep: -sweep };
                let inside = Piece::Arc { centre, radius: radius - reach, start, sweep };
                if radius > reach { vec![inside, outside] } else { vec![outside] }
            }
        }
    }
}

impl Boundary {
    /// The boundary for a disc, by its index, from its current position.
    ///
    /// # Errors
    /// Why there is none: the disc can leave, or something other than fixed walls and bumpers acts on it.
    pub fn of(space: &PhysicsSpace, disc: usize) -> Result<Self, String> {
        if !space.moving.is_empty() {
            return Err(mark("terrain moves").to_owned());
        }
        if !space.pockets.circles().is_empty() {
            return Err(mark("there are pockets").to_owned());
        }
        let radius = f64::from(space.discs.radius[disc]);
        let place = space.discs.position[disc].as_dvec2();
        let acts = |entity| space.disc_meets_terrain(disc, entity);
        let walls = space.walls().iter().filter(|wall| acts(wall.entity)).map(|wall| {
            let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
            let shape = match wall.curve {
                None => Shape::Wall(a, b),
                Some(curve) => {
                    let (centre, from) = (curve.centre.as_dvec2(), a - curve.centre.as_dvec2());
                    let extent = f64::from(curve.extent).min(std::f64::consts::TAU);
                    let is_whole = wall.a == wall.b;
                    let extent = if is_whole { std::f64::consts::TAU } else { extent };
                    Shape::Arc(centre, f64::from(curve.radius), libm::atan2(from.y, from.x), extent)
                }
            };
            Obstacle { shape, reach: radius }
        });
        let circles = space.fixed_circles().iter().filter(|circle| acts(circle.entity));
        let circles = circles.map(|circle| Obstacle {
            shape: Shape::Point(circle.centre.as_dvec2()),
            reach: f64::from(circle.radius) + radius,
        });
        let obstacles: Vec<Obstacle> = walls.chain(circles).collect();
        let periods = [0, 1].map(|axis| space.cell.and_then(|cell| cell.axis(axis)).map(|[_, size]| size));
        let periods = match periods {
            [Some(x), Some(y)] => Some(DVec2::new(x, y)),
            _ => None,
        };
        Self::around(&obstacles, place, periods)
    }

    fn around(obstacles: &[Obstacle], place: DVec2, periods: Option<DVec2>) -> Result<Self, String> {
        let chains = chains(obstacles)?;
        // The innermost chain around the disc, and those in the same region.
        let outer_around = |place: DVec2| {
            let around = (0..chains.len()).filter(|&i| chains[i].area > 0.0 && chains[i].component.surrounds(place));
            around.min_by(|&i, &j| chains[i].area.total_cmp(&chains[j].area))
        };
        let outer = outer_around(place);
        if outer.is_none() && periods.is_none() {
            return Err(mark("the disc can leave: no closed wall is around it").to_owned());
        }
        let is_island = |chain: &&Chain| chain.area < 0.0 && outer_around(chain.component.pieces[0].start()) == outer;
        let mut islands: Vec<&Chain> = chains.iter().filter(is_island).collect();
        if outer.is_none()
            && let Some(periods) = periods
        {
            // Images across the edges count once.
            let mut seen: Vec<DVec2> = Vec::new();
            islands.retain(|chain| {
                let at = chain.component.pieces[0].start();
                let is_new = seen.iter().all(|&other| {
                    let apart = (at - other) / periods;
                    ((apart - apart.round()) * periods).length() > JOIN * periods.max_element()
                });
                if is_new {
                    seen.push(at);
                }
                is_new
            });
        }
        let area =
            outer.map_or_else(|| periods.map_or(0.0, |periods| periods.x * periods.y), |outer| chains[outer].area);
        let area = area + islands.iter().map(|chain| chain.area).sum::<f64>();
        let components = outer.map(|outer| chains[outer].component.clone()).into_iter();
        let components: Vec<_> = components.chain(islands.iter().map(|chain| chain.component.clone())).collect();
        if components.is_empty() {
            return Err(mark("there is nothing that the disc could hit").to_owned());
        }
        Ok(Self { components, area, periods: periods.filter(|_| outer.is_none()) })
    }

    /// Its components: the outer one first, then the others in the order of their terrain.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The area of the region, m².
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The length of all components, metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.components.iter().map(Component::length).sum()
    }

    /// The mean distance between two hits over all places and directions, metres: `pi A / P` (Santaló).
    #[must_use]
    pub fn mean_chord(&self) -> f64 {
        std::f64::consts::PI * self.area / self.length()
    }

    /// Whether all of it is straight. Paths then part only in proportion to time, so the Lyapunov exponent is 0.
    #[must_use]
    pub fn is_polygon(&self) -> bool {
        self.components.iter().all(|component| component.pieces.iter().all(|piece| matches!(piece, Piece::Line { .. })))
    }

    /// Whether it is one circle seen from inside. It then conserves the angular momentum, and its Lyapunov exponent is
    /// 0.
    #[must_use]
    pub fn is_round(&self) -> bool {
        let [outer] = &self.components[..] else { return false };
        let [first, rest @ ..] = &outer.pieces[..] else { return false };
        let circle = |piece: &Piece| match *piece {
            Piece::Arc { centre, radius, sweep, .. } if sweep > 0.0 => Some((centre, radius)),
            _ => None,
        };
        circle(first).is_some() && rest.iter().all(|piece| circle(piece) == circle(first))
    }

    /// The place at an arc length on a component, metres. Lengths beyond its ends continue around it.
    ///
    /// # Panics
    /// If there is no such component.
    #[must_use]
    pub fn at(&self, component: usize, along: f64) -> BoundaryPoint {
        let of = &self.components[component];
        let along = along - of.length() * (along / of.length()).floor();
        let index = of.ends.partition_point(|&end| end < along).min(of.pieces.len() - 1);
        of.point(component, index, along - of.start_of(index))
    }

    /// The closest point of the boundary to a place, and its distance, metres.
    #[must_use]
    pub fn closest(&self, place: DVec2) -> (BoundaryPoint, f64) {
        let first = self.components[0].point(0, 0, 0.0);
        let mut best = (first, (first.place - place).length());
        for (component, of) in self.components.iter().enumerate() {
            for (index, piece) in of.pieces.iter().enumerate() {
                let place = self.nearest_image(piece, place);
                let along = piece.closest(place);
                let distance = (piece.place(along) - place).length();
                if distance < best.1 {
                    best = (of.point(component, index, along), distance);
                }
            }
        }
        best
    }

    /// The image of a place that is closest to a piece, if the table is periodic.
    fn nearest_image(&self, piece: &Piece, place: DVec2) -> DVec2 {
        let Some(periods) = self.periods else { return place };
        let middle = piece.place(0.5 * piece.length());
        let to = match *piece {
            Piece::Arc { centre, .. } => centre,
            Piece::Line { .. } => middle,
        };
        place - ((place - to) / periods).round() * periods
    }
}

impl Component {
    fn new(pieces: Vec<Piece>) -> Self {
        let mut sum = 0.0;
        let ends = pieces.iter().map(|piece| {
            sum += piece.length();
            sum
        });
        Self { ends: ends.collect(), pieces, is_outer: false }
    }

    /// Its length, metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// Whether it is the outer one.
    #[must_use]
    pub fn is_outer(&self) -> bool {
        self.is_outer
    }

    fn start_of(&self, piece: usize) -> f64 {
        if piece == 0 { 0.0 } else { self.ends[piece - 1] }
    }

    fn point(&self, component: usize, piece: usize, along: f64) -> BoundaryPoint {
        let of = &self.pieces[piece];
        BoundaryPoint {
            component,
            along: self.start_of(piece) + along,
            place: of.place(along),
            tangent: of.tangent(along),
        }
    }

    /// Whether it winds around a place counter-clockwise.
    fn surrounds(&self, place: DVec2) -> bool {
        self.pieces.iter().map(|piece| piece.crossings(place, RAY)).sum::<i32>() > 0
    }
}

/// A closed chain of pieces.
struct Chain {
    component: Component,
    /// The enclosed area, m²; negative if it runs clockwise.
    area: f64,
}

/// All closed chains of the places where a centre touches terrain, in the order of their first obstacles.
fn chains(obstacles: &[Obstacle]) -> Result<Vec<Chain>, String> {
    let curves: Vec<Piece> = obstacles.iter().flat_map(Obstacle::curves).collect();
    if curves.len() > MOST_CURVES {
        return Err(mark("there is too much terrain for a boundary").to_owned());
    }
    let corners = || curves.iter().flat_map(|curve| [curve.start(), curve.place(0.5 * curve.length())]);
    let (low, high) =
        corners().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let size = (high - low).max_element();
    let slop = SLOP * size;
    let is_free = |piece: &Piece| {
        let middle = piece.place(0.5 * piece.length());
        obstacles.iter().all(|obstacle| obstacle.gap(middle) > -1e-3 * slop)
    };
    let boxes: Vec<[DVec2; 2]> = curves.iter().map(Piece::bounds).collect();
    let mut parts: Vec<Piece> = Vec::new();
    for (i, curve) in curves.iter().enumerate() {
        let others = (0..curves.len()).filter(|&j| j != i && is_near(&boxes[i], &boxes[j], slop));
        let cuts = others.flat_map(|j| curve.crossed_by(&curves[j], slop)).collect();
        for part in curve.cut(cuts, slop).into_iter().filter(|part| is_free(part)) {
            // Two walls in one place have the same curve.
            let middle = |piece: &Piece| piece.place(0.5 * piece.length());
            let same = |other: &Piece| (middle(other) - middle(&part)).length() <= slop;
            if !parts.iter().any(same) {
                parts.push(part);
            }
        }
    }
    let mut is_used = vec![false; parts.len()];
    let mut chains = Vec::new();
    for first in 0..parts.len() {
        if is_used[first] {
            continue;
        }
        is_used[first] = true;
        let mut chain = vec![parts[first]];
        let mut last = parts[first];
        // Continue until the first part is the next one.
        while let Some(next) = next_part(&parts, &is_used, first, &last, JOIN * size) {
            if next == first {
                let pieces: Vec<Piece> = std::mem::take(&mut chain);
                let area = 0.5 * pieces.iter().map(Piece::doubled_area).sum::<f64>();
                chains.push(Chain { component: Component { is_outer: area > 0.0, ..Component::new(pieces) }, area });
                break;
            }
            is_used[next] = true;
            last = parts[next];
            chain.push(last);
        }
    }
    Ok(chains)
}

/// Whether two boxes overlap, or are at most `slop` metres apart.
fn is_near([low, high]: &[DVec2; 2], [other_low, other_high]: &[DVec2; 2], slop: f64) -> bool {
    (*low - slop).cmple(*other_high).all() && (*high + slop).cmpge(*other_low).all()
}

/// The part that continues a chain: it starts where the last one ends. Where several do, the one that turns farthest to
/// the left, so that chains that touch in a point are kept apart.
fn next_part(parts: &[Piece], is_used: &[bool], first: usize, last: &Piece, join: f64) -> Option<usize> {
    let end = last.end();
    let direction = last.tangent(last.length());
    let gap = |i: usize| (parts[i].start() - end).length();
    let candidates = || (0..parts.len()).filter(|&i| (i == first || !is_used[i]) && gap(i) <= join);
    let least = candidates().map(gap).fold(f64::INFINITY, f64::min);
    let turn = |i: usize| {
        let next = parts[i].tangent(0.0);
        libm::atan2(direction.perp_dot(next), direction.dot(next))
    };
    candidates().filter(|&i| gap(i) <= least + 1e-3 * join).max_by(|&i, &j| turn(i).total_cmp(&turn(j)))
}
