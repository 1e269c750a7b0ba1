//! Replays of earlier shots during a match.

use super::*;

#[test]
fn a_shot_is_looked_at_again_and_the_match_is_bit_identical_afterwards() {
    let mut app = app();
    begin(&mut app, MatchSpec { shot_clock: Some(60.0), ..nine_ball(["you", "another"]) });
    ask(&mut app, shot(vec2(1.0, 0.02), 7.0));
    play_on(&mut app);
    ask(&mut app, shot(vec2(0.4, 0.7), 3.0));
    play_on(&mut app);
    let shots = live(&app).game().shots().to_vec();
    assert_eq!(shots.len(), 2);
    assert_eq!(shots[0].player, Player(0));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    let (hash, log) = (live(&app).game().hash(), live(&app).game().log().len());
    let (before, clock) = (seen(&app), live(&app).clock());
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    let now = live(&app).look_back().unwrap();
    assert!(now.is_playing() && now.film().seconds() > 2.0);
    assert!(!live(&app).waits_for_person() && live(&app).is_held());
    assert_eq!(places(&mut app)[0], shots[0].before.0.iter().map(|place| place.on_table()).collect::<Vec<_>>());
    let tick = app.world().resource::<crate::collision::PhysicsSpace>().clock.tick;
    for _ in 0..240 {
        app.update();
    }
    let now = live(&app).look_back().unwrap();
    assert!((now.time() - 241.0 / 120.0 * LookBack::SPEED).abs() < 1e-3, "{}", now.time());
    assert_eq!(app.world().resource::<crate::collision::PhysicsSpace>().clock.tick, tick, "no tick runs");
    let wanted = now.film().layout(now.time() - LookBack::SPEED / 120.0);
    let wanted: Vec<_> = wanted.0.iter().map(|place| place.on_table()).collect();
    assert_eq!(places(&mut app)[0], wanted);
    // From any moment, at any speed, any number of times.
    for (look, time) in [(Look::Play(false), None), (Look::Seek(1.25), Some(1.25)), (Look::Seek(1e9), Some(-1.0))] {
        ask(&mut app, MatchCommand::Look(look));
        let now = live(&app).look_back().unwrap();
        assert!(!now.is_playing());
        if let Some(time) = time {
            assert_eq!(now.time(), if time < 0.0 { now.film().seconds() } else { time });
        }
    }
    ask(&mut app, MatchCommand::Look(Look::Shot(1)));
    ask(&mut app, MatchCommand::Look(Look::Speed(1.0)));
    assert_eq!((live(&app).look_back().unwrap().shot(), live(&app).look_back().unwrap().speed()), (1, 1.0));
    // Other commands are refused meanwhile.
    events(&mut app);
    for command in [shot(Vec2::X, 2.0), MatchCommand::Act(Action::Concede), MatchCommand::TakeBack, MatchCommand::GoOn]
    {
        ask(&mut app, command);
        assert!(matches!(&events(&mut app)[..], [MatchEvent::Refused(_)]));
    }
    ask(&mut app, MatchCommand::Look(Look::Shot(2)));
    assert!(matches!(&events(&mut app)[..], [MatchEvent::Refused(Refusal::NoSuchShot)]));
    assert_eq!((live(&app).game().hash(), live(&app).game().log().len()), (hash, log));
    ask(&mut app, MatchCommand::Look(Look::Present));
    assert!(live(&app).look_back().is_none());
    assert_eq!((live(&app).game().hash(), live(&app).game().log().len()), (hash, log));
    assert_eq!(seen(&app), before);
    assert!((live(&app).clock().unwrap() - clock.unwrap()).abs() < 0.05, "the clock stood");
    // The match continues unchanged.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    ask(&mut app, shot(vec2(-0.3, 0.6), 3.0));
    play_on(&mut app);
    assert_eq!(live(&app).departures(), 0);
    assert!(live(&app).game().shots().len() == 3);
    assert_eq!(Match::replay(&live(&app).game().record()).unwrap().shots(), live(&app).game().shots());
}

