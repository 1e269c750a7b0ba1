//! What is known of a pile: the pairs at rest from the lowest to the highest, the sleeping discs, the contacts of a
//! substep. The step that holds it is [`settle`](super::settle).
//!
//! | module | what it holds |
//! |---|---|
//! | `state` | what is kept within a tick and a substep |
//! | `take_up`, `order`, `pairs`, `tops` | the candidate pairs of a tick, with what does not change within it |
//! | `sleep` | the discs at rest that are left as they are |

mod order;
pub mod pairs;
pub mod sleep;
pub mod state;
pub mod take_up;
mod tops;
