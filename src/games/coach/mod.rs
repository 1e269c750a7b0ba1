//! The coach. Before a shot it shows the strokes that a good player would consider, each with its chance for an
//! imperfect hand. After a miss it measures the error. Both use the search of a bot and complete simulated shots, so
//! that the advice can be played.
//!
//! | file | contents |
//! |---|---|
//! | this one | [`Coach`], which evaluates a position, and its [`Tip`]s |
//! | `teacher` | trying strokes in a position |
//! | `sketch` | the lines of a stroke |
//! | `lying` | a position with the cue ball where it lies |
//! | `miss` | measuring a missed shot |

use bevy::{
    math::{DVec2, Vec2, ops},
    prelude::Resource,
};

use super::bot::{Bot, GameState, Idea, Kind, Level, Thinker};
use crate::{
    billiards::cue::CueStrike,
    games::rules::{BallId, Call, PocketId},
    random::Random,
};
use sketch::is_pot;
use teacher::{Demands, Teacher};

mod lying;
mod miss;
mod sketch;
mod teacher;

pub use lying::as_it_lies;
pub use miss::{Fault, Miss, Thickness, missed};
pub use sketch::{Sketch, sketch};

#[cfg(test)]
mod tests;

/// The settings of a coach. As a resource it is the coach of the window.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Coach {
    /// The search budget, and the hand for which chances are judged. Default: the budget of [`Level::STRONG`] with the
    /// hand of [`Level::MEDIUM`].
    pub level: Level,
    /// The number of trials of each stroke with the errors of that hand. Default: 100, which gives the chance to within
    /// five percentage points.
    pub samples: u32,
    /// The number of strokes to suggest. Default: 3.
    pub tips: usize,
}

impl Default for Coach {
    fn default() -> Self {
        Self {
            level: Level { noise: Level::MEDIUM.noise, samples: 300, sweep: 800, ..Level::STRONG },
            samples: 100,
            tips: 3,
        }
    }
}

/// A stroke worth considering.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip {
    /// The purpose of the stroke.
    pub kind: Kind,
    /// The place from which the cue ball is played, metres. For a ball in hand it is a good place.
    pub from: Vec2,
    /// The call.
    pub call: Call,
    /// The stroke.
    pub strike: CueStrike,
    /// The resulting speed of the cue ball, m/s.
    pub ball_speed: f32,
    /// The intended pot, if there is one.
    pub pot: Option<(BallId, PocketId)>,
    /// How often it succeeds, from 0 to 1, for the hand of the coach's level. Success means the intended pot, a score
    /// or a better position. A safety succeeds if it is not a foul.
    pub chance: f32,
    /// Its value, from 0 (lost) to 1 (won).
    pub value: f32,
    /// The estimated chance of the best pot that it leaves the same player. It is `None` if the turn ends or there are
    /// no pockets.
    pub leaves: Option<f32>,
    /// Whether the same player continues or has won, if it is played without errors.
    pub scores: bool,
    /// The paths of the balls.
    pub sketch: Sketch,
}

/// The most ideas to try before there are enough tips.
const IDEAS: usize = 200;

/// Strokes without a pot whose directions differ by less count as the same advice: 6 degrees.
const ALIKE: f32 = 0.1047;

impl Coach {
    /// Starts to evaluate a position. With `only`, it considers strokes for that pot alone.
    #[must_use]
    pub fn look(&self, state: GameState, only: Option<(BallId, PocketId)>) -> Evaluation {
        let mut thinker = Thinker::new("coach", self.level);
        thinker.consider(state.clone());
        let teacher = Teacher::of(state);
        Evaluation { coach: *self, teacher, thinker, only, ideas: None, tried: 0, tips: Vec::new(), sampled: (0, 0, 0) }
    }

