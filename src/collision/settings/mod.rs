//! The collision settings, each with its unit, default and range.

use crate::components::{InvalidValue, ValueRange, check_ranges};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

mod periodic;

pub use periodic::Periodic;

pub use crate::components::{CombineRule, LIMIT};

/// How collisions are found.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SolverMode {
    /// Discs move for a substep, and the resulting overlaps are resolved. For thousands of discs, gases and piles.
    #[default]
    Stepped,
    /// The earliest impact within the tick is resolved first, at its exact time. Nothing is missed and nothing tunnels,
    /// at any speed. For billiards, and for checking the stepped mode. See
    /// [`continuous`](crate::collision::continuous).
    Continuous,
}

impl SolverMode {
    /// Both modes with their names.
    pub const ALL: [(Self, &str); 2] = [(Self::Stepped, "stepped"), (Self::Continuous, "continuous")];
}

/// Coefficients of restitution.
const RESTITUTION: ValueRange = ValueRange::new(0.0, 1.0, "");
/// The share of an overlap.
const SHARE: ValueRange = ValueRange::new(0.0, 1.0, "");
const SPEED: ValueRange = ValueRange::new(0.0, LIMIT as f64, "m/s");
const SUBSTEPS: ValueRange = ValueRange::new(1.0, CollisionSettings::MAX_SUBSTEPS as f64, "");
const IMPACT_BUDGET: ValueRange = ValueRange::new(1.0, CollisionSettings::MAX_IMPACT_BUDGET as f64, "");

/// How collisions are resolved. Change it at any time: the next tick reads it.
#[derive(Resource, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct CollisionSettings {
    /// How collisions are found. Default: stepped.
    pub mode: SolverMode,
    /// Coefficient of restitution between discs, from 0 (no rebound) to 1 (elastic). Default: 1.
    #[reflect(@RESTITUTION)]
    pub restitution: f32,
    /// Coefficient of restitution between a disc and terrain, from 0 to 1. Default: 1.
    #[reflect(@RESTITUTION)]
    pub terrain_restitution: f32,
    /// How restitutions are combined if both sides have one. Default: the smaller one counts. A corner of several
    /// pieces of terrain has the smallest of their restitutions.
    pub restitution_rule: CombineRule,
    /// The number of substeps per tick in the stepped mode, 1 to 64. Default: 1. More substeps detect hits of faster
    /// discs.
    #[reflect(@SUBSTEPS)]
    pub substeps: u32,
    /// Whether overlapping discs are pushed apart, weighted by mass. Default: true. Terrain always pushes discs out.
    pub push_apart: bool,
    /// The share of an overlap that one substep removes, 0 to 1. Default: 1.
    #[reflect(@SHARE)]
    pub push_apart_share: f32,
    /// Hits slower than this (m/s, along the normal) are resting contacts. They are resolved with restitution 0 and are
    /// not reported as collisions, and under gravity springs support discs that lie on each other (see
    /// [`settle`](crate::collision::settle)). Default: 0, which obeys the restitution at every speed. For a pile use a
    /// few times the speed that gravity adds in a tick, such as 1 m/s, and several substeps. Overlaps shrink with the
    /// square of their number.
    #[reflect(@SPEED)]
    pub resting_speed: f32,
    /// Discs at rest on each other sleep if they are slower than this (m/s) and the forces would not accelerate them
    /// beyond it within a tick. Sleeping discs do not move and cost a fraction of the time, until something that moves
    /// comes near or the forces on them change. Default: 0, at which no disc sleeps. It needs a resting speed; 0.001
    /// m/s stops motion too slow to see.
    #[reflect(@SPEED)]
    pub sleep_speed: f32,
    /// Hits slower than this (m/s, along the normal) are resolved but sent as no messages. Default: 0.
    #[reflect(@SPEED)]
    pub report_above: f32,
    /// The largest number of impacts of a disc per tick of the continuous mode, 1 to 100 000. Default: 1000. After
    /// that the solver stops the disc against what it touches. Only endless sequences of impacts come near this limit:
    /// see [`continuous`](crate::collision::continuous).
    ///
    /// Impacts that lose no energy do end, so they have a budget twenty times as large. A disc that exceeds it waits
    /// for the next tick and keeps its velocity. Discs that hit each other may share a hundred times as many impacts
    /// beyond four times their own budgets. The budget of a block is sixteen times as large in both modes, and counts
    /// the work of its impacts: see `docs/src/bodies.md`.
    #[reflect(@IMPACT_BUDGET)]
    pub impact_budget: u32,
    /// Which axes are periodic: a disc that leaves on one side enters on the opposite side. Default: none.
    #[serde(skip_serializing_if = "Periodic::is_open")]
    pub periodic: Periodic,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        Self {
            restitution: 1.0,
            terrain_restitution: 1.0,
            restitution_rule: CombineRule::Smallest,
            substeps: 1,
            push_apart: true,
            push_apart_share: 1.0,
            resting_speed: 0.0,
            sleep_speed: 0.0,
            report_above: 0.0,
            impact_budget: 1000,
            mode: SolverMode::Stepped,
            periodic: Periodic::default(),
        }
    }
}

