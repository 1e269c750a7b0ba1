//! What all steps of a tick share besides the discs and what is around them: the time ([`Clock`]), the laws that hold
//! ([`Laws`]), the record of what happened ([`Report`]), and what the machine may use ([`Compute`]).

mod clock;
mod compute;
mod laws;
mod report;
mod stage;

pub use clock::{Clock, ForceStep};
pub use compute::{Compute, ScanLimit};
pub use laws::Laws;
pub(crate) use laws::OVERLAP_ROUNDING;
pub use report::Report;
pub use stage::Stage;
