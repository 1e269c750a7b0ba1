//! 9-ball, by section 2 of the rules: the cue ball has to hit the lowest ball first, every ball potted then counts, and
//! potting the 9 wins the rack.

use serde::Deserialize;

use super::{
    OnBreak,
    options::{CALL_SHOTS, ON_BREAK, PUSH_OUT, THREE_FOULS},
    rotation::{Rotation, RotationRules},
    wpa::TABLES,
};
use crate::{
    billiards::tables::Rack,
    games::rules::{
        Game, Measure,
        options::{OptionSpec, OptionValue},
    },
    notice::mark,
};

/// The entry in the list of games.
pub const GAME: Game = Game {
    name: "nine-ball",
    title: "9-ball",
    about: "Hit the lowest ball first. Potting the 9 wins.",
    tables: TABLES,
    jump_cue: true,
    solo: false,
    measures: Measure::RACKS,
    begin: |table, options| {
        let options: NineBallOptions = GAME.read_options(options)?;
        Ok(Box::new(Rotation::new(options.rules(), table)?))
    },
    options: &[
        CALL_SHOTS.with_default(OptionValue::Flag(false)),
        OptionSpec {
            name: "nine_on_break",
            title: mark("9 on the break"),
            help: mark("The effect of a 9 potted on a break without a foul"),
            kind: ON_BREAK,
            default: OptionValue::Word("win"),
        },
        PUSH_OUT,
        THREE_FOULS,
    ],
};

/// The options of 9-ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct NineBallOptions {
    /// Whether ball and pocket are called, as in 10-ball. Default: false.
    pub call_shots: bool,
    /// The effect of potting the 9 on a break without a foul. Default: it wins.
    pub nine_on_break: OnBreak,
    /// Whether the shot after the break may be a push-out. Default: true.
    pub push_out: bool,
    /// Whether three fouls in a row lose the rack. Default: true.
    pub three_fouls: bool,
}

impl NineBallOptions {
    fn rules(self) -> RotationRules {
        RotationRules {
            name: GAME.name,
            rack: Rack::NineBall,
            call_shots: self.call_shots,
            hand_back: false,
            on_break: self.nine_on_break,
            wins_as_last: false,
            push_out: self.push_out,
            three_fouls: self.three_fouls,
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::vec2;

    use super::*;
    use crate::{
        billiards::tables::BallName,
        games::{
            rules::{BallId, BallPlace, CallNeeded, Choice, Foul, Note, Player, PocketId, Region, Remark},
            test_support::{Played, begin, table},
        },
    };

    /// After a break that potted the 4.
    fn after_break() -> Played {
        let mut game = begin(&GAME, "{}");
        assert!(game.shot("", "0-1 1-9 4@2").goes_on);
        game
    }

    /// After a break that potted the 4 and a shot that potted nothing. Player 1 shoots at the 1.
    fn in_the_middle() -> Played {
        let mut game = after_break();
        assert!(!game.shot("", "0-1 1/3").goes_on);
        game
    }

    #[test]
    fn the_1_is_at_the_tip_and_the_9_in_the_middle_and_chance_orders_the_rest() {
        let table = table("pool-9ft");
        let mut game = (GAME.begin)(&table, &GAME.default_options()).unwrap();
        let places = Rack::NineBall.balls(&table.spec, 0.0).unwrap();
        let mut lefts = Vec::new();
        for seed in 0..50 {
            let layout = game.layout(seed);
            let near = |ball: usize| layout.0[ball].on_table().unwrap();
            assert_eq!(layout, game.layout(seed), "a seed fixes the rack");
            assert_eq!(layout.0[0], BallPlace::Hand);
            assert!(near(1).distance(places[1].place.as_vec2()) < 1e-3);
            assert!(near(9).distance(places[5].place.as_vec2()) < 1e-3);
            let at_end = (2..9).filter(|&ball| near(ball).distance(places[9].place.as_vec2()) < 1e-3);
            lefts.extend(at_end);
        }
        lefts.sort_unstable();
        lefts.dedup();
        assert_eq!(lefts, [2, 3, 4, 5, 6, 7, 8], "any ball may be the last one");
    }

    #[test]
    fn the_break_is_from_behind_the_head_string_at_the_1() {
        let game = begin(&GAME, "{}");
        let stroke = game.stroke();
        assert!(stroke.is_break && !stroke.may_push_out);
        assert_eq!((stroke.in_hand, stroke.on), (Some(Region::BehindHeadString), vec![BallId(1)]));
    }

    #[test]
    fn a_break_pots_a_ball_or_drives_four_to_a_rail() {
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", "0-1 1-2 1/0 2/1 3/2 0/3 3/4");
        assert_eq!(verdict.fouls, [Foul::IllegalBreak]);
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::Anywhere)));
        assert!(!game.stroke().may_push_out, "there is none after a foul");

        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", "0-1 1-2 1/0 2/1 3/2 4/2");
        assert_eq!(verdict.fouls, []);
        assert_eq!((game.player(), game.stroke().in_hand), (1, None));
        assert!(game.stroke().may_push_out);

