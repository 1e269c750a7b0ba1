use bevy::math::vec2;
use proptest::prelude::*;

use super::*;
use crate::{
    billiards::cue::{Cue, CueStrike},
    games::{
        simulator::Simulator,
        test_support::{Played, begin, random_play, table},
    },
    random::Random,
};

const FAR: Vec2 = vec2(0.5, 0.3);

/// Delivers the next stone, which comes to rest at `place`.
fn deliver(played: &mut Played, place: Vec2) -> Verdict {
    let stone = played.stroke().cue_ball.0;
    played.shot_to("", "", &[(stone, place)])
}

/// A game of two stones per side with these resting places, in order of delivery.
fn end(places: [Vec2; 4]) -> (Played, Verdict) {
    let mut played = begin(&GAME, r#"{"stones": 2}"#);
    let mut verdict = Verdict::default();
    for place in places {
        verdict = deliver(&mut played, place);
    }
    (played, verdict)
}

fn at(from_button: f32, y: f32) -> Vec2 {
    vec2(1.2 + from_button, y)
}

#[test]
fn stones_are_delivered_in_turn_from_behind_the_line() {
    let mut played = begin(&GAME, "{}");
    assert_eq!(played.layout, Layout::in_hand(8));
    for stone in 0..8 {
        let stroke = played.stroke();
        assert_eq!((stroke.cue_ball, stroke.in_hand), (BallId(stone), Some(Region::BehindHeadString)));
        assert_eq!((played.player(), stroke.is_break), (stone % 2, stone == 0));
        let verdict = deliver(&mut played, vec2(0.4 + 0.1 * f32::from(stone), 0.3));
        assert!(!verdict.goes_on || stone == 7);
    }
    assert_eq!(played.layout, Layout::in_hand(8), "the next end");
}

#[test]
fn stones_nearer_than_the_nearest_of_the_other_side_count() {
    for (places, points) in [
        // Red, yellow, red, yellow.
        ([at(0.0, 0.0), at(0.1, 0.0), at(0.2, 0.0), FAR], [1, 0]),
        ([at(0.0, 0.0), at(0.2, 0.0), at(-0.1, 0.0), FAR], [2, 0]),
        ([at(0.1, 0.0), at(0.2, 0.0), FAR, at(0.0, 0.0)], [0, 1]),
        ([FAR, at(0.1, 0.0), FAR + Vec2::X * 0.1, at(0.0, 0.1)], [0, 2]),
        // A stone that touches the house is in it.
        ([at(-0.329, 0.0), FAR, FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2], [1, 0]),
        ([at(-0.331, 0.0), FAR, FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2], [0, 0]),
        ([at(-0.1, 0.0), at(0.1, 0.0), FAR, FAR + Vec2::X * 0.1], [0, 0]),
    ] {
        let (played, verdict) = end(places);
        assert_eq!((verdict.points, played.rules.score()), (points, points), "{places:?}");
    }
}

#[test]
fn who_scores_begins_the_next_end_and_the_hammer_stays_after_a_blank_one() {
    let (played, _) = end([at(0.0, 0.0), FAR, FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2]);
    assert_eq!((played.player(), played.stroke().cue_ball), (0, BallId(0)));
    let (played, _) = end([FAR, at(0.0, 0.0), FAR + Vec2::X * 0.1, FAR + Vec2::X * 0.2]);
    assert_eq!((played.player(), played.stroke().cue_ball), (1, BallId(1)));
    let second = Note::End { number: 2, of: 4 };
    assert_eq!(
        played.rules.notes(Player(0)),
        [Note::Side(BallName::Red), second.clone(), Note::StonesLeft(2), Note::Hammer]
    );
    assert_eq!(played.rules.notes(Player(1)), [Note::Side(BallName::Yellow), second, Note::StonesLeft(2)]);
    let (played, verdict) = end([0.0, 0.1, 0.2, 0.3].map(|x| FAR + Vec2::X * x - Vec2::X * 0.1));
    assert_eq!((played.player(), verdict.points), (0, [0, 0]));
}

#[test]
fn what_is_short_touches_a_board_or_lies_beyond_the_back_line_is_out() {
    for (events, place, is_out) in [
        ("", vec2(0.331, 0.0), false),
        ("", vec2(0.329, 0.0), true),
        ("", vec2(1.529, 0.0), false),
        ("", vec2(1.531, 0.0), true),
        ("1/0", vec2(1.0, 0.0), true),
        // A stone stopped by another may lie short.
        ("1-0", vec2(0.2, 0.0), false),
    ] {
        let mut played = begin(&GAME, "{}");
        deliver(&mut played, vec2(0.5, 0.2));
        let verdict = played.shot_to("", events, &[(1, place)]);
        assert_eq!(played.layout[BallId(1)] == BallPlace::Off, is_out, "{events} {place}");
        assert_eq!(verdict.remarks.is_empty(), !is_out);
    }
    // A stone knocked off is out, whichever side it belongs to.
    let mut played = begin(&GAME, "{}");
    deliver(&mut played, at(0.0, 0.0));
    played.shot_to("", "0-1 0/1", &[(1, at(0.0, 0.0)), (0, vec2(1.7, 0.0))]);
    assert_eq!(played.layout[BallId(0)], BallPlace::Off);
    let mut played = begin(&GAME, r#"{"boards_are_out": false}"#);
    played.shot_to("", "0/0", &[(0, at(0.0, 0.0))]);
    assert!(played.layout.is_on_table(BallId(0)));
}

#[test]
fn after_the_last_end_the_higher_score_wins_and_a_level_one_is_played_out() {
    let mut played = begin(&GAME, r#"{"stones": 1, "ends": 2}"#);
    deliver(&mut played, at(0.0, 0.0));
    deliver(&mut played, FAR);
    deliver(&mut played, FAR);
    let verdict = deliver(&mut played, at(0.0, 0.0));
    assert_eq!((played.rules.score(), played.winner()), ([1, 1], None));
    assert!(verdict.remarks.contains(&Remark::ExtraEnd));
    assert_eq!(played.rules.notes(Player(0))[1], Note::ExtraEnd);
    deliver(&mut played, FAR);
    deliver(&mut played, at(0.0, 0.0));
    assert_eq!((played.rules.score(), played.winner()), ([2, 1], Some(0)));
}

#[test]
fn options_and_tables_that_do_not_fit_are_named() {
    let with = |name: &str, value: u8| {
        let mut options = Options::new();
        options.insert(name.to_owned(), value.into());
        (GAME.begin)(&table("curling"), &options).map(|_| ())
    };
    assert!(with("ends", 0).unwrap_err().contains("1 to 20"));
    assert!(with("stones", 9).unwrap_err().contains("1 to 8"));
    assert_eq!(with("stones", 8), Ok(()));
    assert!(with("extra_ends", 0).unwrap_err().contains("1 to 20"));
    assert!((GAME.begin)(&table("pool-9ft"), &Options::new()).unwrap_err().contains("button"));
}

#[test]
fn after_the_last_extra_end_the_nearest_stone_wins_or_who_has_not_the_hammer() {
    // Blank ends: no stone is in the house.
    for (extra, last, winner, said) in [
        (1, [FAR, FAR + Vec2::X * 0.1], Some(1), Remark::NearestStoneWins(BallName::Yellow)),
        (2, [FAR + Vec2::X * 0.1, FAR], Some(0), Remark::NearestStoneWins(BallName::Red)),
        (2, [vec2(-1.0, 0.0), vec2(-1.0, 0.2)], Some(0), Remark::WithoutHammerWins),
    ] {
        let mut played = begin(&GAME, &format!(r#"{{"stones": 1, "ends": 1, "extra_ends": {extra}}}"#));
        for _ in 0..extra {
            deliver(&mut played, FAR);
            deliver(&mut played, FAR + Vec2::X * 0.1);
            assert_eq!(played.winner(), None);
        }
        deliver(&mut played, last[0]);
        let verdict = deliver(&mut played, last[1]);
        assert_eq!((played.winner(), played.rules.score()), (winner, [0, 0]));
        assert!(verdict.remarks.contains(&said), "{verdict:?}");
    }
    let mut played = begin(&GAME, r#"{"stones": 1, "ends": 1, "extra_ends": null}"#);
    for _ in 0..60 {
        deliver(&mut played, FAR);
    }
    assert_eq!(played.winner(), None, "as on ice");
}

#[test]
fn the_outlook_likes_points_stones_that_count_and_the_hammer() {
    let outlook = |played: &Played| played.rules.outlook(&played.layout).unwrap();
    let mut played = begin(&GAME, "{}");
    assert!(outlook(&played) < 0.5, "the other side has the hammer");
    deliver(&mut played, at(0.2, 0.0));
    let lies = outlook(&played);
    assert!(lies > 0.5);
    let mut nearer = played.clone();
    nearer.layout[BallId(0)] = BallPlace::Table(at(0.1, 0.0));
    assert!(outlook(&nearer) > lies);
    deliver(&mut played, at(0.05, 0.0));
    assert!(outlook(&played) < 0.5, "the other stone is nearer");
}

#[test]
fn real_stones_slide_to_the_button_and_knock_each_other_away() {
    let mut played = begin(&GAME, r#"{"stones": 1, "ends": 1}"#);
    let mut simulator = Simulator::new(played.table.clone());
    let cue = Cue::default();
    let mut deliver = |played: &mut Played, way: f64| {
        let stone = played.stroke().cue_ball;
        let mut layout = played.layout.clone();
        let hack = Region::BehindHeadString.any_place(&played.table, &layout, stone).unwrap();
        assert_eq!(Some(hack), played.table.spot("hack"));
        layout[stone] = BallPlace::Table(hack);
        // A sliding disc stops after v² / 2 μ g.
        let speed = (2.0 * 0.015 * 9.81 * way).sqrt();
        let strike = CueStrike::default().with_ball_speed(&cue, &simulator.body(), speed);
        let shot = simulator.play(&layout, stone, &strike, &cue).unwrap();
        played.judge(&shot)
    };
    deliver(&mut played, 2.9);
    assert!(played.place(0).distance(vec2(1.2, 0.0)) < 0.01, "{:?}", played.layout);
    // The second stone is faster than needed, takes the place of the first, and sends it to the board.
    let verdict = deliver(&mut played, 8.0);
    assert_eq!(verdict.points, [0, 1], "{verdict:?}");
    assert_eq!(played.layout[BallId(0)], BallPlace::Off);
}

#[test]
fn a_game_is_played_with_real_stones() {
    let Played { mut rules, table, .. } = begin(&GAME, r#"{"ends": 3}"#);
    random_play::play_for_real(rules.as_mut(), &table, &mut Random::new(1), 100);
    assert!(
        rules.notes(Player(0)).is_empty() || matches!(rules.notes(Player(0))[1], Note::End { .. } | Note::ExtraEnd),
        "{rules:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_a_game_stays_whole_and_ends(seed: u64, ends in 1..6_u8, stones in 1..=8_u8, boards: bool) {
        let most = usize::from(ends + 3) * 2 * usize::from(stones);
        let options = format!(r#"{{"ends": {ends}, "stones": {stones}, "boards_are_out": {boards}}}"#);
        let Played { mut rules, table, .. } = begin(&GAME, &options);
        let mut score = [0, 0];
        let ended = random_play::play(rules.as_mut(), &table, &mut Random::new(seed), most, |rules, verdict| {
            for player in 0..2 {
                assert!((0..=i32::from(stones)).contains(&verdict.points[player]));
                assert_eq!(rules.score()[player], score[player] + verdict.points[player]);
            }
            assert!(verdict.points.contains(&0), "one side scores");
            score = rules.score();
        });
        prop_assert!(ended);
    }
}
