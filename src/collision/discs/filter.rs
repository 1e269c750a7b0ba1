//! Which discs meet which, and which pieces of terrain a disc ignores.

use bevy::prelude::*;

use crate::components::CollisionLayers;

/// Which discs do not meet all others, and all terrain. By the indices of the discs; empty where all meet all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiscFilter {
    /// The layers of each disc; empty where none has any.
    layers: Vec<CollisionLayers>,
    /// Discs that ignore each other, the lower index first, in order.
    ignored: Vec<[u32; 2]>,
    /// Discs that a joint holds closer than they have room, the lower index first, in order.
    held: Vec<[u32; 2]>,
    /// Discs and the pieces of terrain that they ignore, in order.
    ignored_terrain: Vec<(u32, Entity)>,
    /// The same for those that go through each other until the substep or the tick ends, because a contact hook has
    /// said so.
    dropped: Vec<[u32; 2]>,
    dropped_terrain: Vec<(u32, Entity)>,
}

impl DiscFilter {
    /// Whether all discs meet each other and all terrain.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
            && self.ignored.is_empty()
            && self.held.is_empty()
            && self.ignored_terrain.is_empty()
            && self.dropped.is_empty()
            && self.dropped_terrain.is_empty()
    }

    /// Whether two discs meet.
    #[inline(always)]
    pub fn meet(&self, i: usize, j: usize) -> bool {
        self.is_empty() || self.meet_by_lists(i, j)
    }

    fn meet_by_lists(&self, i: usize, j: usize) -> bool {
        let pair = [i.min(j) as u32, i.max(j) as u32];
        self.layers_of(i).meets(self.layers_of(j))
            && self.ignored.binary_search(&pair).is_err()
            && self.held.binary_search(&pair).is_err()
            && self.dropped.binary_search(&pair).is_err()
    }

    /// Whether a disc meets a piece of terrain with these layers.
    pub fn meets_terrain(&self, i: usize, piece: Entity, layers: CollisionLayers) -> bool {
        self.layers_of(i).meets(layers)
            && self.ignored_terrain.binary_search(&(i as u32, piece)).is_err()
            && !self.drops_terrain(i, piece)
    }

    /// Whether a disc goes through a piece of terrain until the substep or the tick ends.
    pub fn drops_terrain(&self, i: usize, piece: Entity) -> bool {
        self.dropped_terrain.binary_search(&(i as u32, piece)).is_ok()
    }

    /// Two discs go through each other until the substep or the tick ends.
    pub fn drop_pair(&mut self, i: usize, j: usize) {
        insert(&mut self.dropped, [i.min(j) as u32, i.max(j) as u32]);
    }

    /// A disc goes through a piece of terrain until the substep or the tick ends.
    pub fn drop_terrain(&mut self, i: usize, piece: Entity) {
        insert(&mut self.dropped_terrain, (i as u32, piece));
    }

    /// Those that went through each other meet again.
    pub fn forget_dropped(&mut self) {
        self.dropped.clear();
        self.dropped_terrain.clear();
    }

    /// The layers of a disc.
    pub fn layers_of(&self, i: usize) -> CollisionLayers {
        self.layers.get(i).copied().unwrap_or_default()
    }

    /// Gives one of `count` discs its layers.
    pub fn set_layers(&mut self, i: usize, layers: CollisionLayers, count: usize) {
        if layers != CollisionLayers::ALL || !self.layers.is_empty() {
            self.layers.resize(count, CollisionLayers::ALL);
            self.layers[i] = layers;
        }
    }

    /// Two discs ignore each other.
    pub fn ignore(&mut self, i: usize, j: usize) {
        insert(&mut self.ignored, [i.min(j) as u32, i.max(j) as u32]);
    }

    /// Joints hold these pairs of discs closer than they have room, and no others; says whether that is news.
    pub fn hold(&mut self, mut pairs: Vec<[u32; 2]>) -> bool {
        pairs.sort_unstable();
        pairs.dedup();
        std::mem::replace(&mut self.held, pairs) != self.held
    }

    /// The pairs of discs that joints hold closer than they have room.
    pub fn held(&self) -> &[[u32; 2]] {
        &self.held
    }

    /// A disc and a piece of terrain ignore each other.
    pub fn ignore_terrain(&mut self, i: usize, piece: Entity) {
        insert(&mut self.ignored_terrain, (i as u32, piece));
    }

    /// Whether a disc and another, or a piece of terrain, ignore each other, by the entity of the piece and the index
    /// of the other disc.
    pub fn ignores(&self, i: usize, piece: Entity, disc: Option<u32>) -> bool {
        match disc {
            Some(j) => self.ignored.binary_search(&[j.min(i as u32), j.max(i as u32)]).is_ok(),
            None => self.ignored_terrain.binary_search(&(i as u32, piece)).is_ok(),
        }
    }

    /// The pieces of terrain that some disc ignores, some of them several times.
    pub fn ignored_pieces(&self) -> impl Iterator<Item = Entity> + '_ {
        self.ignored_terrain.iter().map(|&(_, piece)| piece)
    }
}

/// Puts something into a list in order, unless it is there.
fn insert<T: Ord>(list: &mut Vec<T>, new: T) {
    if let Err(place) = list.binary_search(&new) {
        list.insert(place, new);
    }
}
