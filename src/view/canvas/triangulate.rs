//! Triangulation of outlines, for filling them. Plain functions without the ECS.

use bevy::math::Vec2;
use earcut::Earcut;

use crate::scene::edges_cross;

/// Triangles that fill a closed counter-clockwise outline, in its coordinates. Returns `None` if edges cross (the
/// inside is then undefined), if a coordinate is not finite, or if the outline has no area.
pub(crate) fn triangles(outline: &[Vec2]) -> Option<Vec<[Vec2; 3]>> {
    if !outline.iter().all(|point| point.is_finite()) || edges_cross(outline) {
        return None;
    }
    let mut corners: Vec<u32> = Vec::new();
    Earcut::new().earcut(outline.iter().map(|point| point.as_dvec2().to_array()), &[], &mut corners);
    let triangles = corners.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]);
    let triangles = triangles.map(|corners| counter_clockwise(corners.map(|k| outline[k as usize])));
    let triangles: Vec<_> = triangles.filter(|&[a, b, c]| turn(a, b, c) > 0.0).collect();
    (!triangles.is_empty()).then_some(triangles)
}

fn counter_clockwise([a, b, c]: [Vec2; 3]) -> [Vec2; 3] {
    if turn(a, b, c) < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// Twice the signed area of a triangle, positive if counter-clockwise.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    (b.as_dvec2() - a.as_dvec2()).perp_dot(c.as_dvec2() - a.as_dvec2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::vec2;

    /// The area of an outline, and the total area of its triangles.
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
        // A frame with a cut from its rim to its hole, and a repeated point.
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
