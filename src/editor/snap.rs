//! Snapping: drawn points snap to existing ends, corners and centres, or else to the grid. With Shift, angles go in
//! steps of 15 degrees.

use bevy::prelude::*;

use crate::components::{Rotation, Terrain};

/// The nearest multiple of 15 degrees, radians.
pub(super) fn whole_step(angle: f32) -> f32 {
    let step = 15.0_f32.to_radians();
    (angle / step).round() * step
}

/// The snapped point (all in metres): the nearest of `places` within `reach`, or else the nearest crossing of a grid
/// with this spacing.
#[must_use]
pub fn snapped(point: Vec2, reach: f32, grid: f32, places: impl IntoIterator<Item = Vec2>) -> Vec2 {
    let near = places.into_iter().filter(|place| place.distance(point) <= reach);
    let nearest = near.min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)));
    nearest.unwrap_or_else(|| on_grid(point, grid))
}

/// The nearest crossing of a grid with this spacing, metres, or the point itself without a valid spacing.
#[must_use]
pub fn on_grid(point: Vec2, grid: f32) -> Vec2 {
    // In f64, so that a multiple of a tenth is the closest number to it.
    let to_line = |x: f32| {
        let steps = (f64::from(x) / f64::from(grid)).round();
        let lines_per_metre = (1.0 / f64::from(grid)).round();
        if lines_per_metre >= 1.0 && (lines_per_metre * f64::from(grid) - 1.0).abs() < 1e-6 {
            (steps / lines_per_metre) as f32
        } else {
            (steps * f64::from(grid)) as f32
        }
    };
    let crossing = if grid > 0.0 { point.map(to_line) } else { point };
    if crossing.is_finite() { crossing } else { point }
}

/// The snapping targets of a piece of terrain: its ends or corners and its centre, metres.
#[must_use]
pub fn places(terrain: &Terrain, position: Vec2, rotation: Rotation) -> Vec<Vec2> {
    let (mut points, _) = terrain.outline();
    match terrain {
        Terrain::Circle { .. } | Terrain::Block { .. } | Terrain::Arena { .. } => points.push(Vec2::ZERO),
        Terrain::Segment { a, b } => points.push(a.midpoint(*b)),
        Terrain::Arc { .. } => {
            let (first, last) = (points[0], points[points.len() - 1]);
            points = if terrain.is_arena() { vec![Vec2::ZERO] } else { vec![first, last, Vec2::ZERO] };
        }
        Terrain::Polygon { .. } | Terrain::Polyline { .. } => {}
    }
    points.into_iter().map(|point| position + rotation.turn(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_goes_before_the_grid() {
        let places = [vec2(0.52, 0.0), vec2(0.55, 0.0), vec2(9.0, 9.0)];
        assert_eq!(snapped(vec2(0.53, 0.01), 0.05, 0.1, places), vec2(0.52, 0.0));
        assert_eq!(snapped(vec2(0.33, -0.08), 0.05, 0.1, places), vec2(0.3, -0.1));
        assert_eq!(snapped(vec2(0.33, -0.08), 0.05, 0.0, places), vec2(0.33, -0.08), "without a grid");
    }

    #[test]
    fn places_on_the_grid_are_the_numbers_that_one_would_write() {
        assert_eq!(on_grid(vec2(0.71, 1.19), 0.1), vec2(0.7, 1.2));
        assert_eq!(on_grid(vec2(0.0312, -0.0048), 0.005), vec2(0.03, -0.005));
        assert_eq!(on_grid(vec2(130.0, 90.0), 50.0), vec2(150.0, 100.0));
        assert!(on_grid(Vec2::NAN, 1.0).is_nan());
    }

    #[test]
    fn corners_are_where_the_piece_is_turned_to() {
        let quarter = Rotation(std::f32::consts::FRAC_PI_2);
        let wall = Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) };
        let found = places(&wall, vec2(1.0, 1.0), quarter);
        for (place, wanted) in found.iter().zip([vec2(1.0, 1.0), vec2(1.0, 3.0), vec2(1.0, 2.0)]) {
            assert!(place.distance(wanted) < 1e-6, "{place}");
        }
        assert_eq!(places(&Terrain::Circle { radius: 2.0 }, Vec2::X, Rotation(1.0)), [Vec2::X]);
    }
}
