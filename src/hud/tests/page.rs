//! Tests of the start page over a match and over a scene.

use super::*;

/// The same world with a start page.
fn begin_with_page(game: &str, players: [&str; 2]) -> App {
    let mut app = app_with(|app| _ = app.add_plugins(StartPagePlugin));
    let beginning = Beginning::of(MatchSpec { shot_clock: Some(30.0), ..spec(game, players) }).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    app
}

#[test]
fn the_start_page_comes_by_a_key_over_a_match_that_waits_and_goes_on() {
    let mut app = begin_with_page("nine-ball", ["Ann", "Ben"]);
    press(&mut app, &[KeyCode::Enter]);
    let (hash, clock) = (live(&app).game().hash(), live(&app).clock().unwrap());
    press(&mut app, &[KeyCode::Home]);
    let is_open = |app: &App| app.world().resource::<StartPage>().open;
    assert!(is_open(&app) && live(&app).is_held());
    let held = live(&app).clock().unwrap();
    assert!(held > clock - 0.1);
    for _ in 0..30 {
        frame(&mut app);
    }
    assert_eq!(live(&app).clock(), Some(held), "the clock stands");
    // Shots are not possible behind it.
    let from = cue_ball(&app);
    drag(&mut app, &[from, from + vec2(-0.3, 0.01)]);
    assert!(matches!(live(&app).phase(), Phase::Person));
    app.world_mut().write_message(MatchCommand::Act(Action::Concede));
    frame(&mut app);
    assert_eq!(live(&app).game().hash(), hash);
    start_page::go_back(app.world_mut());
    frame(&mut app);
    frame(&mut app);
    assert!(!is_open(&app) && !live(&app).is_held());
    assert!(live(&app).clock().unwrap() < held, "it runs again");
    assert_eq!(live(&app).game().hash(), hash);
    drag(&mut app, &[from, from + vec2(-0.3, 0.01)]);
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)), "{:?}", hud(&app).refusal);
    // A rolling shot comes to rest behind the page and is judged afterwards.
    press(&mut app, &[KeyCode::Home]);
    for _ in 0..100 {
        frame(&mut app);
    }
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)));
    start_page::go_back(app.world_mut());
    roll(&mut app);
    assert_eq!(live(&app).departures(), 0);
    // The page closes for a match that starts from elsewhere, such as a dropped file, but not for the demonstration
    // behind it.
    for keep in [false, true] {
        app.world_mut().write_message(StartPageAsked);
        frame(&mut app);
        assert!(is_open(&app));
        let beginning = Beginning::of(spec("snooker", ["Ann", "Ben"])).unwrap();
        app.world_mut().write_message(MatchCommand::Begin(Box::new(Beginning { keep, ..beginning })));
        for _ in 0..3 {
            frame(&mut app);
        }
        assert_eq!(is_open(&app), !keep);
    }
    assert!(!live(&app).is_held());
}

#[test]
fn the_start_page_lies_over_a_scene_that_stays() {
    let mut app = app_with(|app| _ = app.add_plugins(StartPagePlugin));
    app.world_mut().write_message(crate::scene::SceneCommand::Load(crate::scene::SceneSource::Shipped("cradle")));
    frame(&mut app);
    let discs = app.world_mut().query::<&crate::components::Disc>().iter(app.world()).count();
    app.world_mut().write_message(StartPageAsked);
    frame(&mut app);
    frame(&mut app);
    assert!(app.world().resource::<StartPage>().open && app.world().resource::<crate::view::Covered>().0);
    start_page::go_back(app.world_mut());
    frame(&mut app);
    assert!(!app.world().resource::<StartPage>().open);
    assert_eq!(app.world_mut().query::<&crate::components::Disc>().iter(app.world()).count(), discs);
    let source = app.world().resource::<crate::scene::CurrentScene>().source.clone();
    assert_eq!(source, crate::scene::SceneSource::Shipped("cradle"));
}
