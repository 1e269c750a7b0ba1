//! Korean four-ball (sagu): two red balls, and a cue ball for each player, who must not hit the opponent's. No world
//! federation publishes rules for it. This is the Korean game as encyclopedias describe it, with its numbers as
//! options.

use std::sync::Arc;

use bevy::math::Vec2;
use serde::Deserialize;

use super::{options::POINTS, score_sheet::ScoreSheet, start::spots};
use crate::{
    billiards::tables::BallName,
    games::{
        rulebooks::ruling::{Decision, RuleBook, Ruling, judge, points_of},
        rules::{
            BallId, BallPlace, Foul, Game, GameTable, Layout, Measure, Note, Player, Remark, Rules, Shot,
            ShotConstraints, ShotEvent, Standing, Turn, Verdict,
            options::{OptionSpec, OptionValue, Options},
        },
    },
    notice::mark,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "four-ball",
    title: "Four-ball (sagu)",
    about: "Hit both reds but not the other cue ball. The last point takes three cushions.",
    tables: &["carom-10ft"],
    jump_cue: false,
    solo: false,
    measures: Measure::POINTS,
    begin: |table, options| Ok(Box::new(FourBall::new(table, options)?)),
    options: &[
        POINTS.with_default(OptionValue::Number(10)),
        OptionSpec::switch(
            "three_cushion_finish",
            mark("Last by three cushions"),
            mark("The last point takes three cushions before the second red"),
            true,
        ),
        OptionSpec::switch("penalty", mark("Penalty"), mark("A foul costs a point"), true),
    ],
};

/// The options of four-ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct FourBallOptions {
    /// The points that win, at least 1. Default: 10.
    pub points: u32,
    /// Whether the last point needs three cushions before the second red. Default: true.
    pub three_cushion_finish: bool,
    /// Whether a foul costs a point. Default: true.
    pub penalty: bool,
}

/// The cue balls of the two players, then the red on the foot spot and the red on the head spot.
const BALLS: [BallName; 4] = [BallName::Cue, BallName::Yellow, BallName::Red, BallName::Red];
const REDS: [BallId; 2] = [BallId(2), BallId(3)];
const CUSHIONS_AT_LAST: usize = 3;

/// A game of four-ball.
#[derive(Clone, Debug)]
pub struct FourBall {
    table: Arc<GameTable>,
    options: FourBallOptions,
    /// The starting positions of the balls, metres.
    start: [Vec2; 4],
    sheet: ScoreSheet,
    standing: Standing,
}

impl FourBall {
    fn new(table: &Arc<GameTable>, options: &Options) -> Result<Self, String> {
        let options: FourBallOptions = GAME.read_options(options)?;
        // The player's ball lies beside the red on the head spot, and the opponent's symmetrically beside the red on
        // the foot spot.
        let [foot, head, own] = spots(GAME.name, ["foot", "head", "right"], table)?;
        let start = [own, foot - (own - head), foot, head];
        let stroke = ShotConstraints { on: vec![REDS[0]], is_break: true, ..ShotConstraints::of(BallId(0)) };
        let standing = Standing::new(Turn::shoot(Player(0), stroke));
        Ok(Self { table: table.clone(), options, start, sheet: ScoreSheet::new(), standing })
    }

    /// Whether a player needs just one more point.
    fn is_last(&self, player: Player) -> bool {
        i64::from(self.standing.score[player.index()]) + 1 >= i64::from(self.options.points)
    }

    /// Why a shot without a foul scores no point, if it does not.
    fn lacks(&self, ruling: &Ruling) -> Option<Remark> {
        let Ruling { player, shot, stroke, .. } = ruling;
        let needs_cushions = self.options.three_cushion_finish && self.is_last(*player);
        match shot.cushions_before_second(stroke.cue_ball, REDS) {
            None => Some(shot.no_cannon(stroke.cue_ball)),
            Some(cushions) => (needs_cushions && cushions < CUSHIONS_AT_LAST).then_some(Remark::LastByThreeCushions),
        }
    }
}

