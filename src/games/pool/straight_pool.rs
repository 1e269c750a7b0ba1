//! Straight pool, also called 14.1 continuous, by section 4 of the rules: any ball, called, is a point; when one ball is left, the other fourteen are racked again.

use std::sync::Arc;

use bevy::math::{Vec2, primitives::Segment2d};
use serde::{Deserialize, Serialize};

use super::{
    super::{
        BallId, BallPlace, CallNeeded, Choice, Foul, Game, GameTable, Layout, Player, Region, Rules, Shot, Stroke,
        Turn, Verdict,
        list::{Options, default_options, read_options},
    },
    wpa::{CUE_BALL, FoulsInARow, Setting, TABLES, TWO_FOULS, makes_call, potted_object_balls, put, shuffle},
};
use crate::{
    billiards::tables::{BallName, Rack},
    scene::generate::Chance,
};

/// Its line in the list of games.
pub const GAME: Game = Game {
    name: "straight-pool",
    title: "Straight pool (14.1)",
    tables: TABLES,
    begin: |table, options| Ok(Box::new(StraightPool::new(table, options)?)),
    options: default_options::<StraightPoolOptions>,
};

/// What can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StraightPoolOptions {
    /// How many points win; 1 or more. Default: 100.
    pub points: u32,
    /// Whether the third foul in a row costs fifteen points more. Default: yes.
    pub three_fouls: bool,
}

impl Default for StraightPoolOptions {
    fn default() -> Self {
        Self { points: 100, three_fouls: true }
    }
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
    chance: Chance,
    turn: Turn,
    score: [i32; 2],
    fouls: FoulsInARow,
    /// Points since the player came to the table.
    run: i32,
}

