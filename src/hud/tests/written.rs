//! Tests of the text over the table, and of the buttons.

use super::*;

#[test]
fn players_the_task_and_the_balls_on_are_read() {
    for size in [[920.0, 800.0], [440.0, 600.0]] {
        let harness = shown(begin("nine-ball", ["Ann", "bot:recipe"]), size);
        for name in ["Ann", "Bot (recipe)", "9-ball", "on: 1"] {
            assert!(harness.query_by_label(name).is_some(), "{name}");
        }
        assert!(harness.query_by_label_contains("Ball in hand, behind the head string").is_some());
        let area = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        for node in harness.root().children_recursive() {
            assert!(node.accesskit_node().role() != Role::Button || area.contains_rect(node.rect()), "{node:?}");
        }
    }
}

#[test]
fn buttons_do_what_they_say() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    foul(&mut app);
    let mut harness = shown(app, [920.0, 800.0]);
    assert!(harness.query_by_label_contains("Foul by Ann: the cue ball hit no ball").is_some());
    harness.get_by_label("Place the ball").click();
    harness.run_steps(2);
    assert!(!hud(harness.state()).is_placing());
    frame(harness.state_mut());
    harness.get_by_label("Take back").click();
    harness.run_steps(2);
    frame(harness.state_mut());
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Both players must agree").is_some());
    harness.get_by_label("Agree").click();
    harness.run_steps(2);
    frame(harness.state_mut());
    harness.run_steps(2);
    assert_eq!(live(harness.state()).game().turn().unwrap().0, Player(0));
    assert!(harness.query_by_label("The last shot was taken back.").is_some());
}

#[test]
fn the_sentence_about_a_shot_moves_nothing() {
    let height = |app: &App| {
        let (ctx, mut height) = (egui::Context::default(), 0.0);
        for _ in 0..3 {
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(800.0, 600.0)));
            let input = egui::RawInput { screen_rect, ..default() };
            ctx.run_ui(input, |ui| height = scoreboard::show(ui.ctx(), ui.ctx().content_rect(), app.world()))
                .textures_delta
                .clear();
        }
        height
    };
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    let before = height(&app);
    assert!(before < 0.15 * 600.0, "{before}");
    foul(&mut app);
    assert_eq!(height(&app), before);
}

#[test]
fn a_shot_that_was_not_played_in_time_is_said_to_be_that() {
    let mut app = app();
    let beginning = Beginning::of(MatchSpec { shot_clock: Some(5.0), ..spec("nine-ball", ["Ann", "Ben"]) }).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    for _ in 0..60 {
        frame(&mut app);
        if app.world().get_resource::<CurrentMatch>().is_some_and(|live| live.last().is_some()) {
            break;
        }
    }
    assert_eq!(words::verdict(live(&app)), Some(("Foul by Ann: the shot clock ran out.".to_owned(), true)));
}

#[test]
fn a_match_that_goes_on_says_what_came_of_its_last_shot() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    foul(&mut app);
    let (record, before) = (live(&app).game().record(), said(&app));
    assert!(before.starts_with("Foul by Ann: the cue ball hit no ball"), "{before}");
    app.world_mut().write_message(MatchCommand::Leave);
    frame(&mut app);
    let beginning = Beginning::resume(&record, None).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    assert_eq!(said(&app), before);
    let shots = live(&app).game().shots();
    assert!(words::shot(live(&app), &shots[0]).starts_with("foul: the cue ball hit no ball"));
}

#[test]
fn a_break_is_the_break_however_the_coach_has_it_played() {
    for game in ["nine-ball", "snooker"] {
        let mut app = app();
        let level = Level { noise: 1.0, safeties: 2, samples: 0, ..Level::BEGINNER };
        app.insert_resource(Coach { level, samples: 4, tips: 2 });
        let mut app = begin_in(app, game, ["Ann", "Ben"]);
        press(&mut app, &[KeyCode::Enter]);
        press(&mut app, &[KeyCode::KeyG]);
        wait_for(&mut app, |app| !coach_of(app).tips().is_empty());
        let harness = shown(app, [920.0, 800.0]);
        assert!(harness.query_by_label_contains("Best: the break, ").is_some(), "{game}");
    }
}

#[test]
fn who_is_spoken_to_is_not_spoken_of() {
    let mut app = begin("nine-ball", ["you", "Ben"]);
    foul(&mut app);
    assert!(said(&app).starts_with("Your foul: the cue ball hit no ball"), "{}", said(&app));
    app.world_mut().write_message(MatchCommand::Act(Action::Concede));
    frame(&mut app);
    frame(&mut app);
    assert_eq!(said(&app), "Ben concedes the rack. You win the rack.");
    assert_eq!(task(&app), "You win the match.");
    assert_eq!([words::name(&"you".into()), words::name(&"bot:strong@1".into())], ["You", "Bot (strong@1)"]);
    crate::view::words::language::in_japanese(|| {
        assert_eq!(words::name(&"you".into()), "あなた");
        let bot = words::name(&"bot:strong@1".into());
        assert!(!bot.contains("strong"), "{bot}");
    });
}

