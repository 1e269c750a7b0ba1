//! Finds how high the load on each disc reaches: through pairs of discs so close that one may support the other, from
//! the highest to the lowest.

use crate::collision::{
    broad_phase::SUPPORTING,
    discs::Discs,
    periodic::Cell,
    resting::pairs::RestingPairs,
    simd::{Kernel, SimdWidth, kernels::WIDE, max},
};

/// Raises the tops of lower discs to the tops of the discs that they support.
pub struct FindTops<'a> {
    pub pairs: &'a RestingPairs,
    pub discs: &'a Discs,
    pub cell: Option<Cell>,
    /// Scratch memory for the centre and radius of each disc.
    pub rows: &'a mut Vec<[f32; 4]>,
    /// The height of each disc, metres; later the height of the highest disc that may weigh on it.
    pub tops: &'a mut [f32],
}

impl Kernel for FindTops<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: SimdWidth>(self, simd: W) {
        let Self { pairs, discs, cell, rows, tops } = self;
        rows.clear();
        let centres = discs.position.iter().zip(&discs.radius);
        rows.extend(centres.map(|(position, radius)| [position.x, position.y, *radius, 0.0]));
        for at in (0..pairs.block_count()).rev() {
            let block = pairs.block(at);
            let [from_x, from_y, from_radius, _] = simd.columns(simd.rows::<0>(rows, block.lower_upper));
            let [to_x, to_y, to_radius, _] = simd.columns(simd.rows::<1>(rows, block.lower_upper));
            let reach = simd.mul(simd.add(from_radius, to_radius), simd.splat(SUPPORTING));
            let lines = [simd.sub(to_x, from_x), simd.sub(to_y, from_y)];
            let [x, y] = cell.map_or(lines, |cell| cell.nearest_of_many(simd, lines));
            let squared = simd.add(simd.mul(x, x), simd.mul(y, y));
            let mut supporting = simd.is_less(squared, simd.mul(reach, reach)) & block.there;
            while supporting != 0 {
                let k = supporting.ilog2() as usize % WIDE;
                supporting ^= 1 << k;
                let [lower, upper] = block.lower_upper[k];
                tops[lower as usize] = max(tops[lower as usize], tops[upper as usize]);
            }
        }
    }
}
