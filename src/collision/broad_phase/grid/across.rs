//! Pairs across periodic edges: the circles of discs are searched again at the places of their images.

use bevy::prelude::*;

use super::{Grid, NewCircle, level::box_around};
use crate::collision::{
    periodic::Cell,
    shape::{
        Bounds,
        rounding::{PADDED, ROUNDING},
    },
    simd::{Kernel, SimdWidth},
};

/// Adds the pairs of discs with images of others, some more than once. Returns whether a disc has so many that not all
/// were found.
pub struct PairsAcross<'a> {
    pub grid: &'a mut Grid,
    pub cell: Cell,
    /// The discs whose images are searched. `None` for all, and then each pair is found once.
    pub discs: Option<&'a [u32]>,
    pub pairs: &'a mut Vec<[u32; 2]>,
}

impl Kernel for PairsAcross<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) -> bool {
        let Self { grid, cell, discs, pairs } = self;
        let margin = grid.share_outside(&cell);
        let mut refiled = std::mem::take(&mut grid.refiled);
        refiled.make_room(grid.cell_starts.len());
        let (mut heaped, mut neighbours) = (false, Vec::new());
        let mut look = |disc: u32, both_ways: bool| {
            let (centre, reach) = (grid.centre[disc as usize], grid.reach[disc as usize]);
            for shift in cell.shifts(Bounds::around(centre, reach), margin) {
                // A shift and its opposite find the same pairs, so one of them is enough.
                let ahead = shift.x > 0.0 || (shift.x == 0.0 && shift.y > 0.0);
                if ahead || (both_ways && shift != Vec2::ZERO) {
                    let image = NewCircle { disc, centre: centre + shift, reach };
                    heaped |= grid.record_all(simd, image, &refiled, &mut neighbours, pairs);
                }
            }
        };
        match discs {
            Some(discs) => discs.iter().for_each(|&disc| look(disc, true)),
            None => (0..grid.centre.len() as u32).for_each(|disc| look(disc, false)),
        }
        grid.refiled = refiled;
        heaped
    }
}

impl Grid {
    /// The share of a period by which circles extend beyond the cell, at most half.
    fn share_outside(&self, cell: &Cell) -> f32 {
        let circles = self.centre.iter().zip(&self.reach);
        let bounds = box_around(circles.map(|(&centre, &reach)| [centre - reach, centre + reach]));
        (cell.share_outside(bounds) * PADDED + ROUNDING).min(0.5)
    }
}
