//! Carom: straight rail, one-cushion and three-cushion, by the "World Rules of Carom Billiard" of the Union Mondiale de
//! Billard (UMB). Article 23 covers the start, articles 27 and 28 balls in contact and balls that jump off the table,
//! and articles 52 to 54 the corners of straight rail. `docs/src/rules.md` lists the differences.
//!
//! | file | contents |
//! |---|---|
//! | [`four_ball`] | Korean four-ball, with separate rules |
//! | `score_sheet`, `start` | innings and longest runs; starting spots |
//! | `options` | the options |

use std::sync::Arc;

use bevy::math::Vec2;
pub use options::{CaromOptions, StraightRailOptions};
use score_sheet::{ScoreSheet, reaches};
use start::spots;

use super::{
    SPOT_CLEARANCE,
    ruling::{Chosen, Decision, RuleBook, Ruling, choose, judge, leader, points_of},
};
use crate::{
    billiards::tables::BallName,
    games::rules::{
        BallId, BallPlace, Choice, Foul, Game, GameTable, Layout, Measure, Note, Player, Refusal, Remark, Rules, Shot,
        ShotConstraints, Standing, Turn, Verdict,
    },
};

mod options;
mod score_sheet;
mod start;

pub mod four_ball;

/// The entry of straight rail in the list of games.
pub const STRAIGHT_RAIL: Game = Game {
    name: "straight-rail",
    title: "Straight rail",
    about: "Hit both other balls with yours. Each time scores a point.",
    tables: &["carom-10ft"],
    jump_cue: false,
    solo: false,
    measures: Measure::POINTS,
    begin: |table, options| {
        let options: StraightRailOptions = STRAIGHT_RAIL.read_options(options)?;
        let StraightRailOptions { points, innings, equalising_inning, corner_limit } = options;
        let limits = CaromOptions { points, innings, equalising_inning };
        Ok(Box::new(Carom::new(Discipline::StraightRail, table, limits, corner_limit)?))
    },
    options: options::STRAIGHT_RAIL,
};

/// The entry of one-cushion in the list of games.
pub const ONE_CUSHION: Game = Game {
    name: "one-cushion",
    title: "One-cushion",
    about: "Hit both other balls, with at least one cushion before the second.",
    tables: &["carom-10ft"],
    jump_cue: false,
    solo: false,
    measures: Measure::POINTS,
    begin: |table, options| {
        let options = ONE_CUSHION.read_options(options)?;
        Ok(Box::new(Carom::new(Discipline::OneCushion, table, options, None)?))
    },
    options: options::CAROM,
};

/// The entry of three-cushion in the list of games.
pub const THREE_CUSHION: Game = Game {
    name: "three-cushion",
    title: "Three-cushion",
    about: "Hit both other balls, with at least three cushions before the second.",
    tables: &["carom-10ft"],
    jump_cue: false,
    solo: false,
    measures: Measure::POINTS,
    begin: |table, options| {
        let options = THREE_CUSHION.read_options(options)?;
        Ok(Box::new(Carom::new(Discipline::ThreeCushion, table, options, None)?))
    },
    options: options::CAROM,
};

/// What a shot has to hit to score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    /// Both object balls.
    StraightRail,
    /// Both, and a cushion before the second.
    OneCushion,
    /// Both, and three cushions before the second.
    ThreeCushion,
}

impl Discipline {
    fn cushions(self) -> usize {
        match self {
            Self::StraightRail => 0,
            Self::OneCushion => 1,
            Self::ThreeCushion => 3,
        }
    }
}

/// The cue balls of the two players come first.
const BALLS: [BallName; 3] = [BallName::Cue, BallName::Yellow, BallName::Red];
const RED: BallId = BallId(2);

/// A game of carom.
#[derive(Clone, Debug)]
pub struct Carom {
    table: Arc<GameTable>,
    discipline: Discipline,
    options: CaromOptions,
    corner_limit: Option<u32>,
    /// The starting positions of the player's ball, the opponent's and the red, metres.
    start: [Vec2; 3],
    /// The spots for single balls: for the next player's cue ball, the opponent's, and the red, metres.
    spots: [Vec2; 3],
    sheet: ScoreSheet,
    /// Points in a row with both object balls in the same corner.
    in_corner: u32,
    is_last_inning: bool,
    standing: Standing,
}

