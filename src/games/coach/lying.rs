//! A position with the cue ball played from where it lies.

use crate::{
    billiards::tables::BallName,
    games::{
        bot::GameState,
        rules::{
            BallId, Choice, Layout, Note, Player, Refusal, Rules, Shot, ShotConstraints, Standing, Target, Task, Turn,
            Verdict,
        },
    },
};

/// The position with the cue ball played from where it lies, even if it was in hand.
#[must_use]
pub fn as_it_lies(state: GameState) -> GameState {
    let Turn { player, task: Task::Shoot(stroke) } = state.rules.turn().clone() else { return state };
    if stroke.in_hand.is_none() || !state.layout.is_on_table(stroke.cue_ball) {
        return state;
    }
    let turn = Turn::shoot(player, ShotConstraints { in_hand: None, ..stroke });
    let rules = state.rules.clone();
    let standing = Some(Standing { turn, ..rules.standing().clone() });
    GameState { rules: Box::new(Lying { rules, standing }), ..state }
}

/// Rules in which the next shot is played from where the cue ball lies.
#[derive(Clone, Debug)]
struct Lying {
    rules: Box<dyn Rules>,
    standing: Option<Standing>,
}

#[deny(clippy::missing_trait_methods)]
impl Rules for Lying {
    fn balls(&self) -> &[BallName] {
        self.rules.balls()
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.rules.layout(seed)
    }

    fn standing(&self) -> &Standing {
        self.standing.as_ref().unwrap_or_else(|| self.rules.standing())
    }

    fn value(&self, ball: BallId) -> i32 {
        self.rules.value(ball)
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        self.standing = None;
        self.rules.judge(shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        self.standing = None;
        self.rules.choose(choice, layout)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        self.rules.notes(player)
    }

    fn own_ball(&self, player: Player) -> Option<BallName> {
        self.rules.own_ball(player)
    }

    fn points_to_win(&self, player: Player) -> Option<u32> {
        self.rules.points_to_win(player)
    }

    fn outlook(&self, layout: &Layout) -> Option<f32> {
        self.rules.outlook(layout)
    }

    fn title(&self) -> Option<&str> {
        self.rules.title()
    }

    fn targets(&self) -> &[Target] {
        self.rules.targets()
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
