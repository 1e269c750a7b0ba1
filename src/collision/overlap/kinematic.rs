//! Pushes discs out of kinematic discs that they overlap, whatever the cause.

use bevy::{math::DVec2, prelude::*};

use super::{
    Crowd,
    containment::{reach, stay_inside},
    terrain::{Contacts, push_out_of_standing, push_out_of_terrain},
};
use crate::collision::{
    discs::Discs,
    hit::{answers::Answers, response::arbitrary_normal},
    path::movers::{Mover, Movers},
    periodic::Cell,
    shape::{Bounds, rounding::PUSHED_OUT},
};

/// The number of rounds in which a disc is pushed out of kinematic discs and terrain in turn, where there is little
/// room between the two. Chosen by hand: it bounds the work; discs that are still wedged are reported.
const PUSH_ROUNDS: u32 = 12;

/// Moves discs out of the kinematic discs that they overlap. Their velocities do not change: a disc that approaches one
/// hits it at the start of the next substep. Lists them for `Walls`, which runs afterwards.
pub fn push_out(crowd: &mut Crowd) {
    if crowd.discs.kinematic.is_empty() {
        return;
    }
    drop_overlapping(crowd.discs, &crowd.laws.answers, crowd.cell, 0.0);
    let movers = movers_now(crowd.discs, crowd.cell);
    if movers.is_empty() {
        return;
    }
    for disc in overlapping(crowd.discs, &movers, crowd.laws.overlap_slop()) {
        push_out_disc(crowd, &movers, disc);
        crowd.terrain_neighbours.pushed.push(disc);
    }
}

/// Where terrain has pushed discs back into kinematic discs, pushes out of both in turn as long as there is a way out
/// between the two. Returns the discs without one.
pub fn push_out_wedged(crowd: &mut Crowd) -> Vec<u32> {
    if crowd.discs.kinematic.is_empty() {
        return Vec::new();
    }
    let movers = movers_now(crowd.discs, crowd.cell);
    let least = crowd.laws.overlap_slop().max(PUSHED_OUT);
    let mut wedged = if movers.is_empty() { Vec::new() } else { overlapping(crowd.discs, &movers, least) };
    if wedged.is_empty() || crowd.terrain.is_empty() {
        return wedged;
    }
    for _ in 0..PUSH_ROUNDS {
        for &disc in &wedged {
            push_out_disc(crowd, &movers, disc);
        }
        push_out_of_standing(crowd, &wedged, Contacts::Keep);
        wedged.retain(|&disc| overlap(crowd.discs, &movers, disc, PUSHED_OUT) > 0.0);
        if wedged.is_empty() {
            break;
        }
    }
    wedged
}

/// The discs that touch kinematic ones or are closer than a share of their radii, with the unit vectors away from those
/// and their velocities, m/s.
pub fn contacts(discs: &Discs, cell: Option<Cell>, margin: f32) -> Vec<(u32, Vec2, Vec2)> {
    let movers = movers_now(discs, cell);
    let (mut contacts, mut near) = (Vec::new(), Vec::new());
    for i in 0..discs.len() {
        let (at, radius) = (discs.position[i], discs.radius[i] * (1.0 + margin));
        let bounds = Bounds::of_way([at; 2], radius);
        if !movers.meet(bounds) || discs.is_kinematic(i) {
            continue;
        }
        near.clear();
        movers.list(discs, i, bounds, &mut near);
        near.sort_unstable_by_key(|mover| mover.disc);
        for mover in &near {
            let away = at.as_dvec2() - mover.from;
            let (distance, sum) = (away.length_squared().sqrt(), mover.radius + f64::from(radius));
            if distance > 0.0 && distance < sum {
                contacts.push((i as u32, (away / distance).as_vec2(), mover.velocity.as_vec2()));
            }
        }
    }
    contacts
}

/// Drops pairs of a disc and a kinematic disc that touch, or are closer than a share of their radii, if contact hooks
/// say so.
pub fn drop_overlapping(discs: &mut Discs, answers: &Answers, cell: Option<Cell>, margin: f32) {
    if discs.kinematic.is_empty() || answers.hooks.is_empty() {
        return;
    }
    let movers = movers_now(discs, cell);
    let mut near = Vec::new();
    for i in (0..discs.len()).filter(|&i| !discs.is_kinematic(i)).collect::<Vec<_>>() {
        let (at, radius) = (discs.position[i], discs.radius[i] * (1.0 + margin));
        near.clear();
        movers.list(discs, i, Bounds::of_way([at; 2], radius), &mut near);
        for mover in &near {
            if mover.from.distance(at.as_dvec2()) < mover.radius + f64::from(radius) {
                let other = mover.disc as usize;
                answers.let_meet(discs, cell, [i.min(other), i.max(other)]);
            }
        }
    }
}

