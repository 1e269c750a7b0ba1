//! The geometry of an arc: its ends, points along it, and its bounding box. Angles are in radians, counter-clockwise
//! from the x axis.

use bevy::{math::DVec2, prelude::*};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The number of edges per turn in the drawing of an arc. They deviate by less than a six-thousandth of its radius.
const EDGES: f64 = 180.0;

/// A full circle.
pub(super) fn whole() -> f32 {
    std::f32::consts::TAU
}

/// Whether an arc is a full circle.
pub(crate) fn is_whole(extent: f32) -> bool {
    extent >= whole()
}

/// The unit vector at an angle. Along the axes it is exact, so that quarter circles end where straight walls start.
fn unit(angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    // The rounding error of an `f32` angle.
    let exact = |part: f64| if part.abs() < 2e-7 { 0.0 } else { part };
    DVec2::new(exact(cos), exact(sin)).normalize()
}

/// The point of a circle at an angle from where an arc starts, metres.
pub(crate) fn on_circle(centre: Vec2, radius: f32, start: f32, angle: f64) -> Vec2 {
    (centre.as_dvec2() + unit(f64::from(start) + angle) * f64::from(radius)).as_vec2()
}

/// Points along an arc around the origin, and whether the last joins the first.
pub(super) fn outline(radius: f32, start: f32, extent: f32) -> (Vec<Vec2>, bool) {
    let is_whole = is_whole(extent);
    let extent = f64::from(extent).min(TAU);
    // An arc with an invalid extent is rejected and never drawn; here it has two edges.
    let edges = (EDGES * extent / TAU).ceil().max(2.0) as u32;
    let last = if is_whole { edges - 1 } else { edges };
    let angle = |k: u32| extent * f64::from(k) / f64::from(edges);
    ((0..=last).map(|k| on_circle(Vec2::ZERO, radius, start, angle(k))).collect(), is_whole)
}

/// The bounding box of an arc.
pub(super) fn bounds(centre: Vec2, radius: f32, [start, extent]: [f32; 2]) -> Rect {
    let ends = [0.0, f64::from(extent).min(TAU)].map(|angle| on_circle(centre, radius, start, angle));
    let axes = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].into_iter().zip(0..);
    let reached = axes.filter(|&(_, quarter)| {
        let after = (f64::from(quarter) * FRAC_PI_2 - f64::from(start)).rem_euclid(TAU);
        after <= f64::from(extent)
    });
    let points = reached.map(|(axis, _)| centre + axis * radius).chain(ends);
    points.fold(Rect::EMPTY, |bounds, point| bounds.union_point(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    #[test]
    fn the_box_around_an_arc_holds_it_and_touches_it_on_all_sides() {
        for start in [-4.0, -FRAC_PI_2, 0.0, 1.0, 3.0] {
            for extent in [0.1, 1.0, FRAC_PI_2, PI, 5.0, whole(), 9.0] {
                let bounds = bounds(Vec2::ZERO, 2.0, [start, extent]);
                let (points, closed) = outline(2.0, start, extent);
                assert_eq!(closed, extent >= whole());
                let around = points.iter().fold(Rect::EMPTY, |bounds, &point| bounds.union_point(point));
                let gaps = [around.min - bounds.min, bounds.max - around.max];
                assert!(
                    gaps.iter().all(|gap| gap.cmpge(Vec2::splat(-1e-6)).all() && gap.cmple(Vec2::splat(1e-3)).all()),
                    "{start} {extent}: {bounds:?} {around:?}"
                );
            }
        }
    }

    #[test]
    fn half_a_circle_begins_and_ends_exactly_where_straight_walls_do() {
        let ends = [0.0, f64::from(PI)].map(|angle| on_circle(Vec2::X, 1.0, -FRAC_PI_2, angle));
        assert_eq!(ends, [Vec2::new(1.0, -1.0), Vec2::new(1.0, 1.0)]);
    }
}
