use bevy::time::TimeUpdateStrategy;
use bevy_egui::egui::{self, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use super::*;
use crate::{
    PhysicsPlugins,
    disc::{Position, Velocity},
    games::{
        Action, BallId, Call, CallRefusal, MatchSpec, PlaceRefusal, Player, PocketId,
        bot::Level,
        coach::{as_it_lies, missed},
        plugin::{Beginning, LookBack, MatchCommand, MatchSettings, Phase},
    },
    input::{Aim, CueSettings, InputPlugins, Pointer, PointingDevice, Selection, StartPageAsked},
    scene::{Notices, ScenePlugin},
    view::View2d,
};

mod whole_matches;

/// A world without a window, with the hands of a person, and a view that shows a metre as 200 pixels.
fn app() -> App {
    app_with(|_| ())
}

/// The same with more of it.
fn app_with(more: impl FnOnce(&mut App)) -> App {
    app_that_shows(|app| {
        app.add_plugins(HudPlugin);
        more(app);
    })
}

/// The same with what of a match?
fn app_that_shows(more: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PhysicsPlugins::default(), ScenePlugin, InputPlugins))
        .init_resource::<Notices>()
        .insert_resource(MatchSettings::AT_ONCE)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let mut view = View2d::default();
    view.pixels_per_metre = 200.0;
    app.world_mut().spawn(view);
    more(&mut app);
    app.finish();
    app.cleanup();
    app
}

fn spec(game: &str, players: [&str; 2]) -> MatchSpec {
    MatchSpec { game: game.to_owned(), players: players.map(str::to_owned), seed: 3, ..MatchSpec::default() }
}

fn begin(game: &str, players: [&str; 2]) -> App {
    begin_in(app(), game, players)
}

fn begin_in(mut app: App, game: &str, players: [&str; 2]) -> App {
    let beginning = Beginning::of(spec(game, players)).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    app
}

fn frame(app: &mut App) {
    app.update();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
}

fn live(app: &App) -> &CurrentMatch {
    app.world().resource::<CurrentMatch>()
}

fn hud(app: &App) -> &Hud {
    app.world().resource::<Hud>()
}

fn press(app: &mut App, keys: &[KeyCode]) {
    for &key in keys {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
    }
    frame(app);
    for &key in keys {
        app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(key);
    }
    frame(app);
}

fn point(app: &mut App, world: Vec2) {
    let screen = main_view(app.world_mut()).unwrap().to_screen(world);
    app.insert_resource(Pointer { screen: Some(screen), world: Some(world), ..default() });
}

/// Presses at one place, drags to others, and lets go.
fn drag(app: &mut App, places: &[Vec2]) {
    hold(app, places);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
    frame(app);
    frame(app);
}

fn hold(app: &mut App, places: &[Vec2]) {
    point(app, places[0]);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    frame(app);
    for &place in places {
        point(app, place);
        frame(app);
    }
}

fn cue_ball(app: &App) -> Vec2 {
    let ball = live(app).entity_of(BallId(0)).unwrap();
    app.world().get::<Position>(ball).unwrap().0
}

/// Lets the balls roll until they rest.
fn roll(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(60));
    for _ in 0..5000 {
        frame(app);
        if matches!(live(app).phase(), Phase::Person | Phase::Over) {
            break;
        }
    }
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    assert!(matches!(live(app).phase(), Phase::Person | Phase::Over), "{:?}", live(app).phase());
    frame(app);
}

/// Puts the ball in hand down, and plays the softest of shots: a foul, after which the other has ball in hand.
fn foul(app: &mut App) {
    tap(app);
    assert!(!live(app).last().unwrap().1.verdict.fouls.is_empty());
}

/// The same where it need not be a foul.
fn tap(app: &mut App) {
    if hud(app).is_placing() {
        press(app, &[KeyCode::Enter]);
    }
    let from = cue_ball(app);
    drag(app, &[from, from + vec2(0.06, 0.0)]);
    assert!(matches!(live(app).phase(), Phase::Rolling(_)), "{:?}", hud(app).refusal);
    roll(app);
}

