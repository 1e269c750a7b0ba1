//! Strokes are tried in a position, with the errors of a hand and without.

use super::{
    Sketch, Tip,
    sketch::{is_pot, meant, placed},
    turn,
};
use crate::{
    billiards::cue::{Cue, Strike, strike},
    games::{
        bot::{Idea, Kind, Noise, Position},
        rules::{BallId, Layout, Outcome, Player, PocketId, Remark, Rules, Shot, Stroke, Task, Turn, Verdict},
        sight::{Sight, balls_on},
        simulator::Simulator,
    },
    random::Random,
};

/// Chances of what is left are judged a little worse than the direction of the cue alone would have it, for what the
/// tip adds.
const TIP_ERROR: f32 = 1.15;

/// A position with what it takes to try strokes in it.
#[derive(Debug)]
pub(super) struct Teacher {
    pub(super) position: Position,
    pub(super) simulator: Simulator,
    pub(super) sight: Sight,
    shot: Shot,
}

/// What an idea has to do without errors, to be a tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demands {
    /// What it is meant to.
    Good,
    /// To be a stroke that can be played.
    Playable,
}

impl Teacher {
    pub(super) fn of(position: Position) -> Self {
        let (simulator, sight) = (Simulator::new(position.table.clone()), Sight::of(&position.table));
        Self { position, simulator, sight, shot: Shot::default() }
    }

    pub(super) fn stroke(&self) -> Option<&Stroke> {
        self.position.rules.turn().stroke()
    }

    pub(super) fn cue(&self) -> Cue {
        self.position.cue
    }

    /// The speed that a strike gives the cue ball, m/s.
    pub(super) fn ball_speed(&self, stroke: &Strike) -> f32 {
        strike(&self.cue(), &self.simulator.body(), stroke).map_or(0.0, |motion| motion.velocity.length() as f32)
    }

    /// An idea as a tip, if it does without errors what is demanded. Its chance is still to be found.
    pub(super) fn tip(&mut self, idea: &Idea, stroke: &Stroke, noise: f64, demands: Demands) -> Option<Tip> {
        let layout = placed(&self.position.layout, stroke.cue_ball, idea.from);
        let played = (stroke.cue_ball, &idea.strike, &self.position.cue);
        let (mut shot, trace) = self.simulator.trace(&layout, played).ok()?;
        shot.call = idea.call;
        let pot = if is_pot(idea.kind) { Some(meant(idea, stroke, &shot)?) } else { None };
        let (verdict, rules) = self.judge(&shot);
        if demands == Demands::Good && !self.is_good((idea.kind, pot, false), &shot, (&verdict, &*rules)) {
            return None;
        }
        let scores = self.scores(&verdict, &*rules);
        let mut after = shot.after.clone();
        verdict.place(&mut after);
        let sketch = Sketch::of(stroke.cue_ball, (&shot, &trace), (idea.kind, pot));
        let leaves = self.best_pot((&*rules, &after), noise);
        let Idea { kind, from, call, strike, value, .. } = *idea;
        let ball_speed = self.ball_speed(&strike);
        Some(Tip { kind, from, call, strike, ball_speed, pot, chance: 0.0, value, leaves, scores, sketch })
    }

    pub(super) fn judge(&self, shot: &Shot) -> (Verdict, Box<dyn Rules>) {
        let mut rules = self.position.rules.clone();
        let verdict = rules.judge(shot);
        (verdict, rules)
    }

    /// Whether whoever has played goes on, has points for it, or has won.
    fn scores(&self, verdict: &Verdict, rules: &dyn Rules) -> bool {
        let player = self.position.rules.turn().player;
        let has_won = matches!(rules.turn().task, Task::Over(Outcome { winner: Some(winner) }) if winner == player);
        verdict.goes_on || has_won || verdict.points[player.index()] > 0
    }

    /// Whether a shot has done what it was meant to. A break may have to score, as one that is played softly need not.
    fn is_good(
        &self,
        (kind, pot, has_to_score): (Kind, Option<(BallId, PocketId)>, bool),
        shot: &Shot,
        (verdict, rules): (&Verdict, &dyn Rules),
    ) -> bool {
        let player = self.position.rules.turn().player;
        let has_lost = matches!(rules.turn().task, Task::Over(Outcome { winner: Some(winner) }) if winner != player);
        if !verdict.fouls.is_empty() || verdict.remarks.contains(&Remark::IllegalBreak) || has_lost {
            return false;
        }
        let scores = self.scores(verdict, rules);
        match (pot, kind) {
            (Some((ball, pocket)), _) => shot.pocket_of(ball) == Some(pocket),
            (None, Kind::Break) => scores || !has_to_score,
            (None, _) if self.sight.pockets.is_empty() => {
                // Where stones count that lie well, it is to lie better than before.
                let mine = |outlook: f32| if player == Player(0) { outlook } else { 1.0 - outlook };
                let before = self.position.rules.outlook(&self.position.layout).map(mine);
                let mut left = shot.after.clone();
                verdict.place(&mut left);
                let after = rules.outlook(&left).map(mine);
                before.zip(after).map_or(scores, |(before, after)| after > before)
            }
            (None, _) => true,
        }
    }

    /// Whether a tip works with the errors of a hand, once.
    pub(super) fn works(&mut self, tip: &Tip, stroke: &Stroke, noise: f64, random: &mut Random) -> bool {
        let layout = placed(&self.position.layout, stroke.cue_ball, tip.from);
        let cue = self.cue();
        let ball = [f64::from(self.sight.radius), cue.miscue_limit];
        let strike = Noise::olympiad(noise).disturb(&tip.strike, ball, random);
        let mut shot = std::mem::take(&mut self.shot);
        shot.call = tip.call;
        let played = self.simulator.play_into(&mut shot, &layout, (stroke.cue_ball, &strike, &cue));
        let (verdict, rules) = self.judge(&shot);
        let works = played.is_ok() && self.is_good((tip.kind, tip.pot, tip.scores), &shot, (&verdict, &*rules));
        self.shot = shot;
        works
    }

    /// The chance of the best pot of whoever has played so far, in a position that follows.
    fn best_pot(&self, (rules, layout): (&dyn Rules, &Layout), noise: f64) -> Option<f32> {
        let Turn { player, task: Task::Shoot(stroke) } = rules.turn() else { return None };
        if *player != self.position.rules.turn().player || self.sight.pockets.is_empty() {
            return None;
        }
        let error = TIP_ERROR * (Noise::OLYMPIAD.direction * noise) as f32;
        let on = balls_on(stroke, layout);
        let cue = (stroke.cue_ball, layout[stroke.cue_ball].on_table()?);
        let pots = self.sight.pots(layout, cue, &on, error).map(|pot| pot.chance);
        Some(pots.fold(0.0, f32::max))
    }

    /// A strike turned to the left by an angle, radians, and played in this position.
    pub(super) fn turned(&mut self, strike: &Strike, angle: f64) -> Option<(Shot, Strike)> {
        let turned = Strike { direction: turn(strike.direction, angle), ..*strike };
        let (cue, ball) = (self.cue(), self.stroke()?.cue_ball);
        let shot = self.simulator.play(&self.position.layout, ball, &turned, &cue).ok()?;
        Some((shot, turned))
    }
}
