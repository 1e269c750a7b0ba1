//! Tests with complete matches played with the keyboard only or with a gamepad only, and with games other than pool
//! past their opening.

use std::sync::atomic::{AtomicU32, Ordering};

use bevy::input::gamepad::Gamepad;
use bevy_egui::egui::Key;
use egui_kittest::kittest::Queryable;

use super::*;
use crate::{
    components::{InPocket, Position},
    games::{
        Action, BallId, CallNeeded, Choice, Game, Match, Player, Region,
        bot::{Bot, Level, Thinker},
        plugin::{Beginning, MatchCommand, Phase, Seat},
        rulebooks::practice,
    },
    input::Aim,
    notice::Notices,
    scene::SceneCommand,
};

/// The task of the person to act.
fn task(app: &App) -> (Player, Task) {
    let (player, task) = live(app).game().turn().expect("it is not over");
    (player, task.clone())
}

fn place_of(app: &App, ball: BallId) -> Vec2 {
    let ball = live(app).entity_of(ball).unwrap();
    app.world().get::<Position>(ball).unwrap().0
}

/// Continues with bots of a small budget until a state is reached.
fn play_until(app: &mut App, reached: impl Fn(&CurrentMatch) -> bool) {
    const SKILL: Level =
        Level { noise: 0.0, aims: 3, speeds: 1, tips: 1, samples: 0, deep: 0, safeties: 2, breaks: 2, ..Level::STRONG };
    let mut player = Thinker::new("both", SKILL);
    for _ in 0..200 {
        if reached(live(app)) {
            return;
        }
        assert!(live(app).waits_for_person(), "{:?}", live(app).phase());
        player.consider(live(app).game().game_state());
        let action = (0..10_000).find_map(|_| player.think(64)).expect("it decides");
        app.world_mut().write_message(MatchCommand::Act(action));
        frame(app);
        app.world_mut().write_message(MatchCommand::GoOn);
        frame(app);
        frame(app);
    }
    panic!("it has not come to that");
}

/// The softest shot with keys, from where the ball in hand lies. It hits nothing.
fn foul_by_keys(app: &mut App) {
    if hud(app).is_placing() {
        press(app, &[KeyCode::Enter]);
    }
    press(app, &[KeyCode::KeyA]);
    assert!(app.world().resource::<Aim>().by_numbers.is_some());
    while app.world().resource::<Aim>().by_numbers.unwrap().speed > 0.15 {
        press(app, &[KeyCode::ArrowDown]);
    }
    press(app, &[KeyCode::Enter]);
    assert!(matches!(live(app).phase(), Phase::Rolling(_)), "{:?}", hud(app).refusal);
    roll(app);
    assert!(!live(app).last().unwrap().1.verdict.fouls.is_empty());
}

#[test]
fn keys_alone_play_a_match_to_its_end() {
    let mut app = begin("nine-ball", ["you", "another"]);
    // Moves the ball in hand and places it there.
    let before = cue_ball(&app);
    press(&mut app, &[KeyCode::ArrowUp]);
    press(&mut app, &[KeyCode::ArrowLeft]);
    assert!((cue_ball(&app) - before - vec2(-0.05, 0.05)).length() < 1e-4, "{}", cue_ball(&app));
    for fouls in 0..5 {
        assert_eq!(task(&app).0, Player(fouls % 2));
        foul_by_keys(&mut app);
    }
    assert!(matches!(live(&app).phase(), Phase::Over), "the third foul in a row loses");
    assert_eq!(live(&app).game().winner(), Some(Player(1)));
    // Once more, then cancel.
    press(&mut app, &[KeyCode::Enter]);
    frame(&mut app);
    assert_eq!((task(&app).0, live(&app).game().log().len()), (Player(0), 1));
    foul_by_keys(&mut app);
    press(&mut app, &[KeyCode::ControlLeft, KeyCode::KeyZ]);
    press(&mut app, &[KeyCode::Digit1]);
    assert_eq!(task(&app).0, Player(0), "it was taken back");
}

/// Presses a button of the only gamepad for one frame.
fn push(app: &mut App, button: GamepadButton) {
    for value in [1.0, 0.0] {
        let mut gamepads = app.world_mut().query::<&mut Gamepad>();
        gamepads.single_mut(app.world_mut()).unwrap().analog_mut().set(button, value);
        frame(app);
    }
}

