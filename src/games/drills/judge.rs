//! Judges a shot of a drill from its events and the places of the balls at rest.

use super::laid::{LaidDemand, LaidDrill, LaidPosition};
use crate::{
    billiards::tables::BallName,
    games::rules::{BallId, BallPlace, CushionId, Foul, Layout, Remark, Shot, ShotEvent},
};

/// The ball to strike in every drill.
const STRUCK: BallId = BallId(0);

/// The score of a shot, and why it is not higher.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// The points. A shot that misses its demands has none.
    pub points: i32,
    /// The fouls.
    pub fouls: Vec<Foul>,
    /// The reasons for missing points.
    pub remarks: Vec<Remark>,
}

impl LaidDrill {
    /// Judges a shot from this position, counted from 0. In a run, later shots of the attempt are judged by the same
    /// demands.
    #[must_use]
    pub fn judge(&self, position: usize, shot: &Shot) -> Judged {
        let LaidPosition { demands, .. } = &self.positions[position];
        let mut judged = Judged { fouls: self.fouls(shot), ..Judged::default() };
        for demand in demands {
            match self.miss(demand, shot) {
                Some(Missed::Foul(foul)) => judged.fouls.push(foul),
                // Several demands may be missed for the same reason.
                Some(Missed::Remark(remark)) if !judged.remarks.contains(&remark) => judged.remarks.push(remark),
                Some(Missed::Remark(_)) | None => {}
            }
        }
        // A shot that was not played scores nothing, also where a target already holds the ball.
        if judged.remarks.is_empty() && shot.before == shot.after {
            judged.remarks.push(Remark::HitNoBall);
        }
        if judged.fouls.is_empty() && judged.remarks.is_empty() {
            judged.points = self.drill.points;
            self.add_targets(position, shot, &mut judged);
        }
        judged
    }

    /// The balls that the demands of a position want hit first, in this layout; empty if any ball may be.
    #[must_use]
    pub fn balls_on(&self, position: usize, layout: &Layout) -> Vec<BallId> {
        let on = |demand: &LaidDemand| match demand {
            LaidDemand::HitFirst(ball) => Some(*ball),
            LaidDemand::PotLowest => self.lowest(layout),
            _ => None,
        };
        self.positions[position].demands.iter().filter_map(on).collect()
    }

    /// The object ball with the lowest number on the table.
    fn lowest(&self, layout: &Layout) -> Option<BallId> {
        let objects = layout.on_table().map(|(ball, _)| ball).filter(|&ball| ball != STRUCK);
        objects.min_by_key(|&ball| self.name(ball))
    }

    fn fouls(&self, shot: &Shot) -> Vec<Foul> {
        let scratch = shot.pocket_of(STRUCK).map(Foul::Scratch);
        scratch.into_iter().chain(shot.off_table().map(|ball| Foul::OffTable(self.name(ball)))).collect()
    }

    fn name(&self, ball: BallId) -> BallName {
        self.balls[ball.index()]
    }

