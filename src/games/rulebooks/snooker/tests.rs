//! The clauses of the rules. Ball 0 is the cue ball, 1 to 15 are red, 16 to 21 are yellow to black.

use bevy::math::vec2;
use proptest::prelude::*;

use super::*;
use crate::games::{
    rules::{Call, PocketId},
    test_support::{Played, begin, random_play, table},
};

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
fn fouls_cost_what_the_rules_say() {
    // With a red on: the penalty of the first ball hit, or of one that is potted, if it is more than 4.
    for (events, penalty) in [
        ("", 4),
        ("0-16", 4),
        ("0-18", 4),
        ("0-19", 5),
        ("0-20", 6),
        ("0-21", 7),
        ("0-1 21@0", 7),
        ("0-1 1@0 19@0", 5),
        ("0-1 0@0", 4),
        ("0-1 1@0 0@0", 4),
        ("0-1 20!", 6),
        ("0-1 1!", 4),
        ("0-1 0!", 4),
        // Only the highest counts.
        ("0-19 21@0 16@1 0@0", 7),
    ] {
        let mut played = frame();
        let verdict = played.shot("", events);
        assert_eq!((verdict.points, verdict.goes_on), ([0, penalty], false), "{events}");
        assert!(!verdict.fouls.is_empty());
        assert_eq!((played.rules.score(), played.player()), ([0, penalty], 1));
    }
    // With a nominated colour on.
    for (call, events, penalty) in [
        ("16@0", "", 4),
        ("20@0", "", 6),
        ("20@0", "0-16", 6),
        ("16@0", "0-20", 6),
        ("16@0", "0-2", 4),
        ("16@0", "0-16 16@0 21@0", 7),
        ("19@0", "0-19 19@0 2@0", 5),
    ] {
        let mut played = frame();
        played.shot("", "0-1 1@0");
        assert_eq!(points(&mut played, call, events), [0, penalty], "{call}: {events}");
    }
}

#[test]
fn the_worked_cases() {
    assert_eq!(points(&mut frame(), "", "0-19"), [0, 5], "on a red, first hit blue");
    assert_eq!(points(&mut colours_from(YELLOW), "", ""), [0, 4], "miss all on yellow");
    assert_eq!(points(&mut colours_from(PINK), "", "0-20 0@2"), [0, 6], "on pink, white potted");
    let mut played = frame();
    assert_eq!(points(&mut played, "", "0-1 1@0 2@1"), [2, 0]);
    let mut played = frame();
    played.shot("", "0-1 1@0");
    assert_eq!(points(&mut played, "21@0", "0-21 21@0"), [7, 0]);
    assert_eq!(played.rules.score(), [8, 0]);
}

#[test]
fn reds_in_successive_strokes_and_no_nomination_cost_seven() {
    for (call, events, foul) in [
        ("2@0", "0-2 2@0", Foul::OutOfOrder),
        ("", "0-2", Foul::OutOfOrder),
        ("", "0-16 16@0", Foul::NotNominated),
        ("", "", Foul::NotNominated),
    ] {
        let mut played = frame();
        played.shot("", "0-1 1@0");
        let verdict = played.shot(call, events);
        assert_eq!((verdict.points, verdict.fouls[0]), ([0, 7], foul), "{events}");
    }
}