/// The kinematic discs at their current positions.
fn movers_now(discs: &Discs, cell: Option<Cell>) -> Movers {
    Movers::between(discs, cell, None)
}

/// Moves along the discs that were stopped at a time of a continuous tick, in seconds, and that a kinematic disc has
/// hit since. Pushes out the discs that others have pushed into kinematic ones by the end of the tick.
pub fn take_along(crowd: &mut Crowd, stopped: &[(u32, f64)]) {
    let end = f64::from(crowd.clock.time_step);
    let mut near = Vec::new();
    let movers = Movers::between(crowd.discs, crowd.cell, Some([0.0, 1.0]));
    crowd.discs.previous.clone_from(&crowd.discs.position);
    for &(disc, time) in stopped {
        let i = disc as usize;
        let (at, radius) = (crowd.discs.position[i].as_dvec2(), f64::from(crowd.discs.radius[i]));
        near.clear();
        movers.list(crowd.discs, i, Bounds::of_way([crowd.discs.position[i]; 2], crowd.discs.radius[i]), &mut near);
        if let Some((after, mover)) = Movers::first_met(&near, time, [at, DVec2::ZERO], radius, end - time) {
            crowd.discs.position[i] = (at + mover.velocity * (end - time - after)).as_vec2();
        }
    }
    crowd.terrain_neighbours.pushed.clear();
    push_out(crowd);
    push_out_of_terrain(crowd);
    push_out_wedged(crowd);
}

/// The discs that overlap a kinematic disc by more than a share of the smaller radius, in order.
fn overlapping(discs: &Discs, movers: &Movers, share: f32) -> Vec<u32> {
    let Discs { position, radius, .. } = discs;
    let is_near = |&i: &u32| movers.meet(Bounds::of_way([position[i as usize]; 2], radius[i as usize]));
    let all = (0..position.len() as u32).filter(is_near).filter(|&i| !discs.is_kinematic(i as usize));
    all.filter(|&i| overlap(discs, movers, i, share) > 0.0).collect()
}

/// The deepest overlap of a disc with a kinematic disc beyond a share of the smaller radius, metres; zero if there is
/// none.
fn overlap(discs: &Discs, movers: &Movers, disc: u32, share: f32) -> f32 {
    let (at, radius) = (discs.position[disc as usize], discs.radius[disc as usize]);
    let mut near = Vec::new();
    movers.list(discs, disc as usize, Bounds::of_way([at; 2], radius), &mut near);
    let (radius, share) = (f64::from(radius), f64::from(share));
    let depth =
        |mover: &Mover| mover.radius + radius - mover.from.distance(at.as_dvec2()) - share * radius.min(mover.radius);
    near.iter().map(depth).fold(0.0, f64::max) as f32
}

/// Moves a disc out of the kinematic discs that it overlaps, one after the other in order, but through no wall.
fn push_out_disc(crowd: &mut Crowd, movers: &Movers, disc: u32) {
    let Crowd { discs, terrain, broad_phase, .. } = crowd;
    let i = disc as usize;
    let radius = f64::from(discs.radius[i]);
    let mut near = Vec::new();
    movers.list(discs, i, Bounds::of_way([discs.position[i]; 2], discs.radius[i]), &mut near);
    near.sort_unstable_by_key(|mover| mover.disc);
    for mover in near {
        let away = discs.position[i].as_dvec2() - mover.from;
        let (distance, sum) = (away.length_squared().sqrt(), radius + mover.radius);
        if distance >= sum {
            continue;
        }
        let normal = if distance > 0.0 {
            away / distance
        } else {
            -arbitrary_normal(discs.id[i], discs.id[mover.disc as usize]).as_dvec2()
        };
        discs.position[i] = (mover.from + normal * sum).as_vec2();
    }
    let fixed = terrain.view();
    let mut pieces = Vec::new();
    let way = [discs.previous[i], discs.position[i]];
    fixed.index.for_each_overlapping(Bounds::of_way(way, reach(discs, i)), |piece| pieces.push(piece));
    pieces.sort_unstable();
    stay_inside(discs, &pieces, &fixed, i);
    broad_phase.pushed(disc, discs);
}
