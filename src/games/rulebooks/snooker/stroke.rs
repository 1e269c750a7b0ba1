//! The target of a stroke, its fouls, and its score.

use super::{
    BLACK, CUE_BALL, LEAST_PENALTY, MissRule, On, Snooker, can_hit, can_hit_fully, objects, places_of, value_of,
};
use crate::games::{
    rulebooks::ruling::{RuleBook, Ruling},
    rules::{BallId, Foul, Rules, Shot, ShotConstraints, ShotEvent},
};

/// The target of a stroke.
pub(super) struct Target {
    pub(super) on: On,
    /// The colour nominated after a red, or as the free ball.
    pub(super) nominated: Option<BallId>,
    /// The points of the ball on.
    pub(super) value: i32,
}

impl Snooker {
    /// The target of a stroke, given its nomination.
    pub(super) fn target(&self, stroke: &ShotConstraints, shot: &Shot) -> Target {
        let called = shot.call.ball.filter(|&ball| stroke.on.contains(&ball));
        match self.on {
            On::AnyColour => {
                let by_hit = shot.first_hit(CUE_BALL).filter(|&ball| !self.is_red(ball));
                let nominated = called.or(by_hit.filter(|_| self.options.implied_nomination));
                // A foul before nominating a colour costs the highest value.
                Target { on: self.on, nominated, value: nominated.map_or(BLACK, |ball| self.value(ball)) }
            }
            on => {
                let value = if let On::Colour(colour) = on { self.value(colour) } else { 1 };
                let is_on = |ball| if let On::Colour(colour) = on { ball == colour } else { self.is_red(ball) };
                Target { on, nominated: called.filter(|&ball| stroke.is_free_ball && !is_on(ball)), value }
            }
        }
    }

    /// Whether a ball may be hit first.
    fn may_be_hit(&self, target: &Target, ball: BallId) -> bool {
        target
            .nominated
            .map_or(target.on != On::AnyColour && self.is_ball_on(target, ball), |nominated| nominated == ball)
    }

    /// Whether a ball may be potted.
    fn may_be_potted(&self, target: &Target, ball: BallId) -> bool {
        target.nominated == Some(ball) || self.is_ball_on(target, ball)
    }

    fn is_ball_on(&self, target: &Target, ball: BallId) -> bool {
        match target.on {
            On::Red => self.is_red(ball),
            On::AnyColour => target.nominated == Some(ball),
            On::Colour(colour) => colour == ball,
        }
    }

    /// The ball that counts as hit first: a touching ball on that the cue ball was played away from, or else the first
    /// ball hit.
    fn first_hit(&self, target: &Target, shot: &Shot) -> Option<BallId> {
        let mut touching = shot.before.touching(CUE_BALL, self.table.ball_radius());
        touching.find(|&ball| self.may_be_hit(target, ball)).or_else(|| shot.first_hit(CUE_BALL))
    }

    /// The fouls of a stroke.
    pub(super) fn fouls_at(&self, target: &Target, shot: &Shot) -> Vec<Foul> {
        let mut fouls = Vec::new();
        if target.on == On::AnyColour && target.nominated.is_none() {
            let at_red = shot.call.ball.or_else(|| shot.first_hit(CUE_BALL)).is_some_and(|ball| self.is_red(ball));
            fouls.push(if at_red { Foul::OutOfOrder } else { Foul::NotNominated });
        } else if let Some(ball) = shot.pushed(CUE_BALL, self.table.ball_radius()) {
            fouls.push(Foul::PushStroke(self.name(ball)));
        } else {
            match self.first_hit(target, shot) {
                None => fouls.push(Foul::NoHit),
                Some(ball) if !self.may_be_hit(target, ball) => fouls.push(Foul::WrongBallFirst(self.name(ball))),
                Some(_) => {}
            }
        }
        fouls.extend(jumped_over(shot).map(|ball| Foul::Jump(self.name(ball))));
        fouls.extend(shot.potted().filter_map(|(ball, pocket)| match ball {
            CUE_BALL => Some(Foul::Scratch(pocket)),
            _ => (!self.may_be_potted(target, ball)).then_some(Foul::WrongBallPotted(self.name(ball))),
        }));
        fouls.extend(shot.off_table().map(|ball| Foul::OffTable(self.name(ball))));
        fouls
    }

