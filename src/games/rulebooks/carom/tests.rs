use bevy::math::vec2;
use proptest::prelude::*;

use super::*;
use crate::{
    games::{
        rules::{Options, Outcome, Task},
        test_support::{Played, begin, random_play, table},
    },
    random::Random,
};

/// Expands `C` to a cushion, and `A` and `B` to the opponent's ball and the red.
fn word(word: &str, cue_ball: u8) -> String {
    let other = 1 - cue_ball;
    let event = |letter| match letter {
        'C' => format!("{cue_ball}/0"),
        'A' => format!("{cue_ball}-{other}"),
        'B' => format!("2-{cue_ball}"),
        _ => panic!("{letter}"),
    };
    word.chars().map(event).collect::<Vec<_>>().join(" ")
}

/// A game after the opening, in which player 1 plays with the yellow.
fn second(game: &Game, options: &str) -> Played {
    let mut played = begin(game, options);
    played.shot_to("", "0-2", &[(0, vec2(0.3, 0.4)), (2, vec2(0.4, -0.3))]);
    assert_eq!((played.player(), played.stroke().cue_ball), (1, BallId(1)));
    played
}

#[test]
fn the_words_of_three_cushion() {
    for (letters, is_point) in [
        ("ACCCB", true),
        ("CCCAB", true),
        ("CACCB", true),
        ("CCACB", true),
        ("ACCACB", true),
        ("BCCCA", true),
        ("ACCBC", false),
        ("ABCCC", false),
        ("CCA", false),
        ("CCCA", false),
        ("CCCAA", false),
        ("", false),
    ] {
        let mut played = second(&THREE_CUSHION, "{}");
        let verdict = played.shot("", &word(letters, 1));
        assert_eq!((verdict.points, verdict.goes_on), ([0, i32::from(is_point)], is_point), "{letters}");
        assert_eq!(played.player(), u8::from(is_point));
        assert!(verdict.fouls.is_empty(), "a miss is not a foul");
    }
}

#[test]
fn what_other_balls_do_does_not_count() {
    let mut played = second(&THREE_CUSHION, "{}");
    assert_eq!(played.shot("", "1-0 0/0 0/1 0/2 0-2 1-2").points, [0, 0]);
}

#[test]
fn straight_rail_needs_both_balls_and_one_cushion_a_cushion_before_the_second() {
    for (letters, rail, cushion) in
        [("AB", 1, 0), ("BA", 1, 0), ("ACB", 1, 1), ("CAB", 1, 1), ("ABC", 1, 0), ("A", 0, 0), ("CCC", 0, 0)]
    {
        for (game, points) in [(STRAIGHT_RAIL, rail), (ONE_CUSHION, cushion)] {
            let verdict = second(&game, "{}").shot("", &word(letters, 1));
            assert_eq!(verdict.points, [0, points], "{}: {letters}", game.name);
        }
    }
}

