//! The handles of an arc, and the arc after one is pulled. Points are in its frame of reference, metres; angles in
//! radians.

use bevy::prelude::*;
use std::f32::consts::TAU;

use super::{handle::Handle, snap::whole_step};
use crate::components::{Terrain, is_whole, on_circle};

/// The smallest extent of an arc.
const LEAST: f32 = 0.01;

/// Its ends, and its middle, which changes the radius. A whole circle has only the middle.
pub(super) fn handles(radius: f32, start: f32, extent: f32) -> impl Iterator<Item = (Handle, Vec2)> {
    let all = [(Handle::Rim, 0.5), (Handle::Point(0), 0.0), (Handle::Point(1), 1.0)];
    let count = if is_whole(extent) { 1 } else { 3 };
    let angle = move |share: f64| f64::from(extent.min(TAU)) * share;
    all.into_iter().take(count).map(move |(handle, share)| (handle, on_circle(Vec2::ZERO, radius, start, angle(share))))
}

/// The arc after a handle is pulled to a point. An end moves around the circle, with `constrained` in steps of 15
/// degrees.
pub(super) fn pulled(arc: &Terrain, handle: Handle, to: Vec2, constrained: bool) -> Terrain {
    let Terrain::Arc { radius, start, extent } = *arc else { return arc.clone() };
    let angle = if constrained { whole_step(to.to_angle()) } else { to.to_angle() };
    // Counter-clockwise from one end to the other.
    let between = |from: f32, to: f32| (to - from).rem_euclid(TAU).max(LEAST);
    match handle {
        Handle::Rim => Terrain::Arc { radius: to.length(), start, extent },
        Handle::Point(0) => Terrain::Arc { radius, start: angle, extent: between(angle, start + extent) },
        _ => Terrain::Arc { radius, start, extent: between(start, angle) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    const QUARTER: Terrain = Terrain::Arc { radius: 2.0, start: 0.0, extent: FRAC_PI_2 };

    #[test]
    fn an_end_goes_around_and_the_other_stays() {
        let Terrain::Arc { start, extent, .. } = pulled(&QUARTER, Handle::Point(0), vec2(0.0, -5.0), false) else {
            panic!("an arc")
        };
        assert!((start + FRAC_PI_2).abs() < 1e-6 && (extent - PI).abs() < 1e-6, "{start} {extent}");
        let far = pulled(&QUARTER, Handle::Point(1), vec2(0.9, -1.0), true);
        let Terrain::Arc { start, extent, .. } = far else { panic!("an arc") };
        assert!(start == 0.0 && (extent - 315.0_f32.to_radians()).abs() < 1e-5, "{extent}");
    }

    #[test]
    fn the_middle_makes_it_larger_and_a_whole_circle_has_nothing_else() {
        let larger = pulled(&QUARTER, Handle::Rim, vec2(3.0, 4.0), false);
        assert_eq!(larger, Terrain::Arc { radius: 5.0, start: 0.0, extent: FRAC_PI_2 });
        assert_eq!(handles(2.0, 0.0, FRAC_PI_2).count(), 3);
        assert_eq!(handles(2.0, 0.0, TAU).collect::<Vec<_>>(), [(Handle::Rim, vec2(-2.0, 0.0))]);
    }
}
