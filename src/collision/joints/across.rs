//! Joints across periodic edges: the ends of a joint are seen where they are nearest to each other.

use super::Group;
use crate::collision::periodic::Cell;

impl Group {
    /// Puts its bodies, from the first on, where each is the image that is nearest to one that it is joined to.
    pub(super) fn unwrap(&mut self, cell: Option<Cell>) {
        let Some(cell) = cell else { return };
        let mut placed = vec![false; self.bodies.len()];
        // All hang together; but at a disc that nobody moves or a point, another part may begin.
        for first in 0..self.bodies.len() {
            let mut changes = !std::mem::replace(&mut placed[first], true);
            while std::mem::take(&mut changes) {
                for link in &self.links {
                    let [a, b] = link.ends;
                    let [from, to] = match [placed[a], placed[b]] {
                        [true, false] => [a, b],
                        [false, true] => [b, a],
                        _ => continue,
                    };
                    let at = self.bodies[from].at;
                    self.bodies[to].at = at + cell.nearest_exactly(self.bodies[to].at - at);
                    (placed[to], changes) = (true, true);
                }
            }
        }
    }
}
