//! Data shared by all steps of a tick, besides the discs and their surroundings. It holds the time ([`Clock`]), the
//! current laws ([`Laws`]), the record of events ([`Report`]), and the computing resources ([`Compute`]).

use bevy::prelude::*;

mod accounts;
mod clock;
mod compute;
mod laws;
mod report;
mod stage;

pub(crate) use accounts::Accounts;
pub use accounts::Cause;
pub use clock::{Clock, ForceStep};
pub use compute::{Compute, ScanLimit};
pub use laws::Laws;
pub(crate) use laws::OVERLAP_ROUNDING;
pub(crate) use report::Moment;
pub use report::Report;
pub use stage::Stage;

/// Present while a tick runs again that has run before. It then triggers no entity events.
#[derive(Resource)]
pub(crate) struct Replaying;
