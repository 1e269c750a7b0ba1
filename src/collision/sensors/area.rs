//! The area of a sensor, and the parts of a straight path in which a disc is inside: exact, by the roots of quadratics.

use bevy::{math::DVec2, prelude::*};

use crate::{
    collision::{
        shape::{Bounds, Wall, arc::CurvedWall},
        terrain::index::PlacedTerrain,
    },
    components::{Position, Rotation, Terrain},
};

/// The area of a sensor, in world coordinates, metres. A disc that overlaps it is inside.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    /// All points within this radius of a centre; for a disc that is a sensor, relative to the disc.
    Circle { centre: DVec2, radius: f64 },
    /// Lines through points; closed ones including their inside.
    Outline { points: Vec<DVec2>, closed: bool },
    /// A line along a circle.
    Arc(Wall),
}

/// A part of a path, from 0 to 1.
pub(super) type Interval = [f64; 2];

impl Area {
    pub fn of(terrain: &Terrain, position: Vec2, rotation: Rotation) -> Self {
        if let Terrain::Circle { radius } = *terrain {
            return Self::Circle { centre: position.as_dvec2(), radius: f64::from(radius) };
        }
        if let Terrain::Arc { .. } = terrain {
            let placed = PlacedTerrain::of(terrain, Position(position), rotation, None);
            if let Some(wall) = placed.walls(Entity::PLACEHOLDER).next() {
                return Self::Arc(wall);
            }
            let points = placed.points.iter().map(|point| point.as_dvec2()).collect();
            return Self::Outline { points, closed: false };
        }
        let (points, closed) = terrain.outline();
        let points = points.into_iter().map(|point| (position + rotation.turn(point)).as_dvec2()).collect();
        Self::Outline { points, closed }
    }

    /// The bounding box.
    pub(super) fn bounds(&self) -> Bounds {
        let bounds = match self {
            Self::Circle { centre, radius } => {
                Bounds::new((*centre - *radius).as_vec2(), (*centre + *radius).as_vec2())
            }
            Self::Outline { points, .. } => Bounds::of_points(points.iter().map(|point| point.as_vec2())),
            Self::Arc(wall) => wall.bounds(),
        };
        // Rounded outward.
        Bounds::new(bounds.low.map(f32::next_down), bounds.high.map(f32::next_up))
    }

    /// The parts of a straight path in which a disc of this radius is in the area, sorted and disjoint.
    pub(super) fn parts_inside(&self, [from, to]: [DVec2; 2], radius: f64, parts: &mut Vec<Interval>) {
        parts.clear();
        match self {
            Self::Circle { centre, radius: own } => {
                parts.extend(in_circle(from - *centre, to - from, own + radius).and_then(within));
            }
            Self::Arc(wall) => {
                if let Some(curved) = wall.curved() {
                    add_parts_near_arc(wall, &curved, [from, to], radius, parts);
                }
                join(parts);
            }
            Self::Outline { points, closed } => {
                let edges = points.len() - usize::from(!closed);
                let edge = |k: usize| [points[k], points[(k + 1) % points.len()]];
                let rims = (0..edges).filter_map(|k| in_capsule([from, to], edge(k), radius));
                parts.extend(rims.filter_map(within));
                if *closed {
                    add_inner_parts(points, [from, to], parts);
                }
                join(parts);
            }
        }
    }
}

/// The part of an interval within the path.
fn within([start, end]: Interval) -> Option<Interval> {
    let (start, end) = (start.max(0.0), end.min(1.0));
    (start <= end).then_some([start, end])
}

/// When a path from `p` along `d` is closer to the origin than `radius`.
fn in_circle(p: DVec2, d: DVec2, radius: f64) -> Option<Interval> {
    let (square, half, c) = (d.length_squared(), p.dot(d), p.length_squared() - radius * radius);
    if square == 0.0 {
        return (c < 0.0).then_some([f64::NEG_INFINITY, f64::INFINITY]);
    }
    let cross = p.perp_dot(d);
    let discriminant = square * radius * radius - cross * cross;
    if discriminant <= 0.0 {
        return None;
    }
    // The root of larger magnitude is a sum; the other follows from their product.
    let larger = -half - discriminant.sqrt().copysign(half);
    let roots = [larger / square, if larger == 0.0 { 0.0 } else { c / larger }];
    Some([roots[0].min(roots[1]), roots[0].max(roots[1])])
}