        let game = after_break();
        assert_eq!(game.player(), 0);
        assert!(game.stroke().may_push_out, "the breaker may push out, too");
    }

    #[test]
    fn a_break_has_to_hit_the_1_first() {
        let verdict = begin(&GAME, "{}").shot("", "0-2 2-1 3@0");
        assert_eq!(verdict.fouls, [Foul::WrongBallFirst(BallName::Number(2))]);
        let verdict = begin(&GAME, "{}").shot("", "");
        assert_eq!(verdict.fouls, [Foul::NoHit]);
    }

    #[test]
    fn the_9_on_the_break_wins_or_by_option_is_spotted() {
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", "0-1 9@3");
        assert_eq!((game.winner(), verdict.points, game.rules.score()), (Some(0), [1, 0], [1, 0]));

        let mut game = begin(&GAME, r#"{"nine_on_break": "spot"}"#);
        assert!(game.shot_to("", "0-1 9@3", &[(1, vec2(0.1, 0.2))]).goes_on);
        assert_eq!((game.winner(), game.player()), (None, 0));
        assert_eq!(game.place(9), game.table.spot("foot").unwrap());
    }

    #[test]
    fn the_lowest_ball_has_to_be_hit_first() {
        let mut game = in_the_middle();
        assert_eq!(game.stroke().on, [BallId(1)]);
        assert_eq!(game.shot("", "0-2 2-1 1@0").fouls, [Foul::WrongBallFirst(BallName::Number(2))]);
        assert_eq!(game.player(), 0);
        assert_eq!(game.stroke().on, [BallId(2)], "what was potted on a foul stays down");
        assert_eq!(game.layout[BallId(1)], BallPlace::Pocket(PocketId(0)));
    }

    #[test]
    fn any_ball_potted_without_a_foul_goes_on_and_nothing_is_called() {
        let mut game = in_the_middle();
        assert_eq!(game.stroke().call, CallNeeded::Nothing);
        assert!(game.shot("", "0-1 1-6 6@5").goes_on);
        assert_eq!((game.player(), game.rules.current_break()), (1, 1));
        assert!(!game.shot("", "0-1 1/2").goes_on);
        assert_eq!((game.player(), game.rules.current_break()), (0, 0));
    }

    #[test]
    fn the_9_wins_by_a_combination_but_is_spotted_with_a_scratch() {
        let mut game = in_the_middle();
        game.shot("", "0-1 1-9 9@5");
        assert_eq!(game.winner(), Some(1));

        let mut game = in_the_middle();
        let verdict = game.shot_to("", "0-1 1-9 9@5 0@4", &[(1, vec2(0.1, 0.2))]);
        assert_eq!(verdict.fouls, [Foul::Scratch(PocketId(4))]);
        assert_eq!(game.winner(), None);
        assert_eq!(game.place(9), game.table.spot("foot").unwrap());
        assert_eq!((game.player(), game.stroke().in_hand), (0, Some(Region::Anywhere)));
        assert_eq!(game.layout[BallId(0)], BallPlace::Hand);
    }

    #[test]
    fn a_9_off_the_table_is_spotted_and_another_ball_stays_away() {
        let mut game = in_the_middle();
        let verdict = game.shot("", "0-1 1-9 9! 6!");
        assert_eq!(verdict.fouls, [9, 6].map(|ball| Foul::OffTable(BallName::Number(ball))));
        assert!(game.layout.is_on_table(BallId(9)));
        assert_eq!(game.layout[BallId(6)], BallPlace::Off);
    }

    #[test]
    fn a_hit_needs_a_rail_or_a_pot() {
        assert_eq!(in_the_middle().shot("", "0/1 0-1").fouls, [Foul::NoCushion], "the rail comes after the hit");
        assert_eq!(in_the_middle().shot("", "0-1 0/1").fouls, []);
        assert_eq!(in_the_middle().shot("", "0-1 1-5 5/2").fouls, []);
        assert_eq!(in_the_middle().shot("", "0-1 6@2").fouls, []);
        assert_eq!(in_the_middle().shot("", "0/3").fouls, [Foul::NoHit]);
    }

    #[test]
    fn a_push_out_need_not_hit_anything_and_the_other_player_chooses_who_shoots() {
        for (choice, player) in [(Choice::PlayOn, 1), (Choice::PassBack, 0)] {
            let mut game = after_break();
            let verdict = game.shot("push", "0-6");
            assert_eq!(verdict.fouls, []);
            assert_eq!(game.player(), 1);
            assert_eq!(game.choices(), [Choice::PlayOn, Choice::PassBack]);
            game.choose(choice);
            assert_eq!(game.player(), player);
            assert!(!game.stroke().may_push_out, "there is but one");
        }
        assert!(after_break().shot("push", "").fouls.is_empty());
    }

    #[test]
    fn what_falls_on_a_push_out_stays_down_but_the_9_is_spotted() {
        let mut game = after_break();
        game.shot("push", "0-9 9@3 5@2");
        assert_eq!(game.winner(), None);
        assert!(game.layout.is_on_table(BallId(9)));
        assert_eq!(game.layout[BallId(5)], BallPlace::Pocket(PocketId(2)));
        assert_eq!(game.choices(), [Choice::PlayOn, Choice::PassBack]);
    }

    #[test]
    fn a_scratch_on_a_push_out_is_a_foul() {
        let mut game = after_break();
        assert_eq!(game.shot("push", "0@3").fouls, [Foul::Scratch(PocketId(3))]);
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::Anywhere)));
    }

    #[test]
    fn a_push_out_is_for_the_shot_after_the_break_alone_and_has_to_be_called() {
        let mut game = after_break();
        assert_eq!(game.shot("", "0-6").fouls[0], Foul::WrongBallFirst(BallName::Number(6)));
        let mut game = in_the_middle();
        assert!(!game.stroke().may_push_out);
        assert_eq!(game.shot("push", "0-6 6/1").fouls, [Foul::WrongBallFirst(BallName::Number(6))]);
        let mut game = begin(&GAME, r#"{"push_out": false}"#);
        game.shot("", "0-1 4@2");
        assert!(!game.stroke().may_push_out);
    }

    #[test]
    fn where_three_fouls_do_not_lose_neither_do_three_hundred() {
        let mut played = begin(&GAME, r#"{"three_fouls": false}"#);
        for _ in 0..600 {
            played.shot("", "");
        }
        assert_eq!(played.winner(), None);
    }

    #[test]
    fn three_fouls_in_a_row_lose_with_a_warning_at_two() {
        let mut game = in_the_middle();
        let mut last = None;
        for round in 1..=3 {
            last = Some(game.shot("", ""));
            let warned = last.as_ref().unwrap().remarks.contains(&Remark::SecondFoul);
            assert_eq!(warned, round == 2);
            if round < 3 {
                assert!(game.rules.notes(Player(1)).contains(&Note::Fouls(round)));
                game.shot("", "0-1 1/1");
            }
        }
        assert_eq!(game.winner(), Some(0));
        assert_eq!(last.unwrap().fouls, [Foul::NoHit, Foul::ThirdFoul]);
    }

    #[test]
    fn a_legal_shot_between_fouls_clears_them() {
        let mut game = in_the_middle();
        for _ in 0..4 {
            for shot in ["", "0-1 1/1", "0-1 1/1", "0-1 1/1"] {
                game.shot("", shot);
            }
        }
        assert_eq!(game.winner(), None);
        let mut game = begin(&GAME, r#"{"three_fouls": false}"#);
        for _ in 0..10 {
            game.shot("", "");
        }
        assert_eq!(game.winner(), None);
    }

    #[test]
    fn with_calls_what_was_not_called_passes_the_turn_and_a_9_not_called_is_spotted() {
        let mut game = begin(&GAME, r#"{"call_shots": true}"#);
        assert_eq!(game.stroke().call, CallNeeded::Nothing, "nothing is called on the break");
        game.shot("", "0-1 4@2");
        assert_eq!(game.stroke().call, CallNeeded::BallAndPocket);
        assert!(game.shot("1@2", "0-1 1@2").goes_on);
        assert!(!game.shot("2@2", "0-2 2-9 9@5").goes_on);
        assert_eq!((game.winner(), game.player()), (None, 1));
        game.shot("9@1", "0-2 2-9 9@1");
        assert_eq!(game.winner(), Some(1));
    }

    #[test]
    fn an_option_that_makes_no_sense_is_an_error() {
        let table = table("pool-9ft");
        let options = serde_json::from_str(r#"{"nine_on_brake": "spot"}"#).unwrap();
        assert!((GAME.begin)(&table, &options).unwrap_err().contains("nine_on_brake"));
        let carom = crate::games::test_support::table("carom-10ft");
        assert!((GAME.begin)(&carom, &GAME.default_options()).unwrap_err().contains("pockets"));
    }
}
