//! The page with the statistics of the match, at its end and on request.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, RichText, ScrollArea};
use tr::tr;

use super::{Hud, Offer, is_escaped, offers, start_page::said, words};
use crate::{
    games::{
        Measure, Player, PlayerStatistics,
        plugin::{CurrentMatch, MatchFolder, Phase},
    },
    input::actions::{Control, KeyMap},
    notice::{NoticeText, Notices, mark},
    storage::{make_folder, write_whole},
    view::{Theme, theme::egui as ink},
};

/// The name and the description of a statistic.
fn label(measure: Measure, has_pockets: bool) -> (&'static str, &'static str) {
    match measure {
        Measure::Racks => (mark("Racks"), mark("Racks or frames won")),
        Measure::Points => (mark("Points"), mark("Points in all racks")),
        Measure::SuccessRate if has_pockets => {
            (mark("Pot rate"), mark("Share of pot attempts that succeeded. Breaks and safeties do not count."))
        }
        Measure::SuccessRate => (mark("Scoring rate"), mark("Share of strokes that scored")),
        Measure::PositionQuality => (
            mark("Position play"),
            mark(
                "Quality of the position after pots: mean chance of the best direct pot, with the noise of the \
                Computer Olympiads",
            ),
        ),
        Measure::LongestBreak => (mark("Longest break"), mark("Most points or balls in one inning")),
        Measure::Average => (mark("Average"), mark("Points per inning")),
        Measure::Innings => (mark("Innings"), mark("Times at the table")),
        Measure::Runouts => {
            (mark("Racks run out"), mark("Racks won from the break, without a shot by the other player"))
        }
        Measure::BreaksWithPot => (mark("Breaks with a pot"), mark("Breaks that potted a ball without a foul")),
        Measure::Potted => (mark("Balls potted"), mark("In shots without a foul")),
        Measure::Fouls => (mark("Fouls"), mark("Shots with a foul")),
        Measure::Shots => (mark("Shots"), mark("All shots, including breaks")),
    }
}

/// A displayed value, or a dash if there is none yet.
fn written(measure: Measure, of: &PlayerStatistics) -> String {
    let share = |share: f64, of: u32| if of == 0 { "\u{2013}".to_owned() } else { format!("{:.0} %", 100.0 * share) };
    match measure {
        Measure::Racks => of.racks.to_string(),
        Measure::Points => of.points.to_string(),
        Measure::SuccessRate => share(of.success_rate, of.attempts),
        Measure::PositionQuality => share(of.position_quality.unwrap_or_default(), of.positions),
        Measure::LongestBreak => of.longest_break.to_string(),
        Measure::Average if of.innings == 0 => "\u{2013}".to_owned(),
        Measure::Average => format!("{:.2}", of.average),
        Measure::Innings => of.innings.to_string(),
        Measure::Runouts => of.runouts.to_string(),
        Measure::BreaksWithPot => tr!("{} of {}", of.breaks_with_pot, of.breaks),
        Measure::Potted => of.potted.to_string(),
        Measure::Fouls => of.fouls.to_string(),
        Measure::Shots => of.shots.to_string(),
    }
}

/// The largest width of the page, points.
const WIDEST: f32 = 460.0;

/// The free height above and below the page, for the text there, points.
const AROUND: f32 = 96.0;

enum Pressed {
    Offer(Offer),
    Save,
    Close,
}

/// Shows the page within a part of the window, points.
pub(super) fn show(ctx: &egui::Context, area: egui::Rect, world: &mut World) {
    if !world.resource::<Hud>().shows_statistics {
        return;
    }
    let pressed = {
        let world = &*world;
        let (Some(live), Some(theme)) = (world.get_resource::<CurrentMatch>(), world.get_resource::<Theme>()) else {
            return;
        };
        let (hud, keys) = (world.resource::<Hud>(), world.resource::<KeyMap>());
        let style = ctx.global_style();
        let frame = egui::Frame::new()
            .fill(style.visuals.panel_fill)
            .stroke(style.visuals.window_stroke)
            .corner_radius(14)
            .inner_margin(16)
            .shadow(egui::Shadow { offset: [0, 8], blur: 32, spread: 0, color: ink(theme.table.shadow) });
        let width = (area.width() - 64.0).clamp(120.0, WIDEST);
        let height = (area.height() - 2.0 * AROUND - 90.0).max(60.0);
        egui::Window::new("statistics of the match")
            .title_bar(false)
            .resizable(false)
            .pivot(Align2::CENTER_CENTER)
            .fixed_pos(area.center())
            .constrain_to(area)
            .frame(frame)
            .show(ctx, |ui| {
                ui.set_width(width);
                page(ui, height, (live, hud), (theme, keys))
            })
            .and_then(|shown| shown.inner.flatten())
    };
    match pressed {
        Some(Pressed::Save) => save(world),
        Some(Pressed::Offer(offer)) => offers::take(world, offer),
        Some(Pressed::Close) => world.resource_mut::<Hud>().shows_statistics = false,
        None => {}
    }
}

