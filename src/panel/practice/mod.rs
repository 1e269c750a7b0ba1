//! Practice: a drill to choose, its task and its score, and the results of weeks. The shot as a diagram or a link, the
//! position as a drill, and the matches against bots.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use egui_plot::{HLine, Line, PlotPoints, Points};
use serde_json::Value;
use tr::tr;

use super::{
    field::Field,
    widgets::{edit, reading, still_plot},
};
use crate::{
    games::{
        MatchSpec, Note,
        drills::{Drill, DrillResult, OwnDrill, shipped},
        plugin::{Beginning, CurrentMatch, CustomDrills, DrillProgress, MatchCommand, MatchEvent},
        rulebooks::drill::GAME,
    },
    view::{Theme, theme::egui as ink},
};

mod bots;
mod position;
pub(super) mod shot;

/// The chosen drill, an index of [`shipped`] and after those of [`CustomDrills`].
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenDrill(pub usize);

/// Whether a drill is being played.
pub(super) fn is_running(world: &World) -> bool {
    running(world).is_some()
}

fn running(world: &World) -> Option<&CurrentMatch> {
    world.get_resource::<CurrentMatch>().filter(|live| live.game().game().name == GAME.name)
}

/// A drill in the list: its value for the option of the game, its name in the results, and the drill.
struct Listed {
    option: [String; 2],
    name: String,
    drill: Drill,
}

/// The shipped and the custom drills.
fn listed(custom: Option<&CustomDrills>) -> Vec<Listed> {
    let by_name = |(name, drill): &(&str, Drill)| {
        let name = (*name).to_owned();
        Listed { option: ["drill".to_owned(), name.clone()], name, drill: drill.clone() }
    };
    let by_text = |OwnDrill { text, drill, .. }: &OwnDrill| Listed {
        option: ["file".to_owned(), text.clone()],
        name: drill.title.clone(),
        drill: drill.clone(),
    };
    let custom = custom.map_or(&[][..], |custom| custom.drills.as_slice());
    shipped().iter().map(by_name).chain(custom.iter().map(by_text)).collect()
}

/// Chooses the drill of a match that begins.
pub(super) fn follow(
    mut events: MessageReader<MatchEvent>,
    (live, custom): (Option<Res<CurrentMatch>>, Option<Res<CustomDrills>>),
    mut chosen: ResMut<ChosenDrill>,
) {
    let begins = events.read().filter(|event| **event == MatchEvent::Begun).count() > 0;
    let Some(live) = live.filter(|live| begins && live.game().game().name == GAME.name) else { return };
    let options = &live.game().spec().options;
    let is_its =
        |Listed { option: [key, value], .. }: &Listed| options.get(key).and_then(Value::as_str) == Some(value.as_str());
    if let Some(index) = listed(custom.as_deref()).iter().position(is_its) {
        chosen.0 = index;
    }
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let listed = listed(world.get_resource());
    let titles: Vec<(usize, &str)> =
        listed.iter().enumerate().map(|(index, listed)| (index, listed.drill.title.as_str())).collect();
    edit(world, |chosen: &mut ChosenDrill| {
        Field::new(tr!("Drill"), tr!("What to practise. Each attempt starts from a position of the drill.")).choice(
            ui,
            &mut chosen.0,
            &titles,
            ChosenDrill::default().0,
        );
    });
    if let Some(chosen) = listed.get(world.resource::<ChosenDrill>().0) {
        show_chosen(ui, world, chosen);
    }
    ui.add_space(6.0);
    shot::show(ui, world);
    position::show(ui, world);
    bots::show(ui, world);
}

fn show_chosen(ui: &mut Ui, world: &mut World, chosen: &Listed) {
    let drill = &chosen.drill;
    let description = drill.description.as_str();
    if !description.is_empty() {
        ui.label(tr!(description));
    }
    ui.label(RichText::new(tr!("Attempts: {}. Points to pass: {}.", drill.attempts, drill.pass)).weak());
    let help = tr!("Lays the balls out. They return by themselves after each attempt, and the results are kept.");
    if ui.button(tr!("Start the drill")).on_hover_text(help).clicked() {
        start(world, chosen);
    }
    show_score(ui, world);
    show_progress(ui, world, &chosen.name);
}

fn start(world: &mut World, Listed { option: [key, value], drill, .. }: &Listed) {
    let spec = MatchSpec {
        game: GAME.name.to_owned(),
        options: [(key.clone(), Value::from(value.as_str()))].into_iter().collect(),
        table: drill.usual_table().to_owned(),
        ..MatchSpec::default()
    };
    match Beginning::of(spec) {
        Ok(beginning) => _ = world.write_message(MatchCommand::Begin(Box::new(beginning))),
        Err(why) => shot::report(world, why),
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
        // It may be another one than the chosen one, from a file or a link.
        if let Some(title) = live.game().rules().title() {
            ui.label(RichText::new(tr!(title)).strong());
        }
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
    still_plot("progress of a drill", 96.0)
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
    ui.weak(tr!("The score of each time. The line across is the score that passes."));
}
