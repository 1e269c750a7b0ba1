//! Carom: straight rail, one-cushion and three-cushion, by the "World Rules of Carom Billiard" of the Union Mondiale de
//! Billard (UMB): the start by article 23, balls in contact and balls that jump off the table by articles 27 and 28,
//! the corners of straight rail by articles 52 to 54. `docs/games.md` tells what departs from them.
//!
//! | file | what |
//! |---|---|
//! | [`four_ball`] | Korean four-ball, with rules of its own |
//! | `cannon`, `score_sheet` | what all of them share: when a shot is a point; points and innings |
//! | `options` | what can be chosen |

use std::sync::Arc;

use bevy::math::Vec2;
use cannon::{cushions_before_second, no_cannon};
pub use options::{CaromOptions, StraightRailOptions};
use score_sheet::ScoreSheet;

use crate::{
    billiards::tables::{BallName, Rack},
    games::rules::{
        BallId, BallPlace, Choice, Foul, Game, GameTable, Layout, Measure, Note, Outcome, Player, Refusal, Remark,
        Rules, Shot, ShotConstraints, Task, Turn, Verdict,
    },
};

mod cannon;
mod options;
mod score_sheet;

pub mod four_ball;

/// The line of straight rail in the list of games.
pub const STRAIGHT_RAIL: Game = Game {
    name: "straight-rail",
    title: "Straight rail",
    about: "Hit both other balls with yours, a point each time.",
    tables: &["carom-10ft"],
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

/// The line of one-cushion in the list of games.
pub const ONE_CUSHION: Game = Game {
    name: "one-cushion",
    title: "One-cushion",
    about: "Hit both other balls, with a cushion before the second.",
    tables: &["carom-10ft"],
    solo: false,
    measures: Measure::POINTS,
    begin: |table, options| {
        let options = ONE_CUSHION.read_options(options)?;
        Ok(Box::new(Carom::new(Discipline::OneCushion, table, options, None)?))
    },
    options: options::CAROM,
};

/// The line of three-cushion in the list of games.
pub const THREE_CUSHION: Game = Game {
    name: "three-cushion",
    title: "Three-cushion",
    about: "Hit both other balls, with three cushions before the second.",
    tables: &["carom-10ft"],
    solo: false,
    measures: Measure::POINTS,
    begin: |table, options| {
        let options = THREE_CUSHION.read_options(options)?;
        Ok(Box::new(Carom::new(Discipline::ThreeCushion, table, options, None)?))
    },
    options: options::CAROM,
};

/// What a point takes.
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
const RED: BallId = BallId(2);

/// What lies nearer to a spot than a ball and this, metres, is in the way of a ball that is put there.
const CLEARANCE: f32 = 1e-4;

/// A game of carom.
#[derive(Clone, Debug)]
pub struct Carom {
    table: Arc<GameTable>,
    discipline: Discipline,
    options: CaromOptions,
    corner_limit: Option<u32>,
    balls: Vec<BallName>,
    /// The places of the player's own ball, the other's, and the red at the start, metres.
    start: [Vec2; 3],
    /// The spots for balls one by one: for the cue ball of who is to play, that of the other, and the red, metres.
    spots: [Vec2; 3],
    sheet: ScoreSheet,
    /// Points in a row with both object balls in the same corner.
    in_corner: u32,
    is_last_inning: bool,
    turn: Turn,
}

impl Carom {
    fn new(
        discipline: Discipline,
        table: &Arc<GameTable>,
        options: CaromOptions,
        corner_limit: Option<u32>,
    ) -> Result<Self, String> {
        let missing = || "carom needs a table with the spots `foot`, `centre`, `head` and `right`".to_owned();
        let racked = Rack::ThreeCushion.balls(&table.spec, 0.0).ok_or_else(missing)?;
        let [own, other, red] = &racked[..] else { return Err(missing()) };
        let spot = |name: &str| table.spot(name).ok_or_else(missing);
        Ok(Self {
            table: table.clone(),
            discipline,
            options,
            corner_limit,
            balls: racked.iter().map(|ball| ball.name).collect(),
            start: [own, other, red].map(|ball| ball.place.as_vec2()),
            spots: [spot("head")?, spot("centre")?, spot("foot")?],
            sheet: ScoreSheet::new(),
            in_corner: 0,
            is_last_inning: false,
            turn: opening(Player(0)),
        })
    }

    /// The starting position for a player.
    fn starting_position(&self, player: Player) -> [(BallId, BallPlace); 3] {
        let balls = [own(player), own(player.other()), RED];
        std::array::from_fn(|i| (balls[i], BallPlace::Table(self.start[i])))
    }

    /// A player is to play with the balls where they are, or first to choose what happens to those that touch the own
    /// one.
    fn play_on(&mut self, player: Player, layout: &Layout) {
        let touches = layout.touching(own(player), self.table.ball_radius()).next().is_some();
        self.turn = if touches {
            Turn::choose(player, [Choice::PlayOn, Choice::SpotTouching])
        } else {
            Turn::shoot(player, ShotConstraints::of(own(player)))
        };
    }

    /// Puts balls on their spots, for a player who is to play.
    fn spot(&self, balls: &[BallId], player: Player, layout: &mut Layout) -> Vec<(BallId, BallPlace)> {
        let spot_of = |ball: BallId| match ball {
            RED => self.spots[2],
            ball if ball == own(player) => self.spots[0],
            _ => self.spots[1],
        };
        for &ball in balls {
            layout[ball] = BallPlace::Off;
        }
        let room = 2.0 * self.table.ball_radius() + CLEARANCE;
        let mut placed = Vec::new();
        for &ball in balls {
            // Where another ball is in the way, it is put on the spot of that one.
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
            placed.push((ball, layout[ball]));
        }
        placed
    }

    /// In which of the four corners a ball lies, by the signs of its place: a corner is cut off by a line over a
    /// quarter of both sides.
    fn corner_of(&self, place: Vec2) -> Option<[bool; 2]> {
        let half = self.table.half();
        let from_corner = (half - place.abs()) / (0.5 * half);
        (from_corner.element_sum() <= 1.0).then_some([place.x > 0.0, place.y > 0.0])
    }

    /// The corner in which both object balls of a player lie, if they do.
    fn corner_with_both(&self, player: Player, layout: &Layout) -> Option<[bool; 2]> {
        let corner = |ball: BallId| self.corner_of(layout[ball].on_table()?);
        corner(RED).filter(|&first| corner(own(player.other())) == Some(first))
    }

    /// What is missing to a cannon; nothing where the own ball has hit both others after as many cushions as it takes.
    fn lacks(&self, player: Player, shot: &Shot) -> Option<Remark> {
        match cushions_before_second(shot, own(player), [own(player.other()), RED]) {
            Some(cushions) if cushions >= self.discipline.cushions() => None,
            Some(cushions) => {
                let few = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
                Some(Remark::TooFewCushions(few(cushions), few(self.discipline.cushions())))
            }
            None => Some(no_cannon(shot, own(player))),
        }
    }

    /// It is over: who has more points wins.
    fn end(&mut self) {
        let [a, b] = self.sheet.score;
        let winner = (a != b).then_some(Player(u8::from(b > a)));
        self.turn = Turn { player: self.turn.player, task: Task::Over(Outcome { winner }) };
    }
}

/// The turn of a player who plays from the starting position: the red has to be hit first.
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
        &self.balls
    }

    fn layout(&mut self, _seed: u64) -> Layout {
        let mut layout = Layout::in_hand(self.balls.len());
        for (ball, place) in self.starting_position(Player(0)) {
            layout[ball] = place;
        }
        layout
    }

    fn turn(&self) -> &Turn {
        &self.turn
    }

    fn score(&self) -> [i32; 2] {
        self.sheet.score
    }

    fn current_break(&self) -> i32 {
        self.sheet.run
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Turn { player, task: Task::Shoot(stroke) } = self.turn.clone() else { return Verdict::default() };
        let mut verdict = Verdict::default();
        let mut layout = shot.after.clone();
        let radius = self.table.ball_radius();
        let name = |ball: BallId| self.balls[ball.index()];
        if let Some(ball) = shot.pushed(stroke.cue_ball, radius) {
            verdict.fouls.push(Foul::PushStroke(name(ball)));
        }
        if let Some(ball) = shot.first_hit(stroke.cue_ball)
            && !stroke.on.is_empty()
            && !stroke.on.contains(&ball)
        {
            verdict.fouls.push(Foul::WrongBallFirst(name(ball)));
        }
        verdict.fouls.extend(shot.off_table().map(|ball| Foul::OffTable(name(ball))));
        let lacks = self.lacks(player, shot).filter(|_| verdict.fouls.is_empty());
        let mut is_point = verdict.fouls.is_empty() && lacks.is_none();
        verdict.remarks.extend(lacks);
        let corner = self.corner_with_both(player, &layout);
        let stays = corner.is_some() && corner == self.corner_with_both(player, &shot.before);
        self.in_corner = if stays && is_point { self.in_corner + 1 } else { 0 };
        if self.corner_limit.is_some_and(|limit| self.in_corner > limit) {
            is_point = false;
            verdict.fouls.push(Foul::StayedInCorner);
        }

        let next = if is_point { player } else { player.other() };
        let off: Vec<BallId> = layout.balls().filter(|&ball| !layout.is_on_table(ball)).collect();
        if !off.is_empty() && self.discipline == Discipline::StraightRail {
            verdict.placed.extend(self.starting_position(next));
            verdict.place(&mut layout);
        } else {
            verdict.placed.extend(self.spot(&off, next, &mut layout));
        }

        if is_point {
            verdict.points[player.index()] = 1;
            self.sheet.add_point(player);
            if !self.sheet.reaches(self.options.points, player, 0) {
                verdict.goes_on = true;
                self.play_on(player, &layout);
                return verdict;
            }
            if player == Player(0) && self.options.equalising_inning {
                verdict.placed.extend(self.starting_position(player.other()));
                verdict.remarks.push(Remark::EqualisingInning);
                self.is_last_inning = true;
                self.sheet.begin_inning(player.other());
                self.in_corner = 0;
                self.turn = opening(player.other());
                return verdict;
            }
            self.end();
            return verdict;
        }
        self.sheet.run = 0;
        self.in_corner = 0;
        let is_limit = player == Player(1) && self.options.innings.is_some_and(|limit| self.sheet.innings[1] >= limit);
        if self.is_last_inning || is_limit {
            self.end();
            return verdict;
        }
        self.sheet.begin_inning(next);
        self.play_on(next, &layout);
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        self.turn.offers(choice)?;
        let player = self.turn.player;
        let mut verdict = Verdict { goes_on: true, ..Verdict::default() };
        if choice == Choice::SpotTouching {
            let mut layout = layout.clone();
            verdict.placed = if self.discipline == Discipline::StraightRail {
                self.starting_position(player).to_vec()
            } else {
                let touching = layout.touching(own(player), self.table.ball_radius());
                let balls: Vec<BallId> = [own(player)].into_iter().chain(touching).collect();
                self.spot(&balls, player, &mut layout)
            };
            self.in_corner = 0;
        }
        self.turn = Turn::shoot(player, ShotConstraints::of(own(player)));
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = self.sheet.notes(player);
        if !notes.is_empty() {
            notes.push(Note::LongestRun(self.sheet.longest[player.index()]));
        }
        notes
    }

    fn own_ball(&self, player: Player) -> Option<BallName> {
        self.balls.get(player.index()).copied()
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
