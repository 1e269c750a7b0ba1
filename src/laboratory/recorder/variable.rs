//! What can be recorded: variables of a disc, of a piece of terrain, and of the whole table.

use SubjectKind::{Disc, Table, Terrain};

use crate::notice::mark;

/// What a channel is about. Discs and terrain are named by their [`StableId`](crate::components::StableId), which is
/// the same after a scene restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// All discs and blocks.
    Table,
    /// The disc of this number.
    Disc(u64),
    /// The piece of terrain of this number; a block is one with mass.
    Terrain(u64),
    /// The disc of [`Recorder::follow`](super::Recorder::follow).
    FollowedDisc,
    /// The piece of terrain of [`Recorder::follow`](super::Recorder::follow).
    FollowedTerrain,
}

/// A kind of [`Subject`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// All discs and blocks.
    Table,
    /// A disc.
    Disc,
    /// A piece of terrain.
    Terrain,
}

impl Subject {
    /// Its kind.
    #[must_use]
    pub fn kind(self) -> SubjectKind {
        match self {
            Self::Table => Table,
            Self::Disc(_) | Self::FollowedDisc => Disc,
            Self::Terrain(_) | Self::FollowedTerrain => Terrain,
        }
    }
}

/// A variable of a subject, and what it means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableInfo {
    /// The variable.
    pub variable: Variable,
    /// Its name.
    pub title: &'static str,
    /// Its unit; empty for a number without one.
    pub unit: &'static str,
    /// What it is.
    pub help: &'static str,
    /// The subjects that have it.
    pub kinds: &'static [SubjectKind],
    /// Whether it is a rate, whose mean over several ticks says more than its value in one.
    pub is_rate: bool,
}

