//! The state of a pile: its resting pairs from the lowest to the highest, sleeping discs, and the contacts of a
//! substep. The step that supports it is [`settle`](super::settle).
//!
//! | module | contents |
//! |---|---|
//! | `state` | the state within a tick and a substep |
//! | `take_up`, `order`, `pairs`, `tops` | the candidate pairs of a tick, with everything that is constant within it |
//! | `sleep` | discs at rest that are skipped |

mod order;
pub mod pairs;
pub mod sleep;
pub mod state;
pub mod take_up;
mod tops;