fn page(
    ui: &mut egui::Ui,
    height: f32,
    (live, hud): (&CurrentMatch, &Hud),
    (theme, keys): (&Theme, &KeyMap),
) -> Option<Pressed> {
    let game = live.game();
    let mut pressed = None;
    let title = match game.winner() {
        Some(winner) => words::wins_match(live, winner),
        None => tr!("The match so far"),
    };
    ui.add(egui::Label::new(RichText::new(title).size(20.0).strong()).wrap());
    let [first, second] = game.racks();
    let title = said(game.rules().title().unwrap_or(game.game().title));
    let score = if game.game().solo { title } else { format!("{title} · {first} \u{2013} {second}") };
    ui.label(RichText::new(score).color(ink(theme.text.soft)));
    ui.add_space(8.0);
    let has_pockets = !game.table().built.holes.is_empty();
    let statistics = game.statistics();
    let players: &[Player] = if game.game().solo { &[Player(0)] } else { &[Player(0), Player(1)] };
    let column = (0.3 * ui.available_width()).min(130.0);
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        egui::Grid::new("numbers").num_columns(3).striped(true).min_col_width(column).max_col_width(column * 1.2).show(
            ui,
            |ui| {
                ui.label("");
                for &player in players {
                    let name = RichText::new(words::player(live, player)).strong();
                    ui.add(egui::Label::new(name).truncate());
                }
                ui.end_row();
                let race = game.spec().race_to;
                for &measure in game.game().measures {
                    if measure == Measure::Racks && race == 1 {
                        continue;
                    }
                    let (name, about) = label(measure, has_pockets);
                    ui.add(egui::Label::new(said(name)).wrap()).on_hover_text(said(about));
                    for &player in players {
                        ui.label(RichText::new(written(measure, &statistics.players[player.index()])).size(15.0));
                    }
                    ui.end_row();
                }
            },
        );
    });
    ui.add_space(10.0);
    let is_over = matches!(live.phase(), Phase::Over);
    ui.horizontal_wrapped(|ui| {
        if is_over && ui.button(RichText::new(tr!("Play again")).strong()).clicked() {
            pressed = Some(Pressed::Offer(Offer::Again));
        }
        if is_over && hud.has_page && ui.button(tr!("Start page")).clicked() {
            pressed = Some(Pressed::Offer(Offer::StartPage));
        }
        let help = tr!("Saves the statistics as JSON beside the match file, for other programs");
        if ui.button(tr!("Save as JSON")).on_hover_text(help).clicked() {
            pressed = Some(Pressed::Save);
        }
        let tip = keys.tip(&tr!("Back to the table"), Control::Statistics);
        if ui.button(tr!("Close")).on_hover_text(tip).clicked() {
            pressed = Some(Pressed::Close);
        }
    });
    if is_escaped(ui) {
        pressed = Some(Pressed::Close);
    }
    pressed
}

/// The file for the statistics: beside the match file, in the folder for matches, or in the working directory.
fn file(world: &World) -> Option<PathBuf> {
    let live = world.get_resource::<CurrentMatch>()?;
    if let Some(file) = live.file() {
        return Some(file.with_extension("json"));
    }
    let folder = world.get_resource::<MatchFolder>().and_then(|folder| folder.0.clone());
    Some(folder.unwrap_or_default().join(format!("{}.json", live.game().spec().game)))
}

/// Writes the statistics, and reports the path.
fn save(world: &mut World) {
    let (Some(path), Some(live)) = (file(world), world.get_resource::<CurrentMatch>()) else { return };
    let text = serde_json::to_string_pretty(&live.game().statistics());
    let written = text.map_err(std::io::Error::other).and_then(|text| {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder)?;
        }
        write_whole(&path, (text + "\n").as_bytes())
    });
    let Some(mut notices) = world.get_resource_mut::<Notices>() else { return };
    let path = path.display().to_string();
    match written {
        Ok(()) => notices.info(NoticeText::new(mark("The statistics were saved to {}."), [path])),
        Err(error) => {
            notices.error(NoticeText::new(mark("{} cannot be written: {}"), [path, error.to_string()]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;

    #[test]
    fn every_number_of_every_game_has_words_and_what_makes_no_sense_is_left_out() {
        for game in GAMES {
            let has_pockets = game.tables.iter().any(|table| !table.contains("carom") && !table.contains("curling"));
            let measures = game.measures;
            assert!(!measures.is_empty());
            for &measure in measures {
                let (name, about) = label(measure, has_pockets);
                assert!(!name.is_empty() && !about.is_empty());
                assert!(!written(measure, &PlayerStatistics::default()).is_empty());
            }
            let has = |measure| measures.contains(&measure);
            assert!(has_pockets || !(has(Measure::PositionQuality) || has(Measure::Runouts) || has(Measure::Potted)));
            assert_eq!(has(Measure::Average), !has_pockets && game.name != "curling" || game.name == "straight-pool");
        }
    }
}
