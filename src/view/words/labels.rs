//! Text on and beside discs: ball numbers and labels, in sizes that follow the zoom.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, FontId, LayerId, Painter},
};
use tr::tr;

use crate::{
    components::{Disc, Inactive, Radius, StableId},
    interpolation::Drawn,
    scene::{CurrentScene, DiscLook, OwnLook, Surroundings},
    view::{
        ViewSettings,
        camera::{current_view::ShownTo, view2d::View2d, views::Views},
        scene::{
            discs::colour_of,
            fallen::{Fallen, is_seen},
        },
        theme::{self, Theme},
        words::points::Points,
    },
};

/// Writes into the free area, below all clickable widgets, and never takes the pointer. Positions and sizes are in
/// logical pixels.
pub(crate) struct Pen<'a> {
    painter: Painter,
    /// The size of egui's points.
    pub points: Points,
    /// The colours.
    pub theme: &'a Theme,
}

impl<'a> Pen<'a> {
    /// A pen for this frame, or `None` without a window.
    pub(crate) fn new(contexts: &mut EguiContexts, view: &View2d, theme: &'a Theme) -> Option<Self> {
        contexts.ctx_mut().ok().map(|ctx| Self::on(ctx, view, theme))
    }

    /// A pen for the current egui pass.
    pub(crate) fn on(ctx: &egui::Context, view: &View2d, theme: &'a Theme) -> Self {
        let points = Points::of(ctx);
        let painter = ctx.layer_painter(LayerId::background()).with_clip_rect(points.part(view.area));
        Self { painter, points, theme }
    }

    /// The same, above every window.
    pub(crate) fn above(mut self) -> Self {
        self.painter.set_layer_id(LayerId::new(egui::Order::Tooltip, egui::Id::new("above every window")));
        self
    }

    /// A font of this size.
    pub(crate) fn letters(&self, size: f32) -> FontId {
        FontId::proportional(self.points.length(size))
    }

    pub(crate) fn painter(&self) -> &Painter {
        &self.painter
    }

    /// The background of text over discs, in the colour of the room: this part of the window (points) and a margin.
    pub(crate) fn plate(&self, part: egui::Rect) {
        let margin = self.points.length(5.0);
        let colour = theme::egui(self.theme.ground.room.with_alpha(0.85));
        self.painter.rect_filled(part.expand(margin), margin, colour);
    }

    /// Text centred at this point of the window.
    pub(crate) fn middle(&self, at: Vec2, size: f32, text: &str, colour: Srgba) {
        let at = self.points.place(at);
        self.painter.text(at, Align2::CENTER_CENTER, text, self.letters(size), theme::egui(colour));
    }

    /// Text on a plate beside a point of the window, this many logical pixels away: above it and to the right, or else
    /// at another corner where it covers nothing that is `taken`. Its own part becomes taken.
    pub(crate) fn beside(
        &self,
        (at, away): (Vec2, f32),
        (text, size, colour): (&str, f32, Srgba),
        taken: &mut Vec<egui::Rect>,
    ) {
        let galley = self.painter.layout_no_wrap(text.to_owned(), self.letters(size), theme::egui(colour));
        let corners = [
            (Align2::LEFT_BOTTOM, Vec2::new(1.0, -1.0)),
            (Align2::RIGHT_BOTTOM, Vec2::new(-1.0, -1.0)),
            (Align2::LEFT_TOP, Vec2::new(1.0, 1.0)),
            (Align2::RIGHT_TOP, Vec2::new(-1.0, 1.0)),
        ];
        let parts = corners.map(|(corner, to)| corner.anchor_size(self.points.place(at + to * away), galley.size()));
        let area = self.painter.clip_rect();
        let is_free =
            |part: &egui::Rect| area.contains_rect(*part) && taken.iter().all(|other| !other.intersects(*part));
        let part = parts.into_iter().find(is_free).unwrap_or(parts[0]);
        taken.push(part);
        self.plate(part);
        self.painter.galley(part.min, galley, theme::egui(colour));
    }

    /// The part of the window that a disc covers, points.
    pub(crate) fn part_of_disc(&self, centre: Vec2, radius: f32) -> egui::Rect {
        self.points.part(Rect::from_center_half_size(centre, Vec2::splat(radius)))
    }