impl Carom {
    fn new(
        discipline: Discipline,
        table: &Arc<GameTable>,
        options: CaromOptions,
        corner_limit: Option<u32>,
    ) -> Result<Self, String> {
        let [foot, centre, head, right] = spots("carom", ["foot", "centre", "head", "right"], table)?;
        Ok(Self {
            table: table.clone(),
            discipline,
            options,
            corner_limit,
            start: [right, head, foot],
            spots: [head, centre, foot],
            sheet: ScoreSheet::new(),
            in_corner: 0,
            is_last_inning: false,
            standing: Standing::new(opening(Player(0))),
        })
    }

    /// Moves the balls to the starting position for a player.
    fn put_to_start(&self, player: Player, layout: &mut Layout) {
        let balls = [own(player), own(player.other()), RED];
        for (ball, place) in balls.into_iter().zip(self.start) {
            layout[ball] = BallPlace::Table(place);
        }
    }

    /// Spots balls, for the player to act.
    fn spot(&self, balls: &[BallId], player: Player, layout: &mut Layout) {
        let spot_of = |ball: BallId| match ball {
            RED => self.spots[2],
            ball if ball == own(player) => self.spots[0],
            _ => self.spots[1],
        };
        for &ball in balls {
            layout[ball] = BallPlace::Off;
        }
        let room = 2.0 * self.table.ball_radius() + SPOT_CLEARANCE;
        for &ball in balls {
            // If another ball is in the way, the ball goes to that ball's spot.
            let in_way = |place: Vec2| layout.on_table().find(|&(_, at)| at.distance(place) < room);
            let mut place = spot_of(ball);
            for _ in 0..self.spots.len() {
                let Some((other, _)) = in_way(place) else { break };
                place = spot_of(other);
            }
            if in_way(place).is_some() {
                place = self.spots.into_iter().find(|&spot| in_way(spot).is_none()).unwrap_or(place);
            }
            layout[ball] = BallPlace::Table(place);
        }
    }

    /// The corner in which a ball lies, by the signs of its coordinates, if it lies in one. A line between the quarter
    /// points of both sides cuts off each corner.
    fn corner_of(&self, place: Vec2) -> Option<[bool; 2]> {
        let half = self.table.half();
        let from_corner = (half - place.abs()) / (0.5 * half);
        (from_corner.element_sum() <= 1.0).then_some([place.x > 0.0, place.y > 0.0])
    }

    /// The corner in which both of a player's object balls lie, if they do.
    fn corner_with_both(&self, player: Player, layout: &Layout) -> Option<[bool; 2]> {
        let corner = |ball: BallId| self.corner_of(layout[ball].on_table()?);
        corner(RED).filter(|&first| corner(own(player.other())) == Some(first))
    }

    /// Whether both of a player's object balls have stayed in the same corner.
    fn stays_in_corner(&self, player: Player, shot: &Shot) -> bool {
        let corner = self.corner_with_both(player, &shot.after);
        corner.is_some() && corner == self.corner_with_both(player, &shot.before)
    }

    /// Why a shot is not a cannon, or `None` if the player's ball hit both others after enough cushions.
    fn lacks(&self, player: Player, shot: &Shot) -> Option<Remark> {
        match shot.cushions_before_second(own(player), [own(player.other()), RED]) {
            Some(cushions) if cushions >= self.discipline.cushions() => None,
            Some(cushions) => {
                let few = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
                Some(Remark::TooFewCushions(few(cushions), few(self.discipline.cushions())))
            }
            None => Some(shot.no_cannon(own(player))),
        }
    }

    /// Whether a shot scores a point.
    fn is_point(&self, ruling: &Ruling) -> bool {
        ruling.is_clean() && self.lacks(ruling.player, ruling.shot).is_none()
    }

    /// Whether a shot has made the last point and the opponent, who started second, gets one more inning.
    fn gives_equalising_inning(&self, ruling: &Ruling) -> bool {
        self.is_point(ruling) && ruling.decision == Decision::Passes
    }

    /// Carries out a choice about touching balls.
    fn follow(&mut self, chosen: &mut Chosen) -> Turn {
        let Chosen { player, choice, ref mut layout, .. } = *chosen;
        if choice == Choice::SpotTouching {
            if self.discipline == Discipline::StraightRail {
                self.put_to_start(player, layout);
            } else {
                let touching = layout.touching(own(player), self.table.ball_radius());
                let balls: Vec<BallId> = [own(player)].into_iter().chain(touching).collect();
                self.spot(&balls, player, layout);
            }
            self.in_corner = 0;
        }
        Turn::shoot(player, ShotConstraints::of(own(player)))
    }
}

