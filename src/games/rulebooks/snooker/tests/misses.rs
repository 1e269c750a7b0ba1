//! Misses, and the frame that three of them lose.

use super::*;

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