#[test]
fn the_hands_alone_play_a_match_for_a_hud_of_ones_own() {
    let mut app = begin_in(app_that_shows(|app| _ = app.add_plugins(MatchInputPlugin)), "nine-ball", ["a", "b"]);
    assert!(hud(&app).is_placing());
    let elsewhere = cue_ball(&app) + vec2(9.0, 0.0);
    let from = cue_ball(&app);
    drag(&mut app, &[from, elsewhere]);
    assert!(matches!(hud(&app).refusal(), Some((Refusal::Place(_), _))), "{:?}", hud(&app).refusal());
    foul(&mut app);
    // Whoever comes to the table after a foul on the break has the ball in hand.
    assert!(hud(&app).is_placing());
    app.world_mut().write_message(MatchCommand::TakeBack);
    frame(&mut app);
    frame(&mut app);
    assert_eq!(hud(&app).offers(live(&app)), [Offer::Agree, Offer::Decline]);
    let after = live(&app).game().hash();
    press(&mut app, &[KeyCode::Digit1]);
    assert!(!live(&app).take_back_asked() && live(&app).game().hash() != after);
}

#[test]
fn a_pull_is_a_shot_of_the_match_to_the_bit() {
    let mut app = begin("nine-ball", ["you", "another"]);
    assert!(hud(&app).is_placing());
    press(&mut app, &[KeyCode::Enter]);
    assert!(!hud(&app).is_placing());
    let from = cue_ball(&app);
    drag(&mut app, &[from, from + vec2(-0.3, 0.01)]);
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)), "{:?}", hud(&app).refusal);
    frame(&mut app);
    let ball = live(&app).entity_of(BallId(0)).unwrap();
    assert!(app.world().get::<Velocity>(ball).unwrap().x > 4.0);
    roll(&mut app);
    let live = live(&app);
    assert_eq!(live.departures(), 0);
    assert!(live.game().log().iter().any(|entry| matches!(entry.action, Action::Shoot { .. })));
}

#[test]
fn the_ball_in_hand_goes_where_it_may_and_lies_when_it_is_let_go() {
    let mut app = begin("nine-ball", ["you", "another"]);
    let from = cue_ball(&app);
    drag(&mut app, &[from, vec2(-0.9, 0.2)]);
    assert!((cue_ball(&app) - vec2(-0.9, 0.2)).length() < 1e-5, "{}", cue_ball(&app));
    assert!(!hud(&app).is_placing(), "it has been put down");
    assert_eq!(live(&app).game().layout()[BallId(0)].on_table(), Some(cue_ball(&app)));
    press(&mut app, &[KeyCode::Enter]);
    assert!(hud(&app).is_placing(), "and is taken up again");
    // Beyond the head string it may not lie.
    hold(&mut app, &[vec2(-0.9, 0.2), vec2(-0.8, 0.1), vec2(0.2, 0.1)]);
    assert!(hud(&app).refused_at.is_some());
    assert!((cue_ball(&app) - vec2(-0.8, 0.1)).length() < 1e-5, "it stays where it might");
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
    frame(&mut app);
    frame(&mut app);
    assert!(hud(&app).is_placing() && hud(&app).refusal.as_ref().unwrap().0 == PlaceRefusal::BehindHeadString.into());
    press(&mut app, &[KeyCode::ArrowUp]);
    assert!((cue_ball(&app) - vec2(-0.8, 0.15)).length() < 1e-3, "{}", cue_ball(&app));
    press(&mut app, &[KeyCode::Enter]);
    assert_eq!(live(&app).game().layout()[BallId(0)].on_table(), Some(cue_ball(&app)));
}