impl StraightPool {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: StraightPoolOptions = read_options(GAME.name, options)?;
        if options.points == 0 || i32::try_from(options.points).is_err() {
            return Err(format!("an option of {}: points is {}; it must be 1 or more", GAME.name, options.points));
        }
        let setting = Arc::new(Setting::new(GAME.name, table, Rack::FifteenBall)?);
        let turn = Turn::shoot(Player(0), opening_break());
        Ok(Self {
            options,
            setting,
            chance: Chance::new(0),
            turn,
            score: [0; 2],
            fouls: FoulsInARow::default(),
            run: 0,
        })
    }

    fn order(&mut self) -> Vec<BallId> {
        let mut order: Vec<BallId> = self.setting.object_balls().collect();
        shuffle(&mut order, &mut self.chance);
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

    /// The turn of a player with the balls like this: a cue ball that is not on the table is in hand behind the head string.
    fn turn_of(&self, player: Player, layout: &Layout) -> Turn {
        if layout.is_on_table(CUE_BALL) {
            Turn::shoot(player, stroke())
        } else {
            self.setting.turn_behind_head_string(player, stroke(), layout)
        }
    }

    /// Whether a ball here is in the way of a rack: within its outline, or over it (4.8). The outline is the line around the fifteen balls.
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

    /// Racks fourteen balls, or fifteen if the last one was potted, too, with the cue ball and the last ball where the table of 4.8 has them.
    fn rack_again(&mut self, layout: &mut Layout, verdict: &mut Verdict) {
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
                verdict.remarks.push("Fourteen balls are racked again.".to_owned());
            }
            _ => {
                self.put_into_rack(&order, 0, layout, verdict);
                verdict.remarks.push("All fifteen balls are racked again.".to_owned());
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

    fn judge_foul(&mut self, shot: &Shot, stroke: &Stroke, mut layout: Layout, verdict: &mut Verdict) {
        let player = self.turn.player;
        self.run = 0;
        self.spot_all(shot, &mut layout, verdict);
        if !layout.is_on_table(CUE_BALL) {
            put(CUE_BALL, BallPlace::Hand, &mut layout, verdict);
        }
        // Of a standard and a breaking foul in one, the breaking foul counts (4.10). It is none of three in a row (4.11).
        if stroke.is_break && self.is_breaking_foul(shot) {
            self.add(player, -BREAKING_FOUL, verdict);
            self.turn = Turn::choose(player.other(), [Choice::PlayOn, Choice::LetBreak]);
            return;
        }
        self.add(player, -FOUL, verdict);
        let in_a_row = self.fouls.note(player, true);
        if self.options.three_fouls && in_a_row >= 3 {
            verdict.fouls.push(Foul::ThirdFoul);
            verdict.remarks.push("All balls are racked, and the player breaks again.".to_owned());
            self.add(player, -THIRD_FOUL, verdict);
            self.fouls.forget(player);
            self.break_anew(player, &mut layout, verdict);
            verdict.goes_on = true;
            return;
        }
        if self.options.three_fouls && in_a_row == 2 {
            verdict.remarks.push(TWO_FOULS.to_owned());
        }
        self.turn = self.turn_of(player.other(), &layout);
    }
}

/// A shot at any ball, called.
fn stroke() -> Stroke {
    Stroke { call: CallNeeded::BallAndPocket, may_play_safe: true, ..Stroke::of(CUE_BALL) }
}

fn opening_break() -> Stroke {
    Stroke { in_hand: Some(Region::BehindHeadString), is_break: true, ..stroke() }
}

impl Rules for StraightPool {
    fn balls(&self) -> &[BallName] {
        &self.setting.balls
    }

    fn layout(&mut self, seed: u64) -> Layout {
        self.chance = Chance::new(seed);
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
        let points = potted_object_balls(shot).len() as i32;
        self.run += points;
        self.add(player, points, &mut verdict);
        verdict.goes_on = true;
        if self.score[player.index()] >= self.options.points as i32 {
            self.turn = Turn::won_by(player);
            return verdict;
        }
        if self.object_balls_on(&layout).len() <= 1 {
            self.rack_again(&mut layout, &mut verdict);
        }
        // With a new rack there is no limit on what may be played at (4.8), and there are balls in front of the head string.
        self.turn = self.turn_of(player, &layout);
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, String> {
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
                self.turn = Turn::shoot(player, Stroke { in_hand: Some(Region::BehindHeadString), ..stroke() });
            }
        }
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<String> {
        let missing = self.options.points as i32 - self.score[player.index()];
        let mut notes = vec![format!("{missing} to go")];
        if self.options.three_fouls {
            notes.extend(self.fouls.words(player));
        }
        notes
    }

    fn boxed(&self) -> Box<dyn Rules> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::vec2;

    use super::*;
    use crate::games::{
        PocketId,
        testing::{Played, begin},
    };

    /// After a legal opening break that potted nothing: player 1 is to shoot.
    fn opened() -> Played {
        let mut game = begin(&GAME, "{}");
        assert!(game.shot("safe", "0-1 1/2 2/2 0/4").fouls.is_empty());
        game
    }

    /// Two balls are left, the 1 here and the 2; player 1 then pots the 2, the cue ball ending at the other place.
    fn rack_again(last: Vec2, cue_ball: Vec2) -> (Played, Verdict) {
        let mut game = opened();
        game.take_away(3..=15);
        let verdict = game.shot_to("2@3", "0-2 2@3", &[(1, last), (0, cue_ball)]);
        assert!(verdict.goes_on);
        assert_eq!(game.player(), 1);
        (game, verdict)
    }

    fn balls_in_rack(game: &Played, from: usize) -> usize {
        let setting = Setting::new("", &game.table, Rack::FifteenBall).unwrap();
        let there = |place: &&Vec2| game.layout.on_table().any(|(ball, at)| ball != CUE_BALL && at == **place);
        setting.places[from..].iter().filter(there).count()
    }

    #[test]
    fn the_opening_break_is_called_from_behind_the_head_string() {
        let stroke = begin(&GAME, "{}").stroke();
        assert!(stroke.is_break && stroke.may_play_safe);
        assert_eq!((stroke.in_hand, stroke.call), (Some(Region::BehindHeadString), CallNeeded::BallAndPocket));
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("5@3", "0-1 5@3");
        assert!(verdict.fouls.is_empty() && verdict.goes_on, "a called ball needs no rails");
        assert_eq!(game.rules.score(), [1, 0]);
    }

    #[test]
    fn an_opening_break_drives_the_cue_ball_and_two_others_to_a_rail_or_costs_two_points() {
        for (events, legal) in [
            ("0-1 1/2 2/2 0/4", true),
            ("0-1 1/2 0/4", false),
            ("0-1 1/2 2/2", false),
            ("0-1 1/2 1/3 0/4", false),
            ("0-1 1@2 2/2 0/4", true),
            ("", false),
        ] {
            let mut game = begin(&GAME, "{}");
            let verdict = game.shot("safe", events);
            assert_eq!(verdict.points, [if legal { 0 } else { -2 }, 0], "{events}");
            assert_eq!(verdict.fouls.is_empty(), legal, "{events}");
            assert_eq!(game.player(), 1);
            if !legal {
                assert_eq!(game.choices(), [Choice::PlayOn, Choice::LetBreak]);
            }
        }
    }

    #[test]
    fn after_a_breaking_foul_the_other_player_plays_on_or_has_it_broken_again_as_often_as_needed() {
        let mut game = begin(&GAME, "{}");
        for round in 1..=5 {
            game.shot("safe", "0-1 1/2");
            assert_eq!(game.rules.score(), [-2 * round, 0], "no three fouls in a row");
            game.choose(Choice::LetBreak);
            assert_eq!((game.player(), game.stroke().is_break), (0, true));
            assert_eq!(game.layout[CUE_BALL], BallPlace::Hand);
        }
        game.shot("safe", "0-1 1/2");
        game.choose(Choice::PlayOn);
        assert_eq!((game.player(), game.stroke().is_break, game.stroke().in_hand), (1, false, None));
        // With the cue ball in a pocket: it is in hand behind the head string, and the breaking foul is what counts.
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("safe", "0-1 0@2");
        assert_eq!(verdict.points, [-2, 0]);
        game.choose(Choice::PlayOn);
        assert_eq!(game.stroke().in_hand, Some(Region::BehindHeadString));
    }

    #[test]
    fn a_scratch_on_a_legal_opening_break_is_a_standard_foul() {
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("safe", "0-1 1/2 2/2 0@3");
        assert_eq!((verdict.points, verdict.fouls), ([-1, 0], vec![Foul::Scratch(PocketId(3))]));
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::BehindHeadString)));
    }

    #[test]
    fn a_called_ball_is_a_point_and_so_is_every_other_ball_that_falls_with_it() {
        let mut game = opened();
        let verdict = game.shot("5@3", "0-1 5@3 6@1");
        assert_eq!((verdict.points, verdict.goes_on), ([0, 2], true));
        game.shot("7@2", "0-7 7@2");
        assert_eq!((game.rules.score(), game.rules.current_break()), ([0, 3], 3));
        assert!(game.stroke().on.is_empty(), "any ball may be hit first");
    }

    #[test]
    fn what_falls_uncalled_or_on_a_safety_or_a_foul_is_spotted_and_counts_nothing() {
        for (call, events, points) in
            [("5@3", "0-5 5@2", 0), ("5@3", "0-5 6@3", 0), ("safe", "0-5 5@3", 0), ("5@3", "0-5 5@3 6! 0@1", -1)]
        {
            let mut game = opened();
            let verdict = game.shot_to(call, events, &[(4, vec2(0.1, 0.3))]);
            assert_eq!(verdict.points, [0, points], "{call}: {events}");
            assert_eq!(game.player(), 0);
            assert_eq!(game.layout.on_table().filter(|&(ball, _)| ball != CUE_BALL).count(), 15);
        }
    }

    #[test]
    fn after_a_foul_the_cue_ball_stays_where_it_is_but_for_a_scratch() {
        let mut game = opened();
        assert_eq!(game.shot("5@3", "0-5").fouls, [Foul::NoCushion]);
        assert_eq!((game.player(), game.stroke().in_hand, game.rules.score()), (0, None, [0, -1]));
        assert_eq!(game.shot("5@3", "0-5 0@3").fouls, [Foul::Scratch(PocketId(3))]);
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::BehindHeadString)));
    }

    #[test]
    fn three_fouls_in_a_row_cost_fifteen_more_and_a_new_opening_break() {
        let mut game = opened();
        let mut scores = Vec::new();
        for _ in 0..3 {
            let verdict = game.shot("5@3", "0-5");
            scores.push(game.rules.score()[1]);
            if scores.len() == 2 {
                assert!(verdict.remarks.iter().any(|remark| remark == TWO_FOULS));
            }
            if scores.len() < 3 {
                game.shot("safe", "0-5 5/2");
            } else {
                assert_eq!(verdict.points, [0, -16]);
                assert_eq!(verdict.fouls.last(), Some(&Foul::ThirdFoul));
            }
        }
        assert_eq!(scores, [-1, -2, -18]);
        assert_eq!((game.player(), game.stroke().is_break), (1, true));
        assert_eq!((game.layout.on_table().count(), balls_in_rack(&game, 0)), (15, 15));
        assert!(game.rules.notes(Player(1)).iter().all(|note| !note.contains("foul")), "they are counted anew");
        let mut game = begin(&GAME, r#"{"three_fouls": false}"#);
        for _ in 0..8 {
            game.shot("safe", "0-1 1/1 2/1 0/2 0@1");
            assert!(!game.stroke().is_break);
        }
        assert_eq!(game.rules.score(), [-4, -4]);
    }

    #[test]
    fn the_points_agreed_on_win() {
        let mut game = begin(&GAME, r#"{"points": 3}"#);
        game.shot("5@3", "0-1 5@3");
        game.shot("6@3", "0-6 6@3 7@2");
        assert_eq!((game.winner(), game.rules.score()), (Some(0), [3, 0]));
        let table = crate::games::testing::table("pool-9ft");
        let options = serde_json::from_str(r#"{"points": 0}"#).unwrap();
        assert!((GAME.begin)(&table, &options).unwrap_err().contains("points"));
    }

    #[test]
    fn with_one_ball_left_fourteen_are_racked_and_the_tip_stays_empty() {
        let (last, cue_ball) = (vec2(0.3, 0.4), vec2(0.1, -0.3));
        let (game, _) = rack_again(last, cue_ball);
        assert_eq!((game.place(1), game.place(0)), (last, cue_ball), "neither is in the way");
        assert_eq!((balls_in_rack(&game, 0), balls_in_rack(&game, 1)), (14, 14));
        assert_eq!((game.stroke().in_hand, game.stroke().is_break), (None, false));
        assert_eq!(game.rules.score(), [0, 1]);
        let mut game = game;
        assert!(game.shot("1@3", "0-1 1@3").goes_on);
    }

    #[test]
    fn a_ball_that_overlaps_the_outline_of_the_rack_is_in_the_way() {
        let table = crate::games::testing::table("pool-9ft");
        let rules = StraightPool::new(&table, &Options::new()).unwrap();
        let (tip, radius) = (table.spot("foot").unwrap(), table.ball_radius());
        assert!(rules.interferes(tip));
        assert!(rules.interferes(tip - Vec2::X * (1.99 * radius)));
        assert!(!rules.interferes(tip - Vec2::X * (2.01 * radius)));
        let middle = rules.setting.places.iter().sum::<Vec2>() / 15.0;
        assert!(rules.interferes(middle));
        // Over the line between two balls of the last row it overlaps neither of them by as much.
        let last_row = 0.5 * (rules.setting.places[12] + rules.setting.places[13]);
        assert!(rules.interferes(last_row + Vec2::X * (1.99 * radius)));
        assert!(!rules.interferes(last_row + Vec2::X * (2.01 * radius)));
    }

    #[test]
    fn the_table_of_racking_cases() {
        let table = crate::games::testing::table("pool-9ft");
        let [head, centre, foot] = ["head", "centre", "foot"].map(|name| table.spot(name).unwrap());
        let (in_rack, also_in_rack) = (foot + vec2(0.03, 0.01), foot + vec2(0.15, 0.0));
        let near_head = head + vec2(0.02, 0.01);
        let in_kitchen = vec2(-1.0, 0.3);
        let elsewhere = vec2(0.2, 0.4);
        // The last ball, the cue ball; where both are then (none: in hand behind the head string), and how many balls are in the rack.
        let cases = [
            (in_rack, also_in_rack, None, None, 15),
            (in_rack, near_head, Some(centre), Some(near_head), 14),
            (in_rack, elsewhere, Some(head), Some(elsewhere), 14),
            (in_kitchen, in_rack, Some(in_kitchen), Some(head), 14),
            (in_kitchen, elsewhere, Some(in_kitchen), Some(elsewhere), 14),
            (near_head, in_rack, Some(near_head), Some(centre), 14),
            (head - vec2(0.02, 0.0), in_rack, Some(head - vec2(0.02, 0.0)), Some(centre), 14),
            (elsewhere, in_rack, Some(elsewhere), None, 14),
            (elsewhere, vec2(0.1, 0.0), Some(elsewhere), Some(vec2(0.1, 0.0)), 14),
        ];
        for (last, cue_ball, last_after, cue_ball_after, racked) in cases {
            let (game, _) = rack_again(last, cue_ball);
            let case = format!("last ball {last}, cue ball {cue_ball}");
            assert_eq!(game.layout[CUE_BALL].on_table(), cue_ball_after, "{case}");
            assert_eq!(balls_in_rack(&game, 0), racked, "{case}");
            if let Some(place) = last_after {
                assert_eq!(game.place(1), place, "{case}");
                assert_eq!(balls_in_rack(&game, 1), 14, "{case}");
            }
            let in_hand = cue_ball_after.is_none().then_some(Region::BehindHeadString);
            assert_eq!(game.stroke().in_hand, in_hand, "{case}");
        }
    }

    #[test]
    fn with_the_last_ball_potted_as_well_all_fifteen_are_racked() {
        for (cue_ball, in_hand) in
            [(vec2(0.2, 0.4), None), (vec2(-0.62, 0.0), None), (vec2(0.66, 0.0), Some(Region::BehindHeadString))]
        {
            let mut game = opened();
            game.take_away(3..=15);
            let verdict = game.shot_to("2@3", "0-2 2-1 2@3 1@5", &[(0, cue_ball)]);
            assert_eq!(verdict.points, [0, 2]);
            assert_eq!(balls_in_rack(&game, 0), 15);
            assert_eq!((game.stroke().in_hand, game.stroke().is_break), (in_hand, false), "{cue_ball}");
        }
    }

    #[test]
    fn with_one_ball_left_behind_the_head_string_after_a_scratch_it_may_be_spotted() {
        let mut game = opened();
        game.take_away(3..=15);
        game.shot_to("2@3", "0-2 0@3", &[(1, vec2(-1.0, 0.3)), (2, vec2(-0.9, 0.0))]);
        assert_eq!((game.player(), game.choices()), (0, vec![Choice::PlayOn, Choice::SpotNearest]));
        game.choose(Choice::SpotNearest);
        assert_eq!(game.place(2), game.table.spot("foot").unwrap());
    }
}
