//! Draws a table of several rectangles: its floor, its outline, and the bars for dragging tiles.

use bevy::prelude::*;

use crate::{
    components::Inactive,
    interpolation::Overstep,
    plane::{PlaneSettings, SettledRect, TableRect, Tile},
    scene::Surroundings,
    view::{
        camera::current_view::{CurrentView, ShownTo},
        canvas::{Canvas, Layer, Plate},
        theme::Theme,
    },
};

/// The width of the outline, logical pixels.
const WIDTH: f32 = 3.0;

/// Draws the table at its interpolated position.
pub(crate) fn draw_plane(
    mut canvas: ResMut<Canvas>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
    (surroundings, overstep, plane): (Res<Surroundings>, Overstep, Option<Res<PlaneSettings>>),
    rects: Query<(&SettledRect, Has<Tile>, ShownTo), (With<TableRect>, Without<Inactive>)>,
) {
    if rects.is_empty() {
        return;
    }
    let share = overstep.share();
    let shown = rects.iter().filter(|(.., shown)| view.shows(shown));
    let rects: Vec<(Rect, bool)> = shown.map(|(settled, is_tile, _)| (settled.between(share), is_tile)).collect();
    let (floor, edge) = match *surroundings {
        Surroundings::Laboratory => (theme.ground.floor, theme.ground.frame),
        Surroundings::Table => (theme.table.cloth, theme.table.nose),
    };
    let plane = plane.map_or_else(PlaneSettings::default, |settings| *settings);
    let outline = plane.outline(&rects.iter().map(|(rect, _)| *rect).collect::<Vec<_>>());
    for rect in outline.rects() {
        let place = Plate::new(rect.center() - Vec2::Y * view.px(4.0), rect.half_size() + view.px(5.0));
        canvas.soft_rect(Layer::Ground, place, view.px(8.0), theme.ground.shadow);
    }
    for rect in outline.rects() {
        // Slightly larger, so that no seam shows between two rectangles.
        canvas.rect(Layer::Ground, Plate::new(rect.center(), rect.half_size() + view.px(0.5)), floor);
    }
    for (rect, _) in rects.iter().filter(|(_, is_tile)| *is_tile) {
        let bar = bar(*rect, view.px(1.0));
        canvas.rect(Layer::Marks, Plate::new(bar.center(), bar.half_size()), theme.ground.frame.with_alpha(0.45));
        let grip = Vec2::new((0.3 * bar.width()).min(view.px(28.0)), view.px(1.5));
        canvas.rect(Layer::Marks, Plate::new(bar.center(), grip).rounded(grip.y), theme.text.soft);
    }
    for corners in outline.loops() {
        canvas.polyline(Layer::Shadow, &inset(&corners, view.px(WIDTH / 2.0)), true, view.px(WIDTH), edge);
    }
}

/// Moves a loop of corners inward by this distance, so that a window that ends there shows it; metres.
fn inset(corners: &[Vec2], by: f32) -> Vec<Vec2> {
    let count = corners.len();
    let inward = |from: usize, to: usize| (corners[to % count] - corners[from % count]).normalize_or_zero().perp();
    (0..count).map(|k| corners[k] + (inward(k + count - 1, k) + inward(k, k + 1)) * by).collect()
}

/// The height of the bar at the top of a tile, logical pixels.
const BAR: f32 = 16.0;

/// The bar for dragging a tile; `pixel` is the length of a logical pixel. All in metres.
pub(crate) fn bar(tile: Rect, pixel: f32) -> Rect {
    let height = (BAR * pixel).min(tile.height() / 3.0);
    Rect { min: Vec2::new(tile.min.x, tile.max.y - height), max: tile.max }
}
