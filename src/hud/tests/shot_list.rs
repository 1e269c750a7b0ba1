//! Tests of the list of shots, replays and statistics.

use super::*;

#[test]
fn shots_are_looked_at_by_keys_alone() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    foul(&mut app);
    foul(&mut app);
    let (hash, place) = (live(&app).game().hash(), cue_ball(&app));
    press(&mut app, &[KeyCode::KeyB]);
    assert!(hud(&app).shows_shots);
    app.world_mut().write_message(MatchCommand::Look(crate::games::plugin::Look::Shot(1)));
    frame(&mut app);
    let now = |app: &App| live(app).look_back().map(|now| (now.shot(), now.time(), now.is_playing(), now.speed()));
    assert!(now(&app).is_some_and(|(shot, _, plays, speed)| shot == 1 && plays && speed == 0.25));
    press(&mut app, &[KeyCode::Space]);
    let (_, time, plays, _) = now(&app).unwrap();
    assert!(!plays && !app.world().resource::<crate::timeline::Playback>().paused);
    press(&mut app, &[KeyCode::ArrowRight]);
    let (_, later, ..) = now(&app).unwrap();
    assert!((later - time - 0.05).abs() < 1e-4, "{time} {later}");
    press(&mut app, &[KeyCode::Period]);
    assert!((now(&app).unwrap().1 - later - 1.0 / 120.0).abs() < 1e-4);
    press(&mut app, &[KeyCode::BracketLeft]);
    assert_eq!(now(&app).unwrap().3, 0.1);
    press(&mut app, &[KeyCode::BracketRight]);
    press(&mut app, &[KeyCode::BracketRight]);
    assert_eq!(now(&app).unwrap().3, 0.5);
    press(&mut app, &[KeyCode::PageUp]);
    assert_eq!(now(&app).unwrap().0, 0);
    press(&mut app, &[KeyCode::PageDown]);
    press(&mut app, &[KeyCode::PageDown]);
    assert_eq!(now(&app).unwrap().0, 1, "there is no third");
    press(&mut app, &[KeyCode::KeyR]);
    assert!(now(&app).unwrap().1 < 0.05 && now(&app).unwrap().2);
    // No action on the match is possible.
    assert!(persons_stroke(live(&app)).is_none() && super::offers::of(live(&app), hud(&app)).is_empty());
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyZ]);
    assert!(!live(&app).take_back_asked());
    press(&mut app, &[KeyCode::Escape]);
    assert!(now(&app).is_none() && hud(&app).shows_shots, "back at the present, and the list stays");
    assert_eq!((live(&app).game().hash(), cue_ball(&app)), (hash, place));
    press(&mut app, &[KeyCode::Escape]);
    assert!(!hud(&app).shows_shots);
    press(&mut app, &[KeyCode::KeyT]);
    assert!(hud(&app).shows_statistics);
    press(&mut app, &[KeyCode::Escape]);
    assert!(!hud(&app).shows_statistics);
}

#[test]
fn the_list_of_shots_and_the_bar_of_one_fit_and_do_what_they_say() {
    for size in [[920.0, 800.0], [500.0, 560.0], [300.0, 480.0]] {
        let mut app = begin("nine-ball", ["Ann", "Ben"]);
        foul(&mut app);
        app.world_mut().resource_mut::<Hud>().shows_shots = true;
        let count = live(&app).game().shots().len();
        let mut harness = shown(app, size);
        is_within(&harness, size);
        harness.get_by_label_contains("1   Ann: foul").click();
        harness.run_steps(2);
        frame(harness.state_mut());
        harness.run_steps(2);
        assert_eq!(live(harness.state()).look_back().map(LookBack::shot), Some(0));
        is_within(&harness, size);
        assert!(harness.query_by_label_contains(&format!("Shot 1 of {count}")).is_some());
        for name in ["Previous shot", "Pause", "Next shot", "Playback speed", "Time in the shot"] {
            assert!(harness.query_by_label(name).is_some(), "{name}");
        }
        for _ in 0..3 {
            frame(harness.state_mut());
            harness.run_steps(2);
        }
        assert!(live(harness.state()).look_back().unwrap().is_playing(), "nobody has stopped it");
        harness.get_by_label("Pause").click();
        harness.run_steps(2);
        frame(harness.state_mut());
        harness.run_steps(2);
        assert!(!live(harness.state()).look_back().unwrap().is_playing());
        harness.get_by_label("Back to the match").click();
        harness.run_steps(2);
        frame(harness.state_mut());
        assert!(live(harness.state()).look_back().is_none());
    }
}

