//! Terrain: the walls and obstacles that discs bounce off.
//!
//! The shapes are a segment, an arc, a fixed circle, and outlines made of segments and their corners. A corner is a
//! fixed circle of radius zero, so that one closest-point rule serves them all. A piece is an entity like any other:
//! spawn it, move it, change it or despawn it, and the next tick uses the new state. [`Terrain`] documents how a moving
//! piece acts on discs.

mod arc;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    LIMIT, Position, Rotation, StableId,
    description::{Described, Description, EntityKind, EntityKinds},
    invalid::InvalidValue,
};
use crate::notice::mark;
pub(crate) use arc::{is_whole, on_circle};

/// A piece of terrain, in its own frame: [`Position`] is its origin (metres), and [`Rotation`] rotates it about that
/// origin.
///
/// Every edge is a thin wall that acts on both sides: a disc stays on the side that it came from. So a static
/// [`Block`](Self::Block) or [`Polygon`](Self::Polygon) is an outline: no disc gets in at any speed, and a disc placed
/// inside bounces around in there, in both modes. A [`Circle`](Self::Circle) pushes out a disc that is placed in it,
/// and so do moving blocks and polygons.
///
/// # Terrain that moves
/// A piece with a [`Velocity`](super::Velocity), an [`AngularVelocity`](super::AngularVelocity) (its z), or
/// both moves and turns by them. One with a [`MoveTo`](super::MoveTo) or [`TurnTo`](super::TurnTo) is at
/// its target where the next tick ends, and stays there until it gets another one; a velocity beside it tells
/// how fast it was. An [`Oscillation`](super::Oscillation) swings it, and an [`Orbit`](super::Orbit) leads it around a
/// circle. Within a tick it moves and turns evenly.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // A piston, a windmill, and a paddle that a system moves by writing its `MoveTo`.
///     let half_size = vec2(0.1, 1.0);
///     commands.spawn((Terrain::Block { half_size }, Velocity(vec2(2.0, 0.0))));
///     commands.spawn((Terrain::Block { half_size }, AngularVelocity(Vec3::Z * 3.0)));
///     commands.spawn((Terrain::Block { half_size }, MoveTo(vec2(0.0, 0.0))));
/// }
/// ```
///
/// - Impacts use the velocity of the surface at the point of contact: the velocity of the piece plus the part from its
///   rotation. Both modes find them at their exact times, at any speed, and predictions include them. A resting disc is
///   carried along sideways only if the piece has [`Friction`](super::Friction) or a
///   [`SurfaceVelocity`](super::SurfaceVelocity).
/// - A moving solid piece ([`Block`](Self::Block), [`Polygon`](Self::Polygon)) has no inside: a disc placed there
///   leaves by the shortest way. Other shapes are thin walls with two sides, so a shaken arena takes along the discs
///   inside.
/// - A disc can be squeezed between a moving piece and static terrain, or between two moving pieces. Static terrain
///   wins, so no centre gets through it. The disc loses its velocity, and the piece may cover it or pass over it. The
///   disc comes out as soon as there is room.
///
/// # Teleported terrain
/// Writing the [`Position`], [`Rotation`] or shape of a piece teleports it, as if you had despawned it and spawned
/// another. It hits nothing on the way.
///
/// - If the piece then overlaps a disc without covering its centre, the disc is pushed out and gains no velocity. A
///   paddle moved this way shoves discs along without throwing them.
/// - A wall that jumps across a centre leaves the disc on the other side. A static block then has the disc inside.
/// - A disc that rests under gravity on a block which is raised this way in every tick stays on it, with zero velocity.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Debug, PartialEq)]
#[require(Position, Rotation, StableId)]
#[serde(deny_unknown_fields)]
pub enum Terrain {
    /// A straight wall from `a` to `b` (metres). Its ends are corners.
    Segment {
        /// One end.
        a: Vec2,
        /// The other end.
        b: Vec2,
    },
    /// A fixed disc, a bumper. A radius (metres) of 0 makes it a single point.
    Circle {
        /// The radius in metres; zero or more.
        radius: f32,
    },
    /// A rectangle of four walls that keeps discs outside.
    Block {
        /// Half of the width and height, in metres.
        half_size: Vec2,
    },
    /// A closed shape with these corners (metres), three or more. Discs stay outside, or inside if they were placed
    /// there.
    Polygon {
        /// The corners in order.
        points: Vec<Vec2>,
    },
    /// An open chain of walls through these points (metres), two or more. If it ends at its first point, it is an arena
    /// of any shape.
    Polyline {
        /// The corners in order.
        points: Vec<Vec2>,
    },
    /// A rectangle of four walls that keeps discs inside.
    Arena {
        /// Half of the width and height, in metres.
        half_size: Vec2,
    },
    /// A thin wall along a circle around its origin: a curved rail, or a round arena. It runs counter-clockwise from
    /// its start angle.
    ///
    /// A disc inside the circle bounces off it at a distance of radius minus disc radius from the origin, a disc
    /// outside at the sum of both radii. The two ends are corners; a full circle has none.
    ///
    /// A disc inside slides along the arc and keeps its speed if it arrives at an angle below a thousandth of a radian.
    /// It also slides if it would hit more than about thirty times in a tick (or substep). If a disc is larger than the
    /// circle around it, only its centre is kept inside.
    Arc {
        /// The radius of the circle in metres; above zero.
        radius: f32,
        /// The start angle in radians from the x axis of its frame, counter-clockwise. Default in scene files: 0.
        #[serde(default)]
        start: f32,
        /// The angle from the start to the end, counter-clockwise, in radians; above zero. 2π or more makes a full
        /// circle. Default in scene files: a full circle.
        #[serde(default = "arc::whole")]
        extent: f32,
    },
}