/// When a path is closer to a segment than `radius`: one interval, as that region is convex.
fn in_capsule([from, to]: [DVec2; 2], [a, b]: [DVec2; 2], radius: f64) -> Option<Interval> {
    let d = to - from;
    let ends = [a, b].map(|end| in_circle(from - end, d, radius));
    let (along, length) = ((b - a).normalize_or_zero(), a.distance(b));
    let (p, across) = (from - a, along.perp());
    let sides = in_band(p.dot(across), d.dot(across), [-radius, radius]);
    let between = in_band(p.dot(along), d.dot(along), [0.0, length]);
    let middle = sides.zip(between).map(|(a, b)| [a[0].max(b[0]), a[1].min(b[1])]).filter(|[start, end]| start < end);
    ends.into_iter().chain([middle.filter(|_| length > 0.0)]).flatten().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// Adds the parts of a path that are closer to an arc than `radius`: between the times at which the path crosses the
/// boundary of that region.
fn add_parts_near_arc(
    wall: &Wall,
    curved: &CurvedWall,
    [from, to]: [DVec2; 2],
    radius: f64,
    parts: &mut Vec<Interval>,
) {
    let (d, (centre, own)) = (to - from, curved.circle());
    let ends = [wall.a, wall.b].map(Vec2::as_dvec2);
    let rims = [(centre, own + radius), (centre, (own - radius).abs()), (ends[0], radius), (ends[1], radius)];
    let crossings = rims.into_iter().filter_map(|(centre, radius)| in_circle(from - centre, d, radius));
    // At its ends the boundary follows the lines from the centre through them.
    let across = ends.map(|end| (end - centre).perp_dot(from - centre) / d.perp_dot(end - centre));
    let cuts = crossings.flatten().chain(across).filter(|share| *share > 0.0 && *share < 1.0);
    let mut cuts: Vec<f64> = cuts.chain([0.0, 1.0]).collect();
    cuts.sort_unstable_by(f64::total_cmp);
    let is_near = |part: &&[f64]| curved.distance(from + d * (0.5 * (part[0] + part[1]))) < radius;
    parts.extend(cuts.windows(2).filter(is_near).map(|part| [part[0], part[1]]));
}

/// When `at + speed * t` is between two values.
fn in_band(at: f64, speed: f64, [low, high]: [f64; 2]) -> Option<Interval> {
    if speed == 0.0 {
        return (at > low && at < high).then_some([f64::NEG_INFINITY, f64::INFINITY]);
    }
    let (first, second) = ((low - at) / speed, (high - at) / speed);
    Some([first.min(second), first.max(second)])
}

/// Adds the parts of a path inside a polygon.
fn add_inner_parts(points: &[DVec2], [from, to]: [DVec2; 2], parts: &mut Vec<Interval>) {
    let d = to - from;
    let edges = points.iter().zip(points.iter().cycle().skip(1));
    let crossings = edges.filter_map(|(&a, &b)| {
        let along = b - a;
        let across = d.perp_dot(along);
        let share = (a - from).perp_dot(along) / across;
        (across != 0.0 && share > 0.0 && share < 1.0).then_some(share)
    });
    let mut cuts: Vec<f64> = [0.0, 1.0].into_iter().chain(crossings).collect();
    cuts.sort_unstable_by(f64::total_cmp);
    // By a point between two cuts, so that rounding at a corner does not matter.
    let is_inside = |part: &&[f64]| holds(points, from + d * (0.5 * (part[0] + part[1])));
    parts.extend(cuts.windows(2).filter(is_inside).map(|part| [part[0], part[1]]));
}

/// Whether a point is inside a polygon: a ray to the right crosses its outline an odd number of times.
fn holds(points: &[DVec2], at: DVec2) -> bool {
    let edges = points.iter().zip(points.iter().cycle().skip(1));
    let crossed = edges.filter(|&(&a, &b)| {
        let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
        low.y <= at.y && at.y < high.y && (high - low).perp_dot(at - low) > 0.0
    });
    crossed.count() % 2 == 1
}

/// Merges overlapping intervals and sorts them.
pub(super) fn join(parts: &mut Vec<Interval>) {
    parts.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let mut kept = 0;
    for at in 0..parts.len() {
        let part = parts[at];
        if kept > 0 && part[0] <= parts[kept - 1][1] {
            parts[kept - 1][1] = parts[kept - 1][1].max(part[1]);
        } else {
            parts[kept] = part;
            kept += 1;
        }
    }
    parts.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::{dvec2, vec2};

    fn parts(area: &Area, from: DVec2, to: DVec2, radius: f64) -> Vec<Interval> {
        let mut parts = Vec::new();
        area.parts_inside([from, to], radius, &mut parts);
        parts
    }

    fn near(found: &[Interval], expected: &[Interval]) -> bool {
        let close = |a: &Interval, b: &Interval| (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9;
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| close(a, b))
    }

    #[test]
    fn a_path_through_each_shape_is_inside_between_the_first_and_the_last_touch() {
        let of = |terrain: Terrain| Area::of(&terrain, vec2(5.0, 0.0), Rotation::default());
        let through = |terrain| parts(&of(terrain), DVec2::ZERO, dvec2(10.0, 0.0), 0.5);
        let block = through(Terrain::Block { half_size: vec2(2.0, 1.0) });
        assert!(near(&block, &[[0.25, 0.75]]), "{block:?}");
        let circle = through(Terrain::Circle { radius: 1.5 });
        assert!(near(&circle, &[[0.3, 0.7]]), "{circle:?}");
        let line = through(Terrain::Segment { a: vec2(0.0, -1.0), b: vec2(0.0, 1.0) });
        assert!(near(&line, &[[0.45, 0.55]]), "{line:?}");
        let bay = vec![vec2(-2.0, -1.0), vec2(2.0, -1.0), vec2(2.0, 1.0), vec2(1.0, 1.0), vec2(1.0, -0.8)];
        let bay = [bay, vec![vec2(-1.0, -0.8), vec2(-1.0, 1.0), vec2(-2.0, 1.0)]].concat();
        // In through the left arm, out into the bay, in through the right arm: at a height of 0.
        let arms = parts(&of(Terrain::Polygon { points: bay }), dvec2(0.0, 0.5), dvec2(10.0, 0.5), 0.5);
        assert!(near(&arms, &[[0.25, 0.45], [0.55, 0.75]]), "{arms:?}");
    }

    #[test]
    fn what_stands_still_is_inside_all_the_time_or_never() {
        let block = Area::of(&Terrain::Block { half_size: vec2(2.0, 1.0) }, Vec2::ZERO, Rotation(0.3));
        assert_eq!(parts(&block, DVec2::ZERO, DVec2::ZERO, 0.1), [[0.0, 1.0]]);
        assert_eq!(parts(&block, dvec2(0.0, 2.0), dvec2(0.0, 2.0), 0.1), [] as [Interval; 0]);
    }
}