    /// Whether a stroke without another foul leaves the opponent snookered behind the free ball, which was not potted.
    /// It looks at the balls that are on when the opponent comes to the table.
    pub(super) fn snookers_behind_free_ball(&self, target: &Target, shot: &Shot) -> bool {
        let (Some(free_ball), On::Red | On::Colour(_)) = (target.nominated, target.on) else { return false };
        let layout = self.spotted(shot, None);
        self.points_at(target, shot) == 0
            && objects(&layout).iter().any(|&ball| self.value(ball) < BLACK - 1)
            && self.is_snookered(self.first_on(&layout), &layout, Some(free_ball))
    }

    /// The penalty of a stroke's fouls, from the ball on and the balls involved.
    pub(super) fn penalty(&self, target: &Target, fouls: &[Foul]) -> i32 {
        // The free ball has the value of the ball on.
        let nominated = target.nominated.map(|ball| self.name(ball));
        let cost = |foul: &Foul| match *foul {
            // A jump shot costs the value of the ball on, whichever ball was jumped over.
            Foul::Jump(_) => 0,
            foul => foul.ball().filter(|&ball| Some(ball) != nominated).map_or(0, value_of),
        };
        fouls.iter().map(cost).fold(LEAST_PENALTY.max(target.value), i32::max)
    }

    /// The score of a stroke without a foul.
    pub(super) fn points_at(&self, target: &Target, shot: &Shot) -> i32 {
        let potted: Vec<BallId> = shot.potted().map(|(ball, _)| ball).collect();
        let reds = potted.iter().filter(|&&ball| self.is_red(ball)).count() as i32;
        let nominated = target.nominated.is_some_and(|ball| potted.contains(&ball));
        match target.on {
            On::Red => reds + i32::from(nominated),
            On::AnyColour if nominated => target.value,
            // The free ball and the ball on count once together.
            On::Colour(colour) if nominated || potted.contains(&colour) => target.value,
            _ => 0,
        }
    }

    /// Whether a foul is also a miss, and the resulting number of misses in a row with a ball on in full sight.
    pub(super) fn miss(&self, ruling: &Ruling) -> (bool, u8) {
        let shot = ruling.shot;
        let target = &self.target(&ruling.stroke, shot);
        let any_colour = target.on == On::AnyColour && target.nominated.is_none();
        let may_be_hit = |ball| if any_colour { !self.is_red(ball) } else { self.may_be_hit(target, ball) };
        let has_hit = self.first_hit(target, shot).is_some_and(may_be_hit);
        let Some(cue_ball) = shot.before[CUE_BALL].on_table() else { return (false, 0) };
        if has_hit || self.options.miss == MissRule::Off {
            return (false, 0);
        }
        let mut on = self.balls_on(target.on, &shot.before);
        if let (Some(free_ball), On::Red | On::Colour(_)) = (target.nominated, target.on) {
            on = vec![free_ball];
        }
        let (on, others) = places_of(&on, &shot.before);
        let radius = self.table.ball_radius();
        let is_full = on.iter().any(|&ball| can_hit_fully(cue_ball, ball, &others, radius));
        let is_in_sight = || on.iter().any(|&ball| can_hit(cue_ball, ball, &others, radius));
        let needs_fouls = || {
            let lead = |[a, b]: [i32; 2]| (a - b).abs();
            let layout = self.spotted(shot, None);
            lead(self.standing.score) >= self.points_left
                || lead(self.score_after(ruling)) >= self.points_on(self.first_on(&layout), &layout)
        };
        let again = self.misses > 0 && is_full;
        let is_miss = again || (!needs_fouls() && (self.options.miss == MissRule::Always || is_in_sight()));
        (is_miss, if is_miss && is_full { self.misses.saturating_add(1) } else { 0 })
    }
}

/// The ball over which a stroke is a jump shot (Section 2). The cue ball may jump over a ball
///
/// - after it has hit another ball first, or
/// - after it has hit that ball, and then a cushion or another ball.
///
/// A cue ball that jumps onto a ball and does not come down behind it has not passed over it.
fn jumped_over(shot: &Shot) -> Option<BallId> {
    let (mut hit, mut touched_more) = (None, false);
    for event in &shot.events {
        match *event {
            ShotEvent::Balls(a, b) if a == CUE_BALL || b == CUE_BALL => {
                let other = if a == CUE_BALL { b } else { a };
                touched_more |= *hit.get_or_insert(other) != other;
            }
            ShotEvent::Cushion(CUE_BALL, _) => touched_more |= hit.is_some(),
            ShotEvent::Over(CUE_BALL, ball) if hit.is_none_or(|hit| hit == ball) && !touched_more => return Some(ball),
            _ => {}
        }
    }
    None
}
