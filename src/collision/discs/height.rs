//! Balls above the cloth. A list beside the arrays, empty where no ball flies.

use super::{
    Discs,
    lists::{OfDisc, entry_of, place_of},
};
use crate::{collision::spin::Shape, components::Height};

/// The height of a ball: its [`Height`](crate::components::Height).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscHeight {
    /// The disc, as an index into [`Discs`].
    pub disc: u32,
    /// The height of its lowest point above the cloth, metres.
    pub height: f32,
    /// Its vertical speed, m/s, positive up.
    pub speed: f32,
}

impl OfDisc for DiscHeight {
    fn disc(&self) -> u32 {
        self.disc
    }
}

impl Discs {
    /// The height of a disc, if it has one.
    #[must_use]
    pub fn height_of(&self, i: usize) -> Option<&DiscHeight> {
        entry_of(&self.heights, i)
    }

    /// Sets or removes the height of a disc.
    pub fn set_height(&mut self, i: usize, height: Option<Height>) {
        let entry = height.map(|Height { height, speed }| DiscHeight { disc: i as u32, height, speed });
        match (place_of(&self.heights, i), entry) {
            (Ok(at), Some(entry)) => self.heights[at] = entry,
            (Err(at), Some(entry)) => self.heights.insert(at, entry),
            (Ok(at), None) => _ = self.heights.remove(at),
            (Err(_), None) => {}
        }
    }

    /// Whether a disc can fly: it is a ball that hits and forces move.
    pub(crate) fn can_fly(&self, i: usize) -> bool {
        self.spin_of(i).is_some_and(|spin| spin.shape == Shape::Ball) && !self.is_kinematic(i)
    }
}
