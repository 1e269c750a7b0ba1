//! A copy of a position for trying strokes, with the solver and the rules of the game.

use bevy::math::Vec2;

use super::GameState;
use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        rules::{Call, Layout, Rules, Shot, ShotConstraints, Verdict},
        sight::{Sight, Situation},
        simulator::Simulator,
    },
};

/// A position with everything needed for trying strokes in it.
#[derive(Clone, Debug)]
pub(in crate::games) struct Trial {
    pub state: GameState,
    pub simulator: Simulator,
    pub sight: Sight,
    /// The last shot tried. Its memory is reused.
    pub shot: Shot,
}

/// The state after a shot, by the rules.
#[derive(Debug)]
pub(in crate::games) struct After {
    pub verdict: Verdict,
    /// The rules after the shot.
    pub rules: Box<dyn Rules>,
    /// Positions of the balls after the shot, including balls that the rules placed.
    pub layout: Layout,
}

impl Trial {
    pub fn of(state: GameState) -> Self {
        let simulator = Simulator::new(state.table.clone());
        Self { sight: Sight::of(&state.table), state, simulator, shot: Shot::default() }
    }

    /// The same trial with another position on the same table.
    pub fn with_state(self, state: GameState) -> Self {
        Self { state, ..self }
    }

    /// The shot to play, if the task is a shot.
    pub fn stroke(&self) -> Option<&ShotConstraints> {
        self.state.rules.turn().stroke()
    }

    pub fn cue(&self) -> Cue {
        self.state.cue
    }

    /// The shot to play, as seen by a hand with this error, radians.
    pub fn situation(&self, error: f32) -> Option<Situation<'_>> {
        let GameState { layout, table, .. } = &self.state;
        Some(Situation { sight: &self.sight, table, stroke: self.stroke()?, layout, error })
    }

    /// Plays a stroke from here and judges it. Returns `None` if the stroke or the call is not allowed.
    pub fn play(&mut self, from: Vec2, strike: &CueStrike, call: Call) -> Option<After> {
        let stroke = self.stroke()?;
        if self.state.rules.call_refusal(&call).is_some() {
            return None;
        }
        let (ball, layout) = (stroke.cue_ball, self.state.played_from(from));
        self.simulator.play_into(&mut self.shot, &layout, ball, strike, &self.state.cue).ok()?;
        self.shot.call = call;
        Some(self.state.judge(&self.shot))
    }
}

impl GameState {
    /// The outcome of a shot from here, on a copy of the rules.
    pub(in crate::games) fn judge(&self, shot: &Shot) -> After {
        let (mut rules, mut layout) = (self.rules.clone(), shot.after.clone());
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
        let mut trial = Trial::of(playing.game_state());
        for _ in 0..2 {
            // Twice, to check that nothing remains from the first trial.
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
