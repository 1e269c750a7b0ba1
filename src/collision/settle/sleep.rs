//! Sleep: discs of a pile that are at rest, supported and in equilibrium are skipped until something moves them.

use bevy::prelude::*;

use crate::collision::{
    broad_phase::SUPPORTING,
    discs::Discs,
    moving::MovingTerrain,
    resting::{sleep::Sleep, state::Resting},
    shape::Bounds,
};

/// Finds the discs that are at rest and touch nothing that moves. A hit within the tick wakes them.
pub fn find_undisturbed(discs: &Discs, resting: &mut Resting, moving: &MovingTerrain) {
    let Sleep { still, asleep, .. } = &mut resting.sleep;
    if still.len() != discs.len() {
        // A system between the steps has added or removed discs.
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

/// Keeps those undisturbed discs asleep that are supported and whose forces the first substep finds in equilibrium;
/// their pairs are skipped for the rest of this tick.
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

/// Stops sleeping discs and, at the end of a tick, supported discs that are slow enough to fall asleep.
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
