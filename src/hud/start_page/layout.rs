//! The layout of the start page: a card with the games, the options of a game, and the buttons.

use bevy_egui::egui::{self, Align2, Key, Order, RichText, Ui};
use serde_json::Value;
use tr::tr;

use super::{
    Chosen, Over, StartPage, escape,
    options::{self, TitledText},
    widgets::{by_arrows, entry, lead_back, row, said, with},
};
use crate::{
    billiards::tables::ShippedTable,
    games::{Breaks, GAMES, Game, PlayerSpec, bot::Level, drills::Drill, rulebooks::drill},
    notice::mark,
    view::{Named, Theme, keep_focus_in_sight, theme::egui as ink},
};

/// The largest width of the card, and the smallest width for two columns, points.
const WIDEST: f32 = 760.0;
const TWO_COLUMNS: f32 = 600.0;

/// Shows the page. Returns the chosen action and the rectangle of the card, points.
pub(super) fn lay_out(ctx: &egui::Context, page: &mut StartPage, theme: &Theme) -> (Option<Chosen>, egui::Rect) {
    let whole = ctx.viewport_rect();
    egui::Area::new(egui::Id::new("start page shade")).order(Order::Middle).fixed_pos(whole.min).show(ctx, |ui| {
        // Blocks clicks on the table. It is not a Tab stop.
        ui.allocate_rect(whole, egui::Sense::CLICK);
        ui.painter().rect_filled(whole, 0, ink(theme.ground.shadow));
    });
    let is_low = whole.height() < 400.0;
    let style = ctx.global_style();
    let frame = egui::Frame::new()
        .fill(style.visuals.panel_fill)
        .stroke(style.visuals.window_stroke)
        .corner_radius(16)
        .inner_margin(if is_low { 10 } else { 24 })
        .shadow(egui::Shadow { offset: [0, 10], blur: 40, spread: 0, color: ink(theme.table.shadow) });
    let room = (whole.size() - egui::Vec2::splat(72.0)).max(egui::vec2(180.0, 80.0));
    let width = room.x.min(WIDEST);
    let window = egui::Window::new("start page")
        .order(Order::Foreground)
        .title_bar(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .frame(frame)
        .show(ctx, |ui| {
            ui.set_width(width);
            if !is_low {
                ui.label(RichText::new("carom").size(30.0).strong());
                ui.add_space(6.0);
            }
            let feet = 92.0;
            egui::ScrollArea::vertical().max_height((room.y - feet).max(60.0)).show(ui, |ui| {
                if width >= TWO_COLUMNS {
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = 28.0;
                        ui.vertical(|ui| {
                            ui.set_width(190.0);
                            games(ui, page);
                        });
                        ui.vertical(|ui| {
                            ui.set_width(width - 218.0);
                            ui.label(RichText::new(said(game(page).title)).size(20.0));
                            rows(ui, page, theme);
                        });
                    });
                } else {
                    games_in_a_row(ui, page);
                    rows(ui, page, theme);
                }
                keep_focus_in_sight(ui);
            });
            ui.add_space(10.0);
            if let Some(why) = &page.refusal {
                ui.colored_label(ink(theme.text.error), why);
            }
            buttons(ui, page)
        });
    window.map_or((None, egui::Rect::NOTHING), |window| (window.inner.flatten(), window.response.rect))
}

/// The chosen game.
pub(super) fn game(page: &StartPage) -> &'static Game {
    Game::named(&page.spec.game).unwrap_or(&GAMES[0])
}

/// Chooses a game, with its last options.
pub(super) fn choose(page: &mut StartPage, game: &Game) {
    if page.spec.game != game.name {
        let before = std::mem::replace(&mut page.spec.game, game.name.to_owned());
        let options = std::mem::take(&mut page.spec.options);
        page.of_others.insert(before, (options, page.spec.table.clone()));
        if let Some((options, table)) = page.of_others.remove(game.name) {
            (page.spec.options, page.spec.table) = (options, table);
        }
        if !game.tables.contains(&page.spec.table.as_str()) {
            page.spec.table.clear();
        }
    }
}

/// The list of games: one Tab stop, with arrow keys to choose.
fn games(ui: &mut Ui, page: &mut StartPage) {
    let list = ui.id().with("games");
    let focused =
        ui.data(|data| data.get_temp::<egui::Id>(list)).filter(|id| ui.memory(|memory| memory.has_focus(*id)));
    let mut is_led = false;
    if let Some(focused) = focused {
        let arrows = egui::EventFilter { vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(focused, arrows));
        let presses = |key| ui.input_mut(|input| input.count_and_consume_key(egui::Modifiers::NONE, key));
        let (up, down) = (presses(Key::ArrowUp), presses(Key::ArrowDown));
        let now = GAMES.iter().position(|game| game.name == page.spec.game).unwrap_or_default();
        let to = (now + down).saturating_sub(up).min(GAMES.len() - 1);
        is_led = to != now;
        choose(page, &GAMES[to]);
    }
    for game in GAMES {
        let is_chosen = page.spec.game == game.name;
        let title = RichText::new(said(game.title)).size(15.0);
        let sense = if is_chosen { egui::Sense::click() } else { egui::Sense::CLICK };
        let button = egui::Button::selectable(is_chosen, title).min_size(egui::vec2(190.0, 28.0)).sense(sense);
        let response = ui.add(button);
        if is_chosen {
            ui.data_mut(|data| data.insert_temp(list, response.id));
            if is_led {
                response.request_focus();
            }
        }
        if response.clicked() {
            choose(page, game);
        }
    }
}

