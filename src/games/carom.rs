//! Carom: straight rail, one-cushion and three-cushion, by the "World Rules of Carom Billiard" of the Union Mondiale de Billard (UMB): the start by article 23,
//! balls in contact and balls that jump off the table by articles 27 and 28, the corners of straight rail by articles 52 to 54. `docs/games.md` tells what departs
//! from them.

use std::sync::Arc;

use bevy::math::Vec2;
use serde::{Deserialize, Serialize};

use super::{
    BallId, BallPlace, Choice, Foul, Game, GameTable, Layout, Outcome, Player, Rules, Shot, ShotEvent, Stroke, Task,
    Turn, Verdict,
    list::{default_options, read_options},
};
use crate::billiards::tables::{BallName, Rack};

/// The line of straight rail in the list of games.
pub const STRAIGHT_RAIL: Game = Game {
    name: "straight-rail",
    title: "Straight rail",
    tables: &["carom-10ft"],
    begin: |table, options| {
        let options: StraightRailOptions = read_options(STRAIGHT_RAIL.name, options)?;
        let StraightRailOptions { points, innings, equalising_inning, corner_limit } = options;
        let limits = CaromOptions { points, innings, equalising_inning };
        Ok(Box::new(Carom::new(Discipline::StraightRail, table, limits, corner_limit)?))
    },
    options: default_options::<StraightRailOptions>,
};

/// The line of one-cushion in the list of games.
pub const ONE_CUSHION: Game = Game {
    name: "one-cushion",
    title: "One-cushion",
    tables: &["carom-10ft"],
    begin: |table, options| {
        let options = read_options(ONE_CUSHION.name, options)?;
        Ok(Box::new(Carom::new(Discipline::OneCushion, table, options, None)?))
    },
    options: default_options::<CaromOptions>,
};

/// The line of three-cushion in the list of games.
pub const THREE_CUSHION: Game = Game {
    name: "three-cushion",
    title: "Three-cushion",
    tables: &["carom-10ft"],
    begin: |table, options| {
        let options = read_options(THREE_CUSHION.name, options)?;
        Ok(Box::new(Carom::new(Discipline::ThreeCushion, table, options, None)?))
    },
    options: default_options::<CaromOptions>,
};

/// What can be chosen of one-cushion and three-cushion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaromOptions {
    /// The points to which it goes, at least 1. Default: 40.
    pub points: u32,
    /// After how many innings of each player it is over at the latest. Default: there is no limit.
    pub innings: Option<u32>,
    /// Whether the player who began second has one more inning after the other has made the last point in one inning more. Default: yes.
    pub equalising_inning: bool,
}

impl Default for CaromOptions {
    fn default() -> Self {
        Self { points: 40, innings: None, equalising_inning: true }
    }
}

/// What can be chosen of straight rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StraightRailOptions {
    /// The points to which it goes, at least 1. Default: 100.
    pub points: u32,
    /// After how many innings of each player it is over at the latest. Default: there is no limit.
    pub innings: Option<u32>,
    /// Whether the player who began second has one more inning after the other has made the last point in one inning more. Default: yes.
    pub equalising_inning: bool,
    /// How many points may be made in a row while both object balls stay in the same corner; with the next, one of them has to be driven out. Default: 1, as the
    /// UMB has it. Clubs in America allow 3. None: any number.
    pub corner_limit: Option<u32>,
}