#[test]
fn carom_speaks_of_points_and_shows_whose_ball_is_whose_and_how_far_it_goes() {
    let mut app = app();
    let mut wanted = spec("three-cushion", ["You", "Ben"]);
    wanted.options.insert("points".to_owned(), 12.into());
    app.world_mut().write_message(MatchCommand::Begin(Box::new(Beginning::of(wanted).unwrap())));
    frame(&mut app);
    frame(&mut app);
    tap(&mut app);
    assert_eq!(said(&app), "No ball was hit.");
    let harness = shown(app, [920.0, 800.0]);
    for name in ["You: 0 of 12 points", "Ben: 0 of 12 points", "You: white ball", "Ben: yellow ball"] {
        assert!(harness.query_by_label(name).is_some(), "{name}");
    }
}

#[test]
fn a_beginner_is_told_how_a_shot_is_played() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    assert!(task(&app).contains("Enter places it, A sets up the shot"), "{}", task(&app));
    for shots in 0..4 {
        if hud(&app).is_placing() {
            press(&mut app, &[KeyCode::Enter]);
        }
        assert!(task(&app).contains("Pull back from the cue ball and release, or press A."), "{shots}: {}", task(&app));
        foul(&mut app);
    }
    if hud(&app).is_placing() {
        press(&mut app, &[KeyCode::Enter]);
    }
    assert!(task(&app).contains("On: 1.") && !task(&app).contains("Pull back"), "{}", task(&app));
}

#[test]
fn who_uses_fingers_is_not_told_of_keys() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    let by_fingers = |app: &App| words::task(live(app), hud(app).is_placing(), None);
    assert_eq!(by_fingers(&app), "Ball in hand, behind the head string: drag it, then place it.");
    press(&mut app, &[KeyCode::Enter]);
    assert_eq!(by_fingers(&app), "Break. On: 1. Pull back from the cue ball and release.");
    app.insert_resource(PointingDevice::Finger);
    let harness = shown(app, [412.0, 860.0]);
    assert!(harness.query_by_label_contains("Pull back from the cue ball and release.").is_some());
}

#[test]
fn where_there_is_no_room_the_level_of_a_bot_stands_below_its_name() {
    for (width, wide) in [(920.0, true), (330.0, false)] {
        let harness = shown(begin("nine-ball", ["Ann", "bot:medium"]), [width, 800.0]);
        assert_eq!(harness.query_by_label("Bot (medium)").is_some(), wide, "{width}");
        assert_eq!(harness.query_by_label("Bot").is_some(), !wide, "{width}");
        assert_eq!(harness.query_by_label("medium").is_some(), !wide, "{width}");
    }
}

#[test]
fn beside_a_panel_that_covers_a_narrow_window_nothing_is_written() {
    for (free, is_written) in [(412.0, true), (24.0, false)] {
        let show = move |ui: &mut egui::Ui, app: &mut App| {
            let part = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(free, 860.0));
            write(ui.ctx(), part, app.world_mut());
        };
        let app = begin("nine-ball", ["Ann", "bot:medium"]);
        let mut harness = Harness::builder().with_size([412.0, 860.0]).build_ui_state(show, app);
        harness.run_steps(3);
        assert_eq!(harness.query_by_label("Ann").is_some(), is_written, "{free}");
        assert_eq!(harness.query_by_label_contains("Ball in hand").is_some(), is_written, "{free}");
    }
}

#[test]
fn curling_speaks_of_stones() {
    let mut app = begin("curling", ["Ann", "Ben"]);
    let mut all = vec![task(&app)];
    assert!(all[0].starts_with("Stone in hand, behind the line"), "{}", all[0]);
    let stone = persons_stroke(live(&app)).and_then(|stroke| live(&app).entity_of(stroke.cue_ball)).unwrap();
    let at = app.world().get::<Position>(stone).unwrap().0;
    drag(&mut app, &[at, at + vec2(0.01, 0.0), vec2(0.4, 0.0)]);
    let why = hud(&app).refusal.as_ref().map(|(why, _)| remarks::refusal(why, true)).unwrap();
    assert!(why.contains("stone"), "{why}");
    press(&mut app, &[KeyCode::Enter]);
    all.push(task(&app));
    assert!(all[1].starts_with("Deliver a stone."), "{}", all[1]);
    for words in &all {
        assert!(!["Break", "ball", "head string"].iter().any(|word| words.contains(word)), "{words}");
    }
    let harness = shown(app, [920.0, 800.0]);
    assert!(harness.query_by_label("Move the stone").is_some());
}
