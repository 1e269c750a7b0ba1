//! What a lesson shows on top of the scene: which disc is meant by a and b, and a drawing for each kind of lesson.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::EguiContexts;

use super::{DrawPicture, Drawn, Theme, sees_layer_0};
use crate::{
    collision::{CollisionSettings, DiscComponents, DiscState, Tick, combine_restitution, tick_schedule},
    disc::Disc,
    scene::{CurrentScene, Lesson},
    timeline::ticked,
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

/// What a lesson needs to know of the world.
#[derive(SystemParam)]
pub(super) struct Classroom<'w, 's> {
    scene: Option<Res<'w, CurrentScene>>,
    settings: Res<'w, CollisionSettings>,
    discs: Query<'w, 's, Subject, With<Disc>>,
}

impl Classroom<'_, '_> {
    /// The lesson of the scene and what it is about; none where there is no lesson, or fewer than two discs.
    fn lesson(&self) -> Option<(Lesson, Subjects)> {
        let lesson = self.scene.as_ref()?.file.lesson;
        lesson.is_about_two().then_some(())?;
        Some((lesson, subjects(&self.discs, &self.settings)?))
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
    let restitution = combine_restitution(a.restitution, b.restitution, settings.in_range().restitution);
    Some(Subjects { a, b, restitution })
}

/// Draws the lesson of the scene, if it has one.
pub(super) fn plugin(app: &mut App) {
    let schedule = tick_schedule(app);
    app.init_resource::<galperin::Tally>()
        .init_resource::<precise_check::Moment>()
        .register_type::<precise_check::Moment>()
        .add_observer(galperin::forget)
        .add_systems(schedule, galperin::count.after(Tick).run_if(ticked));
    app.add_systems(DrawPicture, draw_lesson.run_if(sees_layer_0).after(super::arrows::draw_arrows));
}

/// How high the words of a lesson are at the foot of the picture, the hint included, logical pixels.
pub(super) fn foot(lesson: Lesson) -> f32 {
    match lesson {
        Lesson::PreciseCheck => precise_check::FOOT,
        Lesson::QuickCheck => quick_check::FOOT,
        Lesson::None | Lesson::VectorLab | Lesson::Galperin => 0.0,
    }
}

fn draw_lesson(
    mut canvas: ResMut<super::Canvas>,
    (viewport, theme): (Res<super::Picture>, Res<Theme>),
    moment: Res<precise_check::Moment>,
    classroom: Classroom,
) {
    let Some((lesson, subjects)) = classroom.lesson() else { return };
    match lesson {
        Lesson::VectorLab => vector_lab::draw(&mut canvas, &viewport, &theme, &subjects),
        Lesson::QuickCheck => quick_check::draw(&mut canvas, &viewport, &theme, &subjects),
        Lesson::PreciseCheck => precise_check::draw(&mut canvas, &viewport, &theme, &subjects, *moment),
        Lesson::None | Lesson::Galperin => {}
    }
}

/// Writes what belongs to the drawing of the lesson.
pub(super) fn write_lesson(
    mut contexts: EguiContexts,
    (viewport, theme): (super::MainViewport, Res<Theme>),
    tally: Res<galperin::Tally>,
    lanes: Query<galperin::LaneDisc, With<Disc>>,
    classroom: Classroom,
) {
    if classroom.scene.as_ref().is_some_and(|scene| scene.file.lesson == Lesson::Galperin) {
        if let Some(pen) = super::labels::Pen::new(&mut contexts, &viewport, &theme) {
            galperin::write(&pen, &viewport, &tally, &lanes);
        }
        return;
    }
    let Some((lesson, subjects)) = classroom.lesson() else { return };
    let Some(pen) = super::labels::Pen::new(&mut contexts, &viewport, &theme) else { return };
    match lesson {
        Lesson::VectorLab => vector_lab::write(&pen, &viewport, &subjects),
        Lesson::QuickCheck => quick_check::write(&pen, &viewport, &subjects),
        Lesson::PreciseCheck => precise_check::write(&pen, &viewport, &subjects),
        Lesson::None | Lesson::Galperin => {}
    }
}
