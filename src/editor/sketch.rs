//! The drawing in progress: clicks, drags and keys become a disc, a piece of terrain or a measurement, as a state
//! machine.
//!
//! [`Sketch::press`], [`Sketch::follow`], [`Sketch::release`] and the other methods are the whole machine, independent
//! of the ECS. All points are in metres and already snapped.

use bevy::{math::ops, prelude::*};
use std::f32::consts::{FRAC_PI_2, PI};

use super::{snap::whole_step, tool::Tool};
use crate::{components::Terrain, number::zero_without_sign, view::words::measures::metres_in_words};

/// The drawing in progress. All points are in metres.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub enum Sketch {
    /// No drawing.
    #[default]
    Idle,
    /// A drag from a press to the pointer.
    Drag {
        /// The point of the press.
        from: Vec2,
        /// The position of the pointer.
        to: Vec2,
    },
    /// Some points, and the position of the pointer.
    Points {
        /// The clicked points.
        points: Vec<Vec2>,
        /// The position of the pointer, where the next point would be.
        to: Vec2,
    },
    /// A measurement, which stays until the next press.
    Measured(Vec<Vec2>),
}

/// The sizes of pieces drawn with a click, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Half of the width and half of the height of a block.
    pub block: Vec2,
    /// The radius of a bumper.
    pub bumper: f32,
}

/// A completed drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A disc: its centre and its radius, metres. Without a radius it is like the other discs.
    Disc(Vec2, Option<f32>),
    /// A piece of terrain with its place, metres.
    Terrain(Terrain, Vec2),
    /// A joint between the objects at two places, metres.
    Joint([Vec2; 2]),
}

/// The end of a line from one point toward another, rounded to a multiple of 15 degrees.
#[must_use]
pub fn straight(from: Vec2, to: Vec2) -> Vec2 {
    let line = to - from;
    if line == Vec2::ZERO {
        return to;
    }
    let direction = Vec2::from_angle(whole_step(line.to_angle()));
    // Exactly along the axes and the diagonals.
    let direction = direction.map(|part| if part.abs() < 1e-6 { 0.0 } else { part });
    from + direction * line.dot(direction)
}

/// The opposite corner of a square.
#[must_use]
pub fn square(from: Vec2, to: Vec2) -> Vec2 {
    let diagonal = to - from;
    from + Vec2::splat(diagonal.abs().max_element())
        * Vec2::new(1.0_f32.copysign(diagonal.x), 1.0_f32.copysign(diagonal.y))
}

impl Sketch {
    /// Handles a press at a point. With the polygon tool, a press within `slack` (metres) of the first of three or more
    /// corners closes it.
    pub fn press(&mut self, tool: Tool, at: Vec2, slack: f32) -> Option<Piece> {
        if !tool.clicks() {
            *self =
                if matches!(tool, Tool::Select | Tool::Terrain) { Self::Idle } else { Self::Drag { from: at, to: at } };
            return None;
        }
        let Self::Points { points, to } = self else {
            *self = Self::Points { points: vec![at], to: at };
            return None;
        };
        if tool == Tool::Polygon && points.len() >= 3 && points[0].distance(at) <= slack {
            return self.enter(tool);
        }
        if points.last().is_some_and(|last| *last != at) {
            points.push(at);
            *to = at;
        }
        if tool == Tool::Protractor && points.len() == 3 {
            *self = Self::Measured(std::mem::take(points));
        }
        None
    }

    /// Moves the pointer. With `constrained`, lines go in multiples of 15 degrees and blocks are squares.
    pub fn follow(&mut self, tool: Tool, at: Vec2, constrained: bool) {
        let place = |from: Vec2| match tool {
            Tool::Block if constrained => square(from, at),
            Tool::Wall | Tool::Ruler | Tool::Polygon if constrained => straight(from, at),
            _ => at,
        };
        match self {
            Self::Idle | Self::Measured(_) => {}
            Self::Drag { from, to } => *to = place(*from),
            Self::Points { points, to } => *to = points.last().map_or(at, |last| place(*last)),
        }
    }

    /// The point where the next one would be, if there is one already.
    #[must_use]
    pub fn end(&self) -> Option<Vec2> {
        match self {
            Self::Drag { to, .. } | Self::Points { to, .. } => Some(*to),
            Self::Idle | Self::Measured(_) => None,
        }
    }

