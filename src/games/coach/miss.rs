//! Measures a miss by playing the shot again with small changes.

use std::fmt;

use bevy::math::Vec2;

use super::{angle_between, teacher::Teacher, turn};
use crate::{
    billiards::cue::CueStrike,
    games::{
        bot::{After, GameState, Noise},
        rules::{BallId, Call, PocketId, Shot, ShotConstraints, ShotEvent},
        sight::CueBall,
    },
};

/// A measured miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    /// The intended pot, or `None` in a game without pockets, where the shot was meant to score.
    pub pot: Option<(BallId, PocketId)>,
    /// The fault.
    pub fault: Fault,
}

/// The fault of a shot. Angles are in degrees. Positive means too far left, as seen along the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The object ball missed the pocket to one side.
    Direction {
        /// The angle between the ball's path and the nearest path into the pocket that turning the cue alone can reach.
        ball: f32,
        /// The same angle for the cue.
        cue: f32,
        /// How the ball was hit, or `None` if a nearly full hit was needed.
        hit: Option<Thickness>,
    },
    /// The cue was off by this angle from the nearest direction in which the shot succeeds. The ball's own error has no
    /// such simple measure.
    Cue(f32),
    /// The ball was on course and stopped before the pocket.
    TooSoft {
        /// The speed of the cue ball, m/s.
        played: f32,
        /// The lowest speed that would have sufficed, m/s.
        needed: f32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Direction { cue, .. } | Self::Cue(cue) => {
                let side = if cue > 0.0 { "left" } else { "right" };
                write!(f, "the aim was {:.2}° too far {side}", cue.abs())
            }
            Self::TooSoft { played, needed } => {
                write!(f, "the cue ball was too soft: {played:.2} m/s instead of {needed:.2} m/s")
            }
        }
    }
}

/// Which way the hit differed from the intended one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thickness {
    /// Too little of the ball: it was cut too much.
    TooThin,
    /// Too much of the ball: it was cut too little.
    TooThick,
}

/// A ball that starts within this angle of a path into a pocket was aimed at it, radians: 8 degrees.
const MEANT: f32 = 0.14;

/// Below this cut angle a hit is called neither thin nor thick, radians: 3 degrees.
const CUT: f32 = 0.052;

/// The largest turn of the cue in the search for the intended shot, radians: 4 degrees.
const MOST_TURN: f64 = 0.07;

/// The step of the search when nothing better is known, radians, and the number of steps to each side.
const TURN_STEP: f64 = 0.05 * core::f64::consts::PI / 180.0;
const TURN_STEPS: u32 = 40;

/// Factors of speed to try for a shot that was too soft.
const HARDER: [f64; 4] = [1.15, 1.35, 1.65, 2.0];

/// Measures how a shot from this position missed its purpose. The purpose is the call, or else the obvious one: a ball
/// that nearly went into a pocket. Returns `None` if the shot succeeded or has no measurable purpose, such as a break
/// or a safety.
///
/// Each result is checked by simulation: the same stroke succeeds with the cue turned by that least angle, or played
/// that much harder.
#[must_use]
pub fn missed(state: &GameState, call: Call, strike: &CueStrike) -> Option<Miss> {
    let mut teacher = Teacher::of(state.clone());
    let stroke = teacher.trial.stroke()?.clone();
    if stroke.is_break || call.safety || call.push_out {
        return None;
    }
    let (mut shot, strike) = teacher.turned(strike, 0.0)?;
    shot.call = call;
    if teacher.trial.sight.pockets.is_empty() {
        return if state.table.plays_stones() { None } else { teacher.missed_score(call, &shot, &strike) };
    }
    let called = call.ball.zip(call.pocket);
    let is_potted = |shot: &Shot, (ball, pocket): (BallId, PocketId)| shot.pocket_of(ball) == Some(pocket);
    let pots = |shot: &Shot| shot.potted().any(|(ball, _)| ball != stroke.cue_ball);
    if called.map_or_else(|| pots(&shot), |pot| is_potted(&shot, pot)) {
        return None;
    }
    let direct = teacher.direct(&stroke, call, &shot, &strike);
    let pot = direct.map(|direct| direct.pot).or(called)?;
    let wants = |shot: &Shot| is_potted(shot, pot);
    if let Some(direct) = direct {
        if let Some((played, needed)) = teacher.too_soft(&direct, &shot, &strike) {
            return Some(Miss { pot: Some(pot), fault: Fault::TooSoft { played, needed } });
        }
        if let Some(angle) = teacher.turn_for(&direct, &strike, &wants) {
            let fault = teacher.direction_fault(&direct, &strike, angle).unwrap_or(Fault::Cue(degrees(-angle)));
            return Some(Miss { pot: Some(pot), fault });
        }
    }
    // Banks, combinations and shots far off target only count if they were called.
    let pot = called?;
    let angle = teacher.search(&strike, &wants)?;
    Some(Miss { pot: Some(pot), fault: Fault::Cue(degrees(-angle)) })
}

