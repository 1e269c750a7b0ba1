//! What a position is worth: a number between 0 (lost) and 1 (won) for a player, by the chance of the best pot that
//! the player at the table finds there. All constants are chances to win the rack, for the player at the table. They
//! were set by hand; the ladder of levels (`docs/games.md`, *Bots*) guards them.

use crate::games::{
    rules::{BallId, Choice, GameTable, Layout, Outcome, Player, Rules, ShotConstraints, Task},
    sight::{Pot, Sight, Situation},
};

/// What a player at the table has who has nothing to pot: less than half, as the other then has the next chance.
const NOTHING_ON: f32 = 0.25;

/// How much a certain pot adds to it. The two together stay below 1, as a rack is more than one pot.
const CERTAIN_POT: f32 = 0.7;

/// A second pot that could be played instead adds this share of its chance.
const SECOND: f32 = 0.15;

/// What a player has who breaks: neither side is better off.
const BREAKS: f32 = 0.5;

/// What a player has who may choose, where the choices cannot be looked at: better off than even, as the worse of two
/// positions can be left to the other.
const CHOOSES: f32 = 0.65;

/// Who may push out need not play from where nothing is on: the other player gets a position that both find even.
const PUSHES_OUT: f32 = 0.5;

/// Who has the ball in hand and nothing to pot can play safe from the best place, and is better off than the other. So
/// a soft break that leaves all balls together, and is a foul, gains nothing.
const IN_HAND: f32 = 0.65;

/// The chance that a shot scores where there are no pockets.
const WITHOUT_POCKETS: f32 = 0.5;

/// A point is worth so much, beside a rack that is worth 1: a frame of snooker is decided by some tens of points.
const POINT: f32 = 0.01;

/// What values are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Eye<'a> {
    /// The table, as it looks.
    pub sight: &'a Sight,
    /// The table.
    pub table: &'a GameTable,
    /// The deviation of the cue's direction that pots are judged with, radians.
    pub error: f32,
}

/// A player, and the score from which the points of a position count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Who it is.
    pub player: Player,
    /// The points that both had.
    pub score: [i32; 2],
}

impl Eye<'_> {
    /// What a position is worth to a player, with the points that both have besides what they had.
    #[must_use]
    pub fn value(self, rules: &dyn Rules, layout: &Layout, side: Side) -> f32 {
        self.value_with(rules, layout, side, true)
    }

    /// The same; where there is something to be chosen, each choice is looked at, but not those that follow from one.
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
                    let (mut rules, mut layout) = (rules.boxed(), layout.clone());
                    rules.choose(choice, &layout).ok()?.place(&mut layout);
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

    /// The chance of the best pot, with a little for a second one.
    fn best_pot(self, rules: &dyn Rules, stroke: &ShotConstraints, layout: &Layout) -> f32 {
        let Self { sight, table, error } = self;
        let mut best: [(f32, Option<BallId>); 2] = [(0.0, None); 2];
        for Pot { chance, ball, .. } in (Situation { sight, table, stroke, layout, error }).pots() {
            // A ball that counts more is worth a worse chance.
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