    /// Evaluates the position at once. The best strokes come first.
    #[must_use]
    pub fn advise(&self, state: GameState) -> Vec<Tip> {
        let mut look = self.look(state, None);
        loop {
            if let Some(tips) = look.go_on(1000) {
                return tips;
            }
        }
    }
}

/// An evaluation in progress, done in slices.
#[derive(Debug)]
pub struct Evaluation {
    coach: Coach,
    teacher: Teacher,
    thinker: Thinker,
    only: Option<(BallId, PocketId)>,
    ideas: Option<Vec<Idea>>,
    /// The number of ideas tried.
    tried: usize,
    tips: Vec<Tip>,
    /// The tip being tried, its number of trials, and its number of successes.
    sampled: (usize, u32, u32),
}

impl Evaluation {
    /// Continues for about this many simulated shots. Returns the best strokes once they are known, best first. Without
    /// a shot to play the list is empty.
    pub fn go_on(&mut self, shots: u32) -> Option<Vec<Tip>> {
        let Some(stroke) = self.teacher.trial.stroke().cloned() else { return Some(Vec::new()) };
        let Some(ideas) = &self.ideas else {
            if self.thinker.think(shots).is_some() {
                let mut ideas = self.thinker.ideas();
                // A stable sort: among equals, the idea tried first.
                ideas.sort_by(|a, b| b.value.total_cmp(&a.value));
                self.ideas = Some(ideas);
            }
            return None;
        };
        // If no idea is good, all are tried, and the best is suggested anyway.
        let most = if self.tips.is_empty() { ideas.len() } else { ideas.len().min(IDEAS) };
        if self.tried < most && self.tips.len() < self.coach.tips {
            let slice = &ideas[self.tried..most.min(self.tried + shots.max(1) as usize)];
            self.tried += slice.len();
            for idea in slice {
                if self.tips.len() == self.coach.tips || self.tips.iter().any(|tip| tip.is_like(idea)) {
                    continue;
                }
                let tip = self.teacher.tip(idea, &stroke, self.coach.level.noise, Demands::Good);
                let is_new = |tip: &Tip| {
                    self.only.is_none_or(|only| tip.pot == Some(only))
                        && (tip.pot.is_none() || self.tips.iter().all(|known| known.pot != tip.pot))
                };
                self.tips.extend(tip.filter(is_new));
            }
            return None;
        }
        if self.tips.is_empty() && self.only.is_none() {
            let noise = self.coach.level.noise;
            let tip = ideas.iter().find_map(|idea| self.teacher.tip(idea, &stroke, noise, Demands::Playable));
            self.tips.extend(tip);
        }
        for _ in 0..shots.max(1) {
            let (at, count, good) = self.sampled;
            let Some(tip) = self.tips.get_mut(at) else { return Some(std::mem::take(&mut self.tips)) };
            if count >= self.coach.samples.max(1) {
                tip.chance = good as f32 / count as f32;
                self.sampled = (at + 1, 0, 0);
                continue;
            }
            let seed = self.teacher.trial.state.seed ^ (u64::from(count) << 8 | at as u64);
            let works = self.teacher.works(tip, self.coach.level.noise, &mut Random::new(seed));
            self.sampled = (at, count + 1, good + u32::from(works));
        }
        None
    }
}

impl Tip {
    /// Whether an idea without a pot is the same advice.
    fn is_like(&self, idea: &Idea) -> bool {
        let along = |strike: &CueStrike| strike.direction.as_vec2();
        let near = angle_between(along(&self.strike), along(&idea.strike)).abs() < ALIKE;
        self.pot.is_none() && !is_pot(idea.kind) && near && self.from.distance(idea.from) < 0.1
    }
}

/// The angle from one direction to another, radians, counter-clockwise. It is accurate for very small angles too.
fn angle_between(from: Vec2, to: Vec2) -> f32 {
    ops::atan2(from.perp_dot(to), from.dot(to))
}

fn turn(direction: DVec2, angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(cos, sin).rotate(direction)
}
