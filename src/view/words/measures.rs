//! Measures: a grid on the floor, a scale bar, and captions for drawing by hand.

use bevy::{math::ops, prelude::*};
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2},
};

use super::labels::Pen;
use crate::{
    number::trimmed,
    scene::Surroundings,
    view::{
        camera::{current_view::CurrentView, view2d::View2d, views::Views},
        canvas::{Canvas, Layer},
        theme::{self, Theme},
    },
};

/// The visible measures.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Measures {
    /// Show a faint grid on the floor. Default: off.
    pub grid: bool,
    /// The spacing of the grid, metres. Default: `None`, one of 1, 2, 5, 10 … by the zoom.
    pub grid_width: Option<f32>,
    /// Whether a bar in the corner shows the scale; `None`, as in the program `carom`: in laboratories and not on
    /// tables. Default: `Some(false)`, never.
    pub scale_bar: Option<bool>,
}

impl Default for Measures {
    fn default() -> Self {
        Self { grid: false, grid_width: None, scale_bar: Some(false) }
    }
}

/// The smallest spacing of an automatic grid, logical pixels.
const LEAST_WIDTH: f32 = 24.0;

/// A grid with a smaller spacing than this is not drawn, logical pixels.
const CLOSEST: f32 = 4.0;

impl Measures {
    /// The spacing of the grid at this zoom, metres, whether it is shown or not.
    #[must_use]
    pub fn width(&self, view: &View2d) -> f32 {
        let asked = self.grid_width.filter(|width| *width > 0.0 && width.is_finite());
        asked.unwrap_or_else(|| one_two_five(view.px(LEAST_WIDTH)))
    }

