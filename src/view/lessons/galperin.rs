//! Galperin's billiard (2003): a disc before a wall, another of 100^d times its mass comes in, and the collisions, counted
//! with those at the wall, are the first d + 1 digits of pi.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use tr::tr;

use crate::{
    collision::Collision,
    disc::{Disc, Mass, Position, Radius, StableId},
    scene::SceneStarted,
    view::{Drawn, View2d, labels::Pen},
};

/// How many collisions each disc had since the scene began; counted for this lesson only. Of two discs the one with the lower
/// [`StableId`] counts.
#[derive(Resource, Clone, Debug, Default)]
pub struct Tally {
    counts: EntityHashMap<u64>,
}

/// One lane of the lesson: a light disc and the heavy one beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lane {
    /// The light disc.
    pub light: Entity,
    /// The mass of the heavy one as a multiple of the light one's.
    pub ratio: f32,
    /// Where the number is written: the height of the lane, metres.
    pub height: f32,
    /// The collisions so far.
    pub count: u64,
}

/// What is read of a disc.
pub type LaneDisc =
    (Entity, &'static StableId, &'static Position, &'static Mass, &'static Radius, Option<&'static Drawn>);

impl Tally {
    /// The lanes, in the order of their discs' [`StableId`]s: two discs each, the light one first.
    #[must_use]
    pub fn lanes(&self, discs: &Query<LaneDisc, With<Disc>>) -> Vec<Lane> {
        let mut discs: Vec<_> = discs.iter().collect();
        discs.sort_unstable_by_key(|(entity, id, ..)| (**id, *entity));
        discs
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[light, heavy]| Lane {
                light: light.0,
                ratio: heavy.3.0 / light.3.0,
                height: light.2.y,
                count: self.counts.get(&light.0).copied().unwrap_or(0),
            })
            .collect()
    }
}

/// A scene begins with no collision.
pub(super) fn forget(_: On<SceneStarted>, mut tally: ResMut<Tally>) {
    tally.counts.clear();
}

pub(super) fn count(mut tally: ResMut<Tally>, mut collisions: MessageReader<Collision>) {
    for collision in collisions.read() {
        *tally.counts.entry(collision.a).or_insert(0) += 1;
    }
}

pub(super) fn write(pen: &Pen, view: &View2d, tally: &Tally, discs: &Query<LaneDisc, With<Disc>>) {
    let right = view.to_world(view.area.max).x - view.px(150.0);
    for lane in tally.lanes(discs) {
        let at = view.to_screen(Vec2::new(right, lane.height));
        let colour = if lane.count == expected(lane.ratio) { pen.theme.lesson.after } else { pen.theme.text.first };
        pen.middle(at - Vec2::Y * 9.0, 34.0, &lane.count.to_string(), colour);
        pen.middle(at + Vec2::Y * 20.0, 13.0, &tr!("mass {} : 1", lane.ratio), pen.theme.text.soft);
    }
}

/// The collisions that there will be: the largest whole number below pi over the angle of the lane's wedge.
#[must_use]
pub fn expected(ratio: f32) -> u64 {
    let wedge = (1.0 / f64::from(ratio).sqrt()).atan();
    ((std::f64::consts::PI / wedge).ceil() as u64).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_pi() {
        assert_eq!([1.0, 1e2, 1e4, 1e6, 1e8].map(expected), [3, 31, 314, 3141, 31_415]);
    }
}
