//! Sleep: discs of a pile that stand still, are held, and on which the forces are in balance are left as they are until
//! something moves them.

use bevy::prelude::*;

use crate::collision::{
    broad_phase::SUPPORTING,
    discs::Discs,
    moving::MovingTerrain,
    resting::{sleep::Sleep, state::Resting},
    shape::Bounds,
};

/// Finds the discs that stand still and touch nothing that moves. What hits them within the tick wakes them.
pub fn find_undisturbed(discs: &Discs, resting: &mut Resting, moving: &MovingTerrain) {
    let Sleep { still, asleep, .. } = &mut resting.sleep;
    if still.len() != discs.len() {
        // A system between the steps has added discs or taken some out.
        still.clear();
    }
    if moving.moves() {
        for ((still, at), radius) in still.iter_mut().zip(&discs.position).zip(&discs.radius) {
            *still &= !moving.is_near(Bounds::around(*at, radius * SUPPORTING));
        }
    }
    asleep.clone_from(still);
    if still.is_empty() {
        return;
    }
    for &[lower, upper] in resting.tick.pairs.lower_upper() {
        let (lower, upper) = (lower as usize, upper as usize);
        if still[lower] == still[upper] {
            continue;
        }
        let reach = (discs.radius[lower] + discs.radius[upper]) * SUPPORTING;
        let line = discs.position[upper] - discs.position[lower];
        if resting.limits.cell.map_or(line, |cell| cell.nearest(line)).length_squared() < reach * reach {
            asleep[lower] &= still[upper];
            asleep[upper] &= still[lower];
        }
    }
}

/// Of the undisturbed discs, those sleep on that something holds and whose forces the first substep finds in balance;
/// pairs of them need no more looking at in this tick.
pub fn keep_asleep(discs: &Discs, resting: &mut Resting, substeps: u32) {
    let Resting { tick, substep, sleep, limits, .. } = resting;
    if tick.substeps > 1 {
        return;
    }
    tick.contacts_at_rest = substep.contacts.len();
    if sleep.asleep.is_empty() {
        return;
    }
    for contact in &substep.contacts {
        substep.supported[contact.upper as usize] |= substep.supported[contact.lower as usize];
    }
    let most = limits.sleep_speed / substeps as f32;
    for ((asleep, velocity), supported) in sleep.asleep.iter_mut().zip(&discs.velocity).zip(&substep.supported) {
        *asleep &= *supported && velocity.length_squared() < most * most;
    }
    substep.contacts.retain(|contact| !sleep.holds(contact.lower as usize, contact.upper as usize));
    resting.leave_out_sleepers();
}

/// Stops what sleeps and, where a tick ends, what is supported and slow enough to fall asleep.
pub fn stop(discs: &mut Discs, resting: &mut Resting, substeps: u32) {
    let Resting { tick, substep, sleep, limits, .. } = resting;
    let tick_ends = tick.substeps == substeps;
    let most = limits.sleep_speed * limits.sleep_speed;
    for ((velocity, &supported), &asleep) in discs.velocity.iter_mut().zip(&substep.supported).zip(&sleep.asleep) {
        if asleep || (tick_ends && supported && velocity.length_squared() < most) {
            *velocity = Vec2::ZERO;
        }
    }
}