fn degrees(angle: f64) -> f32 {
    angle.to_degrees() as f32
}

/// An intended pot, straight from the cue ball.
#[derive(Clone, Copy, Debug)]
struct Direct {
    pot: (BallId, PocketId),
    cue_place: Vec2,
    at: Vec2,
    /// The direction that the ball needed, a unit vector.
    line: Vec2,
    /// The direction that the ball took, a unit vector.
    went: Vec2,
}

impl Teacher {
    /// The called pot if a straight path to it exists, or the pot that was nearly made.
    fn direct(&mut self, stroke: &ShotConstraints, call: Call, shot: &Shot, strike: &CueStrike) -> Option<Direct> {
        let called = call.ball.zip(call.pocket);
        let ball = shot.first_hit(stroke.cue_ball)?;
        if !stroke.is_on(ball) || call.ball.is_some_and(|named| named != ball) {
            return None;
        }
        let layout = &shot.before;
        let (cue_place, at) = (layout[stroke.cue_ball].on_table()?, layout[ball].on_table()?);
        let cue = self.trial.cue();
        let went = self.trial.simulator.first_hit([cue_place, at], strike, &cue)?.try_normalize()?;
        let pots = self.trial.sight.pots(
            layout,
            CueBall { ball: stroke.cue_ball, place: cue_place },
            core::slice::from_ref(&ball),
            Noise::sight_error(1.0),
        );
        let beside = |line: Vec2| angle_between(went, line).abs();
        let lines = pots.map(|pot| (pot.pocket, (pot.target - at).normalize_or_zero(), pot.object_way));
        let (pocket, line, way) = match called {
            Some((_, pocket)) => lines.into_iter().find(|line| line.0 == pocket)?,
            None => lines.into_iter().min_by(|a, b| beside(a.1).total_cmp(&beside(b.1)))?,
        };
        // Without a call the purpose must be obvious: the ball was on course and covered at least half of the distance.
        let rests = shot.end_of(ball).on_table();
        let too_short = rests.is_some_and(|rests| {
            let has_hit = shot.after_first_hit(stroke.cue_ball).iter().any(|&event| is_of(event, ball));
            !has_hit && rests.distance(at) < 0.5 * way
        });
        if called.is_none() && (beside(line) > MEANT || too_short) {
            return None;
        }
        Some(Direct { pot: (ball, pocket), cue_place, at, line, went })
    }

