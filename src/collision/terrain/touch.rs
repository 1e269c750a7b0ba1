//! Contacts of a disc with static terrain.

use bevy::math::DVec2;

use super::{TerrainView, away_from, index::Piece};
use crate::collision::{
    hit::Surface,
    shape::{Circle, rounding::CONTACT_MARGIN_F64},
};

impl Surface {
    /// The contact of a disc at `centre` with this velocity and static terrain, in a time step of `h` seconds.
    pub fn of_standing(piece: Piece, fixed: &TerrainView, [centre, velocity]: [DVec2; 2], radius: f64, h: f64) -> Self {
        let (away, point) = away_from(piece, fixed, centre, velocity);
        let curved = match piece {
            Piece::Wall(wall) => fixed.walls[wall as usize].curved(),
            Piece::FixedCircle(_) => None,
        };
        let [leaves_at, slides_below] =
            curved.map_or([0.0; 2], |curved| curved.slide_speeds(centre, velocity, radius, h));
        Self { leaves_at, slides_below, ..Self::standing(away, point, fixed.obstacle(piece)) }
    }
}

/// The unit vectors away from the terrain that holds a disc.
pub fn held_by(pieces: &[Piece], fixed: &TerrainView, disc: Circle, velocity: DVec2) -> Vec<DVec2> {
    let Circle { centre, radius } = disc;
    let away = |&piece: &Piece| {
        let (away, point) = away_from(piece, fixed, centre, velocity);
        let away = away.try_normalize()?;
        ((centre - point).dot(away) - radius < CONTACT_MARGIN_F64 * radius).then_some(away)
    };
    pieces.iter().filter_map(away).collect()
}
