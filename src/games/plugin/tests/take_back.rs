//! Shots that are taken back.

use super::*;

#[test]
fn between_people_both_agree_to_take_a_shot_back_and_a_bot_is_not_asked() {
    let mut app = app();
    begin(&mut app, nine_ball(["you", "another"]));
    let before = live(&app).game().hash();
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    ask(&mut app, MatchCommand::TakeBack);
    assert!(events(&mut app).iter().any(|event| matches!(event, MatchEvent::Refused(_))), "it rolls");
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    assert!(live(&app).take_back_asked());
    ask(&mut app, MatchCommand::Answer(false));
    assert!(!live(&app).take_back_asked() && live(&app).game().hash() != before);
    ask(&mut app, MatchCommand::TakeBack);
    ask(&mut app, MatchCommand::Answer(true));
    assert_eq!(live(&app).game().hash(), before);
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, of_match);

    begin(&mut app, nine_ball(["you", "bot:recipe"]));
    let before = live(&app).game().hash();
    ask(&mut app, shot(vec2(1.0, 0.3), 1.0));
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    assert!(live(&app).waits_for_person());
    assert_eq!(live(&app).game().hash(), before, "with all that the bot did in the meantime");
}

#[test]
fn a_shot_is_taken_back_while_the_bot_stands_at_the_table() {
    let mut app = app();
    app.insert_resource(MatchSettings::default()).insert_resource(TimeUpdateStrategy::FixedTimesteps(6));
    begin(&mut app, nine_ball(["you", "bot:recipe"]));
    let [before, _] = places(&mut app);
    ask(&mut app, shot(vec2(1.0, 0.3), 0.3));
    for _ in 0..20_000 {
        if matches!(live(&app).phase(), Phase::Acting(_)) {
            break;
        }
        app.update();
    }
    assert!(matches!(live(&app).phase(), Phase::Acting(_)), "{:?}", live(&app).phase());
    events(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    let told = events(&mut app);
    assert!(matches!(&told[..], [MatchEvent::Done(Action::TakeBack, _), ..]), "{told:?}");
    assert!(live(&app).waits_for_person() && live(&app).stance().is_none());
    let [seen, of_match] = places(&mut app);
    assert_eq!(seen, before);
    assert_eq!(seen, of_match);
    for _ in 0..200 {
        app.update();
    }
    assert!(live(&app).waits_for_person(), "the bot does nothing any more");
}

#[test]
fn in_a_game_for_one_nobody_is_asked_to_take_a_shot_back() {
    const ALONE: Game = Game { name: "alone", tables: &[], ..practice::GAME };
    let table = Match::new(MatchSpec::default()).unwrap().table().clone();
    let mut app = app();
    ask(&mut app, own(MatchSpec { game: ALONE.name.to_owned(), ..default() }, &ALONE, table));
    ask(&mut app, shot(vec2(-1.0, 0.1), 0.5));
    play_on(&mut app);
    ask(&mut app, MatchCommand::TakeBack);
    assert!(!live(&app).take_back_asked() && live(&app).game().shots().is_empty());
}
