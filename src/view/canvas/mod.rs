//! The canvas: shapes that are listed for every view and drawn together.
//!
//! Every shape is an instance of a quad. Its fragment shader (`canvas.wgsl`) measures the distance to the shape's edge
//! and fades over one pixel, so edges are smooth at any zoom. Lengths are in metres;
//! [`View2d::px`](crate::view::View2d::px) converts a width in pixels. Within a [`Layer`], later shapes are on top.

use bevy::prelude::*;

use crate::view::camera::view2d::View2d;

pub(super) mod triangulate;

/// The layers, from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The floor, the table, its rails.
    Ground,
    /// Marks on the floor: the grid of the broad phase, a selection box's fill.
    Marks,
    /// Shadows of discs and terrain.
    Shadow,
    /// Blocks, bumpers, walls.
    Terrain,
    /// Past and predicted paths of discs. The discs are drawn between this layer and the next.
    Trail,
    /// Rings around discs: hovered or selected.
    Highlight,
    /// Velocity arrows.
    Arrow,
    /// The marks of a lesson.
    Lesson,
    /// Marks of a gesture: the aim line, the selection box.
    Gesture,
}

/// The most dashes of a line.
const MOST_DASHES: f32 = 400.0;

/// Shorter pieces of a dash, which rounding leaves at the corners of a line, are not drawn. In lengths of a dash.
const SHORTEST_DASH: f32 = 1e-3;

const LAYERS: usize = Layer::Gesture as usize + 1;

/// The interpretation of a quad by the fragment shader. The numbers match those in `canvas.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapeKind {
    /// A rounded box; `parameter` is the width over which its edge fades.
    Fill = 0,
    /// The inside border of a rounded box; `parameter` is its width.
    Stroke = 1,
    /// A triangle with its tip at +x; `parameter` is its inflation.
    Head = 2,
    /// A rod seen from the side; the corner is half of its width at -x, `parameter` half of its width at +x.
    Taper = 3,
    /// A rounded box with one colour in its middle and another at its ends.
    Gradient = 4,
    /// A rounded box with a bevelled edge; `parameter` is the bevel's width.
    Bevel = 5,
    /// A rounded box of wood with its grain along x; `parameter` is one metre.
    Wood = 6,
    /// A rhombus with its diagonals along its axes.
    Rhombus = 7,
    /// A triangle on its longest side; `parameter` is the offset of its tip to the right of the middle.
    Triangle = 8,
}

/// A quad, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    centre: Vec2,
    /// Half of its width and half of its height.
    half: Vec2,
    /// Cosine and sine of its rotation.
    turn: Vec2,
    corner: f32,
    parameter: f32,
    kind: ShapeKind,
    colour: LinearRgba,
    second: LinearRgba,
}

/// The number of words in an instance of a shape.
pub(super) const SHAPE_WORDS: usize = 18;

impl Shape {
    /// The instance of the shape, if any of it is visible.
    fn pack(&self, view: &View2d) -> Option<[f32; SHAPE_WORDS]> {
        let scale = view.pixels_per_metre;
        let reach = view.half_sheet();
        let centre = view.to_sheet(self.centre);
        let exact = self.half * scale;
        if !(centre.is_finite() && exact.is_finite()) {
            return None;
        }
        // A shape thinner than a pixel is drawn one pixel wide and proportionally fainter.
        let half = exact.max(Vec2::splat(0.5));
        // Triangles keep their opacity, as the area that they fill together is not thin.
        let faint = if self.kind == ShapeKind::Triangle { 1.0 } else { (exact.x / half.x) * (exact.y / half.y) };
        // Fading and inflation extend beyond the box; an inflated tip extends further than its inflation.
        let spill = if matches!(self.kind, ShapeKind::Fill | ShapeKind::Head) { self.parameter * 3.0 } else { 0.0 };
        let diagonal = (half + 1.5 + spill * scale).length();
        let nearest = centre.clamp(-reach, reach);
        if centre.distance_squared(nearest) > diagonal * diagonal {
            return None;
        }
        let corner = (self.corner * scale).max(0.0).min(half.min_element());
        let corner = if exact == half { corner } else { corner.max(half.min_element().min(0.5)) };
        let [x, y] = centre.to_array();
        let [r, g, b, a] = self.colour.to_f32_array();
        let [r2, g2, b2, a2] = self.second.to_f32_array();
        let (parameter, kind) = (self.parameter * scale, f32::from(self.kind as u8));
        let [cos, sin] = self.turn.to_array();
        Some([x, y, half.x, half.y, corner, parameter, kind, 0.0, cos, sin, r, g, b, a * faint, r2, g2, b2, a2])
    }
}