    /// A line of text centred at this point of the window, in a smaller font if the free area is too narrow.
    pub(crate) fn line(&self, at: Vec2, size: f32, text: &str, colour: Srgba) {
        let colour = theme::egui(colour);
        let room = self.painter.clip_rect().width() - self.points.length(16.0);
        let width = self.painter.layout_no_wrap(text.to_owned(), self.letters(size), colour).size().x;
        let share = (room / width).clamp(0.5, 1.0);
        let letters = self.letters((size * share * 2.0).floor() / 2.0);
        self.painter.text(self.points.place(at), Align2::CENTER_CENTER, text, letters, colour);
    }

    /// Names, each after a short bar in its colour, in as many rows as the free area needs. The lowest row is centred
    /// at this point of the window. Returns the height of the topmost row above it, logical pixels.
    pub(crate) fn legend(&self, at: Vec2, entries: &[(&str, Srgba)]) -> f32 {
        let [bar, gap, apart, lift] = [14.0, 7.0, 20.0, LEGEND_ROW].map(|pixels| self.points.length(pixels));
        let thick = self.points.length(4.0);
        let at = self.points.place(at);
        let soft = theme::egui(self.theme.text.soft);
        let words: Vec<_> = entries
            .iter()
            .map(|&(name, colour)| (self.painter.layout_no_wrap(tr!(name), self.letters(13.0), soft), colour))
            .collect();
        let width = |row: &[(std::sync::Arc<egui::Galley>, Srgba)]| {
            row.iter().map(|(word, _)| bar + gap + word.size().x + apart).sum::<f32>() - apart
        };
        let room = self.painter.clip_rect().width() - apart;
        let rows = rows(&words, |row| width(row) <= room);
        for (above, row) in rows.iter().rev().enumerate() {
            let lift = lift * above as f32;
            let mut x = at.x - width(row) / 2.0;
            let y = at.y - lift;
            for (word, colour) in *row {
                let line = egui::Rect::from_min_size(egui::pos2(x, y - thick / 2.0), egui::vec2(bar, thick));
                self.painter.rect_filled(line, thick / 2.0, theme::egui(*colour));
                let size = word.size();
                self.painter.galley(egui::pos2(x + bar + gap, y - size.y / 2.0), word.clone(), soft);
                x += bar + gap + size.x + apart;
            }
        }
        LEGEND_ROW * (rows.len() as f32 - 1.0).max(0.0)
    }
}

/// The distance between rows of a legend, logical pixels.
pub(crate) const LEGEND_ROW: f32 = 19.0;

/// Splits the words of a line into as few rows as possible, of similar lengths.
fn rows<T>(words: &[T], fits: impl Fn(&[T]) -> bool) -> Vec<&[T]> {
    for count in 1..words.len() {
        let rows: Vec<&[T]> = words.chunks(words.len().div_ceil(count)).collect();
        if rows.iter().all(|row| fits(row)) {
            return rows;
        }
    }
    words.chunks(1).collect()
}

/// Limits the number of font sizes, since every size of every letter is rendered once and kept.
fn quantised(size: f32) -> f32 {
    let step = match size {
        ..20.0 => 1.0,
        20.0..48.0 => 4.0,
        _ => 16.0,
    };
    ((size / step).floor() * step).min(160.0)
}

/// The smallest readable font size, logical pixels.
const SMALLEST: f32 = 5.0;

/// With more discs than this in the window, none is labelled.
const MAX: usize = 400;

