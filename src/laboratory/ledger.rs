//! The ledger of energy: what each cause has added to the kinetic energy, and taken from it.

use bevy::prelude::*;

use crate::{
    collision::{Cause, PhysicsSchedule, PhysicsSpace, TickSystems, account, measure},
    timeline::HistoryAppExt,
};

/// A ledger of the kinetic energy of all discs and blocks by [`Cause`]. It is off until [`EnergyLedger::start`], and
/// costs nothing while it is off.
///
/// While it is on, each step of a tick measures the energy, and the sum of all causes is the change of the energy to
/// rounding. That takes about 2 ns per disc and step.
///
/// The energy of spin of discs is separate: [`EnergyLedger::spin_change`]. What friction moves from motion to spin
/// appears under the cause of the friction.
///
/// # What it cannot split
/// [`Cause::NotSplit`] holds the rest:
///
/// - hits of discs on blocks, of blocks on terrain and on each other: the report of a hit has no velocity of the block;
/// - slow contacts that are not reported as hits: those below the resting speed, resting groups of the continuous mode,
///   and discs that are stopped because their impacts would not end;
/// - push-apart in the continuous mode;
/// - under gravity, the error of a step in which a disc bounces in the continuous mode: its forces act before and after
///   the tick, not along the path;
/// - gravity across periodic edges, where a potential does not exist;
/// - systems of a game between the steps.
///
/// On a table, [`Cause::Cloth`] holds the rest in place of it.
#[derive(Resource, Clone, Debug, Default)]
pub struct EnergyLedger {
    is_on: bool,
    sums: Sums,
}

/// What has been entered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    /// Joules, by `Cause as usize`.
    causes: [f64; Cause::ALL.len()],
    /// The energy at the start, without and with spin only, joules.
    first: Option<[f64; 2]>,
    /// The same after the last tick.
    last: [f64; 2],
    /// The last tick.
    tick: u64,
    seconds: f64,
}

impl EnergyLedger {
    /// Begins an empty ledger with the next tick.
    pub fn start(&mut self) {
        *self = Self { is_on: true, sums: Sums::default() };
    }

    /// Stops, and keeps what has been entered.
    pub fn stop(&mut self) {
        self.is_on = false;
    }

    /// Whether it is on.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// What a cause has added to the kinetic energy since the start, joules.
    #[must_use]
    pub fn of(&self, cause: Cause) -> f64 {
        self.sums.causes[cause as usize]
    }

    /// What all causes have added, joules.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sums.causes.iter().sum()
    }

    /// The kinetic energy after the last tick, joules.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.sums.last[0]
    }

    /// The measured change of the kinetic energy since the start, joules.
    #[must_use]
    pub fn change(&self) -> f64 {
        self.sums.first.map_or(0.0, |first| self.sums.last[0] - first[0])
    }

    /// The change of the energy of spin of the discs since the start, joules. It is not part of the sum.
    #[must_use]
    pub fn spin_change(&self) -> f64 {
        self.sums.first.map_or(0.0, |first| self.sums.last[1] - first[1])
    }

    /// The simulated time since the start, seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.sums.seconds
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EnergyLedger>()
        .track_value(
            |world| Some(world.get_resource::<EnergyLedger>()?.sums),
            |world, sums| {
                if let (Some(sums), Some(mut ledger)) = (sums, world.get_resource_mut::<EnergyLedger>()) {
                    ledger.sums = sums;
                }
            },
        )
        .add_systems(
            PhysicsSchedule,
            (
                begin.after(TickSystems::BroadPhase).before(TickSystems::Substeps),
                end.after(TickSystems::Substeps).before(TickSystems::Scatter),
            )
                .run_if(is_on),
        );
}

pub(super) fn is_on(ledger: Res<EnergyLedger>) -> bool {
    ledger.is_on
}

fn begin(mut ledger: ResMut<EnergyLedger>, mut space: ResMut<PhysicsSpace>) {
    let energy = account::begin(&mut space);
    let spin = measure::spin_energy(&space.discs);
    let tick = space.clock.tick;
    if tick == 1 {
        // A scene has started.
        ledger.sums = Sums::default();
    }
    let sums = &mut ledger.sums;
    if sums.first.is_some() && sums.tick + 1 == tick {
        sums.causes[Cause::Edits as usize] += energy - sums.last[0];
    } else {
        *sums = Sums { first: Some([energy, spin]), ..Sums::default() };
    }
}

fn end(mut ledger: ResMut<EnergyLedger>, mut space: ResMut<PhysicsSpace>) {
    let Some((causes, energy)) = account::end(&mut space) else { return };
    let sums = &mut ledger.sums;
    for (sum, cause) in sums.causes.iter_mut().zip(causes) {
        *sum += cause;
    }
    sums.last = [energy, measure::spin_energy(&space.discs)];
    sums.tick = space.clock.tick;
    sums.seconds += f64::from(space.clock.time_step);
}

#[cfg(test)]
mod tests;
