//! Balls that leave the table during a match.

use super::*;

/// A hard stroke from the usual place, with a raised cue, over the top cushion.
fn over_the_cushion() -> MatchCommand {
    let strike = CueStrike { speed: 4.0, elevation: 0.8, direction: DVec2::Y, ..default() };
    MatchCommand::Act(Action::Shoot { strike, call: default() })
}

#[test]
fn a_cue_ball_that_leaves_the_table_comes_back_is_taken_back_and_replays() {
    let mut app = app();
    begin(&mut app, MatchSpec { take_back: true, ..nine_ball(["you", "you"]) });
    ask(&mut app, over_the_cushion());
    play_on(&mut app);
    let shot = live(&app).game().shots()[0].clone();
    assert!(shot.fouls.iter().any(|foul| matches!(foul, Foul::OffTable(BallName::Cue))), "{:?}", shot.fouls);
    assert_eq!(live(&app).departures(), 0);
    // It is in hand, lies on the table for that, and can be placed.
    let [seen_now, of_match] = places(&mut app);
    assert!(seen_now[0].is_some() && seen_now == of_match, "{seen_now:?} {of_match:?}");
    ask(&mut app, MatchCommand::Act(Action::Place(vec2(-0.5, 0.1))));
    assert_eq!(places(&mut app)[0][0], Some(vec2(-0.5, 0.1)));
    // In a replay it is on the table until it leaves, and afterwards as before.
    let before = seen(&app);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    assert!(places(&mut app)[0][0].is_some());
    ask(&mut app, MatchCommand::Look(Look::Seek(1e9)));
    assert_eq!(places(&mut app)[0][0], None);
    ask(&mut app, MatchCommand::Look(Look::Present));
    assert_eq!(seen(&app), before);
    // Taken back, it lies where it was played from.
    for command in [MatchCommand::TakeBack, MatchCommand::Answer(true)] {
        ask(&mut app, command);
    }
    let [seen_now, of_match] = places(&mut app);
    assert!(seen_now[0].is_some() && seen_now == of_match, "{seen_now:?} {of_match:?}");
    ask(&mut app, over_the_cushion());
    play_on(&mut app);
    assert_eq!((live(&app).departures(), live(&app).game().shots().len()), (0, 1));
}
