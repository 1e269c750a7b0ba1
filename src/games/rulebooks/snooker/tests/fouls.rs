//! What fouls cost, and the choice after one.

use super::*;

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
fn after_a_foul_the_other_plays_or_has_the_offender_play_again() {
    for (choice, player) in [(Choice::PlayOn, 1), (Choice::PassBack, 0)] {
        let mut played = frame();
        shot_and_lie(&mut played, "", "0-16", vec2(0.0, 0.5));
        assert_eq!(played.player(), 1);
        assert_eq!(played.choose(choice).goes_on, player == 1);
        assert_eq!((played.player(), played.stroke().in_hand, played.stroke().is_free_ball), (player, None, false));
    }
}
