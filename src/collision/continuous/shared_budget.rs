//! Budgets that discs share only with those they have to do with. A budget of all discs together would let a heap
//! change what becomes of another a kilometre away.

/// What groups of discs have used of something within a tick. A disc that has not been joined with any other is a group
/// of its own. Groups that are joined have used the sum of what each had, so together they are bounded as one.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedBudget {
    /// For each disc another of its group, and so on to the one that names the group and stands for itself. Empty until
    /// something is counted.
    parent: Vec<u32>,
    /// What a group has used, by the disc that names it.
    used: Vec<usize>,
}

impl SharedBudget {
    /// Forgets all groups and what they have used, where a tick begins.
    pub(super) fn clear(&mut self) {
        self.parent.clear();
        self.used.clear();
    }

    /// What the group of a disc has used.
    pub(super) fn used(&self, disc: u32) -> usize {
        if self.parent.is_empty() { 0 } else { self.used[self.name(disc) as usize] }
    }

    /// Makes one group of the groups of these discs, of `count` in all.
    pub(super) fn join(&mut self, discs: &[u32], count: usize) {
        if self.parent.is_empty() {
            self.parent.extend(0..count as u32);
            self.used.resize(count, 0);
        }
        let Some((&first, others)) = discs.split_first() else { return };
        let mut name = self.shorten(first);
        for &disc in others {
            let other = self.shorten(disc);
            if other != name {
                let [low, high] = [name.min(other), name.max(other)];
                self.parent[high as usize] = low;
                self.used[low as usize] += self.used[high as usize];
                name = low;
            }
        }
    }

    /// Sets what the group of a disc has used, which has been joined before.
    pub(super) fn set(&mut self, disc: u32, used: usize) {
        let name = self.name(disc);
        self.used[name as usize] = used;
    }

    /// The disc that names the group of a disc.
    fn name(&self, mut disc: u32) -> u32 {
        while self.parent[disc as usize] != disc {
            disc = self.parent[disc as usize];
        }
        disc
    }

    /// The same, with path halving.
    fn shorten(&mut self, mut disc: u32) -> u32 {
        while self.parent[disc as usize] != disc {
            let above = self.parent[self.parent[disc as usize] as usize];
            self.parent[disc as usize] = above;
            disc = above;
        }
        disc
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
