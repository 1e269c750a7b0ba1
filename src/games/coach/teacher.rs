//! Tries strokes in a position, with and without the errors of a hand.

use super::{
    Sketch, Tip,
    sketch::{is_pot, meant},
    turn,
};
use crate::{
    billiards::cue::CueStrike,
    games::{
        bot::{After, GameState, Idea, Kind, Noise, Trial},
        rules::{BallId, Player, PocketId, Remark, Rules, Shot, ShotConstraints, Task},
        sight::Situation,
    },
    random::Random,
};

/// A copy of a position, with the judgement of strokes in it.
#[derive(Debug)]
pub(super) struct Teacher {
    pub(super) trial: Trial,
}

/// The purpose of a stroke.
#[derive(Clone, Copy, Debug)]
struct Purpose {
    kind: Kind,
    /// The intended pot.
    pot: Option<(BallId, PocketId)>,
    /// Whether a break has to score.
    has_to_score: bool,
}

/// What an idea without errors has to achieve to become a tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demands {
    /// Its purpose.
    Good,
    /// Only to be playable.
    Playable,
}

impl Teacher {
    pub(super) fn of(state: GameState) -> Self {
        Self { trial: Trial::of(state) }
    }

    /// The cue-ball speed of a strike, m/s.
    pub(super) fn ball_speed(&self, stroke: &CueStrike) -> f32 {
        self.trial.simulator.struck(&self.trial.cue(), stroke).map_or(0.0, |motion| motion.velocity.length() as f32)
    }

    /// An idea as a tip, if it meets the demands without errors. Its chance is not known yet.
    pub(super) fn tip(&mut self, idea: &Idea, stroke: &ShotConstraints, noise: f64, demands: Demands) -> Option<Tip> {
        let Trial { state, simulator, .. } = &mut self.trial;
        let (mut shot, trace) = state.trace(simulator, idea.from, &idea.strike)?;
        shot.call = idea.call;
        let pot = if is_pot(idea.kind) { Some(meant(idea, stroke, &shot)?) } else { None };
        let after = self.trial.state.judge(&shot);
        let purpose = Purpose { kind: idea.kind, pot, has_to_score: false };
        if demands == Demands::Good && !self.is_good(purpose, &shot, &after) {
            return None;
        }
        let scores = self.scores(&after);
        let sketch = Sketch::of(stroke.cue_ball, &shot, &trace, idea.kind, pot);
        let leaves = self.best_pot(&after, noise);
        let Idea { kind, from, call, strike, value, .. } = *idea;
        let ball_speed = self.ball_speed(&strike);
        Some(Tip { kind, from, call, strike, ball_speed, pot, chance: 0.0, value, leaves, scores, sketch })
    }

    fn player(&self) -> Player {
        self.trial.state.rules.turn().player
    }

    /// Whether the player who shot continues, has gained points, or has won.
    fn scores(&self, After { verdict, rules, .. }: &After) -> bool {
        verdict.goes_on || winner(&**rules) == Some(self.player()) || verdict.points[self.player().index()] > 0
    }

    /// Whether a shot has achieved its purpose. Only a break that is meant to score has to score; a soft one need not.
    fn is_good(&self, purpose: Purpose, shot: &Shot, after: &After) -> bool {
        let After { verdict, rules, layout } = after;
        let has_lost = winner(&**rules) == Some(self.player().other());
        if !verdict.fouls.is_empty() || verdict.remarks.contains(&Remark::IllegalBreak) || has_lost {
            return false;
        }
        let scores = self.scores(after);
        match (purpose.pot, purpose.kind) {
            (Some((ball, pocket)), _) => shot.pocket_of(ball) == Some(pocket),
            (None, Kind::Break) => scores || !purpose.has_to_score,
            (None, _) if self.trial.sight.pockets.is_empty() => {
                // In a game that scores stones by position, the position has to improve.
                let mine = |outlook: f32| if self.player() == Player(0) { outlook } else { 1.0 - outlook };
                let before = self.trial.state.rules.outlook(&self.trial.state.layout).map(mine);
                let now = rules.outlook(layout).map(mine);
                before.zip(now).map_or(scores, |(before, now)| now > before)
            }
            (None, _) => true,
        }
    }

    /// Whether one trial of a tip with the errors of a hand succeeds.
    pub(super) fn works(&mut self, tip: &Tip, noise: f64, random: &mut Random) -> bool {
        let strike = self.trial.state.disturbed(tip.from, &tip.strike, noise, random);
        let purpose = Purpose { kind: tip.kind, pot: tip.pot, has_to_score: tip.scores };
        let after = self.trial.play(tip.from, &strike, tip.call);
        after.is_some_and(|after| self.is_good(purpose, &self.trial.shot, &after))
    }

    /// The chance of the best pot for the same player in the resulting position.
    fn best_pot(&self, After { rules, layout, .. }: &After, noise: f64) -> Option<f32> {
        let error = Noise::sight_error(noise);
        let Trial { sight, state, .. } = &self.trial;
        let stroke = rules.turn().stroke().filter(|_| rules.turn().player == self.player())?;
        Situation { sight, table: &state.table, stroke, layout, error }.best_chance()
    }

    /// Plays a strike turned to the left by an angle, radians, in this position.
    pub(super) fn turned(&mut self, strike: &CueStrike, angle: f64) -> Option<(Shot, CueStrike)> {
        let turned = CueStrike { direction: turn(strike.direction, angle), ..*strike };
        let (cue, ball) = (self.trial.cue(), self.trial.stroke()?.cue_ball);
        let shot = self.trial.simulator.play(&self.trial.state.layout, ball, &turned, &cue).ok()?;
        Some((shot, turned))
    }
}

/// The winner by the rules, if there is one.
fn winner(rules: &dyn Rules) -> Option<Player> {
    match rules.turn().task {
        Task::Over(outcome) => outcome.winner,
        _ => None,
    }
}
