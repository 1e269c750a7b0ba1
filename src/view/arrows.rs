//! Velocity arrows: where a disc goes, and how fast.

use bevy::prelude::*;

use super::{Canvas, Drawn, Eye, Layer, ViewSettings, theme};
use crate::{
    body::{Ball, Radius, Velocity},
    scene::{CurrentScene, DiscLook, Lesson},
};

/// How long an arrow is for its velocity, in seconds: it points to where the disc would be after that time.
pub const ARROW_SECONDS: f32 = 0.25;

/// The seconds that an arrow shows in the present scene. Lessons whose arrows can be pulled take a
/// whole second.
#[must_use]
pub fn arrow_seconds(lesson: Lesson) -> f32 {
    match lesson {
        Lesson::VectorLab | Lesson::PreciseCheck => 1.0,
        Lesson::None | Lesson::QuickCheck | Lesson::Galperin => ARROW_SECONDS,
    }
}

/// Draws the arrows of the discs that ask for one, or of all. An arrow is at least as long as its disc's radius (seed 000).
pub(super) fn draw_arrows(
    mut canvas: ResMut<Canvas>,
    eye: Res<Eye>,
    settings: Res<ViewSettings>,
    scene: Option<Res<CurrentScene>>,
    discs: Query<(&Drawn, &Velocity, &Radius, Option<&DiscLook>), With<Ball>>,
) {
    let lesson = scene.map(|scene| scene.file.lesson).unwrap_or_default();
    if lesson.has_tips() {
        return;
    }
    for (drawn, velocity, radius, look) in &discs {
        if !(settings.arrows || look.is_some_and(|look| look.arrow)) {
            continue;
        }
        let Some(direction) = velocity.try_normalize() else { continue };
        let length = (velocity.length() * ARROW_SECONDS).max(radius.0);
        let width = eye.px(3.0).min(0.2 * radius.0).max(eye.px(1.0));
        let to = drawn.shown + direction * length;
        canvas.rimmed_arrow(Layer::Arrow, drawn.shown, to, width, 0.45 * width, theme::ARROW, theme::ARROW_RIM);
    }
}
