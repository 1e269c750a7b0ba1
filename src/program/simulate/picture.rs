//! A picture of a run (SVG): terrain, the start faint, the paths, the end. One unit of the picture is a metre.

use bevy::prelude::*;
use std::fmt::Write;
use svg::{
    Document,
    node::element::{Circle, Group, Line, Polyline, Rectangle},
};

use crate::{
    collision::Discs,
    disc::Position,
    scene::{DiscLook, Hex, TerrainLook},
    terrain::{Pocket, Rotation, Terrain},
};

/// The most points that all paths have together, so that a picture stays a few megabytes.
const MAX_POINTS: u64 = 200_000;
/// The most moments of a run at which a path is looked at.
const MAX_MOMENTS: u64 = 4000;

/// Where each disc has been.
pub(super) struct Paths(Vec<Vec<Vec2>>);

impl Paths {
    pub(super) fn new(start: &Discs) -> Self {
        Self(start.position.iter().map(|&position| vec![position]).collect())
    }

    /// At how many moments of a run to [`add`](Self::add).
    pub(super) fn moments(&self) -> u64 {
        (MAX_POINTS / (self.0.len() as u64).max(1)).clamp(1, MAX_MOMENTS)
    }

    pub(super) fn add(&mut self, now: &Discs) {
        for (path, &position) in self.0.iter_mut().zip(&now.position) {
            // One that rests needs no more points.
            if path.last() != Some(&position) {
                path.push(position);
            }
        }
    }
}

const BACKGROUND: &str = "#f6f4ef";
const TERRAIN: Hex = Hex([0x4a, 0x4f, 0x58]);
const POCKET: Hex = Hex([0xc9, 0xc6, 0xbe]);
const DISCS: [Hex; 7] = [
    Hex([0x4f, 0x9d, 0xde]),
    Hex([0xf2, 0xa5, 0x41]),
    Hex([0x6f, 0xbf, 0x73]),
    Hex([0xe0, 0x64, 0x6c]),
    Hex([0xa8, 0x84, 0xd8]),
    Hex([0x4f, 0xc1, 0xb5]),
    Hex([0xe6, 0xcf, 0x5a]),
];

/// Draws it. The picture's y axis points down, the scene's up.
pub(super) fn draw(world: &mut World, paths: &Paths, before: &Discs, after: &Discs) -> String {
    let mut bounds = Bounds::default();
    let mut terrain = Group::new();
    for (shape, position, rotation, look) in
        world.query::<(&Terrain, &Position, &Rotation, Option<&TerrainLook>)>().iter(world)
    {
        let colour = css(look.and_then(|look| look.colour).unwrap_or(TERRAIN));
        terrain = draw_terrain(terrain, &mut bounds, shape, position.0, *rotation, &colour);
    }
    let mut pockets = Group::new().set("fill", css(POCKET));
    for (pocket, position) in world.query::<(&Pocket, &Position)>().iter(world) {
        bounds.include(position.0, pocket.radius);
        pockets = pockets.add(circle(position.0, pocket.radius));
    }
    let colours: Vec<String> = (0..after.len())
        .map(|i| {
            let own = world.get::<DiscLook>(after.entity[i]).and_then(|look| look.colour);
            css(own.unwrap_or(DISCS[(after.id[i] % DISCS.len() as u64) as usize]))
        })
        .collect();
    let mut start = Group::new().set("opacity", 0.25);
    let mut lines = Group::new().set("fill", "none").set("stroke-linejoin", "round").set("opacity", 0.7);
    let mut end = Group::new();
    for (i, colour) in colours.iter().enumerate() {
        let radius = after.radius[i];
        for state in [before, after] {
            bounds.include(state.position[i], radius);
        }
        start = start.add(circle(before.position[i], radius).set("fill", colour.as_str()));
        end = end.add(
            circle(after.position[i], radius)
                .set("fill", colour.as_str())
                .set("stroke", "#000000")
                .set("stroke-opacity", 0.4)
                .set("stroke-width", number(0.06 * radius)),
        );
        if paths.0[i].len() > 1 {
            let mut points = String::new();
            for point in &paths.0[i] {
                // Writing to a string cannot fail.
                let _ = write!(points, "{},{} ", number(point.x), number(-point.y));
            }
            lines = lines.add(
                Polyline::new()
                    .set("points", points.trim_end())
                    .set("stroke", colour.as_str())
                    .set("stroke-width", number(0.08 * radius)),
            );
        }
    }
    let (low, size) = bounds.with_margin();
    let width = 1000.0;
    Document::new()
        .set("viewBox", (low.x, -(low.y + size.y), size.x, size.y))
        .set("width", width)
        .set("height", number(width * size.y / size.x))
        .add(
            Rectangle::new()
                .set("x", low.x)
                .set("y", -(low.y + size.y))
                .set("width", size.x)
                .set("height", size.y)
                .set("fill", BACKGROUND),
        )
        .add(pockets)
        .add(start)
        .add(lines)
        .add(terrain.set("stroke-width", number(0.003 * size.max_element())))
        .add(end)
        .to_string()
        + "\n"
}

fn draw_terrain(
    mut group: Group,
    bounds: &mut Bounds,
    shape: &Terrain,
    position: Vec2,
    rotation: Rotation,
    colour: &str,
) -> Group {
    if let Terrain::Circle { radius } = *shape {
        bounds.include(position, radius);
        return group.add(circle(position, radius).set("fill", colour));
    }
    let (outline, closed) = shape.outline();
    let points: Vec<Vec2> = outline.into_iter().map(|point| position + rotation.turn(point)).collect();
    for &point in &points {
        bounds.include(point, 0.0);
    }
    let joins = points.len() - usize::from(!closed);
    for i in 0..joins {
        let (a, b) = (points[i], points[(i + 1) % points.len()]);
        group = group.add(
            Line::new()
                .set("x1", a.x)
                .set("y1", -a.y)
                .set("x2", b.x)
                .set("y2", -b.y)
                .set("stroke", colour)
                .set("stroke-linecap", "round"),
        );
    }
    group
}

fn circle(centre: Vec2, radius: f32) -> Circle {
    Circle::new().set("cx", number(centre.x)).set("cy", number(-centre.y)).set("r", number(radius))
}

/// Five digits are more than a screen shows.
fn number(value: f32) -> String {
    let digits = if value.abs() < 1.0 { 5 } else { 4 };
    let text = format!("{value:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn css(Hex([r, g, b]): Hex) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The rectangle that holds everything.
#[derive(Default)]
struct Bounds(Option<(Vec2, Vec2)>);

impl Bounds {
    fn include(&mut self, centre: Vec2, radius: f32) {
        let (low, high) = self.0.unwrap_or((centre, centre));
        self.0 = Some((low.min(centre - radius), high.max(centre + radius)));
    }

    /// The lower left corner and the size, with a little room around.
    fn with_margin(&self) -> (Vec2, Vec2) {
        let (low, high) = self.0.unwrap_or((-Vec2::ONE, Vec2::ONE));
        let margin = 0.04 * (high - low).max_element().max(1e-3);
        (low - margin, high - low + 2.0 * margin)
    }
}
