//! Paths of the balls in a shot, for drawing.

use bevy::prelude::*;

use super::{Simulator, recorded_hits};
use crate::{
    billiards::cue::{Cue, CueStrike},
    collision::{HitTarget, PhysicsSpace},
    games::rules::{BallId, BallPlace, Layout, Shot, ShotError},
};

impl Simulator {
    /// Plays a shot to its end and stores the path of every ball.
    ///
    /// # Errors
    /// The cue ball is not on the table, or the stroke is invalid.
    pub fn trace(
        &mut self,
        layout: &Layout,
        cue_ball: BallId,
        strike: &CueStrike,
        cue: &Cue,
    ) -> Result<(Shot, Trace), ShotError> {
        let mut shot = Shot::default();
        self.begin(&mut shot, layout, cue_ball, strike, cue)?;
        let start = |place: &BallPlace| place.on_table().map(|at| (at, 0.0)).into_iter().collect();
        let mut trace = Trace { paths: layout.0.iter().map(start).collect(), hits: Vec::new() };
        let (balls, radius, time_step) = (self.balls.clone(), self.table.ball_radius(), self.time_step);
        let mut tick = 0_u32;
        self.run(&mut shot, |space| {
            trace.add_tick(space, &balls, radius, [tick, tick + 1].map(|tick| tick as f32 * time_step));
            tick += 1;
        });
        Ok((shot, trace))
    }
}

/// The paths of the balls in a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The path of every ball, indexed by [`BallId`]. It has the ball's centre at the end of each tick in which it
    /// moved and at its hits, metres, each with the time since the stroke, seconds. The path of a ball that is not on
    /// the table is empty.
    pub paths: Vec<Vec<(Vec2, f32)>>,
    /// The hits in order: the time, seconds; the ball; and the ball that it hit, or `None` for a cushion.
    pub hits: Vec<(f32, BallId, Option<BallId>)>,
}

impl Trace {
    /// Adds a tick between two times, seconds.
    fn add_tick(&mut self, space: &PhysicsSpace, balls: &[BallId], radius: f32, [since, until]: [f32; 2]) {
        for hit in recorded_hits(space) {
            let Some(&ball) = balls.get(hit.disc as usize) else { continue };
            let time = since + hit.time;
            self.paths[ball.index()].push((hit.point - hit.normal * radius, time));
            let other = match hit.target {
                HitTarget::Disc(other) => balls.get(other as usize).copied(),
                _ => None,
            };
            if let Some(other) = other {
                self.paths[other.index()].push((hit.point + hit.normal * radius, time));
            }
            self.hits.push((time, ball, other));
        }
        for (&ball, &place) in balls.iter().zip(&space.discs.position) {
            let path = &mut self.paths[ball.index()];
            if place.is_finite() && path.last().is_none_or(|&(last, _)| last != place) {
                path.push((place, until));
            }
        }
    }

    /// The path of a ball from its start until a time (seconds, or `None` for its end), metres, [`simplified`].
    #[must_use]
    pub fn way(&self, ball: BallId, until: Option<f32>) -> Vec<Vec2> {
        let path = self.paths.get(ball.index()).map_or(&[][..], Vec::as_slice);
        let end = until.map_or(path.len(), |until| path.partition_point(|&(_, time)| time <= until));
        simplified(&path[..end])
    }
}

/// A path (metres, with times in seconds) with few points, accurate to a millimetre.
#[must_use]
pub fn simplified(path: &[(Vec2, f32)]) -> Vec<Vec2> {
    let mut way: Vec<Vec2> = Vec::new();
    // The points since the last kept one.
    let mut since: Vec<Vec2> = Vec::new();
    for &(next, _) in path {
        let Some(&from) = way.last() else {
            way.push(next);
            continue;
        };
        let along = (next - from).normalize_or_zero();
        if let Some(&last) = since.last()
            && since.iter().any(|&between| {
                (between - from).perp_dot(along).abs() > 1e-3 || (between - from).dot(along) > (next - from).dot(along)
            })
        {
            way.push(last);
            since.clear();
        }
        since.push(next);
    }
    way.extend(since.last());
    way
}
