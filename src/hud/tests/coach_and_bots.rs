//! Tests of the coach's text and of the shots that a bot considers.

use super::*;

/// Practice with snooker balls, and a coach with a small budget.
fn coached() -> App {
    let mut app = app();
    let level = Level { noise: 1.0, safeties: 2, samples: 0, ..Level::BEGINNER };
    app.insert_resource(Coach { level, samples: 4, tips: 2 });
    let table = "snooker-12ft".to_owned();
    let beginning = Beginning::of(MatchSpec { table, ..spec("practice", ["Ann", "-"]) }).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    app
}

#[test]
fn the_coach_is_asked_by_a_key_and_forgets_when_the_position_changes() {
    let mut app = coached();
    for _ in 0..20 {
        frame(&mut app);
    }
    assert!(coach_of(&app).tips().is_empty(), "it is not asked");
    press(&mut app, &[KeyCode::KeyG]);
    assert!(app.world().resource::<CoachSettings>().on);
    wait_for(&mut app, |app| !coach_of(app).tips().is_empty());
    let from = cue_ball(&app);
    for tip in coach_of(&app).tips() {
        assert_eq!((tip.from, tip.sketch.cue[0]), (from, from));
        assert!((0.0..=1.0).contains(&tip.chance));
    }
    // The text is shown too.
    let harness = shown(app, [920.0, 800.0]);
    assert!(harness.query_by_label_contains("Best: ").is_some());
    let mut app = harness.into_state();
    press(&mut app, &[KeyCode::Enter]);
    assert!(hud(&app).is_placing() && coach_of(&app).tips().is_empty(), "a place for the ball is another question");
    press(&mut app, &[KeyCode::Enter]);
    press(&mut app, &[KeyCode::KeyG]);
    frame(&mut app);
    assert!(!app.world().resource::<CoachSettings>().on && coach_of(&app).tips().is_empty());
}

#[test]
fn the_coach_says_the_same_of_a_position_that_is_taken_back_to() {
    let mut app = coached();
    press(&mut app, &[KeyCode::KeyG]);
    wait_for(&mut app, |app| !coach_of(app).tips().is_empty());
    let (hash, before) = (live(&app).game().hash(), coach_of(&app).tips().to_vec());
    let strike = before[0].strike;
    app.world_mut().write_message(MatchCommand::Act(Action::Shoot { call: Call::default(), strike }));
    frame(&mut app);
    frame(&mut app);
    roll(&mut app);
    app.world_mut().write_message(MatchCommand::TakeBack);
    wait_for(&mut app, |app| live(app).game().hash() == hash && !coach_of(app).tips().is_empty());
    assert_eq!(coach_of(&app).tips(), before);
}

#[test]
fn after_a_miss_the_coach_says_what_was_wrong_until_the_next_shot() {
    let mut app = coached();
    press(&mut app, &[KeyCode::KeyG]);
    wait_for(&mut app, |app| coach_of(app).tips().iter().any(|tip| tip.pot.is_some()));
    let tip = coach_of(&app).tips().iter().find(|tip| tip.pot.is_some()).unwrap().clone();
    let state = as_it_lies(live(&app).game().game_state());
    let turned = (1..40).map(|k| {
        let (sin, cos) = libm::sincos(f64::from(k) * 1e-3);
        crate::billiards::cue::CueStrike {
            direction: bevy::math::DVec2::new(cos, sin).rotate(tip.strike.direction),
            ..tip.strike
        }
    });
    let strike = { turned }.find(|strike| missed(&state, Call::default(), strike).is_some()).expect("a near miss");
    let shoot = |app: &mut App, strike| {
        app.world_mut().write_message(MatchCommand::Act(Action::Shoot { call: Call::default(), strike }));
        frame(app);
        frame(app);
    };
    shoot(&mut app, strike);
    assert!(coach_of(&app).tips().is_empty(), "the position has changed");
    roll(&mut app);
    wait_for(&mut app, |app| coach_of(app).has_review());
    let harness = shown(app, [920.0, 800.0]);
    assert!(
        harness.query_by_label_contains("aim was").is_some() || harness.query_by_label_contains("Aiming").is_some()
    );
    let mut app = harness.into_state();
    shoot(&mut app, strike);
    assert!(!coach_of(&app).has_review());
}

#[test]
fn what_a_bot_considers_is_drawn_while_it_is_at_the_table() {
    let mut app = app();
    app.insert_resource(MatchSettings::default());
    let beginning = Beginning::of(spec("nine-ball", ["bot:beginner", "you"])).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    press(&mut app, &[KeyCode::ShiftLeft, KeyCode::KeyG]);
    assert_eq!(*app.world().resource::<CoachSettings>(), CoachSettings { on: false, ideas: true });
    wait_for(&mut app, |app| matches!(live(app).phase(), Phase::Acting(_)) && !coach_of(app).sketches().is_empty());
    let ideas = live(&app).seat(Player(0)).ideas();
    assert!(ideas.len() > 1 && ideas.is_sorted_by(|a, b| a.value >= b.value));
    let drawn = coach_of(&app).sketches();
    assert_eq!(drawn[0].cue[0], ideas[0].from);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    for _ in 0..600 {
        frame(&mut app);
        if matches!(live(&app).phase(), Phase::Rolling(_)) {
            break;
        }
    }
    frame(&mut app);
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)) && coach_of(&app).sketches().is_empty());
}

#[test]
fn the_coach_is_in_the_menu_of_the_match() {
    let mut harness = shown(coached(), [920.0, 800.0]);
    harness.get_by_label("Match").click();
    harness.run_steps(3);
    harness.get_by_label("Coach").click();
    harness.run_steps(2);
    assert!(harness.state().world().resource::<CoachSettings>().on);
}
