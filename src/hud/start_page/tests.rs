use bevy_egui::egui::{self, Key};

use super::{
    layout::{choose, lay_out},
    *,
};
use crate::{
    games::{GAMES, Game},
    input::pad,
};

fn shown(
    ctx: &egui::Context,
    size: [f32; 2],
    page: &mut StartPage,
    events: Vec<egui::Event>,
) -> (Option<Chosen>, egui::Rect) {
    let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size.into()));
    let mut laid_out = (None, egui::Rect::NOTHING);
    let input = egui::RawInput { screen_rect, events, ..default() };
    ctx.run_ui(input, |ui| {
        let (chosen, place) = lay_out(ui.ctx(), page, &Theme::default());
        laid_out = (laid_out.0.or(chosen), place);
    })
    .textures_delta
    .clear();
    laid_out
}

fn press(key: Key) -> Vec<egui::Event> {
    let press = |pressed| egui::Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    vec![press(true), press(false)]
}

#[test]
fn the_page_lies_within_every_window_with_every_game() {
    for size in [[1920.0, 1080.0], [1280.0, 800.0], [800.0, 600.0], [400.0, 700.0], [320.0, 240.0]] {
        for game in GAMES {
            let ctx = egui::Context::default();
            let mut page = StartPage::opened();
            choose(&mut page, game);
            let place = (0..5).map(|_| shown(&ctx, size, &mut page, Vec::new()).1).last().unwrap();
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            assert!(screen.contains_rect(place), "{}: {place:?} in {screen:?}", game.name);
        }
    }
}

/// The visible text, with the rectangle of each piece.
fn texts(ctx: &egui::Context, size: [f32; 2], page: &mut StartPage) -> Vec<(String, egui::Rect)> {
    let input = egui::RawInput { screen_rect: Some(egui::Rect::from_min_size(default(), size.into())), ..default() };
    let mut output = ctx.run_ui(input, |ui| _ = lay_out(ui.ctx(), page, &Theme::default()));
    output.textures_delta.clear();
    let seen = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => {
            let part = text.galley.rect.translate(text.pos.to_vec2()).intersect(clipped.clip_rect);
            part.is_positive().then(|| (text.galley.text().to_owned(), part))
        }
        _ => None,
    });
    seen.collect()
}

#[test]
fn a_low_window_shows_the_page_from_its_beginning() {
    for size in [[860.0, 412.0], [860.0, 330.0], [412.0, 500.0]] {
        let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
        let seen = (0..60).map(|_| texts(&ctx, size, &mut page)).last().unwrap();
        assert!(seen.iter().any(|(text, _)| text == "9-ball"), "{size:?}: {seen:?}");
        assert!(seen.iter().any(|(text, _)| text == "Table"), "{size:?}: {seen:?}");
    }
}

#[test]
fn keys_alone_begin_a_match_or_leave_for_the_scenes() {
    let waits = || Over::Match("9-ball".to_owned());
    for (over, key, expected) in [
        (Over::Demonstration, Key::Enter, Some(Chosen::Begin)),
        // There is nothing to go back to.
        (Over::Demonstration, Key::Escape, None),
        (Over::Scene, Key::Escape, Some(Chosen::Scenes)),
        (waits(), Key::Enter, Some(Chosen::Back)),
        (waits(), Key::Escape, Some(Chosen::Back)),
        (Over::EndedMatch, Key::Enter, Some(Chosen::Begin)),
        (Over::EndedMatch, Key::Escape, Some(Chosen::Back)),
    ] {
        let (ctx, mut page) = (egui::Context::default(), StartPage { over, ..StartPage::opened() });
        for _ in 0..3 {
            assert_eq!(shown(&ctx, [1280.0, 800.0], &mut page, Vec::new()).0, None);
        }
        assert_eq!(shown(&ctx, [1280.0, 800.0], &mut page, press(key)).0, expected);
    }
}

#[test]
fn escape_in_a_field_leaves_the_field_alone() {
    let (ctx, mut page) = (egui::Context::default(), StartPage { over: Over::Scene, ..StartPage::opened() });
    let mut frame = |events| {
        let chosen = shown(&ctx, [1280.0, 800.0], &mut page, events).0;
        (0..2).fold(chosen, |chosen, _| chosen.or(shown(&ctx, [1280.0, 800.0], &mut page, Vec::new()).0))
    };
    frame(Vec::new());
    let tabs = (0..30).take_while(|_| !ctx.text_edit_focused() && frame(press(Key::Tab)).is_none());
    assert!(tabs.count() < 30);
    assert_eq!(frame(press(Key::Escape)), None);
    assert!(!ctx.text_edit_focused());
    assert_eq!(frame(press(Key::Escape)), Some(Chosen::Scenes));
}