#[test]
fn without_a_call_nothing_happens_but_a_sentence_and_with_one_it_does() {
    let mut app = begin("eight-ball", ["you", "another"]);
    foul(&mut app);
    for _ in 0..6 {
        if !super::offers::of(live(&app), hud(&app)).is_empty() {
            press(&mut app, &[KeyCode::Digit1]);
        }
        let stroke = persons_stroke(live(&app)).cloned();
        if stroke.is_some_and(|stroke| stroke.call == crate::games::CallNeeded::BallAndPocket) {
            break;
        }
        if hud(&app).is_placing() {
            press(&mut app, &[KeyCode::Enter]);
        }
        let from = cue_ball(&app);
        drag(&mut app, &[from, from + vec2(-0.4, 0.003)]);
        roll(&mut app);
    }
    if hud(&app).is_placing() {
        press(&mut app, &[KeyCode::Enter]);
    }
    assert!(task(&app).contains("Call a ball (N) and a pocket (K)"), "{}", task(&app));
    let harness = shown(app, [920.0, 800.0]);
    assert!(harness.query_by_label("any ball but the 8").is_some(), "fourteen balls on are not cut short");
    let mut app = harness.into_state();
    let (from, hash) = (cue_ball(&app), live(&app).game().hash());
    drag(&mut app, &[from, from + vec2(-0.2, 0.0)]);
    assert!(live(&app).waits_for_person());
    frame(&mut app);
    assert_eq!((cue_ball(&app), live(&app).game().hash()), (from, hash));
    assert!(
        hud(&app).refusal.as_ref().is_some_and(|(why, _)| *why == CallRefusal::BallAndPocketFirst.into()),
        "{:?}",
        hud(&app).refusal
    );
    // A press on a ball and on a pocket.
    let mut on_table = live(&app).game().layout().on_table();
    let (ball, at) = on_table.find(|(ball, _)| ball.0 != 0).unwrap();
    drop(on_table);
    let hole = live(&app).game().table().built.holes[2].middle.as_vec2();
    drag(&mut app, &[at]);
    drag(&mut app, &[hole]);
    assert_eq!((hud(&app).call().ball, hud(&app).call().pocket), (Some(ball), Some(PocketId(2))));
    // By keys.
    press(&mut app, &[KeyCode::KeyK]);
    assert_eq!(hud(&app).call().pocket, Some(PocketId(3)));
    press(&mut app, &[KeyCode::ShiftLeft, KeyCode::KeyK]);
    assert_eq!(hud(&app).call().pocket, Some(PocketId(2)));
    press(&mut app, &[KeyCode::KeyN]);
    assert_ne!(hud(&app).call().ball, Some(BallId(0)));
    press(&mut app, &[KeyCode::KeyY]);
    assert!(hud(&app).call().safety);
    drag(&mut app, &[from, from + vec2(-0.2, 0.0)]);
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)), "{:?}", hud(&app).refusal);
}

#[test]
fn a_match_is_fair_and_afterwards_all_is_as_it_was() {
    let mut app = app();
    frame(&mut app);
    let before = *app.world().resource::<Controls>();
    let beginning = Beginning::of(spec("nine-ball", ["you", "another"])).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    press(&mut app, &[KeyCode::Enter]);
    let ball = live(&app).entity_of(BallId(1)).unwrap();
    let at = app.world().get::<Position>(ball).unwrap().0;
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    drag(&mut app, &[at, at + vec2(0.0, 0.3)]);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ShiftLeft);
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyA]);
    press(&mut app, &[KeyCode::Delete]);
    press(&mut app, &[KeyCode::ArrowUp]);
    assert_eq!(app.world().get::<Position>(ball).unwrap().0, at);
    assert!(app.world().resource::<Selection>().0.is_empty());
    assert!(app.world().resource::<EditLock>().0.is_some());
    app.world_mut().write_message(MatchCommand::Leave);
    frame(&mut app);
    frame(&mut app);
    assert_eq!(*app.world().resource::<Controls>(), before);
    assert_eq!(app.world().resource::<EditLock>().0, None);
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyA]);
    assert!(!app.world().resource::<Selection>().0.is_empty());
}

#[test]
fn to_take_back_is_asked_by_a_key_and_answered_by_another() {
    let mut app = begin("nine-ball", ["you", "another"]);
    let hash = live(&app).game().hash();
    foul(&mut app);
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyZ]);
    assert!(live(&app).take_back_asked());
    frame(&mut app);
    press(&mut app, &[KeyCode::ArrowRight]);
    assert_eq!(hud(&app).marked, 1);
    press(&mut app, &[KeyCode::Enter]);
    assert!(!live(&app).take_back_asked() && live(&app).game().hash() != hash, "the other has declined");
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyZ]);
    frame(&mut app);
    press(&mut app, &[KeyCode::Digit1]);
    assert_eq!(live(&app).game().turn().unwrap().0, Player(0), "it is taken back");
}