impl FourBall {
    /// Whether a shot scores a point.
    fn is_point(&self, ruling: &Ruling) -> bool {
        ruling.is_clean() && self.lacks(ruling).is_none()
    }
}

impl RuleBook for FourBall {
    fn fouls(&self, ruling: &Ruling) -> Vec<Foul> {
        let Ruling { player, shot, stroke, .. } = ruling;
        let cue_ball = stroke.cue_ball;
        let others = BallId(player.other().0);
        let is_hit = |event: &ShotEvent| matches!(*event, ShotEvent::Balls(a, b) if (a, b) == (cue_ball, others) || (b, a) == (cue_ball, others));
        let mut fouls = Vec::new();
        match shot.first_hit(cue_ball) {
            None => fouls.push(Foul::NoHit),
            Some(ball) if stroke.is_break && ball == REDS[1] => fouls.push(Foul::WrongBallFirst(BallName::Red)),
            Some(_) => {}
        }
        if let Some(ball) = shot.pushed(cue_ball, self.table.ball_radius()) {
            fouls.push(Foul::PushStroke(BALLS[ball.index()]));
        }
        if shot.events.iter().any(is_hit) {
            fouls.push(Foul::OtherCueBallHit);
        }
        fouls.extend(shot.off_table().map(|ball| Foul::OffTable(BALLS[ball.index()])));
        fouls
    }

    fn decide(&self, ruling: &Ruling) -> Decision {
        let is_point = self.is_point(ruling);
        if is_point && self.is_last(ruling.player) {
            return Decision::Won(ruling.player);
        }
        Decision::go_on_if(is_point)
    }

    fn points(&self, ruling: &Ruling) -> [i32; 2] {
        let penalty = if self.options.penalty && !ruling.is_clean() { -1 } else { 0 };
        points_of(ruling.player, if self.is_point(ruling) { 1 } else { penalty })
    }

    fn count(&mut self, ruling: &mut Ruling) {
        if ruling.is_clean() {
            ruling.remarks.extend(self.lacks(ruling));
        }
        if self.is_point(ruling) {
            self.sheet.note_run(ruling.player, self.standing.current_break + 1);
        } else {
            self.sheet.begin_inning(ruling.next_player());
        }
    }

    fn place(&mut self, ruling: &mut Ruling) {
        for ball in ruling.shot.off_table() {
            let place = self.table.free_spot(&ruling.layout, self.start[ball.index()], ball, |_| 0.0);
            ruling.layout[ball] = BallPlace::Table(place);
        }
    }

    fn next(&mut self, ruling: &mut Ruling) -> Turn {
        let next = ruling.next_player();
        Turn::shoot(next, ShotConstraints::of(BallId(next.0)))
    }

    fn standing_mut(&mut self) -> &mut Standing {
        &mut self.standing
    }
}

impl Rules for FourBall {
    fn balls(&self) -> &[BallName] {
        &BALLS
    }