    /// How a shot misses a demand, or `None` if it meets it.
    fn miss(&self, demand: &LaidDemand, shot: &Shot) -> Option<Missed> {
        let first = shot.first_hit(STRUCK);
        let touched = |cushion: CushionId| {
            shot.events.iter().any(|event| matches!(*event, ShotEvent::Cushion(STRUCK, at) if at == cushion))
        };
        match demand {
            LaidDemand::Pot(ball, pockets) => match shot.pocket_of(*ball) {
                None => Some(Remark::NotPotted(self.name(*ball)).into()),
                Some(pocket) if pockets.is_empty() || pockets.contains(&pocket) => None,
                Some(_) => Some(Remark::OtherPocket(self.name(*ball)).into()),
            },
            LaidDemand::PotAny => {
                let potted = shot.potted().any(|(ball, _)| ball != STRUCK);
                (!potted).then(|| first.map_or(Remark::HitNoBall, |ball| Remark::NotPotted(self.name(ball))).into())
            }
            LaidDemand::PotLowest => {
                let lowest = self.lowest(&shot.before)?;
                self.first_is(lowest, first)
                    .or_else(|| (!shot.is_potted(lowest)).then(|| Remark::NotPotted(self.name(lowest)).into()))
            }
            LaidDemand::HitFirst(ball) => self.first_is(*ball, first),
            LaidDemand::Kick(needed) => {
                let is_hit = |event: &ShotEvent| matches!(*event, ShotEvent::Balls(a, b) if a == STRUCK || b == STRUCK);
                let Some(hit) = shot.events.iter().position(is_hit) else { return Some(Remark::HitNoBall.into()) };
                (cushions_of(STRUCK, &shot.events[..hit]) < *needed).then(|| Remark::CushionNotReached.into())
            }
            LaidDemand::Bank(ball, needed) => {
                let is_pot = |event: &ShotEvent| matches!(*event, ShotEvent::Potted(potted, _) if potted == *ball);
                match shot.events.iter().position(is_pot) {
                    None => Some(Remark::NotPotted(self.name(*ball)).into()),
                    Some(pot) => {
                        (cushions_of(*ball, &shot.events[..pot]) < *needed).then(|| Remark::CushionNotReached.into())
                    }
                }
            }
            LaidDemand::Cannon(objects, needed) => match shot.cushions_before_second(STRUCK, *objects) {
                None => Some(shot.no_cannon(STRUCK).into()),
                Some(cushions) if cushions >= *needed => None,
                Some(cushions) => Some(Remark::TooFewCushions(cushions as u8, *needed as u8).into()),
            },
            LaidDemand::JumpOver(ball) => {
                let is_hit = |event: &ShotEvent| matches!(*event, ShotEvent::Balls(a, b) if a == STRUCK || b == STRUCK);
                let before = shot.events.iter().take_while(|event| !is_hit(event));
                let jumps = before.into_iter().any(|event| *event == ShotEvent::Over(STRUCK, *ball));
                (!jumps).then(|| Remark::NotJumped(self.name(*ball)).into())
            }
            LaidDemand::Touch(cushion) => (!touched(*cushion)).then(|| Remark::CushionNotReached.into()),
            LaidDemand::Avoid(cushions) if cushions.is_empty() => {
                shot.driven_to_cushions().contains(&STRUCK).then(|| Remark::CushionTouched.into())
            }
            LaidDemand::Avoid(cushions) => {
                cushions.iter().any(|&cushion| touched(cushion)).then(|| Remark::CushionTouched.into())
            }
        }
    }

    /// Whether a ball was hit first.
    fn first_is(&self, ball: BallId, first: Option<BallId>) -> Option<Missed> {
        match first {
            None => Some(Remark::HitNoBall.into()),
            Some(first) => (first != ball).then(|| Missed::Foul(Foul::WrongBallFirst(self.name(first)))),
        }
    }

    /// Adds the best target of each ball, with a remark for balls that reached none.
    fn add_targets(&self, position: usize, shot: &Shot, judged: &mut Judged) {
        let targets = &self.positions[position].targets;
        for ball in shot.after.balls() {
            let of_ball = || targets.iter().filter(|target| target.ball == ball);
            let BallPlace::Table(place) = shot.after[ball] else { continue };
            let reached = of_ball().filter(|target| target.miss(place) <= 0.0);
            if let Some(points) = reached.map(|target| target.points).max() {
                judged.points += points;
                continue;
            }
            let nearest = of_ball().map(|target| target.miss(place)).min_by(f32::total_cmp);
            let millimetres = nearest.map(|metres| (metres * 1000.0).ceil() as u32);
            judged.remarks.extend(millimetres.map(|wide| Remark::BesideTarget(self.name(ball), wide)));
        }
    }
}

/// How often a ball hits a cushion in these events.
fn cushions_of(ball: BallId, events: &[ShotEvent]) -> usize {
    events.iter().filter(|event| matches!(**event, ShotEvent::Cushion(hit, _) if hit == ball)).count()
}

/// How a demand was missed.
enum Missed {
    Foul(Foul),
    Remark(Remark),
}

impl From<Remark> for Missed {
    fn from(remark: Remark) -> Self {
        Self::Remark(remark)
    }
}
