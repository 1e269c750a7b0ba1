use bevy::math::vec2;

use super::*;
use crate::games::{
    rules::{Call, Foul, PocketId},
    test_support::{Played, begin},
};

const FOUR_RAILS: &str = "0-1 1/0 2/1 3/2 4/3";

/// After a break that potted nothing. Player 1 shoots at an open table.
fn open_table() -> Played {
    let mut game = begin(&GAME, "{}");
    game.shot("", FOUR_RAILS);
    game
}

/// Player 1 has solids and has potted the 2. Player 0 shoots.
fn groups() -> Played {
    let mut game = open_table();
    game.shot("2@3", "0-2 2@3");
    game.shot("safe", "0-1 1/2");
    game
}

/// Like [`groups`], but player 0 has no stripes left.
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
    assert_eq!(game.rules.notes(Player(0)), [Note::OpenTable]);
}

#[test]
fn a_break_that_drives_three_balls_to_a_rail_is_illegal_and_gives_three_choices() {
    let illegal = || {
        let mut game = begin(&GAME, "{}");
        let verdict = game.shot("", "0-1 1/0 2/1 3/2 0/3 3/4");
        assert_eq!((verdict.fouls, verdict.remarks), (Vec::new(), vec![Remark::IllegalBreak]));
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
    assert_eq!((verdict.fouls, verdict.remarks), (vec![Foul::Scratch(PocketId(3))], vec![Remark::IllegalBreak]));
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
    assert_eq!(game.rules.notes(Player(1))[0], Note::OpenTable, "in the wrong pocket");
    game.shot("3@3", "0-3 11@2");
    assert_eq!(game.rules.notes(Player(1))[0], Note::OpenTable, "another ball");
    game.shot("12@3", "0-4 4-12 12@3 4@1");
    assert_eq!((game.rules.notes(Player(1)), game.rules.notes(Player(0))), (vec![Note::Stripes], vec![Note::Solids]));
    assert_eq!(game.player(), 1);
    assert!(game.stroke().on.iter().all(|ball| ball.0 > 8));
}

#[test]
fn on_an_open_table_the_8_may_not_be_hit_first_and_a_foul_decides_nothing() {
    let mut game = open_table();
    assert_eq!(game.shot("2@3", "0-8 2@3").fouls, [Foul::WrongBallFirst(BallName::Number(8))]);
    assert_eq!(game.rules.notes(Player(1))[0], Note::OpenTable);
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
    assert_eq!(game.rules.notes(Player(0)), [Note::Stripes, Note::PlaysAt(BallName::Number(8))]);
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
    assert_eq!(game.rules.notes(Player(1))[0], Note::Solids);
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
