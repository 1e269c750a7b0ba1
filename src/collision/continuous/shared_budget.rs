//! Budgets shared by groups of interacting discs. A single budget for all discs would let a heap affect another one a
//! kilometre away.

use crate::collision::disjoint_sets::DisjointSets;

/// The use of a budget by groups of discs within a tick. A disc that has not been joined with another is a separate
/// group. Joined groups have used the sum of what each had used, so they are limited as one.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedBudget {
    /// The groups. Empty until something is counted.
    groups: DisjointSets,
    /// The amount used by a group, by its lowest disc.
    used: Vec<usize>,
}

impl SharedBudget {
    /// Resets all groups and amounts at the start of a tick.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.used.clear();
    }

    /// The amount used by the group of a disc.
    pub(super) fn used(&self, disc: u32) -> usize {
        if self.groups.is_empty() { 0 } else { self.used[self.groups.lowest(disc) as usize] }
    }

    /// Joins the groups of these discs, of `count` discs in all.
    pub(super) fn join(&mut self, discs: &[u32], count: usize) {
        if self.groups.is_empty() {
            self.groups.reset(count);
            self.used.resize(count, 0);
        }
        for pair in discs.windows(2) {
            if let Some([low, high]) = self.groups.join(pair[0], pair[1]) {
                self.used[low as usize] += self.used[high as usize];
            }
        }
    }

    /// Sets the amount used by the group of a disc, which must have been joined before.
    pub(super) fn set(&mut self, disc: u32, used: usize) {
        self.used[self.groups.lowest(disc) as usize] = used;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_are_joined_have_used_what_both_had_and_others_nothing() {
        let mut budget = SharedBudget::default();
        assert_eq!(budget.used(4), 0, "nothing is known yet");
        for (pair, used) in [([4, 2], 3), ([5, 1], 10)] {
            budget.join(&pair, 7);
            budget.set(pair[0], used);
        }
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|disc| budget.used(disc)), [0, 10, 3, 0, 3, 10, 0]);
        budget.join(&[6, 2, 5, 4], 7);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|disc| budget.used(disc)), [0, 13, 13, 0, 13, 13, 13]);
        budget.clear();
        assert_eq!(budget.used(4), 0);
    }
}
