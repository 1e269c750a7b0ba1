//! The precise check: when two discs touch and separate, and where they are then.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{RichText, Ui},
};
use tr::tr;

use super::{
    DrawsLesson, WritesLesson,
    two_discs::{LEGEND_FOOT, LessonDiscs, Subjects, about_two, vector, write as writes},
};
use crate::{
    collision::{DiscState, TimeOfImpact},
    components::{Position, Rotation, Terrain},
    notice::mark,
    number::decimals,
    panel::{
        Field,
        widgets::{edit, reading, usable},
    },
    scene::{Lesson, in_lesson},
    view::{
        Canvas, DrawView, Layer, CurrentView, Theme, View2d,
        scene::arrows::arrow_seconds,
        theme::egui as ink,
        words::labels::{LEGEND_ROW, Pen},
    },
};

pub(super) fn plugin(app: &mut App) {
    let runs = in_lesson(Lesson::PRECISE_CHECK.name);
    app.init_resource::<Moment>()
        .register_type::<Moment>()
        .add_systems(DrawView, draw_moment.run_if(runs.clone()).in_set(DrawsLesson))
        .add_systems(EguiPrimaryContextPass, writes(write).run_if(runs).in_set(WritesLesson));
}

/// Shows the numbers.
pub(super) fn show(ui: &mut Ui, world: &mut World) {
    about_two(ui, world, show_precise_check);
}

fn draw_moment(
    mut canvas: ResMut<Canvas>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
    moment: Res<Moment>,
    terrain: Query<(&Terrain, &Position, &Rotation)>,
    discs: LessonDiscs,
) {
    if let Some(subjects) = discs.subjects() {
        draw(&mut canvas, (&view, &theme), &subjects, *moment, terrain.iter());
    }
}

/// The moment at which this lesson shows the discs, in frames from now. The panel's slider sets it.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct Moment(pub f32);

impl Moment {
    /// The range of moments, frames.
    pub const RANGE: std::ops::RangeInclusive<f32> = -2.0..=4.0;

    /// The length of a frame, seconds. A velocity arrow covers the distance travelled in it.
    #[must_use]
    pub fn frame() -> f32 {
        arrow_seconds(Lesson::PRECISE_CHECK)
    }
}

/// The English text for a time of impact in the table of the precise check.
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

/// The range of moments, in frames from now, in which a disc on a straight path is clear of the walls of its arena.
/// Beyond it the path has no meaning.
fn clear_of_walls<'a>(disc: &DiscState, terrain: impl Iterator<Item = Piece<'a>>) -> [f32; 2] {
    let mut clear = [*Moment::RANGE.start(), *Moment::RANGE.end()];
    for (piece, position, rotation) in terrain {
        let Terrain::Arena { half_size } = piece else { continue };
        // In the arena's frame of reference, in which its walls are upright.
        let back = Rotation(-rotation.0);
        let (at, step) = (back.turn(disc.position - position.0), back.turn(disc.velocity * Moment::frame()));
        let room = *half_size - disc.radius;
        if at.abs().cmpgt(room).any() {
            continue;
        }
        for axis in [0, 1] {
            if step[axis] != 0.0 {
                let walls = [-room[axis], room[axis]].map(|wall| (wall - at[axis]) / step[axis]);
                clear = [clear[0].max(walls[0].min(walls[1])), clear[1].min(walls[0].max(walls[1]))];
            }
        }
    }
    clear
}

/// A piece of terrain with its position and rotation.
type Piece<'a> = (&'a Terrain, &'a Position, &'a Rotation);

fn draw<'a>(
    canvas: &mut Canvas,
    (view, theme): (&View2d, &Theme),
    subjects: &Subjects,
    moment: Moment,
    terrain: impl Iterator<Item = Piece<'a>> + Clone,
) {
    let layer = Layer::Lesson;
    let frame = Moment::frame();
    let time_of_impact = TimeOfImpact::of(&subjects.a, &subjects.b, frame);
    for disc in [&subjects.a, &subjects.b] {
        let at = |frames: f32| disc.position + disc.velocity * frame * frames;
        let [first, last] = clear_of_walls(disc, terrain.clone());
        canvas.line(layer, at(first), at(last), view.px(1.25), theme.lesson.line);
        for frames in (-2_i8..=4).map(f32::from).filter(|frames| (first..=last).contains(frames)) {
            canvas.disc(layer, at(frames), view.px(2.5), theme.lesson.line);
        }
        for (time, colour) in
            time_of_impact.times().into_iter().flatten().zip([theme.lesson.after, theme.lesson.across])
        {
            if (first..=last).contains(&(time as f32)) {
                canvas.ring(layer, at(time as f32), disc.radius, view.px(2.0), colour);
                canvas.disc(layer, at(time as f32), view.px(4.0), colour);
            }
        }
        let now = at(moment.0);
        canvas.disc(layer, now, disc.radius, theme.lesson.ghost.with_alpha(0.14));
        canvas.ring(layer, now, disc.radius, view.px(1.5), theme.lesson.ghost);
        let width = view.px(3.0);
        let (rim, colour) = (view.px(1.25), theme.lesson.before);
        canvas.rimmed_arrow(layer, disc.position, at(1.0), width, rim, colour, theme.marks.arrow_rim);
    }
}

/// The times of contact and separation, frames from now, for the line over the table.
fn in_words(times: Option<[f64; 2]>) -> String {
    match times {
        Some(times) => {
            let [f0, f1] = times.map(|time| decimals(time, 3));
            format!("f0 = {f0}     f1 = {f1}")
        }
        None => tr!("f0 and f1 do not exist"),
    }
}

