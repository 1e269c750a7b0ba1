use bevy::time::TimeUpdateStrategy;
use bevy_egui::egui::{self, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use super::*;
use crate::{
    PhysicsPlugins,
    components::{Position, Velocity},
    games::{
        Action, BallId, Call, CallRefusal, MatchSpec, PlaceRefusal, Player, PlayerSpec, PocketId,
        bot::Level,
        coach::{as_it_lies, missed},
        plugin::{Beginning, LookBack, MatchCommand, MatchSettings, Phase},
    },
    input::{Aim, CueSettings, InputPlugins, Pointer, PointingDevice, Selection},
    notice::Notices,
    scene::ScenePlugin,
    shell::StartPageAsked,
    view::View2d,
};

mod coach_and_bots;
mod page;
mod shot_list;
mod whole_matches;
mod written;

/// A world without a window, with a person's input, and a view of 200 pixels per metre.
fn app() -> App {
    app_with(|_| ())
}

/// The same with additions.
fn app_with(more: impl FnOnce(&mut App)) -> App {
    app_that_shows(|app| {
        app.add_plugins(HudPlugin);
        more(app);
    })
}

/// The same with additions and a display of the match.
fn app_that_shows(more: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        PhysicsPlugins::default(),
        ScenePlugin,
        InputPlugins,
        crate::editor::EditorPlugins,
        crate::shell::OverlayKeysPlugin,
    ))
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
    MatchSpec { game: game.to_owned(), players: players.map(PlayerSpec::from), seed: 3, ..MatchSpec::default() }
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

/// Presses at the first place, drags through the others, and releases.
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

/// Runs until the balls rest.
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

/// Places the ball in hand and plays the softest shot. It is a foul and gives the opponent ball in hand.
fn foul(app: &mut App) {
    tap(app);
    assert!(!live(app).last().unwrap().1.verdict.fouls.is_empty());
}

/// The same, where it need not be a foul.
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
    // After a foul on the break, the opponent has the ball in hand.
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
    // It may not lie beyond the head string.
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
    assert!(task(&app).contains("Click a ball (N) and a pocket (K)"), "{}", task(&app));
    let harness = shown(app, [920.0, 800.0]);
    assert!(harness.query_by_label("any ball except the 8").is_some(), "fourteen balls on are not cut short");
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
    // With a press on a ball and on a pocket.
    let mut on_table = live(&app).game().layout().on_table();
    let (ball, at) = on_table.find(|(ball, _)| ball.0 != 0).unwrap();
    drop(on_table);
    let hole = live(&app).game().table().built.holes[2].middle.as_vec2();
    drag(&mut app, &[at]);
    drag(&mut app, &[hole]);
    assert_eq!((hud(&app).call().ball, hud(&app).call().pocket), (Some(ball), Some(PocketId(2))));
    // With keys.
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

/// The display of a match in a window of this size.
fn shown(app: App, size: [f32; 2]) -> Harness<'static, App> {
    let show = |ui: &mut egui::Ui, app: &mut App| _ = write(ui.ctx(), ui.ctx().content_rect(), app.world_mut());
    let mut harness = Harness::builder().with_size(size).build_ui_state(show, app);
    harness.run_steps(3);
    harness
}

/// The text about the last action.
fn said(app: &App) -> String {
    words::verdict(live(app)).map(|(words, _)| words).unwrap_or_default()
}

/// The task in the prompt.
fn task(app: &App) -> String {
    let [put_down, set_up, declare, call_ball, call_pocket] = ["Enter", "A", "Y", "N", "K"].map(str::to_owned);
    let keys = words::Keys { put_down, set_up, declare, call_ball, call_pocket };
    words::task(live(app), hud(app).is_placing(), Some(&keys))
}

fn coach_of(app: &App) -> &coach::CoachState {
    app.world().resource::<coach::CoachState>()
}

/// Updates until the tasks have reached this state.
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

/// Asserts that all buttons are within a window of this size.
fn is_within(harness: &Harness<'static, App>, size: [f32; 2]) {
    let area = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into()).expand(0.5);
    for node in harness.root().children_recursive() {
        let is_pressed = [Role::Button, Role::Slider, Role::ComboBox].contains(&node.accesskit_node().role());
        assert!(!is_pressed || area.contains_rect(node.rect()), "{size:?}: {node:?}");
    }
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
    // A second press cancels it, and the ball stays where it was placed.
    press(&mut app, &[KeyCode::KeyA]);
    frame(&mut app);
    assert!(app.world().resource::<Aim>().by_numbers.is_none() && !hud(&app).is_placing());
    assert_eq!(cue_ball(&app), place);
}

#[test]
fn keys_raise_and_lower_the_cue_while_a_shot_is_aimed() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    let elevation = |app: &App| app.world().resource::<CueSettings>().elevation;
    press(&mut app, &[KeyCode::KeyE]);
    assert_eq!(elevation(&app), 0.0, "nothing is aimed");
    press(&mut app, &[KeyCode::KeyA]);
    frame(&mut app);
    let shown = app.world().resource::<Aim>().shot.unwrap().elevation;
    press(&mut app, &[KeyCode::KeyE]);
    assert!((elevation(&app) - shown - 1.0).abs() < 1e-4, "{} {shown}", elevation(&app));
    frame(&mut app);
    press(&mut app, &[KeyCode::ShiftLeft, KeyCode::KeyE]);
    assert!((elevation(&app) - shown - 1.1).abs() < 1e-4, "{} {shown}", elevation(&app));
    frame(&mut app);
    press(&mut app, &[KeyCode::KeyQ]);
    assert!((elevation(&app) - shown - 0.1).abs() < 1e-4, "{} {shown}", elevation(&app));
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
