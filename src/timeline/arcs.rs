//! The parts of a path in the air: where they start and land, and their highest points.

use bevy::prelude::*;

/// A part of a path on which a ball is above the cloth, from a take-off to the next landing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// The first point, as an index: the last one on the cloth, or the start of the path.
    pub first: usize,
    /// The last point: the landing, or the end of the path.
    pub last: usize,
    /// Whether the ball lands at the last point.
    pub lands: bool,
    /// The position of its centre where it is highest, metres.
    pub top: Vec2,
    /// The height of its lowest point there, metres above the cloth.
    pub apex: f32,
}

/// The lowest arc that is shown, metres.
const LEAST_SHOWN: f32 = 2e-3;

impl Arc {
    /// Whether it is high enough to be shown: by 2 mm.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.apex >= LEAST_SHOWN
    }
}

/// The arcs of a path, given its points (metres, with times in seconds) and its heights (metres). Without heights there
/// are none.
///
/// A ball that takes off and lands between two points of the path, so within a tick, has no arc there.
#[must_use]
pub fn arcs(points: &[(Vec2, f32)], heights: &[f32]) -> Vec<Arc> {
    let mut arcs = Vec::new();
    let mut next = 0;
    while let Some(above) = (next..heights.len()).find(|&i| heights[i] > 0.0) {
        let landing = (above..heights.len()).find(|&i| heights[i] <= 0.0);
        let (first, last) = (above.saturating_sub(1), landing.unwrap_or(heights.len() - 1));
        let highest = (above..=last).max_by(|&i, &j| heights[i].total_cmp(&heights[j])).unwrap_or(above);
        let (top, apex) = apex(points, heights, highest.clamp(first, last), [first, last]);
        arcs.push(Arc { first, last, lands: landing.is_some(), top, apex });
        next = last + 1;
    }
    arcs
}