/// The position of the first line of text, and the height for the lines and the hint, logical pixels from the bottom of
/// the view.
const FIRST_LINE: f32 = 128.0;
const ROOM: f32 = 148.0;

fn write(pen: &Pen, view: &View2d, subjects: &Subjects) -> f32 {
    let time_of_impact = TimeOfImpact::of(&subjects.a, &subjects.b, Moment::frame());
    let times = in_words(time_of_impact.times());
    let middle = view.area.center().x;
    let verdict = verdict(time_of_impact);
    let entries = [
        (mark("velocity, in one frame"), pen.theme.lesson.before),
        (mark("at contact, f0"), pen.theme.lesson.after),
        (mark("at separation, f1"), pen.theme.lesson.across),
        (mark("at the slider's time"), pen.theme.lesson.ghost),
    ];
    let legend = pen.legend(Vec2::new(middle, view.area.max.y - LEGEND_FOOT), &entries);
    // Two rows of it fit below the lines.
    let higher = (legend - LEGEND_ROW).max(0.0);
    let first = view.area.max.y - FIRST_LINE - higher;
    let lines = [(times, pen.theme.text.first), (tr!(verdict), pen.theme.lesson.after)];
    for (row, (text, colour)) in lines.into_iter().enumerate() {
        pen.line(Vec2::new(middle, first + 24.0 * row as f32), 16.0, &text, colour);
    }
    ROOM + higher
}

fn show_precise_check(ui: &mut Ui, world: &mut World, subjects: &Subjects) {
    let Subjects { a, b, .. } = subjects;
    let theme = world.resource::<Theme>();
    let frame = Moment::frame();
    let (p, d, sum) = (b.position - a.position, (b.velocity - a.velocity) * frame, a.radius + b.radius);
    let time_of_impact = TimeOfImpact::of(a, b, frame);
    reading(ui, "p", &tr!("From the centre of a to the centre of b, m"), vector(p));
    reading(ui, "d", &tr!("Velocity of b relative to a, m per frame"), vector(d));
    reading(ui, "A = d · d", &tr!("Coefficient of f²"), format!("{:.4} m²", d.length_squared()));
    reading(
        ui,
        "B = 2 p · d",
        &tr!("Coefficient of f; negative if they approach"),
        format!("{} m²", decimals(2.0 * p.dot(d), 4)),
    );
    reading(
        ui,
        "C = p · p − (ar + br)²",
        &tr!("Negative if they overlap now"),
        format!("{} m²", decimals(p.length_squared() - sum * sum, 4)),
    );
    let times = time_of_impact.times();
    for (k, name, help, colour) in [
        (0, "f0", tr!("When they touch, frames from now"), theme.lesson.after),
        (1, "f1", tr!("When they separate if they pass through each other, frames from now"), theme.lesson.across),
    ] {
        let text = times.map_or_else(|| tr!("none"), |times| decimals(times[k], 4));
        reading(ui, name, &help, RichText::new(text).color(ink(colour)).strong());
    }
    let verdict = verdict(time_of_impact);
    ui.label(RichText::new(tr!(verdict)).color(ink(theme.lesson.after)).strong());
    ui.add_space(3.0);
    edit(world, |moment: &mut Moment| {
        Field::new(tr!("Time"), tr!("Time at which the white rings show the discs, in frames from now.")).range(Moment::RANGE).unit(" f").digits(2).slider(ui, &mut moment.0, 0.0);
        ui.horizontal(|ui| {
            let moments = [
                (tr!("At contact"), tr!("Time at which they touch")),
                (tr!("At separation"), tr!("Time at which they separate")),
            ];
            for (k, (name, help)) in moments.into_iter().enumerate() {
                let time = times.map(|times| times[k] as f32).filter(|time| Moment::RANGE.contains(time));
                let button = usable(ui, time.is_some(), |ui| ui.button(name));
                let button =
                    button.on_hover_text(help).on_disabled_hover_text(tr!("It is not within the slider's range"));
                if let (true, Some(time)) = (button.clicked(), time) {
                    moment.0 = time;
                }
            }
        });
    });
    ui.weak(tr!("A frame is one second here. Drag arrow tips and discs; the values update."));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_right_now_has_no_sign() {
        assert_eq!(in_words(Some([-0.0001, 1.5])), "f0 = 0.000     f1 = 1.500");
    }

    #[test]
    fn a_path_ends_before_it_lies_on_a_wall() {
        let disc = |x: f32, velocity: Vec2| DiscState {
            position: vec2(x, 0.0),
            velocity: velocity / Moment::frame(),
            radius: 0.5,
            ..DiscState::default()
        };
        let arena = Terrain::Arena { half_size: vec2(4.0, 3.0) };
        let (origin, upright) = (Position::default(), Rotation(std::f32::consts::FRAC_PI_2));
        let within = |disc: &DiscState, rotation| clear_of_walls(disc, [(&arena, &origin, &rotation)].into_iter());
        assert_eq!(within(&disc(2.5, Vec2::X), Rotation::default()), [-2.0, 1.0]);
        assert_eq!(within(&disc(-2.5, Vec2::X), Rotation::default()), [-1.0, 4.0]);
        let [first, last] = within(&disc(0.0, Vec2::X), upright);
        assert!((first + 2.0).abs() < 1e-5 && (last - 2.5).abs() < 1e-5, "turned it is narrower: {first} {last}");
        assert_eq!(within(&disc(9.0, Vec2::X), Rotation::default()), [-2.0, 4.0], "it is not in there");
    }
}