/// The components of a disc for its labels.
type Labelled =
    (&'static Drawn, &'static Radius, &'static StableId, &'static DiscLook, Option<&'static Fallen>, ShownTo);

pub(crate) fn write_labels(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    (scene, surroundings): (Option<Res<CurrentScene>>, Res<Surroundings>),
    discs: Query<Labelled, (With<Disc>, Without<OwnLook>, Without<Inactive>)>,
) {
    let (view, layers) = (views.main(), views.layers(None));
    if !settings.labels {
        return;
    }
    let lesson = scene.map(|scene| scene.file.lesson).unwrap_or_default();
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let mut written = 0;
    for (drawn, radius, id, look, fallen, shown) in &discs {
        if !is_seen(fallen) || !shown.to(layers) {
            continue;
        }
        let at = view.to_screen(drawn.shown);
        let pixels = radius.0 * view.pixels_per_metre;
        if !at.is_finite() || !view.area.inflate(pixels).contains(at) || written == MAX {
            continue;
        }
        // On a table, the numbers are painted on the balls.
        let plain = *surroundings == Surroundings::Laboratory;
        if let Some(number) = look.number.filter(|number| plain && *number > 0) {
            let size = quantised(pixels * 0.66);
            if size >= SMALLEST {
                let colour = readable_on(colour_of(*id, Some(look), &theme), &theme);
                pen.middle(at, size, &number.to_string(), colour);
                written += 1;
            }
        }
        if let Some(label) = look.label.as_deref().filter(|label| !label.is_empty()) {
            // A label on a large disc stays clear of the neighbours, one beside a small disc stays clear of the disc.
            let (out, colour) = if pixels > 36.0 {
                (
                    Vec2::new(0.0, 0.55 * pixels),
                    readable_on(crate::view::scene::discs::shown_colour(*id, Some(look), lesson, &theme), &theme),
                )
            } else {
                (Vec2::new(0.707, -0.707) * (pixels + 9.0), theme.text.label)
            };
            let size = quantised((pixels * 0.5).clamp(12.0, 19.0));
            pen.middle(at + out, size, label, colour);
            written += 1;
        }
    }
}

/// Dark text on light discs, light text on dark ones.
fn readable_on(colour: Srgba, theme: &Theme) -> Srgba {
    if Color::from(colour).luminance() > 0.3 { theme.balls.number } else { theme.text.label_on_dark }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position and the height of a word written at a point of the window, both in logical pixels.
    fn written(zoom: f32, at: Vec2) -> (Vec2, f32) {
        let (view, theme) = (View2d::default(), Theme::default());
        let ctx = egui::Context::default();
        ctx.set_zoom_factor(zoom);
        let mut found = None;
        for _ in 0..2 {
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                Pen::on(ui.ctx(), &view, &theme).middle(at, 20.0, "word", theme.text.first);
            });
            output.textures_delta.clear();
            found = output.shapes.into_iter().find_map(|clipped| match clipped.shape {
                egui::Shape::Text(text) => Some(text.visual_bounding_rect()),
                _ => None,
            });
        }
        let found = found.expect("it is written") * zoom;
        (Vec2::new(found.center().x, found.center().y), found.height())
    }

    #[test]
    fn words_stay_where_they_are_and_as_large_however_egui_is_zoomed() {
        let at = Vec2::new(301.0, 250.0);
        let (place, height) = written(1.0, at);
        assert!(place.distance(at) < 4.0, "{place}");
        for zoom in [0.75, 1.5, 2.0] {
            let (now, now_high) = written(zoom, at);
            // Letters are aligned to whole pixels of the screen.
            assert!(now.distance(place) < 2.0, "at {zoom}: {now} instead of {place}");
            assert!((now_high - height).abs() < 2.0, "at {zoom}: {now_high} instead of {height}");
        }
    }

    #[test]
    fn a_legend_has_as_many_rows_as_it_needs() {
        let words = [5, 9, 4, 4, 5, 6];
        let within =
            |room: i32| rows(&words, |row| row.iter().sum::<i32>() <= room).iter().map(|row| row.len()).collect();
        let of: [Vec<usize>; 4] = [40, 20, 16, 3].map(within);
        assert_eq!(of, [vec![6], vec![3, 3], vec![2, 2, 2], vec![1; 6]]);
    }

    #[test]
    fn a_line_is_no_wider_than_the_free_area() {
        let mut view = View2d::default();
        let theme = Theme::default();
        for width in [1280.0, 320.0, 240.0] {
            view.set_frame(Rect::new(0.0, 0.0, width, 400.0));
            let ctx = egui::Context::default();
            for _ in 0..2 {
                let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                    let text = "distance² = 5.760 m²   <   (ra + rb)² = 6.250 m²";
                    Pen::on(ui.ctx(), &view, &theme).line(vec2(width / 2.0, 200.0), 16.0, text, theme.text.first);
                });
                output.textures_delta.clear();
                for clipped in &output.shapes {
                    let place = clipped.shape.visual_bounding_rect();
                    assert!(place.min.x >= 0.0 && place.max.x <= width, "{place:?} in {width}");
                }
            }
        }
    }

    #[test]
    fn there_are_few_sizes() {
        let mut sizes: Vec<u32> = (60..4000).map(|tenth| quantised(tenth as f32 / 10.0) as u32).collect();
        sizes.dedup();
        assert!(sizes.len() < 32, "{} sizes", sizes.len());
    }
}