#[test]
fn a_match_that_is_over_can_be_looked_back_at_and_a_bot_waits() {
    let mut app = app();
    begin(&mut app, nine_ball(["bot:recipe", "bot:recipe"]));
    // No replay while balls roll.
    for _ in 0..20_000 {
        if matches!(live(&app).phase(), Phase::Rolling(_)) && !live(&app).game().shots().is_empty() {
            break;
        }
        app.update();
    }
    events(&mut app);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    assert!(events(&mut app).contains(&MatchEvent::Refused(Refusal::BallsRoll)));
    for _ in 0..20_000 {
        if matches!(live(&app).phase(), Phase::Thinking) {
            break;
        }
        app.update();
    }
    if matches!(live(&app).phase(), Phase::Thinking) {
        ask(&mut app, MatchCommand::Look(Look::Shot(0)));
        let log = live(&app).game().log().len();
        for _ in 0..200 {
            app.update();
        }
        assert_eq!(live(&app).game().log().len(), log, "the bot waits");
        ask(&mut app, MatchCommand::Look(Look::Present));
    }
    play_on(&mut app);
    assert!(matches!(live(&app).phase(), Phase::Over));
    let (hash, before) = (live(&app).game().hash(), seen(&app));
    for shot in 0..live(&app).game().shots().len() {
        ask(&mut app, MatchCommand::Look(Look::Shot(shot)));
        app.update();
    }
    ask(&mut app, MatchCommand::Look(Look::Present));
    assert_eq!((live(&app).game().hash(), seen(&app), live(&app).departures()), (hash, before, 0));
    assert!(matches!(live(&app).phase(), Phase::Over));
    // Another match or another scene during a replay: the clock resumes.
    let is_paused = |app: &App| app.world().resource::<Time<Virtual>>().is_paused();
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    assert!(is_paused(&app));
    begin(&mut app, nine_ball(["you", "another"]));
    assert!(!is_paused(&app) && live(&app).waits_for_person());
    ask(&mut app, shot(vec2(1.0, 0.02), 7.0));
    play_on(&mut app);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    app.world_mut().write_message(SceneCommand::Restart);
    app.update();
    app.update();
    assert!(!is_paused(&app) && live(&app).look_back().is_none());
    let [seen_now, of_match] = places(&mut app);
    assert_eq!(seen_now, of_match);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    app.world_mut().write_message(SceneCommand::Load(SceneSource::Shipped("cradle")));
    app.update();
    app.update();
    assert!(!is_paused(&app) && !app.world().contains_resource::<CurrentMatch>());
}

#[test]
fn a_replay_shows_a_jump_and_leaves_no_height_behind() {
    let mut app = app();
    begin(&mut app, MatchSpec { flight: true, ..nine_ball(["you", "another"]) });
    let strike = CueStrike { speed: 5.0, elevation: 0.8, direction: DVec2::new(1.0, 0.3), ..default() };
    ask(&mut app, MatchCommand::Act(Action::Shoot { strike, call: default() }));
    play_on(&mut app);
    let heights = |app: &mut App| {
        let world = app.world_mut();
        world.query::<&crate::components::Height>().iter(world).map(|height| height.height).fold(0.0, f32::max)
    };
    assert_eq!(heights(&mut app), 0.0);
    ask(&mut app, MatchCommand::Look(Look::Shot(0)));
    ask(&mut app, MatchCommand::Look(Look::Play(false)));
    let film = live(&app).look_back().unwrap().film();
    let ball = film.highest().expect("the cue ball leaves the cloth");
    let (points, above) = film.path(ball);
    let arc = crate::timeline::arcs(&points, &above)[0];
    assert!(arc.apex > 0.02, "{arc:?}");
    let time = 0.5 * (points[arc.first].1 + points[arc.last].1);
    ask(&mut app, MatchCommand::Look(Look::Seek(time)));
    assert!((heights(&mut app) - arc.apex).abs() < 1e-3, "{} {arc:?}", heights(&mut app));
    ask(&mut app, MatchCommand::Look(Look::Present));
    assert_eq!(heights(&mut app), 0.0);
}