#[test]
fn the_cue_of_a_bot_turns_to_its_line_and_the_persons_is_as_before() {
    let mut app = app();
    app.insert_resource(MatchSettings::default());
    app.world_mut().resource_mut::<CueSettings>().side = 0.125;
    let beginning = Beginning::of(spec("nine-ball", ["bot:recipe", "you"])).unwrap();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(6));
    let mut angles = Vec::new();
    for _ in 0..20_000 {
        frame(&mut app);
        if let (Some(shot), Some(_)) = (app.world().resource::<Aim>().by_numbers, live(&app).stance()) {
            angles.push(shot.angle);
        }
        if matches!(live(&app).phase(), Phase::Rolling(_)) {
            break;
        }
    }
    assert!(angles.len() > 5, "it was seen: {angles:?}");
    app.insert_resource(MatchSettings::AT_ONCE);
    roll(&mut app);
    assert_eq!(app.world().resource::<CueSettings>().side, 0.125);
    let shots = live(&app).game().log().iter().filter_map(|entry| match entry.action {
        Action::Shoot { strike, .. } => Some(strike.direction.as_vec2().to_angle().to_degrees()),
        _ => None,
    });
    let first = shots.into_iter().next().unwrap();
    let off = (angles.last().unwrap() - first + 540.0).rem_euclid(360.0) - 180.0;
    assert!(off.abs() < 1e-3, "{angles:?} ends at {first}");
}

/// What is shown of a match, in a window of this size.
fn shown(app: App, size: [f32; 2]) -> Harness<'static, App> {
    let show = |ui: &mut egui::Ui, app: &mut App| {
        let area = ui.ctx().content_rect();
        let top = scoreboard::show(ui.ctx(), area, app.world());
        coach::show(ui.ctx(), area, top, app.world());
        if !look_back::show(ui.ctx(), area, app.world_mut()) {
            prompt::show(ui.ctx(), area, app.world_mut());
        }
        shot_list::show(ui.ctx(), area, top, app.world_mut());
        statistics::show(ui.ctx(), area, app.world_mut());
    };
    let mut harness = Harness::builder().with_size(size).build_ui_state(show, app);
    harness.run_steps(3);
    harness
}

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
    harness.get_by_label("Put the ball down").click();
    harness.run_steps(2);
    assert!(!hud(harness.state()).is_placing());
    frame(harness.state_mut());
    harness.get_by_label("Take back").click();
    harness.run_steps(2);
    frame(harness.state_mut());
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Both have to agree").is_some());
    harness.get_by_label("Agree").click();
    harness.run_steps(2);
    frame(harness.state_mut());
    harness.run_steps(2);
    assert_eq!(live(harness.state()).game().turn().unwrap().0, Player(0));
    assert!(harness.query_by_label("The last shot was taken back.").is_some());
}

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
    // Nothing can be shot behind it.
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
    // A shot that rolls comes to rest behind the page, and is judged after it.
    press(&mut app, &[KeyCode::Home]);
    for _ in 0..100 {
        frame(&mut app);
    }
    assert!(matches!(live(&app).phase(), Phase::Rolling(_)));
    start_page::go_back(app.world_mut());
    roll(&mut app);
    assert_eq!(live(&app).departures(), 0);
    // A match that begins from elsewhere, as by a file that is dropped, is not covered; what only plays behind the page is.
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
    let discs = app.world_mut().query::<&crate::disc::Disc>().iter(app.world()).count();
    app.world_mut().write_message(StartPageAsked);
    frame(&mut app);
    frame(&mut app);
    assert!(app.world().resource::<StartPage>().open && app.world().resource::<crate::input::Overlays>().page);
    start_page::go_back(app.world_mut());
    frame(&mut app);
    assert!(!app.world().resource::<StartPage>().open);
    assert_eq!(app.world_mut().query::<&crate::disc::Disc>().iter(app.world()).count(), discs);
    let source = app.world().resource::<crate::scene::CurrentScene>().source.clone();
    assert_eq!(source, crate::scene::SceneSource::Shipped("cradle"));
}

