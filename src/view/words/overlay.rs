//! The title and description of the scene, a fading hint, the badge of a paused simulation, and notices.

use std::sync::Arc;

use bevy::{input::mouse::MouseWheel, prelude::*};
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, FontId, text::LayoutJob},
};
use tr::tr;

use super::{labels::Pen, language, measures::scale_bar};
use crate::{
    components::Disc,
    notice::Notices,
    scene::{CueBall, CurrentScene, SceneStarted},
    timeline::{Playback, RealPace},
    view::{
        Surroundings, ViewSettings,
        camera::{insets::Insets, view2d::View2d, views::Views},
        scene::colours::{ColourBy, STATES, state_colour},
        theme::{self, Theme},
        words::{headline::Headline, measures::Measures},
    },
};

/// The distance from the sides of the view to the text, logical pixels.
const MARGIN: f32 = 28.0;
/// The longest line of text, logical pixels.
const WIDEST: f32 = 720.0;
/// The size of the title, points.
const TITLE_LETTERS: f32 = 25.0;
/// The time that the hint stays without input, seconds.
const HINT_SECONDS: f32 = 9.0;
/// The time that the hint takes to fade, seconds.
const FADE_SECONDS: f32 = 1.2;
/// The time that a notice stays, seconds. An error stays twice as long.
const NOTICE_SECONDS: f32 = 5.0;
/// The most notices shown at once.
const NOTICES: usize = 2;

/// The keys in the hint at the bottom of the view, each with its effect, such as `Space` and `pause`. Touch input shows
/// its gestures instead. The code that binds keys writes it. Default: empty.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyHint(pub Vec<(String, &'static str)>);

/// Whether a page covers the view, such as the start page. The playback state is then not shown beside it. The owner of
/// the page sets it, as the view knows no pages. Default: no.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered(pub bool);

/// Whether a page covers the view: a condition for systems.
pub(crate) fn is_covered(covered: Option<Res<Covered>>) -> bool {
    covered.is_some_and(|covered| covered.0)
}

/// When the hint was first shown, and when it stopped being needed, real seconds since the start.
#[derive(Resource, Debug, Default)]
pub(crate) struct Hint {
    since: Option<f32>,
    until: f32,
}

impl Hint {
    fn opacity(&self, now: f32) -> f32 {
        let Some(since) = self.since else { return 0.0 };
        let shown = ((now - since) / 0.6).clamp(0.0, 1.0);
        shown * (1.0 - (now - self.until) / FADE_SECONDS).clamp(0.0, 1.0)
    }
}

/// Shows the hint in every new scene, and hides it soon after any input.
pub(crate) fn follow_hint(
    mut hint: ResMut<Hint>,
    time: Res<Time<Real>>,
    mut started: MessageReader<SceneStarted>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    (mut wheel, fingers): (MessageReader<MouseWheel>, Option<Res<Touches>>),
) {
    let now = time.elapsed_secs();
    let scrolled = wheel.read().count() > 0;
    let acted = scrolled
        || keys.is_some_and(|keys| keys.get_just_pressed().len() > 0)
        || buttons.is_some_and(|buttons| buttons.get_just_pressed().len() > 0)
        || fingers.is_some_and(|fingers| fingers.any_just_pressed());
    if started.read().filter(|started| !started.restart).count() > 0 {
        *hint = Hint { since: Some(now), until: now + HINT_SECONDS };
    } else if acted {
        hint.until = hint.until.min(now + 0.4);
    }
}

/// Writes the scene's name and description, or the headline of a game without a scene, at the top left. The view stays
/// clear of them.
pub(crate) fn write_title(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    (scene, headline, mut insets): (Option<Res<CurrentScene>>, Res<Headline>, ResMut<Insets>),
) {
    let view = views.main();
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let of_scene = |scene: Res<CurrentScene>| {
        let (name, about) = (&scene.file.title[..], &scene.file.description[..]);
        Some((tr!(name), tr!(about)))
    };
    let words =
        scene.map_or_else(|| headline.top(), of_scene).filter(|_| settings.overlay && insets.own_words.is_none());
    let height = words.map_or(0.0, |(name, about)| title(&pen, view.area, &name, &about));
    insets.set_words("title", [height, 0.0]);
}

