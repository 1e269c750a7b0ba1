//! 10-ball, by section 9 of the rules: the cue ball has to hit the lowest ball first, ball and pocket are called, and
//! potting the 10 last wins the rack.

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
    name: "ten-ball",
    title: "10-ball",
    about: "Like 9-ball, with ten balls and every shot called.",
    tables: TABLES,
    jump_cue: true,
    solo: false,
    measures: Measure::RACKS,
    begin: |table, options| {
        let options: TenBallOptions = GAME.read_options(options)?;
        Ok(Box::new(Rotation::new(options.rules(), table)?))
    },
    options: &[
        CALL_SHOTS,
        OptionSpec {
            name: "ten_on_break",
            title: mark("10 on the break"),
            help: mark("The effect of a 10 potted on a break without a foul"),
            kind: ON_BREAK,
            default: OptionValue::Word("spot"),
        },
        OptionSpec::switch(
            "ten_wins_early",
            mark("10 wins early"),
            mark("The 10 wins whenever it is potted as called, not only as the last ball"),
            false,
        ),
        PUSH_OUT,
        OptionSpec::switch(
            "hand_back",
            mark("Hand back"),
            mark("After a ball potted other than called, the next shot can be handed back"),
            true,
        ),
        THREE_FOULS,
    ],
};

/// The options of 10-ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct TenBallOptions {
    /// Whether ball and pocket are called. Default: true.
    pub call_shots: bool,
    /// Whether a player may hand the shot back after the opponent potted a ball without calling it. Default: true.
    pub hand_back: bool,
    /// The effect of potting the 10 on a break without a foul. Default: it is spotted.
    pub ten_on_break: OnBreak,
    /// Whether the 10 wins whenever it is potted as called, not only as the last ball. Default: false.
    pub ten_wins_early: bool,
    /// Whether the shot after the break may be a push-out. Default: true.
    pub push_out: bool,
    /// Whether three fouls in a row lose the rack. Default: true.
    pub three_fouls: bool,
}