/// The games as a single field, for when a list does not fit.
fn games_in_a_row(ui: &mut Ui, page: &mut StartPage) {
    row(ui, &tr!("Game"), |ui| {
        let list = egui::ComboBox::from_id_salt("game").selected_text(said(game(page).title)).show_ui(ui, |ui| {
            for game in GAMES {
                if entry(ui, page.spec.game == game.name, said(game.title)) {
                    choose(page, game);
                }
            }
        });
        lead_back(ui, list).named(tr!("Game"));
    });
}

/// The settings of a match.
fn rows(ui: &mut Ui, page: &mut StartPage, theme: &Theme) {
    let game = game(page);
    if !game.about.is_empty() {
        ui.add(egui::Label::new(RichText::new(said(game.about)).color(ink(theme.text.soft))).wrap());
    }
    ui.add_space(8.0);
    if game.tables.len() > 1 {
        row(ui, &tr!("Table"), |ui| tables(ui, game, &mut page.spec.table));
    }
    let alone = game.solo;
    let players: &[String] = if alone { &[] } else { &[tr!("First player"), tr!("Second player")] };
    for (place, label) in players.iter().enumerate() {
        row(ui, label, |ui| seat(ui, (place, label), &mut page.seats[place]));
    }
    if !alone {
        row(ui, &tr!("Race to"), |ui| {
            let race_to = &mut page.spec.race_to;
            let range = with(1..=99, *race_to);
            *race_to = race_to.saturating_add_signed(by_arrows(ui) as i32).clamp(*range.start(), *range.end());
            ui.add(egui::DragValue::new(race_to).range(range).speed(0.05))
                .named(tr!("Race to"))
                .on_hover_text(tr!("Racks or frames needed to win the match"));
        });
        row(ui, &tr!("Breaks"), |ui| breaks(ui, &mut page.spec.breaks));
        row(ui, &tr!("Shot clock"), |ui| shot_clock(ui, &mut page.spec.shot_clock));
    }
    let table = if page.spec.table.is_empty() { game.tables[0] } else { page.spec.table.as_str() };
    let drills = custom_drills(page, game, table);
    options::show(ui, (game, table), &mut page.spec.options, &drills);
}

/// The custom drills for a table, with the one of the waiting match, which may be another.
fn custom_drills(page: &StartPage, game: &Game, table: &str) -> Vec<TitledText> {
    if game.name != drill::GAME.name {
        return Vec::new();
    }
    let fits = |drill: &Drill| drill.tables.iter().any(|name| name == table);
    let of_folder = page.custom_drills.iter().filter(|own| fits(&own.drill));
    let mut drills: Vec<_> = of_folder.map(|own| (own.drill.title.clone(), own.text.clone())).collect();
    let set = page.spec.options.get("file").and_then(Value::as_str);
    if let Some(text) = set.filter(|set| drills.iter().all(|(_, text)| text != set))
        && let Ok(drill) = Drill::parse(text, "file")
        && fits(&drill)
    {
        drills.push((drill.title, text.to_owned()));
    }
    drills
}

fn tables(ui: &mut Ui, game: &Game, chosen: &mut String) {
    let title = |name: &str| {
        let spec = ShippedTable::named(name).and_then(ShippedTable::spec);
        spec.map_or_else(|_| name.to_owned(), |spec| said(&spec.title))
    };
    let shown = if chosen.is_empty() { game.tables[0] } else { chosen.as_str() }.to_owned();
    let list = egui::ComboBox::from_id_salt("table")
        .truncate()
        .width(ui.available_width().min(230.0))
        .selected_text(title(&shown))
        .show_ui(ui, |ui| {
            for &name in game.tables {
                if entry(ui, shown == name, title(name)) {
                    name.clone_into(chosen);
                }
            }
        });
    lead_back(ui, list).named(tr!("Table"));
}

