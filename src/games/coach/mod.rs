//! What a coach says: before a shot which strokes a good player would consider, with the chance of each for a hand that
//! errs; and after a miss by how much it was off. Both come from the thoughts of a bot and from whole shots of the
//! simulator, so that what is said can be played.
//!
//! | file | what |
//! |---|---|
//! | this one | [`Coach`], which looks at a position, and its [`Tip`]s |
//! | `teacher` | strokes tried in a position |
//! | `sketch` | the lines of a stroke |
//! | `lying` | a position with the cue ball where it lies |
//! | `miss` | by how much a shot has missed |

use bevy::{
    math::{DVec2, Vec2, ops},
    prelude::Resource,
};

use super::bot::{Bot, Idea, Kind, Level, Position, Thinker};
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
pub use miss::{Contact, Fault, Miss, missed};
pub use sketch::{Sketch, sketch};

#[cfg(test)]
mod tests;

/// How a coach looks at a position. As a resource it is the one of the window.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Coach {
    /// What is looked at, and the hand that chances are judged for. Default: what [`Level::STRONG`] looks at, with the
    /// hand of [`Level::MEDIUM`].
    pub level: Level,
    /// How often each stroke is played with the errors of that hand, to know its chance. Default: 100, which makes it
    /// known to five in a hundred.
    pub samples: u32,
    /// How many strokes are named. Default: 3.
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

/// A stroke that is worth considering.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip {
    /// What it is meant to do.
    pub kind: Kind,
    /// Where the cue ball is played from, metres: where a ball in hand lies well.
    pub from: Vec2,
    /// What is called.
    pub call: Call,
    /// The stroke.
    pub strike: CueStrike,
    /// The speed that it gives the cue ball, m/s.
    pub ball_speed: f32,
    /// What it pots, and where, if that is what it is for.
    pub pot: Option<(BallId, PocketId)>,
    /// How often it does what it is meant to do, from 0 to 1, for the hand of the coach's level: pots the ball where it
    /// is meant to, scores or leaves the player better off, or, of a safety, is no foul.
    pub chance: f32,
    /// What it is worth, from 0 (lost) to 1 (won).
    pub value: f32,
    /// The chance of the best pot that it leaves to the same player, by the look of it; none where that player does not
    /// go on, or there are no pockets.
    pub leaves: Option<f32>,
    /// Whether the same player goes on after it, or has won, if it is played without errors.
    pub scores: bool,
    /// The ways of the balls.
    pub sketch: Sketch,
}

/// So many ideas of a bot are tried at most until there are enough tips.
const IDEAS: usize = 200;

/// Strokes without a pot whose directions differ by less are the same advice: 6 degrees.
const ALIKE: f32 = 0.1047;

impl Coach {
    /// Begins to look at a position. `only`: at strokes for this pot alone.
    #[must_use]
    pub fn look(&self, position: Position, only: Option<(BallId, PocketId)>) -> Look {
        let mut thinker = Thinker::new("coach", self.level);
        thinker.consider(position.clone());
        let teacher = Teacher::of(position);
        Look { coach: *self, teacher, thinker, only, ideas: None, tried: 0, tips: Vec::new(), sampled: (0, 0, 0) }
    }

    /// All of it at once: the best strokes, the best first.
    #[must_use]
    pub fn advise(&self, position: Position) -> Vec<Tip> {
        let mut look = self.look(position, None);
        loop {
            if let Some(tips) = look.go_on(1000) {
                return tips;
            }
        }
    }
}

/// A look at a position, which is gone on with in slices.
#[derive(Debug)]
pub struct Look {
    coach: Coach,
    teacher: Teacher,
    thinker: Thinker,
    only: Option<(BallId, PocketId)>,
    ideas: Option<Vec<Idea>>,
    /// How many of them were tried.
    tried: usize,
    tips: Vec<Tip>,
    /// Which tip is being tried, how often it was, and how often it did what it is meant to.
    sampled: (usize, u32, u32),
}

impl Look {
    /// Looks on for about so many simulated shots; the best strokes once they are known, the best first. Where there is
    /// no shot to be played: none.
    pub fn go_on(&mut self, shots: u32) -> Option<Vec<Tip>> {
        let Some(stroke) = self.teacher.trial.stroke().cloned() else { return Some(Vec::new()) };
        let Some(ideas) = &self.ideas else {
            if self.thinker.think(shots).is_some() {
                let mut ideas = self.thinker.ideas();
                // Stable: of two as good the one that was tried first.
                ideas.sort_by(|a, b| b.value.total_cmp(&a.value));
                self.ideas = Some(ideas);
            }
            return None;
        };
        // Where none of them is any good, all are looked at, and the best is named as it is.
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
            let seed = self.teacher.trial.position.seed ^ (u64::from(count) << 8 | at as u64);
            let works = self.teacher.works(tip, self.coach.level.noise, &mut Random::new(seed));
            self.sampled = (at, count + 1, good + u32::from(works));
        }
        None
    }
}

impl Tip {
    /// Whether an idea is the same advice, where nothing is to be potted.
    fn is_like(&self, idea: &Idea) -> bool {
        let along = |strike: &CueStrike| strike.direction.as_vec2();
        let near = angle_between(along(&self.strike), along(&idea.strike)).abs() < ALIKE;
        self.pot.is_none() && !is_pot(idea.kind) && near && self.from.distance(idea.from) < 0.1
    }
}

/// The angle from one direction to another, radians, counter-clockwise: right for the smallest, too.
fn angle_between(from: Vec2, to: Vec2) -> f32 {
    ops::atan2(from.perp_dot(to), from.dot(to))
}

fn turn(direction: DVec2, angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(cos, sin).rotate(direction)
}
