//! Queries: what lies where between ticks. Nothing here changes anything, and nothing is spent where nobody asks.

mod disc_index;

pub(in crate::collision) use disc_index::DiscIndex;