/// The shapes of the [`CurrentView`](crate::view::CurrentView) being drawn. Fill it in the schedule
/// [`DrawView`](crate::view::DrawView).
#[derive(Resource, Debug, Default)]
pub struct Canvas {
    layers: [Vec<Shape>; LAYERS],
}

/// The outline of a rectangle: a board, a pane, or, fully rounded, a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plate {
    centre: Vec2,
    half: Vec2,
    /// Its x axis, length 1.
    turn: Vec2,
    corner: f32,
}

impl Plate {
    /// A rectangle with sharp corners: its centre, and half of its width and height, metres.
    #[must_use]
    pub fn new(centre: Vec2, half: Vec2) -> Self {
        Self { centre, half, turn: Vec2::X, corner: 0.0 }
    }

    /// A disc, metres.
    #[must_use]
    pub fn disc(centre: Vec2, radius: f32) -> Self {
        Self::new(centre, Vec2::splat(radius)).rounded(radius)
    }

    /// Turned by an angle, radians, counter-clockwise.
    #[must_use]
    pub fn turned(self, angle: f32) -> Self {
        let (sin, cos) = bevy::math::ops::sin_cos(angle);
        Self { turn: Vec2::new(cos, sin), ..self }
    }

    /// With corners of this radius, metres, at most half of the shorter side.
    #[must_use]
    pub fn rounded(self, corner: f32) -> Self {
        Self { corner: corner.min(self.half.min_element()), ..self }
    }

    fn shape(self, kind: ShapeKind, parameter: f32, colour: LinearRgba) -> Shape {
        let Self { centre, half, turn, corner } = self;
        Shape { centre, half, turn, corner, parameter, kind, colour, second: colour }
    }
}

impl Canvas {
    /// Removes all shapes.
    pub fn clear(&mut self) {
        for layer in &mut self.layers {
            layer.clear();
        }
    }

