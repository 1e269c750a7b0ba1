//! 8-ball, by section 3 of the rules: each player pots one of the groups, solids or stripes, and then the 8.

use std::sync::Arc;

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
    name: "eight-ball",
    title: "8-ball",
    tables: TABLES,
    begin: |table, options| Ok(Box::new(EightBall::new(table, options)?)),
    options: default_options::<EightBallOptions>,
};

/// What can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EightBallOptions {
    /// For which shots ball and pocket are called. Default: all but the break.
    pub calls: Calls,
    /// What follows from an 8 that falls on a break without a foul. Default: the breaker chooses.
    pub eight_on_break: EightOnBreak,
    /// Whether three fouls in a row lose the rack. Default: no.
    pub three_fouls: bool,
}

impl Default for EightBallOptions {
    fn default() -> Self {
        Self { calls: Calls::All, eight_on_break: EightOnBreak::Choose, three_fouls: false }
    }
}

/// For which shots ball and pocket are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calls {
    /// For all but the break.
    All,
    /// For the 8 alone, as in many leagues.
    Eight,
    /// For none, as in bars.
    Nothing,
}

/// What follows from an 8 that falls on a break without a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EightOnBreak {
    /// The breaker has it spotted and plays on, or breaks again.
    Choose,
    /// It wins.
    Win,
    /// It is spotted, and the breaker plays on.
    Spot,
    /// The breaker breaks again.
    Break,
}

const EIGHT: BallId = BallId(8);

const EIGHT_POTTED: &str =
    "The 8 fell on the break: it is spotted, or the balls are broken again, as the player at the table chooses.";
const EIGHT_SPOTTED: &str = "The 8 is spotted.";

/// Which places in the triangle are the two far corners, and which is the middle of the third row, counted row by row from the tip.
const CORNERS: [usize; 2] = [10, 14];
const MIDDLE: usize = 4;

/// Solids or stripes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Solids,
    Stripes,
}

impl Group {
    /// The group of a ball; the 8 has none.
    fn of(ball: BallId) -> Option<Self> {
        match ball.0 {
            1..=7 => Some(Self::Solids),
            9..=15 => Some(Self::Stripes),
            _ => None,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Solids => Self::Stripes,
            Self::Stripes => Self::Solids,
        }
    }
}

/// A rack of 8-ball.
#[derive(Clone, Debug)]
struct EightBall {
    options: EightBallOptions,
    setting: Arc<Setting>,
    chance: Chance,
    turn: Turn,
    /// The group of the first player, once it is known.
    group: Option<Group>,
    fouls: FoulsInARow,
    potted: i32,
    winner: Option<Player>,
}

