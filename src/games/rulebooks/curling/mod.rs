//! Table curling, a game of this program with flat discs. Two sides alternately slide stones along a sheet. The stones
//! nearest to the button score at the end of an end, as in the "Rules of Curling" of the World Curling Federation
//! (rules R5 to R11). There is no sweeping.

mod options;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use options::CurlingOptions;

use bevy::math::Vec2;

use self::options::OPTIONS;
use super::ruling::{Decision, RuleBook, Ruling, judge, leader, points_of};
use crate::{
    billiards::tables::BallName,
    games::rules::{
        BallId, BallPlace, Game, GameTable, Layout, Measure, Note, Player, Region, Remark, Rules, Shot,
        ShotConstraints, ShotEvent, Standing, Task, Turn, Verdict, options::Options,
    },
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "curling",
    title: "Table curling",
    about: "Slide your stones nearer to the centre than theirs, and knock theirs away.",
    tables: &["curling"],
    jump_cue: false,
    solo: false,
    // No turn continues, and every stone is a shot.
    measures: &[Measure::Racks, Measure::Points, Measure::Shots],
    begin: |table, options| Ok(Box::new(Curling::new(table, options)?)),
    options: OPTIONS,
};

/// For [`Rules::outlook`], in points: the doubt that each remaining opposing stone casts on the count, the value of a
/// non-scoring stone at the button, and the value of the hammer.
const TAKEN_AWAY: f32 = 0.3;
const IN_HOUSE: f32 = 0.3;
const HAMMER: f32 = 0.4;

/// The expected swing of the score, in points: by the last stone, and by an end.
const LAST_STONE: f32 = 0.4;
const AN_END: f32 = 0.8;

/// A game of table curling. The stones alternate between the sides in order of delivery when the first side starts the
/// end.
#[derive(Clone, Debug)]
pub struct Curling {
    table: Arc<GameTable>,
    options: CurlingOptions,
    balls: Vec<BallName>,
    button: Vec2,
    /// The radius of the house, metres.
    house: f32,
    /// The hog line and the back line, x in metres.
    hog: f32,
    back: f32,
    /// The number of the end, from 1.
    end: u8,
    /// The side that delivers the first stone of the end. The other has the last one, the hammer.
    first: Player,
    /// The stones delivered in this end.
    delivered: u8,
    standing: Standing,
}