/// Writes the title, and as much of the description as fits into a third of the area. Returns the height taken at the
/// top of the area, logical pixels.
fn title(pen: &Pen, area: Rect, title: &str, description: &str) -> f32 {
    const TOP: f32 = 18.0;
    const BETWEEN: f32 = 3.0;
    const BELOW: f32 = 12.0;
    // If there is less room than this beside the pause badge, the title moves this far below it.
    const LEAST_BESIDE: f32 = 140.0;
    const BELOW_PAUSED: f32 = 26.0;
    let size = area.size();
    let room = (size.x - 2.0 * MARGIN).min(WIDEST);
    if room < 120.0 || size.y < 260.0 {
        return 0.0;
    }
    let painter = pen.painter();
    // Reserves room for the badge even when it is hidden. Otherwise every pause would wrap the title differently and
    // move the table.
    let beside = (size.x - 2.0 * MARGIN - paused_width(pen)).min(room);
    let (top, beside) = if beside < LEAST_BESIDE { (TOP + BELOW_PAUSED, room) } else { (TOP, beside) };
    let [room, beside] = [room, beside].map(|pixels| pen.points.length(pixels));
    let at = pen.points.place(area.min + Vec2::new(MARGIN, top));
    let [first, second] = [pen.theme.text.first, pen.theme.text.soft].map(theme::egui);
    let title =
        painter.layout_job(at_most(2, LayoutJob::simple(title.to_owned(), pen.letters(TITLE_LETTERS), first, beside)));
    let mut end = title.size().y;
    painter.galley(at, title, first);
    if !description.is_empty() {
        let letters = pen.letters(13.5);
        let line = painter.layout_no_wrap("x".to_owned(), letters.clone(), second).size().y;
        let free = pen.points.length(size.y / 3.0 - top - BETWEEN - BELOW) - end;
        let rows = (free / line).max(1.0) as usize;
        let job = LayoutJob::simple(description.to_owned(), letters, second, room);
        let text = painter.layout_job(at_most(rows, job));
        let below = end + pen.points.length(BETWEEN);
        end = below + text.size().y;
        painter.galley(at + egui::vec2(pen.points.length(0.5), below), text, second);
    }
    top + BELOW + end / pen.points.length(1.0)
}

/// Text cut off with `…` after this many lines.
fn at_most(rows: usize, mut job: LayoutJob) -> LayoutJob {
    job.wrap.max_rows = rows;
    job
}