    fn layout(&mut self, _seed: u64) -> Layout {
        Layout(self.start.map(BallPlace::Table).to_vec())
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn judge(&mut self, shot: &Shot) -> Verdict {
        judge(self, shot)
    }

    fn notes(&self, player: Player) -> Vec<Note> {
        let mut notes = self.sheet.notes(player, self.standing.score);
        if !notes.is_empty() && self.options.three_cushion_finish && self.is_last(player) {
            notes.push(Note::LastByThreeCushions);
        }
        notes
    }

    fn own_ball(&self, player: Player) -> Option<BallName> {
        self.balls().get(player.index()).copied()
    }

    fn points_to_win(&self, _player: Player) -> Option<u32> {
        Some(self.options.points)
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
        games::test_support::{Played, begin, random_play, table},
        random::Random,
    };

    #[test]
    fn it_begins_with_the_red_on_the_far_side() {
        let mut played = begin(&GAME, "{}");
        assert_eq!((played.stroke().on, played.stroke().is_break), (vec![BallId(2)], true));
        assert_eq!([played.place(2), played.place(3)], ["foot", "head"].map(|name| played.table.spot(name).unwrap()));
        assert_eq!(played.clone().shot("", "0-3 0-2").fouls, [Foul::WrongBallFirst(BallName::Red)]);
        assert_eq!(played.shot("", "0-2 0-3").points, [1, 0]);
        assert!(played.stroke().on.is_empty());
        assert_eq!(played.shot("", "3-0 0-2").points, [1, 0], "then either comes first");
    }

    #[test]
    fn both_reds_are_a_point_one_is_none_and_the_other_cue_ball_costs_one() {
        for (events, points, fouls) in [
            ("0-2 0-3", 1, vec![]),
            ("0-2 0/1 0-2 3-0", 1, vec![]),
            ("0-2 2-3", 0, vec![]),
            ("", -1, vec![Foul::NoHit]),
            ("0/1", -1, vec![Foul::NoHit]),
            ("0-2 0-3 0-1", -1, vec![Foul::OtherCueBallHit]),
            ("0-2 1-0", -1, vec![Foul::OtherCueBallHit]),
            ("0-2 2-1 0-3", 1, vec![]),
            ("0-2 0-3 3!", -1, vec![Foul::OffTable(BallName::Red)]),
        ] {
            let mut played = begin(&GAME, "{}");
            let verdict = played.shot("", events);
            assert_eq!((verdict.points, verdict.fouls), ([points, 0], fouls), "{events}");
            assert_eq!((verdict.goes_on, played.player()), (points > 0, u8::from(points <= 0)));
            assert_eq!(played.rules.score(), [points, 0]);
            assert!(played.layout.balls().all(|ball| played.layout.is_on_table(ball)));
        }
        assert_eq!(begin(&GAME, r#"{"penalty": false}"#).shot("", "0-1").points, [0, 0]);
    }

    #[test]
    fn the_last_point_takes_three_cushions() {
        let mut played = begin(&GAME, r#"{"points": 2}"#);
        played.shot("", "0-2 0-3");
        assert_eq!(
            played.rules.notes(Player(0)),
            [Note::Innings(1), Note::Average { points: 1, innings: 1 }, Note::LastByThreeCushions]
        );
        let mut short = played.clone();
        let verdict = short.shot("", "0-2 0/0 0/1 0-3 0/2");
        assert_eq!((verdict.points, verdict.remarks.len(), short.player()), ([0, 0], 1, 1));
        played.shot("", "0-2 0/0 0/1 0/0 0-3");
        assert_eq!(played.winner(), Some(0));
        let mut played = begin(&GAME, r#"{"points": 1, "three_cushion_finish": false}"#);
        played.shot("", "0-2 0-3");
        assert_eq!(played.winner(), Some(0));
        let mut options = Options::new();
        options.insert("points".to_owned(), 0.into());
        assert!((GAME.begin)(&table("carom-10ft"), &options).is_err());
        assert!((GAME.begin)(&table("snooker-12ft"), &Options::new()).is_err());
    }

    #[test]
    fn a_touching_red_is_played_away_from() {
        let mut played = begin(&GAME, "{}");
        played.shot_to("", "0-2", &[(1, vec2(0.0, 0.4)), (2, vec2(0.0, 0.46151))]);
        assert_eq!(played.shot("", "1-2 1-3").fouls, [Foul::PushStroke(BallName::Red)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn whatever_happens_a_game_stays_whole(seed: u64, points in 1..6_u32, finish: bool, penalty: bool) {
            let options =
                format!(r#"{{"points": {points}, "three_cushion_finish": {finish}, "penalty": {penalty}}}"#);
            let Played { mut rules, table, .. } = begin(&GAME, &options);
            let mut score = [0, 0];
            random_play::play(rules.as_mut(), &table, &mut Random::new(seed), 300, |rules, verdict| {
                for player in 0..2 {
                    let point = verdict.points[player];
                    assert_eq!(rules.score()[player], score[player] + point);
                    assert_eq!(point < 0, penalty && !verdict.fouls.is_empty() && point != 0, "it falls by fouls alone");
                    assert!((-1..=1).contains(&point));
                }
                score = rules.score();
            });
        }
    }
}