fn tilt(app: &mut App, axis: GamepadAxis, to: f32) {
    let mut gamepads = app.world_mut().query::<&mut Gamepad>();
    gamepads.single_mut(app.world_mut()).unwrap().analog_mut().set(axis, to);
}

fn foul_by_gamepad(app: &mut App) {
    if hud(app).is_placing() {
        push(app, GamepadButton::South);
    }
    push(app, GamepadButton::West);
    assert!(app.world().resource::<Aim>().by_numbers.is_some());
    while app.world().resource::<Aim>().by_numbers.unwrap().speed > 0.15 {
        push(app, GamepadButton::LeftTrigger2);
    }
    push(app, GamepadButton::South);
    assert!(matches!(live(app).phase(), Phase::Rolling(_)), "{:?}", hud(app).refusal);
    roll(app);
}

#[test]
fn a_gamepad_alone_plays_a_match_to_its_end() {
    let mut app = begin("nine-ball", ["you", "another"]);
    app.world_mut().spawn(Gamepad::default());
    let before = cue_ball(&app);
    tilt(&mut app, GamepadAxis::LeftStickX, -1.0);
    tilt(&mut app, GamepadAxis::LeftStickY, 1.0);
    for _ in 0..5 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        frame(&mut app);
    }
    let moved = cue_ball(&app) - before;
    assert!(moved.x < -0.01 && moved.y > 0.01, "the stick moves the ball in hand: {moved}");
    assert_eq!(app.world().resource::<Aim>().by_numbers, None);
    // To the rail and along it.
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(2));
        frame(&mut app);
        if cue_ball(&app).x < -1.2 && cue_ball(&app).y > 0.59 {
            break;
        }
    }
    assert!(cue_ball(&app).x < -1.2 && cue_ball(&app).y > 0.59, "it slides into the corner: {}", cue_ball(&app));
    tilt(&mut app, GamepadAxis::LeftStickX, 0.0);
    tilt(&mut app, GamepadAxis::LeftStickY, 0.0);
    frame(&mut app);
    push(&mut app, GamepadButton::South);
    assert!(!hud(&app).is_placing());
    push(&mut app, GamepadButton::South);
    assert!(hud(&app).is_placing(), "it is taken up again");
    for _ in 0..5 {
        foul_by_gamepad(&mut app);
    }
    assert!(matches!(live(&app).phase(), Phase::Over));
    // The last offer is to leave.
    push(&mut app, GamepadButton::DPadLeft);
    push(&mut app, GamepadButton::South);
    frame(&mut app);
    assert!(!app.world().contains_resource::<CurrentMatch>(), "the match is left");
}

#[test]
fn a_gamepad_calls_ball_and_pocket() {
    let mut app = begin("ten-ball", ["you", "another"]);
    app.world_mut().spawn(Gamepad::default());
    play_until(&mut app, |live| {
        persons_stroke(live).is_some_and(|stroke| stroke.call == CallNeeded::BallAndPocket && stroke.may_play_safe)
    });
    if hud(&app).is_placing() {
        push(&mut app, GamepadButton::South);
    }
    push(&mut app, GamepadButton::RightThumb);
    push(&mut app, GamepadButton::RightTrigger2);
    push(&mut app, GamepadButton::RightTrigger2);
    let call = hud(&app).call();
    assert!(call.ball.is_some() && call.pocket.is_some_and(|pocket| pocket.0 == 1), "{call:?}");
    push(&mut app, GamepadButton::LeftTrigger2);
    assert!(hud(&app).call().safety);
}

#[test]
fn neither_a_shoulder_nor_a_key_leaves_a_match_for_another_scene() {
    let mut app = begin("nine-ball", ["you", "another"]);
    app.world_mut().spawn(Gamepad::default());
    app.world_mut().resource_mut::<Messages<SceneCommand>>().clear();
    press(&mut app, &[KeyCode::PageDown]);
    push(&mut app, GamepadButton::RightTrigger);
    assert!(app.world().contains_resource::<CurrentMatch>());
    let notices = app.world().resource::<Notices>();
    assert!(
        notices.iter().count() > 0 && notices.iter().all(|it| it.text.contains("Leave it first")),
        "it says why not"
    );
}

#[test]
fn a_key_leads_to_the_buttons_and_keys_press_them() {
    let mut app = begin("nine-ball", ["Ann", "Ben"]);
    press(&mut app, &[KeyCode::KeyJ]);
    let mut harness = shown(app, [920.0, 800.0]);
    let focused = |harness: &egui_kittest::Harness<'static, App>| harness.ctx.memory(bevy_egui::egui::Memory::focused);
    assert!(focused(&harness).is_some(), "the first button has the keyboard");
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert!(!hud(harness.state()).is_placing(), "it was the one that puts the ball down");
    frame(harness.state_mut());
    assert!(live(harness.state()).game().log().len() >= 2);
}

