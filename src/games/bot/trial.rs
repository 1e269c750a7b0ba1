//! A position on a copy, where strokes are tried: with the solver that plays, and with the rules.

use bevy::math::Vec2;

use super::Position;
use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        rules::{Call, Layout, Rules, Shot, ShotConstraints, Verdict},
        sight::{Sight, Situation},
        simulator::Simulator,
    },
};

/// The factor by which the error of the cue's direction is increased where chances are judged. The errors of the tip
/// give spin, and spin throws the object ball.
pub(in crate::games) const TIP_ERROR: f32 = 1.15;

/// A position, and all that is needed for trying strokes in it.
#[derive(Clone, Debug)]
pub(in crate::games) struct Trial {
    pub position: Position,
    pub simulator: Simulator,
    pub sight: Sight,
    /// The last shot that was tried; its memory is used again.
    pub shot: Shot,
}

/// What there is after a shot, by the rules.
#[derive(Debug)]
pub(in crate::games) struct After {
    pub verdict: Verdict,
    /// The rules after it.
    pub rules: Box<dyn Rules>,
    /// Where the balls are after it, those that were placed as well.
    pub layout: Layout,
}

impl Trial {
    pub fn of(position: Position) -> Self {
        let simulator = Simulator::new(position.table.clone());
        Self { sight: Sight::of(&position.table), position, simulator, shot: Shot::default() }
    }

    /// Another position on the same table.
    pub fn with_position(self, position: Position) -> Self {
        Self { position, ..self }
    }

    /// The shot that is to be played, if it is one.
    pub fn stroke(&self) -> Option<&ShotConstraints> {
        self.position.rules.turn().stroke()
    }

    pub fn cue(&self) -> Cue {
        self.position.cue
    }

    /// What is to be played, as a hand sees it that errs by so much, radians.
    pub fn situation(&self, error: f32) -> Option<Situation<'_>> {
        let Position { layout, table, .. } = &self.position;
        Some(Situation { sight: &self.sight, table, stroke: self.stroke()?, layout, error })
    }

    /// Plays a stroke from here, and says what it comes to; none if it cannot be played, or the call may not be.
    pub fn play(&mut self, from: Vec2, strike: &CueStrike, call: Call) -> Option<After> {
        let stroke = self.stroke()?;
        if stroke.refusal(&call).is_some() {
            return None;
        }
        let (ball, layout) = (stroke.cue_ball, self.position.played_from(from));
        self.simulator.play_into(&mut self.shot, &layout, ball, strike, &self.position.cue).ok()?;
        self.shot.call = call;
        Some(self.judge(&self.shot))
    }

    /// What a shot comes to.
    pub fn judge(&self, shot: &Shot) -> After {
        let (mut rules, mut layout) = (self.position.rules.clone(), shot.after.clone());
        let verdict = rules.judge(shot);
        verdict.place(&mut layout);
        After { verdict, rules, layout }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec2;

    use super::*;
    use crate::games::{
        matches::{Match, MatchSpec},
        rules::Action,
    };

    #[test]
    fn a_stroke_on_a_copy_comes_to_what_it_comes_to_in_the_match() {
        let spec = MatchSpec { game: "nine-ball".to_owned(), seed: 3, ..MatchSpec::default() };
        let mut playing = Match::new(spec).unwrap();
        let from = Vec2::new(-0.8, 0.1);
        playing.apply(Action::Place(from)).unwrap();
        let strike = CueStrike { speed: 5.0, direction: DVec2::new(1.0, -0.05), ..CueStrike::default() };
        let mut trial = Trial::of(playing.position());
        for _ in 0..2 {
            // Twice: nothing of one try is left in the next.
            let after = trial.play(from, &strike, Call::default()).unwrap();
            let mut alone = playing.clone();
            let report = alone.apply(Action::Shoot { call: Call::default(), strike }).unwrap();
            assert_eq!((Some(&trial.shot), after.layout), (report.shot.as_ref(), report.left));
            assert_eq!(after.rules.turn(), alone.rules().turn());
        }
        assert_eq!(trial.simulator.shots(), 2);
        let safety = Call { safety: true, ..Call::default() };
        assert!(trial.play(from, &strike, safety).is_none(), "nine-ball knows no safety");
    }
}
