//! The handles of a piece of terrain, and the piece after one is pulled. Plain functions without the ECS.

use bevy::{math::ops, prelude::*};

use super::handle::Handle;
use super::{arc, sketch::straight, snap::whole_step};
use crate::components::{Rotation, Terrain};

/// A piece of terrain with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Its shape, in its frame of reference.
    pub terrain: Terrain,
    /// Its origin, metres.
    pub position: Vec2,
    /// Its rotation.
    pub rotation: Rotation,
}

/// The smallest size of a rectangle, metres.
const LEAST: f32 = 1e-4;

impl Placed {
    /// Its corners or ends in the world, in order, and whether the last joins the first.
    #[must_use]
    pub fn outline(&self) -> (Vec<Vec2>, bool) {
        let (points, closed) = self.terrain.outline();
        (points.into_iter().map(|point| self.to_world(point)).collect(), closed)
    }

    fn to_world(&self, point: Vec2) -> Vec2 {
        self.position + self.rotation.turn(point)
    }

    fn to_own(&self, point: Vec2) -> Vec2 {
        Rotation(-self.rotation.0).turn(point - self.position)
    }

    /// The centre of its rotation, metres: the centre of its bounding box in its frame of reference, or of an arc's
    /// circle.
    #[must_use]
    pub fn middle(&self) -> Vec2 {
        if let Terrain::Arc { .. } = self.terrain {
            return self.position;
        }
        let own = self.terrain.bounds(Vec2::ZERO, Rotation::default());
        self.to_world(own.map_or(Vec2::ZERO, |bounds| bounds.center()))
    }

    /// The distance of a point from it, metres: 0 inside a block, a bumper or a polygon, otherwise to the nearest edge.
    #[must_use]
    pub fn distance(&self, point: Vec2) -> f32 {
        if let Terrain::Circle { radius } = self.terrain {
            return (point.distance(self.position) - radius).max(0.0);
        }
        let (points, closed) = self.outline();
        let is_solid = matches!(self.terrain, Terrain::Block { .. } | Terrain::Polygon { .. });
        if is_solid && contains(&points, point) {
            return 0.0;
        }
        let last = if closed { points.last().zip(points.first()) } else { None };
        let edges = points.iter().zip(points.iter().skip(1)).chain(last);
        edges.map(|(&a, &b)| Segment2d::new(a, b).closest_point(point).distance(point)).fold(f32::INFINITY, f32::min)
    }

    /// All handles except the body, with their places (metres). The turning knob is `knob` metres beyond the outline.
    #[must_use]
    pub fn handles(&self, knob: f32) -> Vec<(Handle, Vec2)> {
        let mut handles = Vec::new();
        if let Terrain::Arc { radius, start, extent } = self.terrain {
            handles.extend(arc::handles(radius, start, extent).map(|(handle, point)| (handle, self.to_world(point))));
            if !self.terrain.is_arena() {
                handles.push((Handle::Turn, self.knob(knob)));
            }
            return handles;
        }
        let (points, _) = self.outline();
        for (k, &point) in points.iter().enumerate() {
            let is_rectangle = matches!(self.terrain, Terrain::Block { .. } | Terrain::Arena { .. });
            handles.push((if is_rectangle { Handle::Corner(k) } else { Handle::Point(k) }, point));
        }
        if let Terrain::Circle { radius } = self.terrain {
            handles.push((Handle::Rim, self.position + Vec2::X * radius));
            return handles;
        }
        handles.push((Handle::Turn, self.knob(knob)));
        handles
    }

    /// The place of the turning knob, metres.
    fn knob(&self, beyond: f32) -> Vec2 {
        let middle = self.to_own(self.middle());
        // Across a wall, upward from other shapes.
        let up = match self.terrain {
            Terrain::Segment { a, b } => (b - a).perp().try_normalize().unwrap_or(Vec2::Y),
            _ => Vec2::Y,
        };
        let (points, _) = self.terrain.outline();
        let reach = points.iter().map(|point| (point - middle).dot(up)).fold(0.0, f32::max);
        self.to_world(middle + up * (reach + beyond))
    }

