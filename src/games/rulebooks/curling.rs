//! Table curling, a game of this program with flat discs. Two sides alternately slide stones along a sheet. The stones
//! nearest to the button score at the end of an end, as in the "Rules of Curling" of the World Curling Federation
//! (rules R5 to R11). There is no sweeping.

use std::sync::Arc;

use bevy::math::Vec2;
use serde::Deserialize;

use super::ruling::{Decision, RuleBook, Ruling, judge, leader, points_of};
use crate::{
    billiards::tables::BallName,
    games::rules::{
        BallId, BallPlace, Game, GameTable, Layout, Measure, Note, Player, Region, Remark, Rules, Shot,
        ShotConstraints, ShotEvent, Standing, Task, Turn, Verdict,
        options::{OptionKind, OptionSpec, OptionValue, Options},
    },
    notice::mark,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "curling",
    title: "Table curling",
    about: "Slide your stones nearer to the centre than theirs, and knock theirs away.",
    tables: &["curling"],
    solo: false,
    // No turn continues, and every stone is a shot.
    measures: &[Measure::Racks, Measure::Points, Measure::Shots],
    begin: |table, options| Ok(Box::new(Curling::new(table, options)?)),
    options: &[
        OptionSpec {
            name: "ends",
            title: mark("Ends"),
            help: mark("Number of ends; extra ends follow a level score"),
            kind: OptionKind::Number { allowed: 1..=20, suggested: 1..=20 },
            default: OptionValue::Number(4),
        },
        OptionSpec {
            name: "stones",
            title: mark("Stones"),
            help: mark("Stones per side"),
            kind: OptionKind::Number { allowed: 1..=8, suggested: 1..=8 },
            default: OptionValue::Number(4),
        },
        OptionSpec::switch(
            "boards_are_out",
            mark("Boards are out"),
            mark("A stone that touches a board is out. When off, stones rebound from boards."),
            true,
        ),
        OptionSpec {
            name: "extra_ends",
            title: mark("Extra ends"),
            help: mark("Maximum number of extra ends at a level score. Then the nearest stone wins."),
            kind: OptionKind::Limit { allowed: 1..=20, suggested: 1..=20, first: 3 },
            default: OptionValue::Number(3),
        },
    ],
};

/// The options of curling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct CurlingOptions {
    /// The number of ends, 1 to 20. A level score adds extra ends. Default: 4.
    pub ends: u8,
    /// The stones of each side, 1 to 8. Default: 4.
    pub stones: u8,
    /// Whether a stone that touches a board is out of play. Default: true. Otherwise stones bounce off the boards.
    pub boards_are_out: bool,
    /// The most extra ends while the score is level, 1 to 20. After the last one, the nearest stone on the sheet wins,
    /// inside the house or not. Without any stone, the side without the hammer wins. Default: 3. `None` removes the
    /// limit, as on ice.
    pub extra_ends: Option<u8>,
}

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

