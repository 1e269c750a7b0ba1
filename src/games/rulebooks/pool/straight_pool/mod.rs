//! Straight pool, also called 14.1 continuous, by section 4 of the rules: any ball, called, is a point; when one ball
//! is left, the other fourteen are racked again.

use std::sync::Arc;

use bevy::math::{Vec2, primitives::Segment2d};
use serde::Deserialize;

use super::{
    options::THREE_FOULS,
    rack::FoulsInARow,
    wpa::{CUE_BALL, Setting, TABLES, makes_call, potted_object_balls, put, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    games::rules::{
        BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Measure, Note, Player, Refusal, Region,
        Remark, Rules, Shot, ShotConstraints, Turn, Verdict,
        options::{OptionKind, OptionSpec, OptionValue, Options},
    },
    notice::mark,
    random::Random,
};

/// Its line in the list of games.
pub const GAME: Game = Game {
    name: "straight-pool",
    title: "Straight pool (14.1)",
    about: "Any ball, called, a point each: a long run from rack to rack.",
    tables: TABLES,
    solo: false,
    measures: Measure::POTTED_POINTS,
    begin: |table, options| Ok(Box::new(StraightPool::new(table, options)?)),
    options: &[
        OptionSpec {
            name: "points",
            title: mark("Points"),
            help: mark("How many points win"),
            kind: OptionKind::Number { allowed: 1..=i32::MAX as u32, suggested: 1..=1000 },
            default: OptionValue::Number(100),
        },
        THREE_FOULS,
    ],
};

/// What can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct StraightPoolOptions {
    /// How many points win; 1 or more. Default: 100.
    pub points: u32,
    /// Whether the third foul in a row costs fifteen points more. Default: yes.
    pub three_fouls: bool,
}

/// Points lost by a foul (4.9), by a breaking foul (4.10), and by the third foul in a row besides (4.11).
const FOUL: i32 = 1;
const BREAKING_FOUL: i32 = 2;
const THIRD_FOUL: i32 = 15;

/// How many object balls an opening break that pots nothing has to drive to a rail, beside the cue ball (4.3).
const DRIVEN_BY_BREAK: usize = 2;

/// A game of straight pool.
#[derive(Clone, Debug)]
struct StraightPool {
    options: StraightPoolOptions,
    setting: Arc<Setting>,
    random: Random,
    turn: Turn,
    score: [i32; 2],
    fouls: FoulsInARow,
    /// Points since the player came to the table.
    run: i32,
}

