//! The vector laboratory: for both discs the velocity before, its parts along and across the line of centres, the
//! new part along it, the velocity after, and what a plain mirror would have made of it.

use bevy::prelude::*;

use super::Subjects;
use crate::{
    collision::response::ImpulseBreakdown,
    notice::mark,
    scene::Lesson,
    view::{
        camera::view2d::View2d,
        canvas::{Canvas, Layer},
        scene::arrows::arrow_seconds,
        theme::Theme,
        words::labels::{LEGEND_ROW, Pen},
    },
};

/// One disc's vectors, as tips in the world.
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

pub(super) fn draw(canvas: &mut Canvas, view: &View2d, theme: &Theme, subjects: &Subjects) {
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
            canvas.dashed(layer, from, to, thin, dash, theme.lesson.line);
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

pub(super) fn write(pen: &Pen, view: &View2d, _subjects: &Subjects) -> f32 {
    let entries = [
        (mark("velocity before"), pen.theme.lesson.before),
        (mark("along the line of centres"), pen.theme.lesson.along),
        (mark("across it (stays)"), pen.theme.lesson.across),
        (mark("along it, after"), pen.theme.lesson.along_after),
        (mark("velocity after"), pen.theme.lesson.after),
        (mark("plain mirror"), pen.theme.lesson.mirror),
    ];
    let legend = pen.legend(Vec2::new(view.area.center().x, view.area.max.y - FOOT), &entries);
    // Two rows of it have room as it is.
    if legend > LEGEND_ROW { FOOT + legend + 0.8 * LEGEND_ROW } else { 0.0 }
}

/// How far above the foot of the area the lowest row of the legend is, logical pixels.
const FOOT: f32 = 57.0;
