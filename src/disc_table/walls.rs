//! `--box`: four walls around the discs of a table.

use bevy::math::Vec2;

use super::read::Line;
use crate::{
    components::{Terrain, is_within_limit},
    scene::{DiscEntry, TerrainEntry},
};

/// A rectangular arena around the discs of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// Width and height, metres.
    pub size: Vec2,
    /// Its centre, metres. If none, the box is centred on the origin, provided that all disc centres lie inside.
    /// Otherwise its lower left corner is the origin.
    pub centre: Option<Vec2>,
}

impl Walls {
    /// Reads `W,H` or `W,H,X,Y`, metres.
    ///
    /// # Errors
    /// If the text is not of this form. The message describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        let walls = match numbers.as_deref() {
            Some(&[w, h]) => Some(Self { size: Vec2::new(w, h), centre: None }),
            Some(&[w, h, x, y]) => Some(Self { size: Vec2::new(w, h), centre: Some(Vec2::new(x, y)) }),
            _ => None,
        };
        let is_valid = |walls: &Walls| {
            let is_box = is_within_limit(walls.size) && walls.size.min_element() > 0.0;
            is_box && walls.centre.is_none_or(is_within_limit)
        };
        walls
            .filter(is_valid)
            .ok_or_else(|| {
                format!("--box {text}: give a width and a height above zero in metres, and if you like its centre: --box 20,10 or --box 20,10,10,5")
            })
    }

    /// The arena.
    ///
    /// # Errors
    /// If a disc is too large for it, or lies outside.
    pub(super) fn around(&self, rows: &[Line]) -> Result<Option<TerrainEntry>, String> {
        let &Self { size, centre } = self;
        let half_size = 0.5 * size;
        room_for(rows, half_size, "box")?;
        let outside =
            |centre: Vec2| rows.iter().find(|(_, disc)| !(disc.position - centre).abs().cmple(half_size).all());
        let centres = centre.map_or_else(|| vec![Vec2::ZERO, half_size], |centre| vec![centre]);
        if let Some(&position) = centres.iter().find(|&&centre| outside(centre).is_none()) {
            return Ok(Some(TerrainEntry { position, ..TerrainEntry::new(Terrain::Arena { half_size }) }));
        }
        let Some((line, DiscEntry { position: Vec2 { x, y }, .. })) = outside(centres[0]) else { return Ok(None) };
        Err(format!(
            "line {line}: the disc at ({x}, {y}) m is outside the --box; make it larger, or give its centre: --box W,H,X,Y"
        ))
    }
}

/// Checks that no disc is larger than a box or a table.
///
/// # Errors
/// For the first disc that is.
pub(super) fn room_for(rows: &[Line], half_size: Vec2, place: &str) -> Result<(), String> {
    let most = half_size.min_element();
    let Some((line, disc)) = rows.iter().find(|(_, disc)| disc.radius > most) else { return Ok(()) };
    Err(format!(
        "line {line}: r is {}, too large for the --{place}; make it at most {most} m, or enlarge the {place}",
        disc.radius
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_a_size_and_may_have_a_centre() {
        let size = Vec2::new(20.0, 10.5);
        assert_eq!(Walls::parse("20, 10.5"), Ok(Walls { size, centre: None }));
        assert_eq!(Walls::parse("20,10.5,-3,0"), Ok(Walls { size, centre: Some(Vec2::new(-3.0, 0.0)) }));
        for wrong in ["20", "20,", "0,1", "-1,1", "nan,1", "1,inf", "1,1,1", "1,1,nan,0", "1,1,0,0,0"] {
            assert!(Walls::parse(wrong).is_err(), "{wrong}");
        }
    }
}