impl StraightPool {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: StraightPoolOptions = GAME.read_options(options)?;
        let setting = Arc::new(Setting::new(GAME.name, table, Rack::FifteenBall)?);
        let turn = Turn::shoot(Player(0), opening_break());
        Ok(Self {
            options,
            setting,
            random: Random::new(0),
            turn,
            score: [0; 2],
            fouls: FoulsInARow::default(),
            run: 0,
        })
    }

    fn order(&mut self) -> Vec<BallId> {
        let mut order: Vec<BallId> = self.setting.object_balls().collect();
        shuffle(&mut order, &mut self.random);
        order
    }

    fn object_balls_on(&self, layout: &Layout) -> Vec<BallId> {
        self.setting.object_balls().filter(|&ball| layout.is_on_table(ball)).collect()
    }

    /// Whether an opening break neither potted the called ball nor drove the cue ball and two others to a rail (4.3).
    fn is_breaking_foul(&self, shot: &Shot) -> bool {
        let driven = self.setting.driven_to_rails(shot, 0);
        let object_balls = driven.iter().filter(|&&ball| ball != CUE_BALL).count();
        let is_driven = driven.contains(&CUE_BALL) && object_balls >= DRIVEN_BY_BREAK;
        !makes_call(shot) && !is_driven
    }

    /// Racks all fifteen balls, and has a player play an opening break.
    fn break_anew(&mut self, player: Player, layout: &mut Layout, verdict: &mut Verdict) {
        let order = self.order();
        self.setting.rack(&order, layout, verdict);
        self.run = 0;
        self.turn = Turn::shoot(player, opening_break());
    }

    /// The turn of a player with the balls like this: a cue ball that is not on the table is in hand behind the head
    /// string.
    fn turn_of(&self, player: Player, layout: &Layout) -> Turn {
        if layout.is_on_table(CUE_BALL) {
            Turn::shoot(player, stroke())
        } else {
            self.setting.turn_behind_head_string(player, stroke(), layout)
        }
    }

    /// Whether a ball here is in the way of a rack: within its outline, or over it (4.8). The outline is the line
    /// around the fifteen balls.
    fn interferes(&self, place: Vec2) -> bool {
        let diameter = 2.0 * self.setting.table.ball_radius();
        let places = &self.setting.places;
        let [tip, left, right] = [0, 10, 14].map(|corner| places[corner]);
        let mut sides = [(tip, left), (left, right), (right, tip)].into_iter();
        sides.any(|(a, b)| Segment2d::new(a, b).closest_point(place).distance(place) < diameter)
            || places.iter().any(|racked| racked.distance(place) < diameter)
    }

    /// Whether a ball here keeps another from being put on a spot.
    fn blocks(&self, place: Vec2, spot: Vec2) -> bool {
        place.distance(spot) < 2.0 * self.setting.table.ball_radius()
    }

    /// Racks fourteen balls, or fifteen if the last one was potted, too (`fell_last` is what fell last), with the cue
    /// ball and the last ball where the table of 4.8 has them.
    fn rack_again(&mut self, fell_last: Option<BallId>, layout: &mut Layout, verdict: &mut Verdict) {
        let [head, centre] = ["head", "centre"].map(|name| self.setting.spot_named(name));
        let cue_ball = layout[CUE_BALL].on_table();
        let cue_ball_in_rack = cue_ball.is_some_and(|place| self.interferes(place));
        let last = layout.on_table().find(|&(ball, _)| ball != CUE_BALL);
        let mut order = self.order();
        let mut cue_ball_to = cue_ball_in_rack.then_some(BallPlace::Hand);
        match last {
            Some((last, place)) if !(cue_ball_in_rack && self.interferes(place)) => {
                if self.interferes(place) {
                    let head_is_blocked = cue_ball.is_some_and(|place| self.blocks(place, head));
                    put(last, BallPlace::Table(if head_is_blocked { centre } else { head }), layout, verdict);
                } else if cue_ball_in_rack && self.blocks(place, head) {
                    cue_ball_to = Some(BallPlace::Table(centre));
                } else if cue_ball_in_rack && self.setting.is_behind_head_string(place) {
                    cue_ball_to = Some(BallPlace::Table(head));
                }
                order.retain(|&ball| ball != last);
                // The place at the tip stays empty.
                self.put_into_rack(&order, 1, layout, verdict);
                verdict.remarks.push(Remark::FourteenRacked);
            }
            _ => {
                // The fifteenth ball goes to the foot spot, which is the tip.
                let fifteenth = last.map(|(last, _)| last).or(fell_last);
                order.sort_by_key(|&ball| Some(ball) != fifteenth);
                self.put_into_rack(&order, 0, layout, verdict);
                verdict.remarks.push(Remark::FifteenRacked);
            }
        }
        if let Some(place) = cue_ball_to {
            put(CUE_BALL, place, layout, verdict);
        }
    }

    /// Puts balls on the places of the rack from this one on.
    fn put_into_rack(&self, balls: &[BallId], from: usize, layout: &mut Layout, verdict: &mut Verdict) {
        for (&ball, &place) in balls.iter().zip(&self.setting.places[from..]) {
            put(ball, BallPlace::Table(place), layout, verdict);
        }
    }

    /// Adds points, in the verdict, too.
    fn add(&mut self, player: Player, points: i32, verdict: &mut Verdict) {
        self.score[player.index()] += points;
        verdict.points[player.index()] += points;
    }

    /// Spots every object ball that this shot took off the table.
    fn spot_all(&self, shot: &Shot, layout: &mut Layout, verdict: &mut Verdict) {
        for ball in self.setting.object_balls() {
            if shot.before.is_on_table(ball) && !layout.is_on_table(ball) {
                self.setting.spot(ball, layout, verdict);
            }
        }
    }

    fn judge_foul(&mut self, shot: &Shot, stroke: &ShotConstraints, mut layout: Layout, verdict: &mut Verdict) {
        let player = self.turn.player;
        self.run = 0;
        self.spot_all(shot, &mut layout, verdict);
        if !layout.is_on_table(CUE_BALL) {
            put(CUE_BALL, BallPlace::Hand, &mut layout, verdict);
        }
        // Of a standard and a breaking foul in one, the breaking foul counts (4.10). It is none of three in a row
        // (4.11).
        if stroke.is_break && self.is_breaking_foul(shot) {
            self.add(player, -BREAKING_FOUL, verdict);
            self.turn = Turn::choose(player.other(), [Choice::PlayOn, Choice::LetBreak]);
            return;
        }
        self.add(player, -FOUL, verdict);
        let in_a_row = self.fouls.note(player, true);
        if self.options.three_fouls && in_a_row >= 3 {
            verdict.fouls.push(Foul::ThirdFoul);
            verdict.remarks.push(Remark::BreaksAgain);
            self.add(player, -THIRD_FOUL, verdict);
            self.fouls.forget(player);
            self.break_anew(player, &mut layout, verdict);
            verdict.goes_on = true;
            return;
        }
        if self.options.three_fouls && in_a_row == 2 {
            verdict.remarks.push(Remark::SecondFoul);
        }
        self.turn = self.turn_of(player.other(), &layout);
    }
}