impl EightBall {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options = read_options(GAME.name, options)?;
        let setting = Arc::new(Setting::new(GAME.name, table, Rack::EightBall)?);
        let turn = Turn::shoot(Player(0), break_stroke());
        Ok(Self {
            options,
            setting,
            chance: Chance::new(0),
            turn,
            group: None,
            fouls: FoulsInARow::default(),
            potted: 0,
            winner: None,
        })
    }

    /// The balls in an order that the rules allow: the 8 in the middle, one of each group in the far corners (3.2).
    fn order(&mut self) -> Vec<BallId> {
        let of = |group| self.setting.object_balls().filter(move |&ball| Group::of(ball) == Some(group));
        let mut solids: Vec<BallId> = of(Group::Solids).collect();
        let mut stripes: Vec<BallId> = of(Group::Stripes).collect();
        shuffle(&mut solids, &mut self.chance);
        shuffle(&mut stripes, &mut self.chance);
        let mut corners = [solids.pop(), stripes.pop()];
        shuffle(&mut corners, &mut self.chance);
        let mut order = [solids, stripes].concat();
        shuffle(&mut order, &mut self.chance);
        order.insert(MIDDLE, EIGHT);
        for (place, ball) in CORNERS.into_iter().zip(corners) {
            order.insert(place, ball.expect("there are seven of each group"));
        }
        order
    }

    fn group_of(&self, player: Player) -> Option<Group> {
        self.group.map(|group| if player == Player(0) { group } else { group.other() })
    }

    /// The balls that a player may hit first: those of his group, or the 8 once there are none, or any but the 8 while the table is open.
    fn balls_on(&self, player: Player, layout: &Layout) -> Vec<BallId> {
        let group = self.group_of(player);
        let is_on = |&ball: &BallId| {
            layout.is_on_table(ball) && Group::of(ball).is_some_and(|of| group.is_none_or(|group| group == of))
        };
        let on: Vec<BallId> = self.setting.object_balls().filter(is_on).collect();
        if on.is_empty() { vec![EIGHT] } else { on }
    }

    /// The shot of a player with the balls like this.
    fn stroke(&self, player: Player, layout: &Layout) -> Stroke {
        let on = self.balls_on(player, layout);
        let calls = match self.options.calls {
            Calls::All => true,
            Calls::Eight => on == [EIGHT],
            Calls::Nothing => false,
        };
        let call = if calls { CallNeeded::BallAndPocket } else { CallNeeded::Nothing };
        Stroke { may_call: on.clone(), on, call, may_play_safe: calls, ..Stroke::of(CUE_BALL) }
    }

    fn win(&mut self, player: Player, verdict: &mut Verdict) {
        self.winner = Some(player);
        self.turn = Turn::won_by(player);
        verdict.points[player.index()] = 1;
    }

    /// Takes down a foul or its absence. True if it was the third in a row and lost the rack.
    fn note_foul(&mut self, player: Player, verdict: &mut Verdict) -> bool {
        let in_a_row = self.fouls.note(player, !verdict.fouls.is_empty());
        if !self.options.three_fouls {
            return false;
        }
        if in_a_row == 2 {
            verdict.remarks.push(TWO_FOULS.to_owned());
        }
        if in_a_row < 3 {
            return false;
        }
        verdict.fouls.push(Foul::ThirdFoul);
        self.win(player.other(), verdict);
        true
    }

    fn judge_break(&mut self, shot: &Shot, stroke: &Stroke) -> Verdict {
        let player = self.turn.player;
        let mut layout = shot.after.clone();
        let mut verdict = Verdict { fouls: self.setting.fouls(shot, stroke, false), ..Verdict::default() };
        let fouled = !verdict.fouls.is_empty() || !layout.is_on_table(CUE_BALL);
        let illegal = self.setting.is_illegal_break(shot);
        if self.note_foul(player, &mut verdict) {
            return verdict;
        }
        if illegal && !verdict.fouls.contains(&Foul::NoHit) {
            verdict.fouls.push(Foul::IllegalBreak);
        }
        let eight_potted = shot.is_potted(EIGHT);
        let scratch = !layout.is_on_table(CUE_BALL);
        if !fouled && !illegal {
            self.potted = potted_object_balls(shot).len() as i32;
            let goes_on = self.potted > 0;
            verdict.goes_on = goes_on;
            if eight_potted {
                match self.options.eight_on_break {
                    EightOnBreak::Choose => {
                        verdict.remarks.push(EIGHT_POTTED.to_owned());
                        self.turn = Turn::choose(player, [Choice::SpotAndPlayOn, Choice::Break]);
                        return verdict;
                    }
                    EightOnBreak::Win => {
                        self.win(player, &mut verdict);
                        return verdict;
                    }
                    EightOnBreak::Spot => {
                        self.setting.spot(EIGHT, &mut layout, &mut verdict);
                        verdict.remarks.push(EIGHT_SPOTTED.to_owned());
                    }
                    EightOnBreak::Break => {
                        verdict.remarks.push("The 8 fell on the break: it is broken again.".to_owned());
                        self.break_anew(player, &layout, &mut verdict);
                        return verdict;
                    }
                }
            }
            let next = if goes_on { player } else { player.other() };
            self.turn = Turn::shoot(next, self.stroke(next, &layout));
            return verdict;
        }
        // What the other player may choose now (3.3 d, f, g and h); a cue ball in hand is so behind the head string.
        let next = player.other();
        if scratch {
            put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
            if eight_potted {
                verdict.remarks.push(EIGHT_POTTED.to_owned());
                self.turn = Turn::choose(next, [Choice::SpotAndPlayOn, Choice::Break]);
                return verdict;
            }
        }
        if !layout.is_on_table(EIGHT) {
            self.setting.spot(EIGHT, &mut layout, &mut verdict);
            verdict.remarks.push(EIGHT_SPOTTED.to_owned());
        }
        let mut choices = Vec::new();
        if !scratch {
            choices.push(Choice::PlayOn);
        }
        if fouled {
            choices.push(Choice::BallInHand);
        }
        if illegal {
            choices.extend([Choice::Break, Choice::LetBreak]);
        }
        self.turn = match choices[..] {
            [Choice::BallInHand] => self.setting.turn_behind_head_string(next, self.stroke(next, &layout), &layout),
            _ => Turn::choose(next, choices),
        };
        verdict
    }

    /// Racks all balls, and has a player break.
    fn break_anew(&mut self, player: Player, layout: &Layout, verdict: &mut Verdict) {
        let order = self.order();
        self.setting.rack(&order, &mut layout.clone(), verdict);
        self.potted = 0;
        self.turn = Turn::shoot(player, break_stroke());
    }

    /// Why the rack is lost with an 8 that is no longer on the table, if it is (3.8).
    fn loses(shot: &Shot, stroke: &Stroke, fouled: bool) -> Option<&'static str> {
        let uncalled = stroke.call == CallNeeded::BallAndPocket && !(makes_call(shot) && shot.call.ball == Some(EIGHT));
        if shot.is_off_table(EIGHT) {
            Some("The 8 left the table: the rack is lost.")
        } else if fouled {
            Some("The 8 was potted with a foul: the rack is lost.")
        } else if stroke.on != [EIGHT] {
            Some("The 8 was potted before its time: the rack is lost.")
        } else if uncalled {
            Some("The 8 fell into a pocket that was not called: the rack is lost.")
        } else {
            None
        }
    }

    /// The group that a player takes by this shot without a foul, if the table was open.
    fn takes_group(&self, shot: &Shot, stroke: &Stroke) -> Option<Group> {
        if self.group.is_some() {
            return None;
        }
        if stroke.call == CallNeeded::BallAndPocket {
            return shot.call.ball.filter(|_| makes_call(shot)).and_then(Group::of);
        }
        // Without calls: what fell first.
        potted_object_balls(shot).into_iter().find_map(Group::of)
    }
}

