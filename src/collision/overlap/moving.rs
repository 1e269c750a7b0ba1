//! Pushes discs out of moving pieces. A disc inside a solid piece leaves by the shortest way that static terrain leaves
//! open. If there is none, the disc stops and waits.

use bevy::{math::DVec2, prelude::*};

use super::{
    Crowd,
    terrain::{Contacts, push_out_of_standing},
};
use crate::collision::{
    discs::Discs,
    hit::{HitTarget, bounce_in_place},
    moving::{HittingDisc, MovingTerrain, Placed, Surroundings},
    shape::{Bounds, rounding::CONTACT_MARGIN_F64, wall::crosses},
    terrain::{TerrainView, index::Piece},
    tick::Laws,
};

/// How often a disc that is pushed out of one piece into another is pushed again. Chosen by hand; after that the disc
/// is stopped.
const PUSH_ROUNDS: u32 = 8;

/// Pushes discs out of moving terrain at this time of the tick, and bounces them if `contacts` says so. Returns whether
/// any were pushed.
pub fn push_out_of_moving(crowd: &mut Crowd, time: f64, contacts: Contacts) -> bool {
    if crowd.moving.is_empty() {
        return false;
    }
    let mut pushed = std::mem::take(&mut crowd.moving.pushed);
    pushed.clear();
    for i in 0..crowd.discs.len() {
        if push_out(crowd, i, time, contacts) {
            pushed.push(i as u32);
        }
    }
    if !crowd.moving.carried.is_empty() {
        pushed.append(&mut crowd.moving.carried);
        pushed.sort_unstable();
        pushed.dedup();
    }
    let any = !pushed.is_empty();
    update_covered(crowd.discs, crowd.moving, &pushed, time);
    // They may overlap static terrain now.
    crowd.terrain_neighbours.pushed.extend_from_slice(&pushed);
    crowd.broad_phase.pushed_later(pushed.iter().copied(), crowd.discs);
    crowd.moving.pushed = pushed;
    any
}

/// Stops the discs that were pushed out of moving terrain and have no room.
pub fn stop_pinned(crowd: &mut Crowd, time: f64, contacts: Contacts) {
    if crowd.moving.pushed.is_empty() {
        return;
    }
    let pushed = std::mem::take(&mut crowd.moving.pushed);
    for &disc in &pushed {
        let i = disc as usize;
        for round in 0..=PUSH_ROUNDS {
            if !is_in_moving(crowd.discs, crowd.moving, i, time) {
                break;
            }
            if round == PUSH_ROUNDS {
                crowd.discs.velocity[i] = Vec2::ZERO;
            } else {
                push_out(crowd, i, time, contacts);
                push_out_of_standing(crowd, &[disc], contacts);
            }
        }
    }
    crowd.moving.pushed = pushed;
}

/// Moves along the discs that were stopped in the tick and that a piece has hit since.
pub fn carry_stopped(discs: &mut Discs, moving: &mut MovingTerrain) {
    for (disc, time) in std::mem::take(&mut moving.stopped) {
        let i = disc as usize;
        let (place, radius) = (discs.position[i].as_dvec2(), f64::from(discs.radius[i]));
        if let Some(carried) = moving.carried(i, place, radius, [time, moving.time_step]) {
            discs.previous[i] = discs.position[i];
            discs.position[i] = carried.as_vec2();
            moving.carried.push(disc);
        }
    }
}

/// Updates which pushed discs are covered: those that came out are not, the others are.
fn update_covered(discs: &Discs, moving: &mut MovingTerrain, pushed: &[u32], time: f64) {
    let mut covered = std::mem::take(&mut moving.covered);
    covered.retain(|(disc, _)| pushed.binary_search(disc).is_err());
    for &disc in pushed {
        let at = discs.position[disc as usize];
        for piece in moving.pieces_near(disc as usize, Bounds::around(at, 0.0)) {
            let there = &moving.pieces[piece as usize];
            if there.shape.is_inside(there.frame_at(time).to_local(at.as_dvec2())) {
                covered.push((disc, piece));
            }
        }
    }
    covered.sort_unstable();
    moving.covered = covered;
}

