//! Drawing of diagrams as SVG.

use std::fmt::Write;

use bevy::prelude::*;
use serde::Deserialize;
use svg::{
    Document,
    node::element::{Circle, Group, Line, Path, Polygon, Polyline, Rectangle, Text},
};

use super::{Diagram, DrawnDisc, DrawnStroke, DrawnTerrain};
use crate::{
    billiards::tables::BuiltTable,
    components::{Rotation, Terrain},
    games::Area,
    number::trimmed,
    scene::{BallColour, DiscColour, Hex},
};

impl Diagram {
    /// The diagram with these lines of text below it. The y axis of the picture points down, that of the scene up.
    pub(crate) fn to_svg(&self, words: &[String]) -> String {
        let palette = Palette::read();
        let mut bounds = Vec::new();
        let [terrain, pockets] = self.draw_terrain(&mut bounds);
        let [start, lines, end] = self.draw_discs(&palette, &mut bounds);
        if let Some(table) = &self.table {
            bounds.extend(table.rail.iter().map(|&corner| around(corner, 0.0)));
        }
        let (mut low, mut size) = with_margin(&bounds);
        let line = LINE * size.x;
        let text = (!words.is_empty()).then(|| self.draw_words(words, Vec2::new(low.x + line, low.y), line));
        if text.is_some() {
            let height = words.len() as f32 * 1.4 * line + 0.8 * line;
            (low.y, size.y) = (low.y - height, size.y + height);
        }
        let width = 1000.0;
        let mut document = Document::new()
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
            );
        if let Some(table) = &self.table {
            document = document.add(draw_table(table));
        }
        document = document.add(pockets);
        if !self.targets.is_empty() {
            document = document.add(self.draw_targets());
        }
        if let Some(stroke) = &self.stroke {
            document = document.add(stroke.draw());
        }
        // The paths of a shot run below the balls, so that their numbers can be read.
        let [below, above] = if self.table.is_some() { [lines, start] } else { [start, lines] };
        document = document
            .add(below)
            .add(above)
            .add(terrain.set("stroke-width", number(0.003 * size.max_element())))
            .add(end);
        if let Some(text) = text {
            document = document.add(text);
        }
        document.to_string() + "\n"
    }

    /// Draws terrain and pockets, and adds their extents to the bounds.
    fn draw_terrain(&self, bounds: &mut Vec<Rect>) -> [Group; 2] {
        let mut terrain = Group::new();
        for DrawnTerrain { shape, position, rotation, colour } in &self.terrain {
            if let (Terrain::Circle { radius }, Some(pocket)) = (shape, self.pocket_beside(*position)) {
                terrain = terrain.add(jaw(*position, *radius, pocket).set("stroke", css(TERRAIN)));
                continue;
            }
            bounds.extend(shape.bounds(*position, *rotation));
            terrain = draw_piece(terrain, shape, *position, *rotation, &css(colour.unwrap_or(TERRAIN)));
        }
        let mut pockets = Group::new().set("fill", POCKETS);
        for &(centre, radius) in &self.pockets {
            bounds.push(around(centre, radius));
            pockets = pockets.add(circle(centre, radius));
        }
        [terrain, pockets]
    }

    /// The pocket of the table whose jaw a circle at this position is. Elsewhere a circle is a piece of terrain.
    fn pocket_beside(&self, position: Vec2) -> Option<Vec2> {
        let pockets = self.table.iter().flat_map(|_| self.pockets.iter().map(|&(centre, _)| centre));
        pockets.min_by(|a, b| a.distance_squared(position).total_cmp(&b.distance_squared(position)))
    }

    /// Draws the discs at the start, their paths, and the discs at the end, and adds their extents to the bounds. Discs
    /// of a position without a shot are drawn once.
    fn draw_discs(&self, palette: &Palette, bounds: &mut Vec<Rect>) -> [Group; 3] {
        let mut start = Group::new().set("opacity", if self.stroke.is_some() { 0.6 } else { 0.25 });
        let mut lines = Group::new().set("fill", "none").set("stroke-linejoin", "round").set("opacity", 0.7);
        let [mut gaps, mut landings] = [Group::new(), Group::new()].map(|group| group.set("fill", "none"));
        let mut end = Group::new();
        for DrawnDisc { colour, number: written, striped, radius, path, flights, end: place } in &self.discs {
            let colour = palette.of_disc(*colour);
            // A dark edge, as a pale ball or its path can hardly be seen on the ground, and no path on cloth.
            let has_edge = self.table.is_some() || is_pale(colour);
            let colour = css(colour);
            let radius = *radius;
            let from = path[0][0];
            bounds.push(around(from, radius));
            if self.table.is_none() {
                bounds.extend(path.iter().flatten().map(|point| around(*point, 0.0)));
            }
            let ball = |place: Vec2| {
                let ground = if *striped { css(palette.balls.white) } else { colour.clone() };
                let stripe = striped.then(|| stripe(place, radius).set("fill", colour.as_str()));
                (circle(place, radius).set("fill", ground).set("stroke-width", number(0.06 * radius)), stripe)
            };
            let (mut disc, band) = ball(from);
            if has_edge {
                disc = disc.set("stroke", INK);
            }
            start = band.into_iter().fold(start.add(disc), Group::add);
            if let Some(written) = written {
                start = draw_number(start, from, radius, *written);
            }
            if let Some(place) = *place {
                bounds.push(around(place, radius));
                let (disc, band) = ball(place);
                end = end.add(disc.set("stroke", "#000000").set("stroke-opacity", 0.4));
                end = band.into_iter().fold(end, Group::add);
                if let Some(written) = written {
                    end = draw_number(end, place, radius, *written);
                }
            }
            for piece in path.iter().filter(|piece| piece.len() > 1) {
                if has_edge {
                    let edge = Polyline::new().set("points", in_picture(piece)).set("stroke", INK);
                    lines = lines.add(edge.set("stroke-width", number(0.22 * radius)));
                }
                let line = Polyline::new().set("points", in_picture(piece)).set("stroke", colour.as_str());
                lines = lines.add(line.set("stroke-width", number(0.08 * radius)));
            }
            for flight in flights {
                let below = if self.table.is_some() { CLOTH } else { BACKGROUND };
                let dashes = number(0.8 * radius);
                let flight_gaps = Polyline::new().set("points", in_picture(&flight.way)).set("stroke", below);
                let flight_gaps = flight_gaps.set("stroke-dasharray", format!("{dashes} {dashes}"));
                gaps = gaps.add(flight_gaps.set("stroke-width", number(0.3 * radius)));
                if let Some(&landing) = flight.way.last().filter(|_| flight.lands) {
                    let ring = circle(landing, 0.4 * radius).set("stroke", INK);
                    landings = landings.add(ring.set("stroke-width", number(0.12 * radius)));
                }
            }
        }
        [start, Group::new().add(lines).add(gaps).add(landings), end]
    }

    /// Draws the targets, each with its points.
    fn draw_targets(&self) -> Group {
        let mut group = Group::new();
        for target in &self.targets {
            let area = Group::new().set("fill", TARGET).set("fill-opacity", 0.15).set("stroke", TARGET);
            let area = area.set("stroke-width", 0.006);
            let (area, centre) = match target.area {
                Area::Circle { centre, radius } => (area.add(circle(centre, radius)), centre),
                Area::Rectangle { min, max } => {
                    let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
                    (area.add(Polygon::new().set("points", in_picture(&corners))), min.midpoint(max))
                }
            };
            group = group.add(area).add(written(&target.points.to_string(), centre, 0.06).set("fill", TARGET));
        }
        group
    }

    /// Writes lines of text from this upper left corner down, and draws where the tip hits the ball.
    fn draw_words(&self, words: &[String], corner: Vec2, line: f32) -> Group {
        let mut group = Group::new().set("font-family", "sans-serif").set("fill", INK);
        let mut x = corner.x;
        if let Some(DrawnStroke { strike, .. }) = self.stroke {
            let radius = 1.2 * line;
            let centre = Vec2::new(x + radius, corner.y - 1.4 * line);
            let tip = centre + Vec2::new(strike.side as f32, strike.top as f32) * radius;
            group = group
                .add(circle(centre, radius).set("fill", "#ffffff").set("stroke", INK).set("stroke-width", 0.1 * line))
                .add(circle(tip, 0.2 * radius).set("fill", AIM));
            x += 3.4 * line;
        }
        for (text, nth) in words.iter().zip(1_u16..) {
            let text = Text::new(text.as_str()).set("x", number(x)).set("font-size", number(line));
            group = group.add(text.set("y", number(-(corner.y - f32::from(nth) * 1.4 * line + 0.3 * line))));
        }
        group
    }
}