#[test]
fn a_snooker_free_ball_is_nominated_by_click_and_key() {
    let mut app = begin("snooker", ["you", "another"]);
    let Task::Shoot(stroke) = task(&app).1 else { panic!("{:?}", task(&app)) };
    assert_eq!(stroke.in_hand, Some(Region::D));
    let baulk = live(&app).game().table().spec.baulk.unwrap();
    let (line, radius) = (baulk.line as f32, baulk.radius as f32);
    // It may not be carried out of the D.
    let from = cue_ball(&app);
    drag(&mut app, &[from, from + vec2(0.0, 0.01), vec2(line - 0.9 * radius, 0.8 * radius)]);
    assert!(
        hud(&app).refusal.as_ref().is_some_and(|(why, _)| remarks::refusal(why, false).contains("in the D")),
        "{:?}",
        hud(&app).refusal
    );
    assert!(hud(&app).is_placing());
    // Behind the brown, with no red in sight, and hardly moving away.
    let from = cue_ball(&app);
    drag(&mut app, &[from, vec2(line - 0.15, 0.0)]);
    assert!((cue_ball(&app) - vec2(line - 0.15, 0.0)).length() < 1e-4, "{}", cue_ball(&app));
    let from = cue_ball(&app);
    drag(&mut app, &[from, from + vec2(0.03, 0.0)]);
    roll(&mut app);
    assert!(!live(&app).last().unwrap().1.verdict.fouls.is_empty());
    let (player, choices) = task(&app);
    let Task::Choose(choices) = choices else { panic!("{choices:?}") };
    assert_eq!(player, Player(1));
    let play_on = choices.iter().position(|choice| *choice == Choice::PlayOn).expect("it may be played on");
    press(&mut app, &[[KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3][play_on]]);
    let Task::Shoot(stroke) = task(&app).1 else { panic!("{:?}", task(&app)) };
    assert!(stroke.is_free_ball && stroke.call == CallNeeded::Ball, "{stroke:?}");
    // Without a nomination no shot is played.
    let from = cue_ball(&app);
    drag(&mut app, &[from, from + vec2(-0.2, 0.0)]);
    assert!(live(&app).waits_for_person());
    assert!(
        remarks::refusal(&hud(&app).refusal.as_ref().unwrap().0, false).contains("ball you play at"),
        "{:?}",
        hud(&app).refusal
    );
    let names = live(&app).game().rules().balls().to_vec();
    let brown = names.iter().position(|name| *name == crate::billiards::tables::BallName::Brown).unwrap();
    let brown = BallId(brown as u8);
    let at = place_of(&app, brown);
    drag(&mut app, &[at]);
    assert_eq!(hud(&app).call().ball, Some(brown), "by a click");
    press(&mut app, &[KeyCode::KeyN]);
    assert!(hud(&app).call().ball.is_some_and(|ball| ball != brown), "by a key");
    drag(&mut app, &[at]);
    let harness = shown(app, [920.0, 800.0]);
    assert!(harness.query_by_label_contains("Free ball").is_some());
    assert!(harness.query_by_label_contains("Called: brown").is_some());
}

#[test]
fn after_a_red_a_colour_is_nominated() {
    let mut app = begin("snooker", ["you", "another"]);
    play_until(&mut app, |live| {
        persons_stroke(live).is_some_and(|stroke| stroke.call == CallNeeded::Ball && !stroke.is_free_ball)
    });
    let Task::Shoot(stroke) = task(&app).1 else { panic!("{:?}", task(&app)) };
    assert_eq!(stroke.on.len(), 6, "any colour");
    let red = live(&app).game().layout().on_table().map(|(ball, _)| ball);
    let red = red.into_iter().find(|ball| *ball != stroke.cue_ball && !stroke.on.contains(ball)).unwrap();
    let at = place_of(&app, red);
    drag(&mut app, &[at]);
    assert_eq!(hud(&app).call().ball, None, "a red is not one");
    for _ in 0..6 {
        press(&mut app, &[KeyCode::KeyN]);
        assert!(hud(&app).call().ball.is_some_and(|ball| stroke.on.contains(&ball)));
    }
    let from = cue_ball(&app);
    drag(&mut app, &[from, from + vec2(-0.1, 0.02)]);
    let log = live(&app).game().log().len();
    roll(&mut app);
    assert!(live(&app).game().log().len() > log);
}