impl CollisionSettings {
    /// The largest number of substeps per tick.
    pub const MAX_SUBSTEPS: u32 = 64;

    /// The largest number of impacts per disc and tick.
    pub const MAX_IMPACT_BUDGET: u32 = 100_000;

    /// The restitution of a hit of two discs. Each may have its own value.
    #[must_use]
    pub fn restitution_between(&self, a: Option<f32>, b: Option<f32>) -> f32 {
        self.restitution_rule.combine(a, b).unwrap_or(self.restitution)
    }

    /// The restitution of a hit of a disc and terrain. Each may have its own value.
    #[must_use]
    pub fn restitution_at_terrain(&self, disc: Option<f32>, terrain: Option<f32>) -> f32 {
        self.restitution_rule.combine(disc, terrain).unwrap_or(self.terrain_restitution)
    }

    /// Whether every value is in range.
    ///
    /// # Errors
    /// The first field out of range, with the range.
    pub fn check(&self) -> Result<(), InvalidValue> {
        check_ranges(self)?;
        self.periodic.check()
    }

    /// These settings with every value out of range clamped; a NaN is replaced by the default.
    #[must_use]
    pub fn in_range(&self) -> Self {
        let defaults = Self::default();
        Self {
            restitution: RESTITUTION.clamp(self.restitution, defaults.restitution),
            terrain_restitution: RESTITUTION.clamp(self.terrain_restitution, defaults.terrain_restitution),
            restitution_rule: self.restitution_rule,
            substeps: self.substeps.clamp(1, Self::MAX_SUBSTEPS),
            push_apart: self.push_apart,
            push_apart_share: SHARE.clamp(self.push_apart_share, defaults.push_apart_share),
            resting_speed: SPEED.clamp(self.resting_speed, defaults.resting_speed),
            sleep_speed: SPEED.clamp(self.sleep_speed, defaults.sleep_speed),
            report_above: SPEED.clamp(self.report_above, defaults.report_above),
            impact_budget: self.impact_budget.clamp(1, Self::MAX_IMPACT_BUDGET),
            mode: self.mode,
            periodic: self.periodic.in_range(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_named_with_its_value_as_it_was_written_and_the_range() {
        let with = |change: fn(&mut CollisionSettings)| {
            let mut settings = CollisionSettings::default();
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert_eq!(with(|s| s.restitution = 1.1), "restitution is 1.1; set it from 0 to 1");
        assert_eq!(with(|s| s.substeps = 65), "substeps is 65; set it from 1 to 64");
        assert_eq!(with(|s| s.substeps = u32::MAX), "substeps is 4294967295; set it from 1 to 64");
        assert_eq!(with(|s| s.resting_speed = 1e30), "resting_speed is 1e30; set it from 0 to 1e12 m/s");
        assert_eq!(with(|s| s.sleep_speed = f32::NAN), "sleep_speed is NaN; set it from 0 to 1e12 m/s");
        assert_eq!(with(|s| s.report_above = f32::INFINITY), "report_above is inf; set it from 0 to 1e12 m/s");
        assert_eq!(with(|s| s.terrain_restitution = -1e-7), "terrain_restitution is -1e-7; set it from 0 to 1");
    }
}
