//! Periodic edges: a switch and two ends per axis.

use bevy::{math::FloatOrd, prelude::*};
use bevy_egui::egui::Ui;
use tr::tr;

use super::field::Field;
use crate::{
    collision::{CollisionSettings, Periodic},
    components::{Disc, Position, Radius, Rotation, Terrain},
};

/// The initial width of a cell in an empty scene, metres.
const WIDTH: f32 = 4.0;

/// The bounds of all objects plus room for the largest disc, as the initial edges.
fn around(world: &mut World) -> Rect {
    let mut terrain = world.query::<(&Terrain, &Position, &Rotation)>();
    let pieces = terrain.iter(world).filter_map(|(piece, position, rotation)| piece.bounds(position.0, *rotation));
    let mut all = pieces.fold(Rect::EMPTY, |all, piece| all.union(piece));
    let mut discs = world.query_filtered::<(&Position, &Radius), With<Disc>>();
    let mut largest = 0.0_f32;
    for (position, radius) in discs.iter(world).filter(|(position, radius)| position.is_finite() && radius.is_finite())
    {
        all = all.union(Rect::from_center_half_size(position.0, Vec2::splat(radius.max(0.0))));
        largest = largest.max(radius.0);
    }
    if all.is_empty() {
        all = Rect::from_center_size(if all.min.is_finite() { all.center() } else { Vec2::ZERO }, Vec2::splat(WIDTH));
    }
    all.inflate(largest)
}

/// The axes that were switched on, x and y. Their edges are fitted around the objects.
pub(super) type SwitchedOn = [bool; 2];

/// Fits the edges of the axes that were switched on around the objects.
pub(super) fn fit(world: &mut World, [x, y]: SwitchedOn) {
    let around = around(world);
    let periodic = &mut world.resource_mut::<CollisionSettings>().periodic;
    if x {
        periodic.x = Some((around.min.x, around.max.x));
    }
    if y {
        periodic.y = Some((around.min.y, around.max.y));
    }
}

/// The rows of both axes. Returns which of them were switched on.
pub(super) fn show(ui: &mut Ui, periodic: &mut Periodic, start: &Periodic) -> SwitchedOn {
    let help = |axis: &str| {
        tr!(
            "A disc that leaves the cell on one side enters on the other. Discs interact across the edge. Ends of the \
            cell along {}, m.",
            axis
        )
    };
    let rows = [
        (tr!("Periodic x"), help("x"), &mut periodic.x, start.x),
        (tr!("Periodic y"), help("y"), &mut periodic.y, start.y),
    ];
    rows.map(|(label, help, ends, default)| {
        let mut switched_on = false;
        let text = default.map_or_else(|| tr!("off"), |(low, high)| tr!("{} to {} m", low, high));
        let field = Field::new(label, help).unit(" m").speed(0.02);
        if field.with_reset(ui, *ends != default, &text, |ui| switched_on = show_ends(ui, &field, ends)) {
            *ends = default;
        }
        switched_on
    })
}

/// A switch, and the ends if it is on. Returns whether it was switched on.
fn show_ends(ui: &mut Ui, field: &Field, ends: &mut Option<(f32, f32)>) -> bool {
    let mut on = ends.is_some();
    field.tick(ui, &mut on, "");
    if !on {
        *ends = None;
    }
    let Some((low, high)) = ends else { return on };
    let was = (*low, *high);
    for (value, name) in [(low, tr!("{}, from", field.name())), (high, tr!("{}, to", field.name()))] {
        field.clone().named(name).number(ui, value);
    }
    // An end cannot pass the other one.
    if let Some(now) = ends
        && FloatOrd(now.0) >= FloatOrd(now.1)
    {
        *now = was;
    }
    false
}