macro_rules! variables {
    ($($(#[$what:meta])* $variable:ident: $title:expr, $unit:literal, $kinds:expr, $is_rate:literal, $help:expr;)*) => {
        /// A variable of a disc, of a piece of terrain, or of the whole table. [`Variable::info`] says more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Variable {
            $($(#[$what])* $variable,)*
        }

        /// All variables, in the order in which they are listed.
        pub const VARIABLES: &[VariableInfo] = &[$(VariableInfo {
            variable: Variable::$variable,
            title: $title,
            unit: $unit,
            help: $help,
            kinds: $kinds,
            is_rate: $is_rate,
        }),*];
    };
}

const ALL: &[SubjectKind] = &[Table, Disc, Terrain];
const PIECES: &[SubjectKind] = &[Disc, Terrain];

variables! {
    /// The kinetic energy, joules. Of a block, with its rotation. Of the table, of all discs without their spin.
    KineticEnergy: mark("Kinetic energy"), "J", ALL, false,
        mark("½ m v². Of a block with its rotation; of the table, of all discs without their spin.");
    /// The potential energy of all discs under gravity, joules. It is zero at the origin.
    PotentialEnergy: mark("Potential energy"), "J", &[Table, Disc], false,
        mark("Energy of height under gravity, zero at the origin");
    /// The rotational energy of balls and spinning discs, joules.
    SpinEnergy: mark("Spin energy"), "J", &[Table, Disc], false, mark("Rotational energy of balls and spinning discs");
    /// The kinetic and potential energy of all blocks, joules.
    BlockEnergy: mark("Energy of blocks"), "J", &[Table], false, mark("Kinetic and potential energy of all blocks");
    /// The sum of the energies, joules.
    TotalEnergy: mark("Total energy"), "J", &[Table], false,
        mark("Kinetic, potential and spin energy of discs, and the energy of blocks");
    /// The momentum to the right, kg m/s. Of the table, of discs and blocks.
    MomentumX: mark("Momentum to the right"), "kg m/s", ALL, false, mark("m v; of the table, of discs and blocks");
    /// The momentum upward, kg m/s.
    MomentumY: mark("Momentum upward"), "kg m/s", ALL, false, mark("m v; of the table, of discs and blocks");
    /// The magnitude of the momentum, kg m/s.
    Momentum: mark("Momentum"), "kg m/s", ALL, false, mark("Magnitude of the momentum");
    /// The angular momentum of all discs about the origin, with their spin about z, kg m²/s.
    AngularMomentum: mark("Angular momentum"), "kg m²/s", &[Table, Disc], false,
        mark("About the origin, with the spin about the vertical axis");
    /// To the right, metres: of a disc its centre, of the table the centre of mass of all discs.
    X: "x", "m", ALL, false, mark("Position to the right; of the table, the centre of mass of all discs");
    /// Upward, metres.
    Y: "y", "m", ALL, false, mark("Position upward; of the table, the centre of mass of all discs");
    /// Velocity to the right, m/s: of the table that of the centre of mass of all discs.
    VelocityX: "vx", "m/s", ALL, false, mark("Velocity to the right; of the table, of the centre of mass");
    /// Velocity upward, m/s.
    VelocityY: "vy", "m/s", ALL, false, mark("Velocity upward; of the table, of the centre of mass");
    /// The magnitude of the velocity, m/s.
    Speed: mark("Speed"), "m/s", ALL, false, mark("Magnitude of the velocity; of the table, of the centre of mass");
    /// The direction of motion, degrees counter-clockwise from the right; none at rest.
    Direction: mark("Direction"), "°", PIECES, false, mark("Direction of motion, counter-clockwise from the right");
    /// The rotation of a piece of terrain, degrees.
    Angle: mark("Angle"), "°", &[Terrain], false, mark("Rotation, counter-clockwise");
    /// The angular velocity about the vertical axis, rad/s.
    Spin: mark("Spin"), "rad/s", PIECES, false, mark("Angular velocity about the vertical axis, counter-clockwise");
    /// The discs that overlap a disc in the last substep of a tick of the stepped mode.
    Contacts: mark("Contacts"), "", &[Table, Disc], false, mark("Overlapping discs in the last substep");
    /// The hits since the scene started.
    Hits: mark("Hits"), "", &[Table], false, mark("Impulses applied since the scene started");
    /// The hits with other discs that each disc has had on average since recording began.
    HitsPerDisc: mark("Hits per disc"), "", &[Table], false,
        mark("Hits with other discs since recording began. A natural clock of a gas.");
    /// The hits per second: of the table all, of a disc or a piece of terrain its own.
    HitRate: mark("Hits per second"), "1/s", ALL, true, mark("Number of hits per second");
    /// The normal force by the impulses of discs, newtons. Slow hits that are not reported do not count.
    Force: mark("Force"), "N", &[Terrain], true, mark("Impulses of discs per second. Discs that rest on it do not count.");
    /// The force per length of the outline, N/m.
    Pressure: mark("Pressure"), "N/m", &[Terrain], true, mark("Impulses of discs per second and length of the outline");
    /// The mean impulse of the hits of a tick, N s; none in a tick without hits.
    ImpulsePerHit: mark("Impulse per hit"), "N s", PIECES, false, mark("Mean impulse of its hits in a tick");
}

impl Variable {
    /// What it means.
    ///
    /// # Panics
    /// Never: every variable is in [`VARIABLES`].
    #[must_use]
    pub fn info(self) -> &'static VariableInfo {
        VARIABLES.iter().find(|info| info.variable == self).expect("every variable is listed")
    }

    /// Whether subjects of this kind have it.
    #[must_use]
    pub fn is_of(self, kind: SubjectKind) -> bool {
        self.info().kinds.contains(&kind)
    }

    /// Whether it follows from hits, so that the space must report all of them.
    pub(super) fn needs_hits(self) -> bool {
        matches!(self, Self::HitsPerDisc | Self::HitRate | Self::Force | Self::Pressure | Self::ImpulsePerHit)
    }

    /// Whether it needs the sums over blocks.
    pub(super) fn needs_blocks(self) -> bool {
        matches!(self, Self::BlockEnergy | Self::TotalEnergy | Self::MomentumX | Self::MomentumY | Self::Momentum)
    }
}

/// A variable of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// What it is about.
    pub subject: Subject,
    /// What of it is recorded.
    pub variable: Variable,
}

impl Channel {
    /// A variable of a subject.
    #[must_use]
    pub fn new(subject: Subject, variable: Variable) -> Self {
        Self { subject, variable }
    }
}

/// What is recorded: a channel, against the time or against another channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// The horizontal axis; `None` for the time.
    pub x: Option<Channel>,
    /// The vertical axis.
    pub y: Channel,
}

impl Graph {
    /// A channel against the time.
    #[must_use]
    pub fn over_time(y: Channel) -> Self {
        Self { x: None, y }
    }

    pub(super) fn channels(&self) -> impl Iterator<Item = Channel> {
        self.x.into_iter().chain([self.y])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_is_listed_once_and_some_subject_has_it() {
        for info in VARIABLES {
            assert_eq!(info.variable.info(), info);
            assert!(!info.kinds.is_empty() && !info.help.is_empty(), "{}", info.title);
            assert_eq!(VARIABLES.iter().filter(|other| other.title == info.title).count(), 1, "{}", info.title);
        }
    }
}
