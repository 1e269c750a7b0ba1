//! Matches between a person and a bot, to their ends.

use super::*;

/// Plays a match to its end between a bot and a person who follows the script.
fn play_to_the_end(spec: MatchSpec, mut script: impl FnMut(&Match) -> Action) -> (App, usize) {
    let mut app = app();
    begin(&mut app, spec);
    let mut acted = 0;
    for _ in 0..2000 {
        play_on(&mut app);
        if !live(&app).waits_for_person() {
            break;
        }
        let action = script(live(&app).game());
        ask(&mut app, MatchCommand::Act(action));
        acted += 1;
    }
    assert_eq!(live(&app).departures(), 0);
    assert!(live(&app).game().winner().is_some(), "it is over");
    let refused = events(&mut app).into_iter().find(|event| matches!(event, MatchEvent::Refused(_)));
    assert_eq!(refused, None);
    let record = live(&app).game().record();
    assert_eq!(Match::replay(&record).unwrap().hash(), live(&app).game().hash());
    (app, acted)
}

#[test]
fn a_frame_of_snooker_between_a_person_and_a_bot_is_played_to_its_end() {
    let options = crate::games::rules::Options::from_iter([("reds".to_owned(), 6.into())]);
    let players = ["you", "bot:recipe@0"].map(PlayerSpec::from);
    let spec = MatchSpec { game: "snooker".to_owned(), players, options, seed: 3, ..MatchSpec::default() };
    // A person who pots the straightest ball and plays on at every choice.
    let mut hand = crate::games::bot::player("bot:recipe@0").unwrap();
    let (app, acted) = play_to_the_end(spec, |game| {
        hand.consider(game.game_state());
        hand.think(1).unwrap()
    });
    let statistics = live(&app).game().statistics();
    assert!(acted > 2 && statistics.players.iter().all(|of| of.shots > 2), "{statistics:?}");
    assert!(statistics.players.iter().map(|of| of.potted).sum::<u32>() > 6, "{statistics:?}");
}

#[test]
fn a_match_of_three_cushion_between_a_person_and_a_bot_goes_to_its_points() {
    let options = crate::games::rules::Options::from_iter([("points".to_owned(), 1.into())]);
    let players = ["you", "bot:easy@1"].map(PlayerSpec::from);
    let spec = MatchSpec { game: "three-cushion".to_owned(), players, options, seed: 1, ..MatchSpec::default() };
    // A person who hits the red full, and has touching balls spotted.
    let (app, acted) = play_to_the_end(spec, |game| match game.turn() {
        Some((_, crate::games::rules::Task::Choose(choices))) => Action::Choose(choices[0]),
        Some((_, crate::games::rules::Task::Shoot(stroke))) => {
            let places = [stroke.cue_ball, BallId(2)].map(|ball| game.layout()[ball].on_table().unwrap());
            let direction = (places[1] - places[0]).as_dvec2();
            let strike = crate::billiards::cue::CueStrike { speed: 3.0, direction, ..default() };
            Action::Shoot { call: default(), strike }
        }
        _ => Action::Concede,
    });
    let statistics = live(&app).game().statistics();
    assert!(acted > 0 && statistics.players.iter().any(|of| of.points >= 1), "{statistics:?}");
}