    /// Ends a drag. One of at most `slack` (metres) is a click.
    pub fn release(&mut self, tool: Tool, slack: f32, sizes: Sizes) -> Option<Piece> {
        let Self::Drag { from, to } = *self else { return None };
        *self = Self::Idle;
        let length = from.distance(to);
        let is_click = length <= slack;
        match tool {
            Tool::Disc => Some(Piece::Disc(from, (!is_click).then_some(length))),
            Tool::Bumper => {
                let radius = if is_click { sizes.bumper } else { length };
                Some(Piece::Terrain(Terrain::Circle { radius }, from))
            }
            Tool::Block => {
                let half = (to - from).abs() / 2.0;
                let (half_size, centre) = if is_click { (sizes.block, from) } else { (half, from.midpoint(to)) };
                // A block as thin as a line is accidental.
                (half_size.min_element() > slack / 4.0 || is_click)
                    .then_some(Piece::Terrain(Terrain::Block { half_size }, centre))
            }
            Tool::Arc if !is_click => Some(Piece::Terrain(half_circle(to - from), from)),
            Tool::Joint if !is_click => Some(Piece::Joint([from, to])),
            Tool::Wall if !is_click => Some(Piece::Terrain(Terrain::Segment { a: from, b: to }, Vec2::ZERO)),
            Tool::Ruler if !is_click => {
                *self = Self::Measured(vec![from, to]);
                None
            }
            _ => None,
        }
    }

    /// Closes a polygon of three or more corners.
    pub fn enter(&mut self, tool: Tool) -> Option<Piece> {
        match self {
            Self::Points { points, .. } if tool == Tool::Polygon && points.len() >= 3 => {
                let points = std::mem::take(points);
                *self = Self::Idle;
                Some(Piece::Terrain(Terrain::Polygon { points }, Vec2::ZERO))
            }
            _ => None,
        }
    }

    /// Removes the last point. Returns whether there was one.
    pub fn back(&mut self) -> bool {
        match self {
            Self::Idle => return false,
            Self::Points { points, .. } if points.len() > 1 => {
                points.pop();
            }
            _ => *self = Self::Idle,
        }
        true
    }

    /// Cancels the drawing. Returns whether there was one.
    pub fn give_up(&mut self) -> bool {
        std::mem::take(self) != Self::Idle
    }