    /// The cue-ball speeds played and needed, m/s, if speed was the only fault.
    fn too_soft(&mut self, direct: &Direct, shot: &Shot, strike: &CueStrike) -> Option<(f32, f32)> {
        let (ball, pocket) = direct.pot;
        let stroke = self.trial.stroke()?.cue_ball;
        let has_hit = shot.after_first_hit(stroke).iter().any(|&event| is_of(event, ball));
        if has_hit || !shot.after.is_on_table(ball) {
            return None;
        }
        let mut low = 1.0;
        for harder in HARDER {
            if self.pots_harder(strike, harder, (ball, pocket)) {
                let mut high = harder;
                for _ in 0..5 {
                    let middle = 0.5 * (low + high);
                    if self.pots_harder(strike, middle, (ball, pocket)) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                let speed = |times: f64| self.ball_speed(&CueStrike { speed: strike.speed * times, ..*strike });
                return Some((speed(1.0), speed(high)));
            }
            low = harder;
        }
        None
    }

    fn pots_harder(&mut self, strike: &CueStrike, times: f64, (ball, pocket): (BallId, PocketId)) -> bool {
        let harder = CueStrike { speed: strike.speed * times, ..*strike };
        self.turned(&harder, 0.0).is_some_and(|(shot, _)| shot.pocket_of(ball) == Some(pocket))
    }

    /// The smallest turn of the cue to the left that makes a direct pot succeed, radians.
    fn turn_for(&mut self, direct: &Direct, strike: &CueStrike, wants: &impl Fn(&Shot) -> bool) -> Option<f64> {
        // Finds where the ball heads for the middle of the mouth, by the secant method.
        let mut beside = |angle: f64| -> Option<f64> {
            let turned = CueStrike { direction: turn(strike.direction, angle), ..*strike };
            let cue = self.trial.state.cue;
            let went = self.trial.simulator.first_hit([direct.cue_place, direct.at], &turned, &cue)?;
            Some(f64::from(angle_between(direct.line, went)))
        };
        let (mut a, mut b) = (0.0, 5e-4);
        let mut at_a = beside(a)?;
        for _ in 0..8 {
            let at_b = beside(b)?;
            if (at_b - at_a).abs() < 1e-9 {
                break;
            }
            let next = b - at_b * (b - a) / (at_b - at_a);
            if !next.is_finite() {
                return None;
            }
            // Limits the step so that the cue does not turn past the ball.
            (a, at_a, b) = (b, at_b, next.clamp(b - 0.02, b + 0.02));
            if (b - a).abs() < 1e-7 {
                break;
            }
        }
        if b.abs() > MOST_TURN || !self.comes_off(strike, b, wants) {
            return None;
        }
        Some(self.nearest(strike, 0.0, b, wants))
    }

    fn comes_off(&mut self, strike: &CueStrike, angle: f64, wants: &impl Fn(&Shot) -> bool) -> bool {
        self.turned(strike, angle).is_some_and(|(shot, _)| wants(&shot))
    }

    /// Bisects between a turn that fails and a turn that works.
    fn nearest(&mut self, strike: &CueStrike, mut fails: f64, mut works: f64, wants: &impl Fn(&Shot) -> bool) -> f64 {
        for _ in 0..12 {
            let middle = 0.5 * (fails + works);
            if self.comes_off(strike, middle, wants) {
                works = middle;
            } else {
                fails = middle;
            }
        }
        works
    }

    /// The smallest turn among the search steps that makes a shot succeed, radians.
    fn search(&mut self, strike: &CueStrike, wants: &impl Fn(&Shot) -> bool) -> Option<f64> {
        (1..=TURN_STEPS).find_map(|step| {
            let [inner, outer] = [step - 1, step].map(|step| f64::from(step) * TURN_STEP);
            let sides = [1.0, -1.0].map(|side| {
                self.comes_off(strike, side * outer, wants)
                    .then(|| self.nearest(strike, side * inner, side * outer, wants))
            });
            sides.into_iter().flatten().min_by(|a, b| a.abs().total_cmp(&b.abs()))
        })
    }

    /// The fault in the ball's direction, if the cue had to turn by this angle.
    fn direction_fault(&mut self, direct: &Direct, strike: &CueStrike, angle: f64) -> Option<Fault> {
        let turned = CueStrike { direction: turn(strike.direction, angle), ..*strike };
        let cue = self.trial.cue();
        let falls = self.trial.simulator.first_hit([direct.cue_place, direct.at], &turned, &cue)?;
        let cut = |strike: &CueStrike, went: Vec2| angle_between(strike.direction.as_vec2(), went);
        let (was, had_to_be) = (cut(strike, direct.went), cut(&turned, falls));
        let hit = (had_to_be.abs() >= CUT && was.signum() == had_to_be.signum())
            .then(|| if was.abs() > had_to_be.abs() { Thickness::TooThin } else { Thickness::TooThick });
        let ball = angle_between(falls, direct.went).to_degrees();
        Some(Fault::Direction { ball, cue: degrees(-angle), hit })
    }

    /// Measures a missed point in a game without pockets.
    fn missed_score(&mut self, call: Call, shot: &Shot, strike: &CueStrike) -> Option<Miss> {
        let player = self.trial.state.rules.turn().player.index();
        let state = self.trial.state.clone();
        let wants = move |shot: &Shot| {
            let After { verdict, .. } = state.judge(&Shot { call, ..shot.clone() });
            verdict.fouls.is_empty() && verdict.points[player] > 0
        };
        if wants(shot) {
            return None;
        }
        let angle = self.search(strike, &wants)?;
        Some(Miss { pot: None, fault: Fault::Cue(degrees(-angle)) })
    }
}

/// Whether an event involves a ball.
fn is_of(event: ShotEvent, ball: BallId) -> bool {
    match event {
        ShotEvent::Balls(a, b) | ShotEvent::Over(a, b) => a == ball || b == ball,
        ShotEvent::Cushion(one, _) | ShotEvent::Potted(one, _) | ShotEvent::OffTable(one) => one == ball,
    }
}
