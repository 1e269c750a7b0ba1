//! Velocity arrows: the direction and the speed of discs.

use bevy::prelude::*;

use crate::{
    components::{Disc, Inactive, Kinematic, Mass, Radius, Velocity},
    interpolation::Drawn,
    scene::{CurrentScene, DiscLook, Lesson},
    view::{
        ViewSettings,
        camera::current_view::{CurrentView, ShownTo},
        canvas::{Canvas, Layer},
        theme::Theme,
    },
};

/// The time that an arrow spans, seconds. It points to where the disc would be after that time.
pub const ARROW_SECONDS: f32 = 0.25;

/// The time that an arrow spans in the current scene, seconds. In lessons with arrow tips to drag, it is one second.
#[must_use]
pub fn arrow_seconds(lesson: Lesson) -> f32 {
    if lesson.has_tips { 1.0 } else { ARROW_SECONDS }
}

/// The components of a disc for its arrows.
type Moving = (
    (&'static Drawn, &'static Velocity, &'static Radius),
    (&'static Mass, Has<Kinematic>),
    Option<&'static DiscLook>,
    ShownTo,
);

/// Draws arrows for all discs or for those that request one. An arrow is at least as long as its disc's radius
/// (one-dimensional restitution).
pub(crate) fn draw_arrows(
    mut canvas: ResMut<Canvas>,
    (view, settings, theme): (Res<CurrentView>, Res<ViewSettings>, Res<Theme>),
    scene: Option<Res<CurrentScene>>,
    discs: Query<Moving, (With<Disc>, Without<Inactive>)>,
) {
    let lesson = scene.map(|scene| scene.file.lesson).unwrap_or_default();
    if lesson.has_tips {
        return;
    }
    if settings.momentum {
        draw_momenta(&mut canvas, (&view, &theme), &discs);
    }
    for ((drawn, velocity, radius), _, look, shown) in &discs {
        if !(settings.arrows || look.is_some_and(|look| look.arrow)) || !view.shows(&shown) {
            continue;
        }
        let Some(direction) = velocity.try_normalize() else { continue };
        let length = (velocity.length() * ARROW_SECONDS).max(radius.0);
        let width = view.px(3.0).min(0.2 * radius.0).max(view.px(1.0));
        let to = drawn.shown + direction * length;
        canvas.rimmed_arrow(
            Layer::Arrow,
            drawn.shown,
            to,
            width,
            0.45 * width,
            theme.marks.arrow,
            theme.marks.arrow_rim,
        );
    }
}

/// Draws wide momentum arrows below the velocity arrows, scaled so that the mean mass is 1. The momentum of a kinematic
/// disc is infinite.
fn draw_momenta(
    canvas: &mut Canvas,
    (view, theme): (&CurrentView, &Theme),
    discs: &Query<Moving, (With<Disc>, Without<Inactive>)>,
) {
    let (count, masses) = discs
        .iter()
        .filter(|(_, (mass, is_kinematic), ..)| mass.0.is_finite() && !is_kinematic)
        .map(|(_, (mass, _), ..)| f64::from(mass.0))
        .fold((0, 0.0), |(count, sum), mass| (count + 1, sum + mass));
    let per_momentum = ARROW_SECONDS / (masses / f64::from(count.max(1))) as f32;
    for ((drawn, velocity, radius), (mass, is_kinematic), _, shown) in discs {
        let reach = velocity.0 * (mass.0 * per_momentum);
        if is_kinematic || !reach.is_finite() || !view.shows(&shown) {
            continue;
        }
        let width = view.px(7.0).min(0.45 * radius.0).max(view.px(2.0));
        let to = drawn.shown + reach;
        canvas.rimmed_arrow(
            Layer::Arrow,
            drawn.shown,
            to,
            width,
            0.2 * width,
            theme.marks.momentum,
            theme.marks.arrow_rim,
        );
    }
}
