//! Draws collision filtering: layers by colour, one-way walls with arrows, sensors with lines to the discs inside.

use bevy::prelude::*;

use super::{Lines, MAX, PhysicsDebug};
use crate::components::{CollisionLayers, Disc, Inactive, OneWay, Position, Radius, Rotation, Sensed, Sensor, Terrain};

/// The colour of the first layer of an entity; grey if it is in none. Neighbouring layers are far apart on the colour
/// wheel.
pub(super) fn layer_colour(layers: CollisionLayers) -> Color {
    /// The golden angle, degrees.
    const APART: f32 = 137.508;
    if layers.memberships == 0 {
        return Color::srgb(0.5, 0.5, 0.5);
    }
    Color::hsl((40.0 + APART * layers.memberships.trailing_zeros() as f32) % 360.0, 0.9, 0.6)
}

const SENSOR: Color = Color::srgb(0.95, 0.3, 0.9);

/// The shape and place of a disc or a piece of terrain.
type Shaped = (Option<&'static Terrain>, &'static Position, Option<&'static Rotation>, Option<&'static Radius>);

/// Draws the outline of a disc or a piece of terrain.
fn outline(
    lines: &mut Lines,
    (terrain, at, rotation, radius): (Option<&Terrain>, &Position, Option<&Rotation>, Option<&Radius>),
    (scale, colour): (f32, Color),
) {
    let rotation = rotation.copied().unwrap_or_default();
    let circle = match terrain {
        Some(Terrain::Circle { radius }) => Some(*radius),
        Some(_) => None,
        None => radius.map(|radius| radius.0),
    };
    if let Some(radius) = circle {
        lines.circle_2d(at.0 * scale, radius * scale, colour);
    }
    let (points, closed) = terrain.map(Terrain::outline).unwrap_or_default();
    let last = if closed { points.first().copied() } else { None };
    lines.linestrip_2d(points.iter().copied().chain(last).map(|point| (at.0 + rotation.turn(point)) * scale), colour);
}

/// Draws entities that are not in all layers, in the colour of their first layer.
pub(super) fn draw_layers(
    mut lines: Lines,
    debug: Res<PhysicsDebug>,
    layered: Query<(Shaped, &CollisionLayers), (Without<Inactive>, Or<(With<Disc>, With<Terrain>)>)>,
) {
    if !debug.layers {
        return;
    }
    for (shaped, layers) in layered.iter().filter(|(_, layers)| **layers != CollisionLayers::ALL).take(MAX) {
        outline(&mut lines, shaped, (debug.units_per_metre, layer_colour(*layers)));
    }
}

/// Draws sensors, with a line to each disc inside.
pub(super) fn draw_sensors(
    mut lines: Lines,
    debug: Res<PhysicsDebug>,
    sensors: Query<(Shaped, &Sensed), (With<Sensor>, Without<Inactive>)>,
    discs: Query<&Position, With<Disc>>,
) {
    if !debug.sensors {
        return;
    }
    let scale = debug.units_per_metre;
    for (shaped, sensed) in sensors.iter().take(MAX) {
        let colour = SENSOR.with_alpha(if sensed.is_empty() { 0.5 } else { 1.0 });
        outline(&mut lines, shaped, (scale, colour));
        let (terrain, at, rotation, _) = shaped;
        let rotation = rotation.copied().unwrap_or_default();
        let bounds = terrain.and_then(|terrain| terrain.bounds(at.0, rotation));
        let middle = bounds.map_or(at.0, |bounds| bounds.center());
        for inside in discs.iter_many(sensed.iter().take(MAX)) {
            lines.line_2d(middle * scale, inside.0 * scale, colour);
            lines.cross_2d(inside.0 * scale, 0.02 * scale, colour);
        }
    }
}

/// Draws an arrow across each one-way wall, in the direction in which discs pass.
pub(super) fn draw_one_way(
    mut lines: Lines,
    debug: Res<PhysicsDebug>,
    pieces: Query<(&Terrain, &Position, &Rotation, &OneWay), (Without<Inactive>, Without<Sensor>)>,
) {
    if !debug.terrain {
        return;
    }
    let scale = debug.units_per_metre;
    for (terrain, at, rotation, one_way) in pieces.iter().take(MAX) {
        let (points, closed) = terrain.outline();
        let points: Vec<Vec2> = points.into_iter().map(|point| (at.0 + rotation.turn(point)) * scale).collect();
        let edges = points.iter().zip(points.iter().cycle().skip(1)).take(points.len() - usize::from(!closed));
        for (&a, &b) in edges {
            let Some(toward) = one_way.turned(*rotation).across(b - a) else { continue };
            let middle = a.midpoint(b);
            lines.arrow_2d(middle, middle + toward * (0.2 * a.distance(b)), Color::srgb(0.3, 0.9, 0.5));
        }
    }
}
