//! Snooker, by the rules of the World Professional Billiards and Snooker Association (WPBSA), "Official Rules of the
//! Games of Snooker and English Billiards": what its text leaves to a referee's judgement is an option here, see
//! [`MissRule`]. `docs/games.md` tells what departs from it.

mod options;
mod snookered;
mod stroke;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bevy::math::Vec2;

pub use options::{MissRule, SnookerOptions};
pub use snookered::{can_hit, can_hit_both_edges, can_hit_fully, is_snookered, is_snookered_in_hand};

use super::RACK_GAP;
use crate::{
    billiards::tables::{BallName, Rack},
    games::rules::{
        BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Measure, Note, Player, Refusal, Region,
        Remark, Rules, Shot, ShotConstraints, Task, Turn, Verdict, options::Options,
    },
    random::Random,
};

/// Its line in the list of games.
pub const GAME: Game = Game {
    name: "snooker",
    title: "Snooker",
    about: "Red, colour, red, on the twelve-foot table.",
    tables: &["snooker-12ft"],
    solo: false,
    measures: &[
        Measure::Racks,
        Measure::Points,
        Measure::SuccessRate,
        Measure::PositionQuality,
        Measure::LongestBreak,
        Measure::Innings,
        Measure::Potted,
        Measure::Fouls,
        Measure::Shots,
    ],
    begin: |table, options| Ok(Box::new(Snooker::new(table, options)?)),
    options: options::OPTIONS,
};

/// The balls in the order of their ids: the cue ball, the reds, the six colours.
const CUE_BALL: BallId = BallId(0);
const COLOURS: [BallName; 6] =
    [BallName::Yellow, BallName::Green, BallName::Brown, BallName::Blue, BallName::Pink, BallName::Black];
const SPOTS: [&str; 6] = ["yellow", "green", "brown", "blue", "pink", "black"];
const BLACK: i32 = 7;
/// The least that a foul costs.
const LEAST_PENALTY: i32 = 4;
/// How far apart a spotted ball and its neighbours stay, metres: they must not touch, and what is nearer looks as if.
const CLEARANCE: f32 = 1e-4;

/// What the player at the table has to play at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    /// A red.
    Red,
    /// The colour that is nominated, after a red.
    AnyColour,
    /// This colour: there are no more reds.
    Colour(BallId),
}

/// What was before a foul, while the other player chooses.
#[derive(Clone, Debug)]
struct AfterFoul {
    offender: Player,
    free_ball: bool,
    /// How often in a row the offender has missed from there with a ball on in full sight.
    misses: u8,
    before: Layout,
    on: On,
    stroke: ShotConstraints,
}

/// A frame of snooker.
#[derive(Clone, Debug)]
pub struct Snooker {
    table: Arc<GameTable>,
    options: SnookerOptions,
    balls: Vec<BallName>,
    places: Vec<Vec2>,
    seed: u64,
    score: [i32; 2],
    current_break: i32,
    on: On,
    turn: Turn,
    /// What can still be scored without fouls.
    points_left: i32,
    misses: u8,
    after_foul: Option<AfterFoul>,
    is_black_respotted: bool,
}