    /// The number of shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layers.iter().map(Vec::len).sum()
    }

    /// Whether there are no shapes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Packs the visible shapes of some layers as instances for `canvas.wgsl`, in coordinates relative to the view. A
    /// view far from the origin of the world is thus as sharp as one at the origin.
    pub(super) fn pack(&self, layers: &[Layer], view: &View2d, into: &mut Vec<[f32; SHAPE_WORDS]>) {
        let shapes = layers.iter().flat_map(|&layer| &self.layers[layer as usize]);
        into.extend(shapes.filter_map(|shape| shape.pack(view)));
    }

    /// A filled disc.
    pub fn disc(&mut self, layer: Layer, centre: Vec2, radius: f32, colour: impl Into<LinearRgba>) {
        self.rect(layer, Plate::disc(centre, radius), colour);
    }

    /// A ring with this outer radius and line width.
    pub fn ring(&mut self, layer: Layer, centre: Vec2, radius: f32, width: f32, colour: impl Into<LinearRgba>) {
        self.rect_outline(layer, Plate::disc(centre, radius), width, colour);
    }

    /// A disc whose rim fades over `fade` on both sides: a shadow or a glow.
    pub fn glow(&mut self, layer: Layer, centre: Vec2, radius: f32, fade: f32, colour: impl Into<LinearRgba>) {
        self.soft_rect(layer, Plate::disc(centre, radius), fade, colour);
    }

    /// A straight line with round ends.
    pub fn line(&mut self, layer: Layer, a: Vec2, b: Vec2, width: f32, colour: impl Into<LinearRgba>) {
        let turn = (b - a).try_normalize().unwrap_or(Vec2::X);
        let half = Vec2::new(a.distance(b) / 2.0 + width / 2.0, width / 2.0);
        let plate = Plate { turn, ..Plate::new(a.midpoint(b), half).rounded(width / 2.0) };
        self.push(layer, plate.shape(ShapeKind::Fill, 0.0, colour.into()));
    }

    /// A straight line with square ends. Transparent pieces of one direction join without a visible overlap.
    pub fn piece(&mut self, layer: Layer, a: Vec2, b: Vec2, width: f32, colour: impl Into<LinearRgba>) {
        let turn = (b - a).try_normalize().unwrap_or(Vec2::X);
        let plate = Plate { turn, ..Plate::new(a.midpoint(b), Vec2::new(a.distance(b), width) / 2.0) };
        self.push(layer, plate.shape(ShapeKind::Fill, 0.0, colour.into()));
    }

    /// A dashed line along points, with dashes and gaps of length `dash`, which continue around corners. A line with
    /// more than 400 dashes is drawn solid and fainter.
    pub fn dashed(&mut self, layer: Layer, points: &[Vec2], width: f32, dash: f32, colour: impl Into<LinearRgba>) {
        let colour = colour.into();
        let period = 2.0 * dash;
        let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        if !(length / period <= MOST_DASHES) {
            self.polyline(layer, points, false, width, colour.with_alpha(colour.alpha * 0.5));
            return;
        }
        // The distance along the line to the start of the current part.
        let mut start = 0.0;
        for pair in points.windows(2) {
            let (along, end) = ((pair[1] - pair[0]).normalize_or_zero(), start + pair[0].distance(pair[1]));
            for nth in (start / period) as u32..(end / period).ceil() as u32 {
                let first = nth as f32 * period;
                let (from, to) = (first.max(start), (first + dash).min(end));
                if to - from > SHORTEST_DASH * dash {
                    self.line(layer, pair[0] + along * (from - start), pair[0] + along * (to - start), width, colour);
                }
            }
            start = end;
        }
    }

    /// A chain of straight lines with round joins. If `closed`, the last point is joined to the first.
    pub fn polyline(&mut self, layer: Layer, points: &[Vec2], closed: bool, width: f32, colour: impl Into<LinearRgba>) {
        let colour = colour.into();
        for pair in points.windows(2) {
            self.line(layer, pair[0], pair[1], width, colour);
        }
        if let (true, [first, .., last]) = (closed, points) {
            self.line(layer, *last, *first, width, colour);
        }
    }

    /// A filled rectangle.
    pub fn rect(&mut self, layer: Layer, plate: Plate, colour: impl Into<LinearRgba>) {
        self.soft_rect(layer, plate, 0.0, colour);
    }

    /// The outline of a rectangle, on its inside.
    pub fn rect_outline(&mut self, layer: Layer, plate: Plate, width: f32, colour: impl Into<LinearRgba>) {
        self.push(layer, plate.shape(ShapeKind::Stroke, width, colour.into()));
    }

    /// A filled rectangle whose edge fades over `fade` on both sides.
    pub fn soft_rect(&mut self, layer: Layer, plate: Plate, fade: f32, colour: impl Into<LinearRgba>) {
        self.push(layer, plate.shape(ShapeKind::Fill, fade, colour.into()));
    }

    /// A rectangle with a gradient from `inner` in its middle to `outer` at its ends.
    pub fn gradient(&mut self, layer: Layer, plate: Plate, inner: impl Into<LinearRgba>, outer: impl Into<LinearRgba>) {
        self.push(layer, Shape { second: outer.into(), ..plate.shape(ShapeKind::Gradient, 0.0, inner.into()) });
    }

    /// A rectangle with a bevelled edge, lit from the top left.
    pub fn bevel(&mut self, layer: Layer, plate: Plate, width: f32, colour: impl Into<LinearRgba>) {
        self.push(layer, plate.shape(ShapeKind::Bevel, width, colour.into()));
    }

    /// A round rod between two points, with a width at each, lit from the top left. The widths must not differ by much
    /// of the rod's length.
    pub fn taper(
        &mut self,
        layer: Layer,
        (a, width_a): (Vec2, f32),
        (b, width_b): (Vec2, f32),
        colour: impl Into<LinearRgba>,
    ) {
        let Some(turn) = (b - a).try_normalize() else { return };
        let plate = Plate { turn, ..Plate::new(a.midpoint(b), Vec2::new(a.distance(b), width_a.max(width_b)) / 2.0) };
        // The corner is half of the width at a, the parameter half of the width at b.
        let shape = plate.shape(ShapeKind::Taper, width_b / 2.0, colour.into());
        self.push(layer, Shape { corner: width_a / 2.0, ..shape });
    }

    /// A board of wood with its grain along its x axis, in colours from `light` to `dark`.
    pub fn wood(&mut self, layer: Layer, plate: Plate, light: impl Into<LinearRgba>, dark: impl Into<LinearRgba>) {
        self.push(layer, Shape { second: dark.into(), ..plate.shape(ShapeKind::Wood, 1.0, light.into()) });
    }

    /// A rhombus whose diagonals are the sides of the plate.
    pub fn rhombus(&mut self, layer: Layer, plate: Plate, colour: impl Into<LinearRgba>) {
        self.push(layer, plate.shape(ShapeKind::Rhombus, 0.0, colour.into()));
    }

    /// A filled triangle. It extends beyond its edges by half a pixel, so that triangles with a common edge leave no
    /// gap.
    pub fn triangle(&mut self, layer: Layer, corners: [Vec2; 3], colour: impl Into<LinearRgba>) {
        let [a, b, c] = corners;
        let sides = [(a, b, c), (b, c, a), (c, a, b)];
        let length = |side: &(Vec2, Vec2, Vec2)| side.0.distance_squared(side.1);
        let Some((from, to, tip)) = sides.into_iter().max_by(|a, b| length(a).total_cmp(&length(b))) else { return };
        let Some(along) = (to - from).try_normalize() else { return };
        let (base, height) = (from.distance(to), along.perp_dot(tip - from));
        // The tip lies above the base.
        let turn = if height < 0.0 { -along } else { along };
        let centre = from.midpoint(to) + turn.perp() * (height.abs() / 2.0);
        let plate = Plate { turn, ..Plate::new(centre, vec2(base, height.abs()) / 2.0) };
        let shape = plate.shape(ShapeKind::Triangle, turn.dot(tip - centre), colour.into());
        self.push(layer, shape);
    }

    /// An arrow between two points, whose tip ends exactly at `to`. A very short arrow is all head.
    pub fn arrow(&mut self, layer: Layer, from: Vec2, to: Vec2, width: f32, colour: impl Into<LinearRgba>) {
        self.inflated_arrow(layer, from, to, width, 0.0, colour.into());
    }

    /// An arrow with a rim of width `rim` in a second colour, to stand out from any background.
    #[expect(clippy::too_many_arguments, reason = "a shape is its measures, and each call names them in one order")]
    pub fn rimmed_arrow(
        &mut self,
        layer: Layer,
        from: Vec2,
        to: Vec2,
        width: f32,
        rim: f32,
        colour: impl Into<LinearRgba>,
        rim_colour: impl Into<LinearRgba>,
    ) {
        self.inflated_arrow(layer, from, to, width, rim, rim_colour.into());
        self.inflated_arrow(layer, from, to, width, 0.0, colour.into());
    }

    fn inflated_arrow(&mut self, layer: Layer, from: Vec2, to: Vec2, width: f32, by: f32, colour: LinearRgba) {
        let length = from.distance(to);
        let Some(along) = (to - from).try_normalize() else { return };
        let head = (width * 4.5).min(length);
        let neck = to - along * head;
        if length > head {
            // The shaft ends within the head, so that its round end does not show at the sides.
            let end = neck + along * (head * 0.25 - width / 2.0).max(0.0);
            self.line(layer, from, end, width + 2.0 * by, colour);
        }
        let half = Vec2::new(head / 2.0, head * 0.36);
        let plate = Plate { turn: along, ..Plate::new(neck.midpoint(to), half) };
        self.push(layer, plate.shape(ShapeKind::Head, by, colour));
    }

    fn push(&mut self, layer: Layer, shape: Shape) {
        self.layers[layer as usize].push(shape);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dashed_line_is_half_drawn_and_continues_around_corners() {
        let mut canvas = Canvas::default();
        canvas.dashed(Layer::Trail, &[Vec2::ZERO, Vec2::X], 0.001, 0.05, Srgba::WHITE);
        assert_eq!(canvas.len(), 10, "ten dashes of five centimetres");
        canvas.clear();
        // A corner in the middle of the third dash.
        let corner = vec2(0.225, 0.0);
        canvas.dashed(Layer::Trail, &[Vec2::ZERO, corner, corner + vec2(0.0, 0.2)], 0.001, 0.05, Srgba::WHITE);
        let drawn = |shape: &Shape| 2.0 * shape.half.x - 0.001;
        let lengths: Vec<f32> = canvas.layers[Layer::Trail as usize].iter().map(drawn).collect();
        let expected = [0.05, 0.05, 0.025, 0.025, 0.05, 0.025];
        assert_eq!(lengths.len(), expected.len(), "{lengths:?}");
        assert!(lengths.iter().zip(expected).all(|(length, expected)| (length - expected).abs() < 1e-6), "{lengths:?}");
    }

    #[test]
    fn a_line_with_too_many_dashes_is_solid() {
        let mut canvas = Canvas::default();
        let points: Vec<Vec2> = (0..=100).map(|k| Vec2::new(0.01 * k as f32, 0.0)).collect();
        canvas.dashed(Layer::Trail, &points, 0.001, 1e-5, Srgba::WHITE);
        assert_eq!(canvas.len(), 100);
    }
}