/// A shot at any ball, called.
fn stroke() -> ShotConstraints {
    ShotConstraints { call: CallNeeded::BallAndPocket, may_play_safe: true, ..ShotConstraints::of(CUE_BALL) }
}

fn opening_break() -> ShotConstraints {
    ShotConstraints { in_hand: Some(Region::BehindHeadString), is_break: true, ..stroke() }
}

impl Rules for StraightPool {
    fn balls(&self) -> &[BallName] {
        &self.setting.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.random = Random::new(seed);
        let order = self.order();
        self.setting.racked(&order)
    }

    fn turn(&self) -> &Turn {
        &self.turn
    }

    fn score(&self) -> [i32; 2] {
        self.score
    }

    fn current_break(&self) -> i32 {
        self.run
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Some(stroke) = self.turn.stroke().cloned() else { return Verdict::default() };
        let player = self.turn.player;
        let mut layout = shot.after.clone();
        let mut verdict = Verdict { fouls: self.setting.fouls(shot, &stroke, false), ..Verdict::default() };
        if stroke.is_break && self.is_breaking_foul(shot) {
            verdict.fouls.push(Foul::IllegalBreak);
        }
        if !verdict.fouls.is_empty() || !layout.is_on_table(CUE_BALL) {
            self.judge_foul(shot, &stroke, layout, &mut verdict);
            return verdict;
        }
        self.fouls.note(player, false);
        if !makes_call(shot) {
            // A safety or a miss: what fell comes back (4.6).
            self.run = 0;
            self.spot_all(shot, &mut layout, &mut verdict);
            self.turn = self.turn_of(player.other(), &layout);
            return verdict;
        }
        let potted = potted_object_balls(shot);
        let points = potted.len() as i32;
        self.run += points;
        self.add(player, points, &mut verdict);
        if self.score[player.index()] >= self.options.points as i32 {
            self.turn = Turn::won_by(player);
            return verdict;
        }
        verdict.goes_on = true;
        if self.object_balls_on(&layout).len() <= 1 {
            self.rack_again(potted.last().copied(), &mut layout, &mut verdict);
        }
        // With a new rack there is no limit on what may be played at (4.8), and there are balls in front of the head
        // string.
        self.turn = self.turn_of(player, &layout);
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, Refusal> {
        self.turn.offers(choice)?;
        let player = self.turn.player;
        let mut layout = layout.clone();
        let mut verdict = Verdict { goes_on: choice != Choice::LetBreak, ..Verdict::default() };
        match choice {
            Choice::LetBreak => self.break_anew(player.other(), &mut layout, &mut verdict),
            Choice::PlayOn if layout.is_on_table(CUE_BALL) => self.turn = Turn::shoot(player, stroke()),
            _ => {
                if choice == Choice::SpotNearest
                    && let Some(nearest) = self.setting.nearest_behind_head_string(&stroke(), &layout)
                {
                    self.setting.spot(nearest, &mut layout, &mut verdict);
                }
                self.turn =
                    Turn::shoot(player, ShotConstraints { in_hand: Some(Region::BehindHeadString), ..stroke() });
            }
        }
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let missing = (self.options.points as i32).saturating_sub(self.score[player.index()]);
        let mut notes = vec![Note::ToGo(missing)];
        if self.options.three_fouls {
            notes.extend(self.fouls.note_of(player));
        }
        notes
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
