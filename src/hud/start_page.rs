//! The start page: what is played, on which table, by whom and how long. It lies over a table that plays by itself, and is gone as soon as a match begins. A key or a
//! button shows it from everywhere: over a scene, or over a match, which waits and can be gone on with.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::{
    EguiContext, EguiPrimaryContextPass, PrimaryEguiContext,
    egui::{self, Align, Align2, Key, Layout, Order, RichText, Ui},
};
use tr::tr;

use super::options;
use crate::{
    billiards::tables::ShippedTable,
    games::{
        Breaks, GAMES, Game, Match, MatchSpec, Options,
        bot::Level,
        plugin::{Beginning, CurrentMatch, MATCH_SCENE, MatchCommand, MatchEvent, MatchFolder, Stage, saved_matches},
    },
    input::{
        ControlSystems, Overlays, StartPageAsked,
        actions::{Control, Inputs},
    },
    scene::{CurrentScene, SceneCommand, SceneSource},
    view::{Named, Theme, language::mark, theme::egui as ink},
};

/// The start page: it begins matches, and goes on with one that was left. Beside [`HudPlugin`](super::HudPlugin).
pub struct StartPagePlugin;

impl Plugin for StartPagePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<StartPage>()
            .init_resource::<Theme>()
            .add_message::<SceneCommand>()
            .init_resource::<Overlays>()
            .add_message::<StartPageAsked>()
            .add_systems(PreUpdate, (come_back, cover).chain().before(ControlSystems::Read))
            .add_systems(PreUpdate, open.in_set(ControlSystems::Keys))
            .add_systems(EguiPrimaryContextPass, show.run_if(|page: Res<StartPage>| page.open));
    }
}

/// The start page, and what is chosen on it.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct StartPage {
    /// Whether it is shown. Default: no.
    pub open: bool,
    /// What would be played. Its players are those of [`StartPage::seats`].
    pub spec: MatchSpec,
    /// Who plays.
    pub seats: [PlayerChoice; 2],
    /// The match that was left before its end, if there is one: its file, and a line such as `9-ball, Ada 3 – 2 bot`.
    saved: Option<(PathBuf, String)>,
    /// What it lies over.
    over: Over,
    /// Why a match could not begin.
    refusal: Option<String>,
    /// Whether the page has been shown since it was opened: the first time the keyboard is led to its first button.
    is_seen: bool,
    /// Whether the match is left for the scenes, and the page with it.
    is_leaving: bool,
}

impl Default for StartPage {
    fn default() -> Self {
        Self {
            open: false,
            spec: MatchSpec { game: "nine-ball".to_owned(), race_to: 3, ..MatchSpec::default() },
            seats: [PlayerChoice::Person(String::new()), PlayerChoice::Bot("medium".to_owned())],
            saved: None,
            over: Over::Demonstration,
            refusal: None,
            is_seen: false,
            is_leaving: false,
        }
    }
}

impl StartPage {
    /// A page that is shown.
    #[must_use]
    pub fn opened() -> Self {
        Self { open: true, ..Self::default() }
    }

    /// What is to be played, with the names of the players.
    #[must_use]
    pub fn wanted(&self) -> MatchSpec {
        let seats = &self.seats;
        let name = |place: usize| match &seats[place] {
            PlayerChoice::Person(name) if name.trim().is_empty() => match seats[1 - place] {
                PlayerChoice::Bot(_) => tr!("you"),
                PlayerChoice::Person(_) => tr!("player {}", place + 1),
            },
            // Names with a colon are those of bots.
            PlayerChoice::Person(name) => name.trim().replace(':', " "),
            PlayerChoice::Bot(level) => format!("bot:{level}"),
        };
        MatchSpec { players: [name(0), name(1)], ..self.spec.clone() }
    }
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerChoice {
    /// A person of this name, which may be empty.
    Person(String),
    /// A bot of this level.
    Bot(String),
}

/// What the page lies over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Over {
    /// A table that plays by itself.
    #[default]
    Demonstration,
    /// The scene that was there.
    Scene,
    /// A match that waits, and a line about it; or one that is over, and nothing is to be said of it.
    Match(Option<String>),
}

/// What a person has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    /// A new match.
    Begin,
    /// Back to the match that waits.
    Back,
    /// The match that was left before its end.
    GoOn,
    /// The scenes and the laboratory instead of a match.
    Scenes,
}

