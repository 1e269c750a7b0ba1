//! Outlines cut into triangles, which fill them: by ears, one after the other (Meisters, "Polygons have ears", 1975).
//! Plain functions; they know no ECS.

use bevy::math::Vec2;

use crate::{
    collision::{Bounds, Tree},
    scene::edges_cross,
};

/// A corner is compared with no more than so many others that lie near it, and is no ear where they are more.
const MOST: usize = 4096;

/// Corners are looked at so many times each, all in all; what takes longer is left as an outline.
const PATIENCE: usize = 64;

/// Triangles that fill a closed outline, counter-clockwise, in its own coordinates. None where an edge crosses another,
/// so that inside and outside are not told apart, where a coordinate is no finite number, or where nothing is inside.
pub(crate) fn triangles(outline: &[Vec2]) -> Option<Vec<[Vec2; 3]>> {
    if !outline.iter().all(|point| point.is_finite()) || edges_cross(outline) {
        return None;
    }
    let mut points = outline.to_vec();
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let origin = *points.first()?;
    let area: f64 = points.windows(2).map(|edge| turn(origin, edge[0], edge[1])).sum();
    if area < 0.0 {
        points.reverse();
    }
    Ring::new(&points).cut()
}

/// Twice the area of a triangle: above zero if it is counter-clockwise.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    (b.as_dvec2() - a.as_dvec2()).perp_dot(c.as_dvec2() - a.as_dvec2())
}

/// The corners that are still there, each with those before and after it.
struct Ring<'a> {
    points: &'a [Vec2],
    before: Vec<usize>,
    after: Vec<usize>,
    is_gone: Vec<bool>,
    /// The corners that point inward. None comes to them, as what is cut off only opens corners.
    inward: Tree,
}

impl<'a> Ring<'a> {
    fn new(points: &'a [Vec2]) -> Self {
        let count = points.len();
        let before = (0..count).map(|k| (k + count - 1) % count).collect();
        let after = (0..count).map(|k| (k + 1) % count).collect();
        Self { points, before, after, is_gone: vec![false; count], inward: Tree::default() }
    }

    /// Files the corners anew that point inward now.
    fn file(&mut self) {
        let at = |k: usize| Bounds::around(self.points[k], 0.0);
        let inward = (0..self.points.len()).filter(|&k| !self.is_gone[k] && self.points_inward(k));
        let mut inward: Vec<(Bounds, u32)> = inward.map(|k| (at(k), k as u32)).collect();
        self.inward = Tree::new(&mut inward);
    }

    fn points_inward(&self, k: usize) -> bool {
        let [from, at, to] = self.corner(k);
        turn(from, at, to) <= 0.0
    }

    fn corner(&self, k: usize) -> [Vec2; 3] {
        [self.before[k], k, self.after[k]].map(|k| self.points[k])
    }

    fn cut(mut self) -> Option<Vec<[Vec2; 3]>> {
        let mut left = self.points.len();
        let mut filed = usize::MAX;
        let mut triangles = Vec::with_capacity(left);
        let (mut at, mut since_last) = (0, 0);
        let mut near = Vec::new();
        for _ in 0..PATIENCE * left {
            if left < 3 || since_last > left {
                break;
            }
            // Large triangles come last, and would find all that is gone.
            if left <= filed / 2 {
                self.file();
                filed = left;
            }
            let corner = self.corner(at);
            let size = turn(corner[0], corner[1], corner[2]);
            if size > 0.0 && self.is_ear(at, &mut near) {
                triangles.push(corner);
            } else if size != 0.0 {
                (at, since_last) = (self.after[at], since_last + 1);
                continue;
            }
            let (before, after) = (self.before[at], self.after[at]);
            (self.after[before], self.before[after]) = (after, before);
            self.is_gone[at] = true;
            left -= 1;
            // Every other one, round after round, so that they do not all become splinters with one corner in common.
            (at, since_last) = (self.after[after], 0);
        }
        (left < 3 && !triangles.is_empty()).then_some(triangles)
    }

    /// Whether no other corner lies in the triangle of a corner and its neighbours.
    fn is_ear(&self, k: usize, near: &mut Vec<u32>) -> bool {
        let [a, b, c] = self.corner(k);
        self.inward.first_overlapping(Bounds::of_points([a, b, c]), MOST, near);
        near.len() < MOST
            && !near.iter().map(|&other| other as usize).any(|other| {
                let at = self.points[other];
                !self.is_gone[other]
                    && at != a
                    && at != b
                    && at != c
                    && self.points_inward(other)
                    && turn(a, b, at) >= 0.0
                    && turn(b, c, at) >= 0.0
                    && turn(c, a, at) >= 0.0
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::vec2;

    /// The area of an outline, and that of the triangles that fill it.
    fn areas(outline: &[Vec2]) -> (f64, f64) {
        let closed = outline.iter().zip(outline.iter().cycle().skip(1));
        let area: f64 = closed.map(|(a, b)| turn(Vec2::ZERO, *a, *b)).sum();
        let triangles = triangles(outline).expect("it has an inside");
        assert!(triangles.iter().all(|[a, b, c]| turn(*a, *b, *c) > 0.0));
        (area.abs(), triangles.iter().map(|[a, b, c]| turn(*a, *b, *c)).sum())
    }

    fn star(count: usize, inner: f32) -> Vec<Vec2> {
        let corner = |k: usize| {
            let angle = std::f32::consts::TAU * k as f32 / count as f32;
            Vec2::from_angle(angle) * if k.is_multiple_of(2) { 1.0 } else { inner }
        };
        (0..count).map(corner).collect()
    }

    #[test]
    fn triangles_fill_an_outline_whichever_way_it_runs() {
        let arrow = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(0.5, 0.5), vec2(0.0, 2.0)];
        let spiral = [[0, 0], [5, 0], [5, 5], [1, 5], [1, 2], [3, 2], [3, 3], [2, 3], [2, 4], [4, 4], [4, 1], [0, 1]];
        let spiral = spiral.map(|[x, y]| vec2(x as f32, y as f32));
        // A frame with a cut from its rim to its hole, and a point twice.
        let frame = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0], [1, 1], [1, 3], [3, 3], [3, 1], [1, 1], [1, 1], [0, 0]];
        let frame = frame.map(|[x, y]| vec2(x as f32, y as f32));
        for outline in [&arrow[..], &spiral, &frame, &star(11, 0.4), &star(1000, 0.9)] {
            let reversed: Vec<Vec2> = outline.iter().rev().copied().collect();
            for outline in [outline, &reversed] {
                let (area, filled) = areas(outline);
                assert!((area - filled).abs() < 1e-6 * area, "{area} and {filled}");
            }
        }
    }

    #[test]
    fn what_has_no_inside_is_left_alone() {
        let bow_tie = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
        assert_eq!(triangles(&bow_tie), None);
        assert_eq!(triangles(&[Vec2::ZERO, Vec2::X, Vec2::X * 2.0]), None);
        assert_eq!(triangles(&[Vec2::ZERO, Vec2::X, Vec2::NAN]), None);
        assert_eq!(triangles(&[Vec2::ONE; 5]), None);
        assert_eq!(triangles(&[]), None);
    }

    #[test]
    fn a_hundred_thousand_corners_take_no_long_time() {
        let (area, filled) = areas(&star(100_000, 0.999));
        assert!((area - filled).abs() < 1e-6 * area, "{area} and {filled}");
    }
}
