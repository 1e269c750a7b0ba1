//! The finished matches against each bot.

use bevy::prelude::*;
use bevy_egui::egui::{Grid, Ui};
use tr::tr;

use crate::games::{AgainstBot, Game, plugin::KeptResults};

pub(super) fn show(ui: &mut Ui, world: &World) {
    let all = world.get_resource::<KeptResults>().map(|results| results.against_bots()).unwrap_or_default();
    let header = ui.collapsing(tr!("Against bots"), |ui| {
        if all.is_empty() {
            ui.weak(tr!("No finished match against a bot yet."));
            return;
        }
        Grid::new("matches against bots").num_columns(5).striped(true).show(ui, |ui| {
            for (head, help) in [
                (tr!("Bot"), tr!("The level of the bot, and the game")),
                (tr!("Won"), tr!("Matches won, of those played to the end")),
                (tr!("Racks"), tr!("Racks or frames won by you, and by the bot")),
                (tr!("A visit"), tr!("Balls potted at a visit to the table, by you")),
                (tr!("Success"), tr!("Share of your attempts that potted or scored")),
            ] {
                ui.strong(head).on_hover_text(help);
            }
            ui.end_row();
            for one in &all {
                row(ui, one);
            }
        });
    });
    header.header_response.on_hover_text(tr!("Statistics over all your finished matches, by the level of the bot"));
}

fn row(ui: &mut Ui, AgainstBot { bot, game, played, won, racks, pots_per_visit, you, .. }: &AgainstBot) {
    let title = Game::named(game).map_or(game.as_str(), |game| game.title);
    ui.label(format!("{bot}, {}", tr!(title)));
    ui.label(tr!("{} of {}", won, played));
    ui.label(format!("{} \u{2013} {}", racks[0], racks[1]));
    ui.label(format!("{pots_per_visit:.2}"));
    ui.label(if you.attempts == 0 { "\u{2013}".to_owned() } else { format!("{:.0} %", 100.0 * you.success_rate) });
    ui.end_row();
}
