//! What 9-ball and 10-ball share: the lowest ball has to be hit first, and the ball of the highest number wins the
//! rack.

use std::sync::Arc;

use serde::Deserialize;

use super::{
    rack::RackState,
    wpa::{CUE_BALL, Setting, makes_call, potted_object_balls, put, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::rules::{
        BallId, BallPlace, CallNeeded, Choice, Foul, GameTable, Layout, Note, Player, Refusal, Region, Remark, Rules,
        Shot, ShotConstraints, Turn, Verdict,
    },
    random::Random,
};

/// What the winning ball does if it falls on a break without a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnBreak {
    /// It wins.
    Win,
    /// It is spotted, and the breaker goes on.
    Spot,
}

/// In what 9-ball and 10-ball differ, and what can be chosen of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationRules {
    pub(super) name: &'static str,
    pub(super) rack: Rack,
    /// Where in the rack the winning ball lies, counted row by row from the tip.
    pub(super) middle: usize,
    pub(super) call_shots: bool,
    /// Whether a player may hand the shot back after the other has potted a ball without its having been called so.
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
    rack: RackState,
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
        Ok(Self { rules, setting, rack: RackState::new(Turn::shoot(Player(0), stroke)) })
    }

    /// The ball that wins: that of the highest number.
    fn winning_ball(&self) -> BallId {
        BallId(self.setting.balls.len() as u8 - 1)
    }

    /// What is to be played with the balls like this: at the lowest one.
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

    /// Whether the winning ball, which fell in a shot without a foul, wins.
    fn wins(&self, shot: &Shot, is_break: bool, layout: &Layout) -> bool {
        let ball = self.winning_ball();
        if is_break {
            return self.rules.on_break == OnBreak::Win;
        }
        let called = !self.rules.call_shots || (makes_call(shot) && shot.call.ball == Some(ball));
        // What fell together with it has to have fallen before it.
        let is_last = self.setting.object_balls().all(|other| !layout.is_on_table(other))
            && potted_object_balls(shot).last() == Some(&ball);
        called && (is_last || !self.rules.wins_as_last)
    }
}

impl Rules for Rotation {
    fn balls(&self) -> &[BallName] {
        &self.setting.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        // The 1 at the tip, the winning ball in the middle, the others without order (2.2, 9.2).
        let winning = self.winning_ball();
        let mut order: Vec<BallId> = self.setting.object_balls().filter(|&ball| ball != winning).collect();
        shuffle(&mut order[1..], &mut Random::new(seed));
        order.insert(self.rules.middle, winning);
        self.setting.racked(&order)
    }

    fn turn(&self) -> &Turn {
        &self.rack.turn
    }

    fn score(&self) -> [i32; 2] {
        self.rack.score()
    }

    fn current_break(&self) -> i32 {
        self.rack.potted
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Some(stroke) = self.rack.turn.stroke().cloned() else { return Verdict::default() };
        let player = self.rack.turn.player;
        let push_out = shot.call.push_out && stroke.may_push_out;
        let mut verdict = Verdict { fouls: self.setting.fouls(shot, &stroke, push_out), ..Verdict::default() };
        if stroke.is_break && !verdict.fouls.contains(&Foul::NoHit) && self.setting.is_illegal_break(shot) {
            verdict.fouls.push(Foul::IllegalBreak);
        }
        let mut layout = shot.after.clone();
        let fouled = !verdict.fouls.is_empty() || !layout.is_on_table(CUE_BALL);
        let potted = potted_object_balls(shot);
        let calls = self.rules.call_shots && !stroke.is_break;
        let counts = !fouled && !push_out && if calls { makes_call(shot) } else { !potted.is_empty() };

        let winning = self.winning_ball();
        if !layout.is_on_table(winning) {
            if counts && self.wins(shot, stroke.is_break, &layout) {
                self.rack.potted += potted.len() as i32;
                self.rack.win(player, &mut verdict);
                return verdict;
            }
            self.setting.spot(winning, &mut layout, &mut verdict);
            verdict.remarks.push(Remark::Spotted(self.setting.balls[winning.index()]));
        }

        self.rack.potted *= i32::from(!fouled);
        if self.rack.note_foul(player, fouled, self.rules.three_fouls, &mut verdict) {
            return verdict;
        }
        if fouled {
            put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
            let stroke = ShotConstraints { in_hand: Some(Region::Anywhere), ..self.stroke(&layout) };
            self.rack.turn = Turn::shoot(player.other(), stroke);
            return verdict;
        }

        let next = ShotConstraints { may_push_out: stroke.is_break && self.rules.push_out, ..self.stroke(&layout) };
        if counts {
            self.rack.potted += potted.len() as i32;
            verdict.goes_on = true;
            self.rack.turn = Turn::shoot(player, next);
            return verdict;
        }
        self.rack.potted = 0;
        let potted_uncalled = calls && !potted.is_empty() && self.rules.hand_back;
        if push_out {
            verdict.remarks.push(Remark::PushOut);
        } else if potted_uncalled {
            verdict.remarks.push(Remark::PottedUncalled);
        }
        self.rack.turn = if push_out || potted_uncalled {
            Turn::choose(player.other(), [Choice::PlayOn, Choice::PassBack])
        } else {
            Turn::shoot(player.other(), next)
        };
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        self.rack.turn.offers(choice)?;
        let player = self.rack.turn.player;
        let goes_on = choice == Choice::PlayOn;
        self.rack.turn = Turn::shoot(if goes_on { player } else { player.other() }, self.stroke(layout));
        Ok(Verdict { goes_on, ..Verdict::default() })
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.rack.turn.player == player
            && let Some(&[ball]) = self.rack.turn.stroke().map(|stroke| stroke.on.as_slice())
        {
            notes.push(Note::PlaysAt(self.setting.balls[ball.index()]));
        }
        if self.rules.three_fouls {
            notes.extend(self.rack.fouls.note_of(player));
        }
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