#[test]
fn it_begins_from_the_starting_position_and_with_the_red() {
    let mut played = begin(&THREE_CUSHION, "{}");
    let spot = |name: &str| played.table.spot(name).unwrap();
    assert_eq!([0, 1, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
    assert_eq!((played.stroke().on, played.stroke().is_break), (vec![RED], true));
    let mut wrong = played.clone();
    let verdict = wrong.shot("", &word("ACCCB", 0));
    assert_eq!((verdict.points, verdict.fouls), ([0, 0], vec![Foul::WrongBallFirst(BallName::Yellow)]));
    assert_eq!(played.shot("", &word("BCCCA", 0)).points, [1, 0]);
    assert!(played.stroke().on.is_empty(), "then either may come first");
    assert_eq!(played.shot("", &word("ACCCB", 0)).points, [1, 0]);
    assert_eq!(played.rules.current_break(), 2);
}

#[test]
fn a_miss_ends_the_inning_and_the_balls_stay() {
    let mut played = second(&THREE_CUSHION, "{}");
    let layout = played.layout.clone();
    let verdict = played.shot("", "1-2");
    assert_eq!((verdict.placed.len(), &played.layout), (0, &layout));
    assert_eq!((played.player(), played.stroke().cue_ball), (0, BallId(0)));
}

#[test]
fn the_second_player_has_an_equalising_inning_from_the_starting_position() {
    let reach = |options: &str| {
        let mut played = begin(&THREE_CUSHION, options);
        played.shot("", &word("BCCCA", 0));
        played.shot("", &word("BCCCA", 0));
        played
    };
    let mut played = reach(r#"{"points": 2}"#);
    let spot = |name: &str| played.table.spot(name).unwrap();
    assert_eq!((played.player(), played.winner()), (1, None));
    assert_eq!([1, 0, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
    assert_eq!(played.stroke().on, [RED]);
    let mut missed = played.clone();
    missed.shot("", &word("BCCCA", 1));
    missed.shot("", "1-2");
    assert_eq!((missed.winner(), missed.rules.score()), (Some(0), [2, 1]));
    played.shot("", &word("BCCCA", 1));
    played.shot("", &word("BCCCA", 1));
    assert_eq!(played.rules.turn().task, Task::Over(Outcome { winner: None }), "it is a draw");
    assert_eq!(reach(r#"{"points": 2, "equalising_inning": false}"#).winner(), Some(0));
    // The second player needs no equalising inning.
    let mut played = second(&THREE_CUSHION, r#"{"points": 1}"#);
    played.shot("", &word("BCCCA", 1));
    assert_eq!(played.winner(), Some(1));
}

#[test]
fn innings_may_be_limited_and_both_have_as_many() {
    let mut played = begin(&THREE_CUSHION, r#"{"innings": 2}"#);
    for events in ["0-2", "1-2", "0-2"] {
        played.shot("", events);
        assert_eq!(played.winner(), None);
    }
    let mut drawn = played.clone();
    drawn.shot("", "1-2");
    assert_eq!(drawn.rules.turn().task, Task::Over(Outcome { winner: None }));
    played.shot("", &word("BCCCA", 1));
    played.shot("", "1-2");
    assert_eq!(played.winner(), Some(1));
    assert_eq!(
        played.rules.notes(Player(1)),
        [Note::Innings(2), Note::Average { points: 1, innings: 2 }, Note::LongestRun(1)]
    );
    let mut options = Options::new();
    options.insert("points".to_owned(), 0.into());
    assert!((THREE_CUSHION.begin)(&table("carom-10ft"), &options).is_err());
    assert!((THREE_CUSHION.begin)(&table("pool-9ft"), &Options::new()).is_err());
}

#[test]
fn balls_that_touch_the_own_one_are_played_away_from_or_spotted() {
    let at = vec2(0.3, 0.4);
    let touching = || {
        let mut played = second(&THREE_CUSHION, "{}");
        played.shot_to("", "1-0", &[(1, vec2(0.6, 0.5)), (0, at), (2, at + vec2(0.0, 0.06151))]);
        assert_eq!((played.player(), played.choices()), (0, vec![Choice::PlayOn, Choice::SpotTouching]));
        played
    };
    let mut played = touching();
    assert!(played.choose(Choice::PlayOn).placed.is_empty());
    assert_eq!(played.clone().shot("", &word("BCCCA", 0)).fouls, [Foul::PushStroke(BallName::Red)]);
    assert_eq!(played.shot("", &word("CBCCA", 0)).points, [1, 0], "it may come back to it");
    // Only balls in contact move: the cue ball to the head spot, the red to the foot spot, the opponent's ball to the
    // centre.
    let mut played = touching();
    played.choose(Choice::SpotTouching);
    let spot = |name: &str| played.table.spot(name).unwrap();
    assert_eq!([0, 1, 2].map(|ball| played.place(ball)), [spot("head"), vec2(0.6, 0.5), spot("foot")]);
    assert!(played.stroke().on.is_empty());
    let mut played = second(&THREE_CUSHION, "{}");
    played.shot_to("", "1-0", &[(1, at + vec2(0.0, 0.06151)), (0, at), (2, vec2(0.6, 0.5))]);
    played.choose(Choice::SpotTouching);
    assert_eq!([0, 1, 2].map(|ball| played.place(ball)), [spot("head"), spot("centre"), vec2(0.6, 0.5)]);
    // In straight rail all balls go to the starting position.
    let mut played = second(&STRAIGHT_RAIL, "{}");
    played.shot_to("", "1-0", &[(1, at + vec2(0.0, 0.06151)), (0, at), (2, vec2(0.6, 0.5))]);
    played.choose(Choice::SpotTouching);
    assert_eq!([0, 1, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
}

#[test]
fn a_spotted_ball_takes_the_spot_of_the_one_that_is_in_its_way() {
    let mut played = second(&THREE_CUSHION, "{}");
    let [head, centre] = ["head", "centre"].map(|name| played.table.spot(name).unwrap());
    // White plays next and would go to the head spot. The yellow occupies it, so white goes to the yellow's spot, the
    // centre.
    let verdict = played.shot_to("", "1-0 0!", &[(1, head + vec2(0.0, 0.03))]);
    assert_eq!((verdict.fouls, played.place(0)), (vec![Foul::OffTable(BallName::Cue)], centre));
}

#[test]
fn a_ball_off_the_table_is_a_foul_and_is_spotted() {
    let spot = |name: &str| table("carom-10ft").spot(name).unwrap();
    for (ball, name) in [(0, "head"), (1, "centre"), (2, "foot")] {
        let mut played = second(&THREE_CUSHION, "{}");
        let clear = if ball == 1 { vec![] } else { vec![(1, vec2(-0.3, 0.6))] };
        let verdict = played.shot_to("", &format!("{} {ball}!", word("ACCCB", 1)), &clear);
        assert_eq!((verdict.points, verdict.fouls.len()), ([0, 0], 1));
        assert_eq!((played.player(), played.place(ball)), (0, spot(name)));
    }
    let mut played = second(&STRAIGHT_RAIL, "{}");
    played.shot("", "1-0 1-2 2!");
    assert_eq!([0, 1, 2].map(|ball| played.place(ball)), ["right", "head", "foot"].map(spot));
}

#[test]
fn in_a_corner_one_point_may_be_made_before_a_ball_has_to_leave() {
    let inside = [(0, vec2(1.3, 0.65)), (2, vec2(1.3, 0.5))];
    let outside = [(0, vec2(1.3, 0.65)), (2, vec2(0.4, 0.3))];
    let play = |options: &str, ends: &[&[(u8, Vec2)]]| {
        let mut played = second(&STRAIGHT_RAIL, options);
        played.shot_to("", "1-0 1-2", &inside);
        ends.iter().map(|ends| played.shot_to("", "1-0 1-2", ends).points[1]).collect::<Vec<_>>()
    };
    assert_eq!(play("{}", &[&inside, &outside, &inside, &inside]), [1, 1, 1, 1]);
    assert_eq!(play("{}", &[&inside, &inside]), [1, 0]);
    assert_eq!(play(r#"{"corner_limit": 3}"#, &[&inside, &inside, &inside, &inside]), [1, 1, 1, 0]);
    assert_eq!(play(r#"{"corner_limit": null}"#, &[&inside[..]; 9]), [1; 9]);
    let mut played = second(&STRAIGHT_RAIL, r#"{"corner_limit": 0}"#);
    played.shot_to("", "1-0 1-2", &inside);
    assert_eq!(played.shot("", "1-0 1-2").fouls, [Foul::StayedInCorner]);
    // The corner ends on a line from a quarter of the long side to a quarter of the short side.
    let Played { table, .. } = played;
    let game = Carom::new(Discipline::StraightRail, &table, THREE_CUSHION.read_options(&Options::new()).unwrap(), None)
        .unwrap();
    for (place, corner) in [
        (vec2(0.715, 0.709), Some([true, true])),
        (vec2(0.709, 0.709), None),
        (vec2(-1.419, 0.356), Some([false, true])),
        (vec2(-1.419, -0.354), None),
        (vec2(1.06, -0.54), Some([true, false])),
        (vec2(1.05, -0.53), None),
    ] {
        assert_eq!(game.corner_of(place), corner, "{place}");
    }
}

#[test]
fn a_game_is_played_with_real_balls() {
    let Played { mut rules, table, .. } = begin(&STRAIGHT_RAIL, r#"{"innings": 40}"#);
    assert!(random_play::play_for_real(rules.as_mut(), &table, &mut Random::new(1), 300), "{rules:?}");
    assert!(rules.score().iter().sum::<i32>() > 0, "{rules:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_a_game_stays_whole_and_ends(
        seed: u64,
        game in prop::sample::select(vec![STRAIGHT_RAIL, ONE_CUSHION, THREE_CUSHION]),
        points in 1..20_u32,
        equalising: bool,
    ) {
        let options = format!(r#"{{"points": {points}, "equalising_inning": {equalising}, "innings": 50}}"#);
        let Played { mut rules, table, .. } = begin(&game, &options);
        let mut score = [0, 0];
        let ended = random_play::play(rules.as_mut(), &table, &mut Random::new(seed), 400, |rules, verdict| {
            let now = rules.score();
            for player in 0..2 {
                assert!((0..=1).contains(&verdict.points[player]) && now[player] <= points as i32);
                assert_eq!(now[player], score[player] + verdict.points[player]);
            }
            assert!(verdict.points == [0, 0] || verdict.fouls.is_empty());
            score = now;
        });
        prop_assert!(ended);
    }
}
