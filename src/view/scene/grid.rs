//! Draws the grid of the broad phase, with brighter cells for more discs, and its candidate pairs. It is for teaching
//! and debugging.

use bevy::prelude::*;

use crate::{
    collision::{PhysicsSpace, SolverMode},
    view::{
        ViewSettings,
        camera::current_view::CurrentView,
        canvas::{Canvas, Layer, Plate},
        theme::Theme,
    },
};

/// More cells or pairs than this are not drawn.
const MAX: usize = 20_000;

pub(crate) fn draw_grid(
    mut canvas: ResMut<Canvas>,
    (view, settings, theme): (Res<CurrentView>, Res<ViewSettings>, Res<Theme>),
    space: Option<Res<PhysicsSpace>>,
) {
    let Some(space) = space.filter(|_| settings.grid) else { return };
    if space.laws.settings.mode == SolverMode::Continuous && space.compute.scans(space.discs.len()) {
        // So few discs use no grid, and the existing one belongs to another mode.
        return;
    }
    let seen = view.frame_in_world();
    for (corner, side, discs) in space.grid().cells().take(MAX) {
        let half = Vec2::splat(side / 2.0);
        let centre = corner + half;
        if seen.inflate(half.x).contains(centre) {
            let alpha = theme.marks.grid.alpha * (0.35 * discs as f32).min(1.6);
            canvas.rect(Layer::Marks, Plate::new(centre, half), theme.marks.grid.with_alpha(alpha));
            canvas.rect_outline(Layer::Marks, Plate::new(centre, half), view.px(1.0), theme.marks.grid);
        }
    }
    for &[a, b] in space.pairs().iter().take(MAX) {
        let place = |disc: u32| space.discs.position.get(disc as usize).copied();
        if let (Some(a), Some(b)) = (place(a), place(b))
            && (seen.contains(a) || seen.contains(b))
        {
            canvas.line(Layer::Highlight, a, b, view.px(1.2), theme.marks.pair);
        }
    }
}
