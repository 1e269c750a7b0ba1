//! Which pieces of terrain are near: their boxes, sixteen at a time.

use super::{
    super::space::{Corner, Wall},
    movers::Partner,
};

/// The box around a circle: its left, bottom, right and top, metres.
#[inline(always)]
pub(super) fn around([x, y]: [f32; 2], reach: f32) -> [f32; 4] {
    [x - reach, y - reach, x + reach, y + reach]
}

/// Whether one box lies in another.
#[inline(always)]
pub(super) fn lies_in([left, bottom, right, top]: [f32; 4], outer: [f32; 4]) -> bool {
    left > outer[0] && bottom > outer[1] && right < outer[2] && top < outer[3]
}

/// The box around every wall and every corner, and one around which there is none.
#[derive(Clone, Debug, Default)]
pub(in crate::collision) struct Boxes {
    left: Vec<f32>,
    bottom: Vec<f32>,
    right: Vec<f32>,
    top: Vec<f32>,
    walls: usize,
    clearing: [f32; 4],
}

impl Boxes {
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
    }

    /// Calls `visit` with every piece whose box meets this one: its left, bottom, right and top, metres.
    #[inline(always)]
    pub(super) fn for_each_near(&self, bounds: [f32; 4], mut visit: impl FnMut(Partner)) {
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
                visit(if index < self.walls { Partner::wall(index) } else { Partner::corner(index - self.walls) });
            }
        }
    }
}
