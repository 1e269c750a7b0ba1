//! Draws periodic edges as dashed lines, and objects that an edge cuts on both sides.

use bevy::prelude::*;

use crate::{
    collision::PhysicsSpace,
    components::{Rotation, Terrain},
    view::{
        camera::{current_view::CurrentView, view2d::View2d},
        canvas::{Canvas, Layer},
        scene::instance::Instance,
        theme::Theme,
    },
};

/// Draws the edges of the cell on its periodic axes.
pub(crate) fn draw_cell(
    mut canvas: ResMut<Canvas>,
    (view, theme): (Res<CurrentView>, Res<Theme>),
    space: Option<Res<PhysicsSpace>>,
) {
    let Some(cell) = space.and_then(|space| space.periodic_cell()) else { return };
    // Limited to the visible area.
    let seen = view.frame_in_world();
    let (low, high) = (cell.min.max(seen.min), cell.max.min(seen.max));
    let colour = theme.ground.frame;
    let mut line = |a: Vec2, b: Vec2| canvas.dashed(Layer::Shadow, &[a, b], view.px(1.5), view.px(7.0), colour);
    for x in [cell.min.x, cell.max.x].into_iter().filter(|x| x.is_finite()) {
        line(Vec2::new(x, low.y), Vec2::new(x, high.y));
    }
    for y in [cell.min.y, cell.max.y].into_iter().filter(|y| y.is_finite()) {
        line(Vec2::new(low.x, y), Vec2::new(high.x, y));
    }
}

/// The positions at which a piece of terrain is drawn: its images in the cell.
pub(crate) fn places_of(space: &PhysicsSpace, piece: &Terrain, position: Vec2, rotation: Rotation) -> Vec<Vec2> {
    let bounds = piece.bounds(position, rotation).filter(|_| space.periodic_cell().is_some());
    let Some(bounds) = bounds else { return vec![position] };
    space.images_of(bounds).map(|shift| position + shift).collect()
}

/// Adds the images of discs that the edges of a cell cut, with `halves` instances per disc.
pub(crate) fn add_images(instances: &mut Vec<Instance>, halves: usize, view: &View2d, cell: Rect) {
    let (low, high) = (view.to_sheet(cell.min), view.to_sheet(cell.max));
    let steps = |axis: usize| if (high - low)[axis].is_finite() { -1..=1 } else { 0..=0 };
    let count = instances.len() / halves;
    for k in 0..count {
        let [x, y, radius, _] = instances[k * halves].map(f32::from_bits);
        let (at, radius) = (Vec2::new(x, y), Vec2::splat(radius));
        if (at - radius).cmpge(low).all() && (at + radius).cmple(high).all() {
            continue;
        }
        for (row, column) in steps(1).flat_map(|row| steps(0).map(move |column| (row, column))) {
            let step = Vec2::new(column as f32, row as f32);
            let size = Vec2::select(step.cmpeq(Vec2::ZERO), Vec2::ZERO, high - low);
            let image = at + step * size;
            let is_seen = (image + radius).cmpgt(low).all() && (image - radius).cmplt(high).all();
            if step != Vec2::ZERO && is_seen {
                let first = instances.len();
                instances.extend_from_within(k * halves..(k + 1) * halves);
                (instances[first][0], instances[first][1]) = (image.x.to_bits(), image.y.to_bits());
            }
        }
    }
}
