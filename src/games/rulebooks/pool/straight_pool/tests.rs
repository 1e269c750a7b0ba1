use bevy::math::vec2;

use super::*;
use crate::games::{
    rules::PocketId,
    test_support::{Played, begin},
};

/// After a legal opening break that potted nothing. Player 1 shoots.
fn opened() -> Played {
    let mut game = begin(&GAME, "{}");
    assert!(game.shot("safe", "0-1 1/2 2/2 0/4").fouls.is_empty());
    game
}

/// Two balls are left: the 1 at `last`, and the 2. Player 1 then pots the 2, and the cue ball ends at `cue_ball`.
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
    // With the cue ball potted: it is in hand behind the head string, and the breaking foul counts.
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
            assert!(verdict.remarks.contains(&Remark::SecondFoul));
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
    assert!(
        game.rules.notes(Player(1)).iter().all(|note| !matches!(note, Note::Fouls(_))),
        "they are counted from zero"
    );
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
    let table = crate::games::test_support::table("pool-9ft");
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
    let table = crate::games::test_support::table("pool-9ft");
    let rules = StraightPool::new(&table, &Options::new()).unwrap();
    let (tip, radius) = (table.spot("foot").unwrap(), table.ball_radius());
    assert!(rules.interferes(tip));
    assert!(rules.interferes(tip - Vec2::X * (1.99 * radius)));
    assert!(!rules.interferes(tip - Vec2::X * (2.01 * radius)));
    let middle = rules.setting.places.iter().sum::<Vec2>() / 15.0;
    assert!(rules.interferes(middle));
    // A ball between two balls of the last row overlaps each of them less.
    let last_row = 0.5 * (rules.setting.places[12] + rules.setting.places[13]);
    assert!(rules.interferes(last_row + Vec2::X * (1.99 * radius)));
    assert!(!rules.interferes(last_row + Vec2::X * (2.01 * radius)));
}

#[test]
fn the_table_of_racking_cases() {
    let table = crate::games::test_support::table("pool-9ft");
    let [head, centre, foot] = ["head", "centre", "foot"].map(|name| table.spot(name).unwrap());
    let (in_rack, also_in_rack) = (foot + vec2(0.03, 0.01), foot + vec2(0.15, 0.0));
    let near_head = head + vec2(0.02, 0.01);
    let in_kitchen = vec2(-1.0, 0.3);
    let elsewhere = vec2(0.2, 0.4);
    // The last ball and the cue ball; where both are afterwards (`None` is in hand behind the head string), and the
    // number of balls in the rack.
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
        assert!(racked == 14 || game.place(1) == foot, "the fifteenth ball is on the foot spot: {case}");
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
        assert_eq!(game.place(1), game.table.spot("foot").unwrap(), "the one that fell last");
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

#[test]
fn a_foul_in_the_longest_game_leaves_no_more_to_go_than_there_can_be() {
    let mut game = begin(&GAME, r#"{"points": 2147483647}"#);
    game.shot("safe", "");
    assert_eq!(game.rules.score(), [-2, 0]);
    assert_eq!(game.rules.notes(Player(0))[0], Note::ToGo(i32::MAX));
    assert_eq!(game.rules.notes(Player(1))[0], Note::ToGo(i32::MAX));
}
