//! Free balls, and when a cue ball is snookered.

use super::*;

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