/// What is said of a game: its name in files, its title, and a sentence below that.
const ABOUT: &[(&str, &str, &str)] = &[
    ("eight-ball", mark("8-ball"), mark("Solids or stripes, then the 8. Ball and pocket are called.")),
    ("nine-ball", mark("9-ball"), mark("The lowest ball first; who pots the 9 wins.")),
    ("ten-ball", mark("10-ball"), mark("As 9-ball, with ten balls and every shot called.")),
    (
        "straight-pool",
        mark("Straight pool (14.1)"),
        mark("Any ball, called, a point each: a long run from rack to rack."),
    ),
    ("snooker", mark("Snooker"), mark("Red, colour, red, on the twelve-foot table.")),
    ("straight-rail", mark("Straight rail"), mark("Hit both other balls with yours, a point each time.")),
    ("one-cushion", mark("One-cushion"), mark("Hit both other balls, with a cushion before the second.")),
    ("three-cushion", mark("Three-cushion"), mark("Hit both other balls, with three cushions before the second.")),
    (
        "four-ball",
        mark("Four-ball (sagu)"),
        mark("Hit both reds and not the other cue ball; the last point by three cushions."),
    ),
    (
        "curling",
        mark("Table curling"),
        mark("Slide your stones nearer to the middle than theirs, and knock theirs away."),
    ),
    ("practice", mark("Practice"), mark("Any balls, anywhere, and no rules.")),
];

/// What else is read from files and tables: the tables and the levels of bots.
const _WORDS: [&str; 11] = [
    mark("Pool, 9 ft"),
    mark("Pool, 8 ft"),
    mark("Pool, 7 ft"),
    mark("Snooker, 12 ft"),
    mark("Carom, 10 ft"),
    mark("Curling sheet"),
    mark("beginner"),
    mark("easy"),
    mark("medium"),
    mark("strong"),
    mark("perfect"),
];

/// The widest card and the width from which it has two columns, points.
const WIDEST: f32 = 760.0;
const TWO_COLUMNS: f32 = 600.0;

fn show(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let ctx = contexts.single_mut(world)?.get_mut().clone();
    let mut page = world.resource::<StartPage>().clone();
    if !page.is_seen {
        page.saved = world.get_resource::<MatchFolder>().and_then(left_match);
    }
    let (chosen, _) = lay_out(&ctx, &mut page, world.resource::<Theme>());
    if let Some(chosen) = chosen {
        leave(world, &mut page, chosen);
    } else if page.over == Over::Demonstration
        && world.get_resource::<CurrentMatch>().is_none_or(|live| matches!(live.stage(), Stage::Over))
    {
        play_by_itself(world, &page);
    }
    if *world.resource::<StartPage>() != page {
        *world.resource_mut::<StartPage>() = page;
    }
    Ok(())
}

/// What Escape does on the page.
#[cfg(test)]
pub(super) fn go_back(world: &mut World) {
    let mut page = world.resource::<StartPage>().clone();
    let chosen = escape(&page);
    leave(world, &mut page, chosen);
    *world.resource_mut::<StartPage>() = page;
}

/// What Escape chooses.
fn escape(page: &StartPage) -> Chosen {
    if matches!(page.over, Over::Match(_)) { Chosen::Back } else { Chosen::Scenes }
}

/// Closes the page and does what was chosen; where that cannot be done it stays.
fn leave(world: &mut World, page: &mut StartPage, chosen: Chosen) {
    (page.open, page.is_seen, page.refusal) = (false, false, None);
    if let Err(why) = obey(world, page, chosen) {
        (page.open, page.refusal) = (true, Some(why));
    }
}

/// The match that was left last before its end, and a line about it.
fn left_match(folder: &MatchFolder) -> Option<(PathBuf, String)> {
    let left = saved_matches(folder.0.as_deref()?).into_iter().find_map(|(path, record)| {
        let Beginning { game, .. } = Beginning::resume(&record, Some(path.clone())).ok()?;
        game.winner().is_none().then_some((path, game))
    });
    left.map(|(path, game)| (path, line(&game)))
}

/// A match in a line.
fn line(game: &Match) -> String {
    let [first, second] = &game.spec().players;
    let [won, lost] = game.racks();
    format!("{}, {first} {won} \u{2013} {lost} {second}", said(game.game().title))
}