impl Curling {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: CurlingOptions = GAME.read_options(options)?;
        let spec = &table.spec;
        let missing = || {
            format!(
                "{} needs a table with a spot `button`, circles around it and the lines `hog` and `back`",
                GAME.name
            )
        };
        let button = spec.spot("button").ok_or_else(missing)?;
        let around = spec.circles.iter().filter(|circle| circle.place == button).map(|circle| circle.radius);
        let house = around.fold(0.0, f64::max) as f32;
        if house == 0.0 {
            return Err(missing());
        }
        let line = |name: &str| spec.line(name).map(|x| x as f32).ok_or_else(missing);
        let balls = (0..2 * options.stones).map(|stone| if stone % 2 == 0 { BallName::Red } else { BallName::Yellow });
        let mut game = Self {
            table: table.clone(),
            options,
            balls: balls.collect(),
            button: button.as_vec2(),
            house,
            hog: line("hog")?,
            back: line("back")?,
            end: 1,
            first: Player(0),
            delivered: 0,
            standing: Standing::new(Turn::choose(Player(0), [])),
        };
        game.standing.turn = game.delivery();
        Ok(game)
    }

    /// The turn in which the next stone is delivered.
    fn delivery(&self) -> Turn {
        let player = if self.delivered.is_multiple_of(2) { self.first } else { self.first.other() };
        let stone = BallId(self.delivered / 2 * 2 + player.0);
        let is_break = self.delivered == 0;
        let stroke =
            ShotConstraints { in_hand: Some(Region::BehindHeadString), is_break, ..ShotConstraints::of(stone) };
        Turn::shoot(player, stroke)
    }

    /// Whether this stone is the last of the end.
    fn is_last(&self, stone: BallId) -> bool {
        let last = self.first.other();
        Self::side_of(stone) == last && stone.0 / 2 + 1 == self.options.stones
    }

    /// The side of a stone.
    fn side_of(stone: BallId) -> Player {
        Player(stone.0 % 2)
    }

    /// The stones in the house, nearest to the button first, with their distances to it, metres.
    fn in_house(&self, layout: &Layout) -> Vec<(BallId, f32)> {
        let mut stones: Vec<(BallId, f32)> = layout
            .on_table()
            .map(|(stone, place)| (stone, place.distance(self.button)))
            .filter(|&(_, distance)| distance < self.house + self.table.ball_radius())
            .collect();
        stones.sort_by(|a, b| a.1.total_cmp(&b.1));
        stones
    }

    /// The side that would score now, and its points. Nobody scores if both sides' nearest stones are equally near.
    fn count_of(&self, layout: &Layout) -> Option<(Player, i32)> {
        let stones = self.in_house(layout);
        let side = Self::side_of(stones.first()?.0);
        let others = stones.iter().find(|(stone, _)| Self::side_of(*stone) != side);
        let limit = others.map_or(f32::INFINITY, |&(_, distance)| distance);
        let count = stones.iter().filter(|&&(_, distance)| distance < limit).count() as i32;
        (count > 0).then_some((side, count))
    }

    /// The stones that are out of play after a shot, and why.
    fn out(&self, ruling: &Ruling) -> Vec<(BallId, Remark)> {
        let (shot, stone, radius) = (ruling.shot, ruling.stroke.cue_ball, self.table.ball_radius());
        // The delivered stone and a stone that it hit may lie short of the hog line.
        let has_hit = shot.first_hit(stone).is_some();
        let why = |(ball, place): (BallId, Vec2)| {
            let touched = shot.events.iter().any(|event| matches!(*event, ShotEvent::Cushion(at, _) if at == ball));
            let side = self.balls[ball.index()];
            if self.options.boards_are_out && touched {
                Some((ball, Remark::StoneTouchedBoard(side)))
            } else if place.x - radius > self.back {
                Some((ball, Remark::StoneBeyondBackLine(side)))
            } else if ball == stone && place.x - radius <= self.hog && !has_hit {
                Some((ball, Remark::StoneShort(side)))
            } else {
                None
            }
        };
        shot.after.on_table().filter_map(why).collect()
    }

    /// The layout after a shot, without the stones that are out.
    fn left_by(&self, ruling: &Ruling) -> Layout {
        let mut layout = ruling.shot.after.clone();
        for (stone, _) in self.out(ruling) {
            layout[stone] = BallPlace::Off;
        }
        layout
    }

    /// The side that scores with the last stone of an end, and its points.
    fn end_count(&self, ruling: &Ruling) -> Option<(Player, i32)> {
        self.count_of(&self.left_by(ruling)).filter(|_| self.is_last(ruling.stroke.cue_ball))
    }

    /// The stone on the sheet nearest to the button.
    fn nearest(&self, layout: &Layout) -> Option<BallId> {
        let distance = |place: Vec2| place.distance_squared(self.button);
        layout.on_table().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).map(|(stone, _)| stone)
    }

    /// The stones that a side still has in this end.
    fn left(&self, side: Player) -> u8 {
        let gone = if side == self.first { self.delivered.div_ceil(2) } else { self.delivered / 2 };
        self.options.stones - gone
    }
}