impl Snooker {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: SnookerOptions = GAME.read_options(options)?;
        let missing = || format!("{} needs the spots and the D of a snooker table", GAME.name);
        table.spec.baulk.ok_or_else(missing)?;
        let mut racked = Rack::Snooker.balls(&table.spec, RACK_GAP).ok_or_else(missing)?;
        // The rows lie one behind the other: fewer reds are a smaller triangle.
        let fewer = usize::from(options.reds);
        let mut reds = 0;
        racked.retain(|ball| {
            reds += usize::from(ball.name == BallName::Red);
            ball.name != BallName::Red || reds <= fewer
        });
        let (balls, places) = racked.iter().map(|ball| (ball.name, ball.place.as_vec2())).unzip();
        let mut frame = Self {
            table: table.clone(),
            options,
            balls,
            places,
            seed: 0,
            score: [0; 2],
            current_break: 0,
            on: On::Red,
            turn: Turn::choose(Player(0), []),
            points_left: 0,
            misses: 0,
            after_foul: None,
            is_black_respotted: false,
        };
        let layout = frame.at_start();
        frame.points_left = frame.points_on(&layout);
        frame.shoot(Player(0), &layout, false);
        if let Task::Shoot(stroke) = &mut frame.turn.task {
            stroke.is_break = true;
        }
        Ok(frame)
    }

    fn at_start(&self) -> Layout {
        let mut layout = Layout(self.places.iter().map(|&place| BallPlace::Table(place)).collect());
        layout[CUE_BALL] = BallPlace::Hand;
        layout
    }

    fn name(&self, ball: BallId) -> BallName {
        self.balls[ball.index()]
    }

    fn is_red(&self, ball: BallId) -> bool {
        self.name(ball) == BallName::Red
    }

    /// What is on for a player who comes to the table.
    fn first_on(&self, layout: &Layout) -> On {
        let objects = objects(layout);
        if objects.iter().any(|&ball| self.is_red(ball)) {
            return On::Red;
        }
        // The colours stand in the order of their values.
        objects.first().map_or(On::Red, |&ball| On::Colour(ball))
    }

    /// The balls on, a free ball aside.
    fn balls_on(&self, on: On, layout: &Layout) -> Vec<BallId> {
        let mut objects = objects(layout);
        objects.retain(|&ball| match on {
            On::Red => self.is_red(ball),
            On::AnyColour => !self.is_red(ball),
            On::Colour(colour) => ball == colour,
        });
        objects
    }

    /// The points that a player can still make without fouls who plays at what is on.
    fn points_on(&self, layout: &Layout) -> i32 {
        let objects = objects(layout);
        let colours: i32 = objects.iter().filter(|&&ball| !self.is_red(ball)).map(|&ball| self.value(ball)).sum();
        let reds = objects.iter().filter(|&&ball| self.is_red(ball)).count() as i32;
        let this_colour = if self.on == On::AnyColour { BLACK } else { 0 };
        colours + reds * (1 + BLACK) + this_colour
    }

    /// The points by which one player leads the other.
    fn lead(&self) -> i32 {
        (self.score[0] - self.score[1]).abs()
    }

    /// A player is to play at what is on, with the balls where they are.
    fn shoot(&mut self, player: Player, layout: &Layout, is_free_ball: bool) {
        let needs_nomination = self.on == On::AnyColour && !self.options.implied_nomination;
        let stroke = ShotConstraints {
            on: if is_free_ball { objects(layout) } else { self.balls_on(self.on, layout) },
            in_hand: (!layout.is_on_table(CUE_BALL)).then_some(Region::D),
            call: if needs_nomination || is_free_ball { CallNeeded::Ball } else { CallNeeded::Nothing },
            is_free_ball,
            ..ShotConstraints::of(CUE_BALL)
        };
        self.turn = Turn::shoot(player, stroke);
    }

    /// Brings colours that are not on the table any more back to it, those for whose own spot there is room first, then
    /// those of more points.
    fn spot(&self, colours: &[BallId], layout: &mut Layout, verdict: &mut Verdict) {
        let spot = |colour: usize| self.table.spot(SPOTS[colour]).unwrap_or_default();
        let own = |ball: BallId| spot((self.value(ball) - 2).max(0) as usize);
        let has_room = |place: Vec2, layout: &Layout, ball| {
            layout.is_free(place, self.table.ball_radius() + 0.5 * CLEARANCE, Some(ball))
        };
        let mut put = |ball: BallId, place: Vec2, layout: &mut Layout| {
            layout[ball] = BallPlace::Table(place);
            verdict.placed.push((ball, layout[ball]));
        };
        let mut left = Vec::new();
        for &ball in colours {
            if has_room(own(ball), layout, ball) { put(ball, own(ball), layout) } else { left.push(ball) }
        }
        left.sort_by_key(|&ball| -self.value(ball));
        for ball in left {
            let highest = (0..SPOTS.len()).rev().map(spot).find(|&place| has_room(place, layout, ball));
            let place = highest.unwrap_or_else(|| self.table.free_spot(layout, own(ball), ball, |_| CLEARANCE));
            put(ball, place, layout);
        }
    }

    /// Whether the cue ball is snookered on what is on, by these balls or by all that are not on.
    fn is_snookered(&self, on: On, layout: &Layout, by: Option<BallId>) -> bool {
        let (on, mut others) = places_of(&self.balls_on(on, layout), layout);
        if let Some(ball) = by {
            others = layout[ball].on_table().into_iter().collect();
        }
        match layout[CUE_BALL].on_table() {
            Some(place) => is_snookered(place, &on, &others, self.table.ball_radius()),
            None => is_snookered_in_hand(&self.table, layout, CUE_BALL, &on, &others),
        }
    }

    /// The frame is over, unless the scores are level.
    fn end(&mut self, layout: &mut Layout, verdict: &mut Verdict) {
        let [a, b] = self.score;
        if a != b {
            self.win(Player(u8::from(b > a)));
            return;
        }
        self.is_black_respotted = true;
        let black = BallId(self.balls.len() as u8 - 1);
        for ball in [CUE_BALL, black] {
            layout[ball] = BallPlace::Hand;
        }
        verdict.placed.retain(|&(ball, _)| ball != CUE_BALL && ball != black);
        verdict.placed.push((CUE_BALL, BallPlace::Hand));
        self.spot(&[black], layout, verdict);
        self.on = On::Colour(black);
        self.points_left = BLACK;
        let lot = Player(u8::from(Random::new(self.seed).unit() < 0.5));
        verdict.goes_on = lot == self.turn.player;
        self.turn = Turn::choose(lot, [Choice::GoFirst, Choice::LetGoFirst]);
        verdict.remarks.push(Remark::BlackRespotted);
    }

    fn win(&mut self, winner: Player) {
        self.turn = Turn::won_by(winner);
    }
}