impl Described for Terrain {
    const DESCRIPTION: Description = Description::new(mark("shape")).rejecting(EntityKinds::TERRAIN);

    fn check(&self) -> Result<(), InvalidValue> {
        Self::check(self)
    }
}

/// A hole in the table around its [`Position`]. A disc whose centre enters it falls and gets an
/// [`InPocket`](super::InPocket); see [`Potted`](crate::collision::Potted).
///
/// Both modes find the exact time at which the centre enters, so a disc cannot cross a pocket at any speed.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Debug, PartialEq)]
#[require(Position, StableId)]
pub struct Pocket {
    /// The radius in metres; above zero.
    pub radius: f32,
}

/// Lets discs pass the walls of a piece of [`Terrain`] in one direction. In the other direction they bounce.
///
/// A disc that is passing moves freely until it is through. It is neither thrown forward nor pushed back behind the
/// point that its centre has reached. A wall never stops a disc whose centre is behind it. The component acts on static
/// terrain only. Walls of moving terrain act on both sides, and so do circles, which have no sides.
///
/// ```
/// # use bevy::prelude::*;
/// # use carom::prelude::*;
/// fn spawn(mut commands: Commands) {
///     // A platform that a player can jump through from below.
///     commands.spawn((Terrain::Segment { a: vec2(-1.0, 2.0), b: vec2(1.0, 2.0) }, OneWay::Toward(Vec2::Y)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "carom::components"]
#[reflect(Component, Default, Debug, PartialEq)]
pub enum OneWay {
    /// Discs pass from right to left, seen from the first point of each wall toward its second. Blocks, arenas and arcs
    /// run counter-clockwise, so discs can enter but not leave.
    #[default]
    Left,
    /// Discs pass from left to right: they can leave blocks, arenas and arcs but not enter.
    Right,
    /// Discs pass in this direction, a vector of any length in the frame of the piece. Walls parallel to it let nothing
    /// through. An arc lets discs through along its whole length to the side that this direction has at its middle; a
    /// full circle lets nothing through.
    Toward(Vec2),
}

impl Described for OneWay {
    const DESCRIPTION: Description = Description::new(mark("one way"))
        .in_field("one_way")
        .offered(
            mark("One way"),
            mark(
                "Discs pass in one direction only: to the left or right of each wall, seen from its first point to \
                its second, or toward a given direction",
            ),
            "",
        )
        .on(
            EntityKinds::of(&[EntityKind::StaticTerrain]),
            "it works only on static terrain; remove the component that moves it",
        );

    fn first(_: EntityRef, is_terrain: bool) -> Option<Self> {
        is_terrain.then_some(Self::default())
    }

    fn check(&self) -> Result<(), InvalidValue> {
        match *self {
            Self::Toward(direction) if !direction.is_finite() || direction == Vec2::ZERO => {
                let value = format!("Toward({}, {})", direction.x, direction.y);
                Err(InvalidValue::new("", value, "set it to a direction, such as Toward(0, 1)"))
            }
            _ => Ok(()),
        }
    }
}

impl OneWay {
    /// The same for a rotated piece, in the frame of the world.
    #[must_use]
    pub fn turned(self, rotation: Rotation) -> Self {
        match self {
            Self::Toward(direction) => Self::Toward(rotation.turn(direction)),
            side => side,
        }
    }
}

impl OneWay {
    /// The unit direction in which discs pass a wall along `along`, in the same frame. `None` if they pass it neither
    /// way.
    #[must_use]
    pub fn across(self, along: Vec2) -> Option<Vec2> {
        let left = along.perp().try_normalize()?;
        match self {
            Self::Left => Some(left),
            Self::Right => Some(-left),
            Self::Toward(direction) => {
                let to_the_left = left.dot(direction);
                (to_the_left != 0.0).then(|| left * to_the_left.signum())
            }
        }
    }
}

impl Terrain {
    /// Whether it is an arena, or an arc that is a full circle.
    #[must_use]
    pub fn is_arena(&self) -> bool {
        matches!(self, Self::Arena { .. }) || matches!(self, Self::Arc { extent, .. } if is_whole(*extent))
    }

