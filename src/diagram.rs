//! Diagrams as SVG: terrain, the discs at the start (faint), their paths, and the discs at the end. A diagram of a shot
//! also has the table, the cue, the aim line, the targets of a drill, and the numbers of the stroke as text. One unit
//! of a diagram is a metre.

use std::fmt::Write;

use bevy::prelude::*;
use serde::Deserialize;
use svg::{
    Document,
    node::element::{Circle, Group, Line, Polygon, Polyline, Rectangle, Text},
};

use crate::{
    billiards::{
        cue::{self, Cue, CueStrike},
        tables::BuiltTable,
    },
    collision::spin::Body,
    components::{Rotation, StableId, Terrain},
    games::{Area, GameTable, ShotError, Simulator, Target, plugin::TablePosition},
    notice::{NoticeText, mark},
    number::trimmed,
    scene::{BallColour, DiscColour, DiscLook, Hex},
};

/// A diagram.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagram {
    /// The billiard table, for its rails, cloth and sights. Default: none is drawn.
    pub(crate) table: Option<BuiltTable>,
    /// The terrain.
    pub(crate) terrain: Vec<DrawnTerrain>,
    /// The pockets: centres and radii, metres.
    pub(crate) pockets: Vec<(Vec2, f32)>,
    /// The discs.
    pub(crate) discs: Vec<DrawnDisc>,
    /// The targets of a drill.
    pub(crate) targets: Vec<Target>,
    /// The stroke.
    pub(crate) stroke: Option<DrawnStroke>,
}

/// A piece of terrain in a diagram.
#[derive(Clone, Debug)]
pub(crate) struct DrawnTerrain {
    pub(crate) shape: Terrain,
    /// Metres.
    pub(crate) position: Vec2,
    pub(crate) rotation: Rotation,
    /// Its own colour.
    pub(crate) colour: Option<Hex>,
}

/// A disc in a diagram.
#[derive(Clone, Debug)]
pub(crate) struct DrawnDisc {
    pub(crate) colour: DiscColour,
    /// The number written on it.
    pub(crate) number: Option<u8>,
    /// Metres.
    pub(crate) radius: f32,
    /// Its path from its start, metres; at least one point.
    pub(crate) path: Vec<Vec2>,
    /// Where it is at the end, metres; `None` if it fell into a pocket.
    pub(crate) end: Option<Vec2>,
}

/// The stroke of a shot in a diagram.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnStroke {
    /// The centre of the struck ball and its radius, metres.
    ball: (Vec2, f32),
    /// Half of the length and half of the width of the table, metres. The aim line ends there.
    half: Vec2,
    strike: CueStrike,
    /// The initial speed of the ball, m/s.
    speed: f64,
}

impl Diagram {
    /// A position on a table.
    pub(crate) fn of_position(position: &TablePosition) -> Self {
        let table: &GameTable = &position.table;
        let built = &table.built;
        let discs = position.layout.on_table().map(|(ball, place)| {
            let look = DiscLook::of_ball(position.balls[ball.index()]);
            let colour = DiscColour::of(StableId(0), Some(&look), true);
            let number = look.number;
            DrawnDisc { colour, number, radius: table.ball_radius(), path: vec![place], end: Some(place) }
        });
        let piece = |piece: &crate::billiards::tables::BuiltPiece| DrawnTerrain {
            shape: piece.terrain.clone(),
            position: piece.position,
            rotation: Rotation::default(),
            colour: None,
        };
        Self {
            terrain: built.pieces.iter().map(piece).collect(),
            pockets: built.holes.iter().map(|hole| (hole.centre.as_vec2(), hole.radius as f32)).collect(),
            discs: discs.collect(),
            targets: position.targets.clone(),
            stroke: None,
            table: Some(built.clone()),
        }
    }