impl RuleBook for Carom {
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let Ruling { player, shot, stroke, .. } = ruling;
        let name = |ball: BallId| BALLS[ball.index()];
        let is_wrong = |ball: &BallId| !stroke.is_on(*ball);
        let mut fouls = Vec::new();
        fouls.extend(shot.pushed(stroke.cue_ball, self.table.ball_radius()).map(|ball| Foul::PushStroke(name(ball))));
        fouls.extend(shot.first_hit(stroke.cue_ball).filter(is_wrong).map(|ball| Foul::WrongBallFirst(name(ball))));
        fouls.extend(shot.off_table().map(|ball| Foul::OffTable(name(ball))));
        if self.corner_limit.is_some_and(|limit| self.in_corner >= limit)
            && fouls.is_empty()
            && self.lacks(*player, shot).is_none()
            && self.stays_in_corner(*player, shot)
        {
            fouls.push(Foul::StayedInCorner);
        }
        fouls
    }

    fn decide(&self, ruling: &Ruling) -> Decision {
        let player = ruling.player;
        let (is_point, is_second) = (self.is_point(ruling), player == Player(1));
        let is_over = if is_point {
            reaches(self.score_after(ruling), player, self.options.points)
        } else {
            let is_limit = self.options.innings.is_some_and(|limit| self.sheet.innings[1] >= limit);
            self.is_last_inning || (is_second && is_limit)
        };
        if !is_over {
            Decision::go_on_if(is_point)
        } else if is_point && !is_second && self.options.equalising_inning {
            Decision::Passes
        } else {
            Decision::Ended(leader(self.score_after(ruling)))
        }
    }

    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        points_of(ruling.player, i32::from(self.is_point(ruling)))
    }

    fn count(&mut self, ruling: &mut Ruling) {
        let Ruling { player, shot, .. } = *ruling;
        if ruling.is_clean() {
            ruling.remarks.extend(self.lacks(player, shot));
        }
        if self.is_point(ruling) {
            self.sheet.note_run(player, self.standing.current_break + 1);
        }
        let stays = ruling.decision == Decision::GoesOn && self.stays_in_corner(player, shot);
        self.in_corner = if stays { self.in_corner + 1 } else { 0 };
        if self.gives_equalising_inning(ruling) {
            ruling.remarks.push(Remark::EqualisingInning);
            self.is_last_inning = true;
        }
        if ruling.decision == Decision::Passes {
            self.sheet.begin_inning(player.other());
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        let next = ruling.next_player();
        let off: Vec<BallId> = ruling.layout.balls().filter(|&ball| !ruling.layout.is_on_table(ball)).collect();
        let is_straight_rail = self.discipline == Discipline::StraightRail;
        if self.gives_equalising_inning(ruling) || is_straight_rail && !off.is_empty() {
            self.put_to_start(next, &mut ruling.layout);
        } else {
            self.spot(&off, next, &mut ruling.layout);
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        let next = ruling.next_player();
        if self.gives_equalising_inning(ruling) {
            return opening(next);
        }
        // The player may first choose what happens to balls that touch the cue ball.
        if ruling.layout.touching(own(next), self.table.ball_radius()).next().is_some() {
            return Turn::choose(next, [Choice::PlayOn, Choice::SpotTouching]);
        }
        Turn::shoot(next, ShotConstraints::of(own(next)))
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
    }
}

/// The turn of a player who plays from the starting position and has to hit the red first.
fn opening(player: Player) -> Turn {
    let stroke = ShotConstraints { on: vec![RED], is_break: true, ..ShotConstraints::of(own(player)) };
    Turn::shoot(player, stroke)
}

/// The cue ball of a player.
fn own(player: Player) -> BallId {
    BallId(player.0)
}

impl Rules for Carom {
    fn balls(&self) -> &[BallName] {
        &BALLS
    }

    fn layout(&mut self, _seed: u64) -> Layout {
        let mut layout = Layout::in_hand(BALLS.len());
        self.put_to_start(Player(0), &mut layout);
        layout
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        choose(self, choice, layout, Self::follow)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = self.sheet.notes(player, self.standing.score);
        if !notes.is_empty() {
            notes.push(Note::LongestRun(self.sheet.longest[player.index()]));
        }
        notes
    }

    fn own_ball(&self, player: Player) -> Option<BallName> {
        BALLS.get(player.index()).copied()
    }

    fn points_to_win(&self, _player: Player) -> Option<u32> {
        Some(self.options.points)
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