/// The break: from behind the head string, at any ball.
fn break_stroke() -> Stroke {
    Stroke { in_hand: Some(Region::BehindHeadString), is_break: true, ..Stroke::of(CUE_BALL) }
}

impl Rules for EightBall {
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
        [0, 1].map(|player| i32::from(self.winner == Some(Player(player))))
    }

    fn current_break(&self) -> i32 {
        self.potted
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        let Some(stroke) = self.turn.stroke().cloned() else { return Verdict::default() };
        if stroke.is_break {
            return self.judge_break(shot, &stroke);
        }
        let player = self.turn.player;
        let mut layout = shot.after.clone();
        let mut verdict = Verdict { fouls: self.setting.fouls(shot, &stroke, false), ..Verdict::default() };
        let fouled = !verdict.fouls.is_empty() || !layout.is_on_table(CUE_BALL);
        if !layout.is_on_table(EIGHT) {
            let lost = Self::loses(shot, &stroke, fouled);
            verdict.remarks.extend(lost.map(str::to_owned));
            verdict.goes_on = lost.is_none();
            self.potted += i32::from(lost.is_none());
            self.win(if lost.is_some() { player.other() } else { player }, &mut verdict);
            return verdict;
        }
        if self.note_foul(player, &mut verdict) {
            return verdict;
        }
        if fouled {
            self.potted = 0;
            put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
            let next = player.other();
            let stroke = Stroke { in_hand: Some(Region::Anywhere), ..self.stroke(next, &layout) };
            self.turn = Turn::shoot(next, stroke);
            return verdict;
        }
        if let Some(group) = self.takes_group(shot, &stroke) {
            self.group = Some(if player == Player(0) { group } else { group.other() });
            let (own, others) = match group {
                Group::Solids => ("solids", "stripes"),
                Group::Stripes => ("stripes", "solids"),
            };
            verdict
                .remarks
                .push(format!("The groups are chosen: the player at the table has {own}, the other {others}."));
        }
        let potted = potted_object_balls(shot);
        let own = self.group_of(player);
        let counts = match stroke.call {
            CallNeeded::BallAndPocket => {
                makes_call(shot) && shot.call.ball.is_some_and(|ball| stroke.may_call.contains(&ball))
            }
            // Not called: any ball of the own group; the first one that fell has made it so.
            _ => !shot.call.safety && potted.iter().any(|&ball| Group::of(ball).is_some() && Group::of(ball) == own),
        };
        let next = if counts { player } else { player.other() };
        self.potted = if counts { self.potted + potted.len() as i32 } else { 0 };
        verdict.goes_on = counts;
        self.turn = Turn::shoot(next, self.stroke(next, &layout));
        verdict
    }

    fn choose(&mut self, choice: Choice, layout: &Layout) -> Result<Verdict, String> {
        self.turn.offers(choice)?;
        let player = self.turn.player;
        let mut layout = layout.clone();
        let mut verdict = Verdict { goes_on: choice != Choice::LetBreak, ..Verdict::default() };
        match choice {
            Choice::Break => self.break_anew(player, &layout, &mut verdict),
            Choice::LetBreak => self.break_anew(player.other(), &layout, &mut verdict),
            Choice::SpotNearest => {
                let stroke = self.stroke(player, &layout);
                if let Some(nearest) = self.setting.nearest_behind_head_string(&stroke, &layout) {
                    self.setting.spot(nearest, &mut layout, &mut verdict);
                }
                self.turn = Turn::shoot(player, Stroke { in_hand: Some(Region::BehindHeadString), ..stroke });
            }
            _ => {
                if choice == Choice::SpotAndPlayOn {
                    self.setting.spot(EIGHT, &mut layout, &mut verdict);
                }
                if choice == Choice::BallInHand {
                    put(CUE_BALL, BallPlace::Hand, &mut layout, &mut verdict);
                }
                let stroke = self.stroke(player, &layout);
                let had_in_hand = !layout.is_on_table(CUE_BALL);
                self.turn = if !had_in_hand {
                    Turn::shoot(player, stroke)
                } else if choice == Choice::PlayOn {
                    Turn::shoot(player, Stroke { in_hand: Some(Region::BehindHeadString), ..stroke })
                } else {
                    self.setting.turn_behind_head_string(player, stroke, &layout)
                };
            }
        }
        Ok(verdict)
    }

    fn notes(&self, player: Player) -> Vec<String> {
        let group = match self.group_of(player) {
            None => "open table",
            Some(Group::Solids) => "solids",
            Some(Group::Stripes) => "stripes",
        };
        let mut notes = vec![group.to_owned()];
        if self.turn.player == player && self.turn.stroke().is_some_and(|stroke| stroke.on == [EIGHT]) {
            notes.push("on the 8".to_owned());
        }
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
        Call, PocketId,
        testing::{Played, begin},
    };

    const FOUR_RAILS: &str = "0-1 1/0 2/1 3/2 4/3";

    /// After a break that potted nothing: player 1 is to shoot at an open table.
    fn open_table() -> Played {
        let mut game = begin(&GAME, "{}");
        game.shot("", FOUR_RAILS);
        game
    }

    /// Player 1 has solids and has potted the 2; player 0 is to shoot.
    fn groups() -> Played {
        let mut game = open_table();
        game.shot("2@3", "0-2 2@3");
        game.shot("safe", "0-1 1/2");
        game
    }

    /// As [`groups`], and player 0 has no stripes left.
    fn on_the_8() -> Played {
        let mut game = groups();
        game.take_away(10..=15);
        assert!(game.shot("9@2", "0-9 9@2").goes_on);
        game
    }

    fn solid(ball: u8) -> bool {
        ball < 8
    }

    #[test]
    fn the_8_lies_in_the_middle_and_a_ball_of_each_group_in_the_far_corners() {
        let mut game = begin(&GAME, "{}");
        let places = Rack::EightBall.balls(&game.table.spec, 0.0).unwrap();
        let mut tips = Vec::new();
        for seed in 0..100 {
            let layout = game.rules.layout(seed);
            let at = |place: usize| {
                let place = places[place + 1].place.as_vec2();
                layout.on_table().find(|(_, at)| at.distance(place) < 1e-3).unwrap().0.0
            };
            assert_eq!(at(4), 8);
            assert_ne!(solid(at(10)), solid(at(14)), "seed {seed}");
            let mut all: Vec<u8> = (0..15).map(at).collect();
            tips.push(at(0));
            all.sort_unstable();
            assert_eq!(all, (1..=15).collect::<Vec<_>>());
        }
        tips.sort_unstable();
        tips.dedup();
        assert!(tips.len() > 10, "any ball may lie at the tip: {tips:?}");
    }

    #[test]
    fn the_break_is_from_behind_the_head_string_at_any_ball_and_nothing_is_called() {
        let stroke = begin(&GAME, "{}").stroke();
        assert!(stroke.is_break && !stroke.may_play_safe);
        assert_eq!((stroke.in_hand, stroke.call), (Some(Region::BehindHeadString), CallNeeded::Nothing));
        assert!(stroke.on.is_empty());
        assert!(begin(&GAME, "{}").shot("", "0-9 5@1").fouls.is_empty());
    }

    #[test]
    fn a_ball_on_the_break_goes_on_and_the_table_stays_open() {
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", "0-1 5@3");
        assert!(verdict.goes_on);
        assert_eq!((game.player(), game.stroke().in_hand), (0, None));
        assert_eq!(game.stroke().on.len(), 13, "all but the 5 and the 8");
        assert_eq!(game.rules.notes(Player(0)), ["open table"]);
    }

    #[test]
    fn a_break_that_drives_three_balls_to_a_rail_is_illegal_and_gives_three_choices() {
        let illegal = || {
            let mut game = begin(&GAME, "{}");
            assert_eq!(game.shot("", "0-1 1/0 2/1 3/2 0/3 3/4").fouls, [Foul::IllegalBreak]);
            assert_eq!(game.player(), 1);
            assert_eq!(game.choices(), [Choice::PlayOn, Choice::Break, Choice::LetBreak]);
            game
        };
        let mut game = illegal();
        game.choose(Choice::PlayOn);
        assert_eq!((game.player(), game.stroke().in_hand), (1, None));
        for (choice, player) in [(Choice::Break, 1), (Choice::LetBreak, 0)] {
            let mut game = illegal();
            game.choose(choice);
            assert_eq!(game.player(), player);
            assert!(game.stroke().is_break);
            assert_eq!(game.layout[BallId(0)], BallPlace::Hand);
            assert_eq!(game.layout.on_table().count(), 15);
        }
    }

    #[test]
    fn a_break_that_drives_four_balls_to_a_rail_is_legal() {
        let mut game = begin(&GAME, "{}");
        assert_eq!(game.shot("", FOUR_RAILS).fouls, []);
        assert_eq!((game.player(), game.stroke().in_hand), (1, None));
    }

    #[test]
    fn the_8_on_the_break_is_spotted_or_broken_again_as_the_breaker_chooses() {
        let potted = || {
            let mut game = begin(&GAME, "{}");
            let verdict = game.shot_to("", "0-1 8@3", &[(1, vec2(0.1, 0.1))]);
            assert!(verdict.fouls.is_empty() && verdict.goes_on);
            assert_eq!(game.choices(), [Choice::SpotAndPlayOn, Choice::Break]);
            game
        };
        let mut game = potted();
        game.choose(Choice::SpotAndPlayOn);
        assert!(game.layout.is_on_table(EIGHT));
        assert_eq!((game.player(), game.stroke().in_hand, game.stroke().is_break), (0, None, false));
        let mut game = potted();
        game.choose(Choice::Break);
        assert_eq!((game.player(), game.stroke().is_break), (0, true));
        assert!(game.layout.is_on_table(EIGHT));
    }

    #[test]
    fn the_8_on_the_break_does_what_the_option_says() {
        let play = |option: &str| {
            let mut game = begin(&GAME, &format!(r#"{{"eight_on_break": "{option}"}}"#));
            game.shot("", "0-1 8@3");
            game
        };
        assert_eq!(play("win").winner(), Some(0));
        let game = play("spot");
        assert_eq!((game.player(), game.layout.is_on_table(EIGHT), game.stroke().is_break), (0, true, false));
        let game = play("break");
        assert_eq!((game.player(), game.layout.is_on_table(EIGHT), game.stroke().is_break), (0, true, true));
    }

    #[test]
    fn the_8_and_a_scratch_on_the_break_let_the_other_player_choose() {
        let play = |choice| {
            let mut game = begin(&GAME, "{}");
            game.shot("", "0-1 8@3 0@1");
            assert_eq!((game.player(), game.winner()), (1, None));
            assert_eq!(game.choices(), [Choice::SpotAndPlayOn, Choice::Break]);
            game.choose(choice);
            game
        };
        let game = play(Choice::SpotAndPlayOn);
        assert!(game.layout.is_on_table(EIGHT));
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::BehindHeadString)));
        let game = play(Choice::Break);
        assert_eq!((game.player(), game.stroke().is_break), (1, true));
    }

    #[test]
    fn a_ball_off_the_table_on_the_break_stays_away_but_the_8_is_spotted() {
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", &format!("{FOUR_RAILS} 5! 8!"));
        assert_eq!(verdict.fouls, [5, 8].map(|ball| Foul::OffTable(BallName::Number(ball))));
        assert_eq!(game.layout[BallId(5)], BallPlace::Off);
        assert!(game.layout.is_on_table(EIGHT));
        assert_eq!((game.player(), game.choices()), (1, vec![Choice::PlayOn, Choice::BallInHand]));
        let mut other = game.clone();
        game.choose(Choice::PlayOn);
        assert_eq!(game.stroke().in_hand, None);
        other.choose(Choice::BallInHand);
        assert_eq!(other.stroke().in_hand, Some(Region::BehindHeadString));
    }

    #[test]
    fn a_scratch_on_the_break_is_in_hand_behind_the_head_string() {
        let mut game = begin(&GAME, "{}");
        game.shot("", "0-1 5@2 0@3");
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::BehindHeadString)));
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", "0-1 0@3");
        assert_eq!(verdict.fouls, [Foul::Scratch(PocketId(3)), Foul::IllegalBreak]);
        assert_eq!(game.choices(), [Choice::BallInHand, Choice::Break, Choice::LetBreak]);
        game.choose(Choice::BallInHand);
        assert_eq!(game.stroke().in_hand, Some(Region::BehindHeadString));
    }

    #[test]
    fn from_behind_the_head_string_a_ball_there_is_no_first_hit() {
        let scratched = || {
            let mut game = begin(&GAME, "{}");
            game.shot_to("", "0-1 5@2 0@3", &[(4, vec2(-1.0, 0.3))]);
            game
        };
        let behind = [Foul::PlayedBehindHeadString(BallName::Number(4))];
        assert_eq!(scratched().shot("4@0", "0-4 4@0").fouls, behind);
        assert_eq!(scratched().shot("4@0", "0/5 0-4 4@0").fouls, behind, "the head cushion lies there, too");
        assert_eq!(scratched().shot("4@0", "0/2 0-4 4@0").fouls, [], "by the foot cushion");
        assert_eq!(scratched().shot("3@0", "0-3 3@0").fouls, [], "it lies beyond");
    }

    #[test]
    fn with_all_balls_behind_the_head_string_the_nearest_may_be_spotted() {
        let scratched = || {
            let mut game = begin(&GAME, "{}");
            game.take_away([1, 2, 3, 6, 7, 9, 10, 11, 12, 13, 14, 15]);
            game.shot_to("", "0-4 0@3 8@1", &[(4, vec2(-1.0, 0.3)), (5, vec2(-0.8, 0.0))]);
            game.choose(Choice::SpotAndPlayOn);
            assert_eq!(game.choices(), [Choice::PlayOn, Choice::SpotNearest]);
            game
        };
        let mut game = scratched();
        game.choose(Choice::SpotNearest);
        assert!(game.place(5).x > 0.5 && game.place(4).x < -0.9, "{game:?}");
        assert_eq!(game.stroke().in_hand, Some(Region::BehindHeadString));
        let mut game = scratched();
        game.choose(Choice::PlayOn);
        assert_eq!((game.place(5).x, game.stroke().in_hand), (-0.8, Some(Region::BehindHeadString)));
    }

    #[test]
    fn the_first_ball_potted_as_called_after_the_break_decides_the_groups() {
        let mut game = open_table();
        assert_eq!(game.stroke().call, CallNeeded::BallAndPocket);
        game.shot("2@3", "0-2 2@4");
        assert_eq!(game.rules.notes(Player(1))[0], "open table", "in the wrong pocket");
        game.shot("3@3", "0-3 11@2");
        assert_eq!(game.rules.notes(Player(1))[0], "open table", "another ball");
        game.shot("12@3", "0-4 4-12 12@3 4@1");
        assert_eq!(
            (game.rules.notes(Player(1)), game.rules.notes(Player(0))),
            (vec!["stripes".to_owned()], vec!["solids".to_owned()])
        );
        assert_eq!(game.player(), 1);
        assert!(game.stroke().on.iter().all(|ball| ball.0 > 8));
    }

    #[test]
    fn on_an_open_table_the_8_may_not_be_hit_first_and_a_foul_decides_nothing() {
        let mut game = open_table();
        assert_eq!(game.shot("2@3", "0-8 2@3").fouls, [Foul::WrongBallFirst(BallName::Number(8))]);
        assert_eq!(game.rules.notes(Player(1))[0], "open table");
        assert_eq!((game.player(), game.stroke().in_hand), (0, Some(Region::Anywhere)));
    }

    #[test]
    fn the_wrong_group_first_is_a_foul_and_a_ball_of_the_other_group_may_fall() {
        let mut game = groups();
        assert_eq!(game.shot("9@1", "0-3 9@1").fouls, [Foul::WrongBallFirst(BallName::Number(3))]);
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::Anywhere)));
        assert_eq!(game.layout[BallId(9)], BallPlace::Pocket(PocketId(1)), "it stays down");
        let mut game = groups();
        let verdict = game.shot("9@1", "0-9 3@2 9@1");
        assert!(verdict.fouls.is_empty() && verdict.goes_on);
        let verdict = game.shot("10@1", "0-10 4@2");
        assert!(verdict.fouls.is_empty() && !verdict.goes_on);
    }

    #[test]
    fn a_ball_of_the_other_group_cannot_be_called() {
        let mut game = groups();
        let call = Call::pot(BallId(3), PocketId(2));
        assert!(game.stroke().refusal(&call).is_some());
        assert!(game.stroke().refusal(&Call::pot(BallId(9), PocketId(2))).is_none());
        let verdict = game.shot("3@2", "0-9 3@2");
        assert!(verdict.fouls.is_empty() && !verdict.goes_on);
        assert_eq!(game.player(), 1);
    }

    #[test]
    fn after_a_safety_the_turn_passes_whatever_falls() {
        let mut game = groups();
        let verdict = game.shot("safe", "0-9 9@1");
        assert!(verdict.fouls.is_empty() && !verdict.goes_on);
        assert_eq!((game.player(), game.layout[BallId(9)]), (1, BallPlace::Pocket(PocketId(1))));
    }

    #[test]
    fn a_foul_is_ball_in_hand_anywhere_and_three_do_not_lose_unless_by_option() {
        let mut game = groups();
        for _ in 0..4 {
            assert_eq!(game.shot("", "").fouls, [Foul::NoHit]);
            assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::Anywhere)));
            game.shot("safe", "0-1 1/2");
        }
        let mut game = begin(&GAME, r#"{"three_fouls": true}"#);
        game.shot("", FOUR_RAILS);
        for _ in 0..3 {
            assert_eq!(game.winner(), None);
            game.shot("", "");
            if game.winner().is_none() {
                game.shot("safe", "0-1 1/2");
            }
        }
        assert_eq!(game.winner(), Some(0));
    }

    #[test]
    fn the_8_is_called_once_the_group_is_cleared_and_wins() {
        let mut game = on_the_8();
        assert_eq!(game.stroke().on, [EIGHT]);
        assert_eq!(game.rules.notes(Player(0)), ["stripes", "on the 8"]);
        game.shot("8@5", "0-8 8@5");
        assert_eq!((game.winner(), game.rules.score()), (Some(0), [1, 0]));
    }

    #[test]
    fn the_8_with_a_foul_or_too_early_or_in_another_pocket_or_off_the_table_loses() {
        let mut game = on_the_8();
        game.shot("8@5", "0-8 8@5 0@1");
        assert_eq!(game.winner(), Some(1), "with a scratch");
        let mut game = groups();
        game.shot("9@1", "0-9 9@1 8@2");
        assert_eq!(game.winner(), Some(1), "too early");
        let mut game = groups();
        game.take_away(10..=15);
        game.shot("9@1", "0-9 9@1 8@2");
        assert_eq!(game.winner(), Some(1), "together with the last of the group");
        let mut game = on_the_8();
        game.shot("8@5", "0-8 8@4");
        assert_eq!(game.winner(), Some(1), "another pocket");
        let mut game = on_the_8();
        game.shot("safe", "0-8 8@4");
        assert_eq!(game.winner(), Some(1), "a safety calls none");
        let mut game = on_the_8();
        game.shot("8@5", "0-8 8!");
        assert_eq!(game.winner(), Some(1), "off the table");
        let mut game = open_table();
        game.shot("2@5", "0-2 8@1 2@5");
        assert_eq!(game.winner(), Some(0), "on an open table");
    }

    #[test]
    fn a_foul_on_the_8_that_stays_up_is_but_ball_in_hand() {
        let mut game = on_the_8();
        let verdict = game.shot("8@5", "0-8 0@1");
        assert_eq!(verdict.fouls, [Foul::Scratch(PocketId(1))]);
        assert_eq!((game.winner(), game.player(), game.stroke().in_hand), (None, 1, Some(Region::Anywhere)));
    }

    #[test]
    fn without_calls_the_first_ball_that_falls_decides_and_any_of_the_group_goes_on() {
        let mut game = begin(&GAME, r#"{"calls": "nothing"}"#);
        game.shot("", FOUR_RAILS);
        assert_eq!(game.stroke().call, CallNeeded::Nothing);
        assert!(game.shot("", "0-9 3@1 11@2").goes_on);
        assert_eq!(game.rules.notes(Player(1))[0], "solids");
        assert!(!game.shot("", "0-2 12@1").goes_on);
        assert_eq!(game.player(), 0);

        let mut game = begin(&GAME, r#"{"calls": "eight"}"#);
        game.shot("", FOUR_RAILS);
        game.take_away(1..=6);
        assert!(game.shot("", "0-7 7@1").goes_on);
        assert_eq!((game.stroke().on, game.stroke().call), (vec![EIGHT], CallNeeded::BallAndPocket));
        game.shot("8@2", "0-8 8@3");
        assert_eq!(game.winner(), Some(0));
    }
}
