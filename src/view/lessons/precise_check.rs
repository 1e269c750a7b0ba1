//! Seed 001's precise check: when two discs touch and when they part again, and where they are then.

use bevy::prelude::*;

use super::Subjects;
use crate::{
    collision::Meeting,
    scene::Lesson,
    view::{Canvas, Eye, Layer, Theme, arrows::arrow_seconds, labels::Pen},
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
        arrow_seconds(Lesson::PreciseCheck)
    }
}

/// What seed 001's table says about a meeting.
#[must_use]
pub fn verdict(meeting: Meeting) -> &'static str {
    match meeting {
        Meeting::WithinFrame { .. } => "0 ≤ f0 ≤ 1: they hit within this frame",
        Meeting::Approaching { .. } => "both positive: they approach",
        Meeting::Overlapping { .. } => "opposite signs: they overlap now",
        Meeting::Receding { .. } => "both negative: they recede",
        Meeting::Never => "no solution: they never touch",
    }
}

pub(super) fn draw(canvas: &mut Canvas, eye: &Eye, theme: &Theme, subjects: &Subjects, moment: Moment) {
    let layer = Layer::Lesson;
    let frame = Moment::frame();
    let meeting = Meeting::of(&subjects.a, &subjects.b, frame);
    for disc in [&subjects.a, &subjects.b] {
        let at = |frames: f32| disc.position + disc.velocity * frame * frames;
        let (first, last) = (at(*Moment::RANGE.start()), at(*Moment::RANGE.end()));
        canvas.line(layer, first, last, eye.px(1.25), theme.lesson_line);
        for frames in -2_i8..=4 {
            canvas.disc(layer, at(f32::from(frames)), eye.px(2.5), theme.lesson_line);
        }
        for (time, colour) in meeting.times().into_iter().flatten().zip([theme.lesson_after, theme.lesson_across]) {
            if Moment::RANGE.contains(&(time as f32)) {
                canvas.ring(layer, at(time as f32), disc.radius, eye.px(2.0), colour);
                canvas.disc(layer, at(time as f32), eye.px(4.0), colour);
            }
        }
        let now = at(moment.0);
        canvas.disc(layer, now, disc.radius, theme.lesson_ghost.with_alpha(0.14));
        canvas.ring(layer, now, disc.radius, eye.px(1.5), theme.lesson_ghost);
        let width = eye.px(3.0);
        let (rim, colour) = (eye.px(1.25), theme.lesson_before);
        canvas.rimmed_arrow(layer, disc.position, at(1.0), width, rim, colour, theme.arrow_rim);
    }
}

pub(super) fn write(pen: &Pen, eye: &Eye, subjects: &Subjects) {
    let meeting = Meeting::of(&subjects.a, &subjects.b, Moment::frame());
    let times = meeting
        .times()
        .map_or_else(|| "f0 and f1 do not exist".to_owned(), |[f0, f1]| format!("f0 = {f0:.3}     f1 = {f1:.3}"));
    let middle = eye.area.center().x;
    let lines = [(times, pen.theme.text), (verdict(meeting).to_owned(), pen.theme.lesson_after)];
    for (row, (text, colour)) in lines.into_iter().enumerate() {
        pen.middle(Vec2::new(middle, eye.area.max.y - 128.0 + 24.0 * row as f32), 16.0, &text, colour);
    }
    let entries = [
        ("velocity, in one frame", pen.theme.lesson_before),
        ("at contact, f0", pen.theme.lesson_after),
        ("at separation, f1", pen.theme.lesson_across),
        ("at the slider's time", pen.theme.lesson_ghost),
    ];
    pen.legend(Vec2::new(middle, eye.area.max.y - 57.0), &entries);
}
