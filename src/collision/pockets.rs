//! Pockets in the steps: circles in world coordinates, and a tree that finds those near a position or a path. So a
//! table with thousands of pockets costs a disc only as much as the pockets near it.

use bevy::prelude::*;
use std::sync::Arc;

use crate::collision::shape::{
    Bounds, Tree,
    rounding::{SQUARES_VANISH, padded},
};

/// A pocket in world coordinates (metres): a disc whose centre enters the circle falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PocketCircle {
    /// The entity of the pocket.
    pub entity: Entity,
    /// Its centre.
    pub centre: Vec2,
    /// Its radius.
    pub radius: f32,
}

impl PocketCircle {
    /// Whether a position is inside.
    fn holds(&self, place: Vec2) -> bool {
        place.distance_squared(self.centre) <= self.radius * self.radius
    }

    /// Whether it may overlap a box.
    #[inline(always)]
    fn meets(&self, bounds: Bounds) -> bool {
        Bounds::around(self.centre, self.radius).overlaps(bounds)
    }

    /// A box around all positions that it may contain by any rounding.
    fn bounds(&self) -> Bounds {
        Bounds::around(self.centre, padded(self.radius, self.centre) + SQUARES_VANISH)
    }
}

/// All pockets in order, and their index.
#[derive(Clone, Debug, Default)]
pub struct Pockets {
    circles: Vec<PocketCircle>,
    /// Shared with predictions, which use a copy of the space.
    tree: Arc<Tree>,
}

impl Pockets {
    /// Replaces all pockets.
    pub fn replace(&mut self, circles: Vec<PocketCircle>) {
        if circles != self.circles {
            let mut boxes: Vec<(Bounds, u32)> = circles.iter().map(PocketCircle::bounds).zip(0..).collect();
            *self = Self { circles, tree: Arc::new(Tree::new(&mut boxes)) };
        }
    }

    /// All pockets, in order.
    pub fn circles(&self) -> &[PocketCircle] {
        &self.circles
    }

    /// Calls `visit` with the pockets that may overlap a box and their indices, in any order.
    #[inline(always)]
    pub fn for_each_meeting(&self, bounds: Bounds, mut visit: impl FnMut(u32, &PocketCircle)) {
        self.tree.for_each_overlapping(bounds, |at| {
            let pocket = &self.circles[at as usize];
            if pocket.meets(bounds) {
                visit(at, pocket);
            }
        });
    }

    /// Whether any may overlap a box.
    #[inline(always)]
    pub fn meet(&self, bounds: Bounds) -> bool {
        let mut found = false;
        self.for_each_meeting(bounds, |_, _| found = true);
        found
    }

    /// Adds a pocket.
    pub fn add(&mut self, pocket: PocketCircle) {
        Arc::make_mut(&mut self.tree).insert(pocket.bounds(), self.circles.len() as u32);
        self.circles.push(pocket);
    }

    /// Whether a position is inside any pocket.
    #[inline(always)]
    pub fn hold(&self, place: Vec2) -> bool {
        self.at(place).is_some()
    }

    /// The first pocket, in order, that a position is inside.
    #[inline(always)]
    pub fn at(&self, place: Vec2) -> Option<u32> {
        let mut first: Option<u32> = None;
        self.tree.for_each_overlapping(Bounds::around(place, 0.0), |at| {
            if self.circles[at as usize].holds(place) && first.is_none_or(|first| at < first) {
                first = Some(at);
            }
        });
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pockets(circles: Vec<PocketCircle>, added: usize) -> Pockets {
        let mut pockets = Pockets::default();
        let first = circles.len() - added.min(circles.len());
        pockets.replace(circles[..first].to_vec());
        circles[first..].iter().for_each(|pocket| pockets.add(*pocket));
        assert_eq!(pockets.circles(), circles);
        pockets
    }

    /// Positions of all sizes, including some that coincide.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![Just(0.0f32), (-3i8..=3).prop_map(f32::from), -3.0f32..3.0, -1e4f32..1e4, -1e-20f32..1e-20]
    }

    fn circle() -> impl Strategy<Value = PocketCircle> {
        let radius = prop_oneof![Just(1.0f32), 1e-3f32..2.0, 1e-25f32..1e-15, 1.0f32..1e3];
        (coordinate(), coordinate(), radius).prop_map(|(x, y, radius)| PocketCircle {
            entity: Entity::PLACEHOLDER,
            centre: Vec2::new(x, y),
            radius,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 64 } else { 1024 }))]

        #[test]
        fn the_tree_finds_what_a_look_at_every_pocket_does(
            circles in prop::collection::vec(circle(), 0..100),
            added in 0usize..100,
            places in prop::collection::vec((coordinate(), coordinate(), 0.0f32..4.0, 0.0f32..4.0), 1..20),
            turns in prop::collection::vec(0.0f32..core::f32::consts::TAU, 1..20),
        ) {
            let pockets = pockets(circles, added);
            for (x, y, width, height) in places {
                let bounds = Bounds::new(Vec2::new(x, y), Vec2::new(x + width, y + height));
                let all = (0..).zip(pockets.circles()).filter(|(_, pocket)| pocket.meets(bounds));
                let expected: Vec<u32> = all.map(|(at, _)| at).collect();
                let mut found = Vec::new();
                pockets.for_each_meeting(bounds, |at, _| found.push(at));
                found.sort_unstable();
                prop_assert_eq!(pockets.meet(bounds), !expected.is_empty());
                prop_assert_eq!(found, expected);
            }
            // Also on the rims themselves, where the last digit decides.
            let on_rims = pockets.circles().iter().zip(turns.iter().cycle());
            for (pocket, turn) in on_rims {
                for direction in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::from_angle(*turn)] {
                    for share in [0.5, 1.0 - f32::EPSILON, 1.0, 1.0 + f32::EPSILON] {
                        let place = pocket.centre + direction * pocket.radius * share;
                        let expected = pockets.circles().iter().any(|pocket| pocket.holds(place));
                        prop_assert_eq!(pockets.hold(place), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn pockets_that_nobody_is_near_are_not_looked_at() {
        let place = |i: u32| Vec2::new((i % 100) as f32, (i / 100) as f32);
        let circle = |i| PocketCircle { entity: Entity::PLACEHOLDER, centre: place(i), radius: 0.1 };
        let pockets = pockets((0..10_000).map(circle).collect(), 5_000);
        for i in (0..10_000).step_by(7) {
            let mut looked_at = 0;
            pockets.tree.for_each_overlapping(Bounds::around(place(i), 0.5), |_| looked_at += 1);
            assert_eq!(looked_at, 1);
        }
    }
}