/// Does what was chosen.
fn obey(world: &mut World, page: &mut StartPage, chosen: Chosen) -> Result<(), String> {
    let beginning = match chosen {
        Chosen::Begin => {
            // When somebody clicks is left to chance.
            let seed = world.get_resource::<Time<Real>>().map_or(0, |time| time.elapsed().as_nanos() as u64);
            Beginning::of(MatchSpec { seed, ..page.wanted() })?
        }
        Chosen::GoOn => {
            let path = page
                .saved
                .as_ref()
                .map(|(path, _)| path.clone())
                .ok_or_else(|| tr!("There is no match to go on with."))?;
            let saved = path.parent().map(saved_matches).unwrap_or_default();
            let record = saved.into_iter().find(|(saved, _)| *saved == path);
            let (_, record) = record.ok_or_else(|| tr!("There is no match to go on with."))?;
            Beginning::resume(&record, Some(path))?
        }
        Chosen::Back => {
            page.over = Over::Demonstration;
            world.write_message(MatchCommand::Hold(false));
            return Ok(());
        }
        Chosen::Scenes if page.over == Over::Scene => {
            page.over = Over::Demonstration;
            return Ok(());
        }
        Chosen::Scenes => {
            (page.is_leaving, page.over) = (true, Over::Demonstration);
            if world.contains_resource::<CurrentMatch>() {
                world.write_message(MatchCommand::Leave);
            }
            world.write_message(SceneCommand::Load(SceneSource::default()));
            return Ok(());
        }
    };
    page.over = Over::Demonstration;
    world.write_message(MatchCommand::Begin(Box::new(beginning)));
    Ok(())
}

/// Two bots play behind the page, and nothing is kept of it.
fn play_by_itself(world: &mut World, page: &StartPage) {
    let seed = world.get_resource::<Time<Real>>().map_or(0, |time| time.elapsed().as_nanos() as u64);
    let bots = ["bot:medium", "bot:medium"].map(str::to_owned);
    let spec = MatchSpec { game: page.spec.game.clone(), players: bots, seed, ..MatchSpec::default() };
    if let Ok(beginning) = Beginning::of(spec) {
        world.write_message(MatchCommand::Begin(Box::new(Beginning { keep: false, ..beginning })));
    }
}

/// Has the panel make room for the page, and keys be the page's.
fn cover(page: Res<StartPage>, mut overlays: ResMut<Overlays>) {
    if overlays.page != page.open {
        overlays.page = page.open;
    }
}

/// Opens the page by a key, or because somebody has asked for it: what is there stays, and a match waits.
fn open(
    inputs: Inputs,
    mut asked: MessageReader<StartPageAsked>,
    (mut page, live, scene): (ResMut<StartPage>, Option<Res<CurrentMatch>>, Option<Res<CurrentScene>>),
    mut commands: MessageWriter<MatchCommand>,
) {
    let is_asked = asked.read().count() > 0;
    if page.open || !(is_asked || inputs.started(Control::StartPage)) {
        return;
    }
    page.open = true;
    page.over = match (live, scene) {
        (Some(live), _) => {
            commands.write(MatchCommand::Hold(true));
            Over::Match(live.game().winner().is_none().then(|| line(live.game())))
        }
        (None, Some(_)) => Over::Scene,
        (None, None) => Over::Demonstration,
    };
}

/// Opens the page again when a match has been left and its table is still there.
fn come_back(
    mut events: MessageReader<MatchEvent>,
    mut page: ResMut<StartPage>,
    live: Option<Res<CurrentMatch>>,
    scene: Option<Res<CurrentScene>>,
) {
    let is_left = events.read().filter(|event| **event == MatchEvent::Left).count() > 0;
    if live.is_none() && matches!(page.over, Over::Match(_)) {
        // Somebody has ended the match that waited.
        page.over = Over::Demonstration;
    }
    if is_left && !std::mem::take(&mut page.bypass_change_detection().is_leaving) && live.is_none() {
        page.open = scene.is_some_and(|scene| scene.source == MATCH_SCENE);
    }
}