fn seat(ui: &mut Ui, (place, label): (usize, &str), seat: &mut PlayerSpec) {
    let words = match seat {
        PlayerSpec::Person(_) => tr!("person"),
        PlayerSpec::Bot(level) => tr!("bot: {}", said(level)),
        PlayerSpec::Program(command) => tr!("program: {}", command),
    };
    let list = egui::ComboBox::from_id_salt(("seat", place))
        .truncate()
        .width((0.55 * ui.available_width()).min(130.0))
        .selected_text(&words)
        .show_ui(ui, |ui| {
            if matches!(seat, PlayerSpec::Program(_)) {
                entry(ui, true, words.clone());
            }
            if entry(ui, matches!(seat, PlayerSpec::Person(_)), tr!("person")) {
                *seat = PlayerSpec::Person(String::new());
            }
            for (level, _) in Level::ALL {
                let is_chosen = matches!(seat, PlayerSpec::Bot(chosen) if chosen == level);
                if entry(ui, is_chosen, tr!("bot: {}", said(level))) {
                    *seat = PlayerSpec::Bot(level.to_owned());
                }
            }
        });
    lead_back(ui, list).named(label);
    if let PlayerSpec::Person(name) = seat {
        ui.scope(|ui| {
            // An empty field would be invisible on the card.
            let edge = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
            ui.visuals_mut().widgets.inactive.bg_stroke = edge;
            ui.add(
                egui::TextEdit::singleline(name)
                    .hint_text(tr!("name"))
                    .desired_width((ui.available_width() - 12.0).clamp(30.0, 110.0))
                    .char_limit(24),
            );
        });
    }
}

/// Who breaks from the second rack on, with the displayed words.
const BREAKS: [(Breaks, &str); 3] =
    [(Breaks::Alternate, mark("alternate")), (Breaks::Winner, mark("winner")), (Breaks::Loser, mark("loser"))];

fn breaks(ui: &mut Ui, chosen: &mut Breaks) {
    let words = BREAKS.iter().find(|(breaks, _)| breaks == chosen).map_or("", |(_, words)| words);
    let list = egui::ComboBox::from_id_salt("breaks")
        .truncate()
        .width(ui.available_width().min(150.0))
        .selected_text(tr!(words))
        .show_ui(ui, |ui| {
            for (breaks, words) in BREAKS {
                if entry(ui, *chosen == breaks, tr!(words)) {
                    *chosen = breaks;
                }
            }
        });
    lead_back(ui, list).named(tr!("Breaks"));
}

fn shot_clock(ui: &mut Ui, seconds: &mut Option<f32>) {
    let mut is_on = seconds.is_some();
    if ui.checkbox(&mut is_on, tr!("on")).changed() {
        *seconds = is_on.then_some(40.0);
    }
    if let Some(seconds) = seconds {
        let range = with(5.0..=600.0, *seconds);
        *seconds = (*seconds + 5.0 * by_arrows(ui) as f32).clamp(*range.start(), *range.end());
        ui.add(egui::DragValue::new(seconds).range(range).speed(0.5).suffix(" s").max_decimals(0));
    }
}

fn buttons(ui: &mut Ui, page: &mut StartPage) -> Option<Chosen> {
    let mut choice = None;
    ui.horizontal_wrapped(|ui| {
        // The text colour of a selection matches its background.
        let letters = ui.visuals().selection.stroke.color;
        let begin = egui::Button::new(RichText::new(tr!("Play")).size(16.0).color(letters))
            .fill(ui.visuals().selection.bg_fill)
            .min_size(egui::vec2(110.0, 34.0));
        let begin = ui.add(begin);
        // From a match, Enter returns to it.
        let waits = matches!(page.over, Over::Match(_));
        let is_new = !std::mem::replace(&mut page.is_seen, true);
        if is_new && !waits {
            begin.request_focus();
        }
        if begin.clicked() {
            choice = Some(Chosen::Begin);
        }
        let go_on = match &page.over {
            Over::Match(line) => Some((tr!("Resume: {}", line), Chosen::Back)),
            Over::EndedMatch => Some((tr!("Back to the match"), Chosen::Back)),
            _ => None,
        };
        let saved = page.saved.as_ref().filter(|_| !waits).map(|(_, saved)| (tr!("Resume: {}", saved), Chosen::GoOn));
        for (words, chosen) in go_on.into_iter().chain(saved) {
            let button = ui.add(egui::Button::new(words).min_size(egui::vec2(0.0, 34.0)));
            if is_new && waits && chosen == Chosen::Back {
                button.request_focus();
            }
            if button.clicked() {
                choice = Some(chosen);
            }
        }
        let scenes = egui::Button::new(tr!("Scenes and laboratory")).min_size(egui::vec2(0.0, 34.0));
        // In a text field, Escape has only left the field.
        let field = ui.id().with("a field had the keyboard");
        let is_typing = ui.ctx().text_edit_focused();
        let was_typing: bool = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(field), is_typing));
        let is_free = !was_typing && !egui::Popup::is_any_open(ui.ctx());
        let leaves = is_free && ui.input(|input| input.key_pressed(Key::Escape));
        if ui.add(scenes).on_hover_text(tr!("No match: tables, gases, piles and lessons to explore")).clicked() {
            choice = Some(Chosen::Scenes);
        } else if leaves {
            choice = escape(page);
        }
    });
    choice
}