impl TenBallOptions {
    fn rules(self) -> RotationRules {
        RotationRules {
            name: GAME.name,
            rack: Rack::TenBall,
            call_shots: self.call_shots,
            hand_back: self.hand_back,
            on_break: self.ten_on_break,
            wins_as_last: !self.ten_wins_early,
            push_out: self.push_out,
            three_fouls: self.three_fouls,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        billiards::tables::BallName,
        games::{
            rules::{BallId, BallPlace, CallNeeded, Choice, Foul, PocketId, Region},
            test_support::{Played, begin},
        },
    };

    const FOUR_RAILS: &str = "0-1 1/0 2/1 3/2 4/3";

    /// After a legal break that potted nothing, and a safety. Player 0 shoots at the 1.
    fn in_the_middle() -> Played {
        let mut game = begin(&GAME, "{}");
        game.shot("", FOUR_RAILS);
        assert!(game.shot("safe", "0-1 1/2").fouls.is_empty());
        game
    }

    #[test]
    fn the_1_is_at_the_tip_and_the_10_in_the_middle() {
        let mut game = begin(&GAME, "{}");
        let places = Rack::TenBall.balls(&game.table.spec, 0.0).unwrap();
        for seed in 0..20 {
            let layout = game.rules.layout(seed);
            let near = |ball: u8, place: usize| {
                layout[BallId(ball)].on_table().unwrap().distance(places[place + 1].place.as_vec2()) < 1e-3
            };
            assert!(near(1, 0) && near(10, 4));
            assert_eq!(layout.on_table().count(), 10);
        }
    }

    #[test]
    fn the_break_calls_nothing_and_needs_a_pot_or_four_balls_at_a_rail() {
        let mut game = begin(&GAME, "{}");
        assert_eq!((game.stroke().call, game.stroke().on), (CallNeeded::Nothing, vec![BallId(1)]));
        assert!(game.shot("", "0-1 5@2").goes_on);
        assert!(game.stroke().may_push_out);
        assert_eq!(begin(&GAME, "{}").shot("", "0-1 1/0 2/1 3/2").fouls, [Foul::IllegalBreak]);
        assert_eq!(begin(&GAME, "{}").shot("", FOUR_RAILS).fouls, []);
    }

    #[test]
    fn the_10_on_the_break_is_spotted_and_play_goes_on() {
        let mut game = begin(&GAME, "{}");
        assert!(game.shot("", "0-1 10@3").goes_on);
        assert_eq!((game.winner(), game.player()), (None, 0));
        assert!(game.layout.is_on_table(BallId(10)));
        let mut game = begin(&GAME, r#"{"ten_on_break": "win"}"#);
        game.shot("", "0-1 10@3");
        assert_eq!(game.winner(), Some(0));
    }

    #[test]
    fn ball_and_pocket_are_called_and_other_balls_may_fall_with_it() {
        let mut game = in_the_middle();
        assert_eq!(game.stroke().call, CallNeeded::BallAndPocket);
        assert!(game.shot("3@2", "0-1 1-3 3@2 5@1").goes_on);
        assert_eq!((game.player(), game.rules.current_break()), (0, 2));
        assert_eq!(game.layout[BallId(5)], BallPlace::Pocket(PocketId(1)));
    }

    #[test]
    fn a_ball_potted_uncalled_stays_down_and_the_other_player_plays_or_hands_it_back() {
        for (call, events) in [("1@2", "0-1 1@3"), ("1@2", "0-1 4@3"), ("safe", "0-1 1@3")] {
            for (choice, player) in [(Choice::PlayOn, 1), (Choice::PassBack, 0)] {
                let mut game = in_the_middle();
                assert!(game.shot(call, events).fouls.is_empty());
                assert_eq!((game.player(), game.choices()), (1, vec![Choice::PlayOn, Choice::PassBack]), "{call}");
                assert_eq!(game.layout.on_table().count(), 10, "nine balls and the cue ball");
                game.choose(choice);
                assert_eq!((game.player(), game.stroke().in_hand), (player, None));
            }
        }
        let mut game = in_the_middle();
        game.shot("1@2", "0-1 1/2");
        assert_eq!(game.stroke().on, [BallId(1)], "after a miss there is nothing to choose");
        let mut game = begin(&GAME, r#"{"hand_back": false}"#);
        game.shot("", FOUR_RAILS);
        game.shot("1@2", "0-1 1@3");
        assert_eq!(game.stroke().on, [BallId(2)]);
    }

    #[test]
    fn a_10_potted_uncalled_is_spotted_and_gives_the_choice() {
        let mut game = in_the_middle();
        game.shot("1@2", "0-1 1-10 10@3");
        assert_eq!(game.winner(), None);
        assert!(game.layout.is_on_table(BallId(10)));
        assert_eq!(game.choices(), [Choice::PlayOn, Choice::PassBack]);
    }

    #[test]
    fn the_10_wins_as_the_last_ball_in_the_called_pocket_alone() {
        let last = || {
            let mut game = in_the_middle();
            game.take_away(1..=9);
            // The next verdict determines the balls on.
            game.rules.judge(&game.make_shot(
                crate::games::rules::Call { safety: true, ..Default::default() },
                vec![],
                &[],
            ));
            game.layout[BallId(0)] = BallPlace::Hand;
            assert_eq!(game.stroke().on, [BallId(10)]);
            game
        };
        let mut game = last();
        game.shot("10@5", "0-10 10@5");
        assert_eq!((game.winner(), game.rules.score()), (Some(1), [0, 1]));
        let mut game = last();
        game.shot("10@5", "0-10 10@4");
        assert_eq!((game.winner(), game.player()), (None, 0));
        assert!(game.layout.is_on_table(BallId(10)));
    }

    #[test]
    fn a_10_that_falls_together_with_the_9_is_the_last_ball_only_if_it_falls_after_it() {
        for (events, winner) in [("0-9 9-10 9@1 10@5", Some(0)), ("0-9 9-10 10@5 9@1", None)] {
            let mut game = in_the_middle();
            game.take_away(1..=8);
            // The next verdict determines the balls on.
            game.shot("safe", "0-1 1/2");
            game.shot("safe", "0-9 9/2");
            assert_eq!((game.player(), game.stroke().on), (0, vec![BallId(9)]));
            assert!(game.shot("10@5", events).fouls.is_empty());
            assert_eq!(game.winner(), winner, "{events}");
            assert_eq!(game.layout.is_on_table(BallId(10)), winner.is_none());
        }
    }

    #[test]
    fn a_called_10_before_its_time_is_spotted_and_the_player_goes_on_or_by_option_wins() {
        let mut game = in_the_middle();
        assert!(game.shot("10@5", "0-1 1-10 10@5").goes_on);
        assert_eq!((game.winner(), game.player(), game.stroke().in_hand), (None, 0, None));
        assert!(game.layout.is_on_table(BallId(10)));
        let mut game = begin(&GAME, r#"{"ten_wins_early": true}"#);
        game.shot("", FOUR_RAILS);
        game.shot("10@5", "0-1 1-10 10@5");
        assert_eq!(game.winner(), Some(1));
    }

    #[test]
    fn a_push_out_and_fouls_are_as_in_9_ball() {
        let mut game = begin(&GAME, "{}");
        game.shot("", "0-1 5@2");
        assert!(game.shot("push", "0-10 10@3").fouls.is_empty());
        assert!(game.layout.is_on_table(BallId(10)));
        assert_eq!(game.choices(), [Choice::PlayOn, Choice::PassBack]);

        let mut game = in_the_middle();
        assert_eq!(game.shot("2@3", "0-2 2@3").fouls, [Foul::WrongBallFirst(BallName::Number(2))]);
        assert_eq!((game.player(), game.stroke().in_hand), (1, Some(Region::Anywhere)));
    }

    #[test]
    fn three_fouls_in_a_row_lose() {
        let mut game = in_the_middle();
        for _ in 0..2 {
            game.shot("1@2", "0-5");
            game.shot("safe", "0-1 1/2");
        }
        game.shot("1@2", "0-5");
        assert_eq!(game.winner(), Some(1));
    }
}