#[test]
fn a_nomination_may_be_implied_by_option() {
    let mut played = begin(&GAME, r#"{"implied_nomination": true}"#);
    played.shot("", "0-1 1@0");
    assert_eq!(played.stroke().call, CallNeeded::Nothing);
    assert_eq!(points(&mut played, "", "0-18 18@0"), [4, 0]);
    played.shot("", "0-2 2@0");
    assert_eq!(points(&mut played, "", "0-18 18@0 19@0"), [0, 5], "it was the brown");
    let mut played = begin(&GAME, r#"{"implied_nomination": true}"#);
    played.shot("", "0-1 1@0");
    assert_eq!(points(&mut played, "", "0-2"), [0, 7]);
}

#[test]
fn reds_stay_down_and_colours_come_back_after_a_foul() {
    let mut played = frame();
    played.shot("", "0-21 1@0 21@1 20! 2!");
    assert!(!played.layout.is_on_table(BallId(1)) && !played.layout.is_on_table(BallId(2)));
    assert_eq!([played.place(21), played.place(20)], [spot(&played, "black"), spot(&played, "pink")]);
}

#[test]
fn a_ball_whose_spot_is_taken_goes_to_the_highest_free_one() {
    let on = |name: &str| spot(&frame(), name);
    let yellow_goes_to = |at: &[(u8, Vec2)]| {
        let mut played = frame();
        played.shot("", "0-1 1@0");
        // Red 2 lies on the yellow's spot, and the black is off its spot.
        played.shot_to("16@0", "0-16 16@0", &[&[(2, on("yellow")), (21, vec2(0.5, 0.5))], at].concat());
        played.place(YELLOW)
    };
    assert_eq!(yellow_goes_to(&[]), on("black"));
    // A spot on which it would touch a ball is also occupied.
    let beside = (3, on("black") + vec2(0.0, 0.05255));
    assert_eq!(yellow_goes_to(&[beside, (PINK, vec2(0.5, -0.5))]), on("pink"));
    assert_eq!(yellow_goes_to(&[beside]).y, on("yellow").y);
}

#[test]
fn of_several_the_highest_is_spotted_first_where_their_spots_are_taken() {
    // Reds on all spots except the pink's: blue takes it, and brown goes near its own.
    let mut played = frame();
    let on = |name: &str| spot(&frame(), name);
    let at = [(2, on("yellow")), (3, on("green")), (4, on("brown")), (5, on("blue")), (6, on("black"))];
    let moved = [(16, vec2(0.5, 0.7)), (17, vec2(0.5, 0.5)), (20, vec2(0.5, 0.3)), (21, vec2(0.5, -0.3))];
    played.shot_to("", "0-19 19@0 18@0", &[&at[..], &moved[..]].concat());
    assert_eq!(played.place(BLUE), on("pink"));
    let brown = played.place(BROWN);
    assert_eq!(brown.y, 0.0);
    let gap = brown.x - on("brown").x - 0.0525;
    assert!(gap > 0.0 && gap < 2e-4, "not touching, toward the top cushion: {gap}");
}

#[test]
fn pink_and_black_go_below_their_spots_where_there_is_no_room_above() {
    let mut played = frame();
    let on = |name: &str| spot(&frame(), name);
    let black = on("black");
    let mut at =
        vec![(2, on("yellow")), (3, on("green")), (4, on("brown")), (5, on("blue")), (6, on("pink")), (7, black)];
    // Reds from the black spot to the top cushion, leaving no room between them.
    at.extend((0..5).map(|i| (8 + i, black + Vec2::X * (0.0526 * f32::from(i + 1)))));
    at.extend([
        (16, vec2(0.5, 0.7)),
        (17, vec2(0.5, 0.5)),
        (18, vec2(0.5, 0.3)),
        (19, vec2(0.5, -0.3)),
        (20, vec2(0.5, -0.5)),
    ]);
    at.extend((13..16).map(|i| (i, vec2(-0.5, 0.1 * f32::from(i - 13)))));
    at.push((1, vec2(-0.5, -0.2)));
    played.shot_to("", "0-21 21@0", &at);
    let gap = black.x - played.place(21).x - 0.0525;
    assert!(played.place(21).y == 0.0 && gap > 0.0 && gap < 2e-4, "{gap}");
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
fn a_colour_that_is_potted_out_of_order_or_on_a_foul_comes_back() {
    let mut played = colours_from(GREEN);
    assert_eq!(points(&mut played, "", "0-17 17@0 18@0"), [0, 4]);
    assert!(played.layout.is_on_table(BallId(17)) && played.layout.is_on_table(BallId(18)));
    played.choose(Choice::PlayOn);
    assert_eq!(played.stroke().on, [BallId(17)]);
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
fn after_a_foul_the_other_plays_or_has_the_offender_play_again() {
    for (choice, player) in [(Choice::PlayOn, 1), (Choice::PassBack, 0)] {
        let mut played = frame();
        shot_and_lie(&mut played, "", "0-16", vec2(0.0, 0.5));
        assert_eq!(played.player(), 1);
        assert_eq!(played.choose(choice).goes_on, player == 1);
        assert_eq!((played.player(), played.stroke().in_hand, played.stroke().is_free_ball), (player, None, false));
    }
}

/// A foul on the break that leaves the cue ball behind the blue, snookered on all reds.
fn free_ball() -> Played {
    let mut played = frame();
    let verdict = played.shot_to("", "", &[(0, vec2(-1.7, 0.0)), (BLUE, vec2(-1.64, 0.0))]);
    assert!(verdict.remarks.contains(&Remark::FreeBall), "{verdict:?}");
    played
}

#[test]
fn a_free_ball_takes_the_value_of_the_ball_on_and_comes_back() {
    let mut played = free_ball();
    played.choose(Choice::PlayOn);
    let stroke = played.stroke();
    assert_eq!((stroke.is_free_ball, stroke.on.len(), stroke.call), (true, 21, CallNeeded::Ball));
    let verdict = played.shot("21@0", "0-21 21@0");
    assert_eq!((verdict.points, verdict.goes_on), ([0, 1], true));
    assert!(played.layout.is_on_table(BallId(21)));
    assert_eq!(played.stroke().on.len(), 6, "a colour follows, as after a red");
    assert!(!played.stroke().is_free_ball);
    // Reds that fall with it also count.
    let mut played = free_ball();
    played.choose(Choice::PlayOn);
    assert_eq!(points(&mut played, "21@0", "0-21 21@0 1@0"), [0, 2]);
    // A red may be nominated; then it is not a free ball.
    let mut played = free_ball();
    played.choose(Choice::PlayOn);
    assert_eq!(points(&mut played, "1@0", "0-1 1@0"), [0, 1]);
    // It has to be hit first, and costs as much as the ball on.
    for (events, penalty) in [("0-1", 4), ("", 4), ("0-21 0@1", 4), ("0-20", 6), ("0-21 20@0", 6)] {
        let mut played = free_ball();
        played.choose(Choice::PlayOn);
        assert_eq!(points(&mut played, "21@0", events), [penalty, 0], "{events}");
    }
}

#[test]
fn a_free_ball_for_a_colour_scores_once_and_the_ball_on_stays_down() {
    let free_ball_on_green = || {
        let mut played = colours_from(GREEN);
        played.shot_to("", "", &[(0, vec2(-1.7, 0.0)), (BLUE, vec2(-1.64, 0.0)), (GREEN, vec2(1.0, 0.0))]);
        played.choose(Choice::PlayOn);
        assert!(played.stroke().is_free_ball);
        played
    };
    let scorer = usize::from(free_ball_on_green().player());
    for (events, score, green) in [("0-21 21@0", 3, true), ("0-21 17@0", 3, false), ("0-21 21@0 17@0", 3, false)] {
        let mut played = free_ball_on_green();
        assert_eq!(points(&mut played, "21@0", events)[scorer], score, "{events}");
        assert_eq!(played.layout.is_on_table(BallId(GREEN)), green);
        assert!(played.layout.is_on_table(BallId(21)));
        assert_eq!(played.stroke().on, [BallId(if green { GREEN } else { BROWN })]);
    }
}

#[test]
fn a_snooker_behind_the_free_ball_is_a_foul() {
    let mut played = free_ball();
    played.choose(Choice::PlayOn);
    let behind = [(0, vec2(-1.7, 0.3)), (21, vec2(-1.64, 0.29)), (BLUE, vec2(0.0, 0.0))];
    let verdict = played.shot_to("21@0", "0-21", &behind);
    assert_eq!((verdict.points, &verdict.fouls[..]), ([4, 0], &[Foul::SnookeredByFreeBall][..]));
    // Behind another ball it is not a foul.
    let mut played = free_ball();
    played.choose(Choice::PlayOn);
    let behind = [(0, vec2(-1.7, 0.3)), (PINK, vec2(-1.64, 0.29)), (BLUE, vec2(0.0, 0.0))];
    assert!(played.shot_to("21@0", "0-21", &behind).fouls.is_empty());
    // With only pink and black it is allowed.
    let mut played = colours_from(PINK);
    played.shot_to("", "", &[(0, vec2(-1.7, 0.0)), (21, vec2(-1.64, 0.0)), (PINK, vec2(1.0, 0.0))]);
    played.choose(Choice::PlayOn);
    assert!(played.stroke().is_free_ball);
    assert!(played.shot_to("21@0", "0-21", &[(0, vec2(-1.7, 0.3)), (21, vec2(-1.64, 0.29))]).fouls.is_empty());
}

#[test]
fn a_free_ball_is_void_if_the_offender_plays_again_and_may_be_left_out() {
    let mut played = free_ball();
    played.choose(Choice::PassBack);
    assert_eq!((played.player(), played.stroke().is_free_ball, played.stroke().on.len()), (0, false, 15));
    let mut played = begin(&GAME, r#"{"free_ball": false}"#);
    played.shot_to("", "", &[(0, vec2(-1.7, 0.0)), (BLUE, vec2(-1.64, 0.0))]);
    played.choose(Choice::PlayOn);
    assert!(!played.stroke().is_free_ball);
}

#[test]
fn a_cue_ball_in_hand_is_snookered_if_it_is_from_everywhere_in_the_d() {
    // The red is at the top cushion behind the black, or with the black elsewhere.
    for (black, is_free) in [(vec2(1.68, 0.0), true), (vec2(0.0, 0.7), false)] {
        let mut played = frame();
        played.take_away(2..=15);
        played.shot_to("", "0-16 0@0", &[(1, vec2(1.75, 0.0)), (21, black), (PINK, vec2(0.3, 0.7))]);
        played.choose(Choice::PlayOn);
        assert_eq!((played.stroke().is_free_ball, played.stroke().in_hand), (is_free, Some(Region::D)));
    }
}

#[test]
fn a_miss_lets_the_stroke_be_played_again_from_where_it_was() {
    let mut played = frame();
    shot_and_lie(&mut played, "", "0-1", vec2(0.0, 0.6));
    let before = played.layout.clone();
    // Player 1 hits the brown first, with reds in sight.
    let verdict = played.shot_to("", "0-18", &[(0, vec2(-1.2, 0.3)), (BROWN, vec2(-0.8, 0.1))]);
    assert_eq!((verdict.points, played.player()), ([4, 0], 0));
    assert_eq!(played.choices(), [Choice::PlayOn, Choice::PassBack, Choice::Replay]);
    assert!(!played.choose(Choice::Replay).goes_on);
    assert_eq!((&played.layout, played.player(), played.stroke().in_hand), (&before, 1, None));
    assert_eq!(played.stroke().on.len(), 15);
    // After another choice it is not offered later.
    played.shot("", "0-18");
    played.choose(Choice::PlayOn);
    played.shot("", "0-1");
    assert!(played.rules.choose(Choice::Replay, &played.layout).is_err());
}

#[test]
fn a_miss_needs_a_ball_on_in_sight_unless_every_failure_is_one() {
    for (rule, hidden, open) in [("off", false, false), ("in-sight", false, true), ("always", true, true)] {
        for (blue, expected) in [(vec2(-1.64, 0.0), hidden), (vec2(0.0, 0.0), open)] {
            let mut played = begin(&GAME, &format!(r#"{{"miss": "{rule}", "free_ball": false}}"#));
            played.shot_to("", "0-1", &[(0, vec2(-1.7, 0.0)), (BLUE, blue), (BROWN, vec2(-0.9, 0.4))]);
            played.shot("", "");
            assert_eq!(played.choices().contains(&Choice::Replay), expected, "{rule}, blue at {blue}");
        }
    }
}

#[test]
fn there_is_no_miss_where_a_player_needs_the_points_of_fouls() {
    // 27 points are left. After three times 8 points player 0 leads by 28 once player 1 has fouled, after two times 8
    // by 20.
    for (reds, is_miss) in [(3, false), (2, true)] {
        let mut played = frame();
        for red in 1..=reds {
            played.shot("", &format!("0-{red} {red}@0"));
            played.shot("21@0", "0-21 21@0");
        }
        played.take_away(reds + 1..=15);
        shot_and_lie(&mut played, "", "0-1", vec2(-0.5, -0.29));
        assert_eq!(played.rules.score(), [8 * i32::from(reds), 0]);
        played.shot("", "");
        assert_eq!(played.choices().contains(&Choice::Replay), is_miss);
    }
}

#[test]
fn a_ball_that_is_hit_makes_no_miss() {
    let mut played = frame();
    shot_and_lie(&mut played, "", "0-1 0@0", vec2(0.0, 0.5));
    assert_eq!(played.choices(), [Choice::PlayOn, Choice::PassBack]);
}

#[test]
fn three_misses_with_a_ball_on_in_full_sight_lose_the_frame() {
    let misses = |options: &str| {
        let mut played = begin(&GAME, options);
        shot_and_lie(&mut played, "", "0-1", vec2(0.0, 0.6));
        played.shot("", "");
        assert!(played.choose(Choice::Replay).remarks.is_empty());
        played.shot("", "");
        played
    };
    let mut played = misses("{}");
    assert_eq!(played.choose(Choice::Replay).remarks, [Remark::ThirdMissLoses]);
    played.shot("", "");
    assert_eq!((played.winner(), played.rules.score()), (Some(0), [12, 0]));
    // Playing on starts a new count.
    let mut played = misses("{}");
    played.choose(Choice::PassBack);
    played.shot("", "");
    assert_eq!(played.winner(), None);
    let mut played = misses(r#"{"three_misses": false}"#);
    // There is no limit to them.
    for _ in 0..300 {
        assert!(played.choose(Choice::Replay).remarks.is_empty());
        played.shot("", "");
    }
    assert_eq!(played.winner(), None);
}

#[test]
fn a_foul_on_the_last_black_ends_the_frame() {
    let mut played = colours_from(21);
    let player = played.player();
    let verdict = played.shot("", "");
    assert_eq!((verdict.points[usize::from(1 - player)], played.winner()), (7, Some(1 - player)));
    // A foul that leaves only the black does not end it.
    let mut played = colours_from(PINK);
    played.shot("", "0-21 20@0");
    assert_eq!(played.winner(), None);
}

#[test]
fn level_scores_bring_the_black_back_and_lots_are_drawn() {
    let begin = |score: [i32; 2]| {
        let table = table("snooker-12ft");
        let mut frame = Snooker::new(&table, &Options::new()).unwrap();
        let mut layout = frame.layout(3);
        for ball in 1..21 {
            layout[BallId(ball)] = BallPlace::Pocket(PocketId(0));
        }
        layout[CUE_BALL] = BallPlace::Table(vec2(0.0, 0.3));
        (frame.standing.score, frame.on) = (score, On::Colour(BallId(21)));
        frame.standing.turn = frame.shoot(Player(0), &layout, false);
        Played { rules: Box::new(frame), table, layout }
    };
    // A foul may also make the scores level.
    let mut played = begin([57, 50]);
    assert_eq!((played.shot("", "").points, played.rules.score(), played.winner()), ([0, 7], [57, 57], None));
    assert_eq!(played.choices(), [Choice::GoFirst, Choice::LetGoFirst]);
    let mut played = begin([50, 57]);
    let verdict = played.shot("", "0-21 21@0");
    assert_eq!((verdict.points, played.winner()), ([7, 0], None));
    assert_eq!(played.choices(), [Choice::GoFirst, Choice::LetGoFirst]);
    assert_eq!((played.place(21), played.layout[CUE_BALL]), (spot(&played, "black"), BallPlace::Hand));
    let lot = played.player();
    let again = played.clone();
    for (choice, player) in [(Choice::GoFirst, lot), (Choice::LetGoFirst, 1 - lot)] {
        let mut played = again.clone();
        played.choose(choice);
        assert_eq!((played.player(), played.stroke().in_hand), (player, Some(Region::D)));
        assert_eq!(played.rules.notes(Player(player))[0], Note::BlackRespotted);
        let mut potted = played.clone();
        potted.shot("", "0-21 21@0");
        assert_eq!(potted.winner(), Some(player));
        played.shot("", "0-21");
        assert_eq!((played.winner(), played.player()), (None, 1 - player));
        played.shot("", "");
        assert_eq!(played.winner(), Some(player));
    }
    let lots: Vec<u8> = (0..20).map(|seed| u8::from(Random::new(seed).unit() < 0.5)).collect();
    assert!(lots.contains(&0) && lots.contains(&1));
    assert_eq!(lot, lots[3]);
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