#[test]
fn arrow_keys_move_through_the_list_of_shots() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    (0..3).for_each(|_| foul(&mut app));
    let mut harness = shown(app, [920.0, 800.0]);
    harness.state_mut().world_mut().resource_mut::<Hud>().shows_shots = true;
    harness.run_steps(3);
    let last = live(harness.state()).game().shots().len();
    assert!(last >= 3);
    let has_focus = |harness: &Harness<'static, App>, shot: usize| {
        harness.get_by_label_contains(&format!("{shot}   ")).is_focused()
    };
    assert!(has_focus(&harness, last), "the last shot");
    for (key, shot) in
        [(egui::Key::ArrowUp, last - 1), (egui::Key::ArrowUp, last - 2), (egui::Key::ArrowDown, last - 1)]
    {
        harness.key_press(key);
        harness.run_steps(3);
        assert!(has_focus(&harness, shot), "{key:?} leads to {shot}");
    }
    harness.key_press(egui::Key::Enter);
    harness.run_steps(3);
    frame(harness.state_mut());
    assert_eq!(live(harness.state()).look_back().map(LookBack::shot), Some(last - 2), "counted from 0");
}

#[test]
fn a_match_ends_with_its_numbers() {
    for (game, size) in [("nine-ball", [920.0, 800.0]), ("three-cushion", [500.0, 560.0]), ("snooker", [300.0, 480.0])]
    {
        let mut app = begin(game, ["Ann", "Ben"]);
        tap(&mut app);
        if !super::offers::of(live(&app), hud(&app)).is_empty() {
            press(&mut app, &[KeyCode::Digit1]);
        }
        app.world_mut().write_message(MatchCommand::Act(Action::Concede));
        frame(&mut app);
        frame(&mut app);
        assert!(matches!(live(&app).phase(), Phase::Over) && hud(&app).shows_statistics);
        let mut harness = shown(app, size);
        is_within(&harness, size);
        for name in ["Ann wins the match.", "Ben wins the match."] {
            let winner = live(harness.state()).game().winner().unwrap();
            let is_winner = name.starts_with(["Ann", "Ben"][winner.index()]);
            assert_eq!(harness.query_all_by_label(name).count() > 0, is_winner);
        }
        let has = |harness: &Harness<'static, App>, name: &str| harness.query_all_by_label(name).count() > 0;
        assert!(has(&harness, "Fouls") && has(&harness, "Play again"), "{game}");
        assert_eq!(has(&harness, "Racks run out"), game == "nine-ball");
        assert_eq!(has(&harness, "Average"), game == "three-cushion");
        assert_eq!(has(&harness, "Position play"), game != "three-cushion");
        let folder = tempfile::tempdir().unwrap();
        harness.state_mut().insert_resource(crate::games::plugin::MatchFolder(Some(folder.path().to_owned())));
        harness.get_by_label("Save as JSON").click();
        harness.run_steps(2);
        let text = std::fs::read_to_string(folder.path().join(format!("{game}.json"))).unwrap();
        let read: crate::games::Statistics = serde_json::from_str(&text).unwrap();
        assert_eq!(read, live(harness.state()).game().statistics());
        harness.get_by_label("Close").click();
        harness.run_steps(2);
        assert!(!hud(harness.state()).shows_statistics);
    }
}
