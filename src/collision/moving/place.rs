//! Discs that overlap a moving piece: where they are moved to, and where a piece carries a disc in its way.

use bevy::{math::DVec2, prelude::*};

use super::{MovingPiece, MovingTerrain, tolerances::POSITION_ROUNDING};
use crate::collision::{
    hit::{Surface, answers::Encounter},
    shape::Bounds,
    terrain::index::Piece,
};

/// The new place of a disc that overlaps a piece.
pub enum Placed {
    /// It is inside, and stays there.
    Stays,
    /// It leaves, to this place.
    Out(DVec2),
    /// It is pushed to this place, and touches the piece there.
    Touches(DVec2, Surface),
}

impl Placed {
    /// The encounter of the piece with a disc at this place, with this velocity.
    pub fn encounter(&self, at: Vec2, velocity: Vec2) -> Encounter {
        let (at, relative) = (at.as_dvec2(), velocity.as_dvec2());
        match self {
            Self::Stays => Encounter { point: at, normal: DVec2::ZERO, relative },
            Self::Out(exit) => Encounter { point: at, normal: at - *exit, relative },
            Self::Touches(_, surface) => surface.encounter(relative),
        }
    }
}

impl MovingPiece {
    /// The place that a disc from `witness` must be moved to at a time of the tick; `None` if it may stay.
    pub fn place(
        &self,
        [witness, at]: [DVec2; 2],
        radius: f64,
        slop: f64,
        time: f64,
        is_free: impl Fn(DVec2) -> bool,
    ) -> Option<Placed> {
        let frame = self.frame_at(time);
        let [from, to] = [witness, at].map(|place| frame.to_local(place));
        let crossed = self.shape.is_crossed(from, to);
        let place = if crossed { from } else { to };
        if self.shape.is_inside(place) {
            let exit = self
                .shape
                .exits(place, radius)
                .into_iter()
                .map(|exit| frame.to_world(exit))
                .find(|&exit| is_free(exit));
            return Some(exit.map_or(Placed::Stays, Placed::Out));
        }
        let radius = self.shape.curved(Piece::Wall(0)).map_or(radius, |curved| curved.radius_at(place, radius));
        let least = radius - slop - POSITION_ROUNDING * (at.abs().max_element() + radius);
        let Some((part, closest)) = self.shape.closest(place, least) else {
            return crossed.then(|| Placed::Out(frame.to_world(place)));
        };
        let away = closest.away.try_normalize().unwrap_or(DVec2::X);
        let surface = self.surface_at(&frame, part, closest.point, away);
        Some(Placed::Touches(surface.point + surface.away * radius, surface))
    }
}

impl MovingTerrain {
    /// The place of a disc at the end of `times`, if it does not move and a piece carries it along.
    pub fn carried(&self, disc: usize, place: DVec2, radius: f64, times: [f64; 2]) -> Option<DVec2> {
        let mut parts = Vec::new();
        self.list_near(disc, Bounds::of_way([place.as_vec2(); 2], radius as f32), &mut parts);
        let (time, part) = self.first_touch(&parts, [place, DVec2::ZERO], radius, times)?;
        let (piece, _) = self.part(part)?;
        Some(piece.frame_at(times[1]).to_world(piece.frame_at(time).to_local(place)))
    }
}
