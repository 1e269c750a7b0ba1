//! Resting contacts of piles, the step `Settle`: supports discs that rest, and brings them to rest. It acts only if the
//! settings have a resting speed and a force has set the direction of gravity
//! ([`Laws::gravity`](crate::collision::Laws::gravity)). Otherwise it does nothing at all, so elastic scenes are not
//! affected.
//!
//! Hits faster than the resting speed are left to `PushApart` and `Impulse`. For all others there are three means:
//! - A **spring** in every contact, as stiff as the substep allows, with a damper. The load of a contact is stored in
//!   its overlap, so a pile at rest needs no further state and no iterations. The forces are those of frictionless
//!   discs: equal and opposite, also sideways.
//! - **Terrain** stops discs that rest on it.
//! - A **sweep** upward from the ground removes from each supported disc half of the speed at which it sinks into its
//!   support. With springs alone a tall pile would oscillate like jelly. The sweep reaches its top in one pass (shock
//!   propagation: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003). In a pile at rest it
//!   has nothing to do.
//!
//! | module | contents |
//! |---|---|
//! | `springs` | a contact of two discs: its spring and its damper |
//! | `ground` | a contact with terrain |
//! | `shock_propagation` | the sweep |
//! | `sleep` | the discs at rest that are skipped |
//!
//! With a sleep speed, a disc may be skipped that is at rest at the start of a tick, with nothing moving in its reach.
//! The condition is that the first substep finds the forces on it in equilibrium. Its zero velocity is the only state
//! that this needs.

mod ground;
mod shock_propagation;
mod sleep;
mod springs;

use bevy::prelude::*;

use crate::collision::{
    broad_phase::BroadPhase,
    discs::Discs,
    hit::answers::Answers,
    moving::MovingTerrain,
    periodic::Cell,
    resting::{
        state::{Resting, RestingLimits, RestingTick, TakenPairs},
        take_up::MAX_INSERTED,
    },
    terrain::{StandingTerrain, neighbours::TerrainNeighbours},
    tick::{Clock, Compute, Laws},
};
use springs::STIFFNESS;

/// Upper bound of the sleep speed, as a share of what gravity adds in a tick. At a high tick rate a disc that starts to
/// fall is slow at first and must not fall asleep.
const MAX_SLEEP_SPEED: f32 = 0.05;

/// The load that a contact may carry, as a multiple of the weight above it, because arches and walls distribute the
/// load unevenly. A deeper overlap is pushed apart. Chosen by hand.
const LOAD_FACTOR: f32 = 16.0;

/// The data of `Settle`.
pub(crate) struct Pile<'a> {
    pub(crate) discs: &'a mut Discs,
    pub(crate) resting: &'a mut Resting,
    pub(crate) terrain: &'a StandingTerrain,
    pub(crate) terrain_neighbours: &'a mut TerrainNeighbours,
    pub(crate) moving: &'a mut MovingTerrain,
    pub(crate) broad_phase: &'a mut BroadPhase,
    pub(crate) cell: Option<Cell>,
    pub(crate) laws: &'a Laws,
    pub(crate) clock: &'a Clock,
    pub(crate) compute: Compute,
}

/// Supports resting discs.
pub(crate) fn settle(mut pile: Pile) {
    let Pile { laws, clock, cell, compute: Compute { simd, .. }, .. } = pile;
    let Laws { settings, answers, .. } = laws;
    // Forces may have changed it.
    pile.discs.keep_kinematic_velocities();
    if !begin_settling(pile.resting, laws, clock, cell) {
        return;
    }
    let share = if pile.discs.kinematic.is_empty() { 0.0 } else { clock.shares_of_tick(settings)[1] };
    take_up_pairs(&mut pile);
    drop_resting(pile.discs, pile.resting, answers, cell);
    ground::find_contacts(&mut pile);
    let Pile { discs, resting, terrain, terrain_neighbours, .. } = pile;
    springs::act_by_springs(discs, resting, clock.substep(settings), simd);
    ground::stop_on_ground(discs, resting);
    sleep::keep_asleep(discs, resting, settings.substeps);
    shock_propagation::propagate_shock(discs, resting, simd);
    shock_propagation::contain_lifted(discs, resting, terrain, terrain_neighbours);
    sleep::stop(discs, resting, settings.substeps);
    discs.place_kinematic(share);
    discs.keep_kinematic_velocities();
}

/// Finds whether discs can be at rest in this substep, and the limits that follow from the settings and gravity.
fn begin_settling(resting: &mut Resting, laws: &Laws, clock: &Clock, cell: Option<Cell>) -> bool {
    let settings = &laws.settings;
    let (substep, gravity) = (clock.substep(settings), laws.gravity.length());
    resting.acts = settings.resting_speed > 0.0 && laws.gravity != Vec2::ZERO;
    // A disc that falls forever rests on nothing.
    resting.acts &= cell.is_none_or(|cell| cell.is_level(laws.gravity));
    if resting.acts {
        resting.limits = RestingLimits {
            resting_squared: settings.resting_speed * settings.resting_speed,
            sleep_speed: settings.sleep_speed.min(MAX_SLEEP_SPEED * gravity * clock.time_step),
            up: -laws.gravity.normalize(),
            per_layer: LOAD_FACTOR * gravity * substep * substep / STIFFNESS,
            cell,
        };
    }
    resting.acts
}

/// Takes over the new pairs of the broad phase.
fn take_up_pairs(pile: &mut Pile) {
    let Pile { discs, broad_phase, resting, moving, clock, compute, cell, .. } = pile;
    broad_phase.update_pairs(compute.sought(discs, clock, *cell));
    let (BroadPhase { pairs, candidates, .. }, Clock { tick, .. }, simd) = (&**broad_phase, clock, compute.simd);
    let RestingTick { taken, number, height, .. } = &resting.tick;
    let new_tick = number != tick || height.len() != discs.len();
    let new_list = taken.generation != candidates.generation || pairs.len() > taken.count + MAX_INSERTED;
    if new_tick {
        resting.begin_tick(*tick, discs, pairs, simd);
        sleep::find_undisturbed(discs, resting, moving);
    } else if new_list || resting.sleep.woken {
        // Pairs of sleeping discs count again once one of them has been hit.
        resting.take_all(pairs);
        resting.measure(discs, simd);
        resting.leave_out_sleepers();
    } else {
        // Discs that have left their search circles have found other partners.
        resting.insert(&pairs[taken.count.min(pairs.len())..], simd);
    }
    resting.tick.taken = TakenPairs { generation: candidates.generation, count: pairs.len() };
    resting.sleep.woken = false;
    resting.tick.substeps += 1;
}

/// Removes the resting pairs that a hook drops.
fn drop_resting(discs: &mut Discs, resting: &mut Resting, answers: &Answers, cell: Option<Cell>) {
    if answers.hooks.is_empty() {
        return;
    }
    resting.retain_pairs(|lower, upper| {
        let sum = discs.radius[lower] + discs.radius[upper];
        let line = discs.position[upper] - discs.position[lower];
        let touch = cell.map_or(line, |cell| cell.nearest(line)).length_squared() < sum * sum;
        !touch || answers.let_meet(discs, cell, [lower.min(upper), lower.max(upper)])
    });
}
