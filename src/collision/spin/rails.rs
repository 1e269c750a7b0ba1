//! The rails of a table: noses that a flying ball climbs or clears, level tops behind them on which it rolls, and the
//! outer edge where it leaves the table. Section 4 and 5 of `docs/src/flight.md`.

use bevy::{math::DVec2, prelude::*};
use serde::{Deserialize, Serialize};

use super::cushion::{self, HIGHEST, LOWEST};
use crate::components::ValueRange;

/// The rails around a rectangular table with its middle at the origin. Static terrain outside the rectangle has the
/// height of the noses; inside, and where there are no rails, terrain acts as walls of any height.
///
/// Over pockets the rails are open. In the circle of a pocket, this is where no terrain is between a place and the
/// centre. In front of the circle, it is where none is between the place and the bed.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Rails {
    /// The height of the noses and of the tops of the rails above the cloth, m, up to 1000. For a ball, a height below
    /// its centre or above 0.9 of its diameter acts as that limit. Default: 0.03629, as in pool.
    #[reflect(@ValueRange::new(0.0, 1e3, "m"))]
    pub nose_height: f32,
    /// The distance between the noses of the end cushions, m, up to 1e6. Default: 2.54, a nine-foot table.
    #[reflect(@ValueRange::new(0.0, 1e6, "m"))]
    pub length: f32,
    /// The distance between the noses of the side cushions, m, up to 1e6. Default: 1.27.
    #[reflect(@ValueRange::new(0.0, 1e6, "m"))]
    pub width: f32,
    /// The distance from the nose of a cushion to the outer edge of the table, m, up to 1e6. A ball whose centre passes
    /// that edge has left the table. Default: 0.165.
    #[reflect(@ValueRange::new(0.0, 1e6, "m"))]
    pub rail_width: f32,
}

impl Default for Rails {
    fn default() -> Self {
        Self { nose_height: 0.036_29, length: 2.54, width: 1.27, rail_width: 0.165 }
    }
}

/// The rails as the centre of a ball meets them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RailProfile {
    /// The height of their tops, metres.
    pub height: f64,
    /// How far the edge of the nose lies in front of the line that stops a ball on the cloth, metres.
    pub overhang: f64,
    /// Half the size of the rectangle between the edges of the noses, metres.
    pub inner: DVec2,
    /// Half the size of the table up to its outer edges, metres.
    pub outer: DVec2,
}

impl Rails {
    /// The rails for a ball of this radius, metres.
    #[must_use]
    pub fn for_ball(&self, radius: f64) -> RailProfile {
        let small = radius as f32;
        let height = f64::from(self.nose_height.clamp(2.0 * LOWEST * small, 2.0 * HIGHEST * small));
        let overhang = cushion::overhang(height, radius);
        let half = DVec2::new(f64::from(self.length), f64::from(self.width)) * 0.5;
        let outer = half + DVec2::splat(f64::from(self.rail_width));
        RailProfile { height, overhang, inner: (half - DVec2::splat(overhang)).max(DVec2::ZERO), outer }
    }

    /// Whether a place is on or behind the noses, to rounding: terrain there has their height.
    #[must_use]
    pub fn hold(&self, place: Vec2) -> bool {
        let half = Vec2::new(self.length, self.width) * (0.5 - 1e-6);
        place.x.abs() >= half.x || place.y.abs() >= half.y
    }
}

impl RailProfile {
    /// Whether a place is over the tops of the rails, pockets aside.
    #[must_use]
    pub fn is_over(&self, place: DVec2) -> bool {
        let place = place.abs();
        place.x >= self.inner.x || place.y >= self.inner.y
    }

    /// When a point on a straight path passes the outer edge, seconds from its start: now if it is outside.
    #[must_use]
    pub fn time_to_outside(&self, place: DVec2, velocity: DVec2) -> f64 {
        let along = |place: f64, velocity: f64, half: f64| {
            let way = if velocity > 0.0 { half - place } else { half + place };
            match velocity.abs() {
                _ if way <= 0.0 && velocity != 0.0 => 0.0,
                speed if speed > 0.0 => way / speed,
                _ => f64::INFINITY,
            }
        };
        along(place.x, velocity.x, self.outer.x).min(along(place.y, velocity.y, self.outer.y))
    }

    /// When a point over a rail that moves straight comes over the bed, seconds from the start of its path, and the
    /// unit vector from that rail to the bed.
    #[must_use]
    pub fn time_to_bed(&self, place: DVec2, velocity: DVec2) -> Option<(f64, DVec2)> {
        // Along each axis it is inside from a time until another.
        let along = |place: f64, velocity: f64, half: f64| {
            let enters = if place.abs() < half {
                0.0
            } else if place * velocity < 0.0 {
                (place.abs() - half) / velocity.abs()
            } else {
                f64::INFINITY
            };
            let leaves =
                if velocity == 0.0 { f64::INFINITY } else { (half - place * velocity.signum()) / velocity.abs() };
            [enters, leaves]
        };
        let [x, y] = [along(place.x, velocity.x, self.inner.x), along(place.y, velocity.y, self.inner.y)];
        // Over the bed already, it has come from the nearest rail.
        let gap = self.inner - place.abs();
        let is_first = if x[0] == y[0] { gap.x <= gap.y } else { x[0] > y[0] };
        let (enters, axis) = if is_first {
            (x[0], DVec2::new(-place.x.signum(), 0.0))
        } else {
            (y[0], DVec2::new(0.0, -place.y.signum()))
        };
        (enters.is_finite() && enters < x[1].min(y[1])).then_some((enters, axis))
    }
}

