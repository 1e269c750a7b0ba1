//! Which discs collide with each other, and which pieces of terrain a disc ignores.

use bevy::prelude::*;

use crate::components::CollisionLayers;

/// The filter of the discs that do not collide with all others and all terrain, by index. Empty if all collide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiscFilter {
    /// The layers of each disc; empty if no disc has any.
    layers: Vec<CollisionLayers>,
    /// Pairs of discs that ignore each other, the lower index first, sorted.
    ignored: Vec<[u32; 2]>,
    /// Pairs of discs that a joint holds closer than their radii allow, the lower index first, sorted.
    held: Vec<[u32; 2]>,
    /// Discs with the pieces of terrain that they ignore, sorted.
    ignored_terrain: Vec<(u32, Entity)>,
    /// Pairs that pass through each other until the end of the substep or tick, because a contact hook dropped them.
    dropped: Vec<[u32; 2]>,
    dropped_terrain: Vec<(u32, Entity)>,
}

impl DiscFilter {
    /// Whether all discs collide with each other and with all terrain.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
            && self.ignored.is_empty()
            && self.held.is_empty()
            && self.ignored_terrain.is_empty()
            && self.dropped.is_empty()
            && self.dropped_terrain.is_empty()
    }

    /// Whether two discs can collide.
    #[inline(always)]
    pub fn meet(&self, i: usize, j: usize) -> bool {
        self.is_empty() || self.meet_by_lists(i, j)
    }

    fn meet_by_lists(&self, i: usize, j: usize) -> bool {
        let pair = [i.min(j) as u32, i.max(j) as u32];
        self.layers_of(i).can_collide(self.layers_of(j))
            && self.ignored.binary_search(&pair).is_err()
            && self.held.binary_search(&pair).is_err()
            && self.dropped.binary_search(&pair).is_err()
    }

    /// Whether a disc can collide with a piece of terrain in these layers.
    pub fn meets_terrain(&self, i: usize, piece: Entity, layers: CollisionLayers) -> bool {
        self.layers_of(i).can_collide(layers)
            && self.ignored_terrain.binary_search(&(i as u32, piece)).is_err()
            && !self.drops_terrain(i, piece)
    }

    /// Whether a hook has dropped a disc and a piece of terrain until the end of the substep or tick.
    pub fn drops_terrain(&self, i: usize, piece: Entity) -> bool {
        self.dropped_terrain.binary_search(&(i as u32, piece)).is_ok()
    }

    /// Drops a pair of discs until the end of the substep or tick.
    pub fn drop_pair(&mut self, i: usize, j: usize) {
        insert(&mut self.dropped, [i.min(j) as u32, i.max(j) as u32]);
    }

    /// Drops a disc and a piece of terrain until the end of the substep or tick.
    pub fn drop_terrain(&mut self, i: usize, piece: Entity) {
        insert(&mut self.dropped_terrain, (i as u32, piece));
    }

    /// Restores all dropped pairs.
    pub fn forget_dropped(&mut self) {
        self.dropped.clear();
        self.dropped_terrain.clear();
    }

    /// The layers of a disc.
    pub fn layers_of(&self, i: usize) -> CollisionLayers {
        self.layers.get(i).copied().unwrap_or_default()
    }

    /// Sets the layers of one of `count` discs.
    pub fn set_layers(&mut self, i: usize, layers: CollisionLayers, count: usize) {
        if layers != CollisionLayers::ALL || !self.layers.is_empty() {
            self.layers.resize(count, CollisionLayers::ALL);
            self.layers[i] = layers;
        }
    }

    /// Makes two discs ignore each other.
    pub fn ignore(&mut self, i: usize, j: usize) {
        insert(&mut self.ignored, [i.min(j) as u32, i.max(j) as u32]);
    }

    /// Replaces the pairs of discs that joints hold closer than their radii allow, and returns whether they changed.
    pub fn hold(&mut self, mut pairs: Vec<[u32; 2]>) -> bool {
        pairs.sort_unstable();
        pairs.dedup();
        std::mem::replace(&mut self.held, pairs) != self.held
    }

    /// The pairs of discs that joints hold closer than their radii allow.
    pub fn held(&self) -> &[[u32; 2]] {
        &self.held
    }

    /// Makes a disc and a piece of terrain ignore each other.
    pub fn ignore_terrain(&mut self, i: usize, piece: Entity) {
        insert(&mut self.ignored_terrain, (i as u32, piece));
    }

    /// Whether a disc ignores another disc or a piece of terrain, by the entity of the piece or the index of the other
    /// disc.
    pub fn ignores(&self, i: usize, piece: Entity, disc: Option<u32>) -> bool {
        match disc {
            Some(j) => self.ignored.binary_search(&[j.min(i as u32), j.max(i as u32)]).is_ok(),
            None => self.ignored_terrain.binary_search(&(i as u32, piece)).is_ok(),
        }
    }

    /// The pieces of terrain that some disc ignores; some are listed several times.
    pub fn ignored_pieces(&self) -> impl Iterator<Item = Entity> + '_ {
        self.ignored_terrain.iter().map(|&(_, piece)| piece)
    }
}

/// Inserts a value into a sorted list, unless it is there already.
fn insert<T: Ord>(list: &mut Vec<T>, new: T) {
    if let Err(place) = list.binary_search(&new) {
        list.insert(place, new);
    }
}