/// Shows the page, and returns what was chosen on it, and where it lies, points.
fn lay_out(ctx: &egui::Context, page: &mut StartPage, theme: &Theme) -> (Option<Chosen>, egui::Rect) {
    let whole = ctx.viewport_rect();
    egui::Area::new(egui::Id::new("start page shade")).order(Order::Middle).fixed_pos(whole.min).show(ctx, |ui| {
        ui.allocate_rect(whole, egui::Sense::click());
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
                            rows(ui, page, theme);
                        });
                    });
                } else {
                    games_in_a_row(ui, page);
                    rows(ui, page, theme);
                }
            });
            ui.add_space(10.0);
            if let Some(why) = &page.refusal {
                ui.colored_label(ink(theme.text.error), why);
            }
            buttons(ui, page)
        });
    window.map_or((None, egui::Rect::NOTHING), |window| (window.inner.flatten(), window.response.rect))
}

/// A text of a table, in the language of the window.
pub(super) fn said(text: &str) -> String {
    tr!(text)
}

/// The game that is chosen.
fn game(page: &StartPage) -> &'static Game {
    Game::named(&page.spec.game).unwrap_or(&GAMES[0])
}

fn choose(page: &mut StartPage, game: &Game) {
    if page.spec.game != game.name {
        (page.spec.game, page.spec.options) = (game.name.to_owned(), Options::new());
        if !game.tables.contains(&page.spec.table.as_str()) {
            page.spec.table.clear();
        }
    }
}

/// The games, one below the other.
fn games(ui: &mut Ui, page: &mut StartPage) {
    for game in GAMES {
        let is_chosen = page.spec.game == game.name;
        let title = said(game.title);
        let button =
            egui::Button::selectable(is_chosen, RichText::new(title).size(15.0)).min_size(egui::vec2(190.0, 28.0));
        // Where the keyboard is led, that game is chosen.
        let response = ui.add(button);
        if response.clicked() || response.gained_focus() && !is_chosen {
            choose(page, game);
        }
    }
}

/// The games as one field, where there is no room for a list.
fn games_in_a_row(ui: &mut Ui, page: &mut StartPage) {
    row(ui, &tr!("Game"), |ui| {
        egui::ComboBox::from_id_salt("game").selected_text(said(game(page).title)).show_ui(ui, |ui| {
            for game in GAMES {
                if ui.selectable_label(page.spec.game == game.name, said(game.title)).clicked() {
                    choose(page, game);
                }
            }
        });
    });
}

pub(super) fn row(ui: &mut Ui, label: &str, widget: impl FnOnce(&mut Ui)) {
    let width = (0.34 * ui.available_width()).min(130.0);
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(egui::vec2(width, 24.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(label).truncate());
        });
        widget(ui);
    });
}

/// What is chosen of a game.
fn rows(ui: &mut Ui, page: &mut StartPage, theme: &Theme) {
    let game = game(page);
    ui.label(RichText::new(said(game.title)).size(20.0));
    if let Some((.., about)) = ABOUT.iter().find(|(name, ..)| *name == game.name) {
        ui.add(egui::Label::new(RichText::new(tr!(about)).color(ink(theme.text.soft))).wrap());
    }
    ui.add_space(8.0);
    if game.tables.len() > 1 {
        row(ui, &tr!("Table"), |ui| tables(ui, game, &mut page.spec.table));
    }
    let alone = game.name == "practice";
    let players: &[String] = if alone { &[] } else { &[tr!("First player"), tr!("Second player")] };
    for (place, label) in players.iter().enumerate() {
        row(ui, label, |ui| seat(ui, place, &mut page.seats[place]));
    }
    if !alone {
        row(ui, &tr!("Race to"), |ui| {
            ui.add(egui::DragValue::new(&mut page.spec.race_to).range(1..=99).speed(0.05))
                .named(tr!("Race to"))
                .on_hover_text(tr!("How many racks or frames win the match"));
        });
        row(ui, &tr!("Breaks"), |ui| breaks(ui, &mut page.spec.breaks));
        row(ui, &tr!("Shot clock"), |ui| shot_clock(ui, &mut page.spec.shot_clock));
    }
    options::show(ui, game, &mut page.spec.options);
}

fn tables(ui: &mut Ui, game: &Game, chosen: &mut String) {
    let title = |name: &str| {
        let spec = ShippedTable::named(name).and_then(ShippedTable::spec);
        spec.map_or_else(|_| name.to_owned(), |spec| said(&spec.title))
    };
    let now = if chosen.is_empty() { game.tables[0] } else { chosen.as_str() };
    egui::ComboBox::from_id_salt("table")
        .truncate()
        .width(ui.available_width().min(230.0))
        .selected_text(title(now))
        .show_ui(ui, |ui| {
            for &name in game.tables {
                if ui.selectable_label(*chosen == name, title(name)).clicked() {
                    name.clone_into(chosen);
                }
            }
        });
}

