//! The clauses of the rules. Ball 0 is the cue ball, 1 to 15 are red, 16 to 21 are yellow to black.

use bevy::math::vec2;
use proptest::prelude::*;

use super::*;
use crate::games::{
    rules::{Call, PocketId},
    test_support::{Played, begin, random_play, table},
};

mod end_of_frame;
mod fouls;
mod free_balls;
mod misses;
mod spotting;

const YELLOW: u8 = 16;
const GREEN: u8 = 17;
const BROWN: u8 = 18;
const BLUE: u8 = 19;
const PINK: u8 = 20;

fn frame() -> Played {
    begin(&GAME, "{}")
}

/// A frame without reds and without the colours below this one.
fn colours_from(first: u8) -> Played {
    let mut played = frame();
    played.take_away(1..=15);
    // A stroke without effect makes the rules notice it, and the turn passes to player 1.
    played.shot("", "0-1");
    played.take_away(16..first);
    played.shot("", "0-16");
    played
}

fn points(played: &mut Played, call: &str, events: &str) -> [i32; 2] {
    played.shot(call, events).points
}

/// A shot after which the cue ball lies at `place`.
fn shot_and_lie(played: &mut Played, call: &str, events: &str, place: Vec2) -> Verdict {
    played.shot_to(call, events, &[(0, place)])
}

fn spot(played: &Played, name: &str) -> Vec2 {
    played.table.spot(name).unwrap()
}

/// A foul on the break that leaves the cue ball behind the blue, snookered on all reds.
fn free_ball() -> Played {
    let mut played = frame();
    let verdict = played.shot_to("", "", &[(0, vec2(-1.7, 0.0)), (BLUE, vec2(-1.64, 0.0))]);
    assert!(verdict.remarks.contains(&Remark::FreeBall), "{verdict:?}");
    played
}

