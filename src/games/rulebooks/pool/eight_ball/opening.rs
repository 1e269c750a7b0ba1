//! The break of 8-ball (3.3), and what may be chosen after it.

use super::{CUE_BALL, EIGHT, EightBall, EightOnBreak, put};
use crate::games::{
    rulebooks::pool::wpa::potted_object_balls,
    rules::{BallPlace, Choice, Foul, Layout, Player, Region, Remark, Shot, ShotConstraints, Turn, Verdict},
};

impl EightBall {
    pub(super) fn judge_break(&mut self, shot: &Shot, stroke: &ShotConstraints) -> Verdict {
        let player = self.rack.turn.player;
        let mut layout = shot.after.clone();
        let mut verdict = Verdict { fouls: self.setting.fouls(shot, stroke, false), ..Verdict::default() };
        let fouled = !verdict.fouls.is_empty() || !layout.is_on_table(CUE_BALL);
        let illegal = self.setting.is_illegal_break(shot);
        if self.rack.note_foul(player, fouled, self.options.three_fouls, &mut verdict) {
            return verdict;
        }
        if illegal && !verdict.fouls.contains(&Foul::NoHit) {
            // Here that is no foul (3.3 d).
            verdict.remarks.push(Remark::IllegalBreak);
        }
        let eight_potted = shot.is_potted(EIGHT);
        let scratch = !layout.is_on_table(CUE_BALL);
        if !fouled && !illegal {
            self.rack.potted = potted_object_balls(shot).len() as i32;
            let goes_on = self.rack.potted > 0;
            verdict.goes_on = goes_on;
            if eight_potted {
                match self.options.eight_on_break {
                    EightOnBreak::Choose => {
                        verdict.remarks.push(Remark::EightOnBreak);
                        self.rack.turn = Turn::choose(player, [Choice::SpotAndPlayOn, Choice::Break]);
                        return verdict;
                    }
                    EightOnBreak::Win => {
                        self.rack.win(player, &mut verdict);
                        return verdict;
                    }
                    EightOnBreak::Spot => {
                        self.setting.spot(EIGHT, &mut layout, &mut verdict);
                        verdict.remarks.push(Remark::Spotted(self.setting.balls[EIGHT.index()]));
                    }
                    EightOnBreak::Break => {
                        verdict.remarks.push(Remark::EightBreaksAgain);
                        self.break_anew(player, &layout, &mut verdict);
                        return verdict;
                    }
                }
            }
            let next = if goes_on { player } else { player.other() };
            self.rack.turn = Turn::shoot(next, self.stroke(next, &layout));
            return verdict;
        }
        // What the other player may choose now (3.3 d, f, g and h); a cue ball in hand is so behind the head string.
        let next = player.other();
        if scratch {
            put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
            if eight_potted {
                verdict.remarks.push(Remark::EightOnBreak);
                self.rack.turn = Turn::choose(next, [Choice::SpotAndPlayOn, Choice::Break]);
                return verdict;
            }
        }
        if !layout.is_on_table(EIGHT) {
            self.setting.spot(EIGHT, &mut layout, &mut verdict);
            verdict.remarks.push(Remark::Spotted(self.setting.balls[EIGHT.index()]));
        }
        let mut choices = Vec::new();
        if !scratch {
            choices.push(Choice::PlayOn);
        }
        if fouled {
            choices.push(Choice::BallInHand);
        }
        if illegal {
            choices.extend([Choice::Break, Choice::LetBreak]);
        }
        self.rack.turn = match choices[..] {
            [Choice::BallInHand] => self.setting.turn_behind_head_string(next, self.stroke(next, &layout), &layout),
            _ => Turn::choose(next, choices),
        };
        verdict
    }

    /// Racks all balls, and has a player break.
    pub(super) fn break_anew(&mut self, player: Player, layout: &Layout, verdict: &mut Verdict) {
        let order = self.order();
        self.setting.rack(&order, &mut layout.clone(), verdict);
        self.rack.potted = 0;
        self.rack.turn = Turn::shoot(player, break_stroke());
    }
}

/// The break: from behind the head string, at any ball.
pub(super) fn break_stroke() -> ShotConstraints {
    ShotConstraints { in_hand: Some(Region::BehindHeadString), is_break: true, ..ShotConstraints::of(CUE_BALL) }
}
