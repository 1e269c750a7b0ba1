//! A plot of the kinetic energy over the last seconds: a graph of the [`Recorder`].

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use egui_plot::{GridMark, Line, PlotPoints};
use tr::tr;

use super::widgets::{measured, still_plot};
use crate::{
    laboratory::{Channel, Graph, Memory, Recorder, Recording, RecordingId, Subject, Variable},
    number::trimmed,
    view::{Theme, theme::egui as ink},
};

/// The time span of the plot, seconds of simulated time.
pub const SPAN: f64 = 10.0;

/// The smallest time between two samples, seconds of simulated time. Faster ticks are thinned out.
const STEP: f64 = 1.0 / 60.0;

/// The spacing of the marks on the axis of time, and of the lines between them, seconds. A mark takes less than half of
/// the narrowest panel.
const TIME_MARKS: f64 = 5.0;
const TIME_LINES: f64 = 1.0;

/// The recording of the kinetic energy of recent ticks.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EnergyGraph(RecordingId);

impl FromWorld for EnergyGraph {
    fn from_world(world: &mut World) -> Self {
        let graph = Graph::over_time(Channel::new(Subject::Table, Variable::KineticEnergy));
        let memory = Memory::Last { seconds: SPAN, step: STEP };
        Self(world.get_resource_or_init::<Recorder>().record(graph, memory))
    }
}
/// The spacing of marks on an axis up to `top`, which gives two to five marks besides zero: 1, 2 or 5 times a power of
/// ten.
fn mark_step(top: f64) -> f64 {
    let decade = 10_f64.powf((top / 5.0).log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|part| part * decade).find(|step| top / step < 6.0).unwrap_or(10.0 * decade)
}

/// An energy on the axis, with its unit.
fn mark_text(value: f64, step: f64) -> String {
    if value == 0.0 {
        "0 J".to_owned()
    } else if (1e-3..1e5).contains(&step) {
        format!("{} J", trimmed(value, -step.log10().floor().min(0.0) as usize))
    } else {
        measured(value, "J")
    }
}

/// The grid of the axis of time, from [`SPAN`] seconds ago to now.
fn time_grid() -> Vec<GridMark> {
    let lines = (0..=(SPAN / TIME_LINES) as u32).map(|nth| -f64::from(nth) * TIME_LINES);
    let is_marked = |value: f64| value % TIME_MARKS == 0.0;
    lines.map(|value| GridMark { value, step_size: if is_marked(value) { TIME_MARKS } else { TIME_LINES } }).collect()
}

/// A time before now, with its unit. Only marks have text.
fn time_text(mark: GridMark) -> String {
    match mark {
        GridMark { step_size, .. } if step_size < TIME_MARKS => String::new(),
        GridMark { value: 0.0, .. } => tr!("now"),
        GridMark { value, .. } => format!("{value:.0} s"),
    }
}

pub(super) fn show(ui: &mut Ui, world: &mut World) {
    let recorder = world.resource::<Recorder>();
    let samples = recorder.get(world.resource::<EnergyGraph>().0).into_iter().flat_map(Recording::samples);
    // The axis shows the time before now.
    let points: Vec<[f64; 2]> = samples.map(|sample| [sample.time - recorder.time(), sample.y]).collect();
    let last = points.last().map_or(0.0, |point| point[1]);
    let highest = points.iter().map(|point| point[1]).fold(0.0, f64::max);
    let top = if highest > 0.0 { highest * 1.08 } else { 1.0 };
    let step = mark_step(top);
    let colour = ink(world.resource::<Theme>().lesson.after);
    still_plot("kinetic energy", 150.0)
        .y_axis_min_width(44.0)
        .include_x(-SPAN)
        .include_x(0.0)
        .include_y(0.0)
        .include_y(top)
        .x_grid_spacer(|_| time_grid())
        .x_axis_formatter(|mark, _| time_text(mark))
        .y_grid_spacer(move |input| {
            let last = (input.bounds.1 / step).floor().clamp(0.0, 50.0) as u32;
            (0..=last).map(|mark| GridMark { value: f64::from(mark) * step, step_size: step }).collect()
        })
        .y_axis_formatter(move |mark, _| mark_text(mark.value, step))
        .label_formatter(|at| match at {
            egui_plot::HoverPosition::NearDataPoint { position, .. } => {
                Some(format!("{:.2} s\n{}", position.x, measured(position.y, "J")))
            }
            egui_plot::HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            let line = Line::new("kinetic energy", PlotPoints::new(points))
                .color(colour)
                .width(1.8)
                .fill(0.0)
                .fill_alpha(0.12);
            plot.line(line);
        });
    ui.horizontal(|ui| {
        ui.weak(tr!("now"));
        ui.label(egui::RichText::new(measured(last, "J")).color(colour));
        ui.weak(tr!("of at most {} in {} s", measured(highest, "J"), SPAN));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        components::{Disc, Mass, Velocity},
        scene::{self, SceneSource},
        timeline::advance,
    };

    #[test]
    fn the_axis_has_a_few_marks_with_their_unit_also_at_rest() {
        for (top, expected) in [(1.0, 0.2), (1.08, 0.2), (6850.0, 2000.0), (2.5e-4, 5e-5), (3e9, 1e9)] {
            let step = mark_step(top);
            assert!((step / expected - 1.0).abs() < 1e-9, "{step} for {top}");
            assert!((2.0..6.0).contains(&(top / step)));
        }
        assert_eq!([0.0, 0.2, 1.0].map(|value| mark_text(value, 0.2)), ["0 J", "0.2 J", "1 J"]);
        assert_eq!(mark_text(4000.0, 2000.0), "4000 J");
    }

    #[test]
    fn the_axis_of_time_goes_from_ten_seconds_ago_to_now() {
        let texts: Vec<String> = time_grid().into_iter().map(time_text).filter(|text| !text.is_empty()).collect();
        assert_eq!(texts, ["now", "-5 s", "-10 s"]);
        assert_eq!(time_grid().len(), 11, "a line each second");
    }

    #[test]
    fn the_last_ten_seconds_are_recorded_and_a_new_scene_begins_anew() {
        let mut app = super::super::tests::app();
        let world = app.world_mut();
        world.spawn((Disc, Mass(1.0), Velocity(vec2(2.0, 0.0))));
        advance(world, 64 * 12);
        let samples = |world: &World| {
            let recorder = world.resource::<Recorder>();
            let samples = recorder.get(world.resource::<EnergyGraph>().0).unwrap().samples();
            samples.map(|sample| (recorder.time() - sample.time, sample.y)).collect::<Vec<_>>()
        };
        let of_run = samples(world);
        assert!(of_run[0].0 > 9.9 && of_run[0].0 <= SPAN + STEP, "{:?}", of_run[0]);
        assert!(of_run.iter().all(|sample| sample.1 == 2.0));
        let source = SceneSource::Shipped("two-discs");
        let file = source.load().unwrap();
        scene::spawn(world, source, file).unwrap();
        advance(world, 1);
        assert_eq!(samples(world).len(), 1);
    }
}
