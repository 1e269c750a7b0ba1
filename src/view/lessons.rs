//! What a lesson shows on top of the scene: which disc is meant by a and b, and a drawing for each kind of lesson.

use bevy::{
    ecs::{
        schedule::ScheduleConfigs,
        system::{ScheduleSystem, SystemParam},
    },
    prelude::*,
};
use bevy_egui::EguiContexts;

use crate::{
    collision::{CollisionSettings, DiscComponents, DiscState, Tick, tick_schedule},
    components::{Disc, Position, Rotation, Terrain},
    scene::{CurrentScene, Lesson, in_lesson},
    timeline::ticked,
    view::{
        camera::{
            picture::{DrawPicture, Picture, sees_layer_0},
            view2d::View2d,
            views::{MainView, MainViewMut},
        },
        canvas::Canvas,
        scene::drawn_position::Drawn,
        theme::Theme,
        words::labels::Pen,
    },
};

pub mod galperin;
pub mod precise_check;
mod quick_check;
mod vector_lab;

/// The two discs that a lesson is about, as they are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subjects {
    /// The first disc by its number.
    pub a: DiscState,
    /// The second disc by its number.
    pub b: DiscState,
    /// The restitution with which they would collide.
    pub restitution: f32,
}

/// All that a lesson reads of a disc.
type Subject = (DiscComponents, &'static Drawn);

/// Where a lesson finds the two discs that it is about.
#[derive(SystemParam)]
pub struct LessonDiscs<'w, 's> {
    settings: Res<'w, CollisionSettings>,
    discs: Query<'w, 's, Subject, With<Disc>>,
}

impl LessonDiscs<'_, '_> {
    /// The first two discs of the scene by their numbers; none where there are fewer.
    #[must_use]
    pub fn subjects(&self) -> Option<Subjects> {
        subjects(&self.discs, &self.settings)
    }
}

/// The first two discs of the scene by their numbers; none where there are fewer.
fn subjects(discs: &Query<Subject, With<Disc>>, settings: &CollisionSettings) -> Option<Subjects> {
    let mut first: [Option<DiscState>; 2] = [None, None];
    for (components, drawn) in discs {
        let disc = DiscState { position: drawn.shown, ..components.disc() };
        if first[0].is_none_or(|other| disc.id < other.id) {
            first = [Some(disc), first[0]];
        } else if first[1].is_none_or(|other| disc.id < other.id) {
            first[1] = Some(disc);
        }
    }
    let [Some(a), Some(b)] = first else { return None };
    let restitution = settings.in_range().restitution_between(a.restitution, b.restitution);
    Some(Subjects { a, b, restitution })
}

/// Draws and writes the shipped lessons, each while its scene runs.
pub(super) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.init_resource::<galperin::Tally>()
        .init_resource::<precise_check::Moment>()
        .register_type::<precise_check::Moment>()
        .add_observer(galperin::forget)
        .add_systems(schedule, galperin::count.after(Tick).run_if(ticked.and_then(is(Lesson::GALPERIN))))
        .add_systems(
            DrawPicture,
            (
                draw(vector_lab::draw).run_if(is(Lesson::VECTOR_LAB)),
                draw(quick_check::draw).run_if(is(Lesson::QUICK_CHECK)),
                draw_precise_check.run_if(is(Lesson::PRECISE_CHECK)),
            )
                .chain()
                .run_if(sees_layer_0)
                .after(crate::view::scene::arrows::draw_arrows),
        );
}

/// What belongs to the drawing of the lessons in words.
pub(super) fn words() -> ScheduleConfigs<ScheduleSystem> {
    (
        write(vector_lab::write).run_if(is(Lesson::VECTOR_LAB)),
        write(quick_check::write).run_if(is(Lesson::QUICK_CHECK)),
        write(precise_check::write).run_if(is(Lesson::PRECISE_CHECK)),
        write_lanes.run_if(is(Lesson::GALPERIN)),
    )
        .chain()
}

/// Whether the running scene has this lesson.
fn is(lesson: Lesson) -> impl Fn(Option<Res<CurrentScene>>) -> bool + Clone {
    in_lesson(lesson.name)
}

/// What draws two discs of a lesson.
type Draw = fn(&mut Canvas, &View2d, &Theme, &Subjects);

fn draw(draw: Draw) -> impl FnMut(ResMut<Canvas>, Res<Picture>, Res<Theme>, LessonDiscs) {
    move |mut canvas, picture, theme, discs| {
        if let Some(subjects) = discs.subjects() {
            draw(&mut canvas, &picture, &theme, &subjects);
        }
    }
}

fn draw_precise_check(
    mut canvas: ResMut<Canvas>,
    (picture, theme): (Res<Picture>, Res<Theme>),
    moment: Res<precise_check::Moment>,
    terrain: Query<(&Terrain, &Position, &Rotation)>,
    discs: LessonDiscs,
) {
    if let Some(subjects) = discs.subjects() {
        precise_check::draw(&mut canvas, (&picture, &theme), &subjects, *moment, terrain.iter());
    }
}

/// What writes about two discs of a lesson. It returns how much of the free area its words take from the foot, logical
/// pixels, where they are higher than [`Lesson::foot`] has it, and else 0.
type Write = fn(&Pen, &View2d, &Subjects) -> f32;

fn write(write: Write) -> impl FnMut(EguiContexts, MainViewMut, Res<Theme>, LessonDiscs) {
    move |mut contexts, mut view, theme, discs| {
        let Some(subjects) = discs.subjects() else { return };
        let Some(pen) = Pen::new(&mut contexts, &view, &theme) else { return };
        let height = write(&pen, &view, &subjects);
        if view.lesson != height {
            view.lesson = height;
        }
    }
}

fn write_lanes(
    mut contexts: EguiContexts,
    (view, theme): (MainView, Res<Theme>),
    tally: Res<galperin::Tally>,
    lanes: Query<galperin::LaneDisc, With<Disc>>,
) {
    if let Some(pen) = Pen::new(&mut contexts, &view, &theme) {
        galperin::write(&pen, &view, &tally, &lanes);
    }
}