    /// Whether the scale bar is shown in these surroundings.
    #[must_use]
    pub fn shows_scale_bar(&self, surroundings: Surroundings) -> bool {
        self.scale_bar.unwrap_or(surroundings == Surroundings::Laboratory)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50 … and their tenths that is at least `least`, or 1 if there is none.
#[must_use]
pub fn one_two_five(least: f32) -> f32 {
    if !(least > 1e-30 && least < 1e30) {
        return 1.0;
    }
    let decade = ops::log10(least).floor() as i32;
    // By division, so that a tenth is the closest number to 0.1.
    let power = |exponent: i32| {
        let ten = (0..exponent.abs()).fold(1.0_f64, |power, _| power * 10.0);
        if exponent < 0 { 1.0 / ten } else { ten }
    };
    let steps = [(1.0, decade), (2.0, decade), (5.0, decade), (1.0, decade + 1), (2.0, decade + 1)];
    let widths =
        steps.map(
            |(digit, exponent)| {
                if exponent < 0 { (digit / power(-exponent)) as f32 } else { (digit * power(exponent)) as f32 }
            },
        );
    widths.into_iter().find(|width| *width >= least * 0.9999).unwrap_or(1.0)
}

/// Text beside a point of the world, for the next frame only.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The point, metres.
    pub at: Vec2,
    /// The text, at the upper right of the point.
    pub text: String,
}

/// The captions for drawing by hand. A system that fills it clears it first.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Captions(pub Vec<Caption>);

/// Draws the grid.
pub(crate) fn draw_lines(
    mut canvas: ResMut<Canvas>,
    measures: Res<Measures>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
) {
    let width = measures.width(&view);
    if !measures.grid || width * view.pixels_per_metre < CLOSEST {
        return;
    }
    let seen = view.frame_in_world();
    let line = |at: f32| {
        let number = (at / width).round();
        let strength = if number == 0.0 {
            0.26
        } else if number % 5.0 == 0.0 {
            0.14
        } else {
            0.07
        };
        theme.text.first.with_alpha(strength)
    };
    let lines = |from: f32, to: f32| {
        let (first, last) = ((from / width).ceil(), (to / width).floor());
        // Far from the origin, adjacent lines may be equal in `f32`.
        let count = if (first + 1.0) > first { (last - first + 1.0).clamp(0.0, 4096.0) as usize } else { 0 };
        (0..count).map(move |k| (first + k as f32) * width)
    };
    for x in lines(seen.min.x, seen.max.x) {
        let ends = [seen.min.y, seen.max.y].map(|y| Vec2::new(x, y));
        canvas.line(Layer::Marks, ends[0], ends[1], view.px(1.0), line(x));
    }
    for y in lines(seen.min.y, seen.max.y) {
        let ends = [seen.min.x, seen.max.x].map(|x| Vec2::new(x, y));
        canvas.line(Layer::Marks, ends[0], ends[1], view.px(1.0), line(y));
    }
}

/// The smallest length of the scale bar, logical pixels.
const BAR: f32 = 70.0;

/// The height of the scale bar with its text, logical pixels.
const BAR_HEIGHT: f32 = 22.0;

/// The smallest width and height of a view with a scale bar, logical pixels.
const ROOM: f32 = 240.0;

/// Draws the scale bar and writes the captions.
pub(crate) fn write_measures(
    mut contexts: EguiContexts,
    (measures, captions): (Res<Measures>, Res<Captions>),
    (views, theme, surroundings): (Views, Res<Theme>, Res<Surroundings>),
) {
    let view = views.main();
    let shows_bar = measures.shows_scale_bar(*surroundings);
    if !shows_bar && captions.0.is_empty() {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    if shows_bar && view.area.size().min_element() >= ROOM {
        draw_bar(&pen, view);
    }
    for Caption { at, text } in &captions.0 {
        write_caption(&pen, view.to_screen(*at), text);
    }
}

/// The rectangle of the scale bar with its text, logical pixels.
pub(crate) fn scale_bar(view: &View2d) -> Rect {
    let long = one_two_five(view.px(BAR)) * view.pixels_per_metre;
    let from = Vec2::new(view.area.min.x + 22.0, view.area.max.y - 18.0);
    Rect::from_corners(from, from + Vec2::new(long, -BAR_HEIGHT))
}

fn draw_bar(pen: &Pen, view: &View2d) {
    let metres = one_two_five(view.px(BAR));
    let bar = scale_bar(view);
    let (from, long) = (Vec2::new(bar.min.x, bar.max.y), bar.width());
    let place = |x: f32, y: f32| pen.points.place(from + Vec2::new(x, y));
    let stroke = egui::Stroke::new(pen.points.length(1.5), theme::egui(pen.theme.text.soft));
    let painter = pen.painter();
    // Discs may lie below it.
    pen.plate(pen.points.part(bar));
    painter.line_segment([place(0.0, 0.0), place(long, 0.0)], stroke);
    for x in [0.0, long] {
        painter.line_segment([place(x, -5.0), place(x, 0.0)], stroke);
    }
    let text = metres_in_words(metres);
    painter.text(place(long / 2.0, -4.0), Align2::CENTER_BOTTOM, text, pen.letters(12.5), stroke.color);
}

/// A length in words, with four digits, in a suitable unit.
#[must_use]
pub(crate) fn metres_in_words(length: f32) -> String {
    // As large as it can be said: with four digits, 0.999 99 mm is 1 mm.
    let size = length.abs() * 1.000_05;
    let (value, unit) = match size {
        ..5e-7 => return "0 m".to_owned(),
        5e-7..1e-3 => (length * 1e6, "µm"),
        1e-3..1e-2 => (length * 1e3, "mm"),
        1e-2..1.0 => (length * 1e2, "cm"),
        1.0..1e3 => (length, "m"),
        _ => (length / 1e3, "km"),
    };
    let decimals = match value.abs() {
        ..10.0 => 3,
        10.0..100.0 => 2,
        100.0..1000.0 => 1,
        _ => 0,
    };
    format!("{} {unit}", trimmed(value, decimals))
}

fn write_caption(pen: &Pen, at: Vec2, text: &str) {
    let area = pen.points.pixels(pen.painter().clip_rect());
    let colour = theme::egui(pen.theme.text.first);
    let galley = pen.painter().layout_no_wrap(text.to_owned(), pen.letters(14.0), colour);
    let pad = pen.points.length(5.0);
    let size = galley.size();
    let least = pen.points.part(area).min;
    let most = pen.points.part(area).max;
    let corner = pen.points.place(at + Vec2::new(16.0, -14.0)) - egui::vec2(0.0, size.y);
    let corner = egui::pos2(
        corner.x.min(most.x - size.x - pad).max(least.x + pad),
        corner.y.min(most.y - size.y - pad).max(least.y + pad),
    );
    pen.plate(egui::Rect::from_min_size(corner, size));
    pen.painter().galley(corner, galley, colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_ones_twos_and_fives() {
        let all = [0.0009, 0.011, 0.1, 0.15, 0.3, 0.7, 1.0, 3.0, 60.0].map(one_two_five);
        assert_eq!(all, [0.001, 0.02, 0.1, 0.2, 0.5, 1.0, 1.0, 5.0, 100.0]);
        for nothing in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(one_two_five(nothing), 1.0);
        }
    }

    #[test]
    fn the_scale_is_said_in_whole_units() {
        let all = [0.0002, 0.005, 0.02, 0.1, 0.5, 20.0, 5000.0].map(metres_in_words);
        assert_eq!(all, ["200 µm", "5 mm", "2 cm", "10 cm", "50 cm", "20 m", "5 km"]);
    }

    #[test]
    fn lengths_are_said_in_the_unit_that_suits_them() {
        let all = [0.0, 0.0012, 0.028575, 0.5, 1.27, 12.345, 25000.0].map(metres_in_words);
        assert_eq!(all, ["0 m", "1.2 mm", "2.857 cm", "50 cm", "1.27 m", "12.35 m", "25 km"]);
        assert_eq!([-0.25, 0.000_999_99].map(metres_in_words), ["-25 cm", "1 mm"]);
    }

    #[test]
    fn laboratories_have_a_scale_bar_and_tables_none_unless_asked() {
        assert!(!Measures::default().shows_scale_bar(Surroundings::Laboratory), "a game has none");
        let mut measures = Measures { scale_bar: None, ..default() };
        assert!(measures.shows_scale_bar(Surroundings::Laboratory) && !measures.shows_scale_bar(Surroundings::Table));
        measures.scale_bar = Some(true);
        assert!(measures.shows_scale_bar(Surroundings::Table));
    }

    #[test]
    fn a_grid_by_the_zoom_is_neither_close_nor_far() {
        let mut view = View2d::default();
        for scale in [0.37, 8.0, 100.0, 4321.0] {
            view.pixels_per_metre = scale;
            let pixels = Measures::default().width(&view) * scale;
            assert!((23.9..=60.1).contains(&pixels), "{pixels} at {scale}");
        }
        let fixed = Measures { grid_width: Some(0.25), ..Measures::default() };
        assert_eq!(fixed.width(&view), 0.25);
    }
}
