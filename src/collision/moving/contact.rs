//! Where a disc touches a moving piece, and the velocity of the surface there.

use bevy::{math::DVec2, prelude::*};

use super::{MovingPiece, MovingTerrain, shape::Frame};
use crate::collision::{
    hit::{HitTarget, Surface},
    shape::Bounds,
    terrain::index::Piece,
};

/// The target of a part of a piece.
pub fn target_of(part: Piece, piece: Entity) -> HitTarget<u32> {
    match part {
        Piece::Wall(_) => HitTarget::Wall(piece),
        Piece::FixedCircle(_) => HitTarget::FixedCircle(piece),
    }
}

/// The largest number of hops per tick of a disc that a turning piece pushes along without restitution. It bounds the
/// number of impacts; each hop is a 64th of a tick long.
const MAX_HOPS: f64 = 64.0;

impl MovingPiece {
    /// The velocity of its point at `point` when its frame is `frame`, m/s.
    pub fn velocity_at(&self, frame: &Frame, point: DVec2) -> DVec2 {
        self.motion.velocity + (point - frame.origin).perp() * self.motion.spin
    }

    /// The surface of a part at a point, with the direction away from it, both in the frame of the piece.
    pub fn surface_at(&self, frame: &Frame, part: Piece, point: DVec2, away: DVec2) -> Surface {
        let point = frame.to_world(point);
        Surface {
            away: frame.turn(away),
            point,
            velocity: self.velocity_at(frame, point),
            target: target_of(part, self.key.1),
            restitution: self.restitution,
            leaves_at: 0.0,
            slides_below: 0.0,
            turn: frame.turn,
        }
    }
}

impl MovingTerrain {
    /// The surface of a part at its contact with a disc at `centre` with this velocity, at a time of the tick.
    pub fn surface(&self, part: u32, [centre, velocity]: [DVec2; 2], time: f64) -> Option<Surface> {
        let (piece, part) = self.part(part)?;
        let frame = piece.frame_at(time);
        let closest = piece.shape.closest_of(part, frame.to_local(centre));
        let mut surface = piece.surface_at(&frame, part, closest.point, closest.away);
        if closest.away == DVec2::ZERO {
            surface.away = surface.velocity - velocity;
        }
        if let Some(curved) = piece.shape.curved(part) {
            // It turns about its own centre, and so along itself, which moves no disc.
            surface.velocity = piece.motion.velocity;
            let local = [frame.to_local(centre), frame.turn_back(velocity - surface.velocity)];
            [surface.leaves_at, surface.slides_below] =
                curved.slide_speeds(local[0], local[1], closest.distance, self.time_step);
            return Some(surface);
        }
        // The acceleration of the surface toward a disc that moves along with it, m/s².
        let (spin, n) = (piece.motion.spin, surface.away.normalize_or_zero());
        let along = velocity - surface.velocity;
        let along = along - n * along.dot(n);
        let gains = (along.perp() * (2.0 * spin) - (centre - frame.origin) * (spin * spin)).dot(n);
        surface.leaves_at = gains.max(0.0) * self.time_step / MAX_HOPS;
        Some(surface)
    }

    /// Calls `visit` with every piece that a disc can collide with within `reach` of a place at a time of the tick, and
    /// with its surface there. `away` is a unit vector.
    pub fn for_each_touching(
        &self,
        disc: usize,
        place: Vec2,
        reach: f32,
        time: f64,
        mut visit: impl FnMut(u32, Surface),
    ) {
        let bounds = Bounds::around(place, reach);
        if !place.is_finite() || !self.is_near(bounds) {
            return;
        }
        for number in self.pieces_near(disc, bounds) {
            let piece = &self.pieces[number as usize];
            if piece.is_block() {
                // A block yields to the discs that rest on it.
                continue;
            }
            let frame = piece.frame_at(time);
            let Some((part, closest)) = piece.shape.closest(frame.to_local(place.as_dvec2()), f64::from(reach)) else {
                continue;
            };
            let Some(away) = closest.away.try_normalize() else { continue };
            visit(number, piece.surface_at(&frame, part, closest.point, away));
        }
    }

    /// The distance from the rim of a disc to a part, at a time of the tick, metres.
    pub fn gap(&self, part: u32, centre: DVec2, radius: f64, time: f64) -> Option<f64> {
        let (piece, part) = self.part(part)?;
        let closest = piece.shape.closest_of(part, piece.frame_at(time).to_local(centre));
        Some(closest.distance - radius)
    }
}
