//! A bot by a simple recipe, as an opponent to be measured against: that of the program pooltool. It pots the
//! straightest ball, aimed by the ghost ball alone; it knows no throw, plays no position and no safety.

use bevy::math::{DVec2, Vec2};

use super::{Bot, Position, candidates::Scene, noise::Noise, value::any_place};
use crate::{
    billiards::cue::Strike,
    games::{
        rules::{Action, BallPlace, Stroke, Task},
        sight::{Pot, Sight, balls_on},
        simulator::Simulator,
    },
    random::Random,
};

/// How fast the cue ball is in a break, m/s.
const BREAK_SPEED: f64 = 9.0;

/// How fast where nothing can be potted, m/s.
const SPEED: f64 = 2.5;

/// The bot.
#[derive(Debug)]
pub struct Recipe {
    name: String,
    noise: f64,
    position: Option<Position>,
}

impl Recipe {
    /// One whose hand has so many times the noise of the Olympiad.
    #[must_use]
    pub fn new(name: impl Into<String>, noise: f64) -> Self {
        Self { name: name.into(), noise, position: None }
    }

    /// Where from, and the stroke.
    fn stroke(position: &Position, stroke: &Stroke) -> Option<Action> {
        let Position { layout, table, cue, .. } = position;
        let sight = Sight::of(table);
        let scene = Scene { sight: &sight, table, stroke, layout, error: 0.001 };
        let body = Simulator::new(table.clone()).body();
        let on = balls_on(stroke, layout);
        let straight =
            |pots: &mut dyn Iterator<Item = (Vec2, Pot)>| pots.max_by(|a, b| a.1.cut_cos.total_cmp(&b.1.cut_cos));
        let from = any_place(stroke, layout, table)?;
        let pot = if stroke.is_break {
            None
        } else if let Some(region) = stroke.in_hand {
            straight(&mut sight.pots_in_hand((table, region), layout, stroke.cue_ball, (&on, 0.001)))
        } else {
            straight(&mut sight.pots(layout, (stroke.cue_ball, from), &on, 0.001).map(|pot| (from, pot)))
        };
        let (from, toward, speed, call) = if let Some((from, pot)) = pot {
            let way = pot.object_way + pot.cue_way;
            let speed = (1.0 + 0.8 * way) / pot.cut_cos.max(0.4);
            (from, pot.ghost - from, f64::from(speed), scene.call(Some(pot.ball), Some((pot.ball, pot.pocket))))
        } else {
            let places = on.iter().filter_map(|&ball| layout[ball].on_table());
            let nearest = places.min_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)));
            let speed = if stroke.is_break && nearest.is_some() { BREAK_SPEED } else { SPEED };
            // Where there is nothing to hit, across the table.
            (from, nearest.unwrap_or(-from) - from, speed, scene.call(None, None))
        };
        let direction: DVec2 = toward.as_dvec2();
        let strike = Strike { direction, ..Strike::default() }.with_ball_speed(cue, &body, speed);
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

    fn consider(&mut self, position: Position) {
        self.position = Some(position);
    }

    fn think(&mut self, _shots: u32) -> Option<Action> {
        let position = self.position.take()?;
        let stroke = match &position.rules.turn().task {
            Task::Choose(choices) => return choices.first().copied().map(Action::Choose),
            Task::Over(_) => return None,
            Task::Shoot(stroke) => stroke,
        };
        let mut action = Self::stroke(&position, stroke).unwrap_or(Action::Pass);
        if let Action::Shoot { strike, .. } = &mut action {
            let ball = [f64::from(position.table.ball_radius()), position.cue.miscue_limit];
            *strike = Noise::olympiad(self.noise).disturb(strike, ball, &mut Random::new(position.seed));
            if let Some(from) = position.layout[stroke.cue_ball].on_table() {
                *strike = position.table.raised(&position.layout, from, *strike);
            }
        }
        Some(action)
    }
}