/// Whether everything that can be pressed is within a window of this size.
fn is_within(harness: &Harness<'static, App>, size: [f32; 2]) {
    let area = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into()).expand(0.5);
    for node in harness.root().children_recursive() {
        let is_pressed = [Role::Button, Role::Slider, Role::ComboBox].contains(&node.accesskit_node().role());
        assert!(!is_pressed || area.contains_rect(node.rect()), "{size:?}: {node:?}");
    }
}

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
    // Nothing of the match can be done.
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
        for name in ["The shot before", "Pause", "The next shot", "Speed of the shot", "Time of the shot"] {
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

/// Practice with the balls of snooker, and a coach that looks at little.
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

fn coach_of(app: &App) -> &coach::CoachState {
    app.world().resource::<coach::CoachState>()
}

/// Goes on until the tasks have come to this.
fn wait_for(app: &mut App, what: impl Fn(&App) -> bool) {
    for _ in 0..6000 {
        frame(app);
        if what(app) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("it never comes: {:?}", coach_of(app));
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
    // What it says is read, too.
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
    let position = as_it_lies(live(&app).game().position());
    let turned = (1..40).map(|k| {
        let (sin, cos) = libm::sincos(f64::from(k) * 1e-3);
        crate::billiards::cue::Strike {
            direction: bevy::math::DVec2::new(cos, sin).rotate(tip.strike.direction),
            ..tip.strike
        }
    });
    let strike = { turned }.find(|strike| missed(&position, Call::default(), strike).is_some()).expect("a near miss");
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
        harness.query_by_label_contains("the cue pointed").is_some()
            || harness.query_by_label_contains("With the cue").is_some()
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

#[test]
fn the_key_that_sets_a_shot_up_puts_the_ball_in_hand_down() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    press(&mut app, &[KeyCode::ArrowUp]);
    let place = cue_ball(&app);
    assert!(hud(&app).is_placing());
    press(&mut app, &[KeyCode::KeyA]);
    frame(&mut app);
    assert!(!hud(&app).is_placing());
    assert!(app.world().resource::<Aim>().by_numbers.is_some(), "and the shot is set up");
    assert_eq!(live(&app).game().log().last().unwrap().action, Action::Place(place));
    // Once more gives it up, and the ball lies where it was put.
    press(&mut app, &[KeyCode::KeyA]);
    frame(&mut app);
    assert!(app.world().resource::<Aim>().by_numbers.is_none() && !hud(&app).is_placing());
    assert_eq!(cue_ball(&app), place);
}

#[test]
fn digits_are_for_choices_and_not_for_bookmarks() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    let notices = |app: &App| app.world().resource::<Notices>().iter().count();
    press(&mut app, &[KeyCode::Digit2]);
    assert_eq!(notices(&app), 0);
    app.world_mut().write_message(MatchCommand::Leave);
    frame(&mut app);
    frame(&mut app);
    press(&mut app, &[KeyCode::Digit2]);
    assert_eq!(notices(&app), 1, "there is no such bookmark");
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

/// What is said of the last action.
fn said(app: &App) -> String {
    words::verdict(live(app)).map(|(words, _)| words).unwrap_or_default()
}

/// What is to be done, in the prompt.
fn task(app: &App) -> String {
    let [put_down, set_up, declare, call_ball, call_pocket] = ["Enter", "A", "Y", "N", "K"].map(str::to_owned);
    let keys = words::Keys { put_down, set_up, declare, call_ball, call_pocket };
    words::task(live(app), hud(app).is_placing(), Some(&keys))
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
    assert_eq!(words::verdict(live(&app)), Some(("Foul by Ann: the time for the shot ran out.".to_owned(), true)));
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
    assert_eq!(said(&app), "Ben gives the rack up. You win the rack.");
    assert_eq!(task(&app), "You win the match.");
    assert_eq!([words::name("you"), words::name("bot:strong@1")], ["You", "Bot (strong@1)"]);
    crate::view::language::in_japanese(|| {
        assert_eq!(words::name("you"), "あなた");
        assert!(!words::name("bot:strong@1").contains("strong"), "{}", words::name("bot:strong@1"));
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
    assert!(task(&app).contains("Enter puts it down, A sets the shot up"), "{}", task(&app));
    for shots in 0..4 {
        if hud(&app).is_placing() {
            press(&mut app, &[KeyCode::Enter]);
        }
        assert!(task(&app).contains("Pull back from the cue ball and let go, or press A."), "{shots}: {}", task(&app));
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
    assert_eq!(by_fingers(&app), "Ball in hand, behind the head string: drag it, and put it down.");
    press(&mut app, &[KeyCode::Enter]);
    assert_eq!(by_fingers(&app), "Break. On: 1. Pull back from the cue ball and let go.");
    app.insert_resource(PointingDevice::Finger);
    let harness = shown(app, [412.0, 860.0]);
    assert!(harness.query_by_label_contains("Pull back from the cue ball and let go.").is_some());
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