impl DrawnStroke {
    /// Draws the cue behind the ball, and the line along which it is aimed, up to the cushions.
    fn draw(&self) -> Group {
        let (centre, radius) = self.ball;
        let along = self.strike.direction.as_vec2().normalize_or(Vec2::X);
        let aside = -along.perp() * self.strike.side as f32 * radius;
        // The way to the nearest of the four noses ahead.
        let room = (self.half - centre * along.signum()) / along.abs();
        let ahead = centre + along * room.min_element().max(0.0);
        let tip = centre + aside - along * 1.6 * radius;
        let line = |from: Vec2, to: Vec2| {
            let ends = Line::new().set("x1", number(from.x)).set("y1", number(-from.y));
            ends.set("x2", number(to.x)).set("y2", number(-to.y))
        };
        let aim = line(centre, ahead).set("stroke", AIM).set("stroke-width", number(0.16 * radius));
        let cue = line(tip, tip - along * 14.0 * radius).set("stroke", CUE).set("stroke-width", number(0.35 * radius));
        // Dots, as the dashes are balls in the air.
        let dots = [0.01, 0.5].map(|share| number(share * radius)).join(" ");
        Group::new()
            .add(aim.set("stroke-dasharray", dots).set("stroke-linecap", "round"))
            .add(cue.set("stroke-linecap", "round"))
    }
}

