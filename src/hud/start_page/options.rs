//! The options of a game as rows of the start page: switches, numbers and words.

use std::{ops::RangeInclusive, sync::Arc};

use bevy_egui::egui::{self, Ui};
use serde_json::Value;
use tr::tr;

use super::widgets::{by_arrows, entry, lead_back, row, said, with};
use crate::{
    billiards::tables::ShippedTable,
    games::{Game, GameTable, OptionKind, OptionValue, Options},
    view::Named,
};

/// The choices that a game accepts on a table.
type Accepted = Arc<Vec<(&'static str, OptionValue)>>;

/// A text for an option of a game, behind its title.
pub(super) type TitledText = (String, String);

/// Shows the options of a game on a table and edits them. Values equal to the default are removed, choices that the
/// game does not accept on this table, and texts that are not among `texts`. A text that is set hides the choices,
/// because it comes before them.
pub(super) fn show(ui: &mut Ui, (game, table): (&Game, &str), options: &mut Options, texts: &[TitledText]) {
    let id = egui::Id::new(("accepted", game.name, table));
    let accepted: Accepted =
        ui.data_mut(|data| data.get_temp_mut_or_insert_with(id, || Arc::new(accepted(game, table))).clone());
    let is_known = |value: &Value| texts.iter().any(|(_, text)| value.as_str() == Some(text.as_str()));
    let is_text = |kind: &OptionKind| matches!(kind, OptionKind::Text(_));
    let has_text = game.options.iter().any(|spec| is_text(&spec.kind) && options.get(spec.name).is_some_and(is_known));
    for spec in game.options {
        let default = Value::from(spec.default);
        let mut value = options.get(spec.name).unwrap_or(&default).clone();
        if is_text(&spec.kind) && !is_known(&value) {
            value = default.clone();
        }
        if is_text(&spec.kind) && texts.is_empty() {
            options.remove(spec.name);
            continue;
        }
        if has_text && matches!(spec.kind, OptionKind::Choice(_)) {
            continue;
        }
        let is_accepted = |choice: OptionValue| accepted.contains(&(spec.name, choice));
        if let OptionKind::Choice(choices) = spec.kind
            && choices.iter().any(|&(choice, _)| Value::from(choice) == value && !is_accepted(choice))
        {
            value = default.clone();
        }
        let title = said(spec.title);
        row(ui, &title, |ui| {
            ui.scope(|ui| match spec.kind {
                OptionKind::Text(_) => choose_text(ui, &title, &mut value, texts),
                _ => edit(ui, &title, &mut value, (&spec.kind, &is_accepted)),
            })
            .response
            .on_hover_text(said(spec.help));
        });
        if value == default {
            options.remove(spec.name);
        } else {
            options.insert(spec.name.to_owned(), value);
        }
    }
}

/// Every choice of the options of a game that it accepts on a shipped table: not every drill fits every table.
fn accepted(game: &Game, table: &str) -> Vec<(&'static str, OptionValue)> {
    let spec = ShippedTable::named(table).and_then(ShippedTable::spec).ok();
    let Some(table) = spec.and_then(|spec| GameTable::new(spec).ok()).map(Arc::new) else { return Vec::new() };
    let mut accepted = Vec::new();
    for option in game.options {
        let OptionKind::Choice(choices) = option.kind else { continue };
        accepted.extend(choices.iter().map(|&(choice, _)| (option.name, choice)).filter(|&(name, choice)| {
            (game.begin)(&table, &Options::from_iter([(name.to_owned(), choice.into())])).is_ok()
        }));
    }
    accepted
}

fn edit(ui: &mut Ui, title: &str, value: &mut Value, (kind, is_accepted): (&OptionKind, &dyn Fn(OptionValue) -> bool)) {
    match kind {
        OptionKind::Switch => {
            let mut is_on = value.as_bool().unwrap_or_default();
            ui.checkbox(&mut is_on, "").named(title);
            *value = is_on.into();
        }
        OptionKind::Number { suggested, .. } => count(ui, title, value, suggested),
        OptionKind::Limit { suggested, first, .. } => {
            let mut is_on = !value.is_null();
            if ui.checkbox(&mut is_on, "").named(tr!("{}, limit", title)).changed() {
                *value = if is_on { (*first).into() } else { Value::Null };
            }
            if is_on {
                count(ui, title, value, suggested);
            }
        }
        OptionKind::Choice(choices) => choose(ui, title, value, (choices, is_accepted)),
        OptionKind::Text(_) => {}
    }
}

fn count(ui: &mut Ui, title: &str, value: &mut Value, suggested: &RangeInclusive<u32>) {
    let range = u64::from(*suggested.start())..=u64::from(*suggested.end());
    let number = value.as_u64().unwrap_or(*range.start());
    let range = with(range, number);
    let mut number = number.saturating_add_signed(by_arrows(ui)).clamp(*range.start(), *range.end());
    ui.add(egui::DragValue::new(&mut number).range(range).speed(0.2)).named(title);
    *value = number.into();
}

fn choose(
    ui: &mut Ui,
    title: &str,
    value: &mut Value,
    (choices, is_accepted): (&[(OptionValue, &str)], &dyn Fn(OptionValue) -> bool),
) {
    let is_now = |choice: OptionValue| Value::from(choice) == *value;
    let shown = choices.iter().find(|&&(choice, words)| is_now(choice) && !words.is_empty());
    let shown = shown.map_or_else(|| value.to_string().replace('"', ""), |(_, words)| said(words));
    let offered = choices.iter().filter(|(choice, words)| !words.is_empty() && is_accepted(*choice));
    let offers: Vec<_> = offered.map(|&(choice, words)| (Value::from(choice), said(words))).collect();
    list(ui, (title, shown), value, offers);
}

fn choose_text(ui: &mut Ui, title: &str, value: &mut Value, texts: &[TitledText]) {
    let offers = texts.iter().map(|(title, text)| (Value::from(text.as_str()), title.clone()));
    let offers: Vec<_> = std::iter::once((Value::Null, tr!("none"))).chain(offers).collect();
    let shown = offers.iter().find(|(offer, _)| offer == value).map(|(_, words)| words.clone()).unwrap_or_default();
    list(ui, (title, shown), value, offers);
}

/// A list of values with their words, to choose one.
fn list(ui: &mut Ui, (title, shown): (&str, String), value: &mut Value, offers: Vec<(Value, String)>) {
    let list = egui::ComboBox::from_id_salt(title)
        .truncate()
        .width(ui.available_width().min(170.0))
        .selected_text(shown)
        .show_ui(ui, |ui| {
            let chosen = offers.into_iter().filter(|(offer, words)| entry(ui, offer == value, words.clone())).last();
            chosen.map(|(offer, _)| offer)
        });
    let chosen = list.inner.clone().flatten();
    lead_back(ui, list).named(title);
    if let Some(choice) = chosen {
        *value = choice;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GAMES, OptionSpec};

    #[test]
    fn how_long_it_goes_stands_first() {
        for (game, first) in
            [("three-cushion", "points"), ("straight-pool", "points"), ("snooker", "reds"), ("curling", "ends")]
        {
            assert_eq!(Game::named(game).unwrap().options[0].name, first, "{game}");
        }
    }

    #[test]
    fn only_the_drills_of_a_table_are_offered_on_it() {
        let drill = Game::named("drill").unwrap();
        let offers = |table: &str, name| accepted(drill, table).contains(&("drill", OptionValue::Word(name)));
        assert!(offers("snooker-12ft", "line-up") && !offers("pool-9ft", "line-up"));
        assert!(offers("pool-9ft", "wagon-wheel") && !offers("carom-10ft", "wagon-wheel"));
        for table in drill.tables {
            assert!(accepted(drill, table).contains(&("drill", OptionValue::Null)), "{table}");
        }
    }

    #[test]
    fn every_option_has_words_and_all_that_can_be_chosen_is_taken_by_the_game() {
        for game in GAMES {
            let spec = ShippedTable::named(game.tables[0]).and_then(ShippedTable::spec).unwrap();
            let table = Arc::new(GameTable::new(spec).unwrap());
            for OptionSpec { name, title, help, kind, default } in game.options {
                assert!(!title.is_empty() && !help.is_empty(), "{} has an option {name} without words", game.name);
                let ends = |range: &RangeInclusive<u32>| [*range.start(), *range.end()].map(OptionValue::Number);
                let mut values = vec![*default];
                match kind {
                    OptionKind::Switch => values.extend([true, false].map(OptionValue::Flag)),
                    OptionKind::Number { allowed, suggested } => {
                        values.extend([ends(allowed), ends(suggested)].concat());
                    }
                    OptionKind::Limit { allowed, suggested, first } => {
                        values.extend([ends(allowed), ends(suggested)].concat());
                        values.extend([OptionValue::Number(*first), OptionValue::Null]);
                    }
                    OptionKind::Choice(choices) => {
                        assert!(choices.iter().any(|(choice, _)| choice == default), "{name}");
                        values.extend(choices.iter().map(|&(choice, _)| choice));
                    }
                    OptionKind::Text(_) => {}
                }
                // The racks of practice and the drills depend on the table.
                for value in values.into_iter().filter(|_| !["rack", "drill"].contains(name)) {
                    let options = Options::from_iter([((*name).to_owned(), value.into())]);
                    let begun = (game.begin)(&table, &options);
                    assert!(begun.is_ok(), "{} with {name} {value:?}: {:?}", game.name, begun.err());
                }
            }
        }
    }
}
