use bevy_egui::egui::{self, Key};

use super::{
    layout::{_WORDS, ABOUT, choose, lay_out},
    *,
};
use crate::{
    billiards::tables::ShippedTable,
    games::{GAMES, bot::Level},
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
fn every_game_has_words() {
    for game in GAMES {
        let about = ABOUT.iter().find(|(name, ..)| *name == game.name);
        assert_eq!(about.map(|(_, title, _)| *title), Some(game.title), "{}", game.name);
        for table in game.tables {
            let title = ShippedTable::named(table).and_then(ShippedTable::spec).unwrap().title;
            assert!(_WORDS.contains(&title.as_str()), "{title}");
        }
    }
    assert!(Level::ALL.iter().all(|(level, _)| _WORDS.contains(level)));
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

#[test]
fn keys_alone_begin_a_match_or_leave_for_the_scenes() {
    let waits = || Over::Match(Some("9-ball".to_owned()));
    for (over, key, expected) in [
        (Over::Demonstration, Key::Enter, Chosen::Begin),
        (Over::Demonstration, Key::Escape, Chosen::Scenes),
        (Over::Scene, Key::Escape, Chosen::Scenes),
        (waits(), Key::Enter, Chosen::Begin),
        (waits(), Key::Escape, Chosen::Back),
    ] {
        let (ctx, mut page) = (egui::Context::default(), StartPage { over, ..StartPage::opened() });
        for _ in 0..3 {
            assert_eq!(shown(&ctx, [1280.0, 800.0], &mut page, Vec::new()).0, None);
        }
        assert_eq!(shown(&ctx, [1280.0, 800.0], &mut page, press(key)).0, Some(expected));
    }
}

#[test]
fn what_is_wanted_has_the_names_of_both() {
    let mut page = StartPage::opened();
    assert_eq!(page.wanted().players, ["you", "bot:medium"]);
    page.seats = ["", " bot:x "].map(|name| PlayerChoice::Person(name.to_owned()));
    assert_eq!(page.wanted().players, ["player 1", "bot x"], "nobody becomes a bot by the name");
    for game in GAMES {
        choose(&mut page, game);
        assert!(Beginning::of(page.wanted()).is_ok(), "{}", game.name);
    }
}