/// The object balls on the table.
fn objects(layout: &Layout) -> Vec<BallId> {
    layout.on_table().map(|(ball, _)| ball).filter(|&ball| ball != CUE_BALL).collect()
}

/// Where these balls are, and where all other object balls are, metres.
fn places_of(on: &[BallId], layout: &Layout) -> (Vec<Vec2>, Vec<Vec2>) {
    let objects = objects(layout);
    let (on, others): (Vec<BallId>, Vec<BallId>) = objects.into_iter().partition(|ball| on.contains(ball));
    let places = |balls: Vec<BallId>| balls.into_iter().filter_map(|ball| layout[ball].on_table()).collect();
    (places(on), places(others))
}

impl Rules for Snooker {
    fn balls(&self) -> &[BallName] {
        &self.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.seed = seed;
        self.at_start()
    }

    fn turn(&self) -> &Turn {
        &self.turn
    }

    fn score(&self) -> [i32; 2] {
        self.score
    }

    /// The points of a ball; 0 of the cue ball.
    fn value(&self, ball: BallId) -> i32 {
        match self.name(ball) {
            BallName::Red => 1,
            name => COLOURS.iter().position(|&colour| colour == name).map_or(0, |colour| colour as i32 + 2),
        }
    }

    fn current_break(&self) -> i32 {
        self.current_break
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Turn { player, task: Task::Shoot(stroke) } = self.turn.clone() else { return Verdict::default() };
        let mut verdict = Verdict::default();
        let mut layout = shot.after.clone();
        let aim = self.aim(&stroke, shot);
        let (mut fouls, penalty) = self.fouls(&aim, shot);
        let points = if fouls.is_empty() { self.points(&aim, shot) } else { 0 };
        let only_black = objects(&shot.before).iter().all(|&ball| self.value(ball) == BLACK);
        let (lead, points_left) = (self.lead(), self.points_left);

        if !layout.is_on_table(CUE_BALL) {
            layout[CUE_BALL] = BallPlace::Hand;
            verdict.placed.push((CUE_BALL, BallPlace::Hand));
        }
        let stays_down = |ball: BallId| points > 0 && aim.on == On::Colour(ball);
        let gone = |ball: &BallId| !self.is_red(*ball) && *ball != CUE_BALL && !layout.is_on_table(*ball);
        let back: Vec<BallId> =
            layout.balls().filter(gone).filter(|&ball| shot.before.is_on_table(ball) && !stays_down(ball)).collect();
        self.spot(&back, &mut layout, &mut verdict);

        // A snooker behind the free ball is looked for where the other player comes to the table.
        if let (true, Some(free_ball), On::Red | On::Colour(_)) =
            (fouls.is_empty() && points == 0, aim.nominated, aim.on)
            && objects(&layout).iter().any(|&ball| self.value(ball) < BLACK - 1)
            && self.is_snookered(self.first_on(&layout), &layout, Some(free_ball))
        {
            fouls.push(Foul::SnookeredByFreeBall);
        }
        if !fouls.is_empty() {
            verdict.points[player.other().index()] = penalty;
            self.score[player.other().index()] += penalty;
            self.current_break = 0;
            verdict.fouls = fouls;
            let on = self.on;
            self.on = self.first_on(&layout);
            self.points_left = self.points_on(&layout);
            if only_black {
                self.end(&mut layout, &mut verdict);
                return verdict;
            }
            let (is_miss, misses) = self.miss(&aim, shot, lead, points_left);
            let mut choices = vec![Choice::PlayOn, Choice::PassBack];
            let free_ball = self.options.free_ball && self.is_snookered(self.on, &layout, None);
            if free_ball {
                verdict.remarks.push(Remark::FreeBall);
            }
            if is_miss {
                choices.push(Choice::Replay);
                verdict.remarks.push(Remark::Miss);
                if misses > 2 && self.options.three_misses {
                    verdict.remarks.push(Remark::ThirdMiss);
                    self.win(player.other());
                    return verdict;
                }
            }
            self.after_foul =
                Some(AfterFoul { offender: player, free_ball, misses, before: shot.before.clone(), on, stroke });
            self.turn = Turn::choose(player.other(), choices);
            return verdict;
        }
        self.misses = 0;
        verdict.points[player.index()] = points;
        self.score[player.index()] += points;
        self.current_break = if points > 0 { self.current_break + points } else { 0 };
        if points > 0 && only_black {
            self.end(&mut layout, &mut verdict);
            return verdict;
        }
        verdict.goes_on = points > 0;
        self.on = if points > 0 && aim.on == On::Red { On::AnyColour } else { self.first_on(&layout) };
        self.points_left = self.points_on(&layout);
        self.shoot(if points > 0 { player } else { player.other() }, &layout, false);
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        let player = self.turn.player;
        self.turn.offers(choice)?;
        let mut verdict = Verdict::default();
        let Some(foul) = self.after_foul.take() else {
            // Lots were drawn for the black.
            verdict.goes_on = choice == Choice::GoFirst;
            self.shoot(if verdict.goes_on { player } else { player.other() }, layout, false);
            return Ok(verdict);
        };
        self.misses = 0;
        match choice {
            Choice::Replay => {
                let moved = foul.before.balls().filter(|&ball| foul.before[ball] != layout[ball]);
                verdict.placed.extend(moved.map(|ball| (ball, foul.before[ball])));
                if foul.misses == 2 && self.options.three_misses {
                    verdict.remarks.push(Remark::ThirdMissLoses);
                }
                self.misses = foul.misses;
                self.on = foul.on;
                self.points_left = self.points_on(&foul.before);
                self.turn = Turn::shoot(foul.offender, ShotConstraints { in_hand: None, ..foul.stroke });
            }
            Choice::PassBack => self.shoot(foul.offender, layout, false),
            _ => {
                verdict.goes_on = true;
                self.shoot(player, layout, foul.free_ball);
            }
        }
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        if player != self.turn.player {
            return Vec::new();
        }
        let on = match (&self.turn.task, self.on) {
            (Task::Over(_), _) => return Vec::new(),
            (Task::Shoot(stroke), _) if stroke.is_free_ball => Note::FreeBall,
            (_, On::Red) => Note::BallOn(BallName::Red),
            (_, On::AnyColour) => Note::ColourOn,
            (_, On::Colour(_)) if self.is_black_respotted => Note::BlackRespotted,
            (_, On::Colour(colour)) => Note::BallOn(self.name(colour)),
        };
        let mut notes = vec![on, Note::PointsOnTable(self.points_left)];
        let behind = self.score[player.other().index()] - self.score[player.index()];
        if behind > self.points_left {
            notes.push(Note::NeedsSnookers);
        }
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}
