//! The path of a point, with its length.

use bevy::prelude::*;

use super::log::Log;

/// The most points that are kept, and that remain when the older ones are dropped.
const MOST: [usize; 2] = [100_000, 50_000];

/// The path of a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    /// The points in order, metres; `None` where the point has jumped. Of more than 100,000, the newest.
    pub points: Log<Option<Vec2>>,
    /// Where it is now, metres.
    pub end: Option<Vec2>,
    /// The length of the path without jumps, metres.
    pub length: f64,
}

impl Trail {
    /// Goes on from one place to another. Points closer than `fine` (metres) to the last one are not kept.
    pub(super) fn go(&mut self, from: Vec2, to: Vec2, fine: f32) {
        if self.end != Some(from) {
            if self.end.is_some() {
                self.points.push(self.end);
                self.points.push(None);
            }
            self.points.push(Some(from));
        }
        self.end = Some(to);
        self.length += from.as_dvec2().distance(to.as_dvec2());
        let is_close = |last: &Option<Vec2>| last.is_some_and(|last| last.distance(to) < fine);
        if self.points.newest_first().next().is_some_and(is_close) {
            return;
        }
        self.points.push(Some(to));
        if self.points.len() > MOST[0] {
            self.points.keep_newest(MOST[1]);
        }
    }
}
