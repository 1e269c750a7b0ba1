//! Draws the instruments on the table, and writes what they show beside them.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{self, Align2},
};
use tr::tr;

use super::are_shown;
use crate::{
    laboratory::instruments::{
        Instrument, InstrumentKind, InstrumentReading, InstrumentRecord, InstrumentRecords, Instruments, Trail,
    },
    number::measured,
    shell::ShellSystems,
    view::{
        Canvas, CurrentView, DrawView, Layer, Theme, View2d, Views, sees_layer_0, theme::egui as ink,
        words::labels::Pen,
    },
};

/// The most legs of a path that are drawn.
const MOST_LEGS: usize = 5000;

/// How long a photogate lights up after a passage, seconds of simulated time.
const LIT: f64 = 0.25;

/// The time that the arrow of a centre of mass spans, seconds.
const ARROW_SECONDS: f64 = 0.25;

/// How many readings are written on the table.
const SHOWN: usize = 2;

/// The parts of the window that the displays take, in the order of the instruments, logical pixels.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Displays(pub Vec<Rect>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Displays>().add_systems(DrawView, draw.run_if(sees_layer_0).run_if(are_shown)).add_systems(
        EguiPrimaryContextPass,
        (forget.run_if(not(are_shown)), write.run_if(are_shown)).before(ShellSystems),
    );
}

fn draw(
    mut canvas: ResMut<Canvas>,
    (instruments, records): (Res<Instruments>, Res<InstrumentRecords>),
    (view, theme): (Res<CurrentView>, Res<Theme>),
) {
    for (index, Instrument { position, kind, .. }) in instruments.iter().enumerate() {
        let record = records.record(&instruments, index);
        if let InstrumentKind::Photogate(gate) = kind {
            let last = match record {
                Some(InstrumentRecord::Photogate(passages)) => passages.log.newest_first().next(),
                _ => None,
            };
            let is_lit = last.is_some_and(|last| records.seconds() - last.time < LIT);
            let colour = if is_lit { theme.marks.hit } else { theme.marks.selected };
            let ends = [*position - gate.half, *position + gate.half];
            canvas.dashed(Layer::Lesson, &ends, view.px(if is_lit { 3.0 } else { 1.5 }), view.px(5.0), colour);
            for end in ends {
                canvas.disc(Layer::Lesson, end, view.px(5.0), colour);
                canvas.disc(Layer::Lesson, end, view.px(3.0), theme.ground.room);
            }
        }
        match record {
            Some(InstrumentRecord::Tracer(traced)) => {
                draw_trail(&mut canvas, &traced.trail, &view, theme.lesson.along);
                for mark in traced.marks.newest_first().take(MOST_LEGS) {
                    canvas.disc(Layer::Lesson, *mark, view.px(3.0), theme.lesson.along);
                }
            }
            Some(InstrumentRecord::CentreOfMass(motion)) => {
                draw_trail(&mut canvas, &motion.trail, &view, theme.lesson.after);
                let Some(now) = motion.now else { continue };
                let (at, tip) = (now.position, now.position + now.velocity * ARROW_SECONDS);
                let (at, tip) = (at.as_vec2(), tip.as_vec2());
                canvas.arrow(Layer::Lesson, at, tip, view.px(3.0), theme.lesson.after);
                canvas.ring(Layer::Lesson, at, view.px(6.0), view.px(2.0), theme.lesson.after);
                for arm in [Vec2::X, Vec2::Y] {
                    let arm = arm * view.px(6.0);
                    canvas.line(Layer::Lesson, at - arm, at + arm, view.px(1.5), theme.lesson.after);
                }
            }
            _ => {}
        }
    }
}

fn draw_trail(canvas: &mut Canvas, trail: &Trail, view: &View2d, colour: Srgba) {
    let mut last = trail.end;
    for point in trail.points.newest_first().take(MOST_LEGS) {
        if let (Some(from), Some(to)) = (last, *point) {
            canvas.line(Layer::Trail, from, to, view.px(1.5), colour);
        }
        last = *point;
    }
}

fn forget(mut displays: ResMut<Displays>) {
    displays.0.clear();
}

/// A reading as text, such as `12.3 m/s`.
pub(super) fn in_words(reading: &InstrumentReading) -> String {
    let InstrumentReading { value, error, unit, .. } = *reading;
    match (value, error) {
        (None, _) => "–".to_owned(),
        (Some(count), _) if unit.is_empty() => format!("{count:.0}"),
        (Some(value), Some(error)) => format!("{} ± {}", measured(value, unit), measured(error, unit)),
        (Some(value), None) => measured(value, unit),
    }
}

/// Writes the name of each instrument and its first readings.
fn write(
    mut contexts: EguiContexts,
    mut displays: ResMut<Displays>,
    (instruments, records): (Res<Instruments>, Res<InstrumentRecords>),
    (views, theme): (Views, Res<Theme>),
) {
    let view = views.main();
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    displays.0.clear();
    for (index, instrument) in instruments.iter().enumerate() {
        let Instrument { name, position, kind } = instrument;
        // The display of a photogate stands above its upper end.
        let at = match kind {
            InstrumentKind::Photogate(gate) => *position + if gate.half.y < 0.0 { -gate.half } else { gate.half },
            _ => *position,
        };
        let readings = records.readings(&instruments, index);
        let values: Vec<String> = readings.iter().take(SHOWN).map(in_words).collect();
        let painter = pen.painter();
        let title = painter.layout_no_wrap(name.clone(), pen.letters(12.0), ink(theme.text.soft));
        let text = painter.layout_no_wrap(values.join("  "), pen.letters(14.0), ink(theme.text.first));
        let size = egui::vec2(title.size().x.max(text.size().x), title.size().y + text.size().y);
        let part = Align2::CENTER_BOTTOM.anchor_size(pen.points.place(view.to_screen(at) - Vec2::new(0.0, 12.0)), size);
        pen.plate(part);
        let below = part.min + egui::vec2(0.0, title.size().y);
        painter.galley(part.min, title, ink(theme.text.soft));
        painter.galley(below, text, ink(theme.text.first));
        displays.0.push(pen.points.pixels(part));
    }
}

/// The readings with their names, in the language of the window.
pub(super) fn named(readings: &[InstrumentReading]) -> impl Iterator<Item = (String, String)> {
    readings.iter().map(|reading| {
        let name = reading.name;
        (tr!(name), in_words(reading))
    })
}
