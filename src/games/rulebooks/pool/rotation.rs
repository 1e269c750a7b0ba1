//! The rules shared by 9-ball and 10-ball: the cue ball has to hit the lowest ball first, and the ball with the highest
//! number wins the rack.

use std::sync::Arc;

use serde::Deserialize;

use super::{
    rack::{FoulsInARow, balls_in_a_row},
    wpa::{CUE_BALL, MIDDLE, Setting, makes_call, potted_object_balls, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::{
        rulebooks::ruling::{Chosen, Decision, RuleBook, Ruling, choose, judge},
        rules::{
            BallId, BallPlace, CallNeeded, Choice, Foul, GameTable, Layout, Note, Player, Refusal, Region, Remark,
            Rules, Shot, ShotConstraints, Standing, Turn, Verdict,
        },
    },
    random::Random,
};

/// The effect of potting the winning ball on a break without a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnBreak {
    /// It wins.
    Win,
    /// It is spotted, and the breaker continues.
    Spot,
}

/// The differences between 9-ball and 10-ball, and their options.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationRules {
    pub(super) name: &'static str,
    pub(super) rack: Rack,
    pub(super) call_shots: bool,
    /// Whether a player may hand the shot back after the opponent potted a ball without calling it.
    pub(super) hand_back: bool,
    pub(super) on_break: OnBreak,
    /// Whether the winning ball wins only as the last one on the table.
    pub(super) wins_as_last: bool,
    pub(super) push_out: bool,
    pub(super) three_fouls: bool,
}

/// A rack of 9-ball or 10-ball.
#[derive(Clone, Debug)]
pub(super) struct Rotation {
    rules: RotationRules,
    setting: Arc<Setting>,
    standing: Standing,
    fouls: FoulsInARow,
}

impl Rotation {
    pub(super) fn new(rules: RotationRules, table: &Arc<GameTable>) -> Result<Self, String> {
        let setting = Arc::new(Setting::new(rules.name, table, rules.rack)?);
        let stroke = ShotConstraints {
            on: vec![BallId(1)],
            in_hand: Some(Region::BehindHeadString),
            is_break: true,
            ..ShotConstraints::of(CUE_BALL)
        };
        Ok(Self {
            rules,
            setting,
            standing: Standing::new(Turn::shoot(Player(0), stroke)),
            fouls: FoulsInARow::new(rules.three_fouls),
        })
    }

    /// The winning ball, which has the highest number.
    fn winning_ball(&self) -> BallId {
        BallId(self.setting.balls.len() as u8 - 1)
    }

    /// The shot with this layout: at the lowest ball.
    fn stroke(&self, layout: &Layout) -> ShotConstraints {
        let lowest = self.setting.object_balls().find(|&ball| layout.is_on_table(ball));
        let calls = self.rules.call_shots;
        let call = if calls { CallNeeded::BallAndPocket } else { CallNeeded::Nothing };
        ShotConstraints {
            on: lowest.into_iter().collect(),
            call,
            may_play_safe: calls,
            ..ShotConstraints::of(CUE_BALL)
        }
    }

    /// Whether ball and pocket had to be called.
    fn calls(&self, stroke: &ShotConstraints) -> bool {
        self.rules.call_shots && !stroke.is_break
    }

    /// Whether a shot counts: without a foul, it potted a ball, as called where calls are required.
    fn counts(&self, ruling: &Ruling) -> bool {
        let Ruling { shot, stroke, .. } = ruling;
        let has_potted = if self.calls(stroke) { makes_call(shot) } else { !potted_object_balls(shot).is_empty() };
        ruling.is_clean() && !is_push_out(ruling) && has_potted
    }

    /// Whether the winning ball fell in a shot that counts, and wins.
    fn wins(&self, ruling: &Ruling) -> bool {
        let Ruling { shot, stroke, .. } = ruling;
        let ball = self.winning_ball();
        if shot.after.is_on_table(ball) {
            return false;
        }
        if stroke.is_break {
            return self.rules.on_break == OnBreak::Win;
        }
        let called = !self.rules.call_shots || (makes_call(shot) && shot.call.ball == Some(ball));
        // Balls that fell in the same shot must have fallen before it.
        let is_last = self.setting.object_balls().all(|other| !shot.after.is_on_table(other))
            && potted_object_balls(shot).last() == Some(&ball);
        called && (is_last || !self.rules.wins_as_last)
    }
}