    /// A shot from a position, with the paths and the places at the end.
    ///
    /// # Errors
    /// The ball to strike is not on the table, or the stroke is invalid.
    pub(crate) fn of_shot(position: &TablePosition, strike: &CueStrike, cue: &Cue) -> Result<Self, ShotError> {
        let TablePosition { table, layout, cue_ball, .. } = position;
        let (shot, trace) = Simulator::new(table.clone()).trace(layout, *cue_ball, strike, cue)?;
        let mut diagram = Self::of_position(position);
        for ((ball, _), disc) in layout.on_table().zip(&mut diagram.discs) {
            let way = trace.way(ball, None);
            if !way.is_empty() {
                disc.path = way;
            }
            disc.end = shot.after[ball].on_table();
        }
        let ball = &table.spec.ball;
        let body = Body { mass: ball.mass, radius: ball.radius, shape: ball.shape };
        let motion = cue::strike_on(&table.spec.physics(), cue, &body, strike)?;
        let place = layout[*cue_ball].on_table().ok_or(ShotError::NoCueBall)?;
        diagram.stroke = Some(DrawnStroke {
            ball: (place, table.ball_radius()),
            half: table.half(),
            strike: *strike,
            speed: motion.velocity.length(),
        });
        Ok(diagram)
    }

    /// The numbers of the stroke in words.
    pub(crate) fn words(&self) -> Vec<NoticeText> {
        let Some(DrawnStroke { strike, speed, .. }) = self.stroke else { return Vec::new() };
        let angle = bevy::math::ops::atan2(strike.direction.y as f32, strike.direction.x as f32).to_degrees();
        let number = |value: f64, digits: usize| crate::number::decimals(value, digits);
        vec![
            NoticeText::new(mark("Speed: {} m/s. Direction: {}°."), [number(speed, 2), number(angle.into(), 2)]),
            NoticeText::new(
                mark("Side: {} R. Top: {} R. Elevation: {}°."),
                [number(strike.side, 2), number(strike.top, 2), number(strike.elevation.to_degrees(), 1)],
            ),
        ]
    }

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

