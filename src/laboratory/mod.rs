//! The laboratory: measures quantities of a running simulation, with errors and the theory beside them.
//!
//! [`Laboratory`] is fed once per tick with the state and the hits of the tick. [`QUANTITIES`] lists what it can
//! measure. Nothing here changes the simulation.
//!
//! | module | contents |
//! |---|---|
//! | `mixture` | formulas for gases of hard discs |
//! | `gas` | what is fixed in a measurement: the discs, the box, and whether a theory applies |
//! | `measurement` | what a quantity and its measurement are |
//! | `blocks` | sums over a run, and errors from the scatter of its parts |
//! | [`billiard`] | single discs among fixed walls: the boundary, the boundary map, how fast paths part |
//! | `quantities` | the quantities, one file each |
//! | `reading` | results, and the mean of several runs |
//! | [`instruments`] | instruments on the table: stopwatches, photogates, force gauges, tracers, counters |
//! | `hit_changes` | changes of momentum in hits |
//! | `ledger` | the kinetic energy by cause |
//! | `live` | [`Laboratory`] and its plugin |
//! | `recorder` | [`Recorder`]: variables of discs, terrain and the table against the time or each other |
//!
//! # Theory
//! Theories use the measured temperature. In a box with periodic edges the momentum is conserved, so the kinetic energy
//! relative to the centre of mass is shared by one disc fewer: `K = (N - 1) kT`. If no theory applies to a scene, a
//! note says why. Drag, friction and custom forces are not considered: with them, compare only with care.
//!
//! # Errors
//! Errors are standard errors of the mean. Within one run they follow from the scatter of 16 to 32 parts of equal
//! length (jackknife). Over several runs they follow from the spread of the runs.
//!
//! # A custom quantity
//! Write a type that implements [`Measurement`] and a constant [`Quantity`], and pass it to [`Laboratory::start`].

pub mod billiard;
pub(crate) mod blocks;
mod gas;
mod hit_changes;
pub mod instruments;
mod ledger;
mod live;
mod measurement;
mod mixture;
mod quantities;
mod reading;
pub mod recorder;
mod report;

pub use gas::{Container, Gas};
pub use hit_changes::{HitChange, HitChanges};
pub use ledger::EnergyLedger;
pub use live::{Laboratory, LaboratoryPlugin};
pub use measurement::{Averages, Curve, Measurement, Moment, Quantity, Value, Values};
pub use mixture::{Mixture, Species, henderson, stiffness};
pub use quantities::{QUANTITIES, quantity};
pub use reading::{Estimate, Measured, Point, Reading, mean_of_runs};
pub use recorder::{
    Between, Channel, Graph, Memory, Recorder, RecorderPlugin, Recording, RecordingId, Sample, Subject, SubjectKind,
    VARIABLES, Variable, VariableInfo,
};