/// The legend of ball states, if the colours show them, below the hints.
pub(crate) fn write_states(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
) {
    let view = views.main();
    if settings.colour_by != ColourBy::State {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let at = Vec2::new(view.area.center().x, view.area.max.y - 12.0);
    pen.legend(at, &STATES.map(|(state, name)| (name, state_colour(state, &theme))));
}

/// Writes the hint at the bottom of the view.
pub(crate) fn write_hint(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    (hint, keys, insets): (Res<Hint>, Res<KeyHint>, Res<Insets>),
    (measures, surroundings): (Res<Measures>, Res<Surroundings>),
    (time, playback): (Res<Time<Real>>, Res<Playback>),
    scene: Option<Res<CurrentScene>>,
    cue: Query<(), (With<CueBall>, With<Disc>)>,
) {
    let view = views.main();
    let opacity = hint.opacity(time.elapsed_secs());
    if !settings.overlay || opacity <= 0.0 || insets.own_words.is_some() || playback.paused && is_small(view) {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    // A game defines its own keys.
    let Some(scene) = scene else { return };
    let first = if scene.file.lesson.has_tips {
        tr!("Drag the grey arrow tips")
    } else if cue.is_empty() {
        tr!("Press a disc, pull back, release")
    } else {
        tr!("Press the cue ball, pull back, release")
    };
    let keys = keys.0.iter().map(|(key, does)| format!("{}  {}", tr!(key), tr!(does)));
    let text = std::iter::once(first).chain(keys).collect::<Vec<_>>().join("   ·   ");
    let colour = theme.text.first.with_alpha(opacity);
    let bar = measures.shows_scale_bar(*surroundings).then(|| scale_bar(view));
    let pill = Pill::new(&pen, &text, (Align2::CENTER_BOTTOM, foot_of_hint(&pen, view, bar, &text)));
    pill.paint(&pen, colour, opacity);
}

/// Whether the free area is so low or so narrow that only one text fits at its bottom.
#[must_use]
pub(crate) fn is_small(view: &View2d) -> bool {
    view.area.height() < 440.0 || view.area.width() < 700.0
}

/// The lower end of the hint: near the bottom of the area, or above the scale bar if they would overlap. Logical
/// pixels.
fn foot_of_hint(pen: &Pen, view: &View2d, bar: Option<Rect>, text: &str) -> Vec2 {
    let foot = Vec2::new(view.area.center().x, view.area.max.y - 14.0);
    let place = pen.points.pixels(Pill::new(pen, text, (Align2::CENTER_BOTTOM, foot)).place);
    let above = bar.filter(|bar| !bar.intersect(place).is_empty()).map(|bar| bar.min.y - 6.0);
    above.map_or(foot, |above| foot.with_y(above))
}

fn paused_words(pen: &Pen, colour: egui::Color32) -> Arc<egui::Galley> {
    pen.painter().layout_no_wrap(tr!("Paused"), pen.letters(15.0), colour)
}

/// The width of the pause badge with its two bars and some space beside them, logical pixels.
fn paused_width(pen: &Pen) -> f32 {
    const BESIDE: f32 = 34.0;
    BESIDE + paused_words(pen, egui::Color32::PLACEHOLDER).size().x / pen.points.length(1.0)
}

/// The right end of the badges at the top right, logical pixels: below a game's text there.
fn corner(view: &View2d, own: Option<[f32; 2]>) -> Vec2 {
    Vec2::new(view.area.max.x - MARGIN, view.area.min.y + own.map_or(34.0, |[top, _]| top + 14.0))
}

/// Shows at the top right that the simulation is paused.
pub(crate) fn write_paused(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    (insets, covered): (Res<Insets>, Res<Covered>),
    playback: Res<Playback>,
) {
    let view = views.main();
    if !playback.paused || !settings.overlay || covered.0 {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let at = pen.points.place(corner(view, insets.own_words));
    let painter = pen.painter();
    let accent = theme::egui(theme.text.accent);
    let words = paused_words(&pen, accent);
    let left = at.x - words.size().x;
    painter.galley(egui::pos2(left, at.y - words.size().y / 2.0), words, accent);
    let [width, height] = [3.5, 12.0].map(|pixels| pen.points.length(pixels));
    for bar in [18.0, 11.0] {
        let middle = egui::pos2(left - pen.points.length(bar), at.y);
        painter.rect_filled(egui::Rect::from_center_size(middle, egui::vec2(width, height)), 1.0, accent);
    }
}

/// Shows at the top right that the simulation runs slower than requested.
pub(crate) fn write_pace(
    mut contexts: EguiContexts,
    (views, settings, theme): (Views, Res<ViewSettings>, Res<Theme>),
    (insets, covered): (Res<Insets>, Res<Covered>),
    (playback, pace, scene): (Res<Playback>, Option<Res<RealPace>>, Option<Res<CurrentScene>>),
) {
    let view = views.main();
    let Some(pace) = pace.and_then(|pace| pace.behind()) else { return };
    if playback.paused || !settings.overlay || covered.0 {
        return;
    }
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let at = pen.points.place(corner(view, insets.own_words));
    let title = scene.filter(|_| insets.own_words.is_none()).map_or_else(String::new, |scene| {
        let name = &scene.file.title[..];
        tr!(name)
    });
    let words = if insets.own_words.is_some() && is_small(view) {
        pace_number(&pen, pace as f32)
    } else {
        pace_words(&pen, view.area, (pace as f32, &title))
    };
    let place = Align2::RIGHT_CENTER.anchor_size(at, words.size());
    // Below a game's text is the table.
    if insets.own_words.is_some() {
        pen.painter().rect_filled(place.expand2(egui::vec2(9.0, 4.0)), 8.0, theme::egui(theme.text.notice));
    }
    pen.painter().galley(place.min, words, theme::egui(theme.text.accent));
}

/// The pace as a number only.
fn pace_number(pen: &Pen, pace: f32) -> Arc<egui::Galley> {
    pen.painter().layout_no_wrap(format!("{pace:.2} ×"), pen.letters(15.0), theme::egui(pen.theme.text.accent))
}

/// The pace with its reason, as a sentence, or as a number: the longest that fits beside the title.
fn pace_words(pen: &Pen, area: Rect, (pace, title): (f32, &str)) -> Arc<egui::Galley> {
    const BETWEEN: f32 = 20.0;
    let colour = theme::egui(pen.theme.text.accent);
    let lay_out = |words: String, size: f32| pen.painter().layout_no_wrap(words, pen.letters(size), colour);
    let room = area.width() - 2.0 * MARGIN;
    let beside = pen.points.length((room - paused_width(pen)).min(WIDEST));
    let title = lay_out(title.to_owned(), TITLE_LETTERS).size().x.min(beside);
    let number = format!("{pace:.2}");
    let left = pen.points.length(room - BETWEEN) - title;
    [tr!("runs at {} ×: this machine cannot keep up", &number), tr!("runs at {} ×", &number)]
        .map(|words| lay_out(words, 15.0))
        .into_iter()
        .find(|words| words.size().x <= left)
        .unwrap_or_else(|| pace_number(pen, pace))
}

/// The latest notices at the top middle above all windows, newest last, with two lines each. Hovering shows a whole
/// notice, and the panel shows all of them.
pub(crate) fn write_notices(
    mut contexts: EguiContexts,
    (views, theme): (Views, Res<Theme>),
    (insets, notices): (Res<Insets>, Option<Res<Notices>>),
) {
    let view = views.main();
    let Some(notices) = notices else { return };
    let Some(pen) = Pen::new(&mut contexts, view, &theme).map(Pen::above) else { return };
    let mut shown: Vec<_> = notices
        .iter()
        .rev()
        .take(NOTICES)
        .filter_map(|notice| {
            let stays = NOTICE_SECONDS * if notice.is_error { 2.0 } else { 1.0 };
            let left = stays - notice.at.elapsed().as_secs_f32();
            (left > 0.0).then(|| (notice, (left / FADE_SECONDS).min(1.0)))
        })
        .collect();
    shown.reverse();
    let mut top = Vec2::new(view.area.center().x, view.area.min.y + insets.words()[0].max(90.0));
    for (notice, opacity) in shown {
        let colour = if notice.is_error { theme.text.error } else { theme.text.first };
        let pill = Pill::new(&pen, &language::notice(notice), (Align2::CENTER_TOP, top));
        top.y = pill.paint(&pen, colour.with_alpha(opacity), opacity) + 6.0;
    }
}

/// The number of lines of a pill's text.
const PILL_LINES: usize = 2;

/// The font size of a pill, points. It scales with the panel's.
const PILL_LETTERS: f32 = 13.5;

/// The margin around the text, points.
const PILL_MARGIN: egui::Vec2 = egui::vec2(16.0, 7.0);

/// Text on a rounded background: in two lines with `…`, or in full while hovered.
struct Pill {
    words: Arc<egui::Galley>,
    /// Points.
    place: egui::Rect,
}

impl Pill {
    /// The given corner or side is at a point of the window, logical pixels.
    fn new(pen: &Pen, text: &str, (corner, at): (Align2, Vec2)) -> Self {
        let painter = pen.painter();
        let room = (painter.clip_rect().width() - 60.0).clamp(40.0, WIDEST);
        let lay_out = |rows| {
            let font = FontId::proportional(PILL_LETTERS);
            let job = LayoutJob::simple(text.to_owned(), font, egui::Color32::PLACEHOLDER, room);
            let words = painter.layout_job(at_most(rows, job));
            let size = words.size() + 2.0 * PILL_MARGIN;
            Self { words, place: corner.anchor_size(pen.points.place(at), size) }
        };
        let pill = lay_out(PILL_LINES);
        let pointer = painter.ctx().pointer_hover_pos();
        let is_pointed_at = pointer.is_some_and(|at| pill.place.contains(at));
        if pill.words.elided && is_pointed_at { lay_out(usize::MAX) } else { pill }
    }

    /// Paints it, and returns its lower end, logical pixels from the top of the window.
    fn paint(self, pen: &Pen, colour: Srgba, opacity: f32) -> f32 {
        let (painter, place) = (pen.painter(), self.place);
        let ground = pen.theme.text.notice.with_alpha(pen.theme.text.notice.alpha * opacity);
        painter.rect_filled(place, (0.5 * place.height()).min(16.0), theme::egui(ground));
        painter.galley(place.min + PILL_MARGIN, self.words, theme::egui(colour));
        pen.points.pixels(place).max.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height of a pen's text, logical pixels, and its number of lines.
    fn written(area: Rect, zoom: f32, write: impl Fn(&Pen) -> f32) -> (f32, usize) {
        let (mut view, theme) = (View2d::default(), Theme::default());
        view.set_frame(area);
        let ctx = egui::Context::default();
        ctx.set_zoom_factor(zoom);
        let mut found = (0.0, 0);
        for _ in 0..2 {
            let mut height = 0.0;
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                height = write(&Pen::on(ui.ctx(), &view, &theme));
            });
            output.textures_delta.clear();
            let rows = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => Some(text.galley.rows.len()),
                _ => None,
            });
            found = (height, rows.sum());
        }
        found
    }

    const LONG: &str =
        "This is a sentence of the kind that descriptions and notices have, with a reason and a remedy in it. ";

    #[test]
    fn a_long_notice_takes_two_lines_and_no_more() {
        let area = Rect::new(0.0, 0.0, 440.0, 600.0);
        let (below, rows) = written(area, 1.0, |pen| {
            let at = (Align2::CENTER_TOP, Vec2::new(220.0, 90.0));
            Pill::new(pen, &LONG.repeat(9), at).paint(pen, Srgba::WHITE, 1.0)
        });
        assert_eq!(rows, 2);
        assert!(below < 160.0, "{below}");
    }

    #[test]
    fn the_hint_ends_within_the_picture_and_above_the_scale_bar() {
        const HINT: &str = "Press a disc, pull back, release   ·   Space  pause   ·   R  restart   ·   H  help";
        for (width, zoom) in [(1280.0, 1.0), (412.0, 1.0), (412.0, 1.25), (412.0, 2.0)] {
            let area = Rect::new(0.0, 0.0, width, 860.0);
            let mut view = View2d::default();
            view.set_frame(area);
            let bar = scale_bar(&view);
            for (shown, most) in [(None, area.max.y), (Some(bar), if width < 600.0 { bar.min.y } else { area.max.y })] {
                let (below, _) = written(area, zoom, |pen| {
                    let at = (Align2::CENTER_BOTTOM, foot_of_hint(pen, &view, shown, HINT));
                    Pill::new(pen, HINT, at).paint(pen, Srgba::WHITE, 1.0)
                });
                assert!(below < most && below > most - 30.0, "{below} of {most} at {width}, {zoom}");
            }
        }
    }

    #[test]
    fn a_title_ends_before_what_says_that_the_simulation_stands_still() {
        let area = Rect::new(0.0, 0.0, 320.0, 480.0);
        let rows = |text: &str| written(area, 1.0, |pen| title(pen, area, text, "")).1;
        assert_eq!(rows("Pile"), 1);
        let narrow = Rect::new(0.0, 0.0, 200.0, 500.0);
        let heights = [area, narrow].map(|area| written(area, 1.0, |pen| title(pen, area, "Pile", "")).0);
        assert!(heights[1] > heights[0] + 20.0, "beside the word there is no room at all");
        assert_eq!(rows("Vector laboratory"), 2, "it has room for one line in 264 pixels, but not beside the word");
    }

    #[test]
    fn that_a_machine_cannot_keep_up_is_said_beside_the_title_and_never_over_it() {
        for (width, zoom) in [(1280.0, 1.0), (920.0, 1.0), (440.0, 1.0), (320.0, 1.0), (920.0, 1.5)] {
            let area = Rect::new(0.0, 0.0, width, 600.0);
            for text in ["Pile", "Vector laboratory", ""] {
                let widths = |pen: &Pen| {
                    let letters = pen.letters(TITLE_LETTERS);
                    let title = pen.painter().layout_no_wrap(text.to_owned(), letters, egui::Color32::WHITE).size().x;
                    let room = pen.points.length(width - 2.0 * MARGIN);
                    let beside = room - pen.points.length(paused_width(pen));
                    room - title.min(beside) - pace_words(pen, area, (0.87, text)).size().x
                };
                let (left, _) = written(area, zoom, widths);
                assert!(left > 0.0, "{text} in {width}: {left}");
            }
        }
        let long = |width: f32, text: &'static str| {
            let area = Rect::new(0.0, 0.0, width, 600.0);
            written(area, 1.0, move |pen| pace_words(pen, area, (0.87, text)).size().x).0 > 150.0
        };
        assert!(long(920.0, "Pile") && !long(320.0, "Pile"));
    }

    #[test]
    fn a_long_description_ends_above_the_table() {
        for (width, height) in [(440.0, 600.0), (920.0, 800.0), (300.0, 300.0)] {
            let area = Rect::new(0.0, 0.0, width, height);
            for zoom in [1.0, 1.5] {
                let (end, _) = written(area, zoom, |pen| title(pen, area, "A title", &LONG.repeat(9)));
                assert!(end > 60.0 && end <= height / 3.0 + 1.0, "{end} of {height}");
            }
        }
    }
}
