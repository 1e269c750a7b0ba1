//! A picture of a run (SVG): terrain, the discs at the start (faint), their paths, and the discs at the end. One unit
//! of the picture is a metre.

use bevy::prelude::*;
use serde::Deserialize;
use std::fmt::Write;
use svg::{
    Document,
    node::element::{Circle, Group, Line, Polygon, Polyline, Rectangle},
};

use crate::{
    collision::Discs,
    components::{Pocket, Position, Rotation, StableId, Terrain},
    number::trimmed,
    scene::{BallColour, CueBall, DiscColour, Hex, Surroundings, TerrainLook},
};

/// The largest total number of points on all paths. It limits a picture to a few megabytes.
const MAX_POINTS: u64 = 200_000;
/// The largest number of moments of a run at which paths are sampled.
const MAX_MOMENTS: u64 = 4000;

/// The path of each disc that exists at the start.
pub(super) struct Paths {
    entity: Vec<Entity>,
    paths: Vec<Vec<Vec2>>,
}

impl Paths {
    pub(super) fn new(start: &Discs) -> Self {
        let paths = start.position.iter().map(|&position| vec![position]).collect();
        Self { entity: start.entity.clone(), paths }
    }

    /// The number of moments of a run at which to [`add`](Self::add).
    pub(super) fn moments(&self) -> u64 {
        (MAX_POINTS / (self.paths.len() as u64).max(1)).clamp(1, MAX_MOMENTS)
    }

    pub(super) fn add(&mut self, now: &Discs) {
        // In the order of the start, without discs that have fallen into pockets.
        let mut now = now.entity.iter().zip(&now.position).peekable();
        for (path, entity) in self.paths.iter_mut().zip(&self.entity) {
            let Some((_, &position)) = now.next_if(|(present, _)| *present == entity) else { continue };
            // A disc at rest needs no more points.
            if path.last() != Some(&position) {
                path.push(position);
            }
        }
    }
}

const BACKGROUND: &str = "#f6f4ef";
const TERRAIN: Hex = Hex([0x4a, 0x4f, 0x58]);
const POCKETS: &str = "#2a2d33";

/// The colours of discs and balls in light surroundings.
#[derive(Deserialize)]
struct Palette {
    discs: [Hex; 8],
    balls: Balls,
}

/// The colours of balls: by their numbers, 1 to 8, or by name.
#[derive(Deserialize)]
struct Balls {
    white: Hex,
    numbered: [Hex; 8],
    red: Hex,
    yellow: Hex,
    green: Hex,
    brown: Hex,
    blue: Hex,
    pink: Hex,
    black: Hex,
}

impl Palette {
    /// Reads the colours from the file that defines all colours.
    fn read() -> Self {
        #[derive(Deserialize)]
        struct File {
            light: Palette,
        }
        let file: Result<File, _> = ron::from_str(include_str!("../../../assets/themes.ron"));
        file.expect("a test reads the file that comes with the program").light
    }

    fn of_disc(&self, colour: DiscColour) -> Hex {
        let balls = &self.balls;
        match colour {
            DiscColour::Own(colour) => colour.into(),
            DiscColour::Ball(BallColour::Red) => balls.red,
            DiscColour::Ball(BallColour::Yellow) => balls.yellow,
            DiscColour::Ball(BallColour::Green) => balls.green,
            DiscColour::Ball(BallColour::Brown) => balls.brown,
            DiscColour::Ball(BallColour::Blue) => balls.blue,
            DiscColour::Ball(BallColour::Pink) => balls.pink,
            DiscColour::Ball(BallColour::Black) => balls.black,
            DiscColour::Numbered(index) => balls.numbered[index],
            DiscColour::White => balls.white,
            DiscColour::ById(index) => self.discs[index],
        }
    }
}