#[test]
fn a_match_is_shown_as_it_is_played() {
    let mut page = StartPage::opened();
    page.spec.options.insert("push_out".to_owned(), false.into());
    let players = ["you", "bot:strong"].map(PlayerSpec::from);
    let spec = MatchSpec { game: "snooker".to_owned(), players, race_to: 5, ..MatchSpec::default() };
    page.show_match(&Match::new(spec.clone()).unwrap());
    assert_eq!((page.spec.game.as_str(), page.spec.race_to), ("snooker", 5));
    assert_eq!(page.seats, [PlayerSpec::Person(String::new()), PlayerSpec::Bot("strong".to_owned())]);
    choose(&mut page, Game::named("nine-ball").unwrap());
    assert_eq!(page.spec.options.get("push_out"), Some(&false.into()), "what was chosen of another game is kept");
}

#[test]
fn the_letters_of_play_are_those_of_what_is_chosen() {
    let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
    let letters = egui::Color32::from_rgb(1, 2, 3);
    ctx.all_styles_mut(|style| style.visuals.selection.stroke.color = letters);
    let colour = |ctx: &egui::Context, page: &mut StartPage| {
        let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0)));
        let input = egui::RawInput { screen_rect, ..default() };
        let mut output = ctx.run_ui(input, |ui| _ = lay_out(ui.ctx(), page, &Theme::default()));
        output.textures_delta.clear();
        output.shapes.iter().find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == "Play" => Some(text.galley.job.sections[0].format.color),
            _ => None,
        })
    };
    let seen = (0..3).map(|_| colour(&ctx, &mut page)).last().flatten();
    assert_eq!(seen, Some(letters));
}

#[test]
fn what_is_wanted_has_the_names_of_both() {
    let mut page = StartPage::opened();
    assert_eq!(page.wanted().players, ["You", "bot:medium"].map(PlayerSpec::from));
    page.seats = ["", " bot:x "].map(|name| PlayerSpec::Person(name.to_owned()));
    assert_eq!(page.wanted().players, ["player 1", "bot x"].map(PlayerSpec::from), "nobody becomes a bot by the name");
    for game in GAMES {
        choose(&mut page, game);
        assert!(Beginning::of(page.wanted()).is_ok(), "{}", game.name);
    }
}

#[test]
fn tab_changes_nothing_and_every_stop_is_seen() {
    for size in [[1280.0, 800.0], [800.0, 600.0], [400.0, 700.0]] {
        let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
        choose(&mut page, Game::named("snooker").unwrap());
        page.spec.options.insert("reds".to_owned(), 6.into());
        for _ in 0..3 {
            shown(&ctx, size, &mut page, Vec::new());
        }
        let before = page.clone();
        let mut stops = Vec::new();
        for _ in 0..60 {
            shown(&ctx, size, &mut page, press(Key::Tab));
            // Scrolling takes some frames.
            let card = (0..30).map(|_| shown(&ctx, size, &mut page, Vec::new()).1).last().unwrap();
            let focused = ctx.memory(egui::Memory::focused).expect("something has the keyboard");
            let ring = ctx.read_response(focused).expect("it is shown").interact_rect;
            assert!(ring.is_positive() && card.expand(1.0).contains_rect(ring), "{size:?}: {ring:?} of {card:?}");
            if stops.contains(&focused) {
                break;
            }
            stops.push(focused);
        }
        assert!(stops.len() > 6 && stops.len() < 24, "{} stops", stops.len());
        assert_eq!(page, before);
    }
}

#[test]
fn arrows_choose_in_the_list_and_options_come_back_with_their_game() {
    let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
    choose(&mut page, Game::named("snooker").unwrap());
    page.spec.options.insert("reds".to_owned(), 6.into());
    let options = page.spec.options.clone();
    let frames = |page: &mut StartPage, events| {
        shown(&ctx, [1280.0, 800.0], page, events);
        for _ in 0..2 {
            shown(&ctx, [1280.0, 800.0], page, Vec::new());
        }
    };
    frames(&mut page, Vec::new());
    // The list is the first stop of the page.
    ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    frames(&mut page, press(Key::Tab));
    frames(&mut page, press(Key::ArrowDown));
    let at = |name: &str| GAMES.iter().position(|game| game.name == name).unwrap();
    assert_eq!(at(&page.spec.game), at("snooker") + 1);
    assert!(page.spec.options.is_empty());
    frames(&mut page, press(Key::ArrowDown));
    frames(&mut page, press(Key::ArrowUp));
    frames(&mut page, press(Key::ArrowUp));
    assert_eq!((page.spec.game.as_str(), &page.spec.options), ("snooker", &options));
}

