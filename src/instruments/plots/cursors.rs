//! The two cursors of the plots: the values there, their difference, and the mean and the slope between them.

use bevy::prelude::*;
use bevy_egui::egui::{self, DragValue, RichText, Ui};
use tr::tr;

use super::{Plots, draw::colour, names::title_of};
use crate::{
    laboratory::Recorder,
    number::measured,
    view::{Named, Theme},
};

/// The cursors when they are first shown: at a quarter and at three quarters of what is recorded, seconds.
pub(super) fn first(plots: &Plots, recorder: &Recorder) -> [f64; 2] {
    let times = plots.recordings(recorder).flat_map(|(_, recording)| {
        let ends = [recording.samples().next(), recording.samples().last()];
        ends.into_iter().flatten().map(|sample| sample.time)
    });
    let (low, high) =
        times.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), time| (low.min(time), high.max(time)));
    if low < high { [0.25, 0.75].map(|share| low + share * (high - low)) } else { [0.0, 1.0] }
}

/// The words of a curve's row: its values at both cursors, their difference, and the mean and the slope between them.
pub(super) fn row(recording: &crate::laboratory::Recording, [a, b]: [f64; 2], unit: &str) -> [String; 5] {
    let none = || "–".to_owned();
    let at = [a, b].map(|time| recording.at(time).map(|sample| sample.y));
    let between = recording.between(a, b);
    let per_second = if unit.is_empty() { "1/s".to_owned() } else { format!("{unit}/s") };
    let [at_a, at_b] = at.map(|value| value.map_or_else(none, |value| measured(value, unit)));
    let difference = at[0].zip(at[1]).map_or_else(none, |(a, b)| measured(b - a, unit));
    let mean = between.map_or_else(none, |between| measured(between.mean, unit));
    let slope = between.and_then(|between| between.slope).map_or_else(none, |slope| measured(slope, &per_second));
    [at_a, at_b, difference, mean, slope]
}

pub(super) fn show(ui: &mut Ui, plots: &mut Plots, recorder: &Recorder, theme: &Theme) {
    let Some(mut cursors) = plots.cursors else { return };
    ui.horizontal_wrapped(|ui| {
        for (name, time) in ["A", "B"].into_iter().zip(&mut cursors) {
            ui.label(name);
            let number = ui.add(DragValue::new(time).speed(0.01).max_decimals(4).suffix(" s"));
            number.named(tr!("Cursor {}", name)).on_hover_text(tr!("The time of the cursor, s"));
        }
        ui.weak(tr!("B − A: {}", measured(cursors[1] - cursors[0], "s")));
    });
    plots.cursors = Some(cursors);
    egui::ScrollArea::horizontal().id_salt("cursors").show(ui, |ui| {
        egui::Grid::new("cursors").striped(true).show(ui, |ui| {
            let slope = tr!("Slope of the line of least squares between the cursors, per second");
            let heads = [
                (tr!("Curve"), String::new()),
                ("A".to_owned(), tr!("The value at the cursor: of the last sample up to it")),
                ("B".to_owned(), tr!("The value at the cursor: of the last sample up to it")),
                ("B − A".to_owned(), tr!("The difference of the values")),
                (tr!("Mean"), tr!("Mean over the ticks between the cursors")),
                (tr!("Slope"), slope),
            ];
            for (head, help) in heads {
                let head = ui.weak(head);
                if !help.is_empty() {
                    head.on_hover_text(help);
                }
            }
            ui.end_row();
            for (place, (channel, recording)) in plots.recordings(recorder).enumerate() {
                ui.label(RichText::new(title_of(channel)).color(colour(theme, place)));
                for text in row(recording, cursors, channel.variable.info().unit) {
                    ui.label(text);
                }
                ui.end_row();
            }
        });
    });
}
