//! Images of moving terrain across periodic edges. They are appended to the pieces for the duration of a tick. Blocks
//! have no images.

use bevy::prelude::*;

use super::{MovingPiece, MovingTerrain};
use crate::collision::periodic::Cell;

impl MovingTerrain {
    /// Adds the images that are in the cell or near it during the tick. A disc that passes through a piece also passes
    /// through its images.
    pub fn add_images(&mut self, cell: &Cell) {
        let (count, mut unmet) = (self.pieces.len(), std::mem::take(&mut self.unmet));
        unmet.retain(|&(_, piece)| (piece as usize) < count);
        let known = unmet.len();
        for at in 0..count {
            let piece = &self.pieces[at];
            if piece.is_block() {
                continue;
            }
            let shifts = cell.images(piece.swept_box(&piece.sweep(self.time_step)));
            let images: Vec<_> = shifts.filter(|&shift| shift != Vec2::ZERO).map(|shift| piece.image(shift)).collect();
            for image in images {
                let number = self.pieces.len() as u32;
                let by = (0..known).map(|k| unmet[k]).filter(|&(_, piece)| piece as usize == at);
                let by: Vec<(u32, u32)> = by.map(|(disc, _)| (disc, number)).collect();
                unmet.extend(by);
                self.pieces.push(image);
            }
        }
        unmet.sort_unstable();
        self.unmet = unmet;
    }
}

impl MovingPiece {
    /// The image of the piece, shifted by whole periods.
    fn image(&self, shift: Vec2) -> Self {
        let mut image = Self { is_image: true, ..self.clone() };
        image.pose.position += shift;
        image.before.position += shift;
        image.origin += shift.as_dvec2();
        image.frame.origin += shift.as_dvec2();
        if let Some(target) = &mut image.drive.move_to {
            *target += shift;
        }
        if let Some(periodic) = &mut image.drive.periodic {
            periodic.centre += shift;
        }
        image
    }

    /// Moves a piece back into the cell when a tick ends, unless a target or a periodic motion places it.
    pub fn wrap(&mut self, cell: Option<Cell>) {
        let Some(cell) =
            cell.filter(|_| !self.is_image && self.drive.move_to.is_none() && self.drive.periodic.is_none())
        else {
            return;
        };
        let back = cell.wrapped(self.pose.position);
        self.before.position += back - self.pose.position;
        self.pose.position = back;
    }
}