/// Draws the picture. Its y axis points down, the scene's points up.
pub(super) fn draw(world: &mut World, paths: &Paths, before: &Discs, after: &Discs) -> String {
    let mut bounds = Vec::new();
    let [terrain, pockets] = draw_table(world, &mut bounds);
    let [start, lines, end] = draw_discs(world, paths, before, after, &mut bounds);
    let (low, size) = with_margin(&bounds);
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

/// Draws terrain and pockets, and adds their extents to the bounds.
fn draw_table(world: &mut World, bounds: &mut Vec<Rect>) -> [Group; 2] {
    let mut terrain = Group::new();
    for (shape, position, rotation, look) in
        world.query::<(&Terrain, &Position, &Rotation, Option<&TerrainLook>)>().iter(world)
    {
        let colour = css(look.and_then(|look| look.colour).map_or(TERRAIN, Hex::from));
        bounds.extend(shape.bounds(position.0, *rotation));
        terrain = draw_terrain(terrain, shape, position.0, *rotation, &colour);
    }
    let mut pockets = Group::new().set("fill", POCKETS);
    for (pocket, position) in world.query::<(&Pocket, &Position)>().iter(world) {
        bounds.push(around(position.0, pocket.radius));
        pockets = pockets.add(circle(position.0, pocket.radius));
    }
    [terrain, pockets]
}

/// Draws the discs at the start, their paths, and the discs at the end, and adds their extents to the bounds.
fn draw_discs(world: &World, paths: &Paths, before: &Discs, after: &Discs, bounds: &mut Vec<Rect>) -> [Group; 3] {
    let palette = Palette::read();
    let on_table = world.get_resource() == Some(&Surroundings::Table);
    let mut start = Group::new().set("opacity", 0.25);
    let mut lines = Group::new().set("fill", "none").set("stroke-linejoin", "round").set("opacity", 0.7);
    let mut end = Group::new();
    let mut ends = after.entity.iter().zip(&after.position).peekable();
    for (i, (&disc, path)) in before.entity.iter().zip(&paths.paths).enumerate() {
        let is_cue_on_table = on_table && world.get::<CueBall>(disc).is_some();
        let colour = DiscColour::of(StableId(before.id[i]), world.get(disc), is_cue_on_table);
        let colour = css(palette.of_disc(colour));
        let radius = before.radius[i];
        bounds.push(around(before.position[i], radius));
        start = start.add(circle(before.position[i], radius).set("fill", colour.as_str()));
        let mut path = path.clone();
        if let Some((_, &position)) = ends.next_if(|(entity, _)| **entity == disc) {
            bounds.push(around(position, radius));
            end = end.add(
                circle(position, radius)
                    .set("fill", colour.as_str())
                    .set("stroke", "#000000")
                    .set("stroke-opacity", 0.4)
                    .set("stroke-width", number(0.06 * radius)),
            );
        } else {
            // The point at which it fell into a pocket.
            path.extend(world.get::<Position>(disc).map(|position| position.0));
        }
        if path.len() > 1 {
            lines = lines.add(
                Polyline::new()
                    .set("points", in_picture(&path))
                    .set("stroke", colour)
                    .set("stroke-width", number(0.08 * radius)),
            );
        }
    }
    [start, lines, end]
}

/// Converts points of the scene into points of the picture.
fn in_picture(points: &[Vec2]) -> String {
    let mut text = String::new();
    for point in points {
        // Writing to a string cannot fail.
        let _ = write!(text, "{},{} ", number(point.x), number(-point.y));
    }
    text.truncate(text.trim_end().len());
    text
}

fn draw_terrain(mut group: Group, shape: &Terrain, position: Vec2, rotation: Rotation, colour: &str) -> Group {
    if let Terrain::Circle { radius } = *shape {
        return group.add(circle(position, radius).set("fill", colour));
    }
    let (outline, closed) = shape.outline();
    let points: Vec<Vec2> = outline.into_iter().map(|point| position + rotation.turn(point)).collect();
    if matches!(shape, Terrain::Block { .. } | Terrain::Polygon { .. }) {
        let solid = Polygon::new().set("points", in_picture(&points)).set("fill", colour).set("fill-rule", "evenodd");
        return group.add(solid.set("stroke", colour).set("stroke-linejoin", "round"));
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

/// Formats a coordinate. Five digits are more than a screen shows.
fn number(value: f32) -> String {
    trimmed(value, if value.abs() < 1.0 { 5 } else { 4 })
}

fn css(Hex([r, g, b]): Hex) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The square around a disc.
fn around(centre: Vec2, radius: f32) -> Rect {
    Rect { min: centre - radius, max: centre + radius }
}

/// The lower left corner and the size of a rectangle around all bounds, with a small margin.
fn with_margin(bounds: &[Rect]) -> (Vec2, Vec2) {
    let all = bounds.iter().copied().reduce(|all, one| all.union(one));
    let all = all.unwrap_or(Rect::from_corners(-Vec2::ONE, Vec2::ONE));
    let margin = 0.04 * all.size().max_element().max(1e-3);
    (all.min - margin, all.size() + 2.0 * margin)
}