fn seat(ui: &mut Ui, place: usize, seat: &mut PlayerChoice) {
    let words = match seat {
        PlayerChoice::Person(_) => tr!("person"),
        PlayerChoice::Bot(level) => tr!("bot: {}", said(level)),
    };
    egui::ComboBox::from_id_salt(("seat", place))
        .truncate()
        .width((0.55 * ui.available_width()).min(130.0))
        .selected_text(words)
        .show_ui(ui, |ui| {
            if ui.selectable_label(matches!(seat, PlayerChoice::Person(_)), tr!("person")).clicked() {
                *seat = PlayerChoice::Person(String::new());
            }
            for (level, _) in Level::ALL {
                let is_chosen = matches!(seat, PlayerChoice::Bot(chosen) if chosen == level);
                if ui.selectable_label(is_chosen, tr!("bot: {}", said(level))).clicked() {
                    *seat = PlayerChoice::Bot(level.to_owned());
                }
            }
        });
    if let PlayerChoice::Person(name) = seat {
        ui.add(
            egui::TextEdit::singleline(name)
                .hint_text(tr!("name"))
                .desired_width((ui.available_width() - 12.0).clamp(30.0, 110.0))
                .char_limit(24),
        );
    }
}

/// Who breaks from the second rack on, with the words that people read.
const BREAKS: [(Breaks, &str); 3] = [
    (Breaks::Alternate, mark("both in turn")),
    (Breaks::Winner, mark("who has won")),
    (Breaks::Loser, mark("who has lost")),
];

fn breaks(ui: &mut Ui, chosen: &mut Breaks) {
    let words = BREAKS.iter().find(|(breaks, _)| breaks == chosen).map_or("", |(_, words)| words);
    egui::ComboBox::from_id_salt("breaks")
        .truncate()
        .width(ui.available_width().min(150.0))
        .selected_text(tr!(words))
        .show_ui(ui, |ui| {
            for (breaks, words) in BREAKS {
                ui.selectable_value(chosen, breaks, tr!(words));
            }
        });
}

fn shot_clock(ui: &mut Ui, seconds: &mut Option<f32>) {
    let mut is_on = seconds.is_some();
    if ui.checkbox(&mut is_on, tr!("on")).changed() {
        *seconds = is_on.then_some(40.0);
    }
    if let Some(seconds) = seconds {
        ui.add(egui::DragValue::new(seconds).range(5.0..=600.0).speed(0.5).suffix(" s").max_decimals(0));
    }
}

fn buttons(ui: &mut Ui, page: &mut StartPage) -> Option<Chosen> {
    let mut choice = None;
    ui.horizontal_wrapped(|ui| {
        let begin = egui::Button::new(RichText::new(tr!("Play")).size(16.0).strong())
            .fill(ui.visuals().selection.bg_fill)
            .min_size(egui::vec2(110.0, 34.0));
        let begin = ui.add(begin);
        if !page.is_seen {
            begin.request_focus();
            page.is_seen = true;
        }
        if begin.clicked() {
            choice = Some(Chosen::Begin);
        }
        let go_on = match &page.over {
            Over::Match(Some(line)) => Some((tr!("Go on: {}", line), Chosen::Back)),
            Over::Match(None) => Some((tr!("Back to the match"), Chosen::Back)),
            _ => None,
        };
        let waits = matches!(page.over, Over::Match(Some(_)));
        let saved = page.saved.as_ref().filter(|_| !waits).map(|(_, saved)| (tr!("Go on: {}", saved), Chosen::GoOn));
        for (words, chosen) in go_on.into_iter().chain(saved) {
            if ui.add(egui::Button::new(words).min_size(egui::vec2(0.0, 34.0))).clicked() {
                choice = Some(chosen);
            }
        }
        let scenes = egui::Button::new(tr!("Scenes and laboratory")).min_size(egui::vec2(0.0, 34.0));
        let leaves = ui.input(|input| input.key_pressed(Key::Escape)) && !egui::Popup::is_any_open(ui.ctx());
        if ui.add(scenes).on_hover_text(tr!("No match: tables, gases, piles and lessons to play with")).clicked() {
            choice = Some(Chosen::Scenes);
        } else if leaves {
            choice = Some(escape(page));
        }
    });
    choice
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