impl Default for StraightRailOptions {
    fn default() -> Self {
        let CaromOptions { innings, equalising_inning, .. } = CaromOptions::default();
        Self { points: 100, innings, equalising_inning, corner_limit: Some(1) }
    }
}

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
    score: [i32; 2],
    /// How many innings each has begun.
    innings: [u32; 2],
    current_break: i32,
    longest: [i32; 2],
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
        if options.points == 0 || options.innings == Some(0) {
            return Err("points and innings are at least 1".to_owned());
        }
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
            score: [0; 2],
            innings: [1, 0],
            current_break: 0,
            longest: [0; 2],
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

    /// A player is to play with the balls where they are, or first to choose what happens to those that touch the own one.
    fn play_on(&mut self, player: Player, layout: &Layout) {
        let touches = layout.touching(own(player), self.table.ball_radius()).next().is_some();
        self.turn = if touches {
            Turn::choose(player, [Choice::PlayOn, Choice::SpotTouching])
        } else {
            Turn::shoot(player, Stroke::of(own(player)))
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

    /// In which of the four corners a ball lies, by the signs of its place: a corner is cut off by a line over a quarter of both sides.
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

    /// Whether the own ball has hit both others after as many cushions as it takes.
    fn is_cannon(&self, player: Player, shot: &Shot) -> bool {
        let cue_ball = own(player);
        let (mut first, mut cushions) = (None, 0);
        for event in &shot.events {
            match *event {
                ShotEvent::Cushion(ball, _) if ball == cue_ball => cushions += 1,
                ShotEvent::Balls(a, b) if a == cue_ball || b == cue_ball => {
                    let other = if a == cue_ball { b } else { a };
                    match first {
                        None => first = Some(other),
                        Some(first) if first != other => return cushions >= self.discipline.cushions(),
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// It is over: who has more points wins.
    fn end(&mut self) {
        let [a, b] = self.score;
        let winner = (a != b).then_some(Player(u8::from(b > a)));
        self.turn = Turn { player: self.turn.player, task: Task::Over(Outcome { winner }) };
    }
}

/// The turn of a player who plays from the starting position: the red has to be hit first.
fn opening(player: Player) -> Turn {
    let stroke = Stroke { on: vec![RED], is_break: true, ..Stroke::of(own(player)) };
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
        self.score
    }

    fn current_break(&self) -> i32 {
        self.current_break
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
        let mut is_point = verdict.fouls.is_empty() && self.is_cannon(player, shot);
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
            self.score[player.index()] += 1;
            self.current_break += 1;
            self.longest[player.index()] = self.longest[player.index()].max(self.current_break);
            if i64::from(self.score[player.index()]) < i64::from(self.options.points) {
                verdict.goes_on = true;
                self.play_on(player, &layout);
                return verdict;
            }
            if player == Player(0) && self.options.equalising_inning {
                verdict.placed.extend(self.starting_position(player.other()));
                verdict
                    .remarks
                    .push("The other player has the equalising inning, from the starting position.".to_owned());
                self.is_last_inning = true;
                self.innings[1] += 1;
                self.current_break = 0;
                self.in_corner = 0;
                self.turn = opening(player.other());
                return verdict;
            }
            self.end();
            return verdict;
        }
        self.current_break = 0;
        self.in_corner = 0;
        let is_limit = player == Player(1) && self.options.innings.is_some_and(|limit| self.innings[1] >= limit);
        if self.is_last_inning || is_limit {
            self.end();
            return verdict;
        }
        self.innings[next.index()] += 1;
        self.play_on(next, &layout);
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, String> {
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
        self.turn = Turn::shoot(player, Stroke::of(own(player)));
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<String> {
        let innings = self.innings[player.index()];
        if innings == 0 {
            return Vec::new();
        }
        let average = f64::from(self.score[player.index()]) / f64::from(innings);
        vec![
            format!("{innings} {}", if innings == 1 { "inning" } else { "innings" }),
            format!("average {average:.3}"),
            format!("longest run {}", self.longest[player.index()]),
        ]
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
        games::{
            Options, random_play,
            testing::{Played, begin, table},
        },
        scene::generate::Chance,
    };

    /// `C` is a cushion, `A` and `B` are the other ball and the red.
    fn word(word: &str, cue_ball: u8) -> String {
        let other = 1 - cue_ball;
        let event = |letter| match letter {
            'C' => format!("{cue_ball}/0"),
            'A' => format!("{cue_ball}-{other}"),
            'B' => format!("2-{cue_ball}"),
            _ => panic!("{letter}"),
        };
        word.chars().map(event).collect::<Vec<_>>().join(" ")
    }

    /// A game in which the opening is over, and player 1 is to play with the yellow.
    fn second(game: &Game, options: &str) -> Played {
        let mut played = begin(game, options);
        played.shot_to("", "0-2", &[(0, vec2(0.3, 0.4)), (2, vec2(0.4, -0.3))]);
        assert_eq!((played.player(), played.stroke().cue_ball), (1, BallId(1)));
        played
    }

    #[test]
    fn the_words_of_three_cushion() {
        for (letters, is_point) in [
            ("ACCCB", true),
            ("CCCAB", true),
            ("CACCB", true),
            ("CCACB", true),
            ("ACCACB", true),
            ("BCCCA", true),
            ("ACCBC", false),
            ("ABCCC", false),
            ("CCA", false),
            ("CCCA", false),
            ("CCCAA", false),
            ("", false),
        ] {
            let mut played = second(&THREE_CUSHION, "{}");
            let verdict = played.shot("", &word(letters, 1));
            assert_eq!((verdict.points, verdict.goes_on), ([0, i32::from(is_point)], is_point), "{letters}");
            assert_eq!(played.player(), u8::from(is_point));
            assert!(verdict.fouls.is_empty(), "to miss is no foul");
        }
    }

    #[test]
    fn what_other_balls_do_does_not_count() {
        let mut played = second(&THREE_CUSHION, "{}");
        assert_eq!(played.shot("", "1-0 0/0 0/1 0/2 0-2 1-2").points, [0, 0]);
    }

    #[test]
    fn straight_rail_needs_both_balls_and_one_cushion_a_cushion_before_the_second() {
        for (letters, rail, cushion) in
            [("AB", 1, 0), ("BA", 1, 0), ("ACB", 1, 1), ("CAB", 1, 1), ("ABC", 1, 0), ("A", 0, 0), ("CCC", 0, 0)]
        {
            for (game, points) in [(STRAIGHT_RAIL, rail), (ONE_CUSHION, cushion)] {
                let verdict = second(&game, "{}").shot("", &word(letters, 1));
                assert_eq!(verdict.points, [0, points], "{}: {letters}", game.name);
            }
        }
    }

    #[test]
    fn it_begins_from_the_starting_position_and_with_the_red() {
        let mut played = begin(&THREE_CUSHION, "{}");
        let spot = |name: &str| played.table.spot(name).unwrap();
        assert_eq!([0, 1, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
        assert_eq!((played.stroke().on, played.stroke().is_break), (vec![RED], true));
        let mut wrong = played.clone();
        let verdict = wrong.shot("", &word("ACCCB", 0));
        assert_eq!((verdict.points, verdict.fouls), ([0, 0], vec![Foul::WrongBallFirst(BallName::Yellow)]));
        assert_eq!(played.shot("", &word("BCCCA", 0)).points, [1, 0]);
        assert!(played.stroke().on.is_empty(), "then either may come first");
        assert_eq!(played.shot("", &word("ACCCB", 0)).points, [1, 0]);
        assert_eq!(played.rules.current_break(), 2);
    }

    #[test]
    fn a_miss_ends_the_inning_and_the_balls_stay() {
        let mut played = second(&THREE_CUSHION, "{}");
        let layout = played.layout.clone();
        let verdict = played.shot("", "1-2");
        assert_eq!((verdict.placed.len(), &played.layout), (0, &layout));
        assert_eq!((played.player(), played.stroke().cue_ball), (0, BallId(0)));
    }

    #[test]
    fn the_second_player_has_an_equalising_inning_from_the_starting_position() {
        let reach = |options: &str| {
            let mut played = begin(&THREE_CUSHION, options);
            played.shot("", &word("BCCCA", 0));
            played.shot("", &word("BCCCA", 0));
            played
        };
        let mut played = reach(r#"{"points": 2}"#);
        let spot = |name: &str| played.table.spot(name).unwrap();
        assert_eq!((played.player(), played.winner()), (1, None));
        assert_eq!([1, 0, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
        assert_eq!(played.stroke().on, [RED]);
        let mut missed = played.clone();
        missed.shot("", &word("BCCCA", 1));
        missed.shot("", "1-2");
        assert_eq!((missed.winner(), missed.rules.score()), (Some(0), [2, 1]));
        played.shot("", &word("BCCCA", 1));
        played.shot("", &word("BCCCA", 1));
        assert_eq!(played.rules.turn().task, Task::Over(Outcome { winner: None }), "it is a draw");
        assert_eq!(reach(r#"{"points": 2, "equalising_inning": false}"#).winner(), Some(0));
        // The second player needs none.
        let mut played = second(&THREE_CUSHION, r#"{"points": 1}"#);
        played.shot("", &word("BCCCA", 1));
        assert_eq!(played.winner(), Some(1));
    }

    #[test]
    fn innings_may_be_limited_and_both_have_as_many() {
        let mut played = begin(&THREE_CUSHION, r#"{"innings": 2}"#);
        for events in ["0-2", "1-2", "0-2"] {
            played.shot("", events);
            assert_eq!(played.winner(), None);
        }
        let mut drawn = played.clone();
        drawn.shot("", "1-2");
        assert_eq!(drawn.rules.turn().task, Task::Over(Outcome { winner: None }));
        played.shot("", &word("BCCCA", 1));
        played.shot("", "1-2");
        assert_eq!(played.winner(), Some(1));
        assert_eq!(played.rules.notes(Player(1)), ["2 innings", "average 0.500", "longest run 1"]);
        let mut options = Options::new();
        options.insert("points".to_owned(), 0.into());
        assert!((THREE_CUSHION.begin)(&table("carom-10ft"), &options).is_err());
        assert!((THREE_CUSHION.begin)(&table("pool-9ft"), &Options::new()).is_err());
    }

    #[test]
    fn balls_that_touch_the_own_one_are_played_away_from_or_spotted() {
        let at = vec2(0.3, 0.4);
        let touching = || {
            let mut played = second(&THREE_CUSHION, "{}");
            played.shot_to("", "1-0", &[(1, vec2(0.6, 0.5)), (0, at), (2, at + vec2(0.0, 0.06151))]);
            assert_eq!((played.player(), played.choices()), (0, vec![Choice::PlayOn, Choice::SpotTouching]));
            played
        };
        let mut played = touching();
        assert!(played.choose(Choice::PlayOn).placed.is_empty());
        assert_eq!(played.clone().shot("", &word("BCCCA", 0)).fouls, [Foul::PushStroke(BallName::Red)]);
        assert_eq!(played.shot("", &word("CBCCA", 0)).points, [1, 0], "it may come back to it");
        // Of the three, those in contact alone: the own one on the head spot, the red on the foot spot, another in the centre.
        let mut played = touching();
        played.choose(Choice::SpotTouching);
        let spot = |name: &str| played.table.spot(name).unwrap();
        assert_eq!([0, 1, 2].map(|ball| played.place(ball)), [spot("head"), vec2(0.6, 0.5), spot("foot")]);
        assert!(played.stroke().on.is_empty());
        let mut played = second(&THREE_CUSHION, "{}");
        played.shot_to("", "1-0", &[(1, at + vec2(0.0, 0.06151)), (0, at), (2, vec2(0.6, 0.5))]);
        played.choose(Choice::SpotTouching);
        assert_eq!([0, 1, 2].map(|ball| played.place(ball)), [spot("head"), spot("centre"), vec2(0.6, 0.5)]);
        // In straight rail all go to the starting position.
        let mut played = second(&STRAIGHT_RAIL, "{}");
        played.shot_to("", "1-0", &[(1, at + vec2(0.0, 0.06151)), (0, at), (2, vec2(0.6, 0.5))]);
        played.choose(Choice::SpotTouching);
        assert_eq!([0, 1, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
    }

    #[test]
    fn a_spotted_ball_takes_the_spot_of_the_one_that_is_in_its_way() {
        let mut played = second(&THREE_CUSHION, "{}");
        let [head, centre] = ["head", "centre"].map(|name| played.table.spot(name).unwrap());
        // The white is to play next: it would go to the head spot, but the yellow is there, whose spot is the centre.
        let verdict = played.shot_to("", "1-0 0!", &[(1, head + vec2(0.0, 0.03))]);
        assert_eq!((verdict.fouls, played.place(0)), (vec![Foul::OffTable(BallName::Cue)], centre));
    }

    #[test]
    fn a_ball_off_the_table_is_a_foul_and_is_spotted() {
        let spot = |name: &str| table("carom-10ft").spot(name).unwrap();
        for (ball, name) in [(0, "head"), (1, "centre"), (2, "foot")] {
            let mut played = second(&THREE_CUSHION, "{}");
            let clear = if ball == 1 { vec![] } else { vec![(1, vec2(-0.3, 0.6))] };
            let verdict = played.shot_to("", &format!("{} {ball}!", word("ACCCB", 1)), &clear);
            assert_eq!((verdict.points, verdict.fouls.len()), ([0, 0], 1));
            assert_eq!((played.player(), played.place(ball)), (0, spot(name)));
        }
        let mut played = second(&STRAIGHT_RAIL, "{}");
        played.shot("", "1-0 1-2 2!");
        assert_eq!([0, 1, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
    }

    #[test]
    fn in_a_corner_one_point_may_be_made_before_a_ball_has_to_leave() {
        let inside = [(0, vec2(1.3, 0.65)), (2, vec2(1.3, 0.5))];
        let outside = [(0, vec2(1.3, 0.65)), (2, vec2(0.4, 0.3))];
        let play = |options: &str, ends: &[&[(u8, Vec2)]]| {
            let mut played = second(&STRAIGHT_RAIL, options);
            played.shot_to("", "1-0 1-2", &inside);
            ends.iter().map(|ends| played.shot_to("", "1-0 1-2", ends).points[1]).collect::<Vec<_>>()
        };
        assert_eq!(play("{}", &[&inside, &outside, &inside, &inside]), [1, 1, 1, 1]);
        assert_eq!(play("{}", &[&inside, &inside]), [1, 0]);
        assert_eq!(play(r#"{"corner_limit": 3}"#, &[&inside, &inside, &inside, &inside]), [1, 1, 1, 0]);
        assert_eq!(play(r#"{"corner_limit": null}"#, &[&inside[..]; 9]), [1; 9]);
        let mut played = second(&STRAIGHT_RAIL, r#"{"corner_limit": 0}"#);
        played.shot_to("", "1-0 1-2", &inside);
        assert_eq!(played.shot("", "1-0 1-2").fouls, [Foul::StayedInCorner]);
        // The corner ends on a line from a quarter of the long side to a quarter of the short one.
        let Played { table, .. } = played;
        let game = Carom::new(Discipline::StraightRail, &table, CaromOptions::default(), None).unwrap();
        for (place, corner) in [
            (vec2(0.715, 0.709), Some([true, true])),
            (vec2(0.709, 0.709), None),
            (vec2(-1.419, 0.356), Some([false, true])),
            (vec2(-1.419, -0.354), None),
            (vec2(1.06, -0.54), Some([true, false])),
            (vec2(1.05, -0.53), None),
        ] {
            assert_eq!(game.corner_of(place), corner, "{place}");
        }
    }

    #[test]
    fn a_game_is_played_with_real_balls() {
        let Played { mut rules, table, .. } = begin(&STRAIGHT_RAIL, r#"{"innings": 40}"#);
        assert!(random_play::play_for_real(rules.as_mut(), &table, &mut Chance::new(1), 300), "{rules:?}");
        assert!(rules.score().iter().sum::<i32>() > 0, "{rules:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn whatever_happens_a_game_stays_whole_and_ends(
            seed: u64,
            game in prop::sample::select(vec![STRAIGHT_RAIL, ONE_CUSHION, THREE_CUSHION]),
            points in 1..20_u32,
            equalising: bool,
        ) {
            let options = format!(r#"{{"points": {points}, "equalising_inning": {equalising}, "innings": 50}}"#);
            let Played { mut rules, table, .. } = begin(&game, &options);
            let mut score = [0, 0];
            let ended = random_play::play(rules.as_mut(), &table, &mut Chance::new(seed), 400, |rules, verdict| {
                let now = rules.score();
                for player in 0..2 {
                    assert!((0..=1).contains(&verdict.points[player]) && now[player] <= points as i32);
                    assert_eq!(now[player], score[player] + verdict.points[player]);
                }
                assert!(verdict.points == [0, 0] || verdict.fouls.is_empty());
                score = now;
            });
            prop_assert!(ended);
        }
    }
}