#[test]
fn a_frame_begins_in_the_d_with_a_red_on() {
    for (options, reds) in [("{}", 15), (r#"{"reds": 10}"#, 10), (r#"{"reds": 6}"#, 6)] {
        let played = begin(&GAME, options);
        let stroke = played.stroke();
        assert_eq!((stroke.in_hand, stroke.on.len(), stroke.is_break), (Some(Region::D), reds, true));
        assert_eq!((played.layout.len(), stroke.call), (reds + 7, CallNeeded::Nothing));
        assert_eq!(
            played.rules.notes(Player(0)),
            [Note::BallOn(BallName::Red), Note::PointsOnTable(8 * reds as i32 + 27)]
        );
    }
    let mut options = Options::new();
    options.insert("reds".to_owned(), 7.into());
    let why = (GAME.begin)(&table("snooker-12ft"), &options).unwrap_err();
    assert!(why.contains("15, 10 or 6"), "{why}");
    assert!((GAME.begin)(&table("pool-9ft"), &Options::new()).is_err());
}

#[test]
fn a_red_then_a_nominated_colour_then_a_red() {
    let mut played = frame();
    let verdict = played.shot("", "0-1 1@0");
    assert_eq!((verdict.points, verdict.goes_on, played.player()), ([1, 0], true, 0));
    let stroke = played.stroke();
    assert_eq!((stroke.on.len(), stroke.call), (6, CallNeeded::Ball));
    assert!(stroke.refusal(&Call::default()).is_some());
    assert!(stroke.refusal(&Call { ball: Some(BallId(2)), ..Call::default() }).is_some(), "a red is not on");
    let verdict = played.shot("21@0", "0-21 21@3");
    assert_eq!((verdict.points, played.rules.current_break()), ([7, 0], 8));
    assert_eq!(played.place(21), spot(&played, "black"), "it is back on its spot");
    assert_eq!((played.stroke().on.len(), played.stroke().call), (14, CallNeeded::Nothing));
    played.shot("", "0-2");
    assert_eq!((played.player(), played.rules.current_break(), played.rules.score()), (1, 0, [8, 0]));
}

#[test]
fn several_reds_in_one_stroke_count_one_each() {
    assert_eq!(points(&mut frame(), "", "0-1 1@0 2@1"), [2, 0]);
    let mut played = frame();
    played.shot("", "0-1 1@0 2@0 3@0");
    assert_eq!(played.stroke().on, (16..22).map(BallId).collect::<Vec<_>>());
}

#[test]
fn after_the_reds_the_colours_go_in_order() {
    let mut played = frame();
    played.take_away(2..=15);
    played.shot("", "0-1 1@0");
    assert_eq!(played.stroke().on.len(), 6, "any colour goes with the last red");
    assert_eq!(points(&mut played, "21@0", "0-21 21@0"), [7, 0]);
    assert!(played.layout.is_on_table(BallId(21)), "and comes back");
    for (ball, value) in (16..21).zip(2..) {
        assert_eq!(played.stroke().on, [BallId(ball)]);
        assert_eq!(points(&mut played, "", &format!("0-{ball} {ball}@0")), [value, 0]);
        assert!(!played.layout.is_on_table(BallId(ball)), "it stays down");
    }
    assert_eq!(played.winner(), None);
    assert_eq!(points(&mut played, "", "0-21 21@0"), [7, 0]);
    assert_eq!((played.winner(), played.rules.score()), (Some(0), [35, 0]));
}

#[test]
fn a_missed_last_colour_after_a_red_makes_the_yellow_on() {
    let mut played = frame();
    played.take_away(2..=15);
    played.shot("", "0-1 1@0");
    played.shot("21@0", "0-21");
    assert_eq!((played.player(), played.stroke().on), (1, vec![BallId(YELLOW)]));
}

#[test]
fn a_potted_cue_ball_is_in_hand_in_the_d() {
    let mut played = frame();
    played.shot("", "0-1 0@2");
    assert_eq!(played.layout[CUE_BALL], BallPlace::Hand);
    played.choose(Choice::PlayOn);
    assert_eq!(played.stroke().in_hand, Some(Region::D));
}

#[test]
fn a_touching_ball_that_is_on_counts_as_hit_and_must_be_played_away_from() {
    let touching = |ball: u8| {
        let mut played = frame();
        played.shot_to("", "0-1", &[(ball, vec2(0.0, 0.5)), (0, vec2(0.0, 0.55251))]);
        played
    };
    assert!(touching(1).shot("", "").fouls.is_empty(), "away from a red");
    assert!(touching(1).shot("", "0/1 0-1").fouls.is_empty(), "and back to it");
    assert_eq!(touching(1).shot("", "0-1").fouls, [Foul::PushStroke(BallName::Red)]);
    assert_eq!(touching(BLUE).shot("", "").fouls, [Foul::NoHit], "the blue is not on");
    assert_eq!(touching(GREEN).shot("", "0-17").points, [4, 0]);
}

#[test]
fn a_jump_shot_is_a_foul_with_three_exceptions() {
    let fouls = |events: &str| frame().shot("", events).fouls;
    let over_red = [Foul::Jump(BallName::Red)];
    // Over a ball that is not touched, or only on the way.
    assert_eq!(fouls("0^2 0-1"), over_red);
    assert_eq!(fouls("0-1 0^1"), over_red);
    assert_eq!(fouls("0/1 0^2 0-1 0-3"), over_red, "a cushion before the first hit changes nothing");
    // (a) It first hits one ball and then jumps over another.
    assert!(fouls("0-1 0^2").is_empty());
    assert!(fouls("0-1 0^20").is_empty());
    // (b) It jumps and hits a ball, and does not land on the far side: it has not passed over it.
    assert!(fouls("0-1").is_empty());
    // (c) After a hit it jumps over that ball, having touched a cushion or another ball.
    assert!(fouls("0-1 0/3 0^1").is_empty());
    assert!(fouls("0-1 0-2 0^1").is_empty());
    assert_eq!(fouls("0-1 2/3 2-5 0^1"), over_red, "what other balls touch does not count");
    // Other balls may fly.
    assert!(fouls("0-1 1^2").is_empty());
    // Only one of several balls is named.
    assert_eq!(fouls("0^20 0^21 0-1"), [Foul::Jump(BallName::Pink)]);
}

#[test]
fn a_jump_shot_costs_the_value_of_the_ball_on() {
    // Over the black, with a red on.
    let verdict = frame().shot("", "0^21 0-1");
    assert_eq!((verdict.fouls, verdict.points), (vec![Foul::Jump(BallName::Black)], [0, 4]));
    // With the black nominated, over a red.
    let mut played = frame();
    played.shot("", "0-1 1@0");
    assert_eq!(played.shot("21@0", "0^2 0-21").points, [0, 7]);
    // Another foul can cost more.
    assert_eq!(frame().shot("", "0^1 0-20").points, [0, 6]);
}

#[test]
fn a_ball_forced_off_the_table_costs_its_value_or_that_of_the_ball_on() {
    let off = |events: &str| frame().shot("", events);
    let verdict = off("0-1 1!");
    assert_eq!((verdict.fouls, verdict.points), (vec![Foul::OffTable(BallName::Red)], [0, 4]));
    assert_eq!(off("0-1 20!").points, [0, 6]);
    assert_eq!(off("0-1 0!").points, [0, 4]);
    assert_eq!(off("0-1 17! 21!").points, [0, 7]);
    // A red stays off, a colour is spotted, and the cue ball is in hand.
    let mut played = frame();
    played.shot("", "0-1 1! 21! 0!");
    assert_eq!((played.layout[BallId(1)], played.layout[CUE_BALL]), (BallPlace::Off, BallPlace::Hand));
    let black = played.table.spot("black").unwrap();
    assert_eq!(played.layout[BallId(21)], BallPlace::Table(black));
    // With the black on, a ball of lower value costs as much as the black.
    let mut played = frame();
    played.shot("", "0-1 1@0");
    assert_eq!(played.shot("21@0", "0-21 16!").points, [0, 7]);
}

#[test]
fn a_maximum_is_147_and_155_with_a_free_ball() {
    let clear = |played: &mut Played| {
        for red in 1..=15 {
            played.shot("", &format!("0-{red} {red}@0"));
            played.shot("21@0", "0-21 21@0");
        }
        for colour in 16..=21 {
            played.shot("", &format!("0-{colour} {colour}@0"));
        }
    };
    let mut played = frame();
    clear(&mut played);
    assert_eq!((played.rules.score(), played.rules.current_break(), played.winner()), ([147, 0], 147, Some(0)));
    let mut played = free_ball();
    played.choose(Choice::PlayOn);
    played.shot("21@0", "0-21 21@0");
    played.shot("21@0", "0-21 21@0");
    clear(&mut played);
    assert_eq!((played.rules.score(), played.rules.current_break()), ([0, 4 + 155], 155));
}

#[test]
fn notes_say_what_is_on_and_when_fouls_are_needed() {
    let mut played = colours_from(PINK);
    let player = Player(played.player());
    assert_eq!(played.rules.notes(player), [Note::BallOn(BallName::Pink), Note::PointsOnTable(13)]);
    assert!(played.rules.notes(player.other()).is_empty());
    for _ in 0..3 {
        let offender = played.player();
        played.shot("", "");
        assert_eq!(played.player(), 1 - offender);
        played.choose(Choice::PassBack);
    }
    assert!(played.rules.notes(player).contains(&Note::NeedsSnookers), "{:?}", played.rules);
}

#[test]
fn a_frame_is_played_with_real_balls() {
    let Played { mut rules, table, .. } = begin(&GAME, r#"{"reds": 6, "implied_nomination": true}"#);
    let mut random = Random::new(1);
    random_play::play_for_real(rules.as_mut(), &table, &mut random, 150);
    assert!(rules.score().iter().sum::<i32>() > 0, "{rules:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_frame_stays_whole(
        seed: u64,
        reds in prop::sample::select(vec![15_u8, 10, 6]),
        miss in prop::sample::select(vec!["off", "in-sight", "always"]),
        free_ball: bool,
        implied: bool,
    ) {
        let options = format!(
            r#"{{"reds": {reds}, "miss": "{miss}", "free_ball": {free_ball}, "implied_nomination": {implied}}}"#
        );
        let Played { mut rules, table, .. } = begin(&GAME, &options);
        let mut score = [0, 0];
        let most = 8 * i32::from(reds) + 27;
        let mut free_balls = 0;
        let ended = random_play::play(rules.as_mut(), &table, &mut Random::new(seed), 1500, |rules, verdict| {
            let now = rules.score();
            for player in 0..2 {
                assert!(verdict.points[player] >= 0);
                assert_eq!(now[player], score[player] + verdict.points[player]);
            }
            assert!(verdict.fouls.is_empty() || verdict.points.iter().all(|&points| points == 0 || (4..=7).contains(&points)));
            assert!(verdict.points.contains(&0), "one player scores");
            score = now;
            if let Task::Shoot(ShotConstraints { is_free_ball: true, .. }) = rules.turn().task {
                free_balls += 1;
            }
            assert!(rules.current_break() <= most + if free_balls > 0 { 8 } else { 0 });
        });
        prop_assert!(ended);
    }
}
