//! Balls that pass over others, from the positions at the ends of two ticks.
//!
//! In the air a ball moves straight, as seen from above. It passes over another ball when its centre passes that of the
//! other, in the direction of its flight, at a horizontal distance below two radii. A ball that hits another from above
//! and is thrown back passes nothing. The other ball may move; its path within a tick is straight too.

use bevy::prelude::*;

use crate::{
    collision::PhysicsSpace,
    games::rules::{BallId, Layout},
};

/// Positions are rounded to `f32`, metres. A ball that passes in the moment at which a tick ends is missed by neither
/// tick.
const ROUNDING: f32 = 1e-6;

/// The positions of the balls of a shot before the next tick, by which [`record_tick`](super::record_tick) finds the
/// balls that pass over others.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// The position of each ball, indexed by [`BallId`]. NaN for a ball that is not in play.
    positions: Vec<Vec2>,
    /// The balls above the cloth at the end of the last tick.
    flying: Vec<BallId>,
}

/// A ball that has passed over another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pass {
    /// Seconds from the start of the tick.
    pub time: f32,
    pub ball: BallId,
    pub over: BallId,
}

impl Tracked {
    /// The balls of a layout, at rest before a shot.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let mut tracked = Self::default();
        tracked.begin(layout.on_table());
        tracked
    }

    /// Starts a shot with these balls. It keeps its memory.
    pub(super) fn begin(&mut self, balls: impl IntoIterator<Item = (BallId, Vec2)>) {
        self.positions.clear();
        self.flying.clear();
        for (ball, position) in balls {
            self.set(ball, position);
        }
    }

    fn set(&mut self, ball: BallId, position: Vec2) {
        if self.positions.len() <= ball.index() {
            self.positions.resize(ball.index() + 1, Vec2::NAN);
        }
        self.positions[ball.index()] = position;
    }

    /// Follows a tick, and returns the passes in it, in order of time.
    #[inline]
    pub(super) fn follow_tick(&mut self, space: &PhysicsSpace, ball_of: impl Fn(u32) -> Option<BallId>) -> Vec<Pass> {
        if space.balls_fly() { self.passes(space, ball_of) } else { Vec::new() }
    }

    fn passes(&mut self, space: &PhysicsSpace, ball_of: impl Fn(u32) -> Option<BallId>) -> Vec<Pass> {
        let mut passes = Vec::new();
        let discs = &space.discs;
        let now: Vec<BallId> = discs.heights.iter().filter_map(|above| ball_of(above.disc)).collect();
        let flew = std::mem::replace(&mut self.flying, now);
        if !(flew.is_empty() && self.flying.is_empty()) {
            let flies = |ball: BallId| flew.contains(&ball) || self.flying.contains(&ball);
            let paths: Vec<Path> = (0..discs.len() as u32)
                .filter_map(|disc| {
                    let ball = ball_of(disc)?;
                    Some(Path::of(space, disc, ball, self.positions.get(ball.index()).copied()?))
                })
                .collect();
            for path in paths.iter().filter(|path| flies(path.ball)) {
                let others = paths.iter().filter(|other| other.ball != path.ball);
                passes.extend(others.filter_map(|other| path.passes(other)));
            }
            passes.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        for (disc, &position) in (0..).zip(&discs.position) {
            if let Some(ball) = ball_of(disc) {
                self.set(ball, position);
            }
        }
        passes
    }
}

/// The path of a ball in a tick, as seen from above.
struct Path {
    ball: BallId,
    radius: f32,
    /// Times from the start of the tick (seconds) and positions, from its start to its end.
    points: Vec<(f32, Vec2)>,
}

impl Path {
    fn of(space: &PhysicsSpace, disc: u32, ball: BallId, start: Vec2) -> Self {
        let end = space.clock.time_step;
        let turns = space.report.path_vertices.iter().filter(|vertex| vertex.disc == disc);
        let turns = turns.filter(|vertex| vertex.time > 0.0 && vertex.time < end);
        let points = [(0.0, start)]
            .into_iter()
            .chain(turns.map(|vertex| (vertex.time, vertex.position)))
            .chain([(end, space.discs.position[disc as usize])]);
        Self { ball, radius: space.discs.radius[disc as usize], points: points.collect() }
    }

    fn at(&self, time: f32) -> Vec2 {
        let next = self.points.partition_point(|&(of, _)| of < time).clamp(1, self.points.len() - 1);
        let [(since, from), (until, to)] = [self.points[next - 1], self.points[next]];
        if until > since { from.lerp(to, ((time - since) / (until - since)).clamp(0.0, 1.0)) } else { to }
    }

    /// The first pass of this flying ball over another.
    fn passes(&self, other: &Self) -> Option<Pass> {
        let reach = self.radius + other.radius - ROUNDING;
        self.points.windows(2).find_map(|piece| {
            let [(since, from), (until, to)] = [piece[0], piece[1]];
            let direction = (to - from).try_normalize()?;
            let [before, after] = [from - other.at(since), to - other.at(until)];
            let [behind, beyond] = [before, after].map(|away| away.dot(direction));
            if !(behind < ROUNDING && beyond >= 0.0) {
                return None;
            }
            let share = if beyond > behind { (-behind / (beyond - behind)).clamp(0.0, 1.0) } else { 0.0 };
            let time = since + share * (until - since);
            (before.lerp(after, share).length() < reach).then_some(Pass { time, ball: self.ball, over: other.ball })
        })
    }
}
