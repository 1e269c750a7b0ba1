//! The plots: one for each unit, above each other, with a common horizontal axis.

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, Ui};
use egui_plot::{FilledArea, Legend, Line, Plot, PlotPoint, PlotPoints, PlotUi, Points, VLine};
use tr::tr;

use super::{
    Against, Plots,
    names::{title_of, with_unit, word},
};
use crate::{
    laboratory::{Channel, Recorder, Recording},
    number::{digits, measured},
    view::{Named, Theme, theme::egui as ink},
};

/// The height of a plot alone, and of one of several, points.
const HEIGHTS: [f32; 2] = [230.0, 150.0];

/// How near to a cursor the pointer drags it, points.
const REACH: f32 = 12.0;

/// The colour of the curve at a place.
pub(super) fn colour(theme: &Theme, place: usize) -> Color32 {
    ink(theme.discs[place % theme.discs.len()])
}

/// A curve to draw: its place in the list, its channel and its samples.
pub(super) type Drawn<'a> = (usize, Channel, &'a Recording);

/// The curves by their units, in the order of their first curves.
pub(super) fn by_unit<'a>(plots: &'a Plots, recorder: &'a Recorder) -> Vec<(&'static str, Vec<Drawn<'a>>)> {
    let mut groups: Vec<(&'static str, Vec<Drawn>)> = Vec::new();
    for (place, (channel, recording)) in plots.recordings(recorder).enumerate() {
        let unit = channel.variable.info().unit;
        let drawn = (place, channel, recording);
        match groups.iter_mut().find(|(other, _)| *other == unit) {
            Some((_, group)) => group.push(drawn),
            None => groups.push((unit, vec![drawn])),
        }
    }
    groups
}

/// The title of the horizontal axis, with its unit.
pub(super) fn x_title(against: Against) -> String {
    match against {
        Against::Time => tr!("time (s)"),
        Against::Own(variable) | Against::Table(variable) => with_unit(variable, word(variable)),
    }
}

pub(super) fn show(ui: &mut Ui, plots: &mut Plots, recorder: &Recorder, theme: &Theme) {
    let shown = plots.clone();
    let groups = by_unit(&shown, recorder);
    let height = HEIGHTS[usize::from(groups.len() > 1)];
    let mut near = None;
    for (unit, group) in &groups {
        near = near.or(show_plot(ui, plots, theme, (unit, group), height));
    }
    // The plots of the next frame stay where they are while a cursor is dragged.
    plots.near = near;
    if !ui.input(|input| input.pointer.any_down()) {
        plots.dragged = None;
    }
    ui.vertical_centered(|ui| ui.small(x_title(plots.against)));
}

/// Shows the plot of a unit, and returns the cursor near the pointer.
fn show_plot(
    ui: &mut Ui,
    plots: &mut Plots,
    theme: &Theme,
    (unit, group): (&str, &[Drawn]),
    height: f32,
) -> Option<usize> {
    let is_over_time = plots.against == Against::Time;
    let is_free = plots.near.is_none() && plots.dragged.is_none();
    // Otherwise the scroll wheel would zoom instead of scrolling the panel.
    let plot = Plot::new(("plots", unit))
        .height(height)
        .allow_drag(is_free)
        .allow_scroll(false)
        .show_background(false)
        .y_axis_min_width(52.0)
        .link_axis("plots", egui::Vec2b::new(true, false))
        .y_axis_formatter(move |mark, _| measured(mark.value, unit))
        .legend(Legend::default().follow_insertion_order(true))
        .label_formatter(move |at| match at {
            egui_plot::HoverPosition::NearDataPoint { plot_name, position, .. } => {
                Some([(*plot_name).to_owned(), digits(position.x), measured(position.y, unit)].join("\n"))
            }
            egui_plot::HoverPosition::Elsewhere { .. } => None,
        });
    let shown = plot.show(ui, |plot| {
        for drawn in group {
            draw_curve(plot, theme, drawn, is_over_time);
        }
        draw_cursors(plot, plots, theme, group, is_over_time)
    });
    let name = tr!("Plot ({}): drag moves it, Ctrl + wheel or a pinch zooms, a double click shows all", unit);
    shown.response.named(name);
    shown.inner
}

fn draw_curve(plot: &mut PlotUi, theme: &Theme, &(place, channel, recording): &Drawn, is_over_time: bool) {
    let ink = colour(theme, place);
    let title = title_of(channel);
    if is_over_time && recording.spacing() > 0.0 {
        let of = |part: fn(&crate::laboratory::Sample) -> f64| recording.samples().map(part).collect::<Vec<f64>>();
        let [times, low, high] = [of(|it| it.x), of(|it| it.low), of(|it| it.high)];
        let band = FilledArea::new(title.clone(), &times, &low, &high).fill_color(ink.gamma_multiply(0.25));
        plot.add(band.allow_hover(false));
    }
    let points: PlotPoints = recording.samples().map(|sample| [sample.x, sample.y]).collect();
    plot.line(Line::new(title, points).color(ink).width(1.6));
}

/// Draws the cursors, and moves the one that the pointer drags. Returns the one near the pointer.
fn draw_cursors(
    plot: &mut PlotUi,
    plots: &mut Plots,
    theme: &Theme,
    group: &[Drawn],
    is_over_time: bool,
) -> Option<usize> {
    let cursors = plots.cursors.as_mut()?;
    let soft = ink(theme.text.soft);
    for (place, _, recording) in group {
        let marks = cursors.iter().filter_map(|&time| recording.at(time)).map(|sample| [sample.x, sample.y]);
        let marks = Points::new("", marks.collect::<PlotPoints>()).color(colour(theme, *place)).radius(4.0);
        plot.points(marks.allow_hover(false));
    }
    if !is_over_time {
        return None;
    }
    for (name, &time) in ["A", "B"].into_iter().zip(cursors.iter()) {
        plot.vline(VLine::new(name, time).color(soft).width(1.5).allow_hover(false));
    }
    let response = plot.response();
    let pointer = response.interact_pointer_pos().or(response.hover_pos())?;
    let away = |time: f64| (plot.screen_from_plot(PlotPoint::new(time, 0.0)).x - pointer.x).abs();
    let [a, b] = cursors.map(away);
    let nearest = usize::from(b < a);
    let is_near = a.min(b) <= REACH;
    if plots.dragged.is_none() && response.is_pointer_button_down_on() && is_near {
        plots.dragged = Some(nearest);
    }
    if let Some(dragged) = plots.dragged.filter(|_| response.is_pointer_button_down_on()) {
        cursors[dragged] = plot.plot_from_screen(pointer).x;
    }
    is_near.then_some(nearest)
}
