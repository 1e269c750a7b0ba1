//! The stages of the tick, for the clock.

/// A stage of the tick, for the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Components to arrays.
    Gather,
    /// Candidate pairs.
    BroadPhase,
    /// Piles come to rest.
    Settle,
    /// Impact by impact through the tick, in the continuous mode.
    Impacts,
    /// Positions move by their velocities.
    Integrate,
    /// Overlapping discs part.
    PushApart,
    /// Restitution between discs.
    Impulse,
    /// Discs and walls.
    Walls,
    /// Discs and corners, discs and bumpers.
    FixedCircles,
    /// Arrays to components.
    Scatter,
    /// Messages.
    Report,
}

impl Stage {
    /// All stages in their order within the tick, with the names that people read.
    pub const ALL: [(Self, &str); 11] = [
        (Self::Gather, "gather"),
        (Self::BroadPhase, "broad phase"),
        (Self::Settle, "settle"),
        (Self::Impacts, "impacts"),
        (Self::Integrate, "integrate"),
        (Self::PushApart, "push apart"),
        (Self::Impulse, "impulse"),
        (Self::Walls, "walls"),
        (Self::FixedCircles, "fixed circles"),
        (Self::Scatter, "scatter"),
        (Self::Report, "report"),
    ];
}
