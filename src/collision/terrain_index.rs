//! Where terrain is: which walls and fixed circles have a box that meets another box.

use super::space::{Corner, Wall};

/// A wall or a fixed circle, as an index into [`Space::walls`](super::Space::walls) or
/// [`Space::corners`](super::Space::corners). Walls come before corners.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::collision) enum Piece {
    Wall(u32),
    Corner(u32),
}

/// The box around a circle: its left, bottom, right and top, metres.
#[inline(always)]
pub(in crate::collision) fn around([x, y]: [f32; 2], reach: f32) -> [f32; 4] {
    [x - reach, y - reach, x + reach, y + reach]
}

/// Whether one box lies in another.
#[inline(always)]
pub(in crate::collision) fn lies_in([left, bottom, right, top]: [f32; 4], outer: [f32; 4]) -> bool {
    left > outer[0] && bottom > outer[1] && right < outer[2] && top < outer[3]
}

/// The box around every wall and every corner, and one around which there is none.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct TerrainIndex {
    left: Vec<f32>,
    bottom: Vec<f32>,
    right: Vec<f32>,
    top: Vec<f32>,
    walls: usize,
    clearing: [f32; 4],
    version: u64,
}

impl TerrainIndex {
    /// Takes in all terrain anew.
    pub(super) fn fill(&mut self, walls: &[Wall], corners: &[Corner], clearing: [f32; 4]) {
        let Self { left, bottom, right, top, .. } = self;
        for values in [&mut *left, bottom, right, top] {
            values.clear();
        }
        for (low, high) in walls.iter().map(Wall::bounds).chain(corners.iter().map(Corner::bounds)) {
            left.push(low.x);
            bottom.push(low.y);
            right.push(high.x);
            top.push(high.y);
        }
        self.walls = walls.len();
        self.clearing = clearing;
        self.version += 1;
    }

    /// Calls `visit` with every piece whose box meets this one (left, bottom, right, top, metres), in any order, each once.
    #[inline(always)]
    pub(in crate::collision) fn for_each_near(&self, bounds: [f32; 4], mut visit: impl FnMut(Piece)) {
        if lies_in(bounds, self.clearing) {
            return;
        }
        let [left, bottom, right, top] = bounds;
        let count = self.left.len();
        for start in (0..count).step_by(16) {
            let some = start..count.min(start + 16);
            let boxes = self.left[some.clone()].iter().zip(&self.bottom[some.clone()]);
            let boxes = boxes.zip(self.right[some.clone()].iter().zip(&self.top[some]));
            let mut near = 0_u32;
            for (k, ((l, b), (r, t))) in boxes.enumerate() {
                // Without branches, so that many are tested at once.
                let meets = [*l <= right, *b <= top, *r >= left, *t >= bottom].map(u32::from);
                near |= (meets[0] & meets[1] & meets[2] & meets[3]) << k;
            }
            while near != 0 {
                let index = start + near.trailing_zeros() as usize;
                near &= near - 1;
                let (wall, corner) = (index as u32, index.wrapping_sub(self.walls) as u32);
                visit(if index < self.walls { Piece::Wall(wall) } else { Piece::Corner(corner) });
            }
        }
    }

    /// A number that is another whenever any wall or fixed circle came, went, moved or changed its index.
    #[allow(dead_code, reason = "the stepped mode will ask for it")]
    pub(in crate::collision) fn version(&self) -> u64 {
        self.version
    }

    /// Whether there is no terrain at all.
    pub(in crate::collision) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// A box without terrain: its left, bottom, right and top, metres. Empty until [`Space::finish_terrain`](super::Space).
    pub(in crate::collision) fn clearing(&self) -> [f32; 4] {
        self.clearing
    }
}
