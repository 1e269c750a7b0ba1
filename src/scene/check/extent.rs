//! Checks for terrain without extent, because all its points are equal, and for outlines that cross themselves.

use bevy::math::{DVec2, Vec2};

use crate::{
    collision::{Bounds, Tree},
    components::{InvalidValue, Terrain},
    scene::{
        contents::{Contents, Listed},
        entries::TerrainEntry,
        text::first_of_many,
    },
};

/// The number of other edges with overlapping boxes that an edge is compared with. Hand-drawn outlines have few. In
/// outlines with more, a crossing may be missed.
const MOST: usize = 256;

pub(super) fn check(contents: &Contents, listed: Listed) -> Result<(), InvalidValue> {
    let first = contents.terrain.iter().enumerate().find_map(|(i, piece)| Some((i, problem(&piece.shape)?)));
    first.map_or(Ok(()), |(i, problem)| Err(InvalidValue::without_value("shape", problem).of(&listed.terrain(i))))
}

pub(in crate::scene) fn problem(shape: &Terrain) -> Option<&'static str> {
    match shape {
        Terrain::Segment { a, b } if a == b => {
            Some("a and b are the same point; move one of them, or write Circle(radius: 0) for a single point")
        }
        Terrain::Polyline { points } if points.iter().all(|point| *point == points[0]) => {
            Some("all of its points are the same; give two that differ, or write Circle(radius: 0) for a single point")
        }
        Terrain::Polygon { points } if are_on_a_line(points) => {
            Some("all of its points lie on one line, so that nothing is inside; write a Polyline, or move one of them")
        }
        _ => None,
    }
}

fn are_on_a_line(points: &[Vec2]) -> bool {
    let Some(&first) = points.first() else { return true };
    let Some(&other) = points.iter().find(|point| **point != first) else { return true };
    points.iter().all(|&point| side(first, other, point) == 0.0)
}

/// On which side of the line from `a` to `b` a point lies: positive on the left.
fn side(a: Vec2, b: Vec2, point: Vec2) -> f64 {
    // The difference of two `f32` is exact in f64 unless one is about a billionth of the other.
    let [a, b, point]: [DVec2; 3] = [a, b, point].map(Vec2::as_dvec2);
    (b - a).perp_dot(point - a)
}

/// Warns of polygons in which one edge crosses another.
pub(super) fn warnings(contents: &Contents, listed: Listed) -> Option<String> {
    let crossed = |(i, piece): (usize, &TerrainEntry)| match &piece.shape {
        Terrain::Polygon { points } => crossing(points).map(|edges| (i, points.len(), edges)),
        _ => None,
    };
    let found = contents.terrain.iter().enumerate().filter_map(crossed);
    first_of_many(found, |(i, count, [j, k])| {
        let [j_end, k_end] = [j, k].map(|edge| (edge + 1) % count);
        format!(
            "{}.shape: the edge from points[{j}] to points[{j_end}] crosses that from points[{k}] to points[{k_end}], so that inside \
             and outside are not told apart; bring the points into their order around the Polygon",
            listed.terrain(i)
        )
    })
}

/// Two edges of a closed outline that cross in their interiors. Edge `i` begins at point `i`.
pub(in crate::scene) fn crossing(points: &[Vec2]) -> Option<[usize; 2]> {
    if points.len() < 4 {
        return None;
    }
    let edge = |i: usize| [points[i], points[(i + 1) % points.len()]];
    let bounds = |i: usize| -> Bounds {
        let [a, b] = edge(i);
        Bounds::of_points([a, b])
    };
    let mut boxes: Vec<(Bounds, u32)> = (0..points.len()).map(|i| (bounds(i), i as u32)).collect();
    let tree = Tree::new(&mut boxes);
    let mut near = Vec::new();
    (0..points.len()).find_map(|i| {
        tree.first_overlapping(bounds(i), MOST, &mut near);
        let other = near.iter().map(|&j| j as usize).filter(|&j| j > i).find(|&j| do_cross(edge(i), edge(j)));
        other.map(|j| [i, j])
    })
}

fn do_cross([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let apart = |p: f64, q: f64| (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0);
    apart(side(a, b, c), side(a, b, d)) && apart(side(c, d, a), side(c, d, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[[f32; 2]]) -> Vec<Vec2> {
        points.iter().copied().map(Vec2::from_array).collect()
    }

    #[test]
    fn edges_that_cross_are_found_and_those_that_only_touch_are_not() {
        let bow_tie = points(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(crossing(&bow_tie), Some([0, 2]));
        let square = points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(crossing(&square), None);
        // The first point repeated at the end, as some programs write it; a point on an edge; an edge there and back.
        assert_eq!(crossing(&[&square[..], &square[..1]].concat()), None);
        assert_eq!(crossing(&points(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.0], [0.0, 1.0]])), None);
        assert_eq!(crossing(&points(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 0.0], [0.0, 1.0]])), None);
    }

    #[test]
    fn a_crossing_among_a_hundred_thousand_edges_is_found_and_a_comb_takes_no_longer() {
        let count = 100_000;
        let mut star: Vec<Vec2> = (0..count)
            .map(|k: usize| {
                let angle = std::f32::consts::TAU * k as f32 / count as f32;
                1e4 * Vec2::from_angle(angle) * if k.is_multiple_of(2) { 1.0 } else { 0.99999 }
            })
            .collect();
        assert_eq!(crossing(&star), None);
        star.swap(70_001, 70_003);
        assert!(crossing(&star).is_some_and(|[i, _]| (70_000..70_004).contains(&i)));
        // Every box of a slanted comb overlaps every other.
        let tooth =
            |k: usize| Vec2::splat(k as f32) + if k.is_multiple_of(2) { Vec2::ZERO } else { Vec2::new(-1e6, 1e6) };
        let comb = (0..=count).map(tooth).chain([Vec2::new(count as f32, 0.0)]);
        assert_eq!(crossing(&comb.collect::<Vec<_>>()), None);
    }

    #[test]
    fn what_is_nowhere_is_found_and_nothing_else() {
        let segment = |b| Terrain::Segment { a: Vec2::ONE, b };
        assert!(problem(&segment(Vec2::ONE)).is_some() && problem(&segment(Vec2::X)).is_none());
        let polyline = |list: &[[f32; 2]]| problem(&Terrain::Polyline { points: points(list) }).is_some();
        assert!(polyline(&[[1.0, 2.0]; 3]));
        assert!(!polyline(&[[1.0, 2.0], [1.0, 2.0], [1.0, 3.0]]));
        let polygon = |list: &[[f32; 2]]| problem(&Terrain::Polygon { points: points(list) }).is_some();
        assert!(polygon(&[[1.0, 2.0]; 3]) && polygon(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]));
        assert!(!polygon(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [3.0, 3.1]]));
        assert_eq!(problem(&Terrain::Circle { radius: 0.0 }), None, "a single point");
    }
}