    /// The nearest handle, other than the body, within `reach` of a point; all in metres.
    #[must_use]
    pub fn handle_at(&self, point: Vec2, reach: f32, knob: f32) -> Option<Handle> {
        let near = self.handles(knob).into_iter().map(|(handle, place)| (handle, place.distance(point)));
        let near = near.filter(|&(_, distance)| distance <= reach);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(handle, _)| handle)
    }

    /// The point to snap when this handle is pulled: the handle itself. For the body, its first corner or its centre.
    /// Metres.
    #[must_use]
    pub fn anchor(&self, handle: Handle) -> Option<Vec2> {
        let (points, _) = self.outline();
        match handle {
            Handle::Body => Some(match self.terrain {
                Terrain::Circle { .. } | Terrain::Block { .. } | Terrain::Arena { .. } | Terrain::Arc { .. } => {
                    self.position
                }
                _ => points.first().copied().unwrap_or(self.position),
            }),
            Handle::Point(1) if matches!(self.terrain, Terrain::Arc { .. }) => points.last().copied(),
            Handle::Point(k) | Handle::Corner(k) => points.get(k).copied(),
            Handle::Rim | Handle::Turn => None,
        }
    }

    /// The piece after pulling a handle from one point to another (metres). With `constrained`, rotations, the ends of
    /// walls and moves go in steps of 15 degrees, and a corner makes a square.
    #[must_use]
    pub fn pulled(&self, handle: Handle, from: Vec2, to: Vec2, constrained: bool) -> Self {
        let mut new = self.clone();
        match handle {
            Handle::Body => {
                let to = if constrained { straight(from, to) } else { to };
                new.position += to - from;
            }
            Handle::Point(_) | Handle::Rim if matches!(self.terrain, Terrain::Arc { .. }) => {
                new.terrain = arc::pulled(&self.terrain, handle, self.to_own(to), constrained);
            }
            Handle::Point(k) => {
                let (points, closed) = self.outline();
                let before = k.checked_sub(1).or((closed || points.len() == 2).then_some(points.len() - 1));
                let to = match before.and_then(|k| points.get(k)) {
                    Some(&other) if constrained => straight(other, to),
                    _ => to,
                };
                let own = self.to_own(to);
                match &mut new.terrain {
                    Terrain::Segment { a, b } => *(if k == 0 { a } else { b }) = own,
                    Terrain::Polygon { points } | Terrain::Polyline { points } => {
                        if let Some(point) = points.get_mut(k) {
                            *point = own;
                        }
                    }
                    _ => {}
                }
            }
            Handle::Corner(k) => {
                let (Terrain::Block { half_size } | Terrain::Arena { half_size }) = &mut new.terrain else {
                    return new;
                };
                let (corners, _) = self.terrain.outline();
                let Some(&opposite) = corners.get((k + 2) % 4) else { return new };
                let own = self.to_own(to);
                let own = if constrained { super::sketch::square(opposite, own) } else { own };
                *half_size = ((own - opposite).abs() / 2.0).max(Vec2::splat(LEAST));
                new.position = self.to_world(own.midpoint(opposite));
            }
            Handle::Rim => {
                if let Terrain::Circle { radius } = &mut new.terrain {
                    *radius = to.distance(self.position);
                }
            }
            Handle::Turn => {
                let middle = self.middle();
                let by = (to - middle).to_angle() - (from - middle).to_angle();
                let turned = self.rotation.0 + by;
                return self.turned_to(if constrained { whole_step(turned) } else { turned });
            }
        }
        let is_finite = new.position.is_finite() && new.terrain.check().is_ok();
        if is_finite { new } else { self.clone() }
    }

    /// The same piece turned about its centre to this angle, radians.
    #[must_use]
    pub fn turned_to(&self, angle: f32) -> Self {
        let angle = ops::atan2(ops::sin(angle), ops::cos(angle));
        let middle = self.middle();
        let by = Rotation(angle - self.rotation.0);
        if !angle.is_finite() {
            return self.clone();
        }
        Self { position: middle + by.turn(self.position - middle), rotation: Rotation(angle), ..self.clone() }
    }
}

