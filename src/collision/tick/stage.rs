//! The stages of a tick, for timing.

/// A stage of a tick, for timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Components to arrays.
    Gather,
    /// Candidate pairs.
    BroadPhase,
    /// Resting piles.
    Settle,
    /// The impacts of a tick, in the continuous mode.
    Impacts,
    /// Movement by velocities.
    Integrate,
    /// Removal of overlaps.
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
    /// All stages in order, with their displayed names.
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