/// Whether a shot is a push-out (2.4, 9.4).
fn is_push_out(ruling: &Ruling) -> bool {
    ruling.shot.call.push_out && ruling.stroke.may_push_out
}

impl RuleBook for Rotation {
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let Ruling { player, shot, stroke, .. } = ruling;
        let mut fouls = self.setting.fouls(shot, stroke, is_push_out(ruling));
        if stroke.is_break && !fouls.contains(&Foul::NoHit) && self.setting.is_illegal_break(shot) {
            fouls.push(Foul::IllegalBreak);
        }
        fouls.extend(self.fouls.third(*player, &fouls));
        fouls
    }

    fn decide(&self, ruling: &Ruling) -> Decision {
        let counts = self.counts(ruling);
        if ruling.fouls.contains(&Foul::ThirdFoul) {
            Decision::Won(ruling.player.other())
        } else if counts && self.wins(ruling) {
            Decision::Won(ruling.player)
        } else {
            Decision::go_on_if(counts)
        }
    }

    fn points_for_rack(&self) -> i32 {
        1
    }

    fn current_break_after(&self, ruling: &Ruling) -> i32 {
        balls_in_a_row(self.standing.current_break, ruling, potted_object_balls(ruling.shot).len() as i32)
    }

    fn count(&mut self, ruling: &mut Ruling) {
        if ruling.decision != Decision::Won(ruling.player) {
            self.fouls.note(ruling);
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        let winning = self.winning_ball();
        if ruling.decision != Decision::Won(ruling.player) && !ruling.layout.is_on_table(winning) {
            self.setting.spot(winning, &mut ruling.layout);
            ruling.remarks.push(Remark::Spotted(self.setting.balls[winning.index()]));
        }
        if !ruling.is_clean() && !ruling.is_over() {
            ruling.layout[CUE_BALL] = BallPlace::Hand;
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        let next = ruling.next_player();
        let mut stroke = self.stroke(&ruling.layout);
        if !ruling.is_clean() {
            ruling.remarks.extend(self.fouls.warning(ruling.player));
            stroke.in_hand = Some(Region::Anywhere);
            return Turn::shoot(next, stroke);
        }
        stroke.may_push_out = ruling.stroke.is_break && self.rules.push_out;
        let potted_uncalled = self.calls(&ruling.stroke)
            && self.rules.hand_back
            && next != ruling.player
            && !potted_object_balls(ruling.shot).is_empty();
        if !is_push_out(ruling) && !potted_uncalled {
            return Turn::shoot(next, stroke);
        }
        ruling.remarks.push(if is_push_out(ruling) { Remark::PushOut } else { Remark::PottedUncalled });
        Turn::choose(next, [Choice::PlayOn, Choice::PassBack])
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
    }
}

impl Rules for Rotation {
    fn balls(&self) -> &[BallName] {
        &self.setting.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        // The 1 at the apex, the winning ball in the middle, the others in random order (2.2, 9.2).
        let winning = self.winning_ball();
        let mut order: Vec<BallId> = self.setting.object_balls().filter(|&ball| ball != winning).collect();
        shuffle(&mut order[1..], &mut Random::new(seed));
        order.insert(MIDDLE, winning);
        self.setting.racked(&order)
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        choose(self, choice, layout, |rules, Chosen { player, choice, layout, .. }| {
            let next = if *choice == Choice::PlayOn { *player } else { player.other() };
            Turn::shoot(next, rules.stroke(layout))
        })
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.standing.turn.player == player
            && let Some(&[ball]) = self.standing.turn.stroke().map(|stroke| stroke.on.as_slice())
        {
            notes.push(Note::PlaysAt(self.setting.balls[ball.index()]));
        }
        notes.extend(self.fouls.note_of(player));
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
