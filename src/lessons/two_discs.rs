//! Support for lessons about two discs: selects a and b, and runs the functions that draw, write and show.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::{EguiContexts, egui::Ui};
use tr::tr;

use crate::{
    collision::{CollisionSettings, DiscComponents, DiscState, Discs},
    components::InPlay,
    number::decimals,
    view::{Canvas, Drawn, Insets, MainView, Picture, Theme, View2d, words::labels::Pen},
};

/// The two discs of a lesson, as drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subjects {
    /// The disc with the lowest number.
    pub a: DiscState,
    /// The disc with the second lowest number.
    pub b: DiscState,
    /// The restitution for a collision of the two.
    pub restitution: f32,
}

/// The components that a lesson reads from a disc.
type Subject = (DiscComponents, &'static Drawn);

/// Finds the two discs of a lesson.
#[derive(SystemParam)]
pub struct LessonDiscs<'w, 's> {
    settings: Res<'w, CollisionSettings>,
    discs: Query<'w, 's, Subject, InPlay>,
}

impl LessonDiscs<'_, '_> {
    /// The two discs of the scene with the lowest numbers, or `None` if there are fewer.
    #[must_use]
    pub fn subjects(&self) -> Option<Subjects> {
        subjects(&self.discs, &self.settings)
    }
}

/// The two discs of the scene with the lowest numbers, or `None` if there are fewer.
fn subjects(discs: &Query<Subject, InPlay>, settings: &CollisionSettings) -> Option<Subjects> {
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

/// Draws the two discs of a lesson.
pub(super) type Draw = fn(&mut Canvas, &View2d, &Theme, &Subjects);

pub(super) fn draw(draw: Draw) -> impl FnMut(ResMut<Canvas>, Res<Picture>, Res<Theme>, LessonDiscs) {
    move |mut canvas, picture, theme, discs| {
        if let Some(subjects) = discs.subjects() {
            draw(&mut canvas, &picture, &theme, &subjects);
        }
    }
}

/// Writes about the two discs of a lesson. Returns the height that the text takes at the bottom of the free area,
/// logical pixels, including the hint below it.
pub(super) type Write = fn(&Pen, &View2d, &Subjects) -> f32;

pub(super) fn write(write: Write) -> impl FnMut(EguiContexts, MainView, ResMut<Insets>, Res<Theme>, LessonDiscs) {
    move |mut contexts, view, mut insets, theme, discs| {
        let Some(subjects) = discs.subjects() else { return };
        let Some(pen) = Pen::new(&mut contexts, &view, &theme) else { return };
        insets.set_words(ROOM, [0.0, write(&pen, &view, &subjects)]);
    }
}

/// The name under which lessons reserve room.
const ROOM: &str = "lesson";

/// Frees the room of the last frame. A running lesson reserves it again.
pub(super) fn give_back_room(mut insets: ResMut<Insets>) {
    insets.set_words(ROOM, [0.0; 2]);
}

/// Shows a lesson about the first two discs, or reports that they are missing.
pub(super) fn about_two(
    ui: &mut Ui,
    world: &mut World,
    show: impl FnOnce(&mut Ui, &mut World, &DiscState, &DiscState),
) {
    match first_two(world) {
        Some((a, b)) => show(ui, world, &a, &b),
        None => {
            ui.weak(tr!("This lesson needs two discs. Add them with the button in the Selected disc section."));
        }
    }
}

/// The two discs with the lowest numbers.
fn first_two(world: &mut World) -> Option<(DiscState, DiscState)> {
    let discs = Discs::of(world);
    (discs.len() >= 2).then(|| (discs.get(0), discs.get(1)))
}

pub(super) fn vector(v: Vec2) -> String {
    format!("({}, {})", decimals(v.x, 3), decimals(v.y, 3))
}
