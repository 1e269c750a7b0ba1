//! Pockets in the stepped mode: which pockets the straight paths of a substep enter, and the discs that fall.

use bevy::math::DVec2;

use crate::collision::{
    hit::FallenDisc,
    path::trajectory::Trajectory,
    pockets::Pockets,
    shape::{Bounds, time_of_impact::entry_time},
    space::PhysicsSpace,
};

/// Drops the discs whose paths enter pockets. Discs near terrain have already done so on their paths.
pub(super) fn fall_into_pockets(space: &mut PhysicsSpace) {
    if space.pockets.circles().is_empty() {
        return;
    }
    let substep = f64::from(space.substep());
    for i in 0..space.discs.len() {
        let way = [space.discs.previous[i].as_dvec2(), space.discs.position[i].as_dvec2()];
        let Some((share, pocket)) = first_pocket(&space.pockets, way) else { continue };
        if space.terrain_neighbours.touching.binary_search(&(i as u32)).is_err() && !space.discs.is_kinematic(i) {
            let fallen = Fallen { disc: i as u32, pocket, at: way[0].lerp(way[1], share), time: share * substep };
            fall(space, fallen);
        }
    }
}

/// The first pocket that a straight path enters, and the share of the path before it; `None` if it enters none.
pub(super) fn first_pocket(pockets: &Pockets, [from, to]: [DVec2; 2]) -> Option<(f64, u32)> {
    let bounds = Bounds::new(from.min(to).as_vec2(), from.max(to).as_vec2());
    let mut first: Option<(f64, u32)> = None;
    pockets.for_each_meeting(bounds, |at, pocket| {
        let time = entry_time(from - pocket.centre.as_dvec2(), to - from, f64::from(pocket.radius));
        if time <= 1.0 && first.is_none_or(|first| (time, at) < first) {
            first = Some((time, at));
        }
    });
    first
}

/// The position and time of a fall into a pocket, metres and seconds since the start of the substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fallen {
    pub(super) disc: u32,
    pub(super) pocket: u32,
    pub(super) at: DVec2,
    pub(super) time: f64,
}

/// Takes a disc that has fallen into a pocket out of play.
pub(super) fn fall(space: &mut PhysicsSpace, Fallen { disc, pocket, at, time }: Fallen) {
    let i = disc as usize;
    let cloth = space.laws.table.as_ref().map(|table| &table.cloth);
    let velocity = match Trajectory::of_spinning(&space.trajectories, i).zip(cloth) {
        Some((trajectory, cloth)) => trajectory.at(cloth, time).0.velocity.as_vec2(),
        None => space.discs.velocity[i],
    };
    let time = space.clock.now - space.substep() + time as f32;
    let pocket = Some(space.pockets.circles()[pocket as usize].entity);
    space.report.fallen.push(FallenDisc { disc, pocket, position: at.as_vec2(), velocity, time });
    space.discs.take_out_of_play(i);
}
