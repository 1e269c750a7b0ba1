//! The vector laboratory. For both discs it shows the velocity before and its parts along and across the line of
//! centres. It also shows the new part along the line, the velocity after, and the result of a simple mirror
//! reflection.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{self, Color32, RichText, Ui},
};
use tr::tr;

use super::{
    DrawsLesson, WritesLesson,
    two_discs::{LEGEND_FOOT, Subjects, about_two, draw as draws, vector, write as writes},
};
use crate::{
    collision::response::ImpulseBreakdown,
    notice::mark,
    number::decimals,
    panel::widgets::reading,
    scene::{Lesson, in_lesson},
    view::{
        Canvas, DrawView, Layer, Theme, View2d,
        scene::arrows::arrow_seconds,
        theme::egui as ink,
        words::labels::{LEGEND_ROW, Pen},
    },
};

pub(super) fn plugin(app: &mut App) {
    let runs = in_lesson(Lesson::VECTOR_LAB.name);
    app.add_systems(DrawView, draws(draw).run_if(runs.clone()).in_set(DrawsLesson))
        .add_systems(EguiPrimaryContextPass, writes(write).run_if(runs).in_set(WritesLesson));
}

/// Shows the numbers.
pub(super) fn show(ui: &mut Ui, world: &mut World) {
    about_two(ui, world, |ui, world, subjects| show_breakdown(ui, world.resource::<Theme>(), subjects));
}

/// A disc's vectors, as arrow tips in world coordinates.
struct Vectors {
    centre: Vec2,
    before: Vec2,
    along: Vec2,
    across: Vec2,
    along_after: Vec2,
    after: Vec2,
    mirror: Vec2,
}

fn vectors(subjects: &Subjects) -> [Vectors; 2] {
    let Subjects { a, b, restitution } = subjects;
    let parts = ImpulseBreakdown::of(a, b, *restitution);
    let seconds = arrow_seconds(Lesson::VECTOR_LAB);
    let tip = |centre: Vec2, velocity: Vec2| centre + velocity * seconds;
    [
        Vectors {
            centre: a.position,
            before: tip(a.position, a.velocity),
            along: tip(a.position, parts.avx),
            across: tip(a.position, parts.avy),
            along_after: tip(a.position, parts.avx2),
            after: tip(a.position, parts.av2),
            mirror: tip(a.position, parts.a_mirror),
        },
        Vectors {
            centre: b.position,
            before: tip(b.position, b.velocity),
            along: tip(b.position, parts.bvx),
            across: tip(b.position, parts.bvy),
            along_after: tip(b.position, parts.bvx2),
            after: tip(b.position, parts.bv2),
            mirror: tip(b.position, parts.b_mirror),
        },
    ]
}

fn draw(canvas: &mut Canvas, view: &View2d, theme: &Theme, subjects: &Subjects) {
    let layer = Layer::Lesson;
    let (a, b) = (subjects.a, subjects.b);
    if let Some(along) = (b.position - a.position).try_normalize() {
        let (from, to) = (a.position - along * 1.35 * a.radius, b.position + along * 1.35 * b.radius);
        canvas.line(layer, from, to, view.px(1.25), theme.lesson.line);
    }
    let (thin, thick, dash) = (view.px(1.25), view.px(3.0), view.px(4.0));
    for v in vectors(subjects) {
        for (from, to) in [
            (v.along, v.before),
            (v.across, v.before),
            (v.along_after, v.after),
            (v.across, v.after),
            (v.after, v.mirror),
        ] {
            canvas.dashed(layer, &[from, to], thin, dash, theme.lesson.line);
        }
        let mut arrow = |to: Vec2, width: f32, colour: Srgba| {
            canvas.rimmed_arrow(layer, v.centre, to, width, view.px(1.25), colour, theme.marks.arrow_rim);
        };
        arrow(v.along, thick, theme.lesson.along);
        arrow(v.across, thick, theme.lesson.across);
        arrow(v.along_after, thick, theme.lesson.along_after);
        arrow(v.before, thick * 1.25, theme.lesson.before);
        arrow(v.after, thick * 1.25, theme.lesson.after);
        canvas.disc(layer, v.mirror, view.px(6.0), theme.ground.shadow);
        canvas.disc(layer, v.mirror, view.px(4.5), theme.lesson.mirror);
        canvas.disc(layer, v.centre, view.px(4.0), theme.balls.number);
        canvas.disc(layer, v.centre, view.px(2.5), theme.lesson.mirror);
        // The tip that can be dragged.
        canvas.ring(layer, v.before, view.px(9.0), view.px(1.5), theme.lesson.before.with_alpha(0.55));
    }
}