/// The highest point near the highest of the recorded ones: the vertex of the parabola through it and its neighbours.
fn apex(points: &[(Vec2, f32)], heights: &[f32], at: usize, [first, last]: [usize; 2]) -> (Vec2, f32) {
    let recorded = (points[at].0, heights[at]);
    if at == first || at == last {
        return recorded;
    }
    let [before, now, after] = [at - 1, at, at + 1].map(|i| (points[i].1 - points[at].1, heights[i]));
    let slopes = [(before, now), (now, after)].map(|((t, h), (u, k))| (k - h) / (u - t));
    let bend = (slopes[1] - slopes[0]) / (after.0 - before.0);
    // The slope at the point in the middle.
    let slope = slopes[0] - bend * before.0;
    let (time, rise) = (-slope / (2.0 * bend), -slope * slope / (4.0 * bend));
    // Neighbours on another arc, after a hit in the air, give no parabola of a free fall.
    if !(bend < 0.0 && time.abs() <= after.0.max(-before.0) && rise >= 0.0) {
        return recorded;
    }
    let (to, span) = if time < 0.0 { (at - 1, -before.0) } else { (at + 1, after.0) };
    let share = if span > 0.0 { (time.abs() / span).min(1.0) } else { 0.0 };
    (points[at].0.lerp(points[to].0, share), heights[at] + rise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        collision::{
            CollisionSettings, DiscHeight, DiscState, PhysicsSpace, SolverMode,
            spin::{FlightPhysics, Shape, Spin, TablePhysics},
        },
        motion::Forces,
        timeline::{Horizon, Prediction},
    };

    /// Two metres per second along x, from a height with a vertical speed, every `step` seconds. The last point is the
    /// landing.
    fn throw(height: f32, speed: f32, step: f32) -> (Vec<(Vec2, f32)>, Vec<f32>) {
        let lands = (speed + (speed * speed + 2.0 * 9.81 * height).sqrt()) / 9.81;
        let times: Vec<f32> =
            (0..1000_u16).map(|k| f32::from(k) * step).take_while(|time| *time < lands).chain([lands]).collect();
        let height = |time: f32| (height + speed * time - 4.905 * time * time).max(0.0);
        let mut heights: Vec<f32> = times.iter().map(|&time| height(time)).collect();
        *heights.last_mut().unwrap() = 0.0;
        (times.iter().map(|&time| (Vec2::X * 2.0 * time, time)).collect(), heights)
    }

    #[test]
    fn an_apex_is_that_of_the_parabola_at_any_tick_rate() {
        for step in [1.0 / 240.0, 1.0 / 120.0, 1.0 / 60.0, 1.0 / 30.0] {
            for speed in [0.6, 1.0, 1.7] {
                let (points, heights) = throw(0.0, speed, step);
                let [arc] = arcs(&points, &heights)[..] else { panic!("one arc") };
                let (expected, time) = (speed * speed / 19.62, speed / 9.81);
                assert!((arc.apex - expected).abs() < 1e-5, "{step}, {speed}: {} {expected}", arc.apex);
                assert!((arc.top.x - 2.0 * time).abs() < 1e-3, "{step}, {speed}: {}", arc.top.x);
                assert!(arc.first == 0 && arc.last == points.len() - 1 && arc.lands);
            }
        }
    }

    #[test]
    fn a_ball_that_falls_is_highest_at_the_start() {
        let (points, heights) = throw(0.2, 0.0, 1.0 / 120.0);
        let [arc] = arcs(&points, &heights)[..] else { panic!("one arc") };
        assert_eq!((arc.first, arc.apex, arc.top), (0, 0.2, Vec2::ZERO));
    }

    /// F-cases of a throw: apex v²/2g, flight 2v/g, and after a bounce with e = 0.5 a quarter of the height.
    #[test]
    fn the_arcs_of_a_prediction_are_those_of_the_closed_form() {
        let mut heights = Vec::new();
        for rate in [60.0_f32, 120.0, 240.0] {
            let spin = Some(Spin { angular_velocity: Vec3::ZERO, shape: Shape::Ball });
            let state = DiscState { radius: 0.028575, mass: 0.17, velocity: Vec2::X * 2.0, spin, ..default() };
            let mut space = PhysicsSpace { discs: [state].into_iter().collect(), ..default() };
            space.discs.heights = vec![DiscHeight { disc: 0, height: 0.0, speed: 1.0 }];
            let mut forces = Forces::default();
            forces.add(TablePhysics { flight: Some(FlightPhysics::default()), ..default() });
            space.finish_terrain();
            let settings = CollisionSettings { mode: SolverMode::Continuous, ..default() };
            let horizon = Horizon { seconds: 1.0, ..default() };
            let prediction = Prediction::of(space, forces, &settings, rate.recip(), horizon).finished();
            let path = &prediction.paths()[0];
            assert_eq!(path.heights.len(), path.points.len());
            let arcs = path.arcs();
            let (apex, way) = (1.0 / 19.62, 4.0 / 9.81);
            assert!((arcs[0].apex - apex).abs() < 2e-5, "{rate}: {} {apex}", arcs[0].apex);
            assert!(arcs[0].lands && (path.points[arcs[0].last].0.x - way).abs() < 1e-4, "{rate}: {arcs:?}");
            assert!((arcs[1].apex - apex / 4.0).abs() < 2e-5, "{rate}: {}", arcs[1].apex);
            heights.push(arcs[0].apex);
        }
        assert!(heights.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 3e-5), "{heights:?}");
    }

    #[test]
    fn a_height_acts_only_where_balls_fly() {
        for (mode, flight) in [(SolverMode::Stepped, Some(FlightPhysics::default())), (SolverMode::Continuous, None)] {
            let spin = Some(Spin { angular_velocity: Vec3::ZERO, shape: Shape::Ball });
            let state = DiscState { radius: 0.028575, mass: 0.17, velocity: Vec2::X, spin, ..default() };
            let mut space = PhysicsSpace { discs: [state].into_iter().collect(), ..default() };
            space.discs.heights = vec![DiscHeight { disc: 0, height: 0.1, speed: 0.0 }];
            space.finish_terrain();
            let mut forces = Forces::default();
            forces.add(TablePhysics { flight, ..default() });
            let (settings, horizon) = (CollisionSettings { mode, ..default() }, Horizon { seconds: 0.2, ..default() });
            let prediction = Prediction::of(space, forces, &settings, 1.0 / 60.0, horizon).finished();
            assert!(prediction.paths()[0].heights.is_empty(), "{mode:?}");
        }
    }

    #[test]
    fn every_landing_ends_an_arc_and_a_path_on_the_cloth_has_none() {
        let points: Vec<(Vec2, f32)> = (0..9_u8).map(|k| (Vec2::X * f32::from(k), f32::from(k) * 0.01)).collect();
        assert!(arcs(&points, &[]).is_empty() && arcs(&points, &[0.0; 9]).is_empty());
        let heights = [0.0, 0.02, 0.03, 0.0, 0.01, 0.0, 0.0, 0.004, 0.002];
        let found: Vec<_> = arcs(&points, &heights).iter().map(|arc| (arc.first, arc.last, arc.lands)).collect();
        assert_eq!(found, [(0, 3, true), (3, 5, true), (6, 8, false)]);
    }
}