#[test]
fn a_match_that_is_over_is_not_replayed_to_know() {
    let folder = tempfile::tempdir().unwrap();
    let matches = MatchFolder(Some(folder.path().to_owned()));
    let mut record = Match::new(StartPage::default().wanted()).unwrap().record();
    let write = |record: &crate::games::MatchRecord| {
        std::fs::write(folder.path().join("one.ron"), record.to_text().unwrap()).unwrap();
    };
    write(&record);
    assert!(left_match(&matches).is_some_and(|(_, line)| line == "9-ball, You 0 \u{2013} 0 Bot (medium)"));
    // A replay would find that it is not over.
    record.over = true;
    write(&record);
    assert!(left_match(&matches).is_none());
}

#[test]
fn a_scene_that_is_dropped_on_the_page_begins_in_place_of_what_plays_behind_it() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, crate::PhysicsPlugins::default(), crate::scene::ScenePlugin))
        .add_plugins((crate::input::InputPlugins, crate::hud::HudPlugin, StartPagePlugin))
        .init_resource::<crate::notice::Notices>()
        .insert_resource(StartPage::opened());
    app.world_mut().spawn(crate::view::View2d::default());
    let load = |app: &mut App, source: SceneSource| {
        app.world_mut().write_message(SceneCommand::Load(source));
        for _ in 0..3 {
            app.update();
        }
        app.world().resource::<StartPage>().open
    };
    assert!(load(&mut app, SceneSource::default()), "the program begins with a scene, and the page over it");
    let page = StartPage { is_seen: true, ..app.world().resource::<StartPage>().clone() };
    play_by_itself(app.world_mut(), &page);
    app.insert_resource(page);
    for _ in 0..3 {
        app.update();
    }
    assert!(app.world().resource::<StartPage>().open);
    assert!(app.world().get_resource::<CurrentMatch>().is_some_and(|live| !live.is_kept()));
    assert!(!load(&mut app, SceneSource::Shipped("cradle")));
    assert!(!app.world().contains_resource::<CurrentMatch>());
    assert_eq!(app.world().resource::<CurrentScene>().source, SceneSource::Shipped("cradle"));
}

#[test]
fn a_gamepad_alone_chooses_a_game_and_players_and_begins() {
    let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
    let frames = |page: &mut StartPage, events: Vec<egui::Event>| {
        let chosen = shown(&ctx, [1280.0, 800.0], page, events).0;
        (0..2).fold(chosen, |chosen, _| chosen.or(shown(&ctx, [1280.0, 800.0], page, Vec::new()).0))
    };
    let push = |page: &mut StartPage, button: GamepadButton| {
        let struck = pad::key(button, (ctx.text_edit_focused(), egui::Popup::is_any_open(&ctx))).expect("it leads on");
        frames(page, pad::strike(struck).to_vec())
    };
    frames(&mut page, Vec::new());
    let focused = || ctx.memory(egui::Memory::focused);
    let play = focused();
    assert!(play.is_some());
    // Up from Play to the list of games, and through it.
    push(&mut page, GamepadButton::DPadUp);
    let downs =
        (0..12).take_while(|_| page.spec.game != "snooker" && push(&mut page, GamepadButton::DPadDown).is_none());
    assert!(downs.count() < 12, "{}", page.spec.game);
    // Next through the rows: the name of the first player is a text field, followed by a list for the second player.
    let ons =
        (0..30).take_while(|_| !ctx.text_edit_focused() && push(&mut page, GamepadButton::RightTrigger).is_none());
    assert!(ons.count() < 30);
    push(&mut page, GamepadButton::DPadRight);
    let list = focused();
    push(&mut page, GamepadButton::South);
    assert!(egui::Popup::is_any_open(&ctx));
    // It starts at the current choice.
    push(&mut page, GamepadButton::DPadDown);
    push(&mut page, GamepadButton::South);
    assert!(!egui::Popup::is_any_open(&ctx), "{:?}", page.seats[1]);
    assert_eq!(page.seats[1], PlayerSpec::Bot("strong".to_owned()));
    assert_eq!(focused(), list, "the keyboard is back at the list");
    // The D-pad changes the number of racks.
    let ons =
        (0..30).take_while(|_| !ctx.text_edit_focused() && push(&mut page, GamepadButton::RightTrigger).is_none());
    assert!(ons.count() < 30);
    for _ in 0..2 {
        push(&mut page, GamepadButton::DPadUp);
    }
    push(&mut page, GamepadButton::DPadDown);
    assert_eq!(page.spec.race_to, 4);
    // To Play, and press it.
    let ons = (0..60).take_while(|_| focused() != play && push(&mut page, GamepadButton::RightTrigger).is_none());
    assert!(ons.count() < 60);
    assert_eq!(push(&mut page, GamepadButton::South), Some(Chosen::Begin));
    assert_eq!(page.spec.game, "snooker");
}