/// The motion of a ball that leaves the top of a rail across an edge, and how far it drops at once, metres. `inward` is
/// the unit vector across the edge.
///
/// At `√(g R)` across the edge, or faster, the ball does not touch it again, and does not drop. A slower ball tips over
/// the edge: it drops by what it needs to get that speed, and then does not touch the edge either.
#[must_use]
pub fn tip_over(velocity: DVec2, inward: DVec2, radius: f64, gravity: f64) -> (DVec2, f64) {
    let (across, clears) = (velocity.dot(inward), gravity * radius);
    if across * across >= clears || !(gravity > 0.0) {
        return (velocity, 0.0);
    }
    (velocity + inward * (clears.sqrt() - across), (clears - across * across) / (2.0 * gravity))
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f64 = 0.028_575;

    #[test]
    fn the_edge_of_a_nose_lies_in_front_of_its_line() {
        // Section 4 of `docs/src/flight.md`: pool, snooker, carom.
        for (nose_height, radius, overhang) in
            [(0.036_29, R, 0.001_061), (0.036_75, 0.026_25, 0.002_191), (0.037, 0.030_75, 0.000_642)]
        {
            let profile = Rails { nose_height, ..Rails::default() }.for_ball(radius);
            assert!((profile.overhang - overhang).abs() < 1e-6, "{}", profile.overhang);
            assert!((profile.height - f64::from(nose_height)).abs() < 1e-12);
        }
        // A ball as large as the table, and one that would pass below the nose.
        for radius in [1.0, 0.01] {
            let profile = Rails::default().for_ball(radius);
            assert!((radius * 0.999..=1.801 * radius).contains(&profile.height) && profile.inner.min_element() >= 0.0);
        }
    }

    #[test]
    fn a_point_on_a_rail_finds_the_bed_and_the_outer_edge() {
        let rails = Rails { nose_height: 0.036, length: 4.0, width: 2.0, rail_width: 0.5 }.for_ball(0.03);
        let inner = rails.inner;
        let over = |x: f64, y: f64| rails.is_over(DVec2::new(x, y));
        assert!(over(2.1, 0.0) && over(0.0, -1.2) && over(2.2, 1.2) && !over(1.9, 0.9) && over(inner.x, 0.0));
        let at = DVec2::new(-2.2, 0.3);
        assert_eq!(rails.time_to_bed(at, DVec2::new(2.0, 0.0)), Some(((2.2 - inner.x) / 2.0, DVec2::X)));
        assert_eq!(rails.time_to_bed(at, DVec2::new(-2.0, 0.0)), None);
        // Along the rail, and across its corner only.
        assert_eq!(rails.time_to_bed(at, DVec2::new(0.0, 1.0)), None);
        assert_eq!(rails.time_to_bed(DVec2::new(-2.2, 0.9), DVec2::new(0.1, 1.0)), None);
        assert!(rails.time_to_bed(DVec2::new(-2.2, 1.2), DVec2::new(1.0, -1.0)).is_some());
        assert!((rails.time_to_outside(at, DVec2::new(-2.0, 0.0)) - 0.15).abs() < 1e-12);
        // Rounding has moved it over the bed.
        let past = DVec2::new(0.3, inner.y - 1e-16);
        assert_eq!(rails.time_to_bed(past, DVec2::new(0.0, -1.0)), Some((0.0, DVec2::NEG_Y)));
        assert_eq!(rails.time_to_outside(at, DVec2::ZERO), f64::INFINITY);
        assert_eq!(rails.time_to_outside(DVec2::new(-2.6, 0.0), DVec2::new(-1.0, 0.0)), 0.0);
    }

    #[test]
    fn tipping_over_an_edge_keeps_the_energy() {
        // F45: 0.529453 m/s for a pool ball.
        let clears = (9.81 * R).sqrt();
        assert!((clears - 0.529_453).abs() < 5e-7);
        for across in [0.0, 0.01, 0.3, 0.52, 0.53, 2.0] {
            let (velocity, drop) = tip_over(DVec2::new(0.4, -across), DVec2::NEG_Y, R, 9.81);
            assert!((velocity.x - 0.4).abs() < 1e-15 && -velocity.y >= clears.min(across) - 1e-12);
            let gained = velocity.length_squared() - (0.16 + across * across);
            assert!((gained - 2.0 * 9.81 * drop).abs() < 1e-12 && drop <= 0.5 * R);
            assert_eq!(drop == 0.0, across > clears);
        }
    }
}