#[cfg(test)]
mod tests {
    use bevy::math::vec2;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        billiards::cue::{Cue, CueStrike},
        games::{
            simulator::Simulator,
            test_support::{Played, begin, random_play, table},
        },
        random::Random,
    };

    const FAR: Vec2 = vec2(0.5, 0.3);

    /// Delivers the next stone, which comes to rest at `place`.
    fn deliver(played: &mut Played, place: Vec2) -> Verdict {
        let stone = played.stroke().cue_ball.0;
        played.shot_to("", "", &[(stone, place)])
    }

    /// A game of two stones per side with these resting places, in order of delivery.
    fn end(places: [Vec2; 4]) -> (Played, Verdict) {
        let mut played = begin(&GAME, r#"{"stones": 2}"#);
        let mut verdict = Verdict::default();
        for place in places {
            verdict = deliver(&mut played, place);
        }
        (played, verdict)
    }

    fn at(from_button: f32, y: f32) -> Vec2 {
        vec2(1.2 + from_button, y)
    }

    #[test]
    fn stones_are_delivered_in_turn_from_behind_the_line() {
        let mut played = begin(&GAME, "{}");
        assert_eq!(played.layout, Layout::in_hand(8));
        for stone in 0..8 {
            let stroke = played.stroke();
            assert_eq!((stroke.cue_ball, stroke.in_hand), (BallId(stone), Some(Region::BehindHeadString)));
            assert_eq!((played.player(), stroke.is_break), (stone % 2, stone == 0));
            let verdict = deliver(&mut played, vec2(0.4 + 0.1 * f32::from(stone), 0.3));
            assert!(!verdict.goes_on || stone == 7);
        }
        assert_eq!(played.layout, Layout::in_hand(8), "the next end");
    }

    #[test]
    fn stones_nearer_than_the_nearest_of_the_other_side_count() {
        for (places, points) in [
            // Red, yellow, red, yellow.
            ([at(0.0, 0.0), at(0.1, 0.0), at(0.2, 0.0), FAR], [1, 0]),
            ([at(0.0, 0.0), at(0.2, 0.0), at(-0.1, 0.0), FAR], [2, 0]),
            ([at(0.1, 0.0), at(0.2, 0.0), FAR, at(0.0, 0.0)], [0, 1]),
            ([FAR, at(0.1, 0.0), FAR + Vec2::X * 0.1, at(0.0, 0.1)], [0, 2]),
            // A stone that touches the house is in it.
            ([at(-0.329, 0.0), FAR, FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2], [1, 0]),
            ([at(-0.331, 0.0), FAR, FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2], [0, 0]),
            ([at(-0.1, 0.0), at(0.1, 0.0), FAR, FAR + Vec2::X * 0.1], [0, 0]),
        ] {
            let (played, verdict) = end(places);
            assert_eq!((verdict.points, played.rules.score()), (points, points), "{places:?}");
        }
    }

    #[test]
    fn who_scores_begins_the_next_end_and_the_hammer_stays_after_a_blank_one() {
        let (played, _) = end([at(0.0, 0.0), FAR, FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2]);
        assert_eq!((played.player(), played.stroke().cue_ball), (0, BallId(0)));
        let (played, _) = end([FAR, at(0.0, 0.0), FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2]);
        assert_eq!((played.player(), played.stroke().cue_ball), (1, BallId(1)));
        let second = Note::End { number: 2, of: 4 };
        assert_eq!(
            played.rules.notes(Player(0)),
            [Note::Side(BallName::Red), second.clone(), Note::StonesLeft(2), Note::Hammer]
        );
        assert_eq!(played.rules.notes(Player(1)), [Note::Side(BallName::Yellow), second, Note::StonesLeft(2)]);
        let (played, verdict) = end([0.0, 0.1, 0.2, 0.3].map(|x| FAR + Vec2::X * x - Vec2::X * 0.1));
        assert_eq!((played.player(), verdict.points), (0, [0, 0]));
    }

    #[test]
    fn what_is_short_touches_a_board_or_lies_beyond_the_back_line_is_out() {
        for (events, place, is_out) in [
            ("", vec2(0.331, 0.0), false),
            ("", vec2(0.329, 0.0), true),
            ("", vec2(1.529, 0.0), false),
            ("", vec2(1.531, 0.0), true),
            ("1/0", vec2(1.0, 0.0), true),
            // A stone stopped by another may lie short.
            ("1-0", vec2(0.2, 0.0), false),
        ] {
            let mut played = begin(&GAME, "{}");
            deliver(&mut played, vec2(0.5, 0.2));
            let verdict = played.shot_to("", events, &[(1, place)]);
            assert_eq!(played.layout[BallId(1)] == BallPlace::Off, is_out, "{events} {place}");
            assert_eq!(verdict.remarks.is_empty(), !is_out);
        }
        // A stone knocked off is out, whichever side it belongs to.
        let mut played = begin(&GAME, "{}");
        deliver(&mut played, at(0.0, 0.0));
        played.shot_to("", "0-1 0/1", &[(1, at(0.0, 0.0)), (0, vec2(1.7, 0.0))]);
        assert_eq!(played.layout[BallId(0)], BallPlace::Off);
        let mut played = begin(&GAME, r#"{"boards_are_out": false}"#);
        played.shot_to("", "0/0", &[(0, at(0.0, 0.0))]);
        assert!(played.layout.is_on_table(BallId(0)));
    }

    #[test]
    fn after_the_last_end_the_higher_score_wins_and_a_level_one_is_played_out() {
        let mut played = begin(&GAME, r#"{"stones": 1, "ends": 2}"#);
        deliver(&mut played, at(0.0, 0.0));
        deliver(&mut played, FAR);
        deliver(&mut played, FAR);
        let verdict = deliver(&mut played, at(0.0, 0.0));
        assert_eq!((played.rules.score(), played.winner()), ([1, 1], None));
        assert!(verdict.remarks.contains(&Remark::ExtraEnd));
        assert_eq!(played.rules.notes(Player(0))[1], Note::ExtraEnd);
        deliver(&mut played, FAR);
        deliver(&mut played, at(0.0, 0.0));
        assert_eq!((played.rules.score(), played.winner()), ([2, 1], Some(0)));
    }

    #[test]
    fn options_and_tables_that_do_not_fit_are_named() {
        let with = |name: &str, value: u8| {
            let mut options = Options::new();
            options.insert(name.to_owned(), value.into());
            (GAME.begin)(&table("curling"), &options).map(|_| ())
        };
        assert!(with("ends", 0).unwrap_err().contains("1 to 20"));
        assert!(with("stones", 9).unwrap_err().contains("1 to 8"));
        assert_eq!(with("stones", 8), Ok(()));
        assert!(with("extra_ends", 0).unwrap_err().contains("1 to 20"));
        assert!((GAME.begin)(&table("pool-9ft"), &Options::new()).unwrap_err().contains("button"));
    }

    #[test]
    fn after_the_last_extra_end_the_nearest_stone_wins_or_who_has_not_the_hammer() {
        // Blank ends: no stone is in the house.
        for (extra, last, winner, said) in [
            (1, [FAR, FAR + Vec2::X * 0.1], Some(1), Remark::NearestStoneWins(BallName::Yellow)),
            (2, [FAR + Vec2::X * 0.1, FAR], Some(0), Remark::NearestStoneWins(BallName::Red)),
            (2, [vec2(-1.0, 0.0), vec2(-1.0, 0.2)], Some(0), Remark::WithoutHammerWins),
        ] {
            let mut played = begin(&GAME, &format!(r#"{{"stones": 1, "ends": 1, "extra_ends": {extra}}}"#));
            for _ in 0..extra {
                deliver(&mut played, FAR);
                deliver(&mut played, FAR + Vec2::X * 0.1);
                assert_eq!(played.winner(), None);
            }
            deliver(&mut played, last[0]);
            let verdict = deliver(&mut played, last[1]);
            assert_eq!((played.winner(), played.rules.score()), (winner, [0, 0]));
            assert!(verdict.remarks.contains(&said), "{verdict:?}");
        }
        let mut played = begin(&GAME, r#"{"stones": 1, "ends": 1, "extra_ends": null}"#);
        for _ in 0..60 {
            deliver(&mut played, FAR);
        }
        assert_eq!(played.winner(), None, "as on ice");
    }

    #[test]
    fn the_outlook_likes_points_stones_that_count_and_the_hammer() {
        let outlook = |played: &Played| played.rules.outlook(&played.layout).unwrap();
        let mut played = begin(&GAME, "{}");
        assert!(outlook(&played) < 0.5, "the other side has the hammer");
        deliver(&mut played, at(0.2, 0.0));
        let lies = outlook(&played);
        assert!(lies > 0.5);
        let mut nearer = played.clone();
        nearer.layout[BallId(0)] = BallPlace::Table(at(0.1, 0.0));
        assert!(outlook(&nearer) > lies);
        deliver(&mut played, at(0.05, 0.0));
        assert!(outlook(&played) < 0.5, "the other stone is nearer");
    }

    #[test]
    fn real_stones_slide_to_the_button_and_knock_each_other_away() {
        let mut played = begin(&GAME, r#"{"stones": 1, "ends": 1}"#);
        let mut simulator = Simulator::new(played.table.clone());
        let cue = Cue::default();
        let mut deliver = |played: &mut Played, way: f64| {
            let stone = played.stroke().cue_ball;
            let mut layout = played.layout.clone();
            let hack = Region::BehindHeadString.any_place(&played.table, &layout, stone).unwrap();
            assert_eq!(Some(hack), played.table.spot("hack"));
            layout[stone] = BallPlace::Table(hack);
            // A sliding disc stops after v² / 2 μ g.
            let speed = (2.0 * 0.015 * 9.81 * way).sqrt();
            let strike = CueStrike::default().with_ball_speed(&cue, &simulator.body(), speed);
            let shot = simulator.play(&layout, stone, &strike, &cue).unwrap();
            played.judge(&shot)
        };
        deliver(&mut played, 2.9);
        assert!(played.place(0).distance(vec2(1.2, 0.0)) < 0.01, "{:?}", played.layout);
        // The second stone is faster than needed, takes the place of the first, and sends it to the board.
        let verdict = deliver(&mut played, 8.0);
        assert_eq!(verdict.points, [0, 1], "{verdict:?}");
        assert_eq!(played.layout[BallId(0)], BallPlace::Off);
    }

    #[test]
    fn a_game_is_played_with_real_stones() {
        let Played { mut rules, table, .. } = begin(&GAME, r#"{"ends": 3}"#);
        random_play::play_for_real(rules.as_mut(), &table, &mut Random::new(1), 100);
        assert!(
            rules.notes(Player(0)).is_empty() || matches!(rules.notes(Player(0))[1], Note::End { .. } | Note::ExtraEnd),
            "{rules:?}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn whatever_happens_a_game_stays_whole_and_ends(seed: u64, ends in 1..6_u8, stones in 1..=8_u8, boards: bool) {
            let most = usize::from(ends + 3) * 2 * usize::from(stones);
            let options = format!(r#"{{"ends": {ends}, "stones": {stones}, "boards_are_out": {boards}}}"#);
            let Played { mut rules, table, .. } = begin(&GAME, &options);
            let mut score = [0, 0];
            let ended = random_play::play(rules.as_mut(), &table, &mut Random::new(seed), most, |rules, verdict| {
                for player in 0..2 {
                    assert!((0..=i32::from(stones)).contains(&verdict.points[player]));
                    assert_eq!(rules.score()[player], score[player] + verdict.points[player]);
                }
                assert!(verdict.points.contains(&0), "one side scores");
                score = rules.score();
            });
            prop_assert!(ended);
        }
    }
}