fn write(pen: &Pen, view: &View2d, _subjects: &Subjects) -> f32 {
    let entries = [
        (mark("velocity before"), pen.theme.lesson.before),
        (mark("along the line of centres"), pen.theme.lesson.along),
        (mark("across it (unchanged)"), pen.theme.lesson.across),
        (mark("along it, after"), pen.theme.lesson.along_after),
        (mark("velocity after"), pen.theme.lesson.after),
        (mark("plain mirror"), pen.theme.lesson.mirror),
    ];
    let legend = pen.legend(Vec2::new(view.area.center().x, view.area.max.y - LEGEND_FOOT), &entries);
    LEGEND_FOOT + legend + 0.8 * LEGEND_ROW
}

/// A row of the table: the name for a, the name for b, the description, the two values, and their colour.
type Line = (&'static str, &'static str, &'static str, String, String, Color32);

fn show_breakdown(ui: &mut Ui, theme: &Theme, subjects: &Subjects) {
    let Subjects { a, b, restitution } = subjects;
    let it = ImpulseBreakdown::of(a, b, *restitution);
    let plain = ui.visuals().text_color();
    let (before, along, across, along_after, after, mirror) = (
        ink(theme.lesson.before),
        ink(theme.lesson.along),
        ink(theme.lesson.across),
        ink(theme.lesson.along_after),
        ink(theme.lesson.after),
        ink(theme.lesson.mirror),
    );
    reading(ui, "e", &tr!("The coefficient of restitution of this pair"), format!("{restitution:.3}"));
    reading(ui, "ab", &tr!("From the centre of a to the centre of b, m"), vector(it.ab));
    reading(ui, "n", &tr!("Unit vector along ab"), vector(it.n));
    let touch = if it.gap < 0.0 { tr!("they touch") } else { tr!("apart") };
    reading(
        ui,
        &tr!("gap"),
        &tr!("|ab| − ar − br, m: the distance between the rims"),
        format!("{} m, {touch}", decimals(it.gap, 4)),
    );
    ui.add_space(2.0);
    let number = |v: f32| decimals(v, 4);
    let lines: [Line; 10] = [
        ("a", "b", mark("The position, m"), vector(a.position), vector(b.position), plain),
        (
            mark("a moved"),
            mark("b moved"),
            mark("Positions after the push, by the other disc's share of the mass, m"),
            vector(it.a_apart),
            vector(it.b_apart),
            plain,
        ),
        ("av", "bv", mark("The velocity before, m/s"), vector(a.velocity), vector(b.velocity), before),
        ("as", "bs", mark("The speed along n before, m/s: v · n"), number(it.a_s), number(it.b_s), along),
        ("avx", "bvx", mark("Component along n before, m/s: n as"), vector(it.avx), vector(it.bvx), along),
        ("avy", "bvy", mark("Component across n, unchanged, m/s: av − avx"), vector(it.avy), vector(it.bvy), across),
        (
            "as2",
            "bs2",
            mark("The speed along n after, m/s, from the masses and e"),
            number(it.as2),
            number(it.bs2),
            along_after,
        ),
        ("avx2", "bvx2", mark("Component along n after, m/s: n as2"), vector(it.avx2), vector(it.bvx2), along_after),
        ("av2", "bv2", mark("The velocity after, m/s: avy + n as2"), vector(it.av2), vector(it.bv2), after),
        (
            mark("mirror"),
            mark("mirror"),
            mark("Result of a plain mirror reflection, m/s. Wrong, because it ignores the masses."),
            vector(it.a_mirror),
            vector(it.b_mirror),
            mirror,
        ),
    ];
    // It is wider than a narrow panel.
    egui::ScrollArea::horizontal().show(ui, |ui| {
        egui::Grid::new("anatomy").num_columns(4).striped(true).spacing([8.0, 4.0]).show(ui, |ui| {
            for (name_a, name_b, help, value_a, value_b, colour) in lines {
                for (name, value) in [(name_a, value_a), (name_b, value_b)] {
                    ui.label(RichText::new(tr!(name)).color(colour).size(12.5)).on_hover_text(tr!(help));
                    ui.label(RichText::new(value).color(colour).monospace().size(11.0)).on_hover_text(tr!(help));
                }
                ui.end_row();
            }
        });
    });
    ui.weak(tr!("Lengths in m, velocities in m/s. Drag arrow tips and discs; the values update."));
}
