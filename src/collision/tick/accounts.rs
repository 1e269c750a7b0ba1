//! The account of kinetic energy in a tick, by cause. It is empty unless somebody keeps it.

use bevy::prelude::*;

use crate::{collision::discs::DiscHeight, notice::mark};

/// A cause that changes the kinetic energy of discs and blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Changes of components between two ticks: drags, sliders, shots, new and deleted discs.
    Edits,
    /// Forces of the game, and constant forces of single discs.
    Forces,
    /// Gravity: what discs gain as they fall and lose as they rise.
    Gravity,
    /// Linear drag.
    Drag,
    /// Friction of the cloth that acts on every disc as a constant deceleration.
    Friction,
    /// Speed limits.
    SpeedLimits,
    /// Joints.
    Joints,
    /// Hits between discs.
    DiscHits,
    /// Hits on static terrain.
    TerrainHits,
    /// Hits on kinematic discs and on terrain that the game moves.
    DrivenHits,
    /// Sliding and rolling of spinning discs on a table. It also moves energy between motion and spin.
    Cloth,
    /// Discs that fell into pockets or off the table.
    Pockets,
    /// Piles that come to rest.
    Settle,
    /// The separation of overlapping discs, and of discs that it pushed into terrain.
    PushApart,
    /// Everything else: see [`EnergyLedger`](crate::laboratory::EnergyLedger).
    NotSplit,
}

impl Cause {
    /// All causes in order, with their displayed names.
    pub const ALL: [(Self, &str); 15] = [
        (Self::Edits, mark("Changes by hand")),
        (Self::Forces, mark("Forces")),
        (Self::Gravity, mark("Gravity")),
        (Self::Drag, mark("Drag")),
        (Self::Friction, mark("Friction")),
        (Self::SpeedLimits, mark("Speed limits")),
        (Self::Joints, mark("Joints")),
        (Self::DiscHits, mark("Hits between discs")),
        (Self::TerrainHits, mark("Hits on terrain")),
        (Self::DrivenHits, mark("Hits on driven terrain")),
        (Self::Cloth, mark("Cloth")),
        (Self::Pockets, mark("Pockets")),
        (Self::Settle, mark("Piles at rest")),
        (Self::PushApart, mark("Overlaps pushed apart")),
        (Self::NotSplit, mark("Not attributed")),
    ];
}

/// What each cause has added to the kinetic energy in this tick, and the state at the last entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accounts {
    /// Joules, by `Cause as usize`.
    pub sums: [f64; Cause::ALL.len()],
    /// The kinetic energy at the last entry, joules.
    pub energy: f64,
    /// The positions of the discs at the last entry, metres; only under gravity.
    pub positions: Vec<Vec2>,
    /// The heights of balls at the last entry.
    pub heights: Vec<DiscHeight>,
    /// How many hits of the report have been entered.
    pub hits: usize,
    /// How many fallen discs of the report have been entered.
    pub fallen: usize,
}
