//! The options of a game as rows of the start page: switches, numbers and words, whatever a game has.

use std::ops::RangeInclusive;

use bevy_egui::egui::{self, Ui};
use serde_json::Value;
use tr::tr;

use super::widgets::{by_arrows, entry, lead_back, row, said, with};
use crate::{
    games::{Game, Options},
    notice::mark,
    view::Named,
};

/// What an option is called and does, for people.
struct Label {
    /// Its name in files.
    name: &'static str,
    title: &'static str,
    help: &'static str,
    kind: Kind,
}

/// What an option may be.
enum Kind {
    /// Yes or no.
    Switch,
    /// A whole number between these.
    Count(u64, u64),
    /// A whole number between the first two, or none; the third is what it is first where somebody wants one.
    Limit(u64, u64, u64),
    /// One of these words: as in files, and for people.
    Words(&'static [(&'static str, &'static str)]),
}

const ON_BREAK: Kind = Kind::Words(&[("win", mark("it wins")), ("spot", mark("it is spotted"))]);

/// The options that are known by name, what matters most first. Those of other games are called as in files.
#[rustfmt::skip]
const LABELS: &[Label] = &[
    Label { name: "points", title: mark("Points"), help: mark("How many points win"), kind: Kind::Count(1, 1000) },
    Label { name: "innings", title: mark("Innings"), help: mark("After how many innings it is over at the latest"), kind: Kind::Limit(1, 1000, 50) },
    Label { name: "reds", title: mark("Reds"), help: mark("How many reds there are"),
        kind: Kind::Words(&[("15", "15"), ("10", "10"), ("6", "6")]) },
    Label { name: "ends", title: mark("Ends"), help: mark("How many ends are played; more if the score is level then"), kind: Kind::Count(1, 20) },
    Label { name: "stones", title: mark("Stones"), help: mark("How many stones each side has"), kind: Kind::Count(1, 8) },
    Label { name: "rack", title: mark("Balls"), help: mark("Which balls lie on the table at the start"),
        kind: Kind::Words(&[("", mark("the table's own")), ("eight-ball", "8-ball"), ("nine-ball", "9-ball"), ("ten-ball", "10-ball"), ("fifteen-ball", "14.1"),
            ("snooker", mark("Snooker")), ("straight-rail", mark("Carom"))]) },
    Label { name: "calls", title: mark("Calls"), help: mark("For which shots ball and pocket are called"),
        kind: Kind::Words(&[("all", mark("all but the break")), ("eight", mark("the 8 alone")), ("nothing", mark("none"))]) },
    Label { name: "call_shots", title: mark("Called shots"), help: mark("Ball and pocket are called, but for the break"), kind: Kind::Switch },
    Label { name: "eight_on_break", title: mark("8 on the break"), help: mark("What follows from an 8 that falls on a break without a foul"),
        kind: Kind::Words(&[("choose", mark("the breaker chooses")), ("win", mark("it wins")), ("spot", mark("it is spotted")), ("break", mark("another break"))]) },
    Label { name: "nine_on_break", title: mark("9 on the break"), help: mark("What the 9 does that falls on a break without a foul"), kind: ON_BREAK },
    Label { name: "ten_on_break", title: mark("10 on the break"), help: mark("What the 10 does that falls on a break without a foul"), kind: ON_BREAK },
    Label { name: "ten_wins_early", title: mark("10 wins early"), help: mark("The 10 wins as soon as it falls as called, and not only as the last ball"), kind: Kind::Switch },
    Label { name: "push_out", title: mark("Push-out"), help: mark("The shot after the break may be a push-out"), kind: Kind::Switch },
    Label { name: "hand_back", title: mark("Hand back"), help: mark("A shot after a ball that was not called so may be handed back"), kind: Kind::Switch },
    Label { name: "three_fouls", title: mark("Three fouls"), help: mark("Three fouls in a row lose the rack, or in straight pool fifteen points"), kind: Kind::Switch },
    Label { name: "equalising_inning", title: mark("Equalising inning"), help: mark("Who began second has one inning more at the end"), kind: Kind::Switch },
    Label { name: "corner_limit", title: mark("Corner limit"), help: mark("How many points may be made in a row while both object balls stay in a corner"), kind: Kind::Limit(1, 100, 3) },
    Label { name: "three_cushion_finish", title: mark("Last by three cushions"), help: mark("The last point takes three cushions before the second red"), kind: Kind::Switch },
    Label { name: "penalty", title: mark("Penalty"), help: mark("A foul takes a point"), kind: Kind::Switch },
    Label { name: "miss", title: mark("Miss rule"), help: mark("When the stroke after a foul may be asked for again, from where the balls lay"),
        kind: Kind::Words(&[("off", mark("never")), ("in-sight", mark("if a ball on was in sight")), ("always", mark("always"))]) },
    Label { name: "three_misses", title: mark("Three misses"), help: mark("The third miss in a row with a ball on in full sight loses the frame"), kind: Kind::Switch },
    Label { name: "free_ball", title: mark("Free ball"), help: mark("Who is snookered after a foul may play any ball"), kind: Kind::Switch },
    Label { name: "implied_nomination", title: mark("Colour by first hit"), help: mark("A colour need not be nominated: the one that is hit first is the one"), kind: Kind::Switch },
    Label { name: "boards_are_out", title: mark("Boards are out"), help: mark("A stone that touches a board is out; otherwise boards are played off"), kind: Kind::Switch },
    Label { name: "extra_ends", title: mark("Extra ends"), help: mark("How many more ends are played at most while the score is level; then the nearest stone wins"), kind: Kind::Limit(1, 20, 3) },
];

/// The options of a game with their defaults, what matters most first: in the order of [`LABELS`], and those that are
/// unknown there behind them.
fn in_order(game: &Game) -> Vec<(String, Value)> {
    let mut options: Vec<_> = (game.options)().into_iter().collect();
    options.sort_by_key(|(name, _)| LABELS.iter().position(|label| label.name == *name).unwrap_or(LABELS.len()));
    options
}

/// Shows the options of a game and changes them. What is as by default is left out.
pub(super) fn show(ui: &mut Ui, game: &Game, options: &mut Options) {
    for (name, default) in in_order(game) {
        let mut value = options.get(&name).unwrap_or(&default).clone();
        let label = LABELS.iter().find(|label| label.name == name);
        let (title, help) =
            label.map_or_else(|| (name.replace('_', " "), String::new()), |it| (said(it.title), said(it.help)));
        row(ui, &title, |ui| {
            ui.scope(|ui| match label {
                Some(label) => edit(ui, &title, &mut value, &label.kind),
                None => edit_unknown(ui, &title, &mut value),
            })
            .response
            .on_hover_text(&help);
        });
        if value == default {
            options.remove(&name);
        } else {
            options.insert(name, value);
        }
    }
}

fn edit(ui: &mut Ui, title: &str, value: &mut Value, kind: &Kind) {
    match *kind {
        Kind::Switch => switch(ui, title, value),
        Kind::Count(low, high) => count(ui, title, value, low..=high),
        Kind::Limit(low, high, first) => {
            let mut is_on = !value.is_null();
            if ui.checkbox(&mut is_on, "").named(tr!("{}, limit", title)).changed() {
                *value = if is_on { first.into() } else { Value::Null };
            }
            if is_on {
                count(ui, title, value, low..=high);
            }
        }
        Kind::Words(words) => {
            // A number among words stands as a number in files, and none as none.
            let now = match &*value {
                Value::String(word) => word.clone(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            let shown = words.iter().find(|(word, _)| *word == now).map_or(now.as_str(), |(_, shown)| shown);
            let list = egui::ComboBox::from_id_salt(title)
                .truncate()
                .width(ui.available_width().min(170.0))
                .selected_text(tr!(shown))
                .show_ui(ui, |ui| {
                    for &(word, shown) in words {
                        if entry(ui, word == now, tr!(shown)) {
                            *value = match (word, word.parse::<u64>()) {
                                ("", _) => Value::Null,
                                (_, Ok(number)) => number.into(),
                                (word, Err(_)) => word.into(),
                            };
                        }
                    }
                });
            lead_back(ui, list).named(title);
        }
    }
}

fn switch(ui: &mut Ui, title: &str, value: &mut Value) {
    let mut is_on = value.as_bool().unwrap_or_default();
    ui.checkbox(&mut is_on, "").named(title);
    *value = is_on.into();
}

fn count(ui: &mut Ui, title: &str, value: &mut Value, range: RangeInclusive<u64>) {
    let number = value.as_u64().unwrap_or(*range.start());
    let range = with(range, number);
    let mut number = number.saturating_add_signed(by_arrows(ui)).clamp(*range.start(), *range.end());
    ui.add(egui::DragValue::new(&mut number).range(range).speed(0.2)).named(title);
    *value = number.into();
}

/// An option that only its game knows.
fn edit_unknown(ui: &mut Ui, title: &str, value: &mut Value) {
    match value {
        Value::Bool(_) => switch(ui, title, value),
        Value::Number(number) if number.is_u64() => count(ui, title, value, 0..=u64::from(u32::MAX)),
        Value::String(text) => _ = ui.text_edit_singleline(text).named(title),
        other => _ = ui.weak(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        billiards::tables::ShippedTable,
        games::{GAMES, GameTable},
    };

    #[test]
    fn how_long_it_goes_stands_first() {
        for (game, first) in
            [("three-cushion", "points"), ("straight-pool", "points"), ("snooker", "reds"), ("curling", "ends")]
        {
            let game = Game::named(game).unwrap();
            assert_eq!(in_order(game)[0].0, first, "{}", game.name);
            assert_eq!(in_order(game).len(), (game.options)().len());
        }
    }

    #[test]
    fn every_option_has_words_and_all_that_can_be_chosen_is_taken_by_the_game() {
        for game in GAMES {
            let spec = ShippedTable::named(game.tables[0]).and_then(ShippedTable::spec).unwrap();
            let table = Arc::new(GameTable::new(spec).unwrap());
            for (name, default) in (game.options)() {
                let label = LABELS.iter().find(|label| label.name == name);
                let Some(label) = label else { panic!("{} has an option {name} without words", game.name) };
                let values: Vec<Value> = match label.kind {
                    Kind::Switch => vec![true.into(), false.into()],
                    Kind::Count(low, high) => vec![low.into(), high.into()],
                    Kind::Limit(low, high, first) => vec![low.into(), high.into(), first.into(), Value::Null],
                    Kind::Words(words) => words
                        .iter()
                        .map(|(word, _)| word.parse::<u64>().map_or_else(|_| (*word).into(), Value::from))
                        .map(|value: Value| if value == "" { Value::Null } else { value })
                        .collect(),
                };
                assert!(values.contains(&default) || matches!(label.kind, Kind::Count(..) | Kind::Limit(..)), "{name}");
                // The racks of practice belong to tables.
                for value in values.into_iter().filter(|_| name != "rack") {
                    let options = Options::from_iter([(name.clone(), value.clone())]);
                    let begun = (game.begin)(&table, &options);
                    assert!(begun.is_ok(), "{} with {name} {value}: {:?}", game.name, begun.err());
                }
            }
        }
    }
}