    /// The corners of its outline in its own frame, in order, and whether the last joins the first. A circle has none.
    /// For an arc they are points along it from end to end, dense enough for drawing.
    #[must_use]
    pub fn outline(&self) -> (Vec<Vec2>, bool) {
        match self {
            Self::Segment { a, b } => (vec![*a, *b], false),
            Self::Circle { .. } => (Vec::new(), false),
            Self::Block { half_size: h } | Self::Arena { half_size: h } => {
                (vec![-*h, Vec2::new(h.x, -h.y), *h, Vec2::new(-h.x, h.y)], true)
            }
            Self::Polygon { points } => (points.clone(), true),
            Self::Polyline { points } => (points.clone(), false),
            Self::Arc { radius, start, extent } => arc::outline(*radius, *start, *extent),
        }
    }

    /// The smallest axis-aligned rectangle around it at this place, metres. `None` if a coordinate is not finite.
    #[must_use]
    pub fn bounds(&self, position: Vec2, rotation: Rotation) -> Option<Rect> {
        let bounds = if let Self::Circle { radius } = *self {
            Rect { min: position - radius, max: position + radius }
        } else if let Self::Arc { radius, start, extent } = *self {
            arc::bounds(position, radius, [start + rotation.0, extent])
        } else {
            let points: Vec<Vec2> = self.outline().0.into_iter().map(|point| position + rotation.turn(point)).collect();
            if !points.iter().all(|point| point.is_finite()) {
                return None;
            }
            points.iter().fold(Rect::EMPTY, |bounds, &point| bounds.union_point(point))
        };
        (bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
    }

    /// Whether its sizes and points are valid.
    ///
    /// # Errors
    /// The first invalid one.
    pub fn check(&self) -> Result<(), InvalidValue> {
        let is_size = |size: f32| size > 0.0 && size <= LIMIT;
        let coordinates = "set both to numbers from -1e12 to 1e12 m";
        match self {
            Self::Circle { radius } => InvalidValue::check_range("radius", *radius, 0.0..=LIMIT, "m"),
            Self::Block { half_size } | Self::Arena { half_size }
                if !(is_size(half_size.x) && is_size(half_size.y)) =>
            {
                Err(InvalidValue::new("half_size", *half_size, "set both to numbers above 0, up to 1e12 m"))
            }
            Self::Segment { a, b } => {
                InvalidValue::check_vector("a", *a, coordinates)?;
                InvalidValue::check_vector("b", *b, coordinates)
            }
            Self::Arc { radius, .. } if !is_size(*radius) => {
                Err(InvalidValue::new("radius", *radius, "set it to a number above 0, up to 1e12 m"))
            }
            Self::Arc { start, .. } if !start.is_finite() => {
                Err(InvalidValue::new("start", *start, "set it to a finite angle in radians, or leave it out for 0"))
            }
            Self::Arc { extent, .. } if !(*extent > 0.0 && extent.is_finite()) => {
                let allowed = "set it to an angle above 0 in radians, or leave it out for the whole circle";
                Err(InvalidValue::new("extent", *extent, allowed))
            }
            Self::Block { .. } | Self::Arena { .. } | Self::Arc { .. } => Ok(()),
            Self::Polygon { points } | Self::Polyline { points } => {
                let (name, least) = if matches!(self, Self::Polygon { .. }) { ("Polygon", 3) } else { ("Polyline", 2) };
                if points.len() < least {
                    let sentence = format!("too few points ({}); give a {name} {least} or more", points.len());
                    return Err(InvalidValue::without_value("points", sentence));
                }
                points.iter().enumerate().try_for_each(|(k, &point)| {
                    InvalidValue::check_vector("", point, coordinates)
                        .map_err(|invalid| invalid.of(&format!("points[{k}]")))
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_one_way_wall_is_passed_across_and_never_along() {
        let along = vec2(3.0, 0.0);
        assert_eq!(OneWay::Left.across(along), Some(Vec2::Y));
        assert_eq!(OneWay::Right.across(along), Some(-Vec2::Y));
        assert_eq!(OneWay::Toward(vec2(5.0, -0.1)).across(along), Some(-Vec2::Y));
        assert_eq!(OneWay::Toward(Vec2::X).across(along), None);
        assert_eq!(OneWay::Left.across(Vec2::ZERO), None, "a wall without a length");
    }

    #[test]
    fn a_piece_lies_within_its_bounds_and_one_that_is_nowhere_has_none() {
        let (at, quarter) = (Vec2::new(3.0, 1.0), Rotation(std::f32::consts::FRAC_PI_2));
        let block = Terrain::Block { half_size: Vec2::new(2.0, 1.0) }.bounds(at, quarter).unwrap();
        let upright = Rect::new(2.0, -1.0, 4.0, 3.0);
        assert!(block.min.distance(upright.min) < 1e-6 && block.max.distance(upright.max) < 1e-6, "{block:?}");
        assert_eq!(Terrain::Circle { radius: 2.0 }.bounds(at, quarter), Some(Rect::new(1.0, -1.0, 5.0, 3.0)));
        let wall = Terrain::Segment { a: Vec2::NAN, b: Vec2::ONE };
        assert_eq!(wall.bounds(at, Rotation::default()), None);
        assert_eq!(Terrain::Circle { radius: f32::INFINITY }.bounds(at, quarter), None);
        assert_eq!(Terrain::Polyline { points: Vec::new() }.bounds(at, quarter), None);
    }
}