#[test]
fn at_carom_each_plays_the_own_ball() {
    let mut app = begin("three-cushion", ["you", "another"]);
    for (turn, own) in [(Player(0), 0), (Player(1), 1), (Player(0), 0)] {
        let (player, doing) = task(&app);
        let Task::Shoot(stroke) = doing else { panic!("{doing:?}") };
        assert_eq!((player, stroke.cue_ball), (turn, BallId(own)));
        // The opponent's ball cannot be shot.
        let other = place_of(&app, BallId(1 - own));
        drag(&mut app, &[other, other + vec2(-0.2, 0.0)]);
        assert!(live(&app).waits_for_person());
        let from = place_of(&app, BallId(own));
        hold(&mut app, &[from, from + vec2(-0.12, 0.07)]);
        assert!(app.world().resource::<Aim>().shot.is_some());
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
        frame(&mut app);
        frame(&mut app);
        assert!(matches!(live(&app).phase(), Phase::Rolling(_)), "{:?}", hud(&app).refusal);
        roll(&mut app);
        assert_eq!(live(&app).departures(), 0);
    }
}

#[test]
fn stones_are_placed_and_delivered_by_turns_until_the_end_is_counted() {
    let mut app = app();
    let mut spec = spec("curling", ["you", "another"]);
    spec.options = [("ends".to_owned(), 1.into()), ("stones".to_owned(), 2.into())].into_iter().collect();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(Beginning::of(spec).unwrap())));
    frame(&mut app);
    frame(&mut app);
    let mut delivered = Vec::new();
    for stone in 0..4 {
        let (player, doing) = task(&app);
        let Task::Shoot(stroke) = doing else { panic!("{doing:?}") };
        assert!(!delivered.contains(&(player, stroke.cue_ball)), "each stone once");
        delivered.push((player, stroke.cue_ball));
        assert!(hud(&app).is_placing() && stroke.in_hand.is_some());
        let from = place_of(&app, stroke.cue_ball);
        let to = from + vec2(0.0, [0.16, 0.08, -0.08, -0.16][stone]);
        drag(&mut app, &[from, to]);
        assert!(!hud(&app).is_placing(), "{:?}", hud(&app).refusal);
        drag(&mut app, &[to, to + vec2(-0.12, 0.0)]);
        assert!(matches!(live(&app).phase(), Phase::Rolling(_)), "{:?}", hud(&app).refusal);
        roll(&mut app);
        assert_eq!(live(&app).departures(), 0);
        if live(&app).game().turn().is_none() {
            break;
        }
    }
    assert!(delivered.iter().filter(|(player, _)| *player == Player(0)).count() >= 1);
    assert_eq!(delivered.len(), 4);
}

#[test]
fn at_eight_ball_the_groups_are_said_and_a_called_shot_is_played() {
    let mut app = begin("eight-ball", ["Ann", "Ben"]);
    play_until(&mut app, |live| {
        let has_group = live
            .game()
            .rules()
            .notes(Player(0))
            .iter()
            .any(|note| ["solids", "stripes"].contains(&remarks::said(note.sentence()).as_str()));
        has_group && persons_stroke(live).is_some_and(|stroke| stroke.in_hand.is_none())
    });
    let Task::Shoot(stroke) = task(&app).1 else { panic!("{:?}", task(&app)) };
    let (on, pocket) = (stroke.on[0], 2);
    let at = place_of(&app, on);
    drag(&mut app, &[at]);
    let hole = live(&app).game().table().built.holes[pocket].middle.as_vec2();
    drag(&mut app, &[hole]);
    let from = cue_ball(&app);
    let log = live(&app).game().log().len();
    let way = (at - from).normalize();
    drag(&mut app, &[from, from - 0.15 * way]);
    roll(&mut app);
    let Action::Shoot { call, .. } = live(&app).game().log()[log].action else { panic!("it was a shot") };
    assert_eq!((call.ball, call.pocket.map(|pocket| usize::from(pocket.0))), (Some(on), Some(pocket)));
    let pots = app.world_mut().query::<&InPocket>().iter(app.world()).count();
    let harness = shown(app, [920.0, 800.0]);
    let groups = ["solids", "stripes"].map(|group| harness.query_all_by_label_contains(group).count());
    assert!(groups.iter().all(|&count| count > 0), "{groups:?} after {pots} balls");
}

