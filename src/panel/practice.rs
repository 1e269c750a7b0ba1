//! Practice: a drill to choose, its task and its score, and the results of weeks.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use egui_plot::{HLine, Line, Plot, PlotPoints, Points};
use serde_json::Value;
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, reading},
};
use crate::{
    games::{
        MatchSpec, Note,
        drills::{DrillResult, shipped},
        plugin::{Beginning, CurrentMatch, DrillProgress, MatchCommand},
        rulebooks::drill::GAME,
    },
    notice::Notices,
    view::{Theme, theme::egui as ink},
};

/// The chosen drill, an index of [`shipped`].
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenDrill(pub usize);

/// Whether a drill is being played.
pub(super) fn is_running(world: &World) -> bool {
    running(world).is_some()
}

fn running(world: &World) -> Option<&CurrentMatch> {
    world.get_resource::<CurrentMatch>().filter(|live| live.game().game().name == GAME.name)
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let titles: Vec<(usize, &str)> =
        shipped().iter().enumerate().map(|(index, (_, drill))| (index, drill.title.as_str())).collect();
    edit(world, |chosen: &mut ChosenDrill| {
        Field::new(tr!("Drill"), tr!("What to practise. Each attempt starts from a position of the drill.")).choice(
            ui,
            &mut chosen.0,
            &titles,
            ChosenDrill::default().0,
        );
    });
    let Some((name, drill)) = shipped().get(world.resource::<ChosenDrill>().0) else { return };
    let description = drill.description.as_str();
    ui.label(tr!(description));
    ui.label(RichText::new(tr!("Attempts: {}. Points to pass: {}.", drill.attempts, drill.pass)).weak());
    let help = tr!("Lays the balls out. They return by themselves after each attempt, and the results are kept.");
    if ui.button(tr!("Start the drill")).on_hover_text(help).clicked() {
        start(world, name, drill.usual_table());
    }
    show_score(ui, world);
    show_progress(ui, world, name);
}

fn start(world: &mut World, name: &str, table: &str) {
    let spec = MatchSpec {
        game: GAME.name.to_owned(),
        options: [(GAME.options[0].name.to_owned(), Value::from(name))].into_iter().collect(),
        table: table.to_owned(),
        ..MatchSpec::default()
    };
    match Beginning::of(spec) {
        Ok(beginning) => _ = world.write_message(MatchCommand::Begin(Box::new(beginning))),
        Err(why) => {
            if let Some(mut notices) = world.get_resource_mut::<Notices>() {
                notices.error(why);
            }
        }
    }
}

/// The attempt and the score of the running drill.
fn show_score(ui: &mut Ui, world: &World) {
    let Some(live) = running(world) else { return };
    let (player, score) = (live.game().player_of(crate::games::Player(0)), live.game().score());
    let attempt = live.game().rules().notes(crate::games::Player(0)).into_iter().find_map(|note| match note {
        Note::Attempt { number, of } => Some(tr!("{} of {}", number, of)),
        _ => None,
    });
    if let Some(attempt) = attempt {
        reading(ui, &tr!("Attempt"), &tr!("The current attempt at the drill"), attempt);
        let help = tr!("Points of all attempts so far");
        reading(ui, &tr!("Score"), &help, score[player.index()].to_string());
    }
}

/// The scores of a drill in the order in which they were made, and the score that passes.
fn show_progress(ui: &mut Ui, world: &World, name: &str) {
    let progress = world.get_resource::<DrillProgress>();
    let all = progress.map_or(&[][..], |progress| progress.results.as_slice());
    let results: Vec<&DrillResult> = all.iter().filter(|result| result.drill == name).collect();
    let (Some(last), Some(theme)) = (results.last(), world.get_resource::<Theme>()) else {
        ui.weak(tr!("No results of this drill yet."));
        return;
    };
    let passed = results.iter().filter(|result| result.passed()).count();
    let best = results.iter().map(|result| result.score).max().unwrap_or_default();
    ui.label(tr!("Played: {}. Passed: {}. Best score: {}.", results.len(), passed, best));
    let points: Vec<[f64; 2]> =
        results.iter().zip(1_u32..).map(|(result, nth)| [f64::from(nth), f64::from(result.score)]).collect();
    let (line, pass) = (ink(theme.lesson.after), ink(theme.text.soft));
    Plot::new("progress of a drill")
        .height(96.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_axis_zoom_drag(false)
        .show_background(false)
        .show_x(false)
        .include_x(0.5)
        .include_x(points.len() as f64 + 0.5)
        .include_y(0.0)
        .include_y(f64::from(best.max(last.pass)) * 1.1)
        .show(ui, |plot| {
            plot.hline(HLine::new("pass", f64::from(last.pass)).color(pass));
            plot.line(Line::new("score", PlotPoints::new(points.clone())).color(line));
            plot.points(Points::new("scores", PlotPoints::new(points)).color(line).radius(3.0));
        });
}