/// Whether a disc is in a moving piece by more than rounding.
fn is_in_moving(discs: &Discs, moving: &MovingTerrain, i: usize, time: f64) -> bool {
    let (at, radius) = (discs.position[i], discs.radius[i]);
    let (place, wide) = (at.as_dvec2(), f64::from(radius));
    moving.pieces_near(i, Bounds::of_way([at; 2], radius)).into_iter().any(|piece| {
        moving.pieces[piece as usize].place([place; 2], wide, CONTACT_MARGIN_F64 * wide, time, |_| true).is_some()
    })
}

/// Pushes a disc out of all pieces, and returns whether it was in one.
fn push_out(crowd: &mut Crowd, i: usize, time: f64, contacts: Contacts) -> bool {
    let Crowd { discs, moving, terrain, resting, laws, clock, report, .. } = crowd;
    let Laws { settings, table, answers, .. } = laws;
    let (fall, overlap_slop) = (laws.fall_speed(clock), f64::from(laws.overlap_slop()));
    let (began, radius) = (discs.position[i], discs.radius[i]);
    let witness = moving.witness.get(i).copied().unwrap_or(began);
    let bounds = Bounds::of_way([began, witness], radius);
    if !began.is_finite() || !moving.is_near(bounds) || discs.is_kinematic(i) {
        return false;
    }
    let fixed = terrain.view();
    let wide = f64::from(radius);
    let (mut witness, mut was_in) = (witness, false);
    for _ in 0..PUSH_ROUNDS {
        let mut moved = false;
        for piece in moving.pieces_near(i, Bounds::of_way([discs.position[i], witness], radius)) {
            let at = discs.position[i];
            let is_free = |exit: DVec2| is_free(&fixed, at, exit, wide);
            let places = [witness, at].map(Vec2::as_dvec2);
            let placed = moving.pieces[piece as usize].place(places, wide, overlap_slop * wide, time, is_free);
            let Some(placed) = placed else { continue };
            let target = HitTarget::Wall(moving.pieces[piece as usize].key.1);
            let meet = answers.meet(discs.entity[i], target, || placed.encounter(at, discs.velocity[i]));
            if !meet {
                moving.drop_piece(i as u32, piece);
                continue;
            }
            was_in = true;
            let surface = match placed {
                Placed::Stays => {
                    discs.velocity[i] = Vec2::ZERO;
                    continue;
                }
                Placed::Out(place) => {
                    (discs.position[i], moved) = (place.as_vec2(), true);
                    continue;
                }
                Placed::Touches(place, surface) => {
                    (discs.position[i], moved) = (place.as_vec2(), true);
                    surface
                }
            };
            if contacts == Contacts::Keep {
                continue;
            }
            if moving.pieces[piece as usize].is_block() {
                let velocity = discs.velocity[i].as_dvec2();
                let table = table.as_ref().filter(|_| discs.spin_of(i).is_some());
                let answer = answers.at_surface(settings, table, discs.side(i), &surface, &discs.entity, velocity);
                let around = Surroundings::new(fixed, &terrain.filter, settings, fall);
                let disc = HittingDisc { velocity, ..HittingDisc::of(discs, i) };
                if let Some(hit) = moving.hit_block(piece, time, &surface, disc, &around, Some(&answer)) {
                    discs.velocity[i] = hit.velocity.as_vec2();
                    if resting.acts {
                        resting.wake(i);
                    }
                    if let Some(hit) = hit.at(&surface, i as u32, [velocity, DVec2::ZERO], time as f32) {
                        report.record(hit, settings);
                    }
                }
                continue;
            }
            let hit = bounce_in_place(discs, i, &surface, settings, answers, table.as_ref(), clock.now);
            if let Some(hit) = hit {
                report.record(hit, settings);
            }
        }
        if !moved {
            break;
        }
        witness = discs.position[i];
    }
    if let Some(seen) = moving.witness.get_mut(i) {
        *seen = witness;
    }
    was_in
}

/// Whether static terrain leaves room for a disc at a position and on the way there.
fn is_free(fixed: &TerrainView, from: Vec2, exit: DVec2, radius: f64) -> bool {
    let to = exit.as_vec2();
    let mut free = true;
    fixed.index.for_each_overlapping(Bounds::of_way([to, from], radius as f32), |piece| {
        let crossed = matches!(piece, Piece::Wall(wall) if crosses(&fixed.walls[wall as usize], from, to));
        free &= !crossed && fixed.closest(piece, exit).distance >= radius * (1.0 - CONTACT_MARGIN_F64);
    });
    free
}
