//! The side view of a shot that is replayed, if a ball leaves the cloth in it.

use bevy::prelude::*;
use bevy_egui::EguiContexts;

use crate::{
    collision::{PhysicsSpace, spin::TablePhysics},
    games::{BallId, plugin::CurrentMatch},
    input::shot::side_view::{SideView, draw},
    scene::DiscColour,
    view::{Insets, Theme, Views, words::labels::Pen},
};

/// Draws the inset for the ball that flies highest.
pub(super) fn show(
    mut contexts: EguiContexts,
    live: Option<Res<CurrentMatch>>,
    (space, table): (Res<PhysicsSpace>, Option<Res<TablePhysics>>),
    (views, theme, insets): (Views, Res<Theme>, Res<Insets>),
) {
    let Some((live, table)) = live.as_ref().zip(table) else { return };
    let Some(now) = live.look_back() else { return };
    let Some(ball) = now.film().highest() else { return };
    let radius = live.game().table().ball_radius();
    let (points, heights) = now.film().path(ball);
    let before = now.film().layout(0.0);
    let balls = live.game().rules().balls();
    let colour = |ball: BallId| balls.get(ball.index()).map(|&name| theme.of_disc(DiscColour::of_ball(name)));
    let others = before.on_table().filter(|(other, _)| *other != ball);
    let others = others.map(|(other, place)| (place, radius, colour(other)));
    let cushion = (&*space, 2.0 * radius * table.cushion.nose_height);
    let Some(side) = SideView::of_recorded(radius, (&points, &heights), others, cushion, now.time()) else { return };
    let view = views.main();
    let Some(pen) = Pen::new(&mut contexts, view, &theme) else { return };
    let covers: Vec<Vec2> = points.iter().map(|(point, _)| *point).collect();
    draw(&pen, view, insets.words(), &side, &covers);
}