    /// The current measurement in words.
    #[must_use]
    pub fn in_words(&self, tool: Tool) -> Option<String> {
        match (self, tool) {
            // No measurement before the pointer has moved.
            (Self::Drag { from, to }, _) if from == to => None,
            (Self::Points { points, to }, Tool::Polygon) if points.last() == Some(to) => None,
            (Self::Points { points, to }, Tool::Protractor) if points.contains(to) => None,
            (Self::Drag { from, to }, Tool::Disc | Tool::Bumper | Tool::Arc) => {
                Some(format!("r {}", metres_in_words(from.distance(*to))))
            }
            (Self::Drag { from, to }, Tool::Block) => {
                let size = (*to - *from).abs();
                Some(format!("{} × {}", metres_in_words(size.x), metres_in_words(size.y)))
            }
            (Self::Drag { from, to }, Tool::Joint) => Some(metres_in_words(from.distance(*to))),
            (Self::Drag { from, to }, Tool::Wall) => Some(length_and_angle(*from, *to)),
            (Self::Drag { from, to }, Tool::Ruler) => Some(ruled(*from, *to)),
            (Self::Points { points, to }, Tool::Polygon) => points.last().map(|last| length_and_angle(*last, *to)),
            (Self::Points { points, to }, Tool::Protractor) => match points[..] {
                [corner, leg] => Some(degrees(angle(corner, leg, *to))),
                [corner] => Some(length_and_angle(corner, *to)),
                _ => None,
            },
            (Self::Measured(points), _) => match points[..] {
                [from, to] => Some(ruled(from, to)),
                [corner, leg, other] => Some(degrees(angle(corner, leg, other))),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Half of a circle through this point, open on the side opposite to it, relative to its centre, metres. Its handles
/// open and close it.
#[must_use]
pub fn half_circle(through: Vec2) -> Terrain {
    Terrain::Arc { radius: through.length(), start: through.to_angle() - FRAC_PI_2, extent: PI }
}

/// The angle between two legs, radians, from 0 to pi.
#[must_use]
pub fn angle(corner: Vec2, leg: Vec2, other: Vec2) -> f32 {
    let (a, b) = (leg - corner, other - corner);
    ops::atan2(a.perp_dot(b).abs(), a.dot(b))
}

fn length_and_angle(from: Vec2, to: Vec2) -> String {
    format!("{}, {}", metres_in_words(from.distance(to)), degrees((to - from).to_angle()))
}

fn ruled(from: Vec2, to: Vec2) -> String {
    let way = to - from;
    format!(
        "{}\nΔx {}, Δy {}\n{}",
        metres_in_words(way.length()),
        metres_in_words(way.x),
        metres_in_words(way.y),
        degrees(way.to_angle())
    )
}

/// An angle in words, to a tenth of a degree.
pub(super) fn degrees(radians: f32) -> String {
    let degrees = (radians.to_degrees() * 10.0).round() / 10.0;
    zero_without_sign(format!("{degrees}")) + "°"
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { block: vec2(0.5, 0.25), bumper: 0.3 };

    fn dragged(tool: Tool, from: Vec2, to: Vec2, constrained: bool) -> Option<Piece> {
        let mut sketch = Sketch::default();
        assert_eq!(sketch.press(tool, from, 0.1), None);
        sketch.follow(tool, to, constrained);
        let piece = sketch.release(tool, 0.1, SIZES);
        assert!(matches!(sketch, Sketch::Idle | Sketch::Measured(_)));
        piece
    }

    #[test]
    fn a_drag_draws_a_wall_a_block_a_bumper_or_a_disc() {
        let (from, to) = (vec2(1.0, 1.0), vec2(4.0, -3.0));
        let wall = Piece::Terrain(Terrain::Segment { a: from, b: to }, Vec2::ZERO);
        assert_eq!(dragged(Tool::Wall, from, to, false), Some(wall));
        let block = Piece::Terrain(Terrain::Block { half_size: vec2(1.5, 2.0) }, vec2(2.5, -1.0));
        assert_eq!(dragged(Tool::Block, from, to, false), Some(block));
        let bumper = Piece::Terrain(Terrain::Circle { radius: 5.0 }, from);
        assert_eq!(dragged(Tool::Bumper, from, to, false), Some(bumper));
        assert_eq!(dragged(Tool::Disc, from, to, false), Some(Piece::Disc(from, Some(5.0))));
        assert_eq!(dragged(Tool::Ruler, from, to, false), None);
        assert_eq!(dragged(Tool::Joint, from, to, false), Some(Piece::Joint([from, to])));
        let arc = Terrain::Arc { radius: 2.0, start: -FRAC_PI_2, extent: PI };
        assert_eq!(dragged(Tool::Arc, from, vec2(3.0, 1.0), false), Some(Piece::Terrain(arc, from)));
    }

    #[test]
    fn a_click_puts_a_piece_of_the_usual_size_where_it_has_one() {
        let at = vec2(1.0, 2.0);
        assert_eq!(dragged(Tool::Disc, at, at, false), Some(Piece::Disc(at, None)));
        let bumper = Piece::Terrain(Terrain::Circle { radius: 0.3 }, at);
        assert_eq!(dragged(Tool::Bumper, at, at, false), Some(bumper));
        let block = Piece::Terrain(Terrain::Block { half_size: SIZES.block }, at);
        assert_eq!(dragged(Tool::Block, at, at, false), Some(block));
        for tool in [Tool::Wall, Tool::Ruler, Tool::Select, Tool::Arc, Tool::Joint] {
            assert_eq!(dragged(tool, at, at, false), None);
        }
        assert_eq!(dragged(Tool::Block, at, at + vec2(3.0, 0.0), false), None, "as thin as a line");
    }

    #[test]
    fn with_shift_lines_run_in_steps_of_15_degrees_and_blocks_are_squares() {
        let Some(Piece::Terrain(Terrain::Segment { b, .. }, _)) = dragged(Tool::Wall, Vec2::ZERO, vec2(3.0, 0.2), true)
        else {
            panic!("a wall")
        };
        assert_eq!(b, vec2(3.0, 0.0));
        let end = straight(Vec2::ONE, vec2(2.0, 1.3));
        assert!(((end - Vec2::ONE).to_angle().to_degrees() - 15.0).abs() < 1e-4);
        let Some(Piece::Terrain(Terrain::Block { half_size }, _)) =
            dragged(Tool::Block, Vec2::ZERO, vec2(-3.0, 1.0), true)
        else {
            panic!("a block")
        };
        assert_eq!(half_size, Vec2::splat(1.5));
    }

    #[test]
    fn a_polygon_is_closed_by_a_click_on_its_first_corner_or_by_enter() {
        let corners = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(0.0, 3.0)];
        let whole = Some(Piece::Terrain(Terrain::Polygon { points: corners.to_vec() }, Vec2::ZERO));
        let clicked = || {
            let mut sketch = Sketch::default();
            for corner in corners {
                assert_eq!(sketch.press(Tool::Polygon, corner, 0.1), None);
                sketch.follow(Tool::Polygon, corner, false);
                assert_eq!(sketch.release(Tool::Polygon, 0.1, SIZES), None);
            }
            sketch
        };
        let mut sketch = clicked();
        assert_eq!(sketch.press(Tool::Polygon, vec2(0.05, 0.0), 0.1), whole);
        assert_eq!(sketch, Sketch::Idle);
        assert_eq!(clicked().enter(Tool::Polygon), whole);
        let mut sketch = clicked();
        assert!(sketch.back() && sketch.back());
        assert_eq!(sketch.enter(Tool::Polygon), None, "two corners are none");
        assert!(sketch.back() && sketch.back() && !sketch.back());
        let mut sketch = clicked();
        assert!(sketch.give_up() && !sketch.give_up());
    }

    #[test]
    fn a_second_click_in_the_same_place_is_no_corner() {
        let mut sketch = Sketch::default();
        for _ in 0..3 {
            sketch.press(Tool::Polygon, Vec2::X, 0.1);
        }
        assert_eq!(sketch, Sketch::Points { points: vec![Vec2::X], to: Vec2::X });
    }

    #[test]
    fn the_ruler_measures_and_its_measure_stays() {
        let mut sketch = Sketch::default();
        sketch.press(Tool::Ruler, vec2(1.0, 1.0), 0.1);
        sketch.follow(Tool::Ruler, vec2(4.0, 5.0), false);
        let words = "5 m\nΔx 3 m, Δy 4 m\n53.1°";
        assert_eq!(sketch.in_words(Tool::Ruler).as_deref(), Some(words));
        assert_eq!(sketch.release(Tool::Ruler, 0.1, SIZES), None);
        assert_eq!(sketch.in_words(Tool::Ruler).as_deref(), Some(words));
        sketch.press(Tool::Ruler, Vec2::ZERO, 0.1);
        assert!(matches!(sketch, Sketch::Drag { .. }), "the next press measures again");
    }

    #[test]
    fn the_protractor_takes_a_corner_and_two_legs() {
        let mut sketch = Sketch::default();
        for point in [vec2(1.0, 0.0), vec2(3.0, 0.0), vec2(0.0, 1.0)] {
            sketch.press(Tool::Protractor, point, 0.1);
        }
        assert_eq!(sketch.in_words(Tool::Protractor).as_deref(), Some("135°"));
        assert!(matches!(sketch, Sketch::Measured(_)));
    }

    #[test]
    fn nothing_is_measured_before_there_is_something_to_measure() {
        let mut protractor = Sketch::default();
        protractor.press(Tool::Protractor, Vec2::ONE, 0.1);
        assert_eq!(protractor.in_words(Tool::Protractor), None);
        protractor.follow(Tool::Protractor, vec2(3.0, 1.0), false);
        assert_eq!(protractor.in_words(Tool::Protractor).as_deref(), Some("2 m, 0°"));
        protractor.press(Tool::Protractor, vec2(3.0, 1.0), 0.1);
        assert_eq!(protractor.in_words(Tool::Protractor), None, "an angle of nothing with itself");
        for tool in [Tool::Ruler, Tool::Wall, Tool::Disc, Tool::Block] {
            let mut sketch = Sketch::default();
            sketch.press(tool, Vec2::ONE, 0.1);
            assert_eq!(sketch.in_words(tool), None, "{tool:?}");
        }
    }
}
