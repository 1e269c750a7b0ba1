//! Diagrams as SVG: terrain, the discs at the start (faint), their paths, and the discs at the end. A diagram of a shot
//! also has the table, the cue, the aim line, the targets of a drill, and the numbers of the stroke as text.
//!
//! | file | contents |
//! |---|---|
//! | `shot` | the contents of the diagram of a position or a shot |
//! | `svg` | drawing; one unit of a picture is a metre |

use bevy::prelude::*;

use crate::{
    billiards::{cue::CueStrike, tables::BuiltTable},
    components::{Rotation, Terrain},
    games::Target,
    scene::{DiscColour, Hex},
    timeline::{Arc, arcs},
};

mod shot;
mod svg;

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
    /// Whether it is white with a stripe of its colour.
    pub(crate) striped: bool,
    /// Metres.
    pub(crate) radius: f32,
    /// Its path from its start, metres, in pieces between periodic edges. The first piece has at least one point.
    pub(crate) path: Vec<Vec<Vec2>>,
    /// The parts of the path in the air. They are drawn dashed.
    pub(crate) flights: Vec<DrawnFlight>,
    /// Where it is at the end, metres; `None` if it fell into a pocket.
    pub(crate) end: Option<Vec2>,
}

/// A part of the path of a disc in the air.
#[derive(Clone, Debug)]
pub(crate) struct DrawnFlight {
    /// Metres.
    pub(crate) way: Vec<Vec2>,
    /// Whether the disc lands at the end.
    pub(crate) lands: bool,
}

impl DrawnFlight {
    /// The flights on a path. `points` are its points with their times (seconds), `heights` the heights there, metres.
    pub(crate) fn all(points: &[(Vec2, f32)], heights: &[f32]) -> Vec<Self> {
        let way = |arc: &Arc| points[arc.first..=arc.last].iter().map(|&(place, _)| place).collect();
        let shown = arcs(points, heights).into_iter().filter(Arc::is_shown);
        shown.map(|arc| Self { way: way(&arc), lands: arc.lands }).collect()
    }
}

/// The stroke of a shot in a diagram.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnStroke {
    /// The centre of the struck ball and its radius, metres.
    ball: (Vec2, f32),
    /// Half of the length and half of the width of the table, metres. The aim line ends there.
    half: Vec2,
    strike: CueStrike,
    /// The initial speed of the ball along the cue, m/s.
    speed: f64,
}