#[test]
fn the_page_over_a_match_changes_nothing_of_it() {
    let program = format!("exec:FOO=1 python3 {}", "bot.py ".repeat(40));
    let players = [program, "bot:strong".to_owned()].map(PlayerSpec::from);
    let spec = |game: &str| MatchSpec {
        game: game.to_owned(),
        players: players.clone(),
        race_to: 150,
        shot_clock: Some(2.5),
        ..MatchSpec::default()
    };
    let mut straight_pool = spec("straight-pool");
    straight_pool.options.insert("points".to_owned(), 5000.into());
    let mut three_cushion = spec("three-cushion");
    three_cushion.options.insert("innings".to_owned(), 2000.into());
    for spec in [straight_pool, three_cushion] {
        let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
        page.show_match(&Match::new(spec.clone()).unwrap());
        for _ in 0..3 {
            assert_eq!(shown(&ctx, [1280.0, 800.0], &mut page, Vec::new()).0, None);
        }
        assert_eq!(page.wanted(), spec);
    }
}

#[test]
fn a_drill_has_one_player_and_one_race_whatever_the_hidden_rows_say() {
    let mut page = StartPage::opened();
    assert_eq!(page.wanted().race_to, 3);
    page.spec.shot_clock = Some(40.0);
    choose(&mut page, Game::named("drill").unwrap());
    let spec = page.wanted();
    assert_eq!((spec.race_to, spec.shot_clock), (1, None));
    assert!(spec.players[0].is_you() && spec.players[1].is_person(), "{:?}", spec.players);
    choose(&mut page, Game::named("snooker").unwrap());
    assert_eq!((page.wanted().race_to, page.wanted().shot_clock), (3, Some(40.0)));
}

#[test]
fn the_custom_drills_of_a_table_are_offered_and_one_comes_before_the_shipped_ones() {
    let (ctx, mut page) = (egui::Context::default(), StartPage::opened());
    choose(&mut page, Game::named("drill").unwrap());
    page.spec.options.insert("drill".to_owned(), "lag".into());
    let words = |page: &mut StartPage| -> Vec<String> {
        (0..3).map(|_| texts(&ctx, [1280.0, 800.0], page)).last().unwrap().into_iter().map(|(text, _)| text).collect()
    };
    let has = |words: &[String], word: &str| words.iter().any(|text| text == word);
    let without = words(&mut page);
    assert!(has(&without, "Drill") && !has(&without, "Custom drill"), "{without:?}");

    let mut drill = crate::games::drills::named("stop-shot").unwrap().clone();
    drill.title = "Mine".to_owned();
    let text = drill.to_text().unwrap();
    page.custom_drills = vec![OwnDrill { name: "mine".to_owned(), text: text.clone(), drill }];
    assert!(has(&words(&mut page), "Custom drill"));
    page.spec.options.insert("file".to_owned(), text.clone().into());
    let set = words(&mut page);
    assert!(has(&set, "Mine") && !has(&set, "Drill"), "{set:?}");
    let begun = Beginning::of(page.wanted()).unwrap();
    assert_eq!(line(&begun.game), "Drills, Mine");

    // That of a match from elsewhere is not in the folder.
    page.custom_drills.clear();
    assert!(has(&words(&mut page), "Mine"));
    page.spec.table = "carom-10ft".to_owned();
    assert!(has(&words(&mut page), "Drill"), "it is not for this table");
    assert!(!page.spec.options.contains_key("file"), "nor is it played there");
}
