//! A baseline bot that follows a simple recipe, for comparison with the others. It pots the straightest ball, aimed by
//! the ghost ball alone. It ignores throw and plays neither position nor safeties.

use bevy::math::DVec2;

use super::{Bot, GameState, Noise};
use crate::{
    billiards::cue::CueStrike,
    games::{
        rules::{Action, BallPlace, ShotConstraints, Task},
        sight::{Pot, Sight, Situation},
        simulator::Simulator,
    },
    random::Random,
};

/// The speed of the cue ball in a break, m/s.
const BREAK_SPEED: f64 = 9.0;

/// The speed of the cue ball when nothing can be potted, m/s.
const SPEED: f64 = 2.5;

/// The bot.
#[derive(Debug)]
pub struct Recipe {
    name: String,
    noise: f64,
    state: Option<GameState>,
}

impl Recipe {
    /// A bot whose hand has this multiple of the Olympiad's noise.
    #[must_use]
    pub fn new(name: impl Into<String>, noise: f64) -> Self {
        Self { name: name.into(), noise, state: None }
    }

    /// The place and the stroke.
    fn stroke(state: &GameState, stroke: &ShotConstraints) -> Option<Action> {
        let GameState { layout, table, cue, .. } = state;
        let sight = Sight::of(table);
        let situation = Situation { sight: &sight, table, stroke, layout, error: Noise::sight_error(1.0) };
        let body = Simulator::new(table.clone()).body();
        let from = situation.any_place()?;
        let pots = if stroke.is_break { Vec::new() } else { situation.pots() };
        let pot = pots.into_iter().max_by(|a, b| a.cut_cos.total_cmp(&b.cut_cos));
        let (from, toward, speed, call) = if let Some(pot) = pot {
            let Pot { from, .. } = pot;
            let way = pot.object_way + pot.cue_way;
            let speed = (1.0 + 0.8 * way) / pot.cut_cos.max(0.4);
            (from, pot.ghost - from, f64::from(speed), situation.call(Some(pot.ball), Some((pot.ball, pot.pocket))))
        } else {
            let places = situation.balls_on().into_iter().filter_map(|ball| layout[ball].on_table());
            let nearest = places.min_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)));
            let speed = if stroke.is_break && nearest.is_some() { BREAK_SPEED } else { SPEED };
            // With nothing to hit, across the table.
            (from, nearest.unwrap_or(-from) - from, speed, situation.call(None, None))
        };
        let direction: DVec2 = toward.as_dvec2();
        let strike = CueStrike { direction, ..CueStrike::default() }.with_ball_speed(cue, &body, speed);
        let strike = table.raised(layout, from, strike);
        if layout[stroke.cue_ball] == BallPlace::Table(from) {
            return Some(Action::Shoot { call, strike });
        }
        Some(Action::Place(from)).filter(|_| stroke.in_hand.is_some())
    }
}

impl Bot for Recipe {
    fn name(&self) -> &str {
        &self.name
    }

    fn consider(&mut self, state: GameState) {
        self.state = Some(state);
    }

    fn think(&mut self, _shots: u32) -> Option<Action> {
        let state = self.state.take()?;
        let stroke = match &state.rules.turn().task {
            Task::Choose(choices) => return choices.first().copied().map(Action::Choose),
            Task::Over(_) => return None,
            Task::Shoot(stroke) => stroke,
        };
        let mut action = Self::stroke(&state, stroke).unwrap_or(Action::Pass);
        if let Action::Shoot { strike, .. } = &mut action
            && let Some(from) = state.layout[stroke.cue_ball].on_table()
        {
            *strike = state.disturbed(from, strike, self.noise, &mut Random::new(state.seed));
        }
        Some(action)
    }
}