/// Starts a match of two people in a game that need not be in the list, on the usual table of practice.
fn begin_own(game: &'static Game) -> App {
    let mut app = app();
    let table = Match::new(MatchSpec::default()).unwrap().table().clone();
    let spec = MatchSpec { game: game.name.to_owned(), ..spec("practice", ["Ann", "Ben"]) };
    let seats = [Seat::Person, Seat::Person];
    let beginning = Beginning::with_seats(Match::on_table(spec, game, table).unwrap(), seats).unkept();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    app
}

#[test]
fn another_match_is_made_when_it_is_asked_for_and_not_before() {
    static BEGUN: AtomicU32 = AtomicU32::new(0);
    static COUNTED: Game = Game {
        name: "counted",
        begin: |table, options| {
            BEGUN.fetch_add(1, Ordering::Relaxed);
            (practice::GAME.begin)(table, options)
        },
        solo: false,
        ..practice::GAME
    };
    let mut app = begin_own(&COUNTED);
    app.world_mut().write_message(MatchCommand::Act(Action::Concede));
    frame(&mut app);
    assert!(matches!(live(&app).phase(), Phase::Over));
    let mut harness = shown(app, [920.0, 800.0]);
    for _ in 0..10 {
        frame(harness.state_mut());
        harness.run_steps(1);
    }
    assert_eq!(BEGUN.load(Ordering::Relaxed), 1);
    // The offer is in the list of offers, and below as a button.
    harness.query_all_by_label("Play again").last().unwrap().click();
    harness.run_steps(2);
    frame(harness.state_mut());
    assert_eq!(BEGUN.load(Ordering::Relaxed), 2);
    assert!(matches!(live(harness.state()).phase(), Phase::Person));
}

#[test]
fn a_game_for_one_has_one_player_on_the_scoreboard() {
    static ALONE: Game = Game { name: "alone", ..practice::GAME };
    let harness = shown(begin_own(&ALONE), [920.0, 800.0]);
    assert!(harness.query_by_label("Ann").is_some() && harness.query_by_label("Ben").is_none());
}

#[test]
fn a_cue_ball_that_falls_in_practice_is_no_ball_that_is_potted() {
    let mut app = begin("practice", ["Ann", "-"]);
    let pocket = live(&app).game().table().built.holes[0].mouth.as_vec2();
    let from = pocket - pocket.signum() * 0.3;
    let strike = crate::billiards::cue::CueStrike { speed: 1.5, direction: (pocket - from).as_dvec2(), ..default() };
    for action in [Action::Place(from), Action::Shoot { call: Call::default(), strike }] {
        app.world_mut().write_message(MatchCommand::Act(action));
        frame(&mut app);
    }
    roll(&mut app);
    let report = &live(&app).last().unwrap().1;
    assert_eq!(report.shot.as_ref().unwrap().pocket_of(BallId(0)), Some(PocketId(0)));
    assert!(!said(&app).contains("pot"), "{}", said(&app));
}

#[test]
fn the_keys_call_no_ball_that_the_rules_do_not_let_be_called() {
    let mut app = app();
    // Calls are required from the first shot after the break on. The table is open until a ball is potted.
    let mut playing = Match::new(spec("eight-ball", ["Ann", "Ben"])).unwrap();
    let stroke = loop {
        if let Some((_, Task::Shoot(stroke))) = playing.turn()
            && stroke.call == CallNeeded::BallAndPocket
            && !stroke.may_call.is_empty()
        {
            break stroke.clone();
        }
        playing.apply(Action::Pass).unwrap();
    };
    let seats = [Seat::Person, Seat::Person];
    let beginning = Beginning::with_seats(playing, seats).unkept();
    app.world_mut().write_message(MatchCommand::Begin(Box::new(beginning)));
    frame(&mut app);
    frame(&mut app);
    if hud(&app).is_placing() {
        press(&mut app, &[KeyCode::Enter]);
    }
    for _ in 0..20 {
        press(&mut app, &[KeyCode::KeyN]);
        let called = hud(&app).call().ball.unwrap();
        assert!(stroke.may_call.contains(&called), "{called:?}");
    }
    // Nor does a press.
    app.world_mut().resource_mut::<Hud>().call = Call::default();
    let eight = live(&app).game().layout()[BallId(8)].on_table().unwrap();
    drag(&mut app, &[eight]);
    assert_eq!(hud(&app).call().ball, None);
}
