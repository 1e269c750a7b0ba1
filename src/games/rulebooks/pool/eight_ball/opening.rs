//! The break of 8-ball (3.3), and the choices after it.

use super::{CUE_BALL, EIGHT, EightBall, EightOnBreak};
use crate::games::{
    rulebooks::{
        pool::wpa::potted_object_balls,
        ruling::{Chosen, Decision, Ruling},
    },
    rules::{BallPlace, Choice, Foul, Layout, Region, Remark, ShotConstraints, Turn},
};

/// Where the 8 is after a break that has not won.
enum EightAfterBreak {
    /// On the table, where the break left it.
    StayedUp,
    /// Back on its spot.
    Spotted,
    /// In a new rack with all other balls.
    Racked,
    /// In a pocket. The breaker chooses what happens to it, or the opponent after a scratch.
    Down,
}

impl EightBall {
    /// Whether a break was neither a foul nor illegal. An illegal break is not a foul in 8-ball (3.3 d).
    fn is_legal_break(&self, ruling: &Ruling) -> bool {
        ruling.is_clean() && !self.setting.is_illegal_break(ruling.shot)
    }

    /// The effect of the 8, if it fell on a legal break.
    pub(super) fn eight_on_break(&self, ruling: &Ruling) -> Option<EightOnBreak> {
        let is_potted = ruling.stroke.is_break && ruling.shot.is_potted(EIGHT) && self.is_legal_break(ruling);
        is_potted.then_some(self.options.eight_on_break)
    }

    /// Where the 8 is after a break that has not won, once balls are placed.
    fn eight_after_break(&self, ruling: &Ruling) -> EightAfterBreak {
        if self.eight_on_break(ruling) == Some(EightOnBreak::Break) {
            EightAfterBreak::Racked
        } else if !ruling.layout.is_on_table(EIGHT) {
            EightAfterBreak::Down
        } else if ruling.shot.after.is_on_table(EIGHT) {
            EightAfterBreak::StayedUp
        } else {
            EightAfterBreak::Spotted
        }
    }

    pub(super) fn decide_break(&self, ruling: &Ruling) -> Decision {
        match self.eight_on_break(ruling) {
            Some(EightOnBreak::Win) => Decision::Won(ruling.player),
            _ => Decision::go_on_if(self.is_legal_break(ruling) && !potted_object_balls(ruling.shot).is_empty()),
        }
    }

    pub(super) fn place_after_break(&mut self, ruling: &mut Ruling) {
        if ruling.is_over() {
            return;
        }
        let scratch = !ruling.layout.is_on_table(CUE_BALL);
        if scratch {
            ruling.layout[CUE_BALL] = BallPlace::Hand;
        }
        let spots_eight = match self.eight_on_break(ruling) {
            Some(on_break) => on_break == EightOnBreak::Spot,
            // After a scratch the opponent chooses.
            None if scratch && ruling.shot.is_potted(EIGHT) => false,
            None => !ruling.layout.is_on_table(EIGHT),
        };
        if spots_eight {
            self.setting.spot(EIGHT, &mut ruling.layout);
        } else if self.eight_on_break(ruling) == Some(EightOnBreak::Break) {
            self.rack_again(&mut ruling.layout);
        }
    }

    pub(super) fn next_after_break(&mut self, ruling: &mut Ruling) -> Turn {
        let (illegal, scratch) = (self.setting.is_illegal_break(ruling.shot), !ruling.shot.after.is_on_table(CUE_BALL));
        if illegal && !ruling.fouls.contains(&Foul::NoHit) {
            ruling.remarks.push(Remark::IllegalBreak);
        }
        let next = ruling.next_player();
        match self.eight_after_break(ruling) {
            EightAfterBreak::Racked => {
                ruling.remarks.push(Remark::EightBreaksAgain);
                return Turn::shoot(next, break_stroke());
            }
            EightAfterBreak::Down => {
                ruling.remarks.push(Remark::EightOnBreak);
                return Turn::choose(next, [Choice::SpotAndPlayOn, Choice::Break]);
            }
            EightAfterBreak::Spotted => {
                ruling.remarks.push(Remark::Spotted(self.setting.balls[EIGHT.index()]));
            }
            EightAfterBreak::StayedUp => {}
        }
        let stroke = self.stroke(next, &ruling.layout);
        if self.is_legal_break(ruling) {
            return Turn::shoot(next, stroke);
        }
        // The opponent's choices now (3.3 d, f, g and h). A cue ball in hand is behind the head string.
        let choices = [
            (Choice::PlayOn, !scratch),
            (Choice::BallInHand, !ruling.is_clean()),
            (Choice::Break, illegal),
            (Choice::LetBreak, illegal),
        ];
        let choices: Vec<Choice> = choices.into_iter().filter(|&(_, offered)| offered).map(|(it, _)| it).collect();
        match choices[..] {
            [Choice::BallInHand] => self.setting.turn_behind_head_string(next, stroke, &ruling.layout),
            _ => Turn::choose(next, choices),
        }
    }

    /// Carries out a choice.
    pub(super) fn follow(&mut self, chosen: &mut Chosen) -> Turn {
        let Chosen { player, choice, ref mut layout, .. } = *chosen;
        match choice {
            Choice::Break | Choice::LetBreak => {
                self.rack_again(layout);
                self.standing.current_break = 0;
                return Turn::shoot(if choice == Choice::Break { player } else { player.other() }, break_stroke());
            }
            Choice::SpotNearest => {
                let stroke = self.stroke(player, layout);
                if let Some(nearest) = self.setting.nearest_behind_head_string(&stroke, layout) {
                    self.setting.spot(nearest, layout);
                }
            }
            Choice::SpotAndPlayOn => self.setting.spot(EIGHT, layout),
            Choice::BallInHand => layout[CUE_BALL] = BallPlace::Hand,
            _ => {}
        }
        let stroke = self.stroke(player, layout);
        if layout.is_on_table(CUE_BALL) {
            Turn::shoot(player, stroke)
        } else if matches!(choice, Choice::PlayOn | Choice::SpotNearest) {
            Turn::shoot(player, ShotConstraints { in_hand: Some(Region::BehindHeadString), ..stroke })
        } else {
            self.setting.turn_behind_head_string(player, stroke, layout)
        }
    }

    /// Racks all balls for a new break.
    fn rack_again(&mut self, layout: &mut Layout) {
        let order = self.order();
        *layout = self.setting.racked(&order);
    }
}

/// The break shot: from behind the head string, at any ball.
pub(super) fn break_stroke() -> ShotConstraints {
    ShotConstraints { in_hand: Some(Region::BehindHeadString), is_break: true, ..ShotConstraints::of(CUE_BALL) }
}