/// Whether a point lies inside a closed outline.
fn contains(points: &[Vec2], point: Vec2) -> bool {
    let Some(mut last) = points.last() else { return false };
    let mut inside = false;
    for corner in points {
        if (corner.y > point.y) != (last.y > point.y)
            && point.x < (last.x - corner.x) * (point.y - corner.y) / (last.y - corner.y) + corner.x
        {
            inside = !inside;
        }
        last = corner;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(terrain: Terrain, position: Vec2, degrees: f32) -> Placed {
        Placed { terrain, position, rotation: Rotation(degrees.to_radians()) }
    }

    fn block() -> Placed {
        placed(Terrain::Block { half_size: vec2(2.0, 1.0) }, vec2(1.0, 1.0), 90.0)
    }

    #[test]
    fn solid_pieces_are_hit_inside_and_walls_at_their_line() {
        assert_eq!(block().distance(vec2(1.5, 2.5)), 0.0);
        assert!((block().distance(vec2(1.0, 4.0)) - 1.0).abs() < 1e-5, "it stands upright");
        let wall = placed(Terrain::Segment { a: Vec2::ZERO, b: vec2(4.0, 0.0) }, vec2(0.0, 1.0), 0.0);
        assert!((wall.distance(vec2(2.0, 1.5)) - 0.5).abs() < 1e-6);
        assert!((wall.distance(vec2(7.0, 5.0)) - 5.0).abs() < 1e-6);
        let arena = placed(Terrain::Arena { half_size: Vec2::splat(3.0) }, Vec2::ZERO, 0.0);
        assert!((arena.distance(vec2(1.0, 0.0)) - 2.0).abs() < 1e-6, "of an arena there is only its frame");
        let bumper = placed(Terrain::Circle { radius: 1.0 }, Vec2::ZERO, 0.0);
        assert_eq!((bumper.distance(vec2(0.5, 0.0)), bumper.distance(vec2(3.0, 0.0))), (0.0, 2.0));
        let arrow = vec![vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(0.5, 0.5), vec2(0.0, 2.0)];
        let arrow = placed(Terrain::Polygon { points: arrow }, Vec2::ZERO, 0.0);
        assert_eq!(arrow.distance(vec2(0.2, 0.2)), 0.0);
        assert!(arrow.distance(vec2(1.5, 1.5)) > 0.9, "what a notch leaves out is outside");
    }

    #[test]
    fn a_pulled_corner_leaves_the_opposite_one_where_it_is() {
        let (corners, _) = block().outline();
        for k in 0..4 {
            let to = corners[k] + vec2(0.3, -0.2);
            let (new, _) = block().pulled(Handle::Corner(k), corners[k], to, false).outline();
            assert!(new.iter().any(|corner| corner.distance(to) < 1e-5), "{k}: {new:?}");
            assert!(new.iter().any(|corner| corner.distance(corners[(k + 2) % 4]) < 1e-5), "{k}: {new:?}");
        }
        let squared = block().pulled(Handle::Corner(2), corners[2], corners[2] + vec2(-3.0, 0.0), true);
        let Terrain::Block { half_size } = squared.terrain else { panic!("a block") };
        assert!((half_size.x - half_size.y).abs() < 1e-5, "{half_size}");
    }

    #[test]
    fn it_turns_about_its_middle_wherever_its_origin_is() {
        let wall = placed(Terrain::Segment { a: vec2(1.0, 1.0), b: vec2(3.0, 1.0) }, Vec2::ZERO, 0.0);
        assert_eq!(wall.middle(), vec2(2.0, 1.0));
        let (from, to) = (vec2(2.0, 1.5), vec2(1.4, 1.05));
        let turned = wall.pulled(Handle::Turn, from, to, true);
        assert!((turned.rotation.0.to_degrees() - 90.0).abs() < 1e-3, "{turned:?}");
        let (ends, _) = turned.outline();
        assert!(ends[0].distance(vec2(2.0, 0.0)) < 1e-5 && ends[1].distance(vec2(2.0, 2.0)) < 1e-5, "{ends:?}");
        assert!(turned.middle().distance(wall.middle()) < 1e-6);
        assert!((wall.turned_to(7.0).rotation.0 - (7.0 - std::f32::consts::TAU)).abs() < 1e-5, "within half a turn");
    }

    #[test]
    fn ends_rims_and_bodies_go_where_they_are_pulled() {
        let wall = placed(Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) }, vec2(1.0, 1.0), 0.0);
        let (ends, _) = wall.pulled(Handle::Point(1), vec2(3.0, 1.0), vec2(5.0, 2.0), false).outline();
        assert_eq!(ends, [vec2(1.0, 1.0), vec2(5.0, 2.0)]);
        let (ends, _) = wall.pulled(Handle::Point(1), vec2(3.0, 1.0), vec2(5.0, 1.2), true).outline();
        assert_eq!(ends[1], vec2(5.0, 1.0));
        let bumper = placed(Terrain::Circle { radius: 1.0 }, Vec2::X, 0.0);
        let larger = bumper.pulled(Handle::Rim, vec2(2.0, 0.0), vec2(1.0, 3.0), false);
        assert_eq!(larger.terrain, Terrain::Circle { radius: 3.0 });
        assert_eq!(bumper.pulled(Handle::Body, Vec2::ZERO, vec2(1.0, 2.0), false).position, vec2(2.0, 2.0));
        assert_eq!(
            bumper.pulled(Handle::Body, Vec2::ZERO, vec2(f32::NAN, 2.0), false),
            bumper,
            "nowhere is not a place"
        );
    }

    #[test]
    fn the_nearest_handle_is_taken_and_only_a_near_one() {
        let wall = placed(Terrain::Segment { a: Vec2::ZERO, b: vec2(2.0, 0.0) }, Vec2::ZERO, 0.0);
        assert_eq!(wall.handle_at(vec2(0.1, 0.0), 0.2, 0.5), Some(Handle::Point(0)));
        assert_eq!(wall.handle_at(vec2(1.0, 0.45), 0.2, 0.5), Some(Handle::Turn));
        assert_eq!(wall.handle_at(vec2(1.0, 0.0), 0.2, 0.5), None);
    }
}
