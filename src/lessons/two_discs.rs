//! Support for lessons about two discs: selects a and b, and runs the functions that draw, write and show.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::{EguiContexts, egui::Ui};
use tr::tr;

use crate::{
    collision::{CollisionSettings, DiscComponents, DiscState},
    components::InPlay,
    number::decimals,
    scene::first_two,
    view::{Canvas, CurrentView, Drawn, Insets, Theme, View2d, Views, words::labels::Pen},
};

/// The two discs of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subjects {
    /// The disc with the lowest number.
    pub a: DiscState,
    /// The disc with the second lowest number.
    pub b: DiscState,
    /// The restitution for a collision of the two.
    pub restitution: f32,
}

impl Subjects {
    /// The two discs with the lowest numbers among these, or `None` if there are fewer.
    fn among(discs: impl Iterator<Item = DiscState>, settings: &CollisionSettings) -> Option<Self> {
        let [Some(a), Some(b)] = first_two(discs, |disc| (disc.id, disc.entity)) else { return None };
        let restitution = settings.in_range().restitution_between(a.restitution, b.restitution);
        Some(Self { a, b, restitution })
    }
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
    /// The two discs of the scene with the lowest numbers, as drawn, or `None` if there are fewer.
    #[must_use]
    pub fn subjects(&self) -> Option<Subjects> {
        let discs = self.discs.iter();
        let drawn = discs.map(|(components, drawn)| DiscState { position: drawn.shown, ..components.disc() });
        Subjects::among(drawn, &self.settings)
    }
}

/// Draws the two discs of a lesson.
pub(super) type Draw = fn(&mut Canvas, &View2d, &Theme, &Subjects);

pub(super) fn draw(draw: Draw) -> impl FnMut(ResMut<Canvas>, Res<CurrentView>, Res<Theme>, LessonDiscs) {
    move |mut canvas, view, theme, discs| {
        if let Some(subjects) = discs.subjects() {
            draw(&mut canvas, &view, &theme, &subjects);
        }
    }
}

/// Writes about the two discs of a lesson. Returns the height that the text takes at the bottom of the free area,
/// logical pixels, including the hint below it.
pub(super) type Write = fn(&Pen, &View2d, &Subjects) -> f32;

pub(super) fn write(write: Write) -> impl FnMut(EguiContexts, Views, ResMut<Insets>, Res<Theme>, LessonDiscs) {
    move |mut contexts, views, mut insets, theme, discs| {
        let Some(subjects) = discs.subjects() else { return };
        let view = views.main();
        let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
        insets.set_words(ROOM, [0.0, write(&pen, view, &subjects)]);
    }
}

/// The name under which lessons reserve room.
const ROOM: &str = "lesson";

/// Frees the room of the last frame. A running lesson reserves it again.
pub(super) fn give_back_room(mut insets: ResMut<Insets>) {
    insets.set_words(ROOM, [0.0; 2]);
}

/// Shows a lesson about the first two discs as they are, or reports that they are missing.
pub(super) fn about_two(ui: &mut Ui, world: &mut World, show: impl FnOnce(&mut Ui, &mut World, &Subjects)) {
    let mut discs = world.query_filtered::<DiscComponents, InPlay>();
    let states = discs.iter(world).map(|components| components.disc());
    match Subjects::among(states, world.resource()) {
        Some(subjects) => show(ui, world, &subjects),
        None => {
            ui.weak(tr!("This lesson needs two discs. Add them with the button in the Selected disc section."));
        }
    }
}

/// The distance of the lowest row of a legend from the bottom of the area, logical pixels.
pub(super) const LEGEND_FOOT: f32 = 57.0;

pub(super) fn vector(v: Vec2) -> String {
    format!("({}, {})", decimals(v.x, 3), decimals(v.y, 3))
}