impl RuleBook for Curling {
    fn decide(&self, ruling: &Ruling) -> Decision {
        let CurlingOptions { ends, extra_ends, .. } = self.options;
        if !self.is_last(ruling.stroke.cue_ball) || self.end < ends {
            return Decision::Passes;
        }
        let leader = leader(self.score_after(ruling));
        if leader.is_none() && extra_ends.is_none_or(|most| self.end < ends.saturating_add(most)) {
            return Decision::Passes;
        }
        // After the last extra end: the nearest stone wins, or else the side without the hammer.
        let by_stone = || self.nearest(&self.left_by(ruling)).map_or(self.first, Self::side_of);
        Decision::Ended(Some(leader.unwrap_or_else(by_stone)))
    }

    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        self.end_count(ruling).map_or([0; 2], |(side, count)| points_of(side, count))
    }

    fn current_break_after(&self, _ruling: &Ruling) -> i32 {
        0
    }

    fn count(&mut self, ruling: &mut Ruling) {
        ruling.remarks.extend(self.out(ruling).into_iter().map(|(_, why)| why));
        self.delivered += 1;
        if !self.is_last(ruling.stroke.cue_ball) {
            return;
        }
        ruling.remarks.push(match self.end_count(ruling) {
            Some((side, count)) => Remark::StonesCount(self.balls[side.index()], count as u8),
            None => Remark::BlankEnd,
        });
        if self.end >= self.options.ends && leader(self.score_after(ruling)).is_none() {
            ruling.remarks.push(match self.nearest(&self.left_by(ruling)) {
                _ if !ruling.is_over() => Remark::ExtraEnd,
                Some(stone) => Remark::NearestStoneWins(self.balls[stone.index()]),
                None => Remark::WithoutHammerWins,
            });
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        ruling.layout = self.left_by(ruling);
        if self.is_last(ruling.stroke.cue_ball) && !ruling.is_over() {
            ruling.layout = Layout::in_hand(self.balls.len());
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        if self.is_last(ruling.stroke.cue_ball) {
            // The side that scores starts the next end, so the other has the hammer.
            self.first = self.end_count(ruling).map_or(self.first, |(side, _)| side);
            self.end = self.end.saturating_add(1);
            self.delivered = 0;
        }
        self.delivery()
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
    }
}

impl Rules for Curling {
    fn balls(&self) -> &[BallName] {
        &self.balls
    }

    fn layout(&mut self, _seed: u64) -> Layout {
        Layout::in_hand(self.balls.len())
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        if matches!(self.standing.turn.task, Task::Over(_)) {
            return Vec::new();
        }
        let left = self.left(player);
        let end = if self.end > self.options.ends {
            Note::ExtraEnd
        } else {
            Note::End { number: self.end, of: self.options.ends }
        };
        let mut notes = vec![Note::Side(self.balls[player.index()]), end, Note::StonesLeft(left)];
        if player != self.first {
            notes.push(Note::Hammer);
        }
        notes
    }

    fn own_ball(&self, player: Player) -> Option<BallName> {
        self.balls.get(player.index()).copied()
    }

    fn outlook(&self, layout: &Layout) -> Option<f32> {
        let [a, b] = self.standing.score;
        let sign = |side: Player| if side == Player(0) { 1.0 } else { -1.0 };
        let mut lead = (a - b) as f32;
        if let Some((side, count)) = self.count_of(layout) {
            // A scoring stone counts less the more stones the opponent has left to remove it.
            lead += sign(side) * count as f32 / (1.0 + TAKEN_AWAY * f32::from(self.left(side.other())));
        }
        // Stones near the button are useful even while others lie nearer.
        for (stone, distance) in self.in_house(layout) {
            lead += sign(Self::side_of(stone)) * IN_HOUSE * (1.0 - distance / (self.house + self.table.ball_radius()));
        }
        lead += sign(self.first.other()) * if self.left(self.first.other()) > 0 { HAMMER } else { 0.0 };
        let ends = self.options.ends.saturating_sub(self.end);
        let share = f32::from(self.left(Player(0)) + self.left(Player(1))) / self.balls.len() as f32;
        let spread = LAST_STONE + AN_END * (f32::from(ends) + share).sqrt();
        Some(1.0 / (1.0 + bevy::math::ops::exp(-lead / spread)))
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
