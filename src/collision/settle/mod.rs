//! Resting contacts of piles, the step `Settle`: what lies on what is held, and comes to rest. It acts only where the
//! settings have a resting speed and a force has named the direction of gravity
//! ([`Laws::gravity`](crate::collision::Laws::gravity)). Without either it does nothing at all, so elastic scenes never
//! notice it.
//!
//! Hits faster than the resting speed are for `PushApart` and `Impulse`. The rest is left to three means:
//! - A **spring** in every contact, as stiff as the substep allows, and a damper beside it. Its overlap is where the
//!   load of a contact is remembered, so a pile at rest needs no further state and no iterations, and its forces are
//!   those of frictionless discs: equal and opposite, also sideways.
//! - **Terrain** stops what rests on it.
//! - A **sweep** upward from the ground takes from each supported disc half of the speed with which it sinks into what
//!   supports it. Springs alone would let a tall pile swing like jelly; the sweep reaches its top in one go (shock
//!   propagation: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking", 2003). In a pile at rest it
//!   finds nothing to do.
//!
//! | module | what it holds |
//! |---|---|
//! | `springs` | a contact of two discs: its spring and its damper |
//! | `ground` | a contact with terrain |
//! | `shock_propagation` | the sweep |
//! | `sleep` | the discs at rest that are left as they are |
//!
//! With a sleep speed, a disc that stands still where a tick begins, with nothing moving in its reach, is left as it is
//! if the first substep finds the forces on it in balance. That the velocity is zero is all that it needs to remember.

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

/// Upper bound of the speed of sleep, as a share of what gravity adds in a tick. At a high tick rate a disc that starts
/// to fall is slow at first and must not fall asleep.
const MAX_SLEEP_SPEED: f32 = 0.05;

/// How many times the weight above it a contact may carry, as arches and walls distribute the load unevenly. A deeper
/// overlap is pushed apart. Chosen by hand.
const LOAD_FACTOR: f32 = 16.0;

/// What `Settle` reads and changes.
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

/// Holds what is at rest.
pub(crate) fn settle(mut pile: Pile) {
    let Pile { laws, clock, cell, compute: Compute { simd, .. }, .. } = pile;
    let Laws { settings, answers, .. } = laws;
    // Where forces have changed it.
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

/// Whether discs can be at rest in this substep, and what follows from the settings and from gravity.
fn begin_settling(resting: &mut Resting, laws: &Laws, clock: &Clock, cell: Option<Cell>) -> bool {
    let settings = &laws.settings;
    let (substep, gravity) = (clock.substep(settings), laws.gravity.length());
    resting.acts = settings.resting_speed > 0.0 && laws.gravity != Vec2::ZERO;
    // What falls without end lies on nothing.
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

/// Takes up the pairs of the broad phase, as far as they are new.
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
        // Pairs of discs that slept count again, once one of them has been hit.
        resting.take_all(pairs);
        resting.measure(discs, simd);
        resting.leave_out_sleepers();
    } else {
        // Discs that have left the circles in which they were looked for have found others.
        resting.insert(&pairs[taken.count.min(pairs.len())..], simd);
    }
    resting.tick.taken = TakenPairs { generation: candidates.generation, count: pairs.len() };
    resting.sleep.woken = false;
    resting.tick.substeps += 1;
}

/// Of the pairs at rest on each other those that a hook lets through are so no more.
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
