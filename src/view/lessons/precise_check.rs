//! The precise check: when two discs touch and when they part again, and where they are then.

use bevy::prelude::*;
use tr::tr;

use super::Subjects;
use crate::view::language::mark;
use crate::{
    collision::TimeOfImpact,
    scene::Lesson,
    view::{Canvas, Layer, Theme, Viewport, arrows::arrow_seconds, labels::Pen},
};

/// The moment at which this lesson shows the discs, in frames from now. The panel's slider sets it.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Moment(pub f32);

impl Moment {
    /// The moments that the lesson shows, frames.
    pub const RANGE: std::ops::RangeInclusive<f32> = -2.0..=4.0;

    /// The length of a frame, seconds: the time that the velocity arrows stand for.
    #[must_use]
    pub fn frame() -> f32 {
        arrow_seconds(Lesson::PRECISE_CHECK)
    }
}

/// What the table of the precise check says about a time of impact, in English.
#[must_use]
pub fn verdict(time_of_impact: TimeOfImpact) -> &'static str {
    match time_of_impact {
        TimeOfImpact::WithinFrame { .. } => mark("0 ≤ f0 ≤ 1: they hit within this frame"),
        TimeOfImpact::Approaching { .. } => mark("both positive: they approach"),
        TimeOfImpact::Overlapping { .. } => mark("opposite signs: they overlap now"),
        TimeOfImpact::Receding { .. } => mark("both negative: they recede"),
        TimeOfImpact::Never => mark("no solution: they never touch"),
    }
}

pub(super) fn draw(canvas: &mut Canvas, viewport: &Viewport, theme: &Theme, subjects: &Subjects, moment: Moment) {
    let layer = Layer::Lesson;
    let frame = Moment::frame();
    let time_of_impact = TimeOfImpact::of(&subjects.a, &subjects.b, frame);
    for disc in [&subjects.a, &subjects.b] {
        let at = |frames: f32| disc.position + disc.velocity * frame * frames;
        let (first, last) = (at(*Moment::RANGE.start()), at(*Moment::RANGE.end()));
        canvas.line(layer, first, last, viewport.px(1.25), theme.lesson_line);
        for frames in -2_i8..=4 {
            canvas.disc(layer, at(f32::from(frames)), viewport.px(2.5), theme.lesson_line);
        }
        for (time, colour) in
            time_of_impact.times().into_iter().flatten().zip([theme.lesson_after, theme.lesson_across])
        {
            if Moment::RANGE.contains(&(time as f32)) {
                canvas.ring(layer, at(time as f32), disc.radius, viewport.px(2.0), colour);
                canvas.disc(layer, at(time as f32), viewport.px(4.0), colour);
            }
        }
        let now = at(moment.0);
        canvas.disc(layer, now, disc.radius, theme.lesson_ghost.with_alpha(0.14));
        canvas.ring(layer, now, disc.radius, viewport.px(1.5), theme.lesson_ghost);
        let width = viewport.px(3.0);
        let (rim, colour) = (viewport.px(1.25), theme.lesson_before);
        canvas.rimmed_arrow(layer, disc.position, at(1.0), width, rim, colour, theme.arrow_rim);
    }
}

/// Where the first of its lines stands, logical pixels from the foot of the picture.
const FIRST_LINE: f32 = 128.0;

pub(super) fn write(pen: &Pen, viewport: &Viewport, subjects: &Subjects) {
    let time_of_impact = TimeOfImpact::of(&subjects.a, &subjects.b, Moment::frame());
    let times = time_of_impact
        .times()
        .map_or_else(|| tr!("f0 and f1 do not exist"), |[f0, f1]| format!("f0 = {f0:.3}     f1 = {f1:.3}"));
    let middle = viewport.area.center().x;
    let verdict = verdict(time_of_impact);
    let lines = [(times, pen.theme.text), (tr!(verdict), pen.theme.lesson_after)];
    for (row, (text, colour)) in lines.into_iter().enumerate() {
        pen.middle(Vec2::new(middle, viewport.area.max.y - FIRST_LINE + 24.0 * row as f32), 16.0, &text, colour);
    }
    let entries = [
        (mark("velocity, in one frame"), pen.theme.lesson_before),
        (mark("at contact, f0"), pen.theme.lesson_after),
        (mark("at separation, f1"), pen.theme.lesson_across),
        (mark("at the slider's time"), pen.theme.lesson_ghost),
    ];
    pen.legend(Vec2::new(middle, viewport.area.max.y - 57.0), &entries);
}
