//! The value of a position for a player, between 0 (lost) and 1 (won). It follows from the chance of the best pot for
//! the player at the table. All constants are that player's chances to win the rack. They were set by hand; the ladder
//! of levels (`docs/src/bots.md`) guards them.

use crate::games::{
    rules::{BallId, Choice, GameTable, Layout, Outcome, Player, Rules, ShotConstraints, Task},
    sight::{Pot, Sight, Situation},
};

/// The value of a turn with nothing to pot: less than half, as the opponent has the next chance.
const NOTHING_ON: f32 = 0.25;

/// The value that a certain pot adds. The two together stay below 1, as a rack takes more than one pot.
const CERTAIN_POT: f32 = 0.7;

/// An alternative second pot adds this share of its chance.
const SECOND: f32 = 0.15;

/// The value of a break: neither side is better off.
const BREAKS: f32 = 0.5;

/// The value of a choice when the options are not evaluated. It is above even, as the player can leave the worse of two
/// positions to the opponent.
const CHOOSES: f32 = 0.65;

/// The value of a turn with a push-out. It avoids playing from a bad position and leaves one that both players find
/// even.
const PUSHES_OUT: f32 = 0.5;

/// The value of a ball in hand with nothing to pot. The player can play safe from the best place. So a soft break that
/// leaves all balls together, which is a foul, gains nothing.
const IN_HAND: f32 = 0.65;

/// The chance that a shot scores where there are no pockets.
const WITHOUT_POCKETS: f32 = 0.5;

/// The value of a point, relative to a rack's 1. Some tens of points decide a frame of snooker.
const POINT: f32 = 0.01;

/// The context for evaluating a position.
#[derive(Clone, Copy, Debug)]
pub struct Eye<'a> {
    /// The geometry of the pockets.
    pub sight: &'a Sight,
    /// The table.
    pub table: &'a GameTable,
    /// The standard deviation of the cue's direction for judging pots, radians.
    pub error: f32,
}

/// A player, and the score from which points are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The player.
    pub player: Player,
    /// The initial points of both players.
    pub score: [i32; 2],
}

/// The rules and the layout after a choice, or `None` if it is not available.
pub(super) fn after_choice(rules: &dyn Rules, layout: &Layout, choice: Choice) -> Option<(Box<dyn Rules>, Layout)> {
    let (mut rules, mut layout) = (rules.boxed(), layout.clone());
    rules.choose(choice, &layout).ok()?.place(&mut layout);
    Some((rules, layout))
}

impl Eye<'_> {
    /// The value of a position for a player, including the points that both have scored since `side`.
    #[must_use]
    pub fn value(self, rules: &dyn Rules, layout: &Layout, side: Side) -> f32 {
        self.value_with(rules, layout, side, true)
    }

    /// The same. At a choice, each option is evaluated, but not the choices that follow from it.
    fn value_with(self, rules: &dyn Rules, layout: &Layout, side: Side, looks_at_choices: bool) -> f32 {
        let Side { player, score } = side;
        let turn = rules.turn();
        if !matches!(turn.task, Task::Over(_))
            && let Some(outlook) = rules.outlook(layout)
        {
            return if player == Player(0) { outlook } else { 1.0 - outlook };
        }
        let theirs = match &turn.task {
            Task::Over(Outcome { winner: Some(winner) }) => return if *winner == player { 1.0 } else { 0.0 },
            Task::Over(_) => return 0.5,
            Task::Choose(choices) if looks_at_choices => {
                let value = |&choice: &Choice| {
                    let (rules, layout) = after_choice(rules, layout, choice)?;
                    let chooser = Side { player: turn.player, score: rules.score() };
                    Some(self.value_with(&*rules, &layout, chooser, false))
                };
                choices.iter().filter_map(value).reduce(f32::max).unwrap_or(CHOOSES)
            }
            Task::Choose(_) => CHOOSES,
            Task::Shoot(stroke) if stroke.is_break => BREAKS,
            Task::Shoot(stroke) => {
                let chance =
                    if self.sight.pockets.is_empty() { WITHOUT_POCKETS } else { self.best_pot(rules, stroke, layout) };
                let pots = NOTHING_ON + CERTAIN_POT * chance;
                match (stroke.may_push_out, stroke.in_hand) {
                    (true, _) => pots.max(PUSHES_OUT),
                    (false, Some(_)) => pots.max(IN_HAND),
                    (false, None) => pots,
                }
            }
        };
        let now = rules.score();
        let ahead = |player: Player| now[player.index()] - score[player.index()];
        let points = POINT * (ahead(player) - ahead(player.other())) as f32;
        let value = if turn.player == player { theirs } else { 1.0 - theirs };
        (value + points).clamp(0.001, 0.999)
    }

    /// The chance of the best pot, plus a little for a second one.
    fn best_pot(self, rules: &dyn Rules, stroke: &ShotConstraints, layout: &Layout) -> f32 {
        let Self { sight, table, error } = self;
        let mut best: [(f32, Option<BallId>); 2] = [(0.0, None); 2];
        for Pot { chance, ball, .. } in (Situation { sight, table, stroke, layout, error }).pots() {
            // A more valuable ball justifies a smaller chance.
            let chance = (chance * (1.0 + POINT * (rules.value(ball) as f32 - 1.0))).min(1.0);
            if chance > best[0].0 {
                if best[0].1 != Some(ball) {
                    best[1] = best[0];
                }
                best[0] = (chance, Some(ball));
            } else if chance > best[1].0 && best[0].1 != Some(ball) {
                best[1] = (chance, Some(ball));
            }
        }
        let [(first, _), (second, _)] = best;
        (first + SECOND * second * (1.0 - first)).min(1.0)
    }
}
