//! The quick check compares the squared distance with the squared sum of the radii. If the discs overlap, it moves both
//! back by half of the overlap.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{RichText, Ui},
};
use tr::tr;

use super::{
    DrawsLesson, WritesLesson,
    two_discs::{Subjects, about_two, draw as draws, vector, write as writes},
};
use crate::{
    number::decimals,
    panel::widgets::reading,
    scene::{Lesson, in_lesson},
    view::{Canvas, DrawView, Layer, Theme, View2d, theme::egui as ink, words::labels::Pen},
};

pub(super) fn plugin(app: &mut App) {
    let runs = in_lesson(Lesson::QUICK_CHECK.name);
    app.add_systems(DrawView, draws(draw).run_if(runs.clone()).in_set(DrawsLesson))
        .add_systems(EguiPrimaryContextPass, writes(write).run_if(runs).in_set(WritesLesson));
}

/// Shows the numbers.
pub(super) fn show(ui: &mut Ui, world: &mut World) {
    about_two(ui, world, |ui, world, subjects| show_quick_check(ui, world.resource::<Theme>(), subjects));
}

/// The result of the quick check.
struct Check {
    /// From the centre of a to the centre of b, metres.
    ab: Vec2,
    /// The unit vector along `ab`.
    along: Vec2,
    /// The squared distance of the centres, m².
    squared: f32,
    /// The squared sum of the radii, m².
    limit: f32,
    /// The depth of the overlap, metres; negative if they are apart.
    overlap: f32,
    /// The points on a's rim toward b, and on b's rim toward a.
    rims: [Vec2; 2],
    /// The centres after both are pushed apart.
    pushed: [Vec2; 2],
}

impl Check {
    /// Whether the discs overlap.
    fn is_hit(&self) -> bool {
        self.squared < self.limit
    }
}

fn check(subjects: &Subjects) -> Check {
    let Subjects { a, b, .. } = subjects;
    let (ab, reach) = (b.position - a.position, a.radius + b.radius);
    let along = ab.try_normalize().unwrap_or(Vec2::X);
    let overlap = reach - ab.length();
    let half = along * (overlap.max(0.0) / 2.0);
    Check {
        ab,
        along,
        squared: ab.length_squared(),
        limit: reach * reach,
        overlap,
        rims: [a.position + along * a.radius, b.position - along * b.radius],
        pushed: [a.position - half, b.position + half],
    }
}

fn draw(canvas: &mut Canvas, view: &View2d, theme: &Theme, subjects: &Subjects) {
    let layer = Layer::Lesson;
    let Subjects { a, b, .. } = subjects;
    let found = check(subjects);
    canvas.line(layer, a.position, b.position, view.px(1.25), theme.lesson.line);
    for disc in [a, b] {
        canvas.disc(layer, disc.position, view.px(3.5), theme.lesson.mirror);
    }
    let across = found.along.perp() * view.px(7.0);
    let colour = if found.is_hit() { theme.lesson.across } else { theme.lesson.after };
    let [rim_a, rim_b] = found.rims;
    // First a dark, slightly wider outline, then the colour.
    for (rim_width, colour) in [(view.px(2.5), theme.marks.arrow_rim), (0.0, colour)] {
        canvas.line(layer, rim_a, rim_b, view.px(4.0) + rim_width, colour);
        for rim in found.rims {
            canvas.line(layer, rim - across, rim + across, view.px(2.0) + rim_width, colour);
        }
    }
    if found.is_hit() {
        for (disc, pushed) in [(a, found.pushed[0]), (b, found.pushed[1])] {
            canvas.ring(layer, pushed, disc.radius, view.px(2.0), theme.lesson.ghost);
            canvas.line(layer, disc.position, pushed, view.px(3.0), theme.lesson.after);
            canvas.disc(layer, pushed, view.px(4.5), theme.lesson.after);
            canvas.disc(layer, disc.position, view.px(3.5), theme.lesson.mirror);
        }
    }
}

/// The position of the first line of text, and the height for the lines and the hint, logical pixels from the bottom of
/// the view.
const FIRST_LINE: f32 = 92.0;
const ROOM: f32 = 112.0;

fn write(pen: &Pen, view: &View2d, subjects: &Subjects) -> f32 {
    let found = check(subjects);
    let Check { squared, limit, .. } = found;
    let verdict = if found.is_hit() {
        let [overlap, half] = [found.overlap, found.overlap / 2.0].map(|metres| decimals(metres, 3));
        tr!("they overlap by {} m; each moves back by {} m", overlap, half)
    } else {
        tr!("they are {} m apart", decimals(found.overlap.abs(), 3))
    };
    let sign = if found.is_hit() { "<" } else { "≥" };
    let lines = [
        (
            tr!("distance² = {} m²", format!("{squared:.3}")) + &format!("   {sign}   (ra + rb)² = {limit:.3} m²"),
            pen.theme.text.first,
        ),
        (verdict, if found.is_hit() { pen.theme.lesson.across } else { pen.theme.lesson.after }),
    ];
    for (at, (text, colour)) in lines.into_iter().enumerate() {
        let y = view.area.max.y - FIRST_LINE + 24.0 * at as f32;
        pen.line(Vec2::new(view.area.center().x, y), 16.0, &text, colour);
    }
    ROOM
}

fn show_quick_check(ui: &mut Ui, theme: &Theme, subjects: &Subjects) {
    let found = check(subjects);
    let Check { ab, squared, limit, overlap, .. } = found;
    let hit = found.is_hit();
    let colour = if hit { ink(theme.lesson.across) } else { ink(theme.lesson.after) };
    reading(ui, "ab", &tr!("From the centre of a to the centre of b, m"), vector(ab));
    reading(ui, "|ab|²", &tr!("Squared distance, m². Comparing needs no square root."), format!("{squared:.4} m²"));
    reading(ui, "(ar + br)²", &tr!("The squared sum of the radii, m²"), format!("{limit:.4} m²"));
    let verdict =
        if hit { tr!("|ab|² < (ar + br)²: they overlap") } else { tr!("|ab|² ≥ (ar + br)²: they do not touch") };
    ui.label(RichText::new(verdict).color(colour).strong());
    reading(ui, &tr!("overlap"), "ar + br − |ab|, m", format!("{:.4} m", overlap.max(0.0)));
    reading(
        ui,
        &tr!("half push"),
        &tr!("Distance each disc is moved back along the line of centres, m"),
        format!("{:.4} m", overlap.max(0.0) / 2.0),
    );
}