const BACKGROUND: &str = "#f6f4ef";
const TERRAIN: Hex = Hex([0x4a, 0x4f, 0x58]);
const POCKETS: &str = "#2a2d33";

const CLOTH: &str = "#c3d8c6";
const RAIL: &str = "#c8bfae";
const INK: &str = "#22262c";
const AIM: &str = "#c2410c";
const CUE: &str = "#8a6a3c";
const TARGET: &str = "#0f766e";

/// The height of a line of text, as a share of the width of the picture.
const LINE: f32 = 0.022;

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
        let file: Result<File, _> = ron::from_str(include_str!("../../assets/themes.ron"));
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

/// Draws the rails with their sights, the cloth, the lines and the spots of a billiard table.
fn draw_table(table: &BuiltTable) -> Group {
    let outline = |points: &[Vec2]| Polygon::new().set("points", in_picture(points));
    let mut group =
        Group::new().add(outline(&table.rail).set("fill", RAIL)).add(outline(&table.bed).set("fill", CLOTH));
    for line in &table.lines {
        let line = Polyline::new().set("points", in_picture(line)).set("fill", "none");
        group = group.add(line.set("stroke", INK).set("stroke-opacity", 0.3).set("stroke-width", 0.004));
    }
    let sights = table.sights.iter().map(|sight| (sight.place, 0.01));
    let spots = table.spots.iter().map(|spot| (spot.place.as_vec2(), 0.006));
    sights.chain(spots).fold(group, |group, (place, radius)| {
        group.add(circle(place, radius).set("fill", INK).set("fill-opacity", 0.4))
    })
}

/// How far around a rounded jaw its edge is drawn, radians: from the nose into the pocket.
const JAW: f32 = 1.8;

/// The edge of a rounded jaw with this centre and radius, beside a pocket.
fn jaw(centre: Vec2, radius: f32, pocket: Vec2) -> Polyline {
    let to_pocket = pocket - centre;
    // Along the nose towards the pocket, and across it to the bed.
    let [along, to_bed] = if to_pocket.x.abs() > to_pocket.y.abs() {
        [Vec2::X * to_pocket.x.signum(), Vec2::NEG_Y * centre.y.signum()]
    } else {
        [Vec2::Y * to_pocket.y.signum(), Vec2::NEG_X * centre.x.signum()]
    };
    let point = |k: u8| {
        let (sin, cos) = bevy::math::ops::sin_cos(JAW * f32::from(k) / 16.0);
        centre + radius * (along * sin + to_bed * cos)
    };
    let points: Vec<Vec2> = (0..=16).map(point).collect();
    Polyline::new().set("points", in_picture(&points)).set("fill", "none").set("stroke-linecap", "round")
}

/// Half the height of the stripe of a ball, in radii.
const STRIPE: f32 = 0.55;

/// The stripe of a ball.
fn stripe(Vec2 { x, y }: Vec2, radius: f32) -> Path {
    let (half, high) = (radius * (1.0 - STRIPE * STRIPE).sqrt(), radius * STRIPE);
    let arc = |x: f32, y: f32| format!("{0},{0} 0 0 1 {1},{2}", number(radius), number(x), number(-y));
    Path::new().set(
        "d",
        format!(
            "M{},{} H{} A{} H{} A{} Z",
            number(x - half),
            number(-(y + high)),
            number(x + half),
            arc(x + half, y - high),
            number(x - half),
            arc(x - half, y + high),
        ),
    )
}

/// Writes the number of a ball on it.
fn draw_number(group: Group, centre: Vec2, radius: f32, written: u8) -> Group {
    let size = if written < 10 { 0.9 } else { 0.75 } * radius;
    group
        .add(circle(centre, 0.55 * radius).set("fill", "#ffffff"))
        .add(self::written(&written.to_string(), centre, size).set("fill", INK))
}

/// A text in the middle of a place.
fn written(text: &str, centre: Vec2, size: f32) -> Text {
    Text::new(text)
        .set("x", number(centre.x))
        .set("y", number(-centre.y + 0.35 * size))
        .set("font-size", number(size))
        .set("font-family", "sans-serif")
        .set("text-anchor", "middle")
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

fn draw_piece(mut group: Group, shape: &Terrain, position: Vec2, rotation: Rotation, colour: &str) -> Group {
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

/// Whether a colour is so pale that it can hardly be seen on the ground of a diagram.
fn is_pale(Hex([r, g, b]): Hex) -> bool {
    Srgba::rgb_u8(r, g, b).luminance() > 0.6
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
