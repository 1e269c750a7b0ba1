//! Disjoint sets (union-find): connected groups of discs. A set is identified by its lowest member, so the result does
//! not depend on the order in which sets are joined.

/// Sets of the numbers below a count.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets {
    /// For each number another one of its set, and so on down to the lowest, which refers to itself.
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Makes each number below `count` a separate set.
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    /// Removes all numbers.
    pub fn clear(&mut self) {
        self.parent.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The lowest member of the set of a number.
    pub fn lowest(&self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    /// The same, with path halving.
    pub fn find(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Joins the sets of two numbers. Returns the lowest members of the two, the lower first; `None` if they are
    /// already in one set.
    pub fn join(&mut self, a: u32, b: u32) -> Option<[u32; 2]> {
        let (a, b) = (self.find(a), self.find(b));
        let [low, high] = [a.min(b), a.max(b)];
        self.parent[high as usize] = low;
        (low != high).then_some([low, high])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_member_names_the_set_in_any_order_of_joining() {
        for pairs in [[[7, 3], [3, 5], [1, 5]], [[1, 5], [5, 3], [7, 3]], [[5, 7], [1, 7], [3, 1]]] {
            let mut sets = DisjointSets::default();
            sets.reset(9);
            assert!(pairs.iter().all(|&[a, b]| sets.join(a, b).is_some()));
            assert_eq!(sets.join(7, 1), None);
            let names: Vec<u32> = (0..9).map(|at| sets.lowest(at)).collect();
            assert_eq!(names, [0, 1, 2, 1, 4, 1, 6, 1, 8]);
            assert!((0..9).all(|at| sets.find(at) == names[at as usize]));
        }
    }
}