    /// Draws the discs at the start, their paths, and the discs at the end, and adds their extents to the bounds. Discs
    /// of a position without a shot are drawn once.
    fn draw_discs(&self, palette: &Palette, bounds: &mut Vec<Rect>) -> [Group; 3] {
        let mut start = Group::new().set("opacity", if self.stroke.is_some() { 0.6 } else { 0.25 });
        let mut lines = Group::new().set("fill", "none").set("stroke-linejoin", "round").set("opacity", 0.7);
        let mut end = Group::new();
        for DrawnDisc { colour, number: written, radius, path, end: place } in &self.discs {
            let colour = css(palette.of_disc(*colour));
            let radius = *radius;
            bounds.push(around(path[0], radius));
            let mut ball = circle(path[0], radius).set("fill", colour.as_str());
            if self.table.is_some() {
                ball = ball.set("stroke", INK).set("stroke-width", number(0.06 * radius));
            }
            start = start.add(ball);
            if let Some(written) = written {
                start = draw_number(start, path[0], radius, *written);
            }
            if let Some(place) = *place {
                bounds.push(around(place, radius));
                end = end.add(
                    circle(place, radius)
                        .set("fill", colour.as_str())
                        .set("stroke", "#000000")
                        .set("stroke-opacity", 0.4)
                        .set("stroke-width", number(0.06 * radius)),
                );
                if let Some(written) = written {
                    end = draw_number(end, place, radius, *written);
                }
            }
            if path.len() > 1 {
                if self.table.is_some() {
                    // A dark edge, as the path of a white ball is pale on the cloth.
                    let edge = Polyline::new().set("points", in_picture(path)).set("stroke", INK);
                    lines = lines.add(edge.set("stroke-width", number(0.22 * radius)));
                }
                lines = lines.add(
                    Polyline::new()
                        .set("points", in_picture(path))
                        .set("stroke", colour)
                        .set("stroke-width", number(0.08 * radius)),
                );
            }
        }
        [start, lines, end]
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
        let aim = line(centre, ahead).set("stroke", AIM).set("stroke-width", number(0.1 * radius));
        let cue = line(tip, tip - along * 14.0 * radius).set("stroke", CUE).set("stroke-width", number(0.35 * radius));
        let dashes = number(0.4 * radius);
        Group::new()
            .add(aim.set("stroke-dasharray", format!("{dashes} {dashes}")))
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
        let file: Result<File, _> = ron::from_str(include_str!("../assets/themes.ron"));
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

#[cfg(test)]
mod tests {
    use bevy::math::DVec2;

    use super::*;
    use crate::games::{
        BallId, BallPlace, Layout,
        drills::{LaidDrill, named},
    };

    /// The first position of the drill *Wagon wheel*.
    fn position() -> TablePosition {
        let drill = named("wagon-wheel").unwrap();
        let (laid, table) = LaidDrill::on_usual_table(drill).unwrap();
        let first = &laid.positions[0];
        let (layout, targets) = (first.layout.clone(), first.targets.clone());
        let table_name = drill.usual_table().to_owned();
        TablePosition { table_name, table, balls: laid.balls.clone(), layout, cue_ball: BallId(0), targets }
    }

    #[test]
    fn a_shot_has_balls_with_numbers_paths_the_tip_and_the_numbers_of_the_stroke() {
        let position = position();
        // From the cue ball to the 1, with follow.
        let balls: Vec<Vec2> = position.layout.on_table().map(|(_, place)| place).collect();
        let direction = (balls[1] - balls[0]).as_dvec2();
        let strike = CueStrike { speed: 2.0, direction, side: 0.0, top: 0.25, ..CueStrike::default() };
        let diagram = Diagram::of_shot(&position, &strike, &Cue::default()).unwrap();
        let words: Vec<String> = diagram.words().iter().map(ToString::to_string).collect();
        let angle = direction.y.atan2(direction.x).to_degrees();
        assert!(words[0].ends_with(&format!("Direction: {angle:.2}°.")), "{words:?}");
        assert_eq!(words[1], "Side: 0.00 R. Top: 0.25 R. Elevation: 0.0°.");
        let svg = diagram.to_svg(&words);
        // The number at the start, and at the end if it is not potted; a target of 2 points.
        assert!(svg.contains(">\n1\n<") && svg.contains(">\n2\n<"), "{svg}");
        assert!(svg.matches("<polyline").count() >= 2 && svg.contains("stroke-dasharray"), "{svg}");
        assert!(words.iter().all(|line| svg.contains(line)), "{svg}");
        let still = Diagram::of_position(&position);
        assert!(still.words().is_empty() && !still.to_svg(&[]).contains("stroke-dasharray"));
    }

    #[test]
    fn the_aim_line_ends_at_the_nose_ahead() {
        let position = position();
        let half = position.table.half();
        let strike = CueStrike { speed: 1.0, direction: DVec2::X, ..CueStrike::default() };
        let alone =
            TablePosition { layout: Layout(vec![BallPlace::Table(Vec2::new(-0.3, 0.2)), BallPlace::Off]), ..position };
        let diagram = Diagram::of_shot(&alone, &strike, &Cue::default()).unwrap();
        let line = diagram.stroke.unwrap().draw().to_string();
        let end = format!("x2=\"{}\" y1=\"{}\" y2=\"{}\"", number(half.x), number(-0.2), number(-0.2));
        assert!(line.contains(&end), "{line}, not {end}");
    }

    #[test]
    fn a_stroke_beside_the_ball_has_no_diagram() {
        let strike = CueStrike { speed: 1.0, direction: DVec2::X, side: 0.9, ..CueStrike::default() };
        let shot = Diagram::of_shot(&position(), &strike, &Cue::default());
        assert!(matches!(shot, Err(ShotError::Miscue(_))));
    }
}
